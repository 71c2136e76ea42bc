#include "linalg/check.h"
#include "linalg/fortran.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check_determinant(const gsl_matrix *a, const double *log_size, const int *sign) {
    int status = lem_check_input(a, "A");
    if (status)
        return status;
    if (a->size1 != a->size2)
        return LEM_ERROR(GSL_EBADLEN, "A is %zu x %zu: must be square", a->size1, a->size2);
    if (!log_size || !sign)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must be a place for the result",
                         log_size ? "sign" : "log_size");
    return GSL_SUCCESS;
}

int lem_log_determinant(const gsl_matrix *a, double *log_size, int *sign) {
    const int status = check_determinant(a, log_size, sign);
    if (status)
        return status;
    const size_t n = a->size1;
    double *lu = lem_allocate(n * n, sizeof *lu);
    int *pivots = lu ? lem_allocate(n, sizeof *pivots) : NULL;
    if (!pivots) {
        free(lu);
        return GSL_ENOMEM;
    }
    for (size_t i = 0; i < n; i++)
        memcpy(lu + i * n, a->data + i * a->tda, n * sizeof *lu);
    const int order = (int)n;
    int info = 0; /* > 0: a pivot is zero, and so is the determinant */
    dgetrf_(&order, &order, lu, &order, pivots, &info);
    *log_size = 0;
    *sign = 1;
    for (size_t i = 0; i < n; i++) {
        const double pivot = lu[i * n + i];
        *log_size += log(fabs(pivot));
        if (pivot == 0)
            *sign = 0;
        else if ((pivot < 0) != (pivots[i] != (int)i + 1))
            *sign = -*sign;
    }
    free(lu);
    free(pivots);
    return GSL_SUCCESS;
}
