/* Optimal positive random features: exp(A |omega|^2 + B omega . x - |x|^2/2) D for x = q and k, B = sqrt(1 -
 * 4A), D = (1 - 4A)^(d/4), A < 1/8, estimate exp(q . k) without bias; A = 0 is FAVOR+. With rho = 1/(1 - 8A)
 * and phi = |q + k|^2 the second moment of one projection is
 *
 *     log E f^2 - 2 q . k = d log( (1 + rho)/(2 sqrt(rho)) ) + rho phi,
 *
 * least at rho* = 2d/( sqrt((2 phi + d)^2 + 8 d phi) + 2 phi + d ).
 *
 * phi >= 0 finite, d >= 1 whole, up to 2^53; else NaN and GSL_EDOM. Thread-safe. Source: Likhosherstov et
 * al., arXiv:2205.15317, theorem 1; claim perf.oprf. */
#ifndef LEM_ATTENTION_OPRF_H
#define LEM_ATTENTION_OPRF_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

LEM_API double lem_oprf_rho(double phi, double d);               /* rho*, in (0, 1] */
LEM_API double lem_oprf_A(double phi, double d);                 /* (1 - 1/rho*)/8 <= 0 */
LEM_API double lem_oprf_log_second_moment(double phi, double d); /* at rho* */
/* At another rho > 0 (finite; else GSL_EDOM). */
LEM_API double lem_oprf_log_second_moment_at(double rho, double phi, double d);

#ifdef __cplusplus
}
#endif
#endif
