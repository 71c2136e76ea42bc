/* Exponents first, in blocks of rows that stay in the cache; then the shift; then one exponential each. A
 * shift that is the row's own is known at once, and its block is finished before the next one begins. */
#include "attention/favor.h"
#include "attention/check.h"
#include "attention/linear.h"
#include "attention/softmax_kernel.h"
#include "linalg/check.h"
#include "linalg/linalg.h"
#include "linalg/tile.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

size_t lem_favor_feature_count(lem_rf_kind kind, size_t P) {
    switch (kind) {
    case LEM_RF_TRIG:
    case LEM_RF_HYPERBOLIC:
        return 2 * P;
    case LEM_RF_POSITIVE:
        return P;
    default:
        (void)LEM_ERROR(GSL_EINVAL, "kind = %d: no such features", (int)kind);
        return 0;
    }
}

static int check_kind(lem_rf_kind kind, double a) {
    if (lem_favor_feature_count(kind, 1) == 0)
        return GSL_EINVAL;
    if (!(a < 0.125) || !isfinite(a))
        return LEM_ERROR(GSL_EDOM, "A = %g: must be below 1/8 and finite", a);
    if (a != 0 && kind != LEM_RF_POSITIVE)
        return LEM_ERROR(GSL_EDOM, "A = %g: must be 0 for any but positive features", a);
    return GSL_SUCCESS;
}

enum { ROWS = 256 }; /* of a block */

typedef struct {
    const gsl_matrix *x, *w;
    const lem_favor_map *map;
    size_t P;
    const double *of_projection; /* what every row has in common: A |w|^2 + log(D/sqrt(P)) */
    double *most;                /* of each column, or most[0] of all */
    const lem_softmax_kernel *kernel;
    gsl_matrix *phi;
} job;

static double squared_norm(const gsl_matrix *m, size_t i) {
    const double *row = m->data + i * m->tda;
    double sum = 0;
    for (size_t l = 0; l < m->size2; l++)
        sum += row[l] * row[l];
    return sum;
}

/* Phi[i] holds w . x: its exponents, or for trig the angles, with the amplitude's exponent in *amplitude. */
static void collect(const job *t, size_t i, double *amplitude) {
    double *row = t->phi->data + i * t->phi->tda;
    const double weight = t->map->log_weights ? gsl_vector_get(t->map->log_weights, i) : 0;
    const double half = squared_norm(t->x, i) / 2;
    *amplitude = half + weight + t->of_projection[0];
    if (t->map->kind == LEM_RF_TRIG)
        return;
    for (size_t p = 0; p < t->P; p++) {
        const double level = t->of_projection[p] - half + weight, dot = row[p];
        if (t->map->kind == LEM_RF_HYPERBOLIC)
            row[t->P + p] = level - dot;
        row[p] = level + dot;
    }
}

static bool finish_trig(const job *t, size_t i, double amplitude, double shift) {
    double *row = t->phi->data + i * t->phi->tda;
    const double factor = exp(amplitude - shift);
    for (size_t p = 0; p < t->P; p++) {
        const double angle = row[p];
        row[p] = factor * sin(angle);
        row[t->P + p] = factor * cos(angle);
    }
    return lem_all_finite(row, t->phi->size2);
}

static bool finish(const job *t, size_t i, double amplitude, double shift) {
    double *row = t->phi->data + i * t->phi->tda;
    if (t->map->kind == LEM_RF_TRIG)
        return finish_trig(t, i, amplitude, shift);
    if (t->map->shift == LEM_SHIFT_COLUMN)
        for (size_t c = 0; c < t->phi->size2; c++)
            row[c] -= t->most[c];
    return isfinite(t->kernel->exp_sum(row, t->phi->size2, shift));
}

static bool has_own_shift(const job *t) {
    return t->map->shift == LEM_SHIFT_NONE || t->map->shift == LEM_SHIFT_ROW;
}

/* Rows first .. last - 1: exponents and their largest; features too where the shift is the row's own. The
 * first row that failed, or SIZE_MAX. */
static size_t run_block(const job *t, size_t first, size_t last, double *amplitude, double *of_row) {
    const gsl_matrix *x = t->x, *w = t->w;
    double *phi = t->phi->data + first * t->phi->tda;
    lem_tile_gemm(LEM_NO_TRANS, LEM_TRANS, last - first, t->P, x->size2, sqrt(1 - 4 * t->map->a),
                  x->data + first * x->tda, x->tda, w->data, w->tda, 0, phi, t->phi->tda);
    for (size_t i = first; i < last; i++) {
        collect(t, i, &amplitude[i]);
        of_row[i] = t->map->kind == LEM_RF_TRIG
                        ? amplitude[i]
                        : t->kernel->max(t->phi->data + i * t->phi->tda, t->phi->size2);
        if (has_own_shift(t) && !finish(t, i, amplitude[i], t->map->shift == LEM_SHIFT_ROW ? of_row[i] : 0))
            return i;
    }
    return SIZE_MAX;
}

static void find_shifts(const job *t, const double *of_row) {
    const size_t n = t->phi->size1;
    t->most[0] = t->map->shift == LEM_SHIFT_SHARED ? t->kernel->max(of_row, n) : 0;
    for (size_t c = 0; t->map->shift == LEM_SHIFT_COLUMN && c < t->phi->size2; c++) {
        t->most[c] = -INFINITY;
        for (size_t i = 0; i < n; i++)
            t->most[c] = fmax(t->most[c], gsl_matrix_get(t->phi, i, c));
    }
}

/* space: n amplitudes, n row maxima */
static size_t run(const job *t, double *space, int team) {
    const size_t n = t->phi->size1;
    double *amplitude = space, *of_row = space + n;
    size_t failed = SIZE_MAX;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1) reduction(min : failed)
#endif
    for (size_t first = 0; first < n; first += ROWS) {
        const size_t f = run_block(t, first, first + ROWS < n ? first + ROWS : n, amplitude, of_row);
        failed = f < failed ? f : failed;
    }
    if (has_own_shift(t))
        return failed;
    find_shifts(t, of_row);
    const double shift = t->map->shift == LEM_SHIFT_SHARED ? t->most[0] : 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1) reduction(min : failed)
#endif
    for (size_t i = 0; i < n; i++)
        if (!finish(t, i, amplitude[i], shift))
            failed = i < failed ? i : failed;
    (void)team;
    return failed;
}

static void fill_of_projection(const gsl_matrix *w, const lem_favor_map *map, double *of_projection) {
    const double P = (double)w->size1, d = (double)w->size2;
    const double common = d / 4 * log1p(-4 * map->a) - log(map->kind == LEM_RF_HYPERBOLIC ? 2 * P : P) / 2;
    for (size_t p = 0; p < w->size1; p++)
        of_projection[p] = common + (map->a != 0 ? map->a * squared_norm(w, p) : 0);
}

static int check_map(const gsl_matrix *x, const gsl_matrix *w, const lem_favor_map *map, int threads,
                     const gsl_matrix *phi) {
    int status;
    if (!map)
        return LEM_ERROR(GSL_EFAULT, "map is a null pointer");
    if ((status = check_kind(map->kind, map->a)) || (status = lem_check_input(x, "X")) ||
        (status = lem_check_input(w, "W")) || (status = lem_check_shape(w, "W", w->size1, x->size2)) ||
        (status = lem_check_output(phi, "Phi")) ||
        (status = lem_check_shape(phi, "Phi", x->size1, lem_favor_feature_count(map->kind, w->size1))) ||
        (status = lem_check_apart(x, "X", phi, "Phi")) || (status = lem_check_apart(w, "W", phi, "Phi")))
        return status;
    if (map->shift < LEM_SHIFT_NONE || map->shift > LEM_SHIFT_COLUMN ||
        (map->shift == LEM_SHIFT_COLUMN && map->kind == LEM_RF_TRIG))
        return LEM_ERROR(GSL_EINVAL, "shift = %d: no such shift of these features", (int)map->shift);
    if (threads < 0)
        return LEM_ERROR(GSL_EINVAL, "threads = %d: must be >= 0", threads);
    if (!map->log_weights)
        return GSL_SUCCESS;
    if ((status = lem_check_length(map->log_weights, "log_weights", x->size1)))
        return status;
    for (size_t i = 0; i < x->size1; i++)
        if (!isfinite(gsl_vector_get(map->log_weights, i)))
            return LEM_ERROR(GSL_EINVAL, "log_weights[%zu] = %g: must be finite", i,
                             gsl_vector_get(map->log_weights, i));
    return GSL_SUCCESS;
}

int lem_favor_features(const gsl_matrix *x, const gsl_matrix *w, const lem_favor_map *map, int threads,
                       gsl_matrix *phi) {
    int status = check_map(x, w, map, threads, phi);
    if (status)
        return status;
    const size_t n = x->size1, P = w->size1;
    double *memory = lem_allocate(2 * n + P + phi->size2, sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    const job t = {.x = x,
                   .w = w,
                   .map = map,
                   .P = P,
                   .of_projection = memory + 2 * n,
                   .most = memory + 2 * n + P,
                   .kernel = lem_softmax_best_kernel(),
                   .phi = phi};
    fill_of_projection(w, map, memory + 2 * n);
    const size_t failed = run(&t, memory, lem_team_size(threads, (n + ROWS - 1) / ROWS));
    free(memory);
    if (failed != SIZE_MAX)
        return LEM_ERROR(GSL_EOVRFLW, "row %zu: its features exceed the range of double", failed);
    return GSL_SUCCESS;
}

/* --- attention ---------------------------------------------------------------------------------------------
 */

static int check_options(const lem_favor_options *options) {
    if (!(options->epsilon >= 0) || !isfinite(options->epsilon))
        return LEM_ERROR(GSL_EDOM, "epsilon = %g: must be >= 0 and finite", options->epsilon);
    return check_kind(options->kind, options->a);
}

static void add_to_all(gsl_matrix *phi, double epsilon) {
    for (size_t i = 0; i < phi->size1; i++)
        for (size_t c = 0; c < phi->size2; c++)
            phi->data[i * phi->tda + c] += epsilon;
}

static int attend(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v, const gsl_matrix *w,
                  const lem_favor_options *options, gsl_matrix *phi_q, gsl_matrix *phi_k, gsl_matrix *o) {
    const lem_favor_map of_q = {.kind = options->kind, .a = options->a, .shift = LEM_SHIFT_ROW};
    const lem_favor_map of_k = {.kind = options->kind,
                                .a = options->a,
                                .shift = LEM_SHIFT_SHARED,
                                .log_weights = options->log_key_weights};
    int status;
    if ((status = lem_favor_features(q, w, &of_q, options->threads, phi_q)) ||
        (status = lem_favor_features(k, w, &of_k, options->threads, phi_k)))
        return status;
    if (options->epsilon > 0) {
        add_to_all(phi_q, options->epsilon);
        add_to_all(phi_k, options->epsilon);
    }
    return lem_linear_attention(phi_q, phi_k, v, options->causal, options->threads, o);
}

int lem_favor_attention(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v, const gsl_matrix *w,
                        const lem_favor_options *options, gsl_matrix *o) {
    const lem_favor_options plain = {.kind = LEM_RF_POSITIVE};
    options = options ? options : &plain;
    const lem_attention_options shape = {.scale = 1, .causal = options->causal, .threads = options->threads};
    int status;
    if ((status = check_options(options)) || (status = lem_check_attention(q, "Q", k, "K", &shape)) ||
        (status = lem_check_values(q, "Q", k, "K", v, o)) || (status = lem_check_input(w, "W")) ||
        (status = lem_check_shape(w, "W", w->size1, q->size2)) || (status = lem_check_apart(w, "W", o, "O")))
        return status;
    const size_t n = q->size1, m = k->size1, r = lem_favor_feature_count(options->kind, w->size1);
    double *memory = lem_allocate((n + m) * r, sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix_view phi_q = gsl_matrix_view_array(memory, n, r);
    gsl_matrix_view phi_k = gsl_matrix_view_array(memory + n * r, m, r);
    status = attend(q, k, v, w, options, &phi_q.matrix, &phi_k.matrix, o);
    free(memory);
    return status;
}
