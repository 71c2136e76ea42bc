#include "walk/lattice.h"
#include "walk/check.h"

#include <gsl/gsl_math.h>
#include <math.h>

/* --- the symmetric walk ------------------------------------------------------------------------------------
 */

/* log n! - ((n + 1/2) log n - n + log(2 pi)/2), n >= 1: exact values, then Stirling's series, whose first
 * term left out is below 1e-18 of the whole from n = 16. */
static double stirling_error(double n) {
    static const double exact[] = {0,
                                   0.08106146679532725822,
                                   0.041340695955409294094,
                                   0.027677925684998339149,
                                   0.020790672103765093112,
                                   0.016644691189821192163,
                                   0.013876128823070747999,
                                   0.011896709945891770095,
                                   0.010411265261972096497,
                                   0.0092554621827127329177,
                                   0.0083305634333628712565,
                                   0.007573675487951840795,
                                   0.0069428401072095298657,
                                   0.0064089941880042070684,
                                   0.0059513701127588477356,
                                   0.005554733551962801371};
    if (n < 16)
        return exact[(int)n];
    const double r = 1 / (n * n);
    return (1 / 12.0 -
            r * (1 / 360.0 - r * (1 / 1260.0 - r * (1 / 1680.0 - r * (1 / 1188.0 - r * 691 / 360360.0))))) /
           n;
}

double lem_walk_pmf(unsigned long long n, long long m) {
    if (n > 1ULL << 53)
        return LEM_ERROR_NAN(GSL_EDOM, "n = %llu: must be at most 2^53", n);
    const unsigned long long far = m < 0 ? 0ULL - (unsigned long long)m : (unsigned long long)m;
    if (far > n || (n - far) % 2)
        return 0;
    const double steps = (double)n;
    if (far == n)
        return exp2(-steps);
    const double right = (double)((n + far) / 2), left = (double)((n - far) / 2);
    /* n log 2 less n times the entropy of (left, right)/n, as a sum that loses at most a factor of 4 */
    const double r = (double)far / steps;
    const double deviance = r < .5 ? steps * (log1p(-r * r) / 2 + r * atanh(r))
                                   : right * log(2 * right / steps) + left * log(2 * left / steps);
    return exp(stirling_error(steps) - stirling_error(right) - stirling_error(left) - deviance) *
           sqrt(steps / (2 * M_PI * right * left));
}

/* --- the biased walk ---------------------------------------------------------------------------------------
 */

static const double NEGLIGIBLE = 1e-300;

typedef struct {
    const lem_field *drift;
    size_t n;
    double x0, dt, ds, alpha, clipped;
} walk;

static int check_walk(const lem_field *drift, size_t n, double x0, double T, double alpha, double limit,
                      const double *probabilities) {
    int status;
    if (!drift || !drift->function || !probabilities)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must not be", probabilities ? "drift" : "probabilities");
    if (n < 1 || n > (size_t)1 << 30)
        return LEM_ERROR(GSL_EDOM, "n = %zu: must be in [1, 2^30]", n);
    if (!(limit >= 0))
        return LEM_ERROR(GSL_EDOM, "clipped_limit = %g: must be >= 0", limit);
    if ((status = lem_walk_check_finite(x0, "x0")) || (status = lem_walk_check_positive(T, "T")))
        return status;
    return lem_walk_check_positive(alpha, "alpha");
}

/* The mass of site j goes to its neighbours; the sites of the other parity are empty. */
static int step_site(walk *w, size_t j, double t, double *p) {
    const double mass = p[j], x = w->x0 + ((double)j - (double)w->n) * w->ds;
    double drift = 0;
    const int status = lem_field_at(w->drift, "drift", x, t, &drift);
    if (status)
        return status;
    double bias = drift * w->ds / w->alpha;
    if (fabs(bias) > 1) {
        w->clipped += mass;
        bias = copysign(1, bias);
    }
    p[j] = 0;
    p[j + 1] += mass * (1 + bias) / 2;
    p[j - 1] += mass * (1 - bias) / 2;
    return GSL_SUCCESS;
}

int lem_biased_walk_evolve(const lem_field *drift, size_t n, double x0, double T, double alpha,
                           double clipped_limit, double *probabilities, double *clipped) {
    int status = check_walk(drift, n, x0, T, alpha, clipped_limit, probabilities);
    if (status)
        return status;
    const double dt = T / (double)n;
    walk w = {drift, n, x0, dt, sqrt(alpha * dt), alpha, 0};
    for (size_t j = 0; j <= 2 * n; j++)
        probabilities[j] = 0;
    probabilities[n] = 1;
    for (size_t k = 0; k < n; k++)
        for (size_t j = n - k; j <= n + k; j += 2) {
            if (probabilities[j] < NEGLIGIBLE)
                probabilities[j] = 0;
            else if ((status = step_site(&w, j, (double)k * dt, probabilities)))
                return status;
        }
    if (clipped)
        *clipped = w.clipped;
    if (w.clipped > clipped_limit)
        return LEM_ERROR(GSL_ERANGE,
                         "clipped mass %g: must be at most %g; |drift| sqrt(alpha T/n) <= alpha where the "
                         "walk goes, take more steps",
                         w.clipped, clipped_limit);
    return GSL_SUCCESS;
}
