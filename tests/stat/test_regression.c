/* Power-law fits: exact recovery, coverage of the slope's interval, the law of chi-square, errors both ways.
 */
#include "coverage.h"
#include "stat/regression.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { POINTS = 7, REPEATS = 10000 };

static const double grid[POINTS] = {1, 2, 5, 10, 30, 100, 1000};
static const double relative_error[POINTS] = {0.1, 0.02, 0.05, 0.3, 0.1, 0.07, 0.2};
static const double true_exponent = -0.5, true_factor = 3;

typedef struct {
    size_t n;
    double alpha;
    double scale; /* true errors / stated errors */
} setting;

static int fit_noisy(lem_stream *stream, const setting *s, lem_power_law *fit) {
    double z[POINTS], y[POINTS], stderrs[POINTS];
    int status = lem_normal_fill(stream, s->n, z);
    for (size_t i = 0; i < s->n; i++) {
        y[i] = true_factor * pow(grid[i], true_exponent) * exp(s->scale * relative_error[i] * z[i]);
        stderrs[i] = relative_error[i] * y[i];
    }
    return status ? status : lem_fit_power_law(s->n, grid, y, stderrs, fit);
}

/* Hits of the three sides, of |z| <= 1.96 with the formal errors (exponent, factor), and of tail <= 0.01. */
static int fit_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                     const void *ctx) {
    (void)first, (void)workspace;
    const setting *s = ctx;
    static const lem_side sides[] = {LEM_TWO_SIDED, LEM_LOWER_BOUND, LEM_UPPER_BOUND};
    for (size_t i = 0; i < count; i++) {
        lem_power_law fit;
        int status = fit_noisy(stream, s, &fit);
        for (int side = 0; side < 3 && !status; side++) {
            lem_interval interval;
            status = lem_power_law_interval(&fit, s->alpha, sides[side], &interval);
            if (!status)
                out->counts[side] += interval.lower <= true_exponent && true_exponent <= interval.upper;
        }
        if (status)
            return status;
        out->counts[3] += fabs(fit.exponent - true_exponent) <= 1.96 * fit.exponent_stderr_formal;
        out->counts[4] += fabs(fit.log_factor - log(true_factor)) <= 1.96 * fit.log_factor_stderr_formal;
        out->counts[5] += fit.tail <= 0.01;
    }
    return GSL_SUCCESS;
}

/* The noise of log y is normal and the weights are exact, so the t interval is, whatever the common scale. */
static void test_coverage(void) {
    static const setting settings[] = {{3, 0.05, 1}, {4, 0.01, 5}, {7, 0.3, 0.1}, {7, 0.001, 1}};
    for (size_t s = 0; s < 4; s++) {
        uint64_t hits[6];
        char purpose[40];
        (void)snprintf(purpose, sizeof purpose, "power law %zu", s);
        count_hits(purpose, REPEATS, fit_chunk, &settings[s], 6, hits);
        check_count("two-sided", hits[0], REPEATS, 1 - settings[s].alpha);
        check_count("lower bound", hits[1], REPEATS, 1 - settings[s].alpha);
        check_count("upper bound", hits[2], REPEATS, 1 - settings[s].alpha);
        if (settings[s].scale != 1)
            continue;
        double normal = 1 - 2 * lem_normal_cdf(1.96, LEM_UPPER);
        check_count("formal error of the exponent", hits[3], REPEATS, normal);
        check_count("formal error of the factor", hits[4], REPEATS, normal);
        check_count("chi-square below 0.01", hits[5], REPEATS, 0.01);
    }
}

static void test_exact_recovery(void) {
    static const double exponents[] = {-3, -0.5, 0, 1, 2.5};
    for (int e = 0; e < 5; e++)
        for (int scale = -200; scale <= 200; scale += 100) {
            double y[POINTS], stderrs[POINTS], factor = pow(10, scale / 2.0);
            for (size_t i = 0; i < POINTS; i++) {
                y[i] = factor * pow(grid[i], exponents[e]);
                stderrs[i] = y[i] * relative_error[i];
            }
            for (int weighted = 0; weighted < 2; weighted++) {
                lem_power_law fit;
                LEM_CHECK(lem_fit_power_law(POINTS, grid, y, weighted ? stderrs : NULL, &fit) == 0, "%s",
                          lem_last_error());
                /* log y carries an absolute error of eps (|log y| + 3); the slope that over the spread of log
                 * x. */
                double error = 8 * DBL_EPSILON * (fabs(log(factor)) + 25);
                LEM_CHECK_NEAR(fit.exponent, exponents[e], error);
                LEM_CHECK_NEAR(fit.log_factor, log(factor), 4 * error);
                LEM_CHECK(fit.exponent_stderr <= error * 10 && fit.df == POINTS - 2, "error %g",
                          fit.exponent_stderr);
                LEM_CHECK(weighted ? fit.tail > 0.999999 : isnan(fit.tail), "tail %g", fit.tail);
            }
        }
}

/* Three points, worked by hand: log x = 0, 1, 2; log y = 0, 1, 1; equal weights: b = 1/2, a = 1/6,
 * residuals -1/6, 1/3, -1/6. */
static void test_by_hand(void) {
    const double e = exp(1), x[] = {1, e, e * e}, y[] = {1, e, e};
    lem_power_law fit;
    lem_interval i;
    LEM_CHECK(lem_fit_power_law(3, x, y, NULL, &fit) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(fit.exponent, 0.5, 1e-14);
    LEM_CHECK_NEAR(fit.log_factor, 1.0 / 6, 1e-14);
    LEM_CHECK_NEAR(fit.chisq, 1.0 / 6, 1e-14);
    LEM_CHECK_NEAR(fit.exponent_stderr, sqrt(1.0 / 12), 1e-14);
    LEM_CHECK_NEAR(fit.exponent_stderr_formal, sqrt(0.5), 1e-14);
    LEM_CHECK_NEAR(fit.log_factor_stderr, sqrt((1.0 / 3 + 0.5) / 6), 1e-14);
    LEM_CHECK(lem_power_law_interval(&fit, 0.5, LEM_TWO_SIDED, &i) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(i.upper, 0.5 + sqrt(1.0 / 12), 1e-9); /* Cauchy's quartile is 1 */
}

/* A point of no weight changes nothing; units of x and y move the factor alone. */
static void test_invariance(void) {
    const double x[] = {1, 3, 8, 20}, y[] = {5, 3, 2.5, 1}, stderrs[] = {0.5, 0.2, 0.3, 0.1};
    double scaled_x[4], scaled_y[4], scaled_stderrs[4];
    lem_power_law fit, scaled, more;
    LEM_CHECK(lem_fit_power_law(4, x, y, stderrs, &fit) == 0, "%s", lem_last_error());
    for (int i = 0; i < 4; i++) {
        scaled_x[i] = 1e100 * x[i];
        scaled_y[i] = 1e-100 * y[i];
        scaled_stderrs[i] = 1e-100 * stderrs[i];
    }
    LEM_CHECK(lem_fit_power_law(4, scaled_x, scaled_y, scaled_stderrs, &scaled) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(scaled.exponent, fit.exponent, 1e-12);
    LEM_CHECK_NEAR(scaled.chisq, fit.chisq, 1e-10);
    LEM_CHECK_NEAR(scaled.exponent_stderr, fit.exponent_stderr, 1e-12);
    LEM_CHECK(lem_fit_power_law(5, (double[]){1, 3, 8, 20, 7}, (double[]){5, 3, 2.5, 1, 99},
                                (double[]){0.5, 0.2, 0.3, 0.1, 1e12}, &more) == 0,
              "%s", lem_last_error());
    LEM_CHECK_NEAR(more.exponent, fit.exponent, 1e-12);
}

static void test_refused(void) {
    const double good[] = {1, 2, 3};
    lem_power_law fit = {.df = 1};
    lem_interval i;
    LEM_CHECK_ERROR(lem_fit_power_law(2, good, good, NULL, &fit), "n = 2|>= 3");
    static const double bad[] = {0, -1, NAN, INFINITY};
    for (int b = 0; b < 4; b++) {
        const double values[] = {1, bad[b], 3};
        LEM_CHECK_ERROR(lem_fit_power_law(3, values, good, NULL, &fit), "x[1] = |> 0");
        LEM_CHECK_ERROR(lem_fit_power_law(3, good, values, NULL, &fit), "y[1] = |> 0");
        LEM_CHECK_ERROR(lem_fit_power_law(3, good, good, values, &fit), "stderrs[1] = |> 0");
    }
    LEM_CHECK_ERROR(lem_fit_power_law(3, (double[]){2, 2, 2}, good, NULL, &fit), "all equal|x[2] = 2");
    LEM_CHECK_ERROR(lem_fit_power_law(3, good, good, (double[]){1e-300, 1, 1}, &fit), "stderrs|one x");
    LEM_CHECK_ERROR(lem_fit_power_law(3, NULL, good, NULL, &fit), "x is null");
    LEM_CHECK_ERROR(lem_fit_power_law(3, good, good, NULL, NULL), "fit is null");
    LEM_CHECK_ERROR(lem_power_law_interval(&fit, 0, LEM_TWO_SIDED, &i), "alpha = 0");
    LEM_CHECK_ERROR(lem_power_law_interval(&fit, 0.1, LEM_TWO_SIDED, NULL), "out is null");
    LEM_CHECK_ERROR(lem_power_law_interval(&fit, 0.1, (lem_side)9, &i), "side = 9");
    LEM_CHECK_ERROR(lem_power_law_interval(NULL, 0.1, LEM_TWO_SIDED, &i), "fit is null");
}

static const lem_tap_case cases[] = {
    {"the exponent's interval covers as often as it says", test_coverage},
    {"a power law is recovered", test_exact_recovery},
    {"three points by hand", test_by_hand},
    {"units and weightless points", test_invariance},
    {"bad arguments are refused", test_refused},
};
LEM_TAP_MAIN(cases)
