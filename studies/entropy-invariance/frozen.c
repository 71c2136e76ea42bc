/* Gaussian scores (the sphere for large d) with alpha = lambda sqrt(d): mean field log n - alpha^2/2,
 * freezing at alpha_c = sqrt(2 log n), and beyond it an entropy of order one. */
#include "study.h"

enum { N_N = 5 };
static const double POWERS[N_N] = {3, 6, 12, 50, 100};

static double freezing(double log_n) {
    return sqrt(2 * log_n);
}

static int limit_claim(lem_study *study) {
    static const double quoted[N_N] = {.987, 1.137, 1.238, 1.341, 1.362};
    double measured[N_N], mean_field[N_N], bound[N_N];
    for (size_t i = 0; i < N_N; i++) {
        const double log_n = POWERS[i] * log(10), alpha = 2 * freezing(log_n);
        measured[i] = lem_quenched_entropy_gauss(pow(10, POWERS[i]), alpha);
        mean_field[i] = log_n - alpha * alpha / 2;
        bound[i] = 5.01e-4;
        LEM_TRY(entinv_value(study, measured[i], 4, "frozen.entropy.%g", POWERS[i]));
    }
    const double limit = lem_pd_entropy(.5);
    LEM_TRY(entinv_value(study, limit, 6, "frozen.entropy.limit"));
    const lem_falsifier falsifiers[] = {
        {"the mean field, -3 log n", lem_identity_abs(N_N, measured, mean_field, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "entinv.gauss-limit",
            .statement =
                "Gaussian scores at twice the freezing scale: E H = 0.987, 1.137, 1.238, 1.341, 1.362 "
                "for n = 1e3, 1e6, 1e12, 1e50, 1e100",
            .source = "Derrida 1981; derived here",
            .verdict = LEM_HOLDS},
        lem_identity_abs(N_N, measured, quoted, bound), falsifiers, 1));

    /* rising, below the limit, and within log log n/log n times 2 of it */
    double smaller[2 * N_N], larger[2 * N_N], wrong[2 * N_N];
    for (size_t i = 0; i < N_N; i++) {
        const double log_n = POWERS[i] * log(10);
        smaller[2 * i] = limit - 2 * log(log_n) / log_n, larger[2 * i] = measured[i];
        smaller[2 * i + 1] = measured[i], larger[2 * i + 1] = i + 1 < N_N ? measured[i + 1] : limit;
        wrong[2 * i] = lem_pd_entropy(2.0 / 3) - 2 * log(log_n) / log_n;
        wrong[2 * i + 1] = smaller[2 * i + 1];
    }
    const lem_falsifier laws[] = {
        {"the limit at x = 2/3", lem_inequality_strict(2 * N_N, wrong, larger, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "entinv.gauss-limit.limit",
            .statement =
                "the entropies of Gaussian scores at twice the freezing scale, n = 1e3 to 1e100, rise to "
                "psi(1) - psi(1 - alpha_c/alpha) = 2 log 2 from below, within 2 log log n/log n of it",
            .source = "Derrida 1981; Ruelle 1987",
            .verdict = LEM_HOLDS},
        lem_inequality_strict(2 * N_N, smaller, larger, NULL), laws, 1);
}

/* The alpha of a given entropy, by bisection: the entropy falls. */
static double scale_of(double n, double entropy) {
    double low = 0, high = 1;
    while (lem_quenched_entropy_gauss(n, high) > entropy)
        high *= 2;
    for (int i = 0; i < 40; i++) {
        const double middle = (low + high) / 2;
        if (lem_quenched_entropy_gauss(n, middle) > entropy)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* What holds an entropy of 1.2 nats: alpha/alpha_c tends to 1/x with pd_entropy(x) = 1.2, so alpha grows like
 * sqrt(log n). The exponent of alpha in log n from 1e12 on is 1/2, up to the drift log log n/log n. */
static int exponent_claim(lem_study *study) {
    enum { N = 3 };
    double measured[N - 1], half[N - 1], one[N - 1], bound[N - 1], before = 0;
    static const double powers[N] = {12, 50, 200};
    for (size_t i = 0; i < N; i++) {
        const double alpha = scale_of(pow(10, powers[i]), 1.2), log_n = powers[i] * log(10);
        LEM_TRY(entinv_value(study, alpha / freezing(log_n), 4, "frozen.scale.%g", powers[i]));
        if (i > 0) {
            measured[i - 1] = log(alpha / before) / log(powers[i] / powers[i - 1]);
            half[i - 1] = .5, one[i - 1] = 1;
            bound[i - 1] = log(powers[i - 1] * log(10)) / (powers[i - 1] * log(10));
            LEM_TRY(entinv_value(study, measured[i - 1], 3, "frozen.exponent.%g", powers[i]));
        }
        before = alpha;
    }
    const lem_falsifier falsifiers[] = {
        {"it grows like log n", lem_identity_abs(N - 1, measured, one, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){
                         .id = "entinv.gauss-limit.exponent",
                         .statement = "the scale that holds an entropy of 1.2 nats in the frozen phase grows "
                                      "like the square root of log n: exponent 1/2 within log log n/log n, n "
                                      "= 1e12..1e200",
                         .source = "derived here",
                         .verdict = LEM_HOLDS},
                     lem_identity_abs(N - 1, measured, half, bound), falsifiers, 1);
}

static int figure(lem_study *study) {
    static const char *const columns[] = {"alpha/alpha_c", "n = 1e3",   "n = 1e6", "n = 1e12",
                                          "n = 1e50",      "n = 1e100", "limit"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "frozen", columns, 7, &table));
    for (int i = 0; i <= 50; i++) {
        const double m = .5 + 2.5 * i / 50;
        double row[7] = {m};
        for (size_t j = 0; j < N_N; j++)
            row[1 + j] = lem_quenched_entropy_gauss(pow(10, POWERS[j]), m * freezing(POWERS[j] * log(10)));
        row[6] = m > 1.001 ? lem_pd_entropy(1 / m) : (double)NAN;
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(
        study, "frozen",
        "Exact mean entropy of Gaussian scores against their scale in units of the "
        "freezing scale sqrt(2 log n), and its "
        "limit psi(1) - psi(1 - alpha_c/alpha).",
        "at a fixed multiple of the freezing scale the entropy rises with n to a limit that this multiple "
        "decides: by less than half a nat at twice the freezing scale, by nats close to it");
}

int entinv_frozen(lem_study *study) {
    LEM_TRY(limit_claim(study));
    LEM_TRY(exponent_claim(study));
    return figure(study);
}
