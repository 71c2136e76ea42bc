/* Short-time kernels composed to the propagator: which rules converge, and how fast. */
#include "study.h"

enum { SIZES = 4 };
static const size_t OU_SIZE[SIZES] = {4, 8, 16, 32}, WELL_SIZE[SIZES] = {8, 16, 32, 64};
static const pi_rule NO_JACOBIAN = {.5, 0, false}, WHOLE_JACOBIAN = {.5, 1, false};

static int slope_of(const pi_problem *q, pi_rule rule, const size_t *sizes, double *error, double *mass,
                    double *slope) {
    double n[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        n[i] = (double)sizes[i];
        LEM_TRY(pi_compose(q, rule, sizes[i], &error[i], &mass[i]));
    }
    *slope = pi_slope(SIZES, n, error);
    return GSL_SUCCESS;
}

/* --- the Jacobian ------------------------------------------------------------------------------------------
 */

enum { RULES = 5 };
static const struct {
    const char *name;
    bool well;
    const pi_rule *rule;
} RULE[RULES] = {{"ou.ito", false, &pi_ito},
                 {"ou.midpoint", false, &pi_midpoint},
                 {"ou.end", false, &pi_end_point},
                 {"well.ito", true, &pi_ito},
                 {"well.midpoint", true, &pi_midpoint}};

static int jacobian_claims(lem_study *study) {
    const pi_problem well = pi_double_well(1);
    double slope[RULES], without[RULES], whole[RULES], expected[RULES], bound[RULES], error[SIZES],
        mass[SIZES];
    double blind_mass = 0, blind_error = 0;
    for (size_t r = 0; r < RULES; r++) {
        const pi_problem *q = RULE[r].well ? &well : &pi_ou;
        const size_t *sizes = RULE[r].well ? WELL_SIZE : OU_SIZE;
        LEM_TRY(slope_of(q, *RULE[r].rule, sizes, error, mass, &slope[r]));
        for (size_t i = 0; i < SIZES; i++) {
            char key[64];
            (void)snprintf(key, sizeof key, "slices.%s.%zu", RULE[r].name, sizes[i]);
            LEM_TRY(lem_value_exact(study, key, error[i], 3, ""));
        }
        expected[r] = -1, bound[r] = .05;
        without[r] = whole[r] = slope[r];
        if (RULE[r].rule != &pi_midpoint)
            continue;
        LEM_TRY(slope_of(q, NO_JACOBIAN, sizes, error, mass, &without[r]));
        char key[64];
        (void)snprintf(key, sizeof key, "slices.%s.without", RULE[r].name);
        LEM_TRY(lem_value_exact(study, key, error[SIZES - 1], 3, ""));
        if (RULE[r].well)
            blind_mass = mass[SIZES - 1], blind_error = error[SIZES - 1];
        LEM_TRY(slope_of(q, WHOLE_JACOBIAN, sizes, error, mass, &whole[r]));
    }
    const lem_falsifier falsifiers[] = {
        {"the midpoint rule without a Jacobian", lem_identity_abs(RULES, without, expected, bound)},
        {"exp(-int p_x) with the midpoint rule", lem_identity_abs(RULES, whole, expected, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "pi.jacobian",
                          .statement =
                              "drift taken at y + lambda (x - y) with the Jacobian exp(-lambda int p_x): "
                              "the same propagator with order 1 for lambda = 0, 1/2, 1",
                          .source = "kexue.fm 3757 as summarised",
                          .verdict = LEM_HOLDS_WHEN,
                          .note = "exp(-(1/2) int p_x) belongs to the midpoint rule; it is 1 for Ito's and "
                                  "exp(-int p_x) for the end point"},
        lem_identity_abs(RULES, slope, expected, bound), falsifiers, 2));
    LEM_TRY(lem_value_exact(study, "slices.blind.mass", blind_mass, 3, ""));
    const double off = fabs(blind_mass - 1), percent = .01, tenth = .1;
    const double smaller[] = {off, tenth}, larger[] = {percent, blind_error}, trusting[] = {off, blind_error},
                 trusted[] = {percent, tenth};
    const lem_falsifier trust[] = {{"a mass within a percent means an error within a tenth",
                                    lem_inequality(2, trusting, trusted, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.jacobian.blind",
                                       .statement =
                                           "double well, 64 slices, midpoint rule without its Jacobian: "
                                           "the mass is within a percent of 1, the error above a tenth "
                                           "of the peak",
                                       .source = "our addition",
                                       .verdict = LEM_HOLDS},
                     lem_inequality(2, smaller, larger, NULL), trust, 1);
}

/* A linear drift makes each step Gaussian: the midpoint rule's mass is exp(h/2)/(1 + h/2) a step, without its
 * Jacobian 1/(1 + h/2), the end point's exp(h)/(1 + h), Ito's 1. */
static int mass_claim(lem_study *study) {
    enum { N = 4 };
    const pi_rule rules[N] = {pi_ito, pi_midpoint, pi_end_point, NO_JACOBIAN};
    double measured[N * SIZES], expected[N * SIZES], bound[N * SIZES], kept[N * SIZES];
    for (size_t r = 0; r < N; r++)
        for (size_t i = 0; i < SIZES; i++) {
            const double n = (double)OU_SIZE[i], h = 1 / n, lambda = rules[r].lambda,
                         jacobian = rules[r].jacobian;
            LEM_TRY(pi_compose(&pi_ou, rules[r], OU_SIZE[i], NULL, &measured[r * SIZES + i]));
            expected[r * SIZES + i] = exp(n * (jacobian * h - log1p(lambda * h)));
            kept[r * SIZES + i] = 1;
            bound[r * SIZES + i] = 1e-12; /* trapezoid of Gaussians of 7 meshes and more; 32 sums of 561 */
            if (i + 1 == SIZES) {
                static const char *const names[] = {"ito", "midpoint", "end", "without"};
                char key[64];
                (void)snprintf(key, sizeof key, "slices.mass.%s", names[r]);
                LEM_TRY(lem_value_exact(study, key, measured[r * SIZES + i], 4, ""));
            }
        }
    const lem_falsifier falsifiers[] = {
        {"every rule conserves the mass", lem_identity(N * SIZES, measured, kept, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.jacobian.mass",
                                       .statement =
                                           "p = -kappa x: n steps have the mass [exp(J kappa h)/(1 + "
                                           "lambda kappa h)]^n, J the factor in the Jacobian",
                                       .source = "our addition",
                                       .verdict = LEM_HOLDS},
                     lem_identity(N * SIZES, measured, expected, bound), falsifiers, 1);
}

/* --- through the gauge -------------------------------------------------------------------------------------
 */

static int gauge_kernel_claim(lem_study *study) {
    const pi_problem well = pi_double_well(1);
    double error[SIZES], mass[SIZES], slope = 0, ito = 0, midpoint = 0;
    LEM_TRY(slope_of(&well, pi_gauged, WELL_SIZE, error, mass, &slope));
    for (size_t i = 0; i < SIZES; i++) {
        char key[64];
        const double n = (double)WELL_SIZE[i];
        (void)snprintf(key, sizeof key, "slices.gauged.%zu", WELL_SIZE[i]);
        LEM_TRY(lem_value_exact(study, key, error[i] * n * n, 3, ""));
    }
    LEM_TRY(slope_of(&well, pi_ito, WELL_SIZE, error, mass, &ito));
    LEM_TRY(slope_of(&well, pi_midpoint, WELL_SIZE, error, mass, &midpoint));
    const double expected = -2, bound = .05;
    const lem_falsifier falsifiers[] = {
        {"Ito's kernel has the same order", lem_identity_abs(1, &ito, &expected, &bound)},
        {"the midpoint rule has the same order", lem_identity_abs(1, &midpoint, &expected, &bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.gauge-kernel",
                          .statement = "the same propagator through the gauge, half the potential at "
                                       "either end of a slice, has order 2 (double well)",
                          .source = "kexue.fm 3757, eq. 68 as summarised; the order is our addition",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(1, &slope, &expected, &bound), falsifiers, 2);
}

int pi_slices(lem_study *study) {
    LEM_TRY(jacobian_claims(study));
    LEM_TRY(mass_claim(study));
    return gauge_kernel_claim(study);
}
