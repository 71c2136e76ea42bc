/* Unrelated rows: their segment means shrink, and the approximation becomes mean pooling. */
#include "study.h"

#include <stdio.h>

enum { SIZES = 4, FULL = 400, LEAST = 250, KS = 0 /* the size whose whole law is tested */ };
static const size_t sizes[SIZES] = {8, 16, 32, 64};

typedef struct {
    double length;
} context;

typedef struct {
    gsl_matrix *x, *means[SIZES];
} space;

static void space_free(void *memory) {
    space *s = memory;
    if (!s)
        return;
    gsl_matrix_free(s->x);
    for (size_t i = 0; i < SIZES; i++)
        gsl_matrix_free(s->means[i]);
    free(s);
}

static void *space_alloc(const void *ctx) {
    (void)ctx;
    space *s = calloc(1, sizeof *s);
    bool all = s && (s->x = gsl_matrix_alloc(NYS_N, NYS_D));
    for (size_t i = 0; all && i < SIZES; i++)
        all = (s->means[i] = gsl_matrix_alloc(sizes[i], NYS_D)) != NULL;
    if (all)
        return s;
    space_free(s);
    return NULL;
}

/* (n/m) ||Q~||_F^2 / s^2 for each m. */
static int norms(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                 const void *ctx) {
    (void)first;
    const space *s = workspace;
    const double variance = 1.44 / sqrt(NYS_D);
    for (size_t i = 0; i < count; i++) {
        LEM_TRY(nys_draw_rows(stream, ((const context *)ctx)->length, s->x));
        for (size_t t = 0; t < SIZES; t++) {
            LEM_TRY(lem_segment_means(s->x, 0, s->means[t]));
            const double norm = lem_frobenius_norm(s->means[t]);
            const double value = norm * norm * NYS_N / (double)sizes[t] / variance;
            LEM_TRY(lem_moments_add(&out->moments[t], value));
            out->records[i * SIZES + t] = value;
        }
    }
    return GSL_SUCCESS;
}

static double chi_square(double x, const void *ctx) {
    return lem_chisq_cdf(x, *(const double *)ctx, LEM_LOWER);
}

/* d chi^2_m: the right mean, as if the d coordinates of a row moved together */
static double by_rows(double x, const void *ctx) {
    return lem_chisq_cdf(x / NYS_D, *(const double *)ctx / NYS_D, LEM_LOWER);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int norm_claims(lem_study *study) {
    static double records[2][FULL * SIZES], sorted[FULL];
    static const context kinds[2] = {{0}, {512}};
    static const char *const purposes[2] = {"iid-norms", "smooth-norms"};
    lem_moments moments[2][SIZES];
    const size_t n = lem_study_samples(study, FULL, LEAST);
    if (n > FULL)
        return LEM_ERROR(GSL_EDOM, "--scale %g: must be <= 1 in this study", lem_study_scale(study));
    for (size_t k = 0; k < 2; k++) {
        lem_mc_result result = {.moments = moments[k], .records = records[k]};
        LEM_TRY(lem_study_mc(study, purposes[k],
                             (lem_mc_plan){.samples = n,
                                           .chunk_size = 10,
                                           .n_moments = SIZES,
                                           .n_records = SIZES,
                                           .chunk = norms,
                                           .ctx = &kinds[k],
                                           .workspace_alloc = space_alloc,
                                           .workspace_free = space_free},
                             &result));
    }
    double expected[SIZES], kept[SIZES];
    char key[64];
    for (size_t t = 0; t < SIZES; t++) {
        expected[t] = (double)(sizes[t] * NYS_D);
        kept[t] = (double)(NYS_N * NYS_D); /* E ||q~||^2 = E ||q||^2 */
        (void)snprintf(key, sizeof key, "iid.ratio.%zu", sizes[t]);
        LEM_TRY(lem_value_estimate(study, key, lem_moments_mean(&moments[0][t]) / kept[t],
                                   lem_moments_stderr(&moments[0][t]) / kept[t], ""));
        (void)snprintf(key, sizeof key, "smooth.ratio.%zu", sizes[t]);
        LEM_TRY(lem_value_estimate(study, key, lem_moments_mean(&moments[1][t]) / kept[t],
                                   lem_moments_stderr(&moments[1][t]) / kept[t], ""));
    }
    const lem_falsifier falsifiers[] = {
        {"means are as long as rows: E ||q~||^2 = E ||q||^2", lem_expectation(SIZES, moments[0], kept)},
        {"smooth rows (correlation length 512) shrink as much",
         lem_expectation(SIZES, moments[1], expected)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "nys.iid-fails",
                          .statement = "for unrelated rows E ||q~||^2 = (m/n) E ||q||^2, m = 8, 16, 32, 64",
                          .source = "our addition to kexue.fm 8180",
                          .verdict = LEM_HOLDS,
                          .floor = LEAST,
                          .floor_reason = "both falsifiers are off by a factor of at least 7 where the "
                                          "standard deviation is at most 9 percent of the smaller: 12 "
                                          "draws would do; 250 are for the law"},
        lem_expectation(SIZES, moments[0], expected), falsifiers, 2));
    for (size_t i = 0; i < n; i++)
        sorted[i] = records[0][i * SIZES + KS];
    qsort(sorted, n, sizeof *sorted, compare);
    const lem_falsifier law[] = {{"d chi^2_m, as if a row's coordinates moved together",
                                  lem_distribution_ks(n, sorted, by_rows, &expected[KS])}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "nys.iid-fails.law",
                          .statement = "(n/m) ||Q~||_F^2 / s^2 is chi-square with m d degrees of freedom (m "
                                       "= 8, d = 32)",
                          .source = "our addition to kexue.fm 8180",
                          .verdict = LEM_HOLDS,
                          .floor = LEAST,
                          .floor_reason = "the two laws are 0.35 apart; Dvoretzky-Kiefer-Wolfowitz for "
                                          "level and power asks for (2 x 2.694/0.35)^2 = 237"},
        lem_distribution_ks(n, sorted, chi_square, &expected[KS]), law, 1);
}

static int pooling_claim(lem_study *study) {
    enum { DRAWS = 2, HELD = 3, POINTS = DRAWS * HELD };
    double off[2][POINTS], tenth[POINTS];
    char key[64];
    nys_data *data = nys_data_alloc(NYS_N, NYS_D);
    int status = data ? GSL_SUCCESS : GSL_ENOMEM;
    for (size_t at = 0; at < 2 * DRAWS && !status; at++) {
        lem_stream stream;
        const size_t smooth = at / DRAWS;
        if ((status = lem_study_stream(study, "pooling", (uint32_t)at, &stream)) ||
            (status = nys_draw(&stream, smooth ? 512 : 0, data)))
            break;
        const double pooling = nys_pooling_error(data);
        for (size_t t = 0; t < HELD && !status; t++) {
            nys_parts *p = nys_parts_alloc(NYS_N, NYS_D, sizes[t]);
            double error = NAN;
            if (!(status = p ? nys_factor(data, p) : GSL_ENOMEM) && !(status = nys_six(p)))
                status = nys_error_of(data, p, p->z, &error);
            nys_parts_free(p);
            off[smooth][HELD * (at % DRAWS) + t] = fabs(error / pooling - 1);
            tenth[HELD * (at % DRAWS) + t] = 0.1;
            if (at == 0 && !status) {
                (void)snprintf(key, sizeof key, "iid.six.%zu", sizes[t]);
                status = lem_value_scaled(study, key, error, 3, "");
            }
        }
        if (at == 0 && !status)
            status = lem_value_scaled(study, "iid.pooling", pooling, 3, "");
    }
    nys_data_free(data);
    LEM_TRY(status);
    const lem_falsifier falsifiers[] = {
        {"so it is for correlation length 512", lem_inequality(POINTS, off[1], tenth, NULL)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.iid-fails.pooling",
                                       .statement =
                                           "for unrelated rows and m <= n/16 the six-step error is within 10 "
                                           "percent of that of mean pooling",
                                       .source = "our addition to kexue.fm 8180",
                                       .verdict = LEM_HOLDS},
                     lem_inequality(POINTS, off[0], tenth, NULL), falsifiers, 1);
}

int nys_iid(lem_study *study) {
    LEM_TRY(norm_claims(study));
    return pooling_claim(study);
}
