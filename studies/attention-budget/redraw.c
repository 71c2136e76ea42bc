#include "study.h"

enum { N_MOMENTS = 1 + 2 * METHODS * MAX_SIZES };

typedef struct {
    gsl_matrix *q, *k, *v, *measured, *all, *w, *exact, *o;
} workspace;

static void workspace_free(void *pointer) {
    workspace *ws = pointer;
    gsl_matrix *const matrices[] = {ws->q, ws->k, ws->v, ws->measured, ws->all, ws->w, ws->exact, ws->o};
    for (size_t i = 0; i < COUNT(matrices); i++)
        if (matrices[i])
            gsl_matrix_free(matrices[i]);
    free(ws);
}

static void *workspace_alloc(const void *ctx) {
    const size_t d = budget_width(*(const budget_family *)ctx);
    workspace *ws = calloc(1, sizeof *ws);
    if (!ws)
        return NULL;
    gsl_matrix **const tall[] = {&ws->q, &ws->k, &ws->v, &ws->all, &ws->w},
                       **const few[] = {&ws->measured, &ws->exact, &ws->o};
    bool failed = false;
    for (size_t i = 0; i < COUNT(tall); i++)
        failed |= !(*tall[i] = gsl_matrix_alloc(TOKENS, d));
    for (size_t i = 0; i < COUNT(few); i++)
        failed |= !(*few[i] = gsl_matrix_alloc(MEASURED_QUERIES, d));
    if (!failed)
        return ws;
    workspace_free(ws);
    return NULL;
}

static double mean_square_difference(const gsl_matrix *a, const gsl_matrix *b) {
    double sum = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++) {
            const double x = gsl_matrix_get(a, i, j) - gsl_matrix_get(b, i, j);
            sum += x * x;
        }
    return sum / (double)(a->size1 * a->size2);
}

/* Each row of O the mean of V. */
static void pool(const gsl_matrix *v, gsl_matrix *o) {
    for (size_t j = 0; j < v->size2; j++) {
        double sum = 0;
        for (size_t i = 0; i < v->size1; i++)
            sum += gsl_matrix_get(v, i, j);
        for (size_t i = 0; i < o->size1; i++)
            gsl_matrix_set(o, i, j, sum / (double)v->size1);
    }
}

static int all_methods(budget_family family, const workspace *ws, double pooling, lem_stream *stream,
                       lem_moments *moments) {
    const budget_input input = {ws->q, ws->k, ws->v, ws->measured, ws->all, ws->w};
    double best = INFINITY;
    for (budget_method m = 0; m < METHODS; m++)
        for (size_t i = 0; i < MAX_SIZES && budget_size(family, m, i); i++) {
            LEM_TRY(budget_attention(m, budget_size(family, m, i), &input, stream, ws->o));
            const double log_error = log(mean_square_difference(ws->o, ws->exact) / pooling) / 2;
            LEM_TRY(lem_moments_add(&moments[m * MAX_SIZES + i], log_error));
            if (m <= OPTIMAL && i == MAX_SIZES - 1)
                best = fmin(best, log_error);
            if (m > OPTIMAL)
                LEM_TRY(lem_moments_add(&moments[(METHODS + m) * MAX_SIZES + i], log_error - best));
        }
    return GSL_SUCCESS;
}

static int redraw(lem_stream *stream, size_t first, size_t count, void *pointer, lem_mc_result *out,
                  const void *ctx) {
    (void)first;
    const budget_family family = *(const budget_family *)ctx;
    workspace *ws = pointer;
    for (size_t r = 0; r < count; r++) {
        LEM_TRY(budget_draw(family, stream, ws->q, ws->k, ws->v));
        for (size_t i = 0; i < MEASURED_QUERIES; i++) {
            gsl_vector_view row = gsl_matrix_row(ws->q, i * (TOKENS / MEASURED_QUERIES));
            gsl_matrix_set_row(ws->measured, i, &row.vector);
        }
        lem_attention_options options = LEM_ATTENTION_PLAIN;
        options.threads = 1;
        LEM_TRY(lem_attention_exact(ws->measured, ws->k, ws->v, &options, ws->exact));
        pool(ws->v, ws->o);
        const double pooling = mean_square_difference(ws->o, ws->exact);
        LEM_TRY(lem_moments_add(&out->moments[N_MOMENTS - 1], pooling));
        LEM_TRY(all_methods(family, ws, pooling, stream, out->moments));
    }
    return GSL_SUCCESS;
}

int budget_measure(lem_study *study, budget_family family, size_t redraws, budget_result *result) {
    static const char *const purposes[FAMILIES] = {"gaussian", "narrow", "smooth", "clustered", "correlated"};
    lem_moments moments[N_MOMENTS];
    lem_mc_result mc = {.moments = moments};
    LEM_TRY(lem_study_mc(study, purposes[family],
                         (lem_mc_plan){.samples = redraws,
                                       .chunk_size = 1,
                                       .n_moments = N_MOMENTS,
                                       .chunk = redraw,
                                       .ctx = &family,
                                       .workspace_alloc = workspace_alloc,
                                       .workspace_free = workspace_free},
                         &mc));
    for (size_t m = 0; m < METHODS; m++)
        for (size_t i = 0; i < MAX_SIZES; i++) {
            result->log_error[m][i] = moments[m * MAX_SIZES + i];
            result->log_gain[m][i] = moments[(METHODS + m) * MAX_SIZES + i];
        }
    result->pooling = moments[N_MOMENTS - 1];
    return GSL_SUCCESS;
}
