#include "attention/symmetric_features.h"
#include "attention/symmetric_plan.h"
#include "linalg/check.h"

#include <math.h>
#include <stdlib.h>

static int check_dims(uint64_t d, uint64_t n, const uint64_t *dim) {
    if (!dim)
        return LEM_ERROR(GSL_EFAULT, "dim = null: must point to a number");
    if (d < 1)
        return LEM_ERROR(GSL_EDOM, "d = 0: must be >= 1");
    if (n < 1)
        return LEM_ERROR(GSL_EDOM, "n = 0: must be >= 1");
    return GSL_SUCCESS;
}

static int too_many(uint64_t d, uint64_t n) {
    return LEM_ERROR(GSL_EOVRFLW, "d = %llu, n = %llu: the number of features must be below 2^63",
                     (unsigned long long)d, (unsigned long long)n);
}

int lem_tensor_feature_dim(uint64_t d, uint64_t n, uint64_t *dim) {
    int status = check_dims(d, n, dim);
    if (status)
        return status;
    if (d == 1 && n < INT64_MAX) {
        *dim = n + 1;
        return GSL_SUCCESS;
    }
    uint64_t sum = 1; /* Horner: 1 + d (1 + d (...)) */
    for (uint64_t m = 0; m < n; m++) {
        if (d == 1 || sum > (INT64_MAX - 1) / d)
            return too_many(d, n);
        sum = sum * d + 1;
    }
    *dim = sum;
    return GSL_SUCCESS;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int lem_symmetric_feature_dim(uint64_t d, uint64_t n, uint64_t *dim) {
    int status = check_dims(d, n, dim);
    if (status)
        return status;
    if (d > INT64_MAX || n > INT64_MAX - d)
        return too_many(d, n);
    /* binom(d + n, s) with s the smaller: binom(b + i, i) = binom(b + i - 1, i - 1) (b + i)/i, common factors
     * first, so that only what exceeds the range itself overflows. At least doubled at each step: 63 at most.
     */
    const uint64_t s = d < n ? d : n, big = d < n ? n : d;
    uint64_t value = 1;
    for (uint64_t i = 1; i <= s; i++) {
        uint64_t top = big + i, bottom = i, g = common_divisor(top, bottom);
        top /= g, bottom /= g;
        g = common_divisor(value, bottom); /* = bottom: the quotient is whole */
        value /= g;
        if (value > INT64_MAX / top)
            return too_many(d, n);
        value *= top;
    }
    *dim = value;
    return GSL_SUCCESS;
}

/* The children of each monomial of the last degree, in order: times x_j again, then times each later one. */
static void list_parents(size_t d, int n, lem_monomial *parents) {
    size_t end = 0, first = 0;
    for (size_t j = 0; n > 1 && j < d; j++)
        parents[end++] = (lem_monomial){(uint32_t)j, 1};
    for (int m = 2; m < n; m++)
        for (const size_t stop = end; first < stop; first++) {
            const lem_monomial p = parents[first];
            parents[end++] = (lem_monomial){p.last, p.times + 1};
            for (size_t j = p.last + 1; j < d; j++)
                parents[end++] = (lem_monomial){(uint32_t)j, 1};
        }
}

static void scale(double *x, size_t n, double by) {
    for (size_t i = 0; i < n; i++)
        x[i] *= by;
}

/* x^alpha/sqrt(alpha!), degree by degree, each weighted once its children are made. */
void lem_symmetric_expand(const lem_symmetric_plan *p, const double *x, double *phi) {
    phi[0] = p->weight[0];
    double *end = phi + 1, *first = end;
    for (size_t j = 0; j < p->d; j++)
        *end++ = x[j];
    const lem_monomial *parent = p->parents;
    for (int m = 2; m <= p->n; m++) {
        double *const stop = end;
        for (const double *from = first; from < stop; from++, parent++) {
            const double value = *from;
            const size_t last = parent->last, later = p->d - last;
            end[0] = value * x[last] / sqrt(parent->times + 1.0);
            for (size_t j = 1; j < later; j++)
                end[j] = value * x[last + j];
            end += later;
        }
        scale(first, (size_t)(stop - first), p->weight[m - 1]);
        first = stop;
    }
    scale(first, (size_t)(end - first), p->weight[p->n]);
}

static int expand_rows(const lem_symmetric_plan *p, const gsl_matrix *x, int threads, gsl_matrix *phi) {
    const int team = x->size1 * p->r < 1 << 14 ? 1 : lem_team_size(threads, x->size1);
    size_t bad = SIZE_MAX;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1) reduction(min : bad)
#endif
    for (size_t i = 0; i < x->size1; i++) {
        double *row = phi->data + i * phi->tda;
        lem_symmetric_expand(p, x->data + i * x->tda, row);
        if (!lem_all_finite(row, p->r) && i < bad)
            bad = i;
    }
    (void)team;
    if (bad != SIZE_MAX)
        return LEM_ERROR(GSL_EOVRFLW, "row %zu: its features of degree %d exceed the range of double", bad,
                         p->n);
    return GSL_SUCCESS;
}

static int fill_weights(int n, const double *coef, double *weight) {
    if (!coef)
        return LEM_ERROR(GSL_EFAULT, "coef = null: must hold %d numbers", n + 1);
    double factorial = 1;
    for (int m = 0; m <= n; m++) {
        if (!(coef[m] >= 0) || !isfinite(coef[m]))
            return LEM_ERROR(GSL_EDOM, "coef[%d] = %g: must be >= 0 and finite", m, coef[m]);
        factorial *= m ? m : 1;
        weight[m] = sqrt(coef[m]) * sqrt(factorial);
    }
    return GSL_SUCCESS;
}

int lem_symmetric_plan_make(size_t d, int n, const double *coef, lem_symmetric_plan *plan) {
    int status;
    uint64_t r, parents = 1;
    if (n < 1 || n > LEM_MOST_FEATURE_DEGREE)
        return LEM_ERROR(GSL_EDOM, "n = %d: must be between 1 and %d", n, LEM_MOST_FEATURE_DEGREE);
    *plan = (lem_symmetric_plan){.d = d, .n = n};
    if ((status = fill_weights(n, coef, plan->weight)) ||
        (status = lem_symmetric_feature_dim(d, (uint64_t)n, &r)) ||
        (n > 1 && (status = lem_symmetric_feature_dim(d, (uint64_t)n - 1, &parents))))
        return status;
    plan->r = r;
    plan->parents = lem_allocate(parents, sizeof *plan->parents);
    if (!plan->parents)
        return GSL_ENOMEM;
    list_parents(d, n, plan->parents);
    return GSL_SUCCESS;
}

void lem_symmetric_plan_release(lem_symmetric_plan *plan) {
    free(plan->parents);
    plan->parents = NULL;
}

int lem_symmetric_features(const gsl_matrix *x, int n, const double *coef, int threads, gsl_matrix *phi) {
    int status;
    lem_symmetric_plan p;
    if ((status = lem_check_input(x, "X")) || (status = lem_check_output(phi, "Phi")))
        return status;
    if (threads < 0)
        return LEM_ERROR(GSL_EINVAL, "threads = %d: must be >= 0", threads);
    if ((status = lem_symmetric_plan_make(x->size2, n, coef, &p)))
        return status;
    if (!(status = lem_check_shape(phi, "Phi", x->size1, p.r)) &&
        !(status = lem_check_apart(x, "X", phi, "Phi")))
        status = expand_rows(&p, x, threads, phi);
    lem_symmetric_plan_release(&p);
    return status;
}
