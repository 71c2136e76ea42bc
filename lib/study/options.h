/* The command line of every study. */
#ifndef LEM_STUDY_OPTIONS_H
#define LEM_STUDY_OPTIONS_H

#include "study/study.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* letter-less options: name, placeholder of the value (NULL: none), help. Parser and --help read this list.
 */
#define LEM_STUDY_OPTIONS(X)                                                                                 \
    X(OUT, "out", "DIR", "write results.json, data/ and figures/ there (default: ./<study>)")                \
    X(SEED, "seed", "N|random", "seed of all random streams, 0 <= N < 2^63 (default: 1)")                    \
    X(SCALE, "scale", "X", "multiply the sample sizes, never below a claim's floor (default: 1)")            \
    X(THREADS, "threads", "N",                                                                               \
      "worker threads; changes no value (default: all cores, shared "                                        \
      "out to the ranks on this machine under mpirun)")                                                      \
    X(RECORD, "record", "FILE", "compare the results with a recorded results.json")                          \
    X(ONLY, "only", "SECTION", "run one section (see --list)")                                               \
    X(DATA, "data", "DIR", "folder of the real data set, instead of where its package puts it")              \
    X(SCRIPTS, "scripts", "DIR", "folder of the figures' .gp files, instead of the study's source folder")   \
    X(CHECK, "check", NULL, "exit 1 if a claim fails")                                                       \
    X(NO_FIGURES, "no-figures", NULL, "do not draw the figures")                                             \
    X(QUIET, "quiet", NULL, "no progress on stderr")                                                         \
    X(LIST, "list", NULL, "list the sections and exit")                                                      \
    X(HELP, "help", NULL, "show this help and exit")                                                         \
    X(VERSION, "version", NULL, "show the version and exit")

typedef enum { LEM_SEED_DEFAULT, LEM_SEED_GIVEN, LEM_SEED_RANDOM } lem_seed_kind;

typedef struct {
    char *out;
    const char *record, *only, *data, *scripts;
    uint64_t seed;
    lem_seed_kind seed_kind;
    double scale;
    int threads; /* 0: as many as lem_ranks_threads() says */
    bool check, no_figures, quiet, list, help, version;
} lem_options;

/* GSL_EINVAL with the sentence in lem_last_error() for a bad command line. */
int lem_options_parse(const lem_study_spec *spec, int argc, char **argv, lem_options *options);
void lem_options_free(lem_options *options);
void lem_options_help(const lem_study_spec *spec, FILE *out);
void lem_options_list(const lem_study_spec *spec, FILE *out);

#endif
