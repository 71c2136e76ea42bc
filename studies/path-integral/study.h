/* What the deterministic sections of this study share. */
#ifndef PI_STUDY_H
#define PI_STUDY_H

#include "lemmata.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

int pi_walk(lem_study *study);      /* walk.c: the lattice walk and the Fokker-Planck equation */
int pi_gauge(lem_study *study);     /* gauge.c: from a drift to a potential, and the action */
int pi_slices(lem_study *study);    /* slices.c: short-time kernels composed */
int pi_quadratic(lem_study *study); /* quadratic.c: actions whose semiclassical propagator is exact */
int pi_spectra(lem_study *study);   /* spectra.c: ground states and the double well's rate */
int pi_series(lem_study *study);    /* series.c: perturbation theory and its divergence */
int pi_orders(lem_study *study);    /* orders.c: all orders of convergence in one table */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- measure.c ---------------------------------------------------------------------------------------------
 */

/* A diffusion dx = p dt + sqrt(alpha) dW from x0, with its exact density at T. */
typedef struct {
    double alpha, x0, T;
    lem_field drift, gradient;
    int (*density)(double alpha, double x0, double T, size_t n, const double *x, double *out);
    double reach; /* the density is nothing beside its peak beyond +-reach */
} pi_problem;

extern const pi_problem pi_ou;       /* p = -x, alpha = x0 = T = 1 */
pi_problem pi_double_well(double T); /* p = x - x^3, alpha = 0.5, x0 = 0.3 */

/* The walk with its drift multiplied by `factor` and its space step by `stretch` (1: as it should be):
 * largest error of probability/(2 s) over the sites, over the peak of the exact density; and what was
 * clipped. */
int pi_walk_error(const pi_problem *problem, size_t n, double factor, double stretch, double *error,
                  double *clipped);

/* How a short time is stepped over: the drift at y + lambda (x - y), times exp(-jacobian dt p_x) there; or,
 * gauged, without a drift and with half the potential at either end. */
typedef struct {
    double lambda, jacobian;
    bool gauged;
} pi_rule;
extern const pi_rule pi_ito, pi_midpoint, pi_end_point, pi_gauged;

/* n short-time kernels composed by the trapezoid rule on 561 nodes of [-7, 7]: largest error over the peak of
 * the exact density, and the mass. */
int pi_compose(const pi_problem *problem, pi_rule rule, size_t n, double *error, double *mass);

/* The forced Ornstein-Uhlenbeck process p = -x + 1.5 cos 3t, alpha = 0.7, from a Gaussian with mean 0.4 and
 * variance 0.09 to T = 1.2, by Crank-Nicolson of the gauged equation on [-6, 6] and back. term: the factor
 * before int p_t dx in V, 1 as it should be. */
typedef struct {
    double error, mass, mean;
} pi_gauged_run;
int pi_forced_gauge(size_t nodes, size_t steps, double term, pi_gauged_run *run);

/* The exponent of y against x, by least squares in logarithms; NaN on error. */
double pi_slope(size_t n, const double *x, const double *y);

/* alpha theta/(2 h) - alpha omega/2 at alpha = 1: the ground energy on slices of length h less the exact one;
 * corrected: with Takahashi and Imada's term. */
double pi_lattice_energy_error(double omega, double h, bool corrected);

#endif
