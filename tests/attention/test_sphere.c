/* The cosine of two random directions: the Bessel functions by identities, closed forms and quadrature. */
#include "attention/quadrature.h"
#include "attention/sphere.h"
#include "rng/stream.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>

static lem_stream rng;

static double between(double low, double high) {
    return low + (high - low) * lem_uniform(&rng);
}

static double log_between(double low, double high) {
    return exp(between(log(low), log(high)));
}

/* 1/A_d(kappa) = d/kappa + A_{d+2}(kappa): either side is off by the stated 64 epsilons at most. */
static void test_recurrence(void) {
    LEM_CHECK(lem_stream_init(&rng, 1, lem_stream_id("test"), lem_stream_id("sphere"), 0) == 0, "stream");
    for (int i = 0; i < 2000; i++) {
        const double d = log_between(2, 1e8), kappa = log_between(1e-8, 1e8);
        const double left = 1 / lem_vmf_mean_resultant(kappa, d);
        LEM_CHECK_NEAR(left, d / kappa + lem_vmf_mean_resultant(kappa, d + 2), 128 * DBL_EPSILON * left);
    }
}

/* Amos, Math. Comp. 28 (1974) 239: x/(nu + 1/2 + sqrt(x^2 + (nu + 3/2)^2)) <= r <= the same with nu + 1/2
 * under the root. */
static void test_bounds(void) {
    for (int i = 0; i < 2000; i++) {
        const double d = log_between(2, 1e12), kappa = log_between(1e-12, 1e12), nu = d / 2 - 1;
        const double A = lem_vmf_mean_resultant(kappa, d), slack = 1 + 64 * DBL_EPSILON;
        LEM_CHECK(kappa / (nu + .5 + hypot(kappa, nu + 1.5)) <= A * slack, "lower at %g, %g", kappa, d);
        LEM_CHECK(A <= kappa / (nu + .5 + hypot(kappa, nu + .5)) * slack, "upper at %g, %g", kappa, d);
    }
}

/* d = 3 has sinh(a)/a and coth(a) - 1/a; beyond a = 20 exp(-2a) is nothing. */
static void test_three_dimensions(void) {
    for (int i = 0; i < 200; i++) {
        const double a = log_between(20, 1e140), mgf = a - log(2 * a), A = 1 - 1 / a;
        LEM_CHECK_NEAR(lem_log_mgf_cosine(a, 3), mgf, 64 * DBL_EPSILON * mgf);
        LEM_CHECK_NEAR(lem_vmf_mean_resultant(a, 3), A, 64 * DBL_EPSILON);
        const double D = log(2 * a) - 1;
        LEM_CHECK_NEAR(lem_vmf_kl_uniform(a, 3), D, 64 * DBL_EPSILON * D);
    }
}

/* The leading terms where a^2 is nothing beside d: log M = a^2/(2d), A = a/d, D = a^2/(2d); the next are
 * smaller by a^2/d. */
static void test_small(void) {
    for (int i = 0; i < 500; i++) {
        const double d = log_between(2, 1e100), a = sqrt(d) * log_between(1e-60, 1e-9), first = a / d * a / 2;
        LEM_CHECK_NEAR(lem_log_mgf_cosine(a, d), first, 64 * DBL_EPSILON * first);
        LEM_CHECK_NEAR(lem_vmf_mean_resultant(a, d), a / d, 64 * DBL_EPSILON * a / d);
        LEM_CHECK_NEAR(lem_vmf_kl_uniform(a, d), first, 64 * DBL_EPSILON * first);
    }
    LEM_CHECK(lem_log_mgf_cosine(0, 2) == 0 && lem_vmf_mean_resultant(0, 1000) == 0, "at 0");
    LEM_CHECK(lem_vmf_kl_uniform(0, 2.5) == 0, "at 0");
}

typedef struct {
    double kappa, d;
    int moment;
} integrand_ctx;

static double integrand(double theta, const void *context) {
    const integrand_ctx *ctx = context;
    const double s = cos(theta);
    return exp(ctx->kappa * (s - 1) + (ctx->d - 2) * log(sin(theta))) * (ctx->moment ? s : 1);
}

/* Panels of Gauss-Legendre nodes do not mind odd d, where the midpoint rule in theta is off by h^(d - 1). The
 * integrand's rounding is about kappa + d epsilons. */
static void test_quadrature(void) {
    for (int i = 0; i < 200; i++) {
        const double d = floor(log_between(2, 400)), kappa = log_between(.01, 300);
        const double tolerance = (kappa + d + 50) * DBL_EPSILON;
        double m[3];
        for (int k = 0; k < 3; k++) {
            const integrand_ctx ctx = {k < 2 ? kappa : 0, d, k == 1};
            m[k] = lem_panel_integral(integrand, &ctx, 0, M_PI, 60);
        }
        const double log_m = log(m[0] / m[2]) + kappa, A = m[1] / m[0];
        LEM_CHECK_NEAR(lem_log_mgf_cosine(kappa, d), log_m, tolerance);
        LEM_CHECK_NEAR(lem_vmf_mean_resultant(kappa, d), A, tolerance);
        LEM_CHECK_NEAR(lem_vmf_kl_uniform(kappa, d), kappa * A - log_m, (kappa + 1) * tolerance);
    }
}

/* The same from either side of the border between the series and the expansion, up to the slope; D rises. */
static void test_border(void) {
    for (int i = 0; i < 300; i++) {
        const double d = log_between(2, 1e6), nu = d / 2 - 1;
        const double at = nu < 28 ? fmax(sqrt(d), sqrt(28 * 28 - nu * nu)) : sqrt(d);
        double m[2], A[2], D[2];
        for (int side = 0; side < 2; side++) {
            const double x = at * (1 + (side ? 1 : -1) * 1e-14);
            m[side] = lem_log_mgf_cosine(x, d);
            A[side] = lem_vmf_mean_resultant(x, d);
            D[side] = lem_vmf_kl_uniform(x, d);
        }
        LEM_CHECK_NEAR(m[0], m[1], (4e-14 + 128 * DBL_EPSILON) * m[1]);
        LEM_CHECK_NEAR(A[0], A[1], (2e-14 + 128 * DBL_EPSILON) * A[1]);
        LEM_CHECK_NEAR(D[0], D[1], (4e-14 + 128 * DBL_EPSILON) * D[1]);
    }
}

/* What A lacks to 1: the rest of it, and far out (d-1)/(2 kappa) - (d-1)(d-3)/(8 kappa^2) + .... In three
 * dimensions A = coth kappa - 1/kappa. */
static void test_deficit(void) {
    for (double d = 2; d < 1e6; d = floor(3 * d))
        for (double kappa = 1e-3; kappa < 1e8; kappa *= 1.9) {
            const double deficit = lem_vmf_mean_deficit(kappa, d);
            LEM_CHECK_NEAR(lem_vmf_mean_resultant(kappa, d) + deficit, 1, 64 * DBL_EPSILON);
            if (kappa > 1e3 * d)
                LEM_CHECK_NEAR(deficit * 2 * kappa / (d - 1), 1 - (d - 3) / (4 * kappa),
                               64 * DBL_EPSILON + d * d / kappa / kappa);
        }
    for (double kappa = 1; kappa < 1e140; kappa *= 7)
        LEM_CHECK_NEAR(lem_vmf_mean_deficit(kappa, 3) * kappa, 1 - 2 * kappa / expm1(2 * kappa),
                       64 * DBL_EPSILON * fmax(1, fmin(kappa, 28)));
    LEM_CHECK(lem_vmf_mean_deficit(0, 7) == 1, "no concentration");
}

static void test_bad_input(void) {
    LEM_CHECK_ERROR(isnan(lem_vmf_mean_deficit(-1, 4)), "kappa = -1");
    LEM_CHECK_ERROR(isnan(lem_log_mgf_cosine(-1, 4)), "alpha = -1|between 0 and");
    LEM_CHECK_ERROR(isnan(lem_log_mgf_cosine(NAN, 4)), "alpha = nan");
    LEM_CHECK_ERROR(isnan(lem_log_mgf_cosine(1, 1.9)), "d = 1.9|between 2 and");
    LEM_CHECK_ERROR(isnan(lem_log_mgf_cosine(1, nextafter(2, 0))), "d = 2: must be|between 2 and");
    LEM_CHECK_ERROR(isnan(lem_log_mgf_cosine(1, 2e150)), "d = 2e+150");
    LEM_CHECK_ERROR(isnan(lem_vmf_mean_resultant(INFINITY, 4)), "kappa = inf");
    LEM_CHECK_ERROR(isnan(lem_vmf_mean_resultant(1, NAN)), "d = nan");
    LEM_CHECK_ERROR(isnan(lem_vmf_kl_uniform(1e151, 4)), "kappa = 1e+151");
    LEM_CHECK_ERROR(isnan(lem_vmf_kl_uniform(1, INFINITY)), "d = inf");
}

static const lem_tap_case cases[] = {
    {"recurrence", test_recurrence},
    {"bounds", test_bounds},
    {"three dimensions", test_three_dimensions},
    {"small arguments", test_small},
    {"quadrature", test_quadrature},
    {"border", test_border},
    {"what is left of one", test_deficit},
    {"bad input", test_bad_input},
};
LEM_TAP_MAIN(cases)
