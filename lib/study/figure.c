/* Figures: one run of `gnuplot -d` per figure and format, without a shell, its output read from a pipe,
 * looked through, and given our title and alt text. The protocol with the .gp files stands at the top of
 * studies/style.gp. */
#include "study/files.h"
#include "study/runtime.h"
#include "study/sha256.h"

#include "study/build_config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile long lem_figure_child;

enum { LARGEST_SVG = 200 * 1000 };

/* --- running gnuplot */

typedef struct {
    char *bytes;
    size_t count, room;
} text_buffer;

static bool append(text_buffer *buffer, const char *bytes, size_t count) {
    if (buffer->count + count + 1 > buffer->room) {
        size_t room = 2 * (buffer->count + count + 1);
        char *more = realloc(buffer->bytes, room);
        if (!more)
            return false;
        buffer->bytes = more;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    buffer->bytes[buffer->count] = '\0';
    return true;
}

static bool append_text(text_buffer *buffer, const char *text) {
    return append(buffer, text, strlen(text));
}

/* gnuplot must not see what the user set up for it: the same figure for everyone. */
static char **clean_environment(void) {
    static const char *const dropped[] = {"GNUTERM=", "GNUPLOT",     "FIT_",     "LC_",
                                          "LANG=",    "GDFONTPATH=", "GNUHELP=", "PAGER="};
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **copy = calloc(n + 2, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++) {
        bool drop = false;
        for (size_t d = 0; d < sizeof dropped / sizeof dropped[0]; d++)
            drop = drop || strncmp(environ[i], dropped[d], strlen(dropped[d])) == 0;
        if (!drop)
            copy[kept++] = environ[i];
    }
    if (copy)
        copy[kept] = (char *)"LC_ALL=C.UTF-8";
    return copy;
}

/* Read both pipes to their ends. */
static bool drain(int out, int err, text_buffer *output, text_buffer *errors) {
    struct pollfd fds[2] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
    text_buffer *buffers[2] = {output, errors};
    char piece[1 << 14];
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return false;
        for (int i = 0; i < 2; i++) {
            if (fds[i].fd < 0 || !fds[i].revents)
                continue;
            ssize_t got = read(fds[i].fd, piece, sizeof piece);
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                fds[i].fd = -1;
            else if (!append(buffers[i], piece, (size_t)got))
                return false;
        }
    }
    return true;
}

static int spawn_with_pipes(char *const arguments[], int out[2], int err[2], pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    char **environment = clean_environment();
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    (void)posix_spawnattr_init(&attributes);
    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGPIPE);
    (void)sigaddset(&defaults, SIGXFSZ);
    (void)posix_spawnattr_setsigdefault(&attributes, &defaults);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int why = environment ? posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environment)
                          : ENOMEM;
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return why;
}

/* Returns 0 or the errno of the start; the exit status as waitpid gives it. */
static int run_program(char *const arguments[], text_buffer *output, text_buffer *errors, int *exit_status) {
    int out[2], err[2];
    pid_t child = 0;
    if (pipe2(out, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(err, O_CLOEXEC) != 0) {
        int why = errno;
        (void)close(out[0]), (void)close(out[1]);
        return why;
    }
    int why = spawn_with_pipes(arguments, out, err, &child);
    lem_figure_child = why ? 0 : child;
    (void)close(out[1]), (void)close(err[1]);
    bool drained = why || drain(out[0], err[0], output, errors);
    (void)close(out[0]), (void)close(err[0]);
    if (!why) {
        while (waitpid(child, exit_status, 0) < 0 && errno == EINTR)
            continue;
        lem_figure_child = 0;
    }
    return why ? why : drained ? 0 : ENOMEM;
}

const char *lem_gnuplot_version(void) {
    static char version[128];
    static bool asked;
    if (asked)
        return version[0] ? version : NULL;
    asked = true;
    text_buffer output = {NULL, 0, 0}, errors = {NULL, 0, 0};
    char program[] = "gnuplot", option[] = "--version";
    char *const arguments[] = {program, option, NULL};
    int status = 0;
    if (run_program(arguments, &output, &errors, &status) == 0 && WIFEXITED(status) &&
        WEXITSTATUS(status) == 0 && output.bytes)
        (void)snprintf(version, sizeof version, "%.*s", (int)strcspn(output.bytes, "\n"), output.bytes);
    free(output.bytes);
    free(errors.bytes);
    return version[0] ? version : NULL;
}

/* --- the scripts */

/* A gnuplot string in single quotes, in which a quote is doubled. */
static bool append_quoted(text_buffer *buffer, const char *text) {
    bool ok = append_text(buffer, "'");
    for (; *text && ok; text++)
        ok = append_text(buffer, *text == '\'' ? "''" : (char[2]){*text, '\0'});
    return ok && append_text(buffer, "'");
}

static const char *scripts_folder(const lem_study *study) {
    const char *from_environment = getenv("LEMMATA_SCRIPTS");
    return study->options.scripts                    ? study->options.scripts
           : from_environment && from_environment[0] ? from_environment
           : study->scripts                          ? study->scripts
                                                     : ".";
}

static char *preamble(const lem_study *study, const char *name, const char *format) {
    text_buffer text = {NULL, 0, 0};
    char table[PATH_MAX], above[PATH_MAX];
    const char *folder = scripts_folder(study);
    (void)snprintf(table, sizeof table, "%s/data/%s.tsv", study->options.out, name);
    (void)snprintf(above, sizeof above, "%s/..", folder);
    const char *waiting = lem_files_pending(table);
    bool ok = append_text(&text, "data=") && append_quoted(&text, waiting ? waiting : table) &&
              append_text(&text, "; format=") && append_quoted(&text, format) &&
              append_text(&text, "; set loadpath ") && append_quoted(&text, folder) &&
              append_text(&text, " ") && append_quoted(&text, above) && append_text(&text, " ") &&
              append_quoted(&text, LEM_STYLE_DIR);
    if (!ok) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}

int lem_gnuplot_draw(const char *what, const char *commands, const char *script, char **bytes,
                     size_t *count) {
    text_buffer output = {NULL, 0, 0}, errors = {NULL, 0, 0};
    char program[] = "gnuplot", defaults[] = "-d", execute[] = "-e";
    char *const arguments[] = {program,        defaults, execute, (char *)(commands ? commands : ""),
                               (char *)script, NULL};
    int exit_status = 0, why = run_program(arguments, &output, &errors, &exit_status), status = GSL_SUCCESS;
    if (why)
        status = LEM_ERROR(GSL_EFAILED, "%s: gnuplot did not start: %s", what, strerror(why));
    else if (!WIFEXITED(exit_status) || WEXITSTATUS(exit_status) != 0 || errors.count > 0)
        status = LEM_ERROR(GSL_EFAILED, "%s: gnuplot complained: %.300s", what,
                           errors.bytes ? errors.bytes + strspn(errors.bytes, " \n") : "(no message)");
    free(errors.bytes);
    *bytes = output.bytes;
    *count = output.count;
    return status;
}

static int draw(const lem_study *study, const char *name, const char *format, text_buffer *output) {
    char script[PATH_MAX], what[PATH_MAX];
    (void)snprintf(script, sizeof script, "%s/%s.gp", scripts_folder(study), name);
    (void)snprintf(what, sizeof what, "figure %s (%s)", name, format);
    if (access(script, R_OK) != 0)
        return LEM_ERROR(GSL_EFAILED, "figure %s: cannot read %s: %s (another folder: --scripts DIR)", name,
                         script, strerror(errno));
    char *commands = preamble(study, name, format);
    if (!commands)
        return LEM_ERROR(GSL_ENOMEM, "out of memory");
    const int status = lem_gnuplot_draw(what, commands, script, &output->bytes, &output->count);
    free(commands);
    return status;
}

/* --- what came out */

static const char *find_end(const char *from, const char *word) {
    const char *at = strstr(from, word);
    return at ? at + strlen(word) : NULL;
}

/* Every plot of the figure drew something: gnuplot gives each a group of its own. */
static bool has_empty_plot(const char *svg) {
    static const char opening[] = "<g id=\"gnuplot_plot_";
    static const char *const marks[] = {"<path",     "<use",   "<circle", "<polygon", "<rect",
                                        "<polyline", "<image", "<text",   "<line"};
    for (const char *at = strstr(svg, opening); at;) {
        const char *next = strstr(at + 1, opening);
        const char *end = next ? next : strchr(at, '\0');
        bool drawn = false;
        for (size_t m = 0; m < sizeof marks / sizeof marks[0]; m++) {
            const char *mark = strstr(at, marks[m]);
            drawn = drawn || (mark && mark < end);
        }
        if (!drawn)
            return true;
        at = next;
    }
    return strstr(svg, opening) == NULL;
}

static int refuse_svg(const char *name, const text_buffer *svg, const char *table) {
    const char *end = svg->bytes ? svg->bytes + svg->count : "";
    while (svg->bytes && end > svg->bytes && (end[-1] == '\n' || end[-1] == ' '))
        end--;
    if (!svg->bytes || end - svg->bytes < 6 || strncmp(end - 6, "</svg>", 6) != 0)
        return LEM_ERROR(GSL_EFAILED, "figure %s: the SVG is cut short", name);
    if (strlen(svg->bytes) != svg->count || !strstr(svg->bytes, "<title>") || !strstr(svg->bytes, "<desc>"))
        return LEM_ERROR(GSL_EFAILED, "figure %s: this is no SVG of gnuplot's", name);
    if (has_empty_plot(svg->bytes))
        return LEM_ERROR(GSL_EFAILED, "figure %s: a plot in it shows nothing", name);
    if (table && strstr(svg->bytes, table))
        return LEM_ERROR(GSL_EFAILED, "figure %s: a curve without a title (or notitle) shows its file name",
                         name);
    if (svg->count > LARGEST_SVG)
        return LEM_ERROR(GSL_EFAILED, "figure %s: the SVG has %zu bytes, more than %d: thin out the table",
                         name, svg->count, LARGEST_SVG);
    return GSL_SUCCESS;
}

static bool append_escaped(text_buffer *buffer, const char *text) {
    bool ok = true;
    for (; *text && ok; text++) {
        char one[2] = {*text, '\0'};
        ok = append_text(buffer, *text == '&'                 ? "&amp;"
                                 : *text == '<'               ? "&lt;"
                                 : *text == '>'               ? "&gt;"
                                 : (unsigned char)*text < ' ' ? " "
                                                              : one);
    }
    return ok;
}

/* Replace what stands between <word> and </word>, first occurrence. */
static int replace(text_buffer *svg, const char *open, const char *close, const char *text) {
    text_buffer out = {NULL, 0, 0};
    const char *from = find_end(svg->bytes, open), *to = from ? strstr(from, close) : NULL;
    if (!to || !append(&out, svg->bytes, (size_t)(from - svg->bytes)) || !append_escaped(&out, text) ||
        !append_text(&out, to)) {
        free(out.bytes);
        return LEM_ERROR(GSL_EFAILED, "the SVG has no %s, or memory is short", open);
    }
    free(svg->bytes);
    *svg = out;
    return GSL_SUCCESS;
}

static int make_svg(const lem_study *study, const char *name, const char *title, const char *alt,
                    const char *path, char digest[LEM_SHA256_TEXT]) {
    text_buffer svg = {NULL, 0, 0};
    char table[PATH_MAX];
    (void)snprintf(table, sizeof table, "%s.tsv", name);
    int status = draw(study, name, "svg", &svg);
    if (!status)
        status = refuse_svg(name, &svg, table);
    if (!status)
        status = replace(&svg, "<title>", "</title>", title);
    if (!status)
        status = replace(&svg, "<desc>", "</desc>", alt);
    if (!status) {
        lem_sha256(svg.bytes, svg.count, digest);
        status = lem_files_write(path, svg.bytes, svg.count);
    }
    free(svg.bytes);
    return status;
}

static int make_png(const lem_study *study, const char *name, const char *path) {
    static const unsigned char start[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const unsigned char end[8] = {'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
    text_buffer png = {NULL, 0, 0};
    int status = draw(study, name, "png", &png);
    bool whole = !status && png.count > 16 && memcmp(png.bytes, start, 8) == 0 &&
                 memcmp(png.bytes + png.count - 8, end, 8) == 0;
    if (!status && !whole)
        status = LEM_ERROR(GSL_EFAILED, "figure %s: the PNG is cut short", name);
    if (!status)
        status = lem_files_write(path, png.bytes, png.count);
    free(png.bytes);
    return status;
}

/* --- all of them */

static int draw_one(const lem_study *study, json_t *figure) {
    const char *name = json_string_value(json_object_get(figure, "name"));
    const char *caption = json_string_value(json_object_get(figure, "caption"));
    const char *alt = json_string_value(json_object_get(figure, "alt"));
    char svg[PATH_MAX], png[PATH_MAX], relative[256], digest[LEM_SHA256_TEXT];
    (void)snprintf(svg, sizeof svg, "%s/figures/%s.svg", study->options.out, name);
    (void)snprintf(png, sizeof png, "%s/figures/%s.png", study->options.out, name);
    LEM_TRY(make_svg(study, name, caption, alt, svg, digest));
    LEM_TRY(make_png(study, name, png));
    (void)snprintf(relative, sizeof relative, "figures/%s.svg", name);
    (void)json_object_set_new(figure, "svg", json_string(relative));
    (void)snprintf(relative, sizeof relative, "figures/%s.png", name);
    (void)json_object_set_new(figure, "png", json_string(relative));
    return json_object_set_new(figure, "svg_sha256", json_string(digest)) == 0
               ? GSL_SUCCESS
               : LEM_ERROR(GSL_ENOMEM, "out of memory");
}

static int retire(const lem_study *study, const char *name) {
    char path[PATH_MAX];
    static const char *const formats[] = {"svg", "png"};
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/figures/%s.%s", study->options.out, name, formats[i]);
        LEM_TRY(lem_files_retire(path));
    }
    return GSL_SUCCESS;
}

/* A figure must have its table; its hash goes into the results with or without gnuplot. */
static int find_table(const lem_study *study, json_t *figure) {
    const char *name = json_string_value(json_object_get(figure, "name"));
    char path[PATH_MAX], digest[LEM_SHA256_TEXT];
    (void)snprintf(path, sizeof path, "%s/data/%s.tsv", study->options.out, name);
    const char *waiting = lem_files_pending(path);
    if (!waiting)
        return LEM_ERROR(GSL_EINVAL, "figure %s: no table of that name was written", name);
    LEM_TRY(lem_sha256_file(waiting, digest));
    return json_object_set_new(figure, "data_sha256", json_string(digest)) == 0
               ? GSL_SUCCESS
               : LEM_ERROR(GSL_ENOMEM, "out of memory");
}

static void tell_missing(const lem_study *study) {
    size_t i;
    json_t *figure;
    (void)fputs("gnuplot is not installed, so these figures are missing:", stderr);
    json_array_foreach(study->figures, i, figure) {
        (void)fprintf(stderr, " %s", json_string_value(json_object_get(figure, "name")));
    }
    (void)fputs(
        "\nTheir data are in data/. To get them, install gnuplot (Debian: apt install gnuplot-nox) and run "
        "again.\n",
        stderr);
}

int lem_figures_draw(lem_study *study) {
    size_t i;
    json_t *figure;
    bool draws = !study->options.no_figures && json_array_size(study->figures) > 0;
    if (draws && !lem_gnuplot_version()) {
        tell_missing(study);
        draws = false;
    }
    json_array_foreach(study->figures, i, figure) {
        LEM_TRY(find_table(study, figure));
        LEM_TRY(draws ? draw_one(study, figure)
                      : retire(study, json_string_value(json_object_get(figure, "name"))));
    }
    return GSL_SUCCESS;
}

int lem_study_figure(lem_study *study, const char *name, const char *caption, const char *alt) {
    size_t i;
    json_t *other;
    char data[256];
    if (!study || !caption || !caption[0] || !alt || !alt[0])
        return LEM_ERROR(GSL_EINVAL,
                         "a figure needs a study, a caption and an alt text that says the finding");
    LEM_TRY(lem_check_key("the figure's name", name));
    json_array_foreach(study->figures, i, other) {
        if (strcmp(json_string_value(json_object_get(other, "name")), name) == 0)
            return LEM_ERROR(GSL_EINVAL, "figure %s is declared twice", name);
    }
    (void)snprintf(data, sizeof data, "data/%s.tsv", name);
    json_t *figure = json_pack("{s:s, s:s, s:s, s:n, s:n, s:s}", "name", name, "caption", caption, "alt", alt,
                               "svg", "png", "data", data);
    if (json_array_append_new(study->figures, figure) != 0)
        return LEM_ERROR(GSL_EINVAL, "figure %s: a text is not UTF-8, or memory is short", name);
    return GSL_SUCCESS;
}
