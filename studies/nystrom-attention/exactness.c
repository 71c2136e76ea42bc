/* When N = S: all rows landmarks, equal rows within segments. When not, although a rank condition says so. */
#include "study.h"

#include <string.h>

enum { SMALL = 64, DRAWS = 3 };

/* --- m = n ------------------------------------------------------------------------------------------------
 */

/* N = F S^-1 B with F = A = B = S: products and inverse lose at most some 100 units of kappa(S). */
static double inverse_bound(double condition) {
    return 100 * 1e-15 * condition;
}

static int full_claim(lem_study *study) {
    enum { KINDS = 2, POINTS = KINDS * DRAWS };
    double exact[POINTS], six[POINTS], bound[POINTS], condition = 0;
    const double zero[POINTS] = {0};
    nys_data *data = nys_data_alloc(SMALL, NYS_D);
    nys_parts *parts = nys_parts_alloc(SMALL, NYS_D, SMALL);
    int status = data && parts ? GSL_SUCCESS : GSL_ENOMEM;
    for (uint32_t i = 0; i < POINTS && !status; i++) {
        lem_stream stream;
        if ((status = lem_study_stream(study, "exact-full", i, &stream)) ||
            (status = nys_draw(&stream, nys_lengths[i % KINDS], data)) ||
            (status = nys_factor(data, parts)) || (status = nys_inverse(parts)) ||
            (status = nys_error_of(data, parts, parts->z, &exact[i])) || (status = nys_six(parts)) ||
            (status = nys_error_of(data, parts, parts->z, &six[i])))
            break;
        bound[i] = inverse_bound(parts->condition);
        condition = fmax(condition, parts->condition);
    }
    nys_data_free(data), nys_parts_free(parts);
    LEM_TRY(status);
    const lem_falsifier falsifiers[] = {
        {"six steps of the iteration in place of the inverse", lem_identity_abs(POINTS, six, zero, bound)}};
    LEM_TRY(lem_value_scaled(study, "exact-full.condition", condition, 1, ""));
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.exact-full",
                                       .statement =
                                           "with every row a landmark and the exact inverse, N = S "
                                           "(n = 64, relative Frobenius error within 1e-13 kappa(S))",
                                       .source = "kexue.fm 8180; Xiong et al. 2021, arXiv 2102.03902",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(POINTS, exact, zero, bound), falsifiers, 1);
}

static int as_implemented_claim(lem_study *study) {
    double six[NYS_LENGTHS], least[NYS_LENGTHS], rounding[NYS_LENGTHS];
    nys_data *data = nys_data_alloc(NYS_N, NYS_D);
    nys_parts *parts = nys_parts_alloc(NYS_N, NYS_D, NYS_N);
    int status = data && parts ? GSL_SUCCESS : GSL_ENOMEM;
    for (size_t l = 0; l < NYS_LENGTHS && !status; l++) {
        lem_stream stream;
        if (!(status = lem_study_stream(study, "as-implemented", (uint32_t)l, &stream)) &&
            !(status = nys_draw(&stream, nys_lengths[l], data)) && !(status = nys_factor(data, parts)) &&
            !(status = nys_six(parts)))
            status = nys_error_of(data, parts, parts->z, &six[l]);
        least[l] = 0.01, rounding[l] = 1e-6;
    }
    nys_data_free(data), nys_parts_free(parts);
    LEM_TRY(status);
    char key[64];
    for (size_t l = 0; l < NYS_LENGTHS; l++)
        LEM_TRY(lem_value_scaled(study, nys_key(key, sizeof key, "exact-full.six", l), six[l], 2, ""));
    const lem_falsifier falsifiers[] = {
        {"the published form is exact at m = n, to 1e-6", lem_inequality(NYS_LENGTHS, six, rounding, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "nys.exact-full.as-implemented",
                          .statement = "with six steps in place of the inverse the error at m = n = "
                                       "512 is above 0.01 for every correlation length",
                          .source = "kexue.fm 8180; our addition",
                          .verdict = LEM_REFUTED,
                          .note = "exactness at m = n, from which the middle matrix was chosen, is lost "
                                  "in the iteration that computes it"},
        lem_inequality(NYS_LENGTHS, least, six, NULL), falsifiers, 1);
}

/* --- equal rows -------------------------------------------------------------------------------------------
 */

enum { SEGMENTS = 16 };

/* Row i of X becomes copy of row `value[i]` of Y. */
static void copy_rows(gsl_matrix *x, const gsl_matrix *y, const size_t *value) {
    for (size_t i = 0; i < x->size1; i++)
        memcpy(x->data + i * x->tda, y->data + value[i] * y->tda, x->size2 * sizeof(double));
}

/* The condition number of A on its range. */
static double range_condition(const nys_parts *parts) {
    size_t i = parts->m;
    while (i > 1 && !(gsl_vector_get(parts->sigma, i - 1) > NYS_RCOND * gsl_vector_get(parts->sigma, 0)))
        i--;
    return gsl_vector_get(parts->sigma, 0) / gsl_vector_get(parts->sigma, i - 1);
}

/* Rows of X from `values` (m rows), `value[i]` each. */
static int draw_clusters(lem_stream *stream, const size_t *value, bool twins, gsl_matrix *values,
                         gsl_matrix *x) {
    LEM_TRY(nys_draw_rows(stream, 0, values));
    if (twins) {
        const gsl_vector row = gsl_matrix_row(values, values->size1 - 2).vector;
        gsl_matrix_set_row(values, values->size1 - 1, &row);
    }
    copy_rows(x, values, value);
    return GSL_SUCCESS;
}

/* The error with the exact inverse for landmarks in place; a bound on its rounding. */
static int landmark_error(nys_data *data, nys_parts *parts, double *error, double *bound) {
    LEM_TRY(nys_exact(data));
    LEM_TRY(nys_factor_from(data, parts));
    LEM_TRY(nys_inverse(parts));
    *bound = inverse_bound(range_condition(parts));
    return nys_error_of(data, parts, parts->z, error);
}

typedef struct {
    double exact, straddling, queries, keys, skewed; /* errors; see the claims */
    double bound[5];                                 /* of each */
    double six, twenty;
} segment_errors;

/* `twins`: the last two values of queries and of keys coincide, so that A is singular. */
static int segment_case(lem_stream *stream, nys_data *data, nys_parts *parts, bool twins, segment_errors *e) {
    size_t equal[SMALL], straddling[SMALL], skewed[SMALL];
    for (size_t i = 0; i < SMALL; i++) {
        equal[i] = i / (SMALL / SEGMENTS);
        straddling[i] =
            (i + 2) % SMALL / (SMALL / SEGMENTS);   /* the same clusters, segments cut across them */
        skewed[i] = i < SEGMENTS ? i : (i * i) % 5; /* each value at least once */
    }
    LEM_TRY(draw_clusters(stream, equal, twins, parts->q, data->q));
    LEM_TRY(draw_clusters(stream, equal, twins, parts->k, data->k));
    LEM_TRY(landmark_error(data, parts, &e->exact, &e->bound[0]));
    LEM_TRY(nys_six(parts));
    LEM_TRY(nys_error_of(data, parts, parts->z, &e->six));
    LEM_TRY(lem_pinv_iterate(parts->a, LEM_PINV_CHEBYSHEV4, 20, parts->z));
    LEM_TRY(nys_error_of(data, parts, parts->z, &e->twenty));
    copy_rows(data->q, parts->q, straddling), copy_rows(data->k, parts->k, straddling);
    LEM_TRY(lem_segment_means(data->q, 0, parts->q));
    LEM_TRY(lem_segment_means(data->k, 0, parts->k));
    LEM_TRY(landmark_error(data, parts, &e->straddling, &e->bound[1]));
    /* one side alone; A regular */
    LEM_TRY(draw_clusters(stream, skewed, false, parts->q, data->q));
    LEM_TRY(nys_draw_rows(stream, 8, data->k));
    LEM_TRY(lem_segment_means(data->k, 0, parts->k));
    LEM_TRY(landmark_error(data, parts, &e->queries, &e->bound[2]));
    LEM_TRY(draw_clusters(stream, equal, false, parts->k, data->k));
    LEM_TRY(nys_draw_rows(stream, 8, data->q));
    LEM_TRY(lem_segment_means(data->q, 0, parts->q));
    LEM_TRY(landmark_error(data, parts, &e->keys, &e->bound[3]));
    LEM_TRY(draw_clusters(stream, skewed, false, parts->k, data->k));
    return landmark_error(data, parts, &e->skewed, &e->bound[4]);
}

static int segment_claims(lem_study *study) {
    enum { POINTS = 2 * DRAWS, SIDES = 2 * POINTS };
    double exact[POINTS], straddling[POINTS], bound[POINTS], one_side[SIDES], skewed[SIDES],
        side_bound[SIDES];
    double six = 0, twenty = 0;
    const double zero[SIDES] = {0};
    nys_data *data = nys_data_alloc(SMALL, 8);
    nys_parts *parts = nys_parts_alloc(SMALL, 8, SEGMENTS);
    int status = data && parts ? GSL_SUCCESS : GSL_ENOMEM;
    for (uint32_t i = 0; i < POINTS && !status; i++) {
        lem_stream stream;
        segment_errors e = {0};
        if ((status = lem_study_stream(study, "exact-segments", i, &stream)) ||
            (status = segment_case(&stream, data, parts, i % 2, &e)))
            break;
        exact[i] = e.exact, straddling[i] = e.straddling, bound[i] = fmax(e.bound[0], e.bound[1]);
        one_side[2 * i] = e.queries, one_side[2 * i + 1] = e.keys;
        skewed[2 * i] = skewed[2 * i + 1] = e.skewed;
        side_bound[2 * i] = fmax(e.bound[2], e.bound[4]),
                       side_bound[2 * i + 1] = fmax(e.bound[3], e.bound[4]);
        if (i % 2 == 0)
            six = fmax(six, e.six), twenty = fmax(twenty, e.twenty);
    }
    nys_data_free(data), nys_parts_free(parts);
    LEM_TRY(status);
    LEM_TRY(lem_value_scaled(study, "exact-segments.six", six, 1, ""));
    LEM_TRY(lem_value_scaled(study, "exact-segments.twenty", twenty, 1, ""));
    LEM_TRY(lem_value_scaled(study, "exact-segments.skewed", skewed[0], 2, ""));
    const lem_falsifier across[] = {{"the segments may cut across the clusters of equal rows",
                                     lem_identity_abs(POINTS, straddling, zero, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "nys.exact-segments",
                          .statement = "if all rows within each of m equal segments coincide, N = S for "
                                       "any A, also with the pseudo-inverse of a singular one (n = 64, m "
                                       "= 16)",
                          .source = "kexue.fm 8180; our addition",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(POINTS, exact, zero, bound), across, 1));
    const lem_falsifier unequal[] = {{"keys in clusters of unequal sizes will do, whatever the queries",
                                      lem_identity_abs(SIDES, skewed, zero, side_bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.exact-segments.one-side",
                                       .statement =
                                           "for invertible A one side is enough: N = S if every query equals "
                                           "a query landmark, in any proportions and for any keys, or if the "
                                           "keys of each equal segment coincide, for any queries",
                                       .source = "our addition to kexue.fm 8180",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(SIDES, one_side, zero, side_bound), unequal, 1);
}

/* --- the rank condition -----------------------------------------------------------------------------------
 */

enum { TOKENS = 66, VALUES = 6 };

/* Row i of `out` (m x columns) = row rows[i] of `in`. */
static void pick_rows(const gsl_matrix *in, const size_t *rows, gsl_matrix *out) {
    copy_rows(out, in, rows);
}

/* The CUR form S_C pinv(S_RC) S_R. */
static int cur_error(const nys_data *data, const size_t *rows, const size_t *columns, double *error,
                     double *condition) {
    gsl_matrix *left = gsl_matrix_alloc(TOKENS, VALUES), *middle = gsl_matrix_alloc(VALUES, VALUES),
               *right = gsl_matrix_alloc(VALUES, TOKENS), *inverse = gsl_matrix_alloc(VALUES, VALUES);
    gsl_vector *sigma = gsl_vector_alloc(VALUES);
    int status = left && middle && right && inverse && sigma ? GSL_SUCCESS : GSL_ENOMEM;
    if (!status) {
        pick_rows(data->s, rows, right);
        for (size_t i = 0; i < TOKENS; i++)
            for (size_t j = 0; j < VALUES; j++)
                gsl_matrix_set(left, i, j, gsl_matrix_get(data->s, i, columns[j]));
        pick_rows(left, rows, middle);
        if (!(status = lem_pinv_svd(middle, NYS_RCOND, inverse)) &&
            !(status = lem_svd(middle, NULL, sigma, NULL)) &&
            !(status = lem_nystrom_product(left, inverse, right, 1, data->other)))
            status = nys_error(data, data->other, error);
        *condition = gsl_vector_get(sigma, 0) / gsl_vector_get(sigma, VALUES - 1);
    }
    gsl_matrix_free(left), gsl_matrix_free(middle), gsl_matrix_free(right), gsl_matrix_free(inverse);
    gsl_vector_free(sigma);
    return status;
}

typedef struct {
    double nystrom, cur, kernel, cur_condition, kernel_condition, condition;
} rank_errors;

/* Keys take six values, the first six rows show them all and are the landmarks of both sides: the kernel
 * matrix and its landmark block both have rank six. */
static int rank_case(lem_stream *stream, nys_data *data, nys_parts *parts, const size_t *value,
                     rank_errors *e) {
    size_t first[VALUES];
    for (size_t i = 0; i < VALUES; i++)
        first[i] = i;
    LEM_TRY(nys_draw_rows(stream, 0, data->q));
    LEM_TRY(nys_draw_rows(stream, 0, parts->k));
    copy_rows(data->k, parts->k, value);
    pick_rows(data->q, first, parts->q);
    LEM_TRY(nys_exact(data));
    LEM_TRY(nys_factor_from(data, parts));
    e->condition = parts->condition;
    LEM_TRY(nys_inverse(parts));
    LEM_TRY(nys_error_of(data, parts, parts->z, &e->nystrom));
    LEM_TRY(cur_error(data, first, first, &e->cur, &e->cur_condition));
    LEM_TRY(lem_nystrom_kernel_matrix(data->q, data->k, parts->q, parts->k, 1, NYS_RCOND, data->other));
    LEM_TRY(nys_error(data, data->other, &e->kernel));
    /* of exp(q k): A is that with rows divided by factors whose spread is at most that of the row sums */
    gsl_matrix_memcpy(parts->t, parts->a);
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, parts->q, parts->k, 0, parts->t, 1));
    for (size_t i = 0; i < VALUES * VALUES; i++)
        parts->t->data[i] = exp(parts->t->data[i]);
    LEM_TRY(lem_svd(parts->t, NULL, parts->sigma, NULL));
    e->kernel_condition = gsl_vector_get(parts->sigma, 0) / gsl_vector_get(parts->sigma, VALUES - 1);
    return GSL_SUCCESS;
}

static int rank_claims(lem_study *study) {
    enum { POINTS = 3 * DRAWS };
    static const size_t multiplicity[VALUES] = {1, 3, 7, 12, 17, 26}; /* 66 */
    size_t balanced[TOKENS], skewed[TOKENS];
    for (size_t i = 0; i < TOKENS; i++)
        balanced[i] = i % VALUES;
    for (size_t v = 0, at = VALUES; v < VALUES; v++) {
        skewed[v] = v;
        for (size_t c = 1; c < multiplicity[v]; c++)
            skewed[at++] = v;
    }
    double exact[POINTS], published[POINTS], bound[POINTS], least[DRAWS], wrong[DRAWS], fair[DRAWS];
    const double zero[POINTS] = {0};
    nys_data *data = nys_data_alloc(TOKENS, 8);
    nys_parts *parts = nys_parts_alloc(TOKENS, 8, VALUES);
    int status = data && parts ? GSL_SUCCESS : GSL_ENOMEM;
    for (uint32_t i = 0; i < DRAWS && !status; i++) {
        lem_stream stream;
        rank_errors e = {0}, even = {0};
        if ((status = lem_study_stream(study, "rank-condition", i, &stream)) ||
            (status = rank_case(&stream, data, parts, skewed, &e)) ||
            (status = rank_case(&stream, data, parts, balanced, &even)))
            break;
        exact[3 * i] = e.cur, exact[3 * i + 1] = e.kernel, exact[3 * i + 2] = even.nystrom;
        bound[3 * i] = inverse_bound(e.cur_condition), bound[3 * i + 1] = inverse_bound(e.kernel_condition);
        bound[3 * i + 2] = inverse_bound(even.condition);
        wrong[i] = e.nystrom, fair[i] = even.nystrom, least[i] = 0.01;
        for (size_t j = 0; j < 3; j++)
            published[3 * i + j] = e.nystrom;
    }
    nys_data_free(data), nys_parts_free(parts);
    LEM_TRY(status);
    LEM_TRY(lem_value_scaled(study, "rank-condition.error", wrong[0], 2, ""));
    const lem_falsifier falsifiers[] = {
        {"N = S when rank exp(QK') = rank exp(Q~K~') and landmarks are true rows",
         lem_identity_abs(POINTS, published, zero, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "nys.rank-condition-fails",
                          .statement = "under the rank condition with landmarks among the rows, exact "
                                       "are CUR of S, Nystrom of the kernel with rows normalised "
                                       "afterwards, and N itself when key clusters are balanced",
                          .source = "arXiv 1303.4207; kexue.fm 8180; our addition",
                          .verdict = LEM_REFUTED,
                          .note = "the three softmaxes bring three normalisers: N = D1 E pinv(E) "
                                  "(D2^-1 D3) E, and D2^-1 D3 is constant for balanced clusters only"},
        lem_identity_abs(POINTS, exact, zero, bound), falsifiers, 1));
    const lem_falsifier none[] = {
        {"it is as large for balanced clusters", lem_inequality(DRAWS, least, fair, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.rank-condition-fails.size",
                                       .statement =
                                           "keys of six values with multiplicities 1 to 26 of 66: the "
                                           "relative error of N is above 0.01",
                                       .source = "our addition to kexue.fm 8180",
                                       .verdict = LEM_HOLDS},
                     lem_inequality(DRAWS, least, wrong, NULL), none, 1);
}

int nys_exactness(lem_study *study) {
    LEM_TRY(full_claim(study));
    LEM_TRY(as_implemented_claim(study));
    LEM_TRY(segment_claims(study));
    return rank_claims(study);
}
