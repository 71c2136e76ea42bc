/* The registry entries of walks, propagators and spectra. */
#include "base/formula.h"
#include "walk/anharmonic.h"
#include "walk/diffusion.h"
#include "walk/double_well.h"
#include "walk/lattice.h"
#include "walk/oscillator.h"

#include <math.h>

/* One result; NaN is the sign of an error already reported. */
static int one(double value, double *results, size_t *count) {
    if (isnan(value))
        return GSL_EDOM;
    results[0] = value;
    *count = 1;
    return GSL_SUCCESS;
}

/* A whole number that must not be negative, as the functions take it. */
static int count_of(const lem_formula_value *a, const char *name, size_t *n) {
    if (a->integer < 0)
        return LEM_ERROR(GSL_EDOM, "%s = %lld: must be >= 0", name, a->integer);
    *n = (size_t)a->integer;
    return GSL_SUCCESS;
}

#define EVAL(name, ...)                                                                                      \
    static int eval_##name(const lem_formula_value *a, double *results, size_t *count) {                     \
        return one(lem_##name(__VA_ARGS__), results, count);                                                 \
    }

EVAL(brownian_pdf, a[0].real, a[1].real, a[2].real)
EVAL(ou_pdf, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real)
EVAL(ou_variance, a[0].real, a[1].real, a[2].real)
EVAL(forced_ou_mean, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real)
EVAL(mehler_kernel, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real)
EVAL(inverted_oscillator_kernel, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real)
EVAL(feynman_kac_relative_variance_harmonic, a[0].real, a[1].real, a[2].real, a[3].real, a[4].real)

static int eval_walk_pmf(const lem_formula_value *a, double *results, size_t *count) {
    size_t n = 0;
    const int status = count_of(&a[0], "n", &n);
    return status ? status : one(lem_walk_pmf(n, a[1].integer), results, count);
}

static int eval_mehler_kernel_trapezoid(const lem_formula_value *a, double *results, size_t *count) {
    size_t n = 0;
    const int status = count_of(&a[5], "n", &n);
    return status ? status
                  : one(lem_mehler_kernel_trapezoid(a[0].real, a[1].real, a[2].real, a[3].real, a[4].real, n),
                        results, count);
}

EVAL(double_well_transition_density, a[0].real, a[1].real, a[2].real, a[3].real)
EVAL(double_well_rate, a[0].real)

/* The Hamiltonians by name: factors of p^2, x^2 and x^4. */
#define HAMILTONIANS                                                                                         \
    "0.5p^2+x^4|p^2+x^4|0.5p^2+0.5x^2+0.1x^4|0.5p^2+0.5x^2+0.5x^4|0.5p^2+0.5x^2+x^4|0.5p^2+0.5x^2"

static int eval_anharmonic_ground_energy(const lem_formula_value *a, double *results, size_t *count) {
    static const double factors[][3] = {{.5, 0, 1},   {1, 0, 1},   {.5, .5, .1},
                                        {.5, .5, .5}, {.5, .5, 1}, {.5, .5, 0}};
    const double *f = factors[a[0].word];
    return one(lem_anharmonic_ground_energy(f[0], f[1], f[2], a[1].real), results, count);
}

static int eval_anharmonic_series_coefficient(const lem_formula_value *a, double *results, size_t *count) {
    size_t order = 0;
    const int status = count_of(&a[0], "order", &order);
    return status ? status : one(lem_anharmonic_series_coefficient(order), results, count);
}

#define REAL(name, domain)                                                                                   \
    { name, LEM_ARG_REAL, domain, NULL, NULL, NULL }
#define WHOLE(name, domain)                                                                                  \
    { name, LEM_ARG_INTEGER, domain, NULL, NULL, NULL }
#define WORD(name, words)                                                                                    \
    { name, LEM_ARG_WORD, "one of the list", words, NULL, NULL }
#define WORD_OR(name, words, fallback)                                                                       \
    { name, LEM_ARG_WORD, "one of the list", words, fallback, NULL }
#define ENTRY(name, doc, source, claims, accuracy, reason, ...)                                              \
    {                                                                                                        \
#name, doc, source, claims, accuracy, reason, eval_##name, {                                         \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define CLOSED(name, doc, source, claims, reason, ...)                                                       \
    ENTRY(name, doc, source, claims, LEM_ACCURACY_CLOSED, reason, __VA_ARGS__)

#define FINITE(name) REAL(name, "finite")
#define POSITIVE(name) REAL(name, "> 0, finite")
#define KERNEL_ARGS                                                                                          \
    FINITE("xb"), FINITE("xa"), POSITIVE("T"), REAL("o", "o >= 0, finite; omega"), REAL("a", "> 0; alpha")
#define KLEINERT "Mehler 1866; Kleinert, Path Integrals, ch. 2"

static const lem_formula formulas[] = {
    CLOSED(brownian_pdf, "exp(-x^2/(2 a t))/sqrt(2 pi a t)", "Kleinert, Path Integrals", "pi.walk-diffusion",
           "closed form", FINITE("x"), POSITIVE("t"), REAL("a", "> 0; alpha")),
    ENTRY(walk_pmf, "C(n, (n + m)/2) 2^-n: the symmetric walk is at m after n steps", "the binomial law",
          "pi.walk-diffusion", 1e-12, "a few machine epsilons of an exponent of at most 745",
          WHOLE("n", "0 <= n <= 2^53"), WHOLE("m", "any; 0 where it cannot be reached")),
    CLOSED(ou_pdf, "normal density, mean x0 exp(-kt), variance a (1 - exp(-2kt))/(2k)",
           "Uhlenbeck and Ornstein 1930", "pi.walk-fokker-planck pi.jacobian", "closed form with expm1",
           FINITE("x"), POSITIVE("t"), FINITE("x0"), REAL("k", "finite; kappa"), REAL("a", "> 0; alpha")),
    CLOSED(ou_variance, "a (1 - exp(-2kt))/(2k)", "Uhlenbeck and Ornstein 1930", "pi.walk-fokker-planck",
           "closed form with expm1", POSITIVE("t"), REAL("k", "finite; kappa"), REAL("a", "> 0; alpha")),
    CLOSED(forced_ou_mean, "m0 exp(-kt) + F (k cos wt + w sin wt - k exp(-kt))/(k^2 + w^2)",
           "variation of constants", "pi.gauge", "differences from 1 by expm1 and sin^2", FINITE("m0"),
           REAL("k", "finite; kappa"), FINITE("F"), FINITE("w"), REAL("t", "t >= 0, finite")),
    CLOSED(mehler_kernel, "propagator of U = o^2 x^2/2 in imaginary time", KLEINERT,
           "pi.van-vleck pi.trotter-order pi.feynman-kac-mc", "an exponent of two terms of one sign",
           KERNEL_ARGS),
    CLOSED(mehler_kernel_trapezoid, "the same on n slices: z = n theta, cosh(theta) = 1 + o^2 h^2/2, h = T/n",
           KLEINERT, "pi.trotter-order pi.feynman-kac-mc", "an exponent of two terms of one sign",
           KERNEL_ARGS, WHOLE("n", "n >= 1")),
    CLOSED(inverted_oscillator_kernel, "propagator of U = -o^2 x^2/2, o T < pi", KLEINERT, "pi.van-vleck",
           "closed form in half angles", KERNEL_ARGS),
    CLOSED(feynman_kac_relative_variance_harmonic,
           "K_{sqrt(2) o} K_0/K_o^2 - 1: of one bridge's weight, U = o^2 x^2/2", "lemmata",
           "pi.feynman-kac-variance", "sums of positive terms", KERNEL_ARGS),
    ENTRY(double_well_transition_density,
          "density at x_b, after T, of dx = (x - x^3) dt + sqrt(alpha) dW started at x_a",
          "lemmata; spectrum on a sinc grid", "pi.walk-fokker-planck pi.equivalence pi.gauge-kernel", 1e-10,
          "states to rounding, times exp((Phi_b - Phi_a)/alpha); refused where that leaves less than 1e-10",
          REAL("x_a", "[-3, 3]"), REAL("x_b", "[-3, 3]"), REAL("alpha", "[0.05, 10]"),
          REAL("T", "[0.02, 100]"), WORD_OR("drift", "x-x^3", "x-x^3")),
    ENTRY(double_well_rate,
          "second eigenvalue of the Fokker-Planck operator of dx = (x - x^3) dt + sqrt(alpha) dW",
          "lemmata; Kramers 1940 for small alpha", "pi.kramers", 1e-10,
          "a singular value of a first-order operator on a sinc grid, to rounding",
          REAL("alpha", "[0.05, 10]"), WORD_OR("drift", "x-x^3", "x-x^3")),
    ENTRY(anharmonic_ground_energy, "ground energy of H", "lemmata; spectrum on a sinc grid",
          "pi.ground-state", 1e-12,
          "machine epsilons of the largest energy on the grid, 150 times the lowest", WORD("H", HAMILTONIANS),
          REAL("hbar", "> 0, finite")),
    CLOSED(anharmonic_series_coefficient,
           "of g^order in the ground energy of p^2/2 + x^2/2 + g x^4, hbar = 1", "Bender and Wu 1969",
           "pi.divergence", "a recursion in terms of one sign", WHOLE("order", "0 <= order <= 130"),
           WORD_OR("H", "0.5p^2+0.5x^2+g x^4", "0.5p^2+0.5x^2+g x^4")),
};

extern const lem_formula_table lem_walk_formulas; /* lib/cli/registry.c */
const lem_formula_table lem_walk_formulas = {"walk", formulas, sizeof formulas / sizeof *formulas};
