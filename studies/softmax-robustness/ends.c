/* From uniform to one-hot attention: both ends are robust, the middle is not. */
#include "study.h"

enum { N = 256, SHARPS = 25, AT_120 = SHARPS - 1 };
static const double sharps[SHARPS] = {0,  0.25, 0.5, 0.75, 1,  1.5, 2,  2.5, 3,  4,  5,  6,  8,
                                      10, 12,   15,  18,   21, 25,  30, 36,  44, 52, 60, 120};
static const double SIGMA = 0.5;
/* The two largest scores of a draw are at least this far apart, so that at sharpness 120 one token beats each
 * other by e^24: the change is below 255 e^-24 e^(e_j - e_1) times the range of values, and its root mean
 * square below 1e-5. Such are three draws of five. */
static const double GAP = 0.2;

/* A record: for each sharpness the exact r.m.s. change, and the participation number. */
enum { RECORD = 2 * SHARPS };

typedef struct {
    size_t doubles;
    const lem_noise_table *table;
} context;

static double gap(const double *s) {
    double first = -INFINITY, second = -INFINITY;
    for (size_t i = 0; i < N; i++) {
        if (s[i] > first)
            second = first, first = s[i];
        else if (s[i] > second)
            second = s[i];
    }
    return first - second;
}

static int draw(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                const void *ctx) {
    (void)first;
    const context *c = ctx;
    double *s = workspace, *v = s + N, *p = v + N;
    for (size_t r = 0; r < count; r++) {
        do
            LEM_TRY(lem_normal_fill(stream, N, s));
        while (gap(s) < GAP);
        LEM_TRY(lem_normal_fill(stream, N, v));
        for (int k = 0; k < SHARPS; k++) {
            lem_noisy_moments m;
            for (size_t i = 0; i < N; i++)
                p[i] = sharps[k] * s[i];
            LEM_TRY(lem_softmax(N, p, p));
            LEM_TRY(lem_noisy_attention_moments(c->table, N, p, v, &m));
            out->records[r * RECORD + 2 * (size_t)k] = sqrt(m.mse);
            out->records[r * RECORD + 2 * (size_t)k + 1] = lem_participation_number(N, p);
        }
    }
    return GSL_SUCCESS;
}

enum { FULL = 100, FLOOR = 30 };

/* The logarithm of the largest error over that of uniform attention; for one-hot attention cut at -8. */
static int claim_hump(lem_study *study, size_t draws, const double *records) {
    lem_moments hump, flat;
    lem_moments_init(&hump), lem_moments_init(&flat);
    for (size_t r = 0; r < draws; r++) {
        double most = 0, least = INFINITY;
        const double *rms = records + r * RECORD;
        for (int k = 0; k < SHARPS; k++)
            most = fmax(most, rms[2 * k]), least = fmin(least, rms[2 * k]);
        LEM_TRY(lem_moments_add(&hump, log(most / rms[0])));
        LEM_TRY(lem_moments_add(&flat, fmax(-8, log(rms[2 * AT_120] / rms[0]))));
    }
    const double times = exp(lem_moments_mean(&hump));
    LEM_TRY(lem_value_estimate(study, "ends.hump", times, times * lem_moments_stderr(&hump), "times"));
    static const double bound[1] = {0.693147};
    const lem_falsifier falsifiers[] = {
        {"the error grows with sharpness: it is largest for one-hot attention",
         lem_mean_at_least(1, &flat, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.both-extremes",
                          .statement = "somewhere between uniform and one-hot attention the error is more "
                                       "than twice that of uniform attention, n = 256, sigma = 0.5, in "
                                       "the geometric mean over draws",
                          .source = OURS,
                          .verdict = LEM_HOLDS,
                          .floor = FLOOR,
                          .floor_reason = "the logarithm at the sharp end is below -8, whatever the draw, "
                                          "and that of the hump spreads by less than 0.5 about 2"},
        lem_mean_at_least(1, &hump, bound), falsifiers, 1);
}

static int claim_sharp(lem_study *study, size_t draws, const double *records) {
    double measured[FULL], law[FULL], bound[FULL], most = 0;
    const size_t n = draws < FULL ? draws : FULL;
    for (size_t r = 0; r < n; r++) {
        const double *at = records + r * RECORD + 2 * (size_t)AT_120;
        measured[r] = at[0], law[r] = sqrt(lem_noise_factor_gauss(SIGMA) / at[1]), bound[r] = 1e-5;
        most = fmax(most, at[0]);
    }
    LEM_TRY(lem_value_scaled(study, "ends.sharp", most, 2, ""));
    LEM_TRY(lem_value_scaled(study, "ends.sharp-law", law[0], 2, ""));
    const lem_falsifier falsifiers[] = {{"sqrt(nu/N)", lem_inequality(n, law, bound, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.both-extremes.sharp",
                          .statement = "at sharpness 120, with the two largest scores at least 0.2 apart, "
                                       "the r.m.s. error is below 1e-5, where sqrt(nu/N) says 0.53",
                          .source = OURS,
                          .verdict = LEM_HOLDS},
        lem_inequality(n, measured, bound, NULL), falsifiers, 1);
}

/* Three draws, the geometric mean over all, sqrt(nu/N) and N. */
static int figure(lem_study *study, size_t draws, const double *records) {
    static const char *const columns[] = {
        "sharpness",      "error, first draw",          "second draw",      "third draw",
        "geometric mean", "sqrt(nu/N), geometric mean", "N, geometric mean"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "ends", columns, COUNT(columns), &table));
    for (int k = 0; k < SHARPS; k++) {
        double rms = 0, n = 0;
        for (size_t r = 0; r < draws; r++) {
            rms += log(records[r * RECORD + 2 * (size_t)k]) / (double)draws;
            n += log(records[r * RECORD + 2 * (size_t)k + 1]) / (double)draws;
        }
        const double row[] = {sharps[k],
                              records[2 * k],
                              records[RECORD + 2 * k],
                              records[2 * RECORD + 2 * k],
                              exp(rms),
                              sqrt(lem_noise_factor_gauss(SIGMA) * exp(-n)),
                              exp(n)};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(
        study, "ends",
        "Top: exact r.m.s. change of the output against the sharpness α of softmax(αs), n = 256 normal "
        "scores and values, "
        "Gaussian noise σ = 0.5: single draws, their geometric mean, and √(ν/N) (dotted). Bottom: the "
        "participation number N, geometric mean.",
        "The error rises from uniform attention to a hump where a few tokens compete and then falls to "
        "nothing, while the root of nu over N keeps rising");
}

int srob_ends(lem_study *study) {
    const size_t draws = lem_study_samples(study, FULL, FLOOR);
    context c = {3 * N, lem_noise_table_alloc((lem_noise){LEM_NOISE_GAUSS, SIGMA})};
    double *records = malloc(draws * RECORD * sizeof *records);
    lem_mc_result result = {.records = records};
    int status = c.table && records ? GSL_SUCCESS : LEM_ERROR(GSL_ENOMEM, "no memory for %zu draws", draws);
    if (!status)
        status = lem_study_mc(study, "sharpness",
                              (lem_mc_plan){.samples = draws,
                                            .chunk_size = 2,
                                            .n_records = RECORD,
                                            .chunk = draw,
                                            .ctx = &c,
                                            .workspace_alloc = srob_workspace_alloc,
                                            .workspace_free = free},
                              &result);
    if (!status)
        status = claim_hump(study, draws, records);
    if (!status)
        status = claim_sharp(study, draws, records);
    if (!status)
        status = figure(study, draws, records);
    lem_noise_table_free((lem_noise_table *)c.table);
    free(records);
    return status;
}
