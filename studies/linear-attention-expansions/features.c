/* How many features a polynomial kernel needs, and that they reproduce it. */
#include "study.h"

enum { MOST_D = 6, MOST_N = 5, VECTORS = 6, PAIRS = VECTORS * VECTORS };
enum { POINTS = MOST_D * MOST_N * 2 * PAIRS };
typedef struct {
    double inner[POINTS], polynomial[POINTS], bound[POINTS], wrong[POINTS];
    size_t count;
} comparison;

/* sum_m c_m h_m(z): each monomial once with the weight of its degree alone, as if the multiplicities
 * m!/alpha! were
 * 1. h_m by adding one variable at a time: h_m(z_1..z_l) = h_m(z_1..z_(l-1)) + z_l h_(m-1)(z_1..z_l). */
static double without_multiplicities(int n, const double *c, size_t d, const double *x, const double *y) {
    double h[MOST_N + 1] = {1}, sum = 0;
    for (size_t l = 0; l < d; l++)
        for (int m = 1; m <= n; m++)
            h[m] += x[l] * y[l] * h[m - 1];
    for (int m = 0; m <= n; m++)
        sum += c[m] * h[m];
    return sum;
}

static int compare(comparison *t, const gsl_matrix *x, int n, const double *c) {
    uint64_t r;
    LEM_TRY(lem_symmetric_feature_dim(x->size2, (uint64_t)n, &r));
    gsl_matrix *phi = gsl_matrix_alloc(VECTORS, r);
    if (!phi)
        return GSL_ENOMEM;
    const int status = lem_symmetric_features(x, n, c, 1, phi);
    for (size_t i = 0; i < VECTORS && !status; i++)
        for (size_t j = 0; j < VECTORS; j++) {
            const double *a = x->data + i * x->tda, *b = x->data + j * x->tda;
            double inner = 0, dot = 0, sizes = 0, bound;
            for (size_t l = 0; l < r; l++)
                inner += phi->data[i * r + l] * phi->data[j * r + l];
            for (size_t l = 0; l < x->size2; l++)
                dot += a[l] * b[l], sizes += fabs(a[l] * b[l]);
            (void)lin_horner(n, c, sizes, &bound);
            t->inner[t->count] = inner;
            t->polynomial[t->count] = lin_horner(n, c, dot, NULL);
            /* n + 4 roundings in each feature and in Horner's rule, r additions, of terms of these sizes */
            t->bound[t->count] = (4.0 * n + 8 + (double)r) * EPS * bound;
            t->wrong[t->count] = without_multiplicities(n, c, x->size2, a, b);
            t->count++;
        }
    gsl_matrix_free(phi);
    return status;
}

static int claim_inner_products(lem_study *study) {
    static comparison t;
    lem_stream stream;
    LEM_TRY(lem_study_stream(study, "features", 0, &stream));
    t.count = 0;
    for (size_t d = 1; d <= MOST_D; d++)
        for (int n = 1; n <= MOST_N; n++) {
            double c[MOST_N + 1], data[VECTORS * MOST_D];
            gsl_matrix x = gsl_matrix_view_array(data, VECTORS, d).matrix;
            LEM_TRY(lin_fill(&stream, 1, &x));
            LEM_TRY(lem_exp_taylor_coefficients(n, c));
            LEM_TRY(compare(&t, &x, n, c));
            LEM_TRY(lem_exp_power_coefficients(n, c));
            LEM_TRY(compare(&t, &x, n, c));
        }
    const lem_falsifier falsifiers[] = {
        {"weights of the degree alone, without the multiplicity of a monomial",
         lem_identity_abs(t.count, t.wrong, t.polynomial, t.bound)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.feature-dim",
                          .statement =
                              "features sqrt(c_m m!/alpha!) v^alpha, |alpha| = m <= n, have the inner "
                              "product sum c_m (u.v)^m, for Taylor and power weights, d <= 6, n <= 5",
                          .source = "kexue.fm 8601; multiplicities merged by us",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(t.count, t.inner, t.polynomial, t.bound), falsifiers, 1);
}

/* Multi-indices of d entries that sum to at most n, one by one. */
static double enumerate(int d, int n) {
    if (d == 0)
        return 1;
    double count = 0;
    for (int first = 0; first <= n; first++)
        count += enumerate(d - 1, n - first);
    return count;
}

static int claim_count(lem_study *study) {
    enum { D = 8, N = 8 };
    double counted[D * N], formula[D * N], tensor[D * N], exact[D * N] = {0};
    for (int d = 1; d <= D; d++)
        for (int n = 1; n <= N; n++) {
            uint64_t merged, ordered;
            LEM_TRY(lem_symmetric_feature_dim((uint64_t)d, (uint64_t)n, &merged));
            LEM_TRY(lem_tensor_feature_dim((uint64_t)d, (uint64_t)n, &ordered));
            const int i = (d - 1) * N + n - 1;
            counted[i] = enumerate(d, n), formula[i] = (double)merged, tensor[i] = (double)ordered;
        }
    static const char *const keys[][2] = {{"feature-dim.tensor-2", "feature-dim.merged-2"},
                                          {"feature-dim.tensor-3", "feature-dim.merged-3"},
                                          {"feature-dim.tensor-4", "feature-dim.merged-4"}};
    for (uint64_t n = 2; n <= 4; n++) {
        uint64_t merged, ordered;
        LEM_TRY(lem_symmetric_feature_dim(64, n, &merged));
        LEM_TRY(lem_tensor_feature_dim(64, n, &ordered));
        LEM_TRY(lem_value_exact(study, keys[n - 2][0], (double)ordered, 10, ""));
        LEM_TRY(lem_value_exact(study, keys[n - 2][1], (double)merged, 10, ""));
    }
    const lem_falsifier falsifiers[] = {{"sum of d^m, each order of factors a feature of its own",
                                         lem_identity_abs(D * N, counted, tensor, exact)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "lin.feature-dim.count",
                          .statement =
                              "binom(d+n, n) features suffice for any polynomial of degree n: counted "
                              "for d, n = 1..8",
                          .source = "kexue.fm 8601 (which counts d^n)",
                          .verdict = LEM_HOLDS},
        lem_identity_abs(D * N, counted, formula, exact), falsifiers, 1);
}

int lin_features(lem_study *study) {
    LEM_TRY(claim_inner_products(study));
    return claim_count(study);
}
