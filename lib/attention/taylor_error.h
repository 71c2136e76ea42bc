/* Internal: what the expansions of exp share. */
#ifndef LEM_ATTENTION_TAYLOR_ERROR_H
#define LEM_ATTENTION_TAYLOR_ERROR_H

#include <stdbool.h>

enum { LEM_MAX_DEGREE = 1000000 };

/* P(Poisson(mean) > n) = P(n + 1, mean); mean >= 0. */
double lem_poisson_above(int n, double mean);

/* GSL_SUCCESS when least <= n <= LEM_MAX_DEGREE, and x finite; else GSL_EDOM, reported. */
int lem_check_degree(int n, int least);
int lem_check_degree_at(int n, int least, double x, const char *x_name);

#endif
