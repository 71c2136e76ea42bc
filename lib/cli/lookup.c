#include "cli/registry.h"

#include <string.h>

const lem_formula *lem_formula_find(const char *name) {
    for (const lem_formula_table *const *table = lem_formula_tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            if (strcmp((*table)->formulas[i].name, name) == 0)
                return &(*table)->formulas[i];
    return NULL;
}

const char *lem_formula_topic(const lem_formula *formula) {
    for (const lem_formula_table *const *table = lem_formula_tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            if (&(*table)->formulas[i] == formula)
                return (*table)->topic;
    return "";
}

size_t lem_formula_arg_count(const lem_formula *formula) {
    size_t n = 0;
    while (n < LEM_FORMULA_MAX_ARGS && formula->args[n].name)
        n++;
    return n;
}

const lem_formula_arg *lem_formula_arg_find(const lem_formula *formula, const char *name) {
    size_t n = lem_formula_arg_count(formula);
    for (size_t i = 0; i < n; i++)
        if (strcmp(formula->args[i].name, name) == 0)
            return &formula->args[i];
    return NULL;
}

int lem_word_index(const char *words, const char *word) {
    size_t length = strlen(word);
    for (int index = 0;; index++) {
        size_t span = strcspn(words, "|");
        if (span == length && strncmp(words, word, span) == 0)
            return index;
        if (!words[span])
            return -1;
        words += span + 1;
    }
}
