/* Tails of the chi-square law written in the relative deviation, and two gamma-function factors. Internal.
 *
 * Why not libRmath here: pgamma(x, a) sees the rounded x = a (1 + e), which costs a e machine epsilons, and
 * its density loses up to several thousand more (measured against multi-precision: 5400 epsilons at a =
 * 12558). Written in e, the exponent a (log(1+e) - e) carries one rounding and everything else is a slowly
 * varying factor. The tests compare with libRmath and with Arb balls. */
#ifndef LEM_PROJECTION_GAMMA_TAIL_H
#define LEM_PROJECTION_GAMMA_TAIL_H

#include <stdbool.h>

/* mantissa * exp(hi + lo), lo a rounding correction of hi. */
typedef struct {
    double mantissa, hi, lo;
} lem_scaled;

double lem_scaled_value(lem_scaled s);
double lem_scaled_log(lem_scaled s);

/* P(G >= a r) (upper) or P(G <= a r) for G ~ Gamma(a, 1) with r = 1 + e; both are passed, each as accurate as
 * the caller has it. a > 0, r > 0 (r = 0 gives 0 and 1). */
lem_scaled lem_gamma_tail(double a, double e, double r, bool upper);

/* log(1 + e) - e, with r = 1 + e used near e = -1. */
double lem_log1p_minus(double e, double r);

/* a^a e^-a / Gamma(a), a > 0. */
double lem_gamma_peak(double a);

/* log Gamma(a) - [(a - 1/2) log a - a + log(2 pi)/2], a > 0: Stirling's remainder, to a few epsilons
 * (absolute below a = 15, relative above). */
double lem_stirling_remainder(double a);

/* Gamma(a + 1/2) / Gamma(a), a > 0. */
double lem_gamma_half_ratio(double a);

#endif
