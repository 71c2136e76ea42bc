/* Geometric Brownian motion dS = S (mu dt + sg dW), and the exact errors of schemes for it.
 *
 * S in a unit of money, mu in 1/time, sg = sigma in 1/sqrt(time), T in time. log(S_T/S0) is normal with mean
 * (mu - sg^2/2) T and variance sg^2 T: sigma squared, for sg is the square root of a diffusion constant.
 *
 * Arguments are finite, sg > 0 and T > 0; else NaN and GSL_EDOM, and GSL_EOVRFLW where the result exceeds the
 * range of double. Thread-safe.
 *
 * Source: Black and Scholes, J. Polit. Econ. 81 (1973) 637; Kloeden and Platen, Numerical Solution of
 * Stochastic Differential Equations; Giles, Oper. Res. 56 (2008) 607; claims pi.gbm, pi.em-orders,
 * pi.multilevel. */
#ifndef LEM_WALK_GBM_H
#define LEM_WALK_GBM_H

#include "base/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Density of S_T, s > 0 and S0 > 0:
 *     exp(-(log(s/S0) - (mu - sg^2/2) T)^2/(2 sg^2 T)) / (s sg sqrt(2 pi T)).
 * A relative error of a few machine epsilons for each unit of the exponent. */
LEM_API double lem_gbm_pdf(double s, double S0, double mu, double sg, double T);

/* P(S_T <= s), s >= 0. */
LEM_API double lem_gbm_cdf(double s, double S0, double mu, double sg, double T);

/* Errors of a scheme with n steps of h = T/n, 1 <= n <= 2^40, S0 = 1. One step multiplies by
 *     Euler-Maruyama  1 + mu h + sg dW
 *     Milstein        1 + mu h + sg dW + (sg^2/2) (dW^2 - h).
 * By repeated squaring (gbm_pair.h): with g = 1 + |mu| T + sg^2 T a relative error below 4 (1 + log2 n) g
 * machine epsilons, for mu < 0 (and -mu h < 1) g times as much. */

/* E X_n - E S_T = (1 + mu h)^n - exp(mu T), the same for both. */
LEM_API double lem_em_gbm_weak_error_mean(uint64_t n, double mu, double sg, double T);

/* sqrt(E (X_n - S_T)^2) on one path. Euler: of
 *     exp((2 mu + sg^2) T) - 2 [exp(mu h) (1 + mu h + sg^2 h)]^n + [(1 + mu h)^2 + sg^2 h]^n. */
LEM_API double lem_em_gbm_strong_error(uint64_t n, double mu, double sg, double T);
/* ... with sg^2 h + sg^4 h^2/2 for sg^2 h in the two brackets. */
LEM_API double lem_milstein_gbm_strong_error(uint64_t n, double mu, double sg, double T);

/* Var(X_fine - X_coarse) of Euler-Maruyama with 2^l steps and with 2^(l - 1), which use the summed increments
 * of the fine path; 1 <= l <= 40, S0 = 1. With h = T/2^l, a = 1 + mu h, M = 2^(l - 1):
 *     (a^2 + sg^2 h)^2M - 2 [a^2 (1 + 2 mu h) + 2 a sg^2 h]^M + [(1 + 2 mu h)^2 + 2 sg^2 h]^M
 *     - (a^2M - (1 + 2 mu h)^M)^2.
 * An error below 4 (1 + l) g machine epsilons, relative; for mu < 0 (and -2 mu h < 1) below 4 (1 + l) g^2
 * epsilons of the result plus sg^2 T (mu h)^2, the size of terms that cancel at mu T = -2. */
LEM_API double lem_mlmc_gbm_level_variance(uint64_t l, double mu, double sg, double T);

#ifdef __cplusplus
}
#endif
#endif
