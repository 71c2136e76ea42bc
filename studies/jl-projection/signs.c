/* Signs only: what sign hashing estimates, and what each estimator of a cosine costs. */
#include "study.h"

enum { N_BITS = 64, DIM = 8, SIGN_CHUNK = 128, N_ANGLES = 5, N_RHO = 17 };
static const double ANGLES[N_ANGLES] = {.1, .5, 1, M_PI_2, 2.5};
static const char *const ANGLE_NAMES[N_ANGLES] = {"0.1", "0.5", "1", "half-pi", "2.5"};

/* --- Hamming distances of sign vectors in R^8
 * ---------------------------------------------------------------- */

/* u and w orthonormal in R^8; v = cos(theta) u + sin(theta) w. */
typedef struct {
    size_t doubles;
    double plane[DIM][2];
} sign_ctx;

static size_t hamming(const double *y, double c, double s) {
    size_t differ = 0;
    for (size_t k = 0; k < N_BITS; k++)
        differ += (y[2 * k] >= 0) != (c * y[2 * k] + s * y[2 * k + 1] >= 0);
    return differ;
}

/* One matrix A (64 x 8) and one angle, drawn among the five, per sample. Counts: (angle, K); moments per
 * angle: the cosine of the sign vectors 1 - 2K/n, and the estimate cos(pi K/n). */
static int sign_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *context) {
    (void)first;
    const sign_ctx *ctx = context;
    double *a = workspace, *y = a + SIGN_CHUNK * N_BITS * DIM, *which = y + SIGN_CHUNK * N_BITS * 2;
    LEM_TRY(lem_normal_fill(stream, count * N_BITS * DIM, a));
    LEM_TRY(lem_uniform_fill(stream, count, which));
    const gsl_matrix_const_view rows = gsl_matrix_const_view_array(a, count * N_BITS, DIM),
                                plane = gsl_matrix_const_view_array(&ctx->plane[0][0], DIM, 2);
    gsl_matrix_view image = gsl_matrix_view_array(y, count * N_BITS, 2);
    LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, &rows.matrix, &plane.matrix, 0, &image.matrix, 1));
    for (size_t i = 0; i < count; i++) {
        const size_t t = (size_t)(N_ANGLES * which[i]);
        const size_t k = hamming(y + i * N_BITS * 2, cos(ANGLES[t]), sin(ANGLES[t]));
        out->counts[t * (N_BITS + 1) + k]++;
        LEM_TRY(lem_moments_add(&out->moments[2 * t], 1 - 2 * (double)k / N_BITS));
        LEM_TRY(lem_moments_add(&out->moments[2 * t + 1], cos(M_PI * (double)k / N_BITS)));
    }
    return GSL_SUCCESS;
}

static int random_plane(lem_study *study, sign_ctx *ctx) {
    lem_stream stream;
    LEM_TRY(lem_study_stream(study, "plane", 0, &stream));
    gsl_matrix_view plane = gsl_matrix_view_array(&ctx->plane[0][0], DIM, 2);
    LEM_TRY(lem_normal_fill(&stream, DIM * 2, &ctx->plane[0][0]));
    return lem_qr(&plane.matrix, NULL);
}

/* P(angle t, K = k) with bits that differ with probability p[t]: binomial pmf, by its ratio from the mode. */
static void joint_pmf(const double p[N_ANGLES], double out[N_ANGLES * (N_BITS + 1)]) {
    for (size_t t = 0; t < N_ANGLES; t++)
        for (size_t k = 0; k <= N_BITS; k++)
            out[t * (N_BITS + 1) + k] =
                exp(lgamma(N_BITS + 1) - lgamma((double)k + 1) - lgamma((double)(N_BITS - k) + 1) +
                    (double)k * log(p[t]) + (double)(N_BITS - k) * log1p(-p[t])) /
                N_ANGLES;
}

static int law_claim(lem_study *study, const uint64_t *counts, double floor, const double *right,
                     const double *wrong) {
    const lem_falsifier falsifiers[] = {
        {"bits differ with probability (1-rho)/2, as unbiased signs would need",
         lem_distribution_counts(N_ANGLES * (N_BITS + 1), counts, wrong)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.simhash.law",
            .statement = "the Hamming distance of n = 64 sign bits is Bin(n, theta/pi): chi-square of the "
                         "histograms at theta = 0.1, 0.5, 1, pi/2, 2.5",
            .source = "Charikar 2002; Goemans & Williamson 1995",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason =
                "noncentral chi-square over the cells, normal approximation, 10% margin, doubled for "
                "cells that are pooled"},
        lem_distribution_counts(N_ANGLES * (N_BITS + 1), counts, right), falsifiers, 1);
}

static int hamming_claims(lem_study *study) {
    enum { CELLS = N_ANGLES * (N_BITS + 1) };
    sign_ctx ctx = {.doubles = SIGN_CHUNK * (N_BITS * (DIM + 2) + 1)};
    LEM_TRY(random_plane(study, &ctx));
    double p[N_ANGLES], rho_p[N_ANGLES], right[CELLS], wrong[CELLS];
    double arcsine[N_ANGLES], rho[N_ANGLES], mean[N_ANGLES], variance[N_ANGLES], delta[N_ANGLES];
    for (size_t t = 0; t < N_ANGLES; t++) {
        p[t] = ANGLES[t] / M_PI, rho[t] = cos(ANGLES[t]), rho_p[t] = (1 - rho[t]) / 2;
        arcsine[t] = 1 - 2 * ANGLES[t] / M_PI;
        LEM_TRY(lem_simhash_cos_mean_var(N_BITS, ANGLES[t], &mean[t], &variance[t]));
        delta[t] = lem_cosine_estimate_variance(LEM_ESTIMATE_SIMHASH, N_BITS, rho[t]);
    }
    joint_pmf(p, right);
    joint_pmf(rho_p, wrong);
    const double law_floor = 2 * jl_floor_counts(CELLS, right, wrong);
    double bias_floor = INFINITY,
           mean_floor = INFINITY; /* of the angle that tells best; draws of that angle */
    for (size_t t = 0; t < N_ANGLES; t++) {
        if (t == 3) /* a right angle: no bias to see */
            continue;
        bias_floor = fmin(bias_floor, jl_floor_mean(fabs(rho[t] - arcsine[t]),
                                                    2 * sqrt(p[t] * (1 - p[t]) / N_BITS), N_ANGLES));
        mean_floor = fmin(mean_floor, jl_floor_mean(fabs(rho[t] - mean[t]), sqrt(variance[t]), N_ANGLES));
    }
    const double variance_floor = jl_floor_variance(variance[0], delta[0], 8, N_ANGLES);
    /* one draw in five has a given angle; six times the floor leaves a margin of a fifth */
    const double floor = fmax(law_floor, 6 * fmax(fmax(bias_floor, mean_floor), variance_floor));
    lem_moments moments[2 * N_ANGLES], sign[N_ANGLES], estimate[N_ANGLES];
    uint64_t counts[CELLS];
    lem_mc_result mc = {.moments = moments, .counts = counts};
    LEM_TRY(lem_study_mc(study, "simhash",
                         (lem_mc_plan){.samples = lem_study_samples(study, 200000, (size_t)floor),
                                       .chunk_size = SIGN_CHUNK,
                                       .n_moments = 2 * N_ANGLES,
                                       .n_counts = CELLS,
                                       .chunk = sign_chunk,
                                       .ctx = &ctx,
                                       .workspace_alloc = jl_workspace_alloc,
                                       .workspace_free = free},
                         &mc));
    for (size_t t = 0; t < N_ANGLES; t++) {
        char key[64];
        sign[t] = moments[2 * t], estimate[t] = moments[2 * t + 1];
        (void)snprintf(key, sizeof key, "simhash.sign-cosine.%s", ANGLE_NAMES[t]);
        LEM_TRY(lem_value_estimate(study, key, lem_moments_mean(&sign[t]), lem_moments_stderr(&sign[t]), ""));
        (void)snprintf(key, sizeof key, "simhash.arcsine.%s", ANGLE_NAMES[t]);
        LEM_TRY(lem_value_exact(study, key, t == 3 ? 0 : arcsine[t], 4, ""));
        (void)snprintf(key, sizeof key, "simhash.rho.%s", ANGLE_NAMES[t]);
        LEM_TRY(lem_value_exact(study, key, t == 3 ? 0 : rho[t], 4, ""));
    }
    LEM_TRY(lem_value_exact(study, "simhash.variance-exact", variance[0], 5, ""));
    LEM_TRY(lem_value_exact(study, "simhash.variance-delta", delta[0], 4, ""));
    LEM_TRY(lem_value_estimate(study, "simhash.variance-measured", lem_moments_variance(&estimate[0]),
                               lem_moments_variance_stderr(&estimate[0]), ""));
    LEM_TRY(law_claim(study, counts, law_floor, right, wrong));
    const lem_falsifier published[] = {
        {"cos(sign Au, sign Av) estimates rho (published)", lem_expectation(N_ANGLES, sign, rho)}};
    LEM_TRY(
        lem_claim(study,
                  &(lem_claim_info){
                      .id = "jl.simhash",
                      .statement = "E cos(sign Au, sign Av) = (2/pi) arcsin rho, not rho",
                      .source = "kexue.fm 8706; Charikar 2002",
                      .verdict = LEM_REFUTED,
                      .note = "the cosine of sign vectors estimates (2/pi) arcsin rho: it keeps the order of "
                              "cosines, not their values, whatever n; cos(pi K/n) estimates rho",
                      .floor = bias_floor,
                      .floor_reason = "t with the exact SD, at the angle that tells best; draws per angle"},
                  lem_expectation(N_ANGLES, sign, arcsine), published, 1));
    const lem_falsifier unbiased[] = {{"cos(pi K/n) is unbiased", lem_expectation(N_ANGLES, estimate, rho)}};
    LEM_TRY(
        lem_claim(study,
                  &(lem_claim_info){.id = "jl.simhash.estimator",
                                    .statement = "E cos(pi K/n) = Re (1 - p + p exp(i pi/n))^n, p = theta/pi",
                                    .source = "our addition to kexue.fm 8706",
                                    .verdict = LEM_HOLDS,
                                    .floor = mean_floor,
                                    .floor_reason =
                                        "t with the exact SD, at the angle that tells best; draws per angle"},
                  lem_expectation(N_ANGLES, estimate, mean), unbiased, 1));
    const lem_falsifier asymptotic[] = {{"the delta-method variance theta (pi-theta) sin^2(theta)/n",
                                         lem_variance(N_ANGLES, estimate, delta)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.cosine-estimators.simhash-variance",
            .statement =
                "Var cos(pi K/n) has the exact binomial form; at theta = 0.1, n = 64 it is 1.7 times the "
                "delta-method's",
            .source = "our addition to kexue.fm 8706",
            .verdict = LEM_HOLDS,
            .floor = variance_floor,
            .floor_reason =
                "z at theta = 0.1, 8.2e-5 against 4.7e-5, kurtosis at most 8; draws of that angle"},
        lem_variance(N_ANGLES, estimate, variance), asymptotic, 1);
}

/* The worst bias, located by golden-section search on (0, 1). */
static int bias_claim(lem_study *study) {
    double low = .5, high = .95;
    while (high - low > 1e-7) { /* a maximum is only located to the root of the rounding error */
        const double step = (high - low) / (GOLDEN * GOLDEN), a = low + step, b = high - step;
        if (lem_simhash_bias(a) < lem_simhash_bias(b))
            low = a;
        else
            high = b;
    }
    low -= 1e-7, high += 1e-7;
    const double expected = sqrt(1 - 4 / (M_PI * M_PI)), wrong = M_SQRT1_2;
    LEM_TRY(lem_value_exact(study, "simhash.worst-bias", lem_simhash_bias(expected), 7, ""));
    LEM_TRY(lem_value_exact(study, "simhash.worst-rho", expected, 7, ""));
    const lem_falsifier falsifiers[] = {
        {"worst at rho = 1/sqrt(2), 45 degrees", lem_optimum(1, &low, &high, &wrong)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.simhash.bias",
            .statement = "the bias rho - (2/pi) arcsin rho is largest, 0.2105137, at rho = sqrt(1-4/pi^2) = "
                         "0.7711780",
            .source = "our addition to kexue.fm 8706",
            .verdict = LEM_HOLDS},
        lem_optimum(1, &low, &high, &expected), falsifiers, 1);
}

/* --- estimators of a cosine
 * ---------------------------------------------------------------------------------- */

/* 2F1(1,1;c;x), all terms positive: sum of k!/(c)_k x^k. */
static double hyperg_11(double c, double x) {
    double term = 1, sum = 1;
    for (double k = 0; term > 1e-17 * sum; k++) {
        term *= (k + 1) / (c + k) * x;
        sum += term;
    }
    return sum;
}

/* Exact variance of cos(Au, Av): its second moment is 1 - (1 - 1/n)(1 - rho^2) 2F1(1,1;n/2+1;rho^2). */
static double cosine_variance(double n, double rho) {
    const double mean = lem_projected_cosine_mean(n, rho), x = rho * rho;
    return 1 - (1 - 1 / n) * (1 - x) * hyperg_11(n / 2 + 1, x) - mean * mean;
}

static int mean_claim(lem_study *study) {
    enum { POINTS = 2 };
    const double n[POINTS] = {4, 16}, rho[POINTS] = {.6, .9};
    const double sd[POINTS] = {sqrt(cosine_variance(4, .6)), sqrt(cosine_variance(16, .9))};
    double mean[POINTS], floor = 0;
    lem_moments moments[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        mean[i] = lem_projected_cosine_mean(n[i], rho[i]);
        floor = fmax(floor, jl_floor_mean(rho[i] - mean[i], sd[i], POINTS));
    }
    static jl_pairs_result r;
    for (size_t i = 0; i < POINTS; i++) {
        char purpose[64], key[64];
        (void)snprintf(purpose, sizeof purpose, "cosine-mean-%g", n[i]);
        LEM_TRY(jl_pairs(study, purpose,
                         (jl_pair_ctx){.n = (size_t)n[i], .n_rho = 1, .rho = {rho[i]}, .eps = .3},
                         lem_study_samples(study, 400000, (size_t)floor), &r));
        moments[i] = r.cosine[0];
        (void)snprintf(key, sizeof key, "cosine.mean.%g", n[i]);
        LEM_TRY(lem_value_exact(study, key, mean[i], 6, ""));
        (void)snprintf(key, sizeof key, "cosine.measured.%g", n[i]);
        LEM_TRY(lem_value_estimate(study, key, lem_moments_mean(&r.cosine[0]),
                                   lem_moments_stderr(&r.cosine[0]), ""));
    }
    const lem_falsifier falsifiers[] = {{"cos(Au, Av) is unbiased", lem_expectation(POINTS, moments, rho)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.cosine-estimators",
            .statement = "E cos(Au,Av) = (2 rho/n) (Gamma((n+1)/2)/Gamma(n/2))^2 2F1(1/2,1/2;n/2+1;rho^2) at "
                         "(n, rho) = (4, 0.6), (16, 0.9)",
            .source = "our addition to kexue.fm 8706; Hotelling 1953",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason = "t with the exact SD of one cosine, the smaller effect of the two points"},
        lem_expectation(POINTS, moments, mean), falsifiers, 1);
}

static int exact_variance_claim(lem_study *study) {
    enum { POINTS = 4 };
    const jl_pair_ctx ctx = {.n = 4, .n_rho = POINTS, .rho = {0, .3, .6, .9}, .eps = .3};
    double exact[POINTS], asymptotic[POINTS];
    for (size_t r = 0; r < POINTS; r++) {
        exact[r] = cosine_variance(4, ctx.rho[r]);
        asymptotic[r] = lem_cosine_estimate_variance(LEM_ESTIMATE_COSINE, 4, ctx.rho[r]);
    }
    const double floor = jl_floor_variance(exact[2], asymptotic[2], 6, POINTS);
    static jl_pairs_result r;
    LEM_TRY(jl_pairs(study, "cosine-variance", ctx, lem_study_samples(study, 200000, (size_t)floor), &r));
    const lem_falsifier falsifiers[] = {
        {"the asymptotic (1-rho^2)^2/n already at n = 4", lem_variance(POINTS, r.cosine, asymptotic)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.cosine-estimators.variance",
            .statement =
                "E cos^2(Au,Av) = 1 - (1-1/n)(1-rho^2) 2F1(1,1;n/2+1;rho^2): exact variance at n = 4, rho "
                "= 0, 0.3, 0.6, 0.9",
            .source = "our addition to kexue.fm 8706",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason = "z at rho = 0.6, kurtosis at most 6, 20% margin"},
        lem_variance(POINTS, r.cosine, exact), falsifiers, 1);
}

/* n Var/(1-rho^2)^2 = 1 + 11 rho^2/(2n) + O(1/n^2), |O| <= 26/n^2 (Hotelling): at most 6/n for n >= 64; the
 * binomial variance of SimHash likewise approaches its delta-method value. */
static int asymptotic_claims(lem_study *study) {
    enum { POINTS = 40 };
    double exact[POINTS], limit[POINTS], bound[POINTS], inner[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double n = 64 * pow(4, (double)(i / 10)), rho = (double)(i % 10) / 10;
        exact[i] = cosine_variance(n, rho);
        limit[i] = lem_cosine_estimate_variance(LEM_ESTIMATE_COSINE, n, rho);
        inner[i] = lem_cosine_estimate_variance(LEM_ESTIMATE_INNER, n, rho);
        bound[i] = 6 / n;
    }
    const lem_falsifier falsifiers[] = {
        {"the inner product's (1+rho^2)/n", lem_identity(POINTS, exact, inner, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "jl.cosine-estimators.asymptotic",
                          .statement =
                              "Var cos(Au,Av) = (1-rho^2)^2/n to a relative 6/n, n = 64..4096, rho = 0..0.9",
                          .source = "kexue.fm 8706; Hotelling 1953",
                          .verdict = LEM_HOLDS_WHEN,
                          .note = "an asymptotic formula: relative error 5.5 rho^2/n to first order"},
        lem_identity(POINTS, exact, limit, bound), falsifiers, 1);
}

static double simhash_cost(double theta) {
    return theta * (M_PI - theta) / (sin(theta) * sin(theta));
}

static int ratio_claim(lem_study *study) {
    double low = .3, high = 2.9;
    while (high - low > 1e-6) {
        const double step = (high - low) / (GOLDEN * GOLDEN), a = low + step, b = high - step;
        if (simhash_cost(a) > simhash_cost(b))
            low = a;
        else
            high = b;
    }
    const double margin = 1e-6, at[2] = {low - margin, simhash_cost((low + high) / 2) - 1e-11},
                 to[2] = {high + margin, simhash_cost((low + high) / 2) + 1e-11};
    const double expected[2] = {M_PI_2, M_PI * M_PI / 4}, sign_test[2] = {M_PI_2, M_PI_2};
    LEM_TRY(lem_value_exact(study, "simhash.least-cost", M_PI * M_PI / 4, 5, ""));
    LEM_TRY(lem_value_exact(study, "simhash.cost-0.1", simhash_cost(.1), 3, ""));
    const lem_falsifier falsifiers[] = {
        {"least pi/2, the price of the sign test", lem_optimum(2, at, to, sign_test)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.cosine-estimators.ratio",
            .statement =
                "SimHash needs theta(pi-theta)/sin^2 theta times the samples of the cosine: least pi^2/4 = "
                "2.4674, at theta = pi/2",
            .source = "our addition to kexue.fm 8706",
            .verdict = LEM_HOLDS},
        lem_optimum(2, at, to, expected), falsifiers, 1);
}

/* --- figure
 * -------------------------------------------------------------------------------------------------- */

typedef struct {
    size_t doubles;
    double rho[N_RHO];
} figure_ctx;

/* Per rho: the cosine of the sign vectors and cos(pi K/n). */
static int figure_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                        const void *context) {
    (void)first;
    const figure_ctx *ctx = context;
    double *draws = workspace;
    LEM_TRY(lem_normal_fill(stream, 2 * N_BITS * count, draws));
    for (size_t r = 0; r < N_RHO; r++)
        for (size_t i = 0; i < count; i++) {
            const double k =
                (double)hamming(draws + 2 * N_BITS * i, ctx->rho[r], sqrt(1 - ctx->rho[r] * ctx->rho[r]));
            LEM_TRY(lem_moments_add(&out->moments[2 * r], 1 - 2 * k / N_BITS));
            LEM_TRY(lem_moments_add(&out->moments[2 * r + 1], cos(M_PI * k / N_BITS)));
        }
    return GSL_SUCCESS;
}

static int figure_lines(lem_table *table) {
    for (int i = 0; i <= 99; i++) {
        const double rho = i / 100.0;
        double mean, variance;
        LEM_TRY(lem_simhash_cos_mean_var(N_BITS, acos(rho), &mean, &variance));
        const double row[] = {rho,
                              M_2_PI * asin(rho),
                              1 + rho * rho,
                              N_BITS * cosine_variance(N_BITS, rho),
                              N_BITS * variance,
                              (1 - rho * rho) * (1 - rho * rho),
                              lem_cosine_estimate_variance(LEM_ESTIMATE_SIMHASH, 1, rho),
                              NAN};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_table_break(table);
}

static int figure(lem_study *study) {
    static const char *const columns[] = {"rho",
                                          "mean of the sign cosine",
                                          "n Var inner product",
                                          "n Var cosine",
                                          "n Var SimHash",
                                          "n Var cosine, asymptote | its stderr",
                                          "n Var SimHash, asymptote | its stderr",
                                          "stderr of n Var inner"};
    figure_ctx ctx = {.doubles = 2 * N_BITS * SIGN_CHUNK};
    jl_pair_ctx pairs = {.n = N_BITS, .n_rho = N_RHO, .eps = .3};
    for (size_t r = 0; r < N_RHO; r++)
        ctx.rho[r] = pairs.rho[r] = r == N_RHO - 1 ? .98 : (double)r / (N_RHO - 1);
    lem_moments moments[2 * N_RHO];
    lem_mc_result mc = {.moments = moments};
    const size_t samples = lem_study_samples(study, 20000, 2000);
    LEM_TRY(lem_study_mc(study, "simhash-figure",
                         (lem_mc_plan){.samples = samples,
                                       .chunk_size = SIGN_CHUNK,
                                       .n_moments = 2 * N_RHO,
                                       .chunk = figure_chunk,
                                       .ctx = &ctx,
                                       .workspace_alloc = jl_workspace_alloc,
                                       .workspace_free = free},
                         &mc));
    static jl_pairs_result r;
    LEM_TRY(jl_pairs(study, "cosine-figure", pairs, samples, &r));
    lem_table *table;
    LEM_TRY(lem_study_table(study, "cosine-estimators", columns, COUNT(columns), &table));
    LEM_TRY(figure_lines(table));
    for (size_t i = 0; i < N_RHO; i++) {
        const lem_moments *estimate = &moments[2 * i + 1];
        const double row[] = {ctx.rho[i],
                              lem_moments_mean(&moments[2 * i]),
                              N_BITS * lem_moments_variance(&r.inner[i]),
                              N_BITS * lem_moments_variance(&r.cosine[i]),
                              N_BITS * lem_moments_variance(estimate),
                              N_BITS * lem_moments_variance_stderr(&r.cosine[i]),
                              N_BITS * lem_moments_variance_stderr(estimate),
                              N_BITS * lem_moments_variance_stderr(&r.inner[i])};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(
        study, "cosine-estimators",
        "Left: the mean cosine of the sign vectors against the cosine of the vectors. Right: n times the "
        "variance of three "
        "estimators of a cosine, n = 64; heavy lines: exact, dotted: asymptotic.",
        "The cosine of sign vectors follows (2/pi) arcsin rho, up to 0.21 below the diagonal it is published "
        "to follow; "
        "of the three estimators the cosine of the projections has the least variance for every rho above 0");
}

int jl_signs(lem_study *study) {
    LEM_TRY(hamming_claims(study));
    LEM_TRY(bias_claim(study));
    LEM_TRY(mean_claim(study));
    LEM_TRY(exact_variance_claim(study));
    LEM_TRY(asymptotic_claims(study));
    LEM_TRY(ratio_claim(study));
    return figure(study);
}
