#include "study.h"

#include <string.h>

void *perf_workspace_alloc(const void *ctx) {
    return malloc(*(const size_t *)ctx * sizeof(double));
}

/* --- one projection ----------------------------------------------------------------------------------------
 */

/* E of the p-th power of exp(y), cosh(y) or cos(y), y ~ N(0, t), times exp(-+ p t/2). */
void perf_raw_moments(perf_point point, double m[5]) {
    const double t = point.t, s = point.kind == LEM_RF_TRIG ? -t : t;
    m[0] = 1;
    if (point.kind == LEM_RF_POSITIVE) {
        for (int p = 1; p < 5; p++)
            m[p] = exp(p * (p - 1) * t / 2);
        return;
    }
    m[1] = 1;
    m[2] = (1 + exp(2 * s)) / 2 * exp(-s);
    m[3] = (exp(4.5 * s) + 3 * exp(.5 * s)) / 4 * exp(-1.5 * s);
    m[4] = (exp(8 * s) + 4 * exp(2 * s) + 3) / 8 * exp(-2 * s);
}

double perf_variance(perf_point point) {
    if (point.kind == LEM_RF_POSITIVE)
        return expm1(point.t);
    const double half = sinh(point.t / 2); /* cosh(t) - 1 */
    return 2 * half * half;
}

static double relative_estimate(perf_point point, double x) {
    const double y = sqrt(point.t) * x;
    switch (point.kind) {
    case LEM_RF_POSITIVE:
        return exp(y - point.t / 2);
    case LEM_RF_HYPERBOLIC:
        return cosh(y) * exp(-point.t / 2);
    default:
        return cos(y) * exp(point.t / 2);
    }
}

/* --- blocks ------------------------------------------------------------------------------------------------
 */

static int draw_directions(const perf_block *b, lem_stream *stream, gsl_matrix *w, double *spare) {
    switch (b->directions) {
    case PERF_IID:
        return lem_random_projections(LEM_PROJECTIONS_IID, stream, w);
    case PERF_ORTHOGONAL:
        return lem_random_projections(LEM_PROJECTIONS_ORTHOGONAL, stream, w);
    case PERF_SIMPLEX:
        return lem_random_projections(LEM_PROJECTIONS_SIMPLEX, stream, w);
    default:
        break;
    }
    gsl_matrix_view q = gsl_matrix_view_array(spare, b->d, b->d);
    LEM_TRY(lem_normal_fill(stream, b->d * b->d, spare));
    LEM_TRY(lem_qr(&q.matrix, NULL));
    for (size_t p = 0; p < b->P; p++) {
        double *row = gsl_matrix_ptr(w, p, 0), square = 0;
        LEM_TRY(lem_normal_fill(stream, b->d, row));
        for (size_t l = 0; l < b->d; l++)
            square += row[l] * row[l];
        for (size_t l = 0; l < b->d; l++)
            row[l] = sqrt(square) * gsl_matrix_get(&q.matrix, l, p);
    }
    return GSL_SUCCESS;
}

static int draw_lengths(const perf_block *b, lem_stream *stream, const double *article, double *lengths,
                        gsl_matrix *w) {
    switch (b->lengths) {
    case PERF_CHI:
        return GSL_SUCCESS;
    case PERF_ARTICLE:
        return lem_set_row_lengths(w, article);
    case PERF_FROZEN:
        for (size_t p = 0; p < b->P; p++)
            lengths[p] = sqrt((double)b->d);
        break;
    default:
        LEM_TRY(lem_stratified_radius((double)b->d, b->P, LEM_RADIUS_JITTER, stream, lengths));
    }
    return lem_set_row_lengths(w, lengths);
}

static int block_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                       const void *context) {
    (void)first;
    const perf_block *b = context;
    double *memory = workspace, *article = memory + b->P * b->d, *lengths = article + b->P,
           *spare = lengths + b->P;
    gsl_matrix_view w = gsl_matrix_view_array(memory, b->P, b->d);
    if (b->lengths == PERF_ARTICLE)
        LEM_TRY(lem_stratified_radius((double)b->d, b->P, LEM_RADIUS_ARTICLE, NULL, article));
    for (size_t i = 0; i < count; i++) {
        LEM_TRY(draw_directions(b, stream, &w.matrix, spare));
        LEM_TRY(draw_lengths(b, stream, article, lengths, &w.matrix));
        for (size_t j = 0; j < b->n_points; j++) {
            double sum = 0;
            for (size_t p = 0; p < b->P; p++)
                sum += relative_estimate(b->points[j], gsl_matrix_get(&w.matrix, p, 0));
            LEM_TRY(lem_moments_add(&out->moments[j], sum / (double)b->P));
        }
    }
    return GSL_SUCCESS;
}

int perf_blocks(lem_study *study, const char *purpose, perf_block block, size_t samples,
                lem_moments *moments) {
    block.doubles = block.P * block.d + 2 * block.P + block.d * block.d;
    lem_mc_result mc = {.moments = moments};
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = samples,
                                      .chunk_size = 1000,
                                      .n_moments = block.n_points,
                                      .chunk = block_chunk,
                                      .ctx = &block,
                                      .workspace_alloc = perf_workspace_alloc,
                                      .workspace_free = free},
                        &mc);
}

/* --- numbers -----------------------------------------------------------------------------------------------
 */

double perf_sphere(double d, double x) {
    return 1 + lem_radial_variance_share(d, sqrt(x)) * expm1(sqrt(x));
}

double perf_minimum(double (*f)(double x, const void *ctx), const void *ctx, double low, double high,
                    double width) {
    const double part = 0.3819660112501051;
    double a = low + part * (high - low), b = high - part * (high - low), at_a = f(a, ctx), at_b = f(b, ctx);
    while (high - low > width)
        if (at_a > at_b) {
            low = a, a = b, at_a = at_b;
            b = high - part * (high - low), at_b = f(b, ctx);
        } else {
            high = b, b = a, at_b = at_a;
            a = low + part * (high - low), at_a = f(a, ctx);
        }
    return (low + high) / 2;
}

double perf_root(double (*f)(double x, const void *ctx), const void *ctx, double low, double high,
                 double width) {
    const bool rising = f(low, ctx) < 0;
    while (high - low > width) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high)
            break;
        if ((f(middle, ctx) < 0) == rising)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

int perf_normals(lem_stream *stream, double sd, gsl_matrix *m) {
    for (size_t i = 0; i < m->size1; i++)
        LEM_TRY(lem_normal_fill(stream, m->size2, gsl_matrix_ptr(m, i, 0)));
    return gsl_matrix_scale(m, sd);
}
