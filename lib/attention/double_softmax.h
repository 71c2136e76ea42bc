/* Efficient attention: a softmax over the channels of each query, and one over the tokens of each key
 * channel. */
#ifndef LEM_ATTENTION_DOUBLE_SOFTMAX_H
#define LEM_ATTENTION_DOUBLE_SOFTMAX_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* PhiQ[i][l] = exp(Q[i][l])/sum_c exp(Q[i][c]), PhiK[j][l] = exp(K[j][l])/sum_t exp(K[t][l]): features with
 * PhiQ PhiK^T of row sums 1 already (up to rounding), for lem_linear_attention or
 * lem_attention_matrix_features. Not for causal attention: the softmax over tokens looks ahead.
 *
 * Q, PhiQ n x d; K, PhiK m x d; in place allowed (PhiQ = Q, PhiK = K), otherwise apart. GSL_EFAULT;
 * GSL_EBADLEN: shape; GSL_EINVAL: an entry not finite, overlap. On error the outputs are unspecified.
 * Thread-safe.
 *
 * Source: Shen et al., "Efficient attention", arXiv:1812.01243; claim lin.double-softmax. */
LEM_API int lem_double_softmax_features(const gsl_matrix *q, const gsl_matrix *k, gsl_matrix *phi_q,
                                        gsl_matrix *phi_k);

#ifdef __cplusplus
}
#endif
#endif
