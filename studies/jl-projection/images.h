/* Between the files on real images. */
#ifndef JL_IMAGES_H
#define JL_IMAGES_H

#include "study.h"

enum { PIXELS = 784, IMAGES = 2000 };

/* pairs.c: distances of pairs. Each part adds its blocks to the figure's table. */
int jl_image_pairs(lem_study *study, const gsl_matrix *train, lem_table *table);

/* recall.c: nearest neighbours. */
int jl_recall(lem_study *study, const gsl_matrix *train, const gsl_matrix *test, lem_table *table);

#endif
