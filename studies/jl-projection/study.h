/* What the sections of this study share. */
#ifndef JL_STUDY_H
#define JL_STUDY_H

/* element access of matrices without a function call and a range check: pairs of images are many */
#define HAVE_INLINE
#define GSL_RANGE_CHECK_OFF

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

int jl_norms(lem_study *study);     /* norms.c: one vector */
int jl_distances(lem_study *study); /* distances.c: all pairs of a set */
int jl_families(lem_study *study);  /* families.c: other matrices than the Gaussian */
int jl_angles(lem_study *study);    /* angles.c: inner products and angles */
int jl_signs(lem_study *study);     /* signs.c: sign hashing and the estimators of a cosine */
int jl_rsvd(lem_study *study);      /* rsvd.c: sketches of a matrix */
int jl_entropy(lem_study *study);   /* entropy.c: the entropy rule of embedding size */
int jl_freezing(lem_study *study);  /* freezing.c: where its annealed entropy stops being the entropy */
int jl_images(lem_study *study);    /* images.c: Fashion-MNIST */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const double GOLDEN = 1.618033988749894848;
#define LOG_GOLDEN 0.4812118250596034475

/* --- measure.c: the recurring measurements ----------------------------------------------------------------
 */

/* Workspaces of the Monte Carlo runs are plain arrays of doubles; a context begins with their length. */
void *jl_workspace_alloc(const void *ctx);

/* Random pairs: g, h independent N(0, I_n); x = g, y = rho g + sqrt(1 - rho^2) h. This is (sqrt(n) A u,
 * sqrt(n) A v) for a Gaussian A and unit vectors with <u, v> = rho. Per rho two moments, of <x, y>/n and of
 * cos(x, y); and three counts, of |<x, x>/n - 1| >= eps, |<x, y>/n - rho| >= eps and <x, y>/n - rho >= eps.
 */
enum { JL_MAX_RHO = 24, JL_PAIR_CHUNK = 512 };
typedef struct {
    size_t doubles; /* set by jl_pairs */
    size_t n, n_rho;
    double rho[JL_MAX_RHO], eps;
} jl_pair_ctx;
typedef struct {
    size_t samples;
    lem_moments inner[JL_MAX_RHO], cosine[JL_MAX_RHO];
    uint64_t norm_out, inner_out[JL_MAX_RHO], inner_above[JL_MAX_RHO];
} jl_pairs_result;
int jl_pairs(lem_study *study, const char *purpose, jl_pair_ctx ctx, size_t samples, jl_pairs_result *result);

/* P(| ||Au||^2 - 1 | >= eps) for a Gaussian A. */
double jl_two_sided(double n, double eps);

/* The same for a Haar projection of R^m: ||Au||^2 n/m ~ Beta(n/2, (m - n)/2). */
double jl_haar_two_sided(double m, double n, double eps);

/* Record a measured frequency, with the standard error that the checks of frequencies show: from
 * (count + 1)/(trials + 2), so that it is not 0 for 0 of n. */
int jl_value_rate(lem_study *study, const char *name, uint64_t count, uint64_t trials);

/* --- power.c: sample sizes at which a falsifier is rejected with probability >= 1 - 1e-6 by a check of level
 * 1e-6 shared by `points` points. ------------------------------------ */

/* A mean of normal data of standard deviation sd that is off by effect (Student's t). */
double jl_floor_mean(double effect, double sd, int points);
/* A probability that is truth where the falsifier says claimed. */
double jl_floor_probability(double truth, double claimed, int points);
/* A variance of data with this kurtosis that is truth where the falsifier says claimed. */
double jl_floor_variance(double truth, double claimed, double kurtosis, int points);
/* A distribution function that is off by distance somewhere (Kolmogorov-Smirnov). */
double jl_floor_ks(double distance);
/* Cell probabilities that are truth where the falsifier says claimed (chi-square). */
double jl_floor_counts(size_t cells, const double *truth, const double *claimed);

#endif
