#include "attention/noisy.h"
#include "attention/noise_table.h"
#include "linalg/check.h"

#include <gsl/gsl_math.h>
#include <limits.h>
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

static int too_large(double mse) {
    return LEM_ERROR(GSL_EOVRFLW, "v: differences so large that the mean square is %g", mse);
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

/* The tokens of positive weight: their panels at t = 1, and how many. */
typedef struct {
    const lem_noise_table *table;
    size_t count;
    long *panel, least; /* the lightest token's */
} panels;

static int panels_init(panels *at, const lem_noise_table *t, size_t n, const double *p, double total) {
    *at = (panels){.table = t, .panel = lem_allocate(n, sizeof *at->panel), .least = LONG_MAX};
    if (!at->panel)
        return GSL_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == 0)
            continue;
        const long panel = position_of(t, p[i] / total).panel;
        at->panel[at->count++] = panel;
        at->least = panel < at->least ? panel : at->least;
    }
    return GSL_SUCCESS;
}

/* About -log P at y = m steps. */
static double rough(const panels *at, long m) {
    double sum = 0;
    for (size_t i = 0; i < at->count; i++)
        sum += lem_noise_table_rough(at->table, at->panel[i] + m);
    return sum;
}

/* Is -log P + 2 y at least the level? The error of a sharp p is an integral of t^2 P, to t = 1/p of the
 * lighter tokens. */
static bool beyond(const panels *at, long m) {
    return rough(at, m) - 2 * LEM_NOISE_STEP * fmax(0, (double)m) >= NEGLIGIBLE_LOG;
}

/* Below it 1 - P is negligible. */
static long first_step(const panels *at) {
    long low = -2 * LARGEST_STEP, high = LARGEST_STEP;
    while (high - low > 1) {
        const long m = low + (high - low) / 2;
        *(rough(at, m) < NEGLIGIBLE ? &low : &high) = m;
    }
    return low - 2;
}

/* Where P is negligible, or every token has lost all of its W but W = 0. */
static long last_step(const panels *at, long low) {
    const long gone = (long)at->table->count - at->least + 1;
    const long end = gone < LARGEST_STEP ? gone : LARGEST_STEP;
    if (!beyond(at, end))
        return end;
    long high = end;
    while (high - low > 1) {
        const long m = low + (high - low) / 2;
        *(beyond(at, m) ? &high : &low) = m;
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

/* row[m] = sum_k b[k] x[k stride + m]: four at a time, so that row is written thrice, not twelve times. */
static void weigh(const double *x, size_t stride, const double *b, size_t count, double *row) {
    for (size_t m = 0; m < count; m++)
        row[m] = 0;
    for (size_t k = 0; k < LEM_NOISE_ROWS; k += 4) {
        const double *const x0 = x + k * stride, *const x1 = x0 + stride, *const x2 = x1 + stride,
                            *const x3 = x2 + stride;
        for (size_t m = 0; m < count; m++)
            row[m] += (b[k] * x0[m] + b[k + 1] * x1[m]) + (b[k + 2] * x2[m] + b[k + 3] * x3[m]);
    }
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
    if (from < to)
        weigh(table + (panel + (long)from), t->count, basis, to - from, row + from);
    for (size_t m = to; m < count; m++)
        row[m] = NAN; /* see add_heavy */
}

/* Where the centre is 1, u_i a_i counts without its z, since sum p_i u_i = 0.
 *
 * A token into the sums at steps where it has lost less than LIGHT of its W: -log(1 - b) = b + b^2/2 + ... +
 * b^8/8 to 2e-18 b. No branches: this loop has nearly all the steps. */
#define LIGHT 0x1p-7
static void add_light(grid *g, double centre, double w, double u, size_t to) {
    const double *const t = g->t, *const below = g->row[0], *const one = g->row[1], *const two = g->row[2];
    double *const log_p = g->log_p, *const ones = g->one, *const bias = g->bias, *const squares = g->square,
                  *const twos = g->two;
    for (size_t m = 0; m < to; m++) {
        const double z = w * t[m], b = z * below[m], share = z / (1 - b);
        const double off = share * one[m], a = z * centre + off, square = share * share * two[m];
        const double tail = b * (1 / 5. + b * (1 / 6. + b * (1 / 7. + b / 8)));
        log_p[m] += b * (1 + b * (1 / 2. + b * (1 / 3. + b * (1 / 4. + tail))));
        ones[m] += a;
        bias[m] += u * off;
        squares[m] += u * u * square;
        twos[m] += square + a * a;
    }
}

/* At one step anywhere else; `left` is E e^(-zW), 0 or NaN beyond the table, where only W = 0 is left. */
static void add_heavy(const lem_noise_table *t, grid *g, double z, double u, double left, size_t m) {
    if (!(left > 0)) {
        g->log_p[m] += t->none > 0 ? -log(t->none) : INFINITY;
        return;
    }
    const double off = z * g->row[1][m] / left, a = z * t->centre + off;
    const double square = z / left * (z * g->row[2][m] / left);
    g->log_p[m] -= log(left);
    g->one[m] += a;
    g->bias[m] += u * off;
    g->square[m] += u * u * square;
    g->two[m] += square + a * a;
}

/* One token: w = p/total, u = v - o. */
static void add_token(const lem_noise_table *t, grid *g, double w, double u) {
    const position at = position_of(t, w);
    double basis[LEM_NOISE_ROWS];
    lem_noise_table_basis(t, at.place, basis);
    const double *const tables[] = {t->below, t->one, t->two};
    for (int k = 0; k < 3; k++)
        combine(t, tables[k], basis, at.panel + g->from, g->count, g->row[k]);
    const long split = t->split - (at.panel + g->from);
    const size_t whole = split < 0 ? 0 : (size_t)split < g->count ? (size_t)split : g->count;
    size_t light = whole; /* what is lost grows with t */
    while (light > 0 && w * g->t[light - 1] * g->row[0][light - 1] >= LIGHT)
        light--;
    add_light(g, t->centre, w, u, light);
    for (size_t m = light; m < g->count; m++) {
        const double z = w * g->t[m];
        add_heavy(t, g, z, u, m < whole ? 1 - z * g->row[0][m] : g->row[0][m], m);
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
    panels at;
    grid g;
    status = panels_init(&at, t, n, p, total);
    if (!status) {
        const long from = first_step(&at);
        status = grid_init(&g, from, last_step(&at, from));
    }
    free(at.panel);
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
    if (!isfinite(sum.mse))
        return too_large(sum.mse);
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
        if (a < 0.3) /* (h^2/3 - nu)/nu with h^2 taken out of both */
            return nu + s * (1 / 45. - s * (2 / 945. - s * (1 / 4725. - s * 2 / 93555.))) /
                            (1 / 3. - s * (1 / 45. - s * (2 / 945. - s * (1 / 4725. - s * 2 / 93555.))));
        return nu + (a / nu * (a / 3) - 1);
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
    if (noise.kind == LEM_NOISE_GAUSS && noise.parameter > 8)
        return LEM_ERROR(GSL_EDOM, "sigma = %g: must be <= 8", noise.parameter);
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
    if (!isfinite(nu * mse))
        return too_large(mse);
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
