/* Where the geometric means of the Frobenius and spectral norms of the Jacobian are largest. */
#include "study.h"

enum { LENGTHS = 2, NORMS = 2, OPTIMA = LENGTHS * NORMS, FLOOR = 2000, STRIDE = NORMS * ASCALE_ALPHAS };
static const double lengths[LENGTHS] = {64, 1024};
static const double LOWEST = 0.8, HIGHEST = 2.6; /* multiples of the freezing point */

typedef struct {
    size_t doubles, n;
    double alpha[ASCALE_ALPHAS];
} rows_ctx;

/* log of the Frobenius norm of a row at each alpha, then of the spectral norm. */
static int draw(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                const void *ctx) {
    (void)first;
    const rows_ctx *c = ctx;
    double *s = workspace, *scratch = s + c->n;
    for (size_t i = 0; i < count; i++) {
        LEM_TRY(lem_normal_fill(stream, c->n, s));
        for (size_t k = 0; k < ASCALE_ALPHAS; k++) {
            double frobenius, spectral;
            LEM_TRY(lem_softmax_jacobian_norms(c->n, s, c->alpha[k], scratch, NULL, &frobenius, &spectral));
            out->records[i * STRIDE + k] = log(frobenius);
            out->records[i * STRIDE + ASCALE_ALPHAS + k] = log(spectral);
        }
    }
    return GSL_SUCCESS;
}

static int locate(lem_study *study, const char *purpose, double n, size_t rows, ascale_located *out) {
    rows_ctx ctx = {.doubles = 2 * (size_t)n, .n = (size_t)n};
    const double freezing = ascale_freezing(n);
    for (size_t k = 0; k < ASCALE_ALPHAS; k++)
        ctx.alpha[k] = freezing * ascale_multiple(LOWEST, HIGHEST, k);
    double *records = calloc(rows, STRIDE * sizeof *records);
    if (!records)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu rows", rows);
    lem_mc_result result = {.records = records};
    int status = lem_study_mc(study, purpose,
                              (lem_mc_plan){.samples = rows,
                                            .chunk_size = 1 + 8192 / ctx.n,
                                            .n_records = STRIDE,
                                            .chunk = draw,
                                            .ctx = &ctx,
                                            .workspace_alloc = ascale_workspace_alloc,
                                            .workspace_free = free},
                              &result);
    for (size_t m = 0; m < NORMS && !status; m++)
        status = ascale_locate(
            &(ascale_search){records + m * ASCALE_ALPHAS, STRIDE, rows, freezing, LOWEST, HIGHEST}, &out[m]);
    free(records);
    return status;
}

static int claim(lem_study *study, const ascale_located *at) {
    static const lem_claim_info info = {
        .id = "ascale.other-norms.typical",
        .statement = "the geometric means of the Frobenius and spectral norms are largest within 15 percent "
                     "of 1.5 times the "
                     "freezing point; n = 64, 1024",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
        .false_alarm = 1e-6,
        .floor = FLOOR,
        .floor_reason = "at n = 1024 a standard error is 2.6 percent of the freezing point at this size: the "
                        "optima are 0.55 "
                        "of it above the freezing point, 0.33 above what is allowed, 12 standard errors",
    };
    double lower[OPTIMA], upper[OPTIMA], stated[OPTIMA], freezing[OPTIMA];
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < OPTIMA; i++) {
        const double t = lem_t_quantile(1e-6 / (2 * OPTIMA), (double)at[i].blocks - 1, LEM_UPPER);
        if (isnan(t))
            return GSL_EFAILED;
        freezing[i] = at[i].freezing, stated[i] = 1.5 * freezing[i];
        lower[i] = at[i].optimum - t * at[i].standard_error - 0.15 * stated[i];
        upper[i] = at[i].optimum + t * at[i].standard_error + 0.15 * stated[i];
        least = at[i].rows < least ? at[i].rows : least;
    }
    const lem_falsifier wrong[] = {
        {"the freezing point, as for the trace",
         lem_check_of(lem_optimum(OPTIMA, lower, upper, freezing), (double)least)}};
    return lem_claim(study, &info, lem_check_of(lem_optimum(OPTIMA, lower, upper, stated), (double)least),
                     wrong, 1);
}

int ascale_norm_optima(lem_study *study) {
    static const char *const purpose[LENGTHS] = {"log norms, 64", "log norms, 1024"};
    static const char *const norm[NORMS] = {"frobenius", "spectral"};
    static const size_t full[LENGTHS] = {20000, 4000};
    ascale_located at[OPTIMA];
    for (size_t i = 0; i < LENGTHS; i++) {
        LEM_TRY(
            locate(study, purpose[i], lengths[i], lem_study_samples(study, full[i], FLOOR), &at[i * NORMS]));
        for (size_t m = 0; m < NORMS; m++) {
            char key[60];
            (void)snprintf(key, sizeof key, "norms.typical.%.0f.%s", lengths[i], norm[m]);
            LEM_TRY(lem_value_estimate(study, key, at[i * NORMS + m].optimum,
                                       at[i * NORMS + m].standard_error, ""));
        }
    }
    return claim(study, at);
}
