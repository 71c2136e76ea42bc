/* Sums of powers about the mean are kept, never raw powers: nothing cancels when the mean is large. Pebay,
 * Sandia report SAND2008-6212: eqs. 1.2-1.4 (merging, orders 2 to 4) and 2.1 (adding one value). */
#include "stat/moments.h"

#include <float.h>
#include <math.h>

enum {
    BLOCK = 1024, /* values whose mean is taken first: 8 KiB, stays in the first-level cache */
    LANES = 8     /* independent sums, so that the compiler may vectorise them without reordering anything */
};

void lem_moments_init(lem_moments *m) {
    *m = (lem_moments){.min = INFINITY, .max = -INFINITY};
}

void lem_moments_merge(lem_moments *into, const lem_moments *from) {
    if (from->n == 0)
        return;
    if (into->n == 0) {
        *into = *from;
        return;
    }
    const lem_moments a = *into, b = *from;
    double na = (double)a.n, nb = (double)b.n, n = na + nb;
    double delta = b.mean - a.mean;
    double fa = na / n, fb = nb / n;
    double delta2 = delta * delta;
    double between = delta2 * na * fb; /* delta^2 na nb / n */
    into->n = a.n + b.n;
    into->mean = a.mean + delta * fb;
    into->m2 = a.m2 + b.m2 + between;
    into->m3 = a.m3 + b.m3 + between * delta * (fa - fb) + 3 * delta * (fa * b.m2 - fb * a.m2);
    into->m4 = a.m4 + b.m4 + between * delta2 * (fa * fa - fa * fb + fb * fb) +
               6 * delta2 * (fa * fa * b.m2 + fb * fb * a.m2) + 4 * delta * (fa * b.m3 - fb * a.m3);
    into->min = fmin(a.min, b.min);
    into->max = fmax(a.max, b.max);
}

int lem_moments_add(lem_moments *m, double x) {
    if (!m)
        return LEM_ERROR(GSL_EFAULT, "m is null: must point to moments");
    if (!(fabs(x) <= LEM_MOMENTS_MAX))
        return LEM_ERROR(GSL_EINVAL, "x = %g: must be finite and at most %g in size", x, LEM_MOMENTS_MAX);
    double n = (double)m->n + 1;
    double delta = x - m->mean, step = delta / n, step2 = step * step;
    double between = delta * step * (n - 1);
    m->m4 += between * step2 * (n * n - 3 * n + 3) + 6 * step2 * m->m2 - 4 * step * m->m3;
    m->m3 += between * step * (n - 2) - 3 * step * m->m2;
    m->m2 += between;
    m->mean += step;
    m->min = fmin(m->min, x);
    m->max = fmax(m->max, x);
    m->n++;
    return GSL_SUCCESS;
}

static double sum_of_lanes(const double lane[LANES]) {
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

/* False at a value that is refused. */
static int block_extremes_and_sum(size_t n, const double *x, double *min, double *max, double *sum) {
    double low[LANES], high[LANES], total[LANES] = {0};
    for (int l = 0; l < LANES; l++) {
        low[l] = INFINITY;
        high[l] = -INFINITY;
    }
    size_t whole = n - n % LANES;
    unsigned ok = 1;
    for (size_t i = 0; i < whole; i += LANES)
        for (int l = 0; l < LANES; l++) {
            double v = x[i + (size_t)l];
            ok &= fabs(v) <= LEM_MOMENTS_MAX;
            low[l] = v < low[l] ? v : low[l];
            high[l] = v > high[l] ? v : high[l];
            total[l] += v;
        }
    for (size_t i = whole; i < n; i++) {
        size_t l = i - whole;
        ok &= fabs(x[i]) <= LEM_MOMENTS_MAX;
        low[l] = x[i] < low[l] ? x[i] : low[l];
        high[l] = x[i] > high[l] ? x[i] : high[l];
        total[l] += x[i];
    }
    *min = low[0];
    *max = high[0];
    for (int l = 1; l < LANES; l++) {
        *min = fmin(*min, low[l]);
        *max = fmax(*max, high[l]);
    }
    *sum = sum_of_lanes(total);
    return ok != 0;
}

/* Two passes over at most BLOCK values. The second is about a rounded mean c; with s1 = sum (x - c), which
 * would be 0 for the exact one, the sums are moved to c + s1 / n by the binomial theorem. */
static int block_moments(size_t n, const double *x, lem_moments *m) {
    double sum, s1[LANES] = {0}, s2[LANES] = {0}, s3[LANES] = {0}, s4[LANES] = {0};
    if (!block_extremes_and_sum(n, x, &m->min, &m->max, &sum))
        return GSL_EINVAL;
    double c = sum / (double)n;
    size_t whole = n - n % LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (int l = 0; l < LANES; l++) {
            double d = x[i + (size_t)l] - c, d2 = d * d;
            s1[l] += d;
            s2[l] += d2;
            s3[l] += d2 * d;
            s4[l] += d2 * d2;
        }
    for (size_t i = whole; i < n; i++) {
        size_t l = i - whole;
        double d = x[i] - c, d2 = d * d;
        s1[l] += d;
        s2[l] += d2;
        s3[l] += d2 * d;
        s4[l] += d2 * d2;
    }
    double shift = sum_of_lanes(s1) / (double)n, t2 = sum_of_lanes(s2), t3 = sum_of_lanes(s3);
    double shift2 = shift * shift;
    m->n = n;
    m->mean = c + shift;
    m->m2 = t2 - (double)n * shift2;
    m->m3 = t3 - 3 * shift * t2 + 2 * (double)n * shift2 * shift;
    m->m4 = sum_of_lanes(s4) - 4 * shift * t3 + 6 * shift2 * t2 - 3 * (double)n * shift2 * shift2;
    return GSL_SUCCESS;
}

/* Halves at a power of two of blocks, so that a value passes through log2(n / BLOCK) merges, not n / BLOCK.
 */
static int array_moments(size_t n, const double *x, lem_moments *m) {
    if (n <= BLOCK)
        return block_moments(n, x, m);
    size_t left = BLOCK;
    while (left < n - left)
        left *= 2;
    lem_moments right;
    int status = array_moments(left, x, m);
    if (!status)
        status = array_moments(n - left, x + left, &right);
    if (!status)
        lem_moments_merge(m, &right);
    return status;
}

static int refused_value(size_t n, const double *x) {
    size_t i = 0;
    while (i < n && fabs(x[i]) <= LEM_MOMENTS_MAX)
        i++;
    return LEM_ERROR(GSL_EINVAL, "x[%zu] = %g: must be finite and at most %g in size", i, x[i],
                     LEM_MOMENTS_MAX);
}

int lem_moments_add_array(lem_moments *m, size_t n, const double *x) {
    if (!m)
        return LEM_ERROR(GSL_EFAULT, "m is null: must point to moments");
    if (n == 0)
        return GSL_SUCCESS;
    if (!x)
        return LEM_ERROR(GSL_EFAULT, "x is null: must point to n = %zu values", n);
    lem_moments added;
    if (array_moments(n, x, &added))
        return refused_value(n, x);
    lem_moments_merge(m, &added);
    return GSL_SUCCESS;
}

#define LEM_NEED(m, least)                                                                                   \
    do {                                                                                                     \
        if (!(m))                                                                                            \
            return LEM_ERROR_NAN(GSL_EFAULT, "m is null: must point to moments");                            \
        if ((m)->n < (least))                                                                                \
            return LEM_ERROR_NAN(GSL_EDOM, "n = %llu values: must be >= %d", (unsigned long long)(m)->n,     \
                                 (least));                                                                   \
    } while (0)

double lem_moments_mean(const lem_moments *m) {
    LEM_NEED(m, 1);
    return m->mean;
}

double lem_moments_variance(const lem_moments *m) {
    LEM_NEED(m, 2);
    return m->m2 / ((double)m->n - 1);
}

double lem_moments_stderr(const lem_moments *m) {
    LEM_NEED(m, 2);
    return sqrt(m->m2 / ((double)m->n - 1) / (double)m->n);
}

double lem_moments_variance_stderr(const lem_moments *m) {
    LEM_NEED(m, 4);
    double n = (double)m->n;
    double variance = m->m2 / (n - 1);
    /* M4/n >= (M2/n)^2 >= (n-3)/(n-1) variance^2, so only rounding can make the difference negative. */
    double difference = m->m4 / n - (n - 3) / (n - 1) * variance * variance;
    return sqrt(fmax(difference, 0) / n);
}

static double second_moment(const lem_moments *m) {
    LEM_NEED(m, 1);
    if (!(m->m2 > 0))
        return LEM_ERROR_NAN(GSL_EDOM, "M2 = %g: the values must not be all equal", m->m2);
    return m->m2 / (double)m->n;
}

double lem_moments_skewness(const lem_moments *m) {
    double v = second_moment(m);
    return isnan(v) ? v : m->m3 / (double)m->n / (v * sqrt(v));
}

double lem_moments_kurtosis(const lem_moments *m) {
    double v = second_moment(m);
    return isnan(v) ? v : m->m4 / (double)m->n / (v * v);
}
