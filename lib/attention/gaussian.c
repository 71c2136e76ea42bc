/* Trapezoidal rules for the integrals of gaussian.h.
 *
 * Outer integral, y = log lambda, step S. On the line y + i theta, |theta| < pi/2, every |f| <= f at
 * lambda cos(theta), and |E[u^k e^-u]| <= cos(theta)^-k E[v^k e^-v], v = u cos(theta): the integral of the
 * modulus is at most cos(theta)^-k times the integral itself, whatever n and sigma. So the rule is off by at
 * most 2 exp(-2 pi theta / S) cos(theta)^-k, relative; at theta = pi/2 - S/pi, k = 2, S = 11/64 that is
 * 6e-22. The logarithm in the entropy adds a factor below 2 + |y|.
 *
 * Inner integral, an expectation over g. sigma > 1/2: in x = y + sigma g with the same step S, on a grid that
 * all y share, so that functions of x and of (x - y)/sigma are tabulated once; the line shifted by theta
 * costs exp(theta^2 / (2 sigma^2)) <= exp(5) besides: 1e-18. sigma <= 1/2: in g with step 3/8, where a shift
 * by tau = min(15, 1.45/sigma) costs 2 exp(-2 pi tau/0.375 + tau^2/2) <= 5e-18.
 *
 * What is small is never found as a difference: 1 - f = E[1 - e^-u] has only positive terms, for sigma > 1/2
 * by parts, int u e^-u P(g > (x - y)/sigma) dx. Means carry a factor n, put on the density of g before it can
 * underflow: E sum a^2 may be carried by values of g near 2 sigma = 40. */
#include "attention/gaussian.h"
#include "attention/quenched_total.h"
#include "linalg/check.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define STEP LEM_QUENCHED_STEP
static const double STEP_G = 0.375, LARGEST_G = 14; /* a density below 1e-43 */
static const double SMALL_SIGMA = 0.5;
/* u above e^5 gives e^-u < 1e-64; below e^-60 / n the n values of u change nothing. */
static const double LARGEST_X = 5, LOWEST_X = -60;
static const double NEGLIGIBLE = 1e-26; /* of the largest term: a tail is cut there */

typedef lem_quenched_means means;

typedef struct {
    double n, sigma, log_n, log_n_rest; /* log n as a sum: at n = 1e300 one double is off by 6e-14 */
    /* sigma > 1/2: x_i = (first + i) STEP, i < count: u e^-u, n u^2 e^-u, u log u e^-u, u log^2 u e^-u there;
     * and n times the density, g times that, and the upper tail of g = k STEP / sigma, |k| <= reach. */
    long first, count, reach;
    double *memory, *one, *two, *log, *log2, *density, *score, *tail;
} rule;

static means means_small_sigma(const rule *r, double y) {
    means sum = {0};
    for (double k = -floor(LARGEST_G / STEP_G); k * STEP_G <= LARGEST_G; k++) {
        const double g = k * STEP_G, x = y + r->sigma * g, u = exp(x);
        const double weight = STEP_G * exp(-g * g / 2) / sqrt(2 * M_PI);
        const double one = weight * exp(x + r->log_n + (r->log_n_rest - u));
        sum.below += weight * r->n * -expm1(-u);
        sum.one += one;
        sum.two += one * (u * r->n);
        sum.log += one * x;
        sum.score += one * g;
        sum.square += one * (g * g);
    }
    return sum;
}

/* y = j STEP. */
static means means_on_grid(const rule *r, long j) {
    means sum = {0};
    const long end = r->first + r->count;
    const long from = r->first > j - r->reach ? r->first : j - r->reach;
    const long to = end < j + r->reach ? end : j + r->reach;
    for (long i = from; i < to; i++) {
        const double density = r->density[i - j + r->reach], one = r->one[i - r->first];
        sum.below += one * r->tail[i - j + r->reach];
        sum.one += density * one;
        sum.two += density * r->two[i - r->first];
        sum.log += density * r->log[i - r->first];
        sum.square += density * r->log2[i - r->first];
        sum.score += r->score[i - j + r->reach] * one;
    }
    for (long i = r->first; i < from && i < end; i++) /* g > -reach is certain */
        sum.below += r->one[i - r->first] * r->n;
    sum.below *= STEP;
    sum.one *= STEP / r->sigma;
    sum.two *= STEP / r->sigma;
    sum.log *= STEP / r->sigma;
    sum.score *= STEP / r->sigma;
    sum.square *= STEP / r->sigma;
    return sum;
}

/* n times the density at g. */
static double n_density(const rule *r, double g) {
    if (fabs(g) < 37)
        return r->n * exp(-g * g / 2) / sqrt(2 * M_PI);
    return exp(r->log_n - g * g / 2 + r->log_n_rest) / sqrt(2 * M_PI);
}

/* n P(g > a). */
static double n_tail(const rule *r, double a) {
    if (a < 37)
        return r->n * erfc(a / M_SQRT2) / 2;
    return exp(r->log_n + (r->log_n_rest + pnorm5(a, 0, 1, 0, 1)));
}

static void tabulate(rule *r) {
    for (long i = 0; i < r->count; i++) {
        const double x = STEP * (double)(r->first + i), u = exp(x);
        r->one[i] = u * exp(-u);
        r->two[i] = exp(2 * x + r->log_n + (r->log_n_rest - u));
        r->log[i] = r->one[i] * x;
        r->log2[i] = r->log[i] * x;
    }
    for (long k = -r->reach; k <= r->reach; k++) {
        const double g = STEP * (double)k / r->sigma;
        r->density[k + r->reach] = n_density(r, g);
        r->score[k + r->reach] = g * r->density[k + r->reach];
        r->tail[k + r->reach] = n_tail(r, g);
    }
}

static int rule_init(rule *r, double n, double sigma) {
    *r = (rule){.n = n, .sigma = sigma, .log_n = log(n)};
    r->log_n_rest = (double)(logl((long double)n) - r->log_n);
    if (sigma <= SMALL_SIGMA)
        return GSL_SUCCESS;
    r->first = (long)floor((LOWEST_X - r->log_n) / STEP);
    r->count = (long)ceil(LARGEST_X / STEP) - r->first;
    /* n P(|g| > reach) < 1e-323: nothing beside E sum a^2 >= 1/n. */
    r->reach = (long)ceil(sqrt(2 * (r->log_n + 745)) * sigma / STEP) + 1;
    const size_t x_count = (size_t)r->count, g_count = (size_t)(2 * r->reach + 1);
    r->memory = lem_allocate(4 * x_count + 3 * g_count, sizeof *r->memory);
    if (!r->memory)
        return GSL_ENOMEM;
    r->one = r->memory, r->two = r->one + x_count, r->log = r->two + x_count;
    r->log2 = r->log + x_count, r->density = r->log2 + x_count;
    r->score = r->density + g_count, r->tail = r->score + g_count;
    tabulate(r);
    return GSL_SUCCESS;
}

static means means_at(const rule *r, long j) {
    return r->sigma <= SMALL_SIGMA ? means_small_sigma(r, STEP * (double)j) : means_on_grid(r, j);
}

/* Add the terms j, j + direction, ... until they are negligible: each is a density in y that rises once and
 * falls once. */
static void add_side(const rule *r, long j, long direction, double *largest, lem_quenched_total *sum) {
    double before = 0;
    for (;; j += direction) {
        const means m = means_at(r, j);
        const double one = lem_quenched_add(sum, &m);
        *largest = fmax(*largest, one);
        if (one <= before && one * (1 + fabs(STEP * (double)j)) < NEGLIGIBLE * *largest)
            return;
        before = one;
    }
}

/* Where n E[1 - e^-u] = 1 or so: bisection over whole steps. */
static long middle(const rule *r) {
    long low = (long)floor((-r->log_n - r->sigma * (60 + r->sigma) - 60) / STEP), high = -low;
    while (high - low > 1) {
        const long j = low + (high - low) / 2;
        *(means_at(r, j).below < 1 ? &low : &high) = j;
    }
    return low;
}

int lem_quenched_gaussian(double n, double sigma, lem_quenched *out) {
    rule r;
    int status = rule_init(&r, n, sigma);
    if (status)
        return status;
    const long start = middle(&r);
    double largest = 0;
    lem_quenched_total sum = {.n = n, .square_of_log = sigma > SMALL_SIGMA};
    add_side(&r, start, -1, &largest, &sum);
    add_side(&r, start + 1, 1, &largest, &sum);
    free(r.memory);
    lem_quenched_finish(&sum, sigma, out);
    if (!(fabs(out->norm_check - 1) < 1e-11))
        return LEM_ERROR(GSL_EFAILED, "n = %g, sigma = %g: the certificate of the quadrature is %.17g, not 1",
                         n, sigma, out->norm_check);
    return GSL_SUCCESS;
}

static bool in_domain(double n, double sigma) {
    if (!(n >= 1 && n <= 1e300) || n != floor(n)) {
        LEM_ERROR(GSL_EDOM, "n = %g: must be a whole number >= 1 and <= 1e300", n);
        return false;
    }
    if (!(sigma >= 0 && sigma <= 1000)) {
        LEM_ERROR(GSL_EDOM, "sigma = %g: must be >= 0 and <= 1000", sigma);
        return false;
    }
    return true;
}

double lem_softmax_gaussian_sum_squares(double n, double sigma) {
    lem_quenched mean;
    if (!in_domain(n, sigma))
        return NAN;
    if (n == 1 || sigma == 0)
        return 1 / n;
    return lem_quenched_gaussian(n, sigma, &mean) ? NAN : mean.sum_p2;
}

double lem_softmax_gaussian_entropy(double n, double sigma) {
    lem_quenched mean;
    if (!in_domain(n, sigma))
        return NAN;
    if (n == 1 || sigma == 0)
        return log(n);
    return lem_quenched_gaussian(n, sigma, &mean) ? NAN : mean.entropy;
}
