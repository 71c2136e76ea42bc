/* What the tests of projections share: all kinds with a shape each can have, streams, exact variances. */
#ifndef TESTS_PROJECTION_KINDS_H
#define TESTS_PROJECTION_KINDS_H

#include "linalg/matrices.h"
#include "projection/kind.h"
#include "rng/stream.h"

typedef struct {
    lem_projection_kind kind;
    const char *name;
    double s;
    size_t n, m;
} test_kind;

static const test_kind test_kinds[] = {
    {LEM_PROJECTION_GAUSSIAN, "gaussian", 0, 16, 50},
    {LEM_PROJECTION_GAUSSIAN, "gaussian, n > m", 0, 9, 4},
    {LEM_PROJECTION_GAUSSIAN, "gaussian 1 x 1", 0, 1, 1},
    {LEM_PROJECTION_RADEMACHER, "rademacher", 0, 16, 50},
    {LEM_PROJECTION_SPARSE, "sparse, s = 1", 1, 7, 20},
    {LEM_PROJECTION_SPARSE, "sparse, s = 3", 3, 16, 50},
    {LEM_PROJECTION_SPARSE, "sparse, s = 8", 8, 16, 50},
    {LEM_PROJECTION_HAAR, "haar", 0, 16, 50},
    {LEM_PROJECTION_HAAR, "haar, n = m", 0, 12, 12},
    {LEM_PROJECTION_HAAR, "haar 1 x 1", 0, 1, 1},
    {LEM_PROJECTION_SRHT, "srht", 0, 16, 64},
    {LEM_PROJECTION_SRHT, "srht, n = m", 0, 32, 32},
    {LEM_PROJECTION_SRHT, "srht 1 x 1", 0, 1, 1},
    {LEM_PROJECTION_SRHT_PADDED, "srht_padded", 0, 16, 50},
    {LEM_PROJECTION_SRHT_PADDED, "srht_padded, n = m", 0, 33, 33},
};
enum { TEST_KINDS = sizeof test_kinds / sizeof test_kinds[0] };

static inline lem_stream test_stream(uint32_t chunk) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 20211231, 7, 3, chunk) == 0, "%s", lem_last_error());
    return stream;
}

#endif
