/* Mean-field entropies and the scales that hold them: limits, identities, refusals. */
#include "attention/entropy_scale.h"
#include "attention/planted.h"
#include "attention/quenched.h"
#include "attention/sphere.h"
#include "rng/stream.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>

static lem_stream rng;

static double log_between(double low, double high) {
    return low * pow(high / low, lem_uniform(&rng));
}

/* In c the rate is -log(1 - c^2)/2 and lambda = c/(1 - c^2): from c there is no square root to cancel. c = 1
 * - e is as good as e there. */
static void test_rate(void) {
    LEM_CHECK(lem_stream_init(&rng, 1, lem_stream_id("test"), lem_stream_id("entropy scale"), 0) == 0,
              "stream");
    for (int i = 0; i < 500; i++) {
        const double e = log_between(1e-12, 1), c = 1 - e, sine2 = e * (2 - e);
        const double rate = -(c < .5 ? log1p(-c * c) : log(sine2)) / 2;
        /* the rate of lambda moves by at most as much as lambda, relatively, times two */
        LEM_CHECK_NEAR(lem_entropy_rate_large_d(c / sine2), rate, 64 * DBL_EPSILON * rate);
    }
    for (int i = 0; i < 100; i++) {
        const double small = log_between(1e-100, 1e-9), large = log_between(1e9, 1e150);
        LEM_CHECK_NEAR(lem_entropy_rate_large_d(small), small * small / 2, 64 * DBL_EPSILON * small * small);
        LEM_CHECK_NEAR(lem_entropy_rate_large_d(large), log(large) / 2, 1e-9);
        LEM_CHECK_NEAR(lem_vmf_kl_correction(large), .5 - log(large / 2) / 2, 1e-8);
        const double tiny = log_between(1e-60, 1e-9), fourth = 1.5 * pow(tiny, 4);
        LEM_CHECK_NEAR(lem_vmf_kl_correction(tiny), fourth, 64 * DBL_EPSILON * fourth);
    }
    LEM_CHECK(lem_entropy_rate_large_d(0) == 0 && !signbit(lem_entropy_rate_large_d(0)), "rate at 0");
    LEM_CHECK(lem_vmf_kl_correction(0) == 0, "correction at 0");
}

/* D_d(lambda d) - d r - correction falls like 1/d: at d = 1e6 within 1e-6 (the coefficient is below 1). */
static void test_limit(void) {
    for (int i = 0; i < 200; i++) {
        const double lambda = log_between(.01, 5), d = 1e6;
        const double rest = lem_vmf_kl_uniform(lambda * d, d) - d * lem_entropy_rate_large_d(lambda);
        LEM_CHECK_NEAR(rest, lem_vmf_kl_correction(lambda), 1e-6 + 64 * DBL_EPSILON * d);
    }
}

static void test_tangent(void) {
    const double at = lem_tangent_lambda(), most = lem_tangent_ratio();
    LEM_CHECK_NEAR(lem_entropy_rate_large_d(at) / at, most, 64 * DBL_EPSILON * most);
    for (int i = 0; i < 200; i++) {
        const double lambda = log_between(.01, 100);
        LEM_CHECK(lem_entropy_rate_large_d(lambda) / lambda <= most * (1 + 8 * DBL_EPSILON), "more at %g",
                  lambda);
    }
}

/* It is the root, and where log(n/n0) is far below d it is sqrt(d (1 + 2 log(n/n0))). */
static void test_constant_entropy(void) {
    for (int i = 0; i < 300; i++) {
        const double d = log_between(2, 1e6), n0 = log_between(1, 1e6), n = n0 * log_between(1, 1e4);
        const double target = log(n / n0) + lem_vmf_kl_uniform(sqrt(d), d);
        const double kappa = lem_meanfield_kappa_for_constant_entropy(n, n0, d);
        LEM_CHECK_NEAR(lem_vmf_kl_uniform(kappa, d), target, 1e-12 * target + 1e-13 * d);
        LEM_CHECK_NEAR(lem_meanfield_kappa_for_constant_entropy(n0, n0, d), sqrt(d), 1e-13 * sqrt(d));
        const double d_large = 1e10, simple = sqrt(d_large * (1 + 2 * log(n / n0)));
        LEM_CHECK_NEAR(lem_meanfield_kappa_for_constant_entropy(n, n0, d_large), simple, 1e-7 * simple);
    }
    LEM_CHECK(lem_meanfield_kappa_for_constant_entropy(50, 64, 64) < 8, "fewer keys");
}

/* The closed form leaves out the second order of u/d: relatively below 8 (u/d)^2 while u < d/10. */
static void test_closed_form(void) {
    for (int i = 0; i < 300; i++) {
        const double n0 = log_between(1, 1e6), n = n0 * log_between(1, 1e4), u = 1 + 2 * log(n / n0);
        const double d = u * log_between(10, 1e5);
        const double exact = lem_meanfield_kappa_for_constant_entropy(n, n0, d) / sqrt(d);
        LEM_CHECK_NEAR(lem_entropy_scale_factor(n, n0, d), exact, (8 * u / d * u / d + 1e-12) * exact);
    }
    LEM_CHECK_NEAR(lem_entropy_scale_factor(77, 77, 5), 1, 0);
    /* u = 1 + 2 log 64: written out, with the coefficient 3/(2 (d + 2)) */
    const double u = 1 + 12 * M_LN2;
    LEM_CHECK_NEAR(lem_entropy_scale_factor(4096, 64, 10), sqrt(u + (u * u - 1) / 8), 8 * DBL_EPSILON);
    LEM_CHECK(lem_log_length_scale(1, 64) == 0 && lem_log_length_scale(64, 64) == 1, "logarithm");
    LEM_CHECK_NEAR(lem_log_length_scale(4096, 64), 2, 4 * DBL_EPSILON);
    LEM_CHECK_NEAR(lem_quenched_entropy_sphere(1, 8 * lem_log_length_scale(1, 64), 64), 0, 1e-13);
}

/* Both signs of gap and scale. The product loses up to 350 epsilons in double precision. */
static void test_planted(void) {
    for (int i = 0; i < 300; i++) {
        const double n = floor(log_between(2, 1e12));
        const double gap = copysign(log_between(.1, 20), lem_uniform(&rng) - .5);
        const double scale = copysign(log_between(.1, 35), lem_uniform(&rng) - .5);
        const long double odds = (n - 1) * expl(-(long double)scale * gap);
        const double p = lem_planted_probability(n, gap, scale), exact = (double)(1 / (1 + odds));
        LEM_CHECK_NEAR(p, exact, 8 * DBL_EPSILON * exact);
        LEM_CHECK_NEAR(lem_planted_probability(n, log(n - 1) / fabs(scale), fabs(scale)), .5,
                       64 * DBL_EPSILON);
    }
    LEM_CHECK(lem_planted_probability(1, -1e300, 1e300) == 1, "alone");
    LEM_CHECK(lem_planted_probability(2, -1e300, 1e300) == 0, "far below");
    LEM_CHECK(lem_planted_probability(1e18, 1e300, 1e300) == 1, "far above");
}

/* The formula in long doubles, over the whole domain: a mean of weights, between 0 and 1. */
static void test_planted_gauss(void) {
    for (int i = 0; i < 300; i++) {
        const double n = floor(log_between(2, 1e300)), limit = .999999 * sqrt(log(n));
        const double scale = limit * (2 * lem_uniform(&rng) - 1), gap = 60 * lem_uniform(&rng) - 30;
        const long double s = scale, odds = (n - 1) * expl(s * (s / 2 - gap)), first = 1 / (1 + odds);
        const long double rest = 1 / (1 + 1 / odds), step = first * rest * rest * expm1l(s * s) / (n - 1);
        const double p = lem_planted_probability_gauss(n, gap, scale), exact = (double)(first + step);
        LEM_CHECK(p >= 0 && p <= 1, "%g at n = %g, gap = %g, scale = %g", p, n, gap, scale);
        LEM_CHECK_NEAR(p, exact, 16 * DBL_EPSILON * exact + 1e-290);
        /* without fluctuations there is no second order, and at scale 0 all keys are alike */
        LEM_CHECK_NEAR(lem_planted_probability_gauss(n, gap, 0), 1 / n, 8 * DBL_EPSILON / n);
    }
    LEM_CHECK(lem_planted_probability_gauss(4, 1e300, 1) == 1, "far above");
    LEM_CHECK(lem_planted_probability_gauss(4, -1e300, 1) == 0, "far below");
}

static void test_bad_input(void) {
    LEM_CHECK_ERROR(isnan(lem_entropy_rate_large_d(-1)), "lambda = -1|between 0 and");
    LEM_CHECK_ERROR(isnan(lem_vmf_kl_correction(NAN)), "lambda = nan");
    LEM_CHECK_ERROR(isnan(lem_vmf_kl_correction(INFINITY)), "lambda = inf");
    LEM_CHECK_ERROR(isnan(lem_meanfield_kappa_for_constant_entropy(.5, 64, 64)), "n = 0.5|at least 1");
    LEM_CHECK_ERROR(isnan(lem_meanfield_kappa_for_constant_entropy(64, INFINITY, 64)), "n0 = inf");
    LEM_CHECK_ERROR(isnan(lem_meanfield_kappa_for_constant_entropy(64, 64, 1)), "d = 1: must be between 2");
    LEM_CHECK_ERROR(isnan(lem_meanfield_kappa_for_constant_entropy(32, 64, 64)), "n = 32|too few keys");
    LEM_CHECK_ERROR(isnan(lem_meanfield_kappa_for_constant_entropy(1e300, 1, 2)), "n = 1e+300|1e150");
    LEM_CHECK_ERROR(isnan(lem_entropy_scale_factor(32, 64, 64)), "n = 32|at least n0 = 64");
    LEM_CHECK_ERROR(isnan(lem_entropy_scale_factor(NAN, 64, 64)), "n = nan");
    LEM_CHECK_ERROR(isnan(lem_entropy_scale_factor(64, 0, 64)), "n0 = 0");
    LEM_CHECK_ERROR(isnan(lem_entropy_scale_factor(64, 64, NAN)), "d = nan");
    LEM_CHECK_ERROR(isnan(lem_log_length_scale(.5, 64)), "n = 0.5|at least 1");
    LEM_CHECK_ERROR(isnan(lem_log_length_scale(64, 1)), "base = 1|above 1");
    LEM_CHECK_ERROR(isnan(lem_log_length_scale(64, INFINITY)), "base = inf");
    LEM_CHECK_ERROR(isnan(lem_planted_probability(.5, 1, 1)), "n = 0.5|at least 1");
    LEM_CHECK_ERROR(isnan(lem_planted_probability(2, NAN, 1)), "gap = nan");
    LEM_CHECK_ERROR(isnan(lem_planted_probability(2, 1, INFINITY)), "scale = inf");
    LEM_CHECK_ERROR(isnan(lem_planted_probability_gauss(1, 1, 1)), "n = 1|at least 2");
    LEM_CHECK_ERROR(isnan(lem_planted_probability(INFINITY, 1, 1)), "n = inf|finite");
    LEM_CHECK_ERROR(isnan(lem_planted_probability_gauss(64, 1, 3)), "scale = 3|at most log n = 4.158");
    LEM_CHECK_ERROR(isnan(lem_planted_probability_gauss(64, 1, -3)), "scale = -3|at most log n");
    LEM_CHECK_ERROR(isnan(lem_entropy_scale_factor(64, 64, 1.9)), "d = 1.9: must be between 2 and 1e150");
    LEM_CHECK_ERROR(isnan(lem_entropy_scale_factor(64, 64, 2e150)), "d = 2e+150");
    LEM_CHECK_ERROR(isnan(lem_entropy_rate_large_d(2e150)), "lambda = 2e+150");
}

static const lem_tap_case cases[] = {
    {"rate", test_rate},
    {"limit", test_limit},
    {"tangent", test_tangent},
    {"constant entropy", test_constant_entropy},
    {"closed form", test_closed_form},
    {"planted", test_planted},
    {"planted, Gaussian others", test_planted_gauss},
    {"bad input", test_bad_input},
};
LEM_TAP_MAIN(cases)
