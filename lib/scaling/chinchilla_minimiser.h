/* Inside: GSL's BFGS on a problem, with the bookkeeping it lacks. */
#ifndef LEM_SCALING_CHINCHILLA_MINIMISER_H
#define LEM_SCALING_CHINCHILLA_MINIMISER_H

#include "scaling/chinchilla_problem.h"

#include <gsl/gsl_multimin.h>

/* GSL asks for the value and the gradient at one point separately; they cost the same, so the last answer is
 * kept. The objective is `factor` times the problem's. */
typedef struct {
    const lem_chinchilla_problem *problem;
    double factor;
    double q[LEM_CHINCHILLA_PARAMETERS];
    lem_chinchilla_slope slope; /* at q */
    size_t evaluations;
    gsl_multimin_function_fdf function;
    gsl_multimin_fdfminimizer *minimiser;
    gsl_vector *start;
} lem_chinchilla_minimiser;

int lem_chinchilla_minimiser_init(lem_chinchilla_minimiser *m); /* GSL_ENOMEM */
void lem_chinchilla_minimiser_clear(lem_chinchilla_minimiser *m);

/* Point it at a problem and a start; then step. A step returns 0, or a GSL status when there is no progress
 * any more, which at the round-off floor of the line search is as it must be. */
int lem_chinchilla_minimiser_set(lem_chinchilla_minimiser *m, const lem_chinchilla_problem *problem,
                                 double factor, const double *q, double step);
int lem_chinchilla_minimiser_step(lem_chinchilla_minimiser *m);
/* Where it stands. */
void lem_chinchilla_minimiser_at(const lem_chinchilla_minimiser *m, double *q);

/* BFGS from q until the size of the gradient is below `rough` or there is no progress, at most `iterations`
 * of them; then Newton's method, damped, which ends at the rounding error of the gradient. The Huber
 * objective has no second derivative at |r| = delta; between these it has, and where the minimum is there are
 * always rows within delta (else the gradient would be a sum of signs). *size: of the gradient at the end. */
void lem_chinchilla_minimise(lem_chinchilla_minimiser *m, const lem_chinchilla_problem *problem, double rough,
                             size_t iterations, double *q, lem_chinchilla_slope *slope);

/* The same from the minimum q of a problem with a larger threshold, problem->delta, to the threshold delta,
 * which it is given. The minimum moves with the threshold as dq/ddelta = H^-1 sum w sign(r) J over the rows
 * beyond it (H: of delta F), and as long as no row crosses it this is a straight line, but for the curvature
 * of the law: one step along it, then Newton. */
void lem_chinchilla_follow(lem_chinchilla_minimiser *m, lem_chinchilla_problem *problem, double delta,
                           double *q, lem_chinchilla_slope *slope);

#endif
