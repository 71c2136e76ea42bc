#include "attention/minimax.h"
#include "attention/taylor_error.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

double lem_chebyshev_exp_coefficient(int k, double R) {
    if (lem_check_degree(k, 0))
        return NAN;
    if (!(R > 0 && R <= 700))
        return LEM_ERROR_NAN(GSL_EDOM, "R = %g: must be positive and at most 700", R);
    const double half = R / 2, quarter = half * half;
    double factor = 2; /* 2 (R/2)^k/k!: at most 2 e^(R/2) on the way */
    for (int j = 1; j <= k && factor > 0; j++)
        factor *= half / j;
    double term = 1, sum = 0;
    for (double j = 1; term > 1e-17 * sum; j++) {
        sum += term;
        term *= quarter / (j * (k + j));
    }
    return factor * sum;
}

/* --- Remez. Everything in t = x + R, 0 <= t <= 2 R, and for e^t: the factor e^-R comes last.
 * ------------------- */

enum { MOST_DEGREE = 60, POINTS = MOST_DEGREE + 2, GRID = 24, ROUNDS = 100 };
static const double MACHINE = 2.220446049250313e-16;

typedef struct {
    int n; /* degree; n + 2 reference points */
    double width, t[POINTS], b[POINTS];
    double level; /* p(t_i) = e^t_i (1 - (-1)^i level) */
} exchange;

/* The divided difference over all n + 2 points of p, of degree n, is zero. With w_i = 1/prod_{j != i} (t_i -
 * t_j) the two sums are of e^t_i w_i, which cancels down to the level, and of its sizes, which does not
 * cancel. */
static double levelled_error(const exchange *e) {
    double signed_sum = 0, size_sum = 0;
    for (int i = 0; i < e->n + 2; i++) {
        double w = exp(e->t[i]);
        for (int j = 0; j < e->n + 2; j++)
            if (j != i)
                w *= e->width / 2 / fabs(e->t[i] - e->t[j]);
        signed_sum += i % 2 ? -w : w;
        size_sum += w;
    }
    return signed_sum / size_sum;
}

/* The coefficients of p in powers of t, from its values at the first n + 1 points: divided differences, then
 * Newton's form multiplied out (Bjorck and Pereyra; points in increasing order >= 0 give small residuals). */
static void interpolate(exchange *e) {
    const int n = e->n;
    for (int i = 0; i <= n; i++)
        e->b[i] = exp(e->t[i]) * (1 - (i % 2 ? -e->level : e->level));
    for (int k = 0; k < n; k++)
        for (int i = n; i > k; i--)
            e->b[i] = (e->b[i] - e->b[i - 1]) / (e->t[i] - e->t[i - k - 1]);
    for (int k = n - 1; k >= 0; k--)
        for (int i = k; i < n; i++)
            e->b[i] -= e->t[k] * e->b[i + 1];
}

/* 1 - p(t) e^-t; *noise: an estimate of its rounding error, from the sizes of the terms
 * (some ten times what is seen). */
static double error_at(const exchange *e, double t, double *noise) {
    double p = 0, size = 0;
    for (int k = e->n; k >= 0; k--) {
        p = p * t + e->b[k];
        size = size * t + fabs(e->b[k]);
    }
    const double fall = exp(-t);
    *noise = fmax(*noise, 4 * MACHINE * (1 + size * fall));
    return 1 - p * fall;
}

/* (p - p')(t), of the sign of the error's derivative. */
static double slope_at(const exchange *e, double t) {
    double s = e->b[e->n];
    for (int k = e->n - 1; k >= 0; k--)
        s = s * t + (e->b[k] - (k + 1) * e->b[k + 1]);
    return s;
}

/* The extremum of the error in a bracket of its slope's zero. */
static double bisect_slope(const exchange *e, double low, double high) {
    const bool rising = slope_at(e, low) > 0;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *((slope_at(e, middle) > 0) == rising ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

typedef struct {
    int count;
    double noise, t[GRID * POINTS], value[GRID * POINTS];
} extrema;

/* Neighbours of equal sign are one: the larger stays. */
static void add_extremum(extrema *x, double t, double value) {
    if (x->count > 0 && (x->value[x->count - 1] > 0) == (value > 0)) {
        if (fabs(value) <= fabs(x->value[x->count - 1]))
            return;
        x->count--;
    }
    x->t[x->count] = t;
    x->value[x->count++] = value;
}

/* All alternating extrema of the error, on a grid that is dense at the ends, where they are. */
static void find_extrema(const exchange *e, extrema *x) {
    const int cells = GRID * (e->n + 2) - 2;
    x->count = 0, x->noise = 0;
    add_extremum(x, 0, error_at(e, 0, &x->noise));
    double last = 0, slope = slope_at(e, 0);
    for (int i = 1; i <= cells; i++) {
        const double s = sin(M_PI_2 * i / cells), t = i == cells ? e->width : e->width * s * s;
        const double here = slope_at(e, t);
        if ((here > 0) != (slope > 0)) {
            const double at = bisect_slope(e, last, t);
            add_extremum(x, at, error_at(e, at, &x->noise));
        }
        last = t, slope = here;
    }
    add_extremum(x, e->width, error_at(e, e->width, &x->noise));
}

/* n + 2 neighbours out of the alternating extrema: those with the largest smaller end are kept. */
static double take_references(exchange *e, const extrema *x) {
    int first = 0, left = x->count - (e->n + 2);
    for (int last = x->count - 1; left > 0; left--)
        if (fabs(x->value[first]) < fabs(x->value[last]))
            first++;
        else
            last--;
    double largest = 0;
    for (int i = 0; i < x->count; i++)
        largest = fmax(largest, fabs(x->value[i]));
    for (int i = 0; i < e->n + 2; i++)
        e->t[i] = x->t[first + i];
    return largest;
}

static int lost(const exchange *e) {
    return LEM_ERROR(GSL_EDOM, "n = %d, R = %g: the error is lost in the rounding of double", e->n,
                     e->width / 2);
}

static int remez(exchange *e) {
    extrema x;
    for (int i = 0; i < e->n + 2; i++) { /* extrema of a Chebyshev polynomial */
        const double s = sin(M_PI_2 * i / (e->n + 1));
        e->t[i] = e->width * s * s;
    }
    for (int round = 0; round < ROUNDS; round++) {
        e->level = levelled_error(e);
        interpolate(e);
        find_extrema(e, &x);
        if (x.count < e->n + 2)
            return lost(e);
        const double largest = take_references(e, &x), level = fabs(e->level);
        if (largest - level <= fmax(1e-11 * largest, x.noise)) {
            e->level = level;
            return x.noise > 1e-6 * level ? lost(e) : GSL_SUCCESS;
        }
    }
    return LEM_ERROR(GSL_EFAILED, "n = %d, R = %g: the exchange has not settled", e->n, e->width / 2);
}

/* sum_k b_k (x + R)^k e^-R in powers of x, by repeated Horner steps: sums of positive terms. */
static void expand(const exchange *e, double R, double *coef) {
    for (int k = 0; k <= e->n; k++)
        coef[k] = e->b[k] * exp(-R);
    for (int k = 0; k < e->n; k++)
        for (int i = e->n - 1; i >= k; i--)
            coef[i] += R * coef[i + 1];
}

int lem_exp_minimax_relative(int n, double R, double *coef, double *error) {
    if (n < 0 || n > MOST_DEGREE)
        return LEM_ERROR(GSL_EDOM, "n = %d: must be between 0 and %d", n, MOST_DEGREE);
    if (!(R > 0 && R <= 15))
        return LEM_ERROR(GSL_EDOM, "R = %g: must be positive and at most 15", R);
    exchange e = {.n = n, .width = 2 * R};
    int status = remez(&e);
    if (status)
        return status;
    if (coef)
        expand(&e, R, coef);
    if (error)
        *error = e.level;
    return GSL_SUCCESS;
}

double lem_exp_minimax_relative_error(int n, double R) {
    double error;
    return lem_exp_minimax_relative(n, R, NULL, &error) ? NAN : error;
}
