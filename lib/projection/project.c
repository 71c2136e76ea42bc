#include "projection/project.h"

#include "linalg/check.h"
#include "linalg/linalg.h"
#include "projection/fwht_kernel.h"
#include "projection/sample.h"
#include "projection/srht.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

struct lem_project_workspace {
    lem_projection_kind kind;
    size_t n, m;
    double s;
    bool drawn;
    gsl_matrix *a; /* dense kinds: n x m */
    size_t order;  /* srht: of the Hadamard matrix */
    double *signs; /* srht: m */
    size_t *rows;  /* srht: the first n of `order` numbers are the rows taken */
};

static bool is_srht(lem_projection_kind kind) {
    return kind == LEM_PROJECTION_SRHT || kind == LEM_PROJECTION_SRHT_PADDED;
}

static int allocate_parts(lem_project_workspace *w) {
    if (!is_srht(w->kind)) {
        w->a = lem_matrix_allocate(w->n, w->m);
        return w->a ? GSL_SUCCESS : GSL_ENOMEM;
    }
    w->order = lem_srht_order(w->kind, w->m);
    w->signs = lem_allocate(w->m, sizeof *w->signs);
    w->rows = w->signs ? lem_allocate(w->order, sizeof *w->rows) : NULL;
    return w->rows ? GSL_SUCCESS : GSL_ENOMEM;
}

lem_project_workspace *lem_project_alloc(lem_projection_kind kind, size_t n, size_t m, double s) {
    if (lem_projection_check(kind, n, m, s))
        return NULL;
    lem_project_workspace *w = lem_allocate(1, sizeof *w);
    if (!w)
        return NULL;
    *w = (lem_project_workspace){.kind = kind, .n = n, .m = m, .s = s};
    if (allocate_parts(w)) {
        lem_project_free(w);
        return NULL;
    }
    return w;
}

void lem_project_free(lem_project_workspace *w) {
    if (!w)
        return;
    gsl_matrix_free(w->a);
    free(w->signs);
    free(w->rows);
    free(w);
}

int lem_project_draw(lem_project_workspace *w, lem_stream *stream) {
    if (!w || !stream)
        return LEM_ERROR(GSL_EFAULT, "%s = null: must be a %s", w ? "stream" : "w",
                         w ? "stream" : "workspace");
    lem_stream moved = *stream;
    int status = is_srht(w->kind) ? lem_srht_draw(&moved, w->m, w->order, w->n, w->signs, w->rows)
                                  : lem_jl_sample(w->kind, w->s, &moved, w->a);
    w->drawn = !status;
    if (!status)
        *stream = moved;
    return status;
}

static int check_drawn(const lem_project_workspace *w) {
    if (!w)
        return LEM_ERROR(GSL_EFAULT, "w = null: must be a workspace");
    if (!w->drawn)
        return LEM_ERROR(GSL_EINVAL, "w holds no matrix: must be drawn by lem_project_draw first");
    return GSL_SUCCESS;
}

static int check_rows(const lem_project_workspace *w, const gsl_matrix *x, const gsl_matrix *y) {
    int status;
    if ((status = check_drawn(w)) || (status = lem_check_output(x, "X")) ||
        (status = lem_check_output(y, "Y")) || (status = lem_check_shape(x, "X", x->size1, w->m)) ||
        (status = lem_check_shape(y, "Y", x->size1, w->n)) || (status = lem_check_apart(x, "X", y, "Y")))
        return status;
    return GSL_SUCCESS;
}

/* One row; `work` holds `order` numbers. */
static void srht_row(const lem_project_workspace *w, const lem_fwht_kernel *kernel, const double *x,
                     double *y, double *work) {
    for (size_t j = 0; j < w->m; j++)
        work[j] = x[j] * w->signs[j];
    memset(work + w->m, 0, (w->order - w->m) * sizeof *work);
    kernel->transform(work, w->order);
    const double scale = 1 / sqrt((double)w->n);
    for (size_t i = 0; i < w->n; i++)
        y[i] = scale * work[w->rows[i]];
}

/* The number of the first row with an entry that is not finite, x->size1 if there is none. `work`: `order`
 * numbers for each thread. */
static size_t srht_rows(const lem_project_workspace *w, const gsl_matrix *x, gsl_matrix *y, int team,
                        double *work) {
    const lem_fwht_kernel *kernel = lem_fwht_best_kernel();
    size_t bad = x->size1;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(team) reduction(min : bad) if (team > 1)
#endif
    for (size_t i = 0; i < x->size1; i++) {
#ifdef _OPENMP
        double *mine = work + (size_t)omp_get_thread_num() * w->order;
#else
        double *mine = work;
#endif
        const double *row = x->data + i * x->tda;
        if (lem_all_finite(row, x->size2))
            srht_row(w, kernel, row, y->data + i * y->tda, mine);
        else
            bad = i < bad ? i : bad;
    }
    (void)team;
    return bad;
}

static int srht_project(const lem_project_workspace *w, const gsl_matrix *x, gsl_matrix *y, int threads) {
    const int team = lem_team_size(threads, x->size1);
    double *work = lem_allocate((size_t)team * w->order, sizeof *work);
    if (!work)
        return GSL_ENOMEM;
    const size_t bad = srht_rows(w, x, y, team, work);
    free(work);
    if (bad == x->size1)
        return GSL_SUCCESS;
    const gsl_matrix row = gsl_matrix_const_submatrix(x, bad, 0, 1, x->size2).matrix;
    size_t j = 0;
    while (isfinite(row.data[j]))
        j++;
    return LEM_ERROR(GSL_EINVAL, "X[%zu][%zu] = %g: must be finite", bad, j, row.data[j]);
}

int lem_project_rows(const lem_project_workspace *w, const gsl_matrix *x, gsl_matrix *y, int threads) {
    int status = check_rows(w, x, y);
    if (status)
        return status;
    if (threads < 0)
        return LEM_ERROR(GSL_EINVAL, "threads = %d: must be >= 0", threads);
    if (is_srht(w->kind))
        return srht_project(w, x, y, threads);
    return lem_gemm(LEM_NO_TRANS, LEM_TRANS, 1, x, w->a, 0, y, threads);
}

static void srht_matrix(const lem_project_workspace *w, gsl_matrix *a) {
    const double scale = 1 / sqrt((double)w->n);
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->m; j++)
            a->data[i * a->tda + j] = lem_hadamard_sign(w->rows[i], j) * scale * w->signs[j];
}

int lem_project_matrix(const lem_project_workspace *w, gsl_matrix *a) {
    int status;
    if ((status = check_drawn(w)) || (status = lem_check_output(a, "A")) ||
        (status = lem_check_shape(a, "A", w->n, w->m)))
        return status;
    if (is_srht(w->kind))
        srht_matrix(w, a);
    else
        gsl_matrix_memcpy(a, w->a);
    return GSL_SUCCESS;
}
