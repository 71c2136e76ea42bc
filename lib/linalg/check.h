/* What every entry to BLAS and LAPACK asks of its arguments. Internal. */
#ifndef LEM_LINALG_CHECK_H
#define LEM_LINALG_CHECK_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>
#include <stdbool.h>

/* A matrix that will be written: not null, at least 1 x 1, tda >= size2, and each of size1, size2, tda fits
 * Fortran's int.
 * GSL_EFAULT, GSL_EBADLEN, GSL_EINVAL. */
int lem_check_output(const gsl_matrix *m, const char *name);

/* A matrix that will be read: the same, and all entries finite (GSL_EINVAL, with the place of the first that
 * is not). */
int lem_check_input(const gsl_matrix *m, const char *name);
/* ... read by `threads` (0: as many as OpenMP gives) when it is large. */
int lem_check_input_by(const gsl_matrix *m, const char *name, int threads);

/* m is rows x columns, else GSL_EBADLEN. */
int lem_check_shape(const gsl_matrix *m, const char *name, size_t rows, size_t columns);

/* v is not null, has n entries and a stride of at least 1. */
int lem_check_length(const gsl_vector *v, const char *name, size_t n);

/* No element of `out` is an element of `in`, else GSL_EINVAL. Views into one parent are told apart by their
 * columns. */
int lem_check_apart(const gsl_matrix *in, const char *in_name, const gsl_matrix *out, const char *out_name);
int lem_check_vector_apart(const gsl_matrix *m, const char *m_name, const gsl_vector *v, const char *v_name);

/* All n values finite. Branch-free, memory-bound. */
bool lem_all_finite(const double *x, size_t n);

/* memory, or NULL after LEM_ERROR(GSL_ENOMEM). */
void *lem_allocate(size_t count, size_t size);

/* As gsl_matrix_alloc and gsl_vector_alloc (and freed like theirs), but what does not fit in memory gives
 * NULL after LEM_ERROR(GSL_ENOMEM): theirs call GSL's error handler, which by default aborts, and multiply
 * the sizes unchecked. At least 1 x 1. */
gsl_matrix *lem_matrix_allocate(size_t rows, size_t columns);
gsl_vector *lem_vector_allocate(size_t n);

/* How many threads share `items` pieces of work: `threads`, or with 0 as many as OpenMP gives, but not more
 * than there are pieces; 1 without OpenMP. */
int lem_team_size(int threads, size_t items);

#endif
