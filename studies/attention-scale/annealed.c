/* The article's optimum: closed form, fits in sqrt(log n), and what the fits hide. */
#include "study.h"

static double annealed_gauss(double alpha, const void *n) {
    return lem_annealed_trace_gauss(*(const double *)n, alpha);
}

/* sqrt(u - shift) with u e^u = x. */
static double lambert_root(double log_x, double shift) {
    double u = log_x > 1 ? log_x : 0.5;
    for (int round = 0; round < 100; round++)
        u *= (1 + log_x - log(u)) / (1 + u);
    return sqrt(u - shift);
}

enum { LENGTHS = 30 };

static int claim_optimum(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.annealed-optimum",
        .statement = "alpha (1 - e^(alpha^2)/n) is largest at alpha = sqrt(W(n sqrt(e)/2) - 1/2): a "
                     "numerical maximiser "
                     "agrees for n = 2 .. 1e300",
        .source = "9812; closed form: lemmata",
        .verdict = LEM_HOLDS,
    };
    static const lem_claim_info residual_info = {
        .id = "ascale.annealed-optimum.residual",
        .statement =
            "at the annealed optimum e^(alpha^2) (1 + 2 alpha^2) = n, in logarithms to 1e-11, n = 2 .. 1e300",
        .source = "9812; closed form: lemmata",
        .verdict = LEM_HOLDS,
    };
    double found[LENGTHS], exact[LENGTHS], no_root[LENGTHS], no_half[LENGTHS], bound[LENGTHS];
    double log_n[LENGTHS], log_value[LENGTHS], log_no_root[LENGTHS], log_no_half[LENGTHS], log_bound[LENGTHS];
    for (size_t i = 0; i < LENGTHS; i++) {
        const double n = 2 * pow(0.5e300, (double)i / (LENGTHS - 1));
        exact[i] = lem_annealed_optimum_gauss(n);
        found[i] = ascale_maximum(annealed_gauss, &n, 0.1, sqrt(log(n)));
        no_root[i] = lambert_root(log(n) - M_LN2, 0.5);
        no_half[i] = lambert_root(log(n) - M_LN2 + 0.5, 0);
        bound[i] = 1e-7; /* a maximum is flat: sqrt(machine epsilon), times a curvature of order one */
        log_n[i] = log(n), log_bound[i] = 1e-11;
        log_value[i] = exact[i] * exact[i] + log1p(2 * exact[i] * exact[i]);
        log_no_root[i] = no_root[i] * no_root[i] + log1p(2 * no_root[i] * no_root[i]);
        log_no_half[i] = no_half[i] * no_half[i] + log1p(2 * no_half[i] * no_half[i]);
    }
    const lem_falsifier wrong[] = {
        {"W(n/2), without sqrt(e)", lem_identity(LENGTHS, found, no_root, bound)},
        {"W(n sqrt(e)/2), without -1/2", lem_identity(LENGTHS, found, no_half, bound)}};
    LEM_TRY(lem_claim(study, &info, lem_identity(LENGTHS, found, exact, bound), wrong, 2));
    const lem_falsifier wrong_residual[] = {
        {"W(n/2), without sqrt(e)", lem_identity_abs(LENGTHS, log_no_root, log_n, log_bound)},
        {"W(n sqrt(e)/2), without -1/2", lem_identity_abs(LENGTHS, log_no_half, log_n, log_bound)}};
    return lem_claim(study, &residual_info, lem_identity_abs(LENGTHS, log_value, log_n, log_bound),
                     wrong_residual, 2);
}

enum { GRID = 500 }; /* n = 40, 80, ..., 20000 */

typedef struct {
    double n, optimum, root_log; /* sqrt(log n) */
} grid_point;

static double rms(const grid_point *grid, double coefficient) {
    double sum = 0;
    for (size_t i = 0; i < GRID; i++)
        sum += pow(grid[i].optimum - coefficient * grid[i].root_log, 2);
    return sqrt(sum / GRID);
}

static int claim_fit(lem_study *study, const grid_point *grid) {
    static const lem_claim_info info = {
        .id = "ascale.fit-084",
        .statement = "least squares through the origin on n = 40, 80, .., 20000 gives alpha* = 0.84 sqrt(log "
                     "n), to the "
                     "two digits",
        .source = "9812",
        .verdict = LEM_HOLDS_WHEN,
        .note = "a fit on this range of n only: the ratio rises from 0.70 at n = 10 to 1 as n grows",
    };
    static const lem_claim_info off_info = {
        .id = "ascale.fit-084.deviation",
        .statement = "0.84 sqrt(log n) is off the annealed optimum by 12 to 13 percent at n = 40, its worst "
                     "on n = 40, 80, .., 20000",
        .source = "9812",
        .verdict = LEM_HOLDS,
    };
    static const lem_claim_info rms_info = {
        .id = "ascale.fit-084.rms",
        .statement = "on n = 40, 80, .., 20000 both 0.75 sqrt(log n) and sqrt(log n) have five times the "
                     "root mean square error of 0.84 sqrt(log n)",
        .source = "9812",
        .verdict = LEM_HOLDS,
    };
    double xy = 0, xx = 0, worst = 0, worst_n = 0, inside = 0;
    for (size_t i = 0; i < GRID; i++) {
        xy += grid[i].optimum * grid[i].root_log, xx += pow(grid[i].root_log, 2);
        const double off = fabs(0.84 * grid[i].root_log / grid[i].optimum - 1);
        if (off > worst)
            worst = off, worst_n = grid[i].n;
        inside += grid[i].optimum > 2 && grid[i].optimum < 3;
    }
    const double slope = xy / xx, lower = slope - 0.005, upper = slope + 0.005, fit = 0.84, low = 0.75,
                 high = 1;
    LEM_TRY(lem_value_exact(study, "fit.slope", slope, 5, ""));
    LEM_TRY(lem_value_exact(study, "fit.worst", worst, 3, ""));
    LEM_TRY(lem_value_exact(study, "fit.worst-n", worst_n, 6, ""));
    LEM_TRY(lem_value_exact(study, "fit.inside", inside / GRID, 3, ""));
    const lem_falsifier wrong[] = {{"0.75", lem_optimum(1, &lower, &upper, &low)},
                                   {"1.0", lem_optimum(1, &lower, &upper, &high)}};
    LEM_TRY(lem_claim(study, &info, lem_optimum(1, &lower, &upper, &fit), wrong, 2));
    const double first = 0.12, last = 0.13, small = 0.05;
    const lem_falsifier wrong_off[] = {{"within 5 percent", lem_optimum(1, &first, &last, &small)}};
    LEM_TRY(lem_claim(study, &off_info, lem_optimum(1, &first, &last, &worst), wrong_off, 1));
    const double best[] = {5 * rms(grid, 0.84), 5 * rms(grid, 0.84)},
                 others[] = {rms(grid, 0.75), rms(grid, 1)};
    const double near[] = {rms(grid, 0.82), rms(grid, 0.86)};
    const lem_falsifier wrong_rms[] = {{"so have 0.82 and 0.86", lem_inequality(2, best, near, NULL)}};
    return lem_claim(study, &rms_info, lem_inequality(2, best, others, NULL), wrong_rms, 1);
}

static int claim_ratio(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.fit-084.ratio",
        .statement = "alpha*/sqrt(log n) = 0.699, 0.771, 0.815, 0.880, 0.927, 0.976, 0.9866, 0.9948 at n = "
                     "10, 1e2, 1e3, "
                     "1e6, 1e12, 1e50, 1e100, 1e300",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    static const lem_claim_info limit_info = {
        .id = "ascale.fit-084.limit",
        .statement = "alpha*^2 = log n - log log n - log 2 + o(1), with the remainder that one more step of "
                     "the equation "
                     "leaves: alpha*/sqrt(log n) -> 1",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    enum { RATIOS = 8 };
    static const double exponent[RATIOS] = {1, 2, 3, 6, 12, 50, 100, 300};
    static const double stated[RATIOS] = {0.699, 0.771, 0.815, 0.880, 0.927, 0.976, 0.9866, 0.9948};
    double ratio[RATIOS], digits[RATIOS], same[RATIOS], square[RATIOS], limit[RATIOS], rest[RATIOS],
        fit[RATIOS];
    for (size_t i = 0; i < RATIOS; i++) {
        const double n = pow(10, exponent[i]), log_n = log(n), optimum = lem_annealed_optimum_gauss(n);
        ratio[i] = optimum / sqrt(log_n), same[i] = 0.84, digits[i] = i < 6 ? 5.1e-4 : 5.1e-5;
        square[i] = optimum * optimum, fit[i] = 0.84 * 0.84 * log_n;
        limit[i] = log_n - log(log_n) - M_LN2;
        /* alpha^2 = L - log(1 + 2 alpha^2) >= L - log(1 + 2L), and log(1 + 2 alpha^2) = log 2 + log L
         * + log(alpha^2/L) + log(1 + 1/(2 alpha^2)) */
        const double least = log_n - log1p(2 * log_n);
        rest[i] = least > 0 ? -log(least / log_n) + log1p(1 / (2 * least)) : log_n;
    }
    LEM_TRY(lem_value_exact(study, "ratio.10", ratio[0], 3, ""));
    LEM_TRY(lem_value_exact(study, "ratio.1e300", ratio[RATIOS - 1], 4, ""));
    const lem_falsifier wrong[] = {{"0.84 for all n", lem_identity_abs(RATIOS, ratio, same, digits)}};
    LEM_TRY(lem_claim(study, &info, lem_identity_abs(RATIOS, ratio, stated, digits), wrong, 1));
    const lem_falsifier wrong_limit[] = {
        {"alpha*^2 = 0.84^2 log n", lem_identity_abs(RATIOS, square, fit, rest)}};
    return lem_claim(study, &limit_info, lem_identity_abs(RATIOS, square, limit, rest), wrong_limit, 1);
}

/* alpha* = 2 and 3 at n = e^4 9, e^9 19. */
static int values(lem_study *study) {
    LEM_TRY(lem_value_exact(study, "annealed.n-for-2", exp(4) * 9, 4, ""));
    LEM_TRY(lem_value_exact(study, "annealed.n-for-3", exp(9) * 19, 3, ""));
    LEM_TRY(lem_value_exact(study, "annealed.optimum.40", lem_annealed_optimum_gauss(40), 5, ""));
    return lem_value_exact(study, "annealed.optimum.20000", lem_annealed_optimum_gauss(20000), 5, "");
}

int ascale_annealed(lem_study *study) {
    LEM_TRY(claim_optimum(study));
    static grid_point grid[GRID];
    for (size_t i = 0; i < GRID; i++) {
        const double n = 40 * (double)(i + 1);
        grid[i] = (grid_point){n, lem_annealed_optimum_gauss(n), sqrt(log(n))};
    }
    LEM_TRY(claim_fit(study, grid));
    LEM_TRY(claim_ratio(study));
    return values(study);
}
