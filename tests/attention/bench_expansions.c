/* Polynomial attention against its own products, on one thread: features of degree 2 at d = 64, made and
 * used, beside PhiK^T V and PhiQ (.) by dgemm on features that are there already. */
#include "attention/polynomial.h"
#include "attention/symmetric_features.h"
#include "bench.h"
#include "linalg/linalg.h"
#include "rng/stream.h"
#include "study/blas_core.h"

enum { D = 64, WIDTH = 64, FEATURES = 2145, DEGREE = 2 };

typedef struct {
    gsl_matrix *q, *k, *v, *o, *phi, *state;
    double coef[DEGREE + 1];
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

static void run_attention(void *context) {
    data *t = context;
    must(lem_polynomial_attention(t->q, t->k, t->v, DEGREE, t->coef, false, 1, t->o));
}

static void run_features(void *context) {
    data *t = context;
    must(lem_symmetric_features(t->q, DEGREE, t->coef, 1, t->phi));
}

static void run_products(void *context) {
    data *t = context;
    must(lem_gemm(LEM_TRANS, LEM_NO_TRANS, 1, t->phi, t->v, 0, t->state, 1));
    must(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, t->phi, t->state, 0, t->o, 1));
}

int main(int argc, char **argv) {
    (void)argc;
    lem_blas_choose_core(argv);
    static const size_t tokens[] = {1024, 4096};
    lem_stream stream;
    lem_blas_single_thread();
    must(lem_stream_init(&stream, 1, lem_stream_id("bench_expansions"), 0, 0));
    for (size_t s = 0; s < 2; s++) {
        const size_t n = tokens[s];
        const double operations = 4.0 * (double)n * FEATURES * WIDTH, sd = 0.3535533905932738;
        data t = {normal(n, D, sd, &stream),
                  normal(n, D, sd, &stream),
                  normal(n, WIDTH, 1, &stream),
                  gsl_matrix_alloc(n, WIDTH),
                  gsl_matrix_alloc(n, FEATURES),
                  gsl_matrix_alloc(FEATURES, WIDTH),
                  {0}};
        must(lem_exp_taylor_coefficients(DEGREE, t.coef));
        bench_case cases[] = {{run_attention, &t, 0}, {run_features, &t, 0}, {run_products, &t, 0}};
        bench_interleave(cases, 3, 9);
        char name[128];
        (void)snprintf(name, sizeof name, "attention.polynomial2.%zu", n);
        bench_print(name, operations / cases[0].seconds * 1e-9, "Gflop/s", "its two products by dgemm",
                    operations / cases[2].seconds * 1e-9);
        (void)snprintf(name, sizeof name, "attention.symmetric_features2.%zu", n);
        bench_print(name, (double)n * FEATURES / cases[1].seconds * 1e-6, "million/s",
                    "one product with them by dgemm", (double)n * FEATURES / (cases[2].seconds / 2) * 1e-6);
        gsl_matrix_free(t.q), gsl_matrix_free(t.k), gsl_matrix_free(t.v);
        gsl_matrix_free(t.o), gsl_matrix_free(t.phi), gsl_matrix_free(t.state);
    }
    return 0;
}
