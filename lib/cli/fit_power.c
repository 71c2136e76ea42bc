#include "cli/fit.h"
#include "scaling/power_law_offset.h"
#include "stat/distribution.h"
#include "stat/mc.h"
#include "stat/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { E, A, ALPHA, CONSTANTS };
enum { FEWEST_ROWS = 4 };
static const char *const names[CONSTANTS] = {"E", "A", "alpha"};
static const char *const column_names[] = {"n", "loss"};

typedef struct {
    size_t m;
    double *n, *L, *w;
} points;

typedef struct {
    lem_power_law_offset fitted;
    lem_fit_estimate estimates[CONSTANTS], resampled[CONSTANTS];
    size_t failed;
    double r_squared, rms, largest; /* of relative residuals, or plain ones with equal weights */
    size_t largest_line;
    bool has_plain; /* all L positive: the law without an offset can be fitted too */
    lem_power_law plain;
} outcome;

/* --- bootstrap --------------------------------------------------------------------------------------- */

typedef struct {
    points p;
    uint64_t *rows;
} room;

static void free_points(points *p) {
    free(p->n);
    free(p->L);
    free(p->w);
}

static bool alloc_points(points *p, size_t m) {
    *p = (points){m, malloc(m * sizeof(double)), malloc(m * sizeof(double)), malloc(m * sizeof(double))};
    return p->n && p->L && p->w;
}

static void room_free(void *workspace) {
    room *r = workspace;
    if (!r)
        return;
    free_points(&r->p);
    free(r->rows);
    free(r);
}

static void *room_alloc(const void *ctx) {
    const points *p = ctx;
    room *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->rows = malloc(p->m * sizeof *r->rows);
    if (alloc_points(&r->p, p->m) && r->rows)
        return r;
    room_free(r);
    return NULL;
}

/* Three records a resample, NaN where no power law fits it. */
static int resample(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                    const void *ctx) {
    (void)first;
    const points *p = ctx;
    room *r = workspace;
    for (size_t i = 0; i < count; i++) {
        lem_power_law_offset fitted;
        const int status = lem_integer_fill(stream, p->m, p->m, r->rows);
        if (status)
            return status;
        for (size_t k = 0; k < p->m; k++) {
            r->p.n[k] = p->n[r->rows[k]];
            r->p.L[k] = p->L[r->rows[k]];
            r->p.w[k] = p->w[r->rows[k]];
        }
        if (lem_power_law_offset_fit(p->m, r->p.n, r->p.L, r->p.w, &fitted))
            continue;
        double *record = out->records + i * CONSTANTS;
        record[E] = fitted.E;
        record[A] = fitted.A;
        record[ALPHA] = fitted.alpha;
    }
    return GSL_SUCCESS;
}

static int bootstrap(const lem_fit_options *o, const points *p, outcome *x) {
    const size_t R = o->resamples;
    double *records = malloc(R * CONSTANTS * sizeof *records), *column = malloc(R * sizeof *column);
    const lem_mc_plan plan = {.seed = o->seed,
                              .study = lem_stream_id("lemmata"),
                              .purpose = lem_stream_id("power-law-bootstrap"),
                              .samples = R,
                              .chunk_size = 16,
                              .n_records = CONSTANTS,
                              .threads = o->threads,
                              .chunk = resample,
                              .ctx = p,
                              .workspace_alloc = room_alloc,
                              .workspace_free = room_free};
    lem_mc_result result = {.records = records};
    int status = records && column ? lem_mc_run(&plan, &result)
                                   : LEM_ERROR(GSL_ENOMEM, "no memory for %zu resamples", R);
    for (size_t k = 0; k < CONSTANTS && !status; k++) {
        for (size_t i = 0; i < R; i++)
            column[i] = records[i * CONSTANTS + k];
        x->failed = 0;
        for (size_t i = 0; i < R; i++)
            x->failed += isnan(column[i]) ? 1 : 0;
        x->resampled[k] = lem_fit_estimate_of(x->estimates[k].value, R, column);
    }
    free(records);
    free(column);
    return status;
}

/* --- the fit ----------------------------------------------------------------------------------------- */

static double model(const lem_power_law_offset *f, double n) {
    return f->E + f->A * pow(n, -f->alpha);
}

static void judge(const lem_fit_options *o, const lem_csv *csv, const points *p, outcome *x) {
    double weight = 0, mean = 0, total = 0;
    for (size_t i = 0; i < p->m; i++) {
        weight += p->w[i] * p->w[i];
        mean += p->w[i] * p->w[i] * p->L[i];
    }
    mean /= weight;
    for (size_t i = 0; i < p->m; i++) {
        const double r = p->L[i] - model(&x->fitted, p->n[i]), relative = o->relative ? r / fabs(p->L[i]) : r;
        total += p->w[i] * p->w[i] * (p->L[i] - mean) * (p->L[i] - mean);
        x->rms += relative * relative / (double)p->m;
        if (fabs(relative) >= fabs(x->largest)) {
            x->largest = relative;
            x->largest_line = csv->lines[i];
        }
    }
    x->rms = sqrt(x->rms);
    x->r_squared = 1 - x->fitted.chisq / total;
}

static int fit(const lem_fit_options *o, const lem_csv *csv, const points *p, outcome *x) {
    if (p->m < FEWEST_ROWS)
        return LEM_ERROR(GSL_EINVAL, "%s: %zu rows: three constants need at least %d", o->path, p->m,
                         FEWEST_ROWS);
    const double began = lem_fit_seconds();
    int status = lem_power_law_offset_fit(p->m, p->n, p->L, p->w, &x->fitted);
    if (status)
        return LEM_ERROR(status, "%s: %s", o->path, lem_last_error());
    const double seconds = (lem_fit_seconds() - began) * (double)o->resamples;
    if (seconds > 3)
        lem_fit_progress("%zu resamples follow, about %.0f s of one core (--bootstrap: fewer, 0: none)",
                         o->resamples, seconds);
    const double values[CONSTANTS] = {x->fitted.E, x->fitted.A, x->fitted.alpha};
    const double t = lem_t_quantile(0.025, x->fitted.df, LEM_UPPER);
    for (int k = 0; k < CONSTANTS; k++) {
        const double error = sqrt(x->fitted.covariance[k][k]);
        x->estimates[k] = (lem_fit_estimate){values[k], error, values[k] - t * error, values[k] + t * error};
    }
    judge(o, csv, p, x);
    x->has_plain = true;
    for (size_t i = 0; i < p->m; i++)
        x->has_plain = x->has_plain && p->L[i] > 0;
    if (x->has_plain)
        x->has_plain = lem_fit_power_law(p->m, p->n, p->L, NULL, &x->plain) == 0;
    return o->resamples ? bootstrap(o, p, x) : GSL_SUCCESS;
}

static int read_points(const lem_fit_options *o, lem_csv *csv, points *p) {
    lem_csv_column columns[] = {
        {"n", "n|x|N|D|C|params|parameters|tokens|flops|compute|steps|size", false, true},
        {"loss", "loss|L|y|error", false, false},
    };
    bool seen[2];
    char *copy;
    int status = lem_fit_name_columns(o->columns, 2, columns, seen, &copy);
    if (!status)
        status = lem_fit_read_csv(o, 2, columns, "n=1,loss=2", csv);
    free(copy);
    if (status)
        return status;
    if (!alloc_points(p, csv->rows))
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu rows", csv->rows);
    for (size_t i = 0; i < p->m; i++) {
        p->n[i] = csv->columns[0][i];
        p->L[i] = csv->columns[1][i];
        p->w[i] = o->relative ? 1 / fabs(p->L[i]) : 1;
        if (o->relative && !(p->L[i] > 0))
            return LEM_ERROR(GSL_EINVAL,
                             "%s, line %zu: loss = %g: must be positive for relative errors (or --weights "
                             "equal)",
                             o->path, csv->lines[i], p->L[i]);
    }
    return GSL_SUCCESS;
}

/* --- what is said ------------------------------------------------------------------------------------ */

static void print_text(FILE *out, const lem_fit_options *o, const lem_csv *csv, const points *p,
                       const outcome *x) {
    (void)fprintf(out, "loss = E + A n^-alpha, least squares of %s errors, fitted to %zu rows of %s\n",
                  o->relative ? "relative" : "plain", p->m, o->path);
    lem_fit_print_columns(out, 2, column_names, csv->headers);
    (void)fputc('\n', out);
    lem_fit_print_head(out, "95% interval, Student");
    for (int k = 0; k < CONSTANTS; k++)
        lem_fit_print(out, names[k], &x->estimates[k], "");
    if (o->resamples) {
        (void)fputc('\n', out);
        lem_fit_print_head(out, "95% interval, bootstrap");
        for (int k = 0; k < CONSTANTS; k++)
            lem_fit_print(out, names[k], &x->resampled[k], "");
    }
    (void)fprintf(out, "\ngoodness of fit: rms %sresidual %.3g, R^2 %.6f, largest residual %.3g (line %zu)\n",
                  o->relative ? "relative " : "", x->rms, x->r_squared, x->largest, x->largest_line);
    if (x->has_plain)
        (void)fprintf(
            out, "without the offset (straight line through the logarithms): alpha = %.5g, std. error %.2g\n",
            -x->plain.exponent, x->plain.exponent_stderr);
    if (o->resamples)
        (void)fprintf(out, "bootstrap: %zu resamples of the rows, seed %llu", o->resamples,
                      (unsigned long long)o->seed);
    if (x->failed)
        (void)fprintf(out,
                      "; %zu of them determine no fit and are left out: errors and intervals are too small",
                      x->failed);
    if (o->resamples)
        (void)fputc('\n', out);
}

static int print_json(lem_cli *cli, const lem_fit_options *o, const lem_csv *csv, const points *p,
                      const outcome *x) {
    json_t *estimates = json_object(), *resampled = o->resamples ? json_object() : json_null();
    for (int k = 0; k < CONSTANTS; k++) {
        (void)json_object_set_new(estimates, names[k], lem_fit_json(&x->estimates[k]));
        if (o->resamples)
            (void)json_object_set_new(resampled, names[k], lem_fit_json(&x->resampled[k]));
    }
    json_t *plain = x->has_plain ? json_pack("{s:f, s:f}", "alpha", -x->plain.exponent, "stderr",
                                             x->plain.exponent_stderr)
                                 : json_null();
    return lem_fit_print_json(
        cli,
        json_pack("{s:s, s:s, s:o, s:I, s:s, s:o, s:o, s:o, s:{s:f, s:f, s:f, s:f, s:I}, s:{s:I, s:I, s:I}}",
                  "model", "power", "file", o->path, "columns",
                  lem_fit_columns_json(2, column_names, csv->headers), "rows", (json_int_t)p->m, "weights",
                  o->relative ? "relative" : "equal", "estimates", estimates, "bootstrap_estimates",
                  resampled, "without_offset", plain, "goodness", "chisq", x->fitted.chisq, "rms_residual",
                  x->rms, "r_squared", x->r_squared, "largest_residual", x->largest, "largest_residual_line",
                  (json_int_t)x->largest_line, "bootstrap", "resamples", (json_int_t)o->resamples, "seed",
                  (json_int_t)o->seed, "failed", (json_int_t)x->failed));
}

/* Left: the data and the fits, without and with offset; right: what is left of the data without the offset,
 * which must be a straight line. */
static int draw(const lem_fit_options *o, const points *p, const outcome *x) {
    enum { CURVE = 101 };
    char *text = NULL;
    size_t size;
    double low = INFINITY, high = 0;
    const lem_power_law_offset *f = &x->fitted;
    const double sign = f->A < 0 ? -1 : 1;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return LEM_ERROR(GSL_ENOMEM, "no memory for the figure");
    (void)fputs("$points << EOD\n", file);
    for (size_t i = 0; i < p->m; i++) {
        low = fmin(low, p->n[i]);
        high = fmax(high, p->n[i]);
        (void)fprintf(file, "%.9g %.9g %.9g\n", p->n[i], p->L[i], sign * (p->L[i] - f->E));
    }
    (void)fputs("EOD\n$fit << EOD\n", file);
    for (int k = 0; k < CURVE; k++) {
        const double n = low * pow(high / low, k / (CURVE - 1.0));
        (void)fprintf(file, "%.9g %.9g %.9g\n", n, model(f, n), fabs(f->A) * pow(n, -f->alpha));
    }
    (void)fprintf(
        file,
        "EOD\nset multiplot layout 1,2\n%s"
        "set title '%s' noenhanced\nset xlabel 'n'\nset ylabel 'loss'\nset key top right\n"
        "plot $points using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb '#0072B2' title 'rows', "
        "\\\n"
        "     $fit using 1:2 with lines linewidth 2 linecolor rgb '#D55E00' title 'E + A n^{-alpha}'\n"
        "set title 'without the fitted offset'\nset ylabel '%s'\nset logscale y\nset format y '10^{%%T}'\n"
        "plot $points using 1:3 with points pointtype 7 pointsize 0.5 linecolor rgb '#0072B2', \\\n"
        "     $fit using 1:3 with lines linewidth 2 linecolor rgb '#D55E00'\n"
        "unset multiplot\n",
        "set format y '%g'\nunset logscale y\n", lem_fit_title(o->path), sign > 0 ? "loss - E" : "E - loss");
    int status = fclose(file) ? LEM_ERROR(GSL_ENOMEM, "no memory for the figure") : GSL_SUCCESS;
    if (!status)
        status = lem_fit_draw(o->figure, text);
    free(text);
    return status;
}

int lem_fit_power(lem_cli *cli, const lem_fit_options *o) {
    lem_csv csv = {0};
    points p = {0, NULL, NULL, NULL};
    outcome x = {.failed = 0};
    int status = read_points(o, &csv, &p);
    if (!status)
        status = fit(o, &csv, &p, &x);
    int exit_status = LEM_EXIT_FAILED;
    if (!status && o->figure && (status = draw(o, &p, &x)))
        exit_status = LEM_EXIT_WRITE;
    if (status)
        (void)lem_cli_fail(0, "%s", lem_last_error());
    else if (o->as_json)
        exit_status = print_json(cli, o, &csv, &p, &x);
    else {
        print_text(cli->out, o, &csv, &p, &x);
        exit_status = LEM_EXIT_OK;
    }
    free_points(&p);
    lem_csv_free(&csv);
    return exit_status;
}
