/* Taylor polynomials of the exponential, T_n(x) = sum_{m <= n} x^m/m!, and their exact errors.
 *
 *     e^x - T_n(x) = x^(n+1)/(n+1)! 1F1(1; n+2; x)          for every real x
 *     T_n(x) e^-x - 1 = -P(n+1, x)                           for x >= 0, P the regularised incomplete gamma
 *
 * and for x < 0 the same from e^x 1F1(n+1; n+2; |x|) = 1F1(1; n+2; x), whose terms are all positive; the
 * direct sum cancels against the tiny e^x.
 *
 * n: 1 <= n <= 1e6 (0 where said); x finite. Else NaN and GSL_EDOM; GSL_EOVRFLW where the result exceeds the
 * range of double. Relative error: a few machine epsilons, plus as much as x moving by 3 epsilons brings: 3
 * (n + 1 + |x|) of them. Thread-safe. Source: claims lin.taylor-error, lin.positivity, lin.shifted-taylor;
 * the integral form of the remainder, DLMF 8.4 and 13.2. */
#ifndef LEM_ATTENTION_TAYLOR_H
#define LEM_ATTENTION_TAYLOR_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* T_n(x), n >= 0. Relative error as above for x >= 0 and for even n; for odd n and x < 0 relative to e^x +
 * |e^x - T_n(x)|, since T_n has a zero there. */
LEM_API double lem_exp_taylor(int n, double x);

/* e^x - T_n(x), n >= 0. */
LEM_API double lem_exp_taylor_remainder(int n, double x);

/* T_n(x) e^-x - 1, n >= 0. That of T_n(x + R) e^-(x + R) is the same at x + R. */
LEM_API double lem_exp_taylor_relative_error(int n, double x);

/* The only real zero of T_n, n odd; negative, about -0.2784645 n - (log n)/2. Newton's method on log |T_n
 * e^-x - 1|, to a few epsilons. */
LEM_API double lem_exp_taylor_real_zero(int n);

/* max over |x| <= R of |T_n(x + R) e^-(x + R) - 1| = P(n + 1, 2 R) = P(Poisson(2 R) > n). R > 0. */
LEM_API double lem_exp_taylor_shifted_max_relative_error(int n, double R);

#ifdef __cplusplus
}
#endif
#endif
