/* "did you mean": names that a mistyped one may stand for. */
#ifndef LEM_CLI_NEAR_H
#define LEM_CLI_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/* Optimal string alignment distance, letter case aside: insertions, deletions, substitutions, swaps of
 * neighbours. Strings longer than 127 characters are cut. */
size_t lem_edit_distance(const char *a, const char *b);

/* Close enough to suggest: a third of the letters may be wrong, or one name is a part of the other. */
bool lem_is_near(const char *typed, const char *name);

#endif
