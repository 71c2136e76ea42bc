/* What the sections of this study share. */
#ifndef NYS_STUDY_H
#define NYS_STUDY_H

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

int nys_exactness(lem_study *study); /* exactness.c: when N = S, and when not */
int nys_signs(lem_study *study);     /* signs.c: row sums and signs of N */
int nys_iteration(lem_study *study); /* iteration.c: the iteration as a spectral filter */
int nys_singular(lem_study *study);  /* singular.c: what rounding does along a null space */
int nys_steps(lem_study *study);     /* steps.c: error against the number of steps, and Tikhonov */
int nys_landmarks(
    lem_study *study);             /* landmarks.c: error against m: best possible, Nystrom, FAVOR, pooling */
int nys_iid(lem_study *study);     /* iid.c: landmarks of unrelated rows shrink */
int nys_padding(lem_study *study); /* padding.c: padding that is not masked */
int nys_flat(lem_study *study);    /* flat.c: the limit of shrinking landmarks */
int nys_maps(lem_study *study);    /* maps.c: the matrices themselves */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The structured data: correlation lengths in tokens, from unrelated to smooth. */
enum { NYS_N = 512, NYS_D = 32, NYS_LENGTHS = 4 };
extern const double nys_lengths[NYS_LENGTHS];

static const double NYS_RCOND = 1e-13; /* of "exact" pseudo-inverses */
static const double NYS_UNIT = 1.1102230246251565e-16;

/* --- data.c -----------------------------------------------------------------------------------------------
 */

/* Queries, keys (n x d) and exact attention S. */
typedef struct {
    size_t n, d;
    gsl_matrix *q, *k, *s, *other; /* other: n x n to compute in */
    double norm;                   /* ||S||_F */
} nys_data;
nys_data *nys_data_alloc(size_t n, size_t d);
void nys_data_free(nys_data *data);

/* Each column of X an independent stationary AR(1) sequence, rho = exp(-1/length) (0: unrelated rows), of
 * standard deviation 1.2 d^(-1/4). */
int nys_draw_rows(lem_stream *stream, double length, gsl_matrix *x);
/* Q, K and S. */
int nys_draw(lem_stream *stream, double length, nys_data *data);
int nys_exact(nys_data *data); /* S from Q and K */

/* ||S - N||_F / ||S||_F */
int nys_error(const nys_data *data, const gsl_matrix *n, double *error);
/* ... of N = F Z B written out */
struct nys_parts;
int nys_error_of(const nys_data *data, const struct nys_parts *parts, const gsl_matrix *z, double *error);
/* ... of mean pooling, all entries 1/n */
double nys_pooling_error(const nys_data *data);

/* For m landmarks: F, A, B; and what makes errors cheap. With F = Q_F R_F and B^T = Q_B R_B by QR,
 * ||S - F Z B||^2 = rest^2 + ||Q_F^T S Q_B - R_F Z R_B^T||^2 for every Z: the second norm is of m x m. */
typedef struct nys_parts {
    size_t m;
    gsl_matrix *q, *k;                    /* landmarks, m x d */
    gsl_matrix *f, *b, *a, *z;            /* F n x m, B m x n, A and Z m x m */
    gsl_matrix *q_f, *q_b, *half;         /* n x m */
    gsl_matrix *r_f, *r_b, *core, *t, *u; /* m x m */
    double rest;
    double condition;  /* of A */
    double column_sum; /* ||A||_1 */
    gsl_vector *sigma; /* of A */
} nys_parts;
nys_parts *nys_parts_alloc(size_t n, size_t d, size_t m);
void nys_parts_free(nys_parts *parts);
int nys_factor(const nys_data *data, nys_parts *parts);      /* segment means, F, A, B, sigma */
int nys_factor_from(const nys_data *data, nys_parts *parts); /* the same with the landmarks already there */
int nys_compress(const nys_data *data, nys_parts *parts);    /* the QR part */
int nys_quick_error(const nys_data *data, nys_parts *parts, const gsl_matrix *z, double *error);

/* Six steps of the published iteration, or the pseudo-inverse, of A into Z. */
int nys_six(nys_parts *parts);
int nys_inverse(nys_parts *parts);

/* max |row sum - 1| */
double nys_row_sum_deviation(const gsl_matrix *n);
double nys_smallest_entry(const gsl_matrix *n);

/* The median of n values, which are sorted. */
double nys_median(double *values, size_t n);

/* "prefix.<length>" */
const char *nys_key(char *buffer, size_t size, const char *prefix, size_t which_length);

#endif
