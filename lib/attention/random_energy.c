#include "attention/random_energy.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>

static bool scale_ok(double a) {
    if (a >= 0)
        return true;
    LEM_ERROR(GSL_EDOM, "a = %g: must be >= 0", a);
    return false;
}

double lem_rem_mean_exponent(double a) {
    if (!scale_ok(a))
        return NAN;
    if (a >= M_SQRT2)
        return 0;
    return a <= sqrt(2. / 3) ? 1 - a * a : pow(1 / a + a / 2, 2) / 2 - 1;
}

double lem_rem_typical_exponent(double a) {
    if (!scale_ok(a))
        return NAN;
    if (a >= M_SQRT2)
        return 0;
    return a <= M_SQRT1_2 ? 1 - a * a : (M_SQRT2 - a) * (M_SQRT2 - a);
}

static bool share_ok(double x) {
    if (x > 0 && x < 1)
        return true;
    LEM_ERROR(GSL_EDOM, "x = %g: must be inside (0, 1)", x);
    return false;
}

int lem_pd_sample(double x, size_t m, lem_stream *stream, double *w) {
    if (!share_ok(x))
        return GSL_EDOM;
    if (m < 1)
        return LEM_ERROR(GSL_EDOM, "m = 0: must be at least 1");
    int status = lem_uniform_fill(stream, m, w);
    if (status)
        return status;
    double point = 0;
    for (size_t k = 0; k < m; k++)
        w[k] = point -= log(0x1p-53 + w[k]); /* an exponential step: the uniform moved to (0, 1] */
    /* in units of the largest weight, which may overflow */
    const double first = w[0];
    double sum = 0;
    for (size_t k = 0; k < m; k++)
        sum += w[k] = pow(w[k] / first, -1 / x);
    sum += x / (1 - x) * point * w[m - 1];
    for (size_t k = 0; k < m; k++)
        w[k] /= sum;
    return GSL_SUCCESS;
}

/* psi(z) - psi(z - x) by psi(z) = log z - 1/(2z) - sum B_2k/(2k) z^-2k, z >= 16: the first term left out is
 * below 1e-20. (z-x)^-j - z^-j = z^-j expm1(-j log1p(-x/z)). */
static double psi_difference(double z, double x) {
    static const double factor[] = {1. / 12, -1. / 120, 1. / 252, -1. / 240, 1. / 132, -691. / 32760};
    const double shift = -log1p(-x / z);
    double sum = shift + expm1(shift) / (2 * z);
    for (int k = 0; k < 6; k++)
        sum += factor[k] * pow(z, -2 * (k + 1)) * expm1(2 * (k + 1) * shift);
    return sum;
}

double lem_pd_entropy(double x) {
    enum { TERMS = 16 };
    if (!share_ok(x))
        return NAN;
    double sum = psi_difference(TERMS + 1, x);
    for (int k = TERMS; k > 0; k--)
        sum += x / (k * (k - x));
    return sum;
}
