/* The one door to BLAS and LAPACK, on gsl_matrix (row-major) and gsl_vector. lib/linalg calls the Fortran
 * names (dgemm_, dgesdd_, ...), never gsl_blas_*: gslcblas exports none of them, so OpenBLAS serves them
 * whatever else is linked.
 *
 * Every function checks its arguments and names the one at fault: a null pointer is GSL_EFAULT, a wrong or
 * empty shape GSL_EBADLEN; NaN, infinity, outputs that overlap inputs, and sizes beyond int (BLAS counts in
 * int) are GSL_EINVAL; no memory is GSL_ENOMEM. Matrices may be views (tda > size2); nothing outside a view
 * is read or written. All functions may be called from several threads at once on different outputs. Called
 * from within an OpenMP parallel region they run on the calling thread. OpenBLAS may be entered from many
 * threads; with its own pool set to one thread (lem_blas_single_thread) results do not depend on any thread
 * count. */
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

/* log |det A| and the sign of det A (-1, 0 or 1; with 0 the logarithm is -inf), by LU with partial pivoting.
 * A is left alone. Nothing over- or underflows on the way. */
LEM_API int lem_log_determinant(const gsl_matrix *a, double *log_size, int *sign);

/* Solve T X = B for a tridiagonal n x n matrix T by elimination with partial pivoting: diagonal (n), lower
 * and upper (n - 1, or NULL when n = 1; lower[i] stands left of diagonal[i + 1], upper[i] right of
 * diagonal[i]), B an m x n matrix, of which each row is a right-hand side and becomes its solution. All are
 * overwritten, B by X; the vectors must have stride 1. GSL_ESING when a pivot is zero: B is undefined then.
 */
LEM_API int lem_solve_tridiagonal(gsl_vector *lower, gsl_vector *diagonal, gsl_vector *upper, gsl_matrix *b);

/* Frobenius norm (sum a_ij^2)^(1/2), scaled against overflow and underflow; NaN on error. */
LEM_API double lem_frobenius_norm(const gsl_matrix *a);

/* Spectral norm, the largest singular value, by a full SVD without vectors: O(m n min(m, n)). NaN on error.
 */
LEM_API double lem_spectral_norm(const gsl_matrix *a);

/* "OpenBLAS 0.3.21 ... Haswell": the library that serves dgemm_ and the core it was tuned for. */
LEM_API const char *lem_blas_description(void);

/* The file of the shared library (or program) that serves dgemm_, as the dynamic linker names it; "" where it
 * cannot say. */
LEM_API const char *lem_blas_library(void);

/* Our programs call this first: BLAS on one thread, so that results do not depend on its thread count. The
 * library never calls it by itself. */
LEM_API void lem_blas_single_thread(void);

#ifdef __cplusplus
}
#endif
#endif
