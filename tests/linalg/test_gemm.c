#include "linalg/linalg.h"
#include "matrices.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static double entry(lem_trans trans, const gsl_matrix *m, size_t i, size_t j) {
    return trans == LEM_TRANS ? gsl_matrix_get(m, j, i) : gsl_matrix_get(m, i, j);
}

/* |computed - exact| <= gamma(k + 4) (|alpha| |op A| |op B| + |beta C|), entry by entry: k products, k
 * additions in any order (k roundings on the longest path), alpha, beta and the last addition. The extended
 * reference errs 2^-11 as much: the factor 1.01. */
static double worst_gemm_ratio(lem_trans ta, lem_trans tb, double alpha, const gsl_matrix *a,
                               const gsl_matrix *b, double beta, const gsl_matrix *before,
                               const gsl_matrix *after) {
    const size_t inner = ta == LEM_TRANS ? a->size1 : a->size2;
    double worst = 0;
    for (size_t i = 0; i < after->size1; i++)
        for (size_t j = 0; j < after->size2; j++) {
            long double sum = 0, size = 0;
            for (size_t k = 0; k < inner; k++) {
                long double term = (long double)entry(ta, a, i, k) * entry(tb, b, k, j);
                sum += term;
                size += fabsl(term);
            }
            long double c = beta == 0 ? 0 : (long double)beta * gsl_matrix_get(before, i, j);
            long double error = fabsl(alpha * sum + c - gsl_matrix_get(after, i, j));
            long double bound = 1.01L * gamma_n((double)inner + 4) * (fabsl(alpha * size) + fabsl(c));
            if (!(error <= bound))
                worst = fmax(worst, bound > 0 ? (double)(error / bound) : INFINITY);
        }
    return worst;
}

static void test_gemm_random(void) {
    test_rng rng = {1};
    for (int round = 0; round < repeats(300); round++) {
        const size_t m = random_size(&rng, 40), n = random_size(&rng, 40), k = random_size(&rng, 60);
        const lem_trans ta = test_below(&rng, 2) ? LEM_TRANS : LEM_NO_TRANS,
                        tb = test_below(&rng, 2) ? LEM_TRANS : LEM_NO_TRANS;
        const double alphas[] = {1, -1, 0, 0.3}, betas[] = {0, 1, -0.7};
        const double alpha = alphas[test_below(&rng, 4)], beta = betas[test_below(&rng, 3)];
        guarded a = ta == LEM_TRANS ? random_matrix(k, m, (int)test_below(&rng, KINDS), &rng)
                                    : random_matrix(m, k, (int)test_below(&rng, KINDS), &rng);
        guarded b = tb == LEM_TRANS ? random_matrix(n, k, KIND_UNIFORM, &rng)
                                    : random_matrix(k, n, KIND_UNIFORM, &rng);
        guarded c = random_matrix(m, n, KIND_UNIFORM, &rng);
        gsl_matrix *before = gsl_matrix_alloc(m, n);
        gsl_matrix_memcpy(before, &c.m);
        if (beta == 0)
            gsl_matrix_set_all(&c.m, NAN); /* must not be read */
        LEM_CHECK(lem_gemm(ta, tb, alpha, &a.m, &b.m, beta, &c.m, 0) == 0, "%s", lem_last_error());
        double ratio = worst_gemm_ratio(ta, tb, alpha, &a.m, &b.m, beta, before, &c.m);
        LEM_CHECK(ratio == 0, "%zu x %zu x %zu: error/bound %g", m, k, n, ratio);
        LEM_CHECK(guarded_intact(&c), "%zu x %zu: written outside the view", m, n);
        gsl_matrix_free(before);
        guarded_free(&a), guarded_free(&b), guarded_free(&c);
    }
}

/* Around the block of 256 rows: every row must be computed once. */
static void test_gemm_block_edges(void) {
    test_rng rng = {2};
    const size_t rows[] = {255, 256, 257, 512, 513};
    for (size_t r = 0; r < 5; r++)
        for (int t = 0; t < 2; t++) {
            const lem_trans ta = t ? LEM_TRANS : LEM_NO_TRANS;
            guarded a = t ? random_matrix(3, rows[r], KIND_UNIFORM, &rng)
                          : random_matrix(rows[r], 3, KIND_UNIFORM, &rng);
            guarded b = random_matrix(3, 2, KIND_UNIFORM, &rng), c = guarded_alloc(rows[r], 2, 1);
            LEM_CHECK(lem_gemm(ta, LEM_NO_TRANS, 2, &a.m, &b.m, 0, &c.m, 0) == 0, "%s", lem_last_error());
            double ratio = worst_gemm_ratio(ta, LEM_NO_TRANS, 2, &a.m, &b.m, 0, &c.m, &c.m);
            LEM_CHECK(ratio == 0, "%zu rows: error/bound %g", rows[r], ratio);
            LEM_CHECK(guarded_intact(&c), "%zu rows: written outside the view", rows[r]);
            guarded_free(&a), guarded_free(&b), guarded_free(&c);
        }
}

static void test_gemm_threads(void) {
    lem_blas_single_thread();
    test_rng rng = {3};
    guarded a = random_matrix(1111, 61, KIND_UNIFORM, &rng), b = random_matrix(61, 33, KIND_UNIFORM, &rng);
    guarded reference = random_matrix(1111, 33, KIND_UNIFORM, &rng), c = guarded_alloc(1111, 33, 2);
    gsl_matrix *start = gsl_matrix_alloc(1111, 33);
    gsl_matrix_memcpy(start, &reference.m);
    LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, &a.m, &b.m, 0.5, &reference.m, 1) == 0, "%s",
              lem_last_error());
    const int teams[] = {0, 1, 2, 7};
    for (size_t t = 0; t < 4; t++) {
        const int threads = teams[t];
        gsl_matrix_memcpy(&c.m, start);
        LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, &a.m, &b.m, 0.5, &c.m, threads) == 0, "%s",
                  lem_last_error());
        LEM_CHECK(same_bits(&c.m, &reference.m), "%d threads: other bits", threads);
    }
    gsl_matrix_free(start);
    guarded_free(&a), guarded_free(&b), guarded_free(&c), guarded_free(&reference);
}

static void test_gram_random(void) {
    test_rng rng = {4};
    for (int round = 0; round < repeats(150); round++) {
        const bool large = round % 30 == 0; /* more than one tile */
        const size_t n = large ? 250 + test_below(&rng, 300) : random_size(&rng, 40),
                     k = large ? 3 : random_size(&rng, 60);
        const lem_trans trans = test_below(&rng, 2) ? LEM_TRANS : LEM_NO_TRANS;
        const int kind = (int)test_below(&rng, KINDS);
        guarded a = trans == LEM_TRANS ? random_matrix(k, n, kind, &rng) : random_matrix(n, k, kind, &rng);
        guarded c = guarded_alloc(n, n, test_below(&rng, 3));
        gsl_matrix_set_all(&c.m, NAN);
        LEM_CHECK(lem_gram(trans, -0.5, &a.m, &c.m) == 0, "%s", lem_last_error());
        const lem_trans other = trans == LEM_TRANS ? LEM_NO_TRANS : LEM_TRANS;
        double ratio = worst_gemm_ratio(trans, other, -0.5, &a.m, &a.m, 0, &c.m, &c.m);
        LEM_CHECK(ratio == 0, "n = %zu, k = %zu: error/bound %g", n, k, ratio);
        bool symmetric = true;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                symmetric = symmetric && gsl_matrix_get(&c.m, i, j) == gsl_matrix_get(&c.m, j, i);
        LEM_CHECK(symmetric, "n = %zu: triangles differ", n);
        LEM_CHECK(guarded_intact(&c), "n = %zu: written outside the view", n);
        guarded_free(&a), guarded_free(&c);
    }
}

static void test_gram_threads(void) {
#ifndef _OPENMP
    LEM_SKIP("built without OpenMP");
#else
    lem_blas_single_thread();
    test_rng rng = {5};
    guarded a = random_matrix(61, 601, KIND_UNIFORM, &rng);
    gsl_matrix *reference = gsl_matrix_alloc(601, 601), *c = gsl_matrix_alloc(601, 601);
    const int teams[] = {1, 2, 7}, usual = omp_get_max_threads();
    for (size_t t = 0; t < 3; t++) {
        omp_set_num_threads(teams[t]);
        LEM_CHECK(lem_gram(LEM_TRANS, 1, &a.m, t == 0 ? reference : c) == 0, "%s", lem_last_error());
        LEM_CHECK(t == 0 || same_bits(c, reference), "%d threads: other bits", teams[t]);
    }
    omp_set_num_threads(usual);
    gsl_matrix_free(reference), gsl_matrix_free(c), guarded_free(&a);
#endif
}

static void test_refusals(void) {
    gsl_matrix *a = gsl_matrix_calloc(4, 6), *b = gsl_matrix_calloc(6, 5), *c = gsl_matrix_calloc(4, 5);
    gsl_matrix *empty = gsl_matrix_alloc(0, 6);
    const lem_trans n = LEM_NO_TRANS, t = LEM_TRANS;
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, NULL, b, 0, c, 0), "A = null");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, a, NULL, 0, c, 0), "B = null");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, a, b, 0, NULL, 0), "C = null");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, empty, b, 0, c, 0), "A is 0 x 6|at least one");
    LEM_CHECK_ERROR(lem_gemm(n, t, 1, a, b, 0, c, 0), "op(A) is 4 x 6|op(B) is 5 x 6|inner");
    LEM_CHECK_ERROR(lem_gemm(t, n, 1, a, b, 0, c, 0), "op(A) is 6 x 4|inner");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, a, b, 0, a, 0), "C is 4 x 6|4 x 5");
    LEM_CHECK_ERROR(lem_gemm((lem_trans)7, n, 1, a, b, 0, c, 0), "ta = 7");
    LEM_CHECK_ERROR(lem_gemm(n, (lem_trans)7, 1, a, b, 0, c, 0), "tb = 7");
    LEM_CHECK_ERROR(lem_gemm(n, n, NAN, a, b, 0, c, 0), "alpha = nan|finite");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, a, b, INFINITY, c, 0), "beta = inf|finite");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, a, b, 0, c, -1), "threads = -1|>= 0");
    for (size_t place = 0; place < 24; place++) { /* any place, also in the vectorised remainder */
        a->data[place] = place % 2 ? NAN : -INFINITY;
        LEM_CHECK_ERROR(lem_gemm(n, n, 1, a, b, 0, c, 0), "A[|must be finite");
        LEM_CHECK_ERROR(lem_gram(n, 1, a, c), "A[|must be finite");
        a->data[place] = 0;
    }
    gsl_matrix_set(b, 5, 4, NAN);
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, a, b, 0, c, 0), "B[5][4] = nan|finite");
    gsl_matrix_set(b, 5, 4, 0);
    gsl_matrix_set(c, 3, 0, NAN);
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, a, b, 1, c, 0), "C[3][0] = nan|finite");
    LEM_CHECK_ERROR(lem_gram(n, 1, a, c), "C is 4 x 5|4 x 4");
    gsl_matrix folded = *a;
    folded.tda = folded.size2 - 1;
    LEM_CHECK_ERROR(lem_gram(n, 1, &folded, c), "A is 4 x 6 with tda 5|tda >= columns");
    LEM_CHECK_ERROR(lem_gram((lem_trans)9, 1, a, c), "trans = 9");
    gsl_matrix_free(a), gsl_matrix_free(b), gsl_matrix_free(c), gsl_matrix_free(empty);
}

static void test_overlap(void) {
    gsl_matrix *parent = gsl_matrix_calloc(10, 10), *b = gsl_matrix_calloc(3, 3);
    gsl_matrix left = gsl_matrix_submatrix(parent, 0, 0, 10, 3).matrix,
               right = gsl_matrix_submatrix(parent, 0, 3, 10, 3).matrix,
               mixed = gsl_matrix_submatrix(parent, 0, 2, 10, 3).matrix,
               low = gsl_matrix_submatrix(parent, 5, 1, 5, 3).matrix,
               high = gsl_matrix_submatrix(parent, 0, 2, 5, 3).matrix,
               upper_right = gsl_matrix_submatrix(parent, 0, 5, 9, 3).matrix,
               lower_left = gsl_matrix_submatrix(parent, 1, 3, 9, 3).matrix;
    const lem_trans n = LEM_NO_TRANS;
    LEM_CHECK(lem_gemm(n, n, 1, &left, b, 0, &right, 0) == 0, "side by side: %s", lem_last_error());
    LEM_CHECK(lem_gemm(n, n, 1, &right, b, 0, &left, 0) == 0, "side by side: %s", lem_last_error());
    LEM_CHECK(lem_gemm(n, n, 1, &low, b, 0, &high, 0) == 0, "one below the other: %s", lem_last_error());
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, &left, b, 0, &left, 0), "C overlaps A|apart");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, &left, b, 0, &mixed, 0), "C overlaps A|apart");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, &mixed, b, 0, &left, 0), "C overlaps A|apart");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, &upper_right, b, 0, &lower_left, 0), "C overlaps A|apart");
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, b, b, 0, b, 0), "C overlaps A|apart");
    gsl_matrix square = gsl_matrix_submatrix(parent, 0, 0, 3, 3).matrix;
    LEM_CHECK_ERROR(lem_gemm(n, n, 1, b, &square, 0, &square, 0), "C overlaps B|apart");
    LEM_CHECK_ERROR(lem_gram(n, 1, &square, &square), "C overlaps A|apart");
    gsl_matrix_free(parent), gsl_matrix_free(b);
}

static const lem_tap_case cases[] = {
    {"products of random matrices and views within the rounding bound", test_gemm_random},
    {"products around the block edges", test_gemm_block_edges},
    {"products have the same bits on 1, 2, 7 threads", test_gemm_threads},
    {"Gram matrices within the rounding bound, exactly symmetric", test_gram_random},
    {"Gram matrices have the same bits on 1, 2, 7 threads", test_gram_threads},
    {"bad arguments are named", test_refusals},
    {"overlap is refused, neighbours are not", test_overlap},
};
LEM_TAP_MAIN(cases)
