/* What the sections of this study share. */
#ifndef SL_STUDY_H
#define SL_STUDY_H

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

int sl_capacity(lem_study *study);     /* capacity.c: room for n quanta */
int sl_samples(lem_study *study);      /* samples.c: D samples, expected losses and their closed forms */
int sl_simulation(lem_study *study);   /* simulation.c: the sampling itself */
int sl_emergence(lem_study *study);    /* emergence.c: one task; many passes over the same data */
int sl_budget(lem_study *study);       /* budget.c: quanta and samples at a fixed product */
int sl_alternatives(lem_study *study); /* alternatives.c: other frequencies, another cost */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ARTICLE "kexue.fm 9607"
#define MICHAUD "Michaud et al., arXiv 2303.13506"

/* A setting of the data law. */
typedef struct {
    double gamma, tau;
} sl_law;

/* --- measure.c ---------------------------------------------------------------------------------------------
 */

/* n numbers from low to high, equal steps of the logarithm. */
void sl_log_grid(double low, double high, size_t n, double *out);

/* The loss of the article's cut, real n = (D/(tau Z))^(1/s) in n^-gamma/(gamma Z). */
double sl_smooth_cut(double D, sl_law law);

/* Least squares slope of y against x. */
double sl_slope(size_t n, const double *x, const double *y);

/* How often each quantum was drawn. Up to SL_NEAR they are counted in place, the rest are listed. */
enum { SL_NEAR = 16384, SL_BLOCK = 1024 };
typedef struct {
    double gamma;
    double p[SL_NEAR + 1]; /* p[k] */
    uint32_t count[SL_NEAR + 1];
    double *far; /* sorted by sl_tally_loss */
    size_t n_far, room;
    double draws[SL_BLOCK];
} sl_tally;

/* For up to `room` samples; NULL on failure. */
sl_tally *sl_tally_alloc(double gamma, size_t room);
void sl_tally_free(void *tally);
void sl_tally_clear(sl_tally *tally);
int sl_tally_draw(sl_tally *tally, lem_stream *stream, size_t samples);

/* The share of frequency that is unlearned when a quantum needs passes * count >= tau, and how many are
 * learned.
 */
double sl_tally_loss(sl_tally *tally, uint32_t passes, uint32_t tau, double *learned);

#endif
