/* Internal: the inner loops of softmax, one kernel per instruction set; arguments are not checked.
 *
 * All kernels give the same bits: sums run in eight lanes (lane j holds the items j, j + 8, ...) which are
 * added in a fixed tree, and the exponential is SLEEF's Sleef_cinz_expd*_u10, one sequence of IEEE operations
 * at every vector width, within one unit in the last place. */
#ifndef LEM_ATTENTION_SOFTMAX_KERNEL_H
#define LEM_ATTENTION_SOFTMAX_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name;
    bool (*runs_here)(void); /* does this processor have the instructions? */
    /* The largest of x[0..n-1], -inf when n = 0; NaN is passed over. */
    double (*max)(const double *x, size_t n);
    /* x[j] = exp(x[j] - shift); returns their sum. x[j] = -inf gives 0, NaN gives NaN in x and sum. */
    double (*exp_sum)(double *x, size_t n, double shift);
    /* The sum of x. */
    double (*sum)(const double *x, size_t n);
    /* The sum of x[j] y[j]; NaN in either gives NaN. */
    double (*dot)(const double *x, const double *y, size_t n);
    /* total[j] += x[j]. */
    void (*add)(double *total, const double *x, size_t n);
    /* Over the x[j] that differ from max, none above it: the sums of e, e^2, e v and e v^2 with v = max -
     * x[j], e = exp(-alpha v), into sums[0..3]. */
    void (*spread)(const double *x, size_t n, double alpha, double max, double *sums);
    /* x[j] = x[j] sqrt((1 - exp(c r2[j]))/r2[j]), c < 0 < r2[j]. */
    void (*radial)(double *x, const double *r2, size_t n, double c);
} lem_softmax_kernel;

extern const lem_softmax_kernel lem_softmax_kernel_base;
#ifdef __x86_64__
extern const lem_softmax_kernel lem_softmax_kernel_avx2;
extern const lem_softmax_kernel lem_softmax_kernel_avx512;
#endif

/* The kernels built in, slowest first, NULL at the end. */
extern const lem_softmax_kernel *const lem_softmax_kernels[];

/* The fastest one that this processor runs. Thread-safe. */
const lem_softmax_kernel *lem_softmax_best_kernel(void);

#endif
