#include "study/format.h"

#include "rng/stream.h"
#include "tap/tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_known(void) {
    static const struct {
        double value, error;
        const char *text;
    } table[] = {
        {1.23454, 0.0012, "1.2345(12)"},
        {-1.23454, 0.0012, "-1.2345(12)"},
        {0.1, 0.0996, "0.10(10)"}, /* the error rounds up into another digit */
        {0.1, 0.0994, "0.100(99)"},
        {9.9996, 0.0012, "9.9996(12)"},
        {99.99996, 0.0012, "100.0000(12)"},
        {1234, 12, "1234(12)"},
        {1234, 1.2, "1234.0(1.2)"},
        {123456, 1200, "1.235(12)e5"},
        {12345, 120, "1.234(12)e4"}, /* 1.2345 is a binary fraction below the tie */
        {0.3, 4.5, "0.3(4.5)"},
        {-0.3, 4.5, "-0.3(4.5)"},
        {-0.01, 4.5, "0.0(4.5)"}, /* no sign without a digit */
        {3, 45, "3(45)"},
        {0, 0.0012, "0.0000(12)"},
        {0, 1.2e-9, "0.0(1.2)e-9"},
        {1.234e-7, 1.2e-9, "1.234(12)e-7"},
        {-1.234e-7, 1.2e-9, "-1.234(12)e-7"},
        {1e-7, 4.5e-6, "0.1(4.5)e-6"},
        {1.5e300, 2.5e297, "1.5000(25)e300"},
        {1.5e-310, 2.5e-312, "1.500(25)e-310"}, /* subnormal */
        {2.5, 0, "2.5"},
        {2.5, NAN, "2.5"},
        {2.5, INFINITY, "2.5"},
        {2.5, -1, "2.5"},
        {INFINITY, 1, "inf"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[LEM_FORMAT_SIZE];
        (void)lem_format_uncertain(text, table[i].value, table[i].error);
        LEM_CHECK(strcmp(text, table[i].text) == 0, "%g +- %g: \"%s\", expected \"%s\"", table[i].value,
                  table[i].error, text, table[i].text);
    }
}

/* Read back what was printed: the value within half a unit of its last place (the two digits of the error
 * then give the place), the error within 5 % (half a unit of two digits, at worst of 10). */
static void test_round_trip(void) {
    lem_stream stream;
    (void)lem_stream_init(&stream, 1, 2, 3, 4);
    int repeats = (int)(20000 * lem_tap_effort());
    for (int i = 0; i < repeats; i++) {
        char text[LEM_FORMAT_SIZE];
        double error = pow(10, 40 * lem_uniform(&stream) - 20);
        double value = error * lem_normal(&stream) * pow(10, 12 * lem_uniform(&stream) - 2);
        (void)lem_format_uncertain(text, value, error);
        char *open = strchr(text, '('), *close = open ? strchr(open, ')') : NULL;
        if (!LEM_CHECK(close != NULL, "\"%s\" has no error", text))
            continue;
        double scale = close[1] == 'e' ? pow(10, strtod(close + 2, NULL)) : 1;
        *open = *close = '\0';
        const char *point = strchr(text, '.');
        double unit = point ? pow(10, -(double)strlen(point + 1)) : 1;
        double back = strtod(text, NULL) * scale, digits = strtod(open + 1, NULL);
        double error_back = digits * scale * (strchr(open + 1, '.') ? 1 : unit);
        /* 1e-12 of the value: powers of ten in this test are themselves rounded. */
        LEM_CHECK(fabs(back - value) <= 0.5 * unit * scale * (1 + 1e-9) + 1e-12 * fabs(value),
                  "%.17g printed as %s...", value, text);
        LEM_CHECK(fabs(error_back - error) <= 0.0501 * error, "error %.17g printed as (%s)", error, open + 1);
    }
}

static void test_digits(void) {
    char text[LEM_FORMAT_SIZE];
    LEM_CHECK(strcmp(lem_format_digits(text, 0.1, 3), "0.1") == 0, "\"%s\"", text);
    LEM_CHECK(strcmp(lem_format_digits(text, -0.0, 3), "0") == 0, "\"%s\"", text);
    LEM_CHECK(strcmp(lem_format_digits(text, 1.0 / 3, 99), "0.33333333333333331") == 0, "\"%s\"", text);
    LEM_CHECK(strcmp(lem_format_digits(text, 1234567, -1), "1e+06") == 0, "\"%s\"", text);
    (void)lem_format_digits(text, -DBL_MAX, 17);
    LEM_CHECK(strlen(text) < LEM_FORMAT_SIZE - 1, "the longest number fits: %s", text);
}

static void test_digits_of_error(void) {
    LEM_CHECK(lem_digits_of_error(1.23454, 0.0012) == 5, "%d", lem_digits_of_error(1.23454, 0.0012));
    LEM_CHECK(lem_digits_of_error(0.3, 4.5) == 1, "%d", lem_digits_of_error(0.3, 4.5));
    LEM_CHECK(lem_digits_of_error(1, 1e-30) == 17, "%d", lem_digits_of_error(1, 1e-30));
    LEM_CHECK(lem_digits_of_error(0, 1e-30) == 1, "%d", lem_digits_of_error(0, 1e-30));
}

static void test_unit(void) {
    LEM_CHECK_NEAR(lem_last_digit_unit(1.2345, 5), 1e-4, 0);
    LEM_CHECK_NEAR(lem_last_digit_unit(-999, 3), 1, 0);
    LEM_CHECK_NEAR(lem_last_digit_unit(1000, 3), 10, 0);
    LEM_CHECK_NEAR(lem_last_digit_unit(0, 3), 1e-2, 0);
    LEM_CHECK_NEAR(lem_last_digit_unit(5e-324, 1), 5e-324, 0);
}

static const lem_tap_case cases[] = {
    {"known values", test_known},
    {"what is printed reads back", test_round_trip},
    {"plain digits", test_digits},
    {"how many digits an error allows", test_digits_of_error},
    {"one unit of the last digit", test_unit},
};
LEM_TAP_MAIN(cases)
