/* The unchecked product on tiles: all four forms against extended precision; nothing outside the tile is
 * touched; a row of the result depends on its own row only. */
#include "linalg/tile.h"
#include "linalg/matrices.h"

static double entry(const gsl_matrix *m, lem_trans trans, size_t i, size_t j) {
    return trans == LEM_TRANS ? gsl_matrix_get(m, j, i) : gsl_matrix_get(m, i, j);
}

static guarded operand(lem_trans trans, size_t rows, size_t columns, test_rng *rng) {
    return trans == LEM_TRANS ? random_matrix(columns, rows, KIND_UNIFORM, rng)
                              : random_matrix(rows, columns, KIND_UNIFORM, rng);
}

static void product(lem_trans ta, lem_trans tb, size_t k, double alpha, const guarded *a, const guarded *b,
                    double beta, guarded *c) {
    lem_tile_gemm(ta, tb, c->m.size1, c->m.size2, k, alpha, a->m.data, a->m.tda, b->m.data, b->m.tda, beta,
                  c->m.data, c->m.tda);
}

static void products(void) {
    test_rng rng = {1};
    for (int round = 0; round < repeats(400); round++) {
        const lem_trans ta = round % 2 ? LEM_TRANS : LEM_NO_TRANS,
                        tb = round / 2 % 2 ? LEM_TRANS : LEM_NO_TRANS;
        const size_t m = random_size(&rng, 70), n = random_size(&rng, 70), k = random_size(&rng, 70);
        const double alpha = test_unit(&rng), beta = round % 3 ? test_unit(&rng) : 0;
        guarded a = operand(ta, m, k, &rng), b = operand(tb, k, n, &rng);
        guarded c = random_matrix(m, n, KIND_UNIFORM, &rng);
        gsl_matrix *before = gsl_matrix_alloc(m, n);
        gsl_matrix_memcpy(before, &c.m);
        if (beta == 0)
            gsl_matrix_set_all(&c.m, NAN); /* must not be read */
        product(ta, tb, k, alpha, &a, &b, beta, &c);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                long double sum = 0, size = fabs(beta * gsl_matrix_get(before, i, j));
                for (size_t l = 0; l < k; l++) {
                    const long double term = (long double)entry(&a.m, ta, i, l) * entry(&b.m, tb, l, j);
                    sum += term, size += fabsl(term) * fabs(alpha);
                }
                const long double exact = alpha * sum + (long double)beta * gsl_matrix_get(before, i, j);
                LEM_CHECK_NEAR(gsl_matrix_get(&c.m, i, j), (double)exact,
                               gamma_n((double)k + 4) * (double)size + DBL_MIN);
            }
        LEM_CHECK(guarded_intact(&c), "%zu x %zu x %zu", m, n, k);
        gsl_matrix_free(before);
        guarded_free(&a), guarded_free(&b), guarded_free(&c);
    }
}

/* What causal attention leans on: other rows of A, whatever they hold, change no bit of this one. */
static void rows_are_independent(void) {
    test_rng rng = {2};
    for (int round = 0; round < repeats(100); round++) {
        const size_t m = 2 + random_size(&rng, 80), n = random_size(&rng, 80), k = random_size(&rng, 300);
        const lem_trans tb = round % 2 ? LEM_TRANS : LEM_NO_TRANS;
        guarded a = operand(LEM_NO_TRANS, m, k, &rng), b = operand(tb, k, n, &rng);
        guarded c = guarded_alloc(m, n, 1), d = guarded_alloc(m, n, 1);
        const size_t row = test_below(&rng, m);
        product(LEM_NO_TRANS, tb, k, 1, &a, &b, 0, &c);
        for (size_t i = 0; i < m; i++)
            for (size_t l = 0; i != row && l < k; l++)
                gsl_matrix_set(&a.m, i, l, 1e9 * test_unit(&rng));
        product(LEM_NO_TRANS, tb, k, 1, &a, &b, 0, &d);
        const gsl_matrix ours = gsl_matrix_submatrix(&c.m, row, 0, 1, n).matrix,
                         theirs = gsl_matrix_submatrix(&d.m, row, 0, 1, n).matrix;
        LEM_CHECK(same_bits(&ours, &theirs), "row %zu of %zu x %zu x %zu", row, m, n, k);
        guarded_free(&a), guarded_free(&b), guarded_free(&c), guarded_free(&d);
    }
}

static const lem_tap_case cases[] = {
    {"products in all forms", products},
    {"rows are independent, bit for bit", rows_are_independent},
};

int main(int argc, char **argv) {
    lem_blas_single_thread();
    return lem_tap_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
