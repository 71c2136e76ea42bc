#include "projection/rsvd_bound.h"

#include <math.h>

static int check(size_t k, size_t p, const double *sigma, size_t count) {
    if (k < 1)
        return LEM_ERROR(GSL_EDOM, "k = %zu: must be >= 1", k);
    if (p < 2)
        return LEM_ERROR(GSL_EDOM, "p = %zu: must be >= 2, the bound divides by p - 1", p);
    if (k > count || p > count - k)
        return LEM_ERROR(GSL_EDOM, "k + p = %zu + %zu: must be <= the number of singular values, %zu", k, p,
                         count);
    if (!sigma)
        return LEM_ERROR(GSL_EFAULT, "sigma = NULL: must point to %zu singular values", count);
    for (size_t j = 0; j < count; j++) {
        if (!isfinite(sigma[j]) || sigma[j] < 0)
            return LEM_ERROR(GSL_EDOM, "sigma[%zu] = %g: must be finite and >= 0", j, sigma[j]);
        if (j > 0 && sigma[j] > sigma[j - 1])
            return LEM_ERROR(GSL_EDOM, "sigma[%zu] = %g: must not exceed sigma[%zu] = %g", j, sigma[j], j - 1,
                             sigma[j - 1]);
    }
    return GSL_SUCCESS;
}

/* (sum_{j>=k} (sigma[j]/sigma[k])^(2 power))^(1/2): smallest first, compensated; sigma[k] > 0. */
static double tail_norm(const double *sigma, size_t k, size_t count, double power) {
    double sum = 0, lost = 0;
    for (size_t j = count; j-- > k;) {
        double term = pow(sigma[j] / sigma[k], 2 * power) - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sqrt(sum);
}

double lem_rsvd_bound_fro(size_t k, size_t p, const double *sigma, size_t count) {
    if (check(k, p, sigma, count))
        return (double)NAN;
    if (sigma[k] == 0)
        return 0;
    return sqrt(1 + (double)k / (double)(p - 1)) * sigma[k] * tail_norm(sigma, k, count, 1);
}

double lem_rsvd_bound_spec(size_t k, size_t p, size_t q, const double *sigma, size_t count) {
    if (check(k, p, sigma, count))
        return (double)NAN;
    if (sigma[k] == 0)
        return 0;
    double power = 2 * (double)q + 1;
    double sum = 1 + sqrt((double)k / (double)(p - 1)) +
                 M_E * sqrt((double)(k + p)) / (double)p * tail_norm(sigma, k, count, power);
    return sigma[k] * pow(sum, 1 / power);
}
