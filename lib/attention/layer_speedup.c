#include "attention/layer_speedup.h"

#include <math.h>

static int check(double x, double least, const char *name) {
    if (!(x >= least) || x > 0x1p53 || x != floor(x))
        return LEM_ERROR(GSL_EDOM, "%s = %g: must be a whole number from %g to 2^53", name, x, least);
    return GSL_SUCCESS;
}

double lem_layer_speedup(double n, double D, double m) {
    if (check(n, 1, "n") || check(D, 0, "D") || check(m, 1, "m"))
        return (double)NAN;
    return (n + 6 * D) / (2 * m + 6 * D);
}
