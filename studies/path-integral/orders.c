/* All orders of convergence beside each other. */
#include "study.h"

enum { METHODS = 11, MOST = 4 };

/* Errors at steps (of time, in units of T, or of space), for one method. */
typedef struct {
    const char *key;
    double order;
    size_t n;
    double step[MOST], error[MOST];
} convergence;

static int of_walk(convergence *c) {
    static const size_t sizes[] = {64, 256, 1024, 4096};
    for (c->n = 0; c->n < 4; c->n++) {
        c->step[c->n] = 1 / sqrt((double)sizes[c->n]);
        LEM_TRY(pi_walk_error(&pi_ou, sizes[c->n], 1, 1, &c->error[c->n], NULL));
    }
    return GSL_SUCCESS;
}

static int of_kernel(convergence *c, pi_rule rule) {
    static const size_t sizes[] = {8, 16, 32, 64};
    const pi_problem well = pi_double_well(1);
    for (c->n = 0; c->n < 4; c->n++) {
        c->step[c->n] = 1 / (double)sizes[c->n];
        LEM_TRY(pi_compose(&well, rule, sizes[c->n], &c->error[c->n], NULL));
    }
    return GSL_SUCCESS;
}

static int of_crank_nicolson(convergence *c) {
    static const size_t steps[] = {100, 200, 400, 800};
    pi_gauged_run run;
    for (c->n = 0; c->n < 4; c->n++) {
        c->step[c->n] = 1 / (double)steps[c->n];
        LEM_TRY(pi_forced_gauge(2 * steps[c->n] + 1, steps[c->n], 1, &run));
        c->error[c->n] = run.error;
    }
    return GSL_SUCCESS;
}

static int of_energy(convergence *c, bool corrected) {
    for (c->n = 0; c->n < 4; c->n++) {
        c->step[c->n] = 1 / (double)(4 << c->n);
        c->error[c->n] = fabs(pi_lattice_energy_error(1.3, 1.5 * c->step[c->n], corrected)) / (1.3 / 2);
    }
    return GSL_SUCCESS;
}

typedef double (*scheme_error)(uint64_t n, double mu, double sg, double T);

static int of_scheme(convergence *c, scheme_error error) {
    for (c->n = 0; c->n < 4; c->n++) {
        const uint64_t n = (uint64_t)32 << c->n;
        c->step[c->n] = 1 / (double)n;
        c->error[c->n] = fabs(error(n, .08, .3, 1.5));
    }
    return GSL_SUCCESS;
}

static int measure(convergence c[METHODS]) {
    static const struct {
        const char *key;
        double order;
    } known[METHODS] = {{"walk", 2},          {"midpoint", 1},        {"no-jacobian", 0},
                        {"ito", 1},           {"gauged", 2},          {"crank-nicolson", 2},
                        {"trotter", 2},       {"takahashi-imada", 4}, {"euler-weak", 1},
                        {"euler-strong", .5}, {"milstein-strong", 1}};
    for (size_t i = 0; i < METHODS; i++)
        c[i] = (convergence){.key = known[i].key, .order = known[i].order};
    LEM_TRY(of_walk(&c[0]));
    LEM_TRY(of_kernel(&c[1], pi_midpoint));
    LEM_TRY(of_kernel(&c[2], (pi_rule){.5, 0, false}));
    LEM_TRY(of_kernel(&c[3], pi_ito));
    LEM_TRY(of_kernel(&c[4], pi_gauged));
    LEM_TRY(of_crank_nicolson(&c[5]));
    LEM_TRY(of_energy(&c[6], false));
    LEM_TRY(of_energy(&c[7], true));
    LEM_TRY(of_scheme(&c[8], lem_em_gbm_weak_error_mean));
    LEM_TRY(of_scheme(&c[9], lem_em_gbm_strong_error));
    return of_scheme(&c[10], lem_milstein_gbm_strong_error);
}

/* The midpoint rule without its Jacobian has no order: it stands in the figure, and in the claim as what is
 * not the midpoint rule. */
enum { MIDPOINT = 1, NONE = 2, ITO = 3, EULER_STRONG = 9 };

static int summary_claim(lem_study *study, const convergence c[METHODS]) {
    double slope[METHODS], expected[METHODS], bound[METHODS], ones[METHODS], twos[METHODS], without[METHODS];
    for (size_t i = 0; i < METHODS; i++) {
        slope[i] = without[i] = pi_slope(c[i].n, c[i].step, c[i].error);
        expected[i] = c[i].order, bound[i] = .05;
        ones[i] = i == EULER_STRONG ? 1 : c[i].order, twos[i] = i == MIDPOINT || i == ITO ? 2 : c[i].order;
        char key[64];
        (void)snprintf(key, sizeof key, "orders.%s", c[i].key);
        LEM_TRY(lem_value_exact(study, key, slope[i], 3, ""));
        /* of the coarser and of the finer three sizes: how far the fit is from its limit */
        (void)snprintf(key, sizeof key, "orders.%s.coarse", c[i].key);
        LEM_TRY(lem_value_exact(study, key, pi_slope(3, c[i].step, c[i].error), 3, ""));
        (void)snprintf(key, sizeof key, "orders.%s.fine", c[i].key);
        LEM_TRY(
            lem_value_exact(study, key, pi_slope(3, c[i].step + c[i].n - 3, c[i].error + c[i].n - 3), 3, ""));
    }
    without[MIDPOINT] = slope[NONE];
    slope[NONE] = without[NONE] = expected[NONE] = ones[NONE] = twos[NONE] = 0;
    const lem_falsifier falsifiers[] = {
        {"Euler's strong order is 1 for multiplicative noise", lem_identity_abs(METHODS, slope, ones, bound)},
        {"the ungauged kernels have order 2", lem_identity_abs(METHODS, slope, twos, bound)},
        {"the midpoint kernel does without its Jacobian",
         lem_identity_abs(METHODS, without, expected, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.convergence-summary",
                                       .statement =
                                           "fitted orders within 0.05: walk 2 in its space step; kernels: "
                                           "midpoint 1, Ito 1, gauged 2; Crank-Nicolson 2; energy on slices "
                                           "2, corrected 4; Euler weak 1, strong 1/2; Milstein 1",
                                       .source = "our addition",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(METHODS, slope, expected, bound), falsifiers, 3);
}

/* A block for each method: step, error. */
static int figure(lem_study *study, const convergence c[METHODS]) {
    static const char *const columns[] = {"step", "relative error"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "orders", columns, COUNT(columns), &table));
    for (size_t i = 0; i < METHODS; i++) {
        for (size_t j = 0; j < c[i].n; j++) {
            const double row[] = {c[i].step[j], c[i].error[j]};
            LEM_TRY(lem_table_row(table, row));
        }
        LEM_TRY(lem_table_break(table));
    }
    return lem_study_figure(
        study, "orders",
        "Error against the step, in units of the whole time (for the walk, its root: the space step).",
        "the midpoint kernel without its Jacobian does not converge; with it the order is 1, through "
        "the gauge 2, with Takahashi and Imada's term 4");
}

int pi_orders(lem_study *study) {
    static convergence c[METHODS];
    LEM_TRY(measure(c));
    LEM_TRY(summary_claim(study, c));
    return figure(study, c);
}
