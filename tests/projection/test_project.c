#include "projection/project.h"
#include "kinds.h"
#include "linalg/linalg.h"
#include "projection/sample.h"

#include <limits.h>
#include <stdint.h>

static lem_project_workspace *workspace(const test_kind *t) {
    lem_project_workspace *w = lem_project_alloc(t->kind, t->n, t->m, t->s);
    LEM_CHECK(w != NULL, "%s: %s", t->name, lem_last_error());
    return w;
}

/* The matrix is the one that lem_jl_sample draws, and stays until the next draw. */
static void test_same_matrix(void) {
    for (size_t k = 0; k < TEST_KINDS; k++) {
        const test_kind *t = &test_kinds[k];
        lem_project_workspace *w = workspace(t);
        gsl_matrix *a = gsl_matrix_alloc(t->n, t->m), *b = gsl_matrix_alloc(t->n, t->m);
        lem_stream one = test_stream(1), two = one, three = one;
        for (int draw = 0; draw < 3; draw++) {
            LEM_CHECK(lem_jl_sample(t->kind, t->s, &one, a) == 0, "%s: %s", t->name, lem_last_error());
            LEM_CHECK(lem_project_draw(w, &two) == 0, "%s: %s", t->name, lem_last_error());
            for (int again = 0; again < 2; again++) {
                gsl_matrix_set_all(b, NAN);
                LEM_CHECK(lem_project_matrix(w, b) == 0, "%s: %s", t->name, lem_last_error());
                LEM_CHECK(same_bits(a, b), "%s, draw %d: another matrix", t->name, draw);
            }
        }
        /* Fit again from the first stream: the state of the workspace must not enter. */
        one = three;
        LEM_CHECK(lem_jl_sample(t->kind, t->s, &one, a) == 0, "%s: %s", t->name, lem_last_error());
        LEM_CHECK(lem_project_draw(w, &three) == 0, "%s: %s", t->name, lem_last_error());
        LEM_CHECK(lem_project_matrix(w, b) == 0, "%s: %s", t->name, lem_last_error());
        LEM_CHECK(same_bits(a, b), "%s: a used workspace draws another matrix", t->name);
        gsl_matrix_free(a), gsl_matrix_free(b), lem_project_free(w);
    }
}

/* |Y - X A^T| <= gamma(m + 4) |X| |A|^T, entry by entry: for dense kinds the bound of the product; the fast
 * transform makes log2 M <= m + 1 additions and 3 multiplications. */
static void check_product(const test_kind *t, const gsl_matrix *x, const gsl_matrix *a, const gsl_matrix *y) {
    for (size_t i = 0; i < x->size1; i++)
        for (size_t j = 0; j < t->n; j++) {
            long double sum = 0, size = 0;
            for (size_t l = 0; l < t->m; l++) {
                long double term = (long double)gsl_matrix_get(x, i, l) * gsl_matrix_get(a, j, l);
                sum += term, size += fabsl(term);
            }
            const long double bound = 1.01L * gamma_n((double)t->m + 4) * size;
            LEM_CHECK(fabsl(sum - gsl_matrix_get(y, i, j)) <= bound, "%s: Y[%zu][%zu] = %.17g for %.17Lg",
                      t->name, i, j, gsl_matrix_get(y, i, j), sum);
        }
}

static void test_rows(void) {
    test_rng rng = {2};
    for (size_t k = 0; k < TEST_KINDS; k++) {
        const test_kind *t = &test_kinds[k];
        lem_project_workspace *w = workspace(t);
        gsl_matrix *a = gsl_matrix_alloc(t->n, t->m);
        lem_stream stream = test_stream(2);
        for (int round = 0; round < repeats(20); round++) {
            guarded x = random_matrix(random_size(&rng, 30), t->m, (int)test_below(&rng, KINDS), &rng),
                    y = guarded_alloc(x.m.size1, t->n, test_below(&rng, 3));
            LEM_CHECK(lem_project_draw(w, &stream) == 0 && lem_project_matrix(w, a) == 0, "%s: %s", t->name,
                      lem_last_error());
            LEM_CHECK(lem_project_rows(w, &x.m, &y.m, 0) == 0, "%s: %s", t->name, lem_last_error());
            check_product(t, &x.m, a, &y.m);
            LEM_CHECK(guarded_intact(&y), "%s: written outside the view", t->name);
            guarded_free(&x), guarded_free(&y);
        }
        gsl_matrix_free(a), lem_project_free(w);
    }
}

static void test_threads(void) {
    lem_blas_single_thread();
    test_rng rng = {3};
    for (size_t k = 0; k < TEST_KINDS; k++) {
        const test_kind *t = &test_kinds[k];
        lem_project_workspace *w = workspace(t);
        lem_stream stream = test_stream(3);
        LEM_CHECK(lem_project_draw(w, &stream) == 0, "%s: %s", t->name, lem_last_error());
        guarded x = random_matrix(777, t->m, KIND_UNIFORM, &rng);
        gsl_matrix *reference = gsl_matrix_alloc(777, t->n), *y = gsl_matrix_alloc(777, t->n);
        const int teams[] = {1, 2, 7, 0};
        for (size_t i = 0; i < 4; i++) {
            LEM_CHECK(lem_project_rows(w, &x.m, i == 0 ? reference : y, teams[i]) == 0, "%s",
                      lem_last_error());
            LEM_CHECK(i == 0 || same_bits(y, reference), "%s: other bits on %d threads", t->name, teams[i]);
        }
        gsl_matrix_free(reference), gsl_matrix_free(y), guarded_free(&x), lem_project_free(w);
    }
}

/* Padding to a power of two that m is already changes nothing. */
static void test_padding(void) {
    gsl_matrix *a = gsl_matrix_alloc(5, 32), *b = gsl_matrix_alloc(5, 32);
    lem_stream one = test_stream(4), two = one;
    LEM_CHECK(lem_jl_sample(LEM_PROJECTION_SRHT, 0, &one, a) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_jl_sample(LEM_PROJECTION_SRHT_PADDED, 0, &two, b) == 0, "%s", lem_last_error());
    LEM_CHECK(same_bits(a, b), "padded by nothing, another matrix");
    gsl_matrix_free(a), gsl_matrix_free(b);
}

static void test_refusals(void) {
    LEM_CHECK(!lem_project_alloc(LEM_PROJECTION_SRHT, 4, 6, 0), "6 is no power of two");
    LEM_CHECK_ERROR(GSL_EINVAL, "m = 6|power of two");
    LEM_CHECK(!lem_project_alloc(LEM_PROJECTION_SPARSE, 4, 6, INFINITY), "density 0");
    LEM_CHECK_ERROR(GSL_EDOM, "s = inf|>= 1 and finite");
    LEM_CHECK(!lem_project_alloc(LEM_PROJECTION_HAAR, 7, 6, 0), "n > m");
    LEM_CHECK(!lem_project_alloc(LEM_PROJECTION_GAUSSIAN, 0, 6, 0), "n = 0");
    /* Neither GSL's default handler, which aborts, nor a product of sizes that wraps around, nor a search
     * without end for the next power of two. */
    LEM_CHECK(!lem_project_alloc(LEM_PROJECTION_GAUSSIAN, INT_MAX, INT_MAX, 0), "2^62 entries");
    LEM_CHECK_ERROR(GSL_ENOMEM, "no memory for 46116860");
    LEM_CHECK(!lem_project_alloc(LEM_PROJECTION_GAUSSIAN, SIZE_MAX, SIZE_MAX, 0), "sizes that wrap to 1");
    LEM_CHECK(!lem_project_alloc(LEM_PROJECTION_SRHT_PADDED, 2, SIZE_MAX / 2 + 2, 0), "no next power of two");
    LEM_CHECK_ERROR(GSL_EINVAL, "A is 2 x 9223372036854775809|<= 2147483647");
    lem_project_free(NULL);
    const test_kind kinds[] = {{LEM_PROJECTION_GAUSSIAN, "gaussian", 0, 4, 8},
                               {LEM_PROJECTION_SRHT, "srht", 0, 4, 8}};
    for (size_t k = 0; k < 2; k++) {
        lem_project_workspace *w = workspace(&kinds[k]);
        gsl_matrix *x = gsl_matrix_calloc(3, 8), *y = gsl_matrix_alloc(3, 4), *a = gsl_matrix_alloc(4, 8);
        lem_stream stream = test_stream(5);
        LEM_CHECK_ERROR(lem_project_rows(w, x, y, 0), "no matrix|lem_project_draw");
        LEM_CHECK_ERROR(lem_project_matrix(w, a), "no matrix|lem_project_draw");
        LEM_CHECK_ERROR(lem_project_draw(NULL, &stream), "w = null");
        LEM_CHECK_ERROR(lem_project_draw(w, NULL), "stream = null");
        LEM_CHECK(lem_project_draw(w, &stream) == 0, "%s", lem_last_error());
        LEM_CHECK_ERROR(lem_project_rows(NULL, x, y, 0), "w = null");
        LEM_CHECK_ERROR(lem_project_rows(w, NULL, y, 0), "X = null");
        LEM_CHECK_ERROR(lem_project_rows(w, x, NULL, 0), "Y = null");
        LEM_CHECK_ERROR(lem_project_rows(w, y, y, 0), "X is 3 x 4|3 x 8");
        LEM_CHECK_ERROR(lem_project_rows(w, x, a, 0), "Y is 4 x 8|3 x 4");
        LEM_CHECK_ERROR(lem_project_rows(w, x, y, -2), "threads = -2");
        gsl_matrix part = gsl_matrix_submatrix(x, 0, 2, 3, 4).matrix;
        LEM_CHECK_ERROR(lem_project_rows(w, x, &part, 0), "Y overlaps X");
        LEM_CHECK_ERROR(lem_project_matrix(w, x), "A is 3 x 8|4 x 8");
        gsl_matrix_set(x, 1, 6, NAN), gsl_matrix_set(x, 2, 0, INFINITY);
        for (int threads = 1; threads <= 3; threads++)
            LEM_CHECK_ERROR(lem_project_rows(w, x, y, threads), "[1][6] = nan|finite");
        stream.item = (UINT64_C(1) << 33) - 4;
        lem_stream before = stream;
        LEM_CHECK_ERROR(lem_project_draw(w, &stream), "n = ");
        LEM_CHECK(memcmp(&stream, &before, sizeof stream) == 0, "the stream moved");
        LEM_CHECK_ERROR(lem_project_matrix(w, a), "no matrix");
        gsl_matrix_free(x), gsl_matrix_free(y), gsl_matrix_free(a), lem_project_free(w);
    }
}

static const lem_tap_case cases[] = {
    {"the matrix of lem_jl_sample, until the next draw", test_same_matrix},
    {"rows are multiplied by it, within the rounding bound", test_rows},
    {"the same bits on 1, 2, 7 threads", test_threads},
    {"padding by nothing changes nothing", test_padding},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
