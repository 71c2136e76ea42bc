/* Row sums and signs of N: it is not a stochastic matrix. */
#include "study.h"

#include <stdio.h>

enum { DRAWS = 3, LANDMARKS = 8 };

/* --- row sums ---------------------------------------------------------------------------------------------
 */

typedef enum { AS_DRAWN, EQUAL_KEYS, EQUAL_QUERIES, EQUAL_BOTH } twins;

typedef struct {
    double exact, six, product,
        bound; /* largest |row sum - 1| of F pinv(A) B, six steps, F B; of the first */
} row_sums;

static void repeat_last_row(gsl_matrix *x) {
    const gsl_vector row = gsl_matrix_row(x, x->size1 - 2).vector;
    gsl_matrix_set_row(x, x->size1 - 1, &row);
}

static int measure(lem_stream *stream, nys_data *data, nys_parts *parts, twins kind, row_sums *r) {
    LEM_TRY(nys_draw(stream, 64, data));
    LEM_TRY(lem_segment_means(data->q, 0, parts->q));
    LEM_TRY(lem_segment_means(data->k, 0, parts->k));
    if (kind == EQUAL_QUERIES || kind == EQUAL_BOTH)
        repeat_last_row(parts->q);
    if (kind == EQUAL_KEYS || kind == EQUAL_BOTH)
        repeat_last_row(parts->k);
    LEM_TRY(nys_factor_from(data, parts));
    const size_t last = kind == AS_DRAWN ? LANDMARKS - 1 : LANDMARKS - 2;
    r->bound = 100 * 1e-15 * gsl_vector_get(parts->sigma, 0) / gsl_vector_get(parts->sigma, last);
    LEM_TRY(nys_inverse(parts));
    LEM_TRY(lem_nystrom_product(parts->f, parts->z, parts->b, 1, data->other));
    r->exact = nys_row_sum_deviation(data->other);
    LEM_TRY(nys_six(parts));
    LEM_TRY(lem_nystrom_product(parts->f, parts->z, parts->b, 1, data->other));
    r->six = nys_row_sum_deviation(data->other);
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, parts->f, parts->b, 0, data->other, 1));
    r->product = nys_row_sum_deviation(data->other);
    return GSL_SUCCESS;
}

static int row_sum_claims(lem_study *study) {
    enum { KINDS = 4, SUMS = 3 * DRAWS };
    static const char *const purposes[KINDS] = {"rows-as-drawn", "rows-equal-keys", "rows-equal-queries",
                                                "rows-equal-both"};
    static const twins holds[3] = {AS_DRAWN, EQUAL_KEYS, EQUAL_BOTH};
    row_sums r[KINDS][DRAWS];
    nys_data *data = nys_data_alloc(NYS_N, NYS_D);
    nys_parts *parts = nys_parts_alloc(NYS_N, NYS_D, LANDMARKS);
    int status = data && parts ? GSL_SUCCESS : GSL_ENOMEM;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < DRAWS && !status; i++) {
            lem_stream stream;
            if (!(status = lem_study_stream(study, purposes[kind], i, &stream)))
                status = measure(&stream, data, parts, (twins)kind, &r[kind][i]);
        }
    nys_data_free(data), nys_parts_free(parts);
    LEM_TRY(status);
    double sums[SUMS], six[SUMS], queries[SUMS], bound[SUMS], six_largest = 0, stochastic[DRAWS];
    const double zero[SUMS] = {0};
    for (size_t i = 0; i < SUMS; i++) {
        const row_sums *good = &r[holds[i / DRAWS]][i % DRAWS], *bad = &r[EQUAL_QUERIES][i % DRAWS];
        sums[i] = good->exact, six[i] = good->six, queries[i] = bad->exact;
        bound[i] = fmax(good->bound, bad->bound);
    }
    double query_largest = 0, query_smallest = INFINITY;
    for (size_t i = 0; i < DRAWS; i++) {
        six_largest = fmax(six_largest, r[AS_DRAWN][i].six);
        query_largest = fmax(query_largest, r[EQUAL_QUERIES][i].exact);
        query_smallest = fmin(query_smallest, r[EQUAL_QUERIES][i].exact);
        stochastic[i] = r[AS_DRAWN][i].product;
    }
    LEM_TRY(lem_value_scaled(study, "row-sums.six", six_largest, 1, ""));
    LEM_TRY(lem_value_scaled(study, "row-sums.equal-queries.least", query_smallest, 1, ""));
    LEM_TRY(lem_value_scaled(study, "row-sums.equal-queries.most", query_largest, 1, ""));
    const lem_falsifier falsifiers[] = {
        {"they do so after six steps", lem_identity_abs(SUMS, six, zero, bound)},
        {"they do so for every singular A: two query landmarks equal, keys left alone",
         lem_identity_abs(SUMS, queries, zero, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "nys.row-sums-sign",
                          .statement = "rows of F pinv(A) B sum to 1 when A is invertible, and when two "
                                       "key landmarks coincide or two pairs do (within 1e-13 kappa)",
                          .source = "kexue.fm 8180; our addition",
                          .verdict = LEM_HOLDS_WHEN,
                          .note = "the vector of ones lies in the row space of A and Z is the "
                                  "pseudo-inverse; not for two equal query landmarks, nor after a finite "
                                  "number of steps"},
        lem_identity_abs(SUMS, sums, zero, bound), falsifiers, 2));
    double rounding[DRAWS], six_rows[DRAWS];
    for (size_t i = 0; i < DRAWS; i++)
        rounding[i] = 4 * (LANDMARKS + NYS_N) * NYS_UNIT, six_rows[i] = r[AS_DRAWN][i].six;
    const lem_falsifier not_stochastic[] = {
        {"so does the six-step form", lem_identity_abs(DRAWS, six_rows, zero, rounding)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.row-sums-sign.two-softmaxes",
                                        .statement =
                                            "F B, the product of two softmaxes, has rows that sum to 1 (to "
                                            "4 (n + m) units of rounding)",
                                        .source = "kexue.fm 8180",
                                        .verdict = LEM_HOLDS},
                      lem_identity_abs(DRAWS, stochastic, zero, rounding), not_stochastic, 1));
    return GSL_SUCCESS;
}

/* --- signs ------------------------------------------------------------------------------------------------
 */

static int toy_claim(lem_study *study) {
    enum { A = 3, POINTS = 16 * A };
    static const double as[A] = {0.5, 1, 2};
    double measured[POINTS], expected[POINTS], clamped[POINTS], bound[POINTS];
    gsl_matrix *q = gsl_matrix_alloc(4, 1), *n = gsl_matrix_alloc(4, 4);
    int status = q && n ? GSL_SUCCESS : GSL_ENOMEM;
    for (size_t t = 0; t < A && !status; t++) {
        for (size_t i = 0; i < 4; i++)
            gsl_matrix_set(q, i, 0, as[t] / 2 * (2 * (double)i - 3));
        lem_nystrom_options exact = LEM_NYSTROM_PLAIN;
        exact.middle = LEM_NYSTROM_INVERSE;
        status = lem_nystrom_matrix(q, q, 2, &exact, n);
        for (size_t e = 0; e < 16; e++) {
            const size_t at = 16 * t + e;
            measured[at] = gsl_matrix_get(n, e / 4, e % 4);
            expected[at] = lem_nystrom_toy_entry(as[t], (int)(e / 4), (int)(e % 4));
            clamped[at] = fmax(expected[at], 0);
            bound[at] = 1000 * NYS_UNIT / tanh(as[t] * as[t]); /* kappa(A) = 1/tanh(a^2) */
        }
    }
    gsl_matrix_free(q), gsl_matrix_free(n);
    LEM_TRY(status);
    LEM_TRY(lem_value_exact(study, "toy.1", lem_nystrom_toy_entry(1, 0, 3), 5, ""));
    LEM_TRY(lem_value_exact(study, "toy.2", lem_nystrom_toy_entry(2, 0, 3), 3, ""));
    LEM_TRY(lem_value_exact(study, "toy.0.1", lem_nystrom_toy_entry(0.1, 0, 3), 3, ""));
    const lem_falsifier falsifiers[] = {
        {"entries are not negative", lem_identity_abs(POINTS, measured, clamped, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "nys.row-sums-sign.toy",
                          .statement =
                              "d = 1, n = 4, m = 2, q = k = (a/2)(-3, -1, 1, 3), exact inverse: N is the "
                              "closed form for a = 0.5, 1, 2, and entry (0, 3) is negative at 1 and 2",
                          .source = "our addition to kexue.fm 8180",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(POINTS, measured, expected, bound), falsifiers, 1);
}

/* The fraction of negative entries with the exact inverse and with six steps. */
static int negative(const nys_data *data) {
    size_t count = 0;
    for (size_t i = 0; i < data->n * data->n; i++)
        count += data->other->data[i] < 0;
    return (int)count;
}

static int sign_claim(lem_study *study) {
    enum { SIZES = 2, POINTS = SIZES * 3 };
    static const size_t sizes[SIZES] = {64, 256};
    double smallest[POINTS], product[POINTS], minus_one[POINTS];
    char key[64], prefix[64];
    nys_data *data = nys_data_alloc(NYS_N, NYS_D);
    int status = data ? GSL_SUCCESS : GSL_ENOMEM;
    for (size_t s = 0; s < SIZES && !status; s++) {
        nys_parts *parts = nys_parts_alloc(NYS_N, NYS_D, sizes[s]);
        status = parts ? GSL_SUCCESS : GSL_ENOMEM;
        for (size_t l = 0; l < NYS_LENGTHS && !status; l++) {
            lem_stream stream;
            if ((status = lem_study_stream(study, "signs", (uint32_t)(NYS_LENGTHS * s + l), &stream)) ||
                (status = nys_draw(&stream, nys_lengths[l], data)) || (status = nys_factor(data, parts)) ||
                (status = nys_inverse(parts)) ||
                (status = lem_nystrom_product(parts->f, parts->z, parts->b, 1, data->other)))
                break;
            const double n = (double)(NYS_N * NYS_N);
            (void)snprintf(prefix, sizeof prefix, "negative.exact.%zu", sizes[s]);
            status = lem_value_scaled(study, nys_key(key, sizeof key, prefix, l), negative(data) / n, 2, "");
            if (l < 3)
                smallest[3 * s + l] = nys_smallest_entry(data->other);
            if (!status)
                status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, parts->f, parts->b, 0, data->other, 1);
            if (l < 3)
                product[3 * s + l] = nys_smallest_entry(data->other), minus_one[3 * s + l] = -1.0 / NYS_N;
        }
        nys_parts_free(parts);
    }
    nys_data_free(data);
    LEM_TRY(status);
    const lem_falsifier falsifiers[] = {
        {"so has the product of two softmaxes", lem_inequality(POINTS, product, minus_one, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.row-sums-sign.negative",
                                       .statement =
                                           "with the exact inverse N has entries below -1/n, for correlation "
                                           "lengths 0, 8, 64 and m = 64, 256",
                                       .source = "our addition to kexue.fm 8180",
                                       .verdict = LEM_HOLDS},
                     lem_inequality(POINTS, smallest, minus_one, NULL), falsifiers, 1);
}

int nys_signs(lem_study *study) {
    LEM_TRY(row_sum_claims(study));
    LEM_TRY(toy_claim(study));
    return sign_claim(study);
}
