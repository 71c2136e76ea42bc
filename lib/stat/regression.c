#include "stat/regression.h"
#include "stat/distribution.h"

#include <math.h>

static int check_positive(const char *name, size_t n, const double *values) {
    for (size_t i = 0; i < n; i++)
        if (!(values[i] > 0) || !isfinite(values[i]))
            return LEM_ERROR(GSL_EINVAL, "%s[%zu] = %g: must be finite and > 0", name, i, values[i]);
    return GSL_SUCCESS;
}

static int check_points(size_t n, const double *x, const double *y, const double *stderrs,
                        const lem_power_law *fit) {
    if (!x || !y || !fit)
        return LEM_ERROR(GSL_EFAULT, "%s is null", !x ? "x" : !y ? "y" : "fit");
    if (n < 3)
        return LEM_ERROR(GSL_EINVAL, "n = %zu: must be >= 3", n);
    int status = check_positive("x", n, x);
    if (!status)
        status = check_positive("y", n, y);
    if (!status && stderrs)
        status = check_positive("stderrs", n, stderrs);
    size_t equal = 1;
    while (!status && equal < n && x[equal] == x[0])
        equal++;
    return equal == n ? LEM_ERROR(GSL_EINVAL, "x[0] = ... = x[%zu] = %g: must not be all equal", n - 1, x[0])
                      : status;
}

/* 1 / the relative error of a point. */
static double precision(size_t i, const double *y, const double *stderrs) {
    return stderrs ? y[i] / stderrs[i] : 1;
}

int lem_fit_power_law(size_t n, const double *x, const double *y, const double *stderrs, lem_power_law *fit) {
    int status = check_points(n, x, y, stderrs, fit);
    if (status)
        return status;
    double largest = 0, sum = 0, mean_x = 0, mean_y = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, precision(i, y, stderrs));
    for (size_t i = 0; i < n; i++) {
        double w = precision(i, y, stderrs) / largest, share;
        w *= w;
        sum += w;
        share = sum > 0 ? w / sum : 0;
        mean_x += (log(x[i]) - mean_x) * share;
        mean_y += (log(y[i]) - mean_y) * share;
    }
    /* About the means, so that nothing cancels. */
    double sxx = 0, sxy = 0, chisq = 0;
    for (size_t i = 0; i < n; i++) {
        double w = precision(i, y, stderrs) / largest, dx = log(x[i]) - mean_x;
        sxx += w * w * dx * dx;
        sxy += w * w * dx * (log(y[i]) - mean_y);
    }
    if (!(sxx > 0) || !isfinite(largest))
        return LEM_ERROR(GSL_EINVAL,
                         "stderrs: all the weight is on one x; the others must have a share > 1e-300");
    double b = sxy / sxx;
    for (size_t i = 0; i < n; i++) {
        double r = precision(i, y, stderrs) * (log(y[i]) - mean_y - b * (log(x[i]) - mean_x));
        chisq += r * r;
    }
    double df = (double)n - 2, scale = sqrt(chisq / df);
    double formal_b = 1 / (largest * sqrt(sxx));
    double formal_a = sqrt(1 / sum + mean_x * mean_x / sxx) / largest;
    *fit = (lem_power_law){.exponent = b,
                           .exponent_stderr = scale * formal_b,
                           .exponent_stderr_formal = formal_b,
                           .log_factor = mean_y - b * mean_x,
                           .log_factor_stderr = scale * formal_a,
                           .log_factor_stderr_formal = formal_a,
                           .chisq = chisq,
                           .df = df,
                           .tail = stderrs ? lem_chisq_cdf(chisq, df, LEM_UPPER) : NAN};
    return GSL_SUCCESS;
}

int lem_power_law_interval(const lem_power_law *fit, double alpha, lem_side side, lem_interval *out) {
    if (!fit)
        return LEM_ERROR(GSL_EFAULT, "fit is null");
    if (!(alpha > 0 && alpha < 1))
        return LEM_ERROR(GSL_EDOM, "alpha = %g: must be inside (0, 1)", alpha);
    if (!(fit->df >= 1))
        return LEM_ERROR(GSL_EDOM, "fit->df = %g: must be >= 1", fit->df);
    if (side != LEM_TWO_SIDED && side != LEM_LOWER_BOUND && side != LEM_UPPER_BOUND)
        return LEM_ERROR(GSL_EDOM, "side = %d: must be one of lem_side", (int)side);
    double t = lem_t_quantile(side == LEM_TWO_SIDED ? alpha / 2 : alpha, fit->df, LEM_UPPER);
    if (isnan(t))
        return GSL_EFAILED;
    if (!out)
        return LEM_ERROR(GSL_EFAULT, "out is null: must point to an interval");
    lem_interval ends = {-INFINITY, INFINITY};
    if (side != LEM_UPPER_BOUND)
        ends.lower = fit->exponent - t * fit->exponent_stderr;
    if (side != LEM_LOWER_BOUND)
        ends.upper = fit->exponent + t * fit->exponent_stderr;
    *out = ends;
    return GSL_SUCCESS;
}
