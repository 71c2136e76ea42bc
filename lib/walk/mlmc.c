#include "walk/mlmc.h"
#include "walk/check.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* --- one level --- */

static int fill_increments(lem_stream *stream, size_t n, double root, double *dw) {
    const int status = lem_normal_fill(stream, n, dw);
    for (size_t i = 0; !status && i < n; i++)
        dw[i] *= root;
    return status;
}

/* Two fine steps and the coarse one that spans them. */
static int step_pair(lem_stream *stream, const lem_mlmc *p, double t, double h, size_t n, double *fine,
                     double *coarse) {
    double dw[LEM_SDE_BLOCK], sum[LEM_SDE_BLOCK];
    int status = fill_increments(stream, n, sqrt(h), dw);
    if (!status)
        status = lem_sde_step(p->sde, p->scheme, t, h, n, dw, fine);
    for (size_t i = 0; !status && i < n; i++)
        sum[i] = dw[i];
    if (!status)
        status = fill_increments(stream, n, sqrt(h), dw);
    if (!status)
        status = lem_sde_step(p->sde, p->scheme, t + h, h, n, dw, fine);
    for (size_t i = 0; !status && i < n; i++)
        sum[i] += dw[i];
    return status ? status : lem_sde_step(p->sde, p->scheme, t, 2 * h, n, sum, coarse);
}

static int take_payoff(const lem_mlmc *p, size_t n, double *x) {
    if (!p->payoff.function)
        return GSL_SUCCESS;
    double f[LEM_SDE_BLOCK];
    const int status = lem_block_field_at(&p->payoff, "payoff", n, x, p->T, f);
    for (size_t i = 0; !status && i < n; i++)
        x[i] = f[i];
    return status;
}

static int level_block(lem_stream *stream, const lem_mlmc_level *l, size_t n, double *fine, double *coarse) {
    const lem_mlmc *p = l->problem;
    const double h = ldexp(p->T - p->t0, -(int)l->level);
    for (size_t i = 0; i < n; i++)
        fine[i] = coarse[i] = p->x0;
    int status = GSL_SUCCESS;
    if (l->level == 0) {
        double dw[LEM_SDE_BLOCK];
        status = fill_increments(stream, n, sqrt(h), dw);
        if (!status)
            status = lem_sde_step(p->sde, p->scheme, p->t0, h, n, dw, fine);
    }
    const size_t pairs = l->level ? (size_t)1 << (l->level - 1) : 0;
    for (size_t k = 0; !status && k < pairs; k++)
        status = step_pair(stream, p, p->t0 + 2 * (double)k * h, h, n, fine, coarse);
    if (!status)
        status = take_payoff(p, n, fine);
    if (!status && pairs)
        status = take_payoff(p, n, coarse);
    for (size_t i = 0; !status && i < n; i++)
        coarse[i] = pairs ? fine[i] - coarse[i] : fine[i];
    return status;
}

static int check_problem(const lem_mlmc *p) {
    if (!p || !p->sde)
        return LEM_ERROR(GSL_EFAULT, "problem = null: must be a lem_mlmc with its sde");
    if (lem_walk_check_finite(p->x0, "x0") || lem_walk_check_finite(p->t0, "t0") ||
        lem_walk_check_finite(p->T, "T"))
        return GSL_EDOM;
    return p->t0 < p->T ? GSL_SUCCESS : LEM_ERROR(GSL_EDOM, "t0 = %g, T = %g: must be t0 < T", p->t0, p->T);
}

int lem_mlmc_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                   const void *ctx) {
    (void)first, (void)workspace;
    const lem_mlmc_level *l = ctx;
    int status = check_problem(l->problem);
    if (!status && l->level >= LEM_MLMC_LEVELS)
        status = LEM_ERROR(GSL_EDOM, "level = %u: must be < %d", l->level, LEM_MLMC_LEVELS);
    for (size_t done = 0; !status && done < count; done += LEM_SDE_BLOCK) {
        const size_t n = count - done < LEM_SDE_BLOCK ? count - done : LEM_SDE_BLOCK;
        double fine[LEM_SDE_BLOCK], difference[LEM_SDE_BLOCK];
        status = level_block(stream, l, n, fine, difference);
        if (!status)
            status = lem_moments_add_array(&out->moments[0], n, difference);
        if (!status)
            status = lem_moments_add_array(&out->moments[1], n, fine);
    }
    return status;
}

/* --- how many samples --- */

double lem_mlmc_cost(unsigned level) {
    return level ? ldexp(1.5, (int)level) : 1;
}

int lem_mlmc_samples(size_t levels, const double *variance, const double *cost, double error,
                     double *samples) {
    if (!variance || !cost || !samples)
        return LEM_ERROR(GSL_EFAULT, "variance, cost, samples: must not be null");
    if (!(error > 0) || isinf(error))
        return LEM_ERROR(GSL_EDOM, "error = %g: must be positive and finite", error);
    double sum = 0;
    for (size_t l = 0; l < levels; l++) {
        if (!(variance[l] >= 0) || !(cost[l] > 0) || isinf(variance[l]) || isinf(cost[l]))
            return LEM_ERROR(GSL_EDOM, "variance[%zu] = %g, cost[%zu] = %g: must be >= 0 and > 0, finite", l,
                             variance[l], l, cost[l]);
        sum += sqrt(variance[l] * cost[l]);
    }
    for (size_t l = 0; l < levels; l++)
        if (!(sum / error / error * sqrt(variance[l] / cost[l]) < 0x1p53))
            return LEM_ERROR(GSL_EDOM, "error = %g: level %zu would need more than 2^53 samples", error, l);
    for (size_t l = 0; l < levels; l++)
        samples[l] = fmax(1, ceil(sum / error / error * sqrt(variance[l] / cost[l])));
    return GSL_SUCCESS;
}

/* --- Giles's algorithm --- */

typedef struct {
    const lem_mlmc *problem;
    const lem_mlmc_options *options;
    lem_mlmc_result *result;
    double wanted[LEM_MLMC_LEVELS];
    unsigned rounds;
} state;

static int check_options(const lem_mlmc_options *o) {
    if (!o || !o->name)
        return LEM_ERROR(GSL_EFAULT, "options = null: must be options with a name");
    if (lem_walk_check_positive(o->eps, "eps") || lem_walk_check_positive(o->weak_order, "weak_order"))
        return GSL_EDOM;
    if (o->pilot < 32)
        return LEM_ERROR(GSL_EDOM, "pilot = %zu: must be >= 32 samples", o->pilot);
    if (o->finest < 2 || o->finest >= LEM_MLMC_LEVELS)
        return LEM_ERROR(GSL_EDOM, "finest = %u: must be in 2, ..., %d", o->finest, LEM_MLMC_LEVELS - 1);
    return GSL_SUCCESS;
}

/* More samples of one level, from streams of their own. */
static int add_samples(state *s, unsigned level, size_t samples) {
    const lem_mlmc_level ctx = {s->problem, level};
    char purpose[256];
    (void)snprintf(purpose, sizeof purpose, "%.200s/%u/%u", s->options->name, level, s->rounds);
    lem_moments moments[2];
    lem_mc_result mc = {.moments = moments};
    const lem_mc_plan plan = {.seed = s->options->seed,
                              .study = s->options->study,
                              .purpose = lem_stream_id(purpose),
                              .samples = samples,
                              .chunk_size = 4096,
                              .n_moments = 2,
                              .threads = s->options->threads,
                              .chunk = lem_mlmc_chunk,
                              .ctx = &ctx};
    const int status = lem_mc_run(&plan, &mc);
    if (status)
        return status;
    lem_moments_merge(&s->result->level[level], &moments[0]);
    s->result->cost += (double)samples * lem_mlmc_cost(level);
    return GSL_SUCCESS;
}

/* Take what is missing on every level until the optimal numbers are there (within a percent). */
static int fill_levels(state *s) {
    double variance[LEM_MLMC_LEVELS], cost[LEM_MLMC_LEVELS];
    for (bool more = true; more; s->rounds++) {
        more = false;
        for (unsigned l = 0; l < s->result->levels; l++) {
            const double have = (double)s->result->level[l].n, missing = s->wanted[l] - have;
            if (missing <= 0.01 * have)
                continue;
            more = true;
            const int status = add_samples(s, l, (size_t)missing);
            if (status)
                return status;
        }
        for (unsigned l = 0; l < s->result->levels; l++) {
            variance[l] = lem_moments_variance(&s->result->level[l]);
            cost[l] = lem_mlmc_cost(l);
        }
        const int status =
            lem_mlmc_samples(s->result->levels, variance, cost, s->options->eps / sqrt(2), s->wanted);
        if (status)
            return status;
    }
    return GSL_SUCCESS;
}

static void conclude(const lem_mlmc_options *o, lem_mlmc_result *r) {
    double variance = 0;
    r->estimate = 0;
    for (unsigned l = 0; l < r->levels; l++) {
        r->estimate += lem_moments_mean(&r->level[l]);
        variance += lem_moments_variance(&r->level[l]) / (double)r->level[l].n;
    }
    r->standard_error = sqrt(variance);
    const double factor = exp2(o->weak_order);
    const double last = fabs(lem_moments_mean(&r->level[r->levels - 1])),
                 before = fabs(lem_moments_mean(&r->level[r->levels - 2]));
    r->bias = fmax(last, before / factor) / (factor - 1);
}

int lem_mlmc_run(const lem_mlmc *problem, const lem_mlmc_options *options, lem_mlmc_result *result) {
    int status = check_problem(problem);
    if (!status)
        status = check_options(options);
    if (!status && !result)
        status = LEM_ERROR(GSL_EFAULT, "result = null: must not be");
    if (status)
        return status;
    state s = {.problem = problem, .options = options, .result = result};
    *result = (lem_mlmc_result){.levels = 3};
    for (unsigned l = 0; l < LEM_MLMC_LEVELS; l++) {
        lem_moments_init(&result->level[l]);
        s.wanted[l] = (double)options->pilot;
    }
    for (;; result->levels++) {
        s.wanted[result->levels - 1] = fmax(s.wanted[result->levels - 1], (double)options->pilot);
        status = fill_levels(&s);
        if (status)
            return status;
        conclude(options, result);
        if (result->bias < options->eps / sqrt(2))
            return GSL_SUCCESS;
        if (result->levels > options->finest)
            return LEM_ERROR(GSL_EMAXITER,
                             "finest = %u: the bias is about %g there, eps = %g needs a finer level",
                             options->finest, result->bias, options->eps);
    }
}
