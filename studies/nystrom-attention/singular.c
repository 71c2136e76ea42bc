/* A singular A: the iteration converges, and then rounding along the null space takes over. */
#include "study.h"

#include <string.h>

enum { M = 16, KINDS = 4, STEPS = 40 };

/* 16 x 16, four distinct softmax rows, each four times. */
static int singular_matrix(lem_study *study, uint32_t draw, gsl_matrix *a) {
    lem_stream stream;
    LEM_TRY(lem_study_stream(study, "singular", draw, &stream));
    gsl_matrix rows = gsl_matrix_submatrix(a, 0, 0, KINDS, M).matrix;
    LEM_TRY(lem_normal_fill(&stream, KINDS * M, rows.data)); /* rows of a whole matrix: tda = M */
    LEM_TRY(lem_softmax_rows(&rows, NULL, 1));
    for (size_t i = KINDS; i < M; i++)
        memcpy(a->data + i * M, a->data + i % KINDS * M, M * sizeof(double));
    return GSL_SUCCESS;
}

static double relative(const gsl_matrix *z, const gsl_matrix *truth, gsl_matrix *space) {
    gsl_matrix_memcpy(space, z);
    gsl_matrix_sub(space, truth);
    return lem_frobenius_norm(space) / lem_frobenius_norm(truth);
}

static int double_errors(const gsl_matrix *a, const gsl_matrix *truth, double *errors) {
    gsl_matrix *z = gsl_matrix_alloc(M, M), *space = gsl_matrix_alloc(M, M);
    lem_pinv_workspace *work = lem_pinv_workspace_alloc(M);
    int status = z && space && work ? lem_pinv_start(a, z) : GSL_ENOMEM;
    for (int k = 0; k <= STEPS && !status; k++) {
        if (k > 0)
            status = lem_pinv_step(a, LEM_PINV_CHEBYSHEV4, work, z);
        if (!status)
            errors[k] = relative(z, truth, space);
    }
    gsl_matrix_free(z), gsl_matrix_free(space), lem_pinv_workspace_free(work);
    return status;
}

/* --- the same in single precision, sums from left to right */

static void multiply(const float *a, const float *b, float *c) {
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < M; j++) {
            float sum = 0;
            for (size_t l = 0; l < M; l++)
                sum += a[i * M + l] * b[l * M + j];
            c[i * M + j] = sum;
        }
}

static void from_identity(float c, float *x) { /* x = c I - x */
    for (size_t i = 0; i < M * M; i++)
        x[i] = (i % (M + 1) == 0 ? c : 0.0F) - x[i];
}

static void single_errors(const gsl_matrix *a, const gsl_matrix *truth, double *errors, gsl_matrix *z64,
                          gsl_matrix *space) {
    float a32[M * M], z[M * M], y[M * M], t[M * M], s[M * M];
    for (size_t i = 0; i < M * M; i++)
        a32[i] = (float)a->data[i], z[i] = (float)z64->data[i];
    for (int k = 0; k <= STEPS; k++) {
        if (k > 0) {
            multiply(a32, z, y);
            memcpy(t, y, sizeof t);
            from_identity(7, t), multiply(y, t, s);
            from_identity(15, s), multiply(y, s, t);
            from_identity(13, t), multiply(z, t, s);
            for (size_t i = 0; i < M * M; i++)
                z[i] = s[i] / 4;
        }
        bool finite = true;
        for (size_t i = 0; i < M * M; i++)
            z64->data[i] = z[i], finite = finite && isfinite(z[i]);
        errors[k] = finite ? relative(z64, truth, space) : NAN;
    }
}

static int figure(lem_study *study, const double *in_double, const double *in_single) {
    static const char *const columns[] = {"step", "error, double", "error, single", "slope 13/4"};
    lem_table *table;
    LEM_TRY(lem_study_table(study, "singular", columns, COUNT(columns), &table));
    for (int k = 0; k <= STEPS; k++) {
        const double row[] = {k, in_double[k], in_single[k] < 1e6 ? in_single[k] : NAN,
                              k >= 13 ? in_double[20] * pow(3.25, k - 20) : NAN};
        LEM_TRY(lem_table_row(table, row));
    }
    return lem_study_figure(
        study, "singular",
        "Relative error of the iterate against the pseudo-inverse of a singular 16 x 16 softmax matrix (four "
        "distinct "
        "rows), in double and in single precision, with the growth 13/4 per step along the null space.",
        "The error falls to rounding within ten steps and then grows by 13/4 a step: after forty steps "
        "nothing is left, in "
        "single precision after twenty");
}

int nys_singular(lem_study *study) {
    enum { DRAWS = 4 };
    static double errors[DRAWS][STEPS + 1], single[DRAWS][STEPS + 1];
    double slope[DRAWS], law[DRAWS], hyperpower[DRAWS], flat[DRAWS], bound[DRAWS], end[DRAWS], best[DRAWS],
        one[DRAWS], small[DRAWS];
    gsl_matrix *a = gsl_matrix_alloc(M, M), *truth = gsl_matrix_alloc(M, M), *z = gsl_matrix_alloc(M, M),
               *space = gsl_matrix_alloc(M, M);
    int status = a && truth && z && space ? GSL_SUCCESS : GSL_ENOMEM;
    for (uint32_t i = 0; i < DRAWS && !status; i++) {
        if ((status = singular_matrix(study, i, a)) || (status = lem_pinv_svd(a, NYS_RCOND, truth)) ||
            (status = double_errors(a, truth, errors[i])) || (status = lem_pinv_start(a, z)))
            break;
        single_errors(a, truth, single[i], z, space);
        slope[i] = log(errors[i][30] / errors[i][15]) / 15, law[i] = log(3.25);
        hyperpower[i] = log(3), flat[i] = 0, bound[i] = 0.03;
        end[i] = errors[i][STEPS], one[i] = 1, small[i] = 1e-8;
        best[i] = INFINITY;
        for (int k = 0; k <= STEPS; k++)
            best[i] = fmin(best[i], errors[i][k]);
    }
    gsl_matrix_free(a), gsl_matrix_free(truth), gsl_matrix_free(z), gsl_matrix_free(space);
    LEM_TRY(status);
    LEM_TRY(lem_value_scaled(study, "singular.best", best[0], 1, ""));
    LEM_TRY(lem_value_scaled(study, "singular.20", errors[0][20], 1, ""));
    LEM_TRY(lem_value_scaled(study, "singular.30", errors[0][30], 1, ""));
    LEM_TRY(lem_value_scaled(study, "singular.40", errors[0][40], 1, ""));
    LEM_TRY(lem_value_scaled(study, "singular.slope", slope[0], 4, ""));
    LEM_TRY(lem_value_exact(study, "singular.log-gain", log(3.25), 5, ""));
    LEM_TRY(lem_value_scaled(study, "singular.single.15", single[0][15], 1, ""));
    LEM_TRY(lem_value_scaled(study, "singular.single.20", single[0][20], 1, ""));
    const lem_falsifier gains[] = {
        {"the gain is that of hyperpower, 3", lem_identity_abs(DRAWS, slope, hyperpower, bound)},
        {"the error stays at rounding", lem_identity_abs(DRAWS, slope, flat, bound)}};
    LEM_TRY(lem_claim(study,
                      &(lem_claim_info){.id = "nys.singular-instability",
                                        .statement =
                                            "for singular A the logarithm of the error grows by log(13/4) = "
                                            "1.1787 a step from step 15 to 30 (0.03 for what is injected "
                                            "anew)",
                                        .source = "our addition to kexue.fm 8180",
                                        .verdict = LEM_HOLDS},
                      lem_identity_abs(DRAWS, slope, law, bound), gains, 2));
    const lem_falsifier published[] = {
        {"lim Z_k = pinv(A): the error at step 40 is below 1e-8", lem_inequality(DRAWS, end, small, NULL)}};
    LEM_TRY(lem_claim(
        study,
        &(lem_claim_info){.id = "nys.singular-instability.limit",
                          .statement = "in double precision the relative error of step 40 is above 1",
                          .source = "kexue.fm 8180; arXiv 2102.03902",
                          .verdict = LEM_REFUTED,
                          .note = "convergence to the pseudo-inverse is a statement of exact arithmetic: "
                                  "six steps are safe, iterating on is not"},
        lem_inequality(DRAWS, one, end, NULL), published, 1));
    return figure(study, errors[0], single[0]);
}
