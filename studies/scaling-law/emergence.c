/* One task is learned at a random moment, a composite of many suddenly, the mean loss smoothly. And what many
 * passes over the same data can give. */
#include "study.h"

/* --- widths, centres, slopes -------------------------------------------------------------------------------
 */

static double chance(double x, double tau) {
    return lem_gamma_cdf(x, tau, 1, LEM_LOWER);
}

/* x at which P(tau, x) = p, from the function under test: quantum 1 at gamma = 1 has x = D 6/pi^2. */
static double quantile(double p, double tau) {
    double low = 0, high = 100 * tau;
    for (int i = 0; i < 80; i++) {
        const double x = (low + high) / 2;
        if (lem_quanta_learn_probability(1, x / lem_quanta_frequency(1, 1), tau, 1) < p)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}

enum { TAUS = 4 };
static const double TAU[TAUS] = {1, 5, 20, 100};

/* A gamma variable of shape tau is nearly normal in log x, with standard deviation tau^-1/2: log(x90/x10) is
 * 2.5631 tau^-1/2 (1 + 0.19/tau + ...), in decades 1.1131 tau^-1/2. */
static int width_claims(lem_study *study) {
    double width[TAUS], normal[TAUS], step[TAUS], bound[TAUS], inverse[TAUS];
    double centre[TAUS], third[TAUS], half[TAUS], close[TAUS];
    for (size_t i = 0; i < TAUS; i++) {
        const double tau = TAU[i];
        width[i] = log10(quantile(0.9, tau) / quantile(0.1, tau));
        normal[i] = 2 * lem_normal_quantile(0.9, LEM_LOWER) / (sqrt(tau) * M_LN10);
        step[i] = 0, inverse[i] = normal[i] / sqrt(tau);
        bound[i] = 0.25 / tau;
        centre[i] = quantile(0.5, tau);
        third[i] = tau - 1.0 / 3, half[i] = tau - 0.5;
        close[i] = 0.03 / tau; /* the next term is 8/(405 tau); log 2 - 2/3 = 0.0265 */
        char key[64];
        (void)snprintf(key, sizeof key, "emergence.width-%g", tau);
        LEM_TRY(lem_value_exact(study, key, width[i], 4, "decades"));
    }
    const lem_falsifier steps[] = {
        {"a step, as for the deterministic cut", lem_identity(TAUS, step, normal, bound)},
        {"narrower like 1/tau", lem_identity(TAUS, width, inverse, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.emergence.width",
            .statement = "from 10 to 90 percent a task needs 1.113/sqrt(tau) decades of data, to a relative "
                         "1/(4 tau): tau = 1, 5, 20, 100",
            .source = "our addition",
            .verdict = LEM_HOLDS},
        lem_identity(TAUS, width, normal, bound), steps, 2));
    const lem_falsifier halves[] = {{"tau - 1/2", lem_identity_abs(TAUS, centre, half, close)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.emergence.centre",
                          .statement =
                              "a task is learned with probability 1/2 at D p = tau - 1/3, to 0.03/tau",
                          .source = "the median of the gamma law",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(TAUS, centre, third, close), halves, 1);
}

/* Differences of P in log x, four points of step 1e-3: below 1e-11 times tau^2 for the fifth derivative,
 * 1e-12/1e-3 for rounding. */
static int slope_claim(lem_study *study) {
    double slope[TAUS], exact[TAUS], limit[TAUS], bound[TAUS];
    for (size_t i = 0; i < TAUS; i++) {
        const double tau = TAU[i], h = 1e-3;
        double p[4];
        static const double steps[] = {-2, -1, 1, 2};
        for (size_t j = 0; j < 4; j++)
            p[j] =
                lem_quanta_learn_probability(1, tau * exp(steps[j] * h) / lem_quanta_frequency(1, 1), tau, 1);
        slope[i] = (8 * (p[2] - p[1]) - (p[3] - p[0])) / (12 * h);
        exact[i] = exp(tau * log(tau) - tau - lgamma(tau));
        limit[i] = sqrt(tau / (2 * M_PI));
        bound[i] = 1e-7;
    }
    LEM_TRY(lem_value_exact(study, "emergence.at-threshold", chance(5, 5), 4, ""));
    const lem_falsifier falsifiers[] = {
        {"sqrt(tau/(2 pi)) at every tau", lem_identity(TAUS, slope, limit, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.emergence.slope",
                          .statement = "the probability rises with slope tau^tau e^-tau/Gamma(tau) in log D "
                                       "at D p = tau",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(TAUS, slope, exact, bound), falsifiers, 1);
}

/* --- tasks in the simulation -------------------------------------------------------------------------------
 */

enum { TASKS = 5, STOPS = 12, LONGEST = 30000, NEED = 5, FIRST = 25, LAST = 32, RUNS_FLOOR = 100 };
static const size_t TASK[TASKS] = {2, 4, 8, 16, 32};

static void stops(double *D) {
    sl_log_grid(10, LONGEST, STOPS, D);
    for (size_t i = 0; i < STOPS; i++)
        D[i] = round(D[i]);
}

static void *task_alloc(const void *ctx) {
    (void)ctx;
    return sl_tally_alloc(1, LONGEST);
}

static bool all_learned(const sl_tally *tally, size_t first, size_t last) {
    for (size_t k = first; k <= last; k++)
        if (tally->count[k] < NEED)
            return false;
    return true;
}

/* Counts of runs that have learned each task, and the composite of FIRST..LAST, at each stop. */
static int task_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *ctx) {
    (void)first, (void)ctx;
    sl_tally *tally = workspace;
    double D[STOPS];
    stops(D);
    for (size_t run = 0; run < count; run++) {
        sl_tally_clear(tally);
        double drawn = 0;
        for (size_t i = 0; i < STOPS; i++) {
            LEM_TRY(sl_tally_draw(tally, stream, (size_t)(D[i] - drawn)));
            drawn = D[i];
            for (size_t t = 0; t < TASKS; t++)
                out->counts[t * STOPS + i] += all_learned(tally, TASK[t], TASK[t]);
            out->counts[TASKS * STOPS + i] += all_learned(tally, FIRST, LAST);
        }
    }
    return GSL_SUCCESS;
}

static double composite(double D) {
    double product = 1;
    for (size_t k = FIRST; k <= LAST; k++)
        product *= lem_quanta_learn_probability((double)k, D, NEED, 1);
    return product;
}

static int task_claims(lem_study *study, size_t runs, const uint64_t *counts) {
    enum { N = TASKS * STOPS };
    double D[STOPS], exact[N], step[N], together[STOPS], alone[STOPS];
    uint64_t trials[N];
    stops(D);
    for (size_t i = 0; i < N; i++) {
        const double k = (double)TASK[i / STOPS], at = D[i % STOPS], p = lem_quanta_frequency(k, 1);
        exact[i] = lem_binomial_cdf(NEED - 1, (uint64_t)at, p, LEM_UPPER);
        step[i] = at * p >= NEED;
        trials[i] = runs;
    }
    for (size_t i = 0; i < STOPS; i++) {
        together[i] = composite(D[i]);
        alone[i] = lem_quanta_learn_probability(LAST, D[i], NEED, 1);
    }
    const lem_falsifier steps[] = {{"a step where D p = tau", lem_probability(N, counts, trials, step)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.emergence",
            .statement =
                "tasks 2, 4, 8, 16, 32 of gamma = 1 are learned (five sightings) with the probability that a "
                "binomial(D, p) count reaches five, at 12 sizes of D",
            .source = MICHAUD "; the law is our addition",
            .verdict = LEM_HOLDS,
            .floor = RUNS_FLOOR,
            .floor_reason = "at D = 6997 the step says that task 32 is never learned, where the probability "
                            "is 0.40: a single run rejects it, and 100 lack one with probability 0.6^100"},
        lem_probability(N, counts, trials, exact), steps, 1));
    const lem_falsifier rarest[] = {
        {"as soon as the rarest of them", lem_probability(STOPS, counts + N, trials, alone)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.emergence.composite",
            .statement = "a skill that needs the quanta 25 to 32 together comes with the product of their "
                         "probabilities",
            .source = "our addition; correlations of counts, -0.001, are below what 10^4 runs could show",
            .verdict = LEM_HOLDS,
            .floor = RUNS_FLOOR,
            .floor_reason = "at D = 6997 the rarest alone has probability 0.40 and the product 0.014: of 100 "
                            "runs 15 would be needed not to reject, which has a chance below 1e-10"},
        lem_probability(STOPS, counts + N, trials, together), rarest, 1);
}

static int figure(lem_study *study, size_t runs, const uint64_t *counts) {
    static const char *const columns[] = {"D",           "task 2",
                                          "task 4",      "task 8",
                                          "task 16",     "task 32",
                                          "composite",   "mean loss",
                                          "error of 2",  "error of 4",
                                          "error of 8",  "error of 16",
                                          "error of 32", "error of composite"};
    enum { SIZES = 201, SHARES = TASKS + 1, COLUMNS = COUNT(columns) };
    double grid[SIZES], D[STOPS];
    lem_table *table;
    stops(D);
    LEM_TRY(lem_study_table(study, "emergence", columns, COLUMNS, &table));
    sl_log_grid(10, 1e5, SIZES, grid);
    for (size_t i = 0; i < SIZES; i++) {
        double row[COLUMNS] = {grid[i]};
        for (size_t t = 0; t < TASKS; t++)
            row[1 + t] = lem_quanta_learn_probability((double)TASK[t], grid[i], NEED, 1);
        row[SHARES] = composite(grid[i]);
        row[1 + SHARES] = lem_quanta_loss_poisson(grid[i], NEED, 1);
        for (size_t t = 0; t < SHARES; t++)
            row[2 + SHARES + t] = (double)NAN;
        LEM_TRY(lem_table_row(table, row));
    }
    LEM_TRY(lem_table_break(table));
    for (size_t i = 0; i < STOPS; i++) {
        double row[COLUMNS] = {D[i]};
        for (size_t t = 0; t < SHARES; t++) {
            const double share = (double)counts[t * STOPS + i] / (double)runs;
            row[1 + t] = share;
            row[2 + SHARES + t] = sqrt(share * (1 - share) / (double)runs);
        }
        row[1 + SHARES] = (double)NAN;
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(
        study, "emergence",
        "Upper: probability that a task is learned, against the number of samples; a "
        "task needs its quantum five times "
        "(gamma = 1). Lines: Poisson law; points: shares of simulated runs, 4 standard errors; black: a "
        "skill that needs the quanta 25 to 32 all "
        "together. Lower: the expected loss meanwhile.",
        "each task appears over about half a decade of data and a composite skill later "
        "and more steeply, while the mean loss bends at the start and then follows a straight line on "
        "logarithmic axes");
}

static int tasks(lem_study *study) {
    uint64_t counts[(TASKS + 1) * STOPS];
    lem_mc_result mc = {.counts = counts};
    const size_t runs = lem_study_samples(study, 1000, RUNS_FLOOR);
    LEM_TRY(lem_study_mc(study, "tasks",
                         (lem_mc_plan){.samples = runs,
                                       .chunk_size = 10,
                                       .n_counts = (TASKS + 1) * STOPS,
                                       .chunk = task_chunk,
                                       .workspace_alloc = task_alloc,
                                       .workspace_free = sl_tally_free},
                         &mc));
    LEM_TRY(task_claims(study, runs, counts));
    return figure(study, runs, counts);
}

/* --- many passes over the same data ------------------------------------------------------------------------
 */

enum { UNIQUE = 3000, SETS = 20, PASSES = 6, THRESHOLD = 10, N_PASS = SETS * PASSES };
static const uint32_t PASS[PASSES] = {1, 2, 3, 5, 10, 100};

static int pass_claims(lem_study *study) {
    static double exposures[N_PASS], threshold[N_PASS], down[N_PASS], zero[N_PASS], floor_[N_PASS],
        decay[N_PASS];
    sl_tally *tally = sl_tally_alloc(1, UNIQUE);
    if (!tally)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %d samples", UNIQUE);
    int status = 0;
    for (size_t set = 0; set < SETS && !status; set++) {
        lem_stream stream;
        status = lem_study_stream(study, "passes", (uint32_t)set, &stream);
        sl_tally_clear(tally);
        if (!status)
            status = sl_tally_draw(tally, &stream, UNIQUE);
        for (size_t i = 0; i < PASSES && !status; i++) {
            const size_t at = set * PASSES + i;
            exposures[at] = sl_tally_loss(tally, PASS[i], THRESHOLD, NULL);
            threshold[at] = sl_tally_loss(tally, 1, (THRESHOLD + PASS[i] - 1) / PASS[i], NULL);
            down[at] = sl_tally_loss(tally, 1, THRESHOLD / PASS[i], NULL);
            zero[at] = 0;
            floor_[at] = sl_tally_loss(tally, 1, 1, NULL);
            decay[at] = sl_tally_loss(tally, 1, THRESHOLD, NULL) * pow(PASS[i], -0.5);
        }
    }
    sl_tally_free(tally);
    LEM_TRY(status);
    const lem_falsifier downs[] = {{"floor(tau/r)", lem_identity_abs(N_PASS, exposures, down, zero)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "sl.steps-epochs",
                          .statement =
                              "r passes over the same samples, every exposure counting, are the threshold "
                              "ceil(tau/r): the same bits, 20 simulated sets, tau = 10",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(N_PASS, exposures, threshold, zero), downs, 1));
    const lem_falsifier decays[] = {{"the loss falls like S^-c = r^-c beyond the first pass",
                                     lem_inequality(N_PASS, floor_, decay, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){
                         .id = "sl.steps-epochs.floor",
                         .statement = "the law of the steps S, loss ~ S^-c, holds as that of the samples: "
                                      "however many passes are made, "
                                      "the loss is not below that of one sighting",
                         .source = ARTICLE " for the law",
                         .verdict = LEM_HOLDS_WHEN,
                         .note = "one pass over fresh data, where S steps of batch B are D = SB samples",
                     },
                     lem_inequality(N_PASS, floor_, exposures, NULL), decays, 1);
}

/* All that repetition can give: the loss at tau = 1 over that at tau. */
static int gain_claim(lem_study *study) {
    static const sl_law laws[] = {{1, 10}, {1, 5}, {0.5, 10}};
    enum { N = COUNT(laws) };
    double gain[N], exact[N], decay[N], bound[N];
    for (size_t i = 0; i < N; i++) {
        const double gamma = laws[i].gamma, tau = laws[i].tau, c = gamma / (gamma + 1), D = 1e8;
        gain[i] = lem_quanta_loss_poisson(D, 1, gamma) / lem_quanta_loss_poisson(D, tau, gamma);
        exact[i] = exp(lgamma(1 + c) + lgamma(tau) - lgamma(tau + c));
        decay[i] = pow(100, -c);
        bound[i] = 5e-13; /* two sums */
    }
    LEM_TRY(lem_value_exact(study, "emergence.gain-10", gain[0], 3, ""));
    const lem_falsifier falsifiers[] = {{"100 passes give 100^-c", lem_identity(N, gain, decay, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.steps-epochs.gain",
                          .statement =
                              "all passes together lower the expected loss by no more than the factor "
                              "Gamma(1+c) Gamma(tau)/Gamma(tau+c), D = 1e8",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(N, gain, exact, bound), falsifiers, 1);
}

int sl_emergence(lem_study *study) {
    LEM_TRY(width_claims(study));
    LEM_TRY(slope_claim(study));
    LEM_TRY(tasks(study));
    LEM_TRY(pass_claims(study));
    return gain_claim(study);
}
