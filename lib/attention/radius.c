#include "attention/radius.h"
#include "attention/quadrature.h"
#include "attention/rf_series.h"
#include "stat/distribution.h"

#include <math.h>
#include <stdlib.h>

static int check_d(double d) {
    if (!(d >= 1) || d > 0x1p20 || d != floor(d))
        return LEM_ERROR(GSL_EDOM, "d = %g: must be a whole number from 1 to 2^20", d);
    return GSL_SUCCESS;
}

static int check(double d, double t, double most) {
    if (check_d(d))
        return GSL_EDOM;
    if (!(t >= 0) || t > most)
        return LEM_ERROR(GSL_EDOM, "t = %g: must be between 0 and %g", t, most);
    return GSL_SUCCESS;
}

static int check_count(double m, const char *name, double most) {
    if (!(m >= 1) || m > most || m != floor(m))
        return LEM_ERROR(GSL_EDOM, "%s = %g: must be a whole number from 1 to %g", name, m, most);
    return GSL_SUCCESS;
}

double lem_radial_variance_share(double d, double t) {
    if (check(d, t, LEM_RF_MOST))
        return (double)NAN;
    return t > 0 ? lem_sphere_moment_m1(d, t * t) / expm1(t) : 0;
}

double lem_spherical_feature_relative_bias(double d, double t) {
    if (check(d, t, LEM_RF_MOST))
        return (double)NAN;
    return lem_frozen_radius_gap(d, t) * exp(-t / 2);
}

/* r^2 at the level low/of of the chi-square law, from the nearer tail: `high` = of - low, kept apart because
 * the difference of two doubles near 1 has no digits. */
static double square_at(double d, double low, double high, double of) {
    return low <= high ? lem_chisq_quantile(low / of, d, LEM_LOWER)
                       : lem_chisq_quantile(high / of, d, LEM_UPPER);
}

static double stratum_square(double d, double P, double i, lem_radius_mode mode, double jitter) {
    switch (mode) {
    case LEM_RADIUS_ARTICLE:
        return square_at(d, i, P + 1 - i, P + 1);
    case LEM_RADIUS_MIDPOINT:
        return square_at(d, i - 0.5, P - i + 0.5, P);
    default:
        return square_at(d, i - 1 + jitter, P - i + (1 - jitter), P);
    }
}

int lem_stratified_radius(double d, size_t P, lem_radius_mode mode, lem_stream *stream, double *out) {
    int status;
    if ((status = check_d(d)) || (status = check_count((double)P, "P", 0x1p24)))
        return status;
    if (mode != LEM_RADIUS_ARTICLE && mode != LEM_RADIUS_MIDPOINT && mode != LEM_RADIUS_JITTER)
        return LEM_ERROR(GSL_EINVAL, "mode = %d: no such radii", (int)mode);
    if (!out)
        return LEM_ERROR(GSL_EFAULT, "out is a null pointer");
    if (mode == LEM_RADIUS_JITTER && (status = lem_uniform_fill(stream, P, out)))
        return status;
    for (size_t i = 0; i < P; i++) {
        /* a uniform that is exactly 0 would ask for the quantile of 0 in the first stratum */
        const double jitter = mode == LEM_RADIUS_JITTER ? out[i] + 0x1p-54 : 0;
        const double square = stratum_square(d, (double)P, (double)i + 1, mode, jitter);
        if (isnan(square))
            return GSL_EFAILED;
        out[i] = sqrt(square);
    }
    return GSL_SUCCESS;
}

double lem_stratified_radius_relative_bias(double d, double t, double m) {
    if (check(d, t, LEM_RF_MOST) || check_count(m, "m", 0x1p24))
        return (double)NAN;
    /* Of exp(-t/2) (1 + mean) - 1 only the mean is rounded more than once. */
    double sum = 0, lost = 0;
    for (double i = 1; i <= m; i++) {
        const double square = stratum_square(d, m, i, LEM_RADIUS_ARTICLE, 0);
        if (isnan(square))
            return square;
        if (!(sqrt(square * t) <= LEM_RF_MOST))
            return LEM_ERROR_NAN(GSL_EOVRFLW, "d = %g, t = %g, m = %g: exceeds the range of double", d, t, m);
        const double term = lem_sphere_moment_m1(d, square * t) - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return exp(-t / 2) * (sum / m) + expm1(-t / 2);
}

/* --- jitter ------------------------------------------------------------------------------------------------
 */

/* Nodes of one stratum, in r^2, with weights that contain the density and sum to 1. */
typedef struct {
    size_t count;
    double square[LEM_PANEL_NODES * 64], weight[LEM_PANEL_NODES * 64];
} stratum;

/* log of the density of chi_d, without its constant, beside its value at the mode. */
static double log_density(double d, double r) {
    const double mode = sqrt(d > 1 ? d - 1 : 1);
    return (d - 1) * log(r / mode) - (r - mode) * (r + mode) / 2;
}

/* The law is cut off where neither it nor its product with exp(r sqrt(t)) leaves 1e-24: 11 standard
 * deviations beyond the mode of the product. */
static void fill(stratum *s, double d, double from, double to) {
    size_t panels = (size_t)ceil((to - from) / 0.5);
    panels = panels < 1 ? 1 : panels > 64 ? 64 : panels;
    s->count = panels * LEM_PANEL_NODES;
    lem_panel_nodes(from, to, panels, s->square, s->weight);
    double total = 0;
    for (size_t j = 0; j < s->count; j++) {
        const double r = s->square[j];
        s->weight[j] *= exp(log_density(d, r));
        s->square[j] = r * r;
        total += s->weight[j];
    }
    for (size_t j = 0; j < s->count; j++)
        s->weight[j] /= total;
}

static double mean_square(const stratum *s, double d, double t) {
    double mean = 0;
    for (size_t j = 0; j < s->count; j++)
        mean += s->weight[j] * (1 + lem_sphere_moment_m1(d, s->square[j] * t));
    return mean * mean;
}

static double mean_pair(const stratum *s, double d, double t) {
    double mean = 0;
    for (size_t j = 0; j < s->count; j++) {
        double inner = 0;
        for (size_t l = 0; l < j; l++)
            inner += 2 * s->weight[l] * (1 + lem_sphere_moment_m1(d, (s->square[j] + s->square[l]) * t));
        inner += s->weight[j] * (1 + lem_sphere_moment_m1(d, 2 * s->square[j] * t));
        mean += s->weight[j] * inner;
    }
    return mean;
}

static double sum_over_strata(double d, double t, double P, bool orthogonal, stratum *s) {
    const double mode = sqrt(d > 1 ? d - 1 : 0), middle = (sqrt(t) + sqrt(t + 4 * (d - 1))) / 2;
    const double start = fmax(0, mode - 11), end = middle + 11;
    double from = start, sum = 0;
    for (double i = 1; i <= P; i++) {
        const double to = i < P ? sqrt(square_at(d, i, P - i, P)) : end;
        if (isnan(to))
            return to;
        fill(s, d, from, to);
        sum += orthogonal ? mean_pair(s, d, t) : mean_square(s, d, t);
        from = to;
    }
    return sum;
}

double lem_radius_jitter_variance(lem_rf_kind kind, double d, double t, double P, bool orthogonal) {
    if (check(d, t, 200) || check_count(P, "P", 4096))
        return (double)NAN;
    if (kind != LEM_RF_POSITIVE && kind != LEM_RF_HYPERBOLIC)
        return LEM_ERROR_NAN(GSL_EINVAL, "kind = %d: must be positive or hyperbolic", (int)kind);
    if (orthogonal && (d < 2 || P > d))
        return LEM_ERROR_NAN(GSL_EDOM, "P = %g: must be at most d = %g >= 2 for orthogonal directions", P, d);
    stratum *s = malloc(sizeof *s);
    if (!s)
        return LEM_ERROR_NAN(GSL_ENOMEM, "no memory for the nodes of a stratum");
    const double strata = sum_over_strata(d, t, P, orthogonal, s) / (P * P);
    free(s);
    const double moment = kind == LEM_RF_POSITIVE ? exp(t) : cosh(t);
    if (!orthogonal)
        return moment / P - exp(-t) * strata;
    return moment / P - 1 + exp(-t) * (lem_pair_series(d, t) - strata);
}
