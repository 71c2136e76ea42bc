/* Row softmax, its kernels, normalisation and the feature maps by coordinate. */
#include "attention/softmax.h"
#include "attention/feature_map.h"
#include "attention/softmax_kernel.h"
#include "linalg/matrices.h"

/* Logits that love the edges: moderate, huge, tied, minus infinity where it stands for a hidden key. */
static void fill_logits(double *x, size_t n, bool hidden, test_rng *rng) {
    const double size = (double[]){1, 30, 1e4, 1e300}[test_below(rng, 4)];
    for (size_t j = 0; j < n; j++) {
        x[j] = test_below(rng, 8) == 0 ? 0 : size * test_unit(rng);
        if (hidden && test_below(rng, 8) == 0)
            x[j] = -INFINITY;
    }
}

static void kernels_give_the_same_bits(void) {
    enum { MOST = 150 };
    test_rng rng = {1};
    for (int round = 0; round < repeats(4000); round++) {
        double x[MOST], logits[MOST], ours[MOST], theirs[MOST];
        const size_t n = test_below(&rng, MOST);
        fill_logits(x, n, true, &rng);
        memcpy(logits, x, sizeof x);
        const lem_softmax_kernel *base = lem_softmax_kernels[0];
        const double most = base->max(x, n), shift = isfinite(most) ? most : 0;
        memcpy(ours, x, sizeof x);
        const double exp_sum = base->exp_sum(ours, n, shift), sum = base->sum(ours, n);
        for (size_t i = 1; lem_softmax_kernels[i]; i++) {
            const lem_softmax_kernel *kernel = lem_softmax_kernels[i];
            if (!kernel->runs_here())
                continue;
            memcpy(x, logits, sizeof x), memcpy(theirs, x, sizeof x);
            LEM_CHECK(kernel->max(x, n) == most, "%s, n = %zu", kernel->name, n);
            LEM_CHECK(kernel->exp_sum(theirs, n, shift) == exp_sum, "%s, n = %zu", kernel->name, n);
            LEM_CHECK(memcmp(ours, theirs, n * sizeof *x) == 0, "%s, n = %zu", kernel->name, n);
            LEM_CHECK(kernel->sum(ours, n) == sum, "%s, n = %zu", kernel->name, n);
            LEM_CHECK(kernel->dot(ours, ours, n) == base->dot(ours, ours, n), "%s, n = %zu", kernel->name, n);
            double a[4], b[4];
            kernel->spread(ours, n, 0.7, 1, a), base->spread(ours, n, 0.7, 1, b);
            LEM_CHECK(memcmp(a, b, sizeof a) == 0, "%s, n = %zu", kernel->name, n);
            double r2[MOST], mine[MOST];
            for (size_t j = 0; j < n; j++)
                mine[j] = theirs[j], r2[j] = 0.01 + (double)j;
            memcpy(x, theirs, sizeof x);
            kernel->radial(x, r2, n, -0.1), base->radial(mine, r2, n, -0.1);
            LEM_CHECK(memcmp(x, mine, n * sizeof *x) == 0, "%s, n = %zu", kernel->name, n);
            kernel->add(theirs, ours, n);
            for (size_t j = 0; j < n; j++)
                LEM_CHECK(theirs[j] == 2 * ours[j], "%s, item %zu", kernel->name, j);
        }
    }
}

/* The exponential within 1 ulp (SLEEF's bound 1.0, and half of one for the rounding of this reference), NaN
 * carried through. */
static void kernels_are_right(void) {
    test_rng rng = {2};
    for (size_t i = 0; lem_softmax_kernels[i]; i++) {
        const lem_softmax_kernel *kernel = lem_softmax_kernels[i];
        if (!kernel->runs_here())
            continue;
        for (int round = 0; round < repeats(20000); round++) {
            const double x = -700 * fabs(test_unit(&rng));
            double e = x;
            kernel->exp_sum(&e, 1, 0);
            LEM_CHECK_NEAR(e / (double)expl(x), 1, 1.5 * DBL_EPSILON);
        }
        double with_nan[] = {1, NAN, 3};
        LEM_CHECK(kernel->max(with_nan, 3) == 3, "%s passes NaN over", kernel->name);
        LEM_CHECK(isnan(kernel->exp_sum(with_nan, 3, 3)), "%s: NaN in the sum", kernel->name);
        double whole[37], squares = 0;
        for (size_t j = 0; j < 37; j++) {
            whole[j] = (double)j - 9;
            squares += whole[j] * whole[j];
            LEM_CHECK(kernel->dot(whole, whole, j + 1) == squares, "%s: %zu squares", kernel->name, j + 1);
        }
        double zero[3] = {0};
        LEM_CHECK(isnan(kernel->dot(zero, with_nan, 3)), "%s: NaN in a product", kernel->name);
        LEM_CHECK(kernel->max(with_nan, 0) == -INFINITY && kernel->sum(with_nan, 0) == 0, "%s: nothing",
                  kernel->name);
        double far[] = {-1e4, -INFINITY, 0};
        LEM_CHECK(kernel->exp_sum(far, 3, 0) == 1 && far[0] == 0 && far[1] == 0, "%s: far below",
                  kernel->name);
    }
}

static void softmax_equals_its_definition(void) {
    test_rng rng = {3};
    for (int round = 0; round < repeats(300); round++) {
        const size_t n = random_size(&rng, 60), m = random_size(&rng, 400);
        guarded x = guarded_alloc(n, m, test_below(&rng, 3));
        gsl_matrix *before = gsl_matrix_alloc(n, m);
        gsl_vector *lse = gsl_vector_alloc(n);
        for (size_t i = 0; i < n; i++)
            fill_logits(x.m.data + i * x.m.tda, m, false, &rng);
        gsl_matrix_memcpy(before, &x.m);
        LEM_CHECK(lem_softmax_rows(&x.m, lse, (int)test_below(&rng, 3)) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < n; i++) {
            long double most = -INFINITY, sum = 0;
            for (size_t j = 0; j < m; j++)
                most = fmaxl(most, gsl_matrix_get(before, i, j));
            for (size_t j = 0; j < m; j++)
                sum += expl(gsl_matrix_get(before, i, j) - most);
            LEM_CHECK_NEAR(gsl_vector_get(lse, i), (double)(most + logl(sum)),
                           4 * UNIT * (fabs((double)most) + log((double)m)) + gamma_n((double)m + 4));
            for (size_t j = 0; j < m; j++) { /* x - max rounded once: relative error u |x - max| */
                const long double below = gsl_matrix_get(before, i, j) - most, exact = expl(below) / sum;
                LEM_CHECK_NEAR(gsl_matrix_get(&x.m, i, j), (double)exact,
                               (double)exact * (gamma_n((double)m + 8) + 2 * UNIT * (double)-below) +
                                   DBL_MIN);
            }
        }
        LEM_CHECK(guarded_intact(&x), "n = %zu, m = %zu", n, m);
        gsl_matrix_free(before), gsl_vector_free(lse), guarded_free(&x);
    }
}

static void softmax_ignores_a_row_constant_and_threads(void) {
    test_rng rng = {4};
    guarded a = random_matrix(200, 300, KIND_SMALL_INTEGERS, &rng), b = guarded_alloc(200, 300, 1);
    gsl_matrix_memcpy(&b.m, &a.m);
    gsl_matrix_add_constant(&b.m, 0x1p20); /* exact */
    LEM_CHECK(lem_softmax_rows(&a.m, NULL, 1) == 0 && lem_softmax_rows(&b.m, NULL, 3) == 0, "%s",
              lem_last_error());
    LEM_CHECK(same_bits(&a.m, &b.m), "shifted by 2^20, three threads");
    guarded_free(&a), guarded_free(&b);
}

static void softmax_refuses_bad_input(void) {
    gsl_matrix *x = gsl_matrix_calloc(2, 3);
    gsl_vector *three = gsl_vector_alloc(3);
    LEM_CHECK_ERROR(lem_softmax_rows(NULL, NULL, 0), "X|null");
    LEM_CHECK_ERROR(lem_softmax_rows(x, three, 0), "lse has 3 entries|2");
    LEM_CHECK_ERROR(lem_softmax_rows(x, NULL, -1), "threads = -1");
    gsl_vector column = gsl_matrix_column(x, 1).vector;
    LEM_CHECK_ERROR(lem_softmax_rows(x, &column, 0), "lse overlaps X");
    gsl_matrix empty = {.size1 = 2, .tda = 3, .data = x->data};
    LEM_CHECK_ERROR(lem_softmax_rows(&empty, NULL, 0), "X is 2 x 0");
    static const double strange[] = {NAN, INFINITY, -INFINITY};
    for (size_t s = 0; s < 3; s++) {
        gsl_matrix_set(x, 1, 2, strange[s]);
        LEM_CHECK_ERROR(lem_softmax_rows(x, NULL, 0), "X[1][2]|finite");
        LEM_CHECK(gsl_matrix_get(x, 0, 0) == 0, "left alone");
    }
    gsl_matrix_free(x), gsl_vector_free(three);
}

static void normalise(void) {
    gsl_matrix *a = gsl_matrix_calloc(2, 10);
    for (size_t j = 0; j < 10; j++) {
        gsl_matrix_set(a, 0, j, (double)j - 4); /* 5: signed entries are fine */
        gsl_matrix_set(a, 1, j, 4 - (double)j); /* -5 is not */
    }
    LEM_CHECK_ERROR(lem_normalise_rows(a), "row 1 of A sums to -5|positive");
    LEM_CHECK(gsl_matrix_get(a, 0, 0) == -4, "left alone on error");
    gsl_matrix_set(a, 1, 0, 9);
    LEM_CHECK_ERROR(lem_normalise_rows(a), "row 1 of A sums to 0|positive");
    gsl_matrix_set(a, 1, 0, 13);
    LEM_CHECK(lem_normalise_rows(a) == 0, "%s", lem_last_error());
    LEM_CHECK(gsl_matrix_get(a, 0, 9) == 1 && gsl_matrix_get(a, 1, 0) == 13 / 4.0, "sums of 5 and 4");
    gsl_matrix_set_all(a, 1e308);
    LEM_CHECK_ERROR(lem_normalise_rows(a), "row 0 of A sums to inf|finite");
    gsl_matrix_set(a, 1, 1, NAN);
    LEM_CHECK_ERROR(lem_normalise_rows(a), "A[1][1] = nan");
    LEM_CHECK_ERROR(lem_normalise_rows(NULL), "A|null");
    gsl_matrix_free(a);
}

static double feature(lem_feature_kind kind, double x) {
    switch (kind) {
    case LEM_FEATURE_ELU1:
        return x >= 0 ? 1 + x : exp(x);
    case LEM_FEATURE_EXP:
        return exp(x);
    case LEM_FEATURE_RELU:
        return fmax(x, 0);
    default:
        return x;
    }
}

static void feature_maps(void) {
    test_rng rng = {5};
    for (int round = 0; round < repeats(100); round++) {
        const lem_feature_kind kind = (lem_feature_kind)(round % 4);
        guarded x =
            random_matrix(random_size(&rng, 30), random_size(&rng, 200), (int)test_below(&rng, 3), &rng);
        guarded phi = guarded_alloc(x.m.size1, x.m.size2, 2);
        gsl_matrix_scale(&x.m, 50);
        LEM_CHECK(lem_feature_map(kind, &x.m, &phi.m) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < x.m.size1; i++)
            for (size_t j = 0; j < x.m.size2; j++) {
                const double exact = feature(kind, gsl_matrix_get(&x.m, i, j));
                LEM_CHECK_NEAR(gsl_matrix_get(&phi.m, i, j), exact, 2 * DBL_EPSILON * fabs(exact));
            }
        LEM_CHECK(guarded_intact(&phi), "kind %d", (int)kind);
        LEM_CHECK(lem_feature_map(kind, &x.m, &x.m) == 0 && same_bits(&x.m, &phi.m), "in place, kind %d",
                  (int)kind);
        guarded_free(&x), guarded_free(&phi);
    }
    gsl_matrix *x = gsl_matrix_calloc(2, 3), *narrow = gsl_matrix_alloc(2, 2);
    LEM_CHECK_ERROR(lem_feature_map(LEM_FEATURE_EXP, x, narrow), "Phi is 2 x 2|2 x 3");
    LEM_CHECK_ERROR(lem_feature_map((lem_feature_kind)9, x, x), "kind = 9");
    LEM_CHECK_ERROR(lem_feature_map(LEM_FEATURE_EXP, NULL, x), "X|null");
    gsl_matrix_set(x, 1, 0, 710);
    LEM_CHECK_ERROR(lem_feature_map(LEM_FEATURE_EXP, x, x), "row 1 of X|range of double");
    gsl_matrix_free(x), gsl_matrix_free(narrow);
}

static const lem_tap_case cases[] = {
    {"every kernel gives the same bits", kernels_give_the_same_bits},
    {"kernels are right", kernels_are_right},
    {"softmax equals its definition", softmax_equals_its_definition},
    {"a row constant and threads change no bit", softmax_ignores_a_row_constant_and_threads},
    {"softmax refuses bad input by name", softmax_refuses_bad_input},
    {"normalisation of rows", normalise},
    {"feature maps", feature_maps},
};

LEM_TAP_MAIN(cases)
