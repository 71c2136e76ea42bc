/* Internal: the transform on vectors of LANES doubles (2, 4 or 8). Included once by each kernel file, which
 * defines LANES and is compiled for its instruction set.
 *
 * Strides run from the largest to the smallest. A block larger than the first-level cache is swept once for
 * its three largest strides and then its eight parts are done one after the other, each in the cache as soon
 * as it fits. Three strides go per sweep (eight values in registers); the last sweep does the strides
 * 4 LANES, 2 LANES, LANES and, by shuffles, all below. */
#include "projection/fwht_kernel.h"

#include <string.h>

typedef double vec __attribute__((vector_size(LANES * sizeof(double))));

enum { IN_CACHE = 2048 }; /* doubles: half of a first-level cache of 32 KB */

static inline vec load(const double *x) {
    vec v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline void store(double *x, vec v) {
    memcpy(x, &v, sizeof v);
}

static inline void butterfly(vec *a, vec *b) {
    vec sum = *a + *b, difference = *a - *b;
    *a = sum;
    *b = difference;
}

/* Strides below LANES within one vector: partner + sign * own, the sign -1 in the upper lane of each pair;
 * the product is exact, so these are the same additions. */
static inline vec within(vec v) {
#if LANES == 8
    v = __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3) + (vec){1, 1, 1, 1, -1, -1, -1, -1} * v;
    v = __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5) + (vec){1, 1, -1, -1, 1, 1, -1, -1} * v;
    v = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6) + (vec){1, -1, 1, -1, 1, -1, 1, -1} * v;
#elif LANES == 4
    v = __builtin_shufflevector(v, v, 2, 3, 0, 1) + (vec){1, 1, -1, -1} * v;
    v = __builtin_shufflevector(v, v, 1, 0, 3, 2) + (vec){1, -1, 1, -1} * v;
#else
    v = __builtin_shufflevector(v, v, 1, 0) + (vec){1, -1} * v;
#endif
    return v;
}

static inline void butterflies_8(vec v[8]) {
    for (size_t i = 0; i < 4; i++)
        butterfly(&v[i], &v[i + 4]);
    for (size_t i = 0; i < 8; i += 4)
        for (size_t j = i; j < i + 2; j++)
            butterfly(&v[j], &v[j + 2]);
    for (size_t i = 0; i < 8; i += 2)
        butterfly(&v[i], &v[i + 1]);
}

/* Strides 4h, 2h, h of one block of 8h, h a multiple of LANES. */
static void sweep_8(double *x, size_t h) {
    for (size_t j = 0; j < h; j += LANES) {
        vec v[8];
        for (size_t i = 0; i < 8; i++)
            v[i] = load(x + j + i * h);
        butterflies_8(v);
        for (size_t i = 0; i < 8; i++)
            store(x + j + i * h, v[i]);
    }
}

static void sweep_4(double *x, size_t h) {
    for (size_t j = 0; j < h; j += LANES) {
        vec a = load(x + j), b = load(x + j + h), c = load(x + j + 2 * h), d = load(x + j + 3 * h);
        butterfly(&a, &c);
        butterfly(&b, &d);
        butterfly(&a, &b);
        butterfly(&c, &d);
        store(x + j, a);
        store(x + j + h, b);
        store(x + j + 2 * h, c);
        store(x + j + 3 * h, d);
    }
}

static void sweep_2(double *x, size_t h) {
    for (size_t j = 0; j < h; j += LANES) {
        vec a = load(x + j), b = load(x + j + h);
        butterfly(&a, &b);
        store(x + j, a);
        store(x + j + h, b);
    }
}

/* A whole block of 8 LANES. */
static void finish(double *x) {
    vec v[8];
    for (size_t i = 0; i < 8; i++)
        v[i] = load(x + i * LANES);
    butterflies_8(v);
    for (size_t i = 0; i < 8; i++)
        store(x + i * LANES, within(v[i]));
}

static void small(double *x, size_t m) {
    for (size_t h = m / 2; h > 0; h /= 2)
        for (size_t i = 0; i < m; i += 2 * h)
            for (size_t j = i; j < i + h; j++) {
                double a = x[j], b = x[j + h];
                x[j] = a + b;
                x[j + h] = a - b;
            }
}

/* 8, or what is left above a block of 8 LANES when that is less. */
static size_t next_radix(size_t block) {
    const size_t left = block / (8 * LANES);
    return left < 8 ? left : 8;
}

/* In-cache blocks: sweep by sweep. */
static void in_cache(double *x, size_t m) {
    size_t block = m;
    while (block > 8 * LANES) {
        const size_t radix = next_radix(block), h = block / radix;
        for (size_t i = 0; i < m; i += block) {
            if (radix == 8)
                sweep_8(x + i, h);
            else if (radix == 4)
                sweep_4(x + i, h);
            else
                sweep_2(x + i, h);
        }
        block = h;
    }
    for (size_t i = 0; i < m; i += 8 * LANES)
        finish(x + i);
}

/* At most 21 levels deep: a factor 8 each. */
static void transform(double *x, size_t m) {
    if (m < 8 * LANES) {
        small(x, m);
    } else if (m <= IN_CACHE) {
        in_cache(x, m);
    } else {
        sweep_8(x, m / 8);
        for (size_t i = 0; i < 8; i++)
            transform(x + i * (m / 8), m / 8);
    }
}
