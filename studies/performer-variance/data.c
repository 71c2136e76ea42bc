#include "study.h"

int perf_data_alloc(size_t n, size_t d, perf_data *data) {
    *data = (perf_data){
        n, d, gsl_matrix_alloc(n, d), gsl_matrix_alloc(n, d), gsl_matrix_alloc(n, d), gsl_matrix_alloc(n, d)};
    if (data->q && data->k && data->v && data->o)
        return GSL_SUCCESS;
    perf_data_free(data);
    return LEM_ERROR(GSL_ENOMEM, "no memory for %zu x %zu matrices", n, d);
}

void perf_data_free(perf_data *data) {
    gsl_matrix_free(data->q);
    gsl_matrix_free(data->k);
    gsl_matrix_free(data->v);
    gsl_matrix_free(data->o);
}

/* mean_sd = 0 draws no mean */
static int add_mean(lem_stream *stream, double mean_sd, gsl_matrix *m) {
    for (size_t l = 0; mean_sd > 0 && l < m->size2; l++) {
        const double shift = mean_sd * lem_normal(stream);
        for (size_t i = 0; i < m->size1; i++)
            *gsl_matrix_ptr(m, i, l) += shift;
    }
    return GSL_SUCCESS;
}

int perf_data_draw(perf_data *data, lem_stream *stream, double sd, double mean_sd) {
    LEM_TRY(perf_normals(stream, sd, data->q));
    LEM_TRY(perf_normals(stream, sd, data->k));
    LEM_TRY(perf_normals(stream, 1, data->v));
    LEM_TRY(add_mean(stream, mean_sd, data->q));
    LEM_TRY(add_mean(stream, mean_sd, data->k));
    return perf_data_attend(data);
}

int perf_data_attend(perf_data *data) {
    lem_attention_options options = LEM_ATTENTION_PLAIN;
    options.threads = 1;
    return lem_attention_exact(data->q, data->k, data->v, &options, data->o);
}

double perf_row_error(const gsl_matrix *a, const gsl_matrix *b) {
    double sum = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t c = 0; c < a->size2; c++) {
            const double gap = gsl_matrix_get(a, i, c) - gsl_matrix_get(b, i, c);
            sum += gap * gap;
        }
    return sum / (double)a->size1;
}

double perf_pooling_error(const perf_data *data) {
    double sum = 0;
    for (size_t c = 0; c < data->d; c++) {
        double mean = 0;
        for (size_t j = 0; j < data->n; j++)
            mean += gsl_matrix_get(data->v, j, c) / (double)data->n;
        for (size_t i = 0; i < data->n; i++)
            sum += (gsl_matrix_get(data->o, i, c) - mean) * (gsl_matrix_get(data->o, i, c) - mean);
    }
    return sum / (double)data->n;
}

double perf_predicted(const perf_data *data, lem_rf_kind kind, double a) {
    double sum = 0;
    for (size_t i = 0; i < data->n; i++)
        sum += lem_favor_delta_mse(data->q, data->k, data->v, i, kind, a, NULL);
    return sum / (double)data->n;
}

static double t_of(const perf_data *data, size_t i, size_t j) {
    double t = 0;
    for (size_t l = 0; l < data->d; l++) {
        const double z = gsl_matrix_get(data->q, i, l) + gsl_matrix_get(data->k, j, l);
        t += z * z;
    }
    return t;
}

double perf_largest_t(const perf_data *data) {
    double most = 0;
    for (size_t i = 0; i < data->n; i++)
        for (size_t j = 0; j < data->n; j++)
            most = fmax(most, t_of(data, i, j));
    return most;
}

double perf_mean_t(const perf_data *data) {
    double sum = 0;
    for (size_t i = 0; i < data->n; i++)
        for (size_t j = 0; j < data->n; j++)
            sum += t_of(data, i, j);
    return sum / (double)(data->n * data->n);
}

static int errors_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                        const void *context) {
    (void)first;
    const perf_errors_ctx *ctx = context;
    const perf_data *data = ctx->data;
    double *memory = workspace;
    gsl_matrix_view w = gsl_matrix_view_array(memory, ctx->P, data->d);
    gsl_matrix_view o = gsl_matrix_view_array(memory + ctx->P * data->d, data->n, data->d);
    const lem_favor_options options = {.kind = ctx->kind, .a = ctx->a, .threads = 1};
    for (size_t i = 0; i < count; i++) {
        LEM_TRY(lem_random_projections(ctx->projections, stream, &w.matrix));
        LEM_TRY(lem_favor_attention(data->q, data->k, data->v, &w.matrix, &options, &o.matrix));
        LEM_TRY(lem_moments_add(&out->moments[0], ctx->factor * perf_row_error(&o.matrix, data->o)));
    }
    return GSL_SUCCESS;
}

int perf_errors(lem_study *study, const char *purpose, perf_errors_ctx ctx, size_t samples,
                lem_moments *moments) {
    ctx.doubles = (ctx.P + ctx.data->n) * ctx.data->d;
    lem_mc_result mc = {.moments = moments};
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = samples,
                                      .chunk_size = 10,
                                      .n_moments = 1,
                                      .chunk = errors_chunk,
                                      .ctx = &ctx,
                                      .workspace_alloc = perf_workspace_alloc,
                                      .workspace_free = free},
                        &mc);
}
