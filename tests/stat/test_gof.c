/* Goodness of fit: tails against closed forms and against each other, false alarms counted both ways. */
#include "coverage.h"
#include "stat/gof.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_relative(double value, double exact, double relative) {
    LEM_CHECK_NEAR(value, exact, relative * fabs(exact));
}

/* n = 1: D = max(U, 1 - U), P(D >= d) = 2 (1 - d) for d >= 1/2.
 * n = 2: P(D < d) = 2 (2 d - 1/2)^2 for 1/4 <= d <= 1/2, 1 - 2 (1 - d)^2 above. */
static void test_closed_forms(void) {
    for (int i = 0; i <= 1000; i++) {
        double d = i / 1000.0;
        check_relative(lem_ks_tail(1, d), d <= 0.5 ? 1 : 2 * (1 - d), 1e-14);
        double two = d <= 0.25 ? 1 : d <= 0.5 ? 1 - 2 * pow(2 * d - 0.5, 2) : 2 * (1 - d) * (1 - d);
        check_relative(lem_ks_tail(2, d), two, 1e-13);
    }
    for (size_t n = 1; n <= 60; n++) { /* P(D >= d) = 2 (1 - d)^n for d >= 1 - 1/n, one side the half of it */
        double d = 1 - 0.7 / (double)n;
        check_relative(lem_ks_tail(n, d), d >= 0.5 ? 2 * pow(1 - d, (double)n) : 1, 1e-12);
        check_relative(lem_ks_tail_one_sided(n, d), pow(1 - d, (double)n), 1e-12);
    }
    LEM_CHECK_NEAR(1 - lem_ks_tail(10, 0.274), 0.6284796154565, 1e-13); /* Marsaglia, Tsang and Wang 2003 */
    LEM_CHECK(lem_ks_tail(5, 0) == 1 && lem_ks_tail(5, 0.1) == 1 && lem_ks_tail(5, 1) == 0 &&
                  lem_ks_tail(5, INFINITY) == 0 && lem_ks_tail_one_sided(5, 0) == 1,
              "the ends");
}

/* Durbin's matrix (Marsaglia, Tsang and Wang), an independent route to P(D < d): good for n d of a few. */
static double durbin(int n, double d) {
    int k = (int)(n * d) + 1, m = 2 * k - 1;
    double h = k - n * d;
    long double *H = calloc((size_t)(m * m), sizeof *H), *v = calloc((size_t)m, sizeof *v),
                *w = calloc((size_t)m, sizeof *w);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            H[i * m + j] = i - j + 1 >= 0;
    for (int i = 0; i < m; i++) {
        H[i * m] -= powl(h, i + 1);
        H[(m - 1) * m + i] -= powl(h, m - i);
    }
    H[(m - 1) * m] += 2 * h - 1 > 0 ? powl(2 * h - 1, m) : 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            for (int g = 2; g <= i - j + 1; g++)
                H[i * m + j] /= g;
    /* (H^n)_(k-1,k-1) n! / n^n, one step a factor i / n */
    v[k - 1] = 1;
    for (int step = 1; step <= n; step++) {
        for (int i = 0; i < m; i++) {
            w[i] = 0;
            for (int j = 0; j < m; j++)
                w[i] += H[i * m + j] * v[j];
            w[i] *= (long double)step / n;
        }
        memcpy(v, w, (size_t)m * sizeof *v);
    }
    double p = (double)v[k - 1];
    free(H);
    free(v);
    free(w);
    return p;
}

/* The matrix holds differences of powers: with n d <= 8 it loses up to 1e6 of long double's 1e-19. */
static void test_durbin(void) {
    static const int ns[] = {3, 4, 7, 10, 25, 60, 100, 300};
    for (int i = 0; i < 8; i++)
        for (int j = 1; j <= 40; j++) {
            double d = 0.5 / ns[i] + j * 0.19 / ns[i];
            if (d < 1)
                LEM_CHECK_NEAR(lem_ks_tail((size_t)ns[i], d), 1 - durbin(ns[i], d), 1e-12);
        }
}

/* Both sides of lambda extrapolated to it by cubics from distances h, 2 h, 3 h, 4 h. What is left of a smooth
 * function is h^4 times its fourth derivative, which is below 10 for log tail (-2 lambda^2 and corrections):
 * 3e-10 with both sides; rounding errors of 1e-13 are magnified 30 times. */
static double seam_in_d(size_t n, double lambda) {
    static const double weights[] = {4, -6, 4, -1};
    double difference = 0, h = 2e-3;
    for (int i = 0; i < 4; i++) {
        double below = lem_ks_tail(n, (lambda - h * (i + 1)) / sqrt((double)n));
        double above = lem_ks_tail(n, (lambda + h * (i + 1)) / sqrt((double)n));
        difference += weights[i] * log(below / above);
    }
    return difference;
}

/* The routes meet where one takes over from another. */
static void test_seams(void) {
    static const size_t ns[] = {20, 57, 300, 2000, 4096, 4097, 30000};
    for (int i = 0; i < 7; i++) /* lambda = 2.2: from there on crossing both sides is not counted */
        LEM_CHECK_NEAR(seam_in_d(ns[i], 2.2), 0, 4e-10);
    /* n = 4096 | 4097: the exact walk and the expansion. The fourth difference of log tail in n, of size
     * (1/n)^(9/2), vanishes beside the stated accuracy. */
    for (double lambda = 0.4; lambda < 2.2; lambda += 0.1) {
        double t[4];
        for (int i = 0; i < 4; i++) {
            size_t n = 4095 + (size_t)i;
            t[i] = lem_ks_tail(n, lambda / sqrt((double)n));
        }
        double jump = (t[0] - 3 * t[1] + 3 * t[2] - t[3]) / 3 / t[1];
        double stated = t[1] < 0.1 ? 1e-10 : t[1] < 0.3 ? 1e-9 : 1e-8;
        LEM_CHECK(fabs(jump) < stated, "lambda %.1f: tail %.3g jumps by %.2g", lambda, t[1], jump);
    }
}

/* Kolmogorov's limit from far away: the tail at n = 1e12 is the limit at lambda + 1 / (6 sqrt n), and the far
 * tail of a large sample is 2 exp(-2 lambda^2). */
static void test_limit(void) {
    for (double lambda = 0.3; lambda < 6; lambda += 0.1) {
        double shifted = lambda + 1 / 6e6, limit = 0;
        for (int k = 40; k >= 1; k--)
            limit += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * shifted * shifted);
        /* The next terms are of order lambda^4 / n = 1e-9 relative. */
        check_relative(lem_ks_tail(1000000000000, lambda * 1e-6), limit, 1e-9 + 1e-13 / limit);
    }
    LEM_CHECK(lem_ks_tail(100000, 0.4) == 0, "underflow");
}

/* Every m-th term gives the sum of all: 2^15 terms of n = 2^15 + 1 (every second) against n itself. */
static double all_terms(double n, double d) {
    double sum = 0;
    for (double j = 0; j < n * (1 - d); j++) {
        double p = d + j / n; /* lgamma: 3e5 * 1e-16 = 1e-10 relative at most */
        sum +=
            d / p * exp(lgamma(n + 1) - lgamma(j + 1) - lgamma(n - j + 1) + j * log(p) + (n - j) * log1p(-p));
    }
    return sum;
}

static void test_stride(void) {
    for (double lambda = 0.2; lambda < 5; lambda += 0.6)
        check_relative(lem_ks_tail_one_sided(50000, lambda / sqrt(50000)),
                       all_terms(50000, lambda / sqrt(50000)), 5e-10);
}

static void test_critical(void) {
    static const size_t ns[] = {1, 2, 5, 40, 1000, 4096, 100000, 1000000000};
    static const double levels[] = {0.999, 0.5, 0.05, 1e-3, 1e-6, 1e-9, 1e-30, 1e-290};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            if (ns[i] == 4096 && levels[j] > 0.1)
                continue; /* the same route as n = 1000, and slow */
            /* d is right to a few roundings, the tail to its own accuracy. */
            double d = lem_ks_critical(ns[i], levels[j]), step = 4 * DBL_EPSILON * d;
            double below = lem_ks_tail(ns[i], d - step), above = lem_ks_tail(ns[i], d + step);
            LEM_CHECK(below >= levels[j] * (1 - 5e-12) && above <= levels[j] * (1 + 5e-12),
                      "n = %zu, level %g: tails %.15g and %.15g", ns[i], levels[j], below, above);
        }
}

/* --- distances --- */

static double uniform_cdf(double x, const void *ctx) {
    (void)ctx;
    return fmin(fmax(x, 0), 1);
}

static double bad_cdf(double x, const void *ctx) {
    return *(const double *)ctx + 0 * x;
}

static double falling_cdf(double x, const void *ctx) {
    (void)ctx;
    return 1 - x;
}

static void test_distances(void) {
    double d = NAN;
    LEM_CHECK(lem_ks_distance(1, (double[]){0.3}, uniform_cdf, NULL, &d) == 0 && d == 0.7, "%g", d);
    LEM_CHECK(lem_ks_distance(4, (double[]){0.1, 0.2, 0.3, 0.9}, uniform_cdf, NULL, &d) == 0, "%s",
              lem_last_error());
    LEM_CHECK_NEAR(d, 0.45, 1e-16); /* after 0.3: 3/4 - 0.3 */
    LEM_CHECK(lem_ks_distance(2, (double[]){0.9, 0.95}, uniform_cdf, NULL, &d) == 0 && d == 0.9,
              "below the first value the sample stands at 0: %g", d);
    LEM_CHECK(lem_ks_distance(4, (double[]){0.1, 0.7, 0.8, 0.9}, uniform_cdf, NULL, &d) == 0, "%s",
              lem_last_error());
    LEM_CHECK_NEAR(d, 0.45, 1e-16); /* before 0.7: 0.7 - 1/4 */
    LEM_CHECK(lem_ks_distance_two_sample(3, (double[]){1, 2, 3}, 2, (double[]){2, 5}, &d) == 0, "%s",
              lem_last_error());
    LEM_CHECK_NEAR(d, 0.5, 1e-16); /* at 3: 1 - 1/2; the tie at 2 counts as one point */
    LEM_CHECK(lem_ks_distance_two_sample(2, (double[]){1, 1}, 3, (double[]){1, 1, 1}, &d) == 0 && d == 0,
              "ties");
}

/* All n! m! orders: paths counted one by one. */
static double count_paths(int n, int m, int i, int j, int limit, double *total) {
    if (abs(i * m - j * n) >= limit) {
        double all = 1; /* every way on from here: C(n - i + m - j, n - i) */
        for (int k = 1; k <= n - i; k++)
            all = all * (m - j + k) / k;
        *total += all;
        return all;
    }
    if (i == n && j == m) {
        *total += 1;
        return 0;
    }
    double hit = 0;
    if (i < n)
        hit += count_paths(n, m, i + 1, j, limit, total);
    if (j < m)
        hit += count_paths(n, m, i, j + 1, limit, total);
    return hit;
}

static void test_two_sample(void) {
    static const int pairs[][2] = {{1, 1}, {1, 5}, {2, 3}, {4, 4}, {5, 3}, {7, 6}, {9, 4}};
    for (int p = 0; p < 7; p++) {
        int n = pairs[p][0], m = pairs[p][1];
        for (int limit = 1; limit <= n * m; limit++) {
            double total = 0, hit = count_paths(n, m, 0, 0, limit, &total);
            check_relative(lem_ks_tail_two_sample((size_t)n, (size_t)m, (double)limit / (n * m)), hit / total,
                           1e-13);
        }
    }
    /* n = m: P(D >= k/n) = 2 sum_(i>=1) (-1)^(i+1) C(2n, n - i k) / C(2n, n) (reflection); k > n / 2: one
     * term. */
    double term = 1;
    for (int i = 1; i <= 80; i++) /* C(200, 20) / C(200, 100) */
        term *= (100.0 - i + 1) / (100.0 + i);
    check_relative(lem_ks_tail_two_sample(100, 100, 0.8), 2 * term, 1e-12);
    LEM_CHECK(lem_ks_tail_two_sample(10, 10, 0) == 1 && lem_ks_tail_two_sample(10, 10, 1.1) == 0, "ends");
}

/* --- false alarms --- */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { KS_N = 50, CELLS = 8, DRAWS = 2000, REPEATS = 10000 };
static double ks_critical[2];

static int ks_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                    const void *ctx) {
    (void)first, (void)workspace, (void)ctx;
    for (size_t i = 0; i < count; i++) {
        double x[KS_N], d = NAN;
        int status = lem_uniform_fill(stream, KS_N, x);
        if (status)
            return status;
        qsort(x, KS_N, sizeof *x, compare_doubles);
        status = lem_ks_distance(KS_N, x, uniform_cdf, NULL, &d);
        if (status)
            return status;
        out->counts[0] += d >= ks_critical[0];
        out->counts[1] += d >= ks_critical[1];
        double p = lem_ks_tail(KS_N, d);
        out->counts[2] += p <= 1e-2;
    }
    return GSL_SUCCESS;
}

static void test_ks_false_alarms(void) {
    uint64_t alarms[3];
    ks_critical[0] = lem_ks_critical(KS_N, 1e-2);
    ks_critical[1] = lem_ks_critical(KS_N, 1e-3);
    count_hits("ks", REPEATS, ks_chunk, NULL, 3, alarms);
    check_count("KS at 1e-2", alarms[0], REPEATS, 1e-2);
    check_count("KS at 1e-3", alarms[1], REPEATS, 1e-3);
    LEM_CHECK(alarms[2] == alarms[0], "critical value and tail disagree: %llu, %llu",
              (unsigned long long)alarms[0], (unsigned long long)alarms[2]);
}

/* A wrong law is noticed: uniform against x^1.5, n = 2000; D is near max |x - x^1.5| = 0.148. */
static double power_cdf(double x, const void *ctx) {
    (void)ctx;
    return pow(x, 1.5);
}

static void test_ks_power(void) {
    double x[2000], d = NAN;
    lem_stream stream;
    LEM_CHECK(!lem_stream_init(&stream, 5, 1, 2, 3) && !lem_uniform_fill(&stream, 2000, x), "%s",
              lem_last_error());
    qsort(x, 2000, sizeof *x, compare_doubles);
    LEM_CHECK(lem_ks_distance(2000, x, power_cdf, NULL, &d) == 0, "%s", lem_last_error());
    /* D >= 0.148 - 0.07, since P(D_n >= 0.07) = 2 exp(-2 * 2000 * 0.0049) = 6e-9 */
    LEM_CHECK(lem_ks_tail(2000, d) < 1e-9, "tail %g at d = %g", lem_ks_tail(2000, d), d);
}

/* --- chi-square --- */

static const double cell_probabilities[CELLS] = {0.3, 0.004, 0.2, 0.1, 0.05, 0.25, 0.0949, 0.0011};

static int chisq_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                       const void *ctx) {
    (void)first, (void)workspace, (void)ctx;
    for (size_t i = 0; i < count; i++) {
        double u[DRAWS];
        uint64_t cells[CELLS] = {0};
        int status = lem_uniform_fill(stream, DRAWS, u);
        if (status)
            return status;
        for (size_t j = 0; j < DRAWS; j++) {
            double rest = u[j];
            size_t c = 0;
            while (c < CELLS - 1 && rest >= cell_probabilities[c])
                rest -= cell_probabilities[c++];
            cells[c]++;
        }
        lem_chisq_result r;
        status = lem_chisq_test(CELLS, cells, cell_probabilities, &r);
        if (status)
            return status;
        out->counts[0] += r.tail <= 1e-2;
        out->counts[1] += r.tail <= 1e-3;
    }
    return GSL_SUCCESS;
}

/* The statistic is discrete and only close to chi-square: its cells expect 108 counts or more (the two small
 * ones are pooled away), and the first correction to the tail is of relative order (1/expected) x^2: below 10
 * % at these levels, which is allowed for on both sides. */
static void test_chisq_false_alarms(void) {
    uint64_t alarms[2];
    count_hits("chisq", REPEATS, chisq_chunk, NULL, 2, alarms);
    for (int i = 0; i < 2; i++) {
        double level = i ? 1e-3 : 1e-2;
        double low = lem_binomial_quantile(COVERAGE_ALARM, REPEATS, 0.9 * level, LEM_LOWER);
        double high = lem_binomial_quantile(COVERAGE_ALARM, REPEATS, 1.1 * level, LEM_UPPER);
        LEM_CHECK((double)alarms[i] >= low && (double)alarms[i] <= high,
                  "%llu alarms at %g, limits %g ... %g", (unsigned long long)alarms[i], level, low, high);
    }
}

static void test_chisq_pooling(void) {
    lem_chisq_result r;
    /* 100 counts: expected 5 5 | 30 | 4 26 | 24, and 6 left over that joins the last pool. */
    const double p[] = {0.05, 0.05, 0.3, 0.04, 0.26, 0.24, 0.06};
    const uint64_t counts[] = {4, 8, 25, 3, 30, 22, 8};
    LEM_CHECK(lem_chisq_test(7, counts, p, &r) == 0, "%s", lem_last_error());
    double statistic = 2.0 * 2 / 10 + 5.0 * 5 / 30 + 3.0 * 3 / 30 + 0;
    LEM_CHECK(r.cells == 4 && r.df == 3, "%zu cells", r.cells);
    LEM_CHECK_NEAR(r.statistic, statistic, 1e-12);
    LEM_CHECK_NEAR(r.tail, lem_chisq_cdf(statistic, 3, LEM_UPPER), 1e-12);
    LEM_CHECK(lem_chisq_test(2, (uint64_t[]){500, 500}, (double[]){0.5, 0.5}, &r) == 0 && r.statistic == 0 &&
                  r.tail == 1,
              "a perfect fit");
    /* (900 - 500)^2 / 500 * 2 = 640, one degree: P = erfc(sqrt(320)), computed as a tail. */
    LEM_CHECK(lem_chisq_test(2, (uint64_t[]){900, 100}, (double[]){0.5, 0.5}, &r) == 0, "%s",
              lem_last_error());
    check_relative(r.tail, erfc(sqrt(320)), 1e-11);
    LEM_CHECK(lem_chisq_test(3, (uint64_t[]){500, 499, 1}, (double[]){0.5, 0.5, 0}, &r) == 0 && r.tail == 0 &&
                  isinf(r.statistic),
              "an impossible cell that was hit");
}

#define CHECK_NAN(value, words)                                                                              \
    do {                                                                                                     \
        lem_clear_error();                                                                                   \
        double got = (value);                                                                                \
        LEM_CHECK_ERROR(isnan(got), words);                                                                  \
    } while (0)

static void test_refused(void) {
    double d = 7, nan = NAN, two = 2, less = -0.1;
    lem_chisq_result r;
    CHECK_NAN(lem_ks_tail(0, 0.5), "n = 0|>= 1");
    CHECK_NAN(lem_ks_tail(5, NAN), "d = |>= 0");
    CHECK_NAN(lem_ks_tail(5, -1), "d = -1|>= 0");
    CHECK_NAN(lem_ks_tail_one_sided(0, 0.5), "n = 0");
    CHECK_NAN(lem_ks_critical(5, 0), "level = 0");
    CHECK_NAN(lem_ks_critical(5, 1), "level = 1");
    CHECK_NAN(lem_ks_critical(5, NAN), "level = ");
    CHECK_NAN(lem_ks_tail_two_sample(0, 5, 0.5), "n = 0");
    CHECK_NAN(lem_ks_tail_two_sample(100000, 100000, 0.5), "n m <= 4e8");
    CHECK_NAN(lem_ks_tail_two_sample(10, 10, NAN), "d = ");
    LEM_CHECK_ERROR(lem_ks_distance(0, &d, uniform_cdf, NULL, &d), "n = 0|>= 1");
    LEM_CHECK_ERROR(lem_ks_distance(2, (double[]){0.2, 0.1}, uniform_cdf, NULL, &d), "sorted[1] = 0.1");
    LEM_CHECK_ERROR(lem_ks_distance(2, (double[]){0.2, NAN}, uniform_cdf, NULL, &d), "sorted[1] = ");
    LEM_CHECK_ERROR(lem_ks_distance(2, (double[]){0.1, 0.2}, falling_cdf, NULL, &d),
                    "cdf(0.2) = 0.8|decreasing");
    LEM_CHECK_ERROR(lem_ks_distance(1, (double[]){0.1}, bad_cdf, &nan, &d), "cdf(0.1)");
    LEM_CHECK_ERROR(lem_ks_distance(1, (double[]){0.1}, bad_cdf, &two, &d), "cdf(0.1) = 2");
    LEM_CHECK_ERROR(lem_ks_distance(1, (double[]){0.1}, bad_cdf, &less, &d), "cdf(0.1) = -0.1");
    LEM_CHECK_ERROR(lem_ks_distance(1, NULL, uniform_cdf, NULL, &d), "sorted is null");
    LEM_CHECK_ERROR(lem_ks_distance_two_sample(0, &d, 1, &d, &d), "x: |n = 0");
    LEM_CHECK_ERROR(lem_ks_distance_two_sample(1, &d, 2, (double[]){2, 1}, &d), "y[1] = 1");
    LEM_CHECK(d == 7, "left as it was");
    const uint64_t counts[] = {50, 50};
    LEM_CHECK_ERROR(lem_chisq_test(1, counts, (double[]){1}, &r), "cells = 1|>= 2");
    LEM_CHECK_ERROR(lem_chisq_test(2, counts, (double[]){0.5, 0.4}, &r), "sum to 0.9");
    LEM_CHECK_ERROR(lem_chisq_test(2, counts, (double[]){1.5, -0.5}, &r), "probabilities[0] = 1.5");
    LEM_CHECK_ERROR(lem_chisq_test(2, counts, (double[]){0.5, NAN}, &r), "probabilities[1]");
    LEM_CHECK_ERROR(lem_chisq_test(2, (uint64_t[]){5, 5}, (double[]){0.5, 0.5}, &r), "10 counts|two cells");
    LEM_CHECK_ERROR(lem_chisq_test(2, NULL, (double[]){0.5, 0.5}, &r), "counts is null");
}

static const lem_tap_case cases[] = {
    {"Kolmogorov-Smirnov tails in closed form", test_closed_forms},
    {"... against Durbin's matrix", test_durbin},
    {"... the routes meet at their seams", test_seams},
    {"... Kolmogorov's limit", test_limit},
    {"... every m-th term gives the sum of all", test_stride},
    {"critical values have the level as tail", test_critical},
    {"distances", test_distances},
    {"two samples against counted paths", test_two_sample},
    {"Kolmogorov-Smirnov false alarms", test_ks_false_alarms},
    {"Kolmogorov-Smirnov notices a wrong law", test_ks_power},
    {"chi-square false alarms", test_chisq_false_alarms},
    {"chi-square pooling and far tails", test_chisq_pooling},
    {"bad arguments are refused", test_refused},
};
LEM_TAP_MAIN(cases)
