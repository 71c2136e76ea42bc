#include "scaling/quanta_check.h"
#include "base/error.h"

#include <math.h>

int lem_quanta_check_gamma(double gamma) {
    if (!(gamma >= 1e-300) || gamma > 1000)
        return LEM_ERROR(GSL_EDOM, "gamma = %g: must be positive (at least 1e-300) and at most 1000", gamma);
    return GSL_SUCCESS;
}

int lem_quanta_check_count(const char *name, double n) {
    if (!(n >= 0) || !isfinite(n))
        return LEM_ERROR(GSL_EDOM, "%s = %g: must be finite and not negative", name, n);
    return GSL_SUCCESS;
}

int lem_quanta_check_tau(double tau, double most) {
    if (!(tau >= 1) || tau > most || tau != floor(tau))
        return LEM_ERROR(GSL_EDOM, "tau = %g: must be a whole number from 1 to %g", tau, most);
    return GSL_SUCCESS;
}

int lem_quanta_check_samples(double D) {
    if (!(D >= 0) || !isfinite(D))
        return LEM_ERROR(GSL_EDOM, "D = %g: must be finite and not negative", D);
    return GSL_SUCCESS;
}

int lem_quanta_check_whole_samples(double D) {
    if (!(D >= 0) || D > 0x1p53 || D != floor(D))
        return LEM_ERROR(GSL_EDOM, "D = %g: must be a whole number from 0 to 2^53", D);
    return GSL_SUCCESS;
}

int lem_quanta_check_resources(double D, double tau, double most_tau, double gamma) {
    const int bad =
        lem_quanta_check_samples(D) || lem_quanta_check_tau(tau, most_tau) || lem_quanta_check_gamma(gamma);
    return bad ? GSL_EDOM : GSL_SUCCESS;
}

double lem_quanta_bounded(double value, const char *name) {
    if (isinf(value))
        return LEM_ERROR_NAN(GSL_EOVRFLW, "%s exceeds the range of double", name);
    return value;
}
