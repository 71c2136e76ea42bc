/* What the sections of this study share. */
#ifndef LIN_STUDY_H
#define LIN_STUDY_H

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

int lin_features(lem_study *study);   /* features.c: how many, and that they reproduce the polynomial */
int lin_errors(lem_study *study);     /* errors.c: the exact errors of Taylor and power */
int lin_positivity(lem_study *study); /* positivity.c: zeros, minima, monotony */
int lin_better(lem_study *study);     /* better.c: Hermite, shifted, minimax, Richardson */
int lin_attention(lem_study *study);  /* attention.c: against random features, as attention */
int lin_rank(lem_study *study);       /* rank.c: ranks of attention matrices, causal and windowed */
int lin_entropy(lem_study *study);    /* entropy.c: how concentrated rows are */
int lin_norms(lem_study *study);      /* norms.c: dropped norms, double softmax */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const double EPS = 2.220446049250313e-16;

/* --- measure.c --- */

/* An array of normals of standard deviation sd. */
int lin_fill(lem_stream *stream, double sd, gsl_matrix *m);

/* Workspaces of the Monte Carlo runs: an arena of doubles, whose size stands first in the context. */
void *lin_workspace_alloc(const void *ctx);
/* rows x columns from it; *used counts the doubles taken. */
gsl_matrix lin_matrix(double *workspace, size_t *used, size_t rows, size_t columns);

/* p(x) and, unless null, the sum of the sizes of its terms. */
double lin_horner(int n, const double *c, double x, double *size);

/* sup over [-R, R] of the relative error |p(x) e^-x - 1| on a grid of 401 points that holds both ends. */
typedef enum {
    LIN_TAYLOR,
    LIN_POWER,
    LIN_RICHARDSON,
    LIN_SHIFTED,
    LIN_CHEBYSHEV,
    LIN_MINIMAX,
    LIN_FAMILIES
} lin_family;
double lin_sup(lin_family family, int n, double R);
/* The smallest degree with lin_sup <= level, looked for up to most by bisection from first on, where the sup
 * falls. */
int lin_degree(lin_family family, double R, double level, int first, int most);

/* The sample size at which a mean that is off by effect, of data with this standard deviation, is rejected
 * with probability >= 1 - 1e-6 by a check of level 1e-6 shared by `points` points; Student's t from few
 * samples is provided for. */
double lin_floor_mean(double effect, double sd, int points);

#endif
