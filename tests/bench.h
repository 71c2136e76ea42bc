/* For benchmarks: median times of interleaved runs, one JSON line per figure on stdout.
 *
 *     {"name": "...", "value": x, "unit": "...", "limit_name": "...", "limit": y, "ratio": x / y}
 *
 * What is compared runs in turns (A, B, A, B, ...) within one process, so that a change of the machine's
 * speed meets all alike. A figure that cannot be had here gives {"name": "...", "skipped": "reason"}. */
#ifndef LEM_TESTS_BENCH_H
#define LEM_TESTS_BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BENCH_MAX_CASES = 16, BENCH_MAX_REPEATS = 101 };

/* One thing to time; `seconds` becomes the median. */
typedef struct {
    void (*run)(void *context);
    void *context;
    double seconds;
} bench_case;

static inline double bench_now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int bench_ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_median(double *values, size_t n) {
    qsort(values, n, sizeof *values, bench_ascending);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Time all cases in turns after one run of each to warm up. `repeats` <= BENCH_MAX_REPEATS, n <=
 * BENCH_MAX_CASES.
 */
static inline void bench_interleave(bench_case *cases, size_t n, size_t repeats) {
    static double seconds[BENCH_MAX_CASES][BENCH_MAX_REPEATS];
    if (n > BENCH_MAX_CASES || repeats < 1 || repeats > BENCH_MAX_REPEATS) {
        (void)fprintf(stderr, "bench_interleave: %zu cases, %zu repeats: too many\n", n, repeats);
        exit(2);
    }
    for (size_t c = 0; c < n; c++)
        cases[c].run(cases[c].context);
    for (size_t r = 0; r < repeats; r++)
        for (size_t c = 0; c < n; c++) {
            double start = bench_now();
            cases[c].run(cases[c].context);
            seconds[c][r] = bench_now() - start;
        }
    for (size_t c = 0; c < n; c++)
        cases[c].seconds = bench_median(seconds[c], repeats);
}

static inline void bench_put_string(const char *text) {
    (void)putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            (void)putchar('\\');
        (void)putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
    (void)putchar('"');
}

static inline void bench_skip(const char *name, const char *reason) {
    (void)fputs("{\"name\": ", stdout);
    bench_put_string(name);
    (void)fputs(", \"skipped\": ", stdout);
    bench_put_string(reason);
    (void)puts("}");
    (void)fflush(stdout);
}

/* `limit` is in the unit of `value`: what the figure is measured against (a rival, a peak rate), named by
 * limit_name. */
static inline void bench_print(const char *name, double value, const char *unit, const char *limit_name,
                               double limit) {
    if (!isfinite(value) || !isfinite(limit) || limit == 0) {
        bench_skip(name, "no finite figure was measured");
        return;
    }
    (void)fputs("{\"name\": ", stdout);
    bench_put_string(name);
    (void)printf(", \"value\": %.6g, \"unit\": ", value);
    bench_put_string(unit);
    (void)fputs(", \"limit_name\": ", stdout);
    bench_put_string(limit_name);
    (void)printf(", \"limit\": %.6g, \"ratio\": %.4g}\n", limit, value / limit);
    (void)fflush(stdout);
}

#endif
