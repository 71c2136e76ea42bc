/* Random projection of 10,000 x 784 to 256, drawing it included, against dgemm on that shape; the randomized
 * SVD against LAPACK's. Random data: no operation here depends on the values. */
#include "bench.h"
#include "linalg/linalg.h"
#include "projection/project.h"
#include "projection/rsvd.h"
#include "study/blas_core.h"

enum { POINTS = 10000, PIXELS = 784, REDUCED = 256 };

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *, size_t, size_t);
void openblas_set_num_threads(int threads);
int openblas_get_num_procs(void);

static void must(int status) {
    if (status) {
        (void)fprintf(stderr, "%s\n", lem_last_error());
        exit(1);
    }
}

static lem_stream stream_of(uint32_t chunk) {
    lem_stream stream;
    must(lem_stream_init(&stream, 1, lem_stream_id("bench"), lem_stream_id("projection"), chunk));
    return stream;
}

static gsl_matrix *normals(size_t rows, size_t columns) {
    gsl_matrix *m = gsl_matrix_alloc(rows, columns);
    lem_stream stream = stream_of(0);
    must(lem_normal_fill(&stream, rows * columns, m->data));
    return m;
}

typedef struct {
    gsl_matrix *x, *a, *y;
    lem_project_workspace *w;
    int threads; /* 1, or 0 for all */
} projection;

static void draw_and_project(void *context) {
    projection *p = context;
    lem_stream stream = stream_of(1);
    must(lem_project_draw(p->w, &stream));
    must(lem_project_rows(p->w, p->x, p->y, p->threads));
}

/* One call of dgemm, on as many of OpenBLAS's own threads. */
static void plain_dgemm(void *context) {
    projection *p = context;
    const int n = REDUCED, m = POINTS, k = PIXELS;
    const double one = 1, zero = 0;
    openblas_set_num_threads(p->threads ? p->threads : openblas_get_num_procs());
    dgemm_("T", "N", &n, &m, &k, &one, p->a->data, &k, p->x->data, &k, &zero, p->y->data, &n, 1, 1);
    openblas_set_num_threads(1);
}

static void report_projection(lem_projection_kind kind, const char *name, int threads, projection p) {
    p.w = lem_project_alloc(kind, REDUCED, PIXELS, 0);
    p.threads = threads;
    bench_case cases[] = {{draw_and_project, &p, 0}, {plain_dgemm, &p, 0}};
    bench_interleave(cases, 2, 21);
    bench_print(name, POINTS / cases[0].seconds, "rows/s",
                threads == 1 ? "dgemm on one thread" : "dgemm on all cores", POINTS / cases[1].seconds);
    lem_project_free(p.w);
}

static void bench_projections(void) {
    projection p = {
        .x = normals(POINTS, PIXELS), .a = normals(REDUCED, PIXELS), .y = normals(POINTS, REDUCED)};
    report_projection(LEM_PROJECTION_GAUSSIAN, "projection.gaussian.one-thread", 1, p);
    report_projection(LEM_PROJECTION_GAUSSIAN, "projection.gaussian.all-cores", 0, p);
    report_projection(LEM_PROJECTION_SRHT_PADDED, "projection.srht.one-thread", 1, p);
    report_projection(LEM_PROJECTION_SRHT_PADDED, "projection.srht.all-cores", 0, p);
    gsl_matrix_free(p.x), gsl_matrix_free(p.a), gsl_matrix_free(p.y);
}

typedef struct {
    gsl_matrix *a, *u, *v, *full_u, *full_v;
    gsl_vector *s, *full_s;
} decomposition;

enum { K = 50, P = 10, Q = 1 };

static void randomized(void *context) {
    decomposition *d = context;
    lem_stream stream = stream_of(2);
    must(lem_rsvd(d->a, K, P, Q, &stream, d->u, d->s, d->v));
}

/* Seconds long, so once on one thread and once on OpenBLAS's own threads for all cores, which on a busy
 * machine is the slower of the two. */
static double lapack_seconds(const decomposition *d) {
    double best = INFINITY;
    for (int all = 0; all < 2; all++) {
        openblas_set_num_threads(all ? openblas_get_num_procs() : 1);
        const double start = bench_now();
        must(lem_svd(d->a, d->full_u, d->full_s, d->full_v));
        best = fmin(best, bench_now() - start);
    }
    openblas_set_num_threads(1);
    return best;
}

static void report_svd(const char *name, size_t m, size_t n) {
    const size_t r = m < n ? m : n;
    decomposition d = {.a = normals(m, n),
                       .u = gsl_matrix_alloc(m, K),
                       .v = gsl_matrix_alloc(n, K),
                       .s = gsl_vector_alloc(K),
                       .full_u = gsl_matrix_alloc(m, r),
                       .full_v = gsl_matrix_alloc(n, r),
                       .full_s = gsl_vector_alloc(r)};
    bench_case fast = {randomized, &d, 0};
    bench_interleave(&fast, 1, 5);
    bench_print(name, 1 / fast.seconds, "1/s", "LAPACK dgesdd, the faster of one thread and all cores",
                1 / lapack_seconds(&d));
    gsl_matrix_free(d.a), gsl_matrix_free(d.u), gsl_matrix_free(d.v), gsl_vector_free(d.s);
    gsl_matrix_free(d.full_u), gsl_matrix_free(d.full_v), gsl_vector_free(d.full_s);
}

int main(int argc, char **argv) {
    (void)argc;
    lem_blas_choose_core(argv);
    lem_blas_single_thread();
    bench_projections();
    report_svd("rsvd.k50.4096x2048", 4096, 2048);
    report_svd("rsvd.k50.10000x784", 10000, 784);
    return 0;
}
