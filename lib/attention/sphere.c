#include "attention/sphere.h"
#include "attention/rf_series.h"

#include <math.h>

static int check(double value, const char *name, double d) {
    if (!(d >= 2) || d > 1e150)
        return LEM_ERROR(GSL_EDOM, "d = %g: must be between 2 and 1e150", d);
    if (!(value >= 0) || value > 1e150)
        return LEM_ERROR(GSL_EDOM, "%s = %g: must be between 0 and 1e150", name, value);
    return GSL_SUCCESS;
}

/* --- the uniform expansion ---------------------------------------------------------------------------------
 *
 * log I_nu(x) = R + nu log(x/(nu + R)) - log(2 pi R)/2 + L,   L = sum_k R^-k sum_{j <= k} c_kj p^(2j),
 * R = sqrt(nu^2 + x^2), p = nu/R. The inner sums are the coefficients of the logarithm of the series of Debye
 * polynomials u_k(p) (DLMF 10.41.9), computed in rational arithmetic and rounded. */

enum { TERMS = 16 };
static const double c[TERMS][TERMS + 1] = {
    {0.125, -0.20833333333333334},
    {0.0625, -0.375, 0.3125},
    {0.06510416666666667, -0.8296875, 1.7265625, -0.9592013888888888},
    {0.1015625, -2.21875, 8.296875, -10.59375, 4.4140625},
    {0.2095703125, -6.982282366071429, 40.542751736111114, -87.693359375, 80.8837890625, -26.961263020833332},
    {0.5364583333333334, -25.3125, 209.625, -673.625, 1021.640625, -737.8125, 204.94791666666666},
    {1.6380658830915178, -103.97592163085938, 1160.8294372558594, -5140.211273193359, 11304.659503173829,
     -13184.767364501953, 7824.899444580078, -1863.07129632859},
    {5.809814453125, -477.615234375, 6904.2763671875, -40090.447265625, 119071.95263671875, -198321.806640625,
     187801.9013671875, -94603.037109375, 19708.966064453125},
    {23.475127749972874, -2427.2885336442428, 44069.78581237793, -323875.5657704671, 1240124.8821487427,
     -2752869.211418152, 3683609.1391855874, -2935198.3014678955, 1284393.7849998474, -237850.70092589766},
    {106.467822265625, -13526.99560546875, 301187.0236816406, -2727462.591796875, 13026405.797363281,
     -36852414.786914065, 65112147.795410156, -72748886.00585938, 50027742.52075195, -19350359.06982422,
     3225059.844970703},
    {535.640519510616, -82046.56579866775, 2197624.750671816, -24011994.284158945, 139535179.1724906,
     -487422412.2709402, 1088470361.2907014, -1594676024.676859, 1528592829.647338, -924445055.3424871,
     320384038.82623315, -48543036.1857929},
    {2960.739786783854, -538164.052734375, 17067704.537109375, -221216118.06429037, 1533944655.227417,
     -6461280179.630859, 17683879971.17871, -32540336002.749023, 40681628863.23303, -34134822577.796875,
     18421426618.901367, -5782944462.414551, 803186730.8909098},
    {17837.279688947478, -3796291.86355564, 140670288.44702286, -2132565033.6329174, 17370310085.639664,
     -86609634147.52127, 283920568841.2898, -636666163048.9065, 994814458001.1244, -1084020120561.0471,
     808600469860.3251, -393948450551.5325, 113024563355.74345, -14490328635.351725},
    {116339.24666050503, -28661512.79333496, 1226861211.3799438, -21498506623.404053, 203041114120.92133,
     -1180642595897.981, 4553603191973.523, -12166897295124.809, 23063249159261.42, -31286182108111.44,
     30201361514325.797, -20274439672064.523, 9002140801232.809, -2378033097390.976, 283099178260.83044},
    {816737.8421910767, -230617077.2772755, 11292487199.24038, -226421038138.7713, 2452510639437.657,
     -16427795456250.053, 73482349862697.81, -229900443342745.06, 517110567289449.06, -847882684350369.8,
     1015628464472705.2, -879774777394467.8, 536843489094318.75, -218953691660166.5, 53592040346253.26,
     -5954671149583.695},
    {6140798.86346674, -1970183518.4214706, 109420856853.88167, -2488481617144.3955, 30625491384920.305,
     -233879392194313.8, 1199016842659803.2, -4331517981214049.5, 1.136435002093523e+16,
     -2.203550059017656e+16, 3.180725498076936e+16, -3.409625789188882e+16, 2.6781207568446344e+16,
     -1.4977681044237838e+16, 5648587680755219.0, -1287990318626554.8, 134165658190266.12},
};
static const double EXPANSION_FROM = 28, STIRLING_FROM = 20;

typedef struct {
    double nu, R;
    double rise;  /* R - nu */
    double sine2; /* (x/R)^2 = 1 - p^2 */
    double L;
    double slope; /* -(R^2/x) dL/dx */
} expansion;

static int expands(double x, double d) {
    return x > sqrt(d) && hypot(d / 2 - 1, x) >= EXPANSION_FROM;
}

static expansion expand(double x, double d) {
    expansion e = {.nu = d / 2 - 1, .R = hypot(d / 2 - 1, x)};
    e.rise = x * (x / (e.R + e.nu));
    e.sine2 = x / e.R * (x / e.R);
    const double p2 = e.nu / e.R * (e.nu / e.R);
    for (int k = TERMS; k >= 1; k--) {
        double value = 0, slope = 0;
        for (int j = k; j >= 0; j--) {
            value = value * p2 + c[k - 1][j];
            slope = slope * p2 + c[k - 1][j] * (k + 2 * j);
        }
        e.L = (e.L + value) / e.R;
        e.slope = (e.slope + slope) / e.R;
    }
    return e;
}

/* log Gamma(z + 1) - [z log z - z + log(2 pi z)/2], z >= 20: what is left out is below 1e-20. */
static double stirling(double z) {
    static const double b[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                               1.0 / 1188, -691.0 / 360360, 1.0 / 156};
    double sum = 0;
    for (int k = 6; k >= 0; k--)
        sum = sum / z / z + b[k];
    return sum / z;
}

/* log Gamma(z + 1), 0 <= z < 20, from 20 steps further up. */
static double log_factorial(double z) {
    double product = 1;
    const double up = z + STIRLING_FROM;
    for (int i = 1; i <= (int)STIRLING_FROM; i++)
        product *= z + i;
    return up * log(up) - up + log(2 * M_PI * up) / 2 + stirling(up) - log(product);
}

/* rise - log M(x), which D and log M share: with Stirling's formula its large parts are gone. */
static double shared(const expansion *e) {
    if (e->nu >= STIRLING_FROM)
        return e->nu * log1p(e->rise / e->nu / 2) + log1p(e->rise / e->nu) / 2 - stirling(e->nu) - e->L;
    return e->nu * (log((e->nu + e->R) / 2) - 1) + log(2 * M_PI * e->R) / 2 - log_factorial(e->nu) - e->L;
}

/* --- near the origin ---------------------------------------------------------------------------------------
 */

/* I_{nu+1}(x)/I_nu(x) = r_nu, r_nu = 1/(2 (nu + 1)/x + r_{nu+1}), begun forty steps further up with a bound
 * (Amos 1974) that is off by a few percent there; each step multiplies the error by r^2, all of them by less
 * than 1e-20 where x < 28 or x^2 <= d. */
static double ratio(double x, double nu) {
    if (x == 0)
        return 0;
    const double top = nu + 40;
    double r = x / (top + 0.5 + hypot(x, top + 1.5));
    for (int i = 39; i >= 0; i--)
        r = x / (2 * (nu + i + 1) + x * r);
    return r;
}

static double series(double x, double d) {
    return log1p(lem_sphere_moment_m1(d, x * x));
}

double lem_log_mgf_cosine(double alpha, double d) {
    if (check(alpha, "alpha", d))
        return (double)NAN;
    if (!expands(alpha, d))
        return series(alpha, d);
    const expansion e = expand(alpha, d);
    return e.rise - shared(&e);
}

double lem_vmf_mean_resultant(double kappa, double d) {
    if (check(kappa, "kappa", d))
        return (double)NAN;
    if (!expands(kappa, d))
        return ratio(kappa, d / 2 - 1);
    const expansion e = expand(kappa, d);
    return kappa / (e.R + e.nu) - kappa / e.R * ((0.5 + e.slope) / e.R);
}

double lem_vmf_mean_deficit(double kappa, double d) {
    if (check(kappa, "kappa", d))
        return (double)NAN;
    if (!expands(kappa, d)) /* at most 28/(28 + 1/2) or so */
        return 1 - ratio(kappa, d / 2 - 1);
    const expansion e = expand(kappa, d);
    const double less = e.nu * (e.nu / (e.R + kappa)); /* R - kappa */
    return (less + e.nu) / (e.R + e.nu) + kappa / e.R * ((0.5 + e.slope) / e.R);
}

double lem_vmf_kl_uniform(double kappa, double d) {
    if (check(kappa, "kappa", d))
        return (double)NAN;
    if (!expands(kappa, d)) /* the first is about twice the second while both are small */
        return kappa * ratio(kappa, d / 2 - 1) - series(kappa, d);
    const expansion e = expand(kappa, d);
    return shared(&e) - e.sine2 * (0.5 + e.slope);
}
