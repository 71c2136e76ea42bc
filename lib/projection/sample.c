#include "projection/sample.h"

#include "linalg/check.h"
#include "linalg/transpose.h"
#include "projection/srht.h"
#include "rng/haar.h"

#include <math.h>
#include <stdlib.h>

typedef int draw_items(lem_stream *stream, size_t n, double *out);

static int fill_rows(lem_stream *stream, draw_items *draw, gsl_matrix *a) {
    for (size_t i = 0; i < a->size1; i++) {
        int status = draw(stream, a->size2, a->data + i * a->tda);
        if (status)
            return status;
    }
    return GSL_SUCCESS;
}

static int scaled_rows(lem_stream *stream, draw_items *draw, gsl_matrix *a) {
    int status = fill_rows(stream, draw, a);
    if (status)
        return status;
    const double scale = 1 / sqrt((double)a->size1);
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++)
            a->data[i * a->tda + j] *= scale;
    return GSL_SUCCESS;
}

static int sparse(lem_stream *stream, double s, gsl_matrix *a) {
    int status = fill_rows(stream, lem_uniform_fill, a);
    if (status)
        return status;
    const double density = 1 / s, size = sqrt(s / (double)a->size1);
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++) {
            double *x = a->data + i * a->tda + j;
            *x = *x >= density ? 0 : *x < density / 2 ? -size : size;
        }
    return GSL_SUCCESS;
}

/* The first n columns of a Haar matrix, laid down as rows. */
static int haar(lem_stream *stream, gsl_matrix *a) {
    const size_t n = a->size1, m = a->size2;
    double *memory = lem_allocate(m * n, sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix columns = gsl_matrix_view_array(memory, m, n).matrix;
    int status = lem_haar_matrix(stream, &columns);
    const double scale = sqrt((double)m / (double)n);
    for (size_t i = 0; i < m * n && !status; i++)
        memory[i] *= scale;
    if (!status)
        lem_transpose(m, n, memory, n, a->data, a->tda);
    free(memory);
    return status;
}

/* A_ij = H_{row i, j} sign_j / sqrt(n): each entry of the unitary H / sqrt(M) times sqrt(M/n). */
static int srht(lem_projection_kind kind, lem_stream *stream, gsl_matrix *a) {
    const size_t n = a->size1, m = a->size2, order = lem_srht_order(kind, m);
    double *signs = lem_allocate(m, sizeof *signs);
    size_t *rows = signs ? lem_allocate(order, sizeof *rows) : NULL;
    int status = rows ? lem_srht_draw(stream, m, order, n, signs, rows) : GSL_ENOMEM;
    const double scale = 1 / sqrt((double)n);
    for (size_t i = 0; i < n && !status; i++)
        for (size_t j = 0; j < m; j++)
            a->data[i * a->tda + j] = lem_hadamard_sign(rows[i], j) * scale * signs[j];
    free(signs);
    free(rows);
    return status;
}

static int sample(lem_projection_kind kind, double s, lem_stream *stream, gsl_matrix *a) {
    switch (kind) {
    case LEM_PROJECTION_GAUSSIAN:
        return scaled_rows(stream, lem_normal_fill, a);
    case LEM_PROJECTION_RADEMACHER:
        return scaled_rows(stream, lem_sign_fill, a);
    case LEM_PROJECTION_SPARSE:
        return sparse(stream, s, a);
    case LEM_PROJECTION_HAAR:
        return haar(stream, a);
    case LEM_PROJECTION_SRHT:
    case LEM_PROJECTION_SRHT_PADDED:
        break;
    }
    return srht(kind, stream, a);
}

int lem_jl_sample(lem_projection_kind kind, double s, lem_stream *stream, gsl_matrix *a) {
    if (!stream)
        return LEM_ERROR(GSL_EFAULT, "stream = null: must be a stream");
    int status;
    if ((status = lem_check_output(a, "A")) || (status = lem_projection_check(kind, a->size1, a->size2, s)))
        return status;
    lem_stream moved = *stream;
    status = sample(kind, s, &moved, a);
    if (!status)
        *stream = moved;
    return status;
}

enum { PART = 256 };

/* Sum of the squares of the next `count` normals, which are not kept. */
static int add_squares(lem_stream *stream, size_t count, double *sum) {
    double part[PART];
    while (count > 0) {
        const size_t now = count < PART ? count : PART;
        int status = lem_normal_fill(stream, now, part);
        if (status)
            return status;
        for (size_t i = 0; i < now; i++)
            *sum += part[i] * part[i];
        count -= now;
    }
    return GSL_SUCCESS;
}

static int unit_row(lem_stream *stream, size_t m, size_t n, double *row) {
    for (;;) {
        int status = lem_normal_fill(stream, n, row);
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += row[j] * row[j];
        if (!status)
            status = add_squares(stream, m - n, &sum);
        if (status)
            return status;
        if (sum == 0) /* all m normals zero: of probability 2^-53m; draw again */
            continue;
        const double scale = 1 / sqrt(sum);
        for (size_t j = 0; j < n; j++)
            row[j] *= scale;
        return GSL_SUCCESS;
    }
}

int lem_haar_first_coordinates(lem_stream *stream, size_t m, gsl_matrix *out) {
    if (!stream)
        return LEM_ERROR(GSL_EFAULT, "stream = null: must be a stream");
    int status = lem_check_output(out, "out");
    if (status)
        return status;
    if (out->size2 > m)
        return LEM_ERROR(GSL_EBADLEN, "out is %zu x %zu: must have at most m = %zu columns", out->size1,
                         out->size2, m);
    lem_stream moved = *stream;
    for (size_t i = 0; i < out->size1 && !status; i++)
        status = unit_row(&moved, m, out->size2, out->data + i * out->tda);
    if (!status)
        *stream = moved;
    return status;
}
