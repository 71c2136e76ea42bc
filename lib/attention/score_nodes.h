/* Internal: score laws as nodes and weights, and as densities. */
#ifndef LEM_ATTENTION_SCORE_NODES_H
#define LEM_ATTENTION_SCORE_NODES_H

#include "attention/score_law.h"

/* GSL_EFAULT, GSL_EDOM, GSL_EINVAL with the field named. */
int lem_check_score_law(const lem_score_law *law);

typedef struct {
    size_t count;
    double *memory; /* NULL when the arrays are the caller's */
    const double *values, *weight;
} lem_score_nodes;

/* A rule for E f(s), f(s) = g(y + alpha s) with g analytic in the strip of half width pi/2, whatever y: Gauss
 * panels of sixteen nodes so narrow that f and the density grow by no more than e^4 or so on their ellipses
 * of half axes that add up to 4 half widths: relative error below (64/15) e^4 4^-32 = 1e-17. Reaches out
 * until n times the omitted mass is below 1e-20 (Student: 2e-9, whose tail is a power). Values ascending,
 * weights positive. Not for the Gaussian law, which has its own rule (gaussian.c). GSL_EDOM when more than
 * 2^19 panels would be needed, GSL_ENOMEM. */
int lem_score_nodes_init(lem_score_nodes *nodes, const lem_score_law *law, double n, double alpha);
void lem_score_nodes_free(lem_score_nodes *nodes);

/* Logarithm of the density, and of the distribution function; of the continuous laws. */
double lem_score_log_density(const lem_score_law *law, double s);
double lem_score_log_cdf(const lem_score_law *law, double s);

#endif
