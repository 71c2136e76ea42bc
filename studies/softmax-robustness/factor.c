/* The noise factor nu = Var(W)/(E W)^2, W = e^noise: the closed forms against quadrature and samples. */
#include "study.h"

#include "attention/quadrature.h"

enum { LAWS = 13 };
static const lem_noise laws[LAWS] = {
    {LEM_NOISE_GAUSS, 0.1},   {LEM_NOISE_GAUSS, 0.5},   {LEM_NOISE_GAUSS, 1},      {LEM_NOISE_GAUSS, 2},
    {LEM_NOISE_UNIFORM, 0.1}, {LEM_NOISE_UNIFORM, 0.5}, {LEM_NOISE_UNIFORM, 1},    {LEM_NOISE_UNIFORM, 3},
    {LEM_NOISE_LAPLACE, 0.1}, {LEM_NOISE_LAPLACE, 0.3}, {LEM_NOISE_LAPLACE, 0.45}, {LEM_NOISE_DROPOUT, 0.1},
    {LEM_NOISE_DROPOUT, 0.5}};

typedef struct {
    lem_noise noise;
    double k;
} power;

/* e^(k x) times the density. */
static double integrand(double x, const void *ctx) {
    const power *c = ctx;
    const double a = c->noise.parameter;
    switch (c->noise.kind) {
    case LEM_NOISE_GAUSS:
        return exp(c->k * x - x * x / (2 * a * a)) / (a * sqrt(2 * M_PI));
    case LEM_NOISE_UNIFORM:
        return exp(c->k * x) / (2 * a);
    default:
        return exp(c->k * x - fabs(x) / a) / (2 * a);
    }
}

/* M(k) = E e^(k noise). Panels of sixteen Gauss nodes and at most a scale of the noise wide: exponentials to
 * 1e-20 on each; the range leaves out less than 1e-18. */
static double moment(lem_noise noise, double k) {
    const double a = noise.parameter;
    const power c = {noise, k};
    if (noise.kind == LEM_NOISE_DROPOUT)
        return 1 - a;
    const double reach = noise.kind == LEM_NOISE_GAUSS     ? a * (9.5 + k * a)
                         : noise.kind == LEM_NOISE_UNIFORM ? a
                                                           : 42 / (1 / a - k);
    const size_t panels = (size_t)ceil(2 * reach / fmin(a, 1));
    return lem_panel_integral(integrand, &c, -reach, 0, panels) +
           lem_panel_integral(integrand, &c, 0, reach, panels);
}

/* Var(noise): what a first-order expansion of e^noise would put in the place of nu; dropout: r. */
static double naive(lem_noise noise) {
    const double a = noise.parameter;
    switch (noise.kind) {
    case LEM_NOISE_GAUSS:
        return a * a;
    case LEM_NOISE_UNIFORM:
        return a * a / 3;
    case LEM_NOISE_LAPLACE:
        return 2 * a * a;
    default:
        return a;
    }
}

static int claim_closed_forms(lem_study *study) {
    double measured[LAWS], closed[LAWS], first_order[LAWS], bound[LAWS];
    for (int i = 0; i < LAWS; i++) {
        const double first = moment(laws[i], 1);
        measured[i] = moment(laws[i], 2) / (first * first) - 1;
        closed[i] = lem_noise_factor(laws[i]);
        first_order[i] = naive(laws[i]);
        bound[i] = 4e-14 * (1 + closed[i]) / closed[i];
    }
    LEM_TRY(lem_value_exact(study, "factor.gauss-0.5", lem_noise_factor_gauss(0.5), 4, ""));
    LEM_TRY(lem_value_exact(study, "factor.gauss-1", lem_noise_factor_gauss(1), 4, ""));
    LEM_TRY(lem_value_exact(study, "factor.gauss-2", lem_noise_factor_gauss(2), 4, ""));
    LEM_TRY(lem_value_exact(study, "factor.uniform-1", lem_noise_factor_uniform(1), 4, ""));
    LEM_TRY(lem_value_exact(study, "factor.laplace-0.45", lem_noise_factor_laplace(0.45), 4, ""));
    const lem_falsifier falsifiers[] = {
        {"nu is the variance of the noise (dropout: r)", lem_identity(LAWS, measured, first_order, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "srob.noise-factor",
                                       .statement =
                                           "Var(W)/(E W)^2, W = e^noise, is e^(sigma^2) - 1 (Gaussian), h "
                                           "coth h - 1 (uniform), b^2(2+b^2)/(1-4b^2) (Laplace, b < 1/2), "
                                           "r/(1-r) (dropout): 13 laws by quadrature",
                                       .source = OURS,
                                       .verdict = LEM_HOLDS},
                     lem_identity(LAWS, measured, closed, bound), falsifiers, 1);
}

/* --- samples --- */

enum { SAMPLED = 3, CHUNK = 1000 };
static const lem_noise sampled[SAMPLED] = {
    {LEM_NOISE_UNIFORM, 1}, {LEM_NOISE_UNIFORM, 2}, {LEM_NOISE_DROPOUT, 0.1}};

/* (W/E W - 1)^2, E W known. */
static int draw(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                const void *ctx) {
    (void)first, (void)workspace, (void)ctx;
    double x[CHUNK];
    for (size_t law = 0; law < SAMPLED; law++) {
        const double a = sampled[law].parameter;
        const double mean = sampled[law].kind == LEM_NOISE_DROPOUT ? 1 - a : sinh(a) / a;
        LEM_TRY(lem_noise_fill(sampled[law], stream, count, x));
        for (size_t i = 0; i < count; i++)
            x[i] = pow(exp(x[i]) / mean - 1, 2);
        LEM_TRY(lem_moments_add_array(&out->moments[law], count, x));
    }
    return GSL_SUCCESS;
}

static int claim_samples(lem_study *study) {
    /* the closest: h = 1, 0.3333 for 0.3130, where the square spreads by 0.34 */
    const double floor = srob_floor(0.02, 0.35, SAMPLED);
    lem_moments moments[SAMPLED];
    lem_mc_result result = {.moments = moments};
    LEM_TRY(lem_study_mc(study, "factors",
                         (lem_mc_plan){.samples = lem_study_samples(study, 500000, (size_t)floor),
                                       .chunk_size = CHUNK,
                                       .n_moments = SAMPLED,
                                       .chunk = draw},
                         &result));
    double closed[SAMPLED], wrong[SAMPLED];
    for (int i = 0; i < SAMPLED; i++)
        closed[i] = lem_noise_factor(sampled[i]), wrong[i] = naive(sampled[i]);
    const lem_falsifier falsifiers[] = {
        {"nu is the variance of the noise (dropout: r)", lem_expectation(SAMPLED, moments, wrong)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.noise-factor.sampled",
                          .statement = "samples of (W/E W - 1)^2 have the mean nu: uniform noise h = 1 and "
                                       "2, dropout r = 0.1",
                          .source = OURS,
                          .verdict = LEM_HOLDS,
                          .floor = floor,
                          .floor_reason = "at h = 1 the falsifier is off by 0.02, where the square "
                                          "spreads by 0.35; twice the normal sample size"},
        lem_expectation(SAMPLED, moments, closed), falsifiers, 1);
}

int srob_factor(lem_study *study) {
    LEM_TRY(claim_closed_forms(study));
    return claim_samples(study);
}
