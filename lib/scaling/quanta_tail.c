#include "scaling/quanta_tail.h"
#include "scaling/gamma_ratio.h"
#include "scaling/share_power.h"
#include "stat/distribution.h"

#include <math.h>

double lem_quanta_loss_closed(const lem_quanta_law *law) {
    const double gamma = law->gamma, tau = law->tau, c = gamma / (1 + gamma);
    /* Z^(-1/s) = Z^c/Z: c keeps the digits of a small gamma */
    const double constant =
        lem_share_power(law->zeta * tau, gamma) / (law->zeta * gamma) * lem_gamma_ratio(tau, c);
    if (!law->binomial)
        return constant / lem_share_power(law->D, gamma);
    return constant / lem_share_power(law->D + 1, gamma) / lem_gamma_ratio(law->D + 1, c);
}

/* int_K^inf p Q dk = closed form P(tau + c, x_K) + K p_K Q/gamma, by parts; binomial: the incomplete beta
 * function I(tau + c, D - tau + 1) at p_K. */
static double loss_integral(const lem_quanta_law *law, double K) {
    const double p = lem_quanta_p(law, K), a = law->tau + law->gamma / (1 + law->gamma);
    const double share =
        law->binomial ? lem_beta_cdf(p, a, law->D - law->tau + 1, LEM_LOWER) : lem_gamma_below(a, law->D * p);
    return lem_quanta_loss_closed(law) * share + K * p * lem_quanta_below(law, p, true) / law->gamma;
}

double lem_quanta_loss_beyond(const lem_quanta_law *law, double n) {
    const double K = n > 0 ? n + 1 : lem_quanta_switch(law);
    const double tail = lem_quanta_tail(law, LEM_SUM_LOSS, K, loss_integral(law, K));
    return n > 0 ? tail : lem_quanta_head(law, LEM_SUM_LOSS, K) + tail;
}
