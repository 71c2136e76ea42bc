#include "walk/quadratic.h"
#include "linalg/linalg.h"
#include "walk/check.h"

#include <gsl/gsl_math.h>
#include <math.h>

double lem_van_vleck_prefactor(const gsl_matrix *hess, double alpha) {
    double log_size = 0;
    int sign = 0;
    if (lem_walk_check_positive(alpha, "alpha") || lem_log_determinant(hess, &log_size, &sign))
        return NAN;
    /* det(-hess) = (-1)^D det(hess) */
    const double d = (double)hess->size1;
    if (hess->size1 % 2)
        sign = -sign;
    if (sign <= 0)
        return LEM_ERROR_NAN(GSL_EDOM, "det(-hess) = %g: must be positive", sign * exp(log_size));
    return lem_walk_bounded(exp((log_size - d * log(2 * M_PI * alpha)) / 2), "the prefactor");
}

int lem_gelfand_yaglom(const double *curvature, size_t n, double dt, double *out) {
    if (!curvature || !out)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must not be", curvature ? "out" : "curvature");
    if (n < 1)
        return LEM_ERROR(GSL_EDOM, "n = %zu: must be >= 1", n);
    const int status = lem_walk_check_positive(dt, "dt");
    if (status)
        return status;
    for (size_t k = 0; k < n; k++)
        if (!isfinite(curvature[k]))
            return LEM_ERROR(GSL_EDOM, "curvature[%zu] = %g: must be finite", k, curvature[k]);
    /* In differences, which keep digits that 2 D_k - D_{k-1} would lose. */
    double slope = dt;
    out[0] = 0;
    for (size_t k = 0; k < n; k++) {
        slope += dt * dt * curvature[k] * out[k];
        out[k + 1] = out[k] + slope;
    }
    return GSL_SUCCESS;
}
