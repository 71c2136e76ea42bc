/* Fast Walsh-Hadamard transform. */
#ifndef LEM_PROJECTION_FWHT_H
#define LEM_PROJECTION_FWHT_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* x <- H x in place, unnormalised and in natural (Hadamard) order: H_ij = (-1)^popcount(i & j), i, j < m, so
 * that H H = m I. m a power of two (1 included). m log2 m additions; nothing is allocated.
 *
 * The butterflies (a, b) -> (a + b, a - b) run from stride m/2 down to stride 1; all kernels do the same
 * additions and give the same bits. The error of each entry is at most gamma(log2 m) sum |x_j|.
 *
 * GSL_EFAULT: x null; GSL_EINVAL: m not a power of two, an entry not finite (x is left alone). Thread-safe.
 */
LEM_API int lem_fwht(double *x, size_t m);

#ifdef __cplusplus
}
#endif
#endif
