/* The weaver on a small source tree of its own: stored exact output, idempotence, and every refusal. */
#include "cli/files.h"
#include "cli/weave.h"
#include "tap/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = P_tmpdir "/lemmata-weave-XXXXXX";
static lem_records records;

static char *data_path(const char *name) {
    const char *folder = getenv("LEM_TEST_DATA");
    return lem_text("%s/%s", folder ? folder : "tests/cli/data", name);
}

static void put(const char *name, const char *text) {
    bool changed;
    char *path = lem_text("%s/%s", root, name);
    if (lem_write_file(path, text, strlen(text), &changed))
        lem_tap_bail_out("%s", lem_last_error());
    free(path);
}

static char *get(const char *name) {
    size_t size;
    char *path = lem_text("%s/%s", root, name), *text = lem_read_file(path, &size);
    free(path);
    return text;
}

static void put_stored(const char *name, const char *stored) {
    size_t size;
    char *path = data_path(stored), *text = lem_read_file(path, &size);
    if (!text)
        lem_tap_bail_out("%s", lem_last_error());
    put(name, text);
    free(text);
    free(path);
}

/* What weaving the page said, and the number of faults. */
static char *weave(const char *name, bool check, size_t *n, bool *changed) {
    char *said = NULL, *path = lem_text("%s/%s", root, name);
    size_t size;
    lem_faults faults = {open_memstream(&said, &size), 0};
    int status = lem_weave_page(path, &records, check, &faults, changed);
    LEM_CHECK(status == 0, "%s", lem_last_error());
    (void)fclose(faults.out);
    *n = faults.count;
    free(path);
    return said ? said : lem_text("%s", "");
}

static void set_up(void) {
    char *path = data_path("records");
    if (!mkdtemp(root) || lem_records_load(&records, path))
        lem_tap_bail_out("%s", lem_last_error());
    free(path);
    static const char *const folders[] = {"notebooks-md", "notebooks-md/deep", "lib"};
    for (size_t i = 0; i < 3; i++) {
        path = lem_text("%s/%s", root, folders[i]);
        if (lem_make_directory(path))
            lem_tap_bail_out("%s", lem_last_error());
        free(path);
    }
    put_stored("lib/toy.c", "pages/toy.c.txt");
    LEM_CHECK(records.n == 1, "%zu records", records.n);
}

static void test_exact_output(void) {
    size_t n, size;
    bool changed;
    put_stored("notebooks-md/toy.md", "pages/toy.md");
    char *said = weave("notebooks-md/toy.md", false, &n, &changed);
    char *stored = data_path("pages/toy.woven.md"), *expected = lem_read_file(stored, &size);
    char *woven = get("notebooks-md/toy.md");
    LEM_CHECK(n == 0 && changed, "%s", said);
    LEM_CHECK(expected && strcmp(woven, expected) == 0, "woven page differs from %s:\n%s", stored, woven);
    free(said);
    free(stored);
    free(expected);
    free(woven);
}

static ino_t inode(const char *name) {
    struct stat info = {0};
    char *path = lem_text("%s/%s", root, name);
    (void)stat(path, &info);
    free(path);
    return info.st_ino;
}

static void test_idempotent(void) {
    size_t n;
    bool changed;
    ino_t before = inode("notebooks-md/toy.md");
    char *said = weave("notebooks-md/toy.md", false, &n, &changed);
    LEM_CHECK(n == 0 && !changed && inode("notebooks-md/toy.md") == before,
              "a second weaving writes nothing: %s", said);
    free(said);
    said = weave("notebooks-md/toy.md", true, &n, &changed);
    LEM_CHECK(n == 0 && !changed && *said == '\0', "a woven page is current: %s", said);
    free(said);
}

/* Not inlined: gcc's sanitizer build would take the check of a null text for a hint that there is one. */
__attribute__((noinline)) static bool says(const char *text, const char *part) {
    return strstr(text, part) != NULL;
}

static void test_check(void) {
    size_t n;
    bool changed;
    char *text = get("notebooks-md/toy.md"), *place = strstr(text, "222<!--/--> dim");
    LEM_CHECK(place != NULL, "the value is there");
    if (place)
        memcpy(place, "221", 3);
    put("notebooks-md/toy.md", text);
    char *said = weave("notebooks-md/toy.md", true, &n, &changed);
    LEM_CHECK(n == 1 && changed, "%zu faults", n);
    LEM_CHECK(says(said, "toy.md:3: value toy.exact is not current"), "%s", said);
    LEM_CHECK(says(said, "- 221\n+ 222\n"), "%s", said);
    char *after = get("notebooks-md/toy.md");
    LEM_CHECK(strcmp(after, text) == 0, "--check writes nothing");
    free(after);
    free(said);
    char *row = strstr(text, "| `toy.identity`");
    if (LEM_CHECK(row != NULL, "the row is there"))
        row[3] = 'T';
    put("notebooks-md/toy.md", text);
    said = weave("notebooks-md/toy.md", true, &n, &changed);
    LEM_CHECK(says(said, "- | `Toy.identity`") && says(said, "+ | `toy.identity`"), "%s", said);
    LEM_CHECK(!says(said, "- | `toy.mean`"), "only the line that differs: %s", said);
    free(said);
    free(text);
}

/* A page with this line is refused with this sentence, and left as it was. */
static void refused(const char *line, const char *sentence) {
    size_t n;
    bool changed;
    char *text = lem_text("Good <!--value toy.exact-->stale<!--/-->.\n\n%s\n", line);
    put("notebooks-md/toy.md", text);
    char *said = weave("notebooks-md/toy.md", false, &n, &changed), *after = get("notebooks-md/toy.md");
    char *where = lem_text("toy.md:3: %s", sentence);
    LEM_CHECK(n >= 1 && !changed, "%s: accepted", line);
    LEM_CHECK(strstr(said, where), "%s: expected \"%s\", said \"%s\"", line, where, said);
    LEM_CHECK(strcmp(text, after) == 0, "a faulty page is not written");
    free(where);
    free(after);
    free(said);
    free(text);
}

static void test_refusals(void) {
    refused("a <!--value toy.exct--><!--/-->",
            "no value toy.exct in the record of toy; the nearest is toy.exact");
    refused("a <!--value other:toy.exact--><!--/-->", "no record of a study other");
    refused("a <!--value--><!--/-->", "value: a key is missing");
    refused("a <!--value toy.exact .3x--><!--/-->", "format .3x: allowed are");
    refused("a <!--value toy.exact .99g--><!--/-->", "format .99g: allowed are");
    refused("a <!--value toy.exact .g--><!--/-->", "format .g: allowed are");
    refused("a <!--valve toy.exact--><!--/-->", "unknown marker valve; allowed: value claim");
    refused("a <!--claim toy.none--><!--/-->", "no claim toy.none");
    refused("a <!--claim toy.mean colour--><!--/-->", "claim field colour: allowed are");
    refused("a <!--benchmark none--><!--/-->", "no benchmark none");
    refused("a <!--verdicts none--><!--/-->", "no record of a study none");
    refused("<!--claims none-->\n\n<!--/-->", "no record of a study none");
    refused("<!--figure none-->\n\n<!--/-->", "no figure none in the record of toy");
    refused("<!--code lib/none.c f-->\n\n<!--/-->", "code lib/none.c: no such file");
    refused("<!--code ../toy.c-->\n\n<!--/-->", "code ../toy.c: must be a path within the source tree");
    refused("<!--code /etc/passwd-->\n\n<!--/-->", "code /etc/passwd: must be a path within");
    refused("<!--code lib/../../x-->\n\n<!--/-->", "code lib/../../x: must be a path within");
    refused("<!--code lib/toy.c lem_to-->\n\n<!--/-->", "code lib/toy.c: no definition of a function lem_to");
    refused("<!--value toy.exact--><!--/--> first", "a marker at the start of a line");
}

/* A record whose texts look like markers cannot break a page open. */
static void test_marker_in_a_text(void) {
    json_t *claims = json_object_get(records.studies[0], "claims"), *claim = json_array_get(claims, 0);
    json_t *statement = json_incref(json_object_get(claim, "statement"));
    json_object_set_new(claim, "statement", json_string("ends <!--/--> here"));
    refused("a <!--claim toy.mean statement--><!--/-->", "the text of a marker holds \"<!--\"");
    refused("<!--claims-->\n\n<!--/-->", "the text of a marker holds \"<!--\"");
    json_object_set_new(claim, "statement", statement);
}

static void test_repeated_block(void) {
    size_t n;
    bool changed;
    put("notebooks-md/toy.md", "<!--claims-->\n\n<!--/-->\n\n<!--claims-->\n\n<!--/-->\n");
    char *said = weave("notebooks-md/toy.md", false, &n, &changed);
    LEM_CHECK(n == 1 && strstr(said, "toy.md:5: the block claims  is on line 1 already"), "%s", said);
    free(said);
}

static void test_lint_comes_with_it(void) {
    size_t n;
    bool changed;
    put("notebooks-md/toy.md", "The best of <!--value toy.exact-->x<!--/--> is 12.\n");
    char *said = weave("notebooks-md/toy.md", false, &n, &changed), *after = get("notebooks-md/toy.md");
    LEM_CHECK(n == 1 && strstr(said, "toy.md:1: the number 12 is typed"), "%s", said);
    LEM_CHECK(changed && strstr(after, "-->222<!--/-->"), "woven all the same: %s", after);
    free(said);
    free(after);
}

/* Links follow from where the page stands. */
static void test_links(void) {
    static const struct {
        const char *page, *figure, *study;
    } places[] = {
        {"README.md", "](notebooks-md/figures/toy/curve.svg)", "](notebooks-md/toy.md)"},
        {"lib/README.md", "](../notebooks-md/figures/toy/curve.svg)", "](../notebooks-md/toy.md)"},
        {"notebooks-md/README.md", "](figures/toy/curve.svg)", "](toy.md)"},
        {"notebooks-md/deep/page.md", "](../figures/toy/curve.svg)", "](../toy.md)"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t n;
        bool changed;
        put(places[i].page, "<!--figure toy:curve-->\n\n<!--/-->\n\n<!--studies-->\n\n<!--/-->\n");
        char *said = weave(places[i].page, false, &n, &changed), *after = get(places[i].page);
        LEM_CHECK(n == 0, "%s", said);
        LEM_CHECK(strstr(after, places[i].figure) && strstr(after, places[i].study), "%s: %s", places[i].page,
                  after);
        free(said);
        free(after);
    }
    size_t n;
    bool changed;
    put("README.md", "a <!--value toy.exact--><!--/-->\n");
    char *said = weave("README.md", false, &n, &changed);
    LEM_CHECK(n == 1 && strstr(said, "name the study: this page has none of its own"), "%s", said);
    free(said);
}

/* --- records ------------------------------------------------------------------------------------------ */

#define CLAIM(id)                                                                                            \
    "{\"id\":\"" id "\",\"statement\":\"s\",\"verdict\":\"holds\",\"source\":\"x\",\"kind\":\"identity\","   \
    "\"place\":\"p:1\",\"passed\":true,\"falsifiers\":[{\"statement\":\"f\",\"rejected\":true}]}"
#define RECORD(study, values, claims)                                                                        \
    "{\"study\":\"" study "\",\"title\":\"t\",\"version\":\"1\",\"values\":{" values "},\"claims\":[" claims \
    "],\"figures\":[]}"

static void refused_record(const char *name, const char *text, const char *words) {
    lem_records other;
    char *folder = lem_text("%s/records", root), *file = lem_text("records/%s", name);
    (void)lem_make_directory(folder);
    put(file, text);
    LEM_CHECK_ERROR(lem_records_load(&other, folder), words);
    char *path = lem_text("%s/%s", root, file);
    (void)unlink(path);
    free(path);
    free(file);
    free(folder);
}

static void test_bad_records(void) {
    refused_record("a.json", "{", "a.json");
    refused_record("a.json", "[]", "a.json|not an object");
    refused_record("a.json", "{\"study\":\"a\"}", "a.json|title");
    refused_record("a.json", RECORD("b", "", ""), "a.json|is of the study \"b\"");
    refused_record("a.json", RECORD("a", "\"k\":{},\"k\":{}", ""), "a.json|duplicate");
    refused_record("a.json", RECORD("a", "", CLAIM("x") "," CLAIM("x")), "\"x\" appears twice");
    refused_record("a.json", RECORD("a", "", "{\"id\":\"x\"}"), "a claim lacks the text \"statement\"");
    refused_record(
        "a.json",
        RECORD("a", "",
               "{\"id\":\"x\",\"statement\":\"s\",\"verdict\":\"holds\",\"source\":\"x\",\"kind\":\"k\","
               "\"place\":\"p\"}"),
        "the claim x has no falsifier");
    refused_record("benchmarks.json", "{\"name\":\"x\"}\n{", "benchmarks.json:2");
    put("records/a.json", RECORD("a", "", CLAIM("x")));
    refused_record("b.json", RECORD("b", "", CLAIM("x")), "the claim x is in both a and b");
    lem_records other;
    LEM_CHECK_ERROR(lem_records_load(&other, "/nowhere/at/all"), "/nowhere/at/all|not a directory");
}

static void test_counts(void) {
    char *text = NULL;
    size_t size;
    lem_counts counts = {.claims = 5, .holds = 2, .holds_when = 1, .refuted = 2, .failed = 1, .skipped = 3};
    FILE *out = open_memstream(&text, &size);
    lem_write_counts(out, &counts);
    (void)fclose(out);
    LEM_CHECK(
        strcmp(text, "5 claims: 2 hold, 1 holds in a stated regime, 2 are refuted, 1 FAILED; 3 skipped") == 0,
        "%s", text);
    free(text);
}

/* No record of these is made, but one may be edited, or read by another version. */
static void test_failed_claims(void) {
    size_t n;
    bool changed;
    json_t *claim = json_array_get(json_object_get(records.studies[0], "claims"), 0);
    json_t *falsifier = json_array_get(json_object_get(claim, "falsifiers"), 0);
    (void)json_object_set_new(claim, "passed", json_false());
    (void)json_object_set_new(falsifier, "rejected", json_false());
    put("notebooks-md/failed.md", "# Failed\n\n<!--claims toy-->\n\n<!--/-->\n");
    free(weave("notebooks-md/failed.md", false, &n, &changed));
    char *woven = get("notebooks-md/failed.md");
    LEM_CHECK(strstr(woven, "| FAILED **holds** |"), "%s", woven);
    LEM_CHECK(strstr(woven, "the mean is n - 1: NOT REJECTED (476)"), "%s", woven);
    free(woven);
    (void)json_object_set_new(claim, "passed", json_true());
    (void)json_object_set_new(falsifier, "rejected", json_true());
}

static void tear_down(void) {
    char *command = lem_text("rm -rf '%s'", root);
    LEM_CHECK(system(command) == 0, "%s", command);
    free(command);
    lem_records_free(&records);
}

static const lem_tap_case cases[] = {
    {"a small source tree", set_up},
    {"a page of every marker, against stored output", test_exact_output},
    {"weaving twice writes once", test_idempotent},
    {"--check shows what is not current, and writes nothing", test_check},
    {"unknown keys, figures, functions, formats are refused with the line", test_refusals},
    {"texts of a record cannot break a page open", test_marker_in_a_text},
    {"failed claims are shown as such", test_failed_claims},
    {"a block may stand once", test_repeated_block},
    {"typed numbers are found", test_lint_comes_with_it},
    {"links follow from where the page stands", test_links},
    {"malformed records are refused", test_bad_records},
    {"counts in words", test_counts},
    {"tidy up", tear_down},
};

LEM_TAP_MAIN(cases)
