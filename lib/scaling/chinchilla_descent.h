/* Plain quasi-Newton descent on the objective of the Chinchilla fit, with an absolute tolerance, as programs
 * in use do it: what lem_chinchilla_fit guards against, and claim sl.reduction-trap measures. */
#ifndef LEM_SCALING_CHINCHILLA_DESCENT_H
#define LEM_SCALING_CHINCHILLA_DESCENT_H

#include "scaling/chinchilla.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is minimised: sum of Huber losses over delta, the sum, or the mean. */
typedef enum { LEM_DESCEND_SUM_OVER_DELTA, LEM_DESCEND_SUM, LEM_DESCEND_MEAN } lem_chinchilla_scaling;

typedef struct {
    lem_chinchilla_scaling scaling;
    bool centred;      /* parameters centred at the mean logarithms of N and D, or raw */
    double delta;      /* Huber's threshold, > 0, finite */
    double step;       /* length of the first step, > 0 */
    double tolerance;  /* stop when the Euclidean norm of the gradient is below it, > 0 */
    size_t iterations; /* at most, >= 1 */
} lem_chinchilla_descent;

typedef struct {
    lem_chinchilla law;
    double objective; /* the sum of Huber losses there, whatever was minimised */
    size_t iterations;
    bool stopped; /* the gradient was below the tolerance; false: no more progress, or too many iterations */
} lem_chinchilla_end;

/* GSL's vector_bfgs2 from `start`. The data as in lem_chinchilla_fit. Reaching no tolerance is no error.
 * Errors: those of the data; GSL_EDOM for a bad setting or a start that is no law; GSL_ENOMEM. Thread-safe.
 */
LEM_API int lem_chinchilla_descend(const lem_chinchilla_data *data, const lem_chinchilla *start,
                                   const lem_chinchilla_descent *how, lem_chinchilla_end *end);

#ifdef __cplusplus
}
#endif
#endif
