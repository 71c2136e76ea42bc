#include "attention/entropy_floor.h"
#include "attention/noise.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>

static bool bad_tau(double tau) {
    if (tau > 0 && isfinite(2 / tau))
        return false;
    LEM_ERROR(GSL_EDOM, "tau = %g: must be positive with 2/tau finite", tau);
    return true;
}

/* log(sinh(x)/x), x >= 0; sinh(x)/x - 1 = sum_(k >= 1) x^2k/(2k+1)! has positive terms; 1e-17 after 12 at
 * x = 2. */
static double log_sinh_over(double x) {
    if (x >= 2)
        return x - log(2 * x) + log1p(-exp(-2 * x));
    double sum = 0, term = 1;
    for (int k = 1; k <= 14; k++) {
        term *= x / (2 * k) * (x / (2 * k + 1));
        sum += term;
    }
    return log1p(sum);
}

double lem_max_entropy_deficit(double tau) {
    if (bad_tau(tau))
        return NAN;
    return lem_noise_factor_uniform(1 / tau) + log_sinh_over(1 / tau);
}

/* (m - 1)/(e^c - 1), m - 1 = c/2 + x coth x - 1. */
double lem_entropy_floor_share(double tau) {
    if (bad_tau(tau))
        return NAN;
    const double x = 1 / tau;
    return x == 0 ? 0.5 : (x + lem_noise_factor_uniform(x)) / expm1(2 * x);
}

static double vertex(double n, double k, double c) {
    const double e = (n - k) / k * exp(-c);
    return log(k) + log1p(e) + c * e / (1 + e);
}

static bool bad_n(double n) {
    if (n >= 2 && n <= 9007199254740992.0 && n == floor(n))
        return false;
    LEM_ERROR(GSL_EDOM, "n = %g: must be a whole number, 2 <= n <= 2^53", n);
    return true;
}

double lem_vertex_entropy(double n, double k, double tau) {
    if (bad_n(n) || bad_tau(tau))
        return NAN;
    if (!(k >= 1 && k <= n && k == floor(k)))
        return LEM_ERROR_NAN(GSL_EDOM, "k = %g: must be a whole number, 1 <= k <= n = %g", k, n);
    return vertex(n, k, 2 / tau);
}

double lem_min_entropy_cube(double n, double tau, double *k) {
    if (bad_n(n) || bad_tau(tau))
        return NAN;
    const double middle = floor(n * lem_entropy_floor_share(tau));
    double least = INFINITY, at = 1;
    for (double i = middle - 1; i <= middle + 2; i++) {
        const double candidate = fmin(fmax(i, 1), n - 1), h = vertex(n, candidate, 2 / tau);
        if (h < least)
            least = h, at = candidate;
    }
    if (k)
        *k = at;
    return least;
}
