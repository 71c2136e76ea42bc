/* How the processes of one run talk to each other: filled in by whoever knows how (lib/study, through MPI),
 * used by lem_mc, which deals the chunks of a run to them. The library itself knows no MPI.
 *
 * All processes ("ranks") run the same program on the same input, and call agree and gather in the same
 * order. Before each gather they agree: each reports whether all went well, and where in the program it is,
 * so that a rank that failed, or went another way, ends the run of all instead of leaving the others waiting.
 */
#ifndef LEM_STAT_TRANSPORT_H
#define LEM_STAT_TRANSPORT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No chunk, in a report or a warning: above every chunk number. */
#define LEM_NO_CHUNK UINT64_MAX

/* What a rank tells the others; sent as it lies in memory. */
typedef struct {
    uint64_t where; /* names the point of the program: the same on all ranks */
    uint64_t chunk; /* the lowest failing chunk of this rank; LEM_NO_CHUNK: the failure is of none */
    int32_t status; /* 0, or the GSL status of the failure, whose sentence follows */
    int32_t warned; /* 1: this rank has called warn with a chunk since it last agreed, 0: it has not */
    char sentence[512];
} lem_report;

typedef struct {
    int rank, ranks; /* 0 <= rank < ranks */
    /* Hand over this rank's report, and return those of all, in the order of the ranks, valid until the next
     * call; NULL after LEM_ERROR when that could not be done, on this rank or on any other: the run is over.
     */
    const lem_report *(*agree)(const lem_report *mine, void *ctx);
    /* Rank r holds the bytes[r] bytes at buffer + offsets[r]; afterwards every rank holds those of all. Both
     * arrays have an entry for each rank, and are the same on all. 0, or a status after LEM_ERROR. */
    int (*gather)(void *buffer, const size_t *offsets, const size_t *bytes, void *ctx);
    /* While chunks run: `chunk` fails here (LEM_NO_CHUNK: none so far). Returns the lowest chunk known to
     * fail on another rank, LEM_NO_CHUNK if none is; what is said and heard ends with the next agree. Called
     * often, so it must not wait. NULL: the other ranks learn of a failure when they have done their own
     * chunks. */
    uint64_t (*warn)(uint64_t chunk, void *ctx);
    void *ctx;
} lem_transport;

/* Report `mine` to all ranks and decide, alike on each of them. 0 when every rank reports success at the same
 * point of the program. Otherwise the status of the lowest failing chunk, or, where no chunk failed, of the
 * lowest failing rank, with its sentence in lem_last_error() of every rank; GSL_EFAILED when none failed but
 * they are at different points. Call it from one thread at a time, the one that started the run. */
LEM_API int lem_transport_agree(const lem_transport *transport, const lem_report *mine);

#ifdef __cplusplus
}
#endif
#endif
