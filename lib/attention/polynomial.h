/* Polynomials sum_m c_m x^m in place of e^x, x = q . k: their coefficients, and attention with them. */
#ifndef LEM_ATTENTION_POLYNOMIAL_H
#define LEM_ATTENTION_POLYNOMIAL_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* coef[m], m = 0..n, of the polynomial named. 1 <= n <= 170; GSL_EDOM; GSL_EFAULT for a null pointer. To a
 * few (Hermite: where they do not cancel) machine epsilons. Thread-safe. */
LEM_API int lem_exp_taylor_coefficients(int n, double *coef); /* 1/m! */
LEM_API int lem_exp_power_coefficients(int n, double *coef);  /* of (1 + x/n)^n: binom(n, m) n^-m */
LEM_API int lem_exp_richardson_coefficients(int n,
                                            double *coef); /* of 2 E_n - E_(n/2), n even; all positive */

/* Of T_n(x + R) e^-R, R >= 0: T_(n-m)(R) e^-R/m!. Softmax ignores the constant, and no feature need be
 * appended. */
LEM_API int lem_exp_shifted_coefficients(int n, double R, double *coef);

/* Of the best polynomial in L^2(N(0, sigma^2)) (hermite.h): e^(sigma^2/2)/m! sum_{j <= (n-m)/2}
 * (-sigma^2/2)^j/j!. 0 <= sigma <= 25. All positive for sigma < sqrt 2; above, that of x^(n-2) is negative,
 * and there are no real features for it. */
LEM_API int lem_exp_hermite_coefficients(int n, double sigma, double *coef);

/* Of the Chebyshev series cut at degree n on [-R, R] (minimax.h); signs vary. 0 < R <= 700, and n <= 60:
 * beyond, the powers of x cancel. GSL_EUNDRFLW, GSL_EOVRFLW where the range of double is not enough on the
 * way: tiny R with n > 1, or R of hundreds with high n. */
LEM_API int lem_exp_chebyshev_coefficients(int n, double R, double *coef);

/* Attention whose weights are sum_m c_m (q . k)^m, c_m >= 0, by the r = binom(d + degree, degree) features of
 * symmetric_features.h, in time linear in the number of tokens: Q n x d, K m x d, V m x d_v, O n x d_v.
 * Features are made in blocks of tokens and used at once: memory r (d_v + 1) doubles, at most eight times,
 * and a megabyte or four rows per thread. Causal: by lem_linear_attention, with all features in memory, (n +
 * m) r doubles. Bits do not depend on the number of threads as long as BLAS runs on one thread.
 *
 * Errors as of lem_symmetric_features and lem_linear_attention; a row whose weights do not sum to a positive
 * number (odd degree) is refused by name, GSL_EDOM. On error O is unspecified. Thread-safe. */
LEM_API int lem_polynomial_attention(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v,
                                     int degree, const double *coef, bool causal, int threads, gsl_matrix *o);

/* A lem_score_function (matrix.h): context is a lem_polynomial. */
typedef struct {
    int degree;
    const double *coef;
} lem_polynomial;
LEM_API void lem_polynomial_score(double *x, size_t n, void *polynomial);

#ifdef __cplusplus
}
#endif
#endif
