/* First passage of drifted Brownian motion through a barrier: what looking at a grid of times misses, and two
 * ways not to miss it. */
#include "stochastic.h"

#include "attention/quadrature.h"

#include <string.h>

static const double BARRIER = 1, ALPHA = 1, TIME = 1, MU = .2;

/* --- the closed form --- */

/* Density of the first passage time, b/sqrt(2 pi a t^3) exp(-(b - mu t)^2/(2 a t)), in u = log t. */
static double passage_density(double u, const void *ctx) {
    const double mu = *(const double *)ctx, t = exp(u), d = BARRIER - mu * t;
    return t * BARRIER / sqrt(2 * 3.14159265358979324 * ALPHA * t * t * t) * exp(-d * d / (2 * ALPHA * t));
}

static int claim_closed_form(lem_study *study) {
    enum { DRIFTS = 3 };
    static const double mu[DRIFTS] = {.2, -.7, 0};
    double measured[DRIFTS], closed[DRIFTS], plain[DRIFTS], bound[DRIFTS];
    for (size_t i = 0; i < DRIFTS; i++) {
        const double spread = sqrt(ALPHA * TIME);
        measured[i] = 1 - lem_panel_integral(passage_density, &mu[i], -7, log(TIME), 60);
        closed[i] = lem_drifted_bm_survival(BARRIER, mu[i], ALPHA, TIME);
        plain[i] = lem_normal_cdf((BARRIER - mu[i] * TIME) / spread, LEM_LOWER) -
                   lem_normal_cdf((-BARRIER - mu[i] * TIME) / spread, LEM_LOWER);
        bound[i] = 1e-13; /* 960 terms of one sign, and what is below t = e^-7: exp(-e^7/2), nothing */
    }
    static const lem_claim_info info = {
        .id = "pi.first-passage",
        .statement =
            "survival is Phi((b - mu T)/s) - exp(2 mu b/alpha) Phi((-b - mu T)/s), s = sqrt(alpha T)",
        .source = "Siegmund 1979; by the density of the first passage time",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {{"reflection without the factor exp(2 mu b/alpha)",
                                         lem_identity_abs(DRIFTS, measured, plain, bound)}};
    LEM_TRY(lem_claim(study, &info, lem_identity_abs(DRIFTS, measured, closed, bound), falsifiers, 1));
    return lem_value_exact(study, "first-passage.survival", closed[0], 10, "");
}

/* --- looked at on a grid of times: short-time kernels composed below the barrier --- */

enum { PANELS = 40, NODES = PANELS * LEM_PANEL_NODES };

typedef struct {
    double x[NODES], weight[NODES], v[NODES], next[NODES], kernel[NODES * NODES];
} grid;

static void grid_step(grid *g) {
    for (size_t i = 0; i < NODES; i++) {
        double sum = 0;
        for (size_t j = 0; j < NODES; j++)
            sum += g->kernel[i * NODES + j] * g->v[j];
        g->next[i] = sum;
    }
    memcpy(g->v, g->next, sizeof g->v);
}

/* Panels of 0.19 below the barrier: at 512 steps four standard deviations of a step, whose Gaussian sixteen
 * nodes integrate to 1e-9. */
static double grid_survival(grid *g, size_t n) {
    const double h = TIME / (double)n;
    lem_panel_nodes(BARRIER - 7.5, BARRIER, PANELS, g->x, g->weight);
    for (size_t i = 0; i < NODES; i++) {
        g->v[i] = g->weight[i] * lem_brownian_pdf(g->x[i] - MU * h, h, ALPHA);
        for (size_t j = 0; j < NODES; j++)
            g->kernel[i * NODES + j] = g->weight[i] * lem_brownian_pdf(g->x[i] - g->x[j] - MU * h, h, ALPHA);
    }
    for (size_t k = 1; k < n; k++)
        grid_step(g);
    double survival = 0;
    for (size_t i = 0; i < NODES; i++)
        survival += g->v[i];
    return survival;
}

/* -zeta(1/2)/sqrt(2 pi): Broadie, Glasserman and Kou 1997. */
static const double SHIFT = 0.58259715793901067;

static double shifted(size_t n) {
    return lem_drifted_bm_survival(BARRIER + SHIFT * sqrt(ALPHA * TIME / (double)n), MU, ALPHA, TIME);
}

enum { GRIDS = 4 };
static const size_t steps[GRIDS] = {8, 32, 128, 512};

/* Four times the steps: the error of the shifted barrier falls to a quarter, that of the plain one to a half.
 * The ratios approach these with an error of order 1/sqrt(n), relative; asserted at the finest with
 * 2/sqrt(n). */
static int claim_shift(lem_study *study, const double *on_grid) {
    const double exact = lem_drifted_bm_survival(BARRIER, MU, ALPHA, TIME);
    const double ratio[] = {(on_grid[2] - exact) / (on_grid[3] - exact),
                            (on_grid[2] - shifted(steps[2])) / (on_grid[3] - shifted(steps[3]))};
    static const double expected[] = {2, 4}, wrong[] = {2, 2}, faster[] = {4, 4};
    const double bound[] = {4 / sqrt(128), 8 / sqrt(128)};
    static const lem_claim_info info = {
        .id = "pi.first-passage.shift",
        .statement =
            "looking at n times makes survival too large by O(n^(-1/2)), as if the barrier stood 0.5826 "
            "sqrt(alpha h) higher, up to O(1/n)",
        .source = "Broadie, Glasserman and Kou 1997",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {
        {"the shift leaves an error of O(n^(-1/2)) too", lem_identity_abs(2, ratio, wrong, bound)},
        {"looking at n times is off by O(1/n)", lem_identity_abs(2, ratio, faster, bound)}};
    LEM_TRY(lem_claim(study, &info, lem_identity_abs(2, ratio, expected, bound), falsifiers,
                      PI_COUNT(falsifiers)));
    for (size_t i = 0; i < GRIDS; i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "first-passage.grid-%zu", steps[i]);
        LEM_TRY(lem_value_exact(study, key, on_grid[i], 6, ""));
        (void)snprintf(key, sizeof key, "first-passage.shifted-%zu", steps[i]);
        LEM_TRY(lem_value_exact(study, key, shifted(steps[i]), 6, ""));
    }
    return GSL_SUCCESS;
}

/* --- by simulation --- */

enum { FULL = 200000, FLOOR = 20000, MOMENTS = 3 };

typedef struct {
    double *right, *wrong, *alive;
} weights;

static int look(void *ctx, const lem_sde_view *view) {
    const weights *w = ctx;
    lem_bridge_survival_weights(view->n, view->before, view->after, BARRIER, 2 * ALPHA, view->h, w->wrong);
    return GSL_SUCCESS;
}

/* moments: looked at on the grid; corrected; corrected with a factor 1 in place of 2 in the exponent. The
 * last on paths of its own. */
static int passage_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *ctx) {
    (void)workspace;
    const lem_first_passage *p = ctx;
    LEM_TRY(lem_first_passage_chunk(stream, first, count, NULL, out, p));
    for (size_t done = 0; done < count; done += LEM_SDE_BLOCK) {
        const size_t n = count - done < LEM_SDE_BLOCK ? count - done : LEM_SDE_BLOCK;
        double x[LEM_SDE_BLOCK] = {0}, wrong[LEM_SDE_BLOCK];
        for (size_t i = 0; i < n; i++)
            wrong[i] = 1;
        weights w = {NULL, wrong, NULL};
        LEM_TRY(lem_euler_maruyama(stream, p->sde, (lem_sde_times){0, p->T, p->steps}, n, x,
                                   (lem_sde_observer){look, &w}));
        LEM_TRY(lem_moments_add_array(&out->moments[2], n, wrong));
    }
    return GSL_SUCCESS;
}

static int claim_simulation(lem_study *study, const double *on_grid, lem_moments moments[3][3]) {
    static const lem_sde sde = {.drift = {pi_constant_block, &MU}, .alpha = 1};
    const size_t samples = lem_study_samples(study, FULL, FLOOR);
    const double exact = lem_drifted_bm_survival(BARRIER, MU, ALPHA, TIME);
    double truth[3], seen[3];
    lem_moments by_grid[3], corrected[3], wrong[3];
    for (size_t i = 0; i < 3; i++) {
        const lem_first_passage p = {&sde, 0, BARRIER, TIME, steps[i]};
        char purpose[64];
        (void)snprintf(purpose, sizeof purpose, "passage-%zu", steps[i]);
        LEM_TRY(pi_moments(study, purpose, passage_chunk, &p, samples, MOMENTS, moments[i]));
        by_grid[i] = moments[i][0], corrected[i] = moments[i][1], wrong[i] = moments[i][2];
        truth[i] = exact, seen[i] = on_grid[i];
    }
    static const lem_claim_info grid_info = {
        .id = "pi.first-passage.grid",
        .statement = "Euler-Maruyama paths looked at on 8, 32 and 128 times survive as often as the composed "
                     "kernels say",
        .source = "Broadie, Glasserman and Kou 1997",
        .verdict = LEM_HOLDS,
        .floor = FLOOR,
        .floor_reason = "the survival at all times is 0.088 less at 8 steps, a standard error of 20000 paths "
                        "is 0.0033: 27 "
                        "of them, where 5.1 + 4.8 suffice",
    };
    const lem_falsifier grid_falsifiers[] = {
        {"they survive as at all times", lem_expectation(3, by_grid, truth)}};
    LEM_TRY(lem_claim(study, &grid_info, lem_expectation(3, by_grid, seen), grid_falsifiers, 1));
    static const lem_claim_info info = {
        .id = "pi.first-passage.bridge",
        .statement =
            "multiplying by 1 - exp(-2 (b - x)(b - y)/(alpha h)) a step makes survival unbiased for every n",
        .source = "Siegmund 1979",
        .verdict = LEM_HOLDS,
        .floor = FLOOR,
        .floor_reason = "with a factor 1 survival is 0.064 less at 8 steps; 19 standard errors of 20000 "
                        "paths, where 5.1 + "
                        "4.8 suffice",
    };
    const lem_falsifier falsifiers[] = {{"the exponent with a factor 1", lem_expectation(3, wrong, truth)},
                                        {"no correction", lem_expectation(3, by_grid, truth)}};
    LEM_TRY(lem_claim(study, &info, lem_expectation(3, corrected, truth), falsifiers, PI_COUNT(falsifiers)));
    LEM_TRY(lem_value_estimate(study, "first-passage.naive-8", lem_moments_mean(&by_grid[0]),
                               lem_moments_stderr(&by_grid[0]), ""));
    LEM_TRY(lem_value_estimate(study, "first-passage.bridge-8", lem_moments_mean(&corrected[0]),
                               lem_moments_stderr(&corrected[0]), ""));
    return lem_value_estimate(study, "first-passage.factor-1-8", lem_moments_mean(&wrong[0]),
                              lem_moments_stderr(&wrong[0]), "");
}

/* --- the walk with the barrier on a site --- */

/* n = 4^j steps of 2^-j, absorbed at site 2^j; sites more than 9 below the start hold less than 1e-18. */
static int walk_survival(unsigned j, double mu, double *survival) {
    const size_t n = (size_t)1 << (2 * j), barrier = (size_t)1 << j,
                 below = 9 * barrier < n ? 9 * barrier : n;
    const size_t sites = below + barrier; /* site i is at i - below; the barrier itself is left out */
    const double q = (1 + mu / ((double)barrier * ALPHA)) / 2;
    double *p = calloc(2 * (sites + 2), sizeof *p), *next = p ? p + sites + 2 : NULL;
    if (!p)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu sites", sites);
    p[below + 1] = 1; /* shifted by one, so that both ends have a neighbour */
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 1; i <= sites; i++)
            next[i] = q * p[i - 1] + (1 - q) * p[i + 1];
        double *last = p;
        p = next, next = last;
        p[0] = p[sites + 1] = 0;
    }
    *survival = 0;
    for (size_t i = 1; i <= sites; i++)
        *survival += p[i];
    free(p < next ? p : next);
    return GSL_SUCCESS;
}

enum { COARSEST = 2, FINEST = 7 };

static int claim_walk(lem_study *study, double *survival) {
    double still[2], value;
    for (unsigned j = COARSEST; j <= FINEST; j++)
        LEM_TRY(walk_survival(j, MU, &survival[j]));
    const double exact = lem_drifted_bm_survival(BARRIER, MU, ALPHA, TIME),
                 level = lem_drifted_bm_survival(BARRIER, 0, ALPHA, TIME);
    for (unsigned i = 0; i < 2; i++) {
        LEM_TRY(walk_survival(FINEST - 1 + i, 0, &value));
        still[i] = (value - level) * pow(4, FINEST - 1 + i);
    }
    /* orders in n, from n = 4^6 to 4^7, and the constant at mu = 0; what is left is of relative order 1/n */
    const double small = 10 / pow(4, FINEST - 1);
    const double measured[] = {log((survival[FINEST - 1] - exact) / (survival[FINEST] - exact)) / log(4),
                               still[1]};
    const double expected[] = {1, -exp(-.5) / sqrt(2 * 3.14159265358979324)}, wrong[] = {.5, expected[1]},
                 other[] = {1, 2 * expected[1]}, bound[] = {small, small};
    static const lem_claim_info info = {
        .id = "pi.first-passage.walk",
        .statement =
            "the walk absorbed on a site survives with an error of O(1/n), -exp(-1/2)/(sqrt(2 pi) n) without "
            "drift at b = sqrt(alpha T): it cannot jump over the barrier",
        .source = "derived; constant measured and recognised",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {
        {"O(n^(-1/2)), as for Euler-Maruyama", lem_identity_abs(2, measured, wrong, bound)},
        {"twice the constant", lem_identity_abs(2, measured, other, bound)}};
    LEM_TRY(lem_claim(study, &info, lem_identity_abs(2, measured, expected, bound), falsifiers,
                      PI_COUNT(falsifiers)));
    LEM_TRY(lem_value_exact(study, "first-passage.walk-constant", (survival[FINEST] - exact) * pow(4, FINEST),
                            4, ""));
    return lem_value_exact(study, "first-passage.walk-constant-level", still[1], 4, "");
}

/* --- figure --- */

static int figure(lem_study *study, const double *on_grid, lem_moments moments[3][3], const double *walk) {
    static const char *const columns[] = {"steps",
                                          "shifted barrier | on the grid | walk",
                                          "four standard errors",
                                          "corrected",
                                          "four standard errors",
                                          "exact"};
    const double exact = lem_drifted_bm_survival(BARRIER, MU, ALPHA, TIME);
    lem_table *table;
    LEM_TRY(lem_study_table(study, "passage", columns, PI_COUNT(columns), &table));
    for (int i = 0; i <= 100; i++) {
        const double n = 4 * pow(256, i / 100.);
        const double barrier = BARRIER + SHIFT * sqrt(ALPHA * TIME / n);
        const double row[] = {n, lem_drifted_bm_survival(barrier, MU, ALPHA, TIME), NAN, NAN, NAN, exact};
        LEM_TRY(lem_table_row(table, row));
    }
    LEM_TRY(lem_table_break(table));
    for (size_t i = 0; i < 3; i++) {
        const lem_moments *m = moments[i];
        const double row[] = {
            (double)steps[i],        lem_moments_mean(&m[0]),       4 * lem_moments_stderr(&m[0]),
            lem_moments_mean(&m[1]), 4 * lem_moments_stderr(&m[1]), exact};
        LEM_TRY(lem_table_row(table, row));
    }
    LEM_TRY(lem_table_break(table));
    for (size_t i = 0; i < GRIDS; i++)
        LEM_TRY(lem_table_row(table, (const double[]){(double)steps[i], on_grid[i], NAN, NAN, NAN, exact}));
    LEM_TRY(lem_table_break(table));
    for (unsigned j = COARSEST; j <= 5; j++)
        LEM_TRY(lem_table_row(table, (const double[]){pow(4, j), walk[j], NAN, NAN, NAN, exact}));
    return lem_study_figure(
        study, "passage",
        "Survival of drifted Brownian motion (mu = 0.2, alpha = b = T = 1) below the barrier: "
        "Euler-Maruyama paths looked at on n times, with and without the bridge correction, four "
        "standard errors; composed kernels (circles); the barrier shifted by 0.5826 sqrt(alpha h); the "
        "walk absorbed on a site.",
        "Looking at n times overestimates survival by a multiple of one over root n, as the shifted "
        "barrier predicts; the bridge correction is right at every n, and the walk nearly so from 64 "
        "steps on");
}

int pi_first_passage(lem_study *study) {
    double on_grid[GRIDS], walk[FINEST + 1];
    lem_moments moments[3][3];
    grid *g = malloc(sizeof *g);
    if (!g)
        return LEM_ERROR(GSL_ENOMEM, "no memory for the grid");
    for (size_t i = 0; i < GRIDS; i++)
        on_grid[i] = grid_survival(g, steps[i]);
    free(g);
    LEM_TRY(claim_closed_form(study));
    LEM_TRY(claim_shift(study, on_grid));
    LEM_TRY(claim_simulation(study, on_grid, moments));
    LEM_TRY(claim_walk(study, walk));
    return figure(study, on_grid, moments, walk);
}
