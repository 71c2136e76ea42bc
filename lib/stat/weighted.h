/* Weighted means, as importance sampling and pooled data need them. */
#ifndef LEM_STAT_WEIGHTED_H
#define LEM_STAT_WEIGHTED_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* With v_i = w_i / sum w and S_k = sum v_i^k. */
typedef struct {
    double mean; /* sum v_i x_i */
    /* Of the mean: sqrt( sum v_i^2 (x_i - mean)^2 S_2 / (S_2 - 2 S_3 + S_2^2) ). Its square is unbiased when
     * the x_i have one mean and one variance and the weights do not depend on them; s / sqrt(n) for equal
     * weights; consistent for importance weights. */
    double standard_error;
    double effective_n; /* Kish's 1 / S_2 = (sum w)^2 / sum w^2, between 1 and n */
} lem_weighted;

/* x finite, weights finite and >= 0, at least two of them positive; else GSL_EINVAL and *out left as it was.
 * Only the ratios of the weights matter. Thread-safe. */
LEM_API int lem_weighted_mean(size_t n, const double *x, const double *weights, lem_weighted *out);

#ifdef __cplusplus
}
#endif
#endif
