/* E tanh^2(y), y = sigma g/sqrt 2, by the trapezoidal rule of step 0.3 in g, or for sigma > 1 in sigma g,
 * where 1 - tanh^2 takes the place of tanh^2. The poles stand pi/sqrt 2 off the line, in units of sigma g:
 * the rule is off by exp(-2 pi (pi/sqrt 2)/0.3) = 6e-21 times a pole's worth. Nodes end where the normal
 * density, or 1 - tanh^2 <= 4 e^(-sqrt 2 |sigma g|), is below 1e-19. */
#include "attention/noisy.h"

#include <gsl/gsl_math.h>
#include <math.h>

static const double STEP = 0.3;

static double small(double sigma) {
    double sum = 0;
    for (int k = 1; k <= 31; k++) {
        const double g = STEP * k, y = tanh(sigma * g / M_SQRT2);
        sum += exp(-g * g / 2) * y * y;
    }
    return 2 * STEP * sum / sqrt(2 * M_PI);
}

/* E[1 - tanh^2] */
static double missing(double sigma) {
    double sum = 0.5;
    for (int k = 1; k <= 110; k++) {
        const double x = STEP * k, g = x / sigma, c = 1 / cosh(x / M_SQRT2);
        sum += exp(-g * g / 2) * c * c;
    }
    return 2 * STEP * sum / sqrt(2 * M_PI) / sigma;
}

double lem_tie_mse_gauss(double sigma) {
    if (!(sigma >= 0))
        return LEM_ERROR_NAN(GSL_EDOM, "sigma = %g: must be >= 0", sigma);
    return sigma <= 1 ? small(sigma) / 4 : (1 - missing(sigma)) / 4;
}
