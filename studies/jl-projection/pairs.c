/* Real images: the distortion of all pairs, and of a random one. */
#include "images.h"

#include <gsl/gsl_sort_double.h>

/* --- distortion of all pairs
 * --------------------------------------------------------------------------------------- */

enum { N_EPS = 10, SKEW_AT = 5 /* 0.3: where the page tells how skewed the fraction is */ };
static const double PAIR_EPS = .5;
static const double IMAGE_PAIRS = IMAGES * (IMAGES - 1) / 2.0;
static const struct {
    const char *name, *suffix;
    lem_projection_kind kind;
} PROJECTIONS[] = {{"Gaussian", "gaussian", LEM_PROJECTION_GAUSSIAN},
                   {"Haar", "haar", LEM_PROJECTION_HAAR},
                   {"SRHT", "srht", LEM_PROJECTION_SRHT_PADDED}};
enum { N_PROJECTIONS = COUNT(PROJECTIONS), P_GAUSSIAN = 0, P_HAAR, P_SRHT };

/* The thresholds 0.05, 0.10, ..., 0.50 of the figure. */
static double pair_eps(size_t e) {
    return .05 * (double)(e + 1);
}

typedef struct {
    lem_projection_kind kind;
    size_t n;
    const gsl_matrix *images, *inverse; /* 1/squared distance of all pairs, below the diagonal */
} pair_ctx;

/* Products of projected images are made tile by tile, and each is used up while it is in the cache. */
enum { TILE = 250, TILES = IMAGES / TILE, LANES = 4 };
_Static_assert(TILES *TILE == IMAGES, "tiles cover the images");

typedef struct {
    lem_project_workspace *projection;
    gsl_matrix *projected, *tile;
    double length[IMAGES]; /* squared, of the projected images */
} pair_workspace;

static void pair_workspace_free(void *workspace) {
    pair_workspace *w = workspace;
    lem_project_free(w->projection);
    gsl_matrix_free(w->projected);
    gsl_matrix_free(w->tile);
    free(w);
}

static void *pair_workspace_alloc(const void *context) {
    const pair_ctx *ctx = context;
    pair_workspace *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->projection = lem_project_alloc(ctx->kind, ctx->n, PIXELS, 1);
    w->projected = gsl_matrix_alloc(IMAGES, ctx->n);
    w->tile = gsl_matrix_alloc(TILE, TILE);
    if (w->projection && w->projected && w->tile)
        return w;
    pair_workspace_free(w);
    return NULL;
}

/* Squared distances from a Gram matrix, below the diagonal, in place. */
static void distances_in_place(gsl_matrix *gram) {
    for (size_t i = 0; i < gram->size1; i++)
        for (size_t j = 0; j < i; j++)
            *gsl_matrix_ptr(gram, i, j) =
                gsl_matrix_get(gram, i, i) + gsl_matrix_get(gram, j, j) - 2 * gsl_matrix_get(gram, i, j);
}

static void invert_in_place(gsl_matrix *squared) {
    for (size_t i = 0; i < squared->size1; i++)
        for (size_t j = 0; j < i; j++)
            *gsl_matrix_ptr(squared, i, j) = 1 / gsl_matrix_get(squared, i, j);
}

/* What the pairs of one draw add up to. Lanes and columns keep the additions apart that would wait for each
 * other. */
typedef struct {
    uint32_t bins[LANES][N_EPS + 2]; /* of |distortion|, each 0.05 wide; the last is open */
    double squares[TILE];            /* of distortions */
} pair_sums;

/* One image against `count` others: products, inverse squared distances and squared lengths of those. */
static void add_row(size_t count, const double *restrict product, const double *restrict inverse, double own,
                    const double *restrict length, pair_sums *restrict sums) {
    int32_t bin[TILE];
    for (size_t c = 0; c < count; c++) {
        const double off = (own + length[c] - 2 * product[c]) * inverse[c] - 1, width = fabs(off) * 20;
        sums->squares[c] += off * off;
        bin[c] = (int32_t)(width < N_EPS + 1 ? width : N_EPS + 1);
    }
    for (size_t c = 0; c < count; c++)
        sums->bins[c % LANES][bin[c]]++;
}

static int add_tile(pair_workspace *w, const gsl_matrix *inverse, size_t a, size_t b, pair_sums *sums) {
    const size_t n = w->projected->size2;
    const gsl_matrix_const_view left = gsl_matrix_const_submatrix(w->projected, a * TILE, 0, TILE, n),
                                right = gsl_matrix_const_submatrix(w->projected, b * TILE, 0, TILE, n);
    LEM_TRY(a == b ? lem_gram(LEM_NO_TRANS, 1, &left.matrix, w->tile)
                   : lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, &left.matrix, &right.matrix, 0, w->tile, 1));
    for (size_t i = 0; i < TILE; i++)
        add_row(a == b ? i : TILE, gsl_matrix_const_ptr(w->tile, i, 0),
                gsl_matrix_const_ptr(inverse, a * TILE + i, b * TILE), w->length[a * TILE + i],
                w->length + b * TILE, sums);
    return GSL_SUCCESS;
}

static double row_squared(const gsl_matrix *matrix, size_t row) {
    double sum = 0;
    for (size_t k = 0; k < matrix->size2; k++)
        sum += gsl_matrix_get(matrix, row, k) * gsl_matrix_get(matrix, row, k);
    return sum;
}

static int add_pairs(pair_workspace *w, const gsl_matrix *inverse, pair_sums *sums) {
    for (size_t i = 0; i < IMAGES; i++)
        w->length[i] = row_squared(w->projected, i);
    for (size_t a = 0; a < TILES; a++)
        for (size_t b = 0; b <= a; b++)
            LEM_TRY(add_tile(w, inverse, a, b, sums));
    return GSL_SUCCESS;
}

/* beyond[e]: pairs whose distortion is at least e times 0.05. */
static void count_beyond(const pair_sums *sums, uint64_t beyond[N_EPS + 2]) {
    uint64_t total = 0;
    for (size_t e = N_EPS + 2; e-- > 0;) {
        for (size_t lane = 0; lane < LANES; lane++)
            total += sums->bins[lane][e];
        beyond[e] = total;
    }
}

/* Records: the fraction of pairs outside 1 +- eps at each threshold. Moment: the mean squared distortion.
 * Count: draws with any pair outside 1 +- PAIR_EPS. */
static int pair_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                      const void *context) {
    (void)first;
    const pair_ctx *ctx = context;
    pair_workspace *w = workspace;
    for (size_t draw = 0; draw < count; draw++) {
        pair_sums sums = {0};
        uint64_t beyond[N_EPS + 2];
        double squares = 0;
        LEM_TRY(lem_project_draw(w->projection, stream));
        LEM_TRY(lem_project_rows(w->projection, ctx->images, w->projected, 1));
        LEM_TRY(add_pairs(w, ctx->inverse, &sums));
        count_beyond(&sums, beyond);
        for (size_t c = 0; c < TILE; c++)
            squares += sums.squares[c];
        for (size_t e = 0; e < N_EPS; e++)
            out->records[draw * N_EPS + e] = (double)beyond[e + 1] / IMAGE_PAIRS;
        LEM_TRY(lem_moments_add(&out->moments[0], squares / IMAGE_PAIRS));
        out->counts[0] += beyond[N_EPS] > 0;
    }
    return GSL_SUCCESS;
}

/* The mean over all pairs of q4 = sum d_i^4/|d|^4, d = x - y, from Gram matrices of powers:
 * sum (x-y)^4 = sum x^4 - 4 x^3 y + 6 x^2 y^2 - 4 x y^3 + y^4. */
static int mean_q4(const gsl_matrix *x, const gsl_matrix *squared, double *mean) {
    gsl_matrix *x2 = gsl_matrix_alloc(IMAGES, PIXELS), *x3 = gsl_matrix_alloc(IMAGES, PIXELS);
    gsl_matrix *even = gsl_matrix_alloc(IMAGES, IMAGES), *odd = gsl_matrix_alloc(IMAGES, IMAGES);
    int status =
        x2 && x3 && even && odd ? GSL_SUCCESS : LEM_ERROR(GSL_ENOMEM, "no memory for the fourth moments");
    if (!status) {
        for (size_t i = 0; i < IMAGES; i++)
            for (size_t j = 0; j < PIXELS; j++) {
                const double value = gsl_matrix_get(x, i, j);
                gsl_matrix_set(x2, i, j, value * value);
                gsl_matrix_set(x3, i, j, value * value * value);
            }
        status = lem_gram(LEM_NO_TRANS, 1, x2, even);
    }
    if (!status)
        status = lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, x3, x, 0, odd, 0);
    double sum = 0;
    for (size_t i = 0; !status && i < IMAGES; i++)
        for (size_t j = 0; j < i; j++) {
            const double d2 = gsl_matrix_get(squared, i, j);
            const double d4 = gsl_matrix_get(even, i, i) + gsl_matrix_get(even, j, j) +
                              6 * gsl_matrix_get(even, i, j) -
                              4 * (gsl_matrix_get(odd, i, j) + gsl_matrix_get(odd, j, i));
            sum += d4 / (d2 * d2);
        }
    *mean = sum / IMAGE_PAIRS;
    gsl_matrix_free(x2);
    gsl_matrix_free(x3);
    gsl_matrix_free(even);
    gsl_matrix_free(odd);
    return status;
}

/* The law of one threshold's fraction over the draws. The pairs of one draw err together, so it is skewed: a
 * few draws carry most of the mean, and the standard error of a few dozen says little. What can be shown is
 * the spread of single draws. */
typedef struct {
    double mean, low, median, high; /* low to high: the middle nine tenths of the draws */
    double top;                     /* share of the sum in the largest tenth of the draws */
} spread;

typedef struct {
    size_t n, draws[N_PROJECTIONS];
    double q4;
    lem_moments squared[N_PROJECTIONS];
    spread spreads[N_PROJECTIONS][N_EPS];
    uint64_t failed[N_PROJECTIONS];
    uint64_t half_draws, half_failed; /* Gaussian, with half as many dimensions */
} pair_results;

static spread spread_of(size_t draws, double *fractions) {
    gsl_sort(fractions, 1, draws);
    double sum = 0, top = 0;
    for (size_t i = 0; i < draws; i++) {
        sum += fractions[i];
        if (i >= draws - draws / 10)
            top += fractions[i];
    }
    return (spread){.mean = sum / (double)draws,
                    .low = fractions[draws / 20],
                    .median = (fractions[(draws - 1) / 2] + fractions[draws / 2]) / 2,
                    .high = fractions[draws - 1 - draws / 20],
                    .top = sum > 0 ? top / sum : 0};
}

static void fill_spreads(size_t draws, const double *records, double *column, spread spreads[N_EPS]) {
    for (size_t e = 0; e < N_EPS; e++) {
        for (size_t i = 0; i < draws; i++)
            column[i] = records[i * N_EPS + e];
        spreads[e] = spread_of(draws, column);
    }
}

static int draw_pairs(lem_study *study, const char *name, size_t draws, const pair_ctx *ctx,
                      lem_moments *squared, uint64_t *failed, spread spreads[N_EPS]) {
    double *records = malloc(draws * (N_EPS + 1) * sizeof *records);
    if (!records)
        return LEM_ERROR(GSL_ENOMEM, "no memory for the fractions of %zu draws", draws);
    lem_mc_result mc = {.moments = squared, .counts = failed, .records = records};
    char purpose[64];
    (void)snprintf(purpose, sizeof purpose, "image-pairs-%s", name);
    const int status = lem_study_mc(study, purpose,
                                    (lem_mc_plan){.samples = draws,
                                                  .chunk_size = 1,
                                                  .n_moments = 1,
                                                  .n_counts = 1,
                                                  .n_records = N_EPS,
                                                  .chunk = pair_chunk,
                                                  .ctx = ctx,
                                                  .workspace_alloc = pair_workspace_alloc,
                                                  .workspace_free = pair_workspace_free},
                                    &mc);
    if (!status)
        fill_spreads(draws, records, records + draws * N_EPS, spreads);
    free(records);
    return status;
}

static int measure_pairs(lem_study *study, const gsl_matrix *train, pair_results *r) {
    const gsl_matrix_const_view images = gsl_matrix_const_submatrix(train, 0, 0, IMAGES, PIXELS);
    gsl_matrix *squared = gsl_matrix_alloc(IMAGES, IMAGES);
    if (!squared)
        return LEM_ERROR(GSL_ENOMEM, "no memory for the distances");
    /* where the Gaussian's union bound is one half: failures are then seen, and not certain */
    r->n = (size_t)lem_jl_min_dim(IMAGES, PAIR_EPS, .5, LEM_MIN_DIM_EXACT);
    int status = lem_gram(LEM_NO_TRANS, 1, &images.matrix, squared);
    distances_in_place(squared);
    if (!status)
        status = mean_q4(&images.matrix, squared, &r->q4);
    invert_in_place(squared);
    for (size_t p = 0; p < N_PROJECTIONS && !status; p++) {
        r->draws[p] = lem_study_samples(study, 120, p == P_GAUSSIAN ? 24 : 3);
        status = draw_pairs(
            study, PROJECTIONS[p].suffix, r->draws[p],
            &(pair_ctx){.kind = PROJECTIONS[p].kind, .n = r->n, .images = &images.matrix, .inverse = squared},
            &r->squared[p], &r->failed[p], r->spreads[p]);
    }
    r->half_draws = 24;
    lem_moments half;
    spread half_spreads[N_EPS];
    if (!status)
        status = draw_pairs(
            study, "half", r->half_draws,
            &(pair_ctx){
                .kind = LEM_PROJECTION_GAUSSIAN, .n = r->n / 2, .images = &images.matrix, .inverse = squared},
            &half, &r->half_failed, half_spreads);
    gsl_matrix_free(squared);
    return status;
}

static double exact_tail(size_t p, double n, double eps) {
    return p == P_HAAR ? jl_haar_two_sided(PIXELS, n, eps) : jl_two_sided(n, eps);
}

/* From few draws of a skewed quantity (the pairs of one draw err together): comparable at full scale only. */
static int pair_values(lem_study *study, const pair_results *r) {
    char key[64];
    LEM_TRY(lem_value_exact(study, "real.n", (double)r->n, 6, ""));
    LEM_TRY(lem_value_exact(study, "real.q4", r->q4, 3, ""));
    LEM_TRY(lem_value_exact(study, "real.union", exp(lem_jl_union_bound_log(IMAGES, (double)r->n, PAIR_EPS)),
                            3, ""));
    LEM_TRY(lem_value_scaled(study, "real.draws", (double)r->draws[P_GAUSSIAN], 6, ""));
    for (size_t p = 0; p < N_PROJECTIONS; p++) {
        (void)snprintf(key, sizeof key, "real.failed.%s", PROJECTIONS[p].suffix);
        LEM_TRY(lem_value_scaled(study, key, (double)r->failed[p], 6, ""));
        (void)snprintf(key, sizeof key, "real.squared.%s", PROJECTIONS[p].suffix);
        LEM_TRY(lem_value_scaled(study, key, lem_moments_mean(&r->squared[p]), 3, ""));
        (void)snprintf(key, sizeof key, "real.squared-exact.%s", PROJECTIONS[p].suffix);
        LEM_TRY(lem_value_exact(
            study, key, lem_jl_norm_variance(PROJECTIONS[p].kind, PIXELS, (double)r->n, r->q4, 1), 4, ""));
    }
    const spread *shown = &r->spreads[P_GAUSSIAN][SKEW_AT];
    const double law = jl_two_sided((double)r->n, pair_eps(SKEW_AT));
    LEM_TRY(lem_value_exact(study, "real.skew.law", law, 3, ""));
    LEM_TRY(lem_value_scaled(study, "real.skew.mean", shown->mean, 3, ""));
    LEM_TRY(lem_value_scaled(study, "real.skew.median", shown->median, 2, ""));
    LEM_TRY(lem_value_scaled(study, "real.skew.top", shown->top, 2, ""));
    return GSL_SUCCESS;
}

static int union_claim(lem_study *study, const pair_results *r) {
    const double bound = exp(lem_jl_union_bound_log(IMAGES, (double)r->n, PAIR_EPS));
    const uint64_t trials = r->draws[P_GAUSSIAN];
    const lem_falsifier half_dims[] = {{"half as many dimensions keep the same promise",
                                        lem_probability_at_most(1, &r->half_failed, &r->half_draws, &bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.real.union-bound",
            .statement =
                "P(some pair of 2,000 images is off by more than 0.5) is at most the exact chi-square union "
                "bound, at the n where that is just below one half",
            .source = "kexue.fm 8679; data: Fashion-MNIST",
            .verdict = LEM_HOLDS,
            .floor = 24,
            .floor_reason =
                "with half the dimensions a pair fails in every one of 24 draws, which has probability "
                "0.48^24 = 3e-8 under the claim"},
        lem_probability_at_most(1, &r->failed[P_GAUSSIAN], &trials, &bound), half_dims, 1);
}

/* --- one pair at a time ------------------------------------------------------------------------------------
 */

/* The pairs of one draw err together and their fraction is skewed, so no sharp test of its mean exists at a
 * few dozen draws. One random pair per draw of the matrix is a Bernoulli trial: exactly binomial. */
enum { N_SINGLE = 3, SINGLE_CHUNK = 16 };
static const double SINGLE_EPS[N_SINGLE] = {.1, .2, .3};

typedef struct {
    lem_projection_kind kind;
    size_t n;
    const gsl_matrix *images;
} single_ctx;

typedef struct {
    lem_project_workspace *projection;
    gsl_matrix *difference, *projected;
} single_workspace;

static void single_workspace_free(void *workspace) {
    single_workspace *w = workspace;
    lem_project_free(w->projection);
    gsl_matrix_free(w->difference);
    gsl_matrix_free(w->projected);
    free(w);
}

static void *single_workspace_alloc(const void *context) {
    const single_ctx *ctx = context;
    single_workspace *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->projection = lem_project_alloc(ctx->kind, ctx->n, PIXELS, 1);
    w->difference = gsl_matrix_alloc(1, PIXELS);
    w->projected = gsl_matrix_alloc(1, ctx->n);
    if (w->projection && w->difference && w->projected)
        return w;
    single_workspace_free(w);
    return NULL;
}

/* The distortion of the difference of two different images, drawn at random, by a new matrix. Counts: beyond
 * each threshold; moment: its square. */
static int single_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                        const void *context) {
    (void)first;
    const single_ctx *ctx = context;
    single_workspace *w = workspace;
    for (size_t draw = 0; draw < count; draw++) {
        const uint64_t i = lem_integer(stream, IMAGES), step = lem_integer(stream, IMAGES - 1),
                       j = (i + 1 + step) % IMAGES;
        for (size_t k = 0; k < PIXELS; k++)
            gsl_matrix_set(w->difference, 0, k,
                           gsl_matrix_get(ctx->images, i, k) - gsl_matrix_get(ctx->images, j, k));
        LEM_TRY(lem_project_draw(w->projection, stream));
        LEM_TRY(lem_project_rows(w->projection, w->difference, w->projected, 1));
        const double off = row_squared(w->projected, 0) / row_squared(w->difference, 0) - 1;
        for (size_t e = 0; e < N_SINGLE; e++)
            out->counts[e] += fabs(off) >= SINGLE_EPS[e];
        LEM_TRY(lem_moments_add(&out->moments[0], off * off));
    }
    return GSL_SUCCESS;
}

static int draw_single(lem_study *study, const single_ctx *ctx, const char *name, size_t draws,
                       lem_moments *square, uint64_t counts[N_SINGLE]) {
    lem_mc_result mc = {.moments = square, .counts = counts};
    char purpose[64];
    (void)snprintf(purpose, sizeof purpose, "image-pair-%s", name);
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = draws,
                                      .chunk_size = SINGLE_CHUNK,
                                      .n_moments = 1,
                                      .n_counts = N_SINGLE,
                                      .chunk = single_chunk,
                                      .ctx = ctx,
                                      .workspace_alloc = single_workspace_alloc,
                                      .workspace_free = single_workspace_free},
                        &mc);
}

static int tail_claim(lem_study *study, const gsl_matrix *images, size_t p, size_t full,
                      const char *statement) {
    enum { DIMS = 64 };
    double exact[N_SINGLE], upper[N_SINGLE], floor = INFINITY;
    for (size_t e = 0; e < N_SINGLE; e++) {
        exact[e] = exact_tail(p, DIMS, SINGLE_EPS[e]);
        upper[e] = p == P_HAAR ? lem_jl_haar_tail(PIXELS, DIMS, SINGLE_EPS[e], LEM_JL_UPPER)
                               : lem_jl_norm_tail(DIMS, SINGLE_EPS[e], LEM_JL_UPPER);
        floor = fmin(floor, jl_floor_probability(exact[e], upper[e], N_SINGLE));
    }
    const uint64_t draws = lem_study_samples(study, full, (size_t)floor),
                   trials[N_SINGLE] = {draws, draws, draws};
    uint64_t counts[N_SINGLE];
    lem_moments square;
    const single_ctx ctx = {.kind = PROJECTIONS[p].kind, .n = DIMS, .images = images};
    LEM_TRY(draw_single(study, &ctx, PROJECTIONS[p].suffix, draws, &square, counts));
    char id[64], key[64];
    (void)snprintf(id, sizeof id, "jl.real.%s", PROJECTIONS[p].suffix);
    (void)snprintf(key, sizeof key, "real.tail.%s", PROJECTIONS[p].suffix);
    LEM_TRY(jl_value_rate(study, key, counts[1], draws));
    (void)snprintf(key, sizeof key, "real.tail-exact.%s", PROJECTIONS[p].suffix);
    LEM_TRY(lem_value_exact(study, key, exact[1], 4, ""));
    const lem_falsifier falsifiers[] = {
        {"only stretched pairs count", lem_probability(N_SINGLE, counts, trials, upper)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = id,
            .statement = statement,
            .source =
                "our addition to kexue.fm 8679; data: Fashion-MNIST, Xiao et al. 2017, arXiv 1708.07747",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason = "binomial with 20% margin, at the eps that tells best"},
        lem_probability(N_SINGLE, counts, trials, exact), falsifiers, 1);
}

/* SRHT has no closed law, but an exact variance; at n = 256 of 1024 rows drawing without replacement shows.
 */
static int srht_claim(lem_study *study, const gsl_matrix *images, double q4) {
    enum { DIMS = 256, ORDER = 1024 };
    const double exact = lem_jl_norm_variance(LEM_PROJECTION_SRHT_PADDED, PIXELS, DIMS, q4, 1),
                 wrong = 2 * (1 - q4) / DIMS;
    /* the square of a nearly normal variable has SD sqrt(2) times its mean; the pairs' own q4 add little */
    const double floor = jl_floor_mean(wrong - exact, 1.6 * exact, 1);
    const size_t draws = lem_study_samples(study, 40000, (size_t)floor);
    uint64_t counts[N_SINGLE];
    lem_moments square;
    const single_ctx ctx = {.kind = LEM_PROJECTION_SRHT_PADDED, .n = DIMS, .images = images};
    LEM_TRY(draw_single(study, &ctx, "srht", draws, &square, counts));
    LEM_TRY(lem_value_exact(study, "real.srht.exact", exact, 4, ""));
    LEM_TRY(lem_value_exact(study, "real.srht.with-replacement", wrong, 4, ""));
    LEM_TRY(lem_value_estimate(study, "real.srht.measured", lem_moments_mean(&square),
                               lem_moments_stderr(&square), ""));
    const lem_falsifier falsifiers[] = {
        {"rows drawn with replacement: no factor (M-n)/(M-1)", lem_expectation(1, &square, &wrong)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.real.srht",
            .statement =
                "a random pair of 2,000 images, SRHT padded to M = 1024, n = 256: mean squared distortion "
                "2(1-q4)/n (M-n)/(M-1) with the images' own mean q4",
            .source = "our addition to kexue.fm 8679; Tropp 2011, arXiv 1011.1595; data: Fashion-MNIST",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason =
                "t; the factor is 1/3 of the mean, the SD of one square below 1.6 times the mean"},
        lem_expectation(1, &square, &exact), falsifiers, 1);
}

/* --- figure ------------------------------------------------------------------------------------------------
 */

static int pair_table(lem_table *table, const pair_results *r) {
    for (int i = 2; i <= 52; i++) {
        const double eps = i / 100.0;
        const double row[] = {
            eps, jl_two_sided((double)r->n, eps), jl_haar_two_sided(PIXELS, (double)r->n, eps), NAN, NAN, NAN,
            NAN};
        LEM_TRY(lem_table_row(table, row));
    }
    LEM_TRY(lem_table_break(table));
    for (size_t p = 0; p < N_PROJECTIONS; p++) {
        for (size_t e = 0; e < N_EPS; e++) {
            const spread *s = &r->spreads[p][e];
            /* a logarithmic axis has no room for 0 */
            const double row[] = {pair_eps(e), s->mean > 0 ? s->mean : NAN, s->low, s->high, NAN, NAN, NAN};
            LEM_TRY(lem_table_row(table, row));
        }
        LEM_TRY(lem_table_break(table));
    }
    return GSL_SUCCESS;
}

int jl_image_pairs(lem_study *study, const gsl_matrix *train, lem_table *table) {
    static pair_results r;
    const gsl_matrix_const_view images = gsl_matrix_const_submatrix(train, 0, 0, IMAGES, PIXELS);
    LEM_TRY(measure_pairs(study, train, &r));
    LEM_TRY(pair_values(study, &r));
    LEM_TRY(tail_claim(
        study, &images.matrix, P_GAUSSIAN, 3000,
        "a random pair of 2,000 images is outside 1 +- eps, eps = 0.1, 0.2, 0.3, with the chi-square "
        "probability (Gaussian, n = 64)"));
    LEM_TRY(tail_claim(
        study, &images.matrix, P_HAAR, 600,
        "a random pair of 2,000 images is outside 1 +- eps, eps = 0.1, 0.2, 0.3, with the Beta probability "
        "(Haar, n = 64)"));
    LEM_TRY(srht_claim(study, &images.matrix, r.q4));
    LEM_TRY(union_claim(study, &r));
    return pair_table(table, &r);
}
