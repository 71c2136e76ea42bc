/* The simulated walk against the walk evolved exactly. */
#include "draw.h"
#include "stat/gof.h"
#include "walk/lattice.h"
#include "walk/walk_sample.h"

#include <stdlib.h>

enum { STEPS = 12, PATHS = 20000 };
static double m[PATHS];

static int pull(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)t;
    for (size_t i = 0; i < n; i++)
        out[i] = -*(const double *)ctx * x[i];
    return GSL_SUCCESS;
}

static int pull_scalar(double x, double t, const void *ctx, double *out) {
    return pull(1, &x, t, ctx, out);
}

/* ctx t: zero at first */
static int push(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)x;
    for (size_t i = 0; i < n; i++)
        out[i] = *(const double *)ctx * t;
    return GSL_SUCCESS;
}

static int push_scalar(double x, double t, const void *ctx, double *out) {
    return push(1, &x, t, ctx, out);
}

static void compare(const lem_block_field *drift, const double *probabilities) {
    lem_stream stream = stream_for("law");
    uint64_t counts[STEPS + 1] = {0};
    double cells[STEPS + 1];
    LEM_CHECK(lem_biased_walk_sample(&stream, drift, STEPS, .3, 1, .5, PATHS, m, NULL) == 0, "%s",
              lem_last_error());
    for (size_t i = 0; i < PATHS; i++)
        counts[(size_t)(m[i] + STEPS) / 2]++;
    for (size_t j = 0; j <= STEPS; j++)
        cells[j] = probabilities ? probabilities[2 * j] : lem_walk_pmf(STEPS, 2 * (long long)j - STEPS);
    lem_chisq_result r;
    LEM_CHECK(lem_chisq_test(STEPS + 1, counts, cells, &r) == 0, "%s", lem_last_error());
    LEM_CHECK(r.tail > 1e-6, "tail %g", r.tail);
}

static void test_law(void) {
    const double k = .4;
    const lem_field scalar = {pull_scalar, &k};
    const lem_block_field block = {pull, &k};
    double probabilities[2 * STEPS + 1], clipped;
    LEM_CHECK(lem_biased_walk_evolve(&scalar, STEPS, .3, 1, .5, 0, probabilities, &clipped) == 0, "%s",
              lem_last_error());
    compare(&block, probabilities);
    compare(NULL, NULL);
    const double growth = 2;
    const lem_field late = {push_scalar, &growth};
    const lem_block_field late_block = {push, &growth};
    LEM_CHECK(lem_biased_walk_evolve(&late, STEPS, .3, 1, .5, 0, probabilities, &clipped) == 0, "%s",
              lem_last_error());
    compare(&late_block, probabilities);
}

/* Beyond |x| = alpha/(k s) the drift asks for more than certainty. */
static void test_cut(void) {
    const double k = 30;
    const lem_block_field block = {pull, &k};
    lem_stream stream = stream_for("cut");
    uint64_t cut = 99;
    LEM_CHECK_ERROR(lem_biased_walk_sample(&stream, &block, STEPS, 1, 1, .5, 10, m, NULL),
                    "drift(x = 1, t = 0) = -30|more steps");
    LEM_CHECK(lem_biased_walk_sample(&stream, &block, STEPS, 1, 1, .5, 10, m, &cut) == 0, "%s",
              lem_last_error());
    LEM_CHECK(cut >= 10 && cut <= 10 * STEPS, "%d cuts", (int)cut);
    LEM_CHECK(lem_biased_walk_sample(&stream, &block, STEPS, 0, 1e-6, .5, 10, m, &cut) == 0 && cut == 0,
              "none");
}

static void test_refusals(void) {
    lem_stream stream = stream_for("refusals");
    LEM_CHECK_ERROR(lem_biased_walk_sample(&stream, NULL, 0, 0, 1, 1, 1, m, NULL), "n = 0");
    LEM_CHECK_ERROR(lem_biased_walk_sample(&stream, NULL, 1, NAN, 1, 1, 1, m, NULL), "x0 = nan");
    LEM_CHECK_ERROR(lem_biased_walk_sample(&stream, NULL, 1, 0, 0, 1, 1, m, NULL), "T = 0");
    LEM_CHECK_ERROR(lem_biased_walk_sample(&stream, NULL, 1, 0, 1, -1, 1, m, NULL), "alpha = -1");
    LEM_CHECK_ERROR(lem_biased_walk_sample(&stream, NULL, 1, 0, 1, 1, 0, m, NULL), "paths = 0");
    LEM_CHECK_ERROR(lem_biased_walk_sample(&stream, NULL, 1, 0, 1, 1, 1, NULL, NULL), "m = null");
    const double bad = NAN;
    const lem_block_field nan = {pull, &bad};
    LEM_CHECK_ERROR(lem_biased_walk_sample(&stream, &nan, 1, 2, 1, 1, 1, m, NULL),
                    "drift(x = 2, t = 0) = |nan: must be finite");
}

static const lem_tap_case cases[] = {
    {"the law of the walk evolved exactly", test_law},
    {"probabilities that are cut", test_cut},
    {"refusals", test_refusals},
};
LEM_TAP_MAIN(cases)
