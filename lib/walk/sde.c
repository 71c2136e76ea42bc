#include "walk/sde.h"
#include "walk/sde_kernel.h"

#include <math.h>
#include <stdbool.h>
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

/* --- one step of one block: from x to `to`, which does not overlap it; dW = scale z --- */

typedef struct {
    const lem_sde *sde;
    lem_sde_scheme scheme;
    const lem_sde_kernel *kernel;
} method;

typedef struct {
    _Alignas(64) double drift[LEM_SDE_BLOCK]; /* cache lines: a wide load that straddles two costs twice */
    double diffusion[LEM_SDE_BLOCK], slope[LEM_SDE_BLOCK];
} work;

/* The values of a field, unchecked: what is not finite makes the step so, and is looked for then. */
static int ask(const lem_block_field *field, const char *name, size_t n, const double *x, double t,
               double *out) {
    if (field->function(n, x, t, field->ctx, out))
        return lem_block_field_at(field, name, n, x, t, out);
    return GSL_SUCCESS;
}

static int ask_fields(const method *m, double t, size_t n, const double *x, work *w) {
    const lem_sde *sde = m->sde;
    int status = GSL_SUCCESS;
    if (sde->diffusion.function)
        status = ask(&sde->diffusion, "diffusion", n, x, t, w->diffusion);
    if (!status && sde->diffusion.function && m->scheme == LEM_MILSTEIN)
        status = ask(&sde->diffusion_x, "diffusion_x", n, x, t, w->slope);
    if (!status && sde->drift.function)
        status = ask(&sde->drift, "drift", n, x, t, w->drift);
    return status;
}

/* Why a step from finite places was not finite: a field that is not, or an overflow. */
static int explain(const method *m, double t, size_t n, const double *x, work *w) {
    const lem_sde *sde = m->sde;
    int status = GSL_SUCCESS;
    if (sde->diffusion.function)
        status = lem_block_field_at(&sde->diffusion, "diffusion", n, x, t, w->diffusion);
    if (!status && sde->diffusion.function && m->scheme == LEM_MILSTEIN)
        status = lem_block_field_at(&sde->diffusion_x, "diffusion_x", n, x, t, w->slope);
    if (!status && sde->drift.function)
        status = lem_block_field_at(&sde->drift, "drift", n, x, t, w->drift);
    if (status)
        return status;
    return LEM_ERROR(GSL_EOVRFLW,
                     "a path leaves the range of double in the step from t = %.17g: take more steps", t);
}

static int step(const method *m, double t, double h, size_t n, const double *z, double scale, const double *x,
                double *to, work *w) {
    const int status = ask_fields(m, t, n, x, w);
    if (status)
        return status;
    const bool constant = !m->sde->diffusion.function;
    const lem_sde_terms terms = {.x = x,
                                 .z = z,
                                 .drift = m->sde->drift.function ? w->drift : NULL,
                                 .diffusion = w->diffusion,
                                 .slope = w->slope,
                                 .h = h,
                                 .scale = constant ? sqrt(m->sde->alpha) * scale : scale};
    const bool finite = constant                          ? m->kernel->additive(n, &terms, to)
                        : m->scheme == LEM_EULER_MARUYAMA ? m->kernel->euler(n, &terms, to)
                                                          : m->kernel->milstein(n, &terms, to);
    return finite ? GSL_SUCCESS : explain(m, t, n, x, w);
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
    double to[LEM_SDE_BLOCK];
    status = step(&(method){sde, scheme, lem_sde_best_kernel()}, t, h, n, dw, 1, x, to, &w);
    if (!status)
        memcpy(x, to, n * sizeof *x);
    return status;
}

/* --- whole paths --- */

typedef struct {
    method method;
    lem_sde_times times;
    lem_sde_observer observer;
} run;

/* The places go to and fro between two buffers, so that the old ones are there to be shown, and asked about.
 */
static int run_block(lem_stream *stream, const run *r, size_t first, size_t n, double *x) {
    const double h = (r->times.T - r->times.t0) / (double)r->times.steps, scale = sqrt(h);
    _Alignas(64) double z[LEM_SDE_BLOCK], places[2][LEM_SDE_BLOCK];
    work w;
    memcpy(places[0], x, n * sizeof *x);
    int status = GSL_SUCCESS;
    for (size_t k = 0; !status && k < r->times.steps; k++) {
        const double t = r->times.t0 + (double)k * h, *before = places[k % 2];
        double *after = places[(k + 1) % 2];
        status = lem_normal_fill(stream, n, z);
        if (!status)
            status = step(&r->method, t, h, n, z, scale, before, after, &w);
        if (!status && r->observer.function)
            status = r->observer.function(r->observer.ctx, &(lem_sde_view){first, n, k, t, h, before, after});
    }
    if (!status)
        memcpy(x, places[r->times.steps % 2], n * sizeof *x);
    return status;
}

static int run_paths(lem_stream *stream, const run *r, size_t n, double *x) {
    int status = check_sde(r->method.sde, r->method.scheme);
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
    return run_paths(stream, &(run){{sde, LEM_EULER_MARUYAMA, lem_sde_best_kernel()}, times, observer}, n, x);
}

int lem_milstein(lem_stream *stream, const lem_sde *sde, lem_sde_times times, size_t n, double *x,
                 lem_sde_observer observer) {
    return run_paths(stream, &(run){{sde, LEM_MILSTEIN, lem_sde_best_kernel()}, times, observer}, n, x);
}
