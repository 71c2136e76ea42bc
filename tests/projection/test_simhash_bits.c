#include "projection/simhash_bits.h"
#include "kinds.h"
#include "projection/project.h"
#include "projection/simhash_kernel.h"

static size_t count_differences(const gsl_matrix *y, size_t i, size_t j) {
    size_t count = 0;
    for (size_t l = 0; l < y->size2; l++)
        count += (gsl_matrix_get(y, i, l) < 0) != (gsl_matrix_get(y, j, l) < 0);
    return count;
}

/* Bits and distances against signs compared one by one, with lengths around the word. */
static void test_distances(void) {
    test_rng rng = {1};
    const size_t lengths[] = {1, 2, 63, 64, 65, 127, 128, 200, 256, 300, 512, 700};
    for (size_t k = 0; k < 12; k++) {
        const size_t n = lengths[k], rows = 9, words = lem_simhash_words(n);
        guarded y = random_matrix(rows, n, k % 2 ? KIND_SMALL_INTEGERS : KIND_UNIFORM, &rng);
        gsl_matrix_set(&y.m, 0, 0, -0.0);
        uint64_t *hashes = malloc(rows * words * sizeof *hashes);
        uint32_t *distances = malloc(rows * rows * sizeof *distances);
        LEM_CHECK(words == (n + 63) / 64, "%zu bits: %zu words", n, words);
        LEM_CHECK(lem_simhash_pack(&y.m, hashes) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < rows; i++)
            for (size_t l = 0; l < words * 64; l++) {
                const uint64_t bit = hashes[i * words + l / 64] >> (l % 64) & 1;
                LEM_CHECK(bit == (l < n && gsl_matrix_get(&y.m, i, l) < 0), "n = %zu, row %zu, bit %zu", n, i,
                          l);
            }
        for (int threads = 0; threads <= 7; threads++) {
            memset(distances, 0xff, rows * rows * sizeof *distances);
            LEM_CHECK(lem_simhash_distances(hashes, rows, hashes, rows, words, distances, threads) == 0, "%s",
                      lem_last_error());
            for (size_t i = 0; i < rows; i++)
                for (size_t j = 0; j < rows; j++)
                    LEM_CHECK(distances[i * rows + j] == count_differences(&y.m, i, j) &&
                                  distances[i * rows + j] ==
                                      lem_simhash_distance(hashes + i * words, hashes + j * words, words),
                              "n = %zu: distance of %zu and %zu", n, i, j);
        }
        free(hashes), free(distances), guarded_free(&y);
    }
}

static void test_kernels(void) {
    test_rng rng = {2};
    for (size_t words = 1; words <= 17; words++) {
        enum { COUNT = 37 };
        uint64_t query[17], database[17 * COUNT];
        uint32_t got[COUNT];
        for (size_t i = 0; i < words * COUNT; i++)
            database[i] = test_bits(&rng);
        for (size_t i = 0; i < words; i++)
            query[i] = i % 2 ? ~database[i] : test_bits(&rng);
        for (size_t k = 0; lem_simhash_kernels[k]; k++) {
            if (!lem_simhash_kernels[k]->runs_here())
                continue;
            lem_simhash_kernels[k]->distances(query, database, COUNT, words, got);
            for (size_t i = 0; i < COUNT; i++) {
                size_t expected = 0;
                for (size_t b = 0; b < 64 * words; b++)
                    expected += (query[b / 64] ^ database[i * words + b / 64]) >> (b % 64) & 1;
                LEM_CHECK(got[i] == expected, "%s, %zu words, hash %zu: %u", lem_simhash_kernels[k]->name,
                          words, i, got[i]);
            }
        }
    }
}

/* K ~ Bin(n, theta/pi) under a Gaussian projection: the sum over R independent draws is Bin(R n, theta/pi); a
 * deviation of 7 standard deviations has probability 3e-12. */
static void test_angle_law(void) {
    const double thetas[] = {0.1, 0.5, 1, M_PI_2, 2.5, M_PI};
    lem_project_workspace *w = lem_project_alloc(LEM_PROJECTION_GAUSSIAN, 100, 8, 0);
    gsl_matrix *x = gsl_matrix_calloc(2, 8), *y = gsl_matrix_alloc(2, 100);
    lem_stream stream = test_stream(3);
    for (size_t k = 0; k < 6; k++) {
        gsl_matrix_set(x, 0, 0, 1);
        gsl_matrix_set(x, 1, 0, cos(thetas[k])), gsl_matrix_set(x, 1, 1, k == 5 ? 0 : sin(thetas[k]));
        const double p = thetas[k] / M_PI, total = 100.0 * repeats(2000);
        double sum = 0;
        for (int r = 0; r < repeats(2000); r++) {
            uint64_t hashes[4];
            LEM_CHECK(lem_project_draw(w, &stream) == 0 && lem_project_rows(w, x, y, 1) == 0 &&
                          lem_simhash_pack(y, hashes) == 0,
                      "%s", lem_last_error());
            sum += (double)lem_simhash_distance(hashes, hashes + 2, 2);
        }
        LEM_CHECK(fabs(sum - total * p) <= 7 * sqrt(total * p * (1 - p)), "theta = %g: %g of %g bits",
                  thetas[k], sum, total);
    }
    gsl_matrix_free(x), gsl_matrix_free(y), lem_project_free(w);
}

/* pi K/n and its cosine in extended precision: 3 roundings of the angle, one of the cosine, and the
 * derivative at most 1 times an angle at most pi/2. */
static void test_estimates(void) {
    for (size_t n = 1; n <= 300; n = n * 3 / 2 + 1)
        for (size_t k = 0; k <= n; k++) {
            const long double angle =
                3.14159265358979323846264338327950288L * (long double)k / (long double)n;
            LEM_CHECK_NEAR(lem_simhash_angle(k, n), (double)angle, gamma_n(4) * (double)angle);
            LEM_CHECK_NEAR(lem_simhash_cosine(k, n), (double)cosl(angle), gamma_n(4) * M_PI_2 + gamma_n(3));
            LEM_CHECK(lem_simhash_cosine(k, n) == -lem_simhash_cosine(n - k, n), "K = %zu of %zu", k, n);
        }
    LEM_CHECK(lem_simhash_cosine(0, 7) == 1 && lem_simhash_cosine(7, 7) == -1, "the ends");
    LEM_CHECK(lem_simhash_cosine(32, 64) == 0, "the right angle");
}

static void test_refusals(void) {
    gsl_matrix *y = gsl_matrix_calloc(2, 3);
    uint64_t hashes[2] = {0};
    uint32_t out[4];
    LEM_CHECK_ERROR(lem_simhash_pack(NULL, hashes), "Y = null");
    LEM_CHECK_ERROR(lem_simhash_pack(y, NULL), "hashes = null|2 words");
    gsl_matrix_set(y, 1, 2, NAN);
    LEM_CHECK_ERROR(lem_simhash_pack(y, hashes), "Y[1][2] = nan|finite");
    LEM_CHECK_ERROR(lem_simhash_distances(NULL, 2, hashes, 2, 1, out, 0), "queries = null");
    LEM_CHECK_ERROR(lem_simhash_distances(hashes, 2, NULL, 2, 1, out, 0), "database = null");
    LEM_CHECK_ERROR(lem_simhash_distances(hashes, 2, hashes, 2, 1, NULL, 0), "distances = null");
    LEM_CHECK_ERROR(lem_simhash_distances(hashes, 2, hashes, 2, 0, out, 0), "words = 0");
    LEM_CHECK_ERROR(lem_simhash_distances(hashes, 2, hashes, 2, 1, out, -1), "threads = -1");
    LEM_CHECK(isnan(lem_simhash_angle(0, 0)), "n = 0");
    LEM_CHECK_ERROR(GSL_EDOM, "n = 0|>= 1");
    LEM_CHECK(isnan(lem_simhash_cosine(5, 4)), "K > n");
    LEM_CHECK_ERROR(GSL_EDOM, "k = 5|n = 4");
    gsl_matrix_free(y);
}

static const lem_tap_case cases[] = {
    {"bits and distances agree with the signs", test_distances},
    {"all kernels count alike", test_kernels},
    {"bits differ with probability theta/pi", test_angle_law},
    {"angle and cosine estimates", test_estimates},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
