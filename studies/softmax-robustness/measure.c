#include "study.h"

#include "attention/softmax_kernel.h"

void *srob_workspace_alloc(const void *ctx) {
    return malloc(*(const size_t *)ctx * sizeof(double));
}

int srob_tokens(lem_stream *stream, size_t n, double sharp, double tilt, double *p, double *v) {
    LEM_TRY(lem_normal_fill(stream, n, p));
    LEM_TRY(lem_normal_fill(stream, n, v));
    for (size_t i = 0; i < n; i++) {
        v[i] = tilt * p[i] + sqrt(1 - tilt * tilt) * v[i];
        p[i] *= sharp;
    }
    return lem_softmax(n, p, p);
}

double srob_mean(size_t n, const double *p, const double *v) {
    return lem_softmax_best_kernel()->dot(p, v, n);
}

int srob_noisy(lem_stream *stream, lem_noise noise, size_t n, const double *p, const double *v, double *w,
               double *change, double *sum_squares) {
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    double sum = 0, moved = 0, squares = 0;
    while (!(sum > 0)) {
        LEM_TRY(lem_noise_fill(noise, stream, n, w));
        const double largest = kernel->max(w, n);
        if (largest == -INFINITY)
            continue;
        (void)kernel->exp_sum(w, n, largest);
        sum = kernel->dot(p, w, n);
    }
    const double o = srob_mean(n, p, v);
    for (size_t i = 0; i < n; i++) {
        const double q = p[i] * w[i];
        moved += q * (v[i] - o);
        squares += q * q;
    }
    *change = moved / sum;
    if (sum_squares)
        *sum_squares = squares / sum / sum;
    return GSL_SUCCESS;
}

void srob_run_on(srob_running *r, size_t n, const double *x, const double *v) {
    double most = r->most;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    if (r->sum > 0) {
        const double shrink = exp(r->most - most);
        r->score = shrink * (r->score + (r->most - most) * r->sum);
        r->sum *= shrink, r->squares *= shrink * shrink, r->value *= shrink;
    }
    r->most = most;
    for (size_t i = 0; i < n; i++) {
        const double e = exp(x[i] - most);
        r->sum += e, r->squares += e * e, r->score += e * (x[i] - most);
        r->value += v ? e * v[i] : 0;
    }
}

double srob_output(const srob_running *r) {
    return r->value / r->sum;
}

double srob_sum_squares(const srob_running *r) {
    return r->squares / r->sum / r->sum;
}

double srob_entropy(const srob_running *r) {
    return log(r->sum) - r->score / r->sum;
}

double srob_floor(double effect, double sd, int points) {
    const double z = lem_normal_quantile(0.5e-6 / points, LEM_UPPER) + lem_normal_quantile(1e-6, LEM_UPPER);
    return ceil(2 * pow(z * sd / effect, 2)) + 20;
}

srob_key srob_name(const char *prefix, double number) {
    srob_key key;
    (void)snprintf(key.text, sizeof key.text, "%s-%g", prefix, number);
    return key;
}
