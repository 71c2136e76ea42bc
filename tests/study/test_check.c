/* The claims engine tried both ways: a true statement is not rejected more often than the level says (nor,
 * where the law of the statistic is exact and continuous, less often), and a wrong one is rejected with the
 * power that its floor promises. */
#include "study/check.h"

#include "rng/stream.h"
#include "stat/interval.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

static lem_stream stream_of(uint32_t number) {
    lem_stream stream;
    (void)lem_stream_init(&stream, 20, lem_stream_id("test_check"), number, 0);
    return stream;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double identity_cdf(double x, const void *ctx) {
    (void)ctx;
    return x;
}

static double power_cdf(double x, const void *ctx) {
    return pow(x, *(const double *)ctx);
}

/* --- one simulated sample per kind. `wrong` is how far the statement is from the truth, 0 for a true one;
 * its unit is the kind's own. */

enum { LARGEST = 5000, CELLS = 16, FIT = 20, POINTS = 3 };
static double numbers[LARGEST], others[LARGEST], errors[LARGEST];
static double zero[POINTS], expected[LARGEST];
static lem_moments moments[POINTS];
static uint64_t hits[CELLS], trials[POINTS];

static void normal_moments(lem_stream *stream, size_t n) {
    for (size_t p = 0; p < POINTS; p++) {
        (void)lem_normal_fill(stream, n, numbers);
        lem_moments_init(&moments[p]);
        (void)lem_moments_add_array(&moments[p], n, numbers);
    }
}

static lem_check sample_t(lem_stream *stream, size_t n, double wrong) {
    normal_moments(stream, n);
    for (size_t p = 0; p < POINTS; p++)
        expected[p] = p == 1 ? wrong : 0;
    return lem_expectation(POINTS, moments, expected);
}

static lem_check sample_z(lem_stream *stream, size_t n, double wrong) {
    (void)n;
    (void)lem_normal_fill(stream, POINTS, numbers);
    for (size_t p = 0; p < POINTS; p++) {
        errors[p] = pow(10, (double)p);
        numbers[p] *= errors[p];
        expected[p] = p == 1 ? wrong * errors[p] : 0;
    }
    return lem_expectation_z(POINTS, numbers, errors, expected);
}

static lem_check sample_mean_at_most(lem_stream *stream, size_t n, double wrong) {
    normal_moments(stream, n);
    expected[0] = -wrong;
    return lem_mean_at_most(1, moments, expected);
}

static lem_check sample_mean_at_least(lem_stream *stream, size_t n, double wrong) {
    normal_moments(stream, n);
    expected[0] = wrong;
    return lem_mean_at_least(1, moments, expected);
}

/* K ~ Bin(n, 0.3), the statement says 0.3 + wrong */
static uint64_t count_hits(lem_stream *stream, size_t n) {
    uint64_t k = 0;
    (void)lem_uniform_fill(stream, n, numbers);
    for (size_t i = 0; i < n; i++)
        k += numbers[i] < 0.3;
    return k;
}

static lem_check sample_probability(lem_stream *stream, size_t n, double wrong) {
    hits[0] = count_hits(stream, n), trials[0] = n, expected[0] = 0.3 + wrong;
    return lem_probability(1, hits, trials, expected);
}

static lem_check sample_probability_at_most(lem_stream *stream, size_t n, double wrong) {
    hits[0] = count_hits(stream, n), trials[0] = n, expected[0] = 0.3 - wrong;
    return lem_probability_at_most(1, hits, trials, expected);
}

static lem_check sample_probability_at_least(lem_stream *stream, size_t n, double wrong) {
    hits[0] = count_hits(stream, n), trials[0] = n, expected[0] = 0.3 + wrong;
    return lem_probability_at_least(1, hits, trials, expected);
}

static lem_check sample_variance_normal(lem_stream *stream, size_t n, double wrong) {
    normal_moments(stream, n);
    expected[0] = 1 + wrong;
    return lem_variance_normal(1, moments, expected);
}

static lem_check sample_variance(lem_stream *stream, size_t n, double wrong) {
    (void)lem_uniform_fill(stream, n, numbers);
    lem_moments_init(moments);
    (void)lem_moments_add_array(moments, n, numbers);
    expected[0] = (1 + wrong) / 12;
    return lem_variance(1, moments, expected);
}

static lem_check sample_ks(lem_stream *stream, size_t n, double wrong) {
    static double exponent;
    (void)lem_uniform_fill(stream, n, numbers);
    qsort(numbers, n, sizeof *numbers, compare);
    exponent = 1 + wrong;
    return wrong > 0 ? lem_distribution_ks(n, numbers, power_cdf, &exponent)
                     : lem_distribution_ks(n, numbers, identity_cdf, NULL);
}

/* 16 equal cells; a wrong statement moves `wrong` of the first cell's probability to the second. */
static lem_check sample_counts(lem_stream *stream, size_t n, double wrong) {
    for (size_t c = 0; c < CELLS; c++)
        hits[c] = 0, expected[c] = 1.0 / CELLS;
    expected[0] -= wrong / CELLS, expected[1] += wrong / CELLS;
    (void)lem_uniform_fill(stream, n, numbers);
    for (size_t i = 0; i < n; i++)
        hits[(size_t)(numbers[i] * CELLS)]++;
    return lem_distribution_counts(CELLS, hits, expected);
}

/* y = 3 x^-0.5 times exp of a normal error of 0.1, so that log y is exactly normal. */
static lem_check sample_exponent(lem_stream *stream, size_t n, double wrong) {
    (void)lem_normal_fill(stream, n, numbers);
    for (size_t i = 0; i < n; i++) {
        others[i] = (double)(i + 1);
        numbers[i] = 3 * pow(others[i], -0.5) * exp(0.1 * numbers[i]);
        errors[i] = 0.1 * numbers[i];
    }
    expected[0] = -0.5 + wrong;
    return lem_exponent(n, others, numbers, errors, expected);
}

typedef lem_check (*sampler)(lem_stream *stream, size_t n, double wrong);

/* --- true statements */

static uint64_t repeats(double base) {
    return (uint64_t)ceil(base * lem_tap_effort());
}

/* The alarms among `n` true statements at a level, against the exact binomial limits at 1e-9. At level 1e-3
 * the lower limit over 1e4 statements is 0 and says nothing, so 0.05 and 0.01 are tried too. */
static void check_alarms(const char *what, uint64_t alarms, uint64_t n, double level, bool exact) {
    double upper = qbinom(1e-9, (double)n, level, 0, 0), lower = qbinom(1e-9, (double)n, level, 1, 0);
    LEM_CHECK((double)alarms <= upper, "%s: %llu alarms in %llu true statements at level %g: at most %g",
              what, (unsigned long long)alarms, (unsigned long long)n, level, upper);
    if (exact)
        LEM_CHECK((double)alarms >= lower, "%s: %llu alarms in %llu true statements at level %g: at least %g",
                  what, (unsigned long long)alarms, (unsigned long long)n, level, lower);
}

static void simulate_truth(const char *what, uint32_t number, sampler draw, size_t size, bool exact) {
    enum { LEVELS = 3 };
    static const double levels[LEVELS] = {1e-3, 0.01, 0.05};
    lem_stream stream = stream_of(number);
    uint64_t n = repeats(1e4);
    for (size_t l = 0; l < LEVELS; l++) {
        uint64_t alarms = 0;
        for (uint64_t i = 0; i < n; i++) {
            lem_outcome outcome;
            lem_check check = draw(&stream, size, 0);
            int status = lem_check_run(&check, levels[l], &outcome);
            if (status && !LEM_CHECK(false, "%s: %s", what, lem_last_error()))
                return;
            alarms += !outcome.accepted;
        }
        check_alarms(what, alarms, n, levels[l], exact);
    }
}

static void test_true_means(void) {
    simulate_truth("expectation, t", 1, sample_t, 5, true);
    simulate_truth("expectation, z", 2, sample_z, 0, true);
    simulate_truth("mean at most", 3, sample_mean_at_most, 5, true);
    simulate_truth("mean at least", 4, sample_mean_at_least, 5, true);
}

static void test_true_probabilities(void) {
    simulate_truth("probability", 5, sample_probability, 200, false);
    simulate_truth("probability at most", 6, sample_probability_at_most, 200, false);
    simulate_truth("probability at least", 7, sample_probability_at_least, 200, false);
}

/* Accepted exactly when the Clopper-Pearson interval holds the probability: every count, every side. */
static void test_clopper_pearson(void) {
    enum { TRIALS = 60 };
    static const lem_side sides[] = {LEM_TWO_SIDED, LEM_LOWER_BOUND, LEM_UPPER_BOUND};
    for (uint64_t k = 0; k <= TRIALS; k++) {
        uint64_t n = TRIALS;
        lem_check checks[] = {lem_probability(1, &k, &n, expected),
                              lem_probability_at_most(1, &k, &n, expected),
                              lem_probability_at_least(1, &k, &n, expected)};
        for (size_t s = 0; s < 3; s++) {
            lem_interval interval;
            lem_outcome outcome;
            expected[0] = 0.3;
            int status = lem_clopper_pearson(k, n, 0.01, sides[s], &interval);
            status = status ? status : lem_check_run(&checks[s], 0.01, &outcome);
            LEM_CHECK(status == 0, "%s", lem_last_error());
            bool inside = interval.lower <= 0.3 && 0.3 <= interval.upper;
            LEM_CHECK(inside == outcome.accepted, "%d of %d, side %zu: [%g, %g], accepted %d", (int)k, TRIALS,
                      s, interval.lower, interval.upper, outcome.accepted);
        }
    }
}

static void test_true_variances(void) {
    simulate_truth("variance, normal", 8, sample_variance_normal, 5, true);
    simulate_truth("variance, other", 9, sample_variance, 1000, false);
}

static void test_true_distributions(void) {
    simulate_truth("distribution, KS", 10, sample_ks, 50, true);
    simulate_truth("distribution, counts", 11, sample_counts, 800, false);
}

static void test_true_exponents(void) {
    simulate_truth("exponent", 12, sample_exponent, 4,
                   true); /* 2 degrees of freedom: an error in them shows */
}

/* --- wrong statements */

static const double level = 1e-6, miss = 1e-6; /* a claim's default rate, and what a floor promises */

/* With power >= 1 - 1e-6, 1000 repeats miss more than twice with probability below 2e-10. */
static void simulate_falsehood(const char *what, uint32_t number, sampler draw, size_t size, double wrong) {
    lem_stream stream = stream_of(number);
    uint64_t n = repeats(1000), missed = 0;
    double most = qbinom(1e-9, (double)n, miss, 0, 0);
    for (uint64_t i = 0; i < n; i++) {
        lem_outcome outcome;
        lem_check check = draw(&stream, size, wrong);
        if (lem_check_run(&check, level, &outcome) && !LEM_CHECK(false, "%s: %s", what, lem_last_error()))
            return;
        missed += outcome.accepted;
    }
    LEM_CHECK((double)missed <= most, "%s: %llu of %llu wrong statements accepted (size %zu, wrong by %g)",
              what, (unsigned long long)missed, (unsigned long long)n, size, wrong);
}

/* The shift of a mean, in standard errors, that t at n - 1 degrees of freedom misses with probability `miss`:
 * the limit, times the largest plausible sample deviation, plus a normal deviate; the miss is shared by the
 * two. */
static double shift_of_t(size_t n, double tail) {
    double df = (double)(n - 1);
    return qt(tail, df, 0, 0) * sqrt(qchisq(miss / 2, df, 0, 0) / df) + qnorm(miss / 2, 0, 1, 0, 0);
}

static void test_wrong_means(void) {
    size_t n = 100;
    double root = sqrt((double)n);
    simulate_falsehood("expectation, t", 21, sample_t, n, shift_of_t(n, level / 2 / POINTS) / root);
    simulate_falsehood("mean at most", 22, sample_mean_at_most, n, shift_of_t(n, level) / root);
    simulate_falsehood("mean at least", 23, sample_mean_at_least, n, shift_of_t(n, level) / root);
    double z = qnorm(level / 2 / POINTS, 0, 1, 0, 0) + qnorm(miss, 0, 1, 0, 0);
    simulate_falsehood("expectation, z", 24, sample_z, 0, z);
}

/* Power of the two-sided z check is one half where the statement is wrong by exactly the limit. */
static void test_half_power(void) {
    lem_stream stream = stream_of(30);
    uint64_t n = repeats(1e4), rejected = 0;
    double limit = qnorm(level / 2 / POINTS, 0, 1, 0, 0);
    for (uint64_t i = 0; i < n; i++) {
        lem_outcome outcome = {.accepted = true};
        lem_check check = sample_z(&stream, 0, limit);
        (void)lem_check_run(&check, level, &outcome);
        rejected += !outcome.accepted;
    }
    check_alarms("z at its limit", rejected, n, 0.5, true);
}

/* The exact power of the binomial check: the probability, under 0.3, of the counts it rejects. */
static double binomial_power(size_t n, double stated, sampler draw) {
    double power = 0;
    lem_outcome outcome;
    lem_stream stream = stream_of(31);
    lem_check check = draw(&stream, n, stated);
    for (size_t k = 0; k <= n; k++) {
        hits[0] = k;
        if (lem_check_run(&check, level, &outcome) == 0 && !outcome.accepted)
            power += dbinom((double)k, (double)n, 0.3, 0);
    }
    return power;
}

static void simulate_binomial(const char *what, uint32_t number, sampler draw) {
    size_t n = 200;
    while (binomial_power(n, 0.2, draw) < 1 - miss && n < LARGEST)
        n += 20;
    LEM_CHECK(n > 200 && n < LARGEST, "%s: the floor is %zu", what, n);
    simulate_falsehood(what, number, draw, n, 0.2);
}

static void test_wrong_probabilities(void) {
    simulate_binomial("probability", 25, sample_probability);
    simulate_binomial("probability at most", 26, sample_probability_at_most);
    simulate_binomial("probability at least", 27, sample_probability_at_least);
}

static void test_wrong_variances(void) {
    /* The statement sigma^2 = 2 is rejected when M2 / 2 is below the chi-square quantile, and M2 has the law
     * with 1. */
    size_t n = 10;
    while (pchisq(2 * qchisq(level / 2, (double)(n - 1), 1, 0), (double)(n - 1), 0, 0) > miss)
        n++;
    simulate_falsehood("variance, normal", 28, sample_variance_normal, n, 1);
    /* A uniform has kurtosis 1.8: the standard error of its variance is sqrt(0.8/n) of it; 15 % for that
     * being estimated. */
    n = 5000;
    double z = qnorm(level / 2, 0, 1, 0, 0) + qnorm(miss, 0, 1, 0, 0);
    simulate_falsehood("variance, other", 29, sample_variance, n, 1.15 * z * sqrt(0.8 / (double)n));
}

static void test_wrong_distributions(void) {
    /* Largest distance of x and x^1.5: at x = (1/1.5)^2, 4/27. Massart: P(D > d) <= 2 exp(-2 n d^2), on both
     * sides. */
    double distance = 4.0 / 27, both = sqrt(log(2 / level) / 2) + sqrt(log(2 / miss) / 2);
    simulate_falsehood("distribution, KS", 32, sample_ks, (size_t)ceil(pow(both / distance, 2)), 0.5);
    /* Noncentral chi-square: the two cells that differ add n sum (p - q)^2 / q. */
    size_t n = 200;
    double moved = 0.6, df = CELLS - 1, limit = qchisq(level, df, 0, 0);
    double per_draw = moved * moved / CELLS * (1 / (1 - moved) + 1 / (1 + moved));
    while (pnchisq(limit, df, (double)n * per_draw, 1, 0) > miss)
        n += 20;
    /* 10 %: under the alternative the cells' variances are not those of the statement. */
    simulate_falsehood("distribution, counts", 33, sample_counts, n + n / 10, moved);
}

static void test_wrong_exponents(void) {
    double df = FIT - 2, limit = qt(level / 2, df, 0, 0), shift = 10, sxx = 0, mean = 0;
    while (pnt(limit, df, shift, 1, 0) > miss && shift < 37)
        shift += 0.1;
    for (int i = 1; i <= FIT; i++)
        mean += log(i) / FIT;
    for (int i = 1; i <= FIT; i++)
        sxx += pow(log(i) - mean, 2);
    simulate_falsehood("exponent", 34, sample_exponent, FIT, shift * 0.1 / sqrt(sxx));
}

/* --- deterministic checks */

static bool accepts(lem_check check) {
    lem_outcome outcome = {.accepted = false};
    LEM_CHECK(lem_check_run(&check, level, &outcome) == 0, "%s", lem_last_error());
    LEM_CHECK(outcome.accepted == (outcome.statistic <= outcome.limit), "accepted means statistic <= limit");
    return outcome.accepted;
}

static void test_identity(void) {
    static const double one[] = {1, 1}, bound[] = {0.25, 0.25}, edge[] = {1, 1.25},
                        beyond[] = {1, 1.25 + DBL_EPSILON};
    static const double none[] = {0, 0}, tiny[] = {0, 5e-324}, huge[] = {DBL_MAX, 1};
    LEM_CHECK(accepts(lem_identity(2, one, one, bound)), "equal");
    LEM_CHECK(accepts(lem_identity(2, edge, one, bound)), "exactly at the bound");
    LEM_CHECK(!accepts(lem_identity(2, beyond, one, bound)), "one ulp beyond it");
    LEM_CHECK(accepts(lem_identity(2, none, none, bound)), "0 = 0");
    LEM_CHECK(!accepts(lem_identity(2, tiny, none, bound)), "a relative error of 0 allows nothing");
    LEM_CHECK(accepts(lem_identity_abs(2, tiny, none, bound)), "an absolute one does");
    LEM_CHECK(!accepts(lem_identity_abs(2, huge, none, bound)), "far away");
    LEM_CHECK(!accepts(lem_identity(2, edge, one, none)), "a bound of 0 is equality");
    LEM_CHECK(accepts(lem_identity(2, one, one, none)), "... which can hold");
}

static void test_inequality(void) {
    static const double a[] = {1, -INFINITY, 3}, b[] = {1, -INFINITY, INFINITY}, c[] = {2, 0, INFINITY};
    static const double slack[] = {1e-3, 1e-3, 1e-3}, over[] = {1.0005, -INFINITY, 3},
                        far[] = {1.002, -INFINITY, 3};
    static const double minus[] = {-1}, under[] = {-1.0005}, small[] = {5e-324}, smaller[] = {0};
    static const double big[] = {DBL_MAX}, low[] = {-DBL_MAX}, top[] = {INFINITY};
    LEM_CHECK(accepts(lem_inequality(3, a, b, NULL)), "equality is allowed, infinities compare");
    LEM_CHECK(!accepts(lem_inequality_strict(3, a, b, NULL)), "but not by the strict one");
    LEM_CHECK(accepts(lem_inequality_strict(3, a, c, NULL)), "strictly smaller");
    LEM_CHECK(!accepts(lem_inequality(3, c, a, NULL)), "the other way round");
    LEM_CHECK(!accepts(lem_inequality(3, over, b, NULL)), "beyond");
    LEM_CHECK(accepts(lem_inequality(3, over, b, slack)), "within the slack");
    LEM_CHECK(!accepts(lem_inequality(3, far, b, slack)), "beyond the slack");
    LEM_CHECK(accepts(lem_inequality(1, minus, under, slack)), "the slack widens for negative numbers too");
    LEM_CHECK(!accepts(lem_inequality(1, small, smaller, NULL)), "the smallest double is above 0");
    LEM_CHECK(accepts(lem_inequality_strict(1, smaller, small, NULL)), "... and 0 below it");
    LEM_CHECK(accepts(lem_inequality_strict(1, low, big, NULL)), "the whole range");
    LEM_CHECK(!accepts(lem_inequality(1, big, low, NULL)), "... and back");
    LEM_CHECK(!accepts(lem_inequality(1, top, big, NULL)), "infinity is above the largest double");
}

static void test_optimum(void) {
    static const double lower[] = {0.5}, upper[] = {0.75}, edge[] = {0.75}, beyond[] = {0.75 + DBL_EPSILON};
    static const double inside[] = {0.6}, below[] = {0.4};
    LEM_CHECK(accepts(lem_optimum(1, lower, upper, inside)), "inside");
    LEM_CHECK(accepts(lem_optimum(1, lower, upper, edge)), "at the edge");
    LEM_CHECK(!accepts(lem_optimum(1, lower, upper, beyond)), "one ulp outside");
    LEM_CHECK(!accepts(lem_optimum(1, lower, upper, below)), "below");
    LEM_CHECK(accepts(lem_optimum(1, edge, edge, edge)), "a bracket of one point");
    LEM_CHECK(!accepts(lem_optimum(1, edge, edge, inside)), "... excludes all others");
}

static void test_worst_point(void) {
    static const double measured[] = {1, 5, 2}, errors3[] = {1, 1, 1};
    lem_outcome outcome;
    lem_check check = lem_expectation_z(3, measured, errors3, zero);
    LEM_CHECK(lem_check_run(&check, 0.01, &outcome) == 0, "%s", lem_last_error());
    LEM_CHECK(outcome.measured == 5 && outcome.statistic == 5, "the worst is %g", outcome.measured);
    /* 3.4 is beyond the limit of one point at 1e-3 (3.29), within that of three (3.59) */
    static const double single[] = {3.4, 0, 0};
    LEM_CHECK(!accepts(lem_check_of(lem_expectation_z(1, (double[]){9.9}, errors3, zero), 5)),
              "9.9 standard errors");
    check = lem_expectation_z(1, single, errors3, zero);
    LEM_CHECK(lem_check_run(&check, 1e-3, &outcome) == 0 && !outcome.accepted, "one point");
    check = lem_expectation_z(3, single, errors3, zero);
    LEM_CHECK(lem_check_run(&check, 1e-3, &outcome) == 0 && outcome.accepted, "shared out over three");
    LEM_CHECK_NEAR(outcome.limit, 3.587914672, 1e-8);
}

/* Far tails still rank: 200 standard errors are worse than 100. */
static void test_far_tails(void) {
    static const uint64_t k[] = {9000, 500}, n[] = {10000, 1000};
    static const double p[] = {1e-3, 1e-3};
    lem_outcome outcome;
    lem_check check = lem_probability(2, k, n, p);
    LEM_CHECK(lem_check_run(&check, level, &outcome) == 0 && !outcome.accepted, "%s", lem_last_error());
    /* log tail ~ -n KL: 10000 (0.9 log 900 + 0.1 log(0.1/0.999)) = 58916, z = sqrt(2 x) less a little */
    LEM_CHECK(outcome.measured == 0.9 && fabs(outcome.statistic - 343.2) < 0.2, "z = %g at %g",
              outcome.statistic, outcome.measured);
    static const double far[] = {100, -200}, ones[] = {1, 1};
    check = lem_expectation_z(2, far, ones, zero);
    LEM_CHECK(lem_check_run(&check, level, &outcome) == 0 && outcome.statistic == 200, "z = %g",
              outcome.statistic);
}

/* --- refusals */

static void refused(lem_check check, const char *words) {
    lem_outcome outcome;
    LEM_CHECK_ERROR(lem_check_run(&check, level, &outcome), words);
}

static void test_refusals(void) {
    static const double one[] = {1}, nan[] = {NAN}, inf[] = {INFINITY}, minus[] = {-1}, three[] = {1, 2, 3};
    static const uint64_t five[] = {5}, four[] = {4}, none[] = {0}, cells[] = {50, 50};
    static const double half[] = {0.5, 0.5}, off[] = {0.5, 0.4}, unsorted[] = {0.5, 0.4}, outside[] = {1.5};
    lem_moments m[2];
    lem_moments_init(&m[0]);
    refused(lem_identity(1, nan, one, one), "measured[0]|NaN");
    refused(lem_identity(1, one, nan, one), "expected[0]|NaN");
    refused(lem_identity(1, one, one, nan), "bound[0]|NaN");
    refused(lem_identity(1, inf, one, one), "measured[0]|inf|finite");
    refused(lem_identity(1, one, one, minus), "-1");
    refused(lem_identity(0, one, one, one), "no points");
    refused(lem_identity(1, one, NULL, one), "null pointer");
    refused(lem_identity(1, one, one, NULL), "null pointer");
    refused(lem_inequality(1, nan, one, NULL), "NaN");
    refused(lem_expectation(1, m, one), "0 values|at least 2");
    (void)lem_moments_add_array(m, 3, three);
    refused(lem_expectation(1, m, nan), "NaN");
    refused(lem_variance(1, m, one), "3 values|at least 4");
    refused(lem_variance_normal(1, m, minus), "-1|variance");
    m[0].mean = NAN;
    refused(lem_expectation(1, m, one), "NaN");
    refused(lem_expectation_z(1, one, nan, one), "NaN");
    refused(lem_probability(1, five, four, half), "5 successes in 4");
    refused(lem_probability(1, none, none, half), "trials >= 1");
    refused(lem_probability(1, four, five, outside), "1.5|[0, 1]");
    refused(lem_probability(1, four, five, nan), "NaN");
    refused(lem_distribution_ks(2, unsorted, identity_cdf, NULL), "sort");
    refused(lem_distribution_ks(1, outside, identity_cdf, NULL), "cdf(1.5)|[0, 1]");
    refused(lem_distribution_ks(1, nan, identity_cdf, NULL), "NaN");
    refused(lem_distribution_ks(1, half, NULL, NULL), "null pointer");
    refused(lem_distribution_counts(2, cells, off), "sum to 0.9");
    refused(lem_distribution_counts(2, (uint64_t[]){0, 0}, half), "0 counts");
    refused(lem_distribution_counts(2, (uint64_t[]){1, 5}, half), "two");
    refused(lem_exponent(2, three, three, three, one), "n = 2|>= 3");
    refused(lem_exponent(3, three, three, (double[]){1, 1, 0}, one), "> 0");
    refused(lem_exponent(3, (double[]){2, 2, 2}, three, three, one), "must not be all equal");
    refused(lem_optimum(1, one, minus, one), "empty");
    lem_check fine = lem_identity(1, one, one, one);
    lem_outcome outcome;
    LEM_CHECK_ERROR(lem_check_run(&fine, 0, &outcome), "false_alarm = 0");
    LEM_CHECK_ERROR(lem_check_run(&fine, 0.2, &outcome), "false_alarm = 0.2");
    LEM_CHECK_ERROR(lem_check_run(&fine, NAN, &outcome), "false_alarm = nan");
    LEM_CHECK_ERROR(lem_check_run(NULL, level, &outcome), "null pointer");
}

/* What lem_claim refuses as a falsifier: the claim itself, and nothing that differs in one number. */
static void test_identical(void) {
    static const double a[] = {1, 2}, same[] = {1, 2}, other[] = {1, 3};
    static const uint64_t k[] = {3, 4}, k_same[] = {3, 4}, k_other[] = {3, 5}, n[] = {9, 9},
                          n_other[] = {9, 8};
    static const double p[] = {0.5, 0.5}, p_other[] = {0.5, 0.25};
    const lem_check identity = lem_identity(2, a, a, a), binomial = lem_probability(2, k, n, p);
    const lem_check equal[] = {lem_identity(2, same, same, a), lem_probability(2, k_same, n, p)};
    LEM_CHECK(lem_check_identical(&identity, &equal[0]) && lem_check_identical(&binomial, &equal[1]),
              "copies");
    const lem_check measured = lem_identity(2, other, a, a), hypothesis = lem_identity(2, a, other, a);
    LEM_CHECK(!lem_check_identical(&identity, &measured), "other data");
    LEM_CHECK(!lem_check_identical(&identity, &hypothesis), "another hypothesis");
    const lem_check successes = lem_probability(2, k_other, n, p), sizes = lem_probability(2, k, n_other, p),
                    chance = lem_probability(2, k, n, p_other), fewer = lem_probability(1, k, n, p);
    LEM_CHECK(!lem_check_identical(&binomial, &successes), "other successes");
    LEM_CHECK(!lem_check_identical(&binomial, &sizes), "other trials");
    LEM_CHECK(!lem_check_identical(&binomial, &chance), "another probability");
    LEM_CHECK(!lem_check_identical(&binomial, &fewer), "fewer points");
    lem_moments m[1], m_other[1];
    lem_moments_init(m), lem_moments_init(m_other);
    (void)lem_moments_add_array(m, 2, a), (void)lem_moments_add_array(m_other, 2, other);
    const lem_check mean = lem_expectation(1, m, a), mean_other = lem_expectation(1, m_other, a);
    LEM_CHECK(!lem_check_identical(&mean, &mean_other), "other moments");
}

static void test_edges(void) {
    static const double zero_one[] = {0, 1}, gap[] = {0.5, 0.5, 0};
    static const uint64_t none_all[] = {0, 100}, hundred[] = {100, 100};
    LEM_CHECK(accepts(lem_probability(2, none_all, hundred, zero_one)), "0 of n at p = 0, n of n at p = 1");
    LEM_CHECK(!accepts(lem_probability(1, (uint64_t[]){1}, hundred, zero_one)), "1 of n at p = 0");
    LEM_CHECK(accepts(lem_distribution_counts(3, (uint64_t[]){50, 50, 0}, gap)), "an empty impossible cell");
    LEM_CHECK(!accepts(lem_distribution_counts(3, (uint64_t[]){50, 50, 1}, gap)),
              "a count in an impossible cell");
    lem_moments same[1];
    lem_moments_init(same);
    (void)lem_moments_add_array(same, 3, (double[]){0.1, 0.1, 0.1});
    LEM_CHECK(accepts(lem_expectation(1, same, (double[]){0.1})), "constant data at their value");
    LEM_CHECK(!accepts(lem_expectation(1, same, (double[]){0.2})), "constant data elsewhere");
}

static const lem_tap_case cases[] = {
    {"true statements about means", test_true_means},
    {"true statements about probabilities", test_true_probabilities},
    {"probabilities: the Clopper-Pearson interval", test_clopper_pearson},
    {"true statements about variances", test_true_variances},
    {"true statements about distributions", test_true_distributions},
    {"true statements about exponents", test_true_exponents},
    {"wrong statements about means", test_wrong_means},
    {"power one half at the limit", test_half_power},
    {"wrong statements about probabilities", test_wrong_probabilities},
    {"wrong statements about variances", test_wrong_variances},
    {"wrong statements about distributions", test_wrong_distributions},
    {"wrong statements about exponents", test_wrong_exponents},
    {"identities", test_identity},
    {"inequalities", test_inequality},
    {"optima", test_optimum},
    {"the worst point is reported", test_worst_point},
    {"far tails", test_far_tails},
    {"refusals", test_refusals},
    {"falsifiers that are the claim itself", test_identical},
    {"edges", test_edges},
};
LEM_TAP_MAIN(cases)
