#include "attention/taylor.h"
#include "attention/taylor_error.h"
#include "projection/gamma_tail.h"

#include <math.h>

int lem_check_degree(int n, int least) {
    if (n < least || n > LEM_MAX_DEGREE)
        return LEM_ERROR(GSL_EDOM, "n = %d: must be between %d and %d", n, least, LEM_MAX_DEGREE);
    return GSL_SUCCESS;
}

int lem_check_degree_at(int n, int least, double x, const char *x_name) {
    int status = lem_check_degree(n, least);
    if (!status && !isfinite(x))
        status = LEM_ERROR(GSL_EDOM, "%s = %g: must be finite", x_name, x);
    return status;
}

/* 1F1(1; n+2; -y), y >= 0; between 1/(1 + y) and 1. */
static double kummer(int n, double y) {
    const double a = n + 1.0;
    if (2 * y <= a + 1) {
        /* The alternating series; its terms fall at least by half each, so the sum of their sizes is at most
         * three times the sum itself. */
        double term = 1, sum = 0;
        for (double k = 1; fabs(term) > 1e-17; k++) {
            sum += term;
            term *= -y / (a + k);
        }
        return sum;
    }
    if (y > 1e8) {
        /* By parts: a/y (1 - n/y + n(n-1)/y^2 - ...), n <= 1e6, so that each term is at most a hundredth of
         * the one before; e^-y is left out. The sum below would take sqrt(y) steps, or, once y + 1 = y, no
         * end of them. */
        double term = a / y, sum = 0;
        for (double k = n; term != 0 && fabs(term) > 1e-17 * sum; k--) {
            sum += term;
            term *= -k / y;
        }
        return sum;
    }
    /* E[a/(a + K)], K a Poisson variable of mean y (Kummer's transformation), summed from the mode outwards
     * in units of the mode's probability: positive terms, about 20 sqrt(y) of them, and what the recurrence
     * of the weights w rounds is nearly the same above and below the line. */
    const double mode = floor(y);
    double sum = a / (a + mode), total = 1, w = 1;
    for (double k = mode + 1; w > 1e-19; k++) {
        w *= y / k;
        sum += w * (a / (a + k));
        total += w;
    }
    w = 1;
    for (double k = mode; k >= 1 && w > 1e-19; k--) {
        w *= k / y;
        sum += w * (a / (a + k - 1));
        total += w;
    }
    return sum / total;
}

/* log(y^a e^s / a!) for a = n + 1; y > 0. With a large, a (1 + log(y/a)) carries the size and the rest is
 * slowly varying: the error is about a (1 + |1 + log(y/a)|) epsilons, no more than y alone brings with its
 * last bit. */
static double log_power_term(int n, double y, double s) {
    const double a = n + 1.0;
    return a * (1 + log(y / a)) + s + log(lem_gamma_peak(a) / a);
}

/* y^(n+1)/(n+1)! e^s, s = 0, y or -y: by the product of its factors where that stays in range, else by its
 * logarithm.
 */
static double power_term(int n, double y, double s) {
    if (y + s > 600)
        return exp(log_power_term(n, y, s));
    double product = exp(s);
    for (int k = 1; k <= n + 1; k++) {
        product *= y / k;
        if (product == 0)
            break;
    }
    return product;
}

/* 1F1(1; n+2; x), x >= 0 and not far above n + 1: positive terms. */
static double rising(int n, double x) {
    double term = 1, sum = 0;
    for (double k = 1; term > 1e-17 * sum; k++) {
        sum += term;
        term *= x / (n + 1 + k);
    }
    return sum;
}

double lem_poisson_above(int n, double mean) {
    const double a = n + 1.0;
    if (mean < a / 4 && mean < 600) /* far in the tail the power itself is more exact than its logarithm */
        return power_term(n, mean, -mean) * rising(n, mean);
    return lem_scaled_value(lem_gamma_tail(a, (mean - a) / a, mean / a, false));
}

static double in_range(double value, int n, double x) {
    if (isfinite(value))
        return value;
    return LEM_ERROR_NAN(GSL_EOVRFLW, "n = %d, x = %g: the result exceeds the range of double", n, x);
}

/* |e^x - T_n(x)| for x < 0, times e^s, s = 0 or -x. */
static double size_below(int n, double y, double s) {
    return power_term(n, y, s) * kummer(n, y);
}

static double remainder_above(int n, double x) {
    if (x > 600 || x > n + 1) {
        const double a = n + 1.0;
        lem_scaled tail = lem_gamma_tail(a, (x - a) / a, x / a, false);
        tail.hi += x;
        return lem_scaled_value(tail);
    }
    return power_term(n, x, 0) * rising(n, x);
}

static double odd_sign(int n) {
    return n % 2 ? 1 : -1;
}

double lem_exp_taylor_remainder(int n, double x) {
    if (lem_check_degree_at(n, 0, x, "x"))
        return NAN;
    if (x == 0)
        return 0;
    return in_range(x > 0 ? remainder_above(n, x) : odd_sign(n) * size_below(n, -x, 0), n, x);
}

double lem_exp_taylor_relative_error(int n, double x) {
    if (lem_check_degree_at(n, 0, x, "x"))
        return NAN;
    if (x == 0)
        return 0;
    return in_range(x > 0 ? -lem_poisson_above(n, x) : -odd_sign(n) * size_below(n, -x, -x), n, x);
}

double lem_exp_taylor(int n, double x) {
    if (lem_check_degree_at(n, 0, x, "x"))
        return NAN;
    if (x < 0)
        return in_range(exp(x) - odd_sign(n) * size_below(n, -x, 0), n, x);
    double term = 1, sum = 1;
    for (int m = 1; m <= n && isfinite(sum) && term > 1e-18 * sum; m++) {
        term *= x / m;
        sum += term;
    }
    return in_range(sum, n, x);
}

double lem_exp_taylor_real_zero(int n) {
    if (lem_check_degree(n, 1))
        return NAN;
    if (n % 2 == 0)
        return LEM_ERROR_NAN(GSL_EDOM, "n = %d: must be odd, even T_n has no real zero", n);
    /* F(y) = y^a/a! 1F1(a; a+1; y), a = n + 1, increases and equals 1 at the zero -y; F'/F = a/(y 1F1(1; a+1;
     * -y)). log F is concave in log y nearly linear: Newton from the asymptote settles at rounding level. */
    const double a = n + 1.0;
    double y = 0.27846454276107 * n + 0.5 * log(n) + 0.72;
    for (int i = 0; i < 50; i++) {
        const double m = kummer(n, y), step = (log_power_term(n, y, y) + log(m)) * y * m / a;
        y -= step;
        if (fabs(step) <= 2e-16 * y)
            break;
    }
    return -y;
}

double lem_exp_taylor_shifted_max_relative_error(int n, double R) {
    if (lem_check_degree(n, 1))
        return NAN;
    if (!(R > 0) || !isfinite(2 * R))
        return LEM_ERROR_NAN(GSL_EDOM, "R = %g: must be positive and finite", R);
    return lem_poisson_above(n, 2 * R);
}
