/* A user's own drift, diffusion or potential: a function of position and time, with a context. */
#ifndef LEM_WALK_CALLBACK_H
#define LEM_WALK_CALLBACK_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* *value = f(x, t). Returns 0, or any other status to say that it has no value there. It is called from
 * several threads at once where the function that takes it says so, and must not change ctx then. */
typedef int (*lem_field_function)(double x, double t, const void *ctx, double *value);

typedef struct {
    lem_field_function function;
    const void *ctx;
} lem_field;

/* *value = field(x, t). GSL_EFAULT when the field, its function or value is null; the function's own status
 * when it is not 0, and GSL_EBADFUNC when it gives NaN or infinity: both sentences hold `name` ("drift"), x
 * and t. Thread-safe as far as the function is. */
LEM_API int lem_field_at(const lem_field *field, const char *name, double x, double t, double *value);

#ifdef __cplusplus
}
#endif
#endif
