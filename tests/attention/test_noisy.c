/* Noise on the scores of attention: other routes to the same moments, limits, and what is refused. */
#include "attention/gaussian.h"
#include "attention/noisy.h"
#include "attention/quadrature.h"
#include "rng/stream.h"
#include "stat/distribution.h"
#include "stat/gof.h"
#include "stat/moments.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 64 };

static lem_stream stream_for(uint32_t purpose) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 11, lem_stream_id("test_noisy"), purpose, 0) == 0, "%s",
              lem_last_error());
    return stream;
}

/* Scores of spread `sharp`, values of any size and place. */
static void draw(lem_stream *stream, size_t n, double sharp, double *p, double *v) {
    double sum = 0;
    LEM_CHECK(lem_normal_fill(stream, n, p) == 0 && lem_normal_fill(stream, n, v) == 0, "%s",
              lem_last_error());
    for (size_t i = 0; i < n; i++)
        sum += p[i] = exp(sharp * p[i]);
    for (size_t i = 0; i < n; i++)
        p[i] /= sum;
}

static lem_noisy_moments moments(lem_noise noise, size_t n, const double *p, const double *v) {
    lem_noisy_moments m = {NAN, NAN, NAN, NAN};
    lem_noise_table *table = lem_noise_table_alloc(noise);
    LEM_CHECK(table && lem_noisy_attention_moments(table, n, p, v, &m) == 0, "%s", lem_last_error());
    lem_noise_table_free(table);
    return m;
}

/* --- two tokens: q_1 = 1/(1 + e^-(l + e)), l = log p_1/p_2, e the difference of two draws of the noise
 * ------ */

typedef struct {
    lem_noise noise;
    double log_ratio;
    int power; /* of q_1 - p_1; 3: q_1^2 + q_2^2 */
} pair;

static double of_difference(const pair *c, double e) {
    const double p = 1 / (1 + exp(-c->log_ratio)), rest = 1 / (1 + exp(c->log_ratio));
    const double shift = p * rest * expm1(e) / (rest + p * exp(e)); /* q - p, without cancellation */
    const double q = p + shift;
    return c->power == 1 ? shift : c->power == 2 ? shift * shift : 1 - 2 * q * (1 - q);
}

static double integrand(double e, const void *ctx) {
    const pair *c = ctx;
    const double a = c->noise.parameter, f = of_difference(c, e);
    switch (c->noise.kind) {
    case LEM_NOISE_GAUSS:
        return f * exp(-e * e / (4 * a * a)) / (2 * a * sqrt(M_PI));
    case LEM_NOISE_UNIFORM:
        return f * (2 * a - fabs(e)) / (4 * a * a);
    default:
        return f * (1 + fabs(e) / a) * exp(-fabs(e) / a) / (4 * a);
    }
}

/* Beyond e = |l| the shift is bounded. Panels on both sides of 0, where the densities have their kinks. Half
 * widths of at most 1/2 and a third of the law's own scale: the poles of q stand pi off, so that the ellipse
 * of half axes that add up to six half widths is free of them: 6^-32. */
static double two_tokens(lem_noise noise, double log_ratio, int power) {
    const double a = noise.parameter;
    const double reach = noise.kind == LEM_NOISE_UNIFORM
                             ? 2 * a
                             : fabs(log_ratio) + (noise.kind == LEM_NOISE_GAUSS ? 14 * a : 45 * a);
    const size_t panels = (size_t)ceil(fmax(reach, 1.5 * reach / a));
    const pair c = {noise, log_ratio, power};
    return lem_panel_integral(integrand, &c, -reach, 0, panels) +
           lem_panel_integral(integrand, &c, 0, reach, panels);
}

/* The library states 1e-12. */
static void two_tokens_are_a_line_integral(void) {
    static const lem_noise laws[] = {
        {LEM_NOISE_GAUSS, 0.05},  {LEM_NOISE_GAUSS, 0.7},   {LEM_NOISE_GAUSS, 3},
        {LEM_NOISE_GAUSS, 8},     {LEM_NOISE_UNIFORM, 0.1}, {LEM_NOISE_UNIFORM, 2.5},
        {LEM_NOISE_UNIFORM, 20},  {LEM_NOISE_LAPLACE, 0.1}, {LEM_NOISE_LAPLACE, 0.49},
        {LEM_NOISE_LAPLACE, 0.9}, {LEM_NOISE_LAPLACE, 1},   {LEM_NOISE_LAPLACE, 2}};
    static const double ratios[] = {0, 1, -4, 25, 60};
    const double v[] = {1, 0};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        lem_noise_table *table = lem_noise_table_alloc(laws[i]);
        for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
            if (laws[i].kind == LEM_NOISE_LAPLACE && laws[i].parameter > 0.5 && ratios[r] > 40)
                continue; /* beyond what the header promises */
            const double p[] = {1 / (1 + exp(-ratios[r])), 1 / (1 + exp(ratios[r]))};
            lem_noisy_moments m;
            LEM_CHECK(table && lem_noisy_attention_moments(table, 2, p, v, &m) == 0, "%s", lem_last_error());
            const double bias = two_tokens(laws[i], ratios[r], 1), mse = two_tokens(laws[i], ratios[r], 2);
            LEM_CHECK_NEAR(m.bias, bias, 1e-12 * sqrt(mse));
            LEM_CHECK_NEAR(m.mse, mse, 2e-12 * mse);
            LEM_CHECK_NEAR(m.sum_squares, two_tokens(laws[i], ratios[r], 3), 1e-12);
            LEM_CHECK_NEAR(m.norm, 1, 1e-12);
        }
        lem_noise_table_free(table);
    }
}

/* Noise that hardly is there: q - p = p (e - sum p e) to first order, so the mean square is s^2 sum p^2 u^2
 * and the bias -s^2 sum p^2 u, s^2 the variance of the noise, both to a relative s^2, and the bias to
 * rounding of the root of the mean square. */
static void little_noise(void) {
    const double p[] = {0.5, 0.3, 0.2}, v[] = {1, -2, 0.5};
    double o = 0, square = 0, bias = 0;
    for (int i = 0; i < 3; i++)
        o += p[i] * v[i];
    for (int i = 0; i < 3; i++)
        square += p[i] * p[i] * (v[i] - o) * (v[i] - o), bias -= p[i] * p[i] * (v[i] - o);
    for (double a = 1e-7; a > (lem_tap_effort() < 0.1 ? 1e-14 : 1e-145); a *= 1e-3) {
        const lem_noise laws[] = {{LEM_NOISE_GAUSS, a}, {LEM_NOISE_UNIFORM, a}, {LEM_NOISE_LAPLACE, a}};
        const double variance[] = {a * a, a * a / 3, 2 * a * a};
        for (int k = 0; k < 3; k++) {
            const lem_noisy_moments m = moments(laws[k], 3, p, v);
            const double mse = variance[k] * square;
            LEM_CHECK_NEAR(m.mse / mse, 1, 1e-12);
            LEM_CHECK_NEAR(m.bias / sqrt(mse), variance[k] * bias / sqrt(mse), 1e-15);
            LEM_CHECK_NEAR(m.norm, 1, 1e-13);
        }
    }
    for (int k = 0; k < 3; k++) {
        const lem_noisy_moments m = moments((lem_noise){(lem_noise_kind)k, 1e-310}, 3, p, v);
        LEM_CHECK(m.mse == 0 && fabs(m.bias) < 1e-300, "nothing: %g, %g", m.mse, m.bias);
    }
}

/* --- dropout: all 2^n cases --------------------------------------------------------------------------------
 */

static void dropout_is_a_finite_sum(void) {
    lem_stream stream = stream_for(1);
    for (int round = 0; round < 20 * lem_tap_effort() + 1; round++) {
        double p[MOST], v[MOST], bias = 0, mse = 0, squares = 0;
        const size_t n = 1 + lem_integer(&stream, 9);
        const double r = round % 5 == 0 ? 0.97 : lem_uniform(&stream), sharp = round % 4 * 3.0;
        draw(&stream, n, sharp, p, v);
        double o = 0;
        for (size_t i = 0; i < n; i++)
            o += p[i] * v[i];
        for (unsigned set = 1; set < 1U << n; set++) {
            double weight = 1, sum = 0, sum_v = 0, sum_squares = 0;
            for (size_t i = 0; i < n; i++) {
                const int kept = set >> i & 1;
                weight *= kept ? 1 - r : r;
                sum += kept * p[i], sum_v += kept * p[i] * v[i], sum_squares += kept * p[i] * p[i];
            }
            const double change = sum_v / sum - o;
            bias += weight * change, mse += weight * change * change;
            squares += weight * sum_squares / (sum * sum);
        }
        const double some = -expm1((double)n * log(r));
        const lem_noisy_moments m = moments((lem_noise){LEM_NOISE_DROPOUT, r}, n, p, v);
        LEM_CHECK_NEAR(m.bias, bias / some, 1e-12 * (1 + fabs(o)));
        LEM_CHECK_NEAR(m.mse, mse / some, 1e-11 * mse / some + 1e-25);
        LEM_CHECK_NEAR(m.sum_squares, squares / some, 1e-12);
    }
}

/* --- more tokens -------------------------------------------------------------------------------------------
 */

/* Equal tokens: their weights are a softmax over the noise, and the error is the variance of v among them:
 * E (sum (q_i - 1/n) v_i)^2 = s^2 (E sum q^2 - 1/n), s^2 = sum (v_i - o)^2/(n - 1). */
static void equal_tokens(void) {
    static const double sigmas[] = {0.01, 0.5, 1, 4};
    lem_stream stream = stream_for(2);
    double p[MOST], v[MOST], o = 0, square = 0;
    draw(&stream, MOST, 0, p, v);
    for (size_t i = 0; i < MOST; i++)
        o += v[i] / MOST;
    for (size_t i = 0; i < MOST; i++)
        square += (v[i] - o) * (v[i] - o) / (MOST - 1);
    for (size_t k = 0; k < sizeof sigmas / sizeof *sigmas; k++) {
        const lem_noisy_moments m = moments((lem_noise){LEM_NOISE_GAUSS, sigmas[k]}, MOST, p, v);
        const double squares = lem_softmax_gaussian_sum_squares(MOST, sigmas[k]);
        LEM_CHECK_NEAR(m.sum_squares, squares, 2e-12 * squares);
        LEM_CHECK_NEAR(m.mse, square * (squares - 1. / MOST), 4e-12 * square * squares);
        LEM_CHECK_NEAR(m.bias, 0, 1e-14);
    }
}

/* Three tokens, Gaussian: a trapezoidal rule in three dimensions, step 0.35; the poles of q stand at least
 * pi/2 off in each sigma g, sigma = 1: exp(-2 pi (pi/2)/0.35) = 6e-13 is its error, relative to a few. */
static void three_tokens_are_a_triple_sum(void) {
    lem_stream stream = stream_for(3);
    double p[3], v[3], bias = 0, mse = 0;
    const double step = 0.35;
    draw(&stream, 3, 1, p, v);
    const double o = p[0] * v[0] + p[1] * v[1] + p[2] * v[2];
    for (int a = -26; a <= 26; a++)
        for (int b = -26; b <= 26; b++)
            for (int c = -26; c <= 26; c++) {
                const double g[] = {step * a, step * b, step * c};
                const double w[] = {p[0] * exp(g[0]), p[1] * exp(g[1]), p[2] * exp(g[2])};
                const double change = (w[0] * v[0] + w[1] * v[1] + w[2] * v[2]) / (w[0] + w[1] + w[2]) - o;
                const double weight = exp(-(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / 2);
                bias += weight * change, mse += weight * change * change;
            }
    const double unit = pow(step / sqrt(2 * M_PI), 3);
    LEM_CHECK_NEAR(lem_noisy_attention_bias(3, p, v, 1), unit * bias, 1e-11);
    LEM_CHECK_NEAR(lem_noisy_attention_mse(3, p, v, 1), unit * mse, 1e-11);
}

/* Values count up to a shift, their scale, and the order of tokens; p up to a factor within 1e-9; tokens of
 * no weight not at all. Rounding: n terms of relative error 1e-16 each, times the size of the values. */
static void invariances(void) {
    lem_stream stream = stream_for(4);
    static const lem_noise laws[] = {
        {LEM_NOISE_GAUSS, 1}, {LEM_NOISE_UNIFORM, 2}, {LEM_NOISE_LAPLACE, 0.6}, {LEM_NOISE_DROPOUT, 0.3}};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        double p[MOST], v[MOST], p2[MOST + 1], v2[MOST + 1];
        draw(&stream, MOST, 2, p, v);
        for (size_t i = 0; i < MOST; i++)
            p2[MOST - 1 - i] = p[i] * (1 + 5e-10), v2[MOST - 1 - i] = 100 - 3 * v[i];
        p2[MOST] = 0, v2[MOST] = 1e9;
        const lem_noisy_moments a = moments(laws[k], MOST, p, v), b = moments(laws[k], MOST + 1, p2, v2);
        LEM_CHECK_NEAR(b.mse, 9 * a.mse, 1e-11 * b.mse);
        LEM_CHECK_NEAR(b.bias, -3 * a.bias, 1e-11 * sqrt(b.mse));
        for (size_t i = 0; i < MOST; i++)
            v[i] = 5;
        const lem_noisy_moments same = moments(laws[k], MOST, p, v);
        LEM_CHECK(fabs(same.bias) < 1e-15 && same.mse < 1e-28, "equal values: %g, %g", same.bias, same.mse);
    }
}

/* The law to leading order, and its correction: what is left is of second order in 1/N; measured over 40
 * draws at N near 400 it stays below a third of the correction; a correction of the wrong sign would leave
 * twice it. */
static void leading_order(void) {
    lem_stream stream = stream_for(5);
    static const lem_noise laws[] = {{LEM_NOISE_GAUSS, 0.5},   {LEM_NOISE_UNIFORM, 1},
                                     {LEM_NOISE_UNIFORM, 0.1}, {LEM_NOISE_LAPLACE, 0.1},
                                     {LEM_NOISE_DROPOUT, 0.1}, {LEM_NOISE_DROPOUT, 0.8}};
    enum { N = 1024 };
    static double p[N], v[N];
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        draw(&stream, N, 1, p, v);
        lem_noisy_delta d;
        LEM_CHECK(lem_noisy_attention_delta(laws[k], N, p, v, &d) == 0, "%s", lem_last_error());
        const lem_noisy_moments m = moments(laws[k], N, p, v);
        const double off = m.mse / d.mse - 1;
        LEM_CHECK(fabs(off - d.correction) < fabs(d.correction) / 3 + 1e-4,
                  "law %zu: off by %g, correction %g", k, off, d.correction);
        LEM_CHECK(fabs(m.bias / d.bias - 1) < 0.2, "law %zu: bias %g, law %g", k, m.bias, d.bias);
        double squares = 0;
        for (size_t i = 0; i < N; i++)
            squares += p[i] * p[i];
        LEM_CHECK_NEAR(d.participation, 1 / squares, 1e-12 / squares);
    }
}

/* The correction at sizes of uniform noise where terms of mu3 would overflow or vanish. mu3/nu = nu + (h^2/3
 * - nu)/nu is 2 h^2/5 to a relative h^2 for small h, and 4 h/3 - 5/3 to 1/h for large h. Two equal tokens:
 * sum p^3 u^2/sum p^2 u^2 = 1/2, sum p^2 u = 0. */
static void correction_at_the_ends(void) {
    const double p[] = {0.5, 0.5}, v[] = {1, 0};
    static const double small[] = {1e-3, 1e-100, 1e-170}, large[] = {1e4, 1e100, 1e200};
    lem_noisy_delta d;
    for (int i = 0; i < 3; i++) {
        const double s = small[i] * small[i], h = large[i];
        LEM_CHECK(lem_noisy_attention_delta((lem_noise){LEM_NOISE_UNIFORM, small[i]}, 2, p, v, &d) == 0, "%s",
                  lem_last_error());
        LEM_CHECK_NEAR(d.correction, d.mse > 0 ? s / 2 - 0.4 * s : 0, s * s + 1e-300);
        LEM_CHECK(lem_noisy_attention_delta((lem_noise){LEM_NOISE_UNIFORM, h}, 2, p, v, &d) == 0, "%s",
                  lem_last_error());
        LEM_CHECK_NEAR(d.correction / (1.5 * (h - 1) - (4 * h - 5) / 3), 1, 10 / h / h + 1e-14);
    }
    const double below = nextafter(0.3, 0);
    double at[2];
    for (int i = 0; i < 2; i++) {
        LEM_CHECK(lem_noisy_attention_delta((lem_noise){LEM_NOISE_UNIFORM, i ? 0.3 : below}, 2, p, v, &d) ==
                      0,
                  "%s", lem_last_error());
        at[i] = d.correction;
    }
    LEM_CHECK_NEAR(at[0] / at[1], 1, 1e-6); /* of h^8 0.1 that is left out */
}

/* mu3/nu from the moments M(k) = E W^k of W: two equal tokens have the correction 3 nu/2 - mu3/nu. */
static void third_moments(void) {
    static const lem_noise laws[] = {{LEM_NOISE_GAUSS, 1},     {LEM_NOISE_UNIFORM, 1},
                                     {LEM_NOISE_UNIFORM, 6},   {LEM_NOISE_LAPLACE, 0.2},
                                     {LEM_NOISE_LAPLACE, 0.3}, {LEM_NOISE_DROPOUT, 0.3}};
    const double p[] = {0.5, 0.5}, v[] = {1, 0};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        const double a = laws[i].parameter;
        double m[4] = {1};
        for (int k = 1; k <= 3; k++)
            m[k] = laws[i].kind == LEM_NOISE_GAUSS     ? exp(k * k * a * a / 2)
                   : laws[i].kind == LEM_NOISE_UNIFORM ? sinh(k * a) / (k * a)
                   : laws[i].kind == LEM_NOISE_LAPLACE ? 1 / (1 - k * k * a * a)
                                                       : 1 - a;
        const double nu = m[2] / m[1] / m[1] - 1, mu3 = m[3] / pow(m[1], 3) - 3 * nu - 1;
        lem_noisy_delta d;
        LEM_CHECK(lem_noisy_attention_delta(laws[i], 2, p, v, &d) == 0, "%s", lem_last_error());
        LEM_CHECK_NEAR(1.5 * nu - d.correction, mu3 / nu, 1e-12 * (1 + mu3 / nu));
    }
}

/* Little Gaussian noise on a few tokens that are not equal: what the correction leaves out is of second order
 * in nu, the correction of first. */
static void correction_to_first_order(void) {
    const double p[] = {0.6, 0.3, 0.1}, v[] = {1, 0, -1};
    const lem_noise little = {LEM_NOISE_GAUSS, 0.01};
    const lem_noisy_moments m = moments(little, 3, p, v);
    lem_noisy_delta d;
    LEM_CHECK(lem_noisy_attention_delta(little, 3, p, v, &d) == 0, "%s", lem_last_error());
    LEM_CHECK(fabs(d.correction) > 1e-5, "too small to be seen: %g", d.correction);
    LEM_CHECK_NEAR(m.mse / d.mse - 1, d.correction, 20 * 1e-8);
}

/* --- factors, samples, the tie, the bound ------------------------------------------------------------------
 */

/* The factor against the moments of a sample, 6 standard errors of (W/E W - 1)^2 (false alarm 2e-9). */
static void factors_of_samples(void) {
    static const lem_noise laws[] = {{LEM_NOISE_GAUSS, 0.3},
                                     {LEM_NOISE_UNIFORM, 0.5},
                                     {LEM_NOISE_UNIFORM, 3},
                                     {LEM_NOISE_LAPLACE, 0.1},
                                     {LEM_NOISE_DROPOUT, 0.25}};
    const double means[] = {exp(0.045), sinh(0.5) / 0.5, sinh(3) / 3, 1 / 0.99, 0.75};
    enum { DRAWS = 40000 };
    double *noise = malloc(DRAWS * sizeof *noise);
    lem_stream stream = stream_for(6);
    for (size_t k = 0; noise && k < sizeof laws / sizeof *laws; k++) {
        lem_moments square;
        lem_moments_init(&square);
        LEM_CHECK(lem_noise_fill(laws[k], &stream, DRAWS, noise) == 0, "%s", lem_last_error());
        for (size_t i = 0; i < DRAWS; i++)
            lem_moments_add(&square, pow(exp(noise[i]) / means[k] - 1, 2));
        LEM_CHECK_NEAR(lem_moments_mean(&square), lem_noise_factor(laws[k]), 6 * lem_moments_stderr(&square));
    }
    free(noise);
}

static double law_of_noise(double x, const void *ctx) {
    const lem_noise *noise = ctx;
    const double a = noise->parameter;
    switch (noise->kind) {
    case LEM_NOISE_GAUSS:
        return lem_normal_cdf(x / a, LEM_LOWER);
    case LEM_NOISE_UNIFORM:
        return (x / a + 1) / 2;
    case LEM_NOISE_LAPLACE:
        return x < 0 ? exp(x / a) / 2 : 1 - exp(-x / a) / 2;
    case LEM_NOISE_STUDENT:
        return lem_t_cdf(x, a, LEM_LOWER);
    default:
        return 0.5 + atan(x / a) / M_PI;
    }
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov-Smirnov at a false alarm of 1e-9 a law: 0.023 at this size, where t_1 and t_2 are 0.056 apart,
 * the Cauchy law and that of twice its scale 0.1. */
static void laws_of_samples(void) {
    static const lem_noise laws[] = {{LEM_NOISE_GAUSS, 0.7},   {LEM_NOISE_UNIFORM, 1.5},
                                     {LEM_NOISE_LAPLACE, 0.4}, {LEM_NOISE_STUDENT, 1},
                                     {LEM_NOISE_STUDENT, 3},   {LEM_NOISE_CAUCHY, 2}};
    enum { DRAWS = 20000 };
    static double noise[DRAWS];
    lem_stream stream = stream_for(8);
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        double distance;
        LEM_CHECK(lem_noise_fill(laws[k], &stream, DRAWS, noise) == 0, "%s", lem_last_error());
        qsort(noise, DRAWS, sizeof *noise, ascending);
        LEM_CHECK(lem_ks_distance(DRAWS, noise, law_of_noise, &laws[k], &distance) == 0, "%s",
                  lem_last_error());
        LEM_CHECK(distance < lem_ks_critical(DRAWS, 1e-9), "law %zu: %g", k, distance);
    }
}

static void factors_at_their_ends(void) {
    LEM_CHECK(isinf(lem_noise_factor_laplace(0.5)) && isinf(lem_noise_factor_laplace(7)), "no second moment");
    LEM_CHECK(isinf(lem_noise_factor((lem_noise){LEM_NOISE_STUDENT, 3})), "Student");
    LEM_CHECK(lem_noise_factor_gauss(0) == 0 && lem_noise_factor_uniform(0) == 0, "no noise");
    LEM_CHECK(lem_noise_factor_dropout(0) == 0 && lem_noise_factor_laplace(0) == 0, "no noise");
    LEM_CHECK_NEAR(lem_noise_factor_uniform(1e-150), 1e-300 / 3, 1e-315);
    LEM_CHECK(lem_noise_factor_uniform(1e300) == 1e300, "h - 1");
    /* both sides of the change of method: h coth h loses a digit at most there */
    LEM_CHECK_NEAR(lem_noise_factor_uniform(nextafter(2, 0)), lem_noise_factor_uniform(2), 8 * DBL_EPSILON);
    LEM_CHECK_NEAR(lem_noise_factor_laplace(0.4999999), 0.25 * 2.25 / (2e-7 * 2), 2e-6 * 1.4e6);
}

static void the_tie(void) {
    const double p[] = {0.5, 0.5}, v[] = {1, 0};
    static const double sigmas[] = {0.03, 0.4, 0.999, 1.001, 2.7, 8};
    for (size_t i = 0; i < sizeof sigmas / sizeof *sigmas; i++) {
        const double tie = lem_tie_mse_gauss(sigmas[i]);
        LEM_CHECK_NEAR(lem_noisy_attention_mse(2, p, v, sigmas[i]), tie, 2e-12 * tie);
    }
    LEM_CHECK(lem_tie_mse_gauss(0) == 0 && lem_tie_mse_gauss(INFINITY) == 0.25, "ends");
    /* 1/4 - 1/(2 sigma sqrt pi) (1 - pi^2/(12 sigma^2) ...) */
    LEM_CHECK_NEAR(lem_tie_mse_gauss(1e6), 0.25 - 0.5e-6 / sqrt(M_PI), 1e-15);
    LEM_CHECK_NEAR(lem_tie_mse_gauss(1e-9), 1.25e-19, 1e-33);
}

static void the_bound(void) {
    LEM_CHECK(lem_tv_bound_bounded_noise(0) == 0 && lem_tv_bound_bounded_noise(INFINITY) == 1, "ends");
    LEM_CHECK_NEAR(lem_tv_bound_bounded_noise(1), 0.46211715726000975850, 2 * DBL_EPSILON);
}

static int failed(double value) {
    return isnan(value) ? GSL_EDOM : 0;
}

static int no_table(lem_noise_kind kind, double parameter) {
    lem_noise_table *table = lem_noise_table_alloc((lem_noise){kind, parameter});
    const int refused = table == NULL;
    lem_noise_table_free(table);
    return refused ? GSL_EDOM : 0;
}

static void bad_laws(void) {
    static const double negative[] = {-1e-9, NAN, INFINITY};
    for (size_t i = 0; i < 3; i++) {
        const double x = negative[i];
        LEM_CHECK_ERROR(failed(lem_noise_factor_gauss(x)), "sigma = |<= 26");
        LEM_CHECK_ERROR(failed(lem_noise_factor_uniform(x)), "h = |finite");
        LEM_CHECK_ERROR(failed(lem_noise_factor_laplace(x)), "b = |finite");
        LEM_CHECK_ERROR(failed(lem_noise_factor_dropout(x)), "r = |< 1");
        LEM_CHECK_ERROR(no_table(LEM_NOISE_GAUSS, x), "sigma = ");
        LEM_CHECK_ERROR(no_table(LEM_NOISE_UNIFORM, x), "h = ");
        LEM_CHECK_ERROR(no_table(LEM_NOISE_LAPLACE, x), "b = |positive");
        LEM_CHECK_ERROR(no_table(LEM_NOISE_DROPOUT, x), "r = ");
        LEM_CHECK_ERROR(no_table(LEM_NOISE_CAUCHY, x), "scale = |positive");
        LEM_CHECK_ERROR(failed(lem_noise_factor((lem_noise){LEM_NOISE_GAUSS, x})), "sigma = ");
    }
    LEM_CHECK_ERROR(failed(lem_noise_factor_dropout(1)), "r = 1|< 1");
    LEM_CHECK_ERROR(failed(lem_noise_factor_gauss(26.5)), "sigma = 26.5");
    LEM_CHECK_ERROR(no_table(LEM_NOISE_GAUSS, 8.5), "sigma = 8.5|<= 8");
    LEM_CHECK_ERROR(no_table(LEM_NOISE_UNIFORM, 21), "h = 21|<= 20");
    LEM_CHECK_ERROR(no_table(LEM_NOISE_LAPLACE, 2.1), "b = 2.1|<= 2");
    LEM_CHECK_ERROR(no_table(LEM_NOISE_STUDENT, 3), "exact moments");
    LEM_CHECK_ERROR(no_table(LEM_NOISE_STUDENT, 2.5), "df = 2.5|whole number");
    LEM_CHECK_ERROR(no_table((lem_noise_kind)17, 1), "kind = 17");
    LEM_CHECK_ERROR(failed(lem_tie_mse_gauss(-1)), "sigma = -1");
    LEM_CHECK_ERROR(failed(lem_tv_bound_bounded_noise(-1)), "h = -1");
    double out;
    lem_stream stream = stream_for(7);
    LEM_CHECK_ERROR(lem_noise_fill((lem_noise){LEM_NOISE_DROPOUT, 1}, &stream, 1, &out), "r = 1");
}

static void bad_tokens(void) {
    const double p[] = {0.5, 0.5}, v[] = {1, 0}, short_p[] = {0.5, 0.499}, negative[] = {1.5, -0.5},
                 bad[] = {1, NAN};
    lem_noise_table *table = lem_noise_table_alloc((lem_noise){LEM_NOISE_GAUSS, 1});
    lem_noisy_moments m;
    lem_noisy_delta d;
    const lem_noise gauss = {LEM_NOISE_GAUSS, 1};
    LEM_CHECK_ERROR(lem_noisy_attention_moments(NULL, 2, p, v, &m), "table");
    LEM_CHECK_ERROR(lem_noisy_attention_moments(table, 2, NULL, v, &m), "null");
    LEM_CHECK_ERROR(lem_noisy_attention_moments(table, 2, p, v, NULL), "null");
    LEM_CHECK_ERROR(lem_noisy_attention_moments(table, 0, p, v, &m), "n = 0");
    LEM_CHECK_ERROR(lem_noisy_attention_moments(table, 2, short_p, v, &m), "sums to 0.999|within 1e-9");
    LEM_CHECK_ERROR(lem_noisy_attention_moments(table, 2, negative, v, &m), "p[1] = -0.5");
    LEM_CHECK_ERROR(lem_noisy_attention_moments(table, 2, bad, v, &m), "p[1] = ");
    LEM_CHECK_ERROR(lem_noisy_attention_moments(table, 2, p, bad, &m), "v[1] = |finite");
    LEM_CHECK_ERROR(failed(lem_noisy_attention_mse(2, p, v, 9)), "sigma = 9");
    LEM_CHECK_ERROR(failed(lem_noisy_attention_bias(2, short_p, v, 1)), "sums to");
    LEM_CHECK_ERROR(lem_noisy_attention_delta(gauss, 2, short_p, v, &d), "sums to");
    LEM_CHECK_ERROR(lem_noisy_attention_delta((lem_noise){LEM_NOISE_LAPLACE, 0.34}, 2, p, v, &d),
                    "third moment");
    LEM_CHECK_ERROR(lem_noisy_attention_delta((lem_noise){LEM_NOISE_CAUCHY, 1}, 2, p, v, &d), "third moment");
    LEM_CHECK_ERROR(lem_noisy_attention_delta((lem_noise){LEM_NOISE_GAUSS, 8.5}, 2, p, v, &d),
                    "sigma = 8.5|<= 8");
    const double huge[] = {1e200, 0}, opposite[] = {1.7e308, -1.7e308};
    LEM_CHECK_ERROR(lem_noisy_attention_moments(table, 2, p, huge, &m), "v: |mean square");
    LEM_CHECK_ERROR(lem_noisy_attention_moments(table, 2, p, opposite, &m), "v: |mean square");
    LEM_CHECK_ERROR(lem_noisy_attention_delta(gauss, 2, p, huge, &d), "v: |mean square");
    lem_noise_table_free(table);
    lem_noise_table_free(NULL);
}

static const lem_tap_case cases[] = {
    {"two tokens are a line integral", two_tokens_are_a_line_integral},
    {"little noise", little_noise},
    {"dropout is a finite sum", dropout_is_a_finite_sum},
    {"equal tokens are a softmax over the noise", equal_tokens},
    {"three tokens are a triple sum", three_tokens_are_a_triple_sum},
    {"invariances", invariances},
    {"the leading order and its correction", leading_order},
    {"the correction at the ends of uniform noise", correction_at_the_ends},
    {"third moments", third_moments},
    {"the correction to first order", correction_to_first_order},
    {"noise factors of samples", factors_of_samples},
    {"laws of samples", laws_of_samples},
    {"noise factors at their ends", factors_at_their_ends},
    {"two equal tokens", the_tie},
    {"the bound for bounded noise", the_bound},
    {"laws out of their range are refused by name", bad_laws},
    {"bad tokens are refused by name", bad_tokens},
};

LEM_TAP_MAIN(cases)
