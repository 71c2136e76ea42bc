/* How the entropy of softmax attention falls with its scale, in the mean field.
 *
 * n keys, uniform on the sphere of radius sqrt(d), and a query of norm sqrt(d): the scores lambda q . k are
 * kappa cos(theta) with kappa = lambda d; lambda = 1/sqrt(d), kappa = sqrt(d) is the usual scale. Sums over
 * keys replaced by n times expectations, the entropy is log n - D_d(kappa), D_d = lem_vmf_kl_uniform.
 *
 * lambda and kappa from 0 to 1e150 (kappa where it is an argument). Outside: NaN and GSL_EDOM. Thread-safe.
 * Source: kexue.fm 8823 for the question; claims entinv.rate-024, .linear-form, .constant-meanfield. */
#ifndef LEM_ATTENTION_ENTROPY_SCALE_H
#define LEM_ATTENTION_ENTROPY_SCALE_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* r(lambda) = lim D_d(lambda d)/d = -log(1 - c^2)/2, c = (sqrt(1 + 4 lambda^2) - 1)/(2 lambda): the loss of
 * entropy per dimension. lambda^2/2 for small and log(lambda)/2 for large lambda; 0.2406 at lambda = 1. */
LEM_API double lem_entropy_rate_large_d(double lambda);

/* The next term: D_d(lambda d) - d r(lambda) -> log(1 - c^4)/2 + 2 c^4/(1 + c^2)^2. It is 3 lambda^4/2 for
 * small lambda, 0.0797 at most (lambda = 1.27), and falls like 1/2 - log(lambda/2)/2 in the end. Relative
 * error within 64 epsilons, but near the zero at lambda = 2.823, where it is 64 epsilons absolute. */
LEM_API double lem_vmf_kl_correction(double lambda);

/* Where the line through the origin touches r: the lambda of the largest r(lambda)/lambda, 1.3116, and that
 * ratio, 0.24542. With y = c^2 it is the root of 2 y/(1 + y) + log(1 - y). */
LEM_API double lem_tangent_lambda(void);
LEM_API double lem_tangent_ratio(void);

/* kappa of the usual entropy at another length: D_d(kappa) = log(n/n0) + D_d(sqrt(d)). n, n0 >= 1 (any real
 * number), 2 <= d <= 1e150; GSL_EDOM too when n is so small that no kappa >= 0 has as much entropy, or so
 * large that kappa > 1e150.
 *
 * By bisection down to neighbouring doubles. D is right to 64 epsilons, and an error of D moves kappa by
 * D/(kappa D'), which is 1/2 for small kappa and about log(kappa/sqrt(d)) for large: relative error within
 * 1e-13 while kappa >= sqrt(d)/50. Below, n is next to the least possible, and the sum log(n/n0) + D loses
 * digits: an epsilon divided by D(kappa) besides. */
LEM_API double lem_meanfield_kappa_for_constant_entropy(double n, double n0, double d);

/* A closed form for it, as a factor on the usual scale 1/sqrt(d): sqrt(u + 3 (u^2 - 1)/(2 (d + 2))), u = 1 +
 * 2 log(n/n0): the root of D = kappa^2/(2d) - 3 kappa^4/(4 d^2 (d + 2)) + ..., to first order in u/d. Below
 * the exact factor by less than a twentieth for n/n0 <= 32, d >= 32, n0 >= 512. n, n0 >= 1 (any real number),
 * n >= n0, 2 <= d
 * <= 1e150. Relative error a few epsilons. Source: claim entinv.attention-e.closed-form. */
LEM_API double lem_entropy_scale_factor(double n, double n0, double d);

/* The factor of Attention-E on 1/sqrt(d): log(n)/log(base), 0 for a single key, 1 at n = base. n >= 1, base >
 * 1, both finite. Source: kexue.fm 8823. */
LEM_API double lem_log_length_scale(double n, double base);

#ifdef __cplusplus
}
#endif
#endif
