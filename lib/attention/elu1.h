/* The feature elu1(x) = 1 + x for x >= 0, e^x below (feature_map.h), of a Gaussian coordinate.
 *
 * x ~ N(0, s^2), 0 <= s <= 1e150; else NaN and GSL_EDOM. To 64 machine epsilons. Thread-safe. Source: claim
 * lin.entropy-linear. */
#ifndef LEM_ATTENTION_ELU1_H
#define LEM_ATTENTION_ELU1_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* E elu1(x) = 1/2 + s/sqrt(2 pi) + e^(s^2/2) Phi(-s). */
LEM_API double lem_elu1_gaussian_mean(double s);

/* Var elu1(x) / (E elu1(x))^2, with E elu1^2 = 1/2 + 2s/sqrt(2 pi) + s^2/2 + e^(2 s^2) Phi(-2s); s^2 (1 +
 * ...) near 0, and pi - 1 at infinity. */
LEM_API double lem_elu1_gaussian_cv2(double s);

#ifdef __cplusplus
}
#endif
#endif
