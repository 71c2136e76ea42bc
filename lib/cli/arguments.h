/* From "n=64 eps=0.3" to the arguments of a formula. */
#ifndef LEM_CLI_ARGUMENTS_H
#define LEM_CLI_ARGUMENTS_H

#include "base/error.h"
#include "cli/registry.h"

typedef struct {
    const char *name, *text;
} lem_typed_arg;

/* values[i] belongs to formula->args[i]. Free with lem_formula_call_clear. */
typedef struct {
    lem_formula_value values[LEM_FORMULA_MAX_ARGS];
    double *lists[LEM_FORMULA_MAX_ARGS]; /* what values[i].reals points to */
} lem_formula_call;

/* Parse, fill in defaults, check which are required. GSL_EINVAL: an unknown, missing, repeated or malformed
 * argument; the sentence names it and what is allowed. Infinity passes only where the domain admits it; the
 * rest of the domain is the formula's own business. */
int lem_formula_parse(const lem_formula *formula, size_t n, const lem_typed_arg *typed,
                      lem_formula_call *call);
void lem_formula_call_clear(lem_formula_call *call);

/* "real", "integer", "true|false", the words, "list of reals". */
const char *lem_formula_arg_kind(const lem_formula_arg *arg);

/* Decimal text to the nearest double: digits, point, exponent, or [+-]inf; no hexadecimal, no NaN, nothing
 * that over- or underflows. GSL_EINVAL without a message. */
int lem_parse_real(const char *text, double *value);
/* A whole number |value| <= 2^53, also as 1e5 or 2.5e3, judged on the digits and not on their double. */
int lem_parse_integer(const char *text, long long *value);
/* The same for `length` characters of a longer text. */
int lem_parse_real_n(const char *text, size_t length, double *value);

/* Does the text of a domain admit +inf (sign > 0) or -inf? It does when it says so: "n >= 1 or inf",
 * "x in (0, inf]"; an open end, "(0, inf)", does not. */
int lem_domain_admits_infinity(const char *domain, int sign);

#endif
