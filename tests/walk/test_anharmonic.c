#include "tap/tap.h"
#include "walk/anharmonic.h"
#include "walk/random.h"

static test_rng rng = {906};

/* quartic = 0 is the oscillator, hbar sqrt(kinetic quadratic); and the energies scale as their units do:
 * x -> l x turns (k, b, c) into (k/l^2, b l^2, c l^4). */
static void test_units(void) {
    for (int round = 0; round < repeats(60); round++) {
        const double k = scale_between(&rng, 1e-6, 1e6), b = scale_between(&rng, 1e-6, 1e6),
                     c = scale_between(&rng, 1e-6, 1e6), hbar = scale_between(&rng, 1e-3, 1e3),
                     l = scale_between(&rng, 1e-3, 1e3);
        LEM_CHECK_NEAR(lem_anharmonic_ground_energy(k, b, 0, hbar) / (hbar * sqrt(k * b)), 1, 1e-12);
        const double e = lem_anharmonic_ground_energy(k, b, c, hbar);
        LEM_CHECK_NEAR(lem_anharmonic_ground_energy(k / (l * l), b * l * l, c * pow(l, 4), hbar) / e, 1,
                       1e-12);
        LEM_CHECK_NEAR(lem_anharmonic_ground_energy(k * hbar * hbar, b, c, 1) / e, 1, 1e-12);
        LEM_CHECK_NEAR(lem_anharmonic_ground_energy(7 * k, 7 * b, 7 * c, hbar) / (7 * e), 1, 1e-12);
        LEM_CHECK(e > hbar * sqrt(k * b) * (1 - 1e-12), "a quartic raises the energy");
    }
}

/* At small g the series, whose error is below its first term left out: order 12 at g = 0.01 is 1e-15 of E. */
static void test_series(void) {
    const double g[] = {.001, .003, .01};
    for (size_t i = 0; i < 3; i++) {
        double sum = 0, power = 1, next = 0;
        for (size_t n = 0; n <= 12; n++, power *= g[i]) {
            sum += lem_anharmonic_series_coefficient(n) * power;
            next = fabs(lem_anharmonic_series_coefficient(n + 1) * power * g[i]);
        }
        LEM_CHECK_NEAR(lem_anharmonic_ground_energy(.5, .5, g[i], 1), sum, next + 1e-12);
    }
}

/* The known rationals, and the growth (-1)^(n+1) sqrt(6/pi^3) 3^n Gamma(n + 1/2) (1 - 95/(72 n) + ...). */
static void test_coefficients(void) {
    const double known[] = {.5, .75, -2.625, 20.8125, -30885. / 128, 916731. / 256, -65518401. / 1024};
    for (size_t n = 0; n < 7; n++)
        LEM_CHECK_NEAR(lem_anharmonic_series_coefficient(n), known[n], 0);
    for (size_t n = 40; n <= LEM_ANHARMONIC_MAX_ORDER; n += 30) {
        const double leading = exp(log(6 / pow(M_PI, 3)) / 2 + (double)n * log(3) + lgamma((double)n + .5));
        const double ratio = lem_anharmonic_series_coefficient(n) / leading * (n % 2 ? 1 : -1);
        LEM_CHECK_NEAR(ratio, 1 - 95 / (72. * (double)n), 3 / (double)(n * n));
    }
}

static void test_refusals(void) {
    LEM_CHECK_ERROR(isnan(lem_anharmonic_ground_energy(0, 1, 1, 1)), "kinetic = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_anharmonic_ground_energy(1, -1, 1, 1)), "quadratic = -1|>= 0");
    LEM_CHECK_ERROR(isnan(lem_anharmonic_ground_energy(1, 0, 0, 1)), "quartic = 0|not both 0");
    LEM_CHECK_ERROR(isnan(lem_anharmonic_ground_energy(1, 0, INFINITY, 1)), "quartic = inf|finite");
    LEM_CHECK_ERROR(isnan(lem_anharmonic_ground_energy(1, 1, 1, NAN)), "hbar = nan|positive");
    LEM_CHECK_ERROR(isnan(lem_anharmonic_ground_energy(1, 1, 1, 1e-160)), "hbar = 1e-160|range of double");
    LEM_CHECK_ERROR(isnan(lem_anharmonic_ground_energy(1, 1, 1, 1e160)), "hbar = 1e+160|range of double");
    LEM_CHECK_ERROR(isnan(lem_anharmonic_series_coefficient(131)), "order = 131|130");
}

static const lem_tap_case cases[] = {
    {"the oscillator, and units", test_units},
    {"the series at small g", test_series},
    {"the coefficients and their growth", test_coefficients},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
