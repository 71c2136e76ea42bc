#include "scaling/chinchilla_descent.h"
#include "scaling/chinchilla_minimiser.h"

#include <math.h>

enum { Q = LEM_CHINCHILLA_PARAMETERS };

static int check(const lem_chinchilla *start, const lem_chinchilla_descent *how,
                 const lem_chinchilla_end *end) {
    if (!start || !how || !end)
        return LEM_ERROR(GSL_EFAULT, "start, how, end: a null pointer");
    if (!(start->A > 0 && start->B > 0 && start->E > 0 && isfinite(start->A) && isfinite(start->B) &&
          isfinite(start->E) && isfinite(start->alpha) && isfinite(start->beta)))
        return LEM_ERROR(GSL_EDOM, "start: A, B, E must be positive, all constants finite");
    if (!(how->delta > 0 && isfinite(how->delta)))
        return LEM_ERROR(GSL_EDOM, "delta = %g: must be positive and finite", how->delta);
    if (!(how->step > 0 && isfinite(how->step) && how->tolerance > 0 && isfinite(how->tolerance)))
        return LEM_ERROR(GSL_EDOM, "step = %g, tolerance = %g: must be positive and finite", how->step,
                         how->tolerance);
    return how->iterations > 0 ? GSL_SUCCESS : LEM_ERROR(GSL_EDOM, "iterations = 0: must be at least 1");
}

/* The problem's own objective is sum/delta. */
static double factor(const lem_chinchilla_problem *p, lem_chinchilla_scaling scaling) {
    return scaling == LEM_DESCEND_SUM_OVER_DELTA ? 1
           : scaling == LEM_DESCEND_SUM          ? p->delta
                                                 : p->delta / (double)p->n;
}

static double gradient_norm(const lem_chinchilla_minimiser *m) {
    double squares = 0;
    for (size_t j = 0; j < Q; j++)
        squares += gsl_vector_get(m->minimiser->gradient, j) * gsl_vector_get(m->minimiser->gradient, j);
    return sqrt(squares);
}

static void descend(lem_chinchilla_minimiser *m, const lem_chinchilla_problem *p, const lem_chinchilla *start,
                    const lem_chinchilla_descent *how, lem_chinchilla_end *end) {
    double q[Q];
    lem_chinchilla_slope slope;
    lem_chinchilla_from_law(p, start, q);
    int status = lem_chinchilla_minimiser_set(m, p, factor(p, how->scaling), q, how->step);
    end->iterations = 0;
    while (!status && end->iterations < how->iterations && gradient_norm(m) >= how->tolerance) {
        status = lem_chinchilla_minimiser_step(m);
        end->iterations++;
    }
    end->stopped = gradient_norm(m) < how->tolerance;
    lem_chinchilla_minimiser_at(m, q);
    lem_chinchilla_slope_at(p, q, &slope, NULL);
    lem_chinchilla_to_law(p, q, &end->law);
    end->objective = slope.value * p->scale;
}

int lem_chinchilla_descend(const lem_chinchilla_data *data, const lem_chinchilla *start,
                           const lem_chinchilla_descent *how, lem_chinchilla_end *end) {
    int status = check(start, how, end);
    if (status)
        return status;
    lem_chinchilla_problem p;
    lem_chinchilla_minimiser m;
    status = lem_chinchilla_problem_init_in(&p, data, how->delta,
                                            how->centred ? LEM_CHINCHILLA_CENTRED : LEM_CHINCHILLA_RAW);
    if (!status) {
        status = lem_chinchilla_minimiser_init(&m);
        if (!status)
            descend(&m, &p, start, how, end);
        lem_chinchilla_minimiser_clear(&m);
    }
    lem_chinchilla_problem_clear(&p);
    return status;
}
