#include "study.h"

size_t budget_width(budget_family family) {
    return family == NARROW ? 8 : 32;
}

static int fill_normal(lem_stream *stream, double sd, gsl_matrix *x) {
    LEM_TRY(lem_normal_fill(stream, x->size1 * x->size2, x->data)); /* ours are not parts of others */
    gsl_matrix_scale(x, sd);
    return GSL_SUCCESS;
}

/* From independent rows of standard deviation sd to an autoregression of the same one, which row 0 is drawn
 * from. */
static void correlate_rows(gsl_matrix *x) {
    const double rho = exp(-1.0 / CORRELATION_LENGTH), innovation = sqrt(1 - rho * rho);
    for (size_t i = 1; i < x->size1; i++)
        for (size_t j = 0; j < x->size2; j++)
            gsl_matrix_set(x, i, j, rho * gsl_matrix_get(x, i - 1, j) + innovation * gsl_matrix_get(x, i, j));
}

/* A centre with nine tenths of the variance, and the key's own part with one tenth; in random order. */
static int gather_keys(lem_stream *stream, double sd, gsl_matrix *k) {
    double centres[CLUSTERS * MAX_WIDTH];
    const size_t d = k->size2;
    LEM_TRY(lem_normal_fill(stream, CLUSTERS * d, centres));
    for (size_t i = 0; i < k->size1; i++) {
        const double *centre = centres + d * lem_integer(stream, CLUSTERS);
        for (size_t j = 0; j < d; j++)
            gsl_matrix_set(k, i, j, sqrt(0.9) * sd * centre[j] + sqrt(0.1) * gsl_matrix_get(k, i, j));
    }
    return GSL_SUCCESS;
}

/* Half the variance of each value is its key's. */
static void follow_keys(const gsl_matrix *k, double sd, gsl_matrix *v) {
    for (size_t i = 0; i < v->size1; i++)
        for (size_t j = 0; j < v->size2; j++)
            gsl_matrix_set(v, i, j, sqrt(0.5) * (gsl_matrix_get(k, i, j) / sd + gsl_matrix_get(v, i, j)));
}

int budget_draw(budget_family family, lem_stream *stream, gsl_matrix *q, gsl_matrix *k, gsl_matrix *v) {
    const double sd = pow((double)q->size2, -0.25);
    LEM_TRY(fill_normal(stream, sd, q));
    LEM_TRY(fill_normal(stream, sd, k));
    LEM_TRY(fill_normal(stream, 1, v));
    if (family == SMOOTH) {
        correlate_rows(q);
        correlate_rows(k);
    }
    if (family == CLUSTERED)
        LEM_TRY(gather_keys(stream, sd, k));
    if (family == CORRELATED)
        follow_keys(k, sd, v);
    return lem_centre_keys(k, NULL);
}
