/* Nystrom-style attention: softmax through landmarks.
 *
 * From n queries and keys (n x d) come m landmarks of each, Q~ and K~ (segment means, m divides n), and
 *     F = softmax(Q K~^T) n x m,  A = softmax(Q~ K~^T) m x m,  B = softmax(Q~ K^T) m x n,  N = F Z B,
 * every softmax along rows, Z an inverse of A of some kind. N approximates S = softmax(Q K^T) but is not a
 * softmax: its entries may be negative, its rows sum to 1 exactly only when A is invertible and Z = A^-1, or
 * when Z = I. With a few steps of an iteration, V of ones comes out as ones up to some percent only; see
 * claim nys.row-sums-sign. No causal form: landmarks average over later tokens.
 *
 * Errors of all: GSL_EFAULT: null pointer; GSL_EBADLEN: shapes, m does not divide n, m < 1 or > n;
 * GSL_EINVAL: an entry not finite, an output overlaps an input, an option out of its domain; GSL_EDOM: rcond,
 * lambda or steps (pinv.h), `valid`; GSL_EUNDRFLW: a column of A underflowed to zero; GSL_EOVRFLW: logits or
 * outputs beyond the range of double; GSL_ENOMEM. Thread-safe; the bits do not depend on `threads` as long as
 * BLAS runs on one thread. Source: Xiong et al., "Nystromformer", arXiv:2102.03902. */
#ifndef LEM_ATTENTION_NYSTROM_H
#define LEM_ATTENTION_NYSTROM_H

#include "attention/pinv.h"

#include <gsl/gsl_matrix.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LEM_NYSTROM_ITERATION, /* Z = lem_pinv_iterate(A, method, steps) */
    LEM_NYSTROM_INVERSE,   /* Z = lem_pinv_svd(A, rcond) */
    LEM_NYSTROM_TIKHONOV,  /* Z = lem_tikhonov_inverse(A, lambda) */
    LEM_NYSTROM_IDENTITY   /* Z = I: the product of two softmaxes, a true stochastic matrix */
} lem_nystrom_middle_kind;

/* Start from LEM_NYSTROM_PLAIN, the published form, and set what differs; a null pointer means the same. */
typedef struct {
    double scale; /* of all logits */
    lem_nystrom_middle_kind middle;
    lem_pinv_method method;
    int steps;
    double rcond, lambda;
    size_t
        valid; /* the leading rows that are tokens, the rest is padding: no key, no part of a landmark; 0: all
                */
    int threads; /* 0: as many as OpenMP gives */
} lem_nystrom_options;

#define LEM_NYSTROM_PLAIN                                                                                    \
    ((lem_nystrom_options){.scale = 1,                                                                       \
                           .middle = LEM_NYSTROM_ITERATION,                                                  \
                           .method = LEM_PINV_CHEBYSHEV4,                                                    \
                           .steps = 6,                                                                       \
                           .rcond = 1e-13})

/* O (n x d_v) = N V for V n x d_v, in memory O(n + m^2 + m d_v) besides the matrices: N V = F (Z (B V)), and
 * both outer products are exact attention, of m queries over n keys and of n queries over m keys. Q, K n x d.
 * About lem_nystrom_flops operations and 2 n m exponentials. */
LEM_API int lem_nystrom_attention(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v, size_t m,
                                  const lem_nystrom_options *options, gsl_matrix *o);

/* N (n x n) written out. */
LEM_API int lem_nystrom_matrix(const gsl_matrix *q, const gsl_matrix *k, size_t m,
                               const lem_nystrom_options *options, gsl_matrix *n);

/* F, A and B for given landmarks (Q~, K~ m x d). Only scale, valid and threads of the options count. */
LEM_API int lem_nystrom_factors(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *q_landmarks,
                                const gsl_matrix *k_landmarks, const lem_nystrom_options *options,
                                gsl_matrix *f, gsl_matrix *a, gsl_matrix *b);

/* Z (m x m) for a given A. */
LEM_API int lem_nystrom_middle(const gsl_matrix *a, const lem_nystrom_options *options, gsl_matrix *z);

/* N (n_q x n_k) = F Z B, F n_q x m, Z m x m, B m x n_k. */
LEM_API int lem_nystrom_product(const gsl_matrix *f, const gsl_matrix *z, const gsl_matrix *b, int threads,
                                gsl_matrix *n);

/* The other order: Nystrom for the kernel exp(scale q . k), then rows divided by their sums. N (n_q x n_k) =
 * rownorm(E_qm pinv(E_mm) E_mk), E_.. the exponentials of all four pairs of queries, keys and landmarks, all
 * taken relative to the largest logit. Exact when landmarks are rows of Q and K and the rank of E_mm is that
 * of the kernel matrix (claim nys.rank-condition-fails). GSL_EDOM where a row sum is not positive (ordinary
 * for unstructured data): the row is named, nothing is clamped. */
LEM_API int lem_nystrom_kernel_matrix(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *q_landmarks,
                                      const gsl_matrix *k_landmarks, double scale, double rcond,
                                      gsl_matrix *n);

/* Entry (i, j), 0-based, of N for d = 1, n = 4, m = 2, Q = K = (a/2) (-3, -1, 1, 3)^T, Z = A^-1. With w =
 * a^2, x = (w/2) (-3, -1, 1, 3): (e^w cosh(x_i + x_j) - e^-w cosh(x_i - x_j)) / (4 cosh x_i sinh w (cosh(3
 * w/2) + cosh(w/2))). Entry (0, 3) is negative for a > 0.8223. 1e-100 <= a <= 10, 0 <= i, j <= 3; else NaN.
 */
LEM_API double lem_nystrom_toy_entry(double a, int i, int j);

#ifdef __cplusplus
}
#endif
#endif
