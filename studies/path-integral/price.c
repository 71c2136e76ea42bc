/* A European call four ways: the closed form, the log-normal kernel, simulation, and a tree that is a biased
 * walk. */
#include "stochastic.h"

#include "attention/quadrature.h"

static const double S0 = 1, STRIKE = 1.05, RATE = .05, SIGMA = .3, TIME = 1.5, DRIFT = .08;

static double closed_form(void) {
    return lem_black_scholes_call(S0, STRIKE, RATE, SIGMA, TIME);
}

/* --- by quadrature --- */

static double discounted_gain(double y, const void *ctx) {
    const double s = STRIKE * exp(y); /* from the strike on: no kink inside */
    return exp(-RATE * TIME) * (s - STRIKE) * lem_gbm_pdf(s, S0, *(const double *)ctx, SIGMA, TIME) * s;
}

static double by_kernel(double drift) {
    return lem_panel_integral(discounted_gain, &drift, 0, 5, 60); /* to 13 standard deviations */
}

static int claim_kernel(lem_study *study) {
    const double measured = closed_form(), expected = by_kernel(RATE), wrong = by_kernel(DRIFT),
                 bound = 1e-13; /* 960 terms of one sign, each right to 100 epsilons of its exponent */
    static const lem_claim_info info = {
        .id = "pi.black-scholes",
        .statement =
            "the price of a call is the discounted mean gain over the log-normal kernel that grows at the "
            "interest rate r",
        .source = "3766 as summarised; Black and Scholes 1973",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {
        {"that grows at the drift mu of the share", lem_identity(1, &measured, &wrong, &bound)}};
    LEM_TRY(lem_claim(study, &info, lem_identity(1, &measured, &expected, &bound), falsifiers, 1));
    LEM_TRY(lem_value_exact(study, "black-scholes.price", measured, 10, ""));
    return lem_value_exact(study, "black-scholes.price-mu", wrong, 6, "");
}

/* --- by simulation of log S, which Euler-Maruyama steps exactly --- */

static int gain_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *ctx) {
    (void)first, (void)workspace;
    const lem_sde sde = {.drift = {pi_constant_block, ctx}, .alpha = SIGMA * SIGMA};
    double y[2048];
    for (size_t i = 0; i < count; i++)
        y[i] = log(S0);
    LEM_TRY(lem_euler_maruyama(stream, &sde, (lem_sde_times){0, TIME, 4}, count, y, (lem_sde_observer){0}));
    for (size_t i = 0; i < count; i++)
        y[i] = exp(-RATE * TIME) * fmax(exp(y[i]) - STRIKE, 0);
    return lem_moments_add_array(&out->moments[0], count, y);
}

enum { FULL = 400000, FLOOR = 40000 };

static int claim_simulation(lem_study *study) {
    const double drifts[] = {RATE - SIGMA * SIGMA / 2, DRIFT - SIGMA * SIGMA / 2, RATE};
    const double exact = closed_form();
    const size_t samples = lem_study_samples(study, FULL, FLOOR);
    lem_moments moments[3];
    for (size_t i = 0; i < 3; i++) {
        char purpose[64];
        (void)snprintf(purpose, sizeof purpose, "price-%zu", i);
        LEM_TRY(pi_moments(study, purpose, gain_chunk, &drifts[i], samples, 1, &moments[i]));
    }
    static const lem_claim_info info = {
        .id = "pi.black-scholes.monte-carlo",
        .statement = "simulated prices that grow at the rate r give the closed form",
        .source = "Black and Scholes 1973",
        .verdict = LEM_HOLDS,
        .floor = FLOOR,
        .floor_reason =
            "growth at mu makes the price 0.0287 larger, a gain varies by 0.28: 20 standard errors of 40000 "
            "gains, where 4.9 + 4.8 suffice",
    };
    const lem_falsifier falsifiers[] = {
        {"that grow at mu", lem_expectation(1, &moments[1], &exact)},
        {"log S without -sigma^2/2", lem_expectation(1, &moments[2], &exact)}};
    LEM_TRY(lem_claim(study, &info, lem_expectation(1, moments, &exact), falsifiers, PI_COUNT(falsifiers)));
    return lem_value_estimate(study, "black-scholes.monte-carlo", lem_moments_mean(moments),
                              lem_moments_stderr(moments), "");
}

/* --- on the tree --- */

enum { FIRST = 50, LAST = 3201, TREES = LAST - FIRST + 1 };

static int claim_tree(lem_study *study) {
    double *memory = malloc(3 * TREES * sizeof *memory);
    if (!memory)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %d trees", TREES);
    double *scaled = memory, *bound = memory + TREES, *half = memory + 2 * TREES, largest = 0, where = 0;
    const double exact = closed_form();
    for (size_t i = 0; i < TREES; i++) {
        const double n = (double)(FIRST + i);
        scaled[i] = n * fabs(lem_crr_call(S0, STRIKE, RATE, SIGMA, TIME, FIRST + i) - exact);
        bound[i] = .0385, half[i] = .0385 / 2;
        if (scaled[i] > largest)
            largest = scaled[i], where = n;
    }
    static const lem_claim_info info = {
        .id = "pi.black-scholes.tree",
        .statement = "the tree of n steps is off by at most 0.0385/n for every n = 50, ..., 3201",
        .source = "Cox, Ross and Rubinstein 1979; bound measured",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {{"at most half of that", lem_inequality(TREES, scaled, half, NULL)}};
    const int status = lem_claim(study, &info, lem_inequality(TREES, scaled, bound, NULL), falsifiers, 1);
    free(memory);
    LEM_TRY(status);
    LEM_TRY(lem_value_exact(study, "black-scholes.tree-largest", largest, 4, ""));
    return lem_value_exact(study, "black-scholes.tree-where", where, 4, "");
}

/* The tree is a biased walk of log S: with the drift that its probability q asks for, (2 q - 1) alpha/s, the
 * master equation gives its price; with r - sigma^2/2, that of the diffusion, the same up to O(1/n). */
static int constant_drift(double x, double t, const void *ctx, double *value) {
    (void)x, (void)t;
    *value = *(const double *)ctx;
    return GSL_SUCCESS;
}

enum { STEPS = 400 };

static int walk_price(double drift, double *price) {
    static double probabilities[2 * STEPS + 1];
    const lem_field field = {constant_drift, &drift};
    const double s = SIGMA * sqrt(TIME / STEPS);
    LEM_TRY(lem_biased_walk_evolve(&field, STEPS, log(S0), TIME, SIGMA * SIGMA, 0, probabilities, NULL));
    *price = 0;
    for (int j = -STEPS; j <= STEPS; j++)
        *price += probabilities[j + STEPS] * exp(-RATE * TIME) * fmax(S0 * exp(j * s) - STRIKE, 0);
    return GSL_SUCCESS;
}

static int claim_walk(lem_study *study) {
    const double h = TIME / STEPS, s = SIGMA * sqrt(h), q = (exp(RATE * h) - exp(-s)) / (exp(s) - exp(-s));
    const double tree = lem_crr_call(S0, STRIKE, RATE, SIGMA, TIME, STEPS),
                 bound = 1e-10; /* q has lost 1/s of its digits, 400 steps move the mean by 400 times that */
    double same, diffusion;
    LEM_TRY(walk_price((2 * q - 1) * SIGMA * SIGMA / s, &same));
    LEM_TRY(walk_price(RATE - SIGMA * SIGMA / 2, &diffusion));
    static const lem_claim_info info = {
        .id = "pi.black-scholes.walk",
        .statement = "the binomial tree is a biased random walk of log S with alpha = sigma^2",
        .source = "Cox, Ross and Rubinstein 1979; 3766 as summarised",
        .verdict = LEM_HOLDS,
    };
    const lem_falsifier falsifiers[] = {{"whose bias is exactly that of the diffusion, r - sigma^2/2",
                                         lem_identity(1, &diffusion, &tree, &bound)}};
    LEM_TRY(lem_claim(study, &info, lem_identity(1, &same, &tree, &bound), falsifiers, 1));
    return lem_value_exact(study, "black-scholes.walk-difference", diffusion - tree, 2, "");
}

int pi_price(lem_study *study) {
    LEM_TRY(claim_kernel(study));
    LEM_TRY(claim_simulation(study));
    LEM_TRY(claim_tree(study));
    return claim_walk(study);
}
