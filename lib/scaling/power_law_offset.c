#include "scaling/power_law_offset.h"

#include <gsl/gsl_roots.h>
#include <math.h>

enum { FEWEST_POINTS = 4, GRID = 80, ROOT_STEPS = 200 };

typedef struct {
    size_t m;
    const double *n, *L, *w;
    double centre, span; /* mean and range of log n */
} points;

/* The straight-line fit L = mean_L + slope (u - mean_u), u = (n/exp(centre))^-alpha; d = dL/dalpha at fixed E
 * and slope, which is -slope u l, l = log n - centre. */
typedef struct {
    double weight, mean_u, mean_L, mean_d, slope;
    double uu, ud, dd;        /* weighted sums of centred products */
    double chisq, derivative; /* of chisq with respect to alpha */
} line;

static double weight_of(const points *p, size_t i) {
    return p->w ? p->w[i] * p->w[i] : 1;
}

static line line_at(const points *p, double alpha) {
    line f = {.weight = 0};
    double uL = 0;
    for (size_t i = 0; i < p->m; i++) {
        const double w = weight_of(p, i), l = log(p->n[i]) - p->centre, u = exp(-alpha * l);
        f.weight += w;
        f.mean_u += w * u;
        f.mean_L += w * p->L[i];
        f.mean_d += w * u * l;
    }
    f.mean_u /= f.weight;
    f.mean_L /= f.weight;
    f.mean_d /= f.weight;
    for (size_t i = 0; i < p->m; i++) {
        const double w = weight_of(p, i), l = log(p->n[i]) - p->centre, u = exp(-alpha * l) - f.mean_u;
        const double d = (u + f.mean_u) * l - f.mean_d;
        f.uu += w * u * u;
        f.ud += w * u * d;
        f.dd += w * d * d;
        uL += w * u * (p->L[i] - f.mean_L);
    }
    f.slope = uL / f.uu;
    for (size_t i = 0; i < p->m; i++) {
        const double w = weight_of(p, i), l = log(p->n[i]) - p->centre, u = exp(-alpha * l);
        const double r = p->L[i] - f.mean_L - f.slope * (u - f.mean_u);
        f.chisq += w * r * r;
        f.derivative += 2 * f.slope * w * r * (u * l - f.mean_d);
    }
    f.mean_d *= -f.slope;
    f.ud *= -f.slope;
    f.dd *= f.slope * f.slope;
    return f;
}

/* --- the exponent -------------------------------------------------------------------------------- */

static double grid_point(const points *p, int k) {
    return 1e-3 / p->span * pow(50 / 1e-3, (double)k / (GRID - 1));
}

static int bracket(const points *p, double *lower, double *upper) {
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < GRID; k++) {
        const double chisq = line_at(p, grid_point(p, k)).chisq;
        if (chisq < least) {
            least = chisq;
            best = k;
        }
    }
    if (best == 0)
        return LEM_ERROR(GSL_EFAILED,
                         "no power law with an offset fits best: a straight line in log n does (the fit "
                         "tends to alpha = 0)");
    if (best == GRID - 1)
        return LEM_ERROR(GSL_EFAILED,
                         "no power law with an offset fits best: a constant does, apart from the point "
                         "of the smallest n (the fit tends to alpha = inf)");
    *lower = grid_point(p, best - 1);
    *upper = grid_point(p, best + 1);
    return GSL_SUCCESS;
}

static double derivative(double alpha, void *context) {
    return line_at(context, alpha).derivative;
}

static int refine(points *p, double lower, double upper, double *alpha) {
    const double left = derivative(lower, p), right = derivative(upper, p);
    if (!(left < 0 && right > 0))
        return LEM_ERROR(GSL_EFAILED, "the exponent is not determined: no minimum between %g and %g", lower,
                         upper);
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver)
        return LEM_ERROR(GSL_ENOMEM, "no memory for a root finder");
    gsl_function f = {derivative, p};
    int status = gsl_root_fsolver_set(solver, &f, lower, upper);
    for (int i = 0; i < ROOT_STEPS && !status; i++) {
        status = gsl_root_fsolver_iterate(solver);
        const double a = gsl_root_fsolver_x_lower(solver), b = gsl_root_fsolver_x_upper(solver);
        if (status || gsl_root_test_interval(a, b, 0, 4e-16) == GSL_SUCCESS)
            break;
    }
    *alpha = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return status ? LEM_ERROR(GSL_EFAILED, "the exponent was not found between %g and %g", lower, upper)
                  : GSL_SUCCESS;
}

/* --- the fit ------------------------------------------------------------------------------------- */

/* The covariance of (mean, slope, alpha) is simple, since u and d are centred; from there to (E, A, alpha).
 */
static void set_covariance(const points *p, const line *f, lem_power_law_offset *fit) {
    const double variance = fit->chisq / fit->df, det = f->uu * f->dd - f->ud * f->ud;
    const double vuu = f->dd / det, vud = -f->ud / det, vdd = f->uu / det;
    const double power = exp(fit->alpha * p->centre);
    /* dE = dmean - mean_u dslope - mean_d dalpha; dA = power dslope + A centre dalpha */
    const double e[2] = {-f->mean_u, -f->mean_d}, a[2] = {power, fit->A * p->centre}, x[2] = {0, 1};
    const double *const rows[3] = {e, a, x};
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            const double *r = rows[j], *s = rows[k];
            const double v = r[0] * (vuu * s[0] + vud * s[1]) + r[1] * (vud * s[0] + vdd * s[1]);
            fit->covariance[j][k] = variance * (v + (j == 0 && k == 0 ? 1 / f->weight : 0));
        }
}

static int check(size_t m, const double *n, const double *L, const double *w) {
    if (!n || !L)
        return LEM_ERROR(GSL_EFAULT, "n, L: a null pointer");
    if (m < FEWEST_POINTS)
        return LEM_ERROR(GSL_EINVAL, "m = %zu: three constants need at least %d points", m, FEWEST_POINTS);
    for (size_t i = 0; i < m; i++) {
        if (!(n[i] > 0) || !isfinite(n[i]))
            return LEM_ERROR(GSL_EDOM, "point %zu: n = %g: must be positive and finite", i + 1, n[i]);
        if (!isfinite(L[i]))
            return LEM_ERROR(GSL_EDOM, "point %zu: L = %g: must be finite", i + 1, L[i]);
        if (w && (!(w[i] > 0) || !isfinite(w[i])))
            return LEM_ERROR(GSL_EDOM, "point %zu: w = %g: must be positive and finite", i + 1, w[i]);
    }
    return GSL_SUCCESS;
}

/* Are there at least four? A walk along the values, upwards. */
static int check_distinct(size_t m, const double *n) {
    double last = 0;
    for (int distinct = 0; distinct < FEWEST_POINTS; distinct++) {
        double next = INFINITY;
        for (size_t i = 0; i < m; i++)
            if (n[i] > last && n[i] < next)
                next = n[i];
        if (isinf(next))
            return LEM_ERROR(GSL_EINVAL, "%d different n: three constants need at least %d", distinct,
                             FEWEST_POINTS);
        last = next;
    }
    return GSL_SUCCESS;
}

static void find_span(points *p) {
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (size_t i = 0; i < p->m; i++) {
        const double l = log(p->n[i]);
        sum += l;
        low = fmin(low, l);
        high = fmax(high, l);
    }
    p->centre = sum / (double)p->m;
    p->span = high - low;
}

int lem_power_law_offset_fit(size_t m, const double *n, const double *L, const double *w,
                             lem_power_law_offset *fit) {
    if (!fit)
        return LEM_ERROR(GSL_EFAULT, "fit: a null pointer");
    int status = check(m, n, L, w);
    if (!status)
        status = check_distinct(m, n);
    if (status)
        return status;
    points p = {.m = m, .n = n, .L = L, .w = w};
    double lower = 0, upper = 0;
    find_span(&p);
    lem_power_law_offset found = {.df = (double)m - 3};
    status = bracket(&p, &lower, &upper);
    if (!status)
        status = refine(&p, lower, upper, &found.alpha);
    if (status)
        return status;
    const line f = line_at(&p, found.alpha);
    found.chisq = f.chisq;
    found.E = f.mean_L - f.slope * f.mean_u;
    found.A = f.slope * exp(found.alpha * p.centre);
    set_covariance(&p, &f, &found);
    if (!isfinite(found.A) || !isfinite(found.covariance[1][1]))
        return LEM_ERROR(GSL_ERANGE, "A = %g: is beyond a double", found.A);
    *fit = found;
    return GSL_SUCCESS;
}
