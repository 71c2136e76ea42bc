/* The transport that MPI serves, under mpirun -n R for any R: every rank runs every case, rank 0 prints. */
#include "stat/mc.h"
#include "study/ranks_mpi.h"
#include "tap/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RANKS = 64 };

static void test_place(void) {
    LEM_CHECK(lem_rank() >= 0 && lem_rank() < lem_ranks() && lem_ranks() <= MOST_RANKS, "rank %d of %d",
              lem_rank(), lem_ranks());
    LEM_CHECK(lem_is_root() == (lem_rank() == 0), "rank 0 is the root");
    LEM_CHECK((lem_ranks_transport() != NULL) == (lem_ranks() > 1), "a transport where there is company");
    LEM_CHECK(lem_ranks_threads() >= 1, "%d threads", lem_ranks_threads());
}

static void test_agreement(void) {
    LEM_CHECK(lem_ranks_agree("first", 0) == 0, "%s", lem_last_error());
    /* The last rank fails; all say why. */
    int status = lem_rank() == lem_ranks() - 1 ? LEM_ERROR(GSL_EDOM, "rank %d is tired", lem_rank()) : 0;
    char sentence[64];
    (void)snprintf(sentence, sizeof sentence, "rank %d is tired", lem_ranks() - 1);
    LEM_CHECK(lem_ranks_agree("second", status) == GSL_EDOM, "the failure is told to all");
    LEM_CHECK(strcmp(lem_last_error(), sentence) == 0, "\"%s\"", lem_last_error());
    LEM_CHECK(lem_ranks_agree("third", 0) == 0, "and is over");
    LEM_CHECK(lem_ranks_of_root(100 + (uint64_t)lem_rank()) == 100, "rank 0's number");
    LEM_CHECK(lem_ranks_compare("other words", "the same") == 0, "%s", lem_last_error());
    if (lem_ranks() == 1)
        return;
    LEM_CHECK_ERROR(lem_ranks_compare("other words", lem_rank() == 1 ? "b" : "a"),
                    "rank 1 of|has other words than rank 0|\"b\" instead of \"a\"");
}

/* Pieces of other lengths, one of them empty, with gaps, in another order than the ranks. */
static void gather_once(void) {
    const lem_transport *t = lem_ranks_transport();
    enum { ROOM = 100 };
    static unsigned char buffer[MOST_RANKS * ROOM];
    size_t offsets[MOST_RANKS], bytes[MOST_RANKS], n = (size_t)t->ranks;
    memset(buffer, 0xee, sizeof buffer);
    for (size_t r = 0; r < n; r++) {
        offsets[r] = (n - 1 - r) * ROOM;
        bytes[r] = r == 1 ? 0 : 10 + r;
    }
    memset(buffer + offsets[t->rank], 'a' + t->rank, bytes[t->rank]);
    LEM_CHECK(t->gather(buffer, offsets, bytes, t->ctx) == 0, "%s", lem_last_error());
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < ROOM; i++)
            LEM_CHECK(buffer[offsets[r] + i] == (i < bytes[r] ? 'a' + (int)r : 0xee),
                      "byte %zu of rank %zu is %d", i, r, buffer[offsets[r] + i]);
}

static void test_gather(void) {
    if (lem_ranks() == 1)
        LEM_SKIP("one rank");
    size_t largest = lem_mpi_largest;
    gather_once();
    for (lem_mpi_largest = 1; lem_mpi_largest < 20; lem_mpi_largest += 3)
        gather_once();
    lem_mpi_largest = largest;
}

static uint64_t hear(const lem_transport *t) {
    const struct timespec pause = {0, 1000000};
    uint64_t chunk = LEM_NO_CHUNK;
    for (int tries = 0; tries < 10000 && chunk == LEM_NO_CHUNK; tries++) {
        chunk = t->warn(LEM_NO_CHUNK, t->ctx);
        (void)nanosleep(&pause, NULL);
    }
    return chunk;
}

static void test_warning(void) {
    const lem_transport *t = lem_ranks_transport();
    if (!t)
        LEM_SKIP("one rank");
    lem_report mine = {.where = 5, .chunk = LEM_NO_CHUNK};
    for (int round = 0; round < 3; round++) {
        bool warns = t->rank == t->ranks - 1;
        /* In the second round nobody listens: what was not heard is gone with the agreement. */
        if (warns)
            LEM_CHECK(t->warn(7, t->ctx) == LEM_NO_CHUNK, "nobody else warned");
        else if (round != 1)
            LEM_CHECK(hear(t) == 7, "the warning came");
        mine.warned = warns;
        LEM_CHECK(lem_transport_agree(t, &mine) == 0, "%s", lem_last_error());
        LEM_CHECK(t->warn(LEM_NO_CHUNK, t->ctx) == LEM_NO_CHUNK, "nothing is left of it");
        mine.warned = 0;
        LEM_CHECK(lem_transport_agree(t, &mine) == 0, "%s", lem_last_error());
    }
}

static int normals_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *ctx) {
    (void)first, (void)workspace, (void)ctx;
    int status = lem_normal_fill(stream, count, out->records);
    out->counts[0] += out->records[0] > 0;
    return status ? status : lem_moments_add_array(&out->moments[0], count, out->records);
}

static void test_same_bits(void) {
    enum { SAMPLES = 12345 };
    static double records[2][SAMPLES];
    lem_moments moments[2];
    uint64_t counts[2];
    size_t largest = lem_mpi_largest;
    for (int small = 0; small < 2; small++) {
        lem_mpi_largest = small ? 1000 : largest;
        for (int shared = 0; shared < 2; shared++) {
            lem_mc_plan plan = {
                .seed = 3, .samples = SAMPLES, .chunk_size = 10, .n_moments = 1, .n_counts = 1};
            plan.n_records = 1;
            plan.threads = 2;
            plan.chunk = normals_chunk;
            plan.transport = shared ? lem_ranks_transport() : NULL;
            LEM_CHECK(
                lem_mc_run(&plan, &(lem_mc_result){&moments[shared], &counts[shared], records[shared]}) == 0,
                "%s", lem_last_error());
        }
        LEM_CHECK(memcmp(&moments[0], &moments[1], sizeof moments[0]) == 0 && counts[0] == counts[1] &&
                      memcmp(records[0], records[1], sizeof records[0]) == 0,
                  "rank %d: bits differ", lem_rank());
    }
    lem_mpi_largest = largest;
}

/* Last: nothing can be agreed upon afterwards. */
static void test_parting(void) {
    LEM_CHECK(!lem_ranks_parted(), "together so far");
    if (lem_ranks() == 1)
        return;
    LEM_CHECK_ERROR(lem_ranks_agree(lem_rank() == 1 ? "left" : "right", 0), "ranks 0 and 1|different ways");
    LEM_CHECK(lem_ranks_parted(), "and everyone knows");
    LEM_CHECK_ERROR(lem_ranks_agree("on", 0), "the run is over");
    LEM_CHECK(lem_ranks_agree("on", GSL_EDOM) == GSL_EDOM, "a failure stays what it is");
}

static const lem_tap_case cases[] = {
    {"every rank knows its place", test_place},
    {"all agree, or all hear of the failure", test_agreement},
    {"pieces are gathered, at once or in small messages", test_gather},
    {"warnings come, and end with the next agreement", test_warning},
    {"lem_mc gives the bits of one process", test_same_bits},
    {"ranks that part are told", test_parting},
};

int main(int argc, char **argv) {
    if (lem_ranks_begin() != GSL_SUCCESS) {
        (void)fprintf(stderr, "%s\n", lem_last_error());
        return 1;
    }
    if (!lem_is_root() && !freopen("/dev/null", "w", stdout))
        return 1;
    int status = lem_tap_main(cases, sizeof cases / sizeof cases[0], argc, argv);
    (void)lem_ranks_end(0);
    return status;
}
