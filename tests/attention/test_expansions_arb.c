/* The expansions of exp against Arb balls, on random arguments.
 *
 * Tolerance: the 64 epsilons of the registry, plus what the headers allow for the last bits of the arguments.
 */
#include "attention/elu1.h"
#include "attention/hermite.h"
#include "attention/minimax.h"
#include "attention/power.h"
#include "attention/taylor.h"
#include "projection/oracle.h"

#include <arb_hypgeom.h>
#include <math.h>

static double conditioned(double n, double x) {
    return CLOSED + 3 * (n + 1 + fabs(x)) * EPS;
}

/* --- Taylor: the sum itself; args n, x --- */

static void ball_taylor(arb_t result, const double *args, slong prec) {
    arb_t x, term;
    arb_init(x), arb_init(term);
    arb_set_d(x, args[1]);
    arb_one(term);
    arb_one(result);
    for (ulong m = 1; m <= (ulong)args[0]; m++) {
        arb_mul(term, term, x, prec);
        arb_div_ui(term, term, m, prec);
        arb_add(result, result, term, prec);
    }
    arb_clear(x), arb_clear(term);
}

static void ball_remainder(arb_t result, const double *args, slong prec) {
    arb_t e;
    arb_init(e);
    arb_set_d(e, args[1]);
    arb_exp(e, e, prec);
    ball_taylor(result, args, prec);
    arb_sub(result, e, result, prec);
    arb_clear(e);
}

static void ball_relative(arb_t result, const double *args, slong prec) {
    arb_t e;
    arb_init(e);
    arb_set_d(e, args[1]);
    arb_exp(e, e, prec);
    ball_taylor(result, args, prec);
    arb_div(result, result, e, prec);
    arb_sub_ui(result, result, 1, prec);
    arb_clear(e);
}

static bool reasonable(double value) {
    return isfinite(value) && fabs(value) > 1e-290 && fabs(value) < 1e290;
}

static void test_taylor(void) {
    for (size_t i = 0, n = repetitions(400); i < n; i++) {
        const double degree = floor(random_log(1, 800)) - (i % 7 == 0);
        const double args[] = {degree, (random_bits() & 1 ? 1 : -1) * random_log(1e-6, 3 * degree + 5)};
        const int k = (int)args[0];
        const double remainder = lem_exp_taylor_remainder(k, args[1]);
        const double relative = lem_exp_taylor_relative_error(k, args[1]);
        if (reasonable(remainder))
            CHECK_BALL(remainder, ball_remainder, args, conditioned(degree, args[1]));
        if (reasonable(relative))
            CHECK_BALL(relative, ball_relative, args, conditioned(degree, args[1]));
        if (args[1] > 700 || !(fabs(remainder) < 1e290)) /* out of range */
            continue;
        if (args[1] >= 0 || k % 2 == 0)
            CHECK_BALL(lem_exp_taylor(k, args[1]), ball_taylor, args, conditioned(degree, args[1]));
        else if (reasonable(remainder))
            CHECK_BALL_ABS(lem_exp_taylor(k, args[1]), ball_taylor, args, 0,
                           conditioned(degree, args[1]) * (exp(args[1]) + fabs(remainder)));
    }
}

/* T_n is positive above its zero and negative below: the sign must change within four epsilons. */
static void test_zero(void) {
    arb_t ball;
    arb_init(ball);
    for (int n = 1; n <= 601; n += n < 40 ? 2 : 56) {
        const double z = lem_exp_taylor_real_zero(n);
        const double above[] = {n, z * (1 - 4 * EPS)}, below[] = {n, z * (1 + 4 * EPS)};
        LEM_CHECK(ball_value(ball, ball_taylor, above) && arb_is_positive(ball), "n = %d above %.17g", n, z);
        LEM_CHECK(ball_value(ball, ball_taylor, below) && arb_is_negative(ball), "n = %d below %.17g", n, z);
    }
    arb_clear(ball);
}

/* --- powers; args n, x --- */

static void ball_power(arb_t result, const double *args, slong prec) {
    arb_set_d(result, args[1]);
    arb_div_ui(result, result, (ulong)args[0], prec);
    arb_add_ui(result, result, 1, prec);
    arb_pow_ui(result, result, (ulong)args[0], prec);
}

static void ball_power_relative(arb_t result, const double *args, slong prec) {
    arb_t e;
    arb_init(e);
    arb_set_d(e, -args[1]);
    arb_exp(e, e, prec);
    ball_power(result, args, prec);
    arb_mul(result, result, e, prec);
    arb_sub_ui(result, result, 1, prec);
    arb_clear(e);
}

/* x/n moving by an epsilon changes n (log(1 + x/n) - x/n) by x^2/(n + x) of them, and log E_n by n |x|/(n +
 * x); the relative error itself may cancel against -1 below -n, where one epsilon of 1 is allowed. */
static void test_power(void) {
    for (size_t i = 0, n = repetitions(400); i < n; i++) {
        const double degree = floor(random_log(1, i % 4 ? 300 : 1e6));
        const double x = (random_bits() & 1 ? 1 : -1) * random_log(1e-6, i % 3 ? 30 : 300);
        const double args[] = {degree, x}, gap = fabs(degree + x);
        if (gap < 1e-3 * degree)
            continue;
        const double relative = lem_exp_power_relative_error((int)degree, x);
        if (reasonable(relative))
            CHECK_BALL_ABS(relative, ball_power_relative, args,
                           CLOSED + 2 * EPS * (x * x / gap + (x < -degree ? degree * 20 + fabs(x) : 2)),
                           x < -degree || relative < -0.5 ? 4 * EPS : 0);
        const double power = lem_exp_power((int)degree, x);
        if (reasonable(power))
            CHECK_BALL(power, ball_power, args, CLOSED + 3 * EPS * degree * fmax(1, fabs(x) / gap));
    }
}

/* --- Gaussian averages; args n, sigma --- */

static void ball_hermite(arb_t result, const double *args, slong prec) {
    arb_t v, term;
    arb_init(v), arb_init(term);
    arb_set_d(v, args[1]);
    arb_sqr(v, v, prec);
    arb_one(term);
    arb_one(result);
    for (ulong m = 1; m <= (ulong)args[0]; m++) {
        arb_mul(term, term, v, prec);
        arb_div_ui(term, term, m, prec);
        arb_add(result, result, term, prec);
    }
    arb_neg(v, v);
    arb_exp(v, v, prec);
    arb_mul(result, result, v, prec);
    arb_sub_ui(result, result, 1, prec);
    arb_neg(result, result);
    arb_clear(v), arb_clear(term);
}

enum { MOST = 100 };

/* moments[m] = E y^m for y ~ N(shift v, v): E y^m = shift v E y^(m-1) + (m-1) v E y^(m-2). */
static void moments_of(arb_struct *moments, int count, int shift, const arb_t v, slong prec) {
    arb_t a;
    arb_init(a);
    arb_one(moments);
    for (int m = 1; m < count; m++) {
        arb_mul_si(moments + m, moments + m - 1, shift, prec);
        if (m > 1)
            arb_addmul_ui(moments + m, moments + m - 2, (ulong)m - 1, prec);
        arb_mul(moments + m, moments + m, v, prec);
    }
    arb_clear(a);
}

/* E(T_n - e^x)^2/e^(2v) multiplied out: E x^m e^x = e^(v/2) E(x + v)^m. */
static void ball_taylor_l2(arb_t result, const double *args, slong prec) {
    const int n = (int)args[0];
    arb_t v, square, cross, t;
    arb_init(v), arb_init(square), arb_init(cross), arb_init(t);
    arb_struct *plain = _arb_vec_init(2 * MOST + 2), *shifted = _arb_vec_init(MOST + 2);
    arb_set_d(v, args[1]);
    arb_sqr(v, v, prec);
    moments_of(plain, 2 * n + 1, 0, v, prec);
    moments_of(shifted, n + 1, 1, v, prec);
    for (int i = 0; i <= n; i++) {
        arb_fac_ui(t, (ulong)i, prec);
        arb_div(t, shifted + i, t, prec);
        arb_add(cross, cross, t, prec);
        for (int j = 0; j <= n; j++) {
            arb_t f;
            arb_init(f);
            arb_fac_ui(t, (ulong)i, prec);
            arb_fac_ui(f, (ulong)j, prec);
            arb_mul(t, t, f, prec);
            arb_div(t, plain + i + j, t, prec);
            arb_add(square, square, t, prec);
            arb_clear(f);
        }
    }
    arb_mul_2exp_si(t, v, -1);
    arb_exp(t, t, prec);
    arb_mul(cross, cross, t, prec);
    arb_mul_2exp_si(cross, cross, 1);
    arb_sub(square, square, cross, prec);
    arb_mul_2exp_si(t, v, 1);
    arb_neg(t, t);
    arb_exp(t, t, prec);
    arb_mul(result, square, t, prec);
    arb_add_ui(result, result, 1, prec);
    _arb_vec_clear(plain, 2 * MOST + 2), _arb_vec_clear(shifted, MOST + 2);
    arb_clear(v), arb_clear(square), arb_clear(cross), arb_clear(t);
}

static void test_gaussian_averages(void) {
    for (size_t i = 0, n = repetitions(60); i < n; i++) {
        const double args[] = {floor(random_log(1, 40)), random_log(0.01, 6)};
        const double hermite = lem_exp_hermite_relative_l2_squared((int)args[0], args[1]);
        const double taylor = lem_exp_taylor_relative_l2_squared((int)args[0], args[1]);
        const double tolerance = conditioned(2 * args[0], 2 * args[1] * args[1]);
        if (reasonable(hermite))
            CHECK_BALL(hermite, ball_hermite, args, tolerance);
        if (reasonable(taylor))
            CHECK_BALL(taylor, ball_taylor_l2, args, tolerance);
    }
}

/* --- Bessel; args k, R --- */

static void ball_chebyshev(arb_t result, const double *args, slong prec) {
    arb_t k, R;
    arb_init(k), arb_init(R);
    arb_set_d(k, args[0]);
    arb_set_d(R, args[1]);
    arb_hypgeom_bessel_i(result, k, R, prec);
    arb_mul_2exp_si(result, result, 1);
    arb_clear(k), arb_clear(R);
}

static void test_chebyshev(void) {
    for (size_t i = 0, n = repetitions(300); i < n; i++) {
        const double args[] = {floor(random_log(1, 200)) - 1, random_log(1e-3, 690)};
        const double value = lem_chebyshev_exp_coefficient((int)args[0], args[1]);
        if (reasonable(value))
            CHECK_BALL(value, ball_chebyshev, args, CLOSED + 2 * EPS * fmax(args[0], args[1]));
    }
}

/* --- elu1; args s --- */

/* e^(k^2 s^2/2) Phi(-k s) */
static void ball_tail(arb_t result, double s, ulong k, slong prec) {
    arb_t x, e;
    arb_init(x), arb_init(e);
    arb_set_d(x, s);
    arb_mul_ui(x, x, k, prec);
    arb_sqr(e, x, prec);
    arb_mul_2exp_si(e, e, -1);
    arb_exp(e, e, prec);
    arb_set_ui(result, 2);
    arb_sqrt(result, result, prec);
    arb_div(x, x, result, prec);
    arb_hypgeom_erfc(x, x, prec);
    arb_mul(result, x, e, prec);
    arb_mul_2exp_si(result, result, -1);
    arb_clear(x), arb_clear(e);
}

/* 1/2 + k s/sqrt(2 pi) */
static void ball_half_line(arb_t result, double s, ulong k, slong prec) {
    arb_t x;
    arb_init(x);
    arb_const_pi(x, prec);
    arb_mul_2exp_si(x, x, 1);
    arb_sqrt(x, x, prec);
    arb_set_d(result, s);
    arb_mul_ui(result, result, k, prec);
    arb_div(result, result, x, prec);
    arb_set_d(x, 0.5);
    arb_add(result, result, x, prec);
    arb_clear(x);
}

static void ball_elu1_mean(arb_t result, const double *args, slong prec) {
    arb_t t;
    arb_init(t);
    ball_half_line(result, args[0], 1, prec);
    ball_tail(t, args[0], 1, prec);
    arb_add(result, result, t, prec);
    arb_clear(t);
}

static void ball_elu1_cv2(arb_t result, const double *args, slong prec) {
    arb_t t, mean;
    arb_init(t), arb_init(mean);
    ball_elu1_mean(mean, args, prec);
    arb_sqr(mean, mean, prec);
    ball_half_line(result, args[0], 2, prec);
    ball_tail(t, args[0], 2, prec);
    arb_add(result, result, t, prec);
    arb_set_d(t, args[0]);
    arb_sqr(t, t, prec);
    arb_mul_2exp_si(t, t, -1);
    arb_add(result, result, t, prec);
    arb_div(result, result, mean, prec);
    arb_sub_ui(result, result, 1, prec);
    arb_clear(t), arb_clear(mean);
}

static void test_elu1(void) {
    for (size_t i = 0, n = repetitions(300); i < n; i++) {
        const double args[] = {i % 3 ? random_log(0.05, 20) : random_log(1e-100, 1e4)};
        CHECK_BALL(lem_elu1_gaussian_mean(args[0]), ball_elu1_mean, args, CLOSED);
        if (args[0] > 1e-12) /* the ball needs 2 log2(1/s) more bits */
            CHECK_BALL(lem_elu1_gaussian_cv2(args[0]), ball_elu1_cv2, args, CLOSED);
    }
    LEM_CHECK_NEAR(lem_elu1_gaussian_cv2(1e-100), 1e-200, 1e-214);
    /* at large s: 1/2 + s/sqrt(2 pi), and pi - 1 less 2 (pi - 1) sqrt(pi/2)/s and so on */
    LEM_CHECK_NEAR(lem_elu1_gaussian_cv2(1e150), M_PI - 1, CLOSED * M_PI);
    LEM_CHECK_NEAR(lem_elu1_gaussian_mean(1e150) / 1e150, 1 / sqrt(2 * M_PI), CLOSED);
}

static const lem_tap_case cases[] = {
    {"Taylor polynomials and their errors", test_taylor},
    {"the real zero", test_zero},
    {"powers", test_power},
    {"Gaussian averages", test_gaussian_averages},
    {"Chebyshev coefficients", test_chebyshev},
    {"elu1", test_elu1},
};
LEM_TAP_MAIN(cases)
