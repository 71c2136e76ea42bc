/* Registering claims: what passes, what fails, what is refused, and what the two records of a claim say. */
#include "study/runtime.h"

#include "tap/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static lem_study study;
static char *printed;
static size_t printed_size;
static FILE *stream;

static void begin(void) {
    static const lem_study_spec spec = {"test", "A test", NULL, 0};
    lem_options options = {.seed = 1, .scale = 1, .quiet = true};
    LEM_CHECK(lem_study_begin(&study, &spec, &options) == 0, "%s", lem_last_error());
    stream = open_memstream(&printed, &printed_size);
    lem_tap_open_stream(stream);
}

static void finish(const char *expected) {
    (void)lem_tap_close_stream();
    (void)fclose(stream);
    LEM_CHECK(strcmp(printed, expected) == 0, "printed\n%s\nexpected\n%s", printed, expected);
    free(printed);
    lem_study_end(&study);
}

static const double one[] = {1}, two[] = {2}, bound[] = {0.125}, wide[] = {10}, narrow[] = {0.0625};
static const double four_nines[] = {0.9999};
static const uint64_t hits[] = {300}, trials[] = {1000};
static const double third[] = {0.3}, half[] = {0.5};

static lem_claim_info info(const char *id) {
    return (lem_claim_info){.id = id, .statement = "1 = 1", .source = "arithmetic"};
}

static lem_claim_info sampled(const char *id) {
    lem_claim_info i = info(id);
    i.floor = 1000;
    i.floor_reason = "0.2 is 13 standard errors at 1000";
    return i;
}

static int claim(lem_claim_info i, lem_check check, const char *statement, lem_check wrong) {
    lem_falsifier falsifier = {statement, wrong};
    return lem_claim_at(&study, "../lib/study/x.c", 7, &i, check, &falsifier, 1);
}

static const json_t *entry(size_t i) {
    return json_array_get(study.claims, i);
}

static const char *text_of(const json_t *json, const char *key) {
    const char *text = json_string_value(json_object_get(json, key));
    return text ? text : "(none)";
}

static void test_pass(void) {
    begin();
    LEM_CHECK(claim(info("a.b-c"), lem_identity(1, one, one, bound), "1 = 2",
                    lem_identity(1, one, two, bound)) == 0,
              "%s", lem_last_error());
    LEM_CHECK(claim(sampled("p"), lem_probability(1, hits, trials, third), "p # is 1/2",
                    lem_probability(1, hits, trials, half)) == 0,
              "%s", lem_last_error());
    LEM_CHECK(study.n_failed == 0, "none failed");
    const json_t *c = entry(0);
    LEM_CHECK(json_is_true(json_object_get(c, "passed")), "recorded as passed");
    LEM_CHECK(!strcmp(text_of(c, "place"), "lib/study/x.c:7"), "place is %s", text_of(c, "place"));
    LEM_CHECK(!strcmp(text_of(c, "kind"), "identity") && !strcmp(text_of(c, "verdict"), "holds"),
              "kind and verdict");
    LEM_CHECK(json_number_value(json_object_get(c, "false_alarm")) == 0, "nothing random: no false alarms");
    LEM_CHECK(json_number_value(json_object_get(entry(1), "false_alarm")) == 1e-6, "the default rate");
    LEM_CHECK(json_number_value(json_object_get(entry(1), "floor")) == 1000, "the floor");
    LEM_CHECK(json_number_value(json_object_get(entry(1), "samples")) == 1000, "the sample");
    const json_t *f = json_array_get(json_object_get(entry(1), "falsifiers"), 0);
    LEM_CHECK(json_is_true(json_object_get(f, "rejected")), "the falsifier is recorded as rejected");
    LEM_CHECK(json_number_value(json_object_get(f, "statistic")) > 12, "with its statistic");
    finish("ok 1 - a.b-c  measured 1 theory 1  error/bound=0; falsifier \"1 = 2\" rejected error/bound=4\n"
           "ok 2 - p  measured 0.300(14) theory 0.3  z=0; falsifier \"p \\# is 1/2\" rejected z=12.8\n");
}

static void test_fail(void) {
    begin();
    LEM_CHECK(claim(info("wrong"), lem_identity(1, one, two, bound), "1 = 10",
                    lem_identity(1, one, wide, bound)) == 0,
              "a claim that fails is no error: %s", lem_last_error());
    LEM_CHECK(claim(info("weak"), lem_identity(1, one, one, bound), "1 = 0.9999",
                    lem_identity(1, one, four_nines, bound)) == 0,
              "a falsifier that is not rejected is no error: %s", lem_last_error());
    LEM_CHECK(study.n_failed == 2, "both failed: %zu", study.n_failed);
    for (size_t i = 0; i < 2; i++)
        LEM_CHECK(json_is_false(json_object_get(entry(i), "passed")), "recorded as failed");
    (void)lem_tap_close_stream();
    (void)fclose(stream);
    LEM_CHECK(strstr(printed,
                     "not ok 1 - wrong  measured 1 theory 2  error/bound=4; falsifier \"1 = 10\" rejected") &&
                  strstr(printed, "not ok 2 - weak  ") && strstr(printed, "\"1 = 0.9999\" NOT rejected"),
              "%s", printed);
    LEM_CHECK(strstr(printed, "  ---\n  id: \"wrong\"\n  statement: \"1 = 1\"\n") &&
                  strstr(printed, "\n  ...\n"),
              "a YAML block explains: %s", printed);
    free(printed);
    lem_study_end(&study);
}

/* One falsifier that survives among several is enough to fail. */
static void test_every_falsifier_counts(void) {
    begin();
    lem_claim_info i = info("several");
    lem_falsifier list[] = {{"1 = 2", lem_identity(1, one, two, bound)},
                            {"1 = 0.9999", lem_identity(1, one, four_nines, bound)},
                            {"1 = 10", lem_identity(1, one, wide, bound)}};
    LEM_CHECK(lem_claim(&study, &i, lem_identity(1, one, one, bound), list, 3) == 0, "%s", lem_last_error());
    LEM_CHECK(study.n_failed == 1, "failed");
    LEM_CHECK(json_array_size(json_object_get(entry(0), "falsifiers")) == 3, "all are recorded");
    LEM_CHECK(!strncmp(text_of(entry(0), "place"), "tests/study/test_claim.c:", 25), "place is %s",
              text_of(entry(0), "place"));
    (void)lem_tap_close_stream();
    (void)fclose(stream);
    free(printed);
    lem_study_end(&study);
}

static void test_verdicts(void) {
    begin();
    lem_claim_info refuted = info("r"), regime = info("h");
    refuted.verdict = LEM_REFUTED;
    refuted.note = "it is 1, not 2";
    regime.verdict = LEM_HOLDS_WHEN;
    regime.note = "for small n";
    LEM_CHECK(claim(refuted, lem_identity(1, one, one, bound), "published: 2",
                    lem_identity(1, one, two, bound)) == 0,
              "%s", lem_last_error());
    LEM_CHECK(claim(regime, lem_identity(1, one, one, bound), "2", lem_identity(1, one, two, bound)) == 0,
              "%s", lem_last_error());
    LEM_CHECK(!strcmp(text_of(entry(0), "kind"), "refutation") &&
                  !strcmp(text_of(entry(0), "check"), "identity") &&
                  !strcmp(text_of(entry(0), "verdict"), "refuted") &&
                  !strcmp(text_of(entry(0), "note"), "it is 1, not 2"),
              "a refutation, by an identity");
    LEM_CHECK(!strcmp(text_of(entry(1), "kind"), "identity") &&
                  !strcmp(text_of(entry(1), "verdict"), "holds-when"),
              "a regime");
    (void)lem_tap_close_stream();
    (void)fclose(stream);
    free(printed);
    lem_study_end(&study);
}

static void test_refusals(void) {
    lem_check right = lem_identity(1, one, one, bound), wrong = lem_identity(1, one, two, bound);
    lem_check p = lem_probability(1, hits, trials, third), q = lem_probability(1, hits, trials, half);
    static const double nan[] = {NAN};
    begin();
    lem_claim_info i = info("bare");
    LEM_CHECK_ERROR(lem_claim(&study, &i, right, NULL, 0), "bare|no falsifier");
    LEM_CHECK_ERROR(claim(info(NULL), right, "f", wrong), "id");
    LEM_CHECK_ERROR(claim(info("a b"), right, "f", wrong), "a b|words");
    LEM_CHECK_ERROR(claim(info("a..b"), right, "f", wrong), "a..b|words");
    LEM_CHECK_ERROR(claim(info("a."), right, "f", wrong), "words");
    i = info("x"), i.statement = " ";
    LEM_CHECK_ERROR(claim(i, right, "f", wrong), "x|statement");
    i = info("x"), i.source = NULL;
    LEM_CHECK_ERROR(claim(i, right, "f", wrong), "x|source");
    i = info("x"), i.verdict = LEM_HOLDS_WHEN;
    LEM_CHECK_ERROR(claim(i, right, "f", wrong), "x|holds-when|note|regime");
    i = info("x"), i.verdict = LEM_REFUTED, i.note = "";
    LEM_CHECK_ERROR(claim(i, right, "f", wrong), "x|refuted|note|correction");
    i = info("x"), i.verdict = (lem_verdict)9;
    LEM_CHECK_ERROR(claim(i, right, "f", wrong), "x|verdict 9");
    static const double rates[] = {-1e-6, 0.11, NAN, INFINITY};
    for (size_t r = 0; r < 4; r++) {
        i = sampled("x"), i.false_alarm = rates[r];
        LEM_CHECK_ERROR(claim(i, p, "f", q), "x|false_alarm|(0, 0.1]");
    }
    i = sampled("x"), i.floor = 0;
    LEM_CHECK_ERROR(claim(i, p, "f", q), "x|floor");
    i = sampled("x"), i.floor_reason = NULL;
    LEM_CHECK_ERROR(claim(i, p, "f", q), "x|floor_reason");
    i = sampled("x"), i.floor = NAN;
    LEM_CHECK_ERROR(claim(i, p, "f", q), "x|floor = nan");
    i = sampled("x"), i.floor = 1001;
    LEM_CHECK_ERROR(claim(i, p, "f", q), "x|1000|below the floor 1001");
    i = sampled("x");
    LEM_CHECK_ERROR(claim(i, p, "f", lem_probability(1, (uint64_t[]){1}, (uint64_t[]){10}, half)),
                    "x|falsifier|10|below the floor 1000");
    LEM_CHECK_ERROR(claim(sampled("x"), lem_expectation_z(1, one, bound, one), "f",
                          lem_expectation_z(1, one, bound, two)),
                    "x|unknown|lem_check_of");
    LEM_CHECK_ERROR(claim(sampled("x"), p, "f", wrong), "x|\"f\"|another kind");
    LEM_CHECK_ERROR(claim(info("x"), right, "f", lem_identity_abs(1, one, two, bound)), "another kind");
    LEM_CHECK_ERROR(
        claim(info("x"), lem_inequality(1, one, two, NULL), "f", lem_inequality_strict(1, one, one, NULL)),
        "another kind");
    LEM_CHECK_ERROR(claim(info("x"), right, NULL, wrong), "x|without a statement");
    LEM_CHECK_ERROR(claim(info("x"), right, "f", lem_identity(1, one, two, narrow)), "x|\"f\"|tighter");
    LEM_CHECK_ERROR(
        claim(info("x"), lem_inequality(1, one, two, bound), "f", lem_inequality(1, two, one, NULL)),
        "tighter");
    static const double copy[] = {1};
    LEM_CHECK_ERROR(claim(info("x"), right, "f", lem_identity(1, copy, copy, bound)),
                    "x|\"f\"|the claim itself");
    static const uint64_t hits_copy[] = {300};
    LEM_CHECK_ERROR(claim(sampled("x"), p, "f", lem_probability(1, hits_copy, trials, third)),
                    "the claim itself");
    LEM_CHECK_ERROR(claim(info("x"), lem_identity(1, nan, one, bound), "f", wrong), "x|NaN");
    LEM_CHECK_ERROR(claim(info("x"), right, "f", lem_identity(1, nan, one, bound)), "x|falsifier|NaN");
    LEM_CHECK_ERROR(claim(info("x"), right, "\xff", wrong), "x|UTF-8");
    LEM_CHECK_ERROR(lem_claim_at(NULL, "", 0, &i, right, NULL, 0), "null pointer");
    LEM_CHECK(json_array_size(study.claims) == 0 && study.n_failed == 0, "nothing refused was recorded");
    finish("");
}

static void test_duplicates(void) {
    lem_check right = lem_identity(1, one, one, bound), wrong = lem_identity(1, one, two, bound);
    begin();
    LEM_CHECK(claim(info("d"), right, "f", wrong) == 0, "%s", lem_last_error());
    LEM_CHECK_ERROR(claim(info("d"), right, "f", wrong), "d|twice");
    LEM_CHECK_ERROR(lem_claim_skip(&study, "d", "s", "no data"), "d|twice");
    LEM_CHECK(lem_claim_skip(&study, "e", "s", "no # data") == 0, "%s", lem_last_error());
    LEM_CHECK_ERROR(claim(info("e"), right, "f", wrong), "e|twice");
    LEM_CHECK_ERROR(lem_claim_skip(&study, "g", "s", ""), "reason");
    LEM_CHECK(json_array_size(study.skips) == 1, "the skip is recorded");
    finish("ok 1 - d  measured 1 theory 1  error/bound=0; falsifier \"f\" rejected error/bound=4\n"
           "ok 2 - e # SKIP no \\# data\n");
}

/* The level is part of the outcome: what 1e-6 lets pass, 0.1 rejects. */
static void test_level(void) {
    static const uint64_t many[] = {330};
    lem_claim_info i = sampled("strict");
    begin();
    i.false_alarm = 0.1;
    LEM_CHECK(
        claim(i, lem_probability(1, many, trials, third), "f", lem_probability(1, many, trials, half)) == 0,
        "%s", lem_last_error());
    LEM_CHECK(claim(sampled("lax"), lem_probability(1, many, trials, third), "f",
                    lem_probability(1, many, trials, half)) == 0,
              "%s", lem_last_error());
    LEM_CHECK(json_is_false(json_object_get(entry(0), "passed")), "2.1 standard errors at 0.1");
    LEM_CHECK(json_is_true(json_object_get(entry(1), "passed")), "... at 1e-6");
    (void)lem_tap_close_stream();
    (void)fclose(stream);
    free(printed);
    lem_study_end(&study);
}

/* --- values, notes, streams, samples */

static void test_values(void) {
    begin();
    LEM_CHECK(lem_value_exact(&study, "a.b", 1.5, 17, "s") == 0, "%s", lem_last_error());
    LEM_CHECK(lem_value_estimate(&study, "a.c", 1.2345, 0.0012, NULL) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_value_scaled(&study, "a.d", -3, 1, "") == 0, "%s", lem_last_error());
    LEM_CHECK_ERROR(lem_value_exact(&study, "a.b", 2, 3, ""), "a.b|twice");
    LEM_CHECK_ERROR(lem_value_exact(&study, "x", NAN, 3, ""), "x|nan");
    LEM_CHECK_ERROR(lem_value_exact(&study, "x", INFINITY, 3, ""), "x|inf");
    LEM_CHECK_ERROR(lem_value_exact(&study, "x", 1, 0, ""), "x|digits = 0|1..17");
    LEM_CHECK_ERROR(lem_value_exact(&study, "x", 1, 18, ""), "x|digits = 18|1..17");
    LEM_CHECK_ERROR(lem_value_exact(&study, "x y", 1, 3, ""), "x y");
    LEM_CHECK_ERROR(lem_value_exact(&study, "", 1, 3, ""), "key");
    LEM_CHECK_ERROR(lem_value_exact(&study, "x", 1, 3, "\xff"), "x|UTF-8");
    static const double bad[] = {0, -1, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++)
        LEM_CHECK_ERROR(lem_value_estimate(&study, "x", 1, bad[i], ""), "x|standard error");
    LEM_CHECK(json_object_size(study.values) == 3, "nothing refused was recorded");
    const json_t *c = json_object_get(study.values, "a.c");
    LEM_CHECK(json_integer_value(json_object_get(c, "digits")) == 5, "1.2345(12) has five digits");
    finish("");
}

static void test_streams(void) {
    lem_stream a, b;
    begin();
    LEM_CHECK(lem_study_stream(&study, "vectors", 0, &a) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_study_stream(&study, "vectors", 1, &b) == 0, "%s", lem_last_error());
    LEM_CHECK(lem_uniform(&a) != lem_uniform(&b), "chunks differ");
    LEM_CHECK_ERROR(lem_study_stream(&study, "vectors", 1, &b), "vectors|chunk 1|twice");
    LEM_CHECK_ERROR(lem_study_mc(&study, "vectors", (lem_mc_plan){.samples = 1}, NULL), "vectors|twice");
    LEM_CHECK_ERROR(lem_study_stream(&study, "", 1, &b), "purpose");
    /* These two have one FNV-1a hash. */
    LEM_CHECK(lem_stream_id("costarring") == lem_stream_id("liquid"), "a known collision");
    LEM_CHECK(lem_study_stream(&study, "costarring", 0, &a) == 0, "%s", lem_last_error());
    LEM_CHECK_ERROR(lem_study_stream(&study, "liquid", 5, &b), "costarring|liquid|same hash");
    for (uint32_t chunk = 10; chunk < 3000; chunk++)
        if (lem_study_stream(&study, "vectors", chunk, &a) != 0 && !LEM_CHECK(false, "%s", lem_last_error()))
            break;
    LEM_CHECK_ERROR(lem_study_stream(&study, "vectors", 2999, &b), "twice");
    finish("");
}

static void test_samples(void) {
    begin();
    study.options.scale = 0.1;
    LEM_CHECK(lem_study_samples(&study, 1001, 0) == 101, "rounded up");
    LEM_CHECK(lem_study_samples(&study, 1000, 500) == 500, "never below the floor");
    study.options.scale = 1;
    LEM_CHECK(lem_study_samples(&study, 1000, 500) == 1000, "full");
    LEM_CHECK(!strcmp(lem_study_data_folder(&study, "/usr/share"), "/usr/share"), "the fallback");
    finish("");
}

static void test_places(void) {
    static const char *const table[][2] = {
        {"../studies/jl-projection/study.c", "studies/jl-projection/study.c"},
        {"studies/lib/x.c", "studies/lib/x.c"},
        {"/home/u/lemmata/lib/study/x.c", "lib/study/x.c"},
        {"../../x.c", "x.c"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        LEM_CHECK(!strcmp(lem_source_relative(table[i][0]), table[i][1]), "%s gives %s", table[i][0],
                  lem_source_relative(table[i][0]));
}

static const lem_tap_case cases[] = {
    {"claims that pass", test_pass},
    {"claims that fail", test_fail},
    {"every falsifier counts", test_every_falsifier_counts},
    {"verdicts", test_verdicts},
    {"refusals", test_refusals},
    {"duplicate ids, skips", test_duplicates},
    {"the level is used", test_level},
    {"values", test_values},
    {"streams", test_streams},
    {"sample sizes", test_samples},
    {"source places", test_places},
};
LEM_TAP_MAIN(cases)
