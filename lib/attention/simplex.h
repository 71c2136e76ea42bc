/* Simplex random features: within a block of d the directions meet at the cosine -1/(d - 1), the lengths are
 * independent and chi_d. */
#ifndef LEM_ATTENTION_SIMPLEX_H
#define LEM_ATTENTION_SIMPLEX_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* E exp((omega_1 + omega_2) . z), |z|^2 = t, for two projections of a block:
 *
 *     E 1F1(d; d/2; (t/2)(1 - sin(theta)/(d - 1))),   theta with density proportional to sin(theta)^(d-1),
 *
 * (sin(theta) = 2 sqrt(B(1 - B)), B = r_1^2/(r_1^2 + r_2^2) ~ Beta(d/2, d/2), independent of the sum). d >= 2
 * whole, up to 2^20; 0 <= t <= 700; else NaN and GSL_EDOM. Relative error below (t + 40) 1e-15. Thread-safe.
 * Source: Reid et al., arXiv:2301.13856, for the features; claim perf.cross-polytope. */
LEM_API double lem_simplex_pair_moment(double d, double t);

#ifdef __cplusplus
}
#endif
#endif
