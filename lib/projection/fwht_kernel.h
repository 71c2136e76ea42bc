/* Internal: the transform itself, one kernel per instruction set; arguments are not checked. */
#ifndef LEM_PROJECTION_FWHT_KERNEL_H
#define LEM_PROJECTION_FWHT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name;
    bool (*runs_here)(void);
    void (*transform)(double *x, size_t m); /* m a power of two */
} lem_fwht_kernel;

extern const lem_fwht_kernel lem_fwht_kernel_base;
#ifdef __x86_64__
extern const lem_fwht_kernel lem_fwht_kernel_avx2;
extern const lem_fwht_kernel lem_fwht_kernel_avx512;
#endif

/* The kernels built in, slowest first, NULL at the end. */
extern const lem_fwht_kernel *const lem_fwht_kernels[];

/* The fastest one that this processor runs. Thread-safe. */
const lem_fwht_kernel *lem_fwht_best_kernel(void);

#endif
