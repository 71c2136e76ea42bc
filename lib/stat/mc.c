/* The merge tree. Node (level, index) stands for the chunks index 2^level ... (index + 1) 2^level - 1 that
 * exist. A finished chunk is a node of level 0; two siblings (indices 2i and 2i + 1) merge, left with right,
 * into node i of the level above; a node whose sibling holds no chunk moves up as it is. Who merges, and
 * when, never changes what is merged with what: the value of the root depends on the chunks alone.
 *
 * Siblings wait for each other in a list of pending nodes. Chunks are dealt in order, so with T threads the
 * finished chunks are an interval less at most T points, and at most 2 (T + 1) log2(chunks) nodes are
 * pending: memory does not grow with the number of chunks.
 *
 * Ranks of a distributed run fit in without changing a value: a rank runs any set of the chunks (best an
 * aligned power of two of them, then it sends one node), sends its pending nodes as (level, index, moments,
 * counts), and whoever receives a node hands it to deposit(). Records are placed by chunk number anyway. */
#include "stat/mc.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

typedef struct node {
    struct node *next;
    unsigned level;
    size_t index;
    lem_moments *moments;
    uint64_t *counts;
} node;

typedef struct {
    const lem_mc_plan *plan;
    size_t chunks;
    unsigned height; /* the root's level */
    double *records;
    void **workspaces;
#ifdef _OPENMP
    omp_lock_t lock, progress_lock;
#endif
    /* Below: read and written under lock. */
    size_t next_chunk;
    size_t failed_chunk; /* lowest so far; = chunks when none has failed */
    int failure;
    char sentence[512];
    bool stopped; /* by the progress call-back */
    node *pending, *unused;
    /* Under progress_lock. */
    size_t chunks_done;
} run_state;

#ifdef _OPENMP
static void lock(run_state *run) {
    omp_set_lock(&run->lock);
}
static void unlock(run_state *run) {
    omp_unset_lock(&run->lock);
}
#else
static void lock(run_state *run) {
    (void)run;
}
static void unlock(run_state *run) {
    (void)run;
}
#endif

static node *new_node(const lem_mc_plan *plan) {
    node *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->moments = calloc(plan->n_moments ? plan->n_moments : 1, sizeof *n->moments);
    n->counts = calloc(plan->n_counts ? plan->n_counts : 1, sizeof *n->counts);
    if (n->moments && n->counts)
        return n;
    free(n->moments);
    free(n->counts);
    free(n);
    return NULL;
}

static void free_nodes(node *list) {
    while (list) {
        node *next = list->next;
        free(list->moments);
        free(list->counts);
        free(list);
        list = next;
    }
}

/* A node from the store, which fills up in the first few chunks; NULL when memory ran out. */
static node *take_node(run_state *run) {
    lock(run);
    node *n = run->unused;
    if (n)
        run->unused = n->next;
    unlock(run);
    return n ? n : new_node(run->plan);
}

static void return_node(run_state *run, node *n) {
    lock(run);
    n->next = run->unused;
    run->unused = n;
    unlock(run);
}

static void empty_node(const lem_mc_plan *plan, node *n, size_t chunk) {
    n->level = 0;
    n->index = chunk;
    for (size_t i = 0; i < plan->n_moments; i++)
        lem_moments_init(&n->moments[i]);
    memset(n->counts, 0, plan->n_counts * sizeof *n->counts);
}

static void merge_nodes(const lem_mc_plan *plan, node *left, const node *right) {
    for (size_t i = 0; i < plan->n_moments; i++)
        lem_moments_merge(&left->moments[i], &right->moments[i]);
    for (size_t i = 0; i < plan->n_counts; i++)
        left->counts[i] += right->counts[i];
}

static bool has_sibling(const run_state *run, const node *n) {
    return (uint64_t)(n->index ^ 1) << n->level < run->chunks;
}

/* The sibling of n if it is pending, taken out of the list; otherwise NULL, and n is pending itself. */
static node *meet_sibling(run_state *run, node *n) {
    lock(run);
    node **at = &run->pending;
    while (*at && ((*at)->level != n->level || (*at)->index != (n->index ^ 1)))
        at = &(*at)->next;
    node *sibling = *at;
    if (sibling) {
        *at = sibling->next;
    } else {
        n->next = run->pending;
        run->pending = n;
    }
    unlock(run);
    return sibling;
}

/* Let a finished node climb the tree as far as it can. The merging itself is done outside the lock. */
static void deposit(run_state *run, node *n) {
    while (n->level < run->height) {
        if (has_sibling(run, n)) {
            node *sibling = meet_sibling(run, n);
            if (!sibling)
                return;
            node *left = n->index & 1 ? sibling : n, *right = n->index & 1 ? n : sibling;
            merge_nodes(run->plan, left, right);
            return_node(run, right);
            n = left;
        }
        n->level++;
        n->index >>= 1;
    }
    lock(run);
    n->next = run->pending;
    run->pending = n;
    unlock(run);
}

static void note_failure(run_state *run, size_t chunk, int status) {
    lock(run);
    if (chunk < run->failed_chunk) {
        const char *sentence = lem_last_error();
        run->failed_chunk = chunk;
        run->failure = status;
        (void)snprintf(run->sentence, sizeof run->sentence, "%s",
                       *sentence ? sentence : gsl_strerror(status));
    }
    unlock(run);
}

/* The next chunk, or false when there is nothing left to do. Chunks are dealt in order, so when one has
 * failed every lower one is done or running. */
static bool next_chunk(run_state *run, size_t *chunk) {
    lock(run);
    bool more = run->next_chunk < run->chunks && run->failed_chunk == run->chunks && !run->stopped;
    if (more)
        *chunk = run->next_chunk++;
    unlock(run);
    return more;
}

static int run_chunk(run_state *run, size_t chunk, void *workspace) {
    const lem_mc_plan *plan = run->plan;
    size_t first = chunk * plan->chunk_size;
    size_t count = plan->samples - first < plan->chunk_size ? plan->samples - first : plan->chunk_size;
    lem_stream stream;
    int status = lem_stream_init(&stream, plan->seed, plan->study, plan->purpose, (uint32_t)chunk);
    if (status)
        return status;
    node *n = take_node(run);
    if (!n)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu moments and %zu counts", plan->n_moments,
                         plan->n_counts);
    empty_node(plan, n, chunk);
    lem_mc_result out = {.moments = n->moments, .counts = n->counts};
    if (run->records) {
        out.records = run->records + first * plan->n_records;
        for (size_t i = 0; i < count * plan->n_records; i++)
            out.records[i] = NAN;
    }
    status = plan->chunk(&stream, first, count, workspace, &out, plan->ctx);
    if (status)
        return_node(run, n);
    else
        deposit(run, n);
    return status;
}

static void tell_progress(run_state *run) {
    const lem_mc_plan *plan = run->plan;
    if (!plan->progress)
        return;
#ifdef _OPENMP
    omp_set_lock(&run->progress_lock);
#endif
    if (!run->stopped && plan->progress(++run->chunks_done, run->chunks, plan->progress_ctx)) {
        lock(run);
        run->stopped = true;
        unlock(run);
    }
#ifdef _OPENMP
    omp_unset_lock(&run->progress_lock);
#endif
}

static void run_chunks(run_state *run, void *workspace) {
    size_t chunk;
    while (next_chunk(run, &chunk)) {
        lem_clear_error(); /* so that a sentence found after a failure is the failure's own */
        int status = run_chunk(run, chunk, workspace);
        if (status)
            note_failure(run, chunk, status);
        else
            tell_progress(run);
    }
}

static int check_plan(const lem_mc_plan *plan, const lem_mc_result *result, size_t *chunks) {
    if (!plan || !result)
        return LEM_ERROR(GSL_EINVAL, "%s is null: must point to one", plan ? "result" : "plan");
    if (!plan->chunk)
        return LEM_ERROR(GSL_EINVAL, "chunk is null: must be a function");
    if (plan->samples == 0 || plan->chunk_size == 0)
        return LEM_ERROR(GSL_EINVAL, "samples = %zu, chunk_size = %zu: both must be >= 1", plan->samples,
                         plan->chunk_size);
    if (plan->threads < 0)
        return LEM_ERROR(GSL_EINVAL, "threads = %d: must be >= 0 (0: as many as OpenMP gives)",
                         plan->threads);
    *chunks = (plan->samples - 1) / plan->chunk_size + 1;
    if ((uint64_t)*chunks > UINT64_C(1) << 32)
        return LEM_ERROR(GSL_EINVAL, "samples / chunk_size = %zu / %zu: must be at most 2^32 chunks",
                         plan->samples, plan->chunk_size);
    if ((plan->n_moments && !result->moments) || (plan->n_counts && !result->counts) ||
        (plan->n_records && !result->records))
        return LEM_ERROR(GSL_EINVAL, "result->%s is null: must hold what the plan asks for",
                         plan->n_moments && !result->moments ? "moments"
                         : plan->n_counts && !result->counts ? "counts"
                                                             : "records");
    if (plan->n_records && plan->samples > SIZE_MAX / sizeof(double) / plan->n_records)
        return LEM_ERROR(GSL_EINVAL, "samples = %zu, n_records = %zu: their product must fit in memory",
                         plan->samples, plan->n_records);
    lem_stream stream;
    return lem_stream_init(&stream, plan->seed, plan->study, plan->purpose, 0);
}

static int wanted_threads(const lem_mc_plan *plan, size_t chunks) {
#ifdef _OPENMP
    int threads = plan->threads ? plan->threads : omp_get_max_threads();
    return (size_t)threads > chunks ? (int)chunks : threads;
#else
    (void)plan, (void)chunks;
    return 1;
#endif
}

static int alloc_workspaces(run_state *run, int threads) {
    const lem_mc_plan *plan = run->plan;
    run->workspaces = calloc((size_t)threads, sizeof *run->workspaces);
    if (!run->workspaces)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %d workspaces", threads);
    for (int t = 0; plan->workspace_alloc && t < threads; t++) {
        run->workspaces[t] = plan->workspace_alloc(plan->ctx);
        if (!run->workspaces[t])
            return LEM_ERROR(GSL_ENOMEM, "workspace %d of %d could not be allocated", t + 1, threads);
    }
    return GSL_SUCCESS;
}

static void free_workspaces(run_state *run, int threads) {
    for (int t = 0; run->workspaces && run->plan->workspace_free && t < threads; t++)
        if (run->workspaces[t])
            run->plan->workspace_free(run->workspaces[t]);
    free(run->workspaces);
}

static void run_threads(run_state *run, int threads) {
#ifdef _OPENMP
    omp_init_lock(&run->lock);
    omp_init_lock(&run->progress_lock);
#pragma omp parallel num_threads(threads)
    run_chunks(run, run->workspaces[omp_get_thread_num()]);
    omp_destroy_lock(&run->progress_lock);
    omp_destroy_lock(&run->lock);
#else
    (void)threads;
    run_chunks(run, run->workspaces[0]);
#endif
}

static int outcome(const run_state *run) {
    size_t size = run->plan->chunk_size, c = run->failed_chunk;
    if (run->failure)
        return LEM_ERROR(run->failure, "chunk %zu of %zu (samples from %zu): %s", c, run->chunks, c * size,
                         run->sentence);
    if (run->stopped)
        return LEM_ERROR(GSL_EFAILED, "stopped by the progress call-back after %zu of %zu chunks",
                         run->chunks_done, run->chunks);
    return GSL_SUCCESS;
}

static void hand_over(const run_state *run, lem_mc_result *result) {
    const lem_mc_plan *plan = run->plan;
    const node *root = run->pending;
    if (plan->n_moments)
        memcpy(result->moments, root->moments, plan->n_moments * sizeof *root->moments);
    if (plan->n_counts)
        memcpy(result->counts, root->counts, plan->n_counts * sizeof *root->counts);
    if (run->records)
        memcpy(result->records, run->records, plan->samples * plan->n_records * sizeof *run->records);
}

int lem_mc_run(const lem_mc_plan *plan, lem_mc_result *result) {
    run_state run = {.plan = plan};
    int status = check_plan(plan, result, &run.chunks);
    if (status)
        return status;
    run.failed_chunk = run.chunks;
    while ((uint64_t)1 << run.height < run.chunks)
        run.height++;
    int threads = wanted_threads(plan, run.chunks);
    if (plan->n_records) {
        run.records = malloc(plan->samples * plan->n_records * sizeof *run.records);
        if (!run.records)
            return LEM_ERROR(GSL_ENOMEM, "no memory for records: %zu samples of %zu", plan->samples,
                             plan->n_records);
    }
    status = alloc_workspaces(&run, threads);
    if (!status) {
        run_threads(&run, threads);
        status = outcome(&run);
    }
    if (!status)
        hand_over(&run, result);
    free_workspaces(&run, threads);
    free_nodes(run.pending);
    free_nodes(run.unused);
    free(run.records);
    return status;
}
