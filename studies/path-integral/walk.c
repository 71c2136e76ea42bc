/* The lattice walk, evolved exactly, beside the equation it is said to solve. */
#include "study.h"

/* --- the symmetric walk ------------------------------------------------------------------------------------
 */

enum { SIZES = 5 };
static const size_t SIZE[SIZES] = {16, 64, 256, 1024, 4096};

static double he4(double z) {
    return z * z * (z * z - 6) + 3;
}

/* Largest |pmf/(parity s) - Gaussian| over the peak, alpha = t = 1, z = m/(stretch sqrt(n)); with `factor`
 * of the leading term -He_4/(12 n) in the Gaussian. */
static double symmetric_error(size_t n, double parity, double stretch, double factor) {
    const double root = sqrt((double)n), peak = 1 / sqrt(2 * M_PI);
    double worst = 0;
    for (long long m = -(long long)n; m <= (long long)n; m += 2) {
        const double z = stretch * (double)m / root,
                     gauss = peak * exp(-z * z / 2) * (1 - factor * he4(z) / (12 * (double)n));
        worst = fmax(worst, fabs(lem_walk_pmf(n, m) * root / (parity * stretch) - gauss));
    }
    return worst / peak;
}

static int symmetric_claim(lem_study *study) {
    double measured[SIZES], expected[SIZES], bound[SIZES], one_class[SIZES], wide[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        const double n = (double)SIZE[i];
        measured[i] = n * symmetric_error(SIZE[i], 2, 1, 0);
        one_class[i] = n * symmetric_error(SIZE[i], 1, 1, 0);
        wide[i] = n * symmetric_error(SIZE[i], 2, M_SQRT2, 0);
        /* at the origin, C(n, n/2) 2^-n sqrt(pi n/2) = 1 - 1/(4n) + 1/(32 n^2) + 5/(128 n^3) - ... */
        expected[i] = .25 - 1 / (32 * n);
        bound[i] = .05 / (n * n) + 1e-13 * n;
        char key[64];
        (void)snprintf(key, sizeof key, "walk.symmetric.%zu", SIZE[i]);
        LEM_TRY(lem_value_exact(study, key, measured[i], 6, ""));
    }
    const lem_falsifier falsifiers[] = {
        {"both parities counted: probability over s, not 2 s",
         lem_identity_abs(SIZES, one_class, expected, bound)},
        {"a space step with s^2 = 2 alpha h", lem_identity_abs(SIZES, wide, expected, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.walk-diffusion",
                          .statement = "probability over 2 s of the symmetric walk is the heat "
                                       "kernel, with a largest error of peak (1/4 - 1/(32 n))/n, "
                                       "n = 16..4096",
                          .source = "kexue.fm 3749 as summarised; the coefficient is our addition",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(SIZES, measured, expected, bound), falsifiers, 2);
}

/* max |He_6/45 + He_8/288| exp(-z^2/2), the next term of the Edgeworth series for kappa_4 = -2, kappa_6 = 16,
 * on a mesh of 1e-4: flat at its top, so right to 1e-8. */
static double next_term(void) {
    double worst = 0;
    for (int i = 0; i <= 60000; i++) {
        const double z = i * 1e-4, y = z * z, he6 = ((y - 15) * y + 45) * y - 15,
                     he8 = (((y - 28) * y + 210) * y - 420) * y + 105;
        worst = fmax(worst, fabs(he6 / 45 + he8 / 288) * exp(-y / 2));
    }
    return worst;
}

static int leading_term_claim(lem_study *study) {
    enum { N = 3 };
    double measured[N], expected[N], bound[N], half[N], sign[N];
    for (size_t i = 0; i < N; i++) {
        const size_t n = SIZE[i + 2];
        const double square = (double)n * (double)n;
        measured[i] = square * symmetric_error(n, 2, 1, 1);
        half[i] = square * symmetric_error(n, 2, 1, .5);
        sign[i] = square * symmetric_error(n, 2, 1, -1);
        expected[i] = next_term();
        /* sites miss the top by half their distance 2/sqrt(n): curvature 2/n at most; the next order is 1/n
         */
        bound[i] = 3 / (double)n + 1e-13 * square;
    }
    LEM_TRY(lem_value_exact(study, "walk.symmetric.next", expected[0], 4, ""));
    const lem_falsifier falsifiers[] = {
        {"a leading term of He_4/(24 n)", lem_identity_abs(N, half, expected, bound)},
        {"a leading term of + He_4/(12 n)", lem_identity_abs(N, sign, expected, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.walk-diffusion.leading",
                                       .statement = "after the term -He_4(z)/(12 n) the error times n^2 is "
                                                    "max |He_6/45 + He_8/288| exp(-z^2/2)",
                                       .source = "Edgeworth's series of a symmetric walk",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(N, measured, expected, bound), falsifiers, 2);
}

/* --- the biased walk ---------------------------------------------------------------------------------------
 */

static int linear(double x, double t, const void *ctx, double *value) {
    (void)t;
    *value = -*(const double *)ctx * x;
    return GSL_SUCCESS;
}

/* Mean and second moment of the walk with p = -rate x, alpha = x0 = T = 1. */
static int walk_moments(size_t n, double rate, double limit, double *moments) {
    double *p = malloc((2 * n + 1) * sizeof *p);
    if (!p)
        return LEM_ERROR(GSL_ENOMEM, "no memory for a walk of %zu steps", n);
    const int status = lem_biased_walk_evolve(&(lem_field){linear, &rate}, n, 1, 1, 1, limit, p, NULL);
    moments[0] = moments[1] = 0;
    for (size_t j = 0; !status && j <= 2 * n; j++) {
        const double x = 1 + ((double)j - (double)n) / sqrt((double)n);
        moments[0] += p[j] * x;
        moments[1] += p[j] * x * x;
    }
    free(p);
    return status;
}

static int moments_claim(lem_study *study) {
    enum { N = 3 };
    double measured[2 * N], expected[2 * N], bound[2 * N], half[2 * N], away[2 * N];
    for (size_t i = 0; i < N; i++) {
        const size_t n = SIZE[i + 1];
        const double h = 1 / (double)n;
        LEM_TRY(walk_moments(n, 1, 1e-20, measured + 2 * i));
        LEM_TRY(walk_moments(n, .5, 1e-20, half + 2 * i));
        LEM_TRY(walk_moments(n, -1, HUGE_VAL, away + 2 * i));
        /* M -> (1 - 2h) M + h has the fixed point 1/2 */
        expected[2 * i] = exp((double)n * log1p(-h));
        expected[2 * i + 1] = .5 + .5 * exp((double)n * log1p(-2 * h));
        bound[2 * i] = bound[2 * i + 1] = 10 * (double)n * 2.3e-16; /* a few roundings a step */
    }
    LEM_TRY(lem_value_exact(study, "walk.mean-off-by", half[2 * N - 2] - expected[2 * N - 2], 2, ""));
    const lem_falsifier falsifiers[] = {
        {"a bias of p s/(2 alpha), which halves the drift", lem_identity(2 * N, half, expected, bound)},
        {"+(pP)_x, which turns the drift round", lem_identity(2 * N, away, expected, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.walk-fokker-planck.moments",
                                       .statement =
                                           "p = -kappa x: the walk's mean is x0 (1 - kappa h)^n and "
                                           "its second moment follows M -> (1 - 2 kappa h) M + alpha "
                                           "h, exactly",
                                       .source = "kexue.fm 3750 as summarised; our addition",
                                       .verdict = LEM_HOLDS},
                     lem_identity(2 * N, measured, expected, bound), falsifiers, 2);
}

/* Errors at three sizes, for the right drift and for `factor` times it. */
enum { RUNS = 3 };
static const size_t RUN[RUNS] = {256, 1024, 4096};

static int walk_errors(const pi_problem *problem, double factor, double *error, double *clipped) {
    for (size_t i = 0; i < RUNS; i++)
        LEM_TRY(pi_walk_error(problem, RUN[i], factor, 1, &error[i], &clipped[i]));
    return GSL_SUCCESS;
}

static int order_claims(lem_study *study) {
    enum { N = 2 };
    static const char *const names[N] = {"ou", "well"};
    const pi_problem problems[N] = {pi_ou, pi_double_well(2)};
    double slope[N], half[N], away[N], well_clipped[RUNS], n[RUNS], error[RUNS], clipped[RUNS];
    for (size_t j = 0; j < RUNS; j++)
        n[j] = (double)RUN[j];
    for (size_t i = 0; i < N; i++) {
        LEM_TRY(walk_errors(&problems[i], 1, error, i ? well_clipped : clipped));
        slope[i] = pi_slope(RUNS, n, error);
        for (size_t j = 0; j < RUNS; j++) {
            char key[64];
            (void)snprintf(key, sizeof key, "walk.%s.%zu", names[i], RUN[j]);
            LEM_TRY(lem_value_exact(study, key, error[j] * n[j], 4, ""));
        }
        LEM_TRY(walk_errors(&problems[i], .5, error, clipped));
        half[i] = pi_slope(RUNS, n, error);
        if (i == 0)
            LEM_TRY(walk_errors(&problems[i], -1, error, clipped));
        away[i] = i == 0 ? pi_slope(RUNS, n, error) : half[i];
    }
    const double expected[N] = {-1, -1}, bound[N] = {.05, .05};
    const lem_falsifier halved[] = {{"a bias of p s/(2 alpha)", lem_identity_abs(N, half, expected, bound)},
                                    {"+(pP)_x for p = -x", lem_identity_abs(N, away, expected, bound)}};
    LEM_TRY(lem_value_exact(study, "walk.clipped.256", well_clipped[0], 2, ""));
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "pi.walk-fokker-planck",
                                        .statement = "the biased walk's density is that of P_t = (alpha/2) "
                                                     "P_xx - (pP)_x with an error of order s^2: exponent -1 "
                                                     "in n, within 0.05, linear drift and double well",
                                        .source = "kexue.fm 3750 as summarised",
                                        .verdict = LEM_HOLDS_WHEN,
                                        .note = "while |p| s <= alpha wherever the walk goes: beyond, the "
                                                "step has no probability"},
                      lem_identity_abs(N, slope, expected, bound), halved, 2));
    const double smaller[] = {1e-7, well_clipped[1]}, larger[] = {well_clipped[0], 1e-20};
    const double any[] = {well_clipped[0], 1e-20}, size[] = {1e-7, well_clipped[1]};
    const lem_falsifier always[] = {
        {"256 steps are enough, and 1024 are not", lem_inequality(2, any, size, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "pi.walk-fokker-planck.clipped",
                          .statement = "double well, T = 2: more than 1e-7 of the walk stands where |p| s > "
                                       "alpha at 256 steps, less than 1e-20 at 1024",
                          .source = "our addition",
                          .verdict = LEM_HOLDS},
        lem_inequality(2, smaller, larger, NULL), always, 1);
}

/* kappa h = 2/N is the urn of Ehrenfest with N balls: x = (k - N/2) s, k binomial, on one parity. Relaxed for
 * 2500 steps, (1 - 2/N)^2500 = 1e-22, from the middle. */
static int urn_claim(lem_study *study) {
    enum { BALLS = 100, STEPS = 2500, INSIDE = 31 };
    const double rate = 1, T = 2. * STEPS / BALLS;
    double *p = malloc((2 * STEPS + 1) * sizeof *p);
    if (!p)
        return LEM_ERROR(GSL_ENOMEM, "no memory for the urn");
    int status = lem_biased_walk_evolve(&(lem_field){linear, &rate}, STEPS, 0, T, 1, 1e-20, p, NULL);
    double measured[INSIDE], binomial[INSIDE], gauss[INSIDE], bound[INSIDE], second = 0;
    for (size_t i = 0; i < INSIDE; i++) {
        const double j = 2 * ((double)i - INSIDE / 2);
        measured[i] = p[STEPS + (size_t)(2 * i) - 2 * (INSIDE / 2)];
        binomial[i] = 2 * lem_walk_pmf(BALLS, (long long)(2 * j));
        gauss[i] = 2 * exp(-2 * j * j / BALLS) / sqrt(M_PI * BALLS / 2);
        bound[i] = 4 * STEPS * 2.3e-16 + 1e-12; /* roundings of the walk, and of the binomial */
    }
    for (size_t j = 0; j <= 2 * STEPS; j++)
        second += p[j] * ((double)j - STEPS) * ((double)j - STEPS) * T / STEPS;
    free(p);
    LEM_TRY(status);
    LEM_TRY(lem_value_exact(study, "walk.stationary-variance", second, 12, ""));
    const lem_falsifier falsifiers[] = {
        {"normal with the same variance", lem_identity(INSIDE, measured, gauss, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "pi.walk-fokker-planck.urn",
                                       .statement = "p = -kappa x, kappa h = 2/N: the stationary law is that "
                                                    "of Ehrenfest's urn, binomial with N = 100 and variance "
                                                    "alpha/(2 kappa)",
                                       .source = "our addition",
                                       .verdict = LEM_HOLDS},
                     lem_identity(INSIDE, measured, binomial, bound), falsifiers, 1);
}

/* --- figure ------------------------------------------------------------------------------------------------
 */

/* A block for each size: x, the walk's density, the exact one, their difference times n/peak. */
static int walk_rows(lem_table *table, const pi_problem *q, size_t n) {
    const size_t sites = 2 * n + 1;
    double *memory = malloc(3 * sites * sizeof *memory);
    if (!memory)
        return LEM_ERROR(GSL_ENOMEM, "no memory for a walk of %zu steps", n);
    double *p = memory, *x = p + sites, *exact = x + sites, peak = 0;
    const double step = sqrt(q->alpha * q->T / (double)n);
    int status = lem_biased_walk_evolve(&q->drift, n, q->x0, q->T, q->alpha, HUGE_VAL, p, NULL);
    size_t count = 0;
    for (size_t j = 0; j <= 2 * n; j += 2) {
        const double at = q->x0 + step * ((double)j - (double)n);
        if (fabs(at) > 2)
            continue;
        x[count] = at;
        p[count++] = p[j] / (2 * step);
    }
    if (!status)
        status = q->density(q->alpha, q->x0, q->T, count, x, exact);
    for (size_t i = 0; i < count; i++)
        peak = fmax(peak, exact[i]);
    for (size_t i = 0; !status && i < count; i++) {
        const double row[] = {x[i], p[i], exact[i], (p[i] - exact[i]) * (double)n / peak};
        status = lem_table_row(table, row);
    }
    free(memory);
    return status ? status : lem_table_break(table);
}

/* A block of x and the exact density alone, dense enough for a line. */
static int exact_rows(lem_table *table, const pi_problem *q) {
    enum { POINTS = 401 };
    double x[POINTS], exact[POINTS];
    for (size_t i = 0; i < POINTS; i++)
        x[i] = -2 + 4 * (double)i / (POINTS - 1);
    LEM_TRY(q->density(q->alpha, q->x0, q->T, POINTS, x, exact));
    for (size_t i = 0; i < POINTS; i++)
        LEM_TRY(lem_table_row(table, (const double[]){x[i], NAN, exact[i], NAN}));
    return GSL_SUCCESS;
}

static int walk_figure(lem_study *study) {
    static const char *const columns[] = {"x", "probability over 2 s", "exact density",
                                          "error times n over the peak"};
    static const size_t sizes[] = {64, 256, 1024, 4096};
    const pi_problem q = pi_double_well(2);
    lem_table *table;
    LEM_TRY(lem_study_table(study, "lattice", columns, COUNT(columns), &table));
    for (size_t i = 0; i < COUNT(sizes); i++)
        LEM_TRY(walk_rows(table, &q, sizes[i]));
    LEM_TRY(exact_rows(table, &q));
    return lem_study_figure(
        study, "lattice",
        "The double well's walk on its lattice, started at 0.3, T = 2, over the density from "
        "the spectrum of the gauged operator; below, the errors times the number of steps.",
        "the walk's densities lie on the exact one, and their errors times n on one curve");
}

int pi_walk(lem_study *study) {
    LEM_TRY(symmetric_claim(study));
    LEM_TRY(leading_term_claim(study));
    LEM_TRY(moments_claim(study));
    LEM_TRY(order_claims(study));
    LEM_TRY(urn_claim(study));
    return walk_figure(study);
}
