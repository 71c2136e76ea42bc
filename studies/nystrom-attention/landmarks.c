/* Error against the number of landmarks: what rank m allows, what the landmarks allow, what the middle matrix
 * makes of it; two softmaxes alone, random features at equal cost, mean pooling. */
#include "study.h"

#include <stdio.h>

enum { SIZES = 6, FULL = 5, LEAST = 1, AT_64 = 3 };
static const size_t sizes[SIZES] = {8, 16, 32, 64, 128, 256};

/* Relative errors of one draw and m. */
typedef struct {
    double svd, best_middle, six, exact, two_softmaxes, favor, pooling;
    double subspace, middle, residual; /* of the split with six steps; subspace^2 + middle^2 - total^2 */
} errors;

typedef struct {
    errors e[NYS_LENGTHS][FULL][SIZES];
    double square[NYS_LENGTHS][FULL], square_error[NYS_LENGTHS][FULL];  /* F B at m = n: distance to S^2, S */
    double truncated[NYS_LENGTHS][SIZES], one_more[NYS_LENGTHS][SIZES]; /* of draw 0: truncated SVD; i >= m */
    double noise[NYS_LENGTHS][SIZES]; /* rounding of the two, relative to the first */
    size_t draws;
} results;

/* (sum_{i >= first} sigma_i^2)^(1/2) */
static double tail(const gsl_vector *sigma, size_t first) {
    double sum = 0;
    for (size_t i = sigma->size; i-- > first;)
        sum = hypot(sum, gsl_vector_get(sigma, i));
    return sum;
}

/* FAVOR+ with unshifted exponents: positive features of independent normal projections. */
static int favor_error(lem_stream *stream, nys_data *data, size_t features, double *error) {
    static const lem_favor_map map = {.kind = LEM_RF_POSITIVE, .shift = LEM_SHIFT_NONE};
    gsl_matrix *w = gsl_matrix_alloc(features, NYS_D), *q = gsl_matrix_alloc(NYS_N, features),
               *k = gsl_matrix_alloc(NYS_N, features);
    int status = w && q && k ? lem_random_projections(LEM_PROJECTIONS_IID, stream, w) : GSL_ENOMEM;
    if (!status && !(status = lem_favor_features(data->q, w, &map, 0, q)) &&
        !(status = lem_favor_features(data->k, w, &map, 0, k)) &&
        !(status = lem_attention_matrix_features(q, k, NULL, data->other)))
        status = nys_error(data, data->other, error);
    gsl_matrix_free(w), gsl_matrix_free(q), gsl_matrix_free(k);
    return status;
}

static int one_size(lem_stream *stream, nys_data *data, nys_parts *p, const gsl_vector *sigma, errors *e) {
    double total;
    LEM_TRY(nys_factor(data, p));
    LEM_TRY(nys_compress(data, p));
    e->svd = tail(sigma, p->m) / data->norm;
    e->best_middle = p->rest / data->norm;
    LEM_TRY(nys_six(p));
    LEM_TRY(nys_error_of(data, p, p->z, &e->six));
    if (p->m == sizes[AT_64]) {
        LEM_TRY(lem_nystrom_error_split(data->s, p->f, p->z, p->b, &e->subspace, &e->middle));
        total = e->six * data->norm;
        e->residual =
            (e->subspace * e->subspace + e->middle * e->middle - total * total) / (data->norm * data->norm);
        e->subspace /= data->norm, e->middle /= data->norm;
    }
    LEM_TRY(nys_inverse(p));
    LEM_TRY(nys_error_of(data, p, p->z, &e->exact));
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, p->f, p->b, 0, data->other, 0));
    LEM_TRY(nys_error(data, data->other, &e->two_softmaxes));
    e->pooling = nys_pooling_error(data);
    const double features = lem_nystrom_equal_cost_features(NYS_N, (double)p->m, NYS_D);
    return favor_error(stream, data, (size_t)(features + 0.5), &e->favor);
}

/* At m = n: F = B = S. */
static int square_errors(nys_data *data, double *to_square, double *to_s) {
    nys_parts *p = nys_parts_alloc(NYS_N, NYS_D, NYS_N);
    gsl_matrix *square = gsl_matrix_alloc(NYS_N, NYS_N);
    int status = p && square ? lem_segment_means(data->q, 0, p->q) : GSL_ENOMEM;
    const lem_nystrom_options plain = LEM_NYSTROM_PLAIN;
    if (!status && !(status = lem_segment_means(data->k, 0, p->k)) &&
        !(status = lem_nystrom_factors(data->q, data->k, p->q, p->k, &plain, p->f, p->a, p->b)) &&
        !(status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, data->s, data->s, 0, square, 0)) &&
        !(status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, p->f, p->b, 0, data->other, 0))) {
        gsl_matrix_sub(square, data->other);
        *to_square = lem_frobenius_norm(square) / data->norm;
        status = nys_error(data, data->other, to_s);
    }
    nys_parts_free(p), gsl_matrix_free(square);
    return status;
}

/* The truncated SVD, whose error is the bound itself. */
static int truncate(nys_data *data, results *r, size_t l) {
    gsl_matrix *u = gsl_matrix_alloc(NYS_N, NYS_N), *v = gsl_matrix_alloc(NYS_N, NYS_N);
    gsl_vector *sigma = gsl_vector_alloc(NYS_N);
    int status = u && v && sigma ? lem_svd(data->s, u, sigma, v) : GSL_ENOMEM;
    for (size_t j = 0; j < NYS_N && !status; j++)
        for (size_t i = 0; i < NYS_N; i++)
            gsl_matrix_set(u, i, j, gsl_matrix_get(u, i, j) * gsl_vector_get(sigma, j));
    for (size_t t = 0; t < SIZES && !status; t++) {
        const gsl_matrix left = gsl_matrix_submatrix(u, 0, 0, NYS_N, sizes[t]).matrix,
                         right = gsl_matrix_submatrix(v, 0, 0, NYS_N, sizes[t]).matrix;
        if (!(status = lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, &left, &right, 0, data->other, 0)))
            status = nys_error(data, data->other, &r->truncated[l][t]);
        r->one_more[l][t] = tail(sigma, sizes[t] - 1) / data->norm;
        /* singular values and products are off by some n units of sigma_1 <= ||S||, sqrt(n) of them in a norm
         */
        r->noise[l][t] = 10 * NYS_N * NYS_UNIT / (tail(sigma, sizes[t]) / data->norm);
    }
    gsl_matrix_free(u), gsl_matrix_free(v), gsl_vector_free(sigma);
    return status;
}

static int measure(lem_study *study, results *r) {
    nys_data *data = nys_data_alloc(NYS_N, NYS_D);
    gsl_vector *sigma = gsl_vector_alloc(NYS_N);
    int status = data && sigma ? GSL_SUCCESS : GSL_ENOMEM;
    for (size_t l = 0; l < NYS_LENGTHS; l++)
        for (size_t i = 0; i < r->draws && !status; i++) {
            lem_stream stream, features;
            const uint32_t chunk = (uint32_t)(FULL * l + i);
            if ((status = lem_study_stream(study, "landmarks", chunk, &stream)) ||
                (status = lem_study_stream(study, "landmarks-features", chunk, &features)) ||
                (status = nys_draw(&stream, nys_lengths[l], data)) ||
                (status = lem_svd(data->s, NULL, sigma, NULL)) ||
                (status = square_errors(data, &r->square[l][i], &r->square_error[l][i])))
                break;
            for (size_t t = 0; t < SIZES && !status; t++) {
                nys_parts *p = nys_parts_alloc(NYS_N, NYS_D, sizes[t]);
                status = p ? one_size(&features, data, p, sigma, &r->e[l][i][t]) : GSL_ENOMEM;
                nys_parts_free(p);
            }
            if (i == 0 && !status)
                status = truncate(data, r, l);
        }
    nys_data_free(data), gsl_vector_free(sigma);
    return status;
}

/* The median over draws of one of the errors. */
static double median(const results *r, size_t l, size_t t, size_t field) {
    double values[FULL];
    for (size_t i = 0; i < r->draws; i++)
        values[i] = ((const double *)&r->e[l][i][t])[field];
    return nys_median(values, r->draws);
}

enum { SVD, BEST_MIDDLE, SIX, EXACT, TWO_SOFTMAXES, FAVOR, POOLING, METHODS };

static int values(lem_study *study, const results *r) {
    static const char *const names[METHODS] = {"svd",           "best-middle", "six",    "exact",
                                               "two-softmaxes", "favor",       "pooling"};
    char key[64], prefix[64];
    for (size_t l = 0; l < NYS_LENGTHS; l++) {
        for (size_t f = 0; f < METHODS; f++) {
            (void)snprintf(prefix, sizeof prefix, "error.%s", names[f]);
            LEM_TRY(lem_value_scaled(study, nys_key(key, sizeof key, prefix, l), median(r, l, AT_64, f),
                                     f == EXACT ? 1 : 2, ""));
        }
        LEM_TRY(lem_value_scaled(study, nys_key(key, sizeof key, "error.two-softmaxes.8", l),
                                 median(r, l, 0, TWO_SOFTMAXES), 2, ""));
        double all[FULL];
        for (size_t i = 0; i < r->draws; i++)
            all[i] = r->square_error[l][i];
        LEM_TRY(lem_value_scaled(study, nys_key(key, sizeof key, "error.two-softmaxes.512", l),
                                 nys_median(all, r->draws), 2, ""));
    }
    LEM_TRY(lem_value_exact(study, "equal-cost.4096", lem_nystrom_equal_cost_features(4096, 64, 64), 3, ""));
    LEM_TRY(lem_value_exact(study, "equal-cost.512", lem_nystrom_equal_cost_features(512, 64, 64), 3, ""));
    return lem_value_exact(study, "equal-cost.here", lem_nystrom_equal_cost_features(NYS_N, 64, NYS_D), 3,
                           "");
}

static int figure(lem_study *study, const results *r) {
    static const char *const columns[] = {"m",     "SVD",           "best middle", "six steps",
                                          "exact", "two softmaxes", "FAVOR",       "mean pooling"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "landmarks", columns, COUNT(columns), &table));
    for (size_t l = 0; l < NYS_LENGTHS; l++) {
        for (size_t t = 0; t < SIZES; t++) {
            double row[1 + METHODS] = {(double)sizes[t]};
            for (size_t f = 0; f < METHODS; f++)
                row[1 + f] = fmax(median(r, l, t, f), 1e-4); /* the panel's lower edge */
            LEM_TRY(lem_table_row(table, row));
        }
        LEM_TRY(lem_table_break(table));
    }
    return lem_study_figure(
        study, "landmarks",
        "Relative error against the number of landmarks m for unrelated rows and three "
        "correlation lengths l (n = 512, "
        "d = 32, medians): best rank-m approximation, best middle matrix for these "
        "landmarks, six steps, exact "
        "inverse, no middle matrix (two softmaxes), FAVOR+ at equal cost, mean pooling.",
        "Six steps beat the exact inverse for rough data; two softmaxes do not improve with m and are hardly "
        "better than "
        "mean pooling unless rows are smooth; random features at equal cost are worse than mean pooling");
}

/* --- claims -----------------------------------------------------------------------------------------------
 */

enum { ALL = NYS_LENGTHS * FULL * SIZES };

static int bound_claim(lem_study *study, const results *r) {
    enum { METHODS_HELD = 4 }; /* best middle, six, exact, truncated SVD */
    static double least[ALL * METHODS_HELD], got[ALL * METHODS_HELD], slack[ALL * METHODS_HELD];
    double wrong[NYS_LENGTHS * SIZES], best[NYS_LENGTHS * SIZES], wrong_slack[NYS_LENGTHS * SIZES];
    size_t n = 0, w = 0;
    for (size_t l = 0; l < NYS_LENGTHS; l++)
        for (size_t t = 0; t < SIZES; t++) {
            for (size_t i = 0; i < r->draws; i++) {
                const errors *e = &r->e[l][i][t];
                const double others[] = {e->best_middle, e->six, e->exact};
                for (size_t o = 0; o < COUNT(others); o++)
                    /* a bound that has sunk into rounding says nothing */
                    least[n] = e->svd > 1e-13 ? e->svd : 0, got[n] = others[o], slack[n++] = r->noise[l][t];
            }
            least[n] = r->e[l][0][t].svd, got[n] = r->truncated[l][t], slack[n++] = r->noise[l][t];
            wrong[w] = r->one_more[l][t], best[w] = r->truncated[l][t], wrong_slack[w++] = r->noise[l][t];
        }
    const lem_falsifier falsifiers[] = {{"one singular value too many, i >= m: violated by the truncated SVD",
                                         lem_inequality(w, wrong, best, wrong_slack)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.vs-svd-favor",
                                       .statement =
                                           "every error with m landmarks is at least (sum_{i>m} "
                                           "sigma_i^2)^(1/2)/||S||, m = 8..256; the truncated SVD attains it",
                                       .source = "Eckart & Young 1936",
                                       .verdict = LEM_HOLDS},
                     lem_inequality(n, least, got, slack), falsifiers, 1);
}

static int comparison_claims(lem_study *study, const results *r) {
    static double six[ALL], favor[ALL], pooling[ALL], rough_favor[ALL];
    size_t n = 0, rough = 0;
    for (size_t l = 0; l < NYS_LENGTHS; l++)
        for (size_t i = 0; i < r->draws; i++)
            for (size_t t = 0; t <= AT_64; t++) {
                const errors *e = &r->e[l][i][t];
                six[n] = e->six, favor[n++] = e->favor;
                if (l < 2)
                    pooling[rough] = e->pooling, rough_favor[rough++] = e->favor;
            }
    const lem_falsifier better[] = {{"FAVOR+ is better", lem_inequality_strict(n, favor, six, NULL)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.vs-svd-favor.equal-cost",
                                        .statement =
                                            "at equal cost six-step Nystrom is closer to S than FAVOR+, in "
                                            "every draw, m = 8..64",
                                        .source = "our addition to kexue.fm 8180",
                                        .verdict = LEM_HOLDS},
                      lem_inequality_strict(n, six, favor, NULL), better, 1));
    const lem_falsifier pools[] = {{"FAVOR+ is at least as good as mean pooling",
                                    lem_inequality_strict(rough, rough_favor, pooling, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "nys.vs-svd-favor.pooling",
                          .statement =
                              "for correlation lengths 0 and 8, FAVOR+ with the features that m = 8..64 "
                              "landmarks pay for is further from S than mean pooling",
                          .source = "our addition to kexue.fm 8180",
                          .verdict = LEM_HOLDS},
        lem_inequality_strict(rough, pooling, rough_favor, NULL), pools, 1);
}

static int two_softmax_claims(lem_study *study, const results *r) {
    static double got[ALL], least[ALL], at_n[NYS_LENGTHS * FULL], rounding[NYS_LENGTHS * FULL],
        square[NYS_LENGTHS * FULL], zero[NYS_LENGTHS * FULL];
    size_t n = 0, ends = 0;
    for (size_t l = 0; l < NYS_LENGTHS; l++)
        for (size_t i = 0; i < r->draws; i++) {
            for (size_t t = 0; t < SIZES; t++)
                got[n] = r->e[l][i][t].two_softmaxes, least[n++] = 0.1;
            at_n[ends] = r->square_error[l][i], square[ends] = r->square[l][i];
            /* two products of stochastic matrices of n terms, entries at most 1 */
            rounding[ends] = 100 * NYS_N * NYS_UNIT, zero[ends++] = 0;
        }
    static double small[NYS_LENGTHS * FULL];
    for (size_t i = 0; i < ends; i++)
        small[i] = 1e-6;
    const lem_falsifier vanishes[] = {
        {"it goes to 0 as m -> n (1e-6 at m = n)", lem_inequality(ends, at_n, small, NULL)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.two-softmax",
                                        .statement =
                                            "F B, two softmaxes without a middle matrix, stays at a relative "
                                            "error above 0.1 for m = 8..256",
                                        .source = "kexue.fm 8180",
                                        .verdict = LEM_HOLDS},
                      lem_inequality(n, least, got, NULL), vanishes, 1));
    const lem_falsifier is_s[] = {{"F B = S at m = n", lem_identity_abs(ends, at_n, zero, rounding)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.two-softmax.square",
                                       .statement = "at m = n, F B = S^2",
                                       .source = "kexue.fm 8180; our addition",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(ends, square, zero, rounding), is_s, 1);
}

static int split_claims(lem_study *study, const results *r) {
    enum { POINTS = NYS_LENGTHS * FULL };
    double residual[POINTS], triangle[POINTS], bound[POINTS], smaller[POINTS], larger[POINTS];
    const double zero[POINTS] = {0};
    size_t n = 0, parts = 0;
    for (size_t l = 0; l < NYS_LENGTHS; l++)
        for (size_t i = 0; i < r->draws; i++) {
            const errors *e = &r->e[l][i][AT_64];
            residual[n] = e->residual, bound[n] = 1e-12;
            triangle[n++] = pow(e->subspace + e->middle, 2) - e->six * e->six;
            if (l != 2)
                smaller[parts] = l == 3 ? e->subspace : e->middle,
                larger[parts++] = l == 3 ? e->middle : e->subspace;
        }
    const lem_falsifier sum[] = {{"the two errors add (triangle inequality as an equality)",
                                  lem_identity_abs(n, triangle, zero, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "nys.pythagoras",
                          .statement = "||S - FZB||^2 = ||S - P_F S P_B||^2 + ||P_F S P_B - FZB||^2 (m = "
                                       "64, six steps, to 1e-12 of ||S||^2)",
                          .source = "our addition: answers the question of kexue.fm 8180 for the error",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(n, residual, zero, bound), sum, 1));
    const lem_falsifier swapped[] = {
        {"the other way round", lem_inequality_strict(parts, larger, smaller, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.pythagoras.bottleneck",
                                       .statement =
                                           "m = 64: for correlation lengths 0 and 8 the landmarks cost more "
                                           "than the six steps, for 512 the six steps cost more",
                                       .source = "our addition to kexue.fm 8180",
                                       .verdict = LEM_HOLDS},
                     lem_inequality_strict(parts, smaller, larger, NULL), swapped, 1);
}

int nys_landmarks(lem_study *study) {
    static results r;
    r.draws = lem_study_samples(study, FULL, LEAST);
    if (r.draws > FULL)
        return LEM_ERROR(GSL_EDOM, "--scale %g: must be <= 1 in this study", lem_study_scale(study));
    LEM_TRY(measure(study, &r));
    LEM_TRY(values(study, &r));
    LEM_TRY(bound_claim(study, &r));
    LEM_TRY(comparison_claims(study, &r));
    LEM_TRY(two_softmax_claims(study, &r));
    LEM_TRY(split_claims(study, &r));
    return figure(study, &r);
}
