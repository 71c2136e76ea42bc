#include "attention/hermite.h"
#include "attention/taylor_error.h"
#include "projection/gamma_tail.h"

#include <math.h>

/* x^m/m! = sum over j <= m/2 of sigma^m/(2^j j! (m - 2j)!) He_(m-2j)(x/sigma). So the coefficient of He_k in
 * T_n is sigma^k/k! sum_{j <= (n-k)/2} (sigma^2/2)^j/j!, and in e^x the same sum without end, e^(sigma^2/2).
 * Their difference is sigma^k/k! e^(sigma^2/2) P(Poisson(sigma^2/2) > (n-k)/2); E He_k^2 = k!. */

static int check(int n, double sigma) {
    int status = lem_check_degree(n, 1);
    if (!status && !(sigma >= 0 && sigma <= 1e4))
        status = LEM_ERROR(GSL_EDOM, "sigma = %g: must be between 0 and 1e4", sigma);
    return status;
}

double lem_exp_hermite_relative_l2_squared(int n, double sigma) {
    return check(n, sigma) ? NAN : lem_poisson_above(n, sigma * sigma);
}

/* e^-v v^k/k!, k >= 0, v > 0. */
static double poisson(double k, double v) {
    if (k == 0)
        return exp(-v);
    const double e = (v - k) / k;
    return lem_gamma_peak(k) / k * exp(k * lem_log1p_minus(e, v / k));
}

double lem_exp_taylor_relative_l2_squared(int n, double sigma) {
    if (check(n, sigma))
        return NAN;
    if (sigma == 0)
        return 0;
    const double v = sigma * sigma;
    double sum = lem_poisson_above(n, v);
    for (int k = n; k >= 0; k--) {
        const double mass = poisson(k, v), missing = lem_poisson_above((n - k) / 2, v / 2);
        sum += mass * missing * missing;
    }
    return sum;
}
