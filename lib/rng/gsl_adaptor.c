#include "rng/gsl_adaptor.h"

#include "rng/kernel.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Plain memory without pointers: GSL copies it byte by byte. */
typedef struct {
    lem_stream stream; /* .item is that of the next word */
    bool chained;      /* the next chunk follows when this one is used up */
    bool loaded;       /* words[] holds the batch of .item */
    uint64_t words[2 * LEM_RNG_BATCH];
} philox_state;

static void load(philox_state *state) {
    lem_rng_place place = lem_rng_place_of(&state->stream);
    uint64_t block = state->stream.item / (2 * LEM_RNG_BATCH) * LEM_RNG_BATCH;
    lem_rng_best_kernel()->words(&place, (uint32_t)block, LEM_RNG_BATCH, state->words);
    state->loaded = true;
}

/* False when the stream is used up. */
static bool next_word(philox_state *state, uint64_t *word) {
    lem_stream *stream = &state->stream;
    if (stream->item >= LEM_RNG_ITEMS) {
        if (!state->chained || stream->chunk == UINT32_MAX) {
            (void)LEM_ERROR(GSL_ERANGE, "generator: the 2^32 blocks of its stream are used up");
            return false;
        }
        stream->chunk++;
        stream->item = 0;
    }
    size_t at = stream->item % (2 * LEM_RNG_BATCH);
    if (at == 0 || !state->loaded)
        load(state);
    stream->item++;
    *word = state->words[at];
    return true;
}

static void philox_set(void *vstate, unsigned long seed) {
    philox_state *state = vstate;
    uint32_t id = lem_stream_id("gsl_rng");
    /* Not lem_stream_init: a seed of GSL may have its top bit set. */
    state->stream = (lem_stream){.seed = seed, .study = id, .purpose = id, .kind = LEM_RNG_UNIFORM};
    state->chained = true;
}

static unsigned long philox_get(void *vstate) {
    uint64_t word;
    if (!next_word(vstate, &word))
        return 0;
    return (unsigned long)(word >> (64 - CHAR_BIT * sizeof(unsigned long)));
}

static double philox_get_double(void *vstate) {
    uint64_t word;
    if (!next_word(vstate, &word))
        return NAN;
    return (double)(word >> 11) * 0x1p-53;
}

static const gsl_rng_type philox_type = {
    .name = "philox4x32-10",
    .max = ULONG_MAX,
    .min = 0,
    .size = sizeof(philox_state),
    .set = philox_set,
    .get = philox_get,
    .get_double = philox_get_double,
};
const gsl_rng_type *const lem_gsl_rng_philox = &philox_type;

/* As gsl_rng_alloc does, less its call of GSL's error handler. */
gsl_rng *lem_gsl_rng_alloc(const lem_stream *stream) {
    if (!stream) {
        (void)LEM_ERROR(GSL_EFAULT, "stream = NULL: must point to a stream");
        return NULL;
    }
    gsl_rng *generator = malloc(sizeof *generator);
    philox_state *state = calloc(1, sizeof *state);
    if (!generator || !state) {
        free(generator);
        free(state);
        (void)LEM_ERROR(GSL_ENOMEM, "stream: no memory for its generator");
        return NULL;
    }
    state->stream = *stream;
    state->stream.item = lem_rng_next_item(stream, LEM_RNG_UNIFORM);
    state->stream.kind = LEM_RNG_UNIFORM;
    *generator = (gsl_rng){.type = &philox_type, .state = state};
    return generator;
}
