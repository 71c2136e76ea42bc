/* One softmax row: against plain sums in long double, streams against stored rows, laws of the scores by
 * their moments and distribution functions, Jacobian norms against the matrix itself. */
#include "attention/score_nodes.h"
#include "attention/softmax_scores.h"
#include "linalg/linalg.h"
#include "stat/gof.h"
#include "tap/tap.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

static lem_stream stream_of(uint32_t chunk) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 3, lem_stream_id("test_softmax_scores"), 0, chunk) == 0, "%s",
              lem_last_error());
    return stream;
}

/* 1 - sum p^2 as sum p (1 - p), and 1 - p of the largest as the sum of the others: valgrind's long doubles
 * are doubles. */
static void plain(size_t n, const double *s, double alpha, lem_softmax_statistics *out) {
    size_t top = 0;
    for (size_t i = 0; i < n; i++)
        top = s[i] > s[top] ? i : top;
    long double max = s[top], rest = 0, two = 0, first = 0, second = 0, distinct = 0;
    for (size_t i = 0; i < n; i++)
        rest += i == top ? 0 : expl(alpha * (s[i] - max));
    const long double z = 1 + rest;
    for (size_t i = 0; i < n; i++) {
        const long double p = expl(alpha * (s[i] - max)) / z, v = max - s[i];
        distinct += p * (i == top ? rest / z : 1 - p);
        two += p * p, first += p * v, second += p * v * v;
    }
    *out = (lem_softmax_statistics){.log_z = (double)(alpha * max + log1pl(rest)),
                                    .sum_p2 = (double)two,
                                    .distinct = (double)distinct,
                                    .entropy = (double)(log1pl(rest) + alpha * first),
                                    .mean_score = (double)(max - first),
                                    .variance = (double)(second - first * first),
                                    .max_score = (double)max};
}

/* alpha (s - M) is rounded: alpha |s| eps in each exponent, besides the sums: of ours, and of plain ones
 * where long doubles are doubles, as under valgrind. */
static void check_near(const lem_softmax_statistics *a, const lem_softmax_statistics *b, size_t n,
                       double alpha) {
    volatile long double small = 0x1p-60L;
    const double plain_sum = 1 + small == 1 ? 2e-16 * (double)n : 0;
    const double eps = 1e-15 * (8 + alpha * 10) + plain_sum;
    LEM_CHECK_NEAR(a->log_z, b->log_z, eps * (1 + fabs(b->log_z)));
    LEM_CHECK_NEAR(a->sum_p2, b->sum_p2, eps * b->sum_p2);
    LEM_CHECK_NEAR(a->distinct, b->distinct, eps * b->distinct);
    LEM_CHECK_NEAR(a->entropy, b->entropy, eps * b->entropy);
    LEM_CHECK_NEAR(a->mean_score, b->mean_score, eps * (1 + fabs(b->mean_score)));
    LEM_CHECK_NEAR(a->variance, b->variance, eps * 10);
    LEM_CHECK(a->max_score == b->max_score, "largest");
}

static void stored_rows(void) {
    static double s[MOST];
    lem_stream stream = stream_of(0);
    static const size_t lengths[] = {1, 2, 3, 7, 8, 9, 64, 1023, 1024, 1025, 4999};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (double alpha = 0; alpha < 50; alpha = 3 * alpha + 0.3) {
            lem_softmax_statistics a, b;
            LEM_CHECK(lem_normal_fill(&stream, lengths[l], s) == 0, "%s", lem_last_error());
            LEM_CHECK(lem_softmax_statistics_of(lengths[l], s, alpha, &a) == 0, "%s", lem_last_error());
            plain(lengths[l], s, alpha, &b);
            check_near(&a, &b, lengths[l], alpha);
        }
}

/* Ties, equal scores, ascending order (the maximum rises in every block), and one score far above. */
static void awkward_rows(void) {
    static double s[MOST];
    lem_softmax_statistics a, b;
    for (size_t i = 0; i < MOST; i++)
        s[i] = 2.5;
    LEM_CHECK(lem_softmax_statistics_of(MOST, s, 3, &a) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(a.sum_p2 * MOST, 1, 1e-13);
    LEM_CHECK_NEAR(a.entropy, log(MOST), 1e-13);
    LEM_CHECK(a.variance == 0, "equal scores");
    for (size_t i = 0; i < MOST; i++)
        s[i] = 0.003 * (double)i;
    LEM_CHECK(lem_softmax_statistics_of(MOST, s, 2, &a) == 0, "%s", lem_last_error());
    plain(MOST, s, 2, &b);
    check_near(&a, &b, MOST, 2);
    /* gap g, n - 1 others: p = e^-g each; 1 - sum p^2 = 2 (n-1) e^-g to a relative n e^-g */
    for (size_t i = 0; i < MOST; i++)
        s[i] = i == 3000 ? 100 : 0;
    LEM_CHECK(lem_softmax_statistics_of(MOST, s, 1, &a) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(a.distinct / (2 * (MOST - 1) * exp(-100)), 1, 1e-13);
    LEM_CHECK_NEAR(a.entropy / (101 * (MOST - 1) * exp(-100)), 1, 1e-13);
}

static void streams_are_rows(void) {
    static const lem_score_law laws[] = {{.kind = LEM_SCORES_GAUSSIAN},
                                         {.kind = LEM_SCORES_COSINE, .shape = 16},
                                         {.kind = LEM_SCORES_LAPLACE},
                                         {.kind = LEM_SCORES_STUDENT, .shape = 5}};
    static const size_t lengths[] = {1, 5, 1024, 1030, 4990};
    static double s[MOST];
    const double alpha[] = {0, 1, 7};
    for (size_t l = 0; l < 4; l++)
        for (size_t k = 0; k < 5; k++) {
            lem_stream one = stream_of(7), two = one;
            lem_softmax_statistics a[3], b;
            LEM_CHECK(lem_softmax_stream(&laws[l], lengths[k], 3, alpha, &one, a) == 0, "%s",
                      lem_last_error());
            LEM_CHECK(lem_score_fill(&laws[l], &two, lengths[k], s) == 0, "%s", lem_last_error());
            for (size_t i = 0; i < 3; i++) {
                LEM_CHECK(lem_softmax_statistics_of(lengths[k], s, alpha[i], &b) == 0, "%s",
                          lem_last_error());
                LEM_CHECK(memcmp(&a[i], &b, sizeof b) == 0, "law %zu, n = %zu", l, lengths[k]);
            }
            LEM_CHECK(lem_normal(&one) == lem_normal(&two), "the streams stand at the same place");
        }
}

static double cdf(double s, const void *law) {
    return exp(lem_score_log_cdf(law, s));
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov-Smirnov at a false alarm of 1e-9 a law. */
static void laws_of_scores(void) {
    static const lem_score_law laws[] = {{.kind = LEM_SCORES_GAUSSIAN},
                                         {.kind = LEM_SCORES_UNIFORM},
                                         {.kind = LEM_SCORES_LAPLACE},
                                         {.kind = LEM_SCORES_STUDENT, .shape = 3},
                                         {.kind = LEM_SCORES_COSINE, .shape = 2},
                                         {.kind = LEM_SCORES_COSINE, .shape = 3},
                                         {.kind = LEM_SCORES_COSINE, .shape = 4},
                                         {.kind = LEM_SCORES_COSINE, .shape = 128}};
    static double s[MOST];
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        lem_stream stream = stream_of((uint32_t)(100 + l));
        double distance;
        LEM_CHECK(lem_score_fill(&laws[l], &stream, MOST, s) == 0, "%s", lem_last_error());
        qsort(s, MOST, sizeof *s, ascending);
        LEM_CHECK(lem_ks_distance(MOST, s, cdf, &laws[l], &distance) == 0, "%s", lem_last_error());
        LEM_CHECK(distance < lem_ks_critical(MOST, 1e-9), "law %zu: %g", l, distance);
    }
}

static void jacobian_norms(void) {
    lem_stream stream = stream_of(1);
    for (size_t n = 2; n <= 40; n += 7)
        for (double alpha = 0.01; alpha < 60; alpha *= 3) {
            double s[40], p[40], scratch[40], trace, frobenius, spectral, whole = 0;
            LEM_CHECK(lem_normal_fill(&stream, n, s) == 0, "%s", lem_last_error());
            LEM_CHECK(lem_softmax_jacobian_norms(n, s, alpha, scratch, &trace, &frobenius, &spectral) == 0,
                      "%s", lem_last_error());
            for (size_t i = 0; i < n; i++)
                p[i] = alpha * s[i];
            LEM_CHECK(lem_softmax(n, p, p) == 0, "%s", lem_last_error());
            gsl_matrix *j = gsl_matrix_alloc(n, n);
            gsl_vector *eigen = gsl_vector_alloc(n);
            for (size_t a = 0; a < n; a++)
                for (size_t b = 0; b < n; b++)
                    gsl_matrix_set(j, a, b, alpha * ((a == b ? p[a] : 0) - p[a] * p[b]));
            LEM_CHECK(lem_symmetric_eigen(j, eigen, NULL) == 0, "%s", lem_last_error());
            for (size_t a = 0; a < n; a++)
                whole += gsl_vector_get(eigen, a);
            /* the matrix itself cancels: absolute alpha n eps */
            const double eps = alpha * (double)n * 1e-15;
            LEM_CHECK_NEAR(trace, whole, eps);
            LEM_CHECK_NEAR(frobenius, lem_frobenius_norm(j), eps);
            LEM_CHECK_NEAR(spectral, gsl_vector_get(eigen, n - 1), eps);
            LEM_CHECK(spectral <= frobenius * (1 + 1e-14) && frobenius <= trace * (1 + 1e-14) &&
                          spectral <= alpha / 2 * (1 + 1e-14),
                      "order");
            gsl_matrix_free(j), gsl_vector_free(eigen);
        }
    /* two scores: all three are 2 p (1 - p) alpha, however small */
    const double two[] = {0, 3};
    double scratch[2], trace, frobenius, spectral;
    for (double alpha = 0; alpha < 200; alpha += 7) {
        const double e = exp(-3 * alpha), expected = 2 * alpha * e / ((1 + e) * (1 + e));
        LEM_CHECK(lem_softmax_jacobian_norms(2, two, alpha, scratch, &trace, &frobenius, &spectral) == 0,
                  "%s", lem_last_error());
        LEM_CHECK_NEAR(trace, expected, 1e-14 * expected);
        LEM_CHECK_NEAR(frobenius, expected, 1e-14 * expected);
        LEM_CHECK_NEAR(spectral, expected, 1e-13 * expected);
    }
}

static void small_functions(void) {
    const double z[] = {0, log(2), log(5)};
    double p[3];
    LEM_CHECK(lem_softmax(3, z, p) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(p[0], 0.125, 1e-16), LEM_CHECK_NEAR(p[1], 0.25, 1e-16), LEM_CHECK_NEAR(p[2], 0.625, 1e-15);
    LEM_CHECK_NEAR(lem_softmax_entropy(3, z), -(0.125 * log(0.125) + 0.25 * log(0.25) + 0.625 * log(0.625)),
                   1e-15);
    LEM_CHECK_NEAR(lem_participation_number(3, p), 1 / (1. / 64 + 1. / 16 + 25. / 64), 1e-14);
}

static int nan_status(double x) {
    return isnan(x) ? GSL_EDOM : 0;
}

static void bad_input(void) {
    const double s[] = {0, NAN}, fine[] = {1, 2}, p[] = {0.5, 0.6}, negative[] = {-0.5, 1.5},
                 alpha[] = {1, -2};
    double out[2];
    lem_softmax_statistics a[2];
    lem_stream stream = stream_of(9);
    const lem_score_law gauss = {.kind = LEM_SCORES_GAUSSIAN}, nodes = {LEM_SCORES_NODES, 0, 2, fine, fine};
    const double half[] = {0.5, 0.5};
    const lem_score_law coins = {LEM_SCORES_NODES, 0, 2, fine, half};
    LEM_CHECK_ERROR(lem_softmax_statistics_of(2, s, 1, a), "s: |not finite");
    LEM_CHECK_ERROR(lem_softmax_statistics_of(0, fine, 1, a), "n = 0");
    LEM_CHECK_ERROR(lem_softmax_statistics_of(2, NULL, 1, a), "s is a null");
    LEM_CHECK_ERROR(lem_softmax_statistics_of(2, fine, 1, NULL), "out is a null");
    LEM_CHECK_ERROR(lem_softmax_statistics_of(2, fine, -1, a), "alpha = -1");
    LEM_CHECK_ERROR(lem_softmax_statistics_of(2, fine, INFINITY, a), "alpha = inf");
    LEM_CHECK_ERROR(lem_softmax_stream(&gauss, 4, 2, alpha, &stream, a), "alpha = -2");
    LEM_CHECK_ERROR(lem_softmax_stream(&gauss, 0, 1, alpha, &stream, a), "n = 0");
    LEM_CHECK_ERROR(lem_softmax_stream(&gauss, 4, 65, alpha, &stream, a), "scales = 65");
    LEM_CHECK_ERROR(lem_softmax_stream(&gauss, 4, 1, NULL, &stream, a), "null pointer");
    LEM_CHECK_ERROR(lem_softmax_stream(&coins, 4, 1, alpha, &stream, a), "nodes are not drawn");
    LEM_CHECK_ERROR(lem_score_fill(&nodes, &stream, 2, out), "weights sum to 3");
    LEM_CHECK_ERROR(lem_score_fill(NULL, &stream, 2, out), "law is a null");
    LEM_CHECK_ERROR(lem_softmax(2, fine, NULL), "p is a null");
    LEM_CHECK_ERROR(lem_softmax(0, fine, out), "n = 0");
    LEM_CHECK_ERROR(nan_status(lem_softmax_entropy(2, s)), "z: |not finite");
    const double far[] = {1e200, -1e200}, farther[] = {1e308, -1e308};
    LEM_CHECK_ERROR(lem_softmax_statistics_of(2, far, 0, a), "s: |squares of their");
    LEM_CHECK_ERROR(lem_softmax_statistics_of(2, farther, 1, a), "s: |squares of their");
    LEM_CHECK_ERROR(nan_status(lem_softmax_entropy(2, farther)), "z: |differences exceed");
    LEM_CHECK(lem_softmax_entropy(2, far) == 0, "a masked score");
    LEM_CHECK_ERROR(nan_status(lem_participation_number(2, p)), "sums to 1.1");
    LEM_CHECK_ERROR(nan_status(lem_participation_number(2, negative)), "p[0] = -0.5");
    LEM_CHECK_ERROR(lem_softmax_jacobian_norms(2, fine, 1, NULL, out, out, out), "scratch is a null");
    LEM_CHECK_ERROR(lem_softmax_jacobian_norms(2, fine, -1, out, out, out, out), "alpha = -1");
    LEM_CHECK(lem_softmax_jacobian_norms(1, fine, 1, out, out, NULL, NULL) == 0 && out[0] == 0, "one score");
}

static const lem_tap_case cases[] = {
    {"stored rows against long double", stored_rows},
    {"ties, rising rows, one score alone", awkward_rows},
    {"streams are the rows they would have given", streams_are_rows},
    {"laws of the scores", laws_of_scores},
    {"Jacobian norms", jacobian_norms},
    {"softmax, entropy, participation", small_functions},
    {"bad input is refused by name", bad_input},
};

LEM_TAP_MAIN(cases)
