/* What the sections of this study share. */
#ifndef ASCALE_STUDY_H
#define ASCALE_STUDY_H

#include "lemmata.h"
#include "study/study.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

int ascale_matrix(lem_study *study);      /* matrix.c: the Jacobian, its norms, and what becomes of them */
int ascale_annealed(lem_study *study);    /* annealed.c: the article's optimum and its fits */
int ascale_exact(lem_study *study);       /* exact.c: finite n, exactly; against samples */
int ascale_limits(lem_study *study);      /* limits.c: alpha -> infinity, n -> infinity */
int ascale_cosine(lem_study *study);      /* cosine.c: cosines in few dimensions */
int ascale_typical(lem_study *study);     /* typical.c: optima of single draws and of geometric means */
int ascale_norm_optima(lem_study *study); /* norm_optima.c: geometric means of the other norms */
int ascale_tails(lem_study *study);       /* tails.c: other laws of the scores */

int ascale_peak(lem_study *study); /* peak.c: the figure of the peak that is not there */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- measure.c ---------------------------------------------------------------------------------------------
 */

/* Exact means; an error has been reported when this is not 0. */
int ascale_gauss(double n, double alpha, lem_quenched *out);
int ascale_cosines(double n, double alpha, double d, lem_quenched *out);
int ascale_law(lem_score_kind kind, double shape, double n, double alpha, lem_quenched *out);

/* sqrt(2 log n), where Gaussian weights freeze. */
double ascale_freezing(double n);

/* The alpha at which annealed weights of cosines would have no entropy left: D_d(alpha) = log n. */
double ascale_freezing_cosine(double n, double d);

/* x of largest f in [low, high], by golden sections of log x, within a relative 1e-9. */
double ascale_maximum(double (*f)(double x, const void *ctx), const void *ctx, double low, double high);

/* Workspaces of the Monte Carlo runs are arrays of doubles; a context begins with their length. */
void *ascale_workspace_alloc(const void *ctx);

/* Points low, low r, ..., high, equally spaced in logarithms. */
void ascale_grid(size_t count, double low, double high, double *x);

/* --- optimum.c ---------------------------------------------------------------------------------------------
 */

enum { ASCALE_ALPHAS = 13 };

/* The k-th scale, a multiple of the freezing point, 0 <= k < ASCALE_ALPHAS. */
double ascale_multiple(double low, double high, size_t k);

/* records[i * stride + k]: of row i at scale k. */
typedef struct {
    const double *records;
    size_t stride, rows;
    double freezing, low, high;
} ascale_search;

typedef struct {
    double optimum, standard_error, freezing;
    size_t rows, blocks;
} ascale_located;

/* The optimum, and its standard error from leaving out one block of rows after the other. */
int ascale_locate(const ascale_search *search, ascale_located *out);

#endif
