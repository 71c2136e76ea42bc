#include "walk/sde.h"
#include "linalg/check.h"

#include <math.h>
#include <string.h>

static int check_sde(const lem_sde *sde, lem_sde_scheme scheme) {
    if (!sde)
        return LEM_ERROR(GSL_EFAULT, "sde = null: must be an equation");
    if (scheme != LEM_EULER_MARUYAMA && scheme != LEM_MILSTEIN)
        return LEM_ERROR(GSL_EINVAL, "scheme = %d: must be LEM_EULER_MARUYAMA or LEM_MILSTEIN", (int)scheme);
    if (!sde->diffusion.function && (!(sde->alpha >= 0) || isinf(sde->alpha)))
        return LEM_ERROR(GSL_EDOM, "alpha = %g: must be >= 0 and finite", sde->alpha);
    if (scheme == LEM_MILSTEIN && sde->diffusion.function && !sde->diffusion_x.function)
        return LEM_ERROR(GSL_EFAULT,
                         "diffusion_x = null: Milstein's scheme needs the derivative of the diffusion");
    return GSL_SUCCESS;
}

static int check_start(size_t n, const double *x) {
    if (n < 1 || !x)
        return LEM_ERROR(GSL_EFAULT, "n = %zu, x = %s: must be the starts of at least one path", n,
                         x ? "given" : "null");
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return LEM_ERROR(GSL_EDOM, "x[%zu] = %g: a path must start at a finite place", i, x[i]);
    return GSL_SUCCESS;
}

static int check_times(lem_sde_times times) {
    if (!isfinite(times.t0) || !isfinite(times.T) || !(times.t0 < times.T))
        return LEM_ERROR(GSL_EDOM, "t0 = %g, T = %g: must be finite and t0 < T", times.t0, times.T);
    if (times.steps < 1)
        return LEM_ERROR(GSL_EDOM, "steps = %zu: must be >= 1", times.steps);
    return GSL_SUCCESS;
}

/* --- one step of one block; dW = scale z --- */

typedef struct {
    double drift[LEM_SDE_BLOCK], diffusion[LEM_SDE_BLOCK], slope[LEM_SDE_BLOCK];
} work;

static void add_drift(size_t n, const double *restrict drift, double h, double *restrict x) {
    for (size_t i = 0; i < n; i++)
        x[i] += drift[i] * h;
}

static void add_noise(size_t n, const double *restrict z, double scale, double *restrict x) {
    for (size_t i = 0; i < n; i++)
        x[i] += scale * z[i];
}

static void add_both(size_t n, const double *restrict drift, double h, const double *restrict z, double scale,
                     double *restrict x) {
    for (size_t i = 0; i < n; i++)
        x[i] += drift[i] * h + scale * z[i];
}

static void add_scaled_noise(size_t n, const double *restrict diffusion, const double *restrict z,
                             double scale, double *restrict x) {
    for (size_t i = 0; i < n; i++)
        x[i] += diffusion[i] * (scale * z[i]);
}

/* (1/2) b b_x (dW^2 - h) */
static void add_correction(size_t n, const double *restrict diffusion, const double *restrict slope, double h,
                           const double *restrict z, double scale, double *restrict x) {
    for (size_t i = 0; i < n; i++) {
        const double dw = scale * z[i];
        x[i] += diffusion[i] * slope[i] * (dw * dw - h) / 2;
    }
}

static int constant_diffusion_step(const lem_sde *sde, double t, double h, size_t n, const double *z,
                                   double scale, double *x, work *w) {
    const double root = sqrt(sde->alpha) * scale;
    if (!sde->drift.function) {
        add_noise(n, z, root, x);
        return GSL_SUCCESS;
    }
    const int status = lem_block_field_at(&sde->drift, "drift", n, x, t, w->drift);
    if (!status)
        add_both(n, w->drift, h, z, root, x);
    return status;
}

/* All fields are read at the old place before it moves. */
static int general_step(const lem_sde *sde, lem_sde_scheme scheme, double t, double h, size_t n,
                        const double *z, double scale, double *x, work *w) {
    int status = lem_block_field_at(&sde->diffusion, "diffusion", n, x, t, w->diffusion);
    if (!status && scheme == LEM_MILSTEIN)
        status = lem_block_field_at(&sde->diffusion_x, "diffusion_x", n, x, t, w->slope);
    if (!status && sde->drift.function)
        status = lem_block_field_at(&sde->drift, "drift", n, x, t, w->drift);
    if (status)
        return status;
    if (sde->drift.function)
        add_drift(n, w->drift, h, x);
    add_scaled_noise(n, w->diffusion, z, scale, x);
    if (scheme == LEM_MILSTEIN)
        add_correction(n, w->diffusion, w->slope, h, z, scale, x);
    return GSL_SUCCESS;
}

static int check_range(double t, size_t n, const double *x) {
    if (lem_all_finite(x, n))
        return GSL_SUCCESS;
    return LEM_ERROR(GSL_EOVRFLW,
                     "a path leaves the range of double in the step from t = %.17g: take more steps", t);
}

static int step(const lem_sde *sde, lem_sde_scheme scheme, double t, double h, size_t n, const double *z,
                double scale, double *x, work *w) {
    const int status = sde->diffusion.function ? general_step(sde, scheme, t, h, n, z, scale, x, w)
                                               : constant_diffusion_step(sde, t, h, n, z, scale, x, w);
    return status ? status : check_range(t, n, x);
}

int lem_sde_step(const lem_sde *sde, lem_sde_scheme scheme, double t, double h, size_t n, const double *dw,
                 double *x) {
    int status = check_sde(sde, scheme);
    if (!status)
        status = check_start(n, x);
    if (status)
        return status;
    if (n > LEM_SDE_BLOCK || !dw)
        return LEM_ERROR(n > LEM_SDE_BLOCK ? GSL_EBADLEN : GSL_EFAULT,
                         "n = %zu, dw = %s: must be increments for at most %d paths", n,
                         dw ? "given" : "null", LEM_SDE_BLOCK);
    if (!isfinite(t) || !(h > 0) || isinf(h))
        return LEM_ERROR(GSL_EDOM, "t = %g, h = %g: must be finite and h > 0", t, h);
    work w;
    return step(sde, scheme, t, h, n, dw, 1, x, &w);
}

/* --- whole paths --- */

typedef struct {
    const lem_sde *sde;
    lem_sde_scheme scheme;
    lem_sde_times times;
    lem_sde_observer observer;
} run;

static int run_block(lem_stream *stream, const run *r, size_t first, size_t n, double *x) {
    const double h = (r->times.T - r->times.t0) / (double)r->times.steps, scale = sqrt(h);
    double z[LEM_SDE_BLOCK], before[LEM_SDE_BLOCK];
    work w;
    int status = GSL_SUCCESS;
    for (size_t k = 0; !status && k < r->times.steps; k++) {
        const double t = r->times.t0 + (double)k * h;
        if (r->observer.function)
            memcpy(before, x, n * sizeof *x);
        status = lem_normal_fill(stream, n, z);
        if (!status)
            status = step(r->sde, r->scheme, t, h, n, z, scale, x, &w);
        if (!status && r->observer.function)
            status = r->observer.function(r->observer.ctx, &(lem_sde_view){first, n, k, t, h, before, x});
    }
    return status;
}

static int run_paths(lem_stream *stream, const run *r, size_t n, double *x) {
    int status = check_sde(r->sde, r->scheme);
    if (!status)
        status = check_times(r->times);
    if (!status)
        status = check_start(n, x);
    for (size_t first = 0; !status && first < n; first += LEM_SDE_BLOCK)
        status =
            run_block(stream, r, first, n - first < LEM_SDE_BLOCK ? n - first : LEM_SDE_BLOCK, x + first);
    return status;
}

int lem_euler_maruyama(lem_stream *stream, const lem_sde *sde, lem_sde_times times, size_t n, double *x,
                       lem_sde_observer observer) {
    return run_paths(stream, &(run){sde, LEM_EULER_MARUYAMA, times, observer}, n, x);
}

int lem_milstein(lem_stream *stream, const lem_sde *sde, lem_sde_times times, size_t n, double *x,
                 lem_sde_observer observer) {
    return run_paths(stream, &(run){sde, LEM_MILSTEIN, times, observer}, n, x);
}
