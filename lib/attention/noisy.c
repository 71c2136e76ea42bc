#include "attention/noisy.h"
#include "attention/noise_table.h"
#include "linalg/check.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double NEGLIGIBLE = 1e-19, NEGLIGIBLE_LOG = 44;
enum { LARGEST_STEP = 4070 }; /* e^(y) is finite */

static int check(size_t n, const double *p, const double *v, const void *out, double *total) {
    if (!p || !v || !out)
        return LEM_ERROR(GSL_EFAULT, "p, v or out is a null pointer");
    if (n == 0)
        return LEM_ERROR(GSL_EINVAL, "n = 0: there must be a token");
    *total = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(p[i] >= 0))
            return LEM_ERROR(GSL_EDOM, "p[%zu] = %g: must be >= 0", i, p[i]);
        if (!isfinite(v[i]))
            return LEM_ERROR(GSL_EINVAL, "v[%zu] = %g: must be finite", i, v[i]);
        *total += p[i];
    }
    if (!(fabs(*total - 1) <= 1e-9))
        return LEM_ERROR(GSL_EDOM, "p sums to %.12g: must be 1 within 1e-9", *total);
    return GSL_SUCCESS;
}

static size_t heaviest(size_t n, const double *p) {
    size_t top = 0;
    for (size_t i = 1; i < n; i++)
        if (p[i] > p[top])
            top = i;
    return top;
}

/* o, relative to the value of the heaviest token. */
static double output(size_t n, const double *p, const double *v, double total, double top) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += p[i] / total * (v[i] - top);
    return sum;
}

/* --- the range of t --------------------------------------------------------------------------------------
 */

/* A token: the panel of t = 1 and the place in it. */
typedef struct {
    long panel;
    double place;
} position;

static position position_of(const lem_noise_table *t, double p) {
    const double steps = log(p) / LEM_NOISE_STEP, whole = floor(steps);
    return (position){(long)whole - t->first, 2 * (steps - whole) - 1};
}

/* About -log P at y = m steps. */
static double rough(const lem_noise_table *t, size_t n, const double *p, double total, long m) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] > 0)
            sum += lem_noise_table_rough(t, position_of(t, p[i] / total).panel + m);
    return sum;
}

/* Is -log P + 2 y at least the level? The error of a sharp p is an integral of t^2 P, to t = 1/p of the
 * lighter tokens. */
static bool beyond(const lem_noise_table *t, size_t n, const double *p, double total, long m) {
    return rough(t, n, p, total, m) - 2 * LEM_NOISE_STEP * fmax(0, (double)m) >= NEGLIGIBLE_LOG;
}

/* Below it 1 - P is negligible. */
static long first_step(const lem_noise_table *t, size_t n, const double *p, double total) {
    long low = -2 * LARGEST_STEP, high = LARGEST_STEP;
    while (high - low > 1) {
        const long m = low + (high - low) / 2;
        *(rough(t, n, p, total, m) < NEGLIGIBLE ? &low : &high) = m;
    }
    return low - 2;
}

/* Where P is negligible, or every token has lost all of its W but W = 0. */
static long last_step(const lem_noise_table *t, size_t n, const double *p, double total, long low) {
    double least = 1;
    for (size_t i = 0; i < n; i++)
        least = p[i] > 0 ? fmin(least, p[i] / total) : least;
    const long gone = (long)t->count - position_of(t, least).panel + 1;
    const long end = gone < LARGEST_STEP ? gone : LARGEST_STEP;
    if (!beyond(t, n, p, total, end))
        return end;
    long high = end;
    while (high - low > 1) {
        const long m = low + (high - low) / 2;
        *(beyond(t, n, p, total, m) ? &high : &low) = m;
    }
    return high + 2 < end ? high + 2 : end;
}

/* --- the integral ----------------------------------------------------------------------------------------
 */

/* For each y = (from + m) steps: e^y, -log P, and sums over tokens. */
typedef struct {
    long from;
    size_t count;
    double *memory, *t, *log_p, *one, *bias, *square, *two;
    double *row[3]; /* of one token: below, one, two */
} grid;

static int grid_init(grid *g, long from, long to) {
    *g = (grid){.from = from, .count = (size_t)(to - from + 1)};
    g->memory = lem_allocate(9 * g->count, sizeof *g->memory);
    if (!g->memory)
        return GSL_ENOMEM;
    double **parts[] = {&g->t,   &g->log_p,  &g->one,    &g->bias,  &g->square,
                        &g->two, &g->row[0], &g->row[1], &g->row[2]};
    for (size_t k = 0; k < 9; k++)
        *parts[k] = g->memory + k * g->count;
    for (size_t m = 0; m < g->count; m++) {
        g->t[m] = exp(LEM_NOISE_STEP * (double)(from + (long)m));
        g->log_p[m] = g->one[m] = g->bias[m] = g->square[m] = g->two[m] = 0;
    }
    return GSL_SUCCESS;
}

/* row[m] = sum_k basis[k] table[k][panel + m], panels beyond an end standing for the last. */
static void combine(const lem_noise_table *t, const double *table, const double *basis, long panel,
                    size_t count, double *row) {
    const long inside = (long)t->count - 1;
    const size_t left = panel < 0 ? (size_t)(-panel) : 0;
    const size_t right = inside < panel ? 0 : (size_t)(inside - panel) + 1;
    const size_t from = left < count ? left : count, to = right < count ? right : count;
    double first = 0;
    for (int k = 0; k < LEM_NOISE_ROWS; k++)
        first += basis[k] * table[(size_t)k * t->count];
    for (size_t m = 0; m < from; m++)
        row[m] = first;
    for (size_t m = from; m < to; m++)
        row[m] = 0;
    for (int k = 0; k < LEM_NOISE_ROWS && from < to; k++) {
        const double *entry = table + (size_t)k * t->count + (size_t)(panel + (long)from);
        for (size_t m = from; m < to; m++)
            row[m] += basis[k] * entry[m - from];
    }
    for (size_t m = to; m < count; m++)
        row[m] = NAN; /* W p t beyond the table: see add_token */
}

/* One token into the sums: w = p/total, u = v - o. Beyond the table all of W is gone, but for W = 0. */
static void add_token(const lem_noise_table *t, grid *g, double w, double u) {
    const position at = position_of(t, w);
    double basis[LEM_NOISE_ROWS];
    lem_noise_table_basis(t, at.place, basis);
    const double *const tables[] = {t->below, t->one, t->two};
    for (int k = 0; k < 3; k++)
        combine(t, tables[k], basis, at.panel + g->from, g->count, g->row[k]);
    for (size_t m = 0; m < g->count; m++) {
        const double z = w * g->t[m], below = z * g->row[0][m];
        const bool split = at.panel + g->from + (long)m >= t->split;
        const double left = split ? g->row[0][m] : 1 - below;
        if (!(left > 0)) { /* NaN too */
            g->log_p[m] += t->none > 0 ? -log(t->none) : INFINITY;
            continue;
        }
        const double a = z * g->row[1][m] / left, square = z / left * (z * g->row[2][m] / left);
        g->log_p[m] -= split ? log(left) : log1p(-below);
        g->one[m] += a;
        g->bias[m] += u * a;
        g->square[m] += u * u * square;
        g->two[m] += square + a * a;
    }
}

static void sum_up(const grid *g, double share, lem_noisy_moments *out) {
    *out = (lem_noisy_moments){0};
    for (size_t m = 0; m < g->count; m++) {
        const double weight = LEM_NOISE_STEP * exp(-g->log_p[m]) / share;
        if (!(weight > 0))
            continue;
        out->norm += weight * g->one[m];
        out->bias += weight * g->bias[m];
        out->mse += weight * (g->square[m] + g->bias[m] * g->bias[m]);
        out->sum_squares += weight * g->two[m];
    }
}

/* 1 - none^n, the probability that a token is left, n counting the tokens of positive weight. */
static double left_over(const lem_noise_table *t, size_t n, const double *p) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += p[i] > 0;
    return t->none > 0 ? -expm1((double)count * log(t->none)) : 1;
}

int lem_noisy_attention_moments(const lem_noise_table *t, size_t n, const double *p, const double *v,
                                lem_noisy_moments *out) {
    double total;
    if (!t)
        return LEM_ERROR(GSL_EFAULT, "table is a null pointer");
    int status = check(n, p, v, out, &total);
    if (status)
        return status;
    const double top = v[heaviest(n, p)], o = output(n, p, v, total, top);
    const long from = first_step(t, n, p, total);
    grid g;
    status = grid_init(&g, from, last_step(t, n, p, total, from));
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        if (p[i] > 0)
            add_token(t, &g, p[i] / total, (v[i] - top) - o);
    lem_noisy_moments sum;
    sum_up(&g, left_over(t, n, p), &sum);
    free(g.memory);
    if (!(fabs(sum.norm - 1) < 1e-11))
        return LEM_ERROR(GSL_EFAILED, "the certificate of the quadrature is %.17g, not 1", sum.norm);
    *out = sum;
    return GSL_SUCCESS;
}

static int once(size_t n, const double *p, const double *v, double sigma, lem_noisy_moments *out) {
    lem_noise_table *table = lem_noise_table_alloc((lem_noise){LEM_NOISE_GAUSS, sigma});
    if (!table)
        return GSL_EDOM;
    const int status = lem_noisy_attention_moments(table, n, p, v, out);
    lem_noise_table_free(table);
    return status;
}

double lem_noisy_attention_bias(size_t n, const double *p, const double *v, double sigma) {
    lem_noisy_moments m;
    return once(n, p, v, sigma, &m) ? NAN : m.bias;
}

double lem_noisy_attention_mse(size_t n, const double *p, const double *v, double sigma) {
    lem_noisy_moments m;
    return once(n, p, v, sigma, &m) ? NAN : m.mse;
}

/* --- to leading order ------------------------------------------------------------------------------------
 */

/* mu3/nu, mu3 = E(W/EW - 1)^3; NaN where there is none. */
static double skewness_ratio(lem_noise noise) {
    const double a = noise.parameter, nu = lem_noise_factor(noise);
    switch (noise.kind) {
    case LEM_NOISE_GAUSS:
        return nu * (nu + 3);
    case LEM_NOISE_DROPOUT: /* mu3 = r (2r - 1)/(1 - r)^2 */
        return (2 * a - 1) / (1 - a);
    case LEM_NOISE_UNIFORM: { /* mu3 = nu^2 + h^2/3 - nu, and h^2/3 - nu = h^4/45 - 2 h^6/945 + ... */
        const double s = a * a;
        if (a == 0)
            return 0;
        const double rest =
            a < 0.3 ? s * s * (1 / 45. - s * (2 / 945. - s * (1 / 4725. - s * 2 / 93555.))) : s / 3 - nu;
        return nu + rest / nu;
    }
    case LEM_NOISE_LAPLACE: {
        const double s = a * a;
        return a < 1 / 3. ? 2 * s * (15 + s * (7 + 2 * s)) / ((2 + s) * (1 - 9 * s)) : NAN;
    }
    default:
        break;
    }
    return NAN;
}

int lem_noisy_attention_delta(lem_noise noise, size_t n, const double *p, const double *v,
                              lem_noisy_delta *out) {
    double total;
    int status = check(n, p, v, out, &total);
    if (status || (status = lem_check_noise(noise)))
        return status;
    const double nu = lem_noise_factor(noise), skewness = isfinite(nu) ? skewness_ratio(noise) : NAN;
    if (isnan(skewness))
        return LEM_ERROR(GSL_EDOM, "the noise (kind %d, parameter %g) must leave W a third moment",
                         (int)noise.kind, noise.parameter);
    const double top = v[heaviest(n, p)], o = output(n, p, v, total, top);
    double squares = 0, bias = 0, mse = 0, cubes = 0;
    for (size_t i = 0; i < n; i++) {
        const double w = p[i] / total, u = (v[i] - top) - o;
        squares += w * w;
        bias += w * w * u;
        mse += w * w * u * u;
        cubes += w * w * w * u * u;
    }
    *out = (lem_noisy_delta){.bias = -nu * bias, .mse = nu * mse, .participation = 1 / squares};
    if (mse > 0)
        out->correction = -2 * skewness * cubes / mse + 3 * nu * (squares + 2 * bias * bias / mse);
    return GSL_SUCCESS;
}

double lem_tv_bound_bounded_noise(double h) {
    if (!(h >= 0))
        return LEM_ERROR_NAN(GSL_EDOM, "h = %g: must be >= 0", h);
    return tanh(h / 2);
}
