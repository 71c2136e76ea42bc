/* Feature maps that act on each coordinate by itself. */
#ifndef LEM_ATTENTION_FEATURE_MAP_H
#define LEM_ATTENTION_FEATURE_MAP_H

#include "base/error.h"

#include <gsl/gsl_matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LEM_FEATURE_IDENTITY, /* x */
    LEM_FEATURE_ELU1, /* 1 + x for x >= 0, exp(x) below: 1 + elu(x); Katharopoulos et al., arXiv:2006.16236 */
    LEM_FEATURE_EXP,  /* exp(x) */
    LEM_FEATURE_RELU  /* max(x, 0) */
} lem_feature_kind;

/* Phi[i][j] = phi(X[i][j]); Phi may be X itself, else must be apart from it. GSL_EFAULT, GSL_EBADLEN,
 * GSL_EINVAL (an entry not finite, an unknown kind); GSL_EOVRFLW naming the row where exp(x) exceeds the
 * range of double. On error Phi is unspecified. */
LEM_API int lem_feature_map(lem_feature_kind kind, const gsl_matrix *x, gsl_matrix *phi);

#ifdef __cplusplus
}
#endif
#endif
