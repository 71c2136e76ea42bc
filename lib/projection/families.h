/* The families of random projections, and the exact variance of a projected squared norm in each.
 *
 * Source: claim jl.matrix-families; Achlioptas 2003; Li, Hastie & Church 2006; Tropp 2011 (arXiv 1011.1595).
 */
#ifndef LEM_PROJECTION_FAMILIES_H
#define LEM_PROJECTION_FAMILIES_H

#include "base/error.h"
#include "projection/kind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Var |A u|^2 for a unit u with q4 = sum u_i^4: (2 + (mu - 3) q4)/n for independent entries of kurtosis mu
 * (3, 1, s); Haar 2 (m - n)/(n (m + 2)); SRHT 2 (1 - q4)/n (m - n)/(m - 1), the padded one with the next
 * power of two in place of m. m, n >= 1 whole; 1/m <= q4 <= 1 (to rounding); s is read for
 * LEM_PROJECTION_SPARSE only. Thread-safe; NaN on error. */
LEM_API double lem_jl_norm_variance(lem_projection_kind kind, double m, double n, double q4, double s);

#ifdef __cplusplus
}
#endif
#endif
