#include "walk/crank_nicolson.h"
#include "linalg/check.h"
#include "linalg/linalg.h"
#include "walk/check.h"

#include <math.h>
#include <stdlib.h>

/* The generator L of phi_t = L phi at one time, tridiagonal, and a copy of 1 - (dt/2) L to eliminate in. */
typedef struct {
    const lem_field *field;
    double alpha, h, low;
    size_t n; /* unknowns */
    double *lower, *diagonal, *upper, *state;
    double *lower_copy, *diagonal_copy, *upper_copy;
    double *memory;
} scheme;

typedef int (*assemble)(scheme *s, double t);

static int check_grid(const lem_cn_grid *g) {
    if (!g)
        return LEM_ERROR(GSL_EFAULT, "grid = null: must not be");
    if (!isfinite(g->low) || !isfinite(g->high) || !(g->low < g->high))
        return LEM_ERROR(GSL_EDOM, "low = %g, high = %g: must be finite, low < high", g->low, g->high);
    if (!isfinite(g->start) || !isfinite(g->end) || !(g->start < g->end))
        return LEM_ERROR(GSL_EDOM, "start = %g, end = %g: must be finite, start < end", g->start, g->end);
    if (g->nodes < 3 || g->nodes > 1 << 28)
        return LEM_ERROR(GSL_EDOM, "nodes = %zu: must be in [3, 2^28]", g->nodes);
    if (g->steps < 1 || g->damped > g->steps)
        return LEM_ERROR(GSL_EDOM, "steps = %zu, damped = %zu: must be steps >= 1, damped <= steps", g->steps,
                         g->damped);
    return GSL_SUCCESS;
}

static int check_problem(const lem_field *field, const char *name, double alpha, const lem_cn_grid *grid,
                         const gsl_vector *v, const char *v_name) {
    int status;
    if (!field)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must not be", name);
    if ((status = check_grid(grid)) || (status = lem_walk_check_positive(alpha, "alpha")) ||
        (status = lem_check_length(v, v_name, grid->nodes)))
        return status;
    for (size_t i = 0; i < v->size; i++)
        if (!isfinite(gsl_vector_get(v, i)))
            return LEM_ERROR(GSL_EDOM, "%s[%zu] = %g: must be finite", v_name, i, gsl_vector_get(v, i));
    return GSL_SUCCESS;
}

static int scheme_init(scheme *s, const lem_field *field, double alpha, const lem_cn_grid *grid, size_t n) {
    *s = (scheme){.field = field,
                  .alpha = alpha,
                  .h = (grid->high - grid->low) / (double)(grid->nodes - 1),
                  .low = grid->low,
                  .n = n};
    s->memory = lem_allocate(7 * n, sizeof *s->memory);
    if (!s->memory)
        return GSL_ENOMEM;
    double **const parts[] = {&s->lower,      &s->diagonal,      &s->upper,     &s->state,
                              &s->lower_copy, &s->diagonal_copy, &s->upper_copy};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = s->memory + i * n;
    return GSL_SUCCESS;
}

/* state <- (1 - (dt/2) L)^-1 state */
static int solve_half(scheme *s, double dt) {
    for (size_t i = 0; i < s->n; i++) {
        s->diagonal_copy[i] = 1 - dt / 2 * s->diagonal[i];
        s->lower_copy[i] = -dt / 2 * s->lower[i];
        s->upper_copy[i] = -dt / 2 * s->upper[i];
    }
    gsl_vector_view diagonal = gsl_vector_view_array(s->diagonal_copy, s->n);
    gsl_vector_view lower = gsl_vector_view_array(s->lower_copy, s->n > 1 ? s->n - 1 : 1),
                    upper = gsl_vector_view_array(s->upper_copy, s->n > 1 ? s->n - 1 : 1);
    gsl_matrix_view state = gsl_matrix_view_array(s->state, 1, s->n);
    return lem_solve_tridiagonal(&lower.vector, &diagonal.vector, &upper.vector, &state.matrix);
}

/* state <- (1 + (dt/2) L) state */
static void apply_half(scheme *s, double dt) {
    double before = 0;
    for (size_t i = 0; i < s->n; i++) {
        const double here = s->state[i];
        double change = s->diagonal[i] * here;
        if (i > 0)
            change += s->lower[i - 1] * before;
        if (i + 1 < s->n)
            change += s->upper[i] * s->state[i + 1];
        s->state[i] = here + dt / 2 * change;
        before = here;
    }
}

static int advance(scheme *s, assemble fill, const lem_cn_grid *grid) {
    const double dt = (grid->end - grid->start) / (double)grid->steps;
    for (size_t k = 0; k < grid->steps; k++) {
        int status = fill(s, grid->start + ((double)k + .5) * dt);
        if (status)
            return status;
        if (k < grid->damped)
            status = solve_half(s, dt);
        else
            apply_half(s, dt);
        if (status || (status = solve_half(s, dt)))
            return status;
    }
    return GSL_SUCCESS;
}

/* --- Fokker-Planck: cells around the nodes, half as wide at the ends; the flux between i and i + 1 is
 * p (P_i + P_{i+1})/2 - (alpha/2)(P_{i+1} - P_i)/h. lower[i] and upper[i] belong to the pair (i, i + 1).
 */
static int assemble_fokker_planck(scheme *s, double t) {
    const double spread = s->alpha / (2 * s->h);
    for (size_t i = 0; i < s->n; i++)
        s->diagonal[i] = 0;
    for (size_t i = 0; i + 1 < s->n; i++) {
        double p = 0;
        const int status = lem_field_at(s->field, "drift", s->low + ((double)i + .5) * s->h, t, &p);
        if (status)
            return status;
        const double left = i == 0 ? s->h / 2 : s->h, right = i + 2 == s->n ? s->h / 2 : s->h;
        const double from_left = p / 2 + spread, from_right = p / 2 - spread; /* the flux is their sum */
        s->diagonal[i] -= from_left / left;
        s->upper[i] = -from_right / left;
        s->lower[i] = from_left / right;
        s->diagonal[i + 1] += from_right / right;
    }
    return GSL_SUCCESS;
}

int lem_fokker_planck_cn(const lem_field *drift, double alpha, const lem_cn_grid *grid, gsl_vector *density) {
    int status = check_problem(drift, "drift", alpha, grid, density, "density");
    scheme s;
    if (status || (status = scheme_init(&s, drift, alpha, grid, grid->nodes)))
        return status;
    for (size_t i = 0; i < s.n; i++)
        s.state[i] = gsl_vector_get(density, i);
    status = advance(&s, assemble_fokker_planck, grid);
    for (size_t i = 0; i < s.n; i++)
        gsl_vector_set(density, i, s.state[i]);
    free(s.memory);
    return status;
}

/* --- Schrodinger in imaginary time, on the inner nodes */

static int assemble_schrodinger(scheme *s, double t) {
    const double spread = s->alpha / (2 * s->h * s->h);
    for (size_t i = 0; i < s->n; i++) {
        double u = 0;
        const int status = lem_field_at(s->field, "potential", s->low + ((double)i + 1) * s->h, t, &u);
        if (status)
            return status;
        s->diagonal[i] = -2 * spread - u / s->alpha;
        s->lower[i] = s->upper[i] = spread;
    }
    return GSL_SUCCESS;
}

int lem_schrodinger_cn(const lem_field *potential, double alpha, const lem_cn_grid *grid,
                       gsl_vector *amplitude) {
    int status = check_problem(potential, "potential", alpha, grid, amplitude, "amplitude");
    scheme s;
    if (status || (status = scheme_init(&s, potential, alpha, grid, grid->nodes - 2)))
        return status;
    for (size_t i = 0; i < s.n; i++)
        s.state[i] = gsl_vector_get(amplitude, i + 1);
    status = advance(&s, assemble_schrodinger, grid);
    gsl_vector_set(amplitude, 0, 0);
    gsl_vector_set(amplitude, s.n + 1, 0);
    for (size_t i = 0; i < s.n; i++)
        gsl_vector_set(amplitude, i + 1, s.state[i]);
    free(s.memory);
    return status;
}
