#include "attention/extremes.h"
#include "attention/quenched_total.h"
#include "attention/score_nodes.h"
#include "stat/distribution.h"

#include <gsl/gsl_math.h>
#include <math.h>

/* log of n times the normal density, the product of two large numbers. */
static double log_n_density(double n, double s) {
    return log(n) - s * s / 2 - (M_LN2 + M_LNPI) / 2;
}

/* n int s w W^(n-1) ds or n (n-1) int w^2 W^(n-2) ds, the terms of either summed where they are above 1e-25
 * or so: for s between -9 (n = 1: -12) and the point where n w(s) < 1e-25. */
static double gaussian_integral(double n, int densities) {
    const double typical = sqrt(2 * log(n)), h = LEM_QUENCHED_STEP / fmax(1, typical);
    const double last = ceil((sqrt(2 * (log(n) + 60))) / h);
    double sum = 0;
    for (double k = -ceil(12 / h); k <= last; k++) {
        const double s = h * k, log_w = log_n_density(n, s);
        const double power = (n - densities) * lem_normal_cdf(s, LEM_LOWER_LOG);
        sum += densities == 1 ? s * exp(log_w + power) : exp(2 * log_w + power) * (1 - 1 / n);
    }
    return h * sum;
}

double lem_expected_max_gauss(double n) {
    if (!(n >= 1 && n <= 1e300) || n != floor(n))
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: must be a whole number >= 1 and <= 1e300", n);
    return n == 1 ? 0 : gaussian_integral(n, 1);
}

/* -d log(1 - W)/dv at W = 1 - 1/n, in the variable v of the panels: how fast W^n changes. */
static double steepness(const lem_score_law *law, double n) {
    double low = 0, high = law->kind == LEM_SCORES_COSINE ? M_PI_2 : 1e6;
    const double end = law->kind == LEM_SCORES_UNIFORM ? M_SQRT3 : 1e300;
    const int falling = law->kind == LEM_SCORES_COSINE;
    for (int round = 0; round < 200; round++) {
        const double v = (low + high) / 2, s = falling ? cos(v) : v;
        const double log_tail = s >= end ? -INFINITY : lem_score_log_cdf(law, -s);
        const int tail_too_small = log_tail < -log(n);
        *(tail_too_small == falling ? &low : &high) = v;
    }
    const double s = falling ? cos(high) : low;
    return n * exp(lem_score_log_density(law, s)) * (falling ? sin(high) : 1);
}

double lem_gap_density_at_zero(const lem_score_law *law, double n) {
    if (lem_check_score_law(law))
        return NAN;
    const int bounded = law->kind == LEM_SCORES_UNIFORM || law->kind == LEM_SCORES_COSINE;
    const double most = law->kind == LEM_SCORES_GAUSSIAN ? 1e300 : bounded ? 1e9 : 1e100;
    if (!(n >= 2 && n <= most) || n != floor(n))
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: must be a whole number >= 2 and <= %g", n, most);
    if (law->kind == LEM_SCORES_NODES)
        return LEM_ERROR_NAN(GSL_EINVAL, "law: nodes have no density");
    if (law->kind == LEM_SCORES_GAUSSIAN)
        return gaussian_integral(n, 2);
    if (law->kind == LEM_SCORES_COSINE && law->shape == 2)
        return INFINITY;
    lem_score_nodes nodes;
    if (lem_score_nodes_init(&nodes, law, n, fmax(1, 1.5 * steepness(law, n))))
        return NAN;
    double sum = 0;
    for (size_t i = 0; i < nodes.count; i++) {
        const double s = nodes.values[i];
        sum += n * nodes.weight[i] *
               exp(log(n) + lem_score_log_density(law, s) + (n - 2) * lem_score_log_cdf(law, s));
    }
    lem_score_nodes_free(&nodes);
    return (1 - 1 / n) * sum;
}
