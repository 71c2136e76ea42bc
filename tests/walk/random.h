/* What the tests of this folder share. */
#ifndef TESTS_WALK_RANDOM_H
#define TESTS_WALK_RANDOM_H

#include "linalg/matrices.h"

/* Uniform in [low, high). */
static inline double between(test_rng *rng, double low, double high) {
    return low + (high - low) * (test_unit(rng) + 1) / 2;
}

/* exp of a uniform: every scale alike. */
static inline double scale_between(test_rng *rng, double low, double high) {
    return exp(between(rng, log(low), log(high)));
}

#endif
