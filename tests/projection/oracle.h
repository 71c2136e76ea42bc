/* Independent values by ball arithmetic (Arb), for the tests of lib/projection. */
#ifndef TESTS_PROJECTION_ORACLE_H
#define TESTS_PROJECTION_ORACLE_H

#include "tap/tap.h"

#include <arb.h>
#include <stdbool.h>
#include <stdint.h>

/* --- arguments --- */

/* splitmix64: the arguments are the same at every run. */
uint64_t random_bits(void);
double random_unit(void);                       /* [0, 1) */
double random_between(double low, double high); /* uniform */
double random_log(double low, double high);     /* log-uniform */
size_t repetitions(size_t base);                /* times the test effort */

/* --- balls --- */

/* Writes the value at the precision asked for; args is the test's own. */
typedef void (*ball_function)(arb_t result, const double *args, slong precision);

/* Evaluate with growing precision until the ball is relatively thinner than 2^-70; false if 8192 bits do not
 * reach. */
bool ball_value(arb_t result, ball_function f, const double *args);

/* Check |computed - ball| <= tolerance |ball| + the smallest normal double (with the tolerance, the ratio and
 * args in the sentence); remembers the largest error in epsilons. `absolute` is added to the allowed error.
 */
bool check_against_ball(double computed, ball_function f, const double *args, size_t n_args, double tolerance,
                        double absolute, const char *file, int line, const char *name);
#define CHECK_BALL(computed, f, args, tolerance)                                                             \
    check_against_ball((computed), (f), (args), sizeof(args) / sizeof((args)[0]), (tolerance), 0, __FILE__,  \
                       __LINE__, #f)
#define CHECK_BALL_ABS(computed, f, args, tolerance, absolute)                                               \
    check_against_ball((computed), (f), (args), sizeof(args) / sizeof((args)[0]), (tolerance), (absolute),   \
                       __FILE__, __LINE__, #f)

#define EPS 2.220446049250313e-16
#define CLOSED (64 * EPS)

#endif
