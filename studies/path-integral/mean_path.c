/* The most probable path solves x'' = -V'(x) = +U'(x); for a quadratic action it is also the mean path. */
#include "stochastic.h"

static const double OMEGA = 1.3, ALPHA = .8, STRENGTH = 1.3 * 1.3;

enum { SLICES = 16, LOOKED_AT = 3, CASES = 2, POINTS = CASES * LOOKED_AT, FULL = 200000, FLOOR = 20000 };
static const size_t slice[LOOKED_AT] = {4, 8, 12};

typedef struct {
    double xa, xb, T;
} ends;
static const ends cases[CASES] = {{.5, -.4, 1.5}, {1, .8, 3}};

/* The path through both ends with x_{k+1} - 2 x_k + x_{k-1} = omega^2 h^2 x_k: sinh, with the angle of a
 * slice. */
static double on_lattice(const ends *e, size_t k, size_t n) {
    const double h = e->T / (double)n, theta = 2 * asinh(OMEGA * h / 2);
    return (e->xb * sinh((double)k * theta) + e->xa * sinh((double)(n - k) * theta)) /
           sinh((double)n * theta);
}

static double hyperbolic(const ends *e, double t) {
    return (e->xb * sinh(OMEGA * t) + e->xa * sinh(OMEGA * (e->T - t))) / sinh(OMEGA * e->T);
}

/* What V taken for a potential energy, x'' = -U', would give. */
static double trigonometric(const ends *e, double t) {
    return (e->xb * sin(OMEGA * t) + e->xa * sin(OMEGA * (e->T - t))) / sin(OMEGA * e->T);
}

/* --- the mean, by weighted bridges --- */

enum { RECORDS = 1 + LOOKED_AT, BLOCK = 512 };

static int path_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *ctx) {
    (void)first, (void)workspace;
    double paths[(SLICES + 1) * BLOCK], log_weight[BLOCK];
    for (size_t done = 0; done < count; done += BLOCK) {
        const size_t n = count - done < BLOCK ? count - done : BLOCK;
        LEM_TRY(lem_feynman_kac_paths(stream, ctx, n, paths, log_weight));
        for (size_t i = 0; i < n; i++) {
            double *row = out->records + (done + i) * RECORDS;
            row[0] = log_weight[i];
            for (size_t k = 0; k < LOOKED_AT; k++)
                row[1 + k] = paths[slice[k] * n + i];
        }
    }
    return GSL_SUCCESS;
}

/* Weighted means of the places, with their errors; weights over the largest. */
static int reduce(size_t samples, const double *records, double *column, double *weight, double *mean,
                  double *error) {
    double most = -INFINITY;
    for (size_t i = 0; i < samples; i++)
        most = fmax(most, records[i * RECORDS]);
    for (size_t i = 0; i < samples; i++)
        weight[i] = exp(records[i * RECORDS] - most);
    for (size_t k = 0; k < LOOKED_AT; k++) {
        for (size_t i = 0; i < samples; i++)
            column[i] = records[i * RECORDS + 1 + k];
        lem_weighted w;
        LEM_TRY(lem_weighted_mean(samples, column, weight, &w));
        mean[k] = w.mean;
        error[k] = w.standard_error;
    }
    return GSL_SUCCESS;
}

static int weighted_means(lem_study *study, const char *purpose, const lem_feynman_kac *p, size_t samples,
                          double *mean, double *error) {
    double *records = malloc(samples * (RECORDS + 2) * sizeof *records);
    if (!records)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu paths", samples);
    lem_mc_result mc = {.records = records};
    int status = lem_study_mc(
        study, purpose,
        (lem_mc_plan){
            .samples = samples, .chunk_size = 2048, .n_records = RECORDS, .chunk = path_chunk, .ctx = p},
        &mc);
    double *column = records + samples * RECORDS;
    if (!status)
        status = reduce(samples, records, column, column + samples, mean, error);
    free(records);
    return status;
}

static int claim_mean(lem_study *study) {
    const size_t samples = lem_study_samples(study, FULL, FLOOR);
    double mean[POINTS], error[POINTS], lattice[POINTS], wrong[POINTS], line[POINTS];
    for (size_t c = 0; c < CASES; c++) {
        const ends *e = &cases[c];
        const lem_feynman_kac p = {{pi_harmonic_block, &STRENGTH}, e->xa, e->xb, e->T, ALPHA, SLICES};
        LEM_TRY(weighted_means(study, c ? "mean-path-1" : "mean-path-0", &p, samples, mean + c * LOOKED_AT,
                               error + c * LOOKED_AT));
        for (size_t k = 0; k < LOOKED_AT; k++) {
            const double share = (double)slice[k] / SLICES;
            lattice[c * LOOKED_AT + k] = on_lattice(e, slice[k], SLICES);
            wrong[c * LOOKED_AT + k] = trigonometric(e, share * e->T);
            line[c * LOOKED_AT + k] = e->xa + (e->xb - e->xa) * share;
        }
    }
    static const lem_claim_info info = {
        .id = "pi.most-probable-path",
        .statement = "conditioned paths of the harmonic oscillator have the mean (x_b sinh wt + x_a sinh w(T "
                     "- t))/sinh "
                     "wT, the extremal with x'' = -V' = +U'",
        .source = "3757, 3762 as summarised",
        .verdict = LEM_HOLDS_WHEN,
        .note =
            "V is the article's, minus the potential energy; and the mean path is the most probable one for "
            "quadratic V only",
        .floor = FLOOR,
        .floor_reason =
            "the trigonometric path is 51 standard errors away at 200000 bridges, 16 at 20000, where 5.2 + "
            "4.8 suffice",
    };
    const double n = (double)samples;
    const lem_falsifier falsifiers[] = {
        {"x'' = -U', a trigonometric path", lem_check_of(lem_expectation_z(POINTS, mean, error, wrong), n)},
        {"a straight line", lem_check_of(lem_expectation_z(POINTS, mean, error, line), n)}};
    LEM_TRY(lem_claim(study, &info, lem_check_of(lem_expectation_z(POINTS, mean, error, lattice), n),
                      falsifiers, PI_COUNT(falsifiers)));
    LEM_TRY(lem_value_estimate(study, "most-probable-path.mean", mean[4], error[4], ""));
    LEM_TRY(lem_value_exact(study, "most-probable-path.sinh", hyperbolic(&cases[1], 1.5), 6, ""));
    return lem_value_exact(study, "most-probable-path.sin", trigonometric(&cases[1], 1.5), 6, "");
}

/* --- the extremal of the action on slices --- */

/* d/dx_k of sum (x_{k+1} - x_k)^2/(2h) + h U(x_k), times h. */
static double first_variation(double before, double here, double after, double h, double slope) {
    return 2 * here - before - after + h * h * slope;
}

static int claim_extremal(lem_study *study) {
    enum { FINE = 64, INNER = FINE - 1 };
    double sinh_path[INNER], sin_path[INNER], zero[INNER], bound[INNER];
    const ends *e = &cases[1];
    const double h = e->T / FINE;
    for (size_t k = 1; k < FINE; k++) {
        double a[3], b[3];
        for (size_t j = 0; j < 3; j++) {
            a[j] = on_lattice(e, k + j - 1, FINE);
            b[j] = trigonometric(e, (double)(k + j - 1) * h);
        }
        sinh_path[k - 1] = first_variation(a[0], a[1], a[2], h, STRENGTH * a[1]);
        sin_path[k - 1] = first_variation(b[0], b[1], b[2], h, STRENGTH * b[1]);
        zero[k - 1] = 0;
        bound[k - 1] =
            64 * 2.3e-16 * 2; /* places of size up to 1, each right to 32 epsilons of the sinh of 4 */
    }
    static const lem_claim_info info = {
        .id = "pi.most-probable-path.extremal",
        .statement =
            "the hyperbolic path is where the first variation of int (x'^2/2 - V) vanishes, slice by slice",
        .source = "3757 as summarised",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {
        {"the trigonometric path", lem_identity_abs(INNER, sin_path, zero, bound)}};
    return lem_claim(study, &info, lem_identity_abs(INNER, sinh_path, zero, bound), falsifiers, 1);
}

/* --- where the two differ: U = x^4 --- */

/* The extremal from 1 to 1 by Newton's method on the slices: a tridiagonal system each time. */
static void quartic_extremal(size_t n, double h, double *x) {
    double diagonal[64], right[64];
    for (size_t k = 0; k <= n; k++)
        x[k] = 1;
    for (int sweep = 0; sweep < 60; sweep++) {
        for (size_t k = 1; k < n; k++) {
            diagonal[k] = 2 + 12 * h * h * x[k] * x[k];
            right[k] = -first_variation(x[k - 1], x[k], x[k + 1], h, 4 * x[k] * x[k] * x[k]);
        }
        for (size_t k = 2; k < n; k++) { /* off-diagonals are -1 */
            diagonal[k] -= 1 / diagonal[k - 1];
            right[k] += right[k - 1] / diagonal[k - 1];
        }
        double step = 0;
        for (size_t k = n - 1; k > 0; k--)
            x[k] += step = (right[k] + step) / diagonal[k];
    }
}

static int claim_quartic(lem_study *study) {
    static const double one = 1;
    const lem_feynman_kac p = {{pi_quartic_block, &one}, 1, 1, 2, 1, SLICES};
    const size_t samples = lem_study_samples(study, FULL, FLOOR);
    double mean[LOOKED_AT], error[LOOKED_AT], exact[LOOKED_AT], probable[LOOKED_AT], path[SLICES + 1],
        means[SLICES + 1], kernel;
    LEM_TRY(weighted_means(study, "mean-path-quartic", &p, samples, mean, error));
    LEM_TRY(pi_lattice_kernel(&p, &kernel, means));
    quartic_extremal(SLICES, p.T / SLICES, path);
    for (size_t k = 0; k < LOOKED_AT; k++) {
        exact[k] = means[slice[k]];
        probable[k] = path[slice[k]];
    }
    static const lem_claim_info info = {
        .id = "pi.most-probable-path.quartic",
        .statement =
            "for U = x^4 the mean of the conditioned path is that of the composed kernels, not the extremal",
        .source = "derived",
        .verdict = LEM_HOLDS,
        .floor = FLOOR,
        .floor_reason = "at a quarter of the time the two are 0.16 apart, and the error of 20000 bridges is "
                        "0.0055: 30 of them, "
                        "where 5.2 + 4.8 suffice",
    };
    const double n = (double)samples;
    const lem_falsifier falsifiers[] = {
        {"the mean path is the most probable one",
         lem_check_of(lem_expectation_z(LOOKED_AT, mean, error, probable), n)}};
    LEM_TRY(lem_claim(study, &info, lem_check_of(lem_expectation_z(LOOKED_AT, mean, error, exact), n),
                      falsifiers, 1));
    LEM_TRY(lem_value_estimate(study, "most-probable-path.quartic-mean", mean[0], error[0], ""));
    return lem_value_exact(study, "most-probable-path.quartic-extremal", probable[0], 6, "");
}

/* --- figure --- */

enum { DRAWN = 60, TIMES = 48, CLOUD = 20000 };

/* Conditioned paths themselves: bridges accepted with the probability of their weight, which is at most 1 for
 * U
 * >= 0. */
static int accept(const double *log_weight, const double *chance, size_t *chosen) {
    size_t found = 0;
    for (size_t i = 0; i < CLOUD && found < DRAWN; i++)
        if (log(1 - chance[i]) < log_weight[i])
            chosen[found++] = i;
    return found == DRAWN ? GSL_SUCCESS : LEM_ERROR(GSL_EFAILED, "only %zu paths were accepted", found);
}

static int curve_rows(lem_table *table, const ends *e, const double *paths, const double *weight) {
    for (size_t k = 0; k <= TIMES; k++) {
        const double t = e->T * (double)k / TIMES;
        lem_weighted w = {.mean = k ? e->xb : e->xa};
        if (k > 0 && k < TIMES)
            LEM_TRY(lem_weighted_mean(CLOUD, paths + k * CLOUD, weight, &w));
        const double row[] = {t, hyperbolic(e, t), trigonometric(e, t), w.mean, 4 * w.standard_error};
        LEM_TRY(lem_table_row(table, row));
    }
    return GSL_SUCCESS;
}

static int path_rows(lem_table *table, const ends *e, const double *paths, const size_t *chosen) {
    for (size_t i = 0; i < DRAWN; i++) {
        LEM_TRY(lem_table_break(table));
        for (size_t k = 0; k <= TIMES; k++) {
            const double row[] = {e->T * (double)k / TIMES, paths[k * CLOUD + chosen[i]], NAN, NAN, NAN};
            LEM_TRY(lem_table_row(table, row));
        }
    }
    return GSL_SUCCESS;
}

static int draw(lem_study *study, double *paths, double *weight, double *chance) {
    static const char *const columns[] = {"time", "hyperbolic | path", "trigonometric", "weighted mean",
                                          "four standard errors"};
    const ends *e = &cases[1];
    const lem_feynman_kac p = {{pi_harmonic_block, &STRENGTH}, e->xa, e->xb, e->T, ALPHA, TIMES};
    lem_stream stream;
    size_t chosen[DRAWN];
    LEM_TRY(lem_study_stream(study, "mean-path-figure", 0, &stream));
    LEM_TRY(lem_feynman_kac_paths(&stream, &p, CLOUD, paths, weight));
    LEM_TRY(lem_uniform_fill(&stream, CLOUD, chance));
    LEM_TRY(accept(weight, chance, chosen));
    for (size_t i = 0; i < CLOUD; i++)
        weight[i] = exp(weight[i]);
    lem_table *table;
    LEM_TRY(lem_study_table(study, "mean-path", columns, PI_COUNT(columns), &table));
    LEM_TRY(curve_rows(table, e, paths, weight));
    LEM_TRY(path_rows(table, e, paths, chosen));
    return lem_study_figure(
        study, "mean-path",
        "Sixty paths of the harmonic oscillator (omega = 1.3, alpha = 0.8) conditioned to go from 1 "
        "to 0.8 in time 3; the weighted mean of 20000 bridges with four standard errors; the "
        "extremal for x'' = +U' (hyperbolic) and for x'' = -U' (trigonometric).",
        "Conditioned paths scatter about the hyperbolic extremal and their mean lies on it; the "
        "trigonometric path, from reading V as potential energy, leaves them altogether");
}

static int figure(lem_study *study) {
    double *memory = malloc((size_t)(TIMES + 3) * CLOUD * sizeof *memory);
    if (!memory)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %d paths", CLOUD);
    const int status = draw(study, memory, memory + (TIMES + 1) * CLOUD, memory + (TIMES + 2) * CLOUD);
    free(memory);
    return status;
}

int pi_mean_path(lem_study *study) {
    LEM_TRY(claim_mean(study));
    LEM_TRY(claim_extremal(study));
    LEM_TRY(claim_quartic(study));
    return figure(study);
}
