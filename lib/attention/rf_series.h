/* Internal: the power series behind random features; arguments are not checked.
 *
 * d >= 1 (real), 0 <= t <= LEM_RF_MOST. Unless said otherwise all terms of a series have one sign, so that
 * its relative error is that of its terms: K terms are kept, each wrong by at most 4 k + 2 units of rounding
 * (the recurrence), and what is cut off is below one unit. */
#ifndef LEM_ATTENTION_RF_SERIES_H
#define LEM_ATTENTION_RF_SERIES_H

/* exp(LEM_RF_MOST) is within the range of double, with room for a factor. */
#define LEM_RF_MOST 700.0

/* 0F1(;d/2; x/4) - 1 = E exp(u . v) - 1, u uniform on the unit sphere, |v|^2 = x >= 0, sqrt(x) <=
 * LEM_RF_MOST.
 */
double lem_sphere_moment_m1(double d, double x);

/* 0F1(;d/2; d t/4) - exp(t/2) = sum_k>=2 (t/2)^k/k! [prod_j<k d/(d + 2j) - 1] <= 0: the sphere of radius
 * sqrt(d) beside the Gaussian. */
double lem_frozen_radius_gap(double d, double t);

/* 1F1(d; d/2; t/2). */
double lem_pair_series(double d, double t);

/* 1F1(d; d/2; t/2) - exp(t) = sum_k>=2 t^k/k! [prod_j<k (d + j)/(d + 2j) - 1] <= 0. */
double lem_pair_gap(double d, double t);

/* 1F1(d; d/2; -t/2) = value exp(-t/2) and the same minus exp(-t) = gap exp(-t/2), both within error
 * exp(-t/2), from Kummer's alternating series in double-double arithmetic (t > 1), or (t <= 1) the gap from
 * its own series. */
typedef struct {
    double value, gap, error;
} lem_pair_oscillating;
lem_pair_oscillating lem_pair_alternating(double d, double t);

#endif
