/* What stands between markers, made from the records. */
#ifndef LEM_CLI_RENDER_H
#define LEM_CLI_RENDER_H

#include "cli/page.h"
#include "cli/records.h"

typedef struct {
    const lem_records *records;
    const char *study;        /* the page's own study, or NULL */
    const char *source_root;  /* of `code` markers; NULL: there is none */
    const char *to_notebooks; /* from the page's folder to notebooks-md: "", "../" or "notebooks-md/" */
} lem_render_context;

/* Write what belongs between this marker's ends. GSL_EINVAL when it cannot be: an unknown key, study, figure,
 * function, format; lem_last_error() says which, and what is known. */
int lem_render(const lem_render_context *context, const lem_marker *marker, FILE *out);

/* A marker's kinds, for messages: "value claim ...". */
const char *lem_marker_names(void);

/* Markdown that shows this text as it is: what would be markup is escaped. */
void lem_write_plain(FILE *out, const char *text);

/* The number of a claim as pages and `show` print it: with its standard error's digits, else 6. */
void lem_write_number(FILE *out, double value, double stderr_);
void lem_write_statistic(FILE *out, double statistic);

#endif
