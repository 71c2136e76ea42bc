/* Softmax of n independent random scores, averaged exactly: the quenched quantities.
 *
 * s_1 .. s_n independent with one law, p = softmax(alpha s), Z = sum e^(alpha s_i). With u = t e^(alpha s),
 * phi(t) = E e^-u, all expectations over one score:
 *
 *     E sum p_i^2            = n int E[u^2 e^-u] phi^(n-1) dt/t
 *     E sum_(i!=j) p_i p_j   = n (n-1) int E[u e^-u]^2 phi^(n-2) dt/t        (= 1 - the one above, but a sum
 *                                                                     of positive terms: no cancellation)
 *     E sum p_i s_i          = n int E[s u e^-u] phi^(n-1) dt/t
 *     E Var_p(s)             = n (n-1) int (E[s^2 u e^-u] E[u e^-u] - E[s u e^-u]^2) phi^(n-2) dt/t
 *     E H                    = -gamma - n int E[u log u e^-u] phi^(n-1) dt/t
 *     E log Z                = E H + alpha E sum p_i s_i
 *     1                      = n int E[u e^-u] phi^(n-1) dt/t                (the certificate norm_check)
 *
 * (write 1/Z^k as an integral over t of t^(k-1) e^(-tZ)). Exact for every finite n; a trapezoidal rule in
 * log t, whose error is below 1e-17 for any law (gaussian.c), over panels of Gauss nodes in the score
 * (score_nodes.h), or for Gaussian scores over a grid that both integrals share. What remains is rounding:
 * relative 1e-14 of sum_p2, distinct, trace and entropy, up to 2e-13 of it at alpha s = 1e4, s the size of
 * the scores; absolute 1e-14 (1 + log n + alpha s) of mean_score and log_z, and 1e-14 Var(s) of the variance;
 * ten times that at n = 1e100. The entropy's gamma goes into the integrand, which then cancels term by term,
 * and values of nodes are counted from the largest one. Of Student scores the
 * far tail is cut where n times its mass is 2e-9. The certificate knows nothing of a law that the nodes do
 * not resolve: of user's nodes the results are exact for the discrete law they are.
 *
 * Source: claim ascale.quenched-exact. Behind it the random energy model, Derrida 1981, Phys. Rev. B 24,
 * 2613. */
#ifndef LEM_ATTENTION_QUENCHED_H
#define LEM_ATTENTION_QUENCHED_H

#include "attention/score_law.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double sum_p2;     /* E sum p_i^2 */
    double distinct;   /* 1 - E sum p_i^2 */
    double trace;      /* alpha (1 - E sum p_i^2): mean trace of the Jacobian dp/ds */
    double mean_score; /* E sum p_i s_i */
    double variance;   /* E Var_p(s), the derivative of E sum p_i s_i, and -1/alpha times that of E H */
    double entropy;    /* E H, nats */
    double log_z;      /* E log sum e^(alpha s_i) */
    double norm_check; /* 1 */
} lem_quenched;

/* n a whole number >= 1; n <= 1e300 for Gaussian scores, else 1e100. alpha >= 0; <= 1000 for Gaussian,
 * Laplace, Student and uniform scores, 1e4 for cosines; for nodes alpha (largest - smallest) <= 1e5, values
 * at most 1e150 in size. GSL_EDOM outside; GSL_EFAULT, GSL_EINVAL: the law; GSL_ENOMEM; GSL_EFAILED when the
 * certificate is off by more than 1e-11. Milliseconds; more than a tenth of a second only at n or alpha above
 * 1000, at most some seconds. Thread-safe. */
LEM_API int lem_quenched_softmax(const lem_score_law *law, double n, double alpha, lem_quenched *out);

/* One of the results each; NaN on error. n >= 2 but for the entropies and log Z. */
LEM_API double lem_quenched_trace_gauss(double n, double alpha);
LEM_API double lem_quenched_sum_p2_gauss(double n, double alpha);
LEM_API double lem_quenched_logZ_gauss(double n, double alpha);
LEM_API double lem_quenched_entropy_gauss(double n, double alpha);
LEM_API double lem_quenched_trace_cosine(double n, double alpha, double d);

/* E H of the scores kappa cos(theta_j), theta_j the angles to n random directions in R^d. */
LEM_API double lem_quenched_entropy_sphere(double n, double kappa, double d);

/* The kappa with E H(n, kappa, d) = E H(n0, sqrt d, d): what keeps the mean entropy where it was at n0 keys
 * and the usual scale, kappa = sqrt d. Unique, since E H falls strictly from log n to 0 (d >= 3; for d = 2 it
 * stays above that). By Newton steps inside a bracket; relative accuracy 1e-12. n0 >= 2; n >= 2 with log n
 * above the entropy wanted, and kappa <= 1e4; else NaN and GSL_EDOM. Source: claim entinv.attention-e. */
LEM_API double lem_quenched_kappa_for_constant_entropy(double n, double n0, double d);

#ifdef __cplusplus
}
#endif
#endif
