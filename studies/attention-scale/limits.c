/* alpha -> infinity at fixed n: no maximum. n -> infinity at fixed alpha/sqrt(log n): the random energy
 * model. */
#include "study.h"

static const double lengths[] = {64, 1024, 65536};
enum { N_LENGTHS = 3, STEPS = 60, ANNEALED_STEPS = 50 };

static int claim_rising(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.no-optimum",
        .statement = "the exact mean F(alpha) = E alpha (1 - sum p^2) rises from each alpha to the next on a "
                     "grid from 0.1 "
                     "to 40, n = 64, 1024, 65536",
        .source = "9812 says that it has a maximum; lemmata",
        .verdict = LEM_REFUTED,
        .note = "F rises for ever, to E max s: its maximum belongs to the annealed formula alone",
    };
    double smaller[N_LENGTHS * (STEPS - 1)], larger[N_LENGTHS * (STEPS - 1)], alpha[STEPS], f[STEPS];
    double annealed_smaller[N_LENGTHS * (ANNEALED_STEPS - 1)],
        annealed_larger[N_LENGTHS * (ANNEALED_STEPS - 1)];
    ascale_grid(STEPS, 0.1, 40, alpha);
    for (size_t i = 0; i < N_LENGTHS; i++) {
        for (size_t k = 0; k < STEPS; k++) {
            lem_quenched q;
            LEM_TRY(ascale_gauss(lengths[i], alpha[k], &q));
            f[k] = q.trace;
        }
        for (size_t k = 0; k + 1 < STEPS; k++)
            smaller[i * (STEPS - 1) + k] = f[k], larger[i * (STEPS - 1) + k] = f[k + 1];
        for (size_t k = 0; k + 1 < ANNEALED_STEPS; k++) { /* further on e^(alpha^2) overflows */
            annealed_smaller[i * (ANNEALED_STEPS - 1) + k] = lem_annealed_trace_gauss(lengths[i], alpha[k]);
            annealed_larger[i * (ANNEALED_STEPS - 1) + k] =
                lem_annealed_trace_gauss(lengths[i], alpha[k + 1]);
        }
    }
    const lem_falsifier wrong[] = {
        {"the mean gradient has a maximum: F is the annealed formula alpha (1 - e^(alpha^2)/n)",
         lem_inequality_strict(COUNT(annealed_smaller), annealed_smaller, annealed_larger, NULL)}};
    return lem_claim(study, &info, lem_inequality_strict(COUNT(smaller), smaller, larger, NULL), wrong, 1);
}

static int claim_approach(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.no-optimum.approach",
        .statement = "E max - F = (pi^2/12) E max alpha^-2 (1 + delta), |delta| <= 1.5 alpha_c/alpha for "
                     "alpha >= 4 alpha_c = "
                     "4 sqrt(2 log n)",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    static const double multiples[] = {4, 6, 10, 20, 40};
    enum { MULTIPLES = 5, POINTS = N_LENGTHS * MULTIPLES };
    double delta[POINTS], double_delta[POINTS], bound[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double n = lengths[i / MULTIPLES], m = multiples[i % MULTIPLES], alpha = m * ascale_freezing(n);
        const double most = lem_expected_max_gauss(n);
        lem_quenched q;
        LEM_TRY(ascale_gauss(n, alpha, &q));
        const double ratio = (most - q.trace) / (M_PI * M_PI / 12 * most / (alpha * alpha));
        delta[i] = fabs(ratio - 1), double_delta[i] = fabs(ratio / 2 - 1), bound[i] = 1.5 / m;
    }
    const lem_falsifier wrong[] = {
        {"pi^2/6 in place of pi^2/12", lem_inequality(POINTS, double_delta, bound, NULL)}};
    return lem_claim(study, &info, lem_inequality(POINTS, delta, bound, NULL), wrong, 1);
}

static int claim_gap(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.no-optimum.gap",
        .statement = "the limit n(n-1) int w^2 W^(n-2), the density of a tie for the first place, is E max "
                     "of Gaussian scores, "
                     "n = 2 .. 1e100",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    enum { POINTS = 6 };
    static const double n[POINTS] = {2, 64, 1024, 65536, 1e12, 1e100};
    double density[POINTS], square[POINTS], most[POINTS], bound[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        density[i] = lem_gap_density_at_zero(&(lem_score_law){.kind = LEM_SCORES_GAUSSIAN}, n[i]);
        most[i] = lem_expected_max_gauss(n[i]);
        square[i] = density[i] * n[i] / (n[i] - 1), bound[i] = 1e-12;
    }
    const lem_falsifier wrong[] = {{"n^2 in place of n(n-1)", lem_identity(POINTS, square, most, bound)}};
    return lem_claim(study, &info, lem_identity(POINTS, density, most, bound), wrong, 1);
}

static int claim_share(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.no-optimum.share",
        .statement =
            "at the annealed optimum F is between 59 and 67 percent of what it tends to, n = 64, 1024, 65536",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    double low[N_LENGTHS], high[N_LENGTHS], share[N_LENGTHS], all[N_LENGTHS];
    for (size_t i = 0; i < N_LENGTHS; i++) {
        const double n = lengths[i], most = lem_expected_max_gauss(n),
                     optimum = lem_annealed_optimum_gauss(n);
        static const double factors[] = {1, 2, 3, 6};
        char key[60];
        for (size_t k = 0; k < 4; k++) {
            lem_quenched q;
            LEM_TRY(ascale_gauss(n, factors[k] * optimum, &q));
            if (k == 0)
                share[i] = q.trace / most;
            (void)snprintf(key, sizeof key, "trace.%g.times-%g", n, factors[k]);
            LEM_TRY(lem_value_exact(study, key, q.trace, 6, ""));
        }
        low[i] = 0.59, high[i] = 0.67, all[i] = 1;
        (void)snprintf(key, sizeof key, "trace.%g.share", n);
        LEM_TRY(lem_value_exact(study, key, 100 * share[i], 3, "%"));
        (void)snprintf(key, sizeof key, "trace.%g.annealed-optimum", n);
        LEM_TRY(lem_value_exact(study, key, optimum, 5, ""));
        (void)snprintf(key, sizeof key, "trace.%g.annealed", n);
        LEM_TRY(lem_value_exact(study, key, lem_annealed_trace_gauss(n, optimum), 6, ""));
        (void)snprintf(key, sizeof key, "trace.%g.limit", n);
        LEM_TRY(lem_value_exact(study, key, most, 6, ""));
    }
    const lem_falsifier wrong[] = {{"all of it", lem_optimum(N_LENGTHS, low, high, all)}};
    return lem_claim(study, &info, lem_optimum(N_LENGTHS, low, high, share), wrong, 1);
}

/* Rows of 64 at alpha = 1000: is the trace below 0.1? */
static int draw_sharp(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *ctx) {
    (void)first, (void)workspace, (void)ctx;
    const lem_score_law gauss = {.kind = LEM_SCORES_GAUSSIAN};
    const double alpha = 1000;
    for (size_t i = 0; i < count; i++) {
        lem_softmax_statistics row;
        LEM_TRY(lem_softmax_stream(&gauss, 64, 1, &alpha, stream, &row));
        out->counts[0] += alpha * row.distinct < 0.1;
        out->counts[1] += alpha * row.distinct >= 0.1;
    }
    return GSL_SUCCESS;
}

static int claim_draws(lem_study *study) {
    enum { FULL = 40000, FLOOR = 4000 };
    static const lem_claim_info info = {
        .id = "ascale.no-optimum.draws",
        .statement = "draw by draw the gradient of softmax does vanish: n = 64, alpha = 1000, at least 95 "
                     "percent of the rows have a trace below 0.1, while the mean is 2.34",
        .source = "9812, read draw by draw",
        .verdict = LEM_HOLDS,
        .floor = FLOOR,
        .floor_reason = "that as many rows are above 0.1, where 3 percent are, is off by 340 standard errors",
    };
    uint64_t counts[2];
    lem_mc_result result = {.counts = counts};
    const size_t samples = lem_study_samples(study, FULL, FLOOR);
    LEM_TRY(lem_study_mc(
        study, "sharp rows",
        (lem_mc_plan){.samples = samples, .chunk_size = 1000, .n_counts = 2, .chunk = draw_sharp}, &result));
    const uint64_t trials = samples;
    const double bound = 0.95, share = (double)counts[0] / (double)samples;
    LEM_TRY(lem_value_estimate(study, "draws.vanished", 100 * share,
                               100 * sqrt(fmax(share * (1 - share), 1e-6) / (double)samples), "%"));
    const lem_falsifier wrong[] = {
        {"as many are above 0.1", lem_probability_at_least(1, &counts[1], &trials, &bound)}};
    return lem_claim(study, &info, lem_probability_at_least(1, &counts[0], &trials, &bound), wrong, 1);
}

/* --- n -> infinity
 * -------------------------------------------------------------------------------------------
 */

static int claim_breakdown(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.annealed-breakdown",
        .statement = "n = 1e100, alpha = a sqrt(log n): -log E sum p^2/log n is within log log n/log n of "
                     "1-a^2 up to a = "
                     "sqrt(2/3), of (1/a+a/2)^2/2-1 beyond; a = 0.71, 0.84, 1, 1.13, 1.41",
        .source = "lemmata; Derrida 1981",
        .verdict = LEM_HOLDS,
    };
    enum { POINTS = 5 };
    static const double a[POINTS] = {M_SQRT1_2, 0.84, 1, 1.1314, M_SQRT2};
    const double n = 1e100, log_n = log(n);
    double found[POINTS], mean[POINTS], typical[POINTS], annealed[POINTS], bound[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        found[i] = -log(lem_quenched_sum_p2_gauss(n, a[i] * sqrt(log_n))) / log_n;
        mean[i] = lem_rem_mean_exponent(a[i]), typical[i] = lem_rem_typical_exponent(a[i]);
        annealed[i] = 1 - a[i] * a[i], bound[i] = log(log_n) / log_n;
    }
    LEM_TRY(lem_value_exact(study, "breakdown.measured", found[1], 4, ""));
    LEM_TRY(lem_value_exact(study, "breakdown.mean", mean[1], 4, ""));
    LEM_TRY(lem_value_exact(study, "breakdown.typical", typical[1], 4, ""));
    const lem_falsifier wrong[] = {
        {"the exponent of a typical row", lem_identity_abs(POINTS, found, typical, bound)},
        {"the annealed exponent 1 - a^2 for every a", lem_identity_abs(POINTS, found, annealed, bound)}};
    return lem_claim(study, &info, lem_identity_abs(POINTS, found, mean, bound), wrong, 2);
}

static const double decades[] = {3, 6, 12, 50, 100};
enum { DECADES = 5, KINDS = 3 };

/* F/alpha_c, E sum p^2 and E H at alpha = m alpha_c. */
static int at_multiple(double n, double m, double *three) {
    lem_quenched q;
    LEM_TRY(ascale_gauss(n, m * ascale_freezing(n), &q));
    three[0] = q.trace / ascale_freezing(n), three[1] = q.sum_p2, three[2] = q.entropy;
    return GSL_SUCCESS;
}

static int claim_limit(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.rem-limit",
        .statement = "at alpha = 2.5 alpha_c, x = 0.4, F/alpha_c, E sum p^2 and E H come within log log "
                     "n/log n (relative) "
                     "of 1, 1-x and psi(1)-psi(1-x) at n = 1e100",
        .source = "Derrida 1981; Ruelle 1987",
        .verdict = LEM_HOLDS,
    };
    static const lem_claim_info approach_info = {
        .id = "ascale.rem-limit.approach",
        .statement = "at alpha = 2.5 alpha_c, x = 0.4, F/alpha_c, E sum p^2 and E H come nearer to 1, 1-x "
                     "and psi(1)-psi(1-x) from each n to the next, n = 1e3, 1e6, 1e12, 1e50, 1e100",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    const double x = 0.4, right[KINDS] = {1, 1 - x, lem_pd_entropy(x)},
                 square[KINDS] = {1, 1 - x * x, right[2]}, plain[KINDS] = {1, x, right[2]},
                 shorter[KINDS] = {0.9, 1 - x, right[2]};
    double at[DECADES][KINDS], bound[KINDS];
    double later[KINDS * (DECADES - 1)], earlier[KINDS * (DECADES - 1)], off_later[KINDS * (DECADES - 1)],
        off_earlier[KINDS * (DECADES - 1)];
    for (size_t i = 0; i < DECADES; i++)
        LEM_TRY(at_multiple(pow(10, decades[i]), 2.5, at[i]));
    for (size_t i = 0; i + 1 < DECADES; i++)
        for (size_t k = 0; k < KINDS; k++) {
            earlier[i * KINDS + k] = fabs(at[i][k] - right[k]),
                                later[i * KINDS + k] = fabs(at[i + 1][k] - right[k]);
            off_earlier[i * KINDS + k] = fabs(at[i][k] - shorter[k]);
            off_later[i * KINDS + k] = fabs(at[i + 1][k] - shorter[k]);
        }
    for (size_t k = 0; k < KINDS; k++)
        bound[k] = log(log(1e100)) / log(1e100);
    const lem_falsifier wrong[] = {{"1 - x^2", lem_identity(KINDS, at[DECADES - 1], square, bound)},
                                   {"x", lem_identity(KINDS, at[DECADES - 1], plain, bound)}};
    LEM_TRY(lem_claim(study, &info, lem_identity(KINDS, at[DECADES - 1], right, bound), wrong, 2));
    const lem_falsifier wrong_approach[] = {
        {"F/alpha_c tends to 0.9", lem_inequality_strict(COUNT(later), off_later, off_earlier, NULL)}};
    return lem_claim(study, &approach_info, lem_inequality_strict(COUNT(later), later, earlier, NULL),
                     wrong_approach, 1);
}

static int claim_limit_table(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.rem-limit.table",
        .statement = "at alpha = 2 alpha_c: F/alpha_c, E sum p^2, E H are 0.8524, 0.5738, 0.987 at n = 1e3 "
                     "and 0.9917, "
                     "0.5041, 1.362 at n = 1e100",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    static const double stated[] = {0.8524, 0.5738, 0.987, 0.9917, 0.5041, 1.362},
                        digits[] = {5.1e-5, 5.1e-5, 5.1e-4, 5.1e-5, 5.1e-5, 5.1e-4};
    const double limits[] = {1, 0.5, lem_pd_entropy(0.5), 1, 0.5, lem_pd_entropy(0.5)};
    double found[6];
    LEM_TRY(at_multiple(1e3, 2, found));
    LEM_TRY(at_multiple(1e100, 2, found + 3));
    static const char *const keys[] = {"rem.1e3.trace",   "rem.1e3.sum-p2",   "rem.1e3.entropy",
                                       "rem.1e100.trace", "rem.1e100.sum-p2", "rem.1e100.entropy"};
    for (size_t i = 0; i < 6; i++)
        LEM_TRY(lem_value_exact(study, keys[i], found[i], 4, ""));
    const lem_falsifier wrong[] = {
        {"the limits 1, 1/2, 2 log 2 are there already", lem_identity_abs(6, found, limits, digits)}};
    return lem_claim(study, &info, lem_identity_abs(6, found, stated, digits), wrong, 1);
}

static const double shares[] = {0.3, 0.5, 0.7};
enum { SHARES = 3, POINTS = 500 };

static int draw_weights(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                        const void *ctx) {
    (void)first, (void)ctx;
    double *w = workspace;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < SHARES; k++) {
            double sum = 0;
            LEM_TRY(lem_pd_sample(shares[k], POINTS, stream, w));
            for (size_t j = 0; j < POINTS; j++)
                sum += w[j] * w[j];
            LEM_TRY(lem_moments_add(&out->moments[k], sum));
        }
    return GSL_SUCCESS;
}

static int claim_weights(lem_study *study) {
    enum { FULL = 10000, FLOOR = 1000 };
    static const lem_claim_info info = {
        .id = "ascale.rem-limit.weights",
        .statement =
            "Poisson-Dirichlet weights from Poisson points have E sum w^2 = 1 - x, x = 0.3, 0.5, 0.7",
        .source = "Ruelle 1987; Pitman & Yor 1997",
        .verdict = LEM_HOLDS,
        .floor = FLOOR,
        .floor_reason =
            "1 - x^2 is off by 0.21 at least, the standard deviation is below 0.3: 22 standard errors",
    };
    static const size_t doubles = POINTS;
    lem_moments moments[SHARES];
    lem_mc_result result = {.moments = moments};
    LEM_TRY(lem_study_mc(study, "weights",
                         (lem_mc_plan){.samples = lem_study_samples(study, FULL, FLOOR),
                                       .chunk_size = 250,
                                       .n_moments = SHARES,
                                       .chunk = draw_weights,
                                       .ctx = &doubles,
                                       .workspace_alloc = ascale_workspace_alloc,
                                       .workspace_free = free},
                         &result));
    double right[SHARES], square[SHARES];
    for (size_t k = 0; k < SHARES; k++)
        right[k] = 1 - shares[k], square[k] = 1 - shares[k] * shares[k];
    const lem_falsifier wrong[] = {{"1 - x^2", lem_expectation(SHARES, moments, square)},
                                   {"x", lem_expectation(SHARES, moments, shares)}};
    return lem_claim(study, &info, lem_expectation(SHARES, moments, right), wrong, 2);
}

static int plateau(lem_study *study) {
    static const char *const columns[] = {"alpha/alpha_c", "log10 n", "F/alpha_c", "E sum p^2"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "plateau", columns, 4, &table));
    for (size_t i = 0; i <= DECADES; i++) {
        for (double m = 0.05; m < 4.001; m += 0.05) {
            double three[KINDS] = {fmin(m, 1), m > 1 ? 1 - 1 / m : 0, 0};
            if (i < DECADES)
                LEM_TRY(at_multiple(pow(10, decades[i]), m, three));
            const double row[] = {m, i < DECADES ? decades[i] : NAN, three[0], three[1]};
            LEM_TRY(lem_table_row(table, row));
        }
        if (i < DECADES)
            LEM_TRY(lem_table_break(table));
    }
    return lem_study_figure(study, "plateau",
                            "Exact finite-n means at five lengths against the multiple of the freezing point "
                            "(coloured), and the limits of the random energy model (grey).",
                            "the mean gradient rises to a plateau and stays there; it has no peak at any n");
}

int ascale_limits(lem_study *study) {
    LEM_TRY(claim_rising(study));
    LEM_TRY(claim_approach(study));
    LEM_TRY(claim_gap(study));
    LEM_TRY(claim_share(study));
    LEM_TRY(claim_draws(study));
    LEM_TRY(ascale_peak(study));
    LEM_TRY(claim_breakdown(study));
    LEM_TRY(claim_limit(study));
    LEM_TRY(claim_limit_table(study));
    LEM_TRY(claim_weights(study));
    return plateau(study);
}
