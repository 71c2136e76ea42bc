#include "linalg/linalg.h"
#include "matrices.h"

/* LAPACK's guarantee (Users' Guide, section 4.9): the computed SVD is that of A + E with ||E||_2 <= p eps
 * ||A||_2 and orthogonality defects <= p eps; p is a "modestly growing" function, taken as 10 max(m, n). In
 * the Frobenius norm both grow by at most sqrt(r). */
static double svd_bound(size_t m, size_t n) {
    const double larger = (double)(m > n ? m : n), smaller = (double)(m < n ? m : n);
    return 10 * larger * DBL_EPSILON * sqrt(smaller);
}

static double reconstruction_error(const gsl_matrix *a, const gsl_matrix *u, const gsl_vector *s,
                                   const gsl_matrix *v) {
    long double sum = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++) {
            long double e = -(long double)gsl_matrix_get(a, i, j);
            for (size_t k = 0; k < s->size; k++)
                e += (long double)gsl_matrix_get(u, i, k) * gsl_vector_get(s, k) * gsl_matrix_get(v, j, k);
            sum += e * e;
        }
    return (double)sqrtl(sum);
}

static void test_random(void) {
    test_rng rng = {21};
    for (int round = 0; round < repeats(150); round++) {
        const size_t m = random_size(&rng, 50), n = random_size(&rng, 50), r = m < n ? m : n;
        const int kind = (int)test_below(&rng, KINDS);
        guarded a = random_matrix(m, n, kind, &rng), u = guarded_alloc(m, r, test_below(&rng, 2)),
                v = guarded_alloc(n, r, test_below(&rng, 2));
        gsl_matrix *before = gsl_matrix_alloc(m, n);
        gsl_matrix_memcpy(before, &a.m);
        double storage[2 * 50];
        gsl_vector s = gsl_vector_view_array_with_stride(storage, 2, r).vector;
        gsl_vector *only = gsl_vector_alloc(r);
        LEM_CHECK(lem_svd(&a.m, &u.m, &s, &v.m) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_svd(&a.m, NULL, only, NULL) == 0, "%s", lem_last_error());
        LEM_CHECK(same_bits(&a.m, before), "A was changed");
        LEM_CHECK(guarded_intact(&u) && guarded_intact(&v), "%zu x %zu: written outside a view", m, n);
        const double size = (double)frobenius_long(before), bound = svd_bound(m, n);
        LEM_CHECK_NEAR(reconstruction_error(before, &u.m, &s, &v.m), 0, bound * size);
        LEM_CHECK_NEAR(orthonormality_defect(&u.m), 0, bound);
        LEM_CHECK_NEAR(orthonormality_defect(&v.m), 0, bound);
        for (size_t k = 0; k < r; k++) {
            LEM_CHECK(gsl_vector_get(&s, k) >= 0, "S[%zu] = %g", k, gsl_vector_get(&s, k));
            LEM_CHECK(k == 0 || gsl_vector_get(&s, k) <= gsl_vector_get(&s, k - 1), "S[%zu] increases", k);
            LEM_CHECK_NEAR(gsl_vector_get(only, k), gsl_vector_get(&s, k), bound * size);
        }
        gsl_matrix_free(before), gsl_vector_free(only);
        guarded_free(&a), guarded_free(&u), guarded_free(&v);
    }
}

/* The second-difference matrix has singular values 2 - 2 cos(k pi / (n + 1)). */
static void test_known_values(void) {
    enum { N = 37 };
    gsl_matrix *a = gsl_matrix_calloc(N, N);
    gsl_vector *s = gsl_vector_alloc(N);
    for (size_t i = 0; i < N; i++) {
        gsl_matrix_set(a, i, i, 2);
        if (i > 0)
            gsl_matrix_set(a, i, i - 1, -1), gsl_matrix_set(a, i - 1, i, -1);
    }
    LEM_CHECK(lem_svd(a, NULL, s, NULL) == 0, "%s", lem_last_error());
    for (size_t k = 0; k < N; k++) {
        double half = sin((double)(N - k) * M_PI / (2.0 * (N + 1)));
        LEM_CHECK_NEAR(gsl_vector_get(s, k), 4 * half * half, 4 * svd_bound(N, N));
    }
    LEM_CHECK_NEAR(lem_spectral_norm(a), gsl_vector_get(s, 0), 0);
    gsl_matrix_free(a), gsl_vector_free(s);
}

/* Entries far beyond where squares overflow or vanish. dlange and dgesdd scale. */
static void test_extreme_scales(void) {
    const double scales[] = {1e300, 1e-300};
    for (size_t i = 0; i < 2; i++) {
        double data[] = {3 * scales[i], 0, 0, 4 * scales[i]}, sv[2];
        gsl_matrix_view a = gsl_matrix_view_array(data, 2, 2);
        gsl_vector_view s = gsl_vector_view_array(sv, 2);
        LEM_CHECK(lem_svd(&a.matrix, NULL, &s.vector, NULL) == 0, "%s", lem_last_error());
        LEM_CHECK_NEAR(sv[0] / scales[i], 4, 4 * svd_bound(2, 2));
        LEM_CHECK_NEAR(sv[1] / scales[i], 3, 4 * svd_bound(2, 2));
        LEM_CHECK_NEAR(lem_frobenius_norm(&a.matrix) / scales[i], 5, 5 * gamma_n(8));
    }
}

/* Norms of random matrices: the Frobenius norm to gamma(m n + 2), and ||A||_2 <= ||A||_F <= sqrt(r) ||A||_2.
 */
static void test_norms(void) {
    test_rng rng = {22};
    for (int round = 0; round < repeats(50); round++) {
        const size_t m = random_size(&rng, 30), n = random_size(&rng, 30), r = m < n ? m : n;
        guarded a = random_matrix(m, n, (int)test_below(&rng, KINDS), &rng);
        const double fro = lem_frobenius_norm(&a.m), spectral = lem_spectral_norm(&a.m);
        const double exact = (double)frobenius_long(&a.m);
        LEM_CHECK_NEAR(fro, exact, gamma_n((double)(m * n) + 2) * exact);
        const double slack = 1 + svd_bound(m, n);
        LEM_CHECK(spectral <= fro * slack, "spectral %g, Frobenius %g", spectral, fro);
        LEM_CHECK(fro <= sqrt((double)r) * spectral * slack, "spectral %g, Frobenius %g", spectral, fro);
        guarded_free(&a);
    }
}

static void test_refusals(void) {
    gsl_matrix *a = gsl_matrix_calloc(4, 6), *u = gsl_matrix_alloc(4, 4), *v = gsl_matrix_alloc(6, 4);
    gsl_vector *s = gsl_vector_alloc(4), *longer = gsl_vector_alloc(5);
    LEM_CHECK_ERROR(lem_svd(NULL, u, s, v), "A = null");
    LEM_CHECK_ERROR(lem_svd(a, u, NULL, v), "S = null");
    LEM_CHECK_ERROR(lem_svd(a, u, longer, v), "S has 5|4");
    LEM_CHECK_ERROR(lem_svd(a, NULL, s, v), "U = null|neither");
    LEM_CHECK_ERROR(lem_svd(a, u, s, NULL), "V = null|neither");
    LEM_CHECK_ERROR(lem_svd(a, v, s, v), "U is 6 x 4|4 x 4");
    LEM_CHECK_ERROR(lem_svd(a, u, s, u), "V is 4 x 4|6 x 4");
    gsl_matrix part = gsl_matrix_submatrix(a, 0, 0, 4, 4).matrix;
    LEM_CHECK_ERROR(lem_svd(a, &part, s, v), "U overlaps A");
    gsl_vector row = gsl_matrix_subrow(a, 1, 2, 4).vector, column = gsl_matrix_column(u, 1).vector;
    LEM_CHECK_ERROR(lem_svd(a, u, &row, v), "S overlaps A");
    LEM_CHECK_ERROR(lem_svd(a, u, &column, v), "S overlaps U");
    gsl_matrix_set(a, 0, 3, INFINITY);
    LEM_CHECK_ERROR(lem_svd(a, u, s, v), "A[0][3] = inf|finite");
    LEM_CHECK(isnan(lem_frobenius_norm(a)), "a number for infinity");
    LEM_CHECK(isnan(lem_spectral_norm(a)), "a number for infinity");
    LEM_CHECK(isnan(lem_frobenius_norm(NULL)) && isnan(lem_spectral_norm(NULL)), "a number for null");
    gsl_matrix_free(a), gsl_matrix_free(u), gsl_matrix_free(v), gsl_vector_free(s), gsl_vector_free(longer);
}

static const lem_tap_case cases[] = {
    {"random matrices: A = U S V^T, orthonormal factors, sorted values", test_random},
    {"the known singular values of the second difference", test_known_values},
    {"entries of 1e300 and 1e-300", test_extreme_scales},
    {"norms", test_norms},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
