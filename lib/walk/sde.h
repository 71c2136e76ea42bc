/* Paths of dx = p(x, t) dt + b(x, t) dW, in blocks of many paths.
 *
 * x in a length, p in length/time, b^2 in length^2/time; b = sqrt(alpha) where it is constant. One step of
 * h = (T - t0)/steps:
 *     Euler-Maruyama  x + p h + b dW                               strong order 1/2, weak order 1
 *     Milstein        x + p h + b dW + (1/2) b b_x (dW^2 - h)      strong order 1, weak order 1
 * The two are the same for a constant b, for which Euler's strong order is 1 as well.
 *
 * Source: Maruyama, Rend. Circ. Mat. Palermo 4 (1955) 48; Milstein, Theory Probab. Appl. 19 (1975) 557;
 * Kloeden and Platen; claims pi.equivalence, pi.gbm, pi.em-orders. */
#ifndef LEM_WALK_SDE_H
#define LEM_WALK_SDE_H

#include "rng/stream.h"
#include "walk/block_field.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    lem_block_field drift;       /* p; no function: 0 */
    double alpha;                /* b^2 when `diffusion` has no function; >= 0, finite; else not looked at */
    lem_block_field diffusion;   /* b */
    lem_block_field diffusion_x; /* b_x; for Milstein, where diffusion has a function */
} lem_sde;

typedef enum { LEM_EULER_MARUYAMA, LEM_MILSTEIN } lem_sde_scheme;

typedef struct {
    double t0, T; /* start and end; finite, t0 < T */
    size_t steps; /* >= 1 */
} lem_sde_times;

/* One step of n paths, shown to an observer: paths first, ..., first + n - 1 have gone from `before` (time
 * t) to `after` (time t + h). */
typedef struct {
    size_t first, n, step; /* step 0, ..., steps - 1 */
    double t, h;
    const double *before, *after;
} lem_sde_view;

/* function null: nobody looks. Returns 0, or a status, after LEM_ERROR, that stops the run. */
typedef struct {
    int (*function)(void *ctx, const lem_sde_view *view);
    void *ctx;
} lem_sde_observer;

/* n paths from x[i] at time t0 to x[i] at time T, n >= 1. The paths are taken in blocks of LEM_SDE_BLOCK; a
 * block draws its normals step after step, so that steps n normals are used. Errors: GSL_EFAULT for a null
 * pointer, GSL_EDOM for bad times, alpha or a start that is not finite, what the fields return, with x and t
 * (lem_block_field_at), GSL_EOVRFLW when a path leaves the range of double, or what the stream or the
 * observer returns; the x of the block that failed, and of those after it, are then left as they were.
 * Thread-safe for different streams, as far as the fields are. */
enum { LEM_SDE_BLOCK = 512 };
LEM_API int lem_euler_maruyama(lem_stream *stream, const lem_sde *sde, lem_sde_times times, size_t n,
                               double *x, lem_sde_observer observer);
LEM_API int lem_milstein(lem_stream *stream, const lem_sde *sde, lem_sde_times times, size_t n, double *x,
                         lem_sde_observer observer);

/* One step with given increments dw[i] of the Wiener processes: for several schemes, or several step sizes,
 * on one path. 1 <= n <= LEM_SDE_BLOCK, h > 0; errors as above. */
LEM_API int lem_sde_step(const lem_sde *sde, lem_sde_scheme scheme, double t, double h, size_t n,
                         const double *dw, double *x);

#ifdef __cplusplus
}
#endif
#endif
