/* Norms of diag p - p p^T, from p with its largest entry first. */
#include "attention/softmax_kernel.h"
#include "attention/softmax_scores.h"

#include <math.h>

typedef struct {
    double top, second, rest; /* p_1, the largest of the others, 1 - p_1 */
    const double *others;
    size_t count;
} weights;

/* sum_i p_i (1 - p_i). */
static double trace_of(const weights *w) {
    double sum = w->top * w->rest;
    for (size_t i = 0; i < w->count; i++)
        sum += w->others[i] * (1 - w->others[i]);
    return sum;
}

/* The root of sum_i p_i^2 (1 - p_i)^2 + sum_(i != j) p_i^2 p_j^2, in units of p_2 so that squares do not
 * underflow. */
static double frobenius_of(const weights *w) {
    if (w->second == 0)
        return 0;
    const double unit = w->second, top = w->top * (w->rest / unit);
    double squares = 0, pairs = 0, diagonal = top * top;
    for (size_t i = 0; i < w->count; i++) {
        const double p = w->others[i], q = (p / unit) * (p / unit);
        diagonal += q * (1 - p) * (1 - p);
        pairs += p * p * squares;
        squares += q;
    }
    return unit * sqrt(diagonal + 2 * (w->top * w->top * squares + pairs));
}

/* h(mu) = (p_1 - mu) sum' p_i/(mu - p_i) - p_1 is convex and falls on (p_2, p_1): Newton's steps stay left of
 * the root. The harmonic mean of p_1 and p_2, where p_2 alone would have the root, is left of it. */
static double spectral_of(const weights *w) {
    if (w->second == 0 || w->second == w->top)
        return w->second;
    double mu = w->top * (2 * w->second / (w->top + w->second));
    for (int round = 0; round < 60; round++) {
        double sum = 0, slope = 0;
        for (size_t i = 0; i < w->count; i++) {
            const double term = w->others[i] / (mu - w->others[i]);
            sum += term;
            slope += term / (mu - w->others[i]);
        }
        const double gap = w->top - mu, step = (gap * sum - w->top) / (sum + gap * slope);
        mu += step;
        if (!(step > 1e-15 * mu))
            break;
    }
    return mu;
}

int lem_softmax_jacobian_norms(size_t n, const double *s, double alpha, double *scratch, double *trace,
                               double *frobenius, double *spectral) {
    lem_softmax_statistics a;
    if (!scratch)
        return LEM_ERROR(GSL_EFAULT, "scratch is a null pointer");
    int status = lem_softmax_statistics_of(n, s, alpha, &a);
    if (status)
        return status;
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    size_t top = 0;
    while (s[top] != a.max_score)
        top++;
    for (size_t i = 0; i < n; i++)
        scratch[i] = alpha * (s[i] - a.max_score);
    scratch[top] = scratch[n - 1];
    const double sum = n > 1 ? kernel->exp_sum(scratch, n - 1, 0) : 0;
    for (size_t i = 0; i + 1 < n; i++)
        scratch[i] /= 1 + sum;
    const weights w = {.top = 1 / (1 + sum),
                       .second = n > 1 ? kernel->max(scratch, n - 1) : 0,
                       .rest = sum / (1 + sum),
                       .others = scratch,
                       .count = n - 1};
    if (trace)
        *trace = alpha * trace_of(&w);
    if (frobenius)
        *frobenius = alpha * frobenius_of(&w);
    if (spectral)
        *spectral = alpha * spectral_of(&w);
    return GSL_SUCCESS;
}
