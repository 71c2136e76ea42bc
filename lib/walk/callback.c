#include "walk/callback.h"

#include <math.h>

int lem_field_at(const lem_field *field, const char *name, double x, double t, double *value) {
    if (!field || !field->function || !value)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must be a function, and have a place for its value", name);
    const int status = field->function(x, t, field->ctx, value);
    if (status)
        return LEM_ERROR(status, "%s(x = %.17g, t = %.17g): the function reports error %d", name, x, t,
                         status);
    if (!isfinite(*value))
        return LEM_ERROR(GSL_EBADFUNC, "%s(x = %.17g, t = %.17g) = %g: must be finite", name, x, t, *value);
    return GSL_SUCCESS;
}
