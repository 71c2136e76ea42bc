#include "walk/oscillator.h"
#include "walk/check.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_zeta.h>
#include <math.h>
#include <stdbool.h>

static int check_kernel(double xb, double xa, double T, double o, double a) {
    int status;
    if ((status = lem_walk_check_finite(xb, "xb")) || (status = lem_walk_check_finite(xa, "xa")) ||
        (status = lem_walk_check_positive(T, "T")) || (status = lem_walk_check_positive(a, "a")))
        return status;
    if (!(o >= 0) || isinf(o))
        return LEM_ERROR(GSL_EDOM, "o = %g: must be >= 0 and finite", o);
    return GSL_SUCCESS;
}

/* Below this z coth(z/2), and z cot(z/2), are 2 to rounding: a denormal z has no half. */
static const double FREE_BELOW = 1e-9;

/* Mehler's kernel with the frequency w outside and w = rate z. As
 *     (u^2 + v^2) cosh z - 2 u v = ((u - v)^2 coth(z/2) + (u + v)^2 tanh(z/2)) sinh(z)/2,
 * the exponent is a sum of two terms of one sign. */
static double mehler(double xb, double xa, double z, double rate, double a) {
    const double apart = xb - xa, sum = xb + xa, half = tanh(z / 2);
    const double coth = z < FREE_BELOW ? 2 : z / half; /* z coth(z/2) */
    const double exponent = rate / (4 * a) * (coth * apart * apart + z * half * sum * sum);
    const double ratio = z == 0 ? 1 : 2 * z / -expm1(-2 * z); /* exp(z) z/sinh z */
    return lem_walk_bounded(sqrt(ratio * rate) / sqrt(2 * M_PI * a) * exp(-z / 2 - exponent), "the kernel");
}

double lem_mehler_kernel(double xb, double xa, double T, double o, double a) {
    if (check_kernel(xb, xa, T, o, a))
        return NAN;
    return mehler(xb, xa, o * T, 1 / T, a);
}

double lem_mehler_kernel_trapezoid(double xb, double xa, double T, double o, double a, size_t n) {
    if (check_kernel(xb, xa, T, o, a))
        return NAN;
    if (n < 1)
        return LEM_ERROR_NAN(GSL_EDOM, "n = %zu: must be >= 1", n);
    /* sinh(theta/2) = o h/2 = u */
    const double u = o * (T / (double)n) / 2, half = asinh(u);
    const double rate = (u == 0 ? 1 : u * sqrt(1 + u * u) / half) / T; /* sinh(theta)/(theta T) */
    return mehler(xb, xa, 2 * (double)n * half, rate, a);
}

double lem_inverted_oscillator_kernel(double xb, double xa, double T, double o, double a) {
    if (check_kernel(xb, xa, T, o, a))
        return NAN;
    const double z = o * T, apart = xb - xa, sum = xb + xa, half = tan(z / 2);
    if (z >= M_PI)
        return LEM_ERROR_NAN(GSL_EDOM, "o T = %g: must be below pi, where paths meet again", z);
    const double cot = z < FREE_BELOW ? 2 : z / half;
    const double exponent = (cot * apart * apart - z * half * sum * sum) / (4 * a * T);
    const double ratio = z == 0 ? 1 : z / sin(z);
    return lem_walk_bounded(sqrt(ratio / (2 * M_PI * a * T)) * exp(-exponent), "the kernel");
}

/* --- the variance of one weight
 *
 * log(1 + variance) = C(z)/2 + (A(z) (x_b - x_a)^2 + B(z) (x_b + x_a)^2)/(4 a T), with
 *     C = 2 log(sinh z/z) - log(sinh sz/(sz)),  A = 2 z coth(z/2) - 2 - sz coth(sz/2),
 *     B = 2 z tanh(z/2) - sz tanh(sz/2),        s = sqrt(2),
 * each of order z^4. By the products of sinh and the partial fractions of coth and tanh they are sums of
 * positive terms over n >= 1:
 *     C: log(1 + y^2/(1 + 2y)), y = (z/pi)^2/n^2;   A, B: 8 y^2/((1 + y)(1 + 2y)), y = (z/2pi)^2/n^2 and
 *     /(n - 1/2)^2. */

/* Up to here the sums, beyond the closed forms, which lose a factor of 6 there. */
static const double SERIES_BELOW = 8;
enum { FIRST = 8, POWERS = 26 };

/* log(1 + y^2/(1 + 2y)) */
static double log_term(double y) {
    return log1p(y * y / (1 + 2 * y));
}

static double ratio_term(double y) {
    return 8 * y * y / ((1 + y) * (1 + 2 * y));
}

/* sum over n >= 1 of term(u/(n - shift)^2): the first eight as they are, the rest by the Taylor series in y,
 *     8 (-1)^k (2^(k-1) - 1) y^k,   logarithmic: 2/k in place of 8,
 * whose sums over n are Hurwitz zeta functions. For z <= 8 the terms fall at least like (1/6)^k. */
static double sum_terms(double u, double shift, bool logarithmic) {
    double sum = 0;
    for (int k = POWERS; k >= 2; k--) {
        gsl_sf_result zeta;
        (void)gsl_sf_hzeta_e(2 * k, FIRST + 1 - shift, &zeta); /* above 9^-52: no error is in reach */
        const double factor = (logarithmic ? 2.0 / k : 8) * (ldexp(1, k - 1) - 1);
        sum += (k % 2 ? -factor : factor) * pow(u, k) * zeta.val;
    }
    for (int n = FIRST; n >= 1; n--) {
        const double y = u / ((n - shift) * (n - shift));
        sum += logarithmic ? log_term(y) : ratio_term(y);
    }
    return sum;
}

/* log(sinh z/z), z > 0 */
static double log_sinh_ratio(double z) {
    return z + log1p(-exp(-2 * z)) - log(2 * z);
}

typedef struct {
    double log, apart, sum; /* C, A, B */
} exponents;

static exponents weight_exponents(double z) {
    if (z <= SERIES_BELOW) {
        const double u = z * z / (M_PI * M_PI);
        return (exponents){sum_terms(u, 0, true), sum_terms(u / 4, 0, false), sum_terms(u / 4, .5, false)};
    }
    const double w = M_SQRT2 * z;
    return (exponents){2 * log_sinh_ratio(z) - log_sinh_ratio(w), 2 * z / tanh(z / 2) - 2 - w / tanh(w / 2),
                       2 * z * tanh(z / 2) - w * tanh(w / 2)};
}

double lem_feynman_kac_relative_variance_harmonic(double xb, double xa, double T, double o, double a) {
    if (check_kernel(xb, xa, T, o, a))
        return NAN;
    const exponents e = weight_exponents(o * T);
    const double apart = xb - xa, sum = xb + xa;
    const double log_ratio = e.log / 2 + (e.apart * apart * apart + e.sum * sum * sum) / (4 * a * T);
    return lem_walk_bounded(expm1(log_ratio), "the variance");
}
