/* One softmax row, p = softmax(alpha s), from its scores: stored, or drawn block by block and forgotten.
 *
 * All statistics hang on sums over all but the largest score, M: r = sum' e^(alpha (s - M)) and its
 * relatives, so that 1 - sum p^2 = (2 r + r^2 - sum' e^(2 alpha (s - M))) / (1 + r)^2, the entropy log1p(r) +
 * alpha sum' e^(alpha (s - M)) (M - s) / (1 + r) and the variance keep their digits when one score has nearly
 * all the weight. Relative rounding error a few units of 1e-16 times log2 n; of log_z and mean_score relative
 * to alpha |M| and |M|. Thread-safe.
 *
 * GSL_EFAULT: null pointer; GSL_EDOM: n < 1, alpha < 0 or not finite; GSL_EINVAL: a score that is not finite;
 * GSL_EOVRFLW: differences of stored scores whose squares (for lem_softmax_entropy: that themselves) exceed
 * the range of double.
 */
#ifndef LEM_ATTENTION_SOFTMAX_SCORES_H
#define LEM_ATTENTION_SOFTMAX_SCORES_H

#include "attention/score_law.h"
#include "rng/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double log_z;      /* log sum e^(alpha s) */
    double sum_p2;     /* sum p^2; its inverse is the participation number */
    double distinct;   /* 1 - sum p^2 */
    double entropy;    /* -sum p log p, nats */
    double mean_score; /* sum p s */
    double variance;   /* sum p s^2 - (sum p s)^2 */
    double max_score;  /* M */
} lem_softmax_statistics;

/* Of n stored scores. */
LEM_API int lem_softmax_statistics_of(size_t n, const double *s, double alpha, lem_softmax_statistics *out);

/* Of n fresh scores, the same ones for each of the `scales` values of alpha: one pass in blocks of 1024,
 * running maximum, no memory that grows with n. Any law but nodes (GSL_EINVAL). out: [scales], 1 <= scales
 * <= 64. The stream moves on as by lem_score_fill, and the statistics are those of the scores it would have
 * given. */
LEM_API int lem_softmax_stream(const lem_score_law *law, size_t n, size_t scales, const double *alpha,
                               lem_stream *stream, lem_softmax_statistics *out);

/* n independent scores. A Gaussian one takes one normal of the stream, a uniform or Laplace one takes one
 * uniform. A cosine takes two normals, (x, y) with r^2 = x^2 + y^2: x/r and r are independent, and
 * (x/r) sqrt(1 - exp(-r^2/(d-2))) is a coordinate of a uniform direction (for d = 2: x/r); a Student one,
 * (x/r) sqrt(df (exp(r^2/df) - 1)), likewise (Bailey, Math. Comp. 62 (1994) 779). Filled in parts (Cosine,
 * Student: of even or odd length alike) the scores are the same. Errors as of lem_normal_fill; GSL_EINVAL:
 * nodes. */
LEM_API int lem_score_fill(const lem_score_law *law, lem_stream *stream, size_t n, double *s);

/* p = softmax(z), n entries; p may be z. */
LEM_API int lem_softmax(size_t n, const double *z, double *p);

/* -sum p log p of p = softmax(z), nats; NaN on error. */
LEM_API double lem_softmax_entropy(size_t n, const double *z);

/* 1 / sum p_i^2, from 1 to n. p >= 0 with sum 1 within 1e-9 (GSL_EINVAL); NaN on error. */
LEM_API double lem_participation_number(size_t n, const double *p);

/* Norms of the Jacobian J = alpha (diag p - p p^T) of p with respect to s: trace (equal to the nuclear norm
 * and to half the sum of |J_ij|), Frobenius and spectral norm; NULL: not wanted. The largest eigenvalue of
 * diag p - p p^T is the root mu of p_1/(p_1 - mu) = sum' p_i/(mu - p_i) between the two largest p: Newton
 * steps on a convex function from the left of it. scratch: [n]. Relative error 1e-14 or so even when one p is
 * nearly
 * 1. Source: claims ascale.l1-trace, ascale.other-norms. */
LEM_API int lem_softmax_jacobian_norms(size_t n, const double *s, double alpha, double *scratch,
                                       double *trace, double *frobenius, double *spectral);

#ifdef __cplusplus
}
#endif
#endif
