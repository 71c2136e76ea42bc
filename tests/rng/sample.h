/* Shared by the tests of lib/rng: addresses, and bounds that hold for every sample size.
 *
 * Each stochastic check uses the false-alarm rate ALARM; about 200 of them run, so that one run in 5 million
 * would fail on a random seed. The seeds are fixed. */
#ifndef LEM_TESTS_RNG_SAMPLE_H
#define LEM_TESTS_RNG_SAMPLE_H

#include "rng/stream.h"
#include "tap/tap.h"

#include <math.h>
#include <stdlib.h>

#define ALARM 1e-9
#define Z_LIMIT 6.11 /* two-sided normal tail of ALARM: 9.97e-10 */

/* Splitmix64: where tests need arbitrary words that do not come from what they test. */
static inline uint64_t arbitrary(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline lem_stream stream_at(uint64_t seed, uint32_t study, uint32_t purpose, uint32_t chunk) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, seed, study, purpose, chunk) == GSL_SUCCESS, "%s", lem_last_error());
    return stream;
}

/* Never below n: with fewer the wrong samples, which must be rejected, would pass. */
static inline size_t scaled(double n) {
    return (size_t)(n * fmax(1, lem_tap_effort()));
}

static inline int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* sup |F_n - F| of a sample, which is sorted on the way. */
static inline double ks_distance(double *x, size_t n, double (*cdf)(double)) {
    double distance = 0;
    qsort(x, n, sizeof *x, ascending);
    for (size_t i = 0; i < n; i++) {
        double f = cdf(x[i]);
        distance = fmax(distance, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
    }
    return distance;
}

/* P(sup |F_n - F| > ks_limit(n)) <= ALARM for every n and F (Dvoretzky, Kiefer, Wolfowitz with Massart's
 * constant). */
static inline double ks_limit(size_t n) {
    return sqrt(log(2 / ALARM) / (2 * (double)n));
}

/* P(|mean of n independent signs| > sign_limit(n)) <= ALARM for every n (Hoeffding). */
static inline double sign_limit(size_t n) {
    return sqrt(2 * log(2 / ALARM) / (double)n);
}

#endif
