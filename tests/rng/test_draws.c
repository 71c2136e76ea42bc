/* The laws of the draws: moments, goodness of fit, independence. Each kind of check is also shown to reject a
 * wrong sample. */
#include "sample.h"

#include <stdlib.h>
#define MATHLIB_STANDALONE
#include <Rmath.h>

static double *room_for(size_t n) {
    double *x = malloc(n * sizeof *x);
    LEM_CHECK(x != NULL, "no memory for %zu numbers", n);
    return x;
}

static void must(int status) {
    LEM_CHECK(status == GSL_SUCCESS, "%s", lem_last_error());
}

static double uniform_cdf(double x) {
    return x;
}

static double normal_cdf(double x) {
    return 0.5 * erfc(-x * M_SQRT1_2);
}

/* z of the mean of f(x_i) - expected over its standard deviation. The sums are of 2^20 terms: their tails at
 * 6.11 sigma are normal but for a factor exp(skewness 6.11^3 / (6 sqrt n)), 1.5 for x^4, nearer 1 for the
 * rest. */
static double z_of(const double *x, size_t n, size_t stride, double (*f)(const double *), double expected,
                   double variance) {
    double sum = 0;
    size_t terms = 0;
    for (size_t i = 0; i + 2 < n; i += stride, terms++)
        sum += f(x + i) - expected;
    return sum / sqrt(variance * (double)terms);
}

static double power1(const double *x) {
    return x[0];
}
static double power2(const double *x) {
    return x[0] * x[0];
}
static double power3(const double *x) {
    return x[0] * x[0] * x[0];
}
static double power4(const double *x) {
    return x[0] * x[0] * x[0] * x[0];
}
static double product1(const double *x) {
    return x[0] * x[1];
}
static double product2(const double *x) {
    return x[0] * x[2];
}
static double square_product1(const double *x) {
    return x[0] * x[0] * x[1] * x[1];
}
static double square_product2(const double *x) {
    return x[0] * x[0] * x[2] * x[2];
}

/* Of a standard normal: E x^2k = (2k - 1)!!, the variance of x^k is E x^2k - (E x^k)^2. Products of
 * neighbours: both within a block (cosine and sine) and across blocks; var(x^2 y^2) = 9 - 1. */
static const struct {
    const char *name;
    double (*f)(const double *);
    double expected, variance;
} normal_moments[] = {
    {"x", power1, 0, 1},    {"x^2", power2, 1, 2},         {"x^3", power3, 0, 15},
    {"x^4", power4, 3, 96}, {"x_i x_i+1", product1, 0, 1}, {"x_i x_i+2", product2, 0, 1},
};

static void test_moments_of_normals(void) {
    size_t n = scaled(1 << 20) + 16;
    double *x = room_for(n);
    lem_stream s = stream_at(101, 1, 1, 1);
    must(lem_normal_fill(&s, n, x));
    for (size_t i = 0; i < sizeof normal_moments / sizeof normal_moments[0]; i++) {
        double z = z_of(x, n, 1, normal_moments[i].f, normal_moments[i].expected, normal_moments[i].variance);
        LEM_CHECK(fabs(z) < Z_LIMIT, "mean of %s: z = %g", normal_moments[i].name, z);
    }
    /* Terms without a common factor are independent: stride 2 and 4. */
    double z = z_of(x, n, 2, square_product1, 1, 8);
    LEM_CHECK(fabs(z) < Z_LIMIT, "squares within a block: z = %g", z);
    z = z_of(x, n, 4, square_product2, 1, 8);
    LEM_CHECK(fabs(z) < Z_LIMIT, "squares of neighbouring blocks: z = %g", z);
    for (size_t i = 0; i < n; i++)
        x[i] *= 1.01;
    z = z_of(x, n, 1, power2, 1, 2);
    LEM_CHECK(fabs(z) > Z_LIMIT, "a sigma of 1.01 must be seen: z = %g", z);
    free(x);
}

static void test_law_of_normals(void) {
    size_t n = scaled(1 << 19);
    double *x = room_for(n);
    lem_stream s = stream_at(102, 1, 1, 1);
    must(lem_normal_fill(&s, n, x));
    double d = ks_distance(x, n, normal_cdf);
    LEM_CHECK(d < ks_limit(n), "D = %g, limit %g", d, ks_limit(n));
    LEM_CHECK(ks_distance(x, n, uniform_cdf) > ks_limit(n), "the uniform law must be rejected");
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] * 1.05;
    d = ks_distance(x, n, normal_cdf);
    LEM_CHECK(d > ks_limit(n), "a sigma of 1.05 must be seen: D = %g, limit %g", d, ks_limit(n));
    free(x);
}

/* The number beyond 4 sigma: binomial with np = 6.334e-5 n, limits from the Poisson law (which is wider). */
static void test_tail_of_normals(void) {
    size_t n = scaled(1 << 22), beyond = 0;
    double *x = room_for(1 << 16);
    lem_stream s = stream_at(103, 1, 1, 1);
    size_t drawn = 0;
    for (; drawn < n; drawn += 1 << 16) {
        must(lem_normal_fill(&s, 1 << 16, x));
        for (size_t i = 0; i < 1 << 16; i++)
            beyond += fabs(x[i]) > 4;
    }
    double mean = erfc(4 * M_SQRT1_2) * (double)drawn;
    double low = ppois((double)beyond, mean, 1, 0), high = ppois((double)beyond - 1, mean, 0, 0);
    LEM_CHECK(low > ALARM / 2 && high > ALARM / 2, "%zu beyond 4 sigma, expected %g", beyond, mean);
    free(x);
}

static void test_uniforms(void) {
    size_t n = scaled(1 << 20) + 16;
    double *u = room_for(n);
    lem_stream s = stream_at(104, 1, 1, 1);
    must(lem_uniform_fill(&s, n, u));
    size_t outside = 0, not_on_grid = 0, lowest_bits = 0;
    for (size_t i = 0; i < n; i++) {
        double scaled_up = u[i] * 0x1p53;
        outside += !(u[i] >= 0 && u[i] < 1);
        not_on_grid += scaled_up != floor(scaled_up);
        lowest_bits += (uint64_t)scaled_up & 1;
    }
    LEM_CHECK(outside == 0 && not_on_grid == 0, "%zu outside [0, 1), %zu off the grid", outside, not_on_grid);
    double balance = 2 * (double)lowest_bits / (double)n - 1;
    LEM_CHECK(fabs(balance) < sign_limit(n), "the last of the 53 bits: balance %g", balance);
    /* (u - 1/2) sqrt 12 has mean 0 and variance 1; so have products of two of them. */
    for (size_t i = 0; i < n; i++)
        u[i] = (u[i] - 0.5) * sqrt(12);
    double z = z_of(u, n, 1, power1, 0, 1);
    LEM_CHECK(fabs(z) < Z_LIMIT, "mean: z = %g", z);
    z = z_of(u, n, 1, power2, 1, 0.8);
    LEM_CHECK(fabs(z) < Z_LIMIT, "second moment: z = %g", z);
    z = z_of(u, n, 1, product1, 0, 1);
    LEM_CHECK(fabs(z) < Z_LIMIT, "lag 1: z = %g", z);
    z = z_of(u, n, 1, product2, 0, 1);
    LEM_CHECK(fabs(z) < Z_LIMIT, "lag 2: z = %g", z);
    for (size_t i = 0; i < n; i++)
        u[i] = u[i] / sqrt(12) + 0.5;
    double d = ks_distance(u, n, uniform_cdf); /* the shift and back moves a number by less than 1e-15 */
    LEM_CHECK(d < ks_limit(n), "D = %g, limit %g", d, ks_limit(n));
    for (size_t i = 0; i < n; i++)
        u[i] = pow(u[i], 1.02);
    d = ks_distance(u, n, uniform_cdf);
    LEM_CHECK(d > ks_limit(n), "u^1.02 must be seen: D = %g, limit %g", d, ks_limit(n));
    free(u);
}

static void test_signs(void) {
    size_t n = scaled(1 << 20) + 16;
    double *x = room_for(n);
    lem_stream s = stream_at(105, 1, 1, 1);
    must(lem_sign_fill(&s, n, x));
    size_t other = 0;
    double sum = 0, lag[3] = {0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        other += x[i] != 1 && x[i] != -1;
        sum += x[i];
    }
    LEM_CHECK(other == 0, "%zu are neither -1 nor +1", other);
    LEM_CHECK(fabs(sum) / (double)n < sign_limit(n), "mean %g", sum / (double)n);
    /* Products of independent signs at a fixed lag are independent signs. */
    for (size_t k = 1; k <= 3; k++) {
        for (size_t i = 0; i + k < n; i++)
            lag[k - 1] += x[i] * x[i + k];
        LEM_CHECK(fabs(lag[k - 1]) / (double)(n - k) < sign_limit(n - k), "lag %zu: %g", k,
                  lag[k - 1] / (double)(n - k));
    }
    for (size_t i = 0; i < n; i += 50)
        x[i] = 1;
    sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    LEM_CHECK(fabs(sum) / (double)n > sign_limit(n), "a bias of 1/100 must be seen: %g", sum / (double)n);
    free(x);
}

/* Pearson's statistic over `bins` with exact probabilities, above its limit at ALARM? Expected counts are
 * above 1000, where the chi-square law is good. */
static bool chi_square_rejects(const size_t *counts, const double *probabilities, size_t bins, size_t n,
                               double *statistic) {
    *statistic = 0;
    for (size_t b = 0; b < bins; b++) {
        double expected = probabilities[b] * (double)n, difference = (double)counts[b] - expected;
        *statistic += difference * difference / expected;
    }
    return pchisq(*statistic, (double)(bins - 1), 0, 0) < ALARM;
}

/* The bin of v among `bins` equal parts of {0, ..., bound - 1}, and how many integers fall into it. */
static size_t bin_of(uint64_t v, uint64_t bound, size_t bins) {
    uint64_t width = bound / bins + (bound % bins != 0);
    return (size_t)(v / width);
}

static double bin_probability(size_t bin, uint64_t bound, size_t bins) {
    uint64_t width = bound / bins + (bound % bins != 0), first = width * bin;
    uint64_t size = first >= bound ? 0 : bound - first < width ? bound - first : width;
    return (double)size / (double)bound;
}

static void test_integers_by_size(void) {
    static const uint64_t bounds[] = {
        2,
        3,
        5,
        6,
        7,
        16,
        97,
        1000,
        UINT64_C(4294967295),
        UINT64_C(4294967297),
        UINT64_C(3) << 61,
        (UINT64_C(1) << 62) + 1,
        UINT64_C(6148914691236517206), /* 2^64 / 3, rounded up: the most rejections */
        (UINT64_C(1) << 63) - 1,
        UINT64_C(1) << 63,
    };
    enum { MAX_BINS = 16, N = 1 << 16 };
    static uint64_t v[N];
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        uint64_t bound = bounds[i];
        size_t bins = bound < MAX_BINS ? (size_t)bound : MAX_BINS, counts[MAX_BINS] = {0}, outside = 0;
        while (bin_probability(bins - 1, bound, bins) < 0.02)
            bins--;
        double probabilities[MAX_BINS], statistic;
        lem_stream s = stream_at(106, 1, 1, (uint32_t)i);
        must(lem_integer_fill(&s, bound, N, v));
        for (size_t j = 0; j < N; j++) {
            outside += v[j] >= bound;
            counts[bin_of(v[j] % bound, bound, bins)]++;
        }
        for (size_t b = 0; b < bins; b++)
            probabilities[b] = bin_probability(b, bound, bins);
        LEM_CHECK(outside == 0, "bound %llu: %zu are too large", (unsigned long long)bound, outside);
        bool rejected = chi_square_rejects(counts, probabilities, bins, N, &statistic);
        LEM_CHECK(!rejected, "bound %llu: chi-square %g in %zu bins", (unsigned long long)bound, statistic,
                  bins);
        LEM_CHECK(bins > 1, "bound %llu: one bin checks nothing", (unsigned long long)bound);
    }
}

/* With bound 3 2^61 each integer v has 8/3 words on average. Without rejection the integers with v mod 3 = 0
 * and 1 have three words and those with v mod 3 = 2 two: probabilities 3/8, 3/8, 2/8. */
static void test_integers_are_unbiased(void) {
    enum { N = 1 << 16 };
    const uint64_t bound = UINT64_C(3) << 61;
    const double thirds[3] = {1 / 3., 1 / 3., 1 / 3.};
    static uint64_t v[N];
    size_t counts[3] = {0}, naive[3] = {0};
    double statistic;
    lem_stream s = stream_at(107, 1, 1, 1);
    must(lem_integer_fill(&s, bound, N, v));
    for (size_t i = 0; i < N; i++)
        counts[v[i] % 3]++;
    bool rejected = chi_square_rejects(counts, thirds, 3, N, &statistic);
    LEM_CHECK(!rejected, "%zu, %zu, %zu: chi-square %g", counts[0], counts[1], counts[2], statistic);
    /* The same without rejection: floor(3 w / 8) of a word w; of 2^63 integers two make a word. */
    s = stream_at(107, 1, 1, 1);
    must(lem_integer_fill(&s, UINT64_C(1) << 63, N, v));
    for (size_t i = 0; i < N; i++) {
        uint64_t word = v[i] << 1 | (v[(i + 1) % N] & 1); /* the lost bit, from elsewhere */
        naive[(word / 8 * 3 + word % 8 * 3 / 8) % 3]++;
    }
    rejected = chi_square_rejects(naive, thirds, 3, N, &statistic);
    LEM_CHECK(rejected, "without rejection it must be seen: chi-square %g", statistic);
}

/* Used items: n / (1 - p) on average with p the rejected share, here (2^64 mod bound) / 2^64 = 1/4 and nearly
 * 1/3. The number of rejections has variance n p / (1 - p)^2. */
static void test_rejected_share(void) {
    static const struct {
        uint64_t bound;
        double p;
    } table[] = {{UINT64_C(3) << 61, 0.25}, {UINT64_C(6148914691236517206), 1 / 3.}, {UINT64_C(1) << 40, 0}};
    enum { N = 1 << 15 };
    static uint64_t v[N];
    for (size_t i = 0; i < 3; i++) {
        double p = table[i].p, mean = N * p / (1 - p), sigma = sqrt(N * p) / (1 - p);
        lem_stream s = stream_at(108, 1, 1, (uint32_t)i);
        must(lem_integer_fill(&s, table[i].bound, N, v));
        double rejected = (double)s.item - N;
        LEM_CHECK(fabs(rejected - mean) <= Z_LIMIT * sigma, "rejected %g, expected %g(%g)", rejected, mean,
                  sigma);
    }
}

static const lem_tap_case cases[] = {
    {"moments of normals", test_moments_of_normals},
    {"law of normals", test_law_of_normals},
    {"tail of normals", test_tail_of_normals},
    {"uniforms", test_uniforms},
    {"signs", test_signs},
    {"integers by size", test_integers_by_size},
    {"integers are unbiased", test_integers_are_unbiased},
    {"the rejected share", test_rejected_share},
};
LEM_TAP_MAIN(cases)
