/* The closed forms and quadratures against Arb balls, on random arguments over their whole domain.
 *
 * Tolerance: the accuracy the registry states (64 epsilons for closed forms), plus one epsilon times the
 * relative condition number where that exceeds 1, since the last bit of an argument is all a double says. */
#include "oracle.h"
#include "projection/angle.h"
#include "projection/cosine.h"
#include "projection/entropy.h"
#include "projection/haar.h"
#include "projection/inner.h"
#include "projection/min_dim.h"
#include "projection/norm_tail.h"
#include "projection/simhash.h"

#include <acb_calc.h>
#include <acb_hypgeom.h>
#include <arb_hypgeom.h>
#include <math.h>

/* --- chi-square tails --- */

/* P(a, x) = x^a e^-x / Gamma(a+1) sum_k x^k/((a+1)...(a+k)), and Q = 1 - P (the driver raises the precision
 * as the difference needs). Once a + k > 2 x the rest is less than the last term. (arb_hypgeom_gamma_upper
 * takes minutes at a = 1e5.) args: n, eps, side (0 upper, 1 lower) */
static void ball_norm_tail(arb_t result, const double *args, slong prec) {
    arb_t a, x, term, sum, factor;
    arb_init(a), arb_init(x), arb_init(term), arb_init(sum), arb_init(factor);
    arb_set_d(a, args[0]);
    arb_mul_2exp_si(a, a, -1);
    arb_set_d(x, args[2] == 0 ? args[1] : -args[1]);
    arb_add_ui(x, x, 1, prec);
    arb_mul(x, x, a, prec);
    double bound = args[0] / 2 * (1 + args[1]);
    arb_one(term);
    arb_one(sum);
    arb_set(factor, a);
    for (ulong k = 1;; k++) {
        arb_add_ui(factor, factor, 1, prec);
        arb_mul(term, term, x, prec);
        arb_div(term, term, factor, prec);
        arb_add(sum, sum, term, prec);
        if ((args[2] == 1 || args[0] / 2 + (double)k > 2 * bound + 1) && k % 16 == 0) {
            /* ratio of the rest x/(a+k+1) <= q < 1: rest <= term q/(1-q) */
            arb_t q, rest;
            arb_init(q), arb_init(rest);
            arb_div(q, x, factor, prec);
            arb_sub_ui(rest, q, 1, prec);
            arb_neg(rest, rest);
            arb_div(rest, q, rest, prec);
            arb_mul(rest, rest, term, prec);
            bool enough = arf_cmpabs_2exp_si(arb_midref(rest), -prec - 2) < 0;
            if (enough)
                arb_add_error(sum, rest);
            arb_clear(q), arb_clear(rest);
            if (enough)
                break;
        }
    }
    arb_log(term, x, prec);
    arb_mul(term, term, a, prec);
    arb_sub(term, term, x, prec);
    arb_add_ui(factor, a, 1, prec);
    arb_lgamma(factor, factor, prec);
    arb_sub(term, term, factor, prec);
    arb_exp(term, term, prec);
    arb_mul(result, sum, term, prec);
    if (args[2] == 0) {
        arb_sub_ui(result, result, 1, prec);
        arb_neg(result, result);
    }
    arb_clear(a), arb_clear(x), arb_clear(term), arb_clear(sum), arb_clear(factor);
}

static void ball_norm_tail_log(arb_t result, const double *args, slong prec) {
    ball_norm_tail(result, args, prec);
    arb_log(result, result, prec);
}

static void ball_chernoff_log(arb_t result, const double *args, slong prec) {
    arb_t e;
    arb_init(e);
    arb_set_d(e, args[2] == 0 ? args[1] : -args[1]);
    arb_log1p(result, e, prec);
    arb_sub(result, result, e, prec);
    arb_set_d(e, args[0] / 2);
    arb_mul(result, result, e, prec);
    arb_clear(e);
}

static void ball_chernoff(arb_t result, const double *args, slong prec) {
    ball_chernoff_log(result, args, prec);
    arb_exp(result, result, prec);
}

/* n up to largest, eps so that the exponent n eps^2/4 is up to deepest. */
static void draw_norm(double *args, double largest, double deepest) {
    uint64_t edge = random_bits() % 8;
    args[0] = edge == 0   ? 1
              : edge == 1 ? 2
              : edge == 2 ? floor(random_log(1, largest))
                          : random_log(1, largest);
    args[2] = (double)(random_bits() % 2);
    args[1] = random_unit() < 0.3 ? random_log(1e-12, 1) : sqrt(4 * random_log(1e-3, deepest) / args[0]);
    if (args[2] == 1 && args[1] >= 1)
        args[1] = random_unit() < 0.5 ? 1 - random_log(1e-7, 0.5) : random_between(0.001, 0.999);
    if (args[2] == 0 && args[1] > 50)
        args[1] = random_between(0.5, 50);
}

static double norm_condition(const double *a) {
    return a[0] / 2 * a[1] * a[1] / (a[2] == 0 ? 1 + a[1] : 1 - a[1]);
}

static void test_norm_tail(void) {
    for (size_t i = 0; i < repetitions(400); i++) {
        double a[3];
        draw_norm(a, i % 100 == 99 ? 1e7 : 2e4, 690);
        lem_jl_side side = a[2] == 0 ? LEM_JL_UPPER : LEM_JL_LOWER;
        CHECK_BALL(lem_jl_norm_tail(a[0], a[1], side), ball_norm_tail, a, CLOSED + norm_condition(a) * EPS);
        CHECK_BALL(lem_jl_norm_tail_chernoff(a[0], a[1], side), ball_chernoff, a,
                   CLOSED + norm_condition(a) * EPS);
    }
}

static void test_norm_tail_log(void) {
    for (size_t i = 0; i < repetitions(200); i++) {
        double a[3];
        draw_norm(a, 1e4, 2000);
        lem_jl_side side = a[2] == 0 ? LEM_JL_UPPER : LEM_JL_LOWER;
        CHECK_BALL(lem_jl_norm_tail_log(a[0], a[1], side), ball_norm_tail_log, a, CLOSED);
        CHECK_BALL(lem_jl_norm_tail_chernoff_log(a[0], a[1], side), ball_chernoff_log, a, CLOSED);
    }
}

/* --- the Beta tails --- */

/* args: m, n, eps, side */
static void ball_haar_tail(arb_t result, const double *args, slong prec) {
    arb_t a, b, x;
    arb_init(a), arb_init(b), arb_init(x);
    arb_set_d(a, args[1] / 2);
    arb_set_d(b, (args[0] - args[1]) / 2);
    arb_set_d(x, args[3] == 0 ? args[2] : -args[2]);
    arb_add_ui(x, x, 1, prec);
    arb_mul_2exp_si(x, x, 1);
    arb_mul(x, x, a, prec);
    arb_t m;
    arb_init(m);
    arb_set_d(m, args[0]);
    arb_div(x, x, m, prec);
    if (args[3] == 0) {
        arb_sub_ui(x, x, 1, prec);
        arb_neg(x, x);
        arb_swap(a, b);
    }
    arb_hypgeom_beta_lower(result, a, b, x, 1, prec);
    arb_clear(a), arb_clear(b), arb_clear(x), arb_clear(m);
}

static void test_haar_tail(void) {
    for (size_t i = 0; i < repetitions(150); i++) {
        double a[4];
        a[0] = floor(random_log(3, 4000));
        a[1] = floor(random_between(1, a[0]));
        a[3] = (double)(random_bits() % 2);
        a[2] = fmin(0.999, sqrt(random_log(1e-3, 400) / a[1]));
        if (a[3] == 0 && a[1] * (1 + a[2]) >= a[0])
            continue;
        lem_jl_side side = a[3] == 0 ? LEM_JL_UPPER : LEM_JL_LOWER;
        CHECK_BALL(lem_jl_haar_tail(a[0], a[1], a[2], side), ball_haar_tail, a, 1e-11);
    }
}

/* args: n, eps */
static void ball_cosine_tail(arb_t result, const double *args, slong prec) {
    arb_t a, b, x;
    arb_init(a), arb_init(b), arb_init(x);
    arb_set_d(a, args[0]);
    arb_sub_ui(a, a, 1, prec);
    arb_mul_2exp_si(a, a, -1);
    arb_set_d(b, 0.5);
    arb_set_d(x, args[1]);
    arb_mul(x, x, x, prec);
    arb_sub_ui(x, x, 1, prec);
    arb_neg(x, x);
    arb_hypgeom_beta_lower(result, a, b, x, 1, prec);
    arb_clear(a), arb_clear(b), arb_clear(x);
}

static void ball_cosine_tail_log(arb_t result, const double *args, slong prec) {
    ball_cosine_tail(result, args, prec);
    arb_log(result, result, prec);
}

static void draw_cosine(double *a, double deepest) {
    uint64_t edge = random_bits() % 6;
    a[0] = edge == 0 ? 2 : edge == 1 ? 3 : edge == 2 ? floor(random_log(2, 1e4)) : random_log(2, 1e6);
    double deep = 2 * random_log(1e-3, deepest) / a[0];
    a[1] = random_unit() < 0.3   ? random_log(1e-12, 1)
           : random_unit() < 0.2 ? 1 - random_log(1e-9, 0.5)
                                 : sqrt(-expm1(-deep));
    if (a[0] / 2 * -log1p(-a[1] * a[1]) > deepest)
        a[1] = sqrt(-expm1(-deep));
}

static void test_cosine_tail(void) {
    for (size_t i = 0; i < repetitions(300); i++) {
        double a[2];
        draw_cosine(a, 690);
        if (a[1] == 1)
            continue;
        double condition = a[0] * a[1] * a[1] / ((1 - a[1]) * (1 + a[1]));
        CHECK_BALL(lem_cosine_abs_tail(a[0], a[1]), ball_cosine_tail, a, CLOSED + condition * EPS);
        draw_cosine(a, 1e4);
        condition = a[0] * a[1] * a[1] / ((1 - a[1]) * (1 + a[1]));
        if (a[1] == 1)
            continue;
        double absolute = CLOSED + condition * EPS;
        CHECK_BALL_ABS(lem_cosine_abs_tail_log(a[0], a[1]), ball_cosine_tail_log, a, CLOSED,
                       fmin(absolute, 1e-8));
    }
}

/* args: n, theta */
static void ball_angle_pdf(arb_t result, const double *args, slong prec) {
    arb_t a, g;
    arb_init(a), arb_init(g);
    arb_set_d(a, args[1]);
    arb_sin(result, a, prec);
    arb_set_d(a, args[0]);
    arb_sub_ui(a, a, 2, prec);
    arb_pow(result, result, a, prec);
    arb_set_d(a, args[0]);
    arb_mul_2exp_si(a, a, -1);
    arb_lgamma(g, a, prec);
    arb_set_d(a, args[0]);
    arb_sub_ui(a, a, 1, prec);
    arb_mul_2exp_si(a, a, -1);
    arb_lgamma(a, a, prec);
    arb_sub(g, g, a, prec);
    arb_exp(g, g, prec);
    arb_mul(result, result, g, prec);
    arb_const_sqrt_pi(g, prec);
    arb_div(result, result, g, prec);
    arb_clear(a), arb_clear(g);
}

static void test_angle_pdf(void) {
    for (size_t i = 0; i < repetitions(300); i++) {
        double a[2] = {random_bits() % 4 == 0 ? 2 + (double)(random_bits() % 4) : random_log(2, 1e8), 0};
        double width = fmin(1.5, 30 / sqrt(a[0]));
        a[1] = random_unit() < 0.5 ? M_PI / 2 + random_between(-width, width)
                                   : random_between(0.001, M_PI - 0.001);
        double condition = (a[0] - 2) * fabs(a[1] / tan(a[1]));
        CHECK_BALL(lem_angle_pdf(a[0], a[1]), ball_angle_pdf, a, CLOSED + condition * EPS);
    }
}

/* --- the entropy gap --- */

/* args: n, beta */
static void ball_gap(arb_t result, const double *args, slong prec) {
    arb_t nu, z, f, g, next;
    arb_init(nu), arb_init(z), arb_init(f), arb_init(g), arb_init(next);
    arb_set_d(nu, args[0]);
    arb_mul_2exp_si(nu, nu, -1); /* nu + 1 = n/2 */
    arb_set_d(z, args[0]);
    arb_set_d(g, args[1]);
    arb_mul(z, z, g, prec);
    arb_mul(z, z, z, prec);
    arb_mul_2exp_si(z, z, -2);
    arb_hypgeom_0f1(f, nu, z, 0, prec);
    arb_add_ui(next, nu, 1, prec);
    arb_hypgeom_0f1(g, next, z, 0, prec);
    /* h = log F - 2 z F'/F, F' = 0F1(; nu+2; z)/(nu+1) */
    arb_log(result, f, prec);
    arb_div(g, g, f, prec);
    arb_mul(g, g, z, prec);
    arb_div(g, g, nu, prec);
    arb_mul_2exp_si(g, g, 1);
    arb_sub(result, result, g, prec);
    arb_clear(nu), arb_clear(z), arb_clear(f), arb_clear(g), arb_clear(next);
}

static void test_gap(void) {
    for (size_t i = 0; i < repetitions(400); i++) {
        double a[2] = {random_bits() % 4 == 0 ? 2 + (double)(random_bits() % 60) : random_log(2, 5e3),
                       random_log(1e-9, 100)};
        if (random_bits() % 4 == 0) /* about where one expansion takes over from another */
            a[1] = random_between(0.9, 1.1) * (random_bits() % 2 ? sqrt(60 / a[0])
                                               : a[0] >= 16      ? 50 / a[0]
                                                                 : fmax(20, pow(a[0] / 2 - 1, 2)) / a[0]);
        CHECK_BALL(lem_skipgram_entropy_gap(a[0], a[1]), ball_gap, a, CLOSED);
    }
}

/* --- thresholds: the sign of the entropy on both sides --- */

static void test_threshold(void) {
    arb_t value, entropy;
    arb_init(value), arb_init(entropy);
    for (size_t i = 0; i < repetitions(60); i++) {
        double N = floor(random_log(2, 1e12)), beta = random_log(0.01, 3),
               c = 1 + (double)(random_bits() % 2);
        double gap_at_2 = lem_skipgram_entropy_gap(2, beta);
        if (c * log(N) + gap_at_2 < 0)
            continue;
        double n = lem_embedding_dim_threshold(N, beta, c == 2 ? LEM_ENTROPY_JOINT : LEM_ENTROPY_ROW);
        for (int side = -1; side <= 1; side += 2) {
            double a[2] = {n * (1 + side * 1e-13), beta};
            if (a[0] < 2)
                continue;
            LEM_CHECK(ball_value(value, ball_gap, a), "ball at n = %.17g", a[0]);
            arb_set_d(entropy, N);
            arb_log(entropy, entropy, 256);
            arb_mul_si(entropy, entropy, (slong)c, 256);
            arb_add(entropy, entropy, value, 256);
            LEM_CHECK(side < 0 ? arb_is_positive(entropy) : arb_is_negative(entropy),
                      "entropy at %.17g, N = %.17g, beta = %.17g, c = %g is on the wrong side", a[0], N, beta,
                      c);
        }
    }
    arb_clear(value), arb_clear(entropy);
}

/* --- SimHash --- */

/* Re (1 - p + p e^(i k pi/n))^n; args: n, theta */
static void ball_phi(arb_t result, const double *args, ulong k, slong prec) {
    arb_t p, angle, pi;
    acb_t w;
    arb_init(p), arb_init(angle), arb_init(pi), acb_init(w);
    arb_const_pi(pi, prec);
    arb_set_d(p, args[1]);
    arb_div(p, p, pi, prec);
    arb_set_d(angle, args[0]);
    arb_div(angle, pi, angle, prec);
    arb_mul_ui(angle, angle, k, prec);
    arb_sin_cos(acb_imagref(w), acb_realref(w), angle, prec);
    arb_sub_ui(acb_realref(w), acb_realref(w), 1, prec);
    acb_mul_arb(w, w, p, prec);
    acb_add_ui(w, w, 1, prec);
    acb_pow_ui(w, w, (ulong)args[0], prec);
    arb_set(result, acb_realref(w));
    arb_clear(p), arb_clear(angle), arb_clear(pi), acb_clear(w);
}

static void ball_simhash_mean(arb_t result, const double *args, slong prec) {
    ball_phi(result, args, 1, prec);
}

static void ball_simhash_variance(arb_t result, const double *args, slong prec) {
    arb_t square;
    arb_init(square);
    ball_phi(square, args, 1, prec);
    arb_mul(square, square, square, prec);
    ball_phi(result, args, 2, prec);
    arb_add_ui(result, result, 1, prec);
    arb_mul_2exp_si(result, result, -1);
    arb_sub(result, result, square, prec);
    arb_clear(square);
}

static void test_simhash(void) {
    for (size_t i = 0; i < repetitions(400); i++) {
        uint64_t edge = random_bits() % 6;
        double a[2] = {edge == 0 ? 1 + (double)(random_bits() % 4) : floor(random_log(1, 1e9)),
                       random_between(0, M_PI)};
        edge = random_bits() % 8;
        if (edge == 0)
            a[1] = random_log(1e-12, 1);
        else if (edge == 1)
            a[1] = M_PI - random_log(1e-12, 1);
        else if (edge == 2)
            a[1] = M_PI / 2 + random_between(-1, 1) * random_log(1e-15, 1e-3);
        double mean, variance;
        if (!LEM_CHECK(lem_simhash_cos_mean_var(a[0], a[1], &mean, &variance) == 0, "%s", lem_last_error()))
            continue;
        /* One epsilon of theta moves the mean by at most theta eps. */
        double pi_minus = M_PI - a[1];
        CHECK_BALL_ABS(mean, ball_simhash_mean, a, CLOSED, EPS * a[1]);
        CHECK_BALL(variance, ball_simhash_variance, a, CLOSED + EPS * a[1] / fmin(a[1], pi_minus) * 3);
    }
}

/* --- the mean of the cosine --- */

/* args: n, rho */
static void ball_cosine_mean(arb_t result, const double *args, slong prec) {
    arb_t half, c, x, g, h;
    arb_init(half), arb_init(c), arb_init(x), arb_init(g), arb_init(h);
    arb_set_d(half, 0.5);
    arb_set_d(c, args[0]);
    arb_mul_2exp_si(c, c, -1);
    arb_lgamma(h, c, prec);
    arb_add(g, c, half, prec);
    arb_lgamma(g, g, prec);
    arb_sub(g, g, h, prec);
    arb_mul_2exp_si(g, g, 1);
    arb_exp(g, g, prec);
    arb_div(g, g, c, prec); /* (2/n) ratio^2 */
    arb_add_ui(c, c, 1, prec);
    arb_set_d(x, args[1]);
    arb_mul(g, g, x, prec);
    arb_mul(x, x, x, prec);
    arb_hypgeom_2f1(result, half, half, c, x, 0, prec);
    arb_mul(result, result, g, prec);
    arb_clear(half), arb_clear(c), arb_clear(x), arb_clear(g), arb_clear(h);
}

static void test_cosine_mean(void) {
    for (size_t i = 0; i < repetitions(150); i++) {
        double a[2] = {random_bits() % 3 == 0 ? 1 + (double)(random_bits() % 40) : random_log(1, 2000),
                       random_between(-1, 1)};
        if (random_bits() % 4 == 0)
            a[1] = 1 - random_log(1e-15, 0.1);
        if (random_bits() % 8 == 0)
            a[1] = random_log(1e-300, 1e-3);
        CHECK_BALL(lem_projected_cosine_mean(a[0], a[1]), ball_cosine_mean, a, CLOSED);
    }
}

/* --- the inner product --- */

/* args: eps, rho */
static void ball_rate(arb_t result, const double *args, slong prec) {
    /* l (rho + eps) - log((s + D)/2)/2, D^2 = s^2 + 4 t^2, l = (2 t/(s + D) - rho)/s */
    arb_t rho, t, s, d, l;
    arb_init(rho), arb_init(t), arb_init(s), arb_init(d), arb_init(l);
    arb_set_d(rho, args[1]);
    arb_set_d(t, args[0]);
    arb_add(t, t, rho, prec);
    arb_mul(s, rho, rho, prec);
    arb_sub_ui(s, s, 1, prec);
    arb_neg(s, s);
    arb_mul_2exp_si(l, t, 1);
    arb_hypot(d, s, l, prec);
    arb_add(d, d, s, prec);
    arb_div(l, l, d, prec);
    arb_sub(l, l, rho, prec);
    arb_div(l, l, s, prec);
    arb_mul(l, l, t, prec);
    arb_mul_2exp_si(d, d, -1);
    arb_log(d, d, prec);
    arb_mul_2exp_si(d, d, -1);
    arb_sub(result, l, d, prec);
    arb_clear(rho), arb_clear(t), arb_clear(s), arb_clear(d), arb_clear(l);
}

static double draw_rho(void) {
    uint64_t edge = random_bits() % 6;
    double sign = random_bits() % 2 ? 1 : -1;
    return edge == 0 ? 0 : edge == 1 ? sign * (1 - random_log(1e-15, 0.1)) : random_between(-1, 1);
}

static void test_rate(void) {
    for (size_t i = 0; i < repetitions(400); i++) {
        double rho = draw_rho(), a[2] = {random_log(1e-12, 100), rho};
        if (random_bits() % 4 == 0)
            a[0] = fabs(rho) * (1 + random_between(-1, 1) * random_log(1e-15, 1e-1)) + 1e-20;
        /* d rate/d eps = l, d rate/d rho <= l + ...: bounded by finite differences of one epsilon. */
        double value = lem_jl_inner_rate(a[0], a[1]);
        double moved = fabs(lem_jl_inner_rate(a[0] * (1 + 4 * EPS), a[1]) - value) / 4 +
                       fabs(lem_jl_inner_rate(a[0], a[1] * (1 - 4 * EPS)) - value) / 4;
        CHECK_BALL_ABS(value, ball_rate, a, CLOSED, moved);
    }
}

/* The tail by inversion: P = (1/pi) int_0^inf Re[M(l + i y) e^{-n t (l + i y)}/(l + i y)] dy along a line
 * through the saddle point, an integral that shares nothing with the library's quadrature. args: n, eps, rho
 */
typedef struct {
    double n, eps, rho, l;
} inversion;

static int inversion_integrand(acb_ptr result, const acb_t y, void *param, slong order, slong prec) {
    (void)order;
    const inversion *d = param;
    acb_t l, f, g;
    arb_t t;
    acb_init(l), acb_init(f), acb_init(g), arb_init(t);
    acb_mul_onei(l, y);
    arb_set_d(t, d->l);
    acb_add_arb(l, l, t, prec);
    /* (1 - l(1+rho))(1 + l(1-rho)), each factor with positive real part where y is real */
    arb_set_d(t, d->rho);
    arb_add_ui(t, t, 1, prec);
    acb_mul_arb(f, l, t, prec);
    acb_sub_ui(f, f, 1, prec);
    acb_neg(f, f);
    acb_log_analytic(f, f, order != 0, prec);
    arb_set_d(t, d->rho);
    arb_sub_ui(t, t, 1, prec);
    arb_neg(t, t);
    acb_mul_arb(g, l, t, prec);
    acb_add_ui(g, g, 1, prec);
    acb_log_analytic(g, g, order != 0, prec);
    acb_add(f, f, g, prec);
    acb_mul_2exp_si(f, f, -1);
    arb_set_d(t, d->eps);
    acb_mul_arb(g, l, t, prec);
    acb_add(f, f, g, prec);
    arb_set_d(t, d->rho);
    acb_mul_arb(g, l, t, prec);
    acb_add(f, f, g, prec);
    arb_set_d(t, d->n);
    acb_mul_arb(f, f, t, prec);
    acb_neg(f, f);
    acb_exp(f, f, prec);
    acb_div(result, f, l, prec);
    acb_clear(l), acb_clear(f), acb_clear(g), arb_clear(t);
    return 0;
}

static void ball_inner_tail(arb_t result, const double *args, slong prec) {
    double n = args[0], eps = args[1], rho = args[2], s = (1 - rho) * (1 + rho), t = rho + eps;
    double b = 1 + rho * rho + 2 * rho * eps, d = 2 * hypot(s / 2, t);
    inversion data = {n, eps, rho, b > 0 ? 2 * eps / (b + d) : (d - b) / (2 * s * t)};
    acb_t low, high, total;
    acb_init(low), acb_init(high), acb_init(total);
    /* Beyond y = Y the modulus is below c y^-(n+1) with the factors at least l-independent s y^2: cut where
     * the rest is 2^-90 of the total (n >= 20 here). */
    double log_total = -n * lem_jl_inner_rate(eps, rho);
    double cut = exp((90 * M_LN2 + 10 - n * data.l * t - log_total - n / 2 * log(s)) / n);
    arb_set_d(acb_realref(high), cut);
    mag_t tolerance;
    mag_init(tolerance);
    mag_set_d(tolerance, 1e-30 * exp(fmax(log_total - 10, -700)));
    acb_calc_integrate(total, inversion_integrand, &data, low, high, prec, tolerance, NULL, prec);
    arb_const_pi(result, prec);
    arb_div(result, acb_realref(total), result, prec);
    mag_clear(tolerance);
    acb_clear(low), acb_clear(high), acb_clear(total);
}

/* Below n = 20 the line integral converges too slowly. There: given R = n |Au|^2, chi-square, n <Au, Av> is
 * normal with mean rho R and variance s R, so P = E[erfc((n t - rho R)/sqrt(2 s R))]/2; over v = log(R/n) the
 * integrand is entire. Same args. */
static int conditional_integrand(acb_ptr result, const acb_t v, void *param, slong order, slong prec) {
    (void)order;
    const inversion *d = param;
    arb_t x, s;
    acb_t r, w, z;
    arb_init(x), arb_init(s), acb_init(r), acb_init(w), acb_init(z);
    acb_exp(r, v, prec);
    acb_sub(w, v, r, prec);
    arb_set_d(x, d->n / 2);
    acb_mul_arb(w, w, x, prec);
    acb_exp(w, w, prec);
    arb_set_d(x, d->rho);
    acb_mul_arb(z, r, x, prec);
    acb_neg(z, z);
    acb_add_arb(z, z, x, prec);
    arb_mul(s, x, x, prec);
    arb_sub_ui(s, s, 1, prec);
    arb_neg(s, s);
    arb_set_d(x, d->eps);
    acb_add_arb(z, z, x, prec); /* rho (1 - r) + eps */
    arb_set_d(x, d->n / 2);
    arb_div(x, x, s, prec);
    arb_sqrt(x, x, prec);
    acb_mul_arb(z, z, x, prec);
    acb_mul_2exp_si(r, v, -1);
    acb_exp(r, r, prec);
    acb_div(z, z, r, prec);
    acb_hypgeom_erfc(z, z, prec);
    acb_mul(result, z, w, prec);
    arb_clear(x), arb_clear(s), acb_clear(r), acb_clear(w), acb_clear(z);
    return 0;
}

static void ball_inner_conditional(arb_t result, const double *args, slong prec) {
    double n = args[0], eps = args[1], rho = args[2], a = n / 2;
    inversion data = {n, eps, rho, 0};
    acb_t low, high, total;
    arb_t constant;
    acb_init(low), acb_init(high), acb_init(total), arb_init(constant);
    /* The weight e^(a v) leaves less than 2^-80 of the total below and exp(-a e^v) above. */
    double exponent = n * lem_jl_inner_rate(eps, rho) + 70;
    arb_set_d(acb_realref(low), -exponent / a);
    arb_set_d(acb_realref(high), log(3 + 2 * exponent / a));
    mag_t tolerance;
    mag_init(tolerance);
    mag_set_d(tolerance, 1e-28 * exp(60 - exponent));
    acb_calc_integrate(total, conditional_integrand, &data, low, high, prec, tolerance, NULL, prec);
    arb_set_d(constant, a);
    arb_log(result, constant, prec);
    arb_mul(result, result, constant, prec);
    arb_lgamma(constant, constant, prec);
    arb_sub(result, result, constant, prec);
    arb_exp(result, result, prec);
    arb_mul(result, result, acb_realref(total), prec);
    arb_mul_2exp_si(result, result, -1);
    mag_clear(tolerance);
    acb_clear(low), acb_clear(high), acb_clear(total), arb_clear(constant);
}

/* 1e-12, and one epsilon each of n (condition: the exponent), eps and rho (n l (eps + |rho|), l <= 1/(1 +
 * rho)). */
static double inner_tolerance(const double *a) {
    return 1e-12 + a[0] * (lem_jl_inner_rate(a[1], a[2]) + (a[1] + 1)) * EPS;
}

static void test_inner_tail(void) {
    for (size_t i = 0; i < repetitions(60); i++) {
        double rho = draw_rho(), a[3] = {random_log(20, i % 10 == 0 ? 1e6 : 5000), 0, rho};
        if (fabs(rho) > 0.999)
            a[2] = rho = copysign(0.999, rho);
        a[1] = sqrt(random_log(1e-2, 300) / a[0]);
        if (a[0] * lem_jl_inner_rate(a[1], rho) > 600)
            continue;
        CHECK_BALL(lem_jl_inner_tail(a[0], a[1], a[2]), ball_inner_tail, a, inner_tolerance(a));
    }
}

static void test_inner_tail_small(void) {
    for (size_t i = 0; i < repetitions(30); i++) {
        double rho = draw_rho();
        double a[3] = {i % 2 == 0 ? 1 + (double)(i / 2 % 5) : random_log(1, 20), 0, rho};
        if (fabs(rho) > 0.99)
            a[2] = rho = copysign(0.99, rho);
        a[1] = i % 4 == 3 ? fabs(rho) + 1e-3 : random_log(1e-3, 10);
        /* Below e^-300 the integrator's tolerance would underflow. */
        if (a[0] * lem_jl_inner_rate(a[1], rho) > 300)
            continue;
        CHECK_BALL(lem_jl_inner_tail(a[0], a[1], a[2]), ball_inner_conditional, a, inner_tolerance(a));
    }
}

static const lem_tap_case cases[] = {
    {"norm tails and Chernoff", test_norm_tail},
    {"norm tails, logarithms", test_norm_tail_log},
    {"Haar tails", test_haar_tail},
    {"cosine tails", test_cosine_tail},
    {"angle density", test_angle_pdf},
    {"entropy gap", test_gap},
    {"entropy thresholds", test_threshold},
    {"SimHash moments", test_simhash},
    {"mean of the projected cosine", test_cosine_mean},
    {"inner-product rate", test_rate},
    {"inner-product tails by inversion", test_inner_tail},
    {"inner-product tails, n below 20", test_inner_tail_small},
};
LEM_TAP_MAIN(cases)
