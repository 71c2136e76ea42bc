/* Both resources finite: room for n quanta, and D samples.
 *
 * Quantum k is learned when k <= n and its Poisson(D p_k) count reaches tau. The loss is
 *
 *     L(n, D) = sum_k<=n p_k Q(tau, D p_k) + zeta(s, n + 1)/Z
 *
 * and for many quanta, with x = D p_n and c = gamma/(gamma + 1),
 *
 *     L = n^-gamma/(gamma Z) Phi(x),   Phi(x) = P(tau, x) + x^-c Gamma(tau + c, x)/Gamma(tau)
 *
 * up to O(1/n), or O(1/n^2) with n + 1/2 in the place of n. At a fixed product n D Phi leads to the optimum
 * where (gamma + 1) P(tau, x) = x^-c Gamma(tau + c, x)/Gamma(tau).
 *
 * Domains: n whole, 0 <= n <= 2^53; D >= 0, finite; tau whole, 1 <= tau <= 1000; 1e-300 <= gamma <= 1000;
 * 0 < x <= inf. Outside: NaN and GSL_EDOM; NaN and GSL_EOVRFLW where Phi exceeds the range of double.
 * Relative error below 2e-13; as many terms as lem_quanta_loss_poisson has at most. Thread-safe. Source:
 * ours; claims sl.joint, sl.which-matters. */
#ifndef LEM_SCALING_QUANTA_JOINT_H
#define LEM_SCALING_QUANTA_JOINT_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* L(n, D); 1 at n = 0 or D = 0. */
LEM_API double lem_quanta_joint_loss(double n, double D, double tau, double gamma);

/* Phi(x); x = inf is plenty of data, 1. */
LEM_API double lem_quanta_joint_scaling(double x, double tau, double gamma);

/* The x of the optimum at a fixed product n D. */
LEM_API double lem_quanta_joint_optimum_x(double tau, double gamma);

#ifdef __cplusplus
}
#endif
#endif
