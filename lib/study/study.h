/* The runtime of a study: command line, seeds, progress, values, tables, figures, results.json. Floor 3:
 * knows nothing of any topic.
 *
 * A driver lists its sections and calls lem_study_main; a section measures, and hands over values, tables,
 * figures and claims. Every function returns 0, or a GSL status with the sentence in lem_last_error(): pass
 * it on (LEM_TRY), and the run ends with that message, a non-zero exit and no result file. */
#ifndef LEM_STUDY_STUDY_H
#define LEM_STUDY_STUDY_H

#include "stat/mc.h"
#include "study/blas_core.h"
#include "study/claim.h"

typedef struct {
    const char *name;  /* for --only and the timing */
    const char *title; /* shown with the progress */
    int (*run)(lem_study *study);
} lem_section;

typedef struct {
    const char *name; /* the folder's: "jl-projection" */
    const char *title;
    const lem_section *sections;
    size_t n_sections;
} lem_study_spec;

/* The whole main() of a driver: sees that OpenBLAS has kernels for this processor (study/blas_core.h), parses
 * the options of every study (--help lists them), switches GSL's handler off, sets BLAS to one thread, runs
 * the sections, prints the claims as TAP, writes results.json, data/ and figures/. In a build with MPI it may
 * be started by mpirun: rank 0 does all the printing and writing. Exit status: 0; 1 when a claim failed under
 * --check or a --record comparison failed; 2 for a bad command line; 3 for a run that could not be completed;
 * 130 when interrupted. */
#define lem_study_main(spec, argc, argv)                                                                     \
    (lem_blas_choose_core(argv), lem_study_run((spec), LEM_STUDY_SCRIPTS, (argc), (argv)))

/* The folder of the study's .gp files; the build defines it. LEMMATA_SCRIPTS or --scripts takes its place in
 * a tree that has moved. */
#ifndef LEM_STUDY_SCRIPTS
#define LEM_STUDY_SCRIPTS NULL
#endif
int lem_study_run(const lem_study_spec *spec, const char *scripts, int argc, char **argv);

#define LEM_TRY(call)                                                                                        \
    do {                                                                                                     \
        int lem_try_status_ = (call);                                                                        \
        if (lem_try_status_)                                                                                 \
            return lem_try_status_;                                                                          \
    } while (0)

uint64_t lem_study_seed(const lem_study *study);
double lem_study_scale(const lem_study *study);
int lem_study_threads(const lem_study *study);
/* --data, or the fallback when it was not given. */
const char *lem_study_data_folder(const lem_study *study, const char *fallback);

/* max(ceil(scale * full), floor): the sample size of a check with that floor. */
size_t lem_study_samples(const lem_study *study, size_t full, size_t floor);

/* A stream of this study: purpose names what it is for, and must differ between uses: the same purpose and
 * chunk twice, or a purpose that lem_study_mc has, is refused (to replay a stream, copy it). */
int lem_study_stream(lem_study *study, const char *purpose, uint32_t chunk, lem_stream *stream);

/* lem_mc_run with the study's seed, stream words, threads, progress and ranks filled in. purpose: as above.
 * To be called from a section, never from a chunk: all ranks must come to it together. */
int lem_study_mc(lem_study *study, const char *purpose, lem_mc_plan plan, lem_mc_result *result);

/* Results for results.json. key: words joined by dots and dashes, unique. unit: "" for a pure number. */

/* A reproducible closed form; digits: how many significant digits of it survive another machine, 1..17. */
int lem_value_exact(lem_study *study, const char *key, double value, int digits, const char *unit);
/* A Monte Carlo estimate with its standard error (> 0), comparable with a record at any scale and seed. It
 * needs about 30 draws or more: from fewer the standard error is too rough for that, and the value is a
 * scaled one. */
int lem_value_estimate(lem_study *study, const char *key, double value, double stderr_, const char *unit);
/* Comparable only at the record's scale and seed: a maximum, a count, a p-value. */
int lem_value_scaled(lem_study *study, const char *key, double value, int digits, const char *unit);

/* The table behind a figure, data/<name>.tsv. columns: names with units, "n", "tail [log10]"; rows in order;
 * NaN is written as "?" (gnuplot's missing value), infinity refused. A blank line between blocks starts a new
 * gnuplot index. */
typedef struct lem_table lem_table;
int lem_study_table(lem_study *study, const char *name, const char *const *columns, size_t n_columns,
                    lem_table **table);
int lem_table_row(lem_table *table, const double *values);
int lem_table_break(lem_table *table);

/* Declare a figure: drawn after the sections by `gnuplot -d` from <study folder>/<name>.gp, which loads
 * style.gp and reads the table of the same name. caption: shown under it; alt: a sentence that says the
 * finding (may hold numbers the section formatted from its results). */
int lem_study_figure(lem_study *study, const char *name, const char *caption, const char *alt);

/* Name a data file the run depends on: recorded with its sha256. */
int lem_study_data_file(lem_study *study, const char *path);

/* A sentence for the user on stderr and in results.json (a section that is left out, and why). */
void lem_study_note(lem_study *study, const char *format, ...) LEM_PRINTF(2, 3);

#endif
