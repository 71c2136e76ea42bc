/* Draws from laws with heavier tails than the normal's, made of normals by additions, products, quotients and
 * square roots alone: so they have the same bits on every processor, as the normals have (rng/stream.h).
 *
 *     exponential   (Z1^2 + Z2^2)/2                              mean 1
 *     Laplace       (Z1^2 + Z2^2 - Z3^2 - Z4^2)/2                density e^-|x|/2
 *     Student       Z0 sqrt(df)/sqrt(Z1^2 + ... + Z_df^2)        df a whole number
 *     Cauchy        Z1/Z2                                        density 1/(pi (1 + x^2))
 *
 * Z1, Z2, ... are the next normals of the stream, in their order: a fill gives the same values however it is
 * split, and moves the stream by n times the normals of one draw. What the normals cannot reach, these do not
 * reach either: an exponential stays below 36.8, a Cauchy below 1.5e15 (Z2 = 0, of probability 2^-52, counts
 * as half of the smallest sine that the stream gives). */
#ifndef LEM_RNG_LAWS_H
#define LEM_RNG_LAWS_H

#include "rng/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fill out[0..n-1]. GSL_EFAULT: null pointer (out may be NULL when n = 0); GSL_ERANGE: the stream does not
 * hold that many normals; nothing is written then and the stream does not move. Not thread-safe on one
 * stream. */
LEM_API int lem_exponential_fill(lem_stream *stream, size_t n, double *out);
LEM_API int lem_laplace_fill(lem_stream *stream, size_t n, double *out);
LEM_API int lem_cauchy_fill(lem_stream *stream, size_t n, double *out);
/* 1 <= df <= 100, else GSL_EDOM. */
LEM_API int lem_student_fill(lem_stream *stream, unsigned df, size_t n, double *out);

#ifdef __cplusplus
}
#endif
#endif
