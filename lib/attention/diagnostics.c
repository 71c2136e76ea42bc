#include "attention/diagnostics.h"
#include "attention/softmax_kernel.h"
#include "linalg/check.h"
#include "linalg/linalg.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double SUM_TOLERANCE = 1e-9;

static int check_stochastic(const gsl_matrix *a, const char *name) {
    int status = lem_check_input(a, name);
    if (status)
        return status;
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    for (size_t i = 0; i < a->size1; i++) {
        const double *row = a->data + i * a->tda;
        for (size_t j = 0; j < a->size2; j++)
            if (row[j] < 0)
                return LEM_ERROR(GSL_EDOM, "%s[%zu][%zu] = %g: must be >= 0", name, i, j, row[j]);
        const double sum = kernel->sum(row, a->size2);
        if (!(fabs(sum - 1) <= SUM_TOLERANCE))
            return LEM_ERROR(GSL_EDOM, "row %zu of %s sums to %.17g: must be 1 up to %g", i, name, sum,
                             SUM_TOLERANCE);
    }
    return GSL_SUCCESS;
}

typedef double row_function(const double *a, const double *b, size_t n);

/* b NULL: a function of one matrix. */
static int by_rows(row_function *f, const gsl_matrix *a, const gsl_matrix *b, gsl_vector *rows,
                   double *mean) {
    int status = rows ? lem_check_length(rows, "rows", a->size1) : GSL_SUCCESS;
    if (status || (rows && (status = lem_check_vector_apart(a, "A", rows, "rows"))) ||
        (rows && b && (status = lem_check_vector_apart(b, "B", rows, "rows"))))
        return status;
    double sum = 0, lost = 0; /* Kahan's sum */
    for (size_t i = 0; i < a->size1; i++) {
        const double value = f(a->data + i * a->tda, b ? b->data + i * b->tda : NULL, a->size2);
        if (!isfinite(value))
            return LEM_ERROR(GSL_EOVRFLW, "row %zu: its sum exceeds the range of double", i);
        if (rows)
            rows->data[i * rows->stride] = value;
        const double term = value - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    if (!isfinite(sum))
        return LEM_ERROR(GSL_EOVRFLW, "the sum over all rows exceeds the range of double");
    if (mean)
        *mean = sum / (double)a->size1;
    return GSL_SUCCESS;
}

static double entropy_of(const double *a, const double *b, size_t n) {
    (void)b;
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum -= a[j] > 0 ? a[j] * log(a[j]) : 0;
    return sum;
}

static double squares_of(const double *a, const double *b, size_t n) {
    (void)b;
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += a[j] * a[j];
    return sum;
}

static double variation_of(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += fabs(a[j] - b[j]);
    return sum / 2;
}

static double divergence_of(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        if (a[j] > 0)
            sum += a[j] * (log(a[j]) - log(b[j] > DBL_MIN ? b[j] : DBL_MIN));
    return sum;
}

int lem_row_entropy(const gsl_matrix *a, gsl_vector *rows, double *mean) {
    int status = check_stochastic(a, "A");
    return status ? status : by_rows(entropy_of, a, NULL, rows, mean);
}

int lem_participation(const gsl_matrix *a, gsl_vector *rows, double *mean) {
    int status = check_stochastic(a, "A");
    return status ? status : by_rows(squares_of, a, NULL, rows, mean);
}

int lem_total_variation(const gsl_matrix *a, const gsl_matrix *b, gsl_vector *rows, double *mean) {
    int status;
    if ((status = lem_check_input(a, "A")) || (status = lem_check_input(b, "B")) ||
        (status = lem_check_shape(b, "B", a->size1, a->size2)))
        return status;
    return by_rows(variation_of, a, b, rows, mean);
}

int lem_kl_divergence(const gsl_matrix *a, const gsl_matrix *b, gsl_vector *rows, double *mean) {
    int status;
    if ((status = check_stochastic(a, "A")) || (status = check_stochastic(b, "B")) ||
        (status = lem_check_shape(b, "B", a->size1, a->size2)))
        return status;
    return by_rows(divergence_of, a, b, rows, mean);
}

/* --- rank */

static int check_singular_values(const gsl_vector *sigma) {
    if (!sigma || !sigma->data)
        return LEM_ERROR(GSL_EFAULT, "sigma = null: must be a vector");
    if (sigma->size == 0)
        return LEM_ERROR(GSL_EBADLEN, "sigma is empty: must have at least one entry");
    for (size_t i = 0; i < sigma->size; i++) {
        const double s = sigma->data[i * sigma->stride];
        if (!(s >= 0) || !isfinite(s))
            return LEM_ERROR(GSL_EINVAL, "sigma[%zu] = %g: must be >= 0 and finite", i, s);
    }
    return GSL_SUCCESS;
}

static double largest(const gsl_vector *sigma) {
    double most = 0;
    for (size_t i = 0; i < sigma->size; i++)
        most = fmax(most, sigma->data[i * sigma->stride]);
    return most;
}

/* Singular values of A in `memory`, which the caller frees also after an error. */
static int singular_values(const gsl_matrix *a, double **memory, gsl_vector *sigma) {
    int status = lem_check_input(a, "A");
    if (status)
        return status;
    const size_t n = a->size1 < a->size2 ? a->size1 : a->size2;
    *memory = lem_allocate(n, sizeof **memory);
    if (!*memory)
        return GSL_ENOMEM;
    *sigma = gsl_vector_view_array(*memory, n).vector;
    return lem_svd(a, NULL, sigma, NULL);
}

static int check_eps(double eps) {
    if (!(eps >= 0 && eps < 1))
        return LEM_ERROR(GSL_EDOM, "eps = %g: must be >= 0 and < 1", eps);
    return GSL_SUCCESS;
}

int lem_numerical_rank_of(const gsl_vector *sigma, double eps, size_t *rank) {
    int status;
    if ((status = check_singular_values(sigma)) || (status = check_eps(eps)))
        return status;
    if (!rank)
        return LEM_ERROR(GSL_EFAULT, "rank = null: must point to a size_t");
    const double limit = eps * largest(sigma);
    *rank = 0;
    for (size_t i = 0; i < sigma->size; i++)
        *rank += sigma->data[i * sigma->stride] > limit;
    return GSL_SUCCESS;
}

int lem_numerical_rank(const gsl_matrix *a, double eps, size_t *rank) {
    int status = check_eps(eps);
    if (status)
        return status;
    double *memory = NULL;
    gsl_vector sigma = {0};
    if (!(status = singular_values(a, &memory, &sigma)))
        status = lem_numerical_rank_of(&sigma, eps, rank);
    free(memory);
    return status;
}

double lem_effective_rank_of(const gsl_vector *sigma) {
    if (check_singular_values(sigma))
        return NAN;
    const double most = largest(sigma);
    if (most == 0)
        return LEM_ERROR_NAN(GSL_EDOM, "sigma = 0: at least one singular value must be positive");
    double sum = 0, weighted = 0; /* relative to the largest: H = log sum - weighted / sum */
    for (size_t i = 0; i < sigma->size; i++) {
        const double s = sigma->data[i * sigma->stride] / most;
        sum += s;
        weighted += s > 0 ? s * log(s) : 0;
    }
    return sum * exp(-weighted / sum);
}

double lem_effective_rank(const gsl_matrix *a) {
    double *memory = NULL;
    gsl_vector sigma = {0};
    const double rank = singular_values(a, &memory, &sigma) ? NAN : lem_effective_rank_of(&sigma);
    free(memory);
    return rank;
}
