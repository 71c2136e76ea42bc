#include "tap/tap.h"
#include "walk/crank_nicolson.h"
#include "walk/diffusion.h"
#include "walk/oscillator.h"
#include "walk/random.h"

/* -x + push cos(3 t), and no number right of 9 */
static int drift(double x, double t, const void *ctx, double *value) {
    *value = x > 9 ? NAN : -x + *(const double *)ctx * cos(3 * t);
    return GSL_SUCCESS;
}

static int spring(double x, double t, const void *ctx, double *value) {
    const double o = *(const double *)ctx;
    (void)t;
    *value = o * o * x * x / 2;
    return GSL_SUCCESS;
}

static double place(const lem_cn_grid *g, size_t i) {
    return g->low + (g->high - g->low) * (double)i / (double)(g->nodes - 1);
}

static double mass(const lem_cn_grid *g, const gsl_vector *v) {
    double sum = -(gsl_vector_get(v, 0) + gsl_vector_get(v, v->size - 1)) / 2;
    for (size_t i = 0; i < v->size; i++)
        sum += gsl_vector_get(v, i);
    return sum * (g->high - g->low) / (double)(g->nodes - 1);
}

/* A Gaussian stays one: mean lem_forced_ou_mean, variance a/2 + (v_0 - a/2) e^(-2t). */
static double forced_error(size_t nodes, size_t steps, size_t damped) {
    const double push = 1.5, alpha = .7, T = 1.2, m0 = .4, v0 = .09;
    const lem_cn_grid grid = {-6, 6, nodes, 0, T, steps, damped};
    gsl_vector *p = gsl_vector_alloc(nodes);
    for (size_t i = 0; i < nodes; i++)
        gsl_vector_set(p, i, lem_brownian_pdf(place(&grid, i) - m0, 1, v0));
    const double before = mass(&grid, p);
    LEM_CHECK(lem_fokker_planck_cn(&(lem_field){drift, &push}, alpha, &grid, p) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(mass(&grid, p), before, 1e-12);
    const double mean = lem_forced_ou_mean(m0, 1, push, 3, T),
                 variance = alpha / 2 + (v0 - alpha / 2) * exp(-2 * T);
    double worst = 0;
    for (size_t i = 0; i < nodes; i++)
        worst =
            fmax(worst, fabs(gsl_vector_get(p, i) - lem_brownian_pdf(place(&grid, i) - mean, 1, variance)));
    gsl_vector_free(p);
    return worst;
}

static void test_forced(void) {
    double before = forced_error(101, 50, 0);
    for (size_t m = 2; m <= 8; m *= 2) {
        const double error = forced_error(100 * m + 1, 50 * m, 0);
        LEM_CHECK_NEAR(log2(before / error), 2, .1);
        before = error;
    }
    LEM_CHECK_NEAR(log2(forced_error(401, 200, 2) / forced_error(801, 400, 2)), 2, .15);
}

/* The walls reflect: any start ends as the stationary law, whose mass is the start's. */
static void test_walls(void) {
    const double push = 0, alpha = .7;
    const lem_cn_grid grid = {-1, .5, 301, 0, 20, 4000, 2};
    gsl_vector *p = gsl_vector_calloc(301);
    gsl_vector_set(p, 290, 200);
    LEM_CHECK(lem_fokker_planck_cn(&(lem_field){drift, &push}, alpha, &grid, p) == 0, "%s", lem_last_error());
    LEM_CHECK_NEAR(mass(&grid, p), 1, 1e-11);
    const double top = gsl_vector_get(p, 200); /* x = 0 */
    for (size_t i = 0; i < 301; i += 20)       /* exp(-x^2/alpha), order h^2 = 2.5e-5 */
        LEM_CHECK_NEAR(gsl_vector_get(p, i) / top, exp(-place(&grid, i) * place(&grid, i) / alpha), 1e-4);
    gsl_vector_free(p);
}

/* Mehler's kernel to Mehler's kernel, and a delta start with damping. */
static void test_schrodinger(void) {
    const double o = 1.3, alpha = .8, start = .3, end = 1.5, xa = -.4;
    double before = 0;
    for (size_t m = 1; m <= 4; m *= 2) {
        const lem_cn_grid grid = {-6, 6, 200 * m + 1, start, end, 100 * m, 0};
        gsl_vector *phi = gsl_vector_alloc(grid.nodes);
        double worst = 0;
        for (size_t i = 0; i < grid.nodes; i++)
            gsl_vector_set(phi, i, lem_mehler_kernel(place(&grid, i), xa, start, o, alpha));
        LEM_CHECK(lem_schrodinger_cn(&(lem_field){spring, &o}, alpha, &grid, phi) == 0, "%s",
                  lem_last_error());
        for (size_t i = 0; i < grid.nodes; i++)
            worst = fmax(
                worst, fabs(gsl_vector_get(phi, i) - lem_mehler_kernel(place(&grid, i), xa, end, o, alpha)));
        if (m > 1)
            LEM_CHECK_NEAR(log2(before / worst), 2, .1);
        before = worst;
        gsl_vector_free(phi);
    }
    double rough[2];
    for (size_t damped = 0; damped <= 4; damped += 4) {
        const lem_cn_grid grid = {-6, 6, 601, 0, 1.5, 60, damped};
        gsl_vector *phi = gsl_vector_calloc(601);
        gsl_vector_set(phi, 280, 1 / .02); /* x = -0.4 */
        LEM_CHECK(lem_schrodinger_cn(&(lem_field){spring, &o}, alpha, &grid, phi) == 0, "%s",
                  lem_last_error());
        rough[damped / 4] = fabs(gsl_vector_get(phi, 280) - lem_mehler_kernel(xa, xa, 1.5, o, alpha));
        gsl_vector_free(phi);
    }
    LEM_CHECK(rough[1] < 1e-3 && rough[0] > .1, "rings without damping: %g, with: %g", rough[0], rough[1]);
}

static void test_refusals(void) {
    const double push = 0;
    const lem_field field = {drift, &push};
    const lem_cn_grid good = {-1, 1, 5, 0, 1, 2, 0};
    gsl_vector *v = gsl_vector_calloc(5), *short_ = gsl_vector_calloc(4);
    lem_cn_grid bad = good;
    LEM_CHECK_ERROR(lem_fokker_planck_cn(NULL, 1, &good, v), "drift = null");
    LEM_CHECK_ERROR(lem_schrodinger_cn(NULL, 1, &good, v), "potential = null");
    LEM_CHECK_ERROR(lem_schrodinger_cn(&field, 1, NULL, v), "grid = null");
    LEM_CHECK_ERROR(lem_fokker_planck_cn(&field, 1, &good, NULL), "density = null");
    LEM_CHECK_ERROR(lem_fokker_planck_cn(&field, 1, &good, short_), "density has 4|5");
    LEM_CHECK_ERROR(lem_fokker_planck_cn(&field, -1, &good, v), "alpha = -1|positive");
    bad.high = -1;
    LEM_CHECK_ERROR(lem_fokker_planck_cn(&field, 1, &bad, v), "low = -1, high = -1");
    bad = good, bad.end = 0;
    LEM_CHECK_ERROR(lem_fokker_planck_cn(&field, 1, &bad, v), "start = 0, end = 0");
    bad = good, bad.nodes = 2;
    LEM_CHECK_ERROR(lem_fokker_planck_cn(&field, 1, &bad, v), "nodes = 2|[3,");
    bad = good, bad.damped = 3;
    LEM_CHECK_ERROR(lem_schrodinger_cn(&field, 1, &bad, v), "steps = 2, damped = 3");
    bad = good, bad.high = 12;
    LEM_CHECK_ERROR(lem_fokker_planck_cn(&field, 1, &bad, v), "drift(x = 10.375, t = 0.25) = nan");
    gsl_vector_set(v, 3, INFINITY);
    LEM_CHECK_ERROR(lem_schrodinger_cn(&field, 1, &good, v), "amplitude[3] = inf|finite");
    gsl_vector_free(v), gsl_vector_free(short_);
}

static const lem_tap_case cases[] = {
    {"a forced Gaussian, order 2, mass kept", test_forced},
    {"walls reflect", test_walls},
    {"Mehler's kernel, order 2; damping of a delta", test_schrodinger},
    {"bad arguments are named", test_refusals},
};
LEM_TAP_MAIN(cases)
