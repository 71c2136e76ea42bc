#include "tap/tap.h"
#include "walk/quadratic.h"
#include "walk/random.h"

static test_rng rng = {905};

/* D = 1: the free particle and the oscillator, hess = -1/T and -o/sinh(oT). */
static void test_one_dimension(void) {
    for (int round = 0; round < 100; round++) {
        const double T = scale_between(&rng, .01, 100), alpha = scale_between(&rng, .01, 100);
        double value = -1 / T;
        gsl_matrix_view m = gsl_matrix_view_array(&value, 1, 1);
        const double exact = 1 / sqrt(2 * M_PI * alpha * T);
        LEM_CHECK_NEAR(lem_van_vleck_prefactor(&m.matrix, alpha) / exact, 1, 40 * DBL_EPSILON);
    }
}

/* In a rotated frame the determinant is that of the product of its factors, for every dimension. */
static void test_rotations(void) {
    for (size_t d = 2; d <= 5; d++)
        for (int round = 0; round < 20; round++) {
            gsl_matrix *h = gsl_matrix_calloc(d, d);
            double product = 1;
            const double alpha = scale_between(&rng, .1, 10);
            for (size_t i = 0; i < d; i++) {
                const double s = scale_between(&rng, .1, 10);
                gsl_matrix_set(h, i, i, -s);
                product *= s / (2 * M_PI * alpha);
            }
            for (size_t i = 0; i + 1 < d; i++) { /* conjugate by a rotation of i and i + 1 */
                const double angle = between(&rng, 0, 6), c = cos(angle), s = sin(angle);
                for (size_t j = 0; j < d; j++) {
                    const double u = gsl_matrix_get(h, i, j), v = gsl_matrix_get(h, i + 1, j);
                    gsl_matrix_set(h, i, j, c * u - s * v), gsl_matrix_set(h, i + 1, j, s * u + c * v);
                }
                for (size_t j = 0; j < d; j++) {
                    const double u = gsl_matrix_get(h, j, i), v = gsl_matrix_get(h, j, i + 1);
                    gsl_matrix_set(h, j, i, c * u - s * v), gsl_matrix_set(h, j, i + 1, s * u + c * v);
                }
            }
            /* entries of size 10, eigenvalues of .1: a condition of 100 for each factor */
            LEM_CHECK_NEAR(lem_van_vleck_prefactor(h, alpha) / sqrt(product), 1, 1e-12);
            gsl_matrix_free(h);
        }
}

/* D'' = -o^2 D: sin(o t)/o with an error of order dt^2, and zero at the conjugate point. */
static void test_gelfand_yaglom(void) {
    enum { N = 1600 };
    static double curvature[N], out[N + 1];
    double before = 0;
    for (size_t n = 100; n <= N; n *= 4) {
        for (size_t k = 0; k < n; k++)
            curvature[k] = -1;
        LEM_CHECK(lem_gelfand_yaglom(curvature, n, 3.1 / (double)n, out) == 0, "%s", lem_last_error());
        const double error = out[n] - sin(3.1);
        if (n > 100)
            LEM_CHECK_NEAR(before / error, 16, .1);
        before = error;
        if (n == 400)
            LEM_CHECK_NEAR(out[n], .041573, 1e-6);
    }
    for (size_t k = 0; k < N; k++)
        curvature[k] = 4;
    LEM_CHECK(lem_gelfand_yaglom(curvature, N, 1. / N, out) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(out[N], sinh(2) / 2, 1e-6);
    LEM_CHECK_NEAR(out[0], 0, 0);
    /* a curvature that changes: 6/(1 + t^2) has D = t + t^3 */
    for (size_t k = 0; k < N; k++) {
        const double t = (double)k / N;
        curvature[k] = 6 / (1 + t * t);
    }
    LEM_CHECK(lem_gelfand_yaglom(curvature, N, 1. / N, out) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(out[N], 2, 1e-6);
}

static void test_refusals(void) {
    double plus[] = {1, 0, 0, -1}, one = 1, bad[] = {1, NAN}, out[3];
    gsl_matrix_view m = gsl_matrix_view_array(plus, 2, 2), wide = gsl_matrix_view_array(plus, 1, 2),
                    single = gsl_matrix_view_array(&one, 1, 1);
    LEM_CHECK_ERROR(isnan(lem_van_vleck_prefactor(&m.matrix, 1)), "det(-hess) = -1|positive");
    LEM_CHECK_ERROR(isnan(lem_van_vleck_prefactor(&single.matrix, 1)), "det(-hess) = -1|positive");
    LEM_CHECK_ERROR(isnan(lem_van_vleck_prefactor(&wide.matrix, 1)), "1 x 2|square");
    LEM_CHECK_ERROR(isnan(lem_van_vleck_prefactor(NULL, 1)), "null");
    LEM_CHECK_ERROR(isnan(lem_van_vleck_prefactor(&m.matrix, 0)), "alpha = 0|positive");
    plus[0] = 0;
    LEM_CHECK_ERROR(isnan(lem_van_vleck_prefactor(&m.matrix, 1)), "det(-hess) = 0|positive");
    LEM_CHECK_ERROR(lem_gelfand_yaglom(NULL, 2, 1, out), "curvature = null");
    LEM_CHECK_ERROR(lem_gelfand_yaglom(plus, 2, 1, NULL), "out = null");
    LEM_CHECK_ERROR(lem_gelfand_yaglom(plus, 0, 1, out), "n = 0|>= 1");
    LEM_CHECK_ERROR(lem_gelfand_yaglom(plus, 2, -1, out), "dt = -1|positive");
    LEM_CHECK_ERROR(lem_gelfand_yaglom(bad, 2, 1, out), "curvature[1] = nan|finite");
}

static const lem_tap_case cases[] = {
    {"one dimension", test_one_dimension},
    {"rotations of a product", test_rotations},
    {"the recursion of Gel'fand and Yaglom", test_gelfand_yaglom},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
