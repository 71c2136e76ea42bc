#include "projection/srht.h"

#include <limits.h>
#include <math.h>

static int check_square_fits(const char *kind, size_t n, size_t m) {
    if (n > m)
        return LEM_ERROR(GSL_EBADLEN,
                         "A is %zu x %zu: a %s projection must have at most as many rows as columns", n, m,
                         kind);
    return GSL_SUCCESS;
}

int lem_projection_check(lem_projection_kind kind, size_t n, size_t m, double s) {
    if (n == 0 || m == 0)
        return LEM_ERROR(GSL_EBADLEN, "A is %zu x %zu: must have at least one row and one column", n, m);
    if (n > INT_MAX || m > INT_MAX)
        return LEM_ERROR(GSL_EINVAL, "A is %zu x %zu: each must be <= %d, BLAS counts in int", n, m, INT_MAX);
    switch (kind) {
    case LEM_PROJECTION_GAUSSIAN:
    case LEM_PROJECTION_RADEMACHER:
        return GSL_SUCCESS;
    case LEM_PROJECTION_SPARSE:
        if (!(s >= 1 && s < INFINITY))
            return LEM_ERROR(GSL_EDOM, "s = %g: must be >= 1 and finite, 1/s is the density", s);
        return GSL_SUCCESS;
    case LEM_PROJECTION_HAAR:
        return check_square_fits("haar", n, m);
    case LEM_PROJECTION_SRHT:
        if ((m & (m - 1)) != 0)
            return LEM_ERROR(GSL_EINVAL, "m = %zu: must be a power of two for srht; srht_padded takes any m",
                             m);
        return check_square_fits("srht", n, m);
    case LEM_PROJECTION_SRHT_PADDED:
        return check_square_fits("srht_padded", n, m);
    }
    return LEM_ERROR(GSL_EINVAL, "kind = %d: must be one of lem_projection_kind", (int)kind);
}

size_t lem_srht_order(lem_projection_kind kind, size_t m) {
    size_t order = 1;
    while (order < m)
        order *= 2;
    return kind == LEM_PROJECTION_SRHT_PADDED ? order : m;
}

/* The first n steps of the Fisher-Yates shuffle, from the identity each time. */
static int draw_rows(lem_stream *stream, size_t order, size_t n, size_t *rows) {
    for (size_t i = 0; i < order; i++)
        rows[i] = i;
    for (size_t i = 0; i < n; i++) {
        uint64_t step = 0;
        int status = lem_integer_fill(stream, order - i, 1, &step);
        if (status)
            return status;
        const size_t other = i + (size_t)step, kept = rows[other];
        rows[other] = rows[i];
        rows[i] = kept;
    }
    return GSL_SUCCESS;
}

int lem_srht_draw(lem_stream *stream, size_t m, size_t order, size_t n, double *signs, size_t *rows) {
    int status = lem_sign_fill(stream, m, signs);
    return status ? status : draw_rows(stream, order, n, rows);
}
