/* lemmata eval and lemmata formulas. */
#include "cli/arguments.h"
#include "cli/cli.h"
#include "cli/describe.h"
#include "cli/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int unknown_formula(const char *name) {
    (void)lem_cli_fail(0, "no formula is called %s", name);
    size_t near = 0;
    for (const lem_formula_table *const *table = lem_formula_tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            if (lem_is_near(name, (*table)->formulas[i].name))
                (void)fprintf(stderr, "%s %s", near++ ? "," : "did you mean", (*table)->formulas[i].name);
    if (near)
        (void)fputs("?\n", stderr);
    (void)fputs("allowed:", stderr);
    for (const lem_formula_table *const *table = lem_formula_tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            (void)fprintf(stderr, " %s", (*table)->formulas[i].name);
    (void)fputc('\n', stderr);
    return LEM_EXIT_USAGE;
}

static int refuse_call(const lem_formula *formula) {
    (void)lem_cli_fail(0, "%s", lem_last_error());
    lem_describe_formula(stderr, formula);
    return LEM_EXIT_USAGE;
}

/* JSON has no infinities: they are given as the words eval prints. */
static json_t *number_json(double x) {
    return isfinite(x) ? json_real(x) : json_string(x > 0 ? "inf" : "-inf");
}

static int print_json(lem_cli *cli, const lem_formula *formula, size_t n, const lem_typed_arg *typed,
                      const double *results, size_t count) {
    json_t *object = json_object(), *given = json_object(), *value;
    for (size_t i = 0; i < n; i++)
        json_object_set_new(given, typed[i].name, json_string(typed[i].text));
    if (count == 1) {
        value = number_json(results[0]);
    } else {
        value = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(value, number_json(results[i]));
    }
    json_object_set_new(object, "value", value);
    json_object_set_new(object, "given", given);
    json_t *about = lem_formula_json(formula);
    json_object_update(object, about);
    json_decref(about);
    int status = json_dumpf(object, cli->out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(object);
    (void)fputc('\n', cli->out);
    return status ? lem_cli_fail(LEM_EXIT_WRITE, "writing the JSON failed") : LEM_EXIT_OK;
}

static int evaluate(lem_cli *cli, const lem_formula *formula, size_t n, const lem_typed_arg *typed,
                    bool as_json) {
    lem_formula_call call;
    double results[LEM_FORMULA_MAX_RESULTS];
    size_t count = 0;
    if (lem_formula_parse(formula, n, typed, &call))
        return refuse_call(formula);
    lem_clear_error();
    int status = formula->eval(call.values, results, &count);
    lem_formula_call_clear(&call);
    if (status == GSL_EDOM || status == GSL_EINVAL)
        return refuse_call(formula);
    bool is_nan = false;
    for (size_t i = 0; i < count; i++)
        is_nan = is_nan || isnan(results[i]);
    if (status || is_nan || count == 0) {
        const char *sentence = lem_last_error();
        return lem_cli_fail(LEM_EXIT_FAILED, "%s: %s", formula->name,
                            *sentence ? sentence : "the result is not a number");
    }
    if (as_json)
        return print_json(cli, formula, n, typed, results, count);
    for (size_t i = 0; i < count; i++)
        (void)fprintf(cli->out, "%s%.17g", i ? " " : "", results[i]);
    (void)fputc('\n', cli->out);
    return LEM_EXIT_OK;
}

/* Cut "name=text" in two, in place. */
static bool split_typed(char *word, lem_typed_arg *typed) {
    char *equals = strchr(word, '=');
    if (!equals || equals == word)
        return false;
    *equals = '\0';
    *typed = (lem_typed_arg){word, equals + 1};
    return true;
}

int lem_command_eval(lem_cli *cli, int argc, char **argv) {
    bool as_json = false;
    const lem_option options[] = {{"--json", &as_json, NULL}};
    int words = lem_cli_options("eval", argc, argv, options, 1);
    if (words < 0)
        return LEM_EXIT_USAGE;
    if (words == 0)
        return lem_cli_fail(LEM_EXIT_USAGE, "eval: the name of a formula is missing; lemmata formulas lists "
                                            "them");
    const lem_formula *formula = lem_formula_find(argv[0]);
    if (!formula)
        return unknown_formula(argv[0]);
    size_t n = (size_t)words - 1;
    lem_typed_arg *typed = calloc(n + 1, sizeof *typed);
    if (!typed)
        return lem_cli_fail(LEM_EXIT_FAILED, "no memory");
    int exit_status = LEM_EXIT_OK;
    for (size_t i = 0; i < n && !exit_status; i++) {
        if (!split_typed(argv[i + 1], &typed[i])) {
            exit_status =
                lem_cli_fail(LEM_EXIT_USAGE, "%s: an argument has the form name=value", argv[i + 1]);
            lem_describe_formula(stderr, formula);
        }
    }
    if (!exit_status)
        exit_status = evaluate(cli, formula, n, typed, as_json);
    free(typed);
    return exit_status;
}

/* --- formulas ----------------------------------------------------------------------------------------- */

int lem_command_formulas(lem_cli *cli, int argc, char **argv) {
    bool as_json = false;
    const lem_option options[] = {{"--json", &as_json, NULL}};
    int words = lem_cli_options("formulas", argc, argv, options, 1);
    if (words < 0)
        return LEM_EXIT_USAGE;
    if (words > 1)
        return lem_cli_fail(LEM_EXIT_USAGE, "formulas: one pattern at most, not %d", words);
    const char *pattern = words ? argv[0] : "";
    const lem_formula *exact = lem_formula_find(pattern);
    json_t *all = json_array();
    size_t shown = 0;
    for (const lem_formula_table *const *table = lem_formula_tables; *table; table++) {
        for (size_t i = 0; i < (*table)->count; i++) {
            const lem_formula *f = &(*table)->formulas[i];
            if (exact ? f != exact : !strcasestr(f->name, pattern) && !strcasestr(f->doc, pattern))
                continue;
            shown++;
            if (as_json) {
                json_array_append_new(all, lem_formula_json(f));
            } else if (exact) {
                lem_describe_formula(cli->out, f);
            } else {
                lem_formula_signature(cli->out, f);
                (void)fprintf(cli->out, "\n    %s\n", f->doc);
            }
        }
    }
    if (as_json && shown)
        (void)fprintf(cli->out, "%s", ""),
            json_dumpf(all, cli->out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(all);
    if (!shown && words)
        return unknown_formula(pattern);
    if (as_json)
        (void)fputc('\n', cli->out);
    return LEM_EXIT_OK;
}
