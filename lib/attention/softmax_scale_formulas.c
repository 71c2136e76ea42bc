/* The registry entries of the scale of softmax attention over random scores. */
#include "attention/annealed.h"
#include "attention/extremes.h"
#include "attention/quenched.h"
#include "attention/random_energy.h"
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

#define EVAL(name, ...)                                                                                      \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        return one(lem_##name(__VA_ARGS__), results, count);                                                 \
    }

EVAL(annealed_optimum_gauss, a[0].real)
EVAL(annealed_optimum_cosine, a[0].real, a[1].real)
EVAL(annealed_trace_gauss, a[0].real, a[1].real)
EVAL(annealed_trace_cosine, a[0].real, a[1].real, a[2].real)
EVAL(expected_max_gauss, a[0].real)
EVAL(quenched_trace_gauss, a[0].real, a[1].real)
EVAL(quenched_sum_p2_gauss, a[0].real, a[1].real)
EVAL(quenched_logZ_gauss, a[0].real, a[1].real)
EVAL(quenched_entropy_gauss, a[0].real, a[1].real)
EVAL(quenched_trace_cosine, a[0].real, a[1].real, a[2].real)
EVAL(quenched_entropy_sphere, a[0].real, a[1].real, a[2].real)
EVAL(quenched_kappa_for_constant_entropy, a[0].real, a[1].real, a[2].real)
EVAL(pd_entropy, a[0].real)
EVAL(rem_mean_exponent, a[0].real)
EVAL(rem_typical_exponent, a[0].real)

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

#define N_GAUSS REAL("n", "a whole number, 2 <= n <= 1e300")
#define N_ONE REAL("n", "a whole number, 1 <= n <= 1e300")
#define N_COSINE REAL("n", "a whole number, 2 <= n <= 1e100")
#define ALPHA REAL("alpha", "0 <= alpha <= 1000")
#define DIMENSION WHOLE("d", "2 <= d <= 1e6")
#define ARTICLE "archive article 9812"
#define LAPLACE "lemmata; Laplace transform over the normaliser, see lib/attention/quenched.h"
#define RULE "trapezoidal rules off by less than 1e-17; rounding of sums of terms of one sign"

static const lem_formula formulas[] = {
    ENTRY(annealed_optimum_gauss, "sqrt(W(n sqrt(e)/2) - 1/2), where alpha (1 - e^(alpha^2)/n) is largest",
          ARTICLE, "ascale.annealed-optimum ascale.fit-084", LEM_ACCURACY_CLOSED,
          "Newton's steps on a + log1p(2a) = log n, where nothing cancels", REAL("n", "n > 1, finite")),
    ENTRY(annealed_optimum_cosine,
          "where alpha (1 - M(2 alpha)/(n M(alpha)^2)) is largest, M(alpha) = 0F1(; d/2; alpha^2/4)", ARTICLE,
          "ascale.cosine-mgf ascale.cosine-fit", 1e-12, "a bracketed root; rounding of differences of log M",
          REAL("n", "1 < n <= 1e300"), DIMENSION),
    ENTRY(annealed_trace_gauss, "alpha (1 - e^(alpha^2)/n)", ARTICLE, "ascale.no-optimum", 1e-12,
          "closed form with expm1; the exponent is a difference, up to 700 times as sensitive",
          REAL("n", "n >= 1, finite"), REAL("alpha", "alpha >= 0, finite")),
    ENTRY(annealed_trace_cosine, "alpha (1 - M(2 alpha)/(n M(alpha)^2)), M(alpha) = 0F1(; d/2; alpha^2/4)",
          ARTICLE, "ascale.cosine-mgf", 1e-11, "closed form with expm1; rounding of differences of log M",
          REAL("n", "1 <= n <= 1e300"), REAL("alpha", "0 <= alpha <= 1e100"), DIMENSION),
    ENTRY(expected_max_gauss, "E max of n standard normals", "n int s w W^(n-1) ds", "ascale.no-optimum",
          1e-13, RULE, N_ONE),
    ENTRY(quenched_trace_gauss, "alpha (1 - E sum p^2), p = softmax(alpha s), n independent N(0,1) scores",
          LAPLACE, "ascale.quenched-exact ascale.stein ascale.no-optimum", 1e-13, RULE, N_GAUSS, ALPHA),
    ENTRY(quenched_sum_p2_gauss, "E sum p^2, p = softmax(alpha s), n independent N(0,1) scores", LAPLACE,
          "ascale.quenched-exact ascale.annealed-breakdown", 1e-13, RULE, N_GAUSS, ALPHA),
    ENTRY(quenched_logZ_gauss, "E log sum e^(alpha s), n independent N(0,1) scores (nats)", LAPLACE,
          "entinv.quenched-exact", 1e-13, RULE, N_ONE, ALPHA),
    ENTRY(quenched_entropy_gauss, "E[-sum p log p] (nats), p = softmax(alpha s), n independent N(0,1) scores",
          LAPLACE, "entinv.gauss-limit ascale.rem-limit", 1e-12,
          "as above; gamma goes into the integrand, which cancels term by term", N_ONE, ALPHA),
    ENTRY(quenched_trace_cosine,
          "alpha (1 - E sum p^2), p = softmax(alpha s), s cosines of n random directions in R^d", LAPLACE,
          "ascale.cosine-quenched", 1e-13, RULE, N_COSINE, REAL("alpha", "0 <= alpha <= 1e4"), DIMENSION),
    ENTRY(quenched_entropy_sphere,
          "E[-sum p log p] (nats), p = softmax(kappa s), s cosines of n random directions in R^d", LAPLACE,
          "entinv.quenched-exact entinv.attention-e", 1e-12,
          "as above; gamma goes into the integrand, which cancels term by term",
          REAL("n", "a whole number, 1 <= n <= 1e100"), REAL("kappa", "0 <= kappa <= 1e4"), DIMENSION),
    ENTRY(quenched_kappa_for_constant_entropy,
          "kappa with quenched_entropy_sphere(n, kappa, d) = quenched_entropy_sphere(n0, sqrt(d), d)",
          LAPLACE, "entinv.attention-e", 1e-12, "Newton's steps with the exact derivative -kappa E Var",
          N_COSINE, REAL("n0", "a whole number, 2 <= n0 <= 1e100"), DIMENSION),
    ENTRY(pd_entropy, "psi(1) - psi(1-x): E[-sum w log w] (nats) of Poisson-Dirichlet weights PD(x,0)",
          "Pitman and Yor 1997", "ascale.rem-limit entinv.gauss-limit", LEM_ACCURACY_CLOSED,
          "a sum of positive terms", REAL("x", "0 < x < 1")),
    ENTRY(rem_mean_exponent, "lim -log E sum p^2/log n at alpha = a sqrt(log n): 1-a^2, (1/a+a/2)^2/2-1, 0",
          "lemmata", "ascale.annealed-breakdown", 1e-12,
          "closed form; a difference, absolute 1e-16, near a = sqrt 2", REAL("a", "a >= 0")),
    ENTRY(rem_typical_exponent,
          "lim -log(median of sum p^2)/log n at alpha = a sqrt(log n): 1-a^2, (sqrt(2)-a)^2, 0",
          "Derrida 1981", "ascale.annealed-breakdown", LEM_ACCURACY_CLOSED, "closed form",
          REAL("a", "a >= 0")),
};

extern const lem_formula_table lem_softmax_scale_formulas;
const lem_formula_table lem_softmax_scale_formulas = {"attention", formulas,
                                                      sizeof formulas / sizeof *formulas};
