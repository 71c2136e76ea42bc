/* Room for n quanta and D samples at once: what the loss is, and how to share a product n D. */
#include "study.h"

static const sl_law LAW[] = {{1, 1}, {1, 10}, {0.5, 1}};
enum { LAWS = COUNT(LAW) };
static const char *const NAME[LAWS] = {"1-1", "1-10", "0.5-1"};

static double joint(double n, double D, sl_law law) {
    return lem_quanta_joint_loss(n, D, law.tau, law.gamma);
}

/* L_N + L_D */
static double additive(double n, double D, sl_law law) {
    return lem_quanta_loss(n, law.gamma, 0, 1) + lem_quanta_loss_poisson(D, law.tau, law.gamma);
}

/* --- the scaling function ----------------------------------------------------------------------------------
 */

/* The quanta beyond n lose p Q + p P = p; by the midpoint rule for sum_k>n p P with m = n + 1/2, the relative
 * error of m^-gamma/(gamma Z) Phi(D p_m) is gamma s (P + w)/(24 m^2 Phi) to leading order, w = x^tau
 * e^-x/Gamma(tau). */
static double midpoint_share(double x, double m, sl_law law) {
    const double tau = law.tau, w = exp(tau * log(x) - x - lgamma(tau));
    return law.gamma * (law.gamma + 1) * (lem_gamma_cdf(x, tau, 1, LEM_LOWER) + w) /
           (24 * m * m * lem_quanta_joint_scaling(x, tau, law.gamma));
}

enum { ROOMS = 4, LOADS = 5, N_JOINT = LAWS * ROOMS * LOADS };

static int scaling_claims(lem_study *study) {
    static const double rooms[ROOMS] = {50, 100, 400, 2000}, loads[LOADS] = {0.25, 0.5, 1, 2, 4};
    double exact[N_JOINT], formula[N_JOINT], sum[N_JOINT], bound[N_JOINT];
    double low[2 * N_JOINT], high[2 * N_JOINT], least[N_JOINT];
    for (size_t i = 0; i < N_JOINT; i++) {
        const sl_law law = LAW[i / (ROOMS * LOADS)];
        const double gamma = law.gamma, n = rooms[i / LOADS % ROOMS], m = n + 0.5,
                     x = law.tau * loads[i % LOADS];
        const double D = x / lem_quanta_frequency(m, gamma);
        exact[i] = joint(n, D, law);
        const double scale = lem_quanta_loss_midpoint(n, gamma, 0, 1);
        formula[i] = scale * lem_quanta_joint_scaling(x, law.tau, gamma);
        sum[i] = scale + lem_quanta_loss_poisson_asymptotic(D, law.tau, gamma);
        bound[i] = 1.5 * midpoint_share(x, m, law) + 1e-12;
        const double by_n = lem_quanta_loss(n, gamma, 0, 1),
                     by_D = lem_quanta_loss_poisson(D, law.tau, gamma);
        low[i] = least[i] = fmax(by_n, by_D), high[i] = exact[i];
        low[N_JOINT + i] = exact[i], high[N_JOINT + i] = by_n + by_D;
    }
    const lem_falsifier sums[] = {{"L_N + L_D, the additive form", lem_identity(N_JOINT, exact, sum, bound)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "sl.joint",
                                        .statement =
                                            "with both limits L = m^-gamma/(gamma Z) [P(tau,x) + x^-c "
                                            "Gamma(tau+c,x)/Gamma(tau)], m = n+1/2, x "
                                            "= D p_m, to O(1/m^2): the additive form is not what quanta give",
                                        .source = "our addition",
                                        .verdict = LEM_HOLDS},
                      lem_identity(N_JOINT, exact, formula, bound), sums, 1));
    const lem_falsifier most[] = {
        {"it is the larger of the two", lem_inequality_strict(N_JOINT, exact, least, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "sl.joint.bounds",
                                       .statement = "max(L_N, L_D) < L < L_N + L_D",
                                       .source = "our addition",
                                       .verdict = LEM_HOLDS},
                     lem_inequality_strict(2 * N_JOINT, low, high, NULL), most, 1);
}

/* --- the best share ----------------------------------------------------------------------------------------
 */

typedef double (*loss_of)(double n, double D, sl_law law);

/* The whole n of least loss with D = C/n: a search by thirds, then the neighbours. */
static double best_room(double C, sl_law law, loss_of loss) {
    double low = 1, high = floor(pow(C, 0.7));
    while (high - low > 6) {
        const double third = floor((high - low) / 3), a = low + third, b = high - third;
        if (loss(a, C / a, law) < loss(b, C / b, law))
            high = b;
        else
            low = a;
    }
    double best = low;
    for (double n = low; n <= high; n++)
        if (loss(n, C / n, law) < loss(best, C / best, law))
            best = n;
    return best;
}

/* n = (C/(x* Z))^(1/(gamma+2)), in terms of n + 1/2 */
static double predicted(double C, sl_law law) {
    const double x = lem_quanta_joint_optimum_x(law.tau, law.gamma);
    return pow(C / x * lem_quanta_frequency(1, law.gamma), 1 / (law.gamma + 2));
}

enum { BUDGETS = 3, N_BEST = LAWS * BUDGETS };
static const double BUDGET[BUDGETS] = {1e4, 1e6, 1e8};

static int share_claims(lem_study *study) {
    double low[N_BEST], high[N_BEST], root[N_BEST], wrong[N_BEST];
    double slope_low[LAWS], slope_high[LAWS], slope[LAWS], half[LAWS];
    double decay[LAWS], exact_decay[LAWS], c[LAWS], near[LAWS];
    for (size_t l = 0; l < LAWS; l++) {
        double best[BUDGETS];
        for (size_t b = 0; b < BUDGETS; b++) {
            const size_t i = l * BUDGETS + b;
            best[b] = best_room(BUDGET[b], LAW[l], joint);
            low[i] = best[b] - 0.5, high[i] = best[b] + 1.5;
            root[i] = predicted(BUDGET[b], LAW[l]);
            wrong[i] = best_room(BUDGET[b], LAW[l], additive) + 0.5;
        }
        const double decades = log(BUDGET[2] / BUDGET[0]), gamma = LAW[l].gamma;
        slope_low[l] = log((best[2] - 0.5) / (best[0] + 1.5)) / decades;
        slope_high[l] = log((best[2] + 1.5) / (best[0] - 0.5)) / decades;
        slope[l] = 1 / (gamma + 2), half[l] = 0.5;
        decay[l] =
            log(joint(best[1], BUDGET[1] / best[1], LAW[l]) / joint(best[2], BUDGET[2] / best[2], LAW[l])) /
            log(BUDGET[2] / BUDGET[1]);
        exact_decay[l] = gamma / (gamma + 2), c[l] = gamma / (gamma + 1);
        near[l] = 1 / best[1]; /* n for n + 1/2: gamma/(2n) in the loss, less in a slope */
        const double n = best[1], D = BUDGET[1] / n, loss = joint(n, D, LAW[l]);
        char key[64];
        (void)snprintf(key, sizeof key, "budget.x.%s", NAME[l]);
        LEM_TRY(lem_value_exact(study, key, lem_quanta_joint_optimum_x(LAW[l].tau, gamma), 6, ""));
        (void)snprintf(key, sizeof key, "budget.best.%s", NAME[l]);
        LEM_TRY(lem_value_exact(study, key, n, 4, ""));
        (void)snprintf(key, sizeof key, "budget.additive.%s", NAME[l]);
        LEM_TRY(lem_value_exact(study, key, wrong[l * BUDGETS + 1] - 0.5, 4, ""));
        (void)snprintf(key, sizeof key, "budget.over-sum.%s", NAME[l]);
        LEM_TRY(lem_value_exact(study, key, loss / additive(n, D, LAW[l]), 3, ""));
        (void)snprintf(key, sizeof key, "budget.over-max.%s", NAME[l]);
        LEM_TRY(lem_value_exact(
            study, key,
            loss / fmax(lem_quanta_loss(n, gamma, 0, 1), lem_quanta_loss_poisson(D, LAW[l].tau, gamma)), 3,
            ""));
    }
    const lem_falsifier sums[] = {
        {"the optimum of the additive form", lem_optimum(N_BEST, low, high, wrong)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "sl.joint.optimum",
            .statement = "at a fixed product n D = C the best n + 1/2 is (C/(x* Z))^(1/(gamma+2)) within 1, "
                         "where (gamma+1) "
                         "P(tau,x*) = x*^-c Gamma(tau+c,x*)/Gamma(tau): whole n searched, C = 1e4, 1e6, 1e8",
            .source = "our addition",
            .verdict = LEM_HOLDS},
        lem_optimum(N_BEST, low, high, root), sums, 1));
    const lem_falsifier halves[] = {{"n grows like C^(1/2): parameters matter at least as much",
                                     lem_optimum(LAWS, slope_low, slope_high, half)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "sl.which-matters",
                                        .statement =
                                            "parameters have the larger influence, their exponent gamma "
                                            "being larger than gamma/(gamma+1): at a "
                                            "fixed product n D the best n is proportional to C^(1/(gamma+2))",
                                        .source = ARTICLE,
                                        .verdict = LEM_HOLDS_WHEN,
                                        .note = "per factor of either resource; shared out at a fixed "
                                                "product, the larger exponent needs less: data grows "
                                                "like C^((gamma+1)/(gamma+2)), faster than the model"},
                      lem_optimum(LAWS, slope_low, slope_high, slope), halves, 1));
    const lem_falsifier alone[] = {{"C^-c, as for data alone", lem_identity(LAWS, decay, c, near)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.which-matters.loss",
                          .statement = "the best loss falls like C^(-gamma/(gamma+2)), from 1e6 to 1e8, to a "
                                       "relative 1/n",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(LAWS, decay, exact_decay, near), alone, 1);
}

int sl_budget(lem_study *study) {
    LEM_TRY(scaling_claims(study));
    return share_claims(study);
}
