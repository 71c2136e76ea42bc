#include "cli/describe.h"
#include "cli/arguments.h"

#include <string.h>

void lem_formula_signature(FILE *out, const lem_formula *formula) {
    size_t n = lem_formula_arg_count(formula);
    (void)fprintf(out, "%s(", formula->name);
    for (size_t i = 0; i < n; i++) {
        const lem_formula_arg *arg = &formula->args[i];
        (void)fprintf(out, "%s%s", i ? ", " : "", arg->name);
        if (arg->fallback)
            (void)fprintf(out, "=%s", arg->fallback);
    }
    (void)fputc(')', out);
}

static void describe_arg(FILE *out, const lem_formula_arg *arg) {
    (void)fprintf(out, "  %-10s %s", arg->name, lem_formula_arg_kind(arg));
    if (arg->domain && *arg->domain && strcmp(arg->domain, lem_formula_arg_kind(arg)) != 0)
        (void)fprintf(out, "; %s", arg->domain);
    if (arg->fallback)
        (void)fprintf(out, "; default %s", arg->fallback);
    if (arg->when)
        (void)fprintf(out, "; only with %s", arg->when);
    (void)fputc('\n', out);
}

void lem_describe_formula(FILE *out, const lem_formula *formula) {
    size_t n = lem_formula_arg_count(formula);
    lem_formula_signature(out, formula);
    (void)fprintf(out, "\n%s\n", formula->doc);
    for (size_t i = 0; i < n; i++)
        describe_arg(out, &formula->args[i]);
    (void)fprintf(out, "  accuracy   %.3g relative: %s\n", formula->accuracy, formula->accuracy_reason);
    (void)fprintf(out, "  source     %s\n", formula->source);
    if (*formula->claims)
        (void)fprintf(out, "  claims     %s\n", formula->claims);
}

static json_t *words_json(const char *text, char separator) {
    const char separators[] = {separator, '\0'};
    json_t *list = json_array();
    while (text && *text) {
        size_t length = strcspn(text, separators);
        if (length)
            json_array_append_new(list, json_stringn(text, length));
        text += length + (text[length] != '\0');
    }
    return list;
}

static json_t *arg_json(const lem_formula_arg *arg) {
    static const char *const types[] = {"real", "integer", "bool", "word", "reals"};
    json_t *object = json_pack("{s:s, s:s, s:s}", "name", arg->name, "type", types[arg->type], "domain",
                               arg->domain ? arg->domain : "");
    if (arg->type == LEM_ARG_WORD)
        json_object_set_new(object, "words", words_json(arg->words, '|'));
    if (arg->fallback)
        json_object_set_new(object, "default", json_string(arg->fallback));
    if (arg->when)
        json_object_set_new(object, "when", json_string(arg->when));
    return object;
}

json_t *lem_formula_json(const lem_formula *formula) {
    json_t *args = json_array();
    size_t n = lem_formula_arg_count(formula);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(args, arg_json(&formula->args[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:s, s:o, s:o}", "name", formula->name, "topic",
                     lem_formula_topic(formula), "doc", formula->doc, "source", formula->source, "accuracy",
                     formula->accuracy, "accuracy_reason", formula->accuracy_reason, "claims",
                     words_json(formula->claims, ' '), "args", args);
}
