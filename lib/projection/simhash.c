#include "projection/simhash.h"

#include <math.h>

/* pi - M_PI */
static const double PI_TAIL = 1.2246467991473532e-16;

/* Re and Im of e^(re + i im) - 1. */
static double expm1_re(double re, double im) {
    double s = sin(im / 2);
    return expm1(re) * cos(im) - 2 * s * s;
}
static double expm1_im(double re, double im) {
    return exp(re) * sin(im);
}

/* theta <= pi/2, n >= 2; p = theta/pi and skew = 1 - 2p, both relatively accurate.
 *
 * With a = pi/n, g = 4 p (1-p) sin^2(a/2), R = |w|^(2n) = (1-g)^n, d = g/(1-g), psi = n arg w and
 * gamma = a - 2 arg w = 2 atan(skew tan(a/2)):
 *   w_2/w^2 = 1 - d e^(i gamma), X = (w_2/w^2)^n, and (1 - d e^(i gamma))(1 + d) = 1 + e, so that
 *   2 Var = (1-R)^2 + R^2 Re[(1+e)^n - 1] + R [2 sin^2(psi) Re(1-X) - sin(2 psi) Im X].
 * The first and the last summand are positive and dominate; nothing of order 1 is subtracted. */
static double variance_of(double n, double p, double skew) {
    double half = M_PI / n / 2, s = sin(half), q = (1 + skew) / 2;
    double g = 4 * p * q * s * s, d = g / (1 - g), log_ratio = n * log1p(-g), ratio = exp(log_ratio);
    double gamma = 2 * atan(skew * tan(half)), psi = n * atan2(p * sin(2 * half), 1 - 2 * p * s * s);
    double sg = sin(gamma / 2), lack = 2 * sg * sg; /* 1 - cos(gamma) */

    double real = d * lack - d * d * (1 - lack), imag = -d * (1 + d) * sin(gamma);
    double log_e = n / 2 * log1p(d * (2 * (1 + d) * (1 + d) * lack - d * (2 - d * d)));
    double arg_e = n * atan2(imag, 1 + real);

    double log_x = n / 2 * log1p(d * (d - 2 * (1 - lack)));
    double arg_x = -n * atan2(d * sin(gamma), 1 - d * (1 - lack));

    double one_minus = -expm1(log_ratio), sp = sin(psi);
    return (one_minus * one_minus + ratio * ratio * expm1_re(log_e, arg_e) +
            ratio * (-2 * sp * sp * expm1_re(log_x, arg_x) - sin(2 * psi) * expm1_im(log_x, arg_x))) /
           2;
}

/* Re w^n = sqrt(R) cos(psi), and psi = pi/2 - n atan(skew tan(a/2)): a sine, small where the mean is. */
static double mean_of(double n, double p, double skew) {
    double half = M_PI / n / 2, s = sin(half), g = 2 * p * (1 + skew) * s * s;
    return exp(n / 2 * log1p(-g)) * sin(n * atan(skew * tan(half)));
}

int lem_simhash_cos_mean_var(double n, double theta, double *mean, double *variance) {
    if (!(n >= 1 && n <= 9007199254740992.0 && floor(n) == n))
        return LEM_ERROR(GSL_EDOM, "n = %g: must be a whole number from 1 to 2^53", n);
    if (!(theta >= 0 && theta <= M_PI))
        return LEM_ERROR(GSL_EDOM, "theta = %g: must be between 0 and pi", theta);
    /* K at pi - theta is distributed like n - K: the mean changes sign, the variance does not. */
    double sign = theta > M_PI / 2 ? -1 : 1;
    double acute = sign < 0 ? (M_PI - theta) + PI_TAIL : theta;
    double p = acute / M_PI, skew = ((M_PI - 2 * acute) + PI_TAIL) / M_PI;
    if (mean)
        *mean = sign * (n == 1 ? skew : mean_of(n, p, skew));
    if (variance)
        *variance = n == 1 ? 2 * p * (1 + skew) : variance_of(n, p, skew);
    return GSL_SUCCESS;
}

double lem_simhash_bias(double rho) {
    if (!(fabs(rho) <= 1))
        return LEM_ERROR_NAN(GSL_EDOM, "rho = %g: must be between -1 and 1", rho);
    double size = fabs(rho);
    double bias = size < 0.5 ? size - asin(size) * M_2_PI : acos(size) * M_2_PI - (1 - size);
    return copysign(bias, rho);
}
