/* Columns of numbers from a text file of separated values, as people write them. */
#ifndef LEM_STUDY_CSV_H
#define LEM_STUDY_CSV_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A column to read. header: what may stand in the header line, alternatives separated by |, compared without
 * regard to case and to blanks around; or the number of the column, from 1. */
typedef struct {
    const char *name; /* what messages call it */
    const char *header;
    bool optional; /* may be missing from the file */
    bool positive; /* a value that is not positive is refused */
} lem_csv_column;

/* columns[k] belongs to the k-th column asked for: its `rows` values; NULL when it is missing and optional.
 */
typedef struct {
    size_t rows, n_columns;
    double **columns;
    char **headers; /* what the file calls them; "column 3" where it has no header; NULL as in columns */
    size_t *lines;  /* on which line of the file each row begins, from 1 */
} lem_csv;

/* Read the whole file; lem_csv_free releases it.
 *
 * Fields are separated by commas; by semicolons or tabs when the first line has none, but these. Blanks
 * around a field do not count. A field in double quotes may hold separators and line ends, and a quote that
 * is doubled. Lines end with LF or CRLF; blank lines, lines that begin with #, and a byte-order mark are
 * passed over. The first line names the columns, unless all its fields are numbers: then there is no header,
 * and columns go by number. All rows have as many fields as the first line. Only the columns asked for need
 * to be numbers, in decimal notation, finite.
 *
 * On error *csv is empty, and the sentence names the file and, where there is one, the line: GSL_EFAILED the
 * file cannot be read; GSL_EINVAL something in it; GSL_ETABLE a column is not there (the sentence lists those
 * that are); GSL_ENOMEM.
 */
int lem_csv_read(const char *path, size_t n_columns, const lem_csv_column *columns, lem_csv *csv);
void lem_csv_free(lem_csv *csv);

#endif
