/* Kolmogorov-Smirnov tails, with c = n d and lambda = sqrt(n) d.
 *
 * One side: P(D+ >= d) = sum_j d / (d + j/n) b(j; n, d + j/n) with the binomial mass b, all terms positive
 * (Birnbaum and Tingey 1951); the mass comes from libRmath's saddle-point form, right to 1e-13. The terms are
 * a smooth function of j that dies out with all its derivatives at both ends, so for large n every m-th term,
 * m times, gives the same sum (the midpoint rule is then off by exp(-O(sqrt(terms)))).
 *
 * Two sides: P(D >= d) = 2 P(D+ >= d) - P(both). Both sides are crossed with probability about 2 exp(-8
 * lambda^2) in 2 exp(-2 lambda^2): below 3e-13 of it when lambda >= 2.2, and never when d >= 1/2. Otherwise
 *   n <= 4096: the uniform empirical process is a Poisson process N on [0, n] that ends in n; D < d while
 *     t - c < N(t) < t + c. The mass inside the boundaries is moved from one corner of them to the next, and
 *     what leaves is added up, weighed with its chance to end in n. Everything is positive.
 *   n > 4096: P(both) from the terms k >= 2 of Chang Li-Chien's expansion (Acta Math. Sinica 6, 1956; quoted
 * by Simard and L'Ecuyer, J. Stat. Software 39(11), 2011) to n^(-3/2), so with a relative error O(1/n^2);
 * P(both) itself is 2.5e-3 of the tail at lambda = 1 and 1e-6 at 1.5. */
#include "stat/gof.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define LAMBDA_ONE_SIDED 2.2 /* from here on both sides are never crossed, to 3e-13 */
#define LAMBDA_CERTAIN 0.15  /* below, P(D < d) < exp(-pi^2 / (8 lambda^2)) < 2e-23 */

enum {
    LARGEST_EXACT = 4096,
    FULL_SUM = 1 << 15, /* terms that are summed one by one */
    JUMPS = 26          /* a step of length <= 1 makes more jumps with probability below 1 / 26! = 2.5e-27 */
};

static double one_sided(double n, double d) {
    double stride = ceil(n / FULL_SUM), sum = 0;
    for (double j = floor(stride / 2); j < n * (1 - d); j += stride) {
        double p = d + j / n;
        sum += d / p * dbinom(j, n, fmin(p, 1), 0);
    }
    return fmin(stride * sum, 1);
}

/* The terms k >= 2 of Chang Li-Chien's expansion, to n^(-3/2); the term k = 1 is that of one side. */
static double both_sides_limit(double n, double lambda) {
    double root = sqrt(n), sum = 0;
    for (int k = 2; k <= 60; k++) {
        double k2 = (double)k * k, odd = k % 2, u = k2 * lambda * lambda;
        double f1 = k2 - odd, f2 = 5 * k2 + 22 - 15 * odd;
        double polynomial = 1 - 2 * k2 * lambda / (3 * root) -
                            (f1 - 4 * (f1 + 3) * u + 8 * u * u) / (18 * n) +
                            k2 * lambda / (27 * n * root) * (f2 / 5 - 4 * (f2 + 45) * u / 15 + 8 * u * u);
        sum += (odd > 0 ? -1 : 1) * exp(-2 * u) * polynomial;
    }
    return 2 * sum;
}

/* --- exact, by what leaves between the boundaries --- */

typedef struct {
    int n, low, high; /* states low .. high hold the mass */
    double time, leaked;
    double *mass, *next; /* [n + 1 + JUMPS] */
} between;

/* P(N ends in n | state j at this time) / P(N ends in n). */
static double chance_to_end(const between *b, int j) {
    return dpois(b->n - j, b->n - b->time, 0) / dpois(b->n, b->n, 0);
}

static void advance(between *b, double step) {
    double jumps[JUMPS + 1];
    int most = 0;
    jumps[0] = exp(-step);
    while (most < JUMPS && jumps[most] > 1e-28) {
        jumps[most + 1] = jumps[most] * step / (most + 1);
        most++;
    }
    int top = b->high + most;
    for (int j = b->low; j <= top; j++)
        b->next[j] = 0;
    for (int k = 0; k <= most; k++) {
        double weight = jumps[k], *to = b->next + k;
        const double *from = b->mass;
        for (int j = b->low; j <= b->high; j++)
            to[j] += weight * from[j];
    }
    double *swap = b->mass;
    b->mass = b->next;
    b->next = swap;
    b->time += step;
    if (b->high < b->n) {
        double chance = chance_to_end(b, b->high + 1);
        for (int j = b->high + 1; j <= top && j <= b->n; j++) {
            b->leaked += b->mass[j] * chance;
            chance *= (b->n - j) / (b->n - b->time);
        }
    }
}

/* NaN when memory runs out. */
static double two_sided_exact(int n, double c) {
    size_t size = (size_t)n + 2 + 2 * JUMPS;
    double *store = calloc(2 * size, sizeof *store);
    if (!store)
        return LEM_ERROR_NAN(GSL_ENOMEM, "no memory for n = %d states", n);
    between b = {.n = n, .high = (int)ceil(c) - 1, .mass = store, .next = store + size};
    b.mass[0] = 1;
    while (b.time < n && b.low <= n) {
        double opens = b.high < n ? b.high + 1 - c : n; /* state high + 1 is allowed from then on */
        double closes = b.low + c;                      /* state low must have been left by then */
        double event = fmin(fmin(opens, closes), n);
        if (event > b.time)
            advance(&b, event - b.time);
        b.time = event;
        if (opens <= event && b.high < n)
            b.mass[++b.high] = 0;
        if (closes <= event && b.low <= n) {
            b.leaked += b.mass[b.low] * chance_to_end(&b, b.low);
            b.low++;
        }
    }
    free(store);
    return fmin(b.leaked, 1);
}

static double two_sided(size_t n, double d) {
    double dn = (double)n, lambda = sqrt(dn) * d;
    if (d >= 1)
        return 0;
    if (d <= 0.5 / dn || lambda < LAMBDA_CERTAIN)
        return 1;
    if (lambda >= LAMBDA_ONE_SIDED || d >= 0.5)
        return fmin(2 * one_sided(dn, d), 1);
    if (n <= LARGEST_EXACT)
        return two_sided_exact((int)n, dn * d);
    return fmin(2 * one_sided(dn, d) - both_sides_limit(dn, lambda), 1);
}

static int check_tail_arguments(size_t n, double d) {
    if (n < 1 || n > (size_t)1 << 53)
        return LEM_ERROR(GSL_EDOM, "n = %zu: must be >= 1 and <= 2^53", n);
    if (!(d >= 0))
        return LEM_ERROR(GSL_EDOM, "d = %g: must be >= 0", d);
    return GSL_SUCCESS;
}

double lem_ks_tail(size_t n, double d) {
    return check_tail_arguments(n, d) ? NAN : two_sided(n, d);
}

double lem_ks_tail_one_sided(size_t n, double d) {
    if (check_tail_arguments(n, d))
        return NAN;
    return d == 0 ? 1 : d >= 1 ? 0 : one_sided((double)n, d);
}

/* log(tail(d) / level) as a function of d^2, in which it is close to linear; finite where the tail is 0. */
static double log_excess(size_t n, double d2, double level) {
    double tail = two_sided(n, sqrt(d2));
    return tail > 0 ? log(tail / level) : tail == 0 ? -1000 : NAN;
}

/* Regula falsi with the Illinois rule: an end that stays twice counts half. */
double lem_ks_critical(size_t n, double level) {
    if (check_tail_arguments(n, 0))
        return NAN;
    if (!(level >= 1e-290 && level < 1))
        return LEM_ERROR_NAN(GSL_EDOM, "level = %g: must be >= 1e-290 and < 1", level);
    double dn = (double)n;
    double low = 0.25 / dn / dn, f_low = log(1 / level); /* d = 1 / (2 n): the tail is 1 */
    double high = 1, f_high = -1000;
    double guess = sqrt(log(2 / level) / (2 * dn)) - 1 / (6 * dn), x = guess * guess;
    int last = 0;
    for (int i = 0; i < 300 && high - low > 2 * DBL_EPSILON * high; i++) {
        if (!(x > low && x < high) || i > 100)
            x = low + (high - low) / 2;
        double f = log_excess(n, x, level);
        if (isnan(f) || f == 0)
            return isnan(f) ? NAN : sqrt(x);
        if (f > 0) {
            low = x;
            f_low = f;
            f_high = last == 1 ? f_high / 2 : f_high;
        } else {
            high = x;
            f_high = f;
            f_low = last == -1 ? f_low / 2 : f_low;
        }
        last = f > 0 ? 1 : -1;
        x = low + (high - low) * (f_low / (f_low - f_high));
    }
    return sqrt(x);
}

/* --- distances --- */

int lem_ks_distance(size_t n, const double *sorted, double (*cdf)(double x, const void *ctx), const void *ctx,
                    double *distance) {
    if (!sorted || !cdf || !distance)
        return LEM_ERROR(GSL_EFAULT, "%s is null", !sorted ? "sorted" : !cdf ? "cdf" : "distance");
    if (n < 1)
        return LEM_ERROR(GSL_EINVAL, "n = %zu: must be >= 1", n);
    double largest = 0, previous = 0, dn = (double)n;
    for (size_t i = 0; i < n; i++) {
        if (isnan(sorted[i]) || (i > 0 && sorted[i] < sorted[i - 1]))
            return LEM_ERROR(GSL_EINVAL, "sorted[%zu] = %g: must be a number and at least the one before", i,
                             sorted[i]);
        double f = cdf(sorted[i], ctx);
        if (!(f >= previous && f <= 1))
            return LEM_ERROR(GSL_EINVAL, "cdf(%g) = %g: must be in [%g, 1], not decreasing", sorted[i], f,
                             previous);
        largest = fmax(largest, fmax((double)(i + 1) / dn - f, f - (double)i / dn));
        previous = f;
    }
    *distance = largest;
    return GSL_SUCCESS;
}

static int check_sorted(const char *name, size_t n, const double *x) {
    if (n < 1 || !x)
        return LEM_ERROR(GSL_EINVAL, "%s: must be at least one value, n = %zu", name, n);
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i]) || (i > 0 && x[i] < x[i - 1]))
            return LEM_ERROR(GSL_EINVAL, "%s[%zu] = %g: must be a number and at least the one before", name,
                             i, x[i]);
    return GSL_SUCCESS;
}

int lem_ks_distance_two_sample(size_t n, const double *x, size_t m, const double *y, double *distance) {
    int status = check_sorted("x", n, x);
    if (!status)
        status = check_sorted("y", m, y);
    if (status)
        return status;
    if (!distance)
        return LEM_ERROR(GSL_EFAULT, "distance is null");
    double largest = 0;
    for (size_t i = 0, j = 0; i < n && j < m;) {
        double v = fmin(x[i], y[j]);
        while (i < n && x[i] == v)
            i++;
        while (j < m && y[j] == v)
            j++;
        largest = fmax(largest, fabs((double)i / (double)n - (double)j / (double)m));
    }
    *distance = largest;
    return GSL_SUCCESS;
}

/* Under the null every order of the n + m values is equally likely: a random walk over (i, j), values of x
 * and y seen so far, that takes an x next with probability (n - i) / (n - i + m - j). What first reaches |i/n
 * - j/m| >= d is added up; d is rounded up to the next multiple of 1 / (n m). */
double lem_ks_tail_two_sample(size_t n, size_t m, double d) {
    if (n < 1 || m < 1 || (double)n * (double)m > 4e8)
        return LEM_ERROR_NAN(GSL_EINVAL, "n = %zu, m = %zu: must be >= 1, and n m <= 4e8", n, m);
    if (!(d >= 0))
        return LEM_ERROR_NAN(GSL_EDOM, "d = %g: must be >= 0", d);
    double dn = (double)n, dm = (double)m, limit = ceil(d * dn * dm - 1e-6), leaked = 0;
    if (limit <= 0 || d > 1)
        return limit <= 0 ? 1 : 0;
    double *mass = calloc(m + 2, sizeof *mass);
    if (!mass)
        return LEM_ERROR_NAN(GSL_ENOMEM, "no memory for m = %zu", m);
    double low = 0; /* of the row before */
    for (double i = 0; i <= dn; i++) {
        /* Inside: i m - j n < limit and j n - i m < limit. */
        double first = fmax(floor((i * dm - limit) / dn) + 1, 0),
               last = fmin(ceil((i * dm + limit) / dn) - 1, dm);
        for (double j = low; j <= fmin(last + 1, dm); j++) {
            double by_x = i > 0 ? mass[(size_t)j] * (dn - i + 1) / (dn - i + 1 + dm - j) : i == j;
            double by_y = j > first ? mass[(size_t)j - 1] * (dm - j + 1) / (dn - i + dm - j + 1) : 0;
            int inside = j >= first && j <= last;
            leaked += inside ? 0 : by_x + by_y;
            mass[(size_t)j] = inside ? by_x + by_y : 0;
        }
        low = first;
    }
    free(mass);
    return fmin(leaked, 1);
}
