/* What the tests of simulation share: streams, and the distance of a sample from what it should be. */
#ifndef TESTS_WALK_DRAW_H
#define TESTS_WALK_DRAW_H

#include "rng/stream.h"
#include "stat/moments.h"
#include "tap/tap.h"

#include <math.h>

/* A stream of its own for each purpose; the same numbers at every run, so that a failure can be repeated. */
static inline lem_stream stream_for(const char *purpose) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 20, lem_stream_id("tests/walk"), lem_stream_id(purpose), 0) == 0,
              "init");
    return stream;
}

static inline lem_moments moments_of(size_t n, const double *x) {
    lem_moments m;
    lem_moments_init(&m);
    LEM_CHECK(lem_moments_add_array(&m, n, x) == 0, "%s", lem_last_error());
    return m;
}

/* Within 5 standard errors: one false alarm in two million, were the seed drawn anew. */
static inline void check_mean(const lem_moments *m, double expected) {
    LEM_CHECK_NEAR(lem_moments_mean(m), expected, 5 * lem_moments_stderr(m));
}

static inline void check_variance(const lem_moments *m, double expected) {
    LEM_CHECK_NEAR(lem_moments_variance(m), expected, 5 * lem_moments_variance_stderr(m));
}

static inline double z_of(const lem_moments *m, double expected) {
    return (lem_moments_mean(m) - expected) / lem_moments_stderr(m);
}

#endif
