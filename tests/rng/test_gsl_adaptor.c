#include "rng/gsl_adaptor.h"
#include "rng/kernel.h"
#include "sample.h"

#include <limits.h>
#include <string.h>
#include <gsl/gsl_randist.h>

static gsl_rng *generator_at(const lem_stream *stream) {
    gsl_rng *generator = lem_gsl_rng_alloc(stream);
    LEM_CHECK(generator != NULL, "%s", lem_last_error());
    return generator;
}

static void test_uniforms_are_the_streams(void) {
    enum { N = 1000 };
    double u[N];
    for (size_t start = 0; start < 300; start += start < 5 ? 1 : 59) {
        lem_stream stream = stream_at(301, 2, 3, 4);
        LEM_CHECK(lem_uniform_fill(&stream, start, u) == 0, "%s", lem_last_error());
        gsl_rng *generator = generator_at(&stream);
        lem_stream unmoved = stream;
        LEM_CHECK(lem_uniform_fill(&stream, N, u) == 0, "%s", lem_last_error());
        size_t different = 0;
        for (size_t i = 0; i < N; i++)
            different += gsl_rng_uniform(generator) != u[i];
        LEM_CHECK(different == 0, "from item %zu: %zu differ", start, different);
        LEM_CHECK(unmoved.item == start, "the stream itself stays at %zu", start);
        gsl_rng_free(generator);
    }
}

static void test_words_are_the_streams(void) {
    uint64_t v[300];
    lem_stream stream = stream_at(302, 2, 3, 4);
    gsl_rng *generator = generator_at(&stream);
    LEM_CHECK(lem_integer_fill(&stream, UINT64_C(1) << 63, 300, v) == 0, "%s", lem_last_error());
    for (size_t i = 0; i < 300; i++) {
        unsigned long word = gsl_rng_get(generator);
        LEM_CHECK(word >> 1 == (unsigned long)(v[i] >> (64 - CHAR_BIT * sizeof word)), "word %zu: %lx", i,
                  word);
    }
    LEM_CHECK(gsl_rng_max(generator) == ULONG_MAX && gsl_rng_min(generator) == 0, "range");
    gsl_rng_free(generator);
}

/* After draws of another kind the generator starts at a whole block, as any change of kind. */
static void test_starts_at_a_whole_block(void) {
    lem_stream stream = stream_at(303, 2, 3, 4);
    (void)lem_normal(&stream);
    gsl_rng *generator = generator_at(&stream);
    LEM_CHECK(gsl_rng_uniform(generator) == lem_uniform(&stream), "half a block was used twice");
    gsl_rng_free(generator);
}

static void test_seeds(void) {
    gsl_rng *a = gsl_rng_alloc(lem_gsl_rng_philox), *b = gsl_rng_alloc(lem_gsl_rng_philox);
    static const unsigned long seeds[] = {0, 1, 2, ULONG_MAX / 2, ULONG_MAX / 2 + 1, ULONG_MAX};
    unsigned long first[6];
    for (size_t i = 0; i < 6; i++) {
        gsl_rng_set(a, seeds[i]);
        first[i] = gsl_rng_get(a);
        for (size_t j = 0; j < i; j++)
            LEM_CHECK(first[i] != first[j], "seeds %lu and %lu agree", seeds[i], seeds[j]);
        for (int skip = 0; skip < 77; skip++)
            (void)gsl_rng_get(b);
        gsl_rng_set(b, seeds[i]);
        LEM_CHECK(gsl_rng_get(b) == first[i], "seed %lu starts afresh", seeds[i]);
    }
    uint32_t id = lem_stream_id("gsl_rng");
    lem_stream stream = stream_at(2, id, id, 0);
    gsl_rng_set(a, 2);
    LEM_CHECK(gsl_rng_uniform(a) == lem_uniform(&stream), "the stream that the header names");
    gsl_rng_free(a);
    gsl_rng_free(b);
}

static void test_clone_and_copy(void) {
    lem_stream stream = stream_at(304, 2, 3, 4);
    gsl_rng *a = generator_at(&stream), *c = gsl_rng_alloc(lem_gsl_rng_philox);
    for (int i = 0; i < 131; i++)
        (void)gsl_rng_get(a);
    gsl_rng *b = gsl_rng_clone(a);
    LEM_CHECK(gsl_rng_memcpy(c, a) == GSL_SUCCESS, "copies");
    for (int i = 0; i < 300; i++) {
        unsigned long x = gsl_rng_get(a), y = gsl_rng_get(b), z = gsl_rng_get(c);
        LEM_CHECK(x == y && x == z, "draw %d of the copies differs", i);
    }
    gsl_rng_free(a);
    gsl_rng_free(b);
    gsl_rng_free(c);
}

static void set_item(gsl_rng *generator, uint64_t item) {
    memcpy((char *)generator->state + offsetof(lem_stream, item), &item,
           sizeof item); /* the state starts so */
}

static void test_end_of_the_stream(void) {
    lem_stream stream = stream_at(305, 2, 3, 4);
    (void)lem_uniform(&stream);
    stream.item = LEM_RNG_ITEMS - 3;
    gsl_rng *generator = generator_at(&stream);
    for (int i = 0; i < 3; i++)
        LEM_CHECK(gsl_rng_uniform(generator) == lem_uniform(&stream), "%d of the last three", i);
    lem_clear_error();
    LEM_CHECK(isnan(gsl_rng_uniform(generator)), "NaN after the last");
    LEM_CHECK_ERROR(GSL_ERANGE, "generator|used up");
    LEM_CHECK(gsl_rng_get(generator) == 0, "0 after the last");
    gsl_rng_set(generator, 5);
    LEM_CHECK(!isnan(gsl_rng_uniform(generator)), "a new seed");
    gsl_rng_free(generator);
}

static void test_seeded_generator_goes_on(void) {
    uint32_t id = lem_stream_id("gsl_rng");
    gsl_rng *generator = gsl_rng_alloc(lem_gsl_rng_philox);
    gsl_rng_set(generator, 6);
    set_item(generator, LEM_RNG_ITEMS - 2);
    (void)gsl_rng_get(generator), (void)gsl_rng_get(generator);
    lem_stream next = stream_at(6, id, id, 1);
    LEM_CHECK(gsl_rng_uniform(generator) == lem_uniform(&next), "chunk 1 follows");
    gsl_rng_free(generator);
}

/* As test_draws.c, through GSL's own distributions. */
static void test_distributions(void) {
    size_t n = scaled(1 << 18), counts[3] = {0};
    gsl_rng *generator = gsl_rng_alloc(lem_gsl_rng_philox);
    double sum = 0, squares = 0, exponential = 0;
    for (size_t i = 0; i < n; i++) {
        double x = gsl_ran_gaussian_ziggurat(generator, 1);
        sum += x;
        squares += x * x - 1;
        exponential += gsl_ran_exponential(generator, 1) - 1;
        counts[gsl_rng_uniform_int(generator, 3)]++;
    }
    double root = sqrt((double)n);
    LEM_CHECK(fabs(sum / root) < Z_LIMIT, "mean: z = %g", sum / root);
    LEM_CHECK(fabs(squares / root / M_SQRT2) < Z_LIMIT, "variance: z = %g", squares / root / M_SQRT2);
    LEM_CHECK(fabs(exponential / root) < Z_LIMIT, "exponential: z = %g", exponential / root);
    for (size_t b = 0; b < 3; b++) {
        double z = ((double)counts[b] - (double)n / 3) / sqrt((double)n * 2 / 9);
        LEM_CHECK(fabs(z) < Z_LIMIT, "uniform_int(3) = %zu: z = %g", b, z);
    }
    int items[52];
    for (int i = 0; i < 52; i++)
        items[i] = i;
    gsl_ran_shuffle(generator, items, 52, sizeof items[0]);
    int total = 0, moved = 0;
    for (int i = 0; i < 52; i++) {
        total += items[i];
        moved += items[i] != i;
    }
    LEM_CHECK(total == 51 * 26 && moved > 0, "shuffled: %d moved", moved);
    gsl_rng_free(generator);
}

static void test_nothing_is_registered(void) {
    const gsl_rng_type *before = gsl_rng_default;
    unsigned long seed = gsl_rng_default_seed;
    gsl_rng *generator = gsl_rng_alloc(lem_gsl_rng_philox);
    LEM_CHECK(strcmp(gsl_rng_name(generator), "philox4x32-10") == 0, "%s", gsl_rng_name(generator));
    gsl_rng_free(generator);
    LEM_CHECK(gsl_rng_default == before && gsl_rng_default_seed == seed, "GSL's defaults stay");
    for (const gsl_rng_type **type = gsl_rng_types_setup(); *type; type++)
        LEM_CHECK(*type != lem_gsl_rng_philox, "in GSL's list");
}

static void test_bad_arguments(void) {
    lem_clear_error();
    LEM_CHECK(lem_gsl_rng_alloc(NULL) == NULL, "NULL for NULL");
    LEM_CHECK_ERROR(GSL_EFAULT, "stream = NULL");
}

static const lem_tap_case cases[] = {
    {"uniforms are the stream's", test_uniforms_are_the_streams},
    {"words are the stream's", test_words_are_the_streams},
    {"starts at a whole block", test_starts_at_a_whole_block},
    {"seeds", test_seeds},
    {"clone and copy", test_clone_and_copy},
    {"the end of a stream", test_end_of_the_stream},
    {"a seeded generator goes on", test_seeded_generator_goes_on},
    {"GSL's distributions", test_distributions},
    {"nothing is registered", test_nothing_is_registered},
    {"bad arguments", test_bad_arguments},
};
LEM_TAP_MAIN(cases)
