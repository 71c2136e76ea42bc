/* The registry entries of the projection formulas. */
#include "base/formula.h"
#include "projection/angle.h"
#include "projection/cosine.h"
#include "projection/entropy.h"
#include "projection/families.h"
#include "projection/haar.h"
#include "projection/inner.h"
#include "projection/min_dim.h"
#include "projection/norm_tail.h"
#include "projection/rsvd_bound.h"
#include "projection/simhash.h"

#include <math.h>
#include <stdlib.h>

/* One result; NaN is the sign of an error already reported. */
static int one(double value, double *results, size_t *count) {
    if (isnan(value))
        return GSL_EDOM;
    results[0] = value;
    *count = 1;
    return GSL_SUCCESS;
}

#define EVAL(name, call)                                                                                     \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        return one(call, results, count);                                                                    \
    }

EVAL(jl_norm_tail, lem_jl_norm_tail(a[0].real, a[1].real, (lem_jl_side)a[2].word))
EVAL(jl_norm_tail_log, lem_jl_norm_tail_log(a[0].real, a[1].real, (lem_jl_side)a[2].word))
EVAL(jl_norm_tail_chernoff, lem_jl_norm_tail_chernoff(a[0].real, a[1].real, (lem_jl_side)a[2].word))
EVAL(jl_norm_tail_chernoff_log, lem_jl_norm_tail_chernoff_log(a[0].real, a[1].real, (lem_jl_side)a[2].word))
EVAL(jl_exponent_ratio, lem_jl_exponent_ratio(a[0].real))
EVAL(jl_inner_tail, lem_jl_inner_tail(a[0].real, a[1].real, a[2].real))
EVAL(jl_inner_tail_log, lem_jl_inner_tail_log(a[0].real, a[1].real, a[2].real))
EVAL(jl_inner_rate, lem_jl_inner_rate(a[0].real, a[1].real))
EVAL(jl_union_bound_log, lem_jl_union_bound_log(a[0].real, a[1].real, a[2].real))
EVAL(jl_min_dim, lem_jl_min_dim(a[0].real, a[1].real, a[2].real, (lem_min_dim_method)a[3].word))
EVAL(jl_min_dim_haar, lem_jl_min_dim_haar(a[0].real, a[1].real, a[2].real, a[3].real))
EVAL(jl_haar_tail, lem_jl_haar_tail(a[0].real, a[1].real, a[2].real, (lem_jl_side)a[3].word))
EVAL(jl_haar_tail_log, lem_jl_haar_tail_log(a[0].real, a[1].real, a[2].real, (lem_jl_side)a[3].word))
EVAL(cosine_abs_tail, lem_cosine_abs_tail(a[0].real, a[1].real))
EVAL(cosine_abs_tail_log, lem_cosine_abs_tail_log(a[0].real, a[1].real))
EVAL(angle_pdf, lem_angle_pdf(a[0].real, a[1].real))
EVAL(angle_pdf_log, lem_angle_pdf_log(a[0].real, a[1].real))
EVAL(max_cosine_median, lem_max_cosine_median(a[0].real, a[1].real))
EVAL(skipgram_entropy_gap, lem_skipgram_entropy_gap(a[0].real, a[1].real))
EVAL(embedding_dim_threshold, lem_embedding_dim_threshold(a[0].real, a[1].real, (lem_entropy_mode)a[2].word))
EVAL(embedding_dim_coefficient, lem_embedding_dim_coefficient(a[0].real))
EVAL(simhash_bias, lem_simhash_bias(a[0].real))
EVAL(projected_cosine_mean, lem_projected_cosine_mean(a[0].real, a[1].real))
EVAL(cosine_estimate_variance,
     lem_cosine_estimate_variance((lem_cosine_estimate)a[0].word, a[1].real, a[2].real))
EVAL(jl_norm_variance,
     lem_jl_norm_variance((lem_projection_kind)a[0].word, a[1].real, a[2].real, a[3].real, a[4].real))

static int eval_simhash_cos_mean_var(const lem_formula_value *a, double *results, size_t *count) {
    *count = 2;
    return lem_simhash_cos_mean_var(a[0].real, a[1].real, &results[0], &results[1]);
}

/* The spectrum of the bounds: sigma_j = j^-alpha, j = 1..N, or the list itself. */
enum { SPECTRUM_POWER, SPECTRUM_LIST };

typedef struct {
    const double *sigma;
    size_t count;
    double *owned;
} spectrum;

static int spectrum_from(const lem_formula_value *a, spectrum *s) {
    *s = (spectrum){a[3].reals, a[3].count, NULL};
    if (a[0].word == SPECTRUM_LIST)
        return GSL_SUCCESS;
    double alpha = a[1].real;
    long long N = a[2].integer;
    if (!(alpha >= 0) || !isfinite(alpha))
        return LEM_ERROR(GSL_EDOM, "alpha = %g: must be >= 0 and finite", alpha);
    if (N < 3 || N > 10000000)
        return LEM_ERROR(GSL_EDOM, "N = %lld: must be between 3 and 10000000", N);
    s->owned = malloc((size_t)N * sizeof *s->owned);
    if (!s->owned)
        return LEM_ERROR(GSL_ENOMEM, "N = %lld: no memory for the singular values", N);
    for (long long j = 0; j < N; j++)
        s->owned[j] = pow((double)(j + 1), -alpha);
    s->sigma = s->owned;
    s->count = (size_t)N;
    return GSL_SUCCESS;
}

/* A count as size_t; negative ones become 0, which the bound refuses (q excepted: checked by its caller). */
static size_t whole(const lem_formula_value *a) {
    return a->integer < 0 ? 0 : (size_t)a->integer;
}

static int eval_rsvd_bound_fro(const lem_formula_value *a, double *results, size_t *count) {
    spectrum s;
    int status = spectrum_from(a + 2, &s);
    if (!status)
        status = one(lem_rsvd_bound_fro(whole(&a[0]), whole(&a[1]), s.sigma, s.count), results, count);
    free(s.owned);
    return status;
}

static int eval_rsvd_bound_spec(const lem_formula_value *a, double *results, size_t *count) {
    if (a[2].integer < 0)
        return LEM_ERROR(GSL_EDOM, "q = %lld: must be >= 0", a[2].integer);
    spectrum s;
    int status = spectrum_from(a + 3, &s);
    if (!status)
        status = one(lem_rsvd_bound_spec(whole(&a[0]), whole(&a[1]), whole(&a[2]), s.sigma, s.count), results,
                     count);
    free(s.owned);
    return status;
}

#define REAL(name, domain)                                                                                   \
    { name, LEM_ARG_REAL, domain, NULL, NULL, NULL }
#define INTEGER(name, domain)                                                                                \
    { name, LEM_ARG_INTEGER, domain, NULL, NULL, NULL }
#define WORD(name, words)                                                                                    \
    { name, LEM_ARG_WORD, words, words, NULL, NULL }
#define ENTRY(name, doc, source, claims, accuracy, reason, ...)                                              \
    {                                                                                                        \
#name, doc, source, claims, accuracy, reason, eval_##name, {                                         \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define CLOSED(name, doc, source, claims, reason, ...)                                                       \
    ENTRY(name, doc, source, claims, LEM_ACCURACY_CLOSED, reason, __VA_ARGS__)

#define N_REAL REAL("n", "n >= 1, finite")
#define N_DIRECTIONS REAL("n", "n >= 2, finite")
#define POINTS INTEGER("N", "2 <= N <= 2^53")
#define SIDE WORD("side", "upper|lower")
#define EPS_SIDE REAL("eps", "eps > 0, finite; eps < 1 for side=lower")
#define EPS_OPEN REAL("eps", "0 < eps < 1")
#define EPS_POSITIVE REAL("eps", "eps > 0, finite")
#define RHO REAL("rho", "-1 <= rho <= 1")
#define DELTA REAL("delta", "0 < delta <= N(N-1)")
#define THETA REAL("theta", "0 <= theta <= pi (as a double)")
#define SPECTRUM_ARGS                                                                                        \
    {"spectrum",   LEM_ARG_WORD, "power (sigma_j = j^-alpha, j = 1..N) or list (sigma itself)",              \
     "power|list", "power",      NULL},                                                                      \
        {"alpha", LEM_ARG_REAL, "alpha >= 0, finite; with spectrum=power", NULL, NULL, "spectrum=power"},    \
        {"N", LEM_ARG_INTEGER, "k + p <= N <= 10000000; with spectrum=power", NULL, NULL, "spectrum=power"}, \
    {                                                                                                        \
        "sigma", LEM_ARG_REALS, "at least k + p values, finite, >= 0, non-increasing; with spectrum=list",   \
            NULL, NULL, "spectrum=list"                                                                      \
    }

static const lem_formula formulas[] = {
    CLOSED(jl_norm_tail,
           "P(|Au|^2 >= 1+eps) = Q(n/2, n(1+eps)/2) (upper) or P(|Au|^2 <= 1-eps) = P(n/2, n(1-eps)/2) "
           "(lower), Gaussian A",
           "Dasgupta & Gupta 2003", "jl.norm-tail jl.distance",
           "exponent written in eps with one rounding, slowly varying factor by Temme's expansion, series or "
           "continued fraction",
           N_REAL, EPS_SIDE, SIDE),
    CLOSED(jl_norm_tail_log, "log of jl_norm_tail", "Dasgupta & Gupta 2003", "jl.norm-tail jl.distance",
           "as jl_norm_tail; the logarithm is at most log 0.69", N_REAL, EPS_SIDE, SIDE),
    CLOSED(jl_norm_tail_chernoff, "exp((n/2)(log(1+-eps) -+ eps)), Chernoff's bound of jl_norm_tail",
           "Dasgupta & Gupta 2003, Lemma 2.2", "jl.norm-tail",
           "log(1+e) - e without cancellation, product rounding carried along", N_REAL, EPS_SIDE, SIDE),
    CLOSED(jl_norm_tail_chernoff_log, "(n/2)(log(1+-eps) -+ eps)", "Dasgupta & Gupta 2003, Lemma 2.2",
           "jl.norm-tail", "log(1+e) - e without cancellation", N_REAL, EPS_SIDE, SIDE),
    CLOSED(jl_exponent_ratio, "(eps - log(1+eps))/(2 eps^2), the c of exp(-c n eps^2) at this eps", "lemmata",
           "jl.best-constant", "log(1+e) - e without cancellation", REAL("eps", "eps >= 0, finite")),
    ENTRY(jl_inner_tail, "P(<Au,Av> - rho >= eps) for unit u, v with <u,v> = rho, Gaussian A", "lemmata",
          "jl.inner jl.orthogonality", 1e-12,
          "trapezoidal rule on a positive analytic integrand, halved until two rules agree to 1e-12", N_REAL,
          EPS_POSITIVE, RHO),
    ENTRY(jl_inner_tail_log, "log of jl_inner_tail; -inf at rho = -1, eps >= 1", "lemmata",
          "jl.inner jl.orthogonality", 1e-12, "as jl_inner_tail", N_REAL, EPS_POSITIVE, RHO),
    CLOSED(jl_inner_rate,
           "sup over l of l(rho+eps) + log(1 - 2 l rho - l^2(1-rho^2))/2, the rate of jl_inner_tail; inf at "
           "rho = -1, "
           "eps >= 1",
           "lemmata", "jl.inner jl.orthogonality",
           "saddle point in closed form, linear parts cancelled on paper", EPS_POSITIVE, RHO),
    CLOSED(jl_union_bound_log, "log(N(N-1)/2 [P(|Au|^2 >= 1+eps) + P(|Au|^2 <= 1-eps)]), Gaussian A",
           "lemmata", "jl.distance",
           "sum of two logarithms; near a bound of 1 the error is relative to log N^2", POINTS, N_REAL,
           EPS_OPEN),
    CLOSED(
        jl_min_dim,
        "dimension for N points within 1+-eps with failure delta: exact and chernoff, smallest whole n of "
        "the "
        "union bound; su24 = 24 log N/eps^2, su16 = 16 log N/eps^2, dg4 = 4 log N/(eps^2/2 - eps^3/3) (real, "
        "delta not used)",
        "archive article 8679; Dasgupta & Gupta 2003, Theorem 2.1", "jl.distance",
        "whole numbers by bisection, closed forms else", POINTS, EPS_OPEN, DELTA,
        WORD("method", "exact|chernoff|su24|su16|dg4")),
    CLOSED(jl_min_dim_haar,
           "smallest whole n of the exact union bound for a random orthogonal projection from m "
           "dimensions (at most m)",
           "lemmata", "jl.haar-tail", "whole numbers by bisection", INTEGER("m", "1 <= m <= 2^53"), POINTS,
           EPS_OPEN, DELTA),
    ENTRY(jl_haar_tail,
          "P(|Au|^2 >= 1+eps) or P(|Au|^2 <= 1-eps), A = n Haar rows times sqrt(m/n): (n/m)|Au|^2 ~ "
          "Beta(n/2,(m-n)/2)",
          "lemmata", "jl.haar-tail", 1e-11, "libRmath pbeta in logarithms", REAL("m", "m >= 1, finite"),
          REAL("n", "1 <= n <= m"), EPS_SIDE, SIDE),
    ENTRY(jl_haar_tail_log, "log of jl_haar_tail; -inf where that is 0", "lemmata", "jl.haar-tail", 1e-12,
          "libRmath pbeta in logarithms", REAL("m", "m >= 1, finite"), REAL("n", "1 <= n <= m"), EPS_SIDE,
          SIDE),
    CLOSED(cosine_abs_tail, "P(|cos| >= eps) = I_{1-eps^2}((n-1)/2, 1/2), two random directions in R^n",
           "archive article 7076", "jl.angle jl.golden-cosine",
           "libRmath pbeta, from the smaller of eps^2 and 1-eps^2", N_DIRECTIONS,
           REAL("eps", "0 <= eps <= 1")),
    CLOSED(cosine_abs_tail_log, "log of cosine_abs_tail; -inf at eps = 1", "archive article 7076",
           "jl.angle jl.golden-cosine", "libRmath pbeta", N_DIRECTIONS, REAL("eps", "0 <= eps <= 1")),
    CLOSED(angle_pdf, "Gamma(n/2)/(Gamma((n-1)/2) sqrt(pi)) sin(theta)^(n-2)", "archive article 7076",
           "jl.angle", "Gamma ratio by series, power from the cosine near pi/2", N_DIRECTIONS, THETA),
    CLOSED(angle_pdf_log, "log of angle_pdf; -inf at theta = 0 for n > 2", "archive article 7076", "jl.angle",
           "as angle_pdf; absolute where the density is near 1", N_DIRECTIONS, THETA),
    ENTRY(max_cosine_median,
          "x with (N^2/2) P(|cos| >= x) = log 2: median of the largest of N^2 cosines in R^n", "lemmata",
          "jl.golden-cosine", 1e-13, "bisection to neighbouring doubles on libRmath's log pbeta",
          N_DIRECTIONS, POINTS),
    CLOSED(skipgram_entropy_gap,
           "h_n(beta) = log Gamma(nu+1) + nu log(2/k) + log I_nu(k) - k I_{nu+1}(k)/I_nu(k), nu = n/2-1, k = "
           "beta n",
           "archive article 7695", "jl.entropy-dimension jl.radius jl.rem-freezing",
           "positive series, Debye and Hankel expansions with the large parts cancelled on paper",
           N_DIRECTIONS, REAL("beta", "beta >= 0, finite")),
    ENTRY(embedding_dim_threshold, "real n >= 2 with c log N + h_n(beta) = 0, c = 2 (joint) or 1 (row)",
          "archive articles 7695, 8711", "jl.entropy-dimension jl.radius jl.rem-freezing", 1e-13,
          "bisection to neighbouring doubles; h is right to 64 epsilons and nearly linear in n", POINTS,
          REAL("beta", "beta > 0, finite, with c log N + h_2(beta) >= 0"), WORD("mode", "joint|row")),
    CLOSED(embedding_dim_coefficient, "C(beta) = -4/log(2/(1+sqrt(1+4 beta^2))): joint threshold over log N",
           "lemmata", "jl.radius jl.golden-cosine", "closed form without cancellation",
           REAL("beta", "beta > 0, finite")),
    CLOSED(
        simhash_cos_mean_var,
        "mean and variance of cos(pi K/n), K ~ Bin(n, theta/pi): Re w^n, w = 1-p+p e^(i pi/n), p = theta/pi",
        "Charikar 2002", "jl.simhash jl.cosine-estimators",
        "closed form arranged so that nothing of order 1 is subtracted", INTEGER("n", "1 <= n <= 2^53"),
        THETA),
    CLOSED(simhash_bias, "rho - (2/pi) arcsin(rho)", "Charikar 2002", "jl.simhash",
           "closed form, arccos near 1", RHO),
    CLOSED(projected_cosine_mean,
           "E cos(Au,Av) = (2 rho/n) [Gamma((n+1)/2)/Gamma(n/2)]^2 2F1(1/2,1/2;n/2+1;rho^2), Gaussian A",
           "lemmata", "jl.cosine-estimators",
           "ratio of two trapezoidal sums of positive terms, truncated below 1e-17", N_REAL, RHO),
    CLOSED(cosine_estimate_variance,
           "inner (1+rho^2)/n, cosine (1-rho^2)^2/n, simhash theta(pi-theta)sin^2(theta)/n with theta = "
           "arccos(rho)",
           "lemmata", "jl.cosine-estimators jl.inner", "closed form", WORD("kind", "inner|cosine|simhash"),
           N_REAL, RHO),
    CLOSED(jl_norm_variance,
           "Var |Au|^2: gaussian 2/n; rademacher 2(1-q4)/n; sparse (2+(s-3)q4)/n; haar 2(m-n)/(n(m+2)); srht "
           "2(1-q4)/n (m-n)/(m-1)",
           "Achlioptas 2003; Li, Hastie & Church 2006; Tropp 2011", "jl.matrix-families", "closed form",
           WORD("kind", "gaussian|rademacher|sparse|haar|srht|srht_padded"),
           INTEGER("m", "1 <= m <= 2^53; a power of two for kind=srht"),
           INTEGER("n", "1 <= n <= 2^53; n <= m for haar, srht and srht_padded"),
           REAL("q4", "1/m <= q4 <= 1"),
           {"s", LEM_ARG_REAL, "s >= 1, finite; with kind=sparse", NULL, NULL, "kind=sparse"}),
    CLOSED(rsvd_bound_fro, "(1 + k/(p-1))^(1/2) (sum_{j>k} sigma_j^2)^(1/2)",
           "Halko, Martinsson & Tropp 2011, Theorem 10.5", "jl.rsvd-halko",
           "compensated sum of positive terms", INTEGER("k", "k >= 1"), INTEGER("p", "p >= 2"),
           SPECTRUM_ARGS),
    CLOSED(rsvd_bound_spec,
           "[(1+sqrt(k/(p-1))) sigma_{k+1}^r + e sqrt(k+p)/p (sum_{j>k} sigma_j^(2r))^(1/2)]^(1/r), r = 2q+1",
           "Halko, Martinsson & Tropp 2011, Corollary 10.10", "jl.rsvd-halko",
           "compensated sum of positive terms", INTEGER("k", "k >= 1"), INTEGER("p", "p >= 2"),
           INTEGER("q", "q >= 0"), SPECTRUM_ARGS),
};

extern const lem_formula_table lem_projection_formulas; /* lib/cli/registry.c */
const lem_formula_table lem_projection_formulas = {"projection", formulas,
                                                   sizeof formulas / sizeof formulas[0]};
