#include "attention/matrix.h"
#include "attention/check.h"
#include "attention/feature_map.h"
#include "attention/softmax_kernel.h"
#include "linalg/check.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How a row of scale Q K^T becomes weights: by softmax, or by a function (NULL: as they are). */
typedef struct {
    bool softmax;
    lem_score_function *f;
    void *context;
} rule;

static void hide(double *x, const unsigned char *visible, size_t n, double hidden) {
    for (size_t j = 0; j < n; j++)
        if (!visible[j])
            x[j] = hidden;
}

/* The weights of a row in place, not normalised; their sum. `seen` leading keys. */
static double weigh(double *x, size_t seen, const unsigned char *visible, const rule *by,
                    const lem_softmax_kernel *kernel) {
    if (by->softmax) {
        if (visible)
            hide(x, visible, seen, -INFINITY);
        return kernel->exp_sum(x, seen, kernel->max(x, seen));
    }
    if (by->f)
        by->f(x, seen, by->context);
    if (visible)
        hide(x, visible, seen, 0);
    return kernel->sum(x, seen);
}

/* The first row that cannot be normalised, with its sum; SIZE_MAX: none. */
typedef struct {
    size_t row;
    double sum;
} failure;

static failure earlier(failure a, failure b) {
    return b.row < a.row ? b : a;
}
#ifdef _OPENMP
#pragma omp declare reduction(earlier:failure                                                                \
                              : omp_out = earlier(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#endif

static failure weigh_rows(gsl_matrix *a, const rule *by, const lem_attention_options *options) {
    const lem_softmax_kernel *kernel = lem_softmax_best_kernel();
    const int team = a->size1 * a->size2 < 1 << 14 ? 1 : lem_team_size(options->threads, a->size1);
    failure first = {SIZE_MAX, 0};
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 16) num_threads(team) if (team > 1) reduction(earlier : first)
#endif
    for (size_t i = 0; i < a->size1; i++) {
        double *row = a->data + i * a->tda;
        const size_t seen = lem_seen_keys(options, i, a->size2);
        const double sum = weigh(row, seen, lem_visible_row(options, i), by, kernel);
        memset(row + seen, 0, (a->size2 - seen) * sizeof *row);
        if (!(sum > 0) || !isfinite(sum))
            first = earlier(first, (failure){i, sum});
        for (size_t j = 0; j < seen; j++)
            row[j] /= sum;
    }
    (void)team;
    return first;
}

static int build(const gsl_matrix *q, const char *q_name, const gsl_matrix *k, const char *k_name,
                 const rule *by, const lem_attention_options *options, gsl_matrix *a) {
    const lem_attention_options o = lem_options_or_plain(options);
    int status;
    if ((status = lem_check_attention(q, q_name, k, k_name, &o)) || (status = lem_check_output(a, "A")) ||
        (status = lem_check_shape(a, "A", q->size1, k->size1)) ||
        (status = lem_check_apart(q, q_name, a, "A")) || (status = lem_check_apart(k, k_name, a, "A")) ||
        (status = lem_gemm(LEM_NO_TRANS, LEM_TRANS, o.scale, q, k, 0, a, o.threads)))
        return status;
    const failure first = weigh_rows(a, by, &o);
    if (first.row == SIZE_MAX)
        return GSL_SUCCESS;
    if (isfinite(first.sum))
        return LEM_ERROR(GSL_EDOM, "row %zu: its weights sum to %g: must be positive", first.row, first.sum);
    return LEM_ERROR(GSL_EOVRFLW, "row %zu: its logits or weights exceed the range of double", first.row);
}

static int require_unit_scale(const lem_attention_options *options) {
    if (options && options->scale != 1)
        return LEM_ERROR(GSL_EINVAL, "scale = %g: must be 1 for weights from features", options->scale);
    return GSL_SUCCESS;
}

int lem_attention_matrix_scored(const gsl_matrix *q, const gsl_matrix *k, lem_score_function *f,
                                void *context, const lem_attention_options *options, gsl_matrix *a) {
    if (!f)
        return LEM_ERROR(GSL_EFAULT, "f = null: must be a function");
    return build(q, "Q", k, "K", &(rule){.f = f, .context = context}, options, a);
}

int lem_attention_matrix_features(const gsl_matrix *phi_q, const gsl_matrix *phi_k,
                                  const lem_attention_options *options, gsl_matrix *a) {
    int status = require_unit_scale(options);
    return status ? status : build(phi_q, "PhiQ", phi_k, "PhiK", &(rule){0}, options, a);
}

static int linear(const gsl_matrix *q, const gsl_matrix *k, lem_feature_kind kind,
                  const lem_attention_options *options, gsl_matrix *a) {
    int status;
    if ((status = require_unit_scale(options)) || (status = lem_check_input(q, "Q")) ||
        (status = lem_check_input(k, "K")))
        return status;
    if (kind == LEM_FEATURE_IDENTITY)
        return build(q, "Q", k, "K", &(rule){0}, options, a);
    double *memory = lem_allocate(q->size1 * q->size2 + k->size1 * k->size2, sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix phi_q = gsl_matrix_view_array(memory, q->size1, q->size2).matrix;
    gsl_matrix phi_k = gsl_matrix_view_array(memory + q->size1 * q->size2, k->size1, k->size2).matrix;
    if (!(status = lem_feature_map(kind, q, &phi_q)) && !(status = lem_feature_map(kind, k, &phi_k)))
        status = build(&phi_q, "Q", &phi_k, "K", &(rule){0}, options, a);
    free(memory);
    return status;
}

int lem_attention_matrix(const gsl_matrix *q, const gsl_matrix *k, lem_attention_kind kind,
                         const lem_attention_options *options, gsl_matrix *a) {
    switch (kind) {
    case LEM_ATTENTION_SOFTMAX:
        return build(q, "Q", k, "K", &(rule){.softmax = true}, options, a);
    case LEM_ATTENTION_LINEAR_IDENTITY:
        return linear(q, k, LEM_FEATURE_IDENTITY, options, a);
    case LEM_ATTENTION_LINEAR_ELU1:
        return linear(q, k, LEM_FEATURE_ELU1, options, a);
    case LEM_ATTENTION_LINEAR_EXP:
        return linear(q, k, LEM_FEATURE_EXP, options, a);
    case LEM_ATTENTION_LINEAR_RELU:
        return linear(q, k, LEM_FEATURE_RELU, options, a);
    }
    return LEM_ERROR(GSL_EINVAL, "kind = %d: must be a lem_attention_kind", (int)kind);
}
