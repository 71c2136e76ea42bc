/* Random-feature attention on one thread, d = 64, P = 256 positive features: its rate against that of its
 * four matrix products and its exponentials alone, and against exact attention: where they break even, and
 * how both grow with n. By a count of operations they break even at n = 2P = 512. */
#include "attention/exact.h"
#include "attention/favor.h"
#include "attention/softmax_kernel.h"
#include "bench.h"
#include "linalg/gemm.h"
#include "linalg/linalg.h"
#include "study/blas_core.h"

enum { WIDTH = 64, PROJECTIONS = 256, N_LENGTHS = 5, SHORTEST = 256, REPEATS = 11 };

typedef struct {
    gsl_matrix *q, *k, *v, *w, *o, *phi, *state, *exponents;
} data;

static void must(int status) {
    if (status) {
        (void)fprintf(stderr, "%s\n", lem_last_error());
        exit(2);
    }
}

static gsl_matrix *normal(size_t rows, double sd, lem_stream *stream) {
    gsl_matrix *m = gsl_matrix_alloc(rows, WIDTH);
    must(lem_normal_fill(stream, rows * WIDTH, m->data));
    gsl_matrix_scale(m, sd);
    return m;
}

static void run_exact(void *context) {
    data *d = context;
    const lem_attention_options options = {.scale = 1, .threads = 1};
    must(lem_attention_exact(d->q, d->k, d->v, &options, d->o));
}

static void run_favor(void *context) {
    data *d = context;
    const lem_favor_options options = {.kind = LEM_RF_POSITIVE, .threads = 1};
    must(lem_favor_attention(d->q, d->k, d->v, d->w, &options, d->o));
}

/* The products of run_favor, 2 n P d operations each, on matrices that are there. */
static void run_products(void *context) {
    data *d = context;
    must(lem_gemm_finite(LEM_NO_TRANS, LEM_TRANS, 1, d->k, d->w, 0, d->phi, 1));
    must(lem_gemm_finite(LEM_TRANS, LEM_NO_TRANS, 1, d->phi, d->v, 0, d->state, 1));
    must(lem_gemm_finite(LEM_NO_TRANS, LEM_TRANS, 1, d->q, d->w, 0, d->phi, 1));
    must(lem_gemm_finite(LEM_NO_TRANS, LEM_NO_TRANS, 1, d->phi, d->state, 0, d->o, 1));
}

/* The exponentials of run_favor, 2 n P of them. exp(x - 1) keeps [0, 1] inside itself, so they can be
 * repeated. */
static void run_exponentials(void *context) {
    data *d = context;
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    for (size_t i = 0; i < 2 * d->exponents->size1; i++)
        (void)kernel->exp_sum(gsl_matrix_ptr(d->exponents, i / 2, 0), PROJECTIONS, 1);
}

static void print(const char *name, double value, const char *unit, const char *limit_name, double limit) {
    printf("{\"name\": \"%s\", \"value\": %.4g, \"unit\": \"%s\", \"limit_name\": \"%s\", \"limit\": %.4g, "
           "\"ratio\": %.3g}\n",
           name, value, unit, limit_name, limit, value / limit);
}

int main(int argc, char **argv) {
    (void)argc;
    lem_blas_choose_core(argv);
    double n[N_LENGTHS], exact[N_LENGTHS], favor[N_LENGTHS], products = NAN, exponentials = NAN, even = NAN;
    lem_blas_single_thread();
    for (size_t i = 0; i < N_LENGTHS; i++) {
        const size_t length = (size_t)SHORTEST << i;
        lem_stream stream;
        must(lem_stream_init(&stream, 1, lem_stream_id("bench"), lem_stream_id("performer"), (uint32_t)i));
        data d = {.q = normal(length, .35, &stream),
                  .k = normal(length, .35, &stream),
                  .v = normal(length, 1, &stream),
                  .w = normal(PROJECTIONS, 1, &stream),
                  .o = gsl_matrix_alloc(length, WIDTH),
                  .phi = gsl_matrix_alloc(length, PROJECTIONS),
                  .state = gsl_matrix_alloc(PROJECTIONS, WIDTH),
                  .exponents = gsl_matrix_calloc(length, PROJECTIONS)};
        bench_case cases[] = {
            {run_exact, &d, 0}, {run_favor, &d, 0}, {run_products, &d, 0}, {run_exponentials, &d, 0}};
        bench_interleave(cases, 4, REPEATS);
        n[i] = (double)length, exact[i] = cases[0].seconds, favor[i] = cases[1].seconds,
        products = cases[2].seconds, exponentials = cases[3].seconds;
        /* between two lengths the ratio of times is taken for a power of n */
        if (i > 0 && exact[i] > favor[i] && exact[i - 1] <= favor[i - 1]) {
            const double before = log(favor[i - 1] / exact[i - 1]), after = log(exact[i] / favor[i]);
            even = n[i - 1] * pow(2, before / (before + after));
        }
        gsl_matrix_free(d.q), gsl_matrix_free(d.k), gsl_matrix_free(d.v), gsl_matrix_free(d.w),
            gsl_matrix_free(d.o), gsl_matrix_free(d.phi), gsl_matrix_free(d.state),
            gsl_matrix_free(d.exponents);
    }
    const size_t last = N_LENGTHS - 1;
    const double operations = 8 * n[last] * PROJECTIONS * WIDTH * 1e-9;
    print("attention.favor.4096", operations / favor[last], "Gflop/s", "dgemm and exp alone",
          operations / (products + exponentials));
    print("attention.favor.products_4096", operations / favor[last], "Gflop/s", "dgemm alone",
          operations / products);
    print("attention.favor.speedup_4096", exact[last] / favor[last], "", "count of operations, n/2P",
          n[last] / (2 * PROJECTIONS));
    if (isnan(even))
        printf("{\"name\": \"attention.favor.break_even\", \"skipped\": \"outside 256..4096 here\"}\n");
    else
        print("attention.favor.break_even", even, "tokens", "count of operations, 2P", 2 * PROJECTIONS);
    print("attention.exact.exponent", log(exact[last] / exact[last - 2]) / log(4), "", "quadratic", 2);
    print("attention.favor.exponent", log(favor[last] / favor[last - 2]) / log(4), "", "linear", 1);
    return 0;
}
