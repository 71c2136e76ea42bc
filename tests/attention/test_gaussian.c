/* Softmax over Gaussian logits: other routes to the same numbers, bounds, and what is refused. */
#include "attention/gaussian.h"
#include "rng/stream.h"
#include "stat/moments.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>

/* Two logits: a = 1/(1 + e^-t), t normal with variance 2 sigma^2. A one-dimensional trapezoidal rule in g,
 * step h: the poles of a at t = i pi stand pi/(sqrt 2 sigma) off the line, so exp(-2 pi^2/(sqrt 2 sigma h))
 * is the error; h = min(0.3, 0.3/sigma) puts it below exp(-46). */
static void two_logits(double sigma, double *squares, double *entropy) {
    const double h = fmin(0.3, 0.3 / sigma);
    *squares = *entropy = 0;
    for (double k = -floor(14 / h); k * h <= 14; k++) {
        const double g = k * h, t = fabs(M_SQRT2 * sigma * g), e = exp(-t);
        const double weight = h * exp(-g * g / 2) / sqrt(2 * M_PI);
        *squares += weight * (1 + e * e) / ((1 + e) * (1 + e));
        *entropy += weight * (log1p(e) + t * e / (1 + e));
    }
}

static void check_two_logits(double sigma) {
    double squares, entropy;
    two_logits(sigma, &squares, &entropy);
    LEM_CHECK_NEAR(lem_softmax_gaussian_sum_squares(2, sigma), squares, 1e-12 * squares);
    LEM_CHECK_NEAR(lem_softmax_gaussian_entropy(2, sigma), entropy, 1e-12 * entropy);
}

static void two_logits_are_logistic_normal(void) {
    static const double sigma[] = {1e-8, 0.01, 0.3, 0.49, 0.5, 0.51, 1, 2, 7, 30, 300, 1000};
    for (size_t i = 0; i < sizeof sigma / sizeof *sigma; i++)
        check_two_logits(sigma[i]);
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 9, lem_stream_id("test_gaussian"), 2, 0) == 0, "%s", lem_last_error());
    for (int round = 0; round < 20 * lem_tap_effort() + 1; round++)
        check_two_logits(exp(-5 + 11.9 * lem_uniform(&stream)));
}

/* Small sigma, to first order in s = sigma^2: E sum a^2 = (1/n)(1 + s (1 - 1/n)) and H = log n - (s/2)(1 -
 * 1/n). The next term of log E sum a^2 and of H is below 4 s^2. */
static void small_sigma_limit(void) {
    static const double n[] = {2, 3, 10, 1e3, 1e10, 1e100, 1e300};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        for (double sigma = 1e-7; sigma < 0.1; sigma *= 10) {
            const double s = sigma * sigma, rest = 4 * s * s;
            LEM_CHECK_NEAR(n[i] * lem_softmax_gaussian_sum_squares(n[i], sigma), 1 + s * (1 - 1 / n[i]),
                           rest + 1e-12);
            LEM_CHECK_NEAR(lem_softmax_gaussian_entropy(n[i], sigma), log(n[i]) - s / 2 * (1 - 1 / n[i]),
                           rest + 1e-13 * (1 + log(n[i])));
        }
}

/* Without condensation, n -> infinity: E sum a^2 -> e^(s)/n and H -> log n - s/2. The relative variance of
 * the normaliser is (e^s - 1)/n and each correction a small multiple of e^(5 s)/n: at n >= 1e30, s <= 4 below
 * 1e-20. At n = 1e300, sigma = 18 the mean of the squares is carried by values near 36, and the condensed
 * phase adds n^-0.094 = e^-64 of it (claim ascale.annealed-breakdown). */
static void many_logits(void) {
    for (double sigma = 0.05; sigma <= 2; sigma += 0.15)
        for (double n = 1e30; n < 1e301; n *= 1e90) {
            const double s = sigma * sigma;
            LEM_CHECK_NEAR(n * lem_softmax_gaussian_sum_squares(n, sigma) / exp(s), 1, 1e-12);
            LEM_CHECK_NEAR(lem_softmax_gaussian_entropy(n, sigma), log(n) - s / 2, 1e-13 * (1 + log(n)));
        }
    LEM_CHECK_NEAR(log(lem_softmax_gaussian_sum_squares(1e300, 18)), 324 - 300 * log(10), 1e-10);
}

/* The method changes at sigma = 1/2: both sides meet. */
static void both_methods_meet(void) {
    for (double n = 2; n < 1e300; n = n * n) {
        const double below = lem_softmax_gaussian_sum_squares(n, 0.5),
                     above = lem_softmax_gaussian_sum_squares(n, nextafter(0.5, 1));
        LEM_CHECK_NEAR(below / above, 1, 1e-12);
        LEM_CHECK_NEAR(lem_softmax_gaussian_entropy(n, 0.5),
                       lem_softmax_gaussian_entropy(n, nextafter(0.5, 1)), 1e-13 * (1 + log(n)));
    }
}

/* Jensen and Renyi: 1/n <= E sum a^2 <= 1, -log E sum a^2 <= E H <= log n; both monotone in sigma. */
static void bounds_and_order(void) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 7, lem_stream_id("test_gaussian"), 0, 0) == 0, "%s", lem_last_error());
    for (int round = 0; round < 40 * lem_tap_effort() + 1; round++) {
        const double n = floor(exp(1 + lem_uniform(&stream) * (round % 3 == 0 ? 680 : 10)));
        const double sigma = exp(-4 + 9 * lem_uniform(&stream));
        const double squares = lem_softmax_gaussian_sum_squares(n, sigma),
                     entropy = lem_softmax_gaussian_entropy(n, sigma);
        LEM_CHECK(squares >= (1 - 1e-12) / n && squares <= 1 + 1e-12, "n = %g, sigma = %g: %g", n, sigma,
                  squares);
        LEM_CHECK(entropy >= -log(squares) - 1e-12 && entropy <= log(n) + 1e-12 * (1 + log(n)),
                  "n = %g, sigma = %g: %g", n, sigma, entropy);
        LEM_CHECK(lem_softmax_gaussian_sum_squares(n, 1.2 * sigma) > squares, "n = %g, sigma = %g", n, sigma);
        LEM_CHECK(lem_softmax_gaussian_entropy(n, 1.2 * sigma) < entropy, "n = %g, sigma = %g", n, sigma);
    }
}

/* A draw: the mean over rows within 6 standard errors, four comparisons of false-alarm rate 2e-9 each (the
 * values lie in [0, 1] and [0, log n], and 4000 rows make the mean normal enough that far out). */
static void agrees_with_sampling(void) {
    enum { ROWS = 4000, MOST = 200 };
    static const struct {
        size_t n;
        double sigma;
    } at[] = {{3, 1.5}, {MOST, 4}};
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 8, lem_stream_id("test_gaussian"), 1, 0) == 0, "%s", lem_last_error());
    for (size_t c = 0; c < 2; c++) {
        lem_moments squares, entropy;
        lem_moments_init(&squares), lem_moments_init(&entropy);
        for (int row = 0; row < ROWS; row++) {
            double z[MOST], sum = 0, sum_squares = 0, sum_log = 0;
            LEM_CHECK(lem_normal_fill(&stream, at[c].n, z) == 0, "%s", lem_last_error());
            for (size_t j = 0; j < at[c].n; j++) {
                const double u = exp(at[c].sigma * z[j]);
                sum += u, sum_squares += u * u, sum_log += u * log(u);
            }
            lem_moments_add(&squares, sum_squares / (sum * sum));
            lem_moments_add(&entropy, log(sum) - sum_log / sum);
        }
        const double n = (double)at[c].n;
        LEM_CHECK_NEAR(lem_moments_mean(&squares), lem_softmax_gaussian_sum_squares(n, at[c].sigma),
                       6 * lem_moments_stderr(&squares));
        LEM_CHECK_NEAR(lem_moments_mean(&entropy), lem_softmax_gaussian_entropy(n, at[c].sigma),
                       6 * lem_moments_stderr(&entropy));
    }
}

static int failed(double value) {
    return isnan(value) ? GSL_EDOM : 0;
}

static void edges_and_bad_input(void) {
    LEM_CHECK(lem_softmax_gaussian_sum_squares(1, 3) == 1 && lem_softmax_gaussian_entropy(1, 3) == 0,
              "n = 1");
    LEM_CHECK(lem_softmax_gaussian_sum_squares(8, 0) == 0.125, "sigma = 0");
    LEM_CHECK(lem_softmax_gaussian_entropy(8, 0) == log(8), "sigma = 0");
    static const double bad_n[] = {0, 0.5, -3, 2.5, NAN, INFINITY, 1e301};
    static const double bad_sigma[] = {-1e-300, 1000.001, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad_n / sizeof *bad_n; i++) {
        LEM_CHECK_ERROR(failed(lem_softmax_gaussian_sum_squares(bad_n[i], 1)), "n = |whole number");
        LEM_CHECK_ERROR(failed(lem_softmax_gaussian_entropy(bad_n[i], 1)), "n = |whole number");
    }
    for (size_t i = 0; i < sizeof bad_sigma / sizeof *bad_sigma; i++) {
        LEM_CHECK_ERROR(failed(lem_softmax_gaussian_sum_squares(2, bad_sigma[i])), "sigma = |>= 0");
        LEM_CHECK_ERROR(failed(lem_softmax_gaussian_entropy(2, bad_sigma[i])), "sigma = |>= 0");
    }
}

static const lem_tap_case cases[] = {
    {"two logits: logistic-normal integrals", two_logits_are_logistic_normal},
    {"small sigma", small_sigma_limit},
    {"many logits", many_logits},
    {"both methods meet at sigma = 1/2", both_methods_meet},
    {"bounds and order", bounds_and_order},
    {"sampled rows", agrees_with_sampling},
    {"edges, and bad input is refused by name", edges_and_bad_input},
};

LEM_TAP_MAIN(cases)
