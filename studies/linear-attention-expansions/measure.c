#define MATHLIB_STANDALONE
#include <Rmath.h>

#include "study.h"

int lin_fill(lem_stream *stream, double sd, gsl_matrix *m) {
    for (size_t i = 0; i < m->size1; i++) {
        double *row = m->data + i * m->tda;
        LEM_TRY(lem_normal_fill(stream, m->size2, row));
        for (size_t j = 0; j < m->size2; j++)
            row[j] *= sd;
    }
    return GSL_SUCCESS;
}

void *lin_workspace_alloc(const void *ctx) {
    return malloc(*(const size_t *)ctx * sizeof(double));
}

gsl_matrix lin_matrix(double *workspace, size_t *used, size_t rows, size_t columns) {
    gsl_matrix m = gsl_matrix_view_array(workspace + *used, rows, columns).matrix;
    *used += rows * columns;
    return m;
}

double lin_horner(int n, const double *c, double x, double *size) {
    double p = 0, s = 0;
    for (int m = n; m >= 0; m--) {
        p = p * x + c[m];
        s = s * fabs(x) + fabs(c[m]);
    }
    if (size)
        *size = s;
    return p;
}

/* Clenshaw's sum of the Chebyshev series of e^x cut at n; b[0] is halved. */
static double chebyshev(int n, const double *b, double y) {
    double u = 0, v = 0;
    for (int k = n; k >= 1; k--) {
        const double next = b[k] + 2 * y * u - v;
        v = u;
        u = next;
    }
    return b[0] / 2 + y * u - v;
}

static double chebyshev_sup(int n, double R) {
    double b[80], sup = 0;
    for (int k = 0; k <= n; k++)
        b[k] = lem_chebyshev_exp_coefficient(k, R);
    for (int i = -200; i <= 200; i++)
        sup = fmax(sup, fabs(chebyshev(n, b, i / 200.0) * exp(-R * i / 200.0) - 1));
    return sup;
}

static double grid_sup(double (*error)(int, double), int n, double R) {
    double sup = 0;
    for (int i = -200; i <= 200; i++)
        sup = fmax(sup, fabs(error(n, R * i / 200.0)));
    return sup;
}

double lin_sup(lin_family family, int n, double R) {
    switch (family) {
    case LIN_TAYLOR:
        return grid_sup(lem_exp_taylor_relative_error, n, R);
    case LIN_POWER:
        return grid_sup(lem_exp_power_relative_error, n, R);
    case LIN_RICHARDSON:
        return grid_sup(lem_exp_richardson_relative_error, n, R);
    case LIN_SHIFTED:
        return lem_exp_taylor_shifted_max_relative_error(n, R);
    case LIN_CHEBYSHEV:
        return chebyshev_sup(n, R);
    case LIN_MINIMAX:
        return lem_exp_minimax_relative_error(n, R);
    case LIN_FAMILIES:
        break;
    }
    return NAN;
}

int lin_degree(lin_family family, double R, double level, int first, int most) {
    while (first < most) {
        const int middle = first + (most - first) / 2;
        if (lin_sup(family, middle, R) <= level)
            most = middle;
        else
            first = middle + 1;
    }
    return most;
}

double lin_floor_mean(double effect, double sd, int points) {
    for (double n = 8;; n = ceil(1.1 * n)) {
        const double level = qt(1e-6 / (2 * points), n - 1, 0, 0), power = qt(1e-6, n - 1, 0, 0);
        if (sqrt(n) * effect / sd >= level + power)
            return n;
    }
}
