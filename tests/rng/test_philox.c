/* Philox itself, through our counter layout: known answers, addresses, disjointness. */
#include "rng/kernel.h"
#include "sample.h"

#include <stdlib.h>

/* Random123's published vectors for philox4x32-10: counter words 0..3, key words 0..1, outputs 0..3. */
static const struct {
    const char *name;
    uint32_t counter[4], key[2], output[4];
} known[] = {
    {"zeros", {0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {"ones",
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {"pi",
     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};
enum { N_KNOWN = sizeof known / sizeof known[0] };

/* In every lane of every kernel: the block of the vector stands at each place of a group. */
static void test_known_answers_of_kernels(void) {
    for (size_t k = 0; lem_rng_kernels[k]; k++) {
        const lem_rng_kernel *kernel = lem_rng_kernels[k];
        if (!kernel->runs_here()) {
            lem_tap_diag("this processor does not run the kernel %s", kernel->name);
            continue;
        }
        for (size_t v = 0; v < N_KNOWN; v++)
            for (size_t lane = 0; lane < kernel->group; lane++) {
                const uint32_t *c = known[v].counter, *o = known[v].output;
                lem_rng_place place = {{known[v].key[0], known[v].key[1]}, c[1], c[2], c[3]};
                uint64_t words[2 * LEM_RNG_BATCH];
                kernel->words(&place, c[0] - (uint32_t)lane, kernel->group, words);
                LEM_CHECK(words[2 * lane] == ((uint64_t)o[1] << 32 | o[0]) &&
                              words[2 * lane + 1] == ((uint64_t)o[3] << 32 | o[2]),
                          "%s, vector %s, lane %zu: %016llx %016llx", kernel->name, known[v].name, lane,
                          (unsigned long long)words[2 * lane], (unsigned long long)words[2 * lane + 1]);
            }
    }
}

/* The same through the public interface: seed, names and chunk stand where the header says. With bound 2^63
 * an integer is its word less the last bit. */
static void test_known_answers_of_streams(void) {
    for (size_t v = 0; v < N_KNOWN; v++) {
        const uint32_t *c = known[v].counter, *o = known[v].output;
        uint64_t seed = (uint64_t)known[v].key[1] << 32 | known[v].key[0], value[2];
        if (seed >> 63)
            continue; /* not a seed: covered above */
        lem_stream stream = stream_at(seed, c[3], c[2], c[1]);
        stream.item = 2 * (uint64_t)c[0];
        LEM_CHECK(lem_integer_fill(&stream, UINT64_C(1) << 63, 2, value) == GSL_SUCCESS, "%s",
                  lem_last_error());
        LEM_CHECK(value[0] == ((uint64_t)o[1] << 32 | o[0]) >> 1, "%s: %llx", known[v].name,
                  (unsigned long long)value[0]);
        LEM_CHECK(value[1] == ((uint64_t)o[3] << 32 | o[2]) >> 1, "%s: %llx", known[v].name,
                  (unsigned long long)value[1]);
    }
}

/* The uniforms of the zero stream, from the published words by independent arithmetic (Python). */
static void test_known_uniforms(void) {
    lem_stream stream = stream_at(0, 0, 0, 0);
    double u[2];
    LEM_CHECK(lem_uniform_fill(&stream, 2, u) == GSL_SUCCESS, "%s", lem_last_error());
    LEM_CHECK(u[0] == 0x1.c2d38b1acc4fdp-1, "%a", u[0]);
    LEM_CHECK(u[1] == 0x1.3601b7b178af5p-1, "%a", u[1]);
}

static int ascending_words(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A million words of 64 neighbouring streams: all different. Random words would repeat with probability
 * N^2 / 2^65 = 3e-8 at N = 2^20. */
static void test_neighbours_share_no_word(void) {
    enum { STREAMS = 64, EACH = 1 << 14 };
    uint64_t *words = malloc(sizeof *words * STREAMS * EACH);
    if (!LEM_CHECK(words != NULL, "no memory"))
        return;
    for (uint32_t s = 0; s < STREAMS; s++) {
        /* Each bit of s moves one word of the address by one; two bits swap roles of chunk and purpose. */
        uint32_t chunk = 5 + (s & 1) + 2 * (s >> 1 & 1), purpose = 5 + (s >> 2 & 1) + 2 * (s >> 3 & 1);
        lem_stream stream = stream_at(40 + (s >> 4 & 1), 7 + (s >> 5 & 1), purpose, chunk);
        uint64_t *out = words + (size_t)s * EACH;
        LEM_CHECK(lem_integer_fill(&stream, UINT64_C(1) << 63, EACH, out) == GSL_SUCCESS, "%s",
                  lem_last_error());
    }
    qsort(words, (size_t)STREAMS * EACH, sizeof *words, ascending_words);
    size_t repeated = 0;
    for (size_t i = 1; i < (size_t)STREAMS * EACH; i++)
        repeated += words[i] == words[i - 1];
    LEM_CHECK(repeated == 0, "%zu words repeat", repeated);
    free(words);
}

/* Distinct addresses have distinct counters: every bit of every field of the address reaches Philox, and the
 * fields do not overlap. Philox under one key is a bijection of counters, so equal first blocks mean equal
 * addresses. */
static void test_every_address_bit_counts(void) {
    enum { BITS = 63 + 3 * 32 };
    uint64_t first[BITS + 1], second[BITS + 1];
    for (size_t bit = 0; bit <= BITS; bit++) {
        uint64_t seed = bit < 63 ? UINT64_C(1) << bit : 0;
        uint32_t field[3] = {0, 0, 0};
        if (bit >= 63 && bit < BITS)
            field[(bit - 63) / 32] = UINT32_C(1) << ((bit - 63) % 32);
        lem_stream stream = stream_at(seed, field[0], field[1], field[2]);
        uint64_t pair[2] = {0, 0};
        LEM_CHECK(lem_integer_fill(&stream, UINT64_C(1) << 63, 2, pair) == GSL_SUCCESS, "%s",
                  lem_last_error());
        first[bit] = pair[0];
        second[bit] = pair[1];
        for (size_t other = 0; other < bit; other++)
            LEM_CHECK(first[other] != first[bit] || second[other] != second[bit], "bits %zu and %zu", other,
                      bit);
    }
}

static const lem_tap_case cases[] = {
    {"published vectors, every kernel, every lane", test_known_answers_of_kernels},
    {"published vectors through streams", test_known_answers_of_streams},
    {"uniforms of the published words", test_known_uniforms},
    {"every bit of the address counts", test_every_address_bit_counts},
    {"neighbouring streams share no word", test_neighbours_share_no_word},
};
LEM_TAP_MAIN(cases)
