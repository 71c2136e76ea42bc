/* Our streams as a generator of GSL, for gsl_ran_* and whatever else takes a gsl_rng.
 *
 * gsl_rng_get gives the 64-bit words of the stream in order (their top bits where unsigned long is shorter),
 * gsl_rng_uniform gives (word >> 11) 2^-53 of the next word: what lem_uniform_fill gives on the same stream.
 * gsl_rng_clone and gsl_rng_memcpy copy the position. Nothing is registered: GSL's list of generators,
 * gsl_rng_default and gsl_rng_default_seed stay as they are. A generator is used by one thread at a time. */
#ifndef LEM_RNG_GSL_ADAPTOR_H
#define LEM_RNG_GSL_ADAPTOR_H

#include "rng/stream.h"

#include <gsl/gsl_rng.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For gsl_rng_alloc. gsl_rng_set takes any seed (0 too) and starts at the stream with study = purpose =
 * lem_stream_id("gsl_rng"), chunk 0; after 2^33 draws chunk 1 follows, and so on: 2^65 draws. */
LEM_API extern const gsl_rng_type *const lem_gsl_rng_philox;

/* A new generator that starts at the next item of a stream, to be freed by gsl_rng_free. The stream itself
 * does not move: give the generator a purpose (or chunk) of its own. It has what is left of the stream's 2^33
 * items and does not go over into other chunks: after that gsl_rng_get gives 0, gsl_rng_uniform NaN, and both
 * leave GSL_ERANGE's sentence in lem_last_error(). gsl_rng_set makes it a generator seeded as above. NULL on
 * error: GSL_EFAULT for a null pointer, GSL_ENOMEM. */
LEM_API gsl_rng *lem_gsl_rng_alloc(const lem_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
