#include "walk/sde_kernel.h"

#include <stdatomic.h>

const lem_sde_kernel *const lem_sde_kernels[] = {
    &lem_sde_kernel_base,
#ifdef __x86_64__
    &lem_sde_kernel_avx2,
    &lem_sde_kernel_avx512,
#endif
    NULL,
};

const lem_sde_kernel *lem_sde_best_kernel(void) {
    static _Atomic(const lem_sde_kernel *) best;
    const lem_sde_kernel *found = atomic_load_explicit(&best, memory_order_acquire);
    if (found)
        return found;
    for (size_t i = 0; lem_sde_kernels[i]; i++)
        if (lem_sde_kernels[i]->runs_here())
            found = lem_sde_kernels[i];
    atomic_store_explicit(&best, found, memory_order_release);
    return found;
}
