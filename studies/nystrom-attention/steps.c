/* Error against the number of steps: the iteration regularises. And the explicit regulariser, Tikhonov's. */
#include "study.h"

#include <stdio.h>
#include <stddef.h>
#include <string.h>

enum { SIZES = 2, STEPS = 24, LAMBDAS = 39, FULL = 100, LEAST = 30 };
static const size_t sizes[SIZES] = {32, 64};

/* Per draw and m; records are arrays of these. */
typedef struct {
    double step[STEPS + 1]; /* relative error after k steps; 0: of Z0 */
    double exact, best_middle, newton, hyperpower, tikhonov, lambda;
} curve;
enum { CURVE = sizeof(curve) / sizeof(double) };

typedef struct {
    nys_data *data;
    nys_parts *parts[SIZES];
    lem_pinv_workspace *work[SIZES];
    gsl_matrix *u[SIZES], *v[SIZES];
} space;

static void space_free(void *memory) {
    space *s = memory;
    if (!s)
        return;
    nys_data_free(s->data);
    for (size_t i = 0; i < SIZES; i++) {
        nys_parts_free(s->parts[i]), lem_pinv_workspace_free(s->work[i]);
        gsl_matrix_free(s->u[i]), gsl_matrix_free(s->v[i]);
    }
    free(s);
}

static void *space_alloc(const void *ctx) {
    (void)ctx;
    space *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    bool all = (s->data = nys_data_alloc(NYS_N, NYS_D)) != NULL;
    for (size_t i = 0; i < SIZES; i++) {
        s->parts[i] = nys_parts_alloc(NYS_N, NYS_D, sizes[i]);
        s->work[i] = lem_pinv_workspace_alloc(sizes[i]);
        s->u[i] = gsl_matrix_alloc(sizes[i], sizes[i]), s->v[i] = gsl_matrix_alloc(sizes[i], sizes[i]);
        all = all && s->parts[i] && s->work[i] && s->u[i] && s->v[i];
    }
    if (all)
        return s;
    space_free(s);
    return NULL;
}

static int iterate(const space *s, size_t i, lem_pinv_method method, int steps, double *errors) {
    nys_parts *p = s->parts[i];
    LEM_TRY(lem_pinv_start(p->a, p->z));
    for (int k = 0; k <= steps; k++) {
        if (k > 0)
            LEM_TRY(lem_pinv_step(p->a, method, s->work[i], p->z));
        LEM_TRY(nys_quick_error(s->data, p, p->z, &errors[k]));
    }
    return GSL_SUCCESS;
}

/* Quarter decades from 1e-9 to 10^0.5. */
static double lambda_of(int i) {
    return pow(10, -9 + i / 4.0);
}

static int best_lambda(const space *s, size_t i, curve *c) {
    nys_parts *p = s->parts[i];
    const size_t m = p->m;
    LEM_TRY(lem_svd(p->a, s->u[i], p->sigma, s->v[i]));
    c->tikhonov = INFINITY;
    for (int t = 0; t < LAMBDAS; t++) {
        double error;
        for (size_t j = 0; j < m; j++) {
            const double sigma = gsl_vector_get(p->sigma, j);
            for (size_t r = 0; r < m; r++)
                gsl_matrix_set(p->t, r, j,
                               gsl_matrix_get(s->v[i], r, j) * sigma / (sigma * sigma + lambda_of(t)));
        }
        LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, p->t, s->u[i], 0, p->z, 1));
        LEM_TRY(nys_quick_error(s->data, p, p->z, &error));
        if (error < c->tikhonov)
            c->tikhonov = error, c->lambda = lambda_of(t);
    }
    return GSL_SUCCESS;
}

static int one_size(const space *s, size_t i, curve *c) {
    double errors[STEPS + 1];
    nys_parts *p = s->parts[i];
    LEM_TRY(nys_factor(s->data, p));
    LEM_TRY(nys_compress(s->data, p));
    c->best_middle = p->rest / s->data->norm;
    LEM_TRY(iterate(s, i, LEM_PINV_CHEBYSHEV4, STEPS, c->step));
    LEM_TRY(iterate(s, i, LEM_PINV_NEWTON, 12, errors));
    c->newton = errors[12];
    LEM_TRY(iterate(s, i, LEM_PINV_HYPERPOWER3, 8, errors));
    c->hyperpower = errors[8];
    LEM_TRY(nys_inverse(p));
    LEM_TRY(nys_quick_error(s->data, p, p->z, &c->exact));
    return best_lambda(s, i, c);
}

static int draw_curves(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                       const void *ctx) {
    (void)first;
    const space *s = workspace;
    for (size_t i = 0; i < count; i++) {
        LEM_TRY(nys_draw(stream, *(const double *)ctx, s->data));
        for (size_t m = 0; m < SIZES; m++) {
            curve c;
            LEM_TRY(one_size(s, m, &c));
            memcpy(out->records + (i * SIZES + m) * CURVE, &c, sizeof c);
        }
    }
    return GSL_SUCCESS;
}

/* Of one draw and m: the least error within, its step, and the lesser end. */
static size_t best_step(const curve *c) {
    size_t best = 1;
    for (size_t k = 2; k <= STEPS; k++)
        if (c->step[k] < c->step[best])
            best = k;
    return best;
}

static double median_of(const curve *curves, size_t n, size_t m, size_t field) {
    double values[FULL];
    for (size_t i = 0; i < n; i++)
        values[i] = ((const double *)&curves[SIZES * i + m])[field];
    return nys_median(values, n);
}
#define FIELD(name) (offsetof(curve, name) / sizeof(double))

/* The mean over draws of one of the errors (m = 64), with its standard error. */
static int mean_value(lem_study *study, const char *name, size_t l, const double *x, size_t n) {
    lem_moments moments;
    char key[64];
    lem_moments_init(&moments);
    LEM_TRY(lem_moments_add_array(&moments, n, x));
    return lem_value_estimate(study, nys_key(key, sizeof key, name, l), lem_moments_mean(&moments),
                              lem_moments_stderr(&moments), "");
}

static int values(lem_study *study, const curve *curves, size_t n, size_t l) {
    static const struct {
        const char *name;
        size_t field;
    } means[] = {{"steps.1", 1},
                 {"steps.3", 3},
                 {"steps.6", 6},
                 {"steps.12", 12},
                 {"steps.best-middle", FIELD(best_middle)},
                 {"steps.newton", FIELD(newton)},
                 {"steps.hyperpower", FIELD(hyperpower)},
                 {"steps.tikhonov", FIELD(tikhonov)}},
      medians[] = {{"steps.24", 24}, {"steps.exact", FIELD(exact)}, {"steps.lambda", FIELD(lambda)}};
    double x[FULL], least[FULL];
    char key[64];
    for (size_t f = 0; f < COUNT(means); f++) {
        for (size_t i = 0; i < n; i++)
            x[i] = ((const double *)&curves[SIZES * i + 1])[means[f].field];
        LEM_TRY(mean_value(study, means[f].name, l, x, n));
    }
    for (size_t i = 0; i < n; i++) {
        const curve *c = &curves[SIZES * i + 1];
        x[i] = (double)best_step(c), least[i] = c->step[best_step(c)];
    }
    LEM_TRY(mean_value(study, "steps.least", l, least, n));
    LEM_TRY(lem_value_scaled(study, nys_key(key, sizeof key, "steps.best", l), nys_median(x, n), 2, ""));
    LEM_TRY(lem_value_scaled(study, nys_key(key, sizeof key, "steps.best.first", l), x[0], 2, ""));
    LEM_TRY(lem_value_scaled(study, nys_key(key, sizeof key, "steps.best.last", l), x[n - 1], 2, ""));
    for (size_t f = 0; f < COUNT(medians); f++) /* heavy tails: no means */
        LEM_TRY(lem_value_scaled(study, nys_key(key, sizeof key, medians[f].name, l),
                                 median_of(curves, n, 1, medians[f].field), 1, ""));
    return GSL_SUCCESS;
}

static int figure(lem_study *study, curve *const curves[NYS_LENGTHS], size_t n) {
    static const char *const columns[] = {"step",
                                          "median error",
                                          "10 %",
                                          "90 %",
                                          "median best Tikhonov error",
                                          "median error of the exact inverse"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "steps", columns, COUNT(columns), &table));
    for (size_t l = 0; l < NYS_LENGTHS; l++) {
        for (size_t k = 0; k <= STEPS; k++) {
            double sorted[FULL];
            for (size_t i = 0; i < n; i++)
                sorted[i] = curves[l][SIZES * i + 1].step[k];
            const double median = nys_median(sorted, n); /* sorts */
            const double row[] = {(double)k,
                                  median,
                                  sorted[n / 10],
                                  sorted[n - 1 - n / 10],
                                  median_of(curves[l], n, 1, FIELD(tikhonov)),
                                  median_of(curves[l], n, 1, FIELD(exact))};
            LEM_TRY(lem_table_row(table, row));
        }
        LEM_TRY(lem_table_break(table));
    }
    return lem_study_figure(study, "steps",
                            "Relative error of Nystrom attention against the number of steps of the "
                            "pseudo-inverse iteration (n = 512, d = "
                            "32, m = 64; median, and the middle 80 % of draws), the exact inverse, and the "
                            "best Tikhonov inverse.",
                            "The error first falls with the number of steps and then rises towards that of "
                            "the exact inverse, far above that "
                            "of six steps unless rows are smooth; the best Tikhonov inverse is as good as "
                            "the best number of steps");
}

typedef struct {
    double *least, *ends, *late, *six, *tikhonov, *best, *exact, *inverse;
    size_t n, rough; /* rough: points with length <= 64, first */
} points;

static int claims(lem_study *study, const points *p) {
    const lem_falsifier more[] = {{"more steps are better: error(24) < error(6), lengths 0, 8, 64, m = 64",
                                   lem_inequality_strict(p->rough, p->late, p->six, NULL)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.regulariser",
                                        .statement =
                                            "in every draw the least error over steps 1 to 24 lies inside: "
                                            "below those of step 1 and of step 24 (four correlation lengths, "
                                            "m = 32, 64)",
                                        .source = "our addition to kexue.fm 8180",
                                        .verdict = LEM_HOLDS},
                      lem_inequality_strict(p->n, p->least, p->ends, NULL), more, 1));
    const lem_falsifier inverse[] = {
        {"the exact inverse is at least as good", lem_inequality_strict(p->rough, p->inverse, p->six, NULL)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.regulariser.six",
                                        .statement =
                                            "in every draw six steps are closer to S than the exact inverse "
                                            "that they approximate (correlation lengths 0, 8, 64, m = 64)",
                                        .source = "our addition to kexue.fm 8180",
                                        .verdict = LEM_HOLDS},
                      lem_inequality_strict(p->rough, p->six, p->inverse, NULL), inverse, 1));
    const lem_falsifier no_lambda[] = {
        {"lambda = 0 is as good", lem_inequality(p->n, p->exact, p->best, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "nys.tikhonov",
                          .statement =
                              "in every draw the best lambda of 10^-9, 10^-8.75, ..., 10^0.5 gives an error "
                              "of at most 1.02 times that of the best number of steps",
                          .source = "our addition to kexue.fm 8180",
                          .verdict = LEM_HOLDS},
        lem_inequality(p->n, p->tikhonov, p->best, NULL), no_lambda, 1);
}

static void gather(curve *const curves[NYS_LENGTHS], size_t n, points *p) {
    p->n = p->rough = 0;
    for (size_t l = 0; l < NYS_LENGTHS; l++)
        for (size_t i = 0; i < SIZES * n; i++) {
            const curve *c = &curves[l][i];
            const double least = c->step[best_step(c)];
            p->least[p->n] = least;
            p->ends[p->n] = fmin(c->step[1], c->step[STEPS]);
            p->tikhonov[p->n] = c->tikhonov, p->best[p->n] = 1.02 * least, p->exact[p->n] = c->exact;
            p->n++;
            if (l < 3 && i % SIZES == 1)
                p->late[p->rough] = c->step[STEPS], p->inverse[p->rough] = c->exact,
                p->six[p->rough++] = c->step[6];
        }
}

int nys_steps(lem_study *study) {
    const size_t n = lem_study_samples(study, FULL, LEAST);
    static curve records[NYS_LENGTHS][SIZES * FULL];
    static double memory[8][NYS_LENGTHS * SIZES * FULL];
    curve *curves[NYS_LENGTHS];
    char purpose[64];
    if (n > FULL)
        return LEM_ERROR(GSL_EDOM, "--scale %g: must be <= 1 in this study", lem_study_scale(study));
    for (size_t l = 0; l < NYS_LENGTHS; l++) {
        lem_mc_result result = {.records = (double *)records[l]};
        curves[l] = records[l];
        LEM_TRY(lem_study_mc(study, nys_key(purpose, sizeof purpose, "steps", l),
                             (lem_mc_plan){.samples = n,
                                           .chunk_size = 1,
                                           .n_records = SIZES * CURVE,
                                           .chunk = draw_curves,
                                           .ctx = &nys_lengths[l],
                                           .workspace_alloc = space_alloc,
                                           .workspace_free = space_free},
                             &result));
        LEM_TRY(values(study, curves[l], n, l));
    }
    points p = {memory[0], memory[1], memory[2], memory[3], memory[4], memory[5], memory[6], memory[7], 0, 0};
    gather(curves, n, &p);
    LEM_TRY(claims(study, &p));
    return figure(study, curves, n);
}
