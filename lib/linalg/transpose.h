/* Internal: between row-major and column-major order. */
#ifndef LEM_LINALG_TRANSPOSE_H
#define LEM_LINALG_TRANSPOSE_H

#include <stddef.h>

/* to[j][i] = from[i][j] for i < rows, j < columns, by tiles that stay in the cache. */
void lem_transpose(size_t rows, size_t columns, const double *from, size_t from_tda, double *to,
                   size_t to_tda);

#endif
