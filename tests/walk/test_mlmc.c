/* Multilevel Monte Carlo: level variances against their closed form, the optimal samples, the algorithm. */
#include "draw.h"
#include "walk/gbm.h"
#include "walk/mlmc.h"

#include <stdlib.h>
#include <string.h>

static const double mu = .08, sg = .3, T = 1.5;

static int times(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)t;
    for (size_t i = 0; i < n; i++)
        out[i] = *(const double *)ctx * x[i];
    return GSL_SUCCESS;
}

static int square(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = t == 1.5 ? x[i] * x[i] : NAN;
    return GSL_SUCCESS;
}

static const lem_sde sde = {.drift = {times, &mu}, .diffusion = {times, &sg}};
static const lem_mlmc problem = {.sde = &sde, .x0 = 1, .T = 1.5},
                      squared = {&sde, LEM_EULER_MARUYAMA, 1, 0, 1.5, {square, NULL}};

static void level(const lem_mlmc *p, unsigned l, size_t samples, lem_moments moments[2]) {
    const lem_mlmc_level ctx = {p, l};
    const lem_mc_plan plan = {.seed = 1,
                              .study = 2,
                              .purpose = l,
                              .samples = samples,
                              .chunk_size = 2000,
                              .n_moments = 2,
                              .threads = 1,
                              .chunk = lem_mlmc_chunk,
                              .ctx = &ctx};
    LEM_CHECK(lem_mc_run(&plan, &(lem_mc_result){.moments = moments}) == 0, "%s", lem_last_error());
}

static void test_levels(void) {
    for (unsigned l = 0; l <= 6; l += 2) {
        lem_moments m[2];
        level(&problem, l, 20000, m);
        const double fine = pow(1 + mu * T / exp2(l), exp2(l)),
                     coarse = pow(1 + mu * T / exp2(l - 1.), exp2(l - 1.));
        check_mean(&m[1], fine);
        check_mean(&m[0], l ? fine - coarse : fine);
        check_variance(&m[0], l ? lem_mlmc_gbm_level_variance(l, mu, sg, T) : sg * sg * T);
    }
    lem_moments m[2];
    level(&squared, 3, 20000, m);
    const double second = pow(pow(1 + mu * T / 8, 2) + sg * sg * T / 8, 8),
                 coarse = pow(pow(1 + mu * T / 4, 2) + sg * sg * T / 4, 4);
    check_mean(&m[1], second);
    check_mean(&m[0], second - coarse);
}

static int clock_drift(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)x, (void)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = t;
    return GSL_SUCCESS;
}

/* p = t without noise, from t0: each step has the drift of its own beginning, on both paths. */
static void test_times(void) {
    const lem_sde clock = {.drift = {clock_drift, NULL}};
    const lem_mlmc p = {.sde = &clock, .x0 = 3, .t0 = .5, .T = 2.5};
    for (unsigned l = 0; l <= 3; l++) {
        lem_moments m[2];
        level(&p, l, 40, m);
        /* h sum (t0 + k h) over 2^l steps of h = 2^(1-l), in powers of 2: no rounding */
        const double h = ldexp(2, -(int)l), fine = 3 + 1 + 2 * (2 - h) / 2,
                     coarse = 3 + 1 + 2 * (2 - 2 * h) / 2;
        LEM_CHECK_NEAR(lem_moments_mean(&m[1]), fine, 1e-14);
        LEM_CHECK_NEAR(lem_moments_mean(&m[0]), l ? fine - coarse : fine, 1e-14);
    }
}

/* The samples give the error asked for (a little better: rounded up), and no other choice of the same error
 * is cheaper: more of one level and less of another costs more. */
static void test_samples(void) {
    const double variance[] = {1, .3, .01}, cost[] = {1, 3, 6};
    double n[3], error = 0, total = 0;
    LEM_CHECK(lem_mlmc_samples(3, variance, cost, 1e-3, n) == 0, "%s", lem_last_error());
    for (size_t l = 0; l < 3; l++)
        error += variance[l] / n[l], total += cost[l] * n[l];
    LEM_CHECK(error <= 1e-6 && error > .999e-6, "squared error %g", error);
    for (size_t l = 0; l < 3; l++) {
        double moved = 0, price = 0;
        for (size_t j = 0; j < 3; j++) {
            const double samples = n[j] * (j == l ? 1.1 : 1);
            moved += variance[j] / samples, price += cost[j] * samples;
        }
        LEM_CHECK(price * moved > total * error, "level %zu",
                  l); /* cost times squared error is what counts */
    }
    LEM_CHECK(lem_mlmc_samples(2, (const double[]){1, 0}, cost, 1e-3, n) == 0 && n[1] == 1,
              "a level without variance is sampled once");
    LEM_CHECK_ERROR(lem_mlmc_samples(3, variance, cost, 0, n), "error = 0");
    LEM_CHECK_ERROR(lem_mlmc_samples(3, variance, cost, 1e-12, n), "2^53");
    LEM_CHECK_ERROR(lem_mlmc_samples(3, (const double[]){1, -1, 0}, cost, 1, n), "variance[1] = -1");
    LEM_CHECK_ERROR(lem_mlmc_samples(3, NULL, cost, 1, n), "null");
}

/* Over 20 runs the root mean square error is that asked for, or less: the mean of 20 squares of a normal
 * deviation of half the variance, plus half for bias, exceeds 2.6 with probability 1e-6. */
static void test_run(void) {
    const double exact = exp(mu * T), eps = 4e-3;
    double squares = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const lem_mlmc_options o = {eps, 1, 500, 12, seed, 9, "test", 1};
        lem_mlmc_result r;
        LEM_CHECK(lem_mlmc_run(&problem, &o, &r) == 0, "%s", lem_last_error());
        squares += pow((r.estimate - exact) / eps, 2) / 20;
        LEM_CHECK(r.standard_error <= eps / sqrt(2) * 1.02 && r.bias < eps / sqrt(2), "errors %g, %g",
                  r.standard_error, r.bias);
    }
    LEM_CHECK(squares < 2.6, "mean square %g", squares);
}

/* What is reported is what was done: cost and bias from the levels themselves, at a weak order that is not 1.
 */
static void test_report(void) {
    const lem_mlmc_options o = {4e-3, 2, 500, 12, 3, 9, "report", 1};
    lem_mlmc_result r;
    LEM_CHECK(lem_mlmc_run(&problem, &o, &r) == 0, "%s", lem_last_error());
    double cost = 0, estimate = 0, variance = 0;
    for (unsigned l = 0; l < r.levels; l++) {
        cost += (double)r.level[l].n * (l ? 1.5 * exp2(l) : 1);
        estimate += lem_moments_mean(&r.level[l]);
        variance += lem_moments_variance(&r.level[l]) / (double)r.level[l].n;
    }
    const double last = fabs(lem_moments_mean(&r.level[r.levels - 1])),
                 before = fabs(lem_moments_mean(&r.level[r.levels - 2]));
    LEM_CHECK_NEAR(r.cost, cost, 0);
    LEM_CHECK_NEAR(r.estimate, estimate, 1e-15);
    LEM_CHECK_NEAR(r.standard_error, sqrt(variance), 1e-15);
    LEM_CHECK_NEAR(r.bias, fmax(last, before / 4) / 3, 1e-15);
}

enum { SEEN = 200000 };
typedef struct {
    size_t n;
    double *values;
} memory;

static int remember(size_t n, const double *x, double t, const void *ctx, double *out) {
    (void)t;
    memory *const *m = ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = (*m)->values[(*m)->n++ % SEEN] = x[i];
    return GSL_SUCCESS;
}

static int ascending(const void *a, const void *b) {
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Samples that are added to a level are new ones: no end of a path is seen twice. */
static void test_new_samples(void) {
    static double values[SEEN];
    memory seen = {0, values}, *const place = &seen;
    const lem_mlmc p = {.sde = &sde, .x0 = 1, .T = 1.5, .payoff = {remember, &place}};
    const lem_mlmc_options o = {1e-2, 1, 100, 12, 1, 9, "new", 1};
    lem_mlmc_result r;
    LEM_CHECK(lem_mlmc_run(&p, &o, &r) == 0, "%s", lem_last_error());
    LEM_CHECK(seen.n > 3 * 100 && seen.n <= SEEN && r.level[0].n > 100, "%zu ends", seen.n);
    qsort(values, seen.n, sizeof *values, ascending);
    size_t twice = 0;
    for (size_t i = 1; i < seen.n; i++)
        twice += values[i] == values[i - 1];
    LEM_CHECK(twice == 0, "%zu of %zu ends are seen twice", twice, seen.n);
}

static void test_threads(void) {
    lem_mlmc_options o = {4e-3, 1, 500, 12, 1, 9, "threads", 1};
    lem_mlmc_result one, two;
    memset(&one, 0, sizeof one), memset(&two, 0, sizeof two);
    LEM_CHECK(lem_mlmc_run(&problem, &o, &one) == 0, "%s", lem_last_error());
    o.threads = 2;
    LEM_CHECK(lem_mlmc_run(&problem, &o, &two) == 0, "%s", lem_last_error());
    LEM_CHECK(one.estimate == two.estimate && one.cost == two.cost && one.levels == two.levels,
              "the same bits");
}

static void test_refusals(void) {
    lem_mlmc_options o = {.01, 1, 100, 3, 1, 9, "refusals", 1};
    lem_mlmc_result r;
    LEM_CHECK_ERROR(lem_mlmc_run(NULL, &o, &r), "problem = null");
    LEM_CHECK_ERROR(lem_mlmc_run(&problem, NULL, &r), "options = null");
    LEM_CHECK_ERROR(lem_mlmc_run(&problem, &o, NULL), "result = null");
    LEM_CHECK_ERROR(lem_mlmc_run(&(lem_mlmc){.sde = &sde, .T = 0}, &o, &r), "t0 = 0, T = 0");
    LEM_CHECK_ERROR(lem_mlmc_run(&(lem_mlmc){.sde = &sde, .T = NAN}, &o, &r), "T = nan");
    o.pilot = 1;
    LEM_CHECK_ERROR(lem_mlmc_run(&problem, &o, &r), "pilot = 1|>= 32");
    o.pilot = 100, o.eps = 0;
    LEM_CHECK_ERROR(lem_mlmc_run(&problem, &o, &r), "eps = 0");
    o.eps = .01, o.finest = 1;
    LEM_CHECK_ERROR(lem_mlmc_run(&problem, &o, &r), "finest = 1");
    o.finest = LEM_MLMC_LEVELS;
    LEM_CHECK_ERROR(lem_mlmc_run(&problem, &o, &r), "finest = 24|2, ..., 23");
    lem_stream stream = stream_for("refusals");
    lem_moments m[2];
    LEM_CHECK_ERROR(lem_mlmc_chunk(&stream, 0, 1, NULL, &(lem_mc_result){.moments = m},
                                   &(lem_mlmc_level){&problem, LEM_MLMC_LEVELS}),
                    "level = 24|< 24");
    o.finest = 2, o.eps = 1e-3;
    LEM_CHECK(lem_mlmc_run(&problem, &o, &r) == GSL_EMAXITER, "%s", lem_last_error());
    LEM_CHECK_ERROR(lem_mlmc_run(&problem, &o, &r), "finest = 2|finer level");
    LEM_CHECK(isfinite(r.estimate), "the best there is");
}

static const lem_tap_case cases[] = {
    {"level means and variances", test_levels}, {"each step at its own time", test_times},
    {"optimal samples", test_samples},          {"the error asked for", test_run},
    {"cost and bias as reported", test_report}, {"added samples are new", test_new_samples},
    {"threads change no bit", test_threads},    {"refusals", test_refusals},
};
LEM_TAP_MAIN(cases)
