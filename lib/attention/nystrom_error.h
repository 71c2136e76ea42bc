/* Where the error of a Nystrom-style approximation comes from, what no method of its rank can beat, and what
 * it costs. */
#ifndef LEM_ATTENTION_NYSTROM_ERROR_H
#define LEM_ATTENTION_NYSTROM_ERROR_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ||S - F Z B||_F^2 = subspace^2 + middle^2 with
 *     subspace = ||S - P_F S P_B||_F,   middle = ||P_F S P_B - F Z B||_F,
 * P_F and P_B the projectors on the columns of F and the rows of B (left and right singular vectors above
 * 1e-12 of the largest singular value). `subspace` is what the landmarks cost, whatever Z; it is attained by
 * Z = pinv(F) S pinv(B). `middle` is what Z costs.
 *
 * S n x k, F n x m, Z m x m, B m x k, m <= min(n, k). Each of `subspace`, `middle`: NULL: not wanted.
 * GSL_EFAULT, GSL_EBADLEN, GSL_EINVAL (not finite), GSL_EOVRFLW, GSL_ENOMEM. Thread-safe. Claim
 * nys.pythagoras. */
LEM_API int lem_nystrom_error_split(const gsl_matrix *s, const gsl_matrix *f, const gsl_matrix *z,
                                    const gsl_matrix *b, double *subspace, double *middle);

/* (sum_{i > m} sigma_i^2)^(1/2), the Frobenius error of the best approximation of S of rank m. 0 <= m <= the
 * smaller side. NaN on error. Source: Eckart and Young, Psychometrika 1 (1936) 211. */
LEM_API double lem_eckart_young(const gsl_matrix *s, size_t m);

/* Operations of Nystrom attention with n tokens of width d (of q, k and v) and m landmarks, six steps of four
 * products: 8 n m d (F, B, B V and F times that: 2 n m d each) + 4 m^2 d (A, and Z times B V) + 48 m^3;
 * exponentials and the landmark means aside. n, m, d >= 1, m <= n. NaN on error. */
LEM_API double lem_nystrom_flops(double n, double m, double d);

/* How many random features linear attention affords for as much, at 8 n d each (projection of queries and of
 * keys, both products): m + m^2/(2 n) + 6 m^3/(n d). */
LEM_API double lem_nystrom_equal_cost_features(double n, double m, double d);

#ifdef __cplusplus
}
#endif
#endif
