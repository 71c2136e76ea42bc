/* Exact laws of diffusions dx = p dt + sqrt(a) dW with a linear drift: densities in 1/length, a = alpha in
 * length^2/time.
 *
 * Arguments are finite, t > 0 and a > 0; else NaN and GSL_EDOM, and GSL_EOVRFLW where the density exceeds the
 * range of double. A relative error of a few machine epsilons for each unit of the exponent. Thread-safe.
 *
 * Source: Uhlenbeck and Ornstein, Phys. Rev. 36 (1930) 823; claims pi.walk-diffusion, pi.walk-fokker-planck,
 * pi.jacobian, pi.gauge. */
#ifndef LEM_WALK_DIFFUSION_H
#define LEM_WALK_DIFFUSION_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* p = 0, started at 0: exp(-x^2/(2 a t)) / sqrt(2 pi a t). */
LEM_API double lem_brownian_pdf(double x, double t, double a);

/* p = -k x, started at x0: normal with mean x0 exp(-k t) and variance a (1 - exp(-2 k t))/(2 k). Any k: 0 is
 * Brownian motion, k < 0 runs away. */
LEM_API double lem_ou_pdf(double x, double t, double x0, double k, double a);

/* That variance; its limit a t at k = 0. */
LEM_API double lem_ou_variance(double t, double k, double a);

/* p = -k x + F cos(w t), started with mean m0 (at t = 0, which t may be):
 *     m0 exp(-kt) + F (k cos wt + w sin wt - k exp(-kt))/(k^2 + w^2). */
LEM_API double lem_forced_ou_mean(double m0, double k, double F, double w, double t);

#ifdef __cplusplus
}
#endif
#endif
