/* The merge tree. Node (level, index) stands for the chunks index 2^level ... (index + 1) 2^level - 1 that
 * exist. A finished chunk is a node of level 0; two siblings (indices 2i and 2i + 1) merge, left with right,
 * into node i of the level above; a node whose sibling holds no chunk moves up as it is. Who merges, and
 * when, never changes what is merged with what: the value of the root depends on the chunks alone.
 *
 * Siblings wait for each other in a list of pending nodes. Chunks are dealt in order, so with T threads the
 * finished chunks are an interval less at most T points, and at most 2 (T + 1) log2(chunks) nodes are
 * pending: memory does not grow with the number of chunks.
 *
 * Several ranks share the chunks without changing a value: each runs whole nodes of one level (deal.h), all
 * exchange these nodes, and each deposits them all, as if it had run every chunk. Records are placed by chunk
 * number anyway. */
#include "stat/mc.h"

#include "stat/deal.h"

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
    const lem_transport *transport; /* NULL: the chunks are not shared */
    lem_deal deal;
    int rank;
    size_t chunks, own_chunks; /* of all ranks, of this one */
    unsigned height;           /* the root's level */
    double *records;
    void **workspaces;
    char *mail;              /* the blocks' nodes, rank by rank, as they are exchanged */
    size_t *offsets, *bytes; /* [ranks], of an exchange */
    bool warned;             /* the other ranks, of a failure here; the calling thread's alone */
#ifdef _OPENMP
    omp_lock_t lock, progress_lock;
#endif
    /* Below: read and written under lock. */
    size_t dealt;              /* of own_chunks */
    uint64_t failed_chunk;     /* lowest so far; LEM_NO_CHUNK when none has failed */
    uint64_t failed_elsewhere; /* lowest known to fail on another rank */
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
 * failed every lower one of this rank is done or running; below one that failed elsewhere they go on. */
static bool next_chunk(run_state *run, size_t *chunk) {
    lock(run);
    bool more = run->dealt < run->own_chunks && run->failed_chunk == LEM_NO_CHUNK && !run->stopped;
    if (more)
        *chunk = lem_deal_chunk(&run->deal, run->rank, run->dealt);
    more = more && *chunk < run->failed_elsewhere;
    run->dealt += more;
    unlock(run);
    return more;
}

/* Tell the other ranks of a failure here and hear of theirs. A run that was stopped has no failing chunk: it
 * warns of chunk 0, below which nothing is left to do. Called by the calling thread alone. */
static void tell_and_hear(run_state *run) {
    if (!run->transport || !run->transport->warn)
        return;
    lock(run);
    uint64_t here = run->stopped ? 0 : run->failed_chunk;
    unlock(run);
    uint64_t elsewhere = run->transport->warn(here, run->transport->ctx);
    run->warned = run->warned || here != LEM_NO_CHUNK;
    lock(run);
    if (elsewhere < run->failed_elsewhere)
        run->failed_elsewhere = elsewhere;
    unlock(run);
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
    if (!run->stopped && plan->progress(++run->chunks_done, run->own_chunks, plan->progress_ctx)) {
        lock(run);
        run->stopped = true;
        unlock(run);
    }
#ifdef _OPENMP
    omp_unset_lock(&run->progress_lock);
#endif
}

/* In a thread that runs chunks. What a chunk or a progress call-back runs in its turn is not shared: the
 * other ranks know nothing of it. */
static _Thread_local bool inside;

static void run_chunks(run_state *run, void *workspace, bool is_caller) {
    size_t chunk;
    bool was_inside = inside;
    inside = true;
    while (next_chunk(run, &chunk)) {
        lem_clear_error(); /* so that a sentence found after a failure is the failure's own */
        int status = run_chunk(run, chunk, workspace);
        if (status)
            note_failure(run, chunk, status);
        else
            tell_progress(run);
        if (is_caller)
            tell_and_hear(run);
    }
    inside = was_inside;
}

static int check_transport(const lem_transport *t) {
    if (t && (t->rank < 0 || t->rank >= t->ranks || !t->agree || !t->gather))
        return LEM_ERROR(GSL_EINVAL,
                         "transport: rank = %d, ranks = %d: must be 0 <= rank < ranks, with agree and gather",
                         t->rank, t->ranks);
    return GSL_SUCCESS;
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
    int status = check_transport(plan->transport);
    if (status)
        return status;
    lem_stream stream;
    return lem_stream_init(&stream, plan->seed, plan->study, plan->purpose, 0);
}

static int wanted_threads(const lem_mc_plan *plan, size_t chunks) {
#ifdef _OPENMP
    int threads = plan->threads ? plan->threads : omp_get_max_threads();
    return chunks == 0 ? 1 : (size_t)threads > chunks ? (int)chunks : threads;
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
#pragma omp parallel num_threads(threads)
    run_chunks(run, run->workspaces[omp_get_thread_num()], omp_get_thread_num() == 0);
#else
    (void)threads;
    run_chunks(run, run->workspaces[0], true);
#endif
}

static int outcome(const run_state *run) {
    size_t size = run->plan->chunk_size, c = (size_t)run->failed_chunk;
    if (run->failure)
        return LEM_ERROR(run->failure, "chunk %zu of %zu (samples from %zu): %s", c, run->chunks, c * size,
                         run->sentence);
    if (run->stopped)
        return LEM_ERROR(GSL_EFAILED, "stopped by the progress call-back after %zu of %zu chunks",
                         run->chunks_done, run->own_chunks);
    return GSL_SUCCESS;
}

/* --- sharing the chunks --- */

/* A run differs from another by this, as far as the ranks must run the same (FNV-1a over the words). */
static uint64_t fingerprint(const lem_mc_plan *plan) {
    const uint64_t words[] = {plan->seed,       plan->study,     plan->purpose,  plan->samples,
                              plan->chunk_size, plan->n_moments, plan->n_counts, plan->n_records};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof words; i++)
        hash = (hash ^ ((const unsigned char *)words)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static size_t node_size(const lem_mc_plan *plan) {
    return plan->n_moments * sizeof(lem_moments) + plan->n_counts * sizeof(uint64_t);
}

static int alloc_mail(run_state *run) {
    if (!run->transport)
        return GSL_SUCCESS;
    size_t size = node_size(run->plan);
    run->mail = calloc(run->deal.blocks, size ? size : 1);
    run->offsets = calloc(run->deal.ranks, sizeof *run->offsets);
    run->bytes = calloc(run->deal.ranks, sizeof *run->bytes);
    return run->mail && run->offsets && run->bytes
               ? GSL_SUCCESS
               : LEM_ERROR(GSL_ENOMEM, "no memory for %zu nodes of %zu bytes", run->deal.blocks, size);
}

/* All ranks leave with the same status and sentence. */
static int agree(run_state *run, int status) {
    if (!run->transport)
        return status;
    lem_report mine = {
        .where = fingerprint(run->plan), .chunk = run->failed_chunk, .status = status, .warned = run->warned};
    if (status)
        (void)snprintf(mine.sentence, sizeof mine.sentence, "%s", lem_last_error());
    return lem_transport_agree(run->transport, &mine);
}

/* A block's node as bytes and back. */
static void pack(const lem_mc_plan *plan, const node *n, char *at) {
    memcpy(at, n->moments, plan->n_moments * sizeof *n->moments);
    memcpy(at + plan->n_moments * sizeof *n->moments, n->counts, plan->n_counts * sizeof *n->counts);
}

static void unpack(const lem_mc_plan *plan, node *n, const char *at) {
    memcpy(n->moments, at, plan->n_moments * sizeof *n->moments);
    memcpy(n->counts, at + plan->n_moments * sizeof *n->moments, plan->n_counts * sizeof *n->counts);
}

/* This rank's nodes into its part of the mail. Each is a block: one that is the last of all may have climbed
 * further, to the same place as when it is deposited again. */
static void post(run_state *run, char *mine, size_t size) {
    while (run->pending) {
        node *n = run->pending;
        run->pending = n->next;
        size_t block = n->index << (n->level - run->deal.level);
        pack(run->plan, n, mine + block / run->deal.ranks * size);
        return_node(run, n);
    }
}

static int deposit_block(run_state *run, size_t block, const char *at) {
    node *n = take_node(run);
    if (!n)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu moments and %zu counts", run->plan->n_moments,
                         run->plan->n_counts);
    n->level = run->deal.level;
    n->index = block;
    unpack(run->plan, n, at);
    deposit(run, n);
    return GSL_SUCCESS;
}

static int exchange_nodes(run_state *run) {
    size_t size = node_size(run->plan), end = 0;
    for (int r = 0; r < run->transport->ranks; r++) {
        run->offsets[r] = end;
        run->bytes[r] = lem_deal_blocks_of(&run->deal, r) * size;
        end += run->bytes[r];
    }
    post(run, run->mail + run->offsets[run->rank], size);
    return size ? run->transport->gather(run->mail, run->offsets, run->bytes, run->transport->ctx) : 0;
}

/* The mail's nodes, which lie in it rank by rank, into the tree. */
static int deposit_mail(run_state *run) {
    const char *at = run->mail;
    int status = GSL_SUCCESS;
    for (int r = 0; r < run->transport->ranks; r++)
        for (size_t k = 0; k < lem_deal_blocks_of(&run->deal, r) && !status; k++) {
            status = deposit_block(run, lem_deal_block(&run->deal, r, k), at);
            at += node_size(run->plan);
        }
    return status;
}

/* The samples before a block. */
static size_t samples_before(const run_state *run, size_t block) {
    size_t chunk = block << run->deal.level, size = run->plan->chunk_size;
    return chunk < run->chunks ? chunk * size : run->plan->samples;
}

/* The records stay where they are: the blocks of a turn, one a rank, are exchanged in their place. */
static int exchange_records(run_state *run) {
    size_t turns = (run->deal.blocks - 1) / run->deal.ranks + 1, size = run->plan->n_records * sizeof(double);
    int status = GSL_SUCCESS;
    for (size_t turn = 0; turn < turns && !status && run->records; turn++) {
        for (int r = 0; r < run->transport->ranks; r++) {
            size_t block = lem_deal_block(&run->deal, r, turn);
            size_t from = samples_before(run, block), to = samples_before(run, block + 1);
            run->offsets[r] = from * size;
            run->bytes[r] = (to - from) * size;
        }
        status = run->transport->gather(run->records, run->offsets, run->bytes, run->transport->ctx);
    }
    return status;
}

/* --- the run --- */

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

static int alloc_records(run_state *run) {
    const lem_mc_plan *plan = run->plan;
    if (plan->n_records == 0)
        return GSL_SUCCESS;
    run->records = malloc(plan->samples * plan->n_records * sizeof *run->records);
    return run->records ? GSL_SUCCESS
                        : LEM_ERROR(GSL_ENOMEM, "no memory for records: %zu samples of %zu", plan->samples,
                                    plan->n_records);
}

/* This rank's chunks. Whatever goes wrong, the other ranks are told. */
static int run_own_chunks(run_state *run, int threads) {
    int status = alloc_records(run);
    if (!status)
        status = alloc_mail(run);
    if (!status)
        status = alloc_workspaces(run, threads);
    if (status) {
        run->stopped = true;
    } else {
        run_threads(run, threads);
        status = outcome(run);
    }
    if (status) {
        char sentence[sizeof run->sentence];
        (void)snprintf(sentence, sizeof sentence, "%s", lem_last_error());
        tell_and_hear(run);
        return LEM_ERROR(status, "%s", sentence);
    }
    return GSL_SUCCESS;
}

static void init_locks(run_state *run) {
#ifdef _OPENMP
    omp_init_lock(&run->lock);
    omp_init_lock(&run->progress_lock);
#else
    (void)run;
#endif
}

static void destroy_locks(run_state *run) {
#ifdef _OPENMP
    omp_destroy_lock(&run->progress_lock);
    omp_destroy_lock(&run->lock);
#else
    (void)run;
#endif
}

static void share_out(run_state *run) {
    const lem_transport *transport = run->plan->transport;
    run->transport = transport && transport->ranks > 1 && !inside ? transport : NULL;
    run->rank = run->transport ? transport->rank : 0;
    run->deal = lem_deal_chunks(run->chunks, run->transport ? transport->ranks : 1);
    run->own_chunks = lem_deal_chunks_of(&run->deal, run->rank);
    while ((uint64_t)1 << run->height < run->chunks)
        run->height++;
}

static int run_and_merge(run_state *run, int threads) {
    int status = agree(run, run_own_chunks(run, threads));
    if (status || !run->transport)
        return status;
    status = exchange_nodes(run);
    if (!status)
        status = exchange_records(run);
    /* Last, because from here on one rank may fail alone. */
    return status ? status : deposit_mail(run);
}

int lem_mc_run(const lem_mc_plan *plan, lem_mc_result *result) {
    run_state run = {.plan = plan, .failed_chunk = LEM_NO_CHUNK, .failed_elsewhere = LEM_NO_CHUNK};
    int status = check_plan(plan, result, &run.chunks);
    if (status)
        return status;
    share_out(&run);
    int threads = wanted_threads(plan, run.own_chunks);
    init_locks(&run);
    status = run_and_merge(&run, threads);
    if (!status)
        hand_over(&run, result);
    destroy_locks(&run);
    free_workspaces(&run, threads);
    free_nodes(run.pending);
    free_nodes(run.unused);
    free(run.mail);
    free(run.offsets);
    free(run.bytes);
    free(run.records);
    return status;
}
