/* The formulas of all topics by name: what `lemmata eval` and the reference-value tests look things up in. */
#ifndef LEM_CLI_REGISTRY_H
#define LEM_CLI_REGISTRY_H

#include "base/formula.h"

/* All tables, ended by NULL; a new topic is one more line in registry.c. */
extern const lem_formula_table *const lem_formula_tables[];

/* The formula of that name, or NULL. */
const lem_formula *lem_formula_find(const char *name);
/* The topic (folder under lib/) of a formula of the registry. */
const char *lem_formula_topic(const lem_formula *formula);

size_t lem_formula_arg_count(const lem_formula *formula);
/* The argument of that name, or NULL. */
const lem_formula_arg *lem_formula_arg_find(const lem_formula *formula, const char *name);

/* Does the list "a|b|c" hold this word? Its index, or -1. */
int lem_word_index(const char *words, const char *word);

#endif
