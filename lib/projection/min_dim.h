/* How many dimensions keep all pairwise squared distances of N points within 1 +- eps: the exact union bound
 * and the rules people use instead.
 *
 * Thread-safe; NaN on error. Source: claims jl.distance, jl.haar-tail; Dasgupta & Gupta 2003, Theorem 2.1. */
#ifndef LEM_PROJECTION_MIN_DIM_H
#define LEM_PROJECTION_MIN_DIM_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LEM_MIN_DIM_EXACT,    /* smallest whole n with C(N,2) [P(norm >= 1+eps) + P(norm <= 1-eps)] <= delta */
    LEM_MIN_DIM_CHERNOFF, /* the same with Chernoff's bounds in place of the two tails */
    LEM_MIN_DIM_SU24,     /* 24 log N/eps^2, real: failure at most 1/N */
    LEM_MIN_DIM_SU16,     /* 16 log N/eps^2, real: success at least 1/N */
    LEM_MIN_DIM_DG4       /* 4 log N/(eps^2/2 - eps^3/3), real: success at least 1/N (Dasgupta & Gupta) */
} lem_min_dim_method;

/* log of the union bound C(N,2) [P(|A u|^2 >= 1+eps) + P(|A u|^2 <= 1-eps)] of a Gaussian projection to n
 * dimensions. N >= 2 whole, n >= 1, 0 < eps < 1. */
LEM_API double lem_jl_union_bound_log(double N, double n, double eps);

/* N >= 2 whole, 0 < eps < 1, 0 < delta <= N(N-1) (at n = 0 the bound is N(N-1): more is no condition). The
 * three rules have their delta built in; it is checked and not used. GSL_ERANGE when the dimension would
 * exceed 2^53. */
LEM_API double lem_jl_min_dim(double N, double eps, double delta, lem_min_dim_method method);

/* The exact smallest whole n for a random orthogonal projection from m dimensions (m >= 1 whole): at most m,
 * where the distortion is 0. */
LEM_API double lem_jl_min_dim_haar(double m, double N, double eps, double delta);

#ifdef __cplusplus
}
#endif
#endif
