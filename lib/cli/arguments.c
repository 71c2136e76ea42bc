#include "cli/arguments.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers ------------------------------------------------------------------------------------------ */

/* The parts of [+-]digits[.digits][e[+-]digits]. */
typedef struct {
    bool negative;
    const char *digits; /* digits and at most one point */
    size_t span;
    long exponent, fraction; /* digits after the point */
} decimal;

static size_t skip_digits(const char *text) {
    return strspn(text, "0123456789");
}

static bool split_decimal(const char *text, decimal *d) {
    *d = (decimal){.negative = *text == '-'};
    text += *text == '-' || *text == '+';
    d->digits = text;
    size_t whole = skip_digits(text), fraction = 0;
    text += whole;
    if (*text == '.') {
        fraction = skip_digits(text + 1);
        text += 1 + fraction;
    }
    if (whole + fraction == 0)
        return false;
    d->span = (size_t)(text - d->digits);
    d->fraction = (long)fraction;
    if (*text == 'e' || *text == 'E') {
        const char *exponent = ++text;
        text += *text == '-' || *text == '+';
        size_t n = skip_digits(text);
        if (n == 0 || n > 9)
            return false;
        d->exponent = strtol(exponent, NULL, 10);
        text += n;
    }
    return *text == '\0';
}

int lem_parse_real(const char *text, double *value) {
    const char *unsigned_text = text + (*text == '-' || *text == '+');
    if (strcmp(unsigned_text, "inf") == 0) {
        *value = *text == '-' ? -INFINITY : INFINITY;
        return GSL_SUCCESS;
    }
    decimal d;
    if (!split_decimal(text, &d))
        return GSL_EINVAL;
    *value = strtod(text, NULL);
    bool is_zero = strspn(d.digits, "0.") >= d.span;
    return isfinite(*value) && (*value != 0 || is_zero) ? GSL_SUCCESS : GSL_EINVAL;
}

int lem_parse_real_n(const char *text, size_t length, double *value) {
    char copy[512];
    if (length >= sizeof copy)
        return GSL_EINVAL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return lem_parse_real(copy, value);
}

int lem_parse_integer(const char *text, long long *value) {
    const long long limit = 1LL << 53;
    decimal d;
    if (!split_decimal(text, &d))
        return GSL_EINVAL;
    long shift = d.exponent - d.fraction; /* the number is the digits without the point, times 10^shift */
    size_t end = d.span;
    while (end > 0 && (d.digits[end - 1] == '0' || d.digits[end - 1] == '.'))
        shift += d.digits[--end] == '0';
    long long n = 0;
    for (size_t i = 0; i < end; i++) {
        if (d.digits[i] == '.')
            continue;
        n = 10 * n + (d.digits[i] - '0');
        if (n > limit)
            return GSL_EINVAL;
    }
    if (n > 0 && shift < 0)
        return GSL_EINVAL;
    for (long i = 0; n > 0 && i < shift; i++) {
        n *= 10;
        if (n > limit)
            return GSL_EINVAL;
    }
    *value = d.negative ? -n : n;
    return GSL_SUCCESS;
}

int lem_domain_admits_infinity(const char *domain, int sign) {
    for (const char *at = strstr(domain, "inf"); at; at = strstr(at + 3, "inf")) {
        bool inside_word = (at > domain && isalnum((unsigned char)at[-1])) || isalnum((unsigned char)at[3]);
        bool negative = at > domain && at[-1] == '-';
        bool open_end =
            at[3] == ')' || (at > domain && at[-1] == '(') || (negative && at - 1 > domain && at[-2] == '(');
        if (!inside_word && !open_end && negative == (sign < 0))
            return 1;
    }
    return 0;
}

/* --- one argument ------------------------------------------------------------------------------------- */

const char *lem_formula_arg_kind(const lem_formula_arg *arg) {
    switch (arg->type) {
    case LEM_ARG_REAL:
        return "real";
    case LEM_ARG_INTEGER:
        return "integer";
    case LEM_ARG_BOOL:
        return "true|false";
    case LEM_ARG_WORD:
        return arg->words;
    case LEM_ARG_REALS:
        return "list of reals, separated by commas";
    }
    return "?";
}

static const char *domain_of(const lem_formula_arg *arg) {
    const char *domain = arg->domain ? arg->domain : "";
    bool said_by_kind = arg->type == LEM_ARG_WORD && strcmp(domain, arg->words) == 0;
    return said_by_kind ? "" : domain;
}

static int refuse(const lem_formula_arg *arg, const char *text, const char *why) {
    const char *domain = domain_of(arg);
    return LEM_ERROR(GSL_EINVAL, "%s = %s: %s%s%s", arg->name, *text ? text : "(empty)", why,
                     *domain ? "; allowed: " : "", domain);
}

static int check_infinity(const lem_formula_arg *arg, const char *text, double value) {
    if (!isinf(value) || lem_domain_admits_infinity(domain_of(arg), value > 0 ? 1 : -1))
        return GSL_SUCCESS;
    return refuse(arg, text, "must be finite");
}

static int parse_list(const lem_formula_arg *arg, const char *text, lem_formula_value *value, double **list) {
    size_t capacity = 1;
    for (const char *c = text; *c; c++)
        capacity += *c == ',';
    *list = malloc(capacity * sizeof **list);
    if (!*list)
        return LEM_ERROR(GSL_ENOMEM, "%s: no memory for %zu numbers", arg->name, capacity);
    size_t count = 0;
    for (const char *item = text;; item++) {
        size_t length = strcspn(item, ",");
        double x;
        if (lem_parse_real_n(item, length, &x))
            return refuse(arg, text, "must be reals separated by commas");
        int status = check_infinity(arg, text, x);
        if (status)
            return status;
        (*list)[count++] = x;
        item += length;
        if (!*item)
            break;
    }
    value->reals = *list;
    value->count = count;
    return GSL_SUCCESS;
}

static int parse_value(const lem_formula_arg *arg, const char *text, lem_formula_value *value,
                       double **list) {
    char why[256];
    value->given = true;
    switch (arg->type) {
    case LEM_ARG_REAL:
        if (lem_parse_real(text, &value->real))
            return refuse(arg, text, "must be a real number in the range of a double");
        return check_infinity(arg, text, value->real);
    case LEM_ARG_INTEGER:
        if (lem_parse_integer(text, &value->integer))
            return refuse(arg, text, "must be a whole number, at most 2^53 in size");
        value->real = (double)value->integer;
        return GSL_SUCCESS;
    case LEM_ARG_BOOL:
        value->boolean = strcmp(text, "true") == 0;
        if (!value->boolean && strcmp(text, "false") != 0)
            return refuse(arg, text, "must be true or false");
        return GSL_SUCCESS;
    case LEM_ARG_WORD:
        value->word = lem_word_index(arg->words, text);
        if (value->word >= 0)
            return GSL_SUCCESS;
        (void)snprintf(why, sizeof why, "must be one of %s", arg->words);
        return refuse(arg, text, why);
    case LEM_ARG_REALS:
        return parse_list(arg, text, value, list);
    }
    return LEM_ERROR(GSL_EINVAL, "%s: unknown kind of argument", arg->name);
}

/* A quoted value that reached us with its quotes, as in a file of commands. */
static int parse_typed(const lem_formula_arg *arg, const char *text, lem_formula_value *value,
                       double **list) {
    size_t length = strlen(text);
    bool quoted = length >= 2 && (*text == '\'' || *text == '"') && text[length - 1] == *text;
    if (!quoted)
        return parse_value(arg, text, value, list);
    char *bare = strndup(text + 1, length - 2);
    if (!bare)
        return LEM_ERROR(GSL_ENOMEM, "%s: no memory", arg->name);
    int status = parse_value(arg, bare, value, list);
    free(bare);
    return status;
}

/* --- all of them -------------------------------------------------------------------------------------- */

static void list_names(const lem_formula *formula, char *text, size_t size) {
    size_t used = 0, n = lem_formula_arg_count(formula);
    text[0] = '\0';
    for (size_t i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", formula->args[i].name);
}

static int parse_given(const lem_formula *formula, size_t n, const lem_typed_arg *typed,
                       lem_formula_call *call) {
    char names[256];
    for (size_t i = 0; i < n; i++) {
        const lem_formula_arg *arg = lem_formula_arg_find(formula, typed[i].name);
        if (!arg) {
            list_names(formula, names, sizeof names);
            return LEM_ERROR(GSL_EINVAL, "%s has no argument %s; allowed: %s", formula->name, typed[i].name,
                             names);
        }
        size_t k = (size_t)(arg - formula->args);
        if (call->values[k].given)
            return LEM_ERROR(GSL_EINVAL, "%s is given twice", arg->name);
        int status = parse_typed(arg, typed[i].text, &call->values[k], &call->lists[k]);
        if (status)
            return status;
    }
    return GSL_SUCCESS;
}

/* Is the condition "kind=sparse" (or "kind=sparse|rademacher") met by the values so far? The argument it
 * names may stand anywhere, so conditions are looked at after the defaults without one are in. */
static bool condition_met(const lem_formula *formula, const char *when, const lem_formula_call *call) {
    char name[64];
    size_t length = strcspn(when, "=");
    if (!when[length] || length >= sizeof name)
        return false;
    memcpy(name, when, length);
    name[length] = '\0';
    const lem_formula_arg *other = lem_formula_arg_find(formula, name);
    if (!other || other->type != LEM_ARG_WORD)
        return false;
    const lem_formula_value *value = &call->values[other - formula->args];
    if (!value->given)
        return false;
    for (const char *word = when + length + 1;;) {
        char copy[64];
        size_t span = strcspn(word, "|");
        if (span < sizeof copy) {
            memcpy(copy, word, span);
            copy[span] = '\0';
            if (lem_word_index(other->words, copy) == value->word)
                return true;
        }
        if (!word[span])
            return false;
        word += span + 1;
    }
}

static int complete(const lem_formula *formula, size_t k, lem_formula_call *call) {
    const lem_formula_arg *arg = &formula->args[k];
    lem_formula_value *value = &call->values[k];
    bool wanted = !arg->when || condition_met(formula, arg->when, call);
    if (value->given && !wanted)
        return LEM_ERROR(GSL_EINVAL, "%s is read only with %s; leave it out", arg->name, arg->when);
    if (value->given || !wanted)
        return GSL_SUCCESS;
    if (arg->fallback)
        return parse_value(arg, arg->fallback, value, &call->lists[k]);
    const char *domain = domain_of(arg);
    return LEM_ERROR(GSL_EINVAL, "%s is missing%s%s: %s%s%s", arg->name, arg->when ? ", needed with " : "",
                     arg->when ? arg->when : "", lem_formula_arg_kind(arg), *domain ? ", " : "", domain);
}

int lem_formula_parse(const lem_formula *formula, size_t n, const lem_typed_arg *typed,
                      lem_formula_call *call) {
    memset(call, 0, sizeof *call);
    size_t count = lem_formula_arg_count(formula);
    int status = parse_given(formula, n, typed, call);
    for (int conditional = 0; conditional < 2; conditional++)
        for (size_t k = 0; k < count && !status; k++)
            if ((formula->args[k].when != NULL) == conditional)
                status = complete(formula, k, call);
    if (status)
        lem_formula_call_clear(call);
    return status;
}

void lem_formula_call_clear(lem_formula_call *call) {
    for (size_t i = 0; i < LEM_FORMULA_MAX_ARGS; i++)
        free(call->lists[i]);
    memset(call, 0, sizeof *call);
}
