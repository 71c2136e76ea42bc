/* Deterministic parallel Monte Carlo: the same bits for any number of threads, and of processes.
 *
 * `samples` are cut into chunks of `chunk_size` (the last may be short). Chunk c draws from its own stream
 * (seed, study, purpose, c) and fills accumulators of its own; they are merged pairwise in a fixed binary
 * tree over the chunk numbers. Everything a chunk gives back travels in the flat lem_mc_result: moments,
 * counts, and records. */
#ifndef LEM_STAT_MC_H
#define LEM_STAT_MC_H

#include "rng/stream.h"
#include "stat/moments.h"
#include "stat/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one chunk fills; all arrays start empty (moments), zero (counts, sums), NaN (records). */
typedef struct {
    lem_moments *moments; /* [n_moments] */
    uint64_t *counts;     /* [n_counts], merged by addition */
    double
        *records; /* [count * n_records]: row i belongs to sample first + i; concatenated in sample order */
} lem_mc_result;

/* Compute samples first .. first + count - 1 of the run into out, drawing only from stream. Called from
 * several threads at once with different streams, workspaces and results; ctx is shared and must not be
 * written. Returns 0, or a GSL status after LEM_ERROR: then the run stops, and the lowest failing chunk is
 * the one reported. */
typedef int (*lem_mc_chunk)(lem_stream *stream, size_t first, size_t count, void *workspace,
                            lem_mc_result *out, const void *ctx);

typedef struct {
    uint64_t seed;
    uint32_t study, purpose; /* words of the streams: lem_stream_id(name) */
    size_t samples, chunk_size;
    size_t n_moments, n_counts, n_records;
    int threads; /* 0: as many as OpenMP gives; 1 without OpenMP */
    lem_mc_chunk chunk;
    const void *ctx;
    void *(*workspace_alloc)(
        const void *ctx); /* one per thread, NULL on failure; may be NULL: no workspace */
    void (*workspace_free)(void *workspace);
    /* Called by one thread at a time as chunks end, with the chunks of this process; a non-zero return stops
     * the run with GSL_EFAILED. May be NULL. */
    int (*progress)(size_t chunks_done, size_t chunks, void *progress_ctx);
    void *progress_ctx;
    /* The processes that share the chunks; NULL: this one runs them all. Every rank runs the same plan, and
     * ends with the whole result, or with the same error. */
    const lem_transport *transport;
} lem_mc_plan;

/* Run the plan; result's arrays are the caller's, of the plan's sizes (records: samples * n_records), NULL
 * where the size is 0, and are overwritten. On error result is left as it was, and lem_last_error() says
 * "chunk C of N (samples from F): " and the sentence of the failed chunk, whichever thread ran it.
 * GSL_EINVAL: samples or chunk_size 0, more than 2^32 chunks, negative threads, a null pointer where one is
 * needed, a transport whose rank is not below its ranks; GSL_EDOM: seed >= 2^63; GSL_ENOMEM; GSL_EFAILED:
 * stopped by progress; or what the chunk returned.
 *
 * The bits of result depend on seed, study, purpose, samples and chunk_size alone, as long as the chunk
 * function is deterministic (BLAS inside it must run on one thread: lem_blas_single_thread). Memory: moments
 * and counts of at most 2 (threads + 1) log2(chunks) + threads chunks at a time; the records twice.
 * Thread-safe; may be called from within a chunk or a progress call-back. Forgets the calling thread's last
 * error.
 *
 * With a transport the bits are the same again. Of R ranks each runs up to 32 blocks of 2^k neighbouring
 * chunks, k as small as that allows, dealt in turn with the first rank moving on by one at each turn; memory
 * grows by at most 32 R nodes (or one for each chunk, if these are fewer), which all ranks exchange when
 * their chunks are done. All ranks must call with the same plan, except for threads and progress, which may
 * differ; the transport is called by the calling thread alone. A run from within a chunk or a progress
 * call-back is never shared, whatever its transport says. */
LEM_API int lem_mc_run(const lem_mc_plan *plan, lem_mc_result *result);

#ifdef __cplusplus
}
#endif
#endif
