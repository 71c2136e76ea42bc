#include "attention/quenched.h"
#include "attention/quenched_total.h"
#include "attention/score_nodes.h"
#include "linalg/check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define STEP LEM_QUENCHED_STEP
/* u above e^5.3 gives e^-u < 1e-87; below e^-60 / n the n values of u change nothing. */
static const double LARGEST_X = 5.3, LOWEST_X = -60;
static const double NEGLIGIBLE = 1e-30;

typedef struct {
    double n, alpha, log_n;
    lem_score_nodes nodes;
    double origin; /* scores are counted from here: values far from 0 would lose their digits beside y */
    double *above; /* [count + 1]: the weight of the nodes from i on */
    bool square_of_log;
} rule;

static double score_at(const rule *r, size_t i) {
    return r->nodes.values[i] - r->origin;
}

/* The first node with y + alpha s > x. */
static size_t first_above(const rule *r, double y, double x) {
    size_t low = 0, high = r->nodes.count;
    while (low < high) {
        const size_t i = low + (high - low) / 2;
        if (y + r->alpha * score_at(r, i) > x)
            high = i;
        else
            low = i + 1;
    }
    return low;
}

static lem_quenched_means means_at(const rule *r, double y) {
    lem_quenched_means sum = {0};
    const size_t from = first_above(r, y, LOWEST_X - r->log_n), to = first_above(r, y, LARGEST_X);
    sum.below = r->above[to];
    for (size_t i = from; i < to; i++) {
        const double s = score_at(r, i), weight = r->nodes.weight[i];
        const double x = y + r->alpha * s, u = exp(x);
        const double rest = exp(-u), miss = u < 0.5 ? -expm1(-u) : 1 - rest, one = weight * u * rest;
        const double v = r->square_of_log ? x : s;
        sum.below += weight * miss;
        sum.one += one;
        sum.score += one * s;
        sum.log += one * x;
        sum.square += one * (v * v);
        sum.two += one * u;
    }
    sum.below *= r->n, sum.one *= r->n, sum.score *= r->n, sum.log *= r->n, sum.square *= r->n;
    sum.two *= r->n * r->n;
    return sum;
}

/* Mean and variance of the score. */
static void score_moments(const rule *r, double *mean, double *variance) {
    *mean = *variance = 0;
    for (size_t i = 0; i < r->nodes.count; i++)
        *mean += r->nodes.weight[i] * score_at(r, i);
    for (size_t i = 0; i < r->nodes.count; i++)
        *variance += r->nodes.weight[i] * pow(score_at(r, i) - *mean, 2);
}

/* From where the largest score first counts, to where phi^(n-1) leaves nothing or the smallest score counts
 * no more. */
static void integrate(const rule *r, lem_quenched_total *total) {
    const double largest = score_at(r, r->nodes.count - 1), last = LARGEST_X - r->alpha * score_at(r, 0);
    for (double j = floor((LOWEST_X - r->log_n - r->alpha * largest) / STEP);; j++) {
        const double y = STEP * j;
        const lem_quenched_means m = means_at(r, y);
        lem_quenched_add(total, &m);
        if (y > last || r->n * lem_quenched_power(r->n, m.below, 1) * (1 + y * y) < NEGLIGIBLE)
            return;
    }
}

static void uniform_weights(double n, double mean, double variance, lem_quenched *out) {
    *out = (lem_quenched){.sum_p2 = 1 / n,
                          .distinct = 1 - 1 / n,
                          .mean_score = mean,
                          .variance = (1 - 1 / n) * variance,
                          .entropy = log(n),
                          .log_z = log(n),
                          .norm_check = 1};
}

/* One score has all the weight. */
static void one_score(double alpha, double mean, lem_quenched *out) {
    *out = (lem_quenched){.sum_p2 = 1, .mean_score = mean, .log_z = alpha * mean, .norm_check = 1};
}

static int by_nodes(rule *r, lem_quenched *out) {
    double mean, variance;
    score_moments(r, &mean, &variance);
    if (r->n == 1 || r->alpha == 0) {
        if (r->n == 1)
            one_score(r->alpha, r->origin + mean, out);
        else
            uniform_weights(r->n, r->origin + mean, variance, out);
        return GSL_SUCCESS;
    }
    r->above = lem_allocate(r->nodes.count + 1, sizeof *r->above);
    if (!r->above)
        return GSL_ENOMEM;
    r->above[r->nodes.count] = 0;
    for (size_t i = r->nodes.count; i-- > 0;)
        r->above[i] = r->above[i + 1] + r->nodes.weight[i];
    r->square_of_log = r->alpha * r->alpha * variance > 1;
    lem_quenched_total total = {.n = r->n, .square_of_log = r->square_of_log};
    integrate(r, &total);
    free(r->above);
    lem_quenched_finish(&total, r->alpha, out);
    out->mean_score += r->origin;
    out->log_z += r->alpha * r->origin;
    if (!(fabs(out->norm_check - 1) < 1e-11)) /* weights that sum to W give 1 - (1 - W)^n */
        return LEM_ERROR(GSL_EFAILED, "n = %g, alpha = %g: the certificate of the quadrature is %.17g, not 1",
                         r->n, r->alpha, out->norm_check);
    return GSL_SUCCESS;
}

static double largest_alpha(const lem_score_law *law) {
    if (law->kind == LEM_SCORES_COSINE)
        return 1e4;
    if (law->kind == LEM_SCORES_NODES)
        return 1e5 / fmax(law->values[law->count - 1] - law->values[0], 1e-100);
    return 1000;
}

static int check(const lem_score_law *law, double n, double alpha, const lem_quenched *out) {
    if (!out)
        return LEM_ERROR(GSL_EFAULT, "out is a null pointer");
    int status = lem_check_score_law(law);
    if (status)
        return status;
    const double most = law->kind == LEM_SCORES_GAUSSIAN ? 1e300 : 1e100;
    if (!(n >= 1 && n <= most) || n != floor(n))
        return LEM_ERROR(GSL_EDOM, "n = %g: must be a whole number >= 1 and <= %g", n, most);
    if (!(alpha >= 0 && alpha <= largest_alpha(law)))
        return LEM_ERROR(GSL_EDOM, "alpha = %g: must be >= 0 and <= %g", alpha, largest_alpha(law));
    return GSL_SUCCESS;
}

static int gaussian(double n, double alpha, lem_quenched *out) {
    if (n == 1)
        one_score(alpha, 0, out);
    else if (alpha == 0)
        uniform_weights(n, 0, 1, out);
    else
        return lem_quenched_gaussian(n, alpha, out);
    return GSL_SUCCESS;
}

int lem_quenched_softmax(const lem_score_law *law, double n, double alpha, lem_quenched *out) {
    int status = check(law, n, alpha, out);
    if (status)
        return status;
    if (law->kind == LEM_SCORES_GAUSSIAN)
        return gaussian(n, alpha, out);
    rule r = {.n = n, .alpha = alpha, .log_n = log(n)};
    status = lem_score_nodes_init(&r.nodes, law, n, alpha);
    if (law->kind == LEM_SCORES_NODES)
        r.origin = law->values[law->count - 1];
    if (!status)
        status = by_nodes(&r, out);
    lem_score_nodes_free(&r.nodes);
    return status;
}

static int of_gauss(double n, double alpha, lem_quenched *out) {
    return lem_quenched_softmax(&(lem_score_law){.kind = LEM_SCORES_GAUSSIAN}, n, alpha, out);
}

static int of_cosine(double n, double alpha, double d, lem_quenched *out) {
    return lem_quenched_softmax(&(lem_score_law){.kind = LEM_SCORES_COSINE, .shape = d}, n, alpha, out);
}

static bool at_least_two(double n) {
    if (n < 2)
        LEM_ERROR(GSL_EDOM, "n = %g: must be at least 2", n);
    return !(n < 2);
}

double lem_quenched_trace_gauss(double n, double alpha) {
    lem_quenched q;
    return at_least_two(n) && !of_gauss(n, alpha, &q) ? q.trace : NAN;
}

double lem_quenched_sum_p2_gauss(double n, double alpha) {
    lem_quenched q;
    return at_least_two(n) && !of_gauss(n, alpha, &q) ? q.sum_p2 : NAN;
}

double lem_quenched_logZ_gauss(double n, double alpha) {
    lem_quenched q;
    return of_gauss(n, alpha, &q) ? NAN : q.log_z;
}

double lem_quenched_entropy_gauss(double n, double alpha) {
    lem_quenched q;
    return of_gauss(n, alpha, &q) ? NAN : q.entropy;
}

double lem_quenched_trace_cosine(double n, double alpha, double d) {
    lem_quenched q;
    return at_least_two(n) && !of_cosine(n, alpha, d, &q) ? q.trace : NAN;
}

static const double LARGEST_KAPPA = 1e4;

double lem_quenched_entropy_sphere(double n, double kappa, double d) {
    lem_quenched q;
    if (!(kappa >= 0 && kappa <= LARGEST_KAPPA))
        return LEM_ERROR_NAN(GSL_EDOM, "kappa = %g: must be >= 0 and <= %g", kappa, LARGEST_KAPPA);
    return of_cosine(n, kappa, d, &q) ? NAN : q.entropy;
}

enum { MOST_STEPS = 100 };

/* Newton steps on E H(kappa) = target from kappa on, inside the bracket that they narrow and at most
 * doubling: E H falls strictly, with derivative -kappa E Var_p(s). */
static double falling_root(double n, double d, double target, double kappa) {
    double low = 0, high = INFINITY;
    for (int round = 0; round < MOST_STEPS; round++) {
        lem_quenched q;
        if (of_cosine(n, kappa, d, &q))
            return NAN;
        if (q.entropy > target && kappa >= LARGEST_KAPPA)
            return LEM_ERROR_NAN(GSL_EDOM, "n = %g, d = %g: kappa would be above %g", n, d, LARGEST_KAPPA);
        *(q.entropy > target ? &low : &high) = kappa;
        double next = kappa + (q.entropy - target) / (kappa * q.variance);
        const double most = fmin(fmin(high, 2 * kappa), LARGEST_KAPPA);
        if (!(next > low && next <= most))
            next = isinf(high) ? most : (low + most) / 2;
        if (fabs(next - kappa) <= 1e-8 * kappa) /* a Newton step squares the error: this one is the last */
            return next;
        kappa = next;
    }
    return LEM_ERROR_NAN(GSL_EMAXITER, "n = %g, d = %g: no root after %d steps", n, d, (int)MOST_STEPS);
}

double lem_quenched_kappa_for_constant_entropy(double n, double n0, double d) {
    if (!at_least_two(n))
        return NAN;
    if (!(n0 >= 2 && n0 <= 1e100) || n0 != floor(n0))
        return LEM_ERROR_NAN(GSL_EDOM, "n0 = %g: must be a whole number >= 2 and <= 1e100", n0);
    const double target = lem_quenched_entropy_sphere(n0, sqrt(d), d);
    if (isnan(target))
        return NAN;
    if (!(log(n) > target))
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: log n must be above the entropy wanted, %g", n, target);
    return falling_root(n, d, target, fmin(sqrt(d * fmax(1 + 2 * log(n / n0), 0.1)), LARGEST_KAPPA));
}
