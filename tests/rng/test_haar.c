#include "linalg/linalg.h"
#include "rng/haar.h"
#include "rng/kernel.h"
#include "sample.h"

#include <float.h>
#include <string.h>

/* Laws of one entry (and of any component of Q v, |v| = 1) of a Haar-distributed matrix: density proportional
 * to (1 - x^2)^((m-3)/2) on [-1, 1]. */
static double cdf2(double x) {
    return 0.5 + asin(fmax(-1, fmin(1, x))) / M_PI;
}
static double cdf3(double x) {
    return (1 + x) / 2;
}
static double cdf4(double x) {
    return 0.5 + (x * sqrt(fmax(0, 1 - x * x)) + asin(fmax(-1, fmin(1, x)))) / M_PI;
}
static double cdf5(double x) {
    return 0.5 + (3 * x - x * x * x) / 4;
}
static double (*const entry_cdf[])(double) = {[2] = cdf2, [3] = cdf3, [4] = cdf4, [5] = cdf5};

enum { MAX_M = 5, MAX_N = 40000 };

/* Entries of many matrices, [i][j][repeat]; draw() fills them. */
static double entries[MAX_M][MAX_M][MAX_N];

typedef int matrix_draw(lem_stream *stream, gsl_matrix *q);

/* The fault that the sign fix mends. */
static int without_sign_fix(lem_stream *stream, gsl_matrix *q) {
    int status = lem_normal_fill(stream, q->size1 * q->size2, q->data);
    return status ? status : lem_qr(q, NULL);
}

static void draw(matrix_draw *matrix, size_t m, size_t k, size_t n) {
    double data[MAX_M * MAX_M];
    gsl_matrix_view q = gsl_matrix_view_array(data, m, k);
    lem_stream stream = stream_at(201, (uint32_t)m, (uint32_t)k, 0);
    int failures = 0;
    for (size_t r = 0; r < n; r++) {
        failures += matrix(&stream, &q.matrix) != GSL_SUCCESS;
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < k; j++)
                entries[i][j][r] = gsl_matrix_get(&q.matrix, i, j);
    }
    LEM_CHECK(failures == 0, "%s", lem_last_error());
}

static double balance(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] < 0 ? -1 : 1;
    return sum / (double)n;
}

static size_t sample_size(void) {
    size_t n = scaled(10000);
    return n > MAX_N ? MAX_N : n;
}

static void test_signs_of_2x2(void) {
    size_t n = sample_size();
    draw(lem_haar_matrix, 2, 2, n);
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++)
            LEM_CHECK(fabs(balance(entries[i][j], n)) < sign_limit(n), "q_%zu%zu: balance %g", i, j,
                      balance(entries[i][j], n));
    /* Rotations and reflections are equally likely. */
    double sum = 0;
    for (size_t r = 0; r < n; r++)
        sum += entries[0][0][r] * entries[1][1][r] - entries[0][1][r] * entries[1][0][r] < 0 ? -1 : 1;
    LEM_CHECK(fabs(sum) / (double)n < sign_limit(n), "balance of determinants %g", sum / (double)n);
    draw(without_sign_fix, 2, 2, n);
    LEM_CHECK(fabs(balance(entries[0][0], n)) > sign_limit(n),
              "the missing sign fix must be seen: balance %g", balance(entries[0][0], n));
}

static void check_entries(size_t m, size_t k, size_t n) {
    draw(lem_haar_matrix, m, k, n);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < k; j++) {
            static double sample[MAX_N];
            memcpy(sample, entries[i][j], n * sizeof *sample);
            double d = ks_distance(sample, n, entry_cdf[m]);
            LEM_CHECK(d < ks_limit(n), "%zu x %zu, q_%zu%zu: D = %g, limit %g", m, k, i, j, d, ks_limit(n));
            if (j == 0)
                continue;
            /* Q v for a fixed unit vector v */
            for (size_t r = 0; r < n; r++)
                sample[r] = 0.6 * entries[i][0][r] + 0.8 * entries[i][j][r];
            d = ks_distance(sample, n, entry_cdf[m]);
            LEM_CHECK(d < ks_limit(n), "%zu x %zu, row %zu, columns 0 and %zu mixed: D = %g, limit %g", m, k,
                      i, j, d, ks_limit(n));
        }
}

static void test_law_of_entries(void) {
    size_t n = sample_size();
    check_entries(2, 2, n);
    check_entries(3, 3, n);
    check_entries(4, 2, n);
    check_entries(5, 1, n);
    check_entries(5, 4, n);
    draw(without_sign_fix, 3, 3, n);
    LEM_CHECK(ks_distance(entries[0][0], n, cdf3) > ks_limit(n), "the missing sign fix must be seen");
}

static void test_one_by_one(void) {
    size_t n = sample_size();
    draw(lem_haar_matrix, 1, 1, n);
    size_t other = 0;
    for (size_t r = 0; r < n; r++)
        other += entries[0][0][r] != 1 && entries[0][0][r] != -1;
    LEM_CHECK(other == 0, "%zu are neither -1 nor +1", other);
    LEM_CHECK(fabs(balance(entries[0][0], n)) < sign_limit(n), "balance %g", balance(entries[0][0], n));
}

/* Householder QR in floating point: the columns of Q are orthonormal to gamma = c m k^(1/2) k u in norm
 * (Higham, Accuracy and Stability of Numerical Algorithms, theorem 19.4 and what follows it, c a small
 * constant). */
static void check_orthonormal(const gsl_matrix *q) {
    double worst = 0;
    for (size_t a = 0; a < q->size2; a++)
        for (size_t b = 0; b <= a; b++) {
            double dot = 0;
            for (size_t i = 0; i < q->size1; i++)
                dot += gsl_matrix_get(q, i, a) * gsl_matrix_get(q, i, b);
            worst = fmax(worst, fabs(dot - (a == b)));
        }
    double bound = 4 * (double)q->size1 * pow((double)q->size2, 1.5) * DBL_EPSILON / 2;
    LEM_CHECK(worst <= bound, "%zu x %zu: departs from orthonormal by %g, bound %g", q->size1, q->size2,
              worst, bound);
}

static void test_orthonormal(void) {
    static const size_t shapes[][2] = {{1, 1}, {2, 1}, {2, 2}, {7, 7}, {50, 3}, {64, 64}, {300, 17}};
    enum { PAD = 3 };
    static double data[300 * (64 + PAD)];
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        size_t m = shapes[s][0], k = shapes[s][1];
        for (size_t pad = 0; pad <= PAD; pad += PAD) { /* also a view into a wider matrix, whose rest stays */
            for (size_t i = 0; i < m * (k + pad); i++)
                data[i] = 77;
            gsl_matrix_view q = gsl_matrix_view_array_with_tda(data, m, k, k + pad);
            lem_stream stream = stream_at(202, (uint32_t)s, 0, 0);
            LEM_CHECK(lem_haar_matrix(&stream, &q.matrix) == GSL_SUCCESS, "%s", lem_last_error());
            check_orthonormal(&q.matrix);
            LEM_CHECK(stream.item == m * k, "uses m k items: %llu", (unsigned long long)stream.item);
            for (size_t i = 0; i < m; i++)
                for (size_t j = k; j < k + pad; j++)
                    LEM_CHECK(data[i * (k + pad) + j] == 77, "wrote outside the view");
        }
    }
}

static void test_same_stream_same_matrix(void) {
    double a[12], b[12], c[12];
    gsl_matrix_view va = gsl_matrix_view_array(a, 4, 3), vb = gsl_matrix_view_array(b, 4, 3),
                    vc = gsl_matrix_view_array(c, 4, 3);
    lem_stream s = stream_at(203, 0, 0, 0), t = s;
    LEM_CHECK(lem_haar_matrix(&s, &va.matrix) == 0 && lem_haar_matrix(&t, &vb.matrix) == 0 &&
                  lem_haar_matrix(&t, &vc.matrix) == 0,
              "%s", lem_last_error());
    LEM_CHECK(memcmp(a, b, sizeof a) == 0, "same stream, same bits");
    LEM_CHECK(memcmp(b, c, sizeof b) != 0, "the stream moves on");
}

static void test_bad_arguments(void) {
    double data[6];
    gsl_matrix_view wide = gsl_matrix_view_array(data, 2, 3), tall = gsl_matrix_view_array(data, 3, 2);
    gsl_matrix empty = {.size1 = 3, .size2 = 0, .tda = 0};
    lem_stream s = stream_at(204, 0, 0, 0);
    LEM_CHECK_ERROR(lem_haar_matrix(NULL, &tall.matrix), "stream = NULL");
    LEM_CHECK_ERROR(lem_haar_matrix(&s, NULL), "q = NULL");
    LEM_CHECK(lem_haar_matrix(&s, NULL) == GSL_EFAULT, "EFAULT");
    LEM_CHECK_ERROR(lem_haar_matrix(&s, &wide.matrix), "q is 2 x 3|1 <= columns <= rows");
    LEM_CHECK(lem_haar_matrix(&s, &empty) == GSL_EBADLEN, "3 x 0");
    s.item = LEM_RNG_ITEMS - 4;
    lem_stream before = s;
    LEM_CHECK(lem_haar_matrix(&s, &tall.matrix) == GSL_ERANGE, "six normals of four");
    LEM_CHECK_ERROR(GSL_ERANGE, "2^32 blocks");
    LEM_CHECK(memcmp(&s, &before, sizeof s) == 0, "the stream has not moved");
}

static const lem_tap_case cases[] = {
    {"signs of 2 x 2", test_signs_of_2x2},
    {"law of entries", test_law_of_entries},
    {"1 x 1", test_one_by_one},
    {"orthonormal columns", test_orthonormal},
    {"same stream, same matrix", test_same_stream_same_matrix},
    {"bad arguments", test_bad_arguments},
};
LEM_TAP_MAIN(cases)
