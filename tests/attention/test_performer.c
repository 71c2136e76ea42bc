#include "attention/layer_speedup.h"
#include "attention/oprf.h"
#include "attention/orthogonal.h"
#include "attention/quadrature.h"
#include "attention/radius.h"
#include "attention/rf_series.h"
#include "attention/rf_variance.h"
#include "attention/shift.h"
#include "attention/simplex.h"
#include "linalg/matrices.h"
#include "stat/distribution.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>

static test_rng rng = {1};

static double between(double low, double high) {
    return low + (high - low) * (test_unit(&rng) + 1) / 2;
}

static double power_of_x(double x, const void *ctx) {
    return pow(x, *(const double *)ctx);
}

static void test_panels(void) {
    for (double degree = 0; degree <= 31; degree++)
        for (size_t panels = 1; panels <= 3; panels++)
            /* 16 positive terms of sum 1/(degree + 1) a panel, each with a few roundings and pow's */
            LEM_CHECK_NEAR(lem_panel_integral(power_of_x, &degree, 0, 1, panels) * (degree + 1), 1,
                           60 * DBL_EPSILON);
    /* a check that a missing node would not slip through: this degree is beyond the rule */
    LEM_CHECK(fabs(lem_panel_integral(power_of_x, &(double){64}, 0, 1, 1) * 65 - 1) > 1e-12,
              "degree 64 is not exact");
}

/* hyp against trig: V_hyp < V_trig iff s < 0; and both crossovers are where the variances meet. */
static void test_crossovers(void) {
    for (int i = 0; i < 500; i++) {
        const double N = exp(between(-6, 3)), s = between(-N / 2, N / 2) * .999;
        const double trig = lem_softmax_rf_variance_trig(N, s),
                     hyp = lem_softmax_rf_variance_hyperbolic(N, s);
        LEM_CHECK(fabs(s) < 1e-9 || (hyp < trig) == (s < 0), "N = %g, s = %g: %g, %g", N, s, hyp, trig);
        const double features = lem_trig_positive_crossover_equal_features(N);
        const double projections = lem_trig_positive_crossover_equal_projections(N);
        LEM_CHECK(-N / 2 < projections && projections < features && features < 0, "N = %g", N);
        for (int side = -1; side <= 1; side += 2) {
            const double a = features * (1 + side * 1e-6), b = projections * (1 + side * 1e-6);
            LEM_CHECK((lem_softmax_rf_variance_positive(N, a) < 2 * lem_softmax_rf_variance_trig(N, a)) ==
                          (side > 0),
                      "N = %g, features", N);
            LEM_CHECK((lem_softmax_rf_variance_positive(N, b) < lem_softmax_rf_variance_trig(N, b)) ==
                          (side > 0),
                      "N = %g, projections", N);
        }
    }
    LEM_CHECK_NEAR(lem_softmax_rf_variance_positive(2, -1), 0, 0);
    LEM_CHECK_NEAR(lem_softmax_rf_variance_trig(2, 1), 0, 0);
    LEM_CHECK_NEAR(lem_softmax_rf_variance_hyperbolic(0, 0), 0, 0);
    /* 0.3/2 is not half of 0.1 + 0.2 in doubles: what rounding leaves is taken for 0 */
    LEM_CHECK_NEAR(lem_softmax_rf_variance_positive(0.3, -(0.1 + 0.2) / 2), 0, 1e-15);
}

static void test_orthogonal(void) {
    /* 1F1(2; 1; x) = (1 + x) e^x */
    for (int i = 0; i < 100; i++) {
        const double t = exp(between(-8, 3)), x = t / 2;
        LEM_CHECK_NEAR(lem_orthogonal_pair_moment(2, t) / ((1 + x) * exp(x)), 1, (t + 40) * 1e-15);
        LEM_CHECK_NEAR(lem_orthogonal_pair_moment_trig(2, t) / exp(-x), 1 - x, 2e-12 * (1 + fabs(1 - x)));
        const double d = floor(between(2, 40)), N = t + 1, s = -.5;
        /* P = 1 is no block; two blocks halve one */
        for (lem_rf_kind kind = LEM_RF_TRIG; kind <= LEM_RF_HYPERBOLIC; kind++) {
            const double one = lem_orthogonal_rf_variance(kind, d, d, N, s);
            LEM_CHECK_NEAR(lem_orthogonal_rf_variance(kind, d, 2 * d, N, s) * 2, one, 1e-14 * fabs(one));
        }
        LEM_CHECK_NEAR(lem_orthogonal_rf_variance(LEM_RF_POSITIVE, d, 1, N, s),
                       lem_softmax_rf_variance_positive(N, s), 0);
    }
    /* As d grows: cov -> -t^2 e^t/(2d) (1 + O(1/d)) */
    LEM_CHECK_NEAR(lem_orthogonal_pair_cov(1e6, 2) * 1e6 / (2 * exp(2)), -1, 1e-5);
    LEM_CHECK_NEAR(lem_orthogonal_pair_cov_trig(1e6, 2) * 1e6 / (2 * exp(-2)), -1, 1e-5);
    LEM_CHECK(lem_orthogonal_pair_cov_trig(4, 11.8) > 0, "harm beyond 9.49 at d = 4");
    LEM_CHECK_NEAR(lem_orthogonal_pair_cov_trig(4, 0), 0, 0);
}

static void test_oprf(void) {
    for (int i = 0; i < 300; i++) {
        const double phi = exp(between(-20, 8)), d = floor(between(1, 100)), rho = lem_oprf_rho(phi, d);
        const double best = lem_oprf_log_second_moment(phi, d);
        LEM_CHECK(rho > 0 && rho <= 1 && lem_oprf_A(phi, d) <= 0, "phi = %g, d = %g", phi, d);
        LEM_CHECK_NEAR(1 / (1 - 8 * lem_oprf_A(phi, d)), rho, 8 * DBL_EPSILON);
        LEM_CHECK_NEAR(lem_oprf_log_second_moment_at(rho, phi, d), best, 1e-14 * (best + d));
        const double other = rho * exp(between(-.1, .1));
        LEM_CHECK(lem_oprf_log_second_moment_at(other, phi, d) >= best - 1e-13 * (best + d),
                  "not least at rho*");
        LEM_CHECK_NEAR(lem_oprf_log_second_moment_at(1, phi, d), phi, 0);
    }
    LEM_CHECK_NEAR(lem_oprf_rho(0, 3), 1, 0);
    LEM_CHECK_NEAR(lem_oprf_A(0, 3), 0, 0);
}

/* r with the levels it was asked for, whichever tail they are taken from */
static void test_radii(void) {
    double r[50];
    for (size_t P = 1; P <= 50; P += 7) {
        LEM_CHECK(lem_stratified_radius(5, P, LEM_RADIUS_ARTICLE, NULL, r) == 0, "article");
        for (size_t i = 0; i < P; i++)
            LEM_CHECK_NEAR(lem_chisq_cdf(r[i] * r[i], 5, LEM_LOWER), ((double)i + 1) / ((double)P + 1), 1e-9);
        lem_stream stream;
        LEM_CHECK(lem_stream_init(&stream, P, 1, 2, 3) == 0, "stream");
        LEM_CHECK(lem_stratified_radius(5, P, LEM_RADIUS_JITTER, &stream, r) == 0, "jitter");
        for (size_t i = 0; i < P; i++) {
            const double level = lem_chisq_cdf(r[i] * r[i], 5, LEM_LOWER) * (double)P;
            LEM_CHECK(level >= (double)i - 1e-8 && level <= (double)i + 1 + 1e-8, "stratum %zu: %g", i,
                      level);
        }
    }
    LEM_CHECK(lem_stratified_radius(3, 1, LEM_RADIUS_MIDPOINT, NULL, r) == 0, "midpoint");
    LEM_CHECK_NEAR(r[0] * r[0], lem_chisq_quantile(.5, 3, LEM_LOWER), 1e-14);
    LEM_CHECK_NEAR(lem_stratified_radius_relative_bias(4, 0, 3), 0, 0);
}

/* One stratum is no stratum; many leave no radial part: with independent directions (V - V_rad)/P. */
static void test_jitter(void) {
    for (int i = 0; i < 8; i++) {
        const double d = floor(between(2, 40)), t = between(.1, 6);
        LEM_CHECK_NEAR(lem_radius_jitter_variance(LEM_RF_POSITIVE, d, t, 1, false), expm1(t), 1e-13 * exp(t));
        LEM_CHECK_NEAR(lem_radius_jitter_variance(LEM_RF_HYPERBOLIC, d, t, 1, true), cosh(t) - 1,
                       1e-13 * cosh(t));
        const double iid = lem_radius_jitter_variance(LEM_RF_POSITIVE, d, t, 2, false);
        LEM_CHECK(iid < expm1(t) / 2, "stratifying helps");
        LEM_CHECK(iid > expm1(t) * (1 - lem_radial_variance_share(d, t)) / 2,
                  "by no more than the radial part");
    }
    /* values from an independent quadrature */
    LEM_CHECK_NEAR(lem_radius_jitter_variance(LEM_RF_POSITIVE, 8, 1, 8, true), .17329, 5e-6);
    LEM_CHECK_NEAR(lem_radius_jitter_variance(LEM_RF_HYPERBOLIC, 8, 1, 8, true), .026393, 5e-7);
    LEM_CHECK_NEAR(lem_radius_jitter_variance(LEM_RF_HYPERBOLIC, 64, .25, 64, true), 2.0937e-5, 5e-10);
    LEM_CHECK_NEAR(lem_orthogonal_rf_variance(LEM_RF_HYPERBOLIC, 64, 64, .25, 0), 2.8245e-5, 5e-10);
}

static double mean_square(const gsl_matrix *m, size_t l) {
    double sum = 0;
    for (size_t i = 0; i < m->size1; i++)
        sum += gsl_matrix_get(m, i, l) * gsl_matrix_get(m, i, l);
    return sum / (double)m->size1;
}

/* Entries near the largest double: what can be done is done, the rest refused. */
static void test_shift_at_the_end_of_double(void) {
    double of_q[] = {DBL_MAX, -DBL_MAX, DBL_MAX}, of_k[] = {1e-300, 3e-300}, psi_of[1];
    gsl_matrix q = gsl_matrix_view_array(of_q, 3, 1).matrix, k = gsl_matrix_view_array(of_k, 2, 1).matrix;
    gsl_vector psi = gsl_vector_view_array(psi_of, 1).vector;
    LEM_CHECK(lem_balance_coordinates(&q, &k, &psi) == 0, "%s", lem_last_error());
    const double middle = sqrt(DBL_MAX) * sqrt(sqrt(5) * 1e-300); /* both root mean squares */
    LEM_CHECK_NEAR(of_q[0], middle, 1e-14 * middle);
    LEM_CHECK_NEAR(of_k[1], 3 / sqrt(5) * middle, 1e-14 * middle);
    double small[] = {0x1p-1070}, large[] = {DBL_MAX};
    gsl_matrix s = gsl_matrix_view_array(small, 1, 1).matrix, b = gsl_matrix_view_array(large, 1, 1).matrix;
    LEM_CHECK_ERROR(lem_balance_coordinates(&s, &b, NULL), "column 0|psi = inf");
    LEM_CHECK_ERROR(lem_balance_coordinates(&b, &s, NULL), "column 0|psi");
    double lone[] = {DBL_MAX, 0};
    gsl_matrix a = gsl_matrix_view_array(lone, 2, 1).matrix;
    LEM_CHECK_ERROR(lem_balance_coordinates(&b, &a, NULL), "column 0|balanced|exceeds");
    LEM_CHECK(small[0] == 0x1p-1070 && large[0] == DBL_MAX, "left alone");
    double far[] = {DBL_MAX, -DBL_MAX}, near[] = {DBL_MAX, DBL_MAX};
    gsl_matrix apart = gsl_matrix_view_array(far, 2, 1).matrix,
               alike = gsl_matrix_view_array(near, 2, 1).matrix;
    LEM_CHECK_ERROR(lem_centre_keys(&apart, NULL), "column 0 of K|too far");
    LEM_CHECK(far[0] == DBL_MAX && far[1] == -DBL_MAX, "left alone");
    LEM_CHECK(lem_centre_keys(&alike, NULL) == 0 && near[0] == 0 && near[1] == 0, "no spread: %g", near[0]);
}

static void test_shift(void) {
    guarded gq = random_matrix(7, 3, KIND_UNIFORM, &rng), gk = random_matrix(9, 3, KIND_UNIFORM, &rng);
    gsl_matrix *q = &gq.m, *k = &gk.m;
    gsl_vector *mean = gsl_vector_alloc(3), *psi = gsl_vector_alloc(3);
    double before[7][9];
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 0; j < 9; j++) {
            before[i][j] = 0;
            for (size_t l = 0; l < 3; l++)
                before[i][j] += gsl_matrix_get(q, i, l) * gsl_matrix_get(k, j, l);
        }
    double ratio[3];
    for (size_t l = 0; l < 3; l++)
        ratio[l] = mean_square(k, l) / mean_square(q, l);
    LEM_CHECK(lem_balance_coordinates(q, k, psi) == 0, "balance");
    for (size_t l = 0; l < 3; l++) { /* a dozen roundings in either, four times those of psi */
        LEM_CHECK_NEAR(pow(gsl_vector_get(psi, l), 4), ratio[l], 100 * DBL_EPSILON * ratio[l]);
        LEM_CHECK_NEAR(mean_square(q, l), mean_square(k, l), 100 * DBL_EPSILON * mean_square(k, l));
    }
    LEM_CHECK(lem_centre_keys(k, mean) == 0, "centre");
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 0; j < 9; j++) {
            double now = 0, size = 0;
            for (size_t l = 0; l < 3; l++) {
                const double term =
                    gsl_matrix_get(q, i, l) * (gsl_matrix_get(k, j, l) + gsl_vector_get(mean, l));
                now += term;
                size += fabs(gsl_matrix_get(q, i, l)) *
                        (fabs(gsl_matrix_get(k, j, l)) + 2 * fabs(gsl_vector_get(mean, l)));
            }
            LEM_CHECK_NEAR(now, before[i][j], 16 * DBL_EPSILON * size);
        }
    for (size_t l = 0; l < 3; l++) {
        double sum = 0, most = 0;
        for (size_t j = 0; j < 9; j++) {
            sum += gsl_matrix_get(k, j, l);
            most = fmax(most, fabs(gsl_matrix_get(k, j, l)) + fabs(gsl_vector_get(mean, l)));
        }
        LEM_CHECK_NEAR(sum, 0, 9 * 16 * DBL_EPSILON * most);
    }
    gsl_matrix_set(k, 8, 2, NAN);
    LEM_CHECK_ERROR(lem_centre_keys(k, mean), "K[8][2]");
    LEM_CHECK_ERROR(lem_balance_coordinates(q, k, psi), "K[8][2]");
    LEM_CHECK_ERROR(lem_centre_keys(NULL, mean), "K|null");
    LEM_CHECK(guarded_intact(&gq) && guarded_intact(&gk), "only the views were written");
    guarded_free(&gq), guarded_free(&gk), gsl_vector_free(mean), gsl_vector_free(psi);
}

static void test_bad_input(void) {
    LEM_CHECK_ERROR(isnan(lem_softmax_rf_variance_trig(-1, 0)), "N = -1");
    LEM_CHECK_ERROR(isnan(lem_softmax_rf_variance_positive(1, .6)), "s = 0.6|-N/2 and N/2");
    LEM_CHECK_ERROR(isnan(lem_softmax_rf_variance_positive(1, NAN)), "s = nan");
    LEM_CHECK_ERROR(isnan(lem_softmax_rf_variance_hyperbolic(INFINITY, 0)), "N = inf");
    LEM_CHECK_ERROR(isnan(lem_softmax_rf_variance_trig(800, 0)), "exceeds the range of double");
    LEM_CHECK_ERROR(isnan(lem_trig_positive_crossover_equal_features(0)), "N = 0|positive");
    LEM_CHECK_ERROR(isnan(lem_trig_positive_crossover_equal_projections(NAN)), "N = nan");
    LEM_CHECK_ERROR(isnan(lem_orthogonal_pair_moment(1, 1)), "d = 1|from 2");
    LEM_CHECK_ERROR(isnan(lem_orthogonal_pair_cov(2.5, 1)), "d = 2.5|whole");
    LEM_CHECK_ERROR(isnan(lem_orthogonal_pair_cov(4, -1)), "t = -1");
    LEM_CHECK_ERROR(isnan(lem_orthogonal_pair_moment(4, 701)), "t = 701|700");
    LEM_CHECK_ERROR(isnan(lem_orthogonal_pair_moment_trig(1000, 100)), "t = 100|digits");
    LEM_CHECK_ERROR(isnan(lem_orthogonal_rf_variance(LEM_RF_TRIG, 4, 5, 1, 0)), "P = 5|multiple of d = 4");
    LEM_CHECK_ERROR(isnan(lem_orthogonal_rf_variance((lem_rf_kind)7, 4, 4, 1, 0)), "kind = 7");
    LEM_CHECK_ERROR(isnan(lem_radial_variance_share(0, 1)), "d = 0");
    LEM_CHECK_ERROR(isnan(lem_spherical_feature_relative_bias(4, NAN)), "t = nan");
    LEM_CHECK_ERROR(isnan(lem_stratified_radius_relative_bias(4, 1, 0)), "m = 0");
    LEM_CHECK_ERROR(isnan(lem_radius_jitter_variance(LEM_RF_TRIG, 4, 1, 4, false)), "kind = 0");
    LEM_CHECK_ERROR(isnan(lem_radius_jitter_variance(LEM_RF_POSITIVE, 4, 1, 5, true)), "P = 5|at most d = 4");
    LEM_CHECK_ERROR(isnan(lem_oprf_rho(-1, 4)), "phi = -1");
    LEM_CHECK_ERROR(isnan(lem_oprf_A(1, .5)), "d = 0.5");
    LEM_CHECK_ERROR(isnan(lem_oprf_log_second_moment_at(0, 1, 4)), "rho = 0");
    LEM_CHECK_ERROR(isnan(lem_simplex_pair_moment(1, 1)), "d = 1");
    LEM_CHECK_ERROR(isnan(lem_layer_speedup(0, 1, 1)), "n = 0");
    LEM_CHECK_ERROR(isnan(lem_layer_speedup(1, 1, .5)), "m = 0.5");
    double r[2];
    LEM_CHECK_ERROR(lem_stratified_radius(0, 2, LEM_RADIUS_ARTICLE, NULL, r), "d = 0");
    LEM_CHECK_ERROR(lem_stratified_radius(2, 0, LEM_RADIUS_ARTICLE, NULL, r), "P = 0");
    LEM_CHECK_ERROR(lem_stratified_radius(2, 2, LEM_RADIUS_ARTICLE, NULL, NULL), "out");
    LEM_CHECK_ERROR(lem_stratified_radius(2, 2, (lem_radius_mode)9, NULL, r), "mode = 9");
    LEM_CHECK_ERROR(lem_stratified_radius(2, 2, LEM_RADIUS_JITTER, NULL, r), "stream");
}

static const lem_tap_case cases[] = {
    {"panels", test_panels},
    {"crossovers", test_crossovers},
    {"orthogonal", test_orthogonal},
    {"oprf", test_oprf},
    {"radii", test_radii},
    {"jitter", test_jitter},
    {"shifts", test_shift},
    {"bad input", test_bad_input},
    {"centring and balancing at the end of double", test_shift_at_the_end_of_double},
};
LEM_TAP_MAIN(cases)
