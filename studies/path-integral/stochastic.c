#include "stochastic.h"

#define FIELD(name, expression)                                                                              \
    int pi_##name##_block(size_t n, const double *at, double t, const void *ctx, double *out) {              \
        (void)t;                                                                                             \
        const double c = *(const double *)ctx;                                                               \
        for (size_t i = 0; i < n; i++) {                                                                     \
            const double x = at[i];                                                                          \
            out[i] = (expression);                                                                           \
            (void)x;                                                                                         \
        }                                                                                                    \
        return GSL_SUCCESS;                                                                                  \
    }

FIELD(double_well, c *(x - x * x * x))
FIELD(linear, c *x)
FIELD(constant, c)
FIELD(harmonic, c *x *x / 2)
FIELD(quartic, c *x *x *x *x)

int pi_weights(lem_study *study, const char *purpose, const lem_feynman_kac *problem, size_t samples,
               lem_feynman_kac_result *result) {
    double *log_weights = malloc(samples * sizeof *log_weights);
    if (!log_weights)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu weights", samples);
    lem_mc_result mc = {.records = log_weights};
    int status = lem_study_mc(study, purpose,
                              (lem_mc_plan){.samples = samples,
                                            .chunk_size = 2048,
                                            .n_records = 1,
                                            .chunk = lem_feynman_kac_chunk,
                                            .ctx = problem},
                              &mc);
    if (!status)
        status = lem_feynman_kac_reduce(problem, samples, log_weights, result);
    free(log_weights);
    return status;
}

int pi_moments(lem_study *study, const char *purpose, lem_mc_chunk chunk, const void *ctx, size_t samples,
               size_t n_moments, lem_moments *moments) {
    lem_mc_result mc = {.moments = moments};
    return lem_study_mc(
        study, purpose,
        (lem_mc_plan){
            .samples = samples, .chunk_size = 2048, .n_moments = n_moments, .chunk = chunk, .ctx = ctx},
        &mc);
}

/* --- the path integral on a grid --- */

enum { NODES = 561 };
static const double EDGE = 7;

typedef struct {
    double x[NODES], factor[NODES]; /* exp(-h U/alpha) */
    double free[NODES];             /* K_0 over one slice, by distance */
    double alpha, h, spacing;
} grid;

static double free_kernel(const grid *g, double distance) {
    return lem_brownian_pdf(distance, g->h, g->alpha);
}

static int fill_grid(const lem_feynman_kac *p, grid *g) {
    g->alpha = p->alpha;
    g->h = p->T / (double)p->slices;
    g->spacing = 2 * EDGE / (NODES - 1);
    for (size_t i = 0; i < NODES; i++) {
        g->x[i] = -EDGE + (double)i * g->spacing;
        g->free[i] = free_kernel(g, (double)i * g->spacing);
    }
    LEM_TRY(lem_block_field_at(&p->potential, "potential", NODES, g->x, 0, g->factor));
    for (size_t i = 0; i < NODES; i++)
        g->factor[i] = exp(-g->h / p->alpha * g->factor[i]);
    return GSL_SUCCESS;
}

/* out = spacing G (factor v) */
static void one_slice(const grid *g, const double *v, double *out) {
    double weighted[NODES];
    for (size_t j = 0; j < NODES; j++)
        weighted[j] = g->spacing * g->factor[j] * v[j];
    for (size_t i = 0; i < NODES; i++) {
        double sum = 0;
        for (size_t j = 0; j < NODES; j++)
            sum += g->free[i > j ? i - j : j - i] * weighted[j];
        out[i] = sum;
    }
}

/* forward[k]: from xa to slice k + 1, less that slice's potential; by symmetry also what leads to xb. */
static void propagate(const grid *g, double from, size_t steps, double *v) {
    for (size_t i = 0; i < NODES; i++)
        v[i] = free_kernel(g, g->x[i] - from);
    for (size_t k = 1; k < steps; k++)
        one_slice(g, v + (k - 1) * NODES, v + k * NODES);
}

static int end_factor(const lem_feynman_kac *p, const grid *g, double *factor) {
    const double ends[] = {p->xa, p->xb};
    double u[2];
    LEM_TRY(lem_block_field_at(&p->potential, "potential", 2, ends, 0, u));
    *factor = exp(-g->h / p->alpha * (u[0] + u[1]) / 2);
    return GSL_SUCCESS;
}

static int compose(const lem_feynman_kac *p, grid *g, double *ahead, double *back, double *kernel,
                   double *means) {
    const size_t steps = p->slices - 1;
    double ends;
    LEM_TRY(fill_grid(p, g));
    LEM_TRY(end_factor(p, g, &ends));
    propagate(g, p->xa, steps, ahead);
    propagate(g, p->xb, steps, back);
    for (size_t k = 0; k < steps; k++) {
        const double *a = ahead + k * NODES, *b = back + (steps - 1 - k) * NODES;
        double sum = 0, first = 0;
        for (size_t i = 0; i < NODES; i++) {
            const double mass = a[i] * g->factor[i] * b[i];
            sum += mass;
            first += mass * g->x[i];
        }
        *kernel = ends * g->spacing * sum;
        if (means)
            means[k + 1] = first / sum;
    }
    if (means)
        means[0] = p->xa, means[p->slices] = p->xb;
    return GSL_SUCCESS;
}

int pi_lattice_kernel(const lem_feynman_kac *p, double *kernel, double *means) {
    if (p->slices < 2)
        return LEM_ERROR(GSL_EDOM, "slices = %zu: must be >= 2", p->slices);
    grid *g = malloc(sizeof *g);
    double *v = malloc(2 * (p->slices - 1) * NODES * sizeof *v);
    int status = g && v ? GSL_SUCCESS : LEM_ERROR(GSL_ENOMEM, "no memory for %zu slices", p->slices);
    if (!status)
        status = compose(p, g, v, v + (p->slices - 1) * NODES, kernel, means);
    free(v);
    free(g);
    return status;
}
