#include "walk/gauge.h"
#include "walk/check.h"

#include <math.h>

double lem_gauge_potential(double p, double p_x, double int_p_t, double alpha) {
    if (lem_walk_check_finite(p, "p") || lem_walk_check_finite(p_x, "p_x") ||
        lem_walk_check_finite(int_p_t, "int_p_t") || lem_walk_check_positive(alpha, "alpha"))
        return NAN;
    return lem_walk_bounded(-(alpha * p_x + p * p) / 2 - int_p_t, "the potential");
}

static int check_action(const double *path, size_t n, double dt, double t0, const lem_field *drift,
                        double alpha, const double *action) {
    int status;
    if (!path || !drift || !action)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must not be", !path ? "path" : !drift ? "drift" : "action");
    if (n < 1)
        return LEM_ERROR(GSL_EDOM, "n = %zu: must be >= 1", n);
    if ((status = lem_walk_check_positive(dt, "dt")) || (status = lem_walk_check_finite(t0, "t0")) ||
        (status = lem_walk_check_positive(alpha, "alpha")))
        return status;
    for (size_t k = 0; k <= n; k++)
        if (!isfinite(path[k]))
            return LEM_ERROR(GSL_EDOM, "path[%zu] = %g: must be finite", k, path[k]);
    return GSL_SUCCESS;
}

int lem_onsager_machlup_action(const double *path, size_t n, double dt, double t0, const lem_field *drift,
                               const lem_field *gradient, double alpha, double *action) {
    int status = check_action(path, n, dt, t0, drift, alpha, action);
    if (status)
        return status;
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        const double x = path[k] + (path[k + 1] - path[k]) / 2, t = t0 + ((double)k + .5) * dt;
        double p = 0, p_x = 0;
        if ((status = lem_field_at(drift, "drift", x, t, &p)) ||
            (gradient && (status = lem_field_at(gradient, "gradient", x, t, &p_x))))
            return status;
        const double excess = (path[k + 1] - path[k]) / dt - p;
        sum += excess * excess / (2 * alpha) + p_x / 2;
    }
    *action = sum * dt;
    return GSL_SUCCESS;
}
