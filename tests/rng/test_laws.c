/* Laws made of normals: their distribution, the way they use the stream, and what is refused. */
#include "rng/laws.h"

#include "sample.h"
#include "stat/distribution.h"

#include <string.h>

enum { N = 40000 };
static double sample[N];

static double exponential_cdf(double x) {
    return -expm1(-x);
}

static double laplace_cdf(double x) {
    return x < 0 ? exp(x) / 2 : 1 - exp(-x) / 2;
}

static double cauchy_cdf(double x) {
    return 0.5 + atan(x) / M_PI;
}

static double student_cdf(double x) {
    return lem_t_cdf(x, 3, LEM_LOWER);
}

static int student_fill(lem_stream *stream, size_t n, double *out) {
    return lem_student_fill(stream, 3, n, out);
}

static const struct {
    const char *name;
    int (*fill)(lem_stream *stream, size_t n, double *out);
    double (*cdf)(double x);
    unsigned normals;
} laws[] = {
    {"exponential", lem_exponential_fill, exponential_cdf, 2},
    {"Laplace", lem_laplace_fill, laplace_cdf, 4},
    {"Cauchy", lem_cauchy_fill, cauchy_cdf, 2},
    {"Student", student_fill, student_cdf, 4},
};
enum { LAWS = sizeof laws / sizeof *laws };

static void distributions(void) {
    for (size_t k = 0; k < LAWS; k++) {
        lem_stream stream = stream_at(3, 1, (uint32_t)k, 0);
        LEM_CHECK(laws[k].fill(&stream, N, sample) == 0, "%s", lem_last_error());
        const double distance = ks_distance(sample, N, laws[k].cdf);
        LEM_CHECK(distance < ks_limit(N), "%s: %g", laws[k].name, distance);
        /* the same sample is no sample of its neighbour */
        const double wrong = ks_distance(sample, N, laws[(k + 1) % LAWS].cdf);
        LEM_CHECK(wrong > ks_limit(N), "%s passes for %s", laws[k].name, laws[(k + 1) % LAWS].name);
    }
}

/* However a fill is split, and the stream stands where as many normals would have left it. */
static void splits(void) {
    static double parts[N];
    for (size_t k = 0; k < LAWS; k++) {
        lem_stream whole = stream_at(4, 1, (uint32_t)k, 0), pieces = whole, normals = whole;
        LEM_CHECK(laws[k].fill(&whole, 3000, sample) == 0, "%s", lem_last_error());
        for (size_t done = 0, n = 1; done < 3000; done += n, n = 3000 - done < 2 * n ? 3000 - done : 2 * n)
            LEM_CHECK(laws[k].fill(&pieces, n, parts + done) == 0, "%s", lem_last_error());
        LEM_CHECK(memcmp(sample, parts, 3000 * sizeof *sample) == 0, "%s", laws[k].name);
        LEM_CHECK(lem_normal_fill(&normals, 3000 * laws[k].normals, parts) == 0, "%s", lem_last_error());
        LEM_CHECK(normals.item == whole.item && pieces.item == whole.item, "%s", laws[k].name);
    }
}

static void bad_input(void) {
    for (size_t k = 0; k < LAWS; k++) {
        lem_stream stream = stream_at(5, 1, (uint32_t)k, 0);
        LEM_CHECK_ERROR(laws[k].fill(NULL, 1, sample), "stream = NULL");
        LEM_CHECK_ERROR(laws[k].fill(&stream, 1, NULL), "out = NULL");
        LEM_CHECK_ERROR(laws[k].fill(&stream, SIZE_MAX, sample), "normals left");
        stream.item = (UINT64_C(1) << 33) - 3 * laws[k].normals;
        LEM_CHECK_ERROR(laws[k].fill(&stream, 4, sample), "n = 4");
        LEM_CHECK(laws[k].fill(&stream, 0, NULL) == 0, "nothing to do");
    }
    lem_stream stream = stream_at(5, 2, 0, 0);
    LEM_CHECK_ERROR(lem_student_fill(&stream, 0, 1, sample), "df = 0");
    LEM_CHECK_ERROR(lem_student_fill(&stream, 101, 1, sample), "df = 101");
}

static const lem_tap_case cases[] = {
    {"distributions", distributions},
    {"splits and places in the stream", splits},
    {"bad input is refused by name", bad_input},
};

LEM_TAP_MAIN(cases)
