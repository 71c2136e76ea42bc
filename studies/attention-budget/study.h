/* What the files of this study share. */
#ifndef BUDGET_STUDY_H
#define BUDGET_STUDY_H

#define HAVE_INLINE
#define GSL_RANGE_CHECK_OFF

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- data.c: queries, keys and values ----------------------------------------------------------------------
 * Every coordinate of Q and K has variance d^-1/2, so that logits have about unit variance; V has unit
 * variance. */
typedef enum { GAUSSIAN, NARROW, SMOOTH, CLUSTERED, CORRELATED, FAMILIES } budget_family;

enum { TOKENS = 2048, MEASURED_QUERIES = 128, MAX_WIDTH = 32, CLUSTERS = 16, CORRELATION_LENGTH = 128 };

size_t budget_width(budget_family family); /* d: 32, or 8 for NARROW */

/* Fill Q, K, V (TOKENS x d); the keys are centred, which softmax does not see. */
int budget_draw(budget_family family, lem_stream *stream, gsl_matrix *q, gsl_matrix *k, gsl_matrix *v);

/* --- methods.c: what is compared ---------------------------------------------------------------------------
 */
typedef enum {
    IID,
    ORTHOGONAL,
    HYPERBOLIC,
    OPTIMAL,
    TAYLOR,
    HERMITE,
    MINIMAX,
    NYSTROM,
    METHODS
} budget_method;

enum { MAX_SIZES = 7, MAX_DEGREE = 5 };

/* The sizes that a method runs at: projections, degree, or landmarks; 0 beyond the last. */
size_t budget_size(budget_family family, budget_method method, size_t i);

/* Operations (additions and multiplications) for n queries and keys, values as wide as they are. One
 * exponential for each 3 d to 4 d of them is left out everywhere but in the polynomials, which have none. */
double budget_exact_flops(size_t n, size_t d);
double budget_flops(budget_method method, size_t n, size_t d, size_t size);

/* Coefficients of a polynomial method. */
int budget_coefficients(budget_method method, int degree, double *coef);

/* O (rows of the queries `measured`, a part of Q) of one method; NYSTROM computes all rows into `all` and
 * takes every step-th. */
typedef struct {
    const gsl_matrix *q, *k, *v; /* TOKENS x d */
    gsl_matrix *measured;        /* every (TOKENS/MEASURED_QUERIES)-th query */
    gsl_matrix *all;             /* TOKENS x d, scratch */
    gsl_matrix *w;               /* the most projections x d, scratch */
} budget_input;
int budget_attention(budget_method method, size_t size, const budget_input *input, lem_stream *stream,
                     gsl_matrix *o);

/* --- redraw.c: one redraw of data and projections for all methods ------------------------------------------
 */
typedef struct {
    lem_moments pooling;                       /* mean square of (mean of V) - o */
    lem_moments log_error[METHODS][MAX_SIZES]; /* log of rms error over that of the mean of V */
    lem_moments log_gain[METHODS][MAX_SIZES];  /* the same over the best of the random features at half the
                                                * cost  of exact attention, found anew in each redraw */
} budget_result;
int budget_measure(lem_study *study, budget_family family, size_t redraws, budget_result *result);

/* --- law.c: what is known for Gaussian Q and K -------------------------------------------------------------
 */

/* E |mean of V - o|^2 a coordinate for n independent Gaussian keys and unit values, averaged over queries:
 * E sum_j a_j^2 - 1/n, exact for every n. */
double budget_pooling_law(size_t n, size_t d);

/* For many keys, the rms error over that of plain averaging when e^x is replaced by p(x) = sum_m c_m x^m: the
 * root of a quotient of averages over sigma^2 = |q|^2 d^-1/2. With w = e^x, x ~ N(0, sigma^2) the numerator
 * is E[(p/E p - w/E w)^2] + signal sigma^2 (1 - E p'/E p)^2, and p = 1 gives the denominator. The first part
 * is noise, 1/n of a value's variance each; the second is there when half of a value's variance is its key's:
 * then o moves with q, by sqrt(1/2) d^-1/4 q E p'/E p (Stein's lemma), and signal = n/(2 d). normalised =
 * false: E w in place of E p, a falsifier. */
double budget_polynomial_law(budget_family family, int degree, const double *coef, bool normalised);

/* --- count.c: counted arithmetic ---------------------------------------------------------------------------
 */
int budget_count(lem_study *study);

#endif
