/* What the tail of the noise decides: whether more tokens help at all, and how fast. */
#include "study.h"

#include <gsl/gsl_math.h>

/* --- equal tokens, any number of them: E (o~ - o)^2 = s^2 (E sum q^2 - 1/n), and q is a softmax over the
 * noise --- */

/* E sum q^2 for n equal tokens, Laplace noise: the score law has the scale 1/sqrt 2. */
static double laplace_squares(double n, double b) {
    lem_quenched m;
    return lem_quenched_softmax(&(lem_score_law){.kind = LEM_SCORES_LAPLACE}, n, b * M_SQRT2, &m) ? NAN
                                                                                                  : m.sum_p2;
}

/* P(W > w) = (w M)^(-1/b)/2, M = E e^noise = 1/(1 - b^2): n of them share sum q^2 = n E[W^2/(W + n)^2], which
 * is (a/2) M^-a Gamma(a) Gamma(2 - a) n^(1-a), a = 1/b, for 1/2 < b < 1. */
static double one_winner(double n, double b) {
    const double a = 1 / b;
    return a / 2 * exp(a * log1p(-b * b) + lgamma(a) + lgamma(2 - a) + (1 - a) * log(n));
}

static int claim_exponents(lem_study *study) {
    enum { LAWS = 6 };
    static const double bs[LAWS] = {0.1, 0.25, 0.4, 0.6, 0.75, 0.9};
    double slope[LAWS], theory[LAWS], article[LAWS], bound[LAWS];
    for (int i = 0; i < LAWS; i++) {
        /* far out where it decays slowly; where it does not, a double leaves less and less of sum q^2 - 1/n
         */
        const double n = bs[i] < 0.5 ? 1e12 : 1e20, m = 100 * n;
        const double here = laplace_squares(n, bs[i]) - 1 / n, there = laplace_squares(m, bs[i]) - 1 / m;
        slope[i] = log(there / here) / log(m / n);
        theory[i] = fmax(-1, 1 - 1 / bs[i]);
        article[i] = -1, bound[i] = 2e-3;
        char key[64];
        (void)snprintf(key, sizeof key, "tails.slope-%g", bs[i]);
        LEM_TRY(lem_value_exact(study, key, slope[i], 3, ""));
    }
    const lem_falsifier falsifiers[] = {{"1/n for every noise, as the law of large numbers is quoted",
                                         lem_identity_abs(LAWS, slope, article, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.tails.exponent",
                          .statement = "Laplace noise on n equal scores: the mean square falls like "
                                       "n^max(-1, 1-1/b), b = 0.1..0.9; exact slopes from n to 100 n, n = "
                                       "1e12 (b < 1/2) or 1e20",
                          .source = OURS,
                          .verdict = LEM_HOLDS},
        lem_identity_abs(LAWS, slope, theory, bound), falsifiers, 1);
}

static int claim_limits(lem_study *study) {
    enum { SLOW = 3, NEVER = 3, ALL = SLOW + NEVER };
    static const double bs[ALL] = {0.6, 0.75, 0.9, 1.25, 1.5, 2};
    double exact[ALL], theory[ALL], wrong[ALL], bound[ALL];
    for (int i = 0; i < ALL; i++) {
        exact[i] = laplace_squares(1e20, bs[i]);
        theory[i] = i < SLOW ? one_winner(1e20, bs[i]) : 1 - 1 / bs[i];
        wrong[i] = i < SLOW ? 2 * theory[i] : 0;
        bound[i] = 1e-2;
    }
    LEM_TRY(lem_value_exact(study, "tails.limit-1.5", sqrt(exact[SLOW + 1]), 3, ""));
    const lem_falsifier falsifiers[] = {{"the error vanishes for b > 1 as well; twice the constant below",
                                         lem_identity(ALL, exact, wrong, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.tails.limit",
                          .statement =
                              "equal scores, n = 1e20: the mean square is (a/2)(1-b^2)^a Gamma(a) Gamma(2-a) "
                              "n^(1-a), a = 1/b, for 1/2 < b < 1, and 1 - 1/b of the variance of the values "
                              "for b > 1: the winner is decided by the noise; to 1 percent",
                          .source = OURS,
                          .verdict = LEM_HOLDS},
        lem_identity(ALL, exact, theory, bound), falsifiers, 1);
}

/* Student's t with 3 degrees of freedom is sqrt 3 times the score law of variance 1. */
static int claim_student(lem_study *study) {
    enum { STEPS = 2 };
    static const double ns[STEPS + 1] = {8, 64, 512};
    double lower[STEPS], upper[STEPS], gauss_lower[STEPS], gauss_upper[STEPS];
    lem_quenched m;
    for (int i = 0; i <= STEPS; i++) {
        LEM_TRY(lem_quenched_softmax(&(lem_score_law){.kind = LEM_SCORES_STUDENT, .shape = 3}, ns[i], M_SQRT3,
                                     &m));
        const double gauss = lem_softmax_gaussian_sum_squares(ns[i], 1);
        if (i < STEPS)
            lower[i] = m.sum_p2 - 1 / ns[i], gauss_lower[i] = gauss - 1 / ns[i];
        if (i > 0)
            upper[i - 1] = m.sum_p2 - 1 / ns[i], gauss_upper[i - 1] = gauss - 1 / ns[i];
    }
    LEM_TRY(lem_value_exact(study, "tails.student-8", sqrt(lower[0]), 3, ""));
    LEM_TRY(lem_value_exact(study, "tails.student-512", sqrt(upper[STEPS - 1]), 3, ""));
    const lem_falsifier falsifiers[] = {
        {"Gaussian noise does the same", lem_inequality_strict(STEPS, gauss_lower, gauss_upper, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.tails.student",
                          .statement =
                              "equal scores, Student noise with 3 degrees of freedom: the mean square "
                              "grows with the number of tokens, from n = 8 to 512",
                          .source = OURS,
                          .verdict = LEM_HOLDS},
        lem_inequality_strict(STEPS, lower, upper, NULL), falsifiers, 1);
}

/* --- Gaussian scores, exact squares draw by draw: slopes from n = 256 to 4096 --- */

enum { LENGTHS = 3, SLOPES = 2, MOST = 4096 };
static const size_t lengths[LENGTHS] = {256, 1024, 4096};
static const double slope_b[SLOPES] = {0.25, 0.75};

typedef struct {
    size_t doubles;
    lem_noise_table *const *tables;
} slope_ctx;

/* One sequence of scores and values, cut at each length; least squares of log mse on log n, equally spaced.
 */
static int draw_slopes(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                       const void *ctx) {
    (void)first;
    const slope_ctx *c = ctx;
    double *s = workspace, *v = s + MOST, *p = v + MOST;
    for (size_t r = 0; r < count; r++) {
        LEM_TRY(lem_normal_fill(stream, MOST, s));
        LEM_TRY(lem_normal_fill(stream, MOST, v));
        for (int b = 0; b < SLOPES; b++) {
            double log_mse[LENGTHS];
            for (int k = 0; k < LENGTHS; k++) {
                lem_noisy_moments m;
                LEM_TRY(lem_softmax(lengths[k], s, p));
                LEM_TRY(lem_noisy_attention_moments(c->tables[b], lengths[k], p, v, &m));
                log_mse[k] = log(m.mse);
            }
            const double slope = (log_mse[2] - log_mse[0]) / log((double)lengths[2] / (double)lengths[0]);
            LEM_TRY(lem_moments_add(&out->moments[b], b == 0 ? slope : -slope));
        }
    }
    return GSL_SUCCESS;
}

static int claim_slopes(lem_study *study) {
    enum { FLOOR = 30 };
    lem_noise_table *tables[SLOPES];
    lem_moments moments[SLOPES];
    lem_mc_result result = {.moments = moments};
    for (int b = 0; b < SLOPES; b++)
        tables[b] = lem_noise_table_alloc((lem_noise){LEM_NOISE_LAPLACE, slope_b[b]});
    int status = tables[0] && tables[1] ? GSL_SUCCESS : GSL_ENOMEM;
    if (!status)
        status = lem_study_mc(study, "slopes",
                              (lem_mc_plan){.samples = lem_study_samples(study, 60, FLOOR),
                                            .chunk_size = 1,
                                            .n_moments = SLOPES,
                                            .chunk = draw_slopes,
                                            .ctx = &(slope_ctx){3 * MOST, tables},
                                            .workspace_alloc = srob_workspace_alloc,
                                            .workspace_free = free},
                              &result);
    for (int b = 0; b < SLOPES; b++)
        lem_noise_table_free(tables[b]);
    LEM_TRY(status);
    LEM_TRY(lem_value_estimate(study, "tails.attention-0.25", lem_moments_mean(&moments[0]),
                               lem_moments_stderr(&moments[0]), ""));
    LEM_TRY(lem_value_estimate(study, "tails.attention-0.75", -lem_moments_mean(&moments[1]),
                               lem_moments_stderr(&moments[1]), ""));
    static const double bound[SLOPES] = {-0.8, 0.6}, fast[1] = {-0.8};
    lem_moments heavy = moments[1];
    heavy.mean = -heavy.mean, heavy.m3 = -heavy.m3;
    const lem_falsifier falsifiers[] = {
        {"b = 0.75 is as fast as b = 0.25", lem_mean_at_most(1, &heavy, fast)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.tails",
                          .statement = "attention with Gaussian scores, exact squares: from n = 256 to 4096 "
                                       "the r.m.s. error falls faster than n^-0.4 for Laplace noise of b = "
                                       "0.25 and more slowly than n^-0.3 for b = 0.75",
                          .source = ARTICLE ", which does not mention the tail",
                          .verdict = LEM_HOLDS_WHEN,
                          .note = "o~ tends to o only if E e^noise is finite, and like n^-1/2 only if E "
                                  "e^(2 noise) is",
                          .floor = FLOOR,
                          .floor_reason = "slopes of one draw spread by less than 0.1 about -0.95 and -0.35; "
                                          "Student's t of 30 draws has its limit at 6.2 standard errors"},
        lem_mean_at_most(SLOPES, moments, bound), falsifiers, 1);
}

/* --- sampled errors, scores and values fresh: streamed, nothing of size n is kept --- */

enum { NOISES = 6, COUNTS = 5 };
static const struct {
    lem_noise noise;
    const char *name;
} noises[NOISES] = {{{LEM_NOISE_GAUSS, 1}, "gauss-1"},         {{LEM_NOISE_LAPLACE, 0.5}, "laplace-0.5"},
                    {{LEM_NOISE_LAPLACE, 0.9}, "laplace-0.9"}, {{LEM_NOISE_LAPLACE, 1.5}, "laplace-1.5"},
                    {{LEM_NOISE_STUDENT, 3}, "student-3"},     {{LEM_NOISE_CAUCHY, 1}, "cauchy"}};
enum { EXACT_LAWS = 4 }; /* the first four have exact moments */
static const size_t counts[COUNTS] = {64, 256, 1024, 4096, 16384};

typedef struct {
    size_t n;
} stream_ctx;

static int draw_streamed(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *ctx) {
    (void)first, (void)workspace;
    const size_t n = ((const stream_ctx *)ctx)->n;
    double s[SROB_BLOCK], v[SROB_BLOCK], x[SROB_BLOCK];
    for (size_t r = 0; r < count; r++) {
        srob_running plain = SROB_NOTHING_YET, noisy[NOISES];
        for (int k = 0; k < NOISES; k++)
            noisy[k] = plain;
        for (size_t done = 0; done < n; done += SROB_BLOCK) {
            const size_t size = n - done < SROB_BLOCK ? n - done : SROB_BLOCK;
            LEM_TRY(lem_normal_fill(stream, size, s));
            LEM_TRY(lem_normal_fill(stream, size, v));
            srob_run_on(&plain, size, s, v);
            for (int k = 0; k < NOISES; k++) {
                LEM_TRY(lem_noise_fill(noises[k].noise, stream, size, x));
                for (size_t i = 0; i < size; i++)
                    x[i] += s[i];
                srob_run_on(&noisy[k], size, x, v);
            }
        }
        for (int k = 0; k < NOISES; k++) {
            const double change = srob_output(&noisy[k]) - srob_output(&plain);
            LEM_TRY(lem_moments_add(&out->moments[k], change * change));
        }
    }
    return GSL_SUCCESS;
}

enum { AT_4096 = 3, ROWS = 600, LEAST_ROWS = 400 }; /* rows at n = 4096 */

static int claim_never(lem_study *study, const lem_moments *moments) {
    enum { HEAVY = 3 };
    const lem_moments heavy[HEAVY] = {moments[3], moments[4], moments[5]};
    const lem_moments light[HEAVY] = {moments[0], moments[0], moments[0]};
    static const double bound[HEAVY] = {0.1, 0.4, 0.4}, small[HEAVY] = {0.01, 0.01, 0.01};
    const lem_falsifier falsifiers[] = {
        {"the output of attention stays near whatever the law of independent noise: a mean square below 0.01",
         lem_mean_at_most(HEAVY, heavy, small)},
        {"Gaussian noise moves it as far", lem_mean_at_least(HEAVY, light, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "srob.tails.none",
            .statement = "n = 4096: the mean square is above 0.1 for Laplace noise of b = 1.5 "
                         "and above 0.4 for Student (3) and Cauchy noise: no convergence",
            .source = ARTICLE,
            .verdict = LEM_REFUTED,
            .note = "the output stays near only under noise with E e^noise finite, and at the "
                    "rate n^-1/2 only with E e^(2 noise) finite",
            .floor = LEAST_ROWS,
            .floor_reason =
                "squares under Cauchy noise have mean 1 and spread by 1.5: 13 standard errors above 0.01; "
                "those under Gaussian noise are below 0.01, of which 0.1 is twenty standard deviations"},
        lem_mean_at_least(HEAVY, heavy, bound), falsifiers, 2);
}

typedef struct {
    size_t doubles, n;
    lem_noise_table *const *tables;
} exact_ctx;

/* Exact squares for the line of the figure, and sampled over exact as a check of both. */
static int draw_exact(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *ctx) {
    (void)first;
    const exact_ctx *c = ctx;
    double *p = workspace, *v = p + c->n;
    for (size_t r = 0; r < count; r++) {
        LEM_TRY(srob_tokens(stream, c->n, 1, 0, p, v));
        for (int k = 0; k < EXACT_LAWS; k++) {
            lem_noisy_moments m;
            LEM_TRY(lem_noisy_attention_moments(c->tables[k], c->n, p, v, &m));
            LEM_TRY(lem_moments_add(&out->moments[k], m.mse));
        }
    }
    return GSL_SUCCESS;
}

static int exact_lines(lem_study *study, lem_moments lines[COUNTS][EXACT_LAWS]) {
    lem_noise_table *tables[EXACT_LAWS];
    int status = GSL_SUCCESS;
    for (int k = 0; k < EXACT_LAWS; k++) {
        tables[k] = lem_noise_table_alloc(noises[k].noise);
        status = tables[k] ? status : GSL_ENOMEM;
    }
    for (int i = 0; i < COUNTS && !status; i++) {
        char purpose[32];
        (void)snprintf(purpose, sizeof purpose, "exact at %zu", counts[i]);
        lem_mc_result result = {.moments = lines[i]};
        status = lem_study_mc(study, purpose,
                              (lem_mc_plan){.samples = lem_study_samples(study, 65536 / counts[i] + 4, 2),
                                            .chunk_size = 1,
                                            .n_moments = EXACT_LAWS,
                                            .chunk = draw_exact,
                                            .ctx = &(exact_ctx){2 * counts[i], counts[i], tables},
                                            .workspace_alloc = srob_workspace_alloc,
                                            .workspace_free = free},
                              &result);
    }
    for (int k = 0; k < EXACT_LAWS; k++)
        lem_noise_table_free(tables[k]);
    return status;
}

/* Block k: n, exact r.m.s. (the first four laws), sampled r.m.s., its standard error. */
static int figure(lem_study *study, lem_moments lines[COUNTS][EXACT_LAWS],
                  lem_moments sampled[COUNTS][NOISES]) {
    static const char *const columns[] = {"n", "exact r.m.s. error", "sampled", "its standard error"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "tails", columns, 4, &table));
    for (int k = 0; k < NOISES; k++) {
        for (int i = 0; i < COUNTS; i++) {
            const double rms = sqrt(lem_moments_mean(&sampled[i][k]));
            const double row[] = {(double)counts[i],
                                  k < EXACT_LAWS ? sqrt(lem_moments_mean(&lines[i][k])) : NAN, rms,
                                  lem_moments_stderr(&sampled[i][k]) / (2 * rms)};
            LEM_TRY(lem_table_row(table, row));
        }
        if (k + 1 < NOISES)
            LEM_TRY(lem_table_break(table));
    }
    return lem_study_figure(
        study, "tails",
        "Root mean square change of the output against the number of tokens, normal scores and values, "
        "for six laws of noise. Lines: exact, averaged over draws; points: sampled with fresh draws, 4 "
        "standard errors; grey: the slope of n^(−1/2).",
        "Gaussian noise falls like one over the root of n, Laplace noise of b = 0.9 hardly falls, and "
        "Laplace 1.5, Student and Cauchy noise do not fall at all");
}

static int streamed(lem_study *study) {
    lem_moments sampled[COUNTS][NOISES], lines[COUNTS][EXACT_LAWS];
    for (int i = 0; i < COUNTS; i++) {
        char purpose[32];
        (void)snprintf(purpose, sizeof purpose, "streamed %zu", counts[i]);
        lem_mc_result result = {.moments = sampled[i]};
        const size_t rows = counts[i] > 4096 ? 1 : 4, floor = i == AT_4096 ? LEAST_ROWS : 50;
        LEM_TRY(lem_study_mc(study, purpose,
                             (lem_mc_plan){.samples = lem_study_samples(study, rows * ROWS, floor),
                                           .chunk_size = 20,
                                           .n_moments = NOISES,
                                           .chunk = draw_streamed,
                                           .ctx = &(stream_ctx){counts[i]}},
                             &result));
    }
    for (int k = 0; k < NOISES; k++)
        for (int i = 0; i < COUNTS; i += 2) {
            char key[64];
            (void)snprintf(key, sizeof key, "tails.%s-%zu", noises[k].name, counts[i]);
            const double rms = sqrt(lem_moments_mean(&sampled[i][k]));
            LEM_TRY(lem_value_scaled(study, key, rms, 2, ""));
            (void)snprintf(key, sizeof key, "tails.%s-%zu-error", noises[k].name, counts[i]);
            LEM_TRY(lem_value_scaled(study, key, lem_moments_stderr(&sampled[i][k]) / (2 * rms), 1, ""));
        }
    LEM_TRY(claim_never(study, sampled[AT_4096]));
    LEM_TRY(exact_lines(study, lines));
    return figure(study, lines, sampled);
}

int srob_tails(lem_study *study) {
    LEM_TRY(claim_exponents(study));
    LEM_TRY(claim_limits(study));
    LEM_TRY(claim_student(study));
    LEM_TRY(claim_slopes(study));
    return streamed(study);
}
