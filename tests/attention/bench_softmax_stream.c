/* Softmax statistics of fresh scores, streamed on one thread, against a bare loop over the same blocks that
 * only fills the normals and takes the exponentials: n = 2^20, so that nothing is kept. */
#include "attention/quenched.h"
#include "attention/softmax_kernel.h"
#include "attention/softmax_scores.h"
#include "bench.h"

enum { LENGTH = 1 << 20, BLOCK = 1024, REPEATS = 21 };

typedef struct {
    lem_score_law law;
    double alpha, sum;
    lem_stream stream;
    int normals; /* of the bare loop, for each score; as many exponentials */
} work;

static void must(int status) {
    if (status) {
        (void)fprintf(stderr, "%s\n", lem_last_error());
        exit(2);
    }
}

static void run_stream(void *context) {
    work *w = context;
    lem_softmax_statistics out;
    must(lem_softmax_stream(&w->law, LENGTH, 1, &w->alpha, &w->stream, &out));
    w->sum += out.sum_p2;
}

static void run_bare(void *context) {
    work *w = context;
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    double x[BLOCK];
    for (int block = 0; block < LENGTH / BLOCK * w->normals; block++) {
        must(lem_normal_fill(&w->stream, BLOCK, x));
        w->sum += kernel->exp_sum(x, BLOCK, 9);
    }
}

int main(void) {
    static const struct {
        const char *name;
        lem_score_kind kind;
        double shape, alpha;
        int normals;
        const char *limit;
    } cases[] = {{"attention.softmax_stream.gauss", LEM_SCORES_GAUSSIAN, 0, 3, 1, "a normal and an exp each"},
                 {"attention.softmax_stream.cosine", LEM_SCORES_COSINE, 64, 20, 2,
                  "two normals and two exps each, as a cosine needs"}};
    for (size_t i = 0; i < 2; i++) {
        work stream = {.law = {.kind = cases[i].kind, .shape = cases[i].shape}, .alpha = cases[i].alpha};
        must(lem_stream_init(&stream.stream, 1, lem_stream_id("bench"), lem_stream_id("softmax_stream"), 0));
        work bare = stream;
        bare.normals = cases[i].normals;
        bench_case runs[] = {{run_stream, &stream, 0}, {run_bare, &bare, 0}};
        bench_interleave(runs, 2, REPEATS);
        bench_print(cases[i].name, LENGTH / runs[0].seconds * 1e-6, "M scores/s", cases[i].limit,
                    LENGTH / runs[1].seconds * 1e-6);
    }
    return 0;
}
