#include "attention/score_nodes.h"
#include "attention/quadrature.h"
#include "linalg/check.h"
#include "stat/distribution.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double LARGEST_VALUE = 1e150; /* its square is finite */

static int check_nodes(const lem_score_law *law) {
    if (!law->values || !law->weight)
        return LEM_ERROR(GSL_EFAULT, "values or weight of the score law is a null pointer");
    if (law->count < 1)
        return LEM_ERROR(GSL_EINVAL, "count = 0: a score law has at least one value");
    double sum = 0;
    for (size_t i = 0; i < law->count; i++) {
        if (!(fabs(law->values[i]) <= LARGEST_VALUE) || (i > 0 && law->values[i] < law->values[i - 1]))
            return LEM_ERROR(GSL_EINVAL, "values[%zu] = %g: must be ascending, and at most %g in size", i,
                             law->values[i], LARGEST_VALUE);
        if (!(law->weight[i] > 0))
            return LEM_ERROR(GSL_EINVAL, "weight[%zu] = %g: must be positive", i, law->weight[i]);
        sum += law->weight[i];
    }
    if (!(fabs(sum - 1) < 1e-6))
        return LEM_ERROR(GSL_EINVAL, "weights sum to %.9g: must be 1 within 1e-6", sum);
    return GSL_SUCCESS;
}

int lem_check_score_law(const lem_score_law *law) {
    if (!law)
        return LEM_ERROR(GSL_EFAULT, "law is a null pointer");
    switch (law->kind) {
    case LEM_SCORES_GAUSSIAN:
    case LEM_SCORES_UNIFORM:
    case LEM_SCORES_LAPLACE:
        return GSL_SUCCESS;
    case LEM_SCORES_COSINE:
        if (!(law->shape >= 2 && law->shape <= 1e6) || law->shape != floor(law->shape))
            return LEM_ERROR(GSL_EDOM, "d = %g: must be a whole number, 2 <= d <= 1e6", law->shape);
        return GSL_SUCCESS;
    case LEM_SCORES_STUDENT:
        if (!(law->shape > 2 && law->shape <= 1e6))
            return LEM_ERROR(GSL_EDOM, "df = %g: must be above 2 (a variance) and <= 1e6", law->shape);
        return GSL_SUCCESS;
    case LEM_SCORES_NODES:
        return check_nodes(law);
    }
    return LEM_ERROR(GSL_EINVAL, "kind = %d: not a law of scores", (int)law->kind);
}

/* Panels march from `from` to `to` in a variable v; the law says how wide one may be, its density, and the
 * score. */
typedef struct {
    const lem_score_law *law;
    double from, to, alpha;
} march;

/* The largest panel allowed to begin at v >= 0. An ellipse of half axes that add up to 4 half widths w
 * reaches h = 15/8 w beside the real line: h <= 1.32/alpha stays inside the strip of f; there the Student
 * density grows by exp((df + 1) h^2/(2 (df - 2 + v^2))) <= e^0.9 and sin^(d-2) by exp(d h^2/(2 sin^2 v)) <=
 * e^2.6, measured where the panel begins, nearest to the poles and the zero. For d <= 20 the panel that
 * begins at zero holds the polynomial-like sin^(d-2) as it is. */
static double half_width(const march *m, double v) {
    const double strip = 0.7 / m->alpha, shape = m->law->shape;
    switch (m->law->kind) {
    case LEM_SCORES_COSINE: /* v is the angle */
        return fmin(fmin(strip, 0.1), fmax(1.2 * sin(v) / sqrt(shape), shape <= 20 ? 0.05 : 0));
    case LEM_SCORES_STUDENT:
        return fmin(strip, 0.7 * sqrt((shape - 2 + v * v) / (shape + 1)));
    default:
        return fmin(strip, 0.5);
    }
}

static double log_student_constant(double df) {
    return lgamma((df + 1) / 2) - lgamma(df / 2) - log(M_PI * (df - 2)) / 2;
}

double lem_score_log_density(const lem_score_law *law, double s) {
    switch (law->kind) {
    case LEM_SCORES_GAUSSIAN:
        return -s * s / 2 - (M_LN2 + M_LNPI) / 2;
    case LEM_SCORES_COSINE:
        return (law->shape - 3) / 2 * log1p(-s * s) + lgamma(law->shape / 2) - lgamma((law->shape - 1) / 2) -
               M_LNPI / 2;
    case LEM_SCORES_UNIFORM:
        return -log(2 * M_SQRT3);
    case LEM_SCORES_LAPLACE:
        return -M_SQRT2 * fabs(s) - M_LN2 / 2;
    case LEM_SCORES_STUDENT:
        return log_student_constant(law->shape) - (law->shape + 1) / 2 * log1p(s * s / (law->shape - 2));
    case LEM_SCORES_NODES:
        break;
    }
    return NAN;
}

double lem_score_log_cdf(const lem_score_law *law, double s) {
    const double a = (law->shape - 1) / 2, df = law->shape;
    switch (law->kind) {
    case LEM_SCORES_GAUSSIAN:
        return lem_normal_cdf(s, LEM_LOWER_LOG);
    case LEM_SCORES_COSINE: /* (1 + s)/2 has the law Beta(a, a) */
        return s > 0 ? lem_beta_cdf((1 - s) / 2, a, a, LEM_UPPER_LOG)
                     : lem_beta_cdf((1 + s) / 2, a, a, LEM_LOWER_LOG);
    case LEM_SCORES_UNIFORM:
        return log((s + M_SQRT3) / (2 * M_SQRT3));
    case LEM_SCORES_LAPLACE:
        return s < 0 ? M_SQRT2 * s - M_LN2 : log1p(-exp(-M_SQRT2 * s) / 2);
    case LEM_SCORES_STUDENT:
        return lem_t_cdf(s * sqrt(df / (df - 2)), df, LEM_LOWER_LOG);
    case LEM_SCORES_NODES:
        break;
    }
    return NAN;
}

/* Where to begin and to end, v >= 0. */
static int march_range(march *m, double n) {
    const double d = m->law->shape;
    m->from = 0;
    switch (m->law->kind) {
    case LEM_SCORES_COSINE: /* below, sin^(d-2) < e^-50 / n */
        m->from = d <= 20 ? 0 : asin(exp(-(log(n) + 50) / (d - 2)));
        m->to = M_PI_2;
        return GSL_SUCCESS;
    case LEM_SCORES_LAPLACE:
        m->to = (2 * log(n) + 46) / M_SQRT2; /* beyond, n times the mass is 1e-20 of 1/n <= E sum p^2 */
        return GSL_SUCCESS;
    case LEM_SCORES_STUDENT:
        m->to = lem_t_quantile(log(1e-9) - log(n), d, LEM_UPPER_LOG) * sqrt((d - 2) / d);
        return isnan(m->to) ? GSL_EFAILED : GSL_SUCCESS;
    default:
        m->to = M_SQRT3;
        return GSL_SUCCESS;
    }
}

enum { LARGEST_PANELS = 1 << 19 };

/* The ends of the panels; their number, or 0 when there are too many. */
static size_t march_panels(const march *m, double *ends, size_t space) {
    size_t count = 0;
    for (double v = m->from; v < m->to; count++) {
        if (count + 1 >= space)
            return 0;
        ends[count] = v;
        const double next = v + 2 * half_width(m, v);
        v = next > m->to - 1e-3 * (next - v) ? m->to : next;
    }
    ends[count] = m->to;
    return count;
}

/* Weight of the score at v over dv, before any normalisation. */
static double density_at(const march *m, double v) {
    if (m->law->kind == LEM_SCORES_COSINE)
        return exp((m->law->shape - 2) * log(sin(v)));
    return exp(lem_score_log_density(m->law, v));
}

/* Nodes v ascending, of the half v >= 0, into both halves of the arrays, scores ascending. */
static void mirror(const march *m, size_t half, const double *v, const double *dv, double *s, double *w) {
    const bool angle = m->law->kind == LEM_SCORES_COSINE;
    for (size_t i = 0; i < half; i++) {
        const size_t right = angle ? 2 * half - 1 - i : half + i, left = 2 * half - 1 - right;
        s[right] = angle ? cos(v[i]) : v[i];
        s[left] = -s[right];
        w[right] = w[left] = dv[i] * density_at(m, v[i]);
    }
}

/* The cosine's weights are divided by their sum: lgamma would lose digits of the constant at large d. */
static void normalise(double *w, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count / 2; i++)
        sum += w[i];
    for (size_t i = 0; i < count; i++)
        w[i] /= 2 * sum;
}

/* Nodes of zero weight stand at the ends, and are left out. */
static void trim(lem_score_nodes *nodes) {
    while (nodes->count > 2 && nodes->weight[0] == 0)
        nodes->values++, nodes->weight++, nodes->count -= 2;
}

/* lem_panel_nodes gives pairs about the middle, from the inside out. */
static void ascending_panel(double a, double b, double *v, double *dv) {
    double x[LEM_PANEL_NODES], w[LEM_PANEL_NODES];
    lem_panel_nodes(a, b, 1, x, w);
    for (size_t i = 0; i < LEM_PANEL_NODES / 2; i++) {
        const size_t below = LEM_PANEL_NODES / 2 - 1 - i, above = LEM_PANEL_NODES / 2 + i;
        v[below] = x[2 * i], v[above] = x[2 * i + 1];
        dv[below] = w[2 * i], dv[above] = w[2 * i + 1];
    }
}

static int fill(lem_score_nodes *nodes, const march *m, double *ends) {
    const size_t panels = march_panels(m, ends, LARGEST_PANELS), half = panels * LEM_PANEL_NODES;
    if (panels == 0)
        return LEM_ERROR(GSL_EDOM, "alpha = %g: the law of the scores reaches too far for it", m->alpha);
    nodes->count = 2 * half;
    nodes->memory = lem_allocate(6 * half, sizeof *nodes->memory);
    if (!nodes->memory)
        return GSL_ENOMEM;
    double *s = nodes->memory, *w = s + 2 * half, *v = w + 2 * half, *dv = v + half;
    for (size_t p = 0; p < panels; p++)
        ascending_panel(ends[p], ends[p + 1], v + p * LEM_PANEL_NODES, dv + p * LEM_PANEL_NODES);
    mirror(m, half, v, dv, s, w);
    if (m->law->kind == LEM_SCORES_COSINE)
        normalise(w, nodes->count);
    nodes->values = s, nodes->weight = w;
    trim(nodes);
    return GSL_SUCCESS;
}

int lem_score_nodes_init(lem_score_nodes *nodes, const lem_score_law *law, double n, double alpha) {
    *nodes = (lem_score_nodes){0};
    if (law->kind == LEM_SCORES_NODES) {
        nodes->count = law->count, nodes->values = law->values, nodes->weight = law->weight;
        return GSL_SUCCESS;
    }
    march m = {.law = law, .alpha = alpha};
    int status = march_range(&m, n);
    if (status)
        return status;
    double *ends = lem_allocate(LARGEST_PANELS, sizeof *ends);
    if (!ends)
        return GSL_ENOMEM;
    status = fill(nodes, &m, ends);
    free(ends);
    return status;
}

void lem_score_nodes_free(lem_score_nodes *nodes) {
    free(nodes->memory);
    *nodes = (lem_score_nodes){0};
}
