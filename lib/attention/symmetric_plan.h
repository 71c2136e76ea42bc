/* Internal: how symmetric features are made, for those who make them row by row. */
#ifndef LEM_ATTENTION_SYMMETRIC_PLAN_H
#define LEM_ATTENTION_SYMMETRIC_PLAN_H

#include <stddef.h>
#include <stdint.h>

enum { LEM_MOST_FEATURE_DEGREE = 170 }; /* 171! exceeds the range of double */

/* A monomial of degree < n: the last of its sorted indices, and how often that one stands in it. */
typedef struct {
    uint32_t last, times;
} lem_monomial;

typedef struct {
    size_t d, r; /* coordinates, features */
    int n;
    double weight[LEM_MOST_FEATURE_DEGREE + 1]; /* sqrt(c_m m!) */
    lem_monomial *parents;                      /* of degree 1..n-1, in the order of the features */
} lem_symmetric_plan;

/* GSL_EFAULT, GSL_EDOM, GSL_EOVRFLW, GSL_ENOMEM as of lem_symmetric_features; to be released after success.
 */
int lem_symmetric_plan_make(size_t d, int n, const double *coef, lem_symmetric_plan *plan);
void lem_symmetric_plan_release(lem_symmetric_plan *plan);

/* The r features of x[0..d-1]. */
void lem_symmetric_expand(const lem_symmetric_plan *plan, const double *x, double *phi);

#endif
