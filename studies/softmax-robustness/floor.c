/* How little entropy a softmax over bounded scores can have, and how much it has at initialisation. */
#include "study.h"

static double least_by_enumeration(double n, double tau) {
    double least = INFINITY;
    for (double k = 1; k < n; k++)
        least = fmin(least, lem_vertex_entropy(n, k, tau));
    return least;
}

enum { SIZES = 5 };
static const double sizes[SIZES] = {3, 5, 10, 100, 1000};

/* The definition, m - 1 - log m with m = c/(1 - e^-c). */
static double limit(double c) {
    const double m = c / -expm1(-c);
    return m - 1 - log(m);
}

static int claim_floor(lem_study *study) {
    double closed[SIZES + 3], direct[SIZES + 3], wrong[SIZES + 3], bound[SIZES + 3];
    for (int i = 0; i < SIZES; i++) {
        closed[i] = lem_min_entropy_cube(sizes[i], 1, NULL);
        direct[i] = least_by_enumeration(sizes[i], 1), wrong[i] = lem_vertex_entropy(sizes[i], 1, 1);
        bound[i] = 1e-13;
    }
    static const double taus[3] = {1, 0.5, 0.1};
    for (int i = 0; i < 3; i++) {
        closed[SIZES + i] = lem_max_entropy_deficit(taus[i]);
        direct[SIZES + i] = limit(2 / taus[i]), wrong[SIZES + i] = limit(1 / taus[i]),
                       bound[SIZES + i] = 1e-13;
    }
    LEM_TRY(lem_value_exact(study, "floor.deficit", lem_max_entropy_deficit(1), 6, "nats"));
    LEM_TRY(lem_value_exact(study, "floor.share", lem_entropy_floor_share(1), 4, ""));
    LEM_TRY(lem_value_exact(study, "floor.single", log(100) - lem_vertex_entropy(100, 1, 1), 3, "nats"));
    LEM_TRY(lem_value_exact(study, "floor.hundred", log(100) - closed[3], 4, "nats"));
    const lem_falsifier falsifiers[] = {
        {"one score at the top; c = 1/tau", lem_identity(SIZES + 3, closed, wrong, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){
                         .id = "srob.entropy-floor",
                         .statement = "scores cos/tau: the least entropy is that of the best number k of "
                                      "scores at the top, n = 3..1000; for large n log n less m - 1 - log m, "
                                      "m = c/(1 - e^-c), c = 2/tau: 0.4745 at tau = 1",
                         .source = ARTICLE " quotes 0.4745",
                         .verdict = LEM_HOLDS},
                     lem_identity(SIZES + 3, closed, direct, bound), falsifiers, 1);
}

/* D* - D_n is not negative, and at most the curvature (1-q)^2/K^2 in k/n times half of (1/2n)^2, and half as
 * much again for the third derivative where n r* > 2. */
static int claim_finite(lem_study *study) {
    enum { POINTS = 12 };
    static const double ns[4] = {10, 30, 300, 10000}, taus[3] = {0.7, 1, 3};
    double lower[2 * POINTS], upper[2 * POINTS], linear[2 * POINTS], slack[2 * POINTS];
    for (int i = 0; i < POINTS; i++) {
        const double n = ns[i / 3], tau = taus[i % 3], c = 2 / tau, q = exp(-c), K = c * q / (1 - q);
        const double limit = lem_max_entropy_deficit(tau),
                     finite = log(n) - lem_min_entropy_cube(n, tau, NULL);
        const double curvature = 1.5 * pow((1 - q) / (K * n), 2) / 8;
        lower[2 * i] = finite, upper[2 * i] = limit, linear[2 * i] = limit - curvature / 1000;
        lower[2 * i + 1] = limit - finite, upper[2 * i + 1] = curvature, linear[2 * i + 1] = curvature / 1000;
        slack[2 * i] = 1e-13, slack[2 * i + 1] = 1e-14 / curvature;
    }
    const lem_falsifier falsifiers[] = {
        {"the limit is reached a thousand times sooner", lem_inequality(2 * POINTS, lower, linear, slack)}};
    return lem_claim(study,
                     &(lem_claim_info){
                         .id = "srob.entropy-floor.finite",
                         .statement = "the deficit of n scores is at most the limit, and below it by no more "
                                      "than 3(1-q)^2/(16 K^2 n^2), q = e^-c, K = c/(e^c - 1)",
                         .source = OURS,
                         .verdict = LEM_HOLDS},
                     lem_inequality(2 * POINTS, lower, upper, slack), falsifiers, 1);
}

/* --- a search in the whole box --- */

enum { STARTS = 40, SEARCHES = 5, SIDE = 6 };

static double entropy(size_t n, const double *z, double *p, double *mean) {
    double sum = 0, score = 0, most = -INFINITY;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, z[i]);
    for (size_t i = 0; i < n; i++)
        sum += p[i] = exp(z[i] - most);
    for (size_t i = 0; i < n; i++)
        p[i] /= sum, score += p[i] * z[i];
    *mean = score;
    return log(sum) + most - score;
}

/* Projected gradient descent, dH/dz_i = p_i (<z> - z_i), with steps that grow while they help. */
static double descend(size_t n, double reach, double *z) {
    double p[SIDE], mean, here = entropy(n, z, p, &mean), step = 1;
    for (int i = 0; i < 4000 && step > 1e-12; i++) {
        double next[SIDE], q[SIDE], next_mean;
        for (size_t j = 0; j < n; j++)
            next[j] = fmin(reach, fmax(-reach, z[j] - step * p[j] * (mean - z[j])));
        const double there = entropy(n, next, q, &next_mean);
        if (there >= here) {
            step /= 4;
            continue;
        }
        here = there, mean = next_mean, step *= 2;
        for (size_t j = 0; j < n; j++)
            z[j] = next[j], p[j] = q[j];
    }
    return here;
}

static int claim_box(lem_study *study) {
    static const struct {
        size_t n;
        double tau;
    } at[SEARCHES] = {{2, 1}, {3, 0.5}, {4, 2}, {5, 1}, {6, 1}};
    double vertex[SEARCHES], found[SEARCHES], wrong[SEARCHES], slack[SEARCHES];
    for (int k = 0; k < SEARCHES; k++) {
        lem_stream stream;
        LEM_TRY(lem_study_stream(study, "box", (uint32_t)k, &stream));
        found[k] = INFINITY;
        for (int start = 0; start < STARTS; start++) {
            double z[SIDE];
            LEM_TRY(lem_uniform_fill(&stream, at[k].n, z));
            for (size_t i = 0; i < at[k].n; i++)
                z[i] = (2 * z[i] - 1) / at[k].tau;
            found[k] = fmin(found[k], descend(at[k].n, 1 / at[k].tau, z));
        }
        vertex[k] = lem_min_entropy_cube((double)at[k].n, at[k].tau, NULL);
        wrong[k] = lem_min_entropy_cube((double)at[k].n, 2 * at[k].tau, NULL), slack[k] = 1e-8;
    }
    LEM_TRY(lem_value_exact(study, "floor.six", vertex[4], 7, "nats"));
    const lem_falsifier falsifiers[] = {{"c = 1/tau", lem_inequality(SEARCHES, wrong, found, slack)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.entropy-floor.box",
                          .statement =
                              "descents from 40 random points of the box of scores find nothing below "
                              "the best vertex, n = 2..6",
                          .source = OURS,
                          .verdict = LEM_HOLDS},
        lem_inequality(SEARCHES, vertex, found, slack), falsifiers, 1);
}

/* --- temperature --- */

static int claim_expansions(lem_study *study) {
    enum { SMALL = 4, LARGE = 4, ALL = SMALL + LARGE };
    static const double cs[ALL] = {0.01, 0.1, 0.3, 1, 10, 20, 40, 1000};
    double exact[ALL], series[ALL], wrong[ALL], bound[ALL];
    for (int i = 0; i < ALL; i++) {
        const double c = cs[i], square = c * c / 8;
        exact[i] = lem_max_entropy_deficit(2 / c);
        series[i] = i < SMALL ? square - c * c * c * c / 576 : c - 1 - log(c);
        wrong[i] = i < SMALL ? square : c - log(c);
        bound[i] = (i < SMALL ? pow(c, 6) / 25920 : 1.1 * c * exp(-c)) / exact[i] + 4e-15;
    }
    static const double taus[] = {1, 0.5, 0.1, 0.05};
    for (size_t i = 0; i < COUNT(taus); i++)
        LEM_TRY(lem_value_exact(study, srob_name("floor.deficit", taus[i]).text,
                                lem_max_entropy_deficit(taus[i]), 5, "nats"));
    const lem_falsifier falsifiers[] = {{"c^2/8 and c - log c", lem_identity(ALL, exact, wrong, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.temperature.expansions",
                          .statement =
                              "the deficit is c^2/8 - c^4/576 to c^6/25920 for small c = 2/tau, and c - "
                              "1 - log c to c e^-c for large c",
                          .source = OURS,
                          .verdict = LEM_HOLDS},
        lem_identity(ALL, exact, series, bound), falsifiers, 1);
}

static const double AIM = 0.1;

/* The smallest c with min entropy <= AIM; the entropy falls with c. */
static double needed(double n) {
    double low = 1, high = 100;
    while (high - low > 1e-12 * high) {
        const double c = (low + high) / 2;
        *(lem_min_entropy_cube(n, 2 / c, NULL) > AIM ? &low : &high) = c;
    }
    return high;
}

/* One token at the top, e = (n - 1) e^-c: H = log(1 + e) + c e/(1 + e) = e (1 + c) - (c + 1/2) e^2 + ...: c =
 * log n + log(1 + c) - log H, to a relative e of H and 1/n. */
static int claim_temperature(lem_study *study) {
    enum { N = 6 };
    double c[N], law[N], no_log[N], bound[N], slope[N - 1], before[N - 1];
    for (int i = 0; i < N; i++) {
        const double n = pow(10, i + 1);
        c[i] = needed(n);
        law[i] = log(n) + log1p(c[i]) - log(AIM), no_log[i] = log(n) - log(AIM);
        bound[i] = 1.5 * n * exp(-c[i]) + 1.5 / n;
        LEM_TRY(lem_value_exact(study, srob_name("temperature.c", i + 1).text, c[i], 4, ""));
    }
    const lem_falsifier falsifiers[] = {{"c = log n - log H", lem_identity_abs(N, c, no_log, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "srob.temperature",
                          .statement =
                              "entropy H = 0.1 takes c = 2/tau with c = log n + log(1+c) - log H, n = "
                              "10..1e6: 1/tau near (log n)/2 with scores on both sides of 0, log n "
                              "with scores from 0 up",
                          .source = OURS,
                          .verdict = LEM_HOLDS},
        lem_identity_abs(N, c, law, bound), falsifiers, 1));
    double lower[2 * (N - 1) - 1], upper[2 * (N - 1) - 1], rising[2 * (N - 1) - 1];
    for (int i = 0; i + 1 < N; i++)
        slope[i] = (c[i + 1] - c[i]) / M_LN10, before[i] = slope[i];
    size_t count = 0;
    for (int i = 0; i + 1 < N; i++) {
        LEM_TRY(lem_value_exact(study, srob_name("temperature.slope", i + 1).text, slope[i], 3, ""));
        lower[count] = 1, upper[count] = slope[i], rising[count++] = slope[i];
        if (i > 0)
            lower[count] = slope[i], upper[count] = before[i - 1], rising[count++] = 1;
    }
    const lem_falsifier constant[] = {
        {"slopes have come down to 1", lem_inequality_strict(count, lower, rising, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "srob.temperature.slopes",
                                       .statement = "the slopes against log n of the c = 2/tau that entropy "
                                                    "0.1 takes decrease towards 1 from above, n = 10..1e6",
                                       .source = OURS,
                                       .verdict = LEM_HOLDS},
                     lem_inequality_strict(count, lower, upper, NULL), constant, 1);
}

static int claim_positive(lem_study *study) {
    enum { N = 4 };
    static const double ns[N] = {10, 100, 100, 1000}, taus[N] = {0.1, 0.1, 0.05, 0.02};
    double zero[N], least[N], infinite[N];
    for (int i = 0; i < N; i++) {
        zero[i] = 0, least[i] = lem_min_entropy_cube(ns[i], taus[i], NULL);
        infinite[i] = log(ns[i]) - lem_max_entropy_deficit(taus[i]);
    }
    LEM_TRY(lem_value_exact(study, "temperature.negative", infinite[2], 3, "nats"));
    LEM_TRY(lem_value_exact(study, "temperature.least", least[2], 3, "nats"));
    const lem_falsifier falsifiers[] = {
        {"log n less the deficit of infinitely many scores", lem_inequality_strict(N, zero, infinite, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){
                         .id = "srob.temperature.positive",
                         .statement = "at low temperature the least entropy is that of finitely many scores, "
                                      "which stays above 0, n = 10..1000, tau = 0.02..0.1",
                         .source = OURS,
                         .verdict = LEM_HOLDS},
                     lem_inequality_strict(N, zero, least, NULL), falsifiers, 1);
}

/* --- initialisation: E H = log n - a^2/2 + (a^2 e^(a^2) - (e^(a^2) - 1)/2)/n + ... --- */

static int claim_init(lem_study *study) {
    enum { N = 4, A = 2 };
    static const double ns[N] = {64, 1024, 16384, 1e6}, as[A] = {0.5, 1};
    double exact[N * A], half[N * A], whole[N * A], bound[N * A];
    for (int i = 0; i < N * A; i++) {
        const double n = ns[i / A], square = as[i % A] * as[i % A];
        const double next = (square * exp(square) - expm1(square) / 2) / n;
        exact[i] = lem_softmax_gaussian_entropy(n, as[i % A]);
        half[i] = log(n) - square / 2, whole[i] = log(n) - square, bound[i] = 1.01 * next;
    }
    LEM_TRY(lem_value_exact(study, "init.64", exact[1], 6, "nats"));
    LEM_TRY(lem_value_exact(study, "init.64-law", half[1], 6, "nats"));
    LEM_TRY(lem_value_exact(study, "init.1024", exact[3], 6, "nats"));
    LEM_TRY(lem_value_exact(study, "init.1024-law", half[3], 6, "nats"));
    const lem_falsifier falsifiers[] = {{"log n - alpha^2", lem_identity_abs(N * A, exact, whole, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.init-entropy",
                          .statement = "Gaussian scores of s.d. alpha leave E H = log n - alpha^2/2 nats, to "
                                       "(alpha^2 e^(alpha^2) - (e^(alpha^2) - 1)/2)/n, alpha = 0.5, 1, n = "
                                       "64..1e6 (exact)",
                          .source = ARTICLE ", the argument; the numbers are ours",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(N * A, exact, half, bound), falsifiers, 1);
}

/* Blocks 0-2: 1/tau, least entropy, log n less the infinite deficit, k/n at the minimum; n = 10, 100, 1000.
 */
static int figure(lem_study *study) {
    static const char *const columns[] = {"1/tau", "least entropy [nats]",
                                          "log n less the deficit of infinitely many scores [nats]",
                                          "share of scores at the top", "share for infinitely many"};
    static const double ns[3] = {10, 100, 1000};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "floor", columns, COUNT(columns), &table));
    for (int i = 0; i < 3; i++) {
        for (double x = 0.1; x < 30; x *= 1.02) {
            double k;
            const double least = lem_min_entropy_cube(ns[i], 1 / x, &k),
                         line = log(ns[i]) - lem_max_entropy_deficit(1 / x);
            const double row[] = {x, least, line >= 0 ? line : NAN, k / ns[i],
                                  lem_entropy_floor_share(1 / x)};
            LEM_TRY(lem_table_row(table, row));
        }
        if (i < 2)
            LEM_TRY(lem_table_break(table));
    }
    return lem_study_figure(
        study, "floor",
        "Left: the least entropy of a softmax over n scores in [−1/τ, 1/τ], exact (solid) and log n "
        "less the deficit of infinitely many scores (dotted, cut at zero). Right: the share of scores "
        "at the top where the minimum is attained, in steps of 1/n, and its limit (grey).",
        "The least entropy stays near log n at temperature one and reaches zero only when 1/tau is about "
        "half of log n, where a single score is left at the top");
}

int srob_floor_section(lem_study *study) {
    int (*const parts[])(lem_study *) = {claim_floor,       claim_finite,   claim_box,  claim_expansions,
                                         claim_temperature, claim_positive, claim_init, figure};
    for (size_t i = 0; i < COUNT(parts); i++)
        LEM_TRY(parts[i](study));
    return GSL_SUCCESS;
}
