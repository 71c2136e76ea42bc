#include "linalg/linalg.h"
#include "matrices.h"

/* Householder QR: each column of A - Q R and of Q^T Q - I is bounded by gamma(c m n) with a small integer c
 * (Higham, theorem 19.4, where c is left open: 4 roundings per entry and reflection). */
static double qr_bound(size_t m, size_t n) {
    return gamma_n(4.0 * (double)m * (double)n);
}

static void check_qr(const gsl_matrix *a, const gsl_matrix *q, const gsl_matrix *r, int kind) {
    const size_t m = a->size1, n = a->size2;
    for (size_t j = 0; j < n; j++) {
        long double error = 0, size = 0;
        for (size_t i = 0; i < m; i++) {
            long double sum = -(long double)gsl_matrix_get(a, i, j);
            size += sum * sum;
            for (size_t k = 0; k < n; k++)
                sum += (long double)gsl_matrix_get(q, i, k) * gsl_matrix_get(r, k, j);
            error += sum * sum;
        }
        LEM_CHECK(sqrtl(error) <= qr_bound(m, n) * sqrtl(size),
                  "kind %d, %zu x %zu, column %zu: error %Lg, "
                  "size %Lg",
                  kind, m, n, j, sqrtl(error), sqrtl(size));
        for (size_t i = j + 1; i < n; i++)
            LEM_CHECK(gsl_matrix_get(r, i, j) == 0, "R[%zu][%zu] is below the diagonal", i, j);
    }
    LEM_CHECK_NEAR(orthonormality_defect(q), 0, qr_bound(m, n) * sqrt((double)n));
}

static void test_random(void) {
    test_rng rng = {11};
    for (int round = 0; round < repeats(200); round++) {
        const size_t n = random_size(&rng, 40), m = n + test_below(&rng, 40);
        const int kind = (int)test_below(&rng, KINDS);
        guarded a = random_matrix(m, n, kind, &rng), r = guarded_alloc(n, n, test_below(&rng, 2));
        gsl_matrix *before = gsl_matrix_alloc(m, n), *q = gsl_matrix_alloc(m, n);
        gsl_matrix_memcpy(before, &a.m);
        gsl_matrix_memcpy(q, before);
        LEM_CHECK(lem_qr(&a.m, &r.m) == 0, "%s", lem_last_error());
        check_qr(before, &a.m, &r.m, kind);
        LEM_CHECK(guarded_intact(&a) && guarded_intact(&r), "%zu x %zu: written outside the view", m, n);
        LEM_CHECK(lem_qr(q, NULL) == 0, "%s", lem_last_error());
        LEM_CHECK_NEAR(orthonormality_defect(q), 0, qr_bound(m, n) * sqrt((double)n));
        gsl_matrix_free(before), gsl_matrix_free(q), guarded_free(&a), guarded_free(&r);
    }
}

static void test_one_by_one(void) {
    double a = -3, r = 0;
    gsl_matrix_view av = gsl_matrix_view_array(&a, 1, 1), rv = gsl_matrix_view_array(&r, 1, 1);
    LEM_CHECK(lem_qr(&av.matrix, &rv.matrix) == 0, "%s", lem_last_error());
    LEM_CHECK(fabs(a) == 1 && a * r == -3, "Q = %g, R = %g", a, r);
}

static void test_refusals(void) {
    gsl_matrix *a = gsl_matrix_calloc(5, 3), *r = gsl_matrix_calloc(3, 3), *wide = gsl_matrix_calloc(3, 5);
    LEM_CHECK_ERROR(lem_qr(NULL, r), "A = null");
    LEM_CHECK_ERROR(lem_qr(wide, NULL), "A is 3 x 5|rows");
    LEM_CHECK_ERROR(lem_qr(a, wide), "R is 3 x 5|3 x 3");
    gsl_matrix top = gsl_matrix_submatrix(a, 0, 0, 3, 3).matrix;
    LEM_CHECK_ERROR(lem_qr(a, &top), "R overlaps A");
    gsl_matrix_set(a, 4, 2, NAN);
    LEM_CHECK_ERROR(lem_qr(a, r), "A[4][2] = nan|finite");
    gsl_matrix_free(a), gsl_matrix_free(r), gsl_matrix_free(wide);
}

static const lem_tap_case cases[] = {
    {"random matrices: A = Q R, orthonormal Q, triangular R", test_random},
    {"1 x 1", test_one_by_one},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
