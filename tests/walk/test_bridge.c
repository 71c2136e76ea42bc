/* Brownian bridges and Feynman-Kac weights: ends, covariance, and lattice kernels without discretisation
 * error. */
#include "draw.h"
#include "walk/bridge.h"
#include "walk/oscillator.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 20000, SLICES = 5 };

/* omega^2 x^2/2, times ctx[1] */
static int harmonic(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)t;
    const double *c = ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = c[1] * c[0] * c[0] * x[i] * x[i] / 2;
    return GSL_SUCCESS;
}

/* Both ends are met on the first use and on every other one, and two uses differ. */
static void test_reuse(void) {
    lem_stream stream = stream_for("reuse");
    double path[3][SLICES + 1];
    for (size_t use = 0; use < 3; use++) {
        LEM_CHECK(lem_brownian_bridge(&stream, .5, -.4, 1, 2, SLICES, 1, path[use]) == 0, "%s",
                  lem_last_error());
        LEM_CHECK(path[use][0] == .5 && path[use][SLICES] == -.4, "ends %g, %g at use %zu", path[use][0],
                  path[use][SLICES], use);
        for (size_t k = 1; use && k < SLICES; k++)
            LEM_CHECK(path[use][k] != path[use - 1][k], "a new path at use %zu", use);
    }
    LEM_CHECK(stream.item == 3 * (SLICES - 1), "n - 1 normals a path, not %d", (int)stream.item);
}

/* mean xa + (xb - xa) t/T, covariance alpha s (T - t)/T for s <= t */
static void test_law(void) {
    static double paths[(SLICES + 1) * COUNT], products[COUNT];
    const double xa = 1, xb = -2, T = 2, alpha = .6;
    lem_stream stream = stream_for("law");
    LEM_CHECK(lem_brownian_bridge(&stream, xa, xb, T, alpha, SLICES, COUNT, paths) == 0, "%s",
              lem_last_error());
    for (size_t k = 1; k < SLICES; k++) {
        const double t = T * (double)k / SLICES, mean = xa + (xb - xa) * t / T;
        const lem_moments m = moments_of(COUNT, paths + k * COUNT);
        check_mean(&m, mean);
        check_variance(&m, alpha * t * (T - t) / T);
        for (size_t j = 1; j < k; j++) {
            const double s = T * (double)j / SLICES, mean_j = xa + (xb - xa) * s / T;
            for (size_t i = 0; i < COUNT; i++)
                products[i] = (paths[k * COUNT + i] - mean) * (paths[j * COUNT + i] - mean_j);
            const lem_moments product = moments_of(COUNT, products);
            check_mean(&product, alpha * s * (T - t) / T);
        }
    }
}

static void kernel_of(double weight, lem_feynman_kac_result *result, const lem_feynman_kac **used) {
    static double c[2];
    static lem_feynman_kac problem;
    c[0] = 1.3, c[1] = weight;
    problem = (lem_feynman_kac){{harmonic, c}, .5, -.4, 1.5, .8, 4};
    *used = &problem;
    const lem_feynman_kac_run run = {.seed = 3, .study = 1, .purpose = 2, .samples = 50000, .threads = 1};
    LEM_CHECK(lem_feynman_kac_mc(&problem, &run, result) == 0, "%s", lem_last_error());
}

/* On 4 slices the mean is the kernel of 4 slices, not that of the continuum; and at half the potential, a
 * mistake that no finer grid shows, it is neither. */
static void test_lattice_kernel(void) {
    lem_feynman_kac_result r;
    const lem_feynman_kac *p;
    kernel_of(1, &r, &p);
    const double lattice = lem_mehler_kernel_trapezoid(p->xb, p->xa, p->T, 1.3, p->alpha, p->slices),
                 continuum = lem_mehler_kernel(p->xb, p->xa, p->T, 1.3, p->alpha);
    const double error = r.kernel * r.relative_error;
    LEM_CHECK_NEAR(r.kernel, lattice, 5 * error);
    LEM_CHECK(fabs(r.kernel - continuum) > 5 * error, "%g and %g are told apart, error %g", r.kernel,
              continuum, error);
    /* the second moment of the weights is the kernel at sqrt(2) omega */
    const double free_kernel = lem_mehler_kernel(p->xb, p->xa, p->T, 0, p->alpha);
    const double second = lem_mehler_kernel_trapezoid(p->xb, p->xa, p->T, 1.3 * sqrt(2), p->alpha, p->slices);
    LEM_CHECK_NEAR(r.relative_variance, second * free_kernel / (lattice * lattice) - 1,
                   5 * lem_moments_variance_stderr(&r.weights) / pow(lem_moments_mean(&r.weights), 2) +
                       10 * r.relative_error * r.relative_variance);
    kernel_of(.5, &r, &p);
    LEM_CHECK(fabs(r.kernel - lattice) > 50 * r.kernel * r.relative_error, "half the potential: %g",
              r.kernel);
}

/* The same bits for any number of threads; a potential of 1e6 and one of -1e6 do not under- or overflow. */
static void test_scales(void) {
    double c[] = {1, 2e6};
    const lem_feynman_kac problem = {{harmonic, c}, 1, 1, .01, 1, 3};
    lem_feynman_kac_run run = {.seed = 3, .study = 1, .purpose = 2, .samples = 10000, .threads = 1};
    lem_feynman_kac_result one, two;
    LEM_CHECK(lem_feynman_kac_mc(&problem, &run, &one) == 0, "%s", lem_last_error());
    run.threads = 2;
    LEM_CHECK(lem_feynman_kac_mc(&problem, &run, &two) == 0, "%s", lem_last_error());
    LEM_CHECK(memcmp(&one, &two, sizeof one) == 0, "threads change no bit");
    LEM_CHECK(one.kernel == 0 && isfinite(one.log_kernel) && one.log_kernel < -1000, "log K = %g",
              one.log_kernel);
    c[1] = -2e5;
    LEM_CHECK(lem_feynman_kac_mc(&problem, &run, &one) == 0, "%s", lem_last_error());
    LEM_CHECK(one.log_kernel > 700 && one.kernel > 0, "log K = %g", one.log_kernel);
}

/* The weights belong to the paths, and are the same without them. */
static void test_weights(void) {
    enum { N = 600 };
    static double paths[(SLICES + 1) * N], with[N], without[N];
    const double c[] = {1.3, 1}, T = 1.5, alpha = .8;
    const lem_feynman_kac p = {{harmonic, c}, .5, -.4, T, alpha, SLICES};
    lem_stream a = stream_for("weights"), b = a;
    LEM_CHECK(lem_feynman_kac_paths(&a, &p, N, paths, with) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_feynman_kac_paths(&b, &p, N, NULL, without) == 0, "%s", lem_last_error());
    LEM_CHECK(memcmp(with, without, sizeof with) == 0, "the same weights");
    for (size_t i = 0; i < N; i += 37) {
        double action = 0;
        for (size_t k = 0; k <= SLICES; k++) {
            const double x = paths[k * N + i];
            action += (k == 0 || k == SLICES ? .5 : 1) * 1.69 * x * x / 2 * T / SLICES;
        }
        LEM_CHECK_NEAR(with[i], -action / alpha, 1e-14 * action);
        LEM_CHECK(paths[i] == .5 && paths[SLICES * N + i] == -.4, "the ends");
    }
}

/* ctx t, the same everywhere: the trapezoid sum of it is its integral, c T^2/2, on every path. */
static int ramp(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)x;
    for (size_t i = 0; i < n; i++)
        out[i] = *(const double *)ctx * t;
    return GSL_SUCCESS;
}

static void test_clock(void) {
    const double c = 1.4, T = 2.5, alpha = .8;
    double log_weight[3];
    for (size_t slices = 1; slices <= 7; slices += 3) {
        const lem_feynman_kac p = {{ramp, &c}, .5, -.4, T, alpha, slices};
        lem_stream stream = stream_for("clock");
        LEM_CHECK(lem_feynman_kac_paths(&stream, &p, 3, NULL, log_weight) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < 3; i++)
            LEM_CHECK_NEAR(log_weight[i], -c * T * T / (2 * alpha), 1e-14);
    }
}

/* nothing right of 2 */
static int left_only(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)t, (void)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = x[i] > 2 ? NAN : 0;
    return GSL_SUCCESS;
}

/* One place that is not finite is found wherever it stands in the array. */
static void test_block_field(void) {
    const lem_block_field field = {left_only, NULL};
    double x[20] = {0}, out[20];
    LEM_CHECK(lem_block_field_at(&field, "potential", 20, x, 1, out) == 0, "%s", lem_last_error());
    for (size_t i = 0; i < 20; i++) {
        x[i] = 3;
        LEM_CHECK_ERROR(lem_block_field_at(&field, "potential", 20, x, 1, out),
                        "potential(x = 3, t = 1) = nan|finite");
        x[i] = 0;
    }
}

static int nowhere(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = t > .7 ? NAN : x[i];
    return GSL_SUCCESS;
}

static void test_refusals(void) {
    lem_stream stream = stream_for("refusals");
    double out[8];
    LEM_CHECK_ERROR(lem_brownian_bridge(&stream, NAN, 0, 1, 1, 1, 1, out), "xa = nan");
    LEM_CHECK_ERROR(lem_brownian_bridge(&stream, 0, INFINITY, 1, 1, 1, 1, out), "xb = inf");
    LEM_CHECK_ERROR(lem_brownian_bridge(&stream, 0, 0, 0, 1, 1, 1, out), "T = 0|positive");
    LEM_CHECK_ERROR(lem_brownian_bridge(&stream, 0, 0, 1, -1, 1, 1, out), "alpha = -1|positive");
    LEM_CHECK_ERROR(lem_brownian_bridge(&stream, 0, 0, 1, 1, 0, 1, out), "n = 0");
    LEM_CHECK_ERROR(lem_brownian_bridge(&stream, 0, 0, 1, 1, 1, 0, out), "count = 0");
    LEM_CHECK_ERROR(lem_brownian_bridge(&stream, 0, 0, 1, 1, 1, 1, NULL), "out = null");
    const lem_feynman_kac bad = {{nowhere, NULL}, 0, 0, 1, 1, 4}, none = {.T = 1, .alpha = 1, .slices = 4};
    LEM_CHECK_ERROR(lem_feynman_kac_paths(&stream, &bad, 2, NULL, out), "potential(x = |t = 0.75) = nan");
    LEM_CHECK_ERROR(lem_feynman_kac_paths(&stream, &none, 2, NULL, out), "potential = null");
    LEM_CHECK_ERROR(lem_feynman_kac_paths(&stream, NULL, 2, NULL, out), "problem = null");
    LEM_CHECK_ERROR(lem_feynman_kac_paths(&stream, &bad, 2, NULL, NULL), "log_weight = null");
    const double weights[] = {0, NAN};
    lem_feynman_kac_result result;
    LEM_CHECK_ERROR(lem_feynman_kac_reduce(&bad, 2, weights, &result), "log_weight[1] = nan");
    LEM_CHECK_ERROR(lem_feynman_kac_reduce(&bad, 1, weights, &result), "n = 1|>= 2");
    LEM_CHECK_ERROR(lem_feynman_kac_mc(&bad, NULL, &result), "run = null");
    LEM_CHECK_ERROR(lem_feynman_kac_mc(&bad, &(lem_feynman_kac_run){.samples = 0}, &result), "samples");
}

static const lem_tap_case cases[] = {
    {"the end point is exact on reuse", test_reuse},
    {"mean and covariance", test_law},
    {"the kernel on four slices, and half the potential", test_lattice_kernel},
    {"no under- or overflow, no thread counts", test_scales},
    {"weights belong to their paths", test_weights},
    {"the potential is asked at its times", test_clock},
    {"a field on an array", test_block_field},
    {"refusals", test_refusals},
};
LEM_TAP_MAIN(cases)
