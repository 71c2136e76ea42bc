/* Hurwitz's zeta function of exponents above 1, scaled by what its integral is, so that nothing over- or
 * underflows: g q^g zeta(1 + g, q) lies between 1 and 1 + g/q. Internal.
 *
 * The exponent is s = 1 + g, and g is what is passed: near s = 1 everything depends on g, of which 1 + g
 * keeps few digits. Direct terms up to Q = 14 + 1.5 s, then Euler-Maclaurin with ten corrections, whose rest
 * is below 2 (s + 19)!/(s! (2 pi Q)^20) < 1e-19 of the whole; terms of one sign, so that a few epsilons are
 * lost. Why not gsl_sf_hzeta: it takes s, and underflows where the quotient of two values does not. */
#ifndef LEM_SCALING_ZETA_H
#define LEM_SCALING_ZETA_H

/* g q^g zeta(s, q) = g/q sum_j>=0 (1 + j/q)^-s; g > 0, q >= 1. */
double lem_zeta_scaled(double g, double q);

/* g q^g sum_j>=0 log(q + j) (q + j)^-s = -g q^g d/ds zeta(s, q); q >= 2. About log q + 1/g. */
double lem_zeta_log_scaled(double g, double q);

/* q^s sum of k^-s over k = q, ..., r - 1, whole numbers 1 <= q <= r: no difference of two zetas. */
double lem_zeta_between(double g, double q, double r);

/* B_2j/(2j)!, j = 1 .. LEM_BERNOULLI_TERMS: the corrections of Euler and Maclaurin. */
enum { LEM_BERNOULLI_TERMS = 12 };
extern const double lem_bernoulli_ratio[LEM_BERNOULLI_TERMS];

#endif
