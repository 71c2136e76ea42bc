/* The registry entries of the expansions of exp(q . k). */
#include "attention/elu1.h"
#include "attention/hermite.h"
#include "attention/minimax.h"
#include "attention/power.h"
#include "attention/symmetric_features.h"
#include "attention/taylor.h"
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

/* A whole number beyond int is beyond every degree too: the function refuses the nearest int. */
static int whole(const lem_formula_value *v) {
    return v->integer > INT_MAX ? INT_MAX : v->integer < INT_MIN ? INT_MIN : (int)v->integer;
}

#define OF_DEGREE(name)                                                                                      \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        return one(lem_##name(whole(&a[0])), results, count);                                                \
    }
#define OF_DEGREE_AND_REAL(name)                                                                             \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        return one(lem_##name(whole(&a[0]), a[1].real), results, count);                                     \
    }
#define OF_REAL(name)                                                                                        \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        return one(lem_##name(a[0].real), results, count);                                                   \
    }
/* Negative whole numbers are told to the function as 0, which it refuses. */
#define OF_DIMENSION(name)                                                                                   \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        uint64_t dim;                                                                                        \
        const int status = lem_##name((uint64_t)(a[0].integer > 0 ? a[0].integer : 0),                       \
                                      (uint64_t)(a[1].integer > 0 ? a[1].integer : 0), &dim);                \
        return status ? status : one((double)dim, results, count);                                           \
    }

OF_DEGREE_AND_REAL(exp_taylor)
OF_DEGREE_AND_REAL(exp_taylor_remainder)
OF_DEGREE_AND_REAL(exp_taylor_relative_error)
OF_DEGREE(exp_taylor_real_zero)
OF_DEGREE_AND_REAL(exp_taylor_shifted_max_relative_error)
OF_DEGREE_AND_REAL(exp_power)
OF_DEGREE_AND_REAL(exp_power_relative_error)
OF_DEGREE_AND_REAL(exp_richardson_relative_error)
OF_DEGREE_AND_REAL(exp_hermite_relative_l2_squared)
OF_DEGREE_AND_REAL(exp_taylor_relative_l2_squared)
OF_DEGREE_AND_REAL(exp_minimax_relative_error)
OF_DEGREE_AND_REAL(chebyshev_exp_coefficient)
OF_REAL(elu1_gaussian_mean)
OF_REAL(elu1_gaussian_cv2)
OF_DIMENSION(tensor_feature_dim)
OF_DIMENSION(symmetric_feature_dim)

static const char ARTICLE[] = "kexue.fm 8601";
static const char WELL[] =
    "positive terms, or differences formed as one function; beyond it, what the last bits of x "
    "bring: at most 3 (n + 1 + |x|) epsilons (lib/attention/taylor.h)";

#define DEGREE(least)                                                                                        \
    { .name = "n", .type = LEM_ARG_INTEGER, .domain = "a whole number, " least " <= n <= 1e6" }
#define REAL(its_name, its_domain)                                                                           \
    { .name = its_name, .type = LEM_ARG_REAL, .domain = its_domain }
#define DIMENSIONS                                                                                           \
    {                                                                                                        \
        {.name = "d", .type = LEM_ARG_INTEGER, .domain = "a whole number >= 1"},                             \
            {.name = "n", .type = LEM_ARG_INTEGER, .domain = "a whole number >= 1"},                         \
    }
#define CLOSED .accuracy = LEM_ACCURACY_CLOSED

static const lem_formula formulas[] = {
    {.name = "exp_taylor",
     .doc = "T_n(x) = sum_{m <= n} x^m/m!",
     .source = ARTICLE,
     .claims = "lin.positivity lin.taylor-error",
     CLOSED,
     .accuracy_reason = WELL,
     .eval = eval_exp_taylor,
     .args = {DEGREE("0"), REAL("x", "finite")}},
    {.name = "exp_taylor_remainder",
     .doc = "e^x - T_n(x) = x^(n+1)/(n+1)! 1F1(1; n+2; x)",
     .source = "DLMF 8.4, 13.2",
     .claims = "lin.taylor-error",
     CLOSED,
     .accuracy_reason = WELL,
     .eval = eval_exp_taylor_remainder,
     .args = {DEGREE("0"), REAL("x", "finite")}},
    {.name = "exp_taylor_relative_error",
     .doc = "T_n(x) e^-x - 1 = -P(n+1, x)",
     .source = "DLMF 8.4, 13.2",
     .claims = "lin.taylor-error lin.which-converges",
     CLOSED,
     .accuracy_reason = WELL,
     .eval = eval_exp_taylor_relative_error,
     .args = {DEGREE("0"), REAL("x", "finite")}},
    {.name = "exp_taylor_real_zero",
     .doc = "the real zero of T_n, n odd",
     .source = "Szego 1924",
     .claims = "lin.positivity",
     CLOSED,
     .accuracy_reason = "Newton's method on a logarithm, to rounding level",
     .eval = eval_exp_taylor_real_zero,
     .args = {{.name = "n", .type = LEM_ARG_INTEGER, .domain = "odd, 1 <= n <= 1e6"}}},
    {.name = "exp_taylor_shifted_max_relative_error",
     .doc = "max over |x| <= R of |T_n(x+R) e^-(x+R) - 1| = P(Poisson(2R) > n)",
     .source = "our addition to 8601",
     .claims = "lin.shifted-taylor",
     CLOSED,
     .accuracy_reason = WELL,
     .eval = eval_exp_taylor_shifted_max_relative_error,
     .args = {DEGREE("1"), REAL("R", "R > 0, finite")}},
    {.name = "exp_power",
     .doc = "E_n(x) = (1 + x/n)^n",
     .source = ARTICLE,
     .claims = "lin.power-error",
     CLOSED,
     .accuracy_reason = WELL,
     .eval = eval_exp_power,
     .args = {DEGREE("1"), REAL("x", "finite")}},
    {.name = "exp_power_relative_error",
     .doc = "(1 + x/n)^n e^-x - 1",
     .source = ARTICLE,
     .claims = "lin.power-error lin.which-converges",
     CLOSED,
     .accuracy_reason = "log(1 + x/n) - x/n is formed as one function",
     .eval = eval_exp_power_relative_error,
     .args = {DEGREE("1"), REAL("x", "finite")}},
    {.name = "exp_richardson_relative_error",
     .doc = "(2 E_n(x) - E_(n/2)(x)) e^-x - 1",
     .source = "our addition to 8601",
     .claims = "lin.richardson",
     .accuracy = 1e-11,
     .accuracy_reason =
         "64 epsilons of the two relative errors, which cancel down to a fraction x/n of themselves",
     .eval = eval_exp_richardson_relative_error,
     .args = {{.name = "n", .type = LEM_ARG_INTEGER, .domain = "even, 2 <= n <= 1e6"}, REAL("x", "finite")}},
    {.name = "exp_hermite_relative_l2_squared",
     .doc = "least E(p(x) - e^x)^2/E e^2x over polynomials of degree n, x ~ N(0, sigma^2): P(n+1, sigma^2)",
     .source = "our addition to 8601",
     .claims = "lin.hermite",
     CLOSED,
     .accuracy_reason = WELL,
     .eval = eval_exp_hermite_relative_l2_squared,
     .args = {DEGREE("1"), REAL("sigma", "0 <= sigma <= 1e4")}},
    {.name = "exp_taylor_relative_l2_squared",
     .doc = "E(T_n(x) - e^x)^2/E e^2x, x ~ N(0, sigma^2): P(n+1, sigma^2) + sum_{k <= n} P(Poisson(sigma^2) "
            "= k) "
            "P(Poisson(sigma^2/2) > (n-k)/2)^2",
     .source = "derived in lib/attention/hermite.c",
     .claims = "lin.hermite",
     CLOSED,
     .accuracy_reason = "positive terms",
     .eval = eval_exp_taylor_relative_l2_squared,
     .args = {DEGREE("1"), REAL("sigma", "0 <= sigma <= 1e4")}},
    {.name = "exp_minimax_relative_error",
     .doc = "min over polynomials p of degree n of max over |x| <= R of |p(x) e^-x - 1|",
     .source = "Remez 1934",
     .claims = "lin.minimax",
     .accuracy = 1e-10,
     .accuracy_reason = "the exchange stops at 1e-11, or at rounding, at most 1e-6, and its error is of "
                        "second order in that",
     .eval = eval_exp_minimax_relative_error,
     .args = {{.name = "n", .type = LEM_ARG_INTEGER, .domain = "a whole number, 0 <= n <= 60"},
              REAL("R", "0 < R <= 15")}},
    {.name = "chebyshev_exp_coefficient",
     .doc = "2 I_k(R), the coefficient of T_k(x/R) in e^x (k = 0 enters halved)",
     .source = "DLMF 10.35",
     .claims = "lin.minimax",
     CLOSED,
     .accuracy_reason = "positive terms",
     .eval = eval_chebyshev_exp_coefficient,
     .args = {{.name = "k", .type = LEM_ARG_INTEGER, .domain = "a whole number, 0 <= k <= 1e6"},
              REAL("R", "0 < R <= 700")}},
    {.name = "elu1_gaussian_mean",
     .doc = "E(1 + elu(x)), x ~ N(0, s^2)",
     .source = "2006.16236 for the map",
     .claims = "lin.entropy-linear",
     CLOSED,
     .accuracy_reason = "closed form; a series below s = 1/2",
     .eval = eval_elu1_gaussian_mean,
     .args = {REAL("s", "0 <= s <= 1e150")}},
    {.name = "elu1_gaussian_cv2",
     .doc = "Var(1 + elu(x))/(E(1 + elu(x)))^2, x ~ N(0, s^2)",
     .source = "2006.16236 for the map",
     .claims = "lin.entropy-linear",
     CLOSED,
     .accuracy_reason = "closed form; a series below s = 1/2",
     .eval = eval_elu1_gaussian_cv2,
     .args = {REAL("s", "0 <= s <= 1e150")}},
    {.name = "tensor_feature_dim",
     .doc = "sum_{m <= n} d^m, the ordered products of at most n of d coordinates",
     .source = ARTICLE,
     .claims = "lin.feature-dim",
     CLOSED,
     .accuracy_reason = "exact in whole numbers up to 2^63, then rounded to double",
     .eval = eval_tensor_feature_dim,
     .args = DIMENSIONS},
    {.name = "symmetric_feature_dim",
     .doc = "binom(d + n, n), the monomials of degree at most n in d coordinates",
     .source = "our addition to 8601",
     .claims = "lin.feature-dim",
     CLOSED,
     .accuracy_reason = "exact in whole numbers up to 2^63, then rounded to double",
     .eval = eval_symmetric_feature_dim,
     .args = DIMENSIONS},
};

extern const lem_formula_table lem_expansions_formulas;
const lem_formula_table lem_expansions_formulas = {"attention", formulas, sizeof formulas / sizeof *formulas};
