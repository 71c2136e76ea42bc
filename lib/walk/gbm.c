#include "walk/gbm.h"
#include "stat/distribution.h"
#include "walk/check.h"
#include "walk/gbm_pair.h"
#include "walk/log_ratio.h"

#include <inttypes.h>
#include <math.h>

static int check_law(double S0, double mu, double sg, double T) {
    int status = lem_walk_check_positive(S0, "S0");
    if (!status)
        status = lem_walk_check_finite(mu, "mu");
    if (!status)
        status = lem_walk_check_positive(sg, "sg");
    return status ? status : lem_walk_check_positive(T, "T");
}

/* (log(s/S0) - (mu - sg^2/2) T)/(sg sqrt(T)), standard normal. */
static double standardised(double s, double S0, double mu, double sg, double T) {
    return (lem_log_ratio(s, S0) - (mu - sg * sg / 2) * T) / (sg * sqrt(T));
}

double lem_gbm_pdf(double s, double S0, double mu, double sg, double T) {
    if (lem_walk_check_positive(s, "s") || check_law(S0, mu, sg, T))
        return (double)NAN;
    const double z = standardised(s, S0, mu, sg, T), two_pi = 6.283185307179586;
    return lem_walk_bounded(exp(-z * z / 2) / (sg * sqrt(two_pi * T)) / s, "gbm_pdf");
}

double lem_gbm_cdf(double s, double S0, double mu, double sg, double T) {
    if (!(s >= 0))
        return LEM_ERROR_NAN(GSL_EDOM, "s = %g: must be >= 0", s);
    if (check_law(S0, mu, sg, T))
        return (double)NAN;
    if (s == 0 || isinf(s))
        return s > 0;
    return lem_normal_cdf(standardised(s, S0, mu, sg, T), LEM_LOWER);
}

/* --- errors of schemes --- */

enum { LOG2_LARGEST = 40 };

static int check_steps(uint64_t n, double mu, double sg, double T) {
    if (n < 1 || n > UINT64_C(1) << LOG2_LARGEST)
        return LEM_ERROR(GSL_EDOM, "n = %" PRIu64 ": must be in 1, ..., 2^%d steps", n, LOG2_LARGEST);
    return check_law(1, mu, sg, T);
}

/* exp(x) less its Taylor polynomial of degree order - 1: by the series where that cancels. */
static double exp_remainder(double x, int order) {
    if (fabs(x) > 2) {
        double remainder = expm1(x), term = 1;
        for (int k = 1; k < order; k++)
            remainder -= term *= x / k;
        return remainder;
    }
    double term = 1, sum = 0;
    for (int k = 1; k < order + 30; k++) {
        term *= x / k;
        if (k >= order)
            sum += term;
    }
    return sum;
}

/* One step of a scheme against the exact solution: C has mean 1 + mu h and variance w, F = exp((mu - sg^2/2)
 * h + sg dW), E[C F] = exp(mu h) (1 + mu h + w). order: of the first power of v = sg^2 h in exp(v) - 1 - w.
 */
static lem_gbm_pair scheme_step(double x, double v, double w, int order) {
    const double growth = expm1(x), e = 1 + growth;
    return (lem_gbm_pair){
        .c1 = x,
        .r = exp_remainder(x, 2),
        .vc = w,
        .vr = e * e * exp_remainder(v, order) + w * growth * growth,
        .crc = w * growth,
    };
}

static lem_gbm_pair euler(uint64_t n, double mu, double sg, double T) {
    const double h = T / (double)n, v = sg * sg * h;
    return lem_gbm_pair_power(scheme_step(mu * h, v, v, 2), n);
}

static lem_gbm_pair milstein(uint64_t n, double mu, double sg, double T) {
    const double h = T / (double)n, v = sg * sg * h;
    return lem_gbm_pair_power(scheme_step(mu * h, v, v + v * v / 2, 3), n);
}

/* A product that overflows leaves infinity or infinity minus infinity. */
static double in_range(double value, const char *name) {
    return lem_walk_bounded(isnan(value) ? (double)INFINITY : value, name);
}

double lem_em_gbm_weak_error_mean(uint64_t n, double mu, double sg, double T) {
    if (check_steps(n, mu, sg, T))
        return (double)NAN;
    return in_range(0 - euler(n, mu, sg, T).r, "em_gbm_weak_error_mean");
}

/* sqrt(Var R + (E R)^2) */
static double strong_error(lem_gbm_pair pair, const char *name) {
    return in_range(hypot(sqrt(pair.vr), pair.r), name);
}

double lem_em_gbm_strong_error(uint64_t n, double mu, double sg, double T) {
    if (check_steps(n, mu, sg, T))
        return (double)NAN;
    return strong_error(euler(n, mu, sg, T), "em_gbm_strong_error");
}

double lem_milstein_gbm_strong_error(uint64_t n, double mu, double sg, double T) {
    if (check_steps(n, mu, sg, T))
        return (double)NAN;
    return strong_error(milstein(n, mu, sg, T), "milstein_gbm_strong_error");
}

/* Two fine steps, (1 + x + sg dW1) (1 + x + sg dW2), against the coarse one, 1 + 2 x + sg (dW1 + dW2): the
 * difference is x^2 + x sg (dW1 + dW2) + sg^2 dW1 dW2. */
double lem_mlmc_gbm_level_variance(uint64_t l, double mu, double sg, double T) {
    if (l < 1 || l > LOG2_LARGEST)
        return LEM_ERROR_NAN(GSL_EDOM, "l = %" PRIu64 ": must be a level in 1, ..., %d", l, LOG2_LARGEST);
    if (check_law(1, mu, sg, T))
        return (double)NAN;
    const double h = ldexp(T, -(int)l), x = mu * h, v = sg * sg * h;
    const lem_gbm_pair step = {
        .c1 = 2 * x, .r = x * x, .vc = 2 * v, .vr = 2 * x * x * v + v * v, .crc = 2 * x * v};
    return in_range(lem_gbm_pair_power(step, UINT64_C(1) << (l - 1)).vr, "mlmc_gbm_level_variance");
}
