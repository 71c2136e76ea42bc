/* Internal: the outer integral over y = log t of quenched softmax quantities, a trapezoidal rule whose step
 * gaussian.c derives (the bound there holds for any law of the scores). */
#ifndef LEM_ATTENTION_QUENCHED_TOTAL_H
#define LEM_ATTENTION_QUENCHED_TOTAL_H

#include "attention/quenched.h"

/* The step in y, 11/64: its multiples are exact. */
#define LEM_QUENCHED_STEP 0.171875

/* Means over one score at one t, u = t e^(alpha s). */
typedef struct {
    double below;           /* n E[1 - e^-u] */
    double one, score, log; /* n E[u e^-u], n E[s u e^-u], n E[u log u e^-u] */
    double square;          /* n E[v^2 u e^-u], v = s or log u */
    double two;             /* n^2 E[u^2 e^-u] */
} lem_quenched_means;

/* A compensated sum (Neumaier): at alpha = 1000 there are 1e5 terms. */
typedef struct {
    double sum, lost;
} lem_neumaier;

typedef struct {
    double n;
    int square_of_log; /* which v */
    lem_neumaier one, two, entropy, score, distinct, variance;
} lem_quenched_total;

/* phi^(n-k), phi = 1 - below/n. */
double lem_quenched_power(double n, double below, double k);

/* Add the term at one y; returns that of the normalisation. */
double lem_quenched_add(lem_quenched_total *total, const lem_quenched_means *m);

/* The results, times the step. */
void lem_quenched_finish(const lem_quenched_total *total, double alpha, lem_quenched *out);

/* The Gaussian law; arguments checked, n > 1, alpha > 0. GSL_EFAILED when the certificate is off. */
int lem_quenched_gaussian(double n, double alpha, lem_quenched *out);

#endif
