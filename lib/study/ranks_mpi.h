/* Internal to ranks.c: the transport that MPI serves. Only in builds with -Dmpi=enabled. */
#ifndef LEM_STUDY_RANKS_MPI_H
#define LEM_STUDY_RANKS_MPI_H

#include "study/ranks.h"

/* Start MPI and fill in the transport, of one rank if this is the only process. */
int lem_mpi_begin(lem_transport *transport);
void lem_mpi_end(void);

/* The processors that the ranks of this machine may use, shared out evenly, at least 1. */
int lem_mpi_processors(void);

lem_ranks_cost lem_mpi_spent(void);

/* The largest message, in bytes: MPI counts in int. Tests make it small. */
extern size_t lem_mpi_largest;

#endif
