#include "attention/oprf.h"

#include <math.h>

static int check(double phi, double d) {
    if (!(phi >= 0) || phi > 1e150)
        return LEM_ERROR(GSL_EDOM, "phi = %g: must be between 0 and 1e150", phi);
    if (!(d >= 1) || d > 0x1p53 || d != floor(d))
        return LEM_ERROR(GSL_EDOM, "d = %g: must be a whole number from 1 to 2^53", d);
    return GSL_SUCCESS;
}

/* root = sqrt((2 phi + d)^2 + 8 d phi), excess = root - d + 2 phi; neither cancels. */
typedef struct {
    double root, excess;
} parts;

static parts parts_of(double phi, double d) {
    const double root = sqrt((2 * phi + d) * (2 * phi + d) + 8 * d * phi);
    return (parts){root, 4 * phi * ((phi + 3 * d) / (root + d)) + 2 * phi};
}

double lem_oprf_rho(double phi, double d) {
    if (check(phi, d))
        return (double)NAN;
    return 2 * d / (parts_of(phi, d).root + 2 * phi + d);
}

/* 1/rho* - 1 = excess/(2d) */
double lem_oprf_A(double phi, double d) {
    if (check(phi, d))
        return (double)NAN;
    return -parts_of(phi, d).excess / (16 * d);
}

/* ((1 + rho)/(2 sqrt(rho)))^2 = 1 + (1 - rho)^2/(4 rho) */
static double log_moment(double rho, double one_minus_rho, double phi, double d) {
    return d / 2 * log1p(one_minus_rho * (one_minus_rho / rho) / 4) + rho * phi;
}

double lem_oprf_log_second_moment(double phi, double d) {
    if (check(phi, d))
        return (double)NAN;
    const parts p = parts_of(phi, d);
    const double sum = p.root + 2 * phi + d;
    return log_moment(2 * d / sum, p.excess / sum, phi, d);
}

double lem_oprf_log_second_moment_at(double rho, double phi, double d) {
    if (check(phi, d))
        return (double)NAN;
    if (!(rho > 0) || !isfinite(rho))
        return LEM_ERROR_NAN(GSL_EDOM, "rho = %g: must be positive and finite", rho);
    return log_moment(rho, 1 - rho, phi, d);
}
