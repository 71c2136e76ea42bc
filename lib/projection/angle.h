/* The angle between two independent uniform directions in R^n.
 *
 * Thread-safe; NaN on error. Source: claims jl.angle, jl.golden-cosine; archive article 7076. */
#ifndef LEM_PROJECTION_ANGLE_H
#define LEM_PROJECTION_ANGLE_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* P(|cos| >= eps) = I_{1 - eps^2}((n - 1)/2, 1/2), the regularized incomplete beta function. n >= 2 real and
 * finite, 0 <= eps <= 1. */
LEM_API double lem_cosine_abs_tail(double n, double eps);
LEM_API double lem_cosine_abs_tail_log(double n, double eps);

/* Density of the angle, Gamma(n/2)/(Gamma((n-1)/2) sqrt(pi)) sin^(n-2)(theta), theta in [0, pi] (as doubles).
 * n >= 2 real and finite. 1/pi at n = 2, the end points included. Below the smallest double: 0; the logarithm
 * is -inf only at the end points for n > 2. */
LEM_API double lem_angle_pdf(double n, double theta);
LEM_API double lem_angle_pdf_log(double n, double theta);

/* The median of the largest of the N^2 cosines between two sets of N independent directions, in the Poisson
 * limit: x > 0 with (N^2/2) P(|cos| >= x) = log 2. N >= 2 whole, n >= 2. Relative error below 1e-13. */
LEM_API double lem_max_cosine_median(double n, double N);

#ifdef __cplusplus
}
#endif
#endif
