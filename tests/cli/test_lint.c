/* The lint on two stored pages: one with every exemption, one with every kind of fault. */
#include "cli/files.h"
#include "cli/lint.h"
#include "tap/tap.h"

#include <stdlib.h>
#include <string.h>

/* "line: number" of each fault. */
static char *lint(const char *name) {
    const char *folder = getenv("LEM_TEST_DATA");
    char *path = lem_text("%s/pages/%s", folder ? folder : "tests/cli/data", name), *said = NULL,
         *list = NULL;
    size_t size, said_size, list_size;
    char *text = lem_read_file(path, &size);
    if (!text)
        lem_tap_bail_out("%s", lem_last_error());
    lem_page page;
    lem_faults faults = {open_memstream(&said, &said_size), 0};
    lem_page_scan(&page, "page", text, size, &faults);
    lem_lint_page(&page, &faults);
    (void)fclose(faults.out);
    FILE *out = open_memstream(&list, &list_size);
    for (const char *line = said; *line; line += strcspn(line, "\n") + 1) {
        size_t number;
        char typed[64];
        if (sscanf(line, "page:%zu: the number %63s is typed", &number, typed) == 2)
            (void)fprintf(out, "%zu: %s\n", number, typed);
        else
            (void)fprintf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
    (void)fclose(out);
    lem_page_free(&page);
    free(said);
    free(text);
    free(path);
    return list;
}

static void test_good(void) {
    char *faults = lint("good.md");
    LEM_CHECK(*faults == '\0', "faults:\n%s", faults);
    free(faults);
}

static void test_bad(void) {
    const char *folder = getenv("LEM_TEST_DATA");
    char *path = lem_text("%s/pages/bad.faults", folder ? folder : "tests/cli/data");
    size_t size;
    char *expected = lem_read_file(path, &size), *faults = lint("bad.md");
    LEM_CHECK(expected && strcmp(faults, expected) == 0, "faults:\n%s", faults);
    free(expected);
    free(faults);
    free(path);
}

static const lem_tap_case cases[] = {
    {"a page with every exemption is clean", test_good},
    {"a page of typed numbers: each is found", test_bad},
};
LEM_TAP_MAIN(cases)
