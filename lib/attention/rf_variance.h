/* Variances of random-feature estimators of the softmax kernel exp(q . k).
 *
 * With omega ~ N(0, I), N = |q|^2 + |k|^2, s = q . k, t = |q + k|^2 = N + 2 s, delta = |q - k|^2 = N - 2 s,
 * one projection estimates exp(s), without bias, by
 *     trig        exp(N/2) cos(omega . (q - k))      from two features,  variance exp(N) (1 - e^-delta)^2/2
 *     positive    exp(-N/2 + omega . (q + k))        from one,           variance exp(2 s) (e^t - 1)
 *     hyperbolic  exp(-N/2) cosh(omega . (q + k))    from two,           variance exp(-N) (e^t - 1)^2/2
 * and the mean over P independent projections has the variance over P.
 *
 * N >= 0, |s| <= N/2 up to 4 machine epsilons of N (what rounding of the three inner products may cost; t or
 * delta is 0 then); finite. NaN after GSL_EDOM, or GSL_EOVRFLW where the variance exceeds the range of
 * double. A relative error of a few epsilons for each unit of N and |s|. Thread-safe.
 *
 * Source: Choromanski et al., arXiv:2009.14794, lemma 2; claims perf.mse-exact, perf.trig-vs-pos. */
#ifndef LEM_ATTENTION_RF_VARIANCE_H
#define LEM_ATTENTION_RF_VARIANCE_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Variance of one projection. */
LEM_API double lem_softmax_rf_variance_trig(double N, double s);
LEM_API double lem_softmax_rf_variance_positive(double N, double s);
LEM_API double lem_softmax_rf_variance_hyperbolic(double N, double s);

/* The s below which the positive estimator has the smaller variance. N > 0, finite, else NaN and GSL_EDOM.
 *
 * For as many features (half as many trigonometric projections), with E = exp(N):
 *     s* = log( 2E/(1 + sqrt(4E^2 - 3)) )/2,   between -N/2 and 0, -e^-N/4 for large N.
 * For as many projections:
 *     -log(2 - exp(-2N))/4,   -log(2)/4 for large N. */
LEM_API double lem_trig_positive_crossover_equal_features(double N);
LEM_API double lem_trig_positive_crossover_equal_projections(double N);

#ifdef __cplusplus
}
#endif
#endif
