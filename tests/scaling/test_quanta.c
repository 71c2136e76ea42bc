#include "scaling/geometric_quanta.h"
#include "scaling/quanta.h"
#include "scaling/quanta_data.h"
#include "scaling/quanta_joint.h"
#include "rng/stream.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static lem_stream stream;

static double unit(void) {
    return lem_uniform(&stream);
}

static double log_between(double low, double high) {
    return exp(log(low) + unit() * (log(high) - log(low)));
}

static size_t repetitions(size_t base) {
    return (size_t)ceil((double)base * lem_tap_effort());
}

static void start(const char *purpose) {
    LEM_CHECK(lem_stream_init(&stream, 1, lem_stream_id("test quanta"), lem_stream_id(purpose), 0) == 0,
              "init");
}

/* L(n - 1) - L(n) = p_n; rounding: 64 epsilons of both. */
static void test_one_more(void) {
    start("one more");
    for (size_t i = 0; i < repetitions(300); i++) {
        const double gamma = log_between(1e-6, 50), n = 1 + floor(log_between(1, 1e6));
        const double before = lem_quanta_loss(n - 1, gamma, 0, 1), after = lem_quanta_loss(n, gamma, 0, 1);
        LEM_CHECK_NEAR(before - after, lem_quanta_frequency(n, gamma), 128 * DBL_EPSILON * before);
    }
}

/* n^-gamma/gamma - n^-s/2 < zeta(s, n + 1) < (n + 1/2)^-gamma/gamma, in units of Z */
static void test_bounds(void) {
    start("bounds");
    for (size_t i = 0; i < repetitions(300); i++) {
        const double gamma = log_between(1e-2, 10), n = floor(log_between(1, 1e4));
        const double loss = lem_quanta_loss(n, gamma, 0, 1),
                     middle = lem_quanta_loss_midpoint(n, gamma, 0, 1);
        const double left = lem_quanta_loss_asymptotic(n, gamma, 0, 1) - lem_quanta_frequency(n, gamma) / 2;
        LEM_CHECK(left < loss * (1 + 1e-13) && loss < middle * (1 + 1e-13), "gamma = %g, n = %g", gamma, n);
    }
}

static void test_costs(void) {
    start("costs");
    for (size_t i = 0; i < repetitions(100); i++) {
        const double a = -unit(), b = unit();
        LEM_CHECK_NEAR(lem_quanta_loss(0, 0.3, a, b), b, 0);
    }
    LEM_CHECK_NEAR(lem_quanta_loss(7, 0.3, 2, 2), 2, 0);
    LEM_CHECK_NEAR(lem_quanta_loss(7, 0.3, 1, 3), 1 + 2 * lem_quanta_loss(7, 0.3, 0, 1), 4 * DBL_EPSILON);
    LEM_CHECK_NEAR(lem_quanta_local_exponent(0, 2), 0, 0);
    LEM_CHECK_NEAR(lem_quanta_loss_finite(0, 10, 2), 1, 0);
    LEM_CHECK_NEAR(lem_quanta_loss_finite(10, 10, 2), 0, 0);
    LEM_CHECK_NEAR(lem_quanta_loss_finite(0, 1, 2), 1, 0);
    /* of two quanta the second has 2^-s/(1 + 2^-s) */
    LEM_CHECK_NEAR(lem_quanta_loss_finite(1, 2, 999), exp2(-1000), 64 * DBL_EPSILON * exp2(-1000));
}

/* The entropy of the frequencies, added up for 10^6 quanta of gamma = 3, beyond which less than 1e-15 is
 * left. */
static void test_entropy(void) {
    double sum = 0;
    for (double k = 1e5; k >= 1; k--) {
        const double p = lem_quanta_frequency(k, 3);
        sum -= p * log(p);
    }
    LEM_CHECK_NEAR(lem_quanta_loss_logweight(0, 3), sum, 1e-13);
}

/* The last quantum expected tau times. */
static void test_cut(void) {
    start("cut");
    for (size_t i = 0; i < repetitions(300); i++) {
        const double gamma = log_between(1e-2, 5), tau = 1 + floor(10 * unit()), D = log_between(0.1, 1e12);
        const double n = lem_quanta_cut(D, tau, gamma);
        LEM_CHECK(n == 0 || D * lem_quanta_frequency(n, gamma) >= tau * (1 - 1e-14), "n = %g", n);
        LEM_CHECK(D * lem_quanta_frequency(n + 1, gamma) < tau * (1 + 1e-14), "n = %g", n);
    }
    LEM_CHECK_NEAR(lem_quanta_cut(0, 1, 1), 0, 0);
    LEM_CHECK_NEAR(lem_quanta_cut(1, 1, 1), 0, 0);
}

/* A sample teaches its quantum when it is the tau-th of it: with N the number learned, dN/dD = sum p_k
 * P(count_k = tau - 1), the loss at tau less that at tau - 1. */
static void test_loss_is_rate(void) {
    start("rate");
    for (size_t i = 0; i < repetitions(100); i++) {
        const double gamma = log_between(0.05, 4), tau = 1 + floor(8 * unit()), D = log_between(1, 1e6);
        const double h = 1e-4 * D;
        const double rate =
            (lem_quanta_learned_count(D + h, tau, gamma) - lem_quanta_learned_count(D - h, tau, gamma)) /
            (2 * h);
        const double expected = lem_quanta_loss_poisson(D, tau, gamma) -
                                (tau > 1 ? lem_quanta_loss_poisson(D, tau - 1, gamma) : 0);
        /* h^2/6 times the third derivative, at most (tau + 2)^3 of the value by D^2, or so; and rounding */
        const double count = lem_quanta_learned_count(D, tau, gamma);
        LEM_CHECK_NEAR(rate, expected, 1e-8 * pow(tau + 2, 3) * expected + 1e-12 * count / h);
    }
}

/* Beyond every power: at a million samples the sums are the closed forms. */
static void test_closed_forms(void) {
    start("closed forms");
    for (size_t i = 0; i < repetitions(60); i++) {
        const double gamma = log_between(0.05, 1.2), tau = 1 + floor(4 * unit()),
                     D = floor(log_between(1e7, 1e13));
        const double poisson = lem_quanta_loss_poisson_asymptotic(D, tau, gamma);
        const double binomial = lem_quanta_loss_binomial_asymptotic(D, tau, gamma);
        const double count = lem_quanta_learned_count_asymptotic(D, tau, gamma);
        LEM_CHECK_NEAR(lem_quanta_loss_poisson(D, tau, gamma) / poisson, 1, 1e-12);
        LEM_CHECK_NEAR(lem_quanta_loss_binomial(D, tau, gamma) / binomial, 1, 1e-12);
        LEM_CHECK_NEAR(lem_quanta_learned_count(D, tau, gamma) / count, 1, 1e-12);
        const double c = gamma / (1 + gamma);
        LEM_CHECK_NEAR(binomial / poisson, 1 - c * (c + 1) / (2 * D), 1 / (D * D) + 256 * DBL_EPSILON);
        LEM_CHECK(lem_quanta_threshold_factor(tau, gamma) < 1, "below 1");
    }
    /* one sample, one quantum seen: 1 - sum p^2, zeta(4)/zeta(2)^2 = 2/5 */
    LEM_CHECK_NEAR(lem_quanta_loss_binomial(1, 1, 1), 1 - 0.4, 1e-13);
    LEM_CHECK_NEAR(lem_quanta_loss_binomial(0, 1, 1), 1, 0);
    LEM_CHECK_NEAR(lem_quanta_loss_binomial(9, 10, 1), 1, 0);
    LEM_CHECK_NEAR(lem_quanta_loss_poisson(0, 1, 1), 1, 0);
    LEM_CHECK_NEAR(lem_quanta_learned_count(0, 1, 1), 0, 0);
    LEM_CHECK_NEAR(lem_quanta_loss_variance_poisson(0, 1, 1), 0, 0);
    /* the same with a quantum that nearly always comes: sum p (1 - p), (1 - p_1) p_1 and the others */
    for (double gamma = 15; gamma <= 45; gamma += 10) {
        const double rest = lem_quanta_loss(1, gamma, 0, 1), first = lem_quanta_frequency(1, gamma);
        const double second = lem_quanta_frequency(2, gamma), third = lem_quanta_frequency(3, gamma);
        const double loss = rest * (1 + first) - second * second - third * third; /* the 4th: 4^-32 */
        LEM_CHECK_NEAR(lem_quanta_loss_binomial(1, 1, gamma), loss, 2e-13 * loss);
    }
    /* many samples and sightings, where factorials of D leave no digits */
    const double many[][3] = {{2.6e14, 1000, 2}, {1e12, 1000, 1.5}, {9e15, 30, 4}, {1e15, 100, 3}};
    for (size_t i = 0; i < COUNT(many); i++)
        LEM_CHECK_NEAR(lem_quanta_loss_binomial(many[i][0], many[i][1], many[i][2]) /
                           lem_quanta_loss_binomial_asymptotic(many[i][0], many[i][1], many[i][2]),
                       1, 4e-13);
    /* few samples: N = D sum p, variance D sum p^3, zeta(6)/zeta(2)^3 = 8/35 */
    LEM_CHECK_NEAR(lem_quanta_learned_count(1e-9, 1, 1), 1e-9, 1e-17);
    LEM_CHECK_NEAR(lem_quanta_loss_variance_poisson(1e-9, 1, 1) * 1e9, 8.0 / 35, 1e-8);
}

/* For many samples the variance is Z^(-1/s)/s D^-b times the integral of x^(b-1) P Q, b = 2 - 1/s. That of Q
 * is Gamma(tau + b)/(b Gamma(tau)), that of Q^2 a sum over pairs of counts below tau. The difference is a
 * thirtieth of either; logarithms of gamma functions near 5000 are good to 1e-12. */
static void test_variance_of_many(void) {
    const double taus[] = {3, 40, 400}, gamma = 1, b = 1.5, D = 1e14;
    for (size_t t = 0; t < COUNT(taus); t++) {
        const double tau = taus[t];
        double pairs = 0;
        for (double i = 0; i < tau; i++)
            for (double j = 0; j < tau; j++)
                pairs += exp(lgamma(b + i + j) - (b + i + j) * M_LN2 - lgamma(i + 1) - lgamma(j + 1));
        const double integral = exp(lgamma(tau + b) - lgamma(tau)) / b - pairs;
        const double limit = sqrt(lem_quanta_frequency(1, gamma)) / 2 * pow(D, -b) * integral;
        LEM_CHECK_NEAR(lem_quanta_loss_variance_poisson(D, tau, gamma) / limit, 1, 1e-10);
    }
}

/* max(L_N, L_D) <= L <= L_N + L_D, and the limits. */
static void test_joint(void) {
    start("joint");
    for (size_t i = 0; i < repetitions(100); i++) {
        const double gamma = log_between(0.1, 4), tau = 1 + floor(5 * unit());
        const double n = floor(log_between(1, 1e5)), D = log_between(1, 1e7);
        const double loss = lem_quanta_joint_loss(n, D, tau, gamma);
        const double by_n = lem_quanta_loss(n, gamma, 0, 1), by_D = lem_quanta_loss_poisson(D, tau, gamma);
        LEM_CHECK(fmax(by_n, by_D) <= loss * (1 + 1e-12) && loss <= (by_n + by_D) * (1 + 1e-12),
                  "n = %g, D = %g", n, D);
    }
    LEM_CHECK_NEAR(lem_quanta_joint_loss(0, 1e3, 1, 1), 1, 0);
    LEM_CHECK_NEAR(lem_quanta_joint_loss(10, 0, 1, 1), 1, 0);
    LEM_CHECK_NEAR(lem_quanta_joint_scaling(INFINITY, 3, 1), 1, 0);
    for (size_t i = 0; i < repetitions(50); i++) {
        const double gamma = log_between(0.05, 5), tau = 1 + floor(20 * unit());
        /* at a fixed n D, x ~ n^-(gamma + 2): n^-gamma Phi is least at the optimum */
        const double x = lem_quanta_joint_optimum_x(tau, gamma);
        double cost[3];
        for (int j = 0; j < 3; j++) {
            const double at = x * (1 + 1e-3 * (j - 1));
            cost[j] = gamma / (gamma + 2) * log(at) + log(lem_quanta_joint_scaling(at, tau, gamma));
        }
        LEM_CHECK(cost[1] < cost[0] && cost[1] < cost[2], "tau = %g, gamma = %g: x = %g", tau, gamma, x);
    }
}

/* tau = 1: sum p e^(-D p), in extended precision; and tau/(D log(1/q)) on average. */
static void test_geometric(void) {
    start("geometric");
    for (size_t i = 0; i < repetitions(50); i++) {
        const double q = 0.02 + 0.95 * unit(), D = log_between(0.1, 1e6);
        long double sum = 0, p = 1 - (long double)q;
        for (; p > 1e-30L; p *= q)
            sum += p * expl(-D * p);
        LEM_CHECK_NEAR(lem_geometric_quanta_loss(q, D, 1), (double)sum, 1e-13 * (double)sum);
    }
    LEM_CHECK_NEAR(lem_geometric_quanta_loss(0.5, 0, 3), 1, DBL_EPSILON);
    /* the oscillation is below sqrt(tau)-fold 1e-5 at q = 1/2, and nothing at 0.9 */
    LEM_CHECK_NEAR(lem_geometric_quanta_loss(0.9, 1e9, 7) * 1e9 * -log(0.9) / 7, 1, 1e-12);
}

static const double zeta_3 = 1.2020569031595943;

/* At the ends of the domains: nothing hangs, overflows or loses the last quantum. */
static void test_ends(void) {
    const double largest = 0x1p53 - 1, all = lem_quanta_loss_poisson_asymptotic(1e300, 1, 1);
    LEM_CHECK_NEAR(lem_quanta_loss_poisson(1e300, 1, 1), all, 1e-13 * all);
    LEM_CHECK_NEAR(lem_quanta_loss_poisson(1e300, 1000, 0.01) /
                       lem_quanta_loss_poisson_asymptotic(1e300, 1000, 0.01),
                   1, 1e-13);
    LEM_CHECK_NEAR(lem_quanta_learned_count(1e300, 1, 1) / lem_quanta_learned_count_asymptotic(1e300, 1, 1),
                   1, 1e-13);
    /* (1/s) Z^(-1/s) Gamma(2 - 1/s) (1 - 2^-(2 - 1/s)) D^-(2 - 1/s) at gamma = 1 */
    const double variance = sqrt(6) / M_PI * tgamma(1.5) * (1 - exp2(-1.5)) / 2 * 1e-300;
    LEM_CHECK_NEAR(lem_quanta_loss_variance_poisson(1e200, 1, 1), variance, 1e-12 * variance);
    LEM_CHECK_NEAR(lem_quanta_loss_binomial(0x1p53, 1, 0.5) /
                       lem_quanta_loss_binomial_asymptotic(0x1p53, 1, 0.5),
                   1, 1e-13);
    LEM_CHECK_NEAR(lem_quanta_loss_poisson(1e-300, 1000, 1000), 1, 0);
    LEM_CHECK_NEAR(lem_quanta_learned_count(1e-300, 1, 1e-5), 1e-300, 2e-313);
    LEM_CHECK_NEAR(lem_quanta_loss_finite(largest - 1, largest, 1) * largest * largest * M_PI * M_PI / 6, 1,
                   1e-15 * 8);
    LEM_CHECK_NEAR(lem_quanta_loss(1, 1e-300, 0, 1), 1, DBL_EPSILON);
    LEM_CHECK_NEAR(lem_quanta_loss(1e15, 1000, 0, 1), 0, 0);
    LEM_CHECK_NEAR(lem_quanta_joint_optimum_x(1, 1e-300), M_LN2, 1e-13); /* P = Q */
    /* x small: s x = Gamma(1 + c) x^-c up to O(x), within a fifth */
    LEM_CHECK_NEAR(lem_quanta_joint_optimum_x(1, 1000), sqrt(1e-3), sqrt(1e-3) / 5);
    /* n^-gamma where n/gamma exceeds the range, and where n^-s falls below it */
    LEM_CHECK_NEAR(lem_quanta_loss(1e300, 1e-10, 0, 1), 1 - 300e-10 * M_LN10, 1e-9);
    LEM_CHECK_NEAR(lem_quanta_local_exponent(1e300, 1e-10), 1e-10, 1e-24);
    LEM_CHECK_NEAR(lem_quanta_loss(0x1p500, 2, 0, 1) * 0x1p1000 * 2, 1 / zeta_3, 1e-14);
    LEM_CHECK_NEAR(lem_quanta_loss_logweight(10, 0x1p-600) * 0x1p-600, 1, 1e-14); /* 1/gamma + ... */
    LEM_CHECK_NEAR(lem_quanta_loss_finite(0x1p52, 0x1p53 - 1, 18.5) * 0x1p962 * 18.5 / (1 - exp2(-18.5)), 1,
                   1e-5); /* 2^-52 gamma, and Z = 1 + 2^-19.5 */
    LEM_CHECK_NEAR(lem_quanta_joint_scaling(5e-324, 1000, 1) / lem_quanta_joint_scaling(5e-322, 1000, 1), 10,
                   0.1); /* 5e-322 is 100 times as much, to the digits it has */
    LEM_CHECK_NEAR(lem_quanta_loss_poisson_asymptotic(0x1p-1074, 1e9, 1) * 0x1p-537 /
                       lem_quanta_loss_poisson_asymptotic(1, 1e9, 1),
                   1, 1e-14);
    LEM_CHECK_NEAR(lem_geometric_quanta_loss(0.9999, 1e300, 1000) * 1e297 * -log(0.9999), 1, 1e-12);
}

static void test_refusals(void) {
    const double gammas[] = {0, -1, 9e-301, 1001, INFINITY, NAN}, taus[] = {0, -1, 1.5, 1001, NAN};
    for (size_t i = 0; i < COUNT(gammas); i++) {
        const double g = gammas[i];
        LEM_CHECK_ERROR(isnan(lem_quanta_frequency(1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss(1, g, 0, 1)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_asymptotic(1, g, 0, 1)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_midpoint(1, g, 0, 1)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_local_exponent(1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_finite(1, 2, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_logweight(1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_cut(1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_learn_probability(1, 1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_threshold_factor(1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_poisson(1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_poisson_asymptotic(1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_binomial(1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_binomial_asymptotic(1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_learned_count(1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_learned_count_asymptotic(1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_variance_poisson(1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_joint_loss(1, 1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_joint_scaling(1, 1, g)), "gamma = |positive");
        LEM_CHECK_ERROR(isnan(lem_quanta_joint_optimum_x(1, g)), "gamma = |positive");
    }
    for (size_t i = 0; i < COUNT(taus); i++) {
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_poisson(1, taus[i], 1)), "tau = |whole number from 1 to 1000");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_binomial(1, taus[i], 1)), "tau = |whole number from 1 to 1000");
        LEM_CHECK_ERROR(isnan(lem_quanta_learned_count(1, taus[i], 1)), "tau = ");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_variance_poisson(1, taus[i], 1)), "tau = ");
        LEM_CHECK_ERROR(isnan(lem_quanta_joint_loss(1, 1, taus[i], 1)), "tau = ");
        LEM_CHECK_ERROR(isnan(lem_quanta_joint_scaling(1, taus[i], 1)), "tau = ");
        LEM_CHECK_ERROR(isnan(lem_quanta_joint_optimum_x(taus[i], 1)), "tau = ");
        LEM_CHECK_ERROR(isnan(lem_geometric_quanta_loss(0.5, 1, taus[i])), "tau = ");
    }
    LEM_CHECK_ERROR(isnan(lem_quanta_cut(1, 2e9, 1)), "tau = |1e+09");
    const double counts[] = {-1, INFINITY, NAN};
    for (size_t i = 0; i < COUNT(counts); i++) {
        LEM_CHECK_ERROR(isnan(lem_quanta_loss(counts[i], 1, 0, 1)), "n = |finite and not negative");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_logweight(counts[i], 1)), "n = ");
        LEM_CHECK_ERROR(isnan(lem_quanta_joint_loss(counts[i], 1, 1, 1)), "n = ");
        LEM_CHECK_ERROR(isnan(lem_quanta_cut(counts[i], 1, 1)), "D = |finite and not negative");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_poisson(counts[i], 1, 1)), "D = ");
        LEM_CHECK_ERROR(isnan(lem_quanta_learned_count(counts[i], 1, 1)), "D = ");
        LEM_CHECK_ERROR(isnan(lem_quanta_loss_variance_poisson(counts[i], 1, 1)), "D = ");
        LEM_CHECK_ERROR(isnan(lem_geometric_quanta_loss(0.5, counts[i], 1)), "D = ");
        LEM_CHECK_ERROR(isnan(lem_quanta_frequency(counts[i], 1)), "k = |at least 1");
        LEM_CHECK_ERROR(isnan(lem_quanta_learn_probability(counts[i], 1, 1, 1)), "k = |at least 1");
    }
    LEM_CHECK_ERROR(isnan(lem_quanta_loss(1, 1, 1, 0)), "a = 1, b = 0|b not below a");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss(1, 1, NAN, 0)), "a = nan");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss(1, 1, -1e308, 1e308)), "a = -1e+308, b = 1e+308|range of double");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_asymptotic(0, 1, 0, 1)), "n = 0|infinite");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_asymptotic(1e-200, 2, 0, 1)), "range of double");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_midpoint(0, 1000, 0, 1e20)), "range of double");
    LEM_CHECK_ERROR(isnan(lem_quanta_joint_scaling(1e-308, 1000, 1000)), "range of double");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_poisson_asymptotic(1e-308, 1e9, 1000)), "range of double");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_poisson_asymptotic(0, 1, 1)), "D = 0|infinite");
    LEM_CHECK_ERROR(isnan(lem_quanta_learned_count_asymptotic(0, 1, 1)), "D = 0");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_binomial(1.5, 1, 1)), "D = 1.5|whole number");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_binomial_asymptotic(1e17, 1, 1)), "D = 1e+17|2^53");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_finite(3, 2, 1)), "n = 3|0 to K = 2");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_finite(0, 0, 1)), "K = 0");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_finite(0, 0x1p53, 1)), "K = |from 1 to 2^53 - 1");
    LEM_CHECK_ERROR(isnan(lem_quanta_loss_finite(0.5, 2, 1)), "n = 0.5");
    LEM_CHECK_ERROR(isnan(lem_quanta_joint_loss(1.5, 1, 1, 1)), "n = 1.5");
    LEM_CHECK_ERROR(isnan(lem_quanta_joint_scaling(0, 1, 1)), "x = 0|positive");
    const double ratios[] = {0, 1, 0.99995, -1, NAN};
    for (size_t i = 0; i < COUNT(ratios); i++)
        LEM_CHECK_ERROR(isnan(lem_geometric_quanta_loss(ratios[i], 1, 1)), "q = |at most 0.9999");
}

static const lem_tap_case cases[] = {
    {"one more quantum", test_one_more},
    {"convexity bounds", test_bounds},
    {"costs and ends", test_costs},
    {"the surprise of all is the entropy", test_entropy},
    {"the cut", test_cut},
    {"the loss is a rate of learning", test_loss_is_rate},
    {"closed forms", test_closed_forms},
    {"variance of many samples", test_variance_of_many},
    {"two resources", test_joint},
    {"geometric quanta", test_geometric},
    {"ends of the domains", test_ends},
    {"refusals", test_refusals},
};
LEM_TAP_MAIN(cases)
