/* The grid. The zero mode exp(Phi/alpha) sets both its ends: it falls to exp(-40) of itself in x at
 * (x^2 - 1)^2 = 160 alpha, and in momentum like exp(-(3/8) alpha^(1/3) k^(4/3)) far out and exp(-alpha k^2/4)
 * for its two wells. States that T lets through, E < 40 alpha/T, add sqrt(2 E)/alpha to the momenta and turn
 * where U = E. */
#include "walk/double_well.h"
#include "linalg/check.h"
#include "linalg/linalg.h"
#include "walk/check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double DIGITS = 40; /* exp(-40) = 4e-18 */
static const double FARTHEST = 3;

int lem_double_well_drift(double x, double t, const void *ctx, double *value) {
    (void)t, (void)ctx;
    *value = x * (1 - x * x);
    return GSL_SUCCESS;
}

int lem_double_well_gradient(double x, double t, const void *ctx, double *value) {
    (void)t, (void)ctx;
    *value = 1 - 3 * x * x;
    return GSL_SUCCESS;
}

int lem_double_well_potential(double x, double t, const void *ctx, double *value) {
    (void)t;
    const double p = x * (1 - x * x);
    *value = (*(const double *)ctx * (1 - 3 * x * x) + p * p) / 2;
    return GSL_SUCCESS;
}

typedef struct {
    double L;
    size_t n;
} extent;

/* energy: the highest that counts. */
static extent grid_for(double alpha, double energy) {
    double L = sqrt(1 + sqrt(4 * DIGITS * alpha));
    const double turning = pow(2 * energy, 1 / 6.0) + 1; /* x^6/2 and the slopes of the wells */
    if (turning > L)
        L = turning;
    const double k = 32 / pow(alpha, .25) + 13 / sqrt(alpha) + 1.2 * sqrt(2 * energy) / alpha;
    size_t n = (size_t)ceil(1.2 * 2 * L * k / M_PI);
    n += n % 2; /* x = 0 is no node: nothing depends on which well is which */
    return (extent){L, n};
}

static int check_alpha(double alpha) {
    if (!(alpha >= LEM_DOUBLE_WELL_ALPHA_MIN && alpha <= LEM_DOUBLE_WELL_ALPHA_MAX))
        return LEM_ERROR(GSL_EDOM, "alpha = %g: must be in [%g, %g]", alpha, LEM_DOUBLE_WELL_ALPHA_MIN,
                         LEM_DOUBLE_WELL_ALPHA_MAX);
    return GSL_SUCCESS;
}

static int check_density(double x_a, double alpha, double T, size_t n, const double *x_b, const double *out) {
    const int status = check_alpha(alpha);
    if (status)
        return status;
    if (!(T >= LEM_DOUBLE_WELL_T_MIN && T <= LEM_DOUBLE_WELL_T_MAX))
        return LEM_ERROR(GSL_EDOM, "T = %g: must be in [%g, %g]", T, LEM_DOUBLE_WELL_T_MIN,
                         LEM_DOUBLE_WELL_T_MAX);
    if (!x_b || !out)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must not be", x_b ? "out" : "x_b");
    if (!(fabs(x_a) <= FARTHEST))
        return LEM_ERROR(GSL_EDOM, "x_a = %g: must be in [-3, 3]", x_a);
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x_b[i]) <= FARTHEST))
            return LEM_ERROR(GSL_EDOM, "x_b = %g: must be in [-3, 3]", x_b[i]);
    return GSL_SUCCESS;
}

static double primitive(double x) {
    return x * x / 2 - x * x * x * x / 4;
}

/* What rounding does. The eigensolver's backward error, machine epsilons of the largest energy spread over n
 * states, mixes other states into each: at x mostly those that live there, U(x) above it or a level, about
 * alpha, away. So a state is off by `state`/(alpha + U(x)) however small it is there. The two lowest may be
 * much nearer to each other and are looked at by themselves. All energies but the lowest, which is 0, are off
 * by `energy`. Held against the same sums in quadruple precision, alpha = 0.05 to 10, T = 0.02 to 100: a
 * bound wherever it is below 1e-10 of the density, there with a factor of 1.6 or more to spare where the
 * error is largest, and within a factor of about 3 in the tails beyond.
 */
typedef struct {
    const lem_spectrum *spectrum;
    size_t states;
    double *at_start, *decay; /* psi_k(x_a), exp(-E_k T/alpha) */
    double alpha, T, state, energy, mixing, noise_at_start;
} sum_of_states;

static double noise(const sum_of_states *s, double x) {
    double u = 0;
    (void)lem_double_well_potential(x, 0, &s->alpha, &u);
    return s->state / (s->alpha + fmax(u, 0));
}

/* The two lowest states mix by `state` over their distance, of which only the difference of their factors is
 * seen. */
static double lowest_pair(const sum_of_states *s, double x) {
    if (s->states < 2)
        return s->mixing * s->decay[0] * fabs(s->at_start[0]) * fabs(lem_spectrum_state(s->spectrum, 1, x));
    const double swapped = fabs(s->at_start[0] * lem_spectrum_state(s->spectrum, 1, x)) +
                           fabs(s->at_start[1] * lem_spectrum_state(s->spectrum, 0, x));
    return s->mixing * (s->decay[0] - s->decay[1]) * swapped;
}

/* The sum at one place, and how far it may be off. */
static double density_at(const sum_of_states *s, double x, double *error) {
    double sum = 0, spoilt = 20 * exp(-DIGITS); /* the states left out */
    const double here = noise(s, x), there = s->noise_at_start;
    for (size_t k = 0; k < s->states; k++) {
        const double a = s->at_start[k], b = lem_spectrum_state(s->spectrum, k, x), e = s->decay[k];
        sum += e * a * b;
        spoilt += e * (here * fabs(a) + there * fabs(b) + here * there);
        if (k > 0)
            spoilt += e * fabs(a * b) * s->energy * s->T / s->alpha;
    }
    spoilt += lowest_pair(s, x);
    *error = spoilt;
    return sum;
}

static int sum_init(sum_of_states *s, const lem_spectrum *spectrum, double x_a, double alpha, double T) {
    const size_t n = lem_spectrum_size(spectrum);
    const double lowest = lem_spectrum_energy(spectrum, 0), highest = lem_spectrum_energy(spectrum, n - 1);
    const double second = lem_spectrum_energy(spectrum, 1),
                 state = 8 * DBL_EPSILON * highest / sqrt((double)n);
    *s = (sum_of_states){.spectrum = spectrum,
                         .alpha = alpha,
                         .T = T,
                         .state = state,
                         .energy = DBL_EPSILON * highest,
                         .mixing = state / (second - lowest)};
    while (s->states < n && (lem_spectrum_energy(spectrum, s->states) - lowest) * T / alpha < DIGITS)
        s->states++;
    s->at_start = lem_allocate(2 * s->states, sizeof *s->at_start);
    if (!s->at_start)
        return GSL_ENOMEM;
    s->decay = s->at_start + s->states;
    for (size_t k = 0; k < s->states; k++) {
        s->at_start[k] = lem_spectrum_state(spectrum, k, x_a);
        s->decay[k] = exp(-(lem_spectrum_energy(spectrum, k) - lowest) * T / alpha);
    }
    s->noise_at_start = noise(s, x_a);
    return GSL_SUCCESS;
}

static int densities(const lem_spectrum *spectrum, double x_a, double alpha, double T, size_t n,
                     const double *x_b, double *out, double *error) {
    sum_of_states s;
    const int status = sum_init(&s, spectrum, x_a, alpha, T);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        const double gauge = exp((primitive(x_b[i]) - primitive(x_a)) / alpha);
        double spoilt = 0;
        out[i] = gauge * density_at(&s, x_b[i], &spoilt);
        if (error)
            error[i] = gauge * spoilt;
    }
    free(s.at_start);
    return GSL_SUCCESS;
}

int lem_double_well_density(double x_a, double alpha, double T, size_t n, const double *x_b, double *out,
                            double *error) {
    int status = check_density(x_a, alpha, T, n, x_b, out);
    if (status)
        return status;
    extent e = grid_for(alpha, DIGITS * alpha / T);
    if (e.L < FARTHEST + .01)
        e.n = (size_t)((double)e.n * (FARTHEST + .01) / e.L), e.L = FARTHEST + .01;
    lem_spectrum *s = lem_sinc_dvr(&(lem_field){lem_double_well_potential, &alpha}, alpha, e.L, e.n);
    if (!s)
        return GSL_EFAILED;
    status = densities(s, x_a, alpha, T, n, x_b, out, error);
    lem_spectrum_free(s);
    return status;
}

double lem_double_well_transition_density(double x_a, double x_b, double alpha, double T) {
    double value = NAN, error = NAN;
    if (lem_double_well_density(x_a, alpha, T, 1, &x_b, &value, &error))
        return NAN;
    if (!(error < 1e-10 * value))
        return LEM_ERROR_NAN(GSL_ELOSS,
                             "x_a = %g, x_b = %g, alpha = %g, T = %g: rounding leaves less than 10 digits "
                             "in this tail",
                             x_a, x_b, alpha, T);
    return value;
}

/* A = alpha D - p on the grid, D_ij = (-1)^(i-j)/(h (i-j)), 0 on the diagonal. */
static void fill_ladder(gsl_matrix *a, double alpha, double L) {
    const double h = 2 * L / (double)(a->size1 - 1);
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size1; j++) {
            const double x = -L + (double)i * h, d = (double)i - (double)j;
            const double slope = i == j ? 0 : ((i + j) % 2 ? -1 : 1) / (h * d);
            gsl_matrix_set(a, i, j, alpha * slope - (i == j ? x * (1 - x * x) : 0));
        }
}

double lem_double_well_rate(double alpha) {
    if (check_alpha(alpha))
        return NAN;
    const extent e = grid_for(alpha, alpha);
    gsl_matrix *a = lem_matrix_allocate(e.n, e.n);
    gsl_vector *values = a ? lem_vector_allocate(e.n) : NULL;
    double rate = NAN;
    if (values) {
        fill_ladder(a, alpha, e.L);
        if (!lem_svd(a, NULL, values, NULL)) {
            const double s = gsl_vector_get(values, e.n - 2);
            rate = s * s / (2 * alpha);
        }
    }
    if (values)
        gsl_vector_free(values);
    if (a)
        gsl_matrix_free(a);
    return rate;
}
