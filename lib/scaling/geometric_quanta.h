/* Quanta with geometric frequencies, the alternative to Zipf's: p_k = (1 - q) q^(k - 1).
 *
 * Exponential in the number of quanta, L(n) = q^n, and yet a power law in the data: the Poissonised expected
 * loss
 *
 *     sum_k p_k Q(tau, D p_k) = tau/(D log(1/q)) (1 + an oscillation in log D of period log(1/q))
 *
 * Domain: 0 < q <= 0.9999; D >= 0, finite; tau whole, 1 <= tau <= 1000. Outside: NaN and GSL_EDOM. A sum of
 * positive terms until the rest is certain to be unlearned: relative error below 2e-13. Thread-safe. Source:
 * ours; claim sl.exponential-quanta. */
#ifndef LEM_SCALING_GEOMETRIC_QUANTA_H
#define LEM_SCALING_GEOMETRIC_QUANTA_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The expected loss; 1 at D = 0. */
LEM_API double lem_geometric_quanta_loss(double q, double D, double tau);

#ifdef __cplusplus
}
#endif
#endif
