#include "walk/check.h"

#include <math.h>

int lem_walk_check_finite(double value, const char *name) {
    if (!isfinite(value))
        return LEM_ERROR(GSL_EDOM, "%s = %g: must be finite", name, value);
    return GSL_SUCCESS;
}

int lem_walk_check_positive(double value, const char *name) {
    if (!(value > 0) || isinf(value))
        return LEM_ERROR(GSL_EDOM, "%s = %g: must be positive and finite", name, value);
    return GSL_SUCCESS;
}

double lem_walk_bounded(double value, const char *name) {
    if (!isfinite(value))
        return LEM_ERROR_NAN(GSL_EOVRFLW, "%s, or a step towards it, exceeds the range of double", name);
    return value;
}
