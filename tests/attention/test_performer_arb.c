/* The series of random features against ball arithmetic, over the whole domain. */
#include "../projection/oracle.h"
#include "attention/oprf.h"
#include "attention/orthogonal.h"
#include "attention/radius.h"
#include "attention/rf_variance.h"
#include "attention/simplex.h"

#include <arb_hypgeom.h>
#include <math.h>

/* 1F1(d; d/2; sign t/2); args d, t */
static void pair_at(arb_t result, const double *args, double sign, slong precision) {
    arb_t a, b, z;
    arb_init(a), arb_init(b), arb_init(z);
    arb_set_d(a, args[0]);
    arb_set_d(b, args[0] / 2);
    arb_set_d(z, sign * args[1]);
    arb_mul_2exp_si(z, z, -1);
    arb_hypgeom_m(result, a, b, z, 0, precision);
    arb_clear(a), arb_clear(b), arb_clear(z);
}

static void subtract_exp(arb_t result, double x, slong precision) {
    arb_t e;
    arb_init(e);
    arb_set_d(e, x);
    arb_exp(e, e, precision);
    arb_sub(result, result, e, precision);
    arb_clear(e);
}

static void pair(arb_t result, const double *args, slong precision) {
    pair_at(result, args, 1, precision);
}
static void pair_trig(arb_t result, const double *args, slong precision) {
    pair_at(result, args, -1, precision);
}
static void cov(arb_t result, const double *args, slong precision) {
    pair_at(result, args, 1, precision);
    subtract_exp(result, args[1], precision);
}
static void cov_trig(arb_t result, const double *args, slong precision) {
    pair_at(result, args, -1, precision);
    subtract_exp(result, -args[1], precision);
}

/* 0F1(;d/2; factor t^power/4) */
static void sphere(arb_t result, double d, double t, bool squared, double factor, slong precision) {
    arb_t b, z;
    arb_init(b), arb_init(z);
    arb_set_d(b, d / 2);
    arb_set_d(z, t);
    if (squared)
        arb_mul(z, z, z, precision);
    arb_t f;
    arb_init(f);
    arb_set_d(f, factor);
    arb_mul(z, z, f, precision);
    arb_mul_2exp_si(z, z, -2);
    arb_hypgeom_0f1(result, b, z, 0, precision);
    arb_clear(b), arb_clear(z), arb_clear(f);
}

static void share(arb_t result, const double *args, slong precision) {
    arb_t e;
    arb_init(e);
    sphere(result, args[0], args[1], true, 1, precision);
    arb_sub_ui(result, result, 1, precision);
    arb_set_d(e, args[1]);
    arb_expm1(e, e, precision);
    arb_div(result, result, e, precision);
    arb_clear(e);
}

static void frozen(arb_t result, const double *args, slong precision) {
    arb_t e;
    arb_init(e);
    sphere(result, args[0], args[1], false, args[0], precision);
    arb_set_d(e, -args[1] / 2);
    arb_exp(e, e, precision);
    arb_mul(result, result, e, precision);
    arb_sub_ui(result, result, 1, precision);
    arb_clear(e);
}

static double random_d(void) {
    return floor(random_log(2, 3000));
}

/* The header's (t + 40) 1e-15. The terms of a series number about t + 30, each wrong by up to 4 k + 2 units,
 * but those that count lie within a few sqrt(t) of k = t: their common error is below 4 t units, 4.4e-16 t.
 */
static double series_tolerance(double t) {
    return (t + 40) * 1e-15;
}

static void test_positive(void) {
    for (size_t i = 0; i < repetitions(150); i++) {
        const double args[] = {random_d(), i % 10 == 0 ? 700 : random_log(1e-12, 700)}, t = args[1];
        CHECK_BALL(lem_orthogonal_pair_moment(args[0], t), pair, args, series_tolerance(t));
        CHECK_BALL(lem_orthogonal_pair_cov(args[0], t), cov, args, series_tolerance(t));
        CHECK_BALL(lem_radial_variance_share(args[0], t), share, args, series_tolerance(t));
        CHECK_BALL(lem_spherical_feature_relative_bias(args[0], t), frozen, args, series_tolerance(t));
    }
}

static void test_trig(void) {
    size_t refused = 0, count = repetitions(300);
    for (size_t i = 0; i < count; i++) {
        const double args[] = {i % 2 ? floor(random_log(2, 30)) : random_d(), random_log(1e-6, 60)},
                     t = args[1];
        const double value = lem_orthogonal_pair_moment_trig(args[0], t);
        const double gap = lem_orthogonal_pair_cov_trig(args[0], t);
        if (isnan(value) || isnan(gap)) {
            LEM_CHECK(t > 37, "refused at d = %g, t = %g", args[0], t);
            refused++;
            continue;
        }
        /* 1e-12 as stated, and two roundings of exp(-t/2) */
        const double allowed = 1.001e-12;
        CHECK_BALL_ABS(value, pair_trig, args, allowed, allowed * exp(-t));
        CHECK_BALL_ABS(gap, cov_trig, args, allowed, t <= 1 ? 0 : allowed * exp(-t));
    }
    LEM_CHECK(8 * refused < count, "%zu of %zu refused", refused, count);
}

/* E over theta of 1F1(d; d/2; (t/2)(1 - sin(theta)/(d - 1))): expanded in powers of sin, whose means are
 * quotients of gamma functions: E sin^p = Gamma((d + p)/2) Gamma((d + 1)/2)/(Gamma(d/2) Gamma((d + p +
 * 1)/2)). The p-th derivative of 1F1(d; d/2; z) is (d)_p/(d/2)_p 1F1(d + p; d/2 + p; z). */
static void simplex(arb_t result, const double *args, slong precision) {
    const double d = args[0], t = args[1];
    arb_t coefficient, a, b, z, f;
    arb_init(coefficient), arb_init(a), arb_init(b), arb_init(z), arb_init(f);
    arb_zero(result);
    arb_one(coefficient); /* (d)_p/(d/2)_p (-t/(2(d - 1)))^p/p! E sin^p, for even and odd p by turns */
    arb_t step, mean[2];
    arb_init(step), arb_init(mean[0]), arb_init(mean[1]);
    arb_one(mean[0]);
    arb_set_d(a, (d + 1) / 2), arb_set_d(b, d / 2);
    arb_gamma(mean[1], a, precision), arb_mul(mean[1], mean[1], mean[1], precision);
    arb_gamma(f, b, precision), arb_div(mean[1], mean[1], f, precision);
    arb_set_d(b, d / 2 + 1), arb_gamma(f, b, precision), arb_div(mean[1], mean[1], f, precision);
    arb_set_d(z, t), arb_mul_2exp_si(z, z, -1);
    for (slong p = 0; p < 400; p++) {
        arb_set_d(a, d + (double)p), arb_set_d(b, d / 2 + (double)p);
        arb_hypgeom_m(f, a, b, z, 0, precision);
        arb_mul(f, f, coefficient, precision);
        arb_mul(f, f, mean[p % 2], precision);
        arb_add(result, result, f, precision);
        /* E sin^(p+2) = E sin^p (d + p)/(d + p + 1) */
        arb_mul_ui(mean[p % 2], mean[p % 2], (ulong)d + (ulong)p, precision);
        arb_div_ui(mean[p % 2], mean[p % 2], (ulong)d + (ulong)p + 1, precision);
        arb_set_d(step, (d + (double)p) / 1), arb_mul(coefficient, coefficient, step, precision);
        arb_set_d(step, d / 2 + (double)p), arb_div(coefficient, coefficient, step, precision);
        arb_mul(coefficient, coefficient, z, precision);
        arb_neg(coefficient, coefficient);
        arb_div_ui(coefficient, coefficient, (ulong)d - 1, precision);
        arb_div_ui(coefficient, coefficient, (ulong)p + 1, precision);
    }
    arb_clear(coefficient), arb_clear(a), arb_clear(b), arb_clear(z), arb_clear(f);
    arb_clear(step), arb_clear(mean[0]), arb_clear(mean[1]);
}

/* 400 terms leave (t/2)^400 2^400/400! e^t, nothing, for t <= 60. */
static void test_simplex(void) {
    for (size_t i = 0; i < repetitions(12); i++) {
        const double args[] = {i == 0 ? 2 : floor(random_log(2, 300)), random_log(1e-6, 60)};
        CHECK_BALL(lem_simplex_pair_moment(args[0], args[1]), simplex, args, series_tolerance(args[1]));
    }
}

/* Root of y^2 (E - 1/E) + y - E, as log(y)/2. */
static void crossover(arb_t result, const double *args, slong precision) {
    arb_t e, root;
    arb_init(e), arb_init(root);
    arb_set_d(e, args[0]);
    arb_exp(e, e, precision);
    arb_mul(root, e, e, precision);
    arb_mul_2exp_si(root, root, 2);
    arb_sub_ui(root, root, 3, precision);
    arb_sqrt(root, root, precision);
    arb_add_ui(root, root, 1, precision);
    arb_mul_2exp_si(e, e, 1);
    arb_div(result, e, root, precision);
    arb_log(result, result, precision);
    arb_mul_2exp_si(result, result, -1);
    arb_clear(e), arb_clear(root);
}

static void test_crossover(void) {
    for (size_t i = 0; i < repetitions(200); i++) {
        const double args[] = {random_log(1e-12, 600)};
        /* the rounding of N is its own: e^-N moves by N epsilons */
        CHECK_BALL(lem_trig_positive_crossover_equal_features(args[0]), crossover, args,
                   CLOSED + args[0] * EPS);
    }
}

static const lem_tap_case cases[] = {
    {"series of one sign", test_positive},
    {"the alternating series", test_trig},
    {"the simplex integral", test_simplex},
    {"the crossover", test_crossover},
};
LEM_TAP_MAIN(cases)
