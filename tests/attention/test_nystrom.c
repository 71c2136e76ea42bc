/* Nystrom attention against products in extended precision, where it is exact, and what it refuses. */
#include "attention/exact.h"
#include "attention/landmarks.h"
#include "attention/matrix.h"
#include "attention/nystrom.h"
#include "attention/nystrom_error.h"
#include "attention/oracle.h"
#include "linalg/linalg.h"

static double largest_difference(const gsl_matrix *a, const gsl_matrix *b) {
    double most = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++)
            most = fmax(most, fabs(gsl_matrix_get(a, i, j) - gsl_matrix_get(b, i, j)));
    return most;
}

static double condition(const gsl_matrix *a) {
    gsl_vector *s = gsl_vector_alloc(a->size1);
    LEM_CHECK(lem_svd(a, NULL, s, NULL) == 0, "%s", lem_last_error());
    const double kappa = gsl_vector_get(s, 0) / gsl_vector_get(s, s->size - 1);
    gsl_vector_free(s);
    return kappa;
}

/* Rows that coincide within each of m segments. */
static void repeat_rows(gsl_matrix *x, size_t m) {
    const size_t length = x->size1 / m;
    for (size_t i = 0; i < x->size1; i++)
        for (size_t c = 0; c < x->size2; c++)
            gsl_matrix_set(x, i, c, gsl_matrix_get(x, i / length * length, c));
}

/* F, A, B are softmaxes of landmarks; N is their product; attention is N V without writing N. */
static void forms_agree(void) {
    test_rng rng = {1};
    static const lem_nystrom_middle_kind middles[] = {LEM_NYSTROM_ITERATION, LEM_NYSTROM_INVERSE,
                                                      LEM_NYSTROM_TIKHONOV, LEM_NYSTROM_IDENTITY};
    for (int round = 0; round < repeats(60); round++) {
        const size_t m = random_size(&rng, 9), n = m * random_size(&rng, 12), d = 1 + test_below(&rng, 8);
        guarded q = random_matrix(n, d, KIND_UNIFORM, &rng), k = random_matrix(n, d, KIND_UNIFORM, &rng),
                v = random_matrix(n, 3, KIND_UNIFORM, &rng), o = guarded_alloc(n, 3, 1),
                full = guarded_alloc(n, n, 1), expected = guarded_alloc(n, 3, 0);
        lem_nystrom_options with = LEM_NYSTROM_PLAIN;
        with.middle = middles[round % 4], with.lambda = 1e-3, with.scale = 1 + test_unit(&rng);
        with.valid = n > m && test_below(&rng, 2) ? n - test_below(&rng, n / m) : 0;
        with.rcond = 1e-6, with.threads = (int)test_below(&rng, 3);
        LEM_CHECK(lem_nystrom_attention(&q.m, &k.m, &v.m, m, &with, &o.m) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_nystrom_matrix(&q.m, &k.m, m, &with, &full.m) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, &full.m, &v.m, 0, &expected.m, 1) == 0, "%s",
                  lem_last_error());
        /* Z from one A, with ||Z|| <= 1e6 (rcond; six steps: 3.25^6; Tikhonov: 1/(2 sqrt(lambda))); F and B
         * are stochastic and off by at most some 100 d units relative. So is A: Z moves by ||Z||^2 times
         * that, in both forms alike as the same code makes Z. */
        const double size = with.middle == LEM_NYSTROM_IDENTITY ? 1 : 1e6;
        LEM_CHECK_NEAR(largest_difference(&o.m, &expected.m), 0,
                       4 * size * gamma_n((double)(n + 4 * m) + 100 * (double)d) * (double)m);
        LEM_CHECK(guarded_intact(&o) && guarded_intact(&full), "written outside a view");
        for (size_t i = 0; i < n && with.valid; i++)
            for (size_t j = with.valid; j < n; j++)
                LEM_CHECK(gsl_matrix_get(&full.m, i, j) == 0, "padding has weight in row %zu", i);
        guarded_free(&q), guarded_free(&k), guarded_free(&v), guarded_free(&o), guarded_free(&full);
        guarded_free(&expected);
    }
}

/* Rows that coincide within segments: N = S whatever A is, to u times ||F|| ||Z|| ||B|| <= n ||Z||. */
static void exact_for_equal_rows(void) {
    test_rng rng = {2};
    for (int round = 0; round < repeats(40); round++) {
        const size_t m = random_size(&rng, 8), n = m * random_size(&rng, 9), d = 1 + test_below(&rng, 6);
        guarded q = random_matrix(n, d, KIND_UNIFORM, &rng), k = random_matrix(n, d, KIND_UNIFORM, &rng);
        repeat_rows(&q.m, m), repeat_rows(&k.m, m);
        gsl_matrix *s = gsl_matrix_alloc(n, n), *out = gsl_matrix_alloc(n, n), *ql = gsl_matrix_alloc(m, d),
                   *kl = gsl_matrix_alloc(m, d), *a = gsl_matrix_alloc(m, m), *z = gsl_matrix_alloc(m, m);
        lem_nystrom_options with = LEM_NYSTROM_PLAIN;
        with.middle = LEM_NYSTROM_INVERSE, with.scale = 3, with.rcond = 1e-9;
        const lem_attention_options exact = {.scale = with.scale};
        LEM_CHECK(lem_attention_matrix(&q.m, &k.m, LEM_ATTENTION_SOFTMAX, &exact, s) == 0, "%s",
                  lem_last_error());
        LEM_CHECK(lem_nystrom_matrix(&q.m, &k.m, m, &with, out) == 0, "%s", lem_last_error());
        LEM_CHECK(!lem_segment_means(&q.m, 0, ql) && !lem_segment_means(&k.m, 0, kl), "%s", lem_last_error());
        LEM_CHECK(lem_attention_matrix(ql, kl, LEM_ATTENTION_SOFTMAX, &exact, a) == 0, "%s",
                  lem_last_error());
        LEM_CHECK(lem_pinv_svd(a, with.rcond, z) == 0, "%s", lem_last_error());
        /* the cut may drop singular values below 1e-9: m of them are the most that N can miss */
        const double bound =
            100 * (double)(n + 3 * d) * DBL_EPSILON * (double)frobenius_long(z) + 1e-9 * (double)m;
        LEM_CHECK_NEAR(largest_difference(out, s), 0, bound);
        gsl_matrix_free(s), gsl_matrix_free(out), gsl_matrix_free(ql), gsl_matrix_free(kl),
            gsl_matrix_free(a);
        gsl_matrix_free(z), guarded_free(&q), guarded_free(&k);
    }
}

/* V of ones: ones with an invertible A, to 100 m u kappa, and with Z = I; six steps miss them. */
static void values_of_ones(void) {
    test_rng rng = {3};
    enum { N = 96, M = 8, D = 8 };
    guarded q = random_matrix(N, D, KIND_UNIFORM, &rng), k = random_matrix(N, D, KIND_UNIFORM, &rng);
    gsl_matrix *v = gsl_matrix_alloc(N, 2), *o = gsl_matrix_alloc(N, 2), *ql = gsl_matrix_alloc(M, D),
               *kl = gsl_matrix_alloc(M, D), *a = gsl_matrix_alloc(M, M);
    gsl_matrix_set_all(v, 1);
    lem_nystrom_options with = LEM_NYSTROM_PLAIN;
    with.scale = 4;
    LEM_CHECK(!lem_segment_means(&q.m, 0, ql) && !lem_segment_means(&k.m, 0, kl), "%s", lem_last_error());
    LEM_CHECK(lem_attention_matrix(ql, kl, LEM_ATTENTION_SOFTMAX, &(lem_attention_options){.scale = 4}, a) ==
                  0,
              "%s", lem_last_error());
    const double kappa = condition(a);
    for (int kind = 0; kind < 3; kind++) {
        with.middle = kind == 0   ? LEM_NYSTROM_INVERSE
                      : kind == 1 ? LEM_NYSTROM_IDENTITY
                                  : LEM_NYSTROM_ITERATION;
        LEM_CHECK(lem_nystrom_attention(&q.m, &k.m, v, M, &with, o) == 0, "%s", lem_last_error());
        double most = 0;
        for (size_t i = 0; i < 2 * N; i++)
            most = fmax(most, fabs(o->data[i] - 1));
        if (kind < 2)
            LEM_CHECK_NEAR(most, 0, 100 * M * UNIT * (kind ? 1 : kappa));
        else
            LEM_CHECK(most > 1e-6, "six steps gave ones to %g", most);
    }
    gsl_matrix_free(v), gsl_matrix_free(o), gsl_matrix_free(ql), gsl_matrix_free(kl), gsl_matrix_free(a);
    guarded_free(&q), guarded_free(&k);
}

/* Keys take r values, landmarks show them all: the kernel form is exact. Relative to the kernel's entries it
 * errs by 100 n u kappa(E_mm), and row sums are of their size (logits within 2: a factor e^2). */
static void kernel_form(void) {
    test_rng rng = {4};
    enum { N = 40, R = 4, D = 4 };
    guarded q = random_matrix(N, D, KIND_UNIFORM, &rng), k = random_matrix(N, D, KIND_UNIFORM, &rng);
    for (size_t i = R; i < N; i++)
        for (size_t c = 0; c < D; c++)
            gsl_matrix_set(&k.m, i, c, gsl_matrix_get(&k.m, i * i % 7 % R, c));
    const gsl_matrix ql = gsl_matrix_submatrix(&q.m, 0, 0, R, D).matrix,
                     kl = gsl_matrix_submatrix(&k.m, 0, 0, R, D).matrix;
    gsl_matrix *s = gsl_matrix_alloc(N, N), *out = gsl_matrix_alloc(N, N), *e = gsl_matrix_alloc(R, R);
    for (size_t i = 0; i < R; i++)
        for (size_t j = 0; j < R; j++)
            gsl_matrix_set(e, i, j, exp((double)dot_long(&ql, i, &kl, j, false)));
    LEM_CHECK(lem_attention_matrix(&q.m, &k.m, LEM_ATTENTION_SOFTMAX, NULL, s) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_nystrom_kernel_matrix(&q.m, &k.m, &ql, &kl, 1, 1e-13, out) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(largest_difference(out, s), 0, 100 * N * UNIT * condition(e) * exp(2));
    LEM_CHECK_ERROR(lem_nystrom_kernel_matrix(&q.m, &k.m, &ql, &kl, INFINITY, 1e-13, out), "scale = inf");
    LEM_CHECK_ERROR(lem_nystrom_kernel_matrix(&q.m, &k.m, &ql, s, 1, 1e-13, out), "K~ has 40 columns|4");
    LEM_CHECK_ERROR(lem_nystrom_kernel_matrix(&q.m, &k.m, &ql, &k.m, 1, 1e-13, out), "Q~ has 4 rows|K~ 40");
    LEM_CHECK_ERROR(lem_nystrom_kernel_matrix(&q.m, &k.m, &ql, &kl, 1, 1e-13, e), "N is 4 x 4|40 x 40");
    LEM_CHECK_ERROR(lem_nystrom_kernel_matrix(NULL, &k.m, &ql, &kl, 1, 1e-13, out), "Q = null");
    gsl_matrix_free(s), gsl_matrix_free(out), gsl_matrix_free(e), guarded_free(&q), guarded_free(&k);
}

/* The closed form against the code it describes; A has condition number 1/tanh(a^2). */
static void toy(void) {
    gsl_matrix *q = gsl_matrix_alloc(4, 1), *out = gsl_matrix_alloc(4, 4);
    lem_nystrom_options with = LEM_NYSTROM_PLAIN;
    with.middle = LEM_NYSTROM_INVERSE;
    for (double a = 0.1; a < 2.5; a += 0.1) {
        for (size_t i = 0; i < 4; i++)
            gsl_matrix_set(q, i, 0, a / 2 * (2 * (double)i - 3));
        LEM_CHECK(lem_nystrom_matrix(q, q, 2, &with, out) == 0, "%s", lem_last_error());
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                LEM_CHECK_NEAR(gsl_matrix_get(out, (size_t)i, (size_t)j), lem_nystrom_toy_entry(a, i, j),
                               1000 * UNIT / tanh(a * a));
    }
    for (int i = 0; i < 16; i++) { /* the flat limit; rows sum to 1 at the far end */
        LEM_CHECK_NEAR(lem_nystrom_toy_entry(1e-100, i / 4, i % 4), 0.25, 1e-15);
        double sum = 0;
        for (int j = 0; j < 4; j++)
            sum += lem_nystrom_toy_entry(10, i / 4, j);
        LEM_CHECK_NEAR(sum, 1, 1e-13);
    }
    LEM_CHECK(isnan(lem_nystrom_toy_entry(0, 0, 0)), "a = 0");
    LEM_CHECK_ERROR(GSL_EDOM, "a = 0|1e-100");
    LEM_CHECK(isnan(lem_nystrom_toy_entry(NAN, 0, 0)) && isnan(lem_nystrom_toy_entry(11, 0, 0)), "a");
    LEM_CHECK(isnan(lem_nystrom_toy_entry(1, 4, 0)) && isnan(lem_nystrom_toy_entry(1, 0, -1)), "entry");
    LEM_CHECK_ERROR(GSL_EDOM, "entry (0, -1)");
    gsl_matrix_free(q), gsl_matrix_free(out);
}

/* The split adds up for any Z, the best middle matrix has no middle error, and no rank-m error is below
 * Eckart and Young's. Rounding: products of norms m ||Z|| and n ||S||, 100 n u each. */
static void error_split(void) {
    test_rng rng = {5};
    for (int round = 0; round < repeats(40); round++) {
        const size_t n = 6 + test_below(&rng, 30), k = 6 + test_below(&rng, 30), m = 1 + test_below(&rng, 6);
        guarded s = random_matrix(n, k, KIND_UNIFORM, &rng), f = random_matrix(n, m, KIND_UNIFORM, &rng),
                z = random_matrix(m, m, KIND_UNIFORM, &rng), b = random_matrix(m, k, KIND_UNIFORM, &rng);
        gsl_matrix *out = gsl_matrix_alloc(n, k);
        double subspace = NAN, middle = NAN;
        LEM_CHECK(lem_nystrom_error_split(&s.m, &f.m, &z.m, &b.m, &subspace, &middle) == 0, "%s",
                  lem_last_error());
        LEM_CHECK(lem_nystrom_product(&f.m, &z.m, &b.m, 1, out) == 0, "%s", lem_last_error());
        gsl_matrix_sub(out, &s.m);
        const double total = (double)frobenius_long(out), size = total + (double)frobenius_long(&s.m);
        LEM_CHECK_NEAR(subspace * subspace + middle * middle, total * total,
                       100 * (double)(n + k) * UNIT * size * size);
        LEM_CHECK(lem_eckart_young(&s.m, m) <= subspace * (1 + 100 * (double)(n + k) * UNIT), "%g, %g",
                  lem_eckart_young(&s.m, m), subspace);
        LEM_CHECK_NEAR(lem_eckart_young(&s.m, 0), (double)frobenius_long(&s.m),
                       100 * (double)(n + k) * UNIT * size);
        LEM_CHECK(lem_eckart_young(&s.m, n < k ? n : k) == 0, "full rank");
        guarded_free(&s), guarded_free(&f), guarded_free(&z), guarded_free(&b), gsl_matrix_free(out);
    }
    gsl_matrix *s = gsl_matrix_calloc(6, 7), *f = gsl_matrix_calloc(6, 2), *z = gsl_matrix_calloc(2, 2),
               *b = gsl_matrix_calloc(2, 7);
    /* A column twice spans no more than once. */
    double once = NAN, twice = NAN;
    for (size_t i = 0; i < 42; i++)
        s->data[i] = test_unit(&rng);
    for (size_t i = 0; i < 6; i++)
        gsl_matrix_set(f, i, 0, test_unit(&rng));
    for (size_t j = 0; j < 14; j++)
        b->data[j] = test_unit(&rng);
    LEM_CHECK(lem_nystrom_error_split(s, f, z, b, &once, NULL) == 0, "%s", lem_last_error());
    for (size_t i = 0; i < 6; i++)
        gsl_matrix_set(f, i, 1, gsl_matrix_get(f, i, 0) / 3);
    LEM_CHECK(lem_nystrom_error_split(s, f, z, b, &twice, NULL) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(once, twice, 100 * 13 * UNIT * (double)frobenius_long(s));
    gsl_matrix_set_all(s, DBL_MAX / 2);
    LEM_CHECK_ERROR(lem_nystrom_error_split(s, f, z, b, NULL, NULL), "range of double");
    LEM_CHECK_ERROR(isnan(lem_eckart_young(s, 0)), "m = 0|range of double");
    gsl_matrix_set_zero(s);
    LEM_CHECK_ERROR(lem_nystrom_error_split(NULL, f, z, b, NULL, NULL), "S = null");
    LEM_CHECK_ERROR(lem_nystrom_error_split(s, z, z, b, NULL, NULL), "F is 2 x 2|6 x 2");
    LEM_CHECK_ERROR(lem_nystrom_error_split(s, f, z, f, NULL, NULL), "B is 6 x 2|2 x 7");
    LEM_CHECK(lem_nystrom_error_split(s, f, z, b, NULL, NULL) == 0, "%s", lem_last_error());
    LEM_CHECK(isnan(lem_eckart_young(s, 7)), "m");
    LEM_CHECK_ERROR(GSL_EDOM, "m = 7|6");
    LEM_CHECK(isnan(lem_nystrom_flops(8, 9, 1)) && isnan(lem_nystrom_flops(8.5, 1, 1)), "sizes");
    LEM_CHECK(isnan(lem_nystrom_equal_cost_features(8, 2, 0)), "d");
    LEM_CHECK_ERROR(GSL_EDOM, "d = 0");
    LEM_CHECK_NEAR(lem_nystrom_equal_cost_features(96, 8, 4) * 8 * 96 * 4, lem_nystrom_flops(96, 8, 4), 1e-9);
    gsl_matrix_free(s), gsl_matrix_free(f), gsl_matrix_free(z), gsl_matrix_free(b);
}

static void refusals(void) {
    gsl_matrix *q = gsl_matrix_calloc(6, 2), *k = gsl_matrix_calloc(6, 2), *v = gsl_matrix_calloc(6, 3),
               *o = gsl_matrix_calloc(6, 3), *n = gsl_matrix_calloc(6, 6), *a = gsl_matrix_calloc(3, 3),
               *z = gsl_matrix_calloc(3, 3);
    lem_nystrom_options with = LEM_NYSTROM_PLAIN;
    LEM_CHECK_ERROR(lem_nystrom_attention(NULL, k, v, 3, NULL, o), "Q = null");
    LEM_CHECK_ERROR(lem_nystrom_attention(q, v, v, 3, NULL, o), "K is 6 x 3|6 x 2");
    LEM_CHECK_ERROR(lem_nystrom_attention(q, k, NULL, 3, NULL, o), "V = null");
    LEM_CHECK_ERROR(lem_nystrom_attention(q, k, v, 3, NULL, NULL), "O = null");
    LEM_CHECK_ERROR(lem_nystrom_attention(q, k, v, 3, NULL, v), "O overlaps V");
    LEM_CHECK_ERROR(lem_nystrom_attention(q, k, v, 4, NULL, o), "m = 4|n = 6|divide");
    LEM_CHECK_ERROR(lem_nystrom_attention(q, k, v, 0, NULL, o), "m = 0|divide");
    LEM_CHECK_ERROR(lem_nystrom_attention(q, k, v, 12, NULL, o), "m = 12|divide");
    LEM_CHECK_ERROR(lem_nystrom_matrix(q, k, 3, NULL, o), "N is 6 x 3|6 x 6");
    with.valid = 7;
    LEM_CHECK_ERROR(lem_nystrom_matrix(q, k, 3, &with, n), "valid = 7|6");
    with.valid = 4;
    LEM_CHECK_ERROR(lem_nystrom_matrix(q, k, 3, &with, n), "valid = 4|segment 2");
    with = LEM_NYSTROM_PLAIN, with.middle = (lem_nystrom_middle_kind)7;
    LEM_CHECK_ERROR(lem_nystrom_matrix(q, k, 3, &with, n), "middle = 7");
    with = LEM_NYSTROM_PLAIN, with.steps = -3;
    LEM_CHECK_ERROR(lem_nystrom_matrix(q, k, 3, &with, n), "steps = -3");
    with = LEM_NYSTROM_PLAIN, with.scale = NAN;
    LEM_CHECK_ERROR(lem_nystrom_matrix(q, k, 3, &with, n), "scale = nan");
    with = LEM_NYSTROM_PLAIN, with.threads = -1;
    LEM_CHECK_ERROR(lem_nystrom_matrix(q, k, 3, &with, n), "threads = -1");
    with = LEM_NYSTROM_PLAIN, with.middle = LEM_NYSTROM_TIKHONOV;
    LEM_CHECK_ERROR(lem_nystrom_matrix(q, k, 3, &with, n), "lambda = 0");
    for (size_t i = 0; i < 3; i++)
        gsl_matrix_set(a, i, 0, 1);
    LEM_CHECK_ERROR(lem_nystrom_middle(a, NULL, z), "column 1 of A is zero|underflowed");
    LEM_CHECK_ERROR(lem_nystrom_middle(NULL, NULL, z), "A = null");
    LEM_CHECK_ERROR(lem_nystrom_middle(o, NULL, z), "A is 6 x 3|6 x 6");
    LEM_CHECK_ERROR(lem_nystrom_product(o, a, n, 1, o), "Z is 3 x 3|3 x 6");
    gsl_matrix_set(k, 5, 1, NAN);
    LEM_CHECK_ERROR(lem_nystrom_attention(q, k, v, 3, NULL, o), "K[5][1] = nan");
    gsl_matrix_free(q), gsl_matrix_free(k), gsl_matrix_free(v), gsl_matrix_free(o), gsl_matrix_free(n);
    gsl_matrix_free(a), gsl_matrix_free(z);
}

static const lem_tap_case cases[] = {
    {"attention is the matrix times V, padding has no weight", forms_agree},
    {"exact where rows coincide within segments", exact_for_equal_rows},
    {"values of ones", values_of_ones},
    {"the kernel form is exact where its rank is complete", kernel_form},
    {"the toy entry in closed form", toy},
    {"the error splits into subspace and middle", error_split},
    {"bad input is refused by name", refusals},
};

int main(int argc, char **argv) {
    lem_blas_single_thread();
    return lem_tap_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
