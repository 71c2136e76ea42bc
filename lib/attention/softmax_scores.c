#include "attention/softmax_scores.h"
#include "attention/score_nodes.h"
#include "attention/softmax_kernel.h"
#include "linalg/check.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 1024, MOST_SCALES = 64 };

/* Sums over all scores but the largest, e = e^(alpha (s - max)), v = max - s. */
typedef struct {
    double alpha, max, e, e2, ev, ev2;
} sums;

/* The largest becomes one of the others. */
static void raise_max(sums *a, double max) {
    if (isinf(a->max)) {
        a->max = max;
        return;
    }
    const double rise = max - a->max, f = exp(-a->alpha * rise), all = a->e + 1;
    a->ev2 = f * (a->ev2 + rise * (2 * a->ev + rise * all));
    a->ev = f * (a->ev + rise * all);
    a->e2 = f * f * (a->e2 + 1);
    a->e = f * all;
    a->max = max;
}

/* n scores, and the largest of them. Scores equal to the maximum are counted here, all but one among the
 * others. */
static void add_block(sums *a, const lem_softmax_kernel *kernel, size_t n, const double *s, double largest) {
    double more[4], ties = largest > a->max ? -1 : 0;
    if (largest > a->max)
        raise_max(a, largest);
    if (largest == a->max)
        for (size_t j = 0; j < n; j++)
            ties += s[j] == largest;
    kernel->spread(s, n, a->alpha, a->max, more);
    a->e += ties + more[0];
    a->e2 += ties + more[1];
    a->ev += more[2];
    a->ev2 += more[3];
}

static void finish(const sums *a, lem_softmax_statistics *out) {
    const double z = 1 + a->e, first = a->ev / z;
    out->log_z = a->alpha * a->max + log1p(a->e);
    out->sum_p2 = (1 + a->e2) / (z * z);
    out->distinct = (2 * a->e + (a->e * a->e - a->e2)) / (z * z);
    out->entropy = log1p(a->e) + a->alpha * first;
    out->mean_score = a->max - first;
    out->variance = a->ev2 / z - first * first;
    out->max_score = a->max;
}

static int check_alpha(double alpha) {
    if (!(alpha >= 0 && isfinite(alpha)))
        return LEM_ERROR(GSL_EDOM, "alpha = %g: must be >= 0 and finite", alpha);
    return GSL_SUCCESS;
}

static int check_scores(size_t n, const double *s, const char *name) {
    if (!s)
        return LEM_ERROR(GSL_EFAULT, "%s is a null pointer", name);
    if (n < 1)
        return LEM_ERROR(GSL_EDOM, "n = 0: must be at least 1");
    if (!lem_all_finite(s, n))
        return LEM_ERROR(GSL_EINVAL, "%s: an entry is not finite", name);
    return GSL_SUCCESS;
}

static void accumulate(sums *a, size_t n, const double *s) {
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    for (size_t from = 0; from < n; from += BLOCK) {
        const size_t count = n - from < BLOCK ? n - from : BLOCK;
        add_block(a, kernel, count, s + from, kernel->max(s + from, count));
    }
}

int lem_softmax_statistics_of(size_t n, const double *s, double alpha, lem_softmax_statistics *out) {
    if (!out)
        return LEM_ERROR(GSL_EFAULT, "out is a null pointer");
    int status = check_scores(n, s, "s");
    if (!status)
        status = check_alpha(alpha);
    if (status)
        return status;
    sums a = {.alpha = alpha, .max = -INFINITY};
    accumulate(&a, n, s);
    lem_softmax_statistics found;
    finish(&a, &found);
    if (!isfinite(found.log_z + found.mean_score + found.variance))
        return LEM_ERROR(GSL_EOVRFLW, "s: scores or squares of their differences exceed the range of double");
    *out = found;
    return GSL_SUCCESS;
}

int lem_softmax_stream(const lem_score_law *law, size_t n, size_t scales, const double *alpha,
                       lem_stream *stream, lem_softmax_statistics *out) {
    if (!alpha || !stream || !out)
        return LEM_ERROR(GSL_EFAULT, "alpha, stream or out is a null pointer");
    if (n < 1 || scales < 1 || scales > MOST_SCALES)
        return LEM_ERROR(GSL_EDOM, "n = %zu, scales = %zu: must be at least 1, scales at most %d", n, scales,
                         (int)MOST_SCALES);
    sums a[MOST_SCALES];
    for (size_t k = 0; k < scales; k++) {
        int status = check_alpha(alpha[k]);
        if (status)
            return status;
        a[k] = (sums){.alpha = alpha[k], .max = -INFINITY};
    }
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    double s[BLOCK];
    for (size_t from = 0; from < n; from += BLOCK) {
        const size_t count = n - from < BLOCK ? n - from : BLOCK;
        int status = lem_score_fill(law, stream, count, s);
        if (status)
            return status;
        const double largest = kernel->max(s, count);
        for (size_t k = 0; k < scales; k++)
            add_block(&a[k], kernel, count, s, largest);
    }
    for (size_t k = 0; k < scales; k++)
        finish(&a[k], &out[k]);
    return GSL_SUCCESS;
}

/* count pairs of normals into coordinates of directions or Student scores. */
static void from_pairs(const lem_score_law *law, const lem_softmax_kernel *kernel, size_t count,
                       const double *pair, double *s) {
    const double d = law->shape;
    double r2[BLOCK / 2];
    for (size_t j = 0; j < count; j++) {
        s[j] = pair[2 * j];
        r2[j] = pair[2 * j] * pair[2 * j] + pair[2 * j + 1] * pair[2 * j + 1];
        r2[j] = r2[j] > 1e-300 ? r2[j] : 1e-300; /* a normal may be 0 */
    }
    if (law->kind == LEM_SCORES_STUDENT) { /* its variance df/(df - 2) taken out */
        for (size_t j = 0; j < count; j++)
            s[j] *= sqrt((d - 2) * expm1(r2[j] / d) / r2[j]);
        return;
    }
    if (d > 2) {
        kernel->radial(s, r2, count, -1 / (d - 2));
        return;
    }
    for (size_t j = 0; j < count; j++)
        s[j] /= sqrt(r2[j]);
}

static int fill_from_pairs(const lem_score_law *law, lem_stream *stream, size_t n, double *s) {
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    double pair[BLOCK];
    for (size_t from = 0; from < n; from += BLOCK / 2) {
        const size_t count = n - from < BLOCK / 2 ? n - from : BLOCK / 2;
        int status = lem_normal_fill(stream, 2 * count, pair);
        if (status)
            return status;
        from_pairs(law, kernel, count, pair, s + from);
    }
    return GSL_SUCCESS;
}

/* u in [0, 1): sign from its half, size from the rest. */
static double laplace(double u) {
    return u < 0.5 ? log(2 * u + 0x1p-53) / M_SQRT2 : -log(2 - 2 * u) / M_SQRT2;
}

static int fill_from_uniforms(const lem_score_law *law, lem_stream *stream, size_t n, double *s) {
    int status = lem_uniform_fill(stream, n, s);
    if (status)
        return status;
    for (size_t j = 0; j < n; j++)
        s[j] = law->kind == LEM_SCORES_UNIFORM ? (2 * s[j] - 1) * M_SQRT3 : laplace(s[j]);
    return GSL_SUCCESS;
}

int lem_score_fill(const lem_score_law *law, lem_stream *stream, size_t n, double *s) {
    int status = lem_check_score_law(law);
    if (status)
        return status;
    switch (law->kind) {
    case LEM_SCORES_GAUSSIAN:
        return lem_normal_fill(stream, n, s);
    case LEM_SCORES_COSINE:
    case LEM_SCORES_STUDENT:
        return fill_from_pairs(law, stream, n, s);
    case LEM_SCORES_UNIFORM:
    case LEM_SCORES_LAPLACE:
        return fill_from_uniforms(law, stream, n, s);
    case LEM_SCORES_NODES:
        break;
    }
    return LEM_ERROR(GSL_EINVAL, "law: scores from nodes are not drawn");
}

int lem_softmax(size_t n, const double *z, double *p) {
    if (!p)
        return LEM_ERROR(GSL_EFAULT, "p is a null pointer");
    int status = check_scores(n, z, "z");
    if (status)
        return status;
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    const double max = kernel->max(z, n);
    if (p != z)
        memmove(p, z, n * sizeof *p);
    const double sum = kernel->exp_sum(p, n, max);
    for (size_t j = 0; j < n; j++)
        p[j] /= sum;
    return GSL_SUCCESS;
}

double lem_softmax_entropy(size_t n, const double *z) {
    if (check_scores(n, z, "z"))
        return NAN;
    lem_softmax_statistics found;
    sums a = {.alpha = 1, .max = -INFINITY};
    accumulate(&a, n, z);
    finish(&a, &found);
    if (!isfinite(found.entropy))
        return LEM_ERROR_NAN(GSL_EOVRFLW, "z: differences exceed the range of double");
    return found.entropy;
}

double lem_participation_number(size_t n, const double *p) {
    if (check_scores(n, p, "p"))
        return NAN;
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    for (size_t i = 0; i < n; i++)
        if (p[i] < 0)
            return LEM_ERROR_NAN(GSL_EINVAL, "p[%zu] = %g: must be >= 0", i, p[i]);
    const double sum = kernel->sum(p, n);
    if (!(fabs(sum - 1) <= 1e-9))
        return LEM_ERROR_NAN(GSL_EINVAL, "p sums to %.12g: must be 1 within 1e-9", sum);
    return 1 / kernel->dot(p, p, n);
}
