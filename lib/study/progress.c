/* Progress on stderr: a bar with the time left on a terminal, one line per section elsewhere. */
#include "study/runtime.h"

#include <math.h>
#include <stdio.h>

enum { BAR = 24 };

double lem_seconds_since(const struct timespec *start) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

void lem_progress_clear(const lem_study *study) {
    if (study->terminal && !study->options.quiet)
        (void)fputs("\r\033[K", stderr);
}

void lem_progress_section(lem_study *study, const char *title) {
    (void)clock_gettime(CLOCK_MONOTONIC, &study->section_start);
    study->last_drawn = study->section_start;
    if (study->options.quiet)
        return;
    lem_progress_clear(study);
    (void)fprintf(stderr, "[%zu/%zu] %s%s", study->section + 1, study->spec->n_sections, title,
                  study->terminal ? " ..." : "\n");
    (void)fflush(stderr);
}

/* The time left of the computation under way, from the part of it that is done. */
void lem_progress_fraction(lem_study *study, double fraction) {
    enum { REDRAW_MS = 100 };
    if (study->options.quiet || !study->terminal || lem_seconds_since(&study->last_drawn) * 1000 < REDRAW_MS)
        return;
    (void)clock_gettime(CLOCK_MONOTONIC, &study->last_drawn);
    double elapsed = lem_seconds_since(&study->section_start);
    int filled = (int)lround(fraction * BAR);
    (void)fprintf(stderr, "\r\033[K[%zu/%zu] %-18s |", study->section + 1, study->spec->n_sections,
                  study->spec->sections[study->section].name);
    for (int i = 0; i < BAR; i++)
        (void)putc(i < filled ? '#' : '.', stderr);
    (void)fprintf(stderr, "| %3.0f %%", 100 * fraction);
    if (fraction > 0)
        (void)fprintf(stderr, "  ETA %.0f s", ceil(elapsed * (1 - fraction) / fraction));
    (void)fflush(stderr);
}
