/* The scanner of pages, on short texts: which bytes are prose, which markers there are, what is refused. */
#include "cli/lint.h"
#include "cli/page.h"
#include "tap/tap.h"

#include <stdlib.h>
#include <string.h>

/* One letter per byte: p h c f m w t, newlines kept. */
static char *letters(const lem_page *page) {
    char *text = strdup(page->text);
    for (size_t i = 0; i < page->size; i++)
        if (text[i] != '\n')
            text[i] = "phcfmwt"[page->spans[i]];
    return text;
}

static void check_spans(const char *text, const char *expected) {
    lem_page page;
    char *said = NULL;
    size_t size;
    lem_faults faults = {open_memstream(&said, &size), 0};
    lem_page_scan(&page, "page", text, strlen(text), &faults);
    (void)fclose(faults.out);
    char *got = letters(&page);
    LEM_CHECK(faults.count == 0, "faults in \"%s\": %s", text, said);
    LEM_CHECK(strcmp(got, expected) == 0, "\"%s\" is \"%s\", not \"%s\"", text, got, expected);
    free(got);
    free(said);
    lem_page_free(&page);
}

static void check_fault(const char *text, const char *sentence) {
    lem_page page;
    char *said = NULL;
    size_t size;
    lem_faults faults = {open_memstream(&said, &size), 0};
    lem_page_scan(&page, "page", text, strlen(text), &faults);
    (void)fclose(faults.out);
    LEM_CHECK(faults.count >= 1 && strstr(said, sentence), "\"%s\": expected \"%s\", got \"%s\"", text,
              sentence, said);
    free(said);
    lem_page_free(&page);
}

static void test_spans(void) {
    check_spans("", "");
    check_spans("a b\n", "ppp\n");
    check_spans("# h\n", "hhh\n");
    check_spans("#no\n", "ppp\n");
    check_spans("a `b` c", "ppcccpp");
    check_spans("a ``b`c`` d", "ppcccccccpp");
    check_spans("a ` b", "ppppp");
    check_spans("a $b$ c", "ppfffpp");
    check_spans("a\\$b", "pppp");
    check_spans("$$\na\n$$\n", "ff\nf\nff\n");
    check_spans("a\n\n```c\n1 $\n```\nb\n", "p\n\ncccc\nccc\nccc\np\n");
    check_spans("~~~\n<!--value x-->\n~~~\n", "ccc\ncccccccccccccc\nccc\n");
    check_spans("````\n```\n````\nb", "cccc\nccc\ncccc\np");
    check_spans("```\nopen", "ccc\ncccc");
    check_spans("- ```\n  x\n  ```\n", "ccccc\nccc\nccccc\n");
    check_spans("a\n\n    $ code\n", "p\n\ncccccccccc\n");
    check_spans("- a\n\n    text\n", "ppp\n\npppppppp\n");
    check_spans("a <!-- note --> b", "ppmmmmmmmmmmmmmpp");
}

static void test_markers(void) {
    check_spans("a <!--value k-->1<!--/--> b", "ppmmmmmmmmmmmmmmwmmmmmmmmpp");
    check_spans("a <!--typed-->1<!--/--> b", "ppmmmmmmmmmmmmtmmmmmmmmpp");
    check_spans("<!--ledger-->\n<!--/-->\n", "mmmmmmmmmmmmm\nmmmmmmmm\n");
    check_spans("| <!--value k-->1<!--/--> |", "ppmmmmmmmmmmmmmmwmmmmmmmmpp");
    lem_page page;
    const char *text =
        "x\n\n<!--code  lib/a.c  f -->\n\n```c\n<!--/-->\n```\n\n<!--/-->\n\ny <!--value k .3g--><!--/-->";
    lem_faults faults = {stderr, 0};
    lem_page_scan(&page, "page", text, strlen(text), &faults);
    LEM_CHECK(faults.count == 0 && page.n_markers == 2, "%zu markers", page.n_markers);
    if (page.n_markers == 2) {
        const lem_marker *code = &page.markers[0], *value = &page.markers[1];
        LEM_CHECK(code->block && strcmp(code->name, "code") == 0, "name \"%s\"", code->name);
        LEM_CHECK(strcmp(code->arguments, "lib/a.c  f") == 0, "arguments \"%s\"", code->arguments);
        LEM_CHECK(code->line == 3 && value->line == 11, "lines %zu and %zu", code->line, value->line);
        LEM_CHECK(memcmp(text + code->close, "<!--/-->\n\ny", 11) == 0, "a fence hides the end of a block");
        LEM_CHECK(!value->block && value->inner == value->close, "empty");
        LEM_CHECK(strcmp(value->arguments, "k .3g") == 0, "arguments \"%s\"", value->arguments);
    }
    lem_page_free(&page);
}

static void test_faults(void) {
    check_fault("<!--value k-->1<!--/-->\n", "page:1: a marker at the start of a line");
    check_fault("a\n- <!--value k-->1<!--/-->\n", "page:2: a marker at the start of a line");
    check_fault("> 1. <!--value k-->1<!--/-->\n", "page:1: a marker at the start of a line");
    check_fault("a\nb <!--value k-->1\n", "page:2: this value marker has no end");
    check_fault("a <!--value k-->1\n<!--/-->\n", "page:1: this value marker has no end");
    check_fault("a <!--value k", "not closed by -->");
    check_fault("a <!--/-->", "ends nothing");
    check_fault("a <!--value k-->1 <!--value j-->2<!--/--> <!--/-->", "a marker within a marker");
    check_fault("a `<!--value k-->1<!--/-->`", "page:1: a marker inside a code span");
    check_fault("a\n$x <!--value k-->1<!--/-->$", "page:2: a marker inside a formula");
    check_fault("$$\nx <!--value k-->1<!--/-->\n$$", "page:2: a marker inside a formula");
    check_fault("a $ b", "opens no formula");
    check_fault("a <!-- note", "comment that is not closed");
    check_fault("a\n<!--ledger-->\n\n<!--/-->\n", "page:2: a block marker needs a blank line before it");
    check_fault("<!--ledger-->\n\n<!--/-->\na", "page:3: the end of a block needs a blank line after it");
    check_fault("<!--ledger-->\n\na\n", "page:1: this block has no end");
    check_fault("<!--ledger-->\n\n<!--studies-->\n\n<!--/-->\n",
                "page:3: a marker within the block of line 1");
    check_fault("a <!--ledger--> <!--/-->", "must stand alone");
    check_fault("  <!--ledger-->\n\n  <!--/-->\n", "must stand alone");
}

/* Pieces put together at random never make the scanner overrun, and every byte gets a span. (The sanitizers
 * watch.) */
static void test_random_pages(void) {
    static const char *const pieces[] = {"a ",
                                         "`",
                                         "$",
                                         "$$",
                                         "\n",
                                         "\n\n",
                                         "<!--value k-->",
                                         "<!--/-->",
                                         "```",
                                         "~~~",
                                         "<!-- ",
                                         "-->",
                                         "# ",
                                         "- ",
                                         "    ",
                                         "\\",
                                         "1.",
                                         "> ",
                                         "<!--ledger-->",
                                         "<!--typed-->",
                                         "\xc3\xa9",
                                         "<!--"};
    unsigned long long state = 12345;
    size_t repeats = (size_t)(3000 * lem_tap_effort()) + 1;
    FILE *sink = fopen("/dev/null", "w");
    for (size_t r = 0; r < repeats; r++) {
        char text[2048] = "";
        lem_page page;
        lem_faults faults = {sink, 0};
        for (int i = 0; i < 40; i++) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            strcat(text, pieces[(state >> 33) % (sizeof pieces / sizeof *pieces)]);
        }
        char *exact = strndup(text, strlen(text)); /* no slack behind it, for the sanitizers */
        lem_page_scan(&page, "page", exact, strlen(exact), &faults);
        for (size_t i = 0; i < page.n_markers; i++) {
            const lem_marker *m = &page.markers[i];
            bool ordered =
                m->open < m->inner && m->inner <= m->close && m->close < m->end && m->end <= page.size;
            bool apart = i == 0 || page.markers[i - 1].end <= m->open;
            size_t line = 1;
            for (size_t k = 0; k < m->open; k++)
                line += text[k] == '\n';
            LEM_CHECK(lem_page_line(&page, m->open) == line, "line %zu of \"%s\"", line, text);
            if (!LEM_CHECK(ordered && apart, "markers of \"%s\"", text))
                break;
        }
        lem_page_free(&page);
        free(exact);
    }
    (void)fclose(sink);
    LEM_CHECK(true, "ran");
}

/* The same piece again and again, a million bytes: work that grows with the square of a page, a line, a
 * paragraph or a series, or a recursion along one, would not end within the time a test has. */
static void test_huge_pages(void) {
    static const char *const pieces[] = {"word <!--value a.b-->1<!--/--> end\n\n",
                                         "word <!--value a.b-->1<!--/-->",
                                         "a $x ",
                                         "`a ``b ",
                                         "\\$ ",
                                         "1, ",
                                         "[a](b) ",
                                         "- a\n"};
    size_t length = (size_t)(1000000 * lem_tap_effort()) + 1;
    FILE *sink = fopen("/dev/null", "w");
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        size_t one = strlen(pieces[p]), n = length / one;
        char *text = malloc(n * one + 1);
        for (size_t i = 0; i < n; i++)
            memcpy(text + i * one, pieces[p], one);
        text[n * one] = '\0';
        lem_page page;
        lem_faults faults = {sink, 0};
        lem_page_scan(&page, "page", text, n * one, &faults);
        lem_lint_page(&page, &faults);
        LEM_CHECK(page.n_markers == (p == 0   ? n
                                     : p == 1 ? n
                                              : 0),
                  "\"%s\": %zu markers of %zu", pieces[p], page.n_markers, n);
        lem_page_free(&page);
        free(text);
    }
    (void)fclose(sink);
}

static const lem_tap_case cases[] = {
    {"spans", test_spans},
    {"markers", test_markers},
    {"malformed pages are refused, with the line", test_faults},
    {"random pages", test_random_pages},
    {"huge pages", test_huge_pages},
};
LEM_TAP_MAIN(cases)
