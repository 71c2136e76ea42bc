/* Quanta learned from data: quantum k is learned once it was seen tau times among D samples.
 *
 * Frequencies p_k = k^-s/Z, s = gamma + 1, Z = zeta(s); c = gamma/s. Losses are normalised: the share of
 * samples whose quantum is unlearned. Counts are Poisson(D p_k), or, with exactly D samples, binomial(D,
 * p_k). Both expected losses fall like D^-c, with corrections smaller than every power of D: as a function of
 * real k the summand is flat to all orders at k = 0.
 *
 * Domains: D >= 0, finite (whole and at most 2^53 for the binomial); tau whole, 1 <= tau <= 1000 where a sum
 * or a probability is computed, else up to 1e9; 1e-300 <= gamma <= 1000. Outside: NaN and GSL_EDOM; NaN and
 * GSL_EOVRFLW where a closed form exceeds the range of double. Sums are those of all quanta (quanta_sum.h),
 * relative error below 2e-13; where tau is large and tau sightings nearly impossible, their probability goes
 * like (D p_k)^tau and takes tau times the rounding of D p_k: below 4 tau epsilons then. Closed forms: a few
 * epsilons. At most (gamma + 1) (3 tau + 1600) terms of less than a microsecond each. Thread-safe. Source:
 * Michaud, Liu, Girit and Tegmark, arXiv:2303.13506; kexue.fm archive 9607; the closed forms are ours (claims
 * sl.data-poisson, sl.learned-count, sl.self-averaging), that of the count for tau = 1 is Karlin's, J. Math.
 * Mech. 17 (1967) 373. */
#ifndef LEM_SCALING_QUANTA_DATA_H
#define LEM_SCALING_QUANTA_DATA_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* floor((D/(tau Z))^(1/s)): the last quantum expected tau times, D p_n >= tau. May be 0. */
LEM_API double lem_quanta_cut(double D, double tau, double gamma);

/* P(tau, D p_k): a Poisson count reaches tau. k >= 1. */
LEM_API double lem_quanta_learn_probability(double k, double D, double tau, double gamma);

/* sum_k p_k P(count_k < tau); 1 exactly at D = 0 (binomial: D < tau). */
LEM_API double lem_quanta_loss_poisson(double D, double tau, double gamma);
LEM_API double lem_quanta_loss_binomial(double D, double tau, double gamma);

/* Z^(-1/s)/gamma Gamma(tau + c)/Gamma(tau) times D^-c (D > 0), or times Gamma(D + 1)/Gamma(D + 1 + c). */
LEM_API double lem_quanta_loss_poisson_asymptotic(double D, double tau, double gamma);
LEM_API double lem_quanta_loss_binomial_asymptotic(double D, double tau, double gamma);

/* Gamma(tau + c)/(Gamma(tau) tau^c) < 1: the expected loss over that of the cut at D p_n = tau. */
LEM_API double lem_quanta_threshold_factor(double tau, double gamma);

/* sum_k P(tau, D p_k), the expected number of quanta learned, and its limit
 * (D/Z)^(1/s) Gamma(tau - 1/s)/Gamma(tau) - 1/2, D > 0. */
LEM_API double lem_quanta_learned_count(double D, double tau, double gamma);
LEM_API double lem_quanta_learned_count_asymptotic(double D, double tau, double gamma);

/* sum_k p_k^2 P(tau, D p_k) Q(tau, D p_k): the variance of the loss between runs with Poisson(D) samples. */
LEM_API double lem_quanta_loss_variance_poisson(double D, double tau, double gamma);

#ifdef __cplusplus
}
#endif
#endif
