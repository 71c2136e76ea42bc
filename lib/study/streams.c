/* The random streams of a study: addressed by purpose and chunk, each used once. */
#include "study/ranks.h"
#include "study/runtime.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const lem_study *study, uint32_t word, uint32_t chunk) {
    uint64_t mixed = ((uint64_t)word << 32 | chunk) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 20) & (study->uses_room - 1);
}

static void insert(lem_study *study, lem_stream_use use) {
    size_t at = slot_of(study, use.word, use.chunk);
    while (study->uses[at].purpose)
        at = (at + 1) & (study->uses_room - 1);
    study->uses[at] = use;
    study->n_uses++;
}

static const lem_stream_use *find(const lem_study *study, uint32_t word, uint32_t chunk) {
    if (study->uses_room == 0)
        return NULL;
    for (size_t at = slot_of(study, word, chunk); study->uses[at].purpose;
         at = (at + 1) & (study->uses_room - 1))
        if (study->uses[at].word == word && study->uses[at].chunk == chunk)
            return &study->uses[at];
    return NULL;
}

static int grow(lem_study *study) {
    if (study->uses_room > 2 * (study->n_uses + 2))
        return GSL_SUCCESS;
    lem_stream_use *old = study->uses;
    size_t old_room = study->uses_room, room = old_room ? 2 * old_room : 64;
    lem_stream_use *uses = calloc(room, sizeof *uses);
    if (!uses)
        return LEM_ERROR(GSL_ENOMEM, "out of memory");
    study->uses = uses;
    study->uses_room = room;
    study->n_uses = 0;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].purpose)
            insert(study, old[i]);
    free(old);
    return GSL_SUCCESS;
}

/* The first use of a purpose is kept once more under this chunk, to know its name and whether lem_mc has it.
 */
static const uint32_t head = UINT32_MAX;

static int claim_use(lem_study *study, const char *purpose, uint32_t chunk, bool whole) {
    if (!study || !purpose || !purpose[0])
        return LEM_ERROR(GSL_EINVAL, "a stream needs a study and a purpose");
    if (chunk == head)
        return LEM_ERROR(GSL_EINVAL, "stream %s: chunk %u is reserved", purpose, chunk);
    uint32_t word = lem_stream_id(purpose);
    const lem_stream_use *first = find(study, word, head);
    if (first && strcmp(first->purpose, purpose) != 0)
        return LEM_ERROR(GSL_EINVAL, "the stream purposes '%s' and '%s' have the same hash: rename one",
                         purpose, first->purpose);
    if (first && (whole || first->whole || find(study, word, chunk)))
        return LEM_ERROR(GSL_EINVAL,
                         "the stream '%s' (chunk %u) is used twice: name another purpose, or copy it",
                         purpose, chunk);
    for (int entries = first ? 1 : 2; entries > 0; entries--) {
        LEM_TRY(grow(study));
        lem_stream_use use = {strdup(purpose), word, entries == 2 ? head : chunk, whole};
        if (!use.purpose)
            return LEM_ERROR(GSL_ENOMEM, "out of memory");
        insert(study, use);
    }
    return GSL_SUCCESS;
}

int lem_study_stream(lem_study *study, const char *purpose, uint32_t chunk, lem_stream *stream) {
    LEM_TRY(claim_use(study, purpose, chunk, false));
    return lem_stream_init(stream, study->options.seed, lem_stream_id(study->spec->name),
                           lem_stream_id(purpose), chunk);
}

static int show_progress(size_t done, size_t chunks, void *ctx) {
    lem_progress_fraction(ctx, (double)done / (double)chunks);
    return 0;
}

int lem_study_mc(lem_study *study, const char *purpose, lem_mc_plan plan, lem_mc_result *result) {
    LEM_TRY(claim_use(study, purpose, 0, true));
    plan.seed = study->options.seed;
    plan.study = lem_stream_id(study->spec->name);
    plan.purpose = lem_stream_id(purpose);
    plan.threads = study->threads;
    plan.progress = show_progress;
    plan.progress_ctx = study;
    plan.transport = lem_ranks_transport();
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    int status = lem_mc_run(&plan, result);
    study->mc_seconds += lem_seconds_since(&start);
    return status;
}
