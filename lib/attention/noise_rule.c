/* The integrands E W^k e^(-zW) = E f(log z + noise) have f analytic in the strip |Im| < pi/2, where |f(x + i
 * theta)| <= f(x + log cos theta)/cos(theta)^k.
 *
 * Gaussian: trapezoidal rule in g = noise/sigma, of step 3/8 for sigma <= 1/2, else 11/(64 sigma); shifting
 * the line by min(15, 1.45/sigma) costs 5e-18 and 1e-22, relative (as in gaussian.c). Weighted by W^2 the law
 * is centred at 2 sigma: nodes reach from -9.3 to 2 sigma + 9.3, where 1e-20 of it is left out.
 *
 * Uniform and Laplace: panels of sixteen Gauss nodes, at most 1 wide and, for Laplace, 6b; the ellipse of
 * half axes that add up to 6 half widths is 1.46 high and reaches 2.1 half widths beyond the ends, so that
 * the integrand is at most cos(1.46)^-2 e^(2.1 (3 + 1)) = 4e5 times as large there: error (64/15) 4e5 6^-32 =
 * 2e-19, relative. */
#include "attention/noise_rule.h"
#include "attention/quadrature.h"
#include "linalg/check.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/* e^-u is below the smallest double at u = e^6.62 = 750; what is below e^-40 of something is nothing to it.
 */
static const double LOG_GONE = 6.62, LOG_NOTHING = 40;

static int allocate(lem_noise_rule *rule, size_t count) {
    rule->log_w = lem_allocate(2 * count, sizeof *rule->log_w);
    rule->weight = rule->log_w + count;
    rule->count = count;
    return rule->log_w ? GSL_SUCCESS : GSL_ENOMEM;
}

static int gauss(double sigma, lem_noise_rule *rule) {
    if (sigma > 8)
        return LEM_ERROR(GSL_EDOM, "sigma = %g: exact moments need sigma <= 8", sigma);
    const double step = sigma <= 0.5 ? 0.375 : 0.171875 / sigma, reach = 9.3;
    const long first = -(long)ceil((2 * sigma + reach) / step), last = (long)ceil((2 * sigma + reach) / step);
    const int status = allocate(rule, (size_t)(last - first + 1));
    if (status)
        return status;
    for (long k = first; k <= last; k++) {
        const double g = step * (double)k;
        rule->log_w[k - first] = sigma * (g - sigma / 2);
        rule->weight[k - first] = step * exp(-g * g / 2) / sqrt(2 * M_PI);
    }
    return GSL_SUCCESS;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Panels on [a, b], nodes ascending: those of a panel mirror each other. */
static void panels(double a, double b, size_t count, double *x, double *weight) {
    lem_panel_nodes(a, b, count, x, weight);
    for (size_t p = 0; p < count; p++) {
        double w[LEM_PANEL_NODES], *at = weight + p * LEM_PANEL_NODES;
        for (size_t i = 0; i < LEM_PANEL_NODES / 2; i++)
            w[LEM_PANEL_NODES / 2 - 1 - i] = w[LEM_PANEL_NODES / 2 + i] = at[2 * i];
        for (size_t i = 0; i < LEM_PANEL_NODES; i++)
            at[i] = w[i];
    }
    qsort(x, count * LEM_PANEL_NODES, sizeof *x, ascending);
}

/* log of E e^noise, sinh(h)/h. */
static double log_mean_uniform(double h) {
    return log(sinh(h) / h);
}

/* The effect of noise this small is below the smallest double, and so would be weights over its scale. */
static const double NO_NOISE = 1e-200;

static int no_noise(lem_noise_rule *rule) {
    const int status = allocate(rule, 1);
    if (!status)
        rule->log_w[0] = 0, rule->weight[0] = 1;
    return status;
}

static int uniform(double h, lem_noise_rule *rule) {
    if (h > 20)
        return LEM_ERROR(GSL_EDOM, "h = %g: exact moments need h <= 20", h);
    if (h < NO_NOISE)
        return no_noise(rule);
    const size_t count = (size_t)ceil(2 * h) + 1;
    const int status = allocate(rule, count * LEM_PANEL_NODES);
    if (status)
        return status;
    panels(-h, h, count, rule->log_w, rule->weight);
    for (size_t i = 0; i < rule->count; i++) {
        rule->log_w[i] -= log_mean_uniform(h);
        rule->weight[i] /= 2 * h;
    }
    return GSL_SUCCESS;
}

/* Upwards the nodes reach to where W^2 e^(-noise/b) is negligible, or else e^(-zW) is gone for every z in
 * use; the mass beyond goes to one last node, for which E[1 - e^(-zW)] is all that matters. */
static int laplace(double b, lem_noise_rule *rule) {
    if (b > 2)
        return LEM_ERROR(GSL_EDOM, "b = %g: exact moments need b <= 2", b);
    if (b < NO_NOISE)
        return no_noise(rule);
    const double lowest = b < 1 ? -80 : -30 - 60 * b, log_mean = b < 1 ? -log1p(-b * b) : 0;
    double up = LOG_GONE - lowest + log_mean;
    if (b < 0.5)
        up = fmin(up, 46 / (1 / b - 2));
    const double down = b < 0.4 ? 46 / (1 / b - 2) : fmax(80, 46 * b), width = fmin(1, 6 * b);
    const size_t below = (size_t)ceil(down / width), above = (size_t)ceil(up / width);
    const int status = allocate(rule, (below + above) * LEM_PANEL_NODES + 1);
    if (status)
        return status;
    panels(-down, 0, below, rule->log_w, rule->weight);
    panels(0, up, above, rule->log_w + below * LEM_PANEL_NODES, rule->weight + below * LEM_PANEL_NODES);
    for (size_t i = 0; i + 1 < rule->count; i++) {
        rule->weight[i] *= exp(-fabs(rule->log_w[i]) / b) / (2 * b);
        rule->log_w[i] -= log_mean;
    }
    rule->log_w[rule->count - 1] = up - log_mean;
    rule->weight[rule->count - 1] = exp(-up / b) / 2;
    rule->lowest = lowest;
    return GSL_SUCCESS;
}

static int dropout(double r, lem_noise_rule *rule) {
    const int status = allocate(rule, 1);
    if (status)
        return status;
    rule->none = r;
    rule->log_w[0] = -log1p(-r);
    rule->weight[0] = 1 - r;
    return GSL_SUCCESS;
}

static int make(lem_noise noise, lem_noise_rule *rule) {
    switch (noise.kind) {
    case LEM_NOISE_GAUSS:
        return gauss(noise.parameter, rule);
    case LEM_NOISE_UNIFORM:
        return uniform(noise.parameter, rule);
    case LEM_NOISE_LAPLACE:
        return laplace(noise.parameter, rule);
    case LEM_NOISE_DROPOUT:
        return dropout(noise.parameter, rule);
    default:
        return LEM_ERROR(GSL_EDOM,
                         "kind = %d: exact moments are for Gaussian, uniform, Laplace and dropout noise",
                         (int)noise.kind);
    }
}

int lem_noise_rule_init(lem_noise noise, lem_noise_rule *rule) {
    *rule = (lem_noise_rule){.lowest = 1};
    int status = lem_check_noise(noise);
    if (status)
        return status;
    status = make(noise, rule);
    if (status)
        return status;
    if (rule->lowest == 1)
        rule->lowest = -LOG_NOTHING - rule->log_w[rule->count - 1];
    rule->highest = LOG_GONE - rule->log_w[0];
    return GSL_SUCCESS;
}

void lem_noise_rule_free(lem_noise_rule *rule) {
    free(rule->log_w);
    *rule = (lem_noise_rule){0};
}
