/* Attention against its own arithmetic, on one thread.
 *
 * Exact: the products by BLAS at the rate of a large square product, and the exponentials at the rate of the
 * kernel on data in the first-level cache. Nothing made of these two can be faster; what is missing to a
 * ratio of 1 is the shape of the products (inner size d, not 1024), memory, and the rest of the work.
 *
 * Linear: the two products PhiK^T V and PhiQ (.) as whole matrices by dgemm (thin: BLAS itself is at half of
 * its rate here); causal the same rate for all operations that the blocks need. */
#include "attention/exact.h"
#include "attention/linear.h"
#include "attention/softmax_kernel.h"
#include "bench.h"
#include "linalg/gemm.h"
#include "linalg/linalg.h"
#include "rng/stream.h"
#include "study/blas_core.h"

#include <sys/resource.h>
#include <unistd.h>

enum { SQUARE = 1024, CACHED = 1024, EXPONENTIALS = 1 << 22 };

typedef struct {
    gsl_matrix *q, *k, *v, *o;
    lem_attention_options options;
    double *buffer;
} data;

static void must(int status) {
    if (status) {
        (void)fprintf(stderr, "%s\n", lem_last_error());
        exit(2);
    }
}

static gsl_matrix *normal(size_t rows, size_t columns, double sd, lem_stream *stream) {
    gsl_matrix *m = gsl_matrix_alloc(rows, columns);
    must(lem_normal_fill(stream, rows * columns, m->data));
    gsl_matrix_scale(m, sd);
    return m;
}

static void run_exact(void *context) {
    data *d = context;
    must(lem_attention_exact(d->q, d->k, d->v, &d->options, d->o));
}

static void run_linear(void *context) {
    data *d = context;
    must(lem_linear_attention(d->q, d->k, d->v, d->options.causal, 1, d->o));
}

static void run_gemm(void *context) {
    data *d = context;
    must(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, d->q, d->k, 0, d->o, 1));
}

/* Restores the logits each time: a copy within the first-level cache. */
static void run_exp(void *context) {
    data *d = context;
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    double sum = 0;
    for (size_t done = 0; done < EXPONENTIALS; done += CACHED) {
        for (size_t j = 0; j < CACHED; j++)
            d->buffer[j] = d->v->data[j];
        sum += kernel->exp_sum(d->buffer, CACHED, 3);
    }
    d->o->data[0] = sum;
}

static void run_products(void *context) {
    data *d = context;
    gsl_matrix state = gsl_matrix_view_array(d->buffer, d->q->size2, d->v->size2).matrix;
    must(lem_gemm_finite(LEM_TRANS, LEM_NO_TRANS, 1, d->k, d->v, 0, &state, 1));
    must(lem_gemm_finite(LEM_NO_TRANS, LEM_NO_TRANS, 1, d->q, &state, 0, d->o, 1));
}

static data data_of(size_t n, size_t width, size_t d_v, double sd, bool positive, lem_stream *stream) {
    data d = {.q = normal(n, width, sd, stream),
              .k = normal(n, width, sd, stream),
              .v = normal(n, d_v, 1, stream),
              .o = gsl_matrix_alloc(n, d_v),
              .options = {.scale = 1, .threads = 1}};
    for (size_t i = 0; positive && i < n * width; i++)
        d.q->data[i] = fabs(d.q->data[i]), d.k->data[i] = fabs(d.k->data[i]);
    return d;
}

static void data_free(data *d) {
    gsl_matrix_free(d->q), gsl_matrix_free(d->k), gsl_matrix_free(d->v), gsl_matrix_free(d->o);
}

/* One case against the arithmetic it needs, measured in turns with it. */
static void compare_exact(const char *name, data *d, double flops, double exponentials, data *square) {
    bench_case cases[] = {{run_exact, d, 0}, {run_gemm, square, 0}, {run_exp, square, 0}};
    bench_interleave(cases, 3, 9);
    const double flop_time = cases[1].seconds / (2.0 * SQUARE * SQUARE * SQUARE),
                 exp_time = cases[2].seconds / EXPONENTIALS;
    bench_print(name, 1 / cases[0].seconds, "1/s", "dgemm and exp alone",
                1 / (flops * flop_time + exponentials * exp_time));
}

static void compare_linear(const char *name, data *d, double flops) {
    const double product_flops = 4.0 * (double)(d->q->size1 * d->q->size2 * d->v->size2);
    bench_case cases[] = {{run_linear, d, 0}, {run_products, d, 0}};
    bench_interleave(cases, 2, 15);
    bench_print(name, 1 / cases[0].seconds, "1/s", "dgemm alone",
                1 / (cases[1].seconds * flops / product_flops));
}

static double peak_megabytes(void) {
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* Memory of a long sequence: the first 4096 queries stand for all, the others cost no memory but the output's
 * and Q's, which are allocated. */
static void memory(lem_stream *stream) {
    enum { LONG = 65536, D = 64, SOME = 4096 };
    data d = data_of(LONG, D, D, pow(D, -0.25), false, stream);
    const gsl_matrix q = gsl_matrix_submatrix(d.q, 0, 0, SOME, D).matrix;
    gsl_matrix o = gsl_matrix_submatrix(d.o, 0, 0, SOME, D).matrix;
    must(lem_attention_exact(&q, d.k, d.v, &(lem_attention_options){.scale = 1}, &o));
    for (size_t i = 0; i < d.o->size1; i++)
        d.o->data[i * D] = 0;
    bench_print("attention.exact.memory_65536", peak_megabytes(), "MB", "200 MB", 200);
    data_free(&d);
}

int main(int argc, char **argv) {
    (void)argc;
    lem_blas_choose_core(argv);
    lem_blas_single_thread();
    lem_stream stream;
    must(lem_stream_init(&stream, 1, lem_stream_id("bench_attention"), 0, 0));
    memory(&stream);
    data square = data_of(SQUARE, SQUARE, SQUARE, 1, false, &stream);
    square.buffer = malloc(CACHED * sizeof *square.buffer);
    static const size_t sizes[] = {512, 1024, 4096};
    for (size_t s = 0; s < 3; s++)
        for (int causal = 0; causal < 2; causal++) {
            const double n = (double)sizes[s], d = 64, pairs = causal ? n * (n + 1) / 2 : n * n;
            data x = data_of(sizes[s], 64, 64, pow(d, -0.25), false, &stream);
            x.options.causal = causal;
            char name[128];
            (void)snprintf(name, sizeof name, "attention.exact%s.%zu", causal ? "_causal" : "", sizes[s]);
            compare_exact(name, &x, 4 * pairs * d, pairs, &square);
            data_free(&x);
        }
    static const size_t features[] = {64, 256, 2145};
    for (size_t s = 0; s < 3; s++)
        for (int causal = 0; causal < 2; causal++) {
            const double n = 4096, r = (double)features[s];
            data x = data_of(4096, features[s], 64, 1, true, &stream);
            x.options.causal = causal;
            char name[128];
            (void)snprintf(name, sizeof name, "attention.linear%s.%zu_features", causal ? "_causal" : "",
                           features[s]);
            x.buffer = malloc(features[s] * 64 * sizeof *x.buffer);
            compare_linear(name, &x, 4 * n * r * 64 + (causal ? 2 * n * 64 * (r + 64) : 0));
            free(x.buffer);
            data_free(&x);
        }
    free(square.buffer);
    data_free(&square);
    return 0;
}
