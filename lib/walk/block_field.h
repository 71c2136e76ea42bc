/* A user's own drift, diffusion or potential on arrays: one call for many paths, so that its loop vectorises.
 */
#ifndef LEM_WALK_BLOCK_FIELD_H
#define LEM_WALK_BLOCK_FIELD_H

#include "walk/callback.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = f(x[i], t), i < n; x and out do not overlap. Returns 0, or any other status to say that some value
 * does not exist. It is called from several threads at once where the function that takes it says so, and
 * must not change ctx then. */
typedef int (*lem_block_function)(size_t n, const double *x, double t, const void *ctx, double *out);

/* function null: no such field (a drift of zero, a constant diffusion). */
typedef struct {
    lem_block_function function;
    const void *ctx;
} lem_block_field;

/* The block form of a function of one position, which it calls n times; *field must outlive it. */
LEM_API lem_block_field lem_block_of_field(const lem_field *field);

/* out[i] = field(x[i], t). On a status that is not 0, and where a value is NaN or infinite (then
 * GSL_EBADFUNC), the field is asked again position by position: the sentence names `name`, the x of the first
 * that fails, and t. GSL_EFAULT when the function is null. Thread-safe as far as the function is. */
LEM_API int lem_block_field_at(const lem_block_field *field, const char *name, size_t n, const double *x,
                               double t, double *out);

#ifdef __cplusplus
}
#endif
#endif
