#include "linalg/linalg.h"
#include "linalg/check.h"
#include "linalg/fortran.h"
#include "linalg/transpose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* dgesdd asks for 4 r^2 + 7 r doubles and 3 r + max(m, n) or so besides: counted in int. */
enum { MOST = 20000 };

static int check_svd(const gsl_matrix *a, const gsl_matrix *u, const gsl_vector *s, const gsl_matrix *v) {
    int status;
    if ((status = lem_check_input(a, "A")))
        return status;
    size_t r = a->size1 < a->size2 ? a->size1 : a->size2;
    if (r > MOST)
        return LEM_ERROR(GSL_EINVAL,
                         "A is %zu x %zu: the smaller side must be <= %d, LAPACK counts its workspace in int",
                         a->size1, a->size2, MOST);
    if ((status = lem_check_length(s, "S", r)) || (status = lem_check_vector_apart(a, "A", s, "S")))
        return status;
    if (!u && !v)
        return GSL_SUCCESS;
    if (!u || !v)
        return LEM_ERROR(GSL_EFAULT, "%s = null but %s is not: give both or neither", u ? "V" : "U",
                         u ? "U" : "V");
    if ((status = lem_check_output(u, "U")) || (status = lem_check_output(v, "V")) ||
        (status = lem_check_shape(u, "U", a->size1, r)) || (status = lem_check_shape(v, "V", a->size2, r)) ||
        (status = lem_check_apart(a, "A", u, "U")) || (status = lem_check_apart(a, "A", v, "V")) ||
        (status = lem_check_apart(u, "U", v, "V")) || (status = lem_check_vector_apart(u, "U", s, "S")) ||
        (status = lem_check_vector_apart(v, "V", s, "S")))
        return status;
    return GSL_SUCCESS;
}

/* The buffer of row-major A is A^T = V S U^T in column-major order: LAPACK's "VT" is U^T, which in row-major
 * order is U, written in place; its "U" is V in column-major order, and is transposed afterwards. */
typedef struct {
    int n, m, r, lda, ldv, ldu; /* A^T is n x m */
    const char *job;
    double *a, *s, *v, *u;
} svd_call;

static int run_gesdd(const svd_call *call, double *work, int lwork, int *iwork) {
    int info = 0;
    dgesdd_(call->job, &call->n, &call->m, call->a, &call->lda, call->s, call->v, &call->ldv, call->u,
            &call->ldu, work, &lwork, iwork, &info, 1);
    return info;
}

static int svd_with_workspace(const svd_call *call) {
    double size = 0;
    int no_iwork = 0;
    run_gesdd(call, &size, -1, &no_iwork);
    double *work = lem_allocate((size_t)size, sizeof *work);
    int *iwork = work ? lem_allocate(8 * (size_t)call->r, sizeof *iwork) : NULL;
    if (!iwork) {
        free(work);
        return GSL_ENOMEM;
    }
    int info = run_gesdd(call, work, (int)size, iwork);
    free(work);
    free(iwork);
    if (info > 0)
        return LEM_ERROR(GSL_EFAILED, "A: dgesdd did not converge (%d)", info);
    return GSL_SUCCESS;
}

static void store_results(const svd_call *call, gsl_vector *s, gsl_matrix *v) {
    for (size_t j = 0; j < s->size; j++)
        gsl_vector_set(s, j, call->s[j]);
    if (v)
        lem_transpose(v->size2, v->size1, call->v, v->size1, v->data, v->tda);
}

int lem_svd(const gsl_matrix *a, gsl_matrix *u, gsl_vector *s, gsl_matrix *v) {
    int status = check_svd(a, u, s, v);
    if (status)
        return status;
    const size_t m = a->size1, n = a->size2, r = m < n ? m : n;
    double *memory = lem_allocate(m * n + r + (v ? n * r : 1), sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    for (size_t i = 0; i < m; i++)
        memcpy(memory + i * n, a->data + i * a->tda, n * sizeof *memory);
    double unused = 0;
    svd_call call = {.n = (int)n,
                     .m = (int)m,
                     .r = (int)r,
                     .lda = (int)n,
                     .ldv = (int)n,
                     .ldu = u ? (int)u->tda : (int)r,
                     .job = u ? "S" : "N",
                     .a = memory,
                     .s = memory + m * n,
                     .v = memory + m * n + r,
                     .u = u ? u->data : &unused};
    status = svd_with_workspace(&call);
    if (!status)
        store_results(&call, s, v);
    free(memory);
    return status;
}
