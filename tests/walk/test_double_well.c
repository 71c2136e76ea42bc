#include "tap/tap.h"
#include "walk/crank_nicolson.h"
#include "walk/double_well.h"
#include "walk/random.h"

/* Detailed balance, p(x_b | x_a) exp(2 Phi(x_a)/alpha) symmetric; parity; and the mass, by a trapezoid of a
 * density that is 1e-14 of its peak at +-3: alpha = 0.5 gives exp(-(9 - 1)^2/(2 alpha)). */
static void test_law(void) {
    enum { N = 121 };
    double x[N], p[N], error[N], mass_error = 0;
    const double alpha = .5, T = 1, xa = .3;
    for (size_t i = 0; i < N; i++)
        x[i] = -3 + .05 * (double)i;
    x[N - 1] = 3;
    LEM_CHECK(lem_double_well_density(xa, alpha, T, N, x, p, error) == 0, "%s", lem_last_error());
    double mass = 0;
    for (size_t i = 0; i < N; i++)
        mass += p[i] * .05, mass_error += error[i] * .05;
    LEM_CHECK_NEAR(mass, 1, mass_error + 1e-12);
    LEM_CHECK(mass_error < 1e-9, "error %g", mass_error);
    enum { PLACES = 8 };
    static const double place[PLACES] = {-.9, -.5, -.2, -.1, .1, .2, .5, .9};
    double matrix[PLACES][PLACES];
    for (size_t a = 0; a < PLACES; a++)
        LEM_CHECK(lem_double_well_density(place[a], alpha, 2, PLACES, place, matrix[a], NULL) == 0, "%s",
                  lem_last_error());
    for (size_t a = 0; a < PLACES; a++)
        for (size_t b = 0; b < PLACES; b++) {
            const double u = place[a], v = place[b];
            const double phi = u * u / 2 - pow(u, 4) / 4 - v * v / 2 + pow(v, 4) / 4;
            LEM_CHECK_NEAR(matrix[a][b] * exp(2 * phi / alpha) / matrix[b][a], 1, 2e-10);
            LEM_CHECK_NEAR(matrix[PLACES - 1 - a][PLACES - 1 - b] / matrix[a][b], 1, 2e-10);
        }
    LEM_CHECK_NEAR(lem_double_well_transition_density(-.5, .9, alpha, 2), matrix[1][7], 0);
}

/* Another route to the same density: Crank-Nicolson of the ungauged equation from the short-time Gaussian, at
 * two resolutions, extrapolated. The start is the spectral density at 0.1 itself. */
static void by_crank_nicolson(size_t nodes, size_t steps, size_t n, const double *x, double *out) {
    const double alpha = .5, xa = .3, start = .1, end = 1, h = 6 / (double)(nodes - 1);
    const lem_cn_grid grid = {-3, 3, nodes, start, end, steps, 0};
    gsl_vector *p = gsl_vector_calloc(nodes);
    double place[201];
    for (size_t i = 0; i < nodes; i++)
        place[i] = -3 + h * (double)i;
    LEM_CHECK(lem_double_well_density(xa, alpha, start, nodes, place, p->data, NULL) == 0, "%s",
              lem_last_error());
    LEM_CHECK(lem_fokker_planck_cn(&(lem_field){lem_double_well_drift, NULL}, alpha, &grid, p) == 0, "%s",
              lem_last_error());
    for (size_t i = 0; i < n; i++)
        out[i] = gsl_vector_get(p, (size_t)round((x[i] + 3) / h));
    gsl_vector_free(p);
}

static void test_other_route(void) {
    const double x[] = {-1.2, 0, .9};
    double coarse[3], fine[3], exact[3];
    by_crank_nicolson(101, 200, 3, x, coarse);
    by_crank_nicolson(201, 400, 3, x, fine);
    LEM_CHECK(lem_double_well_density(.3, .5, 1, 3, x, exact, NULL) == 0, "%s", lem_last_error());
    for (size_t i = 0; i < 3; i++) {
        /* order 2 leaves h^4 after extrapolation: 1e-4 of what it took away */
        LEM_CHECK_NEAR(fine[i] + (fine[i] - coarse[i]) / 3, exact[i], 2e-5 * exact[i]);
        LEM_CHECK_NEAR((coarse[i] - exact[i]) / (fine[i] - exact[i]), 4, .2);
    }
}

/* The same sum on a wider grid, whose largest energy, and with it its error, is up to twice that of the
 * first: together at most three times the stated error where that is a bound; in tails, where it is all there
 * is and may itself be exceeded threefold, ten times. Returns the largest part of it that is seen. */
static double part_of_stated(double alpha, double T, double xa, double L, size_t nodes) {
    enum { N = 49 };
    double x[N], p[N], error[N], other[N], most = 0;
    for (size_t i = 0; i < N; i++)
        x[i] = -3 + .125 * (double)i;
    LEM_CHECK(lem_double_well_density(xa, alpha, T, N, x, p, error) == 0, "%s", lem_last_error());
    lem_spectrum *s = lem_sinc_dvr(&(lem_field){lem_double_well_potential, &alpha}, alpha, L, nodes);
    LEM_CHECK(s && lem_spectral_propagator(s, nodes, xa, T, N, x, other) == 0, "%s", lem_last_error());
    const double lowest = exp(lem_spectrum_energy(s, 0) * T / alpha); /* which is 0 but for rounding */
    for (size_t i = 0; i < N; i++) {
        const double phi = (x[i] * x[i] - xa * xa) / 2 - (pow(x[i], 4) - pow(xa, 4)) / 4;
        const double off = fabs(other[i] * lowest * exp(phi / alpha) - p[i]);
        LEM_CHECK(off <= (error[i] < 1e-10 * p[i] ? 3 : 10) * error[i],
                  "alpha = %g, T = %g, from %g to %g: %g, off by %g, stated %g", alpha, T, xa, x[i], p[i],
                  off, error[i]);
        most = fmax(most, off / error[i]);
    }
    lem_spectrum_free(s);
    return most;
}

static void test_stated_error(void) {
    static const double alpha[] = {.1, .5, 2}, L[] = {3.3, 3.5, 4.4}, T[] = {1, 20, 100}, xa[] = {.3, -1.7};
    static const size_t nodes[] = {330, 205, 200};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            double most = 0;
            for (size_t k = 0; k < 2; k++)
                most = fmax(most, part_of_stated(alpha[i], T[j], xa[k], L[i], nodes[i]));
            LEM_CHECK(most > .02, "alpha = %g, T = %g: the stated error is 50 times too large", alpha[i],
                      T[j]);
        }
}

/* The rate from the second energy of the whole operator, where that has digits; and Kramers' law as alpha
 * falls. */
static void test_rate(void) {
    for (double alpha = .2; alpha < 10; alpha *= 3.2) {
        lem_spectrum *s = lem_sinc_dvr(&(lem_field){lem_double_well_potential, &alpha}, alpha,
                                       2 + sqrt(sqrt(160 * alpha)) / 1.5, 200);
        LEM_CHECK_NEAR(lem_spectrum_energy(s, 0), 0, 2e-9 * alpha);
        LEM_CHECK_NEAR(lem_double_well_rate(alpha) * alpha / lem_spectrum_energy(s, 1), 1, 1e-9);
        lem_spectrum_free(s);
    }
    const double alphas[] = {.05, .08};
    for (size_t i = 0; i < 2; i++) {
        const double a = alphas[i], kramers = M_SQRT2 / M_PI * exp(-1 / (2 * a));
        LEM_CHECK_NEAR((1 - lem_double_well_rate(a) / kramers) / a, .75, 2.5 * a);
    }
}

static void test_refusals(void) {
    const double x = 0;
    double out;
    LEM_CHECK_ERROR(isnan(lem_double_well_rate(.04)), "alpha = 0.04|[0.05, 10]");
    LEM_CHECK_ERROR(isnan(lem_double_well_transition_density(0, 0, 11, 1)), "alpha = 11|[0.05, 10]");
    LEM_CHECK_ERROR(isnan(lem_double_well_transition_density(0, 0, 1, .01)), "T = 0.01|[0.02, 100]");
    LEM_CHECK_ERROR(isnan(lem_double_well_transition_density(0, 0, 1, NAN)), "T = nan");
    LEM_CHECK_ERROR(isnan(lem_double_well_transition_density(3.5, 0, 1, 1)), "x_a = 3.5|[-3, 3]");
    LEM_CHECK_ERROR(isnan(lem_double_well_transition_density(0, -4, 1, 1)), "x_b = -4|[-3, 3]");
    LEM_CHECK_ERROR(isnan(lem_double_well_transition_density(-2.5, 1, .1, 1)), "x_a = -2.5|rounding|digits");
    LEM_CHECK_ERROR(lem_double_well_density(0, 1, 1, 1, NULL, &out, NULL), "x_b = null");
    LEM_CHECK_ERROR(lem_double_well_density(0, 1, 1, 1, &x, NULL, NULL), "out = null");
}

static const lem_tap_case cases[] = {
    {"mass, parity and detailed balance", test_law},
    {"the density by Crank-Nicolson", test_other_route},
    {"the stated error, on another grid", test_stated_error},
    {"the rate by the whole spectrum, and Kramers' law", test_rate},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
