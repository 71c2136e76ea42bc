/* Random projection matrices, written out. project.h applies them without that where it is faster. */
#ifndef LEM_PROJECTION_SAMPLE_H
#define LEM_PROJECTION_SAMPLE_H

#include "projection/kind.h"
#include "rng/stream.h"

#include <gsl/gsl_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fill A (n x m) with a random projection of the kind, scaled so that E ||A u||^2 = ||u||^2. s is read by
 * LEM_PROJECTION_SPARSE only: 1 <= s < infinity, an entry is not zero with probability 1/s.
 *
 * The stream moves on: a second call gives an independent matrix; a copy of the stream gives the same bits
 * again (Haar: on the same processor). Draws, in order: gaussian n m normals, rademacher n m signs, sparse
 * n m uniforms, each row by row; haar as lem_haar_matrix of m x n; srht m signs and then n integers.
 *
 * A may be a view (tda > size2). GSL_EFAULT: null pointer; GSL_EBADLEN: empty A, or n > m for haar and srht;
 * GSL_EINVAL: unknown kind, m not a power of two for srht (srht_padded takes any m); GSL_EDOM: s; GSL_ERANGE:
 * the stream ends; GSL_ENOMEM. On error the stream has not moved and the entries of A are unspecified. Not
 * thread-safe on one stream.
 *
 * Source: Dasgupta & Gupta 2003; Achlioptas 2003; Li, Hastie & Church 2006; Tropp 2011 (arXiv 1011.1595);
 * claim jl.matrix-families. */
LEM_API int lem_jl_sample(lem_projection_kind kind, double s, lem_stream *stream, gsl_matrix *a);

/* Each row of `out` (rows x n): the first n of the m coordinates of a unit vector uniform on the sphere in
 * R^m, n <= m, independent between rows. (m/n) times a row's squared norm has the law of ||A u||^2 for a Haar
 * projection A and a fixed unit vector u, at the cost of m normals instead of a QR. GSL_EFAULT, GSL_EBADLEN,
 * GSL_ERANGE as above. */
LEM_API int lem_haar_first_coordinates(lem_stream *stream, size_t m, gsl_matrix *out);

#ifdef __cplusplus
}
#endif
#endif
