#include "projection/min_dim.h"
#include "projection/haar.h"
#include "projection/norm_tail.h"

#include <math.h>

static const double LARGEST = 9007199254740992.0; /* 2^53 */

static int check_points(double N, double eps) {
    if (!(N >= 2 && N <= LARGEST && floor(N) == N))
        return LEM_ERROR(GSL_EDOM, "N = %g: must be a whole number from 2 to 2^53", N);
    if (!(eps > 0 && eps < 1))
        return LEM_ERROR(GSL_EDOM, "eps = %g: must be between 0 and 1, both excluded", eps);
    return GSL_SUCCESS;
}

static int check(double N, double eps, double delta) {
    int status = check_points(N, eps);
    if (!status && !(delta > 0 && delta <= N * (N - 1)))
        return LEM_ERROR(GSL_EDOM, "delta = %g: must be > 0 and <= N(N-1) = %g", delta, N * (N - 1));
    return status;
}

static double log_pairs(double N) {
    return log(N) + log((N - 1) / 2);
}

double lem_jl_union_bound_log(double N, double n, double eps) {
    if (check_points(N, eps))
        return (double)NAN;
    return log_pairs(N) + lem_jl_norm_two_sided_log(n, eps);
}

/* A two-sided log tail at n dimensions. */
typedef double (*log_tail)(double m, double n, double eps);

static double gaussian(double m, double n, double eps) {
    (void)m;
    return lem_jl_norm_two_sided_log(n, eps);
}

static double chernoff(double m, double n, double eps) {
    (void)m;
    double upper = lem_jl_norm_tail_chernoff_log(n, eps, LEM_JL_UPPER);
    double lower = lem_jl_norm_tail_chernoff_log(n, eps, LEM_JL_LOWER);
    return upper + log1p(exp(lower - upper));
}

/* The smallest whole n in [1, high] with tail(n) <= target, given that it holds at high; the tail decreases
 * in n. */
static double bisect(log_tail tail, double m, double high, double eps, double target) {
    if (tail(m, 1, eps) <= target)
        return 1;
    double low = 1;
    while (high - low > 1) {
        double middle = floor(low + (high - low) / 2);
        if (tail(m, middle, eps) <= target)
            high = middle;
        else
            low = middle;
    }
    return high;
}

double lem_jl_min_dim(double N, double eps, double delta, lem_min_dim_method method) {
    if (check(N, eps, delta))
        return (double)NAN;
    switch (method) {
    case LEM_MIN_DIM_SU24:
        return 24 * log(N) / eps / eps;
    case LEM_MIN_DIM_SU16:
        return 16 * log(N) / eps / eps;
    case LEM_MIN_DIM_DG4:
        return 4 * log(N) / (0.5 - eps / 3) / eps / eps;
    case LEM_MIN_DIM_EXACT:
    case LEM_MIN_DIM_CHERNOFF:
        break;
    default:
        return LEM_ERROR_NAN(GSL_EINVAL, "method = %d: must be one of lem_min_dim_method", (int)method);
    }
    double target = log(delta) - log_pairs(N);
    /* Twice Chernoff's upper bound, the larger of the two, meets the target here; the exact tails are
     * smaller. */
    double high = ceil((M_LN2 - target) / -lem_jl_norm_tail_chernoff_log(1, eps, LEM_JL_UPPER)) + 1;
    if (!(high <= LARGEST))
        return LEM_ERROR_NAN(GSL_ERANGE, "eps = %g: the dimension would exceed 2^53", eps);
    return bisect(method == LEM_MIN_DIM_EXACT ? gaussian : chernoff, 0, high, eps, target);
}

double lem_jl_min_dim_haar(double m, double N, double eps, double delta) {
    if (!(m >= 1 && m <= LARGEST && floor(m) == m))
        return LEM_ERROR_NAN(GSL_EDOM, "m = %g: must be a whole number from 1 to 2^53", m);
    if (check(N, eps, delta))
        return (double)NAN;
    return bisect(lem_jl_haar_two_sided_log, m, m, eps, log(delta) - log_pairs(N));
}
