#include "attention/exact.h"
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

/* Fixed, so that bits do not depend on threads. The weights of a tile stay in the second-level cache. */
enum { QUERIES = 128, KEYS = 256 };

typedef struct {
    const gsl_matrix *q, *k, *v;
    lem_attention_options options;
    gsl_matrix *o;
    const lem_softmax_kernel *kernel;
    size_t tile_width; /* KEYS, or the number of keys when that is less */
} job;

/* What a thread works on. */
typedef struct {
    double *weights;            /* QUERIES x tile_width */
    double most[QUERIES];       /* the largest logit so far */
    double normaliser[QUERIES]; /* the sum of the exponentials so far, relative to it */
} space;

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static void hide(double *x, const unsigned char *visible, size_t n) {
    for (size_t j = 0; j < n; j++)
        if (!visible[j])
            x[j] = -INFINITY;
}

static void multiply(double *x, size_t n, double factor) {
    for (size_t j = 0; j < n; j++)
        x[j] *= factor;
}

/* Logits of query i against `width` keys from `first` on become weights relative to the running maximum;
 * what was summed up before is brought down to that maximum. */
static void weigh_row(const job *t, space *s, size_t r, size_t i, size_t first, size_t width) {
    double *x = s->weights + r * t->tile_width;
    const size_t seen = lem_seen_keys(&t->options, i, t->k->size1);
    const size_t length = seen > first ? smaller(seen - first, width) : 0;
    const unsigned char *visible = lem_visible_row(&t->options, i);
    if (visible)
        hide(x, visible + first, length);
    memset(x + length, 0, (width - length) * sizeof *x);
    const double tile_most = t->kernel->max(x, length), before = s->most[r];
    const double most = tile_most > before ? tile_most : before;
    if (most == -INFINITY) { /* nothing seen yet */
        memset(x, 0, length * sizeof *x);
        return;
    }
    if (most > before && before > -INFINITY) {
        double down = before;
        t->kernel->exp_sum(&down, 1, most);
        s->normaliser[r] *= down;
        multiply(t->o->data + i * t->o->tda, t->o->size2, down);
    }
    s->most[r] = most;
    s->normaliser[r] += t->kernel->exp_sum(x, length, most);
}

/* The first row that cannot be normalised, or SIZE_MAX. */
static size_t divide_rows(const job *t, const space *s, size_t start, size_t rows) {
    for (size_t r = 0; r < rows; r++) {
        double *out = t->o->data + (start + r) * t->o->tda;
        const double sum = s->normaliser[r];
        if (!(sum > 0) || !isfinite(sum) || !isfinite(s->most[r]))
            return start + r;
        for (size_t c = 0; c < t->o->size2; c++)
            out[c] /= sum;
        if (!lem_all_finite(out, t->o->size2))
            return start + r;
    }
    return SIZE_MAX;
}

static size_t block_of_queries(const job *t, space *s, size_t start) {
    const gsl_matrix *q = t->q, *k = t->k, *v = t->v;
    const size_t rows = smaller(QUERIES, q->size1 - start);
    const size_t keys = lem_seen_keys(&t->options, start + rows - 1, k->size1);
    double *out = t->o->data + start * t->o->tda;
    for (size_t r = 0; r < rows; r++) {
        s->most[r] = -INFINITY;
        s->normaliser[r] = 0;
    }
    for (size_t first = 0; first < keys; first += t->tile_width) {
        const size_t width = smaller(t->tile_width, keys - first);
        lem_tile_gemm(LEM_NO_TRANS, LEM_TRANS, rows, width, q->size2, t->options.scale,
                      q->data + start * q->tda, q->tda, k->data + first * k->tda, k->tda, 0, s->weights,
                      t->tile_width);
        for (size_t r = 0; r < rows; r++)
            weigh_row(t, s, r, start + r, first, width);
        lem_tile_gemm(LEM_NO_TRANS, LEM_NO_TRANS, rows, v->size2, width, 1, s->weights, t->tile_width,
                      v->data + first * v->tda, v->tda, first == 0 ? 0 : 1, out, t->o->tda);
    }
    return divide_rows(t, s, start, rows);
}

static int report(const job *t, size_t row) {
    if (row == SIZE_MAX)
        return GSL_SUCCESS;
    return LEM_ERROR(GSL_EOVRFLW, "row %zu: its logits (scale = %g) or its output exceed the range of double",
                     row, t->options.scale);
}

/* All blocks, the longest first; the lowest row that failed. */
static int run(const job *t, space *spaces, int team) {
    const size_t n = t->q->size1, blocks = (n + QUERIES - 1) / QUERIES;
    size_t failed = SIZE_MAX;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1) reduction(min : failed)
#endif
    for (size_t b = 0; b < blocks; b++) {
#ifdef _OPENMP
        space *s = &spaces[team > 1 ? omp_get_thread_num() : 0];
#else
        space *s = spaces;
#endif
        const size_t row = block_of_queries(t, s, (blocks - 1 - b) * QUERIES);
        failed = row < failed ? row : failed;
    }
    (void)team;
    return report(t, failed);
}

int lem_attention_exact(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v,
                        const lem_attention_options *options, gsl_matrix *o) {
    job t = {.q = q, .k = k, .v = v, .options = lem_options_or_plain(options), .o = o};
    int status;
    if ((status = lem_check_attention(q, "Q", k, "K", &t.options)) ||
        (status = lem_check_values(q, "Q", k, "K", v, o)))
        return status;
    t.kernel = lem_softmax_best_kernel();
    t.tile_width = smaller(KEYS, k->size1);
    const int team = lem_team_size(t.options.threads, (q->size1 + QUERIES - 1) / QUERIES);
    const size_t tile = smaller(QUERIES, q->size1) * t.tile_width;
    space *spaces = lem_allocate((size_t)team, sizeof *spaces);
    double *weights = spaces ? lem_allocate((size_t)team * tile, sizeof *weights) : NULL;
    if (!weights) {
        free(spaces);
        return GSL_ENOMEM;
    }
    for (int i = 0; i < team; i++)
        spaces[i].weights = weights + (size_t)i * tile;
    status = run(&t, spaces, team);
    free(weights);
    free(spaces);
    return status;
}
