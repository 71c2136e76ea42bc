/* The best polynomial for e^x when x ~ N(0, sigma^2), and how much worse Taylor's is.
 *
 * In L^2(N(0, sigma^2)) the best of degree n is the Hermite series cut at n, e^(sigma^2/2) sum_{k <= n}
 * sigma^k/k! He_k(x/sigma). Errors are squared norms relative to E e^(2x) = e^(2 sigma^2).
 *
 * 1 <= n <= 1e6, 0 <= sigma <= 1e4; else NaN and GSL_EDOM. Thread-safe. Source: claim lin.hermite. */
#ifndef LEM_ATTENTION_HERMITE_H
#define LEM_ATTENTION_HERMITE_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* P(Poisson(sigma^2) > n) = P(n + 1, sigma^2): the coefficients of the series have squares sigma^(2k)/k!
 * e^(sigma^2). */
LEM_API double lem_exp_hermite_relative_l2_squared(int n, double sigma);

/* That of T_n, whose own Hermite coefficients stop short of those of e^x by the factor P(Poisson(sigma^2/2)
 * <= (n - k)/2):
 *
 *     P(Poisson(sigma^2) > n) + sum_{k <= n} P(Poisson(sigma^2) = k) P(Poisson(sigma^2/2) > (n - k)/2)^2,
 *
 * n + 1 positive terms. Derived in hermite.c. */
LEM_API double lem_exp_taylor_relative_l2_squared(int n, double sigma);

#ifdef __cplusplus
}
#endif
#endif
