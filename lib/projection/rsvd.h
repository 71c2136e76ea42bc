/* Randomized singular value decomposition. */
#ifndef LEM_PROJECTION_RSVD_H
#define LEM_PROJECTION_RSVD_H

#include "rng/stream.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Q (m x l) with orthonormal columns that spans, nearly, the l strongest left directions of A (m x n):
 * Q = orth((A A^T)^q A Omega) with Omega (n x l) of independent normals, drawn row by row. Every product with
 * A or A^T is followed by a QR factorisation, which leaves the range unchanged in exact arithmetic and keeps
 * directions with sigma_j < sigma_1 eps^(1/(2q+1)) from drowning in rounding errors: more power iterations do
 * not make the result worse. 1 <= l <= min(m, n).
 *
 * 2 (2q + 1) m n l operations in products (parallel, bits independent of the number of threads) and
 * O(q (m + n) l^2) in QR. A may be a view. GSL_EFAULT: null pointer; GSL_EBADLEN: shapes; GSL_EDOM: q < 0;
 * GSL_EINVAL: an entry of A not finite, Q overlaps A; GSL_ERANGE: the stream ends; GSL_ENOMEM. On error the
 * stream has not moved. Not thread-safe on one stream.
 *
 * Source: Halko, Martinsson & Tropp 2011 (arXiv 0909.4061), algorithms 4.1 and 4.4; claim jl.rsvd-halko. */
LEM_API int lem_rsvd_range(const gsl_matrix *a, int q, lem_stream *stream, gsl_matrix *range);

/* The k leading singular triplets of A (m x n), approximately: A ~ U diag(S) V^T, U m x k, S k
 * (non-increasing), V n x k. With Q = lem_rsvd_range of k + p columns, the SVD of Q^T A cut to k triplets;
 * exact, to rounding, when rank A <= k. U and V may both be NULL: singular values only.
 *
 * p >= 2 is the oversampling (the expected error has no finite bound below), k >= 1, k + p <= min(m, n),
 * q >= 0 power iterations. E ||A - Q Q^T A||_F <= (1 + k/(p - 1))^(1/2) (sum_{j > k} sigma_j^2)^(1/2)
 * (theorem 10.5), and cutting to k triplets adds at most sigma_{k+1} to the spectral error (9.3). Errors as
 * above; GSL_EDOM: k, p or q out of their domain.
 *
 * Source: Halko, Martinsson & Tropp 2011, algorithm 5.1; claims jl.rsvd-halko, jl.rsvd-article. */
LEM_API int lem_rsvd(const gsl_matrix *a, size_t k, size_t p, int q, lem_stream *stream, gsl_matrix *u,
                     gsl_vector *s, gsl_matrix *v);

/* ||A - Q Q^T A||_F for Q (m x l) with orthonormal columns, by blocks of rows of the residual itself: good
 * also where ||A||_F^2 - ||Q^T A||_F^2 cancels. 4 m n l operations. NaN on error. Thread-safe. */
LEM_API double lem_rsvd_residual(const gsl_matrix *a, const gsl_matrix *range);

#ifdef __cplusplus
}
#endif
#endif
