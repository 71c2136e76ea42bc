/* Random projections applied to the rows of a data matrix. */
#ifndef LEM_PROJECTION_PROJECT_H
#define LEM_PROJECTION_PROJECT_H

#include "projection/kind.h"
#include "rng/stream.h"

#include <gsl/gsl_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A projection from R^m to R^n: its kind, and the matrix drawn last. */
typedef struct lem_project_workspace lem_project_workspace;

/* NULL on error: the arguments are refused as by lem_jl_sample. Nothing is drawn yet. */
LEM_API lem_project_workspace *lem_project_alloc(lem_projection_kind kind, size_t n, size_t m, double s);
LEM_API void lem_project_free(lem_project_workspace *w);

/* Draw a new matrix; the same one that lem_jl_sample draws from this stream. It stays until the next draw:
 * all data that are to be compared must be projected between two draws. On error the stream has not moved and
 * the workspace holds no matrix. */
LEM_API int lem_project_draw(lem_project_workspace *w, lem_stream *stream);

/* Y = X A^T: each row x of X (N x m) to the row A x of Y (N x n). Dense kinds by one product, 2 N n m
 * operations; srht and srht_padded by a Walsh-Hadamard transform per row, N M log2 M, never forming A.
 * `threads` as in lem_gemm (0: as many as OpenMP gives); the bits do not depend on it.
 *
 * GSL_EFAULT: null pointer; GSL_EBADLEN: shape; GSL_EINVAL: nothing drawn, an entry of X not finite, Y
 * overlaps X. On error the entries of Y are unspecified. The workspace is only read: several threads may use
 * it at once.
 */
LEM_API int lem_project_rows(const lem_project_workspace *w, const gsl_matrix *x, gsl_matrix *y, int threads);

/* Write out A (n x m). */
LEM_API int lem_project_matrix(const lem_project_workspace *w, gsl_matrix *a);

#ifdef __cplusplus
}
#endif
#endif
