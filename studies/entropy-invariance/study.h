/* What the sections of this study share. */
#ifndef ENTINV_STUDY_H
#define ENTINV_STUDY_H

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int entinv_meanfield(lem_study *study);  /* meanfield.c: D_d, its rate, what 0.24 is */
int entinv_constant(lem_study *study);   /* constant.c: the scale of constant mean-field entropy */
int entinv_quenched(lem_study *study);   /* quenched.c: exact integrals against samples */
int entinv_validity(lem_study *study);   /* validity.c: mean field beside exact, freezing */
int entinv_invariance(lem_study *study); /* invariance.c: the rules of the article, and the exact one */
int entinv_use(lem_study *study);        /* use.c: what to use */
int entinv_jensen(lem_study *study);     /* jensen.c: log n - lambda (s_max - mean s) */
int entinv_planted(lem_study *study);    /* planted.c: one key that stands out */
int entinv_frozen(lem_study *study);     /* frozen.c: Gaussian scores beyond freezing */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The article's constants: the loss of entropy per dimension and scale, and the length of its calibration. */
#define ARTICLE_RATE 0.24
#define ARTICLE_BASE 512.0

/* lem_value_exact with a key from a format. */
int entinv_value(lem_study *study, double value, int digits, const char *format, ...) LEM_PRINTF(4, 5);

/* log n - D_d(kappa): the mean field of lem_quenched_entropy_sphere. */
double entinv_mean_field(double n, double kappa, double d);

/* Where that is zero: D_d(kappa) = log n. */
double entinv_freezing(double n, double d);

/* --- measure.c --- */

/* E f(cos theta) = sum weight f(cosine) with the weight sin^power of the angle; power = d - 2 is the sphere.
 */
enum { ENTINV_NODES = 400 };
typedef struct {
    size_t count;
    double cosine[ENTINV_NODES], weight[ENTINV_NODES]; /* weights sum to one */
} entinv_rule;
int entinv_rule_init(double d, double power, entinv_rule *rule);

/* Rows of n fresh scores kappa cos(theta_j); for each the moments of the ones below. */
enum {
    ENTINV_ENTROPY,
    ENTINV_LOG_Z,
    ENTINV_SLOPE,
    ENTINV_MOMENTS
}; /* slope: -kappa Var_p(cos theta) = dH/dkappa */
int entinv_rows(lem_study *study, const char *purpose, size_t n, double kappa, double d, size_t rows,
                lem_moments moments[ENTINV_MOMENTS]);

/* use.c: the factor on 1/sqrt(d) that holds the exact mean entropy of n0 keys at n. */
double entinv_exact_scale(double n, double n0, double d);

/* E over n keys: exact entropy, log Z and slope. */
int entinv_exact(double n, double kappa, double d, double exact[ENTINV_MOMENTS]);

#endif
