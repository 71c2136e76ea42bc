/* Room for n quanta: the exact loss, its estimates, and the exponent a finite model shows. */
#include "study.h"

enum { N_GAMMA = 4 };
static const double GAMMA[N_GAMMA] = {0.076, 0.5, 1, 2};

/* --- the exact loss ----------------------------------------------------------------------------------------
 */

enum { SIZES = 6, N_EXACT = N_GAMMA * SIZES };

static int exact_claim(lem_study *study) {
    double learned[N_EXACT], exact[N_EXACT], one_off[N_EXACT], bound[N_EXACT];
    for (size_t g = 0, at = 0; g < N_GAMMA; g++) {
        double sum = 0, lost = 0, k = 1;
        for (size_t j = 0; j < SIZES; j++, at++) {
            const double n = pow(10, (double)j);
            for (; k <= n; k++) { /* Neumaier's compensation */
                const double p = lem_quanta_frequency(k, GAMMA[g]), more = sum + p;
                lost += sum >= p ? (sum - more) + p : (p - more) + sum;
                sum = more;
            }
            learned[at] = sum + lost;
            exact[at] = 1 - lem_quanta_loss(n, GAMMA[g], 0, 1);
            one_off[at] = 1 - lem_quanta_loss(n - 1, GAMMA[g], 0, 1);
            bound[at] = 132 * 0x1p-52; /* 64 epsilons for the p_k, 64 for L, 2 for the sum, 2 for 1 - L */
        }
    }
    LEM_TRY(lem_value_exact(study, "capacity.loss-10", lem_quanta_loss(10, 1, 0, 1), 12, ""));
    LEM_TRY(lem_value_exact(study, "capacity.one-off-10",
                            lem_quanta_frequency(10, 1) / lem_quanta_loss(10, 1, 0, 1), 3, ""));
    const lem_falsifier falsifiers[] = {
        {"zeta(s, n)/zeta(s): off by one quantum", lem_identity_abs(N_EXACT, learned, one_off, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.hurwitz",
            .statement =
                "after the n most frequent quanta the loss is zeta(s, n+1)/zeta(s): 1 minus the sum of their "
                "frequencies, gamma = 0.076, 0.5, 1, 2, n = 1..1e5",
            .source = ARTICLE "; " MICHAUD,
            .verdict = LEM_HOLDS},
        lem_identity_abs(N_EXACT, learned, exact, bound), falsifiers, 1);
}

/* --- estimates ---------------------------------------------------------------------------------------------
 */

/* est/L - 1 */
static double integral_error(double n, double gamma) {
    return lem_quanta_loss_asymptotic(n, gamma, 0, 1) / lem_quanta_loss(n, gamma, 0, 1) - 1;
}
static double midpoint_error(double n, double gamma) {
    return lem_quanta_loss_midpoint(n, gamma, 0, 1) / lem_quanta_loss(n, gamma, 0, 1) - 1;
}
/* with + n^-s/2 in the place of - n^-s/2 */
static double wrong_sign(double n, double gamma) {
    return lem_quanta_loss_asymptotic(n, gamma, 0, 1) + lem_quanta_frequency(n, gamma) / 2;
}

/* With m = n + 1/2: integral form, relative error gamma/(2n) + (gamma^2/4 - gamma s/12)/n^2 + ...; midpoint
 * form, gamma s/(24 m^2) (1 + O((gamma + 3)^2/m^2)). Bounds: the second terms at n = 1000, and 64 epsilons of
 * rounding. */
static int error_claim(lem_study *study) {
    const double n = 1000, m = n + 0.5;
    double scaled[2 * N_GAMMA], limit[2 * N_GAMMA], twice[2 * N_GAMMA], slip[2 * N_GAMMA], bound[2 * N_GAMMA];
    for (size_t g = 0; g < N_GAMMA; g++) {
        const double gamma = GAMMA[g], s = gamma + 1;
        scaled[g] = n * integral_error(n, gamma);
        scaled[N_GAMMA + g] = 24 * m * m * midpoint_error(n, gamma);
        slip[g] = n * (wrong_sign(n, gamma) / lem_quanta_loss(n, gamma, 0, 1) - 1);
        slip[N_GAMMA + g] = scaled[N_GAMMA + g];
        limit[g] = gamma / 2, limit[N_GAMMA + g] = gamma * s;
        twice[g] = limit[g], twice[N_GAMMA + g] = 2 * limit[N_GAMMA + g];
        bound[g] = (gamma / 2 + s / 6) / n;
        bound[N_GAMMA + g] = (gamma + 3) * (gamma + 3) / (m * m) + 128 * 0x1p-52 * 24 * m * m / (gamma * s);
        static const char *const names[N_GAMMA] = {"0.076", "0.5", "1", "2"};
        char key[64];
        (void)snprintf(key, sizeof key, "capacity.integral-error-10.%s", names[g]);
        LEM_TRY(lem_value_exact(study, key, integral_error(10, gamma), 3, ""));
        (void)snprintf(key, sizeof key, "capacity.midpoint-error-10.%s", names[g]);
        LEM_TRY(lem_value_exact(study, key, midpoint_error(10, gamma), 3, ""));
    }
    LEM_TRY(lem_value_exact(study, "capacity.wrong-sign-10",
                            wrong_sign(10, 1) / lem_quanta_loss(10, 1, 0, 1) - 1, 3, ""));
    const lem_falsifier falsifiers[] = {
        {"the estimate with + n^-s/2, as printed in a copy of the article, is closer",
         lem_identity(2 * N_GAMMA, slip, limit, bound)},
        {"the midpoint form is off by gamma (gamma+1)/(12 (n+1/2)^2)",
         lem_identity(2 * N_GAMMA, scaled, twice, bound)},
    };
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.asymptote",
                          .statement =
                              "n^-gamma/(gamma Z) is too large by gamma/(2n), relatively, and (n+1/2)^-gamma/"
                              "(gamma Z) by gamma (gamma+1)/(24 (n+1/2)^2): n = 1000",
                          .source = ARTICLE " for the first form; Euler and Maclaurin",
                          .verdict = LEM_HOLDS},
        lem_identity(2 * N_GAMMA, scaled, limit, bound), falsifiers, COUNT(falsifiers));
}

enum { BOUND_SIZES = 60, N_BOUNDS = N_GAMMA * BOUND_SIZES };

static int bounds_claim(lem_study *study) {
    static double low[2 * N_BOUNDS], high[2 * N_BOUNDS], slip[N_BOUNDS];
    double n[BOUND_SIZES];
    sl_log_grid(1, 1e4, BOUND_SIZES, n);
    for (size_t i = 0; i < N_BOUNDS; i++) {
        const double gamma = GAMMA[i / BOUND_SIZES], size = round(n[i % BOUND_SIZES]);
        const double loss = lem_quanta_loss(size, gamma, 0, 1);
        low[i] = lem_quanta_loss_asymptotic(size, gamma, 0, 1) - lem_quanta_frequency(size, gamma) / 2;
        high[i] = low[N_BOUNDS + i] = loss;
        high[N_BOUNDS + i] = lem_quanta_loss_midpoint(size, gamma, 0, 1);
        slip[i] = wrong_sign(size, gamma);
    }
    const lem_falsifier falsifiers[] = {{"the form with + n^-s/2 is below the midpoint form",
                                         lem_inequality_strict(N_BOUNDS, slip, high + N_BOUNDS, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.asymptote.bounds",
            .statement =
                "n^-gamma/gamma - n^-s/2 < zeta(s, n+1) < (n+1/2)^-gamma/gamma, n = 1..1e4 (convexity)",
            .source = "our addition: trapezium and midpoint rules",
            .verdict = LEM_HOLDS},
        lem_inequality_strict(2 * N_BOUNDS, low, high, NULL), falsifiers, 1);
}

/* --- the local exponent ------------------------------------------------------------------------------------
 */

static double log_loss(double log_n, double gamma) {
    return log(lem_quanta_loss(exp(log_n), gamma, 0, 1));
}

/* Four points, step 1e-3: the fifth derivative's share is below 1e-12; 64 epsilons of the loss by 1e-3, and
 * of log n <= 10 in the step, make 2e-11 beside an exponent of 0.05 or more. */
static double difference_exponent(double n, double gamma) {
    const double x = log(n), h = 1e-3;
    return -(8 * (log_loss(x + h, gamma) - log_loss(x - h, gamma)) -
             (log_loss(x + 2 * h, gamma) - log_loss(x - 2 * h, gamma))) /
           (12 * h);
}

enum { EXP_SIZES = 5, N_EXP = N_GAMMA * EXP_SIZES };

static int exponent_claims(lem_study *study) {
    static const double sizes[EXP_SIZES] = {1, 4, 10, 100, 10000};
    double measured[N_EXP], exact[N_EXP], constant[N_EXP], bound[N_EXP], half[N_EXP], whole[N_EXP],
        rest[N_EXP];
    for (size_t i = 0; i < N_EXP; i++) {
        const double gamma = GAMMA[i / EXP_SIZES], n = sizes[i % EXP_SIZES], m = n + 0.5;
        measured[i] = difference_exponent(n, gamma);
        exact[i] = lem_quanta_local_exponent(n, gamma);
        constant[i] = gamma;
        bound[i] = 1e-9;
        half[i] = gamma * n / m;
        whole[i] = gamma * n / (n + 1);
        /* from the midpoint form: 1 - s/(12 m^2) + O(m^-4), at n = 1 at most twice that */
        rest[i] = (gamma + 1) / (6 * m * m) + 128 * 0x1p-52;
    }
    LEM_TRY(lem_value_exact(study, "capacity.exponent-1", lem_quanta_local_exponent(1, 1), 6, ""));
    LEM_TRY(lem_value_exact(study, "capacity.exponent-10", lem_quanta_local_exponent(10, 1), 6, ""));
    LEM_TRY(lem_value_exact(study, "capacity.exponent-100", lem_quanta_local_exponent(100, 1), 6, ""));
    const lem_falsifier constants[] = {
        {"it is gamma at every n", lem_identity(N_EXP, measured, constant, bound)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "sl.param-exponent",
                                        .statement =
                                            "-d log L/d log n = s n zeta(s+1, n+1)/zeta(s, n+1): against "
                                            "differences of log L, n = 1..1e4",
                                        .source = ARTICLE " for its limit gamma",
                                        .verdict = LEM_HOLDS},
                      lem_identity(N_EXP, measured, exact, bound), constants, 1));
    const lem_falsifier wholes[] = {{"gamma n/(n+1)", lem_identity(N_EXP, exact, whole, rest)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "sl.param-exponent.half",
                                        .statement = "the local exponent is gamma n/(n+1/2), to a relative "
                                                     "(gamma+1)/(6 (n+1/2)^2), n = 1..1e4",
                                        .source = "our addition",
                                        .verdict = LEM_HOLDS},
                      lem_identity(N_EXP, exact, half, rest), wholes, 1));
    const lem_falsifier below[] = {{"below gamma n/(n+1)", lem_inequality_strict(N_EXP, exact, whole, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "sl.param-exponent.below",
                                       .statement =
                                           "the local exponent is below gamma n/(n+1/2), and so below gamma: "
                                           "small models always show too little",
                                       .source = "our addition",
                                       .verdict = LEM_HOLDS},
                     lem_inequality_strict(N_EXP, exact, half, NULL), below, 1);
}

/* --- fits over windows -------------------------------------------------------------------------------------
 */

enum { WINDOWS = 3, FIT_POINTS = 25 };
static const double WINDOW[WINDOWS] = {4, 16, 256};

/* Slope of log loss against log n, 25 steps from low to 16 low, whole numbers, each once.
 */
static double fitted(double low, double a, double shift) {
    double n[FIT_POINTS], x[FIT_POINTS], y[FIT_POINTS], last = 0;
    size_t points = 0;
    sl_log_grid(low, 16 * low, FIT_POINTS, n);
    for (size_t i = 0; i < FIT_POINTS; i++) {
        const double size = round(n[i]);
        if (size == last)
            continue;
        last = size;
        x[points] = log(size);
        y[points++] = shift > 0 ? -log(size + shift) : log(lem_quanta_loss(size, 1, a, 1));
    }
    return -sl_slope(points, x, y);
}

static int fit_claims(lem_study *study) {
    double slope[WINDOWS], shifted[WINDOWS], gamma[WINDOWS], bound[WINDOWS], offset[WINDOWS], tenth[WINDOWS];
    for (size_t w = 0; w < WINDOWS; w++) {
        const double m = WINDOW[w] + 0.5;
        slope[w] = fitted(WINDOW[w], 0, 0);
        offset[w] = fitted(WINDOW[w], 0.3, 0);
        shifted[w] = fitted(WINDOW[w], 0, 0.5);
        gamma[w] = 1, tenth[w] = 0.1;
        /* the local slopes of log L and of -log(n + 1/2) differ by at most 1/(6 m^2), see above */
        bound[w] = 1 / (6 * m * m);
        char key[64];
        (void)snprintf(key, sizeof key, "capacity.fit-%g", WINDOW[w]);
        LEM_TRY(lem_value_exact(study, key, slope[w], 5, ""));
        (void)snprintf(key, sizeof key, "capacity.fit-offset-%g", WINDOW[w]);
        LEM_TRY(lem_value_exact(study, key, offset[w], 3, ""));
    }
    const lem_falsifier exact[] = {{"the slope is gamma", lem_identity_abs(WINDOWS, slope, gamma, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.param-exponent.fit",
            .statement = "a straight line through log L over [4, 64], [16, 256], [256, 4096] has the slope "
                         "of -log(n+1/2), not gamma = 1, to 1/(6 (n+1/2)^2)",
            .source = "our addition",
            .verdict = LEM_HOLDS},
        lem_identity_abs(WINDOWS, slope, shifted, bound), exact, 1));
    const lem_falsifier pure[] = {
        {"as without an irreducible loss", lem_inequality(WINDOWS, slope, tenth, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.param-exponent.offset",
            .statement =
                "with an irreducible loss of 0.3 the straight line shows less than a tenth of gamma = 1",
            .source = "our addition",
            .verdict = LEM_HOLDS},
        lem_inequality(WINDOWS, offset, tenth, NULL), pure, 1);
}

/* --- finitely many quanta ----------------------------------------------------------------------------------
 */

enum { K_ALL = 1000, SHARES = 4 };

static int finite_claims(lem_study *study) {
    static const double n[SHARES] = {100, 500, 900, 990};
    double loss[SHARES], direct[SHARES], endless[SHARES], bound[SHARES], exponent[SHARES], formula[SHARES],
        constant[SHARES], rest[SHARES];
    double all = 0, beyond = 0, next = K_ALL;
    for (size_t i = SHARES; i-- > 0;) { /* from the smallest terms up */
        for (; next > n[i]; next--)
            beyond += 1 / (next * next);
        direct[i] = beyond;
    }
    for (all = beyond; next >= 1; next--)
        all += 1 / (next * next);
    for (size_t i = 0; i < SHARES; i++) {
        direct[i] /= all;
        loss[i] = lem_quanta_loss_finite(n[i], K_ALL, 1);
        endless[i] = lem_quanta_loss(n[i], 1, 0, 1);
        bound[i] = 64 * 0x1p-52 + K_ALL * 0x1p-52; /* the function's, and the sums' */
        /* -n dL/dn/L: the derivative is that of endless quanta, up to their normalisation */
        exponent[i] = lem_quanta_local_exponent(n[i], 1) * endless[i] /
                      (loss[i] * (1 - lem_quanta_loss(K_ALL, 1, 0, 1)));
        formula[i] = 1 / (1 - n[i] / K_ALL);
        constant[i] = 1;
        rest[i] = 1 / n[i]; /* n and K for n + 1/2 and K + 1/2 */
        char key[64];
        (void)snprintf(key, sizeof key, "capacity.finite-exponent-%g", n[i]);
        LEM_TRY(lem_value_exact(study, key, exponent[i], 5, ""));
    }
    const lem_falsifier none[] = {{"as with endless quanta", lem_identity(SHARES, loss, endless, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "sl.finite-quanta",
                          .statement = "of K = 1000 quanta in all, those beyond n have the share [zeta(s, "
                                       "n+1) - zeta(s, K+1)]/[zeta(s) - zeta(s, K+1)], gamma = 1",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(SHARES, loss, direct, bound), none, 1));
    const lem_falsifier same[] = {{"gamma at every n", lem_identity(SHARES, exponent, constant, rest)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.finite-quanta.exponent",
                          .statement = "the local exponent is gamma/(1-(n/K)^gamma), to a relative 1/n: it "
                                       "grows without bound as the quanta run out",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(SHARES, exponent, formula, rest), same, 1);
}

int sl_capacity(lem_study *study) {
    LEM_TRY(exact_claim(study));
    LEM_TRY(error_claim(study));
    LEM_TRY(bounds_claim(study));
    LEM_TRY(exponent_claims(study));
    LEM_TRY(fit_claims(study));
    return finite_claims(study);
}
