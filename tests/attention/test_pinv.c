/* Landmarks and pseudo-inverses: the iterations are spectral filters, and where rounding takes over. */
#include "attention/landmarks.h"
#include "attention/pinv.h"
#include "attention/softmax.h"
#include "linalg/linalg.h"
#include "linalg/matrices.h"
#include "rng/stream.h"

static const lem_pinv_method methods[] = {LEM_PINV_CHEBYSHEV4, LEM_PINV_NEWTON, LEM_PINV_HYPERPOWER3};

static double distance(const gsl_matrix *a, const gsl_matrix *b) {
    long double sum = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++)
            sum += powl((long double)gsl_matrix_get(a, i, j) - gsl_matrix_get(b, i, j), 2);
    return (double)sqrtl(sum);
}

/* A square softmax matrix over logits of this size, `kept` of its m rows distinct. */
static gsl_matrix *softmax_matrix(size_t m, size_t kept, double size, test_rng *rng) {
    gsl_matrix *a = gsl_matrix_alloc(m, m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            gsl_matrix_set(a, i, j, i < kept ? size * test_unit(rng) : gsl_matrix_get(a, i % kept, j));
    LEM_CHECK(lem_softmax_rows(a, NULL, 1) == 0, "%s", lem_last_error());
    return a;
}

/* --- landmarks */

/* Against extended precision: a mean of L terms of size at most s is off by gamma(L + 2) s. */
static void segment_means(void) {
    test_rng rng = {1};
    for (int round = 0; round < repeats(60); round++) {
        const size_t m = random_size(&rng, 12), length = random_size(&rng, 20), n = m * length;
        const size_t valid = test_below(&rng, 2) ? n - test_below(&rng, length) : 0, end = valid ? valid : n;
        guarded x = random_matrix(n, random_size(&rng, 9), KIND_UNIFORM, &rng),
                means = guarded_alloc(m, x.m.size2, 1);
        if (valid)
            for (size_t i = valid; i < n; i++)
                gsl_matrix_set(&x.m, i, 0, 1e9); /* padding must not matter */
        LEM_CHECK(lem_segment_means(&x.m, valid, &means.m) == 0, "%s", lem_last_error());
        for (size_t a = 0; a < m; a++)
            for (size_t c = 0; c < x.m.size2; c++) {
                long double sum = 0;
                size_t count = 0;
                for (size_t i = a * length; i < (a + 1) * length && i < end; i++, count++)
                    sum += gsl_matrix_get(&x.m, i, c);
                LEM_CHECK_NEAR(gsl_matrix_get(&means.m, a, c), (double)(sum / count),
                               gamma_n((double)count + 2));
            }
        LEM_CHECK(guarded_intact(&means), "written outside the view");
        guarded_free(&x), guarded_free(&means);
    }
    gsl_matrix *x = gsl_matrix_calloc(12, 2), *three = gsl_matrix_alloc(3, 2), *five = gsl_matrix_alloc(5, 2),
               *wide = gsl_matrix_alloc(3, 3), *many = gsl_matrix_alloc(24, 2);
    gsl_matrix_set_all(x, 1.7e308);
    LEM_CHECK(lem_segment_means(x, 0, three) == 0 && isfinite(gsl_matrix_get(three, 0, 0)), "overflow");
    LEM_CHECK_ERROR(lem_segment_means(NULL, 0, three), "X = null");
    LEM_CHECK_ERROR(lem_segment_means(x, 0, NULL), "means = null");
    LEM_CHECK_ERROR(lem_segment_means(x, 0, five), "m = 5|n = 12|must divide");
    LEM_CHECK_ERROR(lem_segment_means(x, 0, many), "m = 24|n = 12|must divide");
    LEM_CHECK_ERROR(lem_segment_means(x, 0, wide), "means is 3 x 3|3 x 2");
    LEM_CHECK_ERROR(lem_segment_means(x, 13, three), "valid = 13|12");
    LEM_CHECK_ERROR(lem_segment_means(x, 8, three), "valid = 8|segment 2 has none");
    LEM_CHECK_ERROR(lem_segment_means(x, 3, three), "valid = 3|segment 1 has none");
    gsl_matrix top = gsl_matrix_submatrix(x, 0, 0, 3, 2).matrix;
    LEM_CHECK_ERROR(lem_segment_means(x, 0, &top), "means overlaps X");
    gsl_matrix_set(x, 3, 1, NAN);
    LEM_CHECK_ERROR(lem_segment_means(x, 0, three), "X[3][1] = nan");
    gsl_matrix_free(x), gsl_matrix_free(three), gsl_matrix_free(five), gsl_matrix_free(wide);
    gsl_matrix_free(many);
}

/* --- iterations */

/* Z_k = V diag(g_k(y_i)/sigma_i) U^T. Both sides are computed from A; the iteration makes an error of a few
 * gamma(m) ||A|| ||Z|| ||Y-polynomial|| a step, amplified by the gain in each later step; the singular values
 * are off by about m eps sigma_1, which the steepest part of g_k/sigma, of slope gain^k / (||A||_1
 * ||A||_inf), multiplies. 100 m eps gain^k sigma_1 / (||A||_1 ||A||_inf) (1 + k) bounds both. */
static void iterations_are_filters(void) {
    test_rng rng = {2};
    static const double gains[] = {3.25, 2, 3};
    for (int round = 0; round < repeats(60); round++) {
        const size_t m = random_size(&rng, 24), which = (size_t)round % 3;
        const int steps = (int)test_below(&rng, 9);
        guarded a = random_matrix(m, m, KIND_UNIFORM, &rng), z = guarded_alloc(m, m, 1);
        gsl_matrix *u = gsl_matrix_alloc(m, m), *v = gsl_matrix_alloc(m, m),
                   *expected = gsl_matrix_alloc(m, m);
        gsl_vector *sigma = gsl_vector_alloc(m);
        double one = 0, infinity = 0;
        for (size_t i = 0; i < m; i++) {
            double row = 0, column = 0;
            for (size_t j = 0; j < m; j++)
                row += fabs(gsl_matrix_get(&a.m, i, j)), column += fabs(gsl_matrix_get(&a.m, j, i));
            one = fmax(one, column), infinity = fmax(infinity, row);
        }
        LEM_CHECK(lem_svd(&a.m, u, sigma, v) == 0, "%s", lem_last_error());
        for (size_t j = 0; j < m; j++) {
            const double s = gsl_vector_get(sigma, j);
            const double g = lem_pinv_iteration_filter(methods[which], steps, s * s / (one * infinity));
            for (size_t i = 0; i < m; i++)
                gsl_matrix_set(v, i, j, gsl_matrix_get(v, i, j) * g / s);
        }
        LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, v, u, 0, expected, 1) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_pinv_iterate(&a.m, methods[which], steps, &z.m) == 0, "%s", lem_last_error());
        LEM_CHECK_NEAR(distance(&z.m, expected), 0,
                       100 * (double)m * DBL_EPSILON * pow(gains[which], steps) * (1 + steps) *
                           gsl_vector_get(sigma, 0) / (one * infinity));
        LEM_CHECK(guarded_intact(&z), "written outside the view");
        gsl_matrix_free(u), gsl_matrix_free(v), gsl_matrix_free(expected), gsl_vector_free(sigma);
        guarded_free(&a), guarded_free(&z);
    }
}

/* R = I - A Z goes to (3 R^3 + R^4)/4, R^2, R^3: exact algebra, so the maps of the filter. */
static void filter_in_residuals(void) {
    test_rng rng = {3};
    for (int round = 0; round < repeats(1000); round++) {
        const double y = 2 * test_unit(&rng) + 2, r = 1 - y;
        /* Horner's rule and the powers: some ten roundings of terms below 13 y + ... + y^4 <= 780 */
        const double bound = 30 * 780 * UNIT;
        LEM_CHECK_NEAR(lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, 1, y),
                       1 - (3 * r * r * r + r * r * r * r) / 4, bound);
        LEM_CHECK_NEAR(lem_pinv_iteration_filter(LEM_PINV_NEWTON, 1, y), 1 - r * r, bound);
        LEM_CHECK_NEAR(lem_pinv_iteration_filter(LEM_PINV_HYPERPOWER3, 1, y), 1 - r * r * r, bound);
    }
    for (size_t i = 0; i < 3; i++)
        for (int k = 1; k < 100; k += 7) {
            LEM_CHECK(lem_pinv_iteration_filter(methods[i], 0, 0.3) == 0.3, "no step");
            LEM_CHECK(lem_pinv_iteration_filter(methods[i], k, 1) == 1, "1 is a fixed point");
            /* a step rounds by some 8 units, and its logarithmic slope is at most 1 on (0, 1) */
            const double y0 = lem_pinv_half_resolved_y0(methods[i], k);
            LEM_CHECK_NEAR(lem_pinv_iteration_filter(methods[i], k, y0), 0.5, 0.5 * 8 * k * UNIT + 4 * UNIT);
        }
    LEM_CHECK(isnan(lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, 100, 4.14)), "outside the basin");
    LEM_CHECK_ERROR(GSL_EOVRFLW, "y0 = 4.14|range of double");
    LEM_CHECK(isnan(lem_pinv_iteration_filter(LEM_PINV_NEWTON, 3, INFINITY)), "infinity");
    LEM_CHECK_ERROR(GSL_EDOM, "y0 = inf");
    LEM_CHECK(isnan(lem_pinv_iteration_filter(LEM_PINV_NEWTON, -1, 1)), "negative");
    LEM_CHECK_ERROR(GSL_EDOM, "iterations = -1|>= 0");
    LEM_CHECK(isnan(lem_pinv_half_resolved_y0(LEM_PINV_NEWTON, 0)), "none");
    LEM_CHECK_ERROR(GSL_EDOM, "iterations = 0|>= 1");
    LEM_CHECK(isnan(lem_pinv_half_resolved_y0((lem_pinv_method)9, 1)), "method");
    LEM_CHECK_ERROR(GSL_EINVAL, "method = 9");
}

/* The report from practice: on a softmax of 64 x 64 normal logits six steps are far from the inverse, twenty
 * are there. ||I - A Z||_F^2 / m is the mean of (1 - g_k(y_i))^2, the y_i known from singular values. */
static void six_steps_do_not_invert(void) {
    enum { M = 64 };
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 1, lem_stream_id("test"), lem_stream_id("six steps"), 0) == 0, "init");
    gsl_matrix *a = gsl_matrix_alloc(M, M), *z = gsl_matrix_alloc(M, M), *r = gsl_matrix_alloc(M, M);
    gsl_vector *sigma = gsl_vector_alloc(M);
    LEM_CHECK(lem_normal_fill(&stream, M * M, a->data) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_softmax_rows(a, NULL, 1) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_svd(a, NULL, sigma, NULL) == 0, "%s", lem_last_error());
    double one = 0;
    for (size_t j = 0; j < M; j++) {
        double sum = 0;
        for (size_t i = 0; i < M; i++)
            sum += gsl_matrix_get(a, i, j);
        one = fmax(one, sum);
    }
    const double kappa = gsl_vector_get(sigma, 0) / gsl_vector_get(sigma, M - 1);
    const int steps[] = {6, 20};
    double residual[2];
    for (size_t t = 0; t < 2; t++) {
        double expected = 0;
        for (size_t i = 0; i < M; i++) {
            const double s = gsl_vector_get(sigma, i);
            expected += pow(1 - lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, steps[t], s * s / one), 2);
        }
        LEM_CHECK(lem_pinv_iterate(a, LEM_PINV_CHEBYSHEV4, steps[t], z) == 0, "%s", lem_last_error());
        gsl_matrix_set_identity(r);
        LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, -1, a, z, 1, r, 1) == 0, "%s", lem_last_error());
        residual[t] = (double)frobenius_long(r) / sqrt(M);
        /* A Z is off by gamma(m) ||A||_F ||Z||_F, with ||A||_F ||Z||_F <= m kappa */
        LEM_CHECK_NEAR(residual[t], sqrt(expected / M), 4 * gamma_n(M) * M * kappa);
    }
    LEM_CHECK(residual[0] > 0.1 && residual[1] < 1e-9, "residuals %g, %g", residual[0], residual[1]);
    gsl_matrix_free(a), gsl_matrix_free(z), gsl_matrix_free(r), gsl_vector_free(sigma);
}

/* Nothing but A decides: powers of two scale Z exactly, whatever was computed before. */
static void scale_is_exact(void) {
    test_rng rng = {4};
    gsl_matrix *a = softmax_matrix(20, 20, 3, &rng), *b = gsl_matrix_alloc(20, 20),
               *z = gsl_matrix_alloc(20, 20), *scaled = gsl_matrix_alloc(20, 20);
    gsl_matrix_memcpy(b, a);
    gsl_matrix_scale(b, 128);
    for (size_t i = 0; i < 3; i++) {
        LEM_CHECK(lem_pinv_iterate(a, methods[i], 8, z) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_pinv_iterate(b, methods[i], 8, scaled) == 0, "%s", lem_last_error());
        gsl_matrix_scale(scaled, 128);
        LEM_CHECK(same_bits(z, scaled), "method %zu", i);
    }
    gsl_matrix_free(a), gsl_matrix_free(b), gsl_matrix_free(z), gsl_matrix_free(scaled);
}

/* --- from singular values */

static void product(const gsl_matrix *a, const gsl_matrix *b, gsl_matrix *c) {
    LEM_CHECK(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, a, b, 0, c, 1) == 0, "%s", lem_last_error());
}

static double asymmetry(const gsl_matrix *a) {
    double most = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < i; j++)
            most = fmax(most, fabs(gsl_matrix_get(a, i, j) - gsl_matrix_get(a, j, i)));
    return most;
}

/* Penrose's four conditions, also for duplicate rows. Errors are m eps times the norms of the factors. */
static void penrose(void) {
    test_rng rng = {5};
    for (int round = 0; round < repeats(60); round++) {
        const size_t m = random_size(&rng, 24), kept = round % 2 ? m : 1 + test_below(&rng, m);
        gsl_matrix *a = softmax_matrix(m, kept, 4, &rng), *az = gsl_matrix_alloc(m, m),
                   *za = gsl_matrix_alloc(m, m), *both = gsl_matrix_alloc(m, m);
        guarded z = guarded_alloc(m, m, 1);
        LEM_CHECK(lem_pinv_svd(a, 1e-13, &z.m) == 0, "%s", lem_last_error());
        const double na = (double)frobenius_long(a), nz = (double)frobenius_long(&z.m);
        const double bound = 100 * (double)m * DBL_EPSILON * na * nz;
        product(a, &z.m, az), product(&z.m, a, za);
        LEM_CHECK_NEAR(asymmetry(az), 0, bound);
        LEM_CHECK_NEAR(asymmetry(za), 0, bound);
        product(az, a, both);
        LEM_CHECK_NEAR(distance(both, a), 0, bound * na);
        product(za, &z.m, both);
        LEM_CHECK_NEAR(distance(both, &z.m), 0, bound * nz);
        LEM_CHECK(guarded_intact(&z), "written outside the view");
        gsl_matrix_free(a), gsl_matrix_free(az), gsl_matrix_free(za), gsl_matrix_free(both), guarded_free(&z);
    }
}

/* (A^T A + lambda I) Z = A^T. Z is off by 100 m eps times ||A|| times the largest slope of
 * sigma/(sigma^2 + lambda), 1/lambda; that error is multiplied by ||A^T A|| + lambda. */
static void tikhonov(void) {
    test_rng rng = {6};
    for (int round = 0; round < repeats(60); round++) {
        const size_t m = random_size(&rng, 24);
        const double lambda = pow(10, 4 * test_unit(&rng) - 4);
        gsl_matrix *a = softmax_matrix(m, 1 + test_below(&rng, m), 3, &rng), *g = gsl_matrix_alloc(m, m),
                   *z = gsl_matrix_alloc(m, m), *left = gsl_matrix_alloc(m, m), *t = gsl_matrix_alloc(m, m);
        LEM_CHECK(lem_tikhonov_inverse(a, lambda, z) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_gram(LEM_TRANS, 1, a, g) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < m; i++)
            gsl_matrix_set(g, i, i, gsl_matrix_get(g, i, i) + lambda);
        product(g, z, left);
        gsl_matrix_transpose_memcpy(t, a);
        const double na = (double)frobenius_long(a);
        LEM_CHECK_NEAR(distance(left, t), 0,
                       100 * (double)m * DBL_EPSILON * na * (na * na + lambda) / lambda);
        gsl_matrix_free(a), gsl_matrix_free(g), gsl_matrix_free(z), gsl_matrix_free(left), gsl_matrix_free(t);
    }
}

static void refusals(void) {
    test_rng rng = {7};
    gsl_matrix *a = softmax_matrix(8, 4, 2, &rng), *z = gsl_matrix_alloc(8, 8),
               *zero = gsl_matrix_calloc(8, 8), *wide = gsl_matrix_calloc(8, 7),
               *regular = gsl_matrix_alloc(8, 8);
    gsl_matrix_set_identity(regular);
    lem_pinv_workspace *work = lem_pinv_workspace_alloc(7);
    const lem_pinv_method m = LEM_PINV_CHEBYSHEV4;
    LEM_CHECK_ERROR(lem_pinv_iterate(NULL, m, 6, z), "A = null");
    LEM_CHECK_ERROR(lem_pinv_iterate(a, m, 6, NULL), "Z = null");
    LEM_CHECK_ERROR(lem_pinv_iterate(wide, m, 6, z), "A is 8 x 7|square");
    LEM_CHECK_ERROR(lem_pinv_iterate(a, m, 6, wide), "Z is 8 x 7|8 x 8");
    LEM_CHECK_ERROR(lem_pinv_iterate(a, m, 6, a), "Z overlaps A");
    LEM_CHECK_ERROR(lem_pinv_iterate(a, (lem_pinv_method)5, 6, z), "method = 5");
    LEM_CHECK_ERROR(lem_pinv_iterate(a, m, -1, z), "steps = -1|>= 0");
    LEM_CHECK_ERROR(lem_pinv_iterate(a, m, 31, z), "steps = 31|<= 30|condition number");
    LEM_CHECK(lem_pinv_iterate(regular, m, 31, z) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_pinv_iterate(a, m, 30, z) == 0, "%s", lem_last_error());
    LEM_CHECK_ERROR(lem_pinv_iterate(zero, m, 6, z), "A is zero");
    gsl_matrix_set_all(zero, 0x1p-1060);
    LEM_CHECK_ERROR(lem_pinv_iterate(zero, m, 0, z), "largest row sum|range of double");
    LEM_CHECK_ERROR(lem_pinv_start(zero, z), "largest row sum|range of double");
    gsl_matrix_set_zero(zero);
    LEM_CHECK_ERROR(lem_pinv_step(a, m, NULL, z), "workspace = null");
    LEM_CHECK_ERROR(lem_pinv_step(a, m, work, z), "workspace is for 7 x 7|8 x 8");
    LEM_CHECK(lem_pinv_workspace_alloc(0) == NULL, "0");
    LEM_CHECK_ERROR(GSL_EDOM, "m = 0");
    LEM_CHECK(lem_pinv_workspace_alloc(SIZE_MAX / 2) == NULL, "huge");
    LEM_CHECK_ERROR(lem_pinv_svd(a, -1, z), "rcond = -1");
    LEM_CHECK_ERROR(lem_pinv_svd(a, NAN, z), "rcond = nan");
    LEM_CHECK_ERROR(lem_pinv_svd(a, 1, z), "rcond = 1");
    LEM_CHECK_ERROR(lem_tikhonov_inverse(a, 0, z), "lambda = 0");
    LEM_CHECK_ERROR(lem_tikhonov_inverse(a, INFINITY, z), "lambda = inf");
    LEM_CHECK(lem_pinv_svd(zero, 0, z) == 0 && frobenius_long(z) == 0, "the inverse of 0 is 0");
    gsl_matrix_set(a, 2, 3, NAN);
    LEM_CHECK_ERROR(lem_pinv_iterate(a, m, 6, z), "A[2][3] = nan");
    LEM_CHECK_ERROR(lem_pinv_svd(a, 0, z), "A[2][3] = nan");
    LEM_CHECK_ERROR(lem_tikhonov_inverse(a, 1, z), "A[2][3] = nan");
    lem_pinv_workspace_free(work), lem_pinv_workspace_free(NULL);
    gsl_matrix_free(a), gsl_matrix_free(z), gsl_matrix_free(zero), gsl_matrix_free(wide);
    gsl_matrix_free(regular);
}

static const lem_tap_case cases[] = {
    {"segment means", segment_means},
    {"iterations filter singular values", iterations_are_filters},
    {"the filters, by their residuals", filter_in_residuals},
    {"six steps do not invert a random softmax, twenty do", six_steps_do_not_invert},
    {"scale is exact", scale_is_exact},
    {"the pseudo-inverse satisfies Penrose's conditions", penrose},
    {"Tikhonov's inverse satisfies its normal equations", tikhonov},
    {"bad input is refused by name", refusals},
};

int main(int argc, char **argv) {
    lem_blas_single_thread();
    return lem_tap_main(cases, sizeof cases / sizeof *cases, argc, argv);
}
