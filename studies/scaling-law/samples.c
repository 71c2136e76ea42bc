/* D samples, and a quantum is learned once it was seen tau times: the article's cut, the expected loss, the
 * number learned, the spread. All of it computed; the simulation is in simulation.c. */
#include "study.h"

static double c_of(double gamma) {
    return gamma / (gamma + 1);
}

/* --- the cut -----------------------------------------------------------------------------------------------
 */

static const sl_law CUTS[] = {{1, 1}, {1, 5}, {0.5, 1}, {0.5, 10}, {2, 3}};
enum { N_LAWS = COUNT(CUTS), CUT_SIZES = 57, N_CUTS = N_LAWS * CUT_SIZES };

static double cut_loss(double D, sl_law law) {
    return lem_quanta_loss(lem_quanta_cut(D, law.tau, law.gamma), law.gamma, 0, 1);
}

/* With n <= n* < n + 1 the real cut, L(n) = (n + 1/2)^-gamma/(gamma Z) (1 - d), 0 < d < gamma s/(24 (n +
 * 1/2)^2), and the smooth form has n* in the place of n + 1/2. Below one quantum there is nothing to bound.
 */
static int cut_claim(lem_study *study) {
    static double low[2 * N_CUTS], high[2 * N_CUTS], slip[2 * N_CUTS], slip_high[2 * N_CUTS];
    double D[CUT_SIZES];
    sl_log_grid(10, 1e8, CUT_SIZES, D);
    size_t points = 0;
    for (size_t i = 0; i < N_CUTS; i++) {
        const sl_law law = CUTS[i / CUT_SIZES];
        const double gamma = law.gamma, at = D[i % CUT_SIZES], n = lem_quanta_cut(at, law.tau, gamma),
                     m = n + 0.5;
        if (n < 1)
            continue;
        const double ratio = cut_loss(at, law) / sl_smooth_cut(at, law);
        /* as if the exponent were gamma: the same at 10, and from there D^-gamma */
        const double wrong = ratio * pow(at / 10, gamma - c_of(gamma));
        const double least = pow(n / m, gamma) * (1 - gamma * (gamma + 1) / (24 * m * m));
        const double most = pow((n + 1) / m, gamma);
        low[points] = least, high[points] = ratio;
        slip[points] = least, slip_high[points++] = wrong;
        low[points] = ratio, high[points] = most;
        slip[points] = wrong, slip_high[points++] = most;
    }
    static const double shown[] = {10, 100, 1000, 10000};
    for (size_t i = 0; i < COUNT(shown); i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "samples.cut-ratio-%g", shown[i]);
        LEM_TRY(lem_value_exact(study, key, cut_loss(shown[i], CUTS[0]) / sl_smooth_cut(shown[i], CUTS[0]), 3,
                                ""));
    }
    const lem_falsifier falsifiers[] = {
        {"the exponent is gamma", lem_inequality(points, slip, slip_high, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.data-cut",
            .statement =
                "the loss of the cut D p_n >= tau is Z^(-1/s)/gamma (D/tau)^-c, c = gamma/(gamma+1), times a "
                "sawtooth between (n/(n+1/2))^gamma (1-gamma s/(24 (n+1/2)^2)) and ((n+1)/(n+1/2))^gamma",
            .source = ARTICLE,
            .verdict = LEM_HOLDS},
        lem_inequality(points, low, high, NULL), falsifiers, 1);
}

/* --- the expected loss -------------------------------------------------------------------------------------
 */

/* Late enough for the corrections to be below 1e-13 (see the figure); each sum is good to 2e-13. */
typedef struct {
    sl_law law;
    double D;
} sl_point;
static const sl_point LATE[] = {{{1, 1}, 1e4},    {{1, 5}, 1e6},     {{0.5, 1}, 1e4},
                                {{0.5, 10}, 1e6}, {{0.076, 1}, 1e4}, {{2, 3}, 1e8}};
enum { N_LATE = COUNT(LATE) };

static int closed_claims(lem_study *study) {
    double poisson[N_LATE], closed[N_LATE], cut[N_LATE], binomial[N_LATE], exact[N_LATE], bound[N_LATE];
    for (size_t i = 0; i < N_LATE; i++) {
        const sl_law law = LATE[i].law;
        const double D = LATE[i].D;
        poisson[i] = lem_quanta_loss_poisson(D, law.tau, law.gamma);
        closed[i] = lem_quanta_loss_poisson_asymptotic(D, law.tau, law.gamma);
        cut[i] = sl_smooth_cut(D, law);
        binomial[i] = lem_quanta_loss_binomial(D, law.tau, law.gamma);
        exact[i] = lem_quanta_loss_binomial_asymptotic(D, law.tau, law.gamma);
        bound[i] = 3e-13; /* the sum's 2e-13, and the rest of the corrections */
    }
    const lem_falsifier cuts[] = {
        {"with Poisson(D) samples the expected loss is that of the cut, Z^(-1/s)/gamma (D/tau)^-c",
         lem_identity(N_LATE, poisson, cut, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.data-poisson",
            .statement =
                "with Poisson(D) samples the expected loss is Z^(-1/s)/gamma Gamma(tau+c)/Gamma(tau) D^-c, "
                "up to corrections below every power of D",
            .source = ARTICLE,
            .verdict = LEM_REFUTED,
            .note = "the exponent of the cut is right, its constant too large: the true one is smaller by "
                    "Gamma(tau+c)/(Gamma(tau) tau^c), because frequent quanta are missed by chance, but more "
                    "rare ones are met"},
        lem_identity(N_LATE, poisson, closed, bound), cuts, 1));
    const lem_falsifier powers[] = {
        {"D^-c, as for Poisson(D) samples", lem_identity(N_LATE, binomial, closed, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.data-poisson.binomial",
                          .statement =
                              "with exactly D samples Gamma(D+1)/Gamma(D+1+c) takes the place of D^-c",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(N_LATE, binomial, exact, bound), powers, 1);
}

static double poisson_gap(double D, sl_law law) {
    return lem_quanta_loss_poisson(D, law.tau, law.gamma) /
               lem_quanta_loss_poisson_asymptotic(D, law.tau, law.gamma) -
           1;
}
static double binomial_gap(double D, sl_law law) {
    return lem_quanta_loss_binomial(D, law.tau, law.gamma) /
               lem_quanta_loss_binomial_asymptotic(D, law.tau, law.gamma) -
           1;
}

/* Decay of the corrections over a factor of ten in D, as an exponent. */
static int order_claim(lem_study *study) {
    static const double D[] = {10, 100, 1000};
    static const sl_law law = {1, 1};
    double order[2], least[2] = {2, 6}, cut[2];
    for (size_t i = 0; i < COUNT(D); i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "samples.poisson-gap-%g", D[i]);
        LEM_TRY(lem_value_exact(study, key, poisson_gap(D[i], law), i == 2 ? 2 : 3, ""));
        (void)snprintf(key, sizeof key, "samples.binomial-gap-%g", D[i]);
        LEM_TRY(lem_value_exact(study, key, binomial_gap(D[i], law), i == 2 ? 2 : 3, ""));
    }
    for (size_t i = 0; i < 2; i++) {
        order[i] = log10(fabs(poisson_gap(D[i], law) / poisson_gap(D[i + 1], law)));
        cut[i] = 1 / (law.gamma + 1);
        char key[64];
        (void)snprintf(key, sizeof key, "samples.order-%g", D[i]);
        LEM_TRY(lem_value_exact(study, key, order[i], 3, ""));
    }
    const lem_falsifier falsifiers[] = {
        {"D^(-1/s), as the sawtooth of the cut", lem_inequality(2, least, cut, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.data-poisson.order",
            .statement =
                "the corrections fall faster and faster: by more than D^-2 from 10 to 100, by more than D^-6 "
                "from 100 to 1000 (gamma = tau = 1)",
            .source = "our addition: the summand is flat to all orders at k = 0",
            .verdict = LEM_HOLDS},
        lem_inequality(2, least, order, NULL), falsifiers, 1);
}

/* R = 1 - c(1-c)/(2 tau) [1 - (2-c)(1-3c)/(12 tau) + ...]: the bracket is within 1/(6 tau) of one to this
 * order. */
static int factor_claim(lem_study *study) {
    static const double taus[] = {1, 2, 5, 10, 100, 1e4, 1e6};
    static const double gammas[] = {0.076, 0.5, 1, 2, 5};
    enum { TAUS = COUNT(taus), N = COUNT(gammas) * TAUS };
    double deficit[N], leading[N], twice[N], bound[N];
    for (size_t i = 0; i < N; i++) {
        const double gamma = gammas[i / TAUS], tau = taus[i % TAUS], c = c_of(gamma);
        deficit[i] = 1 - lem_quanta_threshold_factor(tau, gamma);
        leading[i] = c * (1 - c) / (2 * tau);
        twice[i] = 2 * leading[i];
        bound[i] = 1 / (5 * tau) + 64 * 0x1p-52 / leading[i];
    }
    static const struct {
        const char *key;
        sl_law law;
    } shown[] = {
        {"1-1", {1, 1}}, {"1-5", {1, 5}}, {"0.5-1", {0.5, 1}}, {"0.5-10", {0.5, 10}}, {"2-3", {2, 3}}};
    for (size_t i = 0; i < COUNT(shown); i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "samples.factor.%s", shown[i].key);
        LEM_TRY(lem_value_exact(study, key, lem_quanta_threshold_factor(shown[i].law.tau, shown[i].law.gamma),
                                6, ""));
    }
    const lem_falsifier falsifiers[] = {{"1 - c(1-c)/tau", lem_identity(N, deficit, twice, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "sl.data-poisson.factor",
                                       .statement = "Gamma(tau+c)/(Gamma(tau) tau^c) = 1 - c(1-c)/(2 tau) to "
                                                    "a relative 1/(5 tau) of the deficit: "
                                                    "the cut overestimates the loss at every tau and gamma",
                                       .source = "our addition",
                                       .verdict = LEM_HOLDS},
                     lem_identity(N, deficit, leading, bound), falsifiers, 1);
}

/* --- the number learned ------------------------------------------------------------------------------------
 */

/* Gamma(tau - 1/s)/Gamma(tau) = [Gamma(tau + c)/(Gamma(tau) tau^c)] tau^c/(tau - 1 + c) */
static double count_factor(sl_law law) {
    const double c = c_of(law.gamma);
    return lem_quanta_threshold_factor(law.tau, law.gamma) * pow(law.tau, c) / (law.tau - 1 + c);
}

static int count_claims(lem_study *study) {
    double constant[N_LATE], half[N_LATE], zero[N_LATE], bound[N_LATE];
    double ratio[N_LATE], limit[N_LATE], one[N_LATE], rest[N_LATE];
    for (size_t i = 0; i < N_LATE; i++) {
        const sl_law law = LATE[i].law;
        const double D = LATE[i].D, gamma = law.gamma, count = lem_quanta_learned_count(D, law.tau, gamma);
        const double leading = lem_quanta_learned_count_asymptotic(D, law.tau, gamma) + 0.5;
        constant[i] = count - leading;
        half[i] = -0.5, zero[i] = 0;
        bound[i] = 3e-13 * count; /* of the sum, and of what remains */
        ratio[i] = lem_quanta_loss_poisson(D, law.tau, gamma) / lem_quanta_loss(count, gamma, 0, 1);
        /* (n + 1/2)^-gamma/(gamma Z) at n = leading - 1/2 */
        limit[i] = lem_quanta_threshold_factor(law.tau, gamma) * pow(count_factor(law), gamma) *
                   pow(law.tau, c_of(gamma));
        one[i] = 1;
        rest[i] = gamma * (gamma + 1) / (20 * count * count) + 1e-12;
    }
    LEM_TRY(lem_value_exact(study, "samples.count-constant",
                            lem_quanta_learned_count(1000, 1, 1) -
                                (lem_quanta_learned_count_asymptotic(1000, 1, 1) + 0.5),
                            10, ""));
    const sl_law plain = {1, 1};
    LEM_TRY(lem_value_exact(study, "samples.prefix-ratio", 1 / count_factor(plain), 4, ""));
    LEM_TRY(lem_value_exact(study, "samples.count-1000", lem_quanta_learned_count(1000, 1, 1), 4, ""));
    LEM_TRY(lem_value_exact(study, "samples.cut-1000", lem_quanta_cut(1000, 1, 1), 3, ""));
    const lem_falsifier zeros[] = {{"without the 1/2", lem_identity_abs(N_LATE, constant, zero, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.learned-count",
            .statement = "the expected number of quanta learned is (D/Z)^(1/s) Gamma(tau-1/s)/Gamma(tau) - "
                         "1/2, up to corrections below every power of D",
            .source = "our addition; Karlin 1967 for the leading term at tau = 1",
            .verdict = LEM_HOLDS},
        lem_identity_abs(N_LATE, constant, half, bound), zeros, 1));
    const lem_falsifier prefix[] = {
        {"the expected loss is that after the N most frequent quanta, N the expected number learned",
         lem_identity(N_LATE, ratio, one, rest)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.learned-count.prefix",
            .statement =
                "the expected loss is Gamma(tau+c)/Gamma(tau) [Gamma(tau-1/s)/Gamma(tau)]^gamma times that "
                "after the N most frequent quanta, N the expected number learned",
            .source = ARTICLE ", where the learned quanta are the first n",
            .verdict = LEM_REFUTED,
            .note =
                "the loss is larger than that of the first N quanta, by a factor that does not depend on D, "
                "because the learned quanta are not the first ones"},
        lem_identity(N_LATE, ratio, limit, rest), prefix, 1);
}

/* --- the spread --------------------------------------------------------------------------------------------
 */

/* tau = 1: int p^2 (e^-Dp - e^-2Dp) dk over all k. */
static double variance_limit(double D, double gamma, bool both) {
    const double s = gamma + 1, power = 2 - 1 / s, zeta = 1 / lem_quanta_frequency(1, gamma);
    return tgamma(power) * (both ? -expm1(-power * M_LN2) : 1) * pow(zeta, -1 / s) / s * pow(D, -power);
}

static int variance_claim(lem_study *study) {
    static const double gammas[] = {0.5, 1, 2}, D[] = {1e5, 1e5, 1e8};
    double variance[3], limit[3], unlearned[3], bound[3];
    for (size_t i = 0; i < 3; i++) {
        variance[i] = lem_quanta_loss_variance_poisson(D[i], 1, gammas[i]);
        limit[i] = variance_limit(D[i], gammas[i], true);
        unlearned[i] = variance_limit(D[i], gammas[i], false);
        bound[i] = 3e-13; /* as above */
    }
    LEM_TRY(lem_value_exact(study, "samples.variance-factor", unlearned[1] / variance[1], 4, ""));
    const lem_falsifier falsifiers[] = {
        {"sum of p^2 Q, without P", lem_identity(3, variance, unlearned, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.self-averaging.limit",
            .statement =
                "the variance sum p^2 P Q of the loss is Z^(-1/s)/s Gamma(2-1/s) (1-2^-(2-1/s)) D^(-2+1/s), "
                "tau = 1: the relative spread falls like D^(-1/(2s))",
            .source = "our addition",
            .verdict = LEM_HOLDS},
        lem_identity(3, variance, limit, bound), falsifiers, 1);
}

/* --- figure ------------------------------------------------------------------------------------------------
 */

/* Below ten epsilons or so there is nothing but rounding. */
static double visible(double error) {
    return fabs(error) > 2e-15 ? fabs(error) : (double)NAN;
}

static int figure(lem_study *study) {
    static const char *const columns[] = {"D",
                                          "cut",
                                          "Poisson, gamma 1, tau 1",
                                          "binomial, gamma 1, tau 1",
                                          "Poisson, gamma 0.5, tau 1",
                                          "Poisson, gamma 2, tau 3"};
    enum { SIZES = 241 };
    double D[SIZES];
    lem_table *table;
    LEM_TRY(lem_study_table(study, "corrections", columns, COUNT(columns), &table));
    sl_log_grid(3, 3e5, SIZES, D);
    for (size_t i = 0; i < SIZES; i++) {
        const double whole = round(D[i]);
        const sl_law plain = {1, 1}, slow = {0.5, 1}, fast = {2, 3};
        const double row[] = {D[i],
                              fabs(cut_loss(D[i], plain) / sl_smooth_cut(D[i], plain) - 1),
                              visible(poisson_gap(D[i], plain)),
                              visible(binomial_gap(whole, plain)),
                              visible(poisson_gap(D[i], slow)),
                              visible(poisson_gap(D[i], fast))};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(study, "corrections",
                            "Relative distance of the loss from its power law, against the number of "
                            "samples. The deterministic cut follows its "
                            "law (D/tau)^-c within a sawtooth of size 1/n; the expected losses follow theirs "
                            "better than any power of D tells. "
                            "Below the rounding of a double nothing is drawn.",
                            "the error of the power law for the cut falls like D^(-1/2), for the expected "
                            "losses it drops ever more steeply to "
                            "the rounding of a double");
}

int sl_samples(lem_study *study) {
    LEM_TRY(cut_claim(study));
    LEM_TRY(closed_claims(study));
    LEM_TRY(order_claim(study));
    LEM_TRY(factor_claim(study));
    LEM_TRY(count_claims(study));
    LEM_TRY(variance_claim(study));
    return figure(study);
}
