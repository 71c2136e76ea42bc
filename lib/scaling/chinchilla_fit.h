/* Fitting L = E + A N^-alpha + B D^-beta to observations: robust, from many starts, with a certificate; and
 * the bootstrap of the fit.
 *
 * Minimised is the sum of Huber losses of log loss - log L (Hoffmann et al. 2022, section 3.3). Method:
 * parameters centred at the mean logarithms of N and D and scaled by their spread; GSL's BFGS (vector_bfgs2)
 * from 27 starts; then Newton steps to the rounding error of the gradient. No tolerance of an optimiser
 * decides that a fit has converged, but the gradient at its end: with rho' the derivative of Huber's loss and
 * J that of log L by the parameters,
 *
 *     max_j |sum rho'(r_i) J_ij| / (s sum |J_ij|) <= 1e-8,   s = min(delta, root mean square of r).
 *
 * That is a pure number: it does not change with units, with the number of rows, or when a sum becomes a
 * mean.
 *
 * Why GSL's BFGS and not liblbfgs (measured by tests/scaling/bench_fit.c and on the published points): alone,
 * each ends where rounding stops its line search, near 1e-7 with GSL's; liblbfgs gets twenty to fifty times
 * lower with a third of the evaluations or fewer. But Newton's method takes over long before; then both
 * arrive from all 27 starts, at a gradient below 1e-13, and a resample of the bootstrap costs the same 10 to
 * 12 evaluations (without Newton: 300 with GSL's, 100 with liblbfgs). Nothing is left for another dependency
 * to save. */
#ifndef LEM_SCALING_CHINCHILLA_FIT_H
#define LEM_SCALING_CHINCHILLA_FIT_H

#include "scaling/chinchilla.h"
#include "stat/mc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    lem_chinchilla law;
    double objective;   /* the sum of Huber losses; delta = 0: the sum of |r| */
    double absolute;    /* the sum of |r|, r = log loss - log L */
    double gradient;    /* the certificate above: at most 1e-8 */
    size_t starts;      /* tried */
    size_t agreeing;    /* of these, ended at this minimum: objective equal to 1e-9 */
    size_t evaluations; /* of the objective with its gradient, in all */
} lem_chinchilla_fitted;

/* delta: Huber's threshold, > 0; inf: least squares; 0: least absolute deviations, made by lowering the
 * threshold step by step to 1e-8, which leaves sum |r| within n_fitted 1e-8 of its minimum. 1e-3 is the
 * paper's choice. Data: at least 6 rows, all entries positive and finite, neither all N nor all D equal;
 * their order changes rounding only. Errors, with *fit left as it was: GSL_EDOM (the sentence has the number
 * of the row, from 1), GSL_EINVAL, GSL_EFAULT, GSL_ENOMEM; GSL_EFAILED when no start converged, as when the
 * data do not bend and E runs away to zero, or when the best fit has an exponent that is not positive.
 * Thread-safe. */
LEM_API int lem_chinchilla_fit(const lem_chinchilla_data *data, double delta, lem_chinchilla_fitted *fit);

/* --- bootstrap ----------------------------------------------------------------------------------- */

/* What a resample gives, in this order. */
enum {
    LEM_RESAMPLE_A,
    LEM_RESAMPLE_B,
    LEM_RESAMPLE_E,
    LEM_RESAMPLE_ALPHA,
    LEM_RESAMPLE_BETA,
    LEM_RESAMPLE_CONVERGED,
    LEM_RESAMPLE_SIZE
};

/* Resampling of rows (pairs bootstrap), each resample fitted from `start`, the fit to all rows; when that
 * does not converge, from the 27 starts. This is the context of lem_chinchilla_resample. */
typedef struct lem_chinchilla_resampling lem_chinchilla_resampling;
/* NULL after LEM_ERROR. delta > 0, or inf. The data need not outlive it. */
LEM_API lem_chinchilla_resampling *lem_chinchilla_resampling_alloc(const lem_chinchilla_data *data,
                                                                   double delta, const lem_chinchilla *start);
LEM_API void lem_chinchilla_resampling_free(lem_chinchilla_resampling *resampling);

/* A lem_mc chunk with LEM_RESAMPLE_SIZE records a sample: the five parameters and 1, or, where no fit
 * converged (as in resamples of few rows it may), NaN five times and 0. Sample i of the chunk draws n whole
 * numbers, the rows. ctx: the resampling; workspaces from the two functions behind it. */
LEM_API int lem_chinchilla_resample(lem_stream *stream, size_t first, size_t count, void *workspace,
                                    lem_mc_result *out, const void *ctx);
LEM_API void *lem_chinchilla_resample_workspace(const void *ctx);
LEM_API void lem_chinchilla_resample_workspace_free(void *workspace);

/* The whole run: replicates[resamples][LEM_RESAMPLE_SIZE], streams (seed, "chinchilla-bootstrap"). threads: 0
 * for all cores; no bit depends on it. *failed (may be NULL): resamples without a fit. Errors as in
 * lem_mc_run. */
LEM_API int lem_chinchilla_bootstrap(const lem_chinchilla_data *data, double delta,
                                     const lem_chinchilla *start, size_t resamples, uint64_t seed,
                                     int threads, double *replicates, size_t *failed);

#ifdef __cplusplus
}
#endif
#endif
