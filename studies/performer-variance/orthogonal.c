/* Orthogonal blocks: the exact variance, the published bound, the most they can give, and where they harm. */
#include "study.h"

#include <gsl/gsl_sf_lambert.h>

/* Variance of the mean of P relative estimates over orthogonal blocks of d. */
static double block_variance(perf_point p, double d, double P) {
    const double cov = p.kind == LEM_RF_TRIG ? exp(p.t) * lem_orthogonal_pair_cov_trig(d, p.t)
                                             : exp(-p.t) * lem_orthogonal_pair_cov(d, p.t);
    return (perf_variance(p) + (fmin(P, d) - 1) * cov) / P;
}

/* The same for simplex blocks of positive features. */
static double simplex_variance(double t, double d, double P) {
    return (expm1(t) + (d - 1) * (exp(-t) * lem_simplex_pair_moment(d, t) - 1)) / P;
}

/* 1 - variance/(V/P) at P = d */
static double reduction(lem_rf_kind kind, double d, double t) {
    const perf_point p = {kind, t};
    return 1 - block_variance(p, d, d) * d / perf_variance(p);
}

/* --- exact variance ----------------------------------------------------------------------------------------
 */

static const perf_block BLOCKS[] = {
    {.d = 2,
     .P = 2,
     .directions = PERF_ORTHOGONAL,
     .n_points = 3,
     .points = {{LEM_RF_POSITIVE, .3}, {LEM_RF_HYPERBOLIC, .3}, {LEM_RF_TRIG, 1}}},
    {.d = 4,
     .P = 4,
     .directions = PERF_ORTHOGONAL,
     .n_points = 3,
     .points = {{LEM_RF_POSITIVE, .3}, {LEM_RF_HYPERBOLIC, .3}, {LEM_RF_TRIG, 2}}},
    {.d = 8,
     .P = 8,
     .directions = PERF_ORTHOGONAL,
     .n_points = 3,
     .points = {{LEM_RF_POSITIVE, .3}, {LEM_RF_HYPERBOLIC, .3}, {LEM_RF_TRIG, 2}}},
    {.d = 4, .P = 8, .directions = PERF_ORTHOGONAL, .n_points = 1, .points = {{LEM_RF_HYPERBOLIC, .3}}},
};
enum { N_BLOCKS = COUNT(BLOCKS), N_POINTS = 10 };

static int variance_claims(lem_study *study) {
    enum { FLOOR = 20000 };
    static const char *const purposes[N_BLOCKS] = {"block-2", "block-4", "block-8", "blocks-4"};
    static const char *const names[] = {"trig", "positive", "hyperbolic"};
    lem_moments moments[N_POINTS], raw[1];
    double exact[N_POINTS], independent[N_POINTS], one[N_POINTS];
    const size_t samples = lem_study_samples(study, 100000, FLOOR);
    for (size_t b = 0, at = 0; b < N_BLOCKS; b++) {
        LEM_TRY(perf_blocks(study, purposes[b], BLOCKS[b], samples, moments + at));
        for (size_t j = 0; j < BLOCKS[b].n_points; j++, at++) {
            const perf_point p = BLOCKS[b].points[j];
            exact[at] = block_variance(p, (double)BLOCKS[b].d, (double)BLOCKS[b].P);
            independent[at] = perf_variance(p) / (double)BLOCKS[b].P;
            one[at] = 1;
            if (b > 2)
                continue;
            char key[64];
            (void)snprintf(key, sizeof key, "orthogonal.%s-%zu", names[p.kind], BLOCKS[b].d);
            LEM_TRY(lem_value_estimate(study, key, lem_moments_variance(&moments[at]) / independent[at],
                                       lem_moments_variance_stderr(&moments[at]) / independent[at], ""));
            (void)snprintf(key, sizeof key, "orthogonal.%s-%zu.exact", names[p.kind], BLOCKS[b].d);
            LEM_TRY(lem_value_exact(study, key, exact[at] / independent[at], 4, ""));
        }
    }
    const lem_falsifier falsifiers[] = {
        {"V/P, as for independent projections", lem_variance(N_POINTS, moments, independent)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "perf.orth-exact",
            .statement =
                "orthogonal blocks have the variance [V + (P-1)C]/P, C from 1F1(d; d/2; +-t/2), d = 2, 4, 8, "
                "one block or two",
            .source = "our addition; Yu et al., arXiv 1610.09072; Choromanski et al., arXiv 2009.14794",
            .verdict = LEM_HOLDS,
            .floor = FLOOR,
            .floor_reason =
                "hyperbolic, d = 8: 0.35 of V/P with a relative standard error of 3/sqrt(n): 1000 draws; "
                "more for the normal limit of variances"},
        lem_variance(N_POINTS, moments, exact), falsifiers, 1));
    /* Only positive features notice: the others are even in each direction. */
    perf_block householder = BLOCKS[1];
    householder.directions = PERF_HOUSEHOLDER, householder.n_points = 1;
    LEM_TRY(perf_blocks(study, "householder", householder, samples, raw));
    LEM_TRY(lem_value_estimate(study, "orthogonal.householder-mean", lem_moments_mean(raw),
                               lem_moments_stderr(raw), ""));
    const lem_falsifier no_signs[] = {
        {"rows of Householder's Q without the signs of R", lem_expectation(1, raw, one)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "perf.orth-exact.unbiased",
                          .statement = "estimates from Haar blocks are unbiased, d = 2, 4, 8",
                          .source = "Choromanski et al., arXiv 2009.14794; Mezzadri, arXiv math-ph/0609050",
                          .verdict = LEM_HOLDS,
                          .floor = FLOOR,
                          .floor_reason = "the mean without signs is off by more than 0.1 with a standard "
                                          "deviation of 0.3: 1000 draws"},
        lem_expectation(N_POINTS, moments, one), no_signs, 1);
}

/* --- the published bound -----------------------------------------------------------------------------------
 */

enum { BOUND_D = 10, BOUND_T = 25, N_BOUND = BOUND_D * BOUND_T };
static const double BOUND_DIMS[BOUND_D] = {2, 3, 4, 5, 8, 16, 33, 64, 128, 512};

static int bound_claim(lem_study *study) {
    static double gain[N_BOUND], bound[N_BOUND], tighter[N_BOUND], slack[N_BOUND];
    double least = INFINITY;
    for (size_t i = 0; i < N_BOUND; i++) {
        const double d = BOUND_DIMS[i / BOUND_T], t = pow(10, -4 + 6 * (double)(i % BOUND_T) / (BOUND_T - 1));
        const double root = expm1(t / 2);
        gain[i] = log(-lem_orthogonal_pair_cov(d, t));
        bound[i] = log(2 / (d + 2) * root * root);
        tighter[i] = log(2 / d * root * root);
        slack[i] = 0;
        least = fmin(least, exp(gain[i] - bound[i]));
    }
    LEM_TRY(lem_value_exact(study, "bound.least-excess", least - 1, 3, ""));
    LEM_TRY(
        lem_value_exact(study, "bound.ratio-512-100", exp(gain[N_BOUND - 1] - bound[N_BOUND - 1]), 3, ""));
    const lem_falsifier falsifiers[] = {
        {"with 2/d in place of 2/(d+2)", lem_inequality(N_BOUND, tighter, gain, slack)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "perf.orth-bound",
            .statement = "-C e^N >= 2/(d+2) (e^(t/2)-1)^2 for positive features, d = 2..512, t = 1e-4..100",
            .source = "Choromanski et al., arXiv 2009.14794, theorem 2",
            .verdict = LEM_HOLDS},
        lem_inequality(N_BOUND, bound, gain, slack), falsifiers, 1);
}

/* --- the most it can give ----------------------------------------------------------------------------------
 */

static double limit_reduction(double t) {
    return t * t / (2 * expm1(t));
}

static double minus_limit(double t, const void *ctx) {
    (void)ctx;
    return -limit_reduction(t);
}

static double minus_reduction(double t, const void *ctx) {
    return -reduction(LEM_RF_POSITIVE, *(const double *)ctx, t);
}

static double best_reduction(double d) {
    return -minus_reduction(perf_minimum(minus_reduction, &d, .1, 6, 1e-7), &d);
}

enum { N_DIMS = 6 };
static const double DIMS[N_DIMS] = {2, 8, 64, 256, 1024, 4096};

static int cap_claims(lem_study *study) {
    const double at = perf_minimum(minus_limit, NULL, .5, 4, 1e-9), top = limit_reduction(at);
    const double exact = 2 + gsl_sf_lambert_W0(-2 * exp(-2));
    const double low[] = {at - 1e-7, top - 1e-12}, high[] = {at + 1e-7, top + 1e-12};
    const double expected[] = {exact, exact * (2 - exact) / 2}, halves[] = {exact, .5};
    LEM_TRY(lem_value_exact(study, "cap.limit", top, 6, ""));
    LEM_TRY(lem_value_exact(study, "cap.limit-at", exact, 6, ""));
    const lem_falsifier falsifiers[] = {
        {"orthogonality can halve the variance", lem_optimum(2, low, high, halves)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "perf.orth-gain-cap",
                                        .statement = "as d grows, one block of d positive features removes "
                                                     "t^2/(2(e^t-1)) of the variance: at most "
                                                     "t(2-t)/2 = 0.3238, at t = 2 + W0(-2e^-2) = 1.5936",
                                        .source = "our addition to kexue.fm 7921",
                                        .verdict = LEM_HOLDS},
                      lem_optimum(2, low, high, expected), falsifiers, 1));
    double best[N_DIMS], far[N_DIMS], faster[N_DIMS];
    for (size_t i = 0; i < N_DIMS; i++) {
        best[i] = best_reduction(DIMS[i]);
        far[i] = top - 2.5 / DIMS[i], faster[i] = top - 2.5 / (DIMS[i] * DIMS[i]);
        char key[64];
        (void)snprintf(key, sizeof key, "cap.positive-%g", DIMS[i]);
        LEM_TRY(lem_value_exact(study, key, best[i], 4, ""));
        (void)snprintf(key, sizeof key, "cap.hyperbolic-%g", DIMS[i]);
        LEM_TRY(lem_value_exact(study, key, reduction(LEM_RF_HYPERBOLIC, DIMS[i], .01), 3, ""));
    }
    const lem_falsifier quick[] = {{"the gap closes like 1/d^2", lem_inequality(N_DIMS, faster, best, NULL)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "perf.orth-gain-cap.finite",
            .statement = "the largest reduction at dimension d is within 2.5/d of the limit, d = 2..4096",
            .source = "our addition to kexue.fm 7921",
            .verdict = LEM_HOLDS},
        lem_inequality(N_DIMS, far, best, NULL), quick, 1));
    const double tiny = -63 * lem_orthogonal_pair_cov(64, 16) * exp(-16) / expm1(16), hundredth = .01,
                 half = .5;
    LEM_TRY(lem_value_exact(study, "cap.positive-64-16", tiny, 2, ""));
    const lem_falsifier fixes[] = {
        {"orthogonality removes at least half of the variance", lem_inequality(1, &half, &tiny, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "perf.orth-gain-cap.large",
                          .statement =
                              "at t = 16, d = 64 a block removes less than a hundredth of the variance of "
                              "positive features",
                          .source = "our addition to kexue.fm 7921",
                          .verdict = LEM_HOLDS},
        lem_inequality(1, &tiny, &hundredth, NULL), fixes, 1);
}

static int hyperbolic_claim(lem_study *study) {
    double measured[N_DIMS], expected[N_DIMS], wrong[N_DIMS], bound[N_DIMS];
    for (size_t i = 0; i < N_DIMS; i++) {
        const double d = DIMS[i], t = 1e-5;
        /* V = (e^t - 1)^2/2 e^-t: the quotient of two numbers of size t^2, neither of which cancels */
        measured[i] = -(d - 1) * lem_orthogonal_pair_cov(d, t) * exp(-t) /
                      perf_variance((perf_point){LEM_RF_HYPERBOLIC, t});
        expected[i] = (d - 1) / (d + 2), wrong[i] = (d - 1) / d, bound[i] = 2 * t;
    }
    const lem_falsifier falsifiers[] = {{"(d-1)/d", lem_identity(N_DIMS, measured, wrong, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "perf.orth-gain-cap.hyperbolic",
                                       .statement = "for small t a block removes (d-1)/(d+2) of the variance "
                                                    "of hyperbolic features, d = 2..4096, to a "
                                                    "relative 2t",
                                       .source = "our addition to kexue.fm 7921",
                                       .verdict = LEM_HOLDS},
                     lem_identity(N_DIMS, measured, expected, bound), falsifiers, 1);
}

/* --- where it harms ----------------------------------------------------------------------------------------
 */

static double trig_gap(double delta, const void *ctx) {
    return exp(delta) * lem_orthogonal_pair_cov_trig(*(const double *)ctx, delta);
}

static double smallest_root(double d) {
    double delta = .25;
    while (trig_gap(delta, &d) < 0 && delta < 60)
        delta += .25;
    return perf_root(trig_gap, &d, delta - .25, delta, 1e-9);
}

enum { N_HARM = 5 };
static const double HARM_D[N_HARM] = {4, 6, 8, 16, 32},
                    HARM_AT[N_HARM] = {9.494032, 8.734373, 8.759729, 10.643726, 22.75679};

/* The largest C over V for delta from the first root on, where twice the digits of a double reach. */
static double worst_harm(double d, double to) {
    double worst = 0;
    for (double delta = smallest_root(d); delta < to; delta += .05)
        worst = fmax(worst, trig_gap(delta, &d) * (d - 1) / perf_variance((perf_point){LEM_RF_TRIG, delta}));
    return worst;
}

/* Where the sign turns again: out of harm at the first root of each d, into it at the second. */
static int alternation_claim(lem_study *study) {
    enum { N = 3 };
    static const struct { double d, from, to; } window[N] = {{6, 15, 20}, {8, 13, 20}, {8, 20, 30}};
    const double expected[N] = {18.3417, 16.1121, 27.8419};
    double low[N], high[N], twice[N];
    for (size_t i = 0; i < N; i++) {
        const double root = perf_root(trig_gap, &window[i].d, window[i].from, window[i].to, 1e-9);
        low[i] = root - 5.1e-5, high[i] = root + 5.1e-5; /* half of the last digit given, and 1e-6 */
        twice[i] = (i == 2 ? 3 : 2) * smallest_root(window[i].d);
    }
    LEM_TRY(lem_value_exact(study, "harm.to-8", (low[1] + high[1]) / 2, 6, ""));
    LEM_TRY(lem_value_exact(study, "harm.again-8", (low[2] + high[2]) / 2, 6, ""));
    const lem_falsifier falsifiers[] = {
        {"the sign turns at multiples of the first root", lem_optimum(N, low, high, twice)}};
    return lem_claim(study,
                     &(lem_claim_info){
                         .id = "perf.orth-trig-harm.alternating",
                         .statement = "the harm ends at delta = 18.3417 for d = 6 and 16.1121 for d = 8, and "
                                      "begins again at 27.8419 for d = 8",
                         .source = "our addition to kexue.fm 7921",
                         .verdict = LEM_HOLDS},
                     lem_optimum(N, low, high, expected), falsifiers, 1);
}

static int plane_claim(lem_study *study) {
    enum { N = 70 };
    static double gap[N], zero[N], four[N];
    const double d = 2, other = 4;
    for (size_t i = 0; i < N; i++) {
        const double delta = .5 * (double)(i + 1);
        gap[i] = trig_gap(delta, &d), four[i] = trig_gap(delta, &other);
    }
    const lem_falsifier falsifiers[] = {
        {"nor in four dimensions", lem_inequality_strict(N, four, zero, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "perf.orth-trig-harm.plane",
            .statement = "in two dimensions orthogonality never harms trigonometric features, delta up to 35",
            .source = "our addition to kexue.fm 7921",
            .verdict = LEM_HOLDS},
        lem_inequality_strict(N, gap, zero, NULL), falsifiers, 1);
}

static int harm_claims(lem_study *study) {
    double low[N_HARM], high[N_HARM], never[N_HARM], at_4[N_HARM];
    for (size_t i = 0; i < N_HARM; i++) {
        const double root = smallest_root(HARM_D[i]),
                     unit = i < 4 ? 6e-7 : 6e-6; /* half of the digits given, and 1e-8 */
        low[i] = root - unit, high[i] = root + unit;
        at_4[i] = HARM_AT[0];
        char key[64];
        (void)snprintf(key, sizeof key, "harm.from-%g", HARM_D[i]);
        LEM_TRY(lem_value_exact(study, key, root, 6, ""));
    }
    const lem_falsifier same[] = {{"the same at every d", lem_optimum(N_HARM, low, high, at_4)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "perf.orth-trig-harm.roots",
            .statement =
                "orthogonality first harms trigonometric features at delta = 9.494032 (d = 4), 8.734373 (6), "
                "8.759729 (8), 10.643726 (16), 22.75679 (32)",
            .source = "our addition to kexue.fm 7921",
            .verdict = LEM_HOLDS},
        lem_optimum(N_HARM, low, high, HARM_AT), same, 1));
    double harm[N_HARM];
    for (size_t i = 0; i < N_HARM; i++)
        harm[i] = trig_gap(HARM_AT[i] * 1.02, &HARM_D[i]), never[i] = 0;
    LEM_TRY(lem_value_exact(study, "harm.worst-4", worst_harm(4, 30), 2, ""));
    LEM_TRY(lem_value_exact(study, "harm.worst-32", worst_harm(32, 35), 1, ""));
    const lem_falsifier published[] = {
        {"orthogonality lowers the variance for any pair", lem_inequality_strict(N_HARM, harm, never, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "perf.orth-trig-harm",
                                       .statement = "just beyond these distances C > 0: orthogonality raises "
                                                    "the variance of trigonometric features",
                                       .source = "our addition to kexue.fm 7921",
                                       .verdict = LEM_HOLDS},
                     lem_inequality_strict(N_HARM, never, harm, NULL), published, 1);
}

/* --- the cross-polytope against the simplex ----------------------------------------------------------------
 */

enum { POLY_D = 3, POLY_T = 9, N_POLY = POLY_D * POLY_T };

static int polytope_claims(lem_study *study) {
    double cross[N_POLY], simplex[N_POLY], plain[N_POLY];
    for (size_t i = 0; i < N_POLY; i++) {
        const double d = (double)(4 << (i / POLY_T)), t = .1 * pow(80, (double)(i % POLY_T) / (POLY_T - 1));
        cross[i] = block_variance((perf_point){LEM_RF_HYPERBOLIC, t}, d, d);
        plain[i] = block_variance((perf_point){LEM_RF_POSITIVE, t}, d, 2 * d);
        simplex[i] = simplex_variance(t, d, 2 * d);
    }
    static const double at[] = {.1, 1, 4};
    for (size_t j = 0; j < COUNT(at); j++) {
        char key[64];
        const double iid = expm1(at[j]) / 32;
        (void)snprintf(key, sizeof key, "polytope.simplex-%g", at[j]);
        LEM_TRY(lem_value_exact(study, key, simplex_variance(at[j], 16, 32) / iid, 3, ""));
        (void)snprintf(key, sizeof key, "polytope.cross-%g", at[j]);
        LEM_TRY(lem_value_exact(study, key,
                                block_variance((perf_point){LEM_RF_HYPERBOLIC, at[j]}, 16, 16) / iid, 3, ""));
        (void)snprintf(key, sizeof key, "polytope.plain-%g", at[j]);
        LEM_TRY(lem_value_exact(study, key,
                                block_variance((perf_point){LEM_RF_POSITIVE, at[j]}, 16, 32) / iid, 3, ""));
    }
    const lem_falsifier falsifiers[] = {
        {"plain orthogonal features are as good", lem_inequality_strict(N_POLY, plain, simplex, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "perf.cross-polytope",
                                       .statement = "with 2d features, hyperbolic ones on an orthogonal "
                                                    "block have a smaller variance than two simplex "
                                                    "blocks, d = 4, 8, 16, t = 0.1..8",
                                       .source = "our addition; Reid et al., arXiv 2301.13856",
                                       .verdict = LEM_HOLDS},
                     lem_inequality_strict(N_POLY, cross, simplex, NULL), falsifiers, 1);
}

static int limit_claim(lem_study *study) {
    enum { N = 4 };
    static const double t[N] = {.5, 1, 2, 4};
    const double d = 4096;
    double measured[N], expected[N], wrong[N], bound[N];
    for (size_t i = 0; i < N; i++) {
        measured[i] =
            2 * d *
            (simplex_variance(t[i], d, 2 * d) - block_variance((perf_point){LEM_RF_HYPERBOLIC, t[i]}, d, d));
        expected[i] = 1 - t[i] + t[i] * t[i] / 2 - exp(-t[i]);
        wrong[i] = 1 + t[i] * t[i] / 2 - exp(-t[i]);
        bound[i] = 20 * (1 + t[i]) / d; /* the next order, measured to be below a third of this */
    }
    const lem_falsifier falsifiers[] = {{"without the term -t", lem_identity(N, measured, wrong, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "perf.cross-polytope.limit",
                                       .statement = "as d grows, the simplex's excess variance is e^-N/(2d) "
                                                    "[e^t(1-t+t^2/2)-1], to a relative 20(1+t)/d",
                                       .source = "our addition to arXiv 2301.13856",
                                       .verdict = LEM_HOLDS},
                     lem_identity(N, measured, expected, bound), falsifiers, 1);
}

static int simplex_claim(lem_study *study) {
    enum { FLOOR = 20000 };
    const perf_block block = {
        .d = 4, .P = 4, .directions = PERF_SIMPLEX, .n_points = 1, .points = {{LEM_RF_POSITIVE, .3}}};
    lem_moments moments[1];
    LEM_TRY(perf_blocks(study, "simplex", block, lem_study_samples(study, 100000, FLOOR), moments));
    const double exact = simplex_variance(.3, 4, 4), plain = block_variance(block.points[0], 4, 4);
    LEM_TRY(lem_value_estimate(study, "simplex.variance", lem_moments_variance(moments),
                               lem_moments_variance_stderr(moments), ""));
    LEM_TRY(lem_value_exact(study, "simplex.variance.exact", exact, 4, ""));
    const lem_falsifier falsifiers[] = {{"that of an orthogonal block", lem_variance(1, moments, &plain)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "perf.cross-polytope.mc",
            .statement =
                "a simplex block of positive features has the variance of the pair integral, d = 4, t = 0.3",
            .source = "our addition; Reid et al., arXiv 2301.13856",
            .verdict = LEM_HOLDS,
            .floor = FLOOR,
            .floor_reason =
                "half the variance of an orthogonal block, relative standard error 3/sqrt(n): 2000 draws"},
        lem_variance(1, moments, &exact), falsifiers, 1);
}

/* --- figure ------------------------------------------------------------------------------------------------
 */

static int figure(lem_study *study) {
    static const char *const columns[] = {"t",
                                          "positive d=2",
                                          "positive d=8",
                                          "positive d=64",
                                          "positive limit",
                                          "hyperbolic d=2",
                                          "hyperbolic d=8",
                                          "hyperbolic d=64",
                                          "hyperbolic limit",
                                          "bound d=8"};
    static const double dims[] = {2, 8, 64};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "orthogonal", columns, COUNT(columns), &table));
    for (int i = 0; i <= 80; i++) {
        const double t = .01 * pow(2000, i / 80.0), e = expm1(t), root = expm1(t / 2);
        double row[10] = {t};
        for (size_t j = 0; j < 3; j++) {
            row[1 + j] = 1 - reduction(LEM_RF_POSITIVE, dims[j], t);
            row[5 + j] = 1 - reduction(LEM_RF_HYPERBOLIC, dims[j], t);
        }
        row[4] = 1 - limit_reduction(t);
        row[8] = 1 - t * t * exp(t) / (e * e);
        row[9] = 1 - 7 * 2 / 10.0 * root * root * exp(-t) / e;
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(
        study, "orthogonal",
        "Variance with one orthogonal block over that with as many independent projections, against t, for "
        "positive features (left, another scale) and hyperbolic ones (right).",
        "For positive features orthogonality removes at most a third of the variance, around t = 1.6; for "
        "hyperbolic ones almost all of it at small t");
}

int perf_orthogonal(lem_study *study) {
    LEM_TRY(variance_claims(study));
    LEM_TRY(bound_claim(study));
    LEM_TRY(cap_claims(study));
    LEM_TRY(hyperbolic_claim(study));
    LEM_TRY(harm_claims(study));
    LEM_TRY(alternation_claim(study));
    LEM_TRY(plane_claim(study));
    LEM_TRY(polytope_claims(study));
    LEM_TRY(limit_claim(study));
    LEM_TRY(simplex_claim(study));
    return figure(study);
}
