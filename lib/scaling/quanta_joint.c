#include "scaling/quanta_joint.h"
#include "scaling/gamma_ratio.h"
#include "scaling/quanta.h"
#include "scaling/quanta_check.h"
#include "scaling/quanta_tail.h"
#include "scaling/share_power.h"

#include <math.h>
#include <stdbool.h>

double lem_quanta_joint_loss(double n, double D, double tau, double gamma) {
    if (lem_quanta_check_resources(D, tau, LEM_TAU_SUMS, gamma))
        return (double)NAN;
    if (!(n >= 0) || n > 0x1p53 || n != floor(n))
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: must be a whole number from 0 to 2^53", n);
    if (n == 0 || D == 0)
        return 1;
    const lem_quanta_law law = lem_quanta_law_of(D, tau, gamma, false);
    const double beyond = lem_quanta_loss(n, gamma, 0, 1), K = lem_quanta_switch(&law);
    if (n < K)
        return lem_quanta_head(&law, LEM_SUM_LOSS, n + 1) + beyond;
    /* None of the three exceeds the result. */
    return lem_quanta_loss_beyond(&law, 0) - lem_quanta_loss_beyond(&law, n) + beyond;
}

/* x^-c Gamma(tau + c, x)/Gamma(tau) */
static double unlearned(double x, double tau, double gamma) {
    const double c = gamma / (1 + gamma), power = lem_share_power(tau, gamma) / lem_share_power(x, gamma);
    return lem_gamma_ratio(tau, c) * power * lem_gamma_above(tau + c, x);
}

double lem_quanta_joint_scaling(double x, double tau, double gamma) {
    if (lem_quanta_check_tau(tau, LEM_TAU_SUMS) || lem_quanta_check_gamma(gamma))
        return (double)NAN;
    if (!(x > 0))
        return LEM_ERROR_NAN(GSL_EDOM, "x = %g: must be positive", x);
    if (isinf(x))
        return 1;
    return lem_quanta_bounded(lem_gamma_below(tau, x) + unlearned(x, tau, gamma), "the scaling function");
}

/* One side rises with x and the other falls. */
double lem_quanta_joint_optimum_x(double tau, double gamma) {
    if (lem_quanta_check_tau(tau, LEM_TAU_SUMS) || lem_quanta_check_gamma(gamma))
        return (double)NAN;
    const double s = 1 + gamma;
    double low = 1e-3, high = 1; /* the least x there is, at tau = 1 and gamma = 1000, is 0.03 */
    while (s * lem_gamma_below(tau, high) < unlearned(high, tau, gamma))
        high *= 2;
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high))
            return middle;
        if (s * lem_gamma_below(tau, middle) < unlearned(middle, tau, gamma))
            low = middle;
        else
            high = middle;
    }
}
