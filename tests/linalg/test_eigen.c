#include "linalg/linalg.h"
#include "matrices.h"

/* As for the SVD: the eigensystem of A + E, ||E||_2 <= p eps ||A||_2 with p = 10 n; sqrt(n) more in the
 * Frobenius norm. */
static double eigen_bound(size_t n) {
    return 10 * (double)n * DBL_EPSILON * sqrt((double)n);
}

static guarded random_symmetric(size_t n, int kind, test_rng *rng) {
    guarded a = random_matrix(n, n, kind, rng);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            gsl_matrix_set(&a.m, i, j, gsl_matrix_get(&a.m, j, i));
    return a;
}

static double residual(const gsl_matrix *a, const gsl_vector *w, const gsl_matrix *z) {
    long double sum = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size1; j++) {
            long double e = -(long double)gsl_vector_get(w, j) * gsl_matrix_get(z, i, j);
            for (size_t k = 0; k < a->size1; k++)
                e += (long double)gsl_matrix_get(a, i, k) * gsl_matrix_get(z, k, j);
            sum += e * e;
        }
    return (double)sqrtl(sum);
}

static void test_random(void) {
    test_rng rng = {31};
    for (int round = 0; round < repeats(150); round++) {
        const size_t n = random_size(&rng, 50);
        guarded a = random_symmetric(n, (int)test_below(&rng, KINDS), &rng),
                z = guarded_alloc(n, n, test_below(&rng, 3));
        gsl_matrix *full = gsl_matrix_alloc(n, n);
        gsl_matrix_memcpy(full, &a.m);
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                gsl_matrix_set(&a.m, i, j, NAN); /* must not be read */
        gsl_vector *w = gsl_vector_alloc(n), *only = gsl_vector_alloc(n);
        LEM_CHECK(lem_symmetric_eigen(&a.m, w, &z.m) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_symmetric_eigen(&a.m, only, NULL) == 0, "%s", lem_last_error());
        const double size = (double)frobenius_long(full), bound = eigen_bound(n);
        LEM_CHECK_NEAR(residual(full, w, &z.m), 0, bound * size);
        LEM_CHECK_NEAR(orthonormality_defect(&z.m), 0, bound);
        LEM_CHECK(guarded_intact(&z), "n = %zu: written outside the view", n);
        long double trace = 0;
        for (size_t k = 0; k < n; k++) {
            LEM_CHECK(k == 0 || gsl_vector_get(w, k) >= gsl_vector_get(w, k - 1), "values[%zu] decreases", k);
            LEM_CHECK_NEAR(gsl_vector_get(only, k), gsl_vector_get(w, k), 2 * bound * size);
            trace += gsl_vector_get(w, k) - (long double)gsl_matrix_get(full, k, k);
        }
        LEM_CHECK_NEAR((double)trace, 0, (double)n * bound * size);
        gsl_matrix_free(full), gsl_vector_free(w), gsl_vector_free(only), guarded_free(&a), guarded_free(&z);
    }
}

static void test_known_values(void) {
    enum { N = 41 };
    gsl_matrix *a = gsl_matrix_calloc(N, N);
    gsl_vector *w = gsl_vector_alloc(N);
    for (size_t i = 0; i < N; i++) {
        gsl_matrix_set(a, i, i, 2);
        if (i > 0)
            gsl_matrix_set(a, i, i - 1, -1);
    }
    LEM_CHECK(lem_symmetric_eigen(a, w, NULL) == 0, "%s", lem_last_error());
    for (size_t k = 0; k < N; k++) {
        double half = sin((double)(k + 1) * M_PI / (2.0 * (N + 1)));
        LEM_CHECK_NEAR(gsl_vector_get(w, k), 4 * half * half, 4 * eigen_bound(N));
    }
    gsl_matrix_free(a), gsl_vector_free(w);
}

static void test_refusals(void) {
    gsl_matrix *a = gsl_matrix_calloc(3, 3), *z = gsl_matrix_alloc(3, 3), *wide = gsl_matrix_calloc(3, 4);
    gsl_vector *w = gsl_vector_alloc(3), *longer = gsl_vector_alloc(4);
    LEM_CHECK_ERROR(lem_symmetric_eigen(NULL, w, z), "A = null");
    LEM_CHECK_ERROR(lem_symmetric_eigen(wide, w, z), "A is 3 x 4|square");
    LEM_CHECK_ERROR(lem_symmetric_eigen(a, NULL, z), "values = null");
    LEM_CHECK_ERROR(lem_symmetric_eigen(a, longer, z), "values has 4|3");
    LEM_CHECK_ERROR(lem_symmetric_eigen(a, w, wide), "vectors is 3 x 4|3 x 3");
    LEM_CHECK_ERROR(lem_symmetric_eigen(a, w, a), "vectors overlaps A");
    gsl_vector diagonal = gsl_matrix_diagonal(a).vector;
    LEM_CHECK_ERROR(lem_symmetric_eigen(a, &diagonal, z), "values overlaps A");
    gsl_matrix_set(a, 2, 1, NAN);
    LEM_CHECK_ERROR(lem_symmetric_eigen(a, w, z), "A[2][1] = nan|finite");
    gsl_matrix_free(a), gsl_matrix_free(z), gsl_matrix_free(wide), gsl_vector_free(w),
        gsl_vector_free(longer);
}

static const lem_tap_case cases[] = {
    {"random symmetric matrices: A Z = Z W, orthonormal Z, sorted values", test_random},
    {"the known eigenvalues of the second difference", test_known_values},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
