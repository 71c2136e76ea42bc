/* The registry entry of a library formula: what `lemmata eval`, the reference-value tests and the
 * documentation share.
 *
 * A topic declares one table, `extern const lem_formula_table lem_<topic>_formulas`, and lib/cli/registry.c
 * lists the tables. The C function behind an entry is called lem_<name>. */
#ifndef LEM_BASE_FORMULA_H
#define LEM_BASE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

enum { LEM_FORMULA_MAX_ARGS = 10, LEM_FORMULA_MAX_RESULTS = 64 };

typedef enum {
    LEM_ARG_REAL,    /* a double; "inf" and "-inf" where the domain says so */
    LEM_ARG_INTEGER, /* a whole number, |value| <= 2^53 */
    LEM_ARG_BOOL,    /* true|false */
    LEM_ARG_WORD,    /* one of `words` */
    LEM_ARG_REALS    /* a list of reals, separated by commas */
} lem_arg_type;

typedef struct {
    const char *name;
    lem_arg_type type;
    const char *domain;   /* in words and signs, "n >= 1"; printed by help and error messages */
    const char *words;    /* LEM_ARG_WORD: the allowed words, "upper|lower" */
    const char *fallback; /* the default, in the form it would be typed; NULL: required */
    const char *when; /* required only when another word argument has this value: "kind=sparse"; else NULL */
} lem_formula_arg;

/* One parsed argument. `given` is false when the argument was left out and has no default (see `when`). */
typedef struct {
    bool given;
    double real;       /* REAL, and INTEGER as a double */
    long long integer; /* INTEGER */
    bool boolean;      /* BOOL */
    int word;          /* WORD: its index in `words` */
    const double *reals;
    size_t count; /* REALS */
} lem_formula_value;

/* Evaluates with args[] in the order of the entry; writes at most LEM_FORMULA_MAX_RESULTS results and their
 * count. Returns a GSL status; the sentence of a failure is in lem_last_error(). */
typedef int (*lem_formula_eval)(const lem_formula_value *args, double *results, size_t *count);

typedef struct {
    const char *name;   /* as typed: "jl_norm_tail" */
    const char *doc;    /* one line: what it computes, with the formula */
    const char *source; /* paper and equation */
    const char *claims; /* ids of the claims that rest on it, separated by spaces; may be "" */
    double accuracy;    /* bound on the relative error of each result where the problem is well conditioned */
    const char *accuracy_reason;
    lem_formula_eval eval;
    lem_formula_arg args[LEM_FORMULA_MAX_ARGS]; /* ends at the first with name == NULL */
} lem_formula;

typedef struct {
    const char *topic; /* the folder under lib/ */
    const lem_formula *formulas;
    size_t count;
} lem_formula_table;

/* The accuracy that closed forms state: 64 machine epsilons. */
#define LEM_ACCURACY_CLOSED (64 * 2.220446049250313e-16)

#endif
