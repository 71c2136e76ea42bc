/* Internal: the loops on vectors of LANES doubles (2, 4 or 8). Included once by each kernel file, which
 * defines LANES, EXP, SQRT (of a vector) and MAX (of two: the second where they compare false), and is
 * compiled for its instruction set. */
#include "attention/softmax_kernel.h"

#include <math.h>
#include <string.h>

typedef double vec __attribute__((vector_size(LANES * sizeof(double))));

enum { PARTS = 8 / LANES };

/* Eight items, whatever the width of a vector. */
typedef struct {
    vec v[PARTS];
} octet;

static inline __attribute__((always_inline)) octet load(const double *x) {
    octet o;
    memcpy(&o, x, sizeof o);
    return o;
}

static inline __attribute__((always_inline)) void store(double *x, octet o) {
    memcpy(x, &o, sizeof o);
}

/* The last n < 8 items, and `filler` behind them. */
static octet load_tail(const double *x, size_t n, double filler) {
    double items[8];
    for (size_t j = 0; j < 8; j++)
        items[j] = j < n ? x[j] : filler;
    return load(items);
}

static inline octet all(double value) {
    octet o;
    for (size_t p = 0; p < PARTS; p++)
        for (size_t j = 0; j < LANES; j++)
            o.v[p][j] = value;
    return o;
}

static double tree_sum(octet o) {
    double x[8];
    store(x, o);
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

static inline __attribute__((always_inline)) octet larger(octet most, octet x) {
    for (size_t p = 0; p < PARTS; p++)
        most.v[p] = MAX(x.v[p], most.v[p]);
    return most;
}

static inline __attribute__((always_inline)) octet plus(octet a, octet b) {
    for (size_t p = 0; p < PARTS; p++)
        a.v[p] += b.v[p];
    return a;
}

static inline __attribute__((always_inline)) octet exp_of(octet x, octet shift) {
    for (size_t p = 0; p < PARTS; p++)
        x.v[p] = EXP(x.v[p] - shift.v[p]);
    return x;
}

static double max(const double *x, size_t n) {
    octet a = all(-INFINITY), b = a, c = a, d = a; /* four chains hide the latency of a comparison */
    size_t j = 0;
    for (; j + 32 <= n; j += 32) {
        a = larger(a, load(x + j));
        b = larger(b, load(x + j + 8));
        c = larger(c, load(x + j + 16));
        d = larger(d, load(x + j + 24));
    }
    for (; j + 8 <= n; j += 8)
        a = larger(a, load(x + j));
    if (j < n)
        a = larger(a, load_tail(x + j, n - j, -INFINITY));
    double items[8], most = -INFINITY;
    store(items, larger(larger(a, b), larger(c, d)));
    for (size_t i = 0; i < 8; i++)
        most = items[i] > most ? items[i] : most;
    return most;
}

static double exp_sum(double *x, size_t n, double shift) {
    const octet by = all(shift);
    octet sum = all(0);
    size_t j = 0;
    for (; j + 8 <= n; j += 8) {
        octet e = exp_of(load(x + j), by);
        store(x + j, e);
        sum = plus(sum, e);
    }
    if (j < n) {
        octet e = exp_of(load_tail(x + j, n - j, -INFINITY), by);
        double items[8];
        store(items, e);
        memcpy(x + j, items, (n - j) * sizeof *x);
        sum = plus(sum, e);
    }
    return tree_sum(sum);
}

static double sum(const double *x, size_t n) {
    octet total = all(0);
    size_t j = 0;
    for (; j + 8 <= n; j += 8)
        total = plus(total, load(x + j));
    if (j < n)
        total = plus(total, load_tail(x + j, n - j, 0));
    return tree_sum(total);
}

static inline octet times(octet a, octet b) {
    for (size_t p = 0; p < PARTS; p++)
        a.v[p] *= b.v[p];
    return a;
}

static double dot(const double *x, const double *y, size_t n) {
    octet a = all(0), b = a;
    size_t j = 0;
    for (; j + 16 <= n; j += 16) {
        a = plus(a, times(load(x + j), load(y + j)));
        b = plus(b, times(load(x + j + 8), load(y + j + 8)));
    }
    if (j + 8 <= n) {
        a = plus(a, times(load(x + j), load(y + j)));
        j += 8;
    }
    if (j < n)
        b = plus(b, times(load_tail(x + j, n - j, 0), load_tail(y + j, n - j, 0)));
    return tree_sum(plus(a, b));
}

static void add(double *total, const double *x, size_t n) {
    size_t j = 0;
    for (; j + 8 <= n; j += 8)
        store(total + j, plus(load(total + j), load(x + j)));
    for (; j < n; j++)
        total[j] += x[j];
}

typedef long long mask __attribute__((vector_size(LANES * sizeof(long long))));

static void spread(const double *x, size_t n, double alpha, double max, double *sums) {
    const octet most = all(max), scale = all(-alpha);
    octet total[4] = {all(0), all(0), all(0), all(0)};
    for (size_t j = 0; j < n; j += 8) {
        const octet o = j + 8 <= n ? load(x + j) : load_tail(x + j, n - j, max);
        for (size_t p = 0; p < PARTS; p++) {
            const vec v = most.v[p] - o.v[p];
            const vec e = (vec)((mask)EXP(v * scale.v[p]) & (mask)(v != all(0).v[0]));
            const vec ev = e * v;
            total[0].v[p] += e;
            total[1].v[p] += e * e;
            total[2].v[p] += ev;
            total[3].v[p] += ev * v;
        }
    }
    for (size_t k = 0; k < 4; k++)
        sums[k] = tree_sum(total[k]);
}

static void radial(double *x, const double *r2, size_t n, double c) {
    const octet one = all(1), factor = all(c);
    for (size_t j = 0; j < n; j += 8) {
        const size_t left = n - j < 8 ? n - j : 8;
        octet o = left == 8 ? load(x + j) : load_tail(x + j, left, 0);
        const octet r = left == 8 ? load(r2 + j) : load_tail(r2 + j, left, 1);
        for (size_t p = 0; p < PARTS; p++)
            o.v[p] *= SQRT((one.v[p] - EXP(r.v[p] * factor.v[p])) / r.v[p]);
        double items[8];
        store(items, o);
        memcpy(x + j, items, left * sizeof *x);
    }
}
