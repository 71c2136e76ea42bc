#include "cli/lint.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) {
    return isdigit((unsigned char)c);
}

static bool is_letter(char c) {
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80; /* the bytes of UTF-8 letters */
}

/* --- what is set aside before looking ----------------------------------------------------------------- */

/* prose[i]: this byte is prose in which a number counts. */
static void keep_prose(const lem_page *page, bool *prose) {
    for (size_t i = 0; i < page->size; i++)
        prose[i] = page->spans[i] == LEM_PROSE;
}

static void drop(bool *prose, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        prose[i] = false;
}

static size_t find_in_line(const lem_page *page, size_t at, char c) {
    while (at < page->size && page->text[at] != c && page->text[at] != '\n')
        at++;
    return at;
}

/* "](target)", "<https://..>", "<img width=..>". */
static void drop_links(const lem_page *page, bool *prose) {
    const char *text = page->text;
    for (size_t i = 0; i + 1 < page->size; i++) {
        if (!prose[i])
            continue;
        if (text[i] == ']' && text[i + 1] == '(')
            drop(prose, i, find_in_line(page, i, ')'));
        if (text[i] == '<' && (is_letter(text[i + 1]) || text[i + 1] == '/')) {
            size_t end = find_in_line(page, i, '>');
            if (end < page->size && text[end] == '>')
                drop(prose, i, end);
        }
        if (strncmp(text + i, "http://", 7) == 0 || strncmp(text + i, "https://", 8) == 0)
            drop(prose, i, i + strcspn(text + i, " \t\n)>"));
    }
}

/* "[name]: target" and the "12." of a list item. */
static void drop_line_starts(const lem_page *page, bool *prose) {
    for (size_t begin = 0; begin < page->size; begin = find_in_line(page, begin, '\n') + 1) {
        size_t at = begin, digits;
        while (at < page->size && strchr(" \t>", page->text[at]) && page->text[at])
            at++;
        if (page->text[at] == '[' && page->text[at + 1] != '^') {
            size_t end = find_in_line(page, at, ']');
            if (end + 1 < page->size && page->text[end] == ']' && page->text[end + 1] == ':')
                drop(prose, at, find_in_line(page, at, '\n'));
        }
        for (digits = 0; at + digits < page->size && is_digit(page->text[at + digits]);)
            digits++;
        char after = at + digits < page->size ? page->text[at + digits] : '\0';
        if (digits && (after == '.' || after == ')') && page->text[at + digits + 1] == ' ')
            drop(prose, at, at + digits);
    }
}

/* From a heading "References" or "Sources" to the next heading that is not below it. */
static void drop_references(const lem_page *page, bool *prose) {
    size_t within = 0; /* the level of the heading we are below; 0: not there */
    for (size_t begin = 0; begin < page->size;) {
        size_t end = find_in_line(page, begin, '\n'), level = 0;
        bool heading = page->spans[begin] == LEM_HEADING;
        while (heading && begin + level < end && page->text[begin + level] == '#')
            level++;
        if (heading && within && level <= within)
            within = 0;
        if (heading && !within) {
            const char *title = page->text + begin + level;
            title += strspn(title, " ");
            if (strncasecmp(title, "reference", 9) == 0 || strncasecmp(title, "source", 6) == 0)
                within = level;
        }
        if (within)
            drop(prose, begin, end);
        begin = end + 1;
    }
}

/* --- one number --------------------------------------------------------------------------------------- */

/* The characters of one number from its first digit: 1,234.5e-6. A point or comma counts between digits only.
 */
static size_t number_length(const char *text) {
    size_t n = 0;
    while (is_digit(text[n]) || ((text[n] == '.' || text[n] == ',') && n && is_digit(text[n + 1])))
        n++;
    size_t sign = text[n] == 'e' && (text[n + 1] == '-' || text[n + 1] == '+');
    if (text[n] == 'e' && is_digit(text[n + 1 + sign]))
        for (n += 1 + sign; is_digit(text[n]);)
            n++;
    return n;
}

/* A part of a name: "x86", "x86-64", "GPL-3.0", "recall@10", "Philox4x32-10"; "n-1" is none. */
static bool is_in_name(const char *text, size_t at) {
    if (at == 0)
        return false;
    if (at >= 2 && text[at - 1] == '^' && text[at - 2] == '[')
        return true; /* the mark of a footnote */
    char before = text[at - 1];
    if (is_letter(before) || before == '_')
        return (unsigned char)before < 0x80;
    if (!strchr("-.@/", before) || at < 2)
        return false;
    size_t start = at - 1;
    while (start > 0 && (isalnum((unsigned char)text[start - 1]) || strchr("-.@/_", text[start - 1])) &&
           text[start - 1])
        start--;
    return is_letter(text[start]) && start + 1 < at && isalnum((unsigned char)text[start + 1]);
}

/* The word before `at`, less what may stand between it and a number; its length, 0 if there is none. A full
 * stop may stand between only after an abbreviation ("eq. 3"), which is short: else it ends a sentence. */
static size_t word_before(const char *text, size_t at, size_t *start) {
    bool stopped = false;
    for (; at > 0 && strchr(" \n([:~.", text[at - 1]); at--)
        stopped = stopped || text[at - 1] == '.';
    size_t end = at;
    while (at > 0 && is_letter(text[at - 1]))
        at--;
    *start = at;
    return stopped && end - at > 4 ? 0 : end - at;
}

static bool is_one_of(const char *word, size_t length, const char *const *words) {
    for (; *words; words++)
        if (strlen(*words) == length && strncasecmp(word, *words, length) == 0)
            return true;
    return false;
}

/* A year in parentheses or before punctuation: "over 2000 draws" is none. */
static bool is_year(const char *text, size_t at, size_t length) {
    if (length != 4) /* text[at + 4] may lie beyond the page */
        return false;
    bool century = strncmp(text + at, "18", 2) == 0 || strncmp(text + at, "19", 2) == 0 ||
                   strncmp(text + at, "20", 2) == 0;
    bool set_off = (at > 0 && text[at - 1] == '(') || (text[at + 4] && strchr("),;.:", text[at + 4]));
    return century && set_off;
}

enum { LONGEST_SERIES = 30 }; /* so that a page of nothing but numbers is no work without end */

/* "Theorem 10.5", "gcc 12"; "Theorems 10.5 and 10.6"; "Achlioptas (2003)". `series`: so many numbers may
 * stand between this one and the word. */
static bool is_label(const char *text, size_t at, size_t length, size_t series) {
    static const char *const labels[] = {
        "theorem",     "theorems",  "thm",       "lemma",   "lemmas",   "corollary", "cor",
        "proposition", "section",   "sections",  "sec",     "chapter",  "appendix",  "eq",
        "eqs",         "equation",  "equations", "fig",     "figure",   "figures",   "table",
        "tables",      "algorithm", "step",      "page",    "pages",    "archive",   "article",
        "post",        "arXiv",     "issue",     "version", "footnote", "part",      NULL};
    static const char *const programs[] = {"Debian",  "Meson",  "GSL", "OpenBLAS", "SLEEF",  "gcc", "clang",
                                           "gnuplot", "Ubuntu", "TAP", "CFF",      "Python", NULL};
    static const char *const joints[] = {"and", "or", "to", NULL};
    size_t start, word = word_before(text, at, &start);
    if (is_one_of(text + start, word, labels) || is_one_of(text + start, word, programs))
        return true;
    bool author = word >= 3 && isupper((unsigned char)text[start]);
    bool et_al = word == 2 && strncmp(text + start, "al", 2) == 0;
    if (is_year(text, at, length) && (author || et_al))
        return true;
    /* a series: the number before this one is what the word belongs to */
    size_t before = is_one_of(text + start, word, joints) ? start : at;
    while (before > 0 && strchr(" \n,–", text[before - 1]))
        before--;
    if (series == 0 || before == 0 || before == at || !is_digit(text[before - 1]))
        return false;
    size_t digits = before;
    while (digits > 0 && (is_digit(text[digits - 1]) || text[digits - 1] == '.'))
        digits--;
    return is_label(text, digits, before - digits, series - 1);
}

void lem_lint_page(const lem_page *page, lem_faults *faults) {
    bool *prose = calloc(page->size + 1, sizeof *prose);
    if (!prose)
        abort();
    keep_prose(page, prose);
    drop_links(page, prose);
    drop_line_starts(page, prose);
    drop_references(page, prose);
    for (size_t at = 0; at < page->size;) {
        if (!is_digit(page->text[at])) {
            at++;
            continue;
        }
        size_t length = number_length(page->text + at);
        if (prose[at] && !is_in_name(page->text, at) && !is_label(page->text, at, length, LONGEST_SERIES))
            lem_fault(faults, page->path, lem_page_line(page, at),
                      "the number %.*s is typed: weave it, or say <!--typed--> where it is a constant of the "
                      "set-up",
                      (int)length, page->text + at);
        at += length;
        while (at < page->size && isalnum((unsigned char)page->text[at]))
            at++; /* "4x32" is one thing */
    }
    free(prose);
}
