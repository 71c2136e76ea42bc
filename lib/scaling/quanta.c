#include "scaling/quanta.h"
#include "scaling/quanta_check.h"
#include "scaling/zeta.h"

#include <math.h>

/* (n + shift)^-gamma, with what the rounding of the sum took from a real n. */
static double power(double n, double shift, double gamma) {
    const double q = n + shift, rest = n > shift ? shift - (q - n) : n - (q - shift);
    return pow(q, -gamma) * (1 - gamma * (rest / q));
}

static int check_costs(double a, double b) {
    if (!isfinite(a) || !isfinite(b) || b < a)
        return LEM_ERROR(GSL_EDOM, "a = %g, b = %g: must be finite, b not below a", a, b);
    if (isinf(b - a))
        return LEM_ERROR(GSL_EOVRFLW, "a = %g, b = %g: their difference exceeds the range of double", a, b);
    return GSL_SUCCESS;
}

static int check(double n, double gamma, double a, double b) {
    return lem_quanta_check_count("n", n) || lem_quanta_check_gamma(gamma) || check_costs(a, b) ? GSL_EDOM
                                                                                                : GSL_SUCCESS;
}

double lem_quanta_frequency(double k, double gamma) {
    if (lem_quanta_check_gamma(gamma))
        return (double)NAN;
    if (!(k >= 1) || !isfinite(k))
        return LEM_ERROR_NAN(GSL_EDOM, "k = %g: must be finite and at least 1", k);
    return pow(k, -gamma) * (gamma / k) / lem_zeta_scaled(gamma, 1);
}

double lem_quanta_loss(double n, double gamma, double a, double b) {
    if (check(n, gamma, a, b))
        return (double)NAN;
    if (n == 0)
        return b;
    const double ratio = lem_zeta_scaled(gamma, n + 1) / lem_zeta_scaled(gamma, 1);
    return a + (b - a) * (power(n, 1, gamma) * ratio);
}

/* a + (b - a) (n + shift)^-gamma/(gamma Z) */
static double integral_estimate(double n, double shift, double gamma, double a, double b) {
    const double loss = a + (b - a) * (power(n, shift, gamma) / lem_zeta_scaled(gamma, 1));
    return lem_quanta_bounded(loss, "the estimate");
}

double lem_quanta_loss_asymptotic(double n, double gamma, double a, double b) {
    if (check(n, gamma, a, b))
        return (double)NAN;
    if (n == 0)
        return LEM_ERROR_NAN(GSL_EDOM, "n = 0: must be positive, the estimate is infinite at 0");
    return integral_estimate(n, 0, gamma, a, b);
}

double lem_quanta_loss_midpoint(double n, double gamma, double a, double b) {
    if (check(n, gamma, a, b))
        return (double)NAN;
    return integral_estimate(n, 0.5, gamma, a, b);
}

double lem_quanta_local_exponent(double n, double gamma) {
    if (lem_quanta_check_count("n", n) || lem_quanta_check_gamma(gamma))
        return (double)NAN;
    const double q = n + 1;
    return gamma * (n / q) * (lem_zeta_scaled(gamma + 1, q) / lem_zeta_scaled(gamma, q));
}

double lem_quanta_loss_finite(double n, double K, double gamma) {
    if (lem_quanta_check_gamma(gamma))
        return (double)NAN;
    if (!(K >= 1) || K >= 0x1p53 || K != floor(K))
        return LEM_ERROR_NAN(GSL_EDOM, "K = %g: must be a whole number from 1 to 2^53 - 1", K);
    if (!(n >= 0) || n > K || n != floor(n))
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: must be a whole number from 0 to K = %g", n, K);
    const double q = n + 1;
    return pow(q, -gamma) * (lem_zeta_between(gamma, q, K + 1) / q / lem_zeta_between(gamma, 1, K + 1));
}

/* log Z, also where Z - 1 is tiny. */
static double log_zeta(double gamma) {
    return log1p(pow(2, -gamma) * lem_zeta_scaled(gamma, 2) / gamma);
}

/* gamma sum_k>n log(k) k^-s. Near n = 0 the first logarithm is one of 1 + n. */
static double logarithms(double n, double gamma) {
    if (n >= 1)
        return power(n, 1, gamma) * lem_zeta_log_scaled(gamma, n + 1);
    const double first = gamma / (n + 1) * log1p(n);
    return power(n, 1, gamma) * first + power(n, 2, gamma) * lem_zeta_log_scaled(gamma, n + 2);
}

double lem_quanta_loss_logweight(double n, double gamma) {
    if (lem_quanta_check_count("n", n) || lem_quanta_check_gamma(gamma))
        return (double)NAN;
    const double unlearned = power(n, 1, gamma) * lem_zeta_scaled(gamma, n + 1);
    return (log_zeta(gamma) * unlearned + (1 + gamma) * logarithms(n, gamma)) / lem_zeta_scaled(gamma, 1);
}
