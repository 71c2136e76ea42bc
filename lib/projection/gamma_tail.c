#include "projection/gamma_tail.h"

#include <math.h>

/* Coefficients of Temme's uniform expansion (Temme 1979, SIAM J. Math. Anal. 10, 757; DLMF 8.12): row k holds
 * the Taylor coefficients in eta of C_k, from C_0 = 1/mu - 1/eta and
 * eta C_k = C_{k-1}' + (eta/mu) g_k, where mu = e, eta^2/2 = mu - log(1 + mu) and sum g_k a^-k expands
 * sqrt(2 pi/a) (a/e)^a / Gamma(a). */
enum { TEMME_ORDERS = 8, TEMME_TERMS = 18 };
/* clang-format off */
static const double TEMME[TEMME_ORDERS][TEMME_TERMS] = {
    {-0.33333333333333333, 0.083333333333333333, -0.014814814814814815, 0.0011574074074074074, 0.0003527336860670194, -0.00017875514403292181, 3.9192631785224378e-5, -2.1854485106799922e-6, -1.85406221071516e-6, 8.296711340953086e-7, -1.7665952736826079e-7, 6.7078535434014986e-9, 1.0261809784240308e-8, -4.3820360184533532e-9, 9.1476995822367902e-10, -2.551419399494625e-11, -5.8307721325504251e-11, 2.4361948020667416e-11},
    {-0.0018518518518518519, -0.0034722222222222222, 0.0026455026455026455, -0.00099022633744855967, 0.00020576131687242798, -4.0187757201646091e-7, -1.8098550334489978e-5, 7.6491609160811101e-6, -1.6120900894563446e-6, 4.6471278028074343e-9, 1.378633446915721e-7, -5.752545603517705e-8, 1.1951628599778147e-8, -1.7543241719747648e-11, -1.0091543710600413e-9, 4.1627929918425826e-10, -8.5639070264929806e-11, 6.0672151016047586e-14},
    {0.0041335978835978836, -0.0026813271604938272, 0.00077160493827160494, 2.0093878600823045e-6, -0.00010736653226365161, 5.2923448829120125e-5, -1.2760635188618728e-5, 3.4235787340961381e-8, 1.3721957309062933e-6, -6.298992138380055e-7, 1.4280614206064242e-7, -2.0477098421990866e-10, -1.4092529910867521e-8, 6.228974084922022e-9, -1.3670488396617113e-9, 9.4283561590146782e-13, 1.2872252400089318e-10, -5.5645956134363321e-11},
    {0.00064943415637860082, 0.00022947209362139918, -0.00046918949439525571, 0.00026772063206283885, -7.5618016718839764e-5, -2.3965051138672967e-7, 1.1082654115347302e-5, -5.6749528269915966e-6, 1.4230900732435884e-6, -2.7861080291528142e-11, -1.6958404091930277e-7, 8.0994649053880824e-8, -1.9111168485973654e-8, 2.3928620439808118e-12, 2.0620131815488798e-9, -9.4604966618551322e-10, 2.1541049775774908e-10, -1.388823336813903e-14},
    {-0.0008618882909167117, 0.00078403922172006663, -0.00029907248030319018, -1.4638452578843418e-6, 6.6414982154651222e-5, -3.9683650471794347e-5, 1.1375726970678419e-5, 2.5074972262375328e-10, -1.6954149536558306e-6, 8.9075075322053097e-7, -2.2929348340008049e-7, 2.956794137544049e-11, 2.8865829742708784e-8, -1.4189739437803219e-8, 3.4463580499464897e-9, -2.3024517174528067e-13, -3.9409233028046405e-10, 1.8602338968504502e-10},
    {-0.00033679855336635815, -6.9728137583658578e-5, 0.00027727532449593921, -0.00019932570516188848, 6.7977804779372078e-5, 1.419062920643967e-7, -1.3594048189768693e-5, 8.0184702563342015e-6, -2.2914811765080952e-6, -3.252473551298454e-10, 3.4652846491085265e-7, -1.8447187191171343e-7, 4.8240967037894181e-8, -1.7989466721743515e-14, -6.3061945000135234e-9, 3.1624176287745679e-9, -7.8409242536974293e-10, 5.1926791652540407e-15},
    {0.00053130793646399222, -0.00059216643735369388, 0.00027087820967180448, 7.9023532326603279e-7, -8.1539693675619688e-5, 5.6116827531062497e-5, -1.8329116582843376e-5, -3.0796134506033048e-9, 3.4651553688036091e-6, -2.0291327396058604e-6, 5.7887928631490037e-7, 2.338630673826657e-13, -8.8286007463304835e-8, 4.7435958880408128e-8, -1.2545415020710382e-8, 8.6496488580102925e-14, 1.6846058979264063e-9, -8.5754928235775947e-10},
    {0.00034436760689237767, 5.1717909082605922e-5, -0.00033493161081142236, 0.0002812695154763237, -0.00010976582244684731, -1.2741009095484485e-7, 2.7744451511563644e-5, -1.8263488805711333e-5, 5.7876949497350524e-6, 4.9387589339362704e-10, -1.0595367014026043e-6, 6.1667143761104075e-7, -1.7562973359060462e-7, -1.2974473287015439e-12, 2.695423606288966e-8, -1.4578352908731271e-8, 3.887645959386175e-9, -3.8810022510194121e-17},
};
/* clang-format on */

double lem_scaled_value(lem_scaled s) {
    return s.mantissa * exp(s.hi) * (1 + s.lo);
}

double lem_scaled_log(lem_scaled s) {
    return s.hi + (s.lo + log(s.mantissa));
}

double lem_log1p_minus(double e, double r) {
    if (e < -0.75)
        return log(r) - e;
    if (e > 2)
        return log1p(e) - e;
    /* With s = e/(2 + e): log(1+e) = 2 artanh(s) and 2 s - e = -e^2/(2+e), so that
     * log(1+e) - e = -e^2/(2+e) + 2 s^3 (1/3 + s^2/5 + ...). The first part carries its rounding error: the
     * exponents of tails are multiples of this, and their last bits count. */
    double s = e / (2 + e), square = s * s, power = 1, sum = 0;
    for (double k = 3; power > 1e-18; k += 2) {
        sum += power / k;
        power *= square;
    }
    double top = e * e, bottom = 2 + e, quotient = top / bottom;
    double error = (fma(-quotient, bottom, top) + fma(e, e, -top) - quotient * (e - (bottom - 2))) / bottom;
    return -quotient + (2 * s * square * sum - error);
}

double lem_stirling_remainder(double a) {
    if (a < 15)
        return -log(lem_gamma_peak(a) * sqrt(2 * M_PI / a));
    /* The first omitted term, 691/(360360 a^11), is below 3e-16 at a = 15. */
    double z = 1 / (a * a);
    return (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188))))) / a;
}

double lem_gamma_peak(double a) {
    if (a < 15)
        return pow(a, a) * exp(-a) / tgamma(a);
    return sqrt(a / (2 * M_PI)) * exp(-lem_stirling_remainder(a));
}

double lem_gamma_half_ratio(double a) {
    if (a < 15)
        return tgamma(a + 0.5) / tgamma(a);
    /* log ratio = log(z)/2 + sum over even powers of 1/z, z = a - 1/4; next term 2e3/z^14. */
    double z = a - 0.25, w = 1 / (z * z);
    double series =
        w * (1.0 / 64 -
             w * (5.0 / 2048 - w * (61.0 / 49152 - w * (1385.0 / 1048576 - w * (50521.0 / 20971520)))));
    return sqrt(z) * exp(series);
}

/* exp(x^2) erfc(x), x >= 0. */
static double erfc_scaled(double x) {
    if (x < 5) {
        double square = x * x;
        return exp(square) * (1 + fma(x, x, -square)) * erfc(x);
    }
    /* Laplace's continued fraction, backwards; 40 levels leave less than 1e-17 at x = 5. */
    double tail = x;
    for (int i = 40; i >= 1; i--)
        tail = x + 0.5 * i / tail;
    return 1 / (sqrt(M_PI) * tail);
}

/* The factor of exp(-a eta^2/2) in the tail beyond a (1 + e), upper for e >= 0 and lower for e < 0; |eta| <=
 * 1/2, a >= 60: the omitted order is below 1e-17 and the omitted power of eta below 1e-16 of the total. */
static double temme_factor(double a, double e, double exponent) {
    double eta = copysign(sqrt(2 * exponent / a), e), sum = 0;
    for (int k = TEMME_ORDERS - 1; k >= 0; k--) {
        double c = 0;
        for (int j = TEMME_TERMS - 1; j >= 0; j--)
            c = c * eta + TEMME[k][j];
        sum = sum / a + c;
    }
    return 0.5 * erfc_scaled(sqrt(exponent)) + (e < 0 ? -sum : sum) / sqrt(2 * M_PI * a);
}

/* sum_k x^k / (a (a+1) ... (a+k)) = P(a, x) / (x^a e^-x / Gamma(a)): positive terms, ratio falling in k. */
static double lower_series(double a, double x) {
    double term = 1, sum = 1;
    for (double k = 1; term > 1e-17 * sum; k++) {
        term *= x / (a + k);
        sum += term;
    }
    return sum / a;
}

/* Q(a, x) / (x^a e^-x / Gamma(a)) by the even part of Legendre's continued fraction, from x - a = a e, which
 * is known without cancellation. Lentz's method finds the depth; the value is then taken from the far end,
 * where rounding errors die out instead of piling up. */
static double upper_fraction(double a, double e) {
    double first = a * e + 1, b = first, c = 1e300, d = 1 / b, depth = 1;
    for (; depth < 100000; depth++) {
        double numerator = depth * (a - depth);
        b += 2;
        d = 1 / (b + numerator * d);
        c = b + numerator / c;
        if (fabs(c * d - 1) < 1.2e-16)
            break;
    }
    double value = first + 2 * depth;
    for (double i = depth; i >= 1; i--)
        value = first + 2 * (i - 1) + i * (a - i) / value;
    return 1 / value;
}

lem_scaled lem_gamma_tail(double a, double e, double r, bool upper) {
    if (r <= 0)
        return (lem_scaled){upper ? 1 : 0, 0, 0};
    double rate = lem_log1p_minus(e, r), hi = a * rate, lo = isfinite(hi) ? fma(a, rate, -hi) : 0;
    if (a >= 60 && -rate <= 0.125) {
        lem_scaled tail = {temme_factor(a, e, -hi), hi, lo};
        return upper == (e >= 0) ? tail : (lem_scaled){1 - lem_scaled_value(tail), 0, 0};
    }
    double x = a * r;
    bool by_series = x < fmax(1, a + 0.5 * sqrt(a));
    lem_scaled tail = {lem_gamma_peak(a) * (by_series ? lower_series(a, x) : upper_fraction(a, e)), hi, lo};
    return by_series != upper ? tail : (lem_scaled){1 - lem_scaled_value(tail), 0, 0};
}
