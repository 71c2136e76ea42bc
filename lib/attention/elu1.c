#include "attention/elu1.h"

#include <math.h>

/* From s = 1/2 on the closed forms lose at most a factor of ten; below, everything of first order in s
 * cancels and the series of e^(s^2/2) Phi(-s) = 1/2 sum_k (-z)^k/Gamma(k/2 + 1), z = s/sqrt(2), takes their
 * place. */
static const double SMALL = 0.5;

static int check(double s) {
    if (!(s >= 0 && s <= 1e150))
        return LEM_ERROR(GSL_EDOM, "s = %g: must be between 0 and 1e150", s);
    return GSL_SUCCESS;
}

/* e^(s^2/2) Phi(-s). */
static double scaled_tail(double s) {
    const double x = s * M_SQRT1_2;
    if (x < 5) {
        const double square = s * s / 2;
        return 0.5 * exp(square) * (1 + fma(s / 2, s, -square)) * erfc(x);
    }
    /* Laplace's continued fraction backwards; 40 levels leave less than 1e-17 at x = 5. */
    double tail = x;
    for (int i = 40; i >= 1; i--)
        tail = x + 0.5 * i / tail;
    return 0.5 / (sqrt(M_PI) * tail);
}

/* 1/2 sum_{k >= 2} (a 2^k + b) (-z)^k/Gamma(k/2 + 1). Terms (2z)^k/Gamma(k/2 + 1), 2z <= 0.71: 32 of them. */
static double series(double s, double a, double b) {
    const double z = s * M_SQRT1_2;
    double inverse_gamma[2] = {1, M_2_SQRTPI}; /* 1/Gamma(k/2 + 1), for the last even and odd k */
    double sum = 0, power = -z, two = 2;
    for (int k = 2; k <= 40; k++) {
        power *= -z, two *= 2;
        inverse_gamma[k % 2] /= k / 2.0;
        const double term = (a * two + b) * power * inverse_gamma[k % 2];
        sum += term;
        if (fabs(term) <= 1e-18 * fabs(sum))
            break;
    }
    return 0.5 * sum;
}

/* E[elu1 - 1] */
static double mean_less_one(double s) {
    if (s < SMALL)
        return series(s, 0, 1);
    return s / sqrt(2 * M_PI) + scaled_tail(s) - 0.5;
}

double lem_elu1_gaussian_mean(double s) {
    return check(s) ? NAN : 1 + mean_less_one(s);
}

double lem_elu1_gaussian_cv2(double s) {
    if (check(s))
        return NAN;
    /* E[(e^x - 1)^2; x < 0], and the variance as that of elu1 - 1. */
    const double below = s < SMALL ? series(s, 1, -2) : scaled_tail(2 * s) - 2 * scaled_tail(s) + 0.5;
    const double less = mean_less_one(s), mean = 1 + less;
    /* by quotients, so that nothing overflows at large s */
    return (s / mean) * (s / mean) / 2 + below / mean / mean - (less / mean) * (less / mean);
}
