#include "study/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define ENUM(id, name, value, help) OPTION_##id,
typedef enum { LEM_STUDY_OPTIONS(ENUM) OPTION_COUNT } option_id;
#undef ENUM

#define ENTRY(id, name, value, help) {name, value, help},
static const struct { const char *name, *value, *help; } table[] = {LEM_STUDY_OPTIONS(ENTRY)};
#undef ENTRY

enum { MOST_THREADS = 4096 };
static const double most_scale = 1e6;

static int parse_seed(const char *text, lem_options *o) {
    if (strcmp(text, "random") == 0) {
        uint64_t bits;
        if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
            return LEM_ERROR(GSL_EFAILED, "--seed random: the system gave no random numbers: %s",
                             strerror(errno));
        o->seed = bits >> 11; /* 53 bits: every JSON reader keeps it exact */
        o->seed_kind = LEM_SEED_RANDOM;
        return GSL_SUCCESS;
    }
    char *end = NULL;
    errno = 0;
    unsigned long long value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (!end || *end || errno || value >> 63)
        return LEM_ERROR(GSL_EINVAL, "--seed %s: must be 'random' or a whole number, 0 <= N < 2^63", text);
    o->seed = value;
    o->seed_kind = LEM_SEED_GIVEN;
    return GSL_SUCCESS;
}

static int parse_scale(const char *text, lem_options *o) {
    char *end = NULL;
    bool digit = isdigit((unsigned char)text[0]) || text[0] == '.'; /* no nan, inf, sign, blank */
    o->scale = digit ? strtod(text, &end) : 0;
    if (!end || *end || !(o->scale > 0 && o->scale <= most_scale))
        return LEM_ERROR(GSL_EINVAL, "--scale %s: must be a number, 0 < X <= %g", text, most_scale);
    return GSL_SUCCESS;
}

static int parse_threads(const char *text, lem_options *o) {
    char *end = NULL;
    errno = 0;
    long value = isdigit((unsigned char)text[0]) ? strtol(text, &end, 10) : 0;
    if (!end || *end || errno || value < 1 || value > MOST_THREADS)
        return LEM_ERROR(GSL_EINVAL, "--threads %s: must be a whole number, 1 <= N <= %d", text,
                         MOST_THREADS);
    o->threads = (int)value;
    return GSL_SUCCESS;
}

static int parse_only(const lem_study_spec *spec, const char *text, lem_options *o) {
    char allowed[400] = "";
    o->only = text;
    for (size_t i = 0; i < spec->n_sections; i++) {
        if (strcmp(spec->sections[i].name, text) == 0)
            return GSL_SUCCESS;
        size_t used = strlen(allowed);
        (void)snprintf(allowed + used, sizeof allowed - used, "%s%s", i ? ", " : "", spec->sections[i].name);
    }
    return LEM_ERROR(GSL_EINVAL, "--only %.60s: no such section; there are: %s", text, allowed);
}

static int set_name(option_id id, const char *value, const char **name) {
    *name = value;
    return value[0] ? GSL_SUCCESS : LEM_ERROR(GSL_EINVAL, "--%s: the name is empty", table[id].name);
}

static int set(const lem_study_spec *spec, option_id id, const char *value, lem_options *o) {
    switch (id) {
    case OPTION_OUT:
        free(o->out);
        o->out = strdup(value);
        return o->out && value[0] ? GSL_SUCCESS : LEM_ERROR(GSL_EINVAL, "--out: the folder's name is empty");
    case OPTION_SEED:
        return parse_seed(value, o);
    case OPTION_SCALE:
        return parse_scale(value, o);
    case OPTION_THREADS:
        return parse_threads(value, o);
    case OPTION_ONLY:
        return parse_only(spec, value, o);
    case OPTION_RECORD:
        return set_name(id, value, &o->record);
    case OPTION_DATA:
        return set_name(id, value, &o->data);
    case OPTION_SCRIPTS:
        return set_name(id, value, &o->scripts);
    case OPTION_CHECK:
        o->check = true;
        break;
    case OPTION_NO_FIGURES:
        o->no_figures = true;
        break;
    case OPTION_QUIET:
        o->quiet = true;
        break;
    case OPTION_LIST:
        o->list = true;
        break;
    case OPTION_HELP:
        o->help = true;
        break;
    case OPTION_VERSION:
        o->version = true;
        break;
    case OPTION_COUNT:
        break;
    }
    return GSL_SUCCESS;
}

static int find(const char *name, size_t length) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strlen(table[i].name) == length && strncmp(table[i].name, name, length) == 0)
            return i;
    return OPTION_COUNT;
}

static int unknown(const char *argument) {
    char allowed[400] = "";
    for (int i = 0; i < OPTION_COUNT; i++) {
        size_t used = strlen(allowed);
        (void)snprintf(allowed + used, sizeof allowed - used, " --%s", table[i].name);
    }
    return LEM_ERROR(GSL_EINVAL, "unknown argument '%.80s'; there are:%s", argument, allowed);
}

int lem_options_parse(const lem_study_spec *spec, int argc, char **argv, lem_options *o) {
    *o = (lem_options){.seed = 1, .scale = 1};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0)
            return unknown(argv[i]);
        const char *name = argv[i] + 2, *equals = strchr(name, '=');
        int id = find(name, equals ? (size_t)(equals - name) : strlen(name));
        if (id == OPTION_COUNT)
            return unknown(argv[i]);
        const char *value = equals ? equals + 1 : NULL;
        if (!table[id].value && equals)
            return LEM_ERROR(GSL_EINVAL, "--%s takes no value", table[id].name);
        if (table[id].value && !equals) {
            if (i + 1 == argc)
                return LEM_ERROR(GSL_EINVAL, "--%s needs a value: %s", table[id].name, table[id].value);
            value = argv[++i];
        }
        int status = set(spec, (option_id)id, value, o);
        if (status)
            return status;
    }
    if (!o->out)
        o->out = strdup(spec->name);
    return o->out ? GSL_SUCCESS : LEM_ERROR(GSL_ENOMEM, "out of memory");
}

void lem_options_free(lem_options *o) {
    free(o->out);
    o->out = NULL;
}

void lem_options_list(const lem_study_spec *spec, FILE *out) {
    for (size_t i = 0; i < spec->n_sections; i++)
        (void)fprintf(out, "%-24s %s\n", spec->sections[i].name, spec->sections[i].title);
}

void lem_options_help(const lem_study_spec *spec, FILE *out) {
    (void)fprintf(out, "%s: %s\n\nUsage: %s [options]\n\n", spec->name, spec->title, spec->name);
    for (int i = 0; i < OPTION_COUNT; i++) {
        char left[40];
        (void)snprintf(left, sizeof left, "--%s%s%s", table[i].name, table[i].value ? " " : "",
                       table[i].value ? table[i].value : "");
        (void)fprintf(out, "  %-18s %s\n", left, table[i].help);
    }
    (void)fprintf(
        out, "\nClaims are printed on standard output as TAP 13.\n"
             "Exit status: 0 done; 1 a claim failed (with --check) or the record disagrees; 2 bad command\n"
             "line; 3 the run could not be completed; 130 interrupted.\n\nSections:\n");
    for (size_t i = 0; i < spec->n_sections; i++)
        (void)fprintf(out, "  %-18s %s\n", spec->sections[i].name, spec->sections[i].title);
}
