#include "projection/angle.h"
#include "projection/gamma_tail.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
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

/* The smaller of eps^2 and 1 - eps^2 = (1 - eps)(1 + eps) goes to libRmath, which forms the complement. */
static double tail(double n, double eps, int log_p) {
    if (eps * eps < 0.5)
        return pbeta(eps * eps, 0.5, (n - 1) / 2, 0, log_p);
    return pbeta((1 - eps) * (1 + eps), (n - 1) / 2, 0.5, 1, log_p);
}

double lem_cosine_abs_tail(double n, double eps) {
    return check_tail(n, eps) ? (double)NAN : tail(n, eps, 0);
}

double lem_cosine_abs_tail_log(double n, double eps) {
    return check_tail(n, eps) ? (double)NAN : tail(n, eps, 1);
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
        if (tail(n, middle, 1) > target)
            low = middle;
        else
            high = middle;
    }
}
