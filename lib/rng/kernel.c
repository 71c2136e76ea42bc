#include "rng/kernel.h"

#include <stdatomic.h>

const lem_rng_kernel *const lem_rng_kernels[] = {
    &lem_rng_kernel_scalar,
#ifdef __x86_64__
    &lem_rng_kernel_avx2,
    &lem_rng_kernel_avx512,
#endif
    NULL,
};

const lem_rng_kernel *lem_rng_best_kernel(void) {
    /* Threads that race here all store the same pointer. */
    static _Atomic(const lem_rng_kernel *) best = NULL;
    const lem_rng_kernel *found = atomic_load_explicit(&best, memory_order_acquire);
    if (found)
        return found;
    for (size_t i = 0; lem_rng_kernels[i]; i++)
        if (lem_rng_kernels[i]->runs_here())
            found = lem_rng_kernels[i];
    atomic_store_explicit(&best, found, memory_order_release);
    return found;
}
