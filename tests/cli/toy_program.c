/* The program with formulas of its own: one makes libRmath warn (it warns by printf on descriptor 1), others
 * fail in every way a formula can. */
#include "base/error.h"
#include "cli/cli.h"
#include "cli/registry.h"

#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

static int one(double value, double *results, size_t *count) {
    results[0] = value;
    *count = 1;
    return GSL_SUCCESS;
}

static int warns(const lem_formula_value *args, double *results, size_t *count) {
    (void)args;
    return one(isnan(bessel_i(-1, 1, 1)), results, count);
}

static int says_why(const lem_formula_value *args, double *results, size_t *count) {
    (void)args;
    return one(LEM_ERROR_NAN(GSL_EMAXITER, "no convergence in 100 steps"), results, count);
}

static int silent(const lem_formula_value *args, double *results, size_t *count) {
    (void)args;
    return one(NAN, results, count);
}

static int fails(const lem_formula_value *args, double *results, size_t *count) {
    (void)args, (void)results, (void)count;
    return LEM_ERROR(GSL_EMAXITER, "no convergence at all");
}

static int empty(const lem_formula_value *args, double *results, size_t *count) {
    (void)args, (void)results;
    *count = 0;
    return GSL_SUCCESS;
}

static int infinite(const lem_formula_value *args, double *results, size_t *count) {
    results[0] = args[0].real;
    results[1] = -args[0].real;
    *count = 2;
    return GSL_SUCCESS;
}

#define COMMON                                                                                               \
    .doc = "toy", .source = "none", .claims = "", .accuracy = LEM_ACCURACY_CLOSED, .accuracy_reason = "toy"

static const lem_formula formulas[] = {
    {.name = "warns", COMMON, .eval = warns},
    {.name = "says_why", COMMON, .eval = says_why},
    {.name = "silent", COMMON, .eval = silent},
    {.name = "fails", COMMON, .eval = fails},
    {.name = "empty", COMMON, .eval = empty},
    {.name = "infinite",
     COMMON,
     .eval = infinite,
     .args = {{.name = "x", .type = LEM_ARG_REAL, .domain = "x > 0 or inf", .fallback = "inf"}}},
};

static const lem_formula_table toys = {"toys", formulas, sizeof formulas / sizeof *formulas};
const lem_formula_table *const lem_formula_tables[] = {&toys, NULL};

int main(int argc, char **argv) {
    return lem_cli_main(argc, argv);
}
