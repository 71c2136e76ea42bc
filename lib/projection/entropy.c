#include "projection/entropy.h"
#include "projection/gamma_tail.h"

#include <math.h>

/* DEBYE[k-1][j] is the coefficient of p^(k+2j) in Debye's polynomial u_k, from the recurrence DLMF 10.41.9.
 */
enum { DEBYE_ORDERS = 11 };
/* clang-format off */
static const double DEBYE[DEBYE_ORDERS][DEBYE_ORDERS + 1] = {
    {0.125, -0.20833333333333333},
    {0.0703125, -0.40104166666666667, 0.33420138888888889},
    {0.0732421875, -0.8912109375, 1.8464626736111111, -1.0258125964506173},
    {0.112152099609375, -2.3640869140625, 8.78912353515625, -11.207002616222994, 4.6695844234262474},
    {0.22710800170898438, -7.3687943594796317, 42.534998745388455, -91.818241543240017, 84.636217674600735, -28.212072558200245},
    {0.57250142097473145, -26.491430486951556, 218.19051174421159, -699.57962737613254, 1059.9904525279999, -765.25246814118164, 212.57013003921712},
    {1.7277275025844574, -108.09091978839466, 1200.9029132163525, -5305.6469786134031, 11655.393336864533, -13586.550006434137, 8061.7221817373094, -1919.457662318407},
    {6.074042001273483, -493.91530477308801, 7109.5143024893637, -41192.654968897551, 122200.46498301746, -203400.17728041553, 192547.00123253153, -96980.598388637513, 20204.291330966149},
    {24.380529699556064, -2499.8304818112096, 45218.768981362726, -331645.17248456358, 1268365.2733216248, -2813563.2265865341, 3763271.297656404, -2998015.9185381068, 1311763.6146629772, -242919.18790055133},
    {110.01714026924674, -13886.089753717041, 308186.4046126624, -2785618.1280864547, 13288767.166421818, -37567176.660763351, 66344512.274729027, -74105148.211532658, 50952602.492664642, -19706819.118432227, 3284469.8530720378},
    {551.33589612202059, -84005.433603024085, 2243768.1779224494, -24474062.725738728, 142062907.7975331, -495889784.27503031, 1106842816.8230145, -1621080552.1083371, 1553596899.5705801, -939462359.6815784, 325573074.18576575, -49329253.664509962},
};
/* clang-format on */

/* h = log F - 2 z F'/F with F = sum_k z^k/(k! (nu+1)_k), z = kappa^2/4. */
static double gap_by_series(double nu, double z) {
    double term = 1, sum = 0, weighted = 0;
    for (double k = 1; k * term > 1e-17 * weighted; k++) {
        term *= z / (k * (nu + k));
        sum += term;
        weighted += k * term;
    }
    return log1p(sum) - 2 * weighted / (1 + sum);
}

/* With kappa = nu x, q = sqrt(1 + x^2), p = 1/q and U = sum u_k(p)/nu^k:
 * h = -nu log((1+q)/2) - log(q)/2 + (1-p^2)/2 + r(nu) + log U + p (1-p^2) U'(p)/U,
 * r the remainder of Stirling's formula for Gamma(nu). The terms +-nu (q - 1) have cancelled on paper. */
static double gap_by_debye(double nu, double x) {
    double q = hypot(1, x), p = 1 / q, square = p * p;
    double u = 0, slope = 0; /* U - 1 and p U'(p) */
    for (int k = DEBYE_ORDERS; k >= 1; k--) {
        double value = 0, derivative = 0;
        for (int j = k; j >= 0; j--) {
            value = value * square + DEBYE[k - 1][j];
            derivative = derivative * square + (k + 2 * j) * DEBYE[k - 1][j];
        }
        /* Horner's rule in p/nu: u_k carries p^k. */
        u = (u + value) * p / nu;
        slope = (slope + derivative) * p / nu;
    }
    /* 1 - p^2 = x^2 p^2 */
    double rest = (x * p) * (x * p);
    return -nu * log1p(x * (x / (2 * (1 + q)))) - log(q) / 2 + rest / 2 + lem_stirling_remainder(nu) +
           log1p(u) + rest * slope / (1 + u);
}

/* log I_nu = kappa - log(2 pi kappa)/2 + log H, H = sum (-1)^k a_k(nu)/kappa^k; the terms +-kappa have
 * cancelled on paper. At kappa >= max(20, nu^2) the terms fall below 1e-17 before they grow. */
static double gap_by_hankel(double nu, double kappa) {
    double term = 1, sum = 0, slope = 0; /* H - 1 and kappa H'(kappa) */
    for (double k = 1; k < 60; k++) {
        double next = -term * (4 * nu * nu - (2 * k - 1) * (2 * k - 1)) / (8 * k * kappa);
        if (fabs(next) < 1e-18 || (k > nu && fabs(next) > fabs(term)))
            break;
        term = next;
        sum += term;
        slope -= k * term;
    }
    return log(tgamma(nu + 1)) + (nu + 0.5) * (1 - log(kappa / 2)) - log(M_PI) / 2 - M_LN2 + log1p(sum) -
           slope / (1 + sum);
}

static double gap(double n, double beta) {
    double nu = n / 2 - 1, kappa = beta * n;
    double series_up_to = nu < 7 ? fmax(20, nu * nu) : nu < 24 ? 50 : 0;
    if (beta * beta * n <= 60 || kappa <= series_up_to)
        return gap_by_series(nu, kappa / 2 * (kappa / 2));
    return nu < 7 ? gap_by_hankel(nu, kappa) : gap_by_debye(nu, kappa / nu);
}

double lem_skipgram_entropy_gap(double n, double beta) {
    if (!(n >= 2) || !isfinite(n))
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: must be >= 2 and finite", n);
    if (!(beta >= 0) || !isfinite(beta))
        return LEM_ERROR_NAN(GSL_EDOM, "beta = %g: must be >= 0 and finite", beta);
    return gap(n, beta);
}

double lem_embedding_dim_threshold(double N, double beta, lem_entropy_mode mode) {
    const double largest = 9007199254740992.0; /* 2^53 */
    if (!(N >= 2 && N <= largest && floor(N) == N))
        return LEM_ERROR_NAN(GSL_EDOM, "N = %g: must be a whole number from 2 to 2^53", N);
    if (!(beta > 0) || !isfinite(beta))
        return LEM_ERROR_NAN(GSL_EDOM, "beta = %g: must be > 0 and finite", beta);
    if (mode != LEM_ENTROPY_JOINT && mode != LEM_ENTROPY_ROW)
        return LEM_ERROR_NAN(GSL_EINVAL, "mode = %d: must be LEM_ENTROPY_JOINT or LEM_ENTROPY_ROW",
                             (int)mode);
    double entropy = (mode == LEM_ENTROPY_JOINT ? 2 : 1) * log(N);
    if (entropy + gap(2, beta) < 0)
        return LEM_ERROR_NAN(
            GSL_EDOM, "beta = %g: no threshold, the entropy %g + h_2(beta) is negative already at n = 2",
            beta, entropy);
    double low = 2, high = 4;
    while (entropy + gap(high, beta) >= 0) {
        low = high;
        high *= 2;
        if (high > 2 * largest)
            return LEM_ERROR_NAN(GSL_ERANGE, "beta = %g: the threshold would exceed 2^53", beta);
    }
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return low;
        if (entropy + gap(middle, beta) >= 0)
            low = middle;
        else
            high = middle;
    }
}

double lem_embedding_dim_coefficient(double beta) {
    if (!(beta > 0) || !isfinite(beta))
        return LEM_ERROR_NAN(GSL_EDOM, "beta = %g: must be > 0 and finite", beta);
    /* (sqrt(1 + 4 beta^2) - 1)/2 without cancellation. */
    return 4 / log1p(2 * beta * (beta / (1 + hypot(1, 2 * beta))));
}
