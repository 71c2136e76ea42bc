/* Quanta with Zipf's frequencies: what n of them leave unlearned.
 *
 * Quantum k = 1, 2, ... occurs with frequency p_k = k^-s/Z, s = gamma + 1, Z = zeta(s). A learned quantum
 * costs a, an unlearned one b; once the n most frequent are learned the loss is
 *
 *     a + (b - a) L(n),   L(n) = sum_k>n p_k = zeta(s, n + 1)/zeta(s)
 *
 * with Hurwitz's zeta function. n counts quanta; the formulas hold for real n too and interpolate there.
 *
 * Domains: 1e-300 <= gamma <= 1000; n >= 0, finite; a <= b, finite. Outside: NaN and GSL_EDOM; NaN and
 * GSL_EOVRFLW where b - a or an estimate exceeds the range of double. A few machine epsilons of error in
 * gamma's own digits (gamma near 0 is no problem: nothing is computed from gamma + 1), of (b - a) L where a
 * is not 0.
 * Thread-safe. Source: Michaud, Liu, Girit and Tegmark, "The quantization model of neural scaling",
 * arXiv:2303.13506; kexue.fm archive 9607. Claims sl.hurwitz, sl.asymptote, sl.param-exponent,
 * sl.finite-quanta, sl.log-weight. */
#ifndef LEM_SCALING_QUANTA_H
#define LEM_SCALING_QUANTA_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* p_k = k^-s/Z, k >= 1. */
LEM_API double lem_quanta_frequency(double k, double gamma);

/* a + (b - a) L(n); b exactly at n = 0. */
LEM_API double lem_quanta_loss(double n, double gamma, double a, double b);

/* a + (b - a) n^-gamma/(gamma Z), the integral estimate, n > 0: too large by gamma/(2n), relatively. */
LEM_API double lem_quanta_loss_asymptotic(double n, double gamma, double a, double b);

/* a + (b - a) (n + 1/2)^-gamma/(gamma Z), the midpoint rule: too large by gamma (gamma + 1)/(24 (n + 1/2)^2),
 * relatively. */
LEM_API double lem_quanta_loss_midpoint(double n, double gamma, double a, double b);

/* -d log L/d log n = s n zeta(s + 1, n + 1)/zeta(s, n + 1): gamma n/(n + 1/2) (1 + O(n^-2)), 0 at n = 0. */
LEM_API double lem_quanta_local_exponent(double n, double gamma);

/* Of K quanta in all, frequencies k^-s/(1 + ... + K^-s): the share of those beyond n. Whole numbers
 * 0 <= n <= K < 2^53, K >= 1. */
LEM_API double lem_quanta_loss_finite(double n, double K, double gamma);

/* sum_k>n p_k log(1/p_k): an unlearned quantum costs its surprise. In nats. */
LEM_API double lem_quanta_loss_logweight(double n, double gamma);

#ifdef __cplusplus
}
#endif
#endif
