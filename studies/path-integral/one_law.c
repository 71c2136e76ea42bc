/* Walk, stochastic differential equation and path integral give one law: the double well dx = (x - x^3) dt +
 * sqrt(alpha) dW against the spectrum of its Fokker-Planck operator. */
#include "stochastic.h"

#include "attention/quadrature.h"

static const double ALPHA = .5, START = .3, TIME = 1, ONE = 1, HALF = .5;

/* --- 32 bins on [-2, 2], and the two sides --- */

enum { BINS = 32, CELLS = BINS + 2, FINE = 1024, COARSE = 8, FULL = 200000, FLOOR = 20000 };

static size_t cell_of(double x) {
    const double place = (x + 2) / 4 * BINS;
    return place < 0 ? 0 : place >= BINS ? CELLS - 1 : 1 + (size_t)place;
}

/* The integral of the density over a cell, by one panel of sixteen nodes: cells of 1/8, a density whose
 * widest feature is about 1/2. What is too small to have digits counts as nothing. */
static int cell_probabilities(double *probabilities) {
    enum { POINTS = CELLS * LEM_PANEL_NODES };
    static double x[POINTS], weight[POINTS], density[POINTS];
    for (size_t c = 0; c < CELLS; c++) {
        const double lower = c == 0 ? -3 : -2 + 4 * ((double)c - 1) / BINS;
        const double upper = c == CELLS - 1 ? 3 : -2 + 4 * (double)c / BINS;
        lem_panel_nodes(lower, upper, 1, x + c * LEM_PANEL_NODES, weight + c * LEM_PANEL_NODES);
    }
    LEM_TRY(lem_double_well_density(START, ALPHA, TIME, POINTS, x, density, NULL));
    for (size_t c = 0; c < CELLS; c++) {
        probabilities[c] = 0;
        for (size_t i = c * LEM_PANEL_NODES; i < (c + 1) * LEM_PANEL_NODES; i++)
            if (density[i] > 0)
                probabilities[c] += weight[i] * density[i];
    }
    return GSL_SUCCESS;
}

typedef struct {
    lem_sde sde;
    size_t steps;
} sde_ctx;

static int sde_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                     const void *context) {
    (void)first, (void)workspace;
    const sde_ctx *ctx = context;
    double x[2048];
    for (size_t i = 0; i < count; i++)
        x[i] = START;
    LEM_TRY(lem_euler_maruyama(stream, &ctx->sde, (lem_sde_times){0, TIME, ctx->steps}, count, x,
                               (lem_sde_observer){0}));
    for (size_t i = 0; i < count; i++)
        out->counts[cell_of(x[i])]++;
    return GSL_SUCCESS;
}

static int simulate(lem_study *study, const char *purpose, const double *strength, size_t steps,
                    uint64_t *counts) {
    const sde_ctx ctx = {{.drift = {pi_double_well_block, strength}, .alpha = ALPHA}, steps};
    lem_mc_result mc = {.counts = counts};
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = lem_study_samples(study, FULL, FLOOR),
                                      .chunk_size = 2048,
                                      .n_counts = CELLS,
                                      .chunk = sde_chunk,
                                      .ctx = &ctx},
                        &mc);
}

static int claim_sde(lem_study *study) {
    double probabilities[CELLS];
    uint64_t fine[CELLS], coarse[CELLS], half[CELLS];
    LEM_TRY(cell_probabilities(probabilities));
    LEM_TRY(simulate(study, "sde-fine", &ONE, FINE, fine));
    LEM_TRY(simulate(study, "sde-coarse", &ONE, COARSE, coarse));
    LEM_TRY(simulate(study, "sde-half", &HALF, FINE, half));
    static const lem_claim_info info = {
        .id = "pi.equivalence.sde",
        .statement =
            "Euler-Maruyama paths of the double well end with the law that the Fokker-Planck spectrum gives",
        .source = "3750, 3757 as summarised",
        .verdict = LEM_HOLDS,
        .floor = FLOOR,
        .floor_reason =
            "chi-square exceeds its mean by 0.016 a sample at 8 steps (and by 100 times as little for "
            "each tenfold number of steps, so by 0.1 in all at 1024): 200 are needed over 31 cells",
    };
    const lem_falsifier falsifiers[] = {
        {"8 steps are enough", lem_distribution_counts(CELLS, coarse, probabilities)},
        {"half the drift", lem_distribution_counts(CELLS, half, probabilities)}};
    LEM_TRY(lem_claim(study, &info, lem_distribution_counts(CELLS, fine, probabilities), falsifiers,
                      PI_COUNT(falsifiers)));
    lem_chisq_result r;
    LEM_TRY(lem_chisq_test(CELLS, fine, probabilities, &r));
    LEM_TRY(lem_value_scaled(study, "equivalence.chi2-1024", r.statistic, 3, ""));
    LEM_TRY(lem_value_scaled(study, "equivalence.chi2-df", r.df, 2, ""));
    LEM_TRY(lem_chisq_test(CELLS, coarse, probabilities, &r));
    return lem_value_scaled(study, "equivalence.chi2-8", r.statistic, 4, "");
}

/* --- the walk, simulated, against the walk evolved exactly --- */

enum { WALK_STEPS = 256, SITES = WALK_STEPS + 1, WALK_FULL = 200000, WALK_FLOOR = 10000 };

static int walk_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *context) {
    (void)first, (void)workspace;
    double m[2048];
    uint64_t cut;
    const lem_block_field drift = {pi_double_well_block, context};
    LEM_TRY(lem_biased_walk_sample(stream, &drift, WALK_STEPS, START, TIME, ALPHA, count, m, &cut));
    for (size_t i = 0; i < count; i++)
        out->counts[(size_t)(m[i] + WALK_STEPS) / 2]++;
    out->counts[SITES] += cut;
    return GSL_SUCCESS;
}

static int weak_drift(double x, double t, const void *ctx, double *value) {
    (void)t, (void)ctx;
    *value = (x - x * x * x) / 2;
    return GSL_SUCCESS;
}

/* Probabilities of the sites of the right parity. */
static int site_probabilities(lem_field_function drift, double *sites, double *clipped) {
    double all[2 * WALK_STEPS + 1];
    const lem_field field = {drift, NULL};
    LEM_TRY(lem_biased_walk_evolve(&field, WALK_STEPS, START, TIME, ALPHA, 1e-4, all, clipped));
    for (size_t j = 0; j < SITES; j++)
        sites[j] = all[2 * j];
    return GSL_SUCCESS;
}

static int claim_walk(lem_study *study) {
    double sites[SITES], half[SITES], clipped, other;
    uint64_t counts[SITES + 1];
    LEM_TRY(site_probabilities(lem_double_well_drift, sites, &clipped));
    LEM_TRY(site_probabilities(weak_drift, half, &other));
    lem_mc_result mc = {.counts = counts};
    LEM_TRY(lem_study_mc(study, "walk",
                         (lem_mc_plan){.samples = lem_study_samples(study, WALK_FULL, WALK_FLOOR),
                                       .chunk_size = 2048,
                                       .n_counts = SITES + 1,
                                       .chunk = walk_chunk,
                                       .ctx = &ONE},
                         &mc));
    static const lem_claim_info info = {
        .id = "pi.equivalence.walk",
        .statement =
            "simulated biased walks of 256 steps fall on the sites with the probabilities of the master "
            "equation",
        .source = "3749, 3750 as summarised",
        .verdict = LEM_HOLDS,
        .floor = WALK_FLOOR,
        .floor_reason =
            "half the drift moves the mean by 0.1 of a standard deviation of 0.5 and more: some 1000 walks "
            "would do; ten times as many for the chi-square limit",
    };
    const lem_falsifier falsifiers[] = {{"the bias p s/(2 alpha) in place of p s/alpha, half the drift",
                                         lem_distribution_counts(SITES, counts, half)}};
    return lem_claim(study, &info, lem_distribution_counts(SITES, counts, sites), falsifiers, 1);
}

/* --- the path integral, on Brownian bridges --- */

/* U = (alpha p' + p^2)/2, ctx: the weight of the first term */
static int gauged(size_t n, const double *at, double t, const void *ctx, double *out) {
    (void)t;
    for (size_t i = 0; i < n; i++) {
        const double x = at[i], p = x - x * x * x, slope = 1 - 3 * x * x;
        out[i] = (*(const double *)ctx * ALPHA * slope + p * p) / 2;
    }
    return GSL_SUCCESS;
}

static double phi(double x) {
    return x * x / 2 - x * x * x * x / 4;
}

enum { SLICES = 32, ENDS = 2, BRIDGES = 200000, BRIDGE_FLOOR = 5000 };
static const double END[ENDS] = {.8, -1};

/* The density at END, sampled with a given weight of p', its error, and the same on 32 slices without
 * sampling. */
static int bridge_densities(lem_study *study, const char *name, const double *weight, double *density,
                            double *error, double *lattice) {
    for (size_t i = 0; i < ENDS; i++) {
        const lem_feynman_kac p = {{gauged, weight}, START, END[i], TIME, ALPHA, SLICES};
        const double gauge = exp((phi(END[i]) - phi(START)) / ALPHA);
        lem_feynman_kac_result r;
        char purpose[64];
        (void)snprintf(purpose, sizeof purpose, "%s-%zu", name, i);
        LEM_TRY(pi_weights(study, purpose, &p, lem_study_samples(study, BRIDGES, BRIDGE_FLOOR), &r));
        LEM_TRY(pi_lattice_kernel(&p, &lattice[i], NULL));
        density[i] = gauge * r.kernel;
        error[i] = density[i] * r.relative_error;
        lattice[i] *= gauge;
    }
    return GSL_SUCCESS;
}

static int claim_bridges(lem_study *study) {
    static const double none = 0, minus = -1;
    double density[ENDS], error[ENDS], lattice[ENDS], exact[ENDS], wrong[2][ENDS], wrong_error[2][ENDS],
        unused[ENDS];
    LEM_TRY(bridge_densities(study, "bridges", &ONE, density, error, lattice));
    LEM_TRY(bridge_densities(study, "bridges-without", &none, wrong[0], wrong_error[0], unused));
    LEM_TRY(bridge_densities(study, "bridges-minus", &minus, wrong[1], wrong_error[1], unused));
    LEM_TRY(lem_double_well_density(START, ALPHA, TIME, ENDS, END, exact, NULL));
    const double samples = (double)lem_study_samples(study, BRIDGES, BRIDGE_FLOOR);
    static const lem_claim_info info = {
        .id = "pi.equivalence.bridges",
        .statement =
            "Brownian bridges weighted by exp((1/alpha) int V) give the density of the double well, on 32 "
            "slices without discretisation error",
        .source = "3757, eq. 68 as summarised",
        .verdict = LEM_HOLDS,
        .floor = BRIDGE_FLOOR,
        .floor_reason =
            "without alpha p'/2 the densities are off by a fifth and more, a weight varies by a third of its "
            "mean: 60 would do",
    };
    const lem_falsifier falsifiers[] = {
        {"V without alpha p'/2",
         lem_check_of(lem_expectation_z(ENDS, wrong[0], wrong_error[0], lattice), samples)},
        {"V with -alpha p'/2",
         lem_check_of(lem_expectation_z(ENDS, wrong[1], wrong_error[1], lattice), samples)}};
    LEM_TRY(lem_claim(study, &info, lem_check_of(lem_expectation_z(ENDS, density, error, lattice), samples),
                      falsifiers, PI_COUNT(falsifiers)));
    LEM_TRY(lem_value_estimate(study, "equivalence.density-0.8", density[0], error[0], ""));
    LEM_TRY(lem_value_estimate(study, "equivalence.density-minus-1", density[1], error[1], ""));
    LEM_TRY(lem_value_exact(study, "equivalence.exact-0.8", exact[0], 9, ""));
    return lem_value_exact(study, "equivalence.exact-minus-1", exact[1], 9, "");
}

/* Of second order: four times the slices, a sixteenth of the error; the next term is a 1/n^2 of that. */
static int claim_slices(lem_study *study) {
    double error[2][ENDS], ratio[ENDS], exact[ENDS], second[ENDS], bound[ENDS], first[ENDS];
    LEM_TRY(lem_double_well_density(START, ALPHA, TIME, ENDS, END, exact, NULL));
    for (size_t i = 0; i < ENDS; i++) {
        const double gauge = exp((phi(END[i]) - phi(START)) / ALPHA);
        for (size_t k = 0; k < 2; k++) {
            const lem_feynman_kac p = {{gauged, &ONE}, START, END[i], TIME, ALPHA, k ? 128 : 32};
            LEM_TRY(pi_lattice_kernel(&p, &error[k][i], NULL));
            error[k][i] = error[k][i] * gauge - exact[i];
        }
        ratio[i] = error[0][i] / error[1][i];
        second[i] = 16, first[i] = 4, bound[i] = 16 * 16 / (32. * 32);
    }
    static const lem_claim_info info = {
        .id = "pi.equivalence.slices",
        .statement =
            "the weighted bridges on 32 slices are off the spectral density by O(1/n^2): a sixteenth at 128",
        .source = "3757 as summarised",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {
        {"order one: a quarter", lem_identity_abs(ENDS, ratio, first, bound)}};
    return lem_claim(study, &info, lem_identity_abs(ENDS, ratio, second, bound), falsifiers, 1);
}

int pi_one_law(lem_study *study) {
    LEM_TRY(claim_sde(study));
    LEM_TRY(claim_walk(study));
    LEM_TRY(claim_bridges(study));
    return claim_slices(study);
}
