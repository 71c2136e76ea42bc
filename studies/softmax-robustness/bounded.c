/* Noise of bounded size, of any dependence: the total variation and the output. */
#include "study.h"

enum { MOST = 7, FULL = 3000, FLOOR = 300 };

/* A record: h, the largest total variation over all signs, the largest change of the output over the diameter
 * of the values. Both are largest at a vertex of the box: q is a ratio of functions that are linear in each
 * e^noise. */
enum { H, VARIATION, CHANGE, RECORD };

static void all_signs(size_t n, const double *p, const double *v, double h, double *variation,
                      double *change) {
    *variation = *change = 0;
    double o = 0;
    for (size_t i = 0; i < n; i++)
        o += p[i] * v[i];
    for (unsigned set = 0; set < 1U << n; set++) {
        double sum = 0, moved = 0, distance = 0, q[MOST];
        for (size_t i = 0; i < n; i++)
            sum += q[i] = p[i] * exp(set >> i & 1 ? h : -h);
        for (size_t i = 0; i < n; i++) {
            distance += fabs(q[i] / sum - p[i]) / 2;
            moved += q[i] / sum * (v[i] - o);
        }
        *variation = fmax(*variation, distance);
        *change = fmax(*change, fabs(moved));
    }
}

static int draw(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                const void *ctx) {
    (void)first, (void)workspace, (void)ctx;
    for (size_t r = 0; r < count; r++) {
        double p[MOST], v[MOST], u[2], *record = out->records + r * RECORD, low = INFINITY, high = -INFINITY;
        LEM_TRY(lem_uniform_fill(stream, 2, u));
        const size_t n = 2 + (size_t)(u[0] * (MOST - 1));
        record[H] = 0.05 * pow(60, u[1]);
        LEM_TRY(srob_tokens(stream, n, 1.5, 0.5, p, v));
        for (size_t i = 0; i < n; i++)
            low = fmin(low, v[i]), high = fmax(high, v[i]);
        all_signs(n, p, v, record[H], &record[VARIATION], &record[CHANGE]);
        record[CHANGE] /= high - low;
    }
    return GSL_SUCCESS;
}

static int claim_bound(lem_study *study, size_t draws, const double *records) {
    double *all = malloc(4 * 2 * draws * sizeof *all), most = 0;
    if (!all)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu draws", draws);
    double *measured = all, *bound = all + 2 * draws, *quarter = bound + 2 * draws,
           *slack = quarter + 2 * draws;
    for (size_t i = 0; i < 2 * draws; i++) {
        const double *record = records + i / 2 * RECORD;
        measured[i] = record[VARIATION + i % 2];
        bound[i] = lem_tv_bound_bounded_noise(record[H]),
        quarter[i] = lem_tv_bound_bounded_noise(record[H] / 2);
        slack[i] = 1e-12;
        most = fmax(most, measured[i] / bound[i]);
    }
    int status = lem_value_scaled(study, "bounded.gap", 1 - most, 1, "");
    const lem_falsifier falsifiers[] = {{"tanh(h/4)", lem_inequality(2 * draws, measured, quarter, slack)}};
    if (!status)
        status = lem_claim(
            study,
            &(lem_claim_info){.id = "srob.bounded-noise",
                              .statement = "if every |noise| <= h, of any dependence, total variation and "
                                           "change of the output over the diameter of the values are at "
                                           "most tanh(h/2): all 2^n signs, n = 2..7, h = 0.05..3",
                              .source = OURS,
                              .verdict = LEM_HOLDS},
            lem_inequality(2 * draws, measured, bound, slack), falsifiers, 1);
    free(all);
    return status;
}

/* A group of weight 1/(1 + e^h) against the rest. */
static int claim_tight(lem_study *study) {
    enum { SIZES = 6 };
    static const double h[SIZES] = {0.01, 0.05, 0.2, 1, 3, 10};
    double measured[SIZES], bound[SIZES], wrong[SIZES], rounding[SIZES];
    for (int i = 0; i < SIZES; i++) {
        const double group = 1 / (1 + exp(h[i])), p[] = {group / 2, group / 2, 1 - group}, v[] = {0, 0, 1};
        double change;
        all_signs(3, p, v, h[i], &measured[i], &change);
        bound[i] = lem_tv_bound_bounded_noise(h[i]), wrong[i] = lem_tv_bound_bounded_noise(2 * h[i]);
        rounding[i] = 1e-13 / h[i] + 1e-13; /* 1e-16 of p, in a difference of size h/2 */
    }
    LEM_TRY(lem_value_exact(study, "bounded.at-1", bound[3], 3, ""));
    /* scores of size 8 to 16 with 8 bits of significand: half a unit of the last place is 2^-5 */
    LEM_TRY(lem_value_exact(study, "bounded.bfloat", lem_tv_bound_bounded_noise(0x1p-5), 2, ""));
    const lem_falsifier falsifiers[] = {{"tanh(h)", lem_identity(SIZES, measured, wrong, rounding)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "srob.bounded-noise.tight",
                          .statement = "tanh(h/2) is attained: tokens of total weight 1/(1+e^h) raised by h, "
                                       "the others lowered by h; h = 0.01..10",
                          .source = OURS,
                          .verdict = LEM_HOLDS},
        lem_identity(SIZES, measured, bound, rounding), falsifiers, 1);
}

int srob_bounded(lem_study *study) {
    const size_t draws = lem_study_samples(study, FULL, FLOOR);
    double *records = malloc(draws * RECORD * sizeof *records);
    if (!records)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu draws", draws);
    lem_mc_result result = {.records = records};
    int status = lem_study_mc(
        study, "signs", (lem_mc_plan){.samples = draws, .chunk_size = 50, .n_records = RECORD, .chunk = draw},
        &result);
    if (!status)
        status = claim_bound(study, draws, records);
    free(records);
    return status ? status : claim_tight(study);
}
