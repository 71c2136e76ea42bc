/* The closed forms of simulation against ball arithmetic, over the whole domain. */
#include "../projection/oracle.h"
#include "walk/first_passage.h"
#include "walk/gbm.h"
#include "walk/option.h"

#include <arb_hypgeom.h>
#include <math.h>

/* --- errors of schemes: the textbook differences, with digits to spare --- */

enum { N, MU, SG, T, SCHEME };

typedef struct {
    arb_t x, v, w, m, growth; /* mu h, sg^2 h, Var of a step, 1 + x, exp(x) */
} step;

static void step_init(step *s, const double *args, slong precision) {
    arb_init(s->x), arb_init(s->v), arb_init(s->w), arb_init(s->m), arb_init(s->growth);
    arb_set_d(s->x, args[MU]);
    arb_t h;
    arb_init(h);
    arb_set_d(h, args[T]);
    arb_div_ui(h, h, (ulong)args[N], precision);
    arb_mul(s->x, s->x, h, precision);
    arb_set_d(s->v, args[SG]);
    arb_mul(s->v, s->v, s->v, precision);
    arb_mul(s->v, s->v, h, precision);
    arb_set(s->w, s->v);
    if (args[SCHEME] > 0) {
        arb_mul(s->w, s->v, s->v, precision);
        arb_mul_2exp_si(s->w, s->w, -1);
        arb_add(s->w, s->w, s->v, precision);
    }
    arb_add_ui(s->m, s->x, 1, precision);
    arb_exp(s->growth, s->x, precision);
    arb_clear(h);
}

static void step_clear(step *s) {
    arb_clear(s->x), arb_clear(s->v), arb_clear(s->w), arb_clear(s->m), arb_clear(s->growth);
}

/* m^n - exp(x)^n */
static void weak(arb_t result, const double *args, slong precision) {
    step s;
    step_init(&s, args, precision);
    arb_pow_ui(result, s.m, (ulong)args[N], precision);
    arb_mul_ui(s.x, s.x, (ulong)args[N], precision);
    arb_exp(s.x, s.x, precision);
    arb_sub(result, result, s.x, precision);
    step_clear(&s);
}

/* sqrt(exp(2x + v)^n - 2 [exp(x) (m + w)]^n + (m^2 + w)^n) */
static void strong(arb_t result, const double *args, slong precision) {
    step s;
    step_init(&s, args, precision);
    arb_t cross;
    arb_init(cross);
    const ulong n = (ulong)args[N];
    arb_add(cross, s.m, s.w, precision);
    arb_mul(cross, cross, s.growth, precision);
    arb_pow_ui(cross, cross, n, precision);
    arb_mul_2exp_si(cross, cross, 1);
    arb_mul(result, s.m, s.m, precision);
    arb_add(result, result, s.w, precision);
    arb_pow_ui(result, result, n, precision);
    arb_sub(result, result, cross, precision);
    arb_mul_2exp_si(s.x, s.x, 1);
    arb_add(s.x, s.x, s.v, precision);
    arb_mul_ui(s.x, s.x, n, precision);
    arb_exp(s.x, s.x, precision);
    arb_add(result, result, s.x, precision);
    arb_sqrt(result, result, precision);
    arb_clear(cross);
    step_clear(&s);
}

/* f^M - 2 c^M + k^M - (a^2M - p^M)^2 with args[N] = 2^l fine steps */
static void level(arb_t result, const double *args, slong precision) {
    step s;
    step_init(&s, args, precision);
    arb_t a2, p, f, c, k;
    arb_init(a2), arb_init(p), arb_init(f), arb_init(c), arb_init(k);
    const ulong M = (ulong)args[N] / 2;
    arb_mul(a2, s.m, s.m, precision);
    arb_mul_2exp_si(p, s.x, 1);
    arb_add_ui(p, p, 1, precision);
    arb_add(f, a2, s.v, precision);
    arb_mul(f, f, f, precision), arb_pow_ui(f, f, M, precision);
    arb_mul(c, s.m, s.v, precision), arb_mul_2exp_si(c, c, 1);
    arb_addmul(c, a2, p, precision), arb_pow_ui(c, c, M, precision);
    arb_mul_2exp_si(c, c, 1);
    arb_mul_2exp_si(k, s.v, 1), arb_addmul(k, p, p, precision), arb_pow_ui(k, k, M, precision);
    arb_sub(result, f, c, precision), arb_add(result, result, k, precision);
    arb_pow_ui(a2, a2, M, precision), arb_pow_ui(p, p, M, precision);
    arb_sub(a2, a2, p, precision), arb_submul(result, a2, a2, precision);
    arb_clear(a2), arb_clear(p), arb_clear(f), arb_clear(c), arb_clear(k);
    step_clear(&s);
}

/* As stated in gbm.h. */
static double tolerance(double factor, const double *args) {
    const double growth = 1 + fabs(args[MU]) * args[T] + args[SG] * args[SG] * args[T];
    return factor * (1 + log2(args[N])) * growth * (args[MU] < 0 ? growth : 1) * EPS;
}

static void test_schemes(void) {
    for (size_t i = 0; i < repetitions(400); i++) {
        const double T_ = random_log(1e-3, 1e2), sign = i % 2 ? -1 : 1, n = floor(random_log(1, 1e6));
        double args[] = {n, sign * random_log(1e-4, 4) / T_, sqrt(random_log(1e-8, 4) / T_), T_, 0};
        if (1 + args[MU] * T_ / n <= 0)
            continue; /* the conditioning there has no bound */
        CHECK_BALL(lem_em_gbm_weak_error_mean((uint64_t)n, args[MU], args[SG], T_), weak, args,
                   tolerance(4, args));
        CHECK_BALL(lem_em_gbm_strong_error((uint64_t)n, args[MU], args[SG], T_), strong, args,
                   tolerance(4, args));
        args[SCHEME] = 1;
        CHECK_BALL(lem_milstein_gbm_strong_error((uint64_t)n, args[MU], args[SG], T_), strong, args,
                   tolerance(4, args));
    }
}

static void test_levels(void) {
    for (size_t i = 0; i < repetitions(300); i++) {
        const double T_ = random_log(1e-3, 1e2), sign = i % 2 ? -1 : 1, l = floor(random_between(1, 24));
        const double args[] = {exp2(l), sign * random_log(1e-4, 4) / T_, sqrt(random_log(1e-8, 4) / T_), T_,
                               0};
        if (1 + 2 * args[MU] * T_ / args[N] <= 0)
            continue;
        const double near = args[MU] * T_ / args[N],
                     cancelling = args[MU] < 0 ? args[SG] * args[SG] * T_ * near * near : 0;
        CHECK_BALL_ABS(lem_mlmc_gbm_level_variance((uint64_t)l, args[MU], args[SG], T_), level, args,
                       tolerance(4, args), tolerance(4, args) * cancelling);
    }
}

/* --- normal tails --- */

static void normal_tail(arb_t result, const arb_t x, slong precision) { /* Phi(x) */
    arb_t root;
    arb_init(root);
    arb_set_ui(root, 2);
    arb_sqrt(root, root, precision);
    arb_div(result, x, root, precision);
    arb_neg(result, result);
    arb_hypgeom_erfc(result, result, precision);
    arb_mul_2exp_si(result, result, -1);
    arb_clear(root);
}

static void survival(arb_t result, const double *args, slong precision) { /* b, mu, a, T */
    arb_t b, drift, spread, d, e;
    arb_init(b), arb_init(drift), arb_init(spread), arb_init(d), arb_init(e);
    arb_set_d(b, args[0]);
    arb_set_d(drift, args[1]), arb_set_d(d, args[3]), arb_mul(drift, drift, d, precision);
    arb_set_d(spread, args[2]), arb_mul(spread, spread, d, precision);
    arb_mul(e, b, drift, precision), arb_mul_2exp_si(e, e, 1), arb_div(e, e, spread, precision);
    arb_exp(e, e, precision);
    arb_sqrt(spread, spread, precision);
    arb_add(d, b, drift, precision), arb_neg(d, d), arb_div(d, d, spread, precision);
    normal_tail(result, d, precision);
    arb_mul(e, e, result, precision);
    arb_sub(d, b, drift, precision), arb_div(d, d, spread, precision);
    normal_tail(result, d, precision);
    arb_sub(result, result, e, precision);
    arb_clear(b), arb_clear(drift), arb_clear(spread), arb_clear(d), arb_clear(e);
}

/* d1 is rounded by up to 2 epsilons of (b + |mu| T)/spread, and phi(d1) by d1 times as much. */
static void test_survival(void) {
    for (size_t i = 0; i < repetitions(1000); i++) {
        const double sign = i % 2 ? -1 : 1, a = random_log(1e-3, 1e3), T_ = random_log(1e-3, 1e3);
        const double spread = sqrt(a * T_), b = random_log(1e-8, 30) * spread;
        const double args[] = {b, sign * random_log(1e-3, 30) * spread / T_, a, T_};
        const double parts = (b + fabs(args[1]) * T_) / spread, d1 = fabs(b - args[1] * T_) / spread;
        CHECK_BALL(lem_drifted_bm_survival(b, args[1], a, T_), survival, args,
                   16 * EPS + 2 * parts * (1 + d1) * EPS);
    }
}

enum { S0, K, R, SIGMA, TIME };

static void call_price(arb_t result, const double *args, slong precision) {
    arb_t s, k, r, d, v, t;
    arb_init(s), arb_init(k), arb_init(r), arb_init(d), arb_init(v), arb_init(t);
    arb_set_d(s, args[S0]), arb_set_d(k, args[K]), arb_set_d(t, args[TIME]);
    arb_set_d(r, args[R]), arb_mul(r, r, t, precision);
    arb_set_d(v, args[SIGMA]), arb_mul(v, v, v, precision), arb_mul(v, v, t, precision);
    arb_div(d, s, k, precision), arb_log(d, d, precision), arb_add(d, d, r, precision);
    arb_mul_2exp_si(t, v, -1), arb_add(d, d, t, precision);
    arb_sqrt(v, v, precision), arb_div(d, d, v, precision); /* d1 */
    normal_tail(t, d, precision), arb_mul(s, s, t, precision);
    arb_sub(d, d, v, precision);
    normal_tail(t, d, precision), arb_mul(k, k, t, precision);
    arb_neg(r, r), arb_exp(r, r, precision), arb_mul(k, k, r, precision);
    arb_sub(result, s, k, precision);
    arb_clear(s), arb_clear(k), arb_clear(r), arb_clear(d), arb_clear(v), arb_clear(t);
}

/* d2 is rounded by 2 epsilons of its parts, phi(d2) by d2 times as much. */
static void test_call(void) {
    for (size_t i = 0; i < repetitions(1000); i++) {
        const double T_ = random_log(1e-2, 1e2), v = random_log(1e-3, 3), d = random_between(-30, 30);
        const double S0_ = random_log(1e-2, 1e2), r = random_between(-.5, .5) / T_;
        const double args[] = {S0_, S0_ * exp(-d * v), r, v / sqrt(T_), T_};
        const double parts = (fabs(d * v) + fabs(r * T_) + v * v) / v;
        CHECK_BALL(lem_black_scholes_call(S0_, args[K], r, args[SIGMA], T_), call_price, args,
                   16 * EPS + (2 * parts * (1 + fabs(d) + v) + parts / v) * EPS);
    }
}

/* exp(-r T) sum C(n, j) q^j (1 - q)^(n - j) max(S0 u^(2j - n) - K, 0) */
static void tree_price(arb_t result, const double *args, slong precision) {
    arb_t s, k, move, up, growth, q, weight, gain;
    arb_init(s), arb_init(k), arb_init(move), arb_init(up), arb_init(growth), arb_init(q), arb_init(weight);
    arb_init(gain);
    const ulong n = (ulong)args[TIME + 1];
    arb_set_d(move, args[TIME]), arb_div_ui(move, move, n, precision);
    arb_set_d(growth, args[R]), arb_mul(growth, growth, move, precision);
    arb_sqrt(move, move, precision), arb_set_d(q, args[SIGMA]), arb_mul(move, move, q, precision);
    arb_exp(up, move, precision), arb_inv(s, up, precision);
    arb_exp(q, growth, precision), arb_sub(q, q, s, precision);
    arb_sub(gain, up, s, precision), arb_div(q, q, gain, precision);
    arb_mul_ui(growth, growth, n, precision), arb_neg(growth, growth);
    arb_exp(weight, growth, precision), arb_set_d(k, args[K]);
    arb_sub_ui(gain, q, 1, precision), arb_neg(gain, gain), arb_div(q, q, gain, precision); /* the odds */
    arb_pow_ui(gain, gain, n, precision), arb_mul(weight, weight, gain, precision);
    arb_zero(result);
    for (ulong j = 0; j <= n; j++) {
        arb_mul_si(s, move, 2 * (slong)j - (slong)n, precision), arb_exp(s, s, precision);
        arb_set_d(gain, args[S0]), arb_mul(s, s, gain, precision), arb_sub(gain, s, k, precision);
        if (arb_is_positive(gain))
            arb_addmul(result, weight, gain, precision);
        arb_mul_ui(weight, weight, n - j, precision), arb_div_ui(weight, weight, j + 1, precision);
        arb_mul(weight, weight, q, precision);
    }
    arb_clear(s), arb_clear(k), arb_clear(move), arb_clear(up), arb_clear(growth), arb_clear(q);
    arb_clear(weight), arb_clear(gain);
}

/* The smallest log(S/K) > 0 at an end; infinity when there is none. */
static double smallest_gain(double strike_at, double move, long n) {
    double smallest = INFINITY;
    for (long j = -n; j <= n; j += 2)
        if ((double)j * move - strike_at > 0)
            smallest = fmin(smallest, (double)j * move - strike_at);
    return smallest;
}

/* 8 n epsilons as stated; and log(S/K) at an end is rounded by two epsilons of its parts, which is more,
 * relatively, where the end is near the strike. */
static void test_tree(void) {
    for (size_t i = 0; i < repetitions(100); i++) {
        const double T_ = random_log(1e-2, 1e1), v = random_log(1e-2, 1), n = floor(random_log(1, 300));
        const double move = v / sqrt(n), d = random_between(-3, 3), S0_ = random_log(1e-1, 1e1);
        const double r = random_between(-.3, .3) * move * n / T_; /* a third of what a step can do */
        const double args[] = {S0_, S0_ * exp(-d * v), r, v / sqrt(T_), T_, n};
        const double parts = fabs(d * v) + n * move, gain = smallest_gain(-d * v, move, (long)n);
        CHECK_BALL(lem_crr_call(S0_, args[K], r, args[SIGMA], T_, (size_t)n), tree_price, args,
                   (8 * (n + 1) + 2 * parts / gain) * EPS);
    }
}

static const lem_tap_case cases[] = {
    {"strong and weak errors", test_schemes},    {"level variances", test_levels},
    {"survival below a barrier", test_survival}, {"the price of a call", test_call},
    {"the price on a tree", test_tree},
};
LEM_TAP_MAIN(cases)
