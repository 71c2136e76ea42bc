/* lem_mc with its chunks shared out, without MPI: the ranks are threads of this process, which talk through a
 * table in memory. The same bits as alone, one message for all, nobody left waiting. */
#include "stat/deal.h"
#include "stat/mc.h"
#include "tap/tap.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOMENTS = 3, COUNTS = 2, RECORDS = 2, MOST_SAMPLES = 4000, MOST_RANKS = 40, LARGEST_CHUNK = 512 };

/* --- ranks that are threads */

typedef struct {
    int ranks;
    pthread_barrier_t barrier;
    lem_report reports[2][MOST_RANKS]; /* of two agreements: the last may still be read */
    char *buffers[MOST_RANKS];
    atomic_ullong failing[MOST_RANKS]; /* said by warn */
    atomic_size_t bytes_gathered, agreements;
} world;

typedef struct {
    world *world;
    int rank;
    unsigned turn;
} seat;

static const lem_report *agree(const lem_report *mine, void *ctx) {
    seat *s = ctx;
    lem_report *all = s->world->reports[s->turn++ % 2];
    all[s->rank] = *mine;
    s->world->agreements += s->rank == 0;
    (void)pthread_barrier_wait(&s->world->barrier);
    s->world->failing[s->rank] = LEM_NO_CHUNK; /* between the barriers: nobody runs chunks */
    (void)pthread_barrier_wait(&s->world->barrier);
    return all;
}

static int gather(void *buffer, const size_t *offsets, const size_t *bytes, void *ctx) {
    seat *s = ctx;
    s->world->buffers[s->rank] = buffer;
    (void)pthread_barrier_wait(&s->world->barrier);
    for (int r = 0; r < s->world->ranks; r++)
        if (r != s->rank)
            memcpy((char *)buffer + offsets[r], s->world->buffers[r] + offsets[r], bytes[r]);
    s->world->bytes_gathered += bytes[s->rank];
    (void)pthread_barrier_wait(&s->world->barrier);
    return 0;
}

static uint64_t warn(uint64_t chunk, void *ctx) {
    seat *s = ctx;
    uint64_t lowest = LEM_NO_CHUNK;
    s->world->failing[s->rank] = chunk;
    for (int r = 0; r < s->world->ranks; r++)
        if (r != s->rank && s->world->failing[r] < lowest)
            lowest = s->world->failing[r];
    return lowest;
}

typedef struct {
    lem_moments moments[MOMENTS];
    uint64_t counts[COUNTS];
    double records[MOST_SAMPLES * RECORDS];
} full_result;

/* What one rank runs and how it ended. */
typedef struct {
    seat seat;
    lem_transport transport;
    lem_mc_plan plan;
    full_result result;
    int status, after;
    char sentence[512];
} rank_run;

static void *run_rank(void *argument) {
    rank_run *r = argument;
    r->plan.transport = &r->transport;
    memset(&r->result, 0x5a, sizeof r->result);
    r->status =
        lem_mc_run(&r->plan, &(lem_mc_result){r->result.moments, r->result.counts, r->result.records});
    (void)snprintf(r->sentence, sizeof r->sentence, "%s", r->status ? lem_last_error() : "");
    /* Whatever happened, the ranks still talk to each other in step. */
    r->after = lem_transport_agree(&r->transport, &(lem_report){.where = 1, .chunk = LEM_NO_CHUNK});
    return NULL;
}

static rank_run *runs;
static world *the_world;

static rank_run *new_ranks(int ranks, const lem_mc_plan *plan) {
    runs = calloc((size_t)ranks, sizeof *runs);
    the_world = calloc(1, sizeof *the_world);
    if (!runs || !the_world)
        lem_tap_bail_out("out of memory");
    the_world->ranks = ranks;
    (void)pthread_barrier_init(&the_world->barrier, NULL, (unsigned)ranks);
    for (int r = 0; r < ranks; r++) {
        the_world->failing[r] = LEM_NO_CHUNK;
        runs[r].seat = (seat){the_world, r, 0};
        runs[r].transport = (lem_transport){r, ranks, agree, gather, warn, &runs[r].seat};
        runs[r].plan = *plan;
    }
    return runs;
}

static void run_ranks(int ranks) {
    pthread_t threads[MOST_RANKS];
    for (int r = 0; r < ranks; r++)
        if (pthread_create(&threads[r], NULL, run_rank, &runs[r]) != 0)
            lem_tap_bail_out("no thread %d", r);
    for (int r = 0; r < ranks; r++) {
        (void)pthread_join(threads[r], NULL);
        LEM_CHECK(runs[r].after == 0, "rank %d is out of step", r);
    }
}

static void free_ranks(void) {
    (void)pthread_barrier_destroy(&the_world->barrier);
    free(runs);
    free(the_world);
}

/* --- the work */

static int normals_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *ctx) {
    double *x = workspace;
    (void)ctx;
    int status = lem_normal_fill(stream, count, x);
    for (size_t i = 0; i < count && !status; i++) {
        status = lem_moments_add(&out->moments[1], exp(x[i]));
        out->counts[0] += x[i] > 0;
        out->records[RECORDS * i] = x[i]; /* the other column is left alone: NaN */
    }
    out->counts[1] += first;
    return status ? status : lem_moments_add_array(&out->moments[0], count, x);
}

static void *alloc_doubles(const void *ctx) {
    (void)ctx;
    return malloc(LARGEST_CHUNK * sizeof(double));
}

static lem_mc_plan normals_plan(size_t samples, size_t chunk_size, int threads) {
    return (lem_mc_plan){.seed = 42,
                         .study = lem_stream_id("test-transport"),
                         .purpose = lem_stream_id("normals"),
                         .samples = samples,
                         .chunk_size = chunk_size,
                         .n_moments = MOMENTS,
                         .n_counts = COUNTS,
                         .n_records = RECORDS,
                         .threads = threads,
                         .chunk = normals_chunk,
                         .workspace_alloc = alloc_doubles,
                         .workspace_free = free};
}

static full_result alone;

static void run_alone(const lem_mc_plan *plan) {
    memset(&alone, 0x5a, sizeof alone);
    LEM_CHECK(lem_mc_run(plan, &(lem_mc_result){alone.moments, alone.counts, alone.records}) == 0, "%s",
              lem_last_error());
}

static const int rank_counts[] = {1, 2, 3, 7, MOST_RANKS};
enum { RANK_COUNTS = sizeof rank_counts / sizeof *rank_counts };

/* --- dealing */

static void check_deal(size_t chunks, int ranks) {
    lem_deal deal = lem_deal_chunks(chunks, ranks);
    unsigned char *seen = calloc(chunks, 1);
    size_t fewest = chunks, most = 0;
    for (int r = 0; r < ranks; r++) {
        size_t own = lem_deal_chunks_of(&deal, r), last = 0;
        fewest = own < fewest ? own : fewest;
        most = own > most ? own : most;
        for (size_t k = 0; k < own; k++) {
            size_t chunk = lem_deal_chunk(&deal, r, k);
            if (!LEM_CHECK(chunk < chunks && !seen[chunk] && (k == 0 || chunk > last),
                           "%zu chunks, rank %d of %d: chunk %zu follows %zu", chunks, r, ranks, chunk, last))
                break;
            seen[chunk] = 1;
            last = chunk;
        }
        LEM_CHECK(ranks == 1 || lem_deal_blocks_of(&deal, r) <= LEM_DEAL_BLOCKS, "%zu blocks for rank %d",
                  lem_deal_blocks_of(&deal, r), r);
    }
    LEM_CHECK(memchr(seen, 0, chunks) == NULL, "%zu chunks, %d ranks: one is left out", chunks, ranks);
    /* No rank has more than one block more than another. */
    LEM_CHECK(most - fewest <= (size_t)1 << deal.level, "%zu chunks, %d ranks: from %zu to %zu", chunks,
              ranks, fewest, most);
    free(seen);
}

static void test_deal(void) {
    for (int i = 0; i < RANK_COUNTS; i++) {
        for (size_t chunks = 1; chunks <= 300; chunks++)
            check_deal(chunks, rank_counts[i]);
        check_deal(10007, rank_counts[i]);
        check_deal(1 << 16, rank_counts[i]);
    }
    /* Chunks whose cost repeats with their number are shared out: of the even ones each of two ranks gets
     * half. */
    lem_deal deal = lem_deal_chunks(64, 2);
    int even = 0;
    for (size_t k = 0; k < 32; k++)
        even += lem_deal_chunk(&deal, 0, k) % 2 == 0;
    LEM_CHECK(even == 16, "rank 0 has %d of the 32 even chunks", even);
}

/* --- the same bits */

static const size_t sizes[][2] = {/* samples, chunk size: 1, 2, 3, 8, 13, 65, 100, 400, 1000 chunks */
                                  {1, 1},     {20, 10},   {21, 10}, {80, 10}, {127, 10},
                                  {3201, 50}, {4000, 40}, {400, 1}, {1000, 1}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void test_same_bits(void) {
    for (size_t s = 0; s < SIZES; s += lem_tap_effort() < 0.1 ? 4 : 1)
        for (int i = 0; i < RANK_COUNTS; i++)
            for (int threads = 1; threads <= 2; threads++) {
                int ranks = rank_counts[i];
                lem_mc_plan plan = normals_plan(sizes[s][0], sizes[s][1], threads);
                run_alone(&plan);
                (void)new_ranks(ranks, &plan);
                run_ranks(ranks);
                for (int r = 0; r < ranks; r++)
                    LEM_CHECK(runs[r].status == 0 && memcmp(&runs[r].result, &alone, sizeof alone) == 0,
                              "%zu samples by %zu, rank %d of %d, %d threads: %s", sizes[s][0], sizes[s][1],
                              r, ranks, threads, runs[r].status ? runs[r].sentence : "bits differ");
                free_ranks();
            }
}

/* The bytes that the page on runs with many machines states: one node a block, and the records once. */
static void test_bytes(void) {
    lem_mc_plan plan = normals_plan(1000, 1, 1);
    (void)new_ranks(7, &plan);
    run_ranks(7);
    size_t blocks = 125, node = MOMENTS * sizeof(lem_moments) + COUNTS * sizeof(uint64_t);
    LEM_CHECK(the_world->bytes_gathered == blocks * node + 1000 * RECORDS * sizeof(double), "%zu bytes",
              (size_t)the_world->bytes_gathered);
    LEM_CHECK(the_world->agreements == 2, "%zu agreements for one run and one after it",
              (size_t)the_world->agreements);
    free_ranks();
}

/* --- runs inside runs */

static int nested_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                        const void *ctx) {
    const lem_mc_plan *inner = ctx;
    lem_moments moments[MOMENTS];
    uint64_t counts[COUNTS];
    double records[20 * RECORDS];
    int status = lem_mc_run(inner, &(lem_mc_result){moments, counts, records});
    if (!status)
        status = normals_chunk(stream, first, count, workspace, out, NULL);
    return status ? status : lem_moments_add(&out->moments[2], moments[0].mean);
}

static void test_nested(void) {
    lem_mc_plan inner[3], plan = normals_plan(127, 10, 2);
    plan.chunk = nested_chunk;
    inner[0] = normals_plan(20, 10, 1);
    plan.ctx = &inner[0];
    run_alone(&plan);
    (void)new_ranks(3, &plan);
    for (int r = 0; r < 3; r++) {
        inner[r] = inner[0];
        inner[r].transport = &runs[r].transport;
        runs[r].plan.ctx = &inner[r];
    }
    run_ranks(3);
    for (int r = 0; r < 3; r++)
        LEM_CHECK(runs[r].status == 0 && memcmp(&runs[r].result, &alone, sizeof alone) == 0, "rank %d: %s", r,
                  runs[r].sentence);
    LEM_CHECK(the_world->agreements == 2, "the runs inside were shared too");
    free_ranks();
}

/* --- failures */

typedef struct {
    size_t bad[2];
    atomic_uchar ran[64];
    bool patient; /* the chunks after the fifth wait until rank 1 has said that it failed */
} trap;

static void wait_for_warning(void) {
    const struct timespec pause = {0, 100000};
    while (the_world->failing[1] == LEM_NO_CHUNK)
        (void)nanosleep(&pause, NULL);
}

static int failing_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *ctx) {
    (void)stream, (void)count, (void)workspace, (void)out;
    trap *t = (trap *)(size_t)ctx;
    size_t chunk = first / 10;
    t->ran[chunk] = 1;
    struct timespec pause = {0, chunk == t->bad[0] ? 3000000 : (long)(chunk % 5) * 20000};
    (void)nanosleep(&pause, NULL);
    if (t->patient && chunk > 5)
        wait_for_warning();
    if (chunk == t->bad[0])
        return LEM_ERROR(GSL_ERANGE, "width = %zu: must be even", chunk);
    return chunk == t->bad[1] ? LEM_ERROR(GSL_EDOM, "the wrong one") : GSL_SUCCESS;
}

static void all_say(int ranks, int status, const char *sentence) {
    for (int r = 0; r < ranks; r++)
        LEM_CHECK(runs[r].status == status && strstr(runs[r].sentence, sentence), "rank %d of %d: %d, \"%s\"",
                  r, ranks, runs[r].status, runs[r].sentence);
}

static void test_lowest_failure(void) {
    static const size_t bad[][2] = {{5, 6}, {0, 1}, {13, 14}, {63, 64}, {30, 40}, {7, 0x7fff}};
    for (size_t b = 0; b < 6; b++)
        for (int i = 0; i < RANK_COUNTS; i++)
            for (int threads = 1; threads <= 2; threads++) {
                int ranks = rank_counts[i];
                trap t = {.bad = {bad[b][0], bad[b][1]}};
                lem_mc_plan plan = normals_plan(640, 10, threads);
                plan.chunk = failing_chunk;
                plan.ctx = &t;
                (void)new_ranks(ranks, &plan);
                run_ranks(ranks);
                char sentence[100];
                (void)snprintf(sentence, sizeof sentence,
                               "chunk %zu of 64 (samples from %zu): width = %zu: must be even", bad[b][0],
                               10 * bad[b][0], bad[b][0]);
                all_say(ranks, GSL_ERANGE, sentence);
                for (size_t c = 0; c <= bad[b][0]; c++)
                    LEM_CHECK(t.ran[c] == 1, "lower chunk %zu did not run", c);
                for (int r = 0; r < ranks; r++)
                    LEM_CHECK(((unsigned char *)&runs[r].result)[9] == 0x5a, "the result was touched");
                free_ranks();
            }
}

/* A failure at the start stops the other ranks long before the end of their chunks. */
static void test_warning(void) {
    trap t = {.bad = {1, 64}, .patient = true};
    lem_mc_plan plan = normals_plan(640, 10, 1);
    plan.chunk = failing_chunk;
    plan.ctx = &t;
    (void)new_ranks(3, &plan);
    run_ranks(3);
    all_say(3, GSL_ERANGE, "chunk 1 of 64");
    for (size_t c = 12; c < 64; c++)
        LEM_CHECK(t.ran[c] == 0, "chunk %zu ran all the same", c);
    free_ranks();
    /* Without warnings they do, and the message is the same. */
    t = (trap){.bad = {1, 64}};
    (void)new_ranks(3, &plan);
    for (int r = 0; r < 3; r++)
        runs[r].transport.warn = NULL;
    run_ranks(3);
    all_say(3, GSL_ERANGE, "chunk 1 of 64");
    free_ranks();
}

static int stop_at_once(size_t done, size_t chunks, void *ctx) {
    (void)done, (void)ctx;
    LEM_CHECK(chunks >= 4 && chunks <= 5, "progress of one rank's %zu chunks", chunks);
    return 1;
}

static void *no_workspace(const void *ctx) {
    (void)ctx;
    return NULL;
}

static void test_one_rank_in_trouble(void) {
    lem_mc_plan plan = normals_plan(127, 10, 1);
    (void)new_ranks(3, &plan);
    runs[1].plan.progress = stop_at_once;
    run_ranks(3);
    all_say(3, GSL_EFAILED, "stopped by the progress call-back after 1 of 5 chunks");
    free_ranks();

    (void)new_ranks(3, &plan);
    runs[2].plan.workspace_alloc = no_workspace;
    run_ranks(3);
    all_say(3, GSL_ENOMEM, "workspace 1 of 1");
    free_ranks();
}

static void test_different_ways(void) {
    lem_mc_plan plan = normals_plan(127, 10, 1);
    (void)new_ranks(3, &plan);
    runs[2].plan.purpose++;
    run_ranks(3);
    all_say(3, GSL_EFAILED, "ranks 0 and 2 of 3 went different ways");
    free_ranks();

    /* Rank 1 never comes to the run; what stopped it is told on all. */
    const lem_report at_run = {.where = 7, .chunk = LEM_NO_CHUNK};
    const lem_report at_end = {
        .where = 8, .chunk = LEM_NO_CHUNK, .status = GSL_EBADLEN, .sentence = "no data"};
    lem_report all[2] = {at_run, at_end};
    (void)new_ranks(1, &plan);
    the_world->ranks = 1;
    runs[0].transport.ranks = 2;
    memcpy(the_world->reports[0], all, sizeof all);
    int status = lem_transport_agree(&runs[0].transport, &at_run);
    LEM_CHECK(status == GSL_EBADLEN && strcmp(lem_last_error(), "rank 1 of 2: no data") == 0, "%d \"%s\"",
              status, lem_last_error());
    free_ranks();
}

static const lem_report *broken(const lem_report *mine, void *ctx) {
    (void)mine, (void)ctx;
    (void)LEM_ERROR(GSL_EFAILED, "the line is cut");
    return NULL;
}

static int broken_gather(void *buffer, const size_t *offsets, const size_t *bytes, void *ctx) {
    (void)buffer, (void)offsets, (void)bytes, (void)ctx;
    return LEM_ERROR(GSL_EFAILED, "the line is cut");
}

static void test_bad_transports(void) {
    lem_mc_plan plan = normals_plan(100, 10, 1);
    lem_mc_result out = {alone.moments, alone.counts, alone.records};
    const lem_report fine = {.chunk = LEM_NO_CHUNK};
    seat lonely = {NULL, 0, 0};
    lem_transport t = {2, 2, agree, gather, warn, &lonely};
    plan.transport = &t;
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "rank = 2|ranks = 2|< ranks");
    t.rank = -1;
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "rank = -1");
    t = (lem_transport){0, 2, NULL, gather, warn, &lonely};
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "agree");
    t = (lem_transport){0, 2, agree, NULL, warn, &lonely};
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "gather");
    t = (lem_transport){0, 2, broken, broken_gather, NULL, &lonely};
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "the line is cut");
    LEM_CHECK_ERROR(lem_transport_agree(&t, &fine), "the line is cut");
}

static const lem_tap_case cases[] = {
    {"every chunk is dealt once, in order, evenly", test_deal},
    {"1, 2, 3, 7 and 40 ranks, 1 and 2 threads: the same bits on all", test_same_bits},
    {"as many bytes travel as is said", test_bytes},
    {"runs from within a chunk are not shared", test_nested},
    {"the lowest failing chunk is told on all ranks", test_lowest_failure},
    {"a failure stops the other ranks early", test_warning},
    {"trouble on one rank ends the run on all", test_one_rank_in_trouble},
    {"ranks that went different ways say so", test_different_ways},
    {"bad transports are refused, broken ones reported", test_bad_transports},
};
LEM_TAP_MAIN(cases)
