/* Inside the runtime: the state of one run, shared by the files of lib/study and their tests. */
#ifndef LEM_STUDY_RUNTIME_H
#define LEM_STUDY_RUNTIME_H

#include "study/options.h"
#include "study/study.h"

#include <jansson.h>
#include <time.h>

/* One use of a random stream: a purpose and a chunk of it, or all its chunks (a lem_mc run). */
typedef struct {
    char *purpose;
    uint32_t word, chunk;
    bool whole;
} lem_stream_use;

struct lem_table {
    FILE *file; /* NULL on all ranks but the first */
    char *path, *name;
    size_t n_columns, rows;
    bool after_break;
    lem_table *next;
};

struct lem_study {
    const lem_study_spec *spec;
    lem_options options;
    const char *scripts; /* folder of the .gp files; NULL: not known */
    int threads;
    json_t *values, *claims, *figures, *notes, *skips, *timing, *data; /* parts of results.json */
    json_t *record;                                                    /* NULL: no --record */
    lem_table *tables;
    lem_stream_use *uses; /* open addressing by word and chunk; purpose NULL: free */
    size_t n_uses, uses_room;
    size_t n_failed;
    /* progress */
    size_t section;
    bool terminal;
    struct timespec section_start, last_drawn;
    double mc_seconds; /* in lem_mc so far */
};

/* A study ready for its sections, without touching the process or the disk. `options` is taken over. */
int lem_study_begin(lem_study *study, const lem_study_spec *spec, const lem_options *options);
void lem_study_end(lem_study *study);

/* results.json as one object. NULL after LEM_ERROR. */
json_t *lem_results_build(const lem_study *study);
json_t *lem_provenance(const lem_study *study);

/* The SHA-256, in hexadecimal digits (LEM_SHA256_TEXT of them), of what the sections have given: values,
 * claims, figures, notes, data sets. */
int lem_results_digest(const lem_study *study, char *text);
/* What the bits of results depend on besides the source: compiler, libraries, processor. */
void lem_machine_text(char *text, size_t size);

/* "lib/x.c" from what __FILE__ holds under any build folder. */
const char *lem_source_relative(const char *file);

/* NaN becomes null, an infinity the largest double of its sign (JSON has neither). */
json_t *lem_json_number(double x);

/* key: words of letters, digits and _, joined by dots and dashes. */
int lem_check_key(const char *what, const char *key);

double lem_seconds_since(const struct timespec *start);

/* progress.c */
void lem_progress_section(lem_study *study, const char *title);
void lem_progress_fraction(lem_study *study, double fraction);
void lem_progress_clear(const lem_study *study);

/* table.c: close all tables. */
int lem_tables_close(lem_study *study);

/* figure.c: draw all declared figures into waiting files. */
int lem_figures_draw(lem_study *study);
/* The child process that runs now, 0 for none: a signal handler ends it. */
extern volatile long lem_figure_child;
/* Run `gnuplot -d -e commands script`, without a shell and in a clean environment: what it writes to standard
 * output into *bytes (to be freed, also after an error; NULL: nothing) and *count. An error, or anything said
 * on standard error, is reported with `what` before it. */
int lem_gnuplot_draw(const char *what, const char *commands, const char *script, char **bytes, size_t *count);
/* "gnuplot 5.4 patchlevel 4", NULL when it is not installed. */
const char *lem_gnuplot_version(void);

/* record.c */
int lem_record_load(lem_study *study);
/* One test point for the comparison; returns whether the run agrees. */
bool lem_record_compare(const lem_study *study);

#endif
