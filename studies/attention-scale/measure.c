#include "study.h"

int ascale_law(lem_score_kind kind, double shape, double n, double alpha, lem_quenched *out) {
    return lem_quenched_softmax(&(lem_score_law){.kind = kind, .shape = shape}, n, alpha, out);
}

int ascale_gauss(double n, double alpha, lem_quenched *out) {
    return ascale_law(LEM_SCORES_GAUSSIAN, 0, n, alpha, out);
}

int ascale_cosines(double n, double alpha, double d, lem_quenched *out) {
    return ascale_law(LEM_SCORES_COSINE, d, n, alpha, out);
}

double ascale_freezing(double n) {
    return sqrt(2 * log(n));
}

double ascale_freezing_cosine(double n, double d) {
    double low = 0, high = 1;
    while (lem_vmf_kl_uniform(high, d) < log(n))
        high *= 2;
    for (int round = 0; round < 60; round++) {
        const double middle = (low + high) / 2;
        *(lem_vmf_kl_uniform(middle, d) < log(n) ? &low : &high) = middle;
    }
    return high;
}

double ascale_maximum(double (*f)(double x, const void *ctx), const void *ctx, double low, double high) {
    const double golden = (sqrt(5) - 1) / 2;
    double a = log(low), b = log(high), c = b - golden * (b - a), d = a + golden * (b - a);
    double f_c = f(exp(c), ctx), f_d = f(exp(d), ctx);
    while (b - a > 1e-9) {
        if (f_c > f_d) {
            b = d, d = c, f_d = f_c;
            c = b - golden * (b - a);
            f_c = f(exp(c), ctx);
        } else {
            a = c, c = d, f_c = f_d;
            d = a + golden * (b - a);
            f_d = f(exp(d), ctx);
        }
    }
    return exp((a + b) / 2);
}

void *ascale_workspace_alloc(const void *ctx) {
    return calloc(*(const size_t *)ctx, sizeof(double));
}

void ascale_grid(size_t count, double low, double high, double *x) {
    for (size_t i = 0; i < count; i++)
        x[i] = low * pow(high / low, (double)i / (double)(count - 1));
}
