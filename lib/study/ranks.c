#include "study/ranks.h"

#include "study/build_config.h"
#ifdef LEM_WITH_MPI
#include "study/ranks_mpi.h"
#endif

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { TEXT = 256 };

static struct {
    lem_transport transport;
    bool over;
    char *texts; /* [ranks][TEXT] */
    size_t *offsets, *bytes;
} here = {.transport = {.rank = 0, .ranks = 1}};

/* --- who started us */

/* What launchers tell the processes they start: how many they are, and which this one is. */
static const struct {
    const char *size, *rank, *name;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun (Open MPI)"},
    {"PMI_SIZE", "PMI_RANK", "mpirun or srun (PMI)"},
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "mpirun (MVAPICH)"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"},
};

typedef struct {
    int ranks, rank;
    const char *variable, *name; /* NULL: no launcher */
} launch;

static int number_in(const char *variable) {
    const char *text = getenv(variable);
    char *end = NULL;
    long number = text ? strtol(text, &end, 10) : -1;
    return text && end != text && *end == '\0' && number >= 0 && number <= INT_MAX ? (int)number : -1;
}

static launch find_launch(void) {
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        int ranks = number_in(launchers[i].size), rank = number_in(launchers[i].rank);
        if (ranks >= 1)
            return (launch){ranks, rank < 0 ? 0 : rank, launchers[i].size, launchers[i].name};
    }
    return (launch){.ranks = 1};
}

/* R processes that take themselves for the only one would each do all the work and write the same files. */
static int refuse_strangers(const launch *found) {
#ifdef LEM_WITH_MPI
    const char *why =
        "but MPI shows each of them no other: start the study with the mpirun of the MPI it was built "
        "with, or let srun speak its protocol (srun --mpi=list, then --mpi=pmix say)";
#else
    const char *why =
        "but this build knows no MPI, so each would do the whole run and overwrite the others: start "
        "one, or build with -Dmpi=enabled";
#endif
    if (found->ranks <= 1 || here.transport.ranks > 1)
        return GSL_SUCCESS;
    here.transport.rank = found->rank;
    return LEM_ERROR(
        GSL_EINVAL,
        "%s has started %d processes (%s), %s; for separate runs, each with its own --out, unset that "
        "variable",
        found->name, found->ranks, found->variable, why);
}

/* --- begin and end */

#ifdef LEM_WITH_MPI
/* MPI is not even started for a process that nobody launched: it would take a while for nothing. */
static int begin_mpi(const launch *found) {
    if (!found->name && !getenv("PMIX_RANK"))
        return GSL_SUCCESS;
    int status = lem_mpi_begin(&here.transport);
    size_t ranks = (size_t)here.transport.ranks;
    if (status)
        return status;
    here.texts = calloc(ranks, TEXT);
    here.offsets = calloc(ranks, sizeof *here.offsets);
    here.bytes = calloc(ranks, sizeof *here.bytes);
    if (here.texts && here.offsets && here.bytes)
        return GSL_SUCCESS;
    (void)fprintf(stderr, "no memory for %zu ranks\n", ranks);
    abort(); /* the launcher ends the others, which cannot know yet */
}
#else
static int begin_mpi(const launch *found) {
    (void)found;
    return GSL_SUCCESS;
}
#endif

int lem_ranks_begin(void) {
    launch found = find_launch();
    int status = begin_mpi(&found);
    return status ? status : refuse_strangers(&found);
}

int lem_ranks_end(int exit_status) {
#ifdef LEM_WITH_MPI
    lem_mpi_end();
#endif
    free(here.texts);
    free(here.offsets);
    free(here.bytes);
    here.texts = NULL;
    here.offsets = here.bytes = NULL;
    return lem_is_root() ? exit_status : 0;
}

int lem_rank(void) {
    return here.transport.rank;
}

int lem_ranks(void) {
    return here.transport.ranks;
}

/* --- exchanges */

static bool together(void) {
    return here.transport.ranks > 1;
}

/* lem_mc's agreements come this way too, so that we know when ranks have parted. */
static const lem_report *agree(const lem_report *mine, void *ctx) {
    (void)ctx;
    if (here.over) {
        (void)LEM_ERROR(GSL_EFAILED, "the run is over: the ranks went different ways");
        return NULL;
    }
    const lem_report *all = here.transport.agree(mine, here.transport.ctx);
    for (int r = 1; all && r < here.transport.ranks; r++)
        here.over = here.over || all[r].where != all[0].where;
    return all;
}

const lem_transport *lem_ranks_transport(void) {
    static lem_transport guarded;
    guarded = here.transport;
    guarded.agree = agree;
    return together() ? &guarded : NULL;
}

static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

int lem_ranks_agree(const char *step, int status) {
    if (!together() || (here.over && status))
        return status;
    lem_report mine = {.where = hash_of(step), .chunk = LEM_NO_CHUNK, .status = status};
    if (status)
        (void)snprintf(mine.sentence, sizeof mine.sentence, "%s", lem_last_error());
    return lem_transport_agree(lem_ranks_transport(), &mine);
}

bool lem_ranks_parted(void) {
    return here.over;
}

static int gather(void *buffer, size_t size) {
    for (int r = 0; r < here.transport.ranks; r++) {
        here.offsets[r] = (size_t)r * size;
        here.bytes[r] = size;
    }
    return here.transport.gather(buffer, here.offsets, here.bytes, here.transport.ctx);
}

int lem_ranks_compare(const char *what, const char *text) {
    if (!together())
        return GSL_SUCCESS;
    char *mine = here.texts + (size_t)here.transport.rank * TEXT;
    (void)snprintf(mine, TEXT, "%s", text);
    int status = gather(here.texts, TEXT);
    for (int r = 1; r < here.transport.ranks && !status; r++) {
        const char *other = here.texts + (size_t)r * TEXT;
        if (strcmp(other, here.texts) != 0)
            status = LEM_ERROR(GSL_EINVAL, "rank %d of %d has %s than rank 0: \"%s\" instead of \"%s\"", r,
                               here.transport.ranks, what, other, here.texts);
    }
    return status;
}

uint64_t lem_ranks_of_root(uint64_t number) {
    if (!together())
        return number;
    memcpy(here.texts + (size_t)here.transport.rank * sizeof number, &number, sizeof number);
    if (gather(here.texts, sizeof number) == GSL_SUCCESS)
        memcpy(&number, here.texts, sizeof number);
    return number;
}

int lem_ranks_threads(void) {
#ifdef _OPENMP
    int threads = omp_get_max_threads();
#else
    int threads = 1;
#endif
#ifdef LEM_WITH_MPI
    int processors = together() ? lem_mpi_processors() : threads;
    threads = threads < processors ? threads : processors;
#endif
    return threads;
}

lem_ranks_cost lem_ranks_spent(void) {
#ifdef LEM_WITH_MPI
    return lem_mpi_spent();
#else
    return (lem_ranks_cost){0, 0, 0, 0};
#endif
}
