#include "linalg/check.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

bool lem_all_finite(const double *x, size_t n) {
    /* x * 0 is 0 for finite x and NaN otherwise; independent lanes let the compiler vectorise. */
    double lane[8] = {0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t j = 0; j < 8; j++)
            lane[j] += x[i + j] * 0.0;
    for (; i < n; i++)
        lane[0] += x[i] * 0.0;
    return lane[0] + lane[1] + lane[2] + lane[3] + lane[4] + lane[5] + lane[6] + lane[7] == 0;
}

int lem_check_output(const gsl_matrix *m, const char *name) {
    if (!m || !m->data)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must be a matrix", name);
    if (m->size1 == 0 || m->size2 == 0)
        return LEM_ERROR(GSL_EBADLEN, "%s is %zu x %zu: must have at least one row and one column", name,
                         m->size1, m->size2);
    if (m->tda < m->size2)
        return LEM_ERROR(GSL_EINVAL, "%s is %zu x %zu with tda %zu: rows must not overlap, tda >= columns",
                         name, m->size1, m->size2, m->tda);
    if (m->size1 > INT_MAX || m->size2 > INT_MAX || m->tda > INT_MAX)
        return LEM_ERROR(GSL_EINVAL, "%s is %zu x %zu with tda %zu: each must be <= %d, BLAS counts in int",
                         name, m->size1, m->size2, m->tda, INT_MAX);
    return GSL_SUCCESS;
}

/* The first row with an entry that is not finite, size1 if there is none. */
static size_t first_bad_row(const gsl_matrix *m, int threads) {
    enum { LARGE = 1 << 18 };
    const int team = m->size1 * m->size2 < LARGE ? 1 : lem_team_size(threads, m->size1);
    size_t bad = m->size1;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(team) reduction(min : bad) if (team > 1)
#endif
    for (size_t i = 0; i < m->size1; i++)
        if (i < bad && !lem_all_finite(m->data + i * m->tda, m->size2))
            bad = i;
    (void)team;
    return bad;
}

int lem_check_input_by(const gsl_matrix *m, const char *name, int threads) {
    int status = lem_check_output(m, name);
    if (status)
        return status;
    const size_t i = first_bad_row(m, threads);
    if (i == m->size1)
        return GSL_SUCCESS;
    size_t j = 0;
    while (isfinite(m->data[i * m->tda + j]))
        j++;
    return LEM_ERROR(GSL_EINVAL, "%s[%zu][%zu] = %g: must be finite", name, i, j, m->data[i * m->tda + j]);
}

int lem_check_input(const gsl_matrix *m, const char *name) {
    return lem_check_input_by(m, name, 1);
}

int lem_check_shape(const gsl_matrix *m, const char *name, size_t rows, size_t columns) {
    if (m->size1 != rows || m->size2 != columns)
        return LEM_ERROR(GSL_EBADLEN, "%s is %zu x %zu: must be %zu x %zu", name, m->size1, m->size2, rows,
                         columns);
    return GSL_SUCCESS;
}

int lem_check_length(const gsl_vector *v, const char *name, size_t n) {
    if (!v || !v->data)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must be a vector", name);
    if (v->size != n)
        return LEM_ERROR(GSL_EBADLEN, "%s has %zu entries: must have %zu", name, v->size, n);
    if (v->stride == 0)
        return LEM_ERROR(GSL_EINVAL, "%s has stride 0: must be >= 1", name);
    return GSL_SUCCESS;
}

/* A strided set of doubles: `rows` runs of `width`, `tda` apart. */
typedef struct {
    uintptr_t start;
    size_t rows, width, tda;
} area;

static area area_of(const gsl_matrix *m) {
    return (area){(uintptr_t)m->data, m->size1, m->size2, m->tda};
}

static uintptr_t end_of(area a) {
    return a.start + sizeof(double) * ((a.rows - 1) * a.tda + a.width);
}

static bool overlap(area a, area b) {
    if (end_of(a) <= b.start || end_of(b) <= a.start)
        return false;
    if (b.start < a.start)
        return overlap(b, a);
    size_t bytes = b.start - a.start;
    if (a.tda != b.tda || bytes % sizeof(double) != 0)
        return true; /* interleaved in some other way: refuse rather than reason */
    size_t column = bytes / sizeof(double) % a.tda;
    return column < a.width || column + b.width > a.tda;
}

int lem_check_apart(const gsl_matrix *in, const char *in_name, const gsl_matrix *out, const char *out_name) {
    if (overlap(area_of(in), area_of(out)))
        return LEM_ERROR(GSL_EINVAL, "%s overlaps %s in memory: must be apart", out_name, in_name);
    return GSL_SUCCESS;
}

int lem_check_vector_apart(const gsl_matrix *m, const char *m_name, const gsl_vector *v, const char *v_name) {
    if (overlap(area_of(m), (area){(uintptr_t)v->data, v->size, 1, v->stride}))
        return LEM_ERROR(GSL_EINVAL, "%s overlaps %s in memory: must be apart", v_name, m_name);
    return GSL_SUCCESS;
}

void *lem_allocate(size_t count, size_t size) {
    void *memory = count <= SIZE_MAX / size ? malloc(count * size) : NULL;
    if (!memory)
        LEM_ERROR(GSL_ENOMEM, "no memory for %zu items of %zu bytes", count, size);
    return memory;
}

static gsl_block *allocate_block(size_t n) {
    gsl_block *block = lem_allocate(1, sizeof *block);
    double *data = block ? lem_allocate(n, sizeof *data) : NULL;
    if (!data) {
        free(block);
        return NULL;
    }
    *block = (gsl_block){.size = n, .data = data};
    return block;
}

gsl_matrix *lem_matrix_allocate(size_t rows, size_t columns) {
    if (rows > SIZE_MAX / columns) {
        (void)LEM_ERROR(GSL_ENOMEM, "no memory for a %zu x %zu matrix", rows, columns);
        return NULL;
    }
    gsl_matrix *m = lem_allocate(1, sizeof *m);
    gsl_block *block = m ? allocate_block(rows * columns) : NULL;
    if (!block) {
        free(m);
        return NULL;
    }
    *m = (gsl_matrix){
        .size1 = rows, .size2 = columns, .tda = columns, .data = block->data, .block = block, .owner = 1};
    return m;
}

gsl_vector *lem_vector_allocate(size_t n) {
    gsl_vector *v = lem_allocate(1, sizeof *v);
    gsl_block *block = v ? allocate_block(n) : NULL;
    if (!block) {
        free(v);
        return NULL;
    }
    *v = (gsl_vector){.size = n, .stride = 1, .data = block->data, .block = block, .owner = 1};
    return v;
}

int lem_team_size(int threads, size_t items) {
#ifdef _OPENMP
    int team = threads > 0 ? threads : omp_get_max_threads();
    return items < (size_t)team ? (int)items : team;
#else
    (void)threads, (void)items;
    return 1;
#endif
}
