/* Intervals: coverage. The continuous ones cover exactly 1 - alpha for normal data, so the count of hits has
 * limits on both sides; the coverage of the discrete ones is summed over k exactly. */
#include "stat/interval.h"
#include "coverage.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 10000, SIDES = 3, MAX_N = 40 };

static const lem_side sides[SIDES] = {LEM_TWO_SIDED, LEM_LOWER_BOUND, LEM_UPPER_BOUND};
static const char *const side_names[SIDES] = {"two-sided", "lower", "upper"};

typedef struct {
    size_t n, n_other;
    double alpha;
} setting;

static const setting settings[] = {{2, 2, 0.05}, {3, 7, 0.01}, {10, 4, 0.2}, {40, 15, 0.001}};
enum { SETTINGS = sizeof settings / sizeof *settings, KINDS = 4 };
static const char *const kind_names[KINDS] = {"z", "t", "chi-square", "F"};

static const double true_mean = -3, true_sigma = 2.5, other_sigma = 0.5;

static int sample(lem_stream *stream, size_t n, double mean, double sigma, lem_moments *m) {
    double x[MAX_N];
    int status = lem_normal_fill(stream, n, x);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        x[i] = mean + sigma * x[i];
    lem_moments_init(m);
    return lem_moments_add_array(m, n, x);
}

static bool holds(lem_interval i, double truth) {
    return i.lower <= truth && truth <= i.upper;
}

static int intervals_chunk(lem_stream *stream, size_t first, size_t count, void *workspace,
                           lem_mc_result *out, const void *ctx) {
    (void)first, (void)workspace;
    const setting *s = ctx;
    int status = 0;
    for (size_t i = 0; i < count && !status; i++) {
        lem_moments m, other;
        status = sample(stream, s->n, true_mean, true_sigma, &m);
        if (!status)
            status = sample(stream, s->n_other, 0, other_sigma, &other);
        for (size_t side = 0; side < SIDES && !status; side++) {
            lem_interval z, t, v, f;
            status = lem_mean_interval_z(m.mean, true_sigma / sqrt((double)s->n), s->alpha, sides[side], &z);
            status = status ? status : lem_mean_interval_t(&m, s->alpha, sides[side], &t);
            status = status ? status : lem_variance_interval(&m, s->alpha, sides[side], &v);
            status = status ? status : lem_variance_ratio_interval(&m, &other, s->alpha, sides[side], &f);
            if (status)
                break;
            uint64_t *hits = out->counts + KINDS * side;
            hits[0] += holds(z, true_mean);
            hits[1] += holds(t, true_mean);
            hits[2] += holds(v, true_sigma * true_sigma);
            hits[3] += holds(f, pow(true_sigma / other_sigma, 2));
        }
    }
    return status;
}

static void test_continuous_coverage(void) {
    for (size_t s = 0; s < SETTINGS; s++) {
        uint64_t hits[KINDS * SIDES];
        char purpose[40];
        (void)snprintf(purpose, sizeof purpose, "intervals %zu", s);
        count_hits(purpose, REPEATS, intervals_chunk, &settings[s], KINDS * SIDES, hits);
        for (size_t side = 0; side < SIDES; side++)
            for (size_t k = 0; k < KINDS; k++) {
                char what[100];
                (void)snprintf(what, sizeof what, "%s, %s, n = %zu", kind_names[k], side_names[side],
                               settings[s].n);
                check_count(what, hits[KINDS * side + k], REPEATS, 1 - settings[s].alpha);
            }
    }
}

/* --- discrete: exact coverage --- */

typedef int (*binomial_interval)(uint64_t, uint64_t, double, lem_side, lem_interval *);

/* P(K = k), by the recursion from the mode outwards is not needed: n <= 300. */
static double binomial_mass(uint64_t k, uint64_t n, double p) {
    double dk = (double)k, dn = (double)n;
    return exp(lgamma(dn + 1) - lgamma(dk + 1) - lgamma(dn - dk + 1) + dk * log(p) + (dn - dk) * log1p(-p));
}

static double exact_coverage(uint64_t n, double p, const lem_interval *intervals) {
    double sum = 0;
    for (uint64_t k = 0; k <= n; k++)
        if (holds(intervals[k], p))
            sum += binomial_mass(k, n, p);
    return sum;
}

static void all_intervals(binomial_interval f, uint64_t n, double alpha, lem_side side, lem_interval *out) {
    for (uint64_t k = 0; k <= n; k++)
        LEM_CHECK(f(k, n, alpha, side, &out[k]) == 0, "%s", lem_last_error());
}

static const uint64_t trial_counts[] = {1, 2, 3, 5, 10, 30, 100, 300};
static const double alphas[] = {0.5, 0.05, 1e-3, 1e-9};
enum { TRIAL_COUNTS = sizeof trial_counts / sizeof *trial_counts, ALPHAS = sizeof alphas / sizeof *alphas };

/* lgamma and the exponent are right to about n log(n) epsilons: 300 * 6 * 2.2e-16 < 1e-12. */
#define MASS_ERROR 1e-12

static void test_clopper_pearson_covers(void) {
    lem_interval intervals[301];
    for (size_t s = 0; s < SIDES; s++)
        for (size_t j = 0; j < TRIAL_COUNTS; j++)
            for (size_t a = 0; a < ALPHAS; a++) {
                uint64_t n = trial_counts[j];
                all_intervals(lem_clopper_pearson, n, alphas[a], sides[s], intervals);
                double lowest = 1;
                for (int i = 1; i < 400; i++) {
                    double p = i / 400.0;
                    lowest = fmin(lowest, exact_coverage(n, p, intervals));
                    p = pow(10, -i / 50.0);
                    lowest = fmin(lowest, exact_coverage(n, p, intervals));
                    lowest = fmin(lowest, exact_coverage(n, 1 - p / 2, intervals));
                }
                LEM_CHECK(lowest >= 1 - alphas[a] - MASS_ERROR, "%s, n = %llu, alpha %g: covers %.15g only",
                          side_names[s], (unsigned long long)n, alphas[a], lowest);
            }
}

/* ... and is no wider than it must be: just outside the end of K = k the one-sided bound misses exactly
 * alpha, P(K >= k; p = lower_k) = alpha. A step of 1e-11 changes that by n 1e-11 / p-scale, below 1e-8
 * relative. */
static void test_clopper_pearson_is_tight(void) {
    for (size_t j = 0; j < TRIAL_COUNTS; j++)
        for (size_t a = 0; a < ALPHAS; a++) {
            uint64_t n = trial_counts[j];
            lem_interval lower[301], upper[301];
            all_intervals(lem_clopper_pearson, n, alphas[a], LEM_LOWER_BOUND, lower);
            all_intervals(lem_clopper_pearson, n, alphas[a], LEM_UPPER_BOUND, upper);
            LEM_CHECK(lower[0].lower == 0 && upper[n].upper == 1, "the ends of the range");
            for (uint64_t k = 1; k <= n; k++) {
                double p = lower[k].lower * (1 - 1e-11), missed = 0;
                for (uint64_t i = 0; i <= n; i++)
                    missed += holds(lower[i], p) ? 0 : binomial_mass(i, n, p);
                LEM_CHECK_NEAR(missed / alphas[a], 1, 1e-8);
                LEM_CHECK_NEAR(upper[n - k].upper, 1 - lower[k].lower, 4 * DBL_EPSILON);
            }
        }
}

static void test_clopper_pearson_values(void) {
    lem_interval i;
    LEM_CHECK(lem_clopper_pearson(0, 10, 0.05, LEM_TWO_SIDED, &i) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(i.upper, -expm1(log(0.025) / 10), 1e-15); /* (1-p)^10 = alpha / 2 */
    LEM_CHECK(i.lower == 0, "%g", i.lower);
    LEM_CHECK(lem_clopper_pearson(10, 10, 0.05, LEM_TWO_SIDED, &i) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(i.lower, pow(0.025, 0.1), 1e-15);
    LEM_CHECK(i.upper == 1, "%g", i.upper);
    /* One success in N = 1e12: P(K >= 1) = -expm1(N log1p(-p)) = alpha. */
    LEM_CHECK(lem_clopper_pearson(1, 1000000000000, 1e-9, LEM_LOWER_BOUND, &i) == 0, "%s", lem_last_error());
    double exact = -expm1(log1p(-1e-9) / 1e12);
    LEM_CHECK_NEAR(i.lower / exact, 1, 1e-9);
}

/* The ends of Wilson's interval solve |k/n - p| = z sqrt(p (1 - p) / n), and lie on the right sides of k/n.
 */
static void test_wilson_equation(void) {
    static const uint64_t ns[] = {1, 2, 10, 1000, 1000000, 1000000000000};
    for (size_t j = 0; j < 6; j++)
        for (size_t a = 0; a < ALPHAS; a++)
            for (int part = 0; part <= 16; part++) {
                uint64_t n = ns[j], k = part == 15 ? n - 1 : part == 16 ? 1 : n * (uint64_t)part / 14;
                k = k > n ? n : k;
                lem_interval i;
                LEM_CHECK(lem_wilson(k, n, alphas[a], LEM_TWO_SIDED, &i) == 0, "%s", lem_last_error());
                double z = lem_normal_quantile(alphas[a] / 2, LEM_UPPER), dn = (double)n, q = (double)k / dn;
                LEM_CHECK((k == 0 && i.lower == 0) || (i.lower > 0 && i.lower < q), "lower end %g of %g",
                          i.lower, q);
                LEM_CHECK((k == n && i.upper == 1) || (i.upper < 1 && i.upper > q), "upper end %g of %g",
                          i.upper, q);
                /* The quotient loses the digits that q - p cancels: eps q / (q - p), twice. */
                double low_error = 16 * DBL_EPSILON * (1 + q / (q - i.lower));
                double high_error = 16 * DBL_EPSILON * (1 + 1 / (i.upper - q));
                if (k > 0)
                    LEM_CHECK_NEAR((q - i.lower) / (z * sqrt(i.lower * (1 - i.lower) / dn)), 1,
                                   low_error + 16 * DBL_EPSILON / (1 - i.lower));
                if (k < n)
                    LEM_CHECK_NEAR((i.upper - q) / (z * sqrt(i.upper * (1 - i.upper) / dn)), 1,
                                   high_error + 16 * DBL_EPSILON / (1 - i.upper));
            }
    lem_interval one, two;
    LEM_CHECK(lem_wilson(3, 20, 0.05, LEM_LOWER_BOUND, &one) == 0 &&
                  lem_wilson(3, 20, 0.1, LEM_TWO_SIDED, &two) == 0,
              "%s", lem_last_error());
    LEM_CHECK(one.lower == two.lower && one.upper == 1,
              "a bound is the end of the interval of twice its alpha");
    LEM_CHECK(lem_wilson(3, 20, 0.8, LEM_LOWER_BOUND, &one) == 0 &&
                  lem_wilson(3, 20, 0.2, LEM_UPPER_BOUND, &two) == 0,
              "%s", lem_last_error());
    LEM_CHECK_NEAR(one.lower, two.upper, 4 * DBL_EPSILON);
}

/* Agresti and Coull 1998: the coverage of Wilson's interval, averaged over p, is close to nominal, though
 * for some p it is well below. Averages by the midpoint rule on 2000 points; the coverage is piecewise smooth
 * with 2 (n + 1) jumps below 0.4, so the rule is within 2 (n + 1) 0.4 / 2000 / 2 in the worst case. The
 * average over uniform p weighs every k by 1 / (n + 1): sum over k of P_Beta(k+1, n-k+1)(interval of k) / (n
 * + 1) exactly, which is the stated target. */
static void test_wilson_average(void) {
    lem_interval intervals[301];
    for (size_t j = 2; j < TRIAL_COUNTS; j++) {
        uint64_t n = trial_counts[j];
        all_intervals(lem_wilson, n, 0.05, LEM_TWO_SIDED, intervals);
        double average = 0, target = 0, lowest = 1;
        for (int i = 0; i < 2000; i++) {
            double c = exact_coverage(n, (i + 0.5) / 2000, intervals);
            average += c / 2000;
            lowest = fmin(lowest, c);
        }
        for (uint64_t k = 0; k <= n; k++) {
            double a = (double)k + 1, b = (double)(n - k) + 1;
            target += (lem_beta_cdf(intervals[k].upper, a, b, LEM_LOWER) -
                       lem_beta_cdf(intervals[k].lower, a, b, LEM_LOWER)) /
                      ((double)n + 1);
        }
        LEM_CHECK_NEAR(average, target, 2.0 * ((double)n + 1) * 0.4 / 4000);
        LEM_CHECK(fabs(target - 0.95) < 0.01, "n = %llu: average %.4f", (unsigned long long)n, target);
        LEM_CHECK(lowest < 0.95 && lowest > 0.7, "n = %llu: lowest %.4f", (unsigned long long)n, lowest);
    }
}

typedef struct {
    uint64_t n;
    double p;
    lem_interval clopper_pearson[31], wilson[31];
} discrete_setting;

static int discrete_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                          const void *ctx) {
    (void)first, (void)workspace;
    const discrete_setting *s = ctx;
    for (size_t i = 0; i < count; i++) {
        double u[30];
        uint64_t k = 0;
        int status = lem_uniform_fill(stream, s->n, u);
        if (status)
            return status;
        for (uint64_t j = 0; j < s->n; j++)
            k += u[j] < s->p;
        out->counts[0] += holds(s->clopper_pearson[k], s->p);
        out->counts[1] += holds(s->wilson[k], s->p);
    }
    return GSL_SUCCESS;
}

/* The exact sums themselves, against simulation. */
static void test_discrete_coverage(void) {
    static const double ps[] = {0.01, 0.1, 0.37, 0.5, 0.93};
    for (size_t i = 0; i < 5; i++) {
        discrete_setting s = {.n = 30, .p = ps[i]};
        uint64_t hits[2];
        char purpose[40];
        (void)snprintf(purpose, sizeof purpose, "discrete %zu", i);
        all_intervals(lem_clopper_pearson, s.n, 0.1, LEM_TWO_SIDED, s.clopper_pearson);
        all_intervals(lem_wilson, s.n, 0.1, LEM_TWO_SIDED, s.wilson);
        count_hits(purpose, REPEATS, discrete_chunk, &s, 2, hits);
        check_count("Clopper-Pearson", hits[0], REPEATS,
                    fmin(1, exact_coverage(s.n, s.p, s.clopper_pearson)));
        check_count("Wilson", hits[1], REPEATS, fmin(1, exact_coverage(s.n, s.p, s.wilson)));
    }
}

static void test_refused(void) {
    lem_interval i = {1, 2};
    lem_moments none, one, two, equal;
    lem_moments_init(&none);
    one = two = equal = none;
    LEM_CHECK(!lem_moments_add(&one, 1) && !lem_moments_add_array(&two, 2, (double[]){1, 2}) &&
                  !lem_moments_add_array(&equal, 2, (double[]){1, 1}),
              "%s", lem_last_error());
    static const double bad_alpha[] = {0, 1, -1, 2, NAN};
    for (int a = 0; a < 5; a++) {
        LEM_CHECK_ERROR(lem_clopper_pearson(1, 2, bad_alpha[a], LEM_TWO_SIDED, &i), "alpha = |inside (0, 1)");
        LEM_CHECK_ERROR(lem_wilson(1, 2, bad_alpha[a], LEM_TWO_SIDED, &i), "alpha = |inside (0, 1)");
        LEM_CHECK_ERROR(lem_mean_interval_z(1, 2, bad_alpha[a], LEM_TWO_SIDED, &i), "alpha = ");
        LEM_CHECK_ERROR(lem_mean_interval_t(&two, bad_alpha[a], LEM_TWO_SIDED, &i), "alpha = ");
        LEM_CHECK_ERROR(lem_variance_interval(&two, bad_alpha[a], LEM_TWO_SIDED, &i), "alpha = ");
        LEM_CHECK_ERROR(lem_variance_ratio_interval(&two, &two, bad_alpha[a], LEM_TWO_SIDED, &i), "alpha = ");
    }
    LEM_CHECK_ERROR(lem_clopper_pearson(3, 2, 0.1, LEM_TWO_SIDED, &i), "successes = 3|trials = 2");
    LEM_CHECK_ERROR(lem_clopper_pearson(0, 0, 0.1, LEM_TWO_SIDED, &i), "trials = 0|>= 1");
    LEM_CHECK_ERROR(lem_wilson(3, 2, 0.1, LEM_TWO_SIDED, &i), "successes = 3");
    LEM_CHECK_ERROR(lem_wilson(1, 2, 0.1, (lem_side)7, &i), "side = 7");
    LEM_CHECK_ERROR(lem_wilson(1, 2, 0.1, LEM_TWO_SIDED, NULL), "out is null");
    LEM_CHECK_ERROR(lem_mean_interval_z(NAN, 1, 0.1, LEM_TWO_SIDED, &i), "measured = ");
    LEM_CHECK_ERROR(lem_mean_interval_z(0, -1, 0.1, LEM_TWO_SIDED, &i), "standard_error = -1|>= 0");
    LEM_CHECK_ERROR(lem_mean_interval_z(0, NAN, 0.1, LEM_TWO_SIDED, &i), "standard_error = ");
    LEM_CHECK_ERROR(lem_mean_interval_t(&one, 0.1, LEM_TWO_SIDED, &i), "n = 1|>= 2");
    LEM_CHECK_ERROR(lem_mean_interval_t(NULL, 0.1, LEM_TWO_SIDED, &i), "sample is null");
    LEM_CHECK_ERROR(lem_variance_interval(&none, 0.1, LEM_TWO_SIDED, &i), "n = 0|>= 2");
    LEM_CHECK_ERROR(lem_variance_ratio_interval(&two, &one, 0.1, LEM_TWO_SIDED, &i), "b->n = 1");
    LEM_CHECK_ERROR(lem_variance_ratio_interval(&two, &equal, 0.1, LEM_TWO_SIDED, &i), "b->m2 = 0|all equal");
    LEM_CHECK(i.lower == 1 && i.upper == 2, "left as it was");
}

static const lem_tap_case cases[] = {
    {"z, t, chi-square and F intervals cover as often as they say", test_continuous_coverage},
    {"Clopper-Pearson never covers less than it says", test_clopper_pearson_covers},
    {"Clopper-Pearson misses exactly alpha at its ends", test_clopper_pearson_is_tight},
    {"Clopper-Pearson in closed form", test_clopper_pearson_values},
    {"Wilson's ends solve the score equation", test_wilson_equation},
    {"Wilson covers as often as it says on average over p", test_wilson_average},
    {"simulated coverage agrees with the exact sums", test_discrete_coverage},
    {"bad arguments are refused", test_refused},
};
LEM_TAP_MAIN(cases)
