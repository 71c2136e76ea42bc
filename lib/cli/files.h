/* Whole files in, whole files out. */
#ifndef LEM_CLI_FILES_H
#define LEM_CLI_FILES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The whole file, with a NUL behind it that is not counted; the caller frees it. NULL after LEM_ERROR. */
char *lem_read_file(const char *path, size_t *size);

/* Make the file hold exactly these bytes: through a temporary file beside it and a rename, or not at all when
 * it holds them already (*changed tells). The mode of an existing file is kept. */
int lem_write_file(const char *path, const char *bytes, size_t size, bool *changed);

int lem_copy_file(const char *from, const char *to, bool *changed);
/* mkdir -p. */
int lem_make_directory(const char *path);

/* The names in a directory that end in `suffix`, sorted; *names is an array of strings to free with
 * lem_free_names. */
int lem_list_directory(const char *path, const char *suffix, char ***names, size_t *n);
void lem_free_names(char **names, size_t n);

bool lem_is_directory(const char *path);
bool lem_is_file(const char *path);

/* printf into fresh memory; never NULL (out of memory ends the program: it owns no state worth saving). */
char *lem_text(const char *format, ...) LEM_PRINTF(1, 2);

#endif
