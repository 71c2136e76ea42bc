/* The entropy of a softmax over inner products of random directions, and the embedding dimension it asks for.
 *
 * u_i, v_j uniform on the sphere of radius sqrt(n) in R^n, logits beta <u_i, v_j> = beta n cos(theta).
 * Annealed: H = 2 log N + h_n(beta) for the joint law of all N^2 pairs, log N + h_n(beta) for one row.
 * Thread-safe; NaN on error. Source: claims jl.entropy-dimension, jl.radius; archive articles 7695, 8711. */
#ifndef LEM_PROJECTION_ENTROPY_H
#define LEM_PROJECTION_ENTROPY_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* h_n(beta) = log Gamma(nu+1) + nu log(2/kappa) + log I_nu(kappa) - kappa I_{nu+1}(kappa)/I_nu(kappa), with
 * nu = n/2 - 1, kappa = beta n: minus the Kullback-Leibler divergence of the von Mises-Fisher law from the
 * uniform one, <= 0. n >= 2 real and finite, beta >= 0 finite. Relative error below 64 epsilons; three ways,
 * none of which subtracts large numbers:
 * - the power series of 0F1(; nu+1; kappa^2/4), all terms positive: kappa^2 <= 60 n, or kappa <= max(20,
 * nu^2) for nu < 7, or kappa <= 50 for nu < 24 (so that kappa/|h| stays below 10);
 * - Hankel's expansion (DLMF 10.40.1) for nu < 7, beyond that;
 * - Debye's uniform expansion (DLMF 10.41.3) to order 11 for nu >= 7, beyond that: the first omitted term is
 *   below 1e-17. */
LEM_API double lem_skipgram_entropy_gap(double n, double beta);

typedef enum {
    LEM_ENTROPY_JOINT, /* c = 2 */
    LEM_ENTROPY_ROW    /* c = 1 */
} lem_entropy_mode;

/* The real n >= 2 at which c log N + h_n(beta) = 0 (h decreases in n), by bisection to neighbouring doubles:
 * relative error at most 2 times that of h. N >= 2 whole, beta > 0 finite. GSL_EDOM when there is none, that
 * is c log N + h_2(beta) < 0; GSL_ERANGE when it exceeds 2^53. */
LEM_API double lem_embedding_dim_threshold(double N, double beta, lem_entropy_mode mode);

/* C(beta) = -4/log s, s = 2/(1 + sqrt(1 + 4 beta^2)): the joint threshold is C(beta) log N for large N, the
 * row threshold half of it. C(1) = 4/log(golden ratio) = 8.3123...; beta > 0 finite. */
LEM_API double lem_embedding_dim_coefficient(double beta);

#ifdef __cplusplus
}
#endif
#endif
