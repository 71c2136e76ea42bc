/* Spectra and propagators on a grid of sinc functions: H = -(alpha^2/2) d^2/dx^2 + U(x), unit mass.
 *
 * x_j = -L + j h, j < N, h = 2 L/(N - 1);
 *     H_ij = alpha^2/(2 h^2) (pi^2/3 on the diagonal, 2 (-1)^(i-j)/(i-j)^2 off it) + U(x_i) on the diagonal.
 * A state whose momenta stay below pi/h and which has died away at +-L is off by what it has beyond: digits
 * double with N. Besides, energies carry a few machine epsilons of the largest, (pi alpha/h)^2/2 + max U.
 *
 * Source: Colbert and Miller, J. Chem. Phys. 96 (1992) 1982; claims pi.ground-state, pi.equivalence,
 * pi.gauge-kernel, pi.kramers. */
#ifndef LEM_WALK_SINC_DVR_H
#define LEM_WALK_SINC_DVR_H

#include "walk/callback.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The N energies and states. Opaque; free with lem_spectrum_free. */
typedef struct lem_spectrum lem_spectrum;

/* Solve for the whole spectrum, O(N^3); U is asked for at t = 0. NULL after an error: alpha, L > 0 and
 * 2 <= N <= 10000, else GSL_EDOM; a potential that fails or is not finite is reported with x. Thread-safe. */
LEM_API lem_spectrum *lem_sinc_dvr(const lem_field *potential, double alpha, double L, size_t N);
LEM_API void lem_spectrum_free(lem_spectrum *spectrum);

/* N, or 0 for a null pointer. Thread-safe. */
LEM_API size_t lem_spectrum_size(const lem_spectrum *spectrum);

/* E_k, k = 0, 1, ... upwards. NaN and GSL_EDOM unless k < N. Thread-safe. */
LEM_API double lem_spectrum_energy(const lem_spectrum *spectrum, size_t k);

/* psi_k(x), normalised in x, between the grid points by sinc interpolation; the sign is arbitrary. NaN and
 * GSL_EDOM unless k < N and |x| <= L. Thread-safe. */
LEM_API double lem_spectrum_state(const lem_spectrum *spectrum, size_t k, double x);

/* K(x_b, x_a; T) = sum over k < states of psi_k(x_b) psi_k(x_a) exp(-E_k T/alpha), for n places x_b, an
 * absolute error of a few machine epsilons of the sum of the moduli. 1 <= states <= N, T > 0, |x| <= L, else
 * GSL_EDOM; null is GSL_EFAULT. Thread-safe. */
LEM_API int lem_spectral_propagator(const lem_spectrum *spectrum, size_t states, double xa, double T,
                                    size_t n, const double *xb, double *out);

#ifdef __cplusplus
}
#endif
#endif
