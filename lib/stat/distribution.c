#include "stat/distribution.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* A continuous law: its distribution function and libRmath's quantile, with R's flags. */
typedef struct {
    const char *name;
    double (*cdf)(double x, const double *parameter, int lower, int log);
    double (*quantile)(double p, const double *parameter, int lower, int log);
    double low, high; /* the support */
    const char *parameters[2];
} law;

/* --- the beta family: beta, t, F, binomial ---
 *
 * libRmath's pbeta loses all digits towards 1e-300 (a = 2.3e6, b = 19: 4 % off at 3e-287), and with log = 1
 * it is off by many units below that and warns on stdout (a = 16228, b = 14.5: -633 instead of -650); its
 * qbeta relies on it for small p. So values below 1e-200 are computed from the continued fraction I_x(a, b) =
 * x (1-x) density(x) / a * 1/(1 + d1/(1 + d2/(1 + ...))) (DLMF 8.17.22), which converges fast as far below
 * the mean as that, in at most about sqrt(max(a, b)) steps; logarithms of larger ones are taken of the plain
 * value. */

#define PLAIN_RANGE 1e-200

enum { FRACTION_STEPS = 100000 };

static double log_beta_density(double x, double y, double a, double b) {
    return x <= y ? dbeta(x, a, b, 1) : dbeta(y, b, a, 1);
}

/* 1/(1 + d1/(1 + d2/(1 + ...))) by Lentz's method; NaN when it does not converge. */
static double beta_fraction(double x, double a, double b) {
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d;
    for (int m = 1; m < FRACTION_STEPS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        value *= c * d;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        value *= c * d;
        if (fabs(c * d - 1) < 2 * DBL_EPSILON)
            return value;
    }
    return NAN;
}

/* log I_x(a, b), y = 1 - x, for values below PLAIN_RANGE. */
static double log_far_beta(double x, double y, double a, double b) {
    if (!(x > 0))
        return -INFINITY;
    return log_beta_density(x, y, a, b) + log(x) + log(y) - log(a) + log(beta_fraction(x, a, b));
}

/* One tail from both on the plain scale, and from the logarithm of a far one. */
static double choose_tail(double tail, double other, double log_far, int log_wanted) {
    if (tail < PLAIN_RANGE)
        return log_wanted ? log_far : exp(log_far);
    if (!log_wanted)
        return tail;
    return tail < 0.5 ? log(tail) : log1p(-other);
}

/* I_x(a, b) or its complement; x + y = 1. */
static double beta_pair(double x, double y, double a, double b, int lower, int log) {
    /* The smaller argument keeps its digits. */
    double below = x <= y ? pbeta(x, a, b, 1, 0) : pbeta(y, b, a, 0, 0);
    double above = x <= y ? pbeta(x, a, b, 0, 0) : pbeta(y, b, a, 1, 0);
    double tail = lower ? below : above, other = lower ? above : below, log_far = 0;
    if (tail < PLAIN_RANGE)
        log_far = lower ? log_far_beta(x, y, a, b) : log_far_beta(y, x, b, a);
    return choose_tail(tail, other, log_far, log);
}

/* libRmath's quantiles take to the logarithmic pbeta (and its warnings) for p much below this. */
#define PLAIN_QUANTILE 1e-12

/* A quantile's first value; where libRmath's is not to be asked, a value on the way, for the refinement. */
static double plain_quantile(double (*q)(double p, const double *a, int lower), double p, const double *a,
                             int lower, int log) {
    if (!log)
        return q(fmax(p, PLAIN_QUANTILE), a, lower);
    if (p > -0.5)
        return q(fmax(-expm1(p), PLAIN_QUANTILE), a, !lower);
    return q(fmax(exp(p), PLAIN_QUANTILE), a, lower);
}

static double beta_p(double x, const double *a, int lower, int log) {
    x = fmin(fmax(x, 0), 1);
    return beta_pair(x, 1 - x, a[0], a[1], lower, log);
}
static double plain_beta_q(double p, const double *a, int lower) {
    return qbeta(p, a[0], a[1], lower, 0);
}
static double beta_q(double p, const double *a, int lower, int log) {
    return plain_quantile(plain_beta_q, p, a, lower, log);
}

static double f_p(double x, const double *a, int lower, int log) {
    double ratio = fmax(x, 0) * (a[0] / a[1]);
    double low = isinf(ratio) ? 1 : ratio / (1 + ratio);
    return beta_pair(low, 1 / (1 + ratio), a[0] / 2, a[1] / 2, lower, log);
}
/* Not qf: it takes the limit of many degrees of freedom from 4e5 on, wrong in the sixth digit. */
static double plain_f_q(double p, const double *a, int lower) {
    return qbeta(p, a[0] / 2, a[1] / 2, lower, 0) / qbeta(p, a[1] / 2, a[0] / 2, !lower, 0) * (a[1] / a[0]);
}
static double f_q(double p, const double *a, int lower, int log) {
    return plain_quantile(plain_f_q, p, a, lower, log);
}

/* P(T > x) = I_(df / (df + x^2))(df / 2, 1 / 2) / 2 for x > 0. */
static double t_p(double x, const double *a, int lower, int log) {
    double tail = pt(x, a[0], lower, 0), other = pt(x, a[0], !lower, 0);
    double ratio = x / a[0] * x, log_far = 0;
    if (tail < PLAIN_RANGE) /* beyond 1e100 pt has the leading term, whose error is 1 / ratio */
        log_far = ratio > 1e100 ? pt(x, a[0], lower, 1)
                                : log_far_beta(1 / (1 + ratio), ratio / (1 + ratio), a[0] / 2, 0.5) - M_LN2;
    return choose_tail(tail, other, log_far, log);
}
static double plain_t_q(double p, const double *a, int lower) {
    return qt(p, a[0], lower, 0);
}
static double t_q(double p, const double *a, int lower, int log) {
    return plain_quantile(plain_t_q, p, a, lower, log);
}

static double binomial_p(double k, double n, double p, int lower, int log) {
    if (k < 0 || k >= n) {
        double probability = (k < 0) != lower;
        return log ? (probability > 0 ? 0 : -INFINITY) : probability;
    }
    return beta_pair(p, 1 - p, k + 1, n - k, !lower, log); /* P(X > k) = I_p(k + 1, n - k) */
}

/* --- the others --- */

static double normal_p(double x, const double *a, int lower, int log) {
    (void)a;
    return pnorm(x, 0, 1, lower, log);
}
static double normal_q(double p, const double *a, int lower, int log) {
    (void)a;
    return qnorm(p, 0, 1, lower, log);
}
static double chisq_p(double x, const double *a, int lower, int log) {
    return pchisq(x, a[0], lower, log);
}
static double chisq_q(double p, const double *a, int lower, int log) {
    return qchisq(p, a[0], lower, log);
}
static double gamma_p(double x, const double *a, int lower, int log) {
    return pgamma(x, a[0], a[1], lower, log);
}
static double gamma_q(double p, const double *a, int lower, int log) {
    return qgamma(p, a[0], a[1], lower, log);
}

static const law normal_law = {"normal", normal_p, normal_q, -INFINITY, INFINITY, {NULL, NULL}};
static const law t_law = {"t", t_p, t_q, -INFINITY, INFINITY, {"df", NULL}};
static const law chisq_law = {"chisq", chisq_p, chisq_q, 0, INFINITY, {"df", NULL}};
static const law f_law = {"f", f_p, f_q, 0, INFINITY, {"df1", "df2"}};
static const law beta_law = {"beta", beta_p, beta_q, 0, 1, {"a", "b"}};
static const law gamma_law = {"gamma", gamma_p, gamma_q, 0, INFINITY, {"shape", "scale"}};

static bool is_lower(lem_tail tail) {
    return tail == LEM_LOWER || tail == LEM_LOWER_LOG;
}

static bool is_log(lem_tail tail) {
    return tail == LEM_LOWER_LOG || tail == LEM_UPPER_LOG;
}

static int check_tail(lem_tail tail) {
    if (tail == LEM_LOWER || tail == LEM_UPPER || is_log(tail))
        return GSL_SUCCESS;
    return LEM_ERROR(GSL_EDOM, "tail = %d: must be one of lem_tail", (int)tail);
}

static int check_law(const law *of, const double *parameter, lem_tail tail) {
    for (int i = 0; i < 2 && of->parameters[i]; i++)
        if (!(parameter[i] > 0) || !isfinite(parameter[i]))
            return LEM_ERROR(GSL_EDOM, "%s = %g: must be finite and > 0", of->parameters[i], parameter[i]);
    return check_tail(tail);
}

static double law_cdf(const law *of, double x, const double *parameter, lem_tail tail) {
    if (check_law(of, parameter, tail))
        return NAN;
    if (isnan(x))
        return LEM_ERROR_NAN(GSL_EDOM, "x = %g: must be a number", x);
    return of->cdf(x, parameter, is_lower(tail), is_log(tail));
}

/* --- quantiles --- */

#define CLOSURE 0x1p-33

typedef struct {
    const law *law;
    const double *parameter;
    lem_tail tail;
    double p, slack;
} equation;

/* How far x is above the quantile, in units of the probability: increasing in x. */
static double excess(const equation *e, double x) {
    double value = e->law->cdf(x, e->parameter, is_lower(e->tail), is_log(e->tail));
    return is_lower(e->tail) ? value - e->p : e->p - value;
}

static double clamp_to_support(const law *of, double x) {
    return fmin(fmax(x, of->low), of->high);
}

static bool closes(const equation *e, double q) {
    if (!isfinite(q) || q < e->law->low || q > e->law->high)
        return false;
    double width = CLOSURE * fabs(q);
    return excess(e, clamp_to_support(e->law, q - width)) <= e->slack &&
           excess(e, clamp_to_support(e->law, q + width)) >= -e->slack;
}

/* A point on the wanted side of the quantile: away from start by growing steps. */
static double walk(const equation *e, double start, double direction) {
    double x = start, step = fabs(start) * 0x1p-40 + DBL_MIN;
    while (isfinite(x) && direction * excess(e, x) < 0) {
        x = clamp_to_support(e->law, x + direction * step);
        if (x == e->law->low || x == e->law->high)
            break;
        step *= 4;
    }
    return fmax(fmin(x, DBL_MAX), -DBL_MAX);
}

static double bisect(const equation *e, double start) {
    double low = walk(e, start, -1), high = walk(e, start, 1);
    for (int i = 0; i < 2200; i++) { /* at most that many doubles can be halved apart */
        double middle = low / 2 + high / 2;
        if (!(middle > low && middle < high))
            break;
        *(excess(e, middle) < 0 ? &low : &high) = middle;
    }
    return low / 2 + high / 2;
}

static double law_quantile(const law *of, double p, const double *parameter, lem_tail tail) {
    if (check_law(of, parameter, tail))
        return NAN;
    bool logarithm = is_log(tail);
    if (logarithm && !(p < 0 && isfinite(p)))
        return LEM_ERROR_NAN(GSL_EDOM, "log p = %g: must be finite and < 0", p);
    if (!logarithm && !(p > 0 && p < 1))
        return LEM_ERROR_NAN(GSL_EDOM, "p = %g: must be inside (0, 1)", p);
    /* Relative to the smaller tail, plus the rounding of the distribution function's value. */
    double slack = logarithm ? CLOSURE * fmin(1, -p) + 8 * DBL_EPSILON * fabs(p)
                             : CLOSURE * fmin(p, 1 - p) + 8 * DBL_EPSILON * p;
    equation e = {of, parameter, tail, p, slack};
    double q = of->quantile(p, parameter, is_lower(tail), logarithm);
    if (closes(&e, q))
        return q;
    double start = isfinite(q) ? clamp_to_support(of, q) : of->high == 1 ? 0.5 : 1;
    double refined = bisect(&e, start);
    if (closes(&e, refined))
        return refined;
    return LEM_ERROR_NAN(GSL_EFAILED,
                         "%s quantile at %sp = %.17g (%s tail): found %.17g, where the distribution "
                         "function is off by %.3g",
                         of->name, logarithm ? "log " : "", p, is_lower(tail) ? "lower" : "upper", refined,
                         excess(&e, refined));
}

double lem_normal_cdf(double x, lem_tail tail) {
    return law_cdf(&normal_law, x, NULL, tail);
}
double lem_normal_quantile(double p, lem_tail tail) {
    return law_quantile(&normal_law, p, NULL, tail);
}
double lem_t_cdf(double x, double df, lem_tail tail) {
    return law_cdf(&t_law, x, &df, tail);
}
double lem_t_quantile(double p, double df, lem_tail tail) {
    return law_quantile(&t_law, p, &df, tail);
}
double lem_chisq_cdf(double x, double df, lem_tail tail) {
    return law_cdf(&chisq_law, x, &df, tail);
}
double lem_chisq_quantile(double p, double df, lem_tail tail) {
    return law_quantile(&chisq_law, p, &df, tail);
}
double lem_f_cdf(double x, double df1, double df2, lem_tail tail) {
    return law_cdf(&f_law, x, (const double[]){df1, df2}, tail);
}
double lem_f_quantile(double p, double df1, double df2, lem_tail tail) {
    return law_quantile(&f_law, p, (const double[]){df1, df2}, tail);
}
double lem_beta_cdf(double x, double a, double b, lem_tail tail) {
    return law_cdf(&beta_law, x, (const double[]){a, b}, tail);
}
double lem_beta_quantile(double p, double a, double b, lem_tail tail) {
    return law_quantile(&beta_law, p, (const double[]){a, b}, tail);
}
double lem_gamma_cdf(double x, double shape, double scale, lem_tail tail) {
    return law_cdf(&gamma_law, x, (const double[]){shape, scale}, tail);
}
double lem_gamma_quantile(double p, double shape, double scale, lem_tail tail) {
    return law_quantile(&gamma_law, p, (const double[]){shape, scale}, tail);
}

/* --- binomial --- */

static int check_binomial(uint64_t n, double p, lem_tail tail) {
    if (n > UINT64_C(1) << 53)
        return LEM_ERROR(GSL_EDOM, "n = %llu: must be at most 2^53", (unsigned long long)n);
    if (!(p >= 0 && p <= 1))
        return LEM_ERROR(GSL_EDOM, "p = %g: must be in [0, 1]", p);
    return check_tail(tail);
}

double lem_binomial_cdf(double k, uint64_t n, double p, lem_tail tail) {
    if (check_binomial(n, p, tail))
        return NAN;
    if (isnan(k))
        return LEM_ERROR_NAN(GSL_EDOM, "k = %g: must be a number", k);
    return binomial_p(floor(k), (double)n, p, is_lower(tail), is_log(tail));
}

double lem_binomial_quantile(double q, uint64_t n, double p, lem_tail tail) {
    if (check_binomial(n, p, tail))
        return NAN;
    bool logarithm = is_log(tail), lower = is_lower(tail);
    if (logarithm ? !(q < 0 && isfinite(q)) : !(q > 0 && q < 1))
        return LEM_ERROR_NAN(GSL_EDOM, "%sq = %g: must be %s", logarithm ? "log " : "", q,
                             logarithm ? "finite and < 0" : "inside (0, 1)");
    /* Bisection on the definition itself: 53 steps at most, and nothing to check back. */
    double low = -1, high = (double)n; /* the definition holds at high, not at low */
    while (high - low > 1) {
        double middle = floor(low / 2 + high / 2);
        double value = binomial_p(middle, (double)n, p, lower, logarithm);
        *((lower ? value >= q : value <= q) ? &high : &low) = middle;
    }
    return high;
}
