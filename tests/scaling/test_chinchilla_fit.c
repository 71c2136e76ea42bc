#include "linalg/matrices.h"
#include "scaling/chinchilla_descent.h"
#include "scaling/chinchilla_fit.h"
#include "scaling/chinchilla_problem.h"
#include "scaling/chinchilla_twin.h"
#include "stat/moments.h"
#include "tap/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = LEM_CHINCHILLA_TWIN_ROWS, Q = LEM_CHINCHILLA_PARAMETERS };
static test_rng rng = {1};

/* Repetitions: n at the usual effort, less under valgrind. */
static uint32_t times(double n) {
    return (uint32_t)ceil(n * fmin(1, lem_tap_effort()));
}

static double between(double low, double high) {
    return low + (high - low) * (test_unit(&rng) + 1) / 2;
}

typedef struct {
    double N[2 * ROWS], D[2 * ROWS], loss[2 * ROWS];
    lem_chinchilla law;
    lem_chinchilla_data data;
} sample;

/* A law near the published ones; A and B such that each term is a tenth to two times E in the middle. */
static void draw(sample *s, uint32_t chunk, double scale, double step) {
    lem_stream stream;
    LEM_CHECK(lem_chinchilla_twin_grid(s->N, s->D) == 0, "%s", lem_last_error());
    s->law = (lem_chinchilla){.E = between(1, 3), .alpha = between(0.2, 0.6), .beta = between(0.2, 0.6)};
    s->law.A = s->law.E * exp(between(-2, 0.7)) * pow(1e9, s->law.alpha);
    s->law.B = s->law.E * exp(between(-2, 0.7)) * pow(2e10, s->law.beta);
    s->data = (lem_chinchilla_data){ROWS, s->N, s->D, s->loss};
    LEM_CHECK(lem_stream_init(&stream, 3, lem_stream_id("test"), lem_stream_id("fit"), chunk) == 0, "stream");
    LEM_CHECK(lem_chinchilla_twin_losses(&stream, &s->law, (lem_chinchilla_noise){scale, step}, ROWS, s->N,
                                         s->D, s->loss) == 0,
              "%s", lem_last_error());
}

/* Gradient and Hessian against central differences, step h: the third derivatives are of order 1/s, so that
 * h^2 and the rounding 1e-16/h balance near 1e-10; no residual may cross delta on the way, hence least
 * squares. */
static void test_derivatives(void) {
    for (uint32_t i = 0; i < times(20); i++) {
        sample s;
        lem_chinchilla_problem p;
        lem_chinchilla_slope here, left, right;
        double q[Q], hessian[Q][Q];
        const double h = 1e-5;
        draw(&s, i, 0.05, 0);
        LEM_CHECK(lem_chinchilla_problem_init(&p, &s.data, i % 2 ? INFINITY : 100) == 0, "%s",
                  lem_last_error());
        p.scale = 1;
        lem_chinchilla_from_law(&p, &s.law, q);
        for (int j = 0; j < Q; j++)
            q[j] += between(-0.1, 0.1);
        lem_chinchilla_slope_at(&p, q, &here, hessian);
        for (int j = 0; j < Q; j++) {
            double there[Q];
            memcpy(there, q, sizeof there);
            there[j] = q[j] - h;
            lem_chinchilla_slope_at(&p, there, &left, NULL);
            there[j] = q[j] + h;
            lem_chinchilla_slope_at(&p, there, &right, NULL);
            const double scale = here.value + 1;
            LEM_CHECK_NEAR((right.value - left.value) / (2 * h), here.gradient[j], 1e-7 * scale);
            for (int k = 0; k < Q; k++)
                LEM_CHECK_NEAR((right.gradient[k] - left.gradient[k]) / (2 * h),
                               hessian[j > k ? j : k][j > k ? k : j], 1e-6 * (scale + ROWS));
        }
        lem_chinchilla_problem_clear(&p);
    }
}

/* Without noise the constants come back: rounding of log loss, times the condition of the problem, which for
 * the exponents is some hundreds, for A and B twenty times that of the exponents. */
static void test_exact_data(void) {
    for (uint32_t i = 0; i < times(9); i++) {
        sample s;
        lem_chinchilla_fitted fit;
        draw(&s, i, 0, 0);
        LEM_CHECK(lem_chinchilla_fit(&s.data, i % 3 == 0 ? INFINITY : 1e-3, &fit) == 0, "%s",
                  lem_last_error());
        LEM_CHECK_NEAR(fit.law.alpha, s.law.alpha, 1e-11);
        LEM_CHECK_NEAR(fit.law.beta, s.law.beta, 1e-11);
        LEM_CHECK_NEAR(fit.law.E, s.law.E, 1e-10);
        LEM_CHECK_NEAR(fit.law.A / s.law.A, 1, 1e-9);
        LEM_CHECK_NEAR(fit.law.B / s.law.B, 1, 1e-9);
        LEM_CHECK(fit.agreeing >= 20 && fit.gradient <= 1e-8, "%zu of %zu starts, gradient %g", fit.agreeing,
                  fit.starts, fit.gradient);
    }
}

/* With noise: it is a minimum of the public objective, for each threshold, and the absolute deviations are
 * least where they are minimised. */
static void test_minimum(void) {
    static const double deltas[] = {0, 1e-4, 1e-3, 1e-2, INFINITY};
    for (uint32_t i = 0; i < times(3); i++) {
        sample s;
        double absolute[5];
        draw(&s, i, 0.004, 0.003);
        for (int k = 0; k < 5; k++) {
            lem_chinchilla_fitted fit;
            LEM_CHECK(lem_chinchilla_fit(&s.data, deltas[k], &fit) == 0, "%s", lem_last_error());
            LEM_CHECK(fit.gradient <= 1e-8 && fit.starts == 27 && fit.agreeing >= 1, "gradient %g",
                      fit.gradient);
            absolute[k] = fit.absolute;
            const double delta = deltas[k] > 0 ? deltas[k] : 1e-8, unit = deltas[k] > 0 ? 1 : delta;
            const double here = lem_chinchilla_objective(&fit.law, &s.data, delta, LEM_REDUCE_SUM);
            /* delta = 0 reports sum |r|, which is Huber's sum over delta but for n delta/2 */
            LEM_CHECK_NEAR(here / unit / fit.objective, 1, deltas[k] > 0 ? 1e-10 : 1e-5);
            for (int t = 0; t < 20; t++) {
                lem_chinchilla other = fit.law;
                const double size = pow(10, between(-6, -2));
                const double tilt_a = size * between(-1, 1), tilt_b = size * between(-1, 1);
                other.alpha += tilt_a;
                other.beta += tilt_b;
                other.A *= exp(tilt_a * log(1e9) + size * between(-1, 1));
                other.B *= exp(tilt_b * log(2e10) + size * between(-1, 1));
                other.E *= exp(size * between(-1, 1));
                LEM_CHECK(lem_chinchilla_objective(&other, &s.data, delta, LEM_REDUCE_SUM) >=
                              here * (1 - 1e-12),
                          "delta = %g: a neighbour at %g is better", deltas[k], size);
            }
        }
        for (int k = 1; k < 5; k++)
            LEM_CHECK(absolute[k] >= absolute[0] - ROWS * 1e-8, "delta = %g: sum |r| = %g < %g", deltas[k],
                      absolute[k], absolute[0]);
    }
}

static void check_same(const lem_chinchilla *a, const lem_chinchilla *b, const char *what) {
    LEM_CHECK(fabs(a->alpha - b->alpha) < 1e-9 && fabs(a->beta - b->beta) < 1e-9 &&
                  fabs(a->E / b->E - 1) < 1e-8 && fabs(a->A / b->A - 1) < 1e-7 &&
                  fabs(a->B / b->B - 1) < 1e-7,
              "%s: alpha %.12g and %.12g", what, a->alpha, b->alpha);
}

/* What must not matter: units, the number of copies of each row (a sum against a mean), the order. */
static void test_invariance(void) {
    for (uint32_t i = 0; i < times(2); i++) {
        sample s, t;
        lem_chinchilla_fitted a, b;
        draw(&s, i, 0.004, 0.003);
        LEM_CHECK(lem_chinchilla_fit(&s.data, 1e-3, &a) == 0, "%s", lem_last_error());
        t = s;
        t.data = (lem_chinchilla_data){2 * ROWS, t.N, t.D, t.loss};
        for (int k = 0; k < ROWS; k++) {
            t.N[ROWS + k] = s.N[ROWS - 1 - k];
            t.D[ROWS + k] = s.D[ROWS - 1 - k];
            t.loss[ROWS + k] = s.loss[ROWS - 1 - k];
        }
        LEM_CHECK(lem_chinchilla_fit(&t.data, 1e-3, &b) == 0, "%s", lem_last_error());
        check_same(&a.law, &b.law, "each row twice");
        LEM_CHECK_NEAR(b.objective / a.objective, 2, 1e-9);
        LEM_CHECK_NEAR(b.gradient, 0, 1e-8);
        t.data.n = ROWS;
        for (int k = 0; k < ROWS; k++) {
            t.N[k] = s.N[k] * 1e-6;
            t.D[k] = s.D[k] * 1e-9;
            t.loss[k] = s.loss[k] / log(2);
        }
        LEM_CHECK(lem_chinchilla_fit(&t.data, 1e-3, &b) == 0, "%s", lem_last_error());
        b.law.A *= log(2) * pow(1e6, b.law.alpha);
        b.law.B *= log(2) * pow(1e9, b.law.beta);
        b.law.E *= log(2);
        check_same(&a.law, &b.law, "millions, billions, bits");
    }
}

/* The trap: with one absolute tolerance, descent on the mean stops elsewhere than descent on the sum over
 * delta. */
static void test_descent(void) {
    sample s;
    lem_chinchilla_fitted fit;
    lem_chinchilla_end sum, mean;
    draw(&s, 1, 0.004, 0.003);
    lem_chinchilla start = s.law;
    start.alpha *= 1.2;
    start.A *= pow(1e9, start.alpha / 6);
    lem_chinchilla_descent how = {.scaling = LEM_DESCEND_SUM_OVER_DELTA,
                                  .centred = true,
                                  .delta = 1e-3,
                                  .step = 0.01,
                                  .tolerance = 1e-5,
                                  .iterations = 1000};
    LEM_CHECK(lem_chinchilla_fit(&s.data, 1e-3, &fit) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_chinchilla_descend(&s.data, &start, &how, &sum) == 0, "%s", lem_last_error());
    how.scaling = LEM_DESCEND_MEAN;
    LEM_CHECK(lem_chinchilla_descend(&s.data, &start, &how, &mean) == 0, "%s", lem_last_error());
    LEM_CHECK(sum.objective < fit.objective * (1 + 1e-6), "sum/delta ends %g above",
              sum.objective / fit.objective - 1);
    LEM_CHECK(mean.stopped && mean.objective > fit.objective * (1 + 1e-3), "mean ends %g above",
              mean.objective / fit.objective - 1);
    LEM_CHECK_NEAR(lem_chinchilla_objective(&mean.law, &s.data, 1e-3, LEM_REDUCE_SUM) / mean.objective, 1,
                   1e-9);
    lem_chinchilla_descent bad = how;
    bad.delta = INFINITY;
    LEM_CHECK_ERROR(lem_chinchilla_descend(&s.data, &start, &bad, &mean), "delta = inf");
    bad = how;
    bad.step = 0;
    LEM_CHECK_ERROR(lem_chinchilla_descend(&s.data, &start, &bad, &mean), "step = 0");
    bad = how;
    bad.iterations = 0;
    LEM_CHECK_ERROR(lem_chinchilla_descend(&s.data, &start, &bad, &mean), "iterations = 0");
    start.E = 0;
    LEM_CHECK_ERROR(lem_chinchilla_descend(&s.data, &start, &how, &mean), "start|positive");
    LEM_CHECK_ERROR(lem_chinchilla_descend(&s.data, NULL, &how, &mean), "null");
}

/* --- bootstrap ----------------------------------------------------------------------------------- */

/* No bit depends on the threads; each resample is a fit of its own rows (checked by fitting them afresh). */
static void test_bootstrap(void) {
    enum { R = 64 };
    sample s, t;
    lem_chinchilla_fitted fit, again;
    static double one[R][LEM_RESAMPLE_SIZE], many[R][LEM_RESAMPLE_SIZE];
    size_t failed = 99;
    draw(&s, 2, 0.004, 0.003);
    LEM_CHECK(lem_chinchilla_fit(&s.data, 1e-3, &fit) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_chinchilla_bootstrap(&s.data, 1e-3, &fit.law, R, 5, 1, one[0], &failed) == 0, "%s",
              lem_last_error());
    LEM_CHECK(failed == 0, "%zu resamples did not converge", failed);
    LEM_CHECK(lem_chinchilla_bootstrap(&s.data, 1e-3, &fit.law, R, 5, 3, many[0], NULL) == 0, "%s",
              lem_last_error());
    LEM_CHECK(memcmp(one, many, sizeof one) == 0, "1 and 3 threads differ");
    lem_stream stream;
    uint64_t rows[ROWS];
    LEM_CHECK(
        lem_stream_init(&stream, 5, lem_stream_id("lemmata"), lem_stream_id("chinchilla-bootstrap"), 0) == 0,
        "stream");
    t.data = (lem_chinchilla_data){ROWS, t.N, t.D, t.loss};
    for (int i = 0; i < 3; i++) {
        LEM_CHECK(lem_integer_fill(&stream, ROWS, ROWS, rows) == 0, "%s", lem_last_error());
        for (int k = 0; k < ROWS; k++) {
            t.N[k] = s.N[rows[k]];
            t.D[k] = s.D[rows[k]];
            t.loss[k] = s.loss[rows[k]];
        }
        LEM_CHECK(lem_chinchilla_fit(&t.data, 1e-3, &again) == 0, "%s", lem_last_error());
        const lem_chinchilla law = {one[i][LEM_RESAMPLE_A], one[i][LEM_RESAMPLE_B], one[i][LEM_RESAMPLE_E],
                                    one[i][LEM_RESAMPLE_ALPHA], one[i][LEM_RESAMPLE_BETA]};
        check_same(&law, &again.law, "resample");
    }
    LEM_CHECK_ERROR(lem_chinchilla_bootstrap(&s.data, 1e-3, NULL, R, 5, 1, one[0], NULL), "start|null");
    LEM_CHECK_ERROR(lem_chinchilla_bootstrap(&s.data, 1e-3, &fit.law, R, 5, 1, NULL, NULL),
                    "replicates|null");
    LEM_CHECK_ERROR(lem_chinchilla_bootstrap(&s.data, 1e-3, &fit.law, 0, 5, 1, one[0], NULL), "samples");
    LEM_CHECK_ERROR(lem_chinchilla_bootstrap(&s.data, 0, &fit.law, R, 5, 1, one[0], NULL), "delta = 0");
}

/* --- refusals ------------------------------------------------------------------------------------ */

static void test_bad_input(void) {
    sample s;
    lem_chinchilla_fitted fit = {.gradient = 7};
    draw(&s, 0, 0.004, 0);
    lem_chinchilla_data data = s.data;
    LEM_CHECK_ERROR(lem_chinchilla_fit(NULL, 1e-3, &fit), "data|null");
    LEM_CHECK_ERROR(lem_chinchilla_fit(&data, 1e-3, NULL), "fit|null");
    LEM_CHECK_ERROR(lem_chinchilla_fit(&data, -1, &fit), "delta = -1");
    LEM_CHECK_ERROR(lem_chinchilla_fit(&data, NAN, &fit), "delta = nan");
    data.n = 5;
    LEM_CHECK_ERROR(lem_chinchilla_fit(&data, 1e-3, &fit), "n = 5|at least 6");
    data.n = ROWS;
    s.loss[11] = 0;
    LEM_CHECK_ERROR(lem_chinchilla_fit(&data, 1e-3, &fit), "row 12|loss = 0|positive");
    s.loss[11] = NAN;
    LEM_CHECK_ERROR(lem_chinchilla_fit(&data, 1e-3, &fit), "row 12|loss = nan");
    s.loss[11] = 2;
    for (int k = 0; k < ROWS; k++)
        s.N[k] = 1e9;
    LEM_CHECK_ERROR(lem_chinchilla_fit(&data, 1e-3, &fit), "all N are equal");
    LEM_CHECK_NEAR(fit.gradient, 7, 0);
}

/* Data that do not determine the constants: loss independent of D, or growing with it, or no floor (E = 0).
 */
static void test_undetermined(void) {
    lem_chinchilla_fitted fit;
    for (int kind = 0; kind < 3; kind++) {
        sample s;
        draw(&s, 0, 0, 0);
        for (int k = 0; k < ROWS; k++) {
            const double wave = 1 + 0.001 * sin(12.9898 * k);
            s.loss[k] = wave * (kind == 0   ? 10 * pow(s.N[k], -0.1)
                                : kind == 1 ? 1 + pow(s.N[k] / 1e9, -0.3) + pow(s.D[k] / 1e10, 0.2)
                                            : 3 * pow(s.N[k] / 1e9, -0.3) + pow(s.D[k] / 1e10, -0.3));
        }
        const int status = lem_chinchilla_fit(&s.data, 1e-3, &fit);
        const bool said = status == GSL_EFAILED && (strstr(lem_last_error(), "did not converge") ||
                                                    strstr(lem_last_error(), "must be positive"));
        /* noise may make a tiny E or a tiny exponent fit best: then that is the answer, with its certificate
         */
        LEM_CHECK(said || (status == 0 && fit.gradient <= 1e-8), "kind %d: status %d, %s", kind, status,
                  lem_last_error());
    }
}

static const lem_tap_case cases[] = {
    {"gradient and Hessian", test_derivatives},
    {"exact data come back", test_exact_data},
    {"it is the minimum, for each threshold", test_minimum},
    {"units, copies and order do not matter", test_invariance},
    {"plain descent stops early on the mean", test_descent},
    {"bootstrap", test_bootstrap},
    {"bad input", test_bad_input},
    {"data that determine nothing", test_undetermined},
};
LEM_TAP_MAIN(cases)
