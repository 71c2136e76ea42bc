#include "projection/haar.h"

#include "stat/distribution.h"

#include <math.h>

static int check(double m, double n, double eps, lem_jl_side side) {
    if (!(m >= 1) || !isfinite(m))
        return LEM_ERROR(GSL_EDOM, "m = %g: must be >= 1 and finite", m);
    if (!(n >= 1 && n <= m))
        return LEM_ERROR(GSL_EDOM, "n = %g: must be between 1 and m = %g", n, m);
    if (side != LEM_JL_UPPER && side != LEM_JL_LOWER)
        return LEM_ERROR(GSL_EINVAL, "side = %d: must be LEM_JL_UPPER or LEM_JL_LOWER", (int)side);
    if (!(eps > 0) || !isfinite(eps))
        return LEM_ERROR(GSL_EDOM, "eps = %g: must be > 0 and finite", eps);
    if (side == LEM_JL_LOWER && !(eps < 1))
        return LEM_ERROR(GSL_EDOM, "eps = %g: must be < 1 for the lower tail", eps);
    return GSL_SUCCESS;
}

/* log P, with the smaller of x = n (1 +- eps)/m and 1 - x handed on (the other is formed from it). By
 * lib/stat's distribution function, for libRmath's own is wrong in the far tail. */
static double tail_log(double m, double n, double eps, lem_jl_side side) {
    double r = side == LEM_JL_UPPER ? 1 + eps : 1 - eps, a = n / 2, b = (m - n) / 2;
    if (n == m || (side == LEM_JL_UPPER && n * r >= m))
        return -INFINITY;
    double complement = fma(side == LEM_JL_UPPER ? -n : n, eps, m - n);
    if (complement < n * r)
        return lem_beta_cdf(complement / m, b, a, side == LEM_JL_UPPER ? LEM_LOWER_LOG : LEM_UPPER_LOG);
    return lem_beta_cdf(n * r / m, a, b, side == LEM_JL_LOWER ? LEM_LOWER_LOG : LEM_UPPER_LOG);
}

double lem_jl_haar_tail_log(double m, double n, double eps, lem_jl_side side) {
    return check(m, n, eps, side) ? (double)NAN : tail_log(m, n, eps, side);
}

double lem_jl_haar_tail(double m, double n, double eps, lem_jl_side side) {
    return check(m, n, eps, side) ? (double)NAN : exp(tail_log(m, n, eps, side));
}

double lem_jl_haar_two_sided_log(double m, double n, double eps) {
    if (check(m, n, eps, LEM_JL_LOWER))
        return (double)NAN;
    double upper = tail_log(m, n, eps, LEM_JL_UPPER), lower = tail_log(m, n, eps, LEM_JL_LOWER);
    double larger = fmax(upper, lower), smaller = fmin(upper, lower);
    return larger == -INFINITY ? larger : larger + log1p(exp(smaller - larger));
}
