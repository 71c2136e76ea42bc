/* The sampling itself: D draws from Zipf's law, quanta counted, losses averaged over replicas. */
#include "study.h"

enum { SIZES = 5, LAWS = 5, GAMMAS = 3, FIGURE_COLUMNS = 7 };
static const double D[SIZES] = {300, 1000, 3000, 10000, 30000};
/* Small D are cheap; their replicas are for the variances and for skewed means. */
static const size_t REPLICAS[SIZES] = {6000, 4000, 2000, 600, 300};
static const size_t FLOOR[SIZES] = {600, 1500, 200, 60, 60};

typedef struct {
    const char *name;
    double gamma;
    size_t n_tau;
    double tau[2];
} sl_family;
static const sl_family FAMILY[GAMMAS] = {{"1", 1, 2, {1, 5}}, {"0.5", 0.5, 2, {1, 10}}, {"2", 2, 1, {3, 3}}};

/* Moments of loss and number learned. */
typedef struct {
    sl_law law;
    lem_moments loss[SIZES], count[SIZES];
} sl_runs;

/* --- replicas ----------------------------------------------------------------------------------------------
 */

typedef struct {
    const sl_family *family;
    size_t samples;
} replica_ctx;

static void *replica_alloc(const void *context) {
    const replica_ctx *ctx = context;
    return sl_tally_alloc(ctx->family->gamma, ctx->samples);
}

static int replica_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *context) {
    (void)first;
    const replica_ctx *ctx = context;
    sl_tally *tally = workspace;
    for (size_t i = 0; i < count; i++) {
        sl_tally_clear(tally);
        LEM_TRY(sl_tally_draw(tally, stream, ctx->samples));
        for (size_t t = 0; t < ctx->family->n_tau; t++) {
            double number;
            const double loss = sl_tally_loss(tally, 1, (uint32_t)ctx->family->tau[t], &number);
            LEM_TRY(lem_moments_add(&out->moments[2 * t], loss));
            LEM_TRY(lem_moments_add(&out->moments[2 * t + 1], number));
        }
    }
    return GSL_SUCCESS;
}

static int simulate(lem_study *study, const sl_family *family, sl_runs *runs) {
    for (size_t i = 0; i < SIZES; i++) {
        const replica_ctx ctx = {family, (size_t)D[i]};
        lem_moments moments[4];
        lem_mc_result mc = {.moments = moments};
        char purpose[64];
        (void)snprintf(purpose, sizeof purpose, "replicas %s %g", family->name, D[i]);
        LEM_TRY(lem_study_mc(study, purpose,
                             (lem_mc_plan){.samples = lem_study_samples(study, REPLICAS[i], FLOOR[i]),
                                           .chunk_size = 10,
                                           .n_moments = 2 * family->n_tau,
                                           .chunk = replica_chunk,
                                           .ctx = &ctx,
                                           .workspace_alloc = replica_alloc,
                                           .workspace_free = sl_tally_free},
                             &mc));
        for (size_t t = 0; t < family->n_tau; t++) {
            runs[t].law = (sl_law){family->gamma, family->tau[t]};
            runs[t].loss[i] = moments[2 * t];
            runs[t].count[i] = moments[2 * t + 1];
        }
    }
    return GSL_SUCCESS;
}

static double fewest(const size_t *of) {
    double least = HUGE_VAL;
    for (size_t i = 0; i < SIZES; i++)
        least = fmin(least, (double)of[i]);
    return least;
}

/* --- means -------------------------------------------------------------------------------------------------
 */

enum { POINTS = LAWS * SIZES };

static int mean_claim(lem_study *study, const sl_runs *runs) {
    lem_moments measured[POINTS];
    double exact[POINTS], cut[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const sl_law law = runs[i / SIZES].law;
        measured[i] = runs[i / SIZES].loss[i % SIZES];
        exact[i] = lem_quanta_loss_binomial(D[i % SIZES], law.tau, law.gamma);
        cut[i] = sl_smooth_cut(D[i % SIZES], law);
    }
    LEM_TRY(lem_value_estimate(study, "simulation.loss-1-1", lem_moments_mean(&measured[3]),
                               lem_moments_stderr(&measured[3]), ""));
    LEM_TRY(lem_value_exact(study, "simulation.loss-1-1.exact", exact[3], 5, ""));
    LEM_TRY(lem_value_exact(study, "simulation.loss-1-1.cut", cut[3], 5, ""));
    const lem_falsifier falsifiers[] = {{"the loss of the cut", lem_expectation(POINTS, measured, cut)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "sl.data-mc",
                                       .statement = "mean losses over simulated runs are the sums over "
                                                    "binomial counts: D = 300..30000, (gamma, tau) "
                                                    "= (1,1), (1,5), (0.5,1), (0.5,10), (2,3)",
                                       .source = "our addition; multitask sparse sampling of " MICHAUD,
                                       .verdict = LEM_HOLDS,
                                       .floor = fewest(FLOOR),
                                       .floor_reason = "at (0.5, 1, 30000) the cut is off by 115 standard "
                                                       "errors of 200 replicas: 63 of 60, against a "
                                                       "limit of 7"},
                     lem_expectation(POINTS, measured, exact), falsifiers, 1);
}

/* Weighted slope of log mean loss against log D; the exact means' own slope is within 1e-3 of -c, and a
 * curved line of exact means would move it. */
static int slope_claim(lem_study *study, const sl_runs *runs) {
    double slope[LAWS], stderrs[LAWS], c[LAWS], gamma[LAWS];
    static const char *const names[LAWS] = {"1-1", "1-5", "0.5-1", "0.5-10", "2-3"};
    for (size_t l = 0; l < LAWS; l++) {
        double mean[SIZES], error[SIZES], exact[SIZES];
        for (size_t i = 0; i < SIZES; i++) {
            mean[i] = lem_moments_mean(&runs[l].loss[i]);
            error[i] = lem_moments_stderr(&runs[l].loss[i]);
            exact[i] = lem_quanta_loss_binomial(D[i], runs[l].law.tau, runs[l].law.gamma);
        }
        lem_power_law fit, curve;
        LEM_TRY(lem_fit_power_law(SIZES, D, mean, error, &fit));
        LEM_TRY(lem_fit_power_law(SIZES, D, exact, error, &curve));
        c[l] = runs[l].law.gamma / (runs[l].law.gamma + 1);
        gamma[l] = runs[l].law.gamma;
        /* what the exact means bend at small D is no error of the exponent */
        slope[l] = -fit.exponent + (curve.exponent + c[l]);
        stderrs[l] = fit.exponent_stderr_formal;
        char key[64];
        (void)snprintf(key, sizeof key, "simulation.slope.%s", names[l]);
        LEM_TRY(lem_value_estimate(study, key, -fit.exponent, stderrs[l], ""));
        (void)snprintf(key, sizeof key, "simulation.slope-bend.%s", names[l]);
        LEM_TRY(lem_value_scaled(study, key, curve.exponent + c[l], 2, ""));
    }
    const double replicas = (double)lem_study_samples(study, REPLICAS[SIZES - 1], FLOOR[SIZES - 1]);
    const lem_falsifier falsifiers[] = {
        {"the exponent is gamma", lem_check_of(lem_expectation_z(LAWS, slope, stderrs, gamma), replicas)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.data-mc.slope",
            .statement = "mean simulated losses fall like D^-c, c = gamma/(gamma+1), over two decades; the "
                         "bend of the exact means at small D taken out",
            .source = ARTICLE " for the exponent",
            .verdict = LEM_HOLDS,
            .floor = fewest(FLOOR),
            .floor_reason = "gamma is off by 0.17 or more, the standard error is below 0.01"},
        lem_check_of(lem_expectation_z(LAWS, slope, stderrs, c), replicas), falsifiers, 1);
}

/* --- the number learned ------------------------------------------------------------------------------------
 */

/* Exactly D samples: the Poisson mean less D/2 times its second derivative in D; the rest is O(D^-2). */
static double count_mean(double samples, sl_law law) {
    const double h = 0.05 * samples, here = lem_quanta_learned_count(samples, law.tau, law.gamma);
    const double bend = lem_quanta_learned_count(samples + h, law.tau, law.gamma) - 2 * here +
                        lem_quanta_learned_count(samples - h, law.tau, law.gamma);
    return here - samples / 2 * bend / (h * h);
}

static int count_claim(lem_study *study, const sl_runs *runs) {
    lem_moments measured[POINTS];
    double exact[POINTS], cut[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const sl_law law = runs[i / SIZES].law;
        measured[i] = runs[i / SIZES].count[i % SIZES];
        exact[i] = count_mean(D[i % SIZES], law);
        cut[i] = lem_quanta_cut(D[i % SIZES], law.tau, law.gamma);
    }
    LEM_TRY(lem_value_estimate(study, "simulation.count-1-1", lem_moments_mean(&measured[3]),
                               lem_moments_stderr(&measured[3]), ""));
    LEM_TRY(lem_value_exact(study, "simulation.count-1-1.exact", exact[3], 5, ""));
    LEM_TRY(lem_value_exact(study, "simulation.count-1-1.cut", cut[3], 3, ""));
    const lem_falsifier falsifiers[] = {{"as many as the cut", lem_expectation(POINTS, measured, cut)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.learned-count.mc",
            .statement =
                "mean numbers of quanta learned in simulated runs are the exact ones, at the same points",
            .source = "our addition",
            .verdict = LEM_HOLDS,
            .floor = fewest(FLOOR),
            .floor_reason =
                "at (1, 1, 10000) the cut has 77 for 137, with a standard deviation below 10: 50 standard "
                "errors of 60 replicas"},
        lem_expectation(POINTS, measured, exact), falsifiers, 1);
}

/* --- variances ---------------------------------------------------------------------------------------------
 */

/* What the fixed number of samples takes away: D (dL/dD)^2. */
static double fixed_share(double samples, sl_law law) {
    const double h = 0.01 * samples;
    const double slope = (lem_quanta_loss_poisson(samples + h, law.tau, law.gamma) -
                          lem_quanta_loss_poisson(samples - h, law.tau, law.gamma)) /
                         (2 * h);
    return samples * slope * slope;
}

/* sum p^2 Q, directly; beyond 1e5 Q is one. */
static double unlearned_square(double samples, sl_law law) {
    const double first = lem_quanta_frequency(1, law.gamma), last = 1e5;
    double sum = 0;
    for (double k = last; k >= 1; k--) {
        const double p = first * pow(k, -(law.gamma + 1));
        sum += p * p * lem_gamma_cdf(samples * p, law.tau, 1, LEM_UPPER);
    }
    return sum + first * first * pow(last, -(2 * law.gamma + 1)) / (2 * law.gamma + 1);
}

static int variance_claim(lem_study *study, const sl_runs *runs) {
    enum { AT = 1 }; /* D = 1000 */
    lem_moments measured[LAWS];
    double exact[LAWS], without[LAWS];
    static const char *const names[LAWS] = {"1-1", "1-5", "0.5-1", "0.5-10", "2-3"};
    for (size_t l = 0; l < LAWS; l++) {
        const sl_law law = runs[l].law;
        measured[l] = runs[l].loss[AT];
        const double fixed = fixed_share(D[AT], law);
        exact[l] = lem_quanta_loss_variance_poisson(D[AT], law.tau, law.gamma) - fixed;
        without[l] = unlearned_square(D[AT], law) - fixed;
        char key[64];
        (void)snprintf(key, sizeof key, "simulation.sd-ratio.%s", names[l]);
        const double ratio = lem_moments_variance(&measured[l]) / exact[l];
        LEM_TRY(lem_value_estimate(study, key, sqrt(ratio),
                                   lem_moments_variance_stderr(&measured[l]) / exact[l] / (2 * sqrt(ratio)),
                                   ""));
        (void)snprintf(key, sizeof key, "simulation.without-p.%s", names[l]);
        LEM_TRY(lem_value_exact(study, key, without[l] / exact[l], 3, ""));
        (void)snprintf(key, sizeof key, "simulation.relative-sd.%s", names[l]);
        LEM_TRY(lem_value_exact(study, key,
                                sqrt(exact[l]) / lem_quanta_loss_binomial(D[AT], law.tau, law.gamma), 3, ""));
    }
    const lem_falsifier falsifiers[] = {{"sum of p^2 Q, without P", lem_variance(LAWS, measured, without)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.self-averaging",
            .statement =
                "between simulated runs of D = 1000 samples the variance of the loss is sum p^2 P Q - D "
                "(dL/dD)^2, the last term for the fixed number of samples",
            .source = "our addition",
            .verdict = LEM_HOLDS,
            .floor = (double)FLOOR[AT],
            .floor_reason = "at (0.5, 10) the variance without P is 4.5 times the true one: 0.78 of it is "
                            "missing, with a relative standard error of 0.04 of 1500 runs"},
        lem_variance(LAWS, measured, exact), falsifiers, 1);
}

/* --- figure ------------------------------------------------------------------------------------------------
 */

/* The cut's loss jumps where D p_n = tau: before and after each jump. */
static int sawtooth(lem_table *table, sl_law law) {
    LEM_TRY(lem_table_break(table));
    for (double n = 1;; n++) {
        const double jump = law.tau / lem_quanta_frequency(n, law.gamma), smooth = sl_smooth_cut(jump, law);
        if (jump > 1e5)
            return GSL_SUCCESS;
        for (int after = 0; after < 2; after++) {
            const double loss = lem_quanta_loss(n - 1 + after, law.gamma, 0, 1);
            const double row[FIGURE_COLUMNS] = {jump, loss, smooth, NAN, NAN, NAN, NAN};
            LEM_TRY(lem_table_row(table, row));
        }
    }
}

static int figure(lem_study *study, const sl_runs *runs) {
    static const char *const columns[FIGURE_COLUMNS] = {"D",
                                                        "loss, tau 1",
                                                        "power law of the cut, tau 1",
                                                        "loss, tau 5",
                                                        "power law of the cut, tau 5",
                                                        "stderr, tau 1",
                                                        "stderr, tau 5"};
    enum { THEORY = 201 };
    double grid[THEORY];
    lem_table *table;
    LEM_TRY(lem_study_table(study, "data-law", columns, COUNT(columns), &table));
    sl_log_grid(100, 1e5, THEORY, grid);
    for (size_t i = 0; i < THEORY; i++) {
        const double at = round(grid[i]);
        double row[FIGURE_COLUMNS] = {at, 0, 0, 0, 0, NAN, NAN};
        for (size_t t = 0; t < 2; t++) {
            row[2 * t + 1] = lem_quanta_loss_binomial(at, runs[t].law.tau, runs[t].law.gamma);
            row[2 * t + 2] = sl_smooth_cut(at, runs[t].law);
        }
        LEM_TRY(lem_table_row(table, row));
    }
    LEM_TRY(lem_table_break(table));
    for (size_t i = 0; i < SIZES; i++) {
        double row[FIGURE_COLUMNS] = {D[i]};
        for (size_t t = 0; t < 2; t++) {
            row[2 * t + 1] = lem_moments_mean(&runs[t].loss[i]);
            row[2 * t + 2] = sl_smooth_cut(D[i], runs[t].law);
            row[5 + t] = lem_moments_stderr(&runs[t].loss[i]);
        }
        LEM_TRY(lem_table_row(table, row));
    }
    LEM_TRY(sawtooth(table, runs[0].law));
    LEM_TRY(sawtooth(table, runs[1].law));
    return lem_study_figure(study, "data-law",
                            "Share of unlearned quanta against the number of samples, gamma = 1, when a "
                            "quantum needs one sighting or five. Lines: "
                            "exact expectation; dotted: the deterministic cut. Points: means over simulated "
                            "runs, 4 standard errors. Right: the "
                            "same, divided by the power law that the cut follows.",
                            "simulated losses lie on the exact expectation, below the power law of the "
                            "deterministic cut by a constant factor, "
                            "0.886 for one sighting and 0.975 for five");
}

int sl_simulation(lem_study *study) {
    sl_runs runs[LAWS];
    for (size_t f = 0, at = 0; f < GAMMAS; at += FAMILY[f++].n_tau)
        LEM_TRY(simulate(study, &FAMILY[f], runs + at));
    LEM_TRY(mean_claim(study, runs));
    LEM_TRY(slope_claim(study, runs));
    LEM_TRY(count_claim(study, runs));
    LEM_TRY(variance_claim(study, runs));
    return figure(study, runs);
}
