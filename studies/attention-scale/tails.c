/* Other laws of the scores: Laplace rises to a plateau, Student has a true maximum at large n. */
#include "study.h"

enum { LAPLACE = 4, STUDENT = 6, STEPS = 15 };

static int claim_laplace(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.tail-class",
        .statement = "Laplace scores of variance one, n = 64: F = 0.9215, 1.3255, 1.4002, 1.4137 at alpha = "
                     "1, 2, 3, 5",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    static const lem_claim_info plateau_info = {
        .id = "ascale.tail-class.plateau",
        .statement =
            "the density of a tie of Laplace scores, which F tends to, is sqrt 2 (1 - 2^(1-n)), n = 2 .. 1e6",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    static const double alpha[LAPLACE] = {1, 2, 3, 5}, stated[LAPLACE] = {0.9215, 1.3255, 1.4002, 1.4137};
    double found[LAPLACE], gauss[LAPLACE], digits[LAPLACE];
    for (size_t i = 0; i < LAPLACE; i++) {
        lem_quenched q;
        LEM_TRY(ascale_law(LEM_SCORES_LAPLACE, 0, 64, alpha[i], &q));
        found[i] = q.trace, gauss[i] = lem_quenched_trace_gauss(64, alpha[i]), digits[i] = 5.1e-5;
    }
    const lem_falsifier wrong[] = {
        {"as for Gaussian scores", lem_identity_abs(LAPLACE, found, gauss, digits)}};
    LEM_TRY(lem_claim(study, &info, lem_identity_abs(LAPLACE, found, stated, digits), wrong, 1));
    static const double n[] = {2, 3, 8, 64, 1e6};
    double tie[5], closed[5], shifted[5], bound[5];
    for (size_t i = 0; i < 5; i++) {
        tie[i] = lem_gap_density_at_zero(&(lem_score_law){.kind = LEM_SCORES_LAPLACE}, n[i]);
        closed[i] = M_SQRT2 * (1 - exp2(1 - n[i])), shifted[i] = M_SQRT2 * (1 - exp2(-n[i])),
        bound[i] = 1e-12;
    }
    const lem_falsifier wrong_tie[] = {{"sqrt 2 (1 - 2^-n)", lem_identity(5, tie, shifted, bound)}};
    return lem_claim(study, &plateau_info, lem_identity(5, tie, closed, bound), wrong_tie, 1);
}

static int claim_student(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.tail-class.student",
        .statement = "Student scores, 5 degrees of freedom, variance one, n = 4096: F = 0.875, 0.941, 0.942, "
                     "0.892, 0.845, "
                     "0.829 at alpha = 1, 1.25, 1.5, 2, 3, 5",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    static const lem_claim_info peak_info = {
        .id = "ascale.tail-class.peak",
        .statement = "the mean gradient of heavy tails does have a maximum: with Student scores, 5 degrees "
                     "of freedom, n = 4096, F falls from alpha = 1.5 to 2, 3 and 5",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    static const double alpha[STUDENT] = {1, 1.25, 1.5, 2, 3, 5},
                        stated[STUDENT] = {0.875, 0.941, 0.942, 0.892, 0.845, 0.829};
    double found[STUDENT], gauss[STUDENT], digits[STUDENT];
    for (size_t i = 0; i < STUDENT; i++) {
        lem_quenched q;
        LEM_TRY(ascale_law(LEM_SCORES_STUDENT, 5, 4096, alpha[i], &q));
        found[i] = q.trace, gauss[i] = lem_quenched_trace_gauss(4096, alpha[i]), digits[i] = 5.1e-4;
    }
    LEM_TRY(lem_value_exact(study, "student.peak", found[2], 3, ""));
    LEM_TRY(lem_value_exact(study, "student.five", found[5], 3, ""));
    const lem_falsifier wrong[] = {
        {"as for Gaussian scores", lem_identity_abs(STUDENT, found, gauss, digits)}};
    LEM_TRY(lem_claim(study, &info, lem_identity_abs(STUDENT, found, stated, digits), wrong, 1));
    const lem_falsifier wrong_peak[] = {
        {"Gaussian scores do too", lem_inequality_strict(3, gauss + 3, gauss + 2, NULL)}};
    return lem_claim(study, &peak_info, lem_inequality_strict(3, found + 3, found + 2, NULL), wrong_peak, 1);
}

/* At n = 64 F rises up to alpha = 5; not at n = 4096. */
static int claim_short(lem_study *study) {
    static const lem_claim_info info = {
        .id = "ascale.tail-class.short",
        .statement = "with Student scores, 5 degrees of freedom, variance one, n = 64, F rises from each "
                     "alpha to the next, 0.1 to 5, and is 1.534 there",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
    };
    double alpha[STEPS], short_row[STEPS], long_row[STEPS];
    ascale_grid(STEPS, 0.1, 5, alpha);
    for (size_t k = 0; k < STEPS; k++) {
        lem_quenched q;
        LEM_TRY(ascale_law(LEM_SCORES_STUDENT, 5, 64, alpha[k], &q));
        short_row[k] = q.trace;
        LEM_TRY(ascale_law(LEM_SCORES_STUDENT, 5, 4096, alpha[k], &q));
        long_row[k] = q.trace;
    }
    const lem_falsifier wrong[] = {
        {"so at n = 4096", lem_inequality_strict(STEPS - 1, long_row, long_row + 1, NULL)}};
    LEM_TRY(lem_value_exact(study, "student.short", short_row[STEPS - 1], 4, ""));
    return lem_claim(study, &info, lem_inequality_strict(STEPS - 1, short_row, short_row + 1, NULL), wrong,
                     1);
}

/* The exact integrals against fresh rows. */
static int draw(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                const void *ctx) {
    (void)first, (void)workspace, (void)ctx;
    static const lem_score_law laws[] = {{.kind = LEM_SCORES_LAPLACE},
                                         {.kind = LEM_SCORES_STUDENT, .shape = 5}};
    const double alpha = 2;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 2; k++) {
            lem_softmax_statistics row;
            LEM_TRY(lem_softmax_stream(&laws[k], k == 0 ? 64 : 4096, 1, &alpha, stream, &row));
            LEM_TRY(lem_moments_add(&out->moments[k], alpha * row.distinct));
        }
    return GSL_SUCCESS;
}

static int claim_samples(lem_study *study) {
    enum { FULL = 6000, FLOOR = 600 };
    static const lem_claim_info info = {
        .id = "ascale.tail-class.mc",
        .statement =
            "samples agree: F at alpha = 2 of Laplace scores, n = 64, and of Student scores, n = 4096",
        .source = "lemmata",
        .verdict = LEM_HOLDS,
        .floor = FLOOR,
        .floor_reason = "the Gaussian F is above by 0.35 and 1.1, the standard deviation is below 0.6: 14 "
                        "standard errors",
    };
    lem_moments moments[2];
    lem_mc_result result = {.moments = moments};
    LEM_TRY(lem_study_mc(study, "tails",
                         (lem_mc_plan){.samples = lem_study_samples(study, FULL, FLOOR),
                                       .chunk_size = 100,
                                       .n_moments = 2,
                                       .chunk = draw},
                         &result));
    lem_quenched laplace, student;
    LEM_TRY(ascale_law(LEM_SCORES_LAPLACE, 0, 64, 2, &laplace));
    LEM_TRY(ascale_law(LEM_SCORES_STUDENT, 5, 4096, 2, &student));
    const double exact[] = {laplace.trace, student.trace},
                 gauss[] = {lem_quenched_trace_gauss(64, 2), lem_quenched_trace_gauss(4096, 2)};
    const lem_falsifier wrong[] = {{"as for Gaussian scores", lem_expectation(2, moments, gauss)}};
    return lem_claim(study, &info, lem_expectation(2, moments, exact), wrong, 1);
}

int ascale_tails(lem_study *study) {
    LEM_TRY(claim_laplace(study));
    LEM_TRY(claim_student(study));
    LEM_TRY(claim_short(study));
    return claim_samples(study);
}
