/* Internal: differences of normal tails that nearly cancel, as integrals of one sign.
 *
 *     gap(d, k) = int_0^inf phi(u - d) |exp(k u) - 1| du
 *               = |exp(k d + k^2/2) Phi(d + k) - Phi(d)|
 *
 * with phi, Phi the standard normal density and distribution function. It is the price of an option (k > 0)
 * and the survival below a barrier (k < 0). */
#ifndef LEM_WALK_GAUSS_GAP_H
#define LEM_WALK_GAUSS_GAP_H

/* By Gauss-Legendre panels, for d and k at which neither of the two terms is less than half of the other: a
 * relative error of a few machine epsilons, and of the rounding of d. */
double lem_gauss_gap(double d, double k);

/* gap(d, k)/phi(d) for d <= 0, where phi(d) may underflow. */
double lem_gauss_gap_scaled(double d, double k);

/* phi(x), correct to a few epsilons also where x^2 rounds. */
double lem_gauss_density(double x);

/* Mill's ratio (1 - Phi(y))/phi(y), y > 0. */
double lem_mills_ratio(double y);

#endif
