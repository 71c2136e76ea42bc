/* How concentrated the rows of an attention matrix are, how far two matrices are apart, and what rank one
 * has.
 *
 * The row functions take A (n x m) and give one value per row (`rows`, n entries; NULL: not wanted) and their
 * average (`mean`; NULL: not wanted). "Stochastic" asks of each row: entries >= 0, sum 1 up to 1e-9 (GSL_EDOM
 * naming the row). All: GSL_EFAULT: null pointer; GSL_EBADLEN: shape; GSL_EINVAL: an entry not finite;
 * GSL_EOVRFLW: sums of huge entries. Thread-safe. */
#ifndef LEM_ATTENTION_DIAGNOSTICS_H
#define LEM_ATTENTION_DIAGNOSTICS_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Shannon entropy -sum_j a_j log a_j in nats, 0 log 0 = 0. A stochastic. */
LEM_API int lem_row_entropy(const gsl_matrix *a, gsl_vector *rows, double *mean);

/* sum_j a_j^2, between 1/m and 1; its inverse is the participation number. A stochastic. */
LEM_API int lem_participation(const gsl_matrix *a, gsl_vector *rows, double *mean);

/* Total variation (1/2) sum_j |a_j - b_j|. Entries may have any sign (approximations of attention do). */
LEM_API int lem_total_variation(const gsl_matrix *a, const gsl_matrix *b, gsl_vector *rows, double *mean);

/* Kullback-Leibler divergence sum_j a_j log(a_j / max(b_j, t)) in nats, t the smallest normal double, so that
 * an underflown b_j costs at most 708 a_j instead of infinity. Both stochastic. */
LEM_API int lem_kl_divergence(const gsl_matrix *a, const gsl_matrix *b, gsl_vector *rows, double *mean);

/* The number of singular values above eps sigma_1; 0 for the zero matrix. 0 <= eps < 1. By a full SVD without
 * vectors, O(n m min(n, m)); below about 1e-15 max(n, m) eps asks more than the SVD can tell. Of A, or of
 * singular values already at hand (in any order, >= 0). */
LEM_API int lem_numerical_rank(const gsl_matrix *a, double eps, size_t *rank);
LEM_API int lem_numerical_rank_of(const gsl_vector *sigma, double eps, size_t *rank);

/* exp(H(p)), p_i = sigma_i / sum sigma: how many singular values share the nuclear norm; between 1 and
 * min(n, m). NaN on error, GSL_EDOM for the zero matrix. Source: Roy and Vetterli, EUSIPCO 2007. */
LEM_API double lem_effective_rank(const gsl_matrix *a);
LEM_API double lem_effective_rank_of(const gsl_vector *sigma);

#ifdef __cplusplus
}
#endif
#endif
