#include "stat/bootstrap.h"
#include "stat/distribution.h"
#include "stat/mc.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct {
    uint64_t *index;
    double *scratch;
} bootstrap_workspace;

static void workspace_free(void *pointer) {
    bootstrap_workspace *w = pointer;
    free(w->index);
    free(w->scratch);
    free(w);
}

static void *workspace_alloc(const void *ctx) {
    const lem_bootstrap *plan = ctx;
    bootstrap_workspace *w = malloc(sizeof *w);
    if (!w)
        return NULL;
    w->index = malloc(plan->n * sizeof *w->index);
    w->scratch = malloc(plan->n * sizeof *w->scratch);
    if (w->index && w->scratch)
        return w;
    workspace_free(w);
    return NULL;
}

static int evaluate(const lem_bootstrap *plan, size_t count, bootstrap_workspace *w, double *value) {
    int status = plan->statistic(count, w->index, w->scratch, plan->ctx, value);
    if (!status && !isfinite(*value))
        return LEM_ERROR(GSL_EINVAL, "the statistic is %g: must be finite", *value);
    return status;
}

static int resample_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                          const void *ctx) {
    (void)first;
    const lem_bootstrap *plan = ctx;
    bootstrap_workspace *w = workspace;
    int status = GSL_SUCCESS;
    for (size_t i = 0; i < count && !status; i++) {
        status = lem_integer_fill(stream, plan->n, plan->n, w->index);
        if (!status)
            status = evaluate(plan, plan->n, w, &out->records[i]);
    }
    return status;
}

static int jackknife_chunk(lem_stream *stream, size_t first, size_t count, void *workspace,
                           lem_mc_result *out, const void *ctx) {
    (void)stream;
    const lem_bootstrap *plan = ctx;
    bootstrap_workspace *w = workspace;
    int status = GSL_SUCCESS;
    for (size_t i = 0; i < count && !status; i++) {
        for (size_t j = 0; j + 1 < plan->n; j++)
            w->index[j] = j + (j >= first + i);
        status = evaluate(plan, plan->n - 1, w, &out->records[i]);
    }
    return status;
}

static int check_plan(const lem_bootstrap *plan, const double *sorted) {
    if (!plan || !sorted)
        return LEM_ERROR(GSL_EFAULT, "%s is null", !plan ? "plan" : "sorted");
    if (!plan->statistic)
        return LEM_ERROR(GSL_EINVAL, "statistic is null: must be a function");
    if (plan->n < 2)
        return LEM_ERROR(GSL_EINVAL, "n = %zu: must be >= 2", plan->n);
    if (plan->resamples < 1)
        return LEM_ERROR(GSL_EINVAL, "resamples = %zu: must be >= 1", plan->resamples);
    return GSL_SUCCESS;
}

static int run_chunks(const lem_bootstrap *plan, size_t samples, lem_mc_chunk chunk, double *records) {
    lem_mc_plan mc = {.seed = plan->seed,
                      .study = plan->study,
                      .purpose = plan->purpose,
                      .samples = samples,
                      .chunk_size = 64,
                      .n_records = 1,
                      .threads = plan->threads,
                      .chunk = chunk,
                      .ctx = plan,
                      .workspace_alloc = workspace_alloc,
                      .workspace_free = workspace_free};
    return lem_mc_run(&mc, &(lem_mc_result){.records = records});
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int lem_bootstrap_run(const lem_bootstrap *plan, double *sorted) {
    int status = check_plan(plan, sorted);
    if (!status)
        status = run_chunks(plan, plan->resamples, resample_chunk, sorted);
    if (!status)
        qsort(sorted, plan->resamples, sizeof *sorted, ascending);
    return status;
}

/* --- intervals --- */

static int check_interval(size_t resamples, const double *sorted, double alpha, const lem_interval *out) {
    if (!sorted || !out)
        return LEM_ERROR(GSL_EFAULT, "%s is null", !sorted ? "sorted" : "out");
    if (!(alpha > 0 && alpha < 1))
        return LEM_ERROR(GSL_EDOM, "alpha = %g: must be inside (0, 1)", alpha);
    for (size_t i = 0; i < resamples; i++)
        if (isnan(sorted[i]) || (i > 0 && sorted[i] < sorted[i - 1]))
            return LEM_ERROR(GSL_EINVAL, "sorted[%zu] = %g: must be a number and at least the one before", i,
                             sorted[i]);
    return GSL_SUCCESS;
}

/* The replicate at the lower end for a share `below`, or at the upper end for a share `above`; NaN: too few.
 * The product is rounded to 1e-9 first, so that (1999 + 1) 0.025 is 50 for both ends. */
static double replicate(size_t resamples, const double *sorted, double share, bool lower) {
    double place = ((double)resamples + 1) * share;
    double rank = floor(place + 1e-9);
    if (!(rank >= 1 && rank <= (double)resamples))
        return LEM_ERROR_NAN(GSL_EINVAL,
                             "resamples = %zu: too few for a tail of %g; at least %.0f are needed", resamples,
                             share, ceil(1 / fmin(share, 1 - share)) - 1);
    size_t r = (size_t)rank;
    return lower ? sorted[r - 1] : sorted[resamples - r];
}

/* Shares of the replicates outside on the two sides. */
static int pick(size_t resamples, const double *sorted, double below, double above, lem_side side,
                lem_interval *out) {
    lem_interval ends = {-INFINITY, INFINITY};
    if (side != LEM_UPPER_BOUND)
        ends.lower = replicate(resamples, sorted, below, true);
    if (side != LEM_LOWER_BOUND)
        ends.upper = replicate(resamples, sorted, above, false);
    if (isnan(ends.lower) || isnan(ends.upper))
        return GSL_EINVAL;
    *out = ends;
    return GSL_SUCCESS;
}

int lem_bootstrap_percentile(size_t resamples, const double *sorted, double alpha, lem_side side,
                             lem_interval *out) {
    int status = check_interval(resamples, sorted, alpha, out);
    double share = side == LEM_TWO_SIDED ? alpha / 2 : alpha;
    return status ? status : pick(resamples, sorted, share, share, side, out);
}

static double bias(const lem_bootstrap *plan, const double *sorted, double estimate) {
    double below = 0;
    for (size_t i = 0; i < plan->resamples; i++)
        below += sorted[i] < estimate ? 1 : sorted[i] == estimate ? 0.5 : 0;
    if (below == 0 || below == (double)plan->resamples)
        return LEM_ERROR_NAN(GSL_EINVAL, "all %zu replicates are on one side of the estimate %g",
                             plan->resamples, estimate);
    return lem_normal_quantile(below / (double)plan->resamples, LEM_LOWER);
}

static double acceleration(const lem_bootstrap *plan, const double *jackknife) {
    double mean = 0, m2 = 0, m3 = 0, n = (double)plan->n;
    size_t equal = 1;
    while (equal < plan->n && jackknife[equal] == jackknife[0])
        equal++;
    if (equal == plan->n)
        return LEM_ERROR_NAN(GSL_EINVAL, "the jackknife values of the statistic are all %g: must differ",
                             jackknife[0]);
    for (size_t i = 0; i < plan->n; i++)
        mean += jackknife[i] / n;
    for (size_t i = 0; i < plan->n; i++) {
        double d = mean - jackknife[i];
        m2 += d * d;
        m3 += d * d * d;
    }
    return m3 / (6 * m2 * sqrt(m2));
}

/* The share outside on the side of z < 0 (sign = 1) or z > 0 (sign = -1); NaN where the correction has a
 * pole. */
static double moved_share(double share, double z0, double a, double sign) {
    double z = z0 - sign * lem_normal_quantile(share, LEM_UPPER);
    if (!(1 - a * z > 0))
        return LEM_ERROR_NAN(GSL_EINVAL, "acceleration = %g: too large for a tail of %g", a, share);
    return lem_normal_cdf(z0 + z / (1 - a * z), sign > 0 ? LEM_LOWER : LEM_UPPER);
}

int lem_bootstrap_bca(const lem_bootstrap *plan, const double *sorted, double alpha, lem_side side,
                      lem_interval *out) {
    int status = check_plan(plan, sorted);
    if (!status)
        status = check_interval(plan->resamples, sorted, alpha, out);
    if (status)
        return status;
    double *jackknife = malloc(plan->n * sizeof *jackknife), estimate = NAN;
    bootstrap_workspace *w = workspace_alloc(plan);
    if (!jackknife || !w)
        status = LEM_ERROR(GSL_ENOMEM, "no memory for n = %zu", plan->n);
    for (size_t i = 0; !status && i < plan->n; i++)
        w->index[i] = i;
    if (!status)
        status = evaluate(plan, plan->n, w, &estimate);
    if (!status)
        status = run_chunks(plan, plan->n, jackknife_chunk, jackknife);
    double z0 = status ? NAN : bias(plan, sorted, estimate);
    double a = isnan(z0) ? NAN : acceleration(plan, jackknife);
    free(jackknife);
    if (w)
        workspace_free(w);
    if (status || isnan(a))
        return status ? status : GSL_EINVAL;
    double share = side == LEM_TWO_SIDED ? alpha / 2 : alpha;
    double below = side == LEM_UPPER_BOUND ? 0 : moved_share(share, z0, a, 1);
    double above = side == LEM_LOWER_BOUND ? 0 : moved_share(share, z0, a, -1);
    if (isnan(below) || isnan(above))
        return GSL_EINVAL;
    return pick(plan->resamples, sorted, below, above, side, out);
}
