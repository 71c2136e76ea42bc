/* Exact attention against its definition in extended precision, and what it refuses. */
#include "attention/exact.h"
#include "attention/oracle.h"
#include "linalg/linalg.h"

/* One problem, in guarded views. */
typedef struct {
    guarded q, k, v, o;
    lem_attention_options options;
    unsigned char *visible;
} problem;

static problem problem_of(size_t n, size_t m, size_t d, size_t width, int kind, test_rng *rng) {
    problem p = {.options = LEM_ATTENTION_PLAIN};
    p.q = random_matrix(n, d, kind, rng);
    p.k = random_matrix(m, d, kind, rng);
    p.v = random_matrix(m, width, KIND_UNIFORM, rng);
    p.o = guarded_alloc(n, width, test_below(rng, 3));
    return p;
}

static void problem_free(problem *p) {
    guarded_free(&p->q), guarded_free(&p->k), guarded_free(&p->v), guarded_free(&p->o);
    free(p->visible);
}

static int attend(problem *p) {
    return lem_attention_exact(&p->q.m, &p->k.m, &p->v.m, &p->options, &p->o.m);
}

/* Each output within max |v| times the sum of what the weights and the last sum may lose. */
static bool agrees(const problem *p) {
    const gsl_matrix *q = &p->q.m, *k = &p->k.m, *v = &p->v.m;
    long double *weights = malloc(k->size1 * sizeof *weights);
    const double size = largest_entry(v), tiles = ceil((double)k->size1 / 256);
    bool good = guarded_intact(&p->o);
    for (size_t i = 0; i < q->size1; i++) {
        softmax_long(q, k, &p->options, i, weights);
        const double bound =
            size * (softmax_relative_bound(q, k, &p->options, i, tiles) + gamma_n((double)k->size1 + 2)) +
            (double)k->size1 * DBL_MIN;
        for (size_t c = 0; c < v->size2; c++) {
            long double exact = 0;
            for (size_t j = 0; j < k->size1; j++)
                exact += weights[j] * gsl_matrix_get(v, j, c);
            const double error = (double)fabsl(gsl_matrix_get(&p->o.m, i, c) - exact);
            good = good && error <= bound;
        }
    }
    free(weights);
    return good;
}

static void matches_the_definition(void) {
    test_rng rng = {1};
    for (int round = 0; round < repeats(150); round++) {
        const size_t n = random_size(&rng, 300), d = random_size(&rng, 40);
        const bool causal = test_below(&rng, 3) == 0;
        const size_t m = causal ? n : random_size(&rng, 600);
        problem p = problem_of(n, m, d, random_size(&rng, 20), (int)test_below(&rng, KIND_TINY), &rng);
        p.options.scale = test_below(&rng, 3) == 0 ? 1 : 30 * test_unit(&rng);
        p.options.causal = causal;
        p.options.threads = (int)test_below(&rng, 4);
        if (test_below(&rng, 3) == 0) {
            p.options.visible_tda = m + test_below(&rng, 3);
            p.options.visible = p.visible = random_mask(n, m, p.options.visible_tda, causal, &rng);
        }
        LEM_CHECK(attend(&p) == 0, "n = %zu, m = %zu: %s", n, m, lem_last_error());
        LEM_CHECK(agrees(&p), "n = %zu, m = %zu, d = %zu, causal = %d, mask = %d", n, m, d, causal,
                  p.visible != NULL);
        problem_free(&p);
    }
}

/* Six tiles of keys, each with a logit above all before it: what was summed is brought down every time. */
static void maximum_rises_in_every_tile(void) {
    test_rng rng = {8};
    for (int causal = 0; causal < 2; causal++) {
        const size_t m = 1500, n = causal ? m : 3;
        problem p = problem_of(n, m, 1, 2, KIND_UNIFORM, &rng);
        p.options.causal = causal;
        for (size_t i = 0; i < n; i++)
            gsl_matrix_set(&p.q.m, i, 0, 1);
        for (size_t j = 0; j < m; j++)
            gsl_matrix_set(&p.k.m, j, 0, (double)j / 500 + test_unit(&rng) / 10);
        LEM_CHECK(attend(&p) == 0, "%s", lem_last_error());
        LEM_CHECK(agrees(&p), "causal = %d", causal);
        problem_free(&p);
    }
}

static void values_of_one_give_one(void) {
    test_rng rng = {2};
    for (int round = 0; round < repeats(40); round++) {
        const size_t n = random_size(&rng, 700);
        problem p = problem_of(n, n, random_size(&rng, 10), 3, KIND_UNIFORM, &rng);
        gsl_matrix_set_all(&p.v.m, 1);
        p.options.scale = 100;
        p.options.causal = round % 2;
        LEM_CHECK(attend(&p) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < n; i++) /* two sums of the same n weights, and one per rescaling */
            LEM_CHECK_NEAR(gsl_matrix_get(&p.o.m, i, 1), 1, 2 * gamma_n((double)n + 10));
        problem_free(&p);
    }
}

/* Logits of +-1e4: nothing overflows, one key takes all. */
static void huge_logits(void) {
    test_rng rng = {3};
    problem p = problem_of(5, 600, 1, 2, KIND_UNIFORM, &rng);
    gsl_matrix_set_all(&p.q.m, 100);
    gsl_matrix_set_all(&p.k.m, -100);
    for (size_t top = 0; top < 600; top += 599) {
        gsl_matrix_set(&p.k.m, top, 0, 100);
        LEM_CHECK(attend(&p) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < 5; i++)
            LEM_CHECK(gsl_matrix_get(&p.o.m, i, 1) == gsl_matrix_get(&p.v.m, top, 1), "key %zu", top);
        gsl_matrix_set(&p.k.m, top, 0, -100);
    }
    /* All alike: the plain mean. */
    LEM_CHECK(attend(&p) == 0, "%s", lem_last_error());
    LEM_CHECK(agrees(&p), "all logits -1e4");
    problem_free(&p);
}

static void one_token(void) {
    test_rng rng = {4};
    problem p = problem_of(1, 1, 1, 1, KIND_UNIFORM, &rng);
    p.options.causal = true;
    LEM_CHECK(attend(&p) == 0, "%s", lem_last_error());
    LEM_CHECK(gsl_matrix_get(&p.o.m, 0, 0) == gsl_matrix_get(&p.v.m, 0, 0), "one key, one value");
    problem_free(&p);
}

/* Whatever stands later in the sequence, the bits of earlier outputs stay. */
static void later_tokens_do_not_reach_back(void) {
    test_rng rng = {5};
    for (int round = 0; round < repeats(30); round++) {
        const size_t n = 2 + test_below(&rng, 600), cut = 1 + test_below(&rng, n - 1);
        problem p = problem_of(n, n, 16, 16, KIND_UNIFORM, &rng);
        p.options.causal = true;
        LEM_CHECK(attend(&p) == 0, "%s", lem_last_error());
        gsl_matrix *before = gsl_matrix_alloc(n, 16);
        gsl_matrix_memcpy(before, &p.o.m);
        for (size_t i = cut; i < n; i++)
            for (size_t c = 0; c < 16; c++) {
                gsl_matrix_set(&p.q.m, i, c, 1e3 * test_unit(&rng));
                gsl_matrix_set(&p.k.m, i, c, 1e3 * test_unit(&rng));
                gsl_matrix_set(&p.v.m, i, c, -1e9 * test_unit(&rng));
            }
        LEM_CHECK(attend(&p) == 0, "%s", lem_last_error());
        const gsl_matrix old = gsl_matrix_submatrix(before, 0, 0, cut, 16).matrix;
        const gsl_matrix new = gsl_matrix_submatrix(&p.o.m, 0, 0, cut, 16).matrix;
        LEM_CHECK(same_bits(&old, &new), "n = %zu, tokens from %zu on changed", n, cut);
        gsl_matrix_free(before);
        problem_free(&p);
    }
}

static void threads_do_not_change_bits(void) {
    test_rng rng = {6};
    problem p = problem_of(700, 900, 24, 40, KIND_UNIFORM, &rng);
    p.options.threads = 1;
    LEM_CHECK(attend(&p) == 0, "%s", lem_last_error());
    gsl_matrix *one = gsl_matrix_alloc(700, 40);
    gsl_matrix_memcpy(one, &p.o.m);
    for (int threads = 0; threads <= 5; threads++) {
        p.options.threads = threads;
        LEM_CHECK(attend(&p) == 0, "%s", lem_last_error());
        LEM_CHECK(same_bits(one, &p.o.m), "%d threads", threads);
    }
    gsl_matrix_free(one);
    problem_free(&p);
}

static void refuses_bad_input(void) {
    test_rng rng = {7};
    problem p = problem_of(4, 6, 3, 2, KIND_UNIFORM, &rng);
    gsl_matrix *q = &p.q.m, *k = &p.k.m, *v = &p.v.m, *o = &p.o.m;
    const lem_attention_options plain = LEM_ATTENTION_PLAIN;
    LEM_CHECK_ERROR(lem_attention_exact(NULL, k, v, &plain, o), "Q|null");
    LEM_CHECK_ERROR(lem_attention_exact(q, NULL, v, &plain, o), "K|null");
    LEM_CHECK_ERROR(lem_attention_exact(q, k, NULL, &plain, o), "V|null");
    LEM_CHECK_ERROR(lem_attention_exact(q, k, v, &plain, NULL), "O|null");
    LEM_CHECK(lem_attention_exact(q, k, v, NULL, o) == 0, "%s", lem_last_error());
    LEM_CHECK_ERROR(lem_attention_exact(q, v, v, &plain, o), "Q is 4 x 3|K is 6 x 2|columns");
    LEM_CHECK_ERROR(lem_attention_exact(q, k, q, &plain, o), "V has 4 rows|6");
    LEM_CHECK_ERROR(lem_attention_exact(q, k, v, &plain, v), "O is 6 x 2|4 x 2");
    LEM_CHECK_ERROR(lem_attention_exact(k, k, v, &plain, v), "O overlaps V");
    gsl_matrix empty = {.size1 = 0, .size2 = 3, .tda = 3, .data = q->data};
    LEM_CHECK_ERROR(lem_attention_exact(&empty, k, v, &plain, o), "Q is 0 x 3|at least one row");
    lem_attention_options bad = plain;
    bad.scale = NAN;
    LEM_CHECK_ERROR(lem_attention_exact(q, k, v, &bad, o), "scale = nan|finite");
    bad = plain, bad.threads = -1;
    LEM_CHECK_ERROR(lem_attention_exact(q, k, v, &bad, o), "threads = -1");
    bad = plain, bad.causal = true;
    LEM_CHECK_ERROR(lem_attention_exact(q, k, v, &bad, o), "causal|4 queries|6 keys");
    const unsigned char visible[4 * 6] = {1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0};
    bad = plain, bad.visible = visible, bad.visible_tda = 5;
    LEM_CHECK_ERROR(lem_attention_exact(q, k, v, &bad, o), "visible_tda = 5");
    bad.visible_tda = 6;
    LEM_CHECK_ERROR(lem_attention_exact(q, k, v, &bad, o), "row 2 is fully masked");
    bad.causal = true; /* query 1 sees key 2 only */
    LEM_CHECK_ERROR(lem_attention_exact(k, k, v, &bad, v), "row 1 is fully masked");
    bad.causal = false, bad.visible_tda = 0;
    LEM_CHECK(lem_attention_exact(q, k, v, &bad, o) == 0, "one mask for all: %s", lem_last_error());
    static const double strange[] = {NAN, INFINITY, -INFINITY};
    for (size_t s = 0; s < 3; s++) {
        gsl_matrix *const all[] = {q, k, v};
        for (size_t i = 0; i < 3; i++) {
            const double good = gsl_matrix_get(all[i], 3, 1);
            gsl_matrix_set(all[i], 3, 1, strange[s]);
            LEM_CHECK_ERROR(lem_attention_exact(q, k, v, &plain, o), "[3][1]|must be finite");
            gsl_matrix_set(all[i], 3, 1, good);
        }
    }
    gsl_matrix_set(q, 2, 0, 1e200);
    gsl_matrix_set_all(k, 1e200);
    LEM_CHECK_ERROR(lem_attention_exact(q, k, v, &plain, o), "row 2|range of double");
    problem_free(&p);
}

static const lem_tap_case cases[] = {
    {"attention equals its definition in extended precision", matches_the_definition},
    {"the maximum rises in every tile of keys", maximum_rises_in_every_tile},
    {"values of one give one", values_of_one_give_one},
    {"logits of 1e4", huge_logits},
    {"one token", one_token},
    {"causal: later tokens change no bit of earlier outputs", later_tokens_do_not_reach_back},
    {"threads do not change bits", threads_do_not_change_bits},
    {"bad input is refused by name", refuses_bad_input},
};

int main(int argc, char **argv) {
    lem_blas_single_thread();
    return lem_tap_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
