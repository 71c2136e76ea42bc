/* The state of a set of keys is the pair (sum_j v_j phi(k_j)^T, sum_j phi(k_j)), d_v x r and r; held this way
 * round, its product runs faster. All cuts are fixed by the shapes, and states are added in one order, so
 * that bits do not depend on the team.
 *
 * Features are not looked through first, which would cost as much as a thin product: whatever is not finite
 * in them makes a normaliser or a sum of features NaN or infinite. */
#include "attention/linear.h"
#include "attention/check.h"
#include "attention/softmax_kernel.h"
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
    QUERIES = 256,  /* of a block of outputs */
    KEYS = 256,     /* of one product; stay in the second-level cache for the sum of their features */
    FEATURES = 256, /* of a strip of the state */
    SEGMENT = 1024, /* the fewest keys that get a partial state of their own */
    TOKENS = 64,    /* of a causal block */
    MOST_STATES = 16,
    STATE_MEMORY = 1 << 23, /* doubles in all partial states, but for the last */
};

typedef struct {
    const gsl_matrix *phi_q, *phi_k, *v;
    gsl_matrix *o;
    const lem_softmax_kernel *kernel;
    size_t r, width;   /* features, columns of V */
    size_t state_size; /* r (width + 1) doubles: the matrix, then the vector */
} job;

/* The first row that cannot be normalised, with its normaliser; SIZE_MAX: none. */
typedef struct {
    size_t row;
    double sum;
} failure;

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t parts(size_t n, size_t size) {
    return (n + size - 1) / size;
}

/* Features first..first+count-1 of the state of the keys start..end-1. */
static void gather(const job *t, size_t start, size_t end, size_t first, size_t count, double *state) {
    double *matrix = state + first, *vector = state + t->r * t->width + first;
    memset(vector, 0, count * sizeof *vector);
    for (size_t at = start; at < end; at += KEYS) {
        const size_t keys = smaller(KEYS, end - at);
        const double *phi = t->phi_k->data + at * t->phi_k->tda + first;
        lem_tile_gemm(LEM_TRANS, LEM_NO_TRANS, t->width, count, keys, 1, t->v->data + at * t->v->tda,
                      t->v->tda, phi, t->phi_k->tda, at == start ? 0 : 1, matrix, t->r);
        for (size_t i = 0; i < keys; i++)
            t->kernel->add(vector, phi + i * t->phi_k->tda, count);
    }
}

/* Outputs of rows start..start+rows-1 before normalisation, and their normalisers, from one state. */
static void read_out(const job *t, size_t start, size_t rows, const double *state, double *normaliser) {
    const double *phi = t->phi_q->data + start * t->phi_q->tda;
    lem_tile_gemm(LEM_NO_TRANS, LEM_TRANS, rows, t->width, t->r, 1, phi, t->phi_q->tda, state, t->r, 0,
                  t->o->data + start * t->o->tda, t->o->tda);
    for (size_t i = 0; i < rows; i++)
        normaliser[i] = t->kernel->dot(phi + i * t->phi_q->tda, state + t->r * t->width, t->r);
}

static failure divide_rows(const job *t, size_t start, size_t rows, const double *normaliser) {
    for (size_t i = 0; i < rows; i++) {
        double *out = t->o->data + (start + i) * t->o->tda;
        if (!(normaliser[i] > 0) || !isfinite(normaliser[i]))
            return (failure){start + i, normaliser[i]};
        for (size_t c = 0; c < t->width; c++)
            out[c] /= normaliser[i];
        if (!lem_all_finite(out, t->width))
            return (failure){start + i, INFINITY};
    }
    return (failure){SIZE_MAX, 0};
}

static failure earlier(failure a, failure b) {
    return b.row < a.row ? b : a;
}
#ifdef _OPENMP
#pragma omp declare reduction(earlier:failure                                                                \
                              : omp_out = earlier(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#endif

/* `state`: of all keys. */
static int report(const job *t, failure first, const double *state) {
    const bool sound = lem_all_finite(state + t->r * t->width, t->r);
    int status;
    if (first.row == SIZE_MAX && sound)
        return GSL_SUCCESS;
    if ((status = lem_check_input(t->phi_q, "PhiQ")) || (status = lem_check_input(t->phi_k, "PhiK")))
        return status;
    if (first.row == SIZE_MAX)
        return LEM_ERROR(GSL_EOVRFLW, "the sum of the rows of PhiK exceeds the range of double");
    if (isfinite(first.sum))
        return LEM_ERROR(GSL_EDOM, "row %zu: its weights sum to %g: must be positive", first.row, first.sum);
    return LEM_ERROR(GSL_EOVRFLW, "row %zu: its weights or its output exceed the range of double", first.row);
}

/* --- all keys for all queries */

static void add_states(const job *t, double *states, size_t count) {
    for (size_t s = 1; s < count; s++)
        for (size_t j = 0; j < t->state_size; j++)
            states[j] += states[s * t->state_size + j];
}

static int open_attention(const job *t, int threads) {
    const size_t n = t->phi_q->size1, m = t->phi_k->size1, strips = parts(t->r, FEATURES);
    const size_t segments = strips > 2 ? 1 : smaller(MOST_STATES, parts(m, SEGMENT));
    const size_t length = parts(parts(m, segments), KEYS) * KEYS, tiles = strips * segments;
    const size_t blocks = parts(n, QUERIES);
    double *states = lem_allocate(segments * t->state_size, sizeof *states);
    if (!states)
        return GSL_ENOMEM;
    memset(states, 0, segments * t->state_size * sizeof *states); /* rounding up may leave a segment empty */
    int team = lem_team_size(threads, tiles);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
#endif
    for (size_t tile = 0; tile < tiles; tile++) {
        const size_t segment = tile / strips, first = tile % strips * FEATURES;
        const size_t start = smaller(segment * length, m), end = smaller(start + length, m);
        gather(t, start, end, first, smaller(FEATURES, t->r - first), states + segment * t->state_size);
    }
    add_states(t, states, segments);
    failure first = {SIZE_MAX, 0};
    team = lem_team_size(threads, blocks);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1) reduction(earlier : first)
#endif
    for (size_t b = 0; b < blocks; b++) {
        const size_t rows = smaller(QUERIES, n - b * QUERIES);
        double normaliser[QUERIES];
        read_out(t, b * QUERIES, rows, states, normaliser);
        first = earlier(first, divide_rows(t, b * QUERIES, rows, normaliser));
    }
    (void)team;
    const int status = report(t, first, states);
    free(states);
    return status;
}

/* --- causal */

/* The block's tokens among themselves; `state` is that of all tokens before it. */
static failure causal_block(const job *t, size_t start, size_t rows, const double *state) {
    double weights[TOKENS * TOKENS], normaliser[TOKENS];
    read_out(t, start, rows, state, normaliser);
    lem_tile_gemm(LEM_NO_TRANS, LEM_TRANS, rows, rows, t->r, 1, t->phi_q->data + start * t->phi_q->tda,
                  t->phi_q->tda, t->phi_k->data + start * t->phi_k->tda, t->phi_k->tda, 0, weights, TOKENS);
    for (size_t i = 0; i < rows; i++) {
        double *row = weights + i * TOKENS;
        memset(row + i + 1, 0, (rows - i - 1) * sizeof *row);
        normaliser[i] += t->kernel->sum(row, i + 1);
    }
    lem_tile_gemm(LEM_NO_TRANS, LEM_NO_TRANS, rows, t->width, rows, 1, weights, TOKENS,
                  t->v->data + start * t->v->tda, t->v->tda, 1, t->o->data + start * t->o->tda, t->o->tda);
    return divide_rows(t, start, rows, normaliser);
}

/* states[g] becomes carry + states[0] + ... + states[g-1], and the carry that plus states[count-1]. */
static void prefix_sums(double *carry, double *states, size_t count, size_t size, int team) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1)
#endif
    for (size_t from = 0; from < size; from += 512) {
        const size_t to = smaller(from + 512, size);
        for (size_t g = 0; g < count; g++)
            for (size_t j = from; j < to; j++) {
                const double own = states[g * size + j];
                states[g * size + j] = carry[j];
                carry[j] += own;
            }
    }
    (void)team;
}

/* `group` blocks at a time: their own states, the prefix sums of these, the outputs. */
static failure causal_groups(const job *t, int threads, size_t group, double *carry, double *states) {
    const size_t n = t->phi_q->size1, blocks = parts(n, TOKENS);
    failure first = {SIZE_MAX, 0};
    for (size_t done = 0; done < blocks && first.row == SIZE_MAX; done += group) {
        const size_t count = smaller(group, blocks - done);
        const int team = lem_team_size(threads, count);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
#endif
        for (size_t g = 0; g < count; g++) {
            const size_t start = (done + g) * TOKENS;
            gather(t, start, smaller(start + TOKENS, n), 0, t->r, states + g * t->state_size);
        }
        prefix_sums(carry, states, count, t->state_size, team);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1) reduction(earlier : first)
#endif
        for (size_t g = 0; g < count; g++) {
            const size_t start = (done + g) * TOKENS;
            first = earlier(first,
                            causal_block(t, start, smaller(TOKENS, n - start), states + g * t->state_size));
        }
        (void)team;
    }
    return first;
}

static int causal_attention(const job *t, int threads) {
    size_t group = smaller(MOST_STATES - 1, STATE_MEMORY / t->state_size);
    group = smaller(group > 0 ? group : 1, parts(t->phi_q->size1, TOKENS));
    double *carry = lem_allocate((group + 1) * t->state_size, sizeof *carry);
    if (!carry)
        return GSL_ENOMEM;
    memset(carry, 0, t->state_size * sizeof *carry);
    const failure first = causal_groups(t, threads, group, carry, carry + t->state_size);
    const int status = report(t, first, carry);
    free(carry);
    return status;
}

int lem_linear_attention(const gsl_matrix *phi_q, const gsl_matrix *phi_k, const gsl_matrix *v, bool causal,
                         int threads, gsl_matrix *o) {
    const lem_attention_options options = {.scale = 1, .causal = causal, .threads = threads};
    int status;
    if ((status = lem_check_attention_shapes(phi_q, "PhiQ", phi_k, "PhiK", &options)) ||
        (status = lem_check_values(phi_q, "PhiQ", phi_k, "PhiK", v, o)))
        return status;
    const job t = {.phi_q = phi_q,
                   .phi_k = phi_k,
                   .v = v,
                   .o = o,
                   .kernel = lem_softmax_best_kernel(),
                   .r = phi_q->size2,
                   .width = v->size2,
                   .state_size = phi_q->size2 * (v->size2 + 1)};
    return causal ? causal_attention(&t, threads) : open_attention(&t, threads);
}
