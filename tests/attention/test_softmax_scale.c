/* Annealed optima, extremes and the limits of the random energy model. */
#include "attention/annealed.h"
#include "attention/extremes.h"
#include "attention/quenched.h"
#include "attention/random_energy.h"
#include "stat/moments.h"
#include "tap/tap.h"

#include <gsl/gsl_math.h>
#include <math.h>

/* e^a (1 + 2a) = n, a = alpha^2, in logarithms: rounding of log n only. */
static void gaussian_optimum(void) {
    for (double log_n = 1e-12; log_n < 709; log_n *= 1.7) {
        const double n = exp(log_n), alpha = lem_annealed_optimum_gauss(n), a = alpha * alpha;
        const double exact = n < 2 ? log1p(n - 1) : log(n);
        LEM_CHECK_NEAR(a + log1p(2 * a), exact, 1e-15 * exact);
        if (log_n < 1e-2) /* below, the objective is alpha (n - 1)/n to rounding */
            continue;
        /* second order: a step of 1e-4 costs alpha^3 4e-8 or so, rounding 1e-12 */
        const double best = lem_annealed_trace_gauss(n, alpha);
        LEM_CHECK(lem_annealed_trace_gauss(n, alpha * 1.0001) < best &&
                      lem_annealed_trace_gauss(n, alpha * 0.9999) < best,
                  "n = %g", n);
    }
    LEM_CHECK(lem_annealed_trace_gauss(2, 100) == -INFINITY && lem_annealed_trace_gauss(1, 0) == 0, "ends");
}

/* In space M = sinh(alpha)/alpha, R = alpha coth(alpha)/n: stationary where n = 2 alpha coth(alpha) - alpha^2
 * / sinh(alpha)^2. */
static void cosine_optimum(void) {
    for (double n = 1.1; n < 1e6; n *= 3) {
        const double x = lem_annealed_optimum_cosine(n, 3), e = exp(-2 * x), root = 2 * x / (1 - e);
        LEM_CHECK_NEAR((2 * x * (1 + e) / (1 - e) - root * root * e) / n, 1, 4e-15 * (10 + x));
    }
    for (double d = 2; d < 1e5; d *= 5)
        for (double n = 1.5; n < 1e5; n *= 8) {
            const double alpha = lem_annealed_optimum_cosine(n, floor(d));
            const double best = lem_annealed_trace_cosine(n, alpha, floor(d));
            LEM_CHECK(lem_annealed_trace_cosine(n, alpha * 1.001, floor(d)) < best &&
                          lem_annealed_trace_cosine(n, alpha * 0.999, floor(d)) < best,
                      "n = %g, d = %g: %g", n, d, alpha);
        }
    /* far out M(2 alpha)/M(alpha)^2 is sqrt(pi) alpha^((d-1)/2)/(Gamma(d/2) 4^nu) and 2 alpha (A(2 alpha) -
     * A(alpha)) is (d-1)/2, to a relative d^2/alpha; in space alpha = n/2 */
    for (double d = 2; d <= 32; d *= 2)
        for (double e = d; 2 * e / (d - 1) < 99 && e < 300; e *= 1.5) {
            const double n = pow(10, e);
            const double log_power = log(n) + log(2 / (d + 1)) + lgamma(d / 2) + (d - 2) * M_LN2 - M_LNPI / 2;
            const double far = exp(log_power / ((d - 1) / 2)), x = lem_annealed_optimum_cosine(n, d);
            LEM_CHECK_NEAR(x / far, 1, d * d / far + 1e-15 * (10 + 4 * log_power / (d - 1)));
        }
    for (double n = 100; n < 1e99; n *= 1e6)
        LEM_CHECK_NEAR(lem_annealed_optimum_cosine(n, 3) / (n / 2), 1, 1e-13);
    /* in the plane R = sqrt(pi alpha)/n far out; alpha and n so large that alpha itself is nothing to it */
    LEM_CHECK_NEAR(lem_annealed_trace_cosine(5, 1e90, 2) / (-1e135 * sqrt(M_PI) / 5), 1, 1e-12);
    /* many dimensions: sqrt(d) times the Gaussian optimum, to a relative (log n)/d or so */
    for (double n = 2; n < 1e6; n *= 7)
        LEM_CHECK_NEAR(lem_annealed_optimum_cosine(n, 1e6) / (1000 * lem_annealed_optimum_gauss(n)), 1, 2e-5);
}

static void gaussian_extremes(void) {
    static const double known[] = {0, M_2_SQRTPI / 2, 1.5 * M_2_SQRTPI / 2};
    const lem_score_law gauss = {.kind = LEM_SCORES_GAUSSIAN};
    for (int n = 1; n <= 3; n++)
        LEM_CHECK_NEAR(lem_expected_max_gauss(n), known[n - 1], 1e-14);
    for (double n = 2; n < 1e300; n *= 1e3 * n)
        LEM_CHECK_NEAR(lem_gap_density_at_zero(&gauss, n) / lem_expected_max_gauss(n), 1, 1e-12);
    /* the mean score tends to the largest: mean - E max = -(pi^2/12) E max / alpha^2 (claim
     * ascale.no-optimum) */
    lem_quenched q;
    LEM_CHECK(lem_quenched_softmax(&gauss, 64, 1000, &q) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(q.trace / lem_expected_max_gauss(64), 1 - M_PI * M_PI / 12e6, 1e-8);
}

/* Cosines in space and uniform scores have a constant density w on width 1/w: n(n-1) w^2 int W^(n-2) = n w.
 * Laplace: sqrt 2 (1 - 2^(1-n)). d = 5 with two scores: int w^2 = (3/4)^2 16/15 = 3/5, so 6/5. Student, two
 * scores, df = 5: int w^2 = c^2 sqrt(3) B(1/2, 11/2), c = 8/(3 pi sqrt 3) the density at 0. */
static void other_extremes(void) {
    const lem_score_law space = {.kind = LEM_SCORES_COSINE, .shape = 3},
                        uniform = {.kind = LEM_SCORES_UNIFORM}, laplace = {.kind = LEM_SCORES_LAPLACE},
                        five = {.kind = LEM_SCORES_COSINE, .shape = 5},
                        plane = {.kind = LEM_SCORES_COSINE, .shape = 2},
                        student = {.kind = LEM_SCORES_STUDENT, .shape = 5};
    for (double n = 2; n < 1e6; n *= 7) {
        LEM_CHECK_NEAR(lem_gap_density_at_zero(&space, n) / (n / 2), 1, 1e-13 + 3e-17 * n);
        LEM_CHECK_NEAR(lem_gap_density_at_zero(&uniform, n) / (n / (2 * M_SQRT3)), 1, 1e-13 + 3e-17 * n);
        LEM_CHECK_NEAR(lem_gap_density_at_zero(&laplace, n) / (M_SQRT2 * (1 - exp2(1 - n))), 1, 1e-13);
        LEM_CHECK(isinf(lem_gap_density_at_zero(&plane, n)), "d = 2");
    }
    LEM_CHECK_NEAR(lem_gap_density_at_zero(&five, 2), 1.2, 1e-13);
    const double c = 8 / (3 * M_PI * M_SQRT3);
    LEM_CHECK_NEAR(lem_gap_density_at_zero(&student, 2),
                   2 * c * c * M_SQRT3 * exp(lgamma(0.5) + lgamma(5.5) - lgamma(6)), 1e-8);
}

static void exponents(void) {
    LEM_CHECK_NEAR(lem_rem_mean_exponent(0.5), 0.75, 1e-16);
    LEM_CHECK_NEAR(lem_rem_mean_exponent(nextafter(sqrt(2. / 3), 2)), 1. / 3, 1e-14);
    LEM_CHECK_NEAR(lem_rem_mean_exponent(nextafter(M_SQRT2, 0)), 0, 1e-15);
    LEM_CHECK(lem_rem_mean_exponent(2) == 0 && lem_rem_typical_exponent(2) == 0, "condensed");
    LEM_CHECK_NEAR(lem_rem_typical_exponent(nextafter(M_SQRT1_2, 1)), 0.5, 1e-14);
    for (double a = 0; a < 1.5; a += 0.01) /* Jensen: the mean is not below the median's order */
        LEM_CHECK(lem_rem_mean_exponent(a) <= lem_rem_typical_exponent(a) + 1e-15, "a = %g", a);
}

/* psi(1/2) = -gamma - 2 log 2; psi(1/4) = -gamma - pi/2 - 3 log 2; small x: x pi^2/6 + x^2 zeta(3). */
static void pd_entropy(void) {
    LEM_CHECK_NEAR(lem_pd_entropy(0.5), 2 * M_LN2, 1e-15);
    LEM_CHECK_NEAR(lem_pd_entropy(0.75), M_PI_2 + 3 * M_LN2, 1e-14);
    LEM_CHECK_NEAR(lem_pd_entropy(0.25), 3 * M_LN2 - M_PI_2, 1e-15);
    LEM_CHECK_NEAR(lem_pd_entropy(1e-9) / 1e-9, M_PI * M_PI / 6 + 1.2020569e-9, 1e-15);
    LEM_CHECK_NEAR(lem_pd_entropy(1 - 0x1p-40) / 0x1p40, 1, 1e-11);
}

/* 6 standard errors of 4000 draws each (2e-9); the cut at 1000 points leaves 1000^(1 - 2/x) of sum w^2. Z of
 * 30 points is the mean of that of 1000 given the 30. */
static void pd_samples(void) {
    enum { POINTS = 1000, DRAWS = 4000 };
    for (int k = 1; k < 4; k++) {
        const double x = 0.25 * k;
        lem_stream stream;
        lem_moments squares, sums, ratio;
        lem_moments_init(&ratio);
        lem_moments_init(&squares), lem_moments_init(&sums);
        LEM_CHECK(lem_stream_init(&stream, 4, lem_stream_id("test_softmax_scale"), 0, (uint32_t)k) == 0, "%s",
                  lem_last_error());
        for (int i = 0; i < DRAWS; i++) {
            double w[POINTS], few[30], two = 0, sum = 0;
            lem_stream same = stream;
            LEM_CHECK(lem_pd_sample(x, 30, &same, few) == 0, "%s", lem_last_error());
            LEM_CHECK(lem_pd_sample(x, POINTS, &stream, w) == 0, "%s", lem_last_error());
            for (int j = 0; j < POINTS; j++) {
                two += w[j] * w[j], sum += w[j];
                LEM_CHECK(w[j] >= 0 && (j == 0 || w[j] <= w[j - 1]), "descending");
            }
            lem_moments_add(&ratio, few[0] / w[0]);
            lem_moments_add(&squares, two), lem_moments_add(&sums, sum);
        }
        LEM_CHECK_NEAR(lem_moments_mean(&ratio), 1, 6 * lem_moments_stderr(&ratio));
        LEM_CHECK_NEAR(lem_moments_mean(&squares), 1 - x, 6 * lem_moments_stderr(&squares));
        LEM_CHECK(lem_moments_mean(&sums) < 1 && lem_moments_mean(&sums) > 1 - x, "what is cut");
    }
}

static int failed(double x) {
    return isnan(x) ? GSL_EDOM : 0;
}

static void bad_input(void) {
    const double one = 1;
    const lem_score_law nodes = {LEM_SCORES_NODES, 0, 1, &one, &one}, gauss = {.kind = LEM_SCORES_GAUSSIAN};
    double w[1];
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 4, 1, 1, 1) == 0, "%s", lem_last_error());
    LEM_CHECK_ERROR(failed(lem_annealed_optimum_gauss(1)), "n = 1|above 1");
    LEM_CHECK_ERROR(failed(lem_annealed_optimum_gauss(INFINITY)), "n = inf|finite");
    LEM_CHECK_ERROR(failed(lem_annealed_optimum_gauss(NAN)), "n = |above 1");
    LEM_CHECK_ERROR(failed(lem_annealed_optimum_cosine(1, 8)), "n = 1|above 1");
    LEM_CHECK_ERROR(failed(lem_annealed_optimum_cosine(0.5, 8)), "n = 0.5|>= 1");
    LEM_CHECK_ERROR(failed(lem_annealed_optimum_cosine(9, 1)), "d = 1|>= 2");
    LEM_CHECK_ERROR(failed(lem_annealed_optimum_cosine(1e200, 2)), "maximum is above 1e100");
    LEM_CHECK_ERROR(failed(lem_annealed_trace_gauss(0, 1)), "n = 0|>= 1");
    LEM_CHECK_ERROR(failed(lem_annealed_trace_gauss(2, -1)), "alpha = -1|>= 0");
    LEM_CHECK_ERROR(failed(lem_annealed_trace_cosine(2, -1, 8)), "alpha = -1|>= 0");
    LEM_CHECK_ERROR(failed(lem_annealed_trace_cosine(2, 1, NAN)), "d = |>= 2");
    LEM_CHECK_ERROR(failed(lem_expected_max_gauss(0)), "n = 0|whole number >= 1");
    LEM_CHECK_ERROR(failed(lem_expected_max_gauss(2.5)), "n = 2.5|whole number");
    LEM_CHECK_ERROR(failed(lem_gap_density_at_zero(&gauss, 1)), "n = 1|>= 2");
    LEM_CHECK_ERROR(failed(lem_gap_density_at_zero(&(lem_score_law){.kind = LEM_SCORES_UNIFORM}, 1e10)),
                    "n = 1e+10|<= 1e+09");
    LEM_CHECK_ERROR(failed(lem_gap_density_at_zero(&nodes, 2)), "nodes have no density");
    LEM_CHECK_ERROR(failed(lem_gap_density_at_zero(NULL, 2)), "law is a null");
    LEM_CHECK_ERROR(failed(lem_rem_mean_exponent(-1)), "a = -1|>= 0");
    LEM_CHECK_ERROR(failed(lem_rem_typical_exponent(NAN)), "a = |>= 0");
    LEM_CHECK_ERROR(failed(lem_pd_entropy(0)), "x = 0|inside (0, 1)");
    LEM_CHECK_ERROR(failed(lem_pd_entropy(1)), "x = 1|inside (0, 1)");
    LEM_CHECK_ERROR(lem_pd_sample(1.5, 1, &stream, w), "x = 1.5|inside (0, 1)");
    LEM_CHECK_ERROR(lem_pd_sample(0.5, 0, &stream, w), "m = 0|at least 1");
}

static const lem_tap_case cases[] = {
    {"annealed optimum, Gaussian scores", gaussian_optimum},
    {"annealed optimum, cosines", cosine_optimum},
    {"the largest of Gaussian scores", gaussian_extremes},
    {"gaps of other laws", other_extremes},
    {"exponents", exponents},
    {"entropy of Poisson-Dirichlet weights", pd_entropy},
    {"samples of Poisson-Dirichlet weights", pd_samples},
    {"bad input is refused by name", bad_input},
};

LEM_TAP_MAIN(cases)
