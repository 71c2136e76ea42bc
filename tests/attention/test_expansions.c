/* Expansions of exp(q . k): identities between polynomials, features and attention; what is refused. */
#include "attention/double_softmax.h"
#include "attention/elu1.h"
#include "attention/hermite.h"
#include "attention/linear.h"
#include "attention/matrix.h"
#include "attention/minimax.h"
#include "attention/oracle.h"
#include "attention/polynomial.h"
#include "attention/power.h"
#include "attention/symmetric_features.h"
#include "attention/taylor.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EPS = DBL_EPSILON;

/* --- dimensions --- */

static void test_dimensions(void) {
    for (uint64_t d = 1; d <= 30; d++)
        for (uint64_t n = 1; n <= 30; n++) {
            uint64_t here = 0, left = 1, below = 1, tensor = 0, shorter = 1;
            LEM_CHECK(!lem_symmetric_feature_dim(d, n, &here), "binom(%d + %d)", (int)d, (int)n);
            if (d > 1)
                (void)lem_symmetric_feature_dim(d - 1, n, &left);
            if (n > 1)
                (void)lem_symmetric_feature_dim(d, n - 1, &below);
            LEM_CHECK(here == left + below, "Pascal's rule at %d, %d", (int)d, (int)n);
            if (lem_tensor_feature_dim(d, n, &tensor))
                continue;
            if (n > 1)
                (void)lem_tensor_feature_dim(d, n - 1, &shorter);
            LEM_CHECK(tensor == 1 + d * shorter, "1 + d (1 + d (...)) at %d, %d", (int)d, (int)n);
        }
    uint64_t dim = 7;
    LEM_CHECK(!lem_symmetric_feature_dim(INT64_MAX - 1, 1, &dim) && dim == INT64_MAX, "the largest");
    LEM_CHECK(!lem_symmetric_feature_dim(33, 33, &dim) && dim == 7219428434016265740u, "binom(66, 33)");
    LEM_CHECK_ERROR(lem_symmetric_feature_dim(34, 34, &dim), "d = 34, n = 34|below 2^63");
    LEM_CHECK_ERROR(lem_symmetric_feature_dim(INT64_MAX, 1, &dim), "below 2^63");
    LEM_CHECK_ERROR(lem_tensor_feature_dim(2, 63, &dim), "d = 2, n = 63|below 2^63");
    LEM_CHECK(!lem_tensor_feature_dim(2, 62, &dim) && dim == INT64_MAX, "2^63 - 1");
    LEM_CHECK_ERROR(lem_tensor_feature_dim(0, 3, &dim), "d = 0");
    LEM_CHECK_ERROR(lem_symmetric_feature_dim(3, 0, &dim), "n = 0");
    LEM_CHECK_ERROR(lem_symmetric_feature_dim(3, 3, NULL), "dim = null");
}

/* --- coefficients --- */

static double horner(int n, const double *c, double x, double *size) {
    double p = 0;
    *size = 0;
    for (int m = n; m >= 0; m--) {
        p = p * x + c[m];
        *size = *size * fabs(x) + fabs(c[m]);
    }
    return p;
}

/* Horner's rule: 2 n rounding errors of the sum of the terms' sizes; coefficients: about n more; the
 * functions their own 64 + 3 (n + 1 + |x|). */
static void check_polynomial(int n, const double *c, double x, double expected, const char *what) {
    double size;
    const double p = horner(n, c, x, &size);
    LEM_CHECK(fabs(p - expected) <= (7.0 * n + 70 + 3 * fabs(x)) * EPS * size,
              "%s n = %d x = %.17g: %.17g, not %.17g", what, n, x, p, expected);
}

static void test_coefficients(void) {
    test_rng rng = {11};
    double c[171];
    for (int repeat = 0; repeat < 200; repeat++) {
        const int n = 1 + (int)test_below(&rng, 40);
        const double x = 4 * test_unit(&rng), R = 2.5 + 2.5 * test_unit(&rng);
        LEM_CHECK(!lem_exp_taylor_coefficients(n, c), "Taylor");
        check_polynomial(n, c, x, lem_exp_taylor(n, x), "Taylor");
        LEM_CHECK(!lem_exp_power_coefficients(n, c), "power");
        check_polynomial(n, c, x, lem_exp_power(n, x), "power");
        LEM_CHECK(!lem_exp_shifted_coefficients(n, R, c), "shifted");
        check_polynomial(n, c, x, lem_exp_taylor(n, x + R) * exp(-R), "shifted");
        for (int m = 0; m <= n; m++)
            LEM_CHECK(c[m] > 0, "shifted, n = %d, m = %d", n, m);
        LEM_CHECK(!lem_exp_richardson_coefficients(2 * n, c), "Richardson");
        check_polynomial(2 * n, c, x, 2 * lem_exp_power(2 * n, x) - lem_exp_power(n, x), "Richardson");
        for (int m = 0; m <= 2 * n; m++)
            LEM_CHECK(c[m] > 0, "Richardson, n = %d, m = %d", 2 * n, m);
    }
    double t[3];
    LEM_CHECK(!lem_exp_richardson_coefficients(2, t), "2 E_2 - E_1");
    LEM_CHECK(t[0] == 1 && t[1] == 1 && t[2] == 0.5, "is T_2");
}

/* E x^m for N(mean, v) */
static void moments(int count, double mean, double v, double *out) {
    out[0] = 1;
    for (int m = 1; m < count; m++)
        out[m] = mean * out[m - 1] + (m > 1 ? (m - 1) * v * out[m - 2] : 0);
}

/* The error of the best polynomial is orthogonal to all powers up to n: E p(x) x^k = E e^x x^k = e^(v/2)
 * E(x+v)^k. Terms of alternating sign, about 4 n roundings each. */
static void test_hermite(void) {
    for (int n = 1; n <= 8; n++)
        for (double sigma = 0.25; sigma <= 2; sigma += 0.25) {
            double c[9], plain[20], shifted[10];
            const double v = sigma * sigma;
            LEM_CHECK(!lem_exp_hermite_coefficients(n, sigma, c), "coefficients");
            moments(2 * n + 1, 0, v, plain);
            moments(n + 1, v, v, shifted);
            for (int k = 0; k <= n; k++) {
                double sum = 0, size = 0;
                for (int m = 0; m <= n; m++) {
                    sum += c[m] * plain[m + k];
                    size += exp(v) * fmax(1, v) * plain[m + k]; /* the coefficients' own cancellation */
                }
                LEM_CHECK_NEAR(sum, exp(v / 2) * shifted[k], (size + exp(v / 2) * shifted[k]) * 8 * n * EPS);
            }
            for (int m = 0; m <= n; m++)
                LEM_CHECK(sigma >= M_SQRT2 || c[m] > 0, "positive below sqrt 2");
            LEM_CHECK(sigma <= M_SQRT2 || n < 2 || c[n - 2] < 0, "c_(n-2) negative above sqrt 2");
            LEM_CHECK(lem_exp_hermite_relative_l2_squared(n, sigma) <
                          lem_exp_taylor_relative_l2_squared(n, sigma),
                      "best");
        }
}

/* Alternation at n + 2 points proves that a polynomial is the best (de la Vallee Poussin): n + 2 extrema of
 * alternating sign, all of the size claimed, and nothing larger on a grid. */
static void check_alternation(int n, double R) {
    double c[61], error, size;
    if (lem_exp_minimax_relative(n, R, c, &error)) {
        LEM_CHECK(false, "n = %d, R = %g: %s", n, R, lem_last_error());
        return;
    }
    const int cells = 200 * (n + 2);
    int alternations = 0;
    double last = 0, best = 0, worst = 0, noise = 0;
    for (int i = 0; i <= cells; i++) {
        const double x = -R * cos(M_PI * i / cells), r = horner(n, c, x, &size) * exp(-x) - 1;
        noise = fmax(noise, (2 * n + 8) * EPS * (1 + size * exp(-x)));
        worst = fmax(worst, fabs(r));
        if (alternations && (r > 0) == (last > 0)) {
            best = fmax(best, fabs(r));
            continue;
        }
        if (alternations) /* near an extremum the grid is off by (pi/400)^2/2 at most */
            LEM_CHECK(best >= error * (1 - 1e-4) - noise, "n = %d, R = %g: extremum %d is %g", n, R,
                      alternations, best);
        alternations++;
        last = r, best = fabs(r);
    }
    LEM_CHECK(alternations == n + 2, "n = %d, R = %g: %d alternations", n, R, alternations);
    LEM_CHECK(worst <= error * (1 + 1e-6) + noise, "n = %d, R = %g: largest %.17g of %.17g", n, R, worst,
              error);
    for (int m = 0; m <= n; m++)
        LEM_CHECK(c[m] > 0, "n = %d, R = %g: coefficient %d is %g", n, R, m, c[m]);
}

/* High degree against the sum itself; sigma < sqrt 2, so its terms fall and no more cancels than half. */
static void test_hermite_of_high_degree(void) {
    enum { N = 40 };
    double c[N + 1], factorial = 1;
    const double half = 1.3 * 1.3 / 2;
    LEM_CHECK(!lem_exp_hermite_coefficients(N, 1.3, c), "%s", lem_last_error());
    for (int m = 0; m <= N; m++) {
        long double term = 1, sum = 0;
        for (int j = 0; j <= (N - m) / 2; j++)
            sum += term, term *= -(long double)half / (j + 1);
        factorial *= m ? m : 1;
        const double exact = (double)(sum * expl(half)) / factorial;
        LEM_CHECK_NEAR(c[m] / exact, 1, 2 * (N + 20) * EPS);
    }
}

static void test_minimax(void) {
    for (int n = 1; n <= 6; n++)
        check_alternation(n, 1);
    for (int n = 1; n <= 12; n++)
        check_alternation(n, 4);
    for (int n = 1; n <= 15; n++)
        check_alternation(n, 8);
    for (int n = 1; n <= 3; n++)
        check_alternation(n, 0.1);
    /* degree 0: (e^R - e^-R)/(e^R + e^-R) */
    LEM_CHECK_NEAR(lem_exp_minimax_relative_error(0, 1), tanh(1), 4 * EPS);
    LEM_CHECK_ERROR(isnan(lem_exp_minimax_relative_error(2, 16)), "R = 16|at most 15");
    LEM_CHECK_ERROR(isnan(lem_exp_minimax_relative_error(61, 1)), "n = 61|between 0 and 60");
    LEM_CHECK_ERROR(isnan(lem_exp_minimax_relative_error(-1, 1)), "n = -1");
    LEM_CHECK_ERROR(isnan(lem_exp_minimax_relative_error(2, NAN)), "R = nan");
    LEM_CHECK_ERROR(isnan(lem_exp_minimax_relative_error(40, 1)), "n = 40, R = 1|lost in the rounding");
}

/* The series cut at n is off by the rest of the coefficients, here at most 2 I_(n+1) times 1/(1 - R/(2n)). */
static void test_chebyshev(void) {
    double c[61], size;
    for (int n = 4; n <= 24; n += 2)
        for (double R = 0.5; R <= 4; R *= 2) {
            LEM_CHECK(!lem_exp_chebyshev_coefficients(n, R, c), "coefficients");
            for (int i = -8; i <= 8; i++) {
                const double x = R * i / 8, p = horner(n, c, x, &size);
                /* T_k in powers has coefficients up to 2.5^k: those cancel */
                LEM_CHECK_NEAR(p, exp(x),
                               2 * lem_chebyshev_exp_coefficient(n + 1, R) + 20 * EPS * exp(R) * pow(2.5, R));
            }
        }
}

/* --- features --- */

/* A polynomial of |x| . |y| bounds every sum of terms; n multiplications by coordinates and weights each
 * side, and r additions. */
static void check_inner_products(const gsl_matrix *x, int n, const double *c) {
    uint64_t r;
    (void)lem_symmetric_feature_dim(x->size2, (uint64_t)n, &r);
    gsl_matrix *phi = gsl_matrix_alloc(x->size1, r);
    LEM_CHECK(!lem_symmetric_features(x, n, c, 1, phi), "features");
    for (size_t i = 0; i < x->size1; i++)
        for (size_t j = 0; j < x->size1; j++) {
            double inner = 0, dot = 0, size = 0, bound;
            for (size_t l = 0; l < r; l++)
                inner += gsl_matrix_get(phi, i, l) * gsl_matrix_get(phi, j, l);
            for (size_t l = 0; l < x->size2; l++) {
                dot += gsl_matrix_get(x, i, l) * gsl_matrix_get(x, j, l);
                size += fabs(gsl_matrix_get(x, i, l) * gsl_matrix_get(x, j, l));
            }
            (void)horner(n, c, size, &bound);
            double unused;
            const double expected = horner(n, c, dot, &unused);
            LEM_CHECK(fabs(inner - expected) <= (4.0 * n + 8 + (double)r) * EPS * bound,
                      "d = %zu, n = %d: %.17g, not %.17g", x->size2, n, inner, expected);
        }
    gsl_matrix_free(phi);
}

static void test_features(void) {
    test_rng rng = {5};
    for (size_t d = 1; d <= 6; d++)
        for (int n = 1; n <= 5; n++) {
            gsl_matrix *x = gsl_matrix_alloc(4, d);
            for (size_t i = 0; i < 4 * d; i++)
                x->data[i] = i % 7 == 3 ? 0 : 2 * test_unit(&rng);
            double c[6];
            LEM_CHECK(!lem_exp_taylor_coefficients(n, c), "Taylor");
            check_inner_products(x, n, c);
            LEM_CHECK(!lem_exp_power_coefficients(n, c), "power");
            check_inner_products(x, n, c);
            c[n / 2] = 0; /* a missing degree */
            check_inner_products(x, n, c);
            gsl_matrix_free(x);
        }
}

/* The order that the header states. */
static void test_feature_order(void) {
    double x[2] = {3, 5}, c[4] = {4, 1, 1, 1}, phi[10];
    gsl_matrix_view in = gsl_matrix_view_array(x, 1, 2), out = gsl_matrix_view_array(phi, 1, 10);
    LEM_CHECK(!lem_symmetric_features(&in.matrix, 3, c, 1, &out.matrix), "features");
    const double expected[10] = {2, 3, 5, 9, sqrt(2) * 15, 25, 27, sqrt(3) * 45, sqrt(3) * 75, 125};
    for (int i = 0; i < 10; i++)
        LEM_CHECK_NEAR(phi[i], expected[i], 8 * EPS * expected[i]);
}

static void test_feature_threads(void) {
    enum { ROWS = 200, D = 9, N = 4, R = 715 };
    test_rng rng = {6};
    gsl_matrix *x = gsl_matrix_alloc(ROWS, D + 2), *one = gsl_matrix_alloc(ROWS, R),
               *wide = gsl_matrix_alloc(ROWS, R + 3);
    for (size_t i = 0; i < ROWS * (D + 2); i++)
        x->data[i] = test_unit(&rng);
    gsl_matrix_set_all(wide, 77);
    gsl_matrix_view in = gsl_matrix_submatrix(x, 0, 1, ROWS, D),
                    out = gsl_matrix_submatrix(wide, 0, 2, ROWS, R);
    double c[N + 1];
    (void)lem_exp_taylor_coefficients(N, c);
    LEM_CHECK(!lem_symmetric_features(&in.matrix, N, c, 1, one), "one thread");
    LEM_CHECK(!lem_symmetric_features(&in.matrix, N, c, 4, &out.matrix), "four threads, views");
    for (size_t i = 0; i < ROWS; i++) {
        LEM_CHECK(!memcmp(one->data + i * R, out.matrix.data + i * out.matrix.tda, R * sizeof(double)),
                  "row %zu", i);
        LEM_CHECK(gsl_matrix_get(wide, i, 1) == 77 && gsl_matrix_get(wide, i, R + 2) == 77,
                  "outside the view");
    }
    gsl_matrix_free(x), gsl_matrix_free(one), gsl_matrix_free(wide);
}

static void test_feature_errors(void) {
    gsl_matrix *x = gsl_matrix_calloc(3, 2), *phi = gsl_matrix_calloc(3, 6), *wrong = gsl_matrix_calloc(3, 5);
    const double c[3] = {1, 1, 0.5}, negative[3] = {1, -1, 0.5}, nan[3] = {1, NAN, 0.5};
    LEM_CHECK_ERROR(lem_symmetric_features(NULL, 2, c, 1, phi), "X");
    LEM_CHECK_ERROR(lem_symmetric_features(x, 2, NULL, 1, phi), "coef = null");
    LEM_CHECK_ERROR(lem_symmetric_features(x, 2, c, 1, NULL), "Phi");
    LEM_CHECK_ERROR(lem_symmetric_features(x, 2, c, 1, wrong), "Phi|6");
    LEM_CHECK_ERROR(lem_symmetric_features(x, 0, c, 1, phi), "n = 0");
    LEM_CHECK_ERROR(lem_symmetric_features(x, 171, c, 1, phi), "n = 171");
    LEM_CHECK_ERROR(lem_symmetric_features(x, 2, c, -1, phi), "threads = -1");
    LEM_CHECK_ERROR(lem_symmetric_features(x, 2, negative, 1, phi), "coef[1] = -1|>= 0");
    LEM_CHECK_ERROR(lem_symmetric_features(x, 2, nan, 1, phi), "coef[1] = nan");
    gsl_matrix_set(x, 1, 1, NAN);
    LEM_CHECK_ERROR(lem_symmetric_features(x, 2, c, 1, phi), "X");
    gsl_matrix_set(x, 1, 1, 1e200);
    LEM_CHECK_ERROR(lem_symmetric_features(x, 2, c, 1, phi), "row 1|range of double");
    gsl_matrix_free(x), gsl_matrix_free(phi), gsl_matrix_free(wrong);
}

/* --- attention --- */

enum { TOKENS = 40, WIDTH = 3, DIM = 4 };
typedef struct {
    gsl_matrix *q, *k, *v, *o, *a, *expected;
} example;

static example make_example(test_rng *rng, double size) {
    example e = {gsl_matrix_alloc(TOKENS, DIM),    gsl_matrix_alloc(TOKENS, DIM),
                 gsl_matrix_alloc(TOKENS, WIDTH),  gsl_matrix_alloc(TOKENS, WIDTH),
                 gsl_matrix_alloc(TOKENS, TOKENS), gsl_matrix_alloc(TOKENS, WIDTH)};
    for (size_t i = 0; i < TOKENS * DIM; i++) {
        e.q->data[i] = size * (test_unit(rng));
        e.k->data[i] = size * (test_unit(rng));
    }
    for (size_t i = 0; i < TOKENS * WIDTH; i++)
        e.v->data[i] = i % WIDTH == 0 ? 1 : test_unit(rng);
    return e;
}

static void free_example(example *e) {
    gsl_matrix_free(e->q), gsl_matrix_free(e->k), gsl_matrix_free(e->v);
    gsl_matrix_free(e->o), gsl_matrix_free(e->a), gsl_matrix_free(e->expected);
}

static void multiply(const gsl_matrix *a, const gsl_matrix *v, gsl_matrix *out) {
    for (size_t i = 0; i < a->size1; i++)
        for (size_t l = 0; l < v->size2; l++) {
            double sum = 0;
            for (size_t j = 0; j < a->size2; j++)
                sum += gsl_matrix_get(a, i, j) * gsl_matrix_get(v, j, l);
            gsl_matrix_set(out, i, l, sum);
        }
}

/* By features and by the polynomial of the logits: the same up to rounding; |x| <= 4 here and even T_4 >=
 * 0.2, so that p(sum |q_l k_l|)/p(q . k) <= 300 magnifies the (35 + 40 + 32) epsilons of either way. V's
 * first column is all ones. */
static void test_attention(void) {
    test_rng rng = {8};
    for (int causal = 0; causal < 2; causal++) {
        example e = make_example(&rng, 1);
        double c[5];
        (void)lem_exp_taylor_coefficients(4, c);
        lem_polynomial p = {4, c};
        lem_attention_options options = {.scale = 1, .causal = causal};
        LEM_CHECK(!lem_polynomial_attention(e.q, e.k, e.v, 4, c, causal, 2, e.o), "%s", lem_last_error());
        LEM_CHECK(!lem_attention_matrix_scored(e.q, e.k, lem_polynomial_score, &p, &options, e.a), "matrix");
        multiply(e.a, e.v, e.expected);
        for (size_t i = 0; i < TOKENS; i++) {
            LEM_CHECK_NEAR(gsl_matrix_get(e.o, i, 0), 1, 2 * 107 * 300 * EPS);
            for (size_t l = 0; l < WIDTH; l++)
                LEM_CHECK_NEAR(gsl_matrix_get(e.o, i, l), gsl_matrix_get(e.expected, i, l),
                               4 * 107 * 300 * EPS);
        }
        if (causal) { /* later keys must not reach earlier outputs */
            gsl_matrix_memcpy(e.expected, e.o);
            for (size_t l = 0; l < DIM; l++)
                gsl_matrix_set(e.k, TOKENS - 1, l, 6 * gsl_matrix_get(e.k, TOKENS - 1, l));
            LEM_CHECK(!lem_polynomial_attention(e.q, e.k, e.v, 4, c, causal, 2, e.o), "again");
            LEM_CHECK(!memcmp(e.o->data, e.expected->data, (TOKENS - 1) * WIDTH * sizeof(double)), "prefix");
        }
        free_example(&e);
    }
}

/* Many blocks and partial states against features in memory. |q . k| <= 0.75, where the sizes of the terms of
 * T_4 sum to at most 5 times T_4: so either way is off by at most 5 (m + r + 32) epsilons of the largest
 * value, 1. */
static void test_long_attention(void) {
    enum { LONG = 8001, D3 = 3, R = 35, OUT = 2 };
    test_rng rng = {12};
    gsl_matrix *q = gsl_matrix_alloc(LONG, D3), *k = gsl_matrix_alloc(LONG, D3),
               *v = gsl_matrix_alloc(LONG, OUT);
    gsl_matrix *one = gsl_matrix_alloc(LONG, OUT), *four = gsl_matrix_alloc(LONG, OUT),
               *memory = gsl_matrix_alloc(LONG, OUT);
    gsl_matrix *phi_q = gsl_matrix_alloc(LONG, R), *phi_k = gsl_matrix_alloc(LONG, R);
    double c[5];
    for (size_t i = 0; i < LONG * D3; i++)
        q->data[i] = test_unit(&rng) / 2, k->data[i] = test_unit(&rng) / 2;
    for (size_t i = 0; i < LONG * OUT; i++)
        v->data[i] = test_unit(&rng);
    (void)lem_exp_taylor_coefficients(4, c);
    LEM_CHECK(!lem_polynomial_attention(q, k, v, 4, c, false, 1, one), "%s", lem_last_error());
    LEM_CHECK(!lem_polynomial_attention(q, k, v, 4, c, false, 4, four), "%s", lem_last_error());
    LEM_CHECK(!memcmp(one->data, four->data, LONG * OUT * sizeof(double)), "threads");
    LEM_CHECK(!lem_symmetric_features(q, 4, c, 1, phi_q) && !lem_symmetric_features(k, 4, c, 1, phi_k),
              "features");
    LEM_CHECK(!lem_linear_attention(phi_q, phi_k, v, false, 1, memory), "in memory");
    for (size_t i = 0; i < LONG * OUT; i++)
        LEM_CHECK_NEAR(one->data[i], memory->data[i], 2 * 5 * (LONG + R + 32) * EPS);
    gsl_matrix_set(k, 2900, 1, 1e200);
    LEM_CHECK_ERROR(lem_polynomial_attention(q, k, v, 4, c, false, 4, four), "row 2900 of K|range of double");
    gsl_matrix_set(k, 2900, 1, 0);
    gsl_matrix_set(q, 1777, 1, -1e200);
    LEM_CHECK_ERROR(lem_polynomial_attention(q, k, v, 4, c, false, 4, four), "row 1777|range of double");
    gsl_matrix_free(q), gsl_matrix_free(k), gsl_matrix_free(v), gsl_matrix_free(one), gsl_matrix_free(four);
    gsl_matrix_free(memory), gsl_matrix_free(phi_q), gsl_matrix_free(phi_k);
}

/* Odd degrees have a zero: a query that sees only keys below it has no weights. */
static void test_odd_degree(void) {
    test_rng rng = {9};
    example e = make_example(&rng, 0.1);
    double c[4];
    (void)lem_exp_taylor_coefficients(3, c);
    LEM_CHECK(!lem_polynomial_attention(e.q, e.k, e.v, 3, c, false, 1, e.o), "small logits are fine");
    for (size_t j = 0; j < TOKENS; j++)
        gsl_matrix_set(e.k, j, 0, 1);
    gsl_matrix_set(e.q, 17, 0, -4);
    LEM_CHECK_ERROR(lem_polynomial_attention(e.q, e.k, e.v, 3, c, false, 1, e.o), "row 17|positive");
    LEM_CHECK_ERROR(lem_polynomial_attention(e.q, e.k, e.v, 0, c, false, 1, e.o), "n = 0");
    gsl_matrix *narrow = gsl_matrix_calloc(TOKENS, DIM - 1);
    LEM_CHECK_ERROR(lem_polynomial_attention(e.q, narrow, e.v, 3, c, false, 1, e.o), "columns");
    gsl_matrix_free(narrow);
    gsl_matrix_set(e.k, 2, 1, NAN);
    LEM_CHECK_ERROR(lem_polynomial_attention(e.q, e.k, e.v, 3, c, false, 1, e.o), "K");
    free_example(&e);
}

/* --- double softmax --- */

static void test_double_softmax(void) {
    test_rng rng = {10};
    example e = make_example(&rng, 3);
    gsl_matrix *pq = gsl_matrix_alloc(TOKENS, DIM), *pk = gsl_matrix_alloc(TOKENS, DIM);
    for (size_t j = 0; j < TOKENS; j++) /* a channel that would overflow without its own maximum */
        gsl_matrix_set(e.k, j, 1, gsl_matrix_get(e.k, j, 1) + 900);
    LEM_CHECK(!lem_double_softmax_features(e.q, e.k, pq, pk), "%s", lem_last_error());
    for (size_t i = 0; i < TOKENS; i++) {
        double sum = 0;
        for (size_t j = 0; j < TOKENS; j++)
            for (size_t l = 0; l < DIM; l++)
                sum += gsl_matrix_get(pq, i, l) * gsl_matrix_get(pk, j, l);
        LEM_CHECK_NEAR(sum, 1, (TOKENS * 2 + DIM * 2 + 20) * EPS);
    }
    LEM_CHECK_NEAR(gsl_matrix_get(pk, 3, 1) / gsl_matrix_get(pk, 5, 1) /
                       exp(gsl_matrix_get(e.k, 3, 1) - gsl_matrix_get(e.k, 5, 1)),
                   1, 20 * EPS);
    LEM_CHECK(!lem_linear_attention(pq, pk, e.v, false, 1, e.o), "attention");
    LEM_CHECK_NEAR(gsl_matrix_get(e.o, 4, 0), 1, 200 * EPS);
    gsl_matrix *q = gsl_matrix_alloc(TOKENS, DIM), *k = gsl_matrix_alloc(TOKENS, DIM);
    gsl_matrix_memcpy(q, e.q), gsl_matrix_memcpy(k, e.k);
    LEM_CHECK(!lem_double_softmax_features(q, k, q, k), "in place");
    LEM_CHECK(gsl_matrix_equal(q, pq) && gsl_matrix_equal(k, pk), "in place gives the same");
    LEM_CHECK_ERROR(lem_double_softmax_features(e.q, e.k, NULL, pk), "PhiQ");
    LEM_CHECK_ERROR(lem_double_softmax_features(e.q, e.k, e.o, pk), "PhiQ");
    LEM_CHECK_ERROR(lem_double_softmax_features(e.q, e.k, pq, pq), "overlap");
    gsl_matrix_set(e.k, 1, 1, INFINITY);
    LEM_CHECK_ERROR(lem_double_softmax_features(e.q, e.k, pq, pk), "K");
    gsl_matrix_free(q), gsl_matrix_free(k), gsl_matrix_free(pq), gsl_matrix_free(pk);
    free_example(&e);
}

/* --- scalar functions: what is refused --- */

/* Far below the zero nothing but x^n/n! is left; log(y^a/a!) brings a (2 + log(y/a)) epsilons, a = n + 1. At
 * 1e17 y + 1 = y: this must end. */
static void test_far_below(void) {
    static const double far[] = {-9e7, -1.1e8, -1e9, -1e17, -1e100};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        const double x = far[i], bound = 4 * 3 * (2 + log(-x)) * EPS;
        LEM_CHECK_NEAR(lem_exp_taylor(1, x) / (1 + x), 1, bound);
        LEM_CHECK_NEAR(lem_exp_taylor(2, x) / (1 + x * (1 + x / 2)), 1, bound);
        LEM_CHECK_NEAR(lem_exp_taylor_remainder(0, x), -1, bound);
    }
    LEM_CHECK_ERROR(isnan(lem_exp_taylor(2, -1e300)), "x = -1e+300|range of double");
}

static void test_bad_input(void) {
    LEM_CHECK_ERROR(isnan(lem_exp_taylor(-1, 1)), "n = -1|between 0");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor(1000001, 1)), "n = 1000001");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor(3, NAN)), "x = nan|finite");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor(400, 1e300)), "exceeds the range");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor_remainder(3, INFINITY)), "x = inf");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor_remainder(3, 1000)), "exceeds the range");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor_relative_error(2, -800)), "exceeds the range");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor_real_zero(4)), "n = 4|odd");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor_real_zero(0)), "n = 0");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor_shifted_max_relative_error(3, 0)), "R = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor_shifted_max_relative_error(0, 1)), "n = 0");
    LEM_CHECK_ERROR(isnan(lem_exp_power(0, 1)), "n = 0|between 1");
    LEM_CHECK_ERROR(isnan(lem_exp_power_relative_error(3, NAN)), "x = nan");
    LEM_CHECK_ERROR(isnan(lem_exp_richardson_relative_error(3, 1)), "n = 3|even");
    LEM_CHECK_ERROR(isnan(lem_exp_hermite_relative_l2_squared(3, -1)), "sigma = -1");
    LEM_CHECK_ERROR(isnan(lem_exp_taylor_relative_l2_squared(0, 1)), "n = 0");
    LEM_CHECK_ERROR(isnan(lem_chebyshev_exp_coefficient(-1, 1)), "n = -1");
    LEM_CHECK_ERROR(isnan(lem_chebyshev_exp_coefficient(1, 701)), "R = 701");
    LEM_CHECK_ERROR(isnan(lem_elu1_gaussian_mean(-1)), "s = -1");
    LEM_CHECK_ERROR(isnan(lem_elu1_gaussian_cv2(NAN)), "s = nan");
    double c[5];
    LEM_CHECK_ERROR(lem_exp_taylor_coefficients(0, c), "n = 0");
    LEM_CHECK_ERROR(lem_exp_taylor_coefficients(3, NULL), "coef = null");
    LEM_CHECK_ERROR(lem_exp_power_coefficients(171, c), "n = 171");
    LEM_CHECK_ERROR(lem_exp_richardson_coefficients(3, c), "n = 3|even");
    LEM_CHECK_ERROR(lem_exp_shifted_coefficients(3, -1, c), "R = -1");
    LEM_CHECK_ERROR(lem_exp_hermite_coefficients(3, 26, c), "sigma = 26");
    LEM_CHECK_ERROR(lem_exp_chebyshev_coefficients(61, 1, c), "n = 61");
    LEM_CHECK_ERROR(lem_exp_chebyshev_coefficients(3, 0, c), "R = 0");
    double many[61];
    LEM_CHECK_ERROR(lem_exp_chebyshev_coefficients(3, 1e-110, c), "R = 1e-110|T_3|underflows");
    LEM_CHECK_ERROR(lem_exp_chebyshev_coefficients(60, 700, many), "R = 700|range of double");
    LEM_CHECK(!lem_exp_chebyshev_coefficients(1, 1e-300, c), "%s", lem_last_error());
    LEM_CHECK(c[0] == 1 && fabs(c[1] - 1) <= 4 * EPS, "1 + x: %.17g", c[1]);
    LEM_CHECK_NEAR(lem_exp_taylor(0, -3), 1, 4 * EPS);
    LEM_CHECK(lem_exp_taylor_remainder(4, 0) == 0 && lem_exp_taylor(7, 0) == 1, "edges");
    LEM_CHECK(lem_exp_power(3, -3) == 0 && lem_exp_power_relative_error(3, -3) == -1, "the zero of E_n");
    LEM_CHECK(lem_exp_hermite_relative_l2_squared(3, 0) == 0 && lem_exp_taylor_relative_l2_squared(3, 0) == 0,
              "sigma = 0");
    LEM_CHECK(lem_elu1_gaussian_mean(0) == 1 && lem_elu1_gaussian_cv2(0) == 0, "s = 0");
}

static const lem_tap_case cases[] = {
    {"dimensions", test_dimensions},
    {"coefficients", test_coefficients},
    {"Hermite coefficients are orthogonal projections", test_hermite},
    {"Hermite coefficients of high degree", test_hermite_of_high_degree},
    {"minimax polynomials alternate", test_minimax},
    {"Chebyshev series", test_chebyshev},
    {"features reproduce the polynomial", test_features},
    {"order of features", test_feature_order},
    {"features: threads and views", test_feature_threads},
    {"features: bad input", test_feature_errors},
    {"polynomial attention", test_attention},
    {"polynomial attention in blocks", test_long_attention},
    {"odd degrees", test_odd_degree},
    {"double softmax", test_double_softmax},
    {"T_n far below zero", test_far_below},
    {"bad input", test_bad_input},
};
LEM_TAP_MAIN(cases)
