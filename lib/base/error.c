#include "base/error.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static _Thread_local char last_error[512];
static _Atomic(gsl_error_handler_t *) error_handler; /* clang 14 refuses "= NULL" here */

const char *lem_last_error(void) {
    return last_error;
}

void lem_clear_error(void) {
    last_error[0] = '\0';
}

gsl_error_handler_t *lem_set_error_handler(gsl_error_handler_t *handler) {
    return atomic_exchange(&error_handler, handler);
}

int lem_report_error(int code, const char *file, int line, const char *format, ...) {
    /* The arguments may point into the buffer itself (a message that quotes the last one). */
    char sentence[sizeof last_error];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    (void)snprintf(last_error, sizeof last_error, "%s", sentence);
    gsl_error_handler_t *handler = atomic_load(&error_handler);
    if (handler)
        handler(last_error, file, line, code);
    return code;
}
