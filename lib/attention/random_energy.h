/* Limits of softmax over n Gaussian scores as n -> infinity: the random energy model.
 *
 * At alpha = m sqrt(2 log n) the weights are spread over many scores for m < 1; for m > 1 a few of them share
 * everything, with the law of Poisson and Dirichlet PD(x, 0), x = 1/m. Thread-safe. Source: claims
 * ascale.rem-limit, ascale.annealed-breakdown; Derrida, Phys. Rev. B 24 (1981) 2613; Pitman and Yor, Ann.
 * Probab. 25 (1997) 855. */
#ifndef LEM_ATTENTION_RANDOM_ENERGY_H
#define LEM_ATTENTION_RANDOM_ENERGY_H

#include "rng/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* lim -log E sum p^2 / log n at alpha = a sqrt(log n): 1 - a^2 up to a = sqrt(2/3), where rare rows take
 * over, (1/a + a/2)^2/2 - 1 up to sqrt 2, then 0. a >= 0, else NaN and GSL_EDOM. */
LEM_API double lem_rem_mean_exponent(double a);

/* The same of the median of sum p^2: 1 - a^2 up to a = 1/sqrt 2, (sqrt 2 - a)^2 up to sqrt 2, then 0. */
LEM_API double lem_rem_typical_exponent(double a);

/* The m largest weights of PD(x, 0), in descending order: w_k = G_k^(-1/x) / Z with the points G_1 < G_2 <
 * ... of a Poisson process of rate one, and Z = sum_(k<=m) G_k^(-1/x) + x/(1-x) G_m^(1-1/x), the mean of the
 * rest. E sum w^2 = 1 - x over all of them. 0 < x < 1, m >= 1: GSL_EDOM; or as lem_uniform_fill, of which m
 * are taken. */
LEM_API int lem_pd_sample(double x, size_t m, lem_stream *stream, double *w);

/* E[-sum w log w] of PD(x, 0) in nats, psi(1) - psi(1 - x) = sum_k x/((k+1)(k+1-x)). 0 < x < 1, else NaN and
 * GSL_EDOM. Sixteen terms of the sum, the rest by the expansion of psi in differences that do not cancel. */
LEM_API double lem_pd_entropy(double x);

#ifdef __cplusplus
}
#endif
#endif
