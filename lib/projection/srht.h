/* Internal: the random parts of a subsampled randomised Hadamard transform. */
#ifndef LEM_PROJECTION_SRHT_H
#define LEM_PROJECTION_SRHT_H

#include "projection/kind.h"
#include "rng/stream.h"

#include <stddef.h>

/* The checks that all users of a projection share: kind, shape n x m, s. */
int lem_projection_check(lem_projection_kind kind, size_t n, size_t m, double s);

/* The order of the transform: m, or the next power of two for srht_padded. */
size_t lem_srht_order(lem_projection_kind kind, size_t m);

/* signs[0..m-1] for the columns; then rows[0..n-1], distinct, of {0, ..., order - 1}: every ordered n-tuple
 * of distinct rows is equally likely. rows has room for `order` numbers (a permutation in the making). */
int lem_srht_draw(lem_stream *stream, size_t m, size_t order, size_t n, double *signs, size_t *rows);

/* H_ij of the Walsh-Hadamard matrix in natural order. */
static inline double lem_hadamard_sign(size_t i, size_t j) {
    return __builtin_parityll(i & j) ? -1 : 1;
}

#endif
