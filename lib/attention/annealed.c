#include "attention/annealed.h"
#include "attention/sphere.h"

#include <math.h>
#include <stdbool.h>

double lem_annealed_trace_gauss(double n, double alpha) {
    if (!(n >= 1 && isfinite(n)))
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: must be >= 1 and finite", n);
    if (!(alpha >= 0 && isfinite(alpha)))
        return LEM_ERROR_NAN(GSL_EDOM, "alpha = %g: must be >= 0 and finite", alpha);
    return alpha == 0 ? 0 : -alpha * expm1(alpha * alpha - log(n));
}

static bool in_domain(double n, double d) {
    if (!(n >= 1 && n <= 1e300)) {
        LEM_ERROR(GSL_EDOM, "n = %g: must be >= 1 and <= 1e300", n);
        return false;
    }
    if (!(d >= 2 && d <= 1e6)) {
        LEM_ERROR(GSL_EDOM, "d = %g: must be >= 2 and <= 1e6", d);
        return false;
    }
    return true;
}

/* A(2 alpha) - A(alpha); beyond alpha = d from what both lack to 1, of which A itself keeps no digits. */
static double spread(double alpha, double d) {
    return alpha <= d ? lem_vmf_mean_resultant(2 * alpha, d) - lem_vmf_mean_resultant(alpha, d)
                      : lem_vmf_mean_deficit(alpha, d) - lem_vmf_mean_deficit(2 * alpha, d);
}

/* log R. Beyond alpha = d by log M = alpha A - D: log M is alpha less a logarithm, D a logarithm. */
static double log_ratio(double n, double alpha, double d) {
    if (alpha <= d)
        return lem_log_mgf_cosine(2 * alpha, d) - 2 * lem_log_mgf_cosine(alpha, d) - log(n);
    return 2 * alpha * spread(alpha, d) + 2 * lem_vmf_kl_uniform(alpha, d) -
           lem_vmf_kl_uniform(2 * alpha, d) - log(n);
}

double lem_annealed_trace_cosine(double n, double alpha, double d) {
    if (!in_domain(n, d))
        return NAN;
    if (!(alpha >= 0 && alpha <= 1e100))
        return LEM_ERROR_NAN(GSL_EDOM, "alpha = %g: must be >= 0 and <= 1e100", alpha);
    return alpha == 0 ? 0 : -alpha * expm1(log_ratio(n, alpha, d));
}

double lem_annealed_optimum_gauss(double n) {
    if (!(n > 1 && isfinite(n)))
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: must be above 1 and finite, else there is no maximum", n);
    const double log_n = n < 2 ? log1p(n - 1) : log(n);
    double a = log_n / 3; /* a + log1p(2a) <= 3a */
    for (int round = 0; round < 60; round++) {
        const double step = (log_n - a - log1p(2 * a)) / (1 + 2 / (1 + 2 * a));
        a += step;
        if (!(fabs(step) > 1e-16 * a))
            break;
    }
    return sqrt(a);
}

/* Rises through 0 at the stationary point. */
static double stationarity(double n, double alpha, double d) {
    return log_ratio(n, alpha, d) + log1p(2 * alpha * spread(alpha, d));
}

/* Regula falsi in the Illinois manner: the value at an end that stays is halved, so that both ends close in;
 * ends when a step changes nothing. */
static double bracketed_root(double n, double d, double low, double high) {
    double f_low = stationarity(n, low, d), f_high = stationarity(n, high, d), x = low;
    for (int round = 0, side = 0; round < 100; round++) {
        const double before = x;
        x = low - f_low * ((high - low) / (f_high - f_low));
        if (!(x > low && x < high))
            x = low + (high - low) / 2;
        const double f = stationarity(n, x, d);
        if (f == 0 || fabs(x - before) <= 4e-16 * x)
            return x;
        if (f < 0) {
            low = x, f_low = f;
            f_high /= side < 0 ? 2 : 1, side = -1;
        } else {
            high = x, f_high = f;
            f_low /= side > 0 ? 2 : 1, side = 1;
        }
    }
    return x;
}

double lem_annealed_optimum_cosine(double n, double d) {
    if (!in_domain(n, d))
        return NAN;
    if (n == 1)
        return LEM_ERROR_NAN(GSL_EDOM, "n = 1: must be above 1, else there is no maximum");
    double high = sqrt(d) * lem_annealed_optimum_gauss(n);
    while (stationarity(n, high, d) < 0) {
        high *= 2;
        if (high > 1e100)
            return LEM_ERROR_NAN(GSL_EDOM, "n = %g, d = %g: the maximum is above 1e100", n, d);
    }
    double low = high / 2;
    while (stationarity(n, low, d) > 0)
        low /= 2;
    return bracketed_root(n, d, low, high);
}
