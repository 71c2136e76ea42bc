#include "linalg/matrices.h"
#include "scaling/chinchilla.h"
#include "scaling/chinchilla_twin.h"
#include "scaling/robust.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>

static test_rng rng = {1};

static double between(double low, double high) {
    return low + (high - low) * (test_unit(&rng) + 1) / 2;
}

static lem_chinchilla draw(void) {
    return (lem_chinchilla){exp(between(-2, 8)), exp(between(-2, 8)), between(0, 3), between(0.1, 1),
                            between(0.1, 1)};
}

/* Continuous with its slope at delta; between the parabola and the cone; least squares beyond. */
static void test_huber(void) {
    for (int i = 0; i < 1000; i++) {
        const double delta = exp(between(-9, 3)), r = between(-3, 3) * delta, h = 1e-6 * delta;
        const double f = lem_huber_loss(r, delta);
        LEM_CHECK_NEAR(lem_huber_loss(-r, delta), f, 0);
        LEM_CHECK(f <= r * r / 2 * (1 + 4 * DBL_EPSILON) &&
                      f >= (delta * fabs(r) - delta * delta / 2) * (1 - 1e-14),
                  "r = %g, delta = %g", r, delta);
        /* central difference of a function with |rho''| <= 1: at most h/2 off, and rounding 1e-16 f/h */
        const double slope = (lem_huber_loss(r + h, delta) - lem_huber_loss(r - h, delta)) / (2 * h);
        LEM_CHECK_NEAR(slope, fmax(-delta, fmin(delta, r)), h + 1e-9 * delta);
        LEM_CHECK_NEAR(lem_huber_loss(r, INFINITY), r * r / 2, 0);
    }
    LEM_CHECK_ERROR(isnan(lem_huber_loss(1, 0)), "delta = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_huber_loss(1, NAN)), "delta = nan");
    LEM_CHECK_ERROR(isnan(lem_huber_loss(INFINITY, 1)), "r = inf|finite");
}

static void test_laplace(void) {
    enum { N = 50 };
    double a[N], b[N];
    for (int i = 0; i < 200; i++) {
        const double factor = exp(between(-3, 3));
        for (int k = 0; k < N; k++)
            b[k] = between(-1, 1);
        for (int k = 0; k < N; k++)
            a[k] = factor * b[N - 1 - k];
        /* the sums carry N roundings at most, the logarithm their relative errors */
        LEM_CHECK_NEAR(lem_laplace_profile_lr(N, a, b), 2 * N * log(factor), 2 * N * N * DBL_EPSILON);
    }
    LEM_CHECK_NEAR(lem_laplace_profile_lr(N, b, b), 0, 0);
    const double zero[2] = {0, 0}, bad[2] = {1, NAN}, good[2] = {1, -1};
    LEM_CHECK_ERROR(isnan(lem_laplace_profile_lr(0, a, b)), "n = 0");
    LEM_CHECK_ERROR(isnan(lem_laplace_profile_lr(2, NULL, b)), "null");
    LEM_CHECK_ERROR(isnan(lem_laplace_profile_lr(2, zero, good)), "restricted|positive");
    LEM_CHECK_ERROR(isnan(lem_laplace_profile_lr(2, good, zero)), "full|positive");
    LEM_CHECK_ERROR(isnan(lem_laplace_profile_lr(2, bad, good)), "restricted|finite");
}

/* dL/dlog N at fixed C. */
static double slope(const lem_chinchilla *law, double N, double C) {
    return -law->alpha * law->A * pow(N, -law->alpha) + law->beta * law->B * pow(C / 6 / N, -law->beta);
}

/* The derivative changes its sign at N*, within a rounding or so: both terms are equal there, relative to
 * each other the condition is one. The ratio is D over N. */
static void test_optimum(void) {
    for (int i = 0; i < 1000; i++) {
        const lem_chinchilla law = draw();
        const double C = exp(between(10, 70));
        const double N = lem_chinchilla_optimal_params(law.A, law.B, law.alpha, law.beta, C);
        const double ratio = lem_chinchilla_tokens_per_parameter(law.A, law.B, law.alpha, law.beta, C);
        LEM_CHECK(slope(&law, N * (1 - 1e-12), C) < 0 && slope(&law, N * (1 + 1e-12), C) > 0,
                  "A %g B %g alpha %g beta %g C %g: N* = %g", law.A, law.B, law.alpha, law.beta, C, N);
        LEM_CHECK_NEAR(C / 6 / N / N / ratio, 1, 1e-12);
        LEM_CHECK(lem_chinchilla_eval(&law, N, C / 6 / N) <=
                          lem_chinchilla_eval(&law, 1.1 * N, C / 6 / N / 1.1) &&
                      lem_chinchilla_eval(&law, N, C / 6 / N) <=
                          lem_chinchilla_eval(&law, N / 1.1, 1.1 * C / 6 / N),
                  "a neighbour is better");
        /* swapping the roles of N and D swaps them */
        LEM_CHECK_NEAR(lem_chinchilla_optimal_params(law.B, law.A, law.beta, law.alpha, C) * N / (C / 6), 1,
                       1e-12);
    }
    LEM_CHECK_ERROR(isnan(lem_chinchilla_optimal_params(1, 1, 0, 1, 1)), "alpha = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_chinchilla_optimal_params(1, 1, 1, -1, 1)), "beta = -1|positive");
    LEM_CHECK_ERROR(isnan(lem_chinchilla_optimal_params(1, 1, 1, 1, INFINITY)), "C = inf|finite");
    LEM_CHECK_ERROR(isnan(lem_chinchilla_optimal_params(1e300, 1e-300, 0.3, 0.3, 1e20)), "N* = inf");
    LEM_CHECK_ERROR(isnan(lem_chinchilla_tokens_per_parameter(0, 1, 1, 1, 1)), "A = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_chinchilla_tokens_per_parameter(1, NAN, 1, 1, 1)), "B = nan|positive");
    LEM_CHECK_ERROR(isnan(lem_chinchilla_tokens_per_parameter(1, 1, 1, 1, 0)), "C = 0|positive");
}

/* Objective and residuals against their definition. */
static void test_objective(void) {
    enum { N = 30 };
    double n[N], d[N], loss[N], r[N];
    for (int i = 0; i < 100; i++) {
        const lem_chinchilla law = draw();
        const lem_chinchilla_data data = {N, n, d, loss};
        double huber = 0, squares = 0;
        const double delta = exp(between(-8, 0));
        for (int k = 0; k < N; k++) {
            n[k] = exp(between(0, 20));
            d[k] = exp(between(0, 20));
            loss[k] = exp(between(-2, 2));
        }
        LEM_CHECK(lem_chinchilla_residuals(&law, &data, r) == 0, "%s", lem_last_error());
        for (int k = 0; k < N; k++) {
            LEM_CHECK_NEAR(r[k], log(loss[k]) - log(lem_chinchilla_eval(&law, n[k], d[k])), 1e-14);
            huber += lem_huber_loss(r[k], delta);
            squares += r[k] * r[k] / 2;
        }
        LEM_CHECK_NEAR(lem_chinchilla_objective(&law, &data, delta, LEM_REDUCE_SUM), huber, 0);
        LEM_CHECK_NEAR(lem_chinchilla_objective(&law, &data, delta, LEM_REDUCE_MEAN) * N, huber,
                       1e-15 * huber);
        LEM_CHECK_NEAR(lem_chinchilla_objective(&law, &data, INFINITY, LEM_REDUCE_SUM), squares,
                       1e-15 * squares);
    }
    const lem_chinchilla law = {1, 1, 1, 1, 1}, wrong = {1, 1, -1, 1, 1};
    n[3] = -2;
    const lem_chinchilla_data data = {N, n, d, loss}, none = {0, n, d, loss}, null = {N, n, NULL, loss};
    LEM_CHECK_ERROR(lem_chinchilla_residuals(&law, &data, r), "row 4|N = -2|positive");
    LEM_CHECK_ERROR(isnan(lem_chinchilla_objective(&law, &data, 1, LEM_REDUCE_SUM)), "row 4");
    LEM_CHECK_ERROR(lem_chinchilla_residuals(&law, &none, r), "n = 0");
    LEM_CHECK_ERROR(lem_chinchilla_residuals(&law, &null, r), "null");
    LEM_CHECK_ERROR(lem_chinchilla_residuals(&wrong, &data, r), "E = -1");
    n[3] = 1;
    LEM_CHECK_ERROR(isnan(lem_chinchilla_objective(&law, &data, 0, LEM_REDUCE_SUM)), "delta = 0");
    LEM_CHECK_ERROR(isnan(lem_chinchilla_eval(&law, 0, 1)), "N = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_chinchilla_eval(&law, 1, INFINITY)), "D = inf");
    const lem_chinchilla steep = {1, 1, 1, 2, 1};
    LEM_CHECK_ERROR(isnan(lem_chinchilla_eval(&steep, 1e-300, 1)), "too large");
}

static void test_published(void) {
    lem_chinchilla law;
    LEM_CHECK(lem_chinchilla_published(LEM_HOFFMANN_TEX, &law) == 0, "%s", lem_last_error());
    /* the paper's TeX holds logarithms */
    LEM_CHECK_NEAR(log(law.A), 6.0073404, 5e-9);
    LEM_CHECK_NEAR(log(law.B), 6.0179186, 5e-9);
    LEM_CHECK_NEAR(log(law.E), 0.5267228, 5e-9);
    LEM_CHECK_ERROR(lem_chinchilla_published((lem_chinchilla_set)17, &law), "set = 17");
    LEM_CHECK_ERROR(lem_chinchilla_published(LEM_BESIROGLU, NULL), "null");
}

/* The twin's grid lies in the published ranges; its losses are the law's times exp of rounded noise. */
static void test_twin(void) {
    enum { N = LEM_CHINCHILLA_TWIN_ROWS };
    double n[N], d[N], loss[N];
    lem_stream stream;
    lem_chinchilla law;
    LEM_CHECK(lem_chinchilla_twin_grid(n, d) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_chinchilla_published(LEM_BESIROGLU, &law) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_stream_init(&stream, 1, lem_stream_id("test"), lem_stream_id("twin"), 0) == 0, "stream");
    for (int i = 0; i < N; i++)
        LEM_CHECK(n[i] > 6.9e7 && n[i] < 1.61e10 && d[i] / n[i] > 0.59 && d[i] / n[i] < 351 &&
                      6 * n[i] * d[i] > 5.9e18 && 6 * n[i] * d[i] < 3.1e21,
                  "row %d: N = %g, D = %g", i + 1, n[i], d[i]);
    LEM_CHECK(lem_chinchilla_twin_losses(&stream, &law, (lem_chinchilla_noise){0, 0}, N, n, d, loss) == 0,
              "%s", lem_last_error());
    for (int i = 0; i < N; i++)
        LEM_CHECK_NEAR(loss[i] / lem_chinchilla_eval(&law, n[i], d[i]), 1, 4 * DBL_EPSILON);
    const double step = 0.003;
    LEM_CHECK(lem_chinchilla_twin_losses(&stream, &law, (lem_chinchilla_noise){0.004, step}, N, n, d, loss) ==
                  0,
              "%s", lem_last_error());
    for (int i = 0; i < N; i++)
        LEM_CHECK_NEAR(log(loss[i]) / step, rint(log(loss[i]) / step), 1e-10);
    LEM_CHECK_ERROR(lem_chinchilla_twin_losses(&stream, &law, (lem_chinchilla_noise){-1, 0}, N, n, d, loss),
                    "scale = -1");
    LEM_CHECK_ERROR(lem_chinchilla_twin_losses(&stream, &law, (lem_chinchilla_noise){0, NAN}, N, n, d, loss),
                    "step = nan");
    LEM_CHECK_ERROR(lem_chinchilla_twin_losses(&stream, &law, (lem_chinchilla_noise){0, 0}, N, n, NULL, loss),
                    "null");
    LEM_CHECK_ERROR(lem_chinchilla_twin_grid(n, NULL), "null");
}

static const lem_tap_case cases[] = {
    {"Huber's loss", test_huber},
    {"likelihood ratio of Laplace residuals", test_laplace},
    {"the optimum at a budget", test_optimum},
    {"objective and residuals", test_objective},
    {"published constants", test_published},
    {"the synthetic twin", test_twin},
};
LEM_TAP_MAIN(cases)
