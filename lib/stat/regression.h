/* Power laws by weighted log-log regression. */
#ifndef LEM_STAT_REGRESSION_H
#define LEM_STAT_REGRESSION_H

#include "stat/interval.h"

#ifdef __cplusplus
extern "C" {
#endif

/* y = factor x^exponent. The standard errors come from the scatter about the line (chisq / df times the
 * formal ones); the formal ones hold when the errors given are right. */
typedef struct {
    double exponent, exponent_stderr, exponent_stderr_formal;
    double log_factor, log_factor_stderr, log_factor_stderr_formal; /* natural logarithm */
    double chisq, df; /* sum of squared residuals of log y in units of their errors; n - 2 */
    double tail;      /* P(chi-square(df) > chisq), the fit's own test; NaN without stderrs */
} lem_power_law;

/* Least squares of log y against log x with weights (y / stderr)^2: stderrs of y, carried to log y to first
 * order. stderrs NULL: equal weights (relative errors alike). n >= 3; x, y and stderrs finite and > 0; x not
 * all equal; else GSL_EINVAL and *fit left as it was. Thread-safe. */
LEM_API int lem_fit_power_law(size_t n, const double *x, const double *y, const double *stderrs,
                              lem_power_law *fit);

/* Student's t interval of the exponent, n - 2 degrees of freedom: exact when the errors of log y are normal
 * and independent, with standard deviations in the ratios of stderr / y. */
LEM_API int lem_power_law_interval(const lem_power_law *fit, double alpha, lem_side side, lem_interval *out);

#ifdef __cplusplus
}
#endif
#endif
