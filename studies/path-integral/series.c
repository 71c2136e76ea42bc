/* Perturbation theory: what the equation behind the series is, and where the series ends. */
#include "study.h"
#include "attention/quadrature.h"

/* --- Dyson's equation --------------------------------------------------------------------------------------
 *
 * K = K_0 - (1/alpha) int dt int dx K_0(0, x; T - t) U(x) K(x, 0; t), U = omega^2 x^2/2, x_a = x_b = 0. The
 * integrals over x are Gaussian: with K(x, 0; t) = A exp(-a x^2), int x^2 exp(-b x^2) dx = sqrt(pi)/(2
 * b^(3/2)). Tiny arguments of the kernels give A and a to rounding. */

typedef struct {
    double omega, alpha, T;
    bool both_full;
} dyson;

/* A and a of K(x, 0; t) for a frequency, 0 for the free one. */
static void gaussian(double omega, double alpha, double t, double *height, double *rate) {
    *height = lem_mehler_kernel(0, 0, t, omega, alpha);
    *rate = omega == 0 ? 1 / (2 * alpha * t) : omega / (2 * alpha * tanh(omega * t));
}

static double dyson_integrand(double t, const void *ctx) {
    const dyson *d = ctx;
    double first, a, second, b;
    gaussian(d->omega, d->alpha, t, &first, &a);
    gaussian(d->both_full ? d->omega : 0, d->alpha, d->T - t, &second, &b);
    return d->omega * d->omega / 2 * first * second * sqrt(M_PI) / (2 * pow(a + b, 1.5));
}

static int dyson_claim(lem_study *study) {
    enum { N = 6 };
    double measured[N], one_full[N], both_full[N], sign[N], bound[N];
    for (size_t i = 0; i < N; i++) {
        dyson d = {.3 + .4 * (double)i, .5 + .1 * (double)i, 1.5 - .1 * (double)i, false};
        const double free_kernel = lem_brownian_pdf(0, d.T, d.alpha),
                     one = lem_panel_integral(dyson_integrand, &d, 0, d.T, 6) / d.alpha;
        d.both_full = true;
        const double both = lem_panel_integral(dyson_integrand, &d, 0, d.T, 6) / d.alpha;
        measured[i] = lem_mehler_kernel(0, 0, d.T, d.omega, d.alpha);
        one_full[i] = free_kernel - one;
        both_full[i] = free_kernel - both;
        sign[i] = free_kernel + one;
        bound[i] = 1e-13; /* 96 positive terms, and a difference that leaves a third at the least */
    }
    const lem_falsifier falsifiers[] = {
        {"K = K_0 - (1/alpha) int K U K, full propagators on both sides of the potential",
         lem_identity(N, both_full, measured, bound)},
        {"K = K_0 + (1/alpha) int K_0 U K: the sign that belongs to V = -U",
         lem_identity(N, sign, measured, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.perturbation",
                          .statement =
                              "K = K_0 - (1/alpha) int K_0 U K, one free and one full propagator, for the "
                              "oscillator as the perturbation",
                          .source = "kexue.fm 3762, eq. 47 as summarised",
                          .verdict = LEM_REFUTED,
                          .note = "one of the two propagators is the free one: with full ones on both sides "
                                  "the second order doubles; "
                                  "and -1/alpha belongs to U = -V"},
        lem_identity(N, one_full, measured, bound), falsifiers, 2);
}

/* --- the quartic series ------------------------------------------------------------------------------------
 */

static int quartic(double x, double t, const void *ctx, double *value) {
    (void)t;
    *value = *(const double *)ctx * pow(x, 4);
    return GSL_SUCCESS;
}

/* K/K_0 at x_a = x_b = 0, alpha = T = 1, U = epsilon x^4. Where U is weak the box must hold what is nearly a
 * bridge: exp(-2 11^2) is left of it at 11. */
static int quartic_ratio(double epsilon, double *ratio) {
    const double origin = 0;
    lem_spectrum *s = lem_sinc_dvr(&(lem_field){quartic, &epsilon}, 1, 11, 200);
    const int status = s ? lem_spectral_propagator(s, 200, 0, 1, 1, &origin, ratio) : GSL_EFAILED;
    lem_spectrum_free(s);
    *ratio /= lem_brownian_pdf(0, 1, 1);
    return status;
}

enum { EPSILONS = 4 };
static const double EPSILON[EPSILONS] = {.01, .02, .04, .08};

/* The exponent of |value - (1 - first x + second x^2)|. */
static double remainder_exponent(size_t n, const double *x, const double *value, double first,
                                 double second) {
    double left[8];
    for (size_t i = 0; i < n; i++)
        left[i] = fabs(value[i] - (1 - first * x[i] + second * x[i] * x[i]));
    return pi_slope(n, x, left);
}

static int series_claim(lem_study *study) {
    enum { N = 2 };
    double ratio[EPSILONS], harmonic[EPSILONS], square[EPSILONS];
    for (size_t i = 0; i < EPSILONS; i++) {
        LEM_TRY(quartic_ratio(EPSILON[i], &ratio[i]));
        /* the harmonic twin in z^2, at T = alpha = 1: K/K_0 = sqrt(z/sinh z) */
        square[i] = 4 * EPSILON[i];
        harmonic[i] = lem_mehler_kernel(0, 0, 1, sqrt(square[i]), 1) / lem_brownian_pdf(0, 1, 1);
        char key[64];
        (void)snprintf(key, sizeof key, "series.ratio.%g", EPSILON[i] * 100);
        LEM_TRY(lem_value_exact(study, key, ratio[i], 10, ""));
    }
    const double third =
        (ratio[0] - 1 + EPSILON[0] / 10 - 23 * EPSILON[0] * EPSILON[0] / 840) / pow(EPSILON[0], 3);
    LEM_TRY(lem_value_exact(study, "series.third", third, 3, ""));
    const double measured[N] = {remainder_exponent(EPSILONS, EPSILON, ratio, .1, 23 / 840.),
                                remainder_exponent(EPSILONS, square, harmonic, 1 / 12., 1 / 160.)},
                 doubled[N] = {remainder_exponent(EPSILONS, EPSILON, ratio, .1, 23 / 420.),
                               remainder_exponent(EPSILONS, square, harmonic, 1 / 12., 1 / 80.)},
                 sign[N] = {remainder_exponent(EPSILONS, EPSILON, ratio, -.1, 23 / 840.),
                            remainder_exponent(EPSILONS, square, harmonic, -1 / 12., 1 / 160.)},
                 expected[N] = {3, 3}, bound[N] = {.05, .05};
    const lem_falsifier falsifiers[] = {
        {"23/420 and 1/80: the second order doubled", lem_identity_abs(N, doubled, expected, bound)},
        {"+ epsilon/10 and + z^2/12", lem_identity_abs(N, sign, expected, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.perturbation.series",
                          .statement = "K/K_0 = 1 - epsilon/10 + (23/840) epsilon^2 + O(epsilon^3) for U = "
                                       "g x^4, epsilon = g alpha T^3; 1 - z^2/12 + z^4/160 + O(z^6) for "
                                       "the oscillator, z = omega T",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(N, measured, expected, bound), falsifiers, 2);
}

/* --- divergence --------------------------------------------------------------------------------------------
 */

enum { ORDERS = 6 };

/* E_0(g) to the given order. */
static double partial_sum(double g, size_t order) {
    double sum = 0, power = 1;
    for (size_t n = 0; n <= order; n++, power *= g)
        sum += lem_anharmonic_series_coefficient(n) * power;
    return sum;
}

static double exact_energy(double g) {
    return lem_anharmonic_ground_energy(.5, .5, g, 1);
}

static double best_partial_error(double g) {
    double best = HUGE_VAL;
    for (size_t n = 0; n <= ORDERS; n++)
        best = fmin(best, fabs(partial_sum(g, n) - exact_energy(g)));
    return best;
}

/* The Pade approximant [3/3] of E_0(g): its denominator from c_4, c_5, c_6. */
static int pade(double g, double *value) {
    double c[7], lhs[9], rhs[3];
    for (size_t n = 0; n < 7; n++)
        c[n] = lem_anharmonic_series_coefficient(n);
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++)
            lhs[3 * i + j] = c[3 + i - j];
        rhs[i] = -c[4 + i];
    }
    gsl_matrix_view a = gsl_matrix_view_array(lhs, 3, 3), b = gsl_matrix_view_array(rhs, 3, 1);
    LEM_TRY(lem_solve(&a.matrix, &b.matrix));
    const double q[4] = {1, rhs[0], rhs[1], rhs[2]};
    double above = 0, below = 0;
    for (size_t n = 4; n-- > 0;) {
        double p = 0;
        for (size_t j = 0; j <= n; j++)
            p += q[j] * c[n - j];
        above = above * g + p;
        below = below * g + q[n];
    }
    *value = above / below;
    return GSL_SUCCESS;
}

/* The energy of a Gaussian, W/4 + 1/(4 W) + moment g/(4 W^2), at its least W: W^3 - W - 2 moment g = 0 by
 * Newton's method from above. moment is 3. */
static double gaussian_energy(double g, double moment) {
    double w = 1 + cbrt(2 * moment * g);
    for (int i = 0; i < 60; i++)
        w -= (w * w * w - w - 2 * moment * g) / (3 * w * w - 1);
    return w / 4 + 1 / (4 * w) + moment * g / (4 * w * w);
}

static int divergence_claim(lem_study *study) {
    enum { N = 3 };
    double best[N], later[N];
    for (size_t n = 1; n <= ORDERS; n++) {
        char key[64];
        (void)snprintf(key, sizeof key, "series.partial.%zu", n);
        LEM_TRY(lem_value_exact(study, key, partial_sum(.1, n), 5, ""));
    }
    for (size_t i = 0; i < N; i++) {
        best[i] = best_partial_error(.1);
        later[i] = fabs(partial_sum(.1, 4 + i) - exact_energy(.1));
    }
    LEM_TRY(lem_value_exact(study, "series.best", best[0], 3, ""));
    LEM_TRY(lem_value_exact(study, "series.exact", exact_energy(.1), 6, ""));
    const lem_falsifier falsifiers[] = {
        {"orders 4, 5 and 6 improve on it", lem_inequality_strict(N, later, best, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.divergence",
                                       .statement =
                                           "g = 0.1: every partial sum of E_0(g) beyond order 3 is farther "
                                           "off than the best before",
                                       .source = "Bender and Wu 1969",
                                       .verdict = LEM_HOLDS},
                     lem_inequality_strict(N, best, later, NULL), falsifiers, 1);
}

static int small_coupling_claim(lem_study *study) {
    enum { N = 3 };
    static const double g[N] = {.003, .01, .02};
    double error[N], next[N], at_tenth[N], no_more[N];
    for (size_t i = 0; i < N; i++) {
        error[i] = fabs(partial_sum(g[i], ORDERS) - exact_energy(g[i]));
        next[i] = fabs(lem_anharmonic_series_coefficient(ORDERS + 1)) * pow(g[i], ORDERS + 1) + 1e-12;
        at_tenth[i] = fabs(partial_sum(.1, ORDERS) - exact_energy(.1));
        no_more[i] = next[1];
    }
    LEM_TRY(lem_value_exact(study, "series.small", error[1], 2, ""));
    const lem_falsifier falsifiers[] = {
        {"six terms are as good at g = 0.1", lem_inequality(N, at_tenth, no_more, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.divergence.small",
                          .statement = "g <= 0.02: six orders are off by less than the seventh term",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_inequality(N, error, next, NULL), falsifiers, 1);
}

static int resummation_claims(lem_study *study) {
    enum { N = 3 };
    static const double g[N] = {.05, .1, .5};
    static const char *const names[N] = {"05", "10", "50"};
    double error[N], tenth[N], plain[N];
    for (size_t i = 0; i < N; i++) {
        double value = 0;
        LEM_TRY(pade(g[i], &value));
        error[i] = fabs(value - exact_energy(g[i]));
        tenth[i] = best_partial_error(g[i]) / 10;
        plain[i] = fabs(partial_sum(g[i], ORDERS) - exact_energy(g[i]));
        char key[64];
        (void)snprintf(key, sizeof key, "series.pade.%s", names[i]);
        LEM_TRY(lem_value_exact(study, key, error[i], 2, ""));
    }
    const lem_falsifier falsifiers[] = {{"the sixth partial sum, from the same coefficients, is as good",
                                         lem_inequality(N, plain, tenth, NULL)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "pi.divergence.pade",
                                        .statement =
                                            "the Pade approximant [3/3] is ten times nearer than the best "
                                            "partial sum of order 6 or less at g = 0.05, 0.1, 0.5",
                                        .source = "Loeffel, Martin, Simon and Wightman 1969",
                                        .verdict = LEM_HOLDS},
                      lem_inequality(N, error, tenth, NULL), falsifiers, 1));
    enum { M = 6 };
    static const double couplings[M] = {.01, .1, .5, 1, 3, 10};
    double exact[M], bound[M], slack[M], narrow[M];
    for (size_t i = 0; i < M; i++) {
        exact[i] = exact_energy(couplings[i]);
        bound[i] = gaussian_energy(couplings[i], 3);
        narrow[i] = gaussian_energy(couplings[i], 1);
        slack[i] = 1e-12; /* of the exact energy */
    }
    LEM_TRY(lem_value_exact(study, "series.variational.10", bound[1] - exact[1], 3, ""));
    LEM_TRY(lem_value_exact(study, "series.variational.100", bound[3] - exact[3], 2, ""));
    const lem_falsifier moment[] = {{"<x^4> = <x^2>^2: g/(4 W^2)", lem_inequality(M, exact, narrow, slack)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.divergence.variational",
                                       .statement =
                                           "min over W of W/4 + 1/(4 W) + 3 g/(4 W^2) is above E_0(g), g = "
                                           "0.01..10",
                                       .source = "Feynman and Kleinert 1986, at zero temperature",
                                       .verdict = LEM_HOLDS},
                     lem_inequality(M, exact, bound, slack), moment, 1);
}

/* --- figure ------------------------------------------------------------------------------------------------
 */

/* g, exact, Pade, variational, partial sums of order 1 to 6 (a gap where they leave the frame). */
static int figure(lem_study *study) {
    static const char *const columns[] = {"g",       "exact",   "Pade [3/3]", "variational", "order 1",
                                          "order 2", "order 3", "order 4",    "order 5",     "order 6"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "anharmonic", columns, COUNT(columns), &table));
    for (int i = 0; i <= 240; i++) {
        const double g = pow(10, -2 + i / 80.);
        double row[COUNT(columns)] = {g, exact_energy(g), 0, gaussian_energy(g, 3)};
        LEM_TRY(pade(g, &row[2]));
        for (size_t n = 1; n <= ORDERS; n++) {
            const double sum = partial_sum(g, n);
            row[3 + n] = sum > -.2 && sum < 2.5 ? sum : NAN;
        }
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(
        study, "anharmonic",
        "The ground energy of p^2/2 + x^2/2 + g x^4 against g: exact, the partial sums of its series, "
        "the Pade approximant [3/3] from the same seven coefficients, and the energy of the best Gaussian.",
        "near g = 0.1 the partial sums part from the exact energy, odd orders upwards and even ones "
        "downwards, "
        "the higher the more steeply; the Pade approximant falls below it from about g = 0.5 on, the "
        "Gaussian's energy stays just above throughout");
}

int pi_series(lem_study *study) {
    LEM_TRY(dyson_claim(study));
    LEM_TRY(series_claim(study));
    LEM_TRY(divergence_claim(study));
    LEM_TRY(small_coupling_claim(study));
    LEM_TRY(resummation_claims(study));
    return figure(study);
}
