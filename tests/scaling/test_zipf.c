#include "scaling/zipf.h"
#include "scaling/quanta.h"
#include "stat/distribution.h"
#include "stat/gof.h"
#include "tap/tap.h"

#include <math.h>
#include <stdlib.h>

enum { N = 200000, CELLS = 40, N_FIRST = 2000000 };

static void stream_for(lem_stream *stream, const char *purpose) {
    LEM_CHECK(lem_stream_init(stream, 1, lem_stream_id("test zipf"), lem_stream_id(purpose), 0) == 0, "init");
}

/* Chi-square of 39 single quanta and the rest; and the share beyond 10^6, where single ones are rare. */
static void test_frequencies(void) {
    const double exponents[] = {1.06, 1.5, 2, 3, 9};
    double *k = malloc(N * sizeof *k);
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
        const double s = exponents[e], gamma = s - 1;
        lem_stream stream;
        stream_for(&stream, (const char *[]){"1.06", "1.5", "2", "3", "9"}[e]);
        LEM_CHECK(lem_zipf_fill(&stream, s, N, k) == 0, "s = %g: %s", s, lem_last_error());
        double counts[CELLS] = {0}, beyond = 0;
        for (size_t i = 0; i < N; i++) {
            LEM_CHECK(k[i] >= 1 && k[i] == floor(k[i]) && isfinite(k[i]), "k = %g", k[i]);
            counts[k[i] < CELLS ? (size_t)k[i] - 1 : CELLS - 1]++;
            beyond += k[i] > 1e6;
        }
        double chisq = 0, df = 0;
        for (size_t c = 0; c < CELLS; c++) {
            const double p = c + 1 < CELLS ? lem_quanta_frequency((double)c + 1, gamma)
                                           : lem_quanta_loss(CELLS - 1, gamma, 0, 1);
            if (N * p < 20) /* too few for the chi-square law */
                continue;
            chisq += (counts[c] - N * p) * (counts[c] - N * p) / (N * p);
            df++;
        }
        LEM_CHECK(lem_chisq_cdf(chisq, df, LEM_UPPER) > 1e-7, "s = %g: chi-square %g of %g", s, chisq, df);
        const double tail = lem_quanta_loss(1e6, gamma, 0, 1);
        const double below = lem_binomial_cdf(beyond, N, tail, LEM_LOWER),
                     above = beyond > 0 ? lem_binomial_cdf(beyond - 1, N, tail, LEM_UPPER) : 1;
        LEM_CHECK(fmin(below, above) > 1e-7, "s = %g: %g beyond 1e6, %g expected", s, beyond, N * tail);
    }
    free(k);
}

/* The share of ones, always accepted: one percent too many of the others would move it by seven standard
 * deviations at s = 2. */
static void test_first(void) {
    const double exponents[] = {1.06, 1.5, 2, 3};
    double *k = malloc(N_FIRST * sizeof *k);
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
        lem_stream stream;
        stream_for(&stream, (const char *[]){"first 1.06", "first 1.5", "first 2", "first 3"}[e]);
        LEM_CHECK(lem_zipf_fill(&stream, exponents[e], N_FIRST, k) == 0, "fill");
        double ones = 0;
        for (size_t i = 0; i < N_FIRST; i++)
            ones += k[i] == 1;
        const double p = lem_quanta_frequency(1, exponents[e] - 1);
        const double below = lem_binomial_cdf(ones, N_FIRST, p, LEM_LOWER),
                     above = lem_binomial_cdf(ones - 1, N_FIRST, p, LEM_UPPER);
        LEM_CHECK(fmin(below, above) > 1e-7, "s = %g: %g ones, %g expected", exponents[e], ones, N_FIRST * p);
    }
    free(k);
}

static void test_replay(void) {
    lem_stream a, b;
    double x[1000], y[1000];
    stream_for(&a, "replay");
    b = a;
    LEM_CHECK(lem_zipf_fill(&a, 2, 1000, x) == 0 && lem_zipf_fill(&b, 2, 1000, y) == 0, "fill");
    for (size_t i = 0; i < 1000; i++)
        LEM_CHECK(x[i] == y[i], "%zu", i);
    LEM_CHECK(lem_zipf_fill(&a, 2, 1000, x) == 0, "fill");
    size_t same = 0;
    for (size_t i = 0; i < 1000; i++)
        same += x[i] == y[i];
    /* sum p_k^2 = zeta(4)/zeta(2)^2 = 0.4 of the pairs agree; P(binomial(1000, 0.4) > 500) < 1e-9 */
    LEM_CHECK(same < 500, "a second fill differs: %zu equal", same);
    stream_for(&a, "one");
    b = a;
    const double one = lem_zipf_sample(&a, 2);
    LEM_CHECK(lem_zipf_fill(&b, 2, 1, y) == 0 && one == y[0], "a sample is a fill of one");
}

static void test_refusals(void) {
    lem_stream stream;
    double x;
    stream_for(&stream, "refusals");
    const double bad[] = {1, 1.0599, 101, INFINITY, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        LEM_CHECK_ERROR(lem_zipf_fill(&stream, bad[i], 1, &x), "s = |from 1.06 to 100");
        LEM_CHECK_ERROR(isnan(lem_zipf_sample(&stream, bad[i])), "s = ");
    }
    LEM_CHECK(lem_zipf_fill(&stream, 100, 1, &x) == 0 && x == 1, "s = 100: 2^-100 for more than one");
    LEM_CHECK_ERROR(lem_zipf_fill(&stream, 2, 1, NULL), "out is a null pointer");
    LEM_CHECK_ERROR(lem_zipf_fill(NULL, 2, 1, &x), "stream is a null pointer");
    LEM_CHECK(lem_zipf_fill(&stream, 2, 0, NULL) == 0, "none");
}

static const lem_tap_case cases[] = {
    {"frequencies", test_frequencies},
    {"ones", test_first},
    {"replay", test_replay},
    {"refusals", test_refusals},
};
LEM_TAP_MAIN(cases)
