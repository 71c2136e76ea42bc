#include "scaling/chinchilla_fit.h"
#include "scaling/chinchilla_minimiser.h"
#include "scaling/chinchilla_starts.h"

#include <math.h>
#include <string.h>

enum { Q = LEM_CHINCHILLA_PARAMETERS, BFGS_STEPS = 200 };

static const double certified = 1e-8;
/* Where BFGS hands over to Newton's method: from far off late, lest that goes astray (of 27 starts on 240
 * rows, 23 arrive when it is 1e-2, all when it is 1e-3); from a place that is nearly right, soon. */
static const double rough = 1e-3, rough_near = 0.1;
static const double usual_delta = 1e-3;    /* the starts are tried with this threshold, or a larger one */
static const double smallest_scale = 1e-6; /* of residuals that are all rounding errors */
static const double smallest_delta = 1e-8; /* stands for zero */

/* --- one threshold ------------------------------------------------------------------------------- */

typedef struct {
    double q[Q];
    lem_chinchilla_slope slope;
} place;

/* The scale of the gradient, from the residuals here: see the header. */
static void set_scale(lem_chinchilla_problem *p, double delta, const double *q) {
    lem_chinchilla_slope slope;
    p->delta = delta;
    p->scale = isinf(delta) ? usual_delta : delta;
    lem_chinchilla_slope_at(p, q, &slope, NULL);
    p->scale = fmax(fmin(delta, sqrt(slope.squares / (double)p->n)), fmin(delta, smallest_scale));
}

static bool try_start(lem_chinchilla_problem *p, lem_chinchilla_minimiser *m, double delta, double hand_over,
                      place *at) {
    p->delta = delta;
    p->scale = fmin(delta, usual_delta);
    lem_chinchilla_minimise(m, p, hand_over, BFGS_STEPS, at->q, &at->slope);
    if (!isfinite(at->slope.value))
        return false;
    set_scale(p, delta, at->q);
    lem_chinchilla_slope_at(p, at->q, &at->slope, NULL);
    return at->slope.size <= certified;
}

/* The best of all starts; false when none converged. The values of F are comparable, because for a threshold
 * below the residuals the scale is delta; else they are brought to one scale. */
static bool try_all_starts(lem_chinchilla_problem *p, lem_chinchilla_minimiser *m, double delta, place *best,
                           lem_chinchilla_fitted *fit) {
    double ends[LEM_CHINCHILLA_STARTS], least = INFINITY;
    for (size_t k = 0; k < LEM_CHINCHILLA_STARTS; k++) {
        place at;
        lem_chinchilla_start(p, k, at.q);
        const bool converged = try_start(p, m, delta, rough, &at);
        fit->evaluations += m->evaluations;
        ends[k] = converged ? at.slope.value * p->scale : NAN;
        if (converged && ends[k] < least) {
            least = ends[k];
            *best = at;
        }
    }
    fit->starts = LEM_CHINCHILLA_STARTS;
    fit->agreeing = 0;
    for (size_t k = 0; k < LEM_CHINCHILLA_STARTS; k++)
        fit->agreeing += ends[k] <= least + 1e-9 * least + 1e-25;
    return isfinite(least);
}

/* --- the fit ------------------------------------------------------------------------------------- */

static int refuse_end(void) {
    return LEM_ERROR(GSL_EFAILED,
                     "the fit did not converge from any of %d starts: the data do not determine all "
                     "five constants (E, A or B runs away to zero)",
                     LEM_CHINCHILLA_STARTS);
}

/* Follow the minimum from the threshold of the starts down to the wanted one, by halves; by less where the
 * way turns too sharply. */
static bool lower_threshold(lem_chinchilla_problem *p, lem_chinchilla_minimiser *m, double from, double to,
                            place *at, lem_chinchilla_fitted *fit) {
    for (double delta = from, factor = 0.5; delta > to;) {
        const double next = fmax(delta * factor, to);
        place there = *at;
        p->delta = delta;
        lem_chinchilla_follow(m, p, next, there.q, &there.slope);
        fit->evaluations += m->evaluations;
        if (there.slope.size <= certified) {
            *at = there;
            delta = next;
            factor = fmax(factor * factor, 0.5);
            continue;
        }
        factor = sqrt(factor);
        if (factor > 0.995)
            return false;
    }
    return true;
}

static int report(const lem_chinchilla_problem *p, const place *at, double delta,
                  lem_chinchilla_fitted *fit) {
    lem_chinchilla_to_law(p, at->q, &fit->law);
    fit->absolute = at->slope.absolute;
    fit->objective = delta > 0 ? at->slope.value * p->scale : at->slope.absolute;
    fit->gradient = at->slope.size;
    const lem_chinchilla *law = &fit->law;
    if (!(law->alpha > 0 && law->beta > 0))
        return LEM_ERROR(GSL_EFAILED,
                         "the best fit has alpha = %g, beta = %g: must be positive; the loss does not "
                         "fall with both N and D",
                         law->alpha, law->beta);
    if (!(isfinite(law->A) && law->A > 0 && isfinite(law->B) && law->B > 0 && law->E > 0))
        return refuse_end();
    return GSL_SUCCESS;
}

static int fit_problem(lem_chinchilla_problem *p, lem_chinchilla_minimiser *m, double delta,
                       lem_chinchilla_fitted *fit) {
    place best = {.q = {0}};
    const double target = delta > 0 ? delta : smallest_delta, first = fmax(target, usual_delta);
    if (!try_all_starts(p, m, first, &best, fit) || !lower_threshold(p, m, first, target, &best, fit))
        return refuse_end();
    set_scale(p, target, best.q);
    lem_chinchilla_slope_at(p, best.q, &best.slope, NULL);
    return report(p, &best, delta, fit);
}

int lem_chinchilla_fit(const lem_chinchilla_data *data, double delta, lem_chinchilla_fitted *fit) {
    if (!fit)
        return LEM_ERROR(GSL_EFAULT, "fit: a null pointer");
    if (!(delta >= 0))
        return LEM_ERROR(GSL_EDOM, "delta = %g: must be positive, inf, or 0 for least absolute deviations",
                         delta);
    lem_chinchilla_problem p;
    lem_chinchilla_minimiser m;
    lem_chinchilla_fitted found = {.starts = 0};
    int status = lem_chinchilla_problem_init(&p, data, delta > 0 ? delta : smallest_delta);
    if (!status) {
        status = lem_chinchilla_minimiser_init(&m);
        if (!status)
            status = fit_problem(&p, &m, delta, &found);
        lem_chinchilla_minimiser_clear(&m);
    }
    lem_chinchilla_problem_clear(&p);
    if (!status)
        *fit = found;
    return status;
}

/* Used by the bootstrap: from a place that is nearly right, else from all starts. */
bool lem_chinchilla_refit(lem_chinchilla_problem *p, lem_chinchilla_minimiser *m, double delta, double *q) {
    place at;
    lem_chinchilla_fitted unused = {.starts = 0};
    memcpy(at.q, q, sizeof at.q);
    const bool found = try_start(p, m, delta, rough_near, &at) || try_all_starts(p, m, delta, &at, &unused);
    memcpy(q, at.q, sizeof at.q);
    return found;
}
