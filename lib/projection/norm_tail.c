#include "projection/norm_tail.h"
#include "projection/gamma_tail.h"

#include <math.h>

static int check(double n, double eps, lem_jl_side side) {
    if (!(n >= 1) || !isfinite(n))
        return LEM_ERROR(GSL_EDOM, "n = %g: must be >= 1 and finite", n);
    if (side != LEM_JL_UPPER && side != LEM_JL_LOWER)
        return LEM_ERROR(GSL_EINVAL, "side = %d: must be LEM_JL_UPPER or LEM_JL_LOWER", (int)side);
    if (!(eps > 0) || !isfinite(eps))
        return LEM_ERROR(GSL_EDOM, "eps = %g: must be > 0 and finite", eps);
    if (side == LEM_JL_LOWER && !(eps < 1))
        return LEM_ERROR(GSL_EDOM, "eps = %g: must be < 1 for the lower tail", eps);
    return GSL_SUCCESS;
}

static lem_scaled tail(double n, double eps, lem_jl_side side) {
    double e = side == LEM_JL_UPPER ? eps : -eps;
    return lem_gamma_tail(n / 2, e, 1 + e, side == LEM_JL_UPPER);
}

double lem_jl_norm_tail(double n, double eps, lem_jl_side side) {
    return check(n, eps, side) ? (double)NAN : lem_scaled_value(tail(n, eps, side));
}

double lem_jl_norm_tail_log(double n, double eps, lem_jl_side side) {
    return check(n, eps, side) ? (double)NAN : lem_scaled_log(tail(n, eps, side));
}

double lem_jl_norm_two_sided_log(double n, double eps) {
    if (check(n, eps, LEM_JL_LOWER))
        return (double)NAN;
    double upper = lem_scaled_log(tail(n, eps, LEM_JL_UPPER)),
           lower = lem_scaled_log(tail(n, eps, LEM_JL_LOWER));
    return fmax(upper, lower) + log1p(exp(-fabs(upper - lower)));
}

/* The exponent as a product and its rounding error. */
static lem_scaled chernoff(double n, double eps, lem_jl_side side) {
    double e = side == LEM_JL_UPPER ? eps : -eps, rate = lem_log1p_minus(e, 1 + e), hi = n / 2 * rate;
    return (lem_scaled){1, hi, isfinite(hi) ? fma(n / 2, rate, -hi) : 0};
}

double lem_jl_norm_tail_chernoff(double n, double eps, lem_jl_side side) {
    return check(n, eps, side) ? (double)NAN : lem_scaled_value(chernoff(n, eps, side));
}

double lem_jl_norm_tail_chernoff_log(double n, double eps, lem_jl_side side) {
    return check(n, eps, side) ? (double)NAN : lem_scaled_log(chernoff(n, eps, side));
}

double lem_jl_exponent_ratio(double eps) {
    if (!(eps >= 0) || !isfinite(eps))
        return LEM_ERROR_NAN(GSL_EDOM, "eps = %g: must be >= 0 and finite", eps);
    /* Below 1e-17 the next term of 1/4 - eps/6 is lost; the square would underflow further down. */
    return eps < 1e-17 ? 0.25 : -lem_log1p_minus(eps, 1 + eps) / eps / eps / 2;
}
