/* Softmax and normalisation of rows. */
#ifndef LEM_ATTENTION_SOFTMAX_H
#define LEM_ATTENTION_SOFTMAX_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each row x of X (n x m) becomes exp(x_j - max x) / sum_l exp(x_l - max x), so that no finite row overflows
 * or vanishes. `lse` (n entries; NULL: not wanted) receives log sum_l exp(x_l) of each row. Rows run in
 * parallel over `threads` (0: as many as OpenMP gives); the bits depend neither on that nor on the
 * processor's instruction set.
 *
 * GSL_EFAULT: null pointer; GSL_EBADLEN: shape; GSL_EINVAL: an entry not finite (minus infinity is no mask
 * here: lem_attention_matrix has one), threads < 0. On error X is left alone. */
LEM_API int lem_softmax_rows(gsl_matrix *x, gsl_vector *lse, int threads);

/* Each row of A divided by its sum. Entries may be negative, the sum must be positive and finite: GSL_EDOM
 * naming the first row where it is not, before anything is changed. GSL_EFAULT, GSL_EBADLEN, GSL_EINVAL as
 * above. */
LEM_API int lem_normalise_rows(gsl_matrix *a);

#ifdef __cplusplus
}
#endif
#endif
