/* How far the inner product of two projected unit vectors strays from that of the originals.
 *
 * A is n x m with independent N(0, 1/n) entries, u and v unit vectors with <u, v> = rho:
 * n <Au, Av> = [(1 + rho) X - (1 - rho) Y]/2 with X, Y independent chi-square, n degrees of freedom each.
 * Thread-safe; NaN on error. Source: claims jl.inner, jl.orthogonality. */
#ifndef LEM_PROJECTION_INNER_H
#define LEM_PROJECTION_INNER_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* P(<Au, Av> - rho >= eps). n >= 1 real and finite, eps > 0 finite, |rho| <= 1. The upper norm tail at rho =
 * 1, the lower one at rho = -1 (0 there for eps >= 1).
 *
 * One quadrature over the logarithm of X or Y, whichever leaves the argument of the other's tail positive:
 * the integrand is positive, log-concave around the saddle point and analytic in |Im| < pi/2, so the
 * trapezoidal rule converges exponentially; the step is halved until two rules agree to 1e-12, which leaves
 * the finer with the square of that. Relative error below 1e-12, beside the conditioning. The _log version
 * reaches below the smallest double. GSL_EFAILED (not seen) if the halving does not settle. */
LEM_API double lem_jl_inner_tail(double n, double eps, double rho);
LEM_API double lem_jl_inner_tail_log(double n, double eps, double rho);

/* The exact exponential rate, lim -log P/n = sup_l [l (rho + eps) + log(1 - 2 l rho - l^2 (1 - rho^2))/2]; P
 * is at most exp(-n rate) for every n. eps > 0 finite, |rho| <= 1; +inf for rho = -1, eps >= 1. */
LEM_API double lem_jl_inner_rate(double eps, double rho);

#ifdef __cplusplus
}
#endif
#endif
