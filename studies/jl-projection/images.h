/* Between the two files on real images. */
#ifndef JL_IMAGES_H
#define JL_IMAGES_H

#include "study.h"

enum { PIXELS = 784 };

/* recall.c: nearest neighbours; adds its block to the figure's table. */
int jl_recall(lem_study *study, const gsl_matrix *train, const gsl_matrix *test, lem_table *table);

#endif
