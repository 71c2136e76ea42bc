/* Sums over all quanta of a smooth function of their frequency. Internal.
 *
 * sum_k>=1 f(k) = sum_k<K f(k) + f(K)/2 + int_K^inf f(k) dk - sum_j B_2j/(2j)! f^(2j-1)(K) + rest: the terms
 * below K one by one, then Euler and Maclaurin with derivatives from a Taylor series at K. K is where s (x +
 * tau) + 24 <= K, x = D p_K: f is made of powers of k and of x, so each of its first 24 derivatives is at
 * most about the last one, and twelve corrections leave (2 pi)^-24 < 1e-19 of f(K). The integrals over [K,
 * inf) are closed forms, the caller's. There is no series of alternating terms, hence no limit on D; and few
 * terms even for large D, because quanta with x > 2 tau + 1600 are certain to be learned: at most s (3 tau +
 * 1600) + 24. */
#ifndef LEM_SCALING_QUANTA_SUM_H
#define LEM_SCALING_QUANTA_SUM_H

#include <stdbool.h>

/* A law of the count of a quantum in D samples: Poisson(D p), or binomial(D, p). */
typedef struct {
    double D, tau, gamma;
    double zeta; /* Z */
    double rest; /* 1 - p_1 */
    bool binomial;
} lem_quanta_law;

lem_quanta_law lem_quanta_law_of(double D, double tau, double gamma, bool binomial);
double lem_quanta_p(const lem_quanta_law *law, double k);                 /* p_k */
double lem_quanta_below(const lem_quanta_law *law, double p, bool below); /* P(count < tau), or 1 - that */

/* What is summed over k: p Q, the loss; P = 1 - Q, the number learned; p^2 P Q, the variance. */
typedef enum { LEM_SUM_LOSS, LEM_SUM_LEARNED, LEM_SUM_VARIANCE } lem_quanta_summand;

/* The first K with s (D p_K + tau) + 24 <= K. */
double lem_quanta_switch(const lem_quanta_law *law);

/* sum of f(k) over k = 1, ..., K - 1. */
double lem_quanta_head(const lem_quanta_law *law, lem_quanta_summand summand, double K);

/* sum of f(k) over k >= K, for K >= lem_quanta_switch(law); `integral` is that of f over [K, inf). */
double lem_quanta_tail(const lem_quanta_law *law, lem_quanta_summand summand, double K, double integral);

#endif
