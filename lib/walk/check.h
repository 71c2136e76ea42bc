/* Internal: what the functions of this topic ask of their arguments. */
#ifndef LEM_WALK_CHECK_H
#define LEM_WALK_CHECK_H

#include "base/error.h"

/* GSL_EDOM with the name and the value unless it is finite, or finite and > 0. */
int lem_walk_check_finite(double value, const char *name);
int lem_walk_check_positive(double value, const char *name);

/* value, or NaN after GSL_EOVRFLW when it is infinite, or NaN from infinities on the way to it. */
double lem_walk_bounded(double value, const char *name);

#endif
