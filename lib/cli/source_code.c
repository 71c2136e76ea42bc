#include "cli/source_code.h"
#include "cli/files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_name_char(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* A line that may begin a definition: something other than a comment, a directive or a brace in its first
 * column. */
static bool begins_something(const char *line) {
    return isalpha((unsigned char)*line) || *line == '_';
}

/* Does the line hold `function(` as a whole word, on its way to a `{` before any `;`? */
static bool defines(const char *line, const char *function) {
    size_t length = strlen(function), span = strcspn(line, "\n");
    for (const char *at = line; (at = strstr(at, function)) && at < line + span; at += length) {
        if (at[length] != '(' || (at > line && is_name_char(at[-1])))
            continue;
        const char *stop = strpbrk(at, ";{");
        return stop && *stop == '{';
    }
    return false;
}

/* The start of the definition, a return type on a line of its own with it; NULL: there is none. */
static const char *find_definition(const char *text, const char *function) {
    const char *previous = NULL;
    for (const char *line = text; *line;) {
        size_t span = strcspn(line, "\n");
        if (begins_something(line) && defines(line, function)) {
            bool type_above = previous && begins_something(previous) &&
                              !memchr(previous, ';', (size_t)(line - previous)) &&
                              strncmp(line, function, strlen(function)) == 0;
            return type_above ? previous : line;
        }
        previous = line;
        line += span + (line[span] != '\0');
    }
    return NULL;
}

static size_t longest_run_of_backticks(const char *text, size_t size) {
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < size; i++) {
        run = text[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void write_fenced(FILE *out, const char *path, const char *code, size_t size) {
    const char *dot = strrchr(path, '.');
    size_t fence = longest_run_of_backticks(code, size) + 1;
    fence = fence < 3 ? 3 : fence;
    for (size_t i = 0; i < fence; i++)
        (void)fputc('`', out);
    (void)fprintf(out, "%s\n%.*s%s",
                  dot && strcmp(dot, ".h") == 0 ? "c"
                  : dot                         ? dot + 1
                                                : "",
                  (int)size, code, size && code[size - 1] == '\n' ? "" : "\n");
    for (size_t i = 0; i < fence; i++)
        (void)fputc('`', out);
    (void)fputc('\n', out);
}

static bool leaves_root(const char *path) {
    size_t length = strlen(path);
    return *path == '/' || strcmp(path, "..") == 0 || strncmp(path, "../", 3) == 0 || strstr(path, "/../") ||
           (length >= 3 && strcmp(path + length - 3, "/..") == 0);
}

int lem_write_code(FILE *out, const char *root, const char *path, const char *function) {
    size_t size;
    if (!root)
        return LEM_ERROR(GSL_EINVAL, "code %s: no source tree (a folder with notebooks-md) is above the page",
                         path);
    if (leaves_root(path))
        return LEM_ERROR(GSL_EINVAL, "code %s: must be a path within the source tree", path);
    char *whole = lem_text("%s/%s", root, path);
    char *text = lem_read_file(whole, &size);
    free(whole);
    if (!text)
        return LEM_ERROR(GSL_EINVAL, "code %s: no such file in the source tree", path);
    const char *begin = *function ? find_definition(text, function) : text;
    const char *brace = *function && begin ? strstr(begin, "\n}") : NULL;
    const char *end = !*function ? text + size : brace ? brace + 2 : NULL;
    int status = GSL_SUCCESS;
    if (end)
        write_fenced(out, path, begin, (size_t)(end - begin));
    else
        status = LEM_ERROR(GSL_EINVAL, "code %s: no definition of a function %s", path, function);
    free(text);
    return status;
}
