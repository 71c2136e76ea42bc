/* Sign bits of projections (SimHash), packed 64 to a word. */
#ifndef LEM_PROJECTION_SIMHASH_BITS_H
#define LEM_PROJECTION_SIMHASH_BITS_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words of one hash of n bits: ceil(n / 64). */
LEM_API size_t lem_simhash_words(size_t n);

/* The signs of the rows of Y (N x n, projected data) as N hashes of lem_simhash_words(n) words each, one
 * after the other. Bit j of a hash is bit j mod 64 of its word j / 64: 1 where y_j < 0, else 0 (so for 0 and
 * -0 too); bits beyond n are 0. GSL_EFAULT: null pointer; GSL_EBADLEN: empty Y; GSL_EINVAL: an entry not
 * finite. Thread-safe. */
LEM_API int lem_simhash_pack(const gsl_matrix *y, uint64_t *hashes);

/* How many bits differ between two hashes of `words` words: K ~ Bin(n, theta/pi) for rows at angle theta
 * under a Gaussian projection (Charikar 2002; claim jl.simhash). */
LEM_API size_t lem_simhash_distance(const uint64_t *a, const uint64_t *b, size_t words);

/* distances[i n_database + j] = distance of query i and database hash j, for nearest neighbours; with queries
 * == database all pairs. Rows are dealt out to `threads` (0: as many as OpenMP gives). GSL_EFAULT: null
 * pointer; GSL_EBADLEN: words == 0, or 2^26 or more. */
LEM_API int lem_simhash_distances(const uint64_t *queries, size_t n_queries, const uint64_t *database,
                                  size_t n_database, size_t words, uint32_t *distances, int threads);

/* Estimates from K of n differing bits: the angle pi K/n (unbiased) and the cosine cos(pi K/n) (biased:
 * lem_simhash_cos_mean_var). 0 <= K <= n, n >= 1; else NaN. */
LEM_API double lem_simhash_angle(size_t k, size_t n);
LEM_API double lem_simhash_cosine(size_t k, size_t n);

#ifdef __cplusplus
}
#endif
#endif
