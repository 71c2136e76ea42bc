/* The emitter against stored exact output: what TAP 13 consumers see must not change by accident. */
#include "tap/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t size;
static FILE *stream;

static void begin(void) {
    stream = open_memstream(&text, &size);
    lem_tap_open_stream(stream);
}

static void finish(int status, const char *expected) {
    int found = lem_tap_close_stream();
    (void)fclose(stream);
    LEM_CHECK(found == status, "status %d, expected %d", found, status);
    LEM_CHECK(strcmp(text, expected) == 0, "printed\n%s\nexpected\n%s", text, expected);
    free(text);
}

static void test_points(void) {
    begin();
    lem_tap_plan(3);
    bool ok = lem_tap_result(true, "unused: 1", "first %d", 1);
    lem_tap_skip("no data", "second");
    lem_tap_diag("one line\nanother");
    bool also = lem_tap_result(true, NULL, "third");
    finish(0, "TAP version 13\n1..3\nok 1 - first 1\nok 2 - second # SKIP no data\n# one line\n# another\n"
              "ok 3 - third\n");
    LEM_CHECK(ok && also, "a result hands back its truth");
}

static void test_failure(void) {
    begin();
    lem_tap_plan(2);
    bool ok = lem_tap_result(false, "at: x.c:1\nsaid: it is \"no\"\n", "wrong");
    (void)lem_tap_result(false, NULL, "wrong again");
    finish(1, "TAP version 13\n1..2\nnot ok 1 - wrong\n  ---\n  at: x.c:1\n  said: it is \"no\"\n  ...\n"
              "not ok 2 - wrong again\n");
    LEM_CHECK(!ok, "a result hands back its truth");
}

/* A directive or a line of its own must not be made by what a description happens to say. */
static void test_escapes(void) {
    begin();
    lem_tap_plan(2);
    (void)lem_tap_result(true, NULL, "%s", "a # SKIP b \\ c\nnot ok 9\r");
    lem_tap_skip("a # b\nc", "d # TODO");
    finish(0, "TAP version 13\n1..2\nok 1 - a \\# SKIP b \\\\ c\\nnot ok 9\\n\nok 2 - d \\# TODO # SKIP a "
              "\\# b\\nc\n");
}

static void test_plans(void) {
    begin();
    lem_tap_plan(2);
    (void)lem_tap_result(true, NULL, "one of two");
    finish(1, "TAP version 13\n1..2\nok 1 - one of two\n");
    begin();
    lem_tap_begin();
    (void)lem_tap_result(true, NULL, "early");
    size_t done = lem_tap_done();
    lem_tap_plan(done);
    finish(0, "TAP version 13\nok 1 - early\n1..1\n");
    begin();
    lem_tap_begin();
    finish(1, "TAP version 13\n"); /* no plan */
    begin();
    lem_tap_skip_all("no %s", "compiler");
    finish(0, "TAP version 13\n1..0 # SKIP no compiler\n");
}

/* Meson takes a bail-out before the plan for a skip: the plan comes first. */
static void test_bail_out(void) {
    begin();
    lem_tap_say_bail_out("disk # full\n");
    finish(1, "TAP version 13\n1..1\nBail out! disk \\# full\\n\n");
    begin();
    lem_tap_begin();
    (void)lem_tap_result(true, NULL, "one");
    (void)lem_tap_result(true, NULL, "two");
    lem_tap_say_bail_out("enough");
    finish(1, "TAP version 13\nok 1 - one\nok 2 - two\n1..2\nBail out! enough\n");
}

static void test_yaml(void) {
    begin();
    lem_tap_yaml_text(stream, "  said", "a \"b\" \\ c: d # e\nf\r");
    finish(1, "  said: \"a \\\"b\\\" \\\\ c: d # e\\nf\"\n");
}

static void test_full_disk(void) {
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        LEM_SKIP("no /dev/full here");
    lem_tap_open_stream(full);
    lem_tap_plan(1);
    (void)lem_tap_result(true, NULL, "lost");
    int status = lem_tap_close_stream();
    (void)fclose(full);
    LEM_CHECK(status == 1, "writing to a full disk fails");
}

static void test_effort(void) {
    const char *before = getenv("LEMMATA_TEST_EFFORT");
    char *kept = before ? strdup(before) : NULL;
    (void)setenv("LEMMATA_TEST_EFFORT", "2.5", 1);
    double given = lem_tap_effort();
    (void)setenv("LEMMATA_TEST_EFFORT", "", 1);
    double empty = lem_tap_effort();
    (void)unsetenv("LEMMATA_TEST_EFFORT");
    double none = lem_tap_effort();
    if (kept)
        (void)setenv("LEMMATA_TEST_EFFORT", kept, 1);
    free(kept);
    LEM_CHECK(given == 2.5 && empty == 1 && none == 1, "effort %g, %g, %g", given, empty, none);
}

static const lem_tap_case cases[] = {
    {"test points, skips, diagnostics", test_points},
    {"failures with their YAML block", test_failure},
    {"escapes", test_escapes},
    {"plans", test_plans},
    {"bailing out", test_bail_out},
    {"text in a YAML block", test_yaml},
    {"a full disk", test_full_disk},
    {"the effort variable", test_effort},
};
LEM_TAP_MAIN(cases)
