#include "cli/render.h"
#include "cli/near.h"
#include "cli/source_code.h"
#include "study/format.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- text --------------------------------------------------------------------------------------------- */

void lem_write_plain(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '\n' || *text == '\r') {
            (void)fputc(' ', out);
            continue;
        }
        if (strchr("\\`*_<>$[]|~&", *text))
            (void)fputc('\\', out);
        (void)fputc(*text, out);
    }
}

/* A number as printf gave it, its exponent without padding: 1e-06 is 1e-6. */
static void put_number(FILE *out, const char *text) {
    size_t mantissa = strcspn(text, "e");
    (void)fprintf(out, "%.*s", (int)mantissa, text);
    if (!text[mantissa])
        return;
    const char *exponent = text + mantissa + 1;
    (void)fputc('e', out);
    if (*exponent == '-')
        (void)fputc('-', out);
    exponent += *exponent == '-' || *exponent == '+';
    while (*exponent == '0' && exponent[1])
        exponent++;
    (void)fputs(exponent, out);
}

static void put_short(FILE *out, double value) {
    char text[LEM_FORMAT_SIZE];
    put_number(out, lem_format_digits(text, value, 3));
}

void lem_write_number(FILE *out, double value, double stderr_) {
    char text[LEM_FORMAT_SIZE];
    if (isnan(value))
        (void)fputs("–", out);
    else
        put_number(out, stderr_ > 0 ? lem_format_uncertain(text, value, stderr_)
                                    : lem_format_digits(text, value, 6));
}

/* Results write an infinite statistic (a log-likelihood of 0, say) as the largest double: JSON has none. */
void lem_write_statistic(FILE *out, double statistic) {
    if (isnan(statistic))
        (void)fputs("–", out);
    else if (fabs(statistic) > 1e300)
        (void)fputs(statistic > 0 ? "∞" : "-∞", out);
    else
        put_short(out, statistic);
}

/* The first word of *text into word[size], and *text moved past it; false when there is none or it is too
 * long. */
static bool take_word(const char **text, char *word, size_t size) {
    while (isspace((unsigned char)**text))
        ++*text;
    size_t n = 0;
    while (**text && !isspace((unsigned char)**text)) {
        if (n + 1 >= size)
            return false;
        word[n++] = *(*text)++;
    }
    if (n > 0)
        word[n] = '\0';
    return n > 0;
}

static bool nothing_left(const char *text) {
    return text[strspn(text, " \t")] == '\0';
}

enum { WORD = 256 };

/* --- finding things, with messages --------------------------------------------------------------------- */

static const json_t *need_study(const lem_render_context *context, const char *name) {
    if (!*name)
        name = context->study ? context->study : "";
    if (!*name) {
        LEM_ERROR(GSL_EINVAL, "name the study: this page has none of its own");
        return NULL;
    }
    const json_t *study = lem_record_study(context->records, name);
    if (!study)
        LEM_ERROR(GSL_EINVAL, "no record of a study %s in %s", name, context->records->directory);
    return study;
}

/* "study:name" or "name": the study's record, and *name moved past the colon. */
static const json_t *study_of(const lem_render_context *context, const char **name) {
    char study[WORD];
    const char *colon = strchr(*name, ':');
    size_t length = colon ? (size_t)(colon - *name) : 0;
    if (length >= sizeof study) {
        LEM_ERROR(GSL_EINVAL, "%s: the name of the study is too long", *name);
        return NULL;
    }
    memcpy(study, *name, length);
    study[length] = '\0';
    *name += colon ? length + 1 : 0;
    return need_study(context, study);
}

static const char *nearest_key(const json_t *object, const char *key) {
    const char *name, *best = NULL;
    size_t best_distance = strlen(key);
    json_t *value;
    json_object_foreach((json_t *)object, name, value) {
        size_t distance = lem_edit_distance(key, name);
        if (distance < best_distance) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}

/* --- value -------------------------------------------------------------------------------------------- */

/* "%": a percentage. ".3g" ".2f" ".1e": fixed digits. "plain": without the standard error. All may combine.
 */
typedef struct {
    bool percent, plain;
    char conversion; /* 'g', 'f', 'e', or 0: by the digits of the value itself */
    int precision;
} value_format;

static int parse_format(const char *text, value_format *format) {
    char word[WORD];
    *format = (value_format){0};
    while (take_word(&text, word, sizeof word)) {
        char *end = word;
        long precision = word[0] == '.' ? strtol(word + 1, &end, 10) : -1;
        if (strcmp(word, "%") == 0 || strcmp(word, "percent") == 0) {
            format->percent = true;
        } else if (strcmp(word, "plain") == 0) {
            format->plain = true;
        } else if (isdigit((unsigned char)word[1]) && precision >= 0 && precision <= 17 && *end &&
                   strchr("gfe", *end) && !end[1]) {
            format->conversion = *end;
            format->precision = (int)precision;
        } else {
            return LEM_ERROR(GSL_EINVAL, "format %s: allowed are percent, plain, .Ng, .Nf and .Ne", word);
        }
    }
    return nothing_left(text) ? GSL_SUCCESS : LEM_ERROR(GSL_EINVAL, "the format is too long");
}

static void write_conversion(FILE *out, const value_format *format, double value) {
    char text[400]; /* the largest double in fixed notation has 309 digits before the point */
    if (format->conversion == 'f')
        (void)snprintf(text, sizeof text, "%.*f", format->precision, value);
    else if (format->conversion == 'e')
        (void)snprintf(text, sizeof text, "%.*e", format->precision, value);
    else
        (void)snprintf(text, sizeof text, "%.*g", format->precision, value);
    put_number(out, text);
}

static void write_value(FILE *out, const value_format *format, double value, double stderr_, int digits) {
    char text[LEM_FORMAT_SIZE];
    double factor = format->percent ? 100 : 1;
    bool estimate = stderr_ > 0;
    value *= factor;
    stderr_ *= factor;
    if (format->conversion)
        write_conversion(out, format, value);
    else if (estimate && !format->plain)
        put_number(out, lem_format_uncertain(text, value, stderr_));
    else
        put_number(out,
                   lem_format_digits(text, value, estimate ? lem_digits_of_error(value, stderr_) : digits));
    if (format->percent)
        (void)fputs(" %", out);
}

static int render_value(const lem_render_context *context, const char *arguments, FILE *out) {
    char key[WORD];
    value_format format;
    if (!take_word(&arguments, key, sizeof key))
        return LEM_ERROR(GSL_EINVAL, "value: a key is missing, or longer than %d characters", WORD - 1);
    const char *name = key;
    const json_t *study = study_of(context, &name);
    if (!study)
        return GSL_EINVAL;
    const json_t *values = json_object_get(study, "values"), *value = json_object_get(values, name);
    if (!value) {
        const char *near = nearest_key(values, name);
        return LEM_ERROR(GSL_EINVAL, "no value %s in the record of %s%s%s%s", name,
                         lem_member_text(study, "study"), near ? "; the nearest is " : "", near ? near : "",
                         "");
    }
    int status = parse_format(arguments, &format);
    if (status)
        return status;
    double digits = lem_member_number(value, "digits");
    write_value(out, &format, lem_member_number(value, "value"), lem_member_number(value, "stderr"),
                isfinite(digits) ? (int)digits : 6);
    return GSL_SUCCESS;
}

/* --- claims ------------------------------------------------------------------------------------------- */

static void write_claim_verdict(FILE *out, const json_t *claim) {
    const char *note = lem_member_text(claim, "note");
    if (json_is_false(json_object_get(claim, "passed")))
        (void)fputs("FAILED ", out);
    (void)fprintf(out, "**%s**", lem_member_text(claim, "verdict"));
    if (*note) {
        (void)fputs(": ", out);
        lem_write_plain(out, note);
    }
}

static void write_falsifiers(FILE *out, const json_t *claim) {
    size_t i;
    json_t *falsifier;
    json_array_foreach(json_object_get(claim, "falsifiers"), i, falsifier) {
        double statistic = lem_member_number(falsifier, "statistic");
        if (i)
            (void)fputs("<br>", out);
        lem_write_plain(out, lem_member_text(falsifier, "statement"));
        (void)fputs(json_is_true(json_object_get(falsifier, "rejected")) ? ": rejected" : ": NOT REJECTED",
                    out);
        if (!isnan(statistic)) {
            (void)fputs(" (", out);
            lem_write_statistic(out, statistic);
            (void)fputc(')', out);
        }
    }
}

static void write_false_alarm(FILE *out, const json_t *claim) {
    double rate = lem_member_number(claim, "false_alarm");
    if (rate > 0)
        put_short(out, rate);
    else
        (void)fputs("none", out);
}

static void write_measured(FILE *out, const json_t *claim) {
    lem_write_number(out, lem_member_number(claim, "measured"), lem_member_number(claim, "stderr"));
}

static void write_statement(FILE *out, const json_t *claim) {
    const char *refuted = lem_claim_refutes(claim);
    if (refuted) {
        (void)fputs("*Refuted:* ", out);
        lem_write_plain(out, refuted);
        (void)fputs(".<br>*Instead:* ", out);
    }
    lem_write_plain(out, lem_member_text(claim, "statement"));
}

static void write_claim_table(FILE *out, const json_t *study) {
    size_t i;
    json_t *claim;
    (void)fputs(
        "| claim | statement | verdict | measured | expected | falsifier (statistic) | false alarm |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n",
        out);
    json_array_foreach(json_object_get(study, "claims"), i, claim) {
        (void)fprintf(out, "| `%s` | ", lem_member_text(claim, "id"));
        write_statement(out, claim);
        (void)fputs(" | ", out);
        write_claim_verdict(out, claim);
        (void)fputs(" | ", out);
        write_measured(out, claim);
        (void)fputs(" | ", out);
        lem_write_plain(out, lem_claim_relation(claim));
        lem_write_number(out, lem_member_number(claim, "expected"), 0);
        (void)fputs(" | ", out);
        write_falsifiers(out, claim);
        (void)fputs(" | ", out);
        write_false_alarm(out, claim);
        (void)fputs(" |\n", out);
    }
    json_array_foreach(json_object_get(study, "skipped"), i, claim) {
        (void)fprintf(out, "| `%s` | ", lem_member_text(claim, "id"));
        lem_write_plain(out, lem_member_text(claim, "statement"));
        (void)fputs(" | skipped: ", out);
        lem_write_plain(out, lem_member_text(claim, "reason"));
        (void)fputs(" | – | – | – | – |\n", out);
    }
}

static int render_claims(const lem_render_context *context, const char *arguments, FILE *out) {
    char name[WORD] = "";
    (void)take_word(&arguments, name, sizeof name);
    const json_t *study = need_study(context, name);
    if (study)
        write_claim_table(out, study);
    return study ? GSL_SUCCESS : GSL_EINVAL;
}

static int render_claim(const lem_render_context *context, const char *arguments, FILE *out) {
    char id[WORD], field[WORD] = "";
    if (!take_word(&arguments, id, sizeof id))
        return LEM_ERROR(GSL_EINVAL, "claim: an id is missing");
    (void)take_word(&arguments, field, sizeof field);
    const json_t *claim = lem_record_claim(context->records, id, NULL);
    if (!claim)
        return LEM_ERROR(GSL_EINVAL, "no claim %s in the records of %s", id, context->records->directory);
    if (!*field) {
        (void)fputs("measured ", out);
        write_measured(out, claim);
        (void)fputs(", expected ", out);
        lem_write_number(out, lem_member_number(claim, "expected"), 0);
    } else if (strcmp(field, "measured") == 0) {
        write_measured(out, claim);
    } else if (strcmp(field, "expected") == 0) {
        lem_write_number(out, lem_member_number(claim, "expected"), 0);
    } else if (strcmp(field, "statistic") == 0) {
        lem_write_statistic(out, lem_member_number(claim, "statistic"));
    } else if (strcmp(field, "false-alarm") == 0) {
        write_false_alarm(out, claim);
    } else if (strcmp(field, "verdict") == 0) {
        (void)fputs(lem_member_text(claim, "verdict"), out);
    } else if (strcmp(field, "statement") == 0) {
        lem_write_plain(out, lem_member_text(claim, "statement"));
    } else {
        return LEM_ERROR(GSL_EINVAL,
                         "claim field %s: allowed are measured, expected, statistic, false-alarm, verdict, "
                         "statement",
                         field);
    }
    return GSL_SUCCESS;
}

/* --- all studies -------------------------------------------------------------------------------------- */

static int render_studies(const lem_render_context *context, const char *arguments, FILE *out) {
    (void)arguments;
    const lem_records *records = context->records;
    if (!records->n) {
        (void)fputs("No study is recorded yet.\n", out);
        return GSL_SUCCESS;
    }
    (void)fputs("| study | question | claims | hold | hold when | refuted | falsifiers rejected |\n"
                "| --- | --- | --- | --- | --- | --- | --- |\n",
                out);
    for (size_t i = 0; i < records->n; i++) {
        lem_counts c = {0};
        const char *name = lem_member_text(records->studies[i], "study");
        lem_count_claims(records->studies[i], &c);
        (void)fprintf(out, "| [%s](%s%s.md) | ", name, context->to_notebooks, name);
        lem_write_plain(out, lem_member_text(records->studies[i], "title"));
        (void)fprintf(out, " | %zu | %zu | %zu | %zu | %zu |\n", c.claims, c.holds, c.holds_when, c.refuted,
                      c.falsifiers);
    }
    return GSL_SUCCESS;
}

static lem_counts count_all(const lem_records *records) {
    lem_counts counts = {0};
    for (size_t i = 0; i < records->n; i++)
        lem_count_claims(records->studies[i], &counts);
    return counts;
}

static int render_ledger(const lem_render_context *context, const char *arguments, FILE *out) {
    (void)arguments;
    const lem_records *records = context->records;
    if (!records->n) {
        (void)fputs("No study is recorded yet.\n", out);
        return GSL_SUCCESS;
    }
    lem_counts all = count_all(records);
    (void)fprintf(out, "**In all**: %zu stud%s, ", records->n, records->n == 1 ? "y" : "ies");
    lem_write_counts(out, &all);
    (void)fprintf(out, "; %zu falsifiers, all rejected; the false-alarm rates sum to ", all.falsifiers);
    put_short(out, all.false_alarm);
    (void)fputs(".\n", out);
    for (size_t i = 0; i < records->n; i++) {
        const json_t *study = records->studies[i];
        lem_counts c = {0};
        lem_count_claims(study, &c);
        const char *name = lem_member_text(study, "study");
        (void)fprintf(out, "\n### [%s](%s%s.md)\n\n", name, context->to_notebooks, name);
        const char *title = lem_member_text(study, "title");
        lem_write_plain(out, title);
        (void)fputs(*title && strchr(".?!", title[strlen(title) - 1]) ? " " : ". ", out);
        lem_write_counts(out, &c);
        (void)fputs("; false-alarm rates sum to ", out);
        put_short(out, c.false_alarm);
        (void)fputs(".\n\n", out);
        write_claim_table(out, study);
    }
    return GSL_SUCCESS;
}

static int render_verdicts(const lem_render_context *context, const char *arguments, FILE *out) {
    char name[WORD] = "";
    lem_counts counts = {0};
    if (!take_word(&arguments, name, sizeof name) && !context->study) {
        counts = count_all(context->records);
    } else {
        const json_t *study = need_study(context, name);
        if (!study)
            return GSL_EINVAL;
        lem_count_claims(study, &counts);
    }
    lem_write_counts(out, &counts);
    return GSL_SUCCESS;
}

/* --- figures, benchmarks, code ------------------------------------------------------------------------- */

static int render_figure(const lem_render_context *context, const char *arguments, FILE *out) {
    char word[WORD];
    if (!take_word(&arguments, word, sizeof word))
        return LEM_ERROR(GSL_EINVAL, "figure: a name is missing");
    const char *name = word;
    const json_t *study = study_of(context, &name);
    if (!study)
        return GSL_EINVAL;
    const json_t *figure = lem_record_figure(study, name);
    if (!figure)
        return LEM_ERROR(GSL_EINVAL, "no figure %s in the record of %s", name,
                         lem_member_text(study, "study"));
    (void)fputs("![", out);
    lem_write_plain(out, lem_member_text(figure, "alt"));
    (void)fprintf(out, "](%sfigures/%s/%s.svg)\n\n*", context->to_notebooks, lem_member_text(study, "study"),
                  name);
    lem_write_plain(out, lem_member_text(figure, "caption"));
    (void)fputs("*\n", out);
    return GSL_SUCCESS;
}

/* The line of benchmarks.json with this name, or the one that has a member "machine". */
static const json_t *find_benchmark(const lem_records *records, const char *name) {
    size_t i;
    json_t *line;
    json_array_foreach(records->benchmarks, i, line) {
        if (strcmp(name, "machine") == 0 && json_object_get(line, "machine"))
            return line;
        if (strcmp(lem_member_text(line, "name"), name) == 0)
            return line;
    }
    return NULL;
}

static int render_benchmark(const lem_render_context *context, const char *arguments, FILE *out) {
    char name[WORD], field[WORD] = "value";
    if (!take_word(&arguments, name, sizeof name))
        return LEM_ERROR(GSL_EINVAL, "benchmark: a name is missing");
    (void)take_word(&arguments, field, sizeof field);
    const json_t *line = find_benchmark(context->records, name);
    if (!line)
        return LEM_ERROR(GSL_EINVAL, "no benchmark %s in %s/benchmarks.json", name,
                         context->records->directory);
    if (strcmp(name, "machine") == 0) {
        lem_write_plain(out, lem_member_text(line, "machine"));
    } else if (strcmp(field, "limit_name") == 0) {
        lem_write_plain(out, lem_member_text(line, "limit_name"));
    } else if (strcmp(field, "value") == 0 || strcmp(field, "limit") == 0) {
        put_short(out, lem_member_number(line, field));
        (void)fputc(' ', out);
        lem_write_plain(out, lem_member_text(line, "unit"));
    } else if (strcmp(field, "ratio") == 0) {
        put_short(out, lem_member_number(line, field));
    } else {
        return LEM_ERROR(GSL_EINVAL, "benchmark field %s: allowed are value, limit, ratio, limit_name",
                         field);
    }
    return GSL_SUCCESS;
}

static int render_code(const lem_render_context *context, const char *arguments, FILE *out) {
    char path[WORD], function[WORD] = "";
    if (!take_word(&arguments, path, sizeof path))
        return LEM_ERROR(GSL_EINVAL, "code: a path is missing");
    (void)take_word(&arguments, function, sizeof function);
    return lem_write_code(out, context->source_root, path, function);
}

/* --- the kinds ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*render)(const lem_render_context *, const char *, FILE *);
} kinds[] = {
#define KIND(name, block) {#name, render_##name},
    LEM_MARKERS(KIND)
#undef KIND
};

const char *lem_marker_names(void) {
#define NAME(name, block) #name " "
    return LEM_MARKERS(NAME) "typed";
#undef NAME
}

int lem_render(const lem_render_context *context, const lem_marker *marker, FILE *out) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, marker->name) != 0)
            continue;
        if (marker->block)
            (void)fputs("\n\n", out);
        int status = kinds[i].render(context, marker->arguments, out);
        if (marker->block)
            (void)fputc('\n', out);
        return status;
    }
    return LEM_ERROR(GSL_EINVAL, "unknown marker %s; allowed: %s", marker->name, lem_marker_names());
}
