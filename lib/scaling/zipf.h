/* Random quanta: Zipf's law on all whole numbers, P(k) = k^-s/zeta(s), k = 1, 2, ...
 *
 * Devroye's rejection from floor(u^(-1/(s-1))): with T = (1 + 1/k)^(s-1), k is accepted when
 * v k (T - 1)/(2^(s-1) - 1) <= T/2^(s-1). No table, no largest k: beyond 2^53 a k stands for its neighbours,
 * as a double does. Proposals come from uniforms of 53 bits, so that single numbers of probability below
 * 2^-53/k may be left out or doubled, while sums over ranges are right. At least half of the proposals are
 * taken.
 *
 * 1.06 <= s <= 100 (below, u^(-1/(s-1)) overflows): else GSL_EDOM. Not thread-safe on one stream. Source:
 * Devroye, Non-uniform random variate generation (1986), X.6.1. Claim sl.data-mc. */
#ifndef LEM_SCALING_ZIPF_H
#define LEM_SCALING_ZIPF_H

#include "rng/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fill out[0..n-1]. Draws uniforms in pairs, in blocks whose sizes depend on n and on what was rejected, and
 * uses each pair once. On error out is left as it was or partly filled. */
LEM_API int lem_zipf_fill(lem_stream *stream, double s, size_t n, double *out);

/* One draw: a fill of one; NaN on error. */
LEM_API double lem_zipf_sample(lem_stream *stream, double s);

#ifdef __cplusplus
}
#endif
#endif
