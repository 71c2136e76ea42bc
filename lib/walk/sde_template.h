/* Internal: the loops of sde_kernel.h, included once by each kernel file and compiled for its instruction
 * set. The compiler vectorises them: every path is independent, and x * 0, which is 0 or NaN, is added up in
 * independent lanes to see whether all are finite. */
#include "walk/sde_kernel.h"

enum { LANES = 16 };

#define LOOP(expression)                                                                                     \
    const double *restrict x = s->x, *restrict z = s->z, *restrict p = s->drift, *restrict b = s->diffusion, \
                           *restrict slope = s->slope;                                                       \
    double *restrict out = to;                                                                               \
    const double h = s->h, scale = s->scale;                                                                 \
    double lane[LANES] = {0};                                                                                \
    size_t done = 0;                                                                                         \
    for (; done + LANES <= n; done += LANES)                                                                 \
        for (size_t j = 0; j < LANES; j++) {                                                                 \
            const size_t i = done + j;                                                                       \
            const double value = (expression);                                                               \
            out[i] = value;                                                                                  \
            lane[j] += value * 0;                                                                            \
        }                                                                                                    \
    for (size_t i = done; i < n; i++) {                                                                      \
        out[i] = (expression);                                                                               \
        lane[0] += out[i] * 0;                                                                               \
    }                                                                                                        \
    (void)p, (void)b, (void)slope, (void)h;                                                                  \
    double sum = 0;                                                                                          \
    for (size_t j = 0; j < LANES; j++)                                                                       \
        sum += lane[j];                                                                                      \
    return sum == 0;

static bool noise_alone(size_t n, const lem_sde_terms *s, double *to) {
    LOOP(x[i] + scale * z[i])
}

static bool with_drift(size_t n, const lem_sde_terms *s, double *to) {
    LOOP(x[i] + (p[i] * h + scale * z[i]))
}

static bool additive(size_t n, const lem_sde_terms *s, double *to) {
    return s->drift ? with_drift(n, s, to) : noise_alone(n, s, to);
}

static bool euler_alone(size_t n, const lem_sde_terms *s, double *to) {
    LOOP(x[i] + b[i] * (scale * z[i]))
}

static bool euler_with_drift(size_t n, const lem_sde_terms *s, double *to) {
    LOOP(x[i] + (p[i] * h + b[i] * (scale * z[i])))
}

static bool euler(size_t n, const lem_sde_terms *s, double *to) {
    return s->drift ? euler_with_drift(n, s, to) : euler_alone(n, s, to);
}

static bool milstein_alone(size_t n, const lem_sde_terms *s, double *to) {
    LOOP(x[i] + b[i] * (scale * z[i] + slope[i] * ((scale * z[i]) * (scale * z[i]) - h) / 2))
}

static bool milstein_with_drift(size_t n, const lem_sde_terms *s, double *to) {
    LOOP(x[i] + (p[i] * h + b[i] * (scale * z[i] + slope[i] * ((scale * z[i]) * (scale * z[i]) - h) / 2)))
}

static bool milstein(size_t n, const lem_sde_terms *s, double *to) {
    return s->drift ? milstein_with_drift(n, s, to) : milstein_alone(n, s, to);
}
