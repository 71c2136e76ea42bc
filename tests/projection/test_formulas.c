/* The projection formulas: identities between them on random arguments, direct sums, edges, bad input.
 * Tolerances are sums of the stated accuracies (64 epsilons for closed forms) of what is compared. */
#include "base/formula.h"
#include "projection/angle.h"
#include "projection/cosine.h"
#include "projection/entropy.h"
#include "projection/families.h"
#include "projection/haar.h"
#include "projection/inner.h"
#include "projection/min_dim.h"
#include "projection/norm_tail.h"
#include "projection/rsvd_bound.h"
#include "projection/simhash.h"
#include "tap/tap.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define EPS 2.220446049250313e-16
#define CLOSED (64 * EPS)

static uint64_t state = 2;

/* splitmix64 */
static double unit(void) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static double between(double low, double high) {
    return low + (high - low) * unit();
}
static double log_between(double low, double high) {
    return exp(between(log(low), log(high)));
}
static size_t repeat(size_t n) {
    double times = (double)n * lem_tap_effort();
    return times < 1 ? 1 : (size_t)times;
}

/* --- norm tails --- */

static void test_norm_tail_identities(void) {
    for (size_t i = 0; i < repeat(300); i++) {
        double n = log_between(1, 1e4), eps = log_between(1e-6, 0.99);
        /* n = 2: exponential. */
        LEM_CHECK_NEAR(lem_jl_norm_tail(2, eps, LEM_JL_UPPER), exp(-1 - eps), 2 * CLOSED);
        /* n = 1: a normal squared; erfc carries the argument's rounding, here below 4 epsilons. */
        LEM_CHECK_NEAR(lem_jl_norm_tail(1, eps, LEM_JL_UPPER), erfc(sqrt((1 + eps) / 2)), 2 * CLOSED);
        /* Q(a+1, x) = Q(a, x) + x^a e^-x/Gamma(a+1), at a = n/2 and x = n(1+eps)/2 = (n+2)(1+next)/2. */
        double a = n / 2, x = a * (1 + eps), next = (n * eps - 2) / (n + 2);
        if (next > 0 && n * eps * eps < 100) {
            double step = exp(a * log(x) - x - lgammafn(a + 1));
            double bound = 2 * CLOSED + 8 * EPS * (a * fabs(log(x)) + x + fabs(lgammafn(a + 1)));
            LEM_CHECK_NEAR(lem_jl_norm_tail(n + 2, next, LEM_JL_UPPER),
                           lem_jl_norm_tail(n, eps, LEM_JL_UPPER) + step, bound);
        }
        /* libRmath sees the rounded x: n eps epsilons, and its own loss, measured below 5400 epsilons for n
         * <= 1e5. */
        double ours = lem_jl_norm_tail_log(n, eps, LEM_JL_UPPER), theirs = pgamma(x, a, 1, 0, 1);
        LEM_CHECK_NEAR(ours, theirs, 1e4 * EPS * (1 + fabs(ours)));
        ours = lem_jl_norm_tail_log(n, eps, LEM_JL_LOWER), theirs = pgamma(a * (1 - eps), a, 1, 1, 1);
        LEM_CHECK_NEAR(ours, theirs, (1e4 + a / (1 - eps)) * EPS * (1 + fabs(ours)));
        for (int side = LEM_JL_UPPER; side <= LEM_JL_LOWER; side++) {
            double value = lem_jl_norm_tail(n, eps, (lem_jl_side)side),
                   log_value = lem_jl_norm_tail_log(n, eps, (lem_jl_side)side);
            LEM_CHECK(value <= lem_jl_norm_tail_chernoff(n, eps, (lem_jl_side)side),
                      "Chernoff at n = %g, eps = %g", n, eps);
            if (value > 1e-290)
                LEM_CHECK_NEAR(log_value, log(value), CLOSED * (1 + fabs(log_value)));
        }
        double both = lem_jl_norm_two_sided_log(n, eps);
        LEM_CHECK_NEAR(both,
                       log(exp(lem_jl_norm_tail_log(n, eps, LEM_JL_UPPER) - both) +
                           exp(lem_jl_norm_tail_log(n, eps, LEM_JL_LOWER) - both)) +
                           both,
                       CLOSED * (1 + fabs(both)));
    }
}

static void test_norm_tail_order(void) {
    for (size_t i = 0; i < repeat(200); i++) {
        double n = floor(log_between(1, 1e5)), eps = between(0.001, 0.99);
        LEM_CHECK(lem_jl_norm_two_sided_log(n + 1, eps) < lem_jl_norm_two_sided_log(n, eps),
                  "two-sided tail decreases in n at %g, %g", n, eps);
        LEM_CHECK(lem_jl_norm_tail_log(n, eps * 1.001, LEM_JL_UPPER) <
                      lem_jl_norm_tail_log(n, eps, LEM_JL_UPPER),
                  "upper tail decreases in eps at %g, %g", n, eps);
        LEM_CHECK(lem_jl_exponent_ratio(eps * 1.001) < lem_jl_exponent_ratio(eps),
                  "the ratio decreases at %g", eps);
    }
    LEM_CHECK_NEAR(lem_jl_exponent_ratio(1), (1 - M_LN2) / 2, CLOSED);
    LEM_CHECK_NEAR(lem_jl_exponent_ratio(0), 0.25, 0);
    LEM_CHECK_NEAR(lem_jl_exponent_ratio(1e-200), 0.25, EPS);
    LEM_CHECK(lem_jl_norm_tail(1e6, 0.1, LEM_JL_UPPER) == 0, "below the smallest double");
    LEM_CHECK(lem_jl_norm_tail_log(1e6, 0.1, LEM_JL_UPPER) < -2000, "its logarithm is there");
}

/* --- inner products --- */

static void test_inner_identities(void) {
    for (size_t i = 0; i < repeat(60); i++) {
        double n = i % 4 == 0 ? 2 : log_between(1, 2000), rho = between(-1, 1), eps = log_between(1e-3, 0.99);
        LEM_CHECK_NEAR(lem_jl_inner_tail(n, eps, 1), lem_jl_norm_tail(n, eps, LEM_JL_UPPER), 0);
        LEM_CHECK_NEAR(lem_jl_inner_tail(n, eps, -1), lem_jl_norm_tail(n, eps, LEM_JL_LOWER), 0);
        /* n = 2: X and Y exponential, an asymmetric Laplace law. */
        double t = rho + eps, plus = 1 + rho, minus = 1 - rho;
        double exact = t >= 0 ? plus / 2 * exp(-2 * t / plus) : 1 - minus / 2 * exp(2 * t / minus);
        LEM_CHECK_NEAR(lem_jl_inner_tail(2, eps, rho), exact,
                       (1e-12 + 8 * EPS * (fabs(t) / plus + 1)) * exact);
        double value = lem_jl_inner_tail_log(n, eps, rho), rate = lem_jl_inner_rate(eps, rho);
        LEM_CHECK(value <= -n * rate, "the Chernoff bound at %g, %g, %g", n, eps, rho);
        LEM_CHECK(lem_jl_inner_rate(eps, rho) >= lem_jl_inner_rate(eps, 1) * (1 - CLOSED),
                  "rho = 1 is the worst at %g, %g", eps, rho);
        /* From n = 2 on (at n = 1, eps > 0.87 it does not) the two-sided tail increases in |rho| (claim
         * jl.inner): the lower tail is the upper one at -rho. */
        double smaller = fabs(rho) * unit();
        double outer = lem_jl_inner_tail(n, eps, rho) + lem_jl_inner_tail(n, eps, -rho);
        double inner = lem_jl_inner_tail(n, eps, smaller) + lem_jl_inner_tail(n, eps, -smaller);
        LEM_CHECK(n < 2 || inner <= outer * (1 + 4e-12),
                  "two-sided tail at n = %g, eps = %g: %g at rho = %g, %g at %g", n, eps, inner, smaller,
                  outer, rho);
    }
    LEM_CHECK(lem_jl_inner_tail(16, 1, -1) == 0, "rho = -1, eps >= 1");
    LEM_CHECK(lem_jl_inner_tail_log(16, 1.5, -1) == -INFINITY, "its logarithm");
    LEM_CHECK(isinf(lem_jl_inner_rate(1, -1)), "its rate");
    /* Near rho = -1 the tail tends to the lower norm tail. */
    LEM_CHECK_NEAR(lem_jl_inner_tail(16, 0.5, -1 + 1e-15), lem_jl_norm_tail(16, 0.5, LEM_JL_LOWER), 1e-12);
    LEM_CHECK_NEAR(lem_jl_inner_tail(16, 0.5, 1 - 1e-15), lem_jl_norm_tail(16, 0.5, LEM_JL_UPPER), 1e-12);
    LEM_CHECK(lem_jl_inner_tail(1e6, 0.5, 0) == 0 && lem_jl_inner_tail_log(1e6, 0.5, 0) < -1e5, "deep tail");
}

/* --- dimensions --- */

static void test_min_dim(void) {
    for (size_t i = 0; i < repeat(150); i++) {
        double N = floor(log_between(2, 1e9)), eps = between(0.01, 0.99), delta = log_between(1e-12, 1);
        double n = lem_jl_min_dim(N, eps, delta, LEM_MIN_DIM_EXACT),
               chernoff = lem_jl_min_dim(N, eps, delta, LEM_MIN_DIM_CHERNOFF);
        LEM_CHECK(lem_jl_union_bound_log(N, n, eps) <= log(delta), "%g is enough", n);
        LEM_CHECK(n == 1 || lem_jl_union_bound_log(N, n - 1, eps) > log(delta), "%g is the smallest", n);
        LEM_CHECK(n <= chernoff, "exact %g, Chernoff %g", n, chernoff);
        double su24 = lem_jl_min_dim(N, eps, delta, LEM_MIN_DIM_SU24);
        LEM_CHECK_NEAR(lem_jl_min_dim(N, eps, delta, LEM_MIN_DIM_SU16), su24 * 2 / 3, CLOSED * su24);
        LEM_CHECK(N > 1e3 || lem_jl_min_dim(N, eps, 1 / N, LEM_MIN_DIM_EXACT) <= ceil(su24),
                  "the 24 rule is safe");

        double m = floor(log_between(1, 4000)), haar = lem_jl_min_dim_haar(m, N, eps, delta);
        double target = log(delta) - log(N) - log((N - 1) / 2);
        LEM_CHECK(haar >= 1 && haar <= m && haar <= n, "Haar %g of %g, Gaussian %g", haar, m, n);
        LEM_CHECK(lem_jl_haar_two_sided_log(m, haar, eps) <= target, "%g Haar dimensions are enough", haar);
        LEM_CHECK(haar == 1 || lem_jl_haar_two_sided_log(m, haar - 1, eps) > target,
                  "and the smallest number");
    }
    LEM_CHECK_NEAR(lem_jl_min_dim(2, 0.5, 2, LEM_MIN_DIM_EXACT), 1, 0);
    /* The spec's jl.haar-tail table. */
    LEM_CHECK_NEAR(lem_jl_min_dim_haar(512, 100, 0.5, 0.01), 142, 0);
    LEM_CHECK_NEAR(lem_jl_min_dim_haar(2048, 100, 0.5, 0.01), 195, 0);
    LEM_CHECK_NEAR(lem_jl_min_dim_haar(512, 1000, 0.3, 0.001), 313, 0);
    LEM_CHECK_NEAR(lem_jl_min_dim(1000, 0.3, 0.001, LEM_MIN_DIM_EXACT), 916, 0);
}

static void test_haar(void) {
    for (size_t i = 0; i < repeat(100); i++) {
        double m = floor(log_between(2, 1000)), n = floor(between(1, m)), eps = between(0.01, 0.99);
        double upper = lem_jl_haar_tail(m, n, eps, LEM_JL_UPPER),
               lower = lem_jl_haar_tail(m, n, eps, LEM_JL_LOWER);
        /* Not at n = 1 with eps > 0.96. */
        LEM_CHECK(n < 2 || log(upper + lower) <= lem_jl_norm_two_sided_log(n, eps),
                  "below the Gaussian at m = %g, n = %g, eps = %g", m, n, eps);
        LEM_CHECK(n * (1 + eps) < m || upper == 0, "the norm cannot exceed m/n at m = %g, n = %g, eps = %g",
                  m, n, eps);
        /* The norm of the other m - n coordinates: 1 - B. */
        if (n < m) {
            double other = n * eps / (m - n);
            if (other < 1)
                LEM_CHECK_NEAR(lem_jl_haar_tail(m, m - n, other, LEM_JL_LOWER), upper, 1e-10 * upper);
        }
        LEM_CHECK(lem_jl_haar_tail(m, m, eps, LEM_JL_UPPER) == 0 &&
                      lem_jl_haar_tail(m, m, eps, LEM_JL_LOWER) == 0,
                  "n = m");
    }
}

/* --- angles --- */

static void test_angles(void) {
    for (size_t i = 0; i < repeat(200); i++) {
        double n = log_between(2, 1e4), eps = unit();
        LEM_CHECK_NEAR(lem_cosine_abs_tail(2, eps), M_2_PI * acos(eps), 2 * CLOSED);
        LEM_CHECK_NEAR(lem_cosine_abs_tail(3, eps), 1 - eps, 2 * CLOSED);
        /* libRmath's logarithm loses digits where the tail is near 1: compare the logarithms to 1e-8 there.
         */
        double ours = lem_cosine_abs_tail_log(n, eps);
        LEM_CHECK_NEAR(ours, pbeta((1 - eps) * (1 + eps), (n - 1) / 2, 0.5, 1, 1),
                       ours > -0.1 ? 1e-8 : 1e4 * EPS * (1 + fabs(ours)));
        LEM_CHECK(lem_cosine_abs_tail_log(n, eps) <= (n - 1) / 2 * log1p(-eps * eps) + 4 * CLOSED * n,
                  "the bound of jl.angle");
        /* d/dtheta P(|cos| >= cos theta) = 2 pdf(theta): central difference, error theta-step^2. */
        double theta = between(0.2, 1.4), h = 1e-4;
        double slope =
            (lem_cosine_abs_tail(5, cos(theta + h)) - lem_cosine_abs_tail(5, cos(theta - h))) / (2 * h);
        LEM_CHECK_NEAR(slope, 2 * lem_angle_pdf(5, theta), 4 * h * h + 4 * CLOSED / h);
        LEM_CHECK_NEAR(lem_angle_pdf(3, theta), sin(theta) / 2, CLOSED);
        if (lem_angle_pdf(n, theta) > 1e-300)
            LEM_CHECK_NEAR(lem_angle_pdf_log(n, theta), log(lem_angle_pdf(n, theta)), n * CLOSED);
    }
    LEM_CHECK(lem_cosine_abs_tail(7, 0) == 1 && lem_cosine_abs_tail(7, 1) == 0, "ends");
    LEM_CHECK(lem_cosine_abs_tail_log(7, 1) == -INFINITY, "log at the end");
    LEM_CHECK_NEAR(lem_angle_pdf(2, 0), M_1_PI, CLOSED);
    LEM_CHECK_NEAR(lem_angle_pdf(2, M_PI), M_1_PI, CLOSED);
    LEM_CHECK(lem_angle_pdf(4, 0) == 0 && lem_angle_pdf_log(4, 0) == -INFINITY, "zero at the end for n > 2");
    LEM_CHECK(lem_angle_pdf(1000, 0.1) == 0, "2e-998 is below the smallest double");
    LEM_CHECK_NEAR(lem_angle_pdf_log(1000, 0.1), log(2.3876281703329659) - 998 * M_LN10, 2300 * CLOSED);
}

static void test_max_cosine(void) {
    for (size_t i = 0; i < repeat(100); i++) {
        double n = log_between(2, 2000), N = floor(log_between(2, 1e6)), x = lem_max_cosine_median(n, N);
        double wanted = log(2 * M_LN2) - 2 * log(N), got = lem_cosine_abs_tail_log(n, x);
        /* One ulp of x moves the logarithm by at most n x^2/(1-x^2) epsilons and a bit. */
        LEM_CHECK_NEAR(got, wanted,
                       (64 + 2 * n * x / ((1 - x) * (1 + x)) + 2 / x) * EPS + CLOSED * fabs(wanted));
    }
    LEM_CHECK_NEAR(lem_max_cosine_median(57, 1000), 0.5854, 5e-5); /* the spec's digits */
    LEM_CHECK_NEAR(lem_max_cosine_median(47, 300), 0.580256, 5e-7);
}

/* --- entropy --- */

static void test_gap(void) {
    for (size_t i = 0; i < repeat(300); i++) {
        double n = log_between(2, 1e5), beta = log_between(1e-4, 100), h = lem_skipgram_entropy_gap(n, beta);
        LEM_CHECK(h < 0, "negative at n = %g, beta = %g: %g", n, beta, h);
        LEM_CHECK(lem_skipgram_entropy_gap(n * 1.001, beta) < h, "decreases in n at n = %g, beta = %g", n,
                  beta);
        LEM_CHECK(lem_skipgram_entropy_gap(n, beta * 1.001) < h, "decreases in beta at n = %g, beta = %g", n,
                  beta);
        /* n = 3: I_1/2 is elementary; h = log(sinh k/k) - k coth k + 1. */
        double k = between(0.5, 20);
        double exact = log(sinh(k) / k) - k / tanh(k) + 1;
        LEM_CHECK_NEAR(lem_skipgram_entropy_gap(3, k / 3), exact, 4 * EPS * (k + 2) + CLOSED * fabs(exact));
        /* Small kappa. */
        double small = log_between(1e-100, 1e-3) / n, kappa = small * n;
        double series = -kappa * kappa / (2 * n) * (1 - 3 * kappa * kappa / (2 * n * (n + 2)));
        LEM_CHECK_NEAR(lem_skipgram_entropy_gap(n, small), series, (CLOSED + pow(kappa, 4)) * fabs(series));
        /* h/n -> log(s_beta)/2 = -2/C(beta), to O(1/n) relative. */
        double large = 1e9, limit = -2 * large / lem_embedding_dim_coefficient(beta);
        LEM_CHECK_NEAR(lem_skipgram_entropy_gap(large, beta), limit, 5 + 1e-6 * fabs(limit));
        /* beta = n^-1/2: h in (-1/2, 0) for every n (claim jl.radius). */
        double scaled = lem_skipgram_entropy_gap(n, 1 / sqrt(n));
        LEM_CHECK(scaled > -0.5 && scaled < -0.36, "scaled dot product at n = %g: %g", n, scaled);
    }
    LEM_CHECK(lem_skipgram_entropy_gap(2, 0) == 0, "beta = 0");
    LEM_CHECK(isfinite(lem_skipgram_entropy_gap(2, 1e300)) && isfinite(lem_skipgram_entropy_gap(1e6, 1e290)),
              "huge beta");
    LEM_CHECK_NEAR(lem_embedding_dim_coefficient(1), 4 / log((1 + sqrt(5)) / 2), 9 * CLOSED);
    LEM_CHECK_NEAR(lem_embedding_dim_coefficient(1e-8) * 1e-16, 4, 4 * CLOSED);
}

static void test_threshold(void) {
    for (size_t i = 0; i < repeat(100); i++) {
        double N = floor(log_between(2, 1e9)), beta = log_between(1e-3, 2);
        lem_entropy_mode mode = unit() < 0.5 ? LEM_ENTROPY_JOINT : LEM_ENTROPY_ROW;
        double entropy = (mode == LEM_ENTROPY_JOINT ? 2 : 1) * log(N);
        double n = lem_embedding_dim_threshold(N, beta, mode);
        if (entropy + lem_skipgram_entropy_gap(2, beta) < 0) {
            LEM_CHECK(isnan(n) && strstr(lem_last_error(), "no threshold"), "%s", lem_last_error());
            continue;
        }
        LEM_CHECK_NEAR(lem_skipgram_entropy_gap(n, beta), -entropy, 2 * CLOSED * entropy);
        /* Joint at N is row at N^2. */
        if (mode == LEM_ENTROPY_JOINT && N < 1e7)
            LEM_CHECK_NEAR(lem_embedding_dim_threshold(N * N, beta, LEM_ENTROPY_ROW), n, 2e-13 * n);
    }
}

/* --- SimHash --- */

static void test_simhash_sums(void) {
    for (size_t i = 0; i < repeat(100); i++) {
        double n = 1 + floor(between(0, 60)), theta = between(0, M_PI), p = theta / M_PI, mean, variance;
        LEM_CHECK(lem_simhash_cos_mean_var(n, theta, &mean, &variance) == 0, "%s", lem_last_error());
        double first = 0, centred = 0;
        for (double k = 0; k <= n; k++)
            first += dbinom(k, n, p, 0) * cos(M_PI * k / n);
        for (double k = 0; k <= n; k++)
            centred += dbinom(k, n, p, 0) * pow(cos(M_PI * k / n) - mean, 2);
        /* The binomial weights sum to 1 within n rounding errors of 16 epsilons. */
        LEM_CHECK_NEAR(mean, first, 1000 * EPS);
        LEM_CHECK_NEAR(variance, centred, 1000 * EPS);
        double other_mean, other_variance;
        lem_simhash_cos_mean_var(n, M_PI - theta, &other_mean, &other_variance);
        LEM_CHECK_NEAR(other_mean, -mean, 16 * EPS);
        LEM_CHECK_NEAR(other_variance, variance, 64 * EPS);
        double rho = between(-1, 1);
        LEM_CHECK_NEAR(lem_simhash_bias(-rho), -lem_simhash_bias(rho), 0);
        LEM_CHECK_NEAR(lem_simhash_bias(rho), rho - M_2_PI * asin(rho), 4 * EPS);
        /* The delta method, whose error is of relative order 1/(n theta). */
        double wide = between(0.5, 2.5), large = 1e8;
        lem_simhash_cos_mean_var(large, wide, NULL, &variance);
        LEM_CHECK_NEAR(variance, lem_cosine_estimate_variance(LEM_ESTIMATE_SIMHASH, large, cos(wide)),
                       1e-6 * variance);
    }
    double mean, variance;
    lem_simhash_cos_mean_var(64, 0, &mean, &variance);
    LEM_CHECK(mean == 1 && variance == 0, "theta = 0: %g, %g", mean, variance);
    LEM_CHECK_NEAR(lem_simhash_bias(sqrt(1 - 4 / (M_PI * M_PI))), 0.2105137, 5e-8); /* the spec's digits */
    LEM_CHECK(lem_simhash_bias(1) == 0, "no bias at 1");
}

/* --- cosine --- */

static void test_cosine_mean(void) {
    for (size_t i = 0; i < repeat(200); i++) {
        double rho = between(-1, 1), n = log_between(1, 1e6), mean = lem_projected_cosine_mean(n, rho);
        /* n = 1: the sign cosine. */
        LEM_CHECK_NEAR(lem_projected_cosine_mean(1, rho), M_2_PI * asin(rho), 2 * CLOSED);
        LEM_CHECK_NEAR(lem_projected_cosine_mean(n, -rho), -mean, 0);
        LEM_CHECK(fabs(mean) <= fabs(rho) && fabs(lem_projected_cosine_mean(n * 2, rho)) >= fabs(mean),
                  "towards rho in n");
        LEM_CHECK_NEAR(mean, rho, fabs(rho) / n); /* E = rho (1 - (1 - rho^2)/(2n) + ...) */
    }
    LEM_CHECK(lem_projected_cosine_mean(5, 1) == 1 && lem_projected_cosine_mean(5, -1) == -1, "ends");
    LEM_CHECK_NEAR(lem_projected_cosine_mean(4, 0.6), 0.54795634, 5e-9); /* the spec's digits */
    LEM_CHECK_NEAR(lem_projected_cosine_mean(16, 0.9), 0.89409524, 5e-9);
    double ratio = lem_cosine_estimate_variance(LEM_ESTIMATE_SIMHASH, 7, 0) /
                   lem_cosine_estimate_variance(LEM_ESTIMATE_COSINE, 7, 0);
    LEM_CHECK_NEAR(ratio, M_PI * M_PI / 4, CLOSED);
    LEM_CHECK_NEAR(lem_cosine_estimate_variance(LEM_ESTIMATE_INNER, 8, 1), 0.25, 0);
    /* The delta method over again: gradient (-rho/2, 1, -rho/2) of xy/sqrt(xx yy) against the covariance of
     * (xx, xy, yy) of two unit normals with correlation rho; for K of n bits the slope -pi sin(theta) of the
     * cosine. Terms up to 8 in size, a dozen roundings. */
    for (int i = 0; i <= 20; i++) {
        double rho = -1 + i / 10.0, n = i + 1, g[] = {-rho / 2, 1, -rho / 2}, sum = 0, p = acos(rho) / M_PI;
        const double cov[3][3] = {
            {2, 2 * rho, 2 * rho * rho}, {2 * rho, 1 + rho * rho, 2 * rho}, {2 * rho * rho, 2 * rho, 2}};
        for (int j = 0; j < 9; j++)
            sum += g[j / 3] * cov[j / 3][j % 3] * g[j % 3];
        LEM_CHECK_NEAR(lem_cosine_estimate_variance(LEM_ESTIMATE_COSINE, n, rho), sum / n, 96 * DBL_EPSILON);
        LEM_CHECK_NEAR(lem_cosine_estimate_variance(LEM_ESTIMATE_INNER, n, rho), cov[1][1] / n,
                       4 * DBL_EPSILON);
        LEM_CHECK_NEAR(lem_cosine_estimate_variance(LEM_ESTIMATE_SIMHASH, n, rho),
                       M_PI * M_PI * (1 - rho * rho) * p * (1 - p) / n, 96 * DBL_EPSILON);
    }
}

/* --- families --- */

static void test_families(void) {
    for (size_t i = 0; i < repeat(100); i++) {
        double m = exp2(floor(between(1, 12))), n = floor(between(1, m)), q4 = between(1 / m, 1);
        double gaussian = lem_jl_norm_variance(LEM_PROJECTION_GAUSSIAN, m, n, q4, 0);
        LEM_CHECK_NEAR(lem_jl_norm_variance(LEM_PROJECTION_SPARSE, m, n, q4, 3), gaussian, CLOSED * gaussian);
        LEM_CHECK_NEAR(lem_jl_norm_variance(LEM_PROJECTION_SPARSE, m, n, q4, 1),
                       lem_jl_norm_variance(LEM_PROJECTION_RADEMACHER, m, n, q4, 0), CLOSED * gaussian);
        LEM_CHECK(lem_jl_norm_variance(LEM_PROJECTION_SRHT, m, n, q4, 0) <=
                      lem_jl_norm_variance(LEM_PROJECTION_RADEMACHER, m, n, q4, 0),
                  "SRHT below Rademacher");
        LEM_CHECK_NEAR(
            lem_jl_norm_variance(LEM_PROJECTION_SRHT_PADDED, m - 1, n < m ? n : n - 1,
                                 q4 < 1 / (m - 1) ? 1 : q4, 0),
            lem_jl_norm_variance(LEM_PROJECTION_SRHT, m, n < m ? n : n - 1, q4 < 1 / (m - 1) ? 1 : q4, 0), 0);
        LEM_CHECK(lem_jl_norm_variance(LEM_PROJECTION_HAAR, m, m, q4, 0) == 0,
                  "an orthogonal matrix keeps norms");
        /* The variance of the Beta law, scaled. */
        double a = n / 2, b = (m - n) / 2,
               beta = a * b / ((a + b) * (a + b) * (a + b + 1)) * (m / n) * (m / n);
        LEM_CHECK_NEAR(lem_jl_norm_variance(LEM_PROJECTION_HAAR, m, n, q4, 0), beta, CLOSED * gaussian);
    }
    LEM_CHECK(lem_jl_norm_variance(LEM_PROJECTION_SRHT, 1, 1, 1, 0) == 0, "m = 1");
}

/* --- randomized SVD bounds --- */

static void test_rsvd_bounds(void) {
    double sigma[50], scaled[50];
    for (size_t i = 0; i < repeat(50); i++) {
        double last = 10;
        for (size_t j = 0; j < 50; j++)
            sigma[j] = last *= between(0.5, 1);
        for (size_t j = 0; j < 50; j++)
            scaled[j] = sigma[j] * 0x1p-900;
        size_t k = 1 + (size_t)between(0, 30), p = 2 + (size_t)between(0, 15), q = (size_t)between(0, 6);
        double sum = 0;
        for (size_t j = 50; j-- > k;)
            sum += sigma[j] * sigma[j];
        double fro = lem_rsvd_bound_fro(k, p, sigma, 50), spec = lem_rsvd_bound_spec(k, p, q, sigma, 50);
        LEM_CHECK_NEAR(fro, sqrt((1 + (double)k / ((double)p - 1)) * sum), CLOSED * fro);
        LEM_CHECK(spec >= sigma[k], "at least the optimal error");
        LEM_CHECK(lem_rsvd_bound_spec(k, p, 200, sigma, 50) <= lem_rsvd_bound_spec(k, p, 0, sigma, 50),
                  "powers help");
        /* No overflow or underflow: the bounds are homogeneous. */
        LEM_CHECK_NEAR(lem_rsvd_bound_fro(k, p, scaled, 50) * 0x1p900, fro, CLOSED * fro);
        LEM_CHECK_NEAR(lem_rsvd_bound_spec(k, p, q, scaled, 50) * 0x1p900, spec, CLOSED * spec);
    }
    double rank_one[4] = {1, 0, 0, 0};
    LEM_CHECK(lem_rsvd_bound_fro(1, 2, rank_one, 4) == 0 && lem_rsvd_bound_spec(1, 2, 1, rank_one, 4) == 0,
              "exact rank");
}

/* --- bad input --- */

#define REFUSED(call, words)                                                                                 \
    do {                                                                                                     \
        lem_clear_error();                                                                                   \
        double value_ = (call);                                                                              \
        LEM_CHECK(isnan(value_), #call " is NaN");                                                           \
        LEM_CHECK_ERROR(isnan(value_) ? GSL_EDOM : GSL_SUCCESS, words);                                      \
    } while (0)

static void test_bad_input(void) {
    const double nan = NAN, inf = INFINITY;
    REFUSED(lem_jl_norm_tail(0.5, 0.1, LEM_JL_UPPER), "n = 0.5|>= 1");
    REFUSED(lem_jl_norm_tail(nan, 0.1, LEM_JL_UPPER), "n = nan");
    REFUSED(lem_jl_norm_tail(inf, 0.1, LEM_JL_UPPER), "n = inf|finite");
    REFUSED(lem_jl_norm_tail(8, 0, LEM_JL_UPPER), "eps = 0|> 0");
    REFUSED(lem_jl_norm_tail(8, nan, LEM_JL_UPPER), "eps = nan");
    REFUSED(lem_jl_norm_tail(8, inf, LEM_JL_UPPER), "eps = inf|finite");
    REFUSED(lem_jl_norm_tail(8, 1, LEM_JL_LOWER), "eps = 1|< 1|lower");
    REFUSED(lem_jl_norm_tail_log(8, 1, LEM_JL_LOWER), "eps = 1|< 1|lower");
    REFUSED(lem_jl_norm_tail(8, 0.5, (lem_jl_side)7), "side = 7");
    REFUSED(lem_jl_norm_tail_chernoff(8, -1, LEM_JL_UPPER), "eps = -1");
    REFUSED(lem_jl_norm_tail_chernoff_log(0, 0.5, LEM_JL_UPPER), "n = 0");
    REFUSED(lem_jl_norm_two_sided_log(8, 1), "eps = 1");
    REFUSED(lem_jl_exponent_ratio(-1), "eps = -1");
    REFUSED(lem_jl_haar_tail(0, 1, 0.5, LEM_JL_UPPER), "m = 0");
    REFUSED(lem_jl_haar_tail(8, 9, 0.5, LEM_JL_UPPER), "n = 9|m = 8");
    REFUSED(lem_jl_haar_tail(8, 4, 1, LEM_JL_LOWER), "eps = 1|lower");
    REFUSED(lem_jl_haar_tail_log(8, 4, -1, LEM_JL_LOWER), "eps = -1");
    REFUSED(lem_jl_inner_tail(0.9, 0.5, 0), "n = 0.9");
    REFUSED(lem_jl_inner_tail(8, 0, 0), "eps = 0");
    REFUSED(lem_jl_inner_tail(8, nan, -1), "eps = nan");
    REFUSED(lem_jl_inner_tail(8, 0.5, 1.0001), "rho = 1.0001|between -1 and 1");
    REFUSED(lem_jl_inner_tail_log(8, 0.5, nan), "rho = nan");
    REFUSED(lem_jl_inner_rate(0, 0), "eps = 0");
    REFUSED(lem_jl_inner_rate(1, -2), "rho = -2");
    REFUSED(lem_jl_min_dim(1, 0.5, 0.1, LEM_MIN_DIM_EXACT), "N = 1|2");
    REFUSED(lem_jl_min_dim(2.5, 0.5, 0.1, LEM_MIN_DIM_EXACT), "N = 2.5|whole");
    REFUSED(lem_jl_min_dim(10, 1, 0.1, LEM_MIN_DIM_EXACT), "eps = 1");
    REFUSED(lem_jl_min_dim(10, 0.5, 0, LEM_MIN_DIM_EXACT), "delta = 0");
    REFUSED(lem_jl_min_dim(10, 0.5, 91, LEM_MIN_DIM_SU24), "delta = 91|90");
    REFUSED(lem_jl_min_dim(10, 0.5, nan, LEM_MIN_DIM_DG4), "delta = nan");
    REFUSED(lem_jl_min_dim(10, 0.5, 0.1, (lem_min_dim_method)9), "method = 9");
    REFUSED(lem_jl_min_dim(10, 1e-9, 0.1, LEM_MIN_DIM_EXACT), "eps = 1e-09|2^53");
    REFUSED(lem_jl_min_dim_haar(0, 10, 0.5, 0.1), "m = 0");
    REFUSED(lem_jl_min_dim_haar(64, 1, 0.5, 0.1), "N = 1");
    REFUSED(lem_jl_union_bound_log(1, 5, 0.5), "N = 1");
    REFUSED(lem_jl_union_bound_log(10, 0, 0.5), "n = 0");
    REFUSED(lem_cosine_abs_tail(1.5, 0.5), "n = 1.5|>= 2");
    REFUSED(lem_cosine_abs_tail(3, 1.1), "eps = 1.1");
    REFUSED(lem_cosine_abs_tail_log(3, -0.1), "eps = -0.1");
    REFUSED(lem_angle_pdf(1, 1), "n = 1");
    REFUSED(lem_angle_pdf(3, 3.2), "theta = 3.2|pi");
    REFUSED(lem_angle_pdf_log(3, -1), "theta = -1");
    REFUSED(lem_max_cosine_median(10, 1), "N = 1");
    REFUSED(lem_max_cosine_median(1, 10), "n = 1");
    REFUSED(lem_skipgram_entropy_gap(1.9, 1), "n = 1.9");
    REFUSED(lem_skipgram_entropy_gap(3, -1), "beta = -1");
    REFUSED(lem_skipgram_entropy_gap(3, inf), "beta = inf");
    REFUSED(lem_embedding_dim_threshold(1, 1, LEM_ENTROPY_JOINT), "N = 1");
    REFUSED(lem_embedding_dim_threshold(10, 0, LEM_ENTROPY_JOINT), "beta = 0");
    REFUSED(lem_embedding_dim_threshold(2, 100, LEM_ENTROPY_ROW), "beta = 100|no threshold");
    REFUSED(lem_embedding_dim_threshold(10, 1e-9, LEM_ENTROPY_ROW), "beta = 1e-09|2^53");
    REFUSED(lem_embedding_dim_threshold(10, 1, (lem_entropy_mode)5), "mode = 5");
    REFUSED(lem_embedding_dim_coefficient(0), "beta = 0");
    LEM_CHECK_ERROR(lem_simhash_cos_mean_var(0, 1, NULL, NULL), "n = 0|whole");
    LEM_CHECK_ERROR(lem_simhash_cos_mean_var(2.5, 1, NULL, NULL), "n = 2.5|whole");
    LEM_CHECK_ERROR(lem_simhash_cos_mean_var(2, -1, NULL, NULL), "theta = -1");
    REFUSED(lem_simhash_bias(2), "rho = 2");
    REFUSED(lem_projected_cosine_mean(0, 0.5), "n = 0");
    REFUSED(lem_projected_cosine_mean(2, -1.5), "rho = -1.5");
    REFUSED(lem_cosine_estimate_variance((lem_cosine_estimate)8, 2, 0), "kind = 8");
    REFUSED(lem_cosine_estimate_variance(LEM_ESTIMATE_INNER, 0, 0), "n = 0");
    REFUSED(lem_jl_norm_variance(LEM_PROJECTION_GAUSSIAN, 0, 1, 1, 0), "m = 0");
    REFUSED(lem_jl_norm_variance(LEM_PROJECTION_GAUSSIAN, 4, 0.5, 1, 0), "n = 0.5");
    REFUSED(lem_jl_norm_variance(LEM_PROJECTION_GAUSSIAN, 4, 1, 0.2, 0), "q4 = 0.2|0.25");
    REFUSED(lem_jl_norm_variance(LEM_PROJECTION_GAUSSIAN, 4, 1, 1.1, 0), "q4 = 1.1");
    REFUSED(lem_jl_norm_variance(LEM_PROJECTION_SPARSE, 4, 1, 1, 0.5), "s = 0.5");
    REFUSED(lem_jl_norm_variance(LEM_PROJECTION_HAAR, 4, 5, 1, 0), "n = 5|m = 4");
    REFUSED(lem_jl_norm_variance(LEM_PROJECTION_SRHT, 6, 2, 1, 0), "m = 6|power of two");
    REFUSED(lem_jl_norm_variance(LEM_PROJECTION_SRHT, 8, 9, 1, 0), "n = 9|m = 8");
    REFUSED(lem_jl_norm_variance((lem_projection_kind)77, 8, 9, 1, 0), "kind = 77");
    double sigma[5] = {3, 2, 1, 0.5, 0.25}, unsorted[3] = {1, 2, 1}, broken[3] = {1, nan, 1},
           negative[3] = {1, 0, -1};
    REFUSED(lem_rsvd_bound_fro(0, 2, sigma, 5), "k = 0");
    REFUSED(lem_rsvd_bound_fro(2, 1, sigma, 5), "p = 1|>= 2");
    REFUSED(lem_rsvd_bound_spec(2, 4, 0, sigma, 5), "k + p|5");
    REFUSED(lem_rsvd_bound_spec(2, SIZE_MAX, 0, sigma, 5), "k + p|5");
    REFUSED(lem_rsvd_bound_spec(1, 2, 0, unsorted, 3), "sigma[1] = 2|exceed");
    REFUSED(lem_rsvd_bound_fro(1, 2, broken, 3), "sigma[1] = nan|finite");
    REFUSED(lem_rsvd_bound_fro(1, 2, negative, 3), "sigma[2] = -1");
    REFUSED(lem_rsvd_bound_fro(1, 2, NULL, 3), "sigma = NULL");
}

/* --- the registry --- */

extern const lem_formula_table lem_projection_formulas;

static void test_registry(void) {
    for (size_t i = 0; i < lem_projection_formulas.count; i++) {
        const lem_formula *f = &lem_projection_formulas.formulas[i];
        LEM_CHECK(f->doc && f->source && f->claims && f->accuracy_reason && f->eval, "%s is complete",
                  f->name);
        LEM_CHECK(f->accuracy >= EPS && f->accuracy <= 1e-10, "%s: accuracy %g", f->name, f->accuracy);
        for (size_t j = 0; j < i; j++)
            LEM_CHECK(strcmp(f->name, lem_projection_formulas.formulas[j].name) != 0, "%s stands twice",
                      f->name);
        for (const lem_formula_arg *a = f->args; a->name; a++)
            LEM_CHECK(a->domain && a->domain[0], "%s: %s has a domain", f->name, a->name);
    }
}

static const lem_tap_case cases[] = {
    {"norm tails: recurrences, closed forms, libRmath", test_norm_tail_identities},
    {"norm tails: order and edges", test_norm_tail_order},
    {"inner products", test_inner_identities},
    {"dimensions", test_min_dim},
    {"Haar tails", test_haar},
    {"angles", test_angles},
    {"largest cosine", test_max_cosine},
    {"entropy gap", test_gap},
    {"entropy thresholds", test_threshold},
    {"SimHash against binomial sums", test_simhash_sums},
    {"mean of the projected cosine", test_cosine_mean},
    {"variance by family", test_families},
    {"randomized SVD bounds", test_rsvd_bounds},
    {"bad input", test_bad_input},
    {"registry", test_registry},
};
LEM_TAP_MAIN(cases)
