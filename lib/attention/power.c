#include "attention/power.h"
#include "attention/taylor_error.h"
#include "projection/gamma_tail.h"

#include <math.h>

static double in_range(double value, int n, double x) {
    if (isfinite(value))
        return value;
    return LEM_ERROR_NAN(GSL_EOVRFLW, "n = %d, x = %g: the result exceeds the range of double", n, x);
}

double lem_exp_power(int n, double x) {
    if (lem_check_degree_at(n, 1, x, "x"))
        return NAN;
    const double r = (n + x) / n;
    if (r > 0.5)
        return in_range(exp(n * log1p(x / n)), n, x);
    return in_range(pow(r, n), n, x);
}

double lem_exp_power_relative_error(int n, double x) {
    if (lem_check_degree_at(n, 1, x, "x"))
        return NAN;
    const double r = (n + x) / n;
    if (r == 0)
        return -1;
    if (r > 0)
        return expm1(n * lem_log1p_minus(x / n, r));
    const double size = exp(n * log(-r) - x);
    return in_range((n % 2 ? -size : size) - 1, n, x);
}

double lem_exp_richardson_relative_error(int n, double x) {
    if (lem_check_degree_at(n, 2, x, "x"))
        return NAN;
    if (n % 2)
        return LEM_ERROR_NAN(GSL_EDOM, "n = %d: must be even", n);
    const double whole = lem_exp_power_relative_error(n, x), half = lem_exp_power_relative_error(n / 2, x);
    if (isnan(whole) || isnan(half))
        return NAN;
    return in_range(2 * whole - half, n, x);
}
