#include "oracle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 1;

uint64_t random_bits(void) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double random_unit(void) {
    return (double)(random_bits() >> 11) * 0x1p-53;
}

double random_between(double low, double high) {
    return low + (high - low) * random_unit();
}

double random_log(double low, double high) {
    return exp(random_between(log(low), log(high)));
}

size_t repetitions(size_t base) {
    double n = (double)base * lem_tap_effort();
    return n < 1 ? 1 : (size_t)n;
}

bool ball_value(arb_t result, ball_function f, const double *args) {
    for (slong precision = 128; precision <= 8192; precision *= 2) {
        f(result, args, precision);
        if (arb_is_finite(result) && arb_rel_accuracy_bits(result) >= 70)
            return true;
    }
    return false;
}

bool check_against_ball(double computed, ball_function f, const double *args, size_t n_args, double tolerance,
                        double absolute, const char *file, int line, const char *name) {
    char text[200] = "";
    for (size_t i = 0, used = 0; i < n_args && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %.17g", args[i]);
    arb_t ball, error, size;
    arb_init(ball), arb_init(error), arb_init(size);
    bool ok;
    if (!ball_value(ball, f, args)) {
        ok = lem_tap_check(false, file, line, name, "the ball is too wide at%s", text);
    } else if (!isfinite(computed)) {
        ok = lem_tap_check(false, file, line, name, "computed %g at%s", computed, text);
    } else {
        arb_t value;
        arb_init(value);
        arb_set_d(value, computed);
        arb_sub(error, value, ball, 256);
        double off = fabs(arf_get_d(arb_midref(error), ARF_RND_NEAR));
        double scale = fabs(arf_get_d(arb_midref(ball), ARF_RND_NEAR));
        ok = lem_tap_check(off <= tolerance * scale + absolute + DBL_MIN, file, line, name,
                           "%.17g is off by %.3g epsilons (allowed %.3g) at%s", computed, off / scale / EPS,
                           (tolerance + absolute / scale) / EPS, text);
        if (getenv("LEMMATA_TEST_ERRORS"))
            lem_tap_diag("%s%s: %.17g error %.3g epsilons, allowed %.3g", name, text, computed,
                         off / scale / EPS, (tolerance + absolute / scale) / EPS);
        arb_clear(value);
    }
    arb_clear(ball), arb_clear(error), arb_clear(size);
    return ok;
}
