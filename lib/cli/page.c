#include "cli/page.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void lem_fault(lem_faults *faults, const char *path, size_t line, const char *format, ...) {
    va_list args;
    faults->count++;
    (void)fprintf(faults->out, "%s:%zu: ", path, line);
    va_start(args, format);
    (void)vfprintf(faults->out, format, args);
    va_end(args);
    (void)fputc('\n', faults->out);
}

size_t lem_page_line(const lem_page *page, size_t at) {
    size_t low = 0, high = page->n_lines; /* the newlines before `at` are line_ends[0 .. low - 1] */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (page->line_ends[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low + 1;
}

static void find_lines(lem_page *page) {
    size_t n = 0;
    for (size_t i = 0; i < page->size; i++)
        n += page->text[i] == '\n';
    page->line_ends = malloc((n + 1) * sizeof *page->line_ends);
    if (!page->line_ends)
        abort();
    for (size_t i = 0; i < page->size; i++)
        if (page->text[i] == '\n')
            page->line_ends[page->n_lines++] = i;
}

static const char closing[] = "<!--/-->";
enum { CLOSING = sizeof closing - 1 };

static bool is_block_name(const char *name, size_t length) {
#define KIND(kind, block) {#kind, block},
    static const struct {
        const char *name;
        bool block;
    } kinds[] = {LEM_MARKERS(KIND)};
#undef KIND
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].block && strlen(kinds[i].name) == length && strncmp(kinds[i].name, name, length) == 0)
            return true;
    return false;
}

/* --- lines -------------------------------------------------------------------------------------------- */

static size_t line_end(const lem_page *page, size_t at) {
    const char *newline = memchr(page->text + at, '\n', page->size - at);
    return newline ? (size_t)(newline - page->text) : page->size;
}

static size_t next_line(const lem_page *page, size_t end) {
    return end < page->size ? end + 1 : end;
}

static bool is_blank(const lem_page *page, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        if (!isspace((unsigned char)page->text[i]))
            return false;
    return true;
}

static void mark(lem_page *page, size_t begin, size_t end, lem_span span) {
    if (end > begin)
        memset(page->spans + begin, (int)span, end - begin);
}

static bool starts(const lem_page *page, size_t at, size_t end, const char *text) {
    size_t length = strlen(text);
    return end - at >= length && memcmp(page->text + at, text, length) == 0;
}

/* `<!--` and a letter, or `<!--/`: a marker of ours, not an ordinary comment. */
static bool is_marker(const lem_page *page, size_t at, size_t end) {
    return starts(page, at, end, "<!--") && at + 4 < end &&
           (isalpha((unsigned char)page->text[at + 4]) || page->text[at + 4] == '/');
}

/* Where a line's own content begins, past indentation, quote signs and list markers. */
static size_t content_start(const lem_page *page, size_t begin, size_t end) {
    const char *text = page->text;
    for (size_t at = begin;;) {
        while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == '>'))
            at++;
        size_t item = at;
        while (item < end && isdigit((unsigned char)text[item]))
            item++;
        bool numbered = item > at && item < end && (text[item] == '.' || text[item] == ')');
        bool bullet = item == at && item < end && strchr("-*+", text[item]);
        if (!(numbered || bullet) || item + 1 >= end || text[item + 1] != ' ')
            return at;
        at = item + 1;
    }
}

/* The length of a run of backticks or tildes that opens a fence; 0: none. */
static size_t fence_length(const lem_page *page, size_t at, size_t end) {
    char c = at < end ? page->text[at] : '\0';
    size_t n = 0;
    if (c != '`' && c != '~')
        return 0;
    while (at + n < end && page->text[at + n] == c)
        n++;
    if (n < 3 || (c == '`' && memchr(page->text + at + n, '`', end - at - n)))
        return 0;
    return n;
}

/* The end of the line that closes a fence opened at `at` on the line that ends at `end`. */
static size_t fence_end(const lem_page *page, size_t at, size_t length, size_t end) {
    char c = page->text[at];
    while (end < page->size) {
        size_t begin = next_line(page, end), n = 0;
        end = line_end(page, begin);
        size_t start = content_start(page, begin, end);
        while (start + n < end && page->text[start + n] == c)
            n++;
        if (n >= length && is_blank(page, start + n, end))
            break;
    }
    return end;
}

/* --- markers ------------------------------------------------------------------------------------------ */

static char *copy_text(const char *text, size_t length) {
    char *copy = strndup(text, length);
    if (!copy)
        abort();
    return copy;
}

/* Cut "name arguments" of the marker whose text is [at + 4, dashes). */
static void add_marker(lem_page *page, bool block, size_t at, size_t dashes, size_t close) {
    const char *name = page->text + at + 4, *stop = page->text + dashes;
    size_t length = 0;
    while (name + length < stop && !isspace((unsigned char)name[length]))
        length++;
    const char *arguments = name + length;
    while (arguments < stop && isspace((unsigned char)*arguments))
        arguments++;
    while (stop > arguments && isspace((unsigned char)stop[-1]))
        stop--;
    lem_marker *larger = realloc(page->markers, (page->n_markers + 1) * sizeof *larger);
    if (!larger)
        abort();
    page->markers = larger;
    page->markers[page->n_markers++] = (lem_marker){
        .block = block,
        .name = copy_text(name, length),
        .arguments = copy_text(arguments, (size_t)(stop - arguments)),
        .open = at,
        .inner = dashes + 3,
        .close = close,
        .end = close + CLOSING,
        .line = lem_page_line(page, at),
    };
    mark(page, at, dashes + 3, LEM_MARKER);
    mark(page, dashes + 3, close, strncmp(name, "typed", length) == 0 ? LEM_TYPED : LEM_WOVEN);
    mark(page, close, close + CLOSING, LEM_MARKER);
}

/* The position of "-->" in [at, end), or end. */
static size_t find_dashes(const lem_page *page, size_t at, size_t end) {
    const char *found = memmem(page->text + at, end - at, "-->", 3);
    return found ? (size_t)(found - page->text) : end;
}

static size_t name_length(const lem_page *page, size_t at, size_t dashes) {
    size_t n = 0;
    while (at + 4 + n < dashes && !isspace((unsigned char)page->text[at + 4 + n]))
        n++;
    return n;
}

/* A block from its opening line [begin, end) to its closing one; returns the end of the latter. */
static size_t scan_block(lem_page *page, size_t begin, size_t end, size_t dashes, bool blank_before,
                         lem_faults *faults) {
    size_t line = lem_page_line(page, begin), at = end;
    if (!blank_before)
        lem_fault(faults, page->path, line, "a block marker needs a blank line before it");
    while (at < page->size) {
        size_t from = next_line(page, at), start;
        at = line_end(page, from);
        start = content_start(page, from, at);
        size_t fence = fence_length(page, start, at);
        if (fence) {
            at = fence_end(page, start, fence, at);
            continue;
        }
        if (starts(page, from, at, closing) && is_blank(page, from + CLOSING, at)) {
            size_t after = next_line(page, at);
            if (after < page->size && !is_blank(page, after, line_end(page, after)))
                lem_fault(faults, page->path, lem_page_line(page, from),
                          "the end of a block needs a blank line after it");
            add_marker(page, true, begin, dashes, from);
            return at;
        }
        if (is_marker(page, start, at)) {
            lem_fault(faults, page->path, lem_page_line(page, from), "a marker within the block of line %zu",
                      line);
            return at;
        }
    }
    lem_fault(faults, page->path, line, "this block has no end <!--/-->");
    return page->size;
}

/* An inline marker at `at`; returns where to go on. */
static size_t scan_inline(lem_page *page, size_t line_begin, size_t at, size_t end, lem_faults *faults) {
    size_t line = lem_page_line(page, at), dashes = find_dashes(page, at, end);
    size_t length = name_length(page, at, dashes);
    if (starts(page, at, end, closing)) {
        lem_fault(faults, page->path, line, "<!--/--> ends nothing");
        return at + CLOSING;
    }
    if (dashes == end) {
        lem_fault(faults, page->path, line, "a marker that is not closed by -->");
        return end;
    }
    if (is_block_name(page->text + at + 4, length)) {
        lem_fault(faults, page->path, line, "a %.*s marker must stand alone on its line, at its start",
                  (int)length, page->text + at + 4);
        return dashes + 3;
    }
    const char *found = memmem(page->text + dashes + 3, end - dashes - 3, closing, CLOSING);
    if (!found) {
        lem_fault(faults, page->path, line, "this %.*s marker has no end <!--/--> on its line", (int)length,
                  page->text + at + 4);
        return dashes + 3;
    }
    size_t close = (size_t)(found - page->text);
    for (size_t i = dashes + 3; i < close; i++) {
        if (is_marker(page, i, close)) {
            lem_fault(faults, page->path, line, "a marker within a marker");
            return close + CLOSING;
        }
    }
    if (at == content_start(page, line_begin, end)) {
        lem_fault(faults, page->path, line,
                  "a marker at the start of a line would stop the markdown: put a word before it");
        return close + CLOSING;
    }
    add_marker(page, false, at, dashes, close);
    return close + CLOSING;
}

/* --- prose -------------------------------------------------------------------------------------------- */

static void refuse_markers_in(lem_page *page, size_t begin, size_t end, const char *what,
                              lem_faults *faults) {
    for (size_t i = begin; i < end; i++)
        if (is_marker(page, i, end))
            lem_fault(faults, page->path, lem_page_line(page, i), "a marker inside a %s", what);
}

static size_t scan_code_span(lem_page *page, size_t at, size_t end, lem_faults *faults) {
    size_t n = 0;
    while (at + n < end && page->text[at + n] == '`')
        n++;
    for (size_t i = at + n; i < end;) {
        size_t run = 0;
        while (i + run < end && page->text[i + run] == '`')
            run++;
        if (run == n) {
            mark(page, at, i + n, LEM_CODE);
            refuse_markers_in(page, at, i + n, "code span", faults);
            return i + n;
        }
        i += run ? run : 1;
    }
    return at + n; /* backticks that close nowhere are text */
}

static size_t scan_formula(lem_page *page, size_t at, size_t end, lem_faults *faults) {
    size_t n = starts(page, at, end, "$$") ? 2 : 1;
    for (size_t i = at + n; i < end; i++) {
        if (page->text[i] == '\\') {
            i++;
            continue;
        }
        if (page->text[i] != '$' || (n == 2 && !starts(page, i, end, "$$")))
            continue;
        mark(page, at, i + n, LEM_FORMULA);
        refuse_markers_in(page, at, i + n, "formula", faults);
        return i + n;
    }
    lem_fault(faults, page->path, lem_page_line(page, at),
              "a $ that opens no formula: close it in the same paragraph, or write \\$");
    return at + n;
}

static size_t scan_comment(lem_page *page, size_t at, size_t end, lem_faults *faults) {
    size_t dashes = find_dashes(page, at, end);
    if (dashes == end) {
        lem_fault(faults, page->path, lem_page_line(page, at),
                  "a comment that is not closed in its paragraph");
        return end;
    }
    mark(page, at, dashes + 3, LEM_MARKER);
    return dashes + 3;
}

/* The lines [begin, end) belong together: a paragraph, a list, a table, a heading. */
static void scan_prose(lem_page *page, size_t begin, size_t end, lem_faults *faults) {
    size_t line_begin = begin;
    for (size_t at = begin; at < end;) {
        char c = page->text[at];
        size_t from = at;
        if (c == '\\')
            at += 2;
        else if (c == '`')
            at = scan_code_span(page, at, end, faults);
        else if (c == '$')
            at = scan_formula(page, at, end, faults);
        else if (is_marker(page, at, end))
            at = scan_inline(page, line_begin, at, line_end(page, at), faults);
        else if (starts(page, at, end, "<!--"))
            at = scan_comment(page, at, end, faults);
        else
            at++;
        for (size_t i = from; i < at && i < end; i++)
            if (page->text[i] == '\n')
                line_begin = i + 1;
    }
}

/* A paragraph indented by four columns is code, unless it continues a list (whose items' text may be so
 * indented). */
static void scan_paragraph(lem_page *page, size_t begin, size_t end, bool *in_list, lem_faults *faults) {
    if (begin >= end)
        return;
    size_t first_end = line_end(page, begin), indent = 0;
    while (begin + indent < first_end && page->text[begin + indent] == ' ')
        indent++;
    bool tab = begin + indent < first_end && page->text[begin + indent] == '\t';
    bool item = content_start(page, begin, first_end) > begin + indent && page->text[begin + indent] != '>';
    if ((indent >= 4 || tab) && !*in_list) {
        mark(page, begin, end, LEM_CODE);
        return;
    }
    *in_list = item || (*in_list && indent > 0);
    scan_prose(page, begin, end, faults);
}

static bool is_heading(const lem_page *page, size_t begin, size_t end) {
    size_t n = 0;
    while (begin + n < end && page->text[begin + n] == '#')
        n++;
    return n >= 1 && n <= 6 && (begin + n == end || page->text[begin + n] == ' ');
}

/* --- the whole page ----------------------------------------------------------------------------------- */

/* A line that is nothing but `<!--name ...-->`, of a kind that makes a block: where its "-->" is; 0: it is
 * not. */
static size_t block_dashes(const lem_page *page, size_t begin, size_t end) {
    if (!is_marker(page, begin, end) || starts(page, begin, end, closing))
        return 0;
    size_t dashes = find_dashes(page, begin, end);
    if (dashes == end || !is_blank(page, dashes + 3, end))
        return 0;
    size_t length = name_length(page, begin, dashes);
    const char *name = page->text + begin + 4;
    bool typed = length == 5 && strncmp(name, "typed", 5) == 0;
    return typed || is_block_name(name, length) ? dashes : 0;
}

void lem_page_scan(lem_page *page, const char *path, const char *text, size_t size, lem_faults *faults) {
    *page = (lem_page){.path = path, .text = text, .size = size, .spans = calloc(size + 1, 1)};
    if (!page->spans)
        abort();
    find_lines(page);
    size_t prose = 0; /* where the running paragraph began; == begin: there is none */
    bool blank_before = true, in_list = false;
    for (size_t begin = 0; begin < size;) {
        size_t end = line_end(page, begin), start = content_start(page, begin, end);
        size_t fence = fence_length(page, start, end), dashes = block_dashes(page, begin, end);
        bool blank = is_blank(page, begin, end), heading = is_heading(page, begin, end);
        if (blank || fence || dashes || heading) {
            scan_paragraph(page, prose, begin, &in_list, faults);
            if (fence) {
                size_t last = fence_end(page, start, fence, end);
                mark(page, begin, last, LEM_CODE);
                end = last;
            } else if (dashes) {
                end = scan_block(page, begin, end, dashes, blank_before, faults);
            } else if (heading) {
                mark(page, begin, end, LEM_HEADING);
                scan_prose(page, begin, end, faults);
                in_list = false;
            }
            prose = next_line(page, end);
        }
        blank_before = blank;
        begin = next_line(page, end);
    }
    if (prose < size)
        scan_paragraph(page, prose, size, &in_list, faults);
}

void lem_page_free(lem_page *page) {
    for (size_t i = 0; i < page->n_markers; i++) {
        free(page->markers[i].name);
        free(page->markers[i].arguments);
    }
    free(page->markers);
    free(page->spans);
    free(page->line_ends);
    *page = (lem_page){0};
}
