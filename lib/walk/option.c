#include "walk/option.h"
#include "stat/distribution.h"
#include "walk/check.h"
#include "walk/gauss_gap.h"
#include "walk/log_ratio.h"

#include <math.h>

static int check(double S0, double K, double r, double sg, double T) {
    int status = lem_walk_check_positive(S0, "S0");
    if (!status)
        status = lem_walk_check_positive(K, "K");
    if (!status)
        status = lem_walk_check_finite(r, "r");
    if (!status)
        status = lem_walk_check_positive(sg, "sg");
    return status ? status : lem_walk_check_positive(T, "T");
}

/* The two terms, which share the factor S0 phi(d1) = K exp(-r T) phi(d2): in tails it is taken out. */
static double price(double S0, double strike, double d1, double spread) {
    const double d2 = d1 - spread, factor = S0 * lem_gauss_density(d1);
    const double share = d1 < 0 ? factor * lem_mills_ratio(-d1) : S0 * lem_normal_cdf(d1, LEM_LOWER);
    const double cost = d1 < 0 ? factor * lem_mills_ratio(-d2) : strike * lem_normal_cdf(d2, LEM_LOWER);
    if (cost < share / 2)
        return share - cost;
    return d2 > 0 ? strike * lem_gauss_gap(d2, spread) : factor * lem_gauss_gap_scaled(d2, spread);
}

double lem_black_scholes_call(double S0, double K, double r, double sg, double T) {
    if (check(S0, K, r, sg, T))
        return (double)NAN;
    const double spread = sg * sqrt(T), strike = K * exp(-r * T);
    const double d1 = (lem_log_ratio(S0, K) + (r + sg * sg / 2) * T) / spread;
    if (!isfinite(d1) || !isfinite(strike))
        return LEM_ERROR_NAN(GSL_EOVRFLW,
                             "S0 = %g, K = %g, r = %g, sg = %g, T = %g: exceed the range of double", S0, K, r,
                             sg, T);
    return price(S0, strike, d1, spread);
}

/* --- the binomial tree --- */

typedef struct {
    double S0, K, start, step; /* log(S/K) begins at start and moves by +-step */
    double odds;               /* q/(1 - q) */
    size_t n;
} tree;

/* max(S - K, 0) at an end with j steps up: near the strike by the logarithm of S/K, far above it as written,
 * where a rounding of a large logarithm would be one of S. */
static double payoff(const tree *t, size_t j) {
    const double move = (2 * (double)j - (double)t->n) * t->step, gain = t->start + move;
    if (gain > 1)
        return t->S0 * exp(move) - t->K;
    return gain > 0 ? t->K * expm1(gain) : 0;
}

/* sum over j of P(j) payoff(j). The binomial weights from their largest outwards, by ratios of neighbours; at
 * the end divided by their sum. Far from the mode they underflow to 0, and no payoff, which grows by a fixed
 * factor only, makes up for that. */
static double expected_payoff(const tree *t) {
    const double n = (double)t->n, q = t->odds / (1 + t->odds);
    const size_t mode = (size_t)fmin(n, floor((n + 1) * q));
    double weight = 1, total = 1, sum = payoff(t, mode);
    for (size_t j = mode; j < t->n; j++) {
        weight *= (n - (double)j) / ((double)j + 1) * t->odds;
        total += weight;
        sum += weight * payoff(t, j + 1);
    }
    weight = 1;
    for (size_t j = mode; j > 0; j--) {
        weight *= (double)j / ((n - (double)j + 1) * t->odds);
        total += weight;
        sum += weight * payoff(t, j - 1);
    }
    return sum / total;
}

double lem_crr_call(double S0, double K, double r, double sg, double T, size_t n) {
    if (check(S0, K, r, sg, T))
        return (double)NAN;
    if (n < 1 || n > (size_t)1 << 20)
        return LEM_ERROR_NAN(GSL_EDOM, "n = %zu: must be in 1, ..., 2^20 steps", n);
    const double h = T / (double)n, step = sg * sqrt(h);
    const double up = expm1(r * h) - expm1(-step), down = expm1(step) - expm1(r * h);
    if (up < 0 || down < 0)
        return LEM_ERROR_NAN(GSL_EDOM,
                             "n = %zu, r = %g, sg = %g, T = %g: a step up has no probability in [0, 1], "
                             "|r| sqrt(T/n) must be <= sg",
                             n, r, sg, T);
    if (down == 0) /* every step goes up */
        return fmax(S0 - K * exp(-r * T), 0);
    const tree t = {.S0 = S0, .K = K, .start = lem_log_ratio(S0, K), .step = step, .odds = up / down, .n = n};
    return lem_walk_bounded(exp(-r * T) * expected_payoff(&t), "crr_call");
}
