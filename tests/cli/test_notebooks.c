/* The committed write-ups: figures have the recorded hashes, records are clean, and every page renders to as
 * many tables, images and code blocks as its text and its markers say (a marker in the wrong place, a missing
 * blank line, an unescaped sign would swallow one).
 *
 * usage: test_notebooks PAGES_DIR CMARK [README]     CMARK "-": it is not installed */
#include "cli/files.h"
#include "cli/page.h"
#include "cli/records.h"
#include "study/sha256.h"
#include "tap/tap.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_SVG = 200 * 1000 };

static const char *pages_dir, *cmark;
static lem_records records;

/* --- counting what a page should render to -------------------------------------------------------------- */

typedef struct {
    size_t tables, images, blocks;
} counts;

static size_t end_of_line(const lem_page *page, size_t at) {
    while (at < page->size && page->text[at] != '\n')
        at++;
    return at;
}

/* "| --- | :---: |": what makes a table of the line above it. */
static bool is_delimiter_row(const char *line, size_t length) {
    bool bar = false, dash = false;
    for (size_t i = 0; i < length; i++) {
        if (!strchr("|-: ", line[i]))
            return false;
        bar = bar || line[i] == '|';
        dash = dash || line[i] == '-';
    }
    return bar && dash;
}

static bool is_fence(const char *line) {
    line += strspn(line, " >-");
    return strncmp(line, "```", 3) == 0 || strncmp(line, "~~~", 3) == 0;
}

/* What was written by hand: outside markers. A code block is a run of code that begins a line with a fence or
 * with four spaces; runs of the latter kind with nothing but blank between are one. */
static void count_written(const lem_page *page, counts *c) {
    size_t indented_until = (size_t)-1;
    for (size_t begin = 0; begin < page->size;) {
        size_t end = end_of_line(page, begin);
        const char *line = page->text + begin;
        if (page->spans[begin] == LEM_CODE && is_fence(line)) {
            c->blocks++;
            while (end < page->size && page->spans[end] == LEM_CODE)
                end = end_of_line(page, end + 1);
        } else if (page->spans[begin] == LEM_CODE && strncmp(line, "    ", 4) == 0) {
            c->blocks += indented_until == (size_t)-1;
            indented_until = end;
        } else if (strspn(line, " \t\n") < end - begin) {
            indented_until = (size_t)-1;
        }
        if (page->spans[begin] == LEM_PROSE && is_delimiter_row(line, end - begin))
            c->tables++;
        for (size_t i = begin; i + 1 < end; i++)
            c->images += page->spans[i] == LEM_PROSE && line[i - begin] == '!' && line[i - begin + 1] == '[';
        begin = end + 1;
    }
}

static void count_woven(const lem_page *page, counts *c) {
    for (size_t i = 0; i < page->n_markers; i++) {
        const char *name = page->markers[i].name;
        c->images += strcmp(name, "figure") == 0;
        c->blocks += strcmp(name, "code") == 0;
        c->tables += strcmp(name, "claims") == 0 || (strcmp(name, "studies") == 0 && records.n > 0);
        c->tables += strcmp(name, "ledger") == 0 ? records.n : 0;
    }
}

static size_t occurrences(const char *text, const char *part) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        n++;
    return n;
}

static char *render(const char *path) {
    char *command = lem_text("'%s' -e table '%s'", cmark, path), *html = NULL;
    size_t size;
    FILE *out = open_memstream(&html, &size), *pipe = popen(command, "re");
    for (int c; pipe && (c = fgetc(pipe)) != EOF;)
        (void)fputc(c, out);
    bool ok = pipe && pclose(pipe) == 0;
    (void)fclose(out);
    free(command);
    if (ok)
        return html;
    free(html);
    return NULL;
}

static void test_page(const char *path, const char *shown) {
    size_t size;
    char *text = lem_read_file(path, &size), yaml[512];
    if (!cmark) {
        lem_tap_skip("cmark-gfm is not installed", "%s renders", shown);
        free(text);
        return;
    }
    char *html = text ? render(path) : NULL;
    if (!html) {
        lem_tap_result(false, "problem: it cannot be read or rendered", "%s renders", shown);
        free(text);
        return;
    }
    lem_page page;
    lem_faults faults = {stderr, 0};
    counts due = {0};
    lem_page_scan(&page, path, text, size, &faults);
    count_written(&page, &due);
    count_woven(&page, &due);
    counts got = {occurrences(html, "<table>"), occurrences(html, "<img "), occurrences(html, "<pre")};
    bool ok =
        got.tables == due.tables && got.images == due.images && got.blocks == due.blocks && faults.count == 0;
    (void)snprintf(yaml, sizeof yaml,
                   "tables: %zu, expected %zu\nimages: %zu, expected %zu\ncode_blocks: %zu, expected %zu",
                   got.tables, due.tables, got.images, due.images, got.blocks, due.blocks);
    lem_tap_result(ok, yaml, "%s renders to %zu tables, %zu images, %zu code blocks", shown, due.tables,
                   due.images, due.blocks);
    lem_page_free(&page);
    free(html);
    free(text);
}

/* --- records and figures -------------------------------------------------------------------------------- */

/* A text that begins with a path of some machine's root, anywhere in the record. */
static const char *absolute_path(const json_t *value) {
    const char *key, *found = NULL;
    size_t i;
    json_t *item;
    if (json_is_string(value) && json_string_value(value)[0] == '/' &&
        isalpha((unsigned char)json_string_value(value)[1]))
        return json_string_value(value);
    json_object_foreach((json_t *)value, key, item) {
        found = found ? found : *key == '/' ? key : absolute_path(item);
    }
    json_array_foreach(value, i, item) {
        found = found ? found : absolute_path(item);
    }
    return found;
}

static void test_record(const json_t *study) {
    const char *name = lem_member_text(study, "study"), *path = absolute_path(study);
    lem_counts c = {0};
    char yaml[512];
    lem_count_claims(study, &c);
    bool ok =
        !json_object_get(study, "timing") && !path && !c.failed && lem_member_number(study, "scale") == 1;
    (void)snprintf(yaml, sizeof yaml, "timing: %s\nabsolute_path: %s\nfailed: %zu\nscale: %g",
                   json_object_get(study, "timing") ? "is there" : "none", path ? path : "none", c.failed,
                   lem_member_number(study, "scale"));
    lem_tap_result(ok, yaml, "%s: the record is of a complete run, without timing or paths", name);
}

static void test_figure(const char *study, const json_t *figure) {
    const char *name = lem_member_text(figure, "name"), *expected = lem_member_text(figure, "svg_sha256");
    char *svg = lem_text("%s/figures/%s/%s.svg", pages_dir, study, name), digest[LEM_SHA256_TEXT] = "",
         yaml[512];
    char *png = lem_text("%s/figures/%s/%s.png", pages_dir, study, name);
    size_t size = 0;
    char *text = lem_read_file(svg, &size);
    bool ok = text && lem_sha256_file(svg, digest) == 0 && strcmp(digest, expected) == 0 &&
              lem_is_file(png) && size < LARGEST_SVG;
    (void)snprintf(yaml, sizeof yaml, "sha256: %s\nrecorded: %s\nbytes: %zu\nlargest: %d\npng: %s", digest,
                   expected, size, LARGEST_SVG, lem_is_file(png) ? "is there" : "missing");
    lem_tap_result(ok, yaml, "%s: figure %s is the recorded one", study, name);
    free(text);
    free(svg);
    free(png);
}

/* Files in figures/<study> that belong to no figure of the record: left from an earlier one. */
static void test_strays(const json_t *study) {
    char *folder = lem_text("%s/figures/%s", pages_dir, lem_member_text(study, "study")), **names = NULL;
    size_t n = 0, strays = 0;
    char yaml[512] = "";
    int status =
        json_array_size(json_object_get(study, "figures")) ? lem_list_directory(folder, "", &names, &n) : 0;
    for (size_t i = 0; i < n; i++) {
        char *dot = strrchr(names[i], '.'),
             *name = strndup(names[i], dot ? (size_t)(dot - names[i]) : strlen(names[i]));
        if (!lem_record_figure(study, name)) {
            strays++;
            (void)snprintf(yaml, sizeof yaml, "stray: %s", names[i]);
        }
        free(name);
    }
    lem_tap_result(status == 0 && strays == 0, yaml, "%s: no figure but the record's",
                   lem_member_text(study, "study"));
    lem_free_names(names, n);
    free(folder);
}

static void test_page_of(const json_t *study) {
    char *path = lem_text("%s/%s.md", pages_dir, lem_member_text(study, "study"));
    lem_tap_result(lem_is_file(path), "problem: the page is missing", "%s has a page",
                   lem_member_text(study, "study"));
    free(path);
}

int main(int argc, char **argv) {
    lem_tap_open();
    if (argc != 3 && argc != 4) {
        (void)fprintf(stderr, "usage: test_notebooks PAGES_DIR CMARK [README]\n");
        return 2;
    }
    pages_dir = argv[1];
    cmark = strcmp(argv[2], "-") == 0 ? NULL : argv[2];
    char *results = lem_text("%s/results", pages_dir), **pages;
    size_t n, readme = argc == 4, figures = 0;
    if (lem_records_load(&records, results) || lem_list_directory(pages_dir, ".md", &pages, &n))
        lem_tap_bail_out("%s", lem_last_error());
    for (size_t i = 0; i < records.n; i++)
        figures += json_array_size(json_object_get(records.studies[i], "figures"));
    lem_tap_plan(n + readme + 3 * records.n + figures);
    for (size_t i = 0; i < n; i++) {
        char *path = lem_text("%s/%s", pages_dir, pages[i]);
        test_page(path, pages[i]);
        free(path);
    }
    if (readme)
        test_page(argv[3], "the README at the top");
    for (size_t i = 0; i < records.n; i++) {
        const char *study = lem_member_text(records.studies[i], "study");
        size_t k;
        json_t *figure;
        test_page_of(records.studies[i]);
        test_record(records.studies[i]);
        json_array_foreach(json_object_get(records.studies[i], "figures"), k, figure)
            test_figure(study, figure);
        test_strays(records.studies[i]);
    }
    lem_free_names(pages, n);
    lem_records_free(&records);
    free(results);
    return lem_tap_finish();
}
