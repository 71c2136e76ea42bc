/* Random features and their attention against the definitions in extended precision. */
#include "attention/favor.h"
#include "attention/oracle.h"
#include "rng/haar.h"
#include "stat/distribution.h"

static test_rng rng = {3};

static lem_stream stream_of(uint64_t seed) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, seed, lem_stream_id("test"), lem_stream_id("favor"), 0) == 0,
              "stream");
    return stream;
}

static guarded projections(lem_projections_kind kind, size_t P, size_t d, uint64_t seed) {
    guarded w = guarded_alloc(P, d, test_below(&rng, 3));
    lem_stream stream = stream_of(seed);
    LEM_CHECK(lem_random_projections(kind, &stream, &w.m) == 0, "%s", lem_last_error());
    LEM_CHECK(guarded_intact(&w), "only W was written");
    return w;
}

/* --- projections -------------------------------------------------------------------------------------------
 */

static void test_cosines(void) {
    for (size_t d = 1; d <= 9; d++)
        for (size_t P = 1; P <= 2 * d + 1; P++)
            for (int simplex = 0; simplex <= (d > 1); simplex++) {
                guarded w = projections(simplex ? LEM_PROJECTIONS_SIMPLEX : LEM_PROJECTIONS_ORTHOGONAL, P, d,
                                        d * 100 + P);
                for (size_t i = 0; i < P; i++)
                    for (size_t j = 0; j < i; j++) {
                        const double length = sqrt(
                            (double)(dot_long(&w.m, i, &w.m, i, false) * dot_long(&w.m, j, &w.m, j, false)));
                        const double cosine = (double)dot_long(&w.m, i, &w.m, j, false) / length;
                        if (i / d == j / d) /* Haar columns are orthonormal to a few sqrt(d) epsilons */
                            LEM_CHECK_NEAR(cosine, simplex ? -1 / ((double)d - 1) : 0, 100 * DBL_EPSILON);
                        else
                            LEM_CHECK(d == 1 || fabs(cosine) < 1, "blocks are not copies");
                    }
                guarded_free(&w);
            }
}

/* The corners of the simplex are unit vectors: lengths are those of the normals that follow the block's Haar
 * matrix in the stream, to d roundings of each of the two norms. */
static void test_simplex_lengths(void) {
    for (size_t d = 2; d <= 9; d++) {
        guarded w = projections(LEM_PROJECTIONS_SIMPLEX, d, d, 50 + d);
        gsl_matrix *haar = gsl_matrix_alloc(d, d);
        double normals[9];
        lem_stream stream = stream_of(50 + d);
        LEM_CHECK(lem_haar_matrix(&stream, haar) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < d; i++) {
            LEM_CHECK(lem_normal_fill(&stream, d, normals) == 0, "%s", lem_last_error());
            double square = 0;
            for (size_t l = 0; l < d; l++)
                square += normals[l] * normals[l];
            LEM_CHECK_NEAR((double)dot_long(&w.m, i, &w.m, i, false), square,
                           square * 100 * (double)d * DBL_EPSILON);
        }
        gsl_matrix_free(haar), guarded_free(&w);
    }
}

/* Rows whose squares, or whose factor, are no doubles. */
static void test_extreme_lengths(void) {
    static const double sizes[] = {1e-300, 1e-161, 1e-140, 1, 1e160, 1e300}, wanted[] = {1e-300, 1, 1e300};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 3; j++) {
            double of_w[] = {3 * sizes[i], -4 * sizes[i]};
            gsl_matrix w = gsl_matrix_view_array(of_w, 1, 2).matrix;
            LEM_CHECK(lem_set_row_lengths(&w, &wanted[j]) == 0, "%s", lem_last_error());
            LEM_CHECK_NEAR(of_w[0] / wanted[j], 0.6, 16 * DBL_EPSILON);
            LEM_CHECK_NEAR(of_w[1] / wanted[j], -0.8, 16 * DBL_EPSILON);
        }
}

/* sum |w|^2 is chi-square with P d degrees of freedom within each row, and rows are independent: 1e-9 each
 * side */
static void test_lengths(void) {
    for (lem_projections_kind kind = LEM_PROJECTIONS_IID; kind <= LEM_PROJECTIONS_SIMPLEX; kind++) {
        guarded w = projections(kind, 400, 5, 7 + (uint64_t)kind);
        double sum = 0;
        for (size_t i = 0; i < 400; i++)
            sum += (double)dot_long(&w.m, i, &w.m, i, false);
        LEM_CHECK(sum > lem_chisq_quantile(1e-9, 2000, LEM_LOWER) &&
                      sum < lem_chisq_quantile(1e-9, 2000, LEM_UPPER),
                  "kind %d: %g", (int)kind, sum);
        double lengths[400];
        for (size_t i = 0; i < 400; i++)
            lengths[i] = (double)(i % 7);
        LEM_CHECK(lem_set_row_lengths(&w.m, lengths) == 0, "set");
        for (size_t i = 0; i < 400; i++)
            LEM_CHECK_NEAR(sqrt((double)dot_long(&w.m, i, &w.m, i, false)), lengths[i],
                           16 * DBL_EPSILON * lengths[i]);
        if (kind == LEM_PROJECTIONS_IID)
            LEM_CHECK_ERROR(lem_set_row_lengths(&w.m, lengths), "row 0|length 0");
        guarded_free(&w);
    }
}

/* --- features ----------------------------------------------------------------------------------------------
 */

typedef struct {
    lem_rf_kind kind;
    double a;
} estimator;
static const estimator estimators[] = {{LEM_RF_TRIG, 0},
                                       {LEM_RF_POSITIVE, 0},
                                       {LEM_RF_HYPERBOLIC, 0},
                                       {LEM_RF_POSITIVE, -.3},
                                       {LEM_RF_POSITIVE, .1}};
enum { N_ESTIMATORS = sizeof estimators / sizeof *estimators };

/* f(omega_p) for q_i and k_j, from its formula. */
static long double one_term(estimator e, const gsl_matrix *q, size_t i, const gsl_matrix *k, size_t j,
                            const gsl_matrix *w, size_t p) {
    const long double x = dot_long(w, p, q, i, false), y = dot_long(w, p, k, j, false);
    const long double N = dot_long(q, i, q, i, false) + dot_long(k, j, k, j, false);
    const long double A = e.a, square = dot_long(w, p, w, p, false), d = (long double)w->size2;
    if (e.kind == LEM_RF_TRIG)
        return expl(N / 2) * cosl(x - y);
    if (e.kind == LEM_RF_HYPERBOLIC)
        return expl(-N / 2) * coshl(x + y);
    return powl(1 - 4 * A, d / 2) * expl(2 * A * square + sqrtl(1 - 4 * A) * (x + y) - N / 2);
}

static long double estimate(estimator e, const gsl_matrix *q, size_t i, const gsl_matrix *k, size_t j,
                            const gsl_matrix *w) {
    long double sum = 0;
    for (size_t p = 0; p < w->size1; p++)
        sum += one_term(e, q, i, k, j, w, p);
    return sum / (long double)w->size1;
}

/* The exponents are sums of d + 6 terms below `size`; a feature is off by expm1 of their error and a few
 * units, the dot product adds gamma(m) of the sum of sizes: for trig below exp(N/2), else the sum itself. */
static double feature_tolerance(const gsl_matrix *q, size_t i, const gsl_matrix *k, size_t j,
                                const gsl_matrix *w, size_t m) {
    double size = 1 + (double)(dot_long(q, i, q, i, false) + dot_long(k, j, k, j, false));
    for (size_t p = 0; p < w->size1; p++)
        size = fmax(size, (double)(2 * dot_long(w, p, q, i, true) + 2 * dot_long(w, p, k, j, true) +
                                   2 * dot_long(w, p, w, p, false)));
    return expm1(gamma_n((double)w->size2 + 10) * (2 * size + log((double)m) + 10)) + gamma_n((double)m + 10);
}

static void check_features(estimator e, size_t n, size_t P, size_t d) {
    guarded q = random_matrix(n, d, KIND_UNIFORM, &rng), k = random_matrix(n + 2, d, KIND_UNIFORM, &rng);
    guarded w = projections(LEM_PROJECTIONS_IID, P, d, n);
    const size_t m = lem_favor_feature_count(e.kind, P);
    guarded phi_q = guarded_alloc(n, m, 1), phi_k = guarded_alloc(n + 2, m, 2);
    const lem_favor_map map = {.kind = e.kind, .a = e.a};
    LEM_CHECK(lem_favor_features(&q.m, &w.m, &map, 1, &phi_q.m) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_favor_features(&k.m, &w.m, &map, 2, &phi_k.m) == 0, "%s", lem_last_error());
    LEM_CHECK(guarded_intact(&phi_q) && guarded_intact(&phi_k), "only Phi was written");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n + 2; j++) {
            const double expected = (double)estimate(e, &q.m, i, &k.m, j, &w.m);
            const double N = (double)(dot_long(&q.m, i, &q.m, i, false) + dot_long(&k.m, j, &k.m, j, false));
            const double scale = e.kind == LEM_RF_TRIG ? exp(N / 2) : expected;
            LEM_CHECK_NEAR((double)dot_long(&phi_q.m, i, &phi_k.m, j, false), expected,
                           scale * feature_tolerance(&q.m, i, &k.m, j, &w.m, m));
        }
    guarded_free(&q), guarded_free(&k), guarded_free(&w), guarded_free(&phi_q), guarded_free(&phi_k);
}

static void test_features(void) {
    for (size_t e = 0; e < N_ESTIMATORS; e++)
        for (size_t n = 1; n <= 4; n++)
            check_features(estimators[e], n, 1 + test_below(&rng, 40), 1 + test_below(&rng, 9));
}

/* --- attention ---------------------------------------------------------------------------------------------
 */

static void check_attention(estimator e, size_t n, bool causal, double size) {
    const size_t d = 1 + test_below(&rng, 6), P = 1 + test_below(&rng, 20), width = 1 + test_below(&rng, 4);
    guarded q = random_matrix(n, d, KIND_UNIFORM, &rng), k = random_matrix(n, d, KIND_UNIFORM, &rng);
    guarded v = random_matrix(n, width, KIND_UNIFORM, &rng),
            w = projections(LEM_PROJECTIONS_ORTHOGONAL, P, d, n);
    guarded o = guarded_alloc(n, width, 1), again = guarded_alloc(n, width, 0);
    gsl_vector *weights = gsl_vector_alloc(n);
    for (size_t j = 0; j < n; j++)
        gsl_vector_set(weights, j, test_unit(&rng));
    gsl_matrix_scale(&q.m, size), gsl_matrix_scale(&k.m, size);
    lem_favor_options options = {
        .kind = e.kind, .a = e.a, .causal = causal, .log_key_weights = weights, .threads = 1};
    LEM_CHECK(lem_favor_attention(&q.m, &k.m, &v.m, &w.m, &options, &o.m) == 0, "%s", lem_last_error());
    LEM_CHECK(guarded_intact(&o), "only O was written");
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < width; c++) {
            long double sum = 0, total = 0;
            double tolerance = 0;
            for (size_t j = 0; j < (causal ? i + 1 : n); j++) {
                const long double a =
                    estimate(e, &q.m, i, &k.m, j, &w.m) * expl((long double)gsl_vector_get(weights, j));
                sum += a * gsl_matrix_get(&v.m, j, c);
                total += a;
                tolerance = fmax(tolerance, feature_tolerance(&q.m, i, &k.m, j, &w.m, 2 * P));
            }
            LEM_CHECK_NEAR(gsl_matrix_get(&o.m, i, c), (double)(sum / total),
                           4 * tolerance + gamma_n((double)n + 4));
        }
    /* one more constant for all keys cancels, to the rounding of the exponents; threads do not matter */
    gsl_vector_add_constant(weights, 100);
    options.threads = 2;
    LEM_CHECK(lem_favor_attention(&q.m, &k.m, &v.m, &w.m, &options, &again.m) == 0, "%s", lem_last_error());
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < width; c++)
            LEM_CHECK_NEAR(gsl_matrix_get(&again.m, i, c), gsl_matrix_get(&o.m, i, c), 1e-11);
    guarded_free(&q), guarded_free(&k), guarded_free(&v), guarded_free(&w), guarded_free(&o),
        guarded_free(&again);
    gsl_vector_free(weights);
}

static void test_attention(void) {
    for (size_t e = 1; e < N_ESTIMATORS; e++)
        for (int causal = 0; causal < 2; causal++)
            for (size_t n = 1; n <= 70; n = 3 * n + 2) {
                check_attention(estimators[e], n, causal, 1);
                check_attention(estimators[e], n, causal, .01);
                check_attention(estimators[e], n, causal, 6);
            }
}

static void test_ones_and_epsilon(void) {
    guarded q = random_matrix(20, 3, KIND_UNIFORM, &rng), k = random_matrix(30, 3, KIND_UNIFORM, &rng);
    guarded w = projections(LEM_PROJECTIONS_IID, 8, 3, 1), v = guarded_alloc(30, 2, 0),
            o = guarded_alloc(20, 2, 0);
    gsl_matrix_set_all(&v.m, 1);
    /* one key far beyond the others and of huge norm: its features would overflow without the shift */
    for (size_t l = 0; l < 3; l++)
        gsl_matrix_set(&k.m, 4, l, 400 * gsl_matrix_get(&w.m, 0, l));
    LEM_CHECK(lem_favor_attention(&q.m, &k.m, &v.m, &w.m, NULL, &o.m) == 0, "%s", lem_last_error());
    for (size_t i = 0; i < 20; i++)
        LEM_CHECK_NEAR(gsl_matrix_get(&o.m, i, 1), 1, gamma_n(30 * 8 + 40));
    /* a large epsilon averages: off by at most sum of features over epsilon */
    fill(&v.m, KIND_UNIFORM, &rng);
    double mean = 0;
    for (size_t j = 0; j < 30; j++)
        mean += gsl_matrix_get(&v.m, j, 0) / 30;
    const lem_favor_options flat = {.kind = LEM_RF_HYPERBOLIC, .epsilon = 1e9};
    LEM_CHECK(lem_favor_attention(&q.m, &k.m, &v.m, &w.m, &flat, &o.m) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(gsl_matrix_get(&o.m, 7, 0), mean, 4e-9);
    guarded_free(&q), guarded_free(&k), guarded_free(&w), guarded_free(&v), guarded_free(&o);
}

/* A column shift of phi(k) undone by that of phi(q) is none; a row shift leaves ratios within a row. */
static void test_shifts(void) {
    guarded x = random_matrix(5, 3, KIND_UNIFORM, &rng), w = projections(LEM_PROJECTIONS_IID, 4, 3, 2);
    guarded phi[4];
    double most[4] = {0};
    for (int s = 0; s < 4; s++) {
        phi[s] = guarded_alloc(5, 4, 0);
        const lem_favor_map map = {.kind = LEM_RF_POSITIVE, .shift = (lem_favor_shift)s};
        LEM_CHECK(lem_favor_features(&x.m, &w.m, &map, 1, &phi[s].m) == 0, "%s", lem_last_error());
        most[s] = largest_entry(&phi[s].m);
    }
    for (int s = 1; s < 4; s++)
        LEM_CHECK_NEAR(most[s], 1, 0);
    for (size_t i = 0; i < 5; i++)
        for (size_t c = 0; c < 4; c++) {
            const double plain = gsl_matrix_get(&phi[0].m, i, c);
            double in_row = 0, in_column = 0;
            for (size_t o = 0; o < 4; o++)
                in_row = fmax(in_row, gsl_matrix_get(&phi[0].m, i, o));
            for (size_t o = 0; o < 5; o++)
                in_column = fmax(in_column, gsl_matrix_get(&phi[0].m, o, c));
            LEM_CHECK_NEAR(gsl_matrix_get(&phi[1].m, i, c), plain / in_row, 1e-14);
            LEM_CHECK_NEAR(gsl_matrix_get(&phi[2].m, i, c), plain / most[0], 1e-14);
            LEM_CHECK_NEAR(gsl_matrix_get(&phi[3].m, i, c), plain / in_column, 1e-14);
        }
    for (int s = 0; s < 4; s++)
        guarded_free(&phi[s]);
    guarded_free(&x), guarded_free(&w);
}

/* --- the delta method --------------------------------------------------------------------------------------
 */

/* E f_j f_l/(SM_j SM_l) of a hyperbolic or OPRF projection, one Gaussian integral. */
static double pair_covariance(estimator e, double d, double dot, double tj, double tl) {
    if (e.kind == LEM_RF_HYPERBOLIC)
        return cosh(dot);
    const double A = e.a, squared = tj + tl + 2 * dot;
    return pow(1 - 4 * A, d) * pow(1 - 8 * A, -d / 2) *
           exp((1 - 4 * A) * squared / (2 * (1 - 8 * A)) - (tj + tl) / 2);
}

static void test_delta(void) {
    const lem_attention_options plain = LEM_ATTENTION_PLAIN;
    for (size_t e = 1; e < N_ESTIMATORS; e++) {
        const size_t n = 6, d = 3, width = 2;
        guarded q = random_matrix(n, d, KIND_UNIFORM, &rng), k = random_matrix(n, d, KIND_UNIFORM, &rng);
        guarded v = random_matrix(n, width, KIND_UNIFORM, &rng);
        for (size_t i = 0; i < n; i++) {
            long double a[6], o[2] = {0}, bias[2] = {0}, mse = 0, size = 1;
            softmax_long(&q.m, &k.m, &plain, i, a);
            for (size_t j = 0; j < n; j++)
                for (size_t c = 0; c < width; c++)
                    o[c] += a[j] * gsl_matrix_get(&v.m, j, c);
            for (size_t j = 0; j < n; j++)
                for (size_t l = 0; l < n; l++) {
                    double dot = 0, tj = 0, tl = 0;
                    for (size_t x = 0; x < d; x++) {
                        const double zj = gsl_matrix_get(&q.m, i, x) + gsl_matrix_get(&k.m, j, x);
                        const double zl = gsl_matrix_get(&q.m, i, x) + gsl_matrix_get(&k.m, l, x);
                        dot += zj * zl, tj += zj * zj, tl += zl * zl;
                    }
                    const long double weight =
                        a[j] * a[l] * pair_covariance(estimators[e], (double)d, dot, tj, tl);
                    for (size_t c = 0; c < width; c++) {
                        const long double to_o = gsl_matrix_get(&v.m, j, c) - o[c];
                        mse += weight * to_o * (gsl_matrix_get(&v.m, l, c) - o[c]);
                        bias[c] -= weight * to_o;
                        size += 3 * fabsl(weight * to_o); /* |v - o| < 3 */
                    }
                }
            gsl_vector *found = gsl_vector_alloc(width);
            const double got =
                lem_favor_delta_mse(&q.m, &k.m, &v.m, i, estimators[e].kind, estimators[e].a, found);
            /* exponents below 100, off by a few units of that: 1e-13 of what is summed */
            LEM_CHECK_NEAR(got, (double)mse, 1e-13 * (double)size);
            for (size_t c = 0; c < width; c++)
                LEM_CHECK_NEAR(gsl_vector_get(found, c), (double)bias[c], 1e-13 * (double)size);
            gsl_vector_free(found);
        }
        guarded_free(&q), guarded_free(&k), guarded_free(&v);
    }
}

/* Values so far apart that their squares are no doubles. */
static void test_delta_overflow(void) {
    guarded q = random_matrix(2, 3, KIND_UNIFORM, &rng), k = random_matrix(2, 3, KIND_UNIFORM, &rng);
    guarded v = random_matrix(2, 1, KIND_UNIFORM, &rng);
    gsl_matrix_set(&v.m, 0, 0, 1e200), gsl_matrix_set(&v.m, 1, 0, -1e200);
    LEM_CHECK_ERROR(isnan(lem_favor_delta_mse(&q.m, &k.m, &v.m, 1, LEM_RF_POSITIVE, 0, NULL)),
                    "row 1|range of double");
    guarded_free(&q), guarded_free(&k), guarded_free(&v);
}

static void test_bad_input(void) {
    guarded q = random_matrix(4, 3, KIND_UNIFORM, &rng), k = random_matrix(5, 3, KIND_UNIFORM, &rng);
    guarded v = random_matrix(5, 2, KIND_UNIFORM, &rng), o = guarded_alloc(4, 2, 0),
            phi = guarded_alloc(4, 6, 0);
    guarded w = projections(LEM_PROJECTIONS_IID, 6, 3, 9), narrow = projections(LEM_PROJECTIONS_IID, 6, 2, 9);
    guarded one = guarded_alloc(3, 1, 0);
    lem_stream stream = stream_of(1);
    const lem_favor_map positive = {.kind = LEM_RF_POSITIVE};
    LEM_CHECK_ERROR(lem_random_projections(LEM_PROJECTIONS_SIMPLEX, &stream, &one.m), "d = 1|simplex");
    LEM_CHECK_ERROR(lem_random_projections(LEM_PROJECTIONS_IID, NULL, &w.m), "stream");
    LEM_CHECK_ERROR(lem_random_projections((lem_projections_kind)5, &stream, &w.m), "kind = 5");
    LEM_CHECK_ERROR(lem_random_projections(LEM_PROJECTIONS_IID, &stream, NULL), "W|null");
    LEM_CHECK_ERROR(lem_set_row_lengths(&w.m, NULL), "lengths");
    LEM_CHECK_ERROR(lem_set_row_lengths(&w.m, (const double[]){1, -1, 1, 1, 1, 1}), "lengths[1] = -1");
    LEM_CHECK(lem_favor_feature_count((lem_rf_kind)9, 3) == 0, "no such kind");
    LEM_CHECK_ERROR(lem_favor_features(&q.m, &w.m, NULL, 1, &phi.m), "map");
    LEM_CHECK_ERROR(lem_favor_features(&q.m, &narrow.m, &positive, 1, &phi.m), "W|6 x 2");
    LEM_CHECK_ERROR(lem_favor_features(&q.m, &w.m, &positive, 1, &o.m), "Phi|4 x 2");
    LEM_CHECK_ERROR(lem_favor_features(&q.m, &w.m, &positive, -1, &phi.m), "threads = -1");
    LEM_CHECK_ERROR(
        lem_favor_features(&q.m, &w.m, &(lem_favor_map){.kind = LEM_RF_POSITIVE, .a = .125}, 1, &phi.m),
        "A = 0.125|1/8");
    LEM_CHECK_ERROR(lem_favor_features(&q.m, &w.m, &(lem_favor_map){.kind = LEM_RF_TRIG, .a = -1}, 1, &phi.m),
                    "A = -1|positive");
    LEM_CHECK_ERROR(lem_favor_features(&q.m, &w.m,
                                       &(lem_favor_map){.kind = LEM_RF_POSITIVE, .shift = (lem_favor_shift)8},
                                       1, &phi.m),
                    "shift = 8");
    gsl_matrix_set(&q.m, 2, 1, 60); /* an exponent of 60^2/2 */
    gsl_matrix_set(&w.m, 1, 1, 60);
    LEM_CHECK_ERROR(lem_favor_features(&q.m, &w.m, &positive, 1, &phi.m), "row 2|range of double");
    gsl_matrix_set(&q.m, 2, 1, NAN);
    LEM_CHECK_ERROR(lem_favor_features(&q.m, &w.m, &positive, 1, &phi.m), "X[2][1]");
    LEM_CHECK_ERROR(lem_favor_attention(&q.m, &k.m, &v.m, &w.m, NULL, &o.m), "Q[2][1]");
    gsl_matrix_set(&q.m, 2, 1, 0);
    gsl_matrix_set(&w.m, 1, 1, 0);
    LEM_CHECK_ERROR(lem_favor_attention(&q.m, &k.m, &v.m, &w.m,
                                        &(lem_favor_options){.kind = LEM_RF_TRIG, .epsilon = -1}, &o.m),
                    "epsilon = -1");
    LEM_CHECK_ERROR(lem_favor_attention(&q.m, &k.m, &v.m, &w.m,
                                        &(lem_favor_options){.kind = LEM_RF_POSITIVE, .causal = true}, &o.m),
                    "causal");
    LEM_CHECK_ERROR(lem_favor_attention(&q.m, &k.m, NULL, &w.m, NULL, &o.m), "V|null");
    LEM_CHECK_ERROR(lem_favor_attention(&q.m, &k.m, &v.m, &narrow.m, NULL, &o.m), "W");
    LEM_CHECK_ERROR(isnan(lem_favor_delta_mse(&q.m, &k.m, &v.m, 4, LEM_RF_POSITIVE, 0, NULL)), "i = 4");
    LEM_CHECK_ERROR(isnan(lem_favor_delta_mse(&q.m, &k.m, &v.m, 0, LEM_RF_TRIG, 0, NULL)), "kind = 0");
    LEM_CHECK_ERROR(isnan(lem_favor_delta_mse(&q.m, &k.m, &v.m, 0, LEM_RF_HYPERBOLIC, -1, NULL)), "A = -1");
    gsl_matrix_set(&q.m, 2, 1, 30);
    LEM_CHECK_ERROR(isnan(lem_favor_delta_mse(&q.m, &k.m, &v.m, 2, LEM_RF_POSITIVE, 0, NULL)), "row 2|range");
    guarded_free(&q), guarded_free(&k), guarded_free(&v), guarded_free(&o), guarded_free(&phi),
        guarded_free(&w);
    guarded_free(&narrow), guarded_free(&one);
}

static const lem_tap_case cases[] = {
    {"cosines of projections", test_cosines},
    {"lengths at the ends of double", test_extreme_lengths},
    {"lengths of simplex projections", test_simplex_lengths},
    {"lengths of projections", test_lengths},
    {"features", test_features},
    {"attention", test_attention},
    {"values of one, and epsilon", test_ones_and_epsilon},
    {"shifts", test_shifts},
    {"delta method", test_delta},
    {"delta method: overflow is an error", test_delta_overflow},
    {"bad input", test_bad_input},
};
LEM_TAP_MAIN(cases)
