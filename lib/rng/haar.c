#include "rng/haar.h"

#include "linalg/linalg.h"

#include <stdlib.h>

static int fill_normals(lem_stream *stream, gsl_matrix *q) {
    int status = GSL_SUCCESS;
    for (size_t i = 0; i < q->size1 && !status; i++)
        status = lem_normal_fill(stream, q->size2, gsl_matrix_ptr(q, i, 0));
    return status;
}

static void fix_signs(gsl_matrix *q, const gsl_matrix *r) {
    for (size_t i = 0; i < q->size1; i++)
        for (size_t j = 0; j < q->size2; j++)
            if (gsl_matrix_get(r, j, j) < 0)
                *gsl_matrix_ptr(q, i, j) *= -1;
}

int lem_haar_matrix(lem_stream *stream, gsl_matrix *q) {
    if (!stream || !q)
        return LEM_ERROR(GSL_EFAULT, "%s = NULL: must point to a %s", stream ? "q" : "stream",
                         stream ? "matrix" : "stream");
    const size_t m = q->size1, k = q->size2;
    if (k < 1 || k > m)
        return LEM_ERROR(GSL_EBADLEN, "q is %zu x %zu: must have 1 <= columns <= rows", m, k);
    double *entries = malloc(k * k * sizeof *entries); /* no overflow: not more than q holds */
    if (!entries)
        return LEM_ERROR(GSL_ENOMEM, "q is %zu x %zu: no memory for a %zu x %zu workspace", m, k, k, k);
    gsl_matrix_view r = gsl_matrix_view_array(entries, k, k);
    lem_stream moved = *stream;
    int status = fill_normals(&moved, q);
    if (!status)
        status = lem_qr(q, &r.matrix);
    if (!status) {
        fix_signs(q, &r.matrix);
        *stream = moved;
    }
    free(entries);
    return status;
}
