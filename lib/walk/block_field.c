#include "walk/block_field.h"
#include "linalg/check.h"

#include <math.h>

/* The field behind `ctx` at each position, less the sentence of a failure: lem_block_field_at finds that. */
static int one_by_one(size_t n, const double *x, double t, const void *ctx, double *out) {
    const lem_field *field = ctx;
    if (!field || !field->function)
        return LEM_ERROR(GSL_EFAULT, "field = null: must be a function");
    for (size_t i = 0; i < n; i++) {
        const int status = field->function(x[i], t, field->ctx, &out[i]);
        if (status)
            return status;
    }
    return GSL_SUCCESS;
}

lem_block_field lem_block_of_field(const lem_field *field) {
    return (lem_block_field){one_by_one, field};
}

/* The first position that fails by itself. A function that fails on many positions only is reported for all
 * of them. */
static int explain(const lem_block_field *field, const char *name, size_t n, const double *x, double t,
                   int status) {
    for (size_t i = 0; i < n; i++) {
        double value = 0;
        const int alone = field->function(1, &x[i], t, field->ctx, &value);
        if (alone)
            return LEM_ERROR(alone, "%s(x = %.17g, t = %.17g): the function reports error %d", name, x[i], t,
                             alone);
        if (!isfinite(value))
            return LEM_ERROR(GSL_EBADFUNC, "%s(x = %.17g, t = %.17g) = %g: must be finite", name, x[i], t,
                             value);
    }
    return LEM_ERROR(status,
                     "%s at %zu positions from x = %.17g on, t = %.17g: the function reports error %d", name,
                     n, x[0], t, status);
}

int lem_block_field_at(const lem_block_field *field, const char *name, size_t n, const double *x, double t,
                       double *out) {
    if (!field || !field->function)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must be a function", name);
    if (n == 0)
        return GSL_SUCCESS;
    int status = field->function(n, x, t, field->ctx, out);
    if (!status && !lem_all_finite(out, n))
        status = GSL_EBADFUNC;
    return status ? explain(field, name, n, x, t, status) : GSL_SUCCESS;
}
