/* The attention scale that maximises an annealed mean: expectations taken inside the fraction.
 *
 * The trace of the Jacobian of p = softmax(alpha s) is alpha (1 - sum p_i^2). With both sums of
 * sum e^(2 alpha s) / (sum e^(alpha s))^2 replaced by their means it becomes
 *
 *     F(alpha) = alpha (1 - M(2 alpha) / (n M(alpha)^2)),   M(alpha) = E e^(alpha s),
 *
 * which has a maximum where its true mean has none (quenched.h). Thread-safe; NaN and GSL_EDOM outside the
 * domain. Source: archive article 9812; claims ascale.annealed-optimum, ascale.cosine-mgf. */
#ifndef LEM_ATTENTION_ANNEALED_H
#define LEM_ATTENTION_ANNEALED_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* F for n Gaussian scores, alpha (1 - e^(alpha^2)/n); minus infinity where it overflows. n >= 1 (any real),
 * alpha >= 0, finite. */
LEM_API double lem_annealed_trace_gauss(double n, double alpha);

/* F for n cosines of random directions in R^d (lem_log_mgf_cosine); minus infinity where it overflows. 1 <= n
 * <= 1e300, 0 <= alpha <= 1e100, 2 <= d <= 1e6. */
LEM_API double lem_annealed_trace_cosine(double n, double alpha, double d);

/* Where F is largest for Gaussian scores: the root of e^(alpha^2) (1 + 2 alpha^2) = n, in closed form
 * sqrt(W(n sqrt(e)/2) - 1/2) with Lambert's W. Found as the root a = alpha^2 of a + log1p(2a) = log n,
 * concave, by Newton's steps from the left: nothing cancels as n -> 1, nothing overflows. 1 < n <= the
 * largest double. */
LEM_API double lem_annealed_optimum_gauss(double n);

/* Where F is largest for cosines: with R = M(2 alpha)/(n M(alpha)^2) and A = (log M)' the root of
 * 1 - R = 2 alpha R (A(2 alpha) - A(alpha)), by a bracketed secant on the logarithms of R and of
 * 1 + 2 alpha (A(2 alpha) - A(alpha)). Relative error 1e-13: rounding of
 * sums of the size of log n, over (d-1)/2. 1 < n <= 1e300, 2 <= d <= 1e6; GSL_EDOM too when the root is above
 * 1e100 (few dimensions and a huge n). */
LEM_API double lem_annealed_optimum_cosine(double n, double d);

#ifdef __cplusplus
}
#endif
#endif
