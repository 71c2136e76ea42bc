/* The cosine of two random directions, and the von Mises-Fisher law on the unit sphere of R^d.
 *
 * u is uniform on the sphere, d >= 2 (any real: between whole numbers the density of the cosine,
 * proportional to (1 - s^2)^((d - 3)/2), still makes sense), nu = d/2 - 1. The von Mises-Fisher law with
 * concentration kappa has the density exp(kappa u_1)/M(kappa) with respect to the uniform law; it is what
 * softmax attention makes of infinitely many uniform keys.
 *
 * Where kappa^2 <= d, or sqrt(nu^2 + kappa^2) < 28, M is its power series, and the ratio of Bessel functions
 * its continued fraction. Elsewhere both are the expansion of log I_nu in inverse powers of R = sqrt(nu^2 +
 * kappa^2), uniform in nu >= 0 (DLMF 10.41.3 and its logarithm), sixteen terms of it: what is left out is
 * below 1e-16 from R = 28 on. Large parts that cancel are taken out by algebra: nothing under- or overflows.
 *
 * 0 <= alpha, kappa <= 1e150 and 2 <= d <= 1e150, else NaN and GSL_EDOM. Relative errors are within 64
 * machine epsilons, seen against Arb balls. Thread-safe. Source: claims entinv.kl-identity,
 * ascale.cosine-mgf; Mardia and Jupp, Directional Statistics, 2000. */
#ifndef LEM_ATTENTION_SPHERE_H
#define LEM_ATTENTION_SPHERE_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* log M(alpha) = log E exp(alpha u_1) = log 0F1(; d/2; alpha^2/4)
 *              = log[Gamma(d/2) (2/alpha)^nu I_nu(alpha)]. */
LEM_API double lem_log_mgf_cosine(double alpha, double d);

/* A_d(kappa) = E u_1 under the von Mises-Fisher law = I_{d/2}(kappa)/I_{d/2-1}(kappa), from 0 to 1. */
LEM_API double lem_vmf_mean_resultant(double kappa, double d);

/* 1 - A_d(kappa), which falls like (d - 1)/(2 kappa), with its digits. */
LEM_API double lem_vmf_mean_deficit(double kappa, double d);

/* D_d(kappa) = kappa A_d(kappa) - log M(kappa) >= 0: the Kullback-Leibler divergence of the von Mises-Fisher
 * law from the uniform one, in nats. */
LEM_API double lem_vmf_kl_uniform(double kappa, double d);

#ifdef __cplusplus
}
#endif
#endif
