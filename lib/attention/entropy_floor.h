/* How low the entropy of a softmax can be whose scores are cosines over a temperature: scores in [-1/tau,
 * 1/tau], n of them. The entropy is least with k scores at the top and the others at the bottom (along each
 * coordinate it rises, then falls: a least value over the box stands at a vertex); with c = 2/tau and
 * e = (n - k) e^-c/k
 *
 *     H_k = log k + log(1 + e) + c e/(1 + e),
 *
 * which falls, then rises with k: in s = (k + (n - k) e^-c)/n it is log n + log s + K (1/s - 1), least at
 * s = K = c/(e^c - 1). For large n that gives log n - D*,
 *
 *     D* = m - 1 - log m,   m = c/(1 - e^-c),   at k/n = (m - 1)/(e^c - 1).
 *
 * Source: claims srob.entropy-floor and srob.temperature; kexue.fm 9593 quotes D*(1) = 0.4745. Thread-safe.
 */
#ifndef LEM_ATTENTION_ENTROPY_FLOOR_H
#define LEM_ATTENTION_ENTROPY_FLOOR_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* D* in nats, as (x coth x - 1) + log(sinh(x)/x), x = 1/tau: two terms that are both positive, so that
 * nothing cancels at any tau. tau > 0 and 2/tau finite; infinity gives 0. NaN and GSL_EDOM otherwise. */
LEM_API double lem_max_entropy_deficit(double tau);

/* The share of scores at the top, k/n, for large n. */
LEM_API double lem_entropy_floor_share(double tau);

/* min over k = 1, ..., n - 1 of H_k, in nats; *k (NULL: not wanted) the smallest such k. n a whole number, 2
 * <= n <= 2^53; tau > 0 with 2/tau finite. Takes no time: k is a neighbour of the minimum over all reals. */
LEM_API double lem_min_entropy_cube(double n, double tau, double *k);

/* H_k itself, 1 <= k <= n a whole number. */
LEM_API double lem_vertex_entropy(double n, double k, double tau);

#ifdef __cplusplus
}
#endif
#endif
