/* Attention matrices written out, n x m: for the diagnostics and the small experiments of studies. */
#ifndef LEM_ATTENTION_MATRIX_H
#define LEM_ATTENTION_MATRIX_H

#include "attention/options.h"

#include <gsl/gsl_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LEM_ATTENTION_SOFTMAX,         /* exp(scale q . k) */
    LEM_ATTENTION_LINEAR_IDENTITY, /* q . k; row sums may fail to be positive */
    LEM_ATTENTION_LINEAR_ELU1,     /* elu1(q) . elu1(k), by coordinate (feature_map.h) */
    LEM_ATTENTION_LINEAR_EXP,      /* exp(q) . exp(k), by coordinate */
    LEM_ATTENTION_LINEAR_RELU      /* max(q, 0) . max(k, 0), by coordinate */
} lem_attention_kind;

/* A (n x m): the scores of the kind, 0 where the options hide a key, each row divided by its sum. Q n x d, K
 * m x d. The linear kinds take scale = 1 only. `options` NULL: LEM_ATTENTION_PLAIN.
 *
 * GSL_EFAULT: null pointer; GSL_EBADLEN: shape; GSL_EINVAL: an entry not finite, A overlaps an input, an
 * option out of its domain, a row fully masked; GSL_EDOM: a row whose sum is not positive; GSL_EOVRFLW: a row
 * beyond the range of double (each names the row); GSL_ENOMEM. On error A is unspecified. Thread-safe; bits
 * do not depend on the number of threads. */
LEM_API int lem_attention_matrix(const gsl_matrix *q, const gsl_matrix *k, lem_attention_kind kind,
                                 const lem_attention_options *options, gsl_matrix *a);

/* A score function: x[j] = scale q . k_j of one row, n of them, is replaced by the weight before
 * normalisation. Must not fail and must be callable from several threads at once. */
typedef void lem_score_function(double *x, size_t n, void *context);

/* The same with weights f(scale q . k), for example a polynomial. */
LEM_API int lem_attention_matrix_scored(const gsl_matrix *q, const gsl_matrix *k, lem_score_function *f,
                                        void *context, const lem_attention_options *options, gsl_matrix *a);

/* The same with weights phi_q . phi_k, from features PhiQ n x r and PhiK m x r of any sign (scale = 1). */
LEM_API int lem_attention_matrix_features(const gsl_matrix *phi_q, const gsl_matrix *phi_k,
                                          const lem_attention_options *options, gsl_matrix *a);

#ifdef __cplusplus
}
#endif
#endif
