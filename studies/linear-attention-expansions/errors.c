/* Taylor polynomials and powers: their exact errors, and which converges when. */
#include "study.h"

/* --- Taylor --- */

enum { N_DEGREES = 6, N_X = 49, N_TAYLOR = N_DEGREES * N_X };
static const int degrees[N_DEGREES] = {1, 2, 3, 5, 8, 13};

static int claim_remainder(lem_study *study) {
    double closed[N_TAYLOR], direct[N_TAYLOR], bound[N_TAYLOR], lagrange[N_TAYLOR];
    size_t i = 0;
    for (size_t k = 0; k < N_DEGREES; k++)
        for (int j = 0; j < N_X; j++, i++) {
            double c[16], size;
            const int n = degrees[k];
            const double x = 0.25 * (j - N_X / 2);
            LEM_TRY(lem_exp_taylor_coefficients(n, c));
            closed[i] = lem_exp_taylor_remainder(n, x);
            direct[i] = exp(x) - lin_horner(n, c, x, &size);
            bound[i] = (4.0 * n + 8) * EPS * (exp(x) + size); /* of the direct sum, which cancels */
            lagrange[i] = exp(x / 2) * pow(x, n + 1) / tgamma(n + 2);
        }
    const lem_falsifier falsifiers[] = {{"Lagrange's form with its unknown point at x/2",
                                         lem_identity_abs(N_TAYLOR, lagrange, direct, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.taylor-error",
                          .statement = "e^x - T_n(x) = x^(n+1)/(n+1)! 1F1(1; n+2; x) for n = 1..13, |x| <= 6",
                          .source = "kexue.fm 8601; DLMF 13.2",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(N_TAYLOR, closed, direct, bound), falsifiers, 1);
}

/* x > 0: -P(n+1, x) as the sum of a Poisson law's tail; x < 0: the series of 1F1(n+1; n+2; |x|). Both of
 * positive terms, n + 1 + 2 |x| + 40 roundings. */
static double relative_by_series(int n, double x) {
    const double y = fabs(x);
    double term = 1, sum = 0, power = 1;
    for (int k = 1; k <= n + 1; k++)
        power *= y / k;
    for (double k = 0; term > 1e-18 * sum; k++) {
        sum += x > 0 ? term : term * (n + 1) / (n + 1 + k);
        term *= x > 0 ? y / (n + 2 + k) : y / (k + 1);
    }
    return x > 0 ? -exp(-x) * power * sum : (n % 2 ? -1 : 1) * power * sum;
}

static int claim_relative(lem_study *study) {
    double library[N_TAYLOR], series[N_TAYLOR], bound[N_TAYLOR], wrong[N_TAYLOR];
    size_t i = 0;
    for (size_t k = 0; k < N_DEGREES; k++)
        for (int j = 0; j < N_X; j++) {
            const int n = degrees[k];
            const double x = 0.5 * (j - N_X / 2);
            if (x == 0)
                continue;
            library[i] = lem_exp_taylor_relative_error(n, x);
            series[i] = relative_by_series(n, x);
            wrong[i] = relative_by_series(n - 1, x);
            bound[i++] = (64 + 5 * (n + 1 + fabs(x)) + 40) * EPS;
        }
    const lem_falsifier falsifiers[] = {{"P(n, x) for P(n+1, x)", lem_identity(i, wrong, series, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.taylor-error.relative",
                          .statement = "T_n(x) e^-x - 1 = -P(n+1, x) for x > 0, and -x^(n+1)/(n+1)! 1F1(n+1; "
                                       "n+2; |x|) for x < 0",
                          .source = "kexue.fm 8601; DLMF 8.4, 13.2",
                          .verdict = LEM_HOLDS},
        lem_identity(i, library, series, bound), falsifiers, 1);
}

/* --- powers --- */

static int claim_power_below(lem_study *study) {
    enum { N = 6, X = 81 };
    static const int powers[N] = {1, 2, 3, 4, 8, 64};
    double error[N * X], zero[N * X] = {0}, beyond[N * X];
    for (int k = 0; k < N; k++)
        for (int j = 0; j < X; j++) {
            const double n = powers[k], x = -n + 4 * n * j / (X - 1.0);
            error[k * X + j] = lem_exp_power_relative_error(powers[k], x);
            beyond[k * X + j] = lem_exp_power_relative_error(powers[k], -3 * n + 6 * n * j / (X - 1.0));
        }
    const lem_falsifier falsifiers[] = {
        {"E_n(x) <= e^x for every x", lem_inequality(N * X, beyond, zero, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.power-error.below",
                          .statement = "E_n(x) = (1 + x/n)^n <= e^x for x >= -n; n = 1..64, x = -n..3n",
                          .source = "kexue.fm 8601",
                          .verdict = LEM_HOLDS},
        lem_inequality(N * X, error, zero, NULL), falsifiers, 1);
}

/* What is left of the relative error after the terms in 1/n, and (order 2) 1/n^2, the x^4 term optional. */
static double power_residual(int n, double x, double leading, double fourth) {
    const double m = n;
    return lem_exp_power_relative_error(n, x) -
           (-leading * x * x / m + x * x * x / (3 * m * m) + fourth * pow(x, 4) / (m * m));
}

static double residual_sup(int n, double leading, double fourth) {
    double sup = 0;
    for (int i = -60; i <= 60; i++)
        sup = fmax(sup, fabs(power_residual(n, i / 20.0, leading, fourth)));
    return sup;
}

/* Slopes between n and 2n in log2; the residual is c_3/n^3 + c_4/n^4 + ..., so a slope is off by about
 * (c_4/c_3)/(2 n), with c_4/c_3 near -10 at x = 3: 0.02 at n = 256; 0.1 has room for the next term
 * and no more. */
static int claim_power_expansion(lem_study *study) {
    const int n = 256;
    const double slope[2] = {log2(residual_sup(2 * n, .5, .125) / residual_sup(n, .5, .125)),
                             log2(power_residual(2 * n, -2, .5, .125) / power_residual(n, -2, .5, .125))};
    const double wrong_leading[2] = {log2(residual_sup(2 * n, 1, .125) / residual_sup(n, 1, .125)), slope[1]};
    const double no_fourth[2] = {log2(residual_sup(2 * n, .5, 0) / residual_sup(n, .5, 0)), slope[1]};
    const double expected[2] = {-3, -4}, bound[2] = {.1, .1}, all_three[2] = {-3, -3};
    LEM_TRY(lem_value_exact(study, "power-error.slope", slope[0], 3, ""));
    LEM_TRY(lem_value_exact(study, "power-error.slope-at-minus-two", slope[1], 3, ""));
    const lem_falsifier falsifiers[] = {
        {"the leading term is -x^2/n", lem_identity_abs(2, wrong_leading, expected, bound)},
        {"no x^4/(8 n^2)", lem_identity_abs(2, no_fourth, expected, bound)},
        {"the slope is -3 at x = -2 as well", lem_identity_abs(2, slope, all_three, bound)},
    };
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.power-error",
                          .statement =
                              "E_n(x) e^-x - 1 = -x^2/(2n) + x^3/(3n^2) + x^4/(8n^2) + O(n^-3): what is "
                              "left falls like n^-3 on |x| <= 3, and like n^-4 at x = -2",
                          .source = "kexue.fm 8601; our expansion",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(2, slope, expected, bound), falsifiers, 3);
}

/* --- which converges --- */

static int claim_power_safe(lem_study *study) {
    static const double R[] = {1, 2, 4, 8, 16};
    double sup[2 * COUNT(R)], one[2 * COUNT(R)], early[2 * COUNT(R)];
    for (size_t i = 0; i < COUNT(R); i++) {
        sup[2 * i] = lin_sup(LIN_POWER, (int)R[i], R[i]);
        sup[2 * i + 1] = lin_sup(LIN_POWER, 2 * (int)R[i], R[i]);
        early[2 * i] = early[2 * i + 1] = i < 2 ? 0 : lin_sup(LIN_POWER, (int)R[i] / 4, R[i]);
        one[2 * i] = one[2 * i + 1] = 1;
    }
    const lem_falsifier falsifiers[] = {
        {"already from n = R/4", lem_inequality(2 * COUNT(R), early, one, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.which-converges.power-safe",
                          .statement = "once n >= R, E_n is never off by more than 100 % on [-R, R]",
                          .source = "kexue.fm 8601; our addition",
                          .verdict = LEM_HOLDS},
        lem_inequality(2 * COUNT(R), sup, one, NULL), falsifiers, 1);
}

/* From n = R to 2.5 R powers are better, from 5 R on Taylor is. */
static int claim_order(lem_study *study) {
    static const int R[] = {4, 8}, first[] = {2, 3, 4, 5}; /* halves of R */
    enum { POINTS = COUNT(R) * (COUNT(first) + 1) };
    double smaller[POINTS], larger[POINTS];
    size_t k = 0;
    for (size_t i = 0; i < COUNT(R); i++) {
        for (size_t j = 0; j < COUNT(first); j++, k++) {
            smaller[k] = lin_sup(LIN_POWER, R[i] * first[j] / 2, R[i]);
            larger[k] = lin_sup(LIN_TAYLOR, R[i] * first[j] / 2, R[i]);
        }
        smaller[k] = lin_sup(LIN_TAYLOR, 5 * R[i], R[i]);
        larger[k++] = lin_sup(LIN_POWER, 5 * R[i], R[i]);
    }
    const double taylor = lin_sup(LIN_TAYLOR, 8, 4), power = lin_sup(LIN_POWER, 8, 4);
    LEM_TRY(lem_value_exact(study, "which-converges.taylor-4-8", taylor, 4, ""));
    LEM_TRY(lem_value_exact(study, "which-converges.power-4-8", power, 3, ""));
    LEM_TRY(lem_value_exact(study, "which-converges.taylor-4-16", lin_sup(LIN_TAYLOR, 16, 4), 3, ""));
    LEM_TRY(lem_value_exact(study, "which-converges.power-4-16", lin_sup(LIN_POWER, 16, 4), 3, ""));
    const lem_falsifier falsifiers[] = {
        {"Taylor is always the better (R = 4, n = 8)", lem_inequality_strict(1, &taylor, &power, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.which-converges",
                          .statement =
                              "in relative sup norm on [-R, R] powers win for n = R..2.5 R and Taylor "
                              "from n = 5 R on; R = 4, 8",
                          .source = "kexue.fm 8601; our addition",
                          .verdict = LEM_HOLDS},
        lem_inequality_strict(k, smaller, larger, NULL), falsifiers, 1);
}

/* T_n is of use once its error at -R is below 1, which is where |x_n| passes R: n/R -> 1/W(1/e). And the
 * power needs R^2/(2 level): the next terms of its expansion are 2 R/(3 n) and R^2/(4n) of that, both
 * below 1.5 % at a level of 1 %. */
static int claim_degrees(lem_study *study) {
    static const double R[] = {1, 2, 4, 8};
    static const char *const keys[] = {"degree.power-1", "degree.power-2", "degree.power-4",
                                       "degree.power-8"};
    double measured[COUNT(R)], expected[COUNT(R)], linear[COUNT(R)], bound[COUNT(R)];
    for (size_t i = 0; i < COUNT(R); i++) {
        measured[i] = lin_degree(LIN_POWER, R[i], 0.01, (int)R[i], 10000);
        expected[i] = R[i] * R[i] / 0.02, linear[i] = R[i] / 0.02;
        bound[i] = 0.02 + 1 / expected[i]; /* a degree is a whole number */
        LEM_TRY(lem_value_exact(study, keys[i], measured[i], 6, ""));
    }
    const lem_falsifier falsifiers[] = {
        {"in proportion to R", lem_identity(COUNT(R), measured, linear, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.which-converges.power-degree",
                          .statement =
                              "E_n needs about R^2/(2 level) degrees for a relative error of that level: "
                              "level = 1 %, R = 1, 2, 4, 8",
                          .source = "kexue.fm 8601; our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(COUNT(R), measured, expected, bound), falsifiers, 1);
}

int lin_errors(lem_study *study) {
    LEM_TRY(claim_remainder(study));
    LEM_TRY(claim_relative(study));
    LEM_TRY(claim_power_below(study));
    LEM_TRY(claim_power_expansion(study));
    LEM_TRY(claim_power_safe(study));
    LEM_TRY(claim_order(study));
    return claim_degrees(study);
}
