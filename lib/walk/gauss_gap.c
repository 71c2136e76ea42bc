#include "walk/gauss_gap.h"
#include "attention/quadrature.h"
#include "stat/distribution.h"

#include <math.h>

static const double root_two_pi = 2.5066282746310005;

double lem_gauss_density(double x) {
    const double square = x * x, rest = fma(x, x, -square);
    if (square > 1500) /* exp(-750) is less than the least double; and square may be infinite */
        return 0;
    return exp(-square / 2) * (1 - rest / 2) / root_two_pi;
}

/* Beyond 30 the asymptotic series; its tenth term is below 1e-17 there. */
static double mills_series(double y) {
    const double w = 1 / (y * y);
    double term = 1, sum = 1;
    for (int k = 1; k <= 9; k++)
        sum += term *= -(2 * k - 1) * w;
    return sum / y;
}

double lem_mills_ratio(double y) {
    return y > 30 ? mills_series(y) : lem_normal_cdf(y, LEM_UPPER) / lem_gauss_density(y);
}

typedef struct {
    double d, k;
} gap;

/* Right of 0 the density itself; left of it the factor phi(d) is taken out, which underflows or rounds. */
static double integrand(double u, const void *ctx) {
    const gap *g = ctx;
    const double exponent = g->d > 0 ? -(u - g->d) * (u - g->d) / 2 : u * (g->d - u / 2);
    return exp(exponent) * fabs(expm1(g->k * u));
}

/* The integrand is at most a normal density around c = d + max(k, 0), times a constant: it is cut where that
 * has fallen by exp(-45) from its largest value on u >= 0. A panel is then less than two standard deviations
 * wide, or falls by less than five e-folds: with rho = 8 in the bound of quadrature.h the error of one is
 * below 1e-20 of the largest value. */
static double integral(double d, double k) {
    const gap g = {d, k};
    const double c = d + fmax(k, 0), reach = 9.5;
    const double lower = fmax(0, c - reach), upper = c > 0 ? c + reach : 90 / (sqrt(c * c + 90) - c);
    return lem_panel_integral(integrand, &g, lower, upper, 12);
}

double lem_gauss_gap_scaled(double d, double k) {
    return integral(d, k);
}

/* With d and d + k so large that both Phi are 1, the difference is that of the exponentials alone, and no
 * panel could resolve a peak that far out. */
static const double CERTAIN = 9.5; /* 1 - Phi = 1e-21 */

double lem_gauss_gap(double d, double k) {
    if (d > CERTAIN && d + k > CERTAIN)
        return fabs(expm1(k * (d + k / 2)));
    return d > 0 ? integral(d, k) / root_two_pi : integral(d, k) * lem_gauss_density(d);
}
