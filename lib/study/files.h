/* Files that appear whole or not at all: written beside their place under a temporary name, renamed together
 * at the end of the run. An interrupt or an error removes what is not yet renamed, and the folders made for
 * it. One registry for the process; not thread-safe. */
#ifndef LEM_STUDY_FILES_H
#define LEM_STUDY_FILES_H

#include <stdio.h>

/* Make a folder and its parents; folders that were not there are remembered, and removed again by
 * lem_files_abort if nothing was put into them. */
int lem_files_make_folder(const char *path);

/* Open <path> for writing under its temporary name; temporary files of it that belong to no running process
 * are removed. NULL after LEM_ERROR. */
FILE *lem_files_open(const char *path);

/* Flush to the disk and close; every write error since the opening is reported here, naming path. */
int lem_files_close(FILE *file, const char *path);

/* Write all of a buffer to <path>: open, write, close. */
int lem_files_write(const char *path, const void *bytes, size_t count);

/* The temporary name under which <path> is waiting, NULL if it is not. */
const char *lem_files_pending(const char *path);

/* Remove <path> when the others are put into place (a figure that belongs to older data). */
int lem_files_retire(const char *path);

/* Rename all into place in the order they were opened, one process at a time in the folder of the last. From
 * its start an interrupt has to wait for its end.
 */
int lem_files_commit(void);

/* Remove all that is waiting. */
void lem_files_abort(void);

/* For a signal handler, in whatever thread it runs: remove all that is waiting, and keep lem_files_commit
 * from starting; unless it has started or ended, which the answer tells. Async-signal-safe. */
typedef enum { LEM_FILES_REMOVED, LEM_FILES_COMMITTING, LEM_FILES_COMMITTED } lem_files_state;
lem_files_state lem_files_interrupt(void);

/* The whole content of a file in malloc'ed memory, with a 0 byte behind it. NULL after LEM_ERROR. */
char *lem_files_read(const char *path, size_t *count);

#endif
