#include "projection/families.h"

#include <math.h>
#include <stdbool.h>

static double next_power_of_two(double m) {
    int exponent;
    return frexp(m, &exponent) == 0.5 ? m : ldexp(1, exponent);
}

static int check(lem_projection_kind kind, double m, double n, double q4, double s) {
    const double largest = 9007199254740992.0; /* 2^53 */
    if (!(m >= 1 && m <= largest && floor(m) == m))
        return LEM_ERROR(GSL_EDOM, "m = %g: must be a whole number from 1 to 2^53", m);
    if (!(n >= 1 && n <= largest && floor(n) == n))
        return LEM_ERROR(GSL_EDOM, "n = %g: must be a whole number from 1 to 2^53", n);
    /* A caller's sum of m fourth powers may fall short of 1/m by rounding. */
    if (!(q4 * m >= 1 - 1e-12 && q4 <= 1))
        return LEM_ERROR(GSL_EDOM, "q4 = %g: must be between 1/m = %g and 1", q4, 1 / m);
    if (kind == LEM_PROJECTION_SPARSE && (!(s >= 1) || !isfinite(s)))
        return LEM_ERROR(GSL_EDOM, "s = %g: must be >= 1 and finite", s);
    bool by_rows =
        kind == LEM_PROJECTION_HAAR || kind == LEM_PROJECTION_SRHT || kind == LEM_PROJECTION_SRHT_PADDED;
    if (by_rows && n > m)
        return LEM_ERROR(GSL_EDOM, "n = %g: must be <= m = %g for Haar and SRHT", n, m);
    if (kind == LEM_PROJECTION_SRHT && next_power_of_two(m) != m)
        return LEM_ERROR(GSL_EDOM, "m = %g: must be a power of two for SRHT", m);
    return GSL_SUCCESS;
}

double lem_jl_norm_variance(lem_projection_kind kind, double m, double n, double q4, double s) {
    if (check(kind, m, n, q4, s))
        return (double)NAN;
    switch (kind) {
    case LEM_PROJECTION_GAUSSIAN:
        return 2 / n;
    case LEM_PROJECTION_RADEMACHER:
        return 2 * (1 - q4) / n;
    case LEM_PROJECTION_SPARSE:
        /* As 2 (1 - q4) + (s - 1) q4, a sum of non-negative terms. */
        return (2 * (1 - q4) + (s - 1) * q4) / n;
    case LEM_PROJECTION_HAAR:
        return 2 * (m - n) / (n * (m + 2));
    case LEM_PROJECTION_SRHT:
    case LEM_PROJECTION_SRHT_PADDED: {
        double rows = next_power_of_two(m);
        return rows == n ? 0 : 2 * (1 - q4) / n * ((rows - n) / (rows - 1));
    }
    }
    return LEM_ERROR_NAN(GSL_EINVAL, "kind = %d: must be one of lem_projection_kind", (int)kind);
}
