#include "attention/planted.h"

#include <math.h>

static int check(double n, double least, double gap, double scale) {
    if (!(n >= least) || isinf(n))
        return LEM_ERROR(GSL_EDOM, "n = %g: must be finite and at least %g", n, least);
    if (!isfinite(gap))
        return LEM_ERROR(GSL_EDOM, "gap = %g: must be finite", gap);
    if (!isfinite(scale))
        return LEM_ERROR(GSL_EDOM, "scale = %g: must be finite", scale);
    return GSL_SUCCESS;
}

/* e^(x (y + y_low)). The rounding of the product, which the exponential would magnify, is made good while it
 * matters: beyond, the exponential is 0 or infinite. */
static double exp_product(double x, double y, double y_low) {
    const double product = x * y;
    if (fabs(product) > 800)
        return exp(product);
    return exp(product) * (1 + (fma(x, y, -product) + x * y_low));
}

double lem_planted_probability(double n, double gap, double scale) {
    if (check(n, 1, gap, scale))
        return (double)NAN;
    return n > 1 ? 1 / (1 + (n - 1) * exp_product(-scale, gap, 0)) : 1; /* alone: infinity times 0 */
}

/* a - b is difference + what is returned (Dekker). */
static double lost(double a, double b, double difference) {
    return fabs(a) >= fabs(b) ? (a - difference) - b : a - (b + difference);
}

double lem_planted_probability_gauss(double n, double gap, double scale) {
    if (check(n, 2, gap, scale))
        return (double)NAN;
    if (scale * scale > log(n))
        return LEM_ERROR_NAN(GSL_EDOM, "scale = %g: its square must be at most log n = %g", scale, log(n));
    const double half = scale / 2, y = half - gap;
    const double ratio = (n - 1) * exp_product(scale, y, lost(half, gap, y)); /* (1 - p0)/p0 */
    const double p = 1 / (1 + ratio), rest = 1 / (1 + 1 / ratio);
    return p + p * rest * rest * (expm1(scale * scale) / (n - 1));
}
