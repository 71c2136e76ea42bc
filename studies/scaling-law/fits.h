/* What the sections on fits share. */
#ifndef SL_FITS_H
#define SL_FITS_H

#include "lemmata.h"
#include "study/study.h"

int sl_offset(lem_study *study);    /* offset.c: a power law with an offset */
int sl_optimum(lem_study *study);   /* optimum.c: the compute-optimal split in closed form */
int sl_twin(lem_study *study);      /* twin.c: synthetic runs with known constants */
int sl_published(lem_study *study); /* published.c: the runs of Hoffmann et al., where they are at hand */

#define HOFFMANN "Hoffmann et al. 2022, arXiv 2203.15556"
#define BESIROGLU "Besiroglu et al. 2024, arXiv 2404.10102"

enum { SL_MOST_RUNS = 256 };
typedef struct {
    size_t n;
    double N[SL_MOST_RUNS], D[SL_MOST_RUNS], loss[SL_MOST_RUNS];
} sl_runs;
lem_chinchilla_data sl_data(const sl_runs *runs);

static const double sl_delta = 1e-3;         /* Huber's threshold of the paper */
static const double sl_operations = 5.76e23; /* operations: the model Chinchilla and its forerunner Gopher */

/* beta/(alpha + beta), the exponent of N* in C. */
double sl_share(const lem_chinchilla *law);
double sl_ratio(const lem_chinchilla *law, double budget);

/* --- trap.c: one objective, three scales, one tolerance */

enum { SL_STARTS = 27 };
/* The 27 starts; and where GSL's BFGS ends from each, sorted, as the relative excess of the sum of Huber
 * losses over its minimum. */
void sl_start(const lem_chinchilla_data *data, size_t k, lem_chinchilla *law);
int sl_descend_all(const lem_chinchilla_data *data, double least, lem_chinchilla_scaling scaling,
                   bool centred, double step, double excess[SL_STARTS]);
typedef struct {
    const char *id, *key, *statement, *source;
    bool long_steps; /* also with a first step of 1 */
} sl_trap;
int sl_trap_claim(lem_study *study, const lem_chinchilla_data *data, double least, const sl_trap *trap);
#define SL_TRAP                                                                                              \
    "GSL's BFGS with a gradient tolerance of 1e-5 arrives within 1e-4 of the minimum from 26 of 27 starts "  \
    "or more on the sum over delta, and from none on the mean, centred or not"

/* --- published_fit.c, published_bootstrap.c */

typedef struct {
    sl_runs all, kept;           /* 245 rows, and the 240 */
    lem_chinchilla_fitted huber; /* of the 240 */
    lem_chinchilla_fitted absolute;
} sl_published_data;
int sl_drop_largest(const sl_runs *from, size_t m, sl_runs *to);
int sl_published_fit(lem_study *study, sl_published_data *data);
int sl_published_bootstrap(lem_study *study, const sl_published_data *data);

#endif
