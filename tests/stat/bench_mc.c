/* What lem_mc costs beside the bare loop it runs (fill, then moments), and what a second thread brings. */
#include "bench.h"
#include "stat/mc.h"

enum { SAMPLES = 1 << 22, CHUNK = 4096, REPEATS = 9 };

static void fail(void) {
    (void)fprintf(stderr, "%s\n", lem_last_error());
    exit(1);
}

static int moments_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *ctx) {
    (void)first, (void)ctx;
    int status = lem_normal_fill(stream, count, workspace);
    return status ? status : lem_moments_add_array(&out->moments[0], count, workspace);
}

static void *alloc_chunk(const void *ctx) {
    (void)ctx;
    return malloc(CHUNK * sizeof(double));
}

static void run_mc(void *threads) {
    lem_moments m;
    lem_mc_plan plan = {.seed = 1, .samples = SAMPLES, .chunk_size = CHUNK, .n_moments = 1};
    plan.threads = *(int *)threads;
    plan.chunk = moments_chunk;
    plan.workspace_alloc = alloc_chunk;
    plan.workspace_free = free;
    if (lem_mc_run(&plan, &(lem_mc_result){.moments = &m}))
        fail();
}

static void run_bare(void *buffer) {
    lem_moments m;
    lem_moments_init(&m);
    for (uint32_t c = 0; c < SAMPLES / CHUNK; c++) {
        lem_stream stream;
        if (lem_stream_init(&stream, 1, 0, 0, c) || lem_normal_fill(&stream, CHUNK, buffer) ||
            lem_moments_add_array(&m, CHUNK, buffer))
            fail();
    }
}

int main(void) {
    static double buffer[CHUNK];
    int one = 1, two = 2;
    bench_case cases[] = {{run_bare, buffer, 0}, {run_mc, &one, 0}, {run_mc, &two, 0}};
    bench_interleave(cases, 3, REPEATS);
    double bare = SAMPLES / cases[0].seconds / 1e6, mc = SAMPLES / cases[1].seconds / 1e6;
    bench_print("lem_mc.normals.1_thread", mc, "M/s", "bare_fill_and_moments", bare);
    bench_print("lem_mc.normals.2_threads", SAMPLES / cases[2].seconds / 1e6, "M/s", "twice_1_thread",
                2 * mc);
    return 0;
}
