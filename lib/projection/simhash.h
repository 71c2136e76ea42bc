/* SimHash as an estimator of the cosine: n sign bits of Gaussian projections of two vectors at angle theta
 * differ in K ~ Bin(n, theta/pi) places.
 *
 * Thread-safe. Source: claims jl.simhash, jl.cosine-estimators; Charikar 2002. */
#ifndef LEM_PROJECTION_SIMHASH_H
#define LEM_PROJECTION_SIMHASH_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exact mean and variance of cos(pi K/n): E = Re w^n, E of the square = (1 + Re w_2^n)/2, with
 * w = 1 - p + p e^(i pi/n), w_2 = 1 - p + p e^(2 i pi/n), p = theta/pi; evaluated without the cancellation of
 * E[square] - E^2, to 64 epsilons relative each (the mean near pi/2: beside its conditioning in theta).
 * 1 <= n <= 2^53 whole, theta in [0, pi] (as doubles). mean and variance may be NULL. Returns a GSL status.
 */
LEM_API int lem_simhash_cos_mean_var(double n, double theta, double *mean, double *variance);

/* rho - (2/pi) arcsin(rho): what the cosine of the sign vectors misses of the cosine of the vectors, for
 * every n. Largest at sqrt(1 - 4/pi^2). |rho| <= 1; NaN on error. */
LEM_API double lem_simhash_bias(double rho);

#ifdef __cplusplus
}
#endif
#endif
