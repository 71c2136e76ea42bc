#include "projection/rsvd.h"
#include "kinds.h"
#include "linalg/linalg.h"
#include "projection/fwht.h"

/* Rounding: each of the few products and factorisations is backward stable with a constant of the order of
 * the larger side times eps (as in the tests of lib/linalg); 100 for all of them together. */
static double rounding(size_t m, size_t n) {
    return 100.0 * (double)(m > n ? m : n) * DBL_EPSILON;
}

static double low_rank_error(const gsl_matrix *a, const gsl_matrix *u, const gsl_vector *s,
                             const gsl_matrix *v) {
    long double sum = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++) {
            long double e = -(long double)gsl_matrix_get(a, i, j);
            for (size_t k = 0; k < s->size; k++)
                e += (long double)gsl_matrix_get(u, i, k) * gsl_vector_get(s, k) * gsl_matrix_get(v, j, k);
            sum += e * e;
        }
    return (double)sqrtl(sum);
}

/* A = B C with inner size `rank`. */
static gsl_matrix *of_rank(size_t m, size_t n, size_t rank, test_rng *rng) {
    gsl_matrix *a = gsl_matrix_calloc(m, n);
    if (rank == 0)
        return a;
    guarded b = random_matrix(m, rank, KIND_UNIFORM, rng), c = random_matrix(rank, n, KIND_UNIFORM, rng);
    LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, &b.m, &c.m, 0, a, 0) == 0, "%s", lem_last_error());
    guarded_free(&b), guarded_free(&c);
    return a;
}

/* Exact for rank <= k, whatever q; also rank 0, and k + p = min(m, n). */
static void test_exact_for_low_rank(void) {
    test_rng rng = {1};
    lem_stream stream = test_stream(1);
    for (int round = 0; round < repeats(60); round++) {
        const size_t m = 4 + test_below(&rng, 60), n = 4 + test_below(&rng, 60), r = m < n ? m : n;
        const size_t k = 1 + test_below(&rng, r - 2), p = 2 + test_below(&rng, r - k - 1);
        const int q = (int)test_below(&rng, 4);
        gsl_matrix *a = of_rank(m, n, test_below(&rng, k + 1), &rng);
        guarded u = guarded_alloc(m, k, 1), v = guarded_alloc(n, k, 1);
        gsl_vector *s = gsl_vector_alloc(k), *only = gsl_vector_alloc(k);
        lem_stream copy = stream;
        LEM_CHECK(lem_rsvd(a, k, p, q, &stream, &u.m, s, &v.m) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_rsvd(a, k, p, q, &copy, NULL, only, NULL) == 0, "%s", lem_last_error());
        const double size = lem_frobenius_norm(a), bound = rounding(m, n);
        LEM_CHECK_NEAR(low_rank_error(a, &u.m, s, &v.m), 0, bound * size);
        LEM_CHECK_NEAR(orthonormality_defect(&u.m), 0, bound);
        LEM_CHECK_NEAR(orthonormality_defect(&v.m), 0, bound);
        LEM_CHECK(guarded_intact(&u) && guarded_intact(&v), "written outside a view");
        for (size_t j = 0; j < k; j++) {
            LEM_CHECK(j == 0 || gsl_vector_get(s, j) <= gsl_vector_get(s, j - 1), "S[%zu] increases", j);
            LEM_CHECK_NEAR(gsl_vector_get(only, j), gsl_vector_get(s, j), bound * size);
        }
        gsl_matrix_free(a), guarded_free(&u), guarded_free(&v), gsl_vector_free(s), gsl_vector_free(only);
    }
}

/* k + p = min(m, n): the range is everything, and the triplets are those of the SVD. */
static void test_full_range(void) {
    test_rng rng = {2};
    lem_stream stream = test_stream(2);
    guarded a = random_matrix(30, 20, KIND_UNIFORM, &rng);
    gsl_vector *s = gsl_vector_alloc(20), *some = gsl_vector_alloc(18);
    LEM_CHECK(lem_svd(&a.m, NULL, s, NULL) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_rsvd(&a.m, 18, 2, 0, &stream, NULL, some, NULL) == 0, "%s", lem_last_error());
    for (size_t j = 0; j < 18; j++)
        LEM_CHECK_NEAR(gsl_vector_get(some, j), gsl_vector_get(s, j),
                       rounding(30, 20) * gsl_vector_get(s, 0));
    guarded_free(&a), gsl_vector_free(s), gsl_vector_free(some);
}

static gsl_matrix *diagonal(size_t n, double (*sigma)(size_t j)) {
    gsl_matrix *a = gsl_matrix_calloc(n, n);
    for (size_t j = 0; j < n; j++)
        gsl_matrix_set(a, j, j, sigma(j));
    return a;
}

static double fast_decay(size_t j) {
    return pow(0.3, (double)j);
}
static double faster_decay(size_t j) {
    return pow(0.08, (double)j);
}
static double slow_decay(size_t j) {
    return 1 / (double)(j + 1);
}
static double step_spectrum(size_t j) {
    return j < 10 ? 1 : 1e-9;
}
static double geometric(size_t j) {
    return pow(0.9, (double)j);
}

/* || A - Q Q^T A ||_2. */
static double spectral_residual(const gsl_matrix *a, const gsl_matrix *range) {
    gsl_matrix *image = gsl_matrix_alloc(range->size2, a->size2), *e = gsl_matrix_alloc(a->size1, a->size2);
    gsl_matrix_memcpy(e, a);
    LEM_CHECK(lem_gemm(LEM_TRANS, LEM_NO_TRANS, 1, range, a, 0, image, 0) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, -1, range, image, 1, e, 0) == 0, "%s", lem_last_error());
    const double norm = lem_spectral_norm(e);
    gsl_matrix_free(image), gsl_matrix_free(e);
    return norm;
}

/* Each column x of a matrix with a power of two n of rows becomes H x / sqrt(n): an orthogonal map. */
static void rotate_columns(gsl_matrix *a) {
    gsl_vector *x = gsl_vector_alloc(a->size1);
    for (size_t j = 0; j < a->size2; j++) {
        gsl_matrix_get_col(x, a, j);
        LEM_CHECK(lem_fwht(x->data, x->size) == 0, "%s", lem_last_error());
        gsl_vector_scale(x, 1 / sqrt((double)x->size));
        gsl_matrix_set_col(a, j, x);
    }
    gsl_vector_free(x);
}

/* V D V^T with V = H / sqrt(n) where `rotated`: rounding errors then reach every entry, not each singular
 * value by itself as in the diagonal matrix. */
static gsl_matrix *with_spectrum(size_t n, double (*sigma)(size_t j), bool rotated) {
    gsl_matrix *a = diagonal(n, sigma);
    if (rotated) {
        rotate_columns(a);
        gsl_matrix_transpose(a);
        rotate_columns(a);
    }
    return a;
}

/* || Omega_2 Omega_1^+ ||_2 for the Omega that the stream draws, Omega_1 the first k rows of V^T Omega: its
 * minimum-norm right inverse is Omega_1^T (Omega_1 Omega_1^T)^-1. */
static double test_matrix_factor(lem_stream stream, size_t n, size_t k, size_t l, bool rotated) {
    gsl_matrix *omega = gsl_matrix_alloc(n, l), *gram = gsl_matrix_alloc(k, k),
               *inverse = gsl_matrix_alloc(k, l), *product = gsl_matrix_alloc(n - k, k);
    LEM_CHECK(lem_normal_fill(&stream, n * l, omega->data) == 0, "%s", lem_last_error());
    if (rotated)
        rotate_columns(omega);
    const gsl_matrix one = gsl_matrix_submatrix(omega, 0, 0, k, l).matrix,
                     two = gsl_matrix_submatrix(omega, k, 0, n - k, l).matrix;
    gsl_matrix_memcpy(inverse, &one);
    LEM_CHECK(lem_gram(LEM_NO_TRANS, 1, &one, gram) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_solve(gram, inverse) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, &two, inverse, 0, product, 0) == 0, "%s",
              lem_last_error());
    const double norm = lem_spectral_norm(product);
    gsl_matrix_free(omega), gsl_matrix_free(gram), gsl_matrix_free(inverse), gsl_matrix_free(product);
    return norm;
}

/* For every draw (Halko, Martinsson & Tropp, theorems 9.1 and 9.2):
 *   || A - Q Q^T A ||_2 <= (1 + ||Omega_2 Omega_1^+||^2)^(1/(4q+2)) sigma_{k+1},
 * and never below sigma_{l+1}. So the error falls to sigma_{k+1} as q grows; without the factorisation
 * between products rounding would hold it at about sigma_1 eps^(1/(2q+1)), which is 0.12 at q = 8. */
static void check_power_iterations(double (*sigma)(size_t), const char *name, bool rotated, uint32_t chunk) {
    enum { N = 64, K = 10, L = 15 };
    gsl_matrix *a = with_spectrum(N, sigma, rotated), *range = gsl_matrix_alloc(N, L);
    const lem_stream stream = test_stream(chunk);
    const double factor = test_matrix_factor(stream, N, K, L, rotated), slack = rounding(N, N) * sigma(0);
    const int powers[] = {0, 1, 2, 4, 8};
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        const int q = powers[i];
        lem_stream copy = stream;
        LEM_CHECK(lem_rsvd_range(a, q, &copy, range) == 0, "%s", lem_last_error());
        const double bound = pow(1 + factor * factor, 1 / (4.0 * q + 2)) * sigma(K);
        const double error = spectral_residual(a, range);
        LEM_CHECK(error <= bound + slack, "%s, q = %d: error %g, bound %g", name, q, error, bound);
        LEM_CHECK(error >= sigma(L) - slack, "%s, q = %d: error %g below sigma_16 = %g", name, q, error,
                  sigma(L));
        LEM_CHECK_NEAR(orthonormality_defect(range), 0, rounding(N, N));
    }
    gsl_matrix_free(a), gsl_matrix_free(range);
}

static void test_power_iterations(void) {
    const struct {
        double (*sigma)(size_t);
        const char *name;
    } spectra[] = {
        {fast_decay, "0.3^j"},   {faster_decay, "0.08^j"}, {slow_decay, "1/j"},
        {step_spectrum, "step"}, {geometric, "0.9^j"},
    };
    for (uint32_t chunk = 10; chunk < 10 + (uint32_t)repeats(3); chunk++)
        for (size_t i = 0; i < sizeof spectra / sizeof spectra[0]; i++)
            for (int rotated = 0; rotated < 2; rotated++)
                check_power_iterations(spectra[i].sigma, spectra[i].name, rotated, chunk);
}

/* E ||A - Q Q^T A||_F^2 <= (1 + k/(p-1)) sum_{j>k} sigma_j^2 (theorem 10.5). The squared error of a draw is
 * at most ||A||_F^2, so by Hoeffding the mean of R draws exceeds its expectation by t with probability at
 * most exp(-2 R t^2 / ||A||_F^4); t for 1e-10. Dropping the factor, "as good as the optimum of rank k",
 * fails: the mean is 2.07(1) times that, and of 3000 draws the best was 1.5 times. */
static void test_expected_error(void) {
    enum { N = 100, K = 10, P = 2 };
    const int draws = repeats(600);
    gsl_matrix *a = diagonal(N, slow_decay), *range = gsl_matrix_alloc(N, K + P);
    double tail = 0, total = 0, sum = 0;
    for (size_t j = 0; j < N; j++) {
        total += slow_decay(j) * slow_decay(j);
        tail += j >= K ? slow_decay(j) * slow_decay(j) : 0;
    }
    lem_stream stream = test_stream(4);
    for (int r = 0; r < draws; r++) {
        LEM_CHECK(lem_rsvd_range(a, 0, &stream, range) == 0, "%s", lem_last_error());
        const double error = lem_rsvd_residual(a, range);
        sum += error * error;
    }
    const double t = total * sqrt(log(1e10) / (2 * draws)), mean = sum / draws;
    LEM_CHECK(mean <= (1 + K / (P - 1.0)) * tail + t, "mean %g, bound %g", mean, (1 + K / (P - 1.0)) * tail);
    LEM_CHECK(mean > tail, "mean %g, the optimum of rank k is %g", mean, tail);
    gsl_matrix_free(a), gsl_matrix_free(range);
}

/* The residual by blocks against ||A - Q Q^T A|| written out, with more rows than one block; and where it is
 * 13 digits below ||A||, the difference of squares would see nothing. */
static void test_residual(void) {
    test_rng rng = {5};
    lem_stream stream = test_stream(5);
    guarded a = random_matrix(2500, 6, KIND_UNIFORM, &rng), q = guarded_alloc(2500, 3, 1);
    LEM_CHECK(lem_rsvd_range(&a.m, 1, &stream, &q.m) == 0, "%s", lem_last_error());
    gsl_matrix *image = gsl_matrix_alloc(3, 6), *e = gsl_matrix_alloc(2500, 6);
    gsl_matrix_memcpy(e, &a.m);
    LEM_CHECK(lem_gemm(LEM_TRANS, LEM_NO_TRANS, 1, &q.m, &a.m, 0, image, 0) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, -1, &q.m, image, 1, e, 0) == 0, "%s", lem_last_error());
    const double expected = (double)frobenius_long(e);
    LEM_CHECK_NEAR(lem_rsvd_residual(&a.m, &q.m), expected, rounding(2500, 6) * expected);
    gsl_matrix *steps = diagonal(30, step_spectrum), *range = gsl_matrix_alloc(30, 12);
    LEM_CHECK(lem_rsvd_range(steps, 2, &stream, range) == 0, "%s", lem_last_error());
    const double small = lem_rsvd_residual(steps, range);
    LEM_CHECK(small >= 1e-9 * sqrt(18) * (1 - 1e-3) && small <= 1e-9 * sqrt(20) * (1 + 1e-3), "residual %g",
              small);
    LEM_CHECK(isnan(lem_rsvd_residual(NULL, range)) && isnan(lem_rsvd_residual(steps, NULL)), "null");
    LEM_CHECK(isnan(lem_rsvd_residual(steps, &q.m)), "wrong shape");
    LEM_CHECK_ERROR(GSL_EBADLEN, "range is 2500 x 3|30 x 3");
    gsl_matrix_free(image), gsl_matrix_free(e), gsl_matrix_free(steps), gsl_matrix_free(range);
    guarded_free(&a), guarded_free(&q);
}

static void test_streams(void) {
    test_rng rng = {6};
    guarded a = random_matrix(700, 300, KIND_UNIFORM, &rng);
    gsl_matrix *one = gsl_matrix_alloc(700, 5);
    guarded two = guarded_alloc(700, 5, 2);
    lem_stream stream = test_stream(6), copy = stream;
    LEM_CHECK(lem_rsvd_range(&a.m, 1, &stream, one) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_rsvd_range(&a.m, 1, &copy, &two.m) == 0, "%s", lem_last_error());
    LEM_CHECK(same_bits(one, &two.m), "one stream, two ranges");
    LEM_CHECK(guarded_intact(&two), "written outside the view");
    LEM_CHECK(lem_rsvd_range(&a.m, 1, &copy, &two.m) == 0, "%s", lem_last_error());
    LEM_CHECK(!same_bits(one, &two.m), "the second draw repeats the first");
    gsl_matrix_free(one), guarded_free(&two), guarded_free(&a);
}

static void test_refusals(void) {
    gsl_matrix *a = gsl_matrix_calloc(8, 6), *u = gsl_matrix_alloc(8, 3), *v = gsl_matrix_alloc(6, 3),
               *range = gsl_matrix_alloc(8, 4), *wide = gsl_matrix_alloc(8, 7);
    gsl_vector *s = gsl_vector_alloc(3), *longer = gsl_vector_alloc(4);
    lem_stream stream = test_stream(7), before = stream;
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 1, 0, &stream, u, s, v), "p = 1|>= 2");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 0, 0, &stream, u, s, v), "p = 0|>= 2");
    LEM_CHECK_ERROR(lem_rsvd(a, 0, 2, 0, &stream, u, s, v), "k = 0|>= 1");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 4, 0, &stream, u, s, v), "k + p = 3 + 4|6");
    LEM_CHECK_ERROR(lem_rsvd(a, SIZE_MAX, 2, 0, &stream, u, s, v), "k + p|6");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, SIZE_MAX, 0, &stream, u, s, v), "k + p|6");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, -1, &stream, u, s, v), "q = -1|>= 0");
    LEM_CHECK_ERROR(lem_rsvd(NULL, 3, 2, 0, &stream, u, s, v), "A = null");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, 0, NULL, u, s, v), "stream = null");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, 0, &stream, u, NULL, v), "S = null");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, 0, &stream, u, longer, v), "S has 4|3");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, 0, &stream, NULL, s, v), "U = null|neither");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, 0, &stream, u, s, NULL), "V = null|neither");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, 0, &stream, v, s, v), "U is 6 x 3|8 x 3");
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, 0, &stream, u, s, u), "V is 8 x 3|6 x 3");
    gsl_matrix part = gsl_matrix_submatrix(a, 0, 2, 8, 3).matrix;
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, 0, &stream, &part, s, v), "U overlaps A");
    LEM_CHECK_ERROR(lem_rsvd_range(a, 0, NULL, range), "stream = null");
    LEM_CHECK_ERROR(lem_rsvd_range(a, 0, &stream, NULL), "range = null");
    LEM_CHECK_ERROR(lem_rsvd_range(a, -2, &stream, range), "q = -2");
    LEM_CHECK_ERROR(lem_rsvd_range(a, 0, &stream, v), "range is 6 x 3|8 x 3");
    LEM_CHECK_ERROR(lem_rsvd_range(a, 0, &stream, wide), "range has 7 columns|6");
    LEM_CHECK_ERROR(lem_rsvd_range(a, 0, &stream, &part), "range overlaps A");
    gsl_matrix_set(a, 7, 5, NAN);
    LEM_CHECK_ERROR(lem_rsvd(a, 3, 2, 0, &stream, u, s, v), "A[7][5] = nan|finite");
    LEM_CHECK_ERROR(lem_rsvd_range(a, 0, &stream, range), "A[7][5] = nan|finite");
    LEM_CHECK(memcmp(&stream, &before, sizeof stream) == 0, "a refused call moved the stream");
    gsl_matrix_free(a), gsl_matrix_free(u), gsl_matrix_free(v), gsl_matrix_free(range), gsl_matrix_free(wide);
    gsl_vector_free(s), gsl_vector_free(longer);
}

static const lem_tap_case cases[] = {
    {"exact for matrices of rank at most k", test_exact_for_low_rank},
    {"k + p = min(m, n) gives the singular values", test_full_range},
    {"more power iterations never hurt: the bound of every draw", test_power_iterations},
    {"the expected error is below its bound and above the optimum", test_expected_error},
    {"the residual by blocks", test_residual},
    {"one stream gives the same bits, the next draw others", test_streams},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
