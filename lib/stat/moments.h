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

/* Largest size of a value: (2 * 1e72)^4 times any 64-bit count stays below the largest double, so that no
 * moment can overflow. */
#define LEM_MOMENTS_MAX 1e72

/* Make it empty. m must not be null. */
LEM_API void lem_moments_init(lem_moments *m);

/* Add one value, or n values. Pebay's one-pass formulas (Sandia report SAND2008-6212); in bulk two passes
 * over blocks of 1024, which are merged in a binary tree: the relative error of m2 and m4 is a few machine
 * epsilons per level as long as eps |mean| is small beside the deviation, and no power of the mean enters it.
 * GSL_EINVAL at a NaN, an infinity or |x| > LEM_MOMENTS_MAX, and m unchanged; GSL_EFAULT: m null, or x null
 * with n > 0. Not thread-safe on one m. */
LEM_API int lem_moments_add(lem_moments *m, double x);
LEM_API int lem_moments_add_array(lem_moments *m, size_t n, const double *x);

/* into becomes the moments of both samples together. Not associative in floating point: lem_mc merges in a
 * fixed tree. into and from may be the same, and must not be null. */
LEM_API void lem_moments_merge(lem_moments *into, const lem_moments *from);

/* NaN and GSL_EDOM where the sample is too small or, for the last two, all its values are equal; NaN and
 * GSL_EFAULT where m is null. */
LEM_API double lem_moments_mean(const lem_moments *m);     /* n >= 1 */
LEM_API double lem_moments_variance(const lem_moments *m); /* unbiased, s^2 = M2/(n-1); n >= 2 */
LEM_API double lem_moments_stderr(const lem_moments *m);   /* of the mean, sqrt(s^2/n); n >= 2 */
/* Of the variance: sqrt((M4/n - s^4 (n-3)/(n-1)) / n), the exact Var(s^2) with sample moments in it; n >= 4.
 * Consistent, but too small on average for few values or heavy tails. */
LEM_API double lem_moments_variance_stderr(const lem_moments *m);
LEM_API double lem_moments_skewness(const lem_moments *m); /* M3/n / (M2/n)^(3/2) */
LEM_API double lem_moments_kurtosis(const lem_moments *m); /* M4/n / (M2/n)^2; 3 for a normal distribution */

#ifdef __cplusplus
}
#endif
#endif
