/* The delta method for a quotient of random sums. With e_j the relative errors of the kernel values, of mean
 * 0, the error of the output is sum_j a_j (v_j - o)(e_j - sum_l a_l e_l) + ..., so that its covariances are
 * needed: E e_j e_l = (c_jl - 1)/P. */
#include "attention/favor.h"
#include "linalg/check.h"
#include "linalg/gemm.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    lem_rf_kind kind;
    double rho, log_constant; /* d log((1 + rho)/(2 sqrt(rho))) */
} covariance;

static int covariance_of(lem_rf_kind kind, double a, size_t d, covariance *c) {
    if (kind != LEM_RF_POSITIVE && kind != LEM_RF_HYPERBOLIC)
        return LEM_ERROR(GSL_EINVAL, "kind = %d: must be positive or hyperbolic", (int)kind);
    if (!(a < 0.125) || !isfinite(a) || (a != 0 && kind != LEM_RF_POSITIVE))
        return LEM_ERROR(GSL_EDOM, "A = %g: must be below 1/8 and finite, and 0 for hyperbolic features", a);
    const double rho = 1 / (1 - 8 * a);
    *c = (covariance){kind, rho, (double)d / 2 * log1p((1 - rho) * ((1 - rho) / rho) / 4)};
    return GSL_SUCCESS;
}

/* c_jl - 1, from z_j . z_l, |z_j|^2 and |z_l|^2; the 1 cancels in what follows, and small numbers stay small.
 */
static double relative_covariance(const covariance *c, double dot, double square_j, double square_l) {
    if (c->kind == LEM_RF_HYPERBOLIC) {
        const double half = sinh(dot / 2);
        return 2 * half * half;
    }
    const double squares = square_j + square_l;
    return expm1(c->log_constant + (c->rho - 1) / 4 * squares + (1 + c->rho) / 2 * dot);
}

static void fill_covariances(const covariance *c, gsl_matrix *gram, double *squares) {
    const size_t m = gram->size1;
    for (size_t j = 0; j < m; j++)
        squares[j] = gsl_matrix_get(gram, j, j);
    for (size_t j = 0; j < m; j++)
        for (size_t l = 0; l < m; l++) {
            double *entry = gsl_matrix_ptr(gram, j, l);
            *entry = relative_covariance(c, *entry, squares[j], squares[l]);
        }
}

/* The softmax of q . k_j, into a. */
static void attention_row(const double *q, const gsl_matrix *k, double *a) {
    double most = -INFINITY, sum = 0;
    for (size_t j = 0; j < k->size1; j++) {
        a[j] = 0;
        for (size_t l = 0; l < k->size2; l++)
            a[j] += q[l] * gsl_matrix_get(k, j, l);
        most = fmax(most, a[j]);
    }
    for (size_t j = 0; j < k->size1; j++)
        sum += a[j] = exp(a[j] - most);
    for (size_t j = 0; j < k->size1; j++)
        a[j] /= sum;
}

/* U_j = a_j (v_j - o) */
static void centre_values(const gsl_matrix *v, const double *a, gsl_matrix *u) {
    for (size_t c = 0; c < v->size2; c++) {
        double o = 0;
        for (size_t j = 0; j < v->size1; j++)
            o += a[j] * gsl_matrix_get(v, j, c);
        for (size_t j = 0; j < v->size1; j++)
            gsl_matrix_set(u, j, c, a[j] * (gsl_matrix_get(v, j, c) - o));
    }
}

static double contract(const gsl_matrix *u, const gsl_matrix *cu) {
    double sum = 0;
    for (size_t j = 0; j < u->size1; j++)
        for (size_t c = 0; c < u->size2; c++)
            sum += gsl_matrix_get(u, j, c) * gsl_matrix_get(cu, j, c);
    return sum;
}

/* -sum_l a_l (C U)_l: C is symmetric. */
static void fill_bias(const double *a, const gsl_matrix *cu, gsl_vector *bias) {
    for (size_t c = 0; c < cu->size2; c++) {
        double sum = 0;
        for (size_t l = 0; l < cu->size1; l++)
            sum -= a[l] * gsl_matrix_get(cu, l, c);
        gsl_vector_set(bias, c, sum);
    }
}

/* memory: m (m + d + 2 d_v + 2) doubles */
static double evaluate(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v, size_t i,
                       const covariance *c, gsl_vector *bias, double *memory) {
    const size_t m = k->size1, d = k->size2, width = v->size2;
    gsl_matrix_view gram = gsl_matrix_view_array(memory, m, m);
    gsl_matrix_view z = gsl_matrix_view_array(memory + m * m, m, d);
    gsl_matrix_view u = gsl_matrix_view_array(memory + m * (m + d), m, width);
    gsl_matrix_view cu = gsl_matrix_view_array(memory + m * (m + d + width), m, width);
    double *a = memory + m * (m + d + 2 * width), *squares = a + m;
    const double *row = q->data + i * q->tda;
    for (size_t j = 0; j < m; j++)
        for (size_t l = 0; l < d; l++)
            gsl_matrix_set(&z.matrix, j, l, row[l] + gsl_matrix_get(k, j, l));
    attention_row(row, k, a);
    centre_values(v, a, &u.matrix);
    if (lem_gram(LEM_NO_TRANS, 1, &z.matrix, &gram.matrix))
        return (double)NAN;
    fill_covariances(c, &gram.matrix, squares);
    if (!lem_all_finite(memory, m * m))
        return LEM_ERROR_NAN(GSL_EOVRFLW,
                             "row %zu: the variance of a kernel value exceeds the range of double", i);
    if (lem_gemm_finite(LEM_NO_TRANS, LEM_NO_TRANS, 1, &gram.matrix, &u.matrix, 0, &cu.matrix, 1))
        return (double)NAN;
    if (bias)
        fill_bias(a, &cu.matrix, bias);
    const double mse = contract(&u.matrix, &cu.matrix);
    if (!isfinite(mse))
        return LEM_ERROR_NAN(GSL_EOVRFLW, "row %zu: its logits or its error exceed the range of double", i);
    return mse;
}

double lem_favor_delta_mse(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v, size_t i,
                           lem_rf_kind kind, double a, gsl_vector *bias) {
    covariance c = {.kind = kind};
    if (lem_check_input(q, "Q") || lem_check_input(k, "K") || lem_check_shape(k, "K", k->size1, q->size2) ||
        lem_check_input(v, "V") || lem_check_shape(v, "V", k->size1, v->size2) ||
        (bias && lem_check_length(bias, "bias", v->size2)) || covariance_of(kind, a, k->size2, &c))
        return (double)NAN;
    if (i >= q->size1)
        return LEM_ERROR_NAN(GSL_EDOM, "i = %zu: must be below %zu, the rows of Q", i, q->size1);
    double *memory = lem_allocate(k->size1 * (k->size1 + k->size2 + 2 * v->size2 + 2), sizeof *memory);
    if (!memory)
        return (double)NAN;
    const double result = evaluate(q, k, v, i, &c, bias, memory);
    free(memory);
    return result;
}
