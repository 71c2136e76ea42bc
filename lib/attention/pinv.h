/* Pseudo-inverses of square matrices: by iteration, by singular values, and regularised. */
#ifndef LEM_ATTENTION_PINV_H
#define LEM_ATTENTION_PINV_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One step Z -> Z p(A Z), written with Y = A Z and the residual R = I - Y. */
typedef enum {
    LEM_PINV_CHEBYSHEV4,  /* Z (13 I - Y (15 I - Y (7 I - Y))) / 4: R -> (3 R^3 + R^4) / 4; 4 products */
    LEM_PINV_NEWTON,      /* Z (2 I - Y): R -> R^2; 2 products */
    LEM_PINV_HYPERPOWER3, /* Z (3 I - Y (3 I - Y)): R -> R^3; 3 products */
} lem_pinv_method;

/* Scratch matrices for m x m iterations; NULL on error. Free takes NULL. One per thread. */
typedef struct lem_pinv_workspace lem_pinv_workspace;
LEM_API lem_pinv_workspace *lem_pinv_workspace_alloc(size_t m);
LEM_API void lem_pinv_workspace_free(lem_pinv_workspace *workspace);

/* Z = A^T / (||A||_1 ||A||_inf), from which every method converges on the range of A: the eigenvalues of A Z
 * lie in [0, 1], as sigma_max^2 <= ||A||_1 ||A||_inf. A and Z m x m. GSL_ESING: A is zero; GSL_EOVRFLW:
 * a sum of its entries or Z exceeds the range of double; GSL_EFAULT, GSL_EBADLEN, GSL_EINVAL as in
 * lib/linalg. Thread-safe. */
LEM_API int lem_pinv_start(const gsl_matrix *a, gsl_matrix *z);

/* One step in place. Errors as above; GSL_EBADLEN also for a workspace of another size. */
LEM_API int lem_pinv_step(const gsl_matrix *a, lem_pinv_method method, lem_pinv_workspace *workspace,
                          gsl_matrix *z);

/* Z after `steps` steps from lem_pinv_start: V diag(g(y_i)/sigma_i) U^T, A = U diag(sigma) V^T, g the filter
 * below and y_i = sigma_i^2 / (||A||_1 ||A||_inf). Not "the" pseudo-inverse: small singular values are damped
 * (lem_pinv_half_resolved_y0). Along the null space of A rounding errors grow by the gain of the method
 * (13/4, 2, 3) in each step, without end; so steps > 30 is refused when the condition number of A exceeds
 * 1e12.
 *
 * GSL_EDOM: steps < 0, or that refusal; else as above. Thread-safe. Source: Xiong et al., arXiv:2102.03902,
 * equation 11; claims nys.iteration-order, nys.filter, nys.singular-instability. */
LEM_API int lem_pinv_iterate(const gsl_matrix *a, lem_pinv_method method, int steps, gsl_matrix *z);

/* The eigenvalue of A Z after `iterations` steps where it was y0 at the start: the iterated scalar map, y ->
 * y (13 - 15 y + 7 y^2 - y^3) / 4 and so on. y0 finite, 0 <= iterations <= 10000. NaN and GSL_EOVRFLW where
 * it leaves the range of double (y0 < 0, or > 4.1304 for CHEBYSHEV4). Claims nys.filter, nys.iteration-basin.
 */
LEM_API double lem_pinv_iteration_filter(lem_pinv_method method, int iterations, double y0);

/* The y0 in (0, 1) that `iterations` steps bring to 1/2: singular values below sqrt(y0) (relative to (||A||_1
 * ||A||_inf)^(1/2)) are damped, not inverted. 1 <= iterations <= 500. */
LEM_API double lem_pinv_half_resolved_y0(lem_pinv_method method, int iterations);

/* Z = V diag(1/sigma_i where sigma_i > rcond sigma_1, else 0) U^T, the Moore-Penrose inverse up to that cut.
 * A m x m, 0 <= rcond < 1. GSL_EDOM: rcond; GSL_EFAULT, GSL_EBADLEN, GSL_EINVAL, GSL_ENOMEM. Thread-safe. */
LEM_API int lem_pinv_svd(const gsl_matrix *a, double rcond, gsl_matrix *z);

/* Z = (A^T A + lambda I)^-1 A^T = V diag(sigma_i / (sigma_i^2 + lambda)) U^T, lambda > 0. From singular
 * values rather than the normal equations, so that lambda far below machine epsilon times sigma_1^2 still
 * counts. Errors as above. Claim nys.tikhonov. */
LEM_API int lem_tikhonov_inverse(const gsl_matrix *a, double lambda, gsl_matrix *z);

#ifdef __cplusplus
}
#endif
#endif
