#include "linalg/linalg.h"
#include "linalg/check.h"
#include "linalg/fortran.h"

#include <math.h>

double lem_frobenius_norm(const gsl_matrix *a) {
    if (lem_check_input(a, "A"))
        return NAN;
    /* The transpose has the same norm; dlange scales, so that squares neither overflow nor vanish. */
    const int m = (int)a->size2, n = (int)a->size1, lda = (int)a->tda;
    double unused = 0;
    return dlange_("F", &m, &n, a->data, &lda, &unused, 1);
}

double lem_spectral_norm(const gsl_matrix *a) {
    if (lem_check_output(a, "A"))
        return NAN;
    const size_t r = a->size1 < a->size2 ? a->size1 : a->size2;
    gsl_vector *s = lem_vector_allocate(r);
    if (!s)
        return NAN;
    double norm = lem_svd(a, NULL, s, NULL) ? NAN : gsl_vector_get(s, 0);
    gsl_vector_free(s);
    return norm;
}
