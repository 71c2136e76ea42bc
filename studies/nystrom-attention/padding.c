/* Zero rows up to a multiple of m, not masked: each is a key of weight exp(0). */
#include "study.h"

enum { TOKENS = 500, M = 32, DRAWS = 3 }; /* the last segment of 16 still holds 4 tokens */

typedef struct {
    double mean_leak, most_leak, padded, masked; /* the leak; errors of six steps */
} padded_case;

/* Leak of row i: its mass on the padding. */
static double leak(const gsl_matrix *s, size_t i) {
    double sum = 0;
    for (size_t j = TOKENS; j < s->size2; j++)
        sum += gsl_matrix_get(s, i, j);
    return sum;
}

static double formula(const nys_data *data, size_t i) {
    double sum = 0;
    for (size_t j = 0; j < TOKENS; j++) {
        double dot = 0;
        for (size_t c = 0; c < data->d; c++)
            dot += gsl_matrix_get(data->q, i, c) * gsl_matrix_get(data->k, j, c);
        sum += exp(dot);
    }
    const double pads = (double)(data->n - TOKENS);
    return pads / (pads + sum);
}

/* Six steps against exact attention among the tokens. */
static int six_error(const nys_data *data, const gsl_matrix *truth, size_t valid, double *error) {
    lem_nystrom_options six = LEM_NYSTROM_PLAIN;
    six.valid = valid;
    LEM_TRY(lem_nystrom_matrix(data->q, data->k, M, &six, data->other));
    gsl_matrix tokens = gsl_matrix_submatrix(data->other, 0, 0, TOKENS, TOKENS).matrix;
    gsl_matrix_sub(&tokens, truth);
    *error = lem_frobenius_norm(&tokens) / lem_frobenius_norm(truth);
    return GSL_SUCCESS;
}

static int measure(lem_stream *stream, nys_data *data, gsl_matrix *truth, padded_case *c, double *leaks,
                   double *law) {
    gsl_matrix q = gsl_matrix_submatrix(data->q, 0, 0, TOKENS, data->d).matrix,
               k = gsl_matrix_submatrix(data->k, 0, 0, TOKENS, data->d).matrix;
    gsl_matrix_set_zero(data->q), gsl_matrix_set_zero(data->k);
    LEM_TRY(nys_draw_rows(stream, 64, &q));
    LEM_TRY(nys_draw_rows(stream, 64, &k));
    LEM_TRY(nys_exact(data));
    LEM_TRY(lem_attention_matrix(&q, &k, LEM_ATTENTION_SOFTMAX, NULL, truth));
    c->mean_leak = c->most_leak = 0;
    for (size_t i = 0; i < TOKENS; i++) {
        leaks[i] = leak(data->s, i), law[i] = formula(data, i);
        c->mean_leak += leaks[i] / TOKENS, c->most_leak = fmax(c->most_leak, leaks[i]);
    }
    LEM_TRY(six_error(data, truth, 0, &c->padded));
    return six_error(data, truth, TOKENS, &c->masked);
}

int nys_padding(lem_study *study) {
    enum { POINTS = DRAWS * TOKENS };
    static double leaks[POINTS], law[POINTS], uniform[POINTS], zero[POINTS], bound[POINTS];
    padded_case c[DRAWS] = {{0}};
    nys_data *data = nys_data_alloc(NYS_N, NYS_D);
    gsl_matrix *truth = gsl_matrix_alloc(TOKENS, TOKENS);
    int status = data && truth ? GSL_SUCCESS : GSL_ENOMEM;
    for (uint32_t i = 0; i < DRAWS && !status; i++) {
        lem_stream stream;
        if (!(status = lem_study_stream(study, "padding", i, &stream)))
            status = measure(&stream, data, truth, &c[i], leaks + i * TOKENS, law + i * TOKENS);
    }
    nys_data_free(data), gsl_matrix_free(truth);
    LEM_TRY(status);
    double mean[DRAWS], half[DRAWS], most = 0;
    for (size_t i = 0; i < POINTS; i++) {
        uniform[i] = (double)(NYS_N - TOKENS) / NYS_N, zero[i] = 0;
        bound[i] = 4 * (NYS_N + 100) *
                   NYS_UNIT; /* logits off by 2 d units of at most 20, sums of n terms, leak < 1 */
    }
    for (size_t i = 0; i < DRAWS; i++)
        mean[i] = c[i].mean_leak, half[i] = c[i].padded / 2, most = fmax(most, c[i].most_leak);
    LEM_TRY(lem_value_scaled(study, "padding.mean", mean[0], 2, ""));
    LEM_TRY(lem_value_scaled(study, "padding.most", most, 1, ""));
    LEM_TRY(lem_value_scaled(study, "padding.six", c[0].padded, 3, ""));
    LEM_TRY(lem_value_scaled(study, "padding.six.masked", c[0].masked, 3, ""));
    const lem_falsifier falsifiers[] = {
        {"zero rows get no weight", lem_identity_abs(POINTS, leaks, zero, bound)},
        {"they get the share p/n of every row", lem_identity_abs(POINTS, leaks, uniform, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "nys.padding",
                          .statement = "p zero rows that are not masked take the mass p/(p + sum_j exp(q "
                                       "k_j)) of each row (n = 500 to 512)",
                          .source = "our addition to kexue.fm 8180",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(POINTS, leaks, law, bound), falsifiers, 2));
    const lem_falsifier dominates[] = {
        {"it is the larger of the two", lem_inequality(DRAWS, half, mean, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.padding.second-order",
                                       .statement =
                                           "the mean leak is below half of the error of the six-step form "
                                           "(correlation length 64, m = 32)",
                                       .source = "our addition to kexue.fm 8180",
                                       .verdict = LEM_HOLDS},
                     lem_inequality(DRAWS, mean, half, NULL), dominates, 1);
}
