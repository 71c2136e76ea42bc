#include "scaling/quanta_sum.h"
#include "projection/gamma_tail.h"
#include "scaling/gamma_ratio.h"
#include "scaling/zeta.h"
#include "stat/distribution.h"

#include <math.h>

enum { ORDERS = 2 * LEM_BERNOULLI_TERMS }; /* Taylor coefficients 0 .. 23 */

lem_quanta_law lem_quanta_law_of(double D, double tau, double gamma, bool binomial) {
    const double scaled = lem_zeta_scaled(gamma, 1);
    const double rest = pow(2, -gamma) * lem_zeta_scaled(gamma, 2) / scaled;
    return (lem_quanta_law){D, tau, gamma, scaled / gamma, rest, binomial};
}

double lem_quanta_p(const lem_quanta_law *law, double k) {
    return pow(k, -law->gamma) / k / law->zeta;
}

double lem_quanta_below(const lem_quanta_law *law, double p, bool below) {
    if (law->binomial && p > 0.5) /* the first quantum: count the others, whose share has its own digits */
        return lem_binomial_cdf(law->D - law->tau, (uint64_t)law->D, law->rest,
                                below ? LEM_UPPER : LEM_LOWER);
    if (law->binomial)
        return lem_binomial_cdf(law->tau - 1, (uint64_t)law->D, p, below ? LEM_LOWER : LEM_UPPER);
    return below ? lem_gamma_above(law->tau, law->D * p) : lem_gamma_below(law->tau, law->D * p);
}

static double value(const lem_quanta_law *law, lem_quanta_summand summand, double k) {
    const double p = lem_quanta_p(law, k);
    switch (summand) {
    case LEM_SUM_LOSS:
        return p * lem_quanta_below(law, p, true);
    case LEM_SUM_LEARNED:
        return lem_quanta_below(law, p, false);
    default:
        return p * p * lem_quanta_below(law, p, true) * lem_quanta_below(law, p, false);
    }
}

/* The smallest k from 1 on at which D p_k <= x. */
static double first_below(const lem_quanta_law *law, double x) {
    const double ratio = law->D / (law->zeta * x);
    return ratio <= 1 ? 1 : ceil(exp(log(ratio) / (1 + law->gamma)));
}

double lem_quanta_switch(const lem_quanta_law *law) {
    const double s = 1 + law->gamma, least = ceil(s * law->tau + ORDERS);
    /* at `high` x <= 1; beyond 2^53 whole numbers have gaps, hence the test for progress */
    double low = least, high = ceil(first_below(law, 1) + least + s);
    for (;;) {
        const double middle = floor(low + (high - low) / 2);
        if (!(middle > low && middle < high))
            return high;
        if (s * (law->D * lem_quanta_p(law, middle) + law->tau) + ORDERS <= middle)
            high = middle;
        else
            low = middle;
    }
}

/* --- Taylor series in h, k = K (1 + h) ---------------------------------------------------------------------
 */

typedef struct {
    double p[ORDERS], below[ORDERS];
    double above; /* 1 - below[0], with its own digits */
} series;

/* p = p_0 (1 + h)^-s */
static void frequency_series(double p, double s, double *out) {
    out[0] = p;
    for (int m = 0; m + 1 < ORDERS; m++)
        out[m + 1] = out[m] * -(s + m) / (m + 1);
}

static double product(const double *a, const double *b, int m) {
    double sum = 0;
    for (int i = 0; i <= m; i++)
        sum += a[i] * b[m - i];
    return sum;
}

/* Of (1 + h) y' = rate: the next coefficient from y_m and rate_m. */
static double next(double y, double rate, int m) {
    return (rate - m * y) / (m + 1);
}

/* p times the density of p where the count reaches tau: x^tau e^-x/Gamma(tau) = (x/tau)^tau e^(tau - x) times
 * tau^tau e^-tau/Gamma(tau). The binomial fellow tau C(D, tau) p^tau (1 - p)^rest, rest = D - tau, has the
 * factor (D (1 - p)/rest)^rest e^(x - tau) more, and what Stirling's formula leaves; logarithms of factorials
 * of D would leave no digits. */
static double edge(const lem_quanta_law *law, double p) {
    const double tau = law->tau, x = law->D * p, over = (x - tau) / tau;
    if (!(x > 0))
        return 0;
    const double poisson = tau * lem_log1p_minus(over, x / tau);
    if (!law->binomial)
        return lem_gamma_peak(tau) * exp(poisson);
    const double rest = law->D - tau;
    if (!(rest > 0)) /* all of them, or more than there are */
        return rest < 0 ? 0 : tau * pow(p, tau);
    const double others = rest * lem_log1p_minus((tau - x) / rest, law->D * (1 - p) / rest);
    const double stirling = lem_stirling_remainder(law->D) - lem_stirling_remainder(rest);
    return lem_gamma_peak(tau) * sqrt(law->D / rest) * exp(poisson + others + stirling);
}

/* P(count < tau) as a series: (1 + h) below' = s w, (1 + h) w' = -s w (tau - x), for the binomial with
 * (D - tau) times the odds p/(1 - p) in the place of x, of which (1 + h) odds' = -s odds (1 + odds). */
static void law_series(const lem_quanta_law *law, double p, series *out) {
    const double s = 1 + law->gamma;
    double drift[ORDERS], w[ORDERS], odds[ORDERS];
    frequency_series(p, s, out->p);
    odds[0] = p / (1 - p);
    for (int m = 0; m + 1 < ORDERS; m++)
        odds[m + 1] = next(odds[m], -s * (odds[m] + product(odds, odds, m)), m);
    for (int m = 0; m < ORDERS; m++)
        drift[m] = (m ? 0 : law->tau) - (law->binomial ? (law->D - law->tau) * odds[m] : law->D * out->p[m]);
    w[0] = edge(law, p);
    out->below[0] = lem_quanta_below(law, p, true);
    out->above = lem_quanta_below(law, p, false);
    for (int m = 0; m + 1 < ORDERS; m++) {
        w[m + 1] = next(w[m], -s * product(w, drift, m), m);
        out->below[m + 1] = next(out->below[m], s * w[m], m);
    }
}

static void summand_series(const series *law, lem_quanta_summand summand, double *out) {
    double above[ORDERS], variance[ORDERS], square[ORDERS];
    for (int m = 0; m < ORDERS; m++)
        above[m] = m ? -law->below[m] : law->above;
    for (int m = 0; m < ORDERS; m++) {
        variance[m] = product(law->below, above, m);
        square[m] = product(law->p, law->p, m);
    }
    for (int m = 0; m < ORDERS; m++)
        out[m] = summand == LEM_SUM_LOSS      ? product(law->p, law->below, m)
                 : summand == LEM_SUM_LEARNED ? above[m]
                                              : product(square, variance, m);
}

/* sum_j B_2j/(2j)! f^(2j-1)(K), f^(m)(K) = m! c_m/K^m */
static double corrections(const lem_quanta_law *law, lem_quanta_summand summand, double K) {
    series at;
    double c[ORDERS], scale = 1, sum = 0;
    law_series(law, lem_quanta_p(law, K), &at);
    summand_series(&at, summand, c);
    for (int m = 1; m < ORDERS; m++) {
        scale *= m / K;
        if (m % 2)
            sum += lem_bernoulli_ratio[m / 2] * scale * c[m];
    }
    return sum;
}

/* --- the sum -----------------------------------------------------------------------------------------------
 */

double lem_quanta_head(const lem_quanta_law *law, lem_quanta_summand summand, double K) {
    /* Below k_first D p exceeds 2 tau + 1600: P(count < tau) < e^-800, as good as certain. */
    const double k_first = fmin(first_below(law, 2 * law->tau + 1600), K);
    double sum = summand == LEM_SUM_LEARNED ? k_first - 1 : 0, lost = 0;
    for (double k = k_first; k < K; k++) {
        const double term = value(law, summand, k), larger = sum + term; /* Neumaier's compensation */
        lost += sum >= term ? (sum - larger) + term : (term - larger) + sum;
        sum = larger;
    }
    return sum + lost;
}

double lem_quanta_tail(const lem_quanta_law *law, lem_quanta_summand summand, double K, double integral) {
    return value(law, summand, K) / 2 + integral - corrections(law, summand, K);
}
