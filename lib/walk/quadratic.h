/* The prefactors of quadratic actions, for which the semiclassical propagator is exact. */
#ifndef LEM_WALK_QUADRATIC_H
#define LEM_WALK_QUADRATIC_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* (2 pi alpha)^(-D/2) sqrt(det(-hess)), hess = d^2 S/(dx_a dx_b), D x D, S the classical action: with
 * exp(-S/alpha) the propagator of any quadratic action. The determinant by LU. alpha > 0, hess square and
 * finite with det(-hess) > 0, else NaN and GSL_EDOM, GSL_EBADLEN or GSL_EINVAL. Thread-safe.
 * Source: Van Vleck, PNAS 14 (1928) 178; claim pi.van-vleck. */
LEM_API double lem_van_vleck_prefactor(const gsl_matrix *hess, double alpha);

/* The solution of D'' = U''(t) D, D(0) = 0, D'(0) = 1 along a classical path, by the recursion of the sliced
 * determinant, D_{k+1} - 2 D_k + D_{k-1} = dt^2 U''_k D_k, error of order dt^2: curvature[k] = U''(x(k dt)),
 * k < n, out[k] = D(k dt), k <= n. The propagator's prefactor is 1/sqrt(2 pi alpha D(T)), finite until D
 * returns to zero at a conjugate point. n >= 1, dt > 0, curvature finite, else GSL_EDOM; null is GSL_EFAULT.
 * Thread-safe. Source: Gel'fand and Yaglom, J. Math. Phys. 1 (1960) 48; claim pi.van-vleck. */
LEM_API int lem_gelfand_yaglom(const double *curvature, size_t n, double dt, double *out);

#ifdef __cplusplus
}
#endif
#endif
