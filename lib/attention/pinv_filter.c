/* What one step of lib/attention/pinv.c does to an eigenvalue. */
#include "attention/pinv.h"

#include <math.h>

static int check(lem_pinv_method method, int iterations, int least, int most) {
    if (method != LEM_PINV_CHEBYSHEV4 && method != LEM_PINV_NEWTON && method != LEM_PINV_HYPERPOWER3)
        return LEM_ERROR(GSL_EINVAL, "method = %d: must be a lem_pinv_method", (int)method);
    if (iterations < least || iterations > most)
        return LEM_ERROR(GSL_EDOM, "iterations = %d: must be >= %d and <= %d", iterations, least, most);
    return GSL_SUCCESS;
}

static double step(lem_pinv_method method, double y) {
    switch (method) {
    case LEM_PINV_NEWTON:
        return y * (2 - y);
    case LEM_PINV_HYPERPOWER3:
        return y * (3 - y * (3 - y));
    case LEM_PINV_CHEBYSHEV4:
        break;
    }
    return y * (13 - y * (15 - y * (7 - y))) / 4;
}

static double iterated(lem_pinv_method method, int iterations, double y) {
    for (int k = 0; k < iterations; k++)
        y = step(method, y);
    return y;
}

double lem_pinv_iteration_filter(lem_pinv_method method, int iterations, double y0) {
    if (check(method, iterations, 0, 10000))
        return NAN;
    if (!isfinite(y0))
        return LEM_ERROR_NAN(GSL_EDOM, "y0 = %g: must be finite", y0);
    const double y = iterated(method, iterations, y0);
    if (!isfinite(y))
        return LEM_ERROR_NAN(GSL_EOVRFLW, "y0 = %g: the iteration leaves the range of double within %d steps",
                             y0, iterations);
    return y;
}

/* On (0, 1) each map, and so the filter, increases. Bisection down to neighbouring doubles. */
double lem_pinv_half_resolved_y0(lem_pinv_method method, int iterations) {
    if (check(method, iterations, 1, 500))
        return NAN;
    double below = 0, above = 1;
    for (;;) {
        /* geometric while the two are far apart: the answer is about gain^-iterations */
        const double mid = below == 0          ? above / 16
                           : below < above / 2 ? sqrt(below) * sqrt(above)
                                               : below + (above - below) / 2;
        if (!(mid > below && mid < above))
            return mid;
        if (iterated(method, iterations, mid) < 0.5)
            below = mid;
        else
            above = mid;
    }
}
