/* What several sections measure. */
#include "study.h"

/* --- problems ----------------------------------------------------------------------------------------------
 */

static int ou_drift(double x, double t, const void *ctx, double *value) {
    (void)t, (void)ctx;
    *value = -x;
    return GSL_SUCCESS;
}

static int ou_gradient(double x, double t, const void *ctx, double *value) {
    (void)x, (void)t, (void)ctx;
    *value = -1;
    return GSL_SUCCESS;
}

static int ou_density(double alpha, double x0, double T, size_t n, const double *x, double *out) {
    for (size_t i = 0; i < n; i++)
        out[i] = lem_ou_pdf(x[i], T, x0, 1, alpha);
    return GSL_SUCCESS;
}

static int double_well_density(double alpha, double x0, double T, size_t n, const double *x, double *out) {
    return lem_double_well_density(x0, alpha, T, n, x, out, NULL);
}

const pi_problem pi_ou = {1, 1, 1, {ou_drift, NULL}, {ou_gradient, NULL}, ou_density, 7};

pi_problem pi_double_well(double T) {
    return (pi_problem){
        .5, .3, T, {lem_double_well_drift, NULL}, {lem_double_well_gradient, NULL}, double_well_density, 3};
}

/* largest |measured - exact| over the peak of exact */
static double relative_error(size_t n, const double *measured, const double *exact) {
    double worst = 0, peak = 0;
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(measured[i] - exact[i]));
        peak = fmax(peak, exact[i]);
    }
    return worst / peak;
}

double pi_slope(size_t n, const double *x, const double *y) {
    lem_power_law fit;
    return lem_fit_power_law(n, x, y, NULL, &fit) ? NAN : fit.exponent;
}

/* --- the walk ----------------------------------------------------------------------------------------------
 */

typedef struct {
    const lem_field *field;
    double factor;
} scaled;

static int scaled_field(double x, double t, const void *ctx, double *value) {
    const scaled *s = ctx;
    const int status = s->field->function(x, t, s->field->ctx, value);
    *value *= s->factor;
    return status;
}

/* The sites of the walk's parity within reach: places and densities, at most 2 n + 1. */
static size_t populated(const pi_problem *problem, size_t n, double step, double stretch, const double *p,
                        double *x, double *density) {
    size_t count = 0;
    for (size_t j = 0; j <= 2 * n; j += 2) {
        const double at = problem->x0 + stretch * step * ((double)j - (double)n);
        if (fabs(at) > problem->reach)
            continue;
        x[count] = at;
        density[count++] = p[j] / (2 * step * stretch);
    }
    return count;
}

int pi_walk_error(const pi_problem *problem, size_t n, double factor, double stretch, double *error,
                  double *clipped) {
    const size_t sites = 2 * n + 1;
    double *memory = malloc(4 * sites * sizeof *memory);
    if (!memory)
        return LEM_ERROR(GSL_ENOMEM, "no memory for a walk of %zu steps", n);
    double *p = memory, *x = p + sites, *density = x + sites, *exact = density + sites;
    const scaled s = {&problem->drift, factor};
    int status = lem_biased_walk_evolve(&(lem_field){scaled_field, &s}, n, problem->x0, problem->T,
                                        problem->alpha, HUGE_VAL, p, clipped);
    const size_t count =
        populated(problem, n, sqrt(problem->alpha * problem->T / (double)n), stretch, p, x, density);
    if (!status)
        status = problem->density(problem->alpha, problem->x0, problem->T, count, x, exact);
    if (!status)
        *error = relative_error(count, density, exact);
    free(memory);
    return status;
}

/* --- short-time kernels ------------------------------------------------------------------------------------
 */

const pi_rule pi_ito = {0, 0, false}, pi_midpoint = {.5, .5, false}, pi_end_point = {1, 1, false},
              pi_gauged = {0, 0, true};

enum { NODES = 561 };
static const double REACH = 7;

static double node(size_t i) {
    return -REACH + 2 * REACH * (double)i / (NODES - 1);
}

static double value_of(const lem_field *field, double x) {
    double value = NAN;
    return field->function(x, 0, field->ctx, &value) ? NAN : value;
}

/* V of the gauge, for a drift that does not depend on time */
static double gauge_v(const pi_problem *q, double x) {
    return lem_gauge_potential(value_of(&q->drift, x), value_of(&q->gradient, x), 0, q->alpha);
}

/* log of the kernel from y to x in a time h, less its normalisation */
static double log_kernel(const pi_problem *q, pi_rule rule, double h, double x, double y) {
    if (rule.gauged)
        return -(x - y) * (x - y) / (2 * q->alpha * h) + h / (2 * q->alpha) * (gauge_v(q, x) + gauge_v(q, y));
    const double at = y + rule.lambda * (x - y), moved = x - y - h * value_of(&q->drift, at);
    return -moved * moved / (2 * q->alpha * h) - rule.jacobian * h * value_of(&q->gradient, at);
}

/* int p dx by the panels of 16 nodes, exact for polynomials: what the gauge puts before the kernel */
static double gauge_phi(const pi_problem *q, double x) {
    static const double at[] = {0, .33998104358485626, .86113631159405258},
                        weight[] = {0, .65214515486254614, .34785484513745386};
    double sum = 0; /* four Gauss nodes of [0, x]: exact up to degree 7 */
    for (int i = 1; i <= 2; i++)
        sum +=
            weight[i] * (value_of(&q->drift, x / 2 * (1 + at[i])) + value_of(&q->drift, x / 2 * (1 - at[i])));
    return sum * x / 2;
}

static void compose(const pi_problem *q, pi_rule rule, size_t n, double *matrix, double *p, double *next) {
    const double h = q->T / (double)n, norm = 1 / sqrt(2 * M_PI * q->alpha * h), mesh = node(1) - node(0);
    for (size_t i = 0; i < NODES; i++) {
        for (size_t j = 0; j < NODES; j++)
            matrix[i * NODES + j] = mesh * norm * exp(log_kernel(q, rule, h, node(i), node(j)));
        p[i] = norm * exp(log_kernel(q, rule, h, node(i), q->x0));
    }
    for (size_t k = 1; k < n; k++) {
        for (size_t i = 0; i < NODES; i++) {
            double sum = 0;
            for (size_t j = 0; j < NODES; j++)
                sum += matrix[i * NODES + j] * p[j];
            next[i] = sum;
        }
        for (size_t i = 0; i < NODES; i++)
            p[i] = next[i];
    }
    if (rule.gauged)
        for (size_t i = 0; i < NODES; i++)
            p[i] *= exp((gauge_phi(q, node(i)) - gauge_phi(q, q->x0)) / q->alpha);
}

int pi_compose(const pi_problem *problem, pi_rule rule, size_t n, double *error, double *mass) {
    double *memory = malloc((NODES * NODES + 4 * NODES) * sizeof *memory);
    if (!memory)
        return LEM_ERROR(GSL_ENOMEM, "no memory for a kernel on %d nodes", NODES);
    double *p = memory, *next = p + NODES, *x = next + NODES, *exact = x + NODES;
    compose(problem, rule, n, exact + NODES, p, next);
    size_t count = 0;
    double total = 0;
    for (size_t i = 0; i < NODES; i++) {
        total += p[i] * (node(1) - node(0));
        if (fabs(node(i)) > problem->reach)
            continue;
        x[count] = node(i);
        next[count++] = p[i];
    }
    const int status = problem->density(problem->alpha, problem->x0, problem->T, count, x, exact);
    if (!status && error)
        *error = relative_error(count, next, exact);
    if (mass)
        *mass = total;
    free(memory);
    return status;
}

/* --- the forced process through the gauge ------------------------------------------------------------------
 */

static const double FORCE = 1.5, RATE = 3, ALPHA = .7, TIME = 1.2, MEAN = .4, VARIANCE = .09;

/* Phi = int_0^x p dx' */
static double forced_phi(double x, double t) {
    return x * (FORCE * cos(RATE * t) - x / 2);
}

/* U = -V; ctx: the factor before int_0^x p_t dx' */
static int forced_potential(double x, double t, const void *ctx, double *value) {
    const double p = -x + FORCE * cos(RATE * t), int_p_t = -FORCE * RATE * sin(RATE * t) * x;
    *value = -lem_gauge_potential(p, -1, *(const double *)ctx * int_p_t, ALPHA);
    return GSL_SUCCESS;
}

int pi_forced_gauge(size_t nodes, size_t steps, double term, pi_gauged_run *run) {
    const lem_cn_grid grid = {-6, 6, nodes, 0, TIME, steps, 0};
    const double h = 12 / (double)(nodes - 1);
    gsl_vector *phi = gsl_vector_alloc(nodes);
    if (!phi)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu nodes", nodes);
    for (size_t i = 0; i < nodes; i++) {
        const double x = -6 + h * (double)i;
        gsl_vector_set(phi, i, lem_brownian_pdf(x - MEAN, 1, VARIANCE) * exp(-forced_phi(x, 0) / ALPHA));
    }
    const int status = lem_schrodinger_cn(&(lem_field){forced_potential, &term}, ALPHA, &grid, phi);
    const double mean = lem_forced_ou_mean(MEAN, 1, FORCE, RATE, TIME),
                 variance = VARIANCE * exp(-2 * TIME) + lem_ou_variance(TIME, 1, ALPHA);
    *run = (pi_gauged_run){0};
    double first = 0;
    for (size_t i = 0; i < nodes; i++) {
        const double x = -6 + h * (double)i,
                     density = gsl_vector_get(phi, i) * exp(forced_phi(x, TIME) / ALPHA);
        run->error = fmax(run->error, fabs(density - lem_brownian_pdf(x - mean, 1, variance)));
        run->mass += density * h;
        first += density * h * x;
    }
    run->error /= lem_brownian_pdf(0, 1, variance);
    run->mean = first / run->mass;
    gsl_vector_free(phi);
    return status;
}

/* --- energies on slices ------------------------------------------------------------------------------------
 */

double pi_lattice_energy_error(double omega, double h, bool corrected) {
    /* U + (h^2/24) U'^2 is an oscillator again, omega^2 (1 + omega^2 h^2/12) */
    const double w = corrected ? omega * sqrt(1 + omega * omega * h * h / 12) : omega;
    return asinh(w * h / 2) / h - omega / 2;
}
