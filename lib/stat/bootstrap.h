/* Bootstrap: percentile and BCa intervals of any statistic (Efron 1987). Deterministic and parallel, on
 * lem_mc. */
#ifndef LEM_STAT_BOOTSTRAP_H
#define LEM_STAT_BOOTSTRAP_H

#include "stat/interval.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The statistic of the observations index[0 .. count-1] (with repeats) of the data behind ctx, into *value,
 * finite. scratch: [n] doubles of this thread's own. Called from several threads at once. Returns 0, or a GSL
 * status after LEM_ERROR. */
typedef int (*lem_statistic)(size_t count, const uint64_t *index, double *scratch, const void *ctx,
                             double *value);

typedef struct {
    size_t n;         /* observations, >= 2 */
    size_t resamples; /* for an interval at alpha at least 2 / alpha - 1 are needed; 1999 for 0.05 is usual */
    lem_statistic statistic;
    const void *ctx;
    uint64_t seed;
    uint32_t study, purpose; /* words of the streams: lem_stream_id(name) */
    int threads;             /* 0: as many as OpenMP gives; no bit depends on it */
} lem_bootstrap;

/* Draw the replicates, sorted ascending: sorted is [resamples]. GSL_EINVAL for a bad plan or a statistic that
 * is not finite; or what the statistic returned. */
LEM_API int lem_bootstrap_run(const lem_bootstrap *plan, double *sorted);

/* Percentile interval: the replicates of rank floor((R + 1) p) for the lower, ceil((R + 1) (1 - p)) for the
 * upper end, p = alpha / 2 or alpha. First-order: covers 1 - alpha + O(1 / sqrt n) a side. GSL_EINVAL: too
 * few. */
LEM_API int lem_bootstrap_percentile(size_t resamples, const double *sorted, double alpha, lem_side side,
                                     lem_interval *out);

/* BCa: the same with p moved to Phi(z0 + (z0 + z_p) / (1 - a (z0 + z_p))); the bias z0 from the share of
 * replicates below the estimate (half of those equal to it), the acceleration a from the jackknife.
 * Second-order for smooth statistics; the jackknife is of no use for medians. GSL_EINVAL: too few replicates
 * for the moved p, all of them on one side of the estimate, or a jackknife without spread. */
LEM_API int lem_bootstrap_bca(const lem_bootstrap *plan, const double *sorted, double alpha, lem_side side,
                              lem_interval *out);

#ifdef __cplusplus
}
#endif
#endif
