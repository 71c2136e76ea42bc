/* Attention by random features (FAVOR+ and its relatives): O(n P (d + d_v)) instead of O(n^2).
 *
 * Any scaling of the logits is the caller's: q . k is the exponent. GSL_EFAULT: null pointer; GSL_EBADLEN:
 * shape; GSL_EINVAL: an entry not finite, overlap of output and input, unknown kind; GSL_ENOMEM. On error
 * outputs are unspecified. Bits do not depend on the number of threads as long as BLAS runs on one thread.
 *
 * Source: Choromanski et al., arXiv:2009.14794; claims perf.unbiased, perf.stabiliser, perf.attention-mse. */
#ifndef LEM_ATTENTION_FAVOR_H
#define LEM_ATTENTION_FAVOR_H

#include "attention/orthogonal.h"
#include "base/error.h"
#include "rng/stream.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LEM_PROJECTIONS_IID,        /* entries N(0, 1) */
    LEM_PROJECTIONS_ORTHOGONAL, /* independent blocks of d rows: Haar directions, independent chi_d lengths */
    LEM_PROJECTIONS_SIMPLEX     /* the same with directions at the cosine -1/(d - 1); d >= 2 */
} lem_projections_kind;

/* W (P x d): one projection a row, each N(0, I_d) by itself. Blocks are d rows, the last one may be cut
 * short. Takes P d normals from the stream (iid), 2 P d (orthogonal), or P d and d^2 for each block
 * (simplex). Not thread-safe on one stream. */
LEM_API int lem_random_projections(lem_projections_kind kind, lem_stream *stream, gsl_matrix *w);

/* Give row i of W the length lengths[i] >= 0 (finite; GSL_EDOM for a row of zeros). */
LEM_API int lem_set_row_lengths(gsl_matrix *w, const double *lengths);

/* 2P features of a row (trig, hyperbolic) or P (positive). 0 on error. */
LEM_API size_t lem_favor_feature_count(lem_rf_kind kind, size_t P);

typedef enum {
    LEM_SHIFT_NONE,   /* exponents as they are */
    LEM_SHIFT_ROW,    /* each row by its own largest: right for queries, where it cancels; wrong for keys */
    LEM_SHIFT_SHARED, /* all rows by the largest of all: right for queries and keys */
    LEM_SHIFT_COLUMN  /* each feature by its own largest: wrong on one side only; for experiments */
} lem_favor_shift;

typedef struct {
    lem_rf_kind kind;
    double a; /* the A of oprf.h, < 1/8; 0: FAVOR+; 0 unless kind is LEM_RF_POSITIVE */
    lem_favor_shift shift;
    const gsl_vector *log_weights; /* n of them: added to the exponents of each row; NULL: none */
} lem_favor_map;

/* Features Phi (n x lem_favor_feature_count) of the rows x of X (n x d), so that phi(q) . phi(k) is the
 * estimate of exp(q . k):
 *     trig        exp(|x|^2/2) (sin(w . x), cos(w . x))/sqrt(P)            first all sines, then the cosines
 *     positive    D exp(A |w|^2 + sqrt(1 - 4A) w . x - |x|^2/2)/sqrt(P),   D = (1 - 4A)^(d/4)
 *     hyperbolic  exp(+- w . x - |x|^2/2)/sqrt(2P)                         first all plus, then all minus
 * (w rows of W, P x d), times exp(-shift): exponents are collected before anything is exponentiated, so that
 * a shifted feature is at most 1. The shift is subtracted after the 1/sqrt(P) and D are taken into it, and is
 * forgotten: it is for quotients. (The amplitude is the exponent of trig; LEM_SHIFT_COLUMN is not for it.)
 * GSL_EOVRFLW names a row whose features exceed the range of double. */
LEM_API int lem_favor_features(const gsl_matrix *x, const gsl_matrix *w, const lem_favor_map *map,
                               int threads, gsl_matrix *phi);

typedef struct {
    lem_rf_kind kind;
    double a;       /* see lem_favor_map */
    double epsilon; /* >= 0, added to every (shifted) feature; biases towards plain averaging. 0: none */
    const gsl_vector *log_key_weights; /* key j counts exp(log_key_weights[j]) times; NULL: once */
    bool causal;
    int threads; /* 0: as many as OpenMP gives */
} lem_favor_options;

/* o_i = sum_j w_ij v_j / sum_j w_ij, w_ij = phi(q_i) . phi(k_j); j <= i when causal. Queries are shifted by
 * row, keys by one constant: both cancel. `options` NULL: positive features, the rest 0. GSL_EDOM naming the
 * row whose normaliser is not positive: trigonometric features, or positive ones that all underflow (the
 * row's best features lie 700 below the best of any key). */
LEM_API int lem_favor_attention(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v,
                                const gsl_matrix *w, const lem_favor_options *options, gsl_matrix *o);

/* The limit of P E|o_i' - o_i|^2 for many independent projections, o' the estimate of row i of attention:
 *     sum_jl a_j a_l (v_j - o) . (v_l - o) c_jl,   z_j = q + k_j, a the exact attention row, o its output,
 * c_jl = exp(z_j . z_l) (positive), cosh(z_j . z_l) (hyperbolic), or for positive features with A != 0 the
 * covariance of oprf.h's. `bias` (d_v entries; NULL: not wanted) receives the limit of P (E o' - o),
 * -sum_jl a_j a_l (v_j - o) c_jl. O(m^2 (d + d_v)) and a matrix of m^2. NaN on error; GSL_EOVRFLW where c
 * exceeds the range of double. Delta method: holds where max c/P is small. Source: claim perf.attention-mse.
 */
LEM_API double lem_favor_delta_mse(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v, size_t i,
                                   lem_rf_kind kind, double a, gsl_vector *bias);

#ifdef __cplusplus
}
#endif
#endif
