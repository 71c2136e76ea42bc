/* Synthetic experiments like that of Hoffmann et al. 2022, with known constants: for tests of a fit, and to
 * see how many runs a question needs. */
#ifndef LEM_SCALING_CHINCHILLA_TWIN_H
#define LEM_SCALING_CHINCHILLA_TWIN_H

#include "rng/stream.h"
#include "scaling/chinchilla.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A grid from the ranges that Hoffmann et al. state: nine budgets C from 6e18 to 3e21 operations
 * (section 3.2), model sizes from 70 million to 16 billion (abstract), 48 of them in equal ratios; kept are
 * the pairs with 0.6 to 350 tokens per parameter. */
enum { LEM_CHINCHILLA_TWIN_ROWS = 245 };
LEM_API int lem_chinchilla_twin_grid(double *N, double *D);

/* loss[i] = exp(step round((log L(N[i], D[i]) + scale t_i)/step)), t_i Student with 3 degrees of freedom (its
 * kurtosis is infinite), four normals of the stream each; step = 0: not rounded. Rounding stands for losses
 * read from the colours of a printed figure. scale, step >= 0, finite; else GSL_EDOM. Otherwise errors as in
 * lem_chinchilla_eval. Thread-safe on different streams. */
typedef struct {
    double scale, step;
} lem_chinchilla_noise;
LEM_API int lem_chinchilla_twin_losses(lem_stream *stream, const lem_chinchilla *law,
                                       lem_chinchilla_noise noise, size_t n, const double *N, const double *D,
                                       double *loss);

#ifdef __cplusplus
}
#endif
#endif
