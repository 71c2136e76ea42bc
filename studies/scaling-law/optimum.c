/* The compute-optimal split in closed form, against the root of the derivative. */
#include "fits.h"

#include <math.h>

double sl_share(const lem_chinchilla *law) {
    return law->beta / (law->alpha + law->beta);
}

double sl_ratio(const lem_chinchilla *law, double budget) {
    return lem_chinchilla_tokens_per_parameter(law->A, law->B, law->alpha, law->beta, budget);
}

/* dL/dlog N at 6 N D = budget, N = exp(x). */
static double slope(const lem_chinchilla *law, double budget, double x) {
    const double tokens = log(budget / 6) - x;
    return law->beta * law->B * exp(-law->beta * tokens) - law->alpha * law->A * exp(-law->alpha * x);
}

/* By bisection, to the last bit of x: the slope increases with N. */
static double root(const lem_chinchilla *law, double budget) {
    double low = 0, high = log(budget / 6);
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        *(slope(law, budget, middle) < 0 ? &low : &high) = middle;
    }
    return exp((low + high) / 2);
}

enum { SETS = 3, BUDGETS = 4 };

int sl_optimum(lem_study *study) {
    static const double budgets[BUDGETS] = {1e19, 1e21, 5.76e23, 1e26};
    static const char *const keys[SETS] = {"printed", "tex", "besiroglu"};
    double measured[SETS * BUDGETS], expected[SETS * BUDGETS], wrong[SETS * BUDGETS], bound[SETS * BUDGETS],
        ratio[SETS];
    for (size_t k = 0; k < SETS; k++) {
        lem_chinchilla law;
        char key[60];
        LEM_TRY(lem_chinchilla_published((lem_chinchilla_set)k, &law));
        for (size_t b = 0; b < BUDGETS; b++) {
            const size_t i = k * BUDGETS + b;
            measured[i] = root(&law, budgets[b]);
            expected[i] = lem_chinchilla_optimal_params(law.A, law.B, law.alpha, law.beta, budgets[b]);
            wrong[i] = expected[i] * pow(law.beta / law.alpha, 1 / (law.alpha + law.beta));
            /* both terms of the slope carry 60 epsilons from their exponents up to 60; they cross at the rate
             * alpha + beta > 0.6 */
            bound[i] = 2 * 60 * 2.3e-16 / 0.6;
        }
        ratio[k] = sl_ratio(&law, sl_operations);
        (void)snprintf(key, sizeof key, "compute-optimal.ratio.%s", keys[k]);
        LEM_TRY(lem_value_exact(study, key, ratio[k], 4, ""));
        (void)snprintf(key, sizeof key, "compute-optimal.share.%s", keys[k]);
        LEM_TRY(lem_value_exact(study, key, sl_share(&law), 4, ""));
    }
    const lem_falsifier balance[] = {
        {"N* = (A/B)^(1/(alpha + beta)) (C/6)^a: the two terms, not their slopes, balance",
         lem_identity(SETS * BUDGETS, measured, wrong, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "sl.compute-optimal",
                          .statement =
                              "at 6 N D = C the loss is least at N* = (alpha A/(beta B))^(1/(alpha + "
                              "beta)) (C/6)^(beta/(alpha + beta))",
                          .source = HOFFMANN ", eq. 4",
                          .verdict = LEM_HOLDS},
        lem_identity(SETS * BUDGETS, measured, expected, bound), balance, 1));
    /* The optimum at the budget of the model Chinchilla, by independent arithmetic; tolerance: 64 epsilons.
     */
    const double reference[] = {92.64736675730508876, 58.931666582776653971, 18.338393456910263854},
                 same[] = {reference[1], reference[1], reference[2]},
                 tolerance[] = {64 * 2.3e-16, 64 * 2.3e-16, 64 * 2.3e-16};
    const lem_falsifier digits[] = {
        {"two digits of the exponents are enough", lem_identity(SETS, ratio, same, tolerance)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "sl.compute-optimal.digits",
                          .statement =
                              "at 5.76e23 operations the constants as printed give 92.6 tokens per "
                              "parameter, the same with more digits 58.9, those of the replication 18.3",
                          .source = HOFFMANN "; " BESIROGLU,
                          .verdict = LEM_HOLDS},
        lem_identity(SETS, ratio, reference, tolerance), digits, 1);
}
