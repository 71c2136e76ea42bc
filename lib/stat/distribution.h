/* Distribution functions and quantiles, from R's stand-alone mathematical library, fenced.
 *
 * Every quantile is checked back: with q the value found, the distribution function must pass the wanted
 * probability between q (1 - 2^-33) and q (1 + 2^-33), up to a relative 2^-33 of the smaller tail's
 * probability. Where libRmath's own value does not close (t with df < 1, F with df2 > 4e5, log p < -600,
 * ...), it is refined by bisection, and when that does not close either (the quantile under- or overflows)
 * the result is NaN and GSL_EFAILED. For the binomial the definition itself is bisected.
 *
 * All functions return NaN after LEM_ERROR: GSL_EDOM for a NaN or a parameter out of its range. x may be
 * infinite. Thread-safe: of libRmath only what keeps no static state is called (pnorm, pt, pgamma, pbeta,
 * their quantiles, dbeta); wilcox, signrank and the r* functions keep some and are not used. libRmath warns
 * by printf on stdout; no argument that is known to make it warn is passed on (see distribution.c), and tests
 * watch. */
#ifndef LEM_STAT_DISTRIBUTION_H
#define LEM_STAT_DISTRIBUTION_H

#include "base/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which probability is meant. Far in a tail ask for that tail: 1 - the other one has no digits left. Natural
 * logarithms reach beyond 1e-308. */
typedef enum {
    LEM_LOWER,     /* P(X <= x) */
    LEM_UPPER,     /* P(X > x) */
    LEM_LOWER_LOG, /* log P(X <= x) */
    LEM_UPPER_LOG  /* log P(X > x) */
} lem_tail;

/* Parameters are finite and > 0; probabilities of quantiles are inside (0, 1), their logarithms below 0. */
LEM_API double lem_normal_cdf(double x, lem_tail tail); /* N(0, 1) */
LEM_API double lem_normal_quantile(double p, lem_tail tail);
LEM_API double lem_t_cdf(double x, double df, lem_tail tail); /* Student */
LEM_API double lem_t_quantile(double p, double df, lem_tail tail);
LEM_API double lem_chisq_cdf(double x, double df, lem_tail tail);
LEM_API double lem_chisq_quantile(double p, double df, lem_tail tail);
LEM_API double lem_f_cdf(double x, double df1, double df2, lem_tail tail); /* (chisq1/df1) / (chisq2/df2) */
LEM_API double lem_f_quantile(double p, double df1, double df2, lem_tail tail);
LEM_API double lem_beta_cdf(double x, double a, double b, lem_tail tail); /* density x^(a-1) (1-x)^(b-1) */
LEM_API double lem_beta_quantile(double p, double a, double b, lem_tail tail);
LEM_API double lem_gamma_cdf(double x, double shape, double scale, lem_tail tail); /* mean shape * scale */
LEM_API double lem_gamma_quantile(double p, double shape, double scale, lem_tail tail);

/* k successes in n <= 2^53 trials, each with probability 0 <= p <= 1. */
LEM_API double lem_binomial_cdf(double k, uint64_t n, double p, lem_tail tail);
/* The smallest k with P(X <= k) >= q (lower) or P(X > k) <= q (upper), as a double; NaN on error. */
LEM_API double lem_binomial_quantile(double q, uint64_t n, double p, lem_tail tail);

#ifdef __cplusplus
}
#endif
#endif
