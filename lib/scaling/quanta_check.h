/* The domains of the quanta functions: each check returns 0, or GSL_EDOM after LEM_ERROR. Internal. */
#ifndef LEM_SCALING_QUANTA_CHECK_H
#define LEM_SCALING_QUANTA_CHECK_H

int lem_quanta_check_gamma(double gamma);               /* 1e-300 <= gamma <= 1000 */
int lem_quanta_check_count(const char *name, double n); /* n >= 0, finite */
int lem_quanta_check_tau(double tau, double most);      /* a whole number from 1 to most */
int lem_quanta_check_samples(double D);                 /* D >= 0, finite */
int lem_quanta_check_whole_samples(double D);           /* a whole number from 0 to 2^53 */
/* All three, for sums: tau at most LEM_TAU_SUMS, for closed forms LEM_TAU_CLOSED. */
#define LEM_TAU_SUMS 1000
#define LEM_TAU_CLOSED 1e9
int lem_quanta_check_resources(double D, double tau, double most_tau, double gamma);

/* value, or NaN after GSL_EOVRFLW when it is infinite. */
double lem_quanta_bounded(double value, const char *name);

#endif
