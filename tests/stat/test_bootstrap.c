/* Bootstrap intervals against targets that hold at finite n and finitely many resamples. */
#include "coverage.h"
#include "stat/bootstrap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int mean_of(size_t count, const uint64_t *index, double *scratch, const void *ctx, double *value) {
    const double *x = ctx;
    (void)scratch;
    *value = 0;
    for (size_t i = 0; i < count; i++)
        *value += x[index[i]] / (double)count;
    return GSL_SUCCESS;
}

static int median_of(size_t count, const uint64_t *index, double *scratch, const void *ctx, double *value) {
    const double *x = ctx;
    for (size_t i = 0; i < count; i++)
        scratch[i] = x[index[i]];
    qsort(scratch, count, sizeof *scratch, ascending);
    *value = count % 2 ? scratch[count / 2] : (scratch[count / 2 - 1] + scratch[count / 2]) / 2;
    return GSL_SUCCESS;
}

static int constant_of(size_t count, const uint64_t *index, double *scratch, const void *ctx, double *value) {
    (void)count, (void)index, (void)scratch;
    *value = *(const double *)ctx;
    return GSL_SUCCESS;
}

static int failing_of(size_t count, const uint64_t *index, double *scratch, const void *ctx, double *value) {
    (void)count, (void)index, (void)scratch, (void)ctx, (void)value;
    return LEM_ERROR(GSL_ESING, "the data are singular");
}

static const double data[] = {0.1, 0.7, 1.9, 2.2, 3.5, 4.1, 4.4, 8.0, 9.7, 15.2};
enum { DATA = sizeof data / sizeof *data };

static lem_bootstrap plan_for(lem_statistic statistic, size_t resamples) {
    return (lem_bootstrap){.n = DATA,
                           .resamples = resamples,
                           .statistic = statistic,
                           .ctx = data,
                           .seed = 11,
                           .study = lem_stream_id("test-bootstrap"),
                           .purpose = lem_stream_id("plan")};
}

static void test_same_bits(void) {
    static const int threads[] = {1, 2, 7};
    double first[999], again[999];
    for (int t = 0; t < 3; t++) {
        lem_bootstrap plan = plan_for(median_of, 999);
        plan.threads = threads[t];
        LEM_CHECK(lem_bootstrap_run(&plan, t ? again : first) == 0, "%s", lem_last_error());
        LEM_CHECK(t == 0 || memcmp(first, again, sizeof first) == 0, "%d threads: other bits", threads[t]);
    }
    lem_bootstrap other = plan_for(median_of, 999);
    other.seed++;
    LEM_CHECK(lem_bootstrap_run(&other, again) == 0 && memcmp(first, again, sizeof first) != 0,
              "another seed");
}

/* The bootstrap distribution of the median is known: X_(j) or lower with probability P(Bin(n, j/n) > n/2). */
static double median_law(uint64_t n, uint64_t j) {
    return lem_binomial_cdf((double)(n / 2), n, (double)j / (double)n, LEM_UPPER);
}

enum { MEDIAN_N = 15, MEDIAN_R = 199, REPEATS = 10000 };

typedef struct {
    double alpha;
    lem_side side;
} median_setting;

static int median_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                        const void *ctx) {
    (void)workspace;
    const median_setting *s = ctx;
    for (size_t i = 0; i < count; i++) {
        double x[MEDIAN_N], sorted[MEDIAN_R];
        lem_interval interval;
        int status = lem_uniform_fill(stream, MEDIAN_N, x);
        lem_bootstrap plan = {
            .n = MEDIAN_N, .resamples = MEDIAN_R, .statistic = median_of, .ctx = x, .threads = 1};
        plan.seed = 5;
        plan.purpose = (uint32_t)(first + i); /* fresh resamples for every sample */
        if (!status)
            status = lem_bootstrap_run(&plan, sorted);
        if (!status)
            status = lem_bootstrap_percentile(MEDIAN_R, sorted, s->alpha, s->side, &interval);
        if (status)
            return status;
        out->counts[0] += interval.lower <= 0.5 && 0.5 <= interval.upper;
    }
    return GSL_SUCCESS;
}

/* K = #{x < median} is Bin(n, 1/2). The lower end is X_(M), M <= k when at least L of the R replicates are at
 * or below X_(k); it is below the median when M <= K. The upper end likewise, so that coverage is a finite
 * sum: exact at this n and this R. It is not 1 - alpha, and is not meant to be. */
static double exact_median_coverage(const median_setting *s) {
    double share = s->side == LEM_TWO_SIDED ? s->alpha / 2 : s->alpha;
    double rank = floor((MEDIAN_R + 1) * share + 1e-9), covered = 0;
    for (uint64_t k = 0; k <= MEDIAN_N; k++) {
        double p = lem_binomial_cdf((double)k, MEDIAN_N, 0.5, LEM_LOWER) -
                   (k ? lem_binomial_cdf((double)k - 1, MEDIAN_N, 0.5, LEM_LOWER) : 0);
        double law = median_law(MEDIAN_N, k);
        double lower_below = lem_binomial_cdf(rank - 1, MEDIAN_R, law, LEM_UPPER);
        double upper_below = lem_binomial_cdf(MEDIAN_R - rank, MEDIAN_R, law, LEM_UPPER);
        covered += p * ((s->side == LEM_UPPER_BOUND ? 1 : lower_below) -
                        (s->side == LEM_LOWER_BOUND ? 0 : upper_below));
    }
    return covered;
}

static void test_percentile_coverage(void) {
    static const median_setting settings[] = {
        {0.1, LEM_TWO_SIDED}, {0.02, LEM_LOWER_BOUND}, {0.3, LEM_UPPER_BOUND}};
    size_t repeats = (size_t)fmin(REPEATS, fmax(1000, 3000 * lem_tap_effort()));
    for (int s = 0; s < 3; s++) {
        uint64_t hits;
        count_hits(s == 0   ? "median 0"
                   : s == 1 ? "median 1"
                            : "median 2",
                   repeats, median_chunk, &settings[s], 1, &hits);
        double exact = exact_median_coverage(&settings[s]);
        check_count("median", hits, repeats, exact);
        lem_tap_diag("median, n = %d, R = %d: exact coverage %.4f at nominal %.2f", MEDIAN_N, MEDIAN_R, exact,
                     1 - settings[s].alpha);
    }
}

/* BCa, worked a second time from its definition, with the jackknife of a mean in closed form: the values are
 * (n mean - x_i) / (n - 1), so a = sum d^3 / (6 (sum d^2)^1.5) with d = x - mean. */
static void test_bca_definition(void) {
    double sorted[1999], mean = 0, m2 = 0, m3 = 0;
    lem_bootstrap plan = plan_for(mean_of, 1999);
    LEM_CHECK(lem_bootstrap_run(&plan, sorted) == 0, "%s", lem_last_error());
    for (int i = 0; i < DATA; i++)
        mean += data[i] / DATA;
    for (int i = 0; i < DATA; i++) {
        m2 += pow(data[i] - mean, 2);
        m3 += pow(data[i] - mean, 3);
    }
    double a = m3 / 6 / pow(m2, 1.5), below = 0, estimate = NAN;
    const uint64_t all[DATA] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    LEM_CHECK(mean_of(DATA, all, NULL, data, &estimate) == 0, "%s", lem_last_error());
    for (int i = 0; i < 1999; i++)
        below += sorted[i] < estimate ? 1 : sorted[i] == estimate ? 0.5 : 0;
    double z0 = lem_normal_quantile(below / 1999, LEM_LOWER);
    static const double alphas[] = {0.05, 0.2};
    for (int j = 0; j < 2; j++) {
        double z = lem_normal_quantile(alphas[j] / 2, LEM_UPPER);
        double low = lem_normal_cdf(z0 + (z0 - z) / (1 - a * (z0 - z)), LEM_LOWER);
        double high = lem_normal_cdf(z0 + (z0 + z) / (1 - a * (z0 + z)), LEM_UPPER);
        lem_interval bca, one, percentile;
        LEM_CHECK(lem_bootstrap_bca(&plan, sorted, alphas[j], LEM_TWO_SIDED, &bca) == 0, "%s",
                  lem_last_error());
        LEM_CHECK(bca.lower == sorted[(size_t)floor(2000 * low) - 1], "lower end %g", bca.lower);
        LEM_CHECK(bca.upper == sorted[1999 - (size_t)floor(2000 * high)], "upper end %g", bca.upper);
        LEM_CHECK(lem_bootstrap_percentile(1999, sorted, alphas[j], LEM_TWO_SIDED, &percentile) == 0, "%s",
                  lem_last_error());
        LEM_CHECK(percentile.lower == sorted[(size_t)(1000 * alphas[j] + 0.5) - 1] &&
                      percentile.upper == sorted[1999 - (size_t)(1000 * alphas[j] + 0.5)],
                  "percentile");
        LEM_CHECK(bca.lower > percentile.lower && bca.upper > percentile.upper,
                  "skewed data move it to the right");
        LEM_CHECK(lem_bootstrap_bca(&plan, sorted, alphas[j] / 2, LEM_LOWER_BOUND, &one) == 0 &&
                      one.lower == bca.lower && one.upper == INFINITY,
                  "one side");
    }
}

enum { MEAN_N = 40, MEAN_R = 399 };

static int mean_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *ctx) {
    (void)workspace, (void)ctx;
    for (size_t i = 0; i < count; i++) {
        double x[MEAN_N], sorted[MEAN_R];
        lem_interval bca, percentile;
        int status = lem_normal_fill(stream, MEAN_N, x);
        lem_bootstrap plan = {.n = MEAN_N, .resamples = MEAN_R, .statistic = mean_of, .ctx = x, .threads = 1};
        plan.seed = 6;
        plan.purpose = (uint32_t)(first + i);
        if (!status)
            status = lem_bootstrap_run(&plan, sorted);
        if (!status)
            status = lem_bootstrap_percentile(MEAN_R, sorted, 0.1, LEM_TWO_SIDED, &percentile);
        if (!status)
            status = lem_bootstrap_bca(&plan, sorted, 0.1, LEM_TWO_SIDED, &bca);
        if (status)
            return status;
        out->counts[0] += percentile.lower <= 0 && 0 <= percentile.upper;
        out->counts[1] += bca.lower <= 0 && 0 <= bca.upper;
    }
    return GSL_SUCCESS;
}

/* The mean of n = 40 normal values. Replicates are close to N(mean, s^2 (n-1) / n^2), so the interval is the
 * mean
 * +- z s sqrt(n-1) / n and covers when |t_(n-1)| <= z sqrt((n-1) / n): 0.8876, not 0.90. What is left out
 * (the sample's skewness and kurtosis, R = 399) is of order 1/n of the miss rate: 0.1 / 40 * a few; 0.01 is
 * allowed for on both sides, beside the exact binomial limits. */
static void test_mean_coverage(void) {
    uint64_t hits[2];
    size_t repeats = (size_t)fmin(REPEATS, fmax(1000, 3000 * lem_tap_effort()));
    double n = MEAN_N, z = lem_normal_quantile(0.05, LEM_UPPER);
    double target = 1 - 2 * lem_t_cdf(z * sqrt((n - 1) / n), n - 1, LEM_UPPER);
    count_hits("mean", repeats, mean_chunk, NULL, 2, hits);
    for (int i = 0; i < 2; i++) {
        double low = lem_binomial_quantile(COVERAGE_ALARM, repeats, target - 0.01, LEM_LOWER);
        double high = lem_binomial_quantile(COVERAGE_ALARM, repeats, target + 0.01, LEM_UPPER);
        LEM_CHECK((double)hits[i] >= low && (double)hits[i] <= high,
                  "%s: %llu of %zu, limits %g ... %g for %.4f", i ? "BCa" : "percentile",
                  (unsigned long long)hits[i], repeats, low, high, target);
    }
    lem_tap_diag("mean, n = 40: percentile %.4f, BCa %.4f, target %.4f", (double)hits[0] / (double)repeats,
                 (double)hits[1] / (double)repeats, target);
}

static void test_refused(void) {
    double sorted[99], nan = NAN, one = 1;
    lem_interval i = {7, 7};
    lem_bootstrap plan = plan_for(mean_of, 99), bad = plan;
    LEM_CHECK_ERROR(lem_bootstrap_run(NULL, sorted), "plan is null");
    LEM_CHECK_ERROR(lem_bootstrap_run(&plan, NULL), "sorted is null");
    bad.n = 1;
    LEM_CHECK_ERROR(lem_bootstrap_run(&bad, sorted), "n = 1|>= 2");
    bad = plan;
    bad.resamples = 0;
    LEM_CHECK_ERROR(lem_bootstrap_run(&bad, sorted), "resamples = 0");
    bad = plan;
    bad.statistic = NULL;
    LEM_CHECK_ERROR(lem_bootstrap_run(&bad, sorted), "statistic is null");
    bad.statistic = failing_of;
    LEM_CHECK_ERROR(lem_bootstrap_run(&bad, sorted), "chunk 0|the data are singular");
    bad.statistic = constant_of;
    bad.ctx = &nan;
    LEM_CHECK_ERROR(lem_bootstrap_run(&bad, sorted), "the statistic is |finite");
    bad.ctx = &one;
    LEM_CHECK(lem_bootstrap_run(&bad, sorted) == 0, "%s", lem_last_error());
    LEM_CHECK_ERROR(lem_bootstrap_bca(&bad, sorted, 0.1, LEM_TWO_SIDED, &i), "jackknife|must differ");
    LEM_CHECK(lem_bootstrap_run(&plan, sorted) == 0, "%s", lem_last_error());
    LEM_CHECK_ERROR(lem_bootstrap_percentile(99, sorted, 0.01, LEM_TWO_SIDED, &i), "resamples = 99|199");
    LEM_CHECK_ERROR(lem_bootstrap_percentile(99, sorted, 0, LEM_TWO_SIDED, &i), "alpha = 0");
    LEM_CHECK_ERROR(lem_bootstrap_percentile(2, (double[]){2, 1}, 0.9, LEM_TWO_SIDED, &i), "sorted[1] = 1");
    LEM_CHECK_ERROR(lem_bootstrap_bca(&plan, sorted, 0.001, LEM_TWO_SIDED, &i), "too few");
    for (int r = 0; r < 99; r++)
        sorted[r] = 1000 + r;
    LEM_CHECK_ERROR(lem_bootstrap_bca(&plan, sorted, 0.1, LEM_TWO_SIDED, &i), "one side of the estimate");
    LEM_CHECK(i.lower == 7 && i.upper == 7, "left as it was");
}

static const lem_tap_case cases[] = {
    {"the same bits for any number of threads", test_same_bits},
    {"percentile interval of a median: exact coverage", test_percentile_coverage},
    {"BCa from its definition", test_bca_definition},
    {"coverage of a normal mean", test_mean_coverage},
    {"bad arguments are refused", test_refused},
};
LEM_TAP_MAIN(cases)
