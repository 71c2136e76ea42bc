/* The registry entries of attention entropies on the sphere. */
#include "attention/entropy_scale.h"
#include "attention/planted.h"
#include "attention/sphere.h"
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
        (void)a;                                                                                             \
        return one(lem_##name(__VA_ARGS__), results, count);                                                 \
    }

EVAL(log_mgf_cosine, a[0].real, a[1].real)
EVAL(vmf_mean_resultant, a[0].real, a[1].real)
EVAL(vmf_kl_uniform, a[0].real, a[1].real)
EVAL(entropy_rate_large_d, a[0].real)
EVAL(vmf_kl_correction, a[0].real)
EVAL(tangent_lambda, )
EVAL(tangent_ratio, )
EVAL(meanfield_kappa_for_constant_entropy, a[0].real, a[1].real, a[2].real)
EVAL(entropy_scale_factor, a[0].real, a[1].real, a[2].real)
EVAL(log_length_scale, a[0].real, a[1].real)
EVAL(planted_probability, a[0].real, a[1].real, a[2].real)
EVAL(planted_probability_gauss, a[0].real, a[1].real, a[2].real)

#define REAL(name, domain)                                                                                   \
    { name, LEM_ARG_REAL, domain, NULL, NULL, NULL }
#define ENTRY(name, doc, source, claims, accuracy, reason, ...)                                              \
    {                                                                                                        \
#name, doc, source, claims, accuracy, reason, eval_##name, {                                         \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define CLOSED(name, doc, source, claims, reason, ...)                                                       \
    ENTRY(name, doc, source, claims, LEM_ACCURACY_CLOSED, reason, __VA_ARGS__)

#define KAPPA REAL("kappa", "0 <= kappa <= 1e150")
#define DIMENSION REAL("d", "2 <= d <= 1e150")
#define LAMBDA REAL("lambda", "0 <= lambda <= 1e150")
#define SPHERE "Mardia and Jupp, Directional Statistics, 2000"
#define BESSEL "a series of positive terms, or the uniform expansion in R >= 28"

static const lem_formula formulas[] = {
    CLOSED(log_mgf_cosine, "log 0F1(;d/2; alpha^2/4) = log E exp(alpha cos theta), uniform on the sphere",
           SPHERE, "entinv.kl-identity ascale.cosine-mgf", BESSEL, REAL("alpha", "0 <= alpha <= 1e150"),
           DIMENSION),
    CLOSED(vmf_mean_resultant, "A_d(kappa) = I_{d/2}(kappa)/I_{d/2-1}(kappa)", SPHERE,
           "entinv.kl-identity ascale.cosine-mgf", BESSEL, KAPPA, DIMENSION),
    CLOSED(vmf_kl_uniform,
           "D_d(kappa) = kappa A_d(kappa) - log 0F1(;d/2; kappa^2/4): von Mises-Fisher from uniform, nats",
           SPHERE, "entinv.kl-identity", BESSEL, KAPPA, DIMENSION),
    CLOSED(entropy_rate_large_d,
           "-log(1 - c^2)/2, c = (sqrt(1 + 4 lambda^2) - 1)/(2 lambda): limit of D_d(lambda d)/d",
           "kexue.fm 8823", "entinv.rate-024 entinv.linear-form", "closed form without cancellation", LAMBDA),
    CLOSED(vmf_kl_correction,
           "log(1 - c^4)/2 + 2 c^4/(1 + c^2)^2: limit of D_d(lambda d) - d entropy_rate_large_d", "lemmata",
           "entinv.rate-024", "closed form; absolute near its zero, lambda = 2.823", LAMBDA),
    CLOSED(tangent_lambda, "the lambda of the largest entropy_rate_large_d(lambda)/lambda", "lemmata",
           "entinv.linear-form", "Newton's method to the last digit", {.name = NULL}),
    CLOSED(tangent_ratio, "the largest entropy_rate_large_d(lambda)/lambda", "lemmata", "entinv.linear-form",
           "Newton's method to the last digit", {.name = NULL}),
    ENTRY(meanfield_kappa_for_constant_entropy,
          "the root kappa of D_d(kappa) = log(n/n0) + D_d(sqrt(d)): the mean-field entropy of n0 keys at n",
          "lemmata", "entinv.constant-meanfield", 1e-13,
          "bisection; rounding of D times D/(kappa D'), for kappa >= sqrt(d)/50", REAL("n", "n >= 1, finite"),
          REAL("n0", "n0 >= 1, finite"), DIMENSION),
    CLOSED(entropy_scale_factor,
           "sqrt(u + 3 (u^2 - 1)/(2 (d + 2))), u = 1 + 2 log(n/n0): factor on 1/sqrt(d) that nearly keeps "
           "the entropy of n0 keys at n",
           "lemmata", "entinv.attention-e.closed-form", "closed form", REAL("n", "n >= n0, finite"),
           REAL("n0", "n0 >= 1, finite"), DIMENSION),
    CLOSED(log_length_scale, "log(n)/log(base): the factor of Attention-E on 1/sqrt(d)", "kexue.fm 8823",
           "entinv.attention-e", "closed form", REAL("n", "n >= 1, finite"),
           REAL("base", "base > 1, finite")),
    CLOSED(planted_probability, "1/(1 + (n - 1) exp(-scale gap)): the weight of a key whose score stands out",
           "Chiang and Cholak, arXiv:2202.12172", "entinv.planted", "closed form",
           REAL("n", "n >= 1, finite"), REAL("gap", "finite"), REAL("scale", "finite")),
    CLOSED(
        planted_probability_gauss,
        "p0 + p0 (1 - p0)^2 (exp(scale^2) - 1)/(n - 1), p0 = 1/(1 + (n - 1) exp(scale^2/2 - scale gap)): its "
        "mean over N(0, 1) scores of the others, second order",
        "lemmata", "entinv.planted", "closed form", REAL("n", "n >= 2, finite"), REAL("gap", "finite"),
        REAL("scale", "scale^2 <= log n")),
};

extern const lem_formula_table lem_entropy_invariance_formulas; /* lib/cli/registry.c */
const lem_formula_table lem_entropy_invariance_formulas = {"attention", formulas,
                                                           sizeof formulas / sizeof *formulas};
