/* Where the approximants are positive, and where they increase. */
#include "study.h"

static const double W = 0.27846454276107379510; /* W(1/e): w e^w = 1/e */

/* --- the zero of odd T_n --- */

enum { N_ODD = 12 }; /* n = 1, 3, ..., 23 */

/* By bisection of the plain sum. */
static double zero_by_bisection(int n, const double *c) {
    double low = -n - 1, high = 0;
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        *(lin_horner(n, c, middle, NULL) < 0 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

static int claim_zero(lem_study *study) {
    double library[N_ODD], bisected[N_ODD], bound[N_ODD], limit[N_ODD];
    for (int i = 0; i < N_ODD; i++) {
        const int n = 2 * i + 1;
        double c[24], size;
        LEM_TRY(lem_exp_taylor_coefficients(n, c));
        library[i] = lem_exp_taylor_real_zero(n);
        bisected[i] = zero_by_bisection(n, c);
        (void)lin_horner(n, c, bisected[i], &size);
        /* rounding of the sum over its slope T_(n-1), in units of the zero */
        bound[i] =
            (3.0 * n + 8) * EPS * size / fabs(bisected[i] * lem_exp_taylor(n - 1, bisected[i])) + 64 * EPS;
        limit[i] = -W * n;
    }
    static const char *const keys[] = {"zero.1", "zero.3", "zero.5", "zero.7", "zero.9"};
    for (int i = 0; i < 5; i++)
        LEM_TRY(lem_value_exact(study, keys[i], library[i], 7, ""));
    const lem_falsifier falsifiers[] = {{"x_n = -W(1/e) n", lem_identity(N_ODD, limit, bisected, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.positivity.zero",
                          .statement = "the zero x_n of T_n by the incomplete-gamma form is that of the sum "
                                       "itself, n = 1, 3, ..., 23",
                          .source = "kexue.fm 8601; Szego 1924",
                          .verdict = LEM_HOLDS},
        lem_identity(N_ODD, library, bisected, bound), falsifiers, 1);
}

/* T_n(-y) = 0 says a (1 + log(y/a)) + y - log(2 pi a)/2 + log M = 0, a = n + 1, M = 1F1(1; a+1; -y) -> 1/(1 +
 * W). To first order about y = W a: y = W a + d, d = W/(1+W) (log(2 pi a)/2 + log(1+W)). The second order of
 * the logarithm adds d^2/(2 a W (1 + W)); M and Stirling's formula are off by less than 1/a. Twice the sum of
 * these is the bound. */
static int claim_asymptote(lem_study *study) {
    static const int n[] = {101, 1001, 10001, 100001, 999999};
    double gap[COUNT(n)], bound[COUNT(n)], plain[COUNT(n)];
    for (size_t i = 0; i < COUNT(n); i++) {
        const double a = n[i] + 1.0, d = W / (1 + W) * (log(2 * M_PI * a) / 2 + log1p(W));
        const double x = lem_exp_taylor_real_zero(n[i]);
        gap[i] = fabs(x + W * a + d);
        plain[i] = fabs(x + W * a);
        bound[i] = 2 * (d * d / (2 * a * W * (1 + W)) + 1 / a) + 64 * EPS * a;
    }
    LEM_TRY(lem_value_exact(study, "zero.ratio", lem_exp_taylor_real_zero(999999) / 999999, 6, ""));
    LEM_TRY(lem_value_exact(study, "zero.log-slope", W / (1 + W) / 2, 5, ""));
    const lem_falsifier falsifiers[] = {
        {"without the logarithm", lem_inequality(COUNT(n), plain, bound, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.positivity.limit",
                          .statement =
                              "x_n = -W (n+1) - W/(1+W) (log(2 pi (n+1))/2 + log(1+W)) + O(log^2 n/n), W "
                              "= W(1/e) = 0.27846; so x_n/n -> -W",
                          .source = "kexue.fm 8601; Szego 1924; the second term derived here",
                          .verdict = LEM_HOLDS},
        lem_inequality(COUNT(n), gap, bound, NULL), falsifiers, 1);
}

static int claim_signs(lem_study *study) {
    enum { X = 161, N = 12 };
    static double zero[X * N], signed_value[X * N], plain[X * N];
    for (int k = 0; k < N; k++)
        for (int j = 0; j < X; j++) {
            const int n = k + 1;
            const double x = -30 + 0.25 * j, value = lem_exp_taylor(n, x);
            const double expected = n % 2 == 0 || x > lem_exp_taylor_real_zero(n) ? 1 : -1;
            signed_value[k * X + j] = x == -1 && n == 1 ? 1 : expected * value; /* on the zero itself */
            plain[k * X + j] = value;
        }
    const lem_falsifier falsifiers[] = {
        {"odd degrees are positive too", lem_inequality_strict(X * N, zero, plain, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.positivity",
                          .statement =
                              "T_n > 0 on the line for even n; for odd n it is negative left of its one "
                              "zero and positive right of it; n = 1..12, x = -30..10",
                          .source = "kexue.fm 8601",
                          .verdict = LEM_HOLDS},
        lem_inequality_strict(X * N, zero, signed_value, NULL), falsifiers, 1);
}

/* --- not monotone --- */

static int claim_minimum(lem_study *study) {
    enum { N = 10, X = 400 };
    double least[N], closed[N], bound[N], wrong[N];
    for (int k = 0; k < N; k++) {
        const int n = 2 * k + 2;
        const double at = lem_exp_taylor_real_zero(n - 1);
        least[k] = lem_exp_taylor(n, at);
        for (int j = -X; j <= X; j++) /* nothing smaller nearby or far */
            least[k] = fmin(least[k], lem_exp_taylor(n, at * (1 + 1.5 * j / X)));
        closed[k] = pow(at, n) / tgamma(n + 1);
        wrong[k] = exp(at);
        bound[k] = 64 * EPS + (6.0 * n + 6) * EPS;
    }
    LEM_TRY(lem_value_exact(study, "minimum.2", closed[0], 3, ""));
    LEM_TRY(lem_value_exact(study, "minimum.4", closed[1], 5, ""));
    const lem_falsifier falsifiers[] = {
        {"the minimum is e^x at that point", lem_identity(N, wrong, closed, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.positivity.minimum",
                          .statement = "even T_n has its minimum at x_(n-1), exactly x_(n-1)^n/n!; n = 2..20",
                          .source = "kexue.fm 8601; our addition",
                          .verdict = LEM_HOLDS},
        lem_identity(N, least, closed, bound), falsifiers, 1);
}

static int claim_unsafe(lem_study *study) {
    const double similar = lem_exp_taylor(2, 1.5), opposite = lem_exp_taylor(2, -5);
    double smaller[4] = {similar}, larger[4] = {opposite};
    for (int i = 1; i < 4; i++) { /* and left of the minimum each even T_n falls */
        const int n = 2 * i;
        const double at = lem_exp_taylor_real_zero(n - 1);
        smaller[i] = lem_exp_taylor(n, at - 1), larger[i] = lem_exp_taylor(n, at - 2);
    }
    LEM_TRY(lem_value_exact(study, "unsafe.similar", similar, 4, ""));
    LEM_TRY(lem_value_exact(study, "unsafe.opposite", opposite, 3, ""));
    const lem_falsifier falsifiers[] = {
        {"an even order is a safe similarity: a larger logit has a larger weight",
         lem_inequality_strict(4, larger, smaller, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.positivity.not-monotone",
                          .statement =
                              "T_2(1.5) < T_2(-5): the least similar key outranks a similar one; even T_n "
                              "falls left of x_(n-1)",
                          .source = "kexue.fm 8601 (even orders as the remedy)",
                          .verdict = LEM_HOLDS_WHEN,
                          .note = "positive everywhere, but a similarity only right of x_(n-1)"},
        lem_inequality_strict(4, smaller, larger, NULL), falsifiers, 1);
}

static int claim_power(lem_study *study) {
    enum { N = 8, X = 40 };
    static double smaller[N * X * 2], larger[N * X * 2], rising_smaller[N * X], rising_larger[N * X];
    size_t k = 0, r = 0;
    for (int n = 1; n <= N; n++)
        for (int j = 0; j < X; j++) {
            const double right = -n + (j + 0.5) * 0.25, left = -n - (j + 0.5) * 0.25;
            smaller[k] = lem_exp_power(n, right), larger[k++] = lem_exp_power(n, right + 0.25);
            rising_smaller[r] = lem_exp_power(n, left - 0.25), rising_larger[r++] = lem_exp_power(n, left);
            if (n % 2)
                smaller[k] = lem_exp_power(n, left), larger[k++] = 0;
            else
                smaller[k] = lem_exp_power(n, left), larger[k++] = lem_exp_power(n, left - 0.25);
        }
    const lem_falsifier falsifiers[] = {
        {"E_n increases on the whole line", lem_inequality_strict(r, rising_smaller, rising_larger, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.positivity.power",
                          .statement =
                              "E_n increases (and is positive) right of -n; left of it, it is negative for "
                              "odd n and rises leftwards for even n; n = 1..8",
                          .source = "kexue.fm 8601",
                          .verdict = LEM_HOLDS},
        lem_inequality_strict(k, smaller, larger, NULL), falsifiers, 1);
}

static int figure(lem_study *study) {
    static const char *const columns[] = {"x", "e^x", "T_1", "T_2", "T_3", "T_4", "T_5", "E_3", "E_4"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "signs", columns, COUNT(columns), &table));
    for (int i = 0; i <= 180; i++) {
        const double x = -6 + i * 0.05;
        double row[COUNT(columns)] = {x, exp(x)};
        for (int n = 1; n <= 5; n++)
            row[n + 1] = lem_exp_taylor(n, x);
        row[7] = lem_exp_power(3, x), row[8] = lem_exp_power(4, x);
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(
        study, "signs",
        "Taylor polynomials T_1 to T_5 and the powers E_3, E_4 against e^x, on a scale that is linear near "
        "zero and logarithmic away from it.",
        "odd Taylor polynomials turn negative left of their zero and even ones grow again towards the "
        "left, while the powers stay in order down to x = -n");
}

int lin_positivity(lem_study *study) {
    LEM_TRY(claim_signs(study));
    LEM_TRY(claim_zero(study));
    LEM_TRY(claim_asymptote(study));
    LEM_TRY(claim_minimum(study));
    LEM_TRY(claim_unsafe(study));
    LEM_TRY(claim_power(study));
    return figure(study);
}
