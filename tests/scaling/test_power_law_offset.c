#include "linalg/matrices.h"
#include "rng/stream.h"
#include "scaling/power_law_offset.h"
#include "stat/distribution.h"
#include "stat/interval.h"
#include "stat/regression.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>

enum { MOST = 99 };
static test_rng rng = {1};

static double between(double low, double high) {
    return low + (high - low) * (test_unit(&rng) + 1) / 2;
}

typedef struct {
    size_t m;
    double n[MOST], L[MOST], w[MOST], E, A, alpha;
} sample;

/* Exact values on a random grid of two decades or more. */
static void draw(sample *s) {
    s->m = (size_t)between(6, MOST);
    s->E = between(-3, 3);
    s->A = between(0.5, 3) * (between(-1, 1) < 0 ? -1 : 1);
    s->alpha = between(0.1, 2);
    const double first = exp(between(-5, 10)), decades = between(2, 4);
    for (size_t i = 0; i < s->m; i++) {
        const double u = (double)i / (double)(s->m - 1);
        s->n[i] = first * pow(10, decades * u);
        s->L[i] = s->E + s->A * pow(s->n[i] / first, -s->alpha);
        s->w[i] = between(0.5, 2);
    }
    s->A *= pow(first, s->alpha);
}

/* Rounding of L, a few epsilons of |E| + |A| <= 6, over the part of L that bends: with two decades and alpha
 * >= 0.1 the columns 1, u, u log u are independent to 3e-3, so that the exponent keeps 1e-10. */
static void test_exact_data(void) {
    for (int i = 0; i < 200; i++) {
        sample s;
        lem_power_law_offset fit;
        draw(&s);
        LEM_CHECK(lem_power_law_offset_fit(s.m, s.n, s.L, i % 2 ? s.w : NULL, &fit) == 0, "%s",
                  lem_last_error());
        LEM_CHECK_NEAR(fit.alpha, s.alpha, 1e-10);
        LEM_CHECK_NEAR(fit.E, s.E, 1e-9);
        LEM_CHECK_NEAR(fit.A / s.A, 1, 1e-8);
        LEM_CHECK(fit.df == (double)s.m - 3 && fit.chisq < 1e-20, "chisq = %g", fit.chisq);
    }
}

static double chisq_of(const sample *s, double E, double A, double alpha) {
    double sum = 0;
    for (size_t i = 0; i < s->m; i++) {
        const double r = s->w[i] * (s->L[i] - E - A * pow(s->n[i], -alpha));
        sum += r * r;
    }
    return sum;
}

/* With noise: no neighbour in the ellipse of the covariance is better, and the sum grows there as it should:
 * by chisq/df for each standard error, when the other two constants follow. */
static void test_minimum(void) {
    for (int i = 0; i < 100; i++) {
        sample s;
        lem_power_law_offset fit;
        draw(&s);
        for (size_t k = 0; k < s.m; k++)
            s.L[k] += between(-1e-4, 1e-4);
        LEM_CHECK(lem_power_law_offset_fit(s.m, s.n, s.L, s.w, &fit) == 0, "%s", lem_last_error());
        const double here = chisq_of(&s, fit.E, fit.A, fit.alpha);
        LEM_CHECK_NEAR(here / fit.chisq, 1, 1e-6);
        for (int j = 0; j < 3; j++)
            for (int side = -1; side <= 1; side += 2) {
                const double step = side * 0.1 / sqrt(fit.covariance[j][j]);
                const double there =
                    chisq_of(&s, fit.E + step * fit.covariance[0][j], fit.A + step * fit.covariance[1][j],
                             fit.alpha + step * fit.covariance[2][j]);
                /* 0.1 standard errors: 0.01 chisq/df, and the cubic term beside it */
                LEM_CHECK_NEAR((there - here) / (0.01 * fit.chisq / fit.df), 1, 0.1);
            }
    }
}

/* A unit of n multiplies A, one of L multiplies A and E; the exponent and its error stay. */
static void test_units(void) {
    for (int i = 0; i < 100; i++) {
        sample s, t;
        lem_power_law_offset a, b;
        draw(&s);
        for (size_t k = 0; k < s.m; k++)
            s.L[k] += between(-1e-3, 1e-3);
        t = s;
        const double unit_n = exp(between(-20, 20)), unit_L = exp(between(-20, 20));
        for (size_t k = 0; k < s.m; k++) {
            t.n[k] *= unit_n;
            t.L[k] *= unit_L;
        }
        LEM_CHECK(lem_power_law_offset_fit(s.m, s.n, s.L, s.w, &a) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_power_law_offset_fit(t.m, t.n, t.L, t.w, &b) == 0, "%s", lem_last_error());
        LEM_CHECK_NEAR(b.alpha, a.alpha, 1e-9);
        LEM_CHECK_NEAR(b.E / unit_L, a.E, 1e-8);
        LEM_CHECK_NEAR(b.A / a.A / (unit_L * pow(unit_n, a.alpha)), 1, 1e-7);
        LEM_CHECK_NEAR(sqrt(b.covariance[2][2] / a.covariance[2][2]), 1, 1e-6);
    }
}

/* --- coverage ------------------------------------------------------------------------------------ */

static bool covers(const lem_power_law_offset *fit, double alpha) {
    return fabs(fit->alpha - alpha) <=
           lem_t_quantile(0.025, fit->df, LEM_UPPER) * sqrt(fit->covariance[2][2]);
}

/* The true coverage of a 95% interval lies in [low, high], unless chance of 1e-6 has it. */
static void check_coverage(uint64_t hits, uint64_t trials, double low, double high, const char *what) {
    lem_interval interval;
    LEM_CHECK(lem_clopper_pearson(hits, trials, 1e-6, LEM_TWO_SIDED, &interval) == 0, "%s", lem_last_error());
    LEM_CHECK(interval.upper >= low && interval.lower <= high, "%s: %g of %g covered", what, (double)hits,
              (double)trials);
}

/* Normal errors, small beside the bend: the interval is that of linear regression, exact but for the
 * curvature. */
static void test_normal_errors(void) {
    const uint64_t trials = (uint64_t)(2000 * fmin(1, lem_tap_effort()) + 100);
    uint64_t hits = 0;
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 7, lem_stream_id("test"), lem_stream_id("offset"), 0) == 0, "stream");
    double n[20], L[20], w[20], z[20];
    for (uint64_t t = 0; t < trials; t++) {
        lem_power_law_offset fit;
        LEM_CHECK(lem_normal_fill(&stream, 20, z) == 0, "%s", lem_last_error());
        for (int i = 0; i < 20; i++) {
            n[i] = pow(2, i * 0.5);
            w[i] = 1 + i;
            L[i] = 1.7 + 3 * pow(n[i], -0.5) + 1e-3 / w[i] * z[i];
        }
        LEM_CHECK(lem_power_law_offset_fit(20, n, L, w, &fit) == 0, "%s", lem_last_error());
        hits += covers(&fit, 0.5);
    }
    check_coverage(hits, trials, 0.94, 0.96, "normal errors");
}

/* Counts cut to whole numbers, floor(c x^-1.5), x = 1..99: the cut takes half a count from each on average. A
 * power law without offset takes that for a steeper law, and its interval misses; the offset absorbs it. */
static void test_truncated_counts(void) {
    enum { N = 99 };
    const uint64_t trials = (uint64_t)(500 * fmin(1, lem_tap_effort()) + 50);
    uint64_t with = 0, without = 0;
    double x[N], y[N];
    for (uint64_t t = 0; t <= trials; t++) {
        const double c = t ? between(5e3, 2e4) : 1e4;
        lem_power_law_offset fit;
        lem_power_law plain;
        lem_interval interval;
        for (int i = 0; i < N; i++) {
            x[i] = i + 1;
            y[i] = floor(c * pow(x[i], -1.5));
        }
        LEM_CHECK(lem_power_law_offset_fit(N, x, y, NULL, &fit) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_fit_power_law(N, x, y, NULL, &plain) == 0, "%s", lem_last_error());
        LEM_CHECK(lem_power_law_interval(&plain, 0.05, LEM_TWO_SIDED, &interval) == 0, "%s",
                  lem_last_error());
        const bool in = -1.5 >= interval.lower && -1.5 <= interval.upper;
        if (t == 0) {
            LEM_CHECK(covers(&fit, 1.5), "alpha = %g, standard error %g", fit.alpha,
                      sqrt(fit.covariance[2][2]));
            LEM_CHECK(!in, "the interval without an offset, %g to %g", interval.lower, interval.upper);
            LEM_CHECK_NEAR(fit.E, -0.5, 5 * sqrt(fit.covariance[0][0]));
            continue;
        }
        with += covers(&fit, 1.5);
        without += in;
    }
    /* the errors are uniform and small beside the bend: as for normal ones */
    check_coverage(with, trials, 0.93, 0.97, "counts");
    LEM_CHECK(without < trials / 10, "without an offset %g of %g", (double)without, (double)trials);
}

/* --- refusals ------------------------------------------------------------------------------------ */

static void test_bad_input(void) {
    double n[] = {1, 2, 4, 8, 16}, L[] = {3, 2, 1.5, 1.25, 1.125}, w[] = {1, 1, 1, 1, 1};
    lem_power_law_offset fit = {.alpha = 7};
    LEM_CHECK_ERROR(lem_power_law_offset_fit(5, NULL, L, w, &fit), "null");
    LEM_CHECK_ERROR(lem_power_law_offset_fit(5, n, L, w, NULL), "fit|null");
    LEM_CHECK_ERROR(lem_power_law_offset_fit(3, n, L, w, &fit), "m = 3|at least 4");
    n[1] = 1;
    n[2] = 16;
    LEM_CHECK_ERROR(lem_power_law_offset_fit(5, n, L, w, &fit), "3 different n|at least 4");
    n[1] = 0;
    n[2] = 4;
    LEM_CHECK_ERROR(lem_power_law_offset_fit(5, n, L, w, &fit), "point 2|n = 0|positive");
    n[1] = 2;
    L[3] = NAN;
    LEM_CHECK_ERROR(lem_power_law_offset_fit(5, n, L, w, &fit), "point 4|L = nan|finite");
    L[3] = 1.25;
    w[4] = -1;
    LEM_CHECK_ERROR(lem_power_law_offset_fit(5, n, L, w, &fit), "point 5|w = -1|positive");
    w[4] = 1;
    for (int i = 0; i < 5; i++)
        L[i] = 3 - log(n[i]) + 1e-3 * (i % 2);
    LEM_CHECK_ERROR(lem_power_law_offset_fit(5, n, L, w, &fit), "straight line in log n");
    const double step[] = {9, 1, 1.0001, 0.9999, 1.00005};
    LEM_CHECK_ERROR(lem_power_law_offset_fit(5, n, step, w, &fit), "a constant|inf");
    LEM_CHECK_NEAR(fit.alpha, 7, 0);
}

static const lem_tap_case cases[] = {
    {"exact data come back", test_exact_data},
    {"it is the minimum, with its covariance", test_minimum},
    {"units", test_units},
    {"intervals cover: normal errors", test_normal_errors},
    {"intervals cover: counts cut to whole numbers", test_truncated_counts},
    {"bad input", test_bad_input},
};
LEM_TAP_MAIN(cases)
