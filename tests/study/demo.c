/* A study of a minute's reading that the tests of the runtime drive: the mean of n uniforms. Environment
 * variables make it misbehave on purpose. */
#include "study/study.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

static const char *trouble(void) {
    const char *text = getenv("DEMO_TROUBLE");
    return text ? text : "";
}

static bool troubled_by(const char *what) {
    return strcmp(trouble(), what) == 0;
}

enum { WIDTHS = 5 };
static const size_t widths[WIDTHS] = {1, 2, 4, 8, 16};

/* The mean of `width` uniforms has mean 1/2 and variance 1/(12 width). */
static int draw_means(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *ctx) {
    (void)workspace, (void)ctx;
    double u[16];
    if (troubled_by("slow"))
        (void)usleep(20000);
    if (troubled_by("bad chunks") && first >= 7000)
        return LEM_ERROR(GSL_ERANGE, "sample %zu is too hot", first);
    if (troubled_by("killed") && first >= 7000)
        (void)kill(getpid(), SIGKILL);
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        LEM_TRY(lem_uniform_fill(stream, 16, u));
        for (size_t w = 0, at = 0; w < WIDTHS; w++) {
            for (; at < widths[w]; at++)
                sum += u[at];
            LEM_TRY(lem_moments_add(&out->moments[w], sum / (double)widths[w]));
        }
        out->counts[0] += u[0] < 0.25;
        if (out->records)
            out->records[i] = u[15];
    }
    return GSL_SUCCESS;
}

static double uniform_cdf(double x, const void *ctx) {
    return pow(x, ctx ? *(const double *)ctx : 1);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int claim_moments(lem_study *study, const lem_moments *m) {
    double half[WIDTHS], wrong_mean[WIDTHS], variance[WIDTHS], wrong_variance[WIDTHS];
    for (size_t w = 0; w < WIDTHS; w++) {
        half[w] = 0.5;
        wrong_mean[w] = troubled_by("weak falsifier") ? 0.5 + 1e-9 : 0.51;
        variance[w] = (troubled_by("false claim") ? 1.1 : 1) / (12.0 * (double)widths[w]);
        wrong_variance[w] = 1.0 / 12;
    }
    LEM_TRY(lem_claim(
        study,
        (&(lem_claim_info){.id = "demo.mean",
                           .statement = "E[mean of n uniforms] = 1/2 # for every n",
                           .source = "exercise",
                           .floor = 20000,
                           .floor_reason = "the falsifier is off by 0.01 = 19 standard errors at n = 16"}),
        lem_expectation(WIDTHS, m, half),
        (&(lem_falsifier){"E = 0.51", lem_expectation(WIDTHS, m, wrong_mean)}), 1));
    return lem_claim(study,
                     (&(lem_claim_info){.id = "demo.variance",
                                        .statement = "Var[mean of n uniforms] = 1/(12 n)",
                                        .source = "exercise",
                                        .verdict = LEM_REFUTED,
                                        .note = "the published variance forgets the factor 1/n",
                                        .floor = 20000,
                                        .floor_reason = "1/12 is off by hundreds of standard errors"}),
                     lem_variance(WIDTHS, m, variance),
                     (&(lem_falsifier){"variance 1/12, whatever n", lem_variance(WIDTHS, m, wrong_variance)}),
                     1);
}

static int claim_law(lem_study *study, double *records, size_t n) {
    static const double wrong = 1.2;
    qsort(records, n, sizeof *records, compare);
    return lem_claim(
        study,
        (&(lem_claim_info){
            .id = "demo.law",
            .statement = "a uniform has the distribution function x",
            .source = "exercise",
            .verdict = LEM_HOLDS_WHEN,
            .note = "0 <= x <= 1",
            .floor = 20000,
            .floor_reason =
                "x^1.2 is 0.067 away: 9.5 / sqrt(n) at the floor, where 2.7 / sqrt(n) is the limit"}),
        lem_distribution_ks(n, records, uniform_cdf, NULL),
        (&(lem_falsifier){"x^1.2", lem_distribution_ks(n, records, uniform_cdf, &wrong)}), 1);
}

static int tabulate(lem_study *study, const lem_moments *m) {
    static const char *const columns[] = {"n", "variance", "standard error", "1/(12 n)"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "demo", columns, 4, &table));
    for (size_t w = 0; w < WIDTHS; w++) {
        double value = lem_moments_variance(&m[w]), error = lem_moments_variance_stderr(&m[w]);
        double row[] = {(double)widths[w], troubled_by("empty figure") ? NAN : value, error,
                        1.0 / (12.0 * (double)widths[w])};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(study, "demo", "Variance of the mean of n uniforms & its law",
                            "the variance falls as 1/(12 n) <straight line on both logarithmic axes>");
}

static int run_sampling(lem_study *study) {
    size_t n = lem_study_samples(study, 200000, 20000);
    lem_moments moments[WIDTHS];
    uint64_t quarter = 0, trials = n;
    static const double right = 0.25, wrong = 0.2;
    double *records = calloc(n, sizeof *records);
    if (!records)
        return LEM_ERROR(GSL_ENOMEM, "out of memory");
    for (size_t w = 0; w < WIDTHS; w++)
        lem_moments_init(&moments[w]);
    lem_mc_result result = {moments, &quarter, records};
    int status = lem_study_mc(study, "means",
                              (lem_mc_plan){.samples = n,
                                            .chunk_size = 1000,
                                            .n_moments = WIDTHS,
                                            .n_counts = 1,
                                            .n_records = 1,
                                            .chunk = draw_means},
                              &result);
    if (!status)
        status = claim_moments(study, moments);
    if (!status)
        status = claim_law(study, records, n);
    if (!status)
        status = lem_value_scaled(study, "demo.largest", records[n - 1], 12, "");
    free(records);
    LEM_TRY(status);
    LEM_TRY(lem_claim(study,
                      (&(lem_claim_info){.id = "demo.quarter",
                                         .statement = "P(U < 1/4) = 1/4",
                                         .source = "exercise",
                                         .floor = 20000,
                                         .floor_reason = "0.2 is 16 standard errors away"}),
                      lem_probability(1, &quarter, &trials, &right),
                      (&(lem_falsifier){"P = 1/5", lem_probability(1, &quarter, &trials, &wrong)}), 1));
    for (size_t w = 0; w < WIDTHS; w++) {
        char key[64];
        (void)snprintf(key, sizeof key, "demo.variance.n%zu", widths[w]);
        LEM_TRY(lem_value_estimate(study, key, lem_moments_variance(&moments[w]),
                                   lem_moments_variance_stderr(&moments[w]), ""));
    }
    LEM_TRY(tabulate(study, moments));
    if (troubled_by("linger")) /* with a table on the disk, not yet in place */
        (void)sleep(10);
    return GSL_SUCCESS;
}

static int run_exact(lem_study *study) {
    static const double measured = 1.0 / 3, expected = 1.0 / 3, bound = 1e-15, wrong = 0.34;
    LEM_TRY(lem_claim(study,
                      (&(lem_claim_info){.id = "demo.third",
                                         .statement = "the second moment of a uniform is 1/3",
                                         .source = "exercise"}),
                      lem_identity(1, &measured, &expected, &bound),
                      (&(lem_falsifier){"0.34", lem_identity(1, &measured, &wrong, &bound)}), 1));
    if (troubled_by("warning"))
        (void)qgamma(0.01, 0.01, 1, 2, 0), (void)lgammafn(-1), (void)printf("a stray line\n");
    if (troubled_by("data file"))
        LEM_TRY(lem_study_data_file(study, getenv("DEMO_DATA")));
    if (troubled_by("skip")) {
        lem_study_note(study, "the photographs are not there: %s", "install them");
        LEM_TRY(lem_claim_skip(study, "demo.photographs", "photographs are flat", "no photographs"));
    }
    if (troubled_by("nan value"))
        LEM_TRY(lem_value_exact(study, "demo.bad", NAN, 3, ""));
    if (troubled_by("duplicate value"))
        LEM_TRY(lem_value_exact(study, "demo.third", 0.5, 3, ""));
    if (troubled_by("last bit"))
        return lem_value_exact(study, "demo.third", nextafter(measured, 1), 15, "");
    return lem_value_exact(study, "demo.third", measured, 15, "");
}

static const lem_section sections[] = {
    {"exact", "closed forms", run_exact},
    {"sampling", "means of uniforms", run_sampling},
};

int main(int argc, char **argv) {
    static const lem_study_spec spec = {"demo", "The mean of uniforms", sections, 2};
    return lem_study_main(&spec, argc, argv);
}
