#include "linalg/linalg.h"
#include "matrices.h"

typedef struct {
    gsl_vector *lower, *diagonal, *upper;
} bands;

static bands bands_random(size_t n, test_rng *rng) {
    bands t = {gsl_vector_alloc(n), gsl_vector_alloc(n), gsl_vector_alloc(n)};
    for (size_t i = 0; i < n; i++) {
        gsl_vector_set(t.lower, i, test_unit(rng));
        gsl_vector_set(t.diagonal, i, test_unit(rng));
        gsl_vector_set(t.upper, i, test_unit(rng));
    }
    return t;
}

static void bands_free(bands t) {
    gsl_vector_free(t.lower), gsl_vector_free(t.diagonal), gsl_vector_free(t.upper);
}

static int solve(const bands *t, size_t n, gsl_matrix *b) {
    if (n == 1)
        return lem_solve_tridiagonal(NULL, t->diagonal, NULL, b);
    gsl_vector_view lower = gsl_vector_subvector(t->lower, 0, n - 1),
                    upper = gsl_vector_subvector(t->upper, 0, n - 1);
    return lem_solve_tridiagonal(&lower.vector, t->diagonal, &upper.vector, b);
}

/* Against dense LU, whose residual is tested on its own: here the residual of the tridiagonal solve, which
 * with a growth factor of at most 2 is bounded by 20 units of |T||x| (Higham, section 9.6). */
static void test_random(void) {
    test_rng rng = {81};
    int solved = 0;
    for (int round = 0; round < repeats(200); round++) {
        const size_t n = random_size(&rng, 40), sides = random_size(&rng, 4);
        bands t = bands_random(n, &rng);
        bands kept = {gsl_vector_alloc(n), gsl_vector_alloc(n), gsl_vector_alloc(n)};
        gsl_vector_memcpy(kept.lower, t.lower), gsl_vector_memcpy(kept.diagonal, t.diagonal);
        gsl_vector_memcpy(kept.upper, t.upper);
        guarded x = random_matrix(sides, n, KIND_UNIFORM, &rng);
        gsl_matrix *b = gsl_matrix_alloc(sides, n);
        gsl_matrix_memcpy(b, &x.m);
        if (solve(&t, n, &x.m) == 0) {
            solved++;
            for (size_t r = 0; r < sides; r++) {
                double largest = 0;
                for (size_t i = 0; i < n; i++)
                    largest = fmax(largest, fabs(gsl_matrix_get(&x.m, r, i)));
                for (size_t i = 0; i < n; i++) {
                    long double e =
                        (long double)gsl_vector_get(kept.diagonal, i) * gsl_matrix_get(&x.m, r, i);
                    if (i > 0)
                        e += (long double)gsl_vector_get(kept.lower, i - 1) * gsl_matrix_get(&x.m, r, i - 1);
                    if (i + 1 < n)
                        e += (long double)gsl_vector_get(kept.upper, i) * gsl_matrix_get(&x.m, r, i + 1);
                    LEM_CHECK_NEAR((double)(e - gsl_matrix_get(b, r, i)), 0, 60 * UNIT * (largest + 1));
                }
            }
        }
        LEM_CHECK(guarded_intact(&x), "n = %zu: written outside the view", n);
        gsl_matrix_free(b), guarded_free(&x), bands_free(t), bands_free(kept);
    }
    LEM_CHECK(solved >= repeats(200) - 1, "%d solved: %s", solved, lem_last_error());
}

static void test_refusals(void) {
    test_rng rng = {82};
    bands t = bands_random(4, &rng);
    gsl_matrix *b = gsl_matrix_calloc(2, 4);
    gsl_vector_view three = gsl_vector_subvector(t.lower, 0, 3), upper = gsl_vector_subvector(t.upper, 0, 3),
                    strided = gsl_vector_subvector_with_stride(t.lower, 0, 2, 2), row = gsl_matrix_row(b, 1),
                    two = gsl_vector_subvector(t.lower, 0, 2);
    LEM_CHECK_ERROR(lem_solve_tridiagonal(&three.vector, t.diagonal, &upper.vector, NULL), "B = null");
    LEM_CHECK_ERROR(lem_solve_tridiagonal(&three.vector, NULL, &upper.vector, b), "diagonal = null");
    LEM_CHECK_ERROR(lem_solve_tridiagonal(NULL, t.diagonal, &upper.vector, b), "lower = null");
    LEM_CHECK_ERROR(lem_solve_tridiagonal(&three.vector, t.diagonal, &two.vector, b), "upper has 2|3");
    LEM_CHECK_ERROR(lem_solve_tridiagonal(&strided.vector, t.diagonal, &upper.vector, b), "lower has 2");
    LEM_CHECK_ERROR(lem_solve_tridiagonal(&three.vector, t.diagonal, &three.vector, b),
                    "lower overlaps upper");
    LEM_CHECK_ERROR(lem_solve_tridiagonal(&three.vector, &row.vector, &upper.vector, b),
                    "diagonal overlaps B");
    gsl_matrix *narrow = gsl_matrix_calloc(1, 3);
    gsl_vector *wide = gsl_vector_calloc(6);
    gsl_vector_view every_other = gsl_vector_subvector_with_stride(wide, 0, 2, 3);
    LEM_CHECK_ERROR(lem_solve_tridiagonal(&two.vector, &every_other.vector, &two.vector, narrow),
                    "diagonal has stride 2|1");
    gsl_vector_set_zero(t.diagonal), gsl_vector_set_zero(t.lower), gsl_vector_set_zero(t.upper);
    LEM_CHECK(lem_solve_tridiagonal(&three.vector, t.diagonal, &upper.vector, b) == GSL_ESING, "singular");
    LEM_CHECK_ERROR(lem_solve_tridiagonal(&three.vector, t.diagonal, &upper.vector, b), "singular|pivot 1");
    gsl_vector_set(t.diagonal, 2, NAN);
    LEM_CHECK_ERROR(lem_solve_tridiagonal(&three.vector, t.diagonal, &upper.vector, b), "diagonal holds NaN");
    gsl_matrix_free(b), gsl_matrix_free(narrow), gsl_vector_free(wide), bands_free(t);
}

static const lem_tap_case cases[] = {
    {"random systems: the residual within the backward error bound", test_random},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
