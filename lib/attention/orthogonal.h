/* Orthogonal random features: two projections omega_1, omega_2 of one orthogonal block have perpendicular
 * directions, uniform, and independent chi_d lengths, so that |omega_1 + omega_2|^2 is chi-square with 2d
 * degrees of freedom and, with t = |z|^2,
 *
 *     E exp((omega_1 + omega_2) . z)   = 1F1(d; d/2; t/2)
 *     E exp(i (omega_1 + omega_2) . z) = 1F1(d; d/2; -t/2)
 *
 * where independent projections give exp(t) and exp(-t). d >= 2 is a whole number up to 2^20; t >= 0. NaN
 * after LEM_ERROR. Thread-safe. Source: claim perf.orth-exact. */
#ifndef LEM_ATTENTION_ORTHOGONAL_H
#define LEM_ATTENTION_ORTHOGONAL_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1F1(d; d/2; t/2) and 1F1(d; d/2; t/2) - exp(t) <= 0; t <= 700. Relative error below (t + 40) 1e-15: series
 * of terms with one sign. */
LEM_API double lem_orthogonal_pair_moment(double d, double t);
LEM_API double lem_orthogonal_pair_cov(double d, double t);

/* 1F1(d; d/2; -t/2) and the same minus exp(-t); both change sign. Error below 1e-12 max(|value|, exp(-t)),
 * known from the terms; GSL_ELOSS where twice the digits of a double do not give that (t beyond 37;
 * later for d below 50). */
LEM_API double lem_orthogonal_pair_moment_trig(double d, double t);
LEM_API double lem_orthogonal_pair_cov_trig(double d, double t);

typedef enum { LEM_RF_TRIG, LEM_RF_POSITIVE, LEM_RF_HYPERBOLIC } lem_rf_kind;

/* Variance of the mean of P projections, [V + (p - 1) C]/P with V the variance of one (rf_variance.h), p =
 * min(P, d) and C = e^-N lem_orthogonal_pair_cov(d, N + 2s), or e^N lem_orthogonal_pair_cov_trig(d, N - 2s).
 * P <= d, or P a multiple of d (independent blocks). */
LEM_API double lem_orthogonal_rf_variance(lem_rf_kind kind, double d, double P, double N, double s);

#ifdef __cplusplus
}
#endif
#endif
