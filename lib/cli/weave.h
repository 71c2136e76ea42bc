/* Pages with live numbers: markdown whose markers are filled from the records. */
#ifndef LEM_CLI_WEAVE_H
#define LEM_CLI_WEAVE_H

#include "cli/page.h"
#include "cli/records.h"

#include <stdbool.h>

/* Weave one page and lint it. With `check` nothing is written, and each marker that is not current is a
 * fault, shown as "- old" and "+ new". A page with a malformed or unknown marker is not written at all.
 * *changed: the page was, or would be, rewritten. */
int lem_weave_page(const char *path, const lem_records *records, bool check, lem_faults *faults,
                   bool *changed);

/* Files and folders (all *.md within) to pages; frees with lem_free_names. */
int lem_weave_pages(int n, char *const *arguments, char ***pages, size_t *n_pages);

#endif
