/* Counter-based random streams: Philox4x32-10 addressed by (seed, study, purpose, chunk).
 *
 * Key = the 64-bit seed (low word first); counter = (block, chunk, purpose, study), 32 bits each. Block b
 * gives two 64-bit words, w0 from outputs 0 (low) and 1 (high), w1 from outputs 2 and 3. uniform 2b, 2b+1   =
 * (w0 >> 11) 2^-53, (w1 >> 11) 2^-53                                   in [0, 1) normal  2b, 2b+1   = r cos(2
 * pi t), r sin(2 pi t);  r = sqrt(-2 log u), u = ((w0 >> 11) + 1) 2^-53 in (0, 1], t = (w1 >> 11) 2^-53
 * (Box-Muller; |normal| <= 8.57, the tail beyond is cut) These scalar formulas are the definition: a bulk
 * fill gives the same bits, however it is split and whatever instructions the processor has. Items are
 * numbered from 0 in a stream; changing from one kind of draw to another starts at the next whole block, so
 * that no word serves twice. */
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

/* FNV-1a of a name, 32 bits: the study and purpose words of a stream. */
LEM_API uint32_t lem_stream_id(const char *name);

/* Point a stream at its first item. seed < 2^63, else GSL_EDOM. */
LEM_API int lem_stream_init(lem_stream *stream, uint64_t seed, uint32_t study, uint32_t purpose,
                            uint32_t chunk);

/* Fill out[0..n-1]; the stream moves on by n items. GSL_ERANGE (and nothing written) when fewer than n items
 * are left of the 2^32 blocks; GSL_EFAULT for a null pointer. Not thread-safe on one stream; distinct streams
 * are independent. */
LEM_API int lem_uniform_fill(lem_stream *stream, size_t n, double *out); /* [0, 1), multiples of 2^-53 */
LEM_API int lem_normal_fill(lem_stream *stream, size_t n, double *out);  /* N(0, 1) */
LEM_API int lem_sign_fill(lem_stream *stream, size_t n,
                          double *out); /* -1 or +1, each with probability 1/2 */

/* Unbiased whole numbers in {0, ..., bound - 1}, 1 <= bound <= 2^63; rejection, so the number of items used
 * varies. */
LEM_API int lem_integer_fill(lem_stream *stream, uint64_t bound, size_t n, uint64_t *out);

/* One draw; NaN (or 0 for the integer) on error. For hot loops prefer the fills. */
LEM_API double lem_uniform(lem_stream *stream);
LEM_API double lem_normal(lem_stream *stream);
LEM_API uint64_t lem_integer(lem_stream *stream, uint64_t bound);

#ifdef __cplusplus
}
#endif
#endif
