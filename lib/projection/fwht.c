#include "projection/fwht.h"
#include "projection/fwht_kernel.h"

#include <math.h>
#include <stdatomic.h>

const lem_fwht_kernel *const lem_fwht_kernels[] = {
    &lem_fwht_kernel_base,
#ifdef __x86_64__
    &lem_fwht_kernel_avx2,
    &lem_fwht_kernel_avx512,
#endif
    NULL,
};

const lem_fwht_kernel *lem_fwht_best_kernel(void) {
    static _Atomic(const lem_fwht_kernel *) best;
    const lem_fwht_kernel *found = atomic_load_explicit(&best, memory_order_relaxed);
    if (found)
        return found;
    for (size_t i = 0; lem_fwht_kernels[i]; i++)
        if (lem_fwht_kernels[i]->runs_here())
            found = lem_fwht_kernels[i];
    atomic_store_explicit(&best, found, memory_order_relaxed);
    return found;
}

int lem_fwht(double *x, size_t m) {
    if (!x)
        return LEM_ERROR(GSL_EFAULT, "x = null: must point to m numbers");
    if (m == 0 || (m & (m - 1)) != 0)
        return LEM_ERROR(GSL_EINVAL, "m = %zu: must be a power of two", m);
    for (size_t i = 0; i < m; i++)
        if (!isfinite(x[i]))
            return LEM_ERROR(GSL_EINVAL, "x[%zu] = %g: must be finite", i, x[i]);
    lem_fwht_best_kernel()->transform(x, m);
    return GSL_SUCCESS;
}
