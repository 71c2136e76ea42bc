#include "scaling/robust.h"

#include <math.h>

double lem_huber_loss(double r, double delta) {
    if (!isfinite(r))
        return LEM_ERROR_NAN(GSL_EDOM, "r = %g: must be finite", r);
    if (!(delta > 0))
        return LEM_ERROR_NAN(GSL_EDOM, "delta = %g: must be positive, or inf", delta);
    const double size = fabs(r);
    return size <= delta ? r * r / 2 : delta * (size - delta / 2);
}

/* Sum of absolute values, compensated (Neumaier; the terms have one sign, so the plain correction serves). */
static double absolute_sum(size_t n, const double *x) {
    double sum = 0, lost = 0;
    for (size_t i = 0; i < n; i++) {
        const double term = fabs(x[i]) - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sum;
}

double lem_laplace_profile_lr(size_t n, const double *restricted, const double *full) {
    if (!restricted || !full)
        return LEM_ERROR_NAN(GSL_EFAULT, "residuals: a null pointer");
    if (n < 1)
        return LEM_ERROR_NAN(GSL_EINVAL, "n = 0: there must be residuals");
    const double above = absolute_sum(n, restricted), below = absolute_sum(n, full);
    if (!(above > 0 && isfinite(above)))
        return LEM_ERROR_NAN(GSL_EDOM, "sum |restricted| = %g: must be positive and finite", above);
    if (!(below > 0 && isfinite(below)))
        return LEM_ERROR_NAN(GSL_EDOM, "sum |full| = %g: must be positive and finite", below);
    return 2 * (double)n * log(above / below);
}
