#include "walk/first_passage.h"
#include "attention/softmax_kernel.h"
#include "stat/distribution.h"
#include "walk/check.h"
#include "walk/gauss_gap.h"

#include <math.h>

/* exp(2 mu b/a) Phi(d2) = phi(d1) (1 - Phi(-d2))/phi(-d2): the first factor may overflow where the second
 * underflows. */
static double reflected(double d1, double d2, double exponent) {
    return d2 < 0 ? lem_gauss_density(d1) * lem_mills_ratio(-d2)
                  : exp(exponent) * lem_normal_cdf(d2, LEM_LOWER);
}

double lem_drifted_bm_survival(double b, double mu, double a, double T) {
    if (lem_walk_check_finite(b, "b") || lem_walk_check_finite(mu, "mu") || lem_walk_check_positive(a, "a") ||
        lem_walk_check_positive(T, "T"))
        return (double)NAN;
    if (b <= 0)
        return 0;
    const double spread = sqrt(a * T), d1 = (b - mu * T) / spread, d2 = (-b - mu * T) / spread;
    if (!(spread > 0) || !isfinite(d1) || !isfinite(d2))
        return LEM_ERROR_NAN(GSL_ERANGE, "b = %g, mu = %g, a = %g, T = %g: exceed the range of double", b, mu,
                             a, T);
    const double first = lem_normal_cdf(d1, LEM_LOWER), second = reflected(d1, d2, 2 * mu * b / a);
    return second < first / 2 ? first - second : lem_gauss_gap(d1, -2 * b / spread);
}

double lem_bridge_crossing_probability(double x, double y, double b, double a, double h) {
    if (lem_walk_check_finite(x, "x") || lem_walk_check_finite(y, "y") || lem_walk_check_finite(b, "b") ||
        lem_walk_check_positive(a, "a") || lem_walk_check_positive(h, "h"))
        return (double)NAN;
    if (x >= b || y >= b)
        return 1;
    const double scale = sqrt(a) * sqrt(h); /* a h and the product of the distances may underflow */
    return lem_walk_bounded(exp(-2 * ((b - x) / scale) * ((b - y) / scale)), "bridge_crossing_probability");
}

enum { BLOCK = 512 };

/* Where an end is not below b the exponent is 0, so that the factor is 0. */
static void block_weights(size_t n, const double *before, const double *after, double b, double scale,
                          const lem_softmax_kernel *kernel, double *weight) {
    double crossing[BLOCK];
    for (size_t i = 0; i < n; i++) {
        const double p = b - before[i], q = b - after[i];
        crossing[i] = p > 0 && q > 0 ? scale * p * q : 0;
    }
    (void)kernel->exp_sum(crossing, n, 0);
    for (size_t i = 0; i < n; i++)
        weight[i] *= 1 - crossing[i];
}

void lem_bridge_survival_weights(size_t n, const double *before, const double *after, double b, double a,
                                 double h, double *weight) {
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    for (size_t done = 0; done < n; done += BLOCK)
        block_weights(n - done < BLOCK ? n - done : BLOCK, before + done, after + done, b, -2 / (a * h),
                      kernel, weight + done);
}

/* --- Monte Carlo --- */

typedef struct {
    double b, a;
    double *weight;
    double *alive;
} watch;

static int look(void *ctx, const lem_sde_view *view) {
    const watch *w = ctx;
    lem_bridge_survival_weights(view->n, view->before, view->after, w->b, w->a, view->h, w->weight);
    for (size_t i = 0; i < view->n; i++)
        w->alive[i] = view->after[i] < w->b ? w->alive[i] : 0;
    return GSL_SUCCESS;
}

static int check(const lem_first_passage *p) {
    if (!p || !p->sde)
        return LEM_ERROR(GSL_EFAULT, "ctx = null: must be a lem_first_passage with its sde");
    if (p->sde->diffusion.function)
        return LEM_ERROR(GSL_EDOM,
                         "sde.diffusion: must be null, the bridge between two times needs a constant alpha");
    if (!(p->x0 < p->b))
        return LEM_ERROR(GSL_EDOM, "x0 = %g: must be below the barrier b = %g", p->x0, p->b);
    return GSL_SUCCESS;
}

int lem_first_passage_chunk(lem_stream *stream, size_t first, size_t count, void *workspace,
                            lem_mc_result *out, const void *ctx) {
    (void)first, (void)workspace;
    const lem_first_passage *p = ctx;
    int status = check(p);
    for (size_t done = 0; !status && done < count; done += BLOCK) {
        const size_t n = count - done < BLOCK ? count - done : BLOCK;
        double x[BLOCK], weight[BLOCK], alive[BLOCK];
        for (size_t i = 0; i < n; i++)
            x[i] = p->x0, weight[i] = alive[i] = 1;
        watch w = {p->b, p->sde->alpha, weight, alive};
        status = lem_euler_maruyama(stream, p->sde, (lem_sde_times){.T = p->T, .steps = p->steps}, n, x,
                                    (lem_sde_observer){look, &w});
        if (!status)
            status = lem_moments_add_array(&out->moments[0], n, alive);
        if (!status)
            status = lem_moments_add_array(&out->moments[1], n, weight);
    }
    return status;
}
