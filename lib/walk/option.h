/* The price of a European call: the right to buy at K, at time T, what follows geometric Brownian motion.
 *
 * The growth rate under which the price is an expectation is the interest rate r, not the drift mu of the
 * share. S0 and K in one unit of money, r in 1/time, sg in 1/sqrt(time). S0, K, sg, T > 0, all finite; else
 * NaN and GSL_EDOM. Thread-safe.
 *
 * Source: Black and Scholes, J. Polit. Econ. 81 (1973) 637; Cox, Ross and Rubinstein, J. Financ. Econ. 7
 * (1979) 229; claim pi.black-scholes. */
#ifndef LEM_WALK_OPTION_H
#define LEM_WALK_OPTION_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* S0 Phi(d1) - K exp(-r T) Phi(d2), d1 = (log(S0/K) + (r + sg^2/2) T)/(sg sqrt(T)), d2 = d1 - sg sqrt(T).
 * Where the two terms nearly cancel, exp(-r T) int (S - K) over the law of S_T above K is integrated instead
 * (gauss_gap.h): a relative error of a few machine epsilons, and of the rounding of d2, 3 d2^2 epsilons. */
LEM_API double lem_black_scholes_call(double S0, double K, double r, double sg, double T);

/* The same on a binomial tree of n steps, 1 <= n <= 2^20: a biased random walk of log S with steps
 * +-sg sqrt(h), up with probability q = (exp(r h) - d)/(u - d), u = exp(sg sqrt(h)) = 1/d, h = T/n. The
 * discounted mean of max(S - K, 0) as a sum of one sign over the n + 1 ends; a relative error below 8 (n + 1)
 * machine epsilons, and the rounding of log(S/K) at the ends that are nearest to the strike. GSL_EDOM where q
 * leaves [0, 1], which is |r| sqrt(h) > sg. */
LEM_API double lem_crr_call(double S0, double K, double r, double sg, double T, size_t n);

#ifdef __cplusplus
}
#endif
#endif
