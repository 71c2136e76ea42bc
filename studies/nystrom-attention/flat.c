/* Landmarks shrunk to eps Q~, eps K~: N tends to a Taylor polynomial of the softmax row. */
#include "study.h"

#include <stdio.h>

enum { N = 60, D = 2, DEGREES = 2, EPSILONS = 3 };
static const double epsilons[EPSILONS] = {0.1, 0.03, 0.01};
static const size_t landmark_counts[DEGREES] = {3, 6}; /* binomial(d + p, p), p = 1, 2 */

/* In general position for polynomials of degree 2 (and the first three of degree 1), without symmetry, which
 * would cancel the term of order eps. */
static const double query_landmarks[6][D] = {{-0.9, -0.4}, {1.1, -0.7}, {0.2, 1.3},
                                             {0.5, 0.1},   {-0.6, 0.8}, {1.0, 1.0}};
static const double key_landmarks[6][D] = {{1.0, 0.3},  {-0.8, 0.9}, {-0.2, -1.2},
                                           {0.6, -0.7}, {0.9, 1.1},  {-1.1, -0.3}};

/* The polynomial of degree p = 1 or 2 at 0 of the softmax row over the keys, for query row i. */
static void taylor(const nys_data *data, size_t i, int degree, const double *mean, double *row) {
    double x[N], spread = 0;
    for (size_t j = 0; j < N; j++) {
        x[j] = 0;
        for (size_t c = 0; c < D; c++)
            x[j] += gsl_matrix_get(data->q, i, c) * (gsl_matrix_get(data->k, j, c) - mean[c]);
        spread += x[j] * x[j] / N; /* q' C_k q */
    }
    for (size_t j = 0; j < N; j++)
        row[j] = (1 + x[j] + (degree == 2 ? (x[j] * x[j] - spread) / 2 : 0)) / N;
}

/* n max |N - polynomial| */
static double distance(const nys_data *data, int degree) {
    double mean[D] = {0}, row[N], most = 0;
    for (size_t j = 0; j < N; j++)
        for (size_t c = 0; c < D; c++)
            mean[c] += gsl_matrix_get(data->k, j, c) / N;
    for (size_t i = 0; i < N; i++) {
        taylor(data, i, degree, mean, row);
        for (size_t j = 0; j < N; j++)
            most = fmax(most, fabs(gsl_matrix_get(data->other, i, j) - row[j]));
    }
    return N * most;
}

typedef struct {
    double right[DEGREES][EPSILONS], swapped[DEGREES][EPSILONS], condition[DEGREES];
    double linear[DEGREES], quadratic[DEGREES]; /* errors of N extrapolated from 0.03 and 0.01 to 0 */
} flat_results;

/* other = fine + (fine - coarse)/(ratio - 1): the limit if the error is proportional to eps^1 (ratio 3) or
 * eps^2 (ratio 9) */
static void extrapolate(nys_data *data, const gsl_matrix *coarse, const gsl_matrix *fine, double ratio) {
    for (size_t i = 0; i < N * N; i++)
        data->other->data[i] = fine->data[i] + (fine->data[i] - coarse->data[i]) / (ratio - 1);
}

static int measure(nys_data *data, size_t p, flat_results *r) {
    const size_t m = landmark_counts[p];
    nys_parts *parts = nys_parts_alloc(N, D, m);
    gsl_matrix *coarse = gsl_matrix_calloc(N, N), *fine = gsl_matrix_calloc(N, N);
    int status = parts && coarse && fine ? GSL_SUCCESS : GSL_ENOMEM;
    for (size_t e = 0; e < EPSILONS && !status; e++) {
        for (size_t i = 0; i < m; i++)
            for (size_t c = 0; c < D; c++) {
                gsl_matrix_set(parts->q, i, c, epsilons[e] * query_landmarks[i][c]);
                gsl_matrix_set(parts->k, i, c, epsilons[e] * key_landmarks[i][c]);
            }
        if ((status = nys_factor_from(data, parts)) || (status = lem_pinv_svd(parts->a, 0, parts->z)) ||
            (status = lem_nystrom_product(parts->f, parts->z, parts->b, 1, data->other)))
            break;
        r->right[p][e] = distance(data, (int)p + 1);
        r->swapped[p][e] = distance(data, 2 - (int)p);
        r->condition[p] = parts->condition;
        gsl_matrix_memcpy(coarse, fine);
        gsl_matrix_memcpy(fine, data->other);
    }
    if (!status) {
        extrapolate(data, coarse, fine, 3);
        r->linear[p] = distance(data, (int)p + 1);
        extrapolate(data, coarse, fine, 9);
        r->quadratic[p] = distance(data, (int)p + 1);
    }
    nys_parts_free(parts), gsl_matrix_free(coarse), gsl_matrix_free(fine);
    return status;
}

static double slope(const double *error, size_t first) {
    return log(error[first] / error[first + 1]) / log(epsilons[first] / epsilons[first + 1]);
}

int nys_flat(lem_study *study) {
    static flat_results r;
    lem_stream stream;
    nys_data *data = nys_data_alloc(N, D);
    int status = data ? lem_study_stream(study, "flat", 0, &stream) : GSL_ENOMEM;
    if (!status && !(status = lem_normal_fill(&stream, N * D, data->q->data)) &&
        !(status = lem_normal_fill(&stream, N * D, data->k->data))) {
        gsl_matrix_scale(data->q, 0.7), gsl_matrix_scale(data->k, 0.7);
        for (size_t p = 0; p < DEGREES && !status; p++)
            status = measure(data, p, &r);
    }
    nys_data_free(data);
    LEM_TRY(status);
    char key[64];
    for (size_t p = 0; p < DEGREES; p++) {
        static const char *const names[EPSILONS] = {"0.1", "0.03", "0.01"};
        for (size_t e = 0; e < EPSILONS; e++) {
            (void)snprintf(key, sizeof key, "flat.%zu.%s", landmark_counts[p], names[e]);
            LEM_TRY(lem_value_scaled(study, key, r.right[p][e], 2, ""));
        }
        (void)snprintf(key, sizeof key, "flat.log-condition.%zu", landmark_counts[p]);
        LEM_TRY(lem_value_scaled(study, key, log10(r.condition[p]), 2, ""));
    }
    const double measured[2] = {slope(r.right[0], 1), slope(r.right[1], 1)},
                 swapped[2] = {slope(r.swapped[0], 1), slope(r.swapped[1], 1)}, one[2] = {1, 1},
                 bound[2] = {0.1, 0.1};
    LEM_TRY(lem_value_scaled(study, "flat.slope.3", measured[0], 3, ""));
    LEM_TRY(lem_value_scaled(study, "flat.slope.6", measured[1], 3, ""));
    const lem_falsifier falsifiers[] = {
        {"targets swapped: the other degree", lem_identity_abs(2, swapped, one, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "nys.flat-limit",
                          .statement = "for landmarks eps Q~, eps K~, exact inverse, m = 3 and 6 in d = 2, "
                                       "N tends to the Taylor polynomial of degree 1 and 2 of the softmax "
                                       "row: slope 1 in eps between 0.03 and 0.01 (0.1 for the next order)",
                          .source = "our addition to kexue.fm 8180",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(2, measured, one, bound), falsifiers, 1));
    double third[2];
    for (size_t p = 0; p < DEGREES; p++)
        third[p] = 0.3 * r.right[p][2];
    LEM_TRY(lem_value_scaled(study, "flat.extrapolated.3", r.linear[0], 1, ""));
    LEM_TRY(lem_value_scaled(study, "flat.extrapolated.6", r.linear[1], 1, ""));
    const lem_falsifier second[] = {{"it is of order eps^2", lem_inequality(2, r.quadratic, third, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "nys.flat-limit.order",
                          .statement = "the error is of order eps: N extrapolated from eps = 0.03 and 0.01 "
                                       "to 0 as such is more than three times nearer to the polynomial "
                                       "than N at 0.01",
                          .source = "our addition to kexue.fm 8180",
                          .verdict = LEM_HOLDS},
        lem_inequality(2, r.linear, third, NULL), second, 1);
}
