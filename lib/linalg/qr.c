#include "linalg/linalg.h"
#include "linalg/check.h"
#include "linalg/fortran.h"

#include <stdlib.h>
#include <string.h>

/* A in row-major order is A^T in column-major order, and the LQ factorisation A^T = L Q^T is the QR
 * factorisation A = Q R with R = L^T, in place: no transposed copy is made. */

static int lq_work_size(int n, int m, int lda, double *a, double *tau) {
    int query = -1, info = 0;
    double factor = 0, generate = 0;
    dgelqf_(&n, &m, a, &lda, tau, &factor, &query, &info);
    dorglq_(&n, &m, &n, a, &lda, tau, &generate, &query, &info);
    return (int)(factor > generate ? factor : generate);
}

static void copy_upper_triangle(const gsl_matrix *a, gsl_matrix *r) {
    for (size_t i = 0; i < r->size1; i++) {
        double *row = r->data + i * r->tda;
        memset(row, 0, i * sizeof *row);
        memcpy(row + i, a->data + i * a->tda + i, (r->size2 - i) * sizeof *row);
    }
}

int lem_qr(gsl_matrix *a, gsl_matrix *r) {
    int status;
    if ((status = lem_check_input(a, "A")))
        return status;
    if (a->size1 < a->size2)
        return LEM_ERROR(GSL_EBADLEN, "A is %zu x %zu: must have at least as many rows as columns", a->size1,
                         a->size2);
    if (r && ((status = lem_check_output(r, "R")) || (status = lem_check_shape(r, "R", a->size2, a->size2)) ||
              (status = lem_check_apart(a, "A", r, "R"))))
        return status;
    const int m = (int)a->size1, n = (int)a->size2, lda = (int)a->tda;
    double tau_query = 0;
    const int lwork = lq_work_size(n, m, lda, a->data, &tau_query);
    double *tau = lem_allocate((size_t)n + (size_t)lwork, sizeof *tau);
    if (!tau)
        return GSL_ENOMEM;
    double *work = tau + n;
    int info = 0;
    dgelqf_(&n, &m, a->data, &lda, tau, work, &lwork, &info);
    if (r)
        copy_upper_triangle(a, r);
    dorglq_(&n, &m, &n, a->data, &lda, tau, work, &lwork, &info);
    free(tau);
    return GSL_SUCCESS;
}
