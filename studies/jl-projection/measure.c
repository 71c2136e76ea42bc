#include "study.h"

void *jl_workspace_alloc(const void *ctx) {
    return malloc(*(const size_t *)ctx * sizeof(double));
}

/* --- random pairs ------------------------------------------------------------------------------------------
 */

typedef struct {
    double gg, gh, hh;
} pair_sums;

static pair_sums sum_pair(size_t n, const double *g, const double *h) {
    pair_sums s = {0, 0, 0};
    for (size_t k = 0; k < n; k++) {
        s.gg += g[k] * g[k];
        s.gh += g[k] * h[k];
        s.hh += h[k] * h[k];
    }
    return s;
}

static int pair_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *context) {
    (void)first;
    const jl_pair_ctx *ctx = context;
    const size_t n = ctx->n;
    double *draws = workspace, *inner = draws + 2 * n * JL_PAIR_CHUNK, *cosine = inner + JL_PAIR_CHUNK;
    pair_sums sums[JL_PAIR_CHUNK];
    LEM_TRY(lem_normal_fill(stream, 2 * n * count, draws));
    for (size_t i = 0; i < count; i++) {
        sums[i] = sum_pair(n, draws + 2 * n * i, draws + 2 * n * i + n);
        out->counts[0] += fabs(sums[i].gg / (double)n - 1) >= ctx->eps;
    }
    for (size_t r = 0; r < ctx->n_rho; r++) {
        const double rho = ctx->rho[r], s = sqrt(1 - rho * rho);
        for (size_t i = 0; i < count; i++) {
            const pair_sums p = sums[i];
            const double xy = rho * p.gg + s * p.gh,
                         yy = rho * rho * p.gg + 2 * rho * s * p.gh + s * s * p.hh;
            inner[i] = xy / (double)n;
            cosine[i] = xy / sqrt(p.gg * yy);
            out->counts[1 + 2 * r] += fabs(inner[i] - rho) >= ctx->eps;
            out->counts[2 + 2 * r] += inner[i] - rho >= ctx->eps;
        }
        LEM_TRY(lem_moments_add_array(&out->moments[2 * r], count, inner));
        LEM_TRY(lem_moments_add_array(&out->moments[2 * r + 1], count, cosine));
    }
    return GSL_SUCCESS;
}

int jl_pairs(lem_study *study, const char *purpose, jl_pair_ctx ctx, size_t samples,
             jl_pairs_result *result) {
    ctx.doubles = (2 * ctx.n + 2) * JL_PAIR_CHUNK;
    lem_moments moments[2 * JL_MAX_RHO];
    uint64_t counts[1 + 2 * JL_MAX_RHO];
    lem_mc_result mc = {.moments = moments, .counts = counts};
    LEM_TRY(lem_study_mc(study, purpose,
                         (lem_mc_plan){.samples = samples,
                                       .chunk_size = JL_PAIR_CHUNK,
                                       .n_moments = 2 * ctx.n_rho,
                                       .n_counts = 1 + 2 * ctx.n_rho,
                                       .chunk = pair_chunk,
                                       .ctx = &ctx,
                                       .workspace_alloc = jl_workspace_alloc,
                                       .workspace_free = free},
                         &mc));
    result->samples = samples;
    result->norm_out = counts[0];
    for (size_t r = 0; r < ctx.n_rho; r++) {
        result->inner[r] = moments[2 * r];
        result->cosine[r] = moments[2 * r + 1];
        result->inner_out[r] = counts[1 + 2 * r];
        result->inner_above[r] = counts[2 + 2 * r];
    }
    return GSL_SUCCESS;
}

double jl_two_sided(double n, double eps) {
    return exp(lem_jl_norm_two_sided_log(n, eps));
}

double jl_haar_two_sided(double m, double n, double eps) {
    return exp(lem_jl_haar_two_sided_log(m, n, eps));
}

int jl_value_rate(lem_study *study, const char *name, uint64_t count, uint64_t trials) {
    const double n = (double)trials, shrunk = ((double)count + 1) / (n + 2);
    return lem_value_estimate(study, name, (double)count / n, sqrt(shrunk * (1 - shrunk) / n), "");
}
