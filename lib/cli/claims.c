/* lemmata list, claims and show: the claims of the recorded studies. */
#include "base/version.h"
#include "cli/build_paths.h"
#include "cli/cli.h"
#include "cli/describe.h"
#include "cli/near.h"
#include "cli/records.h"
#include "cli/registry.h"
#include "cli/render.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Parse the options every one of the three takes and load the records. Returns the number of words, or -1
 * with *exit_status set. */
static int begin(lem_cli *cli, const char *command, int most, int argc, char **argv, lem_records *records,
                 int *exit_status) {
    const lem_option options[] = {{"--records", NULL, &cli->records}};
    int words = lem_cli_options(command, argc, argv, options, 1);
    *exit_status = LEM_EXIT_USAGE;
    if (words < 0)
        return -1;
    if (words > most) {
        (void)lem_cli_fail(0, "%s: too many words: %s", command, argv[most]);
        return -1;
    }
    *exit_status = LEM_EXIT_FAILED;
    if (!lem_records_load(records, cli->records))
        return words;
    (void)lem_cli_fail(0, "%s", lem_last_error());
    return -1;
}

static int unknown_study(const lem_records *records, const char *name) {
    (void)lem_cli_fail(0, "no study %s is recorded in %s", name, records->directory);
    (void)fputs("allowed:", stderr);
    for (size_t i = 0; i < records->n; i++)
        (void)fprintf(stderr, " %s", lem_member_text(records->studies[i], "study"));
    (void)fputc('\n', stderr);
    return LEM_EXIT_USAGE;
}

int lem_command_list(lem_cli *cli, int argc, char **argv) {
    lem_records records;
    int exit_status;
    if (begin(cli, "list", 0, argc, argv, &records, &exit_status) < 0)
        return exit_status;
    for (size_t i = 0; i < records.n; i++) {
        lem_counts counts = {0};
        lem_count_claims(records.studies[i], &counts);
        (void)fprintf(cli->out, "%s\n    %s\n    ", lem_member_text(records.studies[i], "study"),
                      lem_member_text(records.studies[i], "title"));
        lem_write_counts(cli->out, &counts);
        (void)fputc('\n', cli->out);
    }
    if (!records.n)
        (void)fprintf(stderr, "lemmata: no study is recorded in %s\n", records.directory);
    lem_records_free(&records);
    return LEM_EXIT_OK;
}

static void print_claim_line(FILE *out, const json_t *claim) {
    const char *refuted = lem_claim_refutes(claim);
    (void)fprintf(out, "%-34s %-10s %s%s%s%s\n", lem_member_text(claim, "id"),
                  lem_member_text(claim, "verdict"),
                  json_is_false(json_object_get(claim, "passed")) ? "FAILED: " : "", refuted ? refuted : "",
                  refuted ? "; instead: " : "", lem_member_text(claim, "statement"));
}

int lem_command_claims(lem_cli *cli, int argc, char **argv) {
    lem_records records;
    int exit_status, words = begin(cli, "claims", 1, argc, argv, &records, &exit_status);
    if (words < 0)
        return exit_status;
    const json_t *only = words ? lem_record_study(&records, argv[0]) : NULL;
    exit_status = words && !only ? unknown_study(&records, argv[0]) : LEM_EXIT_OK;
    for (size_t i = 0; i < records.n && !exit_status; i++) {
        size_t k;
        json_t *claim;
        if (only && records.studies[i] != only)
            continue;
        json_array_foreach(json_object_get(records.studies[i], "claims"), k, claim)
            print_claim_line(cli->out, claim);
        json_array_foreach(json_object_get(records.studies[i], "skipped"), k, claim)(void)
            fprintf(cli->out, "%-34s %-10s %s (%s)\n", lem_member_text(claim, "id"), "skipped",
                    lem_member_text(claim, "statement"), lem_member_text(claim, "reason"));
    }
    lem_records_free(&records);
    return exit_status;
}

/* --- show --------------------------------------------------------------------------------------------- */

static void row(FILE *out, const char *name, const char *text) {
    if (*text)
        (void)fprintf(out, "%-12s %s\n", name, text);
}

static void print_evidence(FILE *out, const json_t *claim) {
    double false_alarm = lem_member_number(claim, "false_alarm"), floor = lem_member_number(claim, "floor");
    const char *statistic = lem_member_text(claim, "statistic_name");
    (void)fprintf(out, "%-12s ", "measured");
    lem_write_number(out, lem_member_number(claim, "measured"), lem_member_number(claim, "stderr"));
    (void)fprintf(out, "\n%-12s %s", "expected", lem_claim_relation(claim));
    lem_write_number(out, lem_member_number(claim, "expected"), 0);
    (void)fprintf(out, "\n%-12s %s ", "check", *statistic ? statistic : "statistic");
    lem_write_statistic(out, lem_member_number(claim, "statistic"));
    const double limit = lem_member_number(claim, "limit");
    if (limit < 0 && limit > -DBL_MIN) {
        (void)fputs(", must be below 0", out);
    } else {
        (void)fputs(", limit ", out);
        lem_write_statistic(out, limit);
    }
    (void)fprintf(out, ": %s\n", json_is_false(json_object_get(claim, "passed")) ? "FAILED" : "accepted");
    if (false_alarm > 0) {
        (void)fprintf(out, "%-12s ", "false alarm");
        lem_write_number(out, false_alarm, 0);
        (void)fputs(": how often the check would reject a true statement\n", out);
    } else {
        (void)fprintf(out, "%-12s none: nothing random is in the check\n", "false alarm");
    }
    if (floor > 0)
        (void)fprintf(out, "%-12s %.17g samples; %s\n", "floor", floor,
                      lem_member_text(claim, "floor_reason"));
}

static void print_falsifiers(FILE *out, const json_t *claim) {
    size_t i;
    json_t *falsifier;
    json_array_foreach(json_object_get(claim, "falsifiers"), i, falsifier) {
        (void)fprintf(out, "%-12s \"%s\" %s, statistic ", "falsifier",
                      lem_member_text(falsifier, "statement"),
                      json_is_true(json_object_get(falsifier, "rejected")) ? "rejected" : "NOT REJECTED");
        lem_write_statistic(out, lem_member_number(falsifier, "statistic"));
        (void)fputc('\n', out);
    }
}

/* Formulas that say they rest under this claim, or under the one it is a part of ("jl.distance.simplex"). */
static void print_formulas(FILE *out, const char *id) {
    for (const lem_formula_table *const *table = lem_formula_tables; *table; table++) {
        for (size_t i = 0; i < (*table)->count; i++) {
            const lem_formula *f = &(*table)->formulas[i];
            for (const char *word = f->claims; *word;) {
                size_t length = strcspn(word, " ");
                bool same = strncmp(word, id, length) == 0 && (!id[length] || id[length] == '.');
                if (length && same) {
                    (void)fprintf(out, "%-12s ", "formula");
                    lem_formula_signature(out, f);
                    (void)fputc('\n', out);
                }
                word += length + (word[length] != '\0');
            }
        }
    }
}

/* TeX sets < > | right only in a formula; a run of them shares one. */
static void put_bibtex(FILE *out, const char *text) {
    for (; *text; text++) {
        size_t relations = strspn(text, "<>|");
        if (relations) {
            (void)fprintf(out, "$%.*s$", (int)relations, text);
            text += relations - 1;
        } else if (*text == '\\') {
            (void)fputs("\\textbackslash{}", out);
        } else if (*text == '^' || *text == '~') {
            (void)fprintf(out, "\\%c{}", *text);
        } else if (strchr("{}%#&_$", *text)) {
            (void)fprintf(out, "\\%c", *text);
        } else {
            (void)fputc(*text, out);
        }
    }
}

static void print_bibtex(FILE *out, const json_t *claim, const json_t *study) {
    const char *id = lem_member_text(claim, "id"), *refuted = lem_claim_refutes(claim);
    (void)fputs("\ncite as\n\n@misc{lemmata:", out);
    for (const char *c = id; *c; c++)
        (void)fputc(*c == '.' ? '-' : *c, out);
    (void)fputs(",\n  author  = {{The lemmata developers}},\n  title   = {{lemmata}: claim ", out);
    put_bibtex(out, id);
    (void)fputs(" (", out);
    put_bibtex(out, lem_member_text(claim, "verdict"));
    (void)fprintf(out, ")},\n  year    = {%s},\n  version = {", LEM_RELEASE_YEAR);
    put_bibtex(out, lem_member_text(study, "version"));
    (void)fputs("},\n  note    = {Study ", out);
    put_bibtex(out, lem_member_text(study, "study"));
    (void)fputs(". ", out);
    if (refuted) {
        (void)fputs("Refuted: ", out);
        put_bibtex(out, refuted);
        (void)fputs(". Instead: ", out);
    }
    put_bibtex(out, lem_member_text(claim, "statement"));
    (void)fputs(". After: ", out);
    put_bibtex(out, lem_member_text(claim, "source"));
    (void)fputs(". Checked in ", out);
    put_bibtex(out, lem_member_text(claim, "place"));
    (void)fputs("}\n}\n", out);
}

static void print_claim(FILE *out, const json_t *claim, const json_t *study) {
    const char *id = lem_member_text(claim, "id"), *check = lem_member_text(claim, "check");
    (void)fprintf(out, "%s: %s\n\n", id, lem_member_text(claim, "verdict"));
    const char *refuted = lem_claim_refutes(claim);
    if (refuted)
        row(out, "refuted", refuted);
    row(out, refuted ? "instead" : "statement", lem_member_text(claim, "statement"));
    row(out, refuted ? "correction" : "regime", lem_member_text(claim, "note"));
    row(out, "source", lem_member_text(claim, "source"));
    row(out, "code", lem_member_text(claim, "place"));
    (void)fprintf(out, "%-12s %s: %s (version %s)\n", "study", lem_member_text(study, "study"),
                  lem_member_text(study, "title"), lem_member_text(study, "version"));
    (void)fprintf(out, "%-12s %s", "kind", lem_member_text(claim, "kind"));
    if (*check && strcmp(check, lem_member_text(claim, "kind")) != 0)
        (void)fprintf(out, " (checked as %s)", check);
    (void)fputc('\n', out);
    print_evidence(out, claim);
    print_falsifiers(out, claim);
    print_formulas(out, id);
    print_bibtex(out, claim, study);
}

static const json_t *find_skipped(const lem_records *records, const char *id) {
    for (size_t s = 0; s < records->n; s++) {
        size_t i;
        json_t *claim;
        json_array_foreach(json_object_get(records->studies[s], "skipped"), i, claim) {
            if (strcmp(lem_member_text(claim, "id"), id) == 0)
                return claim;
        }
    }
    return NULL;
}

static int unknown_claim(const lem_records *records, const char *id) {
    size_t i, near = 0;
    json_t *claim;
    (void)lem_cli_fail(0, "no claim %s is recorded in %s", id, records->directory);
    for (int suggest = 1; suggest >= 0; suggest--) {
        for (size_t s = 0; s < records->n; s++) {
            json_array_foreach(json_object_get(records->studies[s], "claims"), i, claim) {
                const char *name = lem_member_text(claim, "id");
                if (suggest && !lem_is_near(id, name))
                    continue;
                (void)fprintf(stderr, "%s %s", near++ ? "" : suggest ? "did you mean" : "allowed:", name);
            }
        }
        if (near) {
            (void)fputs(suggest ? "?\n" : "\n", stderr);
            break;
        }
    }
    return LEM_EXIT_USAGE;
}

int lem_command_show(lem_cli *cli, int argc, char **argv) {
    lem_records records;
    int exit_status, words = begin(cli, "show", 1, argc, argv, &records, &exit_status);
    if (words < 0)
        return exit_status;
    const json_t *study, *claim = words ? lem_record_claim(&records, argv[0], &study) : NULL;
    const json_t *skipped = words && !claim ? find_skipped(&records, argv[0]) : NULL;
    exit_status = LEM_EXIT_OK;
    if (!words)
        exit_status = lem_cli_fail(LEM_EXIT_USAGE, "show: name a claim; lemmata claims lists them");
    else if (claim)
        print_claim(cli->out, claim, study);
    else if (skipped)
        (void)fprintf(cli->out, "%s: skipped\n\n%-12s %s\n%-12s %s\n", argv[0], "statement",
                      lem_member_text(skipped, "statement"), "reason", lem_member_text(skipped, "reason"));
    else
        exit_status = unknown_claim(&records, argv[0]);
    lem_records_free(&records);
    return exit_status;
}
