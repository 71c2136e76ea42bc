#include "attention/landmarks.h"
#include "linalg/check.h"

#include <string.h>

static int check_segments(const gsl_matrix *x, size_t valid, const gsl_matrix *means) {
    int status;
    if ((status = lem_check_input(x, "X")) || (status = lem_check_output(means, "means")))
        return status;
    const size_t n = x->size1, m = means->size1;
    if (m > n || n % m != 0)
        return LEM_ERROR(GSL_EBADLEN, "m = %zu landmarks of n = %zu rows: m must divide n", m, n);
    if ((status = lem_check_shape(means, "means", m, x->size2)) ||
        (status = lem_check_apart(x, "X", means, "means")))
        return status;
    if (valid > n)
        return LEM_ERROR(GSL_EDOM, "valid = %zu: must be <= %zu, the number of rows", valid, n);
    if (valid != 0 && valid <= n - n / m)
        return LEM_ERROR(GSL_EDOM, "valid = %zu of %zu rows: segment %zu has none, must have at least one",
                         valid, n, (valid - 1) / (n / m) + 1);
    return GSL_SUCCESS;
}

int lem_segment_means(const gsl_matrix *x, size_t valid, gsl_matrix *means) {
    int status = check_segments(x, valid, means);
    if (status)
        return status;
    const size_t end = valid ? valid : x->size1, length = x->size1 / means->size1, d = x->size2;
    for (size_t a = 0; a < means->size1; a++) {
        double *mean = means->data + a * means->tda;
        const size_t first = a * length, last = first + length < end ? first + length : end;
        const double weight = 1 / (double)(last - first); /* before the sum, which then cannot overflow */
        memset(mean, 0, d * sizeof *mean);
        for (size_t i = first; i < last; i++)
            for (size_t c = 0; c < d; c++)
                mean[c] += weight * x->data[i * x->tda + c];
    }
    return GSL_SUCCESS;
}
