#include "scaling/chinchilla_fit.h"
#include "scaling/chinchilla_starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { Q = LEM_CHINCHILLA_PARAMETERS };

struct lem_chinchilla_resampling {
    lem_chinchilla_problem problem;
    double delta, start[Q];
};

lem_chinchilla_resampling *lem_chinchilla_resampling_alloc(const lem_chinchilla_data *data, double delta,
                                                           const lem_chinchilla *start) {
    double q[Q];
    if (!start) {
        (void)LEM_ERROR(GSL_EFAULT, "start: a null pointer");
        return NULL;
    }
    lem_chinchilla_resampling *r = malloc(sizeof *r);
    if (!r) {
        (void)LEM_ERROR(GSL_ENOMEM, "no memory for a bootstrap");
        return NULL;
    }
    int status = lem_chinchilla_problem_init(&r->problem, data, delta);
    if (!status) {
        r->delta = delta;
        lem_chinchilla_from_law(&r->problem, start, q);
        for (int j = 0; j < Q; j++)
            if (!isfinite(q[j]))
                status = GSL_EDOM;
        memcpy(r->start, q, sizeof q);
        if (status)
            (void)LEM_ERROR(status, "start: A, B, E must be positive, all constants finite");
    }
    if (!status)
        return r;
    lem_chinchilla_resampling_free(r);
    return NULL;
}

void lem_chinchilla_resampling_free(lem_chinchilla_resampling *resampling) {
    if (!resampling)
        return;
    lem_chinchilla_problem_clear(&resampling->problem);
    free(resampling);
}

/* --- one thread's room --------------------------------------------------------------------------- */

typedef struct {
    lem_chinchilla_problem problem;
    lem_chinchilla_minimiser minimiser;
    uint64_t *rows;
    double *counts;
} room;

void *lem_chinchilla_resample_workspace(const void *ctx) {
    const lem_chinchilla_resampling *r = ctx;
    room *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->rows = malloc(r->problem.n * sizeof *w->rows);
    w->counts = malloc(r->problem.n * sizeof *w->counts);
    if (w->rows && w->counts && !lem_chinchilla_problem_like(&w->problem, &r->problem) &&
        !lem_chinchilla_minimiser_init(&w->minimiser))
        return w;
    lem_chinchilla_resample_workspace_free(w);
    return NULL;
}

void lem_chinchilla_resample_workspace_free(void *workspace) {
    room *w = workspace;
    if (!w)
        return;
    lem_chinchilla_minimiser_clear(&w->minimiser);
    lem_chinchilla_problem_clear(&w->problem);
    free(w->rows);
    free(w->counts);
    free(w);
}

/* --- resamples ----------------------------------------------------------------------------------- */

static int draw_rows(lem_stream *stream, const lem_chinchilla_resampling *r, room *w) {
    const size_t n = r->problem.n;
    const int status = lem_integer_fill(stream, n, n, w->rows);
    if (status)
        return status;
    memset(w->counts, 0, n * sizeof *w->counts);
    for (size_t i = 0; i < n; i++)
        w->counts[w->rows[i]]++;
    lem_chinchilla_problem_resample(&w->problem, &r->problem, w->counts);
    return GSL_SUCCESS;
}

static void fit_rows(const lem_chinchilla_resampling *r, room *w, double *record) {
    double q[Q];
    lem_chinchilla law;
    memcpy(q, r->start, sizeof q);
    const bool converged = lem_chinchilla_refit(&w->problem, &w->minimiser, r->delta, q);
    lem_chinchilla_to_law(&w->problem, q, &law);
    const bool is_law = converged && law.alpha > 0 && law.beta > 0 && law.A > 0 && isfinite(law.A) &&
                        law.B > 0 && isfinite(law.B) && law.E > 0;
    record[LEM_RESAMPLE_A] = is_law ? law.A : NAN;
    record[LEM_RESAMPLE_B] = is_law ? law.B : NAN;
    record[LEM_RESAMPLE_E] = is_law ? law.E : NAN;
    record[LEM_RESAMPLE_ALPHA] = is_law ? law.alpha : NAN;
    record[LEM_RESAMPLE_BETA] = is_law ? law.beta : NAN;
    record[LEM_RESAMPLE_CONVERGED] = is_law;
}

int lem_chinchilla_resample(lem_stream *stream, size_t first, size_t count, void *workspace,
                            lem_mc_result *out, const void *ctx) {
    (void)first;
    for (size_t i = 0; i < count; i++) {
        const int status = draw_rows(stream, ctx, workspace);
        if (status)
            return status;
        fit_rows(ctx, workspace, out->records + i * LEM_RESAMPLE_SIZE);
    }
    return GSL_SUCCESS;
}

int lem_chinchilla_bootstrap(const lem_chinchilla_data *data, double delta, const lem_chinchilla *start,
                             size_t resamples, uint64_t seed, int threads, double *replicates,
                             size_t *failed) {
    if (!replicates)
        return LEM_ERROR(GSL_EFAULT, "replicates: a null pointer");
    lem_chinchilla_resampling *r = lem_chinchilla_resampling_alloc(data, delta, start);
    if (!r)
        return GSL_EINVAL;
    const lem_mc_plan plan = {.seed = seed,
                              .study = lem_stream_id("lemmata"),
                              .purpose = lem_stream_id("chinchilla-bootstrap"),
                              .samples = resamples,
                              .chunk_size = 16,
                              .n_records = LEM_RESAMPLE_SIZE,
                              .threads = threads,
                              .chunk = lem_chinchilla_resample,
                              .ctx = r,
                              .workspace_alloc = lem_chinchilla_resample_workspace,
                              .workspace_free = lem_chinchilla_resample_workspace_free};
    lem_mc_result result = {.records = replicates};
    const int status = lem_mc_run(&plan, &result);
    lem_chinchilla_resampling_free(r);
    if (!status && failed) {
        *failed = 0;
        for (size_t i = 0; i < resamples; i++)
            *failed += replicates[i * LEM_RESAMPLE_SIZE + LEM_RESAMPLE_CONVERGED] < 0.5;
    }
    return status;
}
