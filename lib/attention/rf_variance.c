#include "attention/rf_variance.h"

#include <float.h>
#include <math.h>

static int check(double N, double s) {
    if (!(N >= 0) || !isfinite(N))
        return LEM_ERROR(GSL_EDOM, "N = %g: must be >= 0 and finite", N);
    if (!(fabs(s) <= N / 2 * (1 + 8 * DBL_EPSILON)))
        return LEM_ERROR(GSL_EDOM, "s = %g: must be between -N/2 and N/2, N = %g", s, N);
    return GSL_SUCCESS;
}

static double in_range(double variance, double N, double s) {
    if (isfinite(variance))
        return variance;
    return LEM_ERROR_NAN(GSL_EOVRFLW, "N = %g, s = %g: the variance exceeds the range of double", N, s);
}

/* 1 - exp(-x) for x >= 0; a negative x is a rounded 0 */
static double rise(double x) {
    return x > 0 ? -expm1(-x) : 0;
}

double lem_softmax_rf_variance_trig(double N, double s) {
    if (check(N, s))
        return (double)NAN;
    const double r = rise(N - 2 * s);
    return in_range(r > 0 ? exp(N) * r * r / 2 : 0, N, s);
}

double lem_softmax_rf_variance_positive(double N, double s) {
    if (check(N, s))
        return (double)NAN;
    const double r = rise(N + 2 * s);
    return in_range(r > 0 ? exp(N + 4 * s) * r : 0, N, s);
}

double lem_softmax_rf_variance_hyperbolic(double N, double s) {
    if (check(N, s))
        return (double)NAN;
    const double r = rise(N + 2 * s);
    return in_range(r > 0 ? exp(N + 4 * s) * r * r / 2 : 0, N, s);
}

static int check_size(double N) {
    if (!(N > 0) || !isfinite(N))
        return LEM_ERROR(GSL_EDOM, "N = %g: must be positive and finite", N);
    return GSL_SUCCESS;
}

/* exp(2 s*) is the root y of y^2 (E - 1/E) + y - E = 0; written in a = E - 1, so that s* keeps its digits at
 * both ends. */
double lem_trig_positive_crossover_equal_features(double N) {
    if (check_size(N))
        return (double)NAN;
    if (N > 300)
        return -exp(-N) / 4;
    const double a = expm1(N), root = sqrt(1 + 8 * a + 4 * a * a);
    const double shortfall = 2 * a + (8 * a + 4 * a * a) / (root + 1);
    return log1p(-shortfall / ((2 * (1 + a) + root) * (root + 1))) / 2;
}

/* exp(2 s) is the root y of y^2 (2 - E^-2) = 1: the terms linear in y cancel. */
double lem_trig_positive_crossover_equal_projections(double N) {
    if (check_size(N))
        return (double)NAN;
    return -log1p(-expm1(-2 * N)) / 4;
}
