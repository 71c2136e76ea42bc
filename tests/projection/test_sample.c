#include "projection/sample.h"
#include "kinds.h"
#include "projection/srht.h"
#include "stat/moments.h"

/* Stochastic checks here compare |z| with 7 where z is asymptotically standard normal over thousands of
 * draws: a false alarm of 2.6e-12 each, and room for the tails of the sum to be heavier than normal. */
enum { Z_LIMIT = 7 };

static void test_same_stream_same_bits(void) {
    for (size_t k = 0; k < TEST_KINDS; k++) {
        const test_kind *t = &test_kinds[k];
        gsl_matrix *a = gsl_matrix_alloc(t->n, t->m);
        guarded b = guarded_alloc(t->n, t->m, 2);
        lem_stream one = test_stream(1), two = one;
        LEM_CHECK(lem_jl_sample(t->kind, t->s, &one, a) == 0, "%s: %s", t->name, lem_last_error());
        LEM_CHECK(lem_jl_sample(t->kind, t->s, &two, &b.m) == 0, "%s: %s", t->name, lem_last_error());
        LEM_CHECK(same_bits(a, &b.m), "%s: one stream, two matrices", t->name);
        LEM_CHECK(guarded_intact(&b), "%s: written outside the view", t->name);
        if (t->n * t->m > 1) {
            LEM_CHECK(lem_jl_sample(t->kind, t->s, &two, &b.m) == 0, "%s: %s", t->name, lem_last_error());
            LEM_CHECK(!same_bits(a, &b.m), "%s: the second draw repeats the first", t->name);
        }
        gsl_matrix_free(a), guarded_free(&b);
    }
}

/* Var ||A u||^2 for a unit u with q4 = sum u_i^4 (jl.matrix-families). */
static double exact_variance(const test_kind *t, double q4) {
    const double n = (double)t->n, m = (double)t->m;
    switch (t->kind) {
    case LEM_PROJECTION_GAUSSIAN:
        return 2 / n;
    case LEM_PROJECTION_RADEMACHER:
        return 2 * (1 - q4) / n;
    case LEM_PROJECTION_SPARSE:
        return (2 + (t->s - 3) * q4) / n;
    case LEM_PROJECTION_HAAR:
        return 2 * (m - n) / (n * (m + 2));
    case LEM_PROJECTION_SRHT:
    case LEM_PROJECTION_SRHT_PADDED:
        break;
    }
    const double order = (double)lem_srht_order(t->kind, t->m);
    return order == 1 ? 0 : 2 * (1 - q4) / n * (order - n) / (order - 1);
}

static double squared_image(const gsl_matrix *a, const double *u) {
    double sum = 0;
    for (size_t i = 0; i < a->size1; i++) {
        double y = 0;
        for (size_t j = 0; j < a->size2; j++)
            y += gsl_matrix_get(a, i, j) * u[j];
        sum += y * y;
    }
    return sum;
}

/* Over independent draws: the mean of ||A u||^2 is 1 (a missing 1/sqrt(n) makes it n), its variance the exact
 * one. Where that is 0 every draw must give 1 to rounding: n m additions of terms of size <= 1 on each side.
 */
static void check_moments(const test_kind *t, const double *u, uint32_t chunk) {
    gsl_matrix *a = gsl_matrix_alloc(t->n, t->m);
    lem_stream stream = test_stream(chunk);
    lem_moments moments;
    lem_moments_init(&moments);
    double q4 = 0;
    for (size_t j = 0; j < t->m; j++)
        q4 += u[j] * u[j] * u[j] * u[j];
    for (int r = 0; r < repeats(4000); r++) {
        LEM_CHECK(lem_jl_sample(t->kind, t->s, &stream, a) == 0, "%s: %s", t->name, lem_last_error());
        lem_moments_add(&moments, squared_image(a, u));
    }
    const double expected = exact_variance(t, q4), rounding = gamma_n(8.0 * (double)(t->n * t->m));
    if (expected < 1e-12) {
        LEM_CHECK(fabs(moments.min - 1) <= rounding && fabs(moments.max - 1) <= rounding,
                  "%s: ||Au||^2 in [%.17g, %.17g]", t->name, moments.min, moments.max);
    } else {
        const double z = (moments.mean - 1) / sqrt(expected / (double)moments.n),
                     z2 = (lem_moments_variance(&moments) - expected) / lem_moments_variance_stderr(&moments);
        LEM_CHECK(fabs(z) <= Z_LIMIT, "%s: mean %g, z = %g", t->name, moments.mean, z);
        LEM_CHECK(fabs(z2) <= Z_LIMIT, "%s: variance %g for %g, z = %g", t->name,
                  lem_moments_variance(&moments), expected, z2);
    }
    gsl_matrix_free(a);
}

static void normalise(double *u, size_t m) {
    double norm = 0;
    for (size_t j = 0; j < m; j++)
        norm += u[j] * u[j];
    for (size_t j = 0; j < m; j++)
        u[j] /= sqrt(norm);
}

static void test_norm_law(void) {
    test_rng rng = {5};
    for (size_t k = 0; k < TEST_KINDS; k++) {
        const size_t m = test_kinds[k].m;
        double dense[64], spiky[64] = {1, 1, 0.5}, axis[64] = {1};
        for (size_t j = 0; j < m; j++)
            dense[j] = test_unit(&rng);
        normalise(dense, m);
        normalise(spiky, m < 3 ? 3 : m);
        check_moments(&test_kinds[k], dense, 10);
        if (m >= 3)
            check_moments(&test_kinds[k], spiky, 11);
        check_moments(&test_kinds[k], axis, 12);
    }
}

/* Rows of haar and srht: A A^T = (m/n) I, m the order; || n/m A A^T - I ||_F within the bound of QR. */
static void test_orthogonal_rows(void) {
    for (size_t k = 0; k < TEST_KINDS; k++) {
        const test_kind *t = &test_kinds[k];
        if (t->kind != LEM_PROJECTION_HAAR && t->kind != LEM_PROJECTION_SRHT)
            continue;
        gsl_matrix *a = gsl_matrix_alloc(t->n, t->m), *columns = gsl_matrix_alloc(t->m, t->n);
        lem_stream stream = test_stream(20);
        for (int r = 0; r < repeats(20); r++) {
            LEM_CHECK(lem_jl_sample(t->kind, t->s, &stream, a) == 0, "%s: %s", t->name, lem_last_error());
            gsl_matrix_transpose_memcpy(columns, a);
            gsl_matrix_scale(columns, sqrt((double)t->n / (double)t->m));
            LEM_CHECK_NEAR(orthonormality_defect(columns), 0,
                           gamma_n(4.0 * (double)(t->n * t->m)) * sqrt((double)t->n));
        }
        gsl_matrix_free(a), gsl_matrix_free(columns);
    }
}

/* Count the entries that equal x in units of `size`, and compare with a binomial law. */
static void check_share(const gsl_matrix *a, double x, double share, const char *name) {
    double count = 0;
    const double total = (double)(a->size1 * a->size2);
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++)
            count += fabs(gsl_matrix_get(a, i, j) - x) <= 4 * DBL_EPSILON * fabs(x);
    const double deviation = sqrt(total * share * (1 - share));
    LEM_CHECK(deviation > 0 ? fabs(count - total * share) <= Z_LIMIT * deviation : count == total * share,
              "%s: %g of %g entries are %g, expected %g", name, count, total, x, total * share);
}

static void test_entries(void) {
    gsl_matrix *a = gsl_matrix_alloc(100, 300);
    lem_stream stream = test_stream(30);
    LEM_CHECK(lem_jl_sample(LEM_PROJECTION_RADEMACHER, 0, &stream, a) == 0, "%s", lem_last_error());
    check_share(a, 0.1, 0.5, "rademacher"), check_share(a, -0.1, 0.5, "rademacher");
    const double ss[] = {1, 3, 17.32, 100};
    for (size_t i = 0; i < 4; i++) {
        const double s = ss[i], size = sqrt(s) / 10;
        LEM_CHECK(lem_jl_sample(LEM_PROJECTION_SPARSE, s, &stream, a) == 0, "%s", lem_last_error());
        check_share(a, size, 1 / (2 * s), "sparse, plus");
        check_share(a, -size, 1 / (2 * s), "sparse, minus");
        check_share(a, 0, 1 - 1 / s, "sparse, zero");
    }
    gsl_matrix_free(a);
    gsl_matrix *h = gsl_matrix_alloc(64, 128);
    LEM_CHECK(lem_jl_sample(LEM_PROJECTION_SRHT, 0, &stream, h) == 0, "%s", lem_last_error());
    for (size_t i = 0; i < 64 * 128; i++)
        LEM_CHECK(fabs(h->data[i]) == 0.125, "srht entry %g", h->data[i]);
    gsl_matrix_free(h);
}

/* All 8 7 6 = 336 ordered triples of rows equally likely: chi-square with 335 degrees of freedom, whose tail
 * beyond d + 2 sqrt(d t) + 2 t is at most e^-t (Laurent & Massart 2000, lemma 1); t = 28, 7e-13. */
static void test_rows_without_replacement(void) {
    enum { M = 8, N = 3, CELLS = 336 };
    double counts[M * M * M] = {0}, signs[M], chi2 = 0;
    size_t rows[M];
    lem_stream stream = test_stream(40);
    const int draws = repeats(100 * CELLS);
    for (int r = 0; r < draws; r++) {
        LEM_CHECK(lem_srht_draw(&stream, M, M, N, signs, rows) == 0, "%s", lem_last_error());
        counts[rows[0] * M * M + rows[1] * M + rows[2]]++;
    }
    for (size_t i = 0; i < M * M * M; i++) {
        const size_t a = i / (M * M), b = i / M % M, c = i % M;
        const double expected = draws / (double)CELLS;
        if (a == b || a == c || b == c)
            LEM_CHECK(counts[i] == 0, "rows %zu %zu %zu drawn together", a, b, c);
        else
            chi2 += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    LEM_CHECK(chi2 <= 335 + 2 * sqrt(335 * 28.0) + 2 * 28.0, "chi2 = %g", chi2);
}

/* Archimedes: one coordinate of a uniform point of the sphere in R^3 is uniform on [-1, 1]. The distance of
 * the empirical distribution exceeds e with probability at most 2 exp(-2 N e^2) (Dvoretzky-Kiefer-Wolfowitz-
 * Massart); e for 1e-12. */
static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_first_coordinates(void) {
    const size_t count = (size_t)repeats(20000);
    gsl_matrix *x = gsl_matrix_alloc(count, 1);
    lem_stream stream = test_stream(50);
    LEM_CHECK(lem_haar_first_coordinates(&stream, 3, x) == 0, "%s", lem_last_error());
    qsort(x->data, count, sizeof(double), ascending);
    double distance = 0;
    for (size_t i = 0; i < count; i++) {
        const double cdf = (x->data[i] + 1) / 2;
        distance =
            fmax(distance, fmax(cdf - (double)i / (double)count, (double)(i + 1) / (double)count - cdf));
    }
    LEM_CHECK(distance <= sqrt(log(2e12) / (2 * (double)count)), "distance %g", distance);
    LEM_CHECK(lem_haar_first_coordinates(&stream, 1, x) == 0, "%s", lem_last_error());
    check_share(x, 1, 0.5, "m = 1");
    gsl_matrix_free(x);
}

/* Squares of n of m coordinates: Beta(n/2, (m - n)/2), mean n/m and variance 2 n (m - n) / (m^2 (m + 2)); m
 * beyond one part of the sum, and n = m where the norm is 1 to gamma(m + 4). */
static void test_first_coordinates_norm(void) {
    const size_t shapes[][2] = {{4, 64}, {16, 700}, {1, 2}};
    lem_stream stream = test_stream(51);
    for (size_t k = 0; k < 3; k++) {
        const size_t n = shapes[k][0], m = shapes[k][1];
        guarded x = guarded_alloc((size_t)repeats(2000), n, 1);
        LEM_CHECK(lem_haar_first_coordinates(&stream, m, &x.m) == 0, "%s", lem_last_error());
        double sum = 0;
        for (size_t i = 0; i < x.m.size1; i++)
            for (size_t j = 0; j < n; j++)
                sum += gsl_matrix_get(&x.m, i, j) * gsl_matrix_get(&x.m, i, j);
        const double nn = (double)n, mm = (double)m, rows = (double)x.m.size1;
        const double z = (sum / rows - nn / mm) / sqrt(2 * nn * (mm - nn) / (mm * mm * (mm + 2) * rows));
        LEM_CHECK(fabs(z) <= Z_LIMIT, "%zu of %zu: z = %g", n, m, z);
        LEM_CHECK(guarded_intact(&x), "written outside the view");
        guarded_free(&x);
    }
    gsl_matrix *x = gsl_matrix_alloc(5, 300);
    LEM_CHECK(lem_haar_first_coordinates(&stream, 300, x) == 0, "%s", lem_last_error());
    for (size_t i = 0; i < 5; i++) {
        double sum = 0;
        for (size_t j = 0; j < 300; j++)
            sum += gsl_matrix_get(x, i, j) * gsl_matrix_get(x, i, j);
        LEM_CHECK_NEAR(sum, 1, 2 * gamma_n(304));
    }
    gsl_matrix_free(x);
}

static void test_refusals(void) {
    gsl_matrix *a = gsl_matrix_alloc(4, 6), *tall = gsl_matrix_alloc(8, 4), *empty = gsl_matrix_alloc(0, 3);
    lem_stream stream = test_stream(60), before = stream;
    LEM_CHECK_ERROR(lem_jl_sample(LEM_PROJECTION_GAUSSIAN, 0, NULL, a), "stream = null");
    LEM_CHECK_ERROR(lem_jl_sample(LEM_PROJECTION_GAUSSIAN, 0, &stream, NULL), "A = null");
    LEM_CHECK_ERROR(lem_jl_sample(LEM_PROJECTION_GAUSSIAN, 0, &stream, empty), "A is 0 x 3|at least one");
    LEM_CHECK_ERROR(lem_jl_sample((lem_projection_kind)17, 0, &stream, a), "kind = 17");
    const double bad[] = {INFINITY, NAN, 0, 0.5, -3}; /* infinity is the density 0 */
    for (size_t i = 0; i < 5; i++)
        LEM_CHECK_ERROR(lem_jl_sample(LEM_PROJECTION_SPARSE, bad[i], &stream, a), "s = |>= 1 and finite");
    LEM_CHECK_ERROR(lem_jl_sample(LEM_PROJECTION_HAAR, 0, &stream, tall), "A is 8 x 4|haar|rows");
    LEM_CHECK_ERROR(lem_jl_sample(LEM_PROJECTION_SRHT, 0, &stream, tall), "A is 8 x 4|srht|rows");
    LEM_CHECK_ERROR(lem_jl_sample(LEM_PROJECTION_SRHT, 0, &stream, a), "m = 6|power of two|srht_padded");
    LEM_CHECK_ERROR(lem_jl_sample(LEM_PROJECTION_SRHT_PADDED, 0, &stream, tall), "A is 8 x 4|rows");
    LEM_CHECK_ERROR(lem_haar_first_coordinates(NULL, 6, a), "stream = null");
    LEM_CHECK_ERROR(lem_haar_first_coordinates(&stream, 6, NULL), "out = null");
    LEM_CHECK_ERROR(lem_haar_first_coordinates(&stream, 5, a), "out is 4 x 6|m = 5");
    LEM_CHECK(memcmp(&stream, &before, sizeof stream) == 0, "a refused call moved the stream");
    gsl_matrix_free(a), gsl_matrix_free(tall), gsl_matrix_free(empty);
}

/* A stream near its end is refused half-way, and is where it was. */
static void test_end_of_stream(void) {
    for (size_t k = 0; k < TEST_KINDS; k++) {
        const test_kind *t = &test_kinds[k];
        if (t->n * t->m < 100)
            continue;
        gsl_matrix *a = gsl_matrix_alloc(t->n, t->m);
        lem_stream stream = test_stream(61), before;
        stream.item = (UINT64_C(1) << 33) - 40;
        before = stream;
        LEM_CHECK_ERROR(lem_jl_sample(t->kind, t->s, &stream, a), "n = ");
        LEM_CHECK(memcmp(&stream, &before, sizeof stream) == 0, "%s: the stream moved", t->name);
        LEM_CHECK_ERROR(lem_haar_first_coordinates(&stream, t->m, a), "n = ");
        LEM_CHECK(memcmp(&stream, &before, sizeof stream) == 0, "the stream moved");
        gsl_matrix_free(a);
    }
}

static const lem_tap_case cases[] = {
    {"one stream gives the same bits, the next draw others", test_same_stream_same_bits},
    {"||Au||^2 has mean 1 and the exact variance, for all kinds", test_norm_law},
    {"haar and srht have orthogonal rows", test_orthogonal_rows},
    {"entries of rademacher, sparse and srht", test_entries},
    {"rows without replacement: all ordered triples equally likely", test_rows_without_replacement},
    {"one coordinate of the sphere in R^3 is uniform", test_first_coordinates},
    {"first coordinates: mean square, whole norm", test_first_coordinates_norm},
    {"bad arguments are named", test_refusals},
    {"the end of the stream is an error and moves nothing", test_end_of_stream},
};
LEM_TAP_MAIN(cases)
