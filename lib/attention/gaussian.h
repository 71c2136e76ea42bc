/* Softmax over independent Gaussian logits, exactly for every finite number of them.
 *
 * a = softmax(sigma g_1, ..., sigma g_n), g_j independent N(0, 1). With u = lambda e^(sigma g) and f = E e^-u
 *
 *     E sum_j a_j^2          = n int E[u^2 e^-u] f^(n-1) d(log lambda)
 *     E[-sum_j a_j log a_j]  = -gamma - n int E[u log u e^-u] f^(n-1) d(log lambda)
 *
 * by trapezoidal rules (gaussian.c derives their error, below 1e-17, and keeps a certificate: the integral
 * n int E[u e^-u] f^(n-1) d(log lambda), computed along, must be 1 up to 1e-11, else the result is NaN and
 * GSL_EFAILED). What remains is rounding, a few units of 1e-16 of 1 and of log n.
 *
 * Other means follow from these two by Gaussian integration by parts: E sum a_j g_j = sigma (1 - E sum a^2),
 * E log sum_j e^(sigma g_j) = E H + sigma^2 (1 - E sum a^2). They and their relatives for other laws of
 * the logits: quenched.h.
 *
 * n >= 1, a whole number, <= 1e300; 0 <= sigma <= 1000. Else NaN and GSL_EDOM. Milliseconds, at most
 * half a second at sigma = 1000 and n = 1e300. Thread-safe. Source: claim lin.entropy-softmax; the two
 * limits are those of the random energy model, Derrida 1981, Phys. Rev. B 24, 2613. */
#ifndef LEM_ATTENTION_GAUSSIAN_H
#define LEM_ATTENTION_GAUSSIAN_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* E sum_j a_j^2, between 1/n and 1. */
LEM_API double lem_softmax_gaussian_sum_squares(double n, double sigma);

/* E[-sum_j a_j log a_j] in nats, between 0 and log n. */
LEM_API double lem_softmax_gaussian_entropy(double n, double sigma);

#ifdef __cplusplus
}
#endif
#endif
