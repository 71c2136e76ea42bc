#include "scaling/zipf.h"

#include <math.h>

enum { BLOCK = 256 }; /* pairs of uniforms at a time */

/* k (T - 1): tends to s - 1 for large k, where T - 1 alone has no digits. */
static int accept(double v, double k, double s1, double b) {
    const double rise = expm1(s1 * log1p(1 / k));
    return v * k * rise / (b - 1) <= (1 + rise) / b;
}

int lem_zipf_fill(lem_stream *stream, double s, size_t n, double *out) {
    if (!(s >= 1.06) || s > 100)
        return LEM_ERROR(GSL_EDOM, "s = %g: must be from 1.06 to 100", s);
    if (!stream || (!out && n))
        return LEM_ERROR(GSL_EFAULT, "%s is a null pointer", stream ? "out" : "stream");
    const double s1 = s - 1, b = exp2(s1);
    double u[2 * BLOCK];
    while (n > 0) {
        const size_t pairs = n < BLOCK ? n : BLOCK;
        const int status = lem_uniform_fill(stream, 2 * pairs, u);
        if (status)
            return status;
        for (size_t i = 0; i < pairs; i++) {
            const double k = floor(pow(1 - u[2 * i], -1 / s1)); /* 1 - u in (0, 1] */
            if (accept(u[2 * i + 1], k, s1, b)) {
                *out++ = k;
                n--;
            }
        }
    }
    return GSL_SUCCESS;
}

double lem_zipf_sample(lem_stream *stream, double s) {
    double k;
    return lem_zipf_fill(stream, s, 1, &k) ? (double)NAN : k;
}
