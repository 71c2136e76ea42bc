/* The Fortran names of BLAS and LAPACK that this folder calls. Internal.
 *
 * Column-major; int is Fortran's default INTEGER (the LP64 interface). Every CHARACTER argument has a hidden
 * length, a size_t at the end of the list: leaving it out works by luck only (gfortran may tail-call with the
 * caller's frame). A row-major matrix with tda is, unchanged in memory, its own transpose in column-major
 * order with leading dimension tda: each caller says which factorisation of the transpose it uses. */
#ifndef LEM_LINALG_FORTRAN_H
#define LEM_LINALG_FORTRAN_H

#include <stddef.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length, size_t transb_length);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc,
            size_t uplo_length, size_t trans_length);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b, const int *ldb,
            size_t side_length, size_t uplo_length, size_t transa_length, size_t diag_length);

void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau,
             double *work, const int *lwork, int *info);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s, double *u,
             const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *iwork,
             int *info, size_t jobz_length);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t jobz_length,
             size_t uplo_length);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgecon_(const char *norm, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, size_t norm_length);
void dgtsv_(const int *n, const int *nrhs, double *dl, double *d, double *du, double *b, const int *ldb,
            int *info);
double dlange_(const char *norm, const int *m, const int *n, const double *a, const int *lda, double *work,
               size_t norm_length);

/* OpenBLAS's own, of <cblas.h>; declared here so that no CBLAS header decides what is linked. */
char *openblas_get_config(void);
char *openblas_get_corename(void);
void openblas_set_num_threads(int threads);

#endif
