#include "study/format.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The decimal exponent of |x| once rounded to `digits` significant digits: 9.96 to two digits is 10, so 1. */
static int rounded_exponent(double x, int digits) {
    char text[LEM_FORMAT_SIZE];
    (void)snprintf(text, sizeof text, "%.*e", digits - 1, fabs(x));
    const char *mark = strchr(text, 'e');
    return mark ? (int)strtol(mark + 1, NULL, 10) : 0;
}

static double power_of_ten(int exponent) {
    char text[16];
    (void)snprintf(text, sizeof text, "1e%d", exponent);
    return strtod(text, NULL); /* correctly rounded; pow(10, n) need not be */
}

/* x / 10^exponent; in two steps where 10^exponent itself is not a normal double. */
static double shifted(double x, int exponent) {
    if (exponent < -300)
        return x * 1e300 / power_of_ten(exponent + 300);
    return exponent < 0 ? x * power_of_ten(-exponent) : x / power_of_ten(exponent);
}

static int clamped_digits(int digits) {
    return digits < 1 ? 1 : digits > 17 ? 17 : digits;
}

char *lem_format_digits(char text[LEM_FORMAT_SIZE], double value, int digits) {
    (void)snprintf(text, LEM_FORMAT_SIZE, "%.*g", clamped_digits(digits), value == 0 ? 0.0 : value);
    return text;
}

static bool usable(double error) {
    return isfinite(error) && error > 0;
}

int lem_digits_of_error(double value, double error) {
    if (!usable(error) || !isfinite(value))
        return 6;
    int last = rounded_exponent(error, 2) - 1;
    if (value == 0)
        return 1;
    return clamped_digits(rounded_exponent(value, 17) - last + 1);
}

double lem_last_digit_unit(double value, int digits) {
    int exponent = value == 0 || !isfinite(value) ? 0 : rounded_exponent(value, 17);
    return fmax(power_of_ten(exponent - clamped_digits(digits) + 1), DBL_TRUE_MIN);
}

/* "-0.00" says a sign that rounding has taken the reason for. */
static const char *without_idle_sign(const char *number) {
    return number[0] == '-' && strspn(number + 1, "0.") == strlen(number + 1) ? number + 1 : number;
}

char *lem_format_uncertain(char text[LEM_FORMAT_SIZE], double value, double error) {
    if (!usable(error) || !isfinite(value))
        return lem_format_digits(text, value, 6);
    int error_exponent = rounded_exponent(error, 2), last = error_exponent - 1;
    int top = value == 0 ? error_exponent : rounded_exponent(value, 17);
    if (top < error_exponent)
        top = error_exponent;
    if (top - last > 16) /* the error is below the value's own rounding */
        last = top - 16;
    bool fixed = last <= 0 && top >= -4 && top <= 15;
    int scale = fixed ? 0 : top, decimals = scale - last;
    char number[LEM_FORMAT_SIZE], digits[LEM_FORMAT_SIZE];
    (void)snprintf(number, sizeof number, "%.*f", decimals, fixed ? value : shifted(value, scale));
    double error_digits = shifted(error, last); /* 10 .. 99, or less where `last` was raised */
    if (decimals > 0 && error_exponent >= scale)
        (void)snprintf(digits, sizeof digits, "%.*f", decimals, fixed ? error : shifted(error, scale));
    else
        (void)snprintf(digits, sizeof digits, "%.0f", fmax(1, error_digits));
    if (fixed)
        (void)snprintf(text, LEM_FORMAT_SIZE, "%.24s(%.16s)", without_idle_sign(number), digits);
    else
        (void)snprintf(text, LEM_FORMAT_SIZE, "%.24s(%.12s)e%d", without_idle_sign(number), digits, scale);
    return text;
}
