/* The parametric scaling law of Hoffmann et al. 2022 ("Chinchilla", arXiv 2203.15556, section 3.3),
 *
 *     L(N, D) = E + A N^-alpha + B D^-beta,
 *
 * N parameters, D training tokens, C = 6 N D floating-point operations; and what follows from it in closed
 * form. How it is fitted: scaling/chinchilla_fit.h. All functions are thread-safe. */
#ifndef LEM_SCALING_CHINCHILLA_H
#define LEM_SCALING_CHINCHILLA_H

#include "base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double A, B, E, alpha, beta;
} lem_chinchilla;

/* Published constants. Hoffmann et al. print two digits of the exponents; more stand in the TeX source of
 * their paper (as quoted by Besiroglu, Erdil, Barnett & You 2024, arXiv 2404.10102, whose own, unrounded in
 * their notebook, are the third). The difference matters: claim sl.rounding. */
#define LEM_CHINCHILLA_SETS(X)                                                                               \
    X(LEM_HOFFMANN_PRINTED, "hoffmann_printed", 406.4, 410.7, 1.69, 0.34, 0.28)                              \
    X(LEM_HOFFMANN_TEX, "hoffmann_tex", 406.401017519, 410.722826945, 1.693373681, 0.33917084, 0.2849083)    \
    X(LEM_BESIROGLU, "besiroglu", 482.00572, 2085.4342, 1.81686, 0.34781, 0.36585)
#define LEM_ENUM(id, name, A, B, E, alpha, beta) id,
typedef enum { LEM_CHINCHILLA_SETS(LEM_ENUM) } lem_chinchilla_set;
#undef LEM_ENUM
/* GSL_EINVAL for what is no member of the list. */
LEM_API int lem_chinchilla_published(lem_chinchilla_set set, lem_chinchilla *law);

/* The law itself, in nats per token. N, D > 0, finite; A, B > 0, E >= 0, exponents > 0, all finite; else NaN
 * and GSL_EDOM (GSL_ERANGE when a term overflows). */
LEM_API double lem_chinchilla_eval(const lem_chinchilla *law, double N, double D);

/* n observations; each array has n entries, all positive and finite. */
typedef struct {
    size_t n;
    const double *N, *D, *loss;
} lem_chinchilla_data;

/* residuals[i] = log loss[i] - log L(N[i], D[i]), n of them. Errors as above, with the number of the row,
 * from 1; GSL_EINVAL for n = 0, GSL_EFAULT for a null pointer. */
LEM_API int lem_chinchilla_residuals(const lem_chinchilla *law, const lem_chinchilla_data *data,
                                     double *residuals);

/* What is minimised: Huber's loss of the residuals, summed over the rows or averaged. The minimiser is the
 * same; where an optimiser stops is not (claim sl.reduction-trap). delta as in lem_huber_loss. NaN on error.
 */
typedef enum { LEM_REDUCE_SUM, LEM_REDUCE_MEAN } lem_reduction;
LEM_API double lem_chinchilla_objective(const lem_chinchilla *law, const lem_chinchilla_data *data,
                                        double delta, lem_reduction reduction);

/* The number of parameters that makes L least at 6 N D = C operations:
 *     N* = (alpha A/(beta B))^(1/(alpha + beta)) (C/6)^(beta/(alpha + beta)),   D* = C/(6 N*),
 * by Lagrange. A, B, alpha, beta, C > 0, finite; else NaN and GSL_EDOM; GSL_ERANGE when the result over- or
 * underflows. Hoffmann et al. 2022, eq. 4; claim sl.compute-optimal. */
LEM_API double lem_chinchilla_optimal_params(double A, double B, double alpha, double beta, double C);
/* Tokens per parameter, D* over N*, at the optimum, (beta B/(alpha A))^(2/(alpha + beta)) (C/6)^((alpha -
 * beta)/(alpha + beta)). */
LEM_API double lem_chinchilla_tokens_per_parameter(double A, double B, double alpha, double beta, double C);

#ifdef __cplusplus
}
#endif
#endif
