/* Multilevel Monte Carlo for E S_T: level variances, costs, and the algorithm. */
#include "stochastic.h"

static const double MU = .08, SIGMA = .3, TIME = 1.5;

static const lem_sde stock = {.drift = {pi_linear_block, &MU}, .diffusion = {pi_linear_block, &SIGMA}};
static const lem_mlmc problem = {.sde = &stock, .x0 = 1, .T = 1.5};

/* Var of n Euler steps: (m^2 + sigma^2 h)^n - m^2n. */
static double path_variance(unsigned level) {
    const double h = ldexp(TIME, -(int)level), m = 1 + MU * h, n = ldexp(1, (int)level);
    return exp(2 * n * log1p(MU * h)) * expm1(n * log1p(SIGMA * SIGMA * h / (m * m)));
}

static double level_variance(unsigned level) {
    return level ? lem_mlmc_gbm_level_variance(level, MU, SIGMA, TIME) : SIGMA * SIGMA * TIME;
}

/* --- the variance of a level --- */

enum { LEVELS = 7, FULL = 200000, FLOOR = 20000 };

/* Two paths of one level with increments of their own. */
static int independent_chunk(lem_stream *stream, size_t first, size_t count, void *workspace,
                             lem_mc_result *out, const void *context) {
    (void)first, (void)workspace;
    const unsigned level = *(const unsigned *)context;
    double fine[2048], coarse[2048];
    for (size_t i = 0; i < count; i++)
        fine[i] = coarse[i] = 1;
    LEM_TRY(lem_euler_maruyama(stream, &stock, (lem_sde_times){0, TIME, (size_t)1 << level}, count, fine,
                               (lem_sde_observer){0}));
    LEM_TRY(lem_euler_maruyama(stream, &stock, (lem_sde_times){0, TIME, (size_t)1 << (level - 1)}, count,
                               coarse, (lem_sde_observer){0}));
    for (size_t i = 0; i < count; i++)
        fine[i] -= coarse[i];
    return lem_moments_add_array(&out->moments[0], count, fine);
}

static int claim_variances(lem_study *study) {
    const size_t samples = lem_study_samples(study, FULL, FLOOR);
    lem_moments coupled[2 * LEVELS], independent[2 * LEVELS], both[2];
    double exact[2 * LEVELS], faster[2 * LEVELS];
    for (unsigned l = 1; l <= LEVELS; l++) {
        const lem_mlmc_level ctx = {&problem, l};
        char purpose[64];
        (void)snprintf(purpose, sizeof purpose, "level-%u", l);
        LEM_TRY(pi_moments(study, purpose, lem_mlmc_chunk, &ctx, samples, 2, both));
        coupled[l - 1] = both[0];
        (void)snprintf(purpose, sizeof purpose, "independent-%u", l);
        LEM_TRY(pi_moments(study, purpose, independent_chunk, &l, samples, 1, &independent[l - 1]));
        exact[l - 1] = level_variance(l);
        faster[l - 1] = level_variance(1) * pow(4, 1 - (double)l);
        /* the fine path alone, for what one level costs */
        coupled[LEVELS + l - 1] = independent[LEVELS + l - 1] = both[1];
        exact[LEVELS + l - 1] = faster[LEVELS + l - 1] = path_variance(l);
    }
    static const lem_claim_info info = {
        .id = "pi.multilevel",
        .statement =
            "the variances of fine minus coarse, and of the fine path, on levels 1 to 7 are those of the "
            "closed forms",
        .source = "Giles 2008; closed form derived",
        .verdict = LEM_HOLDS,
        .false_alarm = 1e-12,
        .floor = FLOOR,
        .floor_reason =
            "independent increments make the variance 70 times that of level 1 and more; 20000 samples know "
            "one to 4%. The level is 1e-12, as the squares have heavy tails",
    };
    const lem_falsifier falsifiers[] = {
        {"increments of its own for each of the two paths", lem_variance(2 * LEVELS, independent, exact)},
        {"a quarter from level to level, strong order 1", lem_variance(2 * LEVELS, coupled, faster)}};
    LEM_TRY(
        lem_claim(study, &info, lem_variance(2 * LEVELS, coupled, exact), falsifiers, PI_COUNT(falsifiers)));
    LEM_TRY(lem_value_scaled(study, "multilevel.variance-4", lem_moments_variance(&coupled[3]), 3, ""));
    LEM_TRY(lem_value_exact(study, "multilevel.variance-4-exact", exact[3], 6, ""));
    return lem_value_estimate(study, "multilevel.variance-4-independent",
                              lem_moments_variance(&independent[3]),
                              lem_moments_variance_stderr(&independent[3]), "");
}

/* V_l = c h (1 + O(h)): the ratio is 2 up to h. */
static int claim_decay(lem_study *study) {
    enum { RATIOS = 4 };
    static const unsigned level[RATIOS] = {6, 10, 14, 18};
    double ratio[RATIOS], two[RATIOS], four[RATIOS], one[RATIOS], bound[RATIOS];
    for (size_t i = 0; i < RATIOS; i++) {
        ratio[i] = level_variance(level[i]) / level_variance(level[i] + 1);
        two[i] = 2, four[i] = 4, one[i] = 1;
        bound[i] = ldexp(TIME, -(int)level[i]);
    }
    static const lem_claim_info info = {
        .id = "pi.multilevel.decay",
        .statement = "the variance of a level halves from one to the next: strong order 1/2",
        .source = "Giles 2008",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {{"a quarter", lem_identity_abs(RATIOS, ratio, four, bound)},
                                        {"no decay", lem_identity_abs(RATIOS, ratio, one, bound)}};
    return lem_claim(study, &info, lem_identity_abs(RATIOS, ratio, two, bound), falsifiers,
                     PI_COUNT(falsifiers));
}

/* --- what it costs --- */

enum { ACCURACIES = 4 };

/* The first level whose bias is at most eps/sqrt 2. */
static unsigned finest_level(double eps) {
    unsigned level = 0;
    while (fabs(lem_em_gbm_weak_error_mean(UINT64_C(1) << level, MU, SIGMA, TIME)) > eps / sqrt(2))
        level++;
    return level;
}

/* Time steps for half of eps^2 as variance: of many levels with variances V_l, and of one. */
static int costs(double eps, double (*variance)(unsigned), double *many, double *single) {
    const unsigned finest = finest_level(eps);
    double v[LEM_MLMC_LEVELS], cost[LEM_MLMC_LEVELS], samples[LEM_MLMC_LEVELS];
    for (unsigned l = 0; l <= finest; l++) {
        v[l] = variance(l);
        cost[l] = lem_mlmc_cost(l);
    }
    LEM_TRY(lem_mlmc_samples(finest + 1, v, cost, eps / sqrt(2), samples));
    *many = 0;
    for (unsigned l = 0; l <= finest; l++)
        *many += samples[l] * cost[l];
    *single = ceil(2 * path_variance(finest) / (eps * eps)) * ldexp(1, (int)finest);
    return GSL_SUCCESS;
}

static double independent_variance(unsigned level) {
    return level ? path_variance(level) + path_variance(level - 1) : path_variance(0);
}

static int claim_cost(lem_study *study) {
    double many[ACCURACIES], single[ACCURACIES], apart[ACCURACIES], unused;
    for (size_t i = 0; i < ACCURACIES; i++) {
        const double eps = pow(10, -2 - (double)i);
        char key[64];
        LEM_TRY(costs(eps, level_variance, &many[i], &single[i]));
        LEM_TRY(costs(eps, independent_variance, &apart[i], &unused));
        (void)snprintf(key, sizeof key, "multilevel.gain-%zu", i + 2);
        LEM_TRY(lem_value_exact(study, key, single[i] / many[i], 3, ""));
        (void)snprintf(key, sizeof key, "multilevel.finest-%zu", i + 2);
        LEM_TRY(lem_value_exact(study, key, (double)finest_level(eps), 2, ""));
    }
    static const lem_claim_info info = {
        .id = "pi.multilevel.cost",
        .statement =
            "for a root mean square error of 1e-2 to 1e-5 many levels take fewer time steps than one",
        .source = "Giles 2008",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {{"also with independent increments on the two paths of a level",
                                         lem_inequality_strict(ACCURACIES, apart, single, NULL)}};
    return lem_claim(study, &info, lem_inequality_strict(ACCURACIES, many, single, NULL), falsifiers, 1);
}

/* --- the algorithm, which does not know the closed forms --- */

enum { RUNS = 400 };
static const double EPS = 4e-3;

static int run_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                     const void *ctx) {
    (void)stream, (void)workspace;
    const uint64_t seed = *(const uint64_t *)ctx;
    for (size_t i = 0; i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "mlmc-run-%zu", first + i);
        const lem_mlmc_options options = {EPS, 1, 400, 14, seed, lem_stream_id("path-integral"), name, 1};
        lem_mlmc_result r;
        LEM_TRY(lem_mlmc_run(&problem, &options, &r));
        const double error = (r.estimate - exp(MU * TIME)) / EPS;
        LEM_TRY(lem_moments_add(&out->moments[0], error * error));
        LEM_TRY(lem_moments_add(&out->moments[1], r.cost));
    }
    return GSL_SUCCESS;
}

static int claim_algorithm(lem_study *study) {
    const uint64_t seed = lem_study_seed(study);
    lem_moments moments[2];
    lem_mc_result mc = {.moments = moments};
    LEM_TRY(lem_study_mc(
        study, "mlmc-runs",
        (lem_mc_plan){.samples = RUNS, .chunk_size = 1, .n_moments = 2, .chunk = run_chunk, .ctx = &seed},
        &mc));
    static const lem_claim_info info = {
        .id = "pi.multilevel.algorithm",
        .statement = "Giles's algorithm, which estimates variances and bias as it goes, keeps the root mean "
                     "square error "
                     "that was asked for",
        .source = "Giles 2008",
        .verdict = LEM_HOLDS,
        .floor = RUNS,
        .floor_reason =
            "the sampling part alone of the squared error is eps^2/2 times a chi-square, known to 7% from "
            "400 runs; a tenth of eps^2 is below it by 0.8 of it: 11 standard errors, 5 + 4.8 suffice",
    };
    static const double asked = 1, tenth = .1;
    const lem_falsifier falsifiers[] = {
        {"a squared error of a tenth of it", lem_mean_at_most(1, moments, &tenth)}};
    LEM_TRY(lem_claim(study, &info, lem_mean_at_most(1, moments, &asked), falsifiers, 1));
    LEM_TRY(
        lem_value_scaled(study, "multilevel.algorithm.mean-square", lem_moments_mean(&moments[0]), 2, ""));
    double many, single;
    LEM_TRY(costs(EPS, level_variance, &many, &single));
    return lem_value_scaled(study, "multilevel.algorithm.cost", lem_moments_mean(&moments[1]) / many, 2, "");
}

int pi_levels(lem_study *study) {
    LEM_TRY(claim_variances(study));
    LEM_TRY(claim_decay(study));
    LEM_TRY(claim_cost(study));
    return claim_algorithm(study);
}
