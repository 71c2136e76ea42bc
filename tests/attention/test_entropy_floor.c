/* The least entropy of bounded scores: definitions, enumeration, limits, and what is refused. */
#include "attention/entropy_floor.h"
#include "rng/stream.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>

static lem_stream stream_for(uint32_t purpose) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 12, lem_stream_id("test_entropy_floor"), purpose, 0) == 0, "%s",
              lem_last_error());
    return stream;
}

/* -sum p log p of k scores c and n - k scores 0, term by term. */
static double entropy(size_t n, size_t k, double c) {
    const double top = 1 / ((double)k + (double)(n - k) * exp(-c)), rest = top * exp(-c);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum -= i < k ? top * log(top) : rest > 0 ? rest * log(rest) : 0;
    return sum;
}

static void vertices_by_definition(void) {
    lem_stream stream = stream_for(0);
    for (int round = 0; round < 300 * lem_tap_effort() + 1; round++) {
        const size_t n = 2 + lem_integer(&stream, 40), k = 1 + lem_integer(&stream, n);
        const double tau = exp(4 * lem_uniform(&stream) - 3), direct = entropy(n, k, 2 / tau);
        /* n terms of relative error (1 + c) eps */
        LEM_CHECK_NEAR(lem_vertex_entropy((double)n, (double)k, tau), direct,
                       100 * DBL_EPSILON * (1 + direct));
    }
}

static void minimum_by_enumeration(void) {
    lem_stream stream = stream_for(1);
    for (int round = 0; round < 300 * lem_tap_effort() + 1; round++) {
        const double n = 2 + (double)lem_integer(&stream, round % 2 ? 3000 : 12),
                     tau = exp(6 * lem_uniform(&stream) - 4);
        double least = INFINITY, at;
        for (double k = 1; k < n; k++)
            least = fmin(least, lem_vertex_entropy(n, k, tau));
        LEM_CHECK(lem_min_entropy_cube(n, tau, &at) == least, "n = %g, tau = %g: not least at k = %g", n, tau,
                  at);
        LEM_CHECK(lem_vertex_entropy(n, at, tau) == least, "n = %g, tau = %g: k = %g", n, tau, at);
    }
}

/* The least over whole k is at most half a step from the least over reals, where the curvature in k/n is
 * (1 - q)^2/K^2: D* - (log n - H) is between 0 and about (1 - q)^2/(8 K^2 n^2). */
static void limit_of_many_scores(void) {
    static const double taus[] = {0.3, 1, 5};
    for (size_t i = 0; i < 3; i++) {
        const double n = 1e5, c = 2 / taus[i], q = exp(-c), K = c * q / (1 - q);
        const double gap =
            lem_max_entropy_deficit(taus[i]) - (log(n) - lem_min_entropy_cube(n, taus[i], NULL));
        LEM_CHECK(gap > -1e-13 && gap < 1.1 * (1 - q) * (1 - q) / (8 * K * K * n * n) + 1e-13,
                  "tau = %g: gap %g", taus[i], gap);
    }
}

/* m - 1 - log m as it stands, where it does not cancel. */
static void deficit_by_definition(void) {
    for (double tau = 0.004; tau < 3; tau *= 1.3) {
        const double c = 2 / tau, m = c / -expm1(-c), direct = m - 1 - log(m);
        LEM_CHECK_NEAR(lem_max_entropy_deficit(tau), direct, 8 * DBL_EPSILON * m);
        LEM_CHECK_NEAR(lem_entropy_floor_share(tau), (m - 1) / expm1(c), 16 * DBL_EPSILON * (1 + 1 / c));
    }
    for (double tau = 100; tau < 1e150; tau *= 1e10) /* c^2/8 - c^4/576 + c^6/25920 - ... */
        LEM_CHECK_NEAR(lem_max_entropy_deficit(tau), 0.5 / tau / tau * (1 - 1 / (18 * tau * tau)),
                       0.5 / tau / tau * (6e-3 / tau / tau / tau / tau + 4 * DBL_EPSILON));
    LEM_CHECK_NEAR(lem_max_entropy_deficit(nextafter(0.5, 1)), lem_max_entropy_deficit(0.5),
                   16 * DBL_EPSILON);
    LEM_CHECK(lem_max_entropy_deficit(INFINITY) == 0, "no scores at all");
    LEM_CHECK_NEAR(lem_max_entropy_deficit(1.2e-308) / (2 / 1.2e-308), 1, 1e-15);
    LEM_CHECK(lem_min_entropy_cube(5, 1.2e-308, NULL) == 0, "the lowest temperature");
}

static void ends(void) {
    double k;
    LEM_CHECK_NEAR(lem_min_entropy_cube(2, 1e9, &k), log(2), 1e-15);
    LEM_CHECK(k == 1, "k = %g", k);
    LEM_CHECK_NEAR(lem_vertex_entropy(7, 7, 0.5), log(7), 4 * DBL_EPSILON);
    LEM_CHECK(lem_min_entropy_cube(9007199254740992.0, 1e-3, &k) == 0 && k == 1, "one token beats 2^53");
}

static int failed(double value) {
    return isnan(value) ? GSL_EDOM : 0;
}

static void bad_input(void) {
    static const double bad_tau[] = {0, -1, NAN, 1e-320, 1e-308},
                        bad_n[] = {1, 0, -4, 2.5, NAN, INFINITY, 1e17};
    for (size_t i = 0; i < sizeof bad_tau / sizeof *bad_tau; i++) {
        LEM_CHECK_ERROR(failed(lem_max_entropy_deficit(bad_tau[i])), "tau = |positive");
        LEM_CHECK_ERROR(failed(lem_entropy_floor_share(bad_tau[i])), "tau = |positive");
        LEM_CHECK_ERROR(failed(lem_min_entropy_cube(4, bad_tau[i], NULL)), "tau = |positive");
        LEM_CHECK_ERROR(failed(lem_vertex_entropy(4, 1, bad_tau[i])), "tau = |positive");
    }
    for (size_t i = 0; i < sizeof bad_n / sizeof *bad_n; i++) {
        LEM_CHECK_ERROR(failed(lem_min_entropy_cube(bad_n[i], 1, NULL)), "n = |whole number");
        LEM_CHECK_ERROR(failed(lem_vertex_entropy(bad_n[i], 1, 1)), "n = |whole number");
    }
    LEM_CHECK_ERROR(failed(lem_vertex_entropy(4, 0, 1)), "k = 0|<= n = 4");
    LEM_CHECK_ERROR(failed(lem_vertex_entropy(4, 5, 1)), "k = 5");
    LEM_CHECK_ERROR(failed(lem_vertex_entropy(4, 1.5, 1)), "k = 1.5");
}

static const lem_tap_case cases[] = {
    {"vertices by definition", vertices_by_definition},
    {"the minimum by enumeration", minimum_by_enumeration},
    {"many scores", limit_of_many_scores},
    {"the deficit by definition and by its series", deficit_by_definition},
    {"ends", ends},
    {"bad input is refused by name", bad_input},
};

LEM_TAP_MAIN(cases)
