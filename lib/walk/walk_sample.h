/* The biased random walk, simulated. */
#ifndef LEM_WALK_WALK_SAMPLE_H
#define LEM_WALK_WALK_SAMPLE_H

#include "rng/stream.h"
#include "walk/block_field.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `paths` walks of n steps of dt = T/n on the lattice x0 + m s, s = sqrt(alpha dt), each to the right with
 * probability (1 + p(x, t) s/alpha)/2, else to the left: m[i] is where walk i ends, in steps from the start,
 * of the parity of n. The drift p may have no function: the symmetric walk.
 *
 * Where |p| s > alpha there is no such probability. With `cut` null that is an error, GSL_EDOM, with x and t;
 * else it is cut to [0, 1] there, and *cut counts the steps on which it was.
 *
 * T > 0, alpha > 0, x0 finite, n >= 1, paths >= 1, else GSL_EDOM; or what drift and stream return. Uses
 * n paths uniforms. Thread-safe for different streams, as far as the drift is. Source: claims
 * pi.walk-fokker-planck, pi.equivalence. */
LEM_API int lem_biased_walk_sample(lem_stream *stream, const lem_block_field *drift, size_t n, double x0,
                                   double T, double alpha, size_t paths, double *m, uint64_t *cut);

#ifdef __cplusplus
}
#endif
#endif
