#include "attention/entropy_scale.h"
#include "attention/sphere.h"

#include <math.h>

static const double MOST = 1e150;

static int check_lambda(double lambda) {
    if (!(lambda >= 0) || lambda > MOST)
        return LEM_ERROR(GSL_EDOM, "lambda = %g: must be between 0 and 1e150", lambda);
    return GSL_SUCCESS;
}

/* The mean cosine in the limit: lambda = c/(1 - c^2). */
static double mean_cosine(double lambda) {
    return 2 * lambda / (1 + hypot(1, 2 * lambda));
}

/* log(1 - c^2); 1 - c^2 = c/lambda has no cancellation. */
static double log_sine2(double lambda, double c) {
    return c < 0.5 ? log1p(-c * c) : log(c / lambda);
}

double lem_entropy_rate_large_d(double lambda) {
    if (check_lambda(lambda))
        return (double)NAN;
    return -log_sine2(lambda, mean_cosine(lambda)) / 2 + 0.0; /* no minus zero */
}

double lem_vmf_kl_correction(double lambda) {
    if (check_lambda(lambda))
        return (double)NAN;
    const double c = mean_cosine(lambda), c2 = c * c, share = c2 / (1 + c2);
    const double log_term = c < 0.5 ? log1p(-c2 * c2) : log_sine2(lambda, c) + log1p(c2);
    return log_term / 2 + 2 * share * share;
}

/* y = c^2 at the tangent: Newton's method from a start good to three digits doubles the digits at each step.
 */
static double tangent_y(void) {
    double y = 0.475;
    for (int i = 0; i < 8; i++) {
        const double f = 2 * y / (1 + y) + log1p(-y), slope = 2 / ((1 + y) * (1 + y)) - 1 / (1 - y);
        y -= f / slope;
    }
    return y;
}

double lem_tangent_lambda(void) {
    const double y = tangent_y();
    return sqrt(y) / (1 - y);
}

/* r = y/(1 + y) there */
double lem_tangent_ratio(void) {
    const double y = tangent_y();
    return sqrt(y) * (1 - y) / (1 + y);
}

static int check_length(double n, const char *name) {
    if (!(n >= 1) || isinf(n))
        return LEM_ERROR(GSL_EDOM, "%s = %g: must be finite and at least 1", name, n);
    return GSL_SUCCESS;
}

/* D_d(kappa) = target between low and high, where it rises. */
static double bisect(double d, double target, double low, double high) {
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return middle;
        if (lem_vmf_kl_uniform(middle, d) < target)
            low = middle;
        else
            high = middle;
    }
}

double lem_meanfield_kappa_for_constant_entropy(double n, double n0, double d) {
    if (check_length(n, "n") || check_length(n0, "n0"))
        return (double)NAN;
    const double usual = lem_vmf_kl_uniform(sqrt(d), d);
    if (isnan(usual)) /* sqrt(d) is no argument of the caller */
        return LEM_ERROR_NAN(GSL_EDOM, "d = %g: must be between 2 and 1e150", d);
    const double target = log(n / n0) + usual;
    if (target < 0)
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: too few keys for the entropy at n0 = %g, even at kappa = 0",
                             n, n0);
    double low = 0, high = sqrt(d);
    while (lem_vmf_kl_uniform(high, d) < target) {
        low = high;
        high *= 2;
        if (high > MOST)
            return LEM_ERROR_NAN(GSL_EDOM, "n = %g: the scale would exceed 1e150", n);
    }
    return bisect(d, target, low, high);
}

double lem_entropy_scale_factor(double n, double n0, double d) {
    if (check_length(n, "n") || check_length(n0, "n0"))
        return (double)NAN;
    if (n < n0)
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: must be at least n0 = %g", n, n0);
    if (!(d >= 2) || d > MOST)
        return LEM_ERROR_NAN(GSL_EDOM, "d = %g: must be between 2 and 1e150", d);
    const double rise = 2 * log(n / n0), u = 1 + rise;
    return sqrt(u + 1.5 * rise * (u + 1) / (d + 2));
}

double lem_log_length_scale(double n, double base) {
    if (check_length(n, "n"))
        return (double)NAN;
    if (!(base > 1) || isinf(base))
        return LEM_ERROR_NAN(GSL_EDOM, "base = %g: must be finite and above 1", base);
    return log(n) / log(base);
}
