/* The entropy rule n > 8.33 log N: its exact form, its constant, and what it depends on. */
#include "study.h"

/* h_n(1) by the trapezoidal rule in the angle, straight from the definition, for even n: the integrands are
 * then entire and periodic, and the rule errs by less than rounding once the nodes outnumber n several times.
 */
enum { NODES = 4096 };
static double gap_by_quadrature(double n) {
    const double at = 1 / GOLDEN; /* where the exponent is largest for large n: take the maximum out */
    const double out = n * log(sqrt(1 - at * at));
    double plain = 0, weighted = 0, moment = 0;
    for (int i = 1; i < NODES; i++) {
        const double theta = M_PI * i / NODES, x = n * (cos(theta) - at),
                     log_density = (n - 2) * log(sin(theta));
        plain += exp(log_density);
        const double weight = exp(x + log_density - out);
        weighted += weight;
        moment += x * weight;
    }
    return log(weighted / plain) + out - moment / weighted;
}

static const double TABLE_N[] = {32, 64, 96, 128, 256, 512};
enum { N_TABLE = COUNT(TABLE_N) };

static double two_terms(double n) {
    return -n * LOG_GOLDEN / 2 + LOG_GOLDEN - log(5) / 4 - 2 / (5 * GOLDEN * GOLDEN);
}

static int closed_form_claims(lem_study *study) {
    static const double published[N_TABLE] = {-7.774705, -15.47340, -23.17256,
                                              -30.87183, -61.66922, -123.26425};
    double closed[N_TABLE], quadrature[N_TABLE], laplace[N_TABLE], rounding[N_TABLE], linear[N_TABLE],
        digit[N_TABLE];
    for (size_t i = 0; i < N_TABLE; i++) {
        const double n = TABLE_N[i];
        closed[i] = lem_skipgram_entropy_gap(n, 1);
        quadrature[i] = gap_by_quadrature(n);
        laplace[i] = -n * LOG_GOLDEN / 2 - log(5) / 4;
        /* exponents of size n carry 4 roundings, the sums one per node */
        rounding[i] = (8 * n + NODES) * 2.22e-16 / fabs(closed[i]);
        linear[i] = -.2406 * n;
        digit[i] = i == 0 ? 5e-7 : 5e-6;
    }
    const lem_falsifier prefactor[] = {{"Laplace's method without sin^-2 and without the shift of the mean: "
                                        "-n/2 log phi - log(5)/4 (published derivation)",
                                        lem_identity(N_TABLE, quadrature, laplace, rounding)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.entropy-dimension",
            .statement = "h_n = log E e^X - E[X e^X]/E e^X, X = n cos(theta), is minus the Kullback-Leibler "
                         "divergence of the von Mises-Fisher law (Bessel closed form)",
            .source = "kexue.fm 7695, 8711; our closed form",
            .verdict = LEM_HOLDS},
        lem_identity(N_TABLE, quadrature, closed, rounding), prefactor, 1));
    const lem_falsifier rounded[] = {
        {"h_n = -0.2406 n", lem_identity_abs(N_TABLE, published, linear, digit)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "jl.entropy-dimension.table",
                          .statement =
                              "the six published values of h_n, n = 32..512, are right to their last digit",
                          .source = "kexue.fm 8711, table",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(N_TABLE, published, closed, digit), rounded, 1);
}

static int asymptotic_claims(lem_study *study) {
    enum { POINTS = 7, SIZES = 5 };
    double h[POINTS], three[POINTS], laplace[POINTS], bound[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double n = 32 * pow(2, (double)i);
        h[i] = lem_skipgram_entropy_gap(n, 1);
        three[i] = two_terms(n) - 0.0437822 / n;
        laplace[i] = -n * LOG_GOLDEN / 2 - log(5) / 4;
        bound[i] = .1 / (n * n);
    }
    LEM_TRY(lem_value_exact(study, "entropy.bracket", two_terms(0), 7, ""));
    LEM_TRY(lem_value_exact(study, "entropy.third",
                            2048 * (lem_skipgram_entropy_gap(2048, 1) - two_terms(2048)), 4, ""));
    LEM_TRY(lem_value_exact(study, "entropy.constant", lem_embedding_dim_coefficient(1), 8, ""));
    LEM_TRY(lem_value_exact(study, "entropy.slope", LOG_GOLDEN / 2, 6, ""));
    const lem_falsifier falsifiers[] = {{"the constant term is -log(5)/4 (published derivation)",
                                         lem_identity_abs(POINTS, h, laplace, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.entropy-dimension.asymptotic",
            .statement =
                "h_n = -n/2 log phi + (log phi - log(5)/4 - 2/(5 phi^2)) - 0.0437822/n up to 0.1/n^2, "
                "n = 32..2048; phi the golden ratio",
            .source = "our addition to kexue.fm 8711",
            .verdict = LEM_HOLDS},
        lem_identity_abs(POINTS, h, three, bound), falsifiers, 1));
    const double sizes[SIZES] = {512, 1e5, 5e6, 1e9, 1e12};
    double threshold[SIZES], refined[SIZES], rounded[SIZES], remainder[SIZES];
    static const char *const keys[SIZES] = {"entropy.threshold.512", "entropy.threshold.1e5",
                                            "entropy.threshold.5e6", "entropy.threshold.1e9",
                                            "entropy.threshold.1e12"};
    for (size_t i = 0; i < SIZES; i++) {
        threshold[i] = lem_embedding_dim_threshold(sizes[i], 1, LEM_ENTROPY_JOINT);
        refined[i] = 4 / LOG_GOLDEN * log(sizes[i]) + 2 * two_terms(0) / LOG_GOLDEN;
        rounded[i] = 8.33 * log(sizes[i]);
        remainder[i] = .2 / threshold[i]; /* 2 x 0.0438/log phi = 0.182 */
        LEM_TRY(lem_value_exact(study, keys[i], threshold[i], 5, ""));
    }
    const lem_falsifier published[] = {
        {"8.33 log N (2/0.24 with 0.24 rounded)", lem_identity_abs(SIZES, threshold, rounded, remainder)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.entropy-dimension.constant",
            .statement =
                "2 log N + h_n = 0 at n = 4/log(phi) log N - 0.3073 up to 0.2/n: the constant is 8.3123",
            .source = "kexue.fm 8711, refined",
            .verdict = LEM_HOLDS_WHEN,
            .note = "8.33 is 2/0.24 with the rounded slope; the exact constant is 4/log phi = 8.3123, and "
                    "thresholds lie 0.31 below its multiple of log N"},
        lem_identity_abs(SIZES, threshold, refined, remainder), published, 1);
}

/* --- the radius
 * ------------------------------------------------------------------------------------------------ */

static double log_s(double beta) {
    return M_LN2 - log1p(sqrt(1 + 4 * beta * beta));
}

static int radius_claims(lem_study *study) {
    static const double betas[] = {.25, .5, 1, 2};
    static const char *const keys[] = {"radius.C.0.25", "radius.C.0.5", "radius.C.1", "radius.C.2"};
    enum { POINTS = COUNT(betas), SMALL = 3 };
    double slope[POINTS], half_log[POINTS], quadratic[POINTS], bound[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        slope[i] =
            (lem_skipgram_entropy_gap(2000, betas[i]) - lem_skipgram_entropy_gap(1000, betas[i])) / 1000;
        half_log[i] = log_s(betas[i]) / 2;
        quadratic[i] = -betas[i] * betas[i] / 2;
        bound[i] =
            1.0 / (1000.0 * 1000.0); /* the 1/n terms, below 1 in size, differ by 1/2000 over 1000 steps */
        LEM_TRY(lem_value_exact(study, keys[i], lem_embedding_dim_coefficient(betas[i]), 6, ""));
    }
    const lem_falsifier jl_like[] = {
        {"C = 4/beta^2 at every beta: slope -beta^2/2", lem_identity_abs(POINTS, slope, quadratic, bound)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.radius",
            .statement = "with logits beta n cos(theta) the entropy falls by -1/2 log s per dimension, s = "
                         "2/(1+sqrt(1+4 beta^2)), so C(beta) = -4/log s",
            .source = "our addition to kexue.fm 8711",
            .verdict = LEM_HOLDS},
        lem_identity_abs(POINTS, slope, half_log, bound), jl_like, 1));
    const double small[SMALL] = {.1, .03, .01};
    double coefficient[SMALL], four[SMALL], eight[SMALL], relative[SMALL];
    for (size_t i = 0; i < SMALL; i++) {
        coefficient[i] = lem_embedding_dim_coefficient(small[i]);
        four[i] = 4 / (small[i] * small[i]), eight[i] = 2 * four[i];
        relative[i] = 2 * small[i] * small[i]; /* C beta^2/4 = 1 + 3/2 beta^2 + O(beta^4) */
    }
    const lem_falsifier twice[] = {{"C = 8/beta^2", lem_identity(SMALL, coefficient, eight, relative)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.radius.small",
            .statement = "C(beta) = 4/beta^2 to a relative 2 beta^2 as beta -> 0: beta plays the part of eps",
            .source = "our addition to kexue.fm 8711",
            .verdict = LEM_HOLDS},
        lem_identity(SMALL, coefficient, four, relative), twice, 1));
    return GSL_SUCCESS;
}

/* Scaled dot-product logits, beta = 1/sqrt(n): h stays within (-1/2, 0), near -1/2 + 3/(4(n+2)). */
static int scaled_claim(lem_study *study) {
    enum { POINTS = 13 };
    double smaller[2 * POINTS], larger[2 * POINTS], unscaled[POINTS], half[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double n = 2 * pow(2, (double)i);
        const double h = lem_skipgram_entropy_gap(n, 1 / sqrt(n));
        smaller[i] = -.5, larger[i] = h;
        smaller[POINTS + i] = h, larger[POINTS + i] = -.5 + 3 / (4 * n);
        unscaled[i] = lem_skipgram_entropy_gap(n, 1), half[i] = -.5;
    }
    LEM_TRY(lem_value_exact(study, "radius.scaled.2", lem_skipgram_entropy_gap(2, M_SQRT1_2), 4, ""));
    LEM_TRY(lem_value_exact(study, "radius.scaled.64", lem_skipgram_entropy_gap(64, .125), 4, ""));
    const lem_falsifier falsifiers[] = {
        {"the same without the factor 1/sqrt(n)", lem_inequality_strict(POINTS, half, unscaled, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.radius.scaled",
            .statement =
                "with scaled logits, beta = n^(-1/2), -1/2 < h_n < -1/2 + 3/(4n) for n = 2..8192: the rule 2 "
                "log N + h_n < 0 is never met",
            .source = "our addition to kexue.fm 8711",
            .verdict = LEM_HOLDS},
        lem_inequality_strict(2 * POINTS, smaller, larger, NULL), falsifiers, 1);
}

/* --- the golden cosine
 * ----------------------------------------------------------------------------------------- */

static int golden_limit_claim(lem_study *study) {
    enum { POINTS = 3 };
    const double sizes[POINTS] = {1e3, 1e6, 1e12};
    double pairs[POINTS], tail[POINTS], half[POINTS], bound[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double n = lem_embedding_dim_coefficient(1) * log(sizes[i]);
        pairs[i] = 2 * log(sizes[i]);
        tail[i] = -n / 2 * log1p(-1 / (GOLDEN * GOLDEN));
        half[i] = -n / 2 * log1p(-.25);
        bound[i] = 16 * 2.22e-16;
    }
    const lem_falsifier falsifiers[] = {{"eps = 1/2", lem_identity(POINTS, half, pairs, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.golden-cosine",
            .statement =
                "the entropy threshold n = C(1) log N is the packing rule n = -2 log N^2/log(1-eps^2) at eps "
                "= 1/phi = 0.618",
            .source = "our addition to kexue.fm 8711",
            .verdict = LEM_HOLDS},
        lem_identity(POINTS, tail, pairs, bound), falsifiers, 1);
}

typedef struct {
    size_t doubles, n, size;
    double median;
} maximum_ctx;
enum { ONE_SIDED, TWO_SIDED, N_MAXIMA };

static void normalise_rows(gsl_matrix *a) {
    for (size_t i = 0; i < a->size1; i++) {
        double *row = gsl_matrix_ptr(a, i, 0), squared = 0;
        for (size_t k = 0; k < a->size2; k++)
            squared += row[k] * row[k];
        const double scale = 1 / sqrt(squared);
        for (size_t k = 0; k < a->size2; k++)
            row[k] *= scale;
    }
}

static int maximum_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                         const void *context) {
    (void)first;
    const maximum_ctx *ctx = context;
    double *rest = workspace;
    const size_t half = ctx->size * ctx->n;
    gsl_matrix_view u = gsl_matrix_view_array(rest, ctx->size, ctx->n),
                    v = gsl_matrix_view_array(rest + half, ctx->size, ctx->n),
                    both = gsl_matrix_view_array(rest, 2 * ctx->size, ctx->n),
                    cosines = gsl_matrix_view_array(rest + 2 * half, ctx->size, ctx->size);
    for (size_t i = 0; i < count; i++) {
        LEM_TRY(lem_normal_fill(stream, 2 * half, rest));
        normalise_rows(&both.matrix);
        LEM_TRY(lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, &u.matrix, &v.matrix, 0, &cosines.matrix, 1));
        double least, most;
        gsl_matrix_minmax(&cosines.matrix, &least, &most);
        out->counts[ONE_SIDED] += most > ctx->median;
        out->counts[TWO_SIDED] += fmax(most, -least) > ctx->median;
        LEM_TRY(lem_moments_add(&out->moments[0], most));
    }
    return GSL_SUCCESS;
}

static int maxima(lem_study *study, const char *purpose, size_t size, size_t n, size_t draws,
                  lem_moments *most, uint64_t counts[N_MAXIMA]) {
    const maximum_ctx ctx = {.doubles = 2 * size * n + size * size,
                             .n = n,
                             .size = size,
                             .median = lem_max_cosine_median((double)n, (double)size)};
    lem_mc_result mc = {.moments = most, .counts = counts};
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = draws,
                                      .chunk_size = 2,
                                      .n_moments = 1,
                                      .n_counts = N_MAXIMA,
                                      .chunk = maximum_chunk,
                                      .ctx = &ctx,
                                      .workspace_alloc = jl_workspace_alloc,
                                      .workspace_free = free},
                        &mc);
}

static int golden_median_claim(lem_study *study) {
    const double half = .5, floor = jl_floor_probability(.75, .5, 1);
    const uint64_t draws = lem_study_samples(study, 1000, (size_t)floor);
    uint64_t counts[N_MAXIMA];
    lem_moments most;
    LEM_TRY(maxima(study, "golden-median", 300, 47, draws, &most, counts));
    LEM_TRY(lem_value_exact(study, "golden.median.300", lem_max_cosine_median(47, 300), 6, ""));
    LEM_TRY(jl_value_rate(study, "golden.above", counts[ONE_SIDED], draws));
    LEM_TRY(jl_value_rate(study, "golden.above-two-sided", counts[TWO_SIDED], draws));
    const lem_falsifier falsifiers[] = {
        {"it is the median of the largest |cosine|", lem_probability(1, &counts[TWO_SIDED], &draws, &half)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.golden-cosine.median",
            .statement =
                "the median of the largest of the N^2 cosines solves N^2/2 P(|cos| >= x) = log 2 (N = 300, "
                "n = 47: 0.580256): half of the draws are above",
            .source = "our addition to kexue.fm 8711",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason = "binomial with 20% margin, 3/4 against 1/2"},
        lem_probability(1, &counts[ONE_SIDED], &draws, &half), falsifiers, 1));
    const size_t large = lem_study_samples(study, 40, 4);
    LEM_TRY(maxima(study, "golden-1000", 1000, 57, large, &most, counts));
    LEM_TRY(lem_value_exact(study, "golden.median.1000", lem_max_cosine_median(57, 1000), 4, ""));
    LEM_TRY(lem_value_exact(study, "golden.asymptote.1000", sqrt(-expm1(-4 * log(1000) / 57)), 4, ""));
    return lem_value_scaled(study, "golden.mean.1000", lem_moments_mean(&most), 3, "");
}

int jl_entropy(lem_study *study) {
    LEM_TRY(closed_form_claims(study));
    LEM_TRY(asymptotic_claims(study));
    LEM_TRY(radius_claims(study));
    LEM_TRY(scaled_claim(study));
    LEM_TRY(golden_limit_claim(study));
    return golden_median_claim(study);
}
