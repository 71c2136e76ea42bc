/* Confidence intervals. alpha is the probability to miss, 1 - confidence: levels like 1 - 1e-9 have no digits
 * left in the confidence itself. */
#ifndef LEM_STAT_INTERVAL_H
#define LEM_STAT_INTERVAL_H

#include "stat/moments.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two-sided intervals give each side alpha / 2. A one-sided bound gives it all of alpha; its other end is the
 * end of the parameter's range. */
typedef enum { LEM_TWO_SIDED, LEM_LOWER_BOUND, LEM_UPPER_BOUND } lem_side;

typedef struct {
    double lower, upper;
} lem_interval;

/* All: 0 < alpha < 1, else GSL_EDOM; GSL_EFAILED when a quantile does not close (stat/distribution.h); on
 * error *out is left as it was. Thread-safe. */

/* A probability from successes out of trials, 1 <= trials <= 2^53. Clopper and Pearson 1934: covers with at
 * least 1 - alpha for every probability; ends are quantiles of Beta(k, n-k+1) and Beta(k+1, n-k). */
LEM_API int lem_clopper_pearson(uint64_t successes, uint64_t trials, double alpha, lem_side side,
                                lem_interval *out);
/* Wilson 1927: { p : |k/n - p| <= z sqrt(p (1-p) / n) }; covers with about 1 - alpha on average over p, less
 * near some p (far less for p near 0 or 1 and one-sided bounds). */
LEM_API int lem_wilson(uint64_t successes, uint64_t trials, double alpha, lem_side side, lem_interval *out);

/* A mean, normal data or many of them. z: measured value with a known standard error >= 0. t: from the
 * sample, n >= 2, with n - 1 degrees of freedom. */
LEM_API int lem_mean_interval_z(double measured, double standard_error, double alpha, lem_side side,
                                lem_interval *out);
LEM_API int lem_mean_interval_t(const lem_moments *sample, double alpha, lem_side side, lem_interval *out);

/* The variance of normal data, n >= 2: [M2 / q_(1-alpha/2), M2 / q_(alpha/2)] with chi-square quantiles of n
 * - 1 degrees of freedom. Wrong, at any n, for data of another kurtosis. */
LEM_API int lem_variance_interval(const lem_moments *sample, double alpha, lem_side side, lem_interval *out);

/* The ratio of the variances of two independent normal samples, sigma_a^2 / sigma_b^2, by Snedecor's F; n >=
 * 2 each, and the second not all equal. */
LEM_API int lem_variance_ratio_interval(const lem_moments *a, const lem_moments *b, double alpha,
                                        lem_side side, lem_interval *out);

#ifdef __cplusplus
}
#endif
#endif
