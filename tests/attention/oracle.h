/* Attention in extended precision, straight from its definition, and what rounding may add in double. */
#ifndef TESTS_ATTENTION_ORACLE_H
#define TESTS_ATTENTION_ORACLE_H

#include "attention/options.h"
#include "linalg/matrices.h"

/* May query i see key j? */
static inline bool sees(const lem_attention_options *o, size_t i, size_t j) {
    return (!o->causal || j <= i) && (!o->visible || o->visible[i * o->visible_tda + j]);
}

static inline long double dot_long(const gsl_matrix *a, size_t i, const gsl_matrix *b, size_t j,
                                   bool absolute) {
    long double sum = 0;
    for (size_t c = 0; c < a->size2; c++) {
        const long double term = (long double)gsl_matrix_get(a, i, c) * gsl_matrix_get(b, j, c);
        sum += absolute ? fabsl(term) : term;
    }
    return sum;
}

/* Row i of softmax(scale Q K^T) in weights[0..m-1]. */
static inline void softmax_long(const gsl_matrix *q, const gsl_matrix *k, const lem_attention_options *o,
                                size_t i, long double *weights) {
    long double most = -INFINITY, sum = 0;
    for (size_t j = 0; j < k->size1; j++) {
        weights[j] = sees(o, i, j) ? o->scale * dot_long(q, i, k, j, false) : -INFINITY;
        most = fmaxl(most, weights[j]);
    }
    for (size_t j = 0; j < k->size1; j++)
        sum += weights[j] = expl(weights[j] - most);
    for (size_t j = 0; j < k->size1; j++)
        weights[j] /= sum;
}

/* A bound on the relative error of each softmax weight of row i, computed in double. A logit comes out wrong
 * by gamma(d + 1) |scale| sum |q||k|, beside the maximum by that again, and their difference is rounded (both
 * sizes below |scale| sum |q||k|): together eta. The exponential itself adds 2 units, once for the weight and
 * twice per rescaling by a new maximum (tiles of at least `tile` keys); the normaliser moves by as much and
 * by its own gamma(m); the quotient adds one. Underflow: below the smallest normal double, absolute. */
static inline double softmax_relative_bound(const gsl_matrix *q, const gsl_matrix *k,
                                            const lem_attention_options *o, size_t i, double tiles) {
    double size = 0;
    for (size_t j = 0; j < k->size1; j++)
        if (sees(o, i, j))
            size = fmax(size, fabs(o->scale) * (double)dot_long(q, i, k, j, true));
    const double eta = (2 * gamma_n((double)q->size2 + 1) + 4 * UNIT) * size * (1 + tiles);
    return 2 * (expm1(eta) + gamma_n((double)k->size1 + 4 + 8 * tiles));
}

static inline double largest_entry(const gsl_matrix *m) {
    double most = 0;
    for (size_t i = 0; i < m->size1; i++)
        for (size_t j = 0; j < m->size2; j++)
            most = fmax(most, fabs(gsl_matrix_get(m, i, j)));
    return most;
}

/* A mask with about one key in three hidden, but never all of a row's; owned by the caller. */
static inline unsigned char *random_mask(size_t n, size_t m, size_t tda, bool causal, test_rng *rng) {
    unsigned char *visible = malloc(n * tda);
    for (size_t i = 0; i < n * tda; i++)
        visible[i] = (unsigned char)(test_below(rng, 3) * 7);
    for (size_t i = 0; i < n; i++)
        visible[i * tda + test_below(rng, causal && i < m ? i + 1 : m)] = 1;
    return visible;
}

#endif
