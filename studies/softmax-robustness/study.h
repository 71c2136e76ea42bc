/* What the sections of this study share. */
#ifndef SROB_STUDY_H
#define SROB_STUDY_H

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

int srob_factor(lem_study *study);  /* factor.c: the noise factor of each law */
int srob_exact(lem_study *study);   /* exact.c: the exact integrals, by other routes; two tokens */
int srob_rate(lem_study *study);    /* rate.c: the law to leading order, where it holds and where not */
int srob_ends(lem_study *study);    /* ends.c: from uniform to one-hot attention */
int srob_tails(lem_study *study);   /* tails.c: what the tail of the noise decides */
int srob_map(lem_study *study);     /* map.c: the attention map, dependent noise, ensembles */
int srob_bounded(lem_study *study); /* bounded.c: any noise of bounded size */
int srob_floor_section(
    lem_study *study); /* floor.c: the least entropy of bounded scores, and initialisation */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ARTICLE "kexue.fm 9593"
#define OURS "our addition to kexue.fm 9593"

/* --- measure.c --- */

/* Workspaces of the Monte Carlo runs: an arena of doubles, whose size stands first in the context. */
void *srob_workspace_alloc(const void *ctx);

/* p = softmax(sharp s), s standard normal; v = tilt s + sqrt(1 - tilt^2) z, z standard normal: a share tilt^2
 * of the values' variance goes with the scores. */
int srob_tokens(lem_stream *stream, size_t n, double sharp, double tilt, double *p, double *v);
double srob_mean(size_t n, const double *p, const double *v); /* sum p v */

/* One draw of the noise: w = e^noise up to a factor, not all 0 (dropout that leaves nothing is drawn anew).
 * Returns the change of the output and, unless null, sum q^2. */
int srob_noisy(lem_stream *stream, lem_noise noise, size_t n, const double *p, const double *v, double *w,
               double *change, double *sum_squares);

/* Softmax of scores that come in blocks and are forgotten: sums over e^(x - most), `most` the largest so far.
 */
typedef struct {
    double most, sum, squares, score, value; /* of e, e^2, e (x - most), e v */
} srob_running;
enum { SROB_BLOCK = 512 };
#define SROB_NOTHING_YET                                                                                     \
    { -INFINITY, 0, 0, 0, 0 }
void srob_run_on(srob_running *r, size_t n, const double *x, const double *v); /* v may be null */
double srob_output(const srob_running *r);                                     /* sum q v */
double srob_sum_squares(const srob_running *r);                                /* sum q^2 */
double srob_entropy(const srob_running *r);                                    /* nats */

/* The sample size at which a mean that is off by effect, of data with this standard deviation, is rejected
 * with probability >= 1 - 1e-6 by a check of level 1e-6 shared by `points` points; twice what the normal law
 * says, for Student's t and the skewness of squares. */
double srob_floor(double effect, double sd, int points);

/* A key "prefix-number", the number without trailing zeros. */
typedef struct {
    char text[64];
} srob_key;
srob_key srob_name(const char *prefix, double number);

#endif
