#include "study.h"

#include <gsl/gsl_integration.h>

/* sigma^2 = |q|^2 d^-1/2 is chi-square with d degrees over d, that is 2/d of a Gamma(d/2) variable:
 * generalised Gauss-Laguerre. Everything averaged grows at most like e^(3 sigma^2), a small power of the
 * weight's own e^(d sigma^2/2) from d = 8 on, and 48 nodes leave nothing. */
enum { NODES = 48 };

static double average_over_queries(size_t d, double (*f)(double sigma, const void *ctx), const void *ctx) {
    gsl_integration_fixed_workspace *rule =
        gsl_integration_fixed_alloc(gsl_integration_fixed_laguerre, NODES, 0, 1, (double)d / 2 - 1, 0);
    if (!rule)
        return LEM_ERROR_NAN(GSL_ENOMEM, "no memory for a quadrature of %d nodes", NODES);
    const double *x = gsl_integration_fixed_nodes(rule), *w = gsl_integration_fixed_weights(rule);
    double sum = 0, mass = 0;
    for (size_t i = 0; i < NODES; i++) {
        mass += w[i];
        if (w[i] > 0)
            sum += w[i] * f(sqrt(2 * x[i] / (double)d), ctx);
    }
    gsl_integration_fixed_free(rule);
    return sum / mass;
}

static double excess_squares(double sigma, const void *ctx) {
    const double n = *(const double *)ctx;
    return lem_softmax_gaussian_sum_squares(n, sigma) - 1 / n;
}

double budget_pooling_law(size_t n, size_t d) {
    const double tokens = (double)n;
    return average_over_queries(d, excess_squares, &tokens);
}

typedef struct {
    int degree;
    const double *coef;
    double signal; /* see budget_polynomial_law */
    bool normalised;
} polynomial;

/* E x^k of N(0, s^2). */
static double gaussian_moment(int k, double s) {
    double product = k % 2 ? 0 : 1;
    for (int j = 1; j < k; j += 2)
        product *= j * s * s;
    return product;
}

/* E[x^k e^x] = e^(s^2/2) E (x + s^2)^k: by the recurrence of Hermite polynomials. */
static double tilted_moment(int k, double s) {
    double before = 0, now = 1;
    for (int j = 0; j < k; j++) {
        const double next = s * s * (now + j * before);
        before = now;
        now = next;
    }
    return now * exp(s * s / 2);
}

/* signal sigma^2 (1 - E p'/E p)^2 + E[(p/E p - w/E w)^2], the latter E p^2/(E p)^2 - 2 E[p w]/(E p E w) +
 * e^(s^2). */
static double polynomial_error(double s, const void *ctx) {
    const polynomial *p = ctx;
    double mean = 0, slope = 0, square = 0, product = 0;
    for (int a = 0; a <= p->degree; a++) {
        mean += p->coef[a] * gaussian_moment(a, s);
        slope += a ? a * p->coef[a] * gaussian_moment(a - 1, s) : 0;
        product += p->coef[a] * tilted_moment(a, s);
        for (int b = 0; b <= p->degree; b++)
            square += p->coef[a] * p->coef[b] * gaussian_moment(a + b, s);
    }
    const double weight = exp(s * s / 2);
    if (!p->normalised)
        mean = weight;
    const double lost = s * (1 - slope / mean);
    return p->signal * lost * lost + square / (mean * mean) - 2 * product / (mean * weight) + weight * weight;
}

static double pooling_error(double s, const void *ctx) {
    return *(const double *)ctx * s * s + expm1(s * s);
}

double budget_polynomial_law(budget_family family, int degree, const double *coef, bool normalised) {
    const size_t d = budget_width(family);
    const double signal = family == CORRELATED ? 0.5 * TOKENS / (double)d : 0;
    const polynomial p = {degree, coef, signal, normalised};
    return sqrt(average_over_queries(d, polynomial_error, &p) /
                average_over_queries(d, pooling_error, &signal));
}
