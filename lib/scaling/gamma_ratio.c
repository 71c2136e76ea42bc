#include "scaling/gamma_ratio.h"
#include "projection/gamma_tail.h"

#include <math.h>
#include <stdbool.h>

double lem_gamma_ratio(double a, double c) {
    double product = 1, b = a;
    for (; b < 16; b++)
        product *= b / (b + c);
    const double shifted =
        (b + c - 0.5) * log1p(c / b) - c + lem_stirling_remainder(b + c) - lem_stirling_remainder(b);
    return product * exp(shifted + c * log(b / a));
}

static double incomplete(double a, double x, bool upper) {
    if (!(x > 0))
        return upper;
    if (isinf(x))
        return !upper;
    return lem_scaled_value(lem_gamma_tail(a, (x - a) / a, x / a, upper));
}

double lem_gamma_below(double a, double x) {
    return incomplete(a, x, false);
}

double lem_gamma_above(double a, double x) {
    return incomplete(a, x, true);
}
