/* Linear attention against its definition in extended precision; prefix invariance; what it refuses. */
#include "attention/linear.h"
#include "attention/oracle.h"
#include "linalg/linalg.h"

typedef struct {
    guarded q, k, v, o;
} problem;

/* Non-negative features, or of both signs but with positive row sums (one large common feature). */
static void make_features(gsl_matrix *phi, bool is_signed) {
    for (size_t i = 0; i < phi->size1; i++)
        for (size_t j = 0; j < phi->size2; j++) {
            const double x = gsl_matrix_get(phi, i, j);
            gsl_matrix_set(phi, i, j, !is_signed ? fabs(x) : j > 0 ? x : 2 * sqrt((double)phi->size2));
        }
}

static problem problem_of(size_t n, size_t m, size_t r, size_t width, bool is_signed, test_rng *rng) {
    problem p;
    p.q = random_matrix(n, r, KIND_UNIFORM, rng);
    p.k = random_matrix(m, r, KIND_UNIFORM, rng);
    p.v = random_matrix(m, width, KIND_UNIFORM, rng);
    p.o = guarded_alloc(n, width, test_below(rng, 3));
    make_features(&p.q.m, is_signed);
    make_features(&p.k.m, is_signed);
    return p;
}

static void problem_free(problem *p) {
    guarded_free(&p->q), guarded_free(&p->k), guarded_free(&p->v), guarded_free(&p->o);
}

static int attend(problem *p, bool causal, int threads) {
    return lem_linear_attention(&p->q.m, &p->k.m, &p->v.m, causal, threads, &p->o.m);
}

/* Numerator and normaliser are sums of at most m r products (and of at most m / 64 partial sums) of sizes
 * |phi_q||phi_k|: each off by gamma(m + r + m/64 + 4) sum |phi_q||phi_k| (times max |v| for the first). */
static bool agrees(const problem *p, bool causal) {
    const gsl_matrix *q = &p->q.m, *k = &p->k.m, *v = &p->v.m;
    const lem_attention_options options = {.scale = 1, .causal = causal};
    const double terms = (double)(k->size1 + k->size1 / 64 + q->size2) + 4;
    bool good = guarded_intact(&p->o);
    for (size_t i = 0; i < q->size1; i++) {
        long double sum = 0, size = 0;
        for (size_t j = 0; j < k->size1; j++)
            if (sees(&options, i, j)) {
                sum += dot_long(q, i, k, j, false);
                size += dot_long(q, i, k, j, true);
            }
        const double relative = 4 * gamma_n(terms) * (double)(size / sum);
        for (size_t c = 0; c < v->size2; c++) {
            long double exact = 0;
            for (size_t j = 0; j < k->size1; j++)
                exact += sees(&options, i, j) ? dot_long(q, i, k, j, false) * gsl_matrix_get(v, j, c) : 0;
            const double error = (double)fabsl(gsl_matrix_get(&p->o.m, i, c) - exact / sum);
            good = good && error <= relative * largest_entry(v);
        }
    }
    return good;
}

static void matches_the_definition(void) {
    test_rng rng = {1};
    for (int round = 0; round < repeats(80); round++) {
        const bool causal = round % 2, is_signed = test_below(&rng, 2);
        const size_t n = random_size(&rng, 200), m = causal ? n : random_size(&rng, 200);
        problem p = problem_of(n, m, random_size(&rng, 30), random_size(&rng, 9), is_signed, &rng);
        LEM_CHECK(attend(&p, causal, (int)test_below(&rng, 4)) == 0, "%s", lem_last_error());
        LEM_CHECK(agrees(&p, causal), "n = %zu, m = %zu, r = %zu, causal = %d, signed = %d", n, m,
                  p.q.m.size2, causal, is_signed);
        problem_free(&p);
    }
}

/* More than one segment of keys (all there can be, too), strip of features, group of blocks and strip of the
 * prefix sums. */
static void matches_where_the_cuts_are(void) {
    static const struct {
        size_t n, m, r, width;
        bool causal;
    } shape[] = {{3, 2500, 300, 2, false}, {2, 70, 600, 1, false},   {300, 1025, 2, 2, false},
                 {1100, 1100, 3, 2, true}, {130, 130, 260, 7, true}, {1, 16300, 1, 1, false}};
    test_rng rng = {2};
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        problem p = problem_of(shape[s].n, shape[s].m, shape[s].r, shape[s].width, false, &rng);
        LEM_CHECK(attend(&p, shape[s].causal, 2) == 0, "%s", lem_last_error());
        LEM_CHECK(agrees(&p, shape[s].causal), "shape %zu", s);
        problem_free(&p);
    }
}

static void values_of_one_give_one(void) {
    test_rng rng = {3};
    for (int round = 0; round < repeats(40); round++) {
        const size_t n = random_size(&rng, 500), r = random_size(&rng, 40);
        problem p = problem_of(n, n, r, 2, false, &rng);
        gsl_matrix_set_all(&p.v.m, 1);
        LEM_CHECK(attend(&p, round % 2, 0) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < n; i++) /* two sums of the same positive terms in two orders */
            LEM_CHECK_NEAR(gsl_matrix_get(&p.o.m, i, 1), 1, 3 * gamma_n((double)(n + r + n / 64) + 4));
        problem_free(&p);
    }
}

/* The trap of PRACTICES: later tokens (here with the last key six times larger, and everything else changed
 * as well) must not change a bit of earlier outputs. */
static void later_tokens_do_not_reach_back(void) {
    test_rng rng = {4};
    for (int round = 0; round < repeats(30); round++) {
        const size_t n = 2 + test_below(&rng, round < 5 ? 62 : 1500), cut = 1 + test_below(&rng, n - 1);
        const size_t r = round < 5 ? 256 : 24;
        problem p = problem_of(n, n, r, 16, test_below(&rng, 2), &rng);
        LEM_CHECK(attend(&p, true, 0) == 0, "%s", lem_last_error());
        gsl_matrix *before = gsl_matrix_alloc(n, 16);
        gsl_matrix_memcpy(before, &p.o.m);
        for (size_t i = cut; i < n; i++) {
            for (size_t c = 0; c < r; c++) {
                gsl_matrix_set(&p.q.m, i, c, 1e3 * fabs(test_unit(&rng)));
                gsl_matrix_set(&p.k.m, i, c, 6 * gsl_matrix_get(&p.k.m, i, c));
            }
            for (size_t c = 0; c < 16; c++)
                gsl_matrix_set(&p.v.m, i, c, -1e9 * test_unit(&rng));
        }
        (void)attend(&p, true, 0); /* signed features may make a later row's sum negative */
        const gsl_matrix old = gsl_matrix_submatrix(before, 0, 0, cut, 16).matrix;
        const gsl_matrix new = gsl_matrix_submatrix(&p.o.m, 0, 0, cut, 16).matrix;
        LEM_CHECK(same_bits(&old, &new), "n = %zu, tokens from %zu on changed", n, cut);
        gsl_matrix_free(before);
        problem_free(&p);
    }
}

static void threads_do_not_change_bits(void) {
    static const size_t shape[][2] = {{2500, 20}, {1300, 700}};
    test_rng rng = {5};
    for (size_t s = 0; s < 2; s++)
        for (int causal = 0; causal < 2; causal++) {
            const size_t n = shape[s][0];
            problem p = problem_of(n, n, shape[s][1], 10, false, &rng);
            LEM_CHECK(attend(&p, causal, 1) == 0, "%s", lem_last_error());
            gsl_matrix *one = gsl_matrix_alloc(n, 10);
            gsl_matrix_memcpy(one, &p.o.m);
            for (int threads = 0; threads <= 4; threads++) {
                LEM_CHECK(attend(&p, causal, threads) == 0, "%s", lem_last_error());
                LEM_CHECK(same_bits(one, &p.o.m), "%d threads, causal = %d", threads, causal);
            }
            gsl_matrix_free(one);
            problem_free(&p);
        }
}

static void refuses_bad_input(void) {
    test_rng rng = {6};
    problem p = problem_of(4, 6, 3, 2, false, &rng);
    gsl_matrix *q = &p.q.m, *k = &p.k.m, *v = &p.v.m, *o = &p.o.m;
    LEM_CHECK_ERROR(lem_linear_attention(NULL, k, v, false, 0, o), "PhiQ|null");
    LEM_CHECK_ERROR(lem_linear_attention(q, NULL, v, false, 0, o), "PhiK|null");
    LEM_CHECK_ERROR(lem_linear_attention(q, k, NULL, false, 0, o), "V|null");
    LEM_CHECK_ERROR(lem_linear_attention(q, k, v, false, 0, NULL), "O|null");
    LEM_CHECK_ERROR(lem_linear_attention(q, v, v, false, 0, o), "PhiQ is 4 x 3|PhiK is 6 x 2");
    LEM_CHECK_ERROR(lem_linear_attention(q, k, q, false, 0, o), "V has 4 rows|6");
    LEM_CHECK_ERROR(lem_linear_attention(q, k, v, false, 0, v), "O is 6 x 2|4 x 2");
    LEM_CHECK_ERROR(lem_linear_attention(k, k, v, false, 0, v), "O overlaps V");
    LEM_CHECK_ERROR(lem_linear_attention(q, k, v, true, 0, o), "causal|4 queries|6 keys");
    LEM_CHECK_ERROR(lem_linear_attention(q, k, v, false, -2, o), "threads = -2");
    for (size_t c = 0; c < 3; c++)
        gsl_matrix_set(q, 2, c, 0);
    LEM_CHECK_ERROR(lem_linear_attention(q, k, v, false, 0, o), "row 2|sum to 0|positive");
    gsl_matrix_set_all(k, 1);
    for (size_t c = 0; c < 3; c++)
        gsl_matrix_set(q, 1, c, -1);
    LEM_CHECK_ERROR(lem_linear_attention(q, k, v, false, 0, o), "row 1|sum to -18|positive");
    gsl_matrix_set_all(q, 1e200);
    gsl_matrix_set_all(k, 1e200);
    LEM_CHECK_ERROR(lem_linear_attention(q, k, v, false, 0, o), "row 0|range of double");
    gsl_matrix_set(v, 5, 1, NAN);
    LEM_CHECK_ERROR(lem_linear_attention(q, k, v, false, 0, o), "V[5][1] = nan");
    problem_free(&p);
    /* Whatever is not finite among the features is found, also where the other factor is 0. */
    static const double strange[] = {NAN, INFINITY, -INFINITY};
    for (int causal = 0; causal < 2; causal++)
        for (size_t s = 0; s < 3; s++) {
            p = problem_of(600, 600, 5, 2, false, &rng);
            for (size_t i = 0; i < 600; i++)
                gsl_matrix_set(&p.q.m, i, 3, 0), gsl_matrix_set(&p.k.m, i, 2, 0);
            gsl_matrix_set(&p.k.m, 599, 3, strange[s]);
            LEM_CHECK_ERROR(attend(&p, causal, 0), "PhiK[599][3]|finite");
            gsl_matrix_set(&p.k.m, 599, 3, 0);
            gsl_matrix_set(&p.q.m, 7, 2, strange[s]);
            LEM_CHECK_ERROR(attend(&p, causal, 0), "PhiQ[7][2]|finite");
            problem_free(&p);
        }
    /* Causal: the first row at fault, also in a later group of blocks. */
    p = problem_of(1300, 1300, 2, 1, false, &rng);
    gsl_matrix_set_all(&p.q.m, 1), gsl_matrix_set_all(&p.k.m, 1);
    gsl_matrix_set(&p.q.m, 1290, 0, -1);
    gsl_matrix_set(&p.q.m, 1291, 1, -1);
    LEM_CHECK_ERROR(attend(&p, true, 0), "row 1290|sum to 0");
    problem_free(&p);
}

static const lem_tap_case cases[] = {
    {"linear attention equals its definition in extended precision", matches_the_definition},
    {"likewise over several segments, strips and groups", matches_where_the_cuts_are},
    {"values of one give one", values_of_one_give_one},
    {"causal: later tokens change no bit of earlier outputs", later_tokens_do_not_reach_back},
    {"threads do not change bits", threads_do_not_change_bits},
    {"bad input is refused by name", refuses_bad_input},
};

int main(int argc, char **argv) {
    lem_blas_single_thread();
    return lem_tap_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
