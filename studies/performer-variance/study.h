/* What the sections of this study share. */
#ifndef PERF_STUDY_H
#define PERF_STUDY_H

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

int perf_kernel(lem_study *study);     /* kernel.c: one kernel value by independent projections */
int perf_blowup(lem_study *study);     /* blowup.c: what a sample can see of a heavy tail; OPRF */
int perf_orthogonal(lem_study *study); /* orthogonal.c: orthogonal and simplex blocks */
int perf_radius(lem_study *study);     /* radius.c: stratified and frozen lengths */
int perf_attention(lem_study *study);  /* attention.c: signs, errors and costs of attention outputs */
int perf_shifts(lem_study *study);     /* shifts.c: stabilisers, floors, and invariances */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- measure.c ---------------------------------------------------------------------------------------------
 */

/* Workspaces of the Monte Carlo runs are plain arrays of doubles; a context begins with their length. */
void *perf_workspace_alloc(const void *ctx);

/* Estimates of one kernel value, relative to it, by P projections: with x = omega . z/|z| and t = |z|^2
 *     positive exp(sqrt(t) x - t/2), hyperbolic cosh(sqrt(t) x) exp(-t/2), trig cos(sqrt(t) x) exp(t/2)
 * where z = q + k, for trig q - k: t is their delta. */
typedef struct {
    lem_rf_kind kind;
    double t;
} perf_point;

/* E f = 1; E f^2, E f^3, E f^4 of one projection. */
void perf_raw_moments(perf_point point, double m[5]);
double perf_variance(perf_point point); /* exact, of one projection */

/* How the P projections are drawn: directions, then lengths in their place. */
typedef enum { PERF_IID, PERF_ORTHOGONAL, PERF_SIMPLEX, PERF_HOUSEHOLDER } perf_directions;
typedef enum { PERF_CHI, PERF_ARTICLE, PERF_JITTER, PERF_FROZEN } perf_lengths;

enum { PERF_MAX_POINTS = 12 };
typedef struct {
    size_t doubles; /* set by perf_blocks */
    size_t d, P, n_points;
    perf_directions directions; /* PERF_HOUSEHOLDER: rows of Q as LAPACK leaves it, not Haar */
    perf_lengths lengths;
    perf_point points[PERF_MAX_POINTS];
} perf_block;
/* One moment accumulator for each point: of the mean of P relative estimates. */
int perf_blocks(lem_study *study, const char *purpose, perf_block block, size_t samples,
                lem_moments *moments);

/* Phi(x) = 0F1(;d/2; x/4). */
double perf_sphere(double d, double x);

/* x of least f in [low, high], within width. */
double perf_minimum(double (*f)(double x, const void *ctx), const void *ctx, double low, double high,
                    double width);
/* A sign change of f in [low, high], within width. */
double perf_root(double (*f)(double x, const void *ctx), const void *ctx, double low, double high,
                 double width);

/* Entries N(0, sd^2). */
int perf_normals(lem_stream *stream, double sd, gsl_matrix *m);

/* --- data.c: a problem of attention, and what random features make of it -----------------------------------
 */

/* Q, K, V n x d, O = exact softmax attention. */
typedef struct {
    size_t n, d;
    gsl_matrix *q, *k, *v, *o;
} perf_data;
/* q and k: N(0, sd^2) plus one vector N(0, mean_sd^2) each, common to all rows; v: N(0, 1). */
int perf_data_alloc(size_t n, size_t d, perf_data *data);
int perf_data_draw(perf_data *data, lem_stream *stream, double sd, double mean_sd);
int perf_data_attend(perf_data *data); /* O from Q, K and V */
void perf_data_free(perf_data *data);

/* (1/n) sum_i |a_i - b_i|^2 */
double perf_row_error(const gsl_matrix *a, const gsl_matrix *b);
/* The error of plain averaging: every output the mean of V. */
double perf_pooling_error(const perf_data *data);
/* (1/n) sum_i lem_favor_delta_mse: P times the error for many independent projections; NaN on error. */
double perf_predicted(const perf_data *data, lem_rf_kind kind, double a);
/* max and mean over pairs of t = |q + k|^2 */
double perf_largest_t(const perf_data *data);
double perf_mean_t(const perf_data *data);

/* Moments over redraws of W of the row error, times `factor`. */
typedef struct {
    size_t doubles; /* set by perf_errors */
    const perf_data *data;
    lem_projections_kind projections;
    lem_rf_kind kind;
    double a, factor;
    size_t P;
} perf_errors_ctx;
int perf_errors(lem_study *study, const char *purpose, perf_errors_ctx ctx, size_t samples,
                lem_moments *moments);

#endif
