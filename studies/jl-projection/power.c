/* Floors: with z_a the normal quantile of the level and z_b = 4.753 that of the power 1 - 1e-6, a falsifier
 * is rejected when its effect exceeds z_a standard errors of its own law plus z_b of the true one. */
#include "stat/distribution.h"
#include "study.h"

static const double LEVEL = 1e-6, MISS = 1e-6;

static double z_level(int points) {
    return lem_normal_quantile(LEVEL / (2 * points), LEM_UPPER);
}

static double z_power(void) {
    return lem_normal_quantile(MISS, LEM_UPPER);
}

/* Student's t of a mean that is off by d standard deviations has, to first order, mean d sqrt(n) and variance
 * 1 + d^2 n/(2(n-1)). */
double jl_floor_mean(double effect, double sd, int points) {
    const double d = effect / sd;
    double n = 8;
    while (d * sqrt(n) < lem_t_quantile(LEVEL / (2 * points), n - 1, LEM_UPPER) +
                             z_power() * sqrt(1 + d * d * n / (2 * (n - 1))))
        n = ceil(1.02 * n);
    return n;
}

double jl_floor_probability(double truth, double claimed, int points) {
    const double spread =
        z_level(points) * sqrt(claimed * (1 - claimed)) + z_power() * sqrt(truth * (1 - truth));
    const double root = spread / fabs(truth - claimed);
    /* the normal approximation of the binomial wants a margin: a fifth more draws */
    return ceil(1.2 * root * root + 50);
}

double jl_floor_variance(double truth, double claimed, double kurtosis, int points) {
    const double root = (z_level(points) + z_power()) * truth * sqrt(kurtosis - 1) / fabs(truth - claimed);
    return ceil(fmax(1.2 * root * root,
                     10000)); /* estimated standard error: a fifth more, and a skew that 10000 draws tame */
}

/* Dvoretzky-Kiefer-Wolfowitz: P(sqrt(N) D > x) <= 2 exp(-2 x^2) = 1e-6 at x = 2.694, for the level and again
 * for the power. */
double jl_floor_ks(double distance) {
    const double x = sqrt(-0.5 * log(LEVEL / 2)) + sqrt(-0.5 * log(MISS / 2));
    return ceil(x * x / (distance * distance));
}

/* The statistic is about noncentral chi-square with k - 1 degrees of freedom and parameter N d; its normal
 * approximation has mean k - 1 + N d and variance 2 (k - 1 + 2 N d). */
double jl_floor_counts(size_t cells, const double *truth, const double *claimed) {
    double d = 0;
    for (size_t i = 0; i < cells; i++)
        if (claimed[i] > 0)
            d += (truth[i] - claimed[i]) * (truth[i] - claimed[i]) / claimed[i];
    const double df = (double)cells - 1, critical = lem_chisq_quantile(LEVEL, df, LEM_UPPER);
    double lambda = critical;
    while (df + lambda - z_power() * sqrt(2 * (df + 2 * lambda)) < critical)
        lambda *= 1.02;
    return ceil(fmax(1.1 * lambda / d, 20 * (double)cells)); /* 20 draws a cell for the chi-square limit */
}
