/* Estimators of the cosine of two vectors from n Gaussian projections (x_k, y_k), bivariate normal with
 * correlation rho.
 *
 * Thread-safe; NaN on error. Source: claims jl.cosine-estimators, jl.inner. */
#ifndef LEM_PROJECTION_COSINE_H
#define LEM_PROJECTION_COSINE_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* E cos(Au, Av) = (2 rho/n) [Gamma((n+1)/2)/Gamma(n/2)]^2 2F1(1/2, 1/2; n/2 + 1; rho^2). n >= 1 real and
 * finite, |rho| <= 1; exactly rho at rho = 0, 1, -1.
 *
 * Computed from Euler's integral, which with s = sinh(t) becomes
 *   rho * int cosh(t)^-n (1 + (1 - rho^2) sinh(t)^2)^(-1/2) dt / int cosh(t)^-n dt
 * over the real line: both integrands are analytic in |Im t| < pi/2, where the trapezoidal rule with step h
 * errs by exp(-pi^2/h); positive terms, so 64 epsilons, without the slow series near |rho| = 1. */
LEM_API double lem_projected_cosine_mean(double n, double rho);

typedef enum {
    LEM_ESTIMATE_INNER,  /* <Au, Av>: variance (1 + rho^2)/n, exact for every n */
    LEM_ESTIMATE_COSINE, /* cos(Au, Av): (1 - rho^2)^2/n as n grows */
    LEM_ESTIMATE_SIMHASH /* cos(pi K/n): theta (pi - theta) sin^2(theta)/n as n grows, theta = arccos(rho) */
} lem_cosine_estimate;

/* The asymptotic variance (exact for LEM_ESTIMATE_INNER). n >= 1 finite, |rho| <= 1. */
LEM_API double lem_cosine_estimate_variance(lem_cosine_estimate kind, double n, double rho);

#ifdef __cplusplus
}
#endif
#endif
