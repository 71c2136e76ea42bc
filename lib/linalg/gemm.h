/* Internal: products of operands that were checked before. */
#ifndef LEM_LINALG_GEMM_H
#define LEM_LINALG_GEMM_H

#include "linalg/linalg.h"

/* As lem_gemm, but A, B (and C, if it is read) are known to be finite and are not read through once more: in
 * an iteration over a large matrix that costs as much as a thin product. */
int lem_gemm_finite(lem_trans ta, lem_trans tb, double alpha, const gsl_matrix *a, const gsl_matrix *b,
                    double beta, gsl_matrix *c, int threads);

#endif
