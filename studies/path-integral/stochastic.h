/* What the sections on simulation share. */
#ifndef PI_STOCHASTIC_H
#define PI_STOCHASTIC_H

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

int pi_one_law(lem_study *study);       /* one_law.c: walk, SDE and path integral of the double well */
int pi_bridges(lem_study *study);       /* bridges.c: Feynman-Kac on Brownian bridges */
int pi_mean_path(lem_study *study);     /* mean_path.c: the most probable and the mean path */
int pi_stock(lem_study *study);         /* stock.c: geometric Brownian motion */
int pi_schemes(lem_study *study);       /* schemes.c: orders of Euler-Maruyama and Milstein */
int pi_levels(lem_study *study);        /* levels.c: multilevel Monte Carlo */
int pi_first_passage(lem_study *study); /* passage.c: survival below a barrier */
int pi_price(lem_study *study);         /* price.c: a European call */

#define PI_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- stochastic.c --- */

/* Fields on arrays. ctx: a constant, by which the field is multiplied. */
int pi_double_well_block(size_t n, const double *x, double t, const void *ctx, double *out); /* c (x - x^3) */
int pi_linear_block(size_t n, const double *x, double t, const void *ctx, double *out);      /* c x */
int pi_constant_block(size_t n, const double *x, double t, const void *ctx, double *out);    /* c */
int pi_harmonic_block(size_t n, const double *x, double t, const void *ctx, double *out);    /* c x^2/2 */
int pi_quartic_block(size_t n, const double *x, double t, const void *ctx, double *out);     /* c x^4 */

/* Bridges of a problem with its weights, reduced. */
int pi_weights(lem_study *study, const char *purpose, const lem_feynman_kac *problem, size_t samples,
               lem_feynman_kac_result *result);

/* The path integral on `slices` slices itself, no sampling: the short-time kernels composed by the trapezoid
 * rule on a grid of [-7, 7], the ends with half the potential. The error is that of the trapezoid rule on an
 * analytic function that has died away at the ends, exponentially small once sqrt(alpha T/slices) exceeds two
 * spacings of 0.025. means (slices + 1 places, or null): the mean of the conditioned path at each time. */
int pi_lattice_kernel(const lem_feynman_kac *problem, double *kernel, double *means);

/* Plain moments of a chunk function, of n_moments moments. */
int pi_moments(lem_study *study, const char *purpose, lem_mc_chunk chunk, const void *ctx, size_t samples,
               size_t n_moments, lem_moments *moments);

#endif
