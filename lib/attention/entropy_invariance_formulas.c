/* The registry entries of attention entropies on the sphere. */
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
};

extern const lem_formula_table lem_entropy_invariance_formulas; /* lib/cli/registry.c */
const lem_formula_table lem_entropy_invariance_formulas = {"attention", formulas,
                                                           sizeof formulas / sizeof *formulas};
