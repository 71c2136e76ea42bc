#include "scaling/share_power.h"

#include <math.h>

double lem_share_power(double y, double gamma) {
    const double s = 1 + gamma, lost = gamma > 1 ? 1 - (s - gamma) : gamma - (s - 1), c = gamma / s;
    const double rest = (fma(-c, s, gamma) - c * lost) / s; /* the true c is c + rest */
    return pow(y, c) * (1 + rest * log(y));
}
