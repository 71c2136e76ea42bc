#include "linalg/linalg.h"
#include "linalg/check.h"
#include "linalg/fortran.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* dsyevd asks for 2 n^2 + 6 n + 1 doubles, counted in int. */
enum { MOST = 30000 };

static int check_lower_triangle(const gsl_matrix *a) {
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j <= i; j++)
            if (!isfinite(gsl_matrix_get(a, i, j)))
                return LEM_ERROR(GSL_EINVAL, "A[%zu][%zu] = %g: must be finite", i, j,
                                 gsl_matrix_get(a, i, j));
    return GSL_SUCCESS;
}

static int check_eigen(const gsl_matrix *a, const gsl_vector *values, const gsl_matrix *vectors) {
    int status;
    if ((status = lem_check_output(a, "A")))
        return status;
    if (a->size1 != a->size2)
        return LEM_ERROR(GSL_EBADLEN, "A is %zu x %zu: must be square", a->size1, a->size2);
    if (a->size1 > MOST)
        return LEM_ERROR(GSL_EINVAL,
                         "A is %zu x %zu: must be at most %d x %d, LAPACK counts its workspace in int",
                         a->size1, a->size2, MOST, MOST);
    if ((status = check_lower_triangle(a)) || (status = lem_check_length(values, "values", a->size1)) ||
        (status = lem_check_vector_apart(a, "A", values, "values")))
        return status;
    if (vectors && ((status = lem_check_output(vectors, "vectors")) ||
                    (status = lem_check_shape(vectors, "vectors", a->size1, a->size1)) ||
                    (status = lem_check_apart(a, "A", vectors, "vectors")) ||
                    (status = lem_check_vector_apart(vectors, "vectors", values, "values"))))
        return status;
    return GSL_SUCCESS;
}

/* Divide and conquer on the n x n buffer z, of which the row-major lower (column-major upper) triangle is
 * read. With vectors, row j of z becomes the eigenvector of w[j]. */
static int run_syevd(const char *job, int n, double *z, int ldz, double *w) {
    int query = -1, info = 0, iwork_size = 0;
    double work_size = 0;
    dsyevd_(job, "U", &n, z, &ldz, w, &work_size, &query, &iwork_size, &query, &info, 1, 1);
    double *work = lem_allocate((size_t)work_size, sizeof *work);
    int *iwork = work ? lem_allocate((size_t)iwork_size, sizeof *iwork) : NULL;
    if (!iwork) {
        free(work);
        return GSL_ENOMEM;
    }
    const int lwork = (int)work_size;
    dsyevd_(job, "U", &n, z, &ldz, w, work, &lwork, iwork, &iwork_size, &info, 1, 1);
    free(work);
    free(iwork);
    if (info > 0)
        return LEM_ERROR(GSL_EFAILED, "A: dsyevd did not converge (%d)", info);
    return GSL_SUCCESS;
}

static void transpose_square(size_t n, double *z, size_t ldz) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double t = z[i * ldz + j];
            z[i * ldz + j] = z[j * ldz + i];
            z[j * ldz + i] = t;
        }
}

int lem_symmetric_eigen(const gsl_matrix *a, gsl_vector *values, gsl_matrix *vectors) {
    int status = check_eigen(a, values, vectors);
    if (status)
        return status;
    const size_t n = a->size1;
    double *memory = lem_allocate(n + (vectors ? 0 : n * n), sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    double *w = memory, *z = vectors ? vectors->data : memory + n;
    const size_t ldz = vectors ? vectors->tda : n;
    for (size_t i = 0; i < n; i++)
        memcpy(z + i * ldz, a->data + i * a->tda, (i + 1) * sizeof *z);
    status = run_syevd(vectors ? "V" : "N", (int)n, z, (int)ldz, w);
    if (!status)
        for (size_t i = 0; i < n; i++)
            gsl_vector_set(values, i, w[i]);
    if (!status && vectors)
        transpose_square(n, z, ldz);
    free(memory);
    return status;
}
