/* Multilevel Monte Carlo: the mean of a function of x_T from few fine and many coarse paths.
 *
 * Level l takes 2^l steps. E f_L = E f_0 + sum_l E (f_l - f_{l-1}), each difference from pairs of paths on
 * one Wiener process: the coarse path takes the sums of two increments of the fine one. Its variance falls
 * with l, so that most samples are taken where they are cheap.
 *
 * Source: Giles, Oper. Res. 56 (2008) 607; claim pi.multilevel. */
#ifndef LEM_WALK_MLMC_H
#define LEM_WALK_MLMC_H

#include "stat/mc.h"
#include "walk/sde.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const lem_sde *sde;
    lem_sde_scheme scheme;
    double x0, t0, T;
    lem_block_field payoff; /* f, at time T; no function: f(x) = x */
} lem_mlmc;

enum { LEM_MLMC_LEVELS = 24 }; /* 0, ..., 23 */

typedef struct {
    const lem_mlmc *problem;
    unsigned level; /* < LEM_MLMC_LEVELS */
} lem_mlmc_level;

/* A chunk of a Monte Carlo run (stat/mc.h), ctx: a lem_mlmc_level. moments[0]: f_l - f_{l-1}, moments[1]: f_l
 * (at level 0 both are f_0). Errors as lem_sde_step and lem_normal_fill. Thread-safe as far as the fields
 * are. */
LEM_API int lem_mlmc_chunk(lem_stream *stream, size_t first, size_t count, void *workspace,
                           lem_mc_result *out, const void *ctx);

/* Time steps of one sample: 1 on level 0, 2^l + 2^(l-1) above. */
LEM_API double lem_mlmc_cost(unsigned level);

/* Samples of each level for a standard error of the sum `error`, at the least cost:
 *     N_l = error^-2 sqrt(V_l/C_l) sum_k sqrt(V_k C_k), rounded up, at least 1.
 * variance and cost are [levels], >= 0 and > 0; error > 0; else GSL_EDOM, also for more than 2^53 samples.
 * Thread-safe. */
LEM_API int lem_mlmc_samples(size_t levels, const double *variance, const double *cost, double error,
                             double *samples);

typedef struct {
    double eps;        /* wanted root mean square error, > 0: half of its square for bias, half for noise */
    double weak_order; /* of the scheme, for the estimate of the bias; > 0, Euler's is 1 */
    size_t pilot;      /* samples from which the variance of a new level is first estimated, >= 32 */
    unsigned finest;   /* largest level, 2 <= finest < LEM_MLMC_LEVELS */
    uint64_t seed;
    uint32_t study;   /* word of the streams */
    const char *name; /* of the purposes "name/level/round" */
    int threads;
} lem_mlmc_options;

typedef struct {
    double estimate, standard_error;
    double
        bias; /* estimated size of what is left: max(|mean_L|, |mean_{L-1}|/2^w)/(2^w - 1), w = weak_order */
    double cost; /* time steps */
    unsigned levels;
    lem_moments level[LEM_MLMC_LEVELS]; /* of f_l - f_{l-1} */
} lem_mlmc_result;

/* Giles's algorithm: levels are added until the bias is estimated below eps/sqrt(2), and samples until the
 * standard error is. The bits do not depend on the number of threads. GSL_EDOM for bad options, GSL_EMAXITER
 * when the finest level is not fine enough (result is then the best there is); or what lem_mlmc_chunk
 * returns. */
LEM_API int lem_mlmc_run(const lem_mlmc *problem, const lem_mlmc_options *options, lem_mlmc_result *result);

#ifdef __cplusplus
}
#endif
#endif
