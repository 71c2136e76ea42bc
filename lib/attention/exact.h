/* Exact softmax attention in memory O(n d). */
#ifndef LEM_ATTENTION_EXACT_H
#define LEM_ATTENTION_EXACT_H

#include "attention/options.h"

#include <gsl/gsl_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* O = softmax(scale Q K^T) V, the softmax along each row over the keys that the options let it see.
 *
 * Q n x d, K m x d, V m x d_v, O n x d_v. Blocks of queries meet tiles of keys; a running maximum and a
 * running sum per query keep every exponential at most 1, so that no finite logit overflows, and no more than
 * one tile of weights per thread is held. 2 n m (d + d_v) operations and n m exponentials; causal half of it.
 *
 * Each output is accurate to about (m + d |scale| max |q|.|k|) machine epsilons of max |v| (the logits carry
 * the second part), and each weight of the sum is non-negative. Bits do not depend on the number of threads
 * as long as BLAS runs on one thread. With `causal`, later keys and values do not change a bit of earlier
 * outputs.
 *
 * `options` NULL: LEM_ATTENTION_PLAIN. GSL_EFAULT: null pointer; GSL_EBADLEN: shape; GSL_EINVAL: an entry not
 * finite, O overlaps an input, an option out of its domain, a row fully masked; GSL_EOVRFLW: logits of a row
 * or its output exceed the range of double (the row is named); GSL_ENOMEM. On error O is unspecified.
 * Thread-safe.
 *
 * Source: the running rescaling is that of Milakov and Gimelshein, arXiv:1805.02867; by tiles: Dao et al.,
 * arXiv:2205.14135, algorithm 1. */
LEM_API int lem_attention_exact(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v,
                                const lem_attention_options *options, gsl_matrix *o);

#ifdef __cplusplus
}
#endif
#endif
