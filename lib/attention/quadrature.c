#include "attention/quadrature.h"

/* The positive zeros of the Legendre polynomial P_16 and 2/((1 - x^2) P_16'(x)^2). */
static const double node[LEM_PANEL_NODES / 2] = {
    0.095012509837637440185, 0.28160355077925891323, 0.45801677765722738634, 0.61787624440264374845,
    0.7554044083550030339,   0.86563120238783174388, 0.94457502307323257608, 0.9894009349916499326};
static const double factor[LEM_PANEL_NODES / 2] = {
    0.18945061045506849629, 0.18260341504492358887,  0.16915651939500253819,  0.14959598881657673208,
    0.12462897125553387205, 0.095158511682492784810, 0.062253523938647892863, 0.027152459411754094852};

void lem_panel_nodes(double a, double b, size_t panels, double *x, double *weight) {
    const double half = (b - a) / (double)panels / 2;
    for (size_t p = 0; p < panels; p++) {
        const double middle = a + (2 * (double)p + 1) * half;
        for (size_t i = 0; i < LEM_PANEL_NODES / 2; i++) {
            x[0] = middle - half * node[i];
            x[1] = middle + half * node[i];
            weight[0] = weight[1] = half * factor[i];
            x += 2;
            weight += 2;
        }
    }
}

double lem_panel_integral(double (*f)(double x, const void *ctx), const void *ctx, double a, double b,
                          size_t panels) {
    double total = 0, width = (b - a) / (double)panels;
    for (size_t p = 0; p < panels; p++) {
        double x[LEM_PANEL_NODES], weight[LEM_PANEL_NODES], sum = 0;
        const double start = a + (double)p * width;
        lem_panel_nodes(start, start + width, 1, x, weight);
        for (size_t i = 0; i < LEM_PANEL_NODES; i++)
            sum += weight[i] * f(x[i], ctx);
        total += sum;
    }
    return total;
}
