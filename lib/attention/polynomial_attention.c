/* As linear.c does it for features in memory; here they are made block by block, each by its thread. */
#include "attention/check.h"
#include "attention/linear.h"
#include "attention/polynomial.h"
#include "attention/softmax_kernel.h"
#include "attention/symmetric_features.h"
#include "attention/symmetric_plan.h"
#include "linalg/check.h"
#include "linalg/tile.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    BLOCK_MEMORY = 1 << 17, /* doubles of a block of features: a second-level cache */
    MOST_ROWS = 256,        /* of a block */
    SEGMENT = 1024,         /* the fewest keys that get a partial state of their own */
    MOST_STATES = 8,
    STATE_MEMORY = 1 << 23, /* doubles in all partial states together, unless one alone needs more */
};

typedef struct {
    const lem_symmetric_plan *plan;
    const gsl_matrix *q, *k, *v;
    gsl_matrix *o;
    const lem_softmax_kernel *kernel;
    size_t r, width, rows; /* features, columns of V, tokens of a block */
    size_t state_size;     /* r (width + 1): sum_j v_j phi(k_j)^T (width x r), then sum_j phi(k_j) */
    double *blocks;        /* one for each thread, rows x r */
} job;

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t parts(size_t n, size_t size) {
    return (n + size - 1) / size;
}

static double *own_block(const job *t) {
#ifdef _OPENMP
    return t->blocks + (size_t)omp_get_thread_num() * t->rows * t->r;
#else
    return t->blocks;
#endif
}

static void expand_block(const job *t, const gsl_matrix *x, size_t start, size_t rows, double *phi) {
    for (size_t i = 0; i < rows; i++)
        lem_symmetric_expand(t->plan, x->data + (start + i) * x->tda, phi + i * t->r);
}

/* The state of keys start..end-1, added to `state`. */
static void gather(const job *t, size_t start, size_t end, double *state) {
    double *phi = own_block(t);
    for (size_t at = start; at < end; at += t->rows) {
        const size_t rows = smaller(t->rows, end - at);
        expand_block(t, t->k, at, rows, phi);
        lem_tile_gemm(LEM_TRANS, LEM_NO_TRANS, t->width, t->r, rows, 1, t->v->data + at * t->v->tda,
                      t->v->tda, phi, t->r, 1, state, t->r);
        for (size_t i = 0; i < rows; i++)
            t->kernel->add(state + t->r * t->width, phi + i * t->r, t->r);
    }
}

/* The first row that cannot be normalised, with its normaliser; SIZE_MAX: none. */
typedef struct {
    size_t row;
    double sum;
} failure;

static failure earlier(failure a, failure b) {
    return b.row < a.row ? b : a;
}
#ifdef _OPENMP
#pragma omp declare reduction(earlier:failure                                                                \
                              : omp_out = earlier(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#endif

static failure read_out(const job *t, size_t start, size_t rows, const double *state) {
    double *phi = own_block(t);
    failure first = {SIZE_MAX, 0};
    expand_block(t, t->q, start, rows, phi);
    lem_tile_gemm(LEM_NO_TRANS, LEM_TRANS, rows, t->width, t->r, 1, phi, t->r, state, t->r, 0,
                  t->o->data + start * t->o->tda, t->o->tda);
    for (size_t i = 0; i < rows; i++) {
        double *out = t->o->data + (start + i) * t->o->tda;
        const double sum = t->kernel->dot(phi + i * t->r, state + t->r * t->width, t->r);
        for (size_t c = 0; c < t->width; c++)
            out[c] /= sum;
        if (!(sum > 0) || !isfinite(sum))
            first = earlier(first, (failure){start + i, sum});
        else if (!lem_all_finite(out, t->width))
            first = earlier(first, (failure){start + i, INFINITY});
    }
    return first;
}

/* The first row of x with features beyond the range of double; its number of rows if there is none. */
static size_t overflowing_row(const job *t, const gsl_matrix *x) {
    for (size_t i = 0; i < x->size1; i++) {
        lem_symmetric_expand(t->plan, x->data + i * x->tda, t->blocks);
        if (!lem_all_finite(t->blocks, t->r))
            return i;
    }
    return x->size1;
}

static int report(const job *t, failure first, const double *state) {
    if (first.row == SIZE_MAX && lem_all_finite(state, t->state_size))
        return GSL_SUCCESS;
    const size_t key = overflowing_row(t, t->k);
    if (key < t->k->size1)
        return LEM_ERROR(GSL_EOVRFLW, "row %zu of K: its features exceed the range of double", key);
    if (first.row == SIZE_MAX)
        return LEM_ERROR(GSL_EOVRFLW, "the sum of the features of K exceeds the range of double");
    if (isfinite(first.sum))
        return LEM_ERROR(GSL_EDOM, "row %zu: its weights sum to %g: must be positive", first.row, first.sum);
    return LEM_ERROR(GSL_EOVRFLW, "row %zu: its weights or its output exceed the range of double", first.row);
}

static int open_attention(job *t, int threads) {
    const size_t n = t->q->size1, m = t->k->size1;
    const size_t count = smaller(smaller(MOST_STATES, parts(m, SEGMENT)),
                                 t->state_size < STATE_MEMORY ? STATE_MEMORY / t->state_size : 1);
    const size_t length = parts(parts(m, count), t->rows) * t->rows, blocks = parts(n, t->rows);
    const int team = lem_team_size(threads, count > blocks ? count : blocks);
    double *states = lem_allocate(count * t->state_size, sizeof *states);
    t->blocks = states ? lem_allocate((size_t)team * t->rows * t->r, sizeof *t->blocks) : NULL;
    if (!t->blocks) {
        free(states);
        return GSL_ENOMEM;
    }
    memset(states, 0, count * t->state_size * sizeof *states);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
#endif
    for (size_t s = 0; s < count; s++)
        gather(t, smaller(s * length, m), smaller((s + 1) * length, m), states + s * t->state_size);
    for (size_t s = 1; s < count; s++)
        t->kernel->add(states, states + s * t->state_size, t->state_size);
    failure first = {SIZE_MAX, 0};
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1) reduction(earlier : first)
#endif
    for (size_t b = 0; b < blocks; b++)
        first = earlier(first, read_out(t, b * t->rows, smaller(t->rows, n - b * t->rows), states));
    const int status = report(t, first, states);
    free(states);
    free(t->blocks);
    return status;
}

/* All features at once, then linear attention by prefix sums. */
static int causal_attention(const job *t, const double *coef, int threads) {
    const size_t n = t->q->size1, r = t->r;
    if (r > SIZE_MAX / sizeof(double) / (2 * n))
        return LEM_ERROR(GSL_ENOMEM, "%zu features: too many for %zu tokens", r, n);
    double *memory = lem_allocate(2 * n * r, sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix phi_q = gsl_matrix_view_array(memory, n, r).matrix;
    gsl_matrix phi_k = gsl_matrix_view_array(memory + n * r, n, r).matrix;
    int status;
    if (!(status = lem_symmetric_features(t->q, t->plan->n, coef, threads, &phi_q)) &&
        !(status = lem_symmetric_features(t->k, t->plan->n, coef, threads, &phi_k)))
        status = lem_linear_attention(&phi_q, &phi_k, t->v, true, threads, t->o);
    free(memory);
    return status;
}

int lem_polynomial_attention(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v, int degree,
                             const double *coef, bool causal, int threads, gsl_matrix *o) {
    const lem_attention_options options = {.scale = 1, .causal = causal, .threads = threads};
    lem_symmetric_plan plan;
    int status;
    if ((status = lem_check_attention(q, "Q", k, "K", &options)) ||
        (status = lem_check_values(q, "Q", k, "K", v, o)) ||
        (status = lem_symmetric_plan_make(q->size2, degree, coef, &plan)))
        return status;
    job t = {.plan = &plan,
             .q = q,
             .k = k,
             .v = v,
             .o = o,
             .kernel = lem_softmax_best_kernel(),
             .r = plan.r,
             .width = v->size2,
             .state_size = plan.r * (v->size2 + 1)};
    t.rows = smaller(MOST_ROWS, BLOCK_MEMORY / t.r > 4 ? BLOCK_MEMORY / t.r : 4);
    if (plan.r > INT32_MAX)
        status =
            LEM_ERROR(GSL_EOVRFLW, "degree = %d: %zu features are more than BLAS counts", degree, plan.r);
    else
        status = causal ? causal_attention(&t, coef, threads) : open_attention(&t, threads);
    lem_symmetric_plan_release(&plan);
    return status;
}
