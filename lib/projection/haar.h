/* Tails of a random orthogonal projection: n Haar rows of an m x m orthogonal matrix, scaled by sqrt(m/n).
 *
 * (n/m)|A u|^2 is Beta(n/2, (m - n)/2) for a unit u. Thread-safe; NaN on error. Source: claim jl.haar-tail.
 */
#ifndef LEM_PROJECTION_HAAR_H
#define LEM_PROJECTION_HAAR_H

#include "projection/norm_tail.h"

#ifdef __cplusplus
extern "C" {
#endif

/* P(|A u|^2 >= 1 + eps) or P(|A u|^2 <= 1 - eps); 1 <= n <= m, eps > 0 and finite, eps < 1 for the lower
 * tail. 0 at n = m (no distortion), and for the upper tail where 1 + eps >= m/n (the norm cannot grow beyond
 * m/n). */
LEM_API double lem_jl_haar_tail(double m, double n, double eps, lem_jl_side side);
LEM_API double lem_jl_haar_tail_log(double m, double n, double eps, lem_jl_side side);

/* log of the sum of both tails, 0 < eps < 1; -inf at n = m. */
LEM_API double lem_jl_haar_two_sided_log(double m, double n, double eps);

#ifdef __cplusplus
}
#endif
#endif
