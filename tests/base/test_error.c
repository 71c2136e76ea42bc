#include "base/error.h"
#include "tap/tap.h"

#include <math.h>
#include <string.h>

static int seen_code;

static void remember(const char *reason, const char *file, int line, int code) {
    (void)reason, (void)file, (void)line;
    seen_code = code;
}

static void test_sentence(void) {
    LEM_CHECK(LEM_ERROR(GSL_EDOM, "n = %d: must be >= 1", 0) == GSL_EDOM, "the code comes back");
    LEM_CHECK(strcmp(lem_last_error(), "n = 0: must be >= 1") == 0, "sentence is \"%s\"", lem_last_error());
    LEM_CHECK(LEM_ERROR(GSL_EFAILED, "chunk 3: %s", lem_last_error()) == GSL_EFAILED, "the code comes back");
    LEM_CHECK(strcmp(lem_last_error(), "chunk 3: n = 0: must be >= 1") == 0, "sentence is \"%s\"",
              lem_last_error());
    lem_clear_error();
    LEM_CHECK(lem_last_error()[0] == '\0', "cleared");
    LEM_CHECK(isnan(LEM_ERROR_NAN(GSL_EDOM, "x")), "NaN for functions that return a double");
}

static void test_long_sentence_is_cut(void) {
    char text[2000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    LEM_ERROR(GSL_EINVAL, "%s", text);
    LEM_CHECK(strlen(lem_last_error()) < 600, "cut, not overrun: %zu", strlen(lem_last_error()));
}

static void test_handler(void) {
    LEM_CHECK(lem_set_error_handler(remember) == NULL, "none by default");
    LEM_ERROR(GSL_ERANGE, "y");
    LEM_CHECK(seen_code == GSL_ERANGE, "handler saw code %d", seen_code);
    LEM_CHECK(lem_set_error_handler(NULL) == remember, "the previous one comes back");
}

static const lem_tap_case cases[] = {
    {"the sentence and the code", test_sentence},
    {"a long sentence is cut", test_long_sentence_is_cut},
    {"the handler", test_handler},
};
LEM_TAP_MAIN(cases)
