#include "attention/orthogonal.h"
#include "attention/rf_series.h"
#include "attention/rf_variance.h"

#include <math.h>

static int check_d(double d) {
    if (!(d >= 2) || d > 0x1p20 || d != floor(d))
        return LEM_ERROR(GSL_EDOM, "d = %g: must be a whole number from 2 to 2^20", d);
    return GSL_SUCCESS;
}

static int check(double d, double t) {
    if (check_d(d))
        return GSL_EDOM;
    if (!(t >= 0) || t > LEM_RF_MOST)
        return LEM_ERROR(GSL_EDOM, "t = %g: must be between 0 and %g", t, LEM_RF_MOST);
    return GSL_SUCCESS;
}

double lem_orthogonal_pair_moment(double d, double t) {
    return check(d, t) ? (double)NAN : lem_pair_series(d, t);
}

double lem_orthogonal_pair_cov(double d, double t) {
    return check(d, t) ? (double)NAN : lem_pair_gap(d, t);
}

static double precise(double value, double error, double d, double t) {
    if (error <= 1e-12 * fmax(fabs(value), exp(-t / 2)))
        return value * exp(-t / 2);
    return LEM_ERROR_NAN(GSL_ELOSS, "d = %g, t = %g: cancels to fewer than 12 digits", d, t);
}

double lem_orthogonal_pair_moment_trig(double d, double t) {
    if (check(d, t))
        return (double)NAN;
    const lem_pair_oscillating f = lem_pair_alternating(d, t);
    return precise(f.value, f.error, d, t);
}

double lem_orthogonal_pair_cov_trig(double d, double t) {
    if (check(d, t))
        return (double)NAN;
    const lem_pair_oscillating f = lem_pair_alternating(d, t);
    return precise(f.gap, f.error, d, t);
}

static double pair_covariance(lem_rf_kind kind, double d, double N, double s) {
    if (kind == LEM_RF_TRIG)
        return exp(N) * lem_orthogonal_pair_cov_trig(d, fmax(N - 2 * s, 0));
    return exp(-N) * lem_orthogonal_pair_cov(d, fmax(N + 2 * s, 0));
}

double lem_orthogonal_rf_variance(lem_rf_kind kind, double d, double P, double N, double s) {
    if (check_d(d))
        return (double)NAN;
    if (!(P >= 1) || P != floor(P) || (P > d && fmod(P, d) != 0))
        return LEM_ERROR_NAN(GSL_EDOM, "P = %g: must be a whole number >= 1, at most or a multiple of d = %g",
                             P, d);
    double one;
    switch (kind) {
    case LEM_RF_TRIG:
        one = lem_softmax_rf_variance_trig(N, s);
        break;
    case LEM_RF_POSITIVE:
        one = lem_softmax_rf_variance_positive(N, s);
        break;
    case LEM_RF_HYPERBOLIC:
        one = lem_softmax_rf_variance_hyperbolic(N, s);
        break;
    default:
        return LEM_ERROR_NAN(GSL_EINVAL, "kind = %d: no such estimator", (int)kind);
    }
    return isnan(one) ? one : (one + (fmin(P, d) - 1) * pair_covariance(kind, d, N, s)) / P;
}
