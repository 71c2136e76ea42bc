/* The pseudo-inverse iteration as a filter of singular values: its order, its basin, its cost. */
#include "study.h"

#include <stdio.h>

static const lem_pinv_method methods[] = {LEM_PINV_CHEBYSHEV4, LEM_PINV_NEWTON, LEM_PINV_HYPERPOWER3};
static const char *const method_names[] = {"chebyshev4", "newton", "hyperpower3"};
static const int method_products[] = {4, 2, 3};

/* --- order ------------------------------------------------------------------------------------------------
 */

enum { ORDER_M = 16, MAX_STEPS = 24 };

/* R = I - A Z */
static int residual(const gsl_matrix *a, const gsl_matrix *z, gsl_matrix *r) {
    gsl_matrix_set_identity(r);
    return lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, -1, a, z, 1, r, 1);
}

/* || R_next - (3 R^3 + R^4)/4 ||_F, or with `cube` || R_next - R^3 ||_F; R, R_next m x m. */
static int step_defect(const gsl_matrix *r, const gsl_matrix *next, bool cube, double *defect) {
    gsl_matrix *square = gsl_matrix_alloc(ORDER_M, ORDER_M), *right = gsl_matrix_alloc(ORDER_M, ORDER_M),
               *out = gsl_matrix_alloc(ORDER_M, ORDER_M);
    int status = square && right && out ? GSL_SUCCESS : GSL_ENOMEM;
    if (!status && !(status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, r, r, 0, square, 1))) {
        gsl_matrix_memcpy(right, r); /* R^3 = R^2 R; R^3 + R^4/.. = R^2 (3 R + R^2)/4 */
        if (!cube) {
            gsl_matrix_scale(right, 3);
            gsl_matrix_add(right, square);
            gsl_matrix_scale(right, 0.25);
        }
        gsl_matrix_memcpy(out, next);
        status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, -1, square, right, 1, out, 1);
        *defect = lem_frobenius_norm(out);
    }
    gsl_matrix_free(square), gsl_matrix_free(right), gsl_matrix_free(out);
    return status;
}

typedef struct {
    size_t n_ratios;
    double defect[3], wrong[3]; /* of the first three steps */
    double ratio[MAX_STEPS], law[MAX_STEPS], bound[MAX_STEPS], hyperpower[MAX_STEPS];
    double norm, last_ratio; /* of the last usable step */
} order_results;

static int order_run(lem_study *study, order_results *out) {
    lem_stream stream;
    gsl_matrix *a = gsl_matrix_alloc(ORDER_M, ORDER_M), *z = gsl_matrix_alloc(ORDER_M, ORDER_M),
               *other = gsl_matrix_alloc(ORDER_M, ORDER_M), *r = gsl_matrix_alloc(ORDER_M, ORDER_M),
               *next = gsl_matrix_alloc(ORDER_M, ORDER_M);
    gsl_vector *sigma = gsl_vector_alloc(ORDER_M);
    lem_pinv_workspace *work = lem_pinv_workspace_alloc(ORDER_M);
    int status = a && z && other && r && next && sigma && work ? GSL_SUCCESS : GSL_ENOMEM;
    if (!status && !(status = lem_study_stream(study, "order", 0, &stream)) &&
        !(status = lem_normal_fill(&stream, ORDER_M * ORDER_M, a->data)) &&
        !(status = lem_softmax_rows(a, NULL, 1)) && !(status = lem_svd(a, NULL, sigma, NULL)) &&
        !(status = lem_pinv_start(a, z)))
        status = residual(a, z, r);
    const double kappa = status ? NAN : gsl_vector_get(sigma, 0) / gsl_vector_get(sigma, ORDER_M - 1);
    out->n_ratios = 0;
    for (int k = 0; k < MAX_STEPS && !status; k++) {
        gsl_matrix_memcpy(other, z);
        if ((status = lem_pinv_step(a, LEM_PINV_CHEBYSHEV4, work, z)) || (status = residual(a, z, next)))
            break;
        const double norm = lem_spectral_norm(r), cube = norm * norm * norm;
        const double tolerance = 1e-13 + NYS_UNIT * kappa / cube;
        if (k < 3 && ((status = step_defect(r, next, false, &out->defect[k])) ||
                      (status = step_defect(r, next, true, &out->wrong[k]))))
            break;
        if (cube > 1e-6 && tolerance < 1e-2) {
            const size_t i = out->n_ratios++;
            out->ratio[i] = lem_spectral_norm(next) / cube;
            out->law[i] = 0.75 + norm / 4;
            out->bound[i] = tolerance;
            out->norm = norm, out->last_ratio = out->ratio[i];
            if ((status = lem_pinv_step(a, LEM_PINV_HYPERPOWER3, work, other)) ||
                (status = residual(a, other, r)))
                break;
            out->hyperpower[i] = lem_spectral_norm(r) / cube;
        }
        gsl_matrix_memcpy(r, next);
    }
    gsl_matrix_free(a), gsl_matrix_free(z), gsl_matrix_free(other), gsl_matrix_free(r), gsl_matrix_free(next);
    gsl_vector_free(sigma), lem_pinv_workspace_free(work);
    return status;
}

static int order_claims(lem_study *study) {
    static order_results r;
    LEM_TRY(order_run(study, &r));
    const double zero[3] = {0};
    /* ||R||_F <= 4 at m = 16: powers, products and the step itself, some 10 of 2 m units each */
    const double bound[3] = {1e-13, 1e-13, 1e-13};
    const lem_falsifier cube[] = {
        {"R -> R^3, as hyperpower of order 3", lem_identity_abs(3, r.wrong, zero, bound)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.iteration-order",
                                        .statement =
                                            "with R = I - A Z one step gives (3 R^3 + R^4)/4, as matrices "
                                            "(m = 16, three steps)",
                                        .source = "arXiv 2102.03902, eq. 11; kexue.fm 8180",
                                        .verdict = LEM_HOLDS},
                      lem_identity_abs(3, r.defect, zero, bound), cube, 1));
    LEM_TRY(lem_value_scaled(study, "order.norm", r.norm, 3, ""));
    LEM_TRY(lem_value_scaled(study, "order.ratio", r.last_ratio, 4, ""));
    const lem_falsifier one[] = {{"the constant is that of hyperpower, 1",
                                  lem_identity_abs(r.n_ratios, r.hyperpower, r.law, r.bound)}};
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.iteration-order.constant",
                                       .statement =
                                           "||R'|| / ||R||^3 = 3/4 + ||R||/4: order 3, asymptotic constant "
                                           "3/4",
                                       .source = "our addition to kexue.fm 8180",
                                       .verdict = LEM_HOLDS},
                     lem_identity_abs(r.n_ratios, r.ratio, r.law, r.bound), one, 1);
}

/* --- basin ------------------------------------------------------------------------------------------------
 */

enum { AWAY = 9 }; /* the code of "leaves every bound" */

/* Where 60 steps from y lead: 1, 3, or AWAY. At 3 the approach is like 1/(1.5 k). */
static double limit_of(double y) {
    const double end = lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, 60, y);
    return isnan(end) ? AWAY : fabs(end - 1) < 1e-9 ? 1 : fabs(end - 3) < 0.03 ? 3 : -1;
}

/* The root of f in (low, high), f(low) and f(high) of opposite sign. */
static double root(double (*f)(double), double low, double high) {
    const bool rising = f(low) < 0;
    for (int i = 0; i < 100; i++) {
        const double mid = (low + high) / 2;
        *((f(mid) < 0) == rising ? &low : &high) = mid;
    }
    return low;
}
static double to_three(double y) { /* g(y) = 3 again, less the factor (y - 3) */
    return ((y - 4) * y + 3) * y - 4;
}
static double to_zero(double y) { /* g(y) = 0 */
    return ((y - 7) * y + 15) * y - 13;
}

static int basin_claims(lem_study *study) {
    enum { GRID = 2400 };
    static double reached[GRID], law[GRID], below_two[GRID], half[GRID];
    const double edge = root(to_three, 3, 4), top = root(to_zero, 4, 5);
    size_t n = 0;
    for (int i = 0; i < GRID; i++) {
        const double y = -0.5 + 5.0 * (i + 0.5) / GRID;
        if ((y > 2.98 && y < 3) || (y > edge && y < 3.479)) /* escape from 3 is slow, like 1/(1.5 k) */
            continue;
        reached[n] = limit_of(y);
        law[n] = y < 0 || y > top ? AWAY : y > 3 && y < edge ? 3 : 1;
        below_two[n] = y < 0 || y >= 2 ? AWAY : 1;
        half[n++] = 0.5;
    }
    LEM_TRY(lem_value_exact(study, "basin.edge", edge, 9, ""));
    LEM_TRY(lem_value_exact(study, "basin.top", top, 9, ""));
    LEM_TRY(lem_value_exact(study, "basin.slow",
                            fabs(1 - lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, 13, 2.9)), 1, ""));
    const lem_falsifier falsifiers[] = {
        {"||I - A Z0|| < 1, that is y < 2, is necessary", lem_identity_abs(n, reached, below_two, half)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "nys.iteration-basin",
                          .statement = "y -> y (13 - 15 y + 7 y^2 - y^3)/4 tends to 1 for 0 < y < 3 and "
                                       "3.46750386 < y < 4.13039543, to the wrong limit 3 between, away "
                                       "else",
                          .source = "kexue.fm 8180; arXiv 2102.03902",
                          .verdict = LEM_HOLDS_WHEN,
                          .note = "the published condition ||I - A Z0|| < 1 is sufficient, not necessary, "
                                  "and asks for a sub-multiplicative norm"},
        lem_identity_abs(n, reached, law, half), falsifiers, 1);
}

/* sigma_1^2 <= ||A||_1 ||A||_inf, and ||I - A Z0|| of singular matrices. */
static int start_claims(lem_study *study) {
    enum { DRAWS = 40, M = 12 };
    double square[DRAWS], product[DRAWS], rows_only[DRAWS], slack[DRAWS], norm[DRAWS], one[DRAWS],
        below[DRAWS];
    lem_stream stream;
    LEM_TRY(lem_study_stream(study, "start", 0, &stream));
    gsl_matrix *a = gsl_matrix_alloc(M, M), *z = gsl_matrix_alloc(M, M), *r = gsl_matrix_alloc(M, M);
    int status = a && z && r ? GSL_SUCCESS : GSL_ENOMEM;
    for (size_t i = 0; i < DRAWS && !status; i++) {
        if ((status = lem_normal_fill(&stream, M * M, a->data)))
            break;
        gsl_matrix_scale(a, (double)(1 + i % 4));
        if ((status = lem_softmax_rows(a, NULL, 1)))
            break;
        double columns = 0;
        for (size_t j = 0; j < M; j++) {
            double sum = 0;
            for (size_t row = 0; row < M; row++)
                sum += gsl_matrix_get(a, row, j);
            columns = fmax(columns, sum);
        }
        const double sigma = lem_spectral_norm(a);
        square[i] = sigma * sigma, product[i] = columns, rows_only[i] = 1, slack[i] = 100 * M * NYS_UNIT;
        const gsl_vector first = gsl_matrix_row(a, 0).vector; /* now a singular one */
        gsl_matrix_set_row(a, 1, &first);
        if ((status = lem_pinv_start(a, z)) || (status = residual(a, z, r)))
            break;
        norm[i] = lem_spectral_norm(r), one[i] = 1, below[i] = 1 - 1e-9;
    }
    gsl_matrix_free(a), gsl_matrix_free(z), gsl_matrix_free(r);
    LEM_TRY(status);
    const lem_falsifier by_rows[] = {{"row sums alone will do: sigma_1^2 <= ||A||_inf^2 = 1",
                                      lem_inequality(DRAWS, square, rows_only, slack)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.iteration-basin.start",
                                        .statement =
                                            "sigma_1^2 <= ||A||_1 ||A||_inf, so the eigenvalues of A Z0 lie "
                                            "in [0, 1] (40 softmax matrices)",
                                        .source = "Hoelder; arXiv 2102.03902",
                                        .verdict = LEM_HOLDS},
                      lem_inequality(DRAWS, square, product, slack), by_rows, 1));
    const lem_falsifier published[] = {
        {"||I - A Z0|| < 1, the hypothesis of the convergence theorem, holds for "
         "singular A as well",
         lem_inequality(DRAWS, norm, below, slack)}};
    return lem_claim(
        study,
        &(lem_claim_info){.id = "nys.iteration-basin.singular",
                          .statement = "||I - A Z0|| >= 1 for every singular A (40 matrices, up to "
                                       "rounding)",
                          .source = "kexue.fm 8180; arXiv 2102.03902",
                          .verdict = LEM_REFUTED,
                          .note = "the theorem never applies to the case a pseudo-inverse is for; what "
                                  "holds is convergence on the range of A, in exact arithmetic"},
        lem_inequality(DRAWS, one, norm, slack), published, 1);
}

/* --- filter -----------------------------------------------------------------------------------------------
 */

/* || Z - V diag(g(y_i)/sigma_i) U^T || / || Z ||, and with g = 1. */
static int filter_distance(const nys_parts *parts, int steps, double *with_filter, double *with_one) {
    const size_t m = parts->m;
    gsl_matrix *u = gsl_matrix_alloc(m, m), *v = gsl_matrix_alloc(m, m);
    gsl_vector *sigma = gsl_vector_alloc(m);
    int status = u && v && sigma ? lem_svd(parts->a, u, sigma, v) : GSL_ENOMEM;
    for (size_t which = 0; which < 2 && !status; which++) {
        for (size_t j = 0; j < m; j++) {
            const double s = gsl_vector_get(sigma, j);
            const double g =
                which ? 1 : lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, steps, s * s / parts->column_sum);
            for (size_t i = 0; i < m; i++)
                gsl_matrix_set(parts->t, i, j, gsl_matrix_get(v, i, j) * g / s);
        }
        gsl_matrix_memcpy(parts->u, parts->z);
        status = lem_gemm(LEM_NO_TRANS, LEM_TRANS, -1, parts->t, u, 1, parts->u, 1);
        *(which ? with_one : with_filter) = lem_frobenius_norm(parts->u) / lem_frobenius_norm(parts->z);
    }
    gsl_matrix_free(u), gsl_matrix_free(v), gsl_vector_free(sigma);
    return status;
}

static int filter_figure(lem_study *study, double (*y)[64]) {
    static const char *const columns[] = {"y",
                                          "g_1 | l = 0",
                                          "g_3 | l = 8",
                                          "g_6 | l = 64",
                                          "g_12 | l = 512",
                                          "Newton, 24 products",
                                          "hyperpower, 24 products"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "filter", columns, COUNT(columns), &table));
    for (int i = 0; i <= 240; i++) {
        const double at = pow(10, -8 + i / 30.0);
        const double row[] = {at,
                              lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, 1, at),
                              lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, 3, at),
                              lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, 6, at),
                              lem_pinv_iteration_filter(LEM_PINV_CHEBYSHEV4, 12, at),
                              lem_pinv_iteration_filter(LEM_PINV_NEWTON, 12, at),
                              lem_pinv_iteration_filter(LEM_PINV_HYPERPOWER3, 8, at)};
        LEM_TRY(lem_table_row(table, row));
    }
    LEM_TRY(lem_table_break(table));
    for (size_t i = 0; i < 64; i++) {
        const double row[] = {(double)i, y[0][i], y[1][i], y[2][i], y[3][i], NAN, NAN};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(study, "filter",
                            "What k steps of the published iteration (4 products each) make of an eigenvalue "
                            "y of A Z, which an exact "
                            "inverse would send to 1; with 24 products also Newton's iteration and "
                            "hyperpower of order 3. Below: the y of "
                            "A itself for the four kinds of data, m = 64.",
                            "Six steps resolve only eigenvalues above six in ten thousand; most of those of "
                            "the landmark matrices lie "
                            "below, except for moderately correlated data");
}

static int filter_claim(lem_study *study) {
    enum { STEPS = 8, POINTS = STEPS * NYS_LENGTHS, M = 64 };
    double with_filter[POINTS], with_one[POINTS], bound[POINTS];
    static double y[NYS_LENGTHS][M];
    const double zero[POINTS] = {0};
    const double half = lem_pinv_half_resolved_y0(LEM_PINV_CHEBYSHEV4, 6);
    char key[64];
    nys_data *data = nys_data_alloc(NYS_N, NYS_D);
    nys_parts *parts = nys_parts_alloc(NYS_N, NYS_D, M);
    int status = data && parts ? GSL_SUCCESS : GSL_ENOMEM;
    for (size_t l = 0; l < NYS_LENGTHS && !status; l++) {
        lem_stream stream;
        if ((status = lem_study_stream(study, "filter", (uint32_t)l, &stream)) ||
            (status = nys_draw(&stream, nys_lengths[l], data)) || (status = nys_factor(data, parts)))
            break;
        size_t resolved = 0;
        for (size_t i = 0; i < M; i++) {
            const double s = gsl_vector_get(parts->sigma, i);
            y[l][i] = s * s / parts->column_sum;
            resolved += y[l][i] > half;
        }
        if ((status = lem_value_scaled(study, nys_key(key, sizeof key, "filter.resolved", l),
                                       (double)resolved / M, 2, "")) ||
            (status = lem_value_scaled(study, nys_key(key, sizeof key, "filter.log-condition", l),
                                       log10(parts->condition), 2, "")))
            break;
        for (int k = 0; k < STEPS && !status; k++) {
            const size_t at = STEPS * l + (size_t)k;
            if (!(status = lem_pinv_iterate(parts->a, LEM_PINV_CHEBYSHEV4, k + 1, parts->z)))
                status = filter_distance(parts, k + 1, &with_filter[at], &with_one[at]);
            bound[at] = 1e-11;
        }
    }
    nys_data_free(data), nys_parts_free(parts);
    LEM_TRY(status);
    LEM_TRY(lem_value_exact(study, "filter.half", half, 5, ""));
    LEM_TRY(lem_value_exact(study, "filter.half-condition", 1 / sqrt(half), 2, ""));
    const lem_falsifier falsifiers[] = {
        {"g = 1: the iterate is the inverse", lem_identity_abs(POINTS, with_one, zero, bound)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.filter",
                                        .statement =
                                            "Z_k = V diag(g_k(y_i)/sigma_i) U', y_i = sigma_i^2/||A||_1, for "
                                            "k = 1..8, m = 64, every correlation length (to 1e-11)",
                                        .source = "our addition to kexue.fm 8180",
                                        .verdict = LEM_HOLDS},
                      lem_identity_abs(POINTS, with_filter, zero, bound), falsifiers, 1));
    return filter_figure(study, y);
}

/* --- cost -------------------------------------------------------------------------------------------------
 */

/* Products of matrices until 1 - y <= 1e-12. */
static double products_needed(size_t method, double y0, int products_of_step) {
    int steps = 0;
    while (1 - lem_pinv_iteration_filter(methods[method], steps, y0) > 1e-12)
        steps++;
    return steps * products_of_step;
}

static int cost_claims(lem_study *study) {
    enum { STARTS = 4, POINTS = 3 * STARTS };
    static const double starts[STARTS] = {1e-2, 1e-4, 1e-6, 1e-8};
    static const double law[POINTS] = {28, 44, 60, 76, 24, 38, 50, 64, 24, 36, 48, 60};
    double counted[POINTS], as_third_order[POINTS], half[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        const size_t method = i / STARTS;
        counted[i] = products_needed(method, starts[i % STARTS], method_products[method]);
        as_third_order[i] = method == 0 ? products_needed(0, starts[i % STARTS], 3) : counted[i];
        half[i] = 0.5;
    }
    char key[64];
    for (size_t method = 0; method < 3; method++) {
        (void)snprintf(key, sizeof key, "cost.condition.%s", method_names[method]);
        const int steps = 24 / method_products[method];
        LEM_TRY(
            lem_value_exact(study, key, 1 / sqrt(lem_pinv_half_resolved_y0(methods[method], steps)), 2, ""));
        (void)snprintf(key, sizeof key, "cost.gain.%s", method_names[method]);
        static const double gains[] = {3.25, 2, 3};
        LEM_TRY(lem_value_exact(study, key, pow(gains[method], 1.0 / method_products[method]), 4, ""));
        for (size_t s = 0; s < STARTS; s++) {
            (void)snprintf(key, sizeof key, "cost.products.%s.%zu", method_names[method], 2 * s + 2);
            LEM_TRY(lem_value_exact(study, key, counted[STARTS * method + s], 3, ""));
        }
    }
    const lem_falsifier falsifiers[] = {
        {"a step of order 3 costs three products", lem_identity_abs(POINTS, as_third_order, law, half)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.better-iteration",
                                        .statement =
                                            "products to reach 1 - y <= 1e-12 from y0 = 1e-2, 1e-4, 1e-6, "
                                            "1e-8: published 28, 44, 60, 76; Newton 24, 38, 50, 64; "
                                            "hyperpower 24, 36, 48, 60",
                                        .source = "our addition to kexue.fm 8180",
                                        .verdict = LEM_HOLDS},
                      lem_identity_abs(POINTS, counted, law, half), falsifiers, 1));
    const lem_falsifier order[] = {
        {"order 3 beats order 2: the published step needs no more products than Newton's",
         lem_inequality_strict(STARTS, counted, counted + STARTS, NULL)}};
    double other[2 * STARTS], ours[2 * STARTS];
    for (size_t i = 0; i < 2 * STARTS; i++)
        other[i] = counted[STARTS + i], ours[i] = counted[i % STARTS];
    return lem_claim(study,
                     &(lem_claim_info){.id = "nys.better-iteration.dominated",
                                       .statement =
                                           "Newton's iteration and hyperpower of order 3 need fewer products "
                                           "than the published one, from each of the four y0",
                                       .source = "our addition to kexue.fm 8180",
                                       .verdict = LEM_HOLDS},
                     lem_inequality_strict(2 * STARTS, other, ours, NULL), order, 1);
}

int nys_iteration(lem_study *study) {
    LEM_TRY(order_claims(study));
    LEM_TRY(basin_claims(study));
    LEM_TRY(start_claims(study));
    LEM_TRY(filter_claim(study));
    return cost_claims(study);
}
