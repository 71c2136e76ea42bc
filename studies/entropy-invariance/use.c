/* What to use: the scale that holds the entropy of n0 keys at n, exact and in simpler forms. */
#include "study.h"

double entinv_exact_scale(double n, double n0, double d) {
    return lem_quenched_kappa_for_constant_entropy(n, n0, d) / sqrt(d);
}

/* Factors on 1/sqrt(d) for n0 = 512. */
enum { N_D = 4, N_N = 6, N = N_D * N_N };
static const double OF_D[N_D] = {32, 64, 128, 256}, N0 = 512;
static const double OF_N[N_N] = {1024, 2048, 4096, 16384, 65536, 1048576};

typedef struct {
    double d, n, exact, closed, simple, log;
} factors;

static int table(lem_study *study, factors of[N]) {
    for (size_t i = 0; i < N; i++) {
        const double d = OF_D[i / N_N], n = OF_N[i % N_N];
        of[i] = (factors){.d = d,
                          .n = n,
                          .exact = entinv_exact_scale(n, N0, d),
                          .closed = lem_entropy_scale_factor(n, N0, d),
                          .simple = sqrt(1 + 2 * log(n / N0)),
                          .log = lem_log_length_scale(n, N0)};
        LEM_TRY(entinv_value(study, of[i].exact, 4, "use.exact.%g-%.0f", d, n));
        LEM_TRY(entinv_value(study, of[i].closed, 4, "use.closed.%g-%.0f", d, n));
        LEM_TRY(entinv_value(study, lem_meanfield_kappa_for_constant_entropy(n, N0, d) / sqrt(d), 4,
                             "use.mean-field.%g-%.0f", d, n));
        if (i >= N_N)
            continue;
        LEM_TRY(entinv_value(study, of[i].simple, 4, "use.simple.%.0f", n));
        LEM_TRY(entinv_value(study, of[i].log, 4, "use.log.%.0f", n));
    }
    return GSL_SUCCESS;
}

/* The square root errs low, by at most 0.55 times as much as the logarithm does. */
static int rule_claim(lem_study *study, const factors of[N]) {
    double smaller[2 * N], larger[2 * N], wrong_smaller[2 * N], wrong_larger[2 * N];
    for (size_t i = 0; i < N; i++) {
        const double exact = of[i].exact, simple = of[i].simple, log_rule = of[i].log;
        smaller[2 * i] = simple, larger[2 * i] = exact;
        smaller[2 * i + 1] = exact - simple, larger[2 * i + 1] = .55 * (exact - log_rule);
        wrong_smaller[2 * i] = log_rule, wrong_larger[2 * i] = exact;
        wrong_smaller[2 * i + 1] = exact - log_rule, wrong_larger[2 * i + 1] = .55 * (exact - simple);
    }
    const lem_falsifier falsifiers[] = {
        {"the two rules change places", lem_inequality(2 * N, wrong_smaller, wrong_larger, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "entinv.attention-e.rule",
            .statement =
                "sqrt(1 + 2 log(n/512)) is below the scale that holds the entropy of 512 keys, and by at "
                "most 0.55 times as much as log(n)/log(512) is; d = 32..256, n = 1024..2^20",
            .source = "derived here",
            .verdict = LEM_HOLDS},
        lem_inequality(2 * N, smaller, larger, NULL), falsifiers, 1);
}

/* In percent, what the closed form lacks for fewer keys: the mean field behind it is worse there. */
static int few_keys(lem_study *study) {
    static const double few[] = {16, 64};
    for (size_t k = 0; k < COUNT(few); k++) {
        double worst = 0;
        for (size_t i = 0; i < N_D; i++)
            for (double n = 2 * few[k]; n <= 32 * few[k]; n *= 2)
                worst = fmax(worst, 1 - lem_entropy_scale_factor(n, few[k], OF_D[i]) /
                                            entinv_exact_scale(n, few[k], OF_D[i]));
        LEM_TRY(entinv_value(study, 100 * worst, 2, "use.closed.worst.%g", few[k]));
    }
    return GSL_SUCCESS;
}

/* The next order in u/d comes near: from below, by less than a twentieth up to 32 times n0. */
static int closed_form_claim(lem_study *study, const factors of[N]) {
    double smaller[2 * N], larger[2 * N], simple_smaller[2 * N], simple_larger[2 * N], worst = 0;
    size_t count = 0;
    for (size_t i = 0; i < N; i++) {
        if (of[i].n > 32 * N0)
            continue;
        const double exact = of[i].exact, closed = of[i].closed, simple = of[i].simple;
        smaller[count] = closed, larger[count] = exact;
        smaller[count + 1] = .95 * exact, larger[count + 1] = closed;
        simple_smaller[count] = simple, simple_larger[count] = exact;
        simple_smaller[count + 1] = .95 * exact, simple_larger[count + 1] = simple;
        worst = fmax(worst, 1 - closed / exact);
        count += 2;
    }
    LEM_TRY(entinv_value(study, 100 * worst, 2, "use.closed.worst"));
    LEM_TRY(few_keys(study));
    const lem_falsifier falsifiers[] = {
        {"sqrt(1 + 2 log(n/512)) is as near", lem_inequality(count, simple_smaller, simple_larger, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "entinv.attention-e.closed-form",
            .statement =
                "sqrt(u + 3 (u^2 - 1)/(2 (d + 2))), u = 1 + 2 log(n/512), is below the exact scale by "
                "less than a twentieth: d = 32..256, n = 1024..16384",
            .source = "derived here",
            .verdict = LEM_HOLDS},
        lem_inequality(count, smaller, larger, NULL), falsifiers, 1);
}

/* A million fresh keys a row, used as they come. */
static int million_claim(lem_study *study) {
    enum { FLOOR = 12, D = 64 };
    const double n = 1048576, n0 = N0, kappa = lem_quenched_kappa_for_constant_entropy(n, n0, D);
    lem_moments moments[ENTINV_MOMENTS];
    LEM_TRY(entinv_rows(study, "million", (size_t)n, kappa, D, lem_study_samples(study, 60, FLOOR), moments));
    const lem_moments *entropy = &moments[ENTINV_ENTROPY];
    const double wanted = lem_quenched_entropy_sphere(n0, sqrt(D), D);
    const double with_log = lem_quenched_entropy_sphere(n, sqrt(D) * lem_log_length_scale(n, n0), D);
    const double mean_field =
        lem_quenched_entropy_sphere(n, lem_meanfield_kappa_for_constant_entropy(n, n0, D), D);
    LEM_TRY(lem_value_scaled(study, "million.entropy", lem_moments_mean(entropy), 4, "nat"));
    LEM_TRY(entinv_value(study, wanted, 4, "million.wanted"));
    LEM_TRY(entinv_value(study, with_log, 4, "million.log"));
    LEM_TRY(entinv_value(study, mean_field, 4, "million.mean-field"));
    const lem_falsifier falsifiers[] = {
        {"the entropy at the scale log(n)/log(512)", lem_expectation(1, entropy, &with_log)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "entinv.attention-e.million",
            .statement =
                "sampled rows of 2^20 keys at the exact scale have the entropy of 512 keys at the usual "
                "one, d = 64",
            .source = "derived here",
            .verdict = LEM_HOLDS,
            .floor = FLOOR,
            .floor_reason = "off by 5.9 nats with a standard deviation of 0.83: t = 24 at 12 rows, where the "
                            "limit is 9.6; "
                            "the sample's deviation would have to be 2.5 times too large"},
        lem_expectation(1, entropy, &wanted), falsifiers, 1);
}

static int figure(lem_study *study) {
    static const char *const columns[] = {"n", "exact", "mean field", "sqrt(1 + 2 log(n/64))",
                                          "log(n)/log(64)"};
    static const double of_d[] = {16, 64};
    lem_table *lines;
    LEM_TRY(lem_study_table(study, "scale", columns, 5, &lines));
    for (size_t k = 0; k < COUNT(of_d); k++) {
        const double d = of_d[k];
        for (int i = 0; i <= 14; i++) {
            const double n = 64 * pow(2, i);
            const double row[] = {n, entinv_exact_scale(n, 64, d),
                                  lem_meanfield_kappa_for_constant_entropy(n, 64, d) / sqrt(d),
                                  sqrt(1 + 2 * log(n / 64)), lem_log_length_scale(n, 64)};
            LEM_TRY(lem_table_row(lines, row));
        }
        LEM_TRY(lem_table_break(lines));
    }
    return lem_study_figure(study, "scale",
                            "The scale, in units of 1/sqrt(d), that holds the entropy of 64 keys at n: "
                            "exact, in the mean field, its simple form, "
                            "and the logarithm.",
                            "the scale that holds the entropy rises far more steeply than log n/log 64, and "
                            "a little more than its mean field");
}

int entinv_use(lem_study *study) {
    factors of[N];
    LEM_TRY(table(study, of));
    LEM_TRY(rule_claim(study, of));
    LEM_TRY(closed_form_claim(study, of));
    LEM_TRY(million_claim(study));
    return figure(study);
}
