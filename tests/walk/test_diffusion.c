#include "tap/tap.h"
#include "walk/diffusion.h"
#include "walk/random.h"

static test_rng rng = {901};

/* Chapman-Kolmogorov: two times in a row are their sum. A trapezoid of a product of Gaussians, out to 12
 * standard deviations with 40 nodes to the narrower one, is exact to rounding: its first error term is
 * exp(-2 pi^2 40^2/2). */
static void test_composition(void) {
    for (int round = 0; round < 60; round++) {
        const double k = round % 3 == 0 ? 0 : between(&rng, -1, 2), a = scale_between(&rng, .1, 10);
        const double s = scale_between(&rng, .1, 2), t = scale_between(&rng, .1, 2);
        const double x0 = between(&rng, -2, 2), x = between(&rng, -2, 2);
        const double first = sqrt(lem_ou_variance(s, k, a)),
                     second = sqrt(lem_ou_variance(t, k, a)) * exp(k * t); /* as a function of the start */
        const double h = fmin(first, second) / 40, middle = x0 * exp(-k * s);
        double sum = 0;
        for (double y = middle - 12 * first; y < middle + 12 * first; y += h)
            sum += lem_ou_pdf(y, s, x0, k, a) * lem_ou_pdf(x, t, y, k, a);
        const double whole = lem_ou_pdf(x, s + t, x0, k, a);
        /* rounding: exponents below 200 on either side */
        LEM_CHECK_NEAR(sum * h, whole, 1e-13 * (whole + 1 / first));
    }
}

static void test_limits(void) {
    for (int round = 0; round < 200; round++) {
        const double a = scale_between(&rng, 1e-8, 1e8), t = scale_between(&rng, 1e-8, 1e8),
                     scale = sqrt(a * t);
        const double x = between(&rng, -5, 5) * scale, x0 = between(&rng, -5, 5) * scale;
        const double free_pdf = lem_brownian_pdf(x - x0, t, a);
        LEM_CHECK_NEAR(lem_ou_pdf(x, t, x0, 0, a), free_pdf, 400 * DBL_EPSILON * free_pdf);
        /* kt = 1e-9 moves the mean by 5e-9 standard deviations, of which 10 are in the exponent */
        LEM_CHECK_NEAR(lem_ou_pdf(x, t, x0, 1e-9 / t, a), free_pdf, 1e-7 * free_pdf);
        LEM_CHECK_NEAR(lem_ou_variance(t, 1e3 / t, a), a * t / 2e3, 8 * DBL_EPSILON * a * t / 2e3);
    }
    LEM_CHECK_NEAR(lem_brownian_pdf(0, 1e-300, 1e-300), 1 / sqrt(2 * M_PI) * 1e300, 1e286);
}

/* m' = -k m + F cos(wt), by a symmetric difference: its error is h^2/6 times the third derivative. */
static void test_forced_mean(void) {
    for (int round = 0; round < 200; round++) {
        const double k = between(&rng, -1, 3), F = between(&rng, -2, 2), w = between(&rng, -4, 4);
        const double m0 = between(&rng, -2, 2), t = between(&rng, .1, 3), h = 1e-4;
        const double slope =
            (lem_forced_ou_mean(m0, k, F, w, t + h) - lem_forced_ou_mean(m0, k, F, w, t - h)) / (2 * h);
        const double m = lem_forced_ou_mean(m0, k, F, w, t), size = exp(fmax(0, -k * t)) * (2 + 2 * 3);
        LEM_CHECK_NEAR(slope, -k * m + F * cos(w * t), h * h * 64 * size + 1e-11 * size);
        LEM_CHECK_NEAR(lem_forced_ou_mean(m0, k, F, w, 0), m0, 0);
    }
    LEM_CHECK_NEAR(lem_forced_ou_mean(1, 0, 2, 0, 3), 7, 0);
    /* nothing grows to nothing, however fast */
    LEM_CHECK_NEAR(lem_forced_ou_mean(0, -1000, 0, 1, 1), 0, 0);
    LEM_CHECK_ERROR(isnan(lem_forced_ou_mean(0, -1000, 1, 1, 1)), "the mean|range of double");
    LEM_CHECK_ERROR(isnan(lem_forced_ou_mean(-1, -1000, 1000, 1, 1)), "the mean|range of double");
    /* small t: m0 + F t, with no digits lost to 1 - 1 */
    LEM_CHECK_NEAR(lem_forced_ou_mean(0, 1, 1, 3, 1e-12) / 1e-12, 1, 1e-11);
}

static void test_refusals(void) {
    LEM_CHECK_ERROR(isnan(lem_brownian_pdf(NAN, 1, 1)), "x = nan|finite");
    LEM_CHECK_ERROR(isnan(lem_brownian_pdf(0, 0, 1)), "t = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_brownian_pdf(0, 1, -2)), "a = -2|positive");
    LEM_CHECK_ERROR(isnan(lem_brownian_pdf(0, 1, INFINITY)), "a = inf|finite");
    LEM_CHECK_ERROR(isnan(lem_brownian_pdf(0, 5e-324, 5e-324)), "density|range of double");
    LEM_CHECK_ERROR(isnan(lem_ou_pdf(0, 1, INFINITY, 1, 1)), "x0 = inf|finite");
    LEM_CHECK_ERROR(isnan(lem_ou_pdf(0, 1, 0, NAN, 1)), "k = nan|finite");
    LEM_CHECK_ERROR(isnan(lem_ou_variance(1, -400, 1)), "variance|range of double");
    LEM_CHECK_ERROR(isnan(lem_forced_ou_mean(0, 1, 1, 1, -1)), "t = -1|>= 0");
    LEM_CHECK_ERROR(isnan(lem_forced_ou_mean(0, 1, NAN, 1, 1)), "F = nan|finite");
}

static const lem_tap_case cases[] = {
    {"two times in a row are their sum", test_composition},
    {"no drift is Brownian motion, and other limits", test_limits},
    {"the forced mean solves its equation", test_forced_mean},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
