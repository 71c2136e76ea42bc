#include "rng/stream.h"

#include "rng/kernel.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

uint32_t lem_stream_id(const char *name) {
    uint32_t hash = UINT32_C(2166136261);
    for (const unsigned char *c = (const unsigned char *)name; c && *c; c++)
        hash = (hash ^ *c) * UINT32_C(16777619);
    return hash;
}

int lem_stream_init(lem_stream *stream, uint64_t seed, uint32_t study, uint32_t purpose, uint32_t chunk) {
    if (!stream)
        return LEM_ERROR(GSL_EFAULT, "stream = NULL: must point to a stream");
    if (seed >> 63)
        return LEM_ERROR(GSL_EDOM, "seed = %" PRIu64 ": must be < 2^63", seed);
    *stream = (lem_stream){.seed = seed, .study = study, .purpose = purpose, .chunk = chunk};
    return GSL_SUCCESS;
}

lem_rng_place lem_rng_place_of(const lem_stream *stream) {
    return (lem_rng_place){
        .key = {(uint32_t)stream->seed, (uint32_t)(stream->seed >> 32)},
        .chunk = stream->chunk,
        .purpose = stream->purpose,
        .study = stream->study,
    };
}

uint64_t lem_rng_next_item(const lem_stream *stream, uint32_t kind) {
    return stream->kind == kind ? stream->item : stream->item + (stream->item & 1);
}

static uint64_t items_left(const lem_stream *stream, uint32_t kind) {
    uint64_t next = lem_rng_next_item(stream, kind);
    return next < LEM_RNG_ITEMS ? LEM_RNG_ITEMS - next : 0;
}

static int check(const lem_stream *stream, uint32_t kind, size_t n, const void *out) {
    if (!stream)
        return LEM_ERROR(GSL_EFAULT, "stream = NULL: must point to a stream");
    if (!out && n > 0)
        return LEM_ERROR(GSL_EFAULT, "out = NULL: must have room for n = %zu items", n);
    if (n > items_left(stream, kind))
        return LEM_ERROR(GSL_ERANGE,
                         "n = %zu: must be <= %" PRIu64 ", what is left of the 2^32 blocks of a stream", n,
                         items_left(stream, kind));
    return GSL_SUCCESS;
}

static int out_of_range(size_t n) {
    return LEM_ERROR(GSL_ERANGE,
                     "n = %zu: must be smaller, the 2^32 blocks of the stream do not give so many integers",
                     n);
}

/* Blocks of the next batch: at most LEM_RNG_BATCH, enough for `wanted` items from `item` on, in whole groups.
 */
static size_t batch_blocks(const lem_rng_kernel *kernel, uint64_t item, uint64_t wanted) {
    uint64_t blocks = (wanted + (item & 1) + 1) / 2;
    if (blocks >= LEM_RNG_BATCH)
        return LEM_RNG_BATCH;
    return ((size_t)blocks + kernel->group - 1) / kernel->group * kernel->group;
}

static int fill(const lem_rng_kernel *kernel, lem_rng_transform *transform, uint32_t kind, lem_stream *stream,
                size_t n, double *out) {
    int status = check(stream, kind, n, out);
    if (status || n == 0)
        return status;
    const lem_rng_place place = lem_rng_place_of(stream);
    const uint64_t first = lem_rng_next_item(stream, kind), end = first + n;
    for (uint64_t item = first; item < end;) {
        uint64_t words[2 * LEM_RNG_BATCH];
        size_t blocks = batch_blocks(kernel, item, end - item), skipped = item & 1;
        size_t taken = 2 * blocks - skipped;
        kernel->words(&place, (uint32_t)(item / 2), blocks, words);
        if (skipped || taken > end - item) {
            double part[2 * LEM_RNG_BATCH];
            taken = taken < end - item ? taken : (size_t)(end - item);
            transform(words, blocks, part);
            memcpy(out, part + skipped, taken * sizeof *out);
        } else {
            transform(words, blocks, out);
        }
        out += taken;
        item += taken;
    }
    stream->kind = kind;
    stream->item = end;
    return GSL_SUCCESS;
}

int lem_uniform_fill_by(const lem_rng_kernel *kernel, lem_stream *stream, size_t n, double *out) {
    return fill(kernel, kernel->uniform, LEM_RNG_UNIFORM, stream, n, out);
}

int lem_normal_fill_by(const lem_rng_kernel *kernel, lem_stream *stream, size_t n, double *out) {
    return fill(kernel, kernel->normal, LEM_RNG_NORMAL, stream, n, out);
}

int lem_sign_fill_by(const lem_rng_kernel *kernel, lem_stream *stream, size_t n, double *out) {
    return fill(kernel, kernel->sign, LEM_RNG_SIGN, stream, n, out);
}

int lem_uniform_fill(lem_stream *stream, size_t n, double *out) {
    return lem_uniform_fill_by(lem_rng_best_kernel(), stream, n, out);
}

int lem_normal_fill(lem_stream *stream, size_t n, double *out) {
    return lem_normal_fill_by(lem_rng_best_kernel(), stream, n, out);
}

int lem_sign_fill(lem_stream *stream, size_t n, double *out) {
    return lem_sign_fill_by(lem_rng_best_kernel(), stream, n, out);
}

/* A single draw needs one block: the scalar kernel has the least overhead. */
double lem_uniform(lem_stream *stream) {
    double value = NAN;
    return lem_uniform_fill_by(&lem_rng_kernel_scalar, stream, 1, &value) ? NAN : value;
}

double lem_normal(lem_stream *stream) {
    double value = NAN;
    return lem_normal_fill_by(&lem_rng_kernel_scalar, stream, 1, &value) ? NAN : value;
}

/* --- integers --- */

__extension__ typedef unsigned __int128 uint128;

/* Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019): the high half of the product
 * word * bound is the integer; a word is rejected when the low half is below 2^64 mod bound, which leaves
 * each integer exactly floor(2^64 / bound) words.
 *
 * Walks from `item` until n words were accepted; returns the item after the last one used, or 0 when the
 * stream ends before. out == NULL: only count. */
static uint64_t walk(const lem_rng_kernel *kernel, const lem_rng_place *place, uint64_t item, uint64_t bound,
                     size_t n, uint64_t *out) {
    const uint64_t rejected_below = (0 - bound) % bound; /* 2^64 mod bound */
    size_t accepted = 0;
    while (accepted < n && item < LEM_RNG_ITEMS) {
        uint64_t words[2 * LEM_RNG_BATCH];
        size_t blocks = batch_blocks(kernel, item, n - accepted);
        kernel->words(place, (uint32_t)(item / 2), blocks, words);
        for (size_t i = item & 1; i < 2 * blocks && accepted < n && item < LEM_RNG_ITEMS; i++, item++) {
            uint128 product = (uint128)words[i] * bound;
            if ((uint64_t)product < rejected_below)
                continue;
            if (out)
                out[accepted] = (uint64_t)(product >> 64);
            accepted++;
        }
    }
    return accepted == n ? item : 0;
}

int lem_integer_fill_by(const lem_rng_kernel *kernel, lem_stream *stream, uint64_t bound, size_t n,
                        uint64_t *out) {
    if (bound < 1 || bound > UINT64_C(1) << 63)
        return LEM_ERROR(GSL_EDOM, "bound = %" PRIu64 ": must be in 1, ..., 2^63", bound);
    int status = check(stream, LEM_RNG_INTEGER, n, out);
    if (status || n == 0)
        return status;
    lem_rng_place place = lem_rng_place_of(stream);
    uint64_t item = lem_rng_next_item(stream, LEM_RNG_INTEGER), left = LEM_RNG_ITEMS - item;
    /* A word is rejected with probability below 1/3. With 4 n + 4096 words left, fewer than n accepted ones
     * have a probability below 2^-2000 (Hoeffding); with less, count first, so that a failure writes nothing.
     */
    if (left / 4 < n + UINT64_C(1024) && walk(kernel, &place, item, bound, n, NULL) == 0)
        return out_of_range(n);
    uint64_t end = walk(kernel, &place, item, bound, n, out);
    if (end == 0)
        return out_of_range(n);
    stream->kind = LEM_RNG_INTEGER;
    stream->item = end;
    return GSL_SUCCESS;
}

int lem_integer_fill(lem_stream *stream, uint64_t bound, size_t n, uint64_t *out) {
    return lem_integer_fill_by(lem_rng_best_kernel(), stream, bound, n, out);
}

uint64_t lem_integer(lem_stream *stream, uint64_t bound) {
    uint64_t value = 0;
    return lem_integer_fill_by(&lem_rng_kernel_scalar, stream, bound, 1, &value) ? 0 : value;
}
