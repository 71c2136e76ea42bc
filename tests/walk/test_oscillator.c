#include "tap/tap.h"
#include "walk/diffusion.h"
#include "walk/oscillator.h"
#include "walk/random.h"

static test_rng rng = {902};

typedef double (*kernel)(double xb, double xa, double T, double o, double a);

/* K(x_b, x_a; s + t) = int K(x_b, y; t) K(y, x_a; s) dy by the trapezoid rule, exact to rounding for
 * Gaussians with 20 nodes to a standard deviation (exp(-2 pi^2 20^2/2)). */
static void composes(kernel k, double T, double o, double a) {
    const double xa = between(&rng, -1, 1) * sqrt(a * T), xb = between(&rng, -1, 1) * sqrt(a * T);
    const double s = T * between(&rng, .3, .7), t = T - s, reach = sqrt(a * T), h = sqrt(a * fmin(s, t)) / 40;
    double sum = 0;
    for (double y = -30 * reach; y < 30 * reach; y += h)
        sum += k(xb, y, t, o, a) * k(y, xa, s, o, a);
    const double whole = k(xb, xa, T, o, a);
    LEM_CHECK_NEAR(sum * h / whole, 1, 1e-11);
}

static void test_composition(void) {
    for (int round = 0; round < 60; round++) {
        const double a = scale_between(&rng, .01, 100), T = scale_between(&rng, .01, 100);
        composes(lem_mehler_kernel, T, between(&rng, 0, 3) / T, a);
        composes(lem_inverted_oscillator_kernel, T, between(&rng, 0, 1.5) / T, a);
    }
}

/* The sliced kernel is what n short-time kernels make of each other. */
static void test_slices(void) {
    for (int round = 0; round < 20; round++) {
        const double a = scale_between(&rng, .1, 10), T = scale_between(&rng, .1, 10),
                     o = between(&rng, 0, 3) / T;
        const double xa = between(&rng, -1, 1) * sqrt(a * T), xb = between(&rng, -1, 1) * sqrt(a * T),
                     dt = T / 2;
        double sum = 0;
        const double h = sqrt(a * dt) / 20;
        for (double y = -15 * sqrt(a * T); y < 15 * sqrt(a * T); y += h) {
            const double potential = o * o * (xa * xa / 2 + y * y + xb * xb / 2) / 2;
            sum +=
                lem_brownian_pdf(y - xa, dt, a) * lem_brownian_pdf(xb - y, dt, a) * exp(-dt / a * potential);
        }
        LEM_CHECK_NEAR(sum * h / lem_mehler_kernel_trapezoid(xb, xa, T, o, a, 2), 1, 1e-12);
        const double continuum = lem_mehler_kernel(xb, xa, T, o, a);
        LEM_CHECK_NEAR(lem_mehler_kernel_trapezoid(xb, xa, T, o, a, 1000000) / continuum, 1, 1e-9);
    }
    /* one slice: no free propagator is left to do */
    LEM_CHECK_NEAR(lem_mehler_kernel_trapezoid(1, .5, 2, 1.5, .7, 1),
                   lem_brownian_pdf(.5, 2, .7) * exp(-2 / .7 * 1.5 * 1.5 * 1.25 / 4), 1e-15);
}

static void test_limits(void) {
    for (int round = 0; round < 100; round++) {
        const double a = scale_between(&rng, 1e-5, 1e5), T = scale_between(&rng, 1e-5, 1e5), s = sqrt(a * T);
        const double xa = between(&rng, -2, 2) * s, xb = between(&rng, -2, 2) * s;
        const double free_kernel = lem_brownian_pdf(xb - xa, T, a);
        LEM_CHECK_NEAR(lem_mehler_kernel(xb, xa, T, 0, a) / free_kernel, 1, 100 * DBL_EPSILON);
        LEM_CHECK_NEAR(lem_mehler_kernel_trapezoid(xb, xa, T, 0, a, 7) / free_kernel, 1, 100 * DBL_EPSILON);
        LEM_CHECK_NEAR(lem_inverted_oscillator_kernel(xb, xa, T, 0, a) / free_kernel, 1, 100 * DBL_EPSILON);
        LEM_CHECK_NEAR(lem_mehler_kernel(xb, xa, T, 1e-9 / T, a) / free_kernel, 1, 1e-14);
        /* the two continue each other in omega^2: their product has no first order */
        const double o = 1e-3 / T;
        LEM_CHECK_NEAR(lem_mehler_kernel(xb, xa, T, o, a) * lem_inverted_oscillator_kernel(xb, xa, T, o, a) /
                           (free_kernel * free_kernel),
                       1, 1e-10);
    }
    /* E_0 alone is left at large T: K(0, 0) = sqrt(o/(pi a)) exp(-o T/2) */
    LEM_CHECK_NEAR(log(lem_mehler_kernel(0, 0, 1000, 1, 2)) + 500, -log(2 * M_PI) / 2, 1e-12);
    LEM_CHECK_NEAR(lem_mehler_kernel(0, 0, 1e6, 1, 2), 0, 0);
}

/* log(1 + variance) from the three kernels, where they leave enough digits; and the two routes beside each
 * other at the change from one to the other. */
static void test_variance(void) {
    for (int round = 0; round < 500; round++) {
        const double a = scale_between(&rng, .01, 100), T = scale_between(&rng, .01, 100),
                     z = between(&rng, 0, 20);
        const double o = z / T, xa = between(&rng, -2, 2) * sqrt(a * T),
                     xb = between(&rng, -2, 2) * sqrt(a * T);
        const double k = lem_mehler_kernel(xb, xa, T, o, a);
        const double ratio =
            lem_mehler_kernel(xb, xa, T, M_SQRT2 * o, a) / k * (lem_brownian_pdf(xb - xa, T, a) / k);
        const double variance = lem_feynman_kac_relative_variance_harmonic(xb, xa, T, o, a);
        const double exponent = (xa * xa + xb * xb) / (a * T) * (1 + z) + z;
        LEM_CHECK_NEAR(variance / ratio, 1 - 1 / ratio, 20 * DBL_EPSILON * (1 + exponent));
    }
    /* z -> 0 at x = 0: z^4/180; at x_a = x_b = x: z^4 x^2/(12 a T) more */
    for (double z = 1e-60; z < .01; z *= 100) {
        LEM_CHECK_NEAR(lem_feynman_kac_relative_variance_harmonic(0, 0, 1, z, 1) / pow(z, 4), 1 / 180., 1e-6);
        LEM_CHECK_NEAR(lem_feynman_kac_relative_variance_harmonic(1, 1, 1, z, 1) / pow(z, 4),
                       1 / 180. + 1 / 12., 1e-5);
        LEM_CHECK_NEAR(lem_feynman_kac_relative_variance_harmonic(1, -1, 1, z, 1) / pow(z, 4),
                       1 / 180. + 1 / 180., 1e-6);
    }
    const double below = lem_feynman_kac_relative_variance_harmonic(.3, -.2, 8, 1, 1),
                 above = lem_feynman_kac_relative_variance_harmonic(.3, -.2, 8, 1 + 2e-16, 1);
    LEM_CHECK_NEAR(above / below, 1, 1e-13);
    /* at x = 0 the exponents are small and nothing covers what the sum leaves out */
    LEM_CHECK_NEAR(lem_feynman_kac_relative_variance_harmonic(0, 0, 8, 1 + 2e-16, 1) /
                       lem_feynman_kac_relative_variance_harmonic(0, 0, 8, 1, 1),
                   1, 1e-14);
    LEM_CHECK_NEAR(lem_feynman_kac_relative_variance_harmonic(1, 2, 3, 0, 1), 0, 0);
}

/* A denormal frequency is none, a denormal alpha leaves nothing off the path, and what is neither is refused
 * by name. */
static void test_extremes(void) {
    const double tiny[] = {5e-324, 1.5e-323, 1e-310, 1e-300, 1e-12};
    for (size_t i = 0; i < 5; i++) {
        const double free_kernel = lem_brownian_pdf(.5, 1, 1);
        LEM_CHECK_NEAR(lem_mehler_kernel(1, .5, 1, tiny[i], 1) / free_kernel, 1, 4 * DBL_EPSILON);
        LEM_CHECK_NEAR(lem_inverted_oscillator_kernel(1, .5, 1, tiny[i], 1) / free_kernel, 1,
                       4 * DBL_EPSILON);
        LEM_CHECK_NEAR(lem_mehler_kernel_trapezoid(1, .5, 1, tiny[i], 1, 3) / free_kernel, 1,
                       4 * DBL_EPSILON);
    }
    LEM_CHECK(lem_mehler_kernel(1, .5, 1, 1, 5e-324) == 0, "nothing off the path");
    LEM_CHECK_ERROR(isnan(lem_mehler_kernel(1, 1, 5e-324, 1, 1)), "kernel|range of double");
    LEM_CHECK_ERROR(isnan(lem_mehler_kernel_trapezoid(1, .5, 1, 1e300, 1, 3)), "kernel|range of double");
    LEM_CHECK_ERROR(isnan(lem_inverted_oscillator_kernel(1, .5, 5e-324, 1, 1)), "kernel|range of double");
}

static void test_refusals(void) {
    LEM_CHECK_ERROR(isnan(lem_mehler_kernel(NAN, 0, 1, 1, 1)), "xb = nan|finite");
    LEM_CHECK_ERROR(isnan(lem_mehler_kernel(0, INFINITY, 1, 1, 1)), "xa = inf|finite");
    LEM_CHECK_ERROR(isnan(lem_mehler_kernel(0, 0, -1, 1, 1)), "T = -1|positive");
    LEM_CHECK_ERROR(isnan(lem_mehler_kernel(0, 0, 1, -1, 1)), "o = -1|>= 0");
    LEM_CHECK_ERROR(isnan(lem_mehler_kernel(0, 0, 1, 1, 0)), "a = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_mehler_kernel_trapezoid(0, 0, 1, 1, 1, 0)), "n = 0|>= 1");
    LEM_CHECK_ERROR(isnan(lem_inverted_oscillator_kernel(0, 0, M_PI, 1, 1)), "o T = 3.14|below pi");
    LEM_CHECK_ERROR(isnan(lem_inverted_oscillator_kernel(0, 0, 2, 2, 1)), "o T = 4|below pi");
    LEM_CHECK_ERROR(isnan(lem_inverted_oscillator_kernel(1e3, 1e3, 3, 1, 1)), "kernel|range of double");
    LEM_CHECK_ERROR(isnan(lem_feynman_kac_relative_variance_harmonic(0, 0, 1e4, 1, 1)), "variance|range");
}

static const lem_tap_case cases[] = {
    {"Chapman-Kolmogorov", test_composition},
    {"slices compose to the sliced kernel", test_slices},
    {"the free propagator, and other limits", test_limits},
    {"the variance of a weight is the ratio of kernels", test_variance},
    {"denormal arguments", test_extremes},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
