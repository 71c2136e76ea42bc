/* Quenched softmax: each law by a second route (closed forms for n = 2, discrete laws by enumeration, the
 * Gaussian grid against nodes, published digits, sampling), the identities between the results, and refusals.
 */
#include "attention/gaussian.h"
#include "attention/quadrature.h"
#include "attention/quenched.h"
#include "attention/score_nodes.h"
#include "attention/sphere.h"
#include "rng/stream.h"
#include "stat/moments.h"
#include "tap/tap.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>

static const lem_score_law GAUSSIAN = {.kind = LEM_SCORES_GAUSSIAN};

static lem_quenched quenched(lem_score_law law, double n, double alpha) {
    lem_quenched q = {0};
    LEM_CHECK(lem_quenched_softmax(&law, n, alpha, &q) == 0, "%s", lem_last_error());
    return q;
}

/* Under valgrind: the ends of some ranges cost the most and run the same code. */
static bool in_short(void) {
    return lem_tap_effort() < 0.1;
}

/* Rounding only: see quenched.h; the sums have a few thousand terms. */
static const double ROUNDING = 2e-14;

static void check_identities(lem_score_law law, double n, double alpha) {
    const lem_quenched q = quenched(law, n, alpha);
    LEM_CHECK_NEAR(q.norm_check, 1, ROUNDING);
    LEM_CHECK_NEAR(q.sum_p2 + q.distinct, 1, ROUNDING);
    LEM_CHECK(q.sum_p2 > (1 - ROUNDING) / n && q.entropy > -log(q.sum_p2) - ROUNDING * (1 + log(n)) &&
                  q.entropy < log(n) * (1 + ROUNDING) + ROUNDING && q.variance > 0,
              "kind %d, n = %g, alpha = %g", (int)law.kind, n, alpha);
    /* d/dalpha of log Z is the mean score, of the mean score the variance, of H -alpha times it. Central
     * differences, step 1e-4 alpha: off by 1e-8 times a third derivative (a few times the value here), and by
     * rounding 1e-14 (1 + log n + alpha s)/1e-4. */
    const double h = 1e-4 * alpha;
    const lem_quenched a = quenched(law, n, alpha - h), b = quenched(law, n, alpha + h);
    const double rest = 3e-10 * (1 + log(n) + q.log_z) / alpha, scale = fabs(q.mean_score) / alpha;
    LEM_CHECK_NEAR((b.log_z - a.log_z) / (2 * h), q.mean_score, 1e-7 * scale * alpha + rest);
    LEM_CHECK_NEAR((b.mean_score - a.mean_score) / (2 * h), q.variance, 1e-7 * scale + rest / alpha);
    LEM_CHECK_NEAR((b.entropy - a.entropy) / (2 * h), -alpha * q.variance, 1e-7 * scale * alpha + rest);
}

static void identities_between_results(void) {
    static const lem_score_law laws[] = {{.kind = LEM_SCORES_GAUSSIAN},
                                         {.kind = LEM_SCORES_UNIFORM},
                                         {.kind = LEM_SCORES_LAPLACE},
                                         {.kind = LEM_SCORES_STUDENT, .shape = 5},
                                         {.kind = LEM_SCORES_COSINE, .shape = 2},
                                         {.kind = LEM_SCORES_COSINE, .shape = 3},
                                         {.kind = LEM_SCORES_COSINE, .shape = 4},
                                         {.kind = LEM_SCORES_COSINE, .shape = 21},
                                         {.kind = LEM_SCORES_COSINE, .shape = 64}};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        const double unit = laws[l].kind == LEM_SCORES_COSINE ? sqrt(laws[l].shape) : 1;
        for (double n = 2; n < (in_short() ? 100 : 1e6); n *= 370)
            for (double alpha = 0.2; alpha < 6; alpha *= 5)
                check_identities(laws[l], floor(n), alpha * unit);
    }
}

/* Gaussian by parts: alpha (1 - E sum p^2) = E sum p s. */
static void stein(void) {
    for (double n = 2; n < 1e6; n *= 9)
        for (double alpha = 0.1; alpha < 100; alpha *= 2.7) {
            const lem_quenched q = quenched(GAUSSIAN, floor(n), alpha);
            LEM_CHECK_NEAR(q.trace, q.mean_score, ROUNDING * (1 + fabs(q.mean_score)));
        }
}

/* On the sphere: alpha E sum (1 - s^2)(p - p^2) = (d - 1) E sum p s needs one quantity more; but with d = 3
 * and two scores everything is elementary: s_1 - s_2 = w has the triangular law on [-2, 2] and E sum p_i p_j
 * = E 1/(2 cosh^2(alpha w/2)), = (1/2) int_0^2 (1 - w/2) / cosh^2(alpha w/2) dw = (1/alpha)(tanh alpha (1 -
 * 1)) + (1/alpha) int_0^2 tanh(alpha w/2)/2 dw = log(cosh alpha)/alpha^2. */
static void two_cosines_in_space(void) {
    const lem_score_law space = {.kind = LEM_SCORES_COSINE, .shape = 3};
    for (double alpha = 0.1; alpha < 300; alpha *= 2) {
        const double log_cosh = alpha + log1p(exp(-2 * alpha)) - M_LN2;
        LEM_CHECK_NEAR(quenched(space, 2, alpha).distinct * alpha * alpha / log_cosh, 1, 1e-13);
    }
}

typedef struct {
    double alpha;
    int variance;
} pair_ctx;

/* In t = alpha w: of two scores w apart the entropy, or alpha^2 times the variance of the score. */
static double pair_integrand(double t, const void *context) {
    const pair_ctx *ctx = context;
    const double e = exp(-t), density = (1 - t / (2 * ctx->alpha)) / ctx->alpha;
    return density * (ctx->variance ? t * t * e / ((1 + e) * (1 + e)) : log1p(e) + t * e / (1 + e));
}

/* The same two cosines: what is small at large alpha keeps its digits. */
static void two_cosines_far_apart(void) {
    const lem_score_law space = {.kind = LEM_SCORES_COSINE, .shape = 3};
    for (double alpha = 1e-6; alpha < (in_short() ? 110 : 1.1e4); alpha *= 10) {
        const lem_quenched q = quenched(space, 2, alpha);
        const double end = fmin(2 * alpha, 60); /* e^-60 beyond */
        const double entropy = lem_panel_integral(pair_integrand, &(pair_ctx){alpha, 0}, 0, end, 60);
        const double variance = lem_panel_integral(pair_integrand, &(pair_ctx){alpha, 1}, 0, end, 60);
        LEM_CHECK_NEAR(q.entropy / entropy, 1, 1e-12);
        LEM_CHECK_NEAR(q.variance * alpha * alpha / variance, 1, 1e-11);
    }
}

/* The same discrete law far from 0, where a score has no digit beside y: only the mean score and log Z move.
 */
static void values_far_from_zero(void) {
    const double near[] = {-64, 0, 128}, weight[] = {0.5, 0.25, 0.25};
    const lem_quenched q = quenched((lem_score_law){LEM_SCORES_NODES, 0, 3, near, weight}, 9, 0.01);
    for (double shift = -1e17; shift <= 1e17; shift += 2e17) {
        const double far[] = {shift - 64, shift, shift + 128};
        const lem_quenched a = quenched((lem_score_law){LEM_SCORES_NODES, 0, 3, far, weight}, 9, 0.01);
        LEM_CHECK_NEAR(a.sum_p2, q.sum_p2, ROUNDING);
        LEM_CHECK_NEAR(a.entropy, q.entropy, ROUNDING);
        LEM_CHECK_NEAR(a.variance, q.variance, ROUNDING * 1e4);
        LEM_CHECK_NEAR(a.mean_score, shift, 1e-15 * fabs(shift));
        LEM_CHECK_NEAR(a.log_z, 0.01 * shift, 1e-15 * fabs(shift));
    }
    const double same[] = {-1e18, -1e18}, half[] = {0.5, 0.5};
    LEM_CHECK_NEAR(quenched((lem_score_law){LEM_SCORES_NODES, 0, 2, same, half}, 9, 1).entropy, log(9),
                   ROUNDING);
}

/* 1e100 scores before freezing: the mean field log n - (alpha m - log M), m = M'/M, up to n^-0.29. Its scores
 * stand far out, where one in 1e30 or fewer do. M = 1/(1 - alpha^2/2) for Laplace scores. */
static void many_scores(void) {
    const double n = 1e100, tolerance = 10 * ROUNDING * log(n);
    LEM_CHECK_NEAR(quenched((lem_score_law){.kind = LEM_SCORES_LAPLACE}, n, 1).entropy, log(n) - 2 + M_LN2,
                   tolerance);
    for (double d = 24; d < (in_short() ? 70 : 2000); d *= 3)
        for (double kappa = d; kappa < 3 * d; kappa *= 1.5)
            if (lem_vmf_kl_uniform(kappa, d) < 0.3 * log(n))
                LEM_CHECK_NEAR(lem_quenched_entropy_sphere(n, kappa, d),
                               log(n) - lem_vmf_kl_uniform(kappa, d), tolerance);
}

/* A law of two values, n scores: k of them high with binomial probability. */
static void two_values(void) {
    const double values[] = {-1, 2}, weight[] = {0.75, 0.25};
    const lem_score_law law = {LEM_SCORES_NODES, 0, 2, values, weight};
    enum { N = 9 };
    for (double alpha = 0.1; alpha < 20; alpha *= 2) {
        double squares = 0, mean = 0, entropy = 0, variance = 0, choose = 1;
        for (int k = 0; k <= N; k++) {
            const double weight_k = choose * pow(0.25, k) * pow(0.75, N - k);
            const double low = exp(-3 * alpha), z = k + (N - k) * low, high = k / z;
            squares += weight_k * (k + (N - k) * low * low) / (z * z);
            mean += weight_k * (3 * high - 1);
            variance += weight_k * 9 * high * (1 - high);
            entropy += weight_k * (log(z) + 3 * alpha * (1 - high));
            choose *= (double)(N - k) / (k + 1);
        }
        /* k = 0: every score is low, and log z = log N - 3 alpha is taken back by the second term */
        const lem_quenched q = quenched(law, N, alpha);
        LEM_CHECK_NEAR(q.sum_p2, squares, 1e-13);
        LEM_CHECK_NEAR(q.mean_score, mean, 1e-13);
        LEM_CHECK_NEAR(q.entropy, entropy, 1e-12);
        LEM_CHECK_NEAR(q.variance, variance, 1e-12);
    }
}

/* The Gaussian law as nodes of a trapezoidal rule (gaussian.c derives its error) against the grid. */
static void gaussian_two_ways(void) {
    enum { NODES = 4001 };
    static double values[NODES], weight[NODES];
    double sum = 0;
    for (int i = 0; i < NODES; i++) {
        values[i] = 14.0 * (i - NODES / 2) / (NODES / 2);
        sum += weight[i] = exp(-values[i] * values[i] / 2);
    }
    for (int i = 0; i < NODES; i++)
        weight[i] /= sum;
    const lem_score_law law = {LEM_SCORES_NODES, 0, NODES, values, weight};
    for (double n = 2; n < (in_short() ? 10 : 1e5); n *= 23)
        for (double alpha = 0.1; alpha < 20; alpha *= 2.9) { /* h = 0.007: alpha h below 0.14 */
            const lem_quenched a = quenched(law, floor(n), alpha), b = quenched(GAUSSIAN, floor(n), alpha);
            LEM_CHECK_NEAR(a.sum_p2 / b.sum_p2, 1, ROUNDING);
            LEM_CHECK_NEAR(a.distinct / b.distinct, 1, ROUNDING);
            LEM_CHECK_NEAR(a.mean_score, b.mean_score, ROUNDING * (1 + log(n)));
            LEM_CHECK_NEAR(a.entropy, b.entropy, ROUNDING * (1 + log(n) + alpha));
            LEM_CHECK_NEAR(a.variance / b.variance, 1, 1e-11);
        }
}

/* Nodes of every continuous law sum to one, and give the variance. For the cosine in few dimensions the
 * constant of the density is compared too. */
static void nodes_of_laws(void) {
    static const lem_score_law laws[] = {{.kind = LEM_SCORES_UNIFORM},
                                         {.kind = LEM_SCORES_LAPLACE},
                                         {.kind = LEM_SCORES_STUDENT, .shape = 30},
                                         {.kind = LEM_SCORES_COSINE, .shape = 2},
                                         {.kind = LEM_SCORES_COSINE, .shape = 7},
                                         {.kind = LEM_SCORES_COSINE, .shape = 128},
                                         {.kind = LEM_SCORES_COSINE, .shape = 1000},
                                         {.kind = LEM_SCORES_COSINE, .shape = 1e6}};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        for (double alpha = 0.1; alpha < 200; alpha *= 11) {
            lem_score_nodes nodes;
            LEM_CHECK(lem_score_nodes_init(&nodes, &laws[l], 1000, alpha) == 0, "%s", lem_last_error());
            double sum = 0, squares = 0;
            for (size_t i = 0; i < nodes.count; i++) {
                LEM_CHECK(nodes.weight[i] > 0 && (i == 0 || nodes.values[i] > nodes.values[i - 1]), "order");
                sum += nodes.weight[i], squares += nodes.weight[i] * nodes.values[i] * nodes.values[i];
            }
            const double variance = laws[l].kind == LEM_SCORES_COSINE ? 1 / laws[l].shape : 1;
            LEM_CHECK_NEAR(sum, 1, 1e-11); /* Student: the cut mass, 2e-12 */
            LEM_CHECK_NEAR(squares, variance, 1e-9 * variance);
            lem_score_nodes_free(&nodes);
        }
}

/* At whole distances: the distribution function differentiates to the density. */
static void densities(void) {
    static const lem_score_law laws[] = {{.kind = LEM_SCORES_GAUSSIAN},
                                         {.kind = LEM_SCORES_UNIFORM},
                                         {.kind = LEM_SCORES_LAPLACE},
                                         {.kind = LEM_SCORES_STUDENT, .shape = 5},
                                         {.kind = LEM_SCORES_COSINE, .shape = 5}};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        for (double s = -0.93; s < 1; s += 0.17) {
            const double h = 1e-4, a = exp(lem_score_log_cdf(&laws[l], s - h)),
                         b = exp(lem_score_log_cdf(&laws[l], s + h));
            LEM_CHECK_NEAR((b - a) / (2 * h), exp(lem_score_log_density(&laws[l], s)), 1e-6);
        }
}

/* Against sampling: 4000 rows, 6 standard errors each (false alarm 2e-9). */
static void sampled(void) {
    enum { ROWS = 4000, N = 50 };
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 5, lem_stream_id("test_quenched"), 0, 0) == 0, "%s", lem_last_error());
    lem_moments m[4];
    for (size_t k = 0; k < 4; k++)
        lem_moments_init(&m[k]);
    const double alpha = 3;
    for (int row = 0; row < ROWS; row++) {
        double s[N], sum = 0, two = 0, first = 0, second = 0;
        LEM_CHECK(lem_uniform_fill(&stream, N, s) == 0, "%s", lem_last_error());
        for (int i = 0; i < N; i++) {
            s[i] = (2 * s[i] - 1) * M_SQRT3;
            const double u = exp(alpha * s[i]);
            sum += u, two += u * u, first += u * s[i], second += u * s[i] * s[i];
        }
        first /= sum, second /= sum;
        lem_moments_add(&m[0], two / (sum * sum)), lem_moments_add(&m[1], first);
        lem_moments_add(&m[2], second - first * first), lem_moments_add(&m[3], log(sum) - alpha * first);
    }
    const lem_quenched q = quenched((lem_score_law){.kind = LEM_SCORES_UNIFORM}, N, alpha);
    const double expected[] = {q.sum_p2, q.mean_score, q.variance, q.entropy};
    for (size_t k = 0; k < 4; k++)
        LEM_CHECK_NEAR(lem_moments_mean(&m[k]), expected[k], 6 * lem_moments_stderr(&m[k]));
}

static void constant_entropy(void) {
    for (double d = 3; d < 300; d *= 6)
        for (double n = 16; n < 1e4; n *= 9) {
            const double n0 = 64, target = lem_quenched_entropy_sphere(n0, sqrt(d), d);
            if (log(n) < target + 0.1)
                continue;
            const double kappa = lem_quenched_kappa_for_constant_entropy(n, n0, d);
            LEM_CHECK_NEAR(lem_quenched_entropy_sphere(n, kappa, d), target, 1e-12);
        }
    LEM_CHECK_NEAR(lem_quenched_kappa_for_constant_entropy(64, 64, 64), 8, 1e-12);
}

static int nan_status(double x) {
    return isnan(x) ? GSL_EDOM : 0;
}

static void edges_and_bad_input(void) {
    const double values[] = {0, 1, 2}, wrong_order[] = {0, 2, 1}, weight[] = {.25, .5, .25},
                 light[] = {.2, .5, .2}, nearly[] = {.25, .5, .2500005}, wide[] = {0, 1, 1e151},
                 tied[] = {0, 1, 1};
    lem_quenched q;
    q = quenched(GAUSSIAN, 1, 3);
    LEM_CHECK(q.sum_p2 == 1 && q.entropy == 0 && q.log_z == 0 && q.trace == 0, "one score");
    q = quenched((lem_score_law){LEM_SCORES_NODES, 0, 3, values, weight}, 8, 0);
    LEM_CHECK(q.sum_p2 == 0.125 && q.entropy == log(8) && q.mean_score == 1 && q.variance == 0.4375,
              "alpha = 0");
    q = quenched((lem_score_law){LEM_SCORES_NODES, 0, 3, values, weight}, 1, 2);
    LEM_CHECK(q.log_z == 2 && q.mean_score == 1 && q.entropy == 0, "one score of mean one");
    q = quenched((lem_score_law){LEM_SCORES_NODES, 0, 3, tied, nearly}, 2, 1);
    LEM_CHECK_NEAR(q.norm_check, 1, 1e-12); /* ties, and weights that sum to 1 within 1e-6 */
#define REFUSED(law, n, alpha, message)                                                                      \
    LEM_CHECK_ERROR(lem_quenched_softmax(&(lem_score_law)law, n, alpha, &q), message)
#define LAW(...) {__VA_ARGS__}
    REFUSED(LAW(.kind = LEM_SCORES_GAUSSIAN), 0, 1, "n = 0|whole number >= 1");
    REFUSED(LAW(.kind = LEM_SCORES_GAUSSIAN), 2.5, 1, "n = 2.5|whole number");
    REFUSED(LAW(.kind = LEM_SCORES_GAUSSIAN), NAN, 1, "n = |whole number");
    REFUSED(LAW(.kind = LEM_SCORES_LAPLACE), 1e101, 1, "n = 1e+101|<= 1e+100");
    REFUSED(LAW(.kind = LEM_SCORES_GAUSSIAN), 2, -1, "alpha = -1|>= 0");
    REFUSED(LAW(.kind = LEM_SCORES_GAUSSIAN), 2, INFINITY, "alpha = inf|<= 1000");
    REFUSED(LAW(.kind = LEM_SCORES_COSINE, .shape = 1), 2, 1, "d = 1|2 <= d <= 1e6");
    REFUSED(LAW(.kind = LEM_SCORES_COSINE, .shape = 2.5), 2, 1, "d = 2.5|whole number");
    REFUSED(LAW(.kind = LEM_SCORES_COSINE, .shape = 8), 2, 2e4, "alpha = 20000|<= 10000");
    REFUSED(LAW(.kind = LEM_SCORES_STUDENT, .shape = 2), 2, 1, "df = 2|above 2");
    REFUSED(LAW(.kind = LEM_SCORES_STUDENT, .shape = 2.01), 1e50, 1, "reaches too far");
    REFUSED(LAW(.kind = (lem_score_kind)17), 2, 1, "kind = 17");
    REFUSED(LAW(LEM_SCORES_NODES, 0, 3, NULL, weight), 2, 1, "null pointer");
    REFUSED(LAW(LEM_SCORES_NODES, 0, 0, values, weight), 2, 1, "count = 0");
    REFUSED(LAW(LEM_SCORES_NODES, 0, 3, wrong_order, weight), 2, 1, "values[2] = 1|ascending");
    REFUSED(LAW(LEM_SCORES_NODES, 0, 3, values, wrong_order), 2, 1, "weight[0] = 0|positive");
    REFUSED(LAW(LEM_SCORES_NODES, 0, 3, values, light), 2, 1, "weights sum to 0.9");
    REFUSED(LAW(LEM_SCORES_NODES, 0, 3, wide, weight), 2, 1, "values[2] = 1e+151|at most 1e+150");
    REFUSED(LAW(LEM_SCORES_NODES, 0, 3, values, weight), 2, 6e4, "alpha = 60000|<= 50000");
    REFUSED(LAW(.kind = LEM_SCORES_STUDENT, .shape = 2e6), 2, 1, "df = 2e+06|<= 1e6");
    LEM_CHECK_ERROR(lem_quenched_softmax(NULL, 2, 1, &q), "law is a null pointer");
    LEM_CHECK_ERROR(lem_quenched_softmax(&GAUSSIAN, 2, 1, NULL), "out is a null pointer");
    LEM_CHECK_ERROR(nan_status(lem_quenched_trace_gauss(1, 1)), "n = 1|at least 2");
    LEM_CHECK_ERROR(nan_status(lem_quenched_sum_p2_gauss(1, 1)), "n = 1|at least 2");
    LEM_CHECK_ERROR(nan_status(lem_quenched_trace_cosine(1, 1, 8)), "n = 1|at least 2");
    LEM_CHECK_ERROR(nan_status(lem_quenched_kappa_for_constant_entropy(16, 64, 64)),
                    "n = 16|above the entropy");
    LEM_CHECK_ERROR(nan_status(lem_quenched_kappa_for_constant_entropy(64, 1, 64)),
                    "n0 = 1|whole number >= 2");
    LEM_CHECK_ERROR(nan_status(lem_quenched_kappa_for_constant_entropy(64, 1e101, 64)),
                    "n0 = 1e+101|<= 1e100");
    LEM_CHECK_ERROR(nan_status(lem_quenched_kappa_for_constant_entropy(1e100, 2, 1e6)),
                    "n = 1e+100, d = 1e+06: kappa would be above 10000");
    LEM_CHECK_ERROR(nan_status(lem_quenched_entropy_sphere(64, -1, 64)), "kappa = -1|>= 0");
    LEM_CHECK_ERROR(nan_status(lem_quenched_entropy_sphere(64, 2e4, 64)), "kappa = 20000|<= 10000");
    LEM_CHECK_ERROR(nan_status(lem_quenched_kappa_for_constant_entropy(1e6, 4, 2)), "kappa would be above");
}

/* W = e^(alpha s) of Laplace scores has the tail w^-b/2, b = sqrt 2/alpha, and the mean 1/(1 - alpha^2/2).
 * For 1 < b < 2 one score in very many rows makes E sum p^2: n E[(W/(n E W + W))^2] -> n^(1-b) (E W)^-b b/2
 * Gamma(2-b) Gamma(b), and the next term is smaller by n^(b-2). */
static void rare_rows_of_laplace_scores(void) {
    const double n[] = {1e60, 1e100}, b[] = {1.25, 5.0 / 3, 1.75};
    for (int i = 0; i < (in_short() ? 1 : 6); i++) {
        const double beta = b[i / 2], alpha = M_SQRT2 / beta, x = n[i % 2];
        const double log_limit = (1 - beta) * log(x) + beta * log1p(-alpha * alpha / 2) + log(beta / 2) +
                                 lgamma(2 - beta) + lgamma(beta);
        const double log_sum = log(quenched((lem_score_law){.kind = LEM_SCORES_LAPLACE}, x, alpha).sum_p2);
        LEM_CHECK_NEAR(log_sum, log_limit, 1e-11 + 100 * pow(x, beta - 2));
    }
}

static const lem_tap_case cases[] = {
    {"derivatives, certificate, bounds", identities_between_results},
    {"Gaussian scores: by parts", stein},
    {"two cosines in space are elementary", two_cosines_in_space},
    {"two cosines far apart, by quadrature", two_cosines_far_apart},
    {"values far from zero", values_far_from_zero},
    {"many scores", many_scores},
    {"two values by enumeration", two_values},
    {"Gaussian scores two ways", gaussian_two_ways},
    {"nodes of the laws", nodes_of_laws},
    {"densities and distribution functions", densities},
    {"rare rows of Laplace scores", rare_rows_of_laplace_scores},
    {"sampled rows", sampled},
    {"constant entropy", constant_entropy},
    {"edges, and bad input is refused by name", edges_and_bad_input},
};

LEM_TAP_MAIN(cases)
