/* lemmata fit: scaling laws fitted to a user's own table. What the models share. */
#ifndef LEM_CLI_FIT_H
#define LEM_CLI_FIT_H

#include "cli/cli.h"
#include "study/csv.h"

#include <jansson.h>
#include <stdint.h>

typedef struct {
    const char *path;
    const char *columns;  /* "N=params,loss=final", or NULL */
    const char *figure;   /* NULL: none */
    double delta, budget; /* budget 0: not given */
    size_t drop, resamples;
    uint64_t seed;
    int threads;
    bool as_json, relative;
} lem_fit_options;

/* Both return an exit status. */
int lem_fit_chinchilla(lem_cli *cli, const lem_fit_options *options);
int lem_fit_power(lem_cli *cli, const lem_fit_options *options);

/* --- columns */

/* Put the headers of "key=header,..." into the columns of that name; seen[k] tells which. GSL_EINVAL for a
 * key that is none, one given twice, or a word without an equals sign. The text is copied into *copy, to be
 * freed. */
int lem_fit_name_columns(const char *text, size_t n, lem_csv_column *columns, bool *seen, char **copy);

/* lem_csv_read of the options' file; where a column is not there, the sentence also has `example`. */
int lem_fit_read_csv(const lem_fit_options *options, size_t n, const lem_csv_column *columns,
                     const char *example, lem_csv *csv);
/* "columns: N = params, loss = final", the ones that are used; and the same for JSON. */
void lem_fit_print_columns(FILE *out, size_t n, const char *const *names, char *const *headers);
json_t *lem_fit_columns_json(size_t n, const char *const *names, char *const *headers);

/* --- what is said on stderr, beside the answer */

void lem_fit_note(const char *format, ...) LEM_PRINTF(1, 2); /* "lemmata: note: ..." */
/* How a long computation goes on; only where stderr is a terminal. */
void lem_fit_progress(const char *format, ...) LEM_PRINTF(1, 2);
double lem_fit_seconds(void); /* a clock that does not jump */

/* --- estimates with their errors */

typedef struct {
    double value, error, low, high; /* NaN where there is none */
} lem_fit_estimate;

enum { LEM_FIT_FEWEST = 39 }; /* resamples for a 95% percentile interval */

/* Standard error and percentile interval from replicates, which are sorted in place; NaN among them are left
 * out. Fewer than LEM_FIT_FEWEST of them: neither. */
lem_fit_estimate lem_fit_estimate_of(double value, size_t n, double *replicates);
void lem_fit_print_head(FILE *out, const char *interval);
void lem_fit_print(FILE *out, const char *name, const lem_fit_estimate *estimate, const char *remark);
json_t *lem_fit_json(const lem_fit_estimate *estimate);

int lem_fit_print_json(lem_cli *cli, json_t *object); /* takes it over; an exit status */

/* --- figure */

/* Run gnuplot on `script`, which draws on the terminal that is set before it, and put the picture into
 * `path`, SVG or PNG by its ending. */
int lem_fit_draw(const char *path, const char *script);
/* Before a long computation: is the ending one of these, and gnuplot there? */
int lem_fit_check_figure(const char *path);
/* ... and is its folder one that can be written to? */
int lem_fit_check_folder(const char *path);
/* The name of the file without its folder, safe within a gnuplot string in single quotes. Static memory. */
const char *lem_fit_title(const char *path);

#endif
