/* Distribution functions and quantiles: the traps first, then identities between them on random parameters.
 */
#include "rng/stream.h"
#include "stat/distribution.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const lem_tail tails[] = {LEM_LOWER, LEM_UPPER, LEM_LOWER_LOG, LEM_UPPER_LOG};

static void check_value(double value, double exact, double relative) {
    LEM_CHECK_NEAR(value, exact, relative * fabs(exact));
}

/* Exact values from power series with 60 digits (mpmath). The tolerance of quantiles is the promised 2^-33.
 */
static void test_values(void) {
    double closed = 0x1p-33;
    /* Where GSL 2.7.1 answers 29959, and NaN. */
    check_value(lem_chisq_quantile(0.025, 22541, LEM_UPPER), 22959.040842862701018, closed);
    check_value(lem_chisq_quantile(0.025, 22541, LEM_LOWER), 22126.74774472832719, closed);
    check_value(lem_beta_cdf(0.5, 1e6, 1e6, LEM_LOWER), 0.5, 1e-12);
    check_value(lem_beta_quantile(0.5, 1e6, 1e6, LEM_LOWER), 0.5, closed);
    /* Where libRmath's own qf takes the limit df2 -> infinity, and its qt is off by 1e-4. */
    check_value(lem_f_quantile(1e-6, 7, 1e6, LEM_UPPER), 5.7889358495230006261, closed);
    check_value(lem_t_quantile(1e-10, 0.86, LEM_UPPER), 109571089709.57732593, closed);

    check_value(lem_normal_cdf(10, LEM_UPPER), 7.619853024160526066e-24, 1e-13);
    check_value(lem_normal_cdf(1000, LEM_UPPER_LOG), -500007.82669481218431, 1e-14);
    check_value(lem_normal_quantile(1e-9, LEM_UPPER), 5.9978070150076868614, closed);
    check_value(lem_normal_quantile(-1e6, LEM_UPPER_LOG), 1414.207782991017327, closed);
    check_value(lem_t_quantile(1e-9, 3, LEM_UPPER), 1033.109674503807708, closed);
    check_value(lem_t_quantile(0.0005, 9, LEM_UPPER), 4.7809125859311390514, closed);
    check_value(lem_t_quantile(1e-6, 1e6, LEM_UPPER), 4.7534523482796808065, closed);
    check_value(lem_chisq_quantile(1e-9, 5, LEM_UPPER), 50.692193701543032012, closed);
    check_value(lem_chisq_quantile(1e-9, 5, LEM_LOWER), 0.00081228956566565409862, closed);
    check_value(lem_chisq_quantile(1e-6, 1e6, LEM_UPPER), 1006736.7596362905558, closed);
    check_value(lem_chisq_cdf(150, 30, LEM_UPPER), 6.7069525239379611677e-18, 1e-12);
    check_value(lem_beta_quantile(1e-9, 3, 1e6, LEM_LOWER), 1.8179447804303782469e-9, closed);
    check_value(lem_beta_quantile(1e-6, 1000, 2000, LEM_LOWER), 0.29329118462873590261, closed);
    check_value(lem_beta_cdf(0.49, 1e6, 1e6, LEM_LOWER), 2.490453657610394275e-176, 1e-9);
    check_value(lem_beta_cdf(0.499, 1e6, 1e6, LEM_LOWER), 0.0023388494069315047502, 1e-10);
    check_value(lem_f_quantile(1e-3, 12, 5, LEM_LOWER), 0.11245925760341552929, closed);
    check_value(lem_gamma_quantile(1e-3, 0.3, 2, LEM_LOWER), 1.394539819356668932e-10, closed);
    /* Where libRmath's own pbeta is off by 4 %. */
    check_value(lem_beta_cdf(0.99967187704771565, 2266331.7620976404, 19.370809040913279, LEM_LOWER_LOG),
                -659.75402435913002, 1e-11);
    check_value(lem_beta_cdf(0.99967187704771565, 2266331.7620976404, 19.370809040913279, LEM_LOWER),
                2.96802672653296e-287, 1e-10);
    check_value(lem_binomial_cdf(20, 100, 0.05, LEM_UPPER), 2.0810607711067081312e-8, 1e-12);
}

static lem_stream stream_for(const char *purpose) {
    lem_stream stream;
    LEM_CHECK(lem_stream_init(&stream, 20260103, lem_stream_id("test-distribution"), lem_stream_id(purpose),
                              0) == 0,
              "%s", lem_last_error());
    return stream;
}

static double log_uniform(lem_stream *stream, double low, double high) {
    return exp(log(low) + (log(high) - log(low)) * lem_uniform(stream));
}

/* Random probabilities crowd both ends of (0, 1). */
static double random_probability(lem_stream *stream, lem_tail tail) {
    double p = lem_uniform(stream) < 0.5 ? log_uniform(stream, 1e-15, 0.5) : lem_uniform(stream);
    p = fmin(fmax(p, 1e-300), 1 - 1e-15);
    if (tail == LEM_LOWER || tail == LEM_UPPER)
        return p;
    return lem_uniform(stream) < 0.3 ? -log_uniform(stream, 1, 1e5) : log(p);
}

typedef struct {
    const char *name;
    int parameters;
    double low, high; /* of the parameters */
    double (*cdf)(double x, const double *a, lem_tail tail);
    double (*quantile)(double p, const double *a, lem_tail tail);
} family;

static double normal_p(double x, const double *a, lem_tail t) {
    (void)a;
    return lem_normal_cdf(x, t);
}
static double normal_q(double p, const double *a, lem_tail t) {
    (void)a;
    return lem_normal_quantile(p, t);
}
#define ONE(name)                                                                                            \
    static double name##_p(double x, const double *a, lem_tail t) {                                          \
        return lem_##name##_cdf(x, a[0], t);                                                                 \
    }                                                                                                        \
    static double name##_q(double p, const double *a, lem_tail t) {                                          \
        return lem_##name##_quantile(p, a[0], t);                                                            \
    }
#define TWO(name)                                                                                            \
    static double name##_p(double x, const double *a, lem_tail t) {                                          \
        return lem_##name##_cdf(x, a[0], a[1], t);                                                           \
    }                                                                                                        \
    static double name##_q(double p, const double *a, lem_tail t) {                                          \
        return lem_##name##_quantile(p, a[0], a[1], t);                                                      \
    }
ONE(t)
ONE(chisq)
TWO(f)
TWO(beta)
TWO(gamma)

static const family families[] = {
    {"normal", 0, 1, 1, normal_p, normal_q},  {"t", 1, 0.5, 1e8, t_p, t_q},
    {"chisq", 1, 0.5, 1e8, chisq_p, chisq_q}, {"f", 2, 0.5, 1e7, f_p, f_q},
    {"beta", 2, 0.5, 1e7, beta_p, beta_q},    {"gamma", 2, 0.5, 1e7, gamma_p, gamma_q},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* libRmath warns on stdout; nothing of it may reach a user of ours. */
static int out_copy = -1;
static FILE *caught;

static void catch_stdout(void) {
    (void)fflush(stdout);
    out_copy = dup(STDOUT_FILENO);
    caught = tmpfile();
    LEM_CHECK(out_copy >= 0 && caught && dup2(fileno(caught), STDOUT_FILENO) >= 0, "cannot redirect");
}

static void check_nothing_was_printed(void) {
    (void)fflush(stdout);
    (void)dup2(out_copy, STDOUT_FILENO);
    (void)close(out_copy);
    char line[200] = "";
    rewind(caught);
    LEM_CHECK(fgets(line, sizeof line, caught) == NULL, "printed: %s", line);
    (void)fclose(caught);
}

/* The quantile passes p between its two neighbours at 1e-9, and does not return another tail's. A quantile
 * that under- or overflows must say so. */
static void test_quantiles_close(void) {
    lem_stream stream = stream_for("close");
    size_t rounds = (size_t)ceil(400 * lem_tap_effort());
    size_t refused = 0, asked = 0;
    catch_stdout();
    for (size_t r = 0; r < rounds; r++)
        for (size_t f = 0; f < FAMILIES; f++)
            for (int t = 0; t < 4; t++) {
                double a[2] = {log_uniform(&stream, families[f].low, families[f].high),
                               log_uniform(&stream, families[f].low, families[f].high)};
                double p = random_probability(&stream, tails[t]);
                double q = families[f].quantile(p, a, tails[t]);
                asked++;
                if (isnan(q)) {
                    refused++;
                    LEM_CHECK(strstr(lem_last_error(), "quantile at") != NULL, "\"%s\"", lem_last_error());
                    continue;
                }
                bool logarithm = t >= 2;
                double sign = t % 2 == 0 ? 1 : -1, slack = logarithm ? 1e-9 * fmin(1, -p) + 1e-14 * fabs(p)
                                                                     : 1e-9 * fmin(p, 1 - p) + 1e-14 * p;
                double high = families[f].name[0] == 'b' ? fmin(1, q + 1e-9 * fabs(q)) : q + 1e-9 * fabs(q);
                double below = families[f].cdf(q - 1e-9 * fabs(q), a, tails[t]);
                double above = families[f].cdf(high, a, tails[t]);
                LEM_CHECK(sign * (below - p) <= slack && sign * (above - p) >= -slack,
                          "%s(%.17g, %.17g) tail %d p %.17g: q = %.17g, between %.17g and %.17g",
                          families[f].name, a[0], a[1], t, p, q, below, above);
            }
    check_nothing_was_printed();
    /* Only values beyond the range of a double (log p down to -1e5) may be refused. */
    LEM_CHECK(refused < asked / 10, "%zu of %zu refused", refused, asked);
    lem_tap_diag("%zu of %zu quantiles beyond the range of a double", refused, asked);
}

/* The two tails add up to one, and a logarithm is the logarithm. */
static void test_tails_agree(void) {
    lem_stream stream = stream_for("tails");
    size_t rounds = (size_t)ceil(2000 * lem_tap_effort());
    for (size_t r = 0; r < rounds; r++)
        for (size_t f = 0; f < FAMILIES; f++) {
            double a[2] = {log_uniform(&stream, families[f].low, families[f].high),
                           log_uniform(&stream, families[f].low, families[f].high)};
            double x = families[f].quantile(fmin(fmax(lem_uniform(&stream), 1e-6), 1 - 1e-6), a, LEM_LOWER);
            x *= 1 + 1e-3 * (lem_uniform(&stream) - 0.5);
            x = families[f].name[0] == 'b' ? fmin(x, 1) : x;
            double lower = families[f].cdf(x, a, LEM_LOWER), upper = families[f].cdf(x, a, LEM_UPPER);
            double log_lower = families[f].cdf(x, a, LEM_LOWER_LOG),
                   log_upper = families[f].cdf(x, a, LEM_UPPER_LOG);
            LEM_CHECK_NEAR(lower + upper, 1, 1e-11);
            if (lower > 1e-300)
                LEM_CHECK_NEAR(log_lower, log(lower), 1e-10 * fmax(1, fabs(log_lower)));
            if (upper > 1e-300)
                LEM_CHECK_NEAR(log_upper, log(upper), 1e-10 * fmax(1, fabs(log_upper)));
        }
}

static void test_closed_forms(void) {
    lem_stream stream = stream_for("closed");
    for (int r = 0; r < 1000; r++) {
        double x = log_uniform(&stream, 1e-3, 600), p = lem_uniform(&stream) * 0.999 + 0.0005;
        check_value(lem_chisq_cdf(x, 2, LEM_UPPER), exp(-x / 2), 1e-12);
        check_value(lem_gamma_cdf(x, 1, 3, LEM_UPPER_LOG), -x / 3, 1e-12);
        check_value(lem_t_cdf(x, 1, LEM_UPPER), atan(1 / x) / (2 * acos(0)), 1e-12); /* Cauchy */
        check_value(lem_beta_quantile(p, 3, 1, LEM_LOWER), cbrt(p), 1e-10);
        check_value(lem_f_quantile(p, 2, 2, LEM_UPPER), 1 / p - 1, 1e-10); /* P(F > x) = 1 / (1 + x) */
        check_value(lem_chisq_cdf(x, 1, LEM_UPPER), 2 * lem_normal_cdf(sqrt(x), LEM_UPPER), 1e-11);
        check_value(lem_t_quantile(p, 7.5, LEM_LOWER), -lem_t_quantile(p, 7.5, LEM_UPPER), 1e-9);
    }
    /* Far beyond the smallest double: I_x(a, 2) = x^a (1 + a (1 - x)), I_x(a, 1) = x^a, Cauchy and chi-square
     * tails.
     */
    for (int r = 0; r < 1000; r++) {
        double u = log_uniform(&stream, 700, 1e5), a = log_uniform(&stream, u / 600, 1e7), x = exp(-u / a),
               y = 1 - x;
        check_value(lem_beta_cdf(x, a, 1, LEM_LOWER_LOG), a * log(x), 1e-12);
        check_value(lem_beta_cdf(x, a, 2, LEM_LOWER_LOG), a * log(x) + log1p(a * y), 1e-12);
        if (y < 0.5) /* 1 - y is exact */
            check_value(lem_beta_cdf(y, 2, a, LEM_UPPER_LOG), a * log1p(-y) + log1p(a * y), 1e-12);
        double z = log_uniform(&stream, 1400, 1e6);
        check_value(lem_chisq_cdf(z, 4, LEM_UPPER_LOG), -z / 2 + log1p(z / 2), 1e-13);
        check_value(lem_chisq_cdf(1 / z, 2, LEM_LOWER_LOG), log(-expm1(-0.5 / z)), 1e-13);
    }
    check_value(lem_t_cdf(1e300, 1, LEM_UPPER_LOG), -300 * log(10) - log(2 * acos(0)), 1e-13);
    LEM_CHECK(lem_normal_quantile(0.5, LEM_LOWER) == 0 && lem_t_quantile(0.5, 4, LEM_UPPER) == 0,
              "the median");
}

static void test_ends(void) {
    LEM_CHECK(lem_normal_cdf(INFINITY, LEM_LOWER) == 1 &&
                  lem_normal_cdf(-INFINITY, LEM_LOWER_LOG) == -INFINITY,
              "normal");
    LEM_CHECK(lem_t_cdf(INFINITY, 3, LEM_UPPER) == 0 && lem_f_cdf(INFINITY, 3, 4, LEM_LOWER) == 1, "t, F");
    LEM_CHECK(lem_chisq_cdf(-1, 3, LEM_UPPER) == 1 && lem_chisq_cdf(0, 3, LEM_LOWER) == 0,
              "below the support");
    LEM_CHECK(lem_beta_cdf(1, 2, 3, LEM_UPPER) == 0 && lem_beta_cdf(2, 2, 3, LEM_LOWER) == 1, "beta");
    LEM_CHECK(lem_f_cdf(0, 2, 3, LEM_LOWER) == 0 && lem_gamma_cdf(INFINITY, 2, 3, LEM_UPPER) == 0,
              "F, gamma");
    LEM_CHECK(lem_binomial_cdf(-1, 5, 0.5, LEM_LOWER) == 0 && lem_binomial_cdf(5, 5, 0.5, LEM_UPPER) == 0,
              "end");
    LEM_CHECK(lem_binomial_cdf(2.999, 5, 0.5, LEM_LOWER) == lem_binomial_cdf(2, 5, 0.5, LEM_LOWER), "steps");
}

/* The definition, in the same and in the other tail, and the sum for small n. */
static void test_binomial(void) {
    lem_stream stream = stream_for("binomial");
    size_t rounds = (size_t)ceil(2000 * lem_tap_effort());
    for (size_t r = 0; r < rounds; r++) {
        uint64_t n = (uint64_t)log_uniform(&stream, 1, 1e15);
        double p = lem_uniform(&stream), q = log_uniform(&stream, 1e-12, 0.999);
        p = r % 3 == 0 ? log_uniform(&stream, 1e-15, 1) : p;
        double low = lem_binomial_quantile(q, n, p, LEM_LOWER),
               high = lem_binomial_quantile(q, n, p, LEM_UPPER);
        LEM_CHECK(lem_binomial_cdf(low, n, p, LEM_LOWER) >= q &&
                      lem_binomial_cdf(low - 1, n, p, LEM_LOWER) < q,
                  "n %llu p %g q %g: %g", (unsigned long long)n, p, q, low);
        LEM_CHECK(lem_binomial_cdf(high, n, p, LEM_UPPER) <= q &&
                      lem_binomial_cdf(high - 1, n, p, LEM_UPPER) > q,
                  "n %llu p %g q %g: %g", (unsigned long long)n, p, q, high);
        LEM_CHECK(lem_binomial_quantile(log(q) + 1e-9, n, p, LEM_LOWER_LOG) >= low, "logarithms");
    }
    double sum = 0; /* n = 4, p = 1/4: (3/4)^4, 4 (1/4) (3/4)^3, ... */
    static const double mass[] = {81, 108, 54, 12, 1};
    for (int k = 0; k < 5; k++) {
        sum += mass[k] / 256;
        check_value(lem_binomial_cdf(k, 4, 0.25, LEM_LOWER), sum, 1e-14);
    }
    LEM_CHECK(lem_binomial_quantile(0.5, 7, 0, LEM_LOWER) == 0 &&
                  lem_binomial_quantile(0.5, 7, 1, LEM_LOWER) == 7,
              "certain");
}

#define CHECK_NAN(value, words)                                                                              \
    do {                                                                                                     \
        lem_clear_error();                                                                                   \
        double got = (value);                                                                                \
        LEM_CHECK_ERROR(isnan(got), words);                                                                  \
    } while (0)

static void test_refused(void) {
    CHECK_NAN(lem_normal_cdf(NAN, LEM_LOWER), "x = ");
    CHECK_NAN(lem_normal_cdf(1, (lem_tail)9), "tail = 9");
    CHECK_NAN(lem_normal_quantile(0, LEM_LOWER), "p = 0|inside (0, 1)");
    CHECK_NAN(lem_normal_quantile(1, LEM_UPPER), "p = 1|inside (0, 1)");
    CHECK_NAN(lem_normal_quantile(NAN, LEM_UPPER), "p = ");
    CHECK_NAN(lem_normal_quantile(0.5, LEM_UPPER_LOG), "log p = 0.5|< 0");
    CHECK_NAN(lem_normal_quantile(-INFINITY, LEM_UPPER_LOG), "log p = -inf|finite");
    CHECK_NAN(lem_t_cdf(1, 0, LEM_LOWER), "df = 0|> 0");
    CHECK_NAN(lem_t_quantile(0.5, INFINITY, LEM_LOWER), "df = inf|finite");
    CHECK_NAN(lem_chisq_cdf(1, -2, LEM_LOWER), "df = -2|> 0");
    CHECK_NAN(lem_f_cdf(1, 2, NAN, LEM_LOWER), "df2 = |> 0");
    CHECK_NAN(lem_f_quantile(0.1, NAN, 2, LEM_LOWER), "df1 = |> 0");
    CHECK_NAN(lem_beta_quantile(0.1, 1, 0, LEM_LOWER), "b = 0|> 0");
    CHECK_NAN(lem_gamma_cdf(1, 1, -1, LEM_LOWER), "scale = -1|> 0");
    CHECK_NAN(lem_beta_quantile(1e-300, 1e-3, 1, LEM_LOWER), "beta quantile at|lower tail|off by");
    CHECK_NAN(lem_binomial_cdf(1, 2, 1.5, LEM_LOWER), "p = 1.5|[0, 1]");
    CHECK_NAN(lem_binomial_cdf(1, 2, NAN, LEM_LOWER), "p = |[0, 1]");
    CHECK_NAN(lem_binomial_cdf(NAN, 2, 0.5, LEM_LOWER), "k = ");
    CHECK_NAN(lem_binomial_cdf(1, UINT64_MAX, 0.5, LEM_LOWER), "n = 18446744073709551615|2^53");
    CHECK_NAN(lem_binomial_quantile(1, 5, 0.5, LEM_LOWER), "q = 1|inside (0, 1)");
    CHECK_NAN(lem_binomial_quantile(0, 5, 0.5, LEM_UPPER_LOG), "log q = 0|< 0");
}

static const lem_tap_case cases[] = {
    {"values, among them those that other libraries get wrong", test_values},
    {"quantiles close through the distribution function", test_quantiles_close},
    {"the two tails and their logarithms agree", test_tails_agree},
    {"closed forms and symmetries", test_closed_forms},
    {"ends of the support", test_ends},
    {"binomial quantiles meet their definition", test_binomial},
    {"bad arguments are refused", test_refused},
};
LEM_TAP_MAIN(cases)
