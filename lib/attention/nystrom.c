#include "attention/nystrom.h"
#include "attention/check.h"
#include "attention/exact.h"
#include "attention/landmarks.h"
#include "attention/matrix.h"
#include "linalg/check.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static lem_nystrom_options or_plain(const lem_nystrom_options *options) {
    return options ? *options : LEM_NYSTROM_PLAIN;
}

static int check_options(const lem_nystrom_options *o, size_t n) {
    if (o->middle != LEM_NYSTROM_ITERATION && o->middle != LEM_NYSTROM_INVERSE &&
        o->middle != LEM_NYSTROM_TIKHONOV && o->middle != LEM_NYSTROM_IDENTITY)
        return LEM_ERROR(GSL_EINVAL, "middle = %d: must be a lem_nystrom_middle_kind", (int)o->middle);
    if (o->valid > n)
        return LEM_ERROR(GSL_EDOM, "valid = %zu: must be <= %zu, the number of keys", o->valid, n);
    return GSL_SUCCESS;
}

/* Which keys are tokens: a mask of n that the caller frees, and options for attention over the keys. */
static int key_options(const lem_nystrom_options *o, size_t n, unsigned char **mask,
                       lem_attention_options *options) {
    *options = (lem_attention_options){.scale = o->scale, .threads = o->threads};
    *mask = NULL;
    if (o->valid == 0 || o->valid == n)
        return GSL_SUCCESS;
    if (!(*mask = lem_allocate(n, 1)))
        return GSL_ENOMEM;
    memset(*mask, 1, o->valid);
    memset(*mask + o->valid, 0, n - o->valid);
    options->visible = *mask;
    return GSL_SUCCESS;
}

int lem_nystrom_factors(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *q_landmarks,
                        const gsl_matrix *k_landmarks, const lem_nystrom_options *options, gsl_matrix *f,
                        gsl_matrix *a, gsl_matrix *b) {
    const lem_nystrom_options o = or_plain(options);
    int status;
    if ((status = lem_check_input(q, "Q")) || (status = lem_check_input(k, "K")) ||
        (status = lem_check_input(q_landmarks, "Q~")) || (status = lem_check_input(k_landmarks, "K~")) ||
        (status = lem_check_shape(k_landmarks, "K~", q_landmarks->size1, q->size2)) ||
        (status = check_options(&o, k->size1)))
        return status;
    unsigned char *mask;
    lem_attention_options over_keys;
    if ((status = key_options(&o, k->size1, &mask, &over_keys)))
        return status;
    const lem_attention_options over_landmarks = {.scale = o.scale, .threads = o.threads};
    if (!(status = lem_attention_matrix(q, k_landmarks, LEM_ATTENTION_SOFTMAX, &over_landmarks, f)) &&
        !(status = lem_attention_matrix(q_landmarks, k_landmarks, LEM_ATTENTION_SOFTMAX, &over_landmarks, a)))
        status = lem_attention_matrix(q_landmarks, k, LEM_ATTENTION_SOFTMAX, &over_keys, b);
    free(mask);
    return status;
}

/* After a softmax a zero column can only come from underflow; every inverse of it would be an accident. */
static int check_columns(const gsl_matrix *a) {
    for (size_t j = 0; j < a->size2; j++) {
        double most = 0;
        for (size_t i = 0; i < a->size1; i++)
            most = fmax(most, fabs(a->data[i * a->tda + j]));
        if (most == 0)
            return LEM_ERROR(GSL_EUNDRFLW, "column %zu of A is zero: the softmax of its landmark underflowed",
                             j);
    }
    return GSL_SUCCESS;
}

int lem_nystrom_middle(const gsl_matrix *a, const lem_nystrom_options *options, gsl_matrix *z) {
    const lem_nystrom_options o = or_plain(options);
    int status;
    if ((status = lem_check_input(a, "A")) || (status = lem_check_output(z, "Z")) ||
        (status = lem_check_shape(a, "A", a->size1, a->size1)) ||
        (status = lem_check_shape(z, "Z", a->size1, a->size1)) || (status = check_columns(a)))
        return status;
    switch (o.middle) {
    case LEM_NYSTROM_ITERATION:
        return lem_pinv_iterate(a, o.method, o.steps, z);
    case LEM_NYSTROM_INVERSE:
        return lem_pinv_svd(a, o.rcond, z);
    case LEM_NYSTROM_TIKHONOV:
        return lem_tikhonov_inverse(a, o.lambda, z);
    case LEM_NYSTROM_IDENTITY:
        gsl_matrix_set_identity(z);
        return GSL_SUCCESS;
    }
    return check_options(&o, 0);
}

int lem_nystrom_product(const gsl_matrix *f, const gsl_matrix *z, const gsl_matrix *b, int threads,
                        gsl_matrix *n) {
    int status;
    if ((status = lem_check_input(f, "F")) || (status = lem_check_input(z, "Z")) ||
        (status = lem_check_input(b, "B")) || (status = lem_check_shape(z, "Z", f->size2, b->size1)))
        return status;
    double *memory = lem_allocate(z->size1, b->size2 * sizeof *memory);
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix zb = gsl_matrix_view_array(memory, z->size1, b->size2).matrix;
    if (!(status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, z, b, 0, &zb, threads)))
        status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, f, &zb, 0, n, threads);
    free(memory);
    return status;
}

/* --- from queries and keys */

/* What all forms need: landmarks and Z. */
typedef struct {
    gsl_matrix q, k, a, z; /* in one piece of memory that begins at q.data */
} core;

static int check_pair(const gsl_matrix *q, const gsl_matrix *k, size_t m, const lem_nystrom_options *o) {
    int status;
    if ((status = lem_check_input(q, "Q")) || (status = lem_check_input(k, "K")) ||
        (status = lem_check_shape(k, "K", q->size1, q->size2)))
        return status;
    if (m < 1 || m > q->size1 || q->size1 % m != 0)
        return LEM_ERROR(GSL_EBADLEN, "m = %zu landmarks of n = %zu rows: m must divide n", m, q->size1);
    return check_options(o, q->size1);
}

static gsl_matrix take(double **memory, size_t rows, size_t columns) {
    double *here = *memory;
    *memory += rows * columns;
    return gsl_matrix_view_array(here, rows, columns).matrix;
}

/* The landmarks, of memory that the caller frees (c->q.data) also after an error. */
static int find_landmarks(const gsl_matrix *q, const gsl_matrix *k, size_t m, const lem_nystrom_options *o,
                          core *c) {
    const size_t d = q->size2;
    double *memory = lem_allocate(m, 2 * (m + d) * sizeof *memory);
    c->q.data = memory;
    if (!memory)
        return GSL_ENOMEM;
    c->q = take(&memory, m, d), c->k = take(&memory, m, d);
    c->a = take(&memory, m, m), c->z = take(&memory, m, m);
    int status = lem_segment_means(q, o->valid, &c->q);
    return status ? status : lem_segment_means(k, o->valid, &c->k);
}

int lem_nystrom_matrix(const gsl_matrix *q, const gsl_matrix *k, size_t m, const lem_nystrom_options *options,
                       gsl_matrix *n) {
    const lem_nystrom_options o = or_plain(options);
    int status;
    if ((status = check_pair(q, k, m, &o)) || (status = lem_check_output(n, "N")) ||
        (status = lem_check_shape(n, "N", q->size1, q->size1)) ||
        (status = lem_check_apart(q, "Q", n, "N")) || (status = lem_check_apart(k, "K", n, "N")))
        return status;
    core c;
    double *memory = lem_allocate(m, 2 * q->size1 * sizeof *memory), *rest = memory;
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix f = take(&rest, q->size1, m), b = take(&rest, m, q->size1);
    if (!(status = find_landmarks(q, k, m, &o, &c)) &&
        !(status = lem_nystrom_factors(q, k, &c.q, &c.k, &o, &f, &c.a, &b)) &&
        !(status = lem_nystrom_middle(&c.a, &o, &c.z)))
        status = lem_nystrom_product(&f, &c.z, &b, o.threads, n);
    free(c.q.data);
    free(memory);
    return status;
}

/* O = F (Z (B V)), B V and its product with Z in bv and zbv (m x d_v). */
static int attend(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v, const lem_nystrom_options *o,
                  core *c, gsl_matrix *bv, gsl_matrix *zbv, gsl_matrix *out) {
    const lem_attention_options over_landmarks = {.scale = o->scale, .threads = o->threads};
    unsigned char *mask;
    lem_attention_options over_keys;
    int status = key_options(o, k->size1, &mask, &over_keys);
    if (status)
        return status;
    if (!(status = lem_attention_matrix(&c->q, &c->k, LEM_ATTENTION_SOFTMAX, &over_landmarks, &c->a)) &&
        !(status = lem_nystrom_middle(&c->a, o, &c->z)) &&
        !(status = lem_attention_exact(&c->q, k, v, &over_keys, bv)) &&
        !(status = lem_gemm(LEM_NO_TRANS, LEM_NO_TRANS, 1, &c->z, bv, 0, zbv, o->threads)))
        status = lem_attention_exact(q, &c->k, zbv, &over_landmarks, out);
    free(mask);
    return status;
}

int lem_nystrom_attention(const gsl_matrix *q, const gsl_matrix *k, const gsl_matrix *v, size_t m,
                          const lem_nystrom_options *options, gsl_matrix *o) {
    const lem_nystrom_options with = or_plain(options);
    int status;
    if ((status = check_pair(q, k, m, &with)) || (status = lem_check_values(q, "Q", k, "K", v, o)))
        return status;
    core c;
    double *memory = lem_allocate(m, 2 * v->size2 * sizeof *memory), *rest = memory;
    if (!memory)
        return GSL_ENOMEM;
    gsl_matrix bv = take(&rest, m, v->size2), zbv = take(&rest, m, v->size2);
    if (!(status = find_landmarks(q, k, m, &with, &c)))
        status = attend(q, k, v, &with, &c, &bv, &zbv, o);
    free(c.q.data);
    free(memory);
    return status;
}

double lem_nystrom_toy_entry(double a, int i, int j) {
    static const double positions[] = {-3, -1, 1, 3};
    if (!(a >= 1e-100 && a <= 10))
        return LEM_ERROR_NAN(GSL_EDOM, "a = %g: must be >= 1e-100 and <= 10", a);
    if (i < 0 || i > 3 || j < 0 || j > 3)
        return LEM_ERROR_NAN(GSL_EDOM, "entry (%d, %d): must be within (0, 0) and (3, 3)", i, j);
    const double w = a * a, x = w / 2 * positions[i], y = w / 2 * positions[j];
    /* e^w cosh(x + y) - e^-w cosh(x - y) without cancellation at small w */
    const double p = sinh((x + y) / 2), m = sinh((x - y) / 2);
    const double difference = 2 * sinh(w) + 2 * p * p * exp(w) - 2 * m * m * exp(-w);
    return difference / (4 * cosh(x) * sinh(w) * (cosh(1.5 * w) + cosh(w / 2)));
}
