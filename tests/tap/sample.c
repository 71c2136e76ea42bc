/* What test_consumers.sh feeds to the stored output, to Meson and to prove: one case of each outcome. */
#include "tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void passes(void) {
    LEM_CHECK(1 + 1 == 2, "arithmetic");
    (void)printf("a stray line on standard output\n"); /* libRmath warns like this */
}

static void fails(void) {
    for (int i = 0; i < 12; i++)
        LEM_CHECK(i < 0, "i = %d", i);
}

static void is_far(void) {
    LEM_CHECK_NEAR(1.5, 1.0, 0.25);
    LEM_CHECK_NEAR(NAN, 1.0, INFINITY);
}

static void skips(void) {
    LEM_SKIP("no %s", "data");
}

static void checks_nothing(void) {
}

static int error(const char *sentence) {
    return LEM_ERROR(GSL_EDOM, "%s", sentence);
}

static void knows_errors(void) {
    LEM_CHECK_ERROR(error("n = 0: must be >= 1"), "n = 0|>= 1");
    LEM_CHECK_ERROR(error("n = 0"), "n = 0|>= 1");
    LEM_CHECK_ERROR(0, "n");
}

static const lem_tap_case cases[] = {
    {"good: passes", passes}, {"good: skips # really", skips},         {"bad: fails", fails},
    {"bad: is far", is_far},  {"bad: checks nothing", checks_nothing}, {"bad: errors", knows_errors},
};
LEM_TAP_MAIN(cases)
