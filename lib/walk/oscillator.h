/* Euclidean propagators K(x_b, x_a; T) of quadratic potentials, unit mass:
 *     alpha dK/dT = (alpha^2/2) K_xx - U K,   K -> delta(x_b - x_a) as T -> 0.
 * Densities in 1/length; a = alpha in length^2/time, o = omega in 1/time.
 *
 * Arguments are finite, T > 0, a > 0, o >= 0; else NaN and GSL_EDOM, GSL_EOVRFLW where the result exceeds the
 * range of double. A relative error of a few machine epsilons for each unit of the exponent. Thread-safe.
 *
 * Source: Mehler (1866); Kleinert, Path Integrals, ch. 2; claims pi.van-vleck, pi.trotter-order,
 * pi.feynman-kac-mc, pi.feynman-kac-variance. */
#ifndef LEM_WALK_OSCILLATOR_H
#define LEM_WALK_OSCILLATOR_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* U = o^2 x^2/2, z = o T:
 *     sqrt(o/(2 pi a sinh z)) exp(-o ((x_a^2 + x_b^2) cosh z - 2 x_a x_b)/(2 a sinh z)).
 * o = 0 is the free propagator. Nothing overflows on the way at large z. */
LEM_API double lem_mehler_kernel(double xb, double xa, double T, double o, double a);

/* The same when time is cut into n >= 1 slices of h = T/n and the action is the trapezoid sum
 *     sum (x_{k+1} - x_k)^2/(2 h) + h (U(x_k) + U(x_{k+1}))/2:
 * Mehler's kernel with z = n theta, cosh(theta) = 1 + o^2 h^2/2, and the frequency sinh(theta)/h outside. */
LEM_API double lem_mehler_kernel_trapezoid(double xb, double xa, double T, double o, double a, size_t n);

/* U = -o^2 x^2/2, z = o T: sin and cos in place of sinh and cosh. z >= pi is refused with GSL_EDOM: paths
 * from x_a meet again at the conjugate point z = pi, and the integral over paths diverges there. */
LEM_API double lem_inverted_oscillator_kernel(double xb, double xa, double T, double o, double a);

/* Relative variance of one weight exp(-(1/a) int U) of a Brownian bridge, U = o^2 x^2/2:
 *     K_{sqrt(2) o} K_0 / K_o^2 - 1,   growing like exp((1 - 1/sqrt(2)) o T).
 * No differences of near numbers at small o T. */
LEM_API double lem_feynman_kac_relative_variance_harmonic(double xb, double xa, double T, double o, double a);

#ifdef __cplusplus
}
#endif
#endif
