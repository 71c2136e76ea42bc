/* Other random matrices than the Gaussian: exact variances of ||Au||^2, and what orthogonal rows are worth.
 */
#include "study.h"

#include <string.h>

enum { M = 64, N = 16, FAMILY_CHUNK = 64, N_VECTORS = 2 };

typedef struct {
    const char *name, *suffix;
    lem_projection_kind kind;
    double s;
} family;
static const family FAMILIES[] = {{"Gaussian", "gaussian", LEM_PROJECTION_GAUSSIAN, 1},
                                  {"Rademacher", "rademacher", LEM_PROJECTION_RADEMACHER, 1},
                                  {"sparse, s = 3", "sparse-3", LEM_PROJECTION_SPARSE, 3},
                                  {"sparse, s = 8", "sparse-8", LEM_PROJECTION_SPARSE, 8},
                                  {"Haar", "haar", LEM_PROJECTION_HAAR, 1},
                                  {"SRHT", "srht", LEM_PROJECTION_SRHT, 1}};
enum { N_FAMILIES = COUNT(FAMILIES), GAUSSIAN = 0, RADEMACHER, SPARSE3, SPARSE8, HAAR, SRHT };

/* A family applied to fixed unit vectors u (rows of vectors), n rows of it. */
typedef struct {
    size_t doubles, n, n_vectors;
    const family *family;
    double vectors[N_VECTORS][M], eps;
} family_ctx;

static int family_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                        const void *context) {
    (void)first;
    const family_ctx *ctx = context;
    gsl_matrix_view a = gsl_matrix_view_array(workspace, ctx->n, M);
    double squared[N_VECTORS][FAMILY_CHUNK];
    for (size_t i = 0; i < count; i++) {
        LEM_TRY(lem_jl_sample(ctx->family->kind, ctx->family->s, stream, &a.matrix));
        for (size_t v = 0; v < ctx->n_vectors; v++) {
            squared[v][i] = 0;
            for (size_t k = 0; k < ctx->n; k++) {
                const double *row = gsl_matrix_const_ptr(&a.matrix, k, 0);
                double dot = 0;
                for (size_t j = 0; j < M; j++)
                    dot += row[j] * ctx->vectors[v][j];
                squared[v][i] += dot * dot;
            }
            out->counts[v] += fabs(squared[v][i] - 1) >= ctx->eps;
        }
    }
    for (size_t v = 0; v < ctx->n_vectors; v++)
        LEM_TRY(lem_moments_add_array(&out->moments[v], count, squared[v]));
    return GSL_SUCCESS;
}

static int measure(lem_study *study, const char *what, family_ctx ctx, size_t samples, lem_moments *moments,
                   uint64_t *counts) {
    ctx.doubles = ctx.n * M;
    char purpose[64];
    (void)snprintf(purpose, sizeof purpose, "%s-%s", what, ctx.family->suffix);
    lem_mc_result mc = {.moments = moments, .counts = counts};
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = samples,
                                      .chunk_size = FAMILY_CHUNK,
                                      .n_moments = ctx.n_vectors,
                                      .n_counts = ctx.n_vectors,
                                      .chunk = family_chunk,
                                      .ctx = &ctx,
                                      .workspace_alloc = jl_workspace_alloc,
                                      .workspace_free = free},
                        &mc);
}

static void normalise(double *u) {
    double squared = 0;
    for (size_t i = 0; i < M; i++)
        squared += u[i] * u[i];
    for (size_t i = 0; i < M; i++)
        u[i] /= sqrt(squared);
}

static double fourth(const double *u) {
    double q4 = 0;
    for (size_t i = 0; i < M; i++)
        q4 += u[i] * u[i] * u[i] * u[i];
    return q4;
}

static double exact_variance(const family *f, double q4) {
    return lem_jl_norm_variance(f->kind, M, N, q4, f->s);
}

/* The wrong formula of each family, for the falsifiers. */
static const char *const WRONG[] = {"variance 1/n, as of an inner product of orthogonal vectors",
                                    "Rademacher is Gaussian: 2/n",
                                    "entries of size sqrt(3) have kurtosis 1: 2(1-q4)/n",
                                    "sparse is Gaussian: 2/n",
                                    "orthogonality is worth nothing: 2/n",
                                    "rows drawn with replacement: no factor (m-n)/(m-1)"};
static double wrong_variance(size_t f, double q4) {
    const double wrong[] = {1.0 / N, 2.0 / N, 2 * (1 - q4) / N, 2.0 / N, 2.0 / N, 2 * (1 - q4) / N};
    return wrong[f];
}

static int variance_claim(lem_study *study, size_t f, const lem_moments *moments, const double *q4,
                          double floor) {
    static const char *const formulas[] = {"2/n",           "2(1-q4)/n",       "(2+(s-3)q4)/n = 2/n",
                                           "(2+(s-3)q4)/n", "2(m-n)/(n(m+2))", "2(1-q4)/n (m-n)/(m-1)"};
    char id[64], statement[160], reason[160], key[64];
    (void)snprintf(id, sizeof id, "jl.matrix-families.%s", FAMILIES[f].suffix);
    (void)snprintf(statement, sizeof statement,
                   "%s: Var ||Au||^2 = %s for a dense and a spiky unit vector, m = 64, n = 16",
                   FAMILIES[f].name, formulas[f]);
    double exact[N_VECTORS], wrong[N_VECTORS];
    for (size_t v = 0; v < N_VECTORS; v++)
        exact[v] = exact_variance(&FAMILIES[f], q4[v]), wrong[v] = wrong_variance(f, q4[v]);
    (void)snprintf(reason, sizeof reason,
                   "z of the spiky vector, %.4f against %.4f, kurtosis at most 8, 20%% margin", exact[1],
                   wrong[1]);
    for (size_t v = 0; v < N_VECTORS; v++) {
        (void)snprintf(key, sizeof key, "families.%s.%s", FAMILIES[f].suffix, v ? "spiky" : "dense");
        LEM_TRY(lem_value_estimate(study, key, lem_moments_variance(&moments[v]),
                                   lem_moments_variance_stderr(&moments[v]), ""));
        (void)snprintf(key, sizeof key, "families.%s.%s.exact", FAMILIES[f].suffix, v ? "spiky" : "dense");
        LEM_TRY(v ? lem_value_exact(study, key, exact[v], 5, "")
                  : lem_value_scaled(study, key, exact[v], 5, ""));
    }
    const lem_falsifier falsifiers[] = {{WRONG[f], lem_variance(N_VECTORS, moments, wrong)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = id,
            .statement = statement,
            .source = "kexue.fm 8679; Achlioptas 2003; Li, Hastie & Church 2006; Tropp 2011, arXiv 1011.1595",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason = reason},
        lem_variance(N_VECTORS, moments, exact), falsifiers, 1);
}

static int unbiased_claim(lem_study *study, const lem_moments *moments) {
    double one[N_FAMILIES * N_VECTORS], shrunk[N_FAMILIES * N_VECTORS];
    for (size_t i = 0; i < N_FAMILIES * N_VECTORS; i++)
        one[i] = 1, shrunk[i] = (double)N / M;
    const lem_falsifier falsifiers[] = {{"rows are scaled by 1/sqrt(m), not 1/sqrt(n)",
                                         lem_expectation(N_FAMILIES * N_VECTORS, moments, shrunk)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "jl.matrix-families.unbiased",
                          .statement = "E ||Au||^2 = 1 for all six families",
                          .source = "kexue.fm 8679",
                          .verdict = LEM_HOLDS,
                          .floor = 1000,
                          .floor_reason =
                              "mean off by 0.75 with SD below 0.51: 100 draws would do; 1000 for the normal "
                              "limit"},
        lem_expectation(N_FAMILIES * N_VECTORS, moments, one), falsifiers, 1);
}

static int variance_claims(lem_study *study) {
    family_ctx ctx = {.n = N, .n_vectors = N_VECTORS, .eps = .5};
    lem_stream stream;
    LEM_TRY(lem_study_stream(study, "dense-vector", 0, &stream));
    LEM_TRY(lem_normal_fill(&stream, M, ctx.vectors[0]));
    ctx.vectors[1][0] = ctx.vectors[1][1] = 1, ctx.vectors[1][2] = .5;
    double q4[N_VECTORS];
    for (size_t v = 0; v < N_VECTORS; v++) {
        normalise(ctx.vectors[v]);
        q4[v] = fourth(ctx.vectors[v]);
    }
    lem_moments moments[N_FAMILIES][N_VECTORS];
    uint64_t counts[N_VECTORS], haar_out = 0, haar_trials = 0;
    double floors[N_FAMILIES];
    for (size_t f = 0; f < N_FAMILIES; f++) {
        ctx.family = &FAMILIES[f];
        floors[f] =
            jl_floor_variance(exact_variance(&FAMILIES[f], q4[1]), wrong_variance(f, q4[1]), 8, N_VECTORS);
        const size_t samples = lem_study_samples(study, 40000, (size_t)floors[f]);
        LEM_TRY(measure(study, "families", ctx, samples, moments[f], counts));
        if (f == HAAR)
            haar_out = counts[0], haar_trials = samples;
        LEM_TRY(variance_claim(study, f, moments[f], q4, floors[f]));
    }
    LEM_TRY(unbiased_claim(study, &moments[0][0]));
    const double p = jl_haar_two_sided(M, N, .5), gaussian = jl_two_sided(N, .5);
    const double floor = jl_floor_probability(p, gaussian, 1);
    LEM_TRY(lem_value_exact(study, "haar.tail", p, 5, ""));
    LEM_TRY(lem_value_exact(study, "haar.tail-gaussian", gaussian, 5, ""));
    LEM_TRY(jl_value_rate(study, "haar.tail-measured", haar_out, haar_trials));
    const lem_falsifier falsifiers[] = {
        {"the Gaussian's chi-square tail", lem_probability(1, &haar_out, &haar_trials, &gaussian)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.haar-tail.tail",
            .statement = "Haar: (n/m) ||Au||^2 ~ Beta(n/2,(m-n)/2): P(| ||Au||^2 - 1 | >= 0.5) at m = 64, n "
                         "= 16",
            .source = "our addition to kexue.fm 8679",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason = "binomial with 20% margin, the Beta tail against the chi-square tail"},
        lem_probability(1, &haar_out, &haar_trials, &p), falsifiers, 1);
}

/* --- vectors and shapes without any distortion
 * -------------------------------------------------------------- */

static int exact_claim(lem_study *study) {
    family_ctx ctx = {.n = N, .n_vectors = 1, .eps = .5};
    ctx.vectors[0][0] = 1;
    const size_t kinds[] = {RADEMACHER, SRHT, SPARSE3};
    double ends[6], one[6], bound[6];
    for (size_t i = 0; i < COUNT(kinds); i++) {
        lem_moments moments;
        uint64_t out;
        ctx.family = &FAMILIES[kinds[i]];
        LEM_TRY(measure(study, "spike", ctx, 200, &moments, &out));
        ends[2 * i] = moments.min, ends[2 * i + 1] = moments.max;
        one[2 * i] = one[2 * i + 1] = 1;
        bound[2 * i] = bound[2 * i + 1] =
            (N + 8) * 2.22e-16; /* N squares of a rounded 1/sqrt(n), and their sum */
    }
    const lem_falsifier falsifiers[] = {
        {"sparse +-sqrt(3) entries also keep e_1 exactly", lem_identity(2, ends + 4, one, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){
                         .id = "jl.matrix-families.exact",
                         .statement =
                             "Rademacher and SRHT keep coordinate vectors (q4 = 1) exactly: ||A e_1|| = 1 in "
                             "each of 200 draws",
                         .source = "our addition to kexue.fm 8679",
                         .verdict = LEM_HOLDS},
                     lem_identity(4, ends, one, bound), falsifiers, 1);
}

static int isometry_claim(lem_study *study) {
    family_ctx ctx = {.n = M, .n_vectors = 1, .eps = .5};
    for (size_t j = 0; j < M; j++)
        ctx.vectors[0][j] = (double)(j + 1);
    normalise(ctx.vectors[0]);
    double ends[4], one[4], bound[4];
    const size_t kinds[] = {HAAR, GAUSSIAN};
    for (size_t i = 0; i < 2; i++) {
        lem_moments moments;
        uint64_t out;
        ctx.family = &FAMILIES[kinds[i]];
        LEM_TRY(measure(study, "square", ctx, 40, &moments, &out));
        ends[2 * i] = moments.min, ends[2 * i + 1] = moments.max;
        one[2 * i] = one[2 * i + 1] = 1;
        /* Householder QR: ||Q'Q - I||_F <= about m^2 epsilon */
        bound[2 * i] = bound[2 * i + 1] = M * M * 2.22e-16;
    }
    const lem_falsifier falsifiers[] = {
        {"a square Gaussian matrix is as good (its rows are nearly orthogonal)",
         lem_identity(2, ends + 2, one, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "jl.haar-tail.isometry",
                                       .statement = "a Haar projection with n = m has no distortion at all",
                                       .source = "our addition to kexue.fm 8679",
                                       .verdict = LEM_HOLDS},
                     lem_identity(2, ends, one, bound), falsifiers, 1);
}

/* --- dimensions a Haar projection needs
 * --------------------------------------------------------------------- */

static int dimension_claims(lem_study *study) {
    static const double cases[][4] = {{512, 100, .5, .01}, {2048, 100, .5, .01}, {512, 1000, .3, .001}};
    static const char *const names[] = {"512-100", "2048-100", "512-1000"};
    double haar[3], gaussian[3], rule[3], bound[3];
    char key[64];
    for (size_t i = 0; i < 3; i++) {
        const double *c = cases[i];
        haar[i] = lem_jl_min_dim_haar(c[0], c[1], c[2], c[3]);
        gaussian[i] = lem_jl_min_dim(c[1], c[2], c[3], LEM_MIN_DIM_EXACT);
        rule[i] = gaussian[i] / (1 + gaussian[i] / c[0]);
        bound[i] = .1;
        (void)snprintf(key, sizeof key, "haar.dim.%s", names[i]);
        LEM_TRY(lem_value_exact(study, key, haar[i], 9, ""));
        (void)snprintf(key, sizeof key, "haar.gaussian.%s", names[i]);
        LEM_TRY(lem_value_exact(study, key, gaussian[i], 9, ""));
        (void)snprintf(key, sizeof key, "haar.rule.%s", names[i]);
        LEM_TRY(lem_value_exact(study, key, round(rule[i]), 9, ""));
    }
    const lem_falsifier as_many[] = {{"a Haar projection needs as many dimensions as a Gaussian",
                                      lem_inequality_strict(3, gaussian, haar, NULL)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "jl.haar-tail",
                          .statement =
                              "with exact Beta tails a Haar projection meets the same union bound in fewer "
                              "dimensions than a Gaussian (three cases)",
                          .source = "our addition to kexue.fm 8679",
                          .verdict = LEM_HOLDS},
        lem_inequality_strict(3, haar, gaussian, NULL), as_many, 1));
    const lem_falsifier no_factor[] = {
        {"without the factor 1/(1+n_G/m): n_G", lem_identity(3, haar, gaussian, bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "jl.haar-tail.rule",
                                       .statement = "n_Haar = n_G/(1+n_G/m) to a tenth",
                                       .source = "our addition to kexue.fm 8679",
                                       .verdict = LEM_HOLDS},
                     lem_identity(3, haar, rule, bound), no_factor, 1);
}

int jl_families(lem_study *study) {
    LEM_TRY(variance_claims(study));
    LEM_TRY(exact_claim(study));
    LEM_TRY(isometry_claim(study));
    return dimension_claims(study);
}
