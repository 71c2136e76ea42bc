#include "linalg/linalg.h"
#include "matrices.h"

/* det(A B) = det(A) det(B), and a row of A scaled by c scales det(A) by c. Each determinant is that of A + E,
 * |E| <= n g gamma(n) max|A|, so that its logarithm moves by |A^-1||E|; matrices with a diagonal of n keep
 * |A^-1| below 2. */
static void test_products(void) {
    test_rng rng = {71};
    for (int round = 0; round < repeats(100); round++) {
        const size_t n = random_size(&rng, 20);
        guarded a = random_matrix(n, n, KIND_UNIFORM, &rng), b = random_matrix(n, n, KIND_UNIFORM, &rng);
        gsl_matrix *ab = gsl_matrix_calloc(n, n);
        for (size_t i = 0; i < n; i++) {
            const double side = test_below(&rng, 2) ? 1 : -1;
            gsl_matrix_set(&a.m, i, (i + 1) % n, side * (double)(2 * n));
            gsl_matrix_set(&b.m, i, i, -side * (double)(2 * n));
        }
        LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, &a.m, &b.m, 0, ab, 1) == 0, "%s", lem_last_error());
        double la = 0, lb = 0, lab = 0;
        int sa = 0, sb = 0, sab = 0;
        LEM_CHECK(lem_log_determinant(&a.m, &la, &sa) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_log_determinant(&b.m, &lb, &sb) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_log_determinant(ab, &lab, &sab) == 0, "%s", lem_last_error());
        LEM_CHECK(sab == sa * sb, "signs %d, %d, %d", sa, sb, sab);
        LEM_CHECK_NEAR(lab, la + lb, 100 * (double)(n * n) * DBL_EPSILON);
        gsl_matrix_free(ab), guarded_free(&a), guarded_free(&b);
    }
}

/* Permutations: the sign of the permutation, counted by its inversions. */
static void test_permutations(void) {
    test_rng rng = {72};
    for (int round = 0; round < repeats(50); round++) {
        const size_t n = random_size(&rng, 9);
        size_t image[9];
        int expected = 1;
        gsl_matrix *p = gsl_matrix_calloc(n, n);
        for (size_t i = 0; i < n; i++) {
            const size_t j = test_below(&rng, i + 1);
            image[i] = image[j];
            image[j] = i;
        }
        for (size_t i = 0; i < n; i++) {
            gsl_matrix_set(p, i, image[i], 1);
            for (size_t j = 0; j < i; j++)
                if (image[j] > image[i])
                    expected = -expected;
        }
        double size = 7;
        int sign = 0;
        LEM_CHECK(lem_log_determinant(p, &size, &sign) == 0, "%s", lem_last_error());
        LEM_CHECK(sign == expected && size == 0, "sign %d, log %g", sign, size);
        gsl_matrix_free(p);
    }
}

static void test_extremes(void) {
    gsl_matrix *a = gsl_matrix_calloc(40, 40);
    double size = 0;
    int sign = 0;
    gsl_matrix_set_identity(a);
    gsl_matrix_scale(a, 1e300); /* det = 10^12000 */
    LEM_CHECK(lem_log_determinant(a, &size, &sign) == 0 && sign == 1, "%s", lem_last_error());
    LEM_CHECK_NEAR(size, 12000 * log(10), 40 * UNIT * 12000 * log(10));
    gsl_matrix_set(a, 3, 3, 0);
    LEM_CHECK(lem_log_determinant(a, &size, &sign) == 0 && sign == 0 && size == -INFINITY, "%d", sign);
    gsl_matrix_free(a);
}

static void test_refusals(void) {
    gsl_matrix *a = gsl_matrix_alloc(3, 3), *wide = gsl_matrix_calloc(3, 4);
    double size;
    int sign;
    gsl_matrix_set_identity(a);
    LEM_CHECK_ERROR(lem_log_determinant(NULL, &size, &sign), "A = null");
    LEM_CHECK_ERROR(lem_log_determinant(wide, &size, &sign), "A is 3 x 4|square");
    LEM_CHECK_ERROR(lem_log_determinant(a, NULL, &sign), "log_size = null");
    LEM_CHECK_ERROR(lem_log_determinant(a, &size, NULL), "sign = null");
    gsl_matrix_set(a, 0, 1, NAN);
    LEM_CHECK_ERROR(lem_log_determinant(a, &size, &sign), "A[0][1] = nan|finite");
    gsl_matrix_free(a), gsl_matrix_free(wide);
}

static const lem_tap_case cases[] = {
    {"the determinant of a product", test_products},
    {"permutations", test_permutations},
    {"neither overflow nor underflow", test_extremes},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
