/* The quanta against ball arithmetic: the sums over all quanta by another route, direct terms while D p_k >
 * 1/2 and a power series in D p_k, summed over k by Hurwitz's zeta function, beyond. */
#include "../projection/oracle.h"
#include "scaling/gamma_ratio.h"
#include "scaling/geometric_quanta.h"
#include "scaling/quanta.h"
#include "scaling/quanta_data.h"
#include "scaling/quanta_joint.h"
#include "scaling/share_power.h"

#include <arb_hypgeom.h>
#include <arb_poly.h>
#include <math.h>

/* What the headers state for sums. */
#define SUM_TOLERANCE 2e-13

/* "A few": roundings of a power, two sums of positive terms and their quotient. */
#define FEW (16 * EPS)

/* zeta(factor (1 + gamma), n + 1) */
static void zeta(arb_t result, double factor, double gamma, double n, slong prec) {
    arb_t s, a;
    arb_init(s), arb_init(a);
    arb_set_d(s, gamma);
    arb_add_ui(s, s, 1, prec);
    arb_set_d(a, factor);
    arb_mul(s, s, a, prec);
    arb_set_d(a, n);
    arb_add_ui(a, a, 1, prec);
    arb_hurwitz_zeta(result, s, a, prec);
    arb_clear(s), arb_clear(a);
}

/* --- closed forms ------------------------------------------------------------------------------------------
 */

/* args: n, gamma */
static void loss(arb_t result, const double *args, slong prec) {
    arb_t z;
    arb_init(z);
    zeta(result, 1, args[1], args[0], prec);
    zeta(z, 1, args[1], 0, prec);
    arb_div(result, result, z, prec);
    arb_clear(z);
}

static void local_exponent(arb_t result, const double *args, slong prec) {
    arb_t s, a, z;
    arb_init(s), arb_init(a), arb_init(z);
    arb_set_d(s, args[1]);
    arb_add_ui(s, s, 1, prec);
    arb_set_d(a, args[0]);
    arb_add_ui(a, a, 1, prec);
    arb_hurwitz_zeta(z, s, a, prec);
    arb_set(result, s);
    arb_add_ui(s, s, 1, prec);
    arb_hurwitz_zeta(s, s, a, prec);
    arb_mul(result, result, s, prec);
    arb_div(result, result, z, prec);
    arb_sub_ui(a, a, 1, prec);
    arb_mul(result, result, a, prec);
    arb_clear(s), arb_clear(a), arb_clear(z);
}

/* args: n, gamma, K */
static void limited(arb_t result, const double *args, slong prec) {
    arb_t beyond, one;
    arb_init(beyond), arb_init(one);
    zeta(beyond, 1, args[1], args[2], prec);
    zeta(one, 1, args[1], 0, prec);
    zeta(result, 1, args[1], args[0], prec);
    arb_sub(result, result, beyond, prec);
    arb_sub(one, one, beyond, prec);
    arb_div(result, result, one, prec);
    arb_clear(beyond), arb_clear(one);
}

static void log_weight(arb_t result, const double *args, slong prec) {
    arb_poly_t at, series;
    arb_t a, z, s;
    arb_poly_init(at), arb_poly_init(series);
    arb_init(a), arb_init(z), arb_init(s);
    arb_set_d(s, args[1]);
    arb_add_ui(s, s, 1, prec);
    arb_poly_set_coeff_arb(at, 0, s);
    arb_poly_set_coeff_si(at, 1, 1);
    arb_set_d(a, args[0]);
    arb_add_ui(a, a, 1, prec);
    arb_poly_zeta_series(series, at, a, 0, 2, prec);
    zeta(z, 1, args[1], 0, prec);
    arb_poly_get_coeff_arb(result, series, 1);
    arb_mul(result, result, s, prec);
    arb_log(s, z, prec);
    arb_poly_get_coeff_arb(a, series, 0);
    arb_mul(s, s, a, prec);
    arb_sub(result, s, result, prec);
    arb_div(result, result, z, prec);
    arb_poly_clear(at), arb_poly_clear(series);
    arb_clear(a), arb_clear(z), arb_clear(s);
}

static double random_gamma(void) {
    const uint64_t edge = random_bits() % 8;
    return edge == 0 ? random_log(1e-12, 1e-3) : edge == 1 ? random_between(5, 300) : random_log(1e-3, 5);
}

/* Underflow is no error of the formula: n^-gamma stays above 1e-290. */
static double random_quanta(double gamma, double most) {
    return random_log(1, fmin(most, exp(667 / fmax(gamma, 1))));
}

static void check_endless(double n, double gamma) {
    const double args[] = {n, gamma};
    CHECK_BALL(lem_quanta_loss(n, gamma, 0, 1), loss, args, FEW);
    CHECK_BALL(lem_quanta_local_exponent(n, gamma), local_exponent, args, FEW);
    CHECK_BALL(lem_quanta_loss_logweight(n, gamma), log_weight, args, FEW);
}

static void test_closed(void) {
    for (size_t i = 0; i < repetitions(300); i++) {
        const double gamma = random_gamma(), n = floor(random_quanta(gamma, 1e12));
        const double args[] = {n, gamma, floor(n + (i % 3 ? random_log(1, 1e12) : random_log(1, 300)))};
        check_endless(n, gamma);
        CHECK_BALL(lem_quanta_loss_finite(n, args[2], gamma), limited, args, FEW);
        const double none[] = {0, gamma};
        CHECK_BALL(lem_quanta_loss_logweight(0, gamma), log_weight, none, FEW);
    }
}

/* Far sizes, sizes between the whole ones, exponents near none. */
static void test_far(void) {
    for (size_t i = 0; i < repetitions(100); i++) {
        const double gamma = i % 4 ? random_gamma() : random_log(1e-60, 1e-12);
        check_endless(random_quanta(gamma, 1e300), gamma);
        check_endless(random_quanta(gamma, 100), gamma);
        check_endless(random_log(1e-30, 1), gamma);
    }
}

/* Gamma(a + c)/(Gamma(a) a^c), args: a, c */
static void ratio(arb_t result, const double *args, slong prec) {
    arb_t a, c;
    arb_init(a), arb_init(c);
    arb_set_d(a, args[0]), arb_set_d(c, args[1]);
    arb_add(result, a, c, prec);
    arb_lgamma(result, result, prec);
    arb_log(c, a, prec);
    arb_lgamma(a, a, prec);
    arb_sub(result, result, a, prec);
    arb_set_d(a, args[1]);
    arb_submul(result, a, c, prec);
    arb_exp(result, result, prec);
    arb_clear(a), arb_clear(c);
}

static void test_gamma_ratio(void) {
    for (size_t i = 0; i < repetitions(300); i++) {
        const double args[] = {i % 3 ? random_log(1, 60) : random_log(1, 1e15), random_unit()};
        CHECK_BALL(lem_gamma_ratio(args[0], args[1]), ratio, args, FEW);
    }
}

/* y^(gamma/(1 + gamma)), args: y, gamma */
static void share_power(arb_t result, const double *args, slong prec) {
    arb_t c, s;
    arb_init(c), arb_init(s);
    arb_set_d(c, args[1]);
    arb_add_ui(s, c, 1, prec);
    arb_div(c, c, s, prec);
    arb_set_d(s, args[0]);
    arb_pow(result, s, c, prec);
    arb_clear(c), arb_clear(s);
}

static void test_share_power(void) {
    for (size_t i = 0; i < repetitions(300); i++) {
        const double args[] = {random_log(1e-300, 1e300),
                               i % 3 ? random_log(1e-3, 1e3) : random_log(1e-30, 1)};
        CHECK_BALL(lem_share_power(args[0], args[1]), share_power, args, 4 * EPS);
    }
}

/* --- incomplete gamma functions: args a, x -----------------------------------------------------------------
 */

static void upper(arb_t result, const double *args, slong prec) {
    arb_t a, x;
    arb_init(a), arb_init(x);
    arb_set_d(a, args[0]), arb_set_d(x, args[1]);
    arb_hypgeom_gamma_upper(result, a, x, 1, prec);
    arb_clear(a), arb_clear(x);
}

static void lower(arb_t result, const double *args, slong prec) {
    arb_t a, x;
    arb_init(a), arb_init(x);
    arb_set_d(a, args[0]), arb_set_d(x, args[1]);
    arb_hypgeom_gamma_lower(result, a, x, 1, prec);
    arb_clear(a), arb_clear(x);
}

/* Each is a factor times exp(a (log r - r + 1)), r = x/a, with an exponent about as large as its logarithm:
 * one rounding of the exponent, and |x - a| of those of r. */
static void test_incomplete(void) {
    for (size_t i = 0; i < repetitions(120); i++) {
        const double a = random_log(0.5, i % 40 ? 60 : 1000);
        const double x = i % 4 ? fmax(1e-6, a + random_between(-6, 6) * sqrt(a)) : a * random_log(1e-8, 0.5);
        const double args[] = {a, x};
        const double tolerance = 1e-14 + (fabs(x - a) + a * fabs(log(x / a)) + 1) * EPS;
        CHECK_BALL(lem_gamma_above(a, x), upper, args, tolerance);
        CHECK_BALL(lem_gamma_below(a, x), lower, args, tolerance);
    }
}

/* --- sums over all quanta: args D, tau, gamma, K -----------------------------------------------------------
 */

enum { TERMS = 60 };
typedef enum { LOSS, LEARNED, VARIANCE } summand;

/* P(count >= tau) = sum_m out[m] p^(tau + m): Poisson (-1)^m D^(tau+m)/(m! (tau + m) Gamma(tau)), binomial
 * (-1)^m C(D, tau) C(D - tau, m) tau/(tau + m). */
static void learn_series(arb_ptr out, double D, double tau, bool binomial, slong prec) {
    arb_t power, d;
    arb_init(power), arb_init(d);
    arb_one(power);
    arb_set_d(d, D);
    for (double j = 0; j < tau; j++) {
        arb_set_d(d, binomial ? D - j : D);
        arb_mul(power, power, d, prec);
        arb_set_d(d, j > 0 ? j : 1); /* in all (tau - 1)! */
        arb_div(power, power, d, prec);
    }
    for (slong m = 0; m < TERMS; m++) {
        arb_set_d(d, tau + (double)m);
        arb_div(out + m, power, d, prec);
        arb_set_d(d, binomial ? -(D - tau - (double)m) : -D);
        arb_mul(power, power, d, prec);
        arb_div_ui(power, power, (ulong)m + 1, prec);
    }
    arb_clear(power), arb_clear(d);
}

/* P(count >= tau) at p, exactly: 1 - sum_j<tau */
static void learn_direct(arb_t out, const arb_t p, double D, double tau, bool binomial, slong prec) {
    arb_t term, factor, d;
    arb_init(term), arb_init(factor), arb_init(d);
    arb_set_d(d, D);
    if (binomial) {
        arb_sub_ui(term, p, 1, prec);
        arb_neg(term, term);
        arb_div(factor, p, term, prec); /* odds */
        arb_pow(term, term, d, prec);
    } else {
        arb_mul(factor, p, d, prec);
        arb_neg(term, factor);
        arb_exp(term, term, prec);
    }
    arb_one(out);
    for (double j = 0; j < tau; j++) {
        arb_sub(out, out, term, prec);
        arb_mul(term, term, factor, prec);
        arb_set_d(d, binomial ? (D - j) / 1 : 1);
        arb_mul(term, term, d, prec);
        arb_div_ui(term, term, (ulong)j + 1, prec);
    }
    arb_clear(term), arb_clear(factor), arb_clear(d);
}

/* sum += sum_k>K p_k^(power) coefficient */
static void add_power(arb_t sum, const arb_t coefficient, double power, const arb_t z, const double *args,
                      slong prec) {
    arb_t tail, scale;
    arb_init(tail), arb_init(scale);
    zeta(tail, power, args[2], args[3], prec);
    arb_set_d(scale, power);
    arb_pow(scale, z, scale, prec);
    arb_div(tail, tail, scale, prec);
    arb_addmul(sum, tail, coefficient, prec);
    arb_clear(tail), arb_clear(scale);
}

static void sum_over_all(arb_t result, const double *args, summand what, bool binomial, slong prec) {
    const double D = args[0], tau = args[1], K = args[3];
    prec += 400; /* 1 - sum above */
    arb_ptr series = _arb_vec_init(TERMS);
    arb_t z, s, p, learned, term;
    arb_init(z), arb_init(s), arb_init(p), arb_init(learned), arb_init(term);
    zeta(z, 1, args[2], 0, prec);
    arb_zero(result);
    for (double k = 1; k <= K; k++) {
        arb_set_d(s, args[2]);
        arb_add_ui(s, s, 1, prec);
        arb_neg(s, s);
        arb_set_d(p, k);
        arb_pow(p, p, s, prec);
        arb_div(p, p, z, prec);
        learn_direct(learned, p, D, tau, binomial, prec);
        arb_sub_ui(term, learned, 1, prec);
        arb_neg(term, term);
        arb_mul(term, term, p, prec);
        if (what == VARIANCE)
            arb_mul(term, term, p, prec), arb_mul(term, term, learned, prec);
        arb_add(result, result, what == LEARNED ? learned : term, prec);
    }
    learn_series(series, D, tau, binomial, prec);
    if (what == LOSS) {
        arb_one(term);
        add_power(result, term, 1, z, args, prec);
    }
    for (slong m = 0; m < TERMS; m++) {
        arb_set(term, series + m);
        if (what == LOSS)
            arb_neg(term, term);
        const double power = tau + (double)m + (what == LOSS ? 1 : what == VARIANCE ? 2 : 0);
        add_power(result, term, power, z, args, prec);
    }
    for (slong m = 0; what == VARIANCE && m < TERMS; m++) { /* - p^2 P^2 */
        arb_zero(term);
        for (slong i = 0; i <= m; i++)
            arb_submul(term, series + i, series + (m - i), prec);
        add_power(result, term, 2 * tau + (double)m + 2, z, args, prec);
    }
    _arb_vec_clear(series, TERMS);
    arb_clear(z), arb_clear(s), arb_clear(p), arb_clear(learned), arb_clear(term);
}

static void poisson(arb_t result, const double *args, slong prec) {
    sum_over_all(result, args, LOSS, false, prec);
}
static void binomial(arb_t result, const double *args, slong prec) {
    sum_over_all(result, args, LOSS, true, prec);
}
static void learned(arb_t result, const double *args, slong prec) {
    sum_over_all(result, args, LEARNED, false, prec);
}
static void variance(arb_t result, const double *args, slong prec) {
    sum_over_all(result, args, VARIANCE, false, prec);
}

/* D p_K <= 1/2 with K <= 200: the series then drop below 2^-80 within their terms. */
static void draw_resources(double *args) {
    do {
        args[2] = random_bits() % 4 ? random_log(0.05, 8) : random_log(1e-6, 30);
        args[1] = random_bits() % 2 ? 1 : floor(random_log(1, 40));
        args[0] = floor(random_log(1, random_bits() % 2 ? 1e6 : 1e15)) / (random_bits() % 4 ? 1 : 16);
        const double z = 1 / args[2] + 0.6;
        args[3] = ceil(pow(fmax(2 * args[0] / fmax(1, z - 0.6), 1), 1 / (1 + args[2]))) + 1;
    } while (args[3] > 200);
}

static void test_sums(void) {
    for (size_t i = 0; i < repetitions(40); i++) {
        double args[4];
        draw_resources(args);
        CHECK_BALL(lem_quanta_loss_poisson(args[0], args[1], args[2]), poisson, args, SUM_TOLERANCE);
        CHECK_BALL(lem_quanta_learned_count(args[0], args[1], args[2]), learned, args, SUM_TOLERANCE);
        CHECK_BALL(lem_quanta_loss_variance_poisson(args[0], args[1], args[2]), variance, args,
                   SUM_TOLERANCE);
        args[0] = fmax(args[1], floor(args[0]));
        args[3] = ceil(pow(2 * args[0], 1 / (1 + args[2]))) + 1;
        if (args[3] <= 200)
            CHECK_BALL(lem_quanta_loss_binomial(args[0], args[1], args[2]), binomial, args, SUM_TOLERANCE);
    }
}

/* Many sightings, about as many as are expected or far more: the probability takes tau roundings of D p. */
static void test_rare(void) {
    for (size_t i = 0; i < repetitions(10); i++) {
        const double tau = floor(random_log(100, 1000)), gamma = random_log(1, 30),
                     D = tau * random_between(0.35, 1.5) / lem_quanta_frequency(1, gamma),
                     tolerance = 4 * tau * EPS;
        const double args[] = {D, tau, gamma, ceil(pow(2 * D, 1 / (1 + gamma))) + 1};
        CHECK_BALL(lem_quanta_loss_poisson(D, tau, gamma), poisson, args, SUM_TOLERANCE);
        CHECK_BALL(lem_quanta_learned_count(D, tau, gamma), learned, args, tolerance);
        CHECK_BALL(lem_quanta_loss_variance_poisson(D, tau, gamma), variance, args, tolerance);
    }
}

/* args: n, D, tau, gamma */
static void joint(arb_t result, const double *args, slong prec) {
    arb_t z, s, p, learned_p;
    arb_init(z), arb_init(s), arb_init(p), arb_init(learned_p);
    prec += 300;
    zeta(z, 1, args[3], 0, prec);
    zeta(result, 1, args[3], args[0], prec);
    arb_div(result, result, z, prec);
    for (double k = 1; k <= args[0]; k++) {
        arb_set_d(s, args[3]);
        arb_add_ui(s, s, 1, prec);
        arb_neg(s, s);
        arb_set_d(p, k);
        arb_pow(p, p, s, prec);
        arb_div(p, p, z, prec);
        learn_direct(learned_p, p, args[1], args[2], false, prec);
        arb_submul(result, p, learned_p, prec);
        arb_add(result, result, p, prec);
    }
    arb_clear(z), arb_clear(s), arb_clear(p), arb_clear(learned_p);
}

static void test_joint(void) {
    for (size_t i = 0; i < repetitions(60); i++) {
        const double args[] = {floor(random_log(1, 400)), random_log(0.1, 1e5), floor(random_log(1, 12)),
                               random_log(0.05, 4)};
        CHECK_BALL(lem_quanta_joint_loss(args[0], args[1], args[2], args[3]), joint, args, SUM_TOLERANCE);
    }
}

/* args: q, D, tau; until the rest is below 2^-90 */
static void geometric(arb_t result, const double *args, slong prec) {
    arb_t p, q, learned_p;
    arb_init(p), arb_init(q), arb_init(learned_p);
    prec += 300;
    arb_set_d(q, args[0]);
    arb_sub_ui(p, q, 1, prec);
    arb_neg(p, p);
    arb_zero(result);
    const double last = log(1e-40 / fmax(args[1], 1)) / log(args[0]);
    for (double k = 0; k < last; k++) {
        learn_direct(learned_p, p, args[1], args[2], false, prec);
        arb_submul(result, p, learned_p, prec);
        arb_add(result, result, p, prec);
        arb_mul(p, p, q, prec);
    }
    arb_clear(p), arb_clear(q), arb_clear(learned_p);
}

static void test_geometric(void) {
    for (size_t i = 0; i < repetitions(60); i++) {
        const double args[] = {i % 2 ? random_between(0.05, 0.95) : random_log(1e-3, 0.5),
                               random_log(0.1, 1e8), floor(random_log(1, 12))};
        CHECK_BALL(lem_geometric_quanta_loss(args[0], args[1], args[2]), geometric, args, SUM_TOLERANCE);
    }
}

static const lem_tap_case cases[] = {
    {"closed forms", test_closed},
    {"closed forms far out", test_far},
    {"quotients of gamma functions", test_gamma_ratio},
    {"powers of large and small numbers", test_share_power},
    {"incomplete gamma functions", test_incomplete},
    {"sums over all quanta", test_sums},
    {"many sightings", test_rare},
    {"two resources", test_joint},
    {"geometric quanta", test_geometric},
};
LEM_TAP_MAIN(cases)
