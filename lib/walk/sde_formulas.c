/* The registry entries of the stochastic half of this topic. */
#include "base/formula.h"
#include "walk/first_passage.h"
#include "walk/gbm.h"
#include "walk/option.h"

#include <math.h>

/* One result; NaN is the sign of an error already reported. */
static int one(double value, double *results, size_t *count) {
    if (isnan(value))
        return GSL_EDOM;
    results[0] = value;
    *count = 1;
    return GSL_SUCCESS;
}

/* A whole number that may be negative as typed: 0 stands for it, and is refused by name. */
static uint64_t whole(const lem_formula_value *a) {
    return a->integer < 0 ? 0 : (uint64_t)a->integer;
}

#define EVAL(name, ...)                                                                                      \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        return one(lem_##name(__VA_ARGS__), results, count);                                                 \
    }

EVAL(gbm_pdf, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real)
EVAL(gbm_cdf, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real)
EVAL(em_gbm_weak_error_mean, whole(&a[0]), a[1].real, a[2].real, a[3].real)
EVAL(em_gbm_strong_error, whole(&a[0]), a[1].real, a[2].real, a[3].real)
EVAL(milstein_gbm_strong_error, whole(&a[0]), a[1].real, a[2].real, a[3].real)
EVAL(mlmc_gbm_level_variance, whole(&a[0]), a[1].real, a[2].real, a[3].real)
EVAL(drifted_bm_survival, a[0].real, a[1].real, a[2].real, a[3].real)
EVAL(bridge_crossing_probability, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real)
EVAL(black_scholes_call, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real)
EVAL(crr_call, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real, (size_t)whole(&a[5]))

#define REAL(name, domain)                                                                                   \
    { name, LEM_ARG_REAL, domain, NULL, NULL, NULL }
#define WHOLE(name, domain)                                                                                  \
    { name, LEM_ARG_INTEGER, domain, NULL, NULL, NULL }
#define ENTRY(name, doc, source, claims, accuracy, reason, ...)                                              \
    {                                                                                                        \
#name, doc, source, claims, accuracy, reason, eval_##name, {                                         \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define CLOSED(name, doc, source, claims, reason, ...)                                                       \
    ENTRY(name, doc, source, claims, LEM_ACCURACY_CLOSED, reason, __VA_ARGS__)

#define POSITIVE(name) REAL(name, name " > 0, finite")
#define FINITE(name) REAL(name, name " finite")
#define LAW POSITIVE("S0"), FINITE("mu"), POSITIVE("sg"), POSITIVE("T")
#define SCHEME FINITE("mu"), POSITIVE("sg"), POSITIVE("T")
#define OPTION POSITIVE("S0"), POSITIVE("K"), FINITE("r"), POSITIVE("sg"), POSITIVE("T")
#define STEPS WHOLE("n", "1 <= n <= 2^40")
#define KLOEDEN "Kloeden and Platen, Numerical Solution of Stochastic Differential Equations"
#define SQUARING "sums of products of moments of blocks of steps, joined by repeated squaring"

static const lem_formula formulas[] = {
    CLOSED(gbm_pdf,
           "density of geometric Brownian motion at time T: log-normal, variance sg^2 T of the logarithm",
           "Black and Scholes 1973", "pi.gbm", "one exponential; more in the tail, with its exponent",
           POSITIVE("s"), LAW),
    CLOSED(gbm_cdf, "P(S_T <= s) of geometric Brownian motion", "Black and Scholes 1973", "pi.gbm",
           "one normal distribution function; more in the tail, with its exponent",
           REAL("s", "s >= 0, finite"), LAW),
    CLOSED(em_gbm_weak_error_mean,
           "error of the mean of n Euler-Maruyama steps, (1 + mu T/n)^n - exp(mu T), S0 = 1", KLOEDEN,
           "pi.em-orders", SQUARING, STEPS, SCHEME),
    CLOSED(em_gbm_strong_error,
           "root mean square error of n Euler-Maruyama steps for geometric Brownian motion", KLOEDEN,
           "pi.em-orders", SQUARING, STEPS, SCHEME),
    CLOSED(milstein_gbm_strong_error,
           "root mean square error of n Milstein steps for geometric Brownian motion", KLOEDEN,
           "pi.em-orders", SQUARING, STEPS, SCHEME),
    CLOSED(mlmc_gbm_level_variance,
           "Var(fine - coarse) of Euler-Maruyama with 2^l and 2^(l-1) steps on one path, S0 = 1",
           "Giles, Oper. Res. 56 (2008) 607", "pi.multilevel", SQUARING, WHOLE("l", "1 <= l <= 40"), SCHEME),
    CLOSED(drifted_bm_survival, "P(mu t + sqrt(a) W_t < b for all t <= T); 0 for b <= 0",
           "reflection and change of drift; Siegmund 1979", "pi.first-passage",
           "two normal distribution functions, or one integral of one sign", FINITE("b"), FINITE("mu"),
           POSITIVE("a"), POSITIVE("T")),
    CLOSED(
        bridge_crossing_probability,
        "P(a Brownian bridge from x to y in time h reaches b), exp(-2 (b - x)(b - y)/(a h)), 1 from above b",
        "Siegmund 1979", "pi.first-passage", "one exponential", FINITE("x"), FINITE("y"), FINITE("b"),
        POSITIVE("a"), POSITIVE("h")),
    CLOSED(black_scholes_call, "price of a European call, S0 Phi(d1) - K exp(-r T) Phi(d2)",
           "Black and Scholes 1973", "pi.black-scholes",
           "two normal distribution functions, or one integral of one sign", OPTION),
    ENTRY(crr_call, "price of a European call on a binomial tree of n steps", "Cox, Ross and Rubinstein 1979",
          "pi.black-scholes", 1e-12,
          "a sum of one sign whose weights are products of up to n factors, the largest errors far from the "
          "mode: "
          "8 n machine epsilons at n = 500, less on average",
          OPTION, WHOLE("n", "1 <= n <= 2^20, |r| sqrt(T/n) <= sg")),
};

extern const lem_formula_table lem_sde_formulas;
const lem_formula_table lem_sde_formulas = {"walk", formulas, sizeof formulas / sizeof *formulas};
