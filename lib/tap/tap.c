#include "tap/tap.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    FILE *out;
    size_t planned, done, failed;
    bool has_version, has_plan, skipped_all, bailed_out;
} emitter;
static emitter tap, aside;

void lem_tap_open_stream(FILE *out) {
    aside = tap;
    tap = (emitter){.out = out};
}

int lem_tap_close_stream(void) {
    int status = lem_tap_finish();
    tap = aside;
    return status;
}

void lem_tap_open(void) {
    (void)fflush(stdout);
    int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3); /* not for the programs we start */
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    if (!out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        perror("cannot set standard output aside");
        exit(255);
    }
    tap = (emitter){.out = out};
}

static void put_escaped(const char *text) {
    for (; *text; text++) {
        if (*text == '#' || *text == '\\')
            (void)putc('\\', tap.out);
        if (*text == '\n' || *text == '\r')
            (void)fputs("\\n", tap.out);
        else
            (void)putc(*text, tap.out);
    }
}

static void put_formatted(const char *format, va_list args) {
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        return;
    put_escaped(text);
    free(text);
}

void lem_tap_begin(void) {
    if (!tap.has_version)
        (void)fputs("TAP version 13\n", tap.out);
    tap.has_version = true;
    (void)fflush(tap.out);
}

void lem_tap_plan(size_t n) {
    lem_tap_begin();
    tap.has_plan = true;
    tap.planned = n;
    (void)fprintf(tap.out, "1..%zu\n", n);
    (void)fflush(tap.out);
}

size_t lem_tap_done(void) {
    return tap.done;
}

void lem_tap_skip_all(const char *format, ...) {
    va_list args;
    tap.has_plan = tap.skipped_all = true;
    lem_tap_begin();
    (void)fputs("1..0 # SKIP ", tap.out);
    va_start(args, format);
    put_formatted(format, args);
    va_end(args);
    (void)putc('\n', tap.out);
}

static void put_yaml(const char *yaml) {
    (void)fputs("  ---\n", tap.out);
    while (*yaml) {
        size_t length = strcspn(yaml, "\n");
        (void)fprintf(tap.out, "  %.*s\n", (int)length, yaml);
        yaml += length + (yaml[length] == '\n');
    }
    (void)fputs("  ...\n", tap.out);
}

void lem_tap_yaml_text(FILE *out, const char *key, const char *value) {
    (void)fprintf(out, "%s: \"", key);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            (void)putc('\\', out);
        if (*value == '\n')
            (void)fputs("\\n", out);
        else if ((unsigned char)*value >= ' ')
            (void)putc(*value, out);
    }
    (void)fputs("\"\n", out);
}

bool lem_tap_result(bool ok, const char *yaml, const char *format, ...) {
    va_list args;
    tap.done++;
    tap.failed += !ok;
    (void)fprintf(tap.out, "%s %zu - ", ok ? "ok" : "not ok", tap.done);
    va_start(args, format);
    put_formatted(format, args);
    va_end(args);
    (void)putc('\n', tap.out);
    if (!ok && yaml)
        put_yaml(yaml);
    (void)fflush(tap.out);
    return ok;
}

void lem_tap_skip(const char *reason, const char *format, ...) {
    va_list args;
    tap.done++;
    (void)fprintf(tap.out, "ok %zu - ", tap.done);
    va_start(args, format);
    put_formatted(format, args);
    va_end(args);
    (void)fputs(" # SKIP ", tap.out);
    put_escaped(reason);
    (void)putc('\n', tap.out);
    (void)fflush(tap.out);
}

void lem_tap_diag(const char *format, ...) {
    va_list args;
    char *text = NULL;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        return;
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        (void)fprintf(tap.out, "# %.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
    free(text);
    (void)fflush(tap.out);
}

static void bail_out(const char *format, va_list args) {
    if (!tap.has_plan)
        lem_tap_plan(tap.done ? tap.done : 1);
    tap.bailed_out = true;
    (void)fputs("Bail out! ", tap.out);
    put_formatted(format, args);
    (void)putc('\n', tap.out);
    (void)fflush(tap.out);
}

void lem_tap_say_bail_out(const char *format, ...) {
    va_list args;
    va_start(args, format);
    bail_out(format, args);
    va_end(args);
}

void lem_tap_bail_out(const char *format, ...) {
    va_list args;
    va_start(args, format);
    bail_out(format, args);
    va_end(args);
    exit(255);
}

bool lem_tap_finish_output(void) {
    bool written = fflush(tap.out) == 0 && !ferror(tap.out);
    if (!written)
        (void)fprintf(stderr, "writing the TAP output failed\n");
    return written;
}

int lem_tap_finish(void) {
    bool written = lem_tap_finish_output();
    bool complete = tap.skipped_all || (tap.has_plan && tap.done == tap.planned);
    return written && complete && !tap.bailed_out && tap.failed == 0 ? 0 : 1;
}

/* --- cases
 * ---------------------------------------------------------------------------------------------------------
 */

static struct {
    size_t checks, failures;
    char *yaml;
    size_t yaml_size;
    FILE *yaml_stream;
    char skip[256];
} current;

enum { SHOWN_FAILURES = 10 };

static void begin_case(void) {
    memset(&current, 0, sizeof current);
    current.yaml_stream = open_memstream(&current.yaml, &current.yaml_size);
}

static void end_case(const char *name) {
    if (current.failures > SHOWN_FAILURES)
        (void)fprintf(current.yaml_stream, "more: %zu further failures\n", current.failures - SHOWN_FAILURES);
    (void)fclose(current.yaml_stream);
    if (current.skip[0] && current.failures == 0)
        lem_tap_skip(current.skip, "%s", name);
    else if (current.checks == 0)
        lem_tap_result(false, "problem: the case checked nothing", "%s", name);
    else
        lem_tap_result(current.failures == 0, current.yaml, "%s", name);
    free(current.yaml);
}

static bool wanted(const char *name, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i]))
            return true;
    return argc <= 1;
}

int lem_tap_main(const lem_tap_case *cases, size_t n, int argc, char **argv) {
    size_t planned = 0;
    for (size_t i = 0; i < n; i++)
        planned += wanted(cases[i].name, argc, argv);
    lem_tap_open();
    lem_tap_plan(planned);
    for (size_t i = 0; i < n; i++) {
        if (!wanted(cases[i].name, argc, argv))
            continue;
        begin_case();
        cases[i].run();
        end_case(cases[i].name);
    }
    return lem_tap_finish();
}

bool lem_tap_check(bool ok, const char *file, int line, const char *expression, const char *format, ...) {
    current.checks++;
    if (ok)
        return true;
    current.failures++;
    if (current.failures > SHOWN_FAILURES)
        return false;
    char *said = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&said, format, args) < 0)
        said = NULL;
    va_end(args);
    (void)fprintf(current.yaml_stream, "%s  - at: %s:%d\n", current.failures == 1 ? "failures:\n" : "", file,
                  line);
    lem_tap_yaml_text(current.yaml_stream, "    check", expression);
    lem_tap_yaml_text(current.yaml_stream, "    said", said ? said : format);
    free(said);
    return false;
}

void lem_tap_case_skip(const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(current.skip, sizeof current.skip, format, args);
    va_end(args);
}

bool lem_tap_near(double value, double expected, double tolerance, const char *file, int line,
                  const char *expression) {
    double difference = fabs(value - expected);
    return lem_tap_check(difference <= tolerance, file, line, expression,
                         "value %.17g, expected %.17g, difference %.3g, tolerance %.3g", value, expected,
                         difference, tolerance);
}

bool lem_tap_error(int status, const char *words, const char *file, int line, const char *expression) {
    if (!lem_tap_check(status != 0, file, line, expression, "accepted; an error naming '%s' was due", words))
        return false;
    const char *sentence = lem_last_error();
    for (const char *word = words; *word;) {
        size_t length = strcspn(word, "|");
        bool found = memmem(sentence, strlen(sentence), word, length) != NULL;
        if (!lem_tap_check(found, file, line, expression, "'%.*s' is not in the message \"%s\"", (int)length,
                           word, sentence))
            return false;
        word += length + (word[length] == '|');
    }
    return true;
}

double lem_tap_effort(void) {
    const char *text = getenv("LEMMATA_TEST_EFFORT");
    if (!text || !*text)
        return 1;
    char *end;
    double effort = strtod(text, &end);
    if (*end || !(effort > 0) || !isfinite(effort))
        lem_tap_bail_out("LEMMATA_TEST_EFFORT=%s: must be a positive number", text);
    return effort;
}
