#include "rng/stream.h"
#include "stat/distribution.h"
#include "tap/tap.h"
#include "walk/lattice.h"
#include "walk/random.h"

static test_rng rng = {903};

/* Pascal's triangle in doubles: exact up to n = 53, below n units beyond. */
static void test_pascal(void) {
    enum { N = 400 };
    static double row[2 * N + 3];
    row[N + 1] = 1;
    for (int n = 0; n <= N; n++) {
        for (int m = -n - 1; m <= n + 1; m++) {
            const double p = row[N + 1 + m];
            LEM_CHECK_NEAR(lem_walk_pmf((unsigned long long)n, m), p, (n * UNIT + 1e-12) * p);
        }
        static double next[2 * N + 3];
        for (int j = 1; j < 2 * N + 2; j++)
            next[j] = (row[j - 1] + row[j + 1]) / 2;
        memcpy(row, next, sizeof row);
    }
}

/* Large n: against libRmath's binomial law, which shares nothing but the name of the method's author: the
 * upper tail beyond m less the one beyond m + 2. Digits are left only in the far tail, where each is a good
 * part of the one before. */
static void test_tail(void) {
    for (int round = 0; round < 200; round++) {
        const unsigned long long n = 1000 + test_below(&rng, 1000000);
        const long long right = (long long)((double)n / 2 + between(&rng, 4, 30) * sqrt((double)n) / 2);
        const double at = lem_binomial_cdf((double)(right - 1), n, .5, LEM_UPPER),
                     beyond = lem_binomial_cdf((double)right, n, .5, LEM_UPPER);
        const double p = lem_walk_pmf(n, 2 * right - (long long)n);
        LEM_CHECK_NEAR(p, at - beyond, 1e-11 * at);
    }
    double sum = 0; /* all of n = 10^6 */
    for (long long m = -8000; m <= 8000; m += 2)
        sum += lem_walk_pmf(1000000, m);
    LEM_CHECK_NEAR(sum, 1, 1e-12);
}

static int no_drift(double x, double t, const void *ctx, double *value) {
    (void)x, (void)t, (void)ctx;
    *value = 0;
    return GSL_SUCCESS;
}

/* -kappa x + push t, fails right of `wall` */
typedef struct {
    double kappa, push, wall;
} spring;

static int pull(double x, double t, const void *ctx, double *value) {
    const spring *s = ctx;
    if (x > s->wall)
        return GSL_EDOM;
    *value = -s->kappa * x + s->push * t;
    return GSL_SUCCESS;
}

static void test_symmetric(void) {
    enum { N = 500 };
    double p[2 * N + 1];
    LEM_CHECK(lem_biased_walk_evolve(&(lem_field){no_drift, NULL}, N, .3, 2, .7, 0, p, NULL) == 0, "%s",
              lem_last_error());
    for (long long j = 0; j <= 2 * N; j++)
        LEM_CHECK_NEAR(p[j], lem_walk_pmf(N, j - N), (N * UNIT + 1e-12) * p[j] + 1e-297);
}

/* E x -> (1 - kappa dt) E x + push t dt and E x^2 -> (1 - 2 kappa dt) E x^2 + 2 push t dt E x + alpha dt. */
static void test_moments(void) {
    enum { N = 300 };
    double p[2 * N + 1];
    for (int round = 0; round < 20; round++) {
        const spring s = {between(&rng, 0, 2), between(&rng, -1, 1), HUGE_VAL};
        const double T = scale_between(&rng, .1, 2), alpha = scale_between(&rng, .5, 4),
                     x0 = between(&rng, -1, 1);
        const double dt = T / N, ds = sqrt(alpha * dt);
        double clipped = -1, mean = x0, second = x0 * x0;
        const int status =
            lem_biased_walk_evolve(&(lem_field){pull, &s}, N, x0, T, alpha, 1e-30, p, &clipped);
        LEM_CHECK(status == 0, "%s", lem_last_error());
        for (int k = 0; k < N; k++) {
            const double push = s.push * k * dt;
            second = (1 - 2 * s.kappa * dt) * second + 2 * push * dt * mean + alpha * dt;
            mean = (1 - s.kappa * dt) * mean + push * dt;
        }
        double sums[3] = {0};
        for (int j = 0; j <= 2 * N; j++) {
            const double x = x0 + (j - N) * ds;
            sums[0] += p[j], sums[1] += p[j] * x, sums[2] += p[j] * x * x;
            LEM_CHECK(j % 2 == 0 || p[j] == 0, "site %d is of the wrong parity", j);
        }
        LEM_CHECK_NEAR(sums[0], 1, 3 * N * UNIT);
        LEM_CHECK_NEAR(sums[1], mean, 10 * N * UNIT * (1 + fabs(x0)));
        LEM_CHECK_NEAR(sums[2], second, 20 * N * UNIT * (1 + x0 * x0 + alpha * T));
    }
}

static void test_clipping(void) {
    enum { N = 40 };
    double p[2 * N + 1], clipped = -1;
    const spring s = {8, 0, HUGE_VAL};
    const lem_field steep = {pull, &s};
    LEM_CHECK(lem_biased_walk_evolve(&steep, N, 3, 1, 1, 20, p, &clipped) == 0, "%s", lem_last_error());
    /* 8 * 3 * sqrt(1/40) = 3.8 > 1: 14 certain steps to the left, until x <= sqrt(40)/8 */
    LEM_CHECK(clipped >= 14 && clipped < 14.1, "clipped %g", clipped);
    LEM_CHECK_NEAR(p[2 * N], 0, 0);
    double mass = 0;
    for (int j = 0; j <= 2 * N; j++) {
        mass += p[j];
        LEM_CHECK(p[j] >= 0, "p[%d] = %g", j, p[j]);
    }
    LEM_CHECK_NEAR(mass, 1, 3 * N * UNIT);
    LEM_CHECK(lem_biased_walk_evolve(&steep, N, 3, 1, 1, 0, p, &clipped) == GSL_ERANGE, "limit");
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&steep, N, 3, 1, 1, 0, p, NULL), "clipped mass|at most 0|steps");
}

static int steady(double x, double t, const void *ctx, double *value) {
    (void)x, (void)t;
    *value = *(const double *)ctx;
    return GSL_SUCCESS;
}

/* |p| s = alpha is the last drift that is a probability: 1, and nothing is clipped. */
static void test_certain(void) {
    for (double drift = -2; drift <= 2; drift += 4) { /* alpha = 1, s = 1/2 */
        double p[9], clipped = -1;
        LEM_CHECK(lem_biased_walk_evolve(&(lem_field){steady, &drift}, 4, 0, 1, 1, 0, p, &clipped) == 0, "%s",
                  lem_last_error());
        LEM_CHECK(clipped == 0 && p[drift > 0 ? 8 : 0] == 1, "clipped %g", clipped);
    }
}

static void test_refusals(void) {
    double p[21];
    const spring s = {1, 0, .9};
    const lem_field field = {pull, &s}, none = {NULL, NULL};
    LEM_CHECK_ERROR(isnan(lem_walk_pmf((1ULL << 53) + 1, 1)), "n = 9007199254740993|2^53");
    LEM_CHECK_NEAR(lem_walk_pmf(3, 2) + lem_walk_pmf(3, 5) + lem_walk_pmf(4, INT64_MIN), 0, 0);
    LEM_CHECK_NEAR(lem_walk_pmf(0, 0), 1, 0);
    LEM_CHECK_ERROR(lem_biased_walk_evolve(NULL, 10, 0, 1, 1, 0, p, NULL), "drift = null");
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&none, 10, 0, 1, 1, 0, p, NULL), "drift = null");
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&field, 10, 0, 1, 1, 0, NULL, NULL), "probabilities = null");
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&field, 0, 0, 1, 1, 0, p, NULL), "n = 0");
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&field, ((size_t)1 << 30) + 1, 0, 1, 1, 0, p, NULL),
                    "n = 1073741825|2^30");
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&field, 10, NAN, 1, 1, 0, p, NULL), "x0 = nan|finite");
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&field, 10, 0, 0, 1, 0, p, NULL), "T = 0|positive");
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&field, 10, 0, 1, -1, 0, p, NULL), "alpha = -1|positive");
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&field, 10, 0, 1, 1, -1, p, NULL), "clipped_limit = -1|>= 0");
    /* sites at multiples of sqrt(1/10) = .316: the third right of 0 is reached after three steps */
    LEM_CHECK_ERROR(lem_biased_walk_evolve(&field, 10, 0, 1, 1, 0, p, NULL), "drift(x = 0.948|t = 0.3");
}

static const lem_tap_case cases[] = {
    {"Pascal's triangle", test_pascal},
    {"tails of long walks", test_tail},
    {"no drift is the symmetric walk", test_symmetric},
    {"moments of a linear drift follow their recursions", test_moments},
    {"clipped mass", test_clipping},
    {"a step that is certain", test_certain},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
