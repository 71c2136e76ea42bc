#include "cli/records.h"
#include "cli/files.h"
#include "cli/paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *lem_member_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

const char *lem_claim_refutes(const json_t *claim) {
    if (strcmp(lem_member_text(claim, "verdict"), "refuted") != 0)
        return NULL;
    return lem_member_text(json_array_get(json_object_get(claim, "falsifiers"), 0), "statement");
}

const char *lem_claim_relation(const json_t *claim) {
    if (strcmp(lem_member_text(claim, "statistic_name"), "excess") != 0)
        return "";
    return lem_member_number(claim, "limit") < 0 ? "< " : "<= ";
}

double lem_member_number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* --- shape -------------------------------------------------------------------------------------------- */

static int check_strings(const json_t *object, const char *path, const char *what, const char *const *keys,
                         size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!json_is_string(json_object_get(object, keys[i])))
            return LEM_ERROR(GSL_EINVAL, "%s: %s lacks the text \"%s\"", path, what, keys[i]);
    return GSL_SUCCESS;
}

static int check_claim(const json_t *claim, const char *path) {
    static const char *const keys[] = {"id", "statement", "verdict", "source", "kind", "place"};
    const json_t *falsifiers = json_object_get(claim, "falsifiers");
    int status = check_strings(claim, path, "a claim", keys, 6);
    if (!status && json_array_size(falsifiers) == 0)
        return LEM_ERROR(GSL_EINVAL, "%s: the claim %s has no falsifier", path, lem_member_text(claim, "id"));
    return status;
}

static int check_unique(const json_t *list, const char *key, const char *path) {
    json_t *seen = json_object(), *item;
    size_t i;
    int status = GSL_SUCCESS;
    json_array_foreach(list, i, item) {
        const char *name = lem_member_text(item, key);
        if (json_object_get(seen, name))
            status = LEM_ERROR(GSL_EINVAL, "%s: \"%s\" appears twice", path, name);
        json_object_set_new(seen, name, json_true());
    }
    json_decref(seen);
    return status;
}

int lem_record_check(const json_t *study, const char *path) {
    static const char *const keys[] = {"study", "title", "version"};
    static const char *const figure_keys[] = {"name", "caption", "alt"};
    const json_t *claims = json_object_get(study, "claims"), *figures = json_object_get(study, "figures");
    size_t i;
    json_t *item;
    int status = json_is_object(study) ? check_strings(study, path, "the record", keys, 3)
                                       : LEM_ERROR(GSL_EINVAL, "%s: not an object", path);
    if (status)
        return status;
    if (!json_is_object(json_object_get(study, "values")) || !json_is_array(claims) ||
        !json_is_array(figures))
        return LEM_ERROR(GSL_EINVAL, "%s: needs \"values\" (object), \"claims\" and \"figures\" (arrays)",
                         path);
    json_array_foreach(claims, i, item) {
        if ((status = check_claim(item, path)))
            return status;
    }
    json_array_foreach(figures, i, item) {
        if ((status = check_strings(item, path, "a figure", figure_keys, 3)))
            return status;
    }
    status = check_unique(claims, "id", path);
    return status ? status : check_unique(figures, "name", path);
}

/* --- loading ------------------------------------------------------------------------------------------ */

static int load_study(lem_records *records, const char *name) {
    char *path = lem_text("%s/%s", records->directory, name);
    json_error_t error;
    json_t *study = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    int status = study ? lem_record_check(study, path)
                       : LEM_ERROR(GSL_EINVAL, "%s:%d: %s", path, error.line, error.text);
    size_t length = strlen(name) - strlen(".json");
    const char *said = study ? lem_member_text(study, "study") : "";
    if (!status && (strlen(said) != length || strncmp(said, name, length) != 0))
        status = LEM_ERROR(GSL_EINVAL, "%s: is of the study \"%s\"", path, said);
    if (status)
        json_decref(study);
    else
        records->studies[records->n++] = study;
    free(path);
    return status;
}

/* benchmarks.json holds one JSON object a line. */
static int load_benchmarks(lem_records *records) {
    char *path = lem_text("%s/benchmarks.json", records->directory);
    size_t size, number = 0;
    json_error_t error;
    int status = GSL_SUCCESS;
    char *text = lem_is_file(path) ? lem_read_file(path, &size) : lem_text("%s", "");
    for (const char *line = text ? text : ""; *line && !status;) {
        size_t length = strcspn(line, "\n");
        json_t *figure = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
        number++;
        if (figure)
            json_array_append_new(records->benchmarks, figure);
        else
            status = LEM_ERROR(GSL_EINVAL, "%s:%zu: %s", path, number, error.text);
        line += length + (line[length] != '\0');
    }
    if (!text)
        status = GSL_EFAILED;
    free(text);
    free(path);
    return status;
}

static int check_ids_across(const lem_records *records) {
    json_t *seen = json_object(), *claim;
    int status = GSL_SUCCESS;
    for (size_t s = 0; s < records->n; s++) {
        size_t i;
        json_array_foreach(json_object_get(records->studies[s], "claims"), i, claim) {
            const char *id = lem_member_text(claim, "id"), *other = lem_member_text(seen, id);
            if (*other)
                status = LEM_ERROR(GSL_EINVAL, "the claim %s is in both %s and %s", id, other,
                                   lem_member_text(records->studies[s], "study"));
            json_object_set_new(seen, id, json_string(lem_member_text(records->studies[s], "study")));
        }
    }
    json_decref(seen);
    return status;
}

int lem_records_load(lem_records *records, const char *given) {
    char **names;
    size_t n;
    *records = (lem_records){.directory = lem_records_directory(given), .benchmarks = json_array()};
    int status =
        records->directory ? lem_list_directory(records->directory, ".json", &names, &n) : GSL_EFAILED;
    if (status) {
        lem_records_free(records);
        return status;
    }
    records->studies = calloc(n + 1, sizeof(json_t *));
    status = records->studies ? GSL_SUCCESS : LEM_ERROR(GSL_ENOMEM, "no memory for %zu records", n);
    for (size_t i = 0; i < n && !status; i++)
        if (strcmp(names[i], "benchmarks.json") != 0)
            status = load_study(records, names[i]);
    lem_free_names(names, n);
    if (!status)
        status = load_benchmarks(records);
    if (!status)
        status = check_ids_across(records);
    if (status)
        lem_records_free(records);
    return status;
}

void lem_records_free(lem_records *records) {
    for (size_t i = 0; i < records->n; i++)
        json_decref(records->studies[i]);
    json_decref(records->benchmarks);
    free(records->studies);
    free(records->directory);
    *records = (lem_records){0};
}

/* --- finding ------------------------------------------------------------------------------------------ */

const json_t *lem_record_study(const lem_records *records, const char *study) {
    for (size_t i = 0; i < records->n; i++)
        if (strcmp(lem_member_text(records->studies[i], "study"), study) == 0)
            return records->studies[i];
    return NULL;
}

static const json_t *find_named(const json_t *list, const char *key, const char *name) {
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item) if (strcmp(lem_member_text(item, key), name) == 0) return item;
    return NULL;
}

const json_t *lem_record_claim(const lem_records *records, const char *id, const json_t **study) {
    for (size_t i = 0; i < records->n; i++) {
        const json_t *claim = find_named(json_object_get(records->studies[i], "claims"), "id", id);
        if (claim) {
            if (study)
                *study = records->studies[i];
            return claim;
        }
    }
    return NULL;
}

const json_t *lem_record_figure(const json_t *study, const char *name) {
    return find_named(json_object_get(study, "figures"), "name", name);
}

/* --- counting ----------------------------------------------------------------------------------------- */

void lem_count_claims(const json_t *study, lem_counts *counts) {
    size_t i;
    json_t *claim;
    json_array_foreach(json_object_get(study, "claims"), i, claim) {
        const char *verdict = lem_member_text(claim, "verdict");
        double false_alarm = lem_member_number(claim, "false_alarm");
        counts->claims++;
        counts->failed += json_is_false(json_object_get(claim, "passed"));
        counts->holds += strcmp(verdict, "holds") == 0;
        counts->holds_when += strcmp(verdict, "holds-when") == 0;
        counts->refuted += strcmp(verdict, "refuted") == 0;
        counts->falsifiers += json_array_size(json_object_get(claim, "falsifiers"));
        counts->false_alarm += isfinite(false_alarm) ? false_alarm : 0;
    }
    counts->skipped += json_array_size(json_object_get(study, "skipped"));
}

void lem_write_counts(FILE *out, const lem_counts *c) {
    (void)fprintf(out, "%zu claim%s: %zu hold%s", c->claims, c->claims == 1 ? "" : "s", c->holds,
                  c->holds == 1 ? "s" : "");
    if (c->holds_when)
        (void)fprintf(out, ", %zu hold%s in a stated regime", c->holds_when, c->holds_when == 1 ? "s" : "");
    if (c->refuted)
        (void)fprintf(out, ", %zu %s refuted", c->refuted, c->refuted == 1 ? "is" : "are");
    if (c->failed)
        (void)fprintf(out, ", %zu FAILED", c->failed);
    if (c->skipped)
        (void)fprintf(out, "; %zu skipped", c->skipped);
}
