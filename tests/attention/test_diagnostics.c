/* Entropy, participation, distances and ranks: cases known in closed form, inequalities on random rows, and
 * what is refused. */
#include "attention/diagnostics.h"
#include "attention/softmax.h"
#include "linalg/linalg.h"
#include "linalg/matrices.h"

/* Stochastic rows: softmax of logits of a random size, from flat to one-hot. */
static guarded stochastic(size_t n, size_t m, test_rng *rng) {
    guarded a = random_matrix(n, m, KIND_UNIFORM, rng);
    gsl_matrix_scale(&a.m, (double[]){1, 30, 1e4}[test_below(rng, 3)]);
    LEM_CHECK(lem_softmax_rows(&a.m, NULL, 1) == 0, "%s", lem_last_error());
    return a;
}

/* k equal entries: entropy log k, sum of squares 1/k. */
static void equal_entries(void) {
    for (size_t k = 1; k <= 64; k++) {
        gsl_matrix *a = gsl_matrix_calloc(1, 64);
        for (size_t j = 0; j < k; j++)
            gsl_matrix_set(a, 0, (5 * j) % 64, 1.0 / (double)k);
        double entropy = NAN, squares = NAN;
        LEM_CHECK(lem_row_entropy(a, NULL, &entropy) == 0 && lem_participation(a, NULL, &squares) == 0, "%s",
                  lem_last_error());
        LEM_CHECK_NEAR(entropy, log((double)k), gamma_n((double)k + 8) * (1 + log((double)k)));
        LEM_CHECK_NEAR(squares, 1 / (double)k, gamma_n((double)k + 4) / (double)k);
        gsl_matrix_free(a);
    }
}

/* Renyi: -log sum a^2 <= H <= log m. Pinsker: TV^2 <= KL/2. Bretagnolle-Huber: TV^2 <= 1 - exp(-KL). TV is a
 * metric. The floor of KL can only lower it, where b underflowed: such pairs are left to the test below. */
static void inequalities(void) {
    test_rng rng = {1};
    for (int round = 0; round < repeats(200); round++) {
        const size_t n = random_size(&rng, 20), m = random_size(&rng, 100);
        guarded a = stochastic(n, m, &rng), b = stochastic(n, m, &rng), c = stochastic(n, m, &rng);
        gsl_matrix *values = gsl_matrix_alloc(6, n);
        gsl_vector_view v[6];
        for (size_t i = 0; i < 6; i++)
            v[i] = gsl_matrix_row(values, i);
        double mean = NAN;
        LEM_CHECK(lem_row_entropy(&a.m, &v[0].vector, &mean) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_participation(&a.m, &v[1].vector, NULL) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_total_variation(&a.m, &b.m, &v[2].vector, NULL) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_total_variation(&b.m, &c.m, &v[3].vector, NULL) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_total_variation(&a.m, &c.m, &v[4].vector, NULL) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_kl_divergence(&a.m, &b.m, &v[5].vector, NULL) == 0, "%s", lem_last_error());
        const double slack = 1e-9; /* rows sum to 1 up to rounding, logs are as large as 708 */
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            const double entropy = gsl_matrix_get(values, 0, i), squares = gsl_matrix_get(values, 1, i);
            const double ab = gsl_matrix_get(values, 2, i), bc = gsl_matrix_get(values, 3, i),
                         ac = gsl_matrix_get(values, 4, i), kl = gsl_matrix_get(values, 5, i);
            LEM_CHECK(-log(squares) <= entropy + slack && entropy <= log((double)m) + slack, "%g, %g",
                      squares, entropy);
            LEM_CHECK(ac <= ab + bc + slack && ab <= 1 + slack, "TV: %g, %g, %g", ab, bc, ac);
            LEM_CHECK(ab * ab <= kl / 2 + slack && ab * ab <= -expm1(-kl) + slack, "TV %g, KL %g", ab, kl);
            sum += entropy;
        }
        LEM_CHECK_NEAR(mean, sum / (double)n, gamma_n((double)n + 2) * (sum / (double)n) + DBL_MIN);
        LEM_CHECK(lem_total_variation(&a.m, &a.m, NULL, &mean) == 0 && mean == 0, "distance to itself");
        LEM_CHECK(lem_kl_divergence(&a.m, &a.m, NULL, &mean) == 0 && fabs(mean) < slack, "KL to itself: %g",
                  mean);
        gsl_matrix_free(values);
        guarded_free(&a), guarded_free(&b), guarded_free(&c);
    }
}

static void kl_is_floored_at_the_smallest_normal_double(void) {
    double on_first[] = {1, 0}, on_second[] = {0, 1}, mean;
    gsl_matrix a = gsl_matrix_view_array(on_first, 1, 2).matrix,
               b = gsl_matrix_view_array(on_second, 1, 2).matrix;
    LEM_CHECK(lem_kl_divergence(&a, &b, NULL, &mean) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(mean, -log(DBL_MIN), 1e-12);
    on_second[0] = DBL_MIN / 1024; /* below the floor, though not 0 */
    LEM_CHECK(lem_kl_divergence(&a, &b, NULL, &mean) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(mean, -log(DBL_MIN), 1e-12);
    on_second[0] = 0;
    LEM_CHECK(lem_total_variation(&a, &b, NULL, &mean) == 0 && mean == 1, "disjoint: %g", mean);
}

/* U diag(s) V^T with s known. */
static void ranks(void) {
    test_rng rng = {2};
    for (int round = 0; round < repeats(30); round++) {
        const size_t r = 1 + test_below(&rng, 12), n = r + test_below(&rng, 30), m = r + test_below(&rng, 30);
        guarded u = random_matrix(n, r, KIND_UNIFORM, &rng), v = random_matrix(m, r, KIND_UNIFORM, &rng);
        guarded a = guarded_alloc(n, m, 1);
        gsl_vector *s = gsl_vector_alloc(r);
        LEM_CHECK(lem_qr(&u.m, NULL) == 0 && lem_qr(&v.m, NULL) == 0, "%s", lem_last_error());
        for (size_t j = 0; j < r; j++) {
            gsl_vector_set(s, j, pow(10, -(double)j));
            for (size_t i = 0; i < n; i++)
                *gsl_matrix_ptr(&u.m, i, j) *= gsl_vector_get(s, j);
        }
        LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, &u.m, &v.m, 0, &a.m, 1) == 0, "%s", lem_last_error());
        for (size_t cut = 1; cut <= r; cut++) { /* eps between the singular values 10^-(cut-1) and 10^-cut */
            size_t rank, rank_of;
            const double eps = pow(10, 0.5 - (double)cut);
            LEM_CHECK(lem_numerical_rank(&a.m, eps, &rank) == 0, "%s", lem_last_error());
            LEM_CHECK(lem_numerical_rank_of(s, eps, &rank_of) == 0, "%s", lem_last_error());
            LEM_CHECK(rank == cut && rank_of == cut, "%zu and %zu for %zu", rank, rank_of, cut);
        }
        /* p_j = 0.9 10^-j (up to the end): the sensitivity of exp(H) to an error e of each p is e log(1/p),
         * e = 1e-14 from the SVD. */
        LEM_CHECK_NEAR(lem_effective_rank(&a.m), lem_effective_rank_of(s), 1e-11);
        gsl_vector_free(s);
        guarded_free(&u), guarded_free(&v), guarded_free(&a);
    }
    double equal[] = {3, 3, 3, 3, 0};
    gsl_vector four = gsl_vector_view_array(equal, 5).vector;
    LEM_CHECK_NEAR(lem_effective_rank_of(&four), 4, 8 * DBL_EPSILON);
    double halves[] = {2, 1, 0, 1}; /* H = log(2)/2 + 2 log(4)/4 */
    gsl_vector uneven = gsl_vector_view_array(halves, 4).vector;
    LEM_CHECK_NEAR(lem_effective_rank_of(&uneven), 2 * M_SQRT2, 16 * DBL_EPSILON);
    size_t rank;
    LEM_CHECK(lem_numerical_rank_of(&four, 0, &rank) == 0 && rank == 4, "%zu", rank);
    gsl_matrix *zero = gsl_matrix_calloc(3, 2);
    LEM_CHECK(lem_numerical_rank(zero, 0.1, &rank) == 0 && rank == 0, "%zu", rank);
    LEM_CHECK_ERROR(isnan(lem_effective_rank(zero)) ? GSL_EDOM : 0, "sigma = 0|positive");
    gsl_matrix_free(zero);
}

static int failed(double value) {
    return isnan(value) ? GSL_EDOM : 0;
}

static void refuses_bad_input(void) {
    gsl_matrix *a = gsl_matrix_calloc(2, 2), *b = gsl_matrix_calloc(2, 3);
    gsl_vector *three = gsl_vector_alloc(3);
    size_t rank;
    gsl_matrix_set_all(a, 0.5);
    LEM_CHECK_ERROR(lem_row_entropy(NULL, NULL, NULL), "A|null");
    LEM_CHECK_ERROR(lem_row_entropy(a, three, NULL), "rows has 3 entries|2");
    LEM_CHECK_ERROR(lem_total_variation(a, b, NULL, NULL), "B is 2 x 3|2 x 2");
    LEM_CHECK_ERROR(lem_kl_divergence(a, b, NULL, NULL), "B");
    LEM_CHECK_ERROR(lem_total_variation(a, NULL, NULL, NULL), "B|null");
    gsl_matrix_set(a, 1, 0, 0.6);
    LEM_CHECK_ERROR(lem_participation(a, NULL, NULL), "row 1 of A sums to 1.1");
    LEM_CHECK(lem_total_variation(a, a, NULL, NULL) == 0, "no need to sum to 1: %s", lem_last_error());
    gsl_matrix_set(a, 1, 0, -0.5);
    LEM_CHECK_ERROR(lem_row_entropy(a, NULL, NULL), "A[1][0] = -0.5|>= 0");
    gsl_matrix_set(a, 1, 0, NAN);
    LEM_CHECK_ERROR(lem_row_entropy(a, NULL, NULL), "A[1][0] = nan");
    LEM_CHECK_ERROR(lem_numerical_rank(a, 0.1, &rank), "A[1][0] = nan");
    LEM_CHECK_ERROR(lem_numerical_rank(b, 1, &rank), "eps = 1");
    LEM_CHECK_ERROR(lem_numerical_rank(b, -0.1, &rank), "eps = -0.1");
    LEM_CHECK_ERROR(lem_numerical_rank(b, NAN, &rank), "eps = nan");
    LEM_CHECK_ERROR(lem_numerical_rank(b, 0.1, NULL), "rank|null");
    gsl_matrix_set_all(b, DBL_MAX);
    gsl_matrix *minus = gsl_matrix_alloc(2, 3);
    gsl_matrix_set_all(minus, -DBL_MAX);
    LEM_CHECK_ERROR(lem_total_variation(b, minus, NULL, NULL), "row 0|range of double");
    gsl_matrix_set_all(minus, DBL_MAX / 2), gsl_matrix_set(minus, 0, 0, 0),
        gsl_matrix_set(minus, 0, 1, DBL_MAX);
    gsl_matrix_set(minus, 0, 2, DBL_MAX), gsl_matrix_set(minus, 1, 0, DBL_MAX);
    LEM_CHECK(lem_total_variation(b, minus, NULL, NULL) == 0, "just within: %s", lem_last_error());
    gsl_matrix_free(minus);
    gsl_vector_set_all(three, -1);
    LEM_CHECK_ERROR(lem_numerical_rank_of(three, 0.1, &rank), "sigma[0] = -1");
    LEM_CHECK_ERROR(failed(lem_effective_rank_of(NULL)), "sigma|null");
    LEM_CHECK_ERROR(failed(lem_effective_rank(NULL)), "A|null");
    gsl_matrix_free(a), gsl_matrix_free(b), gsl_vector_free(three);
}

static const lem_tap_case cases[] = {
    {"equal entries", equal_entries},
    {"inequalities between the measures", inequalities},
    {"KL is floored", kl_is_floored_at_the_smallest_normal_double},
    {"ranks of known singular values", ranks},
    {"bad input is refused by name", refuses_bad_input},
};

int main(int argc, char **argv) {
    lem_blas_single_thread();
    return lem_tap_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
