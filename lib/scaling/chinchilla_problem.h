/* Inside: the fitting problem in centred and scaled parameters, with derivatives.
 *
 * With x = log N and y = log D less their means, and sx, sy their standard deviations, the parameters are
 *     q = (a - alpha mean log N, b - beta mean log D, e, alpha sx, beta sy),   a = log A, b = log B, e = log
 * E, so that log L = log(exp(q0 - q3 x/sx) + exp(q1 - q4 y/sy) + exp(q2)): the logarithms of the three terms
 * in the middle of the data, and the exponents per standard deviation. In raw parameters a and alpha are
 * correlated to 0.999 (the middle is 20 units away from log N = 0); here the covariance is a thousand times
 * better conditioned.
 *
 * What is minimised is F(q) = sum w_i rho(r_i)/s, with Huber's rho and r_i = log loss_i - log L_i; s is
 * delta, or a typical residual where that is smaller. The size of the gradient is judged against the largest
 * one that residuals of size s could give: max_j |sum w_i rho'(r_i)/s J_ij| / sum w_i |J_ij|,   J = d log
 * L/dq, which no unit, number of rows or reduction (sum or mean) changes, and which does not go to zero when
 * E alone runs away to zero. */
#ifndef LEM_SCALING_CHINCHILLA_PROBLEM_H
#define LEM_SCALING_CHINCHILLA_PROBLEM_H

#include "scaling/chinchilla.h"

#include <stdbool.h>

enum { LEM_CHINCHILLA_PARAMETERS = 5 };

typedef struct {
    size_t n;
    double *x, *y, *z, *w; /* n each: centred and scaled log N and log D, log loss, weight */
    double mean_x, mean_y, sd_x, sd_y;
    double delta, scale;
} lem_chinchilla_problem;

typedef struct {
    double value; /* F */
    double gradient[LEM_CHINCHILLA_PARAMETERS];
    double size;                             /* of the gradient, as above */
    double outer[LEM_CHINCHILLA_PARAMETERS]; /* sum of w sign(r) J over the rows with |r| > delta; with a
                                                Hessian */
    double absolute, squares;                /* sum w |r|, sum w r^2 */
} lem_chinchilla_slope;

/* Checks the data (n >= 6, positive, finite, N and D not all equal; row numbers in the sentence) and centres
 * it. GSL_ENOMEM. Free with _clear, also after an error. */
int lem_chinchilla_problem_init(lem_chinchilla_problem *p, const lem_chinchilla_data *data, double delta);
/* The same without scaling, or without centring either (raw parameters, as other programs have them). */
typedef enum { LEM_CHINCHILLA_SCALED, LEM_CHINCHILLA_CENTRED, LEM_CHINCHILLA_RAW } lem_chinchilla_frame;
int lem_chinchilla_problem_init_in(lem_chinchilla_problem *p, const lem_chinchilla_data *data, double delta,
                                   lem_chinchilla_frame frame);
void lem_chinchilla_problem_clear(lem_chinchilla_problem *p);

/* An empty problem with room for the rows of another one, in its coordinates; and: fill it with rows of that,
 * row i taken counts[i] times. */
int lem_chinchilla_problem_like(lem_chinchilla_problem *p, const lem_chinchilla_problem *of);
void lem_chinchilla_problem_resample(lem_chinchilla_problem *p, const lem_chinchilla_problem *of,
                                     const double *counts);

/* F, its gradient and size; and its Hessian, [5][5], where that is not NULL (generalised: rho'' is 1/s within
 * delta, else 0). */
void lem_chinchilla_slope_at(const lem_chinchilla_problem *p, const double *q, lem_chinchilla_slope *slope,
                             double (*hessian)[LEM_CHINCHILLA_PARAMETERS]);

void lem_chinchilla_to_law(const lem_chinchilla_problem *p, const double *q, lem_chinchilla *law);
void lem_chinchilla_from_law(const lem_chinchilla_problem *p, const lem_chinchilla *law, double *q);

#endif
