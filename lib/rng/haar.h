/* Random orthogonal matrices. */
#ifndef LEM_RNG_HAAR_H
#define LEM_RNG_HAAR_H

#include "rng/stream.h"

#include <gsl/gsl_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fill q (m x k, 1 <= k <= m) with the first k columns of a Haar-distributed orthogonal m x m matrix: the law
 * is unchanged by any fixed rotation or reflection from either side. m = 1 gives -1 or +1.
 *
 * Q diag(sign R_11, ..., sign R_kk) of the QR decomposition of an m x k matrix of normals drawn row by row;
 * the signs are needed because Householder's Q alone is not Haar (for 2 x 2 its q_11 is never positive). Uses
 * m k normals, O(m k^2) operations and one k x k workspace. The last bits are those of LAPACK and may differ
 * between processors. Columns are orthonormal to a few sqrt(m) machine epsilons.
 *
 * q may be a view (tda > size2). GSL_EFAULT: null pointer; GSL_EBADLEN: shape; GSL_ERANGE: fewer than m k
 * items left in the stream; GSL_ENOMEM. On error the stream has not moved and the entries of q are
 * unspecified. Not thread-safe on one stream.
 *
 * Source: Stewart, SIAM J. Numer. Anal. 17 (1980) 403; Mezzadri, Notices AMS 54 (2007) 592,
 * arXiv:math-ph/0609050. */
LEM_API int lem_haar_matrix(lem_stream *stream, gsl_matrix *q);

#ifdef __cplusplus
}
#endif
#endif
