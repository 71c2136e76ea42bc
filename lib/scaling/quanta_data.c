#include "scaling/quanta_data.h"
#include "attention/quadrature.h"
#include "scaling/gamma_ratio.h"
#include "scaling/quanta.h"
#include "scaling/quanta_check.h"
#include "scaling/quanta_tail.h"
#include "scaling/share_power.h"

#include <math.h>
#include <stdbool.h>

static double c_of(double gamma) {
    return gamma / (1 + gamma);
}

double lem_quanta_cut(double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_CLOSED, gamma))
        return (double)NAN;
    const double share = D / tau * lem_quanta_frequency(1, gamma);
    return share < 1 ? 0 : floor(share / lem_share_power(share, gamma));
}

double lem_quanta_learn_probability(double k, double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_SUMS, gamma))
        return (double)NAN;
    if (!(k >= 1) || !isfinite(k))
        return LEM_ERROR_NAN(GSL_EDOM, "k = %g: must be finite and at least 1", k);
    const lem_quanta_law law = lem_quanta_law_of(D, tau, gamma, false);
    return lem_quanta_below(&law, lem_quanta_p(&law, k), false);
}

/* --- the expected loss -------------------------------------------------------------------------------------
 */

double lem_quanta_threshold_factor(double tau, double gamma) {
    if (lem_quanta_check_tau(tau, LEM_TAU_CLOSED) || lem_quanta_check_gamma(gamma))
        return (double)NAN;
    return lem_gamma_ratio(tau, c_of(gamma));
}

double lem_quanta_loss_poisson_asymptotic(double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_CLOSED, gamma))
        return (double)NAN;
    if (D == 0)
        return LEM_ERROR_NAN(GSL_EDOM, "D = 0: must be positive, the closed form is infinite at 0");
    const lem_quanta_law law = lem_quanta_law_of(D, tau, gamma, false);
    return lem_quanta_bounded(lem_quanta_loss_closed(&law), "the closed form");
}

double lem_quanta_loss_binomial_asymptotic(double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_CLOSED, gamma) || lem_quanta_check_whole_samples(D))
        return (double)NAN;
    const lem_quanta_law law = lem_quanta_law_of(D, tau, gamma, true);
    return lem_quanta_loss_closed(&law);
}

double lem_quanta_loss_poisson(double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_SUMS, gamma))
        return (double)NAN;
    const lem_quanta_law law = lem_quanta_law_of(D, tau, gamma, false);
    return D > 0 ? lem_quanta_loss_beyond(&law, 0) : 1;
}

double lem_quanta_loss_binomial(double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_SUMS, gamma) || lem_quanta_check_whole_samples(D))
        return (double)NAN;
    const lem_quanta_law law = lem_quanta_law_of(D, tau, gamma, true);
    return D < tau ? 1 : lem_quanta_loss_beyond(&law, 0);
}

/* --- the number learned ------------------------------------------------------------------------------------
 */

/* (D/Z)^(1/s) Gamma(tau - 1/s)/Gamma(tau), where tau - 1/s = tau - 1 + c keeps the digits of a small gamma.
 */
static double count_scale(const lem_quanta_law *law) {
    const double c = c_of(law->gamma), tau = law->tau;
    const double share = law->D / (law->zeta * tau);
    if (!(share > 0))
        return 0;
    return share / lem_share_power(share, law->gamma) * lem_gamma_ratio(tau, c) * (tau / (tau - 1 + c));
}

double lem_quanta_learned_count_asymptotic(double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_CLOSED, gamma))
        return (double)NAN;
    if (D == 0)
        return LEM_ERROR_NAN(GSL_EDOM, "D = 0: must be positive, the limit says -1/2 at 0");
    const lem_quanta_law law = lem_quanta_law_of(D, tau, gamma, false);
    return count_scale(&law) - 0.5;
}

double lem_quanta_learned_count(double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_SUMS, gamma))
        return (double)NAN;
    if (D == 0)
        return 0;
    /* By parts: int_K^inf P dk = count_scale P(tau - 1/s, x_K) - K P(tau, x_K). */
    const lem_quanta_law law = lem_quanta_law_of(D, tau, gamma, false);
    const double K = lem_quanta_switch(&law), p = lem_quanta_p(&law, K);
    const double integral = count_scale(&law) * lem_gamma_below(tau - 1 + c_of(gamma), D * p) -
                            K * lem_quanta_below(&law, p, false);
    return lem_quanta_head(&law, LEM_SUM_LEARNED, K) + lem_quanta_tail(&law, LEM_SUM_LEARNED, K, integral);
}

/* --- the variance ------------------------------------------------------------------------------------------
 */

typedef struct {
    const lem_quanta_law *law;
    double p;
} variance_ctx;

/* With p = p_K e^-y: p^2 P Q dk = (K p_K^2/s) e^(-(1 + c) y) P Q dy. */
static double variance_density(double y, const void *ctx) {
    const variance_ctx *at = ctx;
    const double p = at->p * exp(-y);
    return exp(-(1 + c_of(at->law->gamma)) * y) * lem_quanta_below(at->law, p, true) *
           lem_quanta_below(at->law, p, false);
}

/* The integrand rises while x = D p falls to about tau, in steps of relative width tau^-1/2, and then falls
 * at least like e^(-2 y): panels of a quarter of that width, from x <= 2 tau + 100 (before: below e^-50 of
 * the peak) to 21 units of y beyond the peak. */
static double variance_integral(const lem_quanta_law *law, double K) {
    const variance_ctx ctx = {law, lem_quanta_p(law, K)};
    const double tau = law->tau, log_x = log(law->D * ctx.p);
    const double from = fmax(0, log_x - log(2 * tau + 100)), to = fmax(from, log_x - log(tau)) + 21;
    const double panels = ceil(4 * sqrt(tau) * (to - from));
    const double integral = lem_panel_integral(variance_density, &ctx, from, to, (size_t)panels);
    return K * ctx.p * ctx.p / (1 + law->gamma) * integral;
}

double lem_quanta_loss_variance_poisson(double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_SUMS, gamma))
        return (double)NAN;
    if (D == 0)
        return 0;
    const lem_quanta_law law = lem_quanta_law_of(D, tau, gamma, false);
    const double K = lem_quanta_switch(&law), integral = variance_integral(&law, K);
    return lem_quanta_head(&law, LEM_SUM_VARIANCE, K) + lem_quanta_tail(&law, LEM_SUM_VARIANCE, K, integral);
}
