/* Nystrom for the kernel itself, normalised afterwards. */
#include "attention/nystrom.h"
#include "attention/softmax.h"
#include "linalg/check.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>

static double largest(const gsl_matrix *m) {
    double most = -INFINITY;
    for (size_t i = 0; i < m->size1; i++)
        for (size_t j = 0; j < m->size2; j++)
            most = fmax(most, m->data[i * m->tda + j]);
    return most;
}

static void exponentials(gsl_matrix *m, double shift) {
    for (size_t i = 0; i < m->size1 * m->size2; i++)
        m->data[i] = exp(m->data[i] - shift);
}

/* The three blocks of exp(scale q . k - c), c common to all: a factor that the row sums take out. */
static int kernel_blocks(const gsl_matrix *const rows[4], double scale, gsl_matrix *left, gsl_matrix *middle,
                         gsl_matrix *right) {
    const gsl_matrix *q = rows[0], *k = rows[1], *ql = rows[2], *kl = rows[3];
    int status;
    if ((status = lem_gemm(LEM_NO_TRANS, LEM_TRANS, scale, q, kl, 0, left, 1)) ||
        (status = lem_gemm(LEM_NO_TRANS, LEM_TRANS, scale, ql, kl, 0, middle, 1)) ||
        (status = lem_gemm(LEM_NO_TRANS, LEM_TRANS, scale, ql, k, 0, right, 1)))
        return status;
    const double shift = fmax(largest(left), fmax(largest(middle), largest(right)));
    if (!isfinite(shift))
        return LEM_ERROR(GSL_EOVRFLW, "scale = %g: the logits exceed the range of double", scale);
    exponentials(left, shift), exponentials(middle, shift), exponentials(right, shift);
    return GSL_SUCCESS;
}

static int check(const gsl_matrix *const rows[4], double scale, const gsl_matrix *n) {
    static const char *const names[] = {"Q", "K", "Q~", "K~"};
    int status;
    for (int i = 0; i < 4; i++) {
        if ((status = lem_check_input(rows[i], names[i])))
            return status;
        if (rows[i]->size2 != rows[0]->size2)
            return LEM_ERROR(GSL_EBADLEN, "%s has %zu columns and Q %zu: must have as many", names[i],
                             rows[i]->size2, rows[0]->size2);
    }
    if (rows[2]->size1 != rows[3]->size1)
        return LEM_ERROR(GSL_EBADLEN, "Q~ has %zu rows and K~ %zu: must have as many", rows[2]->size1,
                         rows[3]->size1);
    if (!isfinite(scale))
        return LEM_ERROR(GSL_EINVAL, "scale = %g: must be finite", scale);
    if ((status = lem_check_output(n, "N")) ||
        (status = lem_check_shape(n, "N", rows[0]->size1, rows[1]->size1)))
        return status;
    for (int i = 0; i < 4; i++)
        if ((status = lem_check_apart(rows[i], names[i], n, "N")))
            return status;
    return GSL_SUCCESS;
}

int lem_nystrom_kernel_matrix(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *q_landmarks,
                              const gsl_matrix *k_landmarks, double scale, double rcond, gsl_matrix *n) {
    const gsl_matrix *const rows[] = {q, k, q_landmarks, k_landmarks};
    int status = check(rows, scale, n);
    if (status)
        return status;
    const size_t m = q_landmarks->size1, queries = q->size1, keys = k->size1;
    double *memory = lem_allocate(m, (queries + keys + 2 * m) * sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix left = gsl_matrix_view_array(memory, queries, m).matrix,
               right = gsl_matrix_view_array(memory + queries * m, m, keys).matrix,
               middle = gsl_matrix_view_array(memory + (queries + keys) * m, m, m).matrix,
               inverse = gsl_matrix_view_array(memory + (queries + keys + m) * m, m, m).matrix;
    if (!(status = kernel_blocks(rows, scale, &left, &middle, &right)) &&
        !(status = lem_pinv_svd(&middle, rcond, &inverse)) &&
        !(status = lem_nystrom_product(&left, &inverse, &right, 1, n)))
        status = lem_normalise_rows(n);
    free(memory);
    return status;
}
