/* Crank and Nicolson's scheme on a uniform grid, second order in the mesh and in the time step.
 *
 * `nodes` points from low to high, both ends among them, mesh h = (high - low)/(nodes - 1); `steps` equal
 * steps from start to end, coefficients taken in the middle of each. The first `damped` steps are two
 * half-steps of backward Euler each: two to four of them take the ringing out of a start rougher than the
 * mesh, at no loss of order; start from a short-time Gaussian where you can.
 *
 * nodes >= 3, low < high, start < end, steps >= 1, damped <= steps, alpha > 0, all finite, else GSL_EDOM; the
 * vector has `nodes` finite entries (GSL_EBADLEN, GSL_EDOM); null is GSL_EFAULT; a field that fails or is not
 * finite is reported with x and t. On error the vector is undefined. Thread-safe on different vectors.
 *
 * Source: Crank and Nicolson, Proc. Camb. Phil. Soc. 43 (1947) 50; Rannacher, Numer. Math. 43 (1984) 309, for
 * the damping; claims pi.gauge, pi.ground-state, pi.convergence-summary. */
#ifndef LEM_WALK_CRANK_NICOLSON_H
#define LEM_WALK_CRANK_NICOLSON_H

#include "walk/callback.h"

#include <gsl/gsl_vector.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double low, high;
    size_t nodes;
    double start, end; /* time */
    size_t steps, damped;
} lem_cn_grid;

/* P_t = (alpha/2) P_xx - (p P)_x in divergence form with no flux through the ends: the trapezoid sum
 * h (P_0/2 + P_1 + ... + P_{n-1}/2) is conserved to rounding. density is overwritten by that at the end. */
LEM_API int lem_fokker_planck_cn(const lem_field *drift, double alpha, const lem_cn_grid *grid,
                                 gsl_vector *density);

/* Imaginary time: alpha phi_t = (alpha^2/2) phi_xx - U phi, with phi = 0 at both ends (the entries there are
 * set to 0). U is the usual potential energy, -V for lem_gauge_potential's V. amplitude is overwritten by
 * that at the end. */
LEM_API int lem_schrodinger_cn(const lem_field *potential, double alpha, const lem_cn_grid *grid,
                               gsl_vector *amplitude);

#ifdef __cplusplus
}
#endif
#endif
