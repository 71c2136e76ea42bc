/* Matrices for randomised tests: views into a guarded parent, entries that love edge cases, and products in
 * extended precision to compare with. */
#ifndef TESTS_LINALG_MATRICES_H
#define TESTS_LINALG_MATRICES_H

#include "tap/tap.h"

#include <float.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Unit roundoff; gamma(n) bounds the relative error of n roundings in any order (Higham, Accuracy and
 * Stability, lemma 3.1). */
#define UNIT (DBL_EPSILON / 2)
static inline double gamma_n(double n) {
    return n * UNIT / (1 - n * UNIT);
}

/* splitmix64: the tests of this folder do not lean on lib/rng. */
typedef struct {
    uint64_t state;
} test_rng;

static inline uint64_t test_bits(test_rng *rng) {
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline size_t test_below(test_rng *rng, size_t bound) {
    return (size_t)(test_bits(rng) % bound);
}

/* Uniform in [-1, 1). */
static inline double test_unit(test_rng *rng) {
    return (double)(test_bits(rng) >> 11) * 0x1p-52 - 1;
}

/* A rows x columns view at an offset into a wider parent filled with NaN: reading outside the view poisons
 * the result, writing outside it is found by guarded_intact. */
typedef struct {
    gsl_matrix *parent;
    gsl_matrix m;
} guarded;

static inline guarded guarded_alloc(size_t rows, size_t columns, size_t pad) {
    guarded g = {.parent = gsl_matrix_alloc(rows + 2 * pad, columns + 2 * pad)};
    gsl_matrix_set_all(g.parent, NAN);
    g.m = gsl_matrix_submatrix(g.parent, pad, pad, rows, columns).matrix;
    gsl_matrix_set_zero(&g.m);
    return g;
}

static inline void guarded_free(guarded *g) {
    gsl_matrix_free(g->parent);
}

static inline bool guarded_intact(const guarded *g) {
    const size_t pad_rows = (g->parent->size1 - g->m.size1) / 2,
                 pad_columns = (g->parent->size2 - g->m.size2) / 2;
    for (size_t i = 0; i < g->parent->size1; i++)
        for (size_t j = 0; j < g->parent->size2; j++) {
            bool inside = i >= pad_rows && i < pad_rows + g->m.size1 && j >= pad_columns &&
                          j < pad_columns + g->m.size2;
            if (!inside && !isnan(gsl_matrix_get(g->parent, i, j)))
                return false;
        }
    return true;
}

enum { KIND_UNIFORM, KIND_SMALL_INTEGERS, KIND_TINY, KIND_HUGE, KIND_EQUAL_ROWS, KIND_ZERO, KINDS };

static inline void fill(gsl_matrix *m, int kind, test_rng *rng) {
    for (size_t i = 0; i < m->size1; i++)
        for (size_t j = 0; j < m->size2; j++) {
            double x = test_unit(rng);
            if (kind == KIND_SMALL_INTEGERS)
                x = (double)test_below(rng, 3) - 1;
            if (kind == KIND_TINY)
                x *= 1e-140;
            if (kind == KIND_HUGE)
                x *= 1e140;
            if (kind == KIND_EQUAL_ROWS && i > 0)
                x = gsl_matrix_get(m, 0, j);
            if (kind == KIND_ZERO)
                x = 0;
            gsl_matrix_set(m, i, j, x);
        }
}

static inline guarded random_matrix(size_t rows, size_t columns, int kind, test_rng *rng) {
    guarded g = guarded_alloc(rows, columns, test_below(rng, 3));
    fill(&g.m, kind, rng);
    return g;
}

static inline bool same_bits(const gsl_matrix *a, const gsl_matrix *b) {
    for (size_t i = 0; i < a->size1; i++)
        if (memcmp(a->data + i * a->tda, b->data + i * b->tda, a->size2 * sizeof(double)))
            return false;
    return a->size1 == b->size1 && a->size2 == b->size2;
}

static inline long double frobenius_long(const gsl_matrix *a) {
    long double sum = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++)
            sum += (long double)gsl_matrix_get(a, i, j) * gsl_matrix_get(a, i, j);
    return sqrtl(sum);
}

/* || Q^T Q - I ||_F in extended precision. */
static inline double orthonormality_defect(const gsl_matrix *q) {
    long double sum = 0;
    for (size_t j = 0; j < q->size2; j++)
        for (size_t k = 0; k < q->size2; k++) {
            long double dot = j == k ? -1 : 0;
            for (size_t i = 0; i < q->size1; i++)
                dot += (long double)gsl_matrix_get(q, i, j) * gsl_matrix_get(q, i, k);
            sum += dot * dot;
        }
    return (double)sqrtl(sum);
}

/* Sizes that love the edges: 1, and around small powers of two. */
static inline size_t random_size(test_rng *rng, size_t most) {
    return test_below(rng, 4) == 0 ? 1 : 1 + test_below(rng, most);
}

static inline int repeats(int full) {
    double n = full * lem_tap_effort();
    return n < 1 ? 1 : (int)n;
}

#endif
