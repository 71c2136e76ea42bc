#include "stat/interval.h"
#include "stat/distribution.h"

#include <math.h>
#include <stdbool.h>

static int check_level(double alpha, lem_side side, const lem_interval *out) {
    if (!out)
        return LEM_ERROR(GSL_EFAULT, "out is null: must point to an interval");
    if (!(alpha > 0 && alpha < 1))
        return LEM_ERROR(GSL_EDOM, "alpha = %g: must be inside (0, 1)", alpha);
    if (side != LEM_TWO_SIDED && side != LEM_LOWER_BOUND && side != LEM_UPPER_BOUND)
        return LEM_ERROR(GSL_EDOM, "side = %d: must be one of lem_side", (int)side);
    return GSL_SUCCESS;
}

static double share(double alpha, lem_side side) {
    return side == LEM_TWO_SIDED ? alpha / 2 : alpha;
}

static bool has_lower(lem_side side) {
    return side != LEM_UPPER_BOUND;
}

static bool has_upper(lem_side side) {
    return side != LEM_LOWER_BOUND;
}

/* A quantile that failed is NaN and has left its sentence. */
static int deliver(lem_interval interval, lem_interval *out) {
    if (isnan(interval.lower) || isnan(interval.upper))
        return GSL_EFAILED;
    *out = interval;
    return GSL_SUCCESS;
}

static int check_counts(uint64_t successes, uint64_t trials) {
    if (trials < 1 || trials > UINT64_C(1) << 53)
        return LEM_ERROR(GSL_EDOM, "trials = %llu: must be >= 1 and <= 2^53", (unsigned long long)trials);
    if (successes > trials)
        return LEM_ERROR(GSL_EDOM, "successes = %llu: must be at most trials = %llu",
                         (unsigned long long)successes, (unsigned long long)trials);
    return GSL_SUCCESS;
}

int lem_clopper_pearson(uint64_t successes, uint64_t trials, double alpha, lem_side side, lem_interval *out) {
    int status = check_level(alpha, side, out);
    if (!status)
        status = check_counts(successes, trials);
    if (status)
        return status;
    double k = (double)successes, n = (double)trials, a = share(alpha, side);
    lem_interval ends = {0, 1};
    if (has_lower(side) && successes > 0)
        ends.lower = lem_beta_quantile(a, k, n - k + 1, LEM_LOWER);
    if (has_upper(side) && successes < trials)
        ends.upper = lem_beta_quantile(a, k + 1, n - k, LEM_UPPER);
    return deliver(ends, out);
}

/* The roots of (n + z^2) p^2 - (2 k + z^2) p + k^2 / n = 0. The one of -|z| would cancel: from their product.
 */
static double small_wilson_root(double k, double n, double z) {
    double centre = k + z * z / 2, half = fabs(z) * sqrt(k / n * (n - k) + z * z / 4);
    return k / n * k / (centre + half);
}

static double large_wilson_root(double k, double n, double z) {
    if (k > n / 2)
        return 1 - small_wilson_root(n - k, n, z);
    return (k + z * z / 2 + fabs(z) * sqrt(k / n * (n - k) + z * z / 4)) / (n + z * z);
}

int lem_wilson(uint64_t successes, uint64_t trials, double alpha, lem_side side, lem_interval *out) {
    int status = check_level(alpha, side, out);
    if (!status)
        status = check_counts(successes, trials);
    if (status)
        return status;
    double k = (double)successes, n = (double)trials, z = lem_normal_quantile(share(alpha, side), LEM_UPPER);
    if (isnan(z))
        return GSL_EFAILED;
    double small = small_wilson_root(k, n, z), large = large_wilson_root(k, n, z);
    lem_interval ends = {0, 1};
    if (has_lower(side))
        ends.lower = z >= 0 ? small : large;
    if (has_upper(side))
        ends.upper = z >= 0 ? large : small;
    return deliver(ends, out);
}

static int mean_interval(double measured, double half_width, lem_side side, lem_interval *out) {
    lem_interval ends = {-INFINITY, INFINITY};
    if (has_lower(side))
        ends.lower = measured - half_width;
    if (has_upper(side))
        ends.upper = measured + half_width;
    return deliver(ends, out);
}

int lem_mean_interval_z(double measured, double standard_error, double alpha, lem_side side,
                        lem_interval *out) {
    int status = check_level(alpha, side, out);
    if (status)
        return status;
    if (!isfinite(measured))
        return LEM_ERROR(GSL_EDOM, "measured = %g: must be finite", measured);
    if (!(standard_error >= 0) || !isfinite(standard_error))
        return LEM_ERROR(GSL_EDOM, "standard_error = %g: must be finite and >= 0", standard_error);
    double z = lem_normal_quantile(share(alpha, side), LEM_UPPER);
    return mean_interval(measured, z * standard_error, side, out);
}

static int check_sample(const char *name, const lem_moments *sample) {
    if (!sample)
        return LEM_ERROR(GSL_EFAULT, "%s is null: must point to moments", name);
    if (sample->n < 2)
        return LEM_ERROR(GSL_EDOM, "%s->n = %llu: must be >= 2", name, (unsigned long long)sample->n);
    return GSL_SUCCESS;
}

int lem_mean_interval_t(const lem_moments *sample, double alpha, lem_side side, lem_interval *out) {
    int status = check_level(alpha, side, out);
    if (!status)
        status = check_sample("sample", sample);
    if (status)
        return status;
    double t = lem_t_quantile(share(alpha, side), (double)sample->n - 1, LEM_UPPER);
    return mean_interval(sample->mean, t * lem_moments_stderr(sample), side, out);
}

int lem_variance_interval(const lem_moments *sample, double alpha, lem_side side, lem_interval *out) {
    int status = check_level(alpha, side, out);
    if (!status)
        status = check_sample("sample", sample);
    if (status)
        return status;
    double df = (double)sample->n - 1, a = share(alpha, side);
    lem_interval ends = {0, INFINITY};
    if (has_lower(side))
        ends.lower = sample->m2 / lem_chisq_quantile(a, df, LEM_UPPER);
    if (has_upper(side))
        ends.upper = sample->m2 / lem_chisq_quantile(a, df, LEM_LOWER);
    return deliver(ends, out);
}

int lem_variance_ratio_interval(const lem_moments *a, const lem_moments *b, double alpha, lem_side side,
                                lem_interval *out) {
    int status = check_level(alpha, side, out);
    if (!status)
        status = check_sample("a", a);
    if (!status)
        status = check_sample("b", b);
    if (status)
        return status;
    if (!(b->m2 > 0))
        return LEM_ERROR(GSL_EDOM, "b->m2 = %g: its values must not be all equal", b->m2);
    double dfa = (double)a->n - 1, dfb = (double)b->n - 1, level = share(alpha, side);
    double ratio = lem_moments_variance(a) / lem_moments_variance(b);
    lem_interval ends = {0, INFINITY};
    if (has_lower(side))
        ends.lower = ratio / lem_f_quantile(level, dfa, dfb, LEM_UPPER);
    if (has_upper(side))
        ends.upper = ratio / lem_f_quantile(level, dfa, dfb, LEM_LOWER);
    return deliver(ends, out);
}
