#include "attention/polynomial.h"
#include "attention/minimax.h"

#include <float.h>
#include <math.h>

static int check(int n, int most, const double *coef) {
    if (!coef)
        return LEM_ERROR(GSL_EFAULT, "coef = null: must hold %d numbers", n + 1);
    if (n < 1 || n > most)
        return LEM_ERROR(GSL_EDOM, "n = %d: must be between 1 and %d", n, most);
    return GSL_SUCCESS;
}

enum { MOST = 170 }; /* 171! exceeds the range of double */

int lem_exp_taylor_coefficients(int n, double *coef) {
    int status = check(n, MOST, coef);
    if (status)
        return status;
    coef[0] = 1;
    for (int m = 1; m <= n; m++)
        coef[m] = coef[m - 1] / m;
    return GSL_SUCCESS;
}

static void power_coefficients(int n, double *coef) {
    coef[0] = 1;
    for (int m = 1; m <= n; m++)
        coef[m] = coef[m - 1] * (n - m + 1) / ((double)m * n);
}

int lem_exp_power_coefficients(int n, double *coef) {
    int status = check(n, MOST, coef);
    if (!status)
        power_coefficients(n, coef);
    return status;
}

int lem_exp_richardson_coefficients(int n, double *coef) {
    int status = check(n, MOST, coef);
    if (status)
        return status;
    if (n % 2)
        return LEM_ERROR(GSL_EDOM, "n = %d: must be even", n);
    double half[MOST / 2 + 1];
    power_coefficients(n, coef);
    power_coefficients(n / 2, half);
    for (int m = 0; m <= n; m++)
        coef[m] = 2 * coef[m] - (m <= n / 2 ? half[m] : 0);
    return GSL_SUCCESS;
}

int lem_exp_shifted_coefficients(int n, double R, double *coef) {
    int status = check(n, MOST, coef);
    if (status)
        return status;
    if (!(R >= 0 && R <= 700))
        return LEM_ERROR(GSL_EDOM, "R = %g: must be between 0 and 700", R);
    /* coef[n - j] collects T_j(R), then is divided by (n - j)!. */
    double term = exp(-R), sum = 0, factorial = 1;
    for (int j = 0; j <= n; j++) {
        sum += term;
        coef[n - j] = sum;
        term *= R / (j + 1);
    }
    for (int m = 1; m <= n; m++)
        coef[m] /= factorial *= m;
    return GSL_SUCCESS;
}

int lem_exp_hermite_coefficients(int n, double sigma, double *coef) {
    int status = check(n, MOST, coef);
    if (status)
        return status;
    if (!(sigma >= 0 && sigma <= 25))
        return LEM_ERROR(GSL_EDOM, "sigma = %g: must be between 0 and 25", sigma);
    const double half = sigma * sigma / 2;
    double term = exp(half), sum = 0, factorial = 1;
    for (int j = 0; j <= n / 2; j++) {
        sum += term;
        coef[n - 2 * j] = sum;
        if (n - 2 * j >= 1)
            coef[n - 2 * j - 1] = sum; /* (n - m)/2 rounded down is the same j */
        term *= -half / (j + 1);
    }
    for (int m = 1; m <= n; m++)
        coef[m] /= factorial *= m;
    return GSL_SUCCESS;
}

int lem_exp_chebyshev_coefficients(int n, double R, double *coef) {
    enum { MOST_CHEBYSHEV = 60 };
    int status = check(n, MOST_CHEBYSHEV, coef);
    if (status)
        return status;
    const double least = lem_chebyshev_exp_coefficient(n, R);
    if (isnan(least))
        return GSL_EDOM;
    if (least < DBL_MIN) /* has lost its digits, and R^n, which divides it, may have none left */
        return LEM_ERROR(GSL_EUNDRFLW, "n = %d, R = %g: the coefficient of T_%d underflows", n, R, n);
    /* T_k in powers of y = x/R: T_(k+1) = 2 y T_k - T_(k-1). */
    double last[MOST_CHEBYSHEV + 2] = {1}, now[MOST_CHEBYSHEV + 2] = {0, 1};
    for (int m = 0; m <= n; m++)
        coef[m] = 0;
    coef[0] = lem_chebyshev_exp_coefficient(0, R) / 2;
    for (int k = 1; k <= n; k++) {
        const double c = lem_chebyshev_exp_coefficient(k, R);
        for (int m = 0; m <= k; m++)
            coef[m] += c * now[m];
        for (int m = k + 1; m >= 0; m--) {
            const double next = (m ? 2 * now[m - 1] : 0) - last[m];
            last[m] = now[m];
            now[m] = next;
        }
    }
    double power = 1;
    for (int m = 1; m <= n; m++)
        coef[m] /= power *= R;
    for (int m = 0; m <= n; m++)
        if (!isfinite(coef[m]))
            return LEM_ERROR(GSL_EOVRFLW,
                             "n = %d, R = %g: coef[%d] comes of numbers beyond the range of double", n, R, m);
    return GSL_SUCCESS;
}

void lem_polynomial_score(double *x, size_t n, void *polynomial) {
    const lem_polynomial *p = polynomial;
    for (size_t i = 0; i < n; i++) {
        double sum = p->coef[p->degree];
        for (int m = p->degree - 1; m >= 0; m--)
            sum = sum * x[i] + p->coef[m];
        x[i] = sum;
    }
}
