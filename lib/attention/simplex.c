#include "attention/simplex.h"
#include "attention/quadrature.h"
#include "attention/rf_series.h"

#include <math.h>

typedef struct {
    double d, t;
} context;

/* psi = theta - pi/2 */
static double weight_at(double psi, const void *ctx) {
    const double d = ((const context *)ctx)->d, c = cos(psi);
    return c > 0 ? exp((d - 1) * log(c)) : 0;
}

static double weighted_moment(double psi, const void *ctx) {
    const context *c = ctx;
    return weight_at(psi, ctx) * lem_pair_series(c->d, c->t * (1 - cos(psi) / (c->d - 1)));
}

double lem_simplex_pair_moment(double d, double t) {
    if (!(d >= 2) || d > 0x1p20 || d != floor(d))
        return LEM_ERROR_NAN(GSL_EDOM, "d = %g: must be a whole number from 2 to 2^20", d);
    if (!(t >= 0) || t > LEM_RF_MOST)
        return LEM_ERROR_NAN(GSL_EDOM, "t = %g: must be between 0 and %g", t, LEM_RF_MOST);
    /* cos^(d-1) psi <= exp(-(d - 1) psi^2/2): beyond 10/sqrt(d - 1) standard widths lies less than 1e-22 of
     * the mass; the moment grows by at most exp(t psi^2/(2(d - 1))) on the way, which counts for small d
     * only, where the whole half circle is taken. */
    const double edge = d > 64 ? 10 / sqrt(d - 1) : M_PI_2;
    const context c = {d, t};
    const size_t panels = 8 + (size_t)sqrt(t);
    return lem_panel_integral(weighted_moment, &c, 0, edge, panels) /
           lem_panel_integral(weight_at, &c, 0, edge, panels);
}
