/* The largest of n independent scores, and how close the second comes.
 *
 * Thread-safe; NaN on error. Source: claims ascale.no-optimum, ascale.tail-class; David and Nagaraja, Order
 * Statistics, 2003. */
#ifndef LEM_ATTENTION_EXTREMES_H
#define LEM_ATTENTION_EXTREMES_H

#include "attention/score_law.h"

#ifdef __cplusplus
extern "C" {
#endif

/* E max of n standard normals, n int s w(s) W(s)^(n-1) ds, by a trapezoidal rule with the step that
 * quenched.h's rules have (the integrand is e^(-e^x) of x = sqrt(2 log n) s or so): rounding only, relative
 * 1e-13, ten times that at n = 1e300. n a whole number, 1 <= n <= 1e300, else GSL_EDOM. */
LEM_API double lem_expected_max_gauss(double n);

/* The density at 0 of the gap between the largest and the second of n scores, n (n-1) int w^2 W^(n-2) ds, w
 * the density and W the distribution function: what the mean trace of the softmax Jacobian tends to as alpha
 * -> infinity. For Gaussian scores it is E max again. n a whole number from 2 to 1e300 (Gaussian), 1e100
 * (Laplace, Student), 1e9 (cosine, uniform). Infinite for d = 2, whose density is not square integrable.
 * Relative accuracy 1e-13 (Student 1e-8, whose far tail is cut); of the bounded laws besides 3e-17 n, since a
 * score next to the end is rounded. GSL_EDOM, and GSL_EINVAL for nodes, which have no density. */
LEM_API double lem_gap_density_at_zero(const lem_score_law *law, double n);

#ifdef __cplusplus
}
#endif
#endif
