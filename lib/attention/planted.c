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

/* The product may be infinite, of either sign: then the weight is 0 or 1. No one other: infinity times 0. */
static double share(double others, double log_ratio) {
    return others > 0 ? 1 / (1 + others * exp(log_ratio)) : 1;
}

double lem_planted_probability(double n, double gap, double scale) {
    if (check(n, 1, gap, scale))
        return (double)NAN;
    return share(n - 1, -scale * gap);
}

double lem_planted_probability_gauss(double n, double gap, double scale) {
    if (check(n, 2, gap, scale))
        return (double)NAN;
    if (fabs(scale) > 20)
        return LEM_ERROR_NAN(GSL_EDOM, "scale = %g: must be between -20 and 20", scale);
    const double ratio = (n - 1) * exp(scale * scale / 2 - scale * gap); /* (1 - p0)/p0 */
    const double p = 1 / (1 + ratio), rest = 1 / (1 + 1 / ratio);
    return p + p * rest * rest * expm1(scale * scale) / (n - 1);
}
