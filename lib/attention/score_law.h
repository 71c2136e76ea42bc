/* Laws of independent attention scores.
 *
 *     Gaussian      N(0, 1)
 *     cosine        of two random directions in R^d: density proportional to (1 - s^2)^((d-3)/2) on [-1, 1],
 *                   variance 1/d; shape = d, a whole number, 2 <= d <= 1e6
 *     uniform       on [-sqrt 3, sqrt 3], variance 1
 *     Laplace       density exp(-sqrt 2 |s|)/sqrt 2, variance 1
 *     Student       with df degrees of freedom, scaled to variance 1; shape = df, 2 < df <= 1e6
 *     nodes         the discrete law of count values, ascending, at most 1e150 in size, with positive weights
 * that sum to 1 within 1e-6; also any quadrature rule of another law. The arrays stay the caller's.
 *
 * Other fields are not looked at. */
#ifndef LEM_ATTENTION_SCORE_LAW_H
#define LEM_ATTENTION_SCORE_LAW_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LEM_SCORES_GAUSSIAN,
    LEM_SCORES_COSINE,
    LEM_SCORES_UNIFORM,
    LEM_SCORES_LAPLACE,
    LEM_SCORES_STUDENT,
    LEM_SCORES_NODES
} lem_score_kind;

typedef struct {
    lem_score_kind kind;
    double shape;                  /* cosine: d; Student: df */
    size_t count;                  /* nodes */
    const double *values, *weight; /* nodes */
} lem_score_law;

#ifdef __cplusplus
}
#endif
#endif
