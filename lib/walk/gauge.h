/* From a drift to a potential, and the action of a path. Claims pi.gauge, pi.action-identity, pi.jacobian. */
#ifndef LEM_WALK_GAUGE_H
#define LEM_WALK_GAUGE_H

#include "walk/callback.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* With Phi(x, t) = int^x p dx' (fixed lower limit) and P = phi exp(Phi/alpha), the Fokker-Planck equation of
 * dx = p dt + sqrt(alpha) dW becomes alpha phi_t = (alpha^2/2) phi_xx + V phi with
 *     V = -(alpha p_x + p^2)/2 - int^x p_t dx'   (the same lower limit).
 * The usual potential energy is U = -V. p, p_x = dp/dx and int_p_t are values at one point. alpha > 0, all
 * finite, else NaN and GSL_EDOM. Thread-safe. Source: claim pi.gauge. */
LEM_API double lem_gauge_potential(double p, double p_x, double int_p_t, double alpha);

/* The Onsager-Machlup action of path[0..n] at times t0 + k dt, by the midpoint rule, error of order dt^2 for
 * a smooth path:
 *     sum dt ((x_{k+1} - x_k)/dt - p)^2/(2 alpha) + dt p_x/2   at (x_k + x_{k+1})/2, t_k + dt/2.
 * exp(-action) is the weight of the path beside Wiener measure's; gradient = p_x may be NULL, which leaves
 * its term out (the exponent of large deviations). n >= 1, dt > 0, alpha > 0, t0 and the path finite, else
 * GSL_EDOM; null pointers are GSL_EFAULT; the fields' own failures are reported with x and t. Thread-safe.
 * Source: Onsager and Machlup, Phys. Rev. 91 (1953) 1505. */
LEM_API int lem_onsager_machlup_action(const double *path, size_t n, double dt, double t0,
                                       const lem_field *drift, const lem_field *gradient, double alpha,
                                       double *action);

#ifdef __cplusplus
}
#endif
#endif
