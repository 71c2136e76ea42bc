/* The one door to BLAS and LAPACK, on gsl_matrix (row-major) and gsl_vector. lib/linalg calls the Fortran
 * names (dgemm_, dgesdd_, ...), never gsl_blas_*: gslcblas exports none of them, so OpenBLAS serves them
 * whatever else is linked. Shapes are checked, NaN and infinity refused (GSL_EINVAL). Matrices may be views
 * (tda > size2). */
#ifndef LEM_LINALG_LINALG_H
#define LEM_LINALG_LINALG_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { LEM_NO_TRANS, LEM_TRANS } lem_trans;

/* C = alpha op(A) op(B) + beta C. Rows of C are cut into fixed blocks of 256 that run in parallel over
 * `threads` (0: as many as OpenMP gives): the bits do not depend on it as long as BLAS itself runs on one
 * thread. C is not read when beta == 0, and must not overlap A or B. */
LEM_API int lem_gemm(lem_trans ta, lem_trans tb, double alpha, const gsl_matrix *a, const gsl_matrix *b,
                     double beta, gsl_matrix *c, int threads);

/* C = alpha A A^T (LEM_NO_TRANS) or alpha A^T A (LEM_TRANS), both triangles filled. */
LEM_API int lem_gram(lem_trans trans, double alpha, const gsl_matrix *a, gsl_matrix *c);

/* Thin QR of an m x n matrix, m >= n, by Householder reflections: A is overwritten by Q (m x n, orthonormal
 * columns), R (n x n, upper triangle; below it zeros; NULL: not wanted). */
LEM_API int lem_qr(gsl_matrix *a, gsl_matrix *r);

/* Thin SVD A = U diag(S) V^T of an m x n matrix, r = min(m, n): U m x r, S r (non-increasing), V n x r. U and
 * V may both be NULL: singular values only. A is left alone. */
LEM_API int lem_svd(const gsl_matrix *a, gsl_matrix *u, gsl_vector *s, gsl_matrix *v);

/* Eigenvalues of a symmetric matrix (lower triangle read), non-decreasing; vectors[., j] belongs to
 * values[j], NULL: not wanted. A is left alone. */
LEM_API int lem_symmetric_eigen(const gsl_matrix *a, gsl_vector *values, gsl_matrix *vectors);

/* Solve A X = B by LU with partial pivoting; B is overwritten by X, A left alone. GSL_ESING when A is
 * singular to working precision (reciprocal condition number below machine epsilon). */
LEM_API int lem_solve(const gsl_matrix *a, gsl_matrix *b);

/* "OpenBLAS 0.3.21 ... Haswell": the library that serves dgemm_ and the core it was tuned for. */
LEM_API const char *lem_blas_description(void);

/* Our programs call this first: BLAS on one thread, so that results do not depend on its thread count. The
 * library never calls it by itself. */
LEM_API void lem_blas_single_thread(void);

#ifdef __cplusplus
}
#endif
#endif
