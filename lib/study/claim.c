/* Registering claims: refusals, the verdict over a check and its falsifiers, and their two records, the TAP
 * line and the entry in results.json. */
#include "study/claim.h"

#include "study/check.h"
#include "study/format.h"
#include "study/runtime.h"
#include "tap/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_false_alarm = 1e-6;

#define NAME(id, text) text,
static const char *const verdict_names[] = {LEM_VERDICTS(NAME)};
static const char *const kind_names[] = {LEM_CLAIM_KINDS(NAME)};
#undef NAME
enum { N_VERDICTS = sizeof verdict_names / sizeof verdict_names[0] };

/* --- refusals */

static bool is_blank(const char *text) {
    return !text || !text[strspn(text, " \t\n")];
}

static bool is_registered(const lem_study *study, const char *id) {
    const json_t *lists[] = {study->claims, study->skips};
    for (size_t l = 0; l < 2; l++) {
        size_t i;
        json_t *entry;
        json_array_foreach(lists[l], i, entry) {
            const char *other = json_string_value(json_object_get(entry, "id"));
            if (other && strcmp(other, id) == 0)
                return true;
        }
    }
    return false;
}

static int refuse_id(const lem_study *study, const char *id) {
    LEM_TRY(lem_check_key("the claim's id", id));
    if (is_registered(study, id))
        return LEM_ERROR(GSL_EINVAL, "claim %s is registered twice: ids are unique", id);
    return GSL_SUCCESS;
}

static int refuse_info(const lem_study *study, const lem_claim_info *info) {
    LEM_TRY(refuse_id(study, info->id));
    if (is_blank(info->statement) || is_blank(info->source))
        return LEM_ERROR(GSL_EINVAL, "claim %s: a statement and its source are required", info->id);
    if ((int)info->verdict < 0 || (int)info->verdict >= N_VERDICTS)
        return LEM_ERROR(GSL_EINVAL, "claim %s: verdict %d is none of holds, holds-when, refuted", info->id,
                         (int)info->verdict);
    if (info->verdict != LEM_HOLDS && is_blank(info->note))
        return LEM_ERROR(GSL_EINVAL, "claim %s: verdict %s needs a note (the %s)", info->id,
                         verdict_names[info->verdict],
                         info->verdict == LEM_REFUTED ? "correction" : "regime");
    if (info->false_alarm != 0 && !(info->false_alarm > 0 && info->false_alarm <= 0.1))
        return LEM_ERROR(GSL_EINVAL, "claim %s: false_alarm = %g: must be in (0, 0.1]", info->id,
                         info->false_alarm);
    if (!(info->floor >= 0) || isinf(info->floor))
        return LEM_ERROR(GSL_EINVAL, "claim %s: floor = %g: must be >= 0 and finite", info->id, info->floor);
    return GSL_SUCCESS;
}

static int refuse_sample(const lem_claim_info *info, const lem_check *check, const char *whose) {
    if (!lem_check_is_stochastic(check) && info->floor == 0)
        return GSL_SUCCESS;
    if (info->floor == 0 || is_blank(info->floor_reason))
        return LEM_ERROR(GSL_EINVAL, "claim %s: a check on samples needs a floor and its floor_reason",
                         info->id);
    double samples = lem_check_samples(check);
    if (samples == 0)
        return LEM_ERROR(GSL_EINVAL, "claim %s: the sample size of %s is unknown: state it by lem_check_of",
                         info->id, whose);
    if (samples < info->floor)
        return LEM_ERROR(GSL_EINVAL, "claim %s: the sample of %s, %g, is below the floor %g", info->id, whose,
                         samples, info->floor);
    return GSL_SUCCESS;
}

static int refuse_falsifier(const lem_claim_info *info, const lem_check *check,
                            const lem_falsifier *falsifier) {
    if (is_blank(falsifier->statement))
        return LEM_ERROR(GSL_EINVAL, "claim %s: a falsifier without a statement", info->id);
    if (!lem_check_same_kind(check, &falsifier->check))
        return LEM_ERROR(GSL_EINVAL, "claim %s: falsifier \"%s\" is a check of another kind", info->id,
                         falsifier->statement);
    if (lem_check_is_tighter(&falsifier->check, check))
        return LEM_ERROR(GSL_EINVAL, "claim %s: falsifier \"%s\" has a tighter tolerance than the claim",
                         info->id, falsifier->statement);
    if (lem_check_identical(check, &falsifier->check))
        return LEM_ERROR(GSL_EINVAL,
                         "claim %s: falsifier \"%s\" is the claim itself: same hypothesis, same data",
                         info->id, falsifier->statement);
    return refuse_sample(info, &falsifier->check, "a falsifier");
}

static int run(const lem_claim_info *info, const char *whose, const lem_check *check, lem_outcome *outcome) {
    double level = info->false_alarm > 0 ? info->false_alarm : default_false_alarm;
    int status = lem_check_run(check, level, outcome);
    return status ? LEM_ERROR(status, "claim %s, %s: %s", info->id, whose, lem_last_error()) : GSL_SUCCESS;
}

/* --- the entry in results.json */

static json_t *falsifiers_json(const lem_falsifier *falsifiers, const lem_outcome *outcomes, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *entry = json_pack("{s:s, s:o, s:o, s:o, s:b}", "statement", falsifiers[i].statement,
                                  "expected", lem_json_number(outcomes[i].expected), "statistic",
                                  lem_json_number(outcomes[i].statistic), "limit",
                                  lem_json_number(outcomes[i].limit), "rejected", !outcomes[i].accepted);
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static double recorded_false_alarm(const lem_claim_info *info, const lem_check *check) {
    if (lem_check_is_stochastic(check))
        return info->false_alarm > 0 ? info->false_alarm : default_false_alarm;
    return check->kind == LEM_KIND_OPTIMUM ? info->false_alarm : 0;
}

static json_t *claim_json(const lem_claim_info *info, const lem_check *check, const lem_outcome *o,
                          bool passed, const char *place, json_t *falsifiers) {
    lem_claim_kind kind = info->verdict == LEM_REFUTED ? LEM_KIND_REFUTATION : check->kind;
    double samples = lem_check_samples(check);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s?, s:o, s:o, s:o, s:s, s:o, s:o, s:f, s:f, s:s?, s:o, "
        "s:I, s:b, s:o}",
        "id", info->id, "statement", info->statement, "source", info->source, "place", place, "kind",
        kind_names[kind], "check", kind_names[check->kind], "verdict", verdict_names[info->verdict], "note",
        info->note, "measured", lem_json_number(o->measured), "expected", lem_json_number(o->expected),
        "stderr", lem_json_number(o->stderr_), "statistic_name", o->statistic_name, "statistic",
        lem_json_number(o->statistic), "limit", lem_json_number(o->limit), "false_alarm",
        recorded_false_alarm(info, check), "floor", info->floor, "floor_reason", info->floor_reason,
        "samples", samples > 0 ? json_real(samples) : json_null(), "points",
        (json_int_t)(check->kind == LEM_KIND_DISTRIBUTION || check->kind == LEM_KIND_EXPONENT ? 1 : check->n),
        "passed", passed, "falsifiers", falsifiers);
}

/* --- the TAP line */

static void print_numbers(FILE *out, lem_claim_kind kind, const lem_outcome *o) {
    char measured[LEM_FORMAT_SIZE], expected[LEM_FORMAT_SIZE];
    int digits = o->stderr_ > 0 ? lem_digits_of_error(o->expected, o->stderr_) + 1 : 10;
    if (o->stderr_ > 0)
        (void)lem_format_uncertain(measured, o->measured, o->stderr_);
    else
        (void)lem_format_digits(measured, o->measured, digits);
    (void)fprintf(out, "measured %s %s %s  %s=%.3g", measured,
                  kind == LEM_KIND_INEQUALITY ? "bound" : "theory",
                  lem_format_digits(expected, o->expected, digits), o->statistic_name, o->statistic);
}

static char *describe(const lem_claim_info *info, lem_claim_kind kind, const lem_outcome *o,
                      const lem_falsifier *falsifiers, const lem_outcome *rejections, size_t n) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    (void)fprintf(out, "%s  ", info->id);
    print_numbers(out, kind, o);
    for (size_t i = 0; i < n; i++)
        (void)fprintf(out, "; falsifier \"%s\" %s %s=%.3g", falsifiers[i].statement,
                      rejections[i].accepted ? "NOT rejected" : "rejected", rejections[i].statistic_name,
                      rejections[i].statistic);
    return fclose(out) == 0 ? text : NULL;
}

/* ------------------------------------------------------------------ */

/* What a reader of a failure needs, from the entry: texts quoted, numbers with 17 digits. */
static char *explain(const json_t *claim) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const char *key;
    json_t *value;
    if (!out)
        return NULL;
    json_object_foreach((json_t *)claim, key, value) {
        if (json_is_string(value))
            lem_tap_yaml_text(out, key, json_string_value(value));
        else if (json_is_number(value))
            (void)fprintf(out, "%s: %.17g\n", key, json_number_value(value));
    }
    return fclose(out) == 0 ? text : NULL;
}

static int record(lem_study *study, json_t *claim, const char *description, bool passed) {
    char *yaml = passed ? NULL : explain(claim);
    study->n_failed += !passed;
    lem_progress_clear(study);
    (void)lem_tap_result(passed, yaml, "%s", description);
    free(yaml);
    return json_array_append_new(study->claims, claim) == 0 ? GSL_SUCCESS
                                                            : LEM_ERROR(GSL_ENOMEM, "out of memory");
}

static int finish(lem_study *study, const char *place, const lem_claim_info *info, const lem_check *check,
                  const lem_outcome *o, const lem_falsifier *falsifiers, const lem_outcome *rejections,
                  size_t n) {
    bool passed = o->accepted;
    for (size_t i = 0; i < n; i++)
        passed = passed && !rejections[i].accepted;
    json_t *list = falsifiers_json(falsifiers, rejections, n);
    json_t *claim = list ? claim_json(info, check, o, passed, place, list) : NULL;
    char *description = describe(info, check->kind, o, falsifiers, rejections, n);
    int status = claim && description
                     ? record(study, claim, description, passed)
                     : LEM_ERROR(GSL_EINVAL, "claim %s: a text is not UTF-8, or memory is short", info->id);
    free(description);
    return status;
}

int lem_claim_at(lem_study *study, const char *file, int line, const lem_claim_info *info, lem_check check,
                 const lem_falsifier *falsifiers, size_t n_falsifiers) {
    char place[256];
    if (!study || !info)
        return LEM_ERROR(GSL_EFAULT, "study or info is a null pointer");
    LEM_TRY(refuse_info(study, info));
    if (!falsifiers || n_falsifiers == 0)
        return LEM_ERROR(GSL_EINVAL,
                         "claim %s: has no falsifier; a check that nothing can fail shows nothing", info->id);
    lem_outcome outcome, *rejections = calloc(n_falsifiers, sizeof *rejections);
    if (!rejections)
        return LEM_ERROR(GSL_ENOMEM, "out of memory");
    int status = run(info, "the check", &check, &outcome);
    if (!status)
        status = refuse_sample(info, &check, "the check");
    for (size_t i = 0; i < n_falsifiers && !status; i++) {
        status = run(info, "a falsifier", &falsifiers[i].check, &rejections[i]);
        if (!status)
            status = refuse_falsifier(info, &check, &falsifiers[i]);
    }
    (void)snprintf(place, sizeof place, "%s:%d", lem_source_relative(file), line);
    if (!status)
        status = finish(study, place, info, &check, &outcome, falsifiers, rejections, n_falsifiers);
    free(rejections);
    return status;
}

int lem_claim_skip(lem_study *study, const char *id, const char *statement, const char *reason) {
    if (!study || is_blank(statement) || is_blank(reason))
        return LEM_ERROR(GSL_EINVAL, "a skipped claim needs a study, a statement and a reason");
    LEM_TRY(refuse_id(study, id));
    json_t *entry = json_pack("{s:s, s:s, s:s}", "id", id, "statement", statement, "reason", reason);
    if (json_array_append_new(study->skips, entry) != 0)
        return LEM_ERROR(GSL_EINVAL, "claim %s: a text is not UTF-8, or memory is short", id);
    lem_progress_clear(study);
    lem_tap_skip(reason, "%s", id);
    return GSL_SUCCESS;
}
