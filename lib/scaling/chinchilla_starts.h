/* Inside: where fits start, and the refit of a resample. */
#ifndef LEM_SCALING_CHINCHILLA_STARTS_H
#define LEM_SCALING_CHINCHILLA_STARTS_H

#include "scaling/chinchilla_minimiser.h"

/* 27 sensible starts: exponents 0.2, 0.4, 0.6 each; E makes up 0.3, 0.6 or 0.8 of the geometric mean of the
 * losses, and the two power terms share the rest in the middle of the data. */
enum { LEM_CHINCHILLA_STARTS = 27 };
void lem_chinchilla_start(const lem_chinchilla_problem *p, size_t k, double *q);

bool lem_chinchilla_refit(lem_chinchilla_problem *p, lem_chinchilla_minimiser *m, double delta, double *q);

#endif
