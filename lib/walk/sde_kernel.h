/* Internal: the inner loops of an SDE step, one kernel per instruction set; arguments are not checked.
 *
 * All kernels give the same bits: each path is a sequence of IEEE operations of its own, without fused
 * multiply-add. `to` does not overlap what is read. */
#ifndef LEM_WALK_SDE_KERNEL_H
#define LEM_WALK_SDE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

/* What a step of n paths reads; dW = scale z. */
typedef struct {
    const double *x, *z;
    const double *drift; /* null: 0 */
    const double *diffusion, *slope;
    double h, scale;
} lem_sde_terms;

typedef struct {
    const char *name;
    bool (*runs_here)(void);
    /* Each returns whether all of `to` is finite. */
    bool (*additive)(size_t n, const lem_sde_terms *s, double *to); /* x + drift h + dW */
    bool (*euler)(size_t n, const lem_sde_terms *s, double *to);    /* x + drift h + diffusion dW */
    /* ... + (1/2) diffusion slope (dW^2 - h) */
    bool (*milstein)(size_t n, const lem_sde_terms *s, double *to);
} lem_sde_kernel;

extern const lem_sde_kernel lem_sde_kernel_base;
#ifdef __x86_64__
extern const lem_sde_kernel lem_sde_kernel_avx2;
extern const lem_sde_kernel lem_sde_kernel_avx512;
#endif

/* The kernels built in, slowest first, NULL at the end. */
extern const lem_sde_kernel *const lem_sde_kernels[];

/* The fastest one that this processor runs. Thread-safe. */
const lem_sde_kernel *lem_sde_best_kernel(void);

#endif
