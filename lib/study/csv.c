#include "study/csv.h"
#include "study/files.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_FIELDS = 1024, MOST_SHOWN = 40 };

/* --- one line of fields ---------------------------------------------------------------------------- */

/* The text is cut up in place; fields point into it. */
typedef struct {
    const char *path;
    char *at, *end;
    size_t line;     /* of `at`, from 1 */
    char separator;  /* 0: not known yet */
    size_t n_fields; /* of the row read last */
    size_t row_line; /* where it began */
    char *fields[MOST_FIELDS];
} reader;

static int refuse(const reader *r, size_t line, const char *what) {
    return LEM_ERROR(GSL_EINVAL, "%s, line %zu: %s", r->path, line, what);
}

static void skip_line(reader *r) {
    char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = newline ? newline + 1 : r->end;
    r->line++;
}

/* To the next line that is neither blank nor a comment; false at the end of the file. */
static bool find_row(reader *r) {
    while (r->at < r->end) {
        const char *p = r->at;
        while (p < r->end && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (p < r->end && *p != '\n' && *p != '#')
            return true;
        skip_line(r);
    }
    return false;
}

/* The first of these that the line holds outside quotes. */
static char separator_of(const reader *r) {
    static const char candidates[] = {',', ';', '\t'};
    for (size_t k = 0; k < sizeof candidates; k++) {
        bool quoted = false;
        for (const char *p = r->at; p < r->end && (quoted || *p != '\n'); p++) {
            quoted = quoted != (*p == '"');
            if (!quoted && *p == candidates[k])
                return *p;
        }
    }
    return ',';
}

static char *trim(char *from, char *to) {
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    *to = '\0';
    return from;
}

/* A field in quotes, from behind the first one: what it holds is moved together. At the end r->at stands
 * behind the last quote. */
static int read_quoted(reader *r, char **field) {
    char *out = r->at;
    *field = out;
    for (; r->at < r->end; r->at++) {
        if (*r->at == '"' && r->at + 1 < r->end && r->at[1] == '"')
            r->at++;
        else if (*r->at == '"')
            break;
        r->line += *r->at == '\n';
        *out++ = *r->at;
    }
    if (r->at == r->end)
        return refuse(r, r->row_line, "a quoted field does not end");
    r->at++;
    *field = trim(*field, out);
    return GSL_SUCCESS;
}

/* One field; *last: it ends the row. */
static int read_field(reader *r, char **field, bool *last) {
    char *from = r->at, *p = from;
    while (p < r->end && *p == ' ')
        p++;
    const bool quoted = p < r->end && *p == '"';
    if (quoted) {
        r->at = p + 1;
        const int status = read_quoted(r, field);
        if (status)
            return status;
        from = r->at;
    }
    for (p = from; p < r->end && *p != r->separator && *p != '\n';)
        p++;
    *last = p == r->end || *p == '\n';
    char *after = trim(from, p); /* writes a 0 over the separator or the line's end */
    if (quoted && *after)
        return refuse(r, r->row_line, "something follows the quote that ends a field");
    if (!quoted)
        *field = after;
    r->line += p < r->end && *last;
    r->at = p < r->end ? p + 1 : r->end;
    return GSL_SUCCESS;
}

static int read_row(reader *r) {
    bool last = false;
    r->row_line = r->line;
    r->n_fields = 0;
    while (!last) {
        if (r->n_fields == MOST_FIELDS)
            return LEM_ERROR(GSL_EINVAL, "%s, line %zu: more than %d fields", r->path, r->row_line,
                             MOST_FIELDS);
        const int status = read_field(r, &r->fields[r->n_fields++], &last);
        if (status)
            return status;
    }
    return GSL_SUCCESS;
}

/* --- numbers and headers --------------------------------------------------------------------------- */

/* Decimal notation and nothing else; finite. */
static bool parse_number(const char *text, double *value) {
    if (!*text || text[strspn(text, "+-.0123456789eE")])
        return false;
    char *end;
    *value = strtod(text, &end);
    return !*end && isfinite(*value);
}

static bool is_header(const reader *r) {
    double ignored;
    for (size_t i = 0; i < r->n_fields; i++)
        if (!parse_number(r->fields[i], &ignored))
            return true;
    return false;
}

/* Is the field one of the alternatives? */
static bool matches(const char *field, const char *alternatives) {
    for (const char *p = alternatives;;) {
        const size_t length = strcspn(p, "|");
        if (strlen(field) == length && strncasecmp(field, p, length) == 0)
            return true;
        if (!p[length])
            return false;
        p += length + 1;
    }
}

static void list_fields(const reader *r, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < r->n_fields && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", i ? ", " : "", MOST_SHOWN, r->fields[i]);
}

/* The place of a column in the rows, from 0; n_fields when it is not there. */
static int find_column(const reader *r, bool header, const lem_csv_column *column, size_t *place) {
    char *end, names[400];
    size_t found = 0;
    *place = r->n_fields;
    for (size_t i = 0; header && i < r->n_fields; i++)
        if (matches(r->fields[i], column->header)) {
            *place = found++ ? *place : i;
        }
    if (found == 1)
        return GSL_SUCCESS;
    if (found > 1)
        return LEM_ERROR(GSL_ETABLE, "%s: %zu columns are called %s; give the number of one", r->path, found,
                         column->header);
    const unsigned long number =
        isdigit((unsigned char)column->header[0]) ? strtoul(column->header, &end, 10) : 0;
    if (number >= 1 && number <= r->n_fields && !*end) {
        *place = number - 1;
        return GSL_SUCCESS;
    }
    if (column->optional)
        return GSL_SUCCESS;
    list_fields(r, names, sizeof names);
    if (!header)
        return LEM_ERROR(GSL_ETABLE,
                         "%s: has no header and %zu columns: column %s must be given by its number", r->path,
                         r->n_fields, column->name);
    return LEM_ERROR(GSL_ETABLE, "%s: no column for %s (%s); there are: %s", r->path, column->name,
                     column->header, names);
}

/* What the file calls the column; the row read last is the first one. */
static int take_header(const reader *r, bool header, size_t place, char **name) {
    char number[40];
    (void)snprintf(number, sizeof number, "column %zu", place + 1);
    *name = strdup(header ? r->fields[place] : number);
    return *name ? GSL_SUCCESS : LEM_ERROR(GSL_ENOMEM, "no memory for a header");
}

/* --- the whole file -------------------------------------------------------------------------------- */

static int take_value(const reader *r, const lem_csv_column *column, const char *field, double *value) {
    if (!*field)
        return LEM_ERROR(GSL_EINVAL, "%s, line %zu: %s is empty", r->path, r->row_line, column->name);
    if (!parse_number(field, value))
        return LEM_ERROR(GSL_EINVAL, "%s, line %zu: %s = '%.*s': must be a finite number", r->path,
                         r->row_line, column->name, MOST_SHOWN, field);
    if (column->positive && !(*value > 0))
        return LEM_ERROR(GSL_EINVAL, "%s, line %zu: %s = %.*s: must be positive", r->path, r->row_line,
                         column->name, MOST_SHOWN, field);
    return GSL_SUCCESS;
}

static int grow(lem_csv *csv, size_t *room) {
    const size_t wanted = *room ? 2 * *room : 256;
    size_t *lines = realloc(csv->lines, wanted * sizeof *lines);
    if (!lines)
        return LEM_ERROR(GSL_ENOMEM, "no memory for %zu rows", wanted);
    csv->lines = lines;
    for (size_t k = 0; k < csv->n_columns; k++) {
        double *column = realloc(csv->columns[k], wanted * sizeof *column);
        if (!column)
            return LEM_ERROR(GSL_ENOMEM, "no memory for %zu rows", wanted);
        csv->columns[k] = column;
    }
    *room = wanted;
    return GSL_SUCCESS;
}

/* The row that was read last becomes a row of values. */
static int take_row(const reader *r, size_t n, const lem_csv_column *columns, const size_t *places,
                    lem_csv *csv, size_t *room) {
    int status = csv->rows == *room ? grow(csv, room) : GSL_SUCCESS;
    for (size_t k = 0; k < n && !status; k++)
        if (places[k] < r->n_fields)
            status = take_value(r, &columns[k], r->fields[places[k]], &csv->columns[k][csv->rows]);
    if (!status)
        csv->lines[csv->rows++] = r->row_line;
    return status;
}

static int read_rows(reader *r, size_t n, const lem_csv_column *columns, size_t *places, lem_csv *csv) {
    size_t room = 0;
    if (!find_row(r))
        return LEM_ERROR(GSL_EINVAL, "%s: holds no row", r->path);
    r->separator = separator_of(r);
    int status = read_row(r);
    const bool header = !status && is_header(r);
    const size_t n_fields = r->n_fields;
    for (size_t k = 0; k < n && !status; k++) {
        status = find_column(r, header, &columns[k], &places[k]);
        if (!status && places[k] < n_fields)
            status = take_header(r, header, places[k], &csv->headers[k]);
    }
    if (!status && !header)
        status = take_row(r, n, columns, places, csv, &room);
    while (!status && find_row(r)) {
        status = read_row(r);
        if (!status && r->n_fields != n_fields)
            status = LEM_ERROR(GSL_EINVAL, "%s, line %zu: %zu fields: must be %zu, as in the first line",
                               r->path, r->row_line, r->n_fields, n_fields);
        if (!status)
            status = take_row(r, n, columns, places, csv, &room);
    }
    if (!status && csv->rows == 0)
        status = LEM_ERROR(GSL_EINVAL, "%s: holds no row below its header", r->path);
    for (size_t k = 0; k < n && !status; k++)
        if (places[k] >= n_fields) {
            free(csv->columns[k]);
            csv->columns[k] = NULL;
        }
    return status;
}

static int parse(const char *path, char *text, size_t size, size_t n, const lem_csv_column *columns,
                 lem_csv *csv) {
    static const char mark[] = "\xef\xbb\xbf";
    reader r = {.path = path, .at = text, .end = text + size, .line = 1};
    if (size >= 3 && memcmp(text, mark, 3) == 0)
        r.at += 3;
    if (memchr(text, '\0', size))
        return LEM_ERROR(GSL_EINVAL, "%s: holds a byte 0: this is no text", path);
    size_t *places = calloc(n + 1, sizeof *places);
    csv->columns = calloc(n + 1, sizeof *csv->columns);
    csv->headers = calloc(n + 1, sizeof *csv->headers);
    csv->n_columns = n;
    const int status = places && csv->columns && csv->headers
                           ? read_rows(&r, n, columns, places, csv)
                           : LEM_ERROR(GSL_ENOMEM, "no memory for %zu columns", n);
    free(places);
    return status;
}

int lem_csv_read(const char *path, size_t n_columns, const lem_csv_column *columns, lem_csv *csv) {
    size_t size = 0;
    *csv = (lem_csv){0};
    char *text = lem_files_read(path, &size);
    if (!text)
        return GSL_EFAILED;
    const int status = parse(path, text, size, n_columns, columns, csv);
    free(text);
    if (status)
        lem_csv_free(csv);
    return status;
}

void lem_csv_free(lem_csv *csv) {
    for (size_t k = 0; csv->columns && k < csv->n_columns; k++)
        free(csv->columns[k]);
    for (size_t k = 0; csv->headers && k < csv->n_columns; k++)
        free(csv->headers[k]);
    free(csv->columns);
    free(csv->headers);
    free(csv->lines);
    *csv = (lem_csv){0};
}
