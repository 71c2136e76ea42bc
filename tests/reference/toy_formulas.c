/* A registry for the test of the runner: formulas whose errors and statements are known. */
#include "base/error.h"
#include "cli/registry.h"

#include <gsl/gsl_errno.h>
#include <math.h>

/* x, off by the relative error given. */
static int off_by(double error, const lem_formula_value *args, double *results, size_t *count) {
    results[0] = args[0].real * (1 + error);
    *count = 1;
    return GSL_SUCCESS;
}

static int exact(const lem_formula_value *args, double *results, size_t *count) {
    return off_by(0, args, results, count);
}

static int rough(const lem_formula_value *args, double *results, size_t *count) {
    return off_by(1e-9, args, results, count);
}

/* 1 / (1 - x): badly conditioned near 1. */
static int pole(const lem_formula_value *args, double *results, size_t *count) {
    if (args[0].real >= 1)
        return LEM_ERROR(GSL_EDOM, "x = %g: must be < 1", args[0].real);
    results[0] = 1 / (1 - args[0].real);
    *count = 1;
    return GSL_SUCCESS;
}

/* Sum and sum of squares. */
static int sums(const lem_formula_value *args, double *results, size_t *count) {
    results[0] = results[1] = 0;
    for (size_t i = 0; i < args[0].count; i++) {
        results[0] += args[0].reals[i];
        results[1] += args[0].reals[i] * args[0].reals[i];
    }
    *count = 2;
    return GSL_SUCCESS;
}

#define COMMON .doc = "toy", .source = "none", .claims = ""
#define ONE_REAL .args = {{.name = "x", .type = LEM_ARG_REAL, .domain = "real or inf"}}

static const lem_formula formulas[] = {
    {.name = "exact",
     COMMON,
     .accuracy = LEM_ACCURACY_CLOSED,
     .accuracy_reason = "closed form",
     .eval = exact,
     ONE_REAL},
    {.name = "loose",
     COMMON,
     .accuracy = 1e-10,
     .accuracy_reason = "says more than it knows",
     .eval = exact,
     ONE_REAL},
    {.name = "rough",
     COMMON,
     .accuracy = 1e-8,
     .accuracy_reason = "a bad algorithm",
     .eval = rough,
     ONE_REAL},
    {.name = "excused",
     COMMON,
     .accuracy = 1e-8,
     .accuracy_reason = "the spec says so",
     .eval = rough,
     ONE_REAL},
    {.name = "wrong", COMMON, .accuracy = 1e-10, .accuracy_reason = "it is not", .eval = rough, ONE_REAL},
    {.name = "pole",
     COMMON,
     .accuracy = LEM_ACCURACY_CLOSED,
     .accuracy_reason = "closed form",
     .eval = pole,
     ONE_REAL},
    {.name = "sums",
     COMMON,
     .accuracy = LEM_ACCURACY_CLOSED,
     .accuracy_reason = "closed form",
     .eval = sums,
     .args = {{.name = "x", .type = LEM_ARG_REALS, .domain = "finite"}}},
};

static const lem_formula_table toys = {"toys", formulas, sizeof formulas / sizeof *formulas};
const lem_formula_table *const lem_formula_tables[] = {&toys, NULL};
