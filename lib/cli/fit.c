#include "cli/fit.h"
#include "cli/arguments.h"
#include "stat/bootstrap.h"
#include "study/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- columns ----------------------------------------------------------------------------------------- */

static int name_column(char *word, size_t n, lem_csv_column *columns, bool *seen) {
    char *equals = strchr(word, '=');
    if (!equals || !equals[1])
        return LEM_ERROR(GSL_EINVAL, "--columns: '%s' must have the form key=header", word);
    *equals = '\0';
    for (size_t k = 0; k < n; k++) {
        if (strcmp(columns[k].name, word) != 0)
            continue;
        if (seen[k])
            return LEM_ERROR(GSL_EINVAL, "--columns: %s is given twice", word);
        columns[k].header = equals + 1;
        seen[k] = true;
        return GSL_SUCCESS;
    }
    char allowed[100] = "";
    for (size_t k = 0; k < n; k++) {
        strcat(allowed, " ");
        strcat(allowed, columns[k].name);
    }
    return LEM_ERROR(GSL_EINVAL, "--columns: no column is called %s here; allowed:%s", word, allowed);
}

int lem_fit_name_columns(const char *text, size_t n, lem_csv_column *columns, bool *seen, char **copy) {
    *copy = NULL;
    memset(seen, 0, n * sizeof *seen);
    if (!text)
        return GSL_SUCCESS;
    *copy = strdup(text);
    if (!*copy)
        return LEM_ERROR(GSL_ENOMEM, "no memory");
    int status = GSL_SUCCESS;
    for (char *rest = *copy, *word; !status && (word = strsep(&rest, ","));)
        status = name_column(word, n, columns, seen);
    return status;
}

int lem_fit_read_csv(const lem_fit_options *o, size_t n, const lem_csv_column *columns, const char *example,
                     lem_csv *csv) {
    const int status = lem_csv_read(o->path, n, columns, csv);
    if (status == GSL_ETABLE)
        return LEM_ERROR(GSL_EINVAL, "%s; name the columns by header or number, as in --columns %s",
                         lem_last_error(), example);
    return status;
}

void lem_fit_print_columns(FILE *out, size_t n, const char *const *names, char *const *headers) {
    const char *between = "columns: ";
    for (size_t k = 0; k < n; k++) {
        if (!headers[k])
            continue;
        (void)fprintf(out, "%s%s = %s", between, names[k], headers[k]);
        between = ", ";
    }
    (void)fputc('\n', out);
}

json_t *lem_fit_columns_json(size_t n, const char *const *names, char *const *headers) {
    json_t *object = json_object();
    for (size_t k = 0; k < n; k++) {
        if (!headers[k])
            continue;
        json_t *header = json_string(headers[k]); /* NULL for bytes that are no UTF-8 */
        (void)json_object_set_new(object, names[k], header ? header : json_null());
    }
    return object;
}

/* --- notes ------------------------------------------------------------------------------------------- */

static void say(const char *prefix, const char *format, va_list args) {
    (void)fprintf(stderr, "lemmata: %s", prefix);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
}

void lem_fit_note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("note: ", format, args);
    va_end(args);
}

void lem_fit_progress(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (isatty(STDERR_FILENO))
        say("", format, args);
    va_end(args);
}

double lem_fit_seconds(void) {
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) ? 0 : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- estimates --------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

lem_fit_estimate lem_fit_estimate_of(double value, size_t n, double *replicates) {
    lem_fit_estimate e = {value, NAN, NAN, NAN};
    size_t kept = 0;
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(replicates[i]))
            replicates[kept++] = replicates[i];
    if (kept < LEM_FIT_FEWEST)
        return e;
    for (size_t i = 0; i < kept; i++)
        mean += (replicates[i] - mean) / (double)(i + 1);
    for (size_t i = 0; i < kept; i++)
        squares += (replicates[i] - mean) * (replicates[i] - mean);
    e.error = sqrt(squares / (double)(kept - 1));
    qsort(replicates, kept, sizeof *replicates, ascending);
    lem_interval interval;
    if (lem_bootstrap_percentile(kept, replicates, 0.05, LEM_TWO_SIDED, &interval) == 0) {
        e.low = interval.lower;
        e.high = interval.upper;
    }
    return e;
}

void lem_fit_print_head(FILE *out, const char *interval) {
    (void)fprintf(out, "  %-8s %14s %14s   %s\n", "", "estimate", "std. error", interval);
}

/* Six digits, whatever the error: constants that are rounded to their errors give another curve, because
 * their errors are correlated (claim sl.rounding). */
void lem_fit_print(FILE *out, const char *name, const lem_fit_estimate *e, const char *remark) {
    char value[LEM_FORMAT_SIZE], error[LEM_FORMAT_SIZE] = "-", low[LEM_FORMAT_SIZE], high[LEM_FORMAT_SIZE],
                                 both[100] = "-";
    (void)lem_format_digits(value, e->value, 6);
    if (isfinite(e->error))
        (void)lem_format_digits(error, e->error, 3);
    if (isfinite(e->low) && isfinite(e->high))
        (void)snprintf(both, sizeof both, "%s to %s", lem_format_digits(low, e->low, 4),
                       lem_format_digits(high, e->high, 4));
    (void)fprintf(out, *remark ? "  %-8s %14s %14s   %-24s %s\n" : "  %-8s %14s %14s   %s%s\n", name, value,
                  error, both, remark);
}

static json_t *real_or_null(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *lem_fit_json(const lem_fit_estimate *e) {
    return json_pack("{s:o, s:o, s:[o, o]}", "value", real_or_null(e->value), "stderr",
                     real_or_null(e->error), "interval", real_or_null(e->low), real_or_null(e->high));
}

int lem_fit_print_json(lem_cli *cli, json_t *object) {
    const int status = object ? json_dumpf(object, cli->out, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : -1;
    json_decref(object);
    (void)fputc('\n', cli->out);
    return status ? lem_cli_fail(LEM_EXIT_WRITE, "writing the JSON failed") : LEM_EXIT_OK;
}

/* --- the command ------------------------------------------------------------------------------------- */

/* The texts of the options, NULL where they were not given. */
typedef struct {
    const char *columns, *delta, *drop, *bootstrap, *seed, *budget, *figure, *threads, *weights;
    bool as_json;
} typed;

static int whole(const char *option, const char *text, long long least, long long most, long long *value) {
    if (!text)
        return GSL_SUCCESS;
    if (lem_parse_integer(text, value) || *value < least || *value > most)
        return LEM_ERROR(GSL_EINVAL, "%s %s: must be a whole number from %lld to %lld", option, text, least,
                         most);
    return GSL_SUCCESS;
}

static int real(const char *option, const char *text, bool or_zero, bool or_inf, double *value) {
    if (!text)
        return GSL_SUCCESS;
    if (lem_parse_real(text, value) || *value < 0 || (*value == 0 && !or_zero) || (isinf(*value) && !or_inf))
        return LEM_ERROR(GSL_EINVAL, "%s %s: must be positive%s%s", option, text, or_zero ? ", 0" : "",
                         or_inf ? " or inf" : " and finite");
    return GSL_SUCCESS;
}

static int read_options(const typed *t, bool chinchilla, lem_fit_options *o) {
    long long drop = 0, resamples = 1000, seed = 1, threads = 0;
    int status = whole("--drop-largest", t->drop, 0, 1000000000, &drop);
    if (!status)
        status = whole("--bootstrap", t->bootstrap, 0, 10000000, &resamples);
    if (!status && resamples > 0 && resamples < LEM_FIT_FEWEST)
        status = LEM_ERROR(GSL_EINVAL,
                           "--bootstrap %s: a 95%% interval needs %d resamples or more; 0: no bootstrap",
                           t->bootstrap, LEM_FIT_FEWEST);
    if (!status)
        status = whole("--seed", t->seed, 0, 9007199254740992, &seed);
    if (!status)
        status = whole("--threads", t->threads, 1, 4096, &threads);
    if (!status)
        status = real("--delta", t->delta, true, true, &o->delta);
    if (!status)
        status = real("--budget", t->budget, false, false, &o->budget);
    if (!status && !chinchilla && (t->delta || t->drop || t->budget))
        status = LEM_ERROR(GSL_EINVAL, "%s is for the model chinchilla",
                           t->delta  ? "--delta"
                           : t->drop ? "--drop-largest"
                                     : "--budget");
    if (!status && chinchilla && t->weights)
        status = LEM_ERROR(GSL_EINVAL, "--weights is for the model power");
    if (!status && t->weights && strcmp(t->weights, "equal") != 0 && strcmp(t->weights, "relative") != 0)
        status = LEM_ERROR(GSL_EINVAL, "--weights %s: must be equal or relative", t->weights);
    if (!status && o->delta == 0 && resamples > 0)
        status = LEM_ERROR(GSL_EINVAL,
                           "--delta 0: least absolute deviations have no bootstrap here; add --bootstrap 0, "
                           "or take a small --delta");
    if (status)
        return status;
    o->drop = (size_t)drop;
    o->resamples = (size_t)resamples;
    o->seed = (uint64_t)seed;
    o->threads = (int)threads;
    o->columns = t->columns;
    o->figure = t->figure;
    o->as_json = t->as_json;
    o->relative = !t->weights || strcmp(t->weights, "relative") == 0;
    return t->figure ? lem_fit_check_figure(t->figure) : GSL_SUCCESS;
}

int lem_command_fit(lem_cli *cli, int argc, char **argv) {
    typed t = {0};
    const lem_option options[] = {{"--columns", NULL, &t.columns},   {"--delta", NULL, &t.delta},
                                  {"--drop-largest", NULL, &t.drop}, {"--bootstrap", NULL, &t.bootstrap},
                                  {"--seed", NULL, &t.seed},         {"--budget", NULL, &t.budget},
                                  {"--figure", NULL, &t.figure},     {"--threads", NULL, &t.threads},
                                  {"--weights", NULL, &t.weights},   {"--json", &t.as_json, NULL}};
    const int words = lem_cli_options("fit", argc, argv, options, sizeof options / sizeof *options);
    if (words < 0)
        return LEM_EXIT_USAGE;
    if (words < 1)
        return lem_cli_fail(LEM_EXIT_USAGE, "fit: a model is missing: chinchilla or power");
    const bool chinchilla = strcmp(argv[0], "chinchilla") == 0;
    if (!chinchilla && strcmp(argv[0], "power") != 0)
        return lem_cli_fail(LEM_EXIT_USAGE, "fit: no model is called %s; allowed: chinchilla power", argv[0]);
    if (words != 2)
        return lem_cli_fail(LEM_EXIT_USAGE, "fit %s: one file is wanted, not %d", argv[0], words - 1);
    lem_fit_options o = {.path = argv[1], .delta = 1e-3};
    if (read_options(&t, chinchilla, &o))
        return lem_cli_fail(LEM_EXIT_USAGE, "fit: %s", lem_last_error());
    if (o.figure && lem_fit_check_folder(o.figure))
        return lem_cli_fail(LEM_EXIT_WRITE, "%s", lem_last_error());
    return chinchilla ? lem_fit_chinchilla(cli, &o) : lem_fit_power(cli, &o);
}
