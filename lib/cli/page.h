/* A markdown page cut into spans: what is prose, what is code, formula, marker, woven.
 *
 * A marker is `<!--name arguments-->` with no space after the dashes, and ends at `<!--/-->`; an ordinary
 * comment has a space. A block marker stands alone on its line, at its start, with blank lines around; an
 * inline one opens and closes within a line, never at its start (there it would begin an HTML block and stop
 * the markdown), never in a formula or code span, never within another. Fenced code is left alone, so that a
 * page can show markers. */
#ifndef LEM_CLI_PAGE_H
#define LEM_CLI_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum {
    LEM_PROSE,
    LEM_HEADING,
    LEM_CODE,    /* fenced or between backticks */
    LEM_FORMULA, /* $..$ or $$..$$ */
    LEM_MARKER,  /* the markers themselves and ordinary comments */
    LEM_WOVEN,   /* between markers */
    LEM_TYPED    /* between <!--typed--> and <!--/-->: typed on purpose */
} lem_span;

/* The kinds of marker and whether they are blocks. Beside them stands `typed`, which may be either. */
#define LEM_MARKERS(X)                                                                                       \
    X(value, false)     /* key [format]: a value of a record */                                              \
    X(claim, false)     /* id [field] */                                                                     \
    X(verdicts, false)  /* [study]: counts */                                                                \
    X(benchmark, false) /* name [field] */                                                                   \
    X(claims, true)     /* [study]: table of its claims */                                                   \
    X(figure, true)     /* name */                                                                           \
    X(code, true)       /* path [function] */                                                                \
    X(studies, true)    /* table of all studies */                                                           \
    X(ledger, true)     /* all claims, totals on top */

/* text[open, inner) is the opening marker, text[inner, close) what is woven, text[close, end) `<!--/-->`. */
typedef struct {
    bool block;
    char *name, *arguments;
    size_t open, inner, close, end, line;
} lem_marker;

typedef struct {
    const char *path; /* for messages; not owned */
    const char *text; /* not owned */
    size_t size;
    unsigned char *spans; /* a lem_span for each byte */
    size_t *line_ends;    /* where the newlines are */
    size_t n_lines;       /* how many of them */
    lem_marker *markers;
    size_t n_markers;
} lem_page;

/* Collected complaints: "path:line: sentence". */
typedef struct {
    FILE *out;
    size_t count;
} lem_faults;
void lem_fault(lem_faults *faults, const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Cut the page up; what is wrong goes to faults, and the malformed marker is left out. */
void lem_page_scan(lem_page *page, const char *path, const char *text, size_t size, lem_faults *faults);
void lem_page_free(lem_page *page);

size_t lem_page_line(const lem_page *page, size_t at);

#endif
