/* Internal: composite Gauss-Legendre rules on panels of sixteen nodes.
 *
 * A panel integrates polynomials up to degree 31 exactly. For an integrand that is analytic on the ellipse
 * with foci at the ends of the panel and half axes that add up to rho half widths, and at most M in size
 * there, a panel is off by at most (64/15) M rho^-32/(1 - rho^-2) half widths (Trefethen, SIAM Rev. 50 (2008)
 * 67, theorem 4.5). */
#ifndef LEM_ATTENTION_QUADRATURE_H
#define LEM_ATTENTION_QUADRATURE_H

#include <stddef.h>

enum { LEM_PANEL_NODES = 16 };

/* Nodes and weights of `panels` equal panels of [a, b]: panels * LEM_PANEL_NODES of each. */
void lem_panel_nodes(double a, double b, size_t panels, double *x, double *weight);

/* The integral of f over [a, b]. */
double lem_panel_integral(double (*f)(double x, const void *ctx), const void *ctx, double a, double b,
                          size_t panels);

#endif
