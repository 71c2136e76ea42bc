/* The registry entries of the fits and of the parametric law. */
#include "base/formula.h"
#include "scaling/chinchilla_fit.h"
#include "scaling/power_law_offset.h"
#include "scaling/robust.h"

#include <math.h>
#include <stdlib.h>

/* One result; NaN is the sign of an error already reported. */
static int one(double value, double *results, size_t *count) {
    if (isnan(value))
        return GSL_EDOM;
    results[0] = value;
    *count = 1;
    return GSL_SUCCESS;
}

static int eval_huber_loss(const lem_formula_value *a, double *results, size_t *count) {
    return one(lem_huber_loss(a[0].real, a[1].real), results, count);
}

static int eval_laplace_profile_lr(const lem_formula_value *a, double *results, size_t *count) {
    if (a[0].count != a[1].count)
        return LEM_ERROR(GSL_EBADLEN, "restricted has %zu residuals, full %zu: must be as many", a[0].count,
                         a[1].count);
    return one(lem_laplace_profile_lr(a[0].count, a[0].reals, a[1].reals), results, count);
}

/* --- the law
 * ------------------------------------------------------------------------------------------------ */

#define LEM_WORD(id, name, ...) "|" name
#define SET_WORDS "own" LEM_CHINCHILLA_SETS(LEM_WORD)

/* A constant that is not given (0, its default) is the set's; zero stays for `own`, and is refused below. */
static lem_chinchilla law_of(const lem_formula_value *set, double A, double B, double E, double alpha,
                             double beta) {
    lem_chinchilla law = {0, 0, 0, 0, 0};
    if (set->word > 0)
        (void)lem_chinchilla_published((lem_chinchilla_set)(set->word - 1), &law);
    law.A = A != 0 ? A : law.A;
    law.B = B != 0 ? B : law.B;
    law.E = E != 0 ? E : law.E;
    law.alpha = alpha != 0 ? alpha : law.alpha;
    law.beta = beta != 0 ? beta : law.beta;
    return law;
}

static int eval_chinchilla_eval(const lem_formula_value *a, double *results, size_t *count) {
    const lem_chinchilla law = law_of(&a[2], a[3].real, a[4].real, a[5].real, a[6].real, a[7].real);
    return one(lem_chinchilla_eval(&law, a[0].real, a[1].real), results, count);
}

static int eval_chinchilla_optimal_params(const lem_formula_value *a, double *results, size_t *count) {
    const lem_chinchilla law = law_of(&a[1], a[2].real, a[3].real, 0, a[4].real, a[5].real);
    return one(lem_chinchilla_optimal_params(law.A, law.B, law.alpha, law.beta, a[0].real), results, count);
}

static int eval_chinchilla_tokens_per_parameter(const lem_formula_value *a, double *results, size_t *count) {
    const lem_chinchilla law = law_of(&a[1], a[2].real, a[3].real, 0, a[4].real, a[5].real);
    return one(lem_chinchilla_tokens_per_parameter(law.A, law.B, law.alpha, law.beta, a[0].real), results,
               count);
}

/* --- fits to lists
 * -------------------------------------------------------------------------------------------- */

static int data_of(const lem_formula_value *a, lem_chinchilla_data *data) {
    if (a[0].count != a[1].count || a[0].count != a[2].count)
        return LEM_ERROR(GSL_EBADLEN, "N, D and loss have %zu, %zu and %zu entries: must be as many",
                         a[0].count, a[1].count, a[2].count);
    *data = (lem_chinchilla_data){a[0].count, a[0].reals, a[1].reals, a[2].reals};
    return GSL_SUCCESS;
}

static int eval_chinchilla_objective(const lem_formula_value *a, double *results, size_t *count) {
    lem_chinchilla_data data;
    const int status = data_of(a, &data);
    if (status)
        return status;
    const lem_chinchilla law = {a[3].real, a[4].real, a[5].real, a[6].real, a[7].real};
    return one(lem_chinchilla_objective(&law, &data, a[8].real, a[9].word ? LEM_REDUCE_MEAN : LEM_REDUCE_SUM),
               results, count);
}

static int eval_chinchilla_fit(const lem_formula_value *a, double *results, size_t *count) {
    lem_chinchilla_data data;
    lem_chinchilla_fitted fit;
    int status = data_of(a, &data);
    if (!status)
        status = lem_chinchilla_fit(&data, a[3].real, &fit);
    if (status)
        return status;
    const double values[] = {fit.law.A, fit.law.B, fit.law.E, fit.law.alpha, fit.law.beta, fit.objective};
    for (*count = 0; *count < sizeof values / sizeof *values; ++*count)
        results[*count] = values[*count];
    return GSL_SUCCESS;
}

static int eval_power_law_offset_fit(const lem_formula_value *a, double *results, size_t *count) {
    lem_power_law_offset fit;
    const size_t m = a[0].count;
    if (m != a[1].count || (a[3].given && m != a[3].count))
        return LEM_ERROR(GSL_EBADLEN, "n, L and w have %zu, %zu and %zu entries: must be as many", m,
                         a[1].count, a[3].given ? a[3].count : m);
    const double *w = a[3].given ? a[3].reals : NULL;
    double *relative = NULL;
    if (a[2].word == 1) {
        relative = malloc(m * sizeof *relative);
        if (!relative)
            return LEM_ERROR(GSL_ENOMEM, "no memory for %zu weights", m);
        for (size_t i = 0; i < m; i++)
            relative[i] = 1 / fabs(a[1].reals[i]);
        w = relative;
    }
    const int status = lem_power_law_offset_fit(m, a[0].reals, a[1].reals, w, &fit);
    free(relative);
    if (status)
        return status;
    results[0] = fit.E;
    results[1] = fit.A;
    results[2] = fit.alpha;
    *count = 3;
    return GSL_SUCCESS;
}

/* --- the table
 * ------------------------------------------------------------------------------------------------ */

#define REAL(name, domain)                                                                                   \
    { name, LEM_ARG_REAL, domain, NULL, NULL, NULL }
#define OPTIONAL(name, domain, fallback)                                                                     \
    { name, LEM_ARG_REAL, domain, NULL, fallback, NULL }
#define LIST(name, domain)                                                                                   \
    { name, LEM_ARG_REALS, domain, NULL, NULL, NULL }
#define WORD(name, domain, words, fallback)                                                                  \
    { name, LEM_ARG_WORD, domain, words, fallback, NULL }
#define CONSTANT(name) OPTIONAL(name, name " > 0, finite; 0: that of the set", "0")
#define SET WORD("set", "whose constants, own: those given", SET_WORDS, "own")
#define TERMS CONSTANT("A"), CONSTANT("B"), CONSTANT("alpha"), CONSTANT("beta")
#define POSITIVE(name) REAL(name, name " > 0, finite")
#define ROWS LIST("N", "all > 0"), LIST("D", "all > 0, as many"), LIST("loss", "all > 0, as many")
#define HOFFMANN "Hoffmann et al. 2022, arXiv:2203.15556"

static const lem_formula formulas[] = {
    {"huber_loss",
     "r^2/2 for |r| <= delta, else delta (|r| - delta/2)",
     "Huber, Ann. Math. Statist. 35 (1964) 73",
     "sl.chinchilla-fit",
     LEM_ACCURACY_CLOSED,
     "closed form",
     eval_huber_loss,
     {REAL("r", "finite"), OPTIONAL("delta", "delta > 0 or inf", "1e-3")}},
    {"laplace_profile_lr",
     "2 n log(sum |restricted|/sum |full|): likelihood ratio of two fits with Laplace residuals of unknown "
     "scale",
     "lemmata",
     "sl.chinchilla-reject",
     LEM_ACCURACY_CLOSED,
     "compensated sums; the logarithm is conditioned like log x",
     eval_laplace_profile_lr,
     {LIST("restricted", "finite"), LIST("full", "finite, as many")}},
    {"chinchilla_eval",
     "L(N, D) = E + A N^-alpha + B D^-beta",
     HOFFMANN ", section 3.3",
     "sl.rounding sl.chinchilla-fit",
     LEM_ACCURACY_CLOSED,
     "closed form, all terms of one sign",
     eval_chinchilla_eval,
     {POSITIVE("N"), POSITIVE("D"), SET, CONSTANT("A"), CONSTANT("B"), CONSTANT("E"), CONSTANT("alpha"),
      CONSTANT("beta")}},
    {"chinchilla_optimal_params",
     "(alpha A/(beta B))^(1/(alpha+beta)) (C/6)^(beta/(alpha+beta)): the N that makes L least at 6 N D = C",
     HOFFMANN ", eq. 4",
     "sl.compute-optimal",
     LEM_ACCURACY_CLOSED,
     "closed form; powers of C/6 apart from the square root",
     eval_chinchilla_optimal_params,
     {POSITIVE("C"), SET, TERMS}},
    {"chinchilla_tokens_per_parameter",
     "D/N at the optimum, (beta B/(alpha A))^(2/(alpha+beta)) (C/6)^((alpha-beta)/(alpha+beta))",
     HOFFMANN ", eq. 4",
     "sl.compute-optimal",
     LEM_ACCURACY_CLOSED,
     "closed form",
     eval_chinchilla_tokens_per_parameter,
     {POSITIVE("C"), SET, TERMS}},
    {"chinchilla_objective",
     "sum or mean of the Huber losses of log loss - log L(N, D)",
     HOFFMANN ", eq. 3",
     "sl.chinchilla-fit sl.reduction-trap",
     1e-12,
     "a residual of size r carries a rounding error of a few epsilons/r; |r| >= 1e-3 is assumed",
     eval_chinchilla_objective,
     {ROWS, POSITIVE("A"), POSITIVE("B"), REAL("E", "E >= 0, finite"), POSITIVE("alpha"), POSITIVE("beta"),
      OPTIONAL("delta", "delta > 0 or inf", "1e-3"),
      WORD("reduction", "of the losses of the rows", "sum|mean", "sum")}},
    {"chinchilla_fit",
     "A, B, E, alpha, beta that minimise the sum of Huber losses of log loss - log L(N, D), and that sum",
     HOFFMANN ", eq. 3",
     "sl.chinchilla-fit sl.twin.recovery",
     1e-10,
     "Newton's method to a gradient of 1e-14; times the condition of the problem, some thousands",
     eval_chinchilla_fit,
     {ROWS, OPTIONAL("delta", "delta > 0, inf: least squares, 0: least absolute deviations", "1e-3")}},
    {"power_law_offset_fit",
     "E, A, alpha that minimise sum w^2 (L - E - A n^-alpha)^2; w = 1, 1/|L|, or a list",
     "Golub & Pereyra, SIAM J. Numer. Anal. 10 (1973) 413",
     "sl.offset-fit",
     1e-10,
     "the zero of a derivative by Brent's method; times the condition of the problem",
     eval_power_law_offset_fit,
     {LIST("n", "all > 0, at least 4 different"),
      LIST("L", "finite, as many"),
      WORD("weights", "of the squared residuals", "equal|relative|given", "equal"),
      {"w", LEM_ARG_REALS, "all > 0, as many", NULL, NULL, "weights=given"}}},
};

extern const lem_formula_table lem_scaling_fit_formulas;
const lem_formula_table lem_scaling_fit_formulas = {"scaling", formulas, sizeof formulas / sizeof *formulas};
