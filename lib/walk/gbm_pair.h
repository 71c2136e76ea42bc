/* Internal: the first and second moments of two coupled products of random factors.
 *
 * A scheme for dS = S (mu dt + sg dW) multiplies S by an independent factor at each step. Two schemes driven
 * by one path give factors C and F; what is asked for is how far the products of n of them are apart. The
 * textbook form E F^2n - 2 E (CF)^n + E C^2n loses all digits when the two are close. Here the difference
 * R = F - C is carried itself, and blocks of steps are joined by
 *     C = C1 C2,   R = F1 R2 + R1 C2,
 * whose moments are sums of products of the moments of the parts: n steps by repeated squaring, without a
 * difference of near numbers as long as mu >= 0, and only between terms that differ by the ratio |mu| n h
 * otherwise. */
#ifndef LEM_WALK_GBM_PAIR_H
#define LEM_WALK_GBM_PAIR_H

#include <stdint.h>

typedef struct {
    double c1;  /* E C - 1 */
    double r;   /* E R */
    double vc;  /* Var C */
    double vr;  /* Var R */
    double crc; /* Cov(C, R) */
} lem_gbm_pair;

/* One block after another, independent. */
lem_gbm_pair lem_gbm_pair_join(lem_gbm_pair a, lem_gbm_pair b);

/* n independent copies of one, n >= 0. */
lem_gbm_pair lem_gbm_pair_power(lem_gbm_pair one, uint64_t n);

#endif
