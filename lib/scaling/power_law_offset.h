/* A power law with an offset, L = E + A n^-alpha, by weighted least squares. (Without an offset:
 * lem_fit_power_law of stat/regression.h.) */
#ifndef LEM_SCALING_POWER_LAW_OFFSET_H
#define LEM_SCALING_POWER_LAW_OFFSET_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double E, A, alpha;
    /* Of (E, A, alpha), to first order, from the scatter: chisq/(m - 3) times the formal covariance at these
     * weights. It knows nothing of a wrong model (claim sl.offset-fit). */
    double covariance[3][3];
    double chisq; /* sum w^2 (L - E - A n^-alpha)^2 */
    double df;    /* m - 3 */
} lem_power_law_offset;

/* Minimise sum w_i^2 (L_i - E - A n_i^-alpha)^2 over m >= 4 points; w_i in inverse proportion to the standard
 * error of L_i (NULL: all alike; 1/L_i makes relative errors alike). Variable projection (Golub & Pereyra
 * 1973): for a given exponent E and A are a straight-line fit; the sum that is left, a function of alpha
 * alone, is looked through on a grid between 1/1000 and 50 over the span of log n, and the zero of its
 * derivative beside the least value is found by Brent's method. E may have either sign, and so may A; alpha >
 * 0.
 *
 * n, w positive, L finite, at least 4 different n; else GSL_EINVAL or GSL_EDOM, with the number of the point,
 * from
 * 1. GSL_EFAILED: the least value lies at an end of the grid (a straight line in log n, or one point apart
 * from a constant, fits best). GSL_ERANGE: A is beyond a double. On error *fit is left as it was.
 * Thread-safe.
 */
LEM_API int lem_power_law_offset_fit(size_t m, const double *n, const double *L, const double *w,
                                     lem_power_law_offset *fit);

#ifdef __cplusplus
}
#endif
#endif
