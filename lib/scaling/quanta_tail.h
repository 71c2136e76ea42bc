/* The expected loss of the quanta beyond some k, and the closed form for all. Internal. */
#ifndef LEM_SCALING_QUANTA_TAIL_H
#define LEM_SCALING_QUANTA_TAIL_H

#include "scaling/quanta_sum.h"

/* Z^(-1/s)/gamma Gamma(tau + c)/Gamma(tau) D^-c, or with Gamma(D + 1)/Gamma(D + 1 + c) in the place of D^-c:
 * the integral of p Q over all real k > 0. D > 0 unless binomial. */
double lem_quanta_loss_closed(const lem_quanta_law *law);

/* sum_k>n p_k P(count < tau). n = 0 or n >= lem_quanta_switch(law). D > 0 (binomial: D >= tau). */
double lem_quanta_loss_beyond(const lem_quanta_law *law, double n);

#endif
