/* Where records and sources are. */
#ifndef LEM_CLI_PATHS_H
#define LEM_CLI_PATHS_H

/* The directory of the records, in fresh memory; NULL after LEM_ERROR naming the places looked at. */
char *lem_records_directory(const char *given);

/* The root of the source tree a page belongs to: the nearest directory above it that holds notebooks-md;
 * NULL: none. Fresh memory, an absolute path. */
char *lem_source_root(const char *page);

/* An absolute path without symbolic links; the last part need not exist. Fresh memory, or NULL. */
char *lem_absolute_path(const char *path);

#endif
