#include "cli/weave.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/lint.h"
#include "cli/paths.h"
#include "cli/render.h"

#include <stdlib.h>
#include <string.h>

/* --- where a page stands ------------------------------------------------------------------------------ */

typedef struct {
    char *root;         /* source tree, or NULL */
    char *study;        /* notebooks-md/<study>.md, or NULL */
    char *to_notebooks; /* "../notebooks-md/" and the like */
} page_place;

static char *study_of_page(const char *below) {
    const char *slash = strrchr(below, '/'), *name = slash ? slash + 1 : below, *dot = strrchr(name, '.');
    if (strncmp(below, "notebooks-md/", 13) != 0 || !dot || strcmp(name, "README.md") == 0)
        return NULL;
    return strndup(name, (size_t)(dot - name));
}

static void find_place(const char *path, page_place *place) {
    *place = (page_place){.root = lem_source_root(path), .to_notebooks = lem_text("notebooks-md/")};
    char *whole = lem_absolute_path(path);
    const char *below = place->root && whole ? whole + strlen(place->root) + 1 : NULL;
    if (below) {
        free(place->to_notebooks);
        bool within = strncmp(below, "notebooks-md/", 13) == 0;
        place->study = study_of_page(below);
        place->to_notebooks = lem_text("%s", within ? "" : "notebooks-md/");
        for (const char *slash = strchr(within ? below + 13 : below, '/'); slash;
             slash = strchr(slash + 1, '/')) {
            char *longer = lem_text("../%s", place->to_notebooks);
            free(place->to_notebooks);
            place->to_notebooks = longer;
        }
    }
    free(whole);
}

static void free_place(page_place *place) {
    free(place->root);
    free(place->study);
    free(place->to_notebooks);
}

/* --- weaving ------------------------------------------------------------------------------------------ */

static void refuse_repeated_blocks(const lem_page *page, lem_faults *faults) {
    for (size_t i = 0; i < page->n_markers; i++) {
        const lem_marker *a = &page->markers[i];
        for (size_t j = 0; a->block && strcmp(a->name, "typed") != 0 && j < i; j++) {
            const lem_marker *b = &page->markers[j];
            if (strcmp(a->name, b->name) == 0 && strcmp(a->arguments, b->arguments) == 0)
                lem_fault(faults, page->path, a->line, "the block %s %s is on line %zu already", a->name,
                          a->arguments, b->line);
        }
    }
}

static void print_lines(FILE *out, char sign, const char *text, size_t size) {
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t length = newline ? (size_t)(newline - text) - at : size - at;
        if (length)
            (void)fprintf(out, "%c %.*s\n", sign, (int)length, text + at);
        at += length + 1;
    }
}

/* Only the lines in which the two differ, between their common beginning and end. */
static void print_difference(FILE *out, const char *old, size_t old_size, const char *new, size_t new_size) {
    size_t head = 0, tail = 0;
    while (head < old_size && head < new_size && old[head] == new[head])
        head++;
    while (head > 0 && old[head - 1] != '\n')
        head--;
    while (tail < old_size - head && tail < new_size - head &&
           old[old_size - 1 - tail] == new[new_size - 1 - tail])
        tail++;
    while (tail > 0 && old[old_size - tail] != '\n')
        tail--;
    print_lines(out, '-', old + head, old_size - head - tail);
    print_lines(out, '+', new + head, new_size - head - tail);
}

static void weave_marker(const lem_page *page, const lem_marker *marker, const lem_render_context *context,
                         bool check, lem_faults *faults, FILE *out) {
    char *inner = NULL;
    size_t size;
    const char *old = page->text + marker->inner;
    size_t old_size = marker->close - marker->inner;
    FILE *stream = open_memstream(&inner, &size);
    int status = lem_render(context, marker, stream);
    (void)fclose(stream);
    if (status)
        lem_fault(faults, page->path, marker->line, "%s", lem_last_error());
    else if (!marker->block && strpbrk(inner, "\n"))
        lem_fault(faults, page->path, marker->line, "the text of an inline marker holds a line break");
    else if (strcmp(marker->name, "code") != 0 && strstr(inner, "<!--")) /* code stands in a fence */
        lem_fault(faults, page->path, marker->line, "the text of a marker holds \"<!--\"");
    else if (check && (size != old_size || memcmp(inner, old, size) != 0)) {
        lem_fault(faults, page->path, marker->line, "%s %s is not current; ninja notebooks weaves it",
                  marker->name, marker->arguments);
        print_difference(faults->out, old, old_size, inner, size);
    }
    (void)fwrite(inner, 1, size, out);
    free(inner);
}

/* The whole page anew, in fresh memory. */
static char *weave_text(const lem_page *page, const lem_render_context *context, bool check,
                        lem_faults *faults, size_t *size) {
    char *woven = NULL;
    FILE *out = open_memstream(&woven, size);
    size_t at = 0;
    for (size_t i = 0; i < page->n_markers; i++) {
        const lem_marker *marker = &page->markers[i];
        (void)fwrite(page->text + at, 1, marker->inner - at, out);
        at = marker->inner;
        if (strcmp(marker->name, "typed") == 0)
            continue;
        weave_marker(page, marker, context, check, faults, out);
        at = marker->close;
    }
    (void)fwrite(page->text + at, 1, page->size - at, out);
    (void)fclose(out);
    return woven;
}

static void lint_text(const char *path, const char *text, size_t size, lem_faults *faults) {
    lem_page page;
    lem_page_scan(&page, path, text, size, faults);
    lem_lint_page(&page, faults);
    lem_page_free(&page);
}

int lem_weave_page(const char *path, const lem_records *records, bool check, lem_faults *faults,
                   bool *changed) {
    size_t size, woven_size, before = faults->count;
    *changed = false;
    char *text = lem_read_file(path, &size);
    if (!text)
        return GSL_EFAILED;
    lem_page page;
    page_place place;
    find_place(path, &place);
    lem_render_context context = {records, place.study, place.root, place.to_notebooks};
    lem_page_scan(&page, path, text, size, faults);
    refuse_repeated_blocks(&page, faults);
    char *woven = weave_text(&page, &context, check, faults, &woven_size);
    int status = GSL_SUCCESS;
    if (faults->count == before || check)
        *changed = woven_size != size || memcmp(woven, text, size) != 0;
    if (faults->count == before && !check)
        status = lem_write_file(path, woven, woven_size, changed);
    if (faults->count == before)
        lint_text(path, woven, woven_size, faults);
    lem_page_free(&page);
    free_place(&place);
    free(woven);
    free(text);
    return status;
}

/* --- the command -------------------------------------------------------------------------------------- */

static void add_page(char ***pages, size_t *n, char *path) {
    char **larger = realloc(*pages, (*n + 1) * sizeof *larger);
    if (!larger)
        abort();
    *pages = larger;
    (*pages)[(*n)++] = path;
}

int lem_weave_pages(int n, char *const *arguments, char ***pages, size_t *n_pages) {
    *pages = NULL;
    *n_pages = 0;
    for (int i = 0; i < n; i++) {
        char **names;
        size_t count;
        if (!lem_is_directory(arguments[i])) {
            add_page(pages, n_pages, lem_text("%s", arguments[i]));
            continue;
        }
        if (lem_list_directory(arguments[i], ".md", &names, &count)) {
            lem_free_names(*pages, *n_pages);
            return GSL_EFAILED;
        }
        for (size_t k = 0; k < count; k++)
            add_page(pages, n_pages, lem_text("%s/%s", arguments[i], names[k]));
        lem_free_names(names, count);
    }
    return GSL_SUCCESS;
}

int lem_command_weave(lem_cli *cli, int argc, char **argv) {
    bool check = false;
    const lem_option options[] = {{"--check", &check, NULL}, {"--records", NULL, &cli->records}};
    int words = lem_cli_options("weave", argc, argv, options, 2);
    if (words < 0)
        return LEM_EXIT_USAGE;
    if (words == 0)
        return lem_cli_fail(LEM_EXIT_USAGE, "weave: name pages, or folders of pages");
    char **pages;
    size_t n, rewritten = 0;
    lem_records records;
    if (lem_weave_pages(words, argv, &pages, &n))
        return lem_cli_fail(LEM_EXIT_FAILED, "%s", lem_last_error());
    if (lem_records_load(&records, cli->records)) {
        lem_free_names(pages, n);
        return lem_cli_fail(LEM_EXIT_FAILED, "%s", lem_last_error());
    }
    lem_faults faults = {stderr, 0};
    for (size_t i = 0; i < n; i++) {
        bool changed;
        if (lem_weave_page(pages[i], &records, check, &faults, &changed)) {
            faults.count++;
            (void)lem_cli_fail(0, "%s", lem_last_error());
        }
        rewritten += changed;
    }
    (void)fprintf(cli->out, "%zu page%s, %zu %s, %zu fault%s\n", n, n == 1 ? "" : "s", rewritten,
                  check ? "not current" : "rewritten", faults.count, faults.count == 1 ? "" : "s");
    lem_records_free(&records);
    lem_free_names(pages, n);
    return faults.count ? LEM_EXIT_FAILED : LEM_EXIT_OK;
}
