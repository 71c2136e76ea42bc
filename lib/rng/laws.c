#include "rng/laws.h"

#include <math.h>

enum { BUFFER = 1024, MOST_DF = 100 };

/* One draw from `used` normals. */
typedef double law(const double *z, unsigned used);

static double exponential(const double *z, unsigned used) {
    (void)used;
    return (z[0] * z[0] + z[1] * z[1]) / 2;
}

static double laplace(const double *z, unsigned used) {
    (void)used;
    return ((z[0] * z[0] + z[1] * z[1]) - (z[2] * z[2] + z[3] * z[3])) / 2;
}

static double student(const double *z, unsigned used) {
    double sum = 0;
    for (unsigned i = 1; i < used; i++)
        sum += z[i] * z[i];
    return z[0] * sqrt((double)(used - 1)) / sqrt(sum);
}

static double cauchy(const double *z, unsigned used) {
    (void)used;
    const double least = 3.4878684980086318e-16; /* pi 2^-53 */
    return z[1] == 0 ? z[0] / least : z[0] / z[1];
}

/* What the stream cannot give is refused before the first draw, so that a failure writes nothing. */
static int fill(law *draw, unsigned used, lem_stream *stream, size_t n, double *out) {
    if (!stream)
        return LEM_ERROR(GSL_EFAULT, "stream = NULL: must point to a stream");
    if (!out && n > 0)
        return LEM_ERROR(GSL_EFAULT, "out = NULL: must have room for n = %zu items", n);
    const uint64_t items = UINT64_C(1) << 33, begun = stream->item + 1;
    if (n > items / used || begun > items - n * used)
        return LEM_ERROR(GSL_ERANGE, "n = %zu: the stream must have %u normals left for each", n, used);
    double z[BUFFER];
    const size_t most = BUFFER / used;
    for (size_t done = 0; done < n;) {
        const size_t count = n - done < most ? n - done : most;
        const int status = lem_normal_fill(stream, count * used, z);
        if (status)
            return status;
        for (size_t i = 0; i < count; i++)
            out[done + i] = draw(z + i * used, used);
        done += count;
    }
    return GSL_SUCCESS;
}

int lem_exponential_fill(lem_stream *stream, size_t n, double *out) {
    return fill(exponential, 2, stream, n, out);
}

int lem_laplace_fill(lem_stream *stream, size_t n, double *out) {
    return fill(laplace, 4, stream, n, out);
}

int lem_cauchy_fill(lem_stream *stream, size_t n, double *out) {
    return fill(cauchy, 2, stream, n, out);
}

int lem_student_fill(lem_stream *stream, unsigned df, size_t n, double *out) {
    if (df < 1 || df > MOST_DF)
        return LEM_ERROR(GSL_EDOM, "df = %u: must be in 1, ..., %d", df, MOST_DF);
    return fill(student, df + 1, stream, n, out);
}
