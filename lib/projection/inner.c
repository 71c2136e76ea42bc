#include "projection/inner.h"
#include "projection/gamma_tail.h"
#include "projection/norm_tail.h"

#include <math.h>

static int check(double eps, double rho) {
    if (!(eps > 0) || !isfinite(eps))
        return LEM_ERROR(GSL_EDOM, "eps = %g: must be > 0 and finite", eps);
    if (!(fabs(rho) <= 1))
        return LEM_ERROR(GSL_EDOM, "rho = %g: must be between -1 and 1", rho);
    return GSL_SUCCESS;
}

/* With t = rho + eps, s = 1 - rho^2 and h = sqrt(s^2 + 4 t^2)/2, the saddle point of the rate is
 * l = eps/(b + h), b = (1 + rho^2)/2 + rho eps, and the tilted second moments are (1 + rho)/(1 - l (1 + rho))
 * = s/2 + h + t, (1 - rho)/(1 + l (1 - rho)) = s/2 + h - t. */
typedef struct {
    double t, half_s, h, l;
} saddle;

static saddle saddle_point(double eps, double rho) {
    saddle p = {.t = rho + eps, .half_s = (1 - rho) * (1 + rho) / 2};
    p.h = hypot(p.half_s, p.t);
    double b = (1 + rho * rho) / 2 + rho * eps;
    /* (h - b)(h + b) = 2 half_s eps t: the other form where b < 0, which needs eps > |rho|. */
    p.l = b >= 0 ? eps / (b + p.h) : (p.h - b) / (2 * p.half_s) / p.t;
    return p;
}

double lem_jl_inner_rate(double eps, double rho) {
    if (check(eps, rho))
        return (double)NAN;
    if (rho == 1)
        return -lem_log1p_minus(eps, 1 + eps) / 2;
    if (rho == -1)
        return eps < 1 ? -lem_log1p_minus(-eps, 1 - eps) / 2 : (double)INFINITY;
    saddle p = saddle_point(eps, rho);
    if (eps <= 0.5) {
        /* The logarithm factors into (1 - u)(1 + w); the parts linear in l rho cancel on paper. */
        double u = p.l * (1 + rho), w = p.l * (1 - rho);
        return p.l * eps + (lem_log1p_minus(-u, 1 - u) + lem_log1p_minus(w, 1 + w)) / 2;
    }
    /* 1 - 2 l rho - l^2 s = 1/(s/2 + h) at the saddle point. */
    return p.l * p.t - log(p.half_s + p.h) / 2;
}

/* The law of <Au, Av> - rho >= eps as an integral over v = log(Z/n), Z one of the two chi-squares. */
typedef struct {
    double a, eps, rho, t;
} integrand_data;

/* log of the density of v (without its constant) times the tail of the other chi-square. */
static double log_integrand(const integrand_data *d, double v) {
    double e = expm1(v), r = exp(v), plus = 1 + d->rho, minus = 1 - d->rho;
    double weight = d->a * lem_log1p_minus(e, r);
    if (d->t >= 0) /* Z = Y; X/n >= (2 t + (1 - rho) Y/n)/(1 + rho) */
        return weight + lem_scaled_log(lem_gamma_tail(d->a, (2 * d->eps + minus * e) / plus,
                                                      (2 * d->t + minus * r) / plus, true));
    return weight + lem_scaled_log(lem_gamma_tail(d->a, (plus * e - 2 * d->eps) / minus,
                                                  (plus * r - 2 * d->t) / minus, false));
}

/* sum exp(g(v) - reference) over v = start, start + step, ... until the terms no longer count. */
static double one_sided_sum(const integrand_data *d, double start, double step, double reference) {
    double sum = 0;
    for (int k = 0; k < 100000; k++) {
        double term = exp(log_integrand(d, start + k * step) - reference);
        sum += term;
        if (!(term > 1e-18 * sum))
            break;
    }
    return sum;
}

double lem_jl_inner_tail_log(double n, double eps, double rho) {
    if (!(n >= 1) || !isfinite(n))
        return LEM_ERROR_NAN(GSL_EDOM, "n = %g: must be >= 1 and finite", n);
    if (check(eps, rho))
        return (double)NAN;
    if (rho == 1)
        return lem_jl_norm_tail_log(n, eps, LEM_JL_UPPER);
    if (rho == -1)
        return eps < 1 ? lem_jl_norm_tail_log(n, eps, LEM_JL_LOWER) : -(double)INFINITY;

    saddle p = saddle_point(eps, rho);
    integrand_data d = {n / 2, eps, rho, p.t};
    /* The integrand peaks near the mean of Z under the tilted law. */
    double peak = p.t >= 0 ? -log1p(p.l * (1 - rho)) : -log1p(-p.l * (1 + rho));
    double reference = log_integrand(&d, peak);
    double h = fmin(0.2, 0.4 / sqrt(d.a));
    double sum = one_sided_sum(&d, peak, h, reference) + one_sided_sum(&d, peak - h, -h, reference);
    for (int halving = 0; halving < 6; halving++) {
        double middles =
            one_sided_sum(&d, peak + h / 2, h, reference) + one_sided_sum(&d, peak - h / 2, -h, reference);
        double change = fabs(middles - sum), total = sum + middles;
        h /= 2;
        if (change <= 1e-12 * total)
            return reference + log(lem_gamma_peak(d.a) * h * total);
        sum = total;
    }
    return LEM_ERROR_NAN(GSL_EFAILED, "n = %g, eps = %g, rho = %g: the quadrature did not settle to 1e-12", n,
                         eps, rho);
}

double lem_jl_inner_tail(double n, double eps, double rho) {
    if (rho == 1 || (rho == -1 && eps < 1))
        return lem_jl_norm_tail(n, eps, rho > 0 ? LEM_JL_UPPER : LEM_JL_LOWER);
    return exp(lem_jl_inner_tail_log(n, eps, rho));
}
