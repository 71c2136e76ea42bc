#include "walk/bridge.h"
#include "attention/softmax_kernel.h"
#include "linalg/check.h"
#include "walk/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 };

static int check_bridge(double xa, double xb, double T, double alpha, size_t n, size_t count) {
    int status = lem_walk_check_finite(xa, "xa");
    if (!status)
        status = lem_walk_check_finite(xb, "xb");
    if (!status)
        status = lem_walk_check_positive(T, "T");
    if (!status)
        status = lem_walk_check_positive(alpha, "alpha");
    if (status)
        return status;
    if (n < 1 || count < 1)
        return LEM_ERROR(GSL_EDOM, "n = %zu slices, count = %zu paths: must be >= 1", n, count);
    return GSL_SUCCESS;
}

static void set_all(size_t n, double value, double *x) {
    for (size_t i = 0; i < n; i++)
        x[i] = value;
}

/* x_k -> x_{k+1} of m <= BLOCK bridges, k < n - 1. */
static int bridge_step(lem_stream *stream, size_t k, size_t n, double xb, double variance, size_t m,
                       double *restrict x) {
    double z[BLOCK];
    const int status = lem_normal_fill(stream, m, z);
    if (status)
        return status;
    const double left = (double)(n - k), pull = 1 / left, spread = sqrt(variance * (left - 1) / left);
    for (size_t i = 0; i < m; i++)
        x[i] += (xb - x[i]) * pull + spread * z[i];
    return GSL_SUCCESS;
}

static int bridge_block(lem_stream *stream, const lem_feynman_kac *p, size_t count, size_t m, double *out) {
    double x[BLOCK];
    set_all(m, p->xa, x);
    set_all(m, p->xa, out);
    set_all(m, p->xb, out + p->slices * count);
    for (size_t k = 0; k + 1 < p->slices; k++) {
        const int status =
            bridge_step(stream, k, p->slices, p->xb, p->alpha * p->T / (double)p->slices, m, x);
        if (status)
            return status;
        memcpy(out + (k + 1) * count, x, m * sizeof *x);
    }
    return GSL_SUCCESS;
}

int lem_brownian_bridge(lem_stream *stream, double xa, double xb, double T, double alpha, size_t n,
                        size_t count, double *out) {
    int status = check_bridge(xa, xb, T, alpha, n, count);
    if (!status && !out)
        status = LEM_ERROR(GSL_EFAULT, "out = null: must have room for %zu paths at %zu times", count, n + 1);
    const lem_feynman_kac bridge = {.xa = xa, .xb = xb, .T = T, .alpha = alpha, .slices = n};
    for (size_t done = 0; !status && done < count; done += BLOCK)
        status =
            bridge_block(stream, &bridge, count, count - done < BLOCK ? count - done : BLOCK, out + done);
    return status;
}

/* --- weights --- */

/* sum[i] += factor U(x[i], t) */
static int add_potential(const lem_feynman_kac *p, double factor, double t, size_t m, const double *x,
                         double *restrict sum) {
    double u[BLOCK];
    const int status = lem_block_field_at(&p->potential, "potential", m, x, t, u);
    if (status)
        return status;
    for (size_t i = 0; i < m; i++)
        sum[i] += factor * u[i];
    return GSL_SUCCESS;
}

/* Bridges and weights of m <= BLOCK paths; paths (null: not kept) are `stride` values apart from slice to
 * slice. */
static int weigh_block(lem_stream *stream, const lem_feynman_kac *p, size_t m, double *paths, size_t stride,
                       double *log_weight) {
    const double h = p->T / (double)p->slices, full = -h / p->alpha;
    double x[BLOCK];
    set_all(m, p->xa, x);
    set_all(m, 0, log_weight);
    int status = add_potential(p, full / 2, 0, m, x, log_weight);
    for (size_t k = 1; !status && k < p->slices; k++) {
        if (paths)
            memcpy(paths + (k - 1) * stride, x, m * sizeof *x);
        status = bridge_step(stream, k - 1, p->slices, p->xb, p->alpha * h, m, x);
        if (!status)
            status = add_potential(p, full, (double)k * h, m, x, log_weight);
    }
    if (paths && !status)
        memcpy(paths + (p->slices - 1) * stride, x, m * sizeof *x);
    set_all(m, p->xb, x);
    if (paths && !status)
        memcpy(paths + p->slices * stride, x, m * sizeof *x);
    return status ? status : add_potential(p, full / 2, p->T, m, x, log_weight);
}

int lem_feynman_kac_paths(lem_stream *stream, const lem_feynman_kac *p, size_t count, double *paths,
                          double *log_weight) {
    if (!p || !log_weight)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must not be", p ? "log_weight" : "problem");
    int status = check_bridge(p->xa, p->xb, p->T, p->alpha, p->slices, count);
    for (size_t done = 0; !status && done < count; done += BLOCK)
        status = weigh_block(stream, p, count - done < BLOCK ? count - done : BLOCK,
                             paths ? paths + done : NULL, count, log_weight + done);
    return status;
}

int lem_feynman_kac_chunk(lem_stream *stream, size_t first, size_t count, void *workspace, lem_mc_result *out,
                          const void *ctx) {
    (void)first, (void)workspace;
    return lem_feynman_kac_paths(stream, ctx, count, NULL, out->records);
}

/* --- the kernel --- */

static int largest_of(size_t n, const double *log_weight, double *most) {
    *most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(log_weight[i]))
            return LEM_ERROR(GSL_EINVAL, "log_weight[%zu] = %g: must be finite", i, log_weight[i]);
        *most = log_weight[i] > *most ? log_weight[i] : *most;
    }
    return GSL_SUCCESS;
}

static double log_free_kernel(const lem_feynman_kac *p) {
    const double d = p->xb - p->xa, two_pi = 6.283185307179586;
    return -d * d / (2 * p->alpha * p->T) - log(two_pi * p->alpha * p->T) / 2;
}

int lem_feynman_kac_reduce(const lem_feynman_kac *p, size_t n, const double *log_weight,
                           lem_feynman_kac_result *result) {
    if (!p || !log_weight || !result)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must not be",
                         !p            ? "problem"
                         : !log_weight ? "log_weight"
                                       : "result");
    int status = check_bridge(p->xa, p->xb, p->T, p->alpha, p->slices, 1);
    if (!status && n < 2)
        status = LEM_ERROR(GSL_EINVAL, "n = %zu: must be >= 2 weights", n);
    double most = 0;
    if (!status)
        status = largest_of(n, log_weight, &most);
    if (status)
        return status;
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    lem_moments weights;
    lem_moments_init(&weights);
    for (size_t done = 0; !status && done < n; done += 1024) {
        double block[1024];
        const size_t m = n - done < 1024 ? n - done : 1024;
        memcpy(block, log_weight + done, m * sizeof *block);
        (void)kernel->exp_sum(block, m, most);
        lem_moments part;
        lem_moments_init(&part);
        status = lem_moments_add_array(&part, m, block);
        lem_moments_merge(&weights, &part);
    }
    if (status)
        return status;
    const double mean = lem_moments_mean(&weights), log_kernel = log_free_kernel(p) + most + log(mean);
    *result = (lem_feynman_kac_result){
        .log_kernel = log_kernel,
        .kernel = exp(log_kernel),
        .relative_error = lem_moments_stderr(&weights) / mean,
        .relative_variance = lem_moments_variance(&weights) / (mean * mean),
        .weights = weights,
        .largest_log_weight = most,
    };
    return GSL_SUCCESS;
}

int lem_feynman_kac_mc(const lem_feynman_kac *p, const lem_feynman_kac_run *run,
                       lem_feynman_kac_result *result) {
    if (!p || !run || !result)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must not be", !p ? "problem" : !run ? "run" : "result");
    double *log_weight = lem_allocate(run->samples ? run->samples : 1, sizeof *log_weight);
    if (!log_weight)
        return GSL_ENOMEM;
    const lem_mc_plan plan = {.seed = run->seed,
                              .study = run->study,
                              .purpose = run->purpose,
                              .samples = run->samples,
                              .chunk_size = 4096,
                              .n_records = 1,
                              .threads = run->threads,
                              .chunk = lem_feynman_kac_chunk,
                              .ctx = p};
    lem_mc_result mc = {.records = log_weight};
    int status = lem_mc_run(&plan, &mc);
    if (!status)
        status = lem_feynman_kac_reduce(p, run->samples, log_weight, result);
    free(log_weight);
    return status;
}
