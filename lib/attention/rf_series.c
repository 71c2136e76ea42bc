#include "attention/rf_series.h"

#include <float.h>
#include <math.h>

/* Have the terms, whose ratios fall from here on, become too small to count? After a term with ratio q < 1/2
 * to the next, what follows is less than the term. */
static int negligible(double term, double ratio, double sum) {
    return ratio < 0.5 && fabs(term) <= DBL_EPSILON / 4 * fabs(sum);
}

double lem_sphere_moment_m1(double d, double x) {
    double term = 1, sum = 0;
    for (double k = 0;; k++) {
        const double ratio = x / (2 * (d + 2 * k) * (k + 1));
        term *= ratio;
        sum += term;
        if (term == 0 || negligible(term, ratio, sum))
            return sum;
    }
}

double lem_frozen_radius_gap(double d, double t) {
    double power = t / 2, bracket = 0, sum = 0; /* power = (t/2)^k/k!, k = 1 */
    for (double k = 1;; k++) {
        const double ratio = t / (2 * (k + 1));
        bracket = (bracket * d - 2 * k) / (d + 2 * k);
        power *= ratio;
        sum += power * bracket;
        if (power == 0 || negligible(power, ratio, sum))
            return sum;
    }
}

double lem_pair_series(double d, double t) {
    double term = 1, sum = 1;
    for (double k = 0;; k++) {
        const double ratio = (d + k) / (d + 2 * k) * t / (k + 1);
        term *= ratio;
        sum += term;
        if (term == 0 || negligible(term, ratio, sum))
            return sum;
    }
}

/* sum_k>=2 t^k/k! g_k, t of either sign. */
static double pair_gap_series(double d, double t) {
    double power = t, bracket = 0, sum = 0;
    for (double k = 1;; k++) {
        const double ratio = t / (k + 1);
        bracket = (bracket * (d + k) - k) / (d + 2 * k);
        power *= ratio;
        sum += power * bracket;
        if (power == 0 || negligible(power, fabs(ratio), sum))
            return sum;
    }
}

double lem_pair_gap(double d, double t) {
    return pair_gap_series(d, t);
}

/* --- twice the precision: an unevaluated sum of two doubles ------------------------------------------------
 */

typedef struct {
    double high, low;
} twice;

static twice fast_sum(double a, double b) {
    const double sum = a + b;
    return (twice){sum, b - (sum - a)};
}

static twice two_sum(double a, double b) {
    const double sum = a + b, part = sum - a;
    return (twice){sum, (a - (sum - part)) + (b - part)};
}

static twice add(twice a, twice b) {
    const twice s = two_sum(a.high, b.high);
    return fast_sum(s.high, s.low + (a.low + b.low));
}

static twice times(twice a, double b) {
    const double product = a.high * b;
    return fast_sum(product, fma(a.high, b, -product) + a.low * b);
}

static twice over(twice a, double b) {
    const double first = a.high / b;
    const twice rest = add(a, (twice){-first * b, -fma(first, b, -(first * b))});
    return fast_sum(first, (rest.high + rest.low) / b);
}

/* 1F1(-d/2; d/2; t/2). A product or quotient is off by at most 2^-100 (three quarters of the digits of
 * 2^-104, Joldes et al. 2017, doubled), a term by 4 k of these, and each sum by 2^-102 of what it adds. */
static lem_pair_oscillating kummer(double d, double t) {
    twice term = {1, 0}, sum = {1, 0};
    double size = 1, error = 0;
    const double x = t / 2;
    for (double k = 0;; k++) {
        const double up = k - d / 2, down = (d / 2 + k) * (k + 1);
        /* d/2 + k and k + 1 are exact for the d in use; their product is when both are below 2^26 */
        term = over(over(times(times(term, up), x), d / 2 + k), k + 1);
        sum = add(sum, term);
        size += fabs(term.high);
        error += 0x1p-100 * 4 * (k + 1) * fabs(term.high) + 0x1p-102 * fabs(sum.high);
        const double ratio = fabs(up) * x / down;
        if (term.high == 0 || (ratio < 0.5 && fabs(term.high) <= 0x1p-105 * size))
            break;
    }
    error += 0x1p-104 * size;
    /* exp(-t/2) of the gap is a double, off by one unit */
    const double other = exp(-x);
    const twice gap = add(sum, (twice){-other, 0});
    return (lem_pair_oscillating){sum.high + sum.low, gap.high + gap.low, error};
}

lem_pair_oscillating lem_pair_alternating(double d, double t) {
    lem_pair_oscillating result = kummer(d, t);
    if (t <= 1)
        result.gap = pair_gap_series(d, -t) * exp(t / 2);
    return result;
}
