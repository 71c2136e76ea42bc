/* A formula in words, for people and as JSON. */
#ifndef LEM_CLI_DESCRIBE_H
#define LEM_CLI_DESCRIBE_H

#include "cli/registry.h"

#include <jansson.h>
#include <stdio.h>

void lem_describe_formula(FILE *out, const lem_formula *formula);
/* "jl_norm_tail(n, eps, side=upper)" */
void lem_formula_signature(FILE *out, const lem_formula *formula);
/* {name, topic, doc, source, accuracy, accuracy_reason, claims, args}; the caller owns it. */
json_t *lem_formula_json(const lem_formula *formula);

#endif
