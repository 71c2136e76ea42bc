/* One relevant key among many: how much of the attention it gets. */
#ifndef LEM_ATTENTION_PLANTED_H
#define LEM_ATTENTION_PLANTED_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The softmax weight of a key whose score stands `gap` above the n - 1 others, which are equal, at inverse
 * temperature `scale`: 1/(1 + (n - 1) exp(-scale gap)). It stays what it is as n grows when scale gap = log(n
 * - 1) + constant.
 *
 * n >= 1 (any real number), gap and scale finite; else NaN and GSL_EDOM. Relative error: a few epsilons, down
 * to the smallest normal number. Thread-safe. Source: claim entinv.planted; Chiang and
 * Cholak, arXiv 2202.12172. */
LEM_API double lem_planted_probability(double n, double gap, double scale);

/* The same for n - 1 others whose scores are independent N(0, 1): the mean over their draws, to second order
 * in the fluctuations of the sum of exp(scale score),
 *     p0 + p0 (1 - p0)^2 (exp(scale^2) - 1)/(n - 1),   p0 = 1/(1 + (n - 1) exp(scale^2/2 - scale gap)).
 *
 * Good while scale is well below sqrt(2 log n), where that sum is near its mean: within 1e-4 at n = 512,
 * scale = 1, gap = 7. Refused from where the sum fluctuates by its mean, and the second order may exceed the
 * first: n >= 2, scale^2 <= log n, gap finite; else NaN and GSL_EDOM. Thread-safe. Source: claim
 * entinv.planted. */
LEM_API double lem_planted_probability_gauss(double n, double gap, double scale);

#ifdef __cplusplus
}
#endif
#endif
