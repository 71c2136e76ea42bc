/* Every method once more in plain loops that count what they do, and the library's outputs beside theirs. */
#include "study.h"

#include <float.h>

enum { N = 24, D = 4, PROJECTIONS = 10, LANDMARKS = 6, DEGREE = 3, CASES = METHODS + 1, MOST = 64 };

typedef struct {
    size_t rows, columns;
    double x[N * MOST];
} table;

typedef struct {
    uint64_t operations;
} counter;

static table from_matrix(const gsl_matrix *m) {
    table t = {m->size1, m->size2, {0}};
    for (size_t i = 0; i < t.rows; i++)
        for (size_t j = 0; j < t.columns; j++)
            t.x[i * t.columns + j] = gsl_matrix_get(m, i, j);
    return t;
}

static table transposed(const table *a) {
    table t = {a->columns, a->rows, {0}};
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j < a->columns; j++)
            t.x[j * a->rows + i] = a->x[i * a->columns + j];
    return t;
}

static table product(counter *c, const table *a, const table *b) {
    table t = {a->rows, b->columns, {0}};
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j < b->columns; j++)
            for (size_t l = 0; l < a->columns; l++) {
                t.x[i * t.columns + j] += a->x[i * a->columns + l] * b->x[l * b->columns + j];
                c->operations += 2;
            }
    return t;
}

/* Sums and quotients of rows are n m of them where a product has 2 n m d operations: not counted. */
static void normalise(table *o, const table *mass) {
    for (size_t i = 0; i < o->rows; i++)
        for (size_t j = 0; j < o->columns; j++)
            o->x[i * o->columns + j] /= mass->x[i];
}

static table softmax_product(counter *c, const table *q, const table *k) {
    const table kt = transposed(k);
    table a = product(c, q, &kt);
    for (size_t i = 0; i < a.rows; i++) {
        double sum = 0;
        for (size_t j = 0; j < a.columns; j++)
            sum += a.x[i * a.columns + j] = exp(a.x[i * a.columns + j]);
        for (size_t j = 0; j < a.columns; j++)
            a.x[i * a.columns + j] /= sum;
    }
    return a;
}

static table linear(counter *c, const table *phi_q, const table *phi_k, const table *v) {
    counter uncounted = {0};
    const table phi_kt = transposed(phi_k);
    const table state = product(c, &phi_kt, v);
    table o = product(c, phi_q, &state), ones = {v->rows, 1, {0}};
    for (size_t i = 0; i < ones.rows; i++)
        ones.x[i] = 1;
    const table total = product(&uncounted, &phi_kt, &ones), mass = product(&uncounted, phi_q, &total);
    normalise(&o, &mass);
    return o;
}

static table random_features(counter *c, const table *x, const table *w, budget_method method, double a) {
    const table wt = transposed(w);
    table p = product(c, x, &wt);
    table phi = {x->rows, method == HYPERBOLIC ? 2 * w->rows : w->rows, {0}};
    for (size_t i = 0; i < x->rows; i++)
        for (size_t j = 0; j < w->rows; j++) {
            double norm = 0, length = 0;
            for (size_t l = 0; l < x->columns; l++) {
                norm += x->x[i * x->columns + l] * x->x[i * x->columns + l];
                length += w->x[j * w->columns + l] * w->x[j * w->columns + l];
            }
            const double t = p.x[i * p.columns + j];
            phi.x[i * phi.columns + j] = exp(a * length + sqrt(1 - 4 * a) * t - norm / 2);
            if (method == HYPERBOLIC)
                phi.x[i * phi.columns + w->rows + j] = exp(-t - norm / 2);
        }
    return phi;
}

/* The monomials of degree m from those of degree m - 1, each by one more multiplication: by a coordinate not
 * before the last one taken. */
static table monomials(counter *c, const table *x, int degree, const double *coef) {
    table phi = {x->rows, 0, {0}};
    double value[MOST], weight[MOST];
    size_t last[MOST], run[MOST], count = 0;
    for (size_t i = 0; i < x->rows; i++) {
        count = 1;
        value[0] = 1, weight[0] = 1, last[0] = 0, run[0] = 0;
        size_t order[MOST] = {0};
        for (size_t parent = 0; parent < count; parent++)
            for (size_t l = last[parent]; l < x->columns && order[parent] < (size_t)degree; l++) {
                value[count] = value[parent] * x->x[i * x->columns + l];
                c->operations++;
                run[count] = l == last[parent] && order[parent] > 0 ? run[parent] + 1 : 1;
                order[count] = order[parent] + 1;
                weight[count] = weight[parent] * (double)order[count] / (double)run[count]; /* m!/alpha! */
                last[count++] = l;
            }
        phi.columns = count;
        for (size_t f = 0; f < count; f++) {
            phi.x[i * count + f] = value[f] * sqrt(coef[order[f]] * weight[f]);
            c->operations++;
        }
    }
    return phi;
}

static table segment_means(const table *x) {
    table t = {LANDMARKS, x->columns, {0}};
    for (size_t i = 0; i < x->rows; i++)
        for (size_t j = 0; j < x->columns; j++)
            t.x[i * LANDMARKS / N * t.columns + j] += x->x[i * x->columns + j] * LANDMARKS / N;
    return t;
}

/* m I - y, and the scale of the start: m^2 of them, not counted. */
static table from_identity(double m, const table *y) {
    table t = *y;
    for (size_t i = 0; i < y->rows; i++)
        for (size_t j = 0; j < y->columns; j++)
            t.x[i * t.columns + j] = (i == j ? m : 0) - t.x[i * t.columns + j];
    return t;
}

static table inverse(counter *c, const table *a) {
    double rows = 0, columns = 0;
    for (size_t i = 0; i < a->rows; i++) {
        double row = 0, column = 0;
        for (size_t j = 0; j < a->rows; j++)
            row += a->x[i * a->columns + j], column += a->x[j * a->columns + i];
        rows = fmax(rows, row), columns = fmax(columns, column);
    }
    table z = transposed(a);
    for (size_t i = 0; i < z.rows * z.columns; i++)
        z.x[i] /= rows * columns;
    for (int step = 0; step < 6; step++) {
        const table y = product(c, a, &z);
        table inner = from_identity(7, &y);
        inner = product(c, &y, &inner);
        inner = from_identity(15, &inner);
        inner = product(c, &y, &inner);
        inner = from_identity(13, &inner);
        z = product(c, &z, &inner);
        for (size_t i = 0; i < z.rows * z.columns; i++)
            z.x[i] /= 4;
    }
    return z;
}

static table nystrom(counter *c, const table *q, const table *k, const table *v) {
    const table ql = segment_means(q), kl = segment_means(k);
    const table f = softmax_product(c, q, &kl), a = softmax_product(c, &ql, &kl),
                b = softmax_product(c, &ql, k), z = inverse(c, &a);
    table t = product(c, &b, v);
    t = product(c, &z, &t);
    return product(c, &f, &t);
}

typedef struct {
    gsl_matrix *q, *k, *v, *w, *o;
} small;

/* Case METHODS is exact attention. */
static int library(size_t method, const small *s, double a) {
    double coef[DEGREE + 1];
    const lem_favor_options favor = {.kind = method == HYPERBOLIC ? LEM_RF_HYPERBOLIC : LEM_RF_POSITIVE,
                                     .a = a};
    switch (method) {
    case METHODS:
        return lem_attention_exact(s->q, s->k, s->v, NULL, s->o);
    case NYSTROM:
        return lem_nystrom_attention(s->q, s->k, s->v, LANDMARKS, NULL, s->o);
    case TAYLOR:
    case HERMITE:
    case MINIMAX:
        LEM_TRY(budget_coefficients((budget_method)method, DEGREE, coef));
        return lem_polynomial_attention(s->q, s->k, s->v, DEGREE, coef, false, 0, s->o);
    default:
        return lem_favor_attention(s->q, s->k, s->v, s->w, &favor, s->o);
    }
}

static int counted(size_t method, const small *s, double a, counter *c, table *o) {
    const table q = from_matrix(s->q), k = from_matrix(s->k), v = from_matrix(s->v), w = from_matrix(s->w);
    double coef[DEGREE + 1];
    table phi_q, phi_k;
    switch (method) {
    case METHODS:
        phi_q = softmax_product(c, &q, &k);
        *o = product(c, &phi_q, &v);
        return GSL_SUCCESS;
    case NYSTROM:
        *o = nystrom(c, &q, &k, &v);
        return GSL_SUCCESS;
    case TAYLOR:
    case HERMITE:
    case MINIMAX:
        LEM_TRY(budget_coefficients((budget_method)method, DEGREE, coef));
        phi_q = monomials(c, &q, DEGREE, coef), phi_k = monomials(c, &k, DEGREE, coef);
        break;
    default:
        phi_q = random_features(c, &q, &w, (budget_method)method, a);
        phi_k = random_features(c, &k, &w, (budget_method)method, a);
    }
    *o = linear(c, &phi_q, &phi_k, &v);
    return GSL_SUCCESS;
}

/* Rounding. An exponent is off by about d |q||k| < 50 units of 2^-53, a sum of N or of MOST features by as
 * many, and three sums follow each other, all of positive terms but those with V: 500 units of the
 * largest value. Six steps of the inverse multiply what they are given by up to (13/4)^6 < 1200. */
static double rounding(size_t method, double largest) {
    return (method == NYSTROM ? 1200 : 1) * 500 * DBL_EPSILON / 2 * largest;
}

typedef struct {
    double operations[CASES], model[CASES], free_projections[CASES];
    double difference[CASES], nothing[CASES], allowed[CASES], from_exact[CASES];
} counts;

static double largest_difference(const gsl_matrix *o, const table *t) {
    double largest = 0;
    for (size_t i = 0; i < o->size1; i++)
        for (size_t j = 0; j < o->size2; j++)
            largest = fmax(largest, fabs(gsl_matrix_get(o, i, j) - t->x[i * t->columns + j]));
    return largest;
}

static double size_of(size_t method) {
    return method == NYSTROM ? LANDMARKS : method < TAYLOR ? PROJECTIONS : DEGREE;
}

static int count_all(small *s, counts *out) {
    const double a = lem_oprf_A(4 * sqrt(D), D);
    counter exact_counter = {0};
    table exact, o;
    LEM_TRY(counted(METHODS, s, 0, &exact_counter, &exact));
    double largest = 0;
    for (size_t i = 0; i < N * D; i++)
        largest = fmax(largest, fabs(s->v->data[i]));
    for (size_t m = 0; m < CASES; m++) {
        counter c = {0};
        LEM_TRY(counted(m, s, m == OPTIMAL ? a : 0, &c, &o));
        LEM_TRY(library(m, s, m == OPTIMAL ? a : 0));
        out->operations[m] = (double)c.operations;
        out->model[m] = m == METHODS ? budget_exact_flops(N, D)
                                     : budget_flops((budget_method)m, N, D, (size_t)size_of(m));
        out->free_projections[m] = m < TAYLOR ? out->model[m] - 4.0 * N * PROJECTIONS * D : out->model[m];
        out->difference[m] = largest_difference(s->o, &o);
        out->from_exact[m] = largest_difference(s->o, &exact);
        out->nothing[m] = 0;
        out->allowed[m] = rounding(m, largest);
    }
    return GSL_SUCCESS;
}

static int claim_counts(lem_study *study, const counts *c) {
    static const lem_claim_info flops = {
        .id = "budget.flops",
        .statement =
            "operations counted one by one: exact 4 n^2 d; positive features 8 n P d, hyperbolic 12 n "
            "P d; polynomials 4 n r d + 2 n (2 r - 1), r = binom(d+g, g); Nystrom 8 n m d + 4 m^2 d + "
            "48 m^3",
        .source = "kexue.fm 7921, 8601, 8180; arXiv 2009.14794, 2102.03902",
        .verdict = LEM_HOLDS,
    };
    static const lem_claim_info outputs = {
        .id = "budget.flops.same-output",
        .statement = "the loops that were counted compute what the library computes, all nine methods",
        .source = "identity",
        .verdict = LEM_HOLDS,
    };
    const double exact[CASES] = {0}; /* whole numbers: no tolerance */
    const lem_falsifier free_projections[] = {
        {"projecting Q and K costs nothing: 4 n P d",
         lem_identity(CASES, c->operations, c->free_projections, exact)}};
    LEM_TRY(
        lem_claim(study, &flops, lem_identity(CASES, c->operations, c->model, exact), free_projections, 1));
    const lem_falsifier all_exact[] = {
        {"they compute exact attention", lem_identity_abs(CASES, c->from_exact, c->nothing, c->allowed)}};
    return lem_claim(study, &outputs, lem_identity_abs(CASES, c->difference, c->nothing, c->allowed),
                     all_exact, 1);
}

int budget_count(lem_study *study) {
    lem_stream stream;
    LEM_TRY(lem_study_stream(study, "count", 0, &stream));
    double q[N * D], k[N * D], v[N * D], w[PROJECTIONS * D], o[N * D];
    LEM_TRY(lem_uniform_fill(&stream, N * D, q)); /* bounded, so that odd polynomials stay positive */
    LEM_TRY(lem_uniform_fill(&stream, N * D, k));
    LEM_TRY(lem_normal_fill(&stream, N * D, v));
    LEM_TRY(lem_normal_fill(&stream, PROJECTIONS * D, w));
    gsl_matrix_view qv = gsl_matrix_view_array(q, N, D), kv = gsl_matrix_view_array(k, N, D),
                    vv = gsl_matrix_view_array(v, N, D), wv = gsl_matrix_view_array(w, PROJECTIONS, D),
                    ov = gsl_matrix_view_array(o, N, D);
    small s = {&qv.matrix, &kv.matrix, &vv.matrix, &wv.matrix, &ov.matrix};
    counts c;
    LEM_TRY(count_all(&s, &c));
    return claim_counts(study, &c);
}
