/* Deterministic features of a polynomial kernel: phi(x) . phi(y) = sum_{m <= n} c_m (x . y)^m. */
#ifndef LEM_ATTENTION_SYMMETRIC_FEATURES_H
#define LEM_ATTENTION_SYMMETRIC_FEATURES_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All products of at most n coordinates with their orders apart: sum_{m <= n} d^m. And each monomial once:
 * binom(d + n, n). d, n >= 1 (GSL_EDOM); GSL_EFAULT; GSL_EOVRFLW beyond 2^63 - 1. Thread-safe. Source: claim
 * lin.feature-dim. */
LEM_API int lem_tensor_feature_dim(uint64_t d, uint64_t n, uint64_t *dim);
LEM_API int lem_symmetric_feature_dim(uint64_t d, uint64_t n, uint64_t *dim);

/* Row i of Phi (rows x binom(d + n, n)) holds the features of row x of X (rows x d): for each multi-index
 * alpha with |alpha| = m <= n
 *
 *     sqrt(c_m m!/alpha!) x^alpha,
 *
 * by degree, within a degree in the order of the sorted indices (for d = 2: 1; x0, x1; x0 x0, x0 x1, x1 x1).
 * coef: n + 1 numbers c_m >= 0: 1/m! for Taylor's polynomial, other families in polynomial.h.
 *
 * One multiplication per feature, by its parent of one degree less, and one for the weight; memory besides
 * the matrices 8 bytes for each monomial of degree < n. `threads` 0: as many as OpenMP gives; the bits do not
 * depend on it.
 *
 * Inner products of two rows reproduce the polynomial of |x| . |y| entrywise to about (n + 4) epsilons, hence
 * that of x . y as well as its terms allow.
 *
 * GSL_EFAULT; GSL_EBADLEN: shape; GSL_EINVAL: an entry not finite, Phi overlaps X, threads < 0; GSL_EDOM: n
 * not in 1..170, a coefficient that is negative or not finite (a polynomial with one has no real features);
 * GSL_EOVRFLW naming the row; GSL_ENOMEM. On error Phi is unspecified. Thread-safe. */
LEM_API int lem_symmetric_features(const gsl_matrix *x, int n, const double *coef, int threads,
                                   gsl_matrix *phi);

#ifdef __cplusplus
}
#endif
#endif
