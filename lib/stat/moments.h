/* Mergeable sample moments to order 4. */
#ifndef LEM_STAT_MOMENTS_H
#define LEM_STAT_MOMENTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* n values seen; their mean; M_k = sum (x - mean)^k for k = 2, 3, 4; smallest and largest. A value type: all
 * zero (with min = +inf, max = -inf) is empty; make it with lem_moments_init. */
typedef struct {
    uint64_t n;
    double mean, m2, m3, m4, min, max;
} lem_moments;

LEM_API void lem_moments_init(lem_moments *m);

/* Add one value, or n values. Updates by Pebay's one-pass formulas (Sandia report SAND2008-6212); relative
 * error of mean and m2 O(eps) per merge level when added in bulk. GSL_EINVAL at a NaN or infinity, and m
 * unchanged. */
LEM_API int lem_moments_add(lem_moments *m, double x);
LEM_API int lem_moments_add_array(lem_moments *m, size_t n, const double *x);

/* into becomes the moments of both samples together. Not associative in floating point: lem_mc merges in a
 * fixed tree. */
LEM_API void lem_moments_merge(lem_moments *into, const lem_moments *from);

LEM_API double lem_moments_mean(const lem_moments *m);     /* n >= 1, else NaN */
LEM_API double lem_moments_variance(const lem_moments *m); /* unbiased, M2/(n-1); n >= 2 */
LEM_API double lem_moments_stderr(const lem_moments *m);   /* of the mean, sqrt(variance/n); n >= 2 */
LEM_API double
lem_moments_variance_stderr(const lem_moments *m); /* of the variance, from the fourth moment; n >= 4 */
LEM_API double lem_moments_skewness(const lem_moments *m); /* M3/n / (M2/n)^(3/2) */
LEM_API double lem_moments_kurtosis(const lem_moments *m); /* M4/n / (M2/n)^2; 3 for a normal sample */

#ifdef __cplusplus
}
#endif
#endif
