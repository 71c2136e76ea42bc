/* The figure of the peak: exact and annealed means, and samples. */
#include "study.h"

enum { LENGTHS = 3, LINES = 120, DOTS = 9 };
static const double lengths[LENGTHS] = {64, 1024, 65536};

/* Traces of a row at each alpha of the dots. */
typedef struct {
    size_t n;
    double alpha[DOTS];
} dots;

static int draw(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                const void *ctx) {
    (void)first, (void)workspace;
    const lem_score_law gauss = {.kind = LEM_SCORES_GAUSSIAN};
    const dots *d = ctx;
    for (size_t i = 0; i < count; i++) {
        lem_softmax_statistics row[DOTS];
        LEM_TRY(lem_softmax_stream(&gauss, d->n, DOTS, d->alpha, stream, row));
        for (size_t k = 0; k < DOTS; k++)
            LEM_TRY(lem_moments_add(&out->moments[k], d->alpha[k] * row[k].distinct));
    }
    return GSL_SUCCESS;
}

static int lines(lem_table *table) {
    double alpha[LINES];
    ascale_grid(LINES, 0.2, 40, alpha);
    for (size_t k = 0; k < LINES; k++) {
        double row[7] = {alpha[k]};
        for (size_t i = 0; i < LENGTHS; i++) {
            lem_quenched q;
            LEM_TRY(ascale_gauss(lengths[i], alpha[k], &q));
            const double annealed = lem_annealed_trace_gauss(lengths[i], alpha[k]);
            row[1 + 2 * i] = q.trace, row[2 + 2 * i] = annealed > -8 ? annealed : NAN;
        }
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_table_break(table);
}

/* n, alpha*, the annealed F there, alpha_c, F there, the limit. */
static int marks(lem_table *table) {
    for (size_t i = 0; i < LENGTHS; i++) {
        const double n = lengths[i], optimum = lem_annealed_optimum_gauss(n), freezing = ascale_freezing(n);
        lem_quenched q;
        LEM_TRY(ascale_gauss(n, freezing, &q));
        const double row[7] = {n,        optimum, lem_annealed_trace_gauss(n, optimum),
                               freezing, q.trace, lem_expected_max_gauss(n),
                               NAN};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_table_break(table);
}

static int measured(lem_study *study, lem_table *table) {
    static const char *const purpose[LENGTHS] = {"peak, 64", "peak, 1024", "peak, 65536"};
    static const size_t full[LENGTHS] = {60000, 10000, 2000};
    double at[LENGTHS][DOTS][2];
    dots d;
    ascale_grid(DOTS, 0.3, 15, d.alpha);
    for (size_t i = 0; i < LENGTHS; i++) {
        lem_moments moments[DOTS];
        lem_mc_result result = {.moments = moments};
        d.n = (size_t)lengths[i];
        LEM_TRY(lem_study_mc(study, purpose[i],
                             (lem_mc_plan){.samples = lem_study_samples(study, full[i], 40),
                                           .chunk_size = 1 + 262144 / d.n,
                                           .n_moments = DOTS,
                                           .chunk = draw,
                                           .ctx = &d},
                             &result));
        for (size_t k = 0; k < DOTS; k++)
            at[i][k][0] = lem_moments_mean(&moments[k]), at[i][k][1] = lem_moments_stderr(&moments[k]);
    }
    for (size_t k = 0; k < DOTS; k++) {
        const double row[7] = {d.alpha[k],  at[0][k][0], at[0][k][1], at[1][k][0],
                               at[1][k][1], at[2][k][0], at[2][k][1]};
        LEM_TRY(lem_table_row(table, row));
    }
    return GSL_SUCCESS;
}

int ascale_peak(lem_study *study) {
    static const char *const columns[] = {"alpha",    "F, n = 64",    "annealed", "F, n = 1024",
                                          "annealed", "F, n = 65536", "annealed"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "peak", columns, 7, &table));
    LEM_TRY(lines(table));
    LEM_TRY(marks(table));
    LEM_TRY(measured(study, table));
    return lem_study_figure(
        study, "peak",
        "Mean trace of the softmax Jacobian over Gaussian scores: exact (the lines that rise to E max), "
        "sampled (points, 3 standard errors), and by the annealed formula (the lines that turn down), whose "
        "maximum is the article's optimum.",
        "the annealed formula has a peak and turns down; the true mean passes it by and rises to "
        "E max, a horizontal line");
}
