/* Lengths of the projections: the article's deterministic ones, jittered ones, frozen ones, and what there is
 * to gain. */
#include "study.h"

/* --- the article's lengths ---------------------------------------------------------------------------------
 */

enum { D = 8, P = 8 };

static int bias_claim(lem_study *study) {
    enum { FLOOR = 25000 };
    const perf_block block = {
        .d = D, .P = P, .lengths = PERF_ARTICLE, .n_points = 1, .points = {{LEM_RF_POSITIVE, 1}}};
    lem_moments moments[1];
    LEM_TRY(perf_blocks(study, "article", block, lem_study_samples(study, 200000, FLOOR), moments));
    const double exact = 1 + lem_stratified_radius_relative_bias(D, 1, P), one = 1;
    LEM_TRY(lem_value_estimate(study, "article.bias", lem_moments_mean(moments) - 1,
                               lem_moments_stderr(moments), ""));
    LEM_TRY(lem_value_exact(study, "article.bias.exact", exact - 1, 4, ""));
    const lem_falsifier falsifiers[] = {
        {"lengths at the quantiles i/(P+1) leave the estimate unbiased", lem_expectation(1, moments, &one)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "perf.radius-bias",
                          .statement = "lengths at the quantiles i/(P+1) give a mean of e^(-t/2) (1/P) sum "
                                       "Phi(r_i^2 t), below 1; d = P = 8, "
                                       "t = 1",
                          .source = "kexue.fm 7921",
                          .verdict = LEM_REFUTED,
                          .note = "biased low for every t > 0, and averaging over redraws never removes it",
                          .floor = FLOOR,
                          .floor_reason = "off by 0.0266 with a standard deviation of 0.40: (4.9 + 4.8)^2 "
                                          "0.40^2/0.0266^2 = 21000 draws"},
        lem_expectation(1, moments, &exact), falsifiers, 1);
}

enum { N_RATE = 4 };
static const struct { double d, t; } RATE[N_RATE] = {{2, 1}, {8, 4}, {64, 1}, {64, 16}};

static int rate_claim(lem_study *study) {
    enum { STEPS = 3 };
    static const double sizes[STEPS + 1] = {8, 64, 512, 4096};
    double slope[N_RATE * STEPS], steep[N_RATE * STEPS], inverse[N_RATE * STEPS];
    for (size_t i = 0; i < N_RATE; i++) {
        double before = 0;
        for (size_t j = 0; j <= STEPS; j++) {
            const double b = lem_stratified_radius_relative_bias(RATE[i].d, RATE[i].t, sizes[j]);
            char key[64];
            (void)snprintf(key, sizeof key, "article.bias.%g-%g-%g", RATE[i].d, RATE[i].t, sizes[j]);
            LEM_TRY(lem_value_exact(study, key, b, 3, ""));
            if (j > 0) {
                const size_t at = i * STEPS + j - 1;
                slope[at] = log(b / before) / log(sizes[j] / sizes[j - 1]);
                steep[at] = -.9, inverse[at] = -.95;
            }
            before = b;
        }
    }
    const lem_falsifier falsifiers[] = {
        {"the bias falls like 1/P", lem_inequality(N_RATE * STEPS, slope, inverse, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "perf.radius-bias.rate",
                                       .statement = "from P = 8 to 4096 the bias falls more slowly than "
                                                    "P^-0.9, (d, t) = (2,1), (8,4), (64,1), (64,16)",
                                       .source = "our addition to kexue.fm 7921",
                                       .verdict = LEM_HOLDS},
                     lem_inequality(N_RATE * STEPS, steep, slope, NULL), falsifiers, 1);
}

/* --- what the lengths contribute ---------------------------------------------------------------------------
 */

/* E Phi(r^2 t)^2, r ~ chi_d, over v = log r: the integrand vanishes with all derivatives at both ends, so
 * that the trapezoidal rule is spectrally accurate; below v = -25 lies e^(-25 d) of the mass. */
static double sphere_squared_mean(double d, double t) {
    double sum = 0, weight = 0;
    for (int i = -5000; i <= 800; i++) {
        const double v = i / 200.0 + log(d) / 2, r = exp(v),
                     log_density = d * v - r * r / 2 - d / 2 * (log(d) - 1);
        if (r > 40 || log_density < -700)
            continue;
        const double phi = perf_sphere(d, r * r * t), density = exp(log_density);
        sum += density * phi * phi;
        weight += density;
    }
    return sum / weight;
}

static int share_claim(lem_study *study) {
    enum { N = 5 };
    static const struct { double d, t; } at[N] = {{7, 1.3}, {2, 1.6}, {8, 1.6}, {64, 1.6}, {16, 4}};
    double measured[N], exact[N], slip[N], bound[N];
    for (size_t i = 0; i < N; i++) {
        const double d = at[i].d, t = at[i].t, gap = expm1(t);
        measured[i] = (exp(-t) * sphere_squared_mean(d, t) - 1) / gap;
        exact[i] = lem_radial_variance_share(d, t);
        slip[i] = (perf_sphere(d, t) - 1) / gap;
        /* (e^-t E Phi^2 - 1) is a difference of numbers near 1 with a few dozen roundings each */
        bound[i] = 1e-12 + 60 * 2.3e-16 / (exact[i] * gap);
        if (i < 1)
            continue;
        char key[64];
        (void)snprintf(key, sizeof key, "share.%g-%g", d, t);
        LEM_TRY(lem_value_exact(study, key, exact[i], 3, ""));
    }
    const lem_falsifier falsifiers[] = {
        {"0F1(;d/2; t/4) in place of 0F1(;d/2; t^2/4)", lem_identity(N, measured, slip, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "perf.radius-share",
                                       .statement = "lengths contribute (0F1(;d/2;t^2/4)-1)/(e^t-1) of the "
                                                    "variance of positive features (quadrature over "
                                                    "chi_d)",
                                       .source = "our addition to kexue.fm 7921",
                                       .verdict = LEM_HOLDS},
                     lem_identity(N, measured, exact, bound), falsifiers, 1);
}

/* --- jitter ------------------------------------------------------------------------------------------------
 */

static int jitter_claims(lem_study *study) {
    enum { FLOOR = 50000, N = 2 };
    /* means at t = 1, variances at 0.5, where 50000 draws see them */
    perf_block block = {
        .d = D,
        .P = P,
        .directions = PERF_ORTHOGONAL,
        .lengths = PERF_JITTER,
        .n_points = 4,
        .points = {
            {LEM_RF_POSITIVE, 1}, {LEM_RF_HYPERBOLIC, 1}, {LEM_RF_POSITIVE, .5}, {LEM_RF_HYPERBOLIC, .5}}};
    lem_moments jitter[4], article[4];
    const size_t samples = lem_study_samples(study, 150000, FLOOR);
    LEM_TRY(perf_blocks(study, "jitter", block, samples, jitter));
    block.lengths = PERF_ARTICLE;
    LEM_TRY(perf_blocks(study, "article-orthogonal", block, samples, article));
    const double one[] = {1, 1, 1, 1};
    LEM_TRY(lem_value_estimate(study, "jitter.mean", lem_moments_mean(&jitter[1]),
                               lem_moments_stderr(&jitter[1]), ""));
    const lem_falsifier deterministic[] = {
        {"the article's lengths are as good", lem_expectation(4, article, one)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "perf.radius-jitter",
            .statement =
                "lengths at the quantiles (i-1+U_i)/P, U_i uniform, leave the estimate unbiased; d = P = 8, "
                "orthogonal",
            .source = "our addition to kexue.fm 7921",
            .verdict = LEM_HOLDS,
            .floor = FLOOR,
            .floor_reason = "hyperbolic, t = 1: off by 0.0266 with a standard deviation of 0.18: 5000 draws"},
        lem_expectation(4, jitter, one), deterministic, 1));
    double exact[N], plain[N];
    static const char *const names[] = {"positive", "hyperbolic"};
    for (size_t i = 0; i < N; i++) {
        const perf_point p = block.points[2 + i];
        exact[i] = lem_radius_jitter_variance(p.kind, D, p.t, P, true);
        plain[i] = (perf_variance(p) + (P - 1) * exp(-p.t) * lem_orthogonal_pair_cov(D, p.t)) / P;
        char key[64];
        (void)snprintf(key, sizeof key, "jitter.%s", names[i]);
        LEM_TRY(lem_value_estimate(study, key, lem_moments_variance(&jitter[2 + i]),
                                   lem_moments_variance_stderr(&jitter[2 + i]), ""));
        (void)snprintf(key, sizeof key, "jitter.%s.exact", names[i]);
        LEM_TRY(lem_value_exact(study, key, exact[i], 4, ""));
        (void)snprintf(key, sizeof key, "jitter.%s.gain", names[i]);
        LEM_TRY(lem_value_exact(study, key, 1 - exact[i] / plain[i], 2, ""));
        const perf_point q = {p.kind, 1};
        const double without = (perf_variance(q) + (P - 1) * exp(-1) * lem_orthogonal_pair_cov(D, 1)) / P;
        (void)snprintf(key, sizeof key, "jitter.%s.gain-1", names[i]);
        LEM_TRY(lem_value_exact(study, key, 1 - lem_radius_jitter_variance(p.kind, D, 1, P, true) / without,
                                2, ""));
    }
    const lem_falsifier without[] = {
        {"the variance of orthogonal features with plain lengths", lem_variance(N, jitter + 2, plain)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "perf.radius-jitter.variance",
            .statement = "jittered orthogonal features have the variance of the integrals over strata; d = P "
                         "= 8, t = 0.5",
            .source = "our addition to kexue.fm 7921",
            .verdict = LEM_HOLDS,
            .floor = FLOOR,
            .floor_reason =
                "hyperbolic: 22 percent less than without, relative standard error 4/sqrt(n): 30000 draws"},
        lem_variance(N, jitter + 2, exact), without, 1);
}

/* At the usual width, d = P = 64, where lengths carry little of the variance of one feature. */
static int wide_jitter_claim(lem_study *study) {
    enum { N = 2 };
    const double d = 64, t = .25, expected[N] = {2.8245e-5, 2.0937e-5};
    const double plain = (perf_variance((perf_point){LEM_RF_HYPERBOLIC, t}) +
                          (d - 1) * exp(-t) * lem_orthogonal_pair_cov(d, t)) /
                         d;
    const double jittered = lem_radius_jitter_variance(LEM_RF_HYPERBOLIC, d, t, d, true);
    const double unit = 6e-10; /* half of the last digit given, and a fifth of that */
    const double low[N] = {plain - unit, jittered - unit}, high[N] = {plain + unit, jittered + unit};
    const double no_gain[N] = {expected[0], expected[0]};
    LEM_TRY(lem_value_exact(study, "jitter.wide.plain", plain, 5, ""));
    LEM_TRY(lem_value_exact(study, "jitter.wide", jittered, 5, ""));
    LEM_TRY(lem_value_exact(study, "jitter.wide.gain", 1 - jittered / plain, 2, ""));
    const lem_falsifier falsifiers[] = {
        {"lengths do not matter at this width", lem_optimum(N, low, high, no_gain)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "perf.radius-jitter.wide",
                          .statement =
                              "at d = P = 64, t = 0.25 jittered lengths lower the variance of orthogonal "
                              "hyperbolic features from 2.8245e-5 to 2.0937e-5",
                          .source = "our addition to kexue.fm 7921",
                          .verdict = LEM_HOLDS},
        lem_optimum(N, low, high, expected), falsifiers, 1);
}

/* --- frozen ------------------------------------------------------------------------------------------------
 */

static int spherical_claims(lem_study *study) {
    enum { FLOOR = 60000, N = 4 };
    static const double t[N] = {.01, .1, 1, 4};
    const double d = 1e6;
    double exact[N], leading[N], twice[N], bound[N];
    for (size_t i = 0; i < N; i++) {
        exact[i] = lem_spherical_feature_relative_bias(d, t[i]);
        leading[i] = -t[i] * t[i] / (4 * d), twice[i] = 2 * leading[i];
        bound[i] = (2 + 2 * t[i] + t[i] * t[i]) / d; /* the next order, 2 + 2t/3 + t^2/8 at most */
    }
    const lem_falsifier doubled[] = {{"-t^2/(2d)", lem_identity(N, exact, twice, bound)}};
    LEM_TRY(lem_value_exact(study, "spherical.64-1", lem_spherical_feature_relative_bias(64, 1), 3, ""));
    LEM_TRY(lem_value_exact(study, "spherical.64-16", lem_spherical_feature_relative_bias(64, 16), 3, ""));
    LEM_TRY(lem_value_exact(study, "spherical.512-16", lem_spherical_feature_relative_bias(512, 16), 3, ""));
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "perf.spherical",
                                        .statement = "lengths frozen at sqrt(d) give the relative bias "
                                                     "0F1(;d/2;dt/4)e^(-t/2)-1 = -t^2/(4d)(1+O((1+t)^2/d)), "
                                                     "d = 1e6",
                                        .source = "Choromanski et al., arXiv 2009.14794 (a bound only)",
                                        .verdict = LEM_HOLDS},
                      lem_identity(N, exact, leading, bound), doubled, 1));
    const perf_block block = {.d = D,
                              .P = P,
                              .lengths = PERF_FROZEN,
                              .directions = PERF_ORTHOGONAL,
                              .n_points = 1,
                              .points = {{LEM_RF_HYPERBOLIC, 1}}};
    lem_moments moments[1];
    LEM_TRY(perf_blocks(study, "frozen", block, lem_study_samples(study, 60000, FLOOR), moments));
    const double mean = 1 + lem_spherical_feature_relative_bias(D, 1), wrong = 1 - 1.0 / (2 * D);
    LEM_TRY(lem_value_estimate(study, "spherical.bias", lem_moments_mean(moments) - 1,
                               lem_moments_stderr(moments), ""));
    LEM_TRY(lem_value_exact(study, "spherical.bias.exact", mean - 1, 3, ""));
    const lem_falsifier falsifiers[] = {{"-t^2/(2d)", lem_expectation(1, moments, &wrong)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "perf.spherical.mc",
                          .statement = "the mean with frozen lengths, d = P = 8, t = 1, is the exact one",
                          .source = "Choromanski et al., arXiv 2009.14794",
                          .verdict = LEM_HOLDS,
                          .floor = FLOOR,
                          .floor_reason =
                              "-0.022 against -0.0625 with a standard deviation below 0.2: 3000 draws"},
        lem_expectation(1, moments, &mean), falsifiers, 1);
}

/* --- figure ------------------------------------------------------------------------------------------------
 */

static int measured_rows(lem_study *study, lem_table *table) {
    static const size_t sizes[] = {4, 8, 16, 32, 64, 128};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        perf_block block = {.d = D,
                            .P = sizes[i],
                            .lengths = PERF_ARTICLE,
                            .n_points = 1,
                            .points = {{LEM_RF_HYPERBOLIC, 1}}};
        lem_moments article[1], jitter[1];
        char purpose[64];
        (void)snprintf(purpose, sizeof purpose, "figure-article-%zu", sizes[i]);
        LEM_TRY(perf_blocks(study, purpose, block, lem_study_samples(study, 4000, 1000), article));
        block.lengths = PERF_JITTER;
        (void)snprintf(purpose, sizeof purpose, "figure-jitter-%zu", sizes[i]);
        LEM_TRY(perf_blocks(study, purpose, block, lem_study_samples(study, 4000, 1000), jitter));
        const double row[] = {(double)sizes[i],
                              lem_moments_mean(article) - 1,
                              lem_moments_stderr(article),
                              lem_moments_mean(jitter) - 1,
                              lem_moments_stderr(jitter),
                              lem_stratified_radius_relative_bias(D, 1, (double)sizes[i]),
                              NAN};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_table_break(table);
}

static int figure(lem_study *study) {
    static const char *const columns[] = {"P",
                                          "(2,1) | article",
                                          "(8,4) | stderr",
                                          "(64,1) | jitter",
                                          "(64,16) | stderr",
                                          "iid sd, t = 1 | exact",
                                          "1/P"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "radius", columns, COUNT(columns), &table));
    for (int i = 0; i <= 40; i++) {
        const double m = round(4 * pow(1024, i / 40.0));
        double row[7] = {m};
        for (size_t j = 0; j < N_RATE; j++)
            row[1 + j] = -lem_stratified_radius_relative_bias(RATE[j].d, RATE[j].t, m);
        row[5] = sqrt(expm1(1) / m);
        row[6] = .2 / m;
        LEM_TRY(lem_table_row(table, row));
    }
    LEM_TRY(lem_table_break(table));
    LEM_TRY(measured_rows(study, table));
    return lem_study_figure(study, "radius",
                            "Left: size of the relative bias of lengths at fixed quantiles, for pairs (d, "
                            "t), beside the standard deviation of as many "
                            "independent features. Right: measured means at d = 8, t = 1, fixed quantiles "
                            "and jittered ones, 4 standard errors.",
                            "The bias of deterministic lengths falls more slowly than 1/P and is always "
                            "negative; jittered lengths are unbiased");
}

int perf_radius(lem_study *study) {
    LEM_TRY(bias_claim(study));
    LEM_TRY(rate_claim(study));
    LEM_TRY(share_claim(study));
    LEM_TRY(jitter_claims(study));
    LEM_TRY(wide_jitter_claim(study));
    LEM_TRY(spherical_claims(study));
    return figure(study);
}
