#include "attention/favor.h"
#include "linalg/check.h"
#include "rng/haar.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static double norm(const double *x, size_t n) {
    double sum = 0;
    for (size_t l = 0; l < n; l++)
        sum += x[l] * x[l];
    if (sum > 1e-280 && isfinite(sum))
        return sqrt(sum);
    sum = 0;
    for (size_t l = 0; l < n; l++) /* the squares leave the range of double, the length does not */
        sum = hypot(sum, x[l]);
    return sum;
}

/* An independent chi_d length: that of d fresh normals, which pass through `row`. */
static int draw_length(lem_stream *stream, size_t d, double *row, double *length) {
    const int status = lem_normal_fill(stream, d, row);
    *length = norm(row, d);
    return status;
}

/* Columns of Q become directions: as they are, or moved to the corners of a simplex about their mean. */
static void make_simplex(gsl_matrix *q) {
    const size_t d = q->size1;
    const double stretch = sqrt((double)d / (double)(d - 1));
    for (size_t l = 0; l < d; l++) {
        double mean = 0;
        for (size_t c = 0; c < d; c++)
            mean += gsl_matrix_get(q, l, c) / (double)d;
        for (size_t c = 0; c < d; c++)
            gsl_matrix_set(q, l, c, stretch * (gsl_matrix_get(q, l, c) - mean));
    }
}

static int draw_block(lem_projections_kind kind, lem_stream *stream, gsl_matrix *q, gsl_matrix *w,
                      size_t first, size_t rows) {
    const size_t d = w->size2;
    gsl_matrix_view columns = gsl_matrix_submatrix(q, 0, 0, d, kind == LEM_PROJECTIONS_SIMPLEX ? d : rows);
    int status = lem_haar_matrix(stream, &columns.matrix);
    if (status)
        return status;
    if (kind == LEM_PROJECTIONS_SIMPLEX)
        make_simplex(&columns.matrix);
    for (size_t c = 0; c < rows; c++) {
        double *row = gsl_matrix_ptr(w, first + c, 0), length;
        if ((status = draw_length(stream, d, row, &length)))
            return status;
        for (size_t l = 0; l < d; l++)
            row[l] = length * gsl_matrix_get(&columns.matrix, l, c);
    }
    return GSL_SUCCESS;
}

static int draw_rows(lem_stream *stream, gsl_matrix *w) {
    for (size_t i = 0; i < w->size1; i++) {
        const int status = lem_normal_fill(stream, w->size2, gsl_matrix_ptr(w, i, 0));
        if (status)
            return status;
    }
    return GSL_SUCCESS;
}

int lem_random_projections(lem_projections_kind kind, lem_stream *stream, gsl_matrix *w) {
    int status = lem_check_output(w, "W");
    if (status)
        return status;
    if (!stream)
        return LEM_ERROR(GSL_EFAULT, "stream is a null pointer");
    if (kind == LEM_PROJECTIONS_IID)
        return draw_rows(stream, w);
    if (kind != LEM_PROJECTIONS_ORTHOGONAL && kind != LEM_PROJECTIONS_SIMPLEX)
        return LEM_ERROR(GSL_EINVAL, "kind = %d: no such projections", (int)kind);
    const size_t d = w->size2;
    if (kind == LEM_PROJECTIONS_SIMPLEX && d < 2)
        return LEM_ERROR(GSL_EDOM, "d = %zu: a simplex of directions needs at least 2 columns of W", d);
    double *memory = lem_allocate(d * d, sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix_view q = gsl_matrix_view_array(memory, d, d);
    for (size_t first = 0; first < w->size1 && !status; first += d)
        status = draw_block(kind, stream, &q.matrix, w, first, w->size1 - first < d ? w->size1 - first : d);
    free(memory);
    return status;
}

int lem_set_row_lengths(gsl_matrix *w, const double *lengths) {
    int status = lem_check_input(w, "W");
    if (status)
        return status;
    if (!lengths)
        return LEM_ERROR(GSL_EFAULT, "lengths is a null pointer");
    for (size_t i = 0; i < w->size1; i++) {
        double *row = gsl_matrix_ptr(w, i, 0);
        const double now = norm(row, w->size2);
        if (!(lengths[i] >= 0) || !isfinite(lengths[i]))
            return LEM_ERROR(GSL_EDOM, "lengths[%zu] = %g: must be >= 0 and finite", i, lengths[i]);
        if (!(now > 0) || !isfinite(now))
            return LEM_ERROR(GSL_EDOM, "row %zu of W has the length %g: must be positive and finite", i, now);
        const double factor = lengths[i] / now;
        for (size_t l = 0; l < w->size2; l++)
            row[l] = isfinite(factor) && factor >= DBL_MIN ? row[l] * factor : row[l] / now * lengths[i];
    }
    return GSL_SUCCESS;
}
