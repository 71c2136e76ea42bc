/* Comparing a run with the record of an earlier one, value by value.
 *
 * Exact values agree within one unit of the last printed digit.
 *
 * Estimates agree when they differ by no more than chance explains, |a - b| <= z sqrt(sa^2 + sb^2), z the
 * normal deviate of 1e-6 shared out over the estimates. That is right for two seeds; for one seed at two
 * scales the samples share a prefix, the variance of the difference is |sa^2 - sb^2|, and the rule errs on
 * the quiet side.
 *
 * Scaled values are not compared, unless seed and scale are the record's.
 *
 * When seed and scale are the record's, values of all kinds must agree within one unit of the last printed
 * digit, and those with equal bits are counted: all of them, on the same machine and build. */
#include "study/format.h"
#include "study/runtime.h"
#include "stat/distribution.h"
#include "tap/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double false_alarm = 1e-6;

typedef struct {
    double value, error;
    const char *kind;
    int digits;
} entry;

static bool read_entry(const json_t *json, entry *e) {
    const json_t *value = json_object_get(json, "value"), *error = json_object_get(json, "stderr");
    const json_t *digits = json_object_get(json, "digits");
    e->kind = json_string_value(json_object_get(json, "kind"));
    if (!json_is_number(value) || !json_is_integer(digits) || !e->kind)
        return false;
    e->value = json_number_value(value);
    e->error = json_is_number(error) ? json_number_value(error) : NAN;
    e->digits = (int)json_integer_value(digits);
    bool estimate = strcmp(e->kind, "estimate") == 0;
    bool known = estimate || strcmp(e->kind, "exact") == 0 || strcmp(e->kind, "scaled") == 0;
    return known && (!estimate || e->error > 0) && e->digits >= 1 && e->digits <= 17;
}

static int refuse_record(const lem_study *study, const char *path) {
    const json_t *record = study->record, *values = json_object_get(record, "values");
    const char *name = json_string_value(json_object_get(record, "study")), *key;
    json_t *json;
    entry e;
    if (!name || !json_is_object(values) || !json_is_integer(json_object_get(record, "seed")) ||
        !json_is_number(json_object_get(record, "scale")) ||
        !json_is_array(json_object_get(record, "claims")))
        return LEM_ERROR(GSL_EINVAL, "--record %s: is no results.json (study, seed, scale, values, claims)",
                         path);
    if (strcmp(name, study->spec->name) != 0)
        return LEM_ERROR(GSL_EINVAL, "--record %s: is of study %s, not %s", path, name, study->spec->name);
    json_object_foreach((json_t *)values, key, json) {
        if (!read_entry(json, &e))
            return LEM_ERROR(GSL_EINVAL, "--record %s: value %s is malformed", path, key);
    }
    return GSL_SUCCESS;
}

int lem_record_load(lem_study *study) {
    json_error_t error;
    const char *path = study->options.record;
    if (!path)
        return GSL_SUCCESS;
    study->record = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!study->record && error.line < 1) /* it could not be opened */
        return LEM_ERROR(GSL_EINVAL, "--record %s: %s", path, error.text);
    if (!study->record)
        return LEM_ERROR(GSL_EINVAL, "--record %s: line %d: %s", path, error.line, error.text);
    return refuse_record(study, path);
}

/* --- the comparison */

typedef struct {
    FILE *report;  /* YAML lines of what disagrees */
    bool same_run; /* seed and scale are the record's */
    double deviate;
    size_t compared, not_comparable, bit_equal, wrong, absent;
} comparison;

static bool equal_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool within_digit(const entry *mine, const entry *theirs) {
    /* One unit apart in decimal may come out a rounding above in binary. */
    return fabs(mine->value - theirs->value) <=
           lem_last_digit_unit(theirs->value, theirs->digits) * (1 + 1e-9);
}

static void compare_entry(comparison *c, const char *key, const entry *mine, const entry *theirs) {
    bool estimate = strcmp(mine->kind, "estimate") == 0, scaled = strcmp(mine->kind, "scaled") == 0;
    bool agrees = strcmp(mine->kind, theirs->kind) == 0;
    if (agrees && scaled && !c->same_run) {
        c->not_comparable++;
        return;
    }
    c->compared++;
    c->bit_equal += equal_bits(mine->value, theirs->value);
    if (agrees && estimate && !c->same_run)
        agrees = fabs(mine->value - theirs->value) <= c->deviate * hypot(mine->error, theirs->error);
    else if (agrees)
        agrees = within_digit(mine, theirs);
    if (agrees)
        return;
    c->wrong++;
    (void)fprintf(c->report, "%s: \"here %.17g, stderr %.3g, %s; record %.17g, stderr %.3g, %s\"\n", key,
                  mine->value, mine->error, mine->kind, theirs->value, theirs->error, theirs->kind);
}

static void compare_values(const lem_study *study, comparison *c) {
    json_t *theirs = json_object_get(study->record, "values"), *json;
    const char *key;
    json_object_foreach(study->values, key, json) {
        const json_t *other = json_object_get(theirs, key);
        entry a, b;
        if (other && read_entry(json, &a) && read_entry(other, &b)) {
            compare_entry(c, key, &a, &b);
            continue;
        }
        c->wrong++;
        (void)fprintf(c->report, "%s: \"is not in the record; make the record again\"\n", key);
    }
    json_object_foreach(theirs, key, json) {
        c->absent += json_object_get(study->values, key) == NULL;
    }
}

static bool has_claim(const json_t *list, const char *id) {
    size_t i;
    json_t *claim;
    json_array_foreach((json_t *)list, i, claim) {
        const char *other = json_string_value(json_object_get(claim, "id"));
        if (other && strcmp(other, id) == 0)
            return true;
    }
    return false;
}

static void compare_claims(const lem_study *study, comparison *c) {
    const json_t *theirs = json_object_get(study->record, "claims");
    size_t i;
    json_t *claim;
    json_array_foreach(study->claims, i, claim) {
        const char *id = json_string_value(json_object_get(claim, "id"));
        if (has_claim(theirs, id))
            continue;
        c->wrong++;
        (void)fprintf(c->report, "%s: \"this claim is not in the record; make the record again\"\n", id);
    }
    json_array_foreach((json_t *)theirs, i, claim) {
        const char *id = json_string_value(json_object_get(claim, "id"));
        c->absent += id && !has_claim(study->claims, id) && !has_claim(study->skips, id);
    }
}

/* A part of the study was left out on purpose: then what is in the record alone is no disagreement. */
static bool is_partial(const lem_study *study) {
    return study->options.only || json_array_size(study->skips) > 0;
}

bool lem_record_compare(const lem_study *study) {
    char *yaml = NULL;
    size_t size, estimates = 0;
    const char *key;
    json_t *json;
    json_object_foreach(study->values, key, json) {
        estimates += !strcmp(json_string_value(json_object_get(json, "kind")), "estimate");
    }
    comparison c = {.report = open_memstream(&yaml, &size)};
    if (!c.report)
        return lem_tap_result(false, NULL, "record: out of memory");
    c.same_run =
        (uint64_t)json_integer_value(json_object_get(study->record, "seed")) == study->options.seed &&
        equal_bits(json_number_value(json_object_get(study->record, "scale")), study->options.scale);
    c.deviate = lem_normal_quantile(false_alarm / 2 / (double)(estimates ? estimates : 1), LEM_UPPER);
    compare_values(study, &c);
    compare_claims(study, &c);
    bool missing = c.absent > 0 && !is_partial(study);
    if (missing)
        (void)fprintf(c.report, "missing: \"%zu values or claims of the record were not measured\"\n",
                      c.absent);
    (void)fclose(c.report);
    bool ok = c.wrong == 0 && !missing;
    lem_progress_clear(study);
    (void)lem_tap_result(
        ok, yaml,
        "record  %zu values compared, %zu with equal bits; %zu comparable only at the record's seed "
        "and scale; %zu left out of this run; %zu disagree",
        c.compared, c.bit_equal, c.not_comparable, c.absent, c.wrong);
    free(yaml);
    return ok;
}
