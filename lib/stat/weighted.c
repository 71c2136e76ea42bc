#include "stat/weighted.h"

#include <math.h>

static int check_weighted(size_t n, const double *x, const double *weights, const lem_weighted *out,
                          double *largest) {
    if (!x || !weights || !out)
        return LEM_ERROR(GSL_EFAULT, "%s is null", !x ? "x" : !weights ? "weights" : "out");
    size_t positive = 0;
    *largest = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            return LEM_ERROR(GSL_EINVAL, "x[%zu] = %g: must be finite", i, x[i]);
        if (!(weights[i] >= 0) || !isfinite(weights[i]))
            return LEM_ERROR(GSL_EINVAL, "weights[%zu] = %g: must be finite and >= 0", i, weights[i]);
        positive += weights[i] > 0;
        *largest = fmax(*largest, weights[i]);
    }
    if (positive < 2)
        return LEM_ERROR(GSL_EINVAL, "weights: %zu of %zu are positive: must be >= 2", positive, n);
    return GSL_SUCCESS;
}

int lem_weighted_mean(size_t n, const double *x, const double *weights, lem_weighted *out) {
    double largest = 0;
    int status = check_weighted(n, x, weights, out, &largest);
    if (status)
        return status;
    /* Scaled by the largest, so that no sum of weights over- or underflows as a whole. */
    double sum = 0, sum2 = 0, sum3 = 0, mean = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weights[i] / largest;
        if (w == 0)
            continue;
        sum += w;
        sum2 += w * w;
        sum3 += w * w * w;
        mean += (x[i] - mean) * (w / sum); /* stays between the values */
    }
    double scatter = 0;
    for (size_t i = 0; i < n; i++) {
        double d = weights[i] / largest / sum * (x[i] - mean);
        scatter += d * d;
    }
    double s2 = sum2 / sum / sum, s3 = sum3 / sum / sum / sum;
    /* S_2 - 2 S_3 + S_2^2 = sum v^2 ((1 - v)^2 + S_2 - v^2) > 0 with two positive weights; 0 when rounding
     * leaves one of them nothing. */
    double factor = s2 - 2 * s3 + s2 * s2;
    if (!(factor > 0))
        return LEM_ERROR(GSL_EINVAL, "weights: the largest outweighs all others by more than 1e16");
    *out = (lem_weighted){mean, sqrt(scatter * s2 / factor), 1 / s2};
    return GSL_SUCCESS;
}
