/* Independent noise on the scores of attention. It enters only through W = e^noise, up to a constant factor,
 * and to leading order only through
 *
 *     nu = Var(W)/(E W)^2,   the noise factor, infinite where E W^2 is.
 *
 * Source: claims srob.noise-factor and srob.delta-law. All functions thread-safe. */
#ifndef LEM_ATTENTION_NOISE_H
#define LEM_ATTENTION_NOISE_H

#include "base/error.h"
#include "rng/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LEM_NOISE_GAUSS,   /* N(0, sigma^2); parameter sigma >= 0 */
    LEM_NOISE_UNIFORM, /* on [-h, h]; parameter h >= 0 */
    LEM_NOISE_LAPLACE, /* density e^(-|x|/b)/(2b); parameter b > 0 */
    LEM_NOISE_DROPOUT, /* -infinity with probability r, else 0: the weights that are left are normalised
                          again; parameter 0 <= r < 1 */
    LEM_NOISE_STUDENT, /* parameter: degrees of freedom, a whole number, 1..100 */
    LEM_NOISE_CAUCHY   /* parameter: scale > 0 */
} lem_noise_kind;

typedef struct {
    lem_noise_kind kind;
    double parameter; /* finite */
} lem_noise;

/* e^(sigma^2) - 1, 0 <= sigma <= 26. NaN and GSL_EDOM outside, as for all of these. */
LEM_API double lem_noise_factor_gauss(double sigma);
/* h coth(h) - 1, 0 <= h finite: below h = 2 as a quotient of series with positive terms, so that nothing
 * cancels. */
LEM_API double lem_noise_factor_uniform(double h);
/* (1 - b^2)^2/(1 - 4 b^2) - 1 = b^2 (2 + b^2)/(1 - 4 b^2) for 0 <= b < 1/2; infinity for b >= 1/2 (no
 * error). */
LEM_API double lem_noise_factor_laplace(double b);
/* r/(1 - r), 0 <= r < 1. */
LEM_API double lem_noise_factor_dropout(double r);

/* Of any of the laws; infinity for Student and Cauchy noise, whose E W is infinite. */
LEM_API double lem_noise_factor(lem_noise noise);

/* Independent draws of the noise into out[0..n-1]: dropout from uniforms, the others from normals
 * (rng/laws.h). GSL_EDOM: the parameter; or as the fills of lib/rng. */
LEM_API int lem_noise_fill(lem_noise noise, lem_stream *stream, size_t n, double *out);

#ifdef __cplusplus
}
#endif
#endif
