#include "linalg/linalg.h"
#include "linalg/check.h"
#include "linalg/fortran.h"
#include "linalg/transpose.h"

#include <stdlib.h>
#include <string.h>

/* On a transposed copy: the LQ factorisation of A^T would need none, but its panels run along rows, and took
 * 1.1 (square) to 1.7 (60,000 x 60) times as long. */

static int qr_work_size(int m, int n, double *a, double *tau) {
    int query = -1, info = 0;
    double factor = 0, generate = 0;
    dgeqrf_(&m, &n, a, &m, tau, &factor, &query, &info);
    dorgqr_(&m, &n, &n, a, &m, tau, &generate, &query, &info);
    return (int)(factor > generate ? factor : generate);
}

static void copy_upper_triangle(const double *columns, size_t m, gsl_matrix *r) {
    for (size_t i = 0; i < r->size1; i++) {
        memset(r->data + i * r->tda, 0, i * sizeof *r->data);
        for (size_t j = i; j < r->size2; j++)
            r->data[i * r->tda + j] = columns[j * m + i];
    }
}

static int check_qr(const gsl_matrix *a, const gsl_matrix *r) {
    int status;
    if ((status = lem_check_input(a, "A")))
        return status;
    if (a->size1 < a->size2)
        return LEM_ERROR(GSL_EBADLEN, "A is %zu x %zu: must have at least as many rows as columns", a->size1,
                         a->size2);
    if (r && ((status = lem_check_output(r, "R")) || (status = lem_check_shape(r, "R", a->size2, a->size2)) ||
              (status = lem_check_apart(a, "A", r, "R"))))
        return status;
    return GSL_SUCCESS;
}

int lem_qr(gsl_matrix *a, gsl_matrix *r) {
    int status = check_qr(a, r);
    if (status)
        return status;
    const int m = (int)a->size1, n = (int)a->size2;
    double query = 0;
    const int lwork = qr_work_size(m, n, &query, &query);
    double *columns = lem_allocate(a->size1 * a->size2 + a->size2 + (size_t)lwork, sizeof *columns);
    if (!columns)
        return GSL_ENOMEM;
    double *tau = columns + a->size1 * a->size2, *work = tau + n;
    int info = 0;
    lem_transpose(a->size1, a->size2, a->data, a->tda, columns, a->size1);
    dgeqrf_(&m, &n, columns, &m, tau, work, &lwork, &info);
    if (r)
        copy_upper_triangle(columns, a->size1, r);
    dorgqr_(&m, &n, &n, columns, &m, tau, work, &lwork, &info);
    lem_transpose(a->size2, a->size1, columns, a->size1, a->data, a->tda);
    free(columns);
    return GSL_SUCCESS;
}
