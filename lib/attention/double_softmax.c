#include "attention/double_softmax.h"
#include "attention/softmax.h"
#include "linalg/check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static bool same(const gsl_matrix *a, const gsl_matrix *b) {
    return a->data == b->data && a->tda == b->tda;
}

static int check_pair(const gsl_matrix *in, const char *in_name, const gsl_matrix *out,
                      const char *out_name) {
    int status;
    if ((status = lem_check_input(in, in_name)) || (status = lem_check_output(out, out_name)) ||
        (status = lem_check_shape(out, out_name, in->size1, in->size2)))
        return status;
    return same(in, out) ? GSL_SUCCESS : lem_check_apart(in, in_name, out, out_name);
}

static void copy(const gsl_matrix *from, gsl_matrix *to) {
    if (!same(from, to))
        (void)gsl_matrix_memcpy(to, from);
}

/* Row by row, so that memory is met in order: the largest of each channel, then exponentials and sums. */
static void softmax_columns(gsl_matrix *a, double *largest, double *sum) {
    for (size_t l = 0; l < a->size2; l++)
        largest[l] = -INFINITY, sum[l] = 0;
    for (size_t j = 0; j < a->size1; j++)
        for (size_t l = 0; l < a->size2; l++)
            largest[l] = fmax(largest[l], a->data[j * a->tda + l]);
    for (size_t j = 0; j < a->size1; j++)
        for (size_t l = 0; l < a->size2; l++)
            sum[l] += a->data[j * a->tda + l] = exp(a->data[j * a->tda + l] - largest[l]);
    for (size_t j = 0; j < a->size1; j++)
        for (size_t l = 0; l < a->size2; l++)
            a->data[j * a->tda + l] /= sum[l];
}

int lem_double_softmax_features(const gsl_matrix *q, const gsl_matrix *k, gsl_matrix *phi_q,
                                gsl_matrix *phi_k) {
    int status;
    if ((status = check_pair(q, "Q", phi_q, "PhiQ")) || (status = check_pair(k, "K", phi_k, "PhiK")))
        return status;
    if (q->size2 != k->size2)
        return LEM_ERROR(GSL_EBADLEN, "Q has %zu columns and K %zu: must have as many", q->size2, k->size2);
    if ((status = lem_check_apart(phi_q, "PhiQ", phi_k, "PhiK")) ||
        (status = lem_check_apart(k, "K", phi_q, "PhiQ")))
        return status;
    double *memory = lem_allocate(2 * k->size2, sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    copy(q, phi_q);
    copy(k, phi_k);
    status = lem_softmax_rows(phi_q, NULL, 1);
    softmax_columns(phi_k, memory, memory + k->size2);
    free(memory);
    return status;
}
