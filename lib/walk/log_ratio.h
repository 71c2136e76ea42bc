/* Internal: the logarithm of a ratio. */
#ifndef LEM_WALK_LOG_RATIO_H
#define LEM_WALK_LOG_RATIO_H

#include <math.h>

/* log(a/b), a, b > 0, to a few epsilons of itself: near a = b the rounding of the ratio would be the better
 * part of it, while a - b is exact. */
static inline double lem_log_ratio(double a, double b) {
    return a > b / 2 && a < 2 * b ? log1p((a - b) / b) : log(a / b);
}

#endif
