/* Walks on a lattice, evolved exactly: probabilities, no sampling.
 *
 * Time step h = T/n, space step s = sqrt(alpha h). A walk lives on one parity class of sites, so that its
 * probability over 2 s is a density in 1/length. As n grows it follows P_t = (alpha/2) P_xx - (p P)_x with an
 * error of order s^2. Claims pi.walk-diffusion, pi.walk-fokker-planck. */
#ifndef LEM_WALK_LATTICE_H
#define LEM_WALK_LATTICE_H

#include "walk/callback.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The symmetric walk: C(n, (n + m)/2) 2^-n, the probability to be m steps to the right after n, by Stirling's
 * series with the error of the exponent a few machine epsilons of itself. 0 where the parity of m is not that
 * of n and where |m| > n. n <= 2^53, else NaN and GSL_EDOM. Thread-safe. Source: Loader (2000), for the
 * saddle-point form. */
LEM_API double lem_walk_pmf(unsigned long long n, long long m);

/* The walk that steps to the right with probability (1 + p(x, t) s/alpha)/2, from x0 at t = 0:
 * probabilities[j] is that of x0 + (j - n) s at T, 2 n + 1 of them, zero where the parity is wrong.
 *
 * Where |p| s > alpha the step has no such probability: it is then certain, and the mass that stands on such
 * sites, summed over the steps, is *clipped (NULL: not wanted). A sum above clipped_limit is GSL_ERANGE, so
 * that 0 accepts none. What is below 1e-300 on a site counts as nothing, and the drift is not asked for
 * there.
 *
 * n >= 1, T > 0, alpha > 0, x0 finite, clipped_limit >= 0, else GSL_EDOM; null pointers are GSL_EFAULT; a
 * drift that fails or is not finite is reported with x and t. On error the probabilities are undefined.
 * n^2/2 evaluations of the drift. Thread-safe on different outputs. */
LEM_API int lem_biased_walk_evolve(const lem_field *drift, size_t n, double x0, double T, double alpha,
                                   double clipped_limit, double *probabilities, double *clipped);

#ifdef __cplusplus
}
#endif
#endif
