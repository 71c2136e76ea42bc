#include "projection/rsvd.h"

#include "linalg/check.h"
#include "linalg/gemm.h"
#include "linalg/linalg.h"

#include <math.h>

static int fill_normals(lem_stream *stream, gsl_matrix *omega) {
    int status = GSL_SUCCESS;
    for (size_t i = 0; i < omega->size1 && !status; i++)
        status = lem_normal_fill(stream, omega->size2, omega->data + i * omega->tda);
    return status;
}

/* into = orth(op(A) from). */
static int step(lem_trans trans, const gsl_matrix *a, const gsl_matrix *from, gsl_matrix *into) {
    int status = lem_gemm_finite(trans, LEM_NO_TRANS, 1, a, from, 0, into, 0);
    return status ? status : lem_qr(into, NULL);
}

/* other: n x l, first Omega, then the right directions. */
static int iterate(const gsl_matrix *a, int q, lem_stream *stream, gsl_matrix *range, gsl_matrix *other) {
    int status = fill_normals(stream, other);
    if (!status)
        status = step(LEM_NO_TRANS, a, other, range);
    for (int i = 0; i < q && !status; i++) {
        status = step(LEM_TRANS, a, range, other);
        if (!status)
            status = step(LEM_NO_TRANS, a, other, range);
    }
    return status;
}

static size_t smaller_side(const gsl_matrix *a) {
    return a->size1 < a->size2 ? a->size1 : a->size2;
}

static int check_common(const gsl_matrix *a, int q, const lem_stream *stream) {
    if (!stream)
        return LEM_ERROR(GSL_EFAULT, "stream = null: must be a stream");
    if (q < 0)
        return LEM_ERROR(GSL_EDOM, "q = %d: must be >= 0", q);
    return lem_check_input_by(a, "A", 0);
}

int lem_rsvd_range(const gsl_matrix *a, int q, lem_stream *stream, gsl_matrix *range) {
    int status;
    if ((status = check_common(a, q, stream)) || (status = lem_check_output(range, "range")) ||
        (status = lem_check_shape(range, "range", a->size1, range->size2)) ||
        (status = lem_check_apart(a, "A", range, "range")))
        return status;
    if (range->size2 > smaller_side(a))
        return LEM_ERROR(GSL_EBADLEN, "range has %zu columns: must be at most min(m, n) = %zu of A",
                         range->size2, smaller_side(a));
    gsl_matrix *other = lem_matrix_allocate(a->size2, range->size2);
    if (!other)
        return GSL_ENOMEM;
    lem_stream moved = *stream;
    status = iterate(a, q, &moved, range, other);
    gsl_matrix_free(other);
    if (!status)
        *stream = moved;
    return status;
}

static int check_sizes(const gsl_matrix *a, size_t k, size_t p) {
    if (k < 1)
        return LEM_ERROR(GSL_EDOM, "k = %zu: must be >= 1", k);
    if (p < 2)
        return LEM_ERROR(GSL_EDOM, "p = %zu: must be >= 2, below the expected error has no bound", p);
    const size_t most = smaller_side(a);
    if (k > most || p > most - k)
        return LEM_ERROR(GSL_EDOM, "k + p = %zu + %zu: must be <= min(m, n) = %zu of A", k, p, most);
    return GSL_SUCCESS;
}

static int check_factors(const gsl_matrix *a, size_t k, const gsl_matrix *u, const gsl_vector *s,
                         const gsl_matrix *v) {
    int status;
    if ((status = lem_check_length(s, "S", k)) || (status = lem_check_vector_apart(a, "A", s, "S")))
        return status;
    if (!u && !v)
        return GSL_SUCCESS;
    if (!u || !v)
        return LEM_ERROR(GSL_EFAULT, "%s = null but %s is not: give both or neither", u ? "V" : "U",
                         u ? "U" : "V");
    if ((status = lem_check_output(u, "U")) || (status = lem_check_shape(u, "U", a->size1, k)) ||
        (status = lem_check_output(v, "V")) || (status = lem_check_shape(v, "V", a->size2, k)) ||
        (status = lem_check_apart(a, "A", u, "U")) || (status = lem_check_apart(a, "A", v, "V")) ||
        (status = lem_check_apart(u, "U", v, "V")) || (status = lem_check_vector_apart(u, "U", s, "S")) ||
        (status = lem_check_vector_apart(v, "V", s, "S")))
        return status;
    return GSL_SUCCESS;
}

/* The matrices of one decomposition, l = k + p. */
typedef struct {
    gsl_matrix *range; /* m x l: Q */
    gsl_matrix *other; /* n x l: Omega, right directions, at last A^T Q = W S Z^T */
    gsl_matrix *w, *z; /* n x l, l x l */
    gsl_vector *s;     /* l */
} parts;

static void free_parts(parts *x) {
    gsl_matrix_free(x->range);
    gsl_matrix_free(x->other);
    gsl_matrix_free(x->w);
    gsl_matrix_free(x->z);
    gsl_vector_free(x->s);
}

static int allocate_parts(parts *x, size_t m, size_t n, size_t l) {
    *x = (parts){0};
    if (!(x->s = lem_vector_allocate(l)) || !(x->range = lem_matrix_allocate(m, l)) ||
        !(x->other = lem_matrix_allocate(n, l)) || !(x->w = lem_matrix_allocate(n, l)) ||
        !(x->z = lem_matrix_allocate(l, l)))
        return GSL_ENOMEM;
    return GSL_SUCCESS;
}

/* A ~ Q (A^T Q)^T = (Q Z) S W^T, cut to k triplets. */
static int decompose(const gsl_matrix *a, parts *x, gsl_matrix *u, gsl_vector *s, gsl_matrix *v) {
    int status = lem_gemm_finite(LEM_TRANS, LEM_NO_TRANS, 1, a, x->range, 0, x->other, 0);
    if (!status)
        status = lem_svd(x->other, u ? x->w : NULL, x->s, u ? x->z : NULL);
    if (status)
        return status;
    for (size_t j = 0; j < s->size; j++)
        gsl_vector_set(s, j, gsl_vector_get(x->s, j));
    if (!u)
        return GSL_SUCCESS;
    const gsl_matrix z = gsl_matrix_submatrix(x->z, 0, 0, x->z->size1, s->size).matrix,
                     w = gsl_matrix_submatrix(x->w, 0, 0, x->w->size1, s->size).matrix;
    gsl_matrix_memcpy(v, &w);
    return lem_gemm_finite(LEM_NO_TRANS, LEM_NO_TRANS, 1, x->range, &z, 0, u, 0);
}

int lem_rsvd(const gsl_matrix *a, size_t k, size_t p, int q, lem_stream *stream, gsl_matrix *u, gsl_vector *s,
             gsl_matrix *v) {
    int status;
    if ((status = check_common(a, q, stream)) || (status = check_sizes(a, k, p)) ||
        (status = check_factors(a, k, u, s, v)))
        return status;
    lem_stream moved = *stream;
    parts x;
    status = allocate_parts(&x, a->size1, a->size2, k + p);
    if (!status)
        status = iterate(a, q, &moved, x.range, x.other);
    if (!status)
        status = decompose(a, &x, u, s, v);
    free_parts(&x);
    if (!status)
        *stream = moved;
    return status;
}

enum { RESIDUAL_ROWS = 2048 };

static double block_residual(const gsl_matrix *a, const gsl_matrix *range, const gsl_matrix *image,
                             size_t first, gsl_matrix *work) {
    const size_t left = a->size1 - first, rows = left < work->size1 ? left : work->size1;
    const gsl_matrix a_rows = gsl_matrix_const_submatrix(a, first, 0, rows, a->size2).matrix,
                     q_rows = gsl_matrix_const_submatrix(range, first, 0, rows, range->size2).matrix;
    gsl_matrix residual = gsl_matrix_submatrix(work, 0, 0, rows, a->size2).matrix;
    gsl_matrix_memcpy(&residual, &a_rows);
    return lem_gemm_finite(LEM_NO_TRANS, LEM_NO_TRANS, -1, &q_rows, image, 1, &residual, 0)
               ? NAN
               : lem_frobenius_norm(&residual);
}

double lem_rsvd_residual(const gsl_matrix *a, const gsl_matrix *range) {
    if (lem_check_input_by(a, "A", 0) || lem_check_input(range, "range") ||
        lem_check_shape(range, "range", a->size1, range->size2))
        return NAN;
    const size_t m = a->size1, n = a->size2;
    gsl_matrix *image = lem_matrix_allocate(range->size2, n);
    gsl_matrix *work = image ? lem_matrix_allocate(m < RESIDUAL_ROWS ? m : RESIDUAL_ROWS, n) : NULL;
    double norm = work && !lem_gemm_finite(LEM_TRANS, LEM_NO_TRANS, 1, range, a, 0, image, 0) ? 0 : NAN;
    for (size_t first = 0; first < m && !isnan(norm); first += RESIDUAL_ROWS)
        norm = hypot(norm, block_residual(a, range, image, first, work));
    gsl_matrix_free(image);
    gsl_matrix_free(work);
    return norm;
}
