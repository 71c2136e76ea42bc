#include "attention/pinv.h"
#include "linalg/check.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct lem_pinv_workspace {
    size_t m;
    double *y, *s, *t; /* m x m each, in one piece of memory that begins at y */
};

lem_pinv_workspace *lem_pinv_workspace_alloc(size_t m) {
    if (m == 0) {
        (void)LEM_ERROR(GSL_EDOM, "m = 0: must be >= 1");
        return NULL;
    }
    if (m > SIZE_MAX / 3 / m) {
        (void)LEM_ERROR(GSL_ENOMEM, "m = %zu: no memory for matrices of that size", m);
        return NULL;
    }
    lem_pinv_workspace *w = lem_allocate(1, sizeof *w);
    double *memory = w ? lem_allocate(3 * m * m, sizeof *memory) : NULL;
    if (!memory) {
        free(w);
        return NULL;
    }
    *w = (lem_pinv_workspace){m, memory, memory + m * m, memory + 2 * m * m};
    return w;
}

void lem_pinv_workspace_free(lem_pinv_workspace *workspace) {
    if (workspace)
        free(workspace->y);
    free(workspace);
}

static int check_square(const gsl_matrix *a, const gsl_matrix *z) {
    int status;
    if ((status = lem_check_input(a, "A")) || (status = lem_check_output(z, "Z")))
        return status;
    if (a->size1 != a->size2)
        return LEM_ERROR(GSL_EBADLEN, "A is %zu x %zu: must be square", a->size1, a->size2);
    if ((status = lem_check_shape(z, "Z", a->size1, a->size1)))
        return status;
    return lem_check_apart(a, "A", z, "Z");
}

static int check_method(lem_pinv_method method) {
    if (method != LEM_PINV_CHEBYSHEV4 && method != LEM_PINV_NEWTON && method != LEM_PINV_HYPERPOWER3)
        return LEM_ERROR(GSL_EINVAL, "method = %d: must be a lem_pinv_method", (int)method);
    return GSL_SUCCESS;
}

/* The largest sum of absolute values along a row, or along a column. */
static double largest_sum(const gsl_matrix *a, bool rows) {
    double most = 0;
    for (size_t i = 0; i < a->size1; i++) {
        double sum = 0;
        for (size_t j = 0; j < a->size1; j++)
            sum += fabs(rows ? a->data[i * a->tda + j] : a->data[j * a->tda + i]);
        most = fmax(most, sum);
    }
    return most;
}

int lem_pinv_start(const gsl_matrix *a, gsl_matrix *z) {
    int status = check_square(a, z);
    if (status)
        return status;
    const double one = largest_sum(a, false), infinity = largest_sum(a, true);
    if (one == 0)
        return LEM_ERROR(GSL_ESING, "A is zero: must have an entry that is not");
    if (!isfinite(one) || !isfinite(infinity))
        return LEM_ERROR(GSL_EOVRFLW, "A: a sum of its entries exceeds the range of double");
    if (!isfinite(1 / infinity)) /* no entry of Z is larger: |A_ij| <= ||A||_1 */
        return LEM_ERROR(GSL_EOVRFLW, "A: its largest row sum is %g, its inverse exceeds the range of double",
                         infinity);
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size1; j++)
            z->data[j * z->tda + i] = a->data[i * a->tda + j] / one / infinity;
    return GSL_SUCCESS;
}

/* out = c I - Y T */
static int nest(double c, const gsl_matrix *y, const gsl_matrix *t, gsl_matrix *out) {
    int status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, -1, y, t, 0, out, 1);
    for (size_t i = 0; !status && i < out->size1; i++)
        out->data[i * out->tda + i] += c;
    return status;
}

/* T = c I - Y */
static void complement(double c, const gsl_matrix *y, gsl_matrix *t) {
    for (size_t i = 0; i < y->size1; i++)
        for (size_t j = 0; j < y->size1; j++)
            t->data[i * t->tda + j] = (i == j ? c : 0) - y->data[i * y->tda + j];
}

int lem_pinv_step(const gsl_matrix *a, lem_pinv_method method, lem_pinv_workspace *workspace, gsl_matrix *z) {
    int status;
    if ((status = check_square(a, z)) || (status = lem_check_input(z, "Z")) ||
        (status = check_method(method)))
        return status;
    if (!workspace)
        return LEM_ERROR(GSL_EFAULT, "workspace = null: must come from lem_pinv_workspace_alloc");
    const size_t m = a->size1;
    if (workspace->m != m)
        return LEM_ERROR(GSL_EBADLEN, "workspace is for %zu x %zu matrices: A is %zu x %zu", workspace->m,
                         workspace->m, m, m);
    gsl_matrix y = gsl_matrix_view_array(workspace->y, m, m).matrix,
               s = gsl_matrix_view_array(workspace->s, m, m).matrix,
               t = gsl_matrix_view_array(workspace->t, m, m).matrix;
    if ((status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, a, z, 0, &y, 1)))
        return status;
    double factor = 1;
    switch (method) {
    case LEM_PINV_NEWTON:
        complement(2, &y, &t);
        break;
    case LEM_PINV_HYPERPOWER3:
        complement(3, &y, &s);
        status = nest(3, &y, &s, &t);
        break;
    case LEM_PINV_CHEBYSHEV4:
        complement(7, &y, &t);
        if (!(status = nest(15, &y, &t, &s)))
            status = nest(13, &y, &s, &t);
        factor = 0.25;
        break;
    }
    if (status || (status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, factor, z, &t, 0, &s, 1)))
        return status;
    if (!lem_all_finite(s.data, m * m))
        return LEM_ERROR(GSL_EOVRFLW, "Z: a step from it leaves the range of double");
    gsl_matrix_memcpy(z, &s);
    return GSL_SUCCESS;
}

/* Many steps need a matrix that is not singular. */
static int check_steps(const gsl_matrix *a, int steps) {
    static const int safe_steps = 30;
    static const double largest_condition = 1e12;
    if (steps < 0)
        return LEM_ERROR(GSL_EDOM, "steps = %d: must be >= 0", steps);
    if (steps <= safe_steps)
        return GSL_SUCCESS;
    double *memory = lem_allocate(a->size1, sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    gsl_vector sigma = gsl_vector_view_array(memory, a->size1).vector;
    int status = lem_svd(a, NULL, &sigma, NULL);
    const double most = memory[0], least = memory[a->size1 - 1];
    free(memory);
    if (!status && !(least * largest_condition >= most))
        return LEM_ERROR(
            GSL_EDOM,
            "steps = %d: must be <= %d for A with condition number %g > %g, rounding errors grow "
            "along its null space",
            steps, safe_steps, most / least, largest_condition);
    return status;
}

int lem_pinv_iterate(const gsl_matrix *a, lem_pinv_method method, int steps, gsl_matrix *z) {
    int status;
    if ((status = check_square(a, z)) || (status = check_method(method)) ||
        (status = check_steps(a, steps)) || (status = lem_pinv_start(a, z)))
        return status;
    lem_pinv_workspace *workspace = lem_pinv_workspace_alloc(a->size1);
    if (!workspace)
        return GSL_ENOMEM;
    for (int k = 0; k < steps && !status; k++)
        status = lem_pinv_step(a, method, workspace, z);
    lem_pinv_workspace_free(workspace);
    return status;
}

/* --- from singular values */

/* Z = V diag(f(sigma_i)) U^T: f = 1/sigma above the cut, or sigma/(sigma^2 + lambda). */
typedef struct {
    double rcond, lambda;
} spectral_rule;

static double inverted(double sigma, double sigma_1, const spectral_rule *rule) {
    if (rule->lambda > 0) /* in this order neither overflows nor loses a tiny sigma's square */
        return 1 / (sigma + rule->lambda / sigma);
    return sigma > rule->rcond * sigma_1 ? 1 / sigma : 0;
}

static int spectral_inverse(const gsl_matrix *a, const spectral_rule *rule, gsl_matrix *z) {
    const size_t m = a->size1;
    double *memory = lem_allocate(m, (2 * m + 1) * sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix u = gsl_matrix_view_array(memory, m, m).matrix,
               v = gsl_matrix_view_array(memory + m * m, m, m).matrix;
    gsl_vector s = gsl_vector_view_array(memory + 2 * m * m, m).vector;
    int status = lem_svd(a, &u, &s, &v);
    if (!status) {
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++)
                v.data[i * m + j] *= s.data[j] > 0 ? inverted(s.data[j], s.data[0], rule) : 0;
        status = lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, &v, &u, 0, z, 1);
    }
    free(memory);
    return status;
}

int lem_pinv_svd(const gsl_matrix *a, double rcond, gsl_matrix *z) {
    int status = check_square(a, z);
    if (status)
        return status;
    if (!(rcond >= 0 && rcond < 1))
        return LEM_ERROR(GSL_EDOM, "rcond = %g: must be >= 0 and < 1", rcond);
    return spectral_inverse(a, &(spectral_rule){.rcond = rcond}, z);
}

int lem_tikhonov_inverse(const gsl_matrix *a, double lambda, gsl_matrix *z) {
    int status = check_square(a, z);
    if (status)
        return status;
    if (!(lambda > 0) || !isfinite(lambda))
        return LEM_ERROR(GSL_EDOM, "lambda = %g: must be > 0 and finite", lambda);
    return spectral_inverse(a, &(spectral_rule){.lambda = lambda}, z);
}
