#include "cli/arguments.h"
#include "cli/near.h"
#include "tap/tap.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int nothing(const lem_formula_value *args, double *results, size_t *count) {
    (void)args;
    results[0] = 0;
    *count = 1;
    return GSL_SUCCESS;
}

static const lem_formula formula = {
    .name = "toy",
    .doc = "a toy",
    .source = "none",
    .claims = "",
    .accuracy = LEM_ACCURACY_CLOSED,
    .accuracy_reason = "closed form",
    .eval = nothing,
    .args = {{.name = "x", .type = LEM_ARG_REAL, .domain = "x >= 0 or inf"},
             {.name = "n", .type = LEM_ARG_INTEGER, .domain = "n >= 1", .fallback = "7"},
             {.name = "log", .type = LEM_ARG_BOOL, .domain = "", .fallback = "false"},
             {.name = "kind",
              .type = LEM_ARG_WORD,
              .domain = "the family",
              .words = "gaussian|sparse|0.5p^2+x^4",
              .fallback = "gaussian"},
             {.name = "s", .type = LEM_ARG_REAL, .domain = "s >= 1", .when = "kind=sparse|0.5p^2+x^4"},
             {.name = "y", .type = LEM_ARG_REALS, .domain = "finite", .fallback = "1"}},
};

/* "name=text" words, the parse, and its status. */
static int parse(lem_formula_call *call, size_t n, const char *const *words) {
    static char copies[8][128];
    lem_typed_arg typed[8];
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(copies[i], sizeof copies[i], "%s", words[i]);
        char *equals = strchr(copies[i], '=');
        *equals = '\0';
        typed[i] = (lem_typed_arg){copies[i], equals + 1};
    }
    return lem_formula_parse(&formula, n, typed, call);
}
#define PARSE(call, ...)                                                                                     \
    parse((call), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),                               \
          (const char *const[]){__VA_ARGS__})

static void test_all_kinds(void) {
    lem_formula_call call;
    int status = PARSE(&call, "x=0.5", "n=1e5", "log=true", "kind=sparse", "s=3", "y=3,1,-4e-3");
    LEM_CHECK(status == 0, "%s", lem_last_error());
    LEM_CHECK(call.values[0].real == 0.5, "x = %g", call.values[0].real);
    LEM_CHECK(call.values[1].integer == 100000 && call.values[1].real == 1e5, "n = %lld",
              call.values[1].integer);
    LEM_CHECK(call.values[2].boolean, "log");
    LEM_CHECK(call.values[3].word == 1, "kind = %d", call.values[3].word);
    LEM_CHECK(call.values[4].given && call.values[4].real == 3, "s = %g", call.values[4].real);
    LEM_CHECK(call.values[5].count == 3 && call.values[5].reals[2] == -4e-3, "y has %zu",
              call.values[5].count);
    lem_formula_call_clear(&call);
}

static void test_defaults(void) {
    lem_formula_call call;
    int status = PARSE(&call, "x=inf");
    LEM_CHECK(status == 0, "%s", lem_last_error());
    LEM_CHECK(isinf(call.values[0].real), "x = %g", call.values[0].real);
    LEM_CHECK(call.values[1].integer == 7 && call.values[3].word == 0 && !call.values[2].boolean, "defaults");
    LEM_CHECK(!call.values[4].given, "s is not read");
    LEM_CHECK(call.values[5].count == 1 && call.values[5].reals[0] == 1, "a list of one");
    lem_formula_call_clear(&call);
}

static void test_quotes(void) {
    lem_formula_call call;
    LEM_CHECK(PARSE(&call, "x=1", "kind='0.5p^2+x^4'", "s=1") == 0, "%s", lem_last_error());
    LEM_CHECK(call.values[3].word == 2, "kind = %d", call.values[3].word);
    lem_formula_call_clear(&call);
    LEM_CHECK(PARSE(&call, "x=1", "kind=0.5p^2+x^4", "s=1") == 0, "%s", lem_last_error());
    lem_formula_call_clear(&call);
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "kind='sparse", "s=1"), "kind|'sparse|gaussian|sparse");
}

static void test_refusals(void) {
    lem_formula_call call;
    LEM_CHECK_ERROR(PARSE(&call, "n=1"), "x is missing|real|x >= 0");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "x=2"), "x is given twice");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "eps=2"), "toy has no argument eps|x, n, log, kind, s, y");
    LEM_CHECK_ERROR(PARSE(&call, "x=nan"), "x = nan|x >= 0 or inf");
    LEM_CHECK_ERROR(PARSE(&call, "x=-inf"), "x = -inf|finite");
    LEM_CHECK_ERROR(PARSE(&call, "x="), "x = (empty)");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "n=1.5"), "n = 1.5|whole number|n >= 1");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "n=inf"), "n = inf");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "log=yes"), "log = yes|true or false");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "kind=Sparse"), "kind = Sparse|gaussian|the family");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "kind="), "kind");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "kind=sparse"), "s is missing|kind=sparse|s >= 1");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "s=3"), "s is read only with kind=sparse");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "kind=sparse", "s=inf"), "s = inf|finite");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "y=1,,2"), "y = 1,,2|separated by commas");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "y="), "y");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "y=1,"), "y");
    LEM_CHECK_ERROR(PARSE(&call, "x=1", "y=1,inf"), "y|finite");
}

static void test_reals(void) {
    static const char *const good[] = {"0", "-0", "+1", "1.", ".5", "1e308", "-1.5E-3", "5e-324", "0e999"};
    static const char *const bad[] = {"",    "+",        ".",     "e5",    "1e",  "1e+",   "0x10",
                                      "nan", "1 ",       " 1",    "1,5",   "--1", "1e999", "1e-999",
                                      "Inf", "infinity", "1.2.3", "1e1.5", "1f",  "one"};
    double x;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        LEM_CHECK(lem_parse_real(good[i], &x) == 0 && x == strtod(good[i], NULL), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        LEM_CHECK(lem_parse_real(bad[i], &x) != 0, "\"%s\" was taken for %g", bad[i], x);
}

/* Any double printed with 17 digits comes back with the same bits. */
static void test_reals_round_trip(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t n = (size_t)(2000 * lem_tap_effort()) + 1, wrong = 0;
    for (size_t i = 0; i < n; i++) {
        char text[64];
        double x = ldexp(gsl_rng_uniform(rng) - 0.5, (int)gsl_rng_uniform_int(rng, 2000) - 1000), y = NAN;
        (void)snprintf(text, sizeof text, "%.17g", x);
        wrong += lem_parse_real(text, &y) != 0 || x != y;
    }
    gsl_rng_free(rng);
    LEM_CHECK(wrong == 0, "%zu of %zu numbers changed", wrong, n);
}

static void test_integers(void) {
    static const struct {
        const char *text;
        long long value;
    } good[] = {{"0", 0},        {"-0", 0},     {"+7", 7},         {"007", 7},
                {"1e5", 100000}, {"1.5e1", 15}, {"12.50e2", 1250}, {"3.000", 3},
                {"100e-2", 1},   {"0.0e99", 0}, {"-2e3", -2000},   {"9007199254740992", 9007199254740992},
                {"0.000e-3", 0}};
    static const char *const bad[] = {"1.5", "1e-1", "9007199254740993",       "1e16",   "1e99", "inf", "",
                                      "-",   "0x1",  "1.00000000000000000001", "150e-2", "1 0"};
    long long n;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        LEM_CHECK(lem_parse_integer(good[i].text, &n) == 0 && n == good[i].value, "%s gave %lld",
                  good[i].text, n);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        LEM_CHECK(lem_parse_integer(bad[i], &n) != 0, "\"%s\" was taken for %lld", bad[i], n);
}

static void test_infinity_in_domains(void) {
    LEM_CHECK(lem_domain_admits_infinity("n >= 1 or inf", 1), "said so");
    LEM_CHECK(lem_domain_admits_infinity("x in (0, inf]", 1), "closed end");
    LEM_CHECK(!lem_domain_admits_infinity("x in (0, inf)", 1), "open end");
    LEM_CHECK(!lem_domain_admits_infinity("x in (-inf, inf)", -1), "open end");
    LEM_CHECK(lem_domain_admits_infinity("x in [-inf, inf]", -1), "closed end");
    LEM_CHECK(!lem_domain_admits_infinity("x in [-inf, 0]", 1), "the other sign");
    LEM_CHECK(!lem_domain_admits_infinity("finite, not infinite, no info", 1), "within words");
}

static void test_near_names(void) {
    LEM_CHECK(lem_edit_distance("kitten", "sitting") == 3, "kitten to sitting");
    LEM_CHECK(lem_edit_distance("", "abc") == 3 && lem_edit_distance("abc", "abc") == 0, "ends");
    LEM_CHECK(lem_edit_distance("eval", "eavl") == 1, "a swap is one step");
    LEM_CHECK(lem_is_near("jl_nrom_tail", "jl_norm_tail"), "a swap");
    LEM_CHECK(lem_is_near("norm_tail", "jl_norm_tail"), "a part");
    LEM_CHECK(!lem_is_near("zzz", "jl_norm_tail") && !lem_is_near("", "x"), "nothing alike");
}

/* --- the registry ------------------------------------------------------------------------------------- */

static void check_arg(const lem_formula *f, const lem_formula_arg *arg) {
    lem_formula probe = {.name = "probe", .args = {*arg}};
    lem_formula_call call;
    probe.args[0].when = NULL;
    LEM_CHECK(arg->domain != NULL, "%s: %s has no domain", f->name, arg->name);
    LEM_CHECK((arg->type == LEM_ARG_WORD) == (arg->words != NULL), "%s: words of %s", f->name, arg->name);
    if (arg->fallback) {
        int status = lem_formula_parse(&probe, 0, NULL, &call);
        LEM_CHECK(status == 0, "%s: the default of %s: %s", f->name, arg->name, lem_last_error());
        lem_formula_call_clear(&call);
    }
    if (!arg->when)
        return;
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(arg->when, "="), arg->when);
    const lem_formula_arg *other = lem_formula_arg_find(f, name);
    LEM_CHECK(other && other->type == LEM_ARG_WORD, "%s: %s depends on %s, which is no word", f->name,
              arg->name, arg->when);
}

static void test_registry(void) {
    for (const lem_formula_table *const *table = lem_formula_tables; *table; table++) {
        for (size_t i = 0; i < (*table)->count; i++) {
            const lem_formula *f = &(*table)->formulas[i];
            LEM_CHECK(lem_formula_find(f->name) == f, "%s is registered twice", f->name);
            LEM_CHECK(strcmp(lem_formula_topic(f), (*table)->topic) == 0, "%s", f->name);
            LEM_CHECK(f->doc && *f->doc && !strchr(f->doc, '\n'), "%s: doc is one line", f->name);
            LEM_CHECK(f->source && *f->source && f->claims && f->eval, "%s is complete", f->name);
            LEM_CHECK(f->accuracy > 0 && f->accuracy < 1, "%s: accuracy %g", f->name, f->accuracy);
            LEM_CHECK(f->accuracy_reason && *f->accuracy_reason, "%s: accuracy without a reason", f->name);
            for (size_t k = 0; k < lem_formula_arg_count(f); k++)
                check_arg(f, &f->args[k]);
        }
    }
    LEM_CHECK(lem_formula_find("no_such_formula") == NULL, "unknown names");
}

static const lem_tap_case cases[] = {
    {"every kind of argument", test_all_kinds},
    {"defaults, infinity, conditions", test_defaults},
    {"quoted words", test_quotes},
    {"refusals name the argument and what is allowed", test_refusals},
    {"real numbers", test_reals},
    {"17 digits read back to the same bits", test_reals_round_trip},
    {"whole numbers are judged on their digits", test_integers},
    {"where a domain admits infinity", test_infinity_in_domains},
    {"near names", test_near_names},
    {"every registered formula is complete", test_registry},
};
LEM_TAP_MAIN(cases)
