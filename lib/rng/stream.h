/* Counter-based random streams: Philox4x32-10 addressed by (seed, study, purpose, chunk).
 *
 * Key = the 64-bit seed (low word first); counter = (block, chunk, purpose, study), 32 bits each. Block b
 * gives two 64-bit words, w_2b from outputs 0 (low) and 1 (high), w_2b+1 from outputs 2 and 3. From these:
 *
 *     uniform i = (w_i >> 11) 2^-53                                        in [0, 1)
 *     normal 2b = r cos(2 pi t), normal 2b + 1 = r sin(2 pi t)             (Box-Muller)
 *         r = sqrt(-2 log u), u = ((w_2b >> 11) + 1) 2^-53 in (0, 1], t = (w_2b+1 >> 11) 2^-53
 *     sign i    = -1 when the top bit of w_i is set, else +1
 *     integer   = floor(bound w / 2^64) of the next word w that is not rejected; rejected are those with
 *                 bound w mod 2^64 < 2^64 mod bound (Lemire), so that all results are equally likely
 *
 * Normals are cut at sqrt(106 log 2) = 8.5717, beyond which lies 1.0e-17 of the mass. Each carries a relative
 * error of at most 8 machine epsilons (SLEEF's log and sincospi are within 3.5 units in the last place).
 *
 * These scalar formulas are the definition: a bulk fill gives the same bits, however it is split and whatever
 * instructions the processor has. Items are numbered from 0 in a stream; changing from one kind of draw to
 * another starts at the next whole block, so that no word serves twice.
 *
 * Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011), for
 * Philox; Box and Muller, Ann. Math. Statist. 29 (1958) 610; Lemire, ACM TOMACS 29 (2019), arXiv:1805.10941.
 */
#ifndef LEM_RNG_STREAM_H
#define LEM_RNG_STREAM_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value type: copy it to replay a stream. Fields are private; set them by lem_stream_init. */
typedef struct {
    uint64_t seed;
    uint32_t study, purpose, chunk;
    uint32_t kind; /* of the last draw; see stream.c */
    uint64_t item; /* items drawn, in half blocks: 2 block + half */
} lem_stream;

/* FNV-1a of a name, 32 bits: the study and purpose words of a stream. NULL counts as "". Two names may share
 * an id: tests check the names in use. */
LEM_API uint32_t lem_stream_id(const char *name);

/* Point a stream at its first item. seed < 2^63, else GSL_EDOM. */
LEM_API int lem_stream_init(lem_stream *stream, uint64_t seed, uint32_t study, uint32_t purpose,
                            uint32_t chunk);

/* Fill out[0..n-1]; the stream moves on by n items. GSL_ERANGE when fewer than n items are left of the 2^32
 * blocks; GSL_EFAULT for a null pointer (out may be NULL when n = 0). On error nothing is written and the
 * stream does not move. Not thread-safe on one stream; distinct streams are independent. */
LEM_API int lem_uniform_fill(lem_stream *stream, size_t n, double *out); /* [0, 1), multiples of 2^-53 */
LEM_API int lem_normal_fill(lem_stream *stream, size_t n, double *out);  /* N(0, 1) */
LEM_API int lem_sign_fill(lem_stream *stream, size_t n,
                          double *out); /* -1 or +1, each with probability 1/2 */

/* Unbiased whole numbers in {0, ..., bound - 1}, 1 <= bound <= 2^63, else GSL_EDOM. Rejection makes the
 * number of items used vary: n / (1 - p) on average, p = (2^64 mod bound) / 2^64 < 1/3. */
LEM_API int lem_integer_fill(lem_stream *stream, uint64_t bound, size_t n, uint64_t *out);

/* One draw, the same as a fill of one; NaN (or 0 for the integer) on error. For hot loops prefer the fills:
 * about twenty times as fast. */
LEM_API double lem_uniform(lem_stream *stream);
LEM_API double lem_normal(lem_stream *stream);
LEM_API uint64_t lem_integer(lem_stream *stream, uint64_t bound);

#ifdef __cplusplus
}
#endif
#endif
