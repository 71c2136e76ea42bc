/* Internal: means of a law of noise as functions of x = log z, tabulated for interpolation.
 *
 *     below(x) = E[1 - e^-u],   one(x) = E[u e^-u],   two(x) = E e^-u E[u^2 e^-u] - E[u e^-u]^2,   u = z W
 *
 * stand divided by z, z and z^2; of noise so small that W stays within 1/2 and 2, E[z (W - 1) e^-u] in the
 * place of the second, so that what the noise does is not lost in what there is without it; from the panel on
 * where below reaches 0.3, 1 - below = E e^-u stands in its place, which has digits where 1 - below has none.
 * On panels of one step S = 11/64 they are interpolated at ROWS = 12 Chebyshev nodes. An ellipse 1.2 high has
 * half axes that add up to 28 half widths; there each of the three is at most its own value at x - 1.1, times
 * cos(1.2)^-2 = 7.6: the error is 4/27 28^-11 times that, 2e-16 7.6. The step is that of the integral over
 * log t, so that a token stands at one place of its panels for all t. */
#ifndef LEM_ATTENTION_NOISE_TABLE_H
#define LEM_ATTENTION_NOISE_TABLE_H

#include "attention/noise_rule.h"

#define LEM_NOISE_STEP 0.171875
enum { LEM_NOISE_ROWS = 12 };

/* Panel j covers [first + j, first + j + 1] steps; row k holds the k-th node of every panel. */
struct lem_noise_table {
    long first;
    long split; /* from this panel on `below` holds 1 - below */
    size_t count;
    double none;                        /* P(W = 0): 1 - below at large x */
    double centre;                      /* 0, or 1: one(x) of W - 1 */
    double node[LEM_NOISE_ROWS];        /* in [-1, 1] */
    double node_weight[LEM_NOISE_ROWS]; /* barycentric */
    double *below, *one, *two;          /* [LEM_NOISE_ROWS * count] */
    double *rough;                      /* [count], -log E e^-u at the first row's node */
};

/* Lagrange's weights of the rows for a place in [-1, 1] within a panel. */
void lem_noise_table_basis(const struct lem_noise_table *table, double place, double *basis);

/* -log E e^-u somewhere in the panel; infinity where that is 0. */
double lem_noise_table_rough(const struct lem_noise_table *table, long panel);

#endif
