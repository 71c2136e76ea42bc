/* Addresses, the count of items, and errors. What the draws are worth: test_draws.c. */
#include "rng/kernel.h"
#include "sample.h"

#include <string.h>
#include <threads.h>

typedef int fill(lem_stream *stream, size_t n, double *out);

static const struct {
    const char *name;
    fill *fill;
} kinds[] = {{"uniform", lem_uniform_fill}, {"normal", lem_normal_fill}, {"sign", lem_sign_fill}};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static void must(int status) {
    LEM_CHECK(status == GSL_SUCCESS, "%s", lem_last_error());
}

/* Fowler, Noll and Vo's published values of 32-bit FNV-1a. */
static void test_ids(void) {
    LEM_CHECK(lem_stream_id("") == 0x811c9dc5, "%x", lem_stream_id(""));
    LEM_CHECK(lem_stream_id("a") == 0xe40c292c, "%x", lem_stream_id("a"));
    LEM_CHECK(lem_stream_id("foobar") == 0xbf9cf968, "%x", lem_stream_id("foobar"));
    LEM_CHECK(lem_stream_id(NULL) == lem_stream_id(""), "no name is the empty name");
    /* Bytes above 127 are unsigned: "\xff" is (basis ^ 0xff) * prime mod 2^32. */
    LEM_CHECK(lem_stream_id("\xff") == (UINT32_C(0x811c9dc5) ^ 0xffu) * UINT32_C(16777619),
              "bytes are unsigned");
}

static void test_study_names_do_not_collide(void) {
    static const char *const studies[] = {
        "attention-cost",
        "attention-rnn",
        "attention-scale",
        "cosine-simpson",
        "entropy-invariance",
        "gau",
        "hwfa",
        "jl-projection",
        "keynorm",
        "ladder-side-tuning",
        "linear-attention-expansions",
        "lion-tiger",
        "miniature-trainer",
        "model-growth",
        "nystrom-attention",
        "path-integral",
        "performer-variance",
        "rope",
        "scaling-law",
        "softmax-robustness",
        "sparsity-measures",
        "gsl_rng", /* of the adaptor */
    };
    enum { N = sizeof studies / sizeof studies[0] };
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            LEM_CHECK(lem_stream_id(studies[i]) != lem_stream_id(studies[j]), "%s and %s", studies[i],
                      studies[j]);
}

/* A parallel fill that does not move the counter on would repeat its numbers in the next matrix. */
static void test_fills_in_sequence(void) {
    enum { N = 1001 };
    double first[N], second[N], both[2 * N];
    for (size_t kind = 0; kind < N_KINDS; kind++) {
        lem_stream stream = stream_at(1, 2, 3, 4), other = stream;
        must(kinds[kind].fill(&stream, N, first));
        must(kinds[kind].fill(&stream, N, second));
        must(kinds[kind].fill(&other, 2 * N, both));
        LEM_CHECK(memcmp(first, both, sizeof first) == 0 && memcmp(second, both + N, sizeof second) == 0,
                  "%s: two fills are not the one long fill", kinds[kind].name);
        size_t repeated = 0;
        for (size_t i = 0; i < N; i++)
            repeated += first[i] == second[i];
        LEM_CHECK(kind == 2 || repeated == 0, "%s: %zu numbers repeat", kinds[kind].name, repeated);
    }
}

static void test_a_copy_replays(void) {
    lem_stream stream = stream_at(5, 6, 7, 8);
    double x = lem_normal(&stream);
    lem_stream copy = stream;
    double y = lem_normal(&stream);
    LEM_CHECK(lem_normal(&copy) == y && x != y, "%g %g", x, y);
}

static void test_single_draws(void) {
    enum { N = 9 };
    double u[N], z[N];
    uint64_t v[N];
    lem_stream start = stream_at(9, 10, 11, 12), s = start;
    must(lem_uniform_fill(&s, N, u));
    s = start;
    for (size_t i = 0; i < N; i++)
        LEM_CHECK(lem_uniform(&s) == u[i], "uniform %zu", i);
    s = start;
    must(lem_normal_fill(&s, N, z));
    s = start;
    for (size_t i = 0; i < N; i++)
        LEM_CHECK(lem_normal(&s) == z[i], "normal %zu", i);
    s = start;
    must(lem_integer_fill(&s, 1000003, N, v));
    s = start;
    for (size_t i = 0; i < N; i++)
        LEM_CHECK(lem_integer(&s, 1000003) == v[i], "integer %zu", i);
}

/* Changing the kind goes on at the next whole block; a fill of nothing changes nothing. */
static void test_change_of_kind(void) {
    double z[8], u[8], got[8];
    lem_stream start = stream_at(13, 14, 15, 16), s = start;
    must(lem_normal_fill(&s, 8, z));
    s = start;
    must(lem_uniform_fill(&s, 8, u));

    s = start;
    must(lem_uniform_fill(&s, 1, got)); /* half of block 0 */
    must(lem_normal_fill(&s, 3, got));  /* blocks 1, 2 */
    LEM_CHECK(memcmp(got, z + 2, 3 * sizeof *got) == 0, "normals start at block 1");
    must(lem_uniform_fill(&s, 2, got)); /* block 3 */
    LEM_CHECK(memcmp(got, u + 6, 2 * sizeof *got) == 0, "uniforms start at block 3");

    s = start;
    must(lem_uniform_fill(&s, 1, got));
    must(lem_normal_fill(&s, 0, NULL));
    must(lem_integer_fill(&s, 7, 0, NULL));
    must(lem_uniform_fill(&s, 1, got));
    LEM_CHECK(got[0] == u[1], "a fill of nothing skips nothing");

    uint64_t v;
    s = start;
    must(lem_sign_fill(&s, 2, got)); /* block 0 as a whole */
    must(lem_integer_fill(&s, UINT64_C(1) << 63, 1, &v));
    LEM_CHECK((double)(v >> 10) * 0x1p-53 == u[2], "no block is skipped after a whole one");
    must(lem_integer_fill(&s, UINT64_C(1) << 53, 1, &v));
    LEM_CHECK((double)v * 0x1p-53 == u[3], "another bound is the same kind");
}

static void test_integers_of_round_bounds(void) {
    double u[4];
    uint64_t v[4];
    lem_stream start = stream_at(17, 18, 19, 20), s = start;
    must(lem_uniform_fill(&s, 4, u));
    s = start;
    must(lem_integer_fill(&s, UINT64_C(1) << 53, 4, v));
    for (size_t i = 0; i < 4; i++)
        LEM_CHECK((double)v[i] * 0x1p-53 == u[i], "bound 2^53 gives the uniform's bits");
    s = start;
    must(lem_integer_fill(&s, 1, 4, v));
    for (size_t i = 0; i < 4; i++)
        LEM_CHECK(v[i] == 0, "bound 1 gives %llu", (unsigned long long)v[i]);
    LEM_CHECK(s.item == 4, "bound 1 uses an item each");
}

static void test_end_of_the_stream(void) {
    enum { ROOM = 200 };
    double x[ROOM], before[ROOM];
    for (size_t i = 0; i < ROOM; i++)
        x[i] = before[i] = -7 - (double)i;
    for (size_t kind = 0; kind < N_KINDS; kind++)
        for (size_t left = 0; left < ROOM; left += left < 6 ? 1 : 31) {
            lem_stream s = stream_at(21, 22, 23, 24);
            must(kinds[kind].fill(&s, 1, &(double){0}));
            s.item = LEM_RNG_ITEMS - left;
            lem_stream unmoved = s;
            LEM_CHECK(kinds[kind].fill(&s, left + 1, x) == GSL_ERANGE, "%s: %zu left", kinds[kind].name,
                      left);
            LEM_CHECK_ERROR(GSL_ERANGE, "n = |2^32 blocks");
            LEM_CHECK(kinds[kind].fill(&s, SIZE_MAX, x) == GSL_ERANGE, "no overflow");
            LEM_CHECK(memcmp(x, before, sizeof x) == 0, "%s wrote something", kinds[kind].name);
            LEM_CHECK(memcmp(&s, &unmoved, sizeof s) == 0, "the stream moved");
            must(kinds[kind].fill(&s, left, x));
            memcpy(x, before, sizeof x);
            LEM_CHECK(kinds[kind].fill(&s, 1, x) == GSL_ERANGE, "%s after the end", kinds[kind].name);
        }
    lem_stream s = stream_at(21, 22, 23, 24);
    must(lem_uniform_fill(&s, 1, x));
    s.item = LEM_RNG_ITEMS - 1; /* odd: another kind has nothing left */
    LEM_CHECK(isnan(lem_normal(&s)), "NaN");
    LEM_CHECK(lem_integer(&s, 5) == 0, "0");
    LEM_CHECK(!isnan(lem_uniform(&s)), "%s", lem_last_error());
    LEM_CHECK(isnan(lem_uniform(&s)), "NaN");
}

/* Rejection may use up the stream on the way: still nothing written. A quarter of the words is rejected, so
 * that n = left fails but with probability (3/4)^left. */
static void test_integers_at_the_end(void) {
    enum { LEFT = 150 };
    const uint64_t bound = UINT64_C(3) << 61;
    uint64_t v[LEFT], before[LEFT];
    memset(before, 5, sizeof before);
    memcpy(v, before, sizeof v);
    lem_stream s = stream_at(25, 26, 27, 28);
    (void)lem_integer(&s, bound);
    s.item = LEM_RNG_ITEMS - LEFT;
    lem_stream unmoved = s;
    LEM_CHECK(lem_integer_fill(&s, bound, LEFT, v) == GSL_ERANGE, "accepted");
    LEM_CHECK_ERROR(GSL_ERANGE, "n = 150|2^32 blocks");
    LEM_CHECK(memcmp(v, before, sizeof v) == 0 && memcmp(&s, &unmoved, sizeof s) == 0, "left alone");
    size_t most = 0;
    while (most < LEFT && lem_integer_fill(&s, bound, 1, v) == GSL_SUCCESS)
        most++;
    s = unmoved;
    LEM_CHECK(most > 0 && lem_integer_fill(&s, bound, most + 1, v) == GSL_ERANGE, "%zu are there", most);
    LEM_CHECK(lem_integer_fill(&s, bound, most, v) == GSL_SUCCESS, "%zu: %s", most, lem_last_error());
    LEM_CHECK(s.item <= LEM_RNG_ITEMS, "not past the end");
}

static void test_bad_arguments(void) {
    lem_stream s = stream_at(0, 0, 0, 0);
    uint64_t v[2] = {1, 1};
    double x[2] = {1, 1};
    LEM_CHECK_ERROR(lem_stream_init(NULL, 1, 0, 0, 0), "stream = NULL");
    LEM_CHECK(lem_stream_init(&s, UINT64_C(1) << 63, 0, 0, 0) == GSL_EDOM, "seed 2^63");
    LEM_CHECK_ERROR(lem_stream_init(&s, UINT64_C(1) << 63, 0, 0, 0), "seed = 9223372036854775808|< 2^63");
    LEM_CHECK(lem_stream_init(&s, (UINT64_C(1) << 63) - 1, 0, 0, 0) == GSL_SUCCESS, "seed 2^63 - 1");
    for (size_t kind = 0; kind < N_KINDS; kind++) {
        LEM_CHECK(kinds[kind].fill(NULL, 2, x) == GSL_EFAULT, "stream NULL");
        LEM_CHECK_ERROR(kinds[kind].fill(NULL, 2, x), "stream = NULL");
        LEM_CHECK(kinds[kind].fill(&s, 2, NULL) == GSL_EFAULT, "out NULL");
        LEM_CHECK_ERROR(kinds[kind].fill(&s, 2, NULL), "out = NULL|n = 2");
    }
    LEM_CHECK_ERROR(lem_integer_fill(NULL, 3, 2, v), "stream = NULL");
    LEM_CHECK_ERROR(lem_integer_fill(&s, 3, 2, NULL), "out = NULL|n = 2");
    LEM_CHECK(lem_integer_fill(&s, 0, 2, v) == GSL_EDOM, "bound 0");
    LEM_CHECK_ERROR(lem_integer_fill(&s, 0, 2, v), "bound = 0|2^63");
    LEM_CHECK_ERROR(lem_integer_fill(&s, (UINT64_C(1) << 63) + 1, 2, v), "bound = 9223372036854775809|2^63");
    LEM_CHECK(lem_integer(&s, 0) == 0 && isnan(lem_normal(NULL)) && isnan(lem_uniform(NULL)), "single draws");
    LEM_CHECK(v[0] == 1 && v[1] == 1 && x[0] == 1 && s.item == 0, "nothing was drawn");
}

/* Distinct streams on several threads, the very first choice of a kernel among them: the bits of one thread.
 */
enum { THREADS = 4, PER_THREAD = 8, PER_STREAM = 501 };
static double parallel[THREADS * PER_THREAD][PER_STREAM], serial[THREADS * PER_THREAD][PER_STREAM];

static int fill_some(void *context) {
    uint32_t first = *(const uint32_t *)context;
    int failures = 0;
    for (uint32_t i = first; i < first + PER_THREAD; i++) {
        lem_stream s;
        failures += lem_stream_init(&s, 29, 30, 31, i) != GSL_SUCCESS;
        failures += lem_normal_fill(&s, PER_STREAM, parallel[i]) != GSL_SUCCESS;
    }
    return failures;
}

static void test_threads(void) {
    thrd_t threads[THREADS];
    uint32_t first[THREADS];
    for (uint32_t t = 0; t < THREADS; t++) {
        first[t] = t * PER_THREAD;
        if (thrd_create(&threads[t], fill_some, &first[t]) != thrd_success)
            lem_tap_bail_out("cannot start a thread");
    }
    for (uint32_t t = 0; t < THREADS; t++) {
        int failures = 1;
        LEM_CHECK(thrd_join(threads[t], &failures) == thrd_success && failures == 0, "%d failures", failures);
    }
    for (uint32_t i = 0; i < THREADS * PER_THREAD; i++) {
        lem_stream s = stream_at(29, 30, 31, i);
        must(lem_normal_fill(&s, PER_STREAM, serial[i]));
    }
    LEM_CHECK(memcmp(parallel, serial, sizeof serial) == 0, "threads change the bits");
}

static const lem_tap_case cases[] = {
    {"streams on several threads", test_threads},
    {"ids are FNV-1a", test_ids},
    {"ids of the studies differ", test_study_names_do_not_collide},
    {"fills in sequence", test_fills_in_sequence},
    {"a copy replays", test_a_copy_replays},
    {"single draws", test_single_draws},
    {"change of kind", test_change_of_kind},
    {"integers of round bounds", test_integers_of_round_bounds},
    {"the end of a stream", test_end_of_the_stream},
    {"integers at the end of a stream", test_integers_at_the_end},
    {"bad arguments", test_bad_arguments},
};
LEM_TAP_MAIN(cases)
