/* Structured queries and keys, the three factors, and errors. */
#include "study.h"

#include <stdio.h>
#include <string.h>

const double nys_lengths[NYS_LENGTHS] = {0, 8, 64, 512};

nys_data *nys_data_alloc(size_t n, size_t d) {
    nys_data *data = calloc(1, sizeof *data);
    if (!data)
        return NULL;
    *data = (nys_data){.n = n,
                       .d = d,
                       .q = gsl_matrix_alloc(n, d),
                       .k = gsl_matrix_alloc(n, d),
                       .s = gsl_matrix_alloc(n, n),
                       .other = gsl_matrix_alloc(n, n)};
    if (data->q && data->k && data->s && data->other)
        return data;
    nys_data_free(data);
    return NULL;
}

void nys_data_free(nys_data *data) {
    if (!data)
        return;
    gsl_matrix_free(data->q), gsl_matrix_free(data->k), gsl_matrix_free(data->s),
        gsl_matrix_free(data->other);
    free(data);
}

int nys_draw_rows(lem_stream *stream, double length, gsl_matrix *x) {
    const double sd = 1.2 * pow((double)x->size2, -0.25);
    const double rho = length > 0 ? exp(-1 / length) : 0, fresh = length > 0 ? sqrt(-expm1(-2 / length)) : 1;
    LEM_TRY(lem_normal_fill(stream, x->size1 * x->size2, x->data)); /* whole matrices: tda = size2 */
    for (size_t i = 0; i < x->size1; i++)
        for (size_t c = 0; c < x->size2; c++) {
            double *at = x->data + i * x->tda + c;
            /* row 0 from the stationary law, or the first rows would be biased */
            *at = i == 0 ? sd * *at : rho * at[-(ptrdiff_t)x->tda] + fresh * sd * *at;
        }
    return GSL_SUCCESS;
}

int nys_exact(nys_data *data) {
    const lem_attention_options one_thread = {.scale = 1, .threads = 1};
    LEM_TRY(lem_attention_matrix(data->q, data->k, LEM_ATTENTION_SOFTMAX, &one_thread, data->s));
    data->norm = lem_frobenius_norm(data->s);
    return GSL_SUCCESS;
}

int nys_draw(lem_stream *stream, double length, nys_data *data) {
    LEM_TRY(nys_draw_rows(stream, length, data->q));
    LEM_TRY(nys_draw_rows(stream, length, data->k));
    return nys_exact(data);
}

int nys_error(const nys_data *data, const gsl_matrix *n, double *error) {
    if (n != data->other)
        gsl_matrix_memcpy(data->other, n);
    gsl_matrix_sub(data->other, data->s);
    const double distance = lem_frobenius_norm(data->other);
    *error = distance / data->norm;
    return isfinite(*error) ? GSL_SUCCESS : GSL_EFAILED;
}

int nys_error_of(const nys_data *data, const nys_parts *parts, const gsl_matrix *z, double *error) {
    LEM_TRY(lem_nystrom_product(parts->f, z, parts->b, 1, data->other));
    return nys_error(data, data->other, error);
}

double nys_pooling_error(const nys_data *data) {
    gsl_matrix_set_all(data->other, 1 / (double)data->n);
    gsl_matrix_sub(data->other, data->s);
    return lem_frobenius_norm(data->other) / data->norm;
}

nys_parts *nys_parts_alloc(size_t n, size_t d, size_t m) {
    nys_parts *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (nys_parts){.m = m,
                     .q = gsl_matrix_alloc(m, d),
                     .k = gsl_matrix_alloc(m, d),
                     .f = gsl_matrix_alloc(n, m),
                     .b = gsl_matrix_alloc(m, n),
                     .a = gsl_matrix_alloc(m, m),
                     .z = gsl_matrix_alloc(m, m),
                     .q_f = gsl_matrix_alloc(n, m),
                     .q_b = gsl_matrix_alloc(n, m),
                     .half = gsl_matrix_alloc(n, m),
                     .r_f = gsl_matrix_alloc(m, m),
                     .r_b = gsl_matrix_alloc(m, m),
                     .core = gsl_matrix_alloc(m, m),
                     .t = gsl_matrix_alloc(m, m),
                     .u = gsl_matrix_alloc(m, m),
                     .sigma = gsl_vector_alloc(m)};
    if (p->q && p->k && p->f && p->b && p->a && p->z && p->q_f && p->q_b && p->half && p->r_f && p->r_b &&
        p->core && p->t && p->u && p->sigma)
        return p;
    nys_parts_free(p);
    return NULL;
}

void nys_parts_free(nys_parts *p) {
    if (!p)
        return;
    gsl_matrix *const all[] = {p->q,   p->k,    p->f,   p->b,   p->a,    p->z, p->q_f,
                               p->q_b, p->half, p->r_f, p->r_b, p->core, p->t, p->u};
    for (size_t i = 0; i < COUNT(all); i++)
        gsl_matrix_free(all[i]);
    gsl_vector_free(p->sigma);
    free(p);
}

int nys_factor_from(const nys_data *data, nys_parts *p) {
    const lem_nystrom_options one_thread = {.scale = 1, .threads = 1};
    LEM_TRY(lem_nystrom_factors(data->q, data->k, p->q, p->k, &one_thread, p->f, p->a, p->b));
    LEM_TRY(lem_svd(p->a, NULL, p->sigma, NULL));
    p->condition = gsl_vector_get(p->sigma, 0) / gsl_vector_get(p->sigma, p->m - 1);
    p->column_sum = 0;
    for (size_t j = 0; j < p->m; j++) {
        double sum = 0;
        for (size_t i = 0; i < p->m; i++)
            sum += gsl_matrix_get(p->a, i, j);
        p->column_sum = fmax(p->column_sum, sum);
    }
    return GSL_SUCCESS;
}

int nys_factor(const nys_data *data, nys_parts *p) {
    LEM_TRY(lem_segment_means(data->q, 0, p->q));
    LEM_TRY(lem_segment_means(data->k, 0, p->k));
    return nys_factor_from(data, p);
}

int nys_compress(const nys_data *data, nys_parts *p) {
    gsl_matrix_memcpy(p->q_f, p->f);
    gsl_matrix_transpose_memcpy(p->q_b, p->b);
    LEM_TRY(lem_qr(p->q_f, p->r_f));
    LEM_TRY(lem_qr(p->q_b, p->r_b));
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, data->s, p->q_b, 0, p->half, 1));
    LEM_TRY(lem_gemm(LEM_TRANS, LEM_NO_TRANS, 1, p->q_f, p->half, 0, p->core, 1));
    /* the rest from the residual itself: ||S||^2 - ||core||^2 would cancel */
    gsl_matrix_memcpy(data->other, data->s);
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, p->q_f, p->core, 0, p->half, 1));
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_TRANS, -1, p->half, p->q_b, 1, data->other, 1));
    p->rest = lem_frobenius_norm(data->other);
    return GSL_SUCCESS;
}

int nys_quick_error(const nys_data *data, nys_parts *p, const gsl_matrix *z, double *error) {
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, p->r_f, z, 0, p->t, 1));
    gsl_matrix_memcpy(p->u, p->core);
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_TRANS, -1, p->t, p->r_b, 1, p->u, 1));
    *error = hypot(p->rest, lem_frobenius_norm(p->u)) / data->norm;
    return isfinite(*error) ? GSL_SUCCESS : GSL_EFAILED;
}

int nys_six(nys_parts *p) {
    return lem_pinv_iterate(p->a, LEM_PINV_CHEBYSHEV4, 6, p->z);
}

int nys_inverse(nys_parts *p) {
    return lem_pinv_svd(p->a, NYS_RCOND, p->z);
}

double nys_row_sum_deviation(const gsl_matrix *n) {
    double most = 0;
    for (size_t i = 0; i < n->size1; i++) {
        double sum = 0;
        for (size_t j = 0; j < n->size2; j++)
            sum += gsl_matrix_get(n, i, j);
        most = fmax(most, fabs(sum - 1));
    }
    return most;
}

double nys_smallest_entry(const gsl_matrix *n) {
    return gsl_matrix_min(n);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double nys_median(double *values, size_t n) {
    qsort(values, n, sizeof *values, by_size);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

const char *nys_key(char *buffer, size_t size, const char *prefix, size_t which_length) {
    (void)snprintf(buffer, size, "%s.%g", prefix, nys_lengths[which_length]);
    return buffer;
}
