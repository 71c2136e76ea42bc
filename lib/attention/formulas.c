/* The registry entries of softmax over random logits. */
#include "attention/gaussian.h"
#include "base/formula.h"

#include <math.h>

/* One result; NaN is the sign of an error already reported. */
static int one(double value, double *results, size_t *count) {
    if (isnan(value))
        return GSL_EDOM;
    results[0] = value;
    *count = 1;
    return GSL_SUCCESS;
}

static int eval_sum_squares(const lem_formula_value *a, double *results, size_t *count) {
    return one(lem_softmax_gaussian_sum_squares(a[0].real, a[1].real), results, count);
}

static int eval_entropy(const lem_formula_value *a, double *results, size_t *count) {
    return one(lem_softmax_gaussian_entropy(a[0].real, a[1].real), results, count);
}

#define ARGS                                                                                                 \
    {                                                                                                        \
        {.name = "n", .type = LEM_ARG_REAL, .domain = "a whole number, 1 <= n <= 1e300"},                    \
            {.name = "sigma", .type = LEM_ARG_REAL, .domain = "0 <= sigma <= 1000"},                         \
    }

static const lem_formula formulas[] = {
    {.name = "softmax_gaussian_sum_squares",
     .doc = "E sum a_j^2 of a softmax over n independent N(0, sigma^2) logits",
     .source = "Laplace transform over the normaliser; derived in lib/attention/gaussian.c",
     .claims = "lin.entropy-softmax",
     .accuracy = 1e-12,
     .accuracy_reason = "trapezoidal rules off by less than 1e-17; rounding of terms that are all positive",
     .eval = eval_sum_squares,
     .args = ARGS},
    {.name = "softmax_gaussian_entropy",
     .doc = "E[-sum a_j log a_j] (nats) of a softmax over n independent N(0, sigma^2) logits",
     .source = "Laplace transform over the normaliser; derived in lib/attention/gaussian.c",
     .claims = "lin.entropy-softmax",
     .accuracy = 1e-12,
     .accuracy_reason =
         "trapezoidal rules off by less than 1e-17 (1 + log n); rounding of 1 + log n against an "
         "entropy that falls like 1/sigma",
     .eval = eval_entropy,
     .args = ARGS},
};

extern const lem_formula_table lem_attention_formulas;
const lem_formula_table lem_attention_formulas = {"attention", formulas, sizeof formulas / sizeof *formulas};
