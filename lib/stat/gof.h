/* Goodness of fit: Kolmogorov-Smirnov and chi-square. Tails are computed as tails, never as 1 - P. */
#ifndef LEM_STAT_GOF_H
#define LEM_STAT_GOF_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* D_n = sup_x |F_n(x) - F(x)| of a sample in non-decreasing order, n >= 1, and a continuous distribution
 * function. GSL_EINVAL: a value that is NaN or out of order, an F outside [0, 1] or decreasing along the
 * sample. Thread-safe if cdf is. */
LEM_API int lem_ks_distance(size_t n, const double *sorted, double (*cdf)(double x, const void *ctx),
                            const void *ctx, double *distance);

/* P(D_n >= d) for a sample from F itself, n >= 1, d >= 0. Relative accuracy, measured between independent
 * methods (tests/stat/test_gof.c): 1e-11 for n <= 4096 and wherever sqrt(n) d >= 2.2 (tails below 1.3e-4);
 * for larger n 1e-10 up to a tail of 0.1, 1e-9 up to 0.3, 1e-8 above. 0 where the tail is below 1e-300. Takes
 * up to 30 ms for n = 4096, 5 ms beyond. NaN and GSL_EDOM for bad arguments. Thread-safe. */
LEM_API double lem_ks_tail(size_t n, double d);

/* The critical value d with P(D_n >= d) = level, 1e-290 <= level < 1; to 1e-12, as accurate as the tail. */
LEM_API double lem_ks_critical(size_t n, double level);

/* P(D_n^+ >= d) of the one-sided distance sup_x (F_n(x) - F(x)); by symmetry D_n^- has the same law. Birnbaum
 * and Tingey 1951, eq. 3.0. Relative accuracy 1e-11. */
LEM_API double lem_ks_tail_one_sided(size_t n, double d);

/* Two samples in non-decreasing order, n, m >= 1, both from one continuous distribution: D = sup |F_n - G_m|,
 * and P(D_(n,m) >= d) by counting lattice paths, relative accuracy 1e-11 in time O(n m). GSL_EINVAL when n m
 * > 4e8. */
LEM_API int lem_ks_distance_two_sample(size_t n, const double *x, size_t m, const double *y,
                                       double *distance);
LEM_API double lem_ks_tail_two_sample(size_t n, size_t m, double d);

/* Chi-square test of counts against cell probabilities. */
typedef struct {
    double statistic; /* sum (count - expected)^2 / expected over the pooled cells; inf: an impossible cell
                         was hit */
    double df;        /* pooled cells - 1 */
    double tail;      /* P(chi-square with df degrees of freedom > statistic) */
    size_t cells;     /* after pooling */
} lem_chisq_result;

/* Neighbouring cells are pooled, from the first on, until each pool expects at least LEM_CHISQ_LEAST counts;
 * what remains at the end joins the last pool. probabilities >= 0, their sum 1 within 1e-9. GSL_EINVAL for
 * bad arguments and when fewer than two pools are left (more counts are needed). The law is
 * asymptotic: with every cell at 10 expected counts and 2, 3, 10, 50 cells the false-alarm rate was 0.36,
 * 0.74, 0.99, 1.13 times nominal at level 1e-3 and 0.2, 0.8, 1.4, 1.4 times at 1e-4 (1e6 simulations each);
 * further out, and for very unequal cells, the tail of the discrete statistic is heavier than nominal: give
 * such tests more counts a cell. Thread-safe. */
#define LEM_CHISQ_LEAST 10
LEM_API int lem_chisq_test(size_t cells, const uint64_t *counts, const double *probabilities,
                           lem_chisq_result *result);

#ifdef __cplusplus
}
#endif
#endif
