#include "walk/anharmonic.h"
#include "walk/check.h"
#include "walk/sinc_dvr.h"

#include <math.h>

/* In units of length l and energy e = kinetic hbar^2/l^2 the Hamiltonian is -d^2/dx^2 + b x^2 + c x^4, with
 * l chosen so that b + c = 1. The ground state falls like exp(-int sqrt(b x^2 + c x^4) dx): the box ends
 * where that is exp(-36), and no farther, since rounding is of the potential there. Its momenta end below
 * pi/h. */
static const double MESH = 0.25, DECAY = 36;

typedef struct {
    double b, c;
} well;

static int potential(double x, double t, const void *ctx, double *value) {
    const well *w = ctx;
    (void)t;
    *value = x * x * (w->b + w->c * x * x);
    return GSL_SUCCESS;
}

/* int_0^x sqrt(b y^2 + c y^4) dy = ((b + c x^2)^(3/2) - b^(3/2))/(3 c), written without the difference. */
static double decay(const well *w, double x) {
    const double far = sqrt(w->b + w->c * x * x), near = sqrt(w->b);
    return x * x * (far * far + far * near + near * near) / (3 * (far + near));
}

static size_t half_nodes(const well *w) {
    size_t n = 1;
    while (decay(w, ((double)n - .5) * MESH) < DECAY)
        n++;
    return n;
}

/* q = 1/l^2 with quadratic/q + quartic/q^2 = kinetic hbar^2 q, by Newton's method from above: the difference
 * is convex and decreasing in 1/q. */
static double inverse_square_length(double kinetic, double quadratic, double quartic, double hbar) {
    const double k = kinetic * hbar * hbar;
    double q = fmax(sqrt(quadratic / k), cbrt(quartic / k)) * 2;
    for (int i = 0; i < 100; i++) {
        const double excess = k * q * q * q - quadratic * q - quartic, slope = 3 * k * q * q - quadratic;
        const double next = q - excess / slope;
        if (!(next < q))
            break;
        q = next;
    }
    return q;
}

double lem_anharmonic_ground_energy(double kinetic, double quadratic, double quartic, double hbar) {
    if (lem_walk_check_positive(kinetic, "kinetic") || lem_walk_check_positive(hbar, "hbar"))
        return NAN;
    if (!(quadratic >= 0) || !(quartic >= 0) || !(quadratic + quartic > 0) || isinf(quadratic + quartic))
        return LEM_ERROR_NAN(GSL_EDOM, "quadratic = %g, quartic = %g: must be >= 0, not both 0, and finite",
                             quadratic, quartic);
    if (!isnormal(kinetic * hbar * hbar))
        return LEM_ERROR_NAN(GSL_ERANGE,
                             "kinetic = %g, hbar = %g: kinetic hbar^2 must be in the range of double",
                             kinetic, hbar);
    const double q = inverse_square_length(kinetic, quadratic, quartic, hbar);
    const double energy = kinetic * hbar * hbar * q;
    const well w = {quadratic / q / energy, quartic / (q * q) / energy};
    const size_t n = half_nodes(&w); /* nodes at +-h/2, +-3h/2, ... */
    lem_spectrum *s = lem_sinc_dvr(&(lem_field){potential, &w}, sqrt(2), ((double)n - .5) * MESH, 2 * n);
    if (!s)
        return NAN;
    const double ground = energy * lem_spectrum_energy(s, 0);
    lem_spectrum_free(s);
    return lem_walk_bounded(ground, "the energy");
}

/* With y = -psi'/psi = x + sum g^n y_n, the equation y^2 - y' = x^2 + 2 g x^4 - 2 E gives
 *     2 x y_n - y_n' + sum_{0<i<n} y_i y_{n-i} = 2 x^4 [n = 1] - 2 E_n,   y_n = sum_k c_nk x^(2k+1), k <= n,
 * so that E_n = c_n0/2. From the highest power down, all terms of c_nk have the sign of (-1)^(n+1). */
double lem_anharmonic_series_coefficient(size_t order) {
    if (order > LEM_ANHARMONIC_MAX_ORDER)
        return LEM_ERROR_NAN(GSL_EDOM, "order = %zu: must be at most %d", order, LEM_ANHARMONIC_MAX_ORDER);
    if (order == 0)
        return .5;
    double c[LEM_ANHARMONIC_MAX_ORDER + 1][LEM_ANHARMONIC_MAX_ORDER + 2] = {{0}};
    for (size_t n = 1; n <= order; n++)
        for (size_t k = n + 1; k-- > 0;) {
            double product = n == 1 && k == 1 ? -2 : 0; /* of x^(2k+2) */
            for (size_t i = 1; i < n; i++)
                for (size_t a = k > n - i ? k - (n - i) : 0; a <= i && a <= k; a++)
                    product += c[i][a] * c[n - i][k - a];
            c[n][k] = ((2 * (double)k + 3) * c[n][k + 1] - product) / 2;
        }
    return c[order][0] / 2;
}
