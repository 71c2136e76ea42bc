#include "attention/nystrom_error.h"
#include "attention/nystrom.h"
#include "linalg/check.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>

static int check_split(const gsl_matrix *s, const gsl_matrix *f, const gsl_matrix *z, const gsl_matrix *b) {
    int status;
    if ((status = lem_check_input(s, "S")) || (status = lem_check_input(f, "F")) ||
        (status = lem_check_input(z, "Z")) || (status = lem_check_input(b, "B")) ||
        (status = lem_check_shape(f, "F", s->size1, z->size1)) ||
        (status = lem_check_shape(b, "B", z->size2, s->size2)) ||
        (status = lem_check_shape(z, "Z", z->size1, z->size1)))
        return status;
    if (z->size1 > s->size1 || z->size1 > s->size2)
        return LEM_ERROR(GSL_EBADLEN, "Z is %zu x %zu and S %zu x %zu: Z must not be larger", z->size1,
                         z->size2, s->size1, s->size2);
    return GSL_SUCCESS;
}

/* Singular vectors of `x` on one side, those below the cut set to zero: `left`: n x m of an n x m matrix,
 * else k x m of an m x k one. `memory`: max(n, k) m + m doubles for the rest. */
static int basis(const gsl_matrix *x, bool left, double *memory, gsl_matrix *out) {
    const size_t r = out->size2;
    gsl_matrix other = gsl_matrix_view_array(memory, left ? x->size2 : x->size1, r).matrix;
    gsl_vector sigma = gsl_vector_view_array(memory + r * r, r).vector;
    int status = left ? lem_svd(x, out, &sigma, &other) : lem_svd(x, &other, &sigma, out);
    if (status)
        return status;
    for (size_t j = 0; j < r; j++)
        for (size_t i = 0; i < out->size1; i++)
            if (!(sigma.data[j] > 1e-12 * sigma.data[0]))
                out->data[i * r + j] = 0;
    return GSL_SUCCESS;
}

/* out = U (U^T S W) W^T; core m x m, half n x m */
static int project(const gsl_matrix *s, const gsl_matrix *u, const gsl_matrix *w, gsl_matrix *half,
                   gsl_matrix *core, gsl_matrix *out) {
    int status;
    if ((status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, s, w, 0, half, 1)) ||
        (status = lem_gemm(LEM_TRANS, LEM_NO_TRANS, 1, u, half, 0, core, 1)) ||
        (status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, u, core, 0, half, 1)))
        return status;
    return lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, half, w, 0, out, 1);
}

static double distance(const gsl_matrix *a, const gsl_matrix *b, gsl_matrix *difference) {
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++)
            difference->data[i * difference->tda + j] = a->data[i * a->tda + j] - b->data[i * b->tda + j];
    return lem_frobenius_norm(difference);
}

int lem_nystrom_error_split(const gsl_matrix *s, const gsl_matrix *f, const gsl_matrix *z,
                            const gsl_matrix *b, double *subspace, double *middle) {
    int status = check_split(s, f, z, b);
    if (status)
        return status;
    const size_t n = s->size1, k = s->size2, m = z->size1;
    double *memory = lem_allocate(2 * n * k + 2 * n * m + k * m + m * m + m * m + m, sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    double *at = memory;
    gsl_matrix projected = gsl_matrix_view_array(at, n, k).matrix,
               other = gsl_matrix_view_array(at += n * k, n, k).matrix,
               u = gsl_matrix_view_array(at += n * k, n, m).matrix,
               half = gsl_matrix_view_array(at += n * m, n, m).matrix,
               w = gsl_matrix_view_array(at += n * m, k, m).matrix,
               core = gsl_matrix_view_array(at += k * m, m, m).matrix;
    at += m * m;
    double parts[2];
    if (!(status = basis(f, true, at, &u)) && !(status = basis(b, false, at, &w)) &&
        !(status = project(s, &u, &w, &half, &core, &projected))) {
        parts[0] = distance(s, &projected, &other);
        if (!(status = lem_nystrom_product(f, z, b, 1, &other)))
            parts[1] = distance(&projected, &other, &other);
    }
    free(memory);
    if (status)
        return status;
    if (!isfinite(parts[0]) || !isfinite(parts[1]))
        return LEM_ERROR(GSL_EOVRFLW, "the error exceeds the range of double: %g and %g", parts[0], parts[1]);
    if (subspace)
        *subspace = parts[0];
    if (middle)
        *middle = parts[1];
    return GSL_SUCCESS;
}

double lem_eckart_young(const gsl_matrix *s, size_t m) {
    if (lem_check_input(s, "S"))
        return NAN;
    const size_t r = s->size1 < s->size2 ? s->size1 : s->size2;
    if (m > r)
        return LEM_ERROR_NAN(GSL_EDOM, "m = %zu: must be <= %zu, the smaller side of S", m, r);
    double *sigma = lem_allocate(r, sizeof *sigma);
    if (!sigma)
        return NAN;
    gsl_vector view = gsl_vector_view_array(sigma, r).vector;
    double norm = NAN;
    if (!lem_svd(s, NULL, &view, NULL)) {
        norm = 0;
        for (size_t i = r; i-- > m;) /* from the smallest on */
            norm = hypot(norm, sigma[i]);
    }
    free(sigma);
    if (isinf(norm))
        return LEM_ERROR_NAN(GSL_EOVRFLW, "m = %zu: the norm exceeds the range of double", m);
    return norm;
}

static int check_sizes(double n, double m, double d) {
    const double limit = 9007199254740992; /* 2^53 */
    if (!(n >= 1 && n <= limit && n == floor(n)))
        return LEM_ERROR(GSL_EDOM, "n = %g: must be a whole number from 1 to 2^53", n);
    if (!(m >= 1 && m <= n && m == floor(m)))
        return LEM_ERROR(GSL_EDOM, "m = %g: must be a whole number from 1 to n = %g", m, n);
    if (!(d >= 1 && d <= limit && d == floor(d)))
        return LEM_ERROR(GSL_EDOM, "d = %g: must be a whole number from 1 to 2^53", d);
    return GSL_SUCCESS;
}

double lem_nystrom_flops(double n, double m, double d) {
    if (check_sizes(n, m, d))
        return NAN;
    return 8 * n * m * d + 4 * m * m * d + 48 * m * m * m;
}

double lem_nystrom_equal_cost_features(double n, double m, double d) {
    if (check_sizes(n, m, d))
        return NAN;
    return m + m * m / (2 * n) + 6 * m * m * m / (n * d);
}
