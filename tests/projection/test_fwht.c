#include "projection/fwht.h"
#include "projection/fwht_kernel.h"
#include "linalg/matrices.h"

/* The definition, stride by stride. */
static void plain(double *x, size_t m) {
    for (size_t h = m / 2; h > 0; h /= 2)
        for (size_t i = 0; i < m; i += 2 * h)
            for (size_t j = i; j < i + h; j++) {
                double a = x[j], b = x[j + h];
                x[j] = a + b;
                x[j + h] = a - b;
            }
}

static void random_entries(double *x, size_t m, test_rng *rng) {
    for (size_t i = 0; i < m; i++)
        x[i] = test_below(rng, 8) == 0 ? 0 : test_unit(rng);
}

/* Every kernel, every size over all of its code paths (whole, swept, recursive), unaligned, guarded. */
static void test_kernels(void) {
    test_rng rng = {1};
    enum { LARGEST = 1 << 17 };
    double *expected = malloc(LARGEST * sizeof *expected), *x = malloc((LARGEST + 2) * sizeof *x);
    for (size_t k = 0; lem_fwht_kernels[k]; k++) {
        const lem_fwht_kernel *kernel = lem_fwht_kernels[k];
        if (!kernel->runs_here())
            continue;
        for (size_t m = 1; m <= LARGEST; m *= 2) {
            random_entries(expected, m, &rng);
            x[0] = x[m + 1] = 42;
            memcpy(x + 1, expected, m * sizeof *x);
            plain(expected, m);
            kernel->transform(x + 1, m);
            LEM_CHECK(memcmp(x + 1, expected, m * sizeof *x) == 0, "%s, m = %zu: other bits", kernel->name,
                      m);
            LEM_CHECK(x[0] == 42 && x[m + 1] == 42, "%s, m = %zu: written outside", kernel->name, m);
        }
    }
    free(expected), free(x);
}

/* Against the matrix H_ij = (-1)^popcount(i & j): log2 m additions on the way to each entry, so an error of
 * at most gamma(log2 m) sum |x_j|. */
static void test_matrix(void) {
    test_rng rng = {2};
    for (size_t m = 1, log_m = 0; m <= 512; m *= 2, log_m++) {
        double x[512], y[512];
        random_entries(x, m, &rng);
        memcpy(y, x, sizeof y);
        LEM_CHECK(lem_fwht(y, m) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < m; i++) {
            long double sum = 0, size = 0;
            for (size_t j = 0; j < m; j++) {
                sum += __builtin_popcountll(i & j) % 2 ? -(long double)x[j] : x[j];
                size += fabs(x[j]);
            }
            LEM_CHECK_NEAR(y[i], (double)sum, (gamma_n((double)log_m) + UNIT) * (double)size);
        }
    }
}

/* H H = m I, exactly on whole numbers. */
static void test_involution(void) {
    test_rng rng = {3};
    for (size_t m = 1; m <= 1 << 15; m *= 2) {
        double *x = malloc(m * sizeof *x), *y = malloc(m * sizeof *y);
        for (size_t i = 0; i < m; i++)
            y[i] = x[i] = (double)test_below(&rng, 2001) - 1000;
        LEM_CHECK(lem_fwht(y, m) == 0 && lem_fwht(y, m) == 0, "%s", lem_last_error());
        size_t wrong = 0;
        for (size_t i = 0; i < m; i++)
            wrong += y[i] != (double)m * x[i];
        LEM_CHECK(wrong == 0, "m = %zu: %zu entries", m, wrong);
        free(x), free(y);
    }
}

static void test_refusals(void) {
    double x[8] = {0, 0, 0, 0, 0, NAN, 0, 0};
    LEM_CHECK_ERROR(lem_fwht(NULL, 8), "x = null");
    const size_t bad[] = {0, 3, 5, 6, 7, 12, 1000, SIZE_MAX};
    for (size_t i = 0; i < 8; i++)
        LEM_CHECK_ERROR(lem_fwht(x, bad[i]), "m = |power of two");
    LEM_CHECK_ERROR(lem_fwht(x, 8), "x[5] = nan|finite");
    LEM_CHECK(lem_fwht(x, 4) == 0, "%s", lem_last_error());
}

static const lem_tap_case cases[] = {
    {"all kernels give the bits of the plain butterflies", test_kernels},
    {"equals the product with the Hadamard matrix", test_matrix},
    {"twice is m times the identity", test_involution},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
