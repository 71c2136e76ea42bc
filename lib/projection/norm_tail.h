/* How far the squared norm of a Gaussian projection strays from its mean: exact tails and Chernoff's bounds.
 *
 * A is n x m with independent N(0, 1/n) entries and u a unit vector: n |A u|^2 is chi-square with n degrees
 * of freedom. All functions are thread-safe; on a bad argument they report through LEM_ERROR and return NaN.
 * Source: claims jl.norm-tail, jl.best-constant; Dasgupta & Gupta 2003, Random Struct. Algorithms 22, 60. */
#ifndef LEM_PROJECTION_NORM_TAIL_H
#define LEM_PROJECTION_NORM_TAIL_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { LEM_JL_UPPER, LEM_JL_LOWER } lem_jl_side;

/* LEM_JL_UPPER: P(|A u|^2 >= 1 + eps) = Q(n/2, n (1 + eps)/2); LEM_JL_LOWER: P(|A u|^2 <= 1 - eps) =
 * P(n/2, n (1 - eps)/2), the regularized incomplete gamma functions. n >= 1 real and finite; eps > 0 and
 * finite, eps < 1 for the lower tail. Values below the smallest double come out as 0: use the logarithm
 * there. Relative error below 64 epsilons, beside the conditioning in eps, (n/2) eps^2/(1 +- eps). */
LEM_API double lem_jl_norm_tail(double n, double eps, lem_jl_side side);
LEM_API double lem_jl_norm_tail_log(double n, double eps, lem_jl_side side);

/* log[P(|A u|^2 >= 1 + eps) + P(|A u|^2 <= 1 - eps)], 0 < eps < 1. */
LEM_API double lem_jl_norm_two_sided_log(double n, double eps);

/* Chernoff: exp((n/2)(log(1 + eps) - eps)) or exp((n/2)(log(1 - eps) + eps)), an upper bound of the tail. */
LEM_API double lem_jl_norm_tail_chernoff(double n, double eps, lem_jl_side side);
LEM_API double lem_jl_norm_tail_chernoff_log(double n, double eps, lem_jl_side side);

/* (eps - log(1 + eps))/(2 eps^2): the constant c for which Chernoff's upper bound is exp(-c n eps^2) at this
 * eps. Decreases from 1/4 at eps = 0 to (1 - log 2)/2 at eps = 1. 0 <= eps, finite. */
LEM_API double lem_jl_exponent_ratio(double eps);

#ifdef __cplusplus
}
#endif
#endif
