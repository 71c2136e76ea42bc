#include "study/ranks_mpi.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* MPI's own errors end all ranks with MPI's message: its default, and the best one can do. */

enum { TAG_WARNING = 1 };
size_t lem_mpi_largest = (size_t)1 << 30;

static struct {
    bool started;
    MPI_Comm all;
    int rank, ranks;
    lem_report *reports; /* [ranks] */
    int *counts, *places;
    /* Warnings since the last agreement. */
    bool warned;
    bool *heard; /* [ranks]: the warning of this rank has come */
    uint64_t warning, lowest;
    MPI_Request *sent; /* [ranks] */
    lem_ranks_cost cost;
} mpi;

static double seconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- agreements */

/* Wait without burning a processor that another rank, or gnuplot, could use: ranks wait for each other for
 * long when rank 0 draws, or when chunks are of uneven cost. */
static void wait_for(MPI_Request *request) {
    enum { SPINS = 2000, LONGEST_NS = 1000000 };
    struct timespec pause = {0, 20000};
    int done = 0;
    for (int spins = 0; !done; spins++) {
        (void)MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done || spins < SPINS)
            continue;
        (void)nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec > LONGEST_NS ? LONGEST_NS : 2 * pause.tv_nsec;
    }
}

static void take_warning(int from) {
    uint64_t chunk;
    (void)MPI_Recv(&chunk, 1, MPI_UINT64_T, from, TAG_WARNING, mpi.all, MPI_STATUS_IGNORE);
    mpi.heard[from] = true;
    mpi.lowest = chunk < mpi.lowest ? chunk : mpi.lowest;
}

/* Receive what is still on its way, so that no warning outlives its run. Messages between two ranks keep
 * their order, so a warning of the next run is not taken for one of this. */
static void settle_warnings(void) {
    for (int r = 0; r < mpi.ranks; r++)
        if (r != mpi.rank && mpi.reports[r].warned && !mpi.heard[r])
            take_warning(r);
    if (mpi.warned)
        (void)MPI_Waitall(mpi.ranks, mpi.sent, MPI_STATUSES_IGNORE);
    memset(mpi.heard, 0, (size_t)mpi.ranks * sizeof *mpi.heard);
    mpi.warned = false;
    mpi.lowest = LEM_NO_CHUNK;
}

static const lem_report *agree(const lem_report *mine, void *ctx) {
    (void)ctx;
    MPI_Request request;
    double start = seconds_now();
    (void)MPI_Iallgather(mine, sizeof *mine, MPI_BYTE, mpi.reports, sizeof *mine, MPI_BYTE, mpi.all,
                         &request);
    wait_for(&request);
    settle_warnings();
    mpi.cost.seconds += seconds_now() - start;
    mpi.cost.agreements++;
    mpi.cost.bytes += (double)((size_t)(mpi.ranks - 1) * sizeof *mine);
    return mpi.reports;
}

static uint64_t warn(uint64_t chunk, void *ctx) {
    (void)ctx;
    int there = 0;
    MPI_Status status;
    if (chunk != LEM_NO_CHUNK && !mpi.warned) {
        mpi.warned = true;
        mpi.warning = chunk;
        for (int r = 0; r < mpi.ranks; r++)
            if (r != mpi.rank)
                (void)MPI_Isend(&mpi.warning, 1, MPI_UINT64_T, r, TAG_WARNING, mpi.all, &mpi.sent[r]);
    }
    (void)MPI_Iprobe(MPI_ANY_SOURCE, TAG_WARNING, mpi.all, &there, &status);
    while (there) {
        take_warning(status.MPI_SOURCE);
        (void)MPI_Iprobe(MPI_ANY_SOURCE, TAG_WARNING, mpi.all, &there, &status);
    }
    return mpi.lowest;
}

/* --- gathering */

/* The part of the buffer that anybody holds. */
typedef struct {
    size_t start, end, bytes;
} span;

static span span_of(const size_t *offsets, const size_t *bytes) {
    span s = {SIZE_MAX, 0, 0};
    for (int r = 0; r < mpi.ranks; r++) {
        if (bytes[r] == 0)
            continue;
        s.start = offsets[r] < s.start ? offsets[r] : s.start;
        s.end = offsets[r] + bytes[r] > s.end ? offsets[r] + bytes[r] : s.end;
        s.bytes += bytes[r];
    }
    return s;
}

static void gather_at_once(char *buffer, size_t start, const size_t *offsets, const size_t *bytes) {
    for (int r = 0; r < mpi.ranks; r++) {
        mpi.counts[r] = (int)bytes[r];
        mpi.places[r] = bytes[r] ? (int)(offsets[r] - start) : 0;
    }
    (void)MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer + start, mpi.counts, mpi.places, MPI_BYTE,
                         mpi.all);
}

static void gather_in_pieces(char *buffer, const size_t *offsets, const size_t *bytes) {
    for (int r = 0; r < mpi.ranks; r++)
        for (size_t at = 0; at < bytes[r]; at += lem_mpi_largest) {
            size_t piece = bytes[r] - at < lem_mpi_largest ? bytes[r] - at : lem_mpi_largest;
            (void)MPI_Bcast(buffer + offsets[r] + at, (int)piece, MPI_BYTE, r, mpi.all);
        }
}

static int gather(void *buffer, const size_t *offsets, const size_t *bytes, void *ctx) {
    (void)ctx;
    double begin = seconds_now();
    span all = span_of(offsets, bytes);
    if (all.bytes > 0 && all.end - all.start <= lem_mpi_largest)
        gather_at_once(buffer, all.start, offsets, bytes);
    else
        gather_in_pieces(buffer, offsets, bytes);
    mpi.cost.seconds += seconds_now() - begin;
    mpi.cost.gathers++;
    mpi.cost.bytes += (double)(all.bytes - bytes[mpi.rank]);
    return GSL_SUCCESS;
}

/* --- begin and end */

static void alloc_lists(void) {
    size_t n = (size_t)mpi.ranks;
    mpi.reports = calloc(n, sizeof *mpi.reports);
    mpi.counts = calloc(n, sizeof *mpi.counts);
    mpi.places = calloc(n, sizeof *mpi.places);
    mpi.heard = calloc(n, sizeof *mpi.heard);
    mpi.sent = calloc(n, sizeof(MPI_Request));
    if (!mpi.reports || !mpi.counts || !mpi.places || !mpi.heard || !mpi.sent) {
        (void)fprintf(stderr, "no memory for %d ranks\n", mpi.ranks);
        (void)MPI_Abort(mpi.all, EXIT_FAILURE);
    }
    for (int r = 0; r < mpi.ranks; r++)
        mpi.sent[r] = MPI_REQUEST_NULL;
    mpi.lowest = LEM_NO_CHUNK;
}

int lem_mpi_begin(lem_transport *transport) {
    int provided = MPI_THREAD_SINGLE, rank, ranks;
    (void)MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    mpi.started = true;
    (void)MPI_Comm_dup(MPI_COMM_WORLD, &mpi.all);
    (void)MPI_Comm_rank(mpi.all, &rank);
    (void)MPI_Comm_size(mpi.all, &ranks);
    mpi.rank = rank;
    mpi.ranks = ranks;
    alloc_lists();
    *transport = (lem_transport){rank, ranks, agree, gather, warn, NULL};
    if (provided < MPI_THREAD_FUNNELED)
        return LEM_ERROR(GSL_EFAILED, "this MPI does not let programs have threads (MPI_THREAD_FUNNELED)");
    return GSL_SUCCESS;
}

void lem_mpi_end(void) {
    if (!mpi.started)
        return;
    free(mpi.reports);
    free(mpi.counts);
    free(mpi.places);
    free(mpi.heard);
    free(mpi.sent);
    (void)MPI_Comm_free(&mpi.all);
    (void)MPI_Finalize();
    mpi.started = false;
}

lem_ranks_cost lem_mpi_spent(void) {
    return mpi.cost;
}

/* --- processors */

#ifdef __linux__
/* The launcher may have bound each rank to processors of its own, or all to the same: count their union. */
static int processors_of_machine(MPI_Comm machine) {
    cpu_set_t set;
    CPU_ZERO(&set);
    (void)sched_getaffinity(0, sizeof set, &set);
    (void)MPI_Allreduce(MPI_IN_PLACE, &set, sizeof set, MPI_BYTE, MPI_BOR, machine);
    return CPU_COUNT(&set);
}
#else
static int processors_of_machine(MPI_Comm machine) {
    int n = 1;
#ifdef _OPENMP
    n = omp_get_num_procs();
#endif
    (void)MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_MAX, machine);
    return n;
}
#endif

int lem_mpi_processors(void) {
    MPI_Comm machine;
    int ranks;
    (void)MPI_Comm_split_type(mpi.all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    (void)MPI_Comm_size(machine, &ranks);
    int processors = processors_of_machine(machine) / ranks;
    (void)MPI_Comm_free(&machine);
    return processors > 0 ? processors : 1;
}
