/* The registry entries of random-feature attention. */
#include "attention/layer_speedup.h"
#include "attention/oprf.h"
#include "attention/orthogonal.h"
#include "attention/radius.h"
#include "attention/rf_variance.h"
#include "attention/simplex.h"
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

EVAL(softmax_rf_variance_trig, a[0].real, a[1].real)
EVAL(softmax_rf_variance_positive, a[0].real, a[1].real)
EVAL(softmax_rf_variance_hyperbolic, a[0].real, a[1].real)
EVAL(trig_positive_crossover_equal_features, a[0].real)
EVAL(trig_positive_crossover_equal_projections, a[0].real)
EVAL(orthogonal_pair_moment, a[0].real, a[1].real)
EVAL(orthogonal_pair_moment_trig, a[0].real, a[1].real)
EVAL(orthogonal_pair_cov, a[0].real, a[1].real)
EVAL(radial_variance_share, a[0].real, a[1].real)
EVAL(spherical_feature_relative_bias, a[0].real, a[1].real)
EVAL(stratified_radius_relative_bias, a[0].real, a[1].real, a[2].real)
EVAL(oprf_rho, a[0].real, a[1].real)
EVAL(oprf_A, a[0].real, a[1].real)
EVAL(oprf_log_second_moment, a[0].real, a[1].real)
EVAL(simplex_pair_moment, a[0].real, a[1].real)
EVAL(layer_speedup, a[0].real, a[1].real, a[2].real)

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

#define CHOROMANSKI "Choromanski et al., arXiv:2009.14794, lemma 2"
#define N_S REAL("N", "N >= 0, finite"), REAL("s", "|s| <= N/2")
#define N_ONLY REAL("N", "N > 0, finite")
#define D_PAIR WHOLE("d", "2 <= d <= 2^20")
#define D_ANY WHOLE("d", "1 <= d <= 2^20")
#define T REAL("t", "0 <= t <= 700")
#define PHI_D REAL("phi", "0 <= phi <= 1e150"), WHOLE("d", "1 <= d <= 2^53")
#define SERIES "a series whose terms have one sign"

static const lem_formula formulas[] = {
    CLOSED(softmax_rf_variance_trig, "exp(N) (1 - exp(-N + 2s))^2/2, N = |q|^2 + |k|^2, s = q.k", CHOROMANSKI,
           "perf.mse-exact perf.trig-vs-pos", "closed form with expm1", N_S),
    CLOSED(softmax_rf_variance_positive, "exp(2s) (exp(N + 2s) - 1), N = |q|^2 + |k|^2, s = q.k", CHOROMANSKI,
           "perf.mse-exact perf.trig-vs-pos", "closed form with expm1", N_S),
    CLOSED(softmax_rf_variance_hyperbolic, "exp(-N) (exp(N + 2s) - 1)^2/2, N = |q|^2 + |k|^2, s = q.k",
           CHOROMANSKI, "perf.mse-exact perf.trig-vs-pos", "closed form with expm1", N_S),
    CLOSED(trig_positive_crossover_equal_features,
           "log(2E/(1 + sqrt(4E^2 - 3)))/2, E = exp(N): s below which positive features beat as many "
           "trigonometric",
           "lemmata", "perf.trig-vs-pos", "rearranged in exp(N) - 1", N_ONLY),
    CLOSED(trig_positive_crossover_equal_projections,
           "-log(2 - exp(-2N))/4: s below which a positive projection beats a trigonometric one", "lemmata",
           "perf.trig-vs-pos", "closed form with log1p and expm1", N_ONLY),
    CLOSED(orthogonal_pair_moment, "1F1(d; d/2; t/2) = E exp((omega_1 + omega_2).z), orthogonal, |z|^2 = t",
           "lemmata", "perf.orth-exact", SERIES, D_PAIR, T),
    ENTRY(orthogonal_pair_moment_trig,
          "1F1(d; d/2; -t/2) = E cos((omega_1 + omega_2).z), orthogonal, |z|^2 = t", "lemmata",
          "perf.orth-exact perf.orth-trig-harm", 1e-12,
          "Kummer's alternating series in twice the precision, refused where that is not enough", D_PAIR, T),
    CLOSED(orthogonal_pair_cov, "1F1(d; d/2; t/2) - exp(t)", "lemmata",
           "perf.orth-exact perf.orth-bound perf.orth-gain-cap", SERIES, D_PAIR, T),
    CLOSED(radial_variance_share, "(0F1(;d/2; t^2/4) - 1)/(exp(t) - 1): variance that comes from |omega|",
           "lemmata", "perf.radius-share", SERIES, D_ANY, T),
    CLOSED(spherical_feature_relative_bias, "0F1(;d/2; dt/4) exp(-t/2) - 1: |omega| frozen at sqrt(d)",
           "arXiv:2009.14794, regularised softmax kernel", "perf.spherical", SERIES, D_ANY, T),
    ENTRY(stratified_radius_relative_bias,
          "exp(-t/2) mean of 0F1(;d/2; r_i^2 t/4) - 1 over m lengths with F(r_i) = i/(m+1)",
          "archive article 7921", "perf.radius-bias", 1e-11,
          "quantiles that are doubles, against a bias of a thousandth", D_ANY, T,
          WHOLE("m", "1 <= m <= 2^24")),
    CLOSED(oprf_rho, "2d/(sqrt((2 phi + d)^2 + 8d phi) + 2 phi + d), phi = |q + k|^2",
           "Likhosherstov et al., arXiv:2205.15317, theorem 1", "perf.oprf",
           "closed form without cancellation", PHI_D),
    CLOSED(oprf_A, "(1 - 1/rho)/8, rho = oprf_rho", "Likhosherstov et al., arXiv:2205.15317, theorem 1",
           "perf.oprf", "closed form without cancellation", PHI_D),
    CLOSED(oprf_log_second_moment, "d log((1 + rho)/(2 sqrt(rho))) + rho phi, rho = oprf_rho",
           "Likhosherstov et al., arXiv:2205.15317, theorem 1", "perf.oprf", "closed form with log1p", PHI_D),
    CLOSED(simplex_pair_moment,
           "E exp((omega_1 + omega_2).z) at the cosine -1/(d - 1), |z|^2 = t: mean of 1F1(d; d/2; (t/2)(1 - "
           "sin(theta)/(d - 1)))",
           "Reid et al., arXiv:2301.13856, for the features", "perf.cross-polytope",
           "panels of a smooth positive integrand", D_PAIR, T),
    CLOSED(layer_speedup, "(n + 6D)/(2m + 6D): softmax over m positive projections, one Transformer layer",
           "archive article 7921", "perf.crossover", "closed form", WHOLE("n", "1 <= n <= 2^53"),
           WHOLE("D", "0 <= D <= 2^53"), WHOLE("m", "1 <= m <= 2^53")),
};

extern const lem_formula_table lem_performer_formulas; /* lib/cli/registry.c */
const lem_formula_table lem_performer_formulas = {"attention", formulas, sizeof formulas / sizeof *formulas};
