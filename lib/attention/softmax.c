#include "attention/softmax.h"
#include "attention/softmax_kernel.h"
#include "linalg/check.h"

#include <math.h>
#include <stdatomic.h>

const lem_softmax_kernel *const lem_softmax_kernels[] = {
    &lem_softmax_kernel_base,
#ifdef __x86_64__
    &lem_softmax_kernel_avx2,
    &lem_softmax_kernel_avx512,
#endif
    NULL,
};

const lem_softmax_kernel *lem_softmax_best_kernel(void) {
    static _Atomic(const lem_softmax_kernel *) best;
    const lem_softmax_kernel *found = atomic_load_explicit(&best, memory_order_acquire);
    if (found)
        return found;
    for (size_t i = 0; lem_softmax_kernels[i]; i++)
        if (lem_softmax_kernels[i]->runs_here())
            found = lem_softmax_kernels[i];
    atomic_store_explicit(&best, found, memory_order_release);
    return found;
}

int lem_softmax_rows(gsl_matrix *x, gsl_vector *lse, int threads) {
    int status = lem_check_input(x, "X");
    if (status || (lse && (status = lem_check_length(lse, "lse", x->size1))) ||
        (lse && (status = lem_check_vector_apart(x, "X", lse, "lse"))))
        return status;
    if (threads < 0)
        return LEM_ERROR(GSL_EINVAL, "threads = %d: must be >= 0", threads);
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    const int team = x->size1 * x->size2 < 1 << 14 ? 1 : lem_team_size(threads, x->size1);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1)
#endif
    for (size_t i = 0; i < x->size1; i++) {
        double *row = x->data + i * x->tda;
        const double most = kernel->max(row, x->size2), sum = kernel->exp_sum(row, x->size2, most);
        for (size_t j = 0; j < x->size2; j++)
            row[j] /= sum;
        if (lse)
            lse->data[i * lse->stride] = most + log(sum);
    }
    (void)team;
    return GSL_SUCCESS;
}

int lem_normalise_rows(gsl_matrix *a) {
    int status = lem_check_input(a, "A");
    if (status)
        return status;
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    for (size_t i = 0; i < a->size1; i++) {
        const double sum = kernel->sum(a->data + i * a->tda, a->size2);
        if (!(sum > 0) || !isfinite(sum))
            return LEM_ERROR(GSL_EDOM, "row %zu of A sums to %g: must be positive and finite", i, sum);
    }
    for (size_t i = 0; i < a->size1; i++) {
        double *row = a->data + i * a->tda;
        const double sum = kernel->sum(row, a->size2);
        for (size_t j = 0; j < a->size2; j++)
            row[j] /= sum;
    }
    return GSL_SUCCESS;
}
