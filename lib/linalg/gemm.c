/* Products over fixed blocks.
 *
 * OpenBLAS changes bits with its own thread count, so each block is one call on one BLAS thread and the
 * blocks are dealt out by OpenMP: which thread computes a block cannot change it. Calling OpenBLAS from
 * several OpenMP threads is safe: its buffers are per call, and set to one thread (lem_blas_single_thread) it
 * never enters its own pool. */
#include "linalg/linalg.h"
#include "linalg/check.h"
#include "linalg/fortran.h"
#include "linalg/gemm.h"

#include <math.h>

enum { BLOCK = 256 };

static size_t block_count(size_t rows) {
    return (rows + BLOCK - 1) / BLOCK;
}

static int block_length(size_t rows, size_t block) {
    size_t left = rows - block * BLOCK;
    return (int)(left < BLOCK ? left : BLOCK);
}

/* The start of row i of op(m). */
static const double *op_row(lem_trans trans, const gsl_matrix *m, size_t i) {
    return m->data + (trans == LEM_TRANS ? i : i * m->tda);
}

static const char *op_name(lem_trans trans) {
    return trans == LEM_TRANS ? "T" : "N";
}

static int check_trans(lem_trans trans, const char *name) {
    if (trans != LEM_NO_TRANS && trans != LEM_TRANS)
        return LEM_ERROR(GSL_EINVAL, "%s = %d: must be LEM_NO_TRANS or LEM_TRANS", name, (int)trans);
    return GSL_SUCCESS;
}

static int check_factor(double factor, const char *name) {
    if (!isfinite(factor))
        return LEM_ERROR(GSL_EINVAL, "%s = %g: must be finite", name, factor);
    return GSL_SUCCESS;
}

static int check_gemm(lem_trans ta, lem_trans tb, double alpha, const gsl_matrix *a, const gsl_matrix *b,
                      double beta, const gsl_matrix *c, int threads) {
    int status;
    if (threads < 0)
        return LEM_ERROR(GSL_EINVAL, "threads = %d: must be >= 0", threads);
    if ((status = check_trans(ta, "ta")) || (status = check_trans(tb, "tb")) ||
        (status = check_factor(alpha, "alpha")) || (status = check_factor(beta, "beta")) ||
        (status = lem_check_output(a, "A")) || (status = lem_check_output(b, "B")) ||
        (status = lem_check_output(c, "C")))
        return status;
    size_t rows = ta == LEM_TRANS ? a->size2 : a->size1, inner = ta == LEM_TRANS ? a->size1 : a->size2;
    size_t inner_b = tb == LEM_TRANS ? b->size2 : b->size1, columns = tb == LEM_TRANS ? b->size1 : b->size2;
    if (inner != inner_b)
        return LEM_ERROR(GSL_EBADLEN, "op(A) is %zu x %zu and op(B) is %zu x %zu: inner sizes must agree",
                         rows, inner, inner_b, columns);
    if ((status = lem_check_shape(c, "C", rows, columns)) || (status = lem_check_apart(a, "A", c, "C")) ||
        (status = lem_check_apart(b, "B", c, "C")))
        return status;
    return GSL_SUCCESS;
}

/* In column-major order: C^T = alpha op(B)^T op(A)^T + beta C^T. */
static void multiply(lem_trans ta, lem_trans tb, double alpha, const gsl_matrix *a, const gsl_matrix *b,
                     double beta, gsl_matrix *c, int threads) {
    const int columns = (int)c->size2, inner = (int)(ta == LEM_TRANS ? a->size1 : a->size2);
    const int lda = (int)a->tda, ldb = (int)b->tda, ldc = (int)c->tda;
    const size_t blocks = block_count(c->size1);
    const int team = lem_team_size(threads, blocks);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
#endif
    for (size_t i = 0; i < blocks; i++) {
        const int rows = block_length(c->size1, i);
        dgemm_(op_name(tb), op_name(ta), &columns, &rows, &inner, &alpha, b->data, &ldb,
               op_row(ta, a, i * BLOCK), &lda, &beta, c->data + i * BLOCK * c->tda, &ldc, 1, 1);
    }
    (void)team;
}

int lem_gemm_finite(lem_trans ta, lem_trans tb, double alpha, const gsl_matrix *a, const gsl_matrix *b,
                    double beta, gsl_matrix *c, int threads) {
    int status = check_gemm(ta, tb, alpha, a, b, beta, c, threads);
    if (!status)
        multiply(ta, tb, alpha, a, b, beta, c, threads);
    return status;
}

int lem_gemm(lem_trans ta, lem_trans tb, double alpha, const gsl_matrix *a, const gsl_matrix *b, double beta,
             gsl_matrix *c, int threads) {
    int status;
    if ((status = check_gemm(ta, tb, alpha, a, b, beta, c, threads)) ||
        (status = lem_check_input_by(a, "A", threads)) || (status = lem_check_input_by(b, "B", threads)) ||
        (status = beta == 0 ? GSL_SUCCESS : lem_check_input_by(c, "C", threads)))
        return status;
    multiply(ta, tb, alpha, a, b, beta, c, threads);
    return GSL_SUCCESS;
}

/* Tile (i, j), j <= i, of C = alpha op(A) op(A)^T, and its mirror image. */
static void gram_tile(lem_trans trans, double alpha, const gsl_matrix *a, gsl_matrix *c, size_t i, size_t j) {
    const int rows = block_length(c->size1, i), columns = block_length(c->size1, j);
    const int inner = (int)(trans == LEM_TRANS ? a->size1 : a->size2);
    const int lda = (int)a->tda, ldc = (int)c->tda;
    const double zero = 0;
    double *tile = c->data + i * BLOCK * c->tda + j * BLOCK;
    const char *left = trans == LEM_TRANS ? "N" : "T", *right = trans == LEM_TRANS ? "T" : "N";
    if (i == j) /* row-major lower triangle = column-major upper triangle */
        dsyrk_("U", left, &rows, &inner, &alpha, op_row(trans, a, i * BLOCK), &lda, &zero, tile, &ldc, 1, 1);
    else
        dgemm_(left, right, &columns, &rows, &inner, &alpha, op_row(trans, a, j * BLOCK), &lda,
               op_row(trans, a, i * BLOCK), &lda, &zero, tile, &ldc, 1, 1);
    for (size_t r = 0; r < (size_t)rows; r++)
        for (size_t s = 0; s < (i == j ? r : (size_t)columns); s++)
            c->data[(j * BLOCK + s) * c->tda + i * BLOCK + r] = tile[r * c->tda + s];
}

int lem_gram(lem_trans trans, double alpha, const gsl_matrix *a, gsl_matrix *c) {
    int status;
    if ((status = check_trans(trans, "trans")) || (status = check_factor(alpha, "alpha")) ||
        (status = lem_check_input_by(a, "A", 0)) || (status = lem_check_output(c, "C")))
        return status;
    size_t n = trans == LEM_TRANS ? a->size2 : a->size1;
    if ((status = lem_check_shape(c, "C", n, n)) || (status = lem_check_apart(a, "A", c, "C")))
        return status;
    const size_t blocks = block_count(n), tiles = blocks * (blocks + 1) / 2;
    const int team = lem_team_size(0, tiles);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
#endif
    for (size_t t = 0; t < tiles; t++) {
        size_t i = 0;
        while ((i + 1) * (i + 2) / 2 <= t)
            i++;
        gram_tile(trans, alpha, a, c, i, t - i * (i + 1) / 2);
    }
    (void)team;
    return GSL_SUCCESS;
}
