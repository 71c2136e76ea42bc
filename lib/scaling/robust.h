/* Robust losses of fits: Huber's, and the likelihood ratio of Laplace residuals. */
#ifndef LEM_SCALING_ROBUST_H
#define LEM_SCALING_ROBUST_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Huber's loss: r^2/2 where |r| <= delta, else delta (|r| - delta/2); least squares at delta = inf. r finite,
 * delta > 0 or inf; else NaN and GSL_EDOM. Thread-safe. Source: Huber, Ann. Math. Statist. 35 (1964) 73. */
LEM_API double lem_huber_loss(double r, double delta);

/* 2 n log(sum |restricted| / sum |full|): twice the log likelihood ratio of two fits to the same n points
 * whose residuals follow a Laplace law of unknown scale, each with its own best scale, the mean of |r|. When
 * the restricted fit fixes k parameters that the full one fits, and is right, it is chi-square with k degrees
 * of freedom for large n. Residuals finite, n >= 1, neither all zero; else NaN and GSL_EDOM (GSL_EINVAL for n
 * = 0, GSL_EFAULT for a null pointer). Thread-safe. Source: claim sl.chinchilla-reject. */
LEM_API double lem_laplace_profile_lr(size_t n, const double *restricted, const double *full);

#ifdef __cplusplus
}
#endif
#endif
