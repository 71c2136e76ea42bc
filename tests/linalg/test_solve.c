#include "linalg/linalg.h"
#include "matrices.h"

/* Row-wise backward error of LU with partial pivoting: |B - A X| <= 3 gamma(n) |L||U||X| (Higham, theorem
 * 9.4), and |L||U| <= n g max|A| with the growth factor g, below 20 for such matrices (it exceeds n^(2/3)
 * only rarely; 2^(n-1) is the proven bound). */
static void check_residual(const gsl_matrix *a, const gsl_matrix *x, const gsl_matrix *b) {
    const size_t n = a->size1;
    double largest = gsl_matrix_max(a) > -gsl_matrix_min(a) ? gsl_matrix_max(a) : -gsl_matrix_min(a);
    for (size_t j = 0; j < b->size2; j++) {
        long double sum_x = 0;
        for (size_t k = 0; k < n; k++)
            sum_x += fabs(gsl_matrix_get(x, k, j));
        for (size_t i = 0; i < n; i++) {
            long double e = -(long double)gsl_matrix_get(b, i, j);
            for (size_t k = 0; k < n; k++)
                e += (long double)gsl_matrix_get(a, i, k) * gsl_matrix_get(x, k, j);
            LEM_CHECK_NEAR((double)e, 0, 3 * gamma_n((double)n) * (double)n * 20 * largest * (double)sum_x);
        }
    }
}

static void test_random(void) {
    test_rng rng = {41};
    const int kinds[] = {KIND_UNIFORM, KIND_TINY, KIND_HUGE};
    int solved = 0, rounds = repeats(200);
    for (int round = 0; round < rounds; round++) {
        const size_t n = random_size(&rng, 40), columns = random_size(&rng, 10);
        guarded a = random_matrix(n, n, kinds[test_below(&rng, 3)], &rng);
        guarded x = random_matrix(n, columns, KIND_UNIFORM, &rng);
        gsl_matrix *before = gsl_matrix_alloc(n, n), *b = gsl_matrix_alloc(n, columns);
        gsl_matrix_memcpy(before, &a.m);
        gsl_matrix_memcpy(b, &x.m);
        /* Random matrices are not singular: n = 1 with the entry 0 has probability 2^-53. */
        if (lem_solve(&a.m, &x.m) == 0) {
            check_residual(before, &x.m, b);
            solved++;
        }
        LEM_CHECK(same_bits(&a.m, before), "A was changed");
        LEM_CHECK(guarded_intact(&x), "n = %zu: written outside the view", n);
        gsl_matrix_free(before), gsl_matrix_free(b), guarded_free(&a), guarded_free(&x);
    }
    LEM_CHECK(solved == rounds, "%d of %d solved: %s", solved, rounds, lem_last_error());
}

/* Permutation matrices need every pivot, and are solved without a rounding: X = P^T B exactly. */
static void test_permutations(void) {
    test_rng rng = {42};
    for (int round = 0; round < repeats(50); round++) {
        const size_t n = random_size(&rng, 12);
        size_t image[12];
        gsl_matrix *p = gsl_matrix_calloc(n, n), *b = gsl_matrix_alloc(n, 2);
        for (size_t i = 0; i < n; i++) {
            size_t j = test_below(&rng, i + 1);
            image[i] = image[j];
            image[j] = i;
        }
        for (size_t i = 0; i < n; i++) {
            gsl_matrix_set(p, i, image[i], 1);
            gsl_matrix_set(b, i, 0, (double)i), gsl_matrix_set(b, i, 1, -1);
        }
        LEM_CHECK(lem_solve(p, b) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < n; i++)
            LEM_CHECK(gsl_matrix_get(b, image[i], 0) == (double)i, "row %zu", i);
        gsl_matrix_free(p), gsl_matrix_free(b);
    }
}

static void check_singular(const gsl_matrix *a, const char *words) {
    gsl_matrix *b = gsl_matrix_alloc(a->size1, 1);
    gsl_matrix_set_all(b, 7);
    int status = lem_solve(a, b);
    LEM_CHECK(status == GSL_ESING, "status %d", status);
    LEM_CHECK_ERROR(status, words);
    for (size_t i = 0; i < a->size1; i++)
        LEM_CHECK(gsl_matrix_get(b, i, 0) == 7, "B was changed");
    gsl_matrix_free(b);
}

static void test_singular(void) {
    gsl_matrix *zero = gsl_matrix_calloc(1, 1), *equal = gsl_matrix_alloc(5, 5),
               *hilbert = gsl_matrix_alloc(14, 14);
    test_rng rng = {43};
    fill(equal, KIND_EQUAL_ROWS, &rng);
    for (size_t i = 0; i < 14; i++)
        for (size_t j = 0; j < 14; j++)
            gsl_matrix_set(hilbert, i, j, 1.0 / (double)(i + j + 1));
    check_singular(zero, "A is singular|pivot 1");
    check_singular(equal, "A|singular");
    check_singular(hilbert, "reciprocal condition number|working precision");
    gsl_matrix_free(zero), gsl_matrix_free(equal), gsl_matrix_free(hilbert);
}

static void test_refusals(void) {
    gsl_matrix *a = gsl_matrix_alloc(3, 3), *b = gsl_matrix_calloc(3, 2), *wide = gsl_matrix_calloc(3, 4);
    gsl_matrix *tall = gsl_matrix_calloc(4, 2);
    gsl_matrix_set_identity(a);
    LEM_CHECK_ERROR(lem_solve(NULL, b), "A = null");
    LEM_CHECK_ERROR(lem_solve(a, NULL), "B = null");
    LEM_CHECK_ERROR(lem_solve(wide, b), "A is 3 x 4|square");
    LEM_CHECK_ERROR(lem_solve(a, tall), "B is 4 x 2|3");
    LEM_CHECK_ERROR(lem_solve(a, a), "B overlaps A");
    gsl_matrix_set(b, 2, 1, NAN);
    LEM_CHECK_ERROR(lem_solve(a, b), "B[2][1] = nan|finite");
    gsl_matrix_set(a, 0, 1, INFINITY);
    LEM_CHECK_ERROR(lem_solve(a, b), "A[0][1] = inf|finite");
    gsl_matrix_free(a), gsl_matrix_free(b), gsl_matrix_free(wide), gsl_matrix_free(tall);
}

static const lem_tap_case cases[] = {
    {"random systems: the residual within the backward error bound", test_random},
    {"permutation matrices are solved exactly", test_permutations},
    {"singular matrices are refused and B is kept", test_singular},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
