/* A model of cost: when random-feature attention pays. */
#ifndef LEM_ATTENTION_LAYER_SPEEDUP_H
#define LEM_ATTENTION_LAYER_SPEEDUP_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* (n + 6D)/(2m + 6D): operations of a Transformer layer with softmax attention over one with m positive
 * projections, n tokens, D model dimensions. Attention 4 n^2 D against 8 n m D (projecting q and k, K' V, Q'
 * times that), projections 8 n D^2 and feed-forward 16 n D^2 in both; attention alone (D = 0) breaks even at
 * n = 2m. n, m >= 1, D >= 0, whole numbers; else NaN and GSL_EDOM. Thread-safe. Source: claim
 * perf.crossover. */
LEM_API double lem_layer_speedup(double n, double D, double m);

#ifdef __cplusplus
}
#endif
#endif
