/* Polynomials of the same degree that do better: in the mean (Hermite), shifted, in the worst case (minimax),
 * or by extrapolation. */
#include "study.h"

/* --- Hermite --- */

/* E(p(x) - e^x)^2/e^(2 sigma^2), x ~ N(0, sigma^2): trapezoidal rule of step sigma/16 out to 14 sigma beyond
 * the peak of e^(2x), 2 sigma^2; both tails and the step (analytic integrand) are below rounding. */
static double relative_l2(int n, const double *c, double sigma) {
    const double h = 1.0 / 16;
    double sum = 0;
    for (double k = -floor(14 / h); k * h <= 14 + 2 * sigma; k++) {
        const double g = k * h, x = sigma * g, error = lin_horner(n, c, x, NULL) - exp(x);
        sum += h * error * error * exp(-g * g / 2 - 2 * sigma * sigma);
    }
    return sum / sqrt(2 * M_PI);
}

enum { N_L2 = 6 };
static const struct {
    int n;
    double sigma;
} l2_points[N_L2] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {4, 0.5}, {8, 2}};

/* The error e of rounding in p - e^x is (3 n + 4) epsilons of the terms' sizes, in root mean square below 4
 * e^(sigma^2); it enters the squared error as 2 e sqrt(error) + e^2. */
static double l2_bound(int n, double value) {
    const double e = 4 * (3 * n + 4) * EPS;
    return 2 * e * sqrt(value) + e * e + 300 * EPS * value;
}

static int claims_hermite(lem_study *study) {
    double hermite[N_L2], taylor[N_L2], exact[N_L2], exact_taylor[N_L2], bound[N_L2], bound_taylor[N_L2];
    for (int i = 0; i < N_L2; i++) {
        const int n = l2_points[i].n;
        double c[9];
        LEM_TRY(lem_exp_hermite_coefficients(n, l2_points[i].sigma, c));
        hermite[i] = relative_l2(n, c, l2_points[i].sigma);
        LEM_TRY(lem_exp_taylor_coefficients(n, c));
        taylor[i] = relative_l2(n, c, l2_points[i].sigma);
        exact[i] = lem_exp_hermite_relative_l2_squared(n, l2_points[i].sigma);
        exact_taylor[i] = lem_exp_taylor_relative_l2_squared(n, l2_points[i].sigma);
        bound[i] = l2_bound(n, exact[i]), bound_taylor[i] = l2_bound(n, exact_taylor[i]);
    }
    static const char *const keys[][2] = {{"hermite.2", "hermite.taylor-2"},
                                          {"hermite.4", "hermite.taylor-4"},
                                          {"hermite.8", "hermite.taylor-8"}};
    for (int i = 0; i < 3; i++) {
        LEM_TRY(lem_value_exact(study, keys[i][0], exact[i + 1], 4, ""));
        LEM_TRY(lem_value_exact(study, keys[i][1], exact_taylor[i + 1], 4, ""));
    }
    const lem_falsifier weights[] = {{"Taylor's weights", lem_identity_abs(N_L2, taylor, exact, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "lin.hermite",
                          .statement =
                              "the Hermite polynomial of degree n has relative squared error P(Poisson("
                              "sigma^2) > n) = P(n+1, sigma^2) in L^2(N(0, sigma^2))",
                          .source = "our addition to kexue.fm 8601",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(N_L2, hermite, exact, bound), weights, 1));
    const lem_falsifier same[] = {{"P(n+1, sigma^2), as if Taylor's were the best",
                                   lem_identity_abs(N_L2, taylor, exact, bound_taylor)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "lin.hermite.taylor",
                                       .statement =
                                           "Taylor's is P(n+1, sigma^2) + sum_(k<=n) P(Poisson(sigma^2) = k) "
                                           "P(Poisson(sigma^2/2) > (n-k)/2)^2",
                                       .source = "derived here",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(N_L2, taylor, exact_taylor, bound_taylor), same, 1);
}

/* All positive just below sqrt 2; the third from the top negative just above. */
static int claim_signs(lem_study *study) {
    enum { N = 20, MOST = N * (N + 3) };
    static double zero[MOST], value[MOST], beyond[MOST];
    double c[N + 1];
    size_t k = 0, b = 0;
    for (int n = 2; n <= N; n++) {
        LEM_TRY(lem_exp_hermite_coefficients(n, 1.4142, c));
        for (int m = 0; m <= n; m++)
            value[k++] = c[m];
        LEM_TRY(lem_exp_hermite_coefficients(n, 1.4143, c));
        value[k++] = -c[n - 2];
        LEM_TRY(lem_exp_hermite_coefficients(n, 1.9, c));
        for (int m = 0; m <= n; m++)
            beyond[b++] = c[m];
    }
    const lem_falsifier falsifiers[] = {
        {"positive up to sigma = 2", lem_inequality_strict(b, zero, beyond, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.hermite.signs",
                          .statement =
                              "the weights of x^m are all positive for sigma < sqrt 2; above, that of "
                              "x^(n-2) is negative; n = 2..20",
                          .source = "derived here",
                          .verdict = LEM_HOLDS},
        lem_inequality_strict(k, zero, value, NULL), falsifiers, 1);
}

/* --- shifted --- */

static int claim_shifted(lem_study *study) {
    static const struct {
        int n;
        double R;
    } points[] = {{2, 1}, {4, 1}, {8, 4}, {16, 4}, {16, 8}, {26, 8}, {32, 8}};
    double grid[COUNT(points)], exact[COUNT(points)], bound[COUNT(points)], half[COUNT(points)];
    for (size_t i = 0; i < COUNT(points); i++) {
        double c[33];
        const int n = points[i].n;
        const double R = points[i].R;
        LEM_TRY(lem_exp_shifted_coefficients(n, R, c));
        grid[i] = 0;
        for (int j = -200; j <= 200; j++)
            grid[i] = fmax(grid[i], fabs(lin_horner(n, c, R * j / 200, NULL) * exp(-R * j / 200) - 1));
        exact[i] = lem_exp_taylor_shifted_max_relative_error(n, R);
        half[i] = lem_gamma_cdf(R, n + 1, 1, LEM_LOWER);
        /* at the right end, where the supremum is, all terms are positive: n + 1 coefficients of as many
         * roundings, and Horner's rule. Further left they cancel, by at most e^(2R) epsilons, below the
         * supremum for these n. */
        bound[i] = (5.0 * n + 80) * EPS;
    }
    LEM_TRY(lem_value_exact(study, "shifted.8-32", exact[6], 4, ""));
    LEM_TRY(lem_value_exact(study, "shifted.taylor-8-32", lin_sup(LIN_TAYLOR, 32, 8), 4, ""));
    const lem_falsifier falsifiers[] = {{"P(n+1, R)", lem_identity_abs(COUNT(points), grid, half, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.shifted-taylor",
                          .statement =
                              "T_n(x + R) e^-(x+R) is off by at most P(n+1, 2R) = P(Poisson(2R) > n) on "
                              "[-R, R]; R = 1, 4, 8",
                          .source = "our addition to kexue.fm 8601",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(COUNT(points), grid, exact, bound), falsifiers, 1);
}

/* --- minimax --- */

enum { N_MINIMAX = 6, MOST_EXTREMA = 14 };
static const struct {
    int n;
    double R;
} minimax_points[N_MINIMAX] = {{2, 1}, {4, 1}, {4, 4}, {8, 4}, {8, 8}, {12, 8}};

/* The largest error between neighbouring sign changes, in order; their number. On 4000 cells that are dense
 * at the ends an extremum is missed by at most (pi (n+2)/8000)^2/2 < 2e-5 of its size; a parabola through
 * three grid points takes that to below 1e-6. */
static int extrema(int n, const double *c, double R, double *sizes) {
    enum { CELLS = 4000 };
    double r[CELLS + 1];
    for (int i = 0; i <= CELLS; i++) {
        const double x = -R * cos(M_PI * i / CELLS);
        r[i] = lin_horner(n, c, x, NULL) * exp(-x) - 1;
    }
    int count = 0;
    double best = 0;
    for (int i = 0; i <= CELLS; i++) {
        if (i > 0 && (r[i] > 0) != (r[i - 1] > 0)) {
            if (count < MOST_EXTREMA)
                sizes[count] = best;
            count++, best = 0;
        }
        double here = fabs(r[i]);
        if (i > 0 && i < CELLS && here >= fabs(r[i - 1]) && here >= fabs(r[i + 1]) && here > 0) {
            const double a = fabs(r[i - 1]), b = fabs(r[i + 1]), bend = 2 * here - a - b;
            if (bend > 0)
                here += (a - b) * (a - b) / (8 * bend);
        }
        best = fmax(best, here);
    }
    if (count < MOST_EXTREMA)
        sizes[count] = best;
    return count + 1;
}

static int claim_alternation(lem_study *study) {
    double size[N_MINIMAX * MOST_EXTREMA], error[N_MINIMAX * MOST_EXTREMA], bound[N_MINIMAX * MOST_EXTREMA],
        chebyshev[N_MINIMAX * MOST_EXTREMA];
    static const char *const keys[] = {"minimax.1-2", "minimax.1-4", "minimax.4-4",
                                       "minimax.4-8", "minimax.8-8", "minimax.8-12"};
    size_t k = 0;
    for (int i = 0; i < N_MINIMAX; i++) {
        const int n = minimax_points[i].n;
        const double R = minimax_points[i].R;
        double c[13], e, found[MOST_EXTREMA];
        LEM_TRY(lem_exp_minimax_relative(n, R, c, &e));
        const int count = extrema(n, c, R, found);
        for (int j = 0; j < n + 2; j++) {
            size[k] = count == n + 2 ? found[j] : 0; /* another number of extrema is a failure */
            error[k] = e;
            chebyshev[k] = lin_sup(LIN_CHEBYSHEV, n, R);
            bound[k++] = 1e-6;
        }
        LEM_TRY(lem_value_exact(study, keys[i], e, 5, ""));
    }
    LEM_TRY(lem_value_exact(study, "minimax.chebyshev-4-8",
                            lin_sup(LIN_CHEBYSHEV, 8, 4) / lem_exp_minimax_relative_error(8, 4), 2, ""));
    LEM_TRY(lem_value_exact(study, "minimax.8-16", lem_exp_minimax_relative_error(16, 8), 3, ""));
    const lem_falsifier falsifiers[] = {{"the Chebyshev series cut at n has the least relative error",
                                         lem_identity(k, chebyshev, error, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.minimax",
                          .statement =
                              "the error of the relative minimax polynomial has n + 2 extrema of one size "
                              "and alternating sign, which proves it best; (R, n) = (1,2) .. (8,12)",
                          .source = "Chebyshev; Remez 1934; our addition to kexue.fm 8601",
                          .verdict = LEM_HOLDS},
        lem_identity(k, size, error, bound), falsifiers, 1);
}

/* For degrees whose error double precision can tell. */
static int claim_positive(lem_study *study) {
    static const double R[] = {1, 2, 4, 8};
    static const int most[] = {6, 8, 12, 15};
    double zero[300] = {0}, minimax[300], chebyshev[300], c[61];
    size_t k = 0;
    for (size_t i = 0; i < COUNT(R); i++)
        for (int n = 1; n <= most[i]; n++) {
            LEM_TRY(lem_exp_minimax_relative(n, R[i], c, NULL));
            for (int m = 0; m <= n; m++)
                minimax[k + (size_t)m] = c[m];
            LEM_TRY(lem_exp_chebyshev_coefficients(n, R[i], c));
            for (int m = 0; m <= n; m++)
                chebyshev[k++] = c[m];
        }
    const lem_falsifier falsifiers[] = {
        {"so are those of the Chebyshev series", lem_inequality_strict(k, zero, chebyshev, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "lin.minimax.positive",
            .statement = "the monomial weights of the minimax polynomial are all positive, so that it has "
                         "real features: R = 1, 2, 4, 8, n up to 6, 8, 12, 15",
            .source = "our addition to kexue.fm 8601",
            .verdict = LEM_HOLDS},
        lem_inequality_strict(k, zero, minimax, NULL), falsifiers, 1);
}

static int claim_degrees(lem_study *study) {
    static const double R[] = {1, 2, 4, 8};
    static const struct {
        lin_family family;
        const char *name;
        double expected[4];
    } rows[] = {{LIN_MINIMAX, "minimax", {3, 5, 7, 12}},
                {LIN_CHEBYSHEV, "chebyshev", {4, 6, 10, 19}},
                {LIN_SHIFTED, "shifted", {6, 9, 15, 26}},
                {LIN_TAYLOR, "taylor", {5, 8, 15, 30}}};
    double measured[16], expected[16], as_chebyshev[16], exact[16] = {0};
    for (size_t f = 0; f < COUNT(rows); f++)
        for (size_t i = 0; i < COUNT(R); i++) {
            char key[64];
            (void)snprintf(key, sizeof key, "degree.%s-%g", rows[f].name, R[i]);
            measured[4 * f + i] = lin_degree(rows[f].family, R[i], 0.01, 1, f ? 60 : 12);
            expected[4 * f + i] = rows[f].expected[i];
            as_chebyshev[4 * f + i] = rows[f ? f : 1].expected[i];
            LEM_TRY(lem_value_exact(study, key, measured[4 * f + i], 4, ""));
        }
    const lem_falsifier falsifiers[] = {{"minimax needs the degrees of the Chebyshev series",
                                         lem_identity_abs(16, measured, as_chebyshev, exact)}};
    return lem_claim(study,
                     &(lem_claim_info){
                         .id = "lin.minimax.degrees",
                         .statement = "for 1 % on [-R, R], R = 1, 2, 4, 8: minimax needs degree 3, 5, 7, 12; "
                                      "Chebyshev 4, 6, 10, 19; shifted 6, 9, 15, 26; Taylor 5, 8, 15, 30",
                         .source = "our addition to kexue.fm 8601",
                         .verdict = LEM_HOLDS},
                     lem_identity_abs(16, measured, expected, exact), falsifiers, 1);
}

/* The relative error of the series at -R is about 2 e^R I_(n+1)(R), which is exp(R (sqrt(nu^2+1) - nu
 * asinh(nu) + 1)) (2/(pi sqrt(n^2 + R^2)))^(1/2), nu = n/R: below 1 from nu = 2.2334 on, less log(2.45 R)/(2
 * R asinh(2.23)), at most log(R + 3)/R, of it. */
static int claim_chebyshev_rate(lem_study *study) {
    static const double R[] = {20, 50, 100, 200, 340};
    double ratio[COUNT(R)], expected[COUNT(R)], bound[COUNT(R)], taylor[COUNT(R)];
    double low = 1, high = 4;
    for (int i = 0; i < 60; i++) {
        const double nu = (low + high) / 2;
        *(sqrt(nu * nu + 1) - nu * asinh(nu) + 1 > 0 ? &low : &high) = nu;
    }
    for (size_t i = 0; i < COUNT(R); i++) {
        int n = 1;
        while (log(lem_chebyshev_exp_coefficient(n + 1, R[i])) + R[i] >= 0)
            n++;
        ratio[i] = n / R[i], expected[i] = low, bound[i] = (log(R[i] + 3)) / R[i];
        taylor[i] = 3.5911;
    }
    LEM_TRY(lem_value_exact(study, "minimax.chebyshev-rate", low, 5, ""));
    const lem_falsifier falsifiers[] = {
        {"Taylor's 3.5911", lem_identity_abs(COUNT(R), ratio, taylor, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.minimax.chebyshev-rate",
                          .statement =
                              "the Chebyshev series is of use from n = 2.2334 R on, the root of sqrt(nu^2+1) "
                              "- nu asinh nu + 1 = 0",
                          .source = "our addition to kexue.fm 8601",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(COUNT(R), ratio, expected, bound), falsifiers, 1);
}

/* --- Richardson --- */

static double combined_sup(int n, double whole, double half) {
    double sup = 0;
    for (int i = -200; i <= 200; i++) {
        const double x = i / 200.0;
        sup = fmax(sup, fabs(whole * lem_exp_power_relative_error(n, x) -
                             half * lem_exp_power_relative_error(n / 2, x)));
    }
    return sup;
}

/* Slope between n and 2n; off by the next term, of relative size about 4/n here: 0.1 is met from n = 64 on.
 */
static int claim_richardson(lem_study *study) {
    static const int n[] = {64, 128, 256};
    double slope[COUNT(n)], expected[COUNT(n)], bound[COUNT(n)], second_order[COUNT(n)];
    for (size_t i = 0; i < COUNT(n); i++) {
        slope[i] = log2(combined_sup(2 * n[i], 2, 1) / combined_sup(n[i], 2, 1));
        second_order[i] =
            log2(combined_sup(2 * n[i], 4 / 3.0, 1 / 3.0) / combined_sup(n[i], 4 / 3.0, 1 / 3.0));
        expected[i] = -2, bound[i] = 0.1;
    }
    LEM_TRY(lem_value_exact(study, "richardson.8", lin_sup(LIN_RICHARDSON, 8, 1), 4, ""));
    LEM_TRY(lem_value_exact(study, "richardson.power-8", lin_sup(LIN_POWER, 8, 1), 3, ""));
    LEM_TRY(lem_value_exact(study, "richardson.taylor-8", lin_sup(LIN_TAYLOR, 8, 1), 2, ""));
    const lem_falsifier falsifiers[] = {{"weights (4, -1)/3, those of a second-order rule",
                                         lem_identity_abs(COUNT(n), second_order, expected, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "lin.richardson",
                                       .statement = "2 E_n - E_(n/2) has relative error O(n^-2) on [-1, 1]",
                                       .source = "our addition to kexue.fm 8601",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(COUNT(n), slope, expected, bound), falsifiers, 1);
}

static int claim_richardson_two(lem_study *study) {
    double c[3], taylor[3];
    const double second_order[3] = {1, 1, 1 / 3.0}, exact[3] = {0};
    LEM_TRY(lem_exp_richardson_coefficients(2, c));
    LEM_TRY(lem_exp_taylor_coefficients(2, taylor));
    const lem_falsifier falsifiers[] = {
        {"(4 E_2 - E_1)/3", lem_identity_abs(3, second_order, taylor, exact)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "lin.richardson.two",
                                       .statement = "2 E_2 - E_1 = T_2",
                                       .source = "our addition to kexue.fm 8601",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(3, c, taylor, exact), falsifiers, 1);
}

/* --- the figure --- */

static int figure(lem_study *study) {
    static const char *const columns[] = {"n",       "Taylor",    "power",  "Richardson",
                                          "shifted", "Chebyshev", "minimax"};
    static const double R[] = {1, 4, 8};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "degree", columns, COUNT(columns), &table));
    for (size_t i = 0; i < COUNT(R); i++) {
        if (i)
            LEM_TRY(lem_table_break(table));
        for (int n = 1; n <= 40; n++) {
            double row[COUNT(columns)] = {n};
            for (int f = 0; f < LIN_FAMILIES; f++) {
                const bool offered =
                    (f != LIN_RICHARDSON || n % 2 == 0) && (f != LIN_MINIMAX || n <= 2 * R[i] + 8);
                const double sup = offered ? lin_sup((lin_family)f, n, R[i]) : NAN;
                row[f + 1] = sup > fmax(1e-9, 1e-15 * exp(2 * R[i])) ? sup : NAN; /* below, sums are noise */
            }
            LEM_TRY(lem_table_row(table, row));
        }
    }
    return lem_study_figure(
        study, "degree",
        "The largest relative error on [-R, R] against the degree. Marks at height 1: where minimax (n = R), "
        "shifted Taylor (2R), Chebyshev (2.23R) and Taylor (3.59R) begin to converge. Curves end where "
        "double precision does.",
        "minimax polynomials need by far the lowest degree, Taylor polynomials the highest before they fall, "
        "and powers fall only slowly");
}

int lin_better(lem_study *study) {
    LEM_TRY(claims_hermite(study));
    LEM_TRY(claim_signs(study));
    LEM_TRY(claim_shifted(study));
    LEM_TRY(claim_alternation(study));
    LEM_TRY(claim_positive(study));
    LEM_TRY(claim_degrees(study));
    LEM_TRY(claim_chebyshev_rate(study));
    LEM_TRY(claim_richardson(study));
    LEM_TRY(claim_richardson_two(study));
    return figure(study);
}
