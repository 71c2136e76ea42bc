#include "linalg/transpose.h"

enum { TILE = 16 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

void lem_transpose(size_t rows, size_t columns, const double *from, size_t from_tda, double *to,
                   size_t to_tda) {
    for (size_t i0 = 0; i0 < rows; i0 += TILE)
        for (size_t j0 = 0; j0 < columns; j0 += TILE)
            for (size_t i = i0; i < least(i0 + TILE, rows); i++)
                for (size_t j = j0; j < least(j0 + TILE, columns); j++)
                    to[j * to_tda + i] = from[i * from_tda + j];
}
