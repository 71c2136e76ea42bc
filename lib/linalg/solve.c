#include "linalg/linalg.h"
#include "linalg/check.h"
#include "linalg/fortran.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static int check_solve(const gsl_matrix *a, const gsl_matrix *b) {
    int status;
    if ((status = lem_check_input(a, "A")) || (status = lem_check_input(b, "B")))
        return status;
    if (a->size1 != a->size2)
        return LEM_ERROR(GSL_EBADLEN, "A is %zu x %zu: must be square", a->size1, a->size2);
    if (b->size1 != a->size1)
        return LEM_ERROR(GSL_EBADLEN, "B is %zu x %zu: must have as many rows as A, %zu", b->size1, b->size2,
                         a->size1);
    return lem_check_apart(a, "A", b, "B");
}

/* Factor the column-major n x n matrix M = A^T = P L U and refuse it when singular to working precision.
 * work: 4 n doubles; iwork: n. */
static int factor(int n, double *lu, int *pivots, double *work, int *iwork) {
    double norm = dlange_("1", &n, &n, lu, &n, work, 1), rcond = 0;
    int info = 0;
    dgetrf_(&n, &n, lu, &n, pivots, &info);
    if (info > 0)
        return LEM_ERROR(GSL_ESING, "A is singular: pivot %d of its LU factorisation is zero", info);
    dgecon_("1", &n, lu, &n, &norm, &rcond, work, iwork, &info, 1);
    if (!(rcond >= DBL_EPSILON))
        return LEM_ERROR(GSL_ESING,
                         "A has reciprocal condition number %g: must be >= %g, it is singular to working "
                         "precision",
                         rcond, DBL_EPSILON);
    return GSL_SUCCESS;
}

/* A X = B transposed is X^T M = B^T, and row-major B is B^T in column-major order: X^T = B^T U^-1 L^-1 P^T,
 * where P^T swaps rows of the row-major X, last pivot first. */
static void back_substitute(int n, const double *lu, const int *pivots, gsl_matrix *b) {
    const int columns = (int)b->size2, ldb = (int)b->tda;
    const double one = 1;
    dtrsm_("R", "U", "N", "N", &columns, &n, &one, lu, &n, b->data, &ldb, 1, 1, 1, 1);
    dtrsm_("R", "L", "N", "U", &columns, &n, &one, lu, &n, b->data, &ldb, 1, 1, 1, 1);
    for (int i = n; i-- > 0;)
        if (pivots[i] - 1 != i)
            gsl_matrix_swap_rows(b, (size_t)i, (size_t)(pivots[i] - 1));
}

int lem_solve(const gsl_matrix *a, gsl_matrix *b) {
    int status = check_solve(a, b);
    if (status)
        return status;
    const size_t n = a->size1;
    double *lu = lem_allocate(n * n + 4 * n, sizeof *lu);
    int *pivots = lu ? lem_allocate(2 * n, sizeof *pivots) : NULL;
    if (!pivots) {
        free(lu);
        return GSL_ENOMEM;
    }
    for (size_t i = 0; i < n; i++)
        memcpy(lu + i * n, a->data + i * a->tda, n * sizeof *lu);
    status = factor((int)n, lu, pivots, lu + n * n, pivots + n);
    if (!status)
        back_substitute((int)n, lu, pivots, b);
    free(lu);
    free(pivots);
    return status;
}
