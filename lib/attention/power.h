/* E_n(x) = (1 + x/n)^n, and its Richardson extrapolation 2 E_n - E_(n/2).
 *
 *     E_n(x) e^-x - 1 = -x^2/(2n) + x^3/(3n^2) + x^4/(8n^2) + O(n^-3)
 *
 * computed as expm1(n (log(1 + x/n) - x/n)) with the difference in brackets formed as one function, so that
 * nothing cancels however large n is; below x = -n the sign is (-1)^n and the logarithm that of |1 + x/n|.
 *
 * 1 <= n <= 1e6 (a real number is not allowed: the power needs a whole one), x finite; else NaN and GSL_EDOM;
 * GSL_EOVRFLW where the result exceeds the range of double. Thread-safe. Source: claims lin.power-error,
 * lin.richardson. */
#ifndef LEM_ATTENTION_POWER_H
#define LEM_ATTENTION_POWER_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* E_n(x). */
LEM_API double lem_exp_power(int n, double x);

/* E_n(x) e^-x - 1. Relative error: a few epsilons, plus what x/n moving by an epsilon or two brings. */
LEM_API double lem_exp_power_relative_error(int n, double x);

/* (2 E_n(x) - E_(n/2)(x)) e^-x - 1 = O(n^-2); n even. Error: that of the two relative errors, whose leading
 * parts cancel. */
LEM_API double lem_exp_richardson_relative_error(int n, double x);

#ifdef __cplusplus
}
#endif
#endif
