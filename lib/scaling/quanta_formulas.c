/* The registry entries of the quanta. */
#include "base/formula.h"
#include "scaling/geometric_quanta.h"
#include "scaling/quanta.h"
#include "scaling/quanta_data.h"
#include "scaling/quanta_joint.h"

#include <math.h>

/* One result; NaN is the sign of an error already reported. */
static int one(double value, double *results, size_t *count) {
    if (isnan(value))
        return GSL_EDOM;
    results[0] = value;
    *count = 1;
    return GSL_SUCCESS;
}

#define EVAL(name, ...)                                                                                      \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        return one(lem_##name(__VA_ARGS__), results, count);                                                 \
    }

EVAL(quanta_frequency, a[0].real, a[1].real)
EVAL(quanta_loss, a[0].real, a[1].real, a[2].real, a[3].real)
EVAL(quanta_loss_asymptotic, a[0].real, a[1].real, a[2].real, a[3].real)
EVAL(quanta_loss_midpoint, a[0].real, a[1].real, a[2].real, a[3].real)
EVAL(quanta_local_exponent, a[0].real, a[1].real)
EVAL(quanta_loss_finite, a[0].real, a[1].real, a[2].real)
EVAL(quanta_loss_logweight, a[0].real, a[1].real)
EVAL(quanta_cut, a[0].real, a[1].real, a[2].real)
EVAL(quanta_learn_probability, a[0].real, a[1].real, a[2].real, a[3].real)
EVAL(quanta_loss_poisson, a[0].real, a[1].real, a[2].real)
EVAL(quanta_loss_poisson_asymptotic, a[0].real, a[1].real, a[2].real)
EVAL(quanta_loss_binomial, a[0].real, a[1].real, a[2].real)
EVAL(quanta_loss_binomial_asymptotic, a[0].real, a[1].real, a[2].real)
EVAL(quanta_threshold_factor, a[0].real, a[1].real)
EVAL(quanta_learned_count, a[0].real, a[1].real, a[2].real)
EVAL(quanta_learned_count_asymptotic, a[0].real, a[1].real, a[2].real)
EVAL(quanta_loss_variance_poisson, a[0].real, a[1].real, a[2].real)
EVAL(quanta_joint_loss, a[0].real, a[1].real, a[2].real, a[3].real)
EVAL(quanta_joint_scaling, a[0].real, a[1].real, a[2].real)
EVAL(quanta_joint_optimum_x, a[0].real, a[1].real)
EVAL(geometric_quanta_loss, a[0].real, a[1].real, a[2].real)

#define REAL(name, domain)                                                                                   \
    { name, LEM_ARG_REAL, domain, NULL, NULL, NULL }
#define DEFAULT(name, domain, fallback)                                                                      \
    { name, LEM_ARG_REAL, domain, NULL, fallback, NULL }
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
#define SUM(name, doc, source, claims, ...) ENTRY(name, doc, source, claims, 2e-13, ALL_QUANTA, __VA_ARGS__)

/* tau = 1000 of 4 tau epsilons, see quanta_data.h */
#define RARE(name, doc, source, claims, reason, ...)                                                         \
    ENTRY(name, doc, source, claims, 9e-13, reason ", 4 tau epsilons", __VA_ARGS__)

#define MICHAUD "Michaud et al., arXiv:2303.13506"
#define ARTICLE "kexue.fm archive 9607"
#define KARLIN "Karlin, J. Math. Mech. 17 (1967) 373, for tau = 1"
#define ALL_QUANTA "all quanta: positive terms, then Euler-Maclaurin with incomplete gamma or beta functions"
#define ZETA "Hurwitz's zeta function by a sum of positive terms and Euler-Maclaurin"
#define N REAL("n", "n >= 0, finite")
#define N_POSITIVE REAL("n", "n > 0, finite")
#define GAMMA REAL("gamma", "1e-300 <= gamma <= 1000")
#define COSTS DEFAULT("a", "finite", "0"), DEFAULT("b", "b >= a, finite", "1")
#define K_ANY REAL("k", "k >= 1, finite")
#define D REAL("D", "D >= 0, finite")
#define D_POSITIVE REAL("D", "D > 0, finite")
#define D_WHOLE WHOLE("D", "0 <= D <= 2^53")
#define TAU WHOLE("tau", "1 <= tau <= 1000")
#define TAU_ANY WHOLE("tau", "1 <= tau <= 1e9")

static const lem_formula formulas[] = {
    CLOSED(quanta_frequency, "p_k = k^-s/zeta(s), s = gamma + 1", MICHAUD, "sl.hurwitz", ZETA, K_ANY, GAMMA),
    CLOSED(quanta_loss,
           "a + (b - a) zeta(s, n + 1)/zeta(s), s = gamma + 1: loss with the n most frequent quanta learned",
           MICHAUD, "sl.hurwitz", ZETA, N, GAMMA, COSTS),
    CLOSED(quanta_loss_asymptotic, "a + (b - a) n^-gamma/(gamma zeta(gamma + 1))", ARTICLE, "sl.asymptote",
           ZETA, N_POSITIVE, GAMMA, COSTS),
    CLOSED(quanta_loss_midpoint, "a + (b - a) (n + 1/2)^-gamma/(gamma zeta(gamma + 1))", "lemmata",
           "sl.asymptote", ZETA, N, GAMMA, COSTS),
    CLOSED(quanta_local_exponent, "-d log L/d log n = s n zeta(s + 1, n + 1)/zeta(s, n + 1), s = gamma + 1",
           "lemmata", "sl.param-exponent", ZETA, N, GAMMA),
    CLOSED(quanta_loss_finite, "sum of k^-s over n < k <= K over that over 1 <= k <= K, s = gamma + 1",
           "lemmata", "sl.finite-quanta", ZETA, WHOLE("n", "0 <= n <= K"), WHOLE("K", "1 <= K < 2^53"),
           GAMMA),
    CLOSED(quanta_loss_logweight, "sum of p_k log(1/p_k) over k > n: an unlearned quantum costs its surprise",
           "lemmata", "sl.log-weight", ZETA, N, GAMMA),
    CLOSED(quanta_cut, "floor((D/(tau zeta(s)))^(1/s)), s = gamma + 1: the last quantum expected tau times",
           ARTICLE, "sl.data-cut", "a whole number", D, TAU_ANY, GAMMA),
    RARE(quanta_learn_probability, "P(tau, D p_k): quantum k is seen tau times among Poisson(D) samples",
         MICHAUD, "sl.emergence", "incomplete gamma function", K_ANY, D, TAU, GAMMA),
    SUM(quanta_loss_poisson, "sum over k of p_k Q(tau, D p_k): expected loss, Poisson(D) samples", "lemmata",
        "sl.data-poisson", D, TAU, GAMMA),
    CLOSED(quanta_loss_poisson_asymptotic,
           "zeta(s)^(-1/s)/gamma Gamma(tau + c)/Gamma(tau) D^-c, s = gamma + 1, c = gamma/s", "lemmata",
           "sl.data-poisson", "quotients of gamma functions from Stirling's series", D_POSITIVE, TAU_ANY,
           GAMMA),
    SUM(quanta_loss_binomial, "sum over k of p_k P(binomial(D, p_k) < tau): expected loss, D samples",
        "lemmata", "sl.data-poisson sl.data-mc", D_WHOLE, TAU, GAMMA),
    CLOSED(quanta_loss_binomial_asymptotic,
           "zeta(s)^(-1/s)/gamma Gamma(tau + c)/Gamma(tau) Gamma(D + 1)/Gamma(D + 1 + c), s = gamma + 1, c = "
           "gamma/s",
           "lemmata", "sl.data-poisson", "quotients of gamma functions from Stirling's series", D_WHOLE,
           TAU_ANY, GAMMA),
    CLOSED(quanta_threshold_factor,
           "Gamma(tau + c)/(Gamma(tau) tau^c), c = gamma/(gamma + 1): expected loss over that of the cut",
           "lemmata", "sl.data-poisson", "quotients of gamma functions from Stirling's series", TAU_ANY,
           GAMMA),
    RARE(quanta_learned_count, "sum over k of P(tau, D p_k): expected number of quanta learned", KARLIN,
         "sl.learned-count", ALL_QUANTA, D, TAU, GAMMA),
    CLOSED(quanta_learned_count_asymptotic,
           "(D/zeta(s))^(1/s) Gamma(tau - 1/s)/Gamma(tau) - 1/2, s = gamma + 1", KARLIN, "sl.learned-count",
           "quotients of gamma functions from Stirling's series", D_POSITIVE, TAU_ANY, GAMMA),
    RARE(quanta_loss_variance_poisson,
         "sum over k of p_k^2 P(tau, D p_k) Q(tau, D p_k): variance of the loss", "lemmata",
         "sl.self-averaging", ALL_QUANTA, D, TAU, GAMMA),
    SUM(quanta_joint_loss,
        "sum over k <= n of p_k Q(tau, D p_k) + zeta(s, n + 1)/zeta(s): n quanta fit, D samples", "lemmata",
        "sl.joint sl.which-matters", WHOLE("n", "0 <= n <= 2^53"), D, TAU, GAMMA),
    ENTRY(quanta_joint_scaling, "P(tau, x) + x^-c Gamma(tau + c, x)/Gamma(tau), c = gamma/(gamma + 1)",
          "lemmata", "sl.joint", 2e-13, "incomplete gamma functions; tested against balls",
          REAL("x", "x > 0; inf is allowed"), TAU, GAMMA),
    ENTRY(quanta_joint_optimum_x, "root x of (gamma + 1) P(tau, x) = x^-c Gamma(tau + c, x)/Gamma(tau)",
          "lemmata", "sl.joint sl.which-matters", 2e-13,
          "bisection of incomplete gamma functions to the last bit", TAU, GAMMA),
    ENTRY(geometric_quanta_loss, "sum over k of p_k Q(tau, D p_k), p_k = (1 - q) q^(k - 1)", "lemmata",
          "sl.exponential-quanta", 2e-13, "positive terms; tested against balls",
          REAL("q", "0 < q <= 0.9999"), D, TAU),
};

extern const lem_formula_table lem_scaling_formulas; /* lib/cli/registry.c */
const lem_formula_table lem_scaling_formulas = {"scaling", formulas, sizeof formulas / sizeof *formulas};
