/* Built once as a unit test, and four times with OpenBLAS before and after GSL's own CBLAS on the link line,
 * with and without --as-needed: whichever serves gsl_blas_*, OpenBLAS serves us. */
#include "linalg/linalg.h"
#include "matrices.h"

#include <gsl/gsl_blas.h>

static void test_library(void) {
    double data[] = {3, 4};
    gsl_vector_view v = gsl_vector_view_array(data, 2); /* so that a CBLAS is linked at all */
    LEM_CHECK_NEAR(gsl_blas_dnrm2(&v.vector), 5, 5 * gamma_n(4));
    LEM_CHECK(strstr(lem_blas_library(), "openblas"), "dgemm_ is served by \"%s\"", lem_blas_library());
}

static void test_description(void) {
    const char *text = lem_blas_description();
    LEM_CHECK(strncmp(text, "OpenBLAS ", 9) == 0, "description is \"%s\"", text);
    LEM_CHECK(text == lem_blas_description(), "another answer the second time");
}

static const lem_tap_case cases[] = {
    {"OpenBLAS serves dgemm_", test_library},
    {"the description names it", test_description},
};
LEM_TAP_MAIN(cases)
