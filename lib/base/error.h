/* Errors: one sentence and a code, never an abort. */
#ifndef LEM_BASE_ERROR_H
#define LEM_BASE_ERROR_H

#include <gsl/gsl_errno.h>

#if defined(__GNUC__)
#define LEM_API __attribute__((visibility("default")))
#define LEM_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define LEM_API
#define LEM_PRINTF(f, a)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The sentence of the last error in this thread, "" if there was none: names the argument, its value, and
 * what is allowed. Valid until the next error in the same thread. A success does not clear it. */
LEM_API const char *lem_last_error(void);

/* Forget the last error of this thread. */
LEM_API void lem_clear_error(void);

/* Install a handler called at every error of the library (with GSL's signature: reason, file, line, code), or
 * NULL for none, the default. Returns the previous one. GSL's own handler is neither read nor changed: its
 * default would abort the program at a bad argument. Thread-safe. */
LEM_API gsl_error_handler_t *lem_set_error_handler(gsl_error_handler_t *handler);

/* Format the sentence of an error into this thread's buffer, call the handler if there is one, and return
 * code (one of GSL's, gsl_errno.h). Use through LEM_ERROR. */
LEM_API int lem_report_error(int code, const char *file, int line, const char *format, ...) LEM_PRINTF(4, 5);

#define LEM_ERROR(code, ...) lem_report_error((code), __FILE__, __LINE__, __VA_ARGS__)

/* For functions that return a double: report and give NaN. */
#define LEM_ERROR_NAN(code, ...) ((void)LEM_ERROR(code, __VA_ARGS__), (double)NAN)

#ifdef __cplusplus
}
#endif
#endif
