/* The kernels of OpenBLAS for a processor that it does not know.
 *
 * OpenBLAS picks its kernels by the model number when it is loaded. One that is newer than itself gets those
 * of the Prescott, with vectors of two doubles: products run at a fraction of the speed, and with other last
 * bits than on the neighbouring models. It asks $OPENBLAS_CORETYPE first, but only then. */
#ifndef LEM_STUDY_BLAS_CORE_H
#define LEM_STUDY_BLAS_CORE_H

#include <stdbool.h>

/* The value of OPENBLAS_CORETYPE that suits a processor with these instructions where OpenBLAS has chosen
 * `core`, or NULL: keep what it has chosen. */
const char *lem_blas_better_core(const char *core, bool avx2_fma, bool avx512);

/* Start this program anew with OPENBLAS_CORETYPE set, if that variable is not set and there is a better core.
 * Returns when there is nothing to do, or when the start fails: then the slow kernels do. For the first line
 * of a main() only. */
void lem_blas_choose_core(char **argv);

#endif
