/* Survival below a barrier: the closed form at its ends, and two simulations of it. */
#include "draw.h"
#include "stat/distribution.h"
#include "stat/mc.h"
#include "walk/first_passage.h"

static int constant(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)x, (void)t;
    for (size_t i = 0; i < n; i++)
        out[i] = *(const double *)ctx;
    return GSL_SUCCESS;
}

/* Without drift survival is 2 Phi(b/sqrt(aT)) - 1; it rises with b, from 0; a strong drift away from the
 * barrier leaves 1 - exp(2 mu b/a) for ever. */
static void test_limits(void) {
    for (double b = .01; b < 20; b *= 1.7)
        LEM_CHECK_NEAR(lem_drifted_bm_survival(b, 0, 2, 3), 1 - 2 * lem_normal_cdf(b / sqrt(6), LEM_UPPER),
                       1e-15);
    LEM_CHECK_NEAR(lem_drifted_bm_survival(1e-9, 0, 2, 3) / (1e-9 * 2 / sqrt(2 * 3.14159265358979324 * 6)), 1,
                   1e-14);
    LEM_CHECK(lem_drifted_bm_survival(0, 1, 1, 1) == 0 && lem_drifted_bm_survival(-1, 1, 1, 1) == 0,
              "at or above the barrier");
    LEM_CHECK_NEAR(lem_drifted_bm_survival(.3, -2, .5, 1e4), -expm1(-2 * 2 * .3 / .5), 1e-15);
    LEM_CHECK(lem_drifted_bm_survival(1, 100, .01, 1) == 0, "underflows to 0");
    /* a barrier out of reach, and a drift that nothing holds back: squares of the arguments overflow */
    LEM_CHECK(lem_drifted_bm_survival(1e300, .2, 1, 1) == 1 &&
                  lem_drifted_bm_survival(1, .2, 5e-324, 1) == 1 &&
                  lem_drifted_bm_survival(1, .2, 1, 5e-324) == 1,
              "certain survival");
    LEM_CHECK(lem_drifted_bm_survival(1, 1e300, 1, 1) == 0 && lem_drifted_bm_survival(1, .2, 1, 1e300) == 0,
              "none");
    LEM_CHECK_NEAR(lem_bridge_crossing_probability(0, 0, 1e-200, 1e-200, 1e-200), exp(-2), 1e-15);
    LEM_CHECK_NEAR(lem_bridge_crossing_probability(0, 0, 1e200, 1e200, 1e200), exp(-2), 1e-15);
    /* far below the barrier with a drift away from it: 1 - exp(2 mu b/a), of small b as well */
    for (double b = 1e-12; b < 1; b *= 31)
        LEM_CHECK_NEAR(lem_drifted_bm_survival(b, -2e4, 1, 1) / -expm1(-4e4 * b), 1, 1e-14);
}

/* Crossing chance of a bridge: 1 from above, symmetric, and the chain rule: a straight line of bridges over
 * two halves, averaged over the middle, is the bridge over the whole (by quadrature over the middle). */
static void test_bridge(void) {
    LEM_CHECK(lem_bridge_crossing_probability(1, .5, 1, 1, 1) == 1, "an end on the barrier");
    LEM_CHECK(lem_bridge_crossing_probability(.2, 3, 1, 1, 1) == 1, "an end above it");
    LEM_CHECK(lem_bridge_crossing_probability(.2, .7, 1, 2, 3) ==
                  lem_bridge_crossing_probability(.7, .2, 1, 2, 3),
              "symmetric");
    const double x = .1, y = -.3, b = .9, a = .8, h = 1.1, s = sqrt(a * h / 4);
    double survives = 0;
    const double step = 1e-3;
    for (double m = (x + y) / 2 - 12 * s; m < b; m += step) {
        const double z = (m - (x + y) / 2) / s;
        survives += step * exp(-z * z / 2) / (s * 2.50662827463100050) *
                    (1 - lem_bridge_crossing_probability(x, m, b, a, h / 2)) *
                    (1 - lem_bridge_crossing_probability(m, y, b, a, h / 2));
    }
    /* a Riemann sum of a function that vanishes, with a kink, at the barrier: error of order step^2 */
    LEM_CHECK_NEAR(survives, 1 - lem_bridge_crossing_probability(x, y, b, a, h), 10 * step * step);
}

static void test_weights(void) {
    double before[600], after[600], weight[600];
    for (size_t i = 0; i < 600; i++) {
        before[i] = -1 + 2.2 * (double)i / 600, after[i] = 1.1 - 2 * (double)i / 600, weight[i] = 2;
    }
    lem_bridge_survival_weights(600, before, after, 1, .7, .1, weight);
    for (size_t i = 0; i < 600; i++)
        LEM_CHECK_NEAR(weight[i], 2 * (1 - lem_bridge_crossing_probability(before[i], after[i], 1, .7, .1)),
                       1e-15);
}

static void simulate(const lem_sde *sde, double x0, size_t steps, lem_moments moments[2]) {
    const lem_first_passage problem = {sde, x0, x0 + 1, 1, steps};
    const lem_mc_plan plan = {.seed = 5,
                              .study = 1,
                              .purpose = 7,
                              .samples = 40000,
                              .chunk_size = 4000,
                              .n_moments = 2,
                              .threads = 1,
                              .chunk = lem_first_passage_chunk,
                              .ctx = &problem};
    LEM_CHECK(lem_mc_run(&plan, &(lem_mc_result){.moments = moments}) == 0, "%s", lem_last_error());
}

/* The correction has no bias even at two steps, looking at the grid has a large one. */
static void test_simulation(void) {
    const double mu = .2, exact = lem_drifted_bm_survival(1, mu, 1, 1);
    const lem_sde sde = {.drift = {constant, &mu}, .alpha = 1};
    for (size_t steps = 1; steps <= 9; steps *= 3) {
        lem_moments moments[2];
        simulate(&sde, steps == 3 ? -.7 : 0, steps, moments); /* what counts is the way to the barrier */
        check_mean(&moments[1], exact);
        LEM_CHECK(z_of(&moments[0], exact) > 10, "z = %g on the grid", z_of(&moments[0], exact));
    }
}

static void test_refusals(void) {
    LEM_CHECK_ERROR(isnan(lem_drifted_bm_survival(NAN, 0, 1, 1)), "b = nan");
    LEM_CHECK_ERROR(isnan(lem_drifted_bm_survival(1, INFINITY, 1, 1)), "mu = inf");
    LEM_CHECK_ERROR(isnan(lem_drifted_bm_survival(1, 0, 0, 1)), "a = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_drifted_bm_survival(1, 0, 1, -1)), "T = -1|positive");
    LEM_CHECK_ERROR(isnan(lem_drifted_bm_survival(1, 1e300, 1e-300, 1e-10)), "exceed|range");
    LEM_CHECK_ERROR(isnan(lem_bridge_crossing_probability(0, 0, 1, 0, 1)), "a = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_bridge_crossing_probability(0, 0, 1, 1, NAN)), "h = nan");
    LEM_CHECK_ERROR(isnan(lem_bridge_crossing_probability(NAN, 0, 1, 1, 1)), "x = nan");
    const double one = 1;
    const lem_sde sde = {.alpha = 1}, general = {.diffusion = {constant, &one}};
    lem_stream stream = stream_for("refusals");
    lem_moments moments[2];
    lem_mc_result out = {.moments = moments};
    LEM_CHECK_ERROR(
        lem_first_passage_chunk(&stream, 0, 1, NULL, &out, &(lem_first_passage){&sde, 1, 1, 1, 1}),
        "x0 = 1|below the barrier b = 1");
    LEM_CHECK_ERROR(
        lem_first_passage_chunk(&stream, 0, 1, NULL, &out, &(lem_first_passage){&general, 0, 1, 1, 1}),
        "diffusion|constant");
    LEM_CHECK_ERROR(lem_first_passage_chunk(&stream, 0, 1, NULL, &out, NULL), "null");
}

static const lem_tap_case cases[] = {
    {"limits of the closed form", test_limits},
    {"crossing of a bridge", test_bridge},
    {"weights on arrays", test_weights},
    {"simulation with and without the correction", test_simulation},
    {"refusals", test_refusals},
};
LEM_TAP_MAIN(cases)
