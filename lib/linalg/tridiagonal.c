#include "linalg/check.h"
#include "linalg/fortran.h"
#include "linalg/linalg.h"

/* A band of the matrix: contiguous and finite. */
static int check_band(const gsl_vector *v, const char *name, size_t n) {
    const int status = lem_check_length(v, name, n);
    if (status)
        return status;
    if (v->stride != 1)
        return LEM_ERROR(GSL_EINVAL, "%s has stride %zu: must be 1", name, v->stride);
    if (!lem_all_finite(v->data, n))
        return LEM_ERROR(GSL_EINVAL, "%s holds NaN or infinity: must be finite", name);
    return GSL_SUCCESS;
}

/* lower and upper of one matrix are told apart from each other, the diagonal and B. */
static int check_tridiagonal(const gsl_vector *lower, const gsl_vector *diagonal, const gsl_vector *upper,
                             const gsl_matrix *b) {
    int status = lem_check_input(b, "B");
    if (status)
        return status;
    const size_t n = b->size2;
    if ((status = check_band(diagonal, "diagonal", n)) ||
        (status = lem_check_vector_apart(b, "B", diagonal, "diagonal")))
        return status;
    if (n == 1)
        return GSL_SUCCESS;
    if ((status = check_band(lower, "lower", n - 1)) || (status = check_band(upper, "upper", n - 1)) ||
        (status = lem_check_vector_apart(b, "B", lower, "lower")) ||
        (status = lem_check_vector_apart(b, "B", upper, "upper")))
        return status;
    if (lower->data < upper->data + n - 1 && upper->data < lower->data + n - 1)
        return LEM_ERROR(GSL_EINVAL, "lower overlaps upper in memory: must be apart");
    return GSL_SUCCESS;
}

int lem_solve_tridiagonal(gsl_vector *lower, gsl_vector *diagonal, gsl_vector *upper, gsl_matrix *b) {
    const int status = check_tridiagonal(lower, diagonal, upper, b);
    if (status)
        return status;
    const int n = (int)b->size2, sides = (int)b->size1, ldb = (int)b->tda;
    double none = 0;
    int info = 0;
    dgtsv_(&n, &sides, n > 1 ? lower->data : &none, diagonal->data, n > 1 ? upper->data : &none, b->data,
           &ldb, &info);
    if (info > 0)
        return LEM_ERROR(GSL_ESING, "the tridiagonal matrix is singular: pivot %d is zero", info);
    return GSL_SUCCESS;
}
