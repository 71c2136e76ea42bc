/* Real vectors: Fashion-MNIST, 28 x 28 pixels in [0, 1], m = 784. The exact laws hold for any fixed vectors,
 * so they must hold here; what is particular to images is how their pairs depend on each other. */
#include "images.h"
#include "study/idx.h"

#include <complex.h>
#include <string.h>
#include <unistd.h>

/* --- data
 * -------------------------------------------------------------------------------------------------------- */

static int load(lem_study *study, const char *path, gsl_matrix **images) {
    lem_idx idx;
    LEM_TRY(lem_idx_read(path, 3, &idx));
    if (idx.dims[1] * idx.dims[2] != PIXELS) {
        const int status = LEM_ERROR(GSL_EINVAL, "%s: images of %zu x %zu pixels, must be 28 x 28", path,
                                     idx.dims[1], idx.dims[2]);
        lem_idx_free(&idx);
        return status;
    }
    *images = gsl_matrix_alloc(idx.dims[0], PIXELS);
    if (*images)
        for (size_t i = 0; i < idx.size; i++)
            (*images)->data[i] = idx.data[i] / 255.0;
    lem_idx_free(&idx);
    return *images ? lem_study_data_file(study, path) : LEM_ERROR(GSL_ENOMEM, "no memory for %s", path);
}

/* --- randomized SVD of 60,000 x 784
 * ---------------------------------------------------------------------------------- */

enum { SVD_K = 50, SVD_P = 10, SVD_COLUMNS = SVD_K + SVD_P };

/* (I - QQ')A for A = U S V' and Q = orth((AA')^q A Omega) has the norm of (I - PP')S, P = orth(S^(2q+1)
 * V'Omega): a 784-row problem with the spectrum of the images, and V'Omega is again a Gaussian matrix. */
typedef struct {
    size_t doubles, columns, q;
    double sigma[PIXELS];
} spectrum_ctx;

/* ||(I - QQ')S||_F^2/||S||_F^2 for orthonormal columns Q. */
static double share_missed(const spectrum_ctx *ctx, const gsl_matrix *q) {
    double missed = 0, all = 0;
    for (size_t i = PIXELS; i-- > 0;) {
        double row = 0;
        for (size_t j = 0; j < q->size2; j++)
            row += gsl_matrix_get(q, i, j) * gsl_matrix_get(q, i, j);
        all += ctx->sigma[i] * ctx->sigma[i];
        missed += ctx->sigma[i] * ctx->sigma[i] * (1 - row);
    }
    return missed / all;
}

static int spectrum_residual(const spectrum_ctx *ctx, gsl_matrix *y, double *relative) {
    for (size_t i = 0; i < PIXELS; i++) {
        const double weight = pow(ctx->sigma[i] / ctx->sigma[0], 2 * (double)ctx->q + 1);
        for (size_t j = 0; j < y->size2; j++)
            *gsl_matrix_ptr(y, i, j) *= weight;
    }
    LEM_TRY(lem_qr(y, NULL));
    *relative = sqrt(share_missed(ctx, y));
    return GSL_SUCCESS;
}

/* Moments: relative error of the range finder; for q = 0 also the squared relative error of M - MQQ', Q
 * itself orthonormalized. */
static int spectrum_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                          const void *context) {
    (void)first;
    const spectrum_ctx *ctx = context;
    gsl_matrix_view y = gsl_matrix_view_array(workspace, PIXELS, ctx->columns);
    for (size_t i = 0; i < count; i++) {
        double error;
        LEM_TRY(lem_normal_fill(stream, PIXELS * ctx->columns, y.matrix.data));
        LEM_TRY(spectrum_residual(ctx, &y.matrix, &error));
        LEM_TRY(lem_moments_add(&out->moments[0], error));
        if (ctx->q > 0)
            continue;
        LEM_TRY(lem_normal_fill(stream, PIXELS * ctx->columns, y.matrix.data));
        LEM_TRY(lem_qr(&y.matrix, NULL));
        error = share_missed(ctx, &y.matrix);
        LEM_TRY(lem_moments_add(&out->moments[1], error));
    }
    return GSL_SUCCESS;
}

static int spectrum_draws(lem_study *study, spectrum_ctx *ctx, size_t draws, lem_moments moments[2]) {
    ctx->doubles = PIXELS * ctx->columns;
    lem_mc_result mc = {.moments = moments};
    char purpose[64];
    (void)snprintf(purpose, sizeof purpose, "image-svd-%zu-q%zu", ctx->columns, ctx->q);
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = draws,
                                      .chunk_size = 2,
                                      .n_moments = 2,
                                      .chunk = spectrum_chunk,
                                      .ctx = ctx,
                                      .workspace_alloc = jl_workspace_alloc,
                                      .workspace_free = free},
                        &mc);
}

static double tail_error(const double *sigma, size_t from) {
    double tail = 0, all = 0;
    for (size_t i = PIXELS; i-- > 0;) {
        all += sigma[i] * sigma[i];
        if (i == from)
            tail = all;
    }
    return from >= PIXELS ? 0 : sqrt(tail / all);
}

/* The real matrix, multiplied out, against the spectrum's prediction for the very same Omega. */
static int direct_claim(lem_study *study, const gsl_matrix *train, const gsl_matrix *vectors,
                        spectrum_ctx *ctx) {
    enum { POINTS = 2 };
    double direct[POINTS], predicted[POINTS], bound[POINTS], none[POINTS];
    gsl_matrix *range = gsl_matrix_alloc(train->size1, SVD_COLUMNS),
               *omega = gsl_matrix_alloc(PIXELS, SVD_COLUMNS), *seen = gsl_matrix_alloc(PIXELS, SVD_COLUMNS);
    int status =
        range && omega && seen ? GSL_SUCCESS : LEM_ERROR(GSL_ENOMEM, "no memory for the range of the images");
    const double norm = lem_frobenius_norm(train);
    for (size_t q = 0; q < POINTS && !status; q++) {
        lem_stream stream, again;
        status = lem_study_stream(study, q ? "image-range-q1" : "image-range-q0", 0, &stream);
        again = stream;
        if (!status)
            status = lem_rsvd_range(train, (int)q, &stream, range);
        direct[q] = lem_rsvd_residual(train, range) / norm;
        if (!status)
            status = lem_normal_fill(&again, PIXELS * SVD_COLUMNS, omega->data);
        if (!status)
            status = lem_gemm(LEM_TRANS, LEM_NO_TRANS, 1, vectors, omega, 0, seen, 0);
        ctx->q = q;
        if (!status)
            status = spectrum_residual(ctx, seen, &predicted[q]);
        /* eigenvalues of the Gram matrix carry 60,000 roundings relative to the largest, whose share of the
         * tail beyond column 60 is below 100 */
        bound[q] = 60000 * 2.22e-16 * 100;
        none[q] = tail_error(ctx->sigma, SVD_COLUMNS);
    }
    gsl_matrix_free(range);
    gsl_matrix_free(omega);
    gsl_matrix_free(seen);
    LEM_TRY(status);
    LEM_TRY(lem_value_scaled(study, "real.svd.direct.0", direct[0], 5, ""));
    LEM_TRY(lem_value_scaled(study, "real.svd.direct.1", direct[1], 5, ""));
    const lem_falsifier falsifiers[] = {
        {"it is the optimal rank-60 error", lem_identity(POINTS, direct, none, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "jl.real.rsvd-direct",
                                       .statement =
                                           "the residual of the 60,000 x 784 images after the range finder "
                                           "(60 columns, q = 0, 1) depends "
                                           "on them through their singular values alone, given V'Omega",
                                       .source = "Halko, Martinsson & Tropp 2011; our addition",
                                       .verdict = LEM_HOLDS},
                     lem_identity(POINTS, direct, predicted, bound), falsifiers, 1);
}

static int svd_claims(lem_study *study, spectrum_ctx *ctx) {
    enum { POINTS = 2 };
    lem_moments error[POINTS], kept, moments[2];
    ctx->columns = SVD_COLUMNS;
    for (size_t q = 0; q < POINTS; q++) {
        ctx->q = q;
        LEM_TRY(spectrum_draws(study, ctx, lem_study_samples(study, 40, 30), moments));
        error[q] = moments[0];
        if (q == 0)
            kept = moments[1];
    }
    double norm = 0;
    for (size_t i = 0; i < PIXELS; i++)
        norm += ctx->sigma[i] * ctx->sigma[i];
    const double bound = lem_rsvd_bound_fro(SVD_K, SVD_P, ctx->sigma, PIXELS) / sqrt(norm);
    const double rank_k = tail_error(ctx->sigma, SVD_K), best = tail_error(ctx->sigma, SVD_COLUMNS);
    LEM_TRY(lem_value_exact(study, "real.svd.optimal-50", rank_k, 4, ""));
    LEM_TRY(lem_value_exact(study, "real.svd.optimal-60", best, 4, ""));
    LEM_TRY(lem_value_exact(study, "real.svd.bound", bound, 4, ""));
    LEM_TRY(lem_value_estimate(study, "real.svd.q0", lem_moments_mean(&error[0]),
                               lem_moments_stderr(&error[0]), ""));
    LEM_TRY(lem_value_estimate(study, "real.svd.q1", lem_moments_mean(&error[1]),
                               lem_moments_stderr(&error[1]), ""));
    LEM_TRY(lem_value_estimate(study, "real.svd.published", lem_moments_mean(&kept),
                               lem_moments_stderr(&kept), ""));
    LEM_TRY(lem_value_exact(study, "real.svd.published-exact", 1 - (double)SVD_COLUMNS / PIXELS, 4, ""));
    LEM_TRY(lem_value_exact(study, "real.svd.leading", ctx->sigma[0] * ctx->sigma[0] / norm, 3, ""));
    static const char *const reason = "t; the gap is above 20 SD of one draw (measured: 37 or more)";
    const double floor = jl_floor_mean(20, 1, POINTS);
    const lem_falsifier no_price[] = {
        {"no price for randomness: the optimal rank-50 error", lem_mean_at_most(1, &error[0], &rank_k)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "jl.real.rsvd",
                          .statement = "randomized SVD of the images, k = 50, p = 10, q = 0: the mean error "
                                       "stays below (1+k/(p-1))^(1/2) "
                                       "times the optimal rank-50 error",
                          .source = "Halko, Martinsson & Tropp 2011, Theorem 10.5; data: Fashion-MNIST",
                          .verdict = LEM_HOLDS,
                          .floor = floor,
                          .floor_reason = reason},
        lem_mean_at_most(1, &error[0], &bound), no_price, 1));
    const double least[POINTS] = {error[0].min, error[1].min}, bests[POINTS] = {best, best},
                 rank_ks[POINTS] = {rank_k, rank_k}, slack[POINTS] = {1e-9, 1e-9};
    const lem_falsifier rank_k_only[] = {
        {"60 columns do no better than the optimal rank 50", lem_inequality(POINTS, rank_ks, least, slack)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.real.rsvd-optimal",
            .statement =
                "no draw beats the optimal rank-60 error from the Gram matrix's eigenvalues, q = 0, 1",
            .source = "Eckart & Young 1936; data: Fashion-MNIST",
            .verdict = LEM_HOLDS},
        lem_inequality(POINTS, bests, least, slack), rank_k_only, 1));
    const double share = 1 - (double)SVD_COLUMNS / PIXELS, tail = best * best;
    const lem_falsifier published[] = {
        {"MQQ' approximates the images like their best rank-60 approximation (published, up to constants)",
         lem_expectation(1, &kept, &tail)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.real.rsvd-article",
            .statement =
                "E ||M - MQQ'||_F^2/||M||_F^2 = 1 - 60/784 on real images too: their low rank does not help",
            .source = "kexue.fm 8706; data: Fashion-MNIST",
            .verdict = LEM_REFUTED,
            .note = "sixty random directions keep 60/784 of the energy of any matrix; sixty directions of "
                    "the image "
                    "MQ keep nearly all that sixty can",
            .floor = floor,
            .floor_reason = reason},
        lem_expectation(1, &kept, &share), published, 1);
}

/* --- figure and section
 * ------------------------------------------------------------------------------------------------ */

static int svd_table(lem_study *study, lem_table *table, spectrum_ctx *ctx) {
    static const size_t columns[] = {5, 10, 20, 40, 80, 160};
    double norm = 0;
    for (size_t i = 0; i < PIXELS; i++)
        norm += ctx->sigma[i] * ctx->sigma[i];
    for (size_t l = 3; l <= 200; l++) {
        double bound = INFINITY;
        for (size_t p = 2; p < l; p++)
            bound = fmin(bound, lem_rsvd_bound_fro(l - p, p, ctx->sigma, PIXELS));
        const double row[] = {
            (double)l, tail_error(ctx->sigma, l), bound / sqrt(norm), sqrt(1 - (double)l / PIXELS), NAN, NAN,
            NAN};
        LEM_TRY(lem_table_row(table, row));
    }
    LEM_TRY(lem_table_break(table));
    for (size_t c = 0; c < COUNT(columns); c++) {
        lem_moments m[2][2];
        ctx->columns = columns[c];
        for (size_t q = 0; q < 2; q++) {
            ctx->q = q;
            LEM_TRY(spectrum_draws(study, ctx, lem_study_samples(study, 10, 4), m[q]));
        }
        const double kept = sqrt(lem_moments_mean(&m[0][1]));
        const double row[] = {(double)columns[c],
                              lem_moments_mean(&m[0][0]),
                              lem_moments_stderr(&m[0][0]),
                              lem_moments_mean(&m[1][0]),
                              lem_moments_stderr(&m[1][0]),
                              kept,
                              lem_moments_stderr(&m[0][1]) / (2 * kept)};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_table_break(table);
}

static int svd_section(lem_study *study, const gsl_matrix *train, lem_table *table) {
    static spectrum_ctx ctx;
    gsl_matrix *gram = gsl_matrix_alloc(PIXELS, PIXELS), *vectors = gsl_matrix_alloc(PIXELS, PIXELS);
    double values[PIXELS];
    gsl_vector_view eigen = gsl_vector_view_array(values, PIXELS);
    int status = gram && vectors ? GSL_SUCCESS : LEM_ERROR(GSL_ENOMEM, "no memory for the Gram matrix");
    if (!status)
        status = lem_gram(LEM_TRANS, 1, train, gram);
    if (!status)
        status = lem_symmetric_eigen(gram, &eigen.vector, vectors);
    /* non-decreasing eigenvalues; the smallest may be rounded below zero */
    for (size_t i = 0; i < PIXELS; i++)
        ctx.sigma[i] = sqrt(fmax(values[PIXELS - 1 - i], 0));
    for (size_t i = 0; !status && i < PIXELS / 2; i++)
        gsl_matrix_swap_columns(vectors, i, PIXELS - 1 - i);
    ctx.columns = SVD_COLUMNS;
    if (!status)
        status = direct_claim(study, train, vectors, &ctx);
    gsl_matrix_free(gram);
    gsl_matrix_free(vectors);
    LEM_TRY(status);
    LEM_TRY(svd_claims(study, &ctx));
    return svd_table(study, table, &ctx);
}

static int run(lem_study *study, const gsl_matrix *train, const gsl_matrix *test) {
    static const char *const columns[] = {"eps | n | columns",
                                          "Gaussian | optimal | mean",
                                          "its stderr | bound | low end",
                                          "Haar | high end",
                                          "its stderr",
                                          "SRHT",
                                          "its stderr"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "real-data", columns, COUNT(columns), &table));
    LEM_TRY(jl_image_pairs(study, train, table));
    LEM_TRY(jl_recall(study, train, test, table));
    LEM_TRY(svd_section(study, train, table));
    return lem_study_figure(
        study, "real-data",
        "Fashion-MNIST. Left: fraction of all pairs of 2,000 images distorted by more "
        "than eps, n = 265; lines: exact laws of its mean; points: mean of 120 "
        "projections; bars: the middle 90% of single projections, not errors of the mean, "
        "which a few projections carry. Middle: recall of the ten nearest neighbours, "
        "against the pairwise laws. Right: relative error of sketches of 60,000 x 784; "
        "MQQ' with orthonormalized Q (as published, its error is sqrt(785/k), above the panel). "
        "Bars in the middle and right panels: one standard error.",
        "The mean fraction of distorted image pairs lies near the exact chi-square and "
        "Beta laws, while that of a single projection scatters over orders of magnitude; "
        "recall follows the prediction from pairwise order flips, and the randomized SVD "
        "stays between the optimum and its bound while the orthonormalized MQQ' keeps "
        "almost nothing");
}

static int skip(lem_study *study, const char *path) {
    static const struct {
        const char *id, *statement;
    } claims[] = {{"jl.real.gaussian", "distortion of image pairs, Gaussian"},
                  {"jl.real.haar", "distortion of image pairs, Haar"},
                  {"jl.real.srht", "mean squared distortion of image pairs, SRHT"},
                  {"jl.real.union-bound", "union bound on image pairs"},
                  {"jl.real.flips", "order flips of neighbours, Gaussian"},
                  {"jl.real.simhash-flips", "order flips of neighbours, SimHash"},
                  {"jl.real.recall", "recall of the ten nearest neighbours"},
                  {"jl.real.rsvd", "randomized SVD of the images"},
                  {"jl.real.rsvd-optimal", "randomized SVD of the images against the optimum"},
                  {"jl.real.rsvd-direct", "randomized SVD of the images by their spectrum"},
                  {"jl.real.rsvd-article", "the published decomposition on the images"}};
    lem_study_note(
        study, "real images are left out: %s is not there (Debian: apt install dataset-fashion-mnist)", path);
    for (size_t i = 0; i < COUNT(claims); i++)
        LEM_TRY(lem_claim_skip(study, claims[i].id, claims[i].statement, "Fashion-MNIST is not installed"));
    return GSL_SUCCESS;
}

int jl_images(lem_study *study) {
    static const char *const names[] = {"train-images-idx3-ubyte.gz", "t10k-images-idx3-ubyte.gz"};
    gsl_matrix *sets[2] = {NULL, NULL};
    char paths[2][1024];
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(paths[i], sizeof paths[i], "%s/%s",
                       lem_study_data_folder(study, "/usr/share/datasets/fashion-mnist"), names[i]);
        if (access(paths[i], F_OK) != 0)
            return skip(study, paths[i]);
    }
    int status = load(study, paths[0], &sets[0]);
    if (!status)
        status = load(study, paths[1], &sets[1]);
    if (!status && (sets[0]->size1 < IMAGES || sets[1]->size1 < 100))
        status = LEM_ERROR(GSL_EBADLEN, "Fashion-MNIST has %zu and %zu images: must be >= 2000 and >= 100",
                           sets[0]->size1, sets[1]->size1);
    if (!status)
        status = run(study, sets[0], sets[1]);
    gsl_matrix_free(sets[0]);
    gsl_matrix_free(sets[1]);
    return status;
}
