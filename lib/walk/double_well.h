/* The double well dx = (x - x^3) dt + sqrt(alpha) dW: its transition density and its rate, by the spectrum of
 * the gauged Fokker-Planck operator, H = -(alpha^2/2) d^2/dx^2 + (alpha p' + p^2)/2, p = x - x^3.
 * Claims pi.walk-fokker-planck, pi.equivalence, pi.gauge-kernel, pi.kramers. */
#ifndef LEM_WALK_DOUBLE_WELL_H
#define LEM_WALK_DOUBLE_WELL_H

#include "walk/sinc_dvr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* alpha and T within this range, where the grid is fine enough and small enough. */
#define LEM_DOUBLE_WELL_ALPHA_MIN 0.05
#define LEM_DOUBLE_WELL_ALPHA_MAX 10.0
#define LEM_DOUBLE_WELL_T_MIN 0.02
#define LEM_DOUBLE_WELL_T_MAX 100.0

/* p(x) = x - x^3, p'(x), and the potential energy (alpha p' + p^2)/2 with ctx = &alpha, as fields. */
LEM_API int lem_double_well_drift(double x, double t, const void *ctx, double *value);
LEM_API int lem_double_well_gradient(double x, double t, const void *ctx, double *value);
LEM_API int lem_double_well_potential(double x, double t, const void *ctx, double *value);

/* The density of x at T of the process started at x_a: K(x_b, x_a; T) exp((Phi(x_b) - Phi(x_a))/alpha),
 * Phi = x^2/2 - x^4/4, relative error below 1e-10. Where the exponential is so large that rounding leaves
 * less, far out in a tail, the result is NaN and GSL_ELOSS. |x_a|, |x_b| <= 3, alpha and T in the range
 * above, else NaN and GSL_EDOM. One eigenproblem of some hundred unknowns. Thread-safe. */
LEM_API double lem_double_well_transition_density(double x_a, double x_b, double alpha, double T);

/* The same at n places x_b for one eigenproblem, without that refusal: out[i] is off by at most error[i]
 * (NULL: not wanted), which in a tail may be more than out[i] itself. Against quadruple precision the bound
 * holds wherever error[i] < 1e-10 out[i]; beyond, a twentieth of the places exceed it, about threefold. */
LEM_API int lem_double_well_density(double x_a, double alpha, double T, size_t n, const double *x_b,
                                    double *out, double *error);

/* The slowest rate, lambda_1 = E_1/alpha: twice the rate at which one well is left. From the second smallest
 * singular value s of A = alpha d/dx - p, H = A^T A/2, which keeps its digits however small it is: s^2/(2
 * alpha), relative error below 1e-10. alpha in the range above, else NaN and GSL_EDOM. Thread-safe.
 * Source: Kramers, Physica 7 (1940) 284, for (sqrt(2)/pi) exp(-1/(2 alpha)) as alpha -> 0. */
LEM_API double lem_double_well_rate(double alpha);

#ifdef __cplusplus
}
#endif
#endif
