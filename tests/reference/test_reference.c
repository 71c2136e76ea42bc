/* Every stored reference value, through the registry that `lemmata eval` uses.
 *
 * usage: test_reference DIR   reads DIR/<study>.json: {"<formula>": [{"args": {..}, "value": .., "tol": ..}]}
 *
 * Tolerance of an entry = stated accuracy x |value|
 *   + the effect of the arguments being doubles (below)
 *   + the entry's own tol + the smallest normal double. Nothing else.
 *
 * Effect of the arguments: the reference belongs to the decimal arguments, the function sees the nearest
 * doubles, each off by up to half an ulp. With D_i the largest change of the result when argument i alone
 * moves by one ulp up or down (a list is one argument; its elements' changes add up), it is the larger of max
 * D_i (the largest change by one ulp) and (sum D_i) / 2 (all arguments rounded at once, to first order).
 *
 * The statement of accuracy is tested too: 1e4 times the worst error over a function's entries must reach it,
 * else it is too loose to mean anything. An error counts as at least half a machine epsilon relative, since a
 * result is itself rounded to a double: so a statement below 1e4 x eps / 2 = 1.1e-12 (the closed forms' 64
 * eps) can never be shown to be loose, and one of 1e-10 is loose when every entry is right to 1e-14. A result
 * that is an integer (a dimension, exactly representable and exactly right) says nothing about rounding: only
 * non-integer results enter. Errors beyond 1e-10 relative need a reason that names the spec. */
#include "cli/arguments.h"
#include "tap/tap.h"

#include <dirent.h>
#include <float.h>
#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 4096, LOOSE_FACTOR = 10000 };
static const double worst_accuracy = 1e-10;

typedef struct {
    double results[LEM_FORMULA_MAX_RESULTS];
    size_t count;
} answer;

/* --- reading ------------------------------------------------------------------------------------------ */

static void append(char *text, const char *more) {
    size_t used = strlen(text);
    if (used + strlen(more) >= MAX_TEXT)
        lem_tap_bail_out("an argument is longer than %d characters", MAX_TEXT);
    strcpy(text + used, more);
}

/* An argument as it would be typed. */
static void typed_text(const json_t *value, char *text) {
    char number[64];
    if (json_is_string(value)) {
        append(text, json_string_value(value));
    } else if (json_is_integer(value)) {
        (void)snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        append(text, number);
    } else if (json_is_real(value)) {
        (void)snprintf(number, sizeof number, "%.17g", json_real_value(value));
        append(text, number);
    } else if (json_is_boolean(value)) {
        append(text, json_is_true(value) ? "true" : "false");
    }
    size_t i;
    json_t *item;
    json_array_foreach(value, i, item) {
        if (i)
            append(text, ",");
        typed_text(item, text);
    }
}

/* 20 digits: read in extended precision, so that the reference adds no rounding of its own. */
static long double number_of(const json_t *value) {
    if (json_is_string(value)) {
        char *end;
        long double x = strtold(json_string_value(value), &end);
        return *end || end == json_string_value(value) ? (long double)NAN : x;
    }
    return json_is_number(value) ? (long double)json_number_value(value) : (long double)NAN;
}

static size_t reference_count(const json_t *value) {
    return json_is_array(value) ? json_array_size(value) : 1;
}

static long double reference_at(const json_t *value, size_t i) {
    return number_of(json_is_array(value) ? json_array_get(value, i) : value);
}

/* --- evaluating --------------------------------------------------------------------------------------- */

static int evaluate(const lem_formula *formula, const lem_formula_call *call, answer *result) {
    result->count = 0;
    int status = formula->eval(call->values, result->results, &result->count);
    return status;
}

/* changes[j] += the largest change of result j when *x moves by one ulp; a move out of the domain counts not.
 */
static void add_change(const lem_formula *formula, const lem_formula_call *call, double *x,
                       const answer *here, double *changes) {
    const double towards[] = {-INFINITY, INFINITY};
    double saved = *x, largest[LEM_FORMULA_MAX_RESULTS] = {0};
    if (isinf(saved))
        return;
    for (int side = 0; side < 2; side++) {
        answer moved;
        *x = nextafter(saved, towards[side]);
        if (evaluate(formula, call, &moved) || moved.count != here->count)
            continue;
        for (size_t j = 0; j < here->count; j++)
            if (isfinite(moved.results[j]))
                largest[j] = fmax(largest[j], fabs(moved.results[j] - here->results[j]));
    }
    *x = saved;
    for (size_t j = 0; j < here->count; j++)
        changes[j] += largest[j];
}

static void argument_effect(const lem_formula *formula, lem_formula_call *call, const answer *here,
                            double *effect) {
    double sum[LEM_FORMULA_MAX_RESULTS] = {0}, largest[LEM_FORMULA_MAX_RESULTS] = {0};
    for (size_t i = 0; i < lem_formula_arg_count(formula); i++) {
        double changes[LEM_FORMULA_MAX_RESULTS] = {0};
        if (!call->values[i].given)
            continue;
        if (formula->args[i].type == LEM_ARG_REAL)
            add_change(formula, call, &call->values[i].real, here, changes);
        if (formula->args[i].type == LEM_ARG_REALS)
            for (size_t k = 0; k < call->values[i].count; k++)
                add_change(formula, call, &call->lists[i][k], here, changes);
        for (size_t j = 0; j < here->count; j++) {
            sum[j] += changes[j];
            largest[j] = fmax(largest[j], changes[j]);
        }
    }
    for (size_t j = 0; j < here->count; j++)
        effect[j] = fmax(largest[j], sum[j] / 2);
}

/* --- one entry ---------------------------------------------------------------------------------------- */

static bool compare(const lem_formula *formula, lem_formula_call *call, const json_t *entry, double *worst,
                    FILE *yaml) {
    answer here;
    double effect[LEM_FORMULA_MAX_RESULTS];
    const json_t *value = json_object_get(entry, "value"), *own = json_object_get(entry, "tol");
    lem_clear_error();
    if (evaluate(formula, call, &here)) {
        (void)fprintf(yaml, "error: %s\n", lem_last_error());
        return false;
    }
    if (here.count != reference_count(value)) {
        (void)fprintf(yaml, "results: %zu, reference has %zu\n", here.count, reference_count(value));
        return false;
    }
    argument_effect(formula, call, &here, effect);
    bool ok = true;
    double own_tolerance = own ? (double)number_of(own) : 0;
    for (size_t j = 0; j < here.count; j++) {
        long double reference = reference_at(value, j);
        bool same = isinf((double)reference) && here.results[j] == (double)reference;
        double error = same ? 0 : (double)fabsl((long double)here.results[j] - reference);
        double size = (double)fabsl(reference);
        double tolerance = formula->accuracy * size + effect[j] + own_tolerance + DBL_MIN;
        if (size > 0 && !same && reference != roundl(reference))
            *worst = fmax(*worst, error / size);
        if (same || error <= tolerance)
            continue;
        ok = false;
        (void)fprintf(yaml,
                      "result: %.17g\nreference: %.20Lg\nerror: %.3g\ntolerance: %.3g\n"
                      "of_which: accuracy %.3g, arguments %.3g, own %.3g\n",
                      here.results[j], reference, error, tolerance, formula->accuracy * size, effect[j],
                      own_tolerance);
    }
    return ok;
}

static void test_entry(const char *name, const lem_formula *formula, const json_t *entry, double *worst) {
    char texts[LEM_FORMULA_MAX_ARGS][MAX_TEXT] = {{0}}, shown[MAX_TEXT] = "";
    lem_typed_arg typed[LEM_FORMULA_MAX_ARGS];
    size_t n = 0;
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(entry, "args"), key, value) {
        if (n == LEM_FORMULA_MAX_ARGS)
            break;
        typed_text(value, texts[n]);
        typed[n] = (lem_typed_arg){key, texts[n]};
        (void)snprintf(shown + strlen(shown), sizeof shown - strlen(shown), " %s=%.60s", key, texts[n]);
        n++;
    }
    lem_formula_call call;
    if (!formula) {
        lem_tap_result(false, "problem: the registry has no formula of this name", "%s%s", name, shown);
        return;
    }
    char *yaml = NULL;
    size_t size;
    FILE *stream = open_memstream(&yaml, &size);
    bool ok = lem_formula_parse(formula, n, typed, &call) == GSL_SUCCESS;
    if (ok) {
        ok = compare(formula, &call, entry, worst, stream);
        lem_formula_call_clear(&call);
    } else {
        (void)fprintf(stream, "arguments: %s\n", lem_last_error());
    }
    (void)fclose(stream);
    lem_tap_result(ok, yaml, "%s%s", name, shown);
    free(yaml);
}

/* --- one function ------------------------------------------------------------------------------------- */

static void test_statement(const lem_formula *formula, double worst) {
    char yaml[256];
    double seen = fmax(worst, DBL_EPSILON / 2);
    bool loose = formula->accuracy > LOOSE_FACTOR * seen;
    bool excused = formula->accuracy <= worst_accuracy || strstr(formula->accuracy_reason, "spec");
    (void)snprintf(yaml, sizeof yaml, "stated: %.3g\nworst_error: %.3g\nproblem: %s", formula->accuracy,
                   worst,
                   loose ? "the statement is 1e4 times the worst error: tighten it"
                         : "looser than 1e-10 without a reason from the spec");
    lem_tap_result(!loose && excused, yaml, "%s: stated accuracy %.2g, worst error over the entries %.2g",
                   formula->name, formula->accuracy, worst);
}

static void test_function(const char *name, const json_t *entries) {
    const lem_formula *formula = lem_formula_find(name);
    double worst = 0;
    size_t i;
    json_t *entry;
    json_array_foreach(entries, i, entry) test_entry(name, formula, entry, &worst);
    if (formula)
        test_statement(formula, worst);
    else
        lem_tap_result(false, "problem: the registry has no formula of this name", "%s: stated accuracy",
                       name);
}

/* --- files -------------------------------------------------------------------------------------------- */

static int is_json(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static size_t points_of(const json_t *file) {
    size_t n = 0;
    const char *name;
    json_t *entries;
    json_object_foreach((json_t *)file, name, entries) if (*name != '_') n += json_array_size(entries) + 1;
    return n;
}

int main(int argc, char **argv) {
    lem_tap_open();
    if (argc != 2) {
        (void)fprintf(stderr, "usage: test_reference DIR\n");
        return 2;
    }
    (void)gsl_set_error_handler_off();
    struct dirent **names;
    int n = scandir(argv[1], &names, is_json, alphasort);
    if (n <= 0)
        lem_tap_bail_out("%s holds no reference values", argv[1]);
    json_t *files = json_array();
    size_t planned = 0;
    for (int i = 0; i < n; i++) {
        char path[4096];
        json_error_t error;
        (void)snprintf(path, sizeof path, "%s/%s", argv[1], names[i]->d_name);
        json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
        if (!file)
            lem_tap_bail_out("%s:%d: %s", path, error.line, error.text);
        planned += points_of(file);
        json_array_append_new(files, file);
        free(names[i]);
    }
    free(names);
    lem_tap_plan(planned);
    size_t i;
    json_t *file, *entries;
    const char *name;
    json_array_foreach(files, i, file) json_object_foreach(file, name, entries) if (*name != '_')
        test_function(name, entries);
    json_decref(files);
    return lem_tap_finish();
}
