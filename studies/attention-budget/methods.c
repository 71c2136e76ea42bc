#include "study.h"

static size_t polynomial_features(size_t d, int degree) {
    uint64_t dim;
    return lem_symmetric_feature_dim(d, (uint64_t)degree, &dim) ? 0 : (size_t)dim;
}

/* Budgets of 1/128 to 1/2 of exact attention, each twice the last, for random features: 2 P/n of it, 3 P/n
 * when hyperbolic. Polynomials and landmarks as far as they cost less than exact attention. */
size_t budget_size(budget_family family, budget_method method, size_t i) {
    static const size_t degrees_wide[MAX_SIZES] = {1, 2}, degrees_narrow[MAX_SIZES] = {1, 2, 3, 4, 5},
                        landmarks[MAX_SIZES] = {8, 16, 32, 64, 128};
    switch (method) {
    case IID:
    case ORTHOGONAL:
    case OPTIMAL:
        return (size_t)8 << i;
    case HYPERBOLIC:
        return ((size_t)16 << i) / 3;
    case NYSTROM:
        return family == NARROW && i == 4 ? 0 : landmarks[i]; /* the inverse costs as much for narrow heads */
    default:
        return family == NARROW ? degrees_narrow[i] : degrees_wide[i];
    }
}

double budget_exact_flops(size_t n, size_t d) {
    return 4 * (double)n * (double)n * (double)d;
}

double budget_flops(budget_method method, size_t n, size_t d, size_t size) {
    const double tokens = (double)n, width = (double)d, m = (double)size;
    switch (method) {
    case IID:
    case ORTHOGONAL:
    case OPTIMAL:
        return 8 * tokens * m * width; /* projections of Q and K; K'^T V; Q' times that */
    case HYPERBOLIC:
        return 12 * tokens * m * width; /* two features from each projection */
    case NYSTROM:
        return lem_nystrom_flops(tokens, m, width);
    default: {
        const double r = (double)polynomial_features(d, (int)size);
        return 4 * tokens * r * width + 2 * tokens * (2 * r - 1); /* the second part makes the features */
    }
    }
}

int budget_coefficients(budget_method method, int degree, double *coef) {
    if (method == TAYLOR)
        return lem_exp_taylor_coefficients(degree, coef);
    if (method == HERMITE)
        return lem_exp_hermite_coefficients(degree, 1, coef); /* logits have unit variance */
    return lem_exp_minimax_relative(degree, 3, coef, NULL);   /* on three standard deviations */
}

static double mean_square_norm(const gsl_matrix *x) {
    double sum = 0;
    for (size_t i = 0; i < x->size1; i++)
        for (size_t j = 0; j < x->size2; j++)
            sum += gsl_matrix_get(x, i, j) * gsl_matrix_get(x, i, j);
    return sum / (double)x->size1;
}

static int random_features(budget_method method, size_t P, const budget_input *in, lem_stream *stream,
                           gsl_matrix *o) {
    const size_t d = in->q->size2;
    lem_favor_options options = {.kind = method == HYPERBOLIC ? LEM_RF_HYPERBOLIC : LEM_RF_POSITIVE,
                                 .threads = 1};
    if (method == OPTIMAL) /* E |q + k|^2 over all pairs; the mean of the keys is 0 */
        options.a = lem_oprf_A(mean_square_norm(in->q) + mean_square_norm(in->k), (double)d);
    gsl_matrix_view w = gsl_matrix_submatrix(in->w, 0, 0, P, d);
    LEM_TRY(lem_random_projections(method == IID ? LEM_PROJECTIONS_IID : LEM_PROJECTIONS_ORTHOGONAL, stream,
                                   &w.matrix));
    return lem_favor_attention(in->measured, in->k, in->v, &w.matrix, &options, o);
}

static int landmarks(size_t m, const budget_input *in, gsl_matrix *o) {
    lem_nystrom_options options = LEM_NYSTROM_PLAIN;
    options.threads = 1;
    LEM_TRY(lem_nystrom_attention(in->q, in->k, in->v, m, &options, in->all));
    for (size_t i = 0; i < o->size1; i++) {
        gsl_vector_view row = gsl_matrix_row(in->all, i * (TOKENS / MEASURED_QUERIES));
        gsl_matrix_set_row(o, i, &row.vector);
    }
    return GSL_SUCCESS;
}

int budget_attention(budget_method method, size_t size, const budget_input *in, lem_stream *stream,
                     gsl_matrix *o) {
    if (method <= OPTIMAL)
        return random_features(method, size, in, stream, o);
    if (method == NYSTROM)
        return landmarks(size, in, o);
    double coef[MAX_DEGREE + 1];
    LEM_TRY(budget_coefficients(method, (int)size, coef));
    return lem_polynomial_attention(in->measured, in->k, in->v, (int)size, coef, false, 1, o);
}
