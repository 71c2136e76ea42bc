#include "scaling/chinchilla_minimiser.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

enum { Q = LEM_CHINCHILLA_PARAMETERS, NEWTON_STEPS = 60 };

/* --- GSL's BFGS ---------------------------------------------------------------------------------- */

static const lem_chinchilla_slope *slope_at(const gsl_vector *v, void *context) {
    lem_chinchilla_minimiser *m = context;
    double q[Q];
    for (size_t j = 0; j < Q; j++)
        q[j] = gsl_vector_get(v, j);
    if (m->evaluations > 0 && memcmp(q, m->q, sizeof q) == 0)
        return &m->slope;
    memcpy(m->q, q, sizeof q);
    lem_chinchilla_slope_at(m->problem, q, &m->slope, NULL);
    m->evaluations++;
    return &m->slope;
}

static double value(const gsl_vector *v, void *context) {
    const lem_chinchilla_minimiser *m = context;
    return m->factor * slope_at(v, context)->value;
}

static void gradient(const gsl_vector *v, void *context, gsl_vector *out) {
    const lem_chinchilla_minimiser *m = context;
    const lem_chinchilla_slope *slope = slope_at(v, context);
    for (size_t j = 0; j < Q; j++)
        gsl_vector_set(out, j, m->factor * slope->gradient[j]);
}

static void both(const gsl_vector *v, void *context, double *f, gsl_vector *out) {
    *f = value(v, context);
    gradient(v, context, out);
}

int lem_chinchilla_minimiser_init(lem_chinchilla_minimiser *m) {
    *m = (lem_chinchilla_minimiser){.factor = 1};
    m->minimiser = gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, Q);
    m->start = gsl_vector_alloc(Q);
    return m->minimiser && m->start ? GSL_SUCCESS : LEM_ERROR(GSL_ENOMEM, "no memory for a minimiser");
}

void lem_chinchilla_minimiser_clear(lem_chinchilla_minimiser *m) {
    if (m->minimiser)
        gsl_multimin_fdfminimizer_free(m->minimiser);
    gsl_vector_free(m->start);
    *m = (lem_chinchilla_minimiser){.factor = 1};
}

int lem_chinchilla_minimiser_set(lem_chinchilla_minimiser *m, const lem_chinchilla_problem *problem,
                                 double factor, const double *q, double step) {
    m->problem = problem;
    m->factor = factor;
    m->evaluations = 0;
    m->function = (gsl_multimin_function_fdf){.f = value, .df = gradient, .fdf = both, .n = Q, .params = m};
    for (size_t j = 0; j < Q; j++)
        gsl_vector_set(m->start, j, q[j]);
    return gsl_multimin_fdfminimizer_set(m->minimiser, &m->function, m->start, step, 0.1);
}

int lem_chinchilla_minimiser_step(lem_chinchilla_minimiser *m) {
    return gsl_multimin_fdfminimizer_iterate(m->minimiser);
}

void lem_chinchilla_minimiser_at(const lem_chinchilla_minimiser *m, double *q) {
    for (size_t j = 0; j < Q; j++)
        q[j] = gsl_vector_get(m->minimiser->x, j);
}

/* --- Newton's method ----------------------------------------------------------------------------- */

/* Solve (H + damping diag |H|) d = -g by Cholesky in place, lower triangle of h read; false when that is not
 * positive definite. Five by five: no library call pays. */
static bool newton_step(double (*h)[Q], const double *g, double damping, double *d) {
    double l[Q][Q];
    for (int j = 0; j < Q; j++)
        for (int k = 0; k <= j; k++) {
            double sum = h[j][k] + (j == k ? damping * fabs(h[j][j]) : 0);
            for (int i = 0; i < k; i++)
                sum -= l[j][i] * l[k][i];
            if (j == k && !(sum > 1e-14 * fabs(h[j][j])))
                return false;
            l[j][k] = j == k ? sqrt(sum) : sum / l[k][k];
        }
    for (int j = 0; j < Q; j++) {
        double sum = -g[j];
        for (int i = 0; i < j; i++)
            sum -= l[j][i] * d[i];
        d[j] = sum / l[j][j];
    }
    for (int j = Q; j-- > 0;) {
        for (int i = j + 1; i < Q; i++)
            d[j] -= l[i][j] * d[i];
        d[j] /= l[j][j];
    }
    return true;
}

/* Better: a lower value; or, where the value does not change any more beyond rounding, a smaller gradient. */
static bool is_better(const lem_chinchilla_slope *now, const lem_chinchilla_slope *before) {
    const double noise = 1e-13 * before->value;
    return now->value < before->value - noise ||
           (now->value <= before->value + noise && now->size < before->size);
}

static void polish(const lem_chinchilla_problem *problem, double *q, lem_chinchilla_slope *slope,
                   size_t *evaluations) {
    double h[Q][Q], damping = 0;
    lem_chinchilla_slope_at(problem, q, slope, h);
    for (int step = 0; step < NEWTON_STEPS && slope->size > 1e-14; step++) {
        double d[Q], next[Q], next_h[Q][Q];
        lem_chinchilla_slope there;
        bool better = false;
        if (newton_step(h, slope->gradient, damping, d)) {
            for (int j = 0; j < Q; j++)
                next[j] = q[j] + d[j];
            lem_chinchilla_slope_at(problem, next, &there, next_h);
            ++*evaluations;
            better = is_better(&there, slope);
        }
        if (!better && damping > 1e8)
            return;
        if (!better) {
            damping = fmax(8 * damping, 1e-3);
            continue;
        }
        memcpy(q, next, sizeof next);
        memcpy(h, next_h, sizeof h);
        *slope = there;
        damping = damping > 2e-3 ? damping / 8 : 0;
    }
}

void lem_chinchilla_minimise(lem_chinchilla_minimiser *m, const lem_chinchilla_problem *problem, double rough,
                             size_t iterations, double *q, lem_chinchilla_slope *slope) {
    int status = lem_chinchilla_minimiser_set(m, problem, 1, q, 0.05);
    for (size_t i = 0; i < iterations && !status; i++) {
        if (m->slope.size <= rough)
            break;
        status = lem_chinchilla_minimiser_step(m);
    }
    lem_chinchilla_minimiser_at(m, q);
    polish(problem, q, slope, &m->evaluations);
}

void lem_chinchilla_follow(lem_chinchilla_minimiser *m, lem_chinchilla_problem *problem, double delta,
                           double *q, lem_chinchilla_slope *slope) {
    double h[Q][Q], move[Q];
    problem->scale = 1;
    lem_chinchilla_slope_at(problem, q, slope, h);
    if (newton_step(h, slope->outer, 0, move))
        for (int j = 0; j < Q; j++)
            q[j] += (problem->delta - delta) * move[j];
    problem->delta = problem->scale = delta;
    m->evaluations = 1;
    polish(problem, q, slope, &m->evaluations);
}
