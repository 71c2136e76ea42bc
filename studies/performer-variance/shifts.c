/* Constants that cancel and constants that do not: stabilisers, floors of features, centring. */
#include "study.h"

enum { N = 256, D = 16, P = 128 };

/* Row-normalised weights from features of Q and K under the given shifts; epsilon is added to all features.
 */
static int weights(const perf_data *data, const gsl_matrix *w, lem_favor_shift of_q, lem_favor_shift of_k,
                   double epsilon, gsl_matrix *phi_q, gsl_matrix *phi_k, gsl_matrix *a) {
    LEM_TRY(
        lem_favor_features(data->q, w, &(lem_favor_map){.kind = LEM_RF_POSITIVE, .shift = of_q}, 0, phi_q));
    LEM_TRY(
        lem_favor_features(data->k, w, &(lem_favor_map){.kind = LEM_RF_POSITIVE, .shift = of_k}, 0, phi_k));
    gsl_matrix_add_constant(phi_q, epsilon);
    gsl_matrix_add_constant(phi_k, epsilon);
    return lem_attention_matrix_features(phi_q, phi_k, NULL, a);
}

typedef struct {
    perf_data data;
    gsl_matrix *w, *phi_q, *phi_k, *reference, *a;
} space;

static void space_free(space *s) {
    perf_data_free(&s->data);
    gsl_matrix_free(s->w);
    gsl_matrix_free(s->phi_q);
    gsl_matrix_free(s->phi_k);
    gsl_matrix_free(s->reference);
    gsl_matrix_free(s->a);
}

static int space_alloc(space *s) {
    *s = (space){.w = gsl_matrix_alloc(P, D),
                 .phi_q = gsl_matrix_alloc(N, P),
                 .phi_k = gsl_matrix_alloc(N, P),
                 .reference = gsl_matrix_alloc(N, N),
                 .a = gsl_matrix_alloc(N, N)};
    if (!perf_data_alloc(N, D, &s->data) && s->w && s->phi_q && s->phi_k && s->reference && s->a)
        return GSL_SUCCESS;
    space_free(s);
    return LEM_ERROR(GSL_ENOMEM, "no memory for %d x %d matrices", N, N);
}

/* Mean total variation of the rows against the unshifted weights. */
static int distance(space *s, lem_favor_shift of_q, lem_favor_shift of_k, double epsilon, double *mean) {
    LEM_TRY(weights(&s->data, s->w, LEM_SHIFT_NONE, LEM_SHIFT_NONE, 0, s->phi_q, s->phi_k, s->reference));
    LEM_TRY(weights(&s->data, s->w, of_q, of_k, epsilon, s->phi_q, s->phi_k, s->a));
    return lem_total_variation(s->a, s->reference, NULL, mean);
}

static int stabiliser_claims(lem_study *study, space *s) {
    lem_stream stream;
    double shared, by_key, by_feature, tiny, floors[2];
    LEM_TRY(lem_study_stream(study, "data-stabiliser", 0, &stream));
    LEM_TRY(perf_data_draw(&s->data, &stream, .5, 0));
    LEM_TRY(lem_random_projections(LEM_PROJECTIONS_IID, &stream, s->w));
    LEM_TRY(distance(s, LEM_SHIFT_ROW, LEM_SHIFT_SHARED, 0, &shared));
    LEM_TRY(distance(s, LEM_SHIFT_ROW, LEM_SHIFT_ROW, 0, &by_key));
    LEM_TRY(distance(s, LEM_SHIFT_ROW, LEM_SHIFT_COLUMN, 0, &by_feature));
    LEM_TRY(distance(s, LEM_SHIFT_ROW, LEM_SHIFT_SHARED, 1e-6, &tiny));
    LEM_TRY(distance(s, LEM_SHIFT_ROW, LEM_SHIFT_SHARED, 1e-4, &floors[0]));
    gsl_matrix_scale(s->data.q, 4);
    gsl_matrix_scale(s->data.k, 4);
    LEM_TRY(distance(s, LEM_SHIFT_ROW, LEM_SHIFT_SHARED, 1e-4, &floors[1]));
    LEM_TRY(lem_value_scaled(study, "stabiliser.key", by_key, 2, ""));
    LEM_TRY(lem_value_scaled(study, "stabiliser.feature", by_feature, 2, ""));
    LEM_TRY(lem_value_scaled(study, "stabiliser.floor-1", floors[0], 2, ""));
    LEM_TRY(lem_value_scaled(study, "stabiliser.floor-4", floors[1], 2, ""));
    LEM_TRY(lem_value_scaled(study, "stabiliser.small-floor", tiny, 1, ""));
    /* sums of 128 x 256 positive terms, whose exponents of size 60 are rounded once more by a shift: 60 + 40
     * units */
    const double rounding = 100 * 2.3e-16, tenth = .1;
    const lem_falsifier wrong[] = {
        {"each key by its own maximum", lem_inequality(1, &by_key, &rounding, NULL)},
        {"each feature by its maximum over keys", lem_inequality(1, &by_feature, &rounding, NULL)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "perf.stabiliser",
                                        .statement = "exponents lowered by a constant for each query and one "
                                                     "for all keys leave the attention weights as "
                                                     "they are, to rounding; n = 256, d = 16, P = 128",
                                        .source = "Choromanski et al., arXiv 2009.14794 (implementations)",
                                        .verdict = LEM_HOLDS},
                      lem_inequality(1, &shared, &rounding, NULL), wrong, 2));
    const lem_falsifier harmless[] = {
        {"as with 1e-6 at ordinary norms: no harm done", lem_inequality(1, &tenth, &tiny, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "perf.stabiliser.floor",
                                       .statement = "a floor of 1e-4 under the features moves more than a "
                                                    "tenth of the weights once q and k are four times "
                                                    "as long",
                                       .source = "Choromanski et al., arXiv 2009.14794 (implementations)",
                                       .verdict = LEM_HOLDS},
                     lem_inequality(1, &tenth, &floors[1], NULL), harmless, 1);
}

/* --- invariances -------------------------------------------------------------------------------------------
 */

/* softmax of (q_i + c) . k_j + e_j into a */
static int shifted_weights(const gsl_matrix *q, const gsl_matrix *k, const double *c, const double *e,
                           gsl_matrix *a) {
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, q, k, 0, a, 0));
    for (size_t j = 0; j < k->size1; j++) {
        double level = e ? e[j] : 0;
        for (size_t l = 0; c && l < k->size2; l++)
            level += c[l] * gsl_matrix_get(k, j, l);
        for (size_t i = 0; i < q->size1; i++)
            *gsl_matrix_ptr(a, i, j) += level;
    }
    return lem_softmax_rows(a, NULL, 0);
}

/* c = minus the mean of q; key weights -c . k_j. */
static int invariance_claim(lem_study *study, space *s) {
    lem_stream stream;
    double c[D], e[N], centred, weighted, unweighted, balanced;
    LEM_TRY(lem_study_stream(study, "data-shift", 0, &stream));
    LEM_TRY(perf_data_draw(&s->data, &stream, .5, .7));
    const gsl_matrix *q = s->data.q, *k = s->data.k;
    for (size_t l = 0; l < D; l++) {
        c[l] = 0;
        for (size_t i = 0; i < N; i++)
            c[l] -= gsl_matrix_get(q, i, l) / N;
    }
    for (size_t j = 0; j < N; j++) {
        e[j] = 0;
        for (size_t l = 0; l < D; l++)
            e[j] -= c[l] * gsl_matrix_get(k, j, l);
    }
    LEM_TRY(shifted_weights(q, k, NULL, NULL, s->reference));
    LEM_TRY(shifted_weights(q, k, c, e, s->a));
    LEM_TRY(lem_total_variation(s->a, s->reference, NULL, &weighted));
    LEM_TRY(shifted_weights(q, k, c, NULL, s->a));
    LEM_TRY(lem_total_variation(s->a, s->reference, NULL, &unweighted));
    LEM_TRY(lem_value_scaled(study, "shift.mean-t", perf_mean_t(&s->data), 3, ""));
    LEM_TRY(lem_centre_keys(s->data.k, NULL));
    LEM_TRY(shifted_weights(q, k, NULL, NULL, s->a));
    LEM_TRY(lem_total_variation(s->a, s->reference, NULL, &centred));
    LEM_TRY(lem_balance_coordinates(s->data.q, s->data.k, NULL));
    LEM_TRY(shifted_weights(q, k, NULL, NULL, s->a));
    LEM_TRY(lem_total_variation(s->a, s->reference, NULL, &balanced));
    LEM_TRY(lem_value_scaled(study, "shift.unweighted", unweighted, 2, ""));
    const double moved[] = {centred, balanced, weighted}, wrong[] = {centred, balanced, unweighted},
                 rounding[] = {1e-12, 1e-12, 1e-12};
    const lem_falsifier falsifiers[] = {
        {"queries centred without the key weights", lem_inequality(3, wrong, rounding, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "perf.shift",
                          .statement = "centred keys, balanced coordinates, and centred queries with key "
                                       "weights e^(-c.k) leave softmax "
                                       "attention as it is, to 1e-12",
                          .source = "our addition to kexue.fm 7921; Likhosherstov et al., arXiv 2302.00787",
                          .verdict = LEM_HOLDS},
        lem_inequality(3, moved, rounding, NULL), falsifiers, 1);
}

/* --- what centring is worth --------------------------------------------------------------------------------
 */

enum { N_VARIANTS = 4, GAIN_FLOOR = 200 };

typedef struct {
    size_t doubles, n, P;
    double sd, mean_sd;
} gain_ctx;

enum { PLAIN, OPRF, CENTRED, CENTRED_OPRF, POOLING, GAIN, LOSS, OPRF_LOSS, N_GAINS };

/* Errors of the four variants for one draw of data and projections; the keys come out centred. */
static int variant_errors(perf_data *data, const gsl_matrix *w, gsl_matrix *o, double error[N_VARIANTS]) {
    for (size_t variant = PLAIN; variant < N_VARIANTS; variant++) {
        if (variant == CENTRED) /* the exact outputs stay as they are */
            LEM_TRY(lem_centre_keys(data->k, NULL));
        const bool optimal = variant == OPRF || variant == CENTRED_OPRF;
        const lem_favor_options options = {
            .kind = LEM_RF_POSITIVE, .a = optimal ? lem_oprf_A(perf_mean_t(data), D) : 0, .threads = 1};
        LEM_TRY(lem_favor_attention(data->q, data->k, data->v, w, &options, o));
        error[variant] = perf_row_error(o, data->o);
    }
    return GSL_SUCCESS;
}

static int gain_draw(const gain_ctx *ctx, lem_stream *stream, perf_data *data, double *memory,
                     lem_moments *moments) {
    gsl_matrix_view w = gsl_matrix_view_array(memory, ctx->P, D),
                    o = gsl_matrix_view_array(memory + ctx->P * D, ctx->n, D);
    double error[N_VARIANTS];
    LEM_TRY(perf_data_draw(data, stream, ctx->sd, ctx->mean_sd));
    LEM_TRY(lem_random_projections(LEM_PROJECTIONS_IID, stream, &w.matrix));
    LEM_TRY(variant_errors(data, &w.matrix, &o.matrix, error));
    for (size_t variant = 0; variant < N_VARIANTS; variant++)
        LEM_TRY(lem_moments_add(&moments[variant], error[variant]));
    LEM_TRY(lem_moments_add(&moments[POOLING], perf_pooling_error(data)));
    LEM_TRY(lem_moments_add(&moments[GAIN], log(error[PLAIN] / error[CENTRED])));
    LEM_TRY(lem_moments_add(&moments[LOSS], log(error[CENTRED] / error[PLAIN])));
    return lem_moments_add(&moments[OPRF_LOSS], log(error[OPRF] / error[PLAIN]));
}

static int gain_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *context) {
    (void)first;
    const gain_ctx *ctx = context;
    perf_data data;
    LEM_TRY(perf_data_alloc(ctx->n, D, &data));
    int status = GSL_SUCCESS;
    for (size_t r = 0; r < count && !status; r++)
        status = gain_draw(ctx, stream, &data, workspace, out->moments);
    perf_data_free(&data);
    return status;
}

static int gains(lem_study *study, const char *name, gain_ctx ctx, size_t samples, lem_moments *moments) {
    static const char *const keys[] = {"plain",   "oprf",     "centred", "centred-oprf",
                                       "pooling", "log-gain", NULL,      "log-oprf"};
    ctx.doubles = (ctx.P + ctx.n) * D;
    lem_mc_result mc = {.moments = moments};
    LEM_TRY(lem_study_mc(study, name,
                         (lem_mc_plan){.samples = samples,
                                       .chunk_size = 5,
                                       .n_moments = N_GAINS,
                                       .chunk = gain_chunk,
                                       .ctx = &ctx,
                                       .workspace_alloc = perf_workspace_alloc,
                                       .workspace_free = free},
                         &mc));
    for (size_t i = 0; i < COUNT(keys); i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "%s.%s", name, keys[i] ? keys[i] : "");
        if (keys[i])
            LEM_TRY(lem_value_estimate(study, key, lem_moments_mean(&moments[i]),
                                       lem_moments_stderr(&moments[i]), ""));
    }
    return GSL_SUCCESS;
}

static int gain_claim(lem_study *study) {
    lem_moments moderate[N_GAINS], large[N_GAINS];
    LEM_TRY(gains(study, "moderate", (gain_ctx){.n = 64, .P = 1024, .sd = .2, .mean_sd = .4},
                  lem_study_samples(study, 400, GAIN_FLOOR), moderate));
    LEM_TRY(gains(study, "large", (gain_ctx){.n = N, .P = 1024, .sd = .5, .mean_sd = .7},
                  lem_study_samples(study, 200, 40), large));
    const double zero[] = {0};
    const lem_falsifier falsifiers[] = {
        {"centring makes it worse", lem_mean_at_least(1, &moderate[LOSS], zero)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "perf.shift.mse",
            .statement = "centring the keys lowers the logarithm of the squared error of outputs, on "
                         "average; 1024 positive "
                         "features, n = 64, d = 16, entries of size 0.2 about means of size 0.4",
            .source = "our addition to kexue.fm 7921; Likhosherstov et al., arXiv 2302.00787",
            .verdict = LEM_HOLDS,
            .floor = GAIN_FLOOR,
            .floor_reason =
                "a gain of about 0.9 with a standard deviation of 1.0: (4.9 + 4.8)^2 1.2 = 110 draws"},
        lem_mean_at_least(1, &moderate[GAIN], zero), falsifiers, 1);
}

int perf_shifts(lem_study *study) {
    space s;
    LEM_TRY(space_alloc(&s));
    int status = stabiliser_claims(study, &s);
    if (!status)
        status = invariance_claim(study, &s);
    space_free(&s);
    return status ? status : gain_claim(study);
}
