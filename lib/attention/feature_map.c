#include "attention/feature_map.h"
#include "attention/softmax_kernel.h"
#include "linalg/check.h"

#include <math.h>
#include <string.h>

/* exp of the negative part is 1 where x >= 0: 1 + x = 1 + max(x, 0), so elu1 = exp(min(x, 0)) + max(x, 0). */
static void elu1(double *out, const double *x, size_t n, const lem_softmax_kernel *kernel) {
    enum { BATCH = 64 };
    double positive[BATCH];
    for (size_t start = 0; start < n; start += BATCH) {
        const size_t count = n - start < BATCH ? n - start : BATCH;
        for (size_t j = 0; j < count; j++) {
            const double value = x[start + j];
            positive[j] = value > 0 ? value : 0;
            out[start + j] = value > 0 ? 0 : value;
        }
        kernel->exp_sum(out + start, count, 0);
        for (size_t j = 0; j < count; j++)
            out[start + j] += positive[j];
    }
}

static void map_row(lem_feature_kind kind, double *out, const double *x, size_t n,
                    const lem_softmax_kernel *kernel) {
    if (kind == LEM_FEATURE_ELU1) {
        elu1(out, x, n, kernel);
        return;
    }
    memmove(out, x, n * sizeof *x);
    if (kind == LEM_FEATURE_EXP)
        kernel->exp_sum(out, n, 0);
    if (kind == LEM_FEATURE_RELU)
        for (size_t j = 0; j < n; j++)
            out[j] = out[j] > 0 ? out[j] : 0;
}

int lem_feature_map(lem_feature_kind kind, const gsl_matrix *x, gsl_matrix *phi) {
    int status;
    if ((status = lem_check_input(x, "X")) || (status = lem_check_output(phi, "Phi")) ||
        (status = lem_check_shape(phi, "Phi", x->size1, x->size2)))
        return status;
    if ((phi->data != x->data || phi->tda != x->tda) && (status = lem_check_apart(x, "X", phi, "Phi")))
        return status;
    if ((int)kind < LEM_FEATURE_IDENTITY || kind > LEM_FEATURE_RELU)
        return LEM_ERROR(GSL_EINVAL, "kind = %d: must be a lem_feature_kind", (int)kind);
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    for (size_t i = 0; i < x->size1; i++) {
        double *out = phi->data + i * phi->tda;
        map_row(kind, out, x->data + i * x->tda, x->size2, kernel);
        if (!lem_all_finite(out, x->size2))
            return LEM_ERROR(GSL_EOVRFLW, "row %zu of X: its features exceed the range of double", i);
    }
    return GSL_SUCCESS;
}
