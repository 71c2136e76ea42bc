/* The processes that share one run: one, unless the driver was built with MPI and started by mpirun or a
 * batch scheduler. Every rank runs the whole driver; lem_study_mc deals its chunks to all of them, everything
 * else is repeated by each and must come out the same. Rank 0 alone prints and writes.
 *
 * One set of ranks for the process; call from the main thread. */
#ifndef LEM_STUDY_RANKS_H
#define LEM_STUDY_RANKS_H

#include "stat/transport.h"

#include <stdbool.h>

/* Find the other ranks. GSL_EINVAL, with the sentence, when this process was started as one of several that
 * cannot know of each other: their runs would overwrite one another. Then lem_rank() is the number that the
 * launcher gave. */
int lem_ranks_begin(void);

/* Leave them. Returns the exit status of this process: what rank 0 passes, and 0 on the others, which the
 * launcher would otherwise end rank 0 for, before it has had its say. */
int lem_ranks_end(int exit_status);

int lem_rank(void);
int lem_ranks(void);
static inline bool lem_is_root(void) {
    return lem_rank() == 0;
}

/* For lem_mc_plan; NULL when there is one rank. */
const lem_transport *lem_ranks_transport(void);

/* How a step that is named went here; returns alike on all ranks: 0 when it went well on all, otherwise the
 * status of the first that failed, its sentence in lem_last_error(). When a rank turns out to be at another
 * step, the run is over: this and all that follow fail at once. */
int lem_ranks_agree(const char *step, int status);

/* Ranks were found at different steps: the last error is already about the run, not about what was under way
 * here.
 */
bool lem_ranks_parted(void);

/* GSL_EINVAL on all ranks, with both texts, when one holds another text (its first 255 bytes) than rank 0.
 * what: "other options". Only after they agreed. */
int lem_ranks_compare(const char *what, const char *text);

/* Rank 0's number, on all ranks. Only after they agreed. */
uint64_t lem_ranks_of_root(uint64_t number);

/* Threads for this rank when nobody asked for a number: as many as OpenMP gives, but all ranks of a machine
 * together no more than the processors they may use. */
int lem_ranks_threads(void);

/* What the exchanges of this rank have cost so far. */
typedef struct {
    double seconds; /* waiting for the others included */
    double bytes;   /* received from the others */
    double agreements, gathers;
} lem_ranks_cost;
lem_ranks_cost lem_ranks_spent(void);

#endif
