/* Ranks: of softmax and linear attention, of causal masks and their blocks, of local windows. */
#include "study.h"

enum { TOKENS = 256, HALF = TOKENS / 2, DRAWS = 3 };

typedef struct {
    gsl_matrix *q, *k, *a;
    gsl_vector *sigma, *half_sigma;
} space;

static void release(space *t) {
    gsl_matrix_free(t->q), gsl_matrix_free(t->k), gsl_matrix_free(t->a);
    gsl_vector_free(t->sigma), gsl_vector_free(t->half_sigma);
}

static int draw(space *t, lem_stream *stream, size_t d) {
    t->q = gsl_matrix_alloc(TOKENS, d), t->k = gsl_matrix_alloc(TOKENS, d),
    t->a = gsl_matrix_alloc(TOKENS, TOKENS);
    t->sigma = gsl_vector_alloc(TOKENS), t->half_sigma = gsl_vector_alloc(HALF);
    LEM_TRY(lin_fill(stream, pow((double)d, -0.25), t->q));
    return lin_fill(stream, pow((double)d, -0.25), t->k);
}

static int rank_of(const gsl_vector *sigma, double eps, double *rank) {
    size_t r;
    LEM_TRY(lem_numerical_rank_of(sigma, eps, &r));
    *rank = (double)r;
    return GSL_SUCCESS;
}

/* An attention matrix of the kind, and its singular values; with `causal` also those of the lower left block.
 */
static int spectrum(space *t, lem_attention_kind kind, bool causal) {
    const lem_attention_options options = {.scale = 1, .causal = causal};
    LEM_TRY(lem_attention_matrix(t->q, t->k, kind, &options, t->a));
    LEM_TRY(lem_svd(t->a, NULL, t->sigma, NULL));
    const gsl_matrix block = gsl_matrix_submatrix(t->a, HALF, 0, HALF, HALF).matrix;
    return lem_svd(&block, NULL, t->half_sigma, NULL);
}

static int polynomial_rank(space *t, int n, double *rank) {
    double c[8];
    lem_polynomial p = {n, c};
    LEM_TRY(lem_exp_taylor_coefficients(n, c));
    LEM_TRY(lem_attention_matrix_scored(t->q, t->k, lem_polynomial_score, &p, NULL, t->a));
    LEM_TRY(lem_svd(t->a, NULL, t->sigma, NULL));
    return rank_of(t->sigma, 1e-12, rank);
}

enum { N_RANKS = 6 }; /* QK^T, elu1, T_1 .. T_4 */
enum {
    SOFTMAX_3,
    SOFTMAX_6,
    SOFTMAX_10,
    BLOCK_LINEAR,
    BLOCK_SOFTMAX,
    CAUSAL_LINEAR,
    CAUSAL_SOFTMAX,
    EFFECTIVE_SOFTMAX,
    EFFECTIVE_LINEAR,
    N_SEEN
};
typedef struct {
    double rank[N_RANKS], seen[N_SEEN];
    double log_det, log_diagonal, log_bound, log_uniform;
} ranks;

static void log_determinant(const space *t, ranks *r) {
    r->log_det = r->log_diagonal = r->log_bound = r->log_uniform = 0;
    for (size_t i = 0; i < TOKENS; i++) {
        r->log_det += log(gsl_vector_get(t->sigma, i));
        r->log_diagonal += log(gsl_matrix_get(t->a, i, i));
        r->log_uniform -= log((double)i + 1);
        /* each singular value comes with an error of some 10 epsilons of the largest */
        r->log_bound += 10 * EPS * gsl_vector_get(t->sigma, 0) / gsl_vector_get(t->sigma, i) +
                        EPS * fabs(r->log_diagonal);
    }
}

static int measure_four(space *t, ranks *r) {
    (void)lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, t->q, t->k, 0, t->a, 0);
    LEM_TRY(lem_svd(t->a, NULL, t->sigma, NULL));
    LEM_TRY(rank_of(t->sigma, 1e-12, &r->rank[0]));
    for (int n = 1; n <= 4; n++)
        LEM_TRY(polynomial_rank(t, n, &r->rank[n + 1]));
    LEM_TRY(spectrum(t, LEM_ATTENTION_LINEAR_ELU1, false));
    LEM_TRY(rank_of(t->sigma, 1e-12, &r->rank[1]));
    r->seen[EFFECTIVE_LINEAR] = lem_effective_rank_of(t->sigma);
    LEM_TRY(spectrum(t, LEM_ATTENTION_SOFTMAX, false));
    LEM_TRY(rank_of(t->sigma, 1e-3, &r->seen[SOFTMAX_3]));
    LEM_TRY(rank_of(t->sigma, 1e-6, &r->seen[SOFTMAX_6]));
    LEM_TRY(rank_of(t->sigma, 1e-10, &r->seen[SOFTMAX_10]));
    r->seen[EFFECTIVE_SOFTMAX] = lem_effective_rank_of(t->sigma);
    LEM_TRY(spectrum(t, LEM_ATTENTION_SOFTMAX, true));
    LEM_TRY(rank_of(t->half_sigma, 1e-6, &r->seen[BLOCK_SOFTMAX]));
    LEM_TRY(rank_of(t->sigma, 1e-10, &r->seen[CAUSAL_SOFTMAX]));
    LEM_TRY(spectrum(t, LEM_ATTENTION_LINEAR_ELU1, true));
    LEM_TRY(rank_of(t->half_sigma, 1e-6, &r->seen[BLOCK_LINEAR]));
    LEM_TRY(rank_of(t->sigma, 1e-10, &r->seen[CAUSAL_LINEAR]));
    log_determinant(t, r);
    return GSL_SUCCESS;
}

static int claim_exact_ranks(lem_study *study, const ranks *r) {
    static const double expected[N_RANKS] = {4, 4, 5, 15, 35, 70}, ordered[N_RANKS] = {4, 4, 5, 21, 85, 256};
    double measured[DRAWS * N_RANKS], wanted[DRAWS * N_RANKS], wrong[DRAWS * N_RANKS],
        exact[DRAWS * N_RANKS] = {0};
    for (int s = 0; s < DRAWS; s++)
        for (int i = 0; i < N_RANKS; i++) {
            measured[s * N_RANKS + i] = r[s].rank[i];
            wanted[s * N_RANKS + i] = expected[i], wrong[s * N_RANKS + i] = ordered[i];
        }
    const lem_falsifier falsifiers[] = {{"rank min(L, sum of d^m), the number of ordered products",
                                         lem_identity_abs(DRAWS * N_RANKS, measured, wrong, exact)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.rank",
                          .statement =
                              "d = 4, L = 256: rank QK^T = 4, elu1 linear attention 4, T_n of QK^T "
                              "binom(4+n, n) = 5, 15, 35, 70 (singular values above 1e-12 of the largest)",
                          .source = "kexue.fm 8601, 8338; arXiv 2002.07028",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(DRAWS * N_RANKS, measured, wanted, exact), falsifiers, 1);
}

/* Over draws the softmax block has rank 120 to 127 of 128; 25 times 4 leaves room, and is far from 4. */
static int claim_block(lem_study *study, const ranks *r) {
    double smaller[2 * DRAWS], larger[2 * DRAWS], wrong_smaller[DRAWS], wrong_larger[DRAWS];
    for (int s = 0; s < DRAWS; s++) {
        smaller[2 * s] = r[s].seen[BLOCK_LINEAR], larger[2 * s] = 4;
        smaller[2 * s + 1] = 25 * r[s].seen[BLOCK_LINEAR], larger[2 * s + 1] = r[s].seen[BLOCK_SOFTMAX];
        wrong_smaller[s] = r[s].seen[BLOCK_SOFTMAX], wrong_larger[s] = r[s].seen[BLOCK_LINEAR];
    }
    const lem_falsifier falsifiers[] = {
        {"both are of full rank, so causal linear attention expresses as much",
         lem_inequality(DRAWS, wrong_smaller, wrong_larger, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.rank.block",
                          .statement =
                              "the lower left quarter of causal linear attention (elu1, d = 4) has rank "
                              "<= 4, that of causal softmax more than 25 times as much (threshold 1e-6)",
                          .source = "kexue.fm 8338 (a causal mask gives full rank)",
                          .verdict = LEM_HOLDS_WHEN,
                          .note = "full rank is true of the whole matrix, but comes from the diagonal alone"},
        lem_inequality(2 * DRAWS, smaller, larger, NULL), falsifiers, 1);
}

static int claim_causal(lem_study *study, const ranks *r) {
    double measured[DRAWS], expected[DRAWS], bound[DRAWS], wrong[DRAWS];
    for (int s = 0; s < DRAWS; s++)
        measured[s] = r[s].log_det, expected[s] = r[s].log_diagonal, bound[s] = r[s].log_bound,
        wrong[s] = r[s].log_uniform;
    const lem_falsifier falsifiers[] = {{"the determinant of uniform causal attention, 1/L!",
                                         lem_identity_abs(DRAWS, measured, wrong, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.rank.causal",
                          .statement =
                              "causal linear attention has full rank: its singular values multiply to prod "
                              "A_ii > 0",
                          .source = "kexue.fm 8338",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(DRAWS, measured, expected, bound), falsifiers, 1);
}

static int claim_effective(lem_study *study, const ranks *four, const ranks *sixteen) {
    double smaller[2 * DRAWS], larger[2 * DRAWS];
    for (int s = 0; s < DRAWS; s++) {
        smaller[s] = 8 * four[s].seen[EFFECTIVE_LINEAR], larger[s] = four[s].seen[EFFECTIVE_SOFTMAX];
        smaller[DRAWS + s] = 25 * sixteen[s].seen[EFFECTIVE_LINEAR],
                        larger[DRAWS + s] = sixteen[s].seen[EFFECTIVE_SOFTMAX];
    }
    const lem_falsifier falsifiers[] = {{"linear attention has the effective rank of softmax",
                                         lem_inequality(2 * DRAWS, larger, smaller, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.rank.effective",
                          .statement =
                              "effective rank exp(H(sigma/sum)) of softmax is more than 8 (d = 4) and 25 (d "
                              "= 16) times that of elu1 linear attention",
                          .source = "kexue.fm 8338; our measure",
                          .verdict = LEM_HOLDS},
        lem_inequality(2 * DRAWS, smaller, larger, NULL), falsifiers, 1);
}

/* --- windows --- */

/* a_ij = u_i v_j for |i - j| <= 1 (rank 1 before the mask), or with a second generic factor. */
static int band_rank(lem_stream *stream, size_t L, int factors, double *rank, double *smallest) {
    double u[2 * 65], v[2 * 65], values[65];
    LEM_TRY(lem_uniform_fill(stream, 2 * 65, u));
    LEM_TRY(lem_uniform_fill(stream, 2 * 65, v));
    gsl_matrix *a = gsl_matrix_calloc(L, L);
    if (!a)
        return GSL_ENOMEM;
    for (size_t i = 0; i < L; i++)
        for (size_t j = i ? i - 1 : 0; j < L && j <= i + 1; j++) {
            double sum = 0;
            for (int f = 0; f < factors; f++)
                sum += (0.5 + u[2 * i + (size_t)f]) * (0.5 + v[2 * j + (size_t)f]);
            gsl_matrix_set(a, i, j, sum);
        }
    gsl_vector sigma = gsl_vector_view_array(values, L).vector;
    int status = lem_svd(a, NULL, &sigma, NULL);
    gsl_matrix_free(a);
    *smallest = values[L - 1];
    return status ? status : rank_of(&sigma, 1e-11, rank);
}

static int claim_window(lem_study *study) {
    enum { FIRST = 8, N = 65 - FIRST + 1 };
    double measured[N], expected[N], full[N], exact[N] = {0}, smallest = 0, generic, generic_smallest;
    lem_stream stream;
    LEM_TRY(lem_study_stream(study, "window", 0, &stream));
    for (size_t i = 0; i < N; i++) {
        const size_t L = FIRST + i;
        LEM_TRY(band_rank(&stream, L, 1, &measured[i], &smallest));
        full[i] = (double)L, expected[i] = (double)L - (L % 3 == 2);
    }
    LEM_TRY(band_rank(&stream, 65, 2, &generic, &generic_smallest));
    LEM_TRY(lem_value_scaled(study, "window.rank-two", generic, 3, ""));
    const lem_falsifier falsifiers[] = {
        {"a non-zero diagonal makes the masked matrix invertible, as for a triangular mask",
         lem_identity_abs(N, measured, full, exact)}};
    return lem_claim(
        study,
        &(lem_claim_info){
            .id = "lin.window-rank",
            .statement = "rank-1 positive attention under a window of half-width 1 has rank L - 1 when "
                         "L = 2 mod 3, else L; L = 8..65",
            .source = "kexue.fm 8338 (truncation raises the rank)",
            .verdict = LEM_HOLDS_WHEN,
            .note = "truncation raises the rank (1 to 64 at L = 65), but not always to full rank"},
        lem_identity_abs(N, measured, expected, exact), falsifiers, 1);
}

/* Windows made of five blocks of 13 tokens, each of which sees itself only: a mask of rank 5, and A of rank
 * r = 1, 2, 3 becomes one of rank 5 r. The band of half-width one at L = 65 has rank 64. */
static int claim_product(lem_study *study) {
    enum { L = 65, BLOCK = 13, BLOCKS = L / BLOCK, R = 3, N = 2 * R };
    double measured[N], product[N], sum[N], u[L * R], v[L * R], values[L];
    lem_stream stream;
    LEM_TRY(lem_study_stream(study, "masked products", 0, &stream));
    LEM_TRY(lem_uniform_fill(&stream, L * R, u));
    LEM_TRY(lem_uniform_fill(&stream, L * R, v));
    gsl_matrix *a = gsl_matrix_alloc(L, L);
    if (!a)
        return GSL_ENOMEM;
    int status = GSL_SUCCESS;
    for (size_t c = 0; c < N && !status; c++) {
        const size_t factors = c % R + 1;
        const bool blocks = c < R;
        for (size_t i = 0; i < L; i++)
            for (size_t j = 0; j < L; j++) {
                double x = 0;
                const bool seen = blocks ? i / BLOCK == j / BLOCK : i <= j + 1 && j <= i + 1;
                for (size_t f = 0; seen && f < factors; f++)
                    x += (0.5 + u[R * i + f]) * (0.5 + v[R * j + f]);
                gsl_matrix_set(a, i, j, x);
            }
        gsl_vector sigma = gsl_vector_view_array(values, L).vector;
        status = lem_svd(a, NULL, &sigma, NULL);
        if (!status)
            status = rank_of(&sigma, 1e-11, &measured[c]);
        const double of_mask = blocks ? BLOCKS : L - 1;
        product[c] = (double)factors * of_mask, sum[c] = (double)factors + of_mask;
    }
    gsl_matrix_free(a);
    LEM_TRY(status);
    LEM_TRY(lem_value_scaled(study, "window.blocks-three", measured[R - 1], 3, ""));
    const lem_falsifier falsifiers[] = {{"at most the sum of the two ranks, as for a sum of matrices",
                                         lem_inequality(N, measured, sum, NULL)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.window-rank.product",
                          .statement =
                              "a mask M leaves A a rank of at most rank A rank M; rank A = 1, 2, 3, M a "
                              "band or five blocks, L = 65",
                          .source = "our addition to kexue.fm 8338",
                          .verdict = LEM_HOLDS},
        lem_inequality(N, measured, product, NULL), falsifiers, 1);
}

static int claim_band_eigenvalues(lem_study *study) {
    enum { L = 65 };
    double measured[L], expected[L], shifted[L], bound[L];
    gsl_matrix *m = gsl_matrix_calloc(L, L);
    if (!m)
        return GSL_ENOMEM;
    for (size_t i = 0; i < L; i++)
        for (size_t j = i ? i - 1 : 0; j < L && j <= i + 1; j++)
            gsl_matrix_set(m, i, j, 1);
    gsl_vector values = gsl_vector_view_array(measured, L).vector;
    const int status = lem_symmetric_eigen(m, &values, NULL);
    gsl_matrix_free(m);
    LEM_TRY(status);
    for (int i = 0; i < L; i++) { /* increasing: j = L .. 1 */
        expected[i] = 1 + 2 * cos((L - i) * M_PI / (L + 1));
        shifted[i] = 1 + 2 * cos((L - i) * M_PI / L);
        bound[i] = 3 * L * EPS; /* backward stable: a modest multiple of L epsilons of the norm, 3 */
    }
    const lem_falsifier falsifiers[] = {{"1 + 2 cos(j pi/L)", lem_identity_abs(L, measured, shifted, bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.window-rank.eigenvalues",
                          .statement =
                              "the 0/1 band matrix of half-width 1 has eigenvalues 1 + 2 cos(j pi/(L+1)), "
                              "of which one is 0 when 3 divides L + 1; L = 65",
                          .source = "classical",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(L, measured, expected, bound), falsifiers, 1);
}

/* --- figure and values --- */

static int store(gsl_vector *from, double (*columns)[TOKENS], int column) {
    for (size_t i = 0; i < TOKENS; i++) {
        const double s = i < from->size ? gsl_vector_get(from, i) / gsl_vector_get(from, 0) : NAN;
        columns[column][i] = s > 1e-18 ? s : NAN;
    }
    return GSL_SUCCESS;
}

static int figure(lem_study *study, space *t) {
    static double columns[6][TOKENS];
    static const char *const names[] = {
        "index", "QK^T", "softmax", "elu1", "causal elu1", "block of causal softmax", "block of causal elu1"};
    (void)lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, t->q, t->k, 0, t->a, 0);
    LEM_TRY(lem_svd(t->a, NULL, t->sigma, NULL));
    LEM_TRY(store(t->sigma, columns, 0));
    LEM_TRY(spectrum(t, LEM_ATTENTION_SOFTMAX, false));
    LEM_TRY(store(t->sigma, columns, 1));
    LEM_TRY(spectrum(t, LEM_ATTENTION_LINEAR_ELU1, false));
    LEM_TRY(store(t->sigma, columns, 2));
    LEM_TRY(spectrum(t, LEM_ATTENTION_LINEAR_ELU1, true));
    LEM_TRY(store(t->sigma, columns, 3));
    LEM_TRY(store(t->half_sigma, columns, 5));
    LEM_TRY(spectrum(t, LEM_ATTENTION_SOFTMAX, true));
    LEM_TRY(store(t->half_sigma, columns, 4));
    lem_table *table;
    LEM_TRY(lem_study_table(study, "spectrum", names, COUNT(names), &table));
    for (size_t i = 0; i < TOKENS; i++) {
        double row[7] = {(double)i + 1};
        for (int c = 0; c < 6; c++)
            row[c + 1] = columns[c][i];
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(
        study, "spectrum",
        "Singular values relative to the largest, d = 4, 256 tokens. The past block is that of the last 128 "
        "queries and the first 128 keys. Below 1e-15 is rounding.",
        "causal linear attention is of full rank only through its diagonal: its block in the past keeps the "
        "rank 4 of linear attention, while that of softmax has more than a hundred");
}

static int record(lem_study *study, const ranks *four, const ranks *sixteen) {
    static const char *const keys[N_SEEN] = {
        "rank.softmax-1e-3",   "rank.softmax-1e-6",      "rank.softmax-1e-10",
        "rank.block-linear",   "rank.block-softmax",     "rank.causal-linear",
        "rank.causal-softmax", "rank.effective-softmax", "rank.effective-linear"};
    for (int i = 0; i < N_SEEN; i++)
        LEM_TRY(lem_value_scaled(study, keys[i], four->seen[i], 3, ""));
    LEM_TRY(lem_value_scaled(study, "rank.effective-softmax-16", sixteen->seen[EFFECTIVE_SOFTMAX], 3, ""));
    return lem_value_scaled(study, "rank.effective-linear-16", sixteen->seen[EFFECTIVE_LINEAR], 3, "");
}

int lin_rank(lem_study *study) {
    ranks four[DRAWS], sixteen[DRAWS];
    int status = GSL_SUCCESS;
    for (uint32_t s = 0; s < DRAWS && !status; s++) {
        lem_stream stream;
        space t = {0};
        LEM_TRY(lem_study_stream(study, "rank", s, &stream));
        if (!(status = draw(&t, &stream, 4)) && !(status = measure_four(&t, &four[s])) && s == 0)
            status = figure(study, &t);
        release(&t);
        t = (space){0};
        if (!status && !(status = draw(&t, &stream, 16)) &&
            !(status = spectrum(&t, LEM_ATTENTION_SOFTMAX, false))) {
            sixteen[s].seen[EFFECTIVE_SOFTMAX] = lem_effective_rank_of(t.sigma);
            status = spectrum(&t, LEM_ATTENTION_LINEAR_ELU1, false);
            sixteen[s].seen[EFFECTIVE_LINEAR] = lem_effective_rank_of(t.sigma);
        }
        release(&t);
    }
    LEM_TRY(status);
    LEM_TRY(record(study, four, sixteen));
    LEM_TRY(claim_exact_ranks(study, four));
    LEM_TRY(claim_block(study, four));
    LEM_TRY(claim_causal(study, four));
    LEM_TRY(claim_effective(study, four, sixteen));
    LEM_TRY(claim_window(study));
    LEM_TRY(claim_product(study));
    return claim_band_eigenvalues(study);
}
