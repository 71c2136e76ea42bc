/* Geometric Brownian motion: the article's stock model, with sigma where sigma^2 belongs. */
#include "stochastic.h"

#include "attention/quadrature.h"

static const double MU = .08, SIGMA = .3, TIME = 1.5;

typedef struct {
    double mu, sigma, T;
    size_t steps;
} stock;

static int milstein_paths(lem_stream *stream, const stock *s, size_t n, double *x) {
    const lem_sde sde = {.drift = {pi_linear_block, &s->mu},
                         .diffusion = {pi_linear_block, &s->sigma},
                         .diffusion_x = {pi_constant_block, &s->sigma}};
    for (size_t i = 0; i < n; i++)
        x[i] = 1;
    return lem_milstein(stream, &sde, (lem_sde_times){0, s->T, s->steps}, n, x, (lem_sde_observer){0});
}

static int end_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                     const void *ctx) {
    (void)first, (void)workspace;
    LEM_TRY(milstein_paths(stream, ctx, count, out->records));
    return lem_moments_add_array(&out->moments[0], count, out->records);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* --- the law of S_T --- */

/* ctx: the variance of log S_T and the mean of log S_T */
typedef struct {
    double mean, variance;
} log_normal;

static double log_normal_cdf(double s, const void *ctx) {
    const log_normal *law = ctx;
    return s > 0 ? lem_normal_cdf((log(s) - law->mean) / sqrt(law->variance), LEM_LOWER) : 0;
}

static double right_cdf(double s, const void *ctx) {
    (void)ctx;
    return lem_gbm_cdf(s, 1, MU, SIGMA, TIME);
}

/* As summarised: (77) has variance sigma T about the right mean of the logarithm; (72) a drift term of the
 * other sign. */
static const log_normal summarised = {(.08 - .3 * .3 / 2) * 1.5, .3 * 1.5},
                        opposite = {-(.08 - .3 * .3 / 2) * 1.5, .3 * .3 * 1.5};

static int claim_law(lem_study *study, size_t samples, const double *sorted) {
    static const lem_claim_info info = {
        .id = "pi.gbm",
        .statement = "S_T of dS = S (mu dt + sigma dW), S_0 = 1, is log-normal: log S_T has mean (mu - "
                     "sigma^2/2) T and variance sigma^2 T",
        .source = "3766, eqs. 72, 73 and 77 as summarised",
        .verdict = LEM_REFUTED,
        .note = "sqrt(alpha) = sigma, so alpha = sigma^2: the variance is sigma^2 T and not sigma T, and "
                "(72) has neither a sigma before P_t nor + before its drift term",
        .floor = 2000,
        .floor_reason =
            "the distance of the two laws is 0.14: by Dvoretzky, Kiefer and Wolfowitz (2 x 2.694/0.14)^2 = "
            "1500 samples reject it",
    };
    const lem_falsifier falsifiers[] = {
        {"S_T of dS = S (mu dt + sigma dW) is log-normal, and log S_T has variance sigma T",
         lem_distribution_ks(samples, sorted, log_normal_cdf, &summarised)},
        {"log S_T has mean -(mu - sigma^2/2) T: the drift term of (72) with its sign as summarised",
         lem_distribution_ks(samples, sorted, log_normal_cdf, &opposite)}};
    LEM_TRY(lem_claim(study, &info, lem_distribution_ks(samples, sorted, right_cdf, NULL), falsifiers,
                      PI_COUNT(falsifiers)));
    double right, wrong;
    LEM_TRY(lem_ks_distance(samples, sorted, right_cdf, NULL, &right));
    LEM_TRY(lem_ks_distance(samples, sorted, log_normal_cdf, &summarised, &wrong));
    LEM_TRY(lem_value_scaled(study, "gbm.distance", right, 2, ""));
    return lem_value_scaled(study, "gbm.distance-summarised", wrong, 4, "");
}

/* The mean of 256 Milstein steps is exactly (1 + mu h)^256. */
static int claim_mean(lem_study *study, const lem_moments *moments) {
    const double exact = exp(MU * TIME) + lem_em_gbm_weak_error_mean(256, MU, SIGMA, TIME);
    const double wrong = exp(summarised.mean + summarised.variance / 2);
    static const lem_claim_info info = {
        .id = "pi.gbm.mean",
        .statement = "E S_T = exp(mu T), less the 3e-5 by which 256 steps are off",
        .source = "Black and Scholes 1973",
        .verdict = LEM_HOLDS,
        .floor = 2000,
        .floor_reason = "variance sigma T at the right median makes the mean 0.19 larger, half a standard "
                        "deviation of S_T: "
                        "450 samples",
    };
    const lem_falsifier falsifiers[] = {
        {"the mean with variance sigma T", lem_expectation(1, moments, &wrong)}};
    LEM_TRY(lem_claim(study, &info, lem_expectation(1, moments, &exact), falsifiers, 1));
    LEM_TRY(
        lem_value_estimate(study, "gbm.mean", lem_moments_mean(moments), lem_moments_stderr(moments), ""));
    LEM_TRY(lem_value_exact(study, "gbm.mean-exact", exp(MU * TIME), 6, ""));
    return lem_value_exact(study, "gbm.mean-summarised", wrong, 6, "");
}

/* Both laws integrate to 1, and at sigma = 1 they agree: two tests that are blind. */
static double summarised_density(double y, const void *ctx) {
    (void)ctx;
    const double z = (y - summarised.mean) / sqrt(summarised.variance);
    return exp(-z * z / 2) / sqrt(2 * 3.14159265358979324 * summarised.variance);
}

static int claim_blind(lem_study *study) {
    const double s = 1.2;
    const double measured[] = {lem_panel_integral(summarised_density, NULL, -8, 8, 64),
                               lem_normal_cdf((log(s) - (MU - .5) * TIME) / sqrt(1 * TIME), LEM_LOWER)};
    const double expected[] = {1, lem_gbm_cdf(s, 1, MU, 1, TIME)};
    const double wrong[] = {1 / SIGMA, lem_gbm_cdf(s, 1, MU, SIGMA, TIME)};
    const double bound[] = {1e-14, 1e-14}; /* 1024 nodes of one sign; a few roundings */
    static const lem_claim_info info = {
        .id = "pi.gbm.blind",
        .statement =
            "the law as summarised is normalised, and at sigma = 1 it is the right one: neither test "
            "sees its error",
        .source = "derived",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {
        {"a wrong variance shows in the normalisation", lem_identity(2, measured, wrong, bound)}};
    return lem_claim(study, &info, lem_identity(2, measured, expected, bound), falsifiers, 1);
}

/* --- how the variance grows with sigma --- */

static int log_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                     const void *ctx) {
    (void)first, (void)workspace;
    double x[2048];
    LEM_TRY(milstein_paths(stream, ctx, count, x));
    for (size_t i = 0; i < count; i++)
        x[i] = log(x[i]);
    return lem_moments_add_array(&out->moments[0], count, x);
}

static int claim_exponent(lem_study *study) {
    enum { SIGMAS = 10 };
    const size_t samples = lem_study_samples(study, 20000, 4000);
    double sigma[SIGMAS], variance[SIGMAS], error[SIGMAS];
    for (size_t i = 0; i < SIGMAS; i++) {
        char purpose[64];
        lem_moments m;
        sigma[i] = .05 * pow(1.3, (double)i);
        const stock s = {MU, sigma[i], TIME, 256};
        (void)snprintf(purpose, sizeof purpose, "stock-sigma-%zu", i);
        LEM_TRY(pi_moments(study, purpose, log_chunk, &s, samples, 1, &m));
        variance[i] = lem_moments_variance(&m);
        error[i] = lem_moments_variance_stderr(&m);
    }
    static const double two = 2, one = 1;
    static const lem_claim_info info = {
        .id = "pi.gbm.exponent",
        .statement = "the variance of log S_T grows as sigma^2: alpha is sigma squared",
        .source = "3766 as summarised, corrected",
        .verdict = LEM_HOLDS,
        .floor = 4000,
        .floor_reason =
            "a variance of 4000 samples is known to 2.2%, the exponent over a factor of ten to 0.01; at 8 "
            "degrees of freedom the interval is 0.15 wide, the falsifier is 1 away",
    };
    const lem_falsifier falsifiers[] = {
        {"it grows as sigma",
         lem_check_of(lem_exponent(SIGMAS, sigma, variance, error, &one), (double)samples)}};
    LEM_TRY(lem_claim(study, &info,
                      lem_check_of(lem_exponent(SIGMAS, sigma, variance, error, &two), (double)samples),
                      falsifiers, 1));
    lem_power_law fit;
    LEM_TRY(lem_fit_power_law(SIGMAS, sigma, variance, error, &fit));
    return lem_value_estimate(study, "gbm.exponent", fit.exponent, fit.exponent_stderr, "");
}

/* --- figure --- */

enum { BARS = 48 };
static const double WIDEST = 3;

static int figure(lem_study *study, size_t samples, const double *sorted) {
    static const char *const columns[] = {"S_T", "log-normal, sigma^2 T | counted",
                                          "log-normal, sigma T | error"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "stock", columns, PI_COUNT(columns), &table));
    for (int i = 1; i <= 300; i++) {
        const double s = WIDEST * i / 300, wrong = summarised_density(log(s), NULL) / s;
        LEM_TRY(lem_table_row(table, (const double[]){s, lem_gbm_pdf(s, 1, MU, SIGMA, TIME), wrong}));
    }
    LEM_TRY(lem_table_break(table));
    const double width = WIDEST / BARS;
    for (size_t bar = 0, i = 0; bar < BARS; bar++) {
        size_t count = 0;
        for (; i < samples && sorted[i] < (double)(bar + 1) * width; i++)
            count++;
        const double unit = 1 / ((double)samples * width);
        LEM_TRY(lem_table_row(table, (const double[]){((double)bar + .5) * width, (double)count * unit,
                                                      4 * sqrt((double)count + 1) * unit}));
    }
    return lem_study_figure(
        study, "stock",
        "Geometric Brownian motion (mu = 0.08, sigma = 0.3, T = 1.5) by 256 Milstein steps: counts "
        "with four standard errors, the log-normal law with variance sigma^2 T, and that with sigma T "
        "as summarised.",
        "Simulated prices follow the log-normal law with variance sigma squared T; the law "
        "as summarised, with sigma T, is much too wide");
}

int pi_stock(lem_study *study) {
    const size_t samples = lem_study_samples(study, 200000, 2000);
    const stock s = {MU, SIGMA, TIME, 256};
    double *ends = malloc(samples * sizeof *ends);
    if (!ends)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu prices", samples);
    lem_moments moments;
    lem_mc_result mc = {.moments = &moments, .records = ends};
    int status = lem_study_mc(study, "stock",
                              (lem_mc_plan){.samples = samples,
                                            .chunk_size = 2048,
                                            .n_moments = 1,
                                            .n_records = 1,
                                            .chunk = end_chunk,
                                            .ctx = &s},
                              &mc);
    if (!status) {
        qsort(ends, samples, sizeof *ends, ascending);
        status = claim_law(study, samples, ends);
    }
    if (!status)
        status = claim_mean(study, &moments);
    if (!status)
        status = figure(study, samples, ends);
    free(ends);
    LEM_TRY(status);
    LEM_TRY(claim_blind(study));
    return claim_exponent(study);
}
