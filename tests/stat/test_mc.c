/* lem_mc: the same bits whoever computes them, the tree itself, errors, progress, memory. */
#include "stat/mc.h"
#include "tap/tap.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MOMENTS = 2, COUNTS = 3, RECORDS = 2, MAX_SAMPLES = 4000, LARGEST_CHUNK = 512 };

static const int thread_counts[] = {1, 2, 7, 0};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

typedef struct {
    lem_moments moments[MOMENTS];
    uint64_t counts[COUNTS];
    double records[MAX_SAMPLES * RECORDS];
} full_result;

static lem_mc_result view(full_result *r) {
    return (lem_mc_result){r->moments, r->counts, r->records};
}

static void pause_a_little(size_t salt) {
    struct timespec t = {0, (long)(salt * 7919 % 5) * 20000};
    (void)nanosleep(&t, NULL);
}

/* Uneven work: the pause makes chunks end out of order. ctx: NULL, or any pointer for no pause. */
static int normals_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *ctx) {
    double *x = workspace;
    int status = lem_normal_fill(stream, count, x);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        status = lem_moments_add(&out->moments[1], exp(x[i]));
        out->counts[x[i] > 0]++;
        out->records[RECORDS * i] = x[i]; /* the other column is left alone: NaN */
    }
    out->counts[2] += first;
    if (!ctx)
        pause_a_little(first);
    return status ? status : lem_moments_add_array(&out->moments[0], count, x);
}

static atomic_int workspaces_alive, workspaces_made, workspaces_allowed = 1000;

static void *alloc_doubles(const void *ctx) {
    (void)ctx;
    if (workspaces_made >= workspaces_allowed)
        return NULL;
    workspaces_made++;
    workspaces_alive++;
    return malloc(LARGEST_CHUNK * sizeof(double));
}

static void free_doubles(void *workspace) {
    workspaces_alive--;
    free(workspace);
}

static lem_mc_plan normals_plan(size_t samples, size_t chunk_size, int threads) {
    return (lem_mc_plan){.seed = 42,
                         .study = lem_stream_id("test-mc"),
                         .purpose = lem_stream_id("normals"),
                         .samples = samples,
                         .chunk_size = chunk_size,
                         .n_moments = MOMENTS,
                         .n_counts = COUNTS,
                         .n_records = RECORDS,
                         .threads = threads,
                         .chunk = normals_chunk,
                         .workspace_alloc = alloc_doubles,
                         .workspace_free = free_doubles};
}

static const size_t sizes[][2] = {/* samples, chunk size: 1, 1, 2, 3, 5, 7, 8, 13, 64, 65, 100 chunks */
                                  {1, 1},   {500, 512}, {20, 10},   {21, 10},   {50, 10},  {66, 10},
                                  {80, 10}, {127, 10},  {3200, 50}, {3201, 50}, {4000, 40}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static full_result reference, other;

static void test_same_bits(void) {
    for (size_t s = 0; s < SIZES; s++)
        for (int t = 0; t < THREAD_COUNTS; t++)
            for (int repeat = 0; repeat < 2; repeat++) {
                lem_mc_plan plan = normals_plan(sizes[s][0], sizes[s][1], thread_counts[t]);
                full_result *to = t == 0 && repeat == 0 ? &reference : &other;
                memset(to, 0x5a, sizeof *to);
                lem_mc_result out = view(to);
                LEM_CHECK(lem_mc_run(&plan, &out) == 0, "%s", lem_last_error());
                LEM_CHECK(memcmp(to, &reference, sizeof *to) == 0,
                          "%zu samples by %zu, %d threads: bits differ", sizes[s][0], sizes[s][1],
                          thread_counts[t]);
            }
}

/* Another seed, purpose or chunk size must change the bits: a comparison that always agrees proves nothing.
 */
static void test_other_bits(void) {
    lem_mc_plan plan = normals_plan(3200, 50, 2);
    lem_mc_result out = view(&reference), changed = view(&other);
    LEM_CHECK(lem_mc_run(&plan, &out) == 0, "%s", lem_last_error());
    lem_mc_plan seed = plan, purpose = plan, chunk = plan;
    seed.seed++;
    purpose.purpose++;
    chunk.chunk_size++;
    const lem_mc_plan *plans[] = {&seed, &purpose, &chunk};
    for (int i = 0; i < 3; i++) {
        LEM_CHECK(lem_mc_run(plans[i], &changed) == 0, "%s", lem_last_error());
        LEM_CHECK(reference.moments[0].mean != other.moments[0].mean, "plan %d gave the same mean", i);
    }
}

/* The tree, written down a second time: chunks lo .. hi - 1 split at the largest power of two below. */
static void tree(const lem_mc_plan *plan, size_t lo, size_t hi, lem_moments *moments, uint64_t *counts,
                 double *records) {
    if (hi - lo == 1) {
        double x[LARGEST_CHUNK];
        lem_stream stream;
        size_t first = lo * plan->chunk_size, count = plan->chunk_size;
        if (first + count > plan->samples)
            count = plan->samples - first;
        lem_mc_result out = {moments, counts, records + first * RECORDS};
        LEM_CHECK(lem_stream_init(&stream, plan->seed, plan->study, plan->purpose, (uint32_t)lo) == 0, "%s",
                  lem_last_error());
        for (int i = 0; i < MOMENTS; i++)
            lem_moments_init(&moments[i]);
        memset(counts, 0, COUNTS * sizeof *counts);
        for (size_t i = 0; i < count * RECORDS; i++)
            out.records[i] = NAN;
        LEM_CHECK(normals_chunk(&stream, first, count, x, &out, "no pause") == 0, "%s", lem_last_error());
        return;
    }
    size_t left = 1;
    while (2 * left < hi - lo)
        left *= 2;
    lem_moments right_moments[MOMENTS];
    uint64_t right_counts[COUNTS];
    tree(plan, lo, lo + left, moments, counts, records);
    tree(plan, lo + left, hi, right_moments, right_counts, records);
    for (int i = 0; i < MOMENTS; i++)
        lem_moments_merge(&moments[i], &right_moments[i]);
    for (int i = 0; i < COUNTS; i++)
        counts[i] += right_counts[i];
}

static void test_tree(void) {
    for (size_t s = 0; s < SIZES; s++) {
        lem_mc_plan plan = normals_plan(sizes[s][0], sizes[s][1], 2);
        size_t chunks = (plan.samples + plan.chunk_size - 1) / plan.chunk_size;
        memset(&reference, 0x5a, sizeof reference);
        memset(&other, 0x5a, sizeof other);
        lem_mc_result out = view(&other);
        tree(&plan, 0, chunks, reference.moments, reference.counts, reference.records);
        LEM_CHECK(lem_mc_run(&plan, &out) == 0, "%s", lem_last_error());
        LEM_CHECK(memcmp(&other, &reference, sizeof other) == 0, "%zu chunks: not the tree", chunks);
        LEM_CHECK(other.counts[0] + other.counts[1] == plan.samples && other.moments[0].n == plan.samples,
                  "every sample once");
        LEM_CHECK(isnan(other.records[1]), "a record that the chunk left out is NaN");
    }
}

/* --- errors --- */

static atomic_uchar chunk_ran[64];

static int failing_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *ctx) {
    (void)stream, (void)count, (void)workspace, (void)out;
    const size_t *bad = ctx; /* two failing chunks, the lower the slower */
    size_t chunk = first / 10;
    chunk_ran[chunk] = 1;
    pause_a_little(chunk);
    if (chunk == bad[0]) {
        struct timespec t = {0, 3000000};
        (void)nanosleep(&t, NULL);
        return LEM_ERROR(GSL_ERANGE, "width = %zu: must be even", chunk);
    }
    return chunk == bad[1] ? LEM_ERROR(GSL_EDOM, "the wrong one") : GSL_SUCCESS;
}

static int silent_failure(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                          const void *ctx) {
    (void)stream, (void)count, (void)workspace, (void)out, (void)ctx;
    return first == 20 ? GSL_EMAXITER : GSL_SUCCESS;
}

static void test_lowest_failure(void) {
    static const size_t bad[][2] = {{5, 6}, {0, 1}, {13, 14}, {63, 64}, {30, 40}};
    for (size_t b = 0; b < 5; b++)
        for (int t = 0; t < THREAD_COUNTS; t++) {
            lem_mc_plan plan = normals_plan(640, 10, thread_counts[t]);
            plan.chunk = failing_chunk;
            plan.ctx = bad[b];
            for (int i = 0; i < 64; i++)
                chunk_ran[i] = 0;
            memset(&other, 0x5a, sizeof other);
            memset(&reference, 0x5a, sizeof reference);
            lem_mc_result out = view(&other);
            int status = lem_mc_run(&plan, &out);
            char sentence[100];
            (void)snprintf(sentence, sizeof sentence,
                           "chunk %zu of 64 (samples from %zu): width = %zu: must be even", bad[b][0],
                           10 * bad[b][0], bad[b][0]);
            LEM_CHECK(status == GSL_ERANGE, "status %d", status);
            LEM_CHECK(strcmp(lem_last_error(), sentence) == 0, "\"%s\", not \"%s\"", lem_last_error(),
                      sentence);
            for (size_t i = 0; i <= bad[b][0]; i++)
                LEM_CHECK(chunk_ran[i] == 1, "lower chunk %zu did not run", i);
            LEM_CHECK(memcmp(&other, &reference, sizeof other) == 0, "the result was touched");
            LEM_CHECK(workspaces_alive == 0, "%d workspaces leaked", workspaces_alive);
        }
    lem_mc_plan plan = normals_plan(640, 10, 1);
    plan.chunk = silent_failure;
    lem_mc_result out = view(&other);
    LEM_CHECK(LEM_ERROR(GSL_EDOM, "an old story") == GSL_EDOM, "set");
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "chunk 2 of 64");
    LEM_CHECK(strstr(lem_last_error(), gsl_strerror(GSL_EMAXITER)) != NULL, "\"%s\"", lem_last_error());
}

static void test_bad_plans(void) {
    lem_mc_result out = view(&other), no_moments = out, no_counts = out, no_records = out;
    no_moments.moments = NULL;
    no_counts.counts = NULL;
    no_records.records = NULL;
    const lem_mc_plan good = normals_plan(100, 10, 1);
    lem_mc_plan plan = good;
    LEM_CHECK_ERROR(lem_mc_run(NULL, &out), "plan is null");
    LEM_CHECK_ERROR(lem_mc_run(&plan, NULL), "result is null");
    LEM_CHECK_ERROR(lem_mc_run(&plan, &no_moments), "result->moments is null");
    LEM_CHECK_ERROR(lem_mc_run(&plan, &no_counts), "result->counts is null");
    LEM_CHECK_ERROR(lem_mc_run(&plan, &no_records), "result->records is null");
    plan.samples = 0;
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "samples = 0|>= 1");
    plan = good;
    plan.chunk_size = 0;
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "chunk_size = 0|>= 1");
    plan = good;
    plan.chunk = NULL;
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "chunk is null");
    plan = good;
    plan.threads = -1;
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "threads = -1|>= 0");
    plan = good;
    plan.samples = ((size_t)1 << 32) + 1;
    plan.chunk_size = 1;
    plan.n_records = 0;
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "2^32 chunks");
    plan = good;
    plan.n_records = SIZE_MAX / 16;
    LEM_CHECK_ERROR(lem_mc_run(&plan, &out), "n_records|memory");
    plan = good;
    plan.seed = UINT64_C(1) << 63;
    LEM_CHECK(lem_mc_run(&plan, &out) == GSL_EDOM && !strstr(lem_last_error(), "chunk 0"), "\"%s\"",
              lem_last_error());
}

/* --- workspaces and progress --- */

static void test_workspaces(void) {
    lem_mc_result out = view(&other);
    lem_mc_plan plan = normals_plan(3200, 50, 7);
    workspaces_made = 0;
    LEM_CHECK(lem_mc_run(&plan, &out) == 0, "%s", lem_last_error());
    LEM_CHECK(workspaces_made >= 1 && workspaces_made <= 7 && workspaces_alive == 0, "%d made, %d left",
              workspaces_made, workspaces_alive);
    plan.samples = 100; /* two chunks: no more threads than that */
    workspaces_made = 0;
    LEM_CHECK(lem_mc_run(&plan, &out) == 0, "%s", lem_last_error());
    LEM_CHECK(workspaces_made <= 2, "%d made for two chunks", workspaces_made);
    plan.threads = 1;
    workspaces_made = workspaces_allowed = 0;
    LEM_CHECK(lem_mc_run(&plan, &out) == GSL_ENOMEM, "no workspace");
    LEM_CHECK(strstr(lem_last_error(), "workspace 1 of 1") != NULL && workspaces_alive == 0, "\"%s\"",
              lem_last_error());
    workspaces_allowed = 1000;
}

typedef struct {
    size_t calls, stop_at, wrong;
} progress_log;

static int log_progress(size_t done, size_t chunks, void *ctx) {
    progress_log *log = ctx;
    log->calls++;
    log->wrong += done != log->calls || chunks != 64;
    return done == log->stop_at;
}

static int run_another(size_t done, size_t chunks, void *ctx) {
    (void)done, (void)chunks;
    lem_mc_plan plan = normals_plan(20, 10, 2);
    full_result inner;
    lem_mc_result out = view(&inner);
    *(int *)ctx |= lem_mc_run(&plan, &out);
    return 0;
}

static void test_progress(void) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
        lem_mc_plan plan = normals_plan(3200, 50, thread_counts[t]);
        progress_log log = {0};
        plan.progress = log_progress;
        plan.progress_ctx = &log;
        lem_mc_result out = view(&other);
        LEM_CHECK(lem_mc_run(&plan, &out) == 0, "%s", lem_last_error());
        LEM_CHECK(log.calls == 64 && log.wrong == 0, "%zu calls, %zu out of turn", log.calls, log.wrong);

        memset(&other, 0x5a, sizeof other);
        memset(&reference, 0x5a, sizeof reference);
        log = (progress_log){.stop_at = 9};
        LEM_CHECK(lem_mc_run(&plan, &out) == GSL_EFAILED, "stopped");
        LEM_CHECK(strstr(lem_last_error(), "progress call-back after 9 of 64") != NULL, "\"%s\"",
                  lem_last_error());
        LEM_CHECK(log.calls == 9, "called %zu times", log.calls);
        LEM_CHECK(memcmp(&other, &reference, sizeof other) == 0, "the result was touched");

        int inner_status = 0;
        plan = normals_plan(127, 10, thread_counts[t]);
        plan.progress = run_another;
        plan.progress_ctx = &inner_status;
        LEM_CHECK(lem_mc_run(&plan, &out) == 0 && inner_status == 0, "a run inside a call-back");
    }
}

/* --- memory: 1024 chunks of 4000 moments would be 229 MB at once --- */

static int wide_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *ctx) {
    (void)stream, (void)count, (void)workspace;
    for (size_t i = 0; i < *(const size_t *)ctx; i++)
        if (lem_moments_add(&out->moments[i], (double)(first + i)))
            return GSL_EFAILED;
    return GSL_SUCCESS;
}

static long peak_memory(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_maxrss; /* KiB */
}

static void test_memory(void) {
    size_t wide = 4000;
    lem_moments *moments = malloc(wide * sizeof *moments);
    lem_mc_plan plan = {.seed = 1, .samples = 1024, .chunk_size = 1, .n_moments = wide, .threads = 2};
    plan.chunk = wide_chunk;
    plan.ctx = &wide;
    lem_mc_result out = {.moments = moments};
    long before = peak_memory();
    LEM_CHECK(lem_mc_run(&plan, &out) == 0, "%s", lem_last_error());
    LEM_CHECK(moments[7].n == 1024 && moments[7].mean == 1023 / 2.0 + 7, "mean %g", moments[7].mean);
    /* At most 2 (2 + 1) 10 + 2 nodes of 224 kB. */
    LEM_CHECK(peak_memory() - before < 62 * 224 + 10000, "took %ld KiB", peak_memory() - before);
    free(moments);
}

static const lem_tap_case cases[] = {
    {"the same bits for 1, 2, 7 and all threads, twice", test_same_bits},
    {"another seed, purpose or chunk size gives other bits", test_other_bits},
    {"the result is the stated binary tree over the chunks", test_tree},
    {"the lowest failing chunk is reported, with its sentence", test_lowest_failure},
    {"bad plans are refused", test_bad_plans},
    {"one workspace a thread, all freed", test_workspaces},
    {"progress is told in turn and can stop the run", test_progress},
    {"memory does not grow with the number of chunks", test_memory},
};
LEM_TAP_MAIN(cases)
