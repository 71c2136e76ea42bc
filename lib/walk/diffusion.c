#include "walk/diffusion.h"
#include "walk/check.h"

#include <gsl/gsl_math.h>
#include <math.h>

/* deviation: from the mean; scale: the standard deviation. */
static double normal_pdf(double deviation, double scale) {
    const double z = deviation / scale;
    return lem_walk_bounded(exp(-z * z / 2) / (sqrt(2 * M_PI) * scale), "the density");
}

double lem_brownian_pdf(double x, double t, double a) {
    if (lem_walk_check_finite(x, "x") || lem_walk_check_positive(t, "t") || lem_walk_check_positive(a, "a"))
        return NAN;
    return normal_pdf(x, sqrt(a) * sqrt(t));
}

/* (1 - exp(-z))/z */
static double decay_ratio(double z) {
    return z == 0 ? 1 : -expm1(-z) / z;
}

double lem_ou_variance(double t, double k, double a) {
    if (lem_walk_check_positive(t, "t") || lem_walk_check_finite(k, "k") || lem_walk_check_positive(a, "a"))
        return NAN;
    return lem_walk_bounded(a * t * decay_ratio(2 * k * t), "the variance");
}

/* x - x0 exp(-z), without a difference of near numbers while the start is not forgotten. */
static double ou_deviation(double x, double x0, double z) {
    return z < M_LN2 ? (x - x0) - x0 * expm1(-z) : x - x0 * exp(-z);
}

double lem_ou_pdf(double x, double t, double x0, double k, double a) {
    if (lem_walk_check_finite(x, "x") || lem_walk_check_finite(x0, "x0"))
        return NAN;
    const double variance = lem_ou_variance(t, k, a);
    if (isnan(variance))
        return NAN;
    return normal_pdf(ou_deviation(x, x0, k * t), sqrt(variance));
}

double lem_forced_ou_mean(double m0, double k, double F, double w, double t) {
    if (lem_walk_check_finite(m0, "m0") || lem_walk_check_finite(k, "k") || lem_walk_check_finite(F, "F") ||
        lem_walk_check_finite(w, "w") || lem_walk_check_finite(t, "t"))
        return NAN;
    if (t < 0)
        return LEM_ERROR_NAN(GSL_EDOM, "t = %g: must be >= 0", t);
    const double rate = hypot(k, w);
    if (rate == 0)
        return lem_walk_bounded(m0 + F * t, "the mean");
    /* k (cos wt - exp(-kt)) as two differences from 1, each without cancellation */
    const double half = sin(w * t / 2);
    const double push = (k / rate) * (-2 * half * half - expm1(-k * t)) + (w / rate) * sin(w * t);
    /* exp(-kt) may be infinite, which times nothing is nothing */
    const double start = m0 == 0 ? 0 : m0 * exp(-k * t), forced = F == 0 ? 0 : F * (push / rate);
    return lem_walk_bounded(start + forced, "the mean");
}
