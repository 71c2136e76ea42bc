/* Euler-Maruyama and Milstein: moments that the schemes have exactly, orders on a shared path, what is
 * refused. */
#include "draw.h"
#include "stat/regression.h"
#include "walk/diffusion.h"
#include "walk/gbm.h"
#include "walk/sde.h"
#include "walk/sde_kernel.h"

#include <string.h>

enum { PATHS = 20000 };
static double x[PATHS], y[PATHS];

/* p = -k x */
static int pull(size_t n, const double *at, double t, const void *ctx, double *out) {
    (void)t;
    const double k = *(const double *)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = -k * at[i];
    return GSL_SUCCESS;
}

static int pull_scalar(double at, double t, const void *ctx, double *out) {
    (void)t;
    *out = -*(const double *)ctx * at;
    return GSL_SUCCESS;
}

/* ctx x: drift, diffusion and, as a constant, its slope */
static int times(size_t n, const double *at, double t, const void *ctx, double *out) {
    (void)t;
    for (size_t i = 0; i < n; i++)
        out[i] = *(const double *)ctx * at[i];
    return GSL_SUCCESS;
}

static int constant(size_t n, const double *at, double t, const void *ctx, double *out) {
    (void)at, (void)t;
    for (size_t i = 0; i < n; i++)
        out[i] = *(const double *)ctx;
    return GSL_SUCCESS;
}

static void set(size_t n, double value, double *to) {
    for (size_t i = 0; i < n; i++)
        to[i] = value;
}

/* The increments are there at all: W(0.1) has mean 0, variance 0.1 and kurtosis 3 (standard error of that:
 * sqrt(24/n)). */
static void test_wiener(void) {
    lem_stream stream = stream_for("wiener");
    const lem_sde sde = {.alpha = 1};
    set(PATHS, 0, x);
    LEM_CHECK(lem_euler_maruyama(&stream, &sde, (lem_sde_times){0, .1, 3}, PATHS, x, (lem_sde_observer){0}) ==
                  0,
              "%s", lem_last_error());
    const lem_moments m = moments_of(PATHS, x);
    check_mean(&m, 0);
    check_variance(&m, .1);
    LEM_CHECK_NEAR(lem_moments_kurtosis(&m), 3, 5 * sqrt(24. / PATHS));
}

/* Euler's OU process: mean x0 (1 - k h)^n, second moment by M -> (1 - k h)^2 M + alpha h, exactly. */
static void test_ornstein_uhlenbeck(void) {
    lem_stream stream = stream_for("ou");
    const double k = 1.5, alpha = .7, x0 = 2, T = 1;
    enum { STEPS = 5 };
    const lem_sde sde = {.drift = {pull, &k}, .alpha = alpha};
    set(PATHS, x0, x);
    LEM_CHECK(
        lem_euler_maruyama(&stream, &sde, (lem_sde_times){0, T, STEPS}, PATHS, x, (lem_sde_observer){0}) == 0,
        "%s", lem_last_error());
    double mean = x0, variance = 0;
    for (int s = 0; s < STEPS; s++) {
        const double factor = 1 - k * T / STEPS;
        mean *= factor;
        variance = factor * factor * variance + alpha * T / STEPS;
    }
    const lem_moments m = moments_of(PATHS, x);
    check_mean(&m, mean);
    check_variance(&m, variance);
    LEM_CHECK(fabs(z_of(&m, x0 * exp(-k * T))) > 20, "five steps are seen to be five steps");
}

/* A function of one position gives the same bits; so does any split of the paths into whole blocks, and steps
 * by hand. */
static void test_same_bits(void) {
    const double k = .8;
    const lem_field scalar = {pull_scalar, &k};
    const lem_sde sde = {.drift = {pull, &k}, .alpha = 2},
                  by_scalar = {.drift = lem_block_of_field(&scalar), .alpha = 2};
    const lem_sde_times times_ = {-1, 2, 7};
    enum { N = LEM_SDE_BLOCK + 100 };
    lem_stream a = stream_for("bits"), b = a, c = a;
    set(N, .3, x), set(N, .3, y);
    LEM_CHECK(lem_euler_maruyama(&a, &sde, times_, N, x, (lem_sde_observer){0}) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_milstein(&b, &by_scalar, times_, N, y, (lem_sde_observer){0}) == 0, "%s", lem_last_error());
    LEM_CHECK(memcmp(x, y, sizeof(double) * N) == 0,
              "the scalar form, and Milstein for a constant diffusion");
    LEM_CHECK(a.item == 7 * N, "%d normals are used", (int)a.item);
    set(N, .3, y);
    double dw[LEM_SDE_BLOCK];
    for (size_t s = 0; s < 7; s++) {
        LEM_CHECK(lem_normal_fill(&c, LEM_SDE_BLOCK, dw) == 0, "fill");
        for (size_t i = 0; i < LEM_SDE_BLOCK; i++)
            dw[i] *= sqrt(3. / 7);
        LEM_CHECK(
            lem_sde_step(&sde, LEM_EULER_MARUYAMA, -1 + (double)s * 3 / 7, 3. / 7, LEM_SDE_BLOCK, dw, y) == 0,
            "%s", lem_last_error());
    }
    /* the increment is rounded once more by hand: sqrt(alpha) (sqrt(h) z) and (sqrt(alpha) sqrt(h)) z */
    for (size_t i = 0; i < LEM_SDE_BLOCK; i++)
        LEM_CHECK_NEAR(y[i], x[i], 7 * 8 * 2.3e-16 * 10);
}

/* ctx t, everywhere */
static int clock_field(size_t n, const double *at, double t, const void *ctx, double *out) {
    (void)at;
    for (size_t i = 0; i < n; i++)
        out[i] = *(const double *)ctx * t;
    return GSL_SUCCESS;
}

/* Every field is asked at the beginning of its step: drift 2 t without noise from t0 = 0.5 in steps of 0.5,
 * and one step of Milstein with b = 3 t, b_x = 5 t at t = 0.25, by hand. */
static void test_clock(void) {
    const double two = 2, three = 3, five = 5;
    lem_stream stream = stream_for("clock");
    const lem_sde drifting = {.drift = {clock_field, &two}};
    double at[2] = {1, -1};
    LEM_CHECK(lem_euler_maruyama(&stream, &drifting, (lem_sde_times){.5, 2.5, 4}, 2, at,
                                 (lem_sde_observer){0}) == 0,
              "%s", lem_last_error());
    LEM_CHECK_NEAR(at[0], 1 + .5 * 2 * (.5 + 1 + 1.5 + 2), 1e-14);
    LEM_CHECK_NEAR(at[1], -1 + .5 * 2 * (.5 + 1 + 1.5 + 2), 1e-14);
    const lem_sde noisy = {.drift = {clock_field, &two},
                           .diffusion = {clock_field, &three},
                           .diffusion_x = {clock_field, &five}};
    const double t = .25, h = .1, dw[2] = {.3, -.2};
    for (int scheme = 0; scheme < 2; scheme++) {
        double x0[2] = {1, -1};
        LEM_CHECK(lem_sde_step(&noisy, scheme ? LEM_MILSTEIN : LEM_EULER_MARUYAMA, t, h, 2, dw, x0) == 0,
                  "%s", lem_last_error());
        for (size_t i = 0; i < 2; i++) {
            const double extra = scheme ? 3 * t * 5 * t * (dw[i] * dw[i] - h) / 2 : 0;
            LEM_CHECK_NEAR(x0[i], (i ? -1 : 1) + 2 * t * h + 3 * t * dw[i] + extra, 1e-15);
        }
    }
}

/* Every kernel that runs here gives the bits of the first, and sees what is not finite, wherever it stands.
 */
static void test_kernels(void) {
    enum { N = 101 };
    double place[N], z[N], drift[N], diffusion[N], slope[N], expected[N], to[N];
    lem_stream stream = stream_for("kernels");
    double *const arrays[] = {place, z, drift, diffusion, slope};
    for (size_t a = 0; a < 5; a++)
        LEM_CHECK(lem_normal_fill(&stream, N, arrays[a]) == 0, "fill");
    for (size_t k = 0; lem_sde_kernels[k]; k++) {
        const lem_sde_kernel *kernel = lem_sde_kernels[k];
        if (!kernel->runs_here())
            continue;
        for (int loop = 0; loop < 6; loop++) {
            const lem_sde_terms terms = {place, z, loop % 2 ? drift : NULL, diffusion, slope, .1, .3};
            bool (*const runs[])(size_t, const lem_sde_terms *, double *) = {lem_sde_kernels[0]->additive,
                                                                             lem_sde_kernels[0]->euler,
                                                                             lem_sde_kernels[0]->milstein,
                                                                             kernel->additive,
                                                                             kernel->euler,
                                                                             kernel->milstein};
            LEM_CHECK(runs[loop / 2](N, &terms, expected), "finite");
            LEM_CHECK(runs[3 + loop / 2](N, &terms, to), "%s: finite", kernel->name);
            LEM_CHECK(memcmp(to, expected, sizeof to) == 0, "%s, loop %d", kernel->name, loop);
            for (size_t i = 0; i < N; i += 10) {
                const double kept = z[i];
                z[i] = i % 20 ? NAN : INFINITY;
                LEM_CHECK(!runs[3 + loop / 2](N, &terms, to), "%s: %g at %zu", kernel->name, z[i], i);
                z[i] = kept;
            }
        }
    }
}

/* Strong errors on a shared path against the exact solution, mean squares against their closed form, and the
 * orders they show: 1/2 for Euler, 1 for Milstein. */
static void strong_errors(lem_sde_scheme scheme, size_t steps, lem_moments *squares) {
    const double mu = .08, sg = .3, T = 1.5, h = T / (double)steps;
    const lem_sde sde = {.drift = {times, &mu}, .diffusion = {times, &sg}, .diffusion_x = {constant, &sg}};
    lem_stream stream = stream_for("strong");
    lem_moments_init(squares);
    for (size_t block = 0; block < 100; block++) {
        double w[LEM_SDE_BLOCK] = {0}, dw[LEM_SDE_BLOCK];
        set(LEM_SDE_BLOCK, 1, x);
        for (size_t s = 0; s < steps; s++) {
            LEM_CHECK(lem_normal_fill(&stream, LEM_SDE_BLOCK, dw) == 0, "fill");
            for (size_t i = 0; i < LEM_SDE_BLOCK; i++)
                w[i] += dw[i] *= sqrt(h);
            LEM_CHECK(lem_sde_step(&sde, scheme, (double)s * h, h, LEM_SDE_BLOCK, dw, x) == 0, "%s",
                      lem_last_error());
        }
        for (size_t i = 0; i < LEM_SDE_BLOCK; i++)
            y[i] = pow(x[i] - exp((mu - sg * sg / 2) * T + sg * w[i]), 2);
        LEM_CHECK(lem_moments_add_array(squares, LEM_SDE_BLOCK, y) == 0, "%s", lem_last_error());
    }
}

static void test_strong_order(void) {
    const double steps[] = {4, 16, 64};
    double euler[3], milstein[3];
    for (size_t i = 0; i < 3; i++) {
        lem_moments m;
        strong_errors(LEM_EULER_MARUYAMA, (size_t)steps[i], &m);
        /* heavy tails: the standard error is itself rough, so 8 of them */
        LEM_CHECK_NEAR(lem_moments_mean(&m), pow(lem_em_gbm_strong_error((size_t)steps[i], .08, .3, 1.5), 2),
                       8 * lem_moments_stderr(&m));
        euler[i] = sqrt(lem_moments_mean(&m));
        strong_errors(LEM_MILSTEIN, (size_t)steps[i], &m);
        LEM_CHECK_NEAR(lem_moments_mean(&m),
                       pow(lem_milstein_gbm_strong_error((size_t)steps[i], .08, .3, 1.5), 2),
                       8 * lem_moments_stderr(&m));
        milstein[i] = sqrt(lem_moments_mean(&m));
    }
    lem_power_law fit;
    LEM_CHECK(lem_fit_power_law(3, steps, euler, NULL, &fit) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(fit.exponent, -.5, .05);
    LEM_CHECK(lem_fit_power_law(3, steps, milstein, NULL, &fit) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(fit.exponent, -1, .05);
}

typedef struct {
    size_t calls;
    double last[PATHS];
} watched;

static int watch(void *ctx, const lem_sde_view *view) {
    watched *w = ctx;
    w->calls++;
    for (size_t i = 0; i < view->n; i++) {
        LEM_CHECK(view->step == 0 || view->before[i] == w->last[view->first + i], "a path is without gaps");
        w->last[view->first + i] = view->after[i];
    }
    LEM_CHECK_NEAR(view->t, .5 + (double)view->step * view->h, 1e-15);
    return view->step == 3 ? LEM_ERROR(GSL_EFAILED, "enough") : GSL_SUCCESS;
}

static void test_observer(void) {
    static watched w;
    lem_stream stream = stream_for("observer");
    const lem_sde sde = {.alpha = 1};
    set(1000, 0, x);
    LEM_CHECK(lem_euler_maruyama(&stream, &sde, (lem_sde_times){.5, 1.5, 3}, 1000, x,
                                 (lem_sde_observer){watch, &w}) == 0,
              "%s", lem_last_error());
    LEM_CHECK(w.calls == 6, "two blocks of three steps, not %zu", w.calls);
    LEM_CHECK(memcmp(w.last, x, 1000 * sizeof *x) == 0, "the last views are the ends");
    LEM_CHECK_ERROR(lem_euler_maruyama(&stream, &sde, (lem_sde_times){.5, 1.5, 4}, 1000, x,
                                       (lem_sde_observer){watch, &w}),
                    "enough");
}

/* no value right of 5, none that is finite left of -5 */
static int bounded(size_t n, const double *at, double t, const void *ctx, double *out) {
    (void)t, (void)ctx;
    for (size_t i = 0; i < n; i++) {
        if (at[i] > 5)
            return GSL_ERANGE;
        out[i] = at[i] < -5 ? NAN : 0;
    }
    return GSL_SUCCESS;
}

/* refuses arrays as such */
static int only_single(size_t n, const double *at, double t, const void *ctx, double *out) {
    (void)at, (void)t, (void)ctx;
    *out = 0;
    return n == 1 ? GSL_SUCCESS : GSL_EBADLEN;
}

static int scalar_bounded(double at, double t, const void *ctx, double *out) {
    return bounded(1, &at, t, ctx, out);
}

static int go(const lem_sde *sde, lem_sde_times times_, double start) {
    lem_stream stream = stream_for("refusals");
    double at[] = {0, start, 1};
    return lem_milstein(&stream, sde, times_, 3, at, (lem_sde_observer){0});
}

static void test_bad_fields(void) {
    const lem_field scalar = {scalar_bounded, NULL}, none = {NULL, NULL};
    const lem_sde_times times_ = {.25, 1, 1};
    const double one = 1;
    const lem_block_field drifts[] = {{bounded, NULL}, lem_block_of_field(&scalar)};
    for (size_t i = 0; i < 2; i++) {
        const lem_sde sde = {.drift = drifts[i], .alpha = 1};
        LEM_CHECK(go(&sde, times_, 6) == GSL_ERANGE, "its own status");
        LEM_CHECK_ERROR(go(&sde, times_, 6), "drift(x = 6, t = 0.25)|error 2");
        LEM_CHECK(go(&sde, times_, -6) == GSL_EBADFUNC, "GSL_EBADFUNC");
        LEM_CHECK_ERROR(go(&sde, times_, -6), "drift(x = -6, t = 0.25) = nan|finite");
    }
    LEM_CHECK_ERROR(go(&(lem_sde){.diffusion = {bounded, NULL}, .diffusion_x = {constant, &one}}, times_, -6),
                    "diffusion(x = -6, t = 0.25) = nan");
    LEM_CHECK_ERROR(go(&(lem_sde){.diffusion = {constant, &one}, .diffusion_x = {bounded, NULL}}, times_, -6),
                    "diffusion_x(x = -6, t = 0.25) = nan");
    LEM_CHECK_ERROR(go(&(lem_sde){.drift = {only_single, NULL}, .alpha = 1}, times_, 0),
                    "drift at 3 positions from x = 0 on, t = 0.25|error");
    LEM_CHECK_ERROR(go(&(lem_sde){.drift = lem_block_of_field(&none), .alpha = 1}, times_, 0),
                    "drift(x = 0|error");
    const double steep = -1e300;
    LEM_CHECK(go(&(lem_sde){.drift = {pull, &steep}, .alpha = 1}, (lem_sde_times){0, 1e9, 2}, 1e10) ==
                      GSL_EBADFUNC ||
                  strstr(lem_last_error(), "leaves the range"),
              "%s", lem_last_error());
    const double half = 1e308;
    LEM_CHECK_ERROR(go(&(lem_sde){.drift = {constant, &half}, .alpha = 1}, (lem_sde_times){0, 4, 2}, 0),
                    "leaves the range of double|t = 0");
}

static void test_refusals(void) {
    const double one = 1;
    const lem_sde sde = {.alpha = 1}, negative = {.alpha = -1}, no_slope = {.diffusion = {constant, &one}};
    const lem_sde_times good = {0, 1, 1};
    LEM_CHECK_ERROR(go(NULL, good, 0), "sde = null");
    LEM_CHECK_ERROR(go(&negative, good, 0), "alpha = -1|>= 0");
    LEM_CHECK_ERROR(go(&no_slope, good, 0), "diffusion_x = null|derivative");
    LEM_CHECK_ERROR(go(&sde, good, NAN), "x[1] = nan|finite");
    LEM_CHECK_ERROR(go(&sde, (lem_sde_times){1, 1, 1}, 0), "t0 = 1, T = 1|t0 < T");
    LEM_CHECK_ERROR(go(&sde, (lem_sde_times){0, INFINITY, 1}, 0), "T = inf");
    LEM_CHECK_ERROR(go(&sde, (lem_sde_times){0, 1, 0}, 0), "steps = 0|>= 1");
    double at[LEM_SDE_BLOCK + 1] = {0};
    lem_stream stream = stream_for("refusals");
    LEM_CHECK_ERROR(lem_euler_maruyama(&stream, &sde, good, 0, at, (lem_sde_observer){0}), "n = 0");
    LEM_CHECK_ERROR(lem_euler_maruyama(&stream, &sde, good, 1, NULL, (lem_sde_observer){0}), "x = null");
    LEM_CHECK_ERROR(lem_euler_maruyama(NULL, &sde, good, 1, at, (lem_sde_observer){0}), "stream = NULL");
    LEM_CHECK_ERROR(lem_sde_step(&sde, LEM_MILSTEIN, 0, 1, LEM_SDE_BLOCK + 1, at, at), "n = 513|at most 512");
    LEM_CHECK_ERROR(lem_sde_step(&sde, LEM_MILSTEIN, 0, 1, 1, NULL, at), "dw = null");
    LEM_CHECK_ERROR(lem_sde_step(&sde, LEM_MILSTEIN, 0, 0, 1, at, at), "h = 0|h > 0");
    LEM_CHECK_ERROR(lem_sde_step(&sde, (lem_sde_scheme)7, 0, 1, 1, at, at), "scheme = 7");
}

static const lem_tap_case cases[] = {
    {"W(0.1) has its moments", test_wiener},
    {"Euler's OU process has its own moments", test_ornstein_uhlenbeck},
    {"scalar fields, splits and single steps", test_same_bits},
    {"fields are asked at the time of the step", test_clock},
    {"kernels give the same bits", test_kernels},
    {"strong errors and orders on a shared path", test_strong_order},
    {"an observer sees every step", test_observer},
    {"fields that fail are reported with x and t", test_bad_fields},
    {"refusals", test_refusals},
};
LEM_TAP_MAIN(cases)
