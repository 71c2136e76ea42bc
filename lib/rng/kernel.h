/* Internal: what a fast kernel provides, one kernel per instruction set.
 *
 * kernel_scalar.c is the definition; every other kernel gives its bits. That needs: Philox in whole numbers;
 * conversions to double that are exact; SLEEF's Sleef_cinz_* functions, which are the same sequence of IEEE
 * operations at every vector width, without fused multiply-add; a correctly rounded square root; and no
 * contraction (-ffp-contract=off).
 *
 * A fill runs in batches that stay in the first-level cache: words first, then their transformation. Mixing
 * the two is slower, for a call of SLEEF spills the Philox states that were in flight. */
#ifndef LEM_RNG_KERNEL_H
#define LEM_RNG_KERNEL_H

#include "rng/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LEM_RNG_BATCH = 64 }; /* blocks; a multiple of every kernel's group */

#define LEM_RNG_ITEMS (UINT64_C(1) << 33) /* of a stream: two for each of its 2^32 blocks */

/* lem_stream.kind: of the last draw; a stream that has not been drawn from has none. */
enum { LEM_RNG_NONE, LEM_RNG_UNIFORM, LEM_RNG_NORMAL, LEM_RNG_SIGN, LEM_RNG_INTEGER };

/* Where a stream lives: the key, and the counter words above the block. */
typedef struct {
    uint32_t key[2];
    uint32_t chunk, purpose, study;
} lem_rng_place;

/* `blocks` is a positive multiple of `group`; words and out hold 2 blocks items. */
typedef void lem_rng_transform(const uint64_t *words, size_t blocks, double *out);

typedef struct {
    const char *name;
    bool (*runs_here)(void); /* does this processor have the instructions? */
    size_t group;            /* blocks */
    /* Blocks first, first + 1, ... (modulo 2^32, for the padding of the last group). */
    void (*words)(const lem_rng_place *place, uint32_t first, size_t blocks, uint64_t *words);
    lem_rng_transform *uniform, *normal, *sign;
} lem_rng_kernel;

extern const lem_rng_kernel lem_rng_kernel_scalar;
#ifdef __x86_64__
extern const lem_rng_kernel lem_rng_kernel_avx2;
extern const lem_rng_kernel lem_rng_kernel_avx512;
#endif

/* The kernels built in, slowest (scalar) first, NULL at the end. */
extern const lem_rng_kernel *const lem_rng_kernels[];

/* The fastest one that this processor runs. Thread-safe. */
const lem_rng_kernel *lem_rng_best_kernel(void);

lem_rng_place lem_rng_place_of(const lem_stream *stream);

/* The item at which the next draw of a kind starts; may be past the end. */
uint64_t lem_rng_next_item(const lem_stream *stream, uint32_t kind);

/* The public fills, on a kernel of choice: how tests and benchmarks compare kernels. */
int lem_uniform_fill_by(const lem_rng_kernel *kernel, lem_stream *stream, size_t n, double *out);
int lem_normal_fill_by(const lem_rng_kernel *kernel, lem_stream *stream, size_t n, double *out);
int lem_sign_fill_by(const lem_rng_kernel *kernel, lem_stream *stream, size_t n, double *out);
int lem_integer_fill_by(const lem_rng_kernel *kernel, lem_stream *stream, uint64_t bound, size_t n,
                        uint64_t *out);

#endif
