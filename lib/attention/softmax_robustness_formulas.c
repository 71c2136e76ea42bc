/* The registry entries of noise on scores and of the least entropy of bounded scores. */
#include "attention/entropy_floor.h"
#include "attention/noisy.h"
#include "base/formula.h"

#include <math.h>

/* One result; NaN is the sign of an error already reported. */
static int one(double value, double *results, size_t *count) {
    if (isnan(value))
        return GSL_EDOM;
    results[0] = value;
    *count = 1;
    return GSL_SUCCESS;
}

#define OF_REAL(name)                                                                                        \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        return one(lem_##name(a[0].real), results, count);                                                   \
    }
OF_REAL(noise_factor_gauss)
OF_REAL(noise_factor_uniform)
OF_REAL(noise_factor_laplace)
OF_REAL(noise_factor_dropout)
OF_REAL(tie_mse_gauss)
OF_REAL(tv_bound_bounded_noise)
OF_REAL(max_entropy_deficit)

static int eval_min_entropy_cube(const lem_formula_value *a, double *results, size_t *count) {
    return one(lem_min_entropy_cube(a[0].real, a[1].real, NULL), results, count);
}

typedef double moment(size_t n, const double *p, const double *v, double sigma);

static int of_lists(moment *f, const lem_formula_value *a, double *results, size_t *count) {
    if (a[0].count != a[1].count)
        return LEM_ERROR(GSL_EBADLEN, "v has %zu entries: must have as many as p, %zu", a[1].count,
                         a[0].count);
    return one(f(a[0].count, a[0].reals, a[1].reals, a[2].real), results, count);
}

static int eval_noisy_attention_bias(const lem_formula_value *a, double *results, size_t *count) {
    return of_lists(lem_noisy_attention_bias, a, results, count);
}

static int eval_noisy_attention_mse(const lem_formula_value *a, double *results, size_t *count) {
    return of_lists(lem_noisy_attention_mse, a, results, count);
}

#define REAL(name_, domain_)                                                                                 \
    { .name = name_, .type = LEM_ARG_REAL, .domain = domain_ }
#define LISTS                                                                                                \
    {                                                                                                        \
        {.name = "p", .type = LEM_ARG_REALS, .domain = "p_i >= 0, sum 1 within 1e-9"},                       \
            {.name = "v", .type = LEM_ARG_REALS, .domain = "finite, as many as p"},                          \
            REAL("sigma", "0 <= sigma <= 8")                                                                 \
    }
#define CLOSED .accuracy = LEM_ACCURACY_CLOSED
#define ARTICLE "kexue.fm 9593"

static const lem_formula formulas[] = {
    {.name = "noise_factor_gauss",
     .doc = "Var(W)/(E W)^2 = e^(sigma^2) - 1, W = e^noise, noise N(0, sigma^2)",
     .source = "lognormal moments",
     .claims = "srob.noise-factor srob.delta-law",
     CLOSED,
     .accuracy_reason = "expm1, with the rounding of sigma^2 carried along",
     .eval = eval_noise_factor_gauss,
     .args = {REAL("sigma", "0 <= sigma <= 26")}},
    {.name = "noise_factor_uniform",
     .doc = "Var(W)/(E W)^2 = h coth(h) - 1, W = e^noise, noise uniform on [-h, h]",
     .source = "derived in lib/attention/noise.c",
     .claims = "srob.noise-factor",
     CLOSED,
     .accuracy_reason = "series of positive terms below h = 2, closed form above",
     .eval = eval_noise_factor_uniform,
     .args = {REAL("h", "h >= 0, finite")}},
    {.name = "noise_factor_laplace",
     .doc = "Var(W)/(E W)^2 = b^2 (2 + b^2)/(1 - 4 b^2), W = e^noise, noise of density e^(-|x|/b)/(2b); "
            "infinite from b = 1/2 on",
     .source = "M(k) = 1/(1 - k^2 b^2)",
     .claims = "srob.noise-factor srob.tails",
     CLOSED,
     .accuracy_reason = "closed form without cancellation",
     .eval = eval_noise_factor_laplace,
     .args = {REAL("b", "b >= 0, finite")}},
    {.name = "noise_factor_dropout",
     .doc = "Var(W)/(E W)^2 = r/(1 - r), W = 0 with probability r, else 1",
     .source = "Bernoulli moments",
     .claims = "srob.noise-factor",
     CLOSED,
     .accuracy_reason = "closed form",
     .eval = eval_noise_factor_dropout,
     .args = {REAL("r", "0 <= r < 1")}},
    {.name = "noisy_attention_bias",
     .doc = "E sum q_i v_i - sum p_i v_i, q_i = p_i W_i/sum p_j W_j, log W_i independent N(0, sigma^2)",
     .source = "lib/attention/noisy.h",
     .claims = "srob.exact srob.ensemble",
     .accuracy = 1e-12,
     .accuracy_reason = "trapezoidal rule off by 1e-20, interpolation by 2e-15, and rounding of n terms",
     .eval = eval_noisy_attention_bias,
     .args = LISTS},
    {.name = "noisy_attention_mse",
     .doc = "E (sum q_i v_i - sum p_i v_i)^2, q_i = p_i W_i/sum p_j W_j, log W_i independent N(0, sigma^2)",
     .source = "lib/attention/noisy.h",
     .claims = "srob.exact srob.delta-law srob.two-token",
     .accuracy = 1e-12,
     .accuracy_reason = "trapezoidal rule off by 1e-20, interpolation by 2e-15, and rounding of n terms",
     .eval = eval_noisy_attention_mse,
     .args = LISTS},
    {.name = "tie_mse_gauss",
     .doc = "E tanh^2(sigma Z/sqrt 2)/4: squared error between two equal tokens of values 0 and 1",
     .source = "lib/attention/noisy_tie.c",
     .claims = "srob.two-token",
     CLOSED,
     .accuracy_reason = "trapezoidal rule off by 1e-20, terms of one sign",
     .eval = eval_tie_mse_gauss,
     .args = {REAL("sigma", "sigma >= 0; inf: 1/4")}},
    {.name = "tv_bound_bounded_noise",
     .doc = "tanh(h/2), the largest total variation between softmax(s) and softmax(s + noise), |noise| <= h",
     .source = "our addition to 9593",
     .claims = "srob.bounded-noise",
     CLOSED,
     .accuracy_reason = "closed form",
     .eval = eval_tv_bound_bounded_noise,
     .args = {REAL("h", "h >= 0; inf: 1")}},
    {.name = "max_entropy_deficit",
     .doc =
         "log n less the least entropy of a softmax with scores in [-1/tau, 1/tau], n large: m - 1 - log m, "
         "m = c/(1 - e^-c), c = 2/tau",
     .source = ARTICLE,
     .claims = "srob.entropy-floor srob.temperature",
     CLOSED,
     .accuracy_reason = "as (x coth x - 1) + log(sinh(x)/x), x = 1/tau, both positive",
     .eval = eval_max_entropy_deficit,
     .args = {REAL("tau", "tau > 0, 2/tau finite; inf: 0")}},
    {.name = "min_entropy_cube",
     .doc = "the least entropy of a softmax over n scores in [-1/tau, 1/tau]: min over k of log k + log(1 + "
            "e) + "
            "c e/(1 + e), e = (n - k) e^-c/k, c = 2/tau",
     .source = "our addition to 9593",
     .claims = "srob.entropy-floor srob.temperature",
     CLOSED,
     .accuracy_reason = "terms of one sign",
     .eval = eval_min_entropy_cube,
     .args = {{.name = "n", .type = LEM_ARG_INTEGER, .domain = "2 <= n <= 2^53"},
              REAL("tau", "tau > 0, 2/tau finite")}},
};

extern const lem_formula_table lem_softmax_robustness_formulas;
const lem_formula_table lem_softmax_robustness_formulas = {"attention", formulas,
                                                           sizeof formulas / sizeof *formulas};
