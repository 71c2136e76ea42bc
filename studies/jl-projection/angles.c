/* Two vectors: inner products, and the angle of independent directions. */
#include "stat/distribution.h"
#include "study.h"

/* P(|<Au, Av> - rho| >= eps): the lower tail at rho is the upper tail at -rho. */
static double inner_two_sided(double n, double eps, double rho) {
    return lem_jl_inner_tail(n, eps, rho) + lem_jl_inner_tail(n, eps, -rho);
}

/* --- orthogonal vectors
 * ------------------------------------------------------------------------------------- */

static const double ORTHOGONAL_N[] = {4, 16, 64, 128, 256, 512, 1024};
static const double ORTHOGONAL_EPS[] = {.1, .2, .3, .5, .7, 1};
enum { N_ORTHOGONAL = COUNT(ORTHOGONAL_N) * COUNT(ORTHOGONAL_EPS) };

static int orthogonality_claims(lem_study *study) {
    double exact[N_ORTHOGONAL], article[N_ORTHOGONAL], rate[N_ORTHOGONAL], quarter[N_ORTHOGONAL],
        half[N_ORTHOGONAL];
    double slack[N_ORTHOGONAL], chain_small[2 * N_ORTHOGONAL], chain_large[2 * N_ORTHOGONAL],
        chain_slack[2 * N_ORTHOGONAL];
    for (size_t i = 0; i < N_ORTHOGONAL; i++) {
        const double n = ORTHOGONAL_N[i / COUNT(ORTHOGONAL_EPS)],
                     eps = ORTHOGONAL_EPS[i % COUNT(ORTHOGONAL_EPS)];
        exact[i] = log(inner_two_sided(n, eps, 0));
        article[i] = log(4) - n * eps * eps / 8;
        rate[i] = M_LN2 - n * lem_jl_inner_rate(eps, 0);
        quarter[i] = M_LN2 - n * eps * eps / 4;
        half[i] = M_LN2 - n * eps * eps / 2;
        /* the quadrature's stated 1e-11 on the tail, an absolute error of its logarithm */
        slack[i] = 1e-11 / fabs(article[i]);
        chain_small[i] = exact[i], chain_large[i] = rate[i], chain_slack[i] = 1e-11 / fabs(rate[i]);
        const size_t j = N_ORTHOGONAL + i;
        chain_small[j] = rate[i], chain_large[j] = quarter[i], chain_slack[j] = 64 * 2.22e-16;
    }
    LEM_TRY(lem_value_exact(study, "orthogonality.article", 4 * exp(-64 * .25 / 8), 3, ""));
    LEM_TRY(lem_value_exact(study, "orthogonality.rate", 2 * exp(-64 * lem_jl_inner_rate(.5, 0)), 4, ""));
    LEM_TRY(lem_value_exact(study, "orthogonality.exact", inner_two_sided(64, .5, 0), 5, ""));
    LEM_TRY(lem_value_exact(study, "orthogonality.rate-1", lem_jl_inner_rate(1, 0), 6, ""));
    LEM_TRY(lem_value_exact(study, "orthogonality.wrong-factor",
                            inner_two_sided(1024, .5, 0) / (2 * exp(-1024 * .25 / 2)), 3, ""));
    const lem_falsifier falsifiers[] = {{"P <= 2 exp(-n eps^2/2), as for a normal variable of variance 1/n",
                                         lem_inequality(N_ORTHOGONAL, exact, half, slack)}};
    LEM_TRY(
        lem_claim(study,
                  &(lem_claim_info){
                      .id = "jl.orthogonality",
                      .statement = "P(|<u,v>| >= eps) <= 4 exp(-n eps^2/8) for independent N(0, I/n) vectors",
                      .source = "kexue.fm 8679",
                      .verdict = LEM_HOLDS},
                  lem_inequality(N_ORTHOGONAL, exact, article, slack), falsifiers, 1));
    return lem_claim(
        study,
        &(lem_claim_info){.id = "jl.orthogonality.sharp",
                          .statement =
                              "P(|<u,v>| >= eps) <= 2 exp(-n I_0(eps)) <= 2 exp(-n eps^2/4) for eps <= 1",
                          .source = "our addition to kexue.fm 8679",
                          .verdict = LEM_HOLDS},
        lem_inequality(2 * N_ORTHOGONAL, chain_small, chain_large, chain_slack), falsifiers, 1);
}

static int orthogonality_monte_carlo(lem_study *study) {
    const double p = inner_two_sided(64, .3, 0), half = p / 2, floor = jl_floor_probability(p, half, 1);
    static jl_pairs_result r;
    LEM_TRY(jl_pairs(study, "orthogonality", (jl_pair_ctx){.n = 64, .n_rho = 1, .rho = {0}, .eps = .3},
                     lem_study_samples(study, 200000, (size_t)floor), &r));
    const uint64_t trials = r.samples;
    LEM_TRY(lem_value_exact(study, "orthogonality.exact-0.3", p, 7, ""));
    LEM_TRY(jl_value_rate(study, "orthogonality.measured-0.3", r.inner_out[0], trials));
    const lem_falsifier falsifiers[] = {
        {"one tail instead of two", lem_probability(1, r.inner_out, &trials, &half)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "jl.orthogonality.monte-carlo",
                          .statement =
                              "P(|<u,v>| >= 0.3) at n = 64 is 2 P(X - Y >= 2 n eps), X, Y independent "
                              "chi-square: 0.01750955",
                          .source = "our addition to kexue.fm 8679",
                          .verdict = LEM_HOLDS,
                          .floor = floor,
                          .floor_reason = "binomial with 20% margin, 0.0175 against its half"},
        lem_probability(1, r.inner_out, &trials, &p), falsifiers, 1);
}

/* --- inner products of any two unit vectors
 * ------------------------------------------------------------------ */

static const double RHOS[] = {0, .1, .2, .3, .4, .5, .6, .7, .8, .9, .99, 1};
static const double INNER_POINTS[][2] = {{4, .5}, {16, .5}, {64, .3}, {256, .2}};
enum { N_RHOS = COUNT(RHOS), N_INNER = COUNT(INNER_POINTS) };

static int inner_monotone_claim(lem_study *study) {
    double smaller[N_INNER * (N_RHOS - 1)], larger[N_INNER * (N_RHOS - 1)];
    for (size_t i = 0; i < N_INNER; i++)
        for (size_t r = 0; r + 1 < N_RHOS; r++) {
            smaller[i * (N_RHOS - 1) + r] = inner_two_sided(INNER_POINTS[i][0], INNER_POINTS[i][1], RHOS[r]);
            larger[i * (N_RHOS - 1) + r] =
                inner_two_sided(INNER_POINTS[i][0], INNER_POINTS[i][1], RHOS[r + 1]);
        }
    const double rhos[] = {0, .5, .9, 1};
    for (size_t r = 0; r < COUNT(rhos); r++) {
        char key[64];
        (void)snprintf(key, sizeof key, "inner.tail.%g", rhos[r]);
        LEM_TRY(lem_value_exact(study, key, inner_two_sided(64, .3, rhos[r]), 4, ""));
    }
    const lem_falsifier falsifiers[] = {{"orthogonal vectors are the worst case",
                                         lem_inequality_strict(COUNT(smaller), larger, smaller, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "jl.inner.monotone",
                          .statement =
                              "P(|<Au,Av> - rho| >= eps) strictly increases in |rho| up to the norm tail "
                              "Q_up + Q_down at rho = 1 (four points (n, eps))",
                          .source = "our addition to kexue.fm 8679",
                          .verdict = LEM_HOLDS},
        lem_inequality_strict(COUNT(smaller), smaller, larger, NULL), falsifiers, 1);
}

/* One tail against exp(n/2 (log(1+eps) - eps)), at every rho in [-1, 1]. */
static int inner_chernoff_claim(lem_study *study) {
    enum { STEPS = 41, POINTS = N_INNER * STEPS };
    static double tail[2 * POINTS], bound[2 * POINTS], orthogonal[POINTS], slack[2 * POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double n = INNER_POINTS[i / STEPS][0], eps = INNER_POINTS[i / STEPS][1];
        const double rho = -1 + (double)(i % STEPS) / 20;
        tail[i] = lem_jl_inner_tail_log(n, eps, rho);
        bound[i] = tail[POINTS + i] = -n * lem_jl_inner_rate(eps, rho);
        bound[POINTS + i] = lem_jl_norm_tail_chernoff_log(n, eps, LEM_JL_UPPER);
        orthogonal[i] = -n * lem_jl_inner_rate(eps, 0);
        slack[i] = slack[POINTS + i] = 1e-11 / fabs(bound[POINTS + i]); /* of the quadrature, see above */
    }
    const lem_falsifier falsifiers[] = {
        {"the rate of orthogonal vectors serves every rho", lem_inequality(POINTS, tail, orthogonal, slack)}};
    return lem_claim(study,
                     &(lem_claim_info){
                         .id = "jl.inner.chernoff",
                         .statement =
                             "P(<Au,Av> - rho >= eps) <= exp(-n I_rho(eps)) <= exp(n/2 (log(1+eps)-eps)) for "
                             "every rho in [-1,1]: rho = 1 is the worst case",
                         .source = "our addition to kexue.fm 8679",
                         .verdict = LEM_HOLDS},
                     lem_inequality(2 * POINTS, tail, bound, slack), falsifiers, 1);
}

/* N(N-1)/2 pairs, two tails each, at n = 24 log N/eps^2. */
static int inner_union_claim(lem_study *study) {
    enum { SIZES = 7, EPS = 9 };
    double bound[SIZES * EPS], twelve[SIZES * EPS], delta[SIZES * EPS], slack[SIZES * EPS];
    for (size_t i = 0; i < SIZES * EPS; i++) {
        const double size = pow(10, 1 + (double)(i / EPS)), eps = .1 * (double)(i % EPS + 1);
        const double pairs = log(size * (size - 1)), per = log(size) / (eps * eps);
        bound[i] = pairs + lem_jl_norm_tail_chernoff_log(24 * per, eps, LEM_JL_UPPER);
        twelve[i] = pairs + lem_jl_norm_tail_chernoff_log(12 * per, eps, LEM_JL_UPPER);
        delta[i] = -log(size);
        slack[i] = 256 * 2.22e-16 * (1 + pairs);
    }
    const lem_falsifier falsifiers[] = {
        {"n = 12 log N/eps^2 suffices", lem_inequality(SIZES * EPS, twelve, delta, slack)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.inner",
            .statement = "n > 24 log N/eps^2 keeps all |<Avi,Avj> - <vi,vj>| < eps with probability >= 1 - "
                         "1/N (published: 1 - 2/N): N(N-1) exp(n/2 (log(1+eps)-eps)) <= 1/N",
            .source = "kexue.fm 8706, improved",
            .verdict = LEM_HOLDS},
        lem_inequality(SIZES * EPS, bound, delta, slack), falsifiers, 1);
}

static int inner_variance_claim(lem_study *study) {
    enum { POINTS = 4 };
    const jl_pair_ctx ctx = {.n = 64, .n_rho = POINTS, .rho = {0, .5, .8775825618903728, .99}, .eps = .3};
    double right[POINTS], constant[POINTS], cosine[POINTS];
    for (size_t r = 0; r < POINTS; r++) {
        const double rho2 = ctx.rho[r] * ctx.rho[r];
        right[r] = (1 + rho2) / 64, constant[r] = 1.0 / 64, cosine[r] = (1 - rho2) * (1 - rho2) / 64;
    }
    /* the kurtosis of an average of 64 products is at most 3 + 12/64 (chi-square) */
    const double floor = jl_floor_variance(right[2], constant[2], 3.2, POINTS);
    static jl_pairs_result r;
    LEM_TRY(jl_pairs(study, "inner-variance", ctx, lem_study_samples(study, 20000, (size_t)floor), &r));
    LEM_TRY(lem_value_exact(study, "inner.variance.exact", right[2], 4, ""));
    LEM_TRY(lem_value_estimate(study, "inner.variance.measured", lem_moments_variance(&r.inner[2]),
                               lem_moments_variance_stderr(&r.inner[2]), ""));
    const lem_falsifier falsifiers[] = {
        {"variance 1/n, whatever rho", lem_variance(POINTS, r.inner, constant)},
        {"variance (1-rho^2)^2/n, that of the cosine", lem_variance(POINTS, r.inner, cosine)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "jl.inner.variance",
                          .statement = "Var <Au,Av> = (1+rho^2)/n at rho = 0, 0.5, cos(0.5), 0.99, n = 64",
                          .source = "our addition to kexue.fm 8706",
                          .verdict = LEM_HOLDS,
                          .floor = floor,
                          .floor_reason =
                              "z at rho = cos(0.5), 0.0277 against 0.0156, kurtosis 3.2, 20% margin"},
        lem_variance(POINTS, r.inner, right), falsifiers, 2);
}

/* --- the angle of independent directions
 * --------------------------------------------------------------------- */

enum { CELLS = 64 };

/* P(cos <= c): c^2 is Beta(1/2, (n-1)/2), and c is symmetric. */
static double cosine_cdf(double c, const void *n) {
    const double half = .5 * lem_beta_cdf(c * c, .5, (*(const double *)n - 1) / 2, LEM_UPPER);
    return c < 0 ? half : 1 - half;
}

/* Inner edges of CELLS cells of equal probability, checked back through the distribution function. */
static int equal_cells(double n, double edges[CELLS - 1]) {
    for (int i = 1; i < CELLS; i++) {
        const double p = (double)i / CELLS, central = fabs(2 * p - 1);
        const double c = central > 0 ? sqrt(lem_beta_quantile(central, .5, (n - 1) / 2, LEM_LOWER)) : 0;
        edges[i - 1] = p < .5 ? -c : c;
        if (!(fabs(cosine_cdf(edges[i - 1], &n) - p) <= 1e-12))
            return LEM_ERROR(GSL_EFAILED, "the quantile %g of Beta(0.5, %g) does not come back", central,
                             (n - 1) / 2);
    }
    return GSL_SUCCESS;
}

typedef struct {
    size_t doubles, n;
    double edges[CELLS - 1];
} angle_ctx;

static size_t cell_of(const double *edges, double c) {
    size_t low = 0, high = CELLS - 1;
    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (c >= edges[mid])
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static int angle_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                       const void *context) {
    (void)first;
    const angle_ctx *ctx = context;
    const size_t n = ctx->n;
    double *draws = workspace;
    LEM_TRY(lem_normal_fill(stream, 2 * n * count, draws));
    for (size_t i = 0; i < count; i++) {
        const double *u = draws + 2 * n * i, *v = u + n;
        double uu = 0, uv = 0, vv = 0;
        for (size_t k = 0; k < n; k++)
            uu += u[k] * u[k], uv += u[k] * v[k], vv += v[k] * v[k];
        out->records[i] = uv / sqrt(uu * vv);
        out->counts[cell_of(ctx->edges, out->records[i])]++;
    }
    return lem_moments_add_array(&out->moments[0], count, out->records);
}

typedef struct {
    lem_moments moments;
    uint64_t counts[CELLS];
    double *cosines; /* [samples], unsorted */
} angles;

static int draw_angles(lem_study *study, size_t n, size_t samples, angles *out) {
    angle_ctx ctx = {.doubles = 2 * n * JL_PAIR_CHUNK, .n = n};
    LEM_TRY(equal_cells((double)n, ctx.edges));
    char purpose[64];
    (void)snprintf(purpose, sizeof purpose, "angle-%zu", n);
    lem_mc_result mc = {.moments = &out->moments, .counts = out->counts, .records = out->cosines};
    return lem_study_mc(study, purpose,
                        (lem_mc_plan){.samples = samples,
                                      .chunk_size = JL_PAIR_CHUNK,
                                      .n_moments = 1,
                                      .n_counts = CELLS,
                                      .n_records = 1,
                                      .chunk = angle_chunk,
                                      .ctx = &ctx,
                                      .workspace_alloc = jl_workspace_alloc,
                                      .workspace_free = free},
                        &mc);
}

/* Probabilities of the n-cells under the law of dimension other (or, other = 0, under a uniform angle). */
static int cell_probabilities(double n, double other, double p[CELLS]) {
    double edges[CELLS - 1], below = 0;
    LEM_TRY(equal_cells(n, edges));
    for (int i = 0; i < CELLS; i++) {
        const double at = i == CELLS - 1 ? 1
                          : other > 0    ? cosine_cdf(edges[i], &other)
                                         : 1 - acos(edges[i]) / M_PI;
        p[i] = at - below;
        below = at;
    }
    return GSL_SUCCESS;
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Goodness of fit in each dimension. In 256 dimensions the exponent n - 1 is out of reach of any affordable
 * sample (its law differs by 0.2%), so the falsifier there is the flat angle of low dimensions. */
static int angle_law_claim(lem_study *study, size_t n, angles *a, size_t full) {
    double right[CELLS], wrong[CELLS];
    const double other = n == 256 ? 0 : (double)n + 1;
    LEM_TRY(cell_probabilities((double)n, (double)n, right));
    LEM_TRY(cell_probabilities((double)n, other, wrong));
    const double floor = jl_floor_counts(CELLS, right, wrong);
    const size_t samples =
        lem_study_samples(study, full, (size_t)fmax(floor, 10000)); /* the variance wants 10000 */
    free(a->cosines);
    a->cosines = malloc(samples * sizeof(double));
    if (!a->cosines)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu cosines", samples);
    LEM_TRY(draw_angles(study, n, samples, a));
    char id[64], statement[200];
    (void)snprintf(id, sizeof id, "jl.angle.law-%zu", n);
    (void)snprintf(statement, sizeof statement,
                   "the angle of two independent directions in R^%zu has density proportional to sin^(n-2): "
                   "chi-square over 64 "
                   "cells of equal probability",
                   n);
    const lem_falsifier falsifiers[] = {
        {n == 256 ? "the angle is uniform on [0, pi]" : "exponent n-1 in the density",
         lem_distribution_counts(CELLS, a->counts, wrong)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = id,
            .statement = statement,
            .source = "kexue.fm 7076",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason =
                "noncentral chi-square with 63 degrees of freedom, normal approximation, 10% margin"},
        lem_distribution_counts(CELLS, a->counts, right), falsifiers, 1);
}

static int angle_ks_claim(lem_study *study, const angles *a, double floor) {
    const double n = 3, wrong = 4;
    qsort(a->cosines, a->moments.n, sizeof(double), compare_doubles);
    const lem_falsifier falsifiers[] = {
        {"exponent n-1 in the density", lem_distribution_ks(a->moments.n, a->cosines, cosine_cdf, &wrong)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.angle.ks-3",
            .statement = "the cosine of two independent directions in R^3 is uniform on [-1,1] "
                         "(Kolmogorov-Smirnov)",
            .source = "kexue.fm 7076",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason =
                "Dvoretzky-Kiefer-Wolfowitz for level and power: (2 x 2.694/0.0545)^2, the laws of n = "
                "3 and 4 being 0.0545 apart at c = 0.5"},
        lem_distribution_ks(a->moments.n, a->cosines, cosine_cdf, &n), falsifiers, 1);
}

static int angle_claims(lem_study *study) {
    static const size_t dims[] = {2, 3, 16, 256};
    static angles a;
    lem_moments moments[COUNT(dims)];
    const double three = 3, four = 4, ks_floor = jl_floor_ks(cosine_cdf(.5, &four) - cosine_cdf(.5, &three));
    double variance[COUNT(dims)], wrong[COUNT(dims)];
    int status = GSL_SUCCESS;
    for (size_t i = 0; i < COUNT(dims) && !status; i++) {
        const double n = (double)dims[i];
        status = angle_law_claim(study, dims[i], &a, dims[i] == 256 ? 20000 : 200000);
        moments[i] = a.moments;
        variance[i] = 1 / n, wrong[i] = 1 / (n + 1);
        if (!status && dims[i] == 3)
            status = angle_ks_claim(study, &a, ks_floor);
    }
    free(a.cosines);
    LEM_TRY(status);
    const double floor = jl_floor_variance(1.0 / 2, 1.0 / 3, 1.5, COUNT(dims));
    const lem_falsifier falsifiers[] = {{"Var cos = 1/(n+1)", lem_variance(COUNT(dims), moments, wrong)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "jl.angle.variance",
            .statement = "Var cos = 1/n for n = 2, 3, 16, 256",
            .source = "kexue.fm 7076",
            .verdict = LEM_HOLDS,
            .floor = floor,
            .floor_reason = "z at n = 2, 1/2 against 1/3, kurtosis 3/2; at least 10000 for the normal limit"},
        lem_variance(COUNT(dims), moments, variance), falsifiers, 1);
}

static int angle_bound_claim(lem_study *study) {
    static const double dims[] = {2, 3, 4, 8, 16, 64, 256, 1024, 4096};
    enum { EPS = 99, POINTS = COUNT(dims) * EPS };
    static double tail[POINTS], bound[POINTS], wrong[POINTS], slack[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const double n = dims[i / EPS], eps = (double)(i % EPS + 1) / 100, decay = log1p(-eps * eps);
        tail[i] = lem_cosine_abs_tail_log(n, eps);
        bound[i] = (n - 1) / 2 * decay;
        wrong[i] = n / 2 * decay;
        slack[i] = 64 * 2.22e-16 * (1 + 1 / fabs(bound[i]));
    }
    LEM_TRY(lem_value_exact(study, "angle.tail-3-0.9", lem_cosine_abs_tail(3, .9), 4, ""));
    LEM_TRY(lem_value_exact(study, "angle.wrong-3-0.9", pow(1 - .81, 1.5), 3, ""));
    const lem_falsifier falsifiers[] = {{"P <= (1-eps^2)^(n/2)", lem_inequality(POINTS, tail, wrong, slack)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "jl.angle",
                          .statement =
                              "P(|cos| >= eps) <= (1-eps^2)^((n-1)/2) for n = 2..4096, eps = 0.01..0.99",
                          .source = "kexue.fm 7076; our addition",
                          .verdict = LEM_HOLDS},
        lem_inequality(POINTS, tail, bound, slack), falsifiers, 1);
}

int jl_angles(lem_study *study) {
    LEM_TRY(orthogonality_claims(study));
    LEM_TRY(orthogonality_monte_carlo(study));
    LEM_TRY(inner_monotone_claim(study));
    LEM_TRY(inner_chernoff_claim(study));
    LEM_TRY(inner_union_claim(study));
    LEM_TRY(inner_variance_claim(study));
    LEM_TRY(angle_bound_claim(study));
    return angle_claims(study);
}
