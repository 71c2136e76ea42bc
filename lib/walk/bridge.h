/* Brownian bridges, and the Feynman-Kac formula by Monte Carlo on them.
 *
 * Positions in a length, alpha in length^2/time, a potential in length^2/time^2 (unit mass).
 *
 * Source: Feynman, Rev. Mod. Phys. 20 (1948) 367; Kac, Trans. Amer. Math. Soc. 65 (1949) 1; claims
 * pi.feynman-kac-mc, pi.feynman-kac-variance, pi.most-probable-path, pi.ground-state. */
#ifndef LEM_WALK_BRIDGE_H
#define LEM_WALK_BRIDGE_H

#include "stat/mc.h"
#include "walk/block_field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Brownian motion with variance alpha t from xa at time 0, given that it is at xb at time T: `count` paths at
 * the n + 1 times k T/n. out[k * count + i] is path i at time k T/n: one path is out[0..n]. out[0] = xa and
 * out[n] = xb exactly, at every call. By steps from left to right,
 *     x_{k+1} = x_k + (xb - x_k)/(n - k) + sqrt(alpha (T/n) (n - k - 1)/(n - k)) z,
 * which use (n - 1) count normals. xa, xb finite, T > 0, alpha > 0, n >= 1, count >= 1; else GSL_EDOM; or
 * what the stream returns. Thread-safe for different streams. */
LEM_API int lem_brownian_bridge(lem_stream *stream, double xa, double xb, double T, double alpha, size_t n,
                                size_t count, double *out);

/* K(xb, xa; T) = K_0(xb, xa; T) E exp(-(1/alpha) int_0^T U(x_t, t) dt) over those bridges. The integral is
 * the trapezoid sum over `slices` slices, ends at half weight, so that the mean is the path integral on that
 * many slices and off the continuum by O(1/slices^2). */
typedef struct {
    lem_block_field potential; /* U */
    double xa, xb, T, alpha;
    size_t slices; /* >= 1; 1 leaves the ends alone */
} lem_feynman_kac;

/* count bridges of the problem and the logarithms of their weights, -(1/alpha) int U. paths: as
 * lem_brownian_bridge, or null when only the weights are wanted, which are the same. Errors as there, or what
 * the potential returns, with x and t. Thread-safe for different streams, as far as the potential is. */
LEM_API int lem_feynman_kac_paths(lem_stream *stream, const lem_feynman_kac *problem, size_t count,
                                  double *paths, double *log_weight);

/* A chunk of a Monte Carlo run (stat/mc.h), ctx: a lem_feynman_kac; records (one a sample): the logarithm of
 * its weight. */
LEM_API int lem_feynman_kac_chunk(lem_stream *stream, size_t first, size_t count, void *workspace,
                                  lem_mc_result *out, const void *ctx);

typedef struct {
    double log_kernel;        /* log K */
    double kernel;            /* K; 0 where exp(log_kernel) underflows */
    double relative_error;    /* standard error of K, relative */
    double relative_variance; /* of one weight */
    lem_moments weights;      /* of weight/exp(largest_log_weight) */
    double largest_log_weight;
} lem_feynman_kac_result;

/* The kernel from the logarithms of weights, n >= 2. The largest is subtracted before exponentiating, so that
 * no scale of the potential under- or overflows. GSL_EINVAL for a weight that is NaN or infinite. */
LEM_API int lem_feynman_kac_reduce(const lem_feynman_kac *problem, size_t n, const double *log_weight,
                                   lem_feynman_kac_result *result);

/* The whole run: `samples` bridges with streams (seed, study, purpose), the same bits for any number of
 * threads (0: as many as OpenMP gives). Errors as above and of lem_mc_run. */
typedef struct {
    uint64_t seed;
    uint32_t study, purpose;
    size_t samples; /* >= 2 */
    int threads;
} lem_feynman_kac_run;
LEM_API int lem_feynman_kac_mc(const lem_feynman_kac *problem, const lem_feynman_kac_run *run,
                               lem_feynman_kac_result *result);

#ifdef __cplusplus
}
#endif
#endif
