/* Landmarks: a few rows that stand for many. */
#ifndef LEM_ATTENTION_LANDMARKS_H
#define LEM_ATTENTION_LANDMARKS_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Row a of `means` (m x d) becomes the mean of rows a n/m .. (a+1) n/m - 1 of X (n x d); m divides n. Of n
 * rows only the first `valid` are real, the rest padding that is left out of the means (0: all are real);
 * each segment needs a real row.
 *
 * GSL_EFAULT: null pointer; GSL_EBADLEN: shapes, m does not divide n, m > n; GSL_EINVAL: an entry not finite,
 * `means` overlaps X; GSL_EDOM: valid > n, or a segment of padding alone. Thread-safe. Source: Xiong et al.,
 * Nystromformer, arXiv:2102.03902, equation 7. */
LEM_API int lem_segment_means(const gsl_matrix *x, size_t valid, gsl_matrix *means);

#ifdef __cplusplus
}
#endif
#endif
