#include "cli/fit.h"
#include "scaling/chinchilla_fit.h"
#include "study/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the data ---------------------------------------------------------------------------------------- */

enum { N_COLUMN, D_COLUMN, C_COLUMN, LOSS_COLUMN, COLUMNS };

typedef struct {
    lem_csv csv;
    double *D; /* tokens, where the file has operations */
    size_t read;
    lem_chinchilla_data data;
} table;

static const char *const column_names[COLUMNS] = {"N", "D", "C", "loss"};

static const char never[] = "\x01"; /* the header of no column */

static void clear_table(table *t) {
    lem_csv_free(&t->csv);
    free(t->D);
}

/* The m-th largest loss; rows below it are kept. */
static double threshold(size_t n, const double *loss, size_t m) {
    double last = INFINITY;
    for (size_t seen = 0; seen < m;) {
        double next = -INFINITY;
        for (size_t i = 0; i < n; i++)
            next = loss[i] < last && loss[i] > next ? loss[i] : next;
        for (size_t i = 0; i < n; i++)
            seen += loss[i] == next;
        last = next;
        if (isinf(next))
            break;
    }
    return last;
}

static int drop_largest(table *t, size_t m) {
    double *N = t->csv.columns[N_COLUMN], *loss = t->csv.columns[LOSS_COLUMN];
    const double limit = threshold(t->read, loss, m);
    size_t kept = 0;
    if (m >= t->read)
        return LEM_ERROR(GSL_EINVAL, "--drop-largest %zu: there are only %zu rows", m, t->read);
    for (size_t i = 0; i < t->read; i++) {
        if (!(loss[i] < limit))
            continue;
        N[kept] = N[i];
        t->D[kept] = t->D[i];
        loss[kept] = loss[i];
        t->csv.lines[kept++] = t->csv.lines[i];
    }
    t->data = (lem_chinchilla_data){kept, N, t->D, loss};
    return GSL_SUCCESS;
}

/* Operations that are not those of N and D: one of the columns is not what it is taken for. */
static void compare_operations(const char *path, const table *t, const double *D, const double *C) {
    const double *N = t->csv.columns[N_COLUMN];
    size_t differing = 0, first = 0;
    for (size_t i = 0; i < t->read; i++)
        if (!(fabs(C[i] / (6 * N[i] * D[i]) - 1) <= 0.01) && differing++ == 0)
            first = i;
    if (differing)
        lem_fit_note(
            "%s: C is not 6 N D within 1%% in %zu of %zu rows, first in line %zu: %g, 6 N D = %g; D is "
            "used and C is not (--columns C=... without D: the other way round)",
            path, differing, t->read, t->csv.lines[first], C[first], 6 * N[first] * D[first]);
}

static void look_at_units(const char *path, const char *name, size_t n, const double *x) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    if (most < 1e5)
        lem_fit_note(
            "%s: no %s is above %g: if it is in millions or billions, so are the optima, and C = 6 N D "
            "and --budget are not in operations",
            path, name, most);
}

static int read_table(const lem_fit_options *o, table *t) {
    lem_csv_column columns[COLUMNS] = {
        {"N", "N|params|parameters|n_params|model size", false, true},
        {"D", "D|tokens|n_tokens|training tokens", true, true},
        {"C", "C|flop|flops|compute|training flop|training flops", true, true},
        {"loss", "loss|L|final loss|training loss", false, true},
    };
    bool seen[COLUMNS];
    char *copy;
    int status = lem_fit_name_columns(o->columns, COLUMNS, columns, seen, &copy);
    if (seen[D_COLUMN] || seen[C_COLUMN]) {
        columns[D_COLUMN].optional = !seen[D_COLUMN];
        columns[C_COLUMN].optional = !seen[C_COLUMN];
        if (!seen[D_COLUMN])
            columns[D_COLUMN].header = never;
    }
    if (!status)
        status = lem_fit_read_csv(o, COLUMNS, columns, "N=1,D=2,loss=3", &t->csv);
    free(copy);
    if (status)
        return status;
    t->read = t->csv.rows;
    double *D = t->csv.columns[D_COLUMN], *C = t->csv.columns[C_COLUMN], *N = t->csv.columns[N_COLUMN];
    if (!D && !C)
        return LEM_ERROR(GSL_EINVAL,
                         "%s: neither tokens D nor operations C are among its columns; name one by header or "
                         "number, as in --columns N=1,D=2,loss=3 or N=1,C=2,loss=3",
                         o->path);
    t->D = malloc(t->read * sizeof *t->D);
    if (!t->D)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu rows", t->read);
    for (size_t i = 0; i < t->read; i++)
        t->D[i] = D ? D[i] : C[i] / 6 / N[i];
    if (D && C) {
        compare_operations(o->path, t, D, C);
        free(t->csv.headers[C_COLUMN]); /* not used */
        t->csv.headers[C_COLUMN] = NULL;
    }
    look_at_units(o->path, "N", t->read, N);
    if (D)
        look_at_units(o->path, "D", t->read, D);
    return drop_largest(t, o->drop);
}

/* --- the fit ----------------------------------------------------------------------------------------- */

/* The constants, and what follows from them at the budget. */
enum { A, B, E, ALPHA, BETA, SHARE, N_BEST, D_BEST, RATIO, QUANTITIES };
static const char *const names[QUANTITIES] = {"A", "B", "E", "alpha", "beta", "a_opt", "N*", "D*", "D*/N*"};

typedef struct {
    double budget;
    lem_chinchilla_fitted fitted;
    lem_fit_estimate estimates[QUANTITIES];
    size_t failed;
    double mean_absolute, r_squared, largest; /* of residuals of log loss; `largest` with its sign */
    size_t largest_line;
    double *residuals;
    double seconds; /* that the fit took */
} outcome;

enum { FEWEST_ROWS = 6, MANY_ROWS = 20000 /* more than some seconds */ };
static const double LONG = 3; /* seconds after which one wants to know */

static int quantities(const lem_chinchilla *law, double budget, double *q) {
    q[A] = law->A;
    q[B] = law->B;
    q[E] = law->E;
    q[ALPHA] = law->alpha;
    q[BETA] = law->beta;
    q[SHARE] = law->beta / (law->alpha + law->beta);
    q[N_BEST] = lem_chinchilla_optimal_params(law->A, law->B, law->alpha, law->beta, budget);
    q[RATIO] = lem_chinchilla_tokens_per_parameter(law->A, law->B, law->alpha, law->beta, budget);
    q[D_BEST] = budget / 6 / q[N_BEST];
    return isnan(q[N_BEST]) || isnan(q[RATIO]) ? GSL_ERANGE : GSL_SUCCESS;
}

static double largest_budget(const lem_chinchilla_data *data) {
    double most = 0;
    for (size_t i = 0; i < data->n; i++)
        most = fmax(most, 6 * data->N[i] * data->D[i]);
    return most;
}

static int judge(const table *t, outcome *x) {
    double mean = 0, total = 0, left = 0;
    const size_t n = t->data.n;
    const int status = lem_chinchilla_residuals(&x->fitted.law, &t->data, x->residuals);
    for (size_t i = 0; i < n; i++)
        mean += log(t->data.loss[i]) / (double)n;
    for (size_t i = 0; i < n && !status; i++) {
        const double r = x->residuals[i], z = log(t->data.loss[i]) - mean;
        left += r * r;
        total += z * z;
        x->mean_absolute += fabs(r) / (double)n;
        if (fabs(r) >= fabs(x->largest)) {
            x->largest = r;
            x->largest_line = t->csv.lines[i];
        }
    }
    x->r_squared = 1 - left / total;
    return status;
}

/* From what the fit took: a resample takes about 12 evaluations, as lib/scaling/chinchilla_fit.h says. */
static void foretell_bootstrap(const lem_fit_options *o, const outcome *x) {
    const double seconds = x->seconds / (double)x->fitted.evaluations * 12 * (double)o->resamples;
    if (seconds > LONG)
        lem_fit_progress(
            "fitted in %.0f s; %zu resamples follow, about %.0f s of one core (--bootstrap: fewer, 0: "
            "none)",
            x->seconds, o->resamples, seconds);
}

static int set_errors(const lem_fit_options *o, const table *t, outcome *x) {
    const size_t R = o->resamples;
    double *replicates = malloc(R * LEM_RESAMPLE_SIZE * sizeof *replicates),
           *column = malloc(R * sizeof *column), *derived = malloc(R * QUANTITIES * sizeof *derived);
    int status = replicates && column && derived ? GSL_SUCCESS
                                                 : LEM_ERROR(GSL_ENOMEM, "no memory for %zu resamples", R);
    if (!status)
        foretell_bootstrap(o, x);
    if (!status)
        status = lem_chinchilla_bootstrap(&t->data, o->delta, &x->fitted.law, R, o->seed, o->threads,
                                          replicates, &x->failed);
    for (size_t i = 0; i < R && !status; i++) {
        const double *r = replicates + i * LEM_RESAMPLE_SIZE;
        const lem_chinchilla law = {r[LEM_RESAMPLE_A], r[LEM_RESAMPLE_B], r[LEM_RESAMPLE_E],
                                    r[LEM_RESAMPLE_ALPHA], r[LEM_RESAMPLE_BETA]};
        if (r[LEM_RESAMPLE_CONVERGED] < 0.5 || quantities(&law, x->budget, derived + i * QUANTITIES))
            for (int k = 0; k < QUANTITIES; k++)
                derived[i * QUANTITIES + (size_t)k] = NAN;
    }
    for (size_t k = 0; k < QUANTITIES && !status; k++) {
        for (size_t i = 0; i < R; i++)
            column[i] = derived[i * QUANTITIES + k];
        x->estimates[k] = lem_fit_estimate_of(x->estimates[k].value, R, column);
    }
    free(replicates);
    free(column);
    free(derived);
    return status;
}

static int fit(const lem_fit_options *o, const table *t, outcome *x) {
    double q[QUANTITIES];
    if (t->data.n < FEWEST_ROWS)
        return LEM_ERROR(GSL_EINVAL, "%s: %zu rows: five constants need at least %d", o->path, t->data.n,
                         FEWEST_ROWS);
    if (t->data.n > MANY_ROWS)
        lem_fit_progress("fitting %zu rows from 27 starts", t->data.n);
    const double began = lem_fit_seconds();
    int status = lem_chinchilla_fit(&t->data, o->delta, &x->fitted);
    if (status)
        return LEM_ERROR(status, "%s: %s", o->path, lem_last_error());
    x->seconds = lem_fit_seconds() - began;
    x->budget = o->budget > 0 ? o->budget : largest_budget(&t->data);
    x->residuals = malloc(t->data.n * sizeof *x->residuals);
    if (!x->residuals)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu residuals", t->data.n);
    status = quantities(&x->fitted.law, x->budget, q);
    for (int k = 0; k < QUANTITIES; k++)
        x->estimates[k] = (lem_fit_estimate){q[k], NAN, NAN, NAN};
    if (!status)
        status = judge(t, x);
    return !status && o->resamples ? set_errors(o, t, x) : status;
}

/* --- what is said ------------------------------------------------------------------------------------ */

static void print_text(FILE *out, const lem_fit_options *o, const table *t, const outcome *x) {
    char budget[LEM_FORMAT_SIZE], loss[LEM_FORMAT_SIZE], objective[LEM_FORMAT_SIZE];
    const size_t dropped = t->read - t->data.n;
    (void)fprintf(out, "L(N, D) = E + A N^-alpha + B D^-beta, fitted to %zu rows of %s", t->data.n, o->path);
    if (dropped)
        (void)fprintf(out, " (the %zu of largest loss left out)", dropped);
    (void)fputc('\n', out);
    lem_fit_print_columns(out, COLUMNS, column_names, t->csv.headers);
    (void)fputc('\n', out);
    lem_fit_print_head(out, o->resamples ? "95% interval, bootstrap" : "no bootstrap");
    for (int k = A; k <= BETA; k++)
        lem_fit_print(out, names[k], &x->estimates[k], "");
    (void)fprintf(out, "\ncompute-optimal at C = 6 N D = %s operations%s\n\n",
                  lem_format_digits(budget, x->budget, 6),
                  o->budget > 0 ? "" : ", the largest of the rows (--budget C for another)");
    lem_fit_print(out, names[SHARE], &x->estimates[SHARE], "N* grows as C^a_opt");
    lem_fit_print(out, names[N_BEST], &x->estimates[N_BEST], "parameters");
    lem_fit_print(out, names[D_BEST], &x->estimates[D_BEST], "tokens");
    lem_fit_print(out, names[RATIO], &x->estimates[RATIO], "tokens per parameter");
    const lem_chinchilla *law = &x->fitted.law;
    const double best = lem_chinchilla_eval(law, x->estimates[N_BEST].value, x->estimates[D_BEST].value);
    (void)fprintf(out, "  predicted loss there: %s\n", lem_format_digits(loss, best, 5));
    (void)fprintf(
        out,
        "\ngoodness of fit, in log loss: mean |residual| %.3g, R^2 %.5f, largest residual %.3g (line %zu)\n",
        x->mean_absolute, x->r_squared, x->largest, x->largest_line);
    (void)fprintf(out,
                  "%s %s at delta = %g; converged: %zu of %zu starts agree,\ngradient at most 1e-8 of the "
                  "largest possible (--json: what it is)\n",
                  o->delta > 0 ? "sum of Huber losses" : "sum of |residuals|",
                  lem_format_digits(objective, x->fitted.objective, 8), o->delta, x->fitted.agreeing,
                  x->fitted.starts);
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

static int print_json(lem_cli *cli, const lem_fit_options *o, const table *t, const outcome *x) {
    json_t *estimates = json_object(), *optimum = json_object();
    for (int k = A; k <= BETA; k++)
        (void)json_object_set_new(estimates, names[k], lem_fit_json(&x->estimates[k]));
    (void)json_object_set_new(optimum, "budget", json_real(x->budget));
    for (int k = SHARE; k < QUANTITIES; k++)
        (void)json_object_set_new(optimum, names[k], lem_fit_json(&x->estimates[k]));
    json_t *delta = isinf(o->delta) ? json_string("inf") : json_real(o->delta);
    return lem_fit_print_json(
        cli,
        json_pack("{s:s, s:s, s:o, s:I, s:I, s:o, s:o, s:o, s:{s:f, s:f, s:f, s:f, s:I}, s:{s:f, s:I, s:I}, "
                  "s:{s:I, s:I, s:I}}",
                  "model", "chinchilla", "file", o->path, "columns",
                  lem_fit_columns_json(COLUMNS, column_names, t->csv.headers), "rows", (json_int_t)t->data.n,
                  "dropped", (json_int_t)(t->read - t->data.n), "delta", delta, "estimates", estimates,
                  "optimum", optimum, "goodness", "objective", x->fitted.objective, "mean_absolute_residual",
                  x->mean_absolute, "r_squared", x->r_squared, "largest_residual", x->largest,
                  "largest_residual_line", (json_int_t)x->largest_line, "convergence", "gradient",
                  x->fitted.gradient, "starts", (json_int_t)x->fitted.starts, "agreeing",
                  (json_int_t)x->fitted.agreeing, "bootstrap", "resamples", (json_int_t)o->resamples, "seed",
                  (json_int_t)o->seed, "failed", (json_int_t)x->failed));
}

/* Left: loss against compute with the optimal frontier; right: residuals against tokens per parameter. */
static int draw(const lem_fit_options *o, const table *t, const outcome *x) {
    enum { CURVE = 101 };
    const lem_chinchilla *law = &x->fitted.law;
    char *text = NULL;
    size_t size;
    double least = INFINITY, most = x->budget;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return LEM_ERROR(GSL_ENOMEM, "no memory for the figure");
    (void)fputs("$points << EOD\n", f);
    for (size_t i = 0; i < t->data.n; i++) {
        const double N = t->data.N[i], D = t->data.D[i];
        least = fmin(least, 6 * N * D);
        most = fmax(most, 6 * N * D);
        (void)fprintf(f, "%.9g %.9g %.9g %.9g\n", 6 * N * D, t->data.loss[i], D / N, x->residuals[i]);
    }
    (void)fputs("EOD\n$frontier << EOD\n", f);
    for (int k = 0; k < CURVE; k++) {
        const double C = least * pow(most / least, k / (CURVE - 1.0));
        const double N = lem_chinchilla_optimal_params(law->A, law->B, law->alpha, law->beta, C);
        (void)fprintf(f, "%.9g %.9g\n", C, lem_chinchilla_eval(law, N, C / 6 / N));
    }
    (void)fprintf(
        f,
        "EOD\nset multiplot layout 1,2\nset format y '%%g'\nunset logscale y\nunset logscale y\n"
        "set title '%s: loss' noenhanced\nset xlabel 'training operations C = 6 N D'\nset ylabel 'loss'\n"
        "set key top right\n"
        "plot $points using 1:2 with points pointtype 7 pointsize 0.4 linecolor rgb '#56B4E9' title 'rows', "
        "\\\n"
        "     $frontier using 1:2 with lines linewidth 2 linecolor rgb '#D55E00' title 'fit, at the optimal "
        "split'\n"
        "set title 'residuals'\nset xlabel 'tokens per parameter D/N'\nset ylabel 'log loss less that of the "
        "fit'\n"
        "set key off\n"
        "plot 0 with lines linecolor rgb '#767676' dashtype (4,4), \\\n"
        "     $points using 3:4 with points pointtype 7 pointsize 0.4 linecolor rgb '#0072B2'\n"
        "unset multiplot\n",
        lem_fit_title(o->path));
    int status = fclose(f) ? LEM_ERROR(GSL_ENOMEM, "no memory for the figure") : GSL_SUCCESS;
    if (!status)
        status = lem_fit_draw(o->figure, text);
    free(text);
    return status;
}

int lem_fit_chinchilla(lem_cli *cli, const lem_fit_options *o) {
    table t = {.D = NULL};
    outcome x = {.residuals = NULL};
    int status = read_table(o, &t);
    if (!status)
        status = fit(o, &t, &x);
    int exit_status = LEM_EXIT_FAILED;
    if (!status && o->figure && (status = draw(o, &t, &x)))
        exit_status = LEM_EXIT_WRITE;
    if (status)
        (void)lem_cli_fail(0, "%s", lem_last_error());
    else if (o->as_json)
        exit_status = print_json(cli, o, &t, &x);
    else {
        print_text(cli->out, o, &t, &x);
        exit_status = LEM_EXIT_OK;
    }
    free(x.residuals);
    clear_table(&t);
    return exit_status;
}
