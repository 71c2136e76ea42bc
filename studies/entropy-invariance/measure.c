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

typedef struct {
    size_t n;
    double kappa, d;
} rows_ctx;

static int rows_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *context) {
    (void)first, (void)workspace;
    const rows_ctx *ctx = context;
    const lem_score_law law = {.kind = LEM_SCORES_COSINE, .shape = ctx->d};
    for (size_t i = 0; i < count; i++) {
        lem_softmax_statistics row;
        LEM_TRY(lem_softmax_stream(&law, ctx->n, 1, &ctx->kappa, stream, &row));
        LEM_TRY(lem_moments_add(&out->moments[ENTINV_ENTROPY], row.entropy));
        LEM_TRY(lem_moments_add(&out->moments[ENTINV_LOG_Z], row.log_z));
        LEM_TRY(lem_moments_add(&out->moments[ENTINV_SLOPE], -ctx->kappa * row.variance));
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
                                      .ctx = &ctx},
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
