/* Gamma(a + c)/Gamma(a) without a difference of two large logarithms. Internal. */
#ifndef LEM_SCALING_GAMMA_RATIO_H
#define LEM_SCALING_GAMMA_RATIO_H

/* Gamma(a + c)/(Gamma(a) a^c), a > 0, -1 < c <= 1, a + c > 0; tends to 1 as a grows. By recursion up to a =
 * 16, there from Stirling's series, whose logarithm is small: a few epsilons. */
double lem_gamma_ratio(double a, double c);

/* The regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 - P, a > 0, 0 <= x <= inf. */
double lem_gamma_below(double a, double x); /* P */
double lem_gamma_above(double a, double x); /* Q */

#endif
