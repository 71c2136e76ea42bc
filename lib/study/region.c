/* The acceptance regions of the claims, one function for each kind of check.
 *
 * A check that draws on samples gives each of its n points a p-value from the exact (or stated) law of its
 * statistic, compares it with false_alarm / n, and reports the point with the smallest. All tails are taken
 * in logarithms, so that a falsifier rejected at 200 standard errors is still told from one rejected at 100.
 */
#include "study/claim.h"

#include "study/check.h"

#include "stat/distribution.h"
#include "stat/gof.h"
#include "stat/regression.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

/* --- refusals */

static int refuse_nan(const double *values, size_t n, const char *what, bool infinity_allowed) {
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            return LEM_ERROR(GSL_EINVAL, "%s[%zu] is NaN: a check needs numbers", what, i);
        if (isinf(values[i]) && !infinity_allowed)
            return LEM_ERROR(GSL_EINVAL, "%s[%zu] = %g: must be finite", what, i, values[i]);
    }
    return GSL_SUCCESS;
}

static int refuse_outside(const double *values, size_t n, const char *what, double low, double high) {
    for (size_t i = 0; i < n; i++)
        if (!(values[i] >= low && values[i] <= high))
            return LEM_ERROR(GSL_EINVAL, "%s[%zu] = %.17g: must be in [%g, %g]", what, i, values[i], low,
                             high);
    return GSL_SUCCESS;
}

static int refuse_moments(const lem_check *c) {
    uint64_t least = c->kind == LEM_KIND_VARIANCE && c->variant == LEM_VARIANCE_ANY ? 4 : 2;
    for (size_t i = 0; i < c->n; i++) {
        const lem_moments *m = &c->moments[i];
        if (m->n < least)
            return LEM_ERROR(GSL_EINVAL, "moments[%zu] holds %llu values: the check needs at least %llu", i,
                             (unsigned long long)m->n, (unsigned long long)least);
        if (!isfinite(m->mean) || !isfinite(m->m2) || !isfinite(m->m4))
            return LEM_ERROR(GSL_EINVAL, "moments[%zu] hold NaN or infinity", i);
    }
    return GSL_SUCCESS;
}

static int refuse_trials(const lem_check *c) {
    for (size_t i = 0; i < c->n; i++)
        if (c->trials[i] == 0 || c->successes[i] > c->trials[i])
            return LEM_ERROR(GSL_EINVAL,
                             "%llu successes in %llu trials at point %zu: must be 0..trials, trials >= 1",
                             (unsigned long long)c->successes[i], (unsigned long long)c->trials[i], i);
    return refuse_outside(c->expected, c->n, "the probability", 0, 1);
}

static int refuse_missing(const lem_check *c) {
    bool missing = c->n == 0;
    if (lem_check_from_moments(c))
        missing |= !c->moments || !c->expected;
    else if (lem_check_from_trials(c))
        missing |= !c->successes || !c->trials || !c->expected;
    else if (lem_check_is_counts(c))
        missing |= !c->successes || !c->expected;
    else if (lem_check_is_ks(c))
        missing |= !c->measured || !c->cdf;
    else
        missing |= !c->measured || !c->expected || (!c->bound && !lem_check_is_exact_inequality(c)) ||
                   (c->kind == LEM_KIND_EXPONENT && !c->x);
    if (missing)
        return LEM_ERROR(GSL_EINVAL, "the check has no points, or a null pointer among its arrays");
    return GSL_SUCCESS;
}

static int refuse_bad(const lem_check *c) {
    int status = refuse_missing(c);
    if (status)
        return status;
    size_t hypotheses = c->kind == LEM_KIND_EXPONENT ? 1 : c->n;
    bool infinite = lem_check_is_exact_inequality(c);
    if (c->measured)
        status = refuse_nan(c->measured, c->n, "measured", infinite);
    if (!status && c->expected)
        status = refuse_nan(c->expected, hypotheses, "expected", infinite);
    if (!status && c->bound)
        status = refuse_nan(c->bound, c->n, "bound", false);
    if (status)
        return status;
    if (lem_check_from_moments(c)) {
        status = refuse_moments(c);
        return status || c->kind != LEM_KIND_VARIANCE
                   ? status
                   : refuse_outside(c->expected, c->n, "the expected variance", 0, HUGE_VAL);
    }
    if (lem_check_from_trials(c))
        return refuse_trials(c);
    if (c->bound && c->kind != LEM_KIND_OPTIMUM)
        return refuse_outside(c->bound, c->n, "the bound or standard error", 0, HUGE_VAL);
    return GSL_SUCCESS;
}

/* --- tails */

/* The standard normal deviate z whose upper tail has logarithm log_p; log 1 and log 0 are at the ends. */
static double deviate_of(double log_p) {
    return log_p >= 0 ? -INFINITY : isinf(log_p) ? INFINITY : lem_normal_quantile(log_p, LEM_UPPER_LOG);
}

/* log of min(1, 2 p) */
static double doubled(double log_p) {
    return fmin(0, log_p + M_LN2);
}

/* log P(K <= k), or log P(K >= k) */
static double log_tail_binomial(uint64_t k, uint64_t n, double p, bool upper) {
    if (upper && k == 0)
        return 0;
    double tail = upper ? lem_binomial_cdf((double)k - 1, n, p, LEM_UPPER_LOG)
                        : lem_binomial_cdf((double)k, n, p, LEM_LOWER_LOG);
    if (tail != -INFINITY || p <= 0 || p >= 1)
        return tail;
    /* Below what the incomplete beta routine can reach: the Chernoff bound, which is its leading term. */
    double f = (double)k / (double)n;
    double divergence = (f > 0 ? f * log(f / p) : 0) + (f < 1 ? (1 - f) * log((1 - f) / (1 - p)) : 0);
    return -(double)n * divergence;
}

/* The limit of a check, or its status where the quantile could not be had. */
static int limit_is(double quantile, double *limit) {
    *limit = quantile;
    return isnan(quantile) ? GSL_EFAILED : GSL_SUCCESS;
}

static int upper_normal(double tail, double *limit) {
    return limit_is(lem_normal_quantile(tail, LEM_UPPER), limit);
}

static int upper_t(double tail, double df, double *limit) {
    return limit_is(lem_t_quantile(tail, df, LEM_UPPER), limit);
}

static int upper_chisq(double tail, double df, double *limit) {
    return limit_is(lem_chisq_quantile(tail, df, LEM_UPPER), limit);
}

/* --- the points */

typedef struct {
    lem_outcome outcome;
    double log_p; /* what the points are ranked by: smaller is worse */
} point;

/* difference / scale, where a scale of zero leaves only "equal" and "infinitely far". */
static double ratio(double difference, double scale) {
    if (difference == 0)
        return 0;
    return scale > 0 ? difference / scale : copysign(INFINITY, difference);
}

static int identity_point(const lem_check *c, size_t i, point *p) {
    double scale = c->variant == LEM_IDENTITY_ABSOLUTE ? 1 : fabs(c->expected[i]);
    double error = fabs(c->measured[i] - c->expected[i]);
    p->outcome = (lem_outcome){.measured = c->measured[i],
                               .expected = c->expected[i],
                               .stderr_ = NAN,
                               .statistic = ratio(error, c->bound[i] * scale),
                               .limit = 1,
                               .statistic_name = "error/bound"};
    p->log_p = -p->outcome.statistic;
    return GSL_SUCCESS;
}

/* (smaller - larger) relative to the larger magnitude: in [-2, 2], and > 0 exactly when smaller > larger. */
static double relative_excess(double smaller, double larger) {
    if (smaller == larger)
        return 0;
    double scale = fmax(fabs(smaller), fabs(larger));
    if (isinf(scale))
        return smaller > larger ? 1 : -1;
    double difference = smaller - larger;
    return isinf(difference) ? copysign(2, difference) : difference / scale;
}

static int inequality_point(const lem_check *c, size_t i, point *p) {
    double smaller = c->measured[i], larger = c->expected[i];
    double scale = fmax(fabs(smaller), fabs(larger));
    double slack = c->bound && scale > 0 && isfinite(scale) ? c->bound[i] * (fabs(larger) / scale) : 0;
    p->outcome = (lem_outcome){.measured = smaller,
                               .expected = larger,
                               .stderr_ = NAN,
                               .statistic = relative_excess(smaller, larger),
                               .limit = c->variant == LEM_EXACT_STRICT ? nextafter(slack, -1) : slack,
                               .statistic_name = "excess"};
    p->log_p = -(p->outcome.statistic - slack);
    return GSL_SUCCESS;
}

static int optimum_point(const lem_check *c, size_t i, point *p) {
    double lower = c->measured[i], upper = c->bound[i], expected = c->expected[i];
    if (lower > upper)
        return LEM_ERROR(GSL_EINVAL, "the bracket [%g, %g] of point %zu is empty", lower, upper, i);
    double outside = fmax(lower - expected, expected - upper), half = (upper - lower) / 2;
    p->outcome = (lem_outcome){.measured = lower + half,
                               .expected = expected,
                               .stderr_ = NAN,
                               .statistic = ratio(outside, half),
                               .limit = 0,
                               .statistic_name = "outside/half-width"};
    p->log_p = -p->outcome.statistic;
    return GSL_SUCCESS;
}

static int mean_point(const lem_check *c, size_t i, double level, point *p) {
    const lem_moments *m = &c->moments[i];
    double df = (double)(m->n - 1), error = lem_moments_stderr(m);
    double t = ratio(m->mean - c->expected[i], error);
    bool two_sided = c->kind == LEM_KIND_EXPECTATION;
    if (two_sided)
        t = fabs(t);
    else if (c->variant == LEM_MEAN_AT_LEAST)
        t = -t;
    p->outcome = (lem_outcome){.measured = m->mean,
                               .expected = c->expected[i],
                               .stderr_ = error,
                               .statistic = t,
                               .statistic_name = "t"};
    p->log_p = lem_t_cdf(t, df, LEM_UPPER_LOG) + (two_sided ? M_LN2 : 0);
    return upper_t(two_sided ? level / 2 : level, df, &p->outcome.limit);
}

static int given_z_point(const lem_check *c, size_t i, double level, point *p) {
    double z = fabs(ratio(c->measured[i] - c->expected[i], c->bound[i]));
    p->outcome = (lem_outcome){.measured = c->measured[i],
                               .expected = c->expected[i],
                               .stderr_ = c->bound[i],
                               .statistic = z,
                               .statistic_name = "z"};
    p->log_p = doubled(lem_normal_cdf(z, LEM_UPPER_LOG));
    return upper_normal(level / 2, &p->outcome.limit);
}

/* The exact binomial tails, told as the normal deviate of the same probability. Accepting when both tails are
 * above level/2 is the Clopper-Pearson interval containing the expected probability. */
static int trials_point(const lem_check *c, size_t i, double level, point *p) {
    double k = (double)c->successes[i], n = (double)c->trials[i], expected = c->expected[i];
    double below = log_tail_binomial(c->successes[i], c->trials[i], expected, false),
           above = log_tail_binomial(c->successes[i], c->trials[i], expected, true);
    bool two_sided = c->kind == LEM_KIND_PROBABILITY;
    double tail = two_sided ? fmin(below, above) : c->variant == LEM_PROBABILITY_AT_MOST ? above : below;
    double shrunk = (k + 1) / (n + 2); /* a standard error to show even for 0 of n */
    p->outcome = (lem_outcome){.measured = k / n,
                               .expected = expected,
                               .stderr_ = sqrt(shrunk * (1 - shrunk) / n),
                               .statistic = two_sided ? fmax(0, deviate_of(tail)) : deviate_of(tail),
                               .statistic_name = "z"};
    if (p->outcome.statistic == -INFINITY)
        p->outcome.statistic = -40; /* a tail of probability 1: as far inside as a deviate can say */
    p->log_p = two_sided ? doubled(tail) : tail;
    return upper_normal(two_sided ? level / 2 : level, &p->outcome.limit);
}

static int variance_point(const lem_check *c, size_t i, double level, point *p) {
    const lem_moments *m = &c->moments[i];
    double variance = lem_moments_variance(m), expected = c->expected[i], df = (double)(m->n - 1);
    p->outcome = (lem_outcome){.measured = variance, .expected = expected, .statistic_name = "z"};
    if (c->variant == LEM_VARIANCE_NORMAL) {
        double chi2 = ratio(m->m2, expected);
        double tail = fmin(lem_chisq_cdf(chi2, df, LEM_LOWER_LOG), lem_chisq_cdf(chi2, df, LEM_UPPER_LOG));
        p->outcome.stderr_ = variance * sqrt(2 / df);
        p->outcome.statistic = fmax(0, deviate_of(tail));
        p->log_p = doubled(tail);
    } else {
        p->outcome.stderr_ = lem_moments_variance_stderr(m);
        p->outcome.statistic = fabs(ratio(variance - expected, p->outcome.stderr_));
        p->log_p = doubled(lem_normal_cdf(p->outcome.statistic, LEM_UPPER_LOG));
    }
    return upper_normal(level / 2, &p->outcome.limit);
}

/* --- whole-sample checks */

/* The last critical value is kept: it costs hundreds of times what the rest of the check does, and a claim
 * and its falsifiers share it. */
static double ks_critical(size_t n, double level) {
    static _Thread_local struct {
        size_t n;
        double level, critical;
    } last;
    if (last.n != n || !(last.level == level)) {
        last.critical = lem_ks_critical(n, level);
        last.n = n;
        last.level = level;
    }
    return last.critical;
}

static int ks_check(const lem_check *c, double level, point *p) {
    double distance = 0;
    int status = lem_ks_distance(c->n, c->measured, c->cdf, c->ctx, &distance);
    p->outcome = (lem_outcome){
        .measured = distance, .expected = 0, .stderr_ = NAN, .statistic = distance, .statistic_name = "KS"};
    return status ? status : limit_is(ks_critical(c->n, level), &p->outcome.limit);
}

static int counts_check(const lem_check *c, double level, point *p) {
    lem_chisq_result result;
    int status = lem_chisq_test(c->n, c->successes, c->expected, &result);
    if (status)
        return status;
    p->outcome = (lem_outcome){.measured = result.statistic,
                               .expected = result.df,
                               .stderr_ = sqrt(2 * result.df),
                               .statistic = result.statistic,
                               .statistic_name = "chi2"};
    return upper_chisq(level, result.df, &p->outcome.limit);
}

/* The standard error is of the scatter about the line. */
static int exponent_check(const lem_check *c, double level, point *p) {
    lem_power_law fit;
    int status = lem_fit_power_law(c->n, c->x, c->measured, c->bound, &fit);
    if (status)
        return status;
    p->outcome = (lem_outcome){.measured = fit.exponent,
                               .expected = c->expected[0],
                               .stderr_ = fit.exponent_stderr,
                               .statistic = fabs(ratio(fit.exponent - c->expected[0], fit.exponent_stderr)),
                               .statistic_name = "t"};
    return upper_t(level / 2, fit.df, &p->outcome.limit);
}

/* --- running */

static int run_point(const lem_check *c, size_t i, double level, point *p) {
    switch (c->kind) {
    case LEM_KIND_IDENTITY:
        return identity_point(c, i, p);
    case LEM_KIND_OPTIMUM:
        return optimum_point(c, i, p);
    case LEM_KIND_INEQUALITY:
        return lem_check_is_exact_inequality(c) ? inequality_point(c, i, p)
               : lem_check_from_moments(c)      ? mean_point(c, i, level, p)
                                                : trials_point(c, i, level, p);
    case LEM_KIND_EXPECTATION:
        return lem_check_from_moments(c) ? mean_point(c, i, level, p) : given_z_point(c, i, level, p);
    case LEM_KIND_PROBABILITY:
        return trials_point(c, i, level, p);
    case LEM_KIND_VARIANCE:
        return variance_point(c, i, level, p);
    default:
        return LEM_ERROR(GSL_EINVAL, "kind %d is no kind of check: use the constructors", (int)c->kind);
    }
}

static int run_points(const lem_check *c, double level, point *worst) {
    bool accepted = true;
    for (size_t i = 0; i < c->n; i++) {
        point p = {.log_p = 0};
        int status = run_point(c, i, level / (double)c->n, &p);
        if (status)
            return status;
        if (isnan(p.outcome.statistic) || isnan(p.log_p))
            return LEM_ERROR(GSL_EINVAL, "the statistic of point %zu is NaN", i);
        bool ok = p.outcome.statistic <= p.outcome.limit;
        /* A rejected point is worse than an accepted one, whatever rounding says about their ranks. */
        if (i == 0 || (accepted && !ok) || (accepted == ok && p.log_p < worst->log_p))
            *worst = p;
        accepted = accepted && ok;
    }
    return GSL_SUCCESS;
}

int lem_check_run(const lem_check *check, double false_alarm, lem_outcome *outcome) {
    if (!check || !outcome)
        return LEM_ERROR(GSL_EFAULT, "check or outcome is a null pointer");
    if (!(false_alarm > 0 && false_alarm <= 0.1))
        return LEM_ERROR(GSL_EINVAL, "false_alarm = %g: must be in (0, 0.1]", false_alarm);
    int status = refuse_bad(check);
    if (status)
        return status;
    point p = {.log_p = 0};
    if (lem_check_is_ks(check))
        status = ks_check(check, false_alarm, &p);
    else if (lem_check_is_counts(check))
        status = counts_check(check, false_alarm, &p);
    else if (check->kind == LEM_KIND_EXPONENT)
        status = exponent_check(check, false_alarm, &p);
    else
        status = run_points(check, false_alarm, &p);
    if (status)
        return status;
    p.outcome.accepted = p.outcome.statistic <= p.outcome.limit;
    *outcome = p.outcome;
    return GSL_SUCCESS;
}
