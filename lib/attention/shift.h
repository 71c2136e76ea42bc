/* Changes of Q and K that leave softmax attention as it is and make random features better. */
#ifndef LEM_ATTENTION_SHIFT_H
#define LEM_ATTENTION_SHIFT_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Subtract from each column of K its mean, kept in `mean` (d entries; NULL: not wanted). The logits of a row
 * all move by -q . mean. GSL_EFAULT, GSL_EBADLEN, GSL_EINVAL (an entry not finite),
 * GSL_EOVRFLW (two entries of a column too far apart for double; psi out of its range); on error K is left
 * alone.
 */
LEM_API int lem_centre_keys(gsl_matrix *k, gsl_vector *mean);

/* q_l -> psi_l q_l, k_l -> k_l/psi_l with psi_l^4 = (mean of k_l^2)/(mean of q_l^2): keeps every q . k and
 * gives the least mean of |q|^2 + |k|^2. `psi` (d entries; NULL: not wanted). A coordinate that is 0
 * throughout Q or K is left alone. Errors as above. */
LEM_API int lem_balance_coordinates(gsl_matrix *q, gsl_matrix *k, gsl_vector *psi);

#ifdef __cplusplus
}
#endif
#endif
