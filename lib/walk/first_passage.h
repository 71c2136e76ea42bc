/* First passage of a diffusion through a barrier b above its start, x_0 = 0 in the closed form.
 *
 * A path that is looked at on a grid of times only may have crossed in between: given the two ends of a step,
 * the path between them is a Brownian bridge, whose chance to cross is known. Positions in a length, a =
 * alpha in length^2/time.
 *
 * Source: Siegmund, Ann. Probab. 7 (1979); Broadie, Glasserman and Kou, Math. Finance 7 (1997) 325; Kleinert,
 * Path Integrals; claim pi.first-passage. */
#ifndef LEM_WALK_FIRST_PASSAGE_H
#define LEM_WALK_FIRST_PASSAGE_H

#include "walk/sde.h"

#include "stat/mc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* P(x_t < b for all t <= T), dx = mu dt + sqrt(a) dW from 0:
 *     Phi((b - mu T)/sqrt(a T)) - exp(2 mu b/a) Phi((-b - mu T)/sqrt(a T)).
 * 0 for b <= 0. Finite arguments, a > 0, T > 0; else NaN and GSL_EDOM. Where the two terms nearly cancel they
 * are one integral (gauss_gap.h): a relative error of a few machine epsilons, and of the rounding of the
 * arguments of Phi. Thread-safe. */
LEM_API double lem_drifted_bm_survival(double b, double mu, double a, double T);

/* P(a Brownian bridge from x to y in a time h reaches b) = exp(-2 (b - x)(b - y)/(a h)) for x, y < b, and 1
 * when one end is not below b. The drift of the path plays no part. Finite arguments, a > 0, h > 0; else NaN
 * and GSL_EDOM. Thread-safe. */
LEM_API double lem_bridge_crossing_probability(double x, double y, double b, double a, double h);

/* weight[i] *= 1 - that probability, for n steps from before[i] to after[i]: on arrays, for simulations. No
 * argument is checked. Thread-safe. */
LEM_API void lem_bridge_survival_weights(size_t n, const double *before, const double *after, double b,
                                         double a, double h, double *weight);

typedef struct {
    const lem_sde *sde; /* with a constant diffusion, and a drift at most */
    double x0, b, T;
    size_t steps;
} lem_first_passage;

/* A chunk of a Monte Carlo run (stat/mc.h), ctx: a lem_first_passage. Euler-Maruyama paths; moments[0]: 1
 * when the path was below b at every time of the grid, else 0: too large on average by O(sqrt(T/steps));
 * moments[1]: the product of 1 - crossing probability over the steps, whose mean is the survival itself for a
 * constant drift, whatever the number of steps. GSL_EDOM for x0 >= b or a diffusion that is not constant.
 * Thread-safe as far as the drift is. */
LEM_API int lem_first_passage_chunk(lem_stream *stream, size_t first, size_t count, void *workspace,
                                    lem_mc_result *out, const void *ctx);

#ifdef __cplusplus
}
#endif
#endif
