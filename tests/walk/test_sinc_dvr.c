#include "tap/tap.h"
#include "walk/oscillator.h"
#include "walk/random.h"
#include "walk/sinc_dvr.h"

/* o^2 x^2/2, and no number right of 8 */
static int spring(double x, double t, const void *ctx, double *value) {
    const double o = *(const double *)ctx;
    (void)t;
    *value = x > 8 ? NAN : o * o * x * x / 2;
    return GSL_SUCCESS;
}

/* E_k = alpha o (k + 1/2), and the states are those of Hermite: psi_0 and psi_1 in closed form. Rounding is
 * of the largest energy on the grid, (pi alpha/h)^2/2 + U(L) = 400. */
static void test_oscillator(void) {
    const double o = 1.3, alpha = .8;
    lem_spectrum *s = lem_sinc_dvr(&(lem_field){spring, &o}, alpha, 7, 120);
    LEM_CHECK(s, "%s", lem_last_error());
    LEM_CHECK(lem_spectrum_size(s) == 120, "size");
    for (size_t k = 0; k < 14; k++)
        LEM_CHECK_NEAR(lem_spectrum_energy(s, k), alpha * o * ((double)k + .5), 1e-12);
    const double scale = o / alpha, norm = pow(scale / M_PI, .25);
    for (double x = -3; x <= 3; x += .37) {
        const double ground = norm * exp(-scale * x * x / 2);
        LEM_CHECK_NEAR(fabs(lem_spectrum_state(s, 0, x)), ground, 1e-13);
        LEM_CHECK_NEAR(fabs(lem_spectrum_state(s, 1, x)), ground * sqrt(2 * scale) * fabs(x), 1e-13);
    }
    /* on a node the sum is one term: continuous there */
    const double h = 14. / 119, node = -7 + 60 * h;
    LEM_CHECK_NEAR(lem_spectrum_state(s, 2, node), lem_spectrum_state(s, 2, node + 1e-9), 1e-8);
    lem_spectrum_free(s);
}

/* The propagator is Mehler's, which is tested on its own. */
static void test_propagator(void) {
    test_rng rng = {907};
    const double o = 1.3, alpha = .8;
    lem_spectrum *s = lem_sinc_dvr(&(lem_field){spring, &o}, alpha, 7, 120);
    double xb[9], out[9];
    for (int round = 0; round < 30; round++) {
        const double T = between(&rng, .3, 4), xa = between(&rng, -2, 2);
        for (size_t i = 0; i < 9; i++)
            xb[i] = between(&rng, -2, 2);
        LEM_CHECK(lem_spectral_propagator(s, 100, xa, T, 9, xb, out) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < 9; i++)
            LEM_CHECK_NEAR(out[i], lem_mehler_kernel(xb[i], xa, T, o, alpha), 1e-12);
    }
    lem_spectrum_free(s);
}

/* One state alone is a product; all of them are allowed. */
static void test_states(void) {
    const double o = 1.3, alpha = .8, T = .9, xa = .4, xb = -.7;
    double out = 0;
    lem_spectrum *s = lem_sinc_dvr(&(lem_field){spring, &o}, alpha, 7, 120);
    for (size_t states = 1; states <= 3; states++) {
        double sum = 0;
        for (size_t k = 0; k < states; k++)
            sum += lem_spectrum_state(s, k, xa) * lem_spectrum_state(s, k, xb) *
                   exp(-lem_spectrum_energy(s, k) * T / alpha);
        LEM_CHECK(lem_spectral_propagator(s, states, xa, T, 1, &xb, &out) == 0, "%s", lem_last_error());
        LEM_CHECK_NEAR(out, sum, 1e-14);
    }
    LEM_CHECK(lem_spectral_propagator(s, 120, xa, T, 1, &xb, &out) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(out, lem_mehler_kernel(xb, xa, T, o, alpha), 1e-12);
    lem_spectrum_free(s);
}

static void test_refusals(void) {
    const double o = 1, x = 0, far = 5;
    double out;
    const lem_field field = {spring, &o}, none = {NULL, NULL};
    LEM_CHECK_ERROR(lem_sinc_dvr(&field, 0, 1, 10) == NULL, "alpha = 0|positive");
    LEM_CHECK_ERROR(lem_sinc_dvr(&field, 1, -1, 10) == NULL, "L = -1|positive");
    LEM_CHECK_ERROR(lem_sinc_dvr(&field, 1, 1, 1) == NULL, "N = 1|[2, 10000]");
    LEM_CHECK_ERROR(lem_sinc_dvr(&none, 1, 1, 10) == NULL, "potential = null");
    LEM_CHECK_ERROR(lem_sinc_dvr(&field, 1, 9, 3) == NULL, "potential(x = 9, t = 0) = nan");
    lem_spectrum *s = lem_sinc_dvr(&field, 1, 4, 10);
    LEM_CHECK_ERROR(isnan(lem_spectrum_energy(s, 10)), "k = 10|N = 10");
    LEM_CHECK_ERROR(isnan(lem_spectrum_energy(NULL, 0)), "spectrum = null");
    LEM_CHECK_ERROR(isnan(lem_spectrum_state(s, 0, 4.5)), "x = 4.5|L = 4");
    LEM_CHECK_ERROR(lem_spectral_propagator(s, 11, 0, 1, 1, &x, &out), "states = 11|N = 10");
    LEM_CHECK_ERROR(lem_spectral_propagator(s, 10, 0, 0, 1, &x, &out), "T = 0|positive");
    LEM_CHECK_ERROR(lem_spectral_propagator(s, 10, NAN, 1, 1, &x, &out), "xa = nan");
    LEM_CHECK_ERROR(lem_spectral_propagator(s, 10, 0, 1, 1, &far, &out), "xb = 5");
    LEM_CHECK_ERROR(lem_spectral_propagator(s, 10, 0, 1, 1, NULL, &out), "xb = null");
    LEM_CHECK_ERROR(lem_spectral_propagator(NULL, 10, 0, 1, 1, &x, &out), "spectrum = null");
    LEM_CHECK(lem_spectral_propagator(s, 10, 0, 1, 0, NULL, NULL) == 0, "no places");
    LEM_CHECK(lem_spectrum_size(NULL) == 0, "no spectrum");
    lem_spectrum_free(s), lem_spectrum_free(NULL);
}

static const lem_tap_case cases[] = {
    {"the harmonic oscillator's energies and states", test_oscillator},
    {"the propagator is Mehler's", test_propagator},
    {"as many states as are asked for", test_states},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
