/* Numbers as a reader sees them: value(uncertainty). Shared by the claims' TAP lines, the record comparison
 * and the weaver, so that a number looks the same everywhere. */
#ifndef LEM_STUDY_FORMAT_H
#define LEM_STUDY_FORMAT_H

#include <stddef.h>

enum { LEM_FORMAT_SIZE = 48 }; /* holds every result of the functions below */

/* value and its standard error in the usual short form, two digits of the error:
 *   1.2345(12)     error 0.0012          1.234(12)e-7, 1.235(12)e5   where fixed notation would be long
 *   0.3(4.5)       an error across the decimal point keeps its own point
 * An error of 0, NaN or infinity: as lem_format_digits(value, 6). Returns text. */
char *lem_format_uncertain(char text[LEM_FORMAT_SIZE], double value, double error);

/* value with `digits` significant digits (1..17; outside: the nearer of the two), trailing zeros dropped. */
char *lem_format_digits(char text[LEM_FORMAT_SIZE], double value, int digits);

/* How many significant digits of value lem_format_uncertain prints: 1..17. */
int lem_digits_of_error(double value, double error);

/* One unit of the last of `digits` significant digits of value; for 0, of a value of size 1. */
double lem_last_digit_unit(double value, int digits);

#endif
