/* Chebyshev series and the relative minimax polynomial of the exponential on [-R, R]. */
#ifndef LEM_ATTENTION_MINIMAX_H
#define LEM_ATTENTION_MINIMAX_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The coefficient of T_k(x/R) in e^x, 2 I_k(R) (with k = 0 it enters halved): e^x = I_0(R) + sum_{k >= 1} 2
 * I_k(R) T_k(x/R). By the power series of I_k, all terms positive; relative error a few epsilons plus what R
 * brings by its last bit. 0 <= k <= 1e6, 0 < R <= 700; else NaN and GSL_EDOM. Thread-safe. Source:
 * DLMF 10.25.2, 10.35. */
LEM_API double lem_chebyshev_exp_coefficient(int k, double R);

/* The polynomial p of degree n with the smallest E = max over [-R, R] of |p(x) e^-x - 1|.
 *
 * Remez's exchange, all n + 2 points at a time. The levelled error at given points is a quotient of divided
 * differences that needs no linear system; the polynomial is found in powers of x + R, where neither solving
 * nor evaluating meets the factor e^(2R) that a Chebyshev basis would. Done when the largest error exceeds
 * the levelled one, which bounds the optimum from below (de la Vallee Poussin), by no more than 1e-11 of
 * itself or the bound on its rounding error kept along; the result is the levelled one, whose distance from E
 * is of second order in that.
 *
 * coef: n + 1 coefficients of 1, x, ..., x^n (NULL: not wanted); error: E (NULL: not wanted).
 *
 * 0 <= n <= 60, 0 < R <= 15, else GSL_EDOM; so is an E below a million times the rounding bound (E < 1e-8 or
 * so at R
 * <= 1, 1e-5 at R = 8). GSL_EFAILED when the exchange has not settled after 100 rounds. Thread-safe. Source:
 * Remez 1934; claim lin.minimax. */
LEM_API int lem_exp_minimax_relative(int n, double R, double *coef, double *error);

/* E of the above; NaN on error. */
LEM_API double lem_exp_minimax_relative_error(int n, double R);

#ifdef __cplusplus
}
#endif
#endif
