/* Internal: single BLAS calls on tiles of row-major arrays, for the inner loops of other topics.
 *
 * Nothing is checked: whoever calls has checked whole matrices once. Each function is one BLAS call on the
 * calling thread. Leading dimensions and sizes must fit int. */
#ifndef LEM_LINALG_TILE_H
#define LEM_LINALG_TILE_H

#include "linalg/linalg.h"

#include <stddef.h>

/* C (m x n, rows ldc apart) = alpha op(A) op(B) + beta C, op(A) m x k, op(B) k x n; C is not read when beta
 * == 0. The element C[i][j] depends on row i of op(A) and column j of op(B) only: with the same sizes, other
 * rows and columns do not change its bits. */
void lem_tile_gemm(lem_trans ta, lem_trans tb, size_t m, size_t n, size_t k, double alpha, const double *a,
                   size_t lda, const double *b, size_t ldb, double beta, double *c, size_t ldc);

#endif
