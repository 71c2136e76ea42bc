/* Linear attention from features: O(n r d_v) instead of O(n^2). */
#ifndef LEM_ATTENTION_LINEAR_H
#define LEM_ATTENTION_LINEAR_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* o_i = sum_j (phi(q_i) . phi(k_j)) v_j / sum_j (phi(q_i) . phi(k_j)); j runs over all keys, or over j <= i
 * when causal (n = m).
 *
 * PhiQ n x r, PhiK m x r, V m x d_v, O n x d_v. Features may have any sign, but each normaliser must come out
 * positive: it is not checked against cancellation. 2 r d_v (n + m) operations; causal 4 n r (d_v + 32), in
 * blocks of 64 tokens, each of which meets the sum over the blocks before it and then itself: what comes
 * after token i does not change a bit of o_i (no feature is rescaled by anything that looks ahead). Memory
 * besides the matrices: at most 16 r (d_v + 1) doubles. `threads` 0: as many as OpenMP gives; the bits do
 * not depend on it as long as BLAS runs on one thread.
 *
 * GSL_EFAULT: null pointer; GSL_EBADLEN: shape; GSL_EINVAL: an entry not finite, O overlaps an input, threads
 * < 0; GSL_EDOM: a normaliser that is not positive; GSL_EOVRFLW: a normaliser or output beyond the range of
 * double (both name the first such row); GSL_ENOMEM. On error O is unspecified. Thread-safe.
 *
 * Source: Katharopoulos et al., "Transformers are RNNs", arXiv:2006.16236, equations 5 and 9. */
LEM_API int lem_linear_attention(const gsl_matrix *phi_q, const gsl_matrix *phi_k, const gsl_matrix *v,
                                 bool causal, int threads, gsl_matrix *o);

#ifdef __cplusplus
}
#endif
#endif
