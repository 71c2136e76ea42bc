#include "linalg/tile.h"
#include "linalg/fortran.h"

void lem_tile_gemm(lem_trans ta, lem_trans tb, size_t m, size_t n, size_t k, double alpha, const double *a,
                   size_t lda, const double *b, size_t ldb, double beta, double *c, size_t ldc) {
    /* In column-major order: C^T = alpha op(B)^T op(A)^T + beta C^T. */
    const int rows = (int)n, columns = (int)m, inner = (int)k, lb = (int)ldb, la = (int)lda, lc = (int)ldc;
    dgemm_(tb == LEM_TRANS ? "T" : "N", ta == LEM_TRANS ? "T" : "N", &rows, &columns, &inner, &alpha, b, &lb,
           a, &la, &beta, c, &lc, 1, 1);
}
