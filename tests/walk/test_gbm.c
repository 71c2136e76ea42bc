/* Geometric Brownian motion and the errors of its schemes; options on it. */
#include "draw.h"
#include "walk/gbm.h"
#include "walk/option.h"

/* The density is the derivative of the distribution function (central difference: h^2/6 of the third
 * derivative, which is below 1e3 here, plus rounding over h), and puts no weight on s <= 0. */
static void test_law(void) {
    for (double s = .2; s < 4; s += .3) {
        const double h = 1e-5,
                     slope = (lem_gbm_cdf(s + h, 1, .08, .3, 1.5) - lem_gbm_cdf(s - h, 1, .08, .3, 1.5)) /
                             (2 * h);
        LEM_CHECK_NEAR(slope, lem_gbm_pdf(s, 1, .08, .3, 1.5), 1e3 * h * h / 6 + 2.3e-16 / h);
    }
    LEM_CHECK(lem_gbm_cdf(0, 1, .08, .3, 1.5) == 0 && lem_gbm_cdf(INFINITY, 1, .08, .3, 1.5) == 1, "ends");
    LEM_CHECK(lem_gbm_pdf(1e-300, 1, .08, .3, 1.5) == 0 && lem_gbm_pdf(5e-324, 1, .08, .3, 1.5) == 0,
              "underflows to 0");
}

/* One step, by hand: mean 1 + mu T against exp(mu T). */
static void test_one_step(void) {
    const double mu = .3, sg = .4, T = .7, v = sg * sg * T, m = 1 + mu * T, g = exp(mu * T);
    LEM_CHECK_NEAR(lem_em_gbm_weak_error_mean(1, mu, sg, T), m - g, 1e-15);
    LEM_CHECK_NEAR(lem_em_gbm_strong_error(1, mu, sg, T), sqrt(g * g * exp(v) - 2 * g * (m + v) + m * m + v),
                   1e-14);
    const double w = v + v * v / 2;
    LEM_CHECK_NEAR(lem_milstein_gbm_strong_error(1, mu, sg, T),
                   sqrt(g * g * exp(v) - 2 * g * (m + w) + m * m + w), 1e-13);
    const double a = 1 + mu * T / 2;
    LEM_CHECK_NEAR(lem_mlmc_gbm_level_variance(1, mu, sg, T),
                   pow(a * a + v / 2, 2) - 2 * (a * a * m + a * v) + m * m + v - pow(a * a - m, 2), 1e-15);
}

/* Doubling the steps divides the errors by 2^order, ever more exactly, down to steps of 1e-12 where the
 * textbook difference has no digit left. The next term of the ratio is of relative size h. */
static void test_orders(void) {
    for (int l = 4; l <= 39; l += 7) {
        const uint64_t n = UINT64_C(1) << l;
        const double off = 4 * ldexp(1, -l) + 1e-12;
        LEM_CHECK_NEAR(lem_em_gbm_weak_error_mean(n, .08, .3, 1.5) /
                           lem_em_gbm_weak_error_mean(2 * n, .08, .3, 1.5),
                       2, off);
        LEM_CHECK_NEAR(lem_em_gbm_strong_error(n, .08, .3, 1.5) /
                           lem_em_gbm_strong_error(2 * n, .08, .3, 1.5),
                       sqrt(2), off);
        LEM_CHECK_NEAR(lem_milstein_gbm_strong_error(n, .08, .3, 1.5) /
                           lem_milstein_gbm_strong_error(2 * n, .08, .3, 1.5),
                       2, off);
        LEM_CHECK_NEAR(lem_mlmc_gbm_level_variance((uint64_t)l, .08, .3, 1.5) /
                           lem_mlmc_gbm_level_variance((uint64_t)l + 1, .08, .3, 1.5),
                       2, 2 * off);
    }
}

/* Put-call parity by symmetry: the put is a call on 1/S in units of S. Price between its bounds, rising in
 * volatility; the tree comes to it. */
static void test_call(void) {
    const double S0 = 1, K = 1.05, r = .05, T = 1.5;
    double last = 0;
    for (double sg = .02; sg < 3; sg *= 1.5) {
        const double call = lem_black_scholes_call(S0, K, r, sg, T),
                     put = exp(-r * T) * lem_black_scholes_call(K, S0, -r, sg, T);
        LEM_CHECK_NEAR(call - put, S0 - K * exp(-r * T), 1e-14);
        LEM_CHECK(call > last && call < S0, "sg = %g: %g after %g", sg, call, last);
        last = call;
    }
    for (size_t n = 64; n <= 65536; n *= 16)
        LEM_CHECK_NEAR(lem_crr_call(S0, K, r, .3, T, n), lem_black_scholes_call(S0, K, r, .3, T),
                       .04 / (double)n);
    /* one step: q up^..., by hand */
    const double up = exp(.3 * sqrt(T)), q = (exp(r * T) - 1 / up) / (up - 1 / up);
    LEM_CHECK_NEAR(lem_crr_call(S0, K, r, .3, T, 1), exp(-r * T) * q * (up - K), 1e-15);
    /* without noise the price is S0 - K exp(-r T), of which nothing is lost however near the two are */
    for (double sg = 1e-3; sg > 1e-300; sg *= 1e-9)
        for (double rate = 40 * sg; rate < 1; rate *= 1e3) {
            LEM_CHECK_NEAR(lem_black_scholes_call(1, 1, rate, sg, 1) / -expm1(-rate), 1, 1e-14);
            LEM_CHECK_NEAR(lem_black_scholes_call(1, 2, -rate, sg, 1), 0, 0);
        }
    LEM_CHECK_NEAR(lem_crr_call(1e300, 1, r, .3, T, 10) / 1e300, 1, 88 * 2.3e-16);
    /* r sqrt(h) = +-sg: every step goes up, or down, and the end is certain */
    LEM_CHECK_NEAR(lem_crr_call(1, 1.2, .5, .5, 4, 4), 1 - 1.2 * exp(-2), 1e-15);
    LEM_CHECK_NEAR(lem_crr_call(2, .1, -.5, .5, 4, 4), 2 - .1 * exp(2), 1e-14);
    LEM_CHECK_NEAR(lem_crr_call(S0, K, r, .3, T, (size_t)1 << 20), lem_black_scholes_call(S0, K, r, .3, T),
                   .04 / 1048576);
    LEM_CHECK(lem_crr_call(1, 1e4, .05, .3, 1.5, 10) == 0, "no end of the tree is above the strike");
}

static void test_refusals(void) {
    LEM_CHECK_ERROR(isnan(lem_gbm_pdf(0, 1, 0, 1, 1)), "s = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_gbm_pdf(1, -1, 0, 1, 1)), "S0 = -1|positive");
    LEM_CHECK_ERROR(isnan(lem_gbm_pdf(1, 1, NAN, 1, 1)), "mu = nan");
    LEM_CHECK_ERROR(isnan(lem_gbm_cdf(-1, 1, 0, 1, 1)), "s = -1|>= 0");
    LEM_CHECK_ERROR(isnan(lem_gbm_cdf(1, 1, 0, 0, 1)), "sg = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_gbm_cdf(1, 1, 0, 1, 0)), "T = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_em_gbm_weak_error_mean(0, 0, 1, 1)), "n = 0|1, ..., 2^40");
    LEM_CHECK_ERROR(isnan(lem_em_gbm_strong_error((UINT64_C(1) << 40) + 1, 0, 1, 1)), "n = 1099511627777");
    LEM_CHECK_ERROR(isnan(lem_milstein_gbm_strong_error(4, 0, -1, 1)), "sg = -1");
    LEM_CHECK_ERROR(isnan(lem_em_gbm_strong_error(4, 800, 1, 2)), "range of double");
    LEM_CHECK_ERROR(isnan(lem_mlmc_gbm_level_variance(0, 0, 1, 1)), "l = 0|1, ..., 40");
    LEM_CHECK_ERROR(isnan(lem_mlmc_gbm_level_variance(3, 0, 1, INFINITY)), "T = inf");
    LEM_CHECK_ERROR(isnan(lem_black_scholes_call(0, 1, 0, 1, 1)), "S0 = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_black_scholes_call(1, 0, 0, 1, 1)), "K = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_black_scholes_call(1, 1, NAN, 1, 1)), "r = nan");
    LEM_CHECK_ERROR(isnan(lem_black_scholes_call(1, 1, -1000, 1, 1)), "exceed the range");
    LEM_CHECK_ERROR(isnan(lem_crr_call(1, 1, 0, 1, 1, 0)), "n = 0|2^20");
    LEM_CHECK_ERROR(isnan(lem_crr_call(1, 1, 0, 1, 1, ((size_t)1 << 20) + 1)), "n = 1048577|2^20");
    LEM_CHECK_ERROR(isnan(lem_crr_call(1, 1, 2, .1, 1, 10)), "probability|<= sg");
    LEM_CHECK_ERROR(isnan(lem_crr_call(1, 1, .05, 1e300, 1, 10)), "crr_call|range of double");
}

static const lem_tap_case cases[] = {
    {"density and distribution function", test_law},
    {"one step by hand", test_one_step},
    {"orders down to the smallest steps", test_orders},
    {"the price of a call", test_call},
    {"refusals", test_refusals},
};
LEM_TAP_MAIN(cases)
