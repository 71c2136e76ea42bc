/* Attention matrices of every kind against their definitions, and what they refuse. */
#include "attention/matrix.h"
#include "attention/exact.h"
#include "attention/feature_map.h"
#include "attention/linear.h"
#include "attention/oracle.h"
#include "linalg/linalg.h"

static void softmax_equals_its_definition(void) {
    test_rng rng = {1};
    for (int round = 0; round < repeats(100); round++) {
        const bool causal = test_below(&rng, 2);
        const size_t n = random_size(&rng, 90), m = causal ? n : random_size(&rng, 90);
        guarded q = random_matrix(n, random_size(&rng, 20), (int)test_below(&rng, KIND_TINY), &rng);
        guarded k = random_matrix(m, q.m.size2, KIND_UNIFORM, &rng), a = guarded_alloc(n, m, 1);
        lem_attention_options o = {.scale = 20 * test_unit(&rng), .causal = causal, .visible_tda = m};
        unsigned char *visible = test_below(&rng, 2) ? random_mask(n, m, m, causal, &rng) : NULL;
        o.visible = visible;
        LEM_CHECK(lem_attention_matrix(&q.m, &k.m, LEM_ATTENTION_SOFTMAX, &o, &a.m) == 0, "%s",
                  lem_last_error());
        long double *weights = malloc(m * sizeof *weights);
        for (size_t i = 0; i < n; i++) {
            softmax_long(&q.m, &k.m, &o, i, weights);
            const double bound = softmax_relative_bound(&q.m, &k.m, &o, i, 1);
            for (size_t j = 0; j < m; j++)
                LEM_CHECK_NEAR(gsl_matrix_get(&a.m, i, j), (double)weights[j],
                               (double)weights[j] * bound + DBL_MIN);
        }
        LEM_CHECK(guarded_intact(&a), "n = %zu, m = %zu", n, m);
        free(weights), free(visible);
        guarded_free(&q), guarded_free(&k), guarded_free(&a);
    }
}

/* A V, with A written out, is what the functions give that never write A. */
static void matrices_agree_with_the_streaming_forms(void) {
    static const lem_attention_kind kinds[] = {LEM_ATTENTION_LINEAR_ELU1, LEM_ATTENTION_LINEAR_EXP,
                                               LEM_ATTENTION_LINEAR_RELU, LEM_ATTENTION_SOFTMAX};
    static const lem_feature_kind maps[] = {LEM_FEATURE_ELU1, LEM_FEATURE_EXP, LEM_FEATURE_RELU};
    test_rng rng = {2};
    for (int round = 0; round < repeats(60); round++) {
        const size_t n = 1 + random_size(&rng, 150), d = 4 + random_size(&rng, 12), which = (size_t)round % 4;
        const lem_attention_options o = {.scale = 1, .causal = test_below(&rng, 2)};
        guarded q = random_matrix(n, d, KIND_UNIFORM, &rng), k = random_matrix(n, d, KIND_UNIFORM, &rng);
        guarded v = random_matrix(n, 3, KIND_UNIFORM, &rng), out = guarded_alloc(n, 3, 0),
                written = guarded_alloc(n, 3, 0), a = guarded_alloc(n, n, 1);
        if (which == 2) /* rows of relu features that are all zero would be refused */
            for (size_t i = 0; i < n; i++)
                gsl_matrix_set(&q.m, i, 0, 1), gsl_matrix_set(&k.m, i, 0, 1);
        LEM_CHECK(lem_attention_matrix(&q.m, &k.m, kinds[which], &o, &a.m) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, &a.m, &v.m, 0, &written.m, 1) == 0, "%s",
                  lem_last_error());
        if (which == 3) {
            LEM_CHECK(lem_attention_exact(&q.m, &k.m, &v.m, &o, &out.m) == 0, "%s", lem_last_error());
        } else {
            LEM_CHECK(lem_feature_map(maps[which], &q.m, &q.m) == 0, "%s", lem_last_error());
            LEM_CHECK(lem_feature_map(maps[which], &k.m, &k.m) == 0, "%s", lem_last_error());
            LEM_CHECK(lem_linear_attention(&q.m, &k.m, &v.m, o.causal, 0, &out.m) == 0, "%s",
                      lem_last_error());
        }
        /* Non-negative weights: each output is a mean of |v| <= 1 with weights off by gamma(2n + 2d + 20) in
         * either form; softmax adds 2 gamma(d + 5) |q||k| <= d of each logit. */
        const double size = which == 3 ? 1 + 4 * (double)d : 1;
        const double bound = 4 * size * gamma_n((double)(2 * n + 2 * d) + 20);
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < 3; c++)
                LEM_CHECK_NEAR(gsl_matrix_get(&out.m, i, c), gsl_matrix_get(&written.m, i, c), bound);
        guarded_free(&q), guarded_free(&k), guarded_free(&v);
        guarded_free(&out), guarded_free(&written), guarded_free(&a);
    }
}

static void square_plus_one(double *x, size_t n, void *context) {
    for (size_t j = 0; j < n; j++)
        x[j] = *(const double *)context + x[j] * x[j];
}

static void score_functions(void) {
    test_rng rng = {3};
    guarded q = random_matrix(30, 5, KIND_UNIFORM, &rng), k = random_matrix(40, 5, KIND_UNIFORM, &rng),
            a = guarded_alloc(30, 40, 2);
    const lem_attention_options o = {.scale = 0.5};
    double one = 1;
    LEM_CHECK(lem_attention_matrix_scored(&q.m, &k.m, square_plus_one, &one, &o, &a.m) == 0, "%s",
              lem_last_error());
    for (size_t i = 0; i < 30; i++) {
        long double sum = 0;
        for (size_t j = 0; j < 40; j++)
            sum += 1 + powl(dot_long(&q.m, i, &k.m, j, false) / 2, 2);
        for (size_t j = 0; j < 40; j++)
            LEM_CHECK_NEAR(gsl_matrix_get(&a.m, i, j),
                           (double)((1 + powl(dot_long(&q.m, i, &k.m, j, false) / 2, 2)) / sum),
                           gamma_n(80) * 5); /* squares of logits |x| <= 5/2, relative to at least 1 */
    }
    guarded_free(&q), guarded_free(&k), guarded_free(&a);
}

static void refuses_bad_input(void) {
    gsl_matrix *q = gsl_matrix_calloc(3, 2), *k = gsl_matrix_calloc(4, 2), *a = gsl_matrix_alloc(3, 4);
    const lem_attention_kind softmax = LEM_ATTENTION_SOFTMAX;
    LEM_CHECK_ERROR(lem_attention_matrix(NULL, k, softmax, NULL, a), "Q|null");
    LEM_CHECK_ERROR(lem_attention_matrix(q, NULL, softmax, NULL, a), "K|null");
    LEM_CHECK_ERROR(lem_attention_matrix(q, k, softmax, NULL, NULL), "A|null");
    LEM_CHECK_ERROR(lem_attention_matrix(q, k, softmax, NULL, k), "A is 4 x 2|3 x 4");
    LEM_CHECK_ERROR(lem_attention_matrix(q, k, (lem_attention_kind)99, NULL, a), "kind = 99");
    LEM_CHECK_ERROR(lem_attention_matrix_scored(q, k, NULL, NULL, NULL, a), "f|null");
    LEM_CHECK_ERROR(
        lem_attention_matrix(q, k, LEM_ATTENTION_LINEAR_EXP, &(lem_attention_options){.scale = 2}, a),
        "scale = 2|must be 1");
    LEM_CHECK_ERROR(lem_attention_matrix_features(q, k, &(lem_attention_options){.scale = 0}, a),
                    "scale = 0|must be 1");
    LEM_CHECK_ERROR(lem_attention_matrix(q, k, LEM_ATTENTION_LINEAR_IDENTITY, NULL, a),
                    "row 0|sum to 0|positive");
    gsl_matrix_set_all(k, 1);
    gsl_matrix_set_all(q, 1);
    gsl_matrix_set(q, 2, 0, -5);
    LEM_CHECK_ERROR(lem_attention_matrix_features(q, k, NULL, a), "row 2|sum to -16|positive");
    LEM_CHECK(lem_attention_matrix(q, k, LEM_ATTENTION_LINEAR_RELU, NULL, a) == 0, "%s", lem_last_error());
    gsl_matrix_set(q, 1, 1, 1e4);
    LEM_CHECK_ERROR(lem_attention_matrix(q, k, LEM_ATTENTION_LINEAR_EXP, NULL, a), "row 1|range of double");
    LEM_CHECK(lem_attention_matrix(q, k, softmax, NULL, a) == 0, "logits of 1e4: %s", lem_last_error());
    gsl_matrix_set(q, 1, 1, 1e308);
    gsl_matrix_set_all(k, 2);
    LEM_CHECK_ERROR(lem_attention_matrix(q, k, softmax, NULL, a), "row 1|range of double");
    gsl_matrix_set(q, 1, 1, NAN);
    LEM_CHECK_ERROR(lem_attention_matrix(q, k, softmax, NULL, a), "Q[1][1] = nan");
    gsl_matrix_set(q, 1, 1, 0);
    const unsigned char nothing[4] = {0};
    LEM_CHECK_ERROR(
        lem_attention_matrix(q, k, softmax, &(lem_attention_options){.scale = 1, .visible = nothing}, a),
        "row 0 is fully masked");
    gsl_matrix_free(q), gsl_matrix_free(k), gsl_matrix_free(a);
}

static const lem_tap_case cases[] = {
    {"softmax matrix equals its definition", softmax_equals_its_definition},
    {"matrices agree with the forms that do not write them out", matrices_agree_with_the_streaming_forms},
    {"score functions", score_functions},
    {"bad input is refused by name", refuses_bad_input},
};

int main(int argc, char **argv) {
    lem_blas_single_thread();
    return lem_tap_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
