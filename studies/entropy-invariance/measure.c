#include "attention/softmax_kernel.h"
#include "study.h"

#include <gsl/gsl_integration.h>
#include <stdarg.h>

int entinv_value(lem_study *study, double value, int digits, const char *format, ...) {
    char key[96];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(key, sizeof key, format, args);
    va_end(args);
    return lem_value_exact(study, key, value, digits, "");
}

double entinv_mean_field(double n, double kappa, double d) {
    return log(n) - lem_vmf_kl_uniform(kappa, d);
}

double entinv_freezing(double n, double d) {
    double low = 0, high = 1;
    while (lem_vmf_kl_uniform(high, d) < log(n))
        high *= 2;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (lem_vmf_kl_uniform(middle, d) < log(n))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- quadrature over the angle --- */

static void normalise(entinv_rule *rule) {
    double sum = 0;
    for (size_t i = 0; i < rule->count; i++)
        sum += rule->weight[i];
    for (size_t i = 0; i < rule->count; i++)
        rule->weight[i] /= sum;
}

/* The midpoint rule in theta is spectrally accurate for even power, and off by h^(power + 1) for odd. */
static void midpoint_rule(double power, entinv_rule *rule) {
    rule->count = ENTINV_NODES;
    for (size_t i = 0; i < rule->count; i++) {
        const double theta = M_PI * ((double)i + .5) / ENTINV_NODES;
        rule->cosine[i] = cos(theta);
        rule->weight[i] = pow(sin(theta), power);
    }
    normalise(rule);
}

/* Gauss-Legendre in s = cos theta: for odd power the weight (1 - s^2)^((power - 1)/2) is a polynomial. */
static int legendre_rule(double power, entinv_rule *rule) {
    rule->count = 256; /* one of those that GSL has to the last digit */
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(rule->count);
    if (!table)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu nodes", rule->count);
    for (size_t i = 0; i < rule->count; i++) {
        double s, w;
        (void)gsl_integration_glfixed_point(-1, 1, i, &s, &w, table);
        rule->cosine[i] = s;
        rule->weight[i] = w * pow((1 - s) * (1 + s), (power - 1) / 2);
    }
    gsl_integration_glfixed_table_free(table);
    normalise(rule);
    return GSL_SUCCESS;
}

int entinv_rule_init(double d, double power, entinv_rule *rule) {
    if (d < 9 && fmod(d, 2) == 1)
        return legendre_rule(power, rule);
    midpoint_rule(power, rule);
    return GSL_SUCCESS;
}

/* --- rows of random keys --- */

/* Two coordinates of a uniform direction have the squared length 1 - U^(2/(d - 2)) and a uniform angle: U
 * uniform (0 gives length 1). */
int entinv_cosines(lem_stream *stream, size_t n, double d, double *space, double *cosines) {
    LEM_TRY(lem_uniform_fill(stream, 2 * n, space));
    for (size_t j = 0; j < n; j++)
        cosines[j] = sqrt(-expm1(log(space[2 * j]) * (2 / (d - 2)))) * cos(2 * M_PI * space[2 * j + 1]);
    return GSL_SUCCESS;
}

typedef struct {
    size_t n;
    double kappa, d;
} rows_ctx;

/* Scores are used as they come: a row needs no storage of its length. */
enum { BLOCK = 1024 };
typedef struct {
    double s[BLOCK], e[BLOCK], space[2 * BLOCK];
} rows_workspace;

static void *workspace_alloc(const void *context) {
    (void)context;
    return malloc(sizeof(rows_workspace));
}

/* sum e^z, sum s e^z and sum s^2 e^z over a row, z = kappa (s - 1) <= 0. */
static int row_sums(lem_stream *stream, const rows_ctx *ctx, rows_workspace *w, double sums[3]) {
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    sums[0] = sums[1] = sums[2] = 0;
    for (size_t left = ctx->n; left > 0;) {
        const size_t m = left < BLOCK ? left : BLOCK;
        LEM_TRY(entinv_cosines(stream, m, ctx->d, w->space, w->s));
        for (size_t j = 0; j < m; j++)
            w->e[j] = ctx->kappa * w->s[j];
        sums[0] += kernel->exp_sum(w->e, m, ctx->kappa);
        sums[1] += kernel->dot(w->s, w->e, m);
        for (size_t j = 0; j < m; j++)
            w->e[j] *= w->s[j];
        sums[2] += kernel->dot(w->s, w->e, m);
        left -= m;
    }
    return GSL_SUCCESS;
}

static int rows_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *context) {
    (void)first;
    const rows_ctx *ctx = context;
    for (size_t i = 0; i < count; i++) {
        double sums[3];
        LEM_TRY(row_sums(stream, ctx, workspace, sums));
        const double mean = sums[1] / sums[0], log_z = log(sums[0]) + ctx->kappa;
        LEM_TRY(lem_moments_add(&out->moments[ENTINV_ENTROPY], log_z - ctx->kappa * mean));
        LEM_TRY(lem_moments_add(&out->moments[ENTINV_LOG_Z], log_z));
        LEM_TRY(
            lem_moments_add(&out->moments[ENTINV_SLOPE], -ctx->kappa * (sums[2] / sums[0] - mean * mean)));
    }
    return GSL_SUCCESS;
}

int entinv_rows(lem_study *study, const char *purpose, size_t n, double kappa, double d, size_t rows,
                lem_moments moments[ENTINV_MOMENTS]) {
    const rows_ctx ctx = {n, kappa, d};
    lem_mc_result mc = {.moments = moments};
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = rows,
                                      .chunk_size = 1 + 100000 / n,
                                      .n_moments = ENTINV_MOMENTS,
                                      .chunk = rows_chunk,
                                      .ctx = &ctx,
                                      .workspace_alloc = workspace_alloc,
                                      .workspace_free = free},
                        &mc);
}

int entinv_exact(double n, double kappa, double d, double exact[ENTINV_MOMENTS]) {
    const lem_score_law law = {.kind = LEM_SCORES_COSINE, .shape = d};
    lem_quenched q;
    LEM_TRY(lem_quenched_softmax(&law, n, kappa, &q));
    exact[ENTINV_ENTROPY] = q.entropy;
    exact[ENTINV_LOG_Z] = q.log_z;
    exact[ENTINV_SLOPE] = -kappa * q.variance;
    return GSL_SUCCESS;
}
