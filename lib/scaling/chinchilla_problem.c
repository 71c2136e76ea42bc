#include "scaling/chinchilla_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_ROWS = 6, Q = LEM_CHINCHILLA_PARAMETERS };

/* --- the data in centred coordinates ------------------------------------------------------------- */

static int check_rows(const lem_chinchilla_data *data) {
    if (!data || !data->N || !data->D || !data->loss)
        return LEM_ERROR(GSL_EFAULT, "data: a null pointer");
    if (data->n < FEWEST_ROWS)
        return LEM_ERROR(GSL_EINVAL, "n = %zu: five parameters need at least %d rows", data->n, FEWEST_ROWS);
    for (size_t i = 0; i < data->n; i++) {
        const double N = data->N[i], D = data->D[i], loss = data->loss[i];
        if (!(N > 0 && isfinite(N) && D > 0 && isfinite(D) && loss > 0 && isfinite(loss)))
            return LEM_ERROR(GSL_EDOM, "row %zu: N = %g, D = %g, loss = %g: must be positive and finite",
                             i + 1, N, D, loss);
    }
    return GSL_SUCCESS;
}

static int make_room(lem_chinchilla_problem *p, size_t n) {
    p->x = malloc(4 * n * sizeof *p->x);
    if (!p->x)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu rows", n);
    p->y = p->x + n;
    p->z = p->y + n;
    p->w = p->z + n;
    return GSL_SUCCESS;
}

/* Logarithms, less their mean, over their standard deviation; or as the frame has it. */
static int centre(size_t n, const double *from, double *to, double *mean, double *sd, const char *name,
                  lem_chinchilla_frame frame) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        to[i] = log(from[i]);
        sum += to[i];
    }
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        to[i] -= *mean;
        squares += to[i] * to[i];
    }
    *sd = sqrt(squares / (double)n);
    if (!(*sd > 1e-9))
        return LEM_ERROR(GSL_EINVAL, "all %s are equal: nothing can be fitted to them", name);
    *sd = frame == LEM_CHINCHILLA_SCALED ? *sd : 1;
    for (size_t i = 0; i < n; i++)
        to[i] /= *sd;
    if (frame == LEM_CHINCHILLA_RAW) {
        for (size_t i = 0; i < n; i++)
            to[i] += *mean;
        *mean = 0;
    }
    return GSL_SUCCESS;
}

int lem_chinchilla_problem_init(lem_chinchilla_problem *p, const lem_chinchilla_data *data, double delta) {
    return lem_chinchilla_problem_init_in(p, data, delta, LEM_CHINCHILLA_SCALED);
}

int lem_chinchilla_problem_init_in(lem_chinchilla_problem *p, const lem_chinchilla_data *data, double delta,
                                   lem_chinchilla_frame frame) {
    *p = (lem_chinchilla_problem){.delta = delta, .scale = delta};
    int status = check_rows(data);
    if (!status && !(delta > 0))
        status = LEM_ERROR(GSL_EDOM, "delta = %g: must be positive, or inf", delta);
    if (!status)
        status = make_room(p, data->n);
    if (status)
        return status;
    p->n = data->n;
    status = centre(p->n, data->N, p->x, &p->mean_x, &p->sd_x, "N", frame);
    if (!status)
        status = centre(p->n, data->D, p->y, &p->mean_y, &p->sd_y, "D", frame);
    for (size_t i = 0; i < p->n; i++) {
        p->z[i] = log(data->loss[i]);
        p->w[i] = 1;
    }
    return status;
}

void lem_chinchilla_problem_clear(lem_chinchilla_problem *p) {
    free(p->x);
    p->x = NULL;
}

int lem_chinchilla_problem_like(lem_chinchilla_problem *p, const lem_chinchilla_problem *of) {
    *p = *of;
    p->x = NULL;
    const int status = make_room(p, of->n);
    p->n = 0;
    return status;
}

void lem_chinchilla_problem_resample(lem_chinchilla_problem *p, const lem_chinchilla_problem *of,
                                     const double *counts) {
    size_t n = 0;
    for (size_t i = 0; i < of->n; i++) {
        if (counts[i] <= 0)
            continue;
        p->x[n] = of->x[i];
        p->y[n] = of->y[i];
        p->z[n] = of->z[i];
        p->w[n++] = counts[i];
    }
    p->n = n;
}

void lem_chinchilla_to_law(const lem_chinchilla_problem *p, const double *q, lem_chinchilla *law) {
    law->alpha = q[3] / p->sd_x;
    law->beta = q[4] / p->sd_y;
    law->A = exp(q[0] + law->alpha * p->mean_x);
    law->B = exp(q[1] + law->beta * p->mean_y);
    law->E = exp(q[2]);
}

void lem_chinchilla_from_law(const lem_chinchilla_problem *p, const lem_chinchilla *law, double *q) {
    q[0] = log(law->A) - law->alpha * p->mean_x;
    q[1] = log(law->B) - law->beta * p->mean_y;
    q[2] = log(law->E);
    q[3] = law->alpha * p->sd_x;
    q[4] = law->beta * p->sd_y;
}

/* --- value and derivatives ----------------------------------------------------------------------- */

/* log(e^u + e^v + e^e) and the shares of the three terms. */
static inline double log_sum(double u, double v, double e, double *share) {
    const double higher = u > v ? u : v, top = higher > e ? higher : e;
    const double eu = u == top ? 1 : exp(u - top), ev = v == top ? 1 : exp(v - top),
                 ee = e == top ? 1 : exp(e - top);
    const double sum = eu + ev + ee, inverse = 1 / sum;
    share[0] = eu * inverse;
    share[1] = ev * inverse;
    share[2] = ee * inverse;
    return top + log(sum);
}

/* The part of the Hessian from one row, with c = w rho''/s + w rho'/s and d = w rho'/s:
 *     w/s (rho'' J J' - rho' (sum_k share_k a_k a_k' - J J')) = c J J' - d sum_k share_k a_k a_k',
 * a_k the gradient of the k-th term's logarithm. Lower triangle. */
static void add_curvature(double (*h)[Q], const double *jacobian, const double *share, double x, double y,
                          double c, double d) {
    for (int j = 0; j < Q; j++)
        for (int k = 0; k <= j; k++)
            h[j][k] += c * jacobian[j] * jacobian[k];
    h[0][0] -= d * share[0];
    h[1][1] -= d * share[1];
    h[2][2] -= d * share[2];
    h[3][0] += d * share[0] * x;
    h[4][1] += d * share[1] * y;
    h[3][3] -= d * share[0] * x * x;
    h[4][4] -= d * share[1] * y * y;
}

void lem_chinchilla_slope_at(const lem_chinchilla_problem *p, const double *q, lem_chinchilla_slope *slope,
                             double (*hessian)[Q]) {
    double most[Q] = {0}, g[Q] = {0}, value = 0, absolute = 0, squares = 0;
    *slope = (lem_chinchilla_slope){.value = 0};
    if (hessian)
        memset(hessian, 0, Q * sizeof *hessian);
    const double delta = p->delta, inverse = 1 / p->scale;
    for (size_t i = 0; i < p->n; i++) {
        double share[3];
        const double x = p->x[i], y = p->y[i], w = p->w[i];
        const double r = p->z[i] - log_sum(q[0] - q[3] * x, q[1] - q[4] * y, q[2], share);
        const double size = fabs(r);
        const bool inner = size <= delta;
        const double psi = w * inverse * (inner ? r : copysign(delta, r));
        const double a = w * share[0], b = w * share[1], c = w * share[2];
        value += w * (inner ? size * size / 2 : delta * (size - delta / 2));
        absolute += w * size;
        squares += w * size * size;
        g[0] -= psi * share[0];
        g[1] -= psi * share[1];
        g[2] -= psi * share[2];
        g[3] += psi * share[0] * x;
        g[4] += psi * share[1] * y;
        most[0] += a;
        most[1] += b;
        most[2] += c;
        most[3] += a * fabs(x);
        most[4] += b * fabs(y);
        if (!hessian)
            continue;
        const double jacobian[Q] = {share[0], share[1], share[2], -share[0] * x, -share[1] * y};
        add_curvature(hessian, jacobian, share, x, y, (inner ? w * inverse : 0) + psi, psi);
        for (int j = 0; j < Q && !inner; j++)
            slope->outer[j] += w * (r > 0 ? jacobian[j] : -jacobian[j]);
    }
    slope->value = value * inverse;
    slope->absolute = absolute;
    slope->squares = squares;
    for (int j = 0; j < Q; j++) {
        const double size = fabs(g[j]) / most[j];
        slope->gradient[j] = g[j];
        slope->size = size > slope->size || isnan(size) ? size : slope->size;
    }
}
