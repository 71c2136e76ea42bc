/* The registry entries of Nystrom attention. */
#include "attention/nystrom.h"
#include "attention/nystrom_error.h"
#include "attention/pinv.h"
#include "base/formula.h"

#include <limits.h>
#include <math.h>

/* One result; NaN is the sign of an error already reported. */
static int one(double value, double *results, size_t *count) {
    if (isnan(value))
        return GSL_EDOM;
    results[0] = value;
    *count = 1;
    return GSL_SUCCESS;
}

/* Beyond int lies beyond every domain here. */
static int to_int(long long x) {
    return x > INT_MAX ? INT_MAX : x < INT_MIN ? INT_MIN : (int)x;
}

static int eval_filter(const lem_formula_value *a, double *results, size_t *count) {
    return one(lem_pinv_iteration_filter((lem_pinv_method)a[0].word, to_int(a[1].integer), a[2].real),
               results, count);
}

static int eval_half_resolved(const lem_formula_value *a, double *results, size_t *count) {
    return one(lem_pinv_half_resolved_y0((lem_pinv_method)a[0].word, to_int(a[1].integer)), results, count);
}

static int eval_toy_entry(const lem_formula_value *a, double *results, size_t *count) {
    return one(lem_nystrom_toy_entry(a[0].real, to_int(a[1].integer), to_int(a[2].integer)), results, count);
}

static int eval_flops(const lem_formula_value *a, double *results, size_t *count) {
    return one(lem_nystrom_flops(a[0].real, a[1].real, a[2].real), results, count);
}

static int eval_features(const lem_formula_value *a, double *results, size_t *count) {
    return one(lem_nystrom_equal_cost_features(a[0].real, a[1].real, a[2].real), results, count);
}

/* in the order of lem_pinv_method */
#define METHOD                                                                                               \
    {                                                                                                        \
        .name = "method", .type = LEM_ARG_WORD, .words = "chebyshev4|newton|hyperpower3",                    \
        .domain = "the published step, Newton's, or hyperpower of order 3"                                   \
    }
#define SIZES                                                                                                \
    {                                                                                                        \
        {.name = "n", .type = LEM_ARG_INTEGER, .domain = "n >= 1, tokens"},                                  \
            {.name = "m", .type = LEM_ARG_INTEGER, .domain = "1 <= m <= n, landmarks"},                      \
            {.name = "d", .type = LEM_ARG_INTEGER, .domain = "d >= 1, width of queries, keys and values"},   \
    }

static const lem_formula formulas[] = {
    {.name = "pinv_iteration_filter",
     .doc =
         "the eigenvalue of A Z after so many steps of a pseudo-inverse iteration, from y0; published step: "
         "y (13 - 15 y + 7 y^2 - y^3)/4",
     .source = "Xiong et al., arXiv:2102.03902, equation 11, on an eigenvalue",
     .claims = "nys.filter nys.iteration-basin",
     .accuracy = 1e-12,
     .accuracy_reason = "about 8 machine epsilons a step, times the slope of the map",
     .eval = eval_filter,
     .args = {METHOD,
              {.name = "iterations", .type = LEM_ARG_INTEGER, .domain = "0 <= iterations <= 10000"},
              {.name = "y0", .type = LEM_ARG_REAL, .domain = "finite; the result must stay so"}}},
    {.name = "pinv_half_resolved_y0",
     .doc = "the y0 in (0, 1) that so many steps of a pseudo-inverse iteration bring to 1/2",
     .source = "by bisection on pinv_iteration_filter",
     .claims = "nys.filter nys.better-iteration",
     .accuracy = 1e-12,
     .accuracy_reason = "that of the filter, whose logarithmic slope at 1/2 is near 1",
     .eval = eval_half_resolved,
     .args = {METHOD, {.name = "iterations", .type = LEM_ARG_INTEGER, .domain = "1 <= iterations <= 500"}}},
    {.name = "nystrom_toy_entry",
     .doc = "entry (i, j), from 0, of Nystrom attention with exact inverse for d = 1, n = 4, m = 2, Q = K = "
            "(a/2)(-3, -1, 1, 3)",
     .source = "derived in lib/attention/nystrom.h",
     .claims = "nys.row-sums-sign",
     .accuracy = 1e-13,
     .accuracy_reason = "four hyperbolic functions; the numerator cancels only next to its zero",
     .eval = eval_toy_entry,
     .args = {{.name = "a", .type = LEM_ARG_REAL, .domain = "1e-100 <= a <= 10"},
              {.name = "i", .type = LEM_ARG_INTEGER, .domain = "0 <= i <= 3"},
              {.name = "j", .type = LEM_ARG_INTEGER, .domain = "0 <= j <= 3"}}},
    {.name = "nystrom_flops",
     .doc = "operations of Nystrom attention with six steps, 8 n m d + 4 m^2 d + 48 m^3",
     .source = "counted in lib/attention/nystrom_error.h",
     .claims = "nys.vs-svd-favor",
     .accuracy = LEM_ACCURACY_CLOSED,
     .accuracy_reason = "exact below 2^53",
     .eval = eval_flops,
     .args = SIZES},
    {.name = "nystrom_equal_cost_features",
     .doc = "random features that cost as much as m landmarks, m + m^2/(2n) + 6 m^3/(n d)",
     .source = "nystrom_flops / (8 n d)",
     .claims = "nys.vs-svd-favor",
     .accuracy = LEM_ACCURACY_CLOSED,
     .accuracy_reason = "sums of positive terms",
     .eval = eval_features,
     .args = SIZES},
};

extern const lem_formula_table lem_nystrom_formulas;
const lem_formula_table lem_nystrom_formulas = {"attention", formulas, sizeof formulas / sizeof *formulas};
