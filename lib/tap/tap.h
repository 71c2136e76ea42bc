/* The one TAP 13 emitter. Internal: tests and study drivers print through it, and nothing else goes to
 * stdout.
 *
 * lem_tap_open moves the process's standard output aside: TAP is written to a duplicate of descriptor 1, and
 * descriptor 1 itself then points at stderr, because libRmath warns by printf on stdout. */
#ifndef LEM_TAP_TAP_H
#define LEM_TAP_TAP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Take over standard output; once per process, before any computation. */
void lem_tap_open(void);
/* For tests of what prints TAP: print a second, separate TAP to a stream, until lem_tap_close_stream, which
 * returns what lem_tap_finish would. One level deep. */
void lem_tap_open_stream(FILE *out);
int lem_tap_close_stream(void);

/* "TAP version 13" and "1..n". Must come before the first test point, unless lem_tap_begin was called: then
 * the version stands already, and the plan comes last, when n is known. */
void lem_tap_plan(size_t n);
void lem_tap_begin(void);
/* Test points so far. */
size_t lem_tap_done(void);
/* A plan of no tests, with the reason; for a program whose requirements are missing. */
void lem_tap_skip_all(const char *format, ...) LEM_PRINTF(1, 2);

/* One test point. `#`, backslash and newlines in the description are escaped. On failure `yaml` (lines
 * without the indent, "key: value"; NULL: none) is printed as the YAML block. Returns ok. */
bool lem_tap_result(bool ok, const char *yaml, const char *format, ...) LEM_PRINTF(3, 4);
/* Write `key: "value"` and a newline to out, the value escaped so that any text is valid YAML. */
void lem_tap_yaml_text(FILE *out, const char *key, const char *value);
void lem_tap_skip(const char *reason, const char *format, ...) LEM_PRINTF(2, 3);
/* "# ..." lines. */
void lem_tap_diag(const char *format, ...) LEM_PRINTF(1, 2);
/* Stop everything: prints the plan first where it is missing (Meson takes an early bail-out for a skip). The
 * second exits 255. */
void lem_tap_say_bail_out(const char *format, ...) LEM_PRINTF(1, 2);
_Noreturn void lem_tap_bail_out(const char *format, ...) LEM_PRINTF(1, 2);

/* 0 if as many points passed as were planned, 1 otherwise; flushes, and fails when writing failed (a full
 * disk). */
int lem_tap_finish(void);
/* Flush; false (after saying so on stderr) when something could not be written. */
bool lem_tap_finish_output(void);

/* --- unit tests: a table of cases, one test point each
 * ------------------------------------------------------------- */

typedef struct {
    const char *name;
    void (*run)(void);
} lem_tap_case;

/* Run all cases; a case fails if any of its checks failed; it is skipped if it called LEM_SKIP before any
 * check. With arguments, only the cases whose name contains one of them. */
int lem_tap_main(const lem_tap_case *cases, size_t n, int argc, char **argv);

/* Within a case: record a check. The first 10 failures of a case are shown, with place and the formatted
 * sentence. */
bool lem_tap_check(bool ok, const char *file, int line, const char *expression, const char *format, ...)
    LEM_PRINTF(5, 6);
void lem_tap_case_skip(const char *format, ...) LEM_PRINTF(1, 2);

#define LEM_CHECK(condition, ...) lem_tap_check((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)
#define LEM_SKIP(...)                                                                                        \
    do {                                                                                                     \
        lem_tap_case_skip(__VA_ARGS__);                                                                      \
        return;                                                                                              \
    } while (0)
#define LEM_TAP_MAIN(cases)                                                                                  \
    int main(int argc, char **argv) {                                                                        \
        return lem_tap_main((cases), sizeof(cases) / sizeof((cases)[0]), argc, argv);                        \
    }

/* |value - expected| <= tolerance, said with all four numbers. False for NaN. */
#define LEM_CHECK_NEAR(value, expected, tolerance)                                                           \
    lem_tap_near((value), (expected), (tolerance), __FILE__, __LINE__, #value)
bool lem_tap_near(double value, double expected, double tolerance, const char *file, int line,
                  const char *expression);

/* status != 0, and the error sentence contains each of the words given (separated by '|'). */
#define LEM_CHECK_ERROR(status, words) lem_tap_error((status), (words), __FILE__, __LINE__, #status)
bool lem_tap_error(int status, const char *words, const char *file, int line, const char *expression);

/* LEMMATA_TEST_EFFORT, a positive real, default 1: multiplies the repetitions of randomised tests. */
double lem_tap_effort(void);

#endif
