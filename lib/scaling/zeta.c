#include "scaling/zeta.h"

#include <math.h>
#include <stdbool.h>

const double lem_bernoulli_ratio[LEM_BERNOULLI_TERMS] = {
    0.083333333333333333333,   -0.0013888888888888888889,  0.000033068783068783068783,
    -8.2671957671957671958e-7, 2.0876756987868098979e-8,   -5.2841901386874931848e-10,
    1.3382536530684678833e-11, -3.3896802963225828668e-13, 8.5860620562778445641e-15,
    -2.174868698558061873e-16, 5.5090028283602295152e-18,  -1.3954464685812523341e-19};

enum { CORRECTIONS = 10 };

static double far_enough(double g) {
    return 14 + 1.5 * (1 + g);
}

/* (1 + j/q)^-s */
static double term_of(double g, double q, double j) {
    const double x = log1p(j / q);
    return exp(-g * x - x);
}

/* Beside a sum >= 1, and with it all that follows: it only gets that small within far_enough where s > 12,
 * and then the terms fall at once. */
static bool negligible(double term) {
    return term < 1e-19;
}

/* sum of B_2j/(2j)! (s)_(2j-1) Q^(1-2j) */
static double corrections(double g, double Q) {
    double rising = (1 + g) / Q, sum = 0;
    for (int j = 0; j < CORRECTIONS; j++) {
        sum += lem_bernoulli_ratio[j] * rising;
        rising *= ((g + 2 + 2 * j) / Q) * ((g + 3 + 2 * j) / Q);
    }
    return sum;
}

double lem_zeta_scaled(double g, double q) {
    double sum = 0, j = 0;
    for (; q + j < far_enough(g); j++) {
        const double term = term_of(g, q, j);
        if (negligible(term))
            return g / q * sum;
        sum += term;
    }
    const double Q = q + j, scale = g / q;
    return scale * sum + term_of(g, q, j) * (Q / q + scale * (0.5 + corrections(g, Q)));
}

/* The m-th derivative of x^-s log x is x^(-s-m) (a_m log x + b_m): a_m+1 = -(s+m) a_m, b_m+1 = -(s+m) b_m +
 * a_m.
 */
static double log_corrections(double g, double Q) {
    double a = 1, b = 0, sum = 0, log_Q = log(Q);
    for (int m = 0; m < 2 * CORRECTIONS; m++) {
        const double factor = -(1 + g + m) / Q;
        b = factor * b + a / Q;
        a *= factor;
        if (m % 2 == 0)
            sum -= lem_bernoulli_ratio[m / 2] * (a * log_Q + b);
    }
    return sum;
}

double lem_zeta_log_scaled(double g, double q) {
    double sum = 0, j = 0;
    for (; q + j < far_enough(g); j++) {
        const double term = term_of(g, q, j) * log(q + j);
        if (negligible(term))
            return g / q * sum;
        sum += term;
    }
    const double Q = q + j, log_Q = log(Q), scale = g / q;
    return scale * sum +
           term_of(g, q, j) * (Q / q * (log_Q + 1 / g) + scale * (0.5 * log_Q + log_corrections(g, Q)));
}

double lem_zeta_between(double g, double q, double r) {
    double sum = 0, j = 0;
    for (; q + j < r && (q + j < far_enough(g) || r - q <= 64); j++) {
        const double term = term_of(g, q, j);
        if (negligible(term))
            return sum;
        sum += term;
    }
    const double Q = q + j;
    if (!(Q < r))
        return sum;
    /* the integral without a difference of powers: (1 - (r/Q)^-g)/g */
    const double ratio = log1p((r - Q) / Q), last = exp(-g * ratio - ratio);
    const double integral = -Q * expm1(-g * ratio) / g;
    const double ends = (1 - last) / 2 + corrections(g, Q) - last * corrections(g, r);
    return sum + term_of(g, q, j) * (integral + ends);
}
