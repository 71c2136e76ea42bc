#include "coverage.h"
#include "stat/moments.h"
#include "stat/weighted.h"

#include <float.h>
#include <math.h>

enum { N = 12 };

static void test_equal_weights(void) {
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    for (int scale = -300; scale <= 300; scale += 100) {
        double w[10], x10[10];
        lem_weighted out;
        for (int i = 0; i < 10; i++) {
            w[i] = i < 8 ? pow(10, scale) : 0; /* weight zero: as if not there */
            x10[i] = i < 8 ? x[i] : 1e6;
        }
        LEM_CHECK(lem_weighted_mean(10, x10, w, &out) == 0, "%s", lem_last_error());
        LEM_CHECK_NEAR(out.mean, 5, 1e-14);
        LEM_CHECK_NEAR(out.standard_error, sqrt(4.0 / 7), 1e-14);
        LEM_CHECK_NEAR(out.effective_n, 8, 1e-13);
    }
}

/* x = 0, 3 with weights 1, 2: v = 1/3, 2/3; mean 2; S2 = 5/9, S3 = 1/3, sum v^2 d^2 = 4/9 + 4/9;
 * S2 - 2 S3 + S2^2 = 16/81; 8/9 * 5/9 * 81/16 = 5/2. */
static void test_by_hand(void) {
    lem_weighted out;
    LEM_CHECK(lem_weighted_mean(2, (double[]){0, 3}, (double[]){1, 2}, &out) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(out.mean, 2, 1e-15);
    LEM_CHECK_NEAR(out.standard_error, sqrt(2.5), 1e-14);
    LEM_CHECK_NEAR(out.effective_n, 1.8, 1e-14);
}

static int weighted_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                          const void *ctx) {
    (void)first, (void)workspace;
    const double *weights = ctx;
    for (size_t i = 0; i < count; i++) {
        double x[N];
        lem_weighted w;
        int status = lem_normal_fill(stream, N, x);
        if (!status)
            status = lem_weighted_mean(N, x, weights, &w);
        if (!status)
            status = lem_moments_add(&out->moments[0], w.standard_error * w.standard_error);
        if (!status)
            status = lem_moments_add(&out->moments[1], w.mean);
        if (status)
            return status;
    }
    return GSL_SUCCESS;
}

/* The squared error is unbiased for fixed weights: its average over 20000 samples is 1 / effective_n
 * within 6.5 deviations (1e-10 two-sided), too small and too large alike; and so is the spread of the means
 * themselves. */
static void test_unbiased(void) {
    for (int kind = 0; kind < 3; kind++) {
        double weights[N], s2 = 0, sum = 0;
        for (int i = 0; i < N; i++) {
            weights[i] = kind == 0 ? 1 : kind == 1 ? pow(1.5, i) : i == 3 ? 8 : 0.5;
            sum += weights[i];
            s2 += weights[i] * weights[i];
        }
        lem_moments m[2];
        lem_mc_plan plan = {
            .seed = 8, .study = 1, .purpose = (uint32_t)kind, .samples = 20000, .chunk_size = 500};
        plan.n_moments = 2;
        plan.chunk = weighted_chunk;
        plan.ctx = weights;
        LEM_CHECK(lem_mc_run(&plan, &(lem_mc_result){.moments = m}) == 0, "%s", lem_last_error());
        LEM_CHECK_NEAR(lem_moments_mean(&m[0]), s2 / sum / sum, 6.5 * lem_moments_stderr(&m[0]));
        LEM_CHECK_NEAR(lem_moments_variance(&m[1]), s2 / sum / sum, 6.5 * lem_moments_variance_stderr(&m[1]));
        LEM_CHECK(lem_moments_stderr(&m[0]) < 0.02 * s2 / sum / sum, "the test has power");
    }
}

static void test_refused(void) {
    lem_weighted out = {7, 7, 7};
    const double x[] = {1, 2, 3};
    LEM_CHECK_ERROR(lem_weighted_mean(3, (double[]){1, NAN, 3}, x, &out), "x[1] = |finite");
    LEM_CHECK_ERROR(lem_weighted_mean(3, x, (double[]){1, -1, 3}, &out), "weights[1] = -1|>= 0");
    LEM_CHECK_ERROR(lem_weighted_mean(3, x, (double[]){1, INFINITY, 3}, &out), "weights[1] = inf|finite");
    LEM_CHECK_ERROR(lem_weighted_mean(3, x, (double[]){0, 0, 3}, &out), "1 of 3|>= 2");
    LEM_CHECK_ERROR(lem_weighted_mean(0, x, x, &out), "0 of 0");
    LEM_CHECK_ERROR(lem_weighted_mean(3, x, (double[]){1e-30, 0, 3}, &out), "outweighs");
    LEM_CHECK_ERROR(lem_weighted_mean(3, NULL, x, &out), "x is null");
    LEM_CHECK_ERROR(lem_weighted_mean(3, x, x, NULL), "out is null");
    LEM_CHECK(out.mean == 7, "left as it was");
}

static const lem_tap_case cases[] = {
    {"equal weights give the plain mean and its error", test_equal_weights},
    {"two values by hand", test_by_hand},
    {"the squared error is unbiased for any fixed weights", test_unbiased},
    {"bad arguments are refused", test_refused},
};
LEM_TAP_MAIN(cases)
