#include "projection/cosine.h"

#include <math.h>

static int check(double n, double rho) {
    if (!(n >= 1) || !isfinite(n))
        return LEM_ERROR(GSL_EDOM, "n = %g: must be >= 1 and finite", n);
    if (!(fabs(rho) <= 1))
        return LEM_ERROR(GSL_EDOM, "rho = %g: must be between -1 and 1", rho);
    return GSL_SUCCESS;
}

double lem_projected_cosine_mean(double n, double rho) {
    if (check(n, rho))
        return (double)NAN;
    if (rho == 0 || fabs(rho) == 1)
        return rho;
    double gap = (1 - rho) * (1 + rho);
    /* The Fourier transform of cosh(t)^-n, relative to its peak |Gamma((n + i w)/2)/Gamma(n/2)|^2, is below
     * 1e-18 at w = 2 pi/h for every n >= 1 with this h. */
    double h = fmin(0.15, 0.45 / sqrt(n)), weights = 0.5, sum = 0.5;
    for (double k = 1;; k++) {
        /* Both even in t: the half line, the point 0 at half weight. cosh^2 = 1 + sinh^2. */
        double s = sinh(k * h), square = s * s, weight = exp(-n / 2 * log1p(square));
        weights += weight;
        sum += weight / sqrt(1 + gap * square);
        if (weight < 1e-18 * weights)
            return rho * (sum / weights);
    }
}

double lem_cosine_estimate_variance(lem_cosine_estimate kind, double n, double rho) {
    if (check(n, rho))
        return (double)NAN;
    double gap = (1 - rho) * (1 + rho), theta = acos(rho);
    switch (kind) {
    case LEM_ESTIMATE_INNER:
        return (1 + rho * rho) / n;
    case LEM_ESTIMATE_COSINE:
        return gap * gap / n;
    case LEM_ESTIMATE_SIMHASH:
        return theta * acos(-rho) * gap / n;
    }
    return LEM_ERROR_NAN(GSL_EINVAL, "kind = %d: must be one of lem_cosine_estimate", (int)kind);
}
