/* The anharmonic oscillator: its ground energy, and the series that diverges to it. Claims pi.ground-state,
 * pi.divergence. */
#ifndef LEM_WALK_ANHARMONIC_H
#define LEM_WALK_ANHARMONIC_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ground energy of H = kinetic p^2 + quadratic x^2 + quartic x^4, p = -i hbar d/dx: kinetic and hbar > 0,
 * quadratic and quartic >= 0 and not both 0, finite, else NaN and GSL_EDOM; GSL_ERANGE where kinetic hbar^2
 * is no normal double. On a sinc grid in the oscillator's own length: relative error below 1e-12.
 * Thread-safe. */
LEM_API double lem_anharmonic_ground_energy(double kinetic, double quadratic, double quartic, double hbar);

enum { LEM_ANHARMONIC_MAX_ORDER = 130 };

/* The coefficient of g^order in E_0(g) of H = p^2/2 + x^2/2 + g x^4, hbar = 1: 1/2, 3/4, -21/8, ..., growing
 * like order! 3^order. By recursion of the logarithmic derivative of the ground state, in terms of one sign.
 * order <= 130, beyond which double ends, else NaN and GSL_EDOM. Thread-safe. Source: Bender and Wu, Phys.
 * Rev. 184 (1969) 1231. */
LEM_API double lem_anharmonic_series_coefficient(size_t order);

#ifdef __cplusplus
}
#endif
#endif
