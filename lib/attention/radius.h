/* Lengths of random projections: what they contribute to the variance, and what stratifying or freezing them
 * does.
 *
 * d dimensions, chi_d the law of |omega|, t = |q + k|^2, Phi(x) = 0F1(;d/2; x/4) = E exp(u . v) for u uniform
 * on the unit sphere, |v|^2 = x: given its length r, a positive or hyperbolic feature has the relative mean
 * exp(-t/2) Phi(r^2 t).
 *
 * d >= 1 whole, up to 2^20; 0 <= t <= 700. Double functions give NaN after LEM_ERROR; thread-safe. */
#ifndef LEM_ATTENTION_RADIUS_H
#define LEM_ATTENTION_RADIUS_H

#include "attention/orthogonal.h"
#include "base/error.h"
#include "rng/stream.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The part of the variance of the positive estimator that comes from the length,
 * (0F1(;d/2; t^2/4) - 1)/(exp(t) - 1), about t^2/(2d (e^t - 1)); 0 at t = 0. Relative error below (t + 40)
 * 1e-15. Source: claim perf.radius-share. */
LEM_API double lem_radial_variance_share(double d, double t);

/* Relative bias when every length is sqrt(d): 0F1(;d/2; dt/4) exp(-t/2) - 1 <= 0, about -t^2/(4d). Relative
 * error below (t + 40) 1e-15. Source: claim perf.spherical; "regularised softmax kernel" of arXiv:2009.14794.
 */
LEM_API double lem_spherical_feature_relative_bias(double d, double t);

typedef enum {
    LEM_RADIUS_ARTICLE,  /* F(r_i) = i/(P + 1) */
    LEM_RADIUS_MIDPOINT, /* F(r_i) = (i - 1/2)/P */
    LEM_RADIUS_JITTER    /* F(r_i) = (i - 1 + U_i)/P, U_i independent and uniform: each projection's length is
                          * chi_d once the strata are dealt out at random */
} lem_radius_mode;

/* Lengths r_1 < ... < r_P at P levels of the distribution function F of chi_d, i = 1..P, in increasing order;
 * P <= 2^24. Quantiles from lib/stat. The stream is read by LEM_RADIUS_JITTER only (P uniforms; NULL will do
 * else). GSL_EFAULT, GSL_EDOM, GSL_EINVAL, or the stream's error. Source: archive article 7921. */
LEM_API int lem_stratified_radius(double d, size_t P, lem_radius_mode mode, lem_stream *stream, double *out);

/* Relative bias of the article's m lengths, exp(-t/2) (1/m) sum_i Phi(r_i^2 t) - 1 < 0 for t > 0. Absolute
 * error below (t + 4) 1e-15: the quantiles are doubles. 1 <= m <= 2^24. Source: claim perf.radius-bias. */
LEM_API double lem_stratified_radius_relative_bias(double d, double t, double m);

/* Relative variance, Var/exp(2 q . k), of the mean of P jittered projections whose strata are dealt to the
 * projections at random; kind LEM_RF_POSITIVE or LEM_RF_HYPERBOLIC. With M = E f^2/exp(2 q . k), e^t or
 * cosh(t), and strata i:
 *     independent directions  M/P - exp(-t) (1/P^2) sum_i (E_i Phi(r^2 t))^2
 *     orthogonal, P <= d      M/P - 1 + exp(-t) [1F1(d; d/2; t/2) - (1/P^2) sum_i E_i E'_i Phi((r^2 + r'^2)
 * t)] By panels over r. Absolute error below 1e-13 M. t <= 200; P <= 4096. Source: claim perf.radius-jitter.
 */
LEM_API double lem_radius_jitter_variance(lem_rf_kind kind, double d, double t, double P, bool orthogonal);

#ifdef __cplusplus
}
#endif
#endif
