#include "attention/shift.h"
#include "linalg/check.h"

#include <float.h>
#include <math.h>

/* The distance of any two entries of a column, and so that of each to the mean, must be a double. */
static int check_ranges(const gsl_matrix *k) {
    for (size_t l = 0; l < k->size2; l++) {
        double least = gsl_matrix_get(k, 0, l), most = least;
        for (size_t j = 1; j < k->size1; j++) {
            least = fmin(least, gsl_matrix_get(k, j, l));
            most = fmax(most, gsl_matrix_get(k, j, l));
        }
        if (!isfinite(most - least))
            return LEM_ERROR(GSL_EOVRFLW, "column %zu of K reaches from %g to %g: too far for double", l,
                             least, most);
    }
    return GSL_SUCCESS;
}

int lem_centre_keys(gsl_matrix *k, gsl_vector *mean) {
    int status;
    if ((status = lem_check_input(k, "K")) || (mean && (status = lem_check_length(mean, "mean", k->size2))) ||
        (status = check_ranges(k)))
        return status;
    for (size_t l = 0; l < k->size2; l++) {
        const double first = gsl_matrix_get(k, 0, l);
        double sum = 0;
        for (size_t j = 0; j < k->size1; j++)
            sum += (gsl_matrix_get(k, j, l) - first) / (double)k->size1;
        const double middle = first + sum;
        for (size_t j = 0; j < k->size1; j++)
            gsl_matrix_set(k, j, l, gsl_matrix_get(k, j, l) - middle);
        if (mean)
            gsl_vector_set(mean, l, middle);
    }
    return GSL_SUCCESS;
}

/* sqrt of the mean square of column l, without overflow. */
static double root_mean_square(const gsl_matrix *m, size_t l) {
    double sum = 0;
    for (size_t i = 0; i < m->size1; i++)
        sum = hypot(sum, gsl_matrix_get(m, i, l));
    if (isfinite(sum))
        return sum / sqrt((double)m->size1);
    sum = 0;
    for (size_t i = 0; i < m->size1; i++) /* the root of the sum overflowed, that of the mean does not */
        sum = hypot(sum, gsl_matrix_get(m, i, l) / sqrt((double)m->size1));
    return fmin(sum, DBL_MAX);
}

/* psi_l; between 1e-316 and 1e316. */
static double factor_of(const gsl_matrix *q, const gsl_matrix *k, size_t l) {
    const double of_q = root_mean_square(q, l), of_k = root_mean_square(k, l);
    return of_q > 0 && of_k > 0 ? sqrt(of_k) / sqrt(of_q) : 1;
}

static double largest(const gsl_matrix *m, size_t l) {
    double most = 0;
    for (size_t i = 0; i < m->size1; i++)
        most = fmax(most, fabs(gsl_matrix_get(m, i, l)));
    return most;
}

static int check_factors(const gsl_matrix *q, const gsl_matrix *k) {
    for (size_t l = 0; l < q->size2; l++) {
        const double factor = factor_of(q, k, l);
        if (!(factor >= DBL_MIN && factor <= DBL_MAX))
            return LEM_ERROR(GSL_EOVRFLW, "column %zu: psi = %g leaves the range of double", l, factor);
        if (!isfinite(largest(q, l) * factor) || !isfinite(largest(k, l) / factor))
            return LEM_ERROR(GSL_EOVRFLW, "column %zu: balanced by psi = %g it exceeds the range of double",
                             l, factor);
    }
    return GSL_SUCCESS;
}

int lem_balance_coordinates(gsl_matrix *q, gsl_matrix *k, gsl_vector *psi) {
    int status;
    if ((status = lem_check_input(q, "Q")) || (status = lem_check_input(k, "K")) ||
        (status = lem_check_shape(k, "K", k->size1, q->size2)) ||
        (psi && (status = lem_check_length(psi, "psi", q->size2))) ||
        (status = lem_check_apart(q, "Q", k, "K")) || (status = check_factors(q, k)))
        return status;
    for (size_t l = 0; l < q->size2; l++) {
        const double factor = factor_of(q, k, l);
        for (size_t i = 0; i < q->size1; i++)
            gsl_matrix_set(q, i, l, gsl_matrix_get(q, i, l) * factor);
        for (size_t j = 0; j < k->size1; j++)
            gsl_matrix_set(k, j, l, gsl_matrix_get(k, j, l) / factor);
        if (psi)
            gsl_vector_set(psi, l, factor);
    }
    return GSL_SUCCESS;
}
