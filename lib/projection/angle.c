#include "projection/angle.h"
#include "projection/gamma_tail.h"

#include <math.h>

static int check_dimension(double n) {
    if (!(n >= 2) || !isfinite(n))
        return LEM_ERROR(GSL_EDOM, "n = %g: must be >= 2 and finite", n);
    return GSL_SUCCESS;
}

static int check_tail(double n, double eps) {
    if (check_dimension(n))
        return GSL_EDOM;
    if (!(eps >= 0 && eps <= 1))
        return LEM_ERROR(GSL_EDOM, "eps = %g: must be between 0 and 1", eps);
    return GSL_SUCCESS;
}

/* With a = (n-1)/2, y = 1 - eps^2 and u = y e^(-t/a) in the integral of the Beta density over (0, y):
 *   I_y(a, 1/2) = y^a Gamma(a + 1/2)/(Gamma(a) sqrt(pi) a) int_0^inf e^-t (eps^2 + y (1 - e^(-t/a)))^(-1/2)
 * dt, every part positive, for a eps^2 >= 0.6 (nearer to 0 the branch point t = -a eps^2 comes too close). t
 * = exp(x - e^-x) makes the integrand doubly exponentially small at both ends; the trapezoidal rule with step
 * 1/16 is then exact to rounding for all a and eps (the tests compare with Arb). (libRmath's pbeta loses 600
 * epsilons at a = 900, eps = 0.53.) */
static double factor(double a, double eps, double y) {
    double square = eps * eps, sum = 0;
    for (int k = -72; k <= 72; k++) {
        double x = k / 16.0, inner = exp(-x), t = exp(x - inner);
        if (t < 745)
            sum += t * (1 + inner) * exp(-t) / sqrt(square - y * expm1(-t / a));
    }
    return sum / 16 * lem_gamma_half_ratio(a) / (sqrt(M_PI) * a);
}

/* P(|cos| < eps) = 2 eps y^a Gamma(a + 1/2)/(Gamma(a) sqrt(pi)) sum_k (a + 1/2)_k/(3/2)_k eps^(2k), for a
 * eps^2 < 0.6, where it is below 0.73. */
static double near_zero(double a, double eps, double log_y) {
    double term = 1, sum = 1;
    for (double k = 0; term > 1e-17 * sum; k++) {
        term *= (a + 0.5 + k) / (1.5 + k) * eps * eps;
        sum += term;
    }
    return 2 * eps * lem_gamma_half_ratio(a) / sqrt(M_PI) * exp(a * log_y) * sum;
}

/* eps^2 = square + error exactly, so that y = 1 - eps^2 and its logarithm are right to half an ulp. */
static lem_scaled tail(double n, double eps) {
    double a = (n - 1) / 2, square = eps * eps, error = fma(eps, eps, -square), y = (1 - square) - error;
    if (y == 0)
        return (lem_scaled){0, 0, 0};
    double log_y = square < 0.5 ? log1p(-square) - error / (1 - square) : log(y), hi = a * log_y;
    if (a * square < 0.6 && square < 0.5)
        return (lem_scaled){1 - near_zero(a, eps, log_y), 0, 0};
    /* Where y is small a power keeps the half ulp of y that the logarithm would multiply. */
    double power = pow(y, a);
    if (square >= 0.5 && power > 1e-290)
        return (lem_scaled){factor(a, eps, y) * power, 0, 0};
    return (lem_scaled){factor(a, eps, y), hi, isfinite(hi) ? fma(a, log_y, -hi) : 0};
}

double lem_cosine_abs_tail(double n, double eps) {
    return check_tail(n, eps) ? (double)NAN : lem_scaled_value(tail(n, eps));
}

double lem_cosine_abs_tail_log(double n, double eps) {
    if (check_tail(n, eps))
        return (double)NAN;
    double a = (n - 1) / 2, square = eps * eps;
    if (a * square < 0.6 && square < 0.5) /* the tail is near 1 */
        return log1p(-near_zero(a, eps, log1p(-square) - fma(eps, eps, -square) / (1 - square)));
    return lem_scaled_log(tail(n, eps));
}

static int check_angle(double n, double theta) {
    if (check_dimension(n))
        return GSL_EDOM;
    if (!(theta >= 0 && theta <= M_PI))
        return LEM_ERROR(GSL_EDOM, "theta = %g: must be between 0 and pi", theta);
    return GSL_SUCCESS;
}

/* Gamma(n/2)/(Gamma((n-1)/2) sqrt(pi)). */
static double constant(double n) {
    return lem_gamma_half_ratio((n - 1) / 2) / sqrt(M_PI);
}

double lem_angle_pdf(double n, double theta) {
    if (check_angle(n, theta))
        return (double)NAN;
    double c = cos(theta);
    /* Near pi/2 the rounding of the sine, multiplied by n, would swamp its departure from 1. */
    if (c * c < 0.5)
        return constant(n) * exp((n - 2) / 2 * log1p(-c * c));
    return constant(n) * pow(sin(theta), n - 2);
}

double lem_angle_pdf_log(double n, double theta) {
    if (check_angle(n, theta))
        return (double)NAN;
    if (n == 2)
        return -log(M_PI);
    double c = cos(theta);
    return log(constant(n)) + (n - 2) * (c * c < 0.5 ? log1p(-c * c) / 2 : log(sin(theta)));
}

double lem_max_cosine_median(double n, double N) {
    if (check_dimension(n))
        return (double)NAN;
    if (!(N >= 2 && N <= 9007199254740992.0 && floor(N) == N))
        return LEM_ERROR_NAN(GSL_EDOM, "N = %g: must be a whole number from 2 to 2^53", N);
    double target = log(2 * M_LN2) - 2 * log(N), low = 0, high = 1;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return high;
        if (lem_scaled_log(tail(n, middle)) > target)
            low = middle;
        else
            high = middle;
    }
}
