/* A function's source, as a fenced block. */
#ifndef LEM_CLI_SOURCE_CODE_H
#define LEM_CLI_SOURCE_CODE_H

#include <stdio.h>

/* The definition of `function` in root/path ("": the whole file), from its first line to the brace in the
 * first column that ends it. GSL_EINVAL when the path leaves the root, or holds no such definition. */
int lem_write_code(FILE *out, const char *root, const char *path, const char *function);

#endif
