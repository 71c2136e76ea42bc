/* The records of the studies: notebooks-md/results/<study>.json, written by `lemmata record`, read by all
 * else.
 *
 * Looked for in --records DIR, $LEMMATA_RECORDS, the source tree the program was built in (for a program run
 * from its build tree), and the installed <datadir>/lemmata/records. */
#ifndef LEM_CLI_RECORDS_H
#define LEM_CLI_RECORDS_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>

typedef struct {
    char *directory;
    size_t n;
    json_t **studies;   /* each the object of one record, in the order of their names */
    json_t *benchmarks; /* array of the lines of benchmarks.json; empty when there is none */
} lem_records;

/* Load every record. An unreadable or malformed one, a claim id or figure used twice, is an error. `given`:
 * of
 * --records, or NULL. */
int lem_records_load(lem_records *records, const char *given);
void lem_records_free(lem_records *records);

/* NULL when there is none. */
const json_t *lem_record_study(const lem_records *records, const char *study);
const json_t *lem_record_claim(const lem_records *records, const char *id, const json_t **study);
const json_t *lem_record_figure(const json_t *study, const char *name);

/* Check the shape of one record or results.json: what the rest of the program relies on. */
int lem_record_check(const json_t *study, const char *path);

/* A string member, "" when it is absent or null. */
const char *lem_member_text(const json_t *object, const char *key);

/* What a refuted claim refutes, the published statement: its first falsifier, while its own statement is what
 * holds in its place. NULL for the other verdicts. */
const char *lem_claim_refutes(const json_t *claim);

/* What stands before the expected value: of an exact inequality, whose measured side is the smaller one, "<=
 * " or
 * "< "; else nothing. */
const char *lem_claim_relation(const json_t *claim);
/* A number member, NaN when it is absent or null. */
double lem_member_number(const json_t *object, const char *key);

/* How many claims of a study have each verdict; skipped ones are not among `claims`. */
typedef struct {
    size_t claims, holds, holds_when, refuted, failed, skipped, falsifiers;
    double false_alarm; /* sum over its claims */
} lem_counts;
void lem_count_claims(const json_t *study, lem_counts *counts); /* adds to *counts */
/* "5 claims: 3 hold, 1 holds in a stated regime, 1 refuted" */
void lem_write_counts(FILE *out, const lem_counts *counts);

#endif
