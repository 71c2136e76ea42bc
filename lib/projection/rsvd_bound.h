/* Error bounds of the randomized SVD (Halko, Martinsson & Tropp 2011, arXiv 0909.4061): rank k, oversampling
 * p, q power iterations, standard Gaussian test matrix with k + p columns.
 *
 * sigma[count]: the singular values, finite, >= 0, non-increasing; count = min(m, n). k >= 1, p >= 2,
 * k + p <= count. Thread-safe; NaN on error. Source: claim jl.rsvd-halko. */
#ifndef LEM_PROJECTION_RSVD_BOUND_H
#define LEM_PROJECTION_RSVD_BOUND_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Theorem 10.5: E |A - Q Q^T A|_F <= (1 + k/(p-1))^(1/2) (sum_{j>k} sigma_j^2)^(1/2), q = 0. */
LEM_API double lem_rsvd_bound_fro(size_t k, size_t p, const double *sigma, size_t count);

/* Corollary 10.10: E |A - Q Q^T A|_2 <= [(1 + sqrt(k/(p-1))) sigma_{k+1}^(2q+1)
 * + (e sqrt(k+p)/p) (sum_{j>k} sigma_j^(2(2q+1)))^(1/2)]^(1/(2q+1)). */
LEM_API double lem_rsvd_bound_spec(size_t k, size_t p, size_t q, const double *sigma, size_t count);

#ifdef __cplusplus
}
#endif
#endif
