#include "tap/tap.h"
#include "walk/gauge.h"
#include "walk/random.h"

static test_rng rng = {904};

/* p = a x + b sin(t), p_x = a */
static int drift(double x, double t, const void *ctx, double *value) {
    const double *c = ctx;
    *value = x > 50 ? NAN : c[0] * x + c[1] * sin(t);
    return GSL_SUCCESS;
}

static int gradient(double x, double t, const void *ctx, double *value) {
    (void)x, (void)t;
    *value = *(const double *)ctx;
    return GSL_SUCCESS;
}

/* phi exp(Phi/alpha) is stationary when V phi = -(alpha^2/2) phi'': with phi = exp(Phi/alpha) that is
 * V = -(alpha p_x + p^2)/2. */
static void test_potential(void) {
    for (int round = 0; round < 100; round++) {
        const double p = between(&rng, -3, 3), p_x = between(&rng, -3, 3),
                     alpha = scale_between(&rng, .01, 100);
        const double v = lem_gauge_potential(p, p_x, 0, alpha);
        LEM_CHECK_NEAR(v, -(alpha * p_x + p * p) / 2, 4 * DBL_EPSILON * (alpha * fabs(p_x) + p * p));
        LEM_CHECK_NEAR(lem_gauge_potential(p, p_x, 1.25, alpha), v - 1.25, 4 * DBL_EPSILON * (fabs(v) + 2));
    }
    LEM_CHECK_ERROR(isnan(lem_gauge_potential(NAN, 0, 0, 1)), "p = nan|finite");
    LEM_CHECK_ERROR(isnan(lem_gauge_potential(0, INFINITY, 0, 1)), "p_x = inf|finite");
    LEM_CHECK_ERROR(isnan(lem_gauge_potential(0, 0, NAN, 1)), "int_p_t = nan|finite");
    LEM_CHECK_ERROR(isnan(lem_gauge_potential(0, 0, 0, 0)), "alpha = 0|positive");
}

/* A straight path with drift b sin(t): int (c - b sin t)^2/(2 alpha) dt + a T/2 in closed form, with an error
 * of order dt^2. */
static void test_action(void) {
    const double c[] = {0, 1.5}, alpha = .7, T = 2, slope = .8;
    const double exact =
        (slope * slope * T - 2 * slope * c[1] * (1 - cos(T)) + c[1] * c[1] * (T / 2 - sin(2 * T) / 4)) /
        (2 * alpha);
    double before = 0;
    for (size_t n = 16; n <= 1024; n *= 4) {
        double path[1025], action = 0, with = 0;
        const double dt = T / (double)n, one = 3;
        for (size_t k = 0; k <= n; k++)
            path[k] = .2 + slope * dt * (double)k;
        LEM_CHECK(lem_onsager_machlup_action(path, n, dt, 0, &(lem_field){drift, c}, NULL, alpha, &action) ==
                      0,
                  "%s", lem_last_error());
        LEM_CHECK(lem_onsager_machlup_action(path, n, dt, 0, &(lem_field){drift, c},
                                             &(lem_field){gradient, &one}, alpha, &with) == 0,
                  "%s", lem_last_error());
        LEM_CHECK_NEAR(with - action, 3 * T / 2, 1e-12);
        const double error = action - exact;
        if (n > 16)
            LEM_CHECK_NEAR(before / error, 16, .5);
        before = error;
    }
}

/* A path in two pieces, the second from the time at which the first ends, costs what it costs as one. */
static void test_pieces(void) {
    enum { N = 64 };
    const double c[] = {-.4, 1.5}, alpha = .7, dt = 2. / N, t0 = .3;
    const lem_field field = {drift, c}, slope = {gradient, c};
    double path[N + 1], whole = 0, first = 0, second = 0;
    for (size_t k = 0; k <= N; k++)
        path[k] = sin(3 * dt * (double)k);
    LEM_CHECK(lem_onsager_machlup_action(path, N, dt, t0, &field, &slope, alpha, &whole) == 0, "whole");
    LEM_CHECK(lem_onsager_machlup_action(path, N / 4, dt, t0, &field, &slope, alpha, &first) == 0, "first");
    LEM_CHECK(lem_onsager_machlup_action(path + N / 4, N - N / 4, dt, t0 + dt * (N / 4), &field, &slope,
                                         alpha, &second) == 0,
              "second");
    LEM_CHECK_NEAR(first + second, whole, 1e-13);
}

/* Following the drift costs nothing; x' = -p costs 2/alpha times the difference of potentials. */
static void test_uphill(void) {
    enum { N = 4000 };
    static double down[N + 1], up[N + 1];
    const double c[] = {-1, 0}, alpha = .5, dt = 2. / N;
    for (size_t k = 0; k <= N; k++) {
        down[k] = exp(-(double)k * dt);
        up[N - k] = down[k];
    }
    double free_path = 1, climb = 0;
    const lem_field field = {drift, c};
    LEM_CHECK(lem_onsager_machlup_action(down, N, dt, 0, &field, NULL, alpha, &free_path) == 0, "down");
    LEM_CHECK(lem_onsager_machlup_action(up, N, dt, 0, &field, NULL, alpha, &climb) == 0, "up");
    LEM_CHECK_NEAR(free_path, 0, 1e-12);
    LEM_CHECK_NEAR(climb, (1 - exp(-4)) / alpha, 1e-6);
}

static void test_refusals(void) {
    const double c[] = {1, 0}, path[] = {0, 1, 103}, bad[] = {0, NAN};
    const lem_field field = {drift, c};
    double action;
    LEM_CHECK_ERROR(lem_onsager_machlup_action(NULL, 1, 1, 0, &field, NULL, 1, &action), "path = null");
    LEM_CHECK_ERROR(lem_onsager_machlup_action(path, 1, 1, 0, NULL, NULL, 1, &action), "drift = null");
    LEM_CHECK_ERROR(lem_onsager_machlup_action(path, 1, 1, 0, &field, NULL, 1, NULL), "action = null");
    LEM_CHECK_ERROR(lem_onsager_machlup_action(path, 0, 1, 0, &field, NULL, 1, &action), "n = 0|>= 1");
    LEM_CHECK_ERROR(lem_onsager_machlup_action(path, 1, 0, 0, &field, NULL, 1, &action), "dt = 0|positive");
    LEM_CHECK_ERROR(lem_onsager_machlup_action(path, 1, 1, NAN, &field, NULL, 1, &action), "t0 = nan");
    LEM_CHECK_ERROR(lem_onsager_machlup_action(path, 1, 1, 0, &field, NULL, -1, &action), "alpha = -1");
    LEM_CHECK_ERROR(lem_onsager_machlup_action(bad, 1, 1, 0, &field, NULL, 1, &action), "path[1] = nan");
    LEM_CHECK_ERROR(lem_onsager_machlup_action(path, 2, 2, 0, &field, NULL, 1, &action),
                    "drift(x = 52, t = 3) = nan|finite");
}

static const lem_tap_case cases[] = {
    {"the potential of a drift", test_potential},
    {"the action of a straight path, order 2", test_action},
    {"the action of a path in pieces", test_pieces},
    {"downhill is free, uphill costs the height twice", test_uphill},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
