/* Moments against two passes in long double, on samples that love edge cases. */
#include "rng/stream.h"
#include "stat/moments.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 20000 };
static double values[MAX_N], scratch[MAX_N];

typedef struct {
    double mean, m2, m3, m4;
    double a1, a3; /* sum of |x - mean|, |x - mean|^3: what the rounding errors of the odd sums scale with */
} exact_moments;

/* Valgrind computes long double with the digits of double; some machines have no more. */
static bool long_double_is_longer(void) {
    volatile long double one = 1, little = LDBL_EPSILON;
    return LDBL_EPSILON < DBL_EPSILON && one + little > one;
}
#define NEEDS_LONG_DOUBLE                                                                                    \
    do {                                                                                                     \
        if (!long_double_is_longer())                                                                        \
            LEM_SKIP("long double has no more digits than double here");                                     \
    } while (0)

static exact_moments two_pass(size_t n, const double *x) {
    long double sum = 0, m2 = 0, m3 = 0, m4 = 0, a1 = 0, a3 = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    long double mean = sum / (long double)n, rest = 0;
    for (size_t i = 0; i < n; i++)
        rest += x[i] - mean;
    mean += rest / (long double)n;
    for (size_t i = 0; i < n; i++) {
        long double d = x[i] - mean, d2 = d * d;
        m2 += d2;
        m3 += d2 * d;
        m4 += d2 * d2;
        a1 += fabsl(d);
        a3 += fabsl(d2 * d);
    }
    return (exact_moments){(double)mean, (double)m2, (double)m3, (double)m4, (double)a1, (double)a3};
}

/* Bulk addition: a block of 1024 sums 128 terms a lane and each term has three or four roundings, so the sums
 * are within about 128 + 8 epsilons of their absolute terms in the worst case and log2(n / 1024) merges add a
 * handful each: 200 epsilons. The mean is rounded to its own size, and the distance between two block means
 * carries that error into the merges: it moves the centre by up to e = 4 eps |mean|, which changes M_k by
 * k e A_(k-1), A_j = sum |x - mean|^j (and by higher powers of e, within the slack of the first). */
static void check_against_two_pass(const char *what, const lem_moments *m, size_t n, const double *x,
                                   double roundings) {
    exact_moments e = two_pass(n, x);
    double largest = fmax(fabs(m->min), fabs(m->max));
    double shift = 4 * DBL_EPSILON * largest;
    double eps = roundings * DBL_EPSILON;
    LEM_CHECK(m->n == n, "%s: n = %llu of %zu", what, (unsigned long long)m->n, n);
    LEM_CHECK(fabs(m->mean - e.mean) <= shift + eps * e.a1 / (double)n, "%s: mean %.17g, exact %.17g", what,
              m->mean, e.mean);
    LEM_CHECK(fabs(m->m2 - e.m2) <= eps * e.m2 + 2 * shift * e.a1 + (double)n * shift * shift,
              "%s: M2 %.17g, exact %.17g", what, m->m2, e.m2);
    LEM_CHECK(fabs(m->m3 - e.m3) <=
                  eps * e.a3 + 3 * shift * e.m2 + 3 * shift * shift * e.a1 + (double)n * pow(shift, 3),
              "%s: M3 %.17g, exact %.17g", what, m->m3, e.m3);
    LEM_CHECK(fabs(m->m4 - e.m4) <= eps * e.m4 + 4 * shift * e.a3 + 6 * shift * shift * e.m2 +
                                        4 * pow(shift, 3) * e.a1 + (double)n * pow(shift, 4),
              "%s: M4 %.17g, exact %.17g", what, m->m4, e.m4);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    LEM_CHECK(m->min == low && m->max == high, "%s: range %g %g, exact %g %g", what, m->min, m->max, low,
              high);
}

static const char *const shapes[] = {"normal",     "mean 1e9",    "tiny",         "huge",    "skewed",
                                     "two points", "one outlier", "nearly equal", "integers"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void draw(lem_stream *stream, size_t shape, size_t n, double *x) {
    LEM_CHECK(lem_normal_fill(stream, n, x) == 0, "%s", lem_last_error());
    for (size_t i = 0; i < n; i++) {
        double z = x[i];
        switch (shape) {
        case 0:
            break;
        case 1:
            x[i] = 1e9 + z;
            break;
        case 2:
            x[i] = z * 1e-70;
            break;
        case 3:
            x[i] = fmax(fmin(z, 5), -5) * 1e71;
            break;
        case 4:
            x[i] = exp(2 * z);
            break;
        case 5:
            x[i] = z > 0 ? 1 : -1;
            break;
        case 6:
            x[i] = i == n / 2 ? 1e8 : z;
            break;
        case 7:
            x[i] = 1 + (z > 0 ? DBL_EPSILON : 0);
            break;
        default:
            x[i] = floor(z * 10);
        }
    }
}

static size_t random_size(lem_stream *stream) {
    static const size_t edges[] = {1, 2, 3, 7, 8, 9, 1023, 1024, 1025, 2048, 4097, 3 * 1024, MAX_N};
    size_t k = (size_t)lem_integer(stream, 26);
    return k < 13 ? edges[k] : 1 + (size_t)lem_integer(stream, MAX_N);
}

static lem_stream test_stream(const char *purpose) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 20260101, lem_stream_id("test-moments"), lem_stream_id(purpose), 0) ==
                  0,
              "%s", lem_last_error());
    return stream;
}

static void test_two_pass(void) {
    NEEDS_LONG_DOUBLE;
    lem_stream stream = test_stream("two pass");
    size_t rounds = (size_t)ceil(20 * lem_tap_effort());
    for (size_t r = 0; r < rounds; r++)
        for (size_t shape = 0; shape < SHAPES; shape++) {
            size_t n = random_size(&stream);
            lem_moments m;
            draw(&stream, shape, n, values);
            lem_moments_init(&m);
            LEM_CHECK(lem_moments_add_array(&m, n, values) == 0, "%s", lem_last_error());
            check_against_two_pass(shapes[shape], &m, n, values, 200);
        }
}

/* M, M, M + u with u half a unit of the last place of the sum 3 M: the mean first taken is M, a third of u
 * (the standard deviation is 0.47 u) off, and the sums must be moved to M + u/3. All in small integers times
 * u/3. */
static void test_rounded_mean(void) {
    const double big = 0x1p30, u = 0x1p-22, x[] = {big, big, big + u};
    lem_moments m;
    lem_moments_init(&m);
    LEM_CHECK(lem_moments_add_array(&m, 3, x) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(m.m2 / (u * u), 2.0 / 3, 8 * DBL_EPSILON);
    LEM_CHECK_NEAR(m.m3 / (u * u * u), 2.0 / 9, 8 * DBL_EPSILON);
    LEM_CHECK_NEAR(m.m4 / (u * u * u * u), 2.0 / 9, 8 * DBL_EPSILON);
}

/* One at a time each of n updates rounds the mean anew; errors of n updates add up to n epsilons at worst. */
static void test_one_by_one(void) {
    NEEDS_LONG_DOUBLE;
    lem_stream stream = test_stream("one by one");
    for (size_t shape = 0; shape < SHAPES; shape++) {
        size_t n = 1 + (size_t)lem_integer(&stream, 50);
        lem_moments m;
        draw(&stream, shape, n, values);
        lem_moments_init(&m);
        for (size_t i = 0; i < n; i++)
            LEM_CHECK(lem_moments_add(&m, values[i]) == 0, "%s", lem_last_error());
        check_against_two_pass(shapes[shape], &m, n, values, 30 * (double)n);
    }
}

static void test_merge(void) {
    NEEDS_LONG_DOUBLE;
    lem_stream stream = test_stream("merge");
    size_t rounds = (size_t)ceil(10 * lem_tap_effort());
    for (size_t r = 0; r < rounds; r++)
        for (size_t shape = 0; shape < SHAPES; shape++) {
            size_t n = random_size(&stream), cut = (size_t)lem_integer(&stream, n + 1);
            lem_moments a, b;
            draw(&stream, shape, n, values);
            lem_moments_init(&a);
            lem_moments_init(&b);
            LEM_CHECK(lem_moments_add_array(&a, cut, values) == 0, "%s", lem_last_error());
            LEM_CHECK(lem_moments_add_array(&b, n - cut, values + cut) == 0, "%s", lem_last_error());
            lem_moments_merge(&a, &b);
            check_against_two_pass(shapes[shape], &a, n, values, 220);
        }
}

static void test_merge_identities(void) {
    lem_moments empty, one, m;
    lem_moments_init(&empty);
    lem_moments_init(&one);
    lem_moments_init(&m);
    LEM_CHECK(lem_moments_add(&one, 3.25) == 0, "%s", lem_last_error());
    lem_moments_merge(&m, &empty);
    LEM_CHECK(m.n == 0 && m.min == INFINITY && m.max == -INFINITY, "empty with empty is empty");
    lem_moments_merge(&m, &one);
    LEM_CHECK(memcmp(&m, &one, sizeof m) == 0, "empty is neutral on the left");
    lem_moments_merge(&m, &empty);
    LEM_CHECK(memcmp(&m, &one, sizeof m) == 0, "empty is neutral on the right");
    LEM_CHECK(m.n == 1 && m.mean == 3.25 && m.m2 == 0 && m.m3 == 0 && m.m4 == 0 && m.min == 3.25 &&
                  m.max == 3.25,
              "one value");

    /* {0, 1, 5} twice: mean 2; deviations -2, -1, 3: M2 = 14, M3 = 18, M4 = 98, all exact in binary but
     * for the thirds of the block mean, which is whole here. */
    const double three[] = {0, 1, 5};
    lem_moments_init(&m);
    LEM_CHECK(lem_moments_add_array(&m, 3, three) == 0, "%s", lem_last_error());
    LEM_CHECK(m.mean == 2 && m.m2 == 14 && m.m3 == 18 && m.m4 == 98, "%g %g %g %g", m.mean, m.m2, m.m3, m.m4);
    lem_moments_merge(&m, &m);
    LEM_CHECK(m.n == 6 && m.mean == 2 && m.m2 == 28 && m.m3 == 36 && m.m4 == 196, "with itself: %g %g %g %g",
              m.mean, m.m2, m.m3, m.m4);
}

/* A sample doubled 40 times by merging: 2^40 values; the moments per value do not change by a bit. */
static void test_huge_n(void) {
    lem_moments m;
    lem_moments_init(&m);
    const double three[] = {0, 1, 5};
    LEM_CHECK(lem_moments_add_array(&m, 3, three) == 0, "%s", lem_last_error());
    for (int i = 0; i < 40; i++)
        lem_moments_merge(&m, &m);
    double n = 3 * ldexp(1, 40);
    LEM_CHECK((double)m.n == n && m.mean == 2 && m.m2 / n == 14.0 / 3 && m.m4 / n == 98.0 / 3, "n = %llu",
              (unsigned long long)m.n);
    double expected = sqrt(14.0 / 3 / (n - 1));
    LEM_CHECK_NEAR(lem_moments_stderr(&m), expected, 4 * DBL_EPSILON * expected);
    LEM_CHECK(lem_moments_add(&m, 2) == 0 && m.mean == 2 && (double)m.n == n + 1, "one more, at the mean");
}

static void test_derived(void) {
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9}; /* mean 5, M2 = 32, M3 = 42, M4 = 356 */
    lem_moments m;
    lem_moments_init(&m);
    LEM_CHECK(lem_moments_add_array(&m, 8, x) == 0, "%s", lem_last_error());
    double eps = 8 * DBL_EPSILON;
    LEM_CHECK_NEAR(lem_moments_mean(&m), 5, 0);
    LEM_CHECK_NEAR(lem_moments_variance(&m), 32.0 / 7, eps * 5);
    LEM_CHECK_NEAR(lem_moments_stderr(&m), sqrt(4.0 / 7), eps);
    LEM_CHECK_NEAR(lem_moments_skewness(&m), 42.0 / 8 / 8, eps);
    LEM_CHECK_NEAR(lem_moments_kurtosis(&m), 356.0 / 8 / 16, eps * 3);
    LEM_CHECK_NEAR(lem_moments_variance_stderr(&m), sqrt((356.0 / 8 - 5.0 / 7 * 1024 / 49) / 8), eps * 2);
}

/* The standard errors are tested both ways. For N(0, 1) and n = 400: mean ~ N(0, 1/n), so the sum over R
 * repeats of (mean / stderr)^2 has mean R (n-1)/(n-3) and variance below 2.2 R; the variance's own error
 * likewise, with a heavier sum bounded by 4 R (its ratio is close to normal at n = 400, and skewed: the bias
 * of the square is below 5 %). R = 2000 and 7 deviations: 7 sqrt(4 / 2000) = 0.31. An error estimate wrong by
 * a factor 1.25 either way changes the square by 0.56 or 0.64, and is caught. */
static void test_stderr_both_ways(void) {
    enum { N = 400, R = 2000 };
    lem_stream stream = test_stream("stderr");
    double of_mean = 0, of_variance = 0;
    for (int r = 0; r < R; r++) {
        lem_moments m;
        LEM_CHECK(lem_normal_fill(&stream, N, scratch) == 0, "%s", lem_last_error());
        lem_moments_init(&m);
        LEM_CHECK(lem_moments_add_array(&m, N, scratch) == 0, "%s", lem_last_error());
        of_mean += pow(lem_moments_mean(&m) / lem_moments_stderr(&m), 2) / R;
        of_variance += pow((lem_moments_variance(&m) - 1) / lem_moments_variance_stderr(&m), 2) / R;
    }
    LEM_CHECK_NEAR(of_mean, 1, 0.31);
    LEM_CHECK_NEAR(of_variance, 1, 0.31 + 0.05);
}

static void test_refused(void) {
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1.0000001e72, -1e300};
    lem_moments m, before;
    lem_moments_init(&m);
    LEM_CHECK(lem_moments_add(&m, 1) == 0, "%s", lem_last_error());
    before = m;
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        LEM_CHECK_ERROR(lem_moments_add(&m, bad[b]), "x = |finite|1e+72");
        for (size_t i = 0; i < 3000; i += i < 2040 ? 17 : 1) {
            for (size_t j = 0; j < 3000; j++)
                scratch[j] = 1;
            scratch[i] = bad[b];
            char words[64];
            (void)snprintf(words, sizeof words, "x[%zu] = |finite", i);
            LEM_CHECK_ERROR(lem_moments_add_array(&m, 3000, scratch), words);
        }
        LEM_CHECK(memcmp(&m, &before, sizeof m) == 0, "unchanged after %g", bad[b]);
    }
    LEM_CHECK_ERROR(lem_moments_add_array(&m, 5, NULL), "x is null|n = 5");
    LEM_CHECK(lem_moments_add_array(&m, 0, NULL) == 0, "nothing to add is no error");
    const double largest[] = {1e72, -1e72, 1e72, -1e72};
    for (int i = 0; i < 60; i++) {
        LEM_CHECK(lem_moments_add_array(&m, 4, largest) == 0, "%s", lem_last_error());
        lem_moments_merge(&m, &m);
    }
    LEM_CHECK(isfinite(m.m4) && isfinite(m.m3), "2^61 of the largest values do not overflow");
}

static void test_null(void) {
    LEM_CHECK_ERROR(lem_moments_add(NULL, 1), "m is null");
    LEM_CHECK_ERROR(lem_moments_add_array(NULL, 1, values), "m is null");
    double (*const readers[])(const lem_moments *) = {lem_moments_mean,     lem_moments_variance,
                                                      lem_moments_stderr,   lem_moments_variance_stderr,
                                                      lem_moments_skewness, lem_moments_kurtosis};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        lem_clear_error();
        LEM_CHECK(isnan(readers[i](NULL)) && strstr(lem_last_error(), "m is null"), "%zu: %s", i,
                  lem_last_error());
    }
}

static void test_too_few(void) {
    lem_moments m;
    lem_moments_init(&m);
    LEM_CHECK(isnan(lem_moments_mean(&m)) && strstr(lem_last_error(), "n = 0 values: must be >= 1"), "%s",
              lem_last_error());
    LEM_CHECK(isnan(lem_moments_kurtosis(&m)), "no values");
    LEM_CHECK(lem_moments_add(&m, 7) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_moments_mean(&m) == 7, "one value");
    LEM_CHECK(isnan(lem_moments_variance(&m)) && isnan(lem_moments_stderr(&m)), "one value");
    LEM_CHECK(strstr(lem_last_error(), "n = 1 values: must be >= 2"), "%s", lem_last_error());
    LEM_CHECK(isnan(lem_moments_skewness(&m)) && strstr(lem_last_error(), "M2 = 0"), "%s", lem_last_error());
    LEM_CHECK(lem_moments_add(&m, 7) == 0 && lem_moments_add(&m, 7) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_moments_variance(&m) == 0, "equal values");
    LEM_CHECK(isnan(lem_moments_variance_stderr(&m)) && strstr(lem_last_error(), "must be >= 4"), "%s",
              lem_last_error());
}

static const lem_tap_case cases[] = {
    {"bulk addition against two passes in long double", test_two_pass},
    {"one value at a time against two passes in long double", test_one_by_one},
    {"merging two parts against two passes over both", test_merge},
    {"the empty sample is neutral, a sample merges with itself", test_merge_identities},
    {"a mean that cannot be held", test_rounded_mean},
    {"2^40 values", test_huge_n},
    {"derived numbers of a small sample", test_derived},
    {"standard errors are neither too small nor too large", test_stderr_both_ways},
    {"NaN, infinity and overflow are refused, and nothing changes", test_refused},
    {"null pointers are refused", test_null},
    {"too few values, or all equal, give NaN and a reason", test_too_few},
};
LEM_TAP_MAIN(cases)
